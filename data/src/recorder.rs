//! Runs a command of the user's own with Python's imports rewritten, and collects which values its
//! modules used: the raw observations, as `data/python/record.py` writes them.
//!
//! The command runs as the user started it: outside the sandbox, with the user's permissions. The
//! caller processes the observations.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use serde::Deserialize;

const RECORD: &str = include_str!("../python/record.py");
/// What Python imports at the start of every process.
const AT_START: &str = "sitecustomize.py";

/// Errors besides those of the command itself.
#[derive(Debug, thiserror::Error)]
pub enum RecorderError {
    /// The command could not be started.
    #[error("cannot run {command}: {why}; give a command as you would type it, behind `--`")]
    Start {
        /// The command.
        command: String,
        /// The error.
        why: std::io::Error,
    },
    /// Files of observations could not be made or read.
    #[error("{path}: {why}; make room and let this user write there")]
    File {
        /// The file or directory.
        path: PathBuf,
        /// The error.
        why: std::io::Error,
    },
}

/// Which modules are recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecorderSettings {
    /// The project: modules below it are recorded.
    pub root: PathBuf,
    /// Packages that are recorded wherever they lie.
    pub packages: Vec<String>,
    /// Dotted names of modules, or paths below the project, to leave out.
    pub exclude: Vec<String>,
}

/// One use of a value in a module: its place, and its class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Observation {
    /// The file.
    pub file: PathBuf,
    /// The module's dotted name.
    pub module: String,
    /// First line of the name, 1-based.
    pub line: u32,
    /// Byte in that line.
    pub column: u32,
    /// Last line of the name.
    pub end_line: u32,
    /// Byte behind it.
    pub end_column: u32,
    /// The variable, attribute or function.
    pub name: String,
    /// `variable`, `attribute` or `return value`.
    pub kind: String,
    /// The class of the value.
    pub class: String,
}

/// The output of a command's processes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recording {
    /// Every observation once, in order.
    pub observations: BTreeSet<Observation>,
    /// Files that could not be rewritten, and why.
    pub skipped: BTreeMap<PathBuf, String>,
    /// Processes that recorded anything.
    pub processes: usize,
}

/// A command to record. Its auxiliary files are removed on drop.
#[derive(Debug)]
pub struct Recorder {
    place: tempfile::TempDir,
    settings: RecorderSettings,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Row {
    Seen(Observation),
    Skipped(PathBuf, String),
}

impl Recorder {
    /// Writes what Python loads at its start.
    ///
    /// # Errors
    /// If there is no room for temporary files.
    pub fn new(settings: RecorderSettings) -> Result<Self, RecorderError> {
        let wrong = |path: &Path, why| RecorderError::File {
            path: path.to_owned(),
            why,
        };
        let place = tempfile::Builder::new()
            .prefix("codexec-record-")
            .tempdir()
            .map_err(|e| wrong(&std::env::temp_dir(), e))?;
        let start = place.path().join("start");
        let files = [start.clone(), place.path().join("parts")];
        for directory in &files {
            std::fs::create_dir(directory).map_err(|e| wrong(directory, e))?;
        }
        for name in [AT_START, "record.py"] {
            let file = start.join(name);
            std::fs::write(&file, RECORD).map_err(|e| wrong(&file, e))?;
        }
        Ok(Self { place, settings })
    }

