//! `codexec mutate`: turns a corpus of programs into a data set of executed, traced mutants.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context;
use codexec_data::mutants::{Begin, Build, Keep, Output, Report, Settings, Shard, Tick};
use codexec_data::records::{Kind, RecordReader, Summary};
use codexec_mutate::REGISTRY;

use super::sandbox::SandboxArgs;
use super::traced_by::{TracedByArgs, planner};
use super::{figures, mutate_summary, usage};

/// Mutate the programs of a corpus, run the mutants, and write them with their traces.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec mutate examples                               records on standard output
  codexec mutate corpus/ --out mutants.jsonl.zst        one file and its manifest
  codexec mutate corpus.jsonl.zst --out mutants/ --shard 2/8 --resume
  codexec mutate corpus/ --out mutants.jsonl.zst --html mutants.html     a page with histograms
  codexec mutate corpus/ --out mutants/ --engine plan --verify 1%        planned, a sample compared with runs

A directory gets shard-00000.jsonl.zst ... and manifest.json; a file is put together at the end and its \
manifest stands beside it. A build that was killed goes on with --resume and gives the same bytes. Shards \
of one corpus, built on many machines, are put together by `codexec data merge`.

Programs that name clocks, randomness, threads or the tracer are left out, and so are those of more than \
200 lines. The programs themselves are records too, without operators. Code that the build has already, \
but for whitespace and comments, is dropped.")]
pub(super) struct Args {
    /// A directory of NAME.py with NAME.in or NAME.1.in ..., or records with `code`.
    corpus: PathBuf,
    /// Output: a directory, FILE.jsonl.zst, FILE.jsonl or FILE.parquet (default: standard output).
    #[arg(long, value_name = "DIR|FILE", value_parser = output)]
    out: Option<PathBuf>,
    #[command(flatten)]
    making: Making,
    /// Build only the problems in this part of the corpus, such as 2/8.
    #[arg(long, value_name = "I/N", default_value_t)]
    shard: Shard,
    /// Write the mutants without running them.
    #[arg(long, conflicts_with_all = ["engine", "verify"])]
    no_run: bool,
    /// Task name in the records: codenet or tutorial.
    #[arg(long, default_value = "codenet", value_parser = super::data::kind)]
    kind: Kind,
    #[command(flatten)]
    begin: BeginArgs,
    /// Also show sizes of code, traces and states, as in the paper's Table 2.
    #[arg(long)]
    stats: bool,
    /// Print the summary as one JSON document.
    #[arg(long, requires = "out")]
    json: bool,
    /// Also write an HTML page: the results of mutants by operator, outcomes, and histograms of
    /// steps and lengths.
    #[arg(long, value_name = "FILE", requires = "out")]
    html: Option<PathBuf>,
}

/// How an existing build is treated.
#[derive(Debug, clap::Args)]
pub(super) struct BeginArgs {
    /// Resume a stopped build; start one if there is none.
    #[arg(long, requires = "out")]
    resume: bool,
    /// Overwrite an existing build.
    #[arg(long, requires = "out", conflicts_with = "resume")]
    force: bool,
}

impl BeginArgs {
    pub(super) fn begin(&self) -> Begin {
        match (self.resume, self.force) {
            (true, _) => Begin::Resume,
            (_, true) => Begin::Force,
            _ => Begin::Anew,
        }
    }
}

/// Where a build can go, or advice on what to do instead.
pub(super) fn output(name: &str) -> Result<PathBuf, &'static str> {
    let path = PathBuf::from(name);
    Output::asked_for(&path).map(|_| path)
}

