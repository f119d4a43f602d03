//! Installs packages that programs miss into directories of their own, with the interpreter's `pip`.
//!
//! The names come from untrusted programs, so nothing of a package runs here: only wheels are
//! downloaded, each by itself (no build script), and unpacked by `data/python/install.py`. The
//! directories are not site directories of any interpreter (no `.pth` file is followed), and only the
//! sandbox imports from them. Each package and version has a directory, which appears completely or not
//! at all, so that kills and concurrent commands leave nothing broken.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::json;

use crate::sandbox::{Packages, SandboxError, interpreter};

const INSTALL: &str = include_str!("../python/install.py");
/// What goes by another name in the package index than in programs.
const DISTRIBUTIONS: &str = include_str!("../python/distributions.txt");
/// Maximum length of a requested name.
const LONGEST: usize = 80;
/// Settings of `pip` that would send packages elsewhere, or nowhere.
const ELSEWHERE: [&str; 7] = [
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_ROOT",
    "PIP_DRY_RUN",
    "PIP_DEST",
    "PIP_REQUIREMENT",
    "PIP_EDITABLE",
];

/// Why no package can be installed at all.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// There is no interpreter.
    #[error(transparent)]
    Python(#[from] SandboxError),
    /// The interpreter has no `pip`.
    #[error(
        "{python} has no pip that can be used ({why}); install it (python3 -m ensurepip, or apt-get install \
         python3-pip), or install packages yourself and name their directory with --packages-dir"
    )]
    NoPip {
        /// The interpreter.
        python: PathBuf,
        /// Its message.
        why: String,
    },
    /// There is no place for packages.
    #[error("{path}: {why}; name a directory that can be written with --install-dir")]
    Place {
        /// The directory.
        path: PathBuf,
        /// The error.
        why: String,
    },
}

/// A directory of packages for one version of Python, and the interpreter whose `pip` fills it.
#[derive(Debug)]
pub struct Installer {
    python: PathBuf,
    root: PathBuf,
}

/// The result for one package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The module that programs import, dotted.
    pub module: String,
    /// Its package. `None` for a namespace shared by many packages.
    pub package: Option<String>,
    /// Why it is missing. `None` if it is available.
    pub failure: Option<String>,
}

/// Output of `install.py`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Said {
    NoPip {
        no_pip: String,
    },
    Installing {
        installing: String,
    },
    Done {
        package: String,
        failure: Option<String>,
    },
}

impl Installer {
    /// Opens the directory of the interpreter's version below `place`, creating it if necessary
    /// (default: the user's cache directory).
    ///
    /// # Errors
    /// If there is no interpreter or no such directory.
    pub fn open(python: Option<&Path>, place: Option<&Path>) -> Result<Self, InstallError> {
        let (python, version) = interpreter(python)?;
        let place = match place {
            Some(place) => place.to_owned(),
            None => cache_directory().ok_or_else(|| InstallError::Place {
                path: "~/.cache".into(),
                why: "there is neither HOME nor XDG_CACHE_HOME".to_owned(),
            })?,
        };
        let short: Vec<&str> = version.splitn(3, '.').take(2).collect();
        let root = place.join(format!("cpython-{}", short.join(".")));
        let failed = |why: io::Error| InstallError::Place {
            path: root.clone(),
            why: why.to_string(),
        };
        fs::create_dir_all(&root).map_err(failed)?;
        let real = root.canonicalize().map_err(failed)?;
        Ok(Self { python, root: real })
    }

    /// Directory of packages.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// These packages, and those installed here.
    pub fn with(&self, mut packages: Packages) -> Packages {
        packages.directories.extend(self.directories());
        packages
    }

    /// The directories of packages, in order.
    fn directories(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let is_package = |path: &PathBuf| {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
            let named = name.is_some_and(|n| n.contains('-') && !n.starts_with('.'));
            named && path.is_dir()
        };
        let mut found: Vec<PathBuf> = entries.map(|e| e.path()).filter(is_package).collect();
        found.sort();
        found
    }

    /// Installs the packages with these modules (dotted), and their requirements. `seen` are other package
    /// directories visible to programs; `said` is called before each download. Existing versions stay.
    ///
    /// # Errors
    /// If there is no `pip`, or nothing can be written. An unavailable package is not an error.
    pub fn install(
        &self,
        modules: &[String],
        seen: &[PathBuf],
        said: &mut dyn FnMut(&str),
    ) -> Result<Vec<Installed>, InstallError> {
        let failed = |why: io::Error| InstallError::Place {
            path: self.root.clone(),
            why: why.to_string(),
        };
        let mut found: Vec<Installed> = Vec::new();
        for module in modules {
            let package = distribution(module);
            if found
                .iter()
                .any(|f| f.package == package && package.is_some())
            {
                continue;
            }
            let is_name = package.as_deref().is_none_or(is_name);
            found.push(Installed {
                module: module.clone(),
                failure: match (&package, is_name) {
                    (None, _) => Some(
                        "many packages share it, and none of them is known to have this".to_owned(),
                    ),
                    (_, false) => Some("not a package name".to_owned()),
                    _ => None,
                },
                package,
            });
        }
        // One of several concurrent commands installs; the others find its results.
        let lock = File::create(self.root.join(".lock")).map_err(failed)?;
        lock.lock().map_err(failed)?;
        let open = found.iter().filter(|f| f.failure.is_none());
        let packages: Vec<&str> = open.filter_map(|f| f.package.as_deref()).collect();
        for (package, failure) in self.run(&packages, seen, said)? {
            for one in &mut found {
                if one.package.as_deref() == Some(&package) {
                    one.failure.clone_from(&failure);
                }
            }
        }
        Ok(found)
    }

