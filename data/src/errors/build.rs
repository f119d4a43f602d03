//! Records from a corpus, through the sandbox: unchanged programs with their inputs, and edited ones.
//!
//! | what is left out | why |
//! |---|---|
//! | programs that do not parse, and edits that make them so | a parser finds the error |
//! | programs that need packages, or look at clocks, random numbers or the tracer | the error is the machine's |
//! | runs that reach a limit | how they would end is not known |
//! | exceptions that have no kind | the paper's classes are closed |
//! | a program that raises on an input that was made up | the input is to blame |
//! | code that is in a later part too, but for whitespace and comments | parts share no code |
//!
//! The result depends on the settings and the seed alone, not on the number of workers.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::balance::{Counted, balance};
use super::descriptions::Descriptions;
use super::edits::edited;
use super::guess::{Guess, plausible_inputs};
use super::kinds::{Ending, ending};
use super::others::OtherInputs;
use super::progress::ErrorProgress;
use super::record::{ErrorOrigin, ErrorRecord};
use super::summary::input_summary;
use crate::code_hash::{self, CodeHash};
use crate::examples::build::{is_unstable, unit_seed};
use crate::records::{Part, SplitConfig};
use crate::sandbox::{AttemptPlan, Pool, SandboxError};
use crate::sources::{CorpusProgram, SourceError};
use crate::trace::Program;

/// Maximum raising mutants of one kind per program.
const MOST_OF_KIND: usize = 2;

/// Number and division of records.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorConfig {
    /// Mutants of each program by the mutation operators.
    pub mutants: usize,
    /// Mutants of each program by type-confusing edits.
    pub confusions: usize,
    /// Sample inputs of each program.
    pub inputs: usize,
    /// Inputs made up for a program that reads input but has no samples.
    pub guesses: usize,
    /// Inputs of other problems of the same part that are also given to a program that reads.
    pub other_inputs: usize,
    /// Lines that a run may execute.
    pub events: u32,
    /// The division by problem.
    pub split: SplitConfig,
    /// Whether train and valid get as many records that raise as records that do not.
    pub balanced: bool,
    /// Seed of every draw.
    pub seed: u64,
}

impl Default for ErrorConfig {
    fn default() -> Self {
        Self {
            mutants: 8,
            confusions: 8,
            inputs: 1,
            guesses: 2,
            other_inputs: 0,
            events: 100_000,
            split: SplitConfig::default(),
            balanced: true,
            seed: 0,
        }
    }
}

/// Results of a build.
#[derive(Debug, Clone, Default)]
pub struct ErrorSet {
    /// The records, in the corpus's order.
    pub records: Vec<ErrorRecord>,
    /// Numbers of programs and runs left out, by reason.
    pub left_out: BTreeMap<Why, u64>,
}

/// Why something was left out.
type Why = Cow<'static, str>;

