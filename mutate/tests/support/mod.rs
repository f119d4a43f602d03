//! Where the tests find Python programs on this machine.

use std::path::{Path, PathBuf};

/// The files of the standard library of this machine's Python, sorted; `None`, said so, without one.
pub(crate) fn stdlib() -> Option<Vec<PathBuf>> {
    let systems = (8..20).rev().flat_map(|minor| {
        ["/usr/lib", "/usr/local/lib", "/opt/homebrew/lib"].map(|l| format!("{l}/python3.{minor}"))
    });
    let named = std::env::var_os("PYTHON_STDLIB").map(PathBuf::from);
    let mut places = named.into_iter().chain(systems.map(PathBuf::from));
    let Some(folder) = places.find(|p| p.join("ast.py").exists()) else {
        println!("skipped: no standard library of Python found; set PYTHON_STDLIB");
        return None;
    };
    let mut found = Vec::new();
    python_files(&folder, &mut found);
    found.sort();
    Some(found)
}

fn python_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("site-packages") && !path.ends_with("dist-packages") {
            python_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "py") {
            found.push(path);
        }
    }
}
