//! `codexec data singleline`: statements with the values they read, and their effects.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use codexec_data::examples::probe::learn_types;
use codexec_data::examples::single_line::{SingleLineConfig, Tally, single_line_records};
use codexec_data::examples::trace_steps::{StepTally, trace_step_records};
use codexec_data::sandbox::{Pool, standard_library};
use codexec_data::sources::{
    FileChoice, Template, collect_statements, python_texts, read_templates, write_templates,
};
use serde::Serialize;

use super::data::{Common, Examples, corpus, reserve};
use super::progress_bar;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sources of statements: Python files, directories of them, or corpora in JSON Lines(.zst)
    /// (default: the standard library of the Python on this machine).
    paths: Vec<PathBuf>,
    /// Examples to make from statements with random values.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    count: usize,
    /// Maximum share of examples that end in an exception.
    #[arg(long, default_value_t = 0.15, value_name = "PART", value_parser = part)]
    raising: f64,
    /// Also take files in directories called test or tests.
    #[arg(long)]
    with_tests: bool,
    /// Also take installed packages (site-packages).
    #[arg(long)]
    with_packages: bool,
    /// Use these templates (JSON Lines(.zst) with `stmt`, `free`, `types`) instead of collecting
    /// any.
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    templates: Option<PathBuf>,
    /// Write the statements with the types that they ran with, for --templates.
    #[arg(long, value_name = "FILE")]
    save_templates: Option<PathBuf>,
    /// Also add every step of a corpus's programs (a directory or JSON Lines(.zst)) that can stand
    /// alone.
    #[arg(long, value_name = "CORPUS")]
    traces: Option<PathBuf>,
    /// With --traces, use only the first programs, at most this many.
    #[arg(long, value_name = "N", requires = "traces")]
    programs: Option<usize>,
    /// With --traces, use at most this many steps per line of a program.
    #[arg(long, value_name = "N", requires = "traces")]
    per_line: Option<usize>,
    /// Print a summary as one JSON document.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
pub(super) struct StepArgs {
    /// JSON Lines(.zst) of templates with `stmt`, `free`, `types` (default: a built-in table).
    #[arg(long, value_name = "FILE")]
    templates: Option<PathBuf>,
    /// Number of examples to make.
    #[arg(long, default_value_t = 20_000)]
    count: usize,
    #[command(flatten)]
    common: Common,
}

/// A share, as a number from 0 to 1.
pub(super) fn part(text: &str) -> Result<f64, &'static str> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or("expected a number from 0 to 1")
}

/// Output of `--json`.
#[derive(Serialize)]
struct Summary {
    out: PathBuf,
    records: u64,
    templates: Found,
    lines: Tally,
    #[serde(skip_serializing_if = "Option::is_none")]
    traces: Option<StepTally>,
}

