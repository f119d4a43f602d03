//! Refinements aimed at lines that no prefix reaches: their conditions get other values, their
//! loops get items, their handlers get an exception.

use std::collections::BTreeSet;

use super::super::Candidate;
use super::repair::patched;
use super::start::{ARGV, STDIN, call_functions};
use crate::analysis::scopes::is_builtin;
use crate::prefix::change::{Change, apply_to_another};
use crate::prefix::draft::{Draft, Home, Value, root_of};
use crate::prefix::guards::{Gate, Guard};
use crate::prefix::places::Place;
use crate::prefix::search_tree::Tried;
use crate::prefix::snippet::Snippet;

/// Most refinements per round, in number and in bytes: more than are ever run, unless the program
/// is enormous.
const MOST: usize = 4_000;
const MOST_HELD: usize = 64 << 20;
/// Prefixes that are refined per guard.
const PARENTS: usize = 2;

/// Returns refinements for every guard that no prefix has passed, in program order.
pub(super) fn candidates(
    snippet: &Snippet,
    tried: &[Tried],
    covered: &BTreeSet<u32>,
    n: usize,
    strict: bool,
) -> Vec<(Option<usize>, Candidate)> {
    let mut found = Vec::new();
    let mut held = 0;
    for guard in &snippet.guards {
        if strict && guard.gate == Gate::Function {
            continue;
        }
        let counted = snippet.prepared.statements.counted();
        let target = guard.target.0..=guard.target.1;
        let passed = covered.range(target.clone()).next().is_some();
        let goal = counted.range(target).find(|l| !snippet.is_raised(**l));
        // If all of it only raises, the line before it can still be executed.
        let header = || guard.header.filter(|l| !covered.contains(l));
        let Some(goal) = goal.copied().or_else(header).filter(|_| !passed) else {
            continue;
        };
        let reached = |t: &Tried| guard.is_reached(&t.begun);
        let mut parents: Vec<usize> = (0..tried.len())
            .filter(|&k| tried[k].draft.is_some() && reached(&tried[k]))
            .collect();
        parents.sort_by_key(|&k| std::cmp::Reverse((tried[k].covered.len(), k)));
        for parent in parents.into_iter().take(PARENTS) {
            let Some(draft) = &tried[parent].draft else {
                continue;
            };
            let drafts = refinements(snippet, guard, draft, &tried[parent], n);
            for draft in drafts.into_iter().take(n) {
                let candidate = Candidate::of_draft(draft, Some(goal));
                held += candidate.size();
                found.push((Some(parent), candidate));
            }
        }
        if found.len() >= MOST || held >= MOST_HELD || snippet.is_late() {
            break;
        }
    }
    if !strict {
        found.extend(past_exits(snippet, tried, covered));
    }
    found
}

/// Returns refinements in which the call that ends the program early does nothing.
fn past_exits(
    snippet: &Snippet,
    tried: &[Tried],
    covered: &BTreeSet<u32>,
) -> Vec<(Option<usize>, Candidate)> {
    let counted = snippet.prepared.statements.counted();
    let mut left = counted
        .difference(covered)
        .filter(|l| !snippet.is_raised(**l));
    let Some(&goal) = left.next() else {
        return Vec::new();
    };
    let mut parents: Vec<usize> = (0..tried.len()).collect();
    parents.retain(|&k| tried[k].exit.is_some());
    parents.sort_by_key(|&k| std::cmp::Reverse((tried[k].covered.len(), k)));
    let mut found = Vec::new();
    for parent in parents.into_iter().take(PARENTS) {
        let (Some(draft), Some(line)) = (&tried[parent].draft, tried[parent].exit) else {
            continue;
        };
        for place in snippet.paths_on(line) {
            let ends = ["exit()", "quit()", "sys.exit()", "os._exit()"];
            if ends.contains(&place.path.as_str()) {
                let drafts = patched(snippet, draft, place).into_iter();
                found.extend(drafts.map(|d| (Some(parent), Candidate::of_draft(d, Some(goal)))));
            }
        }
    }
    found
}

