//! A checkpoint and its baselines on a set of examples: texts in, tables of scores out.
//!
//! SingleLine examples are scored on the state of their one step, which lists what changed; whole
//! programs on the paper form of their full trace and, besides, structurally. The published metric
//! judges 766 target tokens at most; examples here are shorter. Nothing is read or printed.

use codexec_data::records::{Kind, Record};
use codexec_data::trace::{
    DeltaTrace, Engine, Event, FormError, Origin, PaperStep, PaperTrace, Program, Step, Trace,
    Value, delta_text, full, paper,
};
use serde::Serialize;

use super::trace::Prediction;
use crate::eval::baselines::{MostFrequent, no_change_trace};
use crate::eval::{
    Matching, SingleLineScores, StructureScores, Table, TraceScores, compare, score_single_lines,
    score_structure, score_traces,
};

/// Scores of one set of examples, a table per group of metrics.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Evaluation {
    /// SingleLine: state of the step.
    pub single_line: Table<SingleLineScores>,
    /// Whole programs, the paper's metrics.
    pub traces: Table<TraceScores>,
    /// All kinds, structural: lines, values, outputs and outcome.
    pub structure: Table<StructureScores>,
    /// Predictions that hit the length limit, by kind of example.
    pub truncated: usize,
}

impl std::fmt::Display for Evaluation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.single_line.is_empty() {
            writeln!(f, "SingleLine, the paper's metrics (changed names only)\n")?;
            writeln!(f, "{}", self.single_line.to_markdown())?;
        }
        if !self.traces.is_empty() {
            writeln!(f, "Whole programs, the paper's metrics\n")?;
            writeln!(f, "{}", self.traces.to_markdown())?;
        }
        writeln!(f, "Lines, values, outputs and outcome\n")?;
        writeln!(f, "{}", self.structure.to_markdown())?;
        write!(f, "Predictions cut at the length limit: {}", self.truncated)
    }
}

/// The program an example is about.
pub fn program_of(record: &Record) -> Program {
    let (source, stdin) = (Some(record.code.clone()), record.stdin.clone());
    Program {
        id: record.id.clone(),
        source,
        stdin,
    }
}

/// The true trace of an example; of a SingleLine example its one step with what it changed.
///
/// # Errors
/// When the record's text is no delta text.
pub fn truth_of(record: &Record) -> Result<Trace, FormError> {
    read(
        &record.trace_tokens,
        Engine::Run,
        Origin::Observed,
        program_of(record),
    )
}

/// The trace of an example as people are shown it: [`truth_of`] it, or of a record of the published
/// data sets the steps that its paper form has. `None` where the text is neither.
pub fn shown_trace(record: &Record) -> Option<Trace> {
    if let Ok(trace) = truth_of(record) {
        return (!trace.steps.is_empty()).then_some(trace);
    }
    let form = paper::parse(&record.trace_tokens).ok()?;
    let mut trace = Trace::new(Engine::Run, program_of(record));
    trace.steps = form.steps.into_iter().map(shown_step).collect();
    (!trace.steps.is_empty()).then_some(trace)
}

/// A step of the paper form, which knows no functions.
fn shown_step(step: PaperStep) -> Step {
    let values = step.state.into_iter();
    Step {
        line: step.line,
        event: Event::Line,
        function: "<module>".to_owned(),
        depth: 0,
        state: values
            .map(|(name, text)| (name, Value::observed(text)))
            .collect(),
        output: step.output.unwrap_or_default(),
        confidence: None,
    }
}

fn read(text: &str, engine: Engine, origin: Origin, program: Program) -> Result<Trace, FormError> {
    Ok(full(&delta_text::parse(text, engine, program, origin)?))
}

/// What the baselines learn from: examples of every kind.
pub fn learn(train: &[Record], kind: Kind) -> MostFrequent {
    let known = train.iter().filter(|r| r.kind == kind);
    MostFrequent::train(known.map(|r| (r.code.as_str(), r.trace_tokens.as_str())))
}

/// Scores predictions for `records`, all of one kind, and the baselines beside them.
///
/// # Errors
/// When the text of a record is no delta text.
pub fn evaluate(
    evaluation: &mut Evaluation,
    kind: Kind,
    records: &[&Record],
    predictions: &[Option<Prediction>],
    model: &str,
    most_frequent: &MostFrequent,
) -> Result<(), FormError> {
    let truths: Vec<Trace> = records
        .iter()
        .map(|r| truth_of(r))
        .collect::<Result<_, _>>()?;
    let nothing = |r: &Record| Trace::new(Engine::Predict, program_of(r));
    let model_traces: Vec<Trace> = records
        .iter()
        .zip(predictions)
        .map(|(r, p)| p.as_ref().map_or_else(|| nothing(r), |p| p.trace.clone()))
        .collect();
    let frequent: Vec<Trace> = records
        .iter()
        .map(|r| {
            let text = most_frequent.predict(&r.code);
            read(text, Engine::Predict, Origin::Predicted, program_of(r))
                .unwrap_or_else(|_| nothing(r))
        })
        .collect();
    let unchanged: Vec<Trace> = records.iter().map(|r| unchanged(kind, r)).collect();
    evaluation.truncated += predictions
        .iter()
        .flatten()
        .filter(|p| p.trace.truncated)
        .count();
    let name = kind.name();
    for (engine, traces) in [
        (format!("predict: {model}"), &model_traces),
        ("baseline: no change".to_owned(), &unchanged),
        ("baseline: most frequent".to_owned(), &frequent),
    ] {
        let pairs = || traces.iter().zip(&truths);
        if kind == Kind::SingleLine {
            let texts = pairs().map(|(p, t)| (state_text(p), state_text(t)));
            evaluation
                .single_line
                .push(name, engine.as_str(), score_single_lines(texts));
        } else {
            let texts = pairs().map(|(p, t)| (paper_text(p), paper_text(t)));
            evaluation
                .traces
                .push(name, engine.as_str(), score_traces(texts));
        }
        let scores = score_structure(pairs().map(|(p, t)| compare(p, t, Matching::Canonical)));
        evaluation.structure.push(name, engine.as_str(), scores);
    }
    Ok(())
}

/// Nothing changes: of a SingleLine example one step at its last line, of a program every line once.
fn unchanged(kind: Kind, record: &Record) -> Trace {
    let program = program_of(record);
    if kind != Kind::SingleLine {
        return no_change_trace(program);
    }
    let mut delta = DeltaTrace::new(Engine::Predict, program);
    let line = u32::try_from(record.code.lines().count()).unwrap_or(u32::MAX);
    delta.steps.push(codexec_data::trace::DeltaStep {
        line,
        ..Default::default()
    });
    full(&delta)
}

/// The state of the last step, as the metric for SingleLine reads it.
fn state_text(trace: &Trace) -> String {
    let text = paper_text(trace);
    let state = text.rfind("<state>").map_or("", |at| &text[at..]);
    if state.is_empty() {
        "<state> </state>".to_owned()
    } else {
        state.to_owned()
    }
}

/// The paper form up to the end or the exception.
pub fn paper_text(trace: &Trace) -> String {
    let mut cut = trace.clone();
    cut.steps.truncate(trace.until_raise().len());
    paper::render(&PaperTrace::from(&cut))
}
