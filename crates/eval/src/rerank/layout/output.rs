//! Ranked rows, with the results for each sample.

use serde_json::{Value, json};

use super::super::score::Ranked;
use super::{Fields, Sample, SampleSet};

/// Results for a problem's samples.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// The samples from the best on; numbers are those within the problem.
    pub order: Vec<Ranked>,
    /// Whether each is right, in input order. `None` if not checked.
    pub right: Option<Vec<bool>>,
}

/// The rows of a set in the order of its verdicts, one for each problem. A row gets the fields `codexec_rank`,
/// `codexec_score`, `codexec_agreement`, `codexec_reasons`, `codexec_left_out` and, if samples were judged,
/// `codexec_passed`. In a row with a list of samples, the list and every other list of its length are reordered, and
/// each of these fields is a list; `codexec_order` gives each sample's original position, from 0.
pub fn ranked_rows(set: &SampleSet, verdicts: &[Verdict]) -> Vec<Fields> {
    let mut rows = Vec::with_capacity(set.rows.len());
    for (problem, verdict) in verdicts.iter().enumerate() {
        let samples = set.of(problem);
        let Some(first) = samples.first() else {
            continue;
        };
        let first = &set.samples[*first];
        if let Some(name) = &set.lists[first.row] {
            let all: Vec<&Sample> = samples.iter().map(|&at| &set.samples[at]).collect();
            rows.push(in_order(&set.rows[first.row], name, verdict, &all));
            continue;
        }
        for (rank, ranked) in verdict.order.iter().enumerate() {
            let mut row = set.rows[set.samples[samples[ranked.sample]].row].clone();
            row.insert("codexec_rank".to_owned(), json!(rank + 1));
            let sample = &set.samples[samples[ranked.sample]];
            for (name, value) in found(ranked, verdict, sample) {
                row.insert(name.to_owned(), value);
            }
            rows.push(row);
        }
    }
    rows
}

fn found(ranked: &Ranked, verdict: &Verdict, sample: &Sample) -> Vec<(&'static str, Value)> {
    let mut found = vec![
        ("codexec_score", json!(rounded(ranked.score))),
        ("codexec_agreement", json!(rounded(ranked.agreement))),
        ("codexec_reasons", json!(ranked.reasons)),
        ("codexec_left_out", json!(sample.left_out)),
    ];
    if let Some(right) = &verdict.right {
        found.push(("codexec_passed", json!(right[ranked.sample])));
    }
    found
}

/// Four digits are enough for a score, and the same on every machine.
fn rounded(score: f64) -> f64 {
    (score * 1e4).round() / 1e4
}

fn in_order(row: &Fields, list: &str, verdict: &Verdict, samples: &[&Sample]) -> Fields {
    let count = verdict.order.len();
    let order: Vec<usize> = verdict.order.iter().map(|ranked| ranked.sample).collect();
    let mut row = row.clone();
    for (name, value) in &mut row {
        // As many tests as samples would be chance.
        let beside = name == list || !name.contains("test");
        if let Value::Array(all) = value
            && beside
            && all.len() == count
        {
            *value = order.iter().map(|&at| all[at].clone()).collect();
        }
    }
    row.insert("codexec_order".to_owned(), json!(order));
    for ranked in &verdict.order {
        for (name, value) in found(ranked, verdict, samples[ranked.sample]) {
            let all = row.entry(name).or_insert_with(|| json!([]));
            if let Value::Array(all) = all {
                all.push(value);
            }
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::read_samples;
    use super::*;

    fn verdict(order: &[usize]) -> Verdict {
        let ranked = |&sample: &usize| Ranked {
            sample,
            score: 1.0 / 3.0,
            agreement: 0.0,
            passes: 0,
            reasons: vec![format!("of {sample}")],
        };
        Verdict {
            order: order.iter().map(ranked).collect(),
            right: Some((0..order.len()).map(|at| at == 1).collect()),
        }
    }

    fn set(text: &str) -> SampleSet {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("s.jsonl");
        fs::write(&path, text).unwrap();
        read_samples(&path, None).unwrap()
    }

    #[test]
    fn rows_keep_their_fields_and_problems_their_order() {
        let set = set(
            "{\"id\": \"b\", \"code\": \"1\", \"x\": [1, 2]}\n{\"id\": \"a\", \"code\": \"3\"}\n{\"id\": \"b\", \"code\": \"2\"}\n",
        );
        let rows = ranked_rows(&set, &[verdict(&[1, 0]), verdict(&[0])]);
        let codes: Vec<&str> = rows
            .iter()
            .map(|row| row["code"].as_str().unwrap())
            .collect();
        assert_eq!(codes, ["2", "1", "3"]);
        assert_eq!(rows[1]["x"], json!([1, 2]));
        assert_eq!(rows[1]["codexec_rank"], 2);
        assert_eq!(rows[0]["codexec_score"], 0.3333);
        assert_eq!(rows[0]["codexec_passed"], true);
        assert_eq!(rows[1]["codexec_reasons"], json!(["of 0"]));
        let names: Vec<&String> = rows[0].keys().take(2).collect();
        assert_eq!(names, ["id", "code"]);
    }

    #[test]
    fn lists_are_ordered_together() {
        let set = set(
            "{\"id\": 1, \"code_list\": [\"a\", \"b\"], \"graded_list\": [true, false], \"test_list\": [\"assert 1\", \"assert 2\"]}\n",
        );
        let rows = ranked_rows(&set, &[verdict(&[1, 0])]);
        assert_eq!(rows[0]["code_list"], json!(["b", "a"]));
        assert_eq!(rows[0]["graded_list"], json!([false, true]));
        assert_eq!(rows[0]["test_list"], json!(["assert 1", "assert 2"]));
        assert_eq!(rows[0]["codexec_order"], json!([1, 0]));
        assert_eq!(rows[0]["codexec_passed"], json!([true, false]));
    }
}
