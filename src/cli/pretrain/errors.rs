//! The data sets of a run that learns the errors of programs.

use std::path::PathBuf;

use anyhow::{Context, bail};
use codexec_curriculum::DataSets;
use codexec_data::tokenizer::Vocabulary;

use super::super::note;
use super::Args;
use super::sets::{Files, Prepared, batches};
use crate::check::ipa::IpaConfig;
use crate::eval::guide::read_lines;
use crate::training::{ErrorRow, ModelSettings, error_examples, train_error_vocabulary};

impl Args {
    /// Programs: the part `train` is for training, the part `valid` for validation.
    pub(super) fn errors(
        &self,
        sets: &Files,
        settings: &ModelSettings,
    ) -> anyhow::Result<Prepared> {
        if !self.online.is_empty() {
            bail!("--online generates traces, but errors are learned only from files of programs");
        }
        let mut read = Vec::new();
        for (name, files) in sets {
            let mut rows = Vec::new();
            for file in files {
                rows.extend(part(read_lines(file)?, "train"));
            }
            if rows.is_empty() {
                bail!("--data {name}=...: no program of the part `train`");
            }
            read.push((name, rows));
        }
        let (vocabulary, is_kept) = match self.kept_vocabulary()? {
            (Some(vocabulary), is_kept) => (vocabulary, is_kept),
            (None, _) => {
                let rows: Vec<&ErrorRow> = read.iter().flat_map(|(_, rows)| rows).collect();
                let made = train_error_vocabulary(&rows, settings.vocabulary, settings.digits)?;
                (made, false)
            }
        };
        let model = settings.config(vocabulary.size());
        let config = IpaConfig::of(model.clone(), "[model]")?;
        let weights = self.init_weights()?;
        if let (Some(weights), Some(init)) = (&weights, &self.init) {
            let mut missing = config.tensors().into_iter();
            if let Some((name, _)) = missing.find(|(name, _)| !weights.contains_key(name)) {
                bail!(
                    "{}: not of the sizes in [model]: no tensor {name}",
                    init.display()
                );
            }
        }
        let mut data = DataSets::new();
        for (name, rows) in &read {
            let rows: Vec<&ErrorRow> = rows.iter().collect();
            let raising = rows.iter().filter(|row| row.error.is_some()).count();
            let (examples, left_out) = error_examples(&rows, &config, &vocabulary)?;
            note(&format!(
                "{name}: {} programs, {raising} of them raise ({left_out} do not parse or are too large)",
                rows.len()
            ));
            if examples.is_empty() {
                bail!("--data {name}=...: no usable programs");
            }
            data.insert((*name).clone(), Box::new(examples));
        }
        Ok(Prepared {
            data,
            valid: self.error_validation(&config, &vocabulary)?,
            model,
            weights,
            vocabulary,
            is_kept,
        })
    }

    fn error_validation(
        &self,
        config: &IpaConfig,
        vocabulary: &Vocabulary,
    ) -> anyhow::Result<super::sets::Batches> {
        /// Programs per set in a validation.
        const VALIDATED: usize = 1024;
        let one = |(name, path): &(String, PathBuf)| {
            let rows = read_lines(path).with_context(|| format!("--valid {name}=..."))?;
            let rows = part(rows, "valid");
            let stride = rows.len().div_ceil(VALIDATED).max(1);
            let rows: Vec<&ErrorRow> = rows.iter().step_by(stride).collect();
            let (examples, _) = error_examples(&rows, config, vocabulary)?;
            if examples.is_empty() {
                bail!("{}: no program of the part `valid`", path.display());
            }
            Ok((name.clone(), batches(examples)))
        };
        self.valid.iter().map(one).collect()
    }
}

fn part(rows: Vec<ErrorRow>, name: &str) -> Vec<ErrorRow> {
    rows.into_iter().filter(|row| row.split == name).collect()
}
