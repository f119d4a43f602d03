//! `codexec rerank`: ranks generated programs by predicted output.

mod page;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use codexec_data::files::{WholeFile, write_whole};
use codexec_data::sandbox::Limits;
use serde_json::json;

use super::data::reserve;
use super::engines::EngineArgs;
use super::json::Json;
use super::outputs::{KeptArgs, one_engine};
use super::view::text::clean;
use super::{note, progress_bar, usage};
use crate::engine::outputs::Teller;
use crate::engine::{Need, Question, Settings, run as run_engine};
use crate::rerank::{
    Fields, PassTable, Problem, SampleSet, Verdict, draw_missing_tests, judging, pass_table,
    programs, ranked_rows, read_samples, rerank, right,
};

/// Rank generated programs. Those predicted, or seen, to pass the tests come first.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec rerank candidates/                                 programs, with 1.in, 1.out beside them
  codexec rerank samples.jsonl --problems HumanEval.jsonl.gz --out ranked.jsonl
  codexec rerank samples.jsonl --problems HumanEval.jsonl.gz --out ranked.jsonl --verify
  codexec rerank samples.jsonl --engine run --out ranked.jsonl    by running them
  codexec rerank samples.jsonl --out ranked.jsonl --outputs kept.jsonl    resumes after a kill
  codexec rerank candidates/ --html ranked.html              a page: a table of samples, with traces

Layouts: JSON Lines with `task_id` and `completion` or `solution` (HumanEval, EvalPlus, MBPP), `question_id` and \
`code_list` (LiveCodeBench), or a directory of programs with NAME.in and NAME.out. Tests are the examples of the \
prompt, `test_list`, `public_test_cases`, or the files. Without expected outputs the samples that print the same \
as most others come first. More: docs/rerank.md.")]
pub(super) struct Args {
    /// Samples: JSON Lines (.jsonl, .gz, .zst), one JSON array, or a directory of programs.
    samples: PathBuf,
    /// The problems, if the samples contain only their ids.
    #[arg(long, value_name = "FILE")]
    problems: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    kept: KeptArgs,
    /// Write the ranked samples to this file in the layout of the input: JSON Lines or an array.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write an HTML page with a table of the ranked samples. The samples of --top have a trace, on
    /// the first test that they fail.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite existing files.
    #[arg(long)]
    force: bool,
    /// Run the samples on the tests that judge them, and show pass@1, 5 and 10 before and after.
    #[arg(long)]
    verify: bool,
    /// Use only the first problems, at most this many.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Samples shown per problem, and traced on a page.
    #[arg(long, value_name = "N", default_value_t = 5)]
    top: usize,
    /// Maximum seconds of a sample on a test, with --engine run and --verify.
    #[arg(long, default_value_t = 3.0, value_name = "S", value_parser = super::guide::seconds)]
    timeout: f64,
    /// Maximum steps of a predicted trace.
    #[arg(long, default_value_t = 4096, value_name = "N")]
    max_steps: u32,
    /// Bootstrap resamples per interval; 0 for no intervals.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(..=100_000))]
    bootstrap: u32,
    /// Seed of the resamples, and of the calls drawn for problems without a test.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print JSON instead of text: the rows, or a summary with --out.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.check_usage()?;
    let row = args.engine.row();
    if row.has(Need::Network) && !args.engine.asks_server() {
        super::single_threaded_products()?;
    }
    let _reserved = match &args.out {
        Some(path) => Some(reserve(path, args.force)?),
        None => None,
    };
    let _page = match &args.html {
        Some(path) => Some(reserve(path, args.force)?),
        None => None,
    };
    let mut set = read_samples(&args.samples, args.problems.as_deref())?;
    if let Some(limit) = args.limit {
        set.truncate(limit as usize);
    }
    let without = set.problems.iter().filter(|p| p.tests.is_empty()).count();
    let tested = draw_missing_tests(&mut set, args.seed);
    if tested == 0 {
        bail!(
            "{}: no problem has a test, an example in its prompt, or a function with typed parameters",
            args.samples.display()
        );
    }
    note_missing_tests(&set, without, tested);
    note_cleaned(&set);
    let settings = args.settings()?;
    let engine = one_engine(row, &settings)?;
    let kept = args.kept.open()?;
    let count = programs(&set).len();
    let bar = progress_bar(
        count as u64,
        if row.executes {
            "running"
        } else {
            "predicting"
        },
    );
    let teller = Teller::new(row, engine.as_ref(), kept.as_ref())?;
    let mut verdicts = rerank(&set, &teller, &|more| bar.inc(more as u64))?;
    bar.finish_and_clear();
    if args.verify {
        args.judge(&set, &mut verdicts, &settings)?;
    }
    let ids: Vec<&str> = set.problems.iter().map(|p| p.id.as_str()).collect();
    let table = args
        .verify
        .then(|| pass_table(&ids, &verdicts, args.bootstrap as usize, args.seed));
    if table.as_ref().is_some_and(|table| table.problems == 0) {
        note("nothing is verified: no problem has a test with a known result");
    }
    let rows = ranked_rows(&set, &verdicts);
    if let Some(path) = &args.out {
        write_rows(path, &rows, set.is_array)?;
    }
    let heading = engine.label(&Question::of(&[]));
    if let Some(path) = &args.html {
        let shown = page::Shown {
            set: &set,
            verdicts: &verdicts,
            table: table.as_ref(),
            top: args.top,
            heading: &heading,
        };
        let title = clean(&args.samples.display().to_string());
        let html = page::html(&title, &shown, row, engine.as_ref())?;
        write_whole(path, html.as_bytes()).with_context(|| path.display().to_string())?;
    }
    args.show(&heading, count, &set, &verdicts, table.as_ref(), &rows)?;
    Ok(ExitCode::SUCCESS)
}

