//! `codexec search duplicates`: lists programs of a corpus that print the same on the same inputs.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use codexec_data::sources::CorpusProgram;
use codexec_data::trace::Program;
use serde_json::json;

use super::OutputArgs;
use crate::cli::data::corpus;
use crate::cli::input::read_text;
use crate::cli::json::Json;
use crate::cli::view::text::clean;
use crate::engine::outputs::Told;
use crate::search::{Group, duplicates};

/// List groups of programs that print the same on the same inputs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec search duplicates scripts/                     predicted: nothing is run
  codexec search duplicates scripts/ --execute           run in the sandbox
  codexec search duplicates scripts/ --input '3 4'       the same input for all
  codexec search duplicates corpus.jsonl.zst --inputs 3 --json

Programs are compared with those that have the same standard inputs: NAME.in beside NAME.py, or `samples`. A program \
that raises an exception, prints nothing, or whose output is not known, is in no group.")]
pub(in crate::cli) struct Args {
    /// Programs: a directory of NAME.py with NAME.in, …; or JSON Lines(.zst) or Parquet with `code`.
    corpus: PathBuf,
    /// Sample inputs per program to compare on.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    inputs: u16,
    /// Give every program this standard input instead of its own.
    #[arg(long, value_name = "TEXT", conflicts_with = "stdin")]
    input: Option<String>,
    /// The same, from a file.
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    #[command(flatten)]
    outputs: OutputArgs,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let shared = match (&args.input, &args.stdin) {
        (Some(text), _) => Some(text.clone()),
        (None, Some(file)) => Some(read_text(file)?),
        (None, None) => None,
    };
    let corpus = corpus::read(&args.corpus)?;
    let of = |program: &CorpusProgram| match &shared {
        Some(text) => vec![Some(text.clone())],
        None => program.inputs(usize::from(args.inputs)),
    };
    let inputs: Vec<Vec<Option<String>>> = corpus.iter().map(of).collect();
    let mut programs = Vec::new();
    for (program, inputs) in corpus.iter().zip(&inputs) {
        programs.extend(inputs.iter().map(|stdin| Program {
            id: program.id.clone(),
            source: Some(program.code.clone()),
            stdin: stdin.clone(),
            ..Program::default()
        }));
    }
    let mut told = args.outputs.tell(&programs)?.into_iter();
    let told: Vec<Vec<Told>> = inputs
        .iter()
        .map(|inputs| told.by_ref().take(inputs.len()).collect())
        .collect();
    let groups = duplicates(&inputs, &told);
    let known = told
        .iter()
        .filter(|told| told.iter().all(|t| t.text().is_some()));
    let known = known.count();
    let mut out = anstream::stdout().lock();
    if args.json {
        let group = |group: &Group| {
            let ids = group.programs.iter().map(|&at| corpus[at].id.as_str());
            json!({
                "programs": ids.collect::<Vec<_>>(),
                "inputs": group.inputs,
                "output": group.output,
                "confidence": group.confidence,
            })
        };
        let document = json!({
            "engine": args.outputs.row().name,
            "programs": corpus.len(),
            "with_output": known,
            "groups": groups.iter().map(group).collect::<Vec<_>>(),
        });
        writeln!(out, "{:#}", Json(document))?;
    } else {
        for group in &groups {
            let first = group.output.lines().next().unwrap_or_default();
            let more = if group.output.lines().count() > 1 {
                " …"
            } else {
                ""
            };
            let sure = match args.outputs.execute {
                true => String::new(),
                false => format!(" ({:.2})", group.confidence),
            };
            let shown: String = clean(first).chars().take(60).collect();
            writeln!(
                out,
                "{} programs print {shown}{more}{sure}",
                group.programs.len()
            )?;
            for &at in &group.programs {
                writeln!(out, "  {}", clean(&corpus[at].id))?;
            }
        }
        let how = if args.outputs.execute {
            "run"
        } else {
            "predicted"
        };
        let count = match groups.len() {
            1 => "1 group".to_owned(),
            n => format!("{n} groups"),
        };
        let all = corpus.len();
        writeln!(
            out,
            "{count}; {known} of {all} programs have a known output ({how})"
        )?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
