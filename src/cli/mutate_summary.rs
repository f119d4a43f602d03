//! The summary of a mutant build, as tables for people and as JSON.

use std::fmt::Write;

use codexec_data::mutants::{Counts, OperatorCounts, PlanCounts, Report};
use codexec_data::records::Summary;
use codexec_page::report::{Cell, Part, Section, Table};

use super::figures;
use super::view::text::clean;

/// Results of mutants, by operator.
type Fate = (&'static str, fn(&OperatorCounts) -> u64);

/// The columns of the tables by operator.
const FATES: [Fate; 8] = [
    ("made", |row| row.made),
    ("differs", |row| row.differs),
    ("same", |row| row.same),
    ("raised", |row| row.raised),
    ("limit", |row| row.limit),
    ("unfit", |row| row.unfit),
    ("duplicate", |row| row.duplicate),
    ("dropped", |row| row.dropped),
];

/// The columns shown: only planning drops mutants.
fn fates(counts: &Counts) -> impl Iterator<Item = Fate> {
    let any = counts.operators.values().any(|row| row.dropped > 0);
    let fates = FATES.into_iter();
    fates.filter(move |(name, _)| any || *name != "dropped")
}

/// The same as charts. `summary` describes the records.
pub(super) fn sections(counts: &Counts, summary: &Summary) -> Vec<Section> {
    let p = &counts.programs;
    let text = format!(
        "{} programs, {} mutants, {} of them duplicates; {} records, {} of them unmutated programs.",
        p.read, counts.mutants, counts.duplicates, counts.records, counts.originals
    );
    let mut parts = vec![Part::text(text)];
    for (title, of, all) in [
        ("Outcomes of mutants", "outcome", &counts.outcomes),
        ("Exceptions", "exception", &counts.exceptions),
    ] {
        parts.extend(figures::counts(title, of, all).map(Part::from));
    }
    let names = fates(counts).map(|(name, _)| name);
    let mut operators =
        Table::new(["operator"].into_iter().chain(names)).titled("Results of mutants by operator");
    for (code, row) in &counts.operators {
        let made = row.made.max(1) as f64;
        let cells = fates(counts).map(|(_, count)| count(row));
        let cells = cells.enumerate().map(|(at, count)| Cell {
            share: (at > 0 && row.made > 0).then_some(count as f64 / made),
            ..Cell::number(count)
        });
        operators.push(std::iter::once(Cell::text(code)).chain(cells));
    }
    parts.push(operators.into());
    let mut sections = vec![Section::new("Mutants", parts)];
    if summary.records > 0 {
        sections.push(figures::records("Records", summary));
    }
    sections
}

/// The tables of a summary.
pub(super) fn text(counts: &Counts) -> String {
    let p = &counts.programs;
    let mut out = String::new();
    let mut line = |name: &str, count: u64, rest: &str| {
        let _ = writeln!(out, "{name:<12}{count:>12}  {rest}");
    };
    let mut left_out = Vec::new();
    for (count, why) in [
        (p.duplicate, "duplicates"),
        (p.syntax_error, "do not parse"),
        (p.too_long, "too long"),
        (p.unstable, "not the same from run to run"),
        (p.over_limit, "over the time limit"),
    ] {
        if count > 0 {
            left_out.push(format!("{count} {why}"));
        }
    }
    let left_out = match left_out.as_slice() {
        [] => String::new(),
        why => format!("not mutated: {}", why.join(", ")),
    };
    line("programs", p.read, &left_out);
    let dropped = format!("{} of them duplicates", counts.duplicates);
    line("mutants", counts.mutants, &dropped);
    let originals = format!("{} of them unmutated programs", counts.originals);
    line("records", counts.records, &originals);
    let outcomes = counts.outcomes.iter();
    let outcomes: Vec<String> = outcomes.map(|(name, n)| format!("{name} {n}")).collect();
    if !outcomes.is_empty() {
        let _ = writeln!(out, "outcomes    {}", outcomes.join(", "));
    }
    out.push_str(&planned(&counts.plan));
    for error in &counts.syntax_errors {
        let _ = writeln!(out, "  {}: {}", clean(&error.id), clean(&error.message));
    }
    let named = counts.syntax_errors.len() as u64;
    if p.syntax_error > named {
        let _ = writeln!(
            out,
            "  and {} more that do not parse",
            p.syntax_error - named
        );
    }
    let _ = write!(out, "\noperator");
    for (column, _) in fates(counts) {
        let _ = write!(out, "{column:>11}");
    }
    out.push('\n');
    for (code, row) in &counts.operators {
        let _ = write!(out, "{code:<8}");
        for (_, count) in fates(counts) {
            let _ = write!(out, "{:>11}", count(row));
        }
        out.push('\n');
    }
    out
}

/// Maximum number of causes listed.
const CAUSES: usize = 5;

/// The results of planning; empty if nothing was planned.
fn planned(plan: &PlanCounts) -> String {
    if *plan == PlanCounts::default() {
        return String::new();
    }
    let mut out = format!("planned     {} walked", plan.walked);
    let mut causes: Vec<(&String, &u64)> = plan.causes.iter().collect();
    causes.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let causes = causes.into_iter().take(CAUSES);
    let causes: Vec<String> = causes
        .map(|(cause, count)| format!("{} {count}", clean(cause)))
        .collect();
    for (count, what) in [(plan.stopped, "dropped"), (plan.executed, "executed")] {
        if count > 0 {
            let _ = write!(out, "; {count} stopped and {what}");
        }
    }
    out.push('\n');
    if !causes.is_empty() {
        let _ = writeln!(out, "stopped at  {}", causes.join("; "));
    }
    if plan.verified > 0 {
        let _ = writeln!(
            out,
            "verified    {} records compared with runs, {} of them another and dropped",
            plan.verified, plan.disagreed
        );
    }
    for one in &plan.disagreements {
        let _ = writeln!(out, "  {}: {}", clean(&one.id), clean(&one.message));
    }
    out
}

/// Average sizes of the records: the columns of the paper's Table 2, in several measures.
pub(super) fn sizes(counts: &Counts) -> String {
    let s = &counts.sizes;
    let mut out = String::from("\naverage of a record\n");
    let mut line = |name: &str, sum: u64, of: u64| {
        let average = sum as f64 / of.max(1) as f64;
        let _ = writeln!(out, "{name:<40}{average:>12.2}");
    };
    line("code length, lines", s.code_lines, counts.records);
    line(
        "code length, words of code_tokens",
        s.code_words,
        counts.records,
    );
    line("trace length, steps", s.steps, counts.records);
    line(
        "trace length, words of trace",
        s.trace_words,
        counts.records,
    );
    line(
        "trace length, words of trace_tokens",
        s.delta_words,
        counts.records,
    );
    line("state number, values of a step", s.values, s.steps);
    out
}

/// The summary for programs: the build and all counts.
pub(super) fn json(report: &Report) -> serde_json::Value {
    serde_json::json!({
        "versions": report.identity.versions,
        "settings": report.identity.settings,
        "corpus": report.identity.corpus,
        "shard": report.identity.shard,
        "counts": report.counts,
    })
}
