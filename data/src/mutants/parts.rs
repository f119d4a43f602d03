//! Files of a build: shard files, each complete or absent, and the files beside them.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::error::{BuildError, io};
use super::store::ShardFile;
use crate::code_hash::hex;
use crate::files::{self, WholeFile};
use crate::records::Format;

/// Compression of shards: they are written once, at the rate of the sandbox.
pub(crate) const LEVEL: i32 = 3;

/// Destination of the records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Shard files and `manifest.json` in this directory.
    Directory(PathBuf),
    /// One file, assembled at the end; its manifest is `FILE.manifest.json` beside it.
    File(PathBuf),
}

impl Output {
    /// A file if the name says so (`.jsonl`, `.jsonl.gz`, `.jsonl.zst`, `.parquet`), else a directory.
    pub fn named(path: &Path) -> Self {
        if Format::to_write(path).is_ok() && !path.is_dir() {
            Self::File(path.to_owned())
        } else {
            Self::Directory(path.to_owned())
        }
    }

    /// The same for a user's name: one with the suffix of another kind of file is rejected, unless
    /// such a directory exists.
    ///
    /// # Errors
    /// Advice.
    pub fn asked_for(path: &Path) -> Result<Self, &'static str> {
        const OTHERS: [&str; 12] = [
            "arrow", "bz2", "csv", "feather", "gz", "json", "pkl", "tsv", "txt", "xz", "zip", "zst",
        ];
        let output = Self::named(path);
        let ending = path.extension().and_then(|e| e.to_str());
        let is_other = ending.is_some_and(|e| OTHERS.contains(&&*e.to_lowercase()));
        if matches!(output, Self::Directory(_)) && is_other && !path.is_dir() {
            return Err(
                "give a directory, or a name that ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet",
            );
        }
        Ok(output)
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

    /// The build's own files.
    pub(crate) fn workplace(&self) -> PathBuf {
        self.parts().join(".build")
    }

    /// The store.
    pub(crate) fn store(&self) -> PathBuf {
        self.workplace().join("store")
    }

    /// The settings that the build was begun with.
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

/// The record of a shard.
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
    files::write_whole(path, bytes).map_err(io(path))
}

/// The same with a function that writes.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut WholeFile) -> std::io::Result<()>,
) -> Result<(), BuildError> {
    files::replace(path, write).map_err(io(path))
}

/// Opens a shard, after verifying its bytes.
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
        let asked = |name: &str| Output::asked_for(Path::new(name)).is_ok();
        assert!(asked("a") && asked("a.d/") && asked("mutants.v2") && asked("a.jsonl.zst"));
        assert!(!asked("a.csv") && !asked("a.json.gz") && !asked("a.JSON") && !asked("a.zst"));
    }

    #[test]
    fn a_file_that_cannot_be_written_whole_is_not_there() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("f");
        let broken = |file: &mut WholeFile| {
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
