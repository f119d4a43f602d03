//! A guided run for people: the executed lines with what changed, what was made up and why, how it
//! ended and how much was executed. As text and as a self-contained page.

use std::collections::BTreeSet;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use codexec_data::sandbox::Injected;
use codexec_data::trace::{Program, Trace};
use codexec_page::{Page, PageError, Tab};

use super::page::command;
use super::terminal;
use super::view::text::{clean, fit, pad};
use super::view::{ViewStyle, counted, render};
use crate::analysis::only_defines;
use crate::guide::Guided;

const COVERED: Style = AnsiColor::Green.on_default();
const MISSED: Style = AnsiColor::Red.on_default();

/// Style of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    /// Whether to use colours.
    pub color: bool,
    /// Whether each line is marked as executed or not.
    pub coverage: bool,
}

/// The run as text.
pub(super) fn text(program: &Program, guided: &Guided, look: Look) -> String {
    let source = program.source.as_deref().unwrap_or_default();
    let style = ViewStyle {
        color: look.color,
        ..terminal::style()
    };
    let mut out = render(&guided.trace, source, &style);
    out.push('\n');
    match guided.injected.is_empty() {
        true => out.push_str("nothing was made up\n"),
        false => out.push_str(&made_up(&guided.injected)),
    }
    if let Some(line) = guided.returned {
        let _ = writeln!(out, "\n{}", ended_by_return(line));
    }
    let coverage = guided.coverage;
    let _ = writeln!(
        out,
        "\n{} of {} lines executed ({:.1}%)",
        coverage.covered,
        coverage.lines,
        100.0 * coverage.share()
    );
    if let Some(raised) = raised(&guided.trace) {
        let _ = writeln!(out, "note: {raised}");
    }
    if only_defines(source) {
        out.push_str("note: nothing is called; --call calls what the program defines\n");
    }
    if look.coverage {
        out.push_str(&covered_lines(
            source,
            |line| guided.counts(line),
            &guided.covered,
            look.color,
        ));
    }
    out
}

/// Which of the calls after a program raised, and what.
fn raised(trace: &Trace) -> Option<String> {
    let behind = trace.program.behind?;
    let own = trace.program.source.as_deref()?.get(..behind)?;
    let own = own.lines().count();
    let calls = trace
        .steps
        .iter()
        .filter(|step| step.depth == 0 && step.file == 0 && step.line as usize > own);
    let names = calls.flat_map(|step| step.state.iter());
    let mut all: Vec<String> = Vec::new();
    for (name, value) in names {
        if let Some(of) = name.strip_prefix("error_of_") {
            let raised = value.text.trim_matches(['"', '\'']);
            let one = format!("{} raised {}", clean(of), clean(raised));
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    (!all.is_empty()).then(|| all.join("; "))
}

/// Why a program ended without an error.
pub(super) fn ended_by_return(line: u32) -> String {
    format!("note: the program ended at `return` on line {line}, which no function is around")
}

/// The made-up values, as a table.
pub(super) fn made_up(all: &[Injected]) -> String {
    let mut out = String::from("made up:\n");
    let _ = writeln!(
        out,
        "{:>5}  {:<9}  {:<24}  {:<28}  {:<14}  sure",
        "line", "kind", "what", "value", "predicted"
    );
    for one in all {
        let _ = writeln!(out, "{}", injected(one).trim_end());
    }
    out
}

fn injected(one: &Injected) -> String {
    let sure = one.sure.map(|sure| format!("{:>3.0}%", 100.0 * sure));
    // A stand-in accepts more operations than its predicted class.
    let predicted = sure.as_ref().map_or("", |_| one.class.as_str());
    let file = one.file.iter().map(|file| format!("{}:", clean(file)));
    format!(
        "{:>5}  {}  {}  {}  {}  {}",
        file.collect::<String>() + &one.line.to_string(),
        pad(&one.kind, 9),
        pad(&fit(&clean(&one.name), 24), 24),
        pad(&fit(&clean(&shown(&one.text)), 28), 28),
        pad(predicted, 14),
        sure.unwrap_or_default(),
    )
}

/// The text of a value for people.
fn shown(text: &str) -> String {
    match text {
        "<StandIn>" => "stand-in".to_owned(),
        "<module>" => "module".to_owned(),
        "<GuideFile>" => "file in memory".to_owned(),
        other => other.to_owned(),
    }
}

/// Lines of a program; executable ones are marked as executed or not.
pub(super) fn covered_lines(
    source: &str,
    counts: impl Fn(u32) -> bool,
    covered: &BTreeSet<u32>,
    color: bool,
) -> String {
    let mut out = String::new();
    for (line, number) in source.lines().zip(1..) {
        let (mark, style) = match (counts(number), covered.contains(&number)) {
            (false, _) => (' ', Style::new()),
            (true, true) => ('+', COVERED),
            (true, false) => ('-', MISSED),
        };
        let line = clean(&line.replace('\t', "    "));
        let row = format!("{mark} {number:>4}  {line}");
        let style = if color { style } else { Style::new() };
        let _ = writeln!(out, "{style}{}{style:#}", row.trim_end());
    }
    out
}

/// The run as a page.
pub(super) fn page(program: &Program, guided: &Guided) -> Result<String, PageError> {
    let coverage = guided.coverage;
    let mut tab = Tab::with("guided", &guided.trace, &guided.injected, &[]);
    tab.note = Some(format!(
        "{} of {} lines executed ({:.1}%), {} made up by {}",
        coverage.covered,
        coverage.lines,
        100.0 * coverage.share(),
        counted(guided.injected.len(), "value"),
        guided.trace.checkpoint.as_deref().unwrap_or_default(),
    ));
    let mut page = Page::new(program.id.clone(), vec![tab]);
    page.command = Some(command());
    page.html()
}
