//! `codexec search`: finds programs with the same behaviour as another.

mod duplicates;
mod index;
mod query;

use std::process::ExitCode;
use std::time::Duration;

use codexec_data::sandbox::Limits;
use codexec_data::trace::Program;

use super::outputs::{KeptArgs, one_engine};
use super::progress_bar;
use super::sandbox::SandboxArgs;
use crate::engine::outputs::{Teller, Told};
use crate::engine::{Row, Settings, plan, run as run_engine};

/// Find programs with the same behaviour, by encoder vectors and predicted outputs.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    Index(index::Args),
    Query(query::Args),
    Duplicates(duplicates::Args),
}

pub(super) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    super::single_threaded_products()?;
    match command {
        Command::Index(args) => index::run(args),
        Command::Query(args) => query::run(args),
        Command::Duplicates(args) => duplicates::run(args),
    }
}

/// The source of outputs.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct OutputArgs {
    /// Run the programs in the sandbox for their output instead of predicting it.
    #[arg(long)]
    pub execute: bool,
    /// Maximum steps of a predicted trace.
    #[arg(long, default_value_t = 4096, value_name = "N")]
    max_steps: u32,
    #[command(flatten)]
    kept: KeptArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

impl OutputArgs {
    /// The selected engine.
    pub(super) fn row(&self) -> &'static Row {
        if self.execute {
            &run_engine::ROW
        } else {
            &plan::ROW
        }
    }

    /// The output of each program.
    pub(super) fn tell(&self, programs: &[Program]) -> anyhow::Result<Vec<Told>> {
        let limits = Limits {
            wall: Duration::from_secs(3),
            cpu: Duration::from_secs(3),
            ..Limits::default()
        };
        let settings = Settings {
            together: true,
            max_steps: self.max_steps as usize,
            sandbox: self.sandbox.config(0, limits, Default::default()),
            ..Settings::default()
        };
        let row = self.row();
        let engine = one_engine(row, &settings)?;
        let kept = self.kept.open()?;
        let teller = Teller::new(row, engine.as_ref(), kept.as_ref())?;
        let doing = if row.executes {
            "running"
        } else {
            "predicting"
        };
        let bar = progress_bar(programs.len() as u64, doing);
        let told = teller.tell(programs, &|more| bar.inc(more as u64))?;
        bar.finish_and_clear();
        Ok(told)
    }
}
