//! The encoder of searches as something the curriculum can train, and programs as pairs it can learn from.
//!
//! The loss is InfoNCE ("Representation Learning with Contrastive Predictive Coding", equation 4) over the programs of
//! a micro-batch, in the form of NT-Xent ("A Simple Framework for Contrastive Learning of Visual Representations",
//! equation 1): each of the two programs of a pair is contrasted with all programs of other pairs, except those of the
//! same problem.

mod pairs;
mod rename;

use std::collections::HashMap;

use candle_core::{DType, Tensor, Var};
use codexec_curriculum::{BatchLoss, Example, ForeignError, Trainable};
use serde::{Deserialize, Serialize};

use super::network::{Network, TrainableNetwork};
use codexec_eval::metrics::search::{Way, score_search};
use codexec_eval::search::cosine;
use codexec_model::{JointBatch, ops};

pub use pairs::{Pairs, search_pairs, search_programs, train_search_vocabulary};

/// Training settings of a search encoder.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchSettings {
    /// Divisor of cosines.
    pub temperature: f64,
    /// Pairs that an epoch has of a program, as far as its problem has others.
    pub partners: usize,
    /// Maximum programs of a problem that pairs are made of.
    pub most_programs: usize,
    /// The share of pairs in which one program is renamed; if positive, programs without another of their problem
    /// are paired with themselves under other names.
    pub renamed: f64,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            temperature: 0.05,
            partners: 4,
            most_programs: 32,
            renamed: 0.5,
        }
    }
}

impl SearchSettings {
    /// The first key of `[model.search]` that makes no sense, and why.
    pub(super) fn complaint(&self) -> Option<(&'static str, String)> {
        let Self {
            temperature,
            partners,
            most_programs,
            renamed,
        } = *self;
        if !(temperature > 0.0 && temperature <= 100.0) {
            let why = format!("is {temperature}; it must be above 0, and 100 at most");
            return Some(("search.temperature", why));
        }
        if !(1..=1000).contains(&partners) {
            let why = format!("is {partners}; it must be from 1 to 1000");
            return Some(("search.partners", why));
        }
        if most_programs < 2 {
            let why = format!("is {most_programs}; a pair needs 2");
            return Some(("search.most_programs", why));
        }
        (!(0.0..=1.0).contains(&renamed)).then(|| {
            let why = format!("is {renamed}; a share is from 0 to 1");
            ("search.renamed", why)
        })
    }
}

/// Numbers for the problems of a run.
#[derive(Debug, Default)]
pub struct Numbers(HashMap<String, u32>, u32);

impl Numbers {
    /// The number of a problem; a unique one for a program without.
    fn of(&mut self, problem: Option<&str>) -> u32 {
        let next = self.1;
        let number = match problem {
            Some(problem) => *self.0.entry(problem.to_owned()).or_insert(next),
            None => next,
        };
        self.1 += u32::from(number == next);
        number
    }
}

/// An encoder whose weights are variables.
pub struct TrainableEncoder {
    encoder: TrainableNetwork,
    temperature: f64,
}

/// The number of an example's problem, and the program paired with its source; a validation program has none.
fn partner(example: &Example) -> candle_core::Result<(&[u32], u32)> {
    let parts = example.target.split_last();
    let (problem, partner) = parts
        .ok_or_else(|| candle_core::Error::Msg("an example that is not a program".to_owned()))?;
    Ok((partner, *problem))
}

/// Cosines of all vectors (2N,H) by the temperature (2N,2N), and the partner of each: `i` and `N+i` are a pair.
/// Those with itself, and with others of its problem, are masked; `problems` has N numbers.
pub(super) fn similarities(
    vectors: &Tensor,
    problems: &[u32],
    temperature: f64,
) -> candle_core::Result<(Tensor, Vec<u32>)> {
    let pairs = problems.len();
    let all = 2 * pairs;
    let length = vectors.sqr()?.sum_keepdim(1)?.sqrt()?; // (2N,1)
    let vectors = vectors.broadcast_div(&length)?;
    let cosines = vectors.matmul(&vectors.t()?.contiguous()?)?; // (2N,2N)
    let partners: Vec<u32> = (0..all).map(|k| ((k + pairs) % all) as u32).collect();
    let mut mask = vec![0f32; all * all];
    for (row, partner) in partners.iter().enumerate() {
        for column in 0..all {
            let same = problems[row % pairs] == problems[column % pairs];
            if same && column != *partner as usize {
                mask[row * all + column] = ops::MASKED;
            }
        }
    }
    let mask = Tensor::from_vec(mask, (all, all), vectors.device())?;
    Ok((((cosines / temperature)? + mask)?, partners))
}

