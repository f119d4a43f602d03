//! The page of `codexec rerank --html`: a table of all ranked samples, and traces of the best ones,
//! each on the first test that it fails.

use std::ops::ControlFlow;

use codexec_data::trace::{Outcome, Program, Trace};
use codexec_page::report::{Cell, Row, Table};
use codexec_page::{Page, Section, Tab};

use super::super::figures::estimate;
use super::super::page::command;
use super::super::view::counted;
use super::super::view::text::clean;
use crate::engine::{Answered, Engine, Question, Row as EngineRow};
use crate::rerank::{PassTable, SampleSet, Test, Verdict};

/// Maximum traces on a page.
const MOST_TRACES: usize = 200;
/// Maximum tests tried to find one that a sample fails.
const MOST_TESTS: usize = 5;

/// Contents of the page.
pub(super) struct Shown<'s> {
    /// The samples.
    pub set: &'s SampleSet,
    /// Their ranking.
    pub verdicts: &'s [Verdict],
    /// How often the first ones are right, if verified.
    pub table: Option<&'s PassTable>,
    /// Traced samples per problem.
    pub top: usize,
    /// The engine that ranked them.
    pub heading: &'s str,
}

/// A traced sample.
struct Traced {
    problem: usize,
    rank: usize,
    sample: usize,
}

/// The page, as HTML.
///
/// # Errors
/// If the engine cannot answer, and the errors of [`Page::html`].
pub(super) fn html(
    title: &str,
    shown: &Shown<'_>,
    row: &EngineRow,
    engine: &dyn Engine,
) -> anyhow::Result<String> {
    let mut traced = Vec::new();
    for (problem, verdict) in shown.verdicts.iter().enumerate() {
        let samples = shown.set.of(problem);
        for (rank, ranked) in verdict.order.iter().take(shown.top).enumerate() {
            if traced.len() < MOST_TRACES && !shown.set.problems[problem].tests.is_empty() {
                traced.push(Traced {
                    problem,
                    rank,
                    sample: samples[ranked.sample],
                });
            }
        }
    }
    let answers = answers(shown.set, &traced, row, engine)?;
    let mut page = Page::new(title, Vec::new());
    for (one, (test, answered)) in traced.iter().zip(&answers) {
        let tab = Tab::with(
            format!("{}. {}", one.rank + 1, name_of(shown.set, one.sample)),
            &answered.trace,
            &answered.injected,
            &answered.decisions,
        );
        page.tabs.push(Tab {
            note: Some(said(test, &answered.trace)),
            ..tab
        });
    }
    let table = samples(shown, &traced);
    if let Some(pass) = shown.table {
        page.sections
            .push(Section::new("pass@k", vec![passes(pass).into()]));
    }
    match page.tabs.is_empty() {
        true => page
            .sections
            .insert(0, Section::new("Samples", vec![table.into()])),
        false => page.table = Some(table),
    }
    let (count, problems) = (shown.set.samples.len(), shown.set.problems.len());
    page.summary = Some(format!(
        "{} of {} in order, by {}. Traces are of the first test that is not passed, else of the first one.",
        counted(count, "sample"),
        counted(problems, "problem"),
        clean(shown.heading)
    ));
    page.command = Some(command());
    Ok(page.html()?)
}

/// Display name of a sample's tab.
fn name_of(set: &SampleSet, sample: usize) -> String {
    let name = clean(&set.name(sample));
    match name.chars().all(|c| c.is_ascii_digit()) {
        true => format!("sample {name}"),
        false => name,
    }
}

