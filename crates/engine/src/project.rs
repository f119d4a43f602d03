//! Modules and files beside a program: found under its root, as CPython finds them there.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use codexec_data::sources::{normalise_newlines, python_text};
use codexec_plan::machine::{Finder, Found, ModuleSource};

/// Files larger than this are not read.
const MAX_BYTES: u64 = 4 << 20;
/// Directories of more names are not listed.
const MOST_NAMES: usize = 10_000;

/// Reads modules and other files. A link that leads out of the root leads nowhere.
#[derive(Debug, Clone, Copy, Default)]
pub struct Files;

impl Finder for Files {
    fn find(&self, root: &Path, name: &str) -> Result<Option<ModuleSource>, String> {
        let plain = |part: &str| part.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !name.split('.').all(|part| !part.is_empty() && plain(part)) {
            return Ok(None);
        }
        let place = name.replace('.', "/");
        // The order of `importlib`: a package, a module, a namespace package.
        for (path, is_package) in [
            (format!("{place}/__init__.py"), true),
            (format!("{place}.py"), false),
        ] {
            if let Some(file) = real(root, path.as_ref()).filter(|file| file.is_file()) {
                let source = read(&file).map_err(|why| format!("module {name}: {path}: {why}"))?;
                return Ok(Some(ModuleSource {
                    path: path.into(),
                    source: Some(source.into()),
                    is_package,
                }));
            }
        }
        let is_directory = real(root, place.as_ref()).is_some_and(|place| place.is_dir());
        Ok(is_directory.then(|| ModuleSource {
            path: place.into(),
            source: None,
            is_package: true,
        }))
    }

    fn look(&self, root: &Path, path: &Path) -> Result<Option<Found>, String> {
        let said = |error: std::io::Error| format!("{}: {error}", path.display());
        let Some(real) = real(root, path) else {
            return Ok(None);
        };
        let known = real.metadata().map_err(said)?;
        if known.is_file() {
            return Ok(Some(Found::File(known.len())));
        }
        if !known.is_dir() {
            return Err(format!("{}: neither file nor directory", path.display()));
        }
        let mut names = Vec::new();
        for entry in real.read_dir().map_err(said)? {
            let name = entry.map_err(said)?.file_name();
            if names.len() == MOST_NAMES {
                return Err(format!("{}: more than {MOST_NAMES} names", path.display()));
            }
            names.push(name.to_string_lossy().into_owned());
        }
        names.sort_unstable();
        Ok(Some(Found::Directory(names)))
    }

    fn read(&self, root: &Path, path: &Path) -> Result<Vec<u8>, String> {
        let gone = || format!("{}: it is gone", path.display());
        let real = real(root, path).ok_or_else(gone)?;
        bytes_of(&real).map_err(|why| format!("{}: {why}", path.display()))
    }

    fn follow(&self, root: &Path, path: &Path) -> PathBuf {
        let whole = root.join(path);
        let mut above = whole.ancestors();
        let found = above.find_map(|place| Some((place, place.canonicalize().ok()?)));
        match found {
            Some((place, real)) => match whole.strip_prefix(place) {
                Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
                _ => real,
            },
            None => whole,
        }
    }
}

/// Where a path below a root, which may itself be named by way of links, really is.
fn real(root: &Path, path: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let real = root.join(path).canonicalize().ok()?;
    real.starts_with(&root).then_some(real)
}

fn read(file: &Path) -> Result<String, String> {
    Ok(normalise_newlines(python_text(bytes_of(file)?)?))
}

fn bytes_of(file: &Path) -> Result<Vec<u8>, String> {
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
    Ok(bytes)
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
