//! The examples of the Python tutorial in an installed copy of the documentation.
//!
//! Reads the pages' reStructuredText sources, which the HTML documentation has in `_sources` and
//! CPython's repository in `Doc`: unlike the HTML they still have doctest's directives. A page is
//! code blocks in order, a block is statements with the output recorded for each. Nothing is run.

use std::fs;
use std::path::{Path, PathBuf};

use ruff_text_size::Ranged;

use super::{SourceError, io_error};
use crate::syntax::{SyntaxError, with_parsed};

/// A copy of the documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Docs {
    /// The version of Python it is about, as `3.11.2`.
    pub version: String,
    /// The tutorial's pages, by name.
    pub pages: Vec<Page>,
}

/// A page of the tutorial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its name, as `tutorial/classes`.
    pub name: String,
    /// Its code blocks in order.
    pub blocks: Vec<Block>,
}

/// A code block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// The line of the page it starts on, 1-based.
    pub line: u32,
    /// Its statements in order.
    pub entries: Vec<Entry>,
    /// Entries that are not valid Python, such as those about syntax errors.
    pub not_python: usize,
}

/// The input at one prompt, or one statement of a plain block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The code.
    pub code: String,
    /// The interpreter's answer, empty for nothing. `None` in a plain block.
    pub answer: Option<String>,
}

/// Reads the documentation below `directory`, or the installed one: that of the interpreter's
/// `version` if there are several, else the newest.
///
/// # Errors
/// If there is none, or a page cannot be read.
pub fn read_docs(directory: Option<&Path>, version: &str) -> Result<Docs, SourceError> {
    let roots = match directory {
        Some(directory) => vec![directory.to_owned()],
        None => installed(Path::new("/usr/share/doc"), version),
    };
    let Some((root, pages)) = roots.iter().find_map(|root| Some((root, tutorial(root)?))) else {
        let searched = directory.unwrap_or(Path::new("/usr/share/doc"));
        return Err(SourceError::NoDocs(searched.to_owned()));
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(&pages).map_err(io_error(&pages))? {
        let path = entry.map_err(io_error(&pages))?.path();
        if is_page(&path) {
            files.push(path);
        }
    }
    files.sort();
    let read = |path: &PathBuf| {
        let bytes = fs::read(path).map_err(io_error(path))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let name = file.split('.').next().unwrap_or_default();
        Ok(Page {
            name: format!("tutorial/{name}"),
            blocks: blocks(&String::from_utf8_lossy(&bytes)),
        })
    };
    Ok(Docs {
        version: documented_version(root),
        pages: files.iter().map(read).collect::<Result<_, SourceError>>()?,
    })
}

fn is_page(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".rst.txt") || name.ends_with(".rst")
}

/// Directory of the tutorial's sources below the root of a documentation.
fn tutorial(root: &Path) -> Option<PathBuf> {
    [
        "html/_sources/tutorial",
        "_sources/tutorial",
        "Doc/tutorial",
        "tutorial",
        ".",
    ]
    .into_iter()
    .map(|place| root.join(place))
    .find(|place| {
        let mut entries = fs::read_dir(place).into_iter().flatten().flatten();
        entries.any(|entry| is_page(&entry.path()))
    })
}

/// Documentation directories, most likely first.
fn installed(places: &Path, version: &str) -> Vec<PathBuf> {
    let minor = |path: &Path| -> Option<(u32, u32)> {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let (major, minor) = name.strip_prefix("python")?.split_once('.')?;
        let minor = minor.trim_end_matches("-doc");
        Some((major.parse().ok()?, minor.parse().ok()?))
    };
    let entries = fs::read_dir(places).into_iter().flatten().flatten();
    let mut found: Vec<((u32, u32), PathBuf)> = entries
        .filter_map(|entry| Some((minor(&entry.path())?, entry.path())))
        .collect();
    let own = |(major, minor): (u32, u32)| version.starts_with(&format!("{major}.{minor}."));
    found
        .sort_by_key(|(version, path)| (!own(*version), std::cmp::Reverse(*version), path.clone()));
    found.into_iter().map(|(_, path)| path).collect()
}

