//! The page of `codexec check --explain`: for each finding an execution that ends in it, at the
//! step that raises, and the statements that led there.
//!
//! A finding does not contain its execution, so the program is planned again as it was checked:
//! with its own or made-up input, and with the calls that findings name. An execution belongs to a
//! finding if it ends with the same exception on the same line. No other execution is shown.

use std::ops::ControlFlow;

use codexec_data::errors::{Guess, plausible_inputs};
use codexec_data::trace::{Outcome, Program, Trace, Value};
use codexec_page::report::{Heat, HeatRow, Mark, Section};
use codexec_page::{Because, Finding, Note, Page, Tab};
use codexec_query::why::{Kind, Link};
use codexec_query::{Question as Why, why};

use super::page::command;
use super::view::text::clean;
use crate::analysis::uncalled;
use crate::check::{self, Checked, Source};
use crate::engine::plan::spelled::CLASS_TEXT;
use crate::engine::{self, Answered, Question};

/// Maximum number of statements listed for a finding.
const MOST_BECAUSE: usize = 8;
/// Prefix of a finding about a made-up call.
const CALLED_AS: &str = "when called as ";

/// How the program was checked.
pub(super) struct How<'h> {
    /// The checker.
    pub engine: &'h str,
    /// Its settings.
    pub settings: &'h check::Settings,
    /// Its own figures.
    pub sections: &'h [check::explain::Section],
}

/// The page of one program, as HTML. `others` are files of its project with findings.
pub(super) fn html(
    source: &Source,
    checked: &Checked,
    others: &[(&Source, &Checked)],
    how: &How<'_>,
) -> anyhow::Result<String> {
    let planned = planned(source, checked, how.settings)?;
    let mut page = Page::new(source.path.clone(), Vec::new());
    let mut shown: Vec<usize> = Vec::new();
    let own = checked
        .findings
        .iter()
        .map(|finding| (None::<&Source>, finding));
    let elsewhere = others.iter().flat_map(|(source, checked)| {
        let findings = checked.findings.iter();
        findings.map(move |finding| (Some(*source), finding))
    });
    for (other, finding) in own.chain(elsewhere) {
        let at = planned
            .iter()
            .position(|one| explains(&one.trace, source, other, finding));
        let tab = at.map(|at| {
            shown.iter().position(|one| *one == at).unwrap_or_else(|| {
                shown.push(at);
                shown.len() - 1
            })
        });
        page.findings.push(of_finding(
            finding,
            other,
            tab.zip(at.map(|at| &planned[at].trace)),
        ));
    }
    if shown.is_empty() {
        shown.push(0);
    }
    page.tabs = shown
        .iter()
        .filter_map(|at| planned.get(*at))
        .map(|one| Tab::with(label(&one.trace), &one.trace, &one.injected, &one.decisions))
        .collect();
    page.notes = checked
        .notes
        .iter()
        .map(|note| Note {
            line: note.line,
            text: clean(&note.text),
        })
        .collect();
    page.lines.clone_from(&checked.lines);
    page.summary = Some(summary(checked, how.engine));
    page.command = Some(command());
    page.sections = how.sections.iter().map(figures).collect();
    Ok(page.html()?)
}

/// The program alone, with each of its inputs, and followed by the calls of findings.
fn planned(
    source: &Source,
    checked: &Checked,
    settings: &check::Settings,
) -> anyhow::Result<Vec<Answered>> {
    let inputs = match &source.stdin {
        Some(input) => vec![Some(input.clone())],
        None => {
            let description = source.description.as_deref();
            match plausible_inputs(&source.text, description, settings.inputs, settings.seed) {
                Ok(Guess::Inputs(all)) if !all.is_empty() => all.into_iter().map(Some).collect(),
                _ => vec![None],
            }
        }
    };
    let mut programs: Vec<Program> = inputs
        .iter()
        .map(|input| Program {
            stdin: input.clone(),
            ..by_itself(source)
        })
        .collect();
    let functions = uncalled(&source.text).unwrap_or_default();
    for finding in &checked.findings {
        let call = finding
            .when
            .as_deref()
            .and_then(|when| when.strip_prefix(CALLED_AS));
        let Some((name, arguments)) = call.and_then(call_in) else {
            continue;
        };
        let Some(function) = functions.iter().find(|one| one.name == name) else {
            continue;
        };
        let bindings: String = arguments
            .iter()
            .map(|(name, value)| format!("{name} = {}\n", whole(value)))
            .collect();
        let own = not_as_main(&source.text);
        let end = if own.ends_with('\n') { "" } else { "\n" };
        let mut program = by_itself(source);
        program.source = Some(format!("{own}{end}{CLASS_TEXT}{bindings}{}", function.call));
        program.stdin = inputs.first().cloned().flatten();
        programs.push(program);
    }
    let mut of_engine = engine::Settings {
        unknown: true,
        goes_on: false,
        ..settings.engine.clone()
    };
    // The page draws objects.
    of_engine.sandbox.references = true;
    let engines = (engine::plan::ROW.open)(&of_engine)?;
    let mut answers = Vec::with_capacity(programs.len());
    if let Some(engine) = engines.first() {
        engine.answer(&Question::of(&programs), &mut |program, answer| {
            answers.push(answer.unwrap_or_else(|why| why.trace(&engine::plan::ROW, program)));
            ControlFlow::Continue(())
        })?;
    }
    Ok(answers)
}

