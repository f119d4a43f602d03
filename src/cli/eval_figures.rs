//! HTML pages for the subcommands of `codexec eval`: the tables of their text output, with
//! intervals as bars and calibration as a curve.

use std::path::PathBuf;

use codexec_data::files::Reservation;
use codexec_page::report::{Cell, Part, Section, Table};

use super::data::reserve;
use super::figures::{self, calibration, estimate, share};
use super::view::text::clean;
use crate::eval::Estimate;
use crate::eval::errors::{ErrorDifference, ErrorScores};
use crate::eval::guide::{CoverageScores, OrderScores};
use crate::eval::prefix::{PrefixScores, Reach};
use crate::eval::questions::Scores;
use crate::eval::rerank::RerankScores;
use crate::eval::search::SearchScores;
use crate::eval::values::ValueScores;

/// Caption for intervals.
const INTERVALS: &str = "Percent, with 95 % intervals by bootstrap";

/// Options for a page of scores beside a command's text output.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct PageArgs {
    /// Also write an HTML page: the tables, with intervals as bars if there are any, and confidence
    /// against accuracy.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite an existing page.
    #[arg(long, requires = "html")]
    force: bool,
}

impl PageArgs {
    /// Reserves the page before any work starts.
    pub(super) fn reserve(&self) -> anyhow::Result<Option<Reservation>> {
        let page = self.html.as_deref();
        page.map(|path| reserve(path, self.force)).transpose()
    }

    /// Writes the page, if requested.
    pub(super) fn write(
        &self,
        title: &str,
        about: impl Into<String>,
        sections: impl FnOnce() -> Vec<Section>,
    ) -> anyhow::Result<()> {
        match &self.html {
            Some(path) => figures::write(path, title, Some(about.into()), sections()),
            None => Ok(()),
        }
    }
}

/// Display name of a row.
fn name(text: &str) -> Cell {
    Cell::text(clean(text))
}

/// A difference of two shares in points, with its interval in words.
fn difference(of: &Estimate) -> Cell {
    let points = |value: f64| format!("{:+.1}", 100.0 * value);
    match (of.value, of.low, of.high) {
        (Some(value), Some(low), Some(high)) => {
            let text = format!("{} ({} to {})", points(value), points(low), points(high));
            let cell = Cell::number(text);
            match low > 0.0 || high < 0.0 {
                true => cell.marked(value > 0.0),
                false => cell,
            }
        }
        (Some(value), ..) => Cell::number(points(value)),
        (None, ..) => Cell::number("–"),
    }
}

/// Predictions of errors.
pub(super) fn errors(all: &[(&str, ErrorScores)], differences: &[ErrorDifference]) -> Vec<Section> {
    let mut table = Table::new([
        "predictor",
        "accuracy",
        "weighted F1",
        "weighted error F1",
        "line",
        "detection",
        "error line",
        "precision",
        "recall",
        "detection F1",
        "false alarms",
        "says nothing",
    ]);
    for (predictor, scores) in all {
        let shares = [
            &scores.accuracy,
            &scores.weighted_f1,
            &scores.weighted_error_f1,
            &scores.line,
            &scores.detection,
            &scores.error_line,
            &scores.precision,
            &scores.recall,
            &scores.detection_f1,
            &scores.false_alarms,
        ];
        let cells = std::iter::once(name(predictor)).chain(shares.map(estimate));
        table.push(cells.chain([Cell::number(scores.unsaid)]));
    }
    let mut parts = vec![table.into()];
    if !differences.is_empty() {
        let columns = ["metric", "the first row less the last, points"];
        let mut table = Table::new(columns).titled("Differences, on the same resamples");
        for one in differences {
            table.push([name(one.metric), difference(&one.difference)]);
        }
        parts.push(table.into());
    }
    let mut sections = vec![Section::new("Scores", parts)];
    for (predictor, scores) in all {
        let mut parts: Vec<Part> = Vec::new();
        if scores.calibration.count > 0 {
            parts.push(calibration(&scores.calibration).into());
        }
        let mut table = Table::new(["kind", "programs", "predicted", "right"]).titled("By kind");
        for kind in &scores.kinds {
            let counts = [kind.truths, kind.predicted, kind.right].map(Cell::number);
            table.push(std::iter::once(name(&kind.kind)).chain(counts));
        }
        parts.push(table.into());
        let (programs, raise) = (scores.programs, scores.raise);
        let title = format!(
            "{}: {programs} programs, {raise} of them raise",
            clean(predictor)
        );
        sections.push(Section::new(title, parts));
    }
    sections
}

