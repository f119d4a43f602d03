//! `codexec data plan`: the questions that planned execution asks, as training examples in step form.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use codexec_data::files::{Progress, beside, build_name};
use codexec_data::records::{FINISHED, Kind, Record, RecordReader};
use codexec_data::sandbox::{Limits, Pool};
use codexec_data::trace::Program;
use codexec_plan::machine::{FoldLevel, Settings};
use codexec_plan::oracles::{Cpython, Oracle as _, OracleError};
use codexec_plan::question::{Answer, Question};
use codexec_plan::scheduler::plan_each;
use codexec_plan::step_form::{self, Changes};
use codexec_plan::training::{Exercises, Recording, is_huge, vary};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{corpus, stages};
use crate::cli::progress_bar;

/// Programs planned together.
const TOGETHER: usize = 192;
/// Exercises planned together.
const EXERCISES_TOGETHER: usize = 1024;
/// Questions that take longer are left out: a power of a power, a list of a million items.
const LONGEST: Duration = Duration::from_secs(1);
/// Answers of at least this size are useless for training.
const MOST_ANSWER_BYTES: usize = 16 << 20;

/// Write the questions that planned execution asks, with their answers.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec data plan corpus.jsonl.zst --variants 8 --out questions.jsonl.zst
  codexec data plan --exercises 100000 --out singleline.jsonl.zst
  codexec data plan --tutorial --variants 8 --out tutorial.jsonl.zst
  codexec data plan corpus.jsonl.zst --mutants 4 --out codenetmut.jsonl.zst
  codexec data plan valid.jsonl.zst --out questions-valid.jsonl.zst
  codexec data plan corpus.jsonl.zst --variants 8 --out questions.jsonl.zst --resume  resume

CPython answers in the sandbox. A question is written once but with --repeats, its variants have other \
values of like size. Variants and exercises that raise are at most a tenth. More: docs/plan.md.")]
pub(in crate::cli) struct Args {
    /// Programs: a directory of NAME.py with NAME.in, NAME.1.in, …; or JSON Lines(.zst) or Parquet with `code`.
    #[arg(required_unless_present_any = ["exercises", "tutorial"])]
    corpus: Option<PathBuf>,
    /// Sample inputs per program to plan it with.
    #[arg(long, default_value_t = 1)]
    pub(super) inputs: usize,
    /// Mutants per program and input, which are also planned.
    #[arg(long, default_value_t = 0, value_name = "N", requires = "corpus")]
    pub(super) mutants: usize,
    /// Operators of these mutants, such as CRP,ROR,AOR, or `all` (docs/operators.md).
    #[arg(
        long,
        default_value = "all",
        value_delimiter = ',',
        value_name = "CODES"
    )]
    pub(super) operators: Vec<String>,
    /// Plan the examples of the Python tutorial, each after the earlier ones of its page.
    #[arg(long)]
    pub(super) tutorial: bool,
    /// The documentation with the tutorial (default: the installed one).
    #[arg(long, value_name = "DIR", requires = "tutorial")]
    pub(super) docs: Option<PathBuf>,
    /// Variants per question.
    #[arg(long, default_value_t = 0, value_name = "N")]
    variants: usize,
    /// Statements of one operation with random values, from the built-in table.
    #[arg(long, default_value_t = 0, value_name = "N")]
    exercises: usize,
    /// Maximum questions per program.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    questions: u64,
    /// Also ask what planned execution would fold: operators, comparisons, subscripts.
    #[arg(long)]
    no_fold: bool,
    /// Write answers as a container's final contents, not its changes. For comparing both forms,
    /// see runs/torch_ablations.py.
    #[arg(long)]
    whole_values: bool,
    /// Write a question as often as programs ask it, to score a checkpoint on real frequencies.
    #[arg(long)]
    repeats: bool,
    /// Write only questions of at most this many characters: facts such as `ord('A')` and
    /// `float('inf')`, for a data set that training repeats more often.
    #[arg(long, value_name = "N")]
    most_characters: Option<usize>,
    /// Leave out the questions in these files of examples, such as the validation set. Questions of
    /// at most 14 characters stay: `ord('A')` is a fact that must be learned.
    #[arg(long, value_name = "FILE")]
    exclude: Vec<PathBuf>,
    /// Resume a killed build. The same arguments give the same file.
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    #[command(flatten)]
    pub(super) common: super::Common,
}

