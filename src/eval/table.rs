//! Rows of scores as Markdown for people and JSON for programs. Knows how scores are shown, not
//! how they come about.

use std::fmt::Write;

use serde::Serialize;

use super::prf::Prf;
use super::single_line::SingleLineScores;
use super::structure::StructureScores;
use super::traces::TraceScores;

/// Scores that a table can show.
pub trait Scores: Serialize {
    /// Headings, the same for all values of the type.
    const COLUMNS: &'static [&'static str];

    /// Fractions in 0..=1, one for each heading; nothing where a score is undefined.
    fn cells(&self) -> Vec<Option<f64>>;

    /// Number of programs that were scored.
    fn programs(&self) -> usize;
}

fn prf_cells(prf: &Prf) -> [Option<f64>; 3] {
    [Some(prf.precision), Some(prf.recall), Some(prf.f1)]
}

impl Scores for TraceScores {
    const COLUMNS: &'static [&'static str] = &[
        "output", "trace", "line P", "line R", "line F1", "id P", "id R", "id F1",
    ];

    fn cells(&self) -> Vec<Option<f64>> {
        let mut cells = vec![self.output_accuracy, Some(self.trace_accuracy)];
        cells.extend(prf_cells(&self.line));
        cells.extend(prf_cells(&self.identifier));
        cells
    }

    fn programs(&self) -> usize {
        self.programs
    }
}

impl Scores for SingleLineScores {
    const COLUMNS: &'static [&'static str] = &["trace", "id P", "id R", "id F1"];

    fn cells(&self) -> Vec<Option<f64>> {
        let mut cells = vec![Some(self.trace_accuracy)];
        cells.extend(prf_cells(&self.identifier));
        cells
    }

    fn programs(&self) -> usize {
        self.programs
    }
}

impl Scores for StructureScores {
    const COLUMNS: &'static [&'static str] = &[
        "exact",
        "order",
        "prefix",
        "values",
        "output",
        "outcome",
        "exception",
    ];

    fn cells(&self) -> Vec<Option<f64>> {
        vec![
            self.exact,
            self.order_exact,
            self.prefix_recall,
            self.value_accuracy,
            self.output_accuracy,
            self.outcome_accuracy,
            self.exception_accuracy,
        ]
    }

    fn programs(&self) -> usize {
        self.programs
    }
}

/// Rows of one kind of scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Table<S> {
    rows: Vec<Row<S>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Row<S> {
    name: String,
    engine: String,
    scores: S,
}

impl<S> Default for Table<S> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

impl<S: Scores> Table<S> {
    /// A table without rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row: what was scored (a data set), and by what it was predicted.
    pub fn push(&mut self, name: impl Into<String>, engine: impl Into<String>, scores: S) {
        self.rows.push(Row {
            name: name.into(),
            engine: engine.into(),
            scores,
        });
    }

    /// A Markdown table; scores in percent with two digits, `–` where undefined.
    pub fn to_markdown(&self) -> String {
        let mut text = String::from("| name | engine | programs |");
        for column in S::COLUMNS {
            // Writing to a `String` does not fail.
            let _ = write!(text, " {column} |");
        }
        text.push_str("\n|---|---|--:|");
        text.push_str(&"--:|".repeat(S::COLUMNS.len()));
        text.push('\n');
        for row in &self.rows {
            let (name, engine) = (escape(&row.name), escape(&row.engine));
            let _ = write!(text, "| {name} | {engine} | {} |", row.scores.programs());
            for cell in row.scores.cells() {
                let cell = cell.map_or_else(|| "–".to_owned(), |x| format!("{:.2}", 100.0 * x));
                let _ = write!(text, " {cell} |");
            }
            text.push('\n');
        }
        text
    }

    /// A list of `{name, engine, scores}`; scores as fractions, `null` where undefined.
    ///
    /// # Errors
    /// None for the scores of this crate; those of the serializer for others.
    pub fn to_json(&self) -> Result<serde_json::Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}

/// Keeps text from ending its cell.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{score_single_lines, score_structure, score_traces};

    fn table() -> Table<TraceScores> {
        let gold = "<line> <0> <state> a : 1 </state>";
        let mut table = Table::new();
        table.push("tutorial|x", "predict", score_traces([(gold, gold)]));
        table
    }

    #[test]
    fn markdown() {
        assert_eq!(
            table().to_markdown(),
            "| name | engine | programs | output | trace | line P | line R | line F1 | id P | id R | id F1 |\n\
             |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n\
             | tutorial\\|x | predict | 1 | – | 100.00 | 100.00 | 100.00 | 100.00 | 100.00 | 100.00 | 100.00 |\n"
        );
    }

    #[test]
    fn json() {
        let json = table().to_json().expect("scores serialise");
        assert_eq!(json[0]["engine"], "predict");
        assert_eq!(
            json[0]["scores"]["output_accuracy"],
            serde_json::Value::Null
        );
        assert_eq!(json[0]["scores"]["line"]["f1"], 1.0);
        assert_eq!(json[0]["scores"]["line"]["gold"], 1);
    }

    #[test]
    fn every_heading_has_a_cell() {
        fn check<S: Scores>(scores: &S) {
            assert_eq!(scores.cells().len(), S::COLUMNS.len());
        }
        check(&score_traces([("", "")]));
        check(&score_single_lines([("", "")]));
        check(&score_structure([]));
    }
}
