//! pass@k of samples in random order, in the new one, and the upper bound.

use std::fmt;

use serde::Serialize;

use super::estimator::pass_at_k;
use super::layout::Verdict;
use crate::statistics::{Bootstrap, Estimate, Share, percent};

/// The numbers of samples that are looked at.
pub(super) const KS: [usize; 3] = [1, 5, 10];

/// One way to choose samples.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PassRow {
    /// Its name.
    pub name: String,
    /// pass@1, pass@5 and pass@10. `None` if problems have fewer samples.
    pub pass: [Estimate; KS.len()],
}

/// pass@k of ways to choose samples.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PassTable {
    /// Problems that are judged.
    pub problems: usize,
    /// Their samples.
    pub samples: usize,
    /// Number of right ones.
    pub right: usize,
    /// The ways.
    pub rows: Vec<PassRow>,
}

/// The score of a problem by which of its samples are right, in input order and in the new order, for a
/// `k`.
type Value<'v> = &'v dyn Fn(&[bool], &[bool], usize) -> Option<f64>;

/// The table of judged problems; `ids` names them. With `resamples` there are intervals over problems.
pub fn pass_table(ids: &[&str], verdicts: &[Verdict], resamples: usize, seed: u64) -> PassTable {
    let judged: Vec<(&str, Vec<bool>, Vec<bool>)> = ids
        .iter()
        .zip(verdicts)
        .filter_map(|(id, verdict)| {
            let right = verdict.right.clone()?;
            let ours = verdict.order.iter().map(|ranked| right[ranked.sample]);
            let ours = ours.collect();
            Some((*id, right, ours))
        })
        .collect();
    let names: Vec<&str> = judged.iter().map(|(id, ..)| *id).collect();
    // One problem has no spread.
    let resamples = if names.len() < 2 { 0 } else { resamples };
    let draws = Bootstrap::new(&names, resamples, seed);
    let row = |name: &str, value: Value<'_>| PassRow {
        name: name.to_owned(),
        pass: KS.map(|k| {
            let of = |(_, right, ours): &(&str, Vec<bool>, Vec<bool>)| {
                let enough = right.len() >= k;
                Share::of_mean(enough.then(|| value(right, ours, k)).flatten())
            };
            let shares: Vec<Share> = judged.iter().map(of).collect();
            draws.estimate(&shares)
        }),
    };
    let count = |right: &[bool]| right.iter().filter(|right| **right).count();
    let bool = |right: bool| Some(f64::from(u8::from(right)));
    PassTable {
        problems: judged.len(),
        samples: judged.iter().map(|(_, right, _)| right.len()).sum(),
        right: judged.iter().map(|(_, right, _)| count(right)).sum(),
        rows: vec![
            row("random order", &|right, _, k| {
                pass_at_k(right.len(), count(right), k)
            }),
            row("this order", &|_, ours, k| {
                bool(ours.iter().take(k).any(|right| *right))
            }),
            row("any sample right", &|right, _, _| bool(count(right) > 0)),
        ],
    }
}

impl fmt::Display for PassTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems = match self.problems {
            1 => "1 problem".to_owned(),
            n => format!("{n} problems"),
        };
        let has_intervals = self.rows.iter().any(|row| row.pass[0].low.is_some());
        let intervals = match has_intervals {
            true => ", with 95 % intervals over problems",
            false => "",
        };
        let (samples, right) = (self.samples, self.right);
        writeln!(
            f,
            "{problems}, {samples} samples, {right} of them right; percent{intervals}\n"
        )?;
        writeln!(f, "| | pass@1 | pass@5 | pass@10 |\n|---|--:|--:|--:|")?;
        for row in &self.rows {
            let cells = row.pass.each_ref().map(percent);
            writeln!(f, "| {} | {} |", row.name, cells.join(" | "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::score::Ranked;
    use super::*;

    fn verdict(right: &[bool], order: &[usize]) -> Verdict {
        let ranked = |&sample: &usize| Ranked {
            sample,
            score: 0.0,
            agreement: 0.0,
            passes: 0,
            reasons: Vec::new(),
        };
        Verdict {
            order: order.iter().map(ranked).collect(),
            right: Some(right.to_vec()),
        }
    }

    #[test]
    fn the_table_counts_problems() {
        let verdicts = [
            verdict(&[false, true, false, false, false], &[1, 0, 2, 3, 4]),
            verdict(&[false, false], &[0, 1]),
            Verdict::default(),
        ];
        let table = pass_table(&["a", "b", "c"], &verdicts, 100, 0);
        assert_eq!((table.problems, table.samples, table.right), (2, 7, 1));
        let value = |row: usize, k: usize| table.rows[row].pass[k].value;
        assert_eq!(value(0, 0), Some(0.1));
        assert_eq!((value(1, 0), value(2, 0)), (Some(0.5), Some(0.5)));
        // Only one problem has five samples, and none ten.
        assert_eq!((value(1, 1), value(1, 2)), (Some(1.0), None));
        let text = table.to_string();
        assert!(
            text.contains("| random order | 10.0 (0.0–20.0) |"),
            "{text}"
        );
        assert_eq!(pass_table(&[], &[], 10, 0).rows[0].pass[0].value, None);
    }
}
