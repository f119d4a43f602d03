//! Programs of several files: what is planned, and what the sandbox runs, against what CPython 3.11 did
//! (`fixtures/projects/make_expected.py`).

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

#[path = "support/skip.rs"]
mod skip;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use codexec::engine::project::{self, Files};
use codexec_data::sandbox::{self, Pool, PoolConfig, Traced};
use codexec_data::trace::{Event, Outcome, Program, Trace};
use codexec_plan::machine::{Finder, Settings};
use codexec_plan::oracles::Nobody;
use codexec_plan::scheduler::plan;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/projects")
}

fn program(root: &Path) -> Program {
    let arguments = fs::read_to_string(root.join("arguments.txt")).unwrap_or_default();
    Program {
        id: "main.py".to_owned(),
        source: Some(fs::read_to_string(root.join("main.py")).unwrap()),
        root: Some(root.to_owned()),
        arguments: arguments.lines().map(str::to_owned).collect(),
        ..Program::default()
    }
}

fn planned(root: &Path) -> (Trace, Option<String>) {
    planned_with(root, Arc::new(Files))
}

fn planned_with(root: &Path, finder: Arc<dyn Finder>) -> (Trace, Option<String>) {
    let program = program(root);
    let settings = Settings {
        finder: Some(finder),
        ..Settings::default()
    };
    let planned = plan(&program, &settings, &mut Nobody).unwrap().unwrap();
    (planned.trace, planned.unsupported.map(|stop| stop.what))
}

/// A trace as `make_expected.py` writes it.
fn text(trace: &Trace) -> String {
    let path = |file: u32| trace.files[file as usize].path.as_str();
    let mut text = String::new();
    for step in &trace.steps {
        let event = match step.event {
            Event::Call => "call",
            Event::Line => "line",
            Event::Return => "return",
        };
        let (file, line, function) = (path(step.file), step.line, &step.function);
        writeln!(text, "{file} {event} {line} {function}").unwrap();
    }
    let end = match &trace.outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::Raised {
            exception,
            message,
            line,
            file,
            ..
        } => format!("{exception} {}:{line} {message}", path(*file)),
        other => format!("{other:?}"),
    };
    write!(text, "--\n{}--\n{end}\n", trace.output()).unwrap();
    text
}

/// The projects of the folder.
fn projects() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap();
    let places = entries.map(|entry| entry.unwrap().path());
    let projects: Vec<PathBuf> = places
        .filter(|place| place.is_dir() && !place.ends_with("__pycache__"))
        .collect();
    assert_eq!(projects.len(), 7);
    projects
}

/// Where a trace differs from what CPython did. `None`: nowhere.
fn difference(root: &Path, trace: &Trace, how: &str) -> Option<String> {
    let place = root.parent().unwrap().display().to_string();
    let expected = fs::read_to_string(root.with_extension("txt")).unwrap();
    let found = text(trace).replace(&place, "");
    let expected = expected.replace(&place, "");
    if found == expected {
        return None;
    }
    let differs = found.lines().zip(expected.lines());
    let at = differs.take_while(|(a, b)| a == b).count();
    let from = |text: &str| {
        let lines = text.lines().skip(at.saturating_sub(2)).take(6);
        lines.collect::<Vec<_>>().join("\n  ")
    };
    Some(format!(
        "{} ({how}), line {}\nfound:\n  {}\nexecuted:\n  {}",
        root.display(),
        at + 1,
        from(&found),
        from(&expected)
    ))
}

