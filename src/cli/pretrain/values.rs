//! Recorded uses of values as the data sets of a run.

use std::path::Path;

use anyhow::{Context, bail};
use codexec_curriculum::{DataSets, Example};

use super::super::note;
use super::Args;
use super::sets::{Files, Prepared, batches};
use crate::eval::guide::read_lines;
use crate::guided::events::{Part, ValueEvent, divide};
use crate::tasks::values::ValueWindow;
use crate::training::{ModelSettings, train_value_vocabulary, value_examples};

/// Events of a set that a validation looks at.
const VALIDATED: usize = 2048;

impl Args {
    /// Events: those of packages and places that are held out are not learnt from, and the places
    /// are what is validated with.
    pub(super) fn values(
        &self,
        sets: &Files,
        settings: &ModelSettings,
    ) -> anyhow::Result<Prepared> {
        if !self.online.is_empty() {
            bail!("--online makes traces; values are learnt from recorded events alone");
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
        let (kept, is_kept) = self.kept_vocabulary()?;
        let vocabulary = match kept {
            Some(vocabulary) => vocabulary,
            None => {
                let events: Vec<&ValueEvent> = read.iter().flat_map(|(_, e)| e).collect();
                train_value_vocabulary(&events, settings.vocabulary, settings.digits)?
            }
        };
        let mut data = DataSets::new();
        for (name, events) in &read {
            let events: Vec<&ValueEvent> = events.iter().collect();
            let examples: Vec<Example> = value_examples(&events, window, &vocabulary)?;
            data.insert((*name).clone(), Box::new(examples));
        }
        let valid = |(name, path): &(String, std::path::PathBuf)| {
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
            vocabulary,
            is_kept,
        })
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
