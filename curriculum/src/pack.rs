//! A run's newest checkpoint in a few small files, to continue elsewhere: for training in pieces on
//! machines that are lent for minutes.
//!
//! Weights of matrices get as many bits as the limit allows (16 at most, 8 at least), their first
//! moments 4, both in blocks with a scale; second moments of matrices are stored as row and column
//! sums; vectors are stored completely. The run's other files (vocabulary, metrics, losses of selected
//! examples) are included, compressed. A run resumed from a packed checkpoint has the same upcoming
//! batches, but not bit-identical weights.

mod bits;

use std::fs;
use std::path::{Path, PathBuf};

use codexec_data::files::write_whole;
use safetensors::SafeTensors;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{AVERAGE, Checkpoints, MODEL, MOMENTS, OPTIMIZER, STATE};
use crate::error::{Error, Result};
use crate::fingerprint::fingerprint;
use crate::parameters::{Named, write_named};
use crate::state::LoopState;

/// Magic bytes of a pack.
const MAGIC: &[u8] = b"codexec pack 1\n";
/// Bits of a first moment.
const MOMENT_BITS: u32 = 4;
/// Bits of a weight, least and most.
const WEIGHT_BITS: std::ops::RangeInclusive<u32> = 8..=16;
/// Maximum ratio of a first moment to the root of its second moment: rounding errors beyond that
/// would distort a step.
const LONGEST: f32 = 3.0;
/// Directories of a run and the ends of the names of their files that go along.
const FILES: [(&str, &[&str]); 2] = [("", &["json", "jsonl"]), ("hardest/", &["losses"])];

/// Maximum size of a pack, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackLimits {
    /// All files.
    pub total: usize,
    /// Each file.
    pub file: usize,
}

