//! Compares two versions of a program under the same injected values (the paper's RQ4).
//!
//! Both run in the same worlds (`worlds`): a name has the same injected value in both, the same
//! conditions get the same outcomes, and functions that are only defined are called with the same
//! arguments. The versions differ if in some world they end differently, print different output,
//! leave different values, or do different things to injected values. They are the same if no world
//! tells them apart *and* nothing is left open by the expressions of their values, the conditions
//! on injected values, or the lines not executed. Otherwise the verdict is that they are not
//! distinguished.

use std::collections::{BTreeMap, BTreeSet};

use codexec_data::sandbox::{Compared, Effect, MadeResult};
use codexec_trace::Outcome;
use serde::Serialize;

use super::plain::Plain;
use super::worlds::{Both, Run};

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Difference {
    /// Both do the same.
    Same,
    /// They differ.
    Different {
        /// The differences, as name, old and new text: variables, results of calls, `output` for
        /// printed text, `end` for how they end, `call 3` for the third operation on injected
        /// values.
        values: Vec<(String, Option<String>, Option<String>)>,
        /// Injected numbers and texts that show the difference.
        #[serde(rename = "where")]
        picked: Vec<(String, String)>,
    },
    /// No difference was found, but there may be one.
    NotDistinguished {
        /// What is left open.
        why: Vec<String>,
    },
}

type Values = Vec<(String, Option<String>, Option<String>)>;

/// Returns the verdict on the runs of two versions in all worlds.
pub(super) fn verdict(worlds: &[(Run, Run)], both: &Both<'_>) -> Difference {
    for (old, new) in worlds {
        let values = differences(old, new);
        if !values.is_empty() {
            let picked = old.compared.iter().chain(&new.compared);
            let picked: BTreeMap<_, _> = picked
                .flat_map(|c| &c.picked)
                .map(|p| (p.term.clone(), p.text.clone()))
                .collect();
            let picked = picked.into_iter().take(MOST_NAMED).collect();
            return Difference::Different { values, picked };
        }
    }
    let mut why = Vec::new();
    if worlds.iter().all(|(old, new)| !is_telling(old, new)) {
        why.push("no run ended in a comparable way".to_owned());
    }
    if both.is_changed() {
        for (old, new) in worlds {
            if let (Some(a), Some(b)) = (&old.compared, &new.compared) {
                open_questions(a, b, &mut why);
            }
        }
        let opaque = |run: &Run| run.compared.as_ref().is_some_and(|c| c.opaque);
        if worlds.iter().any(|(old, new)| opaque(old) || opaque(new)) {
            why.push("input or a file was made up; another one may tell them apart".to_owned());
        }
        if worlds.iter().any(|(old, new)| old.made_up || new.made_up) {
            why.extend(both.not_executed(worlds));
            if !both.has_terms {
                why.push("values were made up that do not vary; see --abstraction".to_owned());
            }
        }
    }
    if both.changed_elsewhere {
        why.push("changes in imported modules may not have been executed".to_owned());
    }
    let mut seen = BTreeSet::new();
    why.retain(|one| seen.insert(one.clone()));
    match why.is_empty() {
        true => Difference::Same,
        false => Difference::NotDistinguished { why },
    }
}

/// Returns the first world in which two versions differ.
pub(super) fn first_different(worlds: &[(Run, Run)]) -> Option<usize> {
    let mut worlds = worlds.iter();
    worlds.position(|(old, new)| !differences(old, new).is_empty())
}

/// Combines the verdict of runs with injected values and that of calls with plain values. Plain
/// values decide for the functions that were called with them.
pub(super) fn combined(made_up: Difference, plain: Option<&Plain>) -> Difference {
    let Some(plain) = plain else {
        return made_up;
    };
    if let Some((values, picked)) = plain.difference() {
        return Difference::Different { values, picked };
    }
    let open = plain.open();
    if plain.is_whole() {
        return match open.is_empty() {
            true => Difference::Same,
            false => Difference::NotDistinguished { why: open },
        };
    }
    match made_up {
        Difference::Different { values, picked } => {
            let is_open = |name: &str| {
                let of = name.strip_prefix("result_of_").unwrap_or(name);
                !plain.tells_of(of)
            };
            let left: Values = values
                .into_iter()
                .filter(|(name, ..)| is_open(name))
                .collect();
            match (left.is_empty(), open.is_empty()) {
                (false, _) => Difference::Different {
                    values: left,
                    picked,
                },
                (true, true) => Difference::Same,
                (true, false) => Difference::NotDistinguished { why: open },
            }
        }
        Difference::Same if !open.is_empty() => Difference::NotDistinguished { why: open },
        other => other,
    }
}

/// Most injected values shown with a difference.
const MOST_NAMED: usize = 8;

