//! `codexec data codenetmut`: splits a corpus by problem id into train, valid and test, and mutates
//! only train.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use codexec_data::files::Reservation;
use codexec_data::mutants::{Begin, Counts, Output, Report, Settings, Shard};
use codexec_data::records::{Part, divide_corpus};

use super::split::Division;
use crate::cli::mutate::{BeginArgs, Making, Work};
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
    #[command(flatten)]
    begin: BeginArgs,
    /// Print the summaries as one JSON document.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.making.check()?;
    let config = args.division.config()?;
    let (begin, shown) = (args.begin.begin(), args.out.display().to_string());
    let _reserved = Reservation::of_directory(&args.out).with_context(|| shown.clone())?;
    let files = Part::ALL.map(|part| args.out.join(format!("{}.jsonl.zst", part.name())));
    let is_there = |file: &PathBuf| {
        let built = Output::named(file);
        [file.clone(), built.manifest(), built.parts()]
            .iter()
            .any(|place| place.exists())
    };
    if begin == Begin::Anew && files.iter().any(is_there) {
        bail!(
            "{shown}: already holds a build; resume it with --resume, overwrite it with --force, or \
             choose another directory"
        );
    }
    let programs = divide_corpus(&args.corpus, &args.out.join("programs"), &config)?;
    let (mut reports, mut taken) = (Vec::new(), Vec::new());
    // Test programs come first: their code and its mutants are kept out of the training data.
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
            sandbox: args.making.sandbox.clone(),
            begin,
            taken: taken.clone(),
        };
        let out = &files[part as usize];
        let report = work.build(&divided.file, Some(out))?;
        note(&format!(
            "{}: {} records of {} problems{}",
            out.display(),
            report.counts.records,
            divided.problems,
            if mutated { "" } else { ", not mutated" },
        ));
        reports.push((part, report));
        taken.push(out.clone());
    }
    reports.reverse();
    args.say(&reports)?;
    Ok(ExitCode::SUCCESS)
}

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