/// Text about errors on a page.
pub(super) fn about_errors(part: &str, resamples: u32) -> String {
    match resamples {
        0 => format!("Programs of the part {part}. Percent."),
        n => format!("Programs of the part {part}. {INTERVALS} over problems ({n} resamples)."),
    }
}

/// Figures from the literature: source and two columns of text.
type Literature<'t> = (&'t [&'t str; 3], &'t [(&'t str, &'t str, &'t str)]);

fn literature((columns, rows): Literature<'_>) -> Part {
    let mut table =
        Table::new(*columns).titled("Of the literature, on other programs of the same kind");
    for (who, first, second) in rows {
        table.push([name(who), Cell::number(first), Cell::number(second)]);
    }
    table.into()
}

/// Predictors of missing values.
pub(super) fn guide(
    coverage: &[(String, String, CoverageScores)],
    accuracy: &[(&str, &str, &std::collections::BTreeMap<String, ValueScores>)],
    orders: &[(String, OrderScores)],
    published: Literature<'_>,
) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for of_set in coverage.chunk_by(|a, b| a.0 == b.0) {
        let mut table = Table::new(["predictor", "covered", "fully run", "ms a line"]);
        for (_, predictor, scores) in of_set {
            let millis = format!("{:.2}", scores.millis_a_line);
            table.push([
                name(predictor),
                Cell::share(scores.covered, None),
                Cell::share(scores.full, None),
                Cell::number(millis),
            ]);
        }
        let (set, _, scores) = &of_set[0];
        let title = format!("{}: {} programs", clean(set), scores.programs);
        sections.push(Section::new(title, vec![table.into()]));
    }
    if !coverage.is_empty() {
        sections.push(Section::new("Beside others", vec![literature(published)]));
    }
    for of_part in accuracy.chunk_by(|a, b| a.0 == b.0) {
        let mut table = Table::new([
            "predictor",
            "22 classes, the first",
            "of the first 3",
            "of the first 5",
            "12 classes, the first",
            "names",
            "attributes",
            "calls",
        ]);
        for (_, predictor, scores) in of_part {
            let fine = |of: &str, at: usize| share(scores.get(of).map(|one| one.fine[at]));
            let coarse = share(scores.get("all").map(|one| one.coarse[0]));
            table.push([
                name(predictor),
                fine("all", 0),
                fine("all", 1),
                fine("all", 2),
                coarse,
                fine("name", 0),
                fine("attribute", 0),
                fine("call", 0),
            ]);
        }
        let (part, _, scores) = &of_part[0];
        let events = scores.get("all").map_or(0, |one| one.events);
        let title = format!("{events} recorded values of {part} held out");
        sections.push(Section::new(title, vec![table.into()]));
    }
    if let Some((_, first)) = orders.first() {
        let columns = ["predictor", "order exact", "error detected", "error line"];
        let mut table = Table::new(columns);
        for (predictor, scores) in orders {
            let shares = [scores.exact, scores.detected, scores.error_line];
            let shares = shares.map(|one| Cell::share(one, None));
            table.push(std::iter::once(name(predictor)).chain(shares));
        }
        let title = format!("ORCA's incomplete set: {} programs", first.programs);
        sections.push(Section::new(title, vec![table.into()]));
    }
    sections
}

/// Prefixes.
pub(super) fn prefix(
    generator: &str,
    rows: &[(String, PrefixScores)],
    published: Literature<'_>,
) -> Vec<Section> {
    let mut sections: Vec<Section> = rows
        .iter()
        .map(|(set, scores)| {
            let mut table = Table::new([
                "after",
                "lines executed by P",
                "by the best (p_best)",
                "fully run by P",
                "by the best",
            ]);
            let mut add = |after: &str, reach: &Reach| {
                let shares = [reach.cumulative, reach.best, reach.full, reach.full_best];
                let shares = shares.map(|one| Cell::share(one, None));
                table.push(std::iter::once(Cell::text(after)).chain(shares));
            };
            let named = ["undefinedness", "error, round 1", "coverage, round 1"];
            for (after, reach) in named.iter().zip(&scores.steps) {
                add(after, reach);
            }
            add("all rounds", &scores.reach);
            let mut needs =
                Table::new(["needs", "prefixes in P", "p_best"]).titled("What they need");
            for (what, all, best) in &scores.needs {
                needs.push([
                    Cell::text(what.as_str()),
                    Cell::number(all),
                    Cell::number(best),
                ]);
            }
            let (all, best) = scores.lines;
            needs.push([
                Cell::text("lines of the median prefix"),
                Cell::number(all),
                Cell::number(best),
            ]);
            let text = format!(
                "{:.1} prefixes in P, {:.1} tried, {:.2} s a program (median {:.2} s).",
                scores.set, scores.tried, scores.seconds.0, scores.seconds.1
            );
            let title = format!("{}: {} programs, {generator}", clean(set), scores.programs);
            Section::new(title, vec![table.into(), Part::text(text), needs.into()])
        })
        .collect();
    sections.push(Section::new("Beside others", vec![literature(published)]));
    sections
}

/// Questions of the planner.
pub(super) fn questions(checkpoint: &str, scores: &Scores, knows_seen: bool) -> Vec<Section> {
    let part = |part: usize, of: usize| share((of > 0).then(|| part as f64 / of as f64));
    let mut all = Table::new(["questions", "count", "answered exactly"]);
    all.push([
        Cell::text("all"),
        Cell::number(scores.questions),
        part(scores.exact, scores.questions),
    ]);
    if knows_seen {
        all.push([
            Cell::text("not trained on"),
            Cell::number(scores.unseen),
            part(scores.unseen_exact, scores.unseen),
        ]);
    }
    let columns = [
        "operation",
        "questions",
        "exact",
        "a question",
        "answer",
        "truth",
    ];
    let mut table = Table::new(columns).titled("By operation, those with most wrong answers first");
    for row in &scores.operations {
        let [question, answer, truth] = match &row.example {
            Some(texts) => texts.each_ref().map(|text| name(text)),
            None => [Cell::text(""), Cell::text(""), Cell::text("")],
        };
        table.push([
            name(&row.name),
            Cell::number(row.questions),
            part(row.exact, row.questions),
            question,
            answer,
            truth,
        ]);
    }
    let parts = vec![
        all.into(),
        calibration(&scores.calibration).into(),
        table.into(),
    ];
    vec![Section::new(clean(checkpoint), parts)]
}

/// Sample orders.
pub(super) fn rerank(scores: &RerankScores) -> Vec<Section> {
    let mut table = Table::new([
        "order",
        "pass@1",
        "pass@5",
        "pass@1, more than random, points",
        "outputs told",
        "of them right",
    ]);
    for row in &scores.rows {
        let gain = match row.name.as_str() {
            "random" => Cell::number("–"),
            _ => difference(&row.gain),
        };
        let [one, five] = row.pass.each_ref().map(estimate);
        table.push([
            name(&row.name),
            one,
            five,
            gain,
            share(row.told),
            share(row.right),
        ]);
    }
    let title = format!(
        "{} problems, {} candidates, {} of them right",
        scores.problems, scores.samples, scores.right
    );
    vec![Section::new(title, vec![table.into()])]
}

/// Code-to-code searches.
pub(super) fn search(scores: &SearchScores) -> Vec<Section> {
    let mut table = Table::new(["way", "MAP", "P@1", "MAP, more than the encoder, points"]);
    for row in &scores.rows {
        let gain = row.gain.as_ref().map_or(Cell::number("–"), difference);
        table.push([
            name(&row.name),
            estimate(&row.map),
            estimate(&row.first),
            gain,
        ]);
    }
    let title = format!(
        "{} programs, {} queries of {} problems",
        scores.programs, scores.queries, scores.problems
    );
    vec![Section::new(title, vec![table.into()])]
}

/// Text about scores over problems.
pub(super) fn about_problems(resamples: u32) -> String {
    match resamples {
        0 => "Percent.".to_owned(),
        n => format!("{INTERVALS} over problems ({n} resamples)."),
    }
}
