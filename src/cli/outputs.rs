//! Shared by commands that predict outputs: which engines can, and the file that stores
//! predictions.

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
    /// Store predicted outputs in this file and reuse stored ones, so that a killed run can be
    /// resumed.
    #[arg(long, value_name = "FILE")]
    outputs: Option<PathBuf>,
}

impl KeptArgs {
    /// The file, if one is named.
    pub(super) fn open(&self) -> anyhow::Result<Option<Recorded<Told>>> {
        let file = self.outputs.as_deref().map(Recorded::open);
        file.transpose().map_err(|why| anyhow!(why))
    }

    /// Rejects an engine that cannot predict outputs.
    pub(super) fn check_usage(&self, engine: &EngineArgs) -> anyhow::Result<()> {
        if engine.row().name == orca::ROW.name {
            return Err(usage(
                "--engine orca does not predict output; use --engine plan, whole, run or guide",
            ));
        }
        Ok(())
    }
}

/// The engine of a row, if there are several.
pub(super) fn one_engine(row: &Row, settings: &Settings) -> anyhow::Result<Box<dyn Engine>> {
    let engines = (row.open)(settings)?;
    engines.into_iter().next().context("no engine")
}