/// The version in the title of the HTML index, or else in the inventory.
fn documented_version(root: &Path) -> String {
    let between = |text: &str, before: &str, after: &str| -> Option<String> {
        let rest = &text[text.find(before)? + before.len()..];
        let version = rest[..rest.find(after)?].trim().to_owned();
        let number = version
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '.');
        (number && version.starts_with('3')).then_some(version)
    };
    for (name, before, after) in [
        ("index.html", "<title>", " Documentation"),
        ("index.html", "&#8212; Python ", " documentation"),
        ("tutorial/index.html", "&#8212; Python ", " documentation"),
        ("objects.inv", "# Version:", "\n"),
    ] {
        for place in [root.join("html").join(name), root.join(name)] {
            let bytes = fs::read(place).unwrap_or_default();
            if let Some(found) = between(&String::from_utf8_lossy(&bytes), before, after) {
                return found;
            }
        }
    }
    "of unknown version".to_owned()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The code blocks of a page.
fn blocks(text: &str) -> Vec<Block> {
    let lines: Vec<String> = text
        .lines()
        .map(|line| line.replace('\t', "        "))
        .collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = &lines[at];
        let taken = if line.trim_start().starts_with(">>>") {
            let end = lines[at..].iter().position(|l| l.trim().is_empty());
            at..end.map_or(lines.len(), |end| at + end)
        } else if opens_literal(line) {
            literal(&lines, at)
        } else {
            at += 1;
            continue;
        };
        let code = opens_code(line);
        at = taken.end.max(at + 1);
        if code && !taken.is_empty() {
            let number = u32::try_from(taken.start + 1).unwrap_or(u32::MAX);
            found.extend(block(&lines[taken], number));
        }
    }
    found
}

/// Whether an indented block after this line is taken literally.
fn opens_literal(line: &str) -> bool {
    let line = line.trim();
    let directive = line.starts_with(".. ") && line.contains("::");
    line.ends_with("::") && !directive || is_directive(line).is_some()
}

/// The argument of a directive that holds code.
fn is_directive(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix(".. ")?;
    [
        "code-block::",
        "sourcecode::",
        "highlight::",
        "testcode::",
        "testsetup::",
        "doctest::",
    ]
    .iter()
    .find_map(|name| rest.strip_prefix(name))
    .map(str::trim)
}

/// False for code of another language.
fn opens_code(line: &str) -> bool {
    let language = is_directive(line).unwrap_or_default();
    matches!(
        language,
        "" | "python" | "python3" | "pycon" | "pycon3" | "default"
    )
}

/// The lines of the indented block that line `at` announces.
fn literal(lines: &[String], at: usize) -> std::ops::Range<usize> {
    let blank = |line: &String| line.trim().is_empty();
    let option = |line: &String| line.trim_start().starts_with(':');
    let body = lines[at + 1..]
        .iter()
        .position(|line| !blank(line) && !option(line));
    let Some(start) = body.map(|offset| at + 1 + offset) else {
        return at..at;
    };
    let depth = indent(&lines[start]);
    if depth <= indent(&lines[at]) {
        return at..at;
    }
    let end = lines[start..]
        .iter()
        .position(|line| !blank(line) && indent(line) < depth);
    start..end.map_or(lines.len(), |offset| start + offset)
}

fn block(lines: &[String], line: u32) -> Option<Block> {
    let depth = lines
        .iter()
        .filter(|l| !l.trim().is_empty())
        .map(|l| indent(l))
        .min()?;
    let lines: Vec<&str> = lines.iter().map(|l| l.get(depth..).unwrap_or("")).collect();
    let mut block = Block {
        line,
        ..Block::default()
    };
    if lines.iter().any(|line| line.starts_with(">>>")) {
        session(&lines, &mut block);
    } else {
        match split(&lines.join("\n")) {
            Ok(parts) => block
                .entries
                .extend(parts.into_iter().map(|code| Entry { code, answer: None })),
            Err(_) => block.not_python += 1,
        }
    }
    (!block.entries.is_empty() || block.not_python > 0).then_some(block)
}

