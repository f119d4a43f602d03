//! Which packages programs can import, and which modules there are in them, by their names alone.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// Installed packages that programs can import besides the standard library; none by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packages {
    /// Those that the interpreter finds for itself (its `site-packages`; `.pth` files and the user's
    /// own directory are left out).
    pub installed: bool,
    /// Directories of packages, searched after those.
    pub directories: Vec<PathBuf>,
}

/// Names that `import` finds in these directories: packages, namespace packages, modules, extensions.
pub(super) fn importable(directories: &[PathBuf]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for directory in directories {
        let Ok(entries) = std::fs::read_dir(directory) else {
            continue;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                continue;
            };
            let (stem, rest) = name.split_once('.').unwrap_or((name, ""));
            let is_module = rest == "py" || rest.split('.').next_back() == Some("so");
            let is_package = rest.is_empty() && entry.path().is_dir();
            if (is_module || is_package) && is_identifier(stem) {
                found.insert(stem.to_owned());
            }
        }
    }
    found
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
        for package in ["four", "__pycache__", "one-1.0.dist-info", "bin.d"] {
            std::fs::create_dir(place.path().join(package)).unwrap();
        }
        let found = importable(&[place.path().to_owned(), "/nonexistent".into()]);
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, ["four", "one", "three", "two"]);
    }
}
