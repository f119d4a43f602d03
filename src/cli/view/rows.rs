//! Rows of a view: steps, and rows in place of hidden steps. Folds loops and draws selected steps.

use std::collections::HashMap;

use codexec_data::trace::{Event, Outcome, Step, Trace};
use codexec_query::changes::{between, each_change};
use codexec_query::fold::Worth;
use codexec_query::{Changes, Row, Selected, Sources, fold};

use super::caught::{Caught, caught};
use super::text::{clean, pad, width};
use super::{
    BAD, DIM, MAX_INDENT, NAME, OUTPUT, View, ViewStyle, WARN, counted, line_text, source_text,
};

/// Heading of the last column.
pub(super) const WHAT_CHANGED: &str = "what changed";

/// Maximum columns of a change in a row for many steps.
pub(super) const SHORT: usize = 32;

/// Number of first and last rows shown of a longer view.
const FIRST_ROWS: usize = 800;
const LAST_ROWS: usize = 200;

/// Shows a trace; `source` is the program's text. Ends with a newline.
pub fn render<'a>(trace: &'a Trace, source: &'a str, style: &'a ViewStyle) -> String {
    let mut view = View::new(&[trace], source, style);
    let steps: Vec<usize> = (0..trace.steps.len()).collect();
    let sources = Sources::of(trace);
    let rows: Vec<Row> = match style.all || style.wide {
        true => steps.into_iter().map(Row::Step).collect(),
        false => fold(trace, &sources, &steps, Worth::default()),
    };
    view.make_room(trace, &rows);
    view.heading(WHAT_CHANGED);
    let mut marks = Marks::of(trace, changes_of(trace, &rows));
    marks.caught = caught(trace, &sources);
    view.first_and_last(trace, &rows, &marks);
    view.timeline(trace, &marks.caught);
    view.outcome("", trace);
    view.out
}

/// Shows selected steps. `source` is the program's text. Ends with a newline.
pub fn render_selected<'a>(
    selected: &Selected<'a>,
    source: &'a str,
    style: &'a ViewStyle,
) -> String {
    let trace = selected.trace;
    let mut view = View::new(&[trace], source, style);
    let visits = selected.steps.iter().map(|chosen| chosen.visit).max();
    let digits = visits.unwrap_or(0).to_string().len().max("visit".len());
    view.columns.visit = digits;
    view.columns.changes = view.columns.changes.saturating_sub(digits + 2).max(12);
    view.heading(match &selected.selection {
        selection if !selection.shows_changes() => "what is printed",
        selection if selection.shows_values() => "values",
        _ => WHAT_CHANGED,
    });
    let mut marks = Marks::of(trace, HashMap::new());
    marks.visits = vec![0; trace.steps.len()];
    (marks.value, marks.output) = (selected.shows_all(), selected.shows_output());
    for chosen in &selected.steps {
        marks.changes.insert(chosen.step, chosen.changes.clone());
        marks.visits[chosen.step] = chosen.visit;
    }
    let rows = selected.steps.iter().map(|chosen| Row::Step(chosen.step));
    let rows: Vec<Row> = rows.collect();
    if rows.is_empty() {
        view.push_text(DIM, "no step is like that");
    }
    view.first_and_last(trace, &rows, &marks);
    let steps = format!("{} of {}", rows.len(), counted(trace.steps.len(), "step"));
    view.outcome_of("", trace, &steps);
    view.out
}

/// The changes of the steps that are rows of their own.
fn changes_of<'t>(trace: &'t Trace, rows: &[Row]) -> HashMap<usize, Changes<'t>> {
    let mut wanted = vec![false; trace.steps.len()];
    for row in rows {
        if let Row::Step(step) = row
            && let Some(is_wanted) = wanted.get_mut(*step)
        {
            *is_wanted = true;
        }
    }
    let of_steps = each_change(trace).enumerate();
    of_steps.filter(|(step, _)| wanted[*step]).collect()
}

