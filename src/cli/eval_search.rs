//! `codexec eval search`: how well a search with one program finds others of the same problem.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use codexec_data::sources::CorpusProgram;
use codexec_data::trace::Program;

use super::data::corpus;
use super::eval_figures::{self, PageArgs};
use super::json::Json;
use super::search::OutputArgs;
use super::{note, progress_bar, single_threaded_products};
use crate::eval::search::{Way, score_search};
use crate::search::{Bm25, Embedder, OUTPUT_WEIGHT, cosine, similar};

/// Score code-to-code search by problem: bags of tokens, vectors and outputs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  codexec eval search valid.jsonl.zst
  codexec eval search valid.jsonl.zst --model unixcoder/ --outputs kept.jsonl --json

Programs are those of the corpus with a problem and a sample whose output is known. Every one of them is a query, and \
the others of its problem are right. Outputs are those on the first sample, predicted and run.")]
pub(super) struct Args {
    /// Programs with `problem_id` and `samples`: JSON Lines(.zst) or Parquet.
    corpus: PathBuf,
    /// Checkpoint directory of the encoder, or a name on the Hugging Face hub (default: the
    /// embedded encoder).
    #[arg(long, value_name = "DIR|NAME")]
    model: Option<String>,
    /// Use only the first programs, at most this many.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    limit: Option<u32>,
    /// Leave out the row of true outputs, so that nothing is run.
    #[arg(long)]
    no_run: bool,
    #[command(flatten)]
    outputs: OutputArgs,
    /// Bootstrap resamples per interval; 0 for no intervals.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(..=100_000))]
    bootstrap: u32,
    /// Seed of the resamples.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print JSON instead of a Markdown table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    page: PageArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let _page = args.page.reserve()?;
    single_threaded_products()?;
    let embedder = Embedder::open(args.model.as_deref())?;
    let (vectors, programs) = args.embedded(&embedder)?;
    if programs.len() < 2 {
        bail!(
            "{}: fewer than two programs with a problem and a sample whose output is known",
            args.corpus.display()
        );
    }
    let asked: Vec<Program> = programs.iter().map(on_first_sample).collect();
    let texts = |execute: bool| -> anyhow::Result<Vec<Option<String>>> {
        let mut asking = args.outputs.clone();
        asking.execute = execute;
        let told = asking.tell(&asked)?;
        Ok(told.iter().map(|t| t.text().map(str::to_owned)).collect())
    };
    let predicted = texts(false)?;
    let truth = match args.no_run {
        true => Vec::new(),
        false => texts(true)?,
    };
    let known = predicted.iter().flatten().count();
    note(&format!(
        "an output is predicted for {known} of {} programs",
        programs.len()
    ));
    let codes: Vec<&str> = programs.iter().map(|p| p.code.as_str()).collect();
    let bags = Bm25::new(&codes);
    let by_bags = |query: usize| bags.scores(codes[query]);
    let by_vectors = |query: usize| -> Vec<f64> {
        vectors
            .iter()
            .map(|vector| cosine(&vectors[query], vector))
            .collect()
    };
    let alike = |outputs: &[Option<String>], query: usize| -> Vec<f64> {
        let one = |output: &Option<String>| match (&outputs[query], output) {
            (Some(a), Some(b)) => similar(a, b),
            _ => 0.0,
        };
        outputs.iter().map(one).collect()
    };
    let with = |outputs: &[Option<String>], query: usize| -> Vec<f64> {
        let both = by_vectors(query).into_iter().zip(alike(outputs, query));
        both.map(|(cosine, alike)| cosine + OUTPUT_WEIGHT * alike)
            .collect()
    };
    let (encoder, both) = match embedder.is_contrastive() {
        true => ("encoder, contrastive", "contrastive"),
        false => ("encoder, zero-shot", "encoder"),
    };
    let by_predicted = |query: usize| with(&predicted, query);
    let by_truth = |query: usize| with(&truth, query);
    let outputs_alone = |query: usize| alike(&predicted, query);
    let way = |name: &str, scores, beside| Way {
        name: name.to_owned(),
        scores,
        beside,
    };
    let mut ways = vec![
        way(encoder, &by_vectors as &dyn Fn(usize) -> Vec<f64>, None),
        way("bag of tokens (BM25)", &by_bags, Some(0)),
        way("predicted outputs alone", &outputs_alone, Some(0)),
        way(
            &format!("{both} and predicted outputs"),
            &by_predicted,
            Some(0),
        ),
    ];
    if !args.no_run {
        let name = format!("{both} and true outputs");
        ways.push(way(&name, &by_truth, Some(0)));
    }
    let problems: Vec<&str> = programs
        .iter()
        .filter_map(|p| p.problem.as_deref())
        .collect();
    let scores = score_search(&problems, &ways, args.bootstrap as usize, args.seed);
    let about = eval_figures::about_problems(args.bootstrap);
    args.page.write("Searches of code by code", about, || {
        eval_figures::search(&scores)
    })?;
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", Json(&scores))?;
    } else {
        write!(out, "{scores}")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// Returns the programs that can be embedded, and their vectors.
    fn embedded(&self, embedder: &Embedder) -> anyhow::Result<(Vec<Vec<f32>>, Vec<CorpusProgram>)> {
        let has_output = |p: &CorpusProgram| p.samples.first().is_some_and(|s| s.output.is_some());
        let mut programs: Vec<CorpusProgram> = corpus::read(&self.corpus)?;
        programs.retain(|program| program.problem.is_some() && has_output(program));
        programs.truncate(self.limit.map_or(usize::MAX, |n| n as usize));
        let codes: Vec<&str> = programs.iter().map(|p| p.code.as_str()).collect();
        let bar = progress_bar(codes.len() as u64, "windows embedded");
        let vectors = embedder.embed(&codes, &|more| bar.inc(more as u64))?;
        bar.finish_and_clear();
        Ok(vectors
            .into_iter()
            .zip(programs)
            .filter_map(|(vector, program)| Some((vector.ok()?, program)))
            .unzip())
    }
}

/// Returns the program with the input of its first sample.
fn on_first_sample(program: &CorpusProgram) -> Program {
    Program {
        id: program.id.clone(),
        source: Some(program.code.clone()),
        stdin: program.samples.first().and_then(|s| s.input.clone()),
        ..Program::default()
    }
}
