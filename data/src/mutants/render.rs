//! The record of one program or mutant as a line of JSON, and its sizes.

use codexec_mutate::Edit;

use super::counts::Sizes;
use crate::records::{Kind, Record};
use crate::sources::CorpusProgram;
use crate::tokenizer::SourceText;
use crate::trace::{Outcome, Trace, delta, delta_text, paper};

/// The data of a record before it is run.
#[derive(Clone)]
pub(crate) struct Draft {
    pub id: String,
    pub code: String,
    pub stdin: Option<String>,
    pub edits: Vec<Edit>,
    pub differs: Option<bool>,
    problem: Option<String>,
    source: Option<String>,
    licence: Option<String>,
    /// Id of the text that was mutated.
    pub parent: String,
    seed: u64,
}

impl Draft {
    /// A draft for `code`, which comes of `program`.
    pub(super) fn new(
        program: &CorpusProgram,
        code: String,
        stdin: Option<String>,
        seed: u64,
    ) -> Self {
        Self {
            id: program.id.clone(),
            code,
            stdin,
            edits: Vec::new(),
            differs: None,
            problem: program.problem.clone(),
            source: program.source.clone(),
            licence: program.licence.clone(),
            parent: program.id.clone(),
            seed,
        }
    }
}

/// Addresses in a delta text: what shows them differs from run to run.
const ADDRESS: &str = "0 x 7 f";

/// The line and the sizes of a record. The trace is truncated after an uncaught exception.
///
/// # Errors
/// In a word, why this run gives no record.
pub(crate) fn draw_up(
    draft: Draft,
    text: SourceText,
    trace: Option<&mut Trace>,
    kind: Kind,
) -> Result<(Vec<u8>, Sizes), &'static str> {
    let mut sizes = Sizes {
        code_lines: code_lines(&draft.code),
        code_words: words(&text.text),
        ..Sizes::default()
    };
    let mut record = Record {
        id: draft.id,
        kind,
        code: draft.code,
        stdin: draft.stdin,
        code_tokens: text.text,
        outcome: "not_run".to_owned(),
        problem: draft.problem,
        source: draft.source,
        licence: draft.licence,
        parent: Some(draft.parent),
        operators: draft.edits.iter().map(|e| e.operator.to_owned()).collect(),
        sites: draft.edits.iter().map(|e| e.site as u64).collect(),
        seeds: draft.edits.iter().map(|e| e.seed).collect(),
        differs: draft.differs,
        seed: draft.seed,
        ..Record::default()
    };
    if let Some(trace) = trace {
        observe(&mut record, trace, &mut sizes)?;
    }
    let mut line = serde_json::to_vec(&record).map_err(|_| "unwritable")?;
    line.push(b'\n');
    Ok((line, sizes))
}

/// Adds the results of a run to its record.
fn observe(record: &mut Record, trace: &mut Trace, sizes: &mut Sizes) -> Result<(), &'static str> {
    let kept = trace.until_raise().len();
    trace.steps.truncate(kept);
    record.outcome = match &mut trace.outcome {
        Outcome::Finished | Outcome::Exited { .. } => "finished",
        Outcome::Raised {
            exception,
            message,
            line,
            ..
        } => {
            message.clear();
            record.error_line = Some(*line);
            exception
        }
        Outcome::Timeout => "timeout",
        Outcome::StepLimit => "step_limit",
        Outcome::InstructionLimit => "instruction_limit",
        Outcome::OutputLimit => "output_limit",
        Outcome::TraceLimit => "trace_limit",
        Outcome::MemoryLimit => "memory_limit",
        Outcome::Killed { .. } => "killed",
        Outcome::SyntaxError { .. } => "syntax_error",
    }
    .to_owned();
    let changes = delta(trace).map_err(|_| "ill_formed")?;
    record.trace_tokens = delta_text::render(&changes);
    if record.trace_tokens.contains(ADDRESS) {
        return Err("addresses");
    }
    let full = paper::trace_text(trace);
    sizes.trace_words = words(&full);
    record.trace = Some(full);
    sizes.delta_words = words(&record.trace_tokens);
    sizes.steps = trace.steps.len() as u64;
    sizes.values = trace.steps.iter().map(|s| s.state.len() as u64).sum();
    Ok(())
}

/// Words that single blanks part.
fn words(text: &str) -> u64 {
    if text.is_empty() {
        return 0;
    }
    1 + text.bytes().filter(|&b| b == b' ').count() as u64
}

fn code_lines(code: &str) -> u64 {
    let counts = |line: &&str| !line.trim_start().is_empty() && !line.trim_start().starts_with('#');
    code.lines().filter(counts).count() as u64
}

/// The sizes of a deserialised record.
pub(crate) fn sizes_of(record: &Record) -> Sizes {
    let full = record.trace.as_deref().unwrap_or_default();
    let trace = paper::parse(full).unwrap_or_default();
    Sizes {
        code_lines: code_lines(&record.code),
        code_words: words(&record.code_tokens),
        trace_words: words(full),
        delta_words: words(&record.trace_tokens),
        steps: trace.steps.len() as u64,
        values: trace.steps.iter().map(|s| s.state.len() as u64).sum(),
    }
}
