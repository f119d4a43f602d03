//! Many examples, in parallel.
//!
//! The result depends on the settings and the seed alone, not on the number of workers: work is cut
//! into units that draw from their own seed, and their results are joined in order.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use codexec_mutate::{Config, Mutator};
use rayon::prelude::*;

use super::tracer::Tracer;
use super::{Kind, Record, trace};
use crate::sandbox::SandboxError;
use crate::sources::CorpusProgram;
use crate::trace::Program;

/// Programs whose states differ from run to run, or that inspect the tracer, are left out.
const UNSTABLE: [&str; 14] = [
    "settrace",
    "_getframe",
    "f_back",
    "ctypes",
    "inspect",
    "signal",
    "random",
    "datetime",
    "uuid",
    "getpid",
    "import gc",
    "import time",
    "from time",
    "thread",
];

/// Whether a program's states may differ from run to run.
pub(crate) fn is_unstable(code: &str) -> bool {
    UNSTABLE.iter().any(|word| code.contains(word))
}

/// Number and size of examples.
#[derive(Debug, Clone, PartialEq)]
pub struct BuildConfig {
    /// Mutants per program and input.
    pub mutants: usize,
    /// Codes of the mutation operators; empty for all.
    pub operators: Vec<String>,
    /// Inputs tried per program.
    pub inputs: usize,
    /// Longest program, in words of the source form.
    pub max_source_words: usize,
    /// Longest target, in words of the delta form.
    pub max_target_words: usize,
    /// Seed of every draw.
    pub seed: u64,
}

impl Default for BuildConfig {
    fn default() -> Self {
        Self {
            mutants: 4,
            operators: vec!["CRP".to_owned()],
            inputs: 1,
            max_source_words: 250,
            max_target_words: 500,
            seed: 0,
        }
    }
}

/// Progress callback: finished units and examples so far.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// Trace examples from a corpus: each program with its inputs, and mutants of it.
///
/// # Errors
/// If the sandbox fails; a program's behaviour is never an error.
pub fn trace_records(
    tracer: &dyn Tracer,
    corpus: &[CorpusProgram],
    kind: Kind,
    config: &BuildConfig,
    progress: Progress<'_>,
) -> Result<Vec<Record>, SandboxError> {
    let made = AtomicUsize::new(0);
    let units: Result<Vec<Vec<Record>>, SandboxError> = corpus
        .par_iter()
        .enumerate()
        .map(|(at, parent)| {
            let records = family(tracer, parent, kind, config, unit_seed(config.seed, at))?;
            progress(
                at,
                made.fetch_add(records.len(), Ordering::Relaxed) + records.len(),
            );
            Ok(records)
        })
        .collect();
    Ok(distinct(units?))
}

/// The distinct mutants of one program, by the settings' seed, without the program itself.
///
/// # Errors
/// If the sandbox fails; a program's behaviour is never an error.
pub fn mutants(
    tracer: &dyn Tracer,
    parent: &CorpusProgram,
    kind: Kind,
    config: &BuildConfig,
) -> Result<Vec<Record>, SandboxError> {
    let mut records = family(tracer, parent, kind, config, config.seed)?;
    records.retain(|record| !record.operators.is_empty());
    Ok(distinct(vec![records]))
}

/// One program, its mutants, and its inputs.
fn family(
    tracer: &dyn Tracer,
    parent: &CorpusProgram,
    kind: Kind,
    config: &BuildConfig,
    seed: u64,
) -> Result<Vec<Record>, SandboxError> {
    if is_unstable(&parent.code) {
        return Ok(Vec::new());
    }
    let mutator = Mutator::new(match config.operators.as_slice() {
        [] => Config::default(),
        operators => Config {
            operators: operators.to_vec(),
            ..Config::default()
        },
    });
    let forms: Vec<&String> = std::iter::once(&parent.code)
        .chain(&parent.code_flat)
        .collect();
    let mut programs: Vec<Program> = Vec::new();
    let mut operators: Vec<Vec<String>> = Vec::new();
    for (input, stdin) in parent.inputs(config.inputs).into_iter().enumerate() {
        for (form, code) in forms.iter().enumerate() {
            if words(code) > config.max_source_words {
                continue;
            }
            let mut add = |name: String, text: String, codes: Vec<String>| {
                let id = format!("{}#{form}.{input}{name}", parent.id);
                programs.push(Program {
                    id,
                    source: Some(text),
                    stdin: stdin.clone(),
                    ..Program::default()
                });
                operators.push(codes);
            };
            add(String::new(), (*code).clone(), Vec::new());
            let Ok(mutants) = mutator.mutants(code, seed) else {
                continue;
            };
            for (k, mutant) in mutants.take(config.mutants).enumerate() {
                let codes = mutant.edits.iter().map(|e| e.operator.to_owned()).collect();
                add(format!("/{k}"), mutant.text, codes);
            }
        }
    }
    let traces = tracer.traces(&programs)?;
    Ok(traces
        .iter()
        .zip(operators)
        .filter_map(|(t, codes)| trace::record(t.as_ref()?, parent, codes, kind, seed))
        .filter(|r| fits(r, config) && !r.trace_tokens.contains("0 x 7 f"))
        .collect())
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn fits(record: &Record, config: &BuildConfig) -> bool {
    words(&record.code_tokens) <= config.max_source_words
        && words(&record.trace_tokens) <= config.max_target_words
}

/// Units in order, the first of several equal examples kept.
fn distinct(units: Vec<Vec<Record>>) -> Vec<Record> {
    let mut seen = HashSet::new();
    let mut records: Vec<Record> = units.into_iter().flatten().collect();
    records.retain(|r| seen.insert(r.code_tokens.clone()));
    records
}

/// A seed per unit, so that units do not depend on each other (SplitMix64's finaliser).
pub(crate) fn unit_seed(seed: u64, unit: usize) -> u64 {
    let mut z = seed.wrapping_add((unit as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
