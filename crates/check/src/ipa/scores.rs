//! How well kinds and lines of errors are predicted, as the paper measures it (section 6.1).

use super::kinds::{KINDS, NO_ERROR};

/// One program: its outcome and its prediction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// The class it is of.
    pub class: usize,
    /// The class that is predicted.
    pub predicted: usize,
    /// Minus the logarithm of the probability of its class.
    pub loss: f32,
    /// Whether the predicted line is that of the error. `None` if there is no error, its line is unknown, or the
    /// network names none.
    pub line: Option<bool>,
}

/// Scores of a set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scores {
    /// Mean loss.
    pub loss: f64,
    /// Share of programs with a correct class.
    pub accuracy: f64,
    /// F1 of each class, weighted by frequency.
    pub weighted_f1: f64,
    /// The same over the classes of errors alone.
    pub error_f1: f64,
    /// F1 of error detection.
    pub detection_f1: f64,
    /// Share of known lines that are found; `None` if there are none.
    pub localisation: Option<f64>,
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// F1 of hits among `wanted` and `found`.
fn f1(hits: usize, wanted: usize, found: usize) -> f64 {
    ratio(2 * hits, wanted + found)
}

/// Scores a set.
#[must_use]
pub fn scores(judged: &[Judged]) -> Scores {
    let count = |test: &dyn Fn(&Judged) -> bool| judged.iter().filter(|j| test(j)).count();
    let mean_f1 = |classes: std::ops::Range<usize>| {
        let (mut sum, mut all) = (0.0, 0);
        for class in classes {
            let wanted = count(&|j| j.class == class);
            let found = count(&|j| j.predicted == class);
            let hits = count(&|j| j.class == class && j.predicted == class);
            sum += wanted as f64 * f1(hits, wanted, found);
            all += wanted;
        }
        if all == 0 { 0.0 } else { sum / all as f64 }
    };
    let errors = count(&|j| j.class != NO_ERROR);
    let said = count(&|j| j.predicted != NO_ERROR);
    let both = count(&|j| j.class != NO_ERROR && j.predicted != NO_ERROR);
    let (lines, found) = (
        count(&|j| j.line.is_some()),
        count(&|j| j.line == Some(true)),
    );
    let loss: f64 = judged.iter().map(|j| f64::from(j.loss)).sum();
    Scores {
        loss: loss / judged.len().max(1) as f64,
        accuracy: ratio(count(&|j| j.class == j.predicted), judged.len()),
        weighted_f1: mean_f1(0..KINDS.len()),
        error_f1: mean_f1(NO_ERROR + 1..KINDS.len()),
        detection_f1: f1(both, errors, said),
        localisation: (lines > 0).then(|| ratio(found, lines)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_set_by_hand() {
        let one = |class, predicted, line| Judged {
            class,
            predicted,
            loss: 0.5,
            line,
        };
        // Classes 0, 0, 5, 5, 7.
        let judged = [
            one(0, 0, None),
            one(0, 5, None),
            one(5, 5, Some(true)),
            one(5, 0, Some(false)),
            one(7, 5, Some(false)),
        ];
        let found = scores(&judged);
        assert_eq!(found.loss, 0.5);
        assert_eq!(found.accuracy, 0.4);
        // F1 of class 0: 2*1/(2+2); of 5: 2*1/(2+3); of 7: 0.
        assert!((found.weighted_f1 - (2.0 * 0.5 + 2.0 * 0.4) / 5.0).abs() < 1e-9);
        assert!((found.error_f1 - 2.0 * 0.4 / 3.0).abs() < 1e-9);
        assert!((found.detection_f1 - 2.0 * 2.0 / (3.0 + 3.0)).abs() < 1e-9);
        assert_eq!(found.localisation, Some(1.0 / 3.0));
        assert_eq!(scores(&[]).localisation, None);
    }
}