fn by_itself(source: &Source) -> Program {
    let place = source.project.as_ref();
    Program {
        id: source.path.clone(),
        source: Some(source.text.clone()),
        root: place.map(|place| place.root.clone()),
        package: place.map_or_else(String::new, |place| place.package.clone()),
        ..Program::default()
    }
}

/// The program without its `if __name__ == '__main__':` part, so that only the call follows its
/// definitions. Line numbers are preserved.
fn not_as_main(text: &str) -> String {
    let line = |line: &str| match line.split_once(':') {
        Some((condition, rest))
            if condition.starts_with("if ") && condition.contains("__name__") =>
        {
            format!("if False:{rest}")
        }
        _ => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Function and arguments of `f(a=1, b=[2, 3])`. `None` if the text is truncated.
fn call_in(text: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let (name, rest) = text.split_once('(')?;
    let mut arguments = Vec::new();
    let (mut depth, mut quote, mut begin) = (0_usize, None, 0);
    let mut characters = rest.char_indices();
    while let Some((at, c)) = characters.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(characters.next()),
            (Some(open), c) => quote = (c != open).then_some(open),
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') if depth > 0 => depth -= 1,
            (None, '…') => return None,
            (None, ')' | ',') if depth == 0 => {
                let one = rest[begin..at].trim();
                if !one.is_empty() {
                    arguments.push(one.split_once('=')?);
                }
                begin = at + 1;
                if c == ')' {
                    return Some((name, arguments));
                }
            }
            _ => {}
        }
    }
    None
}

/// A value that the program can construct. Findings omit the module of `Path`.
fn whole(value: &str) -> String {
    match value.starts_with("Path(") {
        true => format!("__import__('pathlib').{value}"),
        false => value.to_owned(),
    }
}

/// Whether an execution ends with a finding.
fn explains(
    trace: &Trace,
    source: &Source,
    other: Option<&Source>,
    finding: &check::Finding,
) -> bool {
    match &trace.outcome {
        Outcome::Raised {
            exception,
            line,
            file,
            ..
        } => {
            let is_there = match other {
                None => *file == 0,
                Some(other) => is_file(trace, *file, source, other),
            };
            is_there && *exception == finding.kind && *line == finding.line
        }
        Outcome::SyntaxError { line, .. } => other.is_none() && (*line).max(1) == finding.line,
        _ => false,
    }
}

fn is_file(trace: &Trace, file: u32, source: &Source, other: &Source) -> bool {
    let root = source.project.as_ref().map(|place| &place.root);
    let path = trace
        .files
        .get(file as usize)
        .zip(root)
        .map(|(file, root)| root.join(&file.path));
    let real = |path: &std::path::Path| path.canonicalize().ok();
    file > 0 && path.is_some_and(|path| real(&path) == real(other.path.as_ref()))
}

