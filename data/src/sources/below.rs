//! Files below a root, which may be hostile: a link out of it leads nowhere, and only regular files of a bounded size
//! are read.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Files larger than this are not read.
const MAX_BYTES: u64 = 4 << 20;

/// The resolved location of a path below a root. `None` if it does not exist, or is not below the
/// root.
pub fn below(root: &Path, path: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let real = root.join(path).canonicalize().ok()?;
    real.starts_with(&root).then_some(real)
}

/// The bytes of a plain file of at most 4 MiB.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn plain_bytes(file: &Path) -> Result<Vec<u8>, String> {
    let said = |error: std::io::Error| error.to_string();
    // Opening a pipe would wait for its writer.
    if !file.metadata().map_err(said)?.is_file() {
        return Err("not a plain file".to_owned());
    }
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
    use super::*;

    #[cfg(unix)]
    #[test]
    fn pipes_directories_and_huge_files_are_not_read() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let large = place.path().join("large");
        File::create(&large).unwrap().set_len(1 << 40).unwrap();
        for file in [&pipe, &large, &place.path().to_owned()] {
            assert!(plain_bytes(file).is_err(), "{}", file.display());
        }
        let small = place.path().join("small");
        std::fs::write(&small, "x").unwrap();
        assert_eq!(plain_bytes(&small).unwrap(), b"x");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_outside_is_below() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("root");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(place.path().join("secret"), "").unwrap();
        std::fs::write(root.join("own"), "").unwrap();
        std::os::unix::fs::symlink("../secret", root.join("link")).unwrap();
        let is_below = |path: &str| below(&root, Path::new(path)).is_some();
        assert!(is_below("own") && is_below(""));
        for path in ["link", "../secret", "nothing", "/etc/passwd"] {
            assert!(!is_below(path), "{path}");
        }
    }
}
