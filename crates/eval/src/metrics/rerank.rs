//! Evaluates sample orders: pass@k of several ways to choose, on problems with known correct samples.

use std::fmt;

use serde::Serialize;

use crate::rerank::{SampleSet, Test, pass_at_k, rank};
use crate::statistics::bootstrap::{Bootstrap, Estimate};
use crate::statistics::percent;
use crate::statistics::share::{Share, total};
use codexec_engine::outputs::Told;

/// The numbers of samples that are looked at.
const KS: [usize; 2] = [1, 5];

/// One way to choose samples.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RerankRow {
    /// Its name.
    pub name: String,
    /// pass@1 and pass@5, with intervals over problems.
    pub pass: [Estimate; KS.len()],
    /// pass@1 less that of the random order.
    pub gain: Estimate,
    /// For an engine: share of the public tests with a predicted output or failure.
    pub told: Option<f64>,
    /// For an engine: share of these predictions that agree with execution, if that was also queried.
    pub right: Option<f64>,
}

/// The table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RerankScores {
    /// Problems.
    pub problems: usize,
    /// Their samples.
    pub samples: usize,
    /// Number of right ones.
    pub right: usize,
    /// The ways.
    pub rows: Vec<RerankRow>,
}

/// An engine's predictions for the set's programs.
pub struct OfEngine {
    /// Its name.
    pub name: String,
    /// Whether it executes.
    pub executes: bool,
    /// An answer for each sample and test, as [`crate::rerank::programs`] lists them.
    pub told: Vec<Told>,
}

/// Scores orders: random, shortest first, and for each engine its tests and its majority. `right` marks the correct
/// samples of every problem.
pub fn score_rerank(
    set: &SampleSet,
    right: &[Vec<bool>],
    engines: &[OfEngine],
    resamples: usize,
    seed: u64,
) -> RerankScores {
    let ids: Vec<&str> = set.problems.iter().map(|p| p.id.as_str()).collect();
    let draws = Bootstrap::new(&ids, resamples, seed);
    let samples: Vec<Vec<usize>> = (0..set.problems.len()).map(|at| set.of(at)).collect();
    let count = |right: &Vec<bool>| right.iter().filter(|right| **right).count();
    let random = KS.map(|k| -> Vec<Share> {
        let of = |right: &Vec<bool>| Share::of_mean(pass_at_k(right.len(), count(right), k));
        right.iter().map(of).collect()
    });
    let row = |name: &str, shares: &[Vec<Share>; KS.len()]| RerankRow {
        name: name.to_owned(),
        pass: shares.each_ref().map(|shares| draws.estimate(shares)),
        gain: draws.difference(&random[0], &shares[0]),
        told: None,
        right: None,
    };
    let by_order = |order: &dyn Fn(usize) -> Vec<usize>| {
        KS.map(|k| -> Vec<Share> {
            let of = |problem: usize| {
                let right = &right[problem];
                let found = order(problem).iter().take(k).any(|&at| right[at]);
                Share::of_option((right.len() >= k).then_some(found))
            };
            (0..right.len()).map(of).collect()
        })
    };
    let shortest = by_order(&|problem| {
        let mut order: Vec<usize> = (0..samples[problem].len()).collect();
        order.sort_by_key(|&at| set.samples[samples[problem][at]].code.len());
        order
    });
    let mut rows = vec![row("random", &random), row("shortest first", &shortest)];
    let executed = engines.iter().find(|engine| engine.executes);
    for engine in engines {
        let told = of_problems(set, &engine.told);
        let majority: Vec<Vec<usize>> = orders(set, &told, &without_expected);
        let by_tests = orders(set, &told, &<[Test]>::to_vec);
        let name = format!("majority of {}", engine.name);
        rows.push(row(&name, &by_order(&|problem| majority[problem].clone())));
        let mut found = row(
            &engine.name,
            &by_order(&|problem| by_tests[problem].clone()),
        );
        let known = |told: &&Told| !matches!(told, Told::Unknown { .. });
        let count = engine.told.iter().filter(known).count();
        found.told = Share::new(count, engine.told.len()).value();
        if let Some(executed) = executed.filter(|_| !engine.executes) {
            let both = engine.told.iter().zip(&executed.told);
            let same = both.filter_map(|(told, truth)| match (told, truth) {
                (Told::Unknown { .. }, _) => None,
                (Told::Printed { text: a, .. }, Told::Printed { text: b, .. }) => Some(a == b),
                (Told::Failed { .. }, Told::Failed { .. }) => Some(true),
                _ => Some(false),
            });
            found.right = total(same.map(Share::of_bool)).value();
        }
        rows.push(found);
    }
    RerankScores {
        problems: set.problems.len(),
        samples: set.samples.len(),
        right: right.iter().map(count).sum(),
        rows,
    }
}