/// A finding. `found` is the tab and the trace of an execution that ends in it.
fn of_finding(
    finding: &check::Finding,
    other: Option<&Source>,
    found: Option<(usize, &Trace)>,
) -> Finding {
    let sentence = clean(&finding.sentence());
    let message = match other {
        Some(other) => format!("{}: {sentence}", clean(&other.path)),
        None => sentence,
    };
    let mut shown = Finding {
        line: finding.line,
        column: Some(finding.column),
        message,
        sure: Some(finding.probability),
        ..Finding::default()
    };
    let Some((tab, trace)) = found else {
        return shown;
    };
    shown.tab = Some(tab);
    if let Outcome::Raised { file, .. } = &trace.outcome {
        shown.file = (*file > 0).then_some(*file as usize);
    }
    if let Ok(answer) = why(trace, &Why::Exception, None) {
        let raised = answer.links.iter().find(|link| link.distance == 0);
        shown.step = raised.map(|link| link.step);
        let links = answer.links.iter().rev().filter(|link| link.distance > 0);
        shown.because = links.take(MOST_BECAUSE).map(because).collect();
    }
    shown
}

fn because(link: &Link) -> Because {
    let value = |(name, value): &(String, Value)| format!("{name} = {}", value.text);
    let mut what: Vec<String> = link.values.iter().map(value).collect();
    what.extend(
        link.value
            .as_ref()
            .map(|value| format!("returns {}", value.text)),
    );
    if link.kind == Kind::Condition {
        what.extend(link.holds.map(|holds| holds.to_string()));
    }
    Because {
        step: link.step,
        line: link.line,
        source: link.source.trim().to_owned(),
        what: what.join(", "),
    }
}

fn label(trace: &Trace) -> String {
    match &trace.outcome {
        Outcome::Raised {
            exception, line, ..
        } => format!("line {line}: {exception}"),
        _ => "planned".to_owned(),
    }
}

fn summary(checked: &Checked, engine: &str) -> String {
    let percent = |share: f64| match (100.0 * share).round() as u32 {
        100 if share < 1.0 => "over 99 %".to_owned(),
        0 if share > 0.0 => "under 1 %".to_owned(),
        whole => format!("{whole} %"),
    };
    let end = match &checked.end {
        Some(end) => match (&end.kind, end.line) {
            (Some(kind), Some(line)) => format!("most probably it ends with {kind} on line {line}"),
            (Some(kind), None) => format!("most probably it ends with {kind}"),
            (None, _) => "most probably it ends without an error".to_owned(),
        },
        None => "how it ends is not known".to_owned(),
    };
    // A finding's figure is the calibrated one.
    let of_end = |finding: &&check::Finding| {
        let end = checked.end.as_ref();
        end.is_some_and(|end| {
            end.line == Some(finding.line) && end.kind.as_deref() == Some(finding.kind.as_str())
        })
    };
    let found = checked.findings.iter().find(of_end);
    let error = found.map_or(checked.error, |finding| finding.probability);
    format!(
        "Run as it is, it raises with a probability of {}; {}. Nothing was executed. Engine: {}.",
        percent(error),
        clean(&end),
        clean(engine)
    )
}

/// A checker's own contribution: a heat map.
fn figures(section: &check::explain::Section) -> Section {
    let rows = section.map.rows.iter().map(|row| HeatRow {
        name: clean(&row.label),
        shares: row.mass.clone(),
        mark: row.is_error.then_some(Mark::Bad),
    });
    let heat = Heat {
        title: "How much of the pointer is where".to_owned(),
        x: "step".to_owned(),
        columns: section.map.steps.iter().map(usize::to_string).collect(),
        rows: rows.collect(),
    };
    Section::new(section.title.clone(), vec![heat.into()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_back_and_stand_alone() {
        assert_eq!(
            call_in("f(a=1, b=[2, 3], c='x, )', d={'k': (1,)}), on line 3"),
            Some((
                "f",
                vec![
                    ("a", "1"),
                    ("b", "[2, 3]"),
                    ("c", "'x, )'"),
                    ("d", "{'k': (1,)}")
                ]
            ))
        );
        assert_eq!(
            call_in("Stack.pop(); on line 3"),
            Some(("Stack.pop", vec![]))
        );
        assert_eq!(call_in("f(a=[1, 2, …)"), None);
        assert_eq!(call_in("f(a=1"), None);
        assert_eq!(
            not_as_main("def f(): pass\nif __name__ == '__main__': f()\nx = {1: 2}\n"),
            "def f(): pass\nif False: f()\nx = {1: 2}\n"
        );
        assert_eq!(whole("Path('x')"), "__import__('pathlib').Path('x')");
    }
}
