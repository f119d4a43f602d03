//! `codexec data`: builds and processes files of training examples.

mod candidates;
mod codenetmut;
pub(super) mod corpus;
mod errors;
mod generated;
mod inspect;
mod plan;
mod split;
mod stages;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use codexec_data::examples::build::{BuildConfig, trace_records};
use codexec_data::files::{Existing, Reservation};
use codexec_data::records::{ENDINGS, FINISHED, Format, Kind, Record, RecordWriter};
use codexec_data::sandbox::{Limits, Pool};
use codexec_data::sources::SourceError;
use codexec_mutate::REGISTRY;

use super::sandbox::SandboxArgs;
use super::traced_by::TracedByArgs;
use super::{progress_bar, singleline, tutorial};

/// Build training examples from programs.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// SingleLine: statements from real code with random values, and what they change, print or
    /// raise.
    #[command(after_help = "\
Examples:
  codexec data singleline --count 50000 --out lines.jsonl.zst       from the standard library
  codexec data singleline src --count 5000 --out lines.jsonl.zst    from other Python files
  codexec data singleline --count 0 --traces examples --out steps.jsonl.zst  every step of real runs")]
    Singleline(singleline::Args),
    /// SingleLine from the built-in table of statements, or from templates.
    #[command(after_help = "Example:\n  codexec data steps --count 20000 --out steps.jsonl.zst")]
    Steps(singleline::StepArgs),
    /// Tutorial: the examples of the official Python tutorial and their constant-replacement
    /// mutants.
    #[command(after_help = "\
Example:
  codexec data tutorial --mutants 20 --out tutorial.jsonl.zst

Reads an installed copy of the documentation: apt-get install python3-doc, or --docs DIR.")]
    Tutorial(tutorial::Args),
    /// CodeNetMut: a corpus split by problem. Only the programs of train are mutated.
    #[command(after_help = "\
Example:
  codexec data codenetmut corpus.jsonl.zst --out sets --per-program 20 --resume

The same problem is never in two parts, and neither is the same code but for whitespace and comments, \
mutants included. Options of the mutants are those of `codexec mutate`.")]
    Codenetmut(codenetmut::Args),
    /// Trace examples: programs and their constant-replacement mutants, with traces.
    #[command(
        after_help = "Examples:\n  codexec data traces examples --mutants 20 --out traces.jsonl.zst\n  codexec data traces examples --out traces.jsonl.zst --engine plan     planned, 1 % compared with runs"
    )]
    Traces(TraceArgs),
    Plan(plan::Args),
    Candidates(candidates::Args),
    Errors(errors::Args),
    Generated(generated::Args),
    /// Summarise files of examples: counts, length histograms, samples.
    Inspect(inspect::Args),
    /// Split examples into train, valid and test by problem.
    Split(split::Args),
    Merge(super::merge::Args),
}

/// Options shared by both builds.
#[derive(Debug, clap::Args)]
pub(super) struct Common {
    /// Output file: .jsonl, .jsonl.gz, .jsonl.zst or .parquet.
    #[arg(long, value_name = "FILE", value_parser = records_file)]
    pub(super) out: PathBuf,
    /// Overwrite an existing file.
    #[arg(long)]
    pub(super) force: bool,
    /// Seed of random draws; the same seed gives the same file.
    #[arg(long, default_value_t = 0)]
    pub(super) seed: u64,
    /// Worker processes.
    #[arg(long, value_name = "N", value_parser = super::workers)]
    jobs: Option<usize>,
    #[command(flatten)]
    sandbox: SandboxArgs,
    /// Leave out examples whose program is longer than this many words.
    #[arg(long, default_value_t = 250, value_name = "N")]
    pub(super) max_source: usize,
    /// Leave out examples whose target is longer than this many words.
    #[arg(long, default_value_t = 500, value_name = "N")]
    pub(super) max_target: usize,
}

#[derive(Debug, clap::Args)]
pub(super) struct TraceArgs {
    /// A directory of NAME.py with NAME.in, NAME.1.in, …; or JSON Lines(.zst) or Parquet with `code`.
    corpus: PathBuf,
    /// Mutants of each program and input.
    #[arg(long, default_value_t = 4)]
    mutants: usize,
    /// Mutation operators, such as CRP,ROR,AOR, or `all` (docs/operators.md).
    #[arg(
        long,
        default_value = "CRP",
        value_delimiter = ',',
        value_name = "CODES"
    )]
    operators: Vec<String>,
    /// Sample inputs to run each program with.
    #[arg(long, default_value_t = 1)]
    inputs: usize,
    /// Task name: codenet or tutorial.
    #[arg(long, default_value = "codenet", value_parser = kind)]
    kind: Kind,
    #[command(flatten)]
    traced: TracedByArgs,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Singleline(args) => singleline::run(args),
        Command::Steps(args) => singleline::run_steps(args),
        Command::Tutorial(args) => tutorial::run(args),
        Command::Codenetmut(args) => codenetmut::run(args),
        Command::Traces(args) => traces(args),
        Command::Plan(args) => plan::run(args),
        Command::Candidates(args) => candidates::run(args),
        Command::Errors(args) => errors::run(args),
        Command::Generated(args) => generated::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Split(args) => split::run(args),
        Command::Merge(args) => super::merge::run(args),
    }
}