impl Default for PackLimits {
    fn default() -> Self {
        Self {
            total: 60_000_000,
            file: 15_000_000,
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    checkpoint: String,
    weight_bits: u32,
    tensors: Vec<TensorHeader>,
    files: Vec<FileHeader>,
    /// Bytes that follow, and their fingerprint.
    bytes: usize,
    fingerprint: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct TensorHeader {
    name: String,
    shape: Vec<usize>,
    /// Whether it has a second moment.
    second: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct FileHeader {
    /// Path below the run's directory.
    path: String,
    /// Bytes, compressed.
    bytes: usize,
}

/// A variable with its moments.
struct Entry {
    name: String,
    shape: Vec<usize>,
    weights: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Entry {
    fn is_matrix(&self) -> bool {
        is_matrix(&self.shape)
    }

    fn has_second(&self) -> bool {
        self.second.iter().any(|x| *x != 0.0)
    }

    /// Bytes without the weights of a matrix.
    fn size(&self) -> usize {
        let count = self.weights.len();
        let second = usize::from(self.has_second());
        if self.is_matrix() {
            let columns = self.shape[self.shape.len() - 1];
            let sums = count / columns.max(1) + columns;
            bits::size(count, MOMENT_BITS) + second * sums * 4
        } else {
            count * 4 * (2 + second)
        }
    }

    fn write(&self, weight_bits: u32, out: &mut Vec<u8>) {
        let mut whole = |values: &[f32]| out.extend(values.iter().flat_map(|x| x.to_le_bytes()));
        if !self.is_matrix() {
            whole(&self.weights);
            whole(&self.first);
            if self.has_second() {
                whole(&self.second);
            }
            return;
        }
        if self.has_second() {
            let columns = self.shape[self.shape.len() - 1];
            let (by_row, by_column) = bits::factors(&self.second, columns);
            whole(&by_row);
            whole(&by_column);
        }
        out.extend(bits::quantise(&self.weights, weight_bits));
        out.extend(bits::quantise(&self.first, MOMENT_BITS));
    }
}

fn is_matrix(shape: &[usize]) -> bool {
    shape.len() > 1
}

/// `PREFIX.00`, `PREFIX.01`, ...
fn part(prefix: &Path, index: usize) -> PathBuf {
    let mut name = prefix.as_os_str().to_owned();
    name.push(format!(".{index:02}"));
    PathBuf::from(name)
}

/// Packs the newest checkpoint of a run into `PREFIX.00`, `PREFIX.01`, ...; the files.
///
/// # Errors
/// [`Error::NoCheckpoint`], [`Error::DamagedCheckpoint`]; [`Error::TooLarge`] if the limit leaves less
/// than eight bits per weight; [`Error::Io`].
pub fn pack(run_dir: &Path, prefix: &Path, limits: PackLimits) -> Result<Vec<PathBuf>> {
    let checkpoint = Checkpoints::new(run_dir, 1).latest();
    let checkpoint = checkpoint.ok_or_else(|| Error::NoCheckpoint {
        dir: run_dir.to_owned(),
    })?;
    let entries = entries(&checkpoint)?;
    let files = files(run_dir, &checkpoint)?;
    let base: usize = entries.iter().map(Entry::size).sum::<usize>()
        + files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
        // Names and shapes, generously.
        + 4096
        + 256 * (entries.len() + files.len());
    let total = |bits: u32| {
        let matrices = entries.iter().filter(|e| e.is_matrix());
        base + matrices
            .map(|e| bits::size(e.weights.len(), bits))
            .sum::<usize>()
    };
    let weight_bits = WEIGHT_BITS.rev().find(|bits| total(*bits) <= limits.total);
    let weight_bits = weight_bits.ok_or_else(|| Error::TooLarge {
        bytes: total(*WEIGHT_BITS.start()),
        limit: limits.total,
    })?;
    let mut blobs = Vec::with_capacity(total(weight_bits));
    for entry in &entries {
        entry.write(weight_bits, &mut blobs);
    }
    for (_, bytes) in &files {
        blobs.extend(bytes);
    }
    let name = checkpoint.file_name().unwrap_or_default();
    let header = Header {
        checkpoint: name.to_string_lossy().into_owned(),
        weight_bits,
        tensors: entries
            .iter()
            .map(|e| TensorHeader {
                name: e.name.clone(),
                shape: e.shape.clone(),
                second: e.has_second(),
            })
            .collect(),
        files: files
            .iter()
            .map(|(path, bytes)| FileHeader {
                path: path.clone(),
                bytes: bytes.len(),
            })
            .collect(),
        bytes: blobs.len(),
        fingerprint: fingerprint(&blobs),
    };
    let mut stream = MAGIC.to_vec();
    serde_json::to_writer(&mut stream, &header)
        .map_err(|error| Error::io("write", prefix)(error.into()))?;
    stream.push(b'\n');
    stream.extend(blobs);
    write_parts(prefix, &stream, limits.file.max(1))
}

fn write_parts(prefix: &Path, stream: &[u8], most: usize) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for (index, bytes) in stream.chunks(most).enumerate() {
        let path = part(prefix, index);
        write_whole(&path, bytes).map_err(Error::io("write", &path))?;
        paths.push(path);
    }
    // Left from a larger pack before this one.
    let mut left = paths.len();
    while part(prefix, left).exists() {
        let path = part(prefix, left);
        fs::remove_file(&path).map_err(Error::io("remove", &path))?;
        left += 1;
    }
    Ok(paths)
}

/// The variables of a checkpoint with their moments, by name.
fn entries(checkpoint: &Path) -> Result<Vec<Entry>> {
    let read = |name: &str| {
        let path = checkpoint.join(name);
        fs::read(&path).map_err(Error::io("read", &path))
    };
    let damaged = |name: &str, why: String| Error::DamagedCheckpoint {
        path: checkpoint.join(name),
        why,
        older: None,
    };
    let (weights, moments) = (read(MODEL)?, read(OPTIMIZER)?);
    let weights = SafeTensors::deserialize(&weights).map_err(|e| damaged(MODEL, e.to_string()))?;
    let moments =
        SafeTensors::deserialize(&moments).map_err(|e| damaged(OPTIMIZER, e.to_string()))?;
    let values = |file: &SafeTensors<'_>, name: &str| -> Result<Vec<f32>, String> {
        let tensor = file.tensor(name).map_err(|e| e.to_string())?;
        let (words, _) = tensor.data().as_chunks::<4>();
        Ok(words.iter().map(|word| f32::from_le_bytes(*word)).collect())
    };
    let mut names: Vec<&str> = weights.names().into_iter().collect();
    names.sort_unstable();
    names
        .into_iter()
        .map(|name| {
            let of = |prefix: &str| {
                values(&moments, &format!("{prefix}{name}")).map_err(|why| damaged(OPTIMIZER, why))
            };
            let tensor = weights
                .tensor(name)
                .map_err(|e| damaged(MODEL, e.to_string()))?;
            Ok(Entry {
                name: name.to_owned(),
                shape: tensor.shape().to_vec(),
                weights: values(&weights, name).map_err(|why| damaged(MODEL, why))?,
                first: of(MOMENTS[0])?,
                second: of(MOMENTS[1])?,
            })
        })
        .collect()
}

/// The other files of the checkpoint and of the run, compressed. An average of the weights is left out: it starts
/// again from the weights.
fn files(run_dir: &Path, checkpoint: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    let mut add = |directory: &Path, below: &str, ends: &[&str]| -> Result<()> {
        let Ok(listed) = fs::read_dir(directory) else {
            return Ok(());
        };
        for entry in listed.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let end = path.extension().map(|end| end.to_string_lossy());
            let is_wanted = ends.is_empty() || end.is_some_and(|end| ends.contains(&&*end));
            if !path.is_file() || !is_wanted || [MODEL, OPTIMIZER, AVERAGE].contains(&&*name) {
                continue;
            }
            let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
            let bytes = zstd::bulk::compress(&bytes, 9).map_err(Error::io("compress", &path))?;
            found.push((format!("{below}{name}"), bytes));
        }
        Ok(())
    };
    let name = checkpoint.file_name().unwrap_or_default();
    let below = format!("checkpoints/{}/", name.to_string_lossy());
    add(checkpoint, &below, &[])?;
    for (directory, ends) in FILES {
        add(&run_dir.join(directory), directory, ends)?;
    }
    found.sort();
    Ok(found)
}

/// Unpacks `PREFIX.00`, `PREFIX.01`, ... into the directory of a run, which can then be resumed. Returns
/// the checkpoint.
///
/// # Errors
/// [`Error::RunExists`]; [`Error::DamagedPack`] if a part is missing or damaged; [`Error::Io`].
pub fn unpack(prefix: &Path, run_dir: &Path) -> Result<PathBuf> {
    if Checkpoints::new(run_dir, 1).latest().is_some() {
        return Err(Error::RunExists {
            dir: run_dir.to_owned(),
        });
    }
    let mut stream = Vec::new();
    let mut parts = 0;
    loop {
        let path = part(prefix, parts);
        match fs::read(&path) {
            Ok(bytes) => stream.extend(bytes),
            Err(_) if parts > 0 => break,
            Err(error) => return Err(Error::io("read", path)(error)),
        }
        parts += 1;
    }
    let damaged = |why: &str| Error::DamagedPack {
        prefix: prefix.to_owned(),
        parts,
        why: why.to_owned(),
    };
    let rest = stream.strip_prefix(MAGIC);
    let rest = rest.ok_or_else(|| damaged("it does not begin as a pack does"))?;
    let end = rest.iter().position(|b| *b == b'\n');
    let (line, blobs) = rest.split_at(end.ok_or_else(|| damaged("it is cut"))?);
    let header: Header = serde_json::from_slice(line).map_err(|e| damaged(&e.to_string()))?;
    let blobs = &blobs[1..];
    if blobs.len() != header.bytes || fingerprint(blobs) != header.fingerprint {
        return Err(damaged("a part is missing, or not what was written"));
    }
    let mut blobs = Blobs(blobs);
    let mut named: [Vec<Named>; 2] = [Vec::new(), Vec::new()];
    for tensor in header.tensors {
        let [weights, first, second] = blobs
            .tensor(&tensor, header.weight_bits)
            .ok_or_else(|| damaged("its tensors are not of the size it says"))?;
        let TensorHeader { name, shape, .. } = tensor;
        let [in_first, in_second] = MOMENTS.map(|prefix| format!("{prefix}{name}"));
        named[0].push((name, shape.clone(), weights));
        named[1].extend([(in_first, shape.clone(), first), (in_second, shape, second)]);
    }
    let checkpoint = run_dir.join("checkpoints").join(&header.checkpoint);
    let is_name = |path: &str| path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    if !is_name(&header.checkpoint) || header.files.iter().any(|file| !is_name(&file.path)) {
        return Err(damaged("it names files outside of a run"));
    }
    fs::create_dir_all(&checkpoint).map_err(Error::io("create", &checkpoint))?;
    let mut names = Vec::new();
    for (name, values) in [MODEL, OPTIMIZER].into_iter().zip(named) {
        let path = checkpoint.join(name);
        write_named(&path, values)?;
        let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
        names.push((name.to_owned(), fingerprint(&bytes)));
    }
    for file in header.files {
        let bytes = blobs.take(file.bytes).ok_or_else(|| damaged("it is cut"))?;
        let bytes = zstd::stream::decode_all(bytes).map_err(|e| damaged(&e.to_string()))?;
        let path = run_dir.join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::io("create", parent))?;
        }
        fs::write(&path, bytes).map_err(Error::io("write", &path))?;
    }
    let path = checkpoint.join(STATE);
    let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
    let mut state: LoopState =
        serde_json::from_slice(&bytes).map_err(|e| damaged(&e.to_string()))?;
    state.files = names.into_iter().collect();
    let json = serde_json::to_vec_pretty(&state).map_err(std::io::Error::other);
    json.and_then(|json| fs::write(&path, json))
        .map_err(Error::io("write", &path))?;
    Ok(checkpoint)
}

