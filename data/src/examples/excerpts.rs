//! A page's code blocks cut into programs that can be run by themselves.
//!
//! A block, or a part of a long one, comes with the earlier statements of the page that it needs. It
//! ends at a recorded exception: a session continues after that, a program does not.

use super::build::is_unstable;
use super::session::Typed;
use super::slice::{Names, needed};
use super::transcript::printed_exception;
use crate::sources::Page;

/// Statements of a block that make one example.
const PART: usize = 12;

/// A part of a block with its requirements.
pub(super) struct Example {
    /// Unique in a documentation.
    pub(super) id: String,
    /// The page it is from.
    pub(super) page: String,
    /// Page and line.
    pub(super) place: String,
    /// The typed code, in order.
    pub(super) entries: Vec<Typed>,
    /// Number of entries at the start that exist only for the others.
    pub(super) needed: usize,
}

/// The examples of a page in order.
pub(super) fn examples(page: &Page) -> Vec<Example> {
    let mut earlier: Vec<Typed> = Vec::new();
    let mut found = Vec::new();
    for (number, block) in page.blocks.iter().enumerate() {
        let mut part: Vec<Typed> = Vec::new();
        let mut parts = 0;
        for entry in &block.entries {
            let typed = Typed::new(entry);
            let raises = typed
                .answer
                .as_deref()
                .is_some_and(|a| printed_exception(a).is_some());
            part.push(typed);
            if raises || part.len() == PART {
                found.push(example(page, number, parts, block.line, &earlier, &part));
                parts += 1;
                // A session continues after an exception, a program does not.
                earlier.extend(part.drain(..).filter(|t| !raised(t)));
            }
        }
        if !part.is_empty() {
            found.push(example(page, number, parts, block.line, &earlier, &part));
            earlier.append(&mut part);
        }
    }
    found
}

fn raised(typed: &Typed) -> bool {
    typed
        .answer
        .as_deref()
        .is_some_and(|a| printed_exception(a).is_some())
}

fn example(
    page: &Page,
    block: usize,
    part: usize,
    line: u32,
    earlier: &[Typed],
    own: &[Typed],
) -> Example {
    let names: Vec<Names> = earlier.iter().map(|typed| typed.names.clone()).collect();
    let own_names: Vec<&Names> = own.iter().map(|typed| &typed.names).collect();
    let before = needed(&names, &own_names);
    let needed = before.len();
    let before = before.into_iter().map(|at| earlier[at].clone());
    Example {
        id: format!("{}#{block}.{part}", page.name),
        page: page.name.clone(),
        place: format!("{}:{line}", page.name),
        entries: before.chain(own.iter().cloned()).collect(),
        needed,
    }
}

/// Why an example cannot be run to any purpose, by the words in it.
pub(super) fn unsuitable(code: &str) -> Option<&'static str> {
    let word = |text: &str| {
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        code.match_indices(text).any(|(at, _)| {
            let before = code[..at]
                .chars()
                .next_back()
                .is_some_and(|c| inside(c) || c == '.');
            let after = code[at + text.len()..].chars().next().is_some_and(inside);
            !before && !after
        })
    };
    let reasons: [(&str, &[&str]); 6] = [
        (
            "files",
            &[
                "open", "os", "shutil", "glob", "tempfile", "zipfile", "pathlib", "sys", "logging",
            ],
        ),
        ("network", &["urllib", "smtplib", "socket", "xmlrpc"]),
        ("input", &["input", "argparse", "stdin"]),
        ("time", &["time", "datetime", "date", "timeit", "Timer"]),
        ("random", &["random"]),
        (
            "interpreter",
            &[
                "threading",
                "weakref",
                "gc",
                "help",
                "dir",
                "locale",
                "exec",
                "__doc__",
            ],
        ),
    ];
    let found = reasons
        .iter()
        .find(|(_, words)| words.iter().any(|w| word(w)));
    found
        .map(|(reason, _)| *reason)
        .or(is_unstable(code).then_some("interpreter"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_need_the_world_are_found_as_words() {
        assert_eq!(unsuitable("f = open('a')"), Some("files"));
        assert_eq!(unsuitable("import sys"), Some("files"));
        assert_eq!(unsuitable("x = reopen + cost.open"), None);
        assert_eq!(unsuitable("import random"), Some("random"));
        assert_eq!(unsuitable("a = times = 3"), None);
    }
}
