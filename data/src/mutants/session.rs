//! The state of an output between sessions (unused, begun, or finished) and its transitions.
//!
//! A begun output has a note of its settings; the note is the first thing written and the first
//! removed. A finished output has a manifest and no note.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::BuildError;
use super::error::{io, reserved};
use super::manifest::Manifest;
use super::parts::{LEVEL, Output, open_shard, remove, replace, write_whole};
use super::settings::Identity;
use super::store::{ShardFile, Store};
use crate::code_hash::hex;
use crate::files::{Existing, Reservation};
use crate::records::{Format, RecordReader, RecordWriter};

impl Output {
    /// Rejects an existing output.
    pub(crate) fn check_unused(&self) -> Result<(), BuildError> {
        let unused = match self {
            Self::Directory(path) => is_empty(path)?,
            Self::File(path) => ![path.clone(), self.parts(), self.manifest()]
                .iter()
                .any(|p| p.symlink_metadata().is_ok()),
        };
        if unused {
            return Ok(());
        }
        Err(BuildError::Exists(self.path().to_owned()))
    }

    /// Reserves the output: two builds never write the same one simultaneously.
    pub(crate) fn reserve(&self) -> Result<Reservation, BuildError> {
        match self {
            Self::Directory(path) => Reservation::of_directory(path),
            Self::File(path) => {
                let parent = path.parent().unwrap_or(Path::new(""));
                fs::create_dir_all(parent)
                    .and_then(|()| Reservation::of_file(path, Existing::Replace))
            }
        }
        .map_err(reserved(self.path()))
    }

    /// Removes an existing build, finished or not. A file of records stays until another one
    /// replaces it; a directory must hold nothing else.
    pub(crate) fn discard(&self) -> Result<(), BuildError> {
        let is_ours = |name: &str| {
            let shard = name.starts_with("shard-") && name.ends_with(".jsonl.zst");
            shard || name == "manifest.json" || name == ".build"
        };
        match self {
            Self::Directory(path) => {
                let entries = fs::read_dir(path)
                    .map_err(io(path))?
                    .collect::<Result<Vec<_>, _>>();
                let entries = entries.map_err(io(path))?;
                if let Some(other) = entries
                    .iter()
                    .find(|e| !is_ours(&e.file_name().to_string_lossy()))
                {
                    return Err(BuildError::NotABuild {
                        path: path.clone(),
                        other: other.file_name().to_string_lossy().into_owned(),
                    });
                }
                entries.iter().try_for_each(|entry| remove(&entry.path()))
            }
            Self::File(_) => {
                remove(&self.manifest())?;
                remove(&self.parts())
            }
        }
    }

    /// Rejects an output that was begun or finished as another build, and one that is not a build.
    pub(crate) fn check_same(&self, identity: &Identity) -> Result<(), BuildError> {
        let found = if self.begun().exists() {
            let note = fs::read(self.begun()).map_err(io(&self.begun()))?;
            let note = serde_json::from_slice::<Identity>(&note);
            note.map_err(|e| BuildError::Damaged {
                path: self.begun(),
                why: e.to_string(),
            })?
        } else if self.manifest().exists() {
            let manifest = Manifest::read(&self.manifest())?;
            match manifest.shards.as_slice() {
                [shard] => manifest.identity(*shard),
                _ => manifest.identity(identity.shard),
            }
        } else {
            return match self {
                Self::Directory(path) if only_a_workplace(path)? => Ok(()),
                Self::File(path) if !path.exists() => Ok(()),
                _ => Err(BuildError::Exists(self.path().to_owned())),
            };
        };
        let differences = identity.differences(&found);
        if differences.is_empty() {
            return Ok(());
        }
        Err(BuildError::Otherwise {
            path: self.path().to_owned(),
            differences,
        })
    }

    /// The manifest of a finished build.
    pub(crate) fn finished(&self) -> Result<Option<Manifest>, BuildError> {
        let is_there = self.path().exists() && self.manifest().exists();
        if self.begun().exists() || !is_there {
            return Ok(None);
        }
        Manifest::read(&self.manifest()).map(Some)
    }