impl TrainableEncoder {
    /// Turns cosines into probabilities with this temperature.
    pub fn new(encoder: TrainableNetwork, temperature: f64) -> Self {
        Self {
            encoder,
            temperature,
        }
    }

    /// The sums (B,H) of the last hidden states of programs, in f32, and the positions that were computed.
    fn vectors(&self, programs: Vec<Vec<u32>>) -> candle_core::Result<(Tensor, usize)> {
        let model = self.encoder.model();
        let lengths: Vec<usize> = programs.iter().map(Vec::len).collect();
        let pairs: Vec<_> = programs.into_iter().map(|ids| (ids, Vec::new())).collect();
        let batch = JointBatch::new(&pairs, model.config().pad_token_id);
        let (count, len) = (batch.batch, batch.len);
        let tensors = batch.to_device(model.device())?;
        let states = model
            .forward_joint(&tensors.ids, &tensors.positions, &tensors.mask)
            .map_err(candle_core::Error::wrap)?; // (B,L,H)
        let mut real = vec![0f32; count * len];
        for (row, length) in real.chunks_mut(len.max(1)).zip(lengths) {
            row[..length].fill(1.0);
        }
        let real = Tensor::from_vec(real, (count, 1, len), model.device())?;
        // The length of a vector does not count, so that the sum is as good as the mean.
        let sums = real.matmul(&states.to_dtype(DType::F32)?)?.squeeze(1)?; // (B,H)
        Ok((sums, count * len))
    }

    /// Logits (2N,2N) of pairs, the partner of each program, and the positions that were computed.
    fn logits(&self, batch: &[&Example]) -> candle_core::Result<(Tensor, Vec<u32>, usize)> {
        let mut programs: Vec<Vec<u32>> = batch.iter().map(|e| e.source.clone()).collect();
        let mut problems = Vec::with_capacity(batch.len());
        for example in batch {
            let (partner, problem) = partner(example)?;
            programs.push(partner.to_vec());
            problems.push(problem);
        }
        let (vectors, positions) = self.vectors(programs)?;
        let (logits, partners) = similarities(&vectors, &problems, self.temperature)?;
        Ok((logits, partners, positions))
    }
}

impl Network for TrainableEncoder {
    /// Of a pair: the mean loss of its two programs, and whether each is the other's nearest.
    fn judge(&self, batch: &[&Example]) -> candle_core::Result<Vec<(f32, bool)>> {
        let (logits, partners, _) = self.logits(batch)?;
        let logits = logits.detach();
        let wanted = Tensor::from_slice(&partners, (partners.len(), 1), logits.device())?;
        let wanted = logits.gather(&wanted, 1)?.squeeze(1)?;
        let losses = (logits.log_sum_exp(1)? - wanted)?.to_vec1::<f32>()?;
        let best = logits.argmax(1)?.to_vec1::<u32>()?;
        let count = batch.len();
        let one = |k: usize| {
            let found = best[k] == partners[k] && best[k + count] == partners[k + count];
            ((losses[k] + losses[k + count]) / 2.0, found)
        };
        Ok((0..count).map(one).collect())
    }

    /// Mean average precision and precision at 1 of programs that are each searched for among all.
    fn scores(&self, batches: &[Vec<Example>]) -> Result<Vec<(String, f64)>, ForeignError> {
        let (mut vectors, mut problems) = (Vec::new(), Vec::new());
        for batch in batches {
            let sources = batch.iter().map(|e| e.source.clone()).collect();
            let sums = self.vectors(sources)?.0.detach().to_vec2::<f32>()?;
            for (mut sum, example) in sums.into_iter().zip(batch) {
                let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
                sum.iter_mut().for_each(|x| *x /= length);
                vectors.push(sum);
                problems.push(partner(example)?.1.to_string());
            }
        }
        let problems: Vec<&str> = problems.iter().map(String::as_str).collect();
        let scores = |query: usize| -> Vec<f64> {
            let of = |vector: &Vec<f32>| cosine(&vectors[query], vector);
            vectors.iter().map(of).collect()
        };
        let way = Way {
            name: String::new(),
            scores: &scores,
            beside: None,
        };
        let found = score_search(&problems, &[way], 0, 0);
        let row = found.rows.first();
        let value = |estimate: Option<f64>| estimate.unwrap_or(0.0);
        Ok(vec![
            ("MAP".to_owned(), value(row.and_then(|row| row.map.value))),
            ("P@1".to_owned(), value(row.and_then(|row| row.first.value))),
        ])
    }
}

