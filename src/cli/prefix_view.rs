//! Prefixes for people: the best one, further ones, the lines that none executes, and the tree.
//! Also JSON.

use std::fmt::Write;

use codexec_data::trace::Outcome;
use serde_json::json;

use super::guide_view::{covered_lines, ended_by_return};
use super::llm::used;
use super::prefix::Searched;
use super::view::text::{clean, fit};
use super::view::{counted, outcome_text};
use crate::analysis::stray_returns;
use crate::prefix::{Found, Tried, Usage};

/// Style of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    /// Whether to use colours.
    pub color: bool,
    /// Whether the tree is shown.
    pub tree: bool,
}

/// One program as text.
pub(super) fn text(one: &Searched, look: Look) -> String {
    let mut out = String::new();
    let found = &one.found;
    for (at, &number) in found.set.iter().enumerate() {
        let Some(tried) = found.tried.get(number) else {
            continue;
        };
        let coverage = tried.coverage;
        let what = if at == 0 {
            "best prefix"
        } else {
            "further prefix"
        };
        let _ = writeln!(
            out,
            "# {what} ({number}): {} of {} lines, {}",
            coverage.covered,
            coverage.lines,
            outcome_text(&tried.outcome)
        );
        out.push_str(&block(&tried.prefix));
        out.push('\n');
    }
    for step in &found.steps {
        let round = match step.round {
            0 => String::new(),
            round => format!(" (round {round})"),
        };
        let _ = writeln!(
            out,
            "after {}{round}: {} lines by {}, {} by the best",
            step.step.as_str(),
            step.cumulative,
            prefixes(step.prefixes),
            step.best
        );
    }
    let coverage = found.coverage;
    let _ = writeln!(
        out,
        "{} of {} lines executed ({:.1}%), {} by the best prefix",
        coverage.covered,
        coverage.lines,
        100.0 * coverage.share(),
        found.best().map_or(0, |b| b.coverage.covered)
    );
    if let Some(line) = returned(one) {
        let _ = writeln!(out, "{}", ended_by_return(line));
    }
    if !found.missing_packages.is_empty() {
        let _ = writeln!(
            out,
            "not installed, made up: {}",
            clean(&found.missing_packages.join(", "))
        );
    }
    if let Some(usage) = &found.usage {
        let _ = writeln!(out, "{}", used(usage));
    }
    if !coverage.is_full() {
        out.push_str("not executed (-):\n");
        let source = one.program.source.as_deref().unwrap_or_default();
        let counts = |line| found.lines.contains(&line);
        out.push_str(&covered_lines(source, counts, &found.covered, look.color));
    }
    if look.tree {
        out.push_str(&tree(found));
    }
    out
}

/// The line of a `return` outside of functions that ends the program, with the best prefix.
fn returned(one: &Searched) -> Option<u32> {
    let source = one.program.source.as_deref().unwrap_or_default();
    let best = one.found.best()?;
    let mut lines = stray_returns(source).into_iter();
    lines.find(|line| best.outcome == Outcome::Finished && best.covered.contains(line))
}

fn block(prefix: &str) -> String {
    if prefix.trim().is_empty() {
        return "# (nothing is missing)\n".to_owned();
    }
    let lines = prefix.lines().map(|l| clean(l) + "\n");
    lines.collect()
}

fn tree(found: &Found) -> String {
    let mut out = String::from("tree of prefixes:\n");
    let mut open: Vec<(usize, usize)> = roots(found, None).map(|k| (k, 0)).collect();
    open.reverse();
    while let Some((k, depth)) = open.pop() {
        let Some(tried) = found.tried.get(k) else {
            continue;
        };
        let mark = match found.set.iter().position(|s| *s == k) {
            Some(0) => " (best)",
            Some(_) => " (in P)",
            None => "",
        };
        let _ = writeln!(
            out,
            "{}{k} {}: {} of {} lines{mark}{}",
            "  ".repeat(depth + 1),
            tried.step.as_str(),
            tried.coverage.covered,
            tried.coverage.lines,
            ending(tried)
        );
        let from = open.len();
        open.extend(roots(found, Some(k)).map(|child| (child, depth + 1)));
        open[from..].reverse();
    }
    out
}

fn roots(found: &Found, parent: Option<usize>) -> impl Iterator<Item = usize> {
    let tried = found.tried.iter().enumerate();
    tried
        .filter(move |(_, t)| t.parent == parent)
        .map(|(k, _)| k)
}

fn ending(tried: &Tried) -> String {
    match &tried.error {
        Some(error) => format!(
            ", line {}: {} {}",
            error.line,
            clean(&error.exception),
            fit(&clean(&error.message), 60)
        ),
        None => format!(", {}", outcome_text(&tried.outcome)),
    }
}

/// One program as JSON.
pub(super) fn document(one: &Searched) -> serde_json::Value {
    let mut document = json!({ "id": one.program.id, "returned": returned(one) });
    if let (Some(into), Ok(serde_json::Value::Object(found))) =
        (document.as_object_mut(), serde_json::to_value(&one.found))
    {
        into.extend(found);
    }
    document
}

/// `1 prefix`, `2 prefixes`.
fn prefixes(count: usize) -> String {
    let es = if count == 1 { "" } else { "es" };
    format!("{count} prefix{es}")
}

/// One program of many.
pub(super) fn row(one: &Searched) -> String {
    let found = &one.found;
    let best = found.best().map_or(0.0, |b| b.coverage.share());
    let row = format!(
        "{:>5.1}%  best {:>5.1}%  {:>11}  {}",
        100.0 * found.coverage.share(),
        100.0 * best,
        prefixes(found.set.len()),
        clean(&one.program.id)
    );
    match found.best().map(|best| &best.outcome) {
        Some(outcome @ Outcome::SyntaxError { .. }) => format!("{row}  {}", outcome_text(outcome)),
        _ => row,
    }
}

/// The results of several programs.
pub(super) fn summary(searched: &[&Searched]) -> String {
    let count = searched.len().max(1) as f64;
    let mean = |of: &dyn Fn(&Found) -> f64| {
        100.0 * searched.iter().map(|s| of(&s.found)).sum::<f64>() / count
    };
    let usages: Vec<Usage> = searched.iter().filter_map(|s| s.found.usage).collect();
    let all = usages.iter().copied().reduce(|a, b| a + b);
    let asked = all.map_or(String::new(), |all| format!("\n{}", used(&all)));
    format!(
        "{}: {:.1}% of their lines on average, {:.1}% by the best prefix, {:.1}% executed whole{asked}",
        counted(searched.len(), "program"),
        mean(&|f| f.coverage.share()),
        mean(&|f| f.best().map_or(0.0, |b| b.coverage.share())),
        mean(&|f| f64::from(u8::from(f.coverage.is_full())))
    )
}
