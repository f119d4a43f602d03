//! One example's contribution to a score: points earned of points possible.
//!
//! Every score here is a ratio of two sums over examples (accuracy: 1 of 1; micro-averaged recall:
//! right ones of true ones; F1: twice the right ones of true and predicted ones; a mean over
//! programs: the program's value of 1). So one type serves scores, intervals and comparisons.

use std::ops::AddAssign;

use serde::ser::SerializeTuple;
use serde::{Deserialize, Serialize, Serializer};

use super::prf::Counts;

/// A part of a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(from = "(f64, f64)")]
pub struct Share {
    /// The numerator.
    pub got: f64,
    /// The denominator; 0 if the score does not apply to the example.
    pub of: f64,
}

impl Share {
    /// `got` of `of`.
    pub fn new(got: usize, of: usize) -> Self {
        Self {
            got: got as f64,
            of: of as f64,
        }
    }

    /// Whether something is right.
    pub fn of_bool(right: bool) -> Self {
        Self::new(usize::from(right), 1)
    }

    /// The same if there is something to be right about.
    pub fn of_option(right: Option<bool>) -> Self {
        right.map_or_else(Self::default, Self::of_bool)
    }

    /// A program's own value in a mean over programs.
    pub fn of_mean(value: Option<f64>) -> Self {
        value.map_or_else(Self::default, |got| Self { got, of: 1.0 })
    }

    /// Precision, recall and F1 of counts.
    pub fn of_counts(counts: &Counts) -> [Self; 3] {
        [
            Self::new(counts.correct, counts.predicted),
            Self::new(counts.correct, counts.gold),
            Self::new(2 * counts.correct, counts.predicted + counts.gold),
        ]
    }

    /// The ratio. `None` if the whole is 0.
    pub fn value(self) -> Option<f64> {
        (self.of > 0.0).then(|| self.got / self.of)
    }
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.got += other.got;
        self.of += other.of;
    }
}

impl From<(f64, f64)> for Share {
    fn from((got, of): (f64, f64)) -> Self {
        Self { got, of }
    }
}

/// `[got, of]`, whole numbers without a point.
impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_tuple(2)?;
        for part in [self.got, self.of] {
            if part.fract() == 0.0 && part.abs() < 1e15 {
                pair.serialize_element(&(part as i64))?;
            } else {
                pair.serialize_element(&part)?;
            }
        }
        pair.end()
    }
}

/// The sum over examples.
pub fn total(shares: impl IntoIterator<Item = Share>) -> Share {
    let mut sum = Share::default();
    for share in shares {
        sum += share;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_keeps_its_value_in_json() {
        let shares = [Share::new(1, 2), Share::of_mean(Some(0.25))];
        let json = serde_json::to_string(&shares).unwrap();
        assert_eq!(json, "[[1,2],[0.25,1]]");
        assert_eq!(serde_json::from_str::<[Share; 2]>(&json).unwrap(), shares);
    }

    #[test]
    fn sums_are_micro_averages() {
        let counts = Counts {
            predicted: 2,
            gold: 4,
            correct: 2,
        };
        let [precision, recall, f1] = Share::of_counts(&counts);
        assert_eq!((precision.value(), recall.value()), (Some(1.0), Some(0.5)));
        assert!((f1.value().unwrap() - 2.0 / 3.0).abs() < 1e-12);
        let sum = total([
            Share::of_bool(true),
            Share::new(0, 3),
            Share::of_option(None),
        ]);
        assert_eq!(sum.value(), Some(0.25));
        assert_eq!(total([]).value(), None);
    }
}
