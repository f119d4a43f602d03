//! `codexec man`: manual pages.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

/// Write manual pages, one for each subcommand.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  codexec man ~/.local/share/man/man1")]
pub(super) struct Args {
    /// Output directory, created if missing. Pages of the same names are replaced.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub(super) fn run(args: &Args, command: clap::Command) -> anyhow::Result<ExitCode> {
    let place = || args.directory.display().to_string();
    std::fs::create_dir_all(&args.directory).with_context(place)?;
    clap_mangen::generate_to(command, &args.directory).with_context(place)?;
    Ok(ExitCode::SUCCESS)
}