/// Whether the ends of two runs are comparable: the length of a stopped run may vary.
fn is_telling(old: &Run, new: &Run) -> bool {
    let stopped = |run: &Run| {
        let by_limit = matches!(
            run.outcome,
            Outcome::Timeout
                | Outcome::InstructionLimit
                | Outcome::OutputLimit
                | Outcome::TraceLimit
                | Outcome::MemoryLimit
                | Outcome::Killed { .. }
                | Outcome::SyntaxError { .. }
        );
        by_limit || run.compared.is_none()
    };
    let endless = |run: &Run| run.outcome == Outcome::StepLimit;
    !(stopped(old) || stopped(new) || endless(old) && endless(new))
}

/// Returns how a run ended, without the line, since lines move.
fn end_of(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Raised {
            exception, message, ..
        } if message.is_empty() => format!("raised {exception}"),
        Outcome::Raised {
            exception, message, ..
        } => format!("raised {exception}: {message}"),
        Outcome::StepLimit => "does not end".to_owned(),
        Outcome::Exited { code, text } if text.is_empty() => format!("exited with status {code}"),
        Outcome::Exited { code, text } => format!("exited with status {code}: {text}"),
        _ => "finished".to_owned(),
    }
}

/// Results by name: value and term.
type ByName<'a> = BTreeMap<(&'a str, usize), (&'a str, &'a str)>;

fn by_name(compared: &Compared) -> ByName<'_> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for MadeResult { name, value, term } in &compared.results {
        let at = count.entry(name).or_default();
        found.insert((name.as_str(), *at), (value.as_str(), term.as_str()));
        *at += 1;
    }
    found
}

/// Whether a result exists independently of what the versions define.
fn is_variable(name: &str) -> bool {
    !(name.starts_with("result_of_") || name.starts_with("callback_") || name.contains(' '))
}

/// Returns the differences of two runs in a world.
fn differences(old: &Run, new: &Run) -> Values {
    let mut values = Values::new();
    let (Some(a), Some(b)) = (&old.compared, &new.compared) else {
        return values;
    };
    if !is_telling(old, new) {
        return values;
    }
    let (ends, new_ends) = (end_of(&old.outcome), end_of(&new.outcome));
    if ends != new_ends {
        values.push(("end".to_owned(), Some(ends), Some(new_ends)));
        if old.outcome == Outcome::StepLimit || new.outcome == Outcome::StepLimit {
            return values;
        }
    }
    let picked = a.picked.iter().chain(&b.picked);
    let picked: Vec<(&str, &str)> = picked.map(|p| (&*p.term, &*p.text)).collect();
    let unlike = |one: &str, other: &str| {
        // Equal items of a collection can be distinct: their order is a difference.
        let is_plain = |value: &str| !value.starts_with(['[', '(', '{', '<']);
        let is_witness = is_plain(one) && is_plain(other);
        one != other && !(is_witness && with_picked(one, &picked) == with_picked(other, &picked))
    };
    let (left, right) = (by_name(a), by_name(b));
    let names: BTreeSet<_> = left.keys().chain(right.keys()).collect();
    for key in names {
        let (one, other) = (left.get(key), right.get(key));
        let differ = match (one, other) {
            (Some(one), Some(other)) => unlike(one.0, other.0),
            // A name of only one version does not count.
            _ => false,
        };
        if differ {
            let (one, other) = told_apart(one.copied(), other.copied());
            values.push((key.0.to_owned(), one, other));
        }
    }
    if old.output != new.output {
        let output = |run: &Run| Some(run.output.clone());
        values.push(("output".to_owned(), output(old), output(new)));
    }
    let count = a.effects.len().max(b.effects.len());
    for k in 0..count {
        let (one, other) = (a.effects.get(k), b.effects.get(k));
        let differ = match (one, other) {
            (Some(one), Some(other)) => unlike(&one.value, &other.value),
            _ => true,
        };
        if differ {
            let (one, other) = told_apart(one.map(as_text), other.map(as_text));
            values.push((format!("call {}", k + 1), one, other));
            break;
        }
    }
    values
}

