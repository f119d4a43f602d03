//! SingleLine from real runs: every step of a program's trace that can stand alone.
//!
//! A step can if its line is one simple statement, or the header of an `if` or `while`, and the
//! line reads plain values in the previous state. The statement after assignments of these values
//! is run by itself, and kept only if it does the same as the program's step.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, UnaryOp};
use serde::Serialize;

use super::Record;
use super::build::{is_unstable, unit_seed};
use super::single_line::{Intake, Run, SingleLineConfig, Tally};
use crate::sandbox::{Pool, SandboxError};
use crate::sources::{CorpusProgram, Statement, Template, statements};
use crate::trace::{Event, Outcome, Program, State, Step, Trace};

/// Programs that run before their examples are joined.
const ROUND: usize = 64;

/// A value with a longer text is too much to ask of one line.
const LONGEST_VALUE: usize = 400;

/// Results of the steps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct StepTally {
    /// Programs traced.
    pub programs: usize,
    /// Their steps.
    pub steps: usize,
    /// Steps whose line could stand alone.
    pub candidates: usize,
    /// Left out: standing alone it did something else.
    pub unfaithful: usize,
    /// Results of those that did the same.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Examples from the steps of a corpus's programs, passed to `sink` in the corpus's order; at most
/// `per_line` of each line of a program.
///
/// # Errors
/// If the sandbox fails; a program's behaviour is never an error.
pub fn trace_step_records(
    pool: &Pool,
    corpus: &[CorpusProgram],
    per_line: usize,
    config: &SingleLineConfig,
    progress: &(dyn Fn() + Sync),
    sink: &mut dyn FnMut(Record),
) -> Result<StepTally, SandboxError> {
    let mut intake = Intake::new(config);
    let mut total = StepTally::default();
    for (round, programs) in corpus.chunks(ROUND).enumerate() {
        let found: Result<Vec<Found>, SandboxError> = programs
            .par_iter()
            .enumerate()
            .map(|(at, program)| {
                let seed = unit_seed(config.seed, round * ROUND + at);
                let found = steps_of(pool, program, per_line, seed);
                progress();
                found
            })
            .collect();
        for found in found? {
            total.programs += usize::from(found.steps > 0);
            total.steps += found.steps;
            total.candidates += found.candidates;
            total.unfaithful += found.unfaithful;
            found
                .runs
                .into_iter()
                .for_each(|run| intake.offer(run, sink));
        }
    }
    total.tally = intake.tally;
    Ok(total)
}

#[derive(Default)]
struct Found {
    steps: usize,
    candidates: usize,
    unfaithful: usize,
    runs: Vec<Run>,
}

/// A step that could stand alone.
struct Candidate<'a> {
    statement: &'a Statement,
    program: Program,
    after: After<'a>,
}

/// Effects of the program's step.
struct After<'a> {
    before: &'a State,
    state: &'a State,
    output: &'a str,
    raised: Option<&'a str>,
    /// For a condition: whether the line of its body came next.
    held: bool,
}

fn steps_of(
    pool: &Pool,
    parent: &CorpusProgram,
    per_line: usize,
    seed: u64,
) -> Result<Found, SandboxError> {
    let mut found = Found::default();
    if is_unstable(&parent.code) {
        return Ok(found);
    }
    let Ok(statements) = statements(&parent.code) else {
        return Ok(found);
    };
    let by_line: HashMap<u32, &Statement> = statements
        .iter()
        .filter(|s| s.alone)
        .map(|s| (s.line, s))
        .collect();
    let stdin = parent.inputs(1).pop().flatten();
    let program = Program {
        id: parent.id.clone(),
        source: Some(parent.code.clone()),
        stdin,
        ..Program::default()
    };
    let trace = pool.run(&program)?.short();
    let candidates = candidates(&trace, &by_line, per_line);
    found.steps = trace.until_raise().len();
    found.candidates = candidates.len();
    let programs: Vec<Program> = candidates.iter().map(|c| c.program.clone()).collect();
    let alone = pool.run_family(&programs)?;
    for (candidate, alone) in candidates.iter().zip(&alone) {
        let setup = candidate.statement.free.len();
        let mut run = Run::new(alone, setup, candidate.statement.kind, seed);
        if let Run::Example(record) = &mut run {
            if !faithful(alone, setup, &candidate.after) {
                found.unfaithful += 1;
                continue;
            }
            record.problem.clone_from(&parent.problem);
            record.source.clone_from(&parent.source);
            record.licence.clone_from(&parent.licence);
            record.parent = Some(parent.id.clone());
        }
        found.runs.push(run);
    }
    Ok(found)
}

fn candidates<'a>(
    trace: &'a Trace,
    by_line: &HashMap<u32, &'a Statement>,
    per_line: usize,
) -> Vec<Candidate<'a>> {
    let nothing: &'static State = {
        static EMPTY: std::sync::OnceLock<State> = std::sync::OnceLock::new();
        EMPTY.get_or_init(State::new)
    };
    let mut taken: HashMap<u32, usize> = HashMap::new();
    let mut seen = HashSet::new();
    let mut candidates = Vec::new();
    for (k, step) in trace.until_raise().iter().enumerate() {
        let Some(&statement) = by_line.get(&step.line) else {
            continue;
        };
        // What holds when a line is reached is what held after the step before, in its own frame.
        let before = k.checked_sub(1).map_or(nothing, |k| &trace.steps[k].state);
        let Some(after) = after(trace, k, step, statement, before) else {
            continue;
        };
        let Some(values) = plain_values(statement, before) else {
            continue;
        };
        let source = template(statement).program(&values);
        let count = taken.entry(step.line).or_default();
        if *count >= per_line || !seen.insert(source.clone()) {
            continue;
        }
        *count += 1;
        candidates.push(Candidate {
            statement,
            program: Program {
                id: format!("{}:{k}", trace.program.id),
                source: Some(source),
                stdin: None,
                ..Program::default()
            },
            after,
        });
    }
    candidates
}

