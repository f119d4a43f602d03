//! Where a build writes: shard files, each whole or absent, and the places beside them.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::code_hash::hex;
use super::error::{BuildError, io};
use super::store::ShardFile;

/// Compression of shards: they are written once, at the rate of the sandbox.
pub(crate) const LEVEL: i32 = 3;

/// Where the records go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Shard files and `manifest.json` in this directory.
    Directory(PathBuf),
    /// One file, put together at the end; its manifest stands beside it as `FILE.manifest.json`.
    File(PathBuf),
}

impl Output {
    /// A file where the name says so (`.jsonl`, `.jsonl.zst`, `.parquet`), else a directory.
    pub fn named(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = [".jsonl", ".jsonl.zst", ".parquet"]
            .iter()
            .any(|end| name.ends_with(end));
        if file && !path.is_dir() {
            Self::File(path.to_owned())
        } else {
            Self::Directory(path.to_owned())
        }
    }

    /// The path that was named.
    pub fn path(&self) -> &Path {
        match self {
            Self::Directory(path) | Self::File(path) => path,
        }
    }

    /// Where shards are while the build is at work.
    pub fn parts(&self) -> PathBuf {
        match self {
            Self::Directory(path) => path.clone(),
            Self::File(path) => with_suffix(path, ".parts"),
        }
    }

    /// The manifest.
    pub fn manifest(&self) -> PathBuf {
        match self {
            Self::Directory(path) => path.join("manifest.json"),
            Self::File(path) => with_suffix(path, ".manifest.json"),
        }
    }

    /// What only the build itself needs.
    pub(crate) fn workplace(&self) -> PathBuf {
        self.parts().join(".build")
    }

    /// The store.
    pub(crate) fn store(&self) -> PathBuf {
        self.workplace().join("store")
    }

    /// What the build was begun as.
    pub(crate) fn begun(&self) -> PathBuf {
        self.workplace().join("begun.json")
    }
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Lines as one compressed frame.
pub(crate) fn compress<'a>(lines: impl Iterator<Item = &'a [u8]>) -> std::io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
    for line in lines {
        encoder.write_all(line)?;
    }
    encoder.finish()
}

/// The text of a compressed frame.
pub(crate) fn decompress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    zstd::decode_all(bytes)
}

/// The name of a batch's shard.
pub(crate) fn shard_name(batch: u64) -> String {
    format!("shard-{batch:05}.jsonl.zst")
}

/// What is noted of a shard.
pub(crate) fn describe(file: String, records: u64, bytes: &[u8]) -> ShardFile {
    ShardFile {
        file,
        records,
        bytes: bytes.len() as u64,
        sha256: hex(&Sha256::digest(bytes)),
    }
}

/// Writes a file so that it is whole or absent, whatever happens, and on the disk afterwards.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    replace(path, |file| file.write_all(bytes))
}

/// The same with a function that writes.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut File) -> std::io::Result<()>,
) -> Result<(), BuildError> {
    let temporary = with_suffix(path, ".tmp");
    let written = File::create(&temporary)
        .and_then(|mut file| {
            write(&mut file)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&temporary, path))
        .and_then(|()| sync_directory(path));
    written.map_err(|source| {
        let _ = fs::remove_file(&temporary);
        io(path)(source)
    })
}

/// A rename is on the disk when its directory is.
fn sync_directory(path: &Path) -> std::io::Result<()> {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

/// Opens a shard, after making sure that its bytes are those that were noted.
pub(crate) fn open_shard(directory: &Path, shard: &ShardFile) -> Result<File, BuildError> {
    let path = directory.join(&shard.file);
    let mut file = File::open(&path).map_err(io(&path))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(io(&path))? {
            0 => break,
            n => hasher.update(&buffer[..n]),
        }
    }
    if hex(&hasher.finalize()) != shard.sha256 {
        return Err(BuildError::Damaged {
            path,
            why: "its SHA-256 is not the one in the manifest".to_owned(),
        });
    }
    File::open(&path).map_err(io(&path))
}

/// Removes a directory or file that may be gone already.
pub(crate) fn remove(path: &Path) -> Result<(), BuildError> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(io(path)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_whether_it_is_a_file() {
        let file = |name: &str| matches!(Output::named(Path::new(name)), Output::File(_));
        assert!(file("a.jsonl") && file("b/a.jsonl.zst") && file("a.parquet"));
        assert!(!file("a") && !file("a.d") && !file("a.zst"));
    }

    #[test]
    fn a_file_that_cannot_be_written_whole_is_not_there() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("f");
        let broken = |file: &mut File| {
            file.write_all(b"half")?;
            Err(std::io::Error::from(ErrorKind::StorageFull))
        };
        let error = replace(&path, broken).unwrap_err().to_string();
        assert!(
            error.ends_with("make room and go on with --resume"),
            "{error}"
        );
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
        write_whole(&path, b"whole").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
    }

    #[test]
    fn a_changed_shard_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let bytes = compress([&b"{}\n"[..]].into_iter()).unwrap();
        let shard = describe(shard_name(3), 1, &bytes);
        assert_eq!(shard.file, "shard-00003.jsonl.zst");
        let path = directory.path().join(&shard.file);
        write_whole(&path, &bytes).unwrap();
        assert!(open_shard(directory.path(), &shard).is_ok());
        write_whole(&path, b"other").unwrap();
        let error = open_shard(directory.path(), &shard).unwrap_err();
        assert!(matches!(error, BuildError::Damaged { .. }));
    }
}