/// Replaces the names of injected numbers and texts in a value with their values: `b`, which is 2,
/// becomes `2`. A witness with plain values has no names.
fn with_picked(value: &str, picked: &[(&str, &str)]) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(c) = rest.chars().next() {
        let is_start = !out.ends_with(is_part);
        let found = picked.iter().filter(|(term, _)| {
            let behind = rest.strip_prefix(term);
            let goes_on = |rest: &str| rest.starts_with(is_part) || rest.starts_with(['(', '[']);
            is_start && !term.is_empty() && behind.is_some_and(|behind| !goes_on(behind))
        });
        match found.max_by_key(|(term, _)| term.len()) {
            Some((term, text)) => {
                out.push_str(text);
                rest = &rest[term.len()..];
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

fn as_text(done: &Effect) -> (&str, &str) {
    (&done.value, &done.term)
}

/// Returns the texts that show how two values differ: their terms if these do.
fn told_apart(
    old: Option<(&str, &str)>,
    new: Option<(&str, &str)>,
) -> (Option<String>, Option<String>) {
    let by_terms = match (old, new) {
        (Some(old), Some(new)) => old.1 != new.1,
        _ => true,
    };
    let text = |pair: (&str, &str)| match (by_terms, pair.0 == pair.1) {
        (true, false) => format!("{} (here {})", pair.1, pair.0),
        (true, true) => pair.1.to_owned(),
        (false, _) => pair.0.to_owned(),
    };
    (old.map(text), new.map(text))
}

/// Most reasons of each kind.
const MOST_REASONS: usize = 5;

/// Adds what leaves open whether equal results are equal in all worlds.
fn open_questions(old: &Compared, new: &Compared, why: &mut Vec<String>) {
    if why.len() >= MOST_REASONS {
        return;
    }
    let (left, right) = (by_name(old), by_name(new));
    for (key, (_, term)) in &left {
        if let Some((_, other)) = right.get(key)
            && term != other
        {
            why.push(format!("{} is made as {term}, and as {other}", key.0));
        }
    }
    for (done, other) in old.effects.iter().zip(&new.effects) {
        let (term, other) = (&done.term, &other.term);
        if term != other {
            why.push(format!("{term} is done, and {other}"));
        }
    }
    let names = |of: &ByName<'_>, other: &ByName<'_>| -> Vec<String> {
        let alone = of
            .keys()
            .filter(|key| is_variable(key.0) && !other.contains_key(*key));
        alone.map(|key| key.0.to_owned()).take(3).collect()
    };
    for (names, who) in [(names(&left, &right), "old"), (names(&right, &left), "new")] {
        if !names.is_empty() {
            why.push(format!("only the {who} one binds {}", names.join(", ")));
        }
    }
    let terms =
        |c: &Compared| -> BTreeSet<String> { c.asked.iter().map(|a| a.term.clone()).collect() };
    let (a, b) = (terms(old), terms(new));
    let alone = |a: &BTreeSet<String>, b: &BTreeSet<String>| -> Vec<String> {
        a.difference(b).take(3).cloned().collect()
    };
    for (asked, who) in [(alone(&a, &b), "old"), (alone(&b, &a), "new")] {
        if !asked.is_empty() {
            why.push(format!("only the {who} one uses {}", asked.join(", ")));
        }
    }
    why.truncate(MOST_REASONS);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(results: &[(&str, &str, &str)], outcome: Outcome) -> Run {
        let results = results.iter();
        let text = |t: &str| t.to_owned();
        Run {
            outcome,
            output: String::new(),
            executed: BTreeSet::new(),
            made_up: true,
            compared: Some(Compared {
                results: results
                    .map(|(name, value, term)| MadeResult {
                        name: text(name),
                        value: text(value),
                        term: text(term),
                    })
                    .collect(),
                ..Compared::default()
            }),
        }
    }

    #[test]
    fn values_differ_by_what_they_are_and_are_shown_by_what_made_them() {
        let old = run(&[("x", "2", "(count + 1)")], Outcome::Finished);
        let new = run(&[("x", "3", "(count + 2)")], Outcome::Finished);
        let found = differences(&old, &new);
        let texts = (
            Some("(count + 1) (here 2)".to_owned()),
            Some("(count + 2) (here 3)".to_owned()),
        );
        assert_eq!(found, [("x".to_owned(), texts.0, texts.1)]);
    }

    #[test]
    fn a_witness_has_plain_values() {
        let picked = [("a", "2"), ("b", "2"), ("xs[0]", "1")];
        assert_eq!(
            with_picked("(b, xs[0], ab, b.c, b(1))", &picked),
            "(2, 1, ab, b.c, b(1))"
        );
    }

    #[test]
    fn a_function_of_one_version_alone_is_no_difference() {
        let old = run(&[("x", "2", "2")], Outcome::Finished);
        let new = run(
            &[("result_of_helper", "1", "1"), ("x", "2", "2")],
            Outcome::Finished,
        );
        assert_eq!(differences(&old, &new), []);
        let new = run(&[("x", "2", "2"), ("y", "1", "1")], Outcome::Finished);
        assert_eq!(differences(&old, &new), []);
        let mut why = Vec::new();
        let compared = |run: &Run| run.compared.clone().unwrap_or_default();
        open_questions(&compared(&old), &compared(&new), &mut why);
        assert_eq!(why, ["only the new one binds y"]);
    }

    #[test]
    fn what_is_stopped_tells_nothing() {
        let old = run(&[("x", "2", "2")], Outcome::Finished);
        let new = run(&[("x", "3", "3")], Outcome::Timeout);
        assert_eq!(differences(&old, &new), []);
        let new = run(&[], Outcome::StepLimit);
        assert_eq!(differences(&old, &new)[0].0, "end");
    }
}
