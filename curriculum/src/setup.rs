//! The inputs for starting or continuing a run. The loop itself is elsewhere.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::checkpoint::Checkpoints;
use crate::config::RunConfig;
use crate::error::{Error, Result};
use crate::example::Trainable;
use crate::stage::{DataSets, OnlineSets, Sources};
use crate::trainer::Trainer;

/// A clock: time since some fixed moment.
pub trait Clock {
    /// Never less than the last time.
    fn now(&mut self) -> Duration;
}

/// The system's steady clock.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&mut self) -> Duration {
        self.0.elapsed()
    }
}

/// Whether a run in this directory has a checkpoint to resume from.
#[must_use]
pub fn has_checkpoints(run_dir: &Path) -> bool {
    Checkpoints::new(run_dir, 1).latest().is_some()
}

/// The inputs of a run.
pub struct Setup<'a, M> {
    /// Its settings.
    pub config: RunConfig,
    /// The model, with the weights to start from.
    pub model: &'a M,
    /// The data sets that the mixes name.
    pub data: DataSets,
    /// Data sets generated during the run.
    pub online: OnlineSets,
    /// Directory for `metrics.jsonl` and `checkpoints/`.
    pub run_dir: PathBuf,
    /// Time, for speeds and for budgets in minutes.
    pub clock: Box<dyn Clock>,
}

impl<'a, M: Trainable> Setup<'a, M> {
    /// Sources of examples.
    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources {
            data: &self.data,
            online: &self.online,
        }
    }

    /// A new run.
    ///
    /// # Errors
    /// [`Error::RunExists`] if the directory holds checkpoints; errors of data and variables.
    pub fn start(self) -> Result<Trainer<'a, M>> {
        if has_checkpoints(&self.run_dir) {
            return Err(Error::RunExists { dir: self.run_dir });
        }
        std::fs::create_dir_all(&self.run_dir).map_err(Error::io("create", &self.run_dir))?;
        Trainer::new(self, None)
    }

    /// Continues the run in the directory from its newest checkpoint.
    ///
    /// # Errors
    /// [`Error::NoCheckpoint`], [`Error::DamagedCheckpoint`], [`Error::OtherRun`].
    pub fn resume(self) -> Result<Trainer<'a, M>> {
        match Checkpoints::new(&self.run_dir, 1).latest() {
            Some(path) => Trainer::new(self, Some(&path)),
            None => Err(Error::NoCheckpoint { dir: self.run_dir }),
        }
    }

    /// Continues the run in the directory, or starts it if there is no complete checkpoint yet.
    ///
    /// # Errors
    /// As [`Setup::start`] and [`Setup::resume`].
    pub fn resume_or_start(self) -> Result<Trainer<'a, M>> {
        match Checkpoints::new(&self.run_dir, 1).latest() {
            Some(path) => Trainer::new(self, Some(&path)),
            None => self.start(),
        }
    }

    /// Continues the run in the directory from one of its checkpoints.
    ///
    /// # Errors
    /// As [`Setup::resume`].
    pub fn resume_from(self, checkpoint: &Path) -> Result<Trainer<'a, M>> {
        Trainer::new(self, Some(checkpoint))
    }
}
