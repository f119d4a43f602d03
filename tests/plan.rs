//! Planned execution with CPython as the oracle gives the trace of a run, byte for byte.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

#[path = "support/skip.rs"]
mod skip;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use codexec_data::sandbox::{Limits, Pool, PoolConfig};
use codexec_data::trace::{Engine, Outcome, Program, Trace};
use codexec_plan::machine::{FoldLevel, Settings};
use codexec_plan::oracles::{Cpython, Oracle, Spelled};
use codexec_plan::scheduler::{Planned, plan_each};
use codexec_plan::step_form;
use codexec_plan::training::Recording;

fn pool(limits: Limits) -> Option<Pool> {
    let config = PoolConfig {
        workers: 1,
        limits,
        launcher: Some(PathBuf::from(env!("CARGO_BIN_EXE_codexec"))),
        ..PoolConfig::default()
    };
    Pool::new(config)
        .inspect_err(|error| skip::skip(error.to_string()))
        .ok()
}

fn programs(directory: &str) -> Vec<Program> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "py"));
    paths.sort();
    let program = |path: &PathBuf| Program {
        id: path.file_name().unwrap().to_string_lossy().into_owned(),
        source: Some(std::fs::read_to_string(path).unwrap()),
        stdin: std::fs::read_to_string(path.with_extension("in")).ok(),
        ..Program::default()
    };
    paths.iter().map(program).collect()
}

/// What a planned trace and that of a run must share. Origins, confidences and the engine differ.
fn lines(trace: &Trace) -> Vec<String> {
    let step = |step: &codexec_data::trace::Step| {
        let state: Vec<String> = step
            .state
            .iter()
            .map(|(name, value)| format!("{name}={}", value.text))
            .collect();
        format!(
            "{} {:?} {} {} [{}] {:?} {:?}",
            step.line,
            step.event,
            step.function,
            step.depth,
            state.join(" "),
            step.value.as_ref().map(|value| &value.text),
            step.output
        )
    };
    let mut lines: Vec<String> = trace.steps.iter().map(step).collect();
    // Exceptions that only the library handles are its implementation's.
    let causes: Vec<_> = trace.causes.iter().filter(|cause| cause.line > 0).collect();
    lines.push(format!("{:?} {causes:?}", trace.outcome));
    lines
}

fn is_over_a_limit(outcome: &Outcome) -> bool {
    !matches!(
        outcome,
        Outcome::Finished | Outcome::Raised { .. } | Outcome::Exited { .. }
    )
}

/// Names of the programs that were planned as they run, and of those that the machine cannot walk.
fn compare(
    programs: &[Program],
    spelled: bool,
    fold: FoldLevel,
) -> Option<(Vec<String>, Vec<String>)> {
    let patient = Duration::from_secs(30);
    let limits = Limits {
        wall: patient,
        cpu: patient,
        ..Limits::default()
    };
    let runs = pool(limits.clone())?;
    let answers = pool(Limits {
        max_bytes: 16 << 20,
        ..limits
    })?;
    if !runs
        .run(&Program::default())
        .unwrap()
        .python
        .is_some_and(|v| v.starts_with("3.11."))
    {
        skip::skip("the line events of 3.11 are planned, another Python is installed");
        return None;
    }
    let (mut same, mut unsupported, mut different) = (Vec::new(), Vec::new(), Vec::new());
    let mut done = |number: usize, planned: Planned| {
        let program: &Program = &programs[number];
        assert_eq!(planned.trace.engine, Engine::Predict);
        let run = runs.run(program).unwrap();
        if is_over_a_limit(&run.outcome) {
            return ControlFlow::Continue(());
        }
        if let Some(reason) = planned.unsupported {
            unsupported.push(format!(
                "{}: {}, line {}",
                program.id, reason.what, reason.line
            ));
            return ControlFlow::Continue(());
        }
        let (planned, run) = (lines(&planned.trace), lines(&run));
        match planned.iter().zip(&run).find(|(a, b)| a != b) {
            Some((a, b)) => {
                different.push(format!("{}:\n  planned {a}\n  run     {b}", program.id))
            }
            None if planned.len() != run.len() => different.push(format!("{}: length", program.id)),
            None => same.push(program.id.clone()),
        }
        ControlFlow::Continue(())
    };
    let mut cpython = Cpython::new(&answers);
    let mut through_words = Spelled(&mut cpython);
    let oracle: &mut dyn Oracle = if spelled {
        &mut through_words
    } else {
        &mut *through_words.0
    };
    let settings = Settings {
        fold,
        ..Settings::default()
    };
    plan_each(programs, &settings, oracle, &mut done).unwrap();
    assert!(
        different.is_empty(),
        "planned otherwise than run:\n{}",
        different.join("\n")
    );
    Some((same, unsupported))
}

