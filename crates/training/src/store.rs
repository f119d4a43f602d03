//! Token ids of a data set in one file, with the offset of every example in memory: 17 bytes per
//! example, for any length. The file is read at random, so frequently used parts stay in the
//! system's cache.
//!
//! ```text
//! NAME.ids    the ids of every example, source then target, 2 bytes each (4 where the vocabulary
//!             has more than 65,536 tokens)
//! NAME.index  a line of JSON, then for every example two lengths of 4 bytes and its kind
//! ```
//!
//! The index is written last: if it exists, the store is complete. It reads no records.

use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use codexec_curriculum::{Example, ExampleSource, ForeignError, Lengths};
use codexec_data::files::write_whole;
use serde::{Deserialize, Serialize};

/// Why a store could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Its message.
        source: std::io::Error,
    },
    /// The file differs from what was written.
    #[error("{}: {why}; remove it and its neighbour; they will be written again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Its error.
        why: String,
    },
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Io { path, source }
}

/// The first line of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    /// Key of the examples' sources: if it differs, they are made again.
    key: String,
    examples: u64,
    /// Records that gave no example.
    left_out: u64,
    ids: u64,
    /// Tokens of the vocabulary.
    vocabulary: u32,
}

impl Header {
    fn width(&self) -> usize {
        width(self.vocabulary)
    }
}

fn width(vocabulary: u32) -> usize {
    if vocabulary > 1 << 16 { 4 } else { 2 }
}

const INDEXED: usize = 9;

fn paths(directory: &Path, name: &str) -> [PathBuf; 2] {
    ["ids", "index"].map(|end| directory.join(format!("{name}.{end}")))
}

/// A store being written. Without [`StoreWriter::finish`] it leaves no index.
#[derive(Debug)]
pub struct StoreWriter {
    paths: [PathBuf; 2],
    ids: BufWriter<File>,
    header: Header,
    index: Vec<u8>,
}

impl StoreWriter {
    /// Begins the store `name` in a directory, replacing an existing one; `key` describes its sources.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn create(
        directory: &Path,
        name: &str,
        key: &str,
        vocabulary: usize,
    ) -> Result<Self, StoreError> {
        fs::create_dir_all(directory).map_err(io(directory))?;
        let paths = paths(directory, name);
        match fs::remove_file(&paths[1]) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(io(&paths[1])(error)),
            _ => {}
        }
        let ids =
            BufWriter::with_capacity(1 << 20, File::create(&paths[0]).map_err(io(&paths[0]))?);
        let header = Header {
            key: key.to_owned(),
            examples: 0,
            left_out: 0,
            ids: 0,
            vocabulary: u32::try_from(vocabulary).unwrap_or(u32::MAX),
        };
        Ok(Self {
            paths,
            ids,
            header,
            index: Vec::new(),
        })
    }

    /// Adds an example.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, example: &Example) -> Result<(), StoreError> {
        let width = self.header.width();
        let mut bytes = Vec::with_capacity((example.source.len() + example.target.len()) * width);
        for id in example.source.iter().chain(&example.target) {
            bytes.extend_from_slice(&id.to_le_bytes()[..width]);
        }
        self.ids.write_all(&bytes).map_err(io(&self.paths[0]))?;
        for length in [example.source.len(), example.target.len()] {
            self.index.extend((length as u32).to_le_bytes());
            self.header.ids += length as u64;
        }
        self.index.push(example.kind);
        self.header.examples += 1;
        Ok(())
    }

    /// Counts records that gave no example.
    pub fn leave_out(&mut self, records: u64) {
        self.header.left_out += records;
    }

    /// Completes the store and opens it.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn finish(self) -> Result<TokenStore, StoreError> {
        let [ids, index] = self.paths;
        let file = self
            .ids
            .into_inner()
            .map_err(|e| io(&ids)(e.into_error()))?;
        file.sync_all().map_err(io(&ids))?;
        let mut bytes = serde_json::to_vec(&self.header)
            .map_err(|error| io(&index)(std::io::Error::other(error)))?;
        bytes.push(b'\n');
        bytes.extend(self.index);
        write_whole(&index, &bytes).map_err(io(&index))?;
        TokenStore::read(&ids, &index)
    }
}

/// The examples of a data set, on disk.
#[derive(Debug)]
pub struct TokenStore {
    path: PathBuf,
    file: File,
    header: Header,
    /// Offset of each example, in ids.
    starts: Vec<u64>,
    lengths: Vec<Lengths>,
    kinds: Vec<u8>,
}

impl TokenStore {
    /// Opens the store `name` if it exists, is complete, and matches `key`.
    pub fn open(directory: &Path, name: &str, key: &str) -> Option<Self> {
        let [ids, index] = paths(directory, name);
        let store = Self::read(&ids, &index).ok()?;
        (store.header.key == key).then_some(store)
    }

