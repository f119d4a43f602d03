//! The data sets of a run: files from the command line, and their token ids stored beside the run,
//! so that a resumed run does not read shards again.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use anyhow::{Context, bail};
use candle_core::{Device, Tensor};
use codexec_curriculum::{DataSets, Example, ExampleSource, fingerprint};
use codexec_data::records::{RecordReader, read_records, record_files};
use codexec_data::tokenizer::Vocabulary;

use super::super::{note, progress_bar};
use super::{Args, TOKENIZER};
use crate::model::ModelConfig;
use crate::training::{
    ModelSettings, StoreWriter, Task, TokenStore, encode_files, train_vocabulary,
};

/// The directory of token ids in the directory of a run.
const TOKENS: &str = "tokens";

/// Examples per set in a validation, and per batch.
const VALIDATED: usize = 256;
const BATCH: usize = 8;

/// The files of every data set, by name.
pub(super) type Files = BTreeMap<String, Vec<PathBuf>>;

/// Examples in batches of similar lengths, by the name of their set.
pub(super) type Batches = Vec<(String, Vec<Vec<Example>>)>;

/// The inputs of a run.
pub(super) struct Prepared {
    pub vocabulary: Vocabulary,
    /// Whether the vocabulary comes from the directory of the run.
    pub is_kept: bool,
    pub data: DataSets,
    /// Validation examples.
    pub valid: Batches,
    /// The network.
    pub model: ModelConfig,
    /// Initial weights. Missing ones start fresh.
    pub weights: Option<HashMap<String, Tensor>>,
}

impl Args {
    /// Programs and their traces.
    pub(super) fn traces(
        &self,
        sets: &Files,
        settings: &ModelSettings,
    ) -> anyhow::Result<Prepared> {
        let (kept, is_kept) = self.kept_vocabulary()?;
        let vocabulary = match kept {
            Some(vocabulary) => vocabulary,
            None => {
                let files: Vec<PathBuf> = sets.values().flatten().cloned().collect();
                train_vocabulary(&files, settings.vocabulary, settings.digits)?
            }
        };
        let model = settings.config(vocabulary.size());
        let weights = self.init_weights()?;
        if let (Some(weights), Some(init)) = (&weights, &self.init) {
            let mut missing = model.tensors().into_iter();
            if let Some((name, _)) = missing.find(|(name, _)| !weights.contains_key(name)) {
                bail!(
                    "{}: not of the sizes in [model]: no tensor {name}",
                    init.display()
                );
            }
        }
        Ok(Prepared {
            data: self.stores(sets, &vocabulary, settings)?,
            valid: self.validation(&vocabulary, settings)?,
            vocabulary,
            is_kept,
            model,
            weights,
        })
    }

    /// The weights of `--init`.
    pub(super) fn init_weights(&self) -> anyhow::Result<Option<HashMap<String, Tensor>>> {
        let Some(from) = &self.init else {
            return Ok(None);
        };
        let path = from.join("model.safetensors");
        let weights = candle_core::safetensors::load(&path, &Device::Cpu)
            .with_context(|| path.display().to_string())?;
        Ok(Some(weights))
    }

    /// The files named on the command line, all existing.
    pub(crate) fn files(&self) -> anyhow::Result<Files> {
        let mut sets = Files::new();
        for (name, path) in &self.data {
            let files = record_files(path)?;
            for file in &files {
                fs::File::open(file).with_context(|| file.display().to_string())?;
            }
            sets.entry(name.clone()).or_default().extend(files);
        }
        Ok(sets)
    }

    /// The vocabulary that this run need not train (the named one or the one it started with), and
    /// whether it is already in the directory.
    pub(crate) fn kept_vocabulary(&self) -> anyhow::Result<(Option<Vocabulary>, bool)> {
        let kept = self.out().join(TOKENIZER);
        let init = self.init.as_ref().map(|from| from.join(TOKENIZER));
        let path = match self.tokenizer.as_ref().or(init.as_ref()) {
            Some(path) => path,
            None if self.resume && kept.is_file() => &kept,
            None => return Ok((None, false)),
        };
        let json = fs::read(path).with_context(|| path.display().to_string())?;
        let vocabulary =
            Vocabulary::from_json(&json).with_context(|| path.display().to_string())?;
        Ok((Some(vocabulary), *path == kept))
    }

