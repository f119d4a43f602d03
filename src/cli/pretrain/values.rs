//! The data sets of a run that learns from recorded uses of values.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use candle_core::{DType, Device, Tensor};
use codexec_curriculum::{DataSets, Example};
use codexec_data::tokenizer::Vocabulary;

use super::super::note;
use super::Args;
use super::sets::{Files, Prepared, batches};
use crate::eval::guide::read_lines;
use crate::model::{ModelConfig, load};
use crate::training::{ModelSettings, train_value_vocabulary, value_examples};
use crate::values::Class;
use crate::values::events::{Part, ValueEvent, divide};
use crate::values::network::ValueWindow;

/// Events per set in a validation.
const VALIDATED: usize = 2048;

impl Args {
    /// Events. Held-out packages and places are not used for training; the held-out places are for
    /// validation.
    pub(super) fn values(
        &self,
        sets: &Files,
        settings: &ModelSettings,
    ) -> anyhow::Result<Prepared> {
        if !self.online.is_empty() {
            bail!("--online generates traces, but values are learned only from recorded events");
        }
        let window = ValueWindow {
            before: settings.max_source,
            after: settings.max_target,
        };
        let mut read = Vec::new();
        for (name, files) in sets {
            let mut events: Vec<ValueEvent> = Vec::new();
            for file in files {
                events.extend(read_lines(file)?);
            }
            let all = events.len();
            let events = only(events, Part::Train);
            note(&format!(
                "{name}: {} events to learn from, {} held out",
                events.len(),
                all - events.len()
            ));
            if events.is_empty() {
                bail!("--data {name}=...: no event to learn from");
            }
            read.push((name, events));
        }
        let start = self.encoder(settings)?;
        let (vocabulary, is_kept) = match &start {
            Some(start) => (start.vocabulary()?, false),
            None => self.value_vocabulary(&read, settings)?,
        };
        let mut data = DataSets::new();
        for (name, events) in &read {
            let events: Vec<&ValueEvent> = events.iter().collect();
            let examples: Vec<Example> = value_examples(&events, window, &vocabulary)?;
            data.insert((*name).clone(), Box::new(examples));
        }
        let valid = |(name, path): &(String, PathBuf)| {
            let events = only(read_events(path)?, Part::Places);
            let stride = events.len().div_ceil(VALIDATED).max(1);
            let events: Vec<&ValueEvent> = events.iter().step_by(stride).collect();
            if events.is_empty() {
                bail!("{}: no place is held out", path.display());
            }
            let examples = value_examples(&events, window, &vocabulary)?;
            Ok((name.clone(), batches(examples)))
        };
        Ok(Prepared {
            data,
            valid: self
                .valid
                .iter()
                .map(valid)
                .collect::<anyhow::Result<_>>()?,
            model: match &start {
                Some(start) => start.model.clone(),
                None => settings.config(vocabulary.size()),
            },
            weights: start.map(|start| start.weights),
            vocabulary,
            is_kept,
        })
    }

    fn value_vocabulary(
        &self,
        read: &[(&String, Vec<ValueEvent>)],
        settings: &ModelSettings,
    ) -> anyhow::Result<(Vocabulary, bool)> {
        if let (Some(vocabulary), is_kept) = self.kept_vocabulary()? {
            return Ok((vocabulary, is_kept));
        }
        let events: Vec<&ValueEvent> = read.iter().flat_map(|(_, events)| events).collect();
        let vocabulary = train_value_vocabulary(&events, settings.vocabulary, settings.digits)?;
        Ok((vocabulary, false))
    }

    /// The checkpoint of `--init`: the encoder of any checkpoint of the family, published ones
    /// included. Its sizes override [model]. It has a classifier only if it predicts values.
    fn encoder(&self, settings: &ModelSettings) -> anyhow::Result<Option<Start>> {
        let Some(init) = &self.init else {
            return Ok(None);
        };
        let directory = load::locate(&init.display().to_string())?;
        let mut encoder = load::read_config(&directory)?;
        if encoder.num_labels != Some(Class::ALL.len()) {
            encoder.num_labels = None;
        }
        let weights = load::read_weights(&directory)?;
        let weights = weights.select(&encoder, &Device::Cpu, DType::F32)?;
        let model = settings.classifier(encoder);
        let (asked, has) = (
            settings.max_source + settings.max_target,
            model.max_tokens(),
        );
        if asked > has {
            bail!(
                "{}: has {has} positions; max_source and max_target in [model] ask for {asked}",
                init.display()
            );
        }
        Ok(Some(Start {
            directory,
            model,
            weights,
        }))
    }
}

/// An encoder to start from.
struct Start {
    directory: PathBuf,
    model: ModelConfig,
    weights: HashMap<String, Tensor>,
}

impl Start {
    fn vocabulary(&self) -> anyhow::Result<Vocabulary> {
        let vocabulary = Vocabulary::for_sources(load::read_tokenizer(&self.directory)?)
            .with_context(|| self.directory.display().to_string())?;
        if vocabulary.size() > self.model.vocab_size {
            bail!(
                "{}: config.json has a vocabulary of {}, the tokenizer of {}",
                self.directory.display(),
                self.model.vocab_size,
                vocabulary.size()
            );
        }
        Ok(vocabulary)
    }
}

fn read_events(path: &Path) -> anyhow::Result<Vec<ValueEvent>> {
    read_lines(path).with_context(|| "--valid".to_owned())
}

/// The events of a part.
fn only(events: Vec<ValueEvent>, part: Part) -> Vec<ValueEvent> {
    let parts = divide(&events);
    let with_parts = events.into_iter().zip(parts);
    let of_part = with_parts.filter(|(_, of)| *of == part);
    of_part.map(|(event, _)| event).collect()
}
