//! Many generated programs with their traces, in parallel. The result depends only on the settings and the seed.

use std::collections::HashSet;

use rayon::prelude::*;
use serde::Serialize;

use super::{Shape, Written};
use crate::examples::build::unit_seed;
use crate::examples::tracer::Tracer;
use crate::examples::{Kind, Record, trace};
use crate::records::FINISHED;
use crate::sandbox::SandboxError;
use crate::sources::CorpusProgram;
use crate::trace::Program;

/// Programs per unit.
const UNIT: usize = 64;
/// Units that are made before their programs are joined.
const ROUND: usize = 16;
/// A round with a smaller part of new programs than this is nearly all repetition.
const DRY: f64 = 0.02;

/// Number and choice of programs.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratedConfig {
    /// Programs to make; fewer only if nothing new is found.
    pub count: usize,
    /// The largest part of them that may end in an exception, in 0..=1.
    pub raising: f64,
    /// Longest program, in words of the source form.
    pub max_source_words: usize,
    /// Longest target, in words of the delta form.
    pub max_target_words: usize,
    /// Their sizes.
    pub shape: Shape,
    /// Seed of every draw.
    pub seed: u64,
}

/// Results of generated programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GeneratedTally {
    /// Written.
    pub written: usize,
    /// Kept.
    pub kept: usize,
    /// Of those kept, programs that end in an exception.
    pub raised: usize,
    /// Left out: nearly identical to an earlier one.
    pub near_duplicates: usize,
    /// Left out: nearly identical to a reserved one.
    pub reserved: usize,
    /// Left out: ends in an exception, and there are enough of those.
    pub raised_beyond_share: usize,
    /// Left out: too few or too many steps.
    pub steps: usize,
    /// Left out: too long.
    pub too_large: usize,
    /// Left out: a limit, an address, or no known trace.
    pub no_example: usize,
}

/// A program with a result.
struct Made {
    record: Record,
    steps: usize,
}

/// Writes and traces programs, and passes the kept ones to `sink`. Programs nearly identical to one of
/// `reserved` never occur.
///
/// # Errors
/// If the sandbox fails; a program's behaviour is never an error.
pub fn generated_records(
    written: &Written,
    tracer: &dyn Tracer,
    config: &GeneratedConfig,
    reserved: &HashSet<u64>,
    progress: &dyn Fn(usize),
    sink: &mut dyn FnMut(Record),
) -> Result<GeneratedTally, SandboxError> {
    let mut tally = GeneratedTally::default();
    let mut seen: HashSet<u64> = HashSet::new();
    let mut next = 0;
    while tally.kept < config.count {
        let units = next..next + ROUND;
        next += ROUND;
        let made: Result<Vec<Vec<Option<Made>>>, SandboxError> = units
            .into_par_iter()
            .map(|unit| unit_of(written, tracer, config, unit))
            .collect();
        let before = (tally.written, tally.kept);
        for one in made?.into_iter().flatten() {
            if tally.kept == config.count {
                break;
            }
            if let Some(record) = tally.keeps(one, written, config, reserved, &mut seen) {
                sink(record);
            }
        }
        progress(tally.kept);
        let (all, new) = (tally.written - before.0, tally.kept - before.1);
        if (new as f64) < DRY * all as f64 || all == 0 {
            break;
        }
    }
    Ok(tally)
}

fn unit_of(
    written: &Written,
    tracer: &dyn Tracer,
    config: &GeneratedConfig,
    unit: usize,
) -> Result<Vec<Option<Made>>, SandboxError> {
    let seed = unit_seed(config.seed, unit);
    let sources = (0..UNIT).filter_map(|k| {
        let source = written.program(&config.shape, unit_seed(seed, k))?;
        Some((format!("generated:{unit}:{k}"), source))
    });
    let programs = sources.map(|(id, source)| Program {
        id,
        source: Some(source),
        ..Program::default()
    });
    let programs: Vec<Program> = programs.collect();
    let nobody = CorpusProgram::default();
    let traces = tracer.traces(&programs)?.into_iter();
    let made = traces.map(|found| {
        let found = found?;
        let mut record = trace::record(&found, &nobody, Vec::new(), Kind::CodeNet, seed)?;
        record.parent = None;
        record.source = Some("generated".to_owned());
        let is_plain = !record.trace_tokens.contains("0 x 7 f");
        is_plain.then_some(Made {
            steps: found.steps.len(),
            record,
        })
    });
    Ok(made.collect())
}

impl GeneratedTally {
    /// The record of a kept program, or else the counted reason against it.
    fn keeps(
        &mut self,
        made: Option<Made>,
        written: &Written,
        config: &GeneratedConfig,
        reserved: &HashSet<u64>,
        seen: &mut HashSet<u64>,
    ) -> Option<Record> {
        self.written += 1;
        let Some(Made { record, steps }) = made else {
            self.no_example += 1;
            return None;
        };
        let words = |text: &str| text.split_whitespace().count();
        let [least, most] = config.shape.steps;
        let is_large = words(&record.code_tokens) > config.max_source_words
            || words(&record.trace_tokens) > config.max_target_words;
        let raises = record.outcome != FINISHED;
        let allowed = (config.raising * (self.kept + 1) as f64).max(1.0);
        let key = written.key(&record.code);
        let count = if !(least..=most).contains(&steps) {
            &mut self.steps
        } else if is_large {
            &mut self.too_large
        } else if raises && (self.raised + 1) as f64 > allowed {
            &mut self.raised_beyond_share
        } else if reserved.contains(&key) {
            &mut self.reserved
        } else if !seen.insert(key) {
            &mut self.near_duplicates
        } else {
            self.raised += usize::from(raises);
            self.kept += 1;
            return Some(record);
        };
        *count += 1;
        None
    }
}
