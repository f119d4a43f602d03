//! Multiple-instance learning: each statement predicts the kind of its program, by itself, and the program gets the
//! maximum, the mean, or the log-sum-exp of the predictions. Lines are never shown in training; the statement with the
//! highest score for the predicted kind is the line.

use candle_core::{Result, Tensor};

use super::config::MilPooling;
use super::kinds::NO_ERROR;
use codexec_model::ops::{self, MASKED};

/// Logits of programs, (B,C), from those of statements, (S,C), whose programs are `owners`, in order; every program has
/// a statement.
pub(super) fn pool(logits: &Tensor, owners: &[u32], pooling: MilPooling) -> Result<Tensor> {
    let classes = logits.dim(1)?;
    let mut counts: Vec<usize> = Vec::new();
    for owner in owners {
        counts.resize(counts.len().max(*owner as usize + 1), 0);
        counts[*owner as usize] += 1;
    }
    let (programs, most) = (counts.len(), counts.iter().max().map_or(1, |n| *n));
    // Positions beyond the end of a program hold any statement, and are masked.
    let (mut rows, mut mask, mut first) = (Vec::new(), Vec::new(), 0);
    for count in &counts {
        for at in 0..most {
            let is_own = at < *count;
            rows.push(if is_own { first + at as u32 } else { 0 });
            mask.push(is_own);
        }
        first += *count as u32;
    }
    let shape = (programs, most, 1);
    let device = logits.device();
    let as_mask = |own: f32, other: f32| {
        let values = mask.iter().map(|is_own| if *is_own { own } else { other });
        Tensor::from_vec(values.collect::<Vec<f32>>(), shape, device)
    };
    let rows = Tensor::from_vec(rows, programs * most, device)?;
    let padded = ops::embedding(&rows, logits)?.reshape((programs, most, classes))?;
    match pooling {
        MilPooling::Max => padded.broadcast_add(&as_mask(0.0, MASKED)?)?.max(1),
        MilPooling::LogSumExp => padded.broadcast_add(&as_mask(0.0, MASKED)?)?.log_sum_exp(1),
        MilPooling::Mean => {
            let counts: Vec<f32> = counts.iter().map(|count| *count as f32).collect();
            let counts = Tensor::from_vec(counts, (programs, 1), device)?;
            let sum = padded.broadcast_mul(&as_mask(1.0, 0.0)?)?.sum(1)?;
            sum.broadcast_div(&counts)
        }
    }
}

/// The share of each statement of a program in the most probable kind of error: the softmax, over statements, of their
/// logits of that kind. `kinds` are the probabilities of the program.
pub(super) fn shares(logits: &[Vec<f32>], kinds: &[f32]) -> Vec<f32> {
    let of_errors = kinds.iter().enumerate().filter(|(k, _)| *k != NO_ERROR);
    let kind = of_errors
        .max_by(|a, b| a.1.total_cmp(b.1))
        .map_or(0, |(k, _)| k);
    let greatest = logits.iter().map(|row| row[kind]).fold(f32::MIN, f32::max);
    let weights: Vec<f32> = logits
        .iter()
        .map(|row| (row[kind] - greatest).exp())
        .collect();
    let sum: f32 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn statements_are_pooled_by_program() {
        let rows = [[0f32, 1.0], [2.0, -1.0], [5.0, 3.0]];
        let logits = Tensor::new(&rows, &Device::Cpu).unwrap();
        let of = |pooling| -> Vec<Vec<f32>> {
            pool(&logits, &[0, 0, 1], pooling)
                .unwrap()
                .to_vec2()
                .unwrap()
        };
        assert_eq!(of(MilPooling::Max), [[2.0, 1.0], [5.0, 3.0]]);
        assert_eq!(of(MilPooling::Mean), [[1.0, 0.0], [5.0, 3.0]]);
        let found = of(MilPooling::LogSumExp);
        let by_hand = [
            [(1f32 + 2f32.exp()).ln(), (1f32.exp() + (-1f32).exp()).ln()],
            [5.0, 3.0],
        ];
        for (row, wanted) in found.iter().zip(by_hand) {
            assert!(
                row.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5),
                "{found:?}"
            );
        }
    }

    #[test]
    fn the_statement_that_says_most_of_the_kind_has_the_greatest_share() {
        // The second kind is the most probable error; the last statement scores it highest.
        let logits = [
            vec![3.0, 0.0, 0.0],
            vec![0.0, 2.0, 0.0],
            vec![0.0, 0.0, 1.0],
        ];
        let found = shares(&logits, &[0.6, 0.1, 0.3]);
        let sum = 2.0 + 1f32.exp();
        let wanted = [1.0 / sum, 1.0 / sum, 1f32.exp() / sum];
        assert!(
            found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6),
            "{found:?}"
        );
    }
}
