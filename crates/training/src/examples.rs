//! Records to token ids, and their vocabulary. Files are read by several threads; the result
//! depends only on the files and their order.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};

use codexec_curriculum::Example;
use codexec_data::records::{Kind, Record, RecordReader};
use codexec_data::sources::SourceError;
use codexec_data::tokenizer::{Digits, Vocabulary, VocabularyError};
use codexec_data::trace::{Engine, Origin, Program, delta_text, whole_states};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::store::{StoreError, StoreWriter};

/// Maximum records that a vocabulary is trained on; more change little.
const VOCABULARY_SAMPLE: usize = 60_000;
/// Records that a reader takes at a time.
const CHUNK: usize = 1024;
/// Chunks of a file that may wait for those before them.
const AHEAD: usize = 2;

/// Why a data set could not be read.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file cannot be read, or a record in it.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The tokenizer library failed.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
    /// A record to learn traces or answers from has neither.
    #[error(
        "record {id} has no trace (its outcome: {outcome}); `codexec data traces` makes some, and `codexec mutate` without --no-run"
    )]
    NoTrace {
        /// Of the record.
        id: String,
        /// Outcome of its program, if it was run.
        outcome: String,
    },
    /// The token ids cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Threads could not be started.
    #[error("cannot start reader threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// How targets write the states of whole programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum States {
    /// The change.
    #[default]
    Delta,
    /// Every name after every step, as the paper does.
    Full,
}

/// Limits and form of a record's example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Maximum tokens of a source.
    pub max_source: usize,
    /// Maximum tokens of a target.
    pub max_target: usize,
    /// Notation of states in targets.
    pub states: States,
}

impl Window {
    /// The example of a record. `None` if program or target exceed the window: a truncated target
    /// would teach the network to stop early.
    ///
    /// # Errors
    /// If the tokenizer library fails.
    pub fn example(
        &self,
        record: &Record,
        vocabulary: &Vocabulary,
    ) -> Result<Option<Example>, VocabularyError> {
        let prefix = record.kind.prefix();
        let (source, cut) =
            vocabulary.encode_source(prefix, &record.code_tokens, self.max_source)?;
        if cut {
            return Ok(None);
        }
        let text = &record.trace_tokens;
        let whole;
        let text = match self.states {
            States::Full if record.kind != Kind::SingleLine => {
                // Records of the published sets have no delta text; they are whole already.
                match delta_text::parse(text, Engine::Run, Program::default(), Origin::Observed) {
                    Ok(delta) => {
                        whole = delta_text::render(&whole_states(&delta));
                        &whole
                    }
                    Err(_) => text,
                }
            }
            _ => text,
        };
        let target = vocabulary.encode_target(text)?;
        let kind = Kind::ALL.iter().position(|k| *k == record.kind);
        let kind = kind.unwrap_or(0) as u8;
        let fits = target.len() <= self.max_target;
        Ok(fits.then_some(Example {
            source,
            target,
            kind,
        }))
    }
}

/// Trains a vocabulary of `size` tokens on an even sample of the records of the files. Of each text no
/// more is held than the sample.
///
/// # Errors
/// If a file cannot be read, or the tokenizer library fails.
pub fn train_vocabulary(
    files: &[PathBuf],
    size: usize,
    digits: Digits,
) -> Result<Vocabulary, DataError> {
    let mut sample: Vec<[String; 2]> = Vec::new();
    let (mut stride, mut seen) = (1_usize, 0_usize);
    for file in files {
        for record in RecordReader::open(file)? {
            let record = record?;
            check_trace(&record)?;
            if seen.is_multiple_of(stride) {
                sample.push([record.code_tokens, record.trace_tokens]);
            }
            seen += 1;
            if sample.len() > VOCABULARY_SAMPLE {
                let mut keep = false;
                sample.retain(|_| {
                    keep = !keep;
                    keep
                });
                stride *= 2;
            }
        }
    }
    let texts: Vec<&str> = sample.iter().flatten().map(String::as_str).collect();
    Ok(Vocabulary::train(texts.into_iter(), size, digits)?)
}

/// A reader's result for a chunk of records: examples, and the number of records without one.
type Chunk = Result<(Vec<Example>, u64), DataError>;

