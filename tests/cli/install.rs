//! `codexec prefix --install` with packages from a directory of wheels: no network is needed.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::{BINARY, codexec, skip, stderr};

/// Writes wheels: `shop` depends on `goods`, and its `.pth` file would leave a trace wherever it is
/// followed; `crates` exists as source code alone, whose build would leave one.
const WHEELS: &str = r#"
import base64, hashlib, pathlib, sys, tarfile, zipfile
place, trace = pathlib.Path(sys.argv[1]), sys.argv[2]
def wheel(name, version, files, requires=""):
    info = f"{name}-{version}.dist-info"
    files = dict(files)
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{requires}"
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(text.encode())}\n"
    files[f"{info}/RECORD"] = record + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(place / f"{name}-{version}-py3-none-any.whl", "w") as out:
        for path, text in files.items():
            out.writestr(path, text)
wheel("goods", "1.0", {"goods/__init__.py": "PRICE = 20\n"})
wheel("goods", "2.0", {"goods/__init__.py": "PRICE = 30\n"})
evil = f"import pathlib; pathlib.Path({trace!r}).write_text('pth')\n"
wheel("shop", "1.0", {"shop/__init__.py": "import goods\ndef price(n):\n    return goods.PRICE + n\n",
                      "evil.pth": evil}, "Requires-Dist: goods<2\n")
