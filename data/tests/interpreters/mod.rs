//! The Pythons of this machine, and runs of the tracer's own script under them. Nothing here is
//! sandboxed: the programs are those of this directory.

#![allow(dead_code, clippy::unwrap_used)]

use serde_json::Value;
#[path = "../../../tests/support/skip.rs"]
mod skip;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// One interpreter.
#[derive(Debug, Clone)]
pub(crate) struct Python {
    /// Its executable.
    pub path: PathBuf,
    /// Major and minor version.
    pub version: (u32, u32),
}

/// Interpreters from 3.8 on, one for each minor version: those of `CODEXEC_PYTHONS` (paths with
/// colons between), of pyenv, and `python3`. The oldest version comes first.
pub(crate) fn pythons() -> &'static [Python] {
    static FOUND: OnceLock<Vec<Python>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found: Vec<Python> = Vec::new();
        for path in candidates() {
            let Some(version) = version_of(&path) else {
                continue;
            };
            if version >= (3, 8) && found.iter().all(|p| p.version != version) {
                found.push(Python { path, version });
            }
        }
        found.sort_by_key(|p| p.version);
        found
    })
}

/// CPython 3.11, whose behaviour is the norm; prints why and gives `None` if there is none.
pub(crate) fn norm() -> Option<&'static Python> {
    let found = pythons().iter().find(|p| p.version == (3, 11));
    if found.is_none() {
        skip::skip("no CPython 3.11 on this machine (set CODEXEC_PYTHONS)");
    }
    found
}

fn candidates() -> Vec<PathBuf> {
    let listed = std::env::var("CODEXEC_PYTHONS").unwrap_or_default();
    let mut paths: Vec<PathBuf> = std::env::split_paths(&listed)
        .filter(|p| !p.as_os_str().is_empty())
        .collect();
    let versions = std::env::var_os("HOME").map(|h| Path::new(&h).join(".pyenv/versions"));
    if let Some(entries) = versions.and_then(|v| std::fs::read_dir(v).ok()) {
        paths.extend(entries.flatten().map(|e| e.path().join("bin/python3")));
    }
    paths.push(PathBuf::from("python3"));
    paths
}

fn version_of(path: &Path) -> Option<(u32, u32)> {
    let code = "import sys; print(sys.version_info[0], sys.version_info[1])";
    let out = Command::new(path).args(["-c", code]).output().ok()?;
    let text = String::from_utf8(out.stdout).ok()?;
    let (major, minor) = text.trim().split_once(' ')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// What the script prints for a program: the payload of `trace_program`, as text.
pub(crate) fn trace_text(
    python: &Python,
    program: &Path,
    options: &[&str],
    hash_seed: &str,
) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/sandbox/tracer.py");
    let mut command = Command::new(&python.path);
    command.args(["-s", "-S"]).arg(script);
    command.arg("--trace-file").arg(program);
    let input = program.with_extension("in");
    if input.exists() {
        command.arg("--stdin").arg(input);
    }
    command.args(options).env_clear();
    command.env("PYTHONHASHSEED", hash_seed);
    command.env("PYTHONUTF8", "1");
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.stdin(Stdio::null());
    let out = command.output().unwrap();
    assert!(
        out.status.success(),
        "{} under {:?}: {}",
        program.display(),
        python.version,
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap()
}

/// The payload for a program of the directory.
pub(crate) fn trace(python: &Python, program: &Path) -> Value {
    serde_json::from_str(&trace_text(python, program, &[], "0")).unwrap()
}

/// The payload for a source text.
pub(crate) fn trace_source(python: &Python, source: &str, options: &[&str]) -> Value {
    let file = tempfile::Builder::new().suffix(".py").tempfile().unwrap();
    std::fs::write(file.path(), source).unwrap();
    serde_json::from_str(&trace_text(python, file.path(), options, "0")).unwrap()
}

/// The programs of the directory, in order of their numbers.
pub(crate) fn programs() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|x| x == "py"))
        .collect();
    paths.sort();
    paths
}

/// Name of a program, as `01_assignments`.
pub(crate) fn name_of(program: &Path) -> String {
    program.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Names and texts of a step's state.
pub(crate) fn state(step: &Value) -> Vec<(&str, &str)> {
    let flat: Vec<&str> = step[4]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t.as_str().unwrap())
        .collect();
    flat.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

/// The steps of a payload.
pub(crate) fn steps(payload: &Value) -> &Vec<Value> {
    payload["steps"].as_array().unwrap()
}
