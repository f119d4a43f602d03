//! `codexec guide learn`: a predictor of missing values from recorded events.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use codexec_data::files::write_whole;
use serde_json::json;

use super::json::Json;
use super::{note, progress_bar};
use crate::eval::guide::read_lines;
use crate::eval::values::{ValueScores, score};
use crate::values::events::{Part, ValueEvent, divide};
use crate::values::linear::{LearningSettings, learn};
use crate::values::predictors::Linear;

/// Learn which values go with which names, from events recorded by `codexec guide record`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec guide record -- python -m pytest
  codexec guide learn events.jsonl.zst --out mine.safetensors
  codexec guide snippet.py --predictor-model mine.safetensors
  codexec guide learn a.jsonl.zst b.jsonl.zst --fresh --out values.safetensors

The embedded predictor learns your events on top of what it knows; with --fresh it learns yours alone. \
Of each file every fifth package (if it has five or more) and one place in twenty of the others are not \
learned; the share of them that is predicted right is printed. The same events, in the same order, give \
the same file.")]
pub(super) struct Args {
    /// Events: JSON Lines, plain, .gz or .zst.
    #[arg(required = true, value_name = "FILE")]
    events: Vec<PathBuf>,
    /// Output file of the predictor.
    #[arg(long, value_name = "FILE", default_value = "values.safetensors")]
    out: PathBuf,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
    /// Learn from scratch instead of continuing from the embedded predictor.
    #[arg(long)]
    fresh: bool,
    /// Number of passes over the events.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    epochs: u32,
    /// Minimum number of events with a feature.
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    least: u32,
    /// First step size of a feature.
    #[arg(long, default_value_t = 0.03, value_name = "RATE", value_parser = rate)]
    rate: f32,
    /// Maximum events per package, sampled evenly.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    most: Option<u32>,
    /// Seed of the order of events.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print the scores as JSON to standard output.
    #[arg(long)]
    json: bool,
}

fn rate(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if value > 0.0 && value <= 10.0 => Ok(value),
        _ => Err("expected a number, more than 0 and at most 10".to_owned()),
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let _reserved = super::data::reserve(&args.out, args.force)?;
    let mut learned = Vec::new();
    let mut held_out: [Vec<ValueEvent>; 2] = Default::default();
    for file in &args.events {
        let events: Vec<ValueEvent> = read_lines(file)?;
        let parts = divide(&events);
        for (event, part) in events.into_iter().zip(parts) {
            match part {
                Part::Train => learned.push(event),
                Part::Places => held_out[0].push(event),
                Part::Packages => held_out[1].push(event),
            }
        }
    }
    if let Some(most) = args.most {
        learned = evenly(learned, most as usize);
    }
    if learned.is_empty() {
        bail!("{} has no events to learn from", args.events[0].display());
    }
    let started = Instant::now();
    let settings = LearningSettings {
        epochs: args.epochs,
        rate: args.rate,
        least: args.least,
        seed: args.seed,
    };
    let from = match args.fresh {
        true => None,
        false => Some(Linear::embedded()?.into_model()),
    };
    let references: Vec<&ValueEvent> = learned.iter().collect();
    let bar = progress_bar(references.len() as u64, "learning");
    let model = learn(&references, from.as_ref(), settings, |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let bytes = model.to_bytes()?;
    write_whole(&args.out, &bytes).with_context(|| args.out.display().to_string())?;
    let predictor = Linear::of(model);
    let [places, packages] = held_out.map(|events| {
        let events: Vec<&ValueEvent> = events.iter().collect();
        score(&events, &predictor).remove("all")
    });
    args.report(
        learned.len(),
        started.elapsed().as_secs_f64(),
        places,
        packages,
    )
}

impl Args {
    fn report(
        &self,
        learned: usize,
        seconds: f64,
        places: Option<ValueScores>,
        packages: Option<ValueScores>,
    ) -> anyhow::Result<ExitCode> {
        if self.json {
            let document = json!({
                "learned": learned,
                "seconds": seconds,
                "places": places,
                "packages": packages,
                "out": self.out,
            });
            let mut out = anstream::stdout().lock();
            writeln!(out, "{:#}", Json(document))?;
            out.flush()?;
            return Ok(ExitCode::SUCCESS);
        }
        note(&format!(
            "{learned} events learned in {seconds:.0} s; the predictor is in {}",
            self.out.display()
        ));
        for (what, scores) in [("places", places), ("packages", packages)] {
            if let Some(scores) = scores {
                note(&format!(
                    "{:.1} % of {} values of {what} that were held out are predicted right",
                    scores.fine[0] * 100.0,
                    scores.events
                ));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// At most this many events per package, spread evenly.
fn evenly(events: Vec<ValueEvent>, most: usize) -> Vec<ValueEvent> {
    let mut counts: BTreeMap<String, usize> = Default::default();
    for event in &events {
        *counts.entry(event.package.clone()).or_default() += 1;
    }
    let mut at: BTreeMap<String, usize> = Default::default();
    let mut kept = Vec::new();
    for event in events {
        let all = counts[&event.package];
        let n = at.entry(event.package.clone()).or_default();
        // The items of `all` at which a multiple of `most / all` is passed.
        let is_taken = all <= most || (*n + 1) * most / all > *n * most / all;
        *n += 1;
        if is_taken {
            kept.push(event);
        }
    }
    kept
}
