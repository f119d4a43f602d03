//! An engine and its baselines on a set of examples: traces in, results out.
//!
//! SingleLine examples are scored on the state of their only step, which lists the changes; whole
//! programs on the paper form of their full trace and also structurally. The published metric
//! judges at most 766 target tokens; examples here are shorter. Nothing is read, run or printed.

use std::hash::Hasher;

use codexec_data::records::{Kind, Record};
use codexec_data::trace::{
    DeltaTrace, Engine, Event, FormError, Origin, Outcome, PaperStep, PaperTrace, Program, Step,
    Trace, Value, delta, delta_text, full, paper,
};
use twox_hash::XxHash64;

use super::answers::{Answers, notes_of};
use super::baselines::{MostFrequent, no_change_trace};
use super::breakdown::{Breakdown, Range, SIZES};
use super::metric::{Metric, broken_down, names, shares};
use super::orca::Confusion;
use super::steps::{Verdict, by_category, by_number, by_origin, verdicts};
use super::{
    Bootstrap, Example, Matching, PairScores, Reliability, SetResults, Share, SingleLineScores,
    Table, TraceScores, compare, score_single_lines, score_traces,
};

/// The program an example is about.
pub fn program_of(record: &Record) -> Program {
    let (source, stdin) = (Some(record.code.clone()), record.stdin.clone());
    Program {
        id: record.id.clone(),
        source,
        stdin,
        ..Program::default()
    }
}

/// Keeps the steps of a trace in the program's own file, as in an example's record.
pub fn of_entry(trace: &mut Trace) {
    if trace.files.is_empty() {
        return;
    }
    let is_other = |step: &Step| step.file != 0;
    if let Outcome::Raised {
        step: Some(step), ..
    } = &mut trace.outcome
    {
        let until = trace.steps.iter().take(*step as usize);
        let others = until.filter(|step| is_other(step)).count();
        *step -= u32::try_from(others).unwrap_or(*step);
    }
    let mut kept: Vec<Step> = Vec::with_capacity(trace.steps.len());
    for step in trace.steps.drain(..) {
        match kept.last_mut().filter(|_| is_other(&step)) {
            // The line that enters another file ends where that ends.
            Some(before) => {
                before.state = step.state;
                before.output.push_str(&step.output);
            }
            None if is_other(&step) => {}
            None => kept.push(step),
        }
    }
    trace.steps = kept;
    trace.files.clear();
}

/// The true trace of an example. For a SingleLine example, its only step with the changes.
///
/// # Errors
/// If the record's text is no delta text.
pub fn truth_of(record: &Record) -> Result<Trace, FormError> {
    read(
        &record.trace_tokens,
        Engine::Run,
        Origin::Observed,
        program_of(record),
    )
}

/// The trace of an example for people: [`truth_of`] it, or for a record of the published data sets
/// the steps of its paper form. `None` if the text is neither.
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
        function: "<module>".into(),
        depth: 0,
        file: 0,
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

/// Training data of the baselines: examples of every kind.
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

/// A hash of strings.
pub(super) fn digest(texts: &[&str]) -> String {
    let mut hasher = XxHash64::with_seed(0);
    for text in texts {
        hasher.write(text.as_bytes());
        hasher.write_u8(0xff);
    }
    format!("{:016x}", hasher.finish())
}

/// How the trace of an executed SingleLine example is compared: the changes of each step from the
/// statement on, as listed by the truth.
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

/// Scores answers for `records`, all of one kind, and the baselines. Breakdowns and calibration are
/// for the first answers.
///
/// # Errors
/// If the text of a record is no delta text.
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
        Kind::SingleLine => Table::new(SINGLE_LINE, &names(SINGLE_LINE_METRICS)),
        _ => Table::new(TRACES, &names(TRACE_METRICS)),
    };
    let mut structure = Table::new(STRUCTURE, &names(STRUCTURE_METRICS));
    for (engine, traces) in &rows {
        let pairs = || traces.iter().zip(&truths);
        let scored = pairs().map(|(p, t)| paper_shares(kind, p, t));
        paper.push(*engine, scored.collect(), &bootstrap);
        let scored =
            pairs().map(|(p, t)| shares(STRUCTURE_METRICS, &compare(p, t, Matching::Canonical)));
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
    let (columns, scores) = broken_down(STRUCTURE_METRICS, scores);
    let mut breakdowns = vec![
        by_size("lines", &columns, sources.iter().map(|s| lines(s)), &scores),
        by_size(
            "steps",
            &columns,
            truths.iter().map(|t| t.until_raise().len()),
            &scores,
        ),
        by_number(&steps),
        by_category(&steps, &sources),
    ];
    if answers.first().is_some_and(Answers::has_questions) {
        breakdowns.push(by_questions(&columns, answers.first(), &scores));
        breakdowns.push(by_origin(pairs()));
    }
    Ok(SetResults {
        name: name.to_owned(),
        calibration: match answers.first() {
            Some(first) => calibration(&first.confidences, &exact, &steps),
            None => Vec::new(),
        },
        confusions,
        breakdowns,
        notes: notes_of(answers),
        tables: vec![paper, structure],
        examples,
    })
}

