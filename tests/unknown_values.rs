//! What a program misses is the same, planned or executed: programs that meet made-up values in every way that people's code
//! does go the same way in both engines.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

#[path = "support/skip.rs"]
mod skip;

use std::path::{Path, PathBuf};
use std::time::Duration;

use codexec::guide::{GuideOptions, guide};
use codexec::values::predictors::{DEFAULT, predictor};
use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::trace::{Event, Frames, Outcome, Program, Trace};

/// The programs, by their names.
fn programs() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/unknown");
    let mut found: Vec<(String, String)> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    found.sort();
    found
}

fn lines(trace: &Trace) -> Vec<u32> {
    trace.steps.iter().map(|step| step.line).collect()
}

/// The lines up to the last one of the module: behind it functions are called that were handed to what is not there.
fn own_lines(trace: &Trace) -> Vec<u32> {
    let frames = Frames::of(trace);
    let described: Vec<_> = frames.described(trace).collect();
    let is_own = |at: &usize| {
        let is_line = trace.steps[*at].event == Event::Line;
        is_line && described[frames.of_state(*at)].function == "<module>"
    };
    let last = (0..trace.steps.len()).rev().find(is_own).unwrap();
    trace.steps[..=last].iter().map(|step| step.line).collect()
}

#[test]
fn planned_programs_go_on_to_their_end() {
    for (name, source) in programs() {
        let planned = codexec::trace(source.as_str()).inject().plan().unwrap();
        assert_eq!(planned.stopped, None, "{name}");
        assert_eq!(planned.trace.outcome, Outcome::Finished, "{name}");
        assert!(!planned.injected.is_empty(), "{name}");
        // What was made up is said, and the trace is not certain.
        assert!(planned.trace.confidence.unwrap() < 1.0, "{name}");
    }
}

#[test]
fn executed_and_planned_programs_go_the_same_way() {
    let pool = Pool::new(PoolConfig {
        launcher: Some(PathBuf::from(env!("CARGO_BIN_EXE_codexec"))),
        ..PoolConfig::default()
    });
    let pool = match pool {
        Ok(pool) => pool,
        Err(error) => return skip::skip(error.to_string()),
    };
    let predictor = predictor(DEFAULT, 0).unwrap();
    let options = GuideOptions {
        time: Duration::from_secs(1),
        ..GuideOptions::default()
    };
    for (name, source) in programs() {
        let planned = codexec::trace(source.as_str()).inject().plan().unwrap();
        let program = Program {
            id: name.clone(),
            source: Some(source),
            ..Program::default()
        };
        let guided = guide(&pool, &program, predictor.as_ref(), &options).unwrap();
        assert_eq!(guided.trace.outcome, Outcome::Finished, "{name}");
        assert_eq!(
            own_lines(&planned.trace),
            own_lines(&guided.trace),
            "{name}"
        );
    }
}

#[test]
fn modules_that_are_not_there_are_made_up_and_names_are_errors() {
    let source = "import pandas as pd\nframe = pd.read_csv('a.csv')\nprint(frame['x'].sum() > 3)\nprint(gone)\n";
    let planned = codexec::trace(source).plan().unwrap();
    assert_eq!(lines(&planned.trace), [1, 2, 3, 4]);
    let Outcome::Raised {
        exception, line, ..
    } = &planned.trace.outcome
    else {
        panic!("{:?}", planned.trace.outcome);
    };
    assert_eq!((exception.as_str(), *line), ("NameError", 4));
    let first = &planned.injected[0];
    assert_eq!(
        (first.line, &*first.kind, &*first.name),
        (1, "import", "pandas")
    );
}

#[test]
fn programs_that_expect_a_missing_module_go_their_own_way() {
    let source = "try:\n    import ujson as json\nexcept ImportError:\n    import json\nprint(json.dumps([1]))\n";
    let planned = codexec::trace(source).inject().plan().unwrap();
    assert_eq!(planned.injected, []);
    assert_eq!(planned.trace.output(), "[1]\n");
}