/// Why a build stopped.
#[derive(Debug, thiserror::Error)]
pub enum ErrorBuildError {
    /// Programs cannot be run.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// Progress cannot be stored.
    #[error(transparent)]
    Progress(#[from] SourceError),
}

impl ErrorSet {
    /// Its contents.
    pub fn counts(&self) -> Counted {
        Counted::of(&self.records)
    }
}

/// Records of a corpus. `done` is called for every finished program. Results in `progress` are not run
/// again.
///
/// # Errors
/// If the sandbox fails, or progress cannot be stored; a program's behaviour is never an error.
pub fn error_records(
    pool: &Pool,
    corpus: &[CorpusProgram],
    descriptions: &Descriptions,
    config: &ErrorConfig,
    progress: &ErrorProgress,
    done: &(dyn Fn() + Sync),
) -> Result<ErrorSet, ErrorBuildError> {
    let owners = owners(corpus, config);
    let others = match config.other_inputs {
        0 => OtherInputs::default(),
        _ => OtherInputs::of(corpus, |program| part_of(program, config)),
    };
    let work = Work {
        pool,
        descriptions,
        config,
        owners: &owners,
        others: &others,
    };
    let families: Result<Vec<Family>, ErrorBuildError> = corpus
        .par_iter()
        .enumerate()
        .map(|(at, program)| {
            let family = match progress.get(at) {
                Some(family) => family.clone(),
                None => {
                    let family = work.family(program, unit_seed(config.seed, at))?;
                    progress.keep(at, &family)?;
                    family
                }
            };
            done();
            Ok(family)
        })
        .collect();
    let mut set = ErrorSet::default();
    let mut seen = std::collections::HashSet::new();
    for family in families? {
        for record in family.records {
            if seen.insert((record.code.clone(), record.stdin.clone())) {
                set.records.push(record);
            } else {
                *set.left_out.entry("twice".into()).or_default() += 1;
            }
        }
        for (why, count) in family.left_out {
            *set.left_out.entry(why).or_default() += count;
        }
    }
    if config.balanced {
        let before = set.records.len();
        set.records = balance(set.records, config.seed);
        let gone = (before - set.records.len()) as u64;
        set.left_out.insert("to balance".into(), gone);
    }
    set.left_out.retain(|_, count| *count > 0);
    Ok(set)
}

/// The last part that has each code under any problem.
fn owners(corpus: &[CorpusProgram], config: &ErrorConfig) -> HashMap<CodeHash, Part> {
    let mut owners = HashMap::new();
    for program in corpus {
        if let Ok(code) = code_hash::of(&program.code) {
            let part = part_of(program, config);
            let owner = owners.entry(code).or_insert(part);
            *owner = part.max(*owner);
        }
    }
    owners
}

fn part_of(program: &CorpusProgram, config: &ErrorConfig) -> Part {
    config
        .split
        .part_of(program.problem.as_deref(), &program.id)
}

/// Results for one program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Family {
    records: Vec<ErrorRecord>,
    left_out: BTreeMap<Why, u64>,
}

impl Family {
    pub(super) fn leave_out(&mut self, why: &'static str) {
        *self.left_out.entry(why.into()).or_default() += 1;
    }
}

struct Work<'w> {
    pool: &'w Pool,
    descriptions: &'w Descriptions,
    config: &'w ErrorConfig,
    owners: &'w HashMap<CodeHash, Part>,
    others: &'w OtherInputs<'w>,
}

