//! A trace as text for people: what ran, what changed, what was printed, how it ended.
//!
//! One row per step: its number, its line and the line's text, the predictor's confidence, and what
//! changed in the frame of the state. Full states are deliberately not shown; the JSON form has
//! them. Everything from a program or a model is escaped, so that it cannot control the terminal.
//! Nothing here queries the terminal: width and colour are arguments.

mod caught;
mod comparison;
mod rows;
#[cfg(test)]
mod tests;
pub(super) mod text;
mod timeline;
mod why;

use anstyle::{AnsiColor, Style};
use codexec_data::trace::{
    Cause, Event, Limit, Link, Origin, Outcome, SourceFile, Step, Trace, Value,
};
use codexec_query::Changes;

use crate::eval::Matching;
use text::{clean, fit, pad, width};

pub use comparison::render_comparison;
pub use rows::{render, render_selected};
pub use why::render_why;

/// Style of a view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewStyle {
    /// Columns of the terminal; values below 40 count as 40.
    pub width: usize,
    /// Whether to use colours.
    pub color: bool,
    /// Show values, outputs and messages in full, in lines that may exceed the width.
    pub wide: bool,
    /// Show all steps: no folded loops, and nothing of a long trace left out.
    pub all: bool,
    /// Mark steps whose confidence is below this, in 0..=1.
    pub low_confidence: f32,
    /// Whether a predicted value equals the truth, for comparisons.
    pub matching: Matching,
}

impl Default for ViewStyle {
    fn default() -> Self {
        Self {
            width: 100,
            color: false,
            wide: false,
            all: false,
            low_confidence: 0.5,
            matching: Matching::Canonical,
        }
    }
}

const DIM: Style = Style::new().dimmed();
const NAME: Style = Style::new().bold();
const OUTPUT: Style = AnsiColor::Green.on_default();
const PREDICTED: Style = AnsiColor::Cyan.on_default();
/// A value that replaces another.
const CHANGED: Style = AnsiColor::Magenta.on_default();
const WARN: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();

/// Maximum depth of indentation.
const MAX_INDENT: u32 = 8;

/// A view being written.
struct View<'a> {
    /// Lines of the program's files, the entry first.
    sources: Vec<Vec<&'a str>>,
    /// Paths of these files; empty if there is one.
    paths: Vec<&'a str>,
    style: &'a ViewStyle,
    columns: Columns,
    out: String,
}

/// Widths of the columns, which are separated by two blanks.
struct Columns {
    step: usize,
    line: usize,
    /// 0 if visits of lines are not shown.
    visit: usize,
    source: usize,
    /// 0 if no step has a confidence.
    confidence: usize,
    changes: usize,
}