/// Prompts and answers, as doctest reads them.
fn session(lines: &[&str], block: &mut Block) {
    let prompted = |line: &str, prompt: &str| -> Option<String> {
        let rest = line.strip_prefix(prompt)?;
        (rest.is_empty() || rest.starts_with(' ')).then(|| rest.get(1..).unwrap_or("").to_owned())
    };
    let mut at = lines
        .iter()
        .position(|line| line.starts_with(">>>"))
        .unwrap_or(lines.len());
    // Code before the first prompt was loaded, not typed.
    if let Ok(parts) = split(&lines[..at].join("\n")) {
        block
            .entries
            .extend(parts.into_iter().map(|code| Entry { code, answer: None }));
    }
    while at < lines.len() {
        let Some(first) = prompted(lines[at], ">>>") else {
            at += 1;
            continue;
        };
        let mut code = first;
        at += 1;
        while let Some(more) = lines.get(at).and_then(|line| prompted(line, "...")) {
            code = format!("{code}\n{more}");
            at += 1;
        }
        let mut answer = String::new();
        while let Some(line) = lines
            .get(at)
            .filter(|l| !l.trim().is_empty() && prompted(l, ">>>").is_none())
        {
            answer.push_str(if line.trim() == "<BLANKLINE>" {
                ""
            } else {
                line
            });
            answer.push('\n');
            at += 1;
        }
        match split(&code) {
            Ok(parts) if parts.is_empty() => {}
            Ok(_) => block.entries.push(Entry {
                code: code.trim_end().to_owned(),
                answer: Some(answer),
            }),
            Err(_) => block.not_python += 1,
        }
    }
}

/// The top-level statements of a text, each with the comments before it.
fn split(text: &str) -> Result<Vec<String>, SyntaxError> {
    with_parsed(text, |parsed| {
        let mut parts: Vec<String> = Vec::new();
        let mut from = 0;
        for statement in parsed.suite() {
            let end = statement.end().to_usize();
            // To the end of the line: a comment there belongs to it.
            let end = text[end..]
                .find('\n')
                .map_or(text.len(), |offset| end + offset);
            if end > from {
                parts.push(text[from..end].trim_matches('\n').to_owned());
                from = end;
            }
        }
        parts
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<(String, Option<String>)> {
        let entries = blocks(text).into_iter().flat_map(|b| b.entries);
        entries.map(|e| (e.code, e.answer)).collect()
    }

    #[test]
    fn sessions_and_plain_blocks_are_read_and_other_languages_are_not() {
        let text = "\
Title
=====

Some prose that ends so::

   >>> x = 3  # comment
   >>> for i in range(2):
   ...     print(i)
   ...
   0
   1
   >>> 'a'

   >>> y

* An item::

     def f():
         return 1

     # before
     z = f(
     )

  and its end.

.. code-block:: sh

   rm -r *

.. testsetup::

   import math

>>> 1 + 1
2

A mixture::

    g = 1

    >>> g
    1
";
        let want = [
            ("x = 3  # comment", Some("")),
            ("for i in range(2):\n    print(i)", Some("0\n1\n")),
            ("'a'", Some("")),
            ("y", Some("")),
            ("def f():\n    return 1", None),
            ("# before\nz = f(\n)", None),
            ("import math", None),
            ("1 + 1", Some("2\n")),
            ("g = 1", None),
            ("g", Some("1\n")),
        ];
        let found = codes(text);
        let found: Vec<(&str, Option<&str>)> = found
            .iter()
            .map(|(c, a)| (c.as_str(), a.as_deref()))
            .collect();
        assert_eq!(found, want);
    }

    #[test]
    fn what_is_no_python_is_counted() {
        let found = blocks(
            "x::\n\n   >>> while True print(1)\n   SyntaxError\n   >>> 1\n   1\n\ny::\n\n   $ ls\n",
        );
        assert_eq!(
            found.iter().map(|b| b.not_python).collect::<Vec<_>>(),
            [1, 1]
        );
        assert_eq!(found[0].entries.len(), 1);
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in "(>>> |\\.\\.\\. |::|\\.\\. code-block::|[a-z=( )é]| |\n|\t){0,40}") {
            blocks(&text);
        }
    }
}
