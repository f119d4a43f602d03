//! The settings of a run, read from TOML: a list of stages, each with its data mix, its budget and
//! its learning rate. The model's own settings (sizes, label weights) pass through unread.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};

use crate::error::{Error, Result};
use crate::fingerprint::Fingerprint;
use crate::schedule::Schedule;

/// The precision a model computes in. Weights and moments are f32 with either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 32-bit floats.
    #[default]
    F32,
    /// bfloat16 products with f32 master weights.
    Bf16,
}

/// AdamW's settings and the gradient's limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptimizerConfig {
    /// Decay rates of the two moments.
    pub betas: [f64; 2],
    /// Added to the root of the second moment.
    pub eps: f64,
    /// Decoupled weight decay, times the learning rate. Biases and norms (rank below 2) have none.
    pub weight_decay: f64,
    /// Maximum global norm of the gradient of the mean loss; longer ones are scaled down.
    pub clip: f64,
    /// A gradient longer than this many times the median of the stage's last 50 is skipped, like a
    /// non-finite one; `inf` accepts all. Nothing is skipped in the first 20 updates of a stage.
    #[serde(skip_serializing_if = "is_usual_spike")]
    pub spike: f64,
    /// Matrices whose name contains one of these are updated by Muon with the same learning rate,
    /// as in `muon = ["encoder.layer"]`; none by default. Not for embedding tables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub muon: Vec<String>,
    /// Decay per update of a moving average of the weights, such as 0.998; none by default. If set, the average is
    /// validated and exported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average: Option<f64>,
}

impl OptimizerConfig {
    /// Whether Muon updates this variable.
    #[must_use]
    pub fn is_by_muon(&self, name: &str, rank: usize) -> bool {
        rank == 2 && self.muon.iter().any(|part| name.contains(part.as_str()))
    }
}

impl Default for OptimizerConfig {
    fn default() -> Self {
        Self {
            betas: [0.9, 0.98],
            eps: 1e-8,
            weight_decay: 0.01,
            clip: 1.0,
            spike: USUAL_SPIKE,
            muon: Vec::new(),
            average: None,
        }
    }
}

const USUAL_SPIKE: f64 = 10.0;

/// Not part of the fingerprint, so that runs from before the setting can be resumed.
fn is_usual_spike(spike: &f64) -> bool {
    *spike == USUAL_SPIKE
}

/// Budget of a stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// Optimizer steps.
    Steps(u64),
    /// Source and target tokens, without padding.
    Tokens(u64),
    /// Minutes by the clock, everything included.
    Minutes(f64),
    /// Passes over the stage's mix.
    Epochs(f64),
}

/// Which examples of a data set a stage takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hardest {
    /// The share of the scored examples to use, highest losses first.
    pub share: f64,
    /// Score only this many examples, drawn by the seed, and leave the others out; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<usize>,
}

/// One stage of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageConfig {
    /// Shown in metrics.
    pub name: String,
    /// Budget in optimizer steps. Exactly one budget is given.
    pub steps: Option<u64>,
    /// Budget in source and target tokens, without padding.
    pub tokens: Option<u64>,
    /// Budget in minutes.
    pub minutes: Option<f64>,
    /// Budget in passes over the mix.
    pub epochs: Option<f64>,
    /// Data set → number of passes over it per epoch: 1 takes every example once, 0.25 a quarter
    /// (another quarter each epoch), 2 everything twice.
    pub mix: BTreeMap<String, f64>,
    /// Data sets of the mix reduced to their hardest examples, by the model's own loss at the
    /// beginning of the first stage that requests it: `hardest = { singleline = { share = 0.333 } }`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hardest: BTreeMap<String, Hardest>,
    /// Positions per optimizer step, including padding.
    pub batch_tokens: usize,
    /// Positions that one thread computes together, including padding: this bounds memory. By
    /// default `batch_tokens / threads`.
    pub micro_tokens: Option<usize>,
    /// Highest learning rate.
    pub peak_lr: f64,
    /// Steps of linear warm-up.
    #[serde(default)]
    pub warmup_steps: u64,
    /// Shape of the decay from the end of the warm-up to the end of the budget.
    #[serde(default)]
    pub schedule: Schedule,
    /// Final learning rate of the decay, as a fraction of `peak_lr`.
    #[serde(default)]
    pub floor: f64,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// Seed of everything random.
    pub seed: u64,
    /// Number type of the model's computations.
    #[serde(default)]
    pub dtype: Precision,
    /// Threads that compute micro-batches (CPU; 1 on a GPU).
    #[serde(default = "one")]
    pub threads: usize,
    /// Steps between records of loss and speed.
    #[serde(default = "ten")]
    pub log_every: u64,
    /// Steps between validations; never by default.
    pub eval_every: Option<u64>,
    /// Steps between checkpoints; only at the ends of stages by default.
    pub checkpoint_every: Option<u64>,
    /// Minutes between checkpoints, whichever comes first.
    pub checkpoint_minutes: Option<f64>,
    /// Number of checkpoints to keep.
    #[serde(default = "two")]
    pub keep_checkpoints: usize,
    /// The optimizer's settings.
    #[serde(default)]
    pub optimizer: OptimizerConfig,
    /// For the model's loss (label weights); not read here.
    #[serde(default)]
    pub loss: toml::Table,
    /// For the model's sizes; not read here.
    #[serde(default)]
    pub model: toml::Table,
    /// For data generated during training; not read here.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub online: toml::Table,
    /// The stages, in order.
    pub stages: Vec<StageConfig>,
}