#[test]
fn examples_are_planned_as_they_run() {
    let programs = programs("examples");
    let Some((same, unsupported)) = compare(&programs, false, FoldLevel::Methods) else {
        return;
    };
    assert_eq!(same.len(), programs.len(), "{unsupported:?}");
}

#[test]
fn programs_of_the_tracer_are_planned_as_they_run_or_named_unsupported() {
    let all = programs("data/tests/programs");
    let Some((same, unsupported)) = compare(&all, false, FoldLevel::Methods) else {
        return;
    };
    assert!(
        same.len() >= 80,
        "only {} are planned: {unsupported:#?}",
        same.len()
    );
    assert!(
        unsupported
            .iter()
            .all(|line| !line.contains("an instruction without")),
        "{unsupported:#?}"
    );
}

/// What ordinary programs use of the standard library is walked whole: nothing stops planning.
#[test]
fn programs_of_ordinary_use_are_planned_as_they_run() {
    let programs = programs("tests/fixtures/plan");
    for fold in [FoldLevel::Operators, FoldLevel::Methods] {
        let Some((same, unsupported)) = compare(&programs, false, fold) else {
            return;
        };
        assert_eq!(same.len(), programs.len(), "{unsupported:?}");
    }
}

/// Methods and the packages of the runtime give what CPython gives, and hardly anything is asked.
#[test]
fn what_is_folded_with_methods_is_planned_as_it_runs() {
    let mut programs = programs("tests/fixtures/methods");
    let Some((same, unsupported)) = compare(&programs, false, FoldLevel::Methods) else {
        return;
    };
    assert_eq!(same.len(), programs.len(), "{unsupported:?}");
    programs.retain(|program| !program.id.contains("json"));
    let Some(answers) = pool(Limits::default()) else {
        return;
    };
    let mut cpython = Cpython::new(&answers);
    let mut asked = 0;
    plan_each(
        &programs,
        &Settings::default(),
        &mut cpython,
        |_, planned| {
            asked += planned.counts.asked;
            ControlFlow::Continue(())
        },
    )
    .unwrap();
    assert!(asked < 30, "{asked} operations were asked");
}

/// A network that answers right gives the right trace: nothing is lost in words.
#[test]
fn answers_as_words_give_the_same_traces() {
    let mut all = programs("examples");
    all.extend(programs("data/tests/programs"));
    let Some((plain, _)) = compare(&all, false, FoldLevel::Operators) else {
        return;
    };
    let Some((same, unsupported)) = compare(&all, true, FoldLevel::Operators) else {
        return;
    };
    assert!(
        same.len() + 3 >= plain.len(),
        "{} of {}: {unsupported:#?}",
        same.len(),
        plain.len()
    );
}

/// Without folding `sum`, `heapq` and `bisect` are walked nevertheless, and ask about the program's values alone.
#[test]
fn functions_made_of_operators_ask_about_values_without_folding() {
    let source = "import bisect, heapq\nheap = [5, 3]\nheapq.heapify(heap)\n\
        print(sum((4, 1)), abs(-3), bisect.bisect_left([2, 4, 8], 5))\n";
    let program = Program {
        source: Some(source.to_string()),
        ..Program::default()
    };
    let Some(answers) = pool(Limits::default()) else {
        return;
    };
    let settings = Settings {
        fold: FoldLevel::Nothing,
        ..Settings::default()
    };
    let mut cpython = Cpython::new(&answers);
    let mut asked = Vec::new();
    let mut recording = Recording::new(&mut cpython, |question, _| {
        asked.push(step_form::code(question).unwrap());
    });
    let mut output = String::new();
    plan_each(&[program], &settings, &mut recording, |_, planned| {
        let steps = planned.trace.steps.iter();
        output = steps.map(|step| step.output.as_str()).collect();
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(output, "5 3 2\n");
    let expected = [
        "5 < 3", "0 + 4", "4 + 1", "(-3) > 0", "-(-3)", "4 < 5", "8 < 5",
    ];
    assert_eq!(asked, expected);
}

/// The same where every operator is asked: their exceptions have the usual messages.
#[test]
fn answers_without_folding_give_the_same_traces() {
    let mut all = programs("examples");
    all.extend(programs("data/tests/programs"));
    let Some((same, unsupported)) = compare(&all, true, FoldLevel::Nothing) else {
        return;
    };
    assert!(same.len() >= 75, "{}: {unsupported:#?}", same.len());
}

#[test]
fn what_cannot_be_walked_is_named_with_its_line() {
    let source = "import os\nx = 1\ny = os.listdir('/')\n";
    let program = Program {
        source: Some(source.to_string()),
        ..Program::default()
    };
    let Some((same, unsupported)) = compare(&[program], false, FoldLevel::Methods) else {
        return;
    };
    assert!(same.is_empty());
    assert_eq!(unsupported, [": files of the machine, line 3"]);
}
