//! Predictors without a network, for comparison.
//!
//! - *No change*, for traces: every line of code runs once, from top to bottom, and nothing is ever
//!   bound or printed ([`no_change_trace`]).
//! - *No change*, for the step form: every variable that the statement reads keeps its value
//!   ([`no_change_target`]).
//! - *Most frequent*: the target seen most often in training for statements of the same kind
//!   ([`MostFrequent`]).
//!
//! They look only at text: without a Python parser, a string over several lines counts as code, and
//! a block that is never entered as run.

use std::collections::BTreeMap;

use codexec_data::trace::{Engine, Event, Program, State, Step, Trace};
use serde::{Deserialize, Serialize};

/// Predicts that the lines of a program run once each, in order, and change nothing.
pub fn no_change_trace(program: Program) -> Trace {
    let source = program.source.as_deref().unwrap_or_default();
    let steps = source.lines().zip(1..).filter(|(text, _)| is_code(text));
    let steps = steps.map(|(_, line)| Step {
        line,
        event: Event::Line,
        function: "<module>".into(),
        depth: 0,
        file: 0,
        state: State::new(),
        output: String::new(),
        value: None,
        confidence: None,
    });
    let steps = steps.collect();
    Trace {
        steps,
        ..Trace::new(Engine::Predict, program)
    }
}

fn is_code(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with('#')
}

/// Predicts that a statement changes nothing: the target shows the assignments before it, as
/// `<state> a : 1 <dictsep> b : [ 2 ] </state>`.
///
/// `source` is a step-form example, one statement per line: `name = value` for each variable that
/// is read, then the statement. Values are copied as written.
pub fn no_change_target(source: &str) -> String {
    let (assignments, _) = split_example(source);
    let shown = |(name, value): (&str, &str)| format!("{name} : {value}");
    let shown: Vec<String> = assignments.into_iter().map(shown).collect();
    match shown.join(" <dictsep> ") {
        state if state.is_empty() => "<state> </state>".to_owned(),
        state => format!("<state> {state} </state>"),
    }
}

/// The leading `name = value` lines, and the statement after them. The last line of code is never
/// treated as such an assignment.
fn split_example(source: &str) -> (Vec<(&str, &str)>, &str) {
    let mut rest = source.trim();
    let mut assignments = Vec::new();
    while let Some((line, after)) = rest.split_once('\n') {
        let Some((name, value)) = line.split_once('=') else {
            break;
        };
        let (name, value) = (name.trim(), value.trim());
        if !is_name(name) || value.starts_with('=') {
            break;
        }
        assignments.push((name, value));
        rest = after.trim_start();
    }
    (assignments, rest)
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// The kind of a statement, by its first word and its operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// `a = …`, `a[k] = …`, `a, b = …`
    Assign,
    /// `a += …`
    AugmentedAssign,
    /// `print(…)`
    Print,
    /// `name.method(…)`
    Method,
    /// `if`, `elif`, `while`, `for`, `else`, `try`, `except`, `finally`, `with`
    Header,
    /// `def`, `class`, `import`, `from`
    Binding,
    /// `del`, `assert`, `raise`, `return`, `pass`, `break`, `continue`, `global`, `nonlocal`
    Keyword,
    /// Anything else: an expression.
    Expression,
}

impl Kind {
    /// The kind of the statement that starts with `text`.
    pub fn of(text: &str) -> Self {
        let text = text.trim_start();
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        match &text[..end.unwrap_or(text.len())] {
            "if" | "elif" | "while" | "for" | "else" | "try" | "except" | "finally" | "with" => {
                Self::Header
            }
            "def" | "class" | "import" | "from" => Self::Binding,
            "del" | "assert" | "raise" | "return" | "pass" | "break" | "continue" | "global"
            | "nonlocal" => Self::Keyword,
            "print" if text["print".len()..].trim_start().starts_with('(') => Self::Print,
            word => Self::of_rest(text, word),
        }
    }

    fn of_rest(text: &str, word: &str) -> Self {
        match assignment_operator(text) {
            Some("=") => Self::Assign,
            Some(_) => Self::AugmentedAssign,
            None if text[word.len()..].starts_with('.') && text.contains('(') => Self::Method,
            None => Self::Expression,
        }
    }
}

/// The first `=` outside of brackets and strings that assigns, with the operator before it.
fn assignment_operator(text: &str) -> Option<&str> {
    let (mut depth, mut quote, mut previous) = (0i32, None, ' ');
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match quote {
            Some(q) if c == q && previous != '\\' => quote = None,
            Some(_) => {}
            None => match c {
                '\'' | '"' => quote = Some(c),
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                '=' if depth > 0 => {}
                '=' if matches!(chars.peek(), Some((_, '='))) => {
                    chars.next();
                }
                '=' if "!:".contains(previous) || is_comparison(&text[..at]) => {}
                '=' if "+-*/%@&|^<>".contains(previous) => return Some(&text[at - 1..=at]),
                '=' => return Some(&text[at..=at]),
                _ => {}
            },
        }
        previous = c;
    }
    None
}