#[test]
fn projects_are_planned_as_cpython_executes_them() {
    let mut wrong = Vec::new();
    for root in projects() {
        let (trace, stopped) = planned(&root);
        let paths: BTreeSet<&str> = trace.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths.len(), trace.files.len(), "{root:?}");
        wrong.extend(difference(&root, &trace, &format!("stopped: {stopped:?}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_sandbox_runs_projects_as_cpython_does_and_changes_nothing() {
    let config = PoolConfig {
        launcher: Some(env!("CARGO_BIN_EXE_codexec").into()),
        workers: 1,
        ..PoolConfig::default()
    };
    let pool = match Pool::new(config) {
        Ok(pool) => pool,
        Err(error) => return skip::skip(error.to_string()),
    };
    if !pool.isolation().version.starts_with("3.11.") {
        return skip::skip("the events are those of CPython 3.11");
    }
    let mut wrong = Vec::new();
    for root in projects() {
        let trace = pool.run(&program(&root)).unwrap();
        wrong.extend(difference(&root, &trace, "run"));
        assert!(trace.files.iter().skip(1).all(|file| file.source.is_some()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(folder().join("files/data/items.csv").exists());
    assert!(!folder().join("files/made").exists());
}

/// Choices of the files that are traced of `fixtures/modules`, with what is included and what is omitted.
const CHOICES: [(&str, &[&str], &[&str]); 3] = [
    ("plain", &[], &[]),
    ("omitted", &[], &["hidden_part.py"]),
    ("included", &["priced", "tools/words.py"], &[]),
];

/// Modules of another directory and packages beside the program of `fixtures/modules`.
fn modules((_, include, omit): (&str, &[&str], &[&str])) -> (PathBuf, sandbox::Packages) {
    let place = folder().with_file_name("modules").canonicalize().unwrap();
    let texts = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
    let packages = sandbox::Packages {
        installed: true,
        environment: vec![place.join("site")],
        names: vec!["priced".to_owned(), "helper".to_owned()],
        paths: vec![place.join("lib")],
        traced: Traced::new(&texts(include), &texts(omit)).unwrap(),
        ..sandbox::Packages::default()
    };
    (place.join("root"), packages)
}

/// The steps with their states.
fn states(trace: &Trace) -> Vec<String> {
    let state = |step: &codexec_data::trace::Step| {
        let pairs = step
            .state
            .iter()
            .map(|(name, value)| format!("{name}={}", value.text));
        let pairs = pairs.collect::<Vec<_>>().join(" ");
        format!("{}:{} {pairs} | {}", step.file, step.line, step.output)
    };
    trace.steps.iter().map(state).collect()
}

#[test]
fn modules_elsewhere_and_packages_are_executed_and_traced_where_that_is_asked_for() {
    for choice in CHOICES {
        let (root, packages) = modules(choice);
        let finder = project::Packages::of(None, &packages).unwrap();
        let (trace, stopped) = planned_with(&root, Arc::new(finder));
        assert_eq!(stopped, None, "{}", choice.0);
        let expected = root.with_file_name(format!("{}.txt", choice.0));
        let expected = fs::read_to_string(expected).unwrap();
        assert_eq!(text(&trace), expected, "{} (planned)", choice.0);
        let config = PoolConfig {
            launcher: Some(env!("CARGO_BIN_EXE_codexec").into()),
            workers: 1,
            packages,
            ..PoolConfig::default()
        };
        let pool = match Pool::new(config) {
            Ok(pool) => pool,
            Err(error) => return skip::skip(error.to_string()),
        };
        if !pool.isolation().version.starts_with("3.11.") {
            return skip::skip("the events are those of CPython 3.11");
        }
        let run = pool.run(&program(&root)).unwrap();
        assert_eq!(text(&run), expected, "{} (run)", choice.0);
        assert_eq!(states(&trace), states(&run), "{}", choice.0);
        assert!(run.files.iter().skip(1).all(|file| file.source.is_some()));
    }
}

#[test]
fn the_library_is_walked_from_source_and_a_package_that_is_not_installed_is_missing() {
    if let Err(error) = sandbox::standard_library(None) {
        return skip::skip(error.to_string());
    }
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    // A directory of data does not stand before a module of the library.
    fs::create_dir(root.join("json")).unwrap();
    fs::write(root.join("json/data.txt"), "1").unwrap();
    let source = r#"import colorsys
import errno
import fileinput
import fnmatch
import getopt
import ntpath
from http import HTTPStatus
from http.cookies import SimpleCookie
import json
from html.parser import HTMLParser
from xml.sax.saxutils import escape

print(colorsys.rgb_to_hsv(0.2, 0.4, 0.4), fnmatch.filter(["a.py", "b.txt"], "*.py"))
print(getopt.getopt(["-a", "--x=3", "rest"], "a", ["x="]), json.dumps([1]))
print(escape("a < b"))


class Tags(HTMLParser):
    def handle_starttag(self, tag, attrs):
        print(tag, attrs)


Tags().feed("<p class='x'>text<br></p>")
cookie = SimpleCookie()
cookie["a"] = "b"
print(HTTPStatus(404).phrase, HTTPStatus.OK == 200, cookie.output(), ntpath.join("a", "b"), errno.ENOENT)
with open("lines.txt", "w") as file:
    file.write("one\ntwo\n")
for line in fileinput.input(["lines.txt"]):
    print(fileinput.lineno(), line, end="")
import pickle
import zipfile
from email.mime.text import MIMEText


class Point:
    def __init__(self, x):
        self.x = x


with open("points.pkl", "wb") as file:
    pickle.dump([Point(1), {"a": (1.5, None)}], file)
with open("points.pkl", "rb") as file:
    point, rest = pickle.load(file)
print(point.x, rest)
with zipfile.ZipFile("a.zip", "w") as archive:
    archive.writestr("a.txt", "text")
with zipfile.ZipFile("a.zip") as archive:
    print(archive.namelist(), archive.read("a.txt"))
letter = MIMEText("body")
letter["Subject"] = "hi"
print(letter["subject"], letter.get_content_type())
try:
    from collections import Sequence
except ImportError as error:
    print(error.name)
import nowhere_at_all
"#;
    fs::write(root.join("main.py"), source).unwrap();
    let known = |are_all| project::Packages {
        are_all,
        library: project::Library::of(None),
        ..project::Packages::default()
    };
    let (trace, stopped) = planned_with(&root, Arc::new(known(true)));
    assert_eq!(stopped, None);
    let expected = "(0.5, 0.5, 0.4) ['a.py']\n([('-a', ''), ('--x', '3')], ['rest']) [1]\n\
        a &lt; b\np [('class', 'x')]\nbr []\nNot Found True Set-Cookie: a=b a\\b 2\n1 one\n2 two\n\
        1 {'a': (1.5, None)}\n['a.txt'] b'text'\nhi text/plain\ncollections\n";
    assert_eq!(trace.output(), expected);
    match &trace.outcome {
        Outcome::Raised {
            exception,
            message,
            line,
            ..
        } => {
            let said = (exception.as_str(), message.as_str(), *line);
            let wanted = "No module named 'nowhere_at_all'";
            assert_eq!(said, ("ModuleNotFoundError", wanted, 57));
        }
        other => panic!("{other:?}"),
    }
    // Frames of the library are not shown.
    assert!(
        trace
            .files
            .iter()
            .all(|file| !file.path.contains("colorsys"))
    );
    // Where other packages may be installed, nothing is known of the module.
    let (trace, _) = planned_with(&root, Arc::new(known(false)));
    assert_eq!(trace.output(), expected);
    assert_eq!(trace.outcome, Outcome::Finished);
}
