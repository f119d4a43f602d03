//! An engine and its baselines on a set of examples: traces in, results out.
//!
//! SingleLine examples are scored on the state of their one step, which lists what changed; whole
//! programs on the paper form of their full trace and, besides, structurally. The published metric
//! judges 766 target tokens at most; examples here are shorter. Nothing is read, run or printed.

use std::hash::Hasher;

use codexec_data::records::{Kind, Record};
use codexec_data::trace::{
    DeltaTrace, Engine, Event, FormError, Origin, Outcome, PaperStep, PaperTrace, Program, Step,
    Trace, Value, delta, delta_text, full, paper,
};
use twox_hash::XxHash64;

use super::trace::Predicted;
use crate::eval::baselines::{MostFrequent, no_change_trace};
use crate::eval::breakdown::{Breakdown, SIZES};
use crate::eval::orca::Confusion;
use crate::eval::steps::{Verdict, by_category, by_number, verdicts};
use crate::eval::{
    Bootstrap, Example, Matching, PairScores, Reliability, SetResults, Share, Table, compare,
    score_single_lines, score_traces,
};

/// What an engine said about a set of examples, one entry for each.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// The engine: `predict: default`, `run: CPython 3.11.7`. Running is never called a prediction.
    pub engine: String,
    /// Traces; none where there is no answer.
    pub traces: Vec<Option<Trace>>,
    /// Confidence of each whole trace, where the engine has one.
    pub confidences: Vec<Option<f64>>,
}

impl Answers {
    /// What a network predicted; nothing for programs that do not parse.
    pub fn predicted(checkpoint: &str, predictions: Vec<Predicted>) -> Self {
        let known: Vec<_> = predictions.into_iter().map(Result::ok).collect();
        let confidence = |score: f32| f64::from(score).exp().clamp(0.0, 1.0);
        Self {
            engine: format!("predict: {checkpoint}"),
            confidences: known
                .iter()
                .map(|p| p.as_ref().map(|p| confidence(p.score)))
                .collect(),
            traces: known.into_iter().map(|p| p.map(|p| p.trace)).collect(),
        }
    }

    /// What really happened, to check the data.
    pub fn run(traces: Vec<Trace>, how: &str) -> Self {
        let python = traces.iter().find_map(|t| t.python.clone());
        let python = python.unwrap_or_else(|| "of unknown version".to_owned());
        Self {
            engine: format!("run: CPython {python}{how}"),
            confidences: vec![None; traces.len()],
            traces: traces.into_iter().map(Some).collect(),
        }
    }

    /// What happened under guidance; nothing for programs that cannot be guided.
    pub fn guided(traces: Vec<Option<Trace>>, predictor: &str) -> Self {
        Self {
            engine: format!("guide: {predictor}"),
            confidences: vec![None; traces.len()],
            traces,
        }
    }

    /// Predictions that the length limit cut.
    fn truncated(&self) -> usize {
        let known = self.traces.iter().flatten();
        known.filter(|t| t.truncated).count()
    }

    /// What to know about the answers beside their scores.
    pub fn notes(&self) -> Vec<String> {
        let (cut, none) = (
            self.truncated(),
            self.traces.iter().filter(|t| t.is_none()).count(),
        );
        let mut notes = Vec::new();
        if cut > 0 {
            notes.push(format!("Traces cut at the length limit: {cut}."));
        }
        if none > 0 {
            notes.push(format!(
                "Programs without an answer, because they do not parse: {none}."
            ));
        }
        notes
    }
}

/// What to know about several answers: the engine is named where there are more than one.
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
        value: None,
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

/// The example's part of a results file. Mutants are drawn with their parent.
fn example_of(record: &Record) -> Example {
    let group = record.parent.as_ref().unwrap_or(&record.id);
    let stdin = record.stdin.as_deref().unwrap_or_default();
    Example {
        id: record.id.clone(),
        group: group.clone(),
        digest: digest(&[&record.code, stdin, &record.trace_tokens]),
    }
}