/// A file that records can be written to, or advice on what to do instead.
pub(super) fn records_file(name: &str) -> Result<PathBuf, &'static str> {
    let path = PathBuf::from(name);
    Format::to_write(&path).map(|_| path).map_err(|_| ENDINGS)
}

/// The task with this name on the command line.
pub(super) fn kind(name: &str) -> Result<Kind, &'static str> {
    Kind::ALL
        .into_iter()
        .find(|kind| kind.name() == name)
        .ok_or("use codenet or tutorial")
}

fn traces(args: &TraceArgs) -> anyhow::Result<ExitCode> {
    let _reserved = args.common.reserve()?;
    let corpus = corpus::read(&args.corpus)?;
    let config = BuildConfig {
        mutants: args.mutants,
        operators: operators(&args.operators)?,
        inputs: args.inputs,
        ..args.common.config()
    };
    let traced = args.traced.tracer(config.seed, || args.common.pool())?;
    let bar = progress_bar(corpus.len() as u64, "programs");
    let progress = |_: usize, _: usize| bar.inc(1);
    let tracer = traced.as_tracer();
    let records = trace_records(tracer, &corpus, args.kind, &config, &progress)?;
    bar.finish_and_clear();
    traced.explain();
    args.common.write(&records)
}

/// The requested operator codes, all of them valid; all codes for `all`.
pub(super) fn operators(asked: &[String]) -> anyhow::Result<Vec<String>> {
    if asked.iter().any(|code| code == "all") {
        return Ok(Vec::new());
    }
    let known = |code: &str| REGISTRY.iter().any(|operator| operator.code == code);
    if let Some(code) = asked.iter().find(|code| !known(code)) {
        let all: Vec<&str> = REGISTRY.iter().map(|operator| operator.code).collect();
        bail!("--operators {code}: there are {} and all", all.join(", "));
    }
    Ok(asked.to_vec())
}

/// Reserves an output file.
pub(super) fn reserve(path: &Path, force: bool) -> anyhow::Result<Reservation> {
    Reservation::of_file(path, Existing::replace_if(force))
        .with_context(|| path.display().to_string())
}

/// Whether a resumed build is already complete: its file exists and no leftovers of a stopped build
/// do.
fn is_built(out: &Path) -> bool {
    let is_built = out.is_file() && !codexec_data::files::beside(out).exists();
    if is_built {
        super::note(&format!("{}: is built already", out.display()));
    }
    is_built
}

impl Common {
    fn config(&self) -> BuildConfig {
        BuildConfig {
            max_source_words: self.max_source,
            max_target_words: self.max_target,
            seed: self.seed,
            ..BuildConfig::default()
        }
    }

    /// Reserves the output file before any work starts, and holds it until done.
    pub(super) fn reserve(&self) -> anyhow::Result<Reservation> {
        reserve(&self.out, self.force)
    }

    /// The value of `--force`.
    pub(super) fn force(&self) -> bool {
        self.force
    }

    pub(super) fn pool(&self) -> anyhow::Result<Pool> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = self.jobs.unwrap_or(cores).max(1);
        self.sandbox.pool(workers, Limits::default())
    }

    pub(super) fn write(&self, records: &[Record]) -> anyhow::Result<ExitCode> {
        let mut examples = self.examples()?;
        records.iter().for_each(|record| examples.push(record));
        examples.finish()?;
        Ok(ExitCode::SUCCESS)
    }

    /// Begins the file.
    pub(super) fn examples(&self) -> anyhow::Result<Examples<'_>> {
        Ok(Examples {
            out: &self.out,
            writer: RecordWriter::create(&self.out)?,
            raised: 0,
            failed: None,
        })
    }
}

/// Examples being written. The file appears at the end.
pub(super) struct Examples<'a> {
    out: &'a Path,
    writer: RecordWriter,
    raised: u64,
    failed: Option<SourceError>,
}

impl Examples<'_> {
    /// Writes an example. Errors are reported at the end.
    pub(super) fn push(&mut self, record: &Record) {
        if self.failed.is_some() {
            return;
        }
        self.raised += u64::from(record.outcome != FINISHED);
        self.failed = self.writer.push(record).err();
    }

    /// Moves the file into place. Returns the number of examples.
    pub(super) fn finish(self) -> anyhow::Result<u64> {
        if let Some(error) = self.failed {
            return Err(error.into());
        }
        if self.writer.written() == 0 {
            bail!("no example was made: no program finished within the limits");
        }
        let written = self.writer.finish()?;
        super::note(&format!(
            "{}: {written} examples, {} of them end in an exception",
            self.out.display(),
            self.raised,
        ));
        Ok(written)
    }
}
