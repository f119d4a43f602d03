//! The evidence of a finding, and the share of true findings with the same evidence.
//!
//! Planning computes an error, but it may lack something decisive: a package, the arguments of callers, a detail of
//! Python. How often that happens depends on the available information, not on planning's confidence. So the figure of
//! a finding is the share of true ones among findings with the same evidence, from readings of public programs:
//! `figures.txt` has it, written by `runs/check_verdicts.py fit` from `docs/results/check_verdicts.jsonl`.
//!
//! Evidence is written as words, the coarsest first:
//!
//! | words | what |
//! |---|---|
//! | `run alone KIND` | the program ends so with nothing made up but its input, and needs no package |
//! | `run outside KIND` | the same of a program that imports a package of which nothing is known, or handles exceptions above the error |
//! | `call any KIND` | a call that nobody makes ends so, whatever it is given: a name, the parameters of a function, a module |
//! | `call bare KIND` | it ends in another error, and takes neither arguments nor an object |
//! | `call given KIND` | it ends in another error, and does so with arguments of which nothing is known, too |
//! | `call some name` | it reaches a missing name with some arguments only |
//!
//! If arguments may decide otherwise, a separate rule bounds the figure, and there is no evidence.

use std::path::Path;

use codexec_data::syntax::with_parsed;
use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{Stmt, StmtTry};
use ruff_python_stdlib::sys::is_known_standard_library;
use ruff_text_size::Ranged;

/// The supported version of the standard library.
const VERSION: u8 = 11;

/// Figures by evidence, one per line: the figure, then the words.
const FIGURES: &str = include_str!("figures.txt");

/// Properties around the lines of a file that may decide an error in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Whether it imports a package: neither a standard library module nor one of its project.
    has_packages: bool,
    /// The first line that handles exceptions.
    handles_from: Option<u32>,
}

impl Surroundings {
    /// From the text of a file. `path` is its location, `root` the directory of its imports.
    pub fn of(text: &str, path: &Path, root: Option<&Path>) -> Self {
        let found = with_parsed(text, |parsed| {
            let mut found = Found::default();
            found.visit_body(parsed.suite());
            found
        });
        let Ok(found) = found else {
            return Self {
                has_packages: true,
                handles_from: None,
            };
        };
        let beside = path.parent();
        let places = [beside, beside.and_then(Path::parent), root];
        let is_own = |top: &str| {
            let has =
                |place: &Path| place.join(format!("{top}.py")).exists() || place.join(top).is_dir();
            places.into_iter().flatten().any(has)
        };
        let is_package = |top: &String| {
            !top.starts_with('_') && !is_known_standard_library(VERSION, top) && !is_own(top)
        };
        let line = |at: usize| {
            let before = text[..at].bytes().filter(|byte| *byte == b'\n').count();
            u32::try_from(before + 1).unwrap_or(u32::MAX)
        };
        Self {
            has_packages: found.imported.iter().any(is_package),
            handles_from: found.handler.map(line),
        }
    }

    /// Whether something outside may decide an error on a line.
    fn is_outside(&self, line: u32) -> bool {
        self.has_packages || self.handles_from.is_some_and(|first| first <= line)
    }
}

/// Topmost packages of a file's imports, and its first exception handler.
#[derive(Debug, Default)]
struct Found {
    imported: Vec<String>,
    handler: Option<usize>,
}

impl Found {
    fn import(&mut self, module: &str) {
        let top = module.split('.').next().unwrap_or(module);
        self.imported.push(top.to_owned());
    }

    fn handle(&mut self, statement: &StmtTry) {
        let at = statement.range().start().to_usize();
        self.handler = Some(self.handler.map_or(at, |first| first.min(at)));
    }
}

impl Visitor<'_> for Found {
    fn visit_stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Import(import) => import.names.iter().for_each(|one| self.import(&one.name)),
            Stmt::ImportFrom(import) if import.level == 0 => {
                import.module.iter().for_each(|module| self.import(module));
            }
            Stmt::Try(statement) => self.handle(statement),
            _ => {}
        }
        walk_stmt(self, statement);
    }
}

/// The arguments of an injected call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// None, because it takes neither arguments nor an object.
    Nothing,
    /// Arguments, or an object. It also ends so with unknown ones.
    Whatever,
    /// Arguments that lead there, where others may not.
    Some,
}