/// Which mutants of a program are made and kept.
#[derive(Debug, clap::Args)]
pub(super) struct Making {
    /// Mutants of each program.
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    per_program: u64,
    /// Mutation operators, such as CRP,ROR,AOR (default: all; see docs/operators.md).
    #[arg(long, value_delimiter = ',', value_name = "CODES", value_parser = operator)]
    operators: Vec<String>,
    /// Probability of mutating each site.
    #[arg(long, default_value_t = 0.5, value_name = "P", value_parser = probability)]
    probability: f64,
    /// Seed of random draws. The same seed gives the same records.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Programs processed in parallel (default: one per core).
    #[arg(long, visible_alias = "workers", value_name = "N", value_parser = super::workers)]
    jobs: Option<usize>,
    /// Runs to keep: ok, those that finish; raised, also those that end in an exception; all, also
    /// those that hit a limit. The record's `outcome` tells them apart.
    #[arg(long, default_value = "ok", value_parser = keep)]
    keep: Keep,
    /// CPU time of one run, such as 1s or 250ms. Planning counts 4,000 instructions per millisecond
    /// instead.
    #[arg(long, default_value = "250ms", value_name = "TIME", value_parser = timeout)]
    timeout: Duration,
    /// Maximum steps of one run.
    #[arg(long, default_value_t = 1024, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_steps: u32,
    /// Sample inputs per program. Its mutants use them in turn.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    inputs: u32,
    /// First replace reads of standard input by constants, as in the paper. Reads that cannot be
    /// replaced soundly keep their input.
    #[arg(long)]
    inline_input: bool,
    #[command(flatten)]
    traced: TracedByArgs,
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
}

fn operator(code: &str) -> Result<String, String> {
    let known = REGISTRY.iter().map(|o| o.code);
    if known.clone().any(|known| known == code) {
        return Ok(code.to_owned());
    }
    Err(format!(
        "there are {}",
        known.collect::<Vec<_>>().join(", ")
    ))
}

fn probability(text: &str) -> Result<f64, &'static str> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|p| *p > 0.0 && *p <= 1.0)
        .ok_or("expected a number above 0 and up to 1")
}

fn keep(text: &str) -> Result<Keep, &'static str> {
    match text {
        "ok" => Ok(Keep::Ok),
        "raised" => Ok(Keep::Raised),
        "all" => Ok(Keep::All),
        _ => Err("use ok, raised or all"),
    }
}

