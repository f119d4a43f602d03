//! Records to token ids, and the vocabulary they are written in.

use codexec_curriculum::Example;
use codexec_data::records::{Kind, Record};
use codexec_data::tokenizer::{Vocabulary, VocabularyError};
use rayon::prelude::*;

/// Records that are used to train a vocabulary; more change little.
const VOCABULARY_SAMPLE: usize = 60_000;

/// Trains a vocabulary of `size` tokens on an even sample of the records.
///
/// # Errors
/// When the tokenizer library refuses.
pub fn train_vocabulary(records: &[&Record], size: usize) -> Result<Vocabulary, VocabularyError> {
    let stride = records.len().div_ceil(VOCABULARY_SAMPLE).max(1);
    let sample: Vec<&Record> = records.iter().step_by(stride).copied().collect();
    let texts = sample
        .iter()
        .flat_map(|r| [r.code_tokens.as_str(), r.trace_tokens.as_str()]);
    Vocabulary::train(texts.collect::<Vec<_>>().into_iter(), size)
}

/// Token ids of records. Those whose program or target is longer than the window are left out: a
/// cut target would teach the network to stop early.
///
/// # Errors
/// When the tokenizer library refuses.
pub fn encode_records(
    records: &[Record],
    vocabulary: &Vocabulary,
    max_source: usize,
    max_target: usize,
) -> Result<Vec<Example>, VocabularyError> {
    let encode = |record: &Record| -> Result<Option<Example>, VocabularyError> {
        let prefix = record.kind.prefix();
        let (source, cut) = vocabulary.encode_source(prefix, &record.code_tokens, max_source)?;
        let target = vocabulary.encode_target(&record.trace_tokens)?;
        let kind = Kind::ALL
            .iter()
            .position(|k| *k == record.kind)
            .unwrap_or(0) as u8;
        let fits = !cut && target.len() <= max_target;
        Ok(fits.then_some(Example {
            source,
            target,
            kind,
        }))
    };
    // Threads of its own: a training process keeps the global pool to one.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let encode_all = || {
        records
            .par_iter()
            .map(encode)
            .collect::<Result<Vec<_>, _>>()
    };
    let encoded = match rayon::ThreadPoolBuilder::new().num_threads(cores).build() {
        Ok(pool) => pool.install(encode_all),
        Err(_) => encode_all(),
    };
    Ok(encoded?.into_iter().flatten().collect())
}
