//! An interactive session as programs: one that shows every answer, and one for training.
//!
//! A program shows nothing for a bare expression, a session its `repr`. For comparison with the
//! record, `E` becomes `_ = E` and a print of it; for training, `print(E)`. Nothing is run here.

use ruff_python_ast::Stmt;
use ruff_text_size::Ranged;

use super::slice::Names;
use crate::sources::Entry;
use crate::syntax::with_parsed;
use crate::trace::{Event, Outcome, Trace, Value};

/// An entry of a page, analysed.
#[derive(Debug, Clone)]
pub struct Typed {
    /// The code as typed.
    pub code: String,
    /// The recorded answer. `None` if nothing was recorded.
    pub answer: Option<String>,
    /// The names it is about.
    pub names: Names,
    /// Range of its expression in the code, if it is only that.
    expression: Option<std::ops::Range<usize>>,
}

impl Typed {
    /// Analyses an entry.
    pub fn new(entry: &Entry) -> Self {
        let mut names = Names::of(&entry.code);
        let expression = expression(&entry.code);
        // The session binds `_` to every value it shows.
        if expression.is_some() && entry.answer.as_ref().is_some_and(|a| !a.is_empty()) {
            names.bound.insert("_".to_owned());
        }
        Self {
            code: entry.code.clone(),
            answer: entry.answer.clone(),
            names,
            expression,
        }
    }

    /// The code with a line to show its value after it.
    fn checked(&self) -> String {
        match &self.expression {
            Some(range) => {
                let value = &self.code[range.clone()];
                format!("_ = ({value})\nif _ is not None: print(repr(_))")
            }
            None => self.code.clone(),
        }
    }

    /// The code with its value printed, if it had one.
    fn shown(&self, has_value: bool, bind: bool) -> String {
        match &self.expression {
            Some(range) if has_value => {
                let (before, rest) = self.code.split_at(range.start);
                let (value, after) = rest.split_at(range.end - range.start);
                if bind {
                    format!("{before}_ = {value}{after}\nprint(_)")
                } else {
                    format!("{before}print({value}){after}")
                }
            }
            _ => self.code.clone(),
        }
    }
}

fn expression(code: &str) -> Option<std::ops::Range<usize>> {
    let range = with_parsed(code, |parsed| match &parsed.suite()[..] {
        [Stmt::Expr(expr)] => {
            let range = expr.range();
            Some(range.start().to_usize()..range.end().to_usize())
        }
        _ => None,
    });
    range.ok().flatten()
}

/// A program made of entries, and the line each starts on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// The program.
    pub code: String,
    /// First line of each entry, 1-based.
    pub lines: Vec<u32>,
}

impl Script {
    fn of(parts: impl Iterator<Item = String>) -> Self {
        let mut script = Self::default();
        let mut line = 1;
        for part in parts {
            script.lines.push(line);
            line += u32::try_from(part.lines().count()).unwrap_or(u32::MAX / 2);
            script.code.push_str(&part);
            script.code.push('\n');
        }
        script
    }

    /// The program that shows every answer.
    pub fn checked(entries: &[&Typed]) -> Self {
        Self::of(entries.iter().map(|entry| entry.checked()))
    }

    /// The training program, given which entries had a value.
    pub fn shown(entries: &[&Typed], has_value: &[bool]) -> Self {
        let parts = entries
            .iter()
            .zip(has_value)
            .enumerate()
            .map(|(at, (entry, has_value))| {
                let bind = entries[at + 1..]
                    .iter()
                    .any(|later| later.names.used.contains("_"));
                entry.shown(*has_value, bind)
            });
        Self::of(parts)
    }

    /// The effects of each entry of the program that shows every answer: its output, and its value.
    pub fn answers(&self, trace: &Trace) -> Vec<Answer> {
        let mut answers = vec![Answer::default(); self.lines.len()];
        let mut at = 0;
        for step in trace.until_raise() {
            if step.depth == 0 && step.event == Event::Line {
                at = self
                    .lines
                    .partition_point(|&line| line <= step.line)
                    .saturating_sub(1);
            }
            let Some(answer) = answers.get_mut(at) else {
                break;
            };
            answer.reached = true;
            answer.output.push_str(&step.output);
            // The last state of an entry in the module's frame holds the bound value.
            if let Some(value) = step.state.get("_") {
                answer.value = Some(value.clone());
            }
        }
        if let (Outcome::Raised { .. }, Some(answer)) = (&trace.outcome, answers.get_mut(at)) {
            // The previous value of `_`.
            answer.value = None;
        }
        answers
    }
}

/// The effects of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// False where the program ended before.
    pub reached: bool,
    /// Its output, including its own value.
    pub output: String,
    /// The value of `_` after it, for an entry that is an expression.
    pub value: Option<Value>,
}

impl Answer {
    /// Whether an expression had a value that a session shows.
    pub fn has_value(&self, entry: &Typed) -> bool {
        entry.expression.is_some()
            && self
                .value
                .as_ref()
                .is_some_and(|value| value.text != "None")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(code: &str, answer: &str) -> Typed {
        Typed::new(&Entry {
            code: code.to_owned(),
            answer: Some(answer.to_owned()),
        })
    }

    #[test]
    fn expressions_are_shown_and_comments_survive() {
        let entries = [
            typed("x = 2", ""),
            typed("x * 3  # six", "6\n"),
            typed("print(x)", "2\n"),
        ];
        let entries: Vec<&Typed> = entries.iter().collect();
        let checked = Script::checked(&entries);
        assert_eq!(
            checked.code,
            "x = 2\n_ = (x * 3)\nif _ is not None: print(repr(_))\n\
             _ = (print(x))\nif _ is not None: print(repr(_))\n"
        );
        assert_eq!(checked.lines, [1, 2, 4]);
        let shown = Script::shown(&entries, &[false, true, false]);
        assert_eq!(shown.code, "x = 2\nprint(x * 3)  # six\nprint(x)\n");
    }

    #[test]
    fn the_last_value_has_its_name_where_it_is_used() {
        let entries = [typed("1 + 1", "2\n"), typed("_ + 1", "3\n")];
        let entries: Vec<&Typed> = entries.iter().collect();
        let shown = Script::shown(&entries, &[true, true]);
        assert_eq!(shown.code, "_ = 1 + 1\nprint(_)\nprint(_ + 1)\n");
    }
}
