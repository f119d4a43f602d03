//! A build's state on disk: hashes of all code so far, counts, and finished shards.
//!
//! A log-structured store (fjall): nearly every lookup is for a random missing key, which its
//! filters answer without reading a block, and new keys are written in order. Its cache and write
//! buffers bound the memory, not the number of keys. A batch is committed completely or not at all,
//! and is on the disk when [`Store::commit`] returns.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};
use serde::{Deserialize, Serialize};

use super::counts::{Counts, ProblemCounts};
use super::{BuildError, error};
use crate::code_hash::{CodeHash, hashed};

/// Cache of the store, bytes.
const CACHE: u64 = 32 << 20;
/// New keys held in memory before they are written out, bytes.
const BUFFER: u64 = 16 << 20;

/// A finished shard file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardFile {
    /// Its name.
    pub file: String,
    /// Records in it.
    pub records: u64,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

/// Progress of a build.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// Finished batches: the next one has this number.
    pub batches: u64,
    /// Counts of all of them.
    pub counts: Counts,
}

/// A batch's additions.
#[derive(Debug, Default)]
pub(crate) struct Additions {
    pub codes: Vec<CodeHash>,
    pub problems: BTreeMap<String, ProblemCounts>,
    /// `None` if the batch has no record.
    pub shard: Option<ShardFile>,
}

/// The store of one build.
pub(crate) struct Store {
    path: PathBuf,
    database: Database,
    codes: Keyspace,
    problems: Keyspace,
    shards: Keyspace,
    progress: Keyspace,
}

const PROGRESS: &str = "progress";

impl Store {
    /// Opens the store in a directory, new or as the last commit left it.
    pub(crate) fn open(path: &Path) -> Result<Self, BuildError> {
        let fail = |e| failed(path, e);
        let database = Database::builder(path)
            .cache_size(CACHE)
            .max_journaling_size(64 << 20)
            .worker_threads(1)
            .open()
            .map_err(fail)?;
        let open = |name: &str| {
            let options = || KeyspaceCreateOptions::default().max_memtable_size(BUFFER);
            database.keyspace(name, options).map_err(fail)
        };
        Ok(Self {
            path: path.to_owned(),
            codes: open("codes")?,
            problems: open("problems")?,
            shards: open("shards")?,
            progress: open(PROGRESS)?,
            database,
        })
    }

    /// Whether the build has this code.
    pub(crate) fn has(&self, code: &CodeHash) -> Result<bool, BuildError> {
        self.codes.contains_key(code).map_err(|e| self.failed(e))
    }

    /// Progress of the build.
    pub(crate) fn progress(&self) -> Result<Option<Progress>, BuildError> {
        match self.progress.get(PROGRESS).map_err(|e| self.failed(e))? {
            Some(bytes) => self.read(&bytes).map(Some),
            None => Ok(None),
        }
    }

    /// Writes a batch and the build's progress with it, together.
    pub(crate) fn commit(&self, added: &Additions, progress: &Progress) -> Result<(), BuildError> {
        let mut batch = self.database.batch().durability(Some(PersistMode::SyncAll));
        for code in &added.codes {
            batch.insert(&self.codes, *code, []);
        }
        for (problem, counts) in &added.problems {
            let key = problem_key(problem);
            let mut sum = match self.problems.get(&key).map_err(|e| self.failed(e))? {
                Some(bytes) => self.read::<(String, ProblemCounts)>(&bytes)?.1,
                None => ProblemCounts::default(),
            };
            sum.merge(counts);
            batch.insert(&self.problems, key, self.write(&(problem, sum))?);
        }
        if let Some(shard) = &added.shard {
            let number = progress.batches.to_be_bytes();
            batch.insert(&self.shards, number, self.write(shard)?);
        }
        batch.insert(&self.progress, PROGRESS, self.write(progress)?);
        batch.commit().map_err(|e| self.failed(e))
    }

    /// The shards, in order.
    pub(crate) fn shards(&self) -> impl Iterator<Item = Result<ShardFile, BuildError>> + '_ {
        self.shards.iter().map(|entry| {
            let bytes = entry.value().map_err(|e| self.failed(e))?;
            self.read(&bytes)
        })
    }

    /// The problems, in order of name (very long names last).
    pub(crate) fn problems(
        &self,
    ) -> impl Iterator<Item = Result<(String, ProblemCounts), BuildError>> {
        self.problems.iter().map(|entry| {
            let bytes = entry.value().map_err(|e| self.failed(e))?;
            self.read(&bytes)
        })
    }

    fn read<T: serde::de::DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, BuildError> {
        serde_json::from_slice(bytes).map_err(|e| BuildError::Damaged {
            path: self.path.clone(),
            why: e.to_string(),
        })
    }

    fn write<T: Serialize>(&self, value: &T) -> Result<Vec<u8>, BuildError> {
        serde_json::to_vec(value).map_err(|e| error::io(&self.path)(e.into()))
    }

    fn failed(&self, error: fjall::Error) -> BuildError {
        failed(&self.path, error)
    }
}

/// Keys of the store are neither empty nor long.
fn problem_key(problem: &str) -> Vec<u8> {
    const LONGEST: usize = 1024;
    if problem.len() > LONGEST {
        return [b"1", &hashed(problem.as_bytes())[..]].concat();
    }
    [b"0", problem.as_bytes()].concat()
}

fn failed(path: &Path, error: fjall::Error) -> BuildError {
    match error {
        fjall::Error::Locked => BuildError::Busy(path.to_owned()),
        fjall::Error::Io(source) | fjall::Error::Storage(fjall::LsmError::Io(source)) => {
            error::io(path)(source)
        }
        other => BuildError::Damaged {
            path: path.to_owned(),
            why: format!("the store cannot be used ({other})"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_committed_is_there_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("store");
        let code = |k: u8| [k; 16];
        let shard = ShardFile {
            file: "s".into(),
            records: 2,
            bytes: 9,
            sha256: "ff".into(),
        };
        let problem = ProblemCounts {
            programs: 1,
            mutants: 2,
            records: 2,
        };
        for batch in 0..3u8 {
            let store = Store::open(&path).unwrap();
            let mut progress = store.progress().unwrap().unwrap_or_default();
            assert_eq!(progress.batches, u64::from(batch));
            assert!(!store.has(&code(batch)).unwrap());
            let added = Additions {
                codes: vec![code(batch)],
                problems: BTreeMap::from([("p".to_owned(), problem.clone())]),
                shard: (batch != 1).then(|| shard.clone()),
            };
            progress.batches += 1;
            progress.counts.records += 2;
            store.commit(&added, &progress).unwrap();
            assert!(store.has(&code(batch)).unwrap() && store.has(&code(0)).unwrap());
        }
        let store = Store::open(&path).unwrap();
        assert_eq!(store.progress().unwrap().unwrap().counts.records, 6);
        assert_eq!(store.shards().count(), 2);
        let problems: Vec<_> = store.problems().map(Result::unwrap).collect();
        assert_eq!(
            problems[0].1,
            ProblemCounts {
                programs: 3,
                mutants: 6,
                records: 6
            }
        );
        assert!(matches!(Store::open(&path), Err(BuildError::Busy(_))));
    }
}
