//! Calibration: of predictions with 80 % confidence, four of five should be right. Ten bins of equal
//! width, and the expected calibration error: the mean distance of confidence and accuracy over the
//! bins, weighted by their size.

use serde::{Deserialize, Serialize};

const BINS: usize = 10;

/// A reliability table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    /// The kind of confidence.
    pub of: String,
    /// Predictions with a confidence.
    pub count: usize,
    /// Expected calibration error. `None` without predictions.
    pub expected_error: Option<f64>,
    /// The bins, from 0 to 1.
    pub bins: Vec<Bin>,
}

/// Predictions of about the same confidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Least confidence.
    pub from: f64,
    /// Upper bound of the confidences, exclusive except for 1 in the last bin.
    pub to: f64,
    /// Predictions in it.
    pub count: usize,
    /// Their mean confidence.
    pub confidence: Option<f64>,
    /// The share that is right.
    pub accuracy: Option<f64>,
}

impl Reliability {
    /// Puts predictions, each a confidence in 0..=1 and whether it is right, into bins. NaN is left
    /// out.
    pub fn new(of: &str, predictions: impl IntoIterator<Item = (f64, bool)>) -> Self {
        let mut sums = [(0usize, 0.0f64, 0usize); BINS];
        for (confidence, right) in predictions {
            if confidence.is_nan() {
                continue;
            }
            let confidence = confidence.clamp(0.0, 1.0);
            let bin = ((confidence * BINS as f64) as usize).min(BINS - 1);
            let (count, sum, rights) = &mut sums[bin];
            *count += 1;
            *sum += confidence;
            *rights += usize::from(right);
        }
        let all: usize = sums.iter().map(|(count, _, _)| count).sum();
        let gap: f64 = sums
            .iter()
            .map(|(_, sum, rights)| (sum - *rights as f64).abs())
            .sum();
        let bins = sums.iter().enumerate().map(|(k, (count, sum, rights))| {
            let mean = |sum: f64| (*count > 0).then(|| sum / *count as f64);
            Bin {
                from: k as f64 / BINS as f64,
                to: (k + 1) as f64 / BINS as f64,
                count: *count,
                confidence: mean(*sum),
                accuracy: mean(*rights as f64),
            }
        });
        Self {
            of: of.to_owned(),
            count: all,
            expected_error: (all > 0).then(|| gap / all as f64),
            bins: bins.collect(),
        }
    }
}

/// The temperature (divisor of log-odds) that maximises the likelihood of the predictions (Guo et al. 2017, section
/// 4.2, for one probability), by golden section search. `None` if all are right or none is.
pub fn fit_temperature(predictions: &[(f64, bool)]) -> Option<f64> {
    /// Temperatures are looked for between this and its inverse.
    const GREATEST: f64 = 20.0;
    const STEPS: usize = 60;
    let odds: Vec<(f64, bool)> = predictions
        .iter()
        .map(|(confidence, right)| {
            let p = confidence.clamp(1e-6, 1.0 - 1e-6);
            ((p / (1.0 - p)).ln(), *right)
        })
        .collect();
    let rights = odds.iter().filter(|(_, right)| *right).count();
    if rights == 0 || rights == odds.len() {
        return None;
    }
    let loss = |temperature: f64| -> f64 {
        let one = |(odds, right): &(f64, bool)| {
            let signed = if *right { *odds } else { -*odds } / temperature;
            // ln(1 + exp(-signed)) without overflow.
            (-signed.abs()).exp().ln_1p() + (-signed).max(0.0)
        };
        odds.iter().map(one).sum()
    };
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (-GREATEST.ln(), GREATEST.ln());
    for _ in 0..STEPS {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if loss(left.exp()) < loss(right.exp()) {
            high = right;
        } else {
            low = left;
        }
    }
    Some(f64::midpoint(low, high).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a thousand predictions per confidence, as many are right as a temperature of two implies.
    #[test]
    fn a_temperature_is_found_again() {
        let mut predictions = Vec::new();
        for confidence in [0.05, 0.3, 0.7, 0.9, 0.99f64] {
            let odds = (confidence / (1.0 - confidence)).ln() / 2.0;
            let rights = (1000.0 / (1.0 + (-odds).exp())).round() as usize;
            predictions.extend((0..1000).map(|k| (confidence, k < rights)));
        }
        let found = fit_temperature(&predictions).unwrap();
        assert!((found - 2.0).abs() < 0.02, "{found}");
        assert_eq!(fit_temperature(&[(0.5, true)]), None);
    }

    #[test]
    fn the_error_is_the_weighted_gap() {
        // Three of four right at 0.75: no gap. One wrong at 0.95: a gap of 0.95.
        let sure = [(0.75, true), (0.75, true), (0.75, true), (0.75, false)];
        let table = Reliability::new("trace", sure);
        assert_eq!(table.expected_error, Some(0.0));
        assert_eq!(table.bins[7].accuracy, Some(0.75));
        let table = Reliability::new("trace", sure.into_iter().chain([(0.95, false)]));
        assert!((table.expected_error.unwrap() - 0.19).abs() < 1e-12);
        assert_eq!((table.count, table.bins[9].count), (5, 1));
    }

    #[test]
    fn ends_and_nothing_are_no_panic() {
        let table = Reliability::new("trace", [(1.0, true), (0.0, false), (f64::NAN, true)]);
        assert_eq!(table.expected_error, Some(0.0));
        assert_eq!((table.bins[0].count, table.bins[9].count), (1, 1));
        assert_eq!(Reliability::new("trace", []).expected_error, None);
    }
}