/// Bytes that are taken from the front.
struct Blobs<'a>(&'a [u8]);

impl<'a> Blobs<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn whole(&mut self, count: usize) -> Option<Vec<f32>> {
        let (words, _) = self.take(count.checked_mul(4)?)?.as_chunks::<4>();
        Some(words.iter().map(|word| f32::from_le_bytes(*word)).collect())
    }

    /// Weights, first and second moments.
    fn tensor(&mut self, tensor: &TensorHeader, weight_bits: u32) -> Option<[Vec<f32>; 3]> {
        let count = tensor
            .shape
            .iter()
            .try_fold(1_usize, |n, d| n.checked_mul(*d))?;
        let zeros = || vec![0.0; count];
        if !is_matrix(&tensor.shape) {
            let (weights, first) = (self.whole(count)?, self.whole(count)?);
            let second = if tensor.second {
                self.whole(count)?
            } else {
                zeros()
            };
            return Some([weights, first, second]);
        }
        let columns = *tensor.shape.last()?;
        let second = if tensor.second {
            let by_row = self.whole(count / columns.max(1))?;
            bits::product(&by_row, &self.whole(columns)?)
        } else {
            zeros()
        };
        let mut quantised = |bits: u32| {
            let bytes = self.take(bits::size(count, bits))?;
            bits::restore(bytes, count, bits)
        };
        let (weights, mut first) = (quantised(weight_bits)?, quantised(MOMENT_BITS)?);
        if tensor.second {
            for (first, second) in first.iter_mut().zip(&second) {
                let most = LONGEST * second.sqrt();
                *first = first.clamp(-most, most);
            }
        }
        Some([weights, first, second])
    }
}