    /// Records the settings of the build.
    pub(crate) fn begin(&self, identity: &Identity) -> Result<(), BuildError> {
        let place = self.workplace();
        if self.begun().exists() {
            return Ok(());
        }
        // A store without a note is half made, or half removed.
        remove(&place)?;
        fs::create_dir_all(&place).map_err(io(&place))?;
        drop(Store::open(&self.store())?);
        let note = serde_json::to_vec_pretty(identity).map_err(|e| io(&place)(e.into()))?;
        write_whole(&self.begun(), &note)
    }

    /// Joins the shards if one file is requested.
    pub(crate) fn assemble(&self, store: &Store) -> Result<Option<ShardFile>, BuildError> {
        let Self::File(path) = self else {
            return Ok(None);
        };
        if Format::of(path) == Format::Parquet {
            let records = self.tabulate(store, path)?;
            return described(path, records).map(Some);
        }
        let (mut records, mut failed) = (0, None);
        let mut copy = |out: &mut dyn Write| {
            let copied = self.copy_shards(store, out);
            copied.map(|n| records = n).map_err(|error| {
                failed = Some(error);
                std::io::Error::from(std::io::ErrorKind::Other)
            })
        };
        let written = replace(path, |file| {
            // One frame: many readers stop after the first.
            match Format::of(path) {
                Format::JsonLinesZstd => {
                    let mut out = zstd::Encoder::new(file, LEVEL)?;
                    copy(&mut out)?;
                    out.finish().map(drop)
                }
                Format::JsonLinesGzip => {
                    let mut out = GzEncoder::new(file, Compression::default());
                    copy(&mut out)?;
                    out.finish().map(drop)
                }
                Format::JsonLines | Format::Parquet => {
                    let mut out = BufWriter::new(file);
                    copy(&mut out)?;
                    out.flush()
                }
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        written?;
        described(path, records).map(Some)
    }

    /// Writes the records of all shards as a table. Returns their number.
    fn tabulate(&self, store: &Store, path: &Path) -> Result<u64, BuildError> {
        let mut out = RecordWriter::create(path)?;
        for shard in store.shards() {
            let shard = shard?;
            open_shard(&self.parts(), &shard)?;
            for record in RecordReader::open(&self.parts().join(&shard.file))? {
                out.push(&record?)?;
            }
        }
        Ok(out.finish()?)
    }

    /// Writes the lines of all shards. Returns their number.
    fn copy_shards(&self, store: &Store, out: &mut dyn Write) -> Result<u64, BuildError> {
        let mut records = 0;
        for shard in store.shards() {
            let shard = shard?;
            let file = open_shard(&self.parts(), &shard)?;
            zstd::Decoder::new(file)
                .and_then(|mut lines| std::io::copy(&mut lines, out))
                .map_err(io(self.path()))?;
            records += shard.records;
        }
        Ok(records)
    }

    /// Removes what only the build needed, its note first.
    pub(crate) fn clean_up(&self) -> Result<(), BuildError> {
        remove(&self.begun())?;
        match self {
            Self::Directory(_) => remove(&self.workplace()),
            Self::File(_) => remove(&self.parts()),
        }
    }
}

/// The record of a complete file of records.
pub(crate) fn described(path: &Path, records: u64) -> Result<ShardFile, BuildError> {
    let mut file = BufReader::new(File::open(path).map_err(io(path))?);
    let mut hasher = Sha256::new();
    let (mut bytes, mut buffer) = (0, vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer).map_err(io(path))? {
            0 => break,
            n => {
                hasher.update(&buffer[..n]);
                bytes += n as u64;
            }
        }
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(ShardFile {
        file: name.into_owned(),
        records,
        bytes,
        sha256: hex(&hasher.finalize()),
    })
}

/// Whether there is nothing, or an empty directory.
fn is_empty(path: &Path) -> Result<bool, BuildError> {
    match fs::read_dir(path) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(e) => Err(io(path)(e)),
    }
}

/// Whether a directory holds nothing but possible leftovers of a build that had not yet begun.
fn only_a_workplace(path: &Path) -> Result<bool, BuildError> {
    if is_empty(path)? {
        return Ok(true);
    }
    let names = fs::read_dir(path).map_err(io(path))?;
    let names: Result<Vec<_>, _> = names.map(|entry| entry.map(|e| e.file_name())).collect();
    Ok(names.map_err(io(path))?.iter().all(|name| name == ".build"))
}