    /// The token ids of every data set: stored ones if they match these files, else new ones.
    fn stores(
        &self,
        sets: &Files,
        vocabulary: &Vocabulary,
        settings: &ModelSettings,
    ) -> anyhow::Result<DataSets> {
        let directory = self.out().join(TOKENS);
        let mut data = DataSets::new();
        for (name, files) in sets {
            if name.contains(['/', '\\']) || name.starts_with('.') {
                bail!("--data {name}=...: a name cannot be a path");
            }
            let key = key(files, vocabulary, settings)?;
            let store = match TokenStore::open(&directory, name, &key) {
                Some(store) => store,
                None => {
                    check_task(files, settings.task)?;
                    let mut writer =
                        StoreWriter::create(&directory, name, &key, vocabulary.size())?;
                    let bar = progress_bar(0, "examples read");
                    let mut progress = |records: usize| bar.inc(records as u64);
                    let threads = self.readers.unwrap_or_else(cores);
                    let window = settings.window();
                    encode_files(
                        files,
                        vocabulary,
                        window,
                        threads,
                        &mut writer,
                        &mut progress,
                    )
                    .with_context(|| format!("data set {name}"))?;
                    bar.finish_and_clear();
                    writer.finish()?
                }
            };
            note(&format!(
                "{name}: {} examples, {:.1} M tokens ({} too long for the window)",
                store.len(),
                store.tokens() as f64 / 1e6,
                store.left_out(),
            ));
            data.insert(name.clone(), Box::new(store));
        }
        Ok(data)
    }

    /// Validation examples of the sets: an even sample of each, in batches of similar lengths.
    fn validation(
        &self,
        vocabulary: &Vocabulary,
        settings: &ModelSettings,
    ) -> anyhow::Result<Batches> {
        let one = |(name, path): &(String, PathBuf)| {
            let records = read_records(path)?;
            let stride = records.len().div_ceil(VALIDATED).max(1);
            let mut examples = Vec::new();
            for record in records.iter().step_by(stride) {
                examples.extend(settings.window().example(record, vocabulary)?);
            }
            if examples.is_empty() {
                bail!("{}: no example fits the window", path.display());
            }
            Ok((name.clone(), batches(examples)))
        };
        self.valid.iter().map(one).collect()
    }
}

/// Groups examples of similar lengths.
pub(super) fn batches(mut examples: Vec<Example>) -> Vec<Vec<Example>> {
    examples.sort_by_key(|e| e.source.len() + e.target.len());
    examples.chunks(BATCH).map(<[Example]>::to_vec).collect()
}

/// What token ids depend on: the files by name, size and time, the vocabulary, and the window.
fn key(
    files: &[PathBuf],
    vocabulary: &Vocabulary,
    settings: &ModelSettings,
) -> anyhow::Result<String> {
    let mut text = format!("{:?}\n{}", settings.window(), vocabulary.to_json()?);
    for file in files {
        let shown = || file.display().to_string();
        let found = fs::metadata(file).with_context(shown)?;
        let changed = found.modified().ok();
        let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        text.push_str(&format!("\n{} {} {changed:?}", shown(), found.len()));
    }
    Ok(fingerprint(text.as_bytes()))
}

pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Rejects questions if traces are learned, and traces if answers are, by the first record of each
/// file.
fn check_task(files: &[PathBuf], task: Task) -> anyhow::Result<()> {
    for file in files {
        let Some(record) = RecordReader::open(file)?.next() else {
            continue;
        };
        // Programs have their lines numbered.
        let is_question = !record?.code_tokens.starts_with('<');
        let (holds, learns) = match task {
            Task::Traces if is_question => ("questions of `codexec data plan`", "traces"),
            Task::Answers if !is_question => ("programs with traces", "answers"),
            _ => continue,
        };
        bail!(
            "{}: it holds {holds}, and `task` in the file of stages says \"{learns}\"",
            file.display()
        );
    }
    Ok(())
}
