//! The page of `codexec diff --html`: both versions side by side, for values that make them differ.
//!
//! If calls with plain values expose the difference, such a call follows each version and is
//! executed. If injected values do, both versions are shown in the first world in which they
//! differ, or else in the first one.

use codexec_data::sandbox::{Injected, Pool, SandboxError};
use codexec_data::trace::{Outcome, Program, Trace};
use codexec_page::report::{Cell, Table};
use codexec_page::{Differing, Page, PageError, Tab, Versions};

use super::super::page::command;
use super::super::view::text::clean;
use super::Verdict;
use crate::guide::{ComparedVersions, Difference};

/// Both versions and their comparison, ready to be shown.
pub(super) struct Shown {
    path: String,
    verdict: &'static str,
    both: Option<[Side; 2]>,
    differences: Vec<Differing>,
    witness: Vec<String>,
    open: Vec<String>,
}

/// The behaviour of one version.
struct Side {
    trace: Trace,
    injected: Vec<Injected>,
}

impl Shown {
    /// Contents of the page for a comparison. Executes what it needs.
    ///
    /// # Errors
    /// If nothing can be run.
    pub(super) fn of(
        pool: &Pool,
        path: &str,
        old: &Program,
        new: &Program,
        found: &ComparedVersions,
    ) -> Result<Self, SandboxError> {
        let mut shown = Self::without(path, super::name_of(&found.difference));
        let mut both = None;
        match &found.difference {
            Difference::Same => {}
            Difference::Different { values, picked } => {
                both = called(pool, [old, new], values, picked)?;
                let differing = |(what, old, new): &(String, Option<String>, Option<String>)| {
                    let text = |text: &Option<String>| {
                        text.as_deref()
                            .map(|text| clean(text.trim_end_matches('\n')))
                    };
                    Differing {
                        what: clean(what),
                        old: text(old),
                        new: text(new),
                    }
                };
                shown.differences = values.iter().map(differing).collect();
                let is = |(term, value): &(String, String)| clean(&format!("{term} is {value}"));
                shown.witness = picked.iter().map(is).collect();
            }
            Difference::NotDistinguished { why } => {
                shown.open = why.iter().map(|one| clean(one)).collect();
            }
        }
        let guided = match &found.witness {
            Some(both) => [&both.0, &both.1],
            None => [&found.old, &found.new],
        };
        shown.both = Some(both.unwrap_or_else(|| {
            guided.map(|one| Side {
                trace: one.trace.clone(),
                injected: one.injected.clone(),
            })
        }));
        Ok(shown)
    }

    /// A file that was not compared.
    pub(super) fn not_compared(path: &str, verdict: &Verdict) -> Self {
        let mut shown = Self::without(path, verdict.name());
        if let Verdict::Failed(why) = verdict {
            shown.open.push(clean(why));
        }
        shown
    }

    fn without(path: &str, verdict: &'static str) -> Self {
        Self {
            path: clean(path),
            verdict,
            both: None,
            differences: Vec::new(),
            witness: Vec::new(),
            open: Vec::new(),
        }
    }

    /// Its text in a row.
    fn words(&self) -> String {
        let all = self
            .differences
            .iter()
            .map(|one| &one.what)
            .chain(&self.open);
        let mut words: Vec<&str> = all.map(String::as_str).take(3).collect();
        if words.is_empty() {
            words.push("");
        }
        words.join("; ")
    }
}

/// The page, as HTML. Several files get a table with a row each.
///
/// # Errors
/// The errors of [`Page::html`].
pub(super) fn html(title: &str, all: &[Shown]) -> Result<String, PageError> {
    let mut page = Page::new(title, Vec::new());
    let mut table = Table::new(["file", "verdict", "what"]).titled("Files");
    for one in all {
        let cells = [
            Cell::text(&one.path),
            Cell::text(one.verdict),
            Cell::text(one.words()),
        ];
        table.push(cells);
        let Some([old, new]) = &one.both else {
            continue;
        };
        let at = page.tabs.len();
        if let Some(row) = table.rows.last_mut() {
            row.tab = Some(at);
        }
        for (name, side) in [("old", old), ("new", new)] {
            let label = match all.len() {
                1 => name.to_owned(),
                _ => format!("{name} {}", one.path),
            };
            page.tabs
                .push(Tab::with(label, &side.trace, &side.injected, &[]));
        }
        page.versions.push(Versions {
            old: at,
            new: at + 1,
            verdict: one.verdict.to_owned(),
            differences: one.differences.clone(),
            witness: one.witness.clone(),
            open: one.open.clone(),
        });
    }
    if all.len() != 1 {
        page.table = Some(table);
    }
    if page.tabs.is_empty() {
        // Nothing was executed: there is only the table.
        let table = page.table.take().unwrap_or_default();
        let part = codexec_page::report::Part::Table(table);
        page.sections
            .push(codexec_page::Section::new("Files", vec![part]));
    }
    page.command = Some(command());
    page.html()
}

