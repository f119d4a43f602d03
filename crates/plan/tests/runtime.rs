//! The Python code of the runtime.

#![allow(clippy::unwrap_used)] // A test that cannot read its files may panic.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn python_files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            python_files(&path, found);
        } else if path.extension().is_some_and(|end| end == "py") {
            found.push(path);
        }
    }
}

/// All files share one namespace: of two functions with one name the later one would be called for both.
#[test]
fn names_are_unique() {
    let mut files = Vec::new();
    let machine = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/machine");
    python_files(&machine, &mut files);
    assert!(files.len() > 10, "{files:?}");
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        // It stands in place of `logging/`.
        if file.ends_with("runtime/loggers.py") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text.lines() {
            let named = line.strip_prefix("def ").or(line.strip_prefix("class "));
            if let Some(name) = named.and_then(|rest| rest.split(['(', ':']).next()) {
                let place = file.file_name().unwrap().to_string_lossy().into_owned();
                names.entry(name.to_owned()).or_default().push(place);
            }
        }
    }
    names.retain(|_, places| places.len() > 1);
    assert!(names.is_empty(), "{names:?}");
}
