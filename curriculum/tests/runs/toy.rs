//! A tiny model, tiny data and a clock made of steps, to train for real in milliseconds.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use candle_core::{D, DType, Device, Result, Tensor, Var};
use codexec_curriculum::{
    BatchLoss, Clock, DataSets, Example, ForeignError, Notice, Observer, OnlineSets, RunConfig,
    Setup, Trainable,
};

pub(crate) const WORDS: usize = 13;
const WIDTH: usize = 16;
/// Examples of this kind have a loss that is not a number.
pub(crate) const POISON: u8 = 9;
/// Examples of this kind have a loss a thousand times too large.
pub(crate) const SPIKE: u8 = 8;
/// Examples of this kind have four times the loss.
pub(crate) const HARD: u8 = 7;

/// Predicts a token from the one before it and the mean of the source.
pub(crate) struct Toy {
    embedding: Var,
    weight: Var,
    bias: Var,
    /// A variable the loss depends on only in form, if asked for.
    unused: Option<Var>,
    /// Slows a run down, so that there is time to kill it.
    pub pause: Duration,
    /// Checkpoints after which the disk is full.
    pub room: AtomicU32,
}

fn spread(count: usize, scale: f32) -> Vec<f32> {
    (0..count)
        .map(|i| scale * ((i * 37 % 101) as f32 / 50.0 - 1.0))
        .collect()
}

impl Toy {
    pub(crate) fn new() -> Self {
        let matrix = |scale| {
            Var::from_vec(spread(WORDS * WIDTH, scale), (WORDS, WIDTH), &Device::Cpu).unwrap()
        };
        Self {
            embedding: matrix(0.3),
            weight: matrix(0.2),
            bias: Var::zeros(WORDS, DType::F32, &Device::Cpu).unwrap(),
            unused: None,
            pause: Duration::ZERO,
            room: AtomicU32::new(u32::MAX),
        }
    }

    pub(crate) fn with_cut_layer() -> Self {
        let unused = Some(Var::zeros(3, DType::F32, &Device::Cpu).unwrap());
        Self {
            unused,
            ..Self::new()
        }
    }

    pub(crate) fn weights(&self) -> Vec<f32> {
        self.weight.flatten_all().unwrap().to_vec1().unwrap()
    }

    /// Loss sum and right predictions of one example.
    fn one(&self, example: &Example) -> Result<(Tensor, usize)> {
        let ids = |ids: &[u32]| Tensor::new(ids, &Device::Cpu);
        let (_, before) = example.target.split_last().unwrap();
        let wanted = ids(&example.target[1..])?;
        let source = self
            .embedding
            .index_select(&ids(&example.source)?, 0)?
            .mean_keepdim(0)?;
        let hidden = self
            .embedding
            .index_select(&ids(before)?, 0)?
            .broadcast_add(&source)?;
        let logits = hidden
            .tanh()?
            .matmul(&self.weight.t()?)?
            .broadcast_add(&self.bias)?;
        let logs = candle_nn::ops::log_softmax(&logits, D::Minus1)?; // [T, words]
        let loss = logs.gather(&wanted.unsqueeze(1)?, 1)?.sum_all()?.neg()?;
        let right = logits
            .argmax(1)?
            .eq(&wanted)?
            .to_dtype(DType::F32)?
            .sum_all()?;
        let factor = match example.kind {
            POISON => f64::NAN,
            SPIKE => 1e3,
            HARD => 4.0,
            _ => 1.0,
        };
        Ok(((loss * factor)?, right.to_scalar::<f32>()? as usize))
    }
}

impl Trainable for Toy {
    fn vars(&self) -> Vec<(String, Var)> {
        let named = [
            ("embedding", &self.embedding),
            ("head.weight", &self.weight),
        ];
        let rest = [
            ("head.bias", Some(&self.bias)),
            ("cut.weight", self.unused.as_ref()),
        ];
        let rest = rest
            .into_iter()
            .filter_map(|(name, var)| Some((name, var?)));
        named
            .into_iter()
            .chain(rest)
            .map(|(name, var)| (name.to_owned(), var.clone()))
            .collect()
    }