/// The evidence of a finding, in words. `call`: the arguments of an injected call; then the class of the exception, its
/// message and its line.
pub fn evidence(
    around: &Surroundings,
    call: Option<Given>,
    (exception, message, line): (&str, &str, u32),
) -> String {
    let kind = kind(exception, message);
    let with = match call {
        None if around.is_outside(line) => return format!("run outside {kind}"),
        None => return format!("run alone {kind}"),
        Some(Given::Some) => "some",
        Some(_) if matches!(kind, "name" | "parameters" | "module") => "any",
        Some(Given::Nothing) => "bare",
        Some(Given::Whatever) => "given",
    };
    format!("call {with} {kind}")
}

/// The subject of an error.
fn kind(exception: &str, message: &str) -> &'static str {
    match exception {
        "NameError" => "name",
        "ImportError" | "ModuleNotFoundError" => "module",
        "AttributeError" if message.starts_with("module '") => "module",
        "TypeError" if is_of_parameters(message) => "parameters",
        "AttributeError" | "TypeError" => "types",
        _ => "values",
    }
}

/// Whether a call does not match the callee's parameters.
fn is_of_parameters(message: &str) -> bool {
    let takes = message.contains(" takes ")
        && [
            "positional argument",
            " no arguments",
            " no keyword arguments",
        ]
        .iter()
        .any(|part| message.contains(part));
    let lacks = message.contains(" missing ") && message.contains(" required ");
    let gets = [
        " got an unexpected keyword",
        " got multiple values for ",
        " got some positional-only arguments passed",
    ];
    takes || lacks || gets.iter().any(|part| message.contains(part))
}

/// The figure of this evidence: that of its words, or of their longest prefix in the table.
pub fn figure(evidence: &str) -> f64 {
    let rows = FIGURES.lines().filter(|line| !line.starts_with('#'));
    let rows = rows.filter_map(|line| line.split_once(' '));
    let fits = |words: &str| {
        let rest = evidence.strip_prefix(words);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let found = rows.filter(|(_, words)| fits(words));
    let longest = found.max_by_key(|(_, words)| words.len());
    longest.map_or(1.0, |(figure, _)| figure.parse().unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALONE: Surroundings = Surroundings {
        has_packages: false,
        handles_from: None,
    };

    #[test]
    fn evidence_in_words() {
        let name = ("NameError", "name 'x' is not defined", 3);
        let lacks = (
            "TypeError",
            "f() missing 1 required positional argument: 'x'",
            3,
        );
        let own = ("AttributeError", "'A' object has no attribute 'x'", 3);
        let divides = ("ZeroDivisionError", "division by zero", 3);
        let handled = Surroundings {
            handles_from: Some(2),
            ..ALONE
        };
        for (around, call, raised, words) in [
            (&ALONE, None, name, "run alone name"),
            (&ALONE, None, divides, "run alone values"),
            (&handled, None, own, "run outside types"),
            (&ALONE, Some(Given::Nothing), name, "call any name"),
            (
                &handled,
                Some(Given::Whatever),
                lacks,
                "call any parameters",
            ),
            (&ALONE, Some(Given::Some), name, "call some name"),
            (&ALONE, Some(Given::Nothing), own, "call bare types"),
            (&ALONE, Some(Given::Whatever), divides, "call given values"),
        ] {
            assert_eq!(evidence(around, call, raised), words);
        }
        let above = Surroundings {
            handles_from: Some(4),
            ..ALONE
        };
        assert_eq!(evidence(&above, None, name), "run alone name");
    }

    #[test]
    fn packages_are_neither_of_the_library_nor_of_the_project() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("tools.py"), "").unwrap();
        let path = place.path().join("a.py");
        let of = |text: &str| Surroundings::of(text, &path, None);
        assert_eq!(
            of("import os.path\nfrom tools import x\nfrom . import y\n"),
            ALONE
        );
        assert!(of("def f():\n    import requests.api\n").has_packages);
        assert!(of("x = = 1\n").has_packages);
        let handles =
            of("import os\n\ndef f():\n    try:\n        pass\n    finally:\n        pass\n");
        assert_eq!(handles.handles_from, Some(4));
    }

    #[test]
    fn every_evidence_has_a_figure() {
        let mut words = ["call", "run", "call some name"]
            .map(str::to_owned)
            .to_vec();
        for kind in ["name", "module", "parameters", "types", "values"] {
            words.extend(["alone", "outside"].map(|place| format!("run {place} {kind}")));
        }
        words.extend(["name", "module", "parameters"].map(|kind| format!("call any {kind}")));
        for with in ["bare", "given"] {
            words.extend(["types", "values"].map(|kind| format!("call {with} {kind}")));
        }
        for one in words {
            let figure = figure(&one);
            assert!(figure > 0.0 && figure < 1.0, "{one}: {figure}");
        }
        // Evidence without readings has the figure of its kind.
        assert_eq!(figure("run alone other"), figure("run alone"));
    }
}
