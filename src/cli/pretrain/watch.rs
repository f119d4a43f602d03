//! Progress output of a run, and its exported checkpoint.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use candle_core::DType;
use codexec_curriculum::{Example, ForeignError, Notice, Observer, Progress, export_safetensors};
use codexec_data::files::WholeDirectory;

use super::super::{clean, note, say, warn};
use super::best::Best;
use crate::training::Network;

/// Writes the network as a checkpoint in the hub's layout.
pub(super) struct Export<'a> {
    pub directory: PathBuf,
    pub config: String,
    pub tokenizer: String,
    pub network: &'a dyn Network,
}

impl Export<'_> {
    pub(super) fn write(&self) -> anyhow::Result<()> {
        self.write_to(&self.directory)
    }

    /// The same in another directory.
    pub(super) fn write_to(&self, directory: &Path) -> anyhow::Result<()> {
        let name = || directory.display().to_string();
        let whole = WholeDirectory::create(directory).with_context(name)?;
        let at = |file: &str| whole.path().join(file);
        fs::write(at("config.json"), &self.config).with_context(name)?;
        fs::write(at("tokenizer.json"), &self.tokenizer).with_context(name)?;
        let weights = at("model.safetensors");
        export_safetensors(&self.network.vars(), &weights, DType::F16)?;
        whole.publish().with_context(name)
    }
}

/// Shows progress on standard error, and exports the network after each stage and checkpoint.
pub(super) struct Watcher<'a> {
    pub export: &'a Export<'a>,
    pub terminal: bool,
    /// Stop conditions.
    pub until: Option<Instant>,
    /// Examples to validate with, in batches, by name.
    pub valid: Vec<(String, Vec<Vec<Example>>)>,
    /// The checkpoint with the lowest loss on them.
    pub best: Best,
}

impl Observer for Watcher<'_> {
    fn progress(&mut self, progress: &Progress) {
        let left = progress
            .eta
            .map_or_else(String::new, |s| format!("  {} left", minutes(s)));
        let waited = progress.data_wait.map_or_else(String::new, |share| {
            format!("  {:.0} % waiting", share * 100.0)
        });
        let line = format!(
            "{} step {}  loss {:.4}  accuracy {:.3}  lr {:.1e}  {:.0} tokens/s  {:.0} % real{waited}{left}",
            progress.stage,
            progress.step,
            progress.loss,
            progress.accuracy,
            progress.lr,
            progress.tokens_per_second,
            progress.real_share * 100.0,
        );
        if self.terminal {
            let line = clean(&line);
            let _ = write!(anstream::stderr(), "\r{line:<118}");
        } else {
            note(&line);
        }
    }

    fn validate(&mut self, step: u64) -> Result<Vec<(String, f64)>, ForeignError> {
        let mut scores = Vec::new();
        for (name, batches) in &self.valid {
            let of_set = self.export.network.scores(batches)?;
            let named = of_set
                .into_iter()
                .map(|(what, score)| (format!("{name} {what}"), score));
            scores.extend(named);
        }
        self.best.offer(step, &scores, self.export)?;
        Ok(scores)
    }

    fn stop(&mut self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    fn notice(&mut self, notice: &Notice) {
        if self.terminal && !matches!(notice, Notice::Scoring { .. }) {
            say("");
        }
        match notice {
            Notice::Stage {
                index,
                name,
                examples,
            } => {
                note(&format!(
                    "stage {}: {name}, {examples} examples an epoch",
                    index + 1
                ));
            }
            Notice::Skipped {
                step,
                in_a_row,
                why,
            } => {
                warn(&format!("step {step} skipped ({in_a_row} in a row): {why}"));
            }
            Notice::Scoring { set, done, of } => {
                let line = format!("{set}: {done} of {of} examples scored");
                if self.terminal {
                    let _ = write!(anstream::stderr(), "\r{:<118}", clean(&line));
                } else if done == of {
                    note(&line);
                }
            }
            Notice::Checkpoint { step, .. } => {
                if let Err(error) = self.export.write() {
                    warn(&format!(
                        "checkpoint after step {step} not exported: {error:#}"
                    ));
                }
            }
        }
    }
}

fn minutes(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    format!("{}:{:02}", whole / 60, whole % 60)
}
