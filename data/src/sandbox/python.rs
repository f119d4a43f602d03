//! Finds the Python that runs programs, every file it needs, and where packages are installed for it.
//! Does not start it for good.
//!
//! A launcher (pyenv's shim, a virtual environment's link) is resolved to the real interpreter by
//! asking it; the sandbox starts that one without site-packages.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use super::packages::importable;
use super::{Packages, SandboxError};

/// An interpreter and the files that it needs to run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Interpreter {
    /// The real executable.
    pub executable: PathBuf,
    /// As `3.11.7`.
    pub version: String,
    /// Directories of the standard library.
    pub library: Vec<PathBuf>,
    /// Shared libraries, the dynamic loader, and the links by which they are found.
    pub files: Vec<PathBuf>,
    /// Those of `files` that the kernel executes beside the interpreter: dynamic loaders.
    pub loaders: Vec<PathBuf>,
    /// Directories of installed packages that programs may import from, in the order of the search.
    pub packages: Vec<PathBuf>,
    /// Those from which programs may import only the modules of `names`.
    pub named: Vec<PathBuf>,
    /// Names of modules.
    pub names: Vec<String>,
    /// Directories of modules that are searched before the standard library.
    pub paths: Vec<PathBuf>,
}

/// The interpreter's description of itself.
#[derive(Deserialize)]
struct Answer {
    executable: PathBuf,
    version: [u32; 3],
    implementation: String,
    library: Vec<PathBuf>,
    files: Vec<PathBuf>,
    packages: Vec<PathBuf>,
}

/// The query to an interpreter. With an argument, also the shared libraries that extension modules expect from
/// a machine (which wheels for Linux may omit), and, if it is `packages`, its package directories.
const QUESTION: &str = r#"
import json, os, sys
for name in ("ctypes decimal zlib bz2 lzma hashlib ssl sqlite3 uuid readline pyexpat "
             "_datetime _bisect _heapq array math").split():
    try: __import__(name)
    except Exception: pass
library = [os.path.realpath(p) for p in sys.path if p and os.path.isdir(p)]
library.append(os.path.dirname(os.path.realpath(os.__file__)))
packages = []
# CPython 3.8 ends a thread by `pthread_exit`, for which the C library loads the first one.
libraries = "libgcc_s.so.1"
if len(sys.argv) > 1:
    libraries += (" libstdc++.so.6 libgomp.so.1 libatomic.so.1 librt.so.1 libdl.so.2 "
                  "libutil.so.1 libpthread.so.0 libnsl.so.1 libresolv.so.2 libz.so.1")
for name in libraries.split():
    try:
        import ctypes
        ctypes.CDLL(name)
    except (ImportError, OSError): pass
if sys.argv[1:] == ["packages"]:
    import site
    # What `site` would do at the start, but for .pth files, which may run code and lead anywhere.
    prefixes, beside = [], os.path.dirname(os.path.abspath(sys.executable))
    for place in (beside, os.path.dirname(beside)):
        try: lines = open(os.path.join(place, "pyvenv.cfg")).read().lower().splitlines()
        except OSError: continue
        prefixes = [os.path.dirname(beside)]
        shared = [l for l in lines if l.partition("=")[0].strip() == "include-system-site-packages"]
        if shared and shared[0].partition("=")[2].strip() != "true": break
        prefixes.append(sys.base_prefix)
        break
    else: prefixes = [sys.prefix, sys.exec_prefix]
    packages = [os.path.realpath(p) for p in site.getsitepackages(prefixes) if os.path.isdir(p)]
files = []
try:
    for line in open("/proc/self/maps"):
        name = line.rstrip("\n").partition("/")[2]
        if ".so" in name.rpartition("/")[2]: files.append("/" + name)
except OSError: pass
print(json.dumps({"executable": os.path.realpath(sys.executable), "version": sys.version_info[:3],
                  "implementation": sys.implementation.name, "library": library, "files": files,
                  "packages": packages}))
"#;

const LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];

impl Interpreter {
    /// The requested interpreter, else `$CODEXEC_PYTHON`, else `python3` on the path; with the
    /// importable packages.
    pub(super) fn find(asked: Option<&Path>, packages: &Packages) -> Result<Self, SandboxError> {
        let mut found = Self::find_any(asked, packages)?;
        if packages.installed && !packages.environment.is_empty() {
            let shown = packages
                .environment
                .iter()
                .map(|d| directory_of_packages(d));
            found.packages = shown.collect::<Result<_, _>>()?;
        }
        if packages.installed && !packages.names.is_empty() {
            found.named = std::mem::take(&mut found.packages);
            found.names.clone_from(&packages.names);
        }
        for directory in &packages.paths {
            found.paths.push(directory_of_modules(directory)?);
        }
        // Named packages come first: they may replace installed ones.
        for (at, directory) in packages.directories.iter().enumerate() {
            found.packages.insert(at, directory_of_packages(directory)?);
        }
        let mut seen = BTreeSet::new();
        found.packages.retain(|place| seen.insert(place.clone()));
        Ok(found)
    }