/// Both versions followed by the call that exposes the difference. `None` if no such call is known.
fn called(
    pool: &Pool,
    versions: [&Program; 2],
    values: &[(String, Option<String>, Option<String>)],
    picked: &[(String, String)],
) -> Result<Option<[Side; 2]>, SandboxError> {
    let Some(call) = call_of(values, picked) else {
        return Ok(None);
    };
    let run = |version: &Program| {
        let source = version.source.as_deref().unwrap_or_default();
        let end = if source.ends_with('\n') { "" } else { "\n" };
        let program = Program {
            source: Some(format!("{source}{end}{call}")),
            ..version.clone()
        };
        let trace = pool.run(&program)?;
        Ok::<Side, SandboxError>(Side {
            trace,
            injected: Vec::new(),
        })
    };
    let both = [run(versions[0])?, run(versions[1])?];
    Ok(differ(&both[0].trace, &both[1].trace).then_some(both))
}

/// Whether the results of two calls differ: the end, the output, or a remaining value.
fn differ(old: &Trace, new: &Trace) -> bool {
    let can_be_run = |trace: &Trace| !matches!(trace.outcome, Outcome::SyntaxError { .. });
    let end = |trace: &Trace| match &trace.outcome {
        Outcome::Raised {
            exception, message, ..
        } => format!("{exception}: {message}"),
        outcome => format!("{outcome:?}"),
    };
    let left = |trace: &Trace| -> Vec<(String, String)> {
        let last = trace.steps.last().into_iter();
        let names = last.flat_map(|step| step.state.iter());
        names
            .filter(|(name, _)| [RESULT, MADE].contains(name))
            .map(|(name, value)| (name.to_string(), value.text.to_string()))
            .collect()
    };
    can_be_run(old)
        && can_be_run(new)
        && (end(old) != end(new) || old.output() != new.output() || left(old) != left(new))
}

/// Names for the call's result and for the instance whose methods are called.
const RESULT: &str = "result";
const MADE: &str = "made";

/// The statements of the call that makes two versions differ: `result = f(a=1)`, or an instance and
/// calls of its methods. `None` if the difference belongs to no call, or its arguments cannot be
/// written.
fn call_of(
    values: &[(String, Option<String>, Option<String>)],
    picked: &[(String, String)],
) -> Option<String> {
    let [(what, old, _)] = values else {
        return None;
    };
    let (name, _) = what.split_once(", ")?;
    let arguments: Option<Vec<(&str, String)>> = picked
        .iter()
        .map(|(name, text)| Some((name.as_str(), literal(text)?)))
        .collect();
    let arguments = arguments?;
    // The arguments of a class are a dict under its name.
    if let [(of, given)] = arguments.as_slice()
        && *of == name
        && given.starts_with('{')
    {
        let (order, _) = old
            .as_deref()?
            .strip_prefix(['\'', '"'])?
            .split_once("]: ")?;
        let order = order.strip_prefix('[')?;
        let calls: String = order
            .split(", ")
            .filter_map(|one| one.strip_prefix('\'')?.strip_suffix('\''))
            .map(|method| format!("{RESULT} = {MADE}.{method}()\n"))
            .collect();
        return Some(format!("{MADE} = {name}(**{given})\n{calls}"));
    }
    let given: Vec<String> = arguments
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    Some(format!("{RESULT} = {name}({})\n", given.join(", ")))
}

/// The expression for a value as a difference shows it, where sets are written differently. `None`
/// if it is truncated or not a plain value.
fn literal(text: &str) -> Option<String> {
    let is_plain = !text.contains(['…', '<']) && text != "an object";
    is_plain.then(|| text.replace("set{}", "set()").replace("set{", "{"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_the_call_that_shows_it() {
        let value = |what: &str, old: &str| vec![(what.to_owned(), Some(old.to_owned()), None)];
        let pick = |name: &str, text: &str| vec![(name.to_owned(), text.to_owned())];
        assert_eq!(
            call_of(&value("mean, result", "1"), &pick("values", "set{}")).as_deref(),
            Some("result = mean(values=set())\n")
        );
        assert_eq!(
            call_of(
                &value("Stack, result", "\"['pop', 'size']: 1 2\""),
                &pick("Stack", "{'items': [3]}")
            )
            .as_deref(),
            Some("made = Stack(**{'items': [3]})\nresult = made.pop()\nresult = made.size()\n")
        );
        assert_eq!(call_of(&value("output", "1"), &pick("n", "1")), None);
        assert_eq!(
            call_of(&value("f, result", "1"), &pick("x", "an object")),
            None
        );
    }
}
