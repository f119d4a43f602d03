//! Writes a prefix as a person would, once it is known what the program does with it: plain values,
//! `SimpleNamespace` and lambdas with just what was used, `MagicMock` if they do not suffice, and
//! the class of stand-ins last.
//!
//! | module | what |
//! |---|---|
//! | `shape` | the operations of a run on its stand-ins |
//! | `write` | a value as an expression |
//! | `text` | the whole prefix |
//!
//! Every text is checked by running it: it replaces the prefix only if it executes all that the
//! first one did. Otherwise the values on the line that went wrong are written in another way.

mod shape;
mod text;
mod write;

use codexec_data::sandbox::Raised;
use codexec_trace::Outcome;

use super::GuideError;
use super::draft::{Draft, Home, Value};
use super::search_tree::Tried;
use super::snippet::Snippet;
use shape::Shape;
use write::{MOCK, NUMBER, WORD, Ways};

/// Longer prefixes are not rewritten.
const LONGEST: usize = 40_000;
/// Most texts tried before every value with attributes or items becomes a `MagicMock`, and after.
const TRIES: [usize; 2] = [14, 10];

/// Returns another prefix that executes all that this one does, the plainest that is found. `run`
/// runs one, or returns `None` if no time or run is left.
pub(super) fn rewritten(
    snippet: &Snippet,
    tried: &Tried,
    mut run: impl FnMut(String) -> Result<Option<Tried>, GuideError>,
) -> Result<Option<Tried>, GuideError> {
    let Some(draft) = tried.draft.as_ref() else {
        return Ok(None);
    };
    if !tried.prefix.contains("StandIn(") || tried.prefix.len() > LONGEST {
        return Ok(None);
    }
    let shape = Shape::of(&tried.asked);
    let mut ways = Ways::new();
    let mut seen = Vec::new();
    for tries in TRIES {
        for _ in 0..tries {
            let Some(text) = text::of(snippet, draft, tried, &shape, &ways) else {
                break;
            };
            if seen.contains(&text) {
                break;
            }
            seen.push(text.clone());
            let Some(new) = run(text)? else {
                return Ok(None);
            };
            if is_as_good(&new, tried) {
                return Ok(Some(new));
            }
            if !change(snippet, draft, &shape, tried, &new, &mut ways) {
                break;
            }
        }
        ways = all_mocked(draft, &shape);
    }
    for text in text::with_short_class(draft, tried) {
        let Some(new) = run(text)? else {
            return Ok(None);
        };
        if is_as_good(&new, tried) {
            return Ok(Some(new));
        }
    }
    Ok(None)
}

fn is_as_good(new: &Tried, old: &Tried) -> bool {
    let ended = |t: &Tried| t.outcome == Outcome::Finished;
    new.dropped <= old.dropped && old.covered.is_subset(&new.covered) && (ended(new) || !ended(old))
}

/// Writes every value with attributes or items as a `MagicMock`.
fn all_mocked(draft: &Draft, shape: &Shape) -> Ways {
    let taken = shape.iter().filter(|(_, node)| !node.is_leaf());
    let mut ways: Ways = taken.map(|(path, _)| (path.to_owned(), MOCK)).collect();
    // A value that is tested for truth may be more than a truth value.
    let asked = shape
        .iter()
        .filter(|(_, node)| node.is_leaf() && node.is_true());
    ways.extend(asked.map(|(path, _)| (path.to_owned(), WORD)));
    let classes = draft.values.iter().filter(|(_, v)| **v == Value::Class);
    ways.extend(classes.map(|(path, _)| (path.clone(), MOCK)));
    ways
}

/// Writes values on the line that went wrong in another way. Returns false if there is none.
fn change(
    snippet: &Snippet,
    draft: &Draft,
    shape: &Shape,
    old: &Tried,
    new: &Tried,
    ways: &mut Ways,
) -> bool {
    let known = |one: &Raised| {
        let same = |e: &Raised| e.line == one.line && e.exception == one.exception;
        old.errors.iter().any(same)
    };
    let troubles = new.errors.iter().chain(&new.error);
    let trouble = troubles.into_iter().find(|e| !known(e));
    // The program's own `raise` depends on its conditions.
    let raised = trouble
        .map(|e| e.line)
        .filter(|line| snippet.is_raised(*line));
    let trouble = trouble.filter(|e| !snippet.is_raised(e.line));
    let mut lines: Vec<u32> = trouble.iter().map(|e| e.line).collect();
    if trouble.is_none() {
        let missed = old.covered.difference(&new.covered).next().copied();
        let Some(missed) = raised.or(missed) else {
            return all_at_once(shape, ways);
        };
        let before = |g: &&super::guards::Guard| g.target.0 <= missed && missed <= g.target.1;
        let innermost = snippet
            .guards
            .iter()
            .filter(before)
            .max_by_key(|g| g.target.0);
        lines.extend(innermost.into_iter().flat_map(|g| g.deciding().take(20)));
    }
    let message = trouble.map_or("", |e| e.message.as_str());
    let mut changed = false;
    if message.contains("has no attribute") {
        let classes = draft.values.iter().filter(|(_, v)| **v == Value::Class);
        for (path, _) in classes {
            changed |= ways.insert(path.clone(), MOCK) != Some(MOCK);
        }
    }
    let mut paths: Vec<String> = Vec::new();
    for &line in &lines {
        let asked = shape.iter().filter(|(_, node)| node.lines.contains(&line));
        paths.extend(asked.map(|(path, _)| path.to_owned()));
        for place in snippet.paths_on(line) {
            let all = snippet.aliases.all(&place.path).into_iter();
            let is_own = |path: &String| {
                let mut homes = draft.roots.homes(path);
                shape.get(path).is_some() || homes.any(|home| *home != Home::Parameter)
            };
            paths.extend(all.filter(is_own));
        }
    }
    let is_leaf = |path: &str| shape.get(path).is_none_or(shape::Node::is_leaf);
    let next = next_way(message, trouble.is_none());
    for path in paths.iter().filter(|p| is_leaf(p)) {
        let way = ways.entry(path.clone()).or_default();
        if *way < MOCK {
            *way = next.max(*way + 1);
            changed = true;
        }
    }
    if changed && !message.contains("SimpleNamespace") && !message.contains("function") {
        return true;
    }
    for path in paths.iter().filter(|p| !is_leaf(p)) {
        changed |= ways.insert(path.clone(), MOCK) != Some(MOCK);
    }
    changed || all_at_once(shape, ways)
}

/// Returns the way that an error message suggests for values that nothing is taken from.
fn next_way(message: &str, is_silent: bool) -> u8 {
    let numbers = [
        "unsupported operand",
        "not supported between",
        "real number",
        "integer",
        "to str",
    ];
    if is_silent {
        MOCK
    } else if message.contains("expected str") || message.contains("must be str") {
        WORD
    } else if numbers.iter().any(|n| message.contains(n)) {
        NUMBER
    } else {
        MOCK
    }
}

/// Changes all values, if nothing tells what went wrong.
fn all_at_once(shape: &Shape, ways: &mut Ways) -> bool {
    let mut changed = false;
    for (path, _) in shape.iter().filter(|(_, node)| !node.is_leaf()) {
        changed |= ways.insert(path.to_owned(), MOCK) != Some(MOCK);
    }
    changed
}
