//! Charts for pages: counts and lengths of records, scores with intervals, calibration, two
//! evaluations side by side. Every figure is also in the text output.

use std::path::Path;

use anyhow::Context;
use codexec_data::files::write_whole;
use codexec_data::records::{Counts, Lengths, Summary};
use codexec_page::report::{Bars, Cell, Curves, Part, Section, Series, Table};
use codexec_page::{Page, PageError};

use super::page::command;
use super::view::text::clean;
use crate::eval::{Comparison, Estimate, Evaluation, Reliability, SetResults};

/// Names shown of a count; the rest is summed up.
const LISTED: usize = 24;

/// Writes a page of figures.
pub(super) fn write(
    path: &Path,
    title: &str,
    summary: Option<String>,
    sections: Vec<Section>,
) -> anyhow::Result<()> {
    let html = html(title, summary, sections)?;
    write_whole(path, html.as_bytes()).with_context(|| path.display().to_string())
}

/// A page of figures, as HTML.
pub(super) fn html(
    title: &str,
    summary: Option<String>,
    sections: Vec<Section>,
) -> Result<String, PageError> {
    page(title, summary, sections).html()
}

/// A page of figures.
pub(super) fn page(title: &str, summary: Option<String>, sections: Vec<Section>) -> Page<'static> {
    let mut page = Page::of_sections(clean(title), sections);
    page.summary = summary.map(|text| clean(&text));
    page.command = Some(command());
    page
}

/// A score in percent with its interval.
pub(super) fn estimate(estimate: &Estimate) -> Cell {
    match estimate.value {
        Some(value) => Cell::share(value, estimate.low.zip(estimate.high)),
        None => Cell::number("–"),
    }
}

/// A share in percent.
pub(super) fn share(value: Option<f64>) -> Cell {
    match value {
        Some(value) => Cell::share(value, None),
        None => Cell::number("–"),
    }
}

/// The contents of a file of records.
pub(super) fn records(title: &str, summary: &Summary) -> Section {
    let mut operators = summary.operators.clone();
    if !operators.is_empty() {
        operators.insert("none".to_owned(), summary.unmutated);
    }
    let named = [
        ("Outcomes", "outcome", &summary.outcomes),
        ("Operators", "operator", &operators),
        ("Kinds", "kind", &summary.kinds),
        ("Sources", "source", &summary.sources),
        ("Licences", "licence", &summary.licences),
    ];
    let mut text = format!(
        "{} examples, {} problems, {} parent programs.",
        summary.records,
        summary.problems.count(),
        summary.parents.count()
    );
    // A single name makes no chart.
    for (_, of, all) in named {
        if let (1, Some((name, _))) = (all.len(), all.first_key_value()) {
            text.push_str(&format!(" All have the {of} {}.", clean(name)));
        }
    }
    let mut parts = vec![Part::text(text)];
    for (name, of, lengths) in [
        ("Steps", "steps", &summary.steps),
        ("Length of programs", "words", &summary.code_tokens),
        ("Length of traces", "words", &summary.trace_tokens),
    ] {
        parts.push(histogram(name, of, lengths).into());
    }
    for (name, of, all) in named.into_iter().filter(|(.., all)| all.len() > 1) {
        parts.extend(counts(name, of, all).map(Part::from));
    }
    Section::new(clean(title), parts)
}

/// Counts of names, most frequent first. `None` if there are none.
pub(super) fn counts(title: &str, of: &str, counts: &Counts) -> Option<Bars> {
    let mut all: Vec<(String, u64)> = counts
        .iter()
        .map(|(name, count)| (clean(name), *count))
        .collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rest = all.split_off(all.len().min(LISTED));
    if !rest.is_empty() {
        let sum = rest.iter().map(|(_, count)| count).sum();
        all.push((format!("{} others", rest.len()), sum));
    }
    (!all.is_empty()).then(|| Bars::new(title, of, all))
}

fn histogram(title: &str, of: &str, lengths: &Lengths) -> Bars {
    let bars = lengths.histogram().into_iter().map(|bar| {
        let name = match bar.from == bar.to {
            true => bar.from.to_string(),
            false => format!("{}–{}", bar.from, bar.to),
        };
        (name, bar.count)
    });
    Bars {
        note: format!(
            "mean {:.1}, median {}, 90 % up to {}, from {} to {}",
            lengths.mean(),
            lengths.quantile(0.5),
            lengths.quantile(0.9),
            lengths.quantile(0.0),
            lengths.quantile(1.0)
        ),
        is_histogram: true,
        ..Bars::new(title, of, bars)
    }
}

/// The results of an evaluation: a section for each set.
pub(super) fn evaluation(evaluation: &Evaluation) -> Vec<Section> {
    evaluation.sets.iter().map(set).collect()
}