    fn read(ids: &Path, index: &Path) -> Result<Self, StoreError> {
        let bytes = fs::read(index).map_err(io(index))?;
        let damaged = |path: &Path, why: &str| StoreError::Damaged {
            path: path.to_owned(),
            why: why.to_owned(),
        };
        let end = bytes.iter().position(|b| *b == b'\n');
        let end = end.ok_or_else(|| damaged(index, "has no first line"))?;
        let header: Header = serde_json::from_slice(&bytes[..end])
            .map_err(|error| damaged(index, &error.to_string()))?;
        let (entries, rest) = bytes[end + 1..].as_chunks::<INDEXED>();
        if entries.len() as u64 != header.examples || !rest.is_empty() {
            return Err(damaged(index, "is cut"));
        }
        let (mut starts, mut lengths, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
        let mut start = 0;
        for [s0, s1, s2, s3, t0, t1, t2, t3, kind] in entries {
            let source = u32::from_le_bytes([*s0, *s1, *s2, *s3]);
            let target = u32::from_le_bytes([*t0, *t1, *t2, *t3]);
            starts.push(start);
            lengths.push(Lengths { source, target });
            kinds.push(*kind);
            start += u64::from(source) + u64::from(target);
        }
        let file = File::open(ids).map_err(io(ids))?;
        let size = file.metadata().map_err(io(ids))?.len();
        if start != header.ids || size != header.ids * header.width() as u64 {
            return Err(damaged(ids, "is not of the size that its index says"));
        }
        Ok(Self {
            path: ids.to_owned(),
            file,
            header,
            starts,
            lengths,
            kinds,
        })
    }

    /// Source and target tokens.
    pub fn tokens(&self) -> u64 {
        self.header.ids
    }

    /// Records that gave no example.
    pub fn left_out(&self) -> u64 {
        self.header.left_out
    }
}

impl ExampleSource for TokenStore {
    fn len(&self) -> usize {
        self.lengths.len()
    }

    fn lengths(&self, index: usize) -> Lengths {
        self.lengths[index]
    }

    fn get(&self, index: usize) -> Result<Example, ForeignError> {
        let (width, lengths) = (self.header.width(), self.lengths[index]);
        let count = lengths.source as usize + lengths.target as usize;
        let mut bytes = vec![0; count * width];
        let at = self.starts[index] * width as u64;
        self.file
            .read_exact_at(&mut bytes, at)
            .map_err(io(&self.path))?;
        let id = |word: &[u8]| {
            let mut whole = [0; 4];
            whole[..width].copy_from_slice(word);
            u32::from_le_bytes(whole)
        };
        let mut source: Vec<u32> = bytes.chunks_exact(width).map(id).collect();
        if source.iter().any(|id| *id >= self.header.vocabulary) {
            let path = self.path.clone();
            let why = format!("example {index} has a token that the vocabulary has not");
            return Err(StoreError::Damaged { path, why }.into());
        }
        let target = source.split_off(lengths.source as usize);
        Ok(Example {
            source,
            target,
            kind: self.kinds[index],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples() -> Vec<Example> {
        let one = |i: u32| Example {
            source: (0..3 + i % 5).map(|t| (t * 31 + i) % 70_000).collect(),
            target: (0..i % 7).map(|t| 69_999 - t * i).collect(),
            kind: (i % 3) as u8,
        };
        (0..40).map(one).collect()
    }

    fn written(directory: &Path, vocabulary: usize) -> TokenStore {
        let mut writer = StoreWriter::create(directory, "lines", "key", vocabulary).unwrap();
        for mut example in examples() {
            let ids = example.source.iter_mut().chain(&mut example.target);
            ids.for_each(|id| *id %= vocabulary as u32);
            writer.add(&example).unwrap();
        }
        writer.leave_out(2);
        writer.finish().unwrap()
    }

    #[test]
    fn every_example_comes_back_from_either_width() {
        for vocabulary in [70_000, 300] {
            let dir = tempfile::tempdir().unwrap();
            written(dir.path(), vocabulary);
            assert!(TokenStore::open(dir.path(), "lines", "other").is_none());
            let store = TokenStore::open(dir.path(), "lines", "key").unwrap();
            assert_eq!((store.len(), store.left_out()), (40, 2));
            for (index, mut example) in examples().into_iter().enumerate() {
                let ids = example.source.iter_mut().chain(&mut example.target);
                ids.for_each(|id| *id %= vocabulary as u32);
                let lengths = store.lengths(index);
                assert_eq!(lengths.source as usize, example.source.len());
                assert_eq!(lengths.target as usize, example.target.len());
                assert_eq!(store.get(index).unwrap(), example);
            }
        }
    }

    #[test]
    fn what_is_not_whole_is_not_opened() {
        let dir = tempfile::tempdir().unwrap();
        written(dir.path(), 300);
        for name in ["lines.ids", "lines.index"] {
            let path = dir.path().join(name);
            let whole = fs::read(&path).unwrap();
            fs::write(&path, &whole[..whole.len() - 1]).unwrap();
            assert!(
                TokenStore::open(dir.path(), "lines", "key").is_none(),
                "{name}"
            );
            fs::write(&path, whole).unwrap();
        }
        assert!(TokenStore::open(dir.path(), "lines", "key").is_some());
        drop(StoreWriter::create(dir.path(), "lines", "key", 300).unwrap());
        assert!(TokenStore::open(dir.path(), "lines", "key").is_none());
    }

    #[test]
    fn a_token_out_of_range_is_an_error_with_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let store = written(dir.path(), 300);
        let path = dir.path().join("lines.ids");
        let mut bytes = fs::read(&path).unwrap();
        bytes[1] = 0xff;
        fs::write(&path, bytes).unwrap();
        let message = store.get(0).unwrap_err().to_string();
        assert!(
            message.contains("lines.ids") && message.contains("example 0"),
            "{message}"
        );
    }
}
