//! Finds installed packages: in a chosen interpreter's environment, in an active one, or in a `.venv` in the working
//! directory or above. Determines which packages belong together. Executes nothing there.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use codexec_data::sandbox::{Packages, SandboxError, Traced, directories};
use codexec_plan::machine::Finder;

use crate::project::{self, Files};

/// An environment of packages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// Its name: its directory, or that of its packages.
    pub name: String,
    /// Directories that have packages, as `site-packages`.
    pub directories: Vec<PathBuf>,
}

/// An installed distribution.
#[derive(Debug, Default)]
struct Distribution {
    /// Its normalised name.
    name: String,
    /// Its import names.
    modules: Vec<String>,
    /// Names of its requirements.
    requires: Vec<String>,
}

impl Environment {
    /// The active environment, else a `.venv` in the working directory or above.
    pub fn near() -> Option<Self> {
        let active = std::env::var_os("VIRTUAL_ENV").filter(|place| !place.is_empty());
        let beside = || {
            let here = std::env::current_dir().ok()?;
            let mut all = here.ancestors().map(|directory| directory.join(".venv"));
            all.find(|environment| environment.join("lib").is_dir())
        };
        let place = active.map(PathBuf::from).or_else(beside)?;
        let entries = place.join("lib").read_dir().into_iter().flatten().flatten();
        let mut directories: Vec<PathBuf> = entries
            .map(|entry| entry.path().join("site-packages"))
            .filter(|directory| directory.is_dir())
            .collect();
        directories.sort();
        Some(Self {
            name: place.display().to_string(),
            directories,
        })
    }

    /// The environment of an interpreter. If none is chosen, a nearby one, else the default interpreter's.
    ///
    /// # Errors
    /// If there is no suitable interpreter.
    pub fn of(python: Option<&Path>) -> Result<Self, SandboxError> {
        if let (None, Some(near)) = (python, Self::near()) {
            return Ok(near);
        }
        let installed = Packages {
            installed: true,
            ..Packages::default()
        };
        let directories = directories(python, &installed)?;
        let names = directories.iter().map(|place| place.display().to_string());
        Ok(Self {
            name: names.collect::<Vec<_>>().join(", "),
            directories,
        })
    }

    /// Whether it has a module.
    pub fn has(&self, module: &str) -> bool {
        let find = |directory: &PathBuf| Files.find(directory, module).ok().flatten();
        self.directories.iter().any(|one| find(one).is_some())
    }

    /// Import names of these packages and their requirements. A name is a module's or a distribution's.
    ///
    /// # Errors
    /// Names a package that is not installed.
    pub fn with_required(&self, names: &[String]) -> Result<Vec<String>, String> {
        let all: Vec<Distribution> = self.directories.iter().flat_map(|d| installed(d)).collect();
        let by_name: HashMap<&str, &Distribution> =
            all.iter().map(|one| (one.name.as_str(), one)).collect();
        let mut modules = BTreeSet::new();
        let mut open = Vec::new();
        for name in names {
            let top = name.split('.').next().unwrap_or(name);
            let has_it = |one: &&Distribution| {
                let has = one.modules.iter().any(|module| module == top);
                has || one.modules.is_empty() && one.name == compared(top)
            };
            let known = by_name.get(compared(name).as_str());
            if self.has(top) {
                modules.insert(top.to_owned());
                open.extend(all.iter().filter(has_it));
            } else if let Some(known) = known {
                open.push(known);
            } else {
                return Err(format!(
                    "no package or module {name} is installed in {}",
                    self.name
                ));
            }
        }
        let mut seen = BTreeSet::new();
        while let Some(one) = open.pop() {
            if seen.insert(&one.name) {
                modules.extend(one.modules.iter().cloned());
                if one.modules.is_empty() {
                    modules.insert(one.name.replace('-', "_"));
                }
                let wanted = one.requires.iter();
                open.extend(wanted.filter_map(|name| by_name.get(name.as_str())));
            }
        }
        Ok(modules.into_iter().collect())
    }
}

