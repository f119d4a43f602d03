//! How good a search of code by code is: mean average precision and precision at 1, by problem.
//!
//! Every program is a query once, and all others are searched. Those of its problem are correct. Queries without
//! another program of their problem are left out.

use std::fmt;

use serde::Serialize;

use crate::statistics::bootstrap::{Bootstrap, Estimate};
use crate::statistics::percent;
use crate::statistics::share::Share;

/// The scores of one way to search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchRow {
    /// Its name.
    pub name: String,
    /// Mean average precision.
    pub map: Estimate,
    /// Precision of the first result.
    pub first: Estimate,
    /// Mean average precision less that of the row that it is compared with.
    pub gain: Option<Estimate>,
}

/// The table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchScores {
    /// Programs that are searched.
    pub programs: usize,
    /// Queries.
    pub queries: usize,
    /// Problems of the queries.
    pub problems: usize,
    /// The ways.
    pub rows: Vec<SearchRow>,
}

/// A way to search: the score of every program for a query.
pub struct Way<'w> {
    /// Its name.
    pub name: String,
    /// Scores of all programs, the query's own among them, which is passed over.
    pub scores: &'w dyn Fn(usize) -> Vec<f64>,
    /// The row that it is compared with.
    pub beside: Option<usize>,
}

/// Scores ways to search. `problems` names the problem of each program.
pub fn score_search(
    problems: &[&str],
    ways: &[Way<'_>],
    resamples: usize,
    seed: u64,
) -> SearchScores {
    let others = |query: usize| {
        let same = problems.iter().filter(|p| **p == problems[query]);
        same.count() - 1
    };
    let queries: Vec<usize> = (0..problems.len()).filter(|&q| others(q) > 0).collect();
    let names: Vec<&str> = queries.iter().map(|&q| problems[q]).collect();
    let draws = Bootstrap::new(&names, resamples, seed);
    let mut shares: Vec<Vec<Share>> = Vec::new();
    let mut rows: Vec<SearchRow> = Vec::new();
    for way in ways {
        let mut found = (Vec::new(), Vec::new());
        for &query in &queries {
            let right = ranked(&(way.scores)(query), query, problems);
            found.0.push(Share::of_mean(average_precision(&right)));
            found.1.push(Share::of_option(right.first().copied()));
        }
        let beside = way.beside.and_then(|at| shares.get(at));
        rows.push(SearchRow {
            name: way.name.clone(),
            map: draws.estimate(&found.0),
            first: draws.estimate(&found.1),
            gain: beside.map(|beside| draws.difference(beside, &found.0)),
        });
        shares.push(found.0);
    }
    let mut distinct = names;
    distinct.sort_unstable();
    distinct.dedup();
    SearchScores {
        programs: problems.len(),
        queries: queries.len(),
        problems: distinct.len(),
        rows,
    }
}

/// Whether each program is correct, from the best score on; ties keep their order.
fn ranked(scores: &[f64], query: usize, problems: &[&str]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|&at| at != query).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let is_right = |at: usize| problems[at] == problems[query];
    order.into_iter().map(is_right).collect()
}

/// The mean of the precisions at the positions of the correct ones. `None` if none is correct.
pub fn average_precision(right: &[bool]) -> Option<f64> {
    let (mut found, mut sum) = (0usize, 0.0);
    for (place, is_right) in (1..).zip(right) {
        if *is_right {
            found += 1;
            sum += found as f64 / f64::from(place);
        }
    }
    (found > 0).then(|| sum / found as f64)
}

impl fmt::Display for SearchScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} programs, {} queries of {} problems; percent, with 95 % intervals over problems\n",
            self.programs, self.queries, self.problems
        )?;
        writeln!(
            f,
            "| | MAP | P@1 | MAP, more than the encoder |\n|---|--:|--:|--:|"
        )?;
        for row in &self.rows {
            let gain = row.gain.as_ref().map_or("–".to_owned(), percent);
            let (map, first) = (percent(&row.map), percent(&row.first));
            writeln!(f, "| {} | {map} | {first} | {gain} |", row.name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn average_precision_has_its_known_values() {
        // Manning, Raghavan and Schütze, "Introduction to Information Retrieval", chapter 8.
        let found = average_precision(&[true, false, true, false, false, true]);
        assert!((found.unwrap() - (1.0 + 2.0 / 3.0 + 3.0 / 6.0) / 3.0).abs() < 1e-12);
        assert_eq!(average_precision(&[false, true]), Some(0.5));
        assert_eq!(average_precision(&[false]), None);
        assert_eq!(average_precision(&[]), None);
    }

    #[test]
    fn queries_have_another_program_of_their_problem() {
        let problems = ["a", "b", "a", "b", "c"];
        let knows = |query: usize| -> Vec<f64> {
            let same = |p: &&str| f64::from(u8::from(*p == problems[query]));
            problems.iter().map(same).collect()
        };
        let reads = |_: usize| vec![0.0; 5];
        let way = |name: &str, scores, beside| Way {
            name: name.to_owned(),
            scores,
            beside,
        };
        let ways = [
            way("order", &reads, None),
            way("knows", &knows as _, Some(0)),
        ];
        let scores = score_search(&problems, &ways, 50, 0);
        assert_eq!((scores.queries, scores.problems), (4, 2));
        assert_eq!(scores.rows[1].map.value, Some(1.0));
        assert_eq!(scores.rows[1].first.value, Some(1.0));
        // Of four others the right one is second, third, first and second.
        let map = (0.5 + 1.0 / 3.0 + 1.0 + 0.5) / 4.0;
        assert!((scores.rows[0].map.value.unwrap() - map).abs() < 1e-12);
        assert!(
            scores.rows[1]
                .gain
                .is_some_and(|gain| gain.value.unwrap() > 0.4)
        );
        assert!(scores.to_string().contains("| knows | 100.0 (100.0–100.0)"));
    }
}