fn one() -> usize {
    1
}

fn two() -> usize {
    2
}

fn ten() -> u64 {
    10
}

impl StageConfig {
    /// The only given budget.
    #[must_use]
    pub fn budget(&self) -> Option<Budget> {
        let given = [
            self.steps.map(Budget::Steps),
            self.tokens.map(Budget::Tokens),
            self.minutes.map(Budget::Minutes),
            self.epochs.map(Budget::Epochs),
        ];
        let mut given = given.into_iter().flatten();
        let budget = given.next()?;
        given.next().is_none().then_some(budget)
    }

    /// The first key that makes no sense, and why.
    fn complaint(&self) -> Option<(&'static str, &'static str)> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let budget_ok = match self.budget() {
            None => return Some(("", "give exactly one of steps, tokens, minutes and epochs")),
            Some(Budget::Steps(n)) => ("steps", n > 0),
            Some(Budget::Tokens(n)) => ("tokens", n > 0),
            Some(Budget::Minutes(x)) => ("minutes", positive(x)),
            Some(Budget::Epochs(x)) => ("epochs", positive(x)),
        };
        let above_zero = "must be above zero";
        if !budget_ok.1 {
            Some((budget_ok.0, above_zero))
        } else if self.batch_tokens == 0 {
            Some(("batch_tokens", above_zero))
        } else if self
            .micro_tokens
            .is_some_and(|m| m == 0 || m > self.batch_tokens)
        {
            Some(("micro_tokens", "must be between 1 and batch_tokens"))
        } else if !positive(self.peak_lr) {
            Some(("peak_lr", above_zero))
        } else if !(0.0..=1.0).contains(&self.floor) {
            Some(("floor", "must be between 0 and 1"))
        } else if self.mix.values().any(|&passes| passes > 1e4) {
            Some((
                "mix",
                "passes over a data set more than 10,000 times an epoch",
            ))
        } else if self.mix.is_empty() || !self.mix.values().copied().all(positive) {
            Some((
                "mix",
                "needs at least one data set, each with a number above zero",
            ))
        } else if self.hardest.keys().any(|name| !self.mix.contains_key(name)) {
            Some(("hardest", "names a data set that is not in the mix"))
        } else if self
            .hardest
            .values()
            .any(|h| !(positive(h.share) && h.share <= 1.0) || h.sample == Some(0))
        {
            Some(("hardest", "share must be from 0 to 1, sample above zero"))
        } else {
            None
        }
    }
}

/// Maximum threads of a run: a larger number is an error; no machine has the memory.
const MOST_THREADS: usize = 1024;

