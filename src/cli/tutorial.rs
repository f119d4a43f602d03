//! `codexec data tutorial`: the examples of the Python tutorial, checked and mutated.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use codexec_data::examples::tutorial::{Report, TutorialConfig, tutorial_records};
use codexec_data::sources::read_docs;
use serde::Serialize;

use super::data::{Common, operators};
use super::progress_bar;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The documentation: a directory with _sources/tutorial (unpacked HTML archive) or tutorial
    /// (Doc of CPython's repository) (default: the installed one).
    #[arg(long, value_name = "DIR")]
    docs: Option<PathBuf>,
    /// Mutants per example.
    #[arg(long, default_value_t = 20, value_name = "N")]
    mutants: usize,
    /// Mutation operators, such as CRP,ROR,AOR, or `all` (docs/operators.md).
    #[arg(
        long,
        default_value = "CRP",
        value_delimiter = ',',
        value_name = "CODES"
    )]
    operators: Vec<String>,
    /// Print a summary with disagreements as one JSON document.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    common: Common,
}

/// Output of `--json`.
#[derive(Serialize)]
struct Summary {
    out: PathBuf,
    records: usize,
    #[serde(flatten)]
    report: Report,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let operators = operators(&args.operators)?;
    let _reserved = args.common.reserve()?;
    let pool = args.common.pool()?;
    let docs = read_docs(args.docs.as_deref(), &pool.isolation().version)?;
    let config = TutorialConfig {
        mutants: args.mutants,
        operators,
        max_source_words: args.common.max_source,
        max_target_words: args.common.max_target,
        seed: args.common.seed,
    };
    let blocks: usize = docs.pages.iter().map(|page| page.blocks.len()).sum();
    let bar = progress_bar(blocks as u64, "examples");
    let (records, report) = tutorial_records(&pool, &docs, &config, &|n| bar.inc(n as u64))?;
    bar.finish_and_clear();
    let code = args.common.write(&records)?;
    if args.json {
        let summary = Summary {
            out: args.common.out.clone(),
            records: records.len(),
            report,
        };
        writeln!(std::io::stdout(), "{}", serde_json::to_string(&summary)?)?;
    } else {
        explain(&report);
    }
    Ok(code)
}

fn explain(report: &Report) {
    let dropped: Vec<String> = report
        .dropped
        .iter()
        .map(|(why, n)| format!("{why} {n}"))
        .collect();
    super::note(&format!(
        "documentation {}, Python {}: {} pages, {} blocks, {} examples, {} kept; left out: {}; {} entries are no Python",
        report.documentation,
        report.python,
        report.pages,
        report.blocks,
        report.examples,
        report.kept,
        dropped.join(", "),
        report.not_python,
    ));
    super::note(&format!(
        "recorded answers: {} compared, {} the same, {} the same by doctest's rules; values in traces: {} of {} the same",
        report.compared,
        report.exact,
        report.normalised,
        report.values_agree,
        report.values_compared,
    ));
    super::note(&format!(
        "mutants: {} of {} kept",
        report.mutants_kept, report.mutants_run
    ));
    for found in &report.disagreements {
        super::warn(&format!(
            "{}: `{}`: recorded `{}`, here `{}`",
            found.place, found.code, found.recorded, found.answered
        ));
    }
}
