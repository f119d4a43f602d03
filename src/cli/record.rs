//! `codexec guide record`: records the values that a project's code uses while its owner's command
//! runs.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};

use anyhow::{Context, bail};
use codexec_data::recorder::{Recorder, RecorderSettings};
use serde_json::json;

use super::json::Json;
use super::note;
use crate::values::{Recorded, recorded_events, write_events};

/// Record the values that your own project uses while a command runs, such as its test suite.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  codexec guide record -- python -m pytest
  codexec guide record --out events.jsonl.zst --exclude tests -- pytest -x -n 4
  codexec guide record --package idna -- python script.py --flag

The command runs as you would run it: OUTSIDE THE SANDBOX, with everything that you may do. Only record \
commands that you trust. Every Python process that it starts is recorded, its children included, by a \
sitecustomize.py on PYTHONPATH; interpreters started with -I, -E or -S are not. Modules below the \
project's directory are rewritten when they are imported; their files and byte code stay untouched.

The exit code is the command's own, or 1 if nothing was recorded.")]
pub(super) struct Args {
    /// Output file of events: JSON Lines, as .jsonl or .jsonl.zst.
    #[arg(long, value_name = "FILE", default_value = "events.jsonl.zst", value_parser = ending)]
    out: PathBuf,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
    /// The project. Modules below this directory are recorded, except in virtual environments.
    #[arg(long, value_name = "DIR", default_value = ".")]
    project: PathBuf,
    /// Also record this package, wherever it is installed. Can be repeated.
    #[arg(long, value_name = "NAME")]
    package: Vec<String>,
    /// Leave out a module and its submodules (`thing.vendored`), or a path below the project
    /// (`tests`). Can be repeated.
    #[arg(long, value_name = "NAME|PATH")]
    exclude: Vec<String>,
    /// Print a JSON summary to standard output. The command's output goes to standard error.
    #[arg(long)]
    json: bool,
    /// The command, after `--`.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

fn ending(text: &str) -> Result<PathBuf, String> {
    if text.ends_with(".jsonl") || text.ends_with(".jsonl.zst") {
        Ok(PathBuf::from(text))
    } else {
        Err("give a name that ends in .jsonl or .jsonl.zst".to_owned())
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let root = args
        .project
        .canonicalize()
        .with_context(|| format!("--project {}", args.project.display()))?;
    let out = std::path::absolute(&args.out)?;
    // Before the command runs, which can take hours.
    let _reserved = super::data::reserve(&args.out, args.force)?;
    let recorder = Recorder::new(RecorderSettings {
        root: root.clone(),
        packages: args.package.clone(),
        exclude: args.exclude.clone(),
    })?;
    let status = recorder.run(&args.command, args.json)?;
    let recording = recorder.recording()?;
    let project = project_name(&root);
    let recorded = recorded_events(&recording, &root, &project);
    let code = exit_code(status);
    if recorded.events.is_empty() {
        note(&format!("{} ended with {status}", shown(&args.command)));
        for (file, why) in &recorded.skipped {
            note(&format!("skipped {file}: {why}"));
        }
        bail!(
            "nothing was recorded: no Python process of the command imported a module below {} that is \
             not excluded; name the directory of the project with --project, or its packages with \
             --package",
            root.display()
        );
    }
    write_events(&recorded.events, &out).with_context(|| out.display().to_string())?;
    args.report(&recorded, recording.processes, &status, code)?;
    Ok(ExitCode::from(code))
}

impl Args {
    fn report(
        &self,
        recorded: &Recorded,
        processes: usize,
        status: &ExitStatus,
        code: u8,
    ) -> anyhow::Result<()> {
        if self.json {
            let document = json!({
                "events": recorded.events.len(),
                "files": recorded.files,
                "skipped": recorded.skipped,
                "processes": processes,
                "out": self.out,
                "command": shown(&self.command),
                "exit": code,
            });
            let mut out = anstream::stdout().lock();
            writeln!(out, "{:#}", Json(document))?;
            return Ok(out.flush()?);
        }
        for (file, why) in &recorded.skipped {
            note(&format!("skipped {file}: {why}"));
        }
        note(&format!(
            "{} events of {} files and {} processes in {}; {} files skipped; the command ended with {status}",
            recorded.events.len(),
            recorded.files.len(),
            processes,
            self.out.display(),
            recorded.skipped.len(),
        ));
        Ok(())
    }
}

fn shown(command: &[OsString]) -> String {
    let words = command.iter().map(|c| c.to_string_lossy());
    words.collect::<Vec<_>>().join(" ")
}

/// The command's exit code, as in a shell.
fn exit_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return 128u8.wrapping_add(signal as u8);
        }
    }
    status.code().map_or(1, |code| (code & 0xff) as u8)
}

/// The project's name for itself, or its directory without a version.
fn project_name(root: &Path) -> String {
    let declared = || {
        let text = std::fs::read_to_string(root.join("pyproject.toml")).ok()?;
        let document: toml::Table = text.parse().ok()?;
        let name = document.get("project")?.get("name")?.as_str()?;
        Some(name.to_owned())
    };
    let directory = || {
        let name = root.file_name().map(|n| n.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| "project".to_owned());
        let versioned = name
            .rsplit_once('-')
            .filter(|(_, v)| v.starts_with(|c: char| c.is_ascii_digit()));
        versioned.map_or(name.clone(), |(name, _)| name.to_owned())
    };
    let name = declared().unwrap_or_else(directory);
    name.to_lowercase().replace(['-', '.'], "_")
}
