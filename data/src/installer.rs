//! Installs packages that programs miss into a directory of their own, with the interpreter's `pip`.
//!
//! The names come from programs that nobody trusts, so that nothing of a package runs here: wheels alone
//! are taken (no build script), the directory is no site directory of any interpreter (no `.pth` file
//! is followed), and only the sandbox imports from it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::sandbox::{Packages, SandboxError, interpreter};

/// What goes by another name in the package index than in programs.
const DISTRIBUTIONS: &str = include_str!("../python/distributions.txt");
/// Longest name that is asked for.
const LONGEST: usize = 80;

/// What keeps packages from being installed at all.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// There is no interpreter.
    #[error(transparent)]
    Python(#[from] SandboxError),
    /// The interpreter has no `pip`.
    #[error(
        "{python} has no pip ({why}); install it (python3 -m ensurepip, or apt-get install python3-pip), or \
         install packages yourself and name their directory with --packages-dir"
    )]
    NoPip {
        /// The interpreter.
        python: PathBuf,
        /// What it said.
        why: String,
    },
    /// There is no place for packages.
    #[error("{path}: {why}; name a directory that can be written with --install-dir")]
    Place {
        /// The directory.
        path: PathBuf,
        /// What went wrong.
        why: String,
    },
}

/// A directory of packages for one version of Python, and the `pip` that fills it.
#[derive(Debug)]
pub struct Installer {
    python: PathBuf,
    packages: PathBuf,
    /// Held while packages are installed: several commands may share a directory.
    lock: PathBuf,
}

/// What became of one package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The module that programs import.
    pub module: String,
    /// The package that has it.
    pub package: String,
    /// Why it is not there; nothing if it is.
    pub failure: Option<String>,
}

impl Installer {
    /// Opens the directory of the interpreter's version below `place`, which is made if need be; below
    /// the user's cache directory without it.
    ///
    /// # Errors
    /// When there is no interpreter or no such directory.
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
        let own = format!("cpython-{}", short.join("."));
        let failed = |why: io::Error| InstallError::Place {
            path: place.join(&own),
            why: why.to_string(),
        };
        let packages = place.join(&own);
        fs::create_dir_all(&packages).map_err(failed)?;
        let packages = packages.canonicalize().map_err(failed)?;
        Ok(Self {
            lock: packages.with_extension("lock"),
            python,
            packages,
        })
    }

    /// The directory that programs are to import from.
    pub fn packages(&self) -> &Path {
        &self.packages
    }

    /// Installs the packages that have these modules, one after the other; `said` hears of each before it
    /// is begun. Versions of what is there already stay.
    ///
    /// # Errors
    /// When there is no `pip`, or nothing can be written. That a package cannot be had is no error.
    pub fn install(
        &self,
        modules: &[String],
        said: &mut dyn FnMut(&str),
    ) -> Result<Vec<Installed>, InstallError> {
        let failed = |why: io::Error| InstallError::Place {
            path: self.lock.clone(),
            why: why.to_string(),
        };
        let lock = File::create(&self.lock).map_err(failed)?;
        lock.lock().map_err(failed)?;
        self.check_pip()?;
        let mut found = Vec::new();
        for module in modules {
            let package = distribution(module).to_owned();
            let failure = if !is_name(module) || !is_name(&package) {
                Some("that is no name of a package".to_owned())
            } else {
                said(&package);
                self.install_one(&package)?
            };
            found.push(Installed {
                module: module.clone(),
                package,
                failure,
            });
        }
        Ok(found)
    }

    fn check_pip(&self) -> Result<(), InstallError> {
        let output = self.pip().arg("--version").output();
        let why = match output {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) => last_line(&output.stderr),
            Err(error) => error.to_string(),
        };
        Err(InstallError::NoPip {
            python: self.python.clone(),
            why,
        })
    }

    /// Why a package could not be installed.
    fn install_one(&self, package: &str) -> Result<Option<String>, InstallError> {
        let failed = |why: io::Error| InstallError::Place {
            path: self.packages.clone(),
            why: why.to_string(),
        };
        let mut constraints = tempfile::NamedTempFile::new().map_err(failed)?;
        for (name, version) in self.versions() {
            use io::Write;
            writeln!(constraints, "{name}=={version}").map_err(failed)?;
        }
        let output = self
            .pip()
            .args(["install", "--only-binary", ":all:", "--no-input", "--quiet"])
            .args(["--disable-pip-version-check", "--no-color", "--target"])
            .arg(&self.packages)
            .arg("--constraint")
            .arg(constraints.path())
            .arg("--")
            .arg(package)
            .output()
            .map_err(failed)?;
        Ok((!output.status.success()).then(|| last_line(&output.stderr)))
    }

    /// The interpreter's `pip`, away from directories that programs may have filled.
    fn pip(&self) -> Command {
        let mut command = Command::new(&self.python);
        command
            .args(["-m", "pip"])
            .env_remove("PYTHONPATH")
            .env_remove("PYTHONSTARTUP")
            .stdin(Stdio::null());
        // `-m` looks in the current directory first.
        if let Some(parent) = self.packages.parent() {
            command.current_dir(parent);
        }
        command
    }

    /// The packages that are there, with their versions.
    fn versions(&self) -> BTreeMap<String, String> {
        let entries = fs::read_dir(&self.packages).into_iter().flatten().flatten();
        let names = entries.filter_map(|e| e.file_name().into_string().ok());
        let pairs = names.filter_map(|name| {
            let (package, version) = name.strip_suffix(".dist-info")?.split_once('-')?;
            Some((package.to_owned(), version.to_owned()))
        });
        pairs.collect()
    }

    /// How this directory is shown to programs, besides other packages.
    pub fn shown(&self, mut others: Packages) -> Packages {
        others.directories.push(self.packages.clone());
        others
    }
}

/// The package that has a module.
fn distribution(module: &str) -> &str {
    let lines = DISTRIBUTIONS.lines().filter(|line| !line.starts_with('#'));
    let mut pairs = lines.filter_map(|line| line.split_once(' '));
    let found = pairs.find(|(name, _)| *name == module);
    found.map_or(module, |(_, package)| package)
}

/// Whether `pip` would take it for the name of a package, and for nothing else.
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

/// The last line that says something.
fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().rev().map(str::trim);
    let errors = lines.clone().find(|line| line.starts_with("ERROR"));
    let found = errors.or_else(|| lines.find(|line| !line.is_empty()));
    let found = found.unwrap_or("it said nothing");
    found.trim_start_matches("ERROR:").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_have_packages() {
        assert_eq!(distribution("cv2"), "opencv-python-headless");
        assert_eq!(distribution("numpy"), "numpy");
        for line in DISTRIBUTIONS.lines().filter(|l| !l.starts_with('#')) {
            let (module, package) = line.split_once(' ').unwrap();
            assert!(is_name(package) && !module.contains('.'), "{line}");
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

    #[test]
    fn the_error_of_pip_is_found() {
        let said = b"ERROR: No matching distribution found for shop\n[notice] a new release\n";
        assert_eq!(last_line(said), "No matching distribution found for shop");
        assert_eq!(last_line(b"No module named pip\n\n"), "No module named pip");
    }
}
