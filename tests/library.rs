//! Programs of `fixtures/library`, whose modules of the library are walked from source, against what CPython 3.11 printed
//! (`python3.11 NAME.py > NAME.txt`); and files that packages have beside their modules.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

#[path = "support/skip.rs"]
mod skip;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use codexec::engine::project::{Library, Packages};
use codexec_data::sandbox;
use codexec_data::trace::Program;
use codexec_plan::machine::Settings;
use codexec_plan::oracles::Nobody;
use codexec_plan::scheduler::plan;

/// What a program is planned to print, and why planning stopped.
fn planned(root: &Path, source: &str, packages: Packages) -> (String, Option<String>) {
    let program = Program {
        id: "main.py".to_owned(),
        source: Some(source.to_owned()),
        root: Some(root.to_owned()),
        ..Program::default()
    };
    let settings = Settings {
        finder: Some(Arc::new(packages)),
        max_steps: 100_000,
        ..Settings::default()
    };
    let planned = plan(&program, &settings, &mut Nobody).unwrap().unwrap();
    let ended = format!("{:?}\n", planned.trace.outcome);
    let ended = if ended == "Finished\n" { "" } else { &ended };
    let output = format!("{}{ended}", planned.trace.output());
    (output, planned.unsupported.map(|stop| stop.what))
}

fn library() -> Packages {
    Packages {
        are_all: true,
        library: Library::of(None),
        ..Packages::default()
    }
}

#[test]
fn programs_are_planned_as_cpython_executes_them() {
    if let Err(error) = sandbox::standard_library(None) {
        return skip::skip(error.to_string());
    }
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/library");
    let files = fs::read_dir(folder).unwrap();
    let mut programs: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    programs.retain(|file| file.extension().is_some_and(|kind| kind == "py"));
    programs.sort();
    assert!(programs.len() >= 3);
    let mut wrong = Vec::new();
    for file in programs {
        let source = fs::read_to_string(&file).unwrap();
        let expected = fs::read_to_string(file.with_extension("txt")).unwrap();
        let (output, stopped) = planned(&root, &source, library());
        if output != expected || stopped.is_some() {
            let mut lines = output.lines().zip(expected.lines());
            let first = lines.find(|(found, wanted)| found != wanted);
            wrong.push(format!("{}: {stopped:?} {first:?}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_read_what_packages_have_beside_their_modules() {
    if let Err(error) = sandbox::standard_library(None) {
        return skip::skip(error.to_string());
    }
    let place = tempfile::tempdir().unwrap();
    let place = place.path().canonicalize().unwrap();
    let (root, packages) = (place.join("root"), place.join("packages"));
    let write = |path: &str, text: &str| {
        let file = packages.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    fs::create_dir(&root).unwrap();
    write(
        "thing/__init__.py",
        "try:\n    from .fast import *\n    is_fast = True\nexcept ImportError:\n    is_fast = False\n",
    );
    write("thing/fast.py", "from ._fast import speed\n");
    write("thing/_fast.cpython-311-x86_64-linux-gnu.so", "");
    write("thing/data.txt", "some data\n");
    write(
        "thing-1.2.dist-info/METADATA",
        "Metadata-Version: 2.1\nName: thing\nVersion: 1.2\n",
    );
    write(
        "thing-1.2.dist-info/entry_points.txt",
        "[shop]\ntea = thing:brew\n",
    );
    let source = r#"import pkgutil
import sys
from importlib import metadata, resources
import thing

print(thing.is_fast, pkgutil.get_data("thing", "data.txt"))
print(resources.files("thing").joinpath("data.txt").read_text(), end="")
print(resources.read_text("thing", "data.txt"), end="")
print(metadata.version("thing"), [(one.name, one.value) for one in metadata.entry_points(group="shop")])
try:
    metadata.version("nothing")
except metadata.PackageNotFoundError as error:
    print(error)
print(len(sys.path), sys.path[-1].rpartition("/")[2])
"#;
    let packages = Packages {
        names: vec!["thing".to_owned()],
        directories: vec![packages],
        ..library()
    };
    let (output, stopped) = planned(&root, source, packages);
    let expected = "False b'some data\\n'\nsome data\nsome data\n1.2 [('tea', 'thing:brew')]\n\
        No package metadata was found for nothing\n5 packages\n";
    assert_eq!((output.as_str(), stopped), (expected, None));
}
