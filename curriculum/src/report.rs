//! The metrics of a run: `metrics.jsonl` as curves, stages and scores. Drawing is done elsewhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::error::{Error, Result};

/// The metrics of a run, line by line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metrics {
    /// Records of loss and speed.
    records: Vec<Value>,
    /// Scores on held-out data: name and points of step and score.
    pub scores: BTreeMap<String, Vec<(f64, f64)>>,
    /// The selections from data sets.
    pub chosen: Vec<Chosen>,
    /// Lines that are not JSON, such as the last one of a running training.
    pub unreadable: usize,
}

/// Statistics of a data set generated during training.
#[derive(Debug, Clone, PartialEq)]
pub struct OnlineRow {
    /// The set.
    pub set: String,
    /// Examples used, each once.
    pub fresh: f64,
    /// Examples left out as repetitions.
    pub repeated: f64,
    /// Rounds since the run was started or resumed.
    pub rounds: f64,
    /// Of these, rounds that training waited for.
    pub waited: f64,
    /// Examples in them.
    pub waited_for: f64,
}

/// The selection from a data set.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The set.
    pub set: String,
    /// Examples with a computed loss.
    pub scored: f64,
    /// The selected ones: those with the highest loss.
    pub chosen: f64,
    /// Mean loss of all.
    pub mean_loss: f64,
    /// Mean loss of the selected ones.
    pub mean_loss_chosen: f64,
}

/// Progress of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached {
    /// Steps.
    pub steps: f64,
    /// Tokens.
    pub tokens: f64,
    /// Seconds.
    pub seconds: f64,
    /// Steps that were skipped.
    pub skipped: f64,
}

/// A stage of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct StageRow {
    /// Its name.
    pub name: String,
    /// Progress of the run at its end.
    pub reached: Reached,
    /// Loss of a token at its begin.
    pub first_loss: Option<f64>,
    /// The same at its end.
    pub last_loss: Option<f64>,
}

/// A recorded quantity: its name in `metrics.jsonl`, and in words.
pub const CURVES: [(&str, &str); 8] = [
    ("loss", "Loss of a target token"),
    ("accuracy", "Share of target tokens predicted right"),
    ("lr", "Learning rate"),
    ("tokens_per_second", "Tokens per second"),
    ("grad_norm", "Norm of the gradient, before clipping"),
    ("real_share", "Share of positions that are no padding"),
    ("data_wait", "Share of the time spent waiting for data"),
    ("skipped", "Steps skipped so far"),
];

impl Metrics {
    /// Reads `metrics.jsonl` in the directory of a run.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read.
    pub fn read(run_dir: &Path) -> Result<Self> {
        let path = run_dir.join(METRICS_FILE);
        let text = fs::read_to_string(&path).map_err(Error::io("read", &path))?;
        Ok(Self::of(&text))
    }

    fn of(text: &str) -> Self {
        let mut metrics = Self::default();
        for line in text.lines() {
            let Ok(value) = serde_json::from_str::<Value>(line) else {
                metrics.unreadable += 1;
                continue;
            };
            if let Some(scores) = value.get("validation").and_then(Value::as_object) {
                for (name, score) in scores {
                    let point = number(&value, "step").zip(score.as_f64());
                    metrics
                        .scores
                        .entry(name.clone())
                        .or_default()
                        .extend(point);
                }
            } else if let Some(chosen) = value.get("hardest") {
                metrics.chosen.push(Chosen::of(chosen));
            } else {
                metrics.records.push(value);
            }
        }
        metrics
    }

    /// Progress of the run. `None` without a record.
    pub fn reached(&self) -> Option<Reached> {
        self.records.last().map(Reached::of)
    }

