//! Modules that programs import from elsewhere: options, and what is said of modules that are not found.

use std::fs;
use std::path::Path;

use tempfile::tempdir;

use crate::support::{codexec, stderr, stdout, written};

/// What a command says and prints in a directory without an active environment.
fn said(place: &Path, args: &[&str]) -> (String, String) {
    let mut command = codexec();
    command.current_dir(place).env_remove("VIRTUAL_ENV");
    command.env_remove("CODEXEC_PYTHON");
    let run = command.args(args).output().unwrap();
    (stdout(&run), stderr(&run))
}

/// A project with an environment in which `shop` requires `dep`, beside directories of modules.
fn project(place: &Path) {
    for (file, text) in [
        (
            ".venv/lib/python3.11/site-packages/shop.py",
            "import dep\nx = dep.x + 1\n",
        ),
        (".venv/lib/python3.11/site-packages/dep.py", "x = 41\n"),
        (".venv/lib/python3.11/site-packages/more.py", "x = 1\n"),
        (
            ".venv/lib/python3.11/site-packages/shop-1.0.dist-info/METADATA",
            "Name: shop\nRequires-Dist: dep\n",
        ),
        (
            ".venv/lib/python3.11/site-packages/dep-1.0.dist-info/METADATA",
            "Name: dep\n",
        ),
        ("a.py", "import shop\nprint(shop.x)\n"),
        ("src/pkg/mod.py", "x = 'src'\n"),
        ("b.py", "import pkg.mod\nprint(pkg.mod.x)\n"),
        ("tests/t.py", "import c\nprint(c.x)\n"),
        ("c.py", "x = 'c'\n"),
        ("d.py", "import nowhere_at_all\nnowhere_at_all.f()\n"),
        ("native.py", "import fast\nprint(fast.x)\n"),
        ("fast.cpython-311-x86_64-linux-gnu.so", ""),
    ] {
        let file = place.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

#[test]
fn a_module_that_is_not_found_is_named_with_the_option_that_finds_it() {
    let dir = tempdir().unwrap();
    let place = dir.path().canonicalize().unwrap();
    project(&place);
    let top = place.display();
    for engine in ["plan", "run"] {
        for (file, options, wanted) in [
            ("a.py", &[][..], "--packages shop lets".to_owned()),
            (
                "a.py",
                &["--packages", "more"],
                "--packages more,shop lets".to_owned(),
            ),
            ("b.py", &[], format!("--path {top}/src has")),
            ("tests/t.py", &[], format!("--root {top} has")),
            ("d.py", &[], "--path DIR names".to_owned()),
        ] {
            let args = [&["trace", file, "--engine", engine], options].concat();
            let (_, text) = said(&place, &args);
            assert!(text.contains(&wanted), "{engine} {file}: {text}");
        }
        for (file, options, wanted) in [
            ("a.py", &["--packages", "shop"][..], "42"),
            ("a.py", &["--packages"], "42"),
            ("b.py", &["--path", "src"], "src"),
            ("tests/t.py", &["--root", "."], "c"),
        ] {
            let args = [&["trace", file, "--engine", engine], options].concat();
            let (out, text) = said(&place, &args);
            let printed = out
                .lines()
                .any(|line| line.trim_end().ends_with(&format!("│ {wanted}")));
            assert!(printed && text.is_empty(), "{engine} {file}: {out}{text}");
        }
    }
    let (_, text) = said(&place, &["trace", "native.py"]);
    assert!(text.contains("module fast: fast.cpython-311"), "{text}");
    assert!(text.contains("--engine run executes native code"), "{text}");
}

#[test]
fn packages_that_are_not_there_are_wrong_usage_of_the_option() {
    let dir = tempdir().unwrap();
    let place = dir.path().canonicalize().unwrap();
    project(&place);
    let (_, text) = said(&place, &["trace", "a.py", "--packages", "shop,nothing"]);
    assert!(
        text.contains("no package or module nothing is installed in"),
        "{text}"
    );
    let (_, text) = said(&place, &["trace", "--packages", "a.py"]);
    assert!(text.contains("`a.py` is no package"), "{text}");
    let (_, text) = said(&place, &["trace", "a.py", "--path", "missing"]);
    assert!(
        text.contains("missing") && text.contains("--path"),
        "{text}"
    );
    let (_, text) = said(&place, &["trace", "a.py", "--omit", "a[z-a]"]);
    assert!(text.contains("the pattern `a[z-a]`"), "{text}");
}

#[test]
fn why_and_guide_find_the_same_modules() {
    let dir = tempdir().unwrap();
    let place = dir.path().canonicalize().unwrap();
    project(&place);
    let (out, text) = said(&place, &["why", "a.py", "--packages", "shop"]);
    assert!(out.contains("42"), "{out}{text}");
    let (out, text) = said(&place, &["guide", "b.py", "--path", "src"]);
    assert!(out.contains("│ src"), "{out}{text}");
    written(&place, "e.py", "import more\nimport shop\nprint(shop.x)\n");
    let (out, text) = said(&place, &["guide", "e.py", "--packages", "shop", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    let injected = found["injected"].as_array().unwrap();
    assert_eq!(injected.len(), 1, "{injected:?}{text}");
    assert_eq!(injected[0]["name"], "more");
}
