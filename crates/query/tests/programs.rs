//! Whatever is asked of a trace, the answer fits it: programs of other tests are planned, and folded, selected and
//! explained.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use codexec_plan::machine::Settings;
use codexec_plan::oracles::Nobody;
use codexec_plan::scheduler::plan;
use codexec_query::fold::Worth;
use codexec_query::{Question, Row, Selection, Sources, fold, why};
use codexec_trace::{Program, Trace};

/// Traces of the programs of a folder.
fn traces(folder: &str) -> Vec<Trace> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = fs::read_dir(root.join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "py"));
    files.sort();
    let settings = Settings {
        max_steps: 5000,
        ..Settings::default()
    };
    let trace = |file: &PathBuf| {
        let program = Program {
            id: file.display().to_string(),
            source: Some(fs::read_to_string(file).unwrap()),
            stdin: fs::read_to_string(file.with_extension("in")).ok(),
            ..Program::default()
        };
        let planned = plan(&program, &settings, &mut Nobody).unwrap();
        planned.unwrap().trace
    };
    let traces: Vec<Trace> = files.iter().map(trace).collect();
    assert!(
        traces.len() > 50,
        "only {} programs in {folder}",
        traces.len()
    );
    traces
}

const FOLDERS: [&str; 2] = ["data/tests/programs", "tests/fixtures/plan"];

#[test]
fn folded_rows_are_all_steps_once() {
    let mut folded = 0;
    for trace in FOLDERS.iter().flat_map(|folder| traces(folder)) {
        let all: Vec<usize> = (0..trace.steps.len()).collect();
        let rows = fold(&trace, &Sources::of(&trace), &all, Worth::default());
        let mut next = 0;
        for row in &rows {
            if let Row::Iterations { numbers, .. } = row {
                assert!(1 < numbers.0 && numbers.0 <= numbers.1);
            }
            let Range {
                start: from,
                end: to,
            } = row.steps();
            assert_eq!(from, next, "{}", trace.program.id);
            next = to;
        }
        assert_eq!(next, trace.steps.len(), "{}", trace.program.id);
        folded += usize::from(rows.len() < all.len());
    }
    assert!(
        folded > 10,
        "only {folded} programs have loops that are folded"
    );
}

#[test]
fn a_selection_of_every_name_has_its_changes() {
    for trace in FOLDERS.iter().flat_map(|folder| traces(folder)) {
        let all = Selection::new().of(&trace).unwrap();
        assert_eq!(all.steps.len(), trace.steps.len());
        let Some(last) = trace.steps.last() else {
            continue;
        };
        for (name, _) in last.state.iter().take(5) {
            let selected = Selection::new().name(name).of(&trace).unwrap();
            assert!(!selected.steps.is_empty(), "{name}: {}", trace.program.id);
            for chosen in &selected.steps {
                let state = &trace.steps[chosen.step].state;
                for (other, value) in &chosen.changes.names {
                    assert_eq!((*other, *value), (name, state.get(name)));
                }
            }
            serde_json::to_string(&selected.document()).unwrap();
        }
    }
}

#[test]
fn chains_fit_the_states_that_they_come_from() {
    let mut asked = 0;
    for trace in FOLDERS.iter().flat_map(|folder| traces(folder)) {
        let Some(last) = trace.steps.last() else {
            continue;
        };
        let names = last.state.iter().take(5).map(|(name, _)| name.to_owned());
        let names = names.map(|name| Question::Variable { name, step: None });
        let source = trace.program.source.as_deref().unwrap_or_default();
        // Threads take turns in ways that calls and returns do not tell.
        let is_plain = !source.contains("threading") && !source.contains("asyncio");
        for question in names.chain(Question::usual(&trace)) {
            let Ok(answer) = why(&trace, &question, None) else {
                continue;
            };
            asked += 1;
            let id = format!("{question:?} of {}", trace.program.id);
            assert!(answer.links.iter().any(|link| link.distance == 0), "{id}");
            for (k, link) in answer.links.iter().enumerate() {
                assert!(link.step < trace.steps.len(), "{id}");
                assert!(
                    link.because.iter().all(|cause| *cause < k),
                    "{id}: {link:?}"
                );
                let state = &trace.steps[link.step].state;
                for (name, value) in &link.values {
                    if let Some(seen) = state.get(name).filter(|_| link.of.is_none() && is_plain) {
                        assert_eq!(seen.text, value.text, "{id}: {link:?}");
                    }
                }
            }
            let near = why(&trace, &question, Some(1)).unwrap();
            assert!(near.links.len() <= answer.links.len(), "{id}");
            assert!(near.links.iter().all(|link| link.distance <= 1), "{id}");
        }
    }
    assert!(asked > 200, "only {asked} questions");
}
