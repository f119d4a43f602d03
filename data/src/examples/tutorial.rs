//! Tutorial: the documentation's examples as programs, checked against its recorded answers, and
//! mutants of them.
//!
//! Each block of a page, in parts of a few statements, is a program together with the earlier
//! statements of the page that it needs. Blocks that read files, the network, input, clocks or
//! random numbers are left out and counted.

use std::collections::{BTreeMap, HashSet};

use codexec_mutate::{Config, Mutator};
use rayon::prelude::*;
use serde::Serialize;

use super::build::unit_seed;
use super::excerpts::{Example, examples, unsuitable};
use super::session::{Script, Typed};
use super::transcript::{Agreement, agreement, printed_exception};
use super::{Kind, Record, trace};
use crate::sandbox::{Pool, SandboxError};
use crate::sources::{CorpusProgram, Docs};
use crate::trace::{Outcome, Program, Trace, ValueType};

/// The licence of the documentation.
const LICENCE: &str = "PSF-2.0";

/// Number and size of examples.
#[derive(Debug, Clone, PartialEq)]
pub struct TutorialConfig {
    /// Mutants of each example.
    pub mutants: usize,
    /// Codes of the mutation operators; empty for all.
    pub operators: Vec<String>,
    /// Longest program, in words of the source form.
    pub max_source_words: usize,
    /// Longest target, in words of the delta form.
    pub max_target_words: usize,
    /// Seed of every draw.
    pub seed: u64,
}

/// What was found, and its results.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// Version of the documentation.
    pub documentation: String,
    /// Version of the interpreter.
    pub python: String,
    /// Pages of the tutorial.
    pub pages: usize,
    /// Code blocks in them.
    pub blocks: usize,
    /// Entries that are not valid Python.
    pub not_python: usize,
    /// Examples the blocks were made into.
    pub examples: usize,
    /// Those of them that became records.
    pub kept: usize,
    /// Left out, by reason.
    pub dropped: BTreeMap<&'static str, usize>,
    /// Recorded answers compared with the interpreter's.
    pub compared: usize,
    /// Answers that are the same, character for character.
    pub exact: usize,
    /// Answers that are the same by doctest's rules.
    pub normalised: usize,
    /// Recorded values compared with the text of the value in the trace.
    pub values_compared: usize,
    /// Values whose text matches the record.
    pub values_agree: usize,
    /// Answers and values that differ from the record.
    pub disagreements: Vec<Disagreement>,
    /// Mutants run.
    pub mutants_run: usize,
    /// Mutants that became records.
    pub mutants_kept: usize,
}

/// One answer that differs from the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// Page and line of the block.
    pub place: String,
    /// The typed code.
    pub code: String,
    /// The documented answer.
    pub recorded: String,
    /// The actual answer.
    pub answered: String,
}

