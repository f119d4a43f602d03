//! The packages that programs can import, and their modules, by name alone.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Traced;

/// The imports available to programs besides the standard library and the modules of their project; none by
/// default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packages {
    /// The interpreter's own (its `site-packages`; `.pth` files and the user's own directory are
    /// left out).
    pub installed: bool,
    /// Directories of installed packages that replace the interpreter's own.
    pub environment: Vec<PathBuf>,
    /// Importable installed packages, by the names of modules; all if empty.
    pub names: Vec<String>,
    /// Directories of packages, searched before those.
    pub directories: Vec<PathBuf>,
    /// Directories of modules, searched behind the project and before the standard library.
    pub paths: Vec<PathBuf>,
    /// Which files are traced.
    pub traced: Traced,
}

/// Names that `import` finds in these directories: packages, modules, extensions; for namespace
/// packages also their contents, dotted.
pub(super) fn importable(directories: &[PathBuf]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for directory in directories {
        for (name, namespace) in names_in(directory) {
            let Some(namespace) = namespace else {
                found.insert(name);
                continue;
            };
            let inside = names_in(&namespace);
            if !inside.is_empty() {
                let inside = inside.into_iter().map(|(part, _)| format!("{name}.{part}"));
                found.extend(inside);
                found.insert(name);
            }
        }
    }
    found
}

/// Names that `import` finds in one directory; for namespace packages with their own directory.
fn names_in(directory: &Path) -> Vec<(String, Option<PathBuf>)> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let found = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let (stem, rest) = name.split_once('.').unwrap_or((&name, ""));
        let path = entry.path();
        let is_module = rest == "py" || rest.split('.').next_back() == Some("so");
        let is_package = rest.is_empty() && path.is_dir();
        if !is_identifier(stem) || !(is_module || is_package) {
            return None;
        }
        let is_namespace = is_package && !path.join("__init__.py").is_file();
        Some((stem.to_owned(), is_namespace.then_some(path)))
    });
    found.collect()
}

fn is_identifier(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let rest = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    begins && rest && !(name.starts_with("__") && name.ends_with("__"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_import_would_find_is_found() {
        let place = tempfile::tempdir().unwrap();
        for file in [
            "one.py",
            "two.cpython-311-x86_64-linux-gnu.so",
            "three.abi3.so",
            "notes.txt",
            "distutils-precedence.pth",
            "1st.py",
        ] {
            std::fs::write(place.path().join(file), "").unwrap();
        }
        for package in [
            "four",
            "__pycache__",
            "one-1.0.dist-info",
            "bin.d",
            "bin",
            "shared/part",
        ] {
            std::fs::create_dir_all(place.path().join(package)).unwrap();
        }
        for file in [
            "four/__init__.py",
            "four/inner.py",
            "bin/run",
            "shared/part/x.py",
            "shared/own.py",
        ] {
            std::fs::write(place.path().join(file), "").unwrap();
        }
        let found = importable(&[place.path().to_owned(), "/nonexistent".into()]);
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        let wanted = [
            "four",
            "one",
            "shared",
            "shared.own",
            "shared.part",
            "three",
            "two",
        ];
        assert_eq!(found, wanted);
    }
}
