//! Two evaluations on the same examples: which scores differ by more than chance.
//!
//! Sets are matched by their examples, not by name. Within a set each evaluated engine's row is the
//! first of its table; baselines and stored rows are not compared.

use std::collections::HashMap;
use std::fmt;

use serde::Serialize;

use super::results::{
    Evaluation, Example, RESULTS_VERSION, SetResults, Table, estimate_cell, heading_row, percent,
    push_row,
};
use crate::statistics::bootstrap::{Bootstrap, Estimate};
use crate::statistics::share::{Share, total};

/// Why two evaluations cannot be compared.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CompareError {
    /// One was written by another version of the program.
    #[error(
        "results of version {found}, this program reads version {RESULTS_VERSION}; evaluate again"
    )]
    Version {
        /// Its version.
        found: u32,
    },
    /// They share no set of examples.
    #[error(
        "no set has the same examples in both ({closest}); evaluate both on the same file with the same --limit"
    )]
    NothingShared {
        /// Similarity of the most similar sets.
        closest: String,
    },
    /// One has lost its per-example contributions.
    #[error(
        "set `{set}` holds no results of single examples; compare files that --json or --out wrote"
    )]
    NoExamples {
        /// The set.
        set: String,
    },
}

/// Scores of two engines on the sets that both were evaluated on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The first engine.
    pub a: String,
    /// The second.
    pub b: String,
    /// Resamples behind the intervals.
    pub bootstrap: usize,
    /// Seed of their draws.
    pub seed: u64,
    /// The sets.
    pub sets: Vec<SetComparison>,
}

/// Scores on one set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetComparison {
    /// Its name in the first evaluation.
    pub name: String,
    /// Number of examples.
    pub examples: usize,
    /// Its scores.
    pub scores: Vec<ScoreComparison>,
}

/// One score of both engines.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreComparison {
    /// The group of metrics.
    pub table: String,
    /// The metric.
    pub metric: String,
    /// Score of the first engine.
    pub a: Option<f64>,
    /// Score of the second.
    pub b: Option<f64>,
    /// Second less first, with the interval of paired resamples.
    pub difference: Estimate,
    /// Whether that interval has 0 outside.
    pub different: bool,
}

/// Compares two evaluations with `samples` paired resamples.
///
/// # Errors
/// If they share no examples, or are not comparable results.
pub fn compare_evaluations(
    a: &Evaluation,
    b: &Evaluation,
    samples: usize,
    seed: u64,
) -> Result<Comparison, CompareError> {
    for found in [a.version, b.version] {
        if found != RESULTS_VERSION {
            return Err(CompareError::Version { found });
        }
    }
    let mut sets = Vec::new();
    for set in &a.sets {
        let same = |other: &&SetResults| same_examples(&set.examples, &other.examples);
        if let Some(other) = b.sets.iter().find(same) {
            sets.push(compare_sets(set, other, samples, seed)?);
        }
    }
    if sets.is_empty() {
        let closest = closest(a, b);
        return Err(CompareError::NothingShared { closest });
    }
    Ok(Comparison {
        a: a.engine.clone(),
        b: b.engine.clone(),
        bootstrap: samples,
        seed,
        sets,
    })
}

/// The same examples, in any order.
fn same_examples(a: &[Example], b: &[Example]) -> bool {
    let sorted = |examples: &[Example]| {
        let mut all: Vec<Example> = examples.to_vec();
        all.sort_by(|x, y| (&x.id, &x.digest).cmp(&(&y.id, &y.digest)));
        all
    };
    a.len() == b.len() && sorted(a) == sorted(b)
}

/// For the message: the two sets with most examples in common.
fn closest(a: &Evaluation, b: &Evaluation) -> String {
    let pairs = a
        .sets
        .iter()
        .flat_map(|x| b.sets.iter().map(move |y| (x, y)));
    let shared = |x: &SetResults, y: &SetResults| {
        x.examples.iter().filter(|e| y.examples.contains(e)).count()
    };
    let nearest = pairs.max_by_key(|(x, y)| shared(x, y));
    nearest.map_or_else(
        || "one of them is empty".to_owned(),
        |(x, y)| {
            format!(
                "`{}` has {} and `{}` has {}, {} of them the same",
                x.name,
                x.examples.len(),
                y.name,
                y.examples.len(),
                shared(x, y)
            )
        },
    )
}

fn compare_sets(
    a: &SetResults,
    b: &SetResults,
    samples: usize,
    seed: u64,
) -> Result<SetComparison, CompareError> {
    let groups: Vec<&str> = a.examples.iter().map(|e| e.group.as_str()).collect();
    let bootstrap = Bootstrap::new(&groups, samples, seed);
    // Where each example of `a` is in `b`.
    let places: HashMap<(&str, &str), usize> = (b.examples.iter().zip(0..))
        .map(|(e, at)| ((e.id.as_str(), e.digest.as_str()), at))
        .collect();
    let order: Vec<usize> = (a.examples.iter())
        .filter_map(|e| places.get(&(e.id.as_str(), e.digest.as_str())).copied())
        .collect();
    let mut scores = Vec::new();
    for table in &a.tables {
        let Some(other) = b.tables.iter().find(|t| t.title == table.title) else {
            continue;
        };
        for (k, metric) in table.metrics.iter().enumerate() {
            let Some(at) = other.metrics.iter().position(|m| m == metric) else {
                continue;
            };
            let ours = column(a, table, k)?;
            let theirs = column(b, other, at)?;
            let theirs: Vec<Share> = (order.iter())
                .filter_map(|at| theirs.get(*at).copied())
                .collect();
            let difference = bootstrap.difference(&ours, &theirs);
            scores.push(ScoreComparison {
                table: table.title.clone(),
                metric: metric.clone(),
                a: total(ours).value(),
                b: total(theirs).value(),
                difference,
                different: difference.excludes_zero(),
            });
        }
    }
    Ok(SetComparison {
        name: a.name.clone(),
        examples: a.examples.len(),
        scores,
    })
}