    /// Runs `install.py`. Returns the result for each package.
    fn run(
        &self,
        packages: &[&str],
        seen: &[PathBuf],
        said: &mut dyn FnMut(&str),
    ) -> Result<Vec<(String, Option<String>)>, InstallError> {
        let failed = |why: io::Error| InstallError::Place {
            path: self.root.clone(),
            why: why.to_string(),
        };
        let no_pip = |why: String| InstallError::NoPip {
            python: self.python.clone(),
            why,
        };
        // Python looks up modules in the current directory first: use one that nobody else fills.
        let empty = tempfile::tempdir().map_err(failed)?;
        let task = json!({"root": self.root, "seen": seen, "packages": packages});
        let mut command = Command::new(&self.python);
        for variable in ELSEWHERE {
            command.env_remove(variable);
        }
        let mut child = command
            .args(["-c", INSTALL, &task.to_string()])
            .current_dir(empty.path())
            .env_remove("PYTHONPATH")
            .env_remove("PYTHONHOME")
            .env_remove("PYTHONSTARTUP")
            .envs([("PYTHONSAFEPATH", "1"), ("PYTHONUTF8", "1")])
            .envs([("PIP_USER", "0"), ("PIP_REQUIRE_VIRTUALENV", "0")])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| no_pip(e.to_string()))?;
        let mut done = Vec::new();
        let mut without = None;
        for line in child
            .stdout
            .take()
            .map(BufReader::new)
            .into_iter()
            .flat_map(BufRead::lines)
        {
            match serde_json::from_str(&line.map_err(failed)?) {
                Ok(Said::Installing { installing }) => said(&installing),
                Ok(Said::Done { package, failure }) => done.push((package, failure)),
                Ok(Said::NoPip { no_pip }) => without = Some(no_pip),
                Err(_) => {}
            }
        }
        let mut error = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            // Only a message is lost with it.
            let _ = stderr.read_to_string(&mut error);
        }
        let status = child.wait().map_err(failed)?;
        match (without, status.success()) {
            (Some(why), _) => Err(no_pip(why)),
            (None, true) => Ok(done),
            (None, false) => {
                let last = error.lines().last().unwrap_or("it said nothing");
                Err(failed(io::Error::other(last.to_owned())))
            }
        }
    }
}

/// The package of a module, by the longest known prefix of its dotted name. `None` for a bare
/// namespace.
fn distribution(module: &str) -> Option<String> {
    let known = |name: &str| {
        let lines = DISTRIBUTIONS.lines().filter(|line| !line.starts_with('#'));
        let mut pairs = lines.map(|line| line.split_once(' ').unwrap_or((line, "")));
        pairs
            .find(|(own, _)| *own == name)
            .map(|(_, package)| package)
    };
    let mut name = module;
    loop {
        match (known(name), name.rsplit_once('.')) {
            (Some(package), _) => return Some(package.to_owned()).filter(|p| !p.is_empty()),
            (None, Some((shorter, _))) => name = shorter,
            (None, None) => return Some(name.to_owned()),
        }
    }
}

/// Whether `pip` would parse it as a package name, and as nothing else.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let ends = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.ends_with(|c: char| c.is_ascii_alphanumeric());
    ends && name.len() <= LONGEST && name.chars().all(plain)
}

fn cache_directory() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
    let cache = set("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(Path::new(&set("HOME")?).join(".cache")));
    Some(cache?.join("codexec").join("packages"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_have_packages() {
        let of = |module: &str| distribution(module);
        assert_eq!(of("cv2").as_deref(), Some("opencv-python-headless"));
        assert_eq!(of("numpy.linalg").as_deref(), Some("numpy"));
        assert_eq!(of("google.protobuf.message").as_deref(), Some("protobuf"));
        assert_eq!(of("google.unknown"), None);
        for line in DISTRIBUTIONS.lines().filter(|l| !l.starts_with('#')) {
            let package = line.split_once(' ').map_or("a", |(_, package)| package);
            assert!(is_name(package), "{line}");
        }
    }

    #[test]
    fn only_names_are_installed() {
        assert!(is_name("python-dateutil") && is_name("ruamel.yaml"));
        for wrong in [
            "",
            "-r",
            "a b",
            "a==1",
            "../a",
            "git+https://x",
            "é",
            "a-",
            "a;b",
        ] {
            assert!(!is_name(wrong), "{wrong}");
        }
        assert!(!is_name(&"a".repeat(100)));
    }
}
