//! Programs behind a prefix, through the pool.
#![allow(clippy::unwrap_used)]

use codexec_data::sandbox::{AttemptPlan, Attempted, Limits, Pool, PoolConfig};
use codexec_data::trace::{Outcome, Program};

fn attempt(prefix: &str, source: &str, statements: &[(u32, u32)]) -> Attempted {
    let pool = Pool::new(PoolConfig {
        workers: 1,
        launcher: Some(env!("CARGO_BIN_EXE_codexec-sandbox").into()),
        limits: Limits::default(),
        ..PoolConfig::default()
    })
    .unwrap();
    let program = Program {
        id: "t".into(),
        source: Some(source.into()),
        stdin: None,
        ..Program::default()
    };
    let plan = AttemptPlan {
        statements: statements.to_vec(),
        events: 1000,
        seconds: 0.9,
    };
    pool.attempt(&program, prefix, &plan).unwrap()
}

#[test]
fn the_prefix_runs_first_and_in_the_same_names() {
    let run = attempt("x = 2\n", "y = x\nassert y == 2\n", &[(1, 1), (2, 2)]);
    assert_eq!(run.outcome, Outcome::Finished);
    assert_eq!((run.done, run.begun), (vec![0, 1], vec![1, 2]));
    assert!(!run.in_prefix && run.errors.is_empty() && run.exit.is_none());
}

#[test]
fn a_prefix_that_fails_is_told_from_the_program() {
    let run = attempt("x = 1\ny = z\n", "print(x)\n", &[(1, 1)]);
    assert!(run.in_prefix && run.begun.is_empty());
    assert!(
        matches!(run.outcome, Outcome::Raised { line: 2, .. }),
        "{:?}",
        run.outcome
    );
    let run = attempt("x = = 1\n", "print(x)\n", &[(1, 1)]);
    assert!(run.in_prefix && matches!(run.outcome, Outcome::SyntaxError { line: 1, .. }));
    let run = attempt("", "print(\n", &[(1, 1)]);
    assert!(!run.in_prefix && matches!(run.outcome, Outcome::SyntaxError { .. }));
}

#[test]
fn a_statement_that_crashes_after_its_first_line_is_not_done() {
    let source = "f = len\nx = f(\n    [1],\n    2,\n)\n";
    let run = attempt("", source, &[(1, 1), (2, 5)]);
    assert_eq!(run.done, [0]);
    assert_eq!(run.errors[0].exception, "TypeError");
    let source = "x = [\n    1 // n\n    for n in (1, 0)\n]\n";
    assert!(attempt("", source, &[(1, 4)]).done.is_empty());
}

#[test]
fn caught_errors_exits_and_bodies_of_functions_are_reported() {
    let source = "try:\n    n\nexcept NameError:\n    pass\nexit(3)\n";
    let run = attempt("", source, &[(2, 2), (3, 3), (4, 4), (5, 5)]);
    assert_eq!((run.outcome, run.exit), (Outcome::Finished, Some(5)));
    assert_eq!(run.errors[0].message, "name 'n' is not defined");
    assert_eq!(run.done, [1, 2, 3]);
    let run = attempt("", "return 1\n", &[(1, 1)]);
    assert_eq!((run.outcome, run.done), (Outcome::Finished, vec![0]));
}

#[test]
fn what_stand_ins_are_asked_is_reported_with_the_line() {
    let prefix = "\
class StandIn:
    def __init__(self): self._path = 'x'
    def _give(self, step): return 1
    def _say(self, question): return False
    def __bool__(self): return self._say('bool')
    def __call__(self): return self._give('()')
x = StandIn()
";
    let run = attempt(prefix, "x()\nif x:\n    pass\n", &[(1, 1), (2, 2)]);
    let asked: Vec<_> = run
        .asked
        .iter()
        .map(|a| (a.line, a.what.as_str(), a.said.clone()))
        .collect();
    assert_eq!(asked, [(1, "x()", vec![]), (2, "x bool", vec![0])]);
}

#[test]
fn a_run_ends_after_so_many_lines() {
    let run = attempt("", "while True:\n    pass\n", &[(1, 1), (2, 2)]);
    assert_eq!(run.outcome, Outcome::StepLimit);
    assert_eq!(run.done, [0, 1]);
}