/// Predictions, by problem and sample.
fn of_problems(set: &SampleSet, told: &[Told]) -> Vec<Vec<Vec<Told>>> {
    let mut told = told.iter().cloned();
    let mut found = vec![Vec::new(); set.problems.len()];
    for sample in &set.samples {
        let tests = set.problems[sample.problem].tests.len();
        found[sample.problem].push(told.by_ref().take(tests).collect());
    }
    found
}

fn orders(
    set: &SampleSet,
    told: &[Vec<Vec<Told>>],
    tests: &dyn Fn(&[Test]) -> Vec<Test>,
) -> Vec<Vec<usize>> {
    let all = set.problems.iter().zip(told);
    all.map(|(problem, told)| {
        let ranked = rank(&tests(&problem.tests), told);
        ranked.iter().map(|ranked| ranked.sample).collect()
    })
    .collect()
}

fn without_expected(tests: &[Test]) -> Vec<Test> {
    let without = |test: &Test| match test.clone() {
        Test::Call { call, .. } => Test::Call {
            call,
            expected: None,
        },
        Test::Input { stdin, .. } => Test::Input {
            stdin,
            expected: None,
        },
    };
    tests.iter().map(without).collect()
}

impl fmt::Display for RerankScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} problems, {} candidates, {} of them right; percent, with 95 % intervals over problems\n",
            self.problems, self.samples, self.right
        )?;
        writeln!(
            f,
            "| | pass@1 | pass@5 | pass@1, more than random | outputs told | of them right |\n|---|--:|--:|--:|--:|--:|"
        )?;
        let part =
            |part: Option<f64>| part.map_or("–".to_owned(), |p| format!("{:.1}", 100.0 * p));
        for row in &self.rows {
            let gain = match row.name.as_str() {
                "random" => "–".to_owned(),
                _ => percent(&row.gain),
            };
            let [one, five] = row.pass.each_ref().map(percent);
            let (told, right) = (part(row.told), part(row.right));
            let name = &row.name;
            writeln!(f, "| {name} | {one} | {five} | {gain} | {told} | {right} |")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rerank::read_samples;

    #[test]
    fn an_engine_that_knows_what_is_printed_finds_the_right_one() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("s.jsonl");
        let case = r#"[{"input": "", "output": "1"}]"#;
        let rows = ["a", "b"].map(|id| {
            format!(
                "{{\"question_id\": \"{id}\", \"public_test_cases\": {case}, \"code_list\": [\"p(22)\", \"p(333)\", \"p(1)\", \"p(4444)\"], \"right\": [false, false, true, false]}}\n"
            )
        });
        std::fs::write(&path, rows.concat()).unwrap();
        let set = read_samples(&path, None).unwrap();
        let right: Vec<Vec<bool>> = (0..2).map(|at| set.known_right(at).unwrap()).collect();
        let prints = |text: &str| Told::Printed {
            text: text.to_owned(),
            confidence: 1.0,
        };
        let truth = ["2", "2", "1", "2"].map(prints);
        let executed = OfEngine {
            name: "run".to_owned(),
            executes: true,
            told: [truth.clone(), truth.clone()].concat(),
        };
        let mut wrong = truth;
        wrong[0] = prints("1");
        wrong[2] = Told::Unknown { why: String::new() };
        let predicted = OfEngine {
            name: "plan".to_owned(),
            executes: false,
            told: [wrong.clone(), wrong].concat(),
        };
        let scores = score_rerank(&set, &right, &[predicted, executed], 50, 0);
        let one = |name: &str| {
            let row = scores.rows.iter().find(|row| row.name == name).unwrap();
            row.pass[0].value.unwrap()
        };
        assert_eq!((one("random"), one("shortest first")), (0.25, 1.0));
        assert_eq!((one("plan"), one("run")), (0.0, 1.0));
        assert_eq!(one("majority of run"), 0.0);
        let plan = scores.rows.iter().find(|row| row.name == "plan").unwrap();
        assert_eq!(plan.told, Some(0.75));
        assert_eq!(plan.right, Some(2.0 / 3.0));
        assert!(
            scores
                .to_string()
                .contains("| random | 25.0 (25.0–25.0) | – | – |")
        );
    }
}
