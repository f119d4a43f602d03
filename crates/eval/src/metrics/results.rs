//! Results of an evaluation: scores with intervals, per-example contributions, calibration and
//! breakdowns. Written by `codexec eval --json` and read by `codexec eval compare`; see
//! `docs/evaluation.md`.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use super::breakdown::Breakdown;
use super::calibration::Reliability;
use super::orca::Confusion;
use crate::statistics::bootstrap::{Bootstrap, Estimate};
use crate::statistics::share::Share;

/// Version of the JSON form. Raised whenever a reader of the previous one would misread.
pub const RESULTS_VERSION: u32 = 1;

/// An engine on sets of examples.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// [`RESULTS_VERSION`] of the writer.
    pub version: u32,
    /// The evaluated engine: `predict: default`, or `run: ...`.
    pub engine: String,
    /// Its settings, as `beam`, `10`.
    pub settings: Vec<(String, String)>,
    /// Resamples behind the intervals.
    pub bootstrap: usize,
    /// Seed of their draws.
    pub seed: u64,
    /// One for each file of examples and each kind in it.
    pub sets: Vec<SetResults>,
}

/// Results on one set of examples.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SetResults {
    /// File and kind.
    pub name: String,
    /// The examples, in order.
    pub examples: Vec<Example>,
    /// A table for each group of metrics.
    pub tables: Vec<Table>,
    /// Predicted exceptions, by engine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confusions: Vec<(String, Confusion)>,
    /// The engine's confidence, if it has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calibration: Vec<Reliability>,
    /// The engine's scores by what examples are like.
    pub breakdowns: Vec<Breakdown>,
    /// Notes about these figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// An example that was scored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Its id in the file.
    pub id: String,
    /// Examples of one group are drawn together: a program and its mutants.
    pub group: String,
    /// Hash of program, input and truth: equal only for the same example.
    pub digest: String,
}

/// Scores of several engines on the same examples.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The group of metrics.
    pub title: String,
    /// Their names.
    pub metrics: Vec<String>,
    /// The evaluated engine first.
    pub rows: Vec<Row>,
}

/// An engine's scores.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The engine.
    pub engine: String,
    /// One for each metric.
    pub scores: Vec<Estimate>,
    /// Per example, per metric: its contribution, `[got, of]`.
    pub examples: Vec<Vec<Share>>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: &str, metrics: &[&str]) -> Self {
        Self {
            title: title.to_owned(),
            metrics: metrics.iter().map(|m| (*m).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds an engine: per example its contribution to each metric.
    pub fn push(
        &mut self,
        engine: impl Into<String>,
        examples: Vec<Vec<Share>>,
        bootstrap: &Bootstrap,
    ) {
        let column = |k: usize| -> Vec<Share> {
            let cells = examples.iter().map(|e| e.get(k).copied());
            cells.map(Option::unwrap_or_default).collect()
        };
        let scores = (0..self.metrics.len()).map(|k| bootstrap.estimate(&column(k)));
        self.rows.push(Row {
            engine: engine.into(),
            scores: scores.collect(),
            examples,
        });
    }

    /// What every example of a row adds to a metric.
    pub fn column(&self, row: usize, metric: usize) -> Vec<Share> {
        let examples = self.rows.get(row).map_or(&[][..], |r| &r.examples);
        let cells = examples.iter().map(|e| e.get(metric).copied());
        cells.map(Option::unwrap_or_default).collect()
    }

    /// Markdown, scores in percent with their intervals.
    pub fn to_markdown(&self) -> String {
        let headings = self.metrics.iter().map(String::as_str);
        let mut text = heading_row("engine", headings);
        for row in &self.rows {
            let cells = row.scores.iter().map(estimate_cell);
            push_row(&mut text, &row.engine, cells);
        }
        text
    }
}

impl Evaluation {
    /// The same without what single examples added: for people and for snapshots.
    pub fn summary(&self) -> Self {
        let mut short = self.clone();
        for set in &mut short.sets {
            for row in set.tables.iter_mut().flat_map(|t| &mut t.rows) {
                row.examples.clear();
            }
        }
        short
    }
}

/// Markdown.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = self.settings.iter().map(|(k, v)| format!("{k} {v}"));
        let settings: Vec<String> = settings.collect();
        writeln!(f, "Engine: {}", self.engine)?;
        if !settings.is_empty() {
            writeln!(f, "Settings: {}", settings.join(", "))?;
        }
        if self.bootstrap > 0 {
            writeln!(
                f,
                "Percent, with 95 % intervals by bootstrap over programs ({} resamples, seed {}).",
                self.bootstrap, self.seed
            )?;
        } else {
            writeln!(f, "Percent.")?;
        }
        for set in &self.sets {
            write!(f, "\n{set}")?;
        }
        Ok(())
    }
}

/// Markdown.
impl fmt::Display for SetResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## {}: {} examples", self.name, self.examples.len())?;
        for table in &self.tables {
            writeln!(f, "\n{}\n\n{}", table.title, table.to_markdown().trim_end())?;
        }
        if !self.confusions.is_empty() {
            writeln!(f, "\n{}", confusions(&self.confusions).trim_end())?;
        }
        for breakdown in &self.breakdowns {
            writeln!(f, "\n{}", breakdown_table(breakdown).trim_end())?;
        }
        for reliability in &self.calibration {
            writeln!(f, "\n{}", reliability_table(reliability).trim_end())?;
        }
        if !self.notes.is_empty() {
            writeln!(f)?;
        }
        for note in &self.notes {
            writeln!(f, "- {note}")?;
        }
        Ok(())
    }
}

