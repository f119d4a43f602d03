//! The metrics against vectors whose scores do not come from this code: committed ones, written by
//! `fixtures/make_metric_vectors.py`, and, where they are at hand, those that the reference
//! implementation returned (`codeexecutor_metrics.json`, not in the repository).

use std::fs;
use std::path::{Path, PathBuf};

use codexec::eval::pieces::pieces;
use codexec::eval::{Prf, output, score_single_lines, score_traces};
use serde::Deserialize;
use serde_json::Value;

/// Whether `ours` has all that `expected` has, numbers within rounding of a few last bits.
fn assert_like(ours: &Value, expected: &Value, at: &str) {
    match (ours, expected) {
        (Value::Object(ours), Value::Object(expected)) => {
            for (key, value) in expected {
                assert_like(&ours[key], value, &format!("{at}.{key}"));
            }
        }
        (Value::Number(x), Value::Number(y)) => {
            let off = x.as_f64().zip(y.as_f64()).map(|(x, y)| (x - y).abs());
            assert!(off.is_some_and(|off| off < 1e-12), "{at}: {x}, not {y}");
        }
        _ => assert_eq!(ours, expected, "{at}"),
    }
}

#[derive(Deserialize)]
struct Own {
    traces: Vec<OwnVector>,
    single_lines: Vec<OwnVector>,
}

#[derive(Deserialize)]
struct OwnVector {
    name: String,
    pairs: Vec<(String, String)>,
    expected: Value,
}

#[test]
fn committed_vectors() {
    let own: Own = serde_json::from_str(include_str!("fixtures/metric_vectors.json")).unwrap();
    assert!(own.traces.len() > 60 && own.single_lines.len() > 5);
    for v in own.traces {
        let scores = serde_json::to_value(score_traces(v.pairs)).unwrap();
        assert_like(&scores, &v.expected, &v.name);
    }
    for v in own.single_lines {
        let scores = serde_json::to_value(score_single_lines(v.pairs)).unwrap();
        assert_like(&scores, &v.expected, &v.name);
    }
}

#[derive(Deserialize)]
struct Reference {
    compute_metrics: Vec<ReferenceVector>,
    compute_singleline_metrics: Vec<ReferenceVector>,
}

#[derive(Deserialize)]
struct ReferenceVector {
    name: String,
    preds: Vec<String>,
    golds: Vec<String>,
    expected: Value,
    #[serde(default)]
    counts: Vec<ReferenceCounts>,
}

#[derive(Deserialize)]
struct ReferenceCounts {
    pred_lines: usize,
    gold_lines: usize,
    same_lines: usize,
    pred_ids: usize,
    gold_ids: usize,
    correct_ids: usize,
    pred_outputs: Vec<String>,
    gold_outputs: Vec<String>,
    trace_exact: bool,
}

/// The reference's vectors, or nothing, said aloud, where they are not at hand.
fn reference() -> Option<Reference> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var_os("CODEXEC_SHARED").map(PathBuf::from);
    let path = shared
        .unwrap_or_else(|| root.join("../shared"))
        .join("vectors/codeexecutor_metrics.json");
    let Ok(text) = fs::read_to_string(&path) else {
        println!("skipped: {} is not here", path.display());
        return None;
    };
    Some(serde_json::from_str(&text).expect("the vectors have the shape read here"))
}

/// A percentage as the reference prints it.
fn percent(fraction: f64) -> f64 {
    (1e4 * fraction).round() / 100.0
}

fn prf_percents(prf: &Prf) -> [f64; 3] {
    [prf.precision, prf.recall, prf.f1].map(percent)
}

/// Where the reference divides by zero.
fn undefined(prf: &Prf) -> bool {
    prf.counts.correct == 0
}

#[test]
fn reference_traces() {
    let Some(reference) = reference() else { return };
    assert!(reference.compute_metrics.len() >= 24);
    for v in reference.compute_metrics {
        let name = &v.name;
        let pairs = || v.preds.iter().zip(&v.golds);
        for ((predicted, gold), want) in pairs().zip(&v.counts) {
            let one = score_traces([(predicted, gold)]);
            let (line, id) = (one.line.counts, one.identifier.counts);
            let lines = (line.predicted, line.gold, line.correct);
            let ids = (id.predicted, id.gold, id.correct);
            assert_eq!(
                lines,
                (want.pred_lines, want.gold_lines, want.same_lines),
                "{name}"
            );
            assert_eq!(
                ids,
                (want.pred_ids, want.gold_ids, want.correct_ids),
                "{name}"
            );
            assert_eq!(one.trace_accuracy == 1.0, want.trace_exact, "{name}");
            assert_eq!(
                output::outputs(&pieces(predicted)),
                want.pred_outputs,
                "{name}"
            );
            assert_eq!(output::outputs(&pieces(gold)), want.gold_outputs, "{name}");
        }
        let all = score_traces(pairs());
        let Some(expected) = v.expected.as_array() else {
            assert_eq!(v.expected, "ZeroDivisionError", "{name}");
            let none = all.output_accuracy.is_none();
            assert!(
                none || undefined(&all.line) || undefined(&all.identifier),
                "{name}"
            );
            continue;
        };
        let mut ours = vec![
            percent(all.output_accuracy.unwrap()),
            percent(all.trace_accuracy),
        ];
        ours.extend(prf_percents(&all.line));
        ours.extend(prf_percents(&all.identifier));
        let expected: Vec<f64> = expected.iter().map(|x| x.as_f64().unwrap()).collect();
        assert_eq!(ours, expected, "{name}");
    }
}

#[test]
fn reference_single_lines() {
    let Some(reference) = reference() else { return };
    assert!(reference.compute_singleline_metrics.len() >= 6);
    for v in reference.compute_singleline_metrics {
        let scores = score_single_lines(v.preds.iter().zip(&v.golds));
        let mut ours = vec![percent(scores.trace_accuracy)];
        ours.extend(prf_percents(&scores.identifier));
        let expected: Vec<f64> = serde_json::from_value(v.expected).unwrap();
        assert_eq!(ours, expected, "{}", v.name);
    }
}
