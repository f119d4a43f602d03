//! ORCA's metrics against vectors whose scores do not come from this code: committed ones, written by
//! `fixtures/orca/make_vectors.py`, and, where they are at hand, the stored predictions on ORCA's set,
//! program by program against ORCA's published evaluation.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use codexec::eval::orca::{METRICS, OrcaGuess, OrcaPair, OrcaTruth, compare_orca};
use codexec::eval::{Share, total};
use codexec_data::sources::{
    OrcaPredictions, OrcaProgram, StatementPrediction, read_orca_predictions, read_orca_set,
};
use serde::Deserialize;
use serde_json::{Value, json};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// ORCA's files, or nothing, said aloud, where they are not at hand.
fn shared() -> Option<PathBuf> {
    let shared = std::env::var_os("CODEXEC_SHARED").map(PathBuf::from);
    let path = shared
        .unwrap_or_else(|| root().join("../shared"))
        .join("orca");
    if !path.join("incomplete.json.gz").exists() {
        eprintln!("skipped: {} is not here", path.display());
        return None;
    }
    Some(path)
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    truth: Value,
    prediction: StatementPrediction,
    expected: BTreeMap<String, (f64, f64)>,
}

#[test]
fn committed_vectors() {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("fixtures/orca/vectors.json")).unwrap();
    assert!(vectors.len() >= 16);
    let directory = tempfile::tempdir().unwrap();
    for v in vectors {
        let path = directory.path().join("one.json");
        fs::write(&path, json!({ "p": v.truth }).to_string()).unwrap();
        let program = &read_orca_set(&path).unwrap()[0];
        let truth = OrcaTruth::as_stored(program);
        let pair = compare_orca(&OrcaGuess::from(v.prediction), &truth, &truth);
        for (metric, ours) in METRICS.iter().zip(pair.shares()) {
            let (got, of) = v.expected[metric.name];
            let right = (ours.got - got).abs() < 1e-12 && ours.of == of;
            assert!(
                right,
                "{}: {} is {ours:?}, not {got} of {of}",
                v.name, metric.name
            );
        }
    }
}

fn scored(
    programs: &[OrcaProgram],
    predictions: &BTreeMap<String, StatementPrediction>,
    truth: fn(&OrcaProgram) -> OrcaTruth,
) -> Vec<OrcaPair> {
    let pair = |program: &OrcaProgram| {
        let guess = OrcaGuess::from(predictions[&program.id].clone());
        let truth = truth(program);
        compare_orca(&guess, &truth, &truth)
    };
    programs.iter().map(pair).collect()
}

/// The set with the states that `truth` gives.
fn as_json(programs: &[OrcaProgram], truth: fn(&OrcaProgram) -> OrcaTruth) -> Value {
    let one = |program: &OrcaProgram| {
        let states = truth(program).states.into_iter().map(|state| {
            let values = state.values.into_iter();
            let values: Vec<Value> = values.map(|(name, v)| json!({ name: v })).collect();
            json!({ "line": state.line, "var_val": values })
        });
        let value = json!({
            "ground_truth_execution_order": program.order,
            "exception_info": program.raised,
            "final_trace": states.collect::<Vec<_>>(),
        });
        (program.id.clone(), value)
    };
    Value::Object(programs.iter().map(one).collect())
}

