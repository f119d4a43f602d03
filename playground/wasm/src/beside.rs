//! Files beside the program, which a page holds in memory: modules that it imports, and data that it reads.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use codexec_plan::machine::{Finder, Found, ModuleSource};

/// The nominal directory of a program and its files.
pub const ROOT: &str = "/project";

/// The texts of files by their paths below the root.
#[derive(Debug)]
pub struct Beside(BTreeMap<String, String>);

/// A path as files are named: without `.` and `..`. `None`: it leads out of the root.
fn plain(path: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::ParentDir => drop(parts.pop()?),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

impl Beside {
    /// These files. A path that leads out of the directory names none.
    pub fn of(files: impl IntoIterator<Item = (String, String)>) -> Self {
        let files = files.into_iter();
        let named = files.filter_map(|(path, text)| Some((plain(path.as_ref())?, text)));
        Self(named.filter(|(path, _)| !path.is_empty()).collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sorted names in a directory. `None` if it does not exist.
    fn names(&self, directory: &str) -> BTreeSet<String> {
        let prefix = match directory {
            "" => String::new(),
            directory => format!("{directory}/"),
        };
        let below = self.0.keys().filter_map(|path| path.strip_prefix(&prefix));
        let names = below.filter_map(|rest| rest.split('/').next());
        names.map(str::to_owned).collect()
    }
}

impl Finder for Beside {
    fn find(&self, _root: &Path, name: &str) -> Result<Option<ModuleSource>, String> {
        let place = name.replace('.', "/");
        let module = |path: String, source: Option<&String>, is_package| ModuleSource {
            name: path.as_str().into(),
            path: path.into(),
            source: source.map(|text| text.as_str().into()),
            is_package,
            is_hidden: false,
        };
        for (path, is_package) in [
            (format!("{place}/__init__.py"), true),
            (format!("{place}.py"), false),
        ] {
            if let Some(text) = self.0.get(&path) {
                return Ok(Some(module(path, Some(text), is_package)));
            }
        }
        let is_directory = !self.names(&place).is_empty();
        Ok(is_directory.then(|| module(place, None, true)))
    }

    fn look(&self, _root: &Path, path: &Path) -> Result<Option<Found>, String> {
        let Some(path) = plain(path) else {
            return Ok(None);
        };
        if let Some(text) = self.0.get(&path) {
            return Ok(Some(Found::File(text.len() as u64)));
        }
        let names = self.names(&path);
        let is_there = path.is_empty() || !names.is_empty();
        Ok(is_there.then(|| Found::Directory(names.into_iter().collect())))
    }

    fn read(&self, _root: &Path, path: &Path) -> Result<Vec<u8>, String> {
        let text = plain(path).and_then(|path| self.0.get(&path));
        let text = text.ok_or_else(|| format!("{}: it is gone", path.display()))?;
        Ok(text.clone().into_bytes())
    }

    fn follow(&self, root: &Path, path: &Path) -> PathBuf {
        plain(path).map_or_else(|| root.join(path), |path| root.join(path))
    }
}
