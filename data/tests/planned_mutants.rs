//! Builds of mutants whose traces come from a planner: a sample is compared with runs, and what a run says otherwise is
//! dropped and named.
#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::path::Path;
use std::sync::Arc;

use codexec_data::mutants::{Begin, Build, Counts, Output, Settings, Shard, TracedBy};
use codexec_data::planner::{PlanLimits, Planner, Walked};
use codexec_data::records::{Record, read_records};
use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::trace::{Program, Trace};

fn pool(settings: &Settings) -> Pool {
    Pool::new(PoolConfig {
        workers: 1,
        limits: settings.limits(),
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        ..PoolConfig::default()
    })
    .unwrap()
}

/// Knows what programs do, but takes every product of 6 and 7 for 41, and cannot go on where there is a `del`.
#[derive(Debug)]
struct Wrong(Pool);

impl Planner for Wrong {
    fn walk(&self, program: &Program, _: &PlanLimits) -> Walked {
        let mut trace = self.0.run(program).unwrap();
        for step in &mut trace.steps {
            if step.output == "42\n" {
                step.output = "41\n".to_owned();
            }
        }
        let source = program.source.as_deref().unwrap_or_default();
        Walked {
            trace,
            stopped: source.contains("del ").then(|| "a statement".to_owned()),
        }
    }

    fn difference(&self, planned: &Trace, run: &Trace) -> Option<String> {
        let (a, b) = (planned.output(), run.output());
        (a != b).then(|| format!("planned {a:?}, run {b:?}"))
    }
}

fn built(place: &Path, name: &str, engine: TracedBy, verify: f64) -> (Counts, Vec<Record>) {
    let corpus = place.join("corpus.jsonl");
    let programs = [
        ("right", "a = 5\nb = a + 2\nprint(b)\n"),
        ("wrong", "a = 6\nprint(a * 7)\n"),
        ("stops", "a = 5\nb = 3\ndel b\nprint(a)\n"),
    ];
    let lines = programs.map(|(id, code)| serde_json::json!({"id": id, "code": code}).to_string());
    std::fs::write(&corpus, lines.join("\n")).unwrap();
    let settings = Settings {
        per_program: 6,
        engine,
        verify,
        ..Settings::default()
    };
    let out = place.join(format!("{name}.jsonl"));
    let executes = settings.executes().then(|| pool(&settings));
    let planner = Wrong(pool(&settings));
    let output = Some(Output::named(&out));
    let build = Build::new(
        &corpus,
        settings,
        Shard::default(),
        None,
        output,
        Begin::Anew,
    )
    .unwrap();
    let build = build.planned_by(Arc::new(planner));
    let report = build.run(executes.as_ref(), 2, &|_| {}).unwrap();
    (report.counts, read_records(&out).unwrap())
}

fn ids(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| record.id.as_str()).collect()
}

#[test]
fn what_a_run_says_otherwise_is_dropped_and_named() {
    let place = tempfile::tempdir().unwrap();
    let (_, run) = built(place.path(), "run", TracedBy::Run, 0.0);
    let (counts, planned) = built(place.path(), "planned", TracedBy::Plan, 0.0);
    // Nothing is compared: the wrong record is there.
    let of = |records: &[Record], id: &str| {
        let mut found = records.iter().filter(|record| record.id == id).cloned();
        found.next()
    };
    let wrong = of(&planned, "wrong").unwrap();
    assert_ne!(wrong, of(&run, "wrong").unwrap());
    assert!(wrong.trace_tokens.contains("4 1"), "{}", wrong.trace_tokens);
    assert_eq!((counts.plan.verified, counts.plan.disagreed), (0, 0));
    // What planning stops at is counted with its mutants, and the rest is as it runs.
    assert!(!ids(&planned).iter().any(|id| id.starts_with("stops")));
    assert_eq!(counts.plan.causes["a statement"], counts.plan.stopped);
    assert!(counts.plan.stopped > 3, "{:?}", counts.plan);
    assert_eq!(counts.outcomes["unplanned"], counts.plan.stopped - 1);

    let (counts, verified) = built(place.path(), "verified", TracedBy::Plan, 1.0);
    let right = |record: &&Record| !record.id.starts_with("stops") && record.id != "wrong";
    let expected: Vec<Record> = run.iter().filter(right).cloned().collect();
    assert!(expected.len() > 6, "{}", expected.len());
    assert!(verified == expected);
    assert_eq!(counts.plan.disagreed, 1);
    assert_eq!(counts.plan.verified, counts.records + 1);
    let named = &counts.plan.disagreements[0];
    assert_eq!(named.id, "wrong");
    assert_eq!(named.message, "planned \"41\\n\", run \"42\\n\"");
}

#[test]
fn what_cannot_be_walked_is_executed_where_that_is_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let (_, run) = built(place.path(), "run", TracedBy::Run, 0.0);
    let (counts, both) = built(place.path(), "both", TracedBy::PlanOrRun, 1.0);
    let expected: Vec<Record> = run
        .into_iter()
        .filter(|record| record.id != "wrong")
        .collect();
    assert!(both == expected);
    assert!(counts.plan.executed > 3 && counts.plan.stopped == 0);
    assert_eq!(counts.plan.causes["a statement"], counts.plan.executed);
}