# A wheel that needs source code from an address, and two that share a namespace.
wheel("bait", "1.0", {"bait.py": "n = 1\n"}, f"Requires-Dist: crates @ {(place / 'crates-1.0.tar.gz').as_uri()}\n")
wheel("zope.component", "1.0", {"zope/component.py": "n = 1\n"})
wheel("zope.interface", "1.0", {"zope/interface.py": "n = 2\n"})
sdist = place / "crates-1.0"
sdist.mkdir()
(sdist / "setup.py").write_text(f"open({trace!r}, 'w').write('setup')\nfrom setuptools import setup\nsetup(name='crates', version='1.0')\n")
(sdist / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: crates\nVersion: 1.0\n")
with tarfile.open(place / "crates-1.0.tar.gz", "w:gz") as out:
    out.add(sdist, "crates-1.0")
"#;

const SNIPPET: &str = "\
import shop
import crates
total = shop.price(1)
if total == 21:
    found = 'the real one'
crates.open(total)
";

struct Setting {
    dir: tempfile::TempDir,
}

impl Setting {
    /// None, with a line on standard error, where there is no pip.
    fn new() -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let python = std::env::var("CODEXEC_PYTHON").unwrap_or_else(|_| "python3".into());
        let pip = Command::new(&python)
            .args(["-m", "pip", "--version"])
            .output();
        if !pip.is_ok_and(|p| p.status.success()) {
            eprintln!("skipped: {python} has no pip");
            return None;
        }
        let wheels = dir.path().join("wheels");
        std::fs::create_dir(&wheels).unwrap();
        let made = Command::new(&python)
            .args(["-c", WHEELS, wheels.to_str().unwrap()])
            .arg(dir.path().join("trace"))
            .status();
        assert!(made.unwrap().success());
        std::fs::write(dir.path().join("p.py"), SNIPPET).unwrap();
        Some(Self { dir })
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    fn codexec(&self, program: &Path, more: &[&str]) -> Output {
        codexec()
            .args(["prefix", program.to_str().unwrap(), "--format", "json"])
            .args(more)
            .env("PIP_NO_INDEX", "1")
            .env("PIP_FIND_LINKS", self.path("wheels"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .output()
            .unwrap()
    }
}

#[test]
fn missing_packages_are_installed_once_and_for_all_snippets() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let program = setting.path("p.py");
    // What a command that was killed has left.
    let version = "import sys; print('cpython-%d.%d' % sys.version_info[:2])";
    let python = std::env::var("CODEXEC_PYTHON").unwrap_or_else(|_| "python3".into());
    let version = Command::new(python).args(["-c", version]).output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let root = setting.path("cache/codexec/packages").join(version.trim());
    let plain = setting.codexec(&program, &[]);
    if !plain.status.success() {
        skip(stderr(&plain));
        return;
    }
    let found: Value = serde_json::from_slice(&plain.stdout).unwrap();
    assert_eq!(found["missing_packages"], json!(["shop", "crates"]));
    assert!(
        !setting.path("cache").exists(),
        "nothing is installed without the flag"
    );

    std::fs::create_dir_all(root.join(".new-x/shop")).unwrap();
    let run = setting.codexec(&program, &["--install"]);
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(!root.join(".new-x").exists());
    let said = stderr(&run);
    assert!(said.contains("installing shop into "), "{said}");
    assert!(said.contains("crates is made up: "), "{said}");
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(found["missing_packages"], json!(["crates"]));
    assert_eq!(found["coverage"], json!({"covered": 6, "lines": 6}));
    // The real package: nothing stands in for it in the best prefix.
    let best = found["set"][0].as_u64().unwrap() as usize;
    let prefix = found["tried"][best]["prefix"].as_str().unwrap();
    assert!(!prefix.contains("\"shop\""), "{prefix}");
    assert!(prefix.contains("sys.modules[\"crates\"]"), "{prefix}");

    // Another program, another time: it is there.
    let other = setting.path("other.py");
    std::fs::write(
        &other,
        "import goods\nif goods.PRICE == 20:\n    print(shop.price(1))\n",
    )
    .unwrap();
    let run = setting.codexec(&other, &["--install"]);
    assert!(run.status.success(), "{}", stderr(&run));
    assert_eq!(stderr(&run), "");
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(found["coverage"], json!({"covered": 3, "lines": 3}));
    assert!(
        !setting.path("trace").exists(),
        "code of a package ran outside the sandbox"
    );
}

#[test]
fn nothing_of_a_package_runs_outside_the_sandbox() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let program = setting.path("bait.py");
    std::fs::write(&program, "import bait\nx = bait.n\n").unwrap();
    // What Python would take for pip, where packages are put and where the command is given.
    let trap = setting.path("trap");
    std::fs::create_dir(&trap).unwrap();
    let trace = setting.path("trace");
    for place in [&trap, &trap.join("cpython-3.11")] {
        std::fs::create_dir_all(place).unwrap();
        let code = format!("open({:?}, 'w').write('pip')\n", trace.to_str().unwrap());
        std::fs::write(place.join("pip.py"), code).unwrap();
    }
    let place = trap.to_str().unwrap();
    let run = setting.codexec(&program, &["--install", "--install-dir", place]);
    if !run.status.success() {
        skip(stderr(&run));
        return;
    }
    let said = stderr(&run);
    assert!(
        said.contains("bait is made up: it needs crates from an address"),
        "{said}"
    );
    assert!(
        !trace.exists(),
        "{}",
        std::fs::read_to_string(trace).unwrap()
    );
}

#[test]
fn parts_of_a_namespace_come_from_their_own_packages() {
    let Some(setting) = Setting::new() else {
        return;
    };
    for (name, n) in [("component", 1), ("interface", 2)] {
        let program = setting.path(&format!("{name}_user.py"));
        let text =
            format!("import zope.{name}\nassert zope.{name}.n == {n}\nfrom zope import other\n");
        std::fs::write(&program, text).unwrap();
        let run = setting.codexec(&program, &["--install"]);
        if !run.status.success() {
            skip(stderr(&run));
            return;
        }
        let said = stderr(&run);
        assert!(said.contains("installing zope"), "{said}");
        assert!(
            said.contains("zope.other is made up: many packages share it"),
            "{said}"
        );
        let found: Value = serde_json::from_slice(&run.stdout).unwrap();
        let covered = found["coverage"]["covered"].as_u64().unwrap();
        assert!(covered >= 2, "{found:#}");
    }
    // One directory for each: the second did not replace the first.
    let root = setting.path("cache/codexec/packages");
    let root = std::fs::read_dir(root)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    for name in ["zope-component-1.0", "zope-interface-1.0"] {
        assert!(root.join(name).join("zope").is_dir(), "{name}");
    }
}

#[test]
fn commands_at_the_same_time_and_odd_settings_of_pip_do_no_harm() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let start = || {
        Command::new(BINARY)
            .args([
                "prefix",
                setting.path("p.py").to_str().unwrap(),
                "--format",
                "json",
                "--install",
            ])
            .envs([
                ("PIP_NO_INDEX", "1"),
                ("PIP_USER", "1"),
                ("PIP_REQUIRE_VIRTUALENV", "1"),
            ])
            .envs([("PIP_PREFIX", "/nowhere"), ("PIP_DRY_RUN", "1")])
            .env("PIP_FIND_LINKS", setting.path("wheels"))
            .env("XDG_CACHE_HOME", setting.path("cache"))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let both = [start(), start()].map(|child| child.wait_with_output().unwrap());
    for run in both {
        if !run.status.success() {
            skip(stderr(&run));
            return;
        }
        let found: Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(
            found["missing_packages"],
            json!(["crates"]),
            "{}",
            stderr(&run)
        );
    }
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let file = setting.path("file");
    std::fs::write(&file, "").unwrap();
    let place = file.to_str().unwrap();
    let run = setting.codexec(
        &setting.path("p.py"),
        &["--install", "--install-dir", place],
    );
    assert_eq!(run.status.code(), Some(1));
    let why = stderr(&run);
    assert!(
        why.contains("--install-dir") && why.contains("cpython-3"),
        "{why}"
    );
    let run = setting.codexec(&setting.path("p.py"), &["--install-dir", place]);
    assert_eq!(run.status.code(), Some(2));
}
