//! `codexec data codenetmut`: a corpus with problem ids to train, valid and test, where only train is
//! mutated.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use codexec_data::build::{Counts, Report, Settings, Shard};
use codexec_data::records::{Part, divide_corpus};

use super::split::Division;
use crate::cli::mutate::{Making, Work};
use crate::cli::{mutate_summary, note, warn};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// A directory of NAME.py with NAME.in or NAME.1.in ..., or records with `code`.
    corpus: PathBuf,
    /// Directory for train, valid and test, each with its manifest, and for the programs of each.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    making: Making,
    #[command(flatten)]
    division: Division,
    /// Go on with a build that was stopped; start it where there is none.
    #[arg(long)]
    resume: bool,
    /// Print the summaries as one JSON document.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let config = args.division.config()?;
    let finished = Part::ALL.map(|part| manifest(&args.out, part));
    if !args.resume && finished.iter().any(|file| file.exists()) {
        bail!(
            "{}: holds a build already; go on with it by --resume, or choose another directory",
            args.out.display()
        );
    }
    let programs = divide_corpus(&args.corpus, &args.out.join("programs"), &config)?;
    let (mut reports, mut taken) = (Vec::new(), Vec::new());
    // What is reported is made first: its code is kept out of what is learnt from, mutants included.
    for (part, divided) in Part::ALL.into_iter().zip(&programs).rev() {
        if divided.elsewhere > 0 {
            note(&format!(
                "{}: {} programs left out: their code is in another part, under another problem",
                part.name(),
                divided.elsewhere
            ));
        }
        if divided.programs == 0 {
            warn(&format!(
                "{}: no program: too few problems for its share",
                part.name()
            ));
            continue;
        }
        let mutated = part == Part::Train;
        let work = Work {
            settings: Settings {
                per_program: if mutated {
                    args.making.settings().per_program
                } else {
                    0
                },
                ..args.making.settings()
            },
            shard: Shard::default(),
            jobs: args.making.jobs(),
            begin,
            taken: taken.clone(),
        };
        let out = args.out.join(format!("{}.jsonl.zst", part.name()));
        let report = work.build(&divided.file, Some(&out))?;
        note(&format!(
            "{}: {} records of {} problems{}",
            out.display(),
            report.counts.records,
            divided.problems,
            if mutated { "" } else { ", not mutated" },
        ));
        reports.push((part, report));
    }
    args.say(&reports)?;
    Ok(ExitCode::SUCCESS)
}

/// Where the build of a part notes that it is done.
fn manifest(out: &Path, part: Part) -> PathBuf {
    out.join(format!("{}.jsonl.zst.manifest.json", part.name()))
        taken.push(out.clone());
}
    reports.reverse();

impl Args {
    fn say(&self, reports: &[(Part, Report)]) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        if self.json {
            let parts: serde_json::Map<_, _> = reports
                .iter()
                .map(|(part, report)| (part.name().to_owned(), mutate_summary::json(report)))
                .collect();
            writeln!(out, "{}", serde_json::to_string_pretty(&parts)?)?;
            return Ok(());
        }
        let counts: Option<&Counts> = reports
            .iter()
            .find(|(part, _)| *part == Part::Train)
            .map(|(_, report)| &report.counts);
        if let Some(counts) = counts {
            out.write_all(mutate_summary::text(counts).as_bytes())?;
        }
        Ok(())
    }
}