    fn loss(&self, batch: &[&Example]) -> Result<BatchLoss> {
        std::thread::sleep(self.pause);
        let mut sum = Tensor::zeros((), DType::F32, &Device::Cpu)?;
        let mut correct = 0;
        for example in batch {
            let (loss, right) = self.one(example)?;
            sum = (sum + loss)?;
            correct += right;
        }
        if let Some(unused) = &self.unused {
            sum = (sum + unused.detach().sum_all()?)?;
        }
        let tokens = batch.iter().map(|example| example.target.len() - 1).sum();
        let longest = |of: fn(&Example) -> usize| batch.iter().map(|e| of(e)).max().unwrap_or(0);
        let row = longest(|e| e.source.len()) + longest(|e| e.target.len());
        let padded = batch.len() * row;
        Ok(BatchLoss {
            sum,
            tokens,
            weight: tokens as f64,
            correct: Tensor::new(correct as f32, &Device::Cpu)?,
            padded,
        })
    }

    fn write_files(&self, dir: &Path) -> std::io::Result<()> {
        if self.room.load(Ordering::Relaxed) == 0 {
            return Err(ErrorKind::StorageFull.into());
        }
        self.room.fetch_sub(1, Ordering::Relaxed);
        std::fs::write(dir.join("config.json"), "{}")
    }
}

/// Targets that count upwards from a start the source gives: learnable.
pub(crate) fn examples(count: u32, kind: u8) -> Vec<Example> {
    let words = WORDS as u32;
    let one = |i: u32| {
        let start = i * 7 % words;
        let source = vec![start; 2 + (i % 5) as usize];
        let target = (0..3 + i * 3 % 11).map(|t| (start + t) % words).collect();
        Example {
            source,
            target,
            kind,
        }
    };
    (0..count).map(one).collect()
}

/// A clock that moves on by a fixed time whenever it is looked at.
pub(crate) struct Ticks {
    pub now: Duration,
    pub each: Duration,
}

impl Clock for Ticks {
    fn now(&mut self) -> Duration {
        self.now += self.each;
        self.now
    }
}

/// Two stages, of 30 steps and of a minute (30 steps of two ticks of a second each).
pub(crate) fn config() -> RunConfig {
    let text = r#"
        seed = 11
        threads = 2
        log_every = 1
        eval_every = 10
        checkpoint_every = 7
        keep_checkpoints = 3
        [optimizer]
        average = 0.9
        [[stages]]
        name = "easy"
        steps = 30
        mix = { easy = 1.0 }
        batch_tokens = 192
        micro_tokens = 48
        peak_lr = 0.1
        warmup_steps = 5
        [[stages]]
        name = "hard"
        minutes = 1.0
        mix = { easy = 0.3, hard = 1.0 }
        batch_tokens = 192
        micro_tokens = 64
        peak_lr = 0.05
        warmup_steps = 3
        schedule = "linear"
        floor = 0.1
    "#;
    RunConfig::from_toml(text, "toy.toml").unwrap()
}

pub(crate) fn data() -> DataSets {
    let boxed = |examples: Vec<Example>| Box::new(examples) as Box<_>;
    [("easy", examples(90, 0)), ("hard", examples(70, 1))]
        .map(|(name, examples)| (name.to_owned(), boxed(examples)))
        .into()
}

pub(crate) fn setup<'a>(model: &'a Toy, config: RunConfig, dir: &Path) -> Setup<'a, Toy> {
    let second = Duration::from_secs(1);
    let clock = Box::new(Ticks {
        now: Duration::ZERO,
        each: second,
    });
    Setup {
        config,
        model,
        data: data(),
        online: OnlineSets::new(),
        run_dir: dir.to_owned(),
        clock,
    }
}

/// Remembers notices, and fails as a crash would, at a step of its choice.
#[derive(Default)]
pub(crate) struct Watcher {
    pub notices: Vec<Notice>,
    pub crash_at: Option<u64>,
    pub stop_at: Option<u64>,
    pub stop_scoring_after: Option<usize>,
    pub seen: u64,
}

impl Observer for Watcher {
    fn progress(&mut self, progress: &codexec_curriculum::Progress) {
        self.seen = progress.step;
        assert!(
            self.crash_at != Some(progress.step),
            "crash at step {}",
            progress.step
        );
    }

    fn notice(&mut self, notice: &Notice) {
        self.notices.push(notice.clone());
    }

    fn validate(&mut self, step: u64) -> std::result::Result<Vec<(String, f64)>, ForeignError> {
        Ok(vec![("step_again".to_owned(), step as f64)])
    }

    fn stop(&mut self) -> bool {
        let scored = |n: &&Notice| matches!(n, Notice::Scoring { .. });
        let scored = self.notices.iter().filter(scored).count();
        self.stop_at.is_some_and(|at| self.seen >= at) || self.stop_scoring_after == Some(scored)
    }
}