const SINGLE_LINE: &str = "The paper's metrics for SingleLine (changed names only)";
const TRACES: &str = "The paper's metrics";
const STRUCTURE: &str = "Lines, values, outputs and outcome";
/// The paper's for whole programs.
const TRACE_METRICS: &[Metric<TraceScores>] = &[
    Metric {
        name: "output",
        share: |one| Share::of_mean(one.output_accuracy),
        is_broken_down: false,
    },
    Metric {
        name: "trace",
        share: |one| Share::of_mean(Some(one.trace_accuracy)),
        is_broken_down: false,
    },
    Metric {
        name: "line P",
        share: |one| Share::of_counts(&one.line.counts)[0],
        is_broken_down: false,
    },
    Metric {
        name: "line R",
        share: |one| Share::of_counts(&one.line.counts)[1],
        is_broken_down: false,
    },
    Metric {
        name: "line F1",
        share: |one| Share::of_counts(&one.line.counts)[2],
        is_broken_down: false,
    },
    Metric {
        name: "id P",
        share: |one| Share::of_counts(&one.identifier.counts)[0],
        is_broken_down: false,
    },
    Metric {
        name: "id R",
        share: |one| Share::of_counts(&one.identifier.counts)[1],
        is_broken_down: false,
    },
    Metric {
        name: "id F1",
        share: |one| Share::of_counts(&one.identifier.counts)[2],
        is_broken_down: false,
    },
];

/// The paper's for SingleLine.
const SINGLE_LINE_METRICS: &[Metric<SingleLineScores>] = &[
    Metric {
        name: "trace",
        share: |one| Share::of_mean(Some(one.trace_accuracy)),
        is_broken_down: false,
    },
    Metric {
        name: "id P",
        share: |one| Share::of_counts(&one.identifier.counts)[0],
        is_broken_down: false,
    },
    Metric {
        name: "id R",
        share: |one| Share::of_counts(&one.identifier.counts)[1],
        is_broken_down: false,
    },
    Metric {
        name: "id F1",
        share: |one| Share::of_counts(&one.identifier.counts)[2],
        is_broken_down: false,
    },
];

/// Ours.
const STRUCTURE_METRICS: &[Metric<PairScores>] = &[
    Metric {
        name: "exact",
        share: |pair| Share::of_bool(pair.exact),
        is_broken_down: true,
    },
    Metric {
        name: "line order",
        share: |pair| Share::of_bool(pair.order_exact),
        is_broken_down: true,
    },
    Metric {
        name: "prefix",
        share: |pair| Share::of_mean(pair.prefix_recall()),
        is_broken_down: true,
    },
    Metric {
        name: "values",
        share: |pair| Share::new(pair.values_right, pair.values),
        is_broken_down: true,
    },
    Metric {
        name: "output",
        share: |pair| Share::of_bool(pair.output),
        is_broken_down: false,
    },
    Metric {
        name: "outcome",
        share: |pair| Share::of_bool(pair.outcome),
        is_broken_down: false,
    },
    Metric {
        name: "exception",
        share: |pair| Share::of_option(pair.exception),
        is_broken_down: false,
    },
];

/// A pair's contribution to the paper's metrics.
fn paper_shares(kind: Kind, predicted: &Trace, truth: &Trace) -> Vec<Share> {
    if kind == Kind::SingleLine {
        let one = score_single_lines([(state_text(predicted), state_text(truth))]);
        return shares(SINGLE_LINE_METRICS, &one);
    }
    let one = score_traces([(paper_text(predicted), paper_text(truth))]);
    shares(TRACE_METRICS, &one)
}

/// Which programs raise, and which are predicted to.
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

/// By the number of questions asked for each; no rows if they are not counted.
pub(super) fn by_questions(
    columns: &[&str],
    answers: Option<&Answers>,
    scores: &[Vec<Share>],
) -> Breakdown {
    let mut table = Breakdown::new("questions", columns);
    let questions = answers.map_or(&[][..], |answers| &answers.questions);
    let (counts, scores): (Vec<usize>, Vec<Vec<Share>>) = questions
        .iter()
        .zip(scores)
        .filter_map(|(count, shares)| Some(((*count)?, shares.clone())))
        .unzip();
    table.push_ranges(&[Range(0, 0)], &counts, &scores);
    table.push_ranges(&SIZES, &counts, &scores);
    table
}

/// For whole traces, and for steps without earlier errors.
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

/// No change: for a SingleLine example one step at its last line, for a program every line once.
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