fn timeout(text: &str) -> Result<Duration, String> {
    let longest = Duration::from_secs(3600);
    match humantime::parse_duration(text) {
        Ok(time) if time >= Duration::from_millis(1) && time <= longest => Ok(time),
        Ok(_) => Err("use a time from 1ms to 1h".to_owned()),
        Err(error) => Err(format!("{error}; write a time as 1s or 250ms")),
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.making.check()?;
    let settings = Settings {
        run: !args.no_run,
        kind: args.kind,
        ..args.making.settings()
    };
    let work = Work {
        settings,
        shard: args.shard,
        jobs: args.making.jobs(),
        sandbox: args.making.sandbox.clone(),
        begin: args.begin.begin(),
        taken: Vec::new(),
    };
    let _page = match &args.html {
        Some(path) => Some(super::data::reserve(
            path,
            args.begin.force || args.begin.resume,
        )?),
        None => None,
    };
    let report = work.build(&args.corpus, args.out.as_deref())?;
    if let (Some(page), Some(out)) = (&args.html, &args.out) {
        let mut summary = Summary::default();
        if report.counts.records > 0 {
            for record in RecordReader::open(out)? {
                summary.add(&record?);
            }
        }
        let title = out.display().to_string();
        let sections = mutate_summary::sections(&report.counts, &summary);
        figures::write(page, &title, None, sections)?;
    }
    args.say(&report)?;
    Ok(ExitCode::SUCCESS)
}

/// A build and its settings.
pub(super) struct Work {
    pub(super) settings: Settings,
    pub(super) shard: Shard,
    pub(super) jobs: usize,
    pub(super) sandbox: SandboxArgs,
    pub(super) begin: Begin,
    /// Files of records whose code must not occur again.
    pub(super) taken: Vec<PathBuf>,
}

impl Work {
    /// Builds, with progress on standard error. Without `out`, records go to standard output.
    pub(super) fn build(self, corpus: &Path, out: Option<&Path>) -> anyhow::Result<Report> {
        let plans = self.settings.run && self.settings.engine.plans();
        let pool = match self.settings.executes() {
            false => None,
            true => {
                let pool = self.sandbox.pool(self.jobs, self.settings.limits());
                let hint = "planned records are compared with runs; --verify 0 needs no sandbox";
                Some(match plans {
                    true => pool.context(hint)?,
                    false => pool?,
                })
            }
        };
        let python = pool.as_ref().map(|pool| pool.isolation().version.clone());
        let output = out.map(Output::named);
        let build = Build::new(
            corpus,
            self.settings,
            self.shard,
            python,
            output,
            self.begin,
        )?
        .without_code_of(self.taken)
        .planned_by(planner());
        for file in build.skipped().iter().take(10) {
            super::warn(&format!("left out: {file}"));
        }
        if build.skipped().len() > 10 {
            let more = build.skipped().len() - 10;
            super::warn(&format!(
                "left out: {more} more files that could not be read"
            ));
        }
        super::note_ends_of_lines(build.ends_rewritten());
        let bar = super::progress_bar(build.programs(), "programs");
        bar.set_position(build.done()?);
        bar.reset_eta();
        let mutants = AtomicU64::new(0);
        let begun = std::time::Instant::now();
        let tick = |tick: Tick| {
            let all = mutants.fetch_add(tick.mutants, Ordering::Relaxed) + tick.mutants;
            let rate = all as f64 / begun.elapsed().as_secs_f64().max(1e-3);
            bar.set_message(format!("{all} mutants, {rate:.0}/s; programs"));
            bar.inc(tick.programs);
        };
        let report = match out {
            Some(_) => build.run(pool.as_ref(), self.jobs, &tick)?,
            None => {
                let mut out = std::io::stdout();
                let report = build.write(pool.as_ref(), self.jobs, &tick, &mut out)?;
                out.flush()?;
                report
            }
        };
        bar.finish_and_clear();
        Ok(report)
    }
}

impl Making {
    pub(super) fn jobs(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.unwrap_or(cores).max(1)
    }

    /// Rejects options that would have no effect.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        self.traced.check()?;
        match self.sandbox.given() {
            Some(option) if !self.settings().executes() => Err(usage(&format!(
                "{option} is for programs that run, but none does"
            ))),
            _ => Ok(()),
        }
    }

    pub(super) fn settings(&self) -> Settings {
        let all = Settings::default().operators;
        let wanted = |code: &String| self.operators.is_empty() || self.operators.contains(code);
        Settings {
            per_program: self.per_program as usize,
            operators: all.into_iter().filter(wanted).collect(),
            probability: self.probability,
            seed: self.seed,
            keep: self.keep,
            timeout_ms: self.timeout.as_millis() as u64,
            max_steps: self.max_steps,
            inputs: self.inputs as usize,
            inline_input: self.inline_input,
            engine: self.traced.engine(),
            verify: self.traced.verify(),
            ..Settings::default()
        }
    }
}

impl Args {
    fn say(&self, report: &Report) -> anyhow::Result<()> {
        if self.json {
            let summary = mutate_summary::json(report);
            let mut out = std::io::stdout().lock();
            writeln!(out, "{}", serde_json::to_string_pretty(&summary)?)?;
            return Ok(());
        }
        let mut text = mutate_summary::text(&report.counts);
        if self.stats {
            text.push_str(&mutate_summary::sizes(&report.counts));
        }
        // If the records are on standard output, this is not the result.
        match self.out {
            Some(_) => std::io::stdout().lock().write_all(text.as_bytes())?,
            None => super::say(text.trim_end()),
        }
        if report.counts.records == 0 {
            super::warn("no record was made: no program finished within the limits");
        }
        Ok(())
    }
}
