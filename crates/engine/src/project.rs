//! Modules beside a program: found by name under its root, as CPython finds them there.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use codexec_data::sources::{normalise_newlines, python_text};
use codexec_plan::machine::{Finder, ModuleSource};

/// Modules larger than this are not read.
const MAX_BYTES: u64 = 4 << 20;

/// Reads modules from files. A link that leads out of the root leads nowhere.
#[derive(Debug, Clone, Copy, Default)]
pub struct Files;

impl Finder for Files {
    fn find(&self, root: &Path, name: &str) -> Result<Option<ModuleSource>, String> {
        let plain = |part: &str| part.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !name.split('.').all(|part| !part.is_empty() && plain(part)) {
            return Ok(None);
        }
        let Ok(root) = root.canonicalize() else {
            return Ok(None);
        };
        let place = name.replace('.', "/");
        // The order of `importlib`: a package, a module, a namespace package.
        for (path, is_package) in [
            (format!("{place}/__init__.py"), true),
            (format!("{place}.py"), false),
        ] {
            if let Some(file) = inside(&root, &path).filter(|file| file.is_file()) {
                let source = read(&file).map_err(|why| format!("module {name}: {path}: {why}"))?;
                return Ok(Some(ModuleSource {
                    path: path.into(),
                    source: Some(source.into()),
                    is_package,
                }));
            }
        }
        let is_directory = inside(&root, &place).is_some_and(|place| place.is_dir());
        Ok(is_directory.then(|| ModuleSource {
            path: place.into(),
            source: None,
            is_package: true,
        }))
    }
}

/// Where a path below a root really is, if that is below the root, too.
fn inside(root: &Path, path: &str) -> Option<PathBuf> {
    let real = root.join(path).canonicalize().ok()?;
    real.starts_with(root).then_some(real)
}

fn read(file: &Path) -> Result<String, String> {
    let said = |error: std::io::Error| error.to_string();
    let mut bytes = Vec::new();
    let opened = File::open(file).map_err(said)?;
    opened
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(said)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("more than {MAX_BYTES} bytes"));
    }
    Ok(normalise_newlines(python_text(bytes)?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn found(root: &Path, name: &str) -> Option<(String, bool)> {
        let module = Files.find(root, name).unwrap()?;
        Some((module.path.to_string(), module.is_package))
    }

    #[test]
    fn modules_are_found_as_importlib_finds_them_and_never_outside() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("root");
        fs::create_dir_all(root.join("pkg/sub")).unwrap();
        fs::create_dir_all(root.join("space")).unwrap();
        for file in [
            "a.py",
            "pkg/__init__.py",
            "pkg/core.py",
            "pkg.py",
            "space/x.py",
        ] {
            fs::write(root.join(file), "x = 1\n").unwrap();
        }
        fs::write(place.path().join("secret.py"), "x = 1\n").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.path().join("secret.py"), root.join("link.py")).unwrap();
        let file = |path: &str| Some((path.to_owned(), false));
        assert_eq!(found(&root, "a"), file("a.py"));
        assert_eq!(
            found(&root, "pkg"),
            Some(("pkg/__init__.py".to_owned(), true))
        );
        assert_eq!(found(&root, "pkg.core"), file("pkg/core.py"));
        assert_eq!(found(&root, "space"), Some(("space".to_owned(), true)));
        for nowhere in ["link", "secret", "..secret", "a.b", "", ".", "pkg/core"] {
            assert_eq!(found(&root, nowhere), None, "{nowhere}");
        }
    }

    #[test]
    fn a_module_that_is_no_text_is_named() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("bad.py"), b"x = '\xff'\n").unwrap();
        let error = Files.find(root.path(), "bad").unwrap_err();
        assert!(error.contains("bad.py"), "{error}");
    }
}
