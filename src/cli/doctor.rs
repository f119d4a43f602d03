//! `codexec doctor`: reports the isolation, interpreter and model in use.

use std::io::Write;
use std::process::ExitCode;

use codexec_data::sandbox::{Limits, Packages, Pool};
use serde_json::json;

use super::clean;
use super::json::Json;
use super::sandbox::SandboxArgs;
use crate::model::embedded;

/// Show which isolation, interpreter and model are used.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  codexec doctor --json")]
pub(super) struct Args {
    #[command(flatten)]
    sandbox: SandboxArgs,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let config = args
        .sandbox
        .config(1, Limits::default(), Packages::default());
    let pool = Pool::new(config);
    let models = embedded::describe();
    let mut out = anstream::stdout().lock();
    if args.json {
        let sandbox = match &pool {
            Ok(pool) => serde_json::to_value(pool.isolation())?,
            Err(error) => json!({ "error": error.to_string() }),
        };
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "models": models,
            "sandbox": sandbox,
        });
        writeln!(out, "{:#}", Json(report))?;
    } else {
        writeln!(out, "codexec    {}", env!("CARGO_PKG_VERSION"))?;
        for model in &models {
            writeln!(out, "model      {model}")?;
        }
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
