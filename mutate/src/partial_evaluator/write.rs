//! Writes what reads gave into the program's text.
//!
//! An expression that reads once becomes a literal. One that reads repeatedly takes its values from a
//! list assigned before the enclosing statement: by the loop's variable if that counts from 0,
//! otherwise in sequence.

use std::collections::BTreeMap;

use ruff_text_size::TextRange;

use super::names::Names;
use super::scope::{Commit, Event};
use super::value::Value;
use crate::edit::is_word;

/// Writes `events` into `source`, or returns the event that cannot be written.
pub(super) fn write(
    source: &str,
    names: &Names,
    events: &[Event],
    commits: &[Commit],
    complete: bool,
) -> Result<(String, usize), usize> {
    let sites = sites(events, complete)?;
    let mut edits: BTreeMap<(usize, usize), String> = BTreeMap::new();
    let mut before: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut fresh = fresh_names(source);
    for (range, all) in &sites {
        let first = &events[all[0]];
        let (start, end) = (range.0 as usize, range.1 as usize);
        let text = if all.len() == 1 {
            let bare = first.value.bare().filter(|_| first.unpacked);
            bare.filter(|_| !source[start..end].starts_with('('))
                .unwrap_or_else(|| number_apart(source, start, end, &first.value))
        } else {
            let name = fresh.next().ok_or(all[0])?;
            let values: Vec<Value> = all.iter().map(|at| events[*at].value.clone()).collect();
            let list = Value::List(values).literal();
            let (text, value) = match variable(all.iter().map(|at| &events[*at])) {
                Some(variable) => (format!("{name}[{variable}]"), list),
                None if names.bound.contains_key("next") || names.bound.contains_key("iter") => {
                    return Err(all[0]);
                }
                None => (format!("next({name})"), format!("iter({list})")),
            };
            let commit = &commits[first.commit];
            let near = all
                .iter()
                .map(|at| &events[*at])
                .all(|e| e.commit == first.commit && e.frame == commit.frame && !e.shared);
            let anchor = if near { commit.statement } else { commit.outer };
            let lines = before.entry(anchor as usize).or_default();
            lines.push(format!("{name} = {value}"));
            text
        };
        edits.insert((start, end), spaced(source, start, end, text));
    }
    for all in sites.values() {
        let first = &events[all[0]];
        let lines = before.entry(first.statement as usize).or_default();
        for prompt in &first.prompts {
            let text = &source[usize::from(prompt.start())..usize::from(prompt.end())];
            lines.push(format!("print({text}, end=\"\")"));
        }
    }
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    for ((start, end), text) in with_lines(source, before, edits) {
        out.push_str(&source[at..start]);
        out.push_str(&text);
        at = end;
    }
    out.push_str(&source[at..]);
    Ok((out, sites.len()))
}

type Sites = BTreeMap<(u32, u32), Vec<usize>>;

/// The events of each expression; or the first event that excludes others.
fn sites(events: &[Event], complete: bool) -> Result<Sites, usize> {
    let key = |r: TextRange| (u32::from(r.start()), u32::from(r.end()));
    let mut sites = Sites::new();
    for (at, event) in events.iter().enumerate() {
        sites.entry(key(event.range)).or_default().push(at);
    }
    let mut worst: Option<usize> = None;
    let mut refuse = |at: usize| worst = Some(worst.map_or(at, |w: usize| w.min(at)));
    let mut open: Option<((u32, u32), usize)> = None;
    for (range, all) in &sites {
        let first = &events[all[0]];
        let differs = |e: &Event| {
            (&e.prompts, e.statement, e.unpacked)
                != (&first.prompts, first.statement, first.unpacked)
        };
        let each = || all.iter().map(|at| &events[*at]);
        if each().any(|e| differs(e) || (e.shared && !complete))
            || (all.len() > 1 && each().any(|e| e.conditional))
        {
            refuse(all[0]);
        }
        if let Some((around, at)) = open
            && range.0 < around.1
        {
            refuse(all[0].min(at));
        }
        if open.is_none_or(|(around, _)| range.1 > around.1) {
            open = Some((*range, all[0]));
        }
    }
    match worst {
        Some(at) => Err(at),
        None => Ok(sites),
    }
}

/// The variable of the only loop whose iterations are the events, from the first iteration on.
fn variable<'e>(events: impl Iterator<Item = &'e Event>) -> Option<String> {
    let mut found: Option<(usize, &str)> = None;
    for (at, event) in events.enumerate() {
        let (id, name, count) = event.turn.as_ref()?;
        if *count != at || found.is_some_and(|f| f != (*id, name)) {
            return None;
        }
        found = Some((*id, name));
    }
    found.map(|(_, name)| name.to_owned())
}

/// Puts whole lines before statements, in front of what replaces their beginnings.
fn with_lines(
    source: &str,
    before: BTreeMap<usize, Vec<String>>,
    edits: BTreeMap<(usize, usize), String>,
) -> Vec<((usize, usize), String)> {
    let mut all: Vec<((usize, usize), String)> = Vec::new();
    for (at, lines) in before {
        let start = source[..at].rfind('\n').map_or(0, |n| n + 1);
        let indent = &source[start..at];
        let end = match indent.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\x0c')) {
            true => format!("\n{indent}"),
            false => "; ".to_owned(),
        };
        let text: String = lines.iter().map(|line| format!("{line}{end}")).collect();
        if !text.is_empty() {
            all.push(((at, at), text));
        }
    }
    all.extend(edits);
    all.sort_by_key(|((start, end), _)| (*start, *end));
    all
}

/// The value's literal, in brackets where a number would mean something else.
fn number_apart(source: &str, start: usize, end: usize, value: &Value) -> String {
    let text = value.literal();
    let before = source[..start]
        .trim_end_matches([' ', '\t'])
        .chars()
        .next_back();
    let after = source[end..].trim_start_matches([' ', '\t']).chars().next();
    let brackets = match value {
        Value::Int(_) | Value::Float(_) if text.starts_with('-') => {
            !before.is_none_or(|c| "=(,[{:;\n".contains(c))
                || !after.is_none_or(|c| ")]},:;#\n\r".contains(c))
        }
        Value::Int(_) | Value::Float(_) => matches!(after, Some('.' | '\\')),
        _ => false,
    };
    if brackets { format!("({text})") } else { text }
}

/// Keeps words and numbers from running into each other.
fn spaced(source: &str, start: usize, end: usize, text: String) -> String {
    let word = |c: Option<char>| c.is_some_and(is_word);
    let before = word(source[..start].chars().next_back());
    let after = word(source[end..].chars().next());
    match (before, after) {
        (false, false) => text,
        (before, after) => {
            let blank = |yes: bool| if yes { " " } else { "" };
            format!("{}{text}{}", blank(before), blank(after))
        }
    }
}

/// Names that the program does not have.
fn fresh_names(source: &str) -> impl Iterator<Item = String> {
    std::iter::once("inputs".to_owned())
        .chain((2..).map(|n| format!("inputs_{n}")))
        .filter(|name| !source.contains(name))
}