/// Which columns of steps are shown.
pub(super) struct Marks<'t> {
    /// Changes of the steps that are shown.
    changes: HashMap<usize, Changes<'t>>,
    /// How often lines were reached; empty if not shown.
    visits: Vec<usize>,
    /// Whether returned values and printed output are shown.
    value: bool,
    output: bool,
    raised: Option<(usize, &'t str)>,
    /// Caught exceptions by the steps that raise them; empty if not shown.
    caught: Vec<Caught>,
}

impl<'t> Marks<'t> {
    fn of(trace: &'t Trace, changes: HashMap<usize, Changes<'t>>) -> Self {
        let raised = match &trace.outcome {
            Outcome::Raised {
                exception,
                step: Some(step),
                ..
            } => Some((*step as usize, exception.as_str())),
            _ => None,
        };
        Self {
            changes,
            visits: Vec::new(),
            value: true,
            output: true,
            raised,
            caught: Vec::new(),
        }
    }
}

impl Marks<'_> {
    /// The exception that a step raised and the program caught.
    fn caught_at(&self, step: usize) -> impl Iterator<Item = &Caught> {
        let first = self.caught.partition_point(|one| one.raised < step);
        let rest = self.caught[first..].iter();
        rest.take_while(move |one| one.raised == step)
    }
}