/// The behaviour of a sample on the first test that it fails, or else on the first test.
fn answers<'s>(
    set: &'s SampleSet,
    traced: &[Traced],
    row: &EngineRow,
    engine: &dyn Engine,
) -> anyhow::Result<Vec<(&'s Test, Answered)>> {
    let mut asked: Vec<(usize, &Test)> = Vec::new();
    let mut programs: Vec<Program> = Vec::new();
    for (at, one) in traced.iter().enumerate() {
        let id = clean(&set.name(one.sample));
        for test in set.problems[one.problem].tests.iter().take(MOST_TESTS) {
            asked.push((at, test));
            programs.push(test.program(&id, &set.samples[one.sample].code));
        }
    }
    let mut found: Vec<Option<(&Test, Answered)>> = traced.iter().map(|_| None).collect();
    let mut next = asked.iter();
    engine.answer(&Question::of(&programs), &mut |program, answer| {
        let Some((at, test)) = next.next() else {
            return ControlFlow::Break(());
        };
        let answered = answer.unwrap_or_else(|why| why.trace(row, program));
        let is_better = match &found[*at] {
            None => true,
            Some((before, kept)) => {
                passes_test(before, &kept.trace) != Some(false)
                    && passes_test(test, &answered.trace) == Some(false)
            }
        };
        if is_better {
            found[*at] = Some((test, answered));
        }
        ControlFlow::Continue(())
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// Whether a test is passed. `None` if the expected result is unknown.
fn passes_test(test: &Test, trace: &Trace) -> Option<bool> {
    match trace.outcome {
        Outcome::Finished => test.passes(&trace.output()),
        _ => test.expected().map(|_| false),
    }
}

/// The test and its result.
fn said(test: &Test, trace: &Trace) -> String {
    let what = match passes_test(test, trace) {
        Some(true) => "Passes",
        Some(false) => "Does not pass",
        None => "Says what it prints for",
    };
    let expected = match test.expected() {
        Some(expected) => format!(", where {} is expected", expected.trim()),
        None => String::new(),
    };
    let test = match test {
        Test::Input { .. } if test.expected().is_some() => format!("with {}", test.name()),
        _ => test.name(),
    };
    clean(&format!("{what} {test}{expected}"))
}

/// All samples in ranked order.
fn samples(shown: &Shown<'_>, traced: &[Traced]) -> Table {
    let verified = shown.table.is_some();
    let mut columns = vec!["rank", "sample", "problem", "score", "tests passed"];
    if verified {
        columns.push("verified");
    }
    columns.push("why");
    let mut table = Table::new(columns).titled("Samples");
    for (problem, verdict) in shown.verdicts.iter().enumerate() {
        let (of, samples) = (&shown.set.problems[problem], shown.set.of(problem));
        let known = of.tests.iter().filter(|test| test.expected().is_some());
        let known = known.count();
        for (rank, ranked) in verdict.order.iter().enumerate() {
            let score = Cell {
                text: format!("{:.2}", ranked.score),
                ..Cell::share(ranked.score, None)
            };
            let passed = match known {
                0 => Cell::text("–"),
                known => Cell::text(format!("{} of {known}", ranked.passes))
                    .marked(ranked.passes == known),
            };
            let mut cells = vec![
                Cell::number(rank + 1),
                Cell::text(name_of(shown.set, samples[ranked.sample])),
                Cell::text(clean(&of.id)),
                score,
                passed,
            ];
            if verified {
                let right = verdict.right.as_ref().map(|right| right[ranked.sample]);
                cells.push(match right {
                    Some(true) => Cell::text("right").marked(true),
                    Some(false) => Cell::text("wrong").marked(false),
                    None => Cell::text("–"),
                });
            }
            cells.push(Cell::text(clean(&ranked.reasons.join("; "))));
            let is_this = |one: &Traced| one.problem == problem && one.rank == rank;
            table.rows.push(Row {
                cells,
                tab: traced.iter().position(is_this),
            });
        }
    }
    table
}

/// How often the first ones are right, before and after.
fn passes(pass: &PassTable) -> Table {
    let title = format!(
        "{} problems, {} samples, {} of them right; percent",
        pass.problems, pass.samples, pass.right
    );
    let mut table = Table::new(["order", "pass@1", "pass@5", "pass@10"]).titled(title);
    for row in &pass.rows {
        let name = std::iter::once(Cell::text(&row.name));
        table.push(name.chain(row.pass.iter().map(estimate)));
    }
    table
}