/// The requested imports beyond the standard library and the project's modules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The interpreter whose packages are used. `None`: that of `CODEXEC_PYTHON`, else a nearby environment, else
    /// the default interpreter.
    pub python: Option<PathBuf>,
    /// Whether installed packages are.
    pub installed: bool,
    /// The allowed packages, with their requirements; all if empty.
    pub names: Vec<String>,
    /// Directories of packages.
    pub directories: Vec<PathBuf>,
    /// Directories of modules, behind the root and before the standard library.
    pub paths: Vec<PathBuf>,
    /// Patterns of files outside the root that are traced.
    pub include: Vec<String>,
    /// Patterns of files of the root that are not.
    pub omit: Vec<String>,
}

/// Why a requested import is impossible.
#[derive(Debug, thiserror::Error)]
pub enum NotThere {
    /// There is no interpreter, or a directory does not exist.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A package is not installed.
    #[error("--packages: {0}")]
    Package(String),
    /// A pattern is none.
    #[error("{0}")]
    Pattern(String),
}

impl Wanted {
    /// The interpreter that was chosen.
    pub fn interpreter(&self) -> Option<PathBuf> {
        let set = || std::env::var_os("CODEXEC_PYTHON").filter(|path| !path.is_empty());
        self.python.clone().or_else(|| set().map(PathBuf::from))
    }

    /// The packages for programs that run.
    ///
    /// # Errors
    /// Names the missing package, or the invalid pattern.
    pub fn packages(&self) -> Result<Packages, NotThere> {
        let mut packages = Packages {
            installed: self.installed || !self.names.is_empty(),
            directories: self.directories.clone(),
            paths: self.paths.clone(),
            traced: Traced::new(&self.include, &self.omit).map_err(NotThere::Pattern)?,
            ..Packages::default()
        };
        let python = self.interpreter();
        if packages.installed
            && python.is_none()
            && let Some(near) = Environment::near()
        {
            packages.installed = !near.directories.is_empty();
            packages.environment = near.directories;
        }
        if !self.names.is_empty() {
            let environment = Environment::of(python.as_deref())?;
            let names = environment.with_required(&self.names);
            packages.names = names.map_err(NotThere::Package)?;
        }
        Ok(packages)
    }

    /// The same for a planner.
    ///
    /// # Errors
    /// If no interpreter can report its packages, or a directory does not exist.
    pub fn followed(&self, packages: &Packages) -> Result<project::Packages, NotThere> {
        let python = self.interpreter();
        Ok(project::Packages::of(python.as_deref(), packages)?)
    }
}

impl project::Packages {
    /// The modules that a planner follows if running programs can import these.
    ///
    /// # Errors
    /// If the interpreter's packages are requested and there is no suitable interpreter, or if a directory does not
    /// exist.
    pub fn of(python: Option<&Path>, packages: &Packages) -> Result<Self, SandboxError> {
        let own = Packages {
            installed: false,
            ..packages.clone()
        };
        let real = |directories: &[PathBuf]| -> Vec<PathBuf> {
            let all = directories.iter().map(|place| place.canonicalize());
            all.filter_map(Result::ok).collect()
        };
        let mut whole = real(&own.directories);
        let installed = match (packages.installed, packages.environment.is_empty()) {
            (false, _) => Vec::new(),
            (true, false) => real(&packages.environment),
            (true, true) => Environment::of(python)?.directories,
        };
        let mut directories = Vec::new();
        match packages.names.is_empty() {
            true => whole.extend(installed),
            false => directories = installed,
        }
        for place in packages.directories.iter().chain(&packages.paths) {
            if let Err(error) = place.canonicalize() {
                return Err(SandboxError::UnsuitablePath {
                    path: place.clone(),
                    why: error.to_string(),
                });
            }
        }
        Ok(Self {
            names: packages.names.clone(),
            directories,
            whole,
            paths: real(&packages.paths),
            traced: Some(packages.traced.clone()),
            are_all: packages.installed,
            library: project::Library::of(python),
        })
    }
}

/// A normalised distribution name: `Python_DateUtil` becomes `python-dateutil`.
fn compared(name: &str) -> String {
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-").to_lowercase()
}