/// Writes the examples of the files to a store, in order. `threads` files are read in parallel and as
/// many threads tokenise; at most a few chunks of each file wait in memory.
///
/// # Errors
/// The first by the order of the files: a file that cannot be read or is damaged, the tokenizer, the
/// store. The store is not completed then.
pub fn encode_files(
    files: &[PathBuf],
    vocabulary: &Vocabulary,
    window: Window,
    threads: usize,
    store: &mut StoreWriter,
    progress: &mut dyn FnMut(usize),
) -> Result<(), DataError> {
    let threads = threads.max(1);
    // Separate threads: a training process limits the global pool to one.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    let (senders, receivers): (Vec<_>, Vec<Receiver<Chunk>>) =
        files.iter().map(|_| sync_channel(AHEAD)).unzip();
    let slots: Vec<_> = senders
        .into_iter()
        .map(|sender| std::sync::Mutex::new(Some(sender)))
        .collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(files.len()) {
            scope.spawn(|| {
                // Files are begun in order, so the next one needed always has a reader.
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(slot) = slots.get(at) else { return };
                    let Some(sender) = slot.lock().ok().and_then(|mut slot| slot.take()) else {
                        return;
                    };
                    let mut chunks = Chunks::open(&files[at]);
                    while let Some(records) = chunks.next() {
                        let chunk = records.and_then(|records| {
                            pool.install(|| encode_chunk(&records, vocabulary, window))
                        });
                        let failed = chunk.is_err();
                        if sender.send(chunk).is_err() {
                            // Nobody waits any more: another file failed.
                            return;
                        }
                        if failed {
                            break;
                        }
                    }
                }
            });
        }
        let result = receivers.into_iter().flatten().try_for_each(|chunk| {
            let (examples, left_out) = chunk?;
            examples.iter().try_for_each(|example| store.add(example))?;
            store.leave_out(left_out);
            progress(examples.len() + left_out as usize);
            Ok(())
        });
        if result.is_err() {
            next.store(usize::MAX / 2, Ordering::Relaxed);
        }
        result
    })
}

/// Rejects programs that were not run. An answer may be empty: `xs += []` changes nothing.
fn check_trace(record: &Record) -> Result<(), DataError> {
    if record.has_trace() || record.outcome != "not_run" {
        return Ok(());
    }
    Err(DataError::NoTrace {
        id: record.id.clone(),
        outcome: record.outcome.clone(),
    })
}

fn encode_chunk(records: &[Record], vocabulary: &Vocabulary, window: Window) -> Chunk {
    records.iter().try_for_each(check_trace)?;
    let examples = records
        .par_iter()
        .map(|record| window.example(record, vocabulary))
        .collect::<Result<Vec<_>, _>>()?;
    let examples: Vec<Example> = examples.into_iter().flatten().collect();
    let left_out = (records.len() - examples.len()) as u64;
    Ok((examples, left_out))
}

/// The records of a file, some at a time. Ends after the first error.
struct Chunks(Option<Result<RecordReader, DataError>>);

impl Chunks {
    fn open(path: &std::path::Path) -> Self {
        Self(Some(RecordReader::open(path).map_err(DataError::from)))
    }

