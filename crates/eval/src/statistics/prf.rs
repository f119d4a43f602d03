//! Precision, recall and F1 from counts. Micro-averages only: counts are added up before they are
//! divided. Macro-averages are deliberately absent; the paper does not report them.

use std::ops::AddAssign;

use serde::Serialize;

use super::ratio;

/// Numbers of predicted items, of true items, and of items in both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Items in the predictions.
    pub predicted: usize,
    /// Items in the truths.
    pub gold: usize,
    /// Items that are right.
    pub correct: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.predicted += other.predicted;
        self.gold += other.gold;
        self.correct += other.correct;
    }
}

/// Precision, recall and F1, and the counts they come from.
///
/// A precision without predictions, a recall without truths and an F1 of two zeros are 0, where the
/// reference implementation divides by zero; the counts tell such a 0 from an earned one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Prf {
    /// correct / predicted
    pub precision: f64,
    /// correct / gold
    pub recall: f64,
    /// Harmonic mean of the two.
    pub f1: f64,
    /// Their counts.
    #[serde(flatten)]
    pub counts: Counts,
}

impl From<Counts> for Prf {
    fn from(counts: Counts) -> Self {
        let precision = ratio(counts.correct, counts.predicted).unwrap_or(0.0);
        let recall = ratio(counts.correct, counts.gold).unwrap_or(0.0);
        let sum = precision + recall;
        let f1 = if sum > 0.0 {
            2.0 * precision * recall / sum
        } else {
            0.0
        };
        Self {
            precision,
            recall,
            f1,
            counts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_predicted_scores_zero() {
        let none = Prf::from(Counts {
            predicted: 0,
            gold: 3,
            correct: 0,
        });
        assert_eq!((none.precision, none.recall, none.f1), (0.0, 0.0, 0.0));
    }

    #[test]
    fn f1_is_the_harmonic_mean() {
        let prf = Prf::from(Counts {
            predicted: 2,
            gold: 4,
            correct: 2,
        });
        assert_eq!((prf.precision, prf.recall), (1.0, 0.5));
        assert!((prf.f1 - 2.0 / 3.0).abs() < 1e-12);
    }
}
