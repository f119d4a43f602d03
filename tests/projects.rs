//! Programs of several files: what is planned against what CPython 3.11 did (`fixtures/projects/make_expected.py`).

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use codexec::engine::project::Files;
use codexec_data::trace::{Event, Outcome, Program, Trace};
use codexec_plan::machine::Settings;
use codexec_plan::oracles::Nobody;
use codexec_plan::scheduler::plan;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/projects")
}

fn planned(root: &Path) -> (Trace, Option<String>) {
    let program = Program {
        id: "main.py".to_owned(),
        source: Some(fs::read_to_string(root.join("main.py")).unwrap()),
        root: Some(root.to_owned()),
        ..Program::default()
    };
    let settings = Settings {
        finder: Some(Arc::new(Files)),
        ..Settings::default()
    };
    let planned = plan(&program, &settings, &mut Nobody).unwrap().unwrap();
    (planned.trace, planned.unsupported.map(|stop| stop.what))
}

/// A trace as `make_expected.py` writes it.
fn text(trace: &Trace) -> String {
    let path = |file: u32| trace.files[file as usize].path.as_str();
    let mut text = String::new();
    for step in &trace.steps {
        let event = match step.event {
            Event::Call => "call",
            Event::Line => "line",
            Event::Return => "return",
        };
        let (file, line, function) = (path(step.file), step.line, &step.function);
        writeln!(text, "{file} {event} {line} {function}").unwrap();
    }
    let end = match &trace.outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::Raised {
            exception,
            message,
            line,
            file,
            ..
        } => format!("{exception} {}:{line} {message}", path(*file)),
        other => format!("{other:?}"),
    };
    write!(text, "--\n{}--\n{end}\n", trace.output()).unwrap();
    text
}

#[test]
fn projects_are_planned_as_cpython_executes_them() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for entry in fs::read_dir(folder()).unwrap() {
        let root = entry.unwrap().path();
        if !root.is_dir() || root.ends_with("__pycache__") {
            continue;
        }
        let expected = fs::read_to_string(root.with_extension("txt")).unwrap();
        let (trace, stopped) = planned(&root);
        let paths: BTreeSet<&str> = trace.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths.len(), trace.files.len(), "{:?}", root);
        let found = text(&trace);
        let differs = found.lines().zip(expected.lines());
        let at = differs.take_while(|(a, b)| a == b).count();
        let from = |text: &str| {
            text.lines()
                .skip(at.saturating_sub(2))
                .take(6)
                .collect::<Vec<_>>()
                .join("\n  ")
        };
        if found != expected {
            wrong.push(format!(
                "{} (stopped: {stopped:?}), line {}\nplanned:\n  {}\nexecuted:\n  {}",
                root.display(),
                at + 1,
                from(&found),
                from(&expected)
            ));
        }
        seen += 1;
    }
    assert_eq!(seen, 5);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