/// Source of the templates.
#[derive(Default, Serialize)]
struct Found {
    files: usize,
    unparsed: usize,
    statements: usize,
    distinct: usize,
    tried: usize,
    usable: usize,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let _reserved = args.common.reserve()?;
    let _templates = match &args.save_templates {
        Some(path) => Some(reserve(path, args.common.force())?),
        None => None,
    };
    if args.count == 0 && args.traces.is_none() {
        bail!("--count 0 without --traces builds nothing");
    }
    let mut programs = match &args.traces {
        Some(path) => corpus::read(path)?,
        None => Vec::new(),
    };
    programs.truncate(args.programs.unwrap_or(usize::MAX));
    let pool = args.common.pool()?;
    let (templates, found) = templates(args, &pool)?;
    let config = SingleLineConfig {
        raising: args.raising,
        ..config(&args.common, args.count)
    };
    let mut examples = args.common.examples()?;
    let lines = lines(&pool, &templates, &config, &mut examples)?;
    let traces = match args.traces {
        Some(_) => Some(steps(args, &pool, &programs, &config, &mut examples)?),
        None => None,
    };
    let summary = Summary {
        out: args.common.out.clone(),
        records: examples.finish()?,
        templates: found,
        lines,
        traces,
    };
    if args.json {
        writeln!(std::io::stdout(), "{}", serde_json::to_string(&summary)?)?;
    } else {
        explain(&summary);
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn run_steps(args: &StepArgs) -> anyhow::Result<ExitCode> {
    let templates = match &args.templates {
        Some(path) => read_templates(path)?,
        None => Template::builtin(),
    };
    if templates.is_empty() {
        bail!("no template has a combination of types: nothing can be run");
    }
    let config = config(&args.common, args.count);
    let _reserved = args.common.reserve()?;
    let pool = args.common.pool()?;
    let mut examples = args.common.examples()?;
    lines(&pool, &templates, &config, &mut examples)?;
    examples.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn config(common: &Common, count: usize) -> SingleLineConfig {
    SingleLineConfig {
        count,
        max_source_words: common.max_source,
        max_target_words: common.max_target,
        seed: common.seed,
        ..SingleLineConfig::default()
    }
}

/// The requested templates, or those in the requested files.
fn templates(args: &Args, pool: &Pool) -> anyhow::Result<(Vec<Template>, Found)> {
    let mut found = Found::default();
    let templates = match &args.templates {
        _ if args.count == 0 && args.save_templates.is_none() => return Ok((Vec::new(), found)),
        Some(path) => read_templates(path)?,
        None => collect(args, pool, &mut found)?,
    };
    if templates.is_empty() {
        bail!(
            "no statement can be used: none of them reads one to four variables and builtins only, and runs"
        );
    }
    found.usable = templates.len();
    if let Some(path) = &args.save_templates {
        write_templates(path, &templates)?;
    }
    Ok((templates, found))
}

fn collect(args: &Args, pool: &Pool, found: &mut Found) -> anyhow::Result<Vec<Template>> {
    let choice = FileChoice {
        tests: args.with_tests,
        packages: args.with_packages,
    };
    let (paths, source, licence) = if args.paths.is_empty() {
        let (library, version) = standard_library(None)?;
        let source = format!("python {version} standard library");
        (vec![library], source, Some("PSF-2.0"))
    } else {
        (args.paths.clone(), String::new(), None)
    };
    let texts = python_texts(&paths, choice)?;
    let bar = progress_bar(texts.len() as u64, "files");
    let collected = collect_statements(&texts, &source, licence, &|| bar.inc(1))?;
    bar.finish_and_clear();
    found.files = texts.len();
    found.unparsed = collected.unparsed;
    found.statements = collected.seen;
    found.distinct = collected.templates.len();
    let templates = match args.save_templates {
        // Enough for every later use of the file.
        Some(_) => collected.templates,
        None => collected.some(args.count, args.common.seed),
    };
    found.tried = templates.len();
    let bar = progress_bar(templates.len() as u64, "statements tried");
    let learnt = learn_types(pool, templates, args.common.seed, &|tried| {
        bar.inc(tried as u64)
    })?;
    bar.finish_and_clear();
    Ok(learnt)
}

fn lines(
    pool: &Pool,
    templates: &[Template],
    config: &SingleLineConfig,
    examples: &mut Examples<'_>,
) -> anyhow::Result<Tally> {
    let bar = progress_bar(config.count as u64, "examples");
    let progress = |made: usize| bar.set_position(made as u64);
    let mut sink = |record| examples.push(&record);
    let tally = single_line_records(pool, templates, config, &progress, &mut sink)?;
    bar.finish_and_clear();
    Ok(tally)
}

fn steps(
    args: &Args,
    pool: &Pool,
    corpus: &[codexec_data::sources::CorpusProgram],
    config: &SingleLineConfig,
    examples: &mut Examples<'_>,
) -> anyhow::Result<StepTally> {
    let bar = progress_bar(corpus.len() as u64, "programs");
    let per_line = args.per_line.unwrap_or(usize::MAX);
    let mut sink = |record| examples.push(&record);
    let tally = trace_step_records(pool, corpus, per_line, config, &|| bar.inc(1), &mut sink)?;
    bar.finish_and_clear();
    Ok(tally)
}

fn explain(summary: &Summary) {
    let found = &summary.templates;
    if found.files > 0 {
        super::note(&format!(
            "{} files ({} not parsed), {} statements, {} distinct; {} tried, {} run",
            found.files,
            found.unparsed,
            found.statements,
            found.distinct,
            found.tried,
            found.usable
        ));
    }
    let kinds = |tally: &Tally| -> String {
        let kinds: Vec<String> = tally
            .statements
            .iter()
            .map(|(k, n)| format!("{k} {n}"))
            .collect();
        kinds.join(", ")
    };
    let lines = &summary.lines;
    if lines.ran > 0 {
        super::note(&format!(
            "from statements: {} of {} runs kept ({})",
            lines.kept,
            lines.ran,
            kinds(lines)
        ));
    }
    if let Some(steps) = &summary.traces {
        super::note(&format!(
            "from traces: {} programs, {} steps, {} could stand alone, {} did something else then, {} kept ({})",
            steps.programs,
            steps.steps,
            steps.candidates,
            steps.unfaithful,
            steps.tally.kept,
            kinds(&steps.tally)
        ));
    }
}