impl Work<'_> {
    fn family(&self, program: &CorpusProgram, seed: u64) -> Result<Family, SandboxError> {
        let mut family = Family::default();
        let part = part_of(program, self.config);
        let why = match code_hash::of(&program.code) {
            Err(_) => Some("does not parse"),
            Ok(code) if self.owners.get(&code).is_some_and(|owner| *owner > part) => {
                Some("code of a later part")
            }
            Ok(_) if is_unstable(&program.code) => Some("looks at what changes"),
            Ok(_) => None,
        };
        if let Some(why) = why {
            family.leave_out(why);
            return Ok(family);
        }
        let problem = program.problem.as_deref();
        let description = problem.and_then(|problem| self.descriptions.get(problem));
        let (inputs, guessed) = self.inputs(program, description, seed);
        let mut record = ErrorRecord {
            id: String::new(),
            problem: program.problem.clone(),
            code: program.code.clone(),
            stdin: None,
            description: description.map(str::to_owned),
            input_summary: None,
            error: None,
            error_line: None,
            origin: ErrorOrigin::Clean,
            operators: Vec::new(),
            source: program.source.clone().unwrap_or_default(),
            licence: program.licence.clone().unwrap_or_default(),
            split: part,
        };
        let mut runs_with = None;
        for (number, stdin) in inputs.into_iter().enumerate() {
            record.id = format!("{}#{number}", program.id);
            // No input means an empty one.
            record.input_summary = Some(input_summary(stdin.as_deref().unwrap_or_default()));
            record.stdin = stdin;
            match self.run(&program.code, record.stdin.as_deref())? {
                Ending::Error("ModuleNotFoundError" | "ImportError", _) => {
                    family.leave_out("needs packages");
                    return Ok(family);
                }
                Ending::Error(..) if guessed => family.leave_out("raises on a made-up input"),
                Ending::Error(kind, line) => {
                    let mut natural = record.clone();
                    natural.error = Some(kind.to_owned());
                    natural.error_line = line;
                    natural.origin = ErrorOrigin::Natural;
                    family.records.push(natural);
                }
                Ending::Clean => {
                    family.records.push(record.clone());
                    runs_with.get_or_insert((record.stdin.clone(), record.input_summary.clone()));
                }
                Ending::Unknown => family.leave_out("an exception without a kind"),
                Ending::Unfinished => family.leave_out("reaches a limit"),
            }
        }
        self.with_other_inputs(program, &record, seed, &mut family)?;
        if let (Some((stdin, summary)), true) = (runs_with, part != Part::Test) {
            record.stdin = stdin;
            record.input_summary = summary;
            record.origin = ErrorOrigin::Mutant;
            self.mutants(program, &record, seed, &mut family)?;
        }
        Ok(family)
    }

    /// The program with inputs of other problems. The description is the other problem's.
    fn with_other_inputs(
        &self,
        program: &CorpusProgram,
        template: &ErrorRecord,
        seed: u64,
        family: &mut Family,
    ) -> Result<(), SandboxError> {
        let count = self.config.other_inputs;
        if count == 0
            || matches!(
                plausible_inputs(&program.code, None, 1, seed),
                Ok(Guess::ReadsNothing)
            )
        {
            return Ok(());
        }
        let drawn = self.others.draw(program, template.split, count, seed);
        for (number, input) in drawn.into_iter().enumerate() {
            let (error, error_line) = match self.run(&program.code, Some(input.text))? {
                Ending::Error(kind, line) => (Some(kind.to_owned()), line),
                Ending::Clean => (None, None),
                Ending::Unknown => {
                    family.leave_out("an exception without a kind");
                    continue;
                }
                Ending::Unfinished => {
                    family.leave_out("reaches a limit");
                    continue;
                }
            };
            let words = input.problem.and_then(|name| self.descriptions.get(name));
            family.records.push(ErrorRecord {
                id: format!("{}#other{number}", program.id),
                stdin: Some(input.text.to_owned()),
                description: words.map(str::to_owned),
                input_summary: Some(input_summary(input.text)),
                error,
                error_line,
                origin: ErrorOrigin::Input,
                ..template.clone()
            });
        }
        Ok(())
    }

    /// The inputs of a program, and whether they are made up.
    fn inputs(
        &self,
        program: &CorpusProgram,
        description: Option<&str>,
        seed: u64,
    ) -> (Vec<Option<String>>, bool) {
        let known = program.inputs(self.config.inputs);
        if known.iter().any(Option::is_some) {
            return (known, false);
        }
        match plausible_inputs(&program.code, description, self.config.guesses, seed) {
            Ok(Guess::Inputs(all)) => (all.into_iter().map(Some).collect(), true),
            _ => (vec![None], false),
        }
    }

    fn run(&self, code: &str, stdin: Option<&str>) -> Result<Ending, SandboxError> {
        let program = Program {
            id: String::new(),
            source: Some(code.to_owned()),
            stdin: stdin.map(str::to_owned),
            ..Program::default()
        };
        let plan = AttemptPlan {
            statements: Vec::new(),
            events: self.config.events,
            seconds: SECONDS,
        };
        Ok(ending(&self.pool.attempt(&program, "", &plan)?.outcome))
    }

    fn mutants(
        &self,
        program: &CorpusProgram,
        template: &ErrorRecord,
        seed: u64,
        family: &mut Family,
    ) -> Result<(), SandboxError> {
        let mut kinds: BTreeMap<&'static str, usize> = BTreeMap::new();
        for (number, (code, operators)) in edited(&program.code, self.config, seed)
            .into_iter()
            .enumerate()
        {
            let owner = match code_hash::of(&code) {
                Ok(hash) => self.owners.get(&hash),
                Err(_) => {
                    family.leave_out("does not parse");
                    continue;
                }
            };
            if owner.is_some() {
                family.leave_out("code of the corpus");
                continue;
            }
            let (error, line) = match self.run(&code, template.stdin.as_deref())? {
                Ending::Error(kind, line) => {
                    let count = kinds.entry(kind).or_default();
                    *count += 1;
                    if *count > MOST_OF_KIND {
                        family.leave_out("one more of its kind");
                        continue;
                    }
                    (Some(kind.to_owned()), line)
                }
                Ending::Clean => (None, None),
                Ending::Unknown => {
                    family.leave_out("an exception without a kind");
                    continue;
                }
                Ending::Unfinished => {
                    family.leave_out("reaches a limit");
                    continue;
                }
            };
            family.records.push(ErrorRecord {
                id: format!("{}/{number}", template.id),
                code,
                error,
                error_line: line,
                operators,
                ..template.clone()
            });
        }
        Ok(())
    }
}

/// CPU seconds of a run.
const SECONDS: f64 = 0.9;