fn confusions(rows: &[(String, Confusion)]) -> String {
    let columns = [
        "raises, said so",
        "raises, not said",
        "said so, does not",
        "neither",
    ];
    let mut text = heading_row("exceptions", columns);
    for (engine, c) in rows {
        let cells = [
            c.true_positive,
            c.false_negative,
            c.false_positive,
            c.true_negative,
        ];
        push_row(&mut text, engine, cells.iter().map(usize::to_string));
    }
    text
}

fn breakdown_table(breakdown: &Breakdown) -> String {
    let columns = std::iter::once("count").chain(breakdown.columns.iter().map(String::as_str));
    let mut text = heading_row(&format!("by {}", breakdown.by), columns);
    for row in breakdown.rows.iter().filter(|r| r.count > 0) {
        let cells = row.shares.iter().map(|s| percent(s.value()));
        let cells = std::iter::once(row.count.to_string()).chain(cells);
        push_row(&mut text, &row.name, cells);
    }
    text
}

fn reliability_table(table: &Reliability) -> String {
    let mut text = format!(
        "Confidence of a {}: expected calibration error {} over {}.\n\n",
        table.of,
        percent(table.expected_error),
        table.count
    );
    text += &heading_row("confidence", ["count", "mean", "right"]);
    for bin in table.bins.iter().filter(|b| b.count > 0) {
        let name = format!("{:.0} to {:.0}", 100.0 * bin.from, 100.0 * bin.to);
        let cells = [
            bin.count.to_string(),
            percent(bin.confidence),
            percent(bin.accuracy),
        ];
        push_row(&mut text, &name, cells);
    }
    text
}

/// Heading and rule of a table whose first column is text.
pub(super) fn heading_row<'t>(first: &str, others: impl IntoIterator<Item = &'t str>) -> String {
    let mut text = format!("| {} |", escape(first));
    let mut rule = String::from("|---|");
    for other in others {
        // Writing to a `String` does not fail.
        let _ = write!(text, " {} |", escape(other));
        rule.push_str("--:|");
    }
    text.push('\n');
    text + &rule + "\n"
}

pub(super) fn push_row(text: &mut String, first: &str, cells: impl IntoIterator<Item = String>) {
    let _ = write!(text, "| {} |", escape(first));
    for cell in cells {
        let _ = write!(text, " {cell} |");
    }
    text.push('\n');
}

/// `29.42 [27.30, 31.50]`, `–` where undefined.
pub(super) fn estimate_cell(estimate: &Estimate) -> String {
    let value = percent(estimate.value);
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => {
            format!("{value} [{:.1}, {:.1}]", 100.0 * low, 100.0 * high)
        }
        _ => value,
    }
}

pub(super) fn percent(fraction: Option<f64>) -> String {
    fraction.map_or_else(|| "–".to_owned(), |x| format!("{:.2}", 100.0 * x))
}

/// Escapes text that would end its cell.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let names = ["a", "b", "c", "d"];
        let mut table = Table::new("Lines", &["exact", "output"]);
        let example = |right: bool| vec![Share::of_bool(right), Share::default()];
        let examples = [true, true, false, true].map(example).to_vec();
        table.push("predict: a|b", examples, &Bootstrap::new(&names, 200, 0));
        table
    }

    #[test]
    fn markdown_shows_intervals_and_gaps() {
        let text = table().to_markdown();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("| engine | exact | output |"));
        assert_eq!(lines.next(), Some("|---|--:|--:|"));
        let row = lines.next().unwrap_or_default();
        assert!(row.starts_with("| predict: a\\|b | 75.00 ["), "{row}");
        assert!(row.ends_with("] | – |"), "{row}");
    }

    #[test]
    fn results_are_read_back_as_written() {
        let evaluation = Evaluation {
            version: RESULTS_VERSION,
            engine: "predict: default".into(),
            settings: vec![("beam".into(), "2".into())],
            bootstrap: 200,
            seed: 0,
            sets: vec![SetResults {
                name: "one".into(),
                tables: vec![table()],
                calibration: vec![Reliability::new("trace", [(0.5, true)])],
                confusions: vec![("predict".into(), Confusion::default())],
                breakdowns: vec![Breakdown::new("lines", &["exact"])],
                notes: vec!["a note".into()],
                ..SetResults::default()
            }],
        };
        let json = serde_json::to_string(&evaluation).unwrap();
        let back: Evaluation = serde_json::from_str(&json).unwrap();
        assert_eq!(back.sets[0].tables[0].rows[0].examples.len(), 4);
        assert_eq!(back.to_string(), evaluation.to_string());
        let shown = evaluation.to_string();
        for part in [
            "## one: 0 examples",
            "- a note",
            "expected calibration error 50.00",
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        assert!(
            evaluation.summary().sets[0].tables[0].rows[0]
                .examples
                .is_empty()
        );
    }
}
