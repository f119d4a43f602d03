//! Reports of a run: its progress in loss and speed, notices, and the file that stores them. It
//! shows nothing on a terminal; observers do.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{Error, ForeignError, Result};
use crate::example::Tally;
use crate::hardest::Selection;

/// Means since the last report, and the progress of the run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// Optimizer steps done, over all stages.
    pub step: u64,
    /// Name of the stage.
    pub stage: String,
    /// Mean weighted loss of a target token.
    pub loss: f64,
    /// Share of target tokens whose most probable prediction is right.
    pub accuracy: f64,
    /// Learning rate of the last step.
    pub lr: f64,
    /// Gradient norm of the last step, before clipping.
    pub grad_norm: f64,
    /// Source and target tokens, without padding, by second.
    pub tokens_per_second: f64,
    /// Share of the time spent waiting for data generated during training; absent if none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_wait: Option<f64>,
    /// Statistics of data sets generated during training; empty if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub online: BTreeMap<String, Tally>,
    /// Share of computed positions that are not padding.
    pub real_share: f64,
    /// Fraction of the stage's budget spent.
    pub stage_spent: f64,
    /// Source and target tokens of the run so far.
    pub tokens: u64,
    /// Seconds of the run so far, before any resume included.
    pub elapsed: f64,
    /// Estimated seconds left; absent while a later stage is counted in epochs.
    pub eta: Option<f64>,
    /// Steps skipped so far: loss or gradient not finite, or a spike.
    pub skipped: u64,
}

/// Why a step was left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Skip {
    /// Its loss or gradient was not finite.
    NotFinite,
    /// The norm of its gradient was out of all proportion.
    Spike {
        /// The norm.
        norm: f64,
        /// The median norm of the stage's last updates.
        usual: f64,
    },
}

impl std::fmt::Display for Skip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite => f.write_str("loss or gradient not finite"),
            Self::Spike { norm, usual } => {
                write!(f, "gradient norm {norm:.3} where {usual:.3} is usual")
            }
        }
    }
}

/// Something that happened meanwhile.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// A stage begins (also when a run is resumed in it).
    Stage {
        /// Position in the run's list.
        index: usize,
        /// Its name.
        name: String,
        /// Examples of its first epoch.
        examples: usize,
    },
    /// A step was skipped. The weights are unchanged.
    Skipped {
        /// The step.
        step: u64,
        /// Number of consecutive skips, including this one.
        in_a_row: u32,
        /// Why.
        why: Skip,
    },
    /// Examples are being scored, so that a stage can take the hardest.
    Scoring {
        /// The data set.
        set: String,
        /// Number with a known loss.
        done: usize,
        /// Number to score.
        of: usize,
    },
    /// A checkpoint is complete.
    Checkpoint {
        /// After which step.
        step: u64,
        /// Its directory.
        path: PathBuf,
    },
}

/// Follows a run. All methods do nothing by default.
pub trait Observer {
    /// Progress of the run, every `log_every` optimizer steps and at the end of a stage.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// A notice.
    fn notice(&mut self, notice: &Notice) {
        let _ = notice;
    }

    /// Validates the model after `step`, every `eval_every` steps and at the end of a stage: names
    /// and scores, stored in the metrics file.
    ///
    /// # Errors
    /// Stops the run.
    fn validate(&mut self, step: u64) -> Result<Vec<(String, f64)>, ForeignError> {
        let _ = step;
        Ok(Vec::new())
    }

    /// Called after every step: true ends the run with a checkpoint.
    fn stop(&mut self) -> bool {
        false
    }
}

/// An observer that looks away.
impl Observer for () {}

/// Writes `metrics.jsonl`: one JSON object per line, flushed, in order of `step`. A line with
/// `validation` instead of `loss` has the scores of a validation, one with `hardest` the selection
/// from a data set.
#[derive(Debug)]
pub(crate) struct MetricsFile {
    path: PathBuf,
    file: File,
}

#[derive(Serialize)]
struct Validation<'a> {
    step: u64,
    validation: serde_json::Map<String, serde_json::Value>,
    stage: &'a str,
}

impl MetricsFile {
    /// Opens the file and truncates after `step`: lines of steps that will be repeated, and a
    /// partial last line left by a kill.
    pub(crate) fn open(path: &Path, step: u64) -> Result<Self> {
        let failed = |error| Error::io("open", path)(error);
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        let end = kept_bytes(&file, step).map_err(failed)?;
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            file,
        })
    }

    pub(crate) fn progress(&mut self, progress: &Progress) -> Result<()> {
        self.line(progress)
    }

    pub(crate) fn validation(
        &mut self,
        step: u64,
        stage: &str,
        scores: &[(String, f64)],
    ) -> Result<()> {
        let validation = scores
            .iter()
            .map(|(name, score)| (name.clone(), (*score).into()));
        self.line(&Validation {
            step,
            validation: validation.collect(),
            stage,
        })
    }

    pub(crate) fn chosen(&mut self, step: u64, set: &str, selection: &Selection) -> Result<()> {
        let [scored, chosen] = selection.means;
        self.line(&serde_json::json!({
            "step": step,
            "hardest": {
                "set": set,
                "scored": selection.scored,
                "chosen": selection.indices.len(),
                "mean_loss": scored,
                "mean_loss_chosen": chosen,
            },
        }))
    }

    fn line(&mut self, value: &impl Serialize) -> Result<()> {
        let line = serde_json::to_string(value).map_err(std::io::Error::other);
        line.and_then(|line| self.file.write_all(format!("{line}\n").as_bytes()))
            .map_err(Error::io("write", &self.path))
    }
}

/// Bytes of complete lines with a step up to `step` at the start of the file.
fn kept_bytes(file: &File, step: u64) -> std::io::Result<u64> {
    let mut reader = BufReader::new(file);
    let (mut kept, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let count = reader.read_until(b'\n', &mut line)?;
        let value = serde_json::from_slice::<serde_json::Value>(&line).ok();
        let at = value.and_then(|value| value.get("step")?.as_u64());
        if !line.ends_with(b"\n") || at.is_none_or(|at| at > step) {
            return Ok(kept);
        }
        kept += count as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_cuts_later_steps_and_unfinished_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("metrics.jsonl");
        let whole = "{\"step\":1}\n{\"step\":2}\n{\"step\":2,\"validation\":{}}\n";
        for (tail, step) in [("{\"step\":3}\n{\"step\":4}\n", 2), ("{\"step\":2,\"lo", 9)] {
            std::fs::write(&path, format!("{whole}{tail}")).unwrap();
            let mut file = MetricsFile::open(&path, step).unwrap();
            file.validation(3, "s", &[("exact".to_owned(), 0.5)])
                .unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let added = "{\"step\":3,\"validation\":{\"exact\":0.5},\"stage\":\"s\"}\n";
            assert_eq!(text, format!("{whole}{added}"));
        }
    }
}
