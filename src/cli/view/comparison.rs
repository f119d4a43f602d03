//! A prediction beside the truth: the common steps once, then both continuations from the first
//! difference, then this program's metrics.

use codexec_data::trace::Trace;

use super::rows::WHAT_CHANGED;
use super::text::{clean, width};
use super::{BAD, DIM, GOOD, View, ViewStyle, counted, outcome_text};
use crate::eval::{Difference, Divergence, PairScores, compare, first_divergence_by};

/// Steps shown of each trace after the first difference.
const AHEAD: usize = 5;

/// Shows where a prediction and the truth diverge, and this program's metrics. `source` is the
/// program's text. If the truth raised, both are judged up to the raising step. Ends with a
/// newline.
pub fn render_comparison(
    predicted: &Trace,
    actual: &Trace,
    source: &str,
    style: &ViewStyle,
) -> String {
    let mut view = View::new(&[predicted, actual], source, style);
    let divergence = first_divergence_by(predicted, actual, style.matching);
    let judged = (predicted.until_raise().len(), actual.until_raise().len());
    view.heading(WHAT_CHANGED);
    match &divergence {
        None => {
            view.steps(predicted, 0..judged.0);
            view.note(true, "prediction and truth agree");
        }
        Some(divergence) => {
            view.steps(predicted, 0..divergence.step);
            let text = view.divergence(divergence, predicted, actual);
            view.note(false, &text);
            view.ahead("predicted", predicted, divergence.step, judged.0);
            view.ahead("actual", actual, divergence.step, judged.1);
        }
    }
    view.outcome("predicted: ", predicted);
    view.outcome("actual:    ", actual);
    let scores = compare(predicted, actual, style.matching);
    view.metrics(&scores);
    if let Some(divergence) = divergence.filter(|d| d.step < scores.prefix) {
        view.explain(&divergence);
    }
    view.out
}

impl View<'_> {
    fn note(&mut self, good: bool, text: &str) {
        let (style, mark) = if good { (GOOD, '✓') } else { (BAD, '✗') };
        self.push_text(style, &format!("{mark} {text}"));
    }

    /// Explains why steps behind the first difference count as steps before the first wrong line.
    fn explain(&mut self, divergence: &Divergence) {
        let step = divergence.step + 1;
        let wrong = match divergence.what {
            Difference::Output { .. } => "output",
            _ => "value",
        };
        let both = "Lines and values are judged apart:";
        let here = format!("step {step} has the right line and a wrong {wrong}.");
        let whole = format!("{both} {here}");
        if width(&whole) <= self.style.width.max(40) {
            self.push_text(DIM, &whole);
        } else {
            self.push_text(DIM, both);
            self.push_text(DIM, &here);
        }
    }

    /// A few steps from `from` on, under a label. `None` if the trace has ended.
    fn ahead(&mut self, label: &str, trace: &Trace, from: usize, end: usize) {
        let shown = end.min(from + AHEAD);
        let text = match (from < end, end - shown.min(end)) {
            (false, _) => format!("{label}: no more steps"),
            (true, 0) => format!("{label}:"),
            (true, more) => format!("{label}, the next {AHEAD} steps and {more} more:"),
        };
        self.push_text(DIM, &text);
        self.steps(trace, from..shown);
    }

    fn metrics(&mut self, scores: &PairScores) {
        let part = |right: usize, of: usize| match of {
            0 => "none".to_owned(),
            _ => format!("{right} of {of} ({:.0}%)", 100.0 * right as f64 / of as f64),
        };
        let word = |right: bool| if right { "right" } else { "wrong" };
        let exception = scores.exception.map(|e| ("exception", word(e).to_owned()));
        let rows = [
            ("exact", if scores.exact { "yes" } else { "no" }.to_owned()),
            (
                "steps before the first wrong line",
                part(scores.prefix, scores.actual_steps),
            ),
            (
                "values right on these lines",
                part(scores.values_right, scores.values),
            ),
            ("output", word(scores.output).to_owned()),
            ("outcome", word(scores.outcome).to_owned()),
        ];
        for (name, score) in rows.into_iter().chain(exception) {
            let line = format!("{name:<33}  ");
            if width(&line) + width(&score) <= self.style.width.max(40) {
                let line = format!("{}{score}", self.paint(DIM, &line));
                self.push_line(&line);
            } else {
                self.push_text(DIM, name);
                self.push_line(&format!("  {score}"));
            }
        }
    }
}

impl View<'_> {
    /// A difference in words. Steps count from 1, as in the view.
    fn divergence(&self, divergence: &Divergence, predicted: &Trace, actual: &Trace) -> String {
        let step = divergence.step + 1;
        let short = |text: &str| self.fit(&clean(text), 30);
        let quoted = |text: &Option<String>| match text {
            Some(text) => short(text),
            None => "missing".to_owned(),
        };
        match &divergence.what {
            Difference::Line { predicted, actual } => {
                format!("step {step}: line {predicted} predicted, line {actual} runs")
            }
            Difference::State {
                name,
                predicted,
                actual,
            } => format!(
                "step {step}: {} predicted as {}, is {}",
                short(name),
                quoted(predicted),
                quoted(actual)
            ),
            Difference::Output { predicted, actual } => {
                let shown = |text: &str| match text {
                    "" => "nothing".to_owned(),
                    text => format!("“{}”", short(text)),
                };
                let (predicted, actual) = (shown(predicted), shown(actual));
                format!("step {step}: {predicted} predicted as output, {actual} is printed")
            }
            Difference::Outcome { .. } | Difference::Length { .. }
                if predicted.truncated && predicted.steps.len() == divergence.step =>
            {
                let steps = counted(divergence.step, "step");
                format!("no difference in the {steps} that were predicted")
            }
            Difference::Outcome { predicted, actual } => {
                let (predicted, actual) = (outcome_text(predicted), outcome_text(actual));
                format!("all steps agree, but “{predicted}” was predicted, and it {actual}")
            }
            Difference::Length { predicted, actual } if predicted < actual => {
                format!("the prediction ends after {predicted} steps, the program goes on")
            }
            Difference::Length {
                actual: after_steps,
                ..
            } => {
                let end = outcome_text(&actual.outcome);
                format!("after {after_steps} steps the prediction goes on, but the program: {end}")
            }
        }
    }
}