fn template(statement: &Statement) -> Template {
    Template {
        stmt: statement.text.clone(),
        kind: None,
        free: statement.free.clone(),
        stored: Vec::new(),
        n: 1,
        src: Vec::new(),
        licence: None,
        types: Vec::new(),
    }
}

/// What step `k` did, where it stayed in its frame.
fn after<'a>(
    trace: &'a Trace,
    k: usize,
    step: &'a Step,
    statement: &Statement,
    before: &'a State,
) -> Option<After<'a>> {
    if step.event != Event::Line {
        return None;
    }
    let next = trace.steps.get(k + 1);
    let raised = match &trace.outcome {
        Outcome::Raised {
            exception,
            step: Some(at),
            ..
        } if *at as usize == k => Some(exception.as_str()),
        // Cut off in the middle of something.
        Outcome::Finished | Outcome::Raised { .. } => None,
        _ if next.is_none() => return None,
        _ => None,
    };
    let stayed = next.map_or(step.depth == 0, |next| {
        next.event != Event::Call && next.depth == step.depth
    });
    if raised.is_none() && !stayed {
        return None;
    }
    let held =
        next.is_some_and(|next| next.event == Event::Line && Some(next.line) == statement.body);
    Some(After {
        before,
        state: &step.state,
        output: &step.output,
        raised,
        held,
    })
}

/// The values that a statement reads, if all of them are plain and no builtin is shadowed.
fn plain_values(statement: &Statement, before: &State) -> Option<Vec<String>> {
    if statement
        .builtins
        .iter()
        .any(|name| before.get(name).is_some())
    {
        return None;
    }
    let plain = |name: &String| {
        before
            .get(name)
            .map(|v| v.text.to_string())
            .filter(|text| is_plain(text))
    };
    statement.free.iter().map(plain).collect()
}

/// Whether the text is a complete value of numbers, strings, `None`, truth values and their lists,
/// tuples, dictionaries and sets.
fn is_plain(text: &str) -> bool {
    struct Plain(bool);
    impl<'a> Visitor<'a> for Plain {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0 &= match expr {
                Expr::NumberLiteral(_)
                | Expr::StringLiteral(_)
                | Expr::BooleanLiteral(_)
                | Expr::NoneLiteral(_)
                | Expr::List(_)
                | Expr::Tuple(_)
                | Expr::Dict(_)
                | Expr::Set(_) => true,
                Expr::UnaryOp(unary) => unary.op == UnaryOp::USub,
                _ => false,
            };
            walk_expr(self, expr);
        }
    }
    if text == "set()" || text.len() > LONGEST_VALUE {
        return text.len() <= LONGEST_VALUE;
    }
    let Ok(parsed) = ruff_python_parser::parse_expression(text) else {
        return false;
    };
    let mut plain = Plain(true);
    plain.visit_expr(parsed.expr());
    plain.0
}

/// Whether a statement, run alone, did the same as the program's step.
fn faithful(alone: &Trace, setup: usize, after: &After<'_>) -> bool {
    let own = &alone.steps[setup];
    let raised = match &alone.outcome {
        Outcome::Raised { exception, .. } => Some(exception.as_str()),
        _ => None,
    };
    let nothing = State::new();
    let start = setup
        .checked_sub(1)
        .map_or(&nothing, |k| &alone.steps[k].state);
    // Rebinding a name to its old value changes nothing in the program, and is new here.
    let same = own
        .state
        .iter()
        .all(|(name, value)| after.state.get(name) == Some(value));
    let mut changed = after
        .state
        .iter()
        .filter(|(name, value)| after.before.get(name) != Some(*value));
    let complete = changed.all(|(name, _)| own.state.get(name).is_some());
    let gone = |from: &State, to: &State| -> HashSet<String> {
        from.iter()
            .filter(|(n, _)| to.get(n).is_none())
            .map(|(n, _)| n.to_owned())
            .collect()
    };
    let held = alone.steps.len() > setup + 1;
    if raised != after.raised || own.output != after.output || held != after.held {
        return false;
    }
    // The state of a step that raised is that of the frame it unwinds to.
    raised.is_some()
        || (same && complete && gone(start, &own.state) == gone(after.before, after.state))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_values_are_whole_values() {
        for text in [
            "1",
            "-1.5",
            "'a<b>'",
            "None",
            "[1, ('a', {2: [True]})]",
            "set()",
            "{1, 2}",
            "b'x'",
        ] {
            assert_eq!(is_plain(text), text != "b'x'", "{text}");
        }
        for text in [
            "<Point>",
            "[...]",
            "[1, ...<3 more>]",
            "'a'...<9 more>",
            "inf",
            "deque([1])",
            "f()",
            "",
        ] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
