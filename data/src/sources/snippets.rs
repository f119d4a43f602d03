//! Recovers Python from copied text: from an interactive session, or from an indented block.
//!
//! Every line keeps its number. Valid programs are unchanged.

use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::Ranged;

use crate::syntax::with_parsed;

/// The parts removed from a text to make it a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// The prompts of an interactive session and the output below them; the values of its expressions are printed.
    Prompts,
    /// The indentation of the whole.
    Indentation,
}

/// The program in a text, and the removed parts. `None` if it is already a program, or neither.
///
/// ```
/// use codexec_data::sources::{Taken, snippet};
/// let (text, taken) = snippet("    x = 1\n    print(x)\n").unwrap();
/// assert_eq!((text.as_str(), taken), ("x = 1\nprint(x)\n", Taken::Indentation));
/// let (text, taken) = snippet(">>> for i in [1]:\n...     print(i)\n1\n").unwrap();
/// assert_eq!((text.as_str(), taken), ("for i in [1]:\n    print(i)\n\n", Taken::Prompts));
/// assert_eq!(snippet("x = 1\n"), None);
/// ```
pub fn snippet(text: &str) -> Option<(String, Taken)> {
    let first = text.lines().find(|line| is_code(line))?;
    let is_indented = first.starts_with([' ', '\t']);
    let has_prompts = is_session(text);
    if !is_indented && !has_prompts || parses(text) {
        return None;
    }
    if has_prompts {
        return Some((without_prompts(text), Taken::Prompts));
    }
    let text = dedented(text, first)?;
    Some((text, Taken::Indentation))
}

const PROMPT: &str = ">>>";
const CONTINUED: &str = "...";

/// Whether a text has prompts, without a program above the first: otherwise they are examples in its
/// docstrings.
fn is_session(text: &str) -> bool {
    let starts = ["def ", "class ", "import ", "from ", "@", "async "];
    let is_program = |line: &str| starts.iter().any(|start| line.starts_with(start));
    let first = text
        .lines()
        .find(|line| prompted(line, PROMPT).is_some() || is_program(line));
    first.is_some_and(|line| !is_program(line))
}

fn parses(text: &str) -> bool {
    with_parsed(text, |_| ()).is_ok()
}

fn is_code(line: &str) -> bool {
    !matches!(line.trim_start().chars().next(), None | Some('#'))
}

/// The text after a prompt.
fn prompted<'l>(line: &'l str, prompt: &str) -> Option<&'l str> {
    let rest = line.trim_start().strip_prefix(prompt)?;
    match rest.chars().next() {
        None => Some(rest),
        Some(' ') => Some(&rest[1..]),
        Some(_) => None,
    }
}

/// The lines without the indentation of the first line of code. `None` if a line of code has less.
fn dedented(text: &str, first: &str) -> Option<String> {
    let margin = &first[..first.len() - first.trim_start().len()];
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        out.push_str(match line.strip_prefix(margin) {
            Some(rest) => rest,
            None if is_code(line) => return None,
            None => line.trim_start_matches([' ', '\t']),
        });
    }
    Some(out)
}

fn without_prompts(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    // Start of the statement being typed.
    let mut begun: Option<usize> = None;
    for line in text.lines() {
        if let Some(code) = prompted(line, PROMPT) {
            let start = lines.len();
            show_value(&mut lines, begun.replace(start));
            lines.push(code.to_owned());
            continue;
        }
        match prompted(line, CONTINUED).filter(|_| begun.is_some()) {
            Some(code) => lines.push(code.to_owned()),
            None => {
                show_value(&mut lines, begun.take());
                let is_comment = line.starts_with('#');
                lines.push(if is_comment {
                    line.to_owned()
                } else {
                    String::new()
                });
            }
        }
    }
    show_value(&mut lines, begun);
    lines.join("\n") + "\n"
}

/// Has the value of an expression printed, as a session does, unless it prints by itself.
fn show_value(lines: &mut [String], begun: Option<usize>) {
    let Some(statement) = begun.and_then(|begun| lines.get_mut(begun..)) else {
        return;
    };
    let text = statement.join("\n");
    let shown = with_parsed(&text, |parsed| match &parsed.suite()[..] {
        [Stmt::Expr(statement)] if !prints(&statement.value) => {
            let range = statement.range();
            let (start, end) = (range.start().to_usize(), range.end().to_usize());
            let (value, after) = (&text[start..end], &text[end..]);
            let before = &text[..start];
            Some(format!(
                "{before}if (_ := ({value})) is not None: print(repr(_)){after}"
            ))
        }
        _ => None,
    });
    if let Ok(Some(shown)) = shown {
        for (line, shown) in statement.iter_mut().zip(shown.split('\n')) {
            shown.clone_into(line);
        }
    }
}

fn prints(value: &Expr) -> bool {
    match value {
        Expr::Call(call) => matches!(&*call.func, Expr::Name(name) if name.id == "print"),
        Expr::Yield(_) | Expr::YieldFrom(_) | Expr::Starred(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of Python 2 whose docstring has an example.
    #[test]
    fn examples_in_docstrings_are_no_session() {
        let program = "def f(x):\n    \"\"\"\n    >>> f(1)\n    2\n    \"\"\"\n    print x\n";
        assert_eq!(snippet(program), None);
        let told = "As in the shell:\n>>> from os import path\n>>> 1\n";
        assert!(snippet(told).is_some());
    }

    #[test]
    fn a_session_is_its_statements_and_prints_what_it_showed() {
        let session = "# said\n>>> x = [1, 2]\n>>> for i in x:\n...     print(i)\n...\n1\n2\n>>> sum(\n...   x)  # all\n3\n>>> print(4)\n4\n>>>\n";
        let (text, taken) = snippet(session).unwrap();
        assert_eq!(taken, Taken::Prompts);
        assert_eq!(
            text,
            "# said\nx = [1, 2]\nfor i in x:\n    print(i)\n\n\n\nif (_ := (sum(\n  x))) is not None: print(repr(_))  # all\n\nprint(4)\n\n\n"
        );
        assert_eq!(text.lines().count(), session.lines().count());
    }

    #[test]
    fn what_is_a_program_stays_as_it_is() {
        for text in [
            "def f():\n    '''\n    >>> f()\n    1\n    '''\n",
            "# c\n\nx = '''\n>>> 1\n'''\n",
            "",
            "    # only a comment\n",
            "x = = 1\n",
            ">>>x\n",
        ] {
            assert_eq!(snippet(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_is_indented_as_a_whole_is_not() {
        let text = "# c\n\n    # d\n    if x:\n        y\n\n  # e\n    z\n";
        let (text, _) = snippet(text).unwrap();
        assert_eq!(text, "# c\n\n# d\nif x:\n    y\n\n# e\nz\n");
        assert_eq!(snippet("    x = 1\ny = 2\n"), None);
        // Errors are reported for its original line.
        assert_eq!(
            snippet("\tx = 1\n\ty = = 2\n").unwrap().0,
            "x = 1\ny = = 2\n"
        );
    }
}