impl Trainable for TrainableEncoder {
    fn vars(&self) -> Vec<(String, Var)> {
        self.encoder.vars()
    }

    fn loss(&self, batch: &[&Example]) -> candle_core::Result<BatchLoss> {
        let (logits, partners, padded) = self.logits(batch)?;
        let count = partners.len();
        let device = logits.device();
        let partners = Tensor::from_vec(partners, count, device)?;
        let weights = Tensor::ones(count, DType::F32, device)?;
        let correct = ops::weighted_hits(&logits.detach(), &partners, &weights)?;
        Ok(BatchLoss {
            sum: ops::cross_entropy(&logits, &partners, &weights)?,
            tokens: count,
            weight: count as f64,
            correct,
            padded,
        })
    }

    fn example_losses(&self, batch: &[&Example]) -> candle_core::Result<Vec<f32>> {
        let judged = self.judge(batch)?;
        Ok(judged.into_iter().map(|(loss, _)| loss).collect())
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;
    use serde::Deserialize;

    use super::*;

    /// What `tests/fixtures/make_contrastive_loss.py` computed.
    #[derive(Deserialize)]
    struct Case {
        temperature: f64,
        problems: Vec<u32>,
        vectors: Vec<Vec<f32>>,
        loss: f32,
        gradient: Vec<Vec<f32>>,
    }

    #[test]
    fn the_loss_and_its_gradient_are_those_of_plain_python() {
        let text = include_str!("../../../tests/fixtures/contrastive_loss.json");
        let cases: Vec<Case> = serde_json::from_str(text).unwrap();
        assert!(cases.len() >= 3);
        for case in cases {
            let vectors = Var::new(case.vectors, &Device::Cpu).unwrap();
            let (logits, partners) =
                similarities(&vectors, &case.problems, case.temperature).unwrap();
            let count = partners.len();
            let partners = Tensor::from_vec(partners, count, &Device::Cpu).unwrap();
            let weights = Tensor::ones(count, DType::F32, &Device::Cpu).unwrap();
            let loss = ops::cross_entropy(&logits, &partners, &weights).unwrap();
            let value = loss.to_scalar::<f32>().unwrap();
            assert!(
                (value - case.loss).abs() < 1e-4 * case.loss.max(1.0),
                "{value}"
            );
            let gradients = loss.backward().unwrap();
            let gradient = gradients.get(&vectors).unwrap().to_vec2::<f32>().unwrap();
            for (row, wanted) in gradient.iter().zip(&case.gradient) {
                for (x, y) in row.iter().zip(wanted) {
                    assert!((x - y).abs() < 2e-4 * y.abs().max(1.0), "{x} {y}");
                }
            }
        }
    }

    #[test]
    fn settings_that_make_no_sense_are_named() {
        let of = |settings: SearchSettings| settings.complaint().map(|(key, _)| key);
        let good = SearchSettings::default();
        assert_eq!(of(good), None);
        for (settings, key) in [
            (
                SearchSettings {
                    temperature: 0.0,
                    ..good
                },
                "search.temperature",
            ),
            (
                SearchSettings {
                    temperature: f64::NAN,
                    ..good
                },
                "search.temperature",
            ),
            (
                SearchSettings {
                    partners: 0,
                    ..good
                },
                "search.partners",
            ),
            (
                SearchSettings {
                    most_programs: 1,
                    ..good
                },
                "search.most_programs",
            ),
            (
                SearchSettings {
                    renamed: 1.5,
                    ..good
                },
                "search.renamed",
            ),
        ] {
            assert_eq!(of(settings), Some(key));
        }
    }

    #[test]
    fn problems_have_numbers_and_programs_without_one_their_own() {
        let mut numbers = Numbers::default();
        let all = [Some("a"), None, Some("b"), None, Some("a")].map(|p| numbers.of(p));
        assert_eq!(all, [0, 1, 2, 3, 0]);
    }
}
