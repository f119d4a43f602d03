//! An engine's answers for a set of examples, as input of the metrics.

use std::collections::BTreeMap;

use codexec_data::trace::Trace;

use codexec_engine::{Answer, Answered};

/// An engine's answers for a set of examples, one entry for each.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// The engine: `whole: default`, `run: CPython 3.11.7`. Running is never called a prediction.
    pub engine: String,
    /// Traces; `None` without an answer.
    pub traces: Vec<Option<Trace>>,
    /// Confidence of each whole trace, if the engine has one.
    pub confidences: Vec<Option<f64>>,
    /// Why traces stop, if the engine stopped, in words.
    pub stopped: Vec<String>,
    /// Number of questions asked for each, if the engine asks them one by one.
    pub questions: Vec<Option<usize>>,
}

/// Causes of stopped traces that are listed.
const MOST_CAUSES: usize = 8;

impl Answers {
    /// The answers of an engine; `label` is what its row is called.
    pub fn of(label: String, answers: Vec<Answer>) -> Self {
        let known: Vec<Option<Answered>> = answers.into_iter().map(Result::ok).collect();
        let confidence = |score: f32| f64::from(score).exp().clamp(0.0, 1.0);
        Self {
            engine: label,
            stopped: known
                .iter()
                .flatten()
                .filter_map(|a| a.stopped.as_ref())
                .map(|stopped| stopped.why.clone())
                .collect(),
            questions: known
                .iter()
                .map(|a| a.as_ref().and_then(|a| a.questions))
                .map(|count| count.and_then(|count| usize::try_from(count).ok()))
                .collect(),
            confidences: known
                .iter()
                .map(|a| a.as_ref().and_then(|a| a.score).map(confidence))
                .collect(),
            traces: known
                .into_iter()
                .map(|a| a.map(|a| Trace::short(a.trace)))
                .collect(),
        }
    }

    /// Whether the engine asks questions one by one.
    pub fn has_questions(&self) -> bool {
        self.questions.iter().any(Option::is_some)
    }

    /// Predictions that the length limit cut.
    fn truncated(&self) -> usize {
        let known = self.traces.iter().flatten();
        known.filter(|t| t.truncated).count()
    }

    /// The most frequent causes of stopped traces, with their numbers.
    fn causes(&self) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for why in &self.stopped {
            *counts.entry(why).or_default() += 1;
        }
        let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let others = counts.split_off(counts.len().min(MOST_CAUSES));
        let mut causes: Vec<String> = counts
            .iter()
            .map(|(why, count)| format!("{why}: {count}"))
            .collect();
        if !others.is_empty() {
            let rest: usize = others.iter().map(|(_, count)| count).sum();
            causes.push(format!("others: {rest}"));
        }
        causes.join("; ")
    }

    /// Notes about the answers, beside their scores.
    pub fn notes(&self) -> Vec<String> {
        let (cut, none) = (
            self.truncated().saturating_sub(self.stopped.len()),
            self.traces.iter().filter(|t| t.is_none()).count(),
        );
        let mut notes = Vec::new();
        if cut > 0 {
            notes.push(format!("Traces cut at the length limit: {cut}."));
        }
        if !self.stopped.is_empty() {
            notes.push(format!(
                "Programs whose planning stopped before the end: {} ({}).",
                self.stopped.len(),
                self.causes()
            ));
        }
        if none > 0 {
            notes.push(format!(
                "Programs without an answer, because they do not parse: {none}."
            ));
        }
        notes
    }
}

/// Notes about several answers; the engine is named if there is more than one.
pub(super) fn notes_of(answers: &[Answers]) -> Vec<String> {
    let of_one = |one: &Answers| {
        let label = match answers.len() {
            1 => String::new(),
            _ => format!("{}: ", one.engine),
        };
        let notes = one.notes().into_iter();
        notes
            .map(|note| format!("{label}{note}"))
            .collect::<Vec<_>>()
    };
    answers.iter().flat_map(of_one).collect()
}