/// A hash of texts.
pub(super) fn digest(texts: &[&str]) -> String {
    let mut hasher = XxHash64::with_seed(0);
    for text in texts {
        hasher.write(text.as_bytes());
        hasher.write_u8(0xff);
    }
    format!("{:016x}", hasher.finish())
}

/// How the trace of a SingleLine example that was run is compared: from the statement on, what each
/// step changed, as the truth lists it.
pub fn from_statement(ran: &Trace, truth: &Trace) -> Trace {
    let setup = truth.steps.first().map_or(0, |s| s.line as usize - 1);
    let Ok(mut changes) = delta(ran) else {
        return ran.clone();
    };
    changes.steps.drain(..setup.min(changes.steps.len()));
    if let Outcome::Raised { step: Some(k), .. } = &mut changes.outcome {
        *k = k.saturating_sub(u32::try_from(setup).unwrap_or(u32::MAX));
    }
    full(&changes)
}

/// Scores answers for `records`, all of one kind, and the baselines beside them. Breakdowns and
/// calibration are of the first answers.
///
/// # Errors
/// When the text of a record is no delta text.
pub fn evaluate(
    name: &str,
    kind: Kind,
    records: &[&Record],
    answers: &[Answers],
    most_frequent: &MostFrequent,
    (samples, seed): (usize, u64),
) -> Result<SetResults, FormError> {
    let truths: Vec<Trace> = records
        .iter()
        .map(|r| truth_of(r))
        .collect::<Result<_, _>>()?;
    let nothing = |r: &Record| Trace::new(Engine::Predict, program_of(r));
    let answered = |answers: &Answers| -> Vec<Trace> {
        let traces = records.iter().zip(&answers.traces);
        traces
            .map(|(r, t)| t.clone().unwrap_or_else(|| nothing(r)))
            .collect()
    };
    let frequent = records.iter().map(|r| {
        let text = most_frequent.predict(&r.code);
        read(text, Engine::Predict, Origin::Predicted, program_of(r)).unwrap_or_else(|_| nothing(r))
    });
    let unchanged = records.iter().map(|r| unchanged(kind, r));
    let mut rows: Vec<(&str, Vec<Trace>)> = answers
        .iter()
        .map(|answers| (answers.engine.as_str(), answered(answers)))
        .collect();
    let confusions = rows.iter().map(|(engine, traces)| {
        let pairs = traces.iter().zip(&truths);
        ((*engine).to_owned(), exceptions(pairs))
    });
    let confusions = match kind {
        Kind::SingleLine => Vec::new(),
        _ => confusions.collect(),
    };
    rows.push(("baseline: no change", unchanged.collect()));
    rows.push(("baseline: most frequent", frequent.collect()));
    let examples: Vec<Example> = records.iter().map(|r| example_of(r)).collect();
    let groups: Vec<&str> = examples.iter().map(|e| e.group.as_str()).collect();
    let bootstrap = Bootstrap::new(&groups, samples, seed);
    let mut paper = match kind {
        Kind::SingleLine => Table::new(SINGLE_LINE, &["trace", "id P", "id R", "id F1"]),
        _ => Table::new(TRACES, &TRACE_METRICS),
    };
    let mut structure = Table::new(STRUCTURE, &STRUCTURE_METRICS);
    for (engine, traces) in &rows {
        let pairs = || traces.iter().zip(&truths);
        let scored = pairs().map(|(p, t)| paper_shares(kind, p, t));
        paper.push(*engine, scored.collect(), &bootstrap);
        let scored = pairs().map(|(p, t)| structure_shares(&compare(p, t, Matching::Canonical)));
        structure.push(*engine, scored.collect(), &bootstrap);
    }
    let pairs = || rows[0].1.iter().zip(&truths);
    let steps: Vec<Vec<Verdict>> = pairs()
        .map(|(p, t)| verdicts(p, t, Matching::Canonical))
        .collect();
    let exact: Vec<bool> = pairs()
        .map(|(p, t)| compare(p, t, Matching::Canonical).exact)
        .collect();
    let sources: Vec<&str> = records.iter().map(|r| r.code.as_str()).collect();
    let scores = structure.rows.first().map_or(&[][..], |r| &r.examples);
    let columns = &STRUCTURE_METRICS[..BREAKDOWN_COLUMNS];
    Ok(SetResults {
        name: name.to_owned(),
        calibration: match answers.first() {
            Some(first) => calibration(&first.confidences, &exact, &steps),
            None => Vec::new(),
        },
        confusions,
        breakdowns: vec![
            by_size("lines", columns, sources.iter().map(|s| lines(s)), scores),
            by_size(
                "steps",
                columns,
                truths.iter().map(|t| t.until_raise().len()),
                scores,
            ),
            by_number(&steps),
            by_category(&steps, &sources),
        ],
        notes: notes_of(answers),
        tables: vec![paper, structure],
        examples,
    })
}

