//! What the commands share that ask an engine what programs print: which engine can, and the file that keeps it.

use std::path::PathBuf;

use anyhow::{Context, anyhow};

use super::engines::EngineArgs;
use super::usage;
use crate::engine::outputs::Told;
use crate::engine::{Engine, Row, Settings, orca};
use crate::llm::Recorded;

/// The option that names the file.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct KeptArgs {
    /// Keep in this file what each program is told to print, and take from it what it has: a run goes on after a kill.
    #[arg(long, value_name = "FILE")]
    outputs: Option<PathBuf>,
}

impl KeptArgs {
    /// The file, if one is named.
    pub(super) fn open(&self) -> anyhow::Result<Option<Recorded<Told>>> {
        let file = self.outputs.as_deref().map(Recorded::open);
        file.transpose().map_err(|why| anyhow!(why))
    }

    /// Refuses an engine that tells no outputs.
    pub(super) fn check_usage(&self, engine: &EngineArgs) -> anyhow::Result<()> {
        if engine.row().name == orca::ROW.name {
            return Err(usage(
                "--engine orca says nothing of what is printed; use --engine plan, whole, run or guide",
            ));
        }
        Ok(())
    }
}

/// The engine of a row, which may be one of several.
pub(super) fn one_engine(row: &Row, settings: &Settings) -> anyhow::Result<Box<dyn Engine>> {
    let engines = (row.open)(settings)?;
    engines.into_iter().next().context("no engine")
}
