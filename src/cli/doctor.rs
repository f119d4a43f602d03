//! `codexec doctor`: what is in force on this machine.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use codexec_data::sandbox::{Pool, PoolConfig};
use serde_json::json;

use super::clean;
use super::json::Json;
use crate::tasks::default_model;

/// Show which isolation, interpreter and model are used.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  codexec doctor --json")]
pub(super) struct Args {
    /// Interpreter to use instead of the first one on the path.
    #[arg(long, value_name = "FILE")]
    python: Option<PathBuf>,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let config = PoolConfig {
        python: args.python.clone(),
        workers: 1,
        ..PoolConfig::default()
    };
    let pool = Pool::new(config);
    let model = default_model::describe();
    let mut out = anstream::stdout().lock();
    if args.json {
        let sandbox = match &pool {
            Ok(pool) => serde_json::to_value(pool.isolation())?,
            Err(error) => json!({ "error": error.to_string() }),
        };
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "model": model,
            "sandbox": sandbox,
        });
        writeln!(out, "{:#}", Json(report))?;
    } else {
        writeln!(out, "codexec    {}", env!("CARGO_PKG_VERSION"))?;
        let model = model.as_deref().unwrap_or("none embedded");
        writeln!(out, "model      {model}")?;
        let sandbox = match &pool {
            Ok(pool) => pool.isolation().to_string(),
            Err(error) => format!("sandbox    not usable: {error}"),
        };
        for line in sandbox.lines() {
            writeln!(out, "{}", clean(line))?;
        }
    }
    out.flush()?;
    Ok(if pool.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}