impl View<'_> {
    /// Rows of some steps. Changes are relative to the previous step, shown or not.
    pub(super) fn steps(&mut self, trace: &Trace, shown: std::ops::Range<usize>) {
        let before = shown.start.checked_sub(1);
        let file = before.map_or(0, |at| trace.steps[at].file);
        let rows: Vec<Row> = shown.map(Row::Step).collect();
        let marks = Marks::of(trace, changes_of(trace, &rows));
        self.rows(trace, &rows, &marks, file);
    }

    /// All rows, or the first and last of very many.
    fn first_and_last(&mut self, trace: &Trace, rows: &[Row], marks: &Marks<'_>) {
        if self.style.all || self.style.wide || rows.len() <= FIRST_ROWS + LAST_ROWS {
            return self.rows(trace, rows, marks, 0);
        }
        let (first, rest) = rows.split_at(FIRST_ROWS);
        let (between, last) = rest.split_at(rest.len() - LAST_ROWS);
        self.rows(trace, first, marks, 0);
        let steps: usize = between.iter().map(|row| row.steps().len()).sum();
        self.push_text(
            DIM,
            &format!("… {steps} steps; codexec trace --all shows them"),
        );
        let file = between.last().map_or(0, |row| place(trace, row).0);
        self.rows(trace, last, marks, file);
    }

    /// Rows, after one in `file`.
    fn rows(&mut self, trace: &Trace, rows: &[Row], marks: &Marks<'_>, mut file: u32) {
        for row in rows {
            self.in_file(&mut file, place(trace, row).0);
            match row {
                Row::Step(k) => {
                    if let Some(step) = trace.steps.get(*k) {
                        self.step(*k, step, marks);
                    }
                }
                folded => self.folded(trace, folded),
            }
        }
    }

    /// Names the file if it changed.
    pub(super) fn in_file(&mut self, file: &mut u32, now: u32) {
        if std::mem::replace(file, now) != now
            && let Some(path) = self.paths.get(now as usize)
        {
            let path = clean(path);
            self.push_text(DIM, &format!("── {path}"));
        }
    }

    fn step(&mut self, k: usize, step: &Step, marks: &Marks<'_>) {
        let source = source_text(&self.sources, step);
        let visit = marks.visits.get(k).copied();
        let lead = self.lead(Some(k), step.line, visit, &source, step.event);
        let sure = self.confidence(step.confidence);
        let raised = marks.raised.filter(|(at, _)| *at == k);
        let lines = self.right_side(step, marks, k, raised.map(|(_, name)| name));
        self.push_row(&format!("{lead}{sure}"), &lines);
    }

    /// The part left of what changed: number, line, visit and source.
    pub(super) fn lead(
        &self,
        step: Option<usize>,
        line: u32,
        visit: Option<usize>,
        source: &str,
        event: Event,
    ) -> String {
        let source = pad(
            &super::fit(source, self.columns.source),
            self.columns.source,
        );
        let source = match event {
            Event::Line => source,
            Event::Call | Event::Return => self.paint(DIM, &source),
        };
        format!("{}{source}  ", self.numbers(step, line, visit))
    }

    /// Number, line and visit, and their padding.
    fn numbers(&self, step: Option<usize>, line: u32, visit: Option<usize>) -> String {
        let c = &self.columns;
        let number = step.map_or("⋮".to_owned(), |step| (step + 1).to_string());
        let mut numbers = format!("{number:>0$}  {line:>1$}  ", c.step, c.line);
        if c.visit > 0 {
            let visit = visit.map_or(String::new(), |visit| visit.to_string());
            numbers.push_str(&format!("{visit:>0$}  ", c.visit));
        }
        self.paint(DIM, &numbers)
    }

    /// A row of one or more lines.
    pub(super) fn push_row(&mut self, lead: &str, lines: &[String]) {
        let mut lead = lead.to_owned();
        for line in lines {
            self.push_line(&format!("{lead}{line}"));
            lead = " ".repeat(self.columns.before_changes());
        }
        if lines.is_empty() {
            self.push_line(&lead);
        }
    }

    /// Changes, output and exception of a step, one or more lines each.
    fn right_side(
        &self,
        step: &Step,
        marks: &Marks<'_>,
        k: usize,
        raised: Option<&str>,
    ) -> Vec<String> {
        let room = self.columns.changes;
        let mut lines = Vec::new();
        if let Some(value) = step.value.as_ref().filter(|_| marks.value) {
            let text = self.fit(&format!("returns {}", clean(&value.text)), room);
            lines.push(self.paint(NAME, &text));
        }
        if let Some(changes) = marks.changes.get(&k) {
            lines.extend(self.change_lines(changes));
        }
        if marks.output {
            lines.extend(self.output_lines(&step.output));
        }
        if let Some(exception) = raised {
            let text = self.fit(&format!("✗ {}", clean(exception)), room);
            lines.push(self.paint(BAD, &text));
        }
        for one in marks.caught_at(k) {
            let file = match self.paths.get(one.file as usize) {
                Some(path) if one.file != step.file => format!("{}:", clean(path)),
                _ => "line ".to_owned(),
            };
            let text = format!("× {}, caught on {file}{}", clean(&one.what), one.line);
            lines.push(self.paint(WARN, &self.fit(&text, room)));
        }
        lines
    }

    /// Printed output, line by line.
    pub(super) fn output_lines(&self, output: &str) -> Vec<String> {
        if output.is_empty() {
            return Vec::new();
        }
        let output = output.strip_suffix('\n').unwrap_or(output);
        let line = |line: &str| {
            let text = self.fit(&format!("│ {}", clean(line)), self.columns.changes);
            self.paint(OUTPUT, &text)
        };
        output.split('\n').map(line).collect()
    }

    /// Widens the source column for folded rows, up to half of the room.
    fn make_room(&mut self, trace: &Trace, rows: &[Row]) {
        let texts = rows.iter().filter(|row| !matches!(row, Row::Step(_)));
        let widths = texts.map(|row| {
            let steps = counted(row.steps().len(), "step");
            self.indent(trace, row) + 2 + width(&folded_text(row, &steps))
        });
        let wanted = widths.max().unwrap_or(0);
        let both = self.columns.source + self.columns.changes;
        self.columns.source = self.columns.source.max(wanted.min(both / 2));
        self.columns.changes = both - self.columns.source;
    }

    /// Indentation of a folded row's text: under its loop's header, or at the depth of its calls.
    pub(super) fn indent(&self, trace: &Trace, row: &Row) -> usize {
        let depth = depth(trace, row);
        match row {
            Row::Iterations { place, .. } => {
                let line = line_text(&self.sources, *place, Event::Line, depth);
                line.len() - line.trim_start().len()
            }
            _ => 2 * depth.min(MAX_INDENT) as usize,
        }
    }

    /// A row for iterations or a call, with what they changed and how much they printed.
    fn folded(&mut self, trace: &Trace, row: &Row) {
        let steps = row.steps();
        let what = folded_text(row, &counted(steps.len(), "step"));
        let last = trace.steps.get(steps.end - 1);
        let mut cells = Vec::new();
        match row {
            Row::Step(_) => return,
            Row::Iterations { .. } => {
                let changes = between(trace, steps.start, steps.end);
                cells.extend(self.short_change_lines(&changes, SHORT));
            }
            // The arguments of the next call.
            Row::Deeper { .. } => {
                let given = last.into_iter().flat_map(|step| step.state.iter());
                let changes = Changes {
                    frame: trace
                        .steps
                        .get(steps.end)
                        .map(|step| step.function.as_str()),
                    names: given.map(|(name, value)| (name, Some(value))).collect(),
                    ..Changes::default()
                };
                cells.extend(self.short_change_lines(&changes, SHORT));
            }
            Row::Call { .. } | Row::Back { .. } => {
                let value = last.and_then(|step| step.value.as_ref());
                cells.extend(value.map(|value| {
                    let text = format!("returns {}", clean(&value.text));
                    self.paint(NAME, &self.fit(&text, self.columns.changes))
                }));
            }
        }
        let printed = trace.steps[steps.clone()].iter();
        let printed: usize = printed.map(|step| step.output.matches('\n').count()).sum();
        if printed > 0 {
            let text = format!("│ … {}", counted(printed, "line"));
            cells.push(self.paint(OUTPUT, &text));
        }
        self.push_folded(place(trace, row).1, self.indent(trace, row), &what, &cells);
    }

    /// A folded row. Its text can be longer than a source line; what changed follows it.
    pub(super) fn push_folded(&mut self, line: u32, indent: usize, what: &str, cells: &[String]) {
        let text = format!("{}⋯ {what}", " ".repeat(indent));
        if width(&text) <= self.columns.source {
            let lead = self.lead(None, line, None, &text, Event::Call);
            let sure = self.confidence(None);
            self.push_row(&format!("{lead}{sure}"), cells);
            return;
        }
        let numbers = self.numbers(None, line, None);
        let room = self.columns.source + 2 + self.columns.changes;
        let text = self.paint(DIM, &super::fit(&text, room));
        self.push_line(&format!("{numbers}{text}"));
        if !cells.is_empty() {
            let lead = " ".repeat(self.columns.before_changes());
            self.push_row(&lead, cells);
        }
    }
}

/// What a row summarises, in words.
pub(super) fn folded_text(row: &Row, steps: &str) -> String {
    match row {
        Row::Step(_) => String::new(),
        Row::Iterations {
            numbers: (first, last),
            ..
        } if first == last => format!("iteration {first}: {steps}"),
        Row::Iterations {
            numbers: (first, last),
            ..
        } => format!("iterations {first} to {last}: {steps}"),
        Row::Call { calls, .. } => format!("{}: {steps}", counted(*calls, "call")),
        Row::Deeper { calls, .. } => format!("{} deeper: {steps}", counted(*calls, "call")),
        Row::Back { returns, .. } => format!("{}: {steps}", counted(*returns, "return")),
    }
}

/// File and line of a row.
fn place(trace: &Trace, row: &Row) -> (u32, u32) {
    match row {
        Row::Iterations { place, .. } => *place,
        row => {
            let first = trace.steps.get(row.steps().start);
            first.map_or((0, 0), |step| (step.file, step.line))
        }
    }
}

/// Depth of a row.
pub(super) fn depth(trace: &Trace, row: &Row) -> u32 {
    let first = trace.steps.get(row.steps().start);
    first.map_or(0, |step| step.depth)
}
