//! Ranks a problem's samples by predicted output.
//!
//! With expected outputs, the score is the probability that a test passes, averaged over the tests. For a prediction
//! with confidence `c` that is a mixture: the prediction with probability `c`, and otherwise the share of tests that
//! samples of this problem pass. A prediction that stopped has `c = 0`. That share is
//! `(1 + Σ c over tests predicted to pass) / (2 + Σ c over all)`.
//!
//! Without expected outputs, samples that print the same on all inputs form a group. The score is the group's share
//! of the problem's samples, weighted by confidence: the largest group wins. The same share breaks ties between
//! scores of the first kind. Remaining ties keep the input order.

use serde::Serialize;

use super::test::{Test, short};
use codexec_engine::outputs::Told;

/// A sample in the new order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ranked {
    /// Which sample of the problem, from 0.
    pub sample: usize,
    /// Its score, in 0..=1.
    pub score: f64,
    /// The share of the samples with the same output, in 0..=1.
    pub agreement: f64,
    /// Tests with an expected output that it is predicted to pass.
    pub passes: usize,
    /// The results, one line for each test.
    pub reasons: Vec<String>,
}

/// Samples from the best on; `told` has an answer for each sample and test.
///
/// ```
/// use codexec_engine::outputs::Told;
/// use codexec_eval::rerank::{Test, rank};
/// let tests = [Test::Input { stdin: "2".into(), expected: Some("4".into()) }];
/// let prints = |text: &str, confidence| vec![Told::Printed { text: text.into(), confidence }];
/// let order = rank(&tests, &[prints("5", 0.9), prints("4", 0.6), prints("4", 0.8)]);
/// let samples: Vec<usize> = order.iter().map(|ranked| ranked.sample).collect();
/// assert_eq!(samples, [2, 1, 0]);
/// ```
pub fn rank(tests: &[Test], told: &[Vec<Told>]) -> Vec<Ranked> {
    let judged = tests.iter().any(|test| test.expected().is_some());
    let usual = usual(tests, told);
    let agreement = agreement(tests, told);
    let mut ranked: Vec<Ranked> = told
        .iter()
        .enumerate()
        .map(|(sample, told)| {
            let (mut sum, mut count, mut passes) = (0.0, 0, 0);
            let mut reasons = Vec::with_capacity(tests.len());
            for (test, told) in tests.iter().zip(told) {
                let passed = passed(test, told);
                if test.expected().is_some() {
                    let sure = f64::from(told.confidence());
                    let predicted = f64::from(u8::from(passed == Some(true)));
                    sum += sure * predicted + (1.0 - sure) * usual;
                    count += 1;
                    passes += usize::from(passed == Some(true));
                }
                reasons.push(reason(test, told, passed));
            }
            Ranked {
                sample,
                score: match (judged, count) {
                    (true, count) => sum / count as f64,
                    (false, _) => agreement[sample],
                },
                agreement: agreement[sample],
                passes,
                reasons,
            }
        })
        .collect();
    let key = |ranked: &Ranked| (ranked.score, ranked.agreement);
    ranked.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    ranked
}

/// Whether a test is predicted to pass. `None` if unknown.
fn passed(test: &Test, told: &Told) -> Option<bool> {
    match told {
        Told::Printed { text, .. } => test.passes(text),
        Told::Failed { .. } => test.expected().map(|_| false),
        Told::Unknown { .. } => None,
    }
}

/// The share of tests that samples pass, as far as known.
fn usual(tests: &[Test], told: &[Vec<Told>]) -> f64 {
    let (mut pass, mut all) = (1.0, 2.0);
    for told in told {
        for (test, told) in tests.iter().zip(told) {
            if let Some(passed) = passed(test, told) {
                let sure = f64::from(told.confidence());
                all += sure;
                pass += if passed { sure } else { 0.0 };
            }
        }
    }
    pass / all
}

/// For each sample the part of all samples that print the same on every test, weighted by their confidence.
fn agreement(tests: &[Test], told: &[Vec<Told>]) -> Vec<f64> {
    let same = |one: &[Told], other: &[Told]| {
        let mut all = tests.iter().zip(one.iter().zip(other));
        all.all(|(test, (one, other))| match (one.text(), other.text()) {
            (Some(one), Some(other)) => test.agree(one, other),
            _ => false,
        })
    };
    let sure = |told: &[Told]| -> f64 { told.iter().map(|t| f64::from(t.confidence())).product() };
    // The first of each group, and the weight of the group.
    let mut groups: Vec<(usize, f64)> = Vec::new();
    let mut group_of = Vec::with_capacity(told.len());
    for (at, outputs) in told.iter().enumerate() {
        let known = tests.is_empty() || outputs.iter().any(|told| told.text().is_none());
        if known {
            group_of.push(None);
            continue;
        }
        let found = groups
            .iter()
            .position(|(first, _)| same(&told[*first], outputs));
        let group = found.unwrap_or_else(|| {
            groups.push((at, 0.0));
            groups.len() - 1
        });
        groups[group].1 += sure(outputs);
        group_of.push(Some(group));
    }
    let part = |group: Option<usize>| group.map_or(0.0, |g| groups[g].1 / told.len() as f64);
    group_of.into_iter().map(part).collect()
}