/// The distributions of a directory of packages, from their metadata.
fn installed(directory: &Path) -> Vec<Distribution> {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    let places = entries.map(|entry| entry.path());
    let places = places.filter(|place| place.extension().is_some_and(|end| end == "dist-info"));
    let read = |place: &Path, file: &str| std::fs::read_to_string(place.join(file)).ok();
    let one = |place: PathBuf| {
        let said = read(&place, "METADATA")?;
        let record = read(&place, "RECORD").unwrap_or_default();
        let head = said.split("\n\n").next().unwrap_or(&said);
        let mut found = Distribution {
            modules: modules_of(&record),
            ..Distribution::default()
        };
        for line in head.lines() {
            if let Some(name) = line.strip_prefix("Name:") {
                found.name = compared(name.trim());
            } else if let Some(wanted) = line.strip_prefix("Requires-Dist:") {
                found.requires.extend(required(wanted.trim()));
            }
        }
        Some(found)
    };
    places.filter_map(one).collect()
}

/// The name in a requirement such as `idna (<4,>=2.5) ; python_version > "3"`. `None` if it belongs to
/// an extra.
fn required(text: &str) -> Option<String> {
    let (wanted, marker) = text.split_once(';').unwrap_or((text, ""));
    if marker.contains("extra") {
        return None;
    }
    let end = wanted.find(|c: char| !(c.is_alphanumeric() || "-_.".contains(c)));
    Some(compared(&wanted[..end.unwrap_or(wanted.len())]))
}

/// Modules by the paths of installed files.
fn modules_of(record: &str) -> Vec<String> {
    let tops = record.lines().filter_map(|line| {
        let path = line.split(',').next().unwrap_or(line);
        let (top, rest) = path.split_once('/').unwrap_or((path, ""));
        let (stem, end) = top.split_once('.').unwrap_or((top, ""));
        let is_module = match rest.is_empty() {
            true => end == "py" || end == "so" || end.ends_with(".so"),
            false => end.is_empty() && rest.ends_with(".py"),
        };
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        (is_module && !stem.is_empty() && stem.chars().all(is_name)).then(|| stem.to_owned())
    });
    tops.collect::<BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn install(site: &Path, name: &str, modules: &[&str], requires: &[&str]) {
        let info = site.join(format!("{name}-1.0.dist-info"));
        fs::create_dir_all(&info).unwrap();
        let wants = requires.iter().map(|one| format!("Requires-Dist: {one}\n"));
        let wants: String = wants.collect();
        let text = format!("Metadata-Version: 2.1\nName: {name}\n{wants}\nRequires-Dist: text\n");
        fs::write(info.join("METADATA"), text).unwrap();
        let mut record = format!("{name}-1.0.dist-info/METADATA,,\n../../bin/x,,\n");
        for module in modules {
            let file = site.join(module);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
            record.push_str(&format!("{module},sha256=x,1\n"));
        }
        fs::write(info.join("RECORD"), record).unwrap();
    }

    #[test]
    fn packages_come_with_what_they_require() {
        let site = tempfile::tempdir().unwrap();
        let site = site.path();
        let wants = [
            "Dep_Two[fast]>=2 ; python_version >= \"3\"",
            "absent",
            "extra ; extra == 'x'",
        ];
        install(site, "shop", &["shop/__init__.py", "shop/tax.py"], &wants);
        install(site, "dep.two", &["two.py", "_two.abi3.so"], &["shop"]);
        install(site, "extra", &["extra.py"], &[]);
        install(site, "python-dateutil", &["dateutil/__init__.py"], &[]);
        fs::write(site.join("alone.py"), "").unwrap();
        let environment = Environment {
            name: "env".to_owned(),
            directories: vec![site.to_owned()],
        };
        let of = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            environment.with_required(&names)
        };
        let is = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(of(&["shop"]), is(&["_two", "shop", "two"]));
        assert_eq!(of(&["extra", "alone"]), is(&["alone", "extra"]));
        assert_eq!(of(&["Python.Dateutil"]), is(&["dateutil"]));
        let wrong = of(&["shop", "nothing"]).unwrap_err();
        assert!(
            wrong.contains("nothing") && wrong.contains("env"),
            "{wrong}"
        );
    }
}