/// The examples of a documentation, each followed by its mutants, and statistics about them.
///
/// # Errors
/// If the sandbox fails; a program's behaviour is never an error.
pub fn tutorial_records(
    pool: &Pool,
    docs: &Docs,
    config: &TutorialConfig,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<(Vec<Record>, Report), SandboxError> {
    let mut report = Report {
        documentation: docs.version.clone(),
        python: pool.isolation().version.clone(),
        pages: docs.pages.len(),
        ..Report::default()
    };
    let examples: Vec<Example> = docs.pages.iter().flat_map(examples).collect();
    report.blocks = docs.pages.iter().map(|page| page.blocks.len()).sum();
    report.not_python = docs
        .pages
        .iter()
        .flat_map(|page| &page.blocks)
        .map(|b| b.not_python)
        .sum();
    report.examples = examples.len();
    let tried: Result<Vec<Tried>, SandboxError> = examples
        .par_iter()
        .enumerate()
        .map(|(at, example)| {
            let tried = try_example(pool, docs, example, config, unit_seed(config.seed, at));
            progress(1);
            tried
        })
        .collect();
    let mut seen = HashSet::new();
    let mut records = Vec::new();
    for tried in tried? {
        tried.add_to(&mut report);
        let Some(own) = tried.own else { continue };
        if !seen.insert(own.code_tokens.clone()) {
            *report.dropped.entry("duplicate").or_default() += 1;
            continue;
        }
        report.kept += 1;
        records.push(*own);
        for mutant in tried.mutants {
            if seen.insert(mutant.code_tokens.clone()) {
                report.mutants_kept += 1;
                records.push(mutant);
            }
        }
    }
    Ok((records, report))
}

/// Result for an example.
#[derive(Default)]
struct Tried {
    dropped: Option<&'static str>,
    compared: usize,
    exact: usize,
    normalised: usize,
    values_compared: usize,
    values_agree: usize,
    disagreements: Vec<Disagreement>,
    own: Option<Box<Record>>,
    mutants_run: usize,
    mutants: Vec<Record>,
}

impl Tried {
    fn add_to(&self, report: &mut Report) {
        if let Some(reason) = self.dropped {
            *report.dropped.entry(reason).or_default() += 1;
        }
        report.compared += self.compared;
        report.exact += self.exact;
        report.normalised += self.normalised;
        report.values_compared += self.values_compared;
        report.values_agree += self.values_agree;
        report
            .disagreements
            .extend(self.disagreements.iter().cloned());
        report.mutants_run += self.mutants_run;
    }

    fn compare(&mut self, place: &str, code: &str, recorded: &str, answered: &str) {
        self.compared += 1;
        match agreement(recorded, answered) {
            Agreement::Exact => self.exact += 1,
            Agreement::Normalised => self.normalised += 1,
            Agreement::None => self.disagreements.push(Disagreement {
                place: place.to_owned(),
                code: code.to_owned(),
                recorded: recorded.trim_end().to_owned(),
                answered: answered.trim_end().to_owned(),
            }),
        }
    }
}

fn try_example(
    pool: &Pool,
    docs: &Docs,
    example: &Example,
    config: &TutorialConfig,
    seed: u64,
) -> Result<Tried, SandboxError> {
    let mut tried = Tried::default();
    let entries: Vec<&Typed> = example.entries.iter().collect();
    let plain: Vec<&str> = entries.iter().map(|entry| entry.code.as_str()).collect();
    if let Some(reason) = unsuitable(&plain.join("\n")) {
        tried.dropped = Some(reason);
        return Ok(tried);
    }
    let script = Script::checked(&entries);
    let program = |id: &str, code: &str| Program {
        id: id.to_owned(),
        source: Some(code.to_owned()),
        stdin: None,
        ..Program::default()
    };
    let checked = pool.run(&program(&example.id, &script.code))?;
    let answers = script.answers(&checked);
    let expected = entries
        .last()
        .and_then(|entry| printed_exception(entry.answer.as_deref()?));
    if let Err(reason) = as_recorded(&checked, expected) {
        tried.dropped = Some(reason);
        return Ok(tried);
    }
    for (entry, answer) in entries.iter().zip(&answers).skip(example.needed) {
        let Some(recorded) = &entry.answer else {
            continue;
        };
        let (code, place) = (&entry.code, &example.place);
        if let Some(exception) = printed_exception(recorded) {
            let Outcome::Raised {
                exception: class,
                message,
                ..
            } = &checked.outcome
            else {
                continue;
            };
            let answered = if message.is_empty() {
                class.clone()
            } else {
                format!("{class}: {message}")
            };
            tried.compare(place, code, exception, &answered);
            continue;
        }
        tried.compare(place, code, recorded, &answer.output);
        // The trace's value, if the record shows nothing else.
        let value = answer.value.as_ref().filter(|_| answer.has_value(entry));
        if let Some(value) = value.filter(|value| is_whole(&value.ty, &value.text)) {
            let shown = format!("{}\n", value.text);
            if answer.output.lines().count() == 1 {
                tried.values_compared += 1;
                match agreement(recorded, &shown) {
                    Agreement::None => tried.disagreements.push(Disagreement {
                        place: format!("{place} (value in the trace)"),
                        code: code.clone(),
                        recorded: recorded.trim_end().to_owned(),
                        answered: value.text.to_string(),
                    }),
                    _ => tried.values_agree += 1,
                }
            }
        }
    }
    let has_value: Vec<bool> = entries
        .iter()
        .zip(&answers)
        .map(|(entry, answer)| answer.has_value(entry))
        .collect();
    let own = Script::shown(&entries, &has_value);
    make_records(pool, docs, example, &own.code, config, seed, &mut tried)?;
    Ok(tried)
}

/// Whether a program ended as recorded; else why it is left out.
fn as_recorded(trace: &Trace, expected: Option<&str>) -> Result<(), &'static str> {
    match (&trace.outcome, expected) {
        (Outcome::Finished, None) => Ok(()),
        (Outcome::Raised { exception, .. }, Some(recorded)) => {
            let class = recorded.split(':').next().unwrap_or_default();
            let class = class.rsplit('.').next().unwrap_or_default();
            if class == exception {
                Ok(())
            } else {
                Err("raised something else")
            }
        }
        (Outcome::Raised { .. }, None) => Err("raised"),
        (Outcome::Finished, Some(_)) => Err("did not raise"),
        _ => Err("limit"),
    }
}

