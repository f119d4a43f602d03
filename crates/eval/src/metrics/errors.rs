//! Predictions of runtime errors: the metrics of the Exception IPA-GNN paper ("Static Prediction of Runtime Errors by
//! Learning to Execute Programs with External Resource Descriptions", section 6), and those of a detector.
//!
//! | metric | of what |
//! |---|---|
//! | accuracy | the kind is right, "no error" being one |
//! | weighted F1 | the mean of the F1 of each kind, weighted by how often the kind is true |
//! | weighted error F1 | the same over the kinds of errors alone |
//! | line | of programs that raise and are said to: the line is right |
//! | detection | that it raises, or that it does not, is right |
//! | error line | of programs that raise: it is said, with the right line |
//! | precision, recall | of saying that a program raises, whatever the kind |
//! | detection F1 | the harmonic mean of both |
//! | calibration error | whether the probability of an error is how often there is one (ten bins) |
//!
//! A program without a prediction counts as predicted to end without an error.

use std::collections::BTreeMap;

use serde::Serialize;

use super::calibration::Reliability;
use crate::statistics::bootstrap::{Bootstrap, Estimate};
use crate::statistics::share::Share;

/// The prediction and the truth for one program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Judged {
    /// The true kind; `None` without an error.
    pub truth: Option<String>,
    /// The true line.
    pub truth_line: Option<u32>,
    /// The predicted kind; `None` without an error.
    pub predicted: Option<String>,
    /// The predicted line.
    pub line: Option<u32>,
    /// The predicted probability of an error.
    pub error: f64,
    /// The probability of an end without an error, if the predictor has its own.
    pub clean: f64,
    /// Whether there is a prediction.
    pub said: bool,
}

/// The scores of one predictor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ErrorScores {
    /// Programs.
    pub programs: usize,
    /// Number that raise.
    pub raise: usize,
    /// Programs without a prediction.
    pub unsaid: usize,
    /// The kind is right.
    pub accuracy: Estimate,
    /// Mean F1 of the kinds, "no error" included.
    pub weighted_f1: Estimate,
    /// Mean F1 of the kinds of errors.
    pub weighted_error_f1: Estimate,
    /// The line is right, if both have one.
    pub line: Estimate,
    /// The presence of an error is right.
    pub detection: Estimate,
    /// Share of programs that raise with a predicted error on the right line.
    pub error_line: Estimate,
    /// Share of predicted errors that are real.
    pub precision: Estimate,
    /// Share of programs that raise with a predicted error.
    pub recall: Estimate,
    /// The harmonic mean of precision and recall.
    pub detection_f1: Estimate,
    /// Share of programs without an error with a predicted one.
    pub false_alarms: Estimate,
    /// Calibration of the probability.
    pub calibration: Reliability,
    /// By kind, the most frequent first.
    pub kinds: Vec<KindScores>,
}

/// The scores of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct KindScores {
    /// Its name; that of no error is `No error`.
    pub kind: String,
    /// Programs that end so.
    pub truths: usize,
    /// Programs with a predicted error.
    pub predicted: usize,
    /// Both.
    pub right: usize,
}

/// Scores predictions. `groups` names the unit of resampling, such as the problem.
pub fn score_errors(
    judged: &[Judged],
    groups: &[&str],
    resamples: usize,
    seed: u64,
) -> ErrorScores {
    let draws = Bootstrap::new(groups, resamples, seed);
    let estimate = |share: &dyn Fn(&Judged) -> Share| {
        let shares: Vec<Share> = judged.iter().map(share).collect();
        draws.estimate(&shares)
    };
    let where_some = |holds: bool, right: bool| match holds {
        true => Share::of_bool(right),
        false => Share::default(),
    };
    let kinds = kinds(judged);
    ErrorScores {
        programs: judged.len(),
        raise: judged.iter().filter(|one| one.truth.is_some()).count(),
        unsaid: judged.iter().filter(|one| !one.said).count(),
        accuracy: estimate(&|one| Share::of_bool(one.truth == one.predicted)),
        weighted_f1: draws.estimate_of(|times| weighted_f1(judged, times, true)),
        weighted_error_f1: draws.estimate_of(|times| weighted_f1(judged, times, false)),
        line: estimate(&|one| {
            let both = one.truth.is_some() && one.predicted.is_some();
            where_some(both && one.truth_line.is_some(), one.line == one.truth_line)
        }),
        detection: estimate(&|one| Share::of_bool(one.truth.is_some() == one.predicted.is_some())),
        error_line: estimate(&|one| {
            let said = one.predicted.is_some() && one.line == one.truth_line;
            where_some(one.truth.is_some() && one.truth_line.is_some(), said)
        }),
        precision: estimate(&|one| where_some(one.predicted.is_some(), one.truth.is_some())),
        recall: estimate(&|one| where_some(one.truth.is_some(), one.predicted.is_some())),
        detection_f1: draws.estimate_of(|times| detection_f1(judged, times)),
        false_alarms: estimate(&|one| where_some(one.truth.is_none(), one.predicted.is_some())),
        calibration: Reliability::new(
            "error",
            judged.iter().map(|one| (one.error, one.truth.is_some())),
        ),
        kinds,
    }
}

