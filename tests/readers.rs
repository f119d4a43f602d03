//! Two shards of every kind of file load with the libraries that people load data sets with, as
//! docs/data.md says. Skipped, and said so, where the libraries are not installed: they are looked for in
//! `$CODEXEC_READERS_PYTHON`, else in `python3`.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::fs;
use std::path::Path;
use std::process::Command;

use codexec_data::records::{Record, TraceWriter, write_records};
use codexec_data::trace::{Engine, Event, Outcome, Program, State, States, Step, Trace, Value};

/// Two shards: of all that may be missing, one has what the other lacks.
fn records(shard: usize) -> Vec<Record> {
    let bare = |k: usize| Record {
        id: format!("r{shard}{k}"),
        code: "a = 1\n".to_owned(),
        outcome: "finished".to_owned(),
        ..Record::default()
    };
    if shard == 1 {
        return vec![bare(0), bare(1)];
    }
    let text = || Some("x".to_owned());
    let whole = Record {
        stdin: text(),
        trace: text(),
        error_line: Some(1),
        problem: text(),
        source: text(),
        licence: text(),
        parent: text(),
        operators: vec!["CRP".to_owned()],
        sites: vec![3],
        seeds: vec![u64::MAX],
        differs: Some(true),
        seed: u64::MAX,
        ..bare(0)
    };
    vec![whole, bare(1)]
}

/// A build of mutants: with all that may be known, or with nothing of it.
fn mutants(is_known: bool) -> Vec<Record> {
    let text = || is_known.then(|| "x".to_owned());
    vec![Record {
        id: format!("m{is_known}"),
        code: "a = 1\n".to_owned(),
        outcome: "finished".to_owned(),
        stdin: text(),
        trace: text(),
        error_line: is_known.then_some(1),
        problem: text(),
        source: text(),
        licence: text(),
        parent: text(),
        operators: vec!["CRP".to_owned()],
        sites: vec![3],
        seeds: vec![1],
        differs: Some(is_known),
        ..Record::default()
    }]
}

fn traces(shard: usize) -> Vec<Trace> {
    let mut trace = Trace::new(
        Engine::Run,
        Program {
            id: format!("t{shard}"),
            source: (shard == 2).then(|| "a = 1\n".to_owned()),
            stdin: None,
            ..Program::default()
        },
    );
    let pairs = ["a", "b"].map(|name| (format!("{name}{shard}"), Value::observed("1")));
    let states = [State::new(), State::from_iter(pairs)];
    trace.steps = states
        .into_iter()
        .map(|state| Step {
            line: 1,
            event: Event::Line,
            function: "<module>".into(),
            depth: 0,
            file: 0,
            state,
            output: String::new(),
            value: (shard == 2).then(|| Box::new(Value::observed("1"))),
            confidence: (shard == 2).then_some(0.5),
        })
        .collect();
    if shard == 2 {
        trace.outcome = Outcome::Raised {
            file: 0,
            exception: "ValueError".to_owned(),
            message: "x".to_owned(),
            line: 1,
            step: Some(1),
        };
    }
    let empty = Trace::new(Engine::Guide, Program::default());
    vec![trace, empty]
}

#[test]
fn two_shards_of_each_kind_load_with_the_usual_libraries() {
    let python = std::env::var("CODEXEC_READERS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let probe = Command::new(&python)
        .args(["-c", "import datasets, polars, pyarrow"])
        .output();
    if !probe.is_ok_and(|probe| probe.status.success()) {
        eprintln!("skipped: {python} has not all of datasets, polars and pyarrow");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    for shard in [1, 2] {
        for ending in ["jsonl", "jsonl.gz", "parquet"] {
            let at = |kind: &str| place.path().join(format!("{kind}-{shard}.{ending}"));
            write_records(&at("records"), records(shard).iter()).unwrap();
            let mut rows = TraceWriter::create(&at("traces"), States::Full).unwrap();
            traces(shard)
                .iter()
                .for_each(|trace| rows.push(trace).unwrap());
            rows.finish().unwrap();
        }
    }
    for build in [3, 4] {
        let path = place.path().join(format!("records-{build}.jsonl"));
        write_records(&path, mutants(build == 3).iter()).unwrap();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(&python)
        .arg(root.join("tests/fixtures/readers.py"))
        .arg(place.path())
        .arg(root.join("docs/data.md"))
        .env("HF_HUB_OFFLINE", "1")
        .env("HF_HOME", place.path().join("home"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let mut lines: Vec<String> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    lines.sort();
    let mut expected = Vec::new();
    for library in ["datasets", "polars", "pyarrow"] {
        for kind in ["records", "traces"] {
            for ending in ["jsonl", "parquet"] {
                expected.push(format!("{library} {kind} {ending} 4"));
            }
        }
    }
    for kind in ["records", "traces"] {
        expected.push(format!("datasets {kind} jsonl.gz 4"));
    }
    expected.push("datasets undeclared jsonl 2".to_owned());
    expected.sort();
    assert_eq!(lines, expected);
}

#[test]
fn the_documented_features_are_the_columns() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/data.md");
    let page = fs::read_to_string(page).unwrap();
    let record = serde_json::to_value(Record::default()).unwrap();
    for column in record.as_object().unwrap().keys() {
        assert!(page.contains(&format!("\"{column}\":")), "{column}");
    }
    for column in codexec_data::records::TRACE_COLUMNS {
        assert!(
            page.contains(&format!("\"{}\":", column.name)),
            "{}",
            column.name
        );
    }
}