/// Returns at most `n` distinct drafts that may pass a guard.
fn refinements(
    snippet: &Snippet,
    guard: &Guard,
    draft: &Draft,
    tried: &Tried,
    n: usize,
) -> Vec<Draft> {
    let drafts: Box<dyn Iterator<Item = Draft> + '_> = match &guard.gate {
        Gate::Function => {
            let mut one = draft.clone();
            call_functions(snippet, &mut one);
            Box::new(std::iter::once(one))
        }
        Gate::Condition(_) | Gate::Items => {
            // Alternately: ways from the syntax, and ways from the run.
            let seen = flips(guard, draft, tried, n);
            Box::new(
                in_turn(by_ways(guard, draft), seen)
                    .chain(with_input(snippet, guard, draft))
                    .chain(through_calls(snippet, guard, draft))
                    .chain(through_places(snippet, guard, draft)),
            )
        }
        Gate::Handler(kinds) => {
            Box::new(raising(snippet, guard, kinds, draft, tried, n).into_iter())
        }
    };
    let mut found: Vec<Draft> = Vec::new();
    for one in drafts {
        if found.len() >= n {
            break;
        }
        if one != *draft && !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// Alternates both, then appends the rest of the second.
fn in_turn(first: Vec<Draft>, second: Vec<Draft>) -> impl Iterator<Item = Draft> {
    let mut second = second.into_iter();
    let mut both = Vec::with_capacity(first.len() + second.len());
    for one in first {
        both.push(one);
        both.extend(second.next());
    }
    both.into_iter().chain(second)
}

/// Applies the ways that the syntax shows to the draft.
fn by_ways(guard: &Guard, draft: &Draft) -> Vec<Draft> {
    let mut found = Vec::new();
    for way in &guard.ways {
        let mut one = draft.clone();
        if guard.in_loop && apply_to_another(way, &mut one) {
            found.push(one);
        }
        found.extend(changed(way, draft.clone()));
    }
    found
}

/// Returns a draft with the changes of a way; `None` if none applies.
fn changed(way: &[Change], mut draft: Draft) -> Option<Draft> {
    let changed = way.iter().filter(|change| change.apply(&mut draft)).count();
    (changed > 0).then_some(draft)
}

/// Returns drafts with arguments or standard input, if the deciding lines read those.
fn with_input(snippet: &Snippet, guard: &Guard, draft: &Draft) -> impl Iterator<Item = Draft> {
    let places = guard.deciding().flat_map(|line| snippet.paths_on(line));
    places.filter_map(|place| {
        let (about, lines) = match place.path.as_str() {
            path if path.starts_with("sys.argv") => ("argv", ARGV),
            path if path.starts_with("sys.stdin") => ("stdin", STDIN),
            _ => return None,
        };
        let mut one = draft.clone();
        one.lines.insert(about, lines.to_owned());
        Some(one)
    })
}

/// Applies the ways to results of real code, by patching the called function.
fn through_calls(snippet: &Snippet, guard: &Guard, draft: &Draft) -> impl Iterator<Item = Draft> {
    guard.ways.iter().flat_map(move |way| {
        let paths = way.iter().flat_map(Change::paths);
        paths.flat_map(move |path| {
            let end = path.find(['(', '[']).unwrap_or(path.len());
            let called = Place {
                lines: guard.target,
                path: path[..end].to_owned(),
                called: Some(1),
            };
            let drafts = patched(snippet, draft, &called).into_iter();
            drafts.filter_map(move |one| changed(way, one))
        })
    })
}

/// Returns drafts in which the functions called or imported on the deciding lines are patched, with
/// the first way if there is one.
fn through_places(snippet: &Snippet, guard: &Guard, draft: &Draft) -> impl Iterator<Item = Draft> {
    let places = guard.deciding().flat_map(|line| snippet.paths_on(line));
    let imported = |place: &Place| draft.imports.contains_key(&place.path);
    places
        .filter(move |place| place.called.is_some() || imported(place))
        .flat_map(move |place| patched(snippet, draft, place))
        .map(|mut one| {
            for change in guard.ways.iter().take(1).flatten() {
                change.apply(&mut one);
            }
            one
        })
}

/// Returns other answers to the questions asked on the lines of a guard.
fn flips(guard: &Guard, draft: &Draft, tried: &Tried, n: usize) -> Vec<Draft> {
    let asked: Vec<_> = tried
        .asked
        .iter()
        .filter(|a| guard.is_decided_on(a.line) && a.what.contains(' ') && !a.said.is_empty())
        .collect();
    let mut found = Vec::new();
    for one in &asked {
        if found.len() > n {
            break;
        }
        let is_number = one.what.ends_with(" len") || one.what.ends_with(" int");
        let now = one.said[0];
        let other: Vec<Vec<i64>> = if is_number {
            vec![vec![if now == 0 { 1 } else { 0 }], vec![now + 1], vec![3]]
        } else if guard.in_loop {
            vec![vec![now, 1 - now], vec![1 - now, now], vec![1 - now]]
        } else {
            vec![vec![1 - now], vec![now, 1 - now]]
        };
        for said in other {
            let mut draft = draft.clone();
            draft.answers.insert(one.what.clone(), said);
            found.push(draft);
        }
    }
    if asked.len() > 1 {
        let mut draft = draft.clone();
        for one in &asked {
            draft
                .answers
                .insert(one.what.clone(), vec![i64::from(one.said[0] == 0)]);
        }
        found.insert(1, draft);
    }
    found
}

/// Returns drafts in which an expression in the body of a `try` raises what a handler catches.
fn raising(
    snippet: &Snippet,
    guard: &Guard,
    kinds: &[String],
    draft: &Draft,
    tried: &Tried,
    n: usize,
) -> Vec<Draft> {
    let mut found = Vec::new();
    let raised = kinds
        .iter()
        .find_map(|kind| exception(snippet, draft, kind));
    let mut paths: Vec<&str> = Vec::new();
    for asked in tried
        .asked
        .iter()
        .filter(|a| guard.is_decided_on(a.line) && !a.what.contains(' '))
    {
        if !paths.contains(&asked.what.as_str()) && draft.owns(&asked.what) {
            paths.push(&asked.what);
        }
    }
    // Calls first; the last one lets most of the body run.
    paths.sort_by_key(|p| !p.ends_with("()"));
    if let Some((raised, import)) = &raised {
        let calls = paths.iter().rev().filter(|p| p.ends_with("()")).take(2);
        for path in calls.chain(paths.iter().take(3)) {
            let mut one = draft.clone();
            one.raises.insert((*path).to_owned(), raised.clone());
            one.lines
                .extend(import.clone().map(|line| ("exception", line)));
            found.push(one);
        }
    }
    for line in guard.deciding() {
        if found.len() > n || snippet.is_late() {
            break;
        }
        for place in snippet.paths_on(line) {
            if place.called.is_some()
                && let Some((raised, import)) = &raised
            {
                for mut one in patched(snippet, draft, place) {
                    let called = format!("{}()", place.path.trim_end_matches("()"));
                    one.raises.insert(called, raised.clone());
                    one.lines
                        .extend(import.clone().map(|line| ("exception", line)));
                    found.push(one);
                }
            }
        }
        for path in super::repair::owned_on(snippet, draft, tried, line) {
            for value in [
                Value::Code("None".to_owned()),
                Value::text("?"),
                Value::Code("{}".to_owned()),
            ] {
                let mut one = draft.clone();
                one.set(&path, value);
                found.push(one);
            }
        }
    }
    for import in snippet
        .imports
        .iter()
        .filter(|i| guard.is_decided_on(i.line))
    {
        let mut one = draft.clone();
        one.roots.retain(|home| match home {
            Home::Module(module) | Home::Of(module, _) => *module != import.module,
            Home::Name | Home::Parameter => true,
        });
        let home = Home::Module(import.module.clone());
        one.roots.push(import.module.clone(), home);
        one.values
            .insert(import.module.clone(), Value::Code("None".to_owned()));
        found.insert(0, one);
    }
    found
}

/// Returns an instance of an exception as an expression of the prefix, with the import that it
/// needs; `None` for a class that the program defines.
fn exception(snippet: &Snippet, draft: &Draft, kind: &str) -> Option<(String, Option<String>)> {
    let bare = format!("{kind}.__new__({kind})");
    if kind == "BaseException" {
        return Some(("Exception(\"a\")".to_owned(), None));
    }
    if is_builtin(kind) {
        let plain = !kind.starts_with("Unicode");
        return Some((
            if plain {
                format!("{kind}(\"a\")")
            } else {
                bare
            },
            None,
        ));
    }
    if draft.owns(kind) {
        return Some((format!("{kind}(\"a\")"), None))
            .filter(|_| *draft.value(kind) == Value::Exception);
    }
    let root = root_of(kind);
    if draft.imports.contains_key(root) {
        return Some((bare, None));
    }
    for import in snippet
        .imports
        .iter()
        .filter(|i| i.level == 0 && snippet.is_there(&i.module))
    {
        let from = import.names.iter().find(|(_, bound)| bound == root);
        let line = if let Some((name, bound)) = from {
            format!("from {} import {name} as {bound}", import.module)
        } else if import.alias.as_deref() == Some(root) {
            format!("import {} as {root}", import.module)
        } else if import.names.is_empty() && root_of(&import.module) == root {
            format!("import {}", import.module)
        } else {
            continue;
        };
        return Some((bare, Some(line)));
    }
    None
}