/// Whether the characters before `=` make it `<=` or `>=`, not `<<=` or `>>=`.
fn is_comparison(before: &str) -> bool {
    (before.ends_with('<') && !before.ends_with("<<"))
        || (before.ends_with('>') && !before.ends_with(">>"))
}

/// Predicts for each kind of statement the target that training showed most often.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MostFrequent {
    by_kind: BTreeMap<Kind, String>,
    overall: String,
}

impl MostFrequent {
    /// Counts the targets of (source, target) pairs in step form. Ties go to the first target in
    /// text order, so that the order of pairs does not matter.
    pub fn train<S, T>(pairs: impl IntoIterator<Item = (S, T)>) -> Self
    where
        S: AsRef<str>,
        T: AsRef<str>,
    {
        let mut counts: BTreeMap<Kind, BTreeMap<String, usize>> = BTreeMap::new();
        let mut overall: BTreeMap<String, usize> = BTreeMap::new();
        for (source, target) in pairs {
            let (_, statement) = split_example(source.as_ref());
            let target = target.as_ref().trim();
            let of_kind = counts.entry(Kind::of(statement)).or_default();
            *of_kind.entry(target.to_owned()).or_default() += 1;
            *overall.entry(target.to_owned()).or_default() += 1;
        }
        let by_kind = counts.into_iter().map(|(kind, c)| (kind, most_frequent(c)));
        Self {
            by_kind: by_kind.collect(),
            overall: most_frequent(overall),
        }
    }

    /// The target for a source in step form: that of its kind, or the overall one for a kind not
    /// seen in training. Empty without training.
    pub fn predict(&self, source: &str) -> &str {
        let (_, statement) = split_example(source);
        self.by_kind
            .get(&Kind::of(statement))
            .unwrap_or(&self.overall)
    }
}

fn most_frequent(counts: BTreeMap<String, usize>) -> String {
    // `max_by_key` takes the last of equals, hence the reversal.
    let best = counts.into_iter().rev().max_by_key(|(_, n)| *n);
    best.map(|(text, _)| text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_change_runs_every_line_once() {
        let trace = no_change_trace(Program {
            source: Some("a = 1\n\n  # note\nprint(a)\n".into()),
            ..Program::default()
        });
        let lines: Vec<u32> = trace.steps.iter().map(|s| s.line).collect();
        assert_eq!(lines, [1, 4]);
        assert!(trace.steps.iter().all(|s| s.state.is_empty()));
    }

    #[test]
    fn no_change_keeps_what_is_read() {
        let kept = no_change_target("a = 1\nb = [2, 3]\na += b[0]\n");
        assert_eq!(kept, "<state> a : 1 <dictsep> b : [2, 3] </state>");
        assert_eq!(no_change_target("a = 1"), "<state> </state>");
        let header = no_change_target("a = 1\nif a == 2:\n    b = 3");
        assert_eq!(header, "<state> a : 1 </state>");
    }

    #[test]
    fn kinds() {
        let cases = [
            ("a = b == c", Kind::Assign),
            ("a[k], b = f(x=1), 2", Kind::Assign),
            ("a <<= 1", Kind::AugmentedAssign),
            ("a['='] //= 2", Kind::AugmentedAssign),
            ("a <= b", Kind::Expression),
            ("a == b", Kind::Expression),
            ("a != b", Kind::Expression),
            ("f(x=1)", Kind::Expression),
            ("print (a)", Kind::Print),
            ("printed = 1", Kind::Assign),
            ("xs.append(a == 1)", Kind::Method),
            ("for k in xs:", Kind::Header),
            ("del a", Kind::Keyword),
            ("import os", Kind::Binding),
            ("", Kind::Expression),
        ];
        for (text, want) in cases {
            assert_eq!(Kind::of(text), want, "{text}");
        }
    }

    #[test]
    fn most_frequent_by_kind_then_overall() {
        let pairs = [
            ("a = 1\na += 1", "<state> a : 2 </state>"),
            ("a = 1\na += 1", "<state> a : 2 </state>"),
            ("a = 5\na += 1", "<state> a : 6 </state>"),
            ("print(1)", "<output> 1"),
        ];
        let model = MostFrequent::train(pairs);
        assert_eq!(model.predict("b = 7\nb -= 3"), "<state> a : 2 </state>");
        assert_eq!(model.predict("print('x')"), "<output> 1");
        assert_eq!(model.predict("del a"), "<state> a : 2 </state>");
        let turned = MostFrequent::train(pairs.into_iter().rev());
        assert_eq!(model, turned);
        let json = serde_json::to_string(&model).expect("serialises");
        let back: MostFrequent = serde_json::from_str(&json).expect("reads back");
        assert_eq!(back, model);
        assert_eq!(MostFrequent::default().predict("a"), "");
    }
}