    /// Statistics of sets generated during training, from the last record of each stage.
    pub fn made(&self) -> Vec<OnlineRow> {
        let mut last: BTreeMap<&str, &Value> = BTreeMap::new();
        for record in &self.records {
            let sets = record.get("online").and_then(Value::as_object);
            last.extend(sets.into_iter().flatten().map(|(name, of)| (&**name, of)));
        }
        let made = |(name, of): (&str, &Value)| {
            let get = |key: &str| number(of, key).unwrap_or(0.0);
            OnlineRow {
                set: name.to_owned(),
                fresh: get("fresh"),
                repeated: get("repeated"),
                rounds: get("rounds"),
                waited: get("waited"),
                waited_for: get("waited_for"),
            }
        };
        last.into_iter().map(made).collect()
    }

    /// The loss that a checkpoint is judged by: the mean of the sets' losses. `None` if there is no finite one.
    pub fn validation_loss<'n>(scores: impl Iterator<Item = (&'n str, f64)>) -> Option<f64> {
        let is_loss = |name: &str| name == "loss" || name.ends_with(" loss");
        let losses = scores.filter(|(name, _)| is_loss(name));
        let losses: Vec<f64> = losses.map(|(_, loss)| loss).collect();
        let mean = losses.iter().sum::<f64>() / losses.len().max(1) as f64;
        (!losses.is_empty() && mean.is_finite()).then_some(mean)
    }

    /// Step and loss of the validation with the lowest loss, the first of several.
    pub fn best_validation(&self) -> Option<(f64, f64)> {
        let validations = self.validations();
        let lower = |a: (f64, f64), b: (f64, f64)| if b.1 < a.1 { b } else { a };
        validations.into_iter().reduce(lower)
    }

    /// Step and loss of every validation, in order.
    pub fn validations(&self) -> Vec<(f64, f64)> {
        let mut by_step: BTreeMap<u64, Vec<(&str, f64)>> = BTreeMap::new();
        for (name, points) in &self.scores {
            for (step, score) in points {
                let scores = by_step.entry(*step as u64).or_default();
                scores.push((name, *score));
            }
        }
        let loss = |(step, scores): (u64, Vec<(&str, f64)>)| {
            let loss = Self::validation_loss(scores.into_iter())?;
            Some((step as f64, loss))
        };
        by_step.into_iter().filter_map(loss).collect()
    }

    /// The curve of one of [`CURVES`]: for each stage in order its name and points of tokens seen, in millions, and
    /// values.
    pub fn by_stage(&self, key: &str) -> Vec<(String, Vec<(f64, f64)>)> {
        let mut series: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        for record in &self.records {
            let name = stage_of(record);
            if series.last().is_none_or(|last| last.0 != name) {
                series.push((name.to_owned(), Vec::new()));
            }
            let point = number(record, "tokens").zip(number(record, key));
            if let (Some(last), Some((tokens, y))) = (series.last_mut(), point) {
                last.1.push((tokens / 1e6, y));
            }
        }
        series
    }

    /// The stages, in order.
    pub fn stages(&self) -> Vec<StageRow> {
        let same = |a: &Value, b: &Value| stage_of(a) == stage_of(b);
        let parts = self.records.chunk_by(same);
        let row = |part: &[Value]| {
            let (first, last) = (part.first()?, part.last()?);
            Some(StageRow {
                name: stage_of(first).to_owned(),
                reached: Reached::of(last),
                first_loss: number(first, "loss"),
                last_loss: number(last, "loss"),
            })
        };
        parts.filter_map(row).collect()
    }
}

/// The metrics of a run, in its directory.
pub const METRICS_FILE: &str = "metrics.jsonl";

fn stage_of(record: &Value) -> &str {
    record["stage"].as_str().unwrap_or_default()
}

fn number(value: &Value, key: &str) -> Option<f64> {
    value.get(key)?.as_f64()
}

impl Reached {
    fn of(record: &Value) -> Self {
        let count = |key: &str| number(record, key).unwrap_or(0.0);
        Self {
            steps: count("step"),
            tokens: count("tokens"),
            seconds: count("elapsed"),
            skipped: count("skipped"),
        }
    }
}

