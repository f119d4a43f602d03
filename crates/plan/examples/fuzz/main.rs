//! Plans random programs and compares with their runs:
//! `cargo run --release -p codexec-plan --example fuzz -- --seed 1 --count 300`. See `docs/fuzz.md`.

mod campaign;
mod comparison;
mod generator;
mod minimiser;
mod report;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::Parser;
use codexec_data::sandbox::launcher_hook;

use comparison::Comparison;
use generator::Generator;

/// Plans random programs and compares with their runs.
#[derive(Debug, Parser)]
#[command(name = "fuzz", after_help = EXAMPLES)]
struct Args {
    /// The first seed: each seed is a program
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seeds
    #[arg(long, default_value_t = 300)]
    count: u64,
    /// Statements of a program: N or LEAST-MOST
    #[arg(long, default_value = "1-5")]
    statements: String,
    /// Stop after this many seconds, and print the seed to continue from
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// Minimise programs that are silently wrong, differ in their message, or break the planner
    #[arg(long)]
    minimise: bool,
    /// Maximum seconds to minimise one program
    #[arg(long, value_name = "N", default_value_t = 20)]
    minimise_seconds: u64,
    /// Keep rows and progress there; the same command resumes, even after the planner killed the process
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Write the report as JSON
    #[arg(long)]
    json: bool,
    /// Print the programs of the seeds instead of judging them
    #[arg(long)]
    print: bool,
    /// Hide progress
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  fuzz --seed 1 --count 300                    counts, and what is silently wrong
  fuzz --seed 5000 --count 1000 --statements 1 --minimise
  fuzz --count 100000 --keep target/fuzz       goes on where it was stopped
  fuzz --seed 17 --count 1 --print             the program of a seed";

fn main() -> Result<()> {
    launcher_hook();
    let args = Args::parse();
    let generator = Generator::new(statements(&args.statements)?).map_err(|why| anyhow!(why))?;
    if args.print {
        for seed in args.seed..args.seed.saturating_add(args.count) {
            print!("# seed {seed}\n{}", generator.program(seed).source);
        }
        return Ok(());
    }
    let plan = campaign::Plan {
        seed: args.seed,
        count: args.count,
        statements: args.statements,
        time: args.seconds.map(Duration::from_secs),
        minimise: args
            .minimise
            .then(|| Duration::from_secs(args.minimise_seconds)),
        keep: args.keep,
        quiet: args.quiet,
    };
    // A panic of the planner is a row, not a message.
    std::panic::set_hook(Box::new(|_| ()));
    let report = campaign::run(&plan, &generator, &Comparison::new(None)?)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", report::text(&report));
    }
    Ok(())
}

/// `3` or `3-7`.
fn statements(text: &str) -> Result<RangeInclusive<u64>> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let wrong =
        || anyhow!("--statements {text}: a number such as 3, or two such as 3-7, is needed");
    let (least, most) = (
        least.parse().map_err(|_| wrong())?,
        most.parse().map_err(|_| wrong())?,
    );
    if least == 0 || least > most {
        return Err(wrong());
    }
    Ok(least..=most)
}