/// Score of one predictor minus that of another on the same programs, as shares.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ErrorDifference {
    /// The metric.
    pub metric: &'static str,
    /// The difference; its interval excludes 0 if it is significant.
    pub difference: Estimate,
}

impl ErrorDifference {
    /// Whether the interval excludes 0.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        match (self.difference.low, self.difference.high) {
            (Some(low), Some(high)) => low > 0.0 || high < 0.0,
            _ => false,
        }
    }
}

/// Differences of two predictors, `one` minus `other`, scored on the same resamples of groups.
pub fn compare_errors(
    one: &[Judged],
    other: &[Judged],
    groups: &[&str],
    resamples: usize,
    seed: u64,
) -> Vec<ErrorDifference> {
    type Metric = fn(&[Judged], &[u32]) -> Option<f64>;
    let metrics: [(&'static str, Metric); 6] = [
        ("accuracy", |judged, times| {
            weighted(judged, times, |one| Some(one.truth == one.predicted))
        }),
        ("weighted F1", |judged, times| {
            weighted_f1(judged, times, true)
        }),
        ("weighted error F1", |judged, times| {
            weighted_f1(judged, times, false)
        }),
        ("error line", |judged, times| {
            weighted(judged, times, |one| {
                let known = one.truth.is_some() && one.truth_line.is_some();
                known.then(|| one.predicted.is_some() && one.line == one.truth_line)
            })
        }),
        ("detection", |judged, times| {
            weighted(judged, times, |one| {
                Some(one.truth.is_some() == one.predicted.is_some())
            })
        }),
        ("detection F1", detection_f1),
    ];
    let draws = Bootstrap::new(groups, resamples, seed);
    let difference = |(metric, of): (&'static str, Metric)| ErrorDifference {
        metric,
        difference: draws.estimate_of(|times| Some(of(one, times)? - of(other, times)?)),
    };
    metrics.into_iter().map(difference).collect()
}

/// The share that is right among programs with a known result, each weighted by `times`.
fn weighted(judged: &[Judged], times: &[u32], of: fn(&Judged) -> Option<bool>) -> Option<f64> {
    let (mut right, mut all) = (0u64, 0u64);
    for (one, times) in judged.iter().zip(times) {
        if let Some(is_right) = of(one) {
            all += u64::from(*times);
            right += u64::from(is_right) * u64::from(*times);
        }
    }
    (all > 0).then(|| right as f64 / all as f64)
}

/// Predicts the outcome of most programs for each: no error, or one kind, without a line.
pub fn majority(truths: &[Option<String>]) -> Judged {
    let mut counts: BTreeMap<&Option<String>, usize> = BTreeMap::new();
    for truth in truths {
        *counts.entry(truth).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    let raising = truths.iter().filter(|truth| truth.is_some()).count();
    Judged {
        predicted: most.and_then(|(kind, _)| kind.clone()),
        error: raising as f64 / truths.len().max(1) as f64,
        said: true,
        ..Judged::default()
    }
}

fn kinds(judged: &[Judged]) -> Vec<KindScores> {
    let mut kinds: BTreeMap<&Option<String>, KindScores> = BTreeMap::new();
    for one in judged {
        kinds.entry(&one.truth).or_default().truths += 1;
        kinds.entry(&one.predicted).or_default().predicted += 1;
        if one.truth == one.predicted {
            kinds.entry(&one.truth).or_default().right += 1;
        }
    }
    let named = kinds.into_iter().map(|(kind, scores)| KindScores {
        kind: kind
            .clone()
            .unwrap_or_else(|| codexec_data::errors::NO_ERROR.to_owned()),
        ..scores
    });
    let mut named: Vec<KindScores> = named.collect();
    named.sort_by_key(|scores| std::cmp::Reverse(scores.truths));
    named
}

/// The F1 of error detection, with each program weighted by `times`.
fn detection_f1(judged: &[Judged], times: &[u32]) -> Option<f64> {
    let (mut both, mut either) = (0.0, 0.0);
    for (one, times) in judged.iter().zip(times) {
        let (truth, said) = (one.truth.is_some(), one.predicted.is_some());
        let count = |holds: bool| f64::from(u8::from(holds)) * f64::from(*times);
        both += count(truth && said);
        either += count(truth) + count(said);
    }
    (either > 0.0).then(|| 2.0 * both / either)
}

/// The mean of the F1 of each kind, weighted by its truths; each program is weighted by `times`.
fn weighted_f1(judged: &[Judged], times: &[u32], with_no_error: bool) -> Option<f64> {
    let mut counts: BTreeMap<&Option<String>, [f64; 3]> = BTreeMap::new();
    for (one, times) in judged.iter().zip(times) {
        let times = f64::from(*times);
        counts.entry(&one.truth).or_default()[0] += times;
        counts.entry(&one.predicted).or_default()[1] += times;
        if one.truth == one.predicted {
            counts.entry(&one.truth).or_default()[2] += times;
        }
    }
    let (mut sum, mut weight) = (0.0, 0.0);
    for (kind, [truths, predicted, right]) in counts {
        if kind.is_none() && !with_no_error {
            continue;
        }
        if truths > 0.0 {
            sum += truths * 2.0 * right / (truths + predicted);
            weight += truths;
        }
    }
    (weight > 0.0).then(|| sum / weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(truth: Option<(&str, u32)>, predicted: Option<(&str, u32)>, error: f64) -> Judged {
        Judged {
            truth: truth.map(|(kind, _)| kind.to_owned()),
            truth_line: truth.map(|(_, line)| line),
            predicted: predicted.map(|(kind, _)| kind.to_owned()),
            line: predicted.map(|(_, line)| line),
            error,
            clean: 1.0 - error,
            said: true,
        }
    }

    /// Of 40 programs one predictor has 20 more right; with itself a predictor has no difference.
    #[test]
    fn differences_are_of_the_same_programs() {
        let of = |rights: usize| -> Vec<Judged> {
            let one = |k: usize| judged(Some(("A", 1)), (k < rights).then_some(("A", 1)), 0.5);
            (0..40).map(one).collect()
        };
        let names: Vec<String> = (0..40).map(|k| k.to_string()).collect();
        let groups: Vec<&str> = names.iter().map(String::as_str).collect();
        let found = compare_errors(&of(30), &of(10), &groups, 500, 0);
        assert_eq!(
            (found[0].metric, found[0].difference.value),
            ("accuracy", Some(0.5))
        );
        assert!(found[0].is_significant());
        let same = compare_errors(&of(30), &of(30), &groups, 500, 0);
        assert!(same.iter().all(|one| !one.is_significant()));
    }

    /// Values of scikit-learn 1.3's `f1_score(average='weighted')` and `accuracy_score` on the same labels.
    #[test]
    fn scores_are_those_of_scikit_learn() {
        let all = [
            judged(Some(("A", 1)), Some(("A", 1)), 0.9),
            judged(Some(("A", 2)), Some(("B", 2)), 0.8),
            judged(Some(("B", 3)), Some(("B", 9)), 0.7),
            judged(Some(("B", 4)), None, 0.1),
            judged(None, None, 0.0),
            judged(None, Some(("A", 1)), 0.6),
            judged(None, None, 0.2),
        ];
        let groups = ["1", "2", "3", "4", "5", "6", "7"];
        let scores = score_errors(&all, &groups, 200, 0);
        let near = |found: Estimate, wanted: f64| {
            assert!(
                (found.value.unwrap() - wanted).abs() < 1e-9,
                "{found:?} {wanted}"
            );
            assert!(found.low.unwrap() <= wanted && wanted <= found.high.unwrap());
        };
        near(scores.accuracy, 4.0 / 7.0);
        // F1: A 0.5, B 0.5, no error 2/3, with 2, 2 and 3 truths.
        near(
            scores.weighted_f1,
            (2.0 * 0.5 + 2.0 * 0.5 + 3.0 * 2.0 / 3.0) / 7.0,
        );
        near(scores.weighted_error_f1, 0.5);
        near(scores.line, 2.0 / 3.0);
        near(scores.precision, 0.75);
        near(scores.recall, 0.75);
        near(scores.false_alarms, 1.0 / 3.0);
        near(scores.detection, 5.0 / 7.0);
        near(scores.detection_f1, 0.75);
        near(scores.error_line, 0.5);
        assert_eq!((scores.programs, scores.raise, scores.unsaid), (7, 4, 0));
        assert_eq!(scores.kinds[0].kind, "No error");
        assert_eq!(
            (
                scores.kinds[0].truths,
                scores.kinds[0].predicted,
                scores.kinds[0].right
            ),
            (3, 3, 2)
        );
    }

    #[test]
    fn nothing_to_score_is_no_panic() {
        let scores = score_errors(&[], &[], 10, 0);
        assert_eq!(scores.weighted_f1.value, None);
        assert_eq!(scores.calibration.expected_error, None);
        let clean = [judged(None, None, 0.0)];
        let scores = score_errors(&clean, &["a"], 10, 0);
        assert_eq!(
            (scores.accuracy.value, scores.weighted_error_f1.value),
            (Some(1.0), None)
        );
        assert_eq!(scores.precision.value, None);
    }

    #[test]
    fn the_majority_is_what_most_programs_are() {
        let truths = [None, None, Some("A".to_owned())];
        let most = majority(&truths);
        assert_eq!(most.predicted, None);
        assert!((most.error - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(majority(&[]).predicted, None);
    }
}