impl<'a> View<'a> {
    fn new(traces: &[&'a Trace], source: &'a str, style: &'a ViewStyle) -> Self {
        let mut sources: Vec<Vec<&str>> = vec![source.lines().collect()];
        // Traces shown side by side are of one program: the first with files knows most.
        let files = traces.iter().find(|trace| !trace.files.is_empty());
        let files = files.map_or(&[][..], |trace| &trace.files);
        let text = |file: &'a SourceFile| file.source.as_deref().unwrap_or_default();
        sources.extend(
            files
                .iter()
                .skip(1)
                .map(|file| text(file).lines().collect()),
        );
        let columns = Columns::new(traces, &sources, style.width.max(40));
        Self {
            sources,
            paths: files.iter().map(|file| file.path.as_str()).collect(),
            style,
            columns,
            out: String::new(),
        }
    }

    /// `text`, cut to `room` columns where long text is cut.
    fn fit(&self, text: &str, room: usize) -> String {
        match self.style.wide {
            true => text.to_owned(),
            false => fit(text, room),
        }
    }

    /// Adds a full-width line.
    fn push_text(&mut self, style: Style, text: &str) {
        let text = self.fit(text, self.style.width.max(40));
        let text = self.paint(style, &text);
        self.push_line(&text);
    }

    fn paint(&self, style: Style, text: &str) -> String {
        if self.style.color && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    fn push_line(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn heading(&mut self, last: &str) {
        let c = &self.columns;
        let mut head = format!("{:>1$}  {2:>3$}  ", "step", c.step, "line", c.line);
        if c.visit > 0 {
            head.push_str(&format!("{:>1$}  ", "visit", c.visit));
        }
        head.push_str(&pad("source", c.source));
        head.push_str("  ");
        if c.confidence > 0 {
            head.push_str(&pad("sure", c.confidence));
            head.push_str("  ");
        }
        head.push_str(&fit(last, c.changes));
        let head = self.paint(DIM, &head);
        self.push_line(&head);
    }

    fn confidence(&self, confidence: Option<f32>) -> String {
        if self.columns.confidence == 0 {
            return String::new();
        }
        let Some(sure) = confidence else {
            return " ".repeat(self.columns.confidence + 2);
        };
        let low = sure < self.style.low_confidence;
        // Rounded down, so that nothing less is shown as 100%.
        let percent = (100.0 * sure).floor();
        let text = format!("{percent:>3}%{}  ", if low { '?' } else { ' ' });
        self.paint(if low { WARN } else { DIM }, &text)
    }

    /// Changes side by side, as many as fit on a line.
    fn change_lines(&self, changes: &Changes<'_>) -> Vec<String> {
        self.short_change_lines(changes, self.columns.changes)
    }

    /// The same, with at most `most` columns per change.
    fn short_change_lines(&self, changes: &Changes<'_>, most: usize) -> Vec<String> {
        let room = self.columns.changes;
        let mut cells: Vec<(usize, String)> = Vec::new();
        if changes.names.is_empty() {
            return Vec::new();
        }
        if let Some(frame) = changes.frame {
            let label = self.fit(&format!("{}:", clean(frame)), room);
            cells.push((width(&label), self.paint(DIM, &label)));
        }
        for (name, value) in &changes.names {
            let is_other = changes.replaced.contains(name);
            cells.push(self.change(name, *value, is_other, most.min(room)));
        }
        let mut lines = Vec::new();
        let (mut line, mut used) = (String::new(), 0);
        for (wide, cell) in cells {
            if used > 0 && used + 2 + wide > room {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            if used > 0 {
                line.push_str("  ");
                used += 2;
            }
            line.push_str(&cell);
            used += wide;
        }
        lines.push(line);
        lines
    }

    /// Width and text of one change. `is_other`: it replaces a value.
    fn change(
        &self,
        name: &str,
        value: Option<&Value>,
        is_other: bool,
        room: usize,
    ) -> (usize, String) {
        let name = self.fit(&clean(name), room / 2);
        let Some(value) = value else {
            let text = format!("{name} gone");
            return (width(&text), self.paint(DIM, &text));
        };
        let (style, mark) = match value.origin {
            Origin::Observed | Origin::Computed if is_other => (CHANGED, ""),
            Origin::Observed | Origin::Computed => (Style::new(), ""),
            Origin::Predicted => (PREDICTED, ""),
            Origin::Injected => (WARN, " (injected)"),
        };
        let room = room.saturating_sub(width(&name) + 3);
        let text = self.fit(&clean(&value.text), room.saturating_sub(mark.len()).max(2));
        let text = self.fit(&format!("{text}{mark}"), room);
        let wide = width(&name) + 3 + width(&text);
        let (name, text) = (self.paint(NAME, &name), self.paint(style, &text));
        (wide, format!("{name} = {text}"))
    }

    /// The end of a trace, after a label.
    fn outcome(&mut self, label: &str, trace: &Trace) {
        let steps = counted(trace.steps.len(), "step");
        self.outcome_of(label, trace, &steps);
    }

    /// The same, with a number of steps.
    fn outcome_of(&mut self, label: &str, trace: &Trace, steps: &str) {
        let (style, end) = match &trace.outcome {
            // What the prediction lacks is unknown: that is no outcome.
            _ if trace.truncated => (WARN, truncation_text(trace)),
            outcome @ Outcome::Finished => (GOOD, outcome_text(outcome)),
            outcome @ Outcome::Exited { .. } => (WARN, outcome_text(outcome)),
            outcome => (BAD, outcome_text(outcome)),
        };
        let file = match &trace.outcome {
            Outcome::Raised { file, .. } if *file > 0 => trace.files.get(*file as usize),
            _ => None,
        };
        let end = match file {
            Some(file) if !trace.truncated => format!("{end} ({})", clean(&file.path)),
            _ => end,
        };
        let sure = match trace.confidence {
            Some(confidence) if !trace.steps.is_empty() => {
                format!(", {:.0}% sure", 100.0 * confidence)
            }
            _ => String::new(),
        };
        self.push_text(style, &format!("{label}{end} ({steps}{sure})"));
        for cause in &trace.causes {
            let indent = " ".repeat(width(label));
            self.push_text(DIM, &format!("{indent}{}", cause_text(cause, trace)));
        }
    }
}

impl Columns {
    fn new(traces: &[&Trace], sources: &[Vec<&str>], room: usize) -> Self {
        let all = || traces.iter().flat_map(|t| &t.steps);
        let digits = |n: usize| n.to_string().len();
        let longest = traces.iter().map(|t| t.steps.len()).max().unwrap_or(0);
        let last = all().map(|s| s.line as usize).max().unwrap_or(0);
        let (step, line) = (digits(longest).max(4), digits(last).max(4));
        let sure = all().any(|s| s.confidence.is_some());
        let confidence = if sure { 5 } else { 0 };
        let taken = step + line + 4 + if sure { confidence + 2 } else { 0 };
        let left = room.saturating_sub(taken + 2);
        let widest = all().map(|s| width(&source_text(sources, s))).max();
        let source = widest.unwrap_or(0).max(6).min(left / 2);
        Self {
            step,
            line,
            visit: 0,
            source,
            confidence,
            changes: left - source,
        }
    }

    /// Columns left of what changed.
    fn before_changes(&self) -> usize {
        let sure = if self.confidence > 0 {
            self.confidence + 2
        } else {
            0
        };
        let visit = if self.visit > 0 { self.visit + 2 } else { 0 };
        self.step + self.line + visit + self.source + 6 + sure
    }
}

/// A step's line, indented by its depth, with an arrow where a frame is entered or left.
fn source_text(sources: &[Vec<&str>], step: &Step) -> String {
    line_text(sources, (step.file, step.line), step.event, step.depth)
}

/// The same for a line that need not belong to a step.
fn line_text(sources: &[Vec<&str>], (file, line): (u32, u32), event: Event, depth: u32) -> String {
    let source = sources.get(file as usize);
    let line = (line as usize).checked_sub(1);
    let line = line.and_then(|k| source?.get(k)).copied();
    let line = line.unwrap_or_default().trim_end().replace('\t', "    ");
    let indent = "  ".repeat(depth.min(MAX_INDENT) as usize);
    let line = clean(&line);
    match event {
        Event::Line => format!("{indent}{line}"),
        Event::Call => format!("{indent}→ {}", line.trim_start()),
        Event::Return => format!("{indent}← {}", line.trim_start()),
    }
}

/// `1 step`, `2 steps`.
pub(super) fn counted(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// Why a truncated prediction stopped.
pub fn truncation_text(trace: &Trace) -> String {
    match trace.limit {
        Some(Limit::Tokens(limit)) => {
            let limit = counted(limit as usize, "token");
            format!("truncated: the model writes at most {limit} here")
        }
        Some(Limit::Steps(limit)) => {
            let limit = counted(limit as usize, "step");
            format!("truncated: --max-steps asks for at most {limit}")
        }
        None => match &trace.outcome {
            Outcome::Killed { why } => format!("truncated: {}", clean(why)),
            _ => "truncated".to_owned(),
        },
    }
}

/// An exception that led to the one of the outcome, in words.
pub fn cause_text(cause: &Cause, trace: &Trace) -> String {
    let how = match cause.how {
        Link::Cause => "caused by",
        Link::Context => "raised while handling",
    };
    let (exception, message) = (clean(&cause.exception), clean(&cause.message));
    let line = match cause.line {
        0 => String::new(),
        line => format!(" on line {line}"),
    };
    let file = match trace.files.get(cause.file as usize) {
        Some(file) if cause.file > 0 => format!(" ({})", clean(&file.path)),
        _ => String::new(),
    };
    let colon = if message.is_empty() { "" } else { ": " };
    format!("{how} {exception}{line}{file}{colon}{message}")
}

/// An outcome in words, with the program's own text escaped.
pub fn outcome_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::Exited { code, text } => {
            let colon = if text.is_empty() { "" } else { ": " };
            format!("exited with status {code}{colon}{}", clean(text))
        }
        Outcome::Raised {
            exception,
            message,
            line,
            ..
        } => {
            let colon = if message.is_empty() { "" } else { ": " };
            let (exception, message) = (clean(exception), clean(message));
            format!("raised {exception} on line {line}{colon}{message}")
        }
        Outcome::Timeout => "stopped at the time limit".to_owned(),
        Outcome::StepLimit => "stopped at the step limit".to_owned(),
        Outcome::InstructionLimit => "stopped at the instruction limit".to_owned(),
        Outcome::OutputLimit => "stopped at the output limit".to_owned(),
        Outcome::TraceLimit => "stopped at the trace limit: its states are too large".to_owned(),
        Outcome::MemoryLimit => "stopped at the memory limit".to_owned(),
        Outcome::Killed { why } => format!("killed: {}", clean(why)),
        Outcome::SyntaxError {
            line,
            column,
            message,
        } => {
            let message = clean(message);
            format!("does not compile: line {line}, column {column}: {message}")
        }
    }
}