impl RunConfig {
    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Config`] with file, line and key.
    pub fn from_file(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(Error::io("read", path))?;
        Self::from_toml(&text, &path.display().to_string())
    }

    /// Parses TOML text; `file` is its name in errors.
    ///
    /// # Errors
    /// [`Error::Config`] with file, line and key.
    pub fn from_toml(text: &str, file: &str) -> Result<Self> {
        let at = |span: Range<usize>, key: String, why: &str| Error::Config {
            file: file.to_owned(),
            line: 1 + text[..span.start.min(text.len())].matches('\n').count(),
            key,
            why: why.to_owned(),
        };
        let config: RunConfig = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let key = Keys::of(text).innermost(&span);
            at(span, key, error.message())
        })?;
        match config.complaint() {
            None => Ok(config),
            Some((key, why)) => Err(at(Keys::of(text).span(&key), key, why)),
        }
    }

    /// The first key that makes no sense, and why.
    fn complaint(&self) -> Option<(String, &'static str)> {
        let above_zero = "must be above zero";
        let rate = |b: f64| (0.0..1.0).contains(&b);
        let counts = [
            ("threads", self.threads == 0),
            ("log_every", self.log_every == 0),
            ("eval_every", self.eval_every == Some(0)),
            ("checkpoint_every", self.checkpoint_every == Some(0)),
            (
                "checkpoint_minutes",
                self.checkpoint_minutes
                    .is_some_and(|m| m.is_nan() || m <= 0.0),
            ),
            ("keep_checkpoints", self.keep_checkpoints == 0),
            (
                "optimizer.eps",
                self.optimizer.eps.is_nan() || self.optimizer.eps <= 0.0,
            ),
            (
                "optimizer.clip",
                self.optimizer.clip.is_nan() || self.optimizer.clip <= 0.0,
            ),
        ];
        if let Some((key, _)) = counts.iter().find(|(_, wrong)| *wrong) {
            return Some(((*key).to_owned(), above_zero));
        }
        if self.threads > MOST_THREADS {
            return Some(("threads".to_owned(), "must be at most 1024"));
        }
        if !self.optimizer.betas.iter().copied().all(rate) {
            return Some(("optimizer.betas".to_owned(), "must be from 0 to below 1"));
        }
        if !self.optimizer.average.is_none_or(rate) {
            return Some(("optimizer.average".to_owned(), "must be from 0 to below 1"));
        }
        if self.optimizer.spike.is_nan() || self.optimizer.spike <= 1.0 {
            return Some(("optimizer.spike".to_owned(), "must be above 1"));
        }
        if !rate(self.optimizer.weight_decay) {
            return Some((
                "optimizer.weight_decay".to_owned(),
                "must be from 0 to below 1",
            ));
        }
        if self.stages.is_empty() {
            return Some(("stages".to_owned(), "needs at least one stage"));
        }
        self.stages.iter().enumerate().find_map(|(index, stage)| {
            let (key, why) = stage.complaint()?;
            let dot = if key.is_empty() { "" } else { "." };
            Some((format!("stages[{index}]{dot}{key}"), why))
        })
    }

    /// Positions of a micro-batch of `stage`.
    #[must_use]
    pub fn micro_tokens(&self, stage: &StageConfig) -> usize {
        stage
            .micro_tokens
            .unwrap_or_else(|| stage.batch_tokens.div_ceil(self.threads.max(1)))
    }

    /// Identifies runs: settings that change the sequence of losses, and only those (the number of
    /// threads matters only if it sets the size of micro-batches).
    pub(crate) fn fingerprint(&self) -> String {
        let mut same = self.clone();
        for stage in &mut same.stages {
            stage.micro_tokens = Some(self.micro_tokens(stage));
        }
        (same.threads, same.log_every, same.keep_checkpoints) = (1, 1, 1);
        (
            same.eval_every,
            same.checkpoint_every,
            same.checkpoint_minutes,
        ) = (None, None, None);
        let mut fingerprint = Fingerprint::new();
        fingerprint.bytes(serde_json::to_string(&same).unwrap_or_default().as_bytes());
        fingerprint.hex()
    }
}

/// Position of every key of a TOML text: dotted key, and the bytes of its value.
struct Keys(Vec<(String, Range<usize>)>);

impl Keys {
    fn of(text: &str) -> Self {
        let mut keys = Self(Vec::new());
        let (root, _) = DeTable::parse_recoverable(text);
        keys.table("", root.get_ref());
        keys
    }

    fn table(&mut self, prefix: &str, table: &DeTable<'_>) {
        for (key, value) in table {
            let dot = if prefix.is_empty() { "" } else { "." };
            let name = format!("{prefix}{dot}{}", key.get_ref());
            let span = key.span().start..value.span().end.max(key.span().end);
            self.0.push((name.clone(), span));
            self.value(&name, value.get_ref());
        }
    }

    fn value(&mut self, name: &str, value: &DeValue<'_>) {
        match value {
            DeValue::Table(table) => self.table(name, table),
            DeValue::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let name = format!("{name}[{index}]");
                    self.0.push((name.clone(), item.span()));
                    self.value(&name, item.get_ref());
                }
            }
            _ => {}
        }
    }

    /// The key with the smallest value around `span`.
    fn innermost(&self, span: &Range<usize>) -> String {
        let around = |(_, s): &&(String, Range<usize>)| s.start <= span.start && span.end <= s.end;
        let smallest = self
            .0
            .iter()
            .filter(around)
            .min_by_key(|(_, s)| s.end - s.start);
        smallest.map_or_else(|| "the file".to_owned(), |(key, _)| key.clone())
    }

    /// Position of `key`, or of the table that lacks it.
    fn span(&self, key: &str) -> Range<usize> {
        let exact = self.0.iter().find(|(k, _)| k == key);
        let owner = || self.0.iter().rfind(|(k, _)| key.starts_with(k.as_str()));
        exact.or_else(owner).map_or(0..0, |(_, span)| span.clone())
    }
}

#[cfg(test)]
mod tests;
