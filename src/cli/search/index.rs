//! `codexec search index`: stores the programs of a corpus as vectors and outputs.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use codexec_data::sources::CorpusProgram;
use codexec_data::trace::Program;
use serde_json::json;

use super::OutputArgs;
use crate::cli::data::{corpus, reserve};
use crate::cli::json::Json;
use crate::cli::view::text::clean;
use crate::cli::{note, progress_bar, usage, warn};
use crate::engine::outputs::Told;
use crate::search::{
    APPROXIMATE_FROM, Embedder, Entry, Index, IndexFile, read_index, usual_cells, write_index,
};

/// Make an index of programs: a Parquet file with a vector and a predicted output for each.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec search index scripts/ --out scripts.parquet
  codexec search index corpus.jsonl.zst --out corpus.parquet --outputs kept.jsonl   resume later
  codexec search index more/ --out scripts.parquet --add      add what is new, replace what changed
  codexec search index scripts/ --out scripts.parquet --execute   true outputs, from the sandbox
  codexec search index huge.jsonl.zst --out huge.parquet --no-outputs --approximate
  codexec search query scripts.parquet snippet.py

A program's test case is its first standard input: NAME.in beside NAME.py, or `samples`. Columns: id, problem, code, \
input, output, confidence, vector. More: docs/search.md.")]
pub(in crate::cli) struct Args {
    /// Programs: a directory of NAME.py with NAME.in, …; or JSON Lines(.zst) or Parquet with `code`.
    corpus: PathBuf,
    /// The index, a Parquet file.
    #[arg(long, value_name = "INDEX")]
    out: PathBuf,
    /// Add to an existing index. Programs with a known id are replaced if their code or input
    /// changed.
    #[arg(long, conflicts_with = "force")]
    add: bool,
    /// Overwrite an existing index.
    #[arg(long)]
    force: bool,
    /// Checkpoint directory of the encoder, or a name on the Hugging Face hub (default: the
    /// embedded encoder).
    #[arg(long, value_name = "DIR|NAME")]
    model: Option<String>,
    /// Divide the index into cells of similar vectors, of which a query reads only the nearest: for
    /// large indexes. Default from a million programs on.
    #[arg(long)]
    approximate: bool,
    /// Store vectors only: no output is predicted or run.
    #[arg(long, conflicts_with = "execute")]
    no_outputs: bool,
    #[command(flatten)]
    outputs: OutputArgs,
    /// Seed of the cells of --approximate.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print a summary as JSON instead of text.
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.out.extension().is_none_or(|end| end != "parquet") {
        return Err(usage(
            "--out: an index is a Parquet file; give a name that ends in .parquet",
        ));
    }
    let _reserved = reserve(&args.out, args.force || args.add)?;
    let embedder = Embedder::open(args.model.as_deref())?;
    let outputs = match args.no_outputs {
        true => "none",
        false => args.outputs.row().name,
    };
    let mut index = Index::new(&embedder, outputs)?;
    // A missing index is created.
    if args.add && args.out.exists() {
        let old = read_index(&args.out)?;
        check_same(&args.out.display().to_string(), &old, &index)?;
        index = old;
    }
    let programs = corpus::read(&args.corpus)?;
    let places: HashMap<String, usize> = places(&index);
    let (mut fresh, mut kept) = (Vec::new(), 0);
    for program in programs {
        let input = program.inputs(1).into_iter().flatten().next();
        let old = places.get(&program.id).map(|&at| &index.entries[at]);
        match old {
            Some(old) if old.code == program.code && old.input == input => kept += 1,
            _ => fresh.push((program, input)),
        }
    }
    let (made, without) = entries(args, &embedder, fresh)?;
    let (mut added, mut replaced) = (0, 0);
    let mut places = places;
    for entry in made {
        match places.get(&entry.id) {
            Some(&at) => {
                index.entries[at] = entry;
                replaced += 1;
            }
            None => {
                places.insert(entry.id.clone(), index.entries.len());
                index.entries.push(entry);
                added += 1;
            }
        }
    }
    if index.entries.is_empty() {
        let cause = match without {
            0 => "no program in it",
            _ => "no program in it parses",
        };
        bail!("{}: {cause}", args.corpus.display());
    }
    let programs = index.entries.len();
    if args.approximate || index.cells.is_some() || programs >= APPROXIMATE_FROM {
        note(&format!("dividing {programs} programs into cells"));
        index.divide(usual_cells(programs), args.seed);
    }
    write_index(&args.out, &index)?;
    let with_output = index.entries.iter().filter(|e| e.output.is_some()).count();
    let mut out = anstream::stdout().lock();
    if args.json {
        let summary = json!({
            "index": args.out.display().to_string(),
            "model": index.model,
            "outputs": index.outputs,
            "programs": index.entries.len(),
            "added": added,
            "replaced": replaced,
            "unchanged": kept,
            "without_vector": without,
            "with_output": with_output,
            "cells": index.cells.as_ref().map(|cells| cells.rows.len()),
        });
        writeln!(out, "{:#}", Json(summary))?;
    } else {
        let path = clean(&args.out.display().to_string());
        let all = match index.entries.len() {
            1 => "1 program".to_owned(),
            n => format!("{n} programs"),
        };
        let known = match index.outputs.as_str() {
            "none" => String::new(),
            "run" => format!(", {with_output} of them with what they print"),
            _ => format!(", {with_output} of them with a predicted output"),
        };
        writeln!(
            out,
            "{path}: {all}{known}; {added} added, {replaced} replaced, {kept} unchanged"
        )?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn places(index: &Index) -> HashMap<String, usize> {
    let ids = index.entries.iter().map(|entry| entry.id.clone());
    ids.zip(0..).collect()
}

/// Rejects vectors of another encoder, and outputs of another engine.
fn check_same(path: &str, old: &Index, new: &Index) -> anyhow::Result<()> {
    if (old.digest.as_str(), old.width) != (new.digest.as_str(), new.width) {
        bail!(
            "{path}: its vectors were made by {} ({}), not by {} ({}); name that encoder with --model, or rebuild the index with --force",
            old.model,
            old.digest,
            new.model,
            new.digest
        );
    }
    if old.outputs != new.outputs {
        let option = match old.outputs.as_str() {
            "run" => "add --execute",
            "none" => "add --no-outputs",
            _ => "leave out --execute and --no-outputs",
        };
        bail!(
            "{path}: its outputs are those of `{}`, not of `{}`; {option}",
            old.outputs,
            new.outputs
        );
    }
    Ok(())
}

/// The entries of programs, and the number without a vector.
fn entries(
    args: &Args,
    embedder: &Embedder,
    fresh: Vec<(CorpusProgram, Option<String>)>,
) -> anyhow::Result<(Vec<Entry>, usize)> {
    let codes: Vec<&str> = fresh
        .iter()
        .map(|(program, _)| program.code.as_str())
        .collect();
    let bar = progress_bar(codes.len() as u64, "windows embedded");
    let vectors = embedder.embed(&codes, &|more| bar.inc(more as u64));
    bar.finish_and_clear();
    let told: Vec<Option<Told>> = match args.no_outputs {
        true => vec![None; fresh.len()],
        false => {
            let one = |(program, input): &(CorpusProgram, Option<String>)| Program {
                id: program.id.clone(),
                source: Some(program.code.clone()),
                stdin: input.clone(),
                ..Program::default()
            };
            let programs: Vec<Program> = fresh.iter().map(one).collect();
            args.outputs
                .tell(&programs)?
                .into_iter()
                .map(Some)
                .collect()
        }
    };
    note_unknown(&fresh, &told);
    let (mut made, mut without) = (Vec::with_capacity(fresh.len()), 0usize);
    for (((program, input), vector), told) in fresh.into_iter().zip(vectors?).zip(told) {
        let vector = match vector {
            Ok(vector) => vector,
            Err(error) => {
                without += 1;
                if without <= 10 {
                    warn(&format!("{}: left out: {error}", program.id));
                }
                continue;
            }
        };
        let output = told
            .as_ref()
            .and_then(|told| told.text().map(str::to_owned));
        made.push(Entry {
            confidence: output
                .is_some()
                .then(|| told.map_or(0.0, |told| told.confidence())),
            id: program.id,
            problem: program.problem,
            code: program.code,
            input,
            output,
            vector,
        });
    }
    if without > 10 {
        note(&format!(
            "{without} programs in total do not parse and are left out"
        ));
    }
    Ok((made, without))
}

/// Explains missing outputs if no program has one: most likely the inputs are missing.
fn note_unknown(fresh: &[(CorpusProgram, Option<String>)], told: &[Option<Told>]) {
    let why = |told: &Option<Told>| match told {
        Some(Told::Failed { why, .. } | Told::Unknown { why }) => Some(why.clone()),
        _ => None,
    };
    let causes: Option<Vec<String>> = told.iter().map(why).collect();
    let causes = causes.unwrap_or_default();
    if let (Some(cause), Some((program, input))) = (causes.first(), fresh.first()) {
        let hint = match input {
            None => "; standard input is read from NAME.in beside NAME.py, or from `samples`",
            Some(_) => "",
        };
        note(&format!(
            "no output is known, so that vectors alone will decide: {}: {cause}{hint}",
            program.id
        ));
    }
}

/// Opens an index and the encoder that made it.
pub(super) fn open(
    path: &std::path::Path,
    model: Option<&str>,
) -> anyhow::Result<(IndexFile, Embedder)> {
    let file = IndexFile::open(path)?;
    let embedder = Embedder::open(model).with_context(|| match model {
        None => "the embedded encoder".to_owned(),
        Some(model) => model.to_owned(),
    })?;
    let head = file.head();
    if (head.digest.as_str(), head.width) != (&embedder.digest()?, embedder.width()) {
        bail!(
            "{}: its vectors were made by {} ({}), and this is {} ({}); name that encoder with --model, or rebuild the index",
            path.display(),
            head.model,
            head.digest,
            embedder.name(),
            embedder.digest()?
        );
    }
    Ok((file, embedder))
}
