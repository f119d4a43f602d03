//! What is said of values that a program misses.
//!
//! The predictors of the command line, which say of what class a value probably is, need a parser in C and a classifier of
//! megabytes. They are in the checker's module, not in the one that a page begins with. So what is missing is first a stand-in
//! of no particular class. What the text says plainly is known all the same: which exceptions are expected, which way a
//! condition leads further, what names usually stand for.

use std::sync::Arc;

use codexec_plan::stand_in::{Guesses, Known, Place, ProgramGuesses, Used, Wish, Wishes};

use crate::names::{usual_home, usual_module};
use crate::uses::Uses;

/// Letters of a text that should have this many items.
const MOST_LETTERS: usize = 8;
/// Modules that are hardly ever a function's or a variable's name.
const UNMISTAKABLE: [&str; 8] = [
    "collections",
    "functools",
    "heapq",
    "itertools",
    "math",
    "os",
    "re",
    "sys",
];
/// Modules of the standard library whose names are read as such where an attribute of theirs is.
const MODULES: [&str; 22] = [
    "bisect",
    "copy",
    "csv",
    "datetime",
    "decimal",
    "fractions",
    "io",
    "json",
    "logging",
    "operator",
    "pathlib",
    "random",
    "shutil",
    "statistics",
    "string",
    "struct",
    "subprocess",
    "textwrap",
    "threading",
    "time",
    "typing",
    "uuid",
];
/// Names of Python 2, and the builtins that they are now.
const RENAMED: [(&str, &str); 10] = [
    ("xrange", "range"),
    ("unicode", "str"),
    ("basestring", "str"),
    ("long", "int"),
    ("unichr", "chr"),
    ("izip", "zip"),
    ("imap", "map"),
    ("ifilter", "filter"),
    ("file", "open"),
    ("raw_input", "input"),
];

/// Reads programs.
#[derive(Debug)]
pub(crate) struct Text;

impl Guesses for Text {
    fn of(&self, source: &str) -> Arc<dyn ProgramGuesses> {
        Arc::new(Said(Uses::of(source)))
    }
}

/// Predictions for one program.
#[derive(Debug)]
struct Said(Uses);

impl ProgramGuesses for Said {
    fn known(&self, _path: &str) -> Option<Known> {
        None
    }

    fn place(&self, _line: u32, _used: Used, _name: &str) -> Option<Place> {
        None
    }

    fn wish_of(&self, line: u32, used: Used, name: &str) -> Option<Wish> {
        let place = (line, used, name.to_owned());
        self.0.places.get(&place).copied()
    }

    fn wish(&self, line: u32) -> Option<Wish> {
        self.0.lines.get(&line).copied()
    }

    fn text(&self, _path: &str, wishes: &Wishes) -> String {
        let letters = wishes.count.unwrap_or(1).clamp(1, MOST_LETTERS);
        wishes.text.clone().unwrap_or_else(|| "a".repeat(letters))
    }

    fn usual(&self, name: &str) -> Option<(String, Option<String>)> {
        if let Some((_, now)) = RENAMED.iter().find(|(old, _)| *old == name) {
            return Some(("builtins".to_owned(), Some((*now).to_owned())));
        }
        let has_attributes = self.0.attributes.contains_key(name);
        let is_called = self.0.called.contains(name);
        let home = usual_home(name).map(|home| (home.to_owned(), Some(name.to_owned())));
        if is_called && home.is_some() {
            return home;
        }
        let is_library = MODULES.contains(&name) || UNMISTAKABLE.contains(&name);
        let module = usual_module(name).or(is_library.then_some(name));
        if let Some(module) = module
            && (has_attributes || UNMISTAKABLE.contains(&name) || module != name && !is_called)
        {
            return Some((module.to_owned(), None));
        }
        home.filter(|_| has_attributes)
    }

    fn attributes(&self, name: &str) -> Vec<String> {
        let found = self.0.attributes.get(name);
        found.into_iter().flatten().cloned().collect()
    }

    fn catches(&self, line: u32, errors: &[&str]) -> bool {
        let mut caught = self.0.caught.get(&line).into_iter().flatten();
        caught.any(|name| errors.contains(&&**name))
    }
}