/// Maximum characters of a question that is never left out.
const MOST_FACT: usize = 14;

/// The unit of planning.
enum Unit {
    Programs(Vec<Program>),
    /// A number of exercises.
    Exercises(usize),
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.resume && super::is_built(&args.common.out) {
        return Ok(ExitCode::SUCCESS);
    }
    let _reserved = args.common.reserve()?;
    let corpus = match &args.corpus {
        Some(path) => corpus::read(path)?,
        None => Vec::new(),
    };
    let mut seen = excluded(&args.exclude)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.common.jobs.unwrap_or(cores).max(1);
    let limits = Limits {
        max_bytes: MOST_ANSWER_BYTES,
        wall: LONGEST,
        cpu: LONGEST,
        ..Limits::default()
    };
    let pool = args.common.sandbox.pool(workers, limits)?;
    let programs = stages::programs(args, &corpus, &pool)?;
    let units = units(&programs, args.exercises);
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(workers)
        .build()?;
    let path = beside(&args.common.out);
    if path.exists() && !args.resume && !args.common.force {
        bail!(
            "{}: an unfinished build is here; resume it with --resume, or start over with --force",
            path.display()
        );
    }
    let progress = Progress::<Vec<Made>>::open(&path, args.resume, args.build(&programs))?;
    if progress.done() > 0 {
        crate::cli::note(&format!("{} units were already done", progress.done()));
    }
    let bar = progress_bar(units.len() as u64, "units of programs");
    let mut examples = args.common.examples()?;
    let mut tally = Tally::default();
    for (round, together) in units.chunks(workers * 4).enumerate() {
        let made: anyhow::Result<Vec<Vec<Made>>> = threads.install(|| {
            let one = |(at, unit): (usize, &Unit)| {
                let number = round * workers * 4 + at;
                let made = match progress.get(number) {
                    Some(made) => made.clone(),
                    None => {
                        let made = make(args, &pool, unit, number as u64)?;
                        progress.keep(number, &made)?;
                        made
                    }
                };
                bar.inc(1);
                Ok(made)
            };
            together.par_iter().enumerate().map(one).collect()
        });
        for made in made?.into_iter().flatten() {
            let Some(record) = made.record(args, &mut tally, &mut seen) else {
                continue;
            };
            examples.push(&record);
        }
    }
    bar.finish_and_clear();
    crate::cli::note(&format!(
        "{} questions twice, {} without a text or too long, {} raising variants left out",
        tally.twice, tally.without_text, tally.raising
    ));
    if tally.written == 0 {
        progress.finish()?;
        bail!("no question was asked");
    }
    examples.finish()?;
    progress.finish()?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// A name for all settings that decide the units' results.
    fn build(&self, programs: &[Program]) -> String {
        let settings = (
            (self.variants, self.exercises, self.questions, self.no_fold),
            (self.whole_values, self.repeats),
            (
                self.common.seed,
                self.common.max_source,
                self.common.max_target,
            ),
        );
        let of_program = |program: &Program| format!("{:?}", (&program.source, &program.stdin));
        build_name(std::iter::once(format!("{settings:?}")).chain(programs.iter().map(of_program)))
    }
}

fn units(programs: &[Program], exercises: usize) -> Vec<Unit> {
    let together = programs.chunks(TOGETHER);
    let mut units: Vec<Unit> = together.map(|some| Unit::Programs(some.to_vec())).collect();
    let mut left = exercises;
    while left > 0 {
        let count = left.min(EXERCISES_TOGETHER);
        units.push(Unit::Exercises(count));
        left -= count;
    }
    units
}