/// Whether the text is the value's `repr`.
fn is_whole(ty: &ValueType, text: &str) -> bool {
    let builtin = matches!(
        ty,
        ValueType::Bool
            | ValueType::Int
            | ValueType::Float
            | ValueType::Complex
            | ValueType::Str
            | ValueType::Bytes
            | ValueType::List
            | ValueType::Tuple
            | ValueType::Set
            | ValueType::Dict
            | ValueType::Range
    );
    builtin && !text.contains('<') && !text.contains("...")
}

fn make_records(
    pool: &Pool,
    docs: &Docs,
    example: &Example,
    code: &str,
    config: &TutorialConfig,
    seed: u64,
    tried: &mut Tried,
) -> Result<(), SandboxError> {
    let parent = CorpusProgram {
        id: example.id.clone(),
        problem: Some(example.page.clone()),
        source: Some(format!("python docs {}", docs.version)),
        licence: Some(LICENCE.to_owned()),
        ..CorpusProgram::default()
    };
    let mut programs = vec![(example.id.clone(), code.to_owned(), Vec::new())];
    let mutator = Mutator::new(match config.operators.as_slice() {
        [] => Config::default(),
        operators => Config {
            operators: operators.to_vec(),
            ..Config::default()
        },
    });
    if let Ok(mutants) = mutator.mutants(code, seed) {
        for (k, mutant) in mutants.take(config.mutants).enumerate() {
            let codes = mutant.edits.iter().map(|e| e.operator.to_owned()).collect();
            programs.push((format!("{}/{k}", example.id), mutant.text, codes));
        }
    }
    let run: Vec<Program> = programs
        .iter()
        .map(|(id, code, _)| Program {
            id: id.clone(),
            source: Some(code.clone()),
            stdin: None,
            ..Program::default()
        })
        .collect();
    let traces = pool.run_family(&run)?;
    let words = |text: &str| text.split_whitespace().count();
    let mut records = Vec::new();
    for (trace, (_, _, codes)) in traces.iter().zip(programs) {
        let record = trace::record(trace, &parent, codes, Kind::Tutorial, seed);
        let record =
            record.filter(|r| shows_something(trace) && !r.trace_tokens.contains("0 x 7 f"));
        let fits = |r: &Record| {
            words(&r.code_tokens) <= config.max_source_words
                && words(&r.trace_tokens) <= config.max_target_words
        };
        match record {
            Some(record) if fits(&record) => records.push(Ok(record)),
            Some(_) => records.push(Err("too large")),
            None => records.push(Err("shows nothing")),
        }
    }
    let mut records = records.into_iter();
    match records.next() {
        Some(Ok(own)) => tried.own = Some(Box::new(own)),
        Some(Err(reason)) => {
            tried.dropped = Some(reason);
            return Ok(());
        }
        None => return Ok(()),
    }
    tried.mutants_run = records.len();
    tried.mutants = records.flatten().collect();
    Ok(())
}

/// False for a program that only defines.
fn shows_something(trace: &Trace) -> bool {
    let plain = |step: &crate::trace::Step| {
        let defined = |text: &str| text.starts_with('<');
        !step.output.is_empty()
            || step.depth == 0 && step.state.iter().any(|(_, v)| !defined(&v.text))
    };
    !matches!(trace.outcome, Outcome::Finished) || trace.steps.iter().any(plain)
}