    fn next(&mut self) -> Option<Result<Vec<Record>, DataError>> {
        let reader = match self.0.as_mut()? {
            Ok(reader) => reader,
            Err(_) => {
                return match self.0.take() {
                    Some(Err(error)) => Some(Err(error)),
                    _ => None,
                };
            }
        };
        let records: Result<Vec<Record>, SourceError> = reader.by_ref().take(CHUNK).collect();
        match records {
            Ok(records) if records.is_empty() => None,
            Ok(records) => Some(Ok(records)),
            Err(error) => {
                self.0 = None;
                Some(Err(error.into()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use codexec_curriculum::ExampleSource;
    use codexec_data::records::write_records;

    use super::*;
    use crate::TokenStore;

    fn records(from: usize, count: usize) -> Vec<Record> {
        let one = |i: usize| Record {
            id: i.to_string(),
            kind: Kind::ALL[i % 3],
            code: format!("a = {i}"),
            code_tokens: format!("<0> a = {}", notation(i)),
            trace_tokens: format!("<line> <0> <state> a : {} </state>", notation(i)),
            ..Record::default()
        };
        (from..from + count).map(one).collect()
    }

    fn notation(number: usize) -> String {
        let digits: Vec<String> = number.to_string().chars().map(String::from).collect();
        digits.join(" ")
    }

    const WINDOW: Window = Window {
        max_source: 64,
        max_target: 64,
        states: States::Delta,
    };

    fn store(
        dir: &std::path::Path,
        files: &[PathBuf],
        vocabulary: &Vocabulary,
        threads: usize,
    ) -> Result<TokenStore, DataError> {
        let name = format!("t{threads}");
        let mut writer = StoreWriter::create(dir, &name, "k", vocabulary.size())?;
        let seen = &mut 0;
        encode_files(files, vocabulary, WINDOW, threads, &mut writer, &mut |n| {
            *seen += n
        })?;
        let store = writer.finish()?;
        assert_eq!(*seen as u64, store.len() as u64 + store.left_out());
        Ok(store)
    }

    #[test]
    fn the_number_of_threads_changes_nothing_and_order_is_that_of_the_files() {
        let dir = tempfile::tempdir().unwrap();
        let mut files = Vec::new();
        for (shard, (name, count)) in [("a.jsonl", 3000), ("b.parquet", 10), ("c.jsonl.zst", 1500)]
            .into_iter()
            .enumerate()
        {
            let path = dir.path().join(name);
            write_records(&path, records(shard * 10_000, count).iter()).unwrap();
            files.push(path);
        }
        let vocabulary = train_vocabulary(&files, 600, Digits::Apart).unwrap();
        let one = store(dir.path(), &files, &vocabulary, 1).unwrap();
        assert_eq!((one.len(), one.left_out()), (4510, 0));
        for (index, number) in [(0, 0), (2999, 2999), (3000, 10_000), (3010, 20_000)] {
            let expected = WINDOW.example(&records(number, 1)[0], &vocabulary).unwrap();
            assert_eq!(Some(one.get(index).unwrap()), expected, "{index}");
        }
        for threads in [2, 5] {
            store(dir.path(), &files, &vocabulary, threads).unwrap();
            for end in ["ids", "index"] {
                let read = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
                assert_eq!(
                    read(&format!("t1.{end}")),
                    read(&format!("t{threads}.{end}"))
                );
            }
        }
    }

    #[test]
    fn an_answer_may_be_empty_and_a_program_that_was_not_run_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, all: &[Record]| {
            let file = dir.path().join(name);
            write_records(&file, all.iter()).unwrap();
            file
        };
        let mut all = records(0, 500);
        let vocabulary = train_vocabulary(&[write("a.jsonl", &all)], 600, Digits::Apart).unwrap();
        (all[7].outcome, all[7].trace_tokens) = ("finished".into(), String::new());
        store(dir.path(), &[write("b.jsonl", &all)], &vocabulary, 1).unwrap();
        all[7].outcome = "not_run".into();
        let error = store(dir.path(), &[write("c.jsonl", &all)], &vocabulary, 2).unwrap_err();
        assert!(error.to_string().contains("has no trace"), "{error}");
    }

    #[test]
    fn a_damaged_shard_is_named_and_leaves_no_store() {
        let dir = tempfile::tempdir().unwrap();
        let good = dir.path().join("a.jsonl");
        write_records(&good, records(0, 5000).iter()).unwrap();
        let vocabulary = train_vocabulary(std::slice::from_ref(&good), 600, Digits::Apart).unwrap();
        for name in ["b.jsonl", "b.jsonl.zst", "b.parquet"] {
            let bad = dir.path().join(name);
            write_records(&bad, records(0, 3000).iter()).unwrap();
            let mut bytes = std::fs::read(&bad).unwrap();
            bytes.truncate(bytes.len() * 2 / 3);
            std::fs::write(&bad, bytes).unwrap();
            let files = [good.clone(), bad, good.clone(), good.clone()];
            for threads in [1, 3] {
                let error = store(dir.path(), &files, &vocabulary, threads).unwrap_err();
                assert!(error.to_string().contains(name), "{error}");
                let left = TokenStore::open(dir.path(), &format!("t{threads}"), "k");
                assert!(left.is_none());
            }
        }
    }
}