    /// Runs the command to its end. Its standard output goes to standard error if `aside` is set.
    ///
    /// # Errors
    /// If it cannot be started. Its failure is not an error: see the status.
    pub fn run(&self, command: &[OsString], aside: bool) -> Result<ExitStatus, RecorderError> {
        let start = self.place.path().join("start");
        let before = std::env::var_os("PYTHONPATH").filter(|path| !path.is_empty());
        let paths = [start.clone()]
            .into_iter()
            .chain(before.iter().flat_map(std::env::split_paths));
        let failed = |why| RecorderError::Start {
            command: command
                .iter()
                .map(|c| c.to_string_lossy())
                .collect::<Vec<_>>()
                .join(" "),
            why,
        };
        let joined = std::env::join_paths(paths)
            .map_err(|e| failed(std::io::Error::new(std::io::ErrorKind::InvalidInput, e)))?;
        let settings = serde_json::json!({
            "root": self.settings.root,
            "packages": self.settings.packages,
            "exclude": self.settings.exclude,
            "parts": self.place.path().join("parts"),
        });
        let command_line = with_script(command, &start.join("record.py"));
        let Some((program, arguments)) = command_line.split_first() else {
            return Err(failed(std::io::ErrorKind::InvalidInput.into()));
        };
        let mut process = Command::new(program);
        process
            .args(arguments)
            .env("PYTHONPATH", joined)
            .env("CODEXEC_RECORD", settings.to_string());
        if aside {
            process.stdout(Stdio::from(std::io::stderr()));
        }
        process.status().map_err(failed)
    }

    /// Output of its processes so far.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn recording(&self) -> Result<Recording, RecorderError> {
        let parts = self.place.path().join("parts");
        let wrong = |path: &Path| {
            let path = path.to_owned();
            move |why| RecorderError::File { path, why }
        };
        let mut recording = Recording::default();
        for entry in std::fs::read_dir(&parts).map_err(wrong(&parts))? {
            let path = entry.map_err(wrong(&parts))?.path();
            let file = std::fs::File::open(&path).map_err(wrong(&path))?;
            recording.processes += 1;
            for line in BufReader::new(file).lines() {
                let line = line.map_err(wrong(&path))?;
                // The last line of a process that was killed may be cut.
                match serde_json::from_str(&line) {
                    Ok(Row::Seen(seen)) => {
                        recording.observations.insert(seen);
                    }
                    Ok(Row::Skipped(file, why)) => {
                        recording.skipped.insert(file, why);
                    }
                    Err(_) => {}
                }
            }
        }
        Ok(recording)
    }
}

/// Options of the interpreter that take the argument behind them.
const WITH_ARGUMENT: [&str; 3] = ["-W", "-X", "--check-hash-based-pycs"];

/// `python script.py` as `python record.py script.py`: the main file is not imported, so we have to
/// rewrite it ourselves. Other commands are unchanged.
fn with_script(command: &[OsString], record: &Path) -> Vec<OsString> {
    let mut found = command.to_vec();
    let name = command
        .first()
        .map(|c| Path::new(c).file_name().unwrap_or_default());
    if !name.is_some_and(|n| n.to_string_lossy().starts_with("python")) {
        return found;
    }
    let mut at = 1;
    while let Some(argument) = command.get(at).map(|a| a.to_string_lossy()) {
        if WITH_ARGUMENT.contains(&&*argument) {
            at += 2;
        } else if argument.starts_with('-')
            && argument != "-"
            && !argument.starts_with("-c")
            && !argument.starts_with("-m")
        {
            at += 1;
        } else {
            if Path::new(&*argument).is_file() {
                found.insert(at, record.into());
            }
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_scripts_are_run_by_another_file() {
        let place = tempfile::tempdir().unwrap();
        let script = place.path().join("s.py");
        std::fs::write(&script, "").unwrap();
        let script = script.to_string_lossy().into_owned();
        let of = |line: &[&str]| -> Vec<String> {
            let command: Vec<OsString> = line.iter().map(OsString::from).collect();
            let found = with_script(&command, Path::new("R"));
            found
                .iter()
                .map(|a| a.to_string_lossy().into_owned())
                .collect()
        };
        assert_eq!(
            of(&["python3", &script, "a"]),
            ["python3", "R", &script, "a"]
        );
        let optioned = ["/usr/bin/python3.12", "-W", "error", "-B", &script];
        assert_eq!(of(&optioned)[4..], ["R".to_owned(), script.clone()]);
        for other in [
            &["python3", "-m", "pytest", &script][..],
            &["python3", "-c", "pass", &script],
            &["python3", "-"],
            &["pytest", &script],
            &["python3"],
        ] {
            assert_eq!(of(other), other);
        }
    }
}