    /// Directories visible to programs besides the standard library and their root.
    pub(super) fn directories(&self) -> impl Iterator<Item = &Path> {
        let all = self.packages.iter().chain(&self.named).chain(&self.paths);
        all.map(PathBuf::as_path)
    }

    /// Names that `import` finds in directories of packages.
    pub(super) fn importable(&self) -> BTreeSet<String> {
        let mut found = importable(&self.packages);
        let top = |name: &str| name.split('.').next().unwrap_or(name).to_owned();
        let named = importable(&self.named).into_iter();
        found.extend(named.filter(|name| self.names.contains(&top(name))));
        found
    }

    fn find_any(asked: Option<&Path>, packages: &Packages) -> Result<Self, SandboxError> {
        if let Some(path) = asked {
            return Self::ask(path, packages);
        }
        if let Some(path) = std::env::var_os("CODEXEC_PYTHON").filter(|v| !v.is_empty()) {
            return Self::ask(Path::new(&path), packages);
        }
        let mut tried = Vec::new();
        for name in ["python3", "python"] {
            match Self::ask(Path::new(name), packages) {
                Ok(found) => return Ok(found),
                Err(error) => tried.push(error.to_string()),
            }
        }
        Err(SandboxError::NoPython {
            tried: tried.join("; "),
        })
    }

    fn ask(path: &Path, packages: &Packages) -> Result<Self, SandboxError> {
        let unsuitable = |why: String| SandboxError::UnsuitablePython {
            path: path.to_owned(),
            why,
        };
        let more = match packages {
            Packages {
                installed: true,
                environment,
                ..
            } if environment.is_empty() => Some("packages"),
            Packages {
                installed: false,
                directories,
                paths,
                ..
            } if directories.is_empty() && paths.is_empty() => None,
            _ => Some("libraries"),
        };
        let output = Command::new(path)
            // Isolated: a file of the working directory must not replace a module.
            .args(["-I", "-S", "-c", QUESTION])
            .args(more)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| unsuitable(e.to_string()))?;
        let answer: Answer = serde_json::from_slice(&output.stdout).map_err(|_| {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().unwrap_or("it printed nothing usable");
            unsuitable(format!("{} ({last})", output.status))
        })?;
        let [major, minor, patch] = answer.version;
        if answer.implementation != "cpython" || (major, minor) < (3, 8) {
            let name = &answer.implementation;
            return Err(unsuitable(format!(
                "it is {name} {major}.{minor}.{patch}, and CPython 3.8 or later is needed"
            )));
        }
        Ok(Self::from_answer(answer))
    }

    fn from_answer(answer: Answer) -> Self {
        let [major, minor, patch] = answer.version;
        let library: BTreeSet<PathBuf> = answer.library.iter().cloned().collect();
        // A directory inside another one is already included.
        let library: Vec<PathBuf> = library
            .iter()
            .filter(|p| !library.iter().any(|q| q != *p && p.starts_with(q)))
            .cloned()
            .collect();
        let outside = |path: &PathBuf| !library.iter().any(|dir| path.starts_with(dir));
        let mut files: BTreeSet<PathBuf> = answer.files.into_iter().filter(outside).collect();
        for file in files.clone() {
            files.extend(links_to(&file));
        }
        let loaders: Vec<PathBuf> = LOADERS
            .iter()
            .map(PathBuf::from)
            .filter(|p| p.exists())
            .collect();
        files.extend(loaders.iter().cloned());
        let cache = PathBuf::from("/etc/ld.so.cache");
        files.extend(cache.exists().then_some(cache));
        Self {
            executable: answer.executable,
            version: format!("{major}.{minor}.{patch}"),
            library,
            files: files.into_iter().collect(),
            loaders,
            packages: answer.packages,
            named: Vec::new(),
            names: Vec::new(),
            paths: Vec::new(),
        }
    }
}

