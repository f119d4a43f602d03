//! `codexec search query`: finds the programs of an index most similar to another.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use super::OutputArgs;
use super::index::open;
use crate::cli::input::{read_program, show_syntax_error, stdin_of};
use crate::cli::json::Json;
use crate::cli::view::text::clean;
use crate::cli::{note, say};
use crate::engine::outputs::Told;
use crate::search::{Hit, Index, Query};

/// Find the programs of an index most similar to another program.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec search query scripts.parquet snippet.py
  codexec search query scripts.parquet snippet.py --top 3 --json
  codexec search query scripts.parquet snippet.py --input '3 4'   compare its output
  codexec search query scripts.parquet snippet.py --execute       run it for its output
  cat snippet.py | codexec search query scripts.parquet -

The score is the cosine of the vectors, and 0.2 of the similarity of what both print, where that is known.")]
pub(in crate::cli) struct Args {
    /// The index, as written by `codexec search index`.
    index: PathBuf,
    /// The program to look for; - for standard input.
    program: PathBuf,
    /// Number of results.
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,
    /// Standard input of the program (default: NAME.in beside NAME.py).
    #[arg(long, value_name = "TEXT", conflicts_with = "stdin")]
    input: Option<String>,
    /// File with the standard input of the program.
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// Checkpoint of the encoder that made the index (default: the embedded encoder).
    #[arg(long, value_name = "DIR|NAME")]
    model: Option<String>,
    /// Compare vectors only.
    #[arg(long, conflicts_with = "execute")]
    no_outputs: bool,
    #[command(flatten)]
    outputs: OutputArgs,
    /// Number of cells to read, nearest first, if the index has cells.
    #[arg(long, default_value_t = 32, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cells: u32,
    /// Read all cells of an index.
    #[arg(long, conflicts_with = "cells")]
    exact: bool,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (file, embedder) = open(&args.index, args.model.as_deref())?;
    let stdin = stdin_of(&args.program, args.input.as_deref(), args.stdin.as_deref())?;
    let program = read_program(&args.program, stdin)?;
    let source = program.source.clone().unwrap_or_default();
    let vector = embedder.embed(&[&source], &|_| {})?.remove(0);
    let vector = match vector {
        Ok(vector) => vector,
        Err(error) => {
            say(&show_syntax_error(&program.id, &source, &error.0));
            return Ok(ExitCode::from(1));
        }
    };
    let index = match args.exact {
        true => file.read()?,
        false => file.read_near(&vector, args.cells as usize)?,
    };
    let told = match args.no_outputs || index.outputs == "none" {
        true => None,
        false => args.outputs.tell(std::slice::from_ref(&program))?.pop(),
    };
    let output = told.as_ref().and_then(Told::text);
    if let Some(Told::Failed { why, .. } | Told::Unknown { why }) = &told {
        note(&format!(
            "{}: what it prints is not known ({why}); vectors alone decide",
            program.id
        ));
    }
    let query = Query {
        vector: &vector,
        output: output.filter(|output| !output.trim().is_empty()),
    };
    let found = index.nearest(&query, args.top as usize);
    let mut out = anstream::stdout().lock();
    if args.json {
        let hits: Vec<_> = found.iter().map(|hit| as_json(&index, hit)).collect();
        let document = json!({
            "program": program.id,
            "output": output,
            "model": index.model,
            "outputs": index.outputs,
            "programs": file.programs(),
            "searched": index.entries.len(),
            "found": hits,
        });
        writeln!(out, "{:#}", Json(document))?;
    } else {
        let how = match args.outputs.execute {
            true => "prints",
            false => "is predicted to print",
        };
        write!(out, "{}", text(&index, &found, query.output, how))?;
        let (all, searched) = (file.programs(), index.entries.len());
        if searched < all {
            note(&format!(
                "approximate: {searched} of {all} programs were compared; --exact compares all"
            ));
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn as_json(index: &Index, hit: &Hit) -> serde_json::Value {
    let entry = &index.entries[hit.entry];
    json!({
        "id": entry.id,
        "problem": entry.problem,
        "score": hit.score,
        "cosine": hit.cosine,
        "output_similarity": hit.output,
        "input": entry.input,
        "output": entry.output,
        "confidence": entry.confidence,
        "code": entry.code,
    })
}

/// Characters shown of an output.
const SHOWN: usize = 40;

fn text(index: &Index, found: &[Hit], output: Option<&str>, how: &str) -> String {
    let short = |text: &str| {
        let text = format!("{:?}", text.trim_end());
        match text.char_indices().nth(SHOWN) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        }
    };
    let mut all = String::new();
    if let Some(output) = output {
        all += &format!("{how} {}\n", clean(&short(output)));
    }
    all += "score  cosine  outputs  program\n";
    for hit in found {
        let entry = &index.entries[hit.entry];
        let alike = hit
            .output
            .map_or("–".to_owned(), |alike| format!("{alike:.2}"));
        let prints = match &entry.output {
            Some(output) if !output.trim().is_empty() => format!("  prints {}", short(output)),
            _ => String::new(),
        };
        let name = clean(&entry.id);
        all += &format!(
            "{:5.2}  {:6.2}  {alike:>7}  {name}{}\n",
            hit.score,
            hit.cosine,
            clean(&prints)
        );
    }
    all
}