#[test]
fn stored_predictions_score_as_in_the_published_evaluation() {
    let Some(shared) = shared() else { return };
    let programs = read_orca_set(&shared.join("incomplete.json.gz")).unwrap();
    let stored = shared.join("incomplete-codeexecutor.json.gz");
    let OrcaPredictions::Statements(predictions) = read_orca_predictions(&stored).unwrap() else {
        panic!("CodeExecutor predicts statements")
    };
    let directory = tempfile::tempdir().unwrap();
    let predicted = directory.path().join("predictions.json");
    let raw: BTreeMap<&String, Value> = predictions
        .iter()
        .map(|(id, p)| {
            let states = p.symbol_table.iter();
            let states = states.map(|s| json!({"line": s.line, "symbol_table": s.symbol_table}));
            let states: Vec<Value> = states.collect();
            (
                id,
                json!({"execution_order": p.execution_order, "symbol_table": states}),
            )
        })
        .collect();
    fs::write(&predicted, serde_json::to_string(&raw).unwrap()).unwrap();
    for truth in [OrcaTruth::as_stored, OrcaTruth::placed] {
        let data = directory.path().join("data.json");
        fs::write(&data, as_json(&programs, truth).to_string()).unwrap();
        let said = Command::new("python3")
            .arg(root().join("tests/fixtures/orca/reference.py"))
            .arg(shared.join("orca_metrics.py"))
            .args([&predicted, &data])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&said.stderr);
        assert!(said.status.success(), "{text}");
        let said: Value = serde_json::from_slice(&said.stdout).unwrap();
        let pairs = scored(&programs, &predictions, truth);
        for (program, pair) in programs.iter().zip(&pairs) {
            let want = &said["programs"][&program.id];
            let ours = json!({
                "exact": pair.exact,
                "prefix": pair.prefix,
                "aligned": [pair.aligned.0, pair.aligned.1],
                "with_states": pair.with_states,
            });
            let id = &program.id;
            let value = pair.value.filter(|_| pair.lengths.0 > 0);
            let off = match (value, want["value"].as_f64()) {
                (Some(ours), Some(theirs)) => (ours - theirs).abs(),
                (ours, theirs) => f64::from(u8::from(ours != theirs)),
            };
            assert!(off < 1e-12, "{id}: {value:?}, not {}", want["value"]);
            for (name, ours) in ours.as_object().unwrap() {
                assert_eq!(ours, &want[name], "{id}: {name}");
            }
        }
        let sums = column_sums(&pairs);
        for (metric, theirs) in [
            ("exact match", "ORCA EM"),
            ("prefix R", "ORCA Prefix Rec"),
            ("prefix P", "ORCA Prefix Pre"),
            ("coverage R", "ORCA Coverage Rec"),
            ("coverage P", "ORCA Coverage Pre"),
            ("values (ORCA)", "ORCA Variable Value Accuracy"),
        ] {
            let want = said["whole"][theirs].as_f64().unwrap();
            let ours = 100.0 * sums[metric].value().unwrap();
            assert!((ours - want).abs() < 0.0051, "{metric}: {ours}, not {want}");
        }
    }
}

fn column_sums(pairs: &[OrcaPair]) -> BTreeMap<&'static str, Share> {
    let columns = METRICS.iter().enumerate();
    let sum = |k: usize| total(pairs.iter().map(|p| p.shares()[k]));
    columns.map(|(k, metric)| (metric.name, sum(k))).collect()
}

#[test]
fn the_published_row_comes_out() {
    let Some(shared) = shared() else { return };
    let programs = read_orca_set(&shared.join("incomplete.json.gz")).unwrap();
    let stored = shared.join("incomplete-codeexecutor.json.gz");
    let OrcaPredictions::Statements(predictions) = read_orca_predictions(&stored).unwrap() else {
        panic!("CodeExecutor predicts statements")
    };
    let sums = column_sums(&scored(&programs, &predictions, OrcaTruth::as_stored));
    let percent = |name: &str| (1e4 * sums[name].value().unwrap()).round() / 100.0;
    let row = METRICS[..5].iter().map(|m| percent(m.name));
    assert_eq!(row.collect::<Vec<_>>(), [23.53, 75.04, 69.44, 84.58, 87.18]);
    assert_eq!(percent("error line"), 25.4);
}

#[test]
fn most_states_find_their_lines() {
    let Some(shared) = shared() else { return };
    let programs = read_orca_set(&shared.join("incomplete.json.gz")).unwrap();
    assert_eq!(programs.len(), 748);
    // The states of a program that stand on its order, in order.
    let whole = |truth: fn(&OrcaProgram) -> OrcaTruth| {
        let fits = |p: &&OrcaProgram| {
            let states = truth(p).states;
            let mut order = p.order.iter();
            let mut placed = |line: Option<u32>| line.is_some_and(|l| order.any(|o| *o == l));
            states.iter().all(|s| placed(s.line))
        };
        programs.iter().filter(fits).count()
    };
    let (stored, placed) = (whole(OrcaTruth::as_stored), whole(OrcaTruth::placed));
    assert!(stored < 10 && placed > 730, "{stored} {placed}");
}
