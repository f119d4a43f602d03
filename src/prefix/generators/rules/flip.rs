//! Refinements aimed at lines that nothing reaches: their conditions get to see other values, their
//! loops something to go through, their handlers an exception.

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

/// Refinements of one round at most, in number and in bytes: more than are ever run, unless the program is
/// enormous.
const MOST: usize = 4_000;
const MOST_HELD: usize = 64 << 20;
/// Prefixes that are refined for one guard.
const PARENTS: usize = 2;

/// Refinements for every guard that nothing has passed, in the order of the program.
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
        // Of what only raises, the line in front of it can still be executed.
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

/// Refinements in which what ends the program early does nothing.
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

/// At least the first `n` of them.
fn refinements(
    snippet: &Snippet,
    guard: &Guard,
    draft: &Draft,
    tried: &Tried,
    n: usize,
) -> Vec<Draft> {
    let mut found: Vec<Draft> = Vec::new();
    let mut add = |one: Draft| {
        if found.len() < n && one != *draft && !found.contains(&one) {
            found.push(one);
        }
    };
    match &guard.gate {
        Gate::Function => {
            let mut one = draft.clone();
            call_functions(snippet, &mut one);
            add(one);
        }
        Gate::Condition(_) | Gate::Items => {
            let mut ways = Vec::new();
            for way in &guard.ways {
                let mut one = draft.clone();
                if guard.in_loop && apply_to_another(way, &mut one) {
                    ways.push(one);
                }
                let mut one = draft.clone();
                let changed = way.iter().filter(|change| change.apply(&mut one)).count();
                if changed > 0 {
                    ways.push(one);
                }
            }
            // In turn: what the syntax says, and what was seen.
            let mut flips = flips(guard, draft, tried, n).into_iter();
            for way in ways {
                add(way);
                flips.next().map(&mut add);
            }
            flips.for_each(&mut add);
            for line in guard.deciding() {
                for place in snippet.paths_on(line) {
                    let (about, lines) = match place.path.as_str() {
                        path if path.starts_with("sys.argv") => ("argv", ARGV),
                        path if path.starts_with("sys.stdin") => ("stdin", STDIN),
                        _ => continue,
                    };
                    let mut one = draft.clone();
                    one.lines.insert(about, lines.to_owned());
                    add(one);
                }
            }
            // Values that come of real code.
            for way in &guard.ways {
                for path in way.iter().flat_map(Change::paths) {
                    let end = path.find(['(', '[']).unwrap_or(path.len());
                    let called = Place {
                        lines: guard.target,
                        path: path[..end].to_owned(),
                        called: Some(1),
                    };
                    for mut one in patched(snippet, draft, &called) {
                        let changed = way.iter().filter(|change| change.apply(&mut one)).count();
                        if changed > 0 {
                            add(one);
                        }
                    }
                }
            }
            for line in guard.deciding() {
                for place in snippet.paths_on(line) {
                    if place.called.is_some() || draft.imports.contains_key(&place.path) {
                        for mut one in patched(snippet, draft, place) {
                            for way in guard.ways.iter().take(1) {
                                for change in way {
                                    change.apply(&mut one);
                                }
                            }
                            add(one);
                        }
                    }
                }
            }
        }
        Gate::Handler(kinds) => {
            for one in raising(snippet, guard, kinds, draft, tried, n) {
                add(one);
            }
        }
    }
    found
}

/// Other answers to what the lines of a guard asked.
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

/// Drafts in which something in the body of a `try` raises what a handler catches.
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

/// An instance of an exception as an expression of the prefix, with the import that it needs; nothing
/// for a class of the program's own.
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