/// The evaluated engine's results on a metric.
fn column(set: &SetResults, table: &Table, metric: usize) -> Result<Vec<Share>, CompareError> {
    let found = table.column(0, metric);
    if found.len() != set.examples.len() {
        let set = set.name.clone();
        return Err(CompareError::NoExamples { set });
    }
    Ok(found)
}

/// Markdown.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "A: {}\nB: {}", self.a, self.b)?;
        writeln!(
            f,
            "Percent; B less A with its 95 % interval by paired bootstrap over programs \
             ({} resamples, seed {}).",
            self.bootstrap, self.seed
        )?;
        for set in &self.sets {
            writeln!(f, "\n## {}: {} examples", set.name, set.examples)?;
            let mut title = "";
            let mut text = String::new();
            for score in &set.scores {
                if score.table != title {
                    title = &score.table;
                    text += &format!("\n{title}\n\n");
                    text += &heading_row("metric", ["A", "B", "B less A", "verdict"]);
                }
                let verdict = match score.difference.value {
                    Some(by) if score.different && by > 0.0 => "different: B higher",
                    Some(_) if score.different => "different: A higher",
                    Some(_) => "no significant difference",
                    None => "–",
                };
                let cells = [
                    percent(score.a),
                    percent(score.b),
                    estimate_cell(&score.difference),
                    verdict.to_owned(),
                ];
                push_row(&mut text, &score.metric, cells);
            }
            write!(f, "{text}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An evaluation whose engine is right on the examples in `right`.
    fn evaluation(name: &str, count: usize, right: impl Fn(usize) -> bool) -> Evaluation {
        let examples: Vec<Example> = (0..count)
            .map(|k| Example {
                id: k.to_string(),
                group: k.to_string(),
                digest: "d".into(),
            })
            .collect();
        let groups: Vec<&str> = examples.iter().map(|e| e.group.as_str()).collect();
        let shares = (0..count).map(|k| vec![Share::of_bool(right(k))]).collect();
        let mut table = Table::new("Lines", &["exact"]);
        table.push(name, shares, &Bootstrap::new(&groups, 10, 0));
        Evaluation {
            version: RESULTS_VERSION,
            engine: name.to_owned(),
            sets: vec![SetResults {
                name: format!("set of {name}"),
                examples,
                tables: vec![table],
                ..SetResults::default()
            }],
            ..Evaluation::default()
        }
    }

    #[test]
    fn different_is_said_only_beyond_chance() {
        let a = evaluation("a", 200, |k| k % 2 == 0);
        let much = evaluation("b", 200, |k| k % 4 != 1);
        let found = compare_evaluations(&a, &much, 500, 0).unwrap();
        assert!(found.sets[0].scores[0].different);
        assert!(found.to_string().contains("different: B higher"), "{found}");
        let back = compare_evaluations(&much, &a, 500, 0).unwrap();
        assert!(back.to_string().contains("different: A higher"), "{back}");
        // One more right than wrong where they differ: not significant.
        let little = evaluation("c", 200, |k| {
            if k < 5 {
                k % 2 == 1 || k == 0
            } else {
                k % 2 == 0
            }
        });
        let found = compare_evaluations(&a, &little, 500, 0).unwrap();
        assert!(!found.sets[0].scores[0].different, "{found}");
        assert!(
            found.to_string().contains("no significant difference"),
            "{found}"
        );
    }

    #[test]
    fn examples_are_paired_by_id_not_by_place() {
        let a = evaluation("a", 100, |k| k % 3 == 0);
        let mut turned = a.clone();
        let set = &mut turned.sets[0];
        set.examples.reverse();
        set.tables[0].rows[0].examples.reverse();
        let found = compare_evaluations(&a, &turned, 100, 0).unwrap();
        let score = &found.sets[0].scores[0];
        assert_eq!(score.difference.low, Some(0.0));
        assert_eq!(score.difference.high, Some(0.0));
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let a = evaluation("a", 10, |_| true);
        let fewer = evaluation("b", 9, |_| true);
        let said = compare_evaluations(&a, &fewer, 10, 0)
            .unwrap_err()
            .to_string();
        assert!(said.contains("9 of them the same"), "{said}");
        let mut old = a.clone();
        old.version = 0;
        let refused = compare_evaluations(&a, &old, 10, 0);
        assert_eq!(refused, Err(CompareError::Version { found: 0 }));
        let short = compare_evaluations(&a, &a.summary(), 10, 0);
        assert!(matches!(short, Err(CompareError::NoExamples { .. })));
    }
}
