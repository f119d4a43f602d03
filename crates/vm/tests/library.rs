//! The Python files of the library.

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

/// The files of a module share its names: of two functions with the same name, the later one would
/// be called for both.
#[test]
fn names_of_a_module_are_unique() {
    let mut files = Vec::new();
    let lib = Path::new(env!("CARGO_MANIFEST_DIR")).join("lib");
    python_files(&lib, &mut files);
    assert!(files.len() > 100, "{files:?}");
    let mut names: BTreeMap<(String, String), Vec<PathBuf>> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        // It replaces the other files.
        if text.contains("\n# Level: operators\n") {
            continue;
        }
        let place = file.strip_prefix(&lib).unwrap();
        let module = match place.parent() {
            Some(module) if module != Path::new("") => module.display().to_string(),
            _ => place.display().to_string(),
        };
        for line in text.lines() {
            let named = line.strip_prefix("def ").or(line.strip_prefix("class "));
            if let Some(name) = named.and_then(|rest| rest.split(['(', ':']).next()) {
                let key = (module.clone(), name.to_owned());
                names.entry(key).or_default().push(place.to_owned());
            }
        }
    }
    names.retain(|_, places| places.len() > 1);
    assert!(names.is_empty(), "{names:?}");
}