fn reason(test: &Test, told: &Told, passed: Option<bool>) -> String {
    let name = test.name();
    match told {
        Told::Unknown { why } => format!("not known: {name}: {why}"),
        Told::Failed { why, confidence } => format!("fails: {name} {why} ({confidence:.2})"),
        Told::Printed { text, confidence } => {
            let answer = short(&format!("{:?}", test.answer(text).trim_end()));
            match passed {
                Some(true) => format!("passes: {name} ({confidence:.2})"),
                Some(false) => format!("fails: {name} gives {answer} ({confidence:.2})"),
                None => format!("{name} gives {answer} ({confidence:.2})"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(expected: Option<&str>) -> Test {
        Test::Input {
            stdin: "1".to_owned(),
            expected: expected.map(str::to_owned),
        }
    }

    fn prints(text: &str, confidence: f32) -> Told {
        Told::Printed {
            text: text.to_owned(),
            confidence,
        }
    }

    fn unknown() -> Told {
        Told::Unknown {
            why: "planning stopped, line 2: open".to_owned(),
        }
    }

    fn order(ranked: &[Ranked]) -> Vec<usize> {
        ranked.iter().map(|r| r.sample).collect()
    }

    #[test]
    fn what_passes_stands_before_what_is_not_known_and_that_before_what_fails() {
        let raises = Told::Failed {
            why: "raises KeyError".to_owned(),
            confidence: 1.0,
        };
        let told = [
            vec![raises],
            vec![unknown()],
            vec![prints("4", 0.9)],
            vec![prints("5", 0.9)],
        ];
        let ranked = rank(&[test(Some("4"))], &told);
        assert_eq!(order(&ranked), [2, 1, 3, 0]);
        // (1 + 0.9) / (2 + 1 + 0.9 + 0.9)
        let usual = 1.9 / 4.8;
        assert!((ranked[1].score - usual).abs() < 1e-6, "{ranked:?}");
        assert!((ranked[0].score - (0.9 + 0.1 * usual)).abs() < 1e-6);
        assert!(ranked[1].reasons[0].contains("planning stopped, line 2"));
        assert_eq!(ranked[0].passes, 1);
    }

    #[test]
    fn executions_are_ranked_by_the_tests_they_pass() {
        let tests = [test(Some("4")), test(Some("6"))];
        let told = [
            vec![prints("4", 1.0), prints("5", 1.0)],
            vec![prints("4", 1.0), prints("6", 1.0)],
        ];
        let ranked = rank(&tests, &told);
        assert_eq!(order(&ranked), [1, 0]);
        assert_eq!((ranked[0].score, ranked[1].score), (1.0, 0.5));
    }

    #[test]
    fn without_expected_outputs_the_largest_group_wins() {
        let told = [
            vec![prints("5", 1.0)],
            vec![prints("4\n", 0.9)],
            vec![unknown()],
            vec![prints("4", 0.8)],
        ];
        let ranked = rank(&[test(None)], &told);
        assert_eq!(order(&ranked), [1, 3, 0, 2]);
        assert!((ranked[0].score - 1.7 / 4.0).abs() < 1e-6);
        assert_eq!(ranked[3].score, 0.0);
        // A surer prediction outweighs two that are hardly any.
        let told = [prints("4", 0.2), prints("4", 0.2), prints("5", 0.9)].map(|t| vec![t]);
        assert_eq!(order(&rank(&[test(None)], &told)), [2, 0, 1]);
    }

    #[test]
    fn equal_samples_stay_as_they_came_and_agreement_decides_first() {
        let told: Vec<Vec<Told>> = ["7", "5", "6", "5"].map(|t| vec![prints(t, 1.0)]).into();
        assert_eq!(order(&rank(&[test(Some("4"))], &told)), [1, 3, 0, 2]);
        assert_eq!(order(&rank(&[], &[vec![], vec![]])), [0, 1]);
        assert!(rank(&[test(None)], &[]).is_empty());
    }
}
