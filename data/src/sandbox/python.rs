//! Finds the Python that runs programs, and every file it needs. Does not start it for good.
//!
//! A launcher (pyenv's shim, a virtual environment's link) is resolved to the real interpreter by
//! asking it; the sandbox starts that one without site-packages.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use super::SandboxError;

/// An interpreter and what must be readable for it to run.
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
}

/// What the interpreter says of itself.
#[derive(Deserialize)]
struct Answer {
    executable: PathBuf,
    version: [u32; 3],
    implementation: String,
    library: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

const QUESTION: &str = r#"
import json, os, sys
for name in ("ctypes decimal zlib bz2 lzma hashlib ssl sqlite3 uuid readline pyexpat "
             "_datetime _bisect _heapq array math").split():
    try: __import__(name)
    except Exception: pass
library = [os.path.realpath(p) for p in sys.path if p and os.path.isdir(p)]
library.append(os.path.dirname(os.path.realpath(os.__file__)))
files = []
try:
    for line in open("/proc/self/maps"):
        name = line.rstrip("\n").partition("/")[2]
        if ".so" in name.rpartition("/")[2]: files.append("/" + name)
except OSError: pass
print(json.dumps({"executable": os.path.realpath(sys.executable), "version": sys.version_info[:3],
                  "implementation": sys.implementation.name, "library": library, "files": files}))
"#;

const LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];

impl Interpreter {
    /// The interpreter asked for, else `$CODEXEC_PYTHON`, else `python3` on the path.
    pub fn find(asked: Option<&Path>) -> Result<Self, SandboxError> {
        if let Some(path) = asked {
            return Self::ask(path);
        }
        if let Some(path) = std::env::var_os("CODEXEC_PYTHON").filter(|v| !v.is_empty()) {
            return Self::ask(Path::new(&path));
        }
        let mut tried = Vec::new();
        for name in ["python3", "python"] {
            match Self::ask(Path::new(name)) {
                Ok(found) => return Ok(found),
                Err(error) => tried.push(error.to_string()),
            }
        }
        Err(SandboxError::NoPython {
            tried: tried.join("; "),
        })
    }

    fn ask(path: &Path) -> Result<Self, SandboxError> {
        let unsuitable = |why: String| SandboxError::UnsuitablePython {
            path: path.to_owned(),
            why,
        };
        let output = Command::new(path)
            .args(["-E", "-s", "-S", "-c", QUESTION])
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
        // A directory inside another one is there already.
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
        }
    }
}

/// Links beside a shared library that lead to it: programs are linked against their names.
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
        let python = Interpreter::find(None).unwrap();
        assert_eq!(
            python.executable,
            python.executable.canonicalize().unwrap(),
            "resolved through links"
        );
        assert!(python.library.iter().any(|d| d.join("os.py").is_file()));
    }

    #[test]
    fn says_which_python_is_wrong() {
        let error = Interpreter::find(Some(Path::new("/nonexistent/python3"))).unwrap_err();
        assert!(error.to_string().contains("/nonexistent/python3"));
        let error = Interpreter::find(Some(Path::new("/bin/true"))).unwrap_err();
        assert!(error.to_string().contains("CODEXEC_PYTHON"));
    }
}