/// Hashes of the questions' sources in files.
fn excluded(files: &[PathBuf]) -> anyhow::Result<HashSet<u64>> {
    let mut seen = HashSet::new();
    for file in files {
        for record in RecordReader::open(file)? {
            let record = record?;
            if record.code.chars().count() > MOST_FACT {
                seen.insert(hash(&record.code_tokens));
            }
        }
    }
    Ok(seen)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// An example being turned into a record.
#[derive(Clone, Serialize, Deserialize)]
struct Made {
    code: String,
    /// Source and target in words, if both exist and are short enough.
    words: Option<(String, String)>,
    /// The exception that it raises.
    raised: Option<String>,
    /// Not in the form a program asked it.
    varied: bool,
}

impl Made {
    fn new(args: &Args, question: &Question, answer: &Answer, varied: bool) -> Self {
        let changes = match args.whole_values {
            true => Changes::Whole,
            false => Changes::Edits,
        };
        let fits = |text: &String, most: usize| text.split(' ').count() <= most;
        let source = step_form::source(question).ok();
        let target = step_form::target_with(question, answer, changes).ok();
        let source = source.filter(|text| fits(text, args.common.max_source));
        let target = target.filter(|text| fits(text, args.common.max_target));
        Self {
            code: step_form::code(question).unwrap_or_default(),
            words: source.zip(target),
            raised: answer
                .result
                .as_ref()
                .err()
                .map(|raised| raised.kind.clone()),
            varied,
        }
    }
}

fn make(args: &Args, pool: &Pool, unit: &Unit, number: u64) -> Result<Vec<Made>, OracleError> {
    let mut rng = ChaCha8Rng::seed_from_u64(args.common.seed);
    rng.set_stream(number);
    let exercises: Vec<Program>;
    let (programs, drawn) = match unit {
        Unit::Programs(programs) => (programs, false),
        Unit::Exercises(count) => {
            let table = Exercises::new(args.no_fold);
            exercises = (0..*count).map(|_| table.draw(&mut rng)).collect();
            (&exercises, true)
        }
    };
    let settings = Settings {
        max_questions: args.questions,
        fold: match args.no_fold {
            true => FoldLevel::Nothing,
            false => FoldLevel::Operators,
        },
        ..Settings::default()
    };
    let mut cpython = Cpython::new(pool);
    let mut seen = HashSet::new();
    let mut made = Vec::new();
    let mut keep = |question: &Question, answer: &Answer, varied: bool| {
        if args.repeats || seen.insert(hash(&question.json().to_string())) {
            made.push(Made::new(args, question, answer, varied));
        }
    };
    let mut variants = Vec::new();
    let mut recording = Recording::new(&mut cpython, |question, answer| {
        variants.extend((0..args.variants).map(|_| vary(question, &mut rng)));
        keep(question, answer, drawn);
    });
    plan_each(programs, &settings, &mut recording, |_, _| {
        ControlFlow::Continue(())
    })?;
    variants.retain(|question| !is_huge(question));
    let answers = cpython.answer(&variants)?;
    for (question, answer) in variants.iter().zip(answers) {
        if let Ok(answer) = answer {
            keep(question, &answer, true);
        }
    }
    Ok(made)
}

#[derive(Default)]
struct Tally {
    written: u64,
    raised: u64,
    twice: u64,
    without_text: u64,
    raising: u64,
}

impl Made {
    /// The record, if it is to be kept.
    fn record(&self, args: &Args, tally: &mut Tally, seen: &mut HashSet<u64>) -> Option<Record> {
        let Some((code_tokens, trace_tokens)) = self.words.clone() else {
            tally.without_text += 1;
            return None;
        };
        let code = self.code.clone();
        if args
            .most_characters
            .is_some_and(|most| code.chars().count() > most)
        {
            return None;
        }
        let key = hash(&code_tokens);
        if seen.contains(&key) || (!args.repeats && !seen.insert(key)) {
            tally.twice += 1;
            return None;
        }
        let raised = self.raised.as_ref();
        if raised.is_some() && self.varied && tally.raised * 10 > tally.written + 10 {
            tally.raising += 1;
            return None;
        }
        tally.raised += u64::from(raised.is_some());
        tally.written += 1;
        Some(Record {
            id: tally.written.to_string(),
            kind: Kind::SingleLine,
            code,
            code_tokens,
            trace_tokens,
            outcome: raised.map_or(FINISHED, String::as_str).to_owned(),
            seed: args.common.seed,
            ..Record::default()
        })
    }
}