/// What an evaluation covers, in a sentence or two.
pub(super) fn about(evaluation: &Evaluation) -> String {
    let settings = evaluation.settings.iter();
    let settings: Vec<String> = settings.map(|(k, v)| format!("{k} {v}")).collect();
    let settings = match settings.is_empty() {
        true => String::new(),
        false => format!(" Settings: {}.", settings.join(", ")),
    };
    let intervals = match evaluation.bootstrap {
        0 => "Percent.".to_owned(),
        draws => format!(
            "Percent, with 95 % intervals by bootstrap over programs ({draws} resamples, seed {}).",
            evaluation.seed
        ),
    };
    format!("Engine: {}.{settings} {intervals}", evaluation.engine)
}

fn set(set: &SetResults) -> Section {
    let mut parts = Vec::new();
    for table in &set.tables {
        let columns = std::iter::once("engine").chain(table.metrics.iter().map(String::as_str));
        let mut shown = Table::new(columns).titled(&table.title);
        for row in &table.rows {
            let name = std::iter::once(Cell::text(clean(&row.engine)));
            shown.push(name.chain(row.scores.iter().map(estimate)));
        }
        parts.push(shown.into());
    }
    parts.extend(
        set.calibration
            .iter()
            .map(|one| Part::from(calibration(one))),
    );
    if !set.confusions.is_empty() {
        let columns = [
            "engine",
            "raises, said so",
            "raises, not said",
            "said so, does not",
            "neither",
        ];
        let mut table = Table::new(columns).titled("Exceptions");
        for (engine, c) in &set.confusions {
            let cells = [
                c.true_positive,
                c.false_negative,
                c.false_positive,
                c.true_negative,
            ];
            let name = std::iter::once(Cell::text(clean(engine)));
            table.push(name.chain(cells.map(Cell::number)));
        }
        parts.push(table.into());
    }
    for breakdown in &set.breakdowns {
        let columns = [breakdown.by.as_str(), "count"];
        let columns = columns
            .into_iter()
            .chain(breakdown.columns.iter().map(String::as_str));
        let mut table = Table::new(columns).titled(format!("By {}", breakdown.by));
        for row in breakdown.rows.iter().filter(|row| row.count > 0) {
            let first = [Cell::text(clean(&row.name)), Cell::number(row.count)];
            let shares = row.shares.iter().map(|one| share(one.value()));
            table.push(first.into_iter().chain(shares));
        }
        parts.push(table.into());
    }
    parts.extend(set.notes.iter().map(|note| Part::text(clean(note))));
    let title = format!("{}: {} examples", clean(&set.name), set.examples.len());
    Section::new(title, parts)
}

/// An engine's confidence against its accuracy.
pub(super) fn calibration(table: &Reliability) -> Curves {
    let bins = || table.bins.iter().filter(|bin| bin.count > 0);
    let error = match table.expected_error {
        Some(error) => format!("{:.2}", 100.0 * error),
        None => "–".to_owned(),
    };
    Curves {
        title: format!(
            "Confidence of a {}: expected calibration error {error} over {}",
            table.of, table.count
        ),
        x: "mean confidence".to_owned(),
        y: "share that is right".to_owned(),
        is_calibration: true,
        series: vec![Series {
            name: table.of.clone(),
            points: bins()
                .filter_map(|bin| bin.confidence.zip(bin.accuracy))
                .collect(),
            notes: bins()
                .map(|bin| {
                    let range = format!("{:.0} to {:.0} %", 100.0 * bin.from, 100.0 * bin.to);
                    format!("{range}: {} predictions", bin.count)
                })
                .collect(),
        }],
    }
}

/// Two evaluations side by side: a section for each set.
pub(super) fn comparison(comparison: &Comparison) -> Vec<Section> {
    let sets = comparison.sets.iter().map(|set| {
        let columns = ["table", "metric", "A", "B", "B less A"];
        let mut table = Table::new(columns);
        for score in &set.scores {
            let difference = &score.difference;
            let signed = |value: f64| format!("{:+.2}", 100.0 * value);
            let text = match (difference.value, difference.low, difference.high) {
                (Some(value), Some(low), Some(high)) => format!(
                    "{} [{:+.1}, {:+.1}]",
                    signed(value),
                    100.0 * low,
                    100.0 * high
                ),
                (Some(value), ..) => signed(value),
                (None, ..) => "–".to_owned(),
            };
            let mut cell = Cell::number(text);
            if score.different {
                cell = cell.marked(difference.value.unwrap_or(0.0) > 0.0);
            }
            table.push([
                Cell::text(&score.table),
                Cell::text(&score.metric),
                share(score.a),
                share(score.b),
                cell,
            ]);
        }
        let title = format!("{}: {} examples", clean(&set.name), set.examples);
        Section::new(title, vec![table.into()])
    });
    sets.collect()
}