const SINGLE_LINE: &str = "The paper's metrics for SingleLine (changed names only)";
const TRACES: &str = "The paper's metrics";
const STRUCTURE: &str = "Lines, values, outputs and outcome";
const TRACE_METRICS: [&str; 8] = [
    "output", "trace", "line P", "line R", "line F1", "id P", "id R", "id F1",
];
const STRUCTURE_METRICS: [&str; 7] = [
    "exact",
    "line order",
    "prefix",
    "values",
    "output",
    "outcome",
    "exception",
];
/// So many of the structural metrics are broken down.
const BREAKDOWN_COLUMNS: usize = 4;

/// What a pair adds to the paper's metrics.
fn paper_shares(kind: Kind, predicted: &Trace, truth: &Trace) -> Vec<Share> {
    if kind == Kind::SingleLine {
        let one = score_single_lines([(state_text(predicted), state_text(truth))]);
        let trace = Share::of_mean(Some(one.trace_accuracy));
        let ids = Share::of_counts(&one.identifier.counts);
        return std::iter::once(trace).chain(ids).collect();
    }
    let one = score_traces([(paper_text(predicted), paper_text(truth))]);
    let mut shares = vec![
        Share::of_mean(one.output_accuracy),
        Share::of_mean(Some(one.trace_accuracy)),
    ];
    shares.extend(Share::of_counts(&one.line.counts));
    shares.extend(Share::of_counts(&one.identifier.counts));
    shares
}

/// What a pair adds to the structural metrics.
fn structure_shares(pair: &PairScores) -> Vec<Share> {
    vec![
        Share::of_bool(pair.exact),
        Share::of_bool(pair.order_exact),
        Share::of_mean(pair.prefix_recall()),
        Share::new(pair.values_right, pair.values),
        Share::of_bool(pair.output),
        Share::of_bool(pair.outcome),
        Share::of_option(pair.exception),
    ]
}

/// Which programs raise, and which are said to.
fn exceptions<'t>(pairs: impl Iterator<Item = (&'t Trace, &'t Trace)>) -> Confusion {
    let raises = |trace: &Trace| matches!(trace.outcome, Outcome::Raised { .. });
    Confusion::of(pairs.map(|(predicted, truth)| (raises(truth), Some(raises(predicted)))))
}

/// Lines that are not blank.
pub(super) fn lines(source: &str) -> usize {
    source.lines().filter(|l| !l.trim().is_empty()).count()
}

/// Scores by a number that each example has.
pub(super) fn by_size(
    by: &str,
    columns: &[&str],
    sizes: impl Iterator<Item = usize>,
    scores: &[Vec<Share>],
) -> Breakdown {
    let mut table = Breakdown::new(by, columns);
    table.push_ranges(&SIZES, &sizes.collect::<Vec<_>>(), scores);
    table
}

/// Of whole traces, and of steps with nothing wrong before them.
fn calibration(
    confidences: &[Option<f64>],
    exact: &[bool],
    steps: &[Vec<Verdict>],
) -> Vec<Reliability> {
    let whole = confidences.iter().zip(exact);
    let whole = whole.filter_map(|(c, right)| Some(((*c)?, *right)));
    let step = steps.iter().flatten().filter(|v| v.reached);
    let step = step.filter_map(|v| Some((v.confidence?, v.right)));
    let tables = [
        Reliability::new("whole trace", whole),
        Reliability::new("step, where all before it is right", step),
    ];
    tables.into_iter().filter(|t| t.count > 0).collect()
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
