//! What a build of mutants came to, as tables for people and as JSON.

use std::fmt::Write;

use codexec_data::mutants::{Counts, Report};
use codexec_data::records::Summary;
use codexec_page::report::{Cell, Part, Section, Table};

use super::figures;
use super::view::text::clean;

/// What becomes of mutants, by operator.
const FATES: [&str; 7] = [
    "made",
    "differs",
    "same",
    "raised",
    "limit",
    "unfit",
    "duplicate",
];

/// The same as charts; `summary`: what is in the records.
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
    let mut operators = Table::new(["operator"].into_iter().chain(FATES))
        .titled("What became of the mutants of each operator");
    for (code, row) in &counts.operators {
        let made = row.made.max(1) as f64;
        let cells = [
            row.made,
            row.differs,
            row.same,
            row.raised,
            row.limit,
            row.unfit,
            row.duplicate,
        ];
        let cells = cells.into_iter().enumerate().map(|(at, count)| Cell {
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
    for column in FATES {
        let _ = write!(out, "{column:>11}");
    }
    out.push('\n');
    for (code, row) in &counts.operators {
        let _ = write!(out, "{code:<8}");
        for count in [
            row.made,
            row.differs,
            row.same,
            row.raised,
            row.limit,
            row.unfit,
            row.duplicate,
        ] {
            let _ = write!(out, "{count:>11}");
        }
        out.push('\n');
    }
    out
}

/// Average sizes of the records: the columns of the paper's Table 2, in more than one measure.
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

/// The summary for programs: what was built, and all counts.
pub(super) fn json(report: &Report) -> serde_json::Value {
    serde_json::json!({
        "versions": report.identity.versions,
        "settings": report.identity.settings,
        "corpus": report.identity.corpus,
        "shard": report.identity.shard,
        "counts": report.counts,
    })
}
