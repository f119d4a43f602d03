//! The example programs do what their `.out` files say, under the Python that is installed. Says so
//! and skips where there is none. Nothing of codexec runs here: the files are input to its tests
//! and to its documentation, and must be true first.

#[path = "support/skip.rs"]
mod skip;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The programs that end with an exception, and with which.
const RAISING: &[(&str, &str)] = &[("10_raises_index", "IndexError: list index out of range")];

fn programs() -> Vec<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = fs::read_dir(examples).expect("examples/ is there");
    let paths = files.filter_map(|f| Some(f.ok()?.path()));
    let mut programs: Vec<PathBuf> = paths
        .filter(|p| p.extension().is_some_and(|e| e == "py"))
        .collect();
    programs.sort();
    programs
}

#[test]
fn examples_print_what_they_should() {
    if Command::new("python3").arg("--version").output().is_err() {
        skip::skip("there is no python3");
        return;
    }
    let programs = programs();
    assert_eq!(programs.len(), 10);
    for program in programs {
        let name = program.file_stem().unwrap().to_str().unwrap();
        let stdin = match File::open(program.with_extension("in")) {
            Ok(file) => Stdio::from(file),
            Err(_) => Stdio::null(),
        };
        let mut python = Command::new("python3");
        let run = python
            .arg("-I")
            .arg(&program)
            .stdin(stdin)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr);
        let expected = fs::read_to_string(program.with_extension("out")).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&run.stdout),
            expected,
            "{name}: {stderr}"
        );
        let raised = RAISING.iter().find(|(raising, _)| *raising == name);
        let last = stderr.lines().last();
        assert_eq!(last, raised.map(|(_, message)| *message), "{name}");
    }
}
