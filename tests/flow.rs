//! The control flow read off the syntax against what CPython does: no step of a true trace may be
//! ruled out.

#![allow(clippy::unwrap_used, clippy::expect_used)] // A test that cannot set up may panic.

use std::path::{Path, PathBuf};

use codexec::decode::flow::LineFlow;
use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::sources::read_corpus;
use codexec_data::trace::{Outcome, Program, Trace};

fn pool() -> Pool {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    Pool::new(PoolConfig {
        workers,
        launcher: Some(env!("CARGO_BIN_EXE_codexec").into()),
        ..PoolConfig::default()
    })
    .unwrap()
}

fn python_files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    files.sort();
    files
}

/// What the flow rules out of a true trace, in words.
fn complaint(trace: &Trace) -> Option<String> {
    let source = trace.program.source.as_deref()?;
    let flow = LineFlow::of(source).ok()?;
    let at = flow.check(trace).err()?;
    let lines: Vec<String> = trace.steps[at.saturating_sub(3)..(at + 2).min(trace.steps.len())]
        .iter()
        .map(|step| format!("{}:{:?}", step.line, step.event))
        .collect();
    Some(format!(
        "{}: step {at} of {} after {}",
        trace.program.id,
        trace.steps.len(),
        lines.join(" ")
    ))
}

#[test]
fn no_step_of_a_true_trace_is_ruled_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = python_files(&root.join("data/tests/programs"));
    files.extend(python_files(&root.join("examples")));
    assert!(files.len() > 100, "only {} programs", files.len());
    let pool = pool();
    let complaints: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let program = Program {
                id: file.file_name().unwrap().to_string_lossy().into_owned(),
                source: Some(std::fs::read_to_string(file).unwrap()),
                stdin: std::fs::read_to_string(file.with_extension("in")).ok(),
                ..Program::default()
            };
            complaint(&pool.run(&program).unwrap())
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Programs of others, where they are at hand.
#[test]
fn nearly_no_step_of_a_corpus_is_ruled_out() {
    let corpus =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/valid_programs.jsonl.zst");
    let Ok(programs) = read_corpus(&corpus) else {
        eprintln!("skipped: {} is not there", corpus.display());
        return;
    };
    let pool = pool();
    let (mut whole, mut complaints) = (0, Vec::new());
    for parent in &programs {
        let program = Program {
            id: parent.id.clone(),
            source: Some(parent.code.clone()),
            stdin: parent.inputs(1).remove(0),
            ..Program::default()
        };
        let trace = pool.run(&program).unwrap();
        if matches!(trace.outcome, Outcome::Finished | Outcome::Raised { .. }) {
            whole += 1;
            complaints.extend(complaint(&trace));
        }
    }
    eprintln!("{} of {whole} traces leave the flow", complaints.len());
    assert!(
        complaints.len() * 200 <= whole,
        "{} of {whole}:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}