impl Chosen {
    fn of(chosen: &Value) -> Self {
        let get = |key: &str| number(chosen, key).unwrap_or(0.0);
        Self {
            set: chosen["set"].as_str().unwrap_or_default().to_owned(),
            scored: get("scored"),
            chosen: get("chosen"),
            mean_loss: get("mean_loss"),
            mean_loss_chosen: get("mean_loss_chosen"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const METRICS: &str = r#"{"step":10,"stage":"a<b","loss":2.5,"accuracy":0.1,"lr":0.001,"grad_norm":1.5,"tokens_per_second":900.0,"real_share":0.95,"tokens":40000,"elapsed":60.0,"skipped":0}
{"step":20,"stage":"a<b","loss":null,"accuracy":0.3,"lr":0.002,"grad_norm":null,"tokens_per_second":950.0,"real_share":0.9,"tokens":80000,"elapsed":120.0,"skipped":1}
{"step":20,"validation":{"exact":0.25},"stage":"a<b"}
{"step":20,"hardest":{"set":"lines","scored":90,"chosen":30,"mean_loss":1.0,"mean_loss_chosen":2.0}}
{"step":30,"stage":"c","loss":1.5,"accuracy":0.5,"lr":0.001,"grad_norm":0.5,"tokens_per_second":800.0,"real_share":0.92,"tokens":120000,"elapsed":180.0,"skipped":1}
{"step":40,"sta"#;

    #[test]
    fn stages_curves_and_scores_are_read() {
        let metrics = Metrics::of(METRICS);
        let reached = metrics.reached().unwrap();
        assert_eq!((reached.steps, reached.tokens), (30.0, 120_000.0));
        assert_eq!((reached.seconds, reached.skipped), (180.0, 1.0));
        assert_eq!(metrics.unreadable, 1);
        let stages = metrics.stages();
        assert_eq!(stages.len(), 2);
        assert_eq!(stages[0].name, "a<b");
        assert_eq!(
            (stages[0].first_loss, stages[0].last_loss),
            (Some(2.5), None)
        );
        assert_eq!(
            metrics.by_stage("loss"),
            [
                ("a<b".to_owned(), vec![(0.04, 2.5)]),
                ("c".to_owned(), vec![(0.12, 1.5)])
            ]
        );
        assert!(
            metrics
                .by_stage("data_wait")
                .iter()
                .all(|one| one.1.is_empty())
        );
        assert_eq!(metrics.scores["exact"], [(20.0, 0.25)]);
        assert_eq!(metrics.chosen[0].set, "lines");
        assert_eq!(metrics.chosen[0].chosen, 30.0);
    }

    #[test]
    fn the_lowest_validation_loss_is_found() {
        let line = |step: u64, a: f64, b: f64| {
            serde_json::json!({"step": step, "validation":
                {"a loss": a, "b loss": b, "a exact": 0.5}, "stage": "s"})
        };
        let lines = [line(10, 2.0, 4.0), line(20, 1.0, 2.0), line(30, 1.0, 3.0)];
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let metrics = Metrics::of(&text);
        let all = [(10.0, 3.0), (20.0, 1.5), (30.0, 2.0)];
        assert_eq!(metrics.validations(), all);
        assert_eq!(metrics.best_validation(), Some((20.0, 1.5)));
        assert_eq!(Metrics::of(METRICS).best_validation(), None);
        let loss = |loss| Metrics::validation_loss([("x loss", loss)].into_iter());
        assert_eq!(loss(f64::NAN), None);
    }

    #[test]
    fn no_metrics_are_an_error_and_none_yet_are_said() {
        let dir = tempfile::tempdir().unwrap();
        let message = Metrics::read(dir.path()).unwrap_err().to_string();
        assert!(message.contains("metrics.jsonl"), "{message}");
        fs::write(dir.path().join("metrics.jsonl"), "").unwrap();
        assert_eq!(Metrics::read(dir.path()).unwrap().reached(), None);
    }
}
