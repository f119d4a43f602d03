//! The history of a data set generated during training, so that nothing repeats: hashes of sources, for generated
//! programs of their skeletons, round by round, in memory and in a file beside the run.
//!
//! A round is written completely before training sees it; a partial one, left by a kill, is cut off. A run resumed from
//! an earlier round forgets the later ones, and they are made again.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use codexec_curriculum::Example;
use twox_hash::XxHash64;

/// Numbers before the hashes of a round: its own, the number of examples left out, and the number of hashes.
const HEAD: usize = 3;
const WORD: usize = 8;

/// An example, and the key that must be unique.
#[derive(Debug, Clone)]
pub(super) struct Keyed {
    pub example: Example,
    key: u64,
}

impl Keyed {
    /// By its source, or by a key of its own.
    pub(super) fn new(example: Example, key: Option<u64>) -> Self {
        let key = key.unwrap_or_else(|| source_hash(&example.source));
        Self { example, key }
    }
}

/// A returned round.
#[derive(Debug)]
struct Given {
    number: u64,
    repeated: u64,
    hashes: Vec<u64>,
}

/// The rounds returned so far.
#[derive(Debug, Default)]
pub struct History {
    file: Option<File>,
    given: Vec<Given>,
    known: HashSet<u64>,
    reserved: HashSet<u64>,
}

/// Key of an example's source; two different ones of 10^8 collide with odds of one in a thousand, and then one of them
/// is left out.
pub fn source_hash(source: &[u32]) -> u64 {
    let mut hasher = XxHash64::with_seed(0);
    for token in source {
        hasher.write(&token.to_le_bytes());
    }
    hasher.finish()
}

impl History {
    /// A history in a file, continued if it exists.
    ///
    /// # Errors
    /// If the file cannot be opened or read.
    pub fn open(path: &Path) -> io::Result<Self> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let words: Vec<u64> = bytes.chunks_exact(WORD).map(word).collect();
        let mut history = Self::default();
        let mut at = 0;
        while let [number, repeated, count] = words[at..words.len().min(at + HEAD)] {
            let from = at + HEAD;
            let end = usize::try_from(count)
                .ok()
                .and_then(|n| from.checked_add(n));
            let Some(hashes) = end.and_then(|end| words.get(from..end)) else {
                break;
            };
            at = from + hashes.len();
            history.add(Given {
                number,
                repeated,
                hashes: hashes.to_vec(),
            });
        }
        file.set_len((at * WORD) as u64)?;
        file.seek(SeekFrom::End(0))?;
        history.file = Some(file);
        Ok(history)
    }

    /// Sources that are never used, such as validation examples.
    #[must_use]
    pub fn without(mut self, reserved: HashSet<u64>) -> Self {
        self.reserved = reserved;
        self
    }

    fn add(&mut self, given: Given) {
        self.known.extend(&given.hashes);
        self.given.push(given);
    }

    /// The examples of a round that occurred in none before it, each once.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn fresh(&mut self, number: u64, examples: Vec<Keyed>) -> io::Result<Vec<Example>> {
        self.forget_from(number)?;
        let (mut kept, mut hashes) = (Vec::with_capacity(examples.len()), Vec::new());
        let all = examples.len();
        for Keyed { example, key } in examples {
            if !self.reserved.contains(&key) && self.known.insert(key) {
                hashes.push(key);
                kept.push(example);
            }
        }
        let given = Given {
            number,
            repeated: (all - kept.len()) as u64,
            hashes,
        };
        if let Some(file) = &mut self.file {
            file.write_all(&given.bytes())?;
        }
        self.given.push(given);
        Ok(kept)
    }

    /// Forgets a round and all after it.
    fn forget_from(&mut self, number: u64) -> io::Result<()> {
        let kept = self.given.partition_point(|one| one.number < number);
        if kept == self.given.len() {
            return Ok(());
        }
        for gone in self.given.drain(kept..) {
            for hash in gone.hashes {
                self.known.remove(&hash);
            }
        }
        if let Some(file) = &mut self.file {
            let words = self.given.iter().map(|one| HEAD + one.hashes.len());
            file.set_len((words.sum::<usize>() * WORD) as u64)?;
            file.seek(SeekFrom::End(0))?;
        }
        Ok(())
    }

    /// Examples used, and left out, in all rounds.
    pub fn counts(&self) -> (u64, u64) {
        let given = self.given.iter();
        let sum = |(a, b), one: &Given| (a + one.hashes.len() as u64, b + one.repeated);
        given.fold((0, 0), sum)
    }
}

impl Given {
    fn bytes(&self) -> Vec<u8> {
        let head = [self.number, self.repeated, self.hashes.len() as u64];
        let words = head.iter().chain(&self.hashes);
        words.flat_map(|word| word.to_le_bytes()).collect()
    }
}

fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; WORD];
    word.copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples(sources: &[u32]) -> Vec<Keyed> {
        let one = |source: &u32| {
            let example = Example {
                source: vec![*source],
                target: vec![1],
                kind: 0,
            };
            Keyed::new(example, None)
        };
        sources.iter().map(one).collect()
    }

    fn sources(examples: &[Example]) -> Vec<u32> {
        examples.iter().map(|one| one.source[0]).collect()
    }

    #[test]
    fn nothing_comes_twice_and_a_kill_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("online/set.given");
        let reserved: HashSet<u64> = [source_hash(&[9])].into();
        let open = || History::open(&path).unwrap().without(reserved.clone());
        let mut history = open();
        let give = |history: &mut History, number, all: &[u32]| {
            sources(&history.fresh(number, examples(all)).unwrap())
        };
        assert_eq!(give(&mut history, 0, &[1, 2, 2, 9]), [1, 2]);
        assert_eq!(give(&mut history, 1, &[2, 3]), [3]);
        assert_eq!(give(&mut history, 2, &[3, 4]), [4]);
        assert_eq!(history.counts(), (4, 4));
        drop(history);
        // A partly written round.
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(&[3, 0, 0, 0, 0, 0, 0, 0, 1, 0]).unwrap();
        drop(file);
        let mut history = open();
        assert_eq!(history.counts(), (4, 4));
        // The run resumes from an earlier round: it and the later ones repeat as before.
        assert_eq!(give(&mut history, 1, &[2, 3]), [3]);
        assert_eq!(give(&mut history, 2, &[3, 4]), [4]);
        drop(history);
        assert_eq!(open().counts(), (4, 4));
    }
}