/// Notes the problems that came `without` a test (`tested` of all have one now), or that expect no output.
fn note_missing_tests(set: &SampleSet, without: usize, tested: usize) {
    if without > 0 {
        let drawn = without - (set.problems.len() - tested);
        let problems = match without {
            1 => "1 problem has".to_owned(),
            count => format!("{count} problems have"),
        };
        note(&format!(
            "{problems} no test: {drawn} of them are ordered by agreement on inputs drawn by type, {} stay as they are",
            without - drawn
        ));
    }
    let by_agreement = set.problems.iter().filter(|p| is_without_outputs(p));
    let by_agreement = by_agreement.count();
    if by_agreement > 0 && without == 0 {
        let problems = match (by_agreement, set.problems.len()) {
            (1, 1) => "no output is expected".to_owned(),
            (1, _) => "1 problem has no expected output".to_owned(),
            (n, _) => format!("{n} problems have no expected output"),
        };
        note(&format!(
            "{problems}: the samples that print the same as most others come first"
        ));
    }
}

/// Notes the samples whose code was taken out of the text around it.
fn note_cleaned(set: &SampleSet) {
    let cleaned = set.samples.iter().filter(|s| !s.left_out.is_empty());
    let cleaned = cleaned.count();
    if cleaned > 0 {
        let of = match set.samples.len() {
            1 => "1 sample".to_owned(),
            n => format!("{n} samples"),
        };
        note(&format!(
            "{cleaned} of {of}: the code was taken out of what is around it (codexec_left_out says what that is)"
        ));
    }
}

/// Writes rows to a file that appears completely or not at all.
pub(super) fn write_rows(path: &Path, rows: &[Fields], is_array: bool) -> anyhow::Result<()> {
    let mut file = WholeFile::create(path).with_context(|| path.display().to_string())?;
    let mut write = || -> std::io::Result<()> {
        let mut out = std::io::BufWriter::new(&mut file);
        write_all(&mut out, rows, is_array)?;
        out.flush()
    };
    write().with_context(|| path.display().to_string())?;
    file.publish().with_context(|| path.display().to_string())
}

fn write_all(out: &mut dyn Write, rows: &[Fields], is_array: bool) -> std::io::Result<()> {
    if is_array {
        return writeln!(out, "{}", Json(rows));
    }
    rows.iter()
        .try_for_each(|row| writeln!(out, "{}", Json(row)))
}

impl Args {
    fn check_usage(&self) -> anyhow::Result<()> {
        self.engine.check_usage(&[], self.verify)?;
        self.engine.warn_of_unasked(false);
        self.kept.check_usage(&self.engine)?;
        if self.force && self.out.is_none() && self.html.is_none() {
            return Err(usage(
                "--force overwrites the files of --out and --html; name one",
            ));
        }
        if self.problems.is_some() && self.samples.is_dir() {
            return Err(usage(
                "--problems is for JSON; a directory has its tests in it",
            ));
        }
        Ok(())
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let time = std::time::Duration::from_secs_f64(self.timeout);
        let limits = Limits {
            wall: time.max(std::time::Duration::from_secs(1)),
            cpu: time,
            max_steps: self.max_steps,
            ..Limits::default()
        };
        let installed = self.engine.row().imports_installed;
        let mut settings = self.engine.settings(0, limits, installed)?;
        settings.sandbox.references = self.html.is_some() && self.engine.knows_objects();
        Ok(Settings {
            together: true,
            max_steps: self.max_steps as usize,
            ..settings
        })
    }