/// A directory named by the user: it exists, and can hold only packages.
fn directory_of_packages(directory: &Path) -> Result<PathBuf, SandboxError> {
    let unsuitable = |why: &str| SandboxError::UnsuitablePackages {
        path: directory.to_owned(),
        why: why.to_owned(),
    };
    let real = directory
        .canonicalize()
        .map_err(|e| unsuitable(&e.to_string()))?;
    let home = std::env::var_os("HOME").and_then(|home| Path::new(&home).canonicalize().ok());
    if !real.is_dir() {
        return Err(unsuitable("it is no directory"));
    }
    if real.parent().is_none() || home.is_some_and(|home| home.starts_with(&real)) {
        return Err(unsuitable("programs would see more than packages"));
    }
    Ok(real)
}

/// A directory of modules that the user named.
fn directory_of_modules(directory: &Path) -> Result<PathBuf, SandboxError> {
    let unsuitable = |why: &str| SandboxError::UnsuitablePath {
        path: directory.to_owned(),
        why: why.to_owned(),
    };
    let real = directory
        .canonicalize()
        .map_err(|e| unsuitable(&e.to_string()))?;
    match (real.is_dir(), real.parent()) {
        (false, _) => Err(unsuitable("it is no directory")),
        (true, None) => Err(unsuitable("it holds everything")),
        (true, Some(_)) => Ok(real),
    }
}

/// Links to a shared library beside it: programs are linked against their names.
fn links_to(file: &Path) -> Vec<PathBuf> {
    let (Some(dir), Some(name)) = (file.parent(), file.file_name()) else {
        return Vec::new();
    };
    let name = name.to_string_lossy();
    let stem = name.split(".so").next().unwrap_or_default();
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter(|e| e.file_name().to_string_lossy().starts_with(stem))
        .map(|e| e.path())
        .filter(|p| p.is_symlink() && p.canonicalize().is_ok_and(|to| to == file))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_real_interpreter_and_its_library() {
        let python = Interpreter::find(None, &Packages::default()).unwrap();
        assert!(python.packages.is_empty());
        assert_eq!(
            python.executable,
            python.executable.canonicalize().unwrap(),
            "resolved through links"
        );
        assert!(python.library.iter().any(|d| d.join("os.py").is_file()));
    }

    #[test]
    fn packages_are_those_of_the_interpreter_and_of_the_directories_named() {
        let installed = Packages {
            installed: true,
            ..Packages::default()
        };
        let python = Interpreter::find(None, &installed).unwrap();
        let foreign = |p: &PathBuf| p.ends_with("site-packages") || p.ends_with("dist-packages");
        assert!(python.packages.iter().all(foreign), "{:?}", python.packages);
        let place = tempfile::tempdir().unwrap();
        let named = |directory: &Path| Packages {
            directories: vec![directory.to_owned(), directory.to_owned()],
            ..Packages::default()
        };
        let python = Interpreter::find(None, &named(place.path())).unwrap();
        assert_eq!(python.packages, [place.path().canonicalize().unwrap()]);
        // What extension modules of wheels are linked against, there as with installed packages.
        let all = Interpreter::find(None, &installed).unwrap();
        assert_eq!(python.files, all.files);
        let bare = Interpreter::find(None, &Packages::default()).unwrap();
        assert!(python.files.len() >= bare.files.len());
        let file = place.path().join("file");
        std::fs::write(&file, "").unwrap();
        std::fs::write(place.path().join("one.py"), "").unwrap();
        std::fs::write(place.path().join("two.py"), "").unwrap();
        let some = Packages {
            installed: true,
            environment: vec![place.path().to_owned()],
            names: vec!["two".to_owned()],
            paths: vec![place.path().to_owned()],
            ..Packages::default()
        };
        let python = Interpreter::find(None, &some).unwrap();
        assert!(python.packages.is_empty());
        assert_eq!(python.importable(), BTreeSet::from(["two".to_owned()]));
        assert_eq!(python.directories().count(), 2);
        let wrong = Packages {
            paths: vec![file.clone()],
            ..Packages::default()
        };
        let error = Interpreter::find(None, &wrong).unwrap_err();
        assert!(error.to_string().contains("--path"), "{error}");
        for wrong in [Path::new("/"), &file, &place.path().join("none")] {
            let error = Interpreter::find(None, &named(wrong)).unwrap_err();
            assert!(error.to_string().contains("--packages-dir"), "{error}");
        }
    }

    #[test]
    fn says_which_python_is_wrong() {
        let find = |path: &str| Interpreter::find(Some(Path::new(path)), &Packages::default());
        let error = find("/nonexistent/python3").unwrap_err();
        assert!(error.to_string().contains("/nonexistent/python3"));
        let error = find("/bin/true").unwrap_err();
        assert!(error.to_string().contains("CODEXEC_PYTHON"));
    }
}
