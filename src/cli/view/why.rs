//! The chain of assignments and conditions behind a value as text: one row per link, in
//! chronological order.

use codexec_data::trace::{Event, Outcome, Trace, Value};
use codexec_query::fold::Worth;
use codexec_query::why::{Kind, Link, Question, Why};
use codexec_query::{Changes, Row, Sources, fold};

use super::rows::{SHORT, depth, folded_text};
use super::text::clean;
use super::{BAD, DIM, NAME, View, ViewStyle, counted, line_text, outcome_text};

/// A chain is folded sooner than a trace.
const WORTH: Worth = Worth {
    whole: 24,
    hidden: 6,
};

/// Shows an answer. `source` is the program's text. Ends with a newline.
pub fn render_why<'a>(
    trace: &'a Trace,
    why: &'a Why,
    source: &'a str,
    style: &'a ViewStyle,
) -> String {
    let mut view = View::new(&[trace], source, style);
    view.columns.show_links(&why.links, style.width.max(40));
    view.push_text(NAME, &format!("why {}", asked(trace, why)));
    view.heading("why");
    let steps: Vec<usize> = why.links.iter().map(|link| link.step).collect();
    let rows = match style.all {
        true => steps.iter().map(|step| Row::Step(*step)).collect(),
        false => fold(trace, &Sources::of(trace), &steps, WORTH),
    };
    let (mut at, mut file) = (0, 0);
    for row in &rows {
        match row {
            Row::Step(_) => {
                if let Some(link) = why.links.get(at) {
                    view.in_file(&mut file, link.file);
                    view.link(link);
                }
                at += 1;
            }
            row => {
                let steps = row.steps();
                let inside = why.links[at..].iter();
                let count = inside.take_while(|link| link.step < steps.end).count();
                let folded = &why.links[at..at + count];
                let Some(first) = folded.first() else { break };
                at += count;
                let place = match row {
                    Row::Iterations { place, .. } => *place,
                    _ => (first.file, first.line),
                };
                view.in_file(&mut file, place.0);
                let what = folded_text(row, &counted(count, "link"));
                let cells = view.last_values(folded, depth(trace, row));
                view.push_folded(place.1, view.indent(trace, row), &what, &cells);
            }
        }
    }
    let count = counted(why.links.len(), "link");
    let cut = match why.cut {
        true => "; there are more further back",
        false => "",
    };
    view.push_text(
        DIM,
        &format!("{count} of {}{cut}", counted(trace.steps.len(), "step")),
    );
    view.out
}

/// The question, with what is known about it.
fn asked(trace: &Trace, why: &Why) -> String {
    let last = why.links.iter().find(|link| link.distance == 0);
    match &why.question {
        Question::Variable { name, .. } => {
            let value = last.and_then(|link| link.values.first());
            match value {
                Some((_, value)) => format!("{} = {}", clean(name), clean(&value.text)),
                None => format!("{} is gone", clean(name)),
            }
        }
        Question::Step { step } => format!("step {}", step + 1),
        Question::Output { .. } => {
            let text = last.and_then(|link| link.text.as_deref()).unwrap_or("");
            format!("{} was printed", clean(text.trim_end_matches('\n')))
        }
        Question::Exception => match &trace.outcome {
            outcome @ Outcome::Raised { .. } => {
                let text = outcome_text(outcome);
                text.strip_prefix("raised ").unwrap_or(&text).to_owned()
            }
            outcome => outcome_text(outcome),
        },
    }
}

impl super::Columns {
    /// The source column, as wide as the sources of links need.
    fn show_links(&mut self, links: &[Link], room: usize) {
        self.confidence = 0;
        let lines = links.iter().map(|link| link.line as usize).max();
        self.line = lines.unwrap_or(0).to_string().len().max(4);
        let left = room.saturating_sub(self.step + self.line + 6);
        self.source = self.source.min(left / 2);
        self.changes = left - self.source;
    }
}

impl View<'_> {
    /// The final values of folded links of one depth.
    fn last_values(&self, links: &[Link], depth: u32) -> Vec<String> {
        let mut last: Vec<(&str, Option<&Value>)> = Vec::new();
        let here = links
            .iter()
            .filter(|link| link.depth == depth && link.of.is_none());
        for (name, value) in here.flat_map(|link| &link.values) {
            match last.iter_mut().find(|(other, _)| *other == name.as_str()) {
                Some(known) => known.1 = Some(value),
                None => last.push((name, Some(value))),
            }
        }
        let changes = Changes {
            frame: None,
            names: last,
            ..Changes::default()
        };
        self.short_change_lines(&changes, SHORT)
    }

    fn link(&mut self, link: &Link) {
        let event = match link.kind {
            Kind::Returned => Event::Return,
            _ => Event::Line,
        };
        let source = line_text(&self.sources, (link.file, link.line), event, link.depth);
        let lead = self.lead(Some(link.step), link.line, None, &source, event);
        let lines = self.link_lines(link);
        self.push_row(&lead, &lines);
    }

    fn link_lines(&self, link: &Link) -> Vec<String> {
        let room = self.columns.changes;
        let values = link.values.iter();
        let changes = Changes {
            frame: link.of.as_deref(),
            names: values
                .map(|(name, value)| (name.as_str(), Some(value)))
                .collect(),
            ..Changes::default()
        };
        let mut lines = Vec::new();
        if let Some(value) = &link.value {
            let text = self.fit(&format!("returns {}", clean(&value.text)), room);
            lines.push(self.paint(NAME, &text));
        }
        lines.extend(self.change_lines(&changes));
        if let (Kind::Called, true, Some(of)) = (link.kind, link.values.is_empty(), &link.of) {
            let text = match of.as_str() {
                "<module>" => "imports a module".to_owned(),
                function => format!("calls {}", clean(function)),
            };
            let text = self.fit(&text, room);
            lines.push(self.paint(DIM, &text));
        }
        if let (Kind::Condition, Some(holds), true) =
            (link.kind, link.holds, link.values.is_empty())
        {
            let text = if holds { "true" } else { "false" };
            lines.push(self.paint(DIM, text));
        }
        match (&link.text, link.kind) {
            (Some(text), Kind::Printed) => lines.extend(self.output_lines(text)),
            (Some(text), _) => {
                let text = self.fit(&format!("✗ {}", clean(text)), room);
                lines.push(self.paint(BAD, &text));
            }
            (None, Kind::Raised) => lines.push(self.paint(BAD, "✗ raises")),
            (None, _) => {}
        }
        lines
    }
}