    /// Runs the tests that judge the samples.
    fn judge(
        &self,
        set: &SampleSet,
        verdicts: &mut [Verdict],
        settings: &Settings,
    ) -> anyhow::Result<()> {
        let row = &run_engine::ROW;
        let settings = Settings {
            server: None,
            answers: None,
            ..settings.clone()
        };
        let engine = one_engine(row, &settings)?;
        let kept = self.kept.open()?;
        let programs = judging(set);
        let bar = progress_bar(programs.len() as u64, "verifying");
        let teller = Teller::new(row, engine.as_ref(), kept.as_ref())?;
        let told = teller.tell(&programs, &|more| bar.inc(more as u64))?;
        bar.finish_and_clear();
        let right = right(set, &told);
        for (at, verdict) in verdicts.iter_mut().enumerate() {
            verdict.right = set.of(at).into_iter().map(|sample| right[sample]).collect();
        }
        Ok(())
    }

    fn show(
        &self,
        heading: &str,
        count: usize,
        set: &SampleSet,
        verdicts: &[Verdict],
        table: Option<&PassTable>,
        rows: &[Fields],
    ) -> anyhow::Result<()> {
        let mut out = anstream::stdout().lock();
        match (&self.out, self.json) {
            (None, true) => write_all(&mut out, rows, set.is_array)?,
            (Some(path), true) => {
                let summary = json!({
                    "engine": heading,
                    "problems": set.problems.len(),
                    "samples": set.samples.len(),
                    "programs": count,
                    "out": path.display().to_string(),
                    "pass": table,
                });
                writeln!(out, "{:#}", Json(summary))?;
            }
            (None, false) => {
                write!(out, "{}", text(set, verdicts, self.top))?;
                if let Some(table) = table {
                    write!(out, "\n{table}")?;
                }
            }
            (Some(path), false) => {
                let (samples, problems) = (set.samples.len(), set.problems.len());
                let problems = match problems {
                    1 => "1 problem".to_owned(),
                    n => format!("{n} problems"),
                };
                writeln!(
                    out,
                    "{}: {samples} samples of {problems} in order, by {}",
                    clean(&path.display().to_string()),
                    clean(heading)
                )?;
                if let Some(table) = table {
                    write!(out, "\n{table}")?;
                }
            }
        }
        Ok(out.flush()?)
    }
}

/// Whether a problem has tests but no expected results.
fn is_without_outputs(problem: &Problem) -> bool {
    let mut tests = problem.tests.iter();
    !problem.tests.is_empty() && tests.all(|test| test.expected().is_none())
}

/// The best samples of every problem, with reasons.
fn text(set: &SampleSet, verdicts: &[Verdict], top: usize) -> String {
    let mut text = String::new();
    for (problem, verdict) in verdicts.iter().enumerate() {
        let samples = set.of(problem);
        let of = &set.problems[problem];
        let tests = match of.tests.len() {
            1 => "1 test".to_owned(),
            n => format!("{n} tests"),
        };
        let count = samples.len();
        let samples_told = match count {
            1 => "1 sample".to_owned(),
            n => format!("{n} samples"),
        };
        let gap = if problem == 0 { "" } else { "\n" };
        text += &format!("{gap}{}: {samples_told}, {tests}\n", clean(&of.id));
        for ranked in verdict.order.iter().take(top) {
            let name = clean(&set.name(samples[ranked.sample]));
            let passed = verdict.right.as_ref().map(|right| right[ranked.sample]);
            let passed = match passed {
                Some(true) => "  right",
                Some(false) => "  wrong",
                None => "",
            };
            text += &format!("  {:.2}  {name}{passed}\n", ranked.score);
            let left_out = &set.samples[samples[ranked.sample]].left_out;
            if !left_out.is_empty() {
                text += &format!("          read without {}\n", clean(&left_out.join(", ")));
            }
            for reason in &ranked.reasons {
                text += &format!("          {}\n", clean(reason));
            }
        }
        if count > top {
            text += &format!("        and {} more\n", count - top);
        }
    }
    text
}
