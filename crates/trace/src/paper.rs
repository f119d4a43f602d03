//! The paper form: the text that the published checkpoints read and write.
//!
//! It is a projection without the parts that the paper omits: events, functions and depths, quotes
//! of strings, the outcome. The rest reads back exactly: `parse(&render(&p)) == p`. Tokens are
//! those of the checkpoints (`<line> <state> </state> <dictsep> <output> <0> …`), joined by single
//! blanks; the tokenizer turns them into ids.

mod shown_value;

use std::collections::HashMap;

pub use shown_value::paper_value;

use super::{FormError, Step, Trace};

/// Special tokens of the published checkpoints that program text must not spell, line numbers
/// aside. `<function>` is missing: it is how a function's value is written.
const TOKENS: &[&str] = &[
    "<line>",
    "<state>",
    "</state>",
    "<dictsep>",
    "<output>",
    "<singleline>",
    "<tutorial>",
    "<codenet>",
    "<indent>",
    "<dedent>",
    "<s>",
    "</s>",
    "<pad>",
    "<unk>",
    "<encoder-decoder>",
    "<mask0>",
];

/// How many of [`TOKENS`] the grammar of a trace uses; the others are read as text.
const GRAMMAR: usize = 5;

/// The paper's projection of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaperTrace {
    /// The steps, in order.
    pub steps: Vec<PaperStep>,
    /// An output without a following step; only in truncated text.
    pub rest: Option<String>,
}

/// The paper's projection of a step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaperStep {
    /// Line of the event, 1-based (0-based in the text).
    pub line: u32,
    /// Names and values; strings without quotes, containers spaced out.
    pub state: Vec<(String, String)>,
    /// Output of the step, less one newline at its end. Precedes the step in the text.
    pub output: Option<String>,
}

impl From<&Trace> for PaperTrace {
    fn from(trace: &Trace) -> Self {
        Self {
            steps: trace.steps.iter().map(PaperStep::from).collect(),
            rest: None,
        }
    }
}

impl From<&Step> for PaperStep {
    fn from(step: &Step) -> Self {
        let output = &step.output;
        let line = output.strip_suffix('\n').unwrap_or(output);
        let entry =
            |(name, value): (&str, &super::Value)| (name.to_owned(), paper_value(&value.text));
        Self {
            line: step.line,
            state: step.state.iter().map(entry).collect(),
            output: (!output.is_empty()).then(|| line.to_owned()),
        }
    }
}

/// The text of a paper form.
pub fn render(trace: &PaperTrace) -> String {
    let mut words = Vec::new();
    for step in &trace.steps {
        push_output(&mut words, step.output.as_deref());
        words.push("<line>".to_owned());
        words.push(format!("<{}>", step.line.saturating_sub(1)));
        words.push("<state>".to_owned());
        for (k, (name, value)) in step.state.iter().enumerate() {
            if k > 0 {
                words.push("<dictsep>".to_owned());
            }
            words.push(hidden(&escaped(name, ':', ':')));
            words.push(":".to_owned());
            words.push(hidden(value));
        }
        words.push("</state>".to_owned());
    }
    push_output(&mut words, trace.rest.as_deref());
    words.retain(|w| !w.is_empty());
    words.join(" ")
}

/// The paper form of a trace: `render(&PaperTrace::from(trace))`, in one pass. Most values of a state
/// equal those of the previous one, so each is converted only when it changes.
pub fn trace_text(trace: &Trace) -> String {
    let mut out = String::new();
    let mut known: HashMap<&str, (&str, String)> = HashMap::new();
    let mut push = |word: &str| {
        if !word.is_empty() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
        }
    };
    for step in &trace.steps {
        if !step.output.is_empty() {
            let output = step.output.strip_suffix('\n').unwrap_or(&step.output);
            push("<output>");
            push(&hidden(&escaped(output, '\n', 'n')));
        }
        push("<line>");
        push(&format!("<{}>", step.line.saturating_sub(1)));
        push("<state>");
        for (k, (name, value)) in step.state.iter().enumerate() {
            if k > 0 {
                push("<dictsep>");
            }
            let same = known.get(name).is_some_and(|(text, _)| *text == value.text);
            if !same {
                let words = [
                    escaped(name, ':', ':'),
                    ":".into(),
                    paper_value(&value.text),
                ];
                let words: Vec<String> = words.iter().map(|w| hidden(w)).collect();
                let shown = words.iter().filter(|w| !w.is_empty());
                let entry = shown.map(String::as_str).collect::<Vec<_>>().join(" ");
                known.insert(name, (&value.text, entry));
            }
            push(known.get(name).map_or("", |(_, entry)| entry));
        }
        push("</state>");
    }
    out
}

fn push_output(words: &mut Vec<String>, output: Option<&str>) {
    if let Some(text) = output {
        words.push("<output>".to_owned());
        words.push(hidden(&escaped(text, '\n', 'n')));
    }
}

/// `text` with `c` written as a backslash and `mark`, and backslashes doubled.
fn escaped(text: &str, c: char, mark: char) -> String {
    let mut out = String::with_capacity(text.len());
    for next in text.chars() {
        if next == c || next == '\\' {
            out.push('\\');
        }
        out.push(if next == c { mark } else { next });
    }
    out
}

/// Undoes [`escaped`]. An invalid escape stands for itself.
fn unescaped(text: &str, c: char, mark: char) -> String {
    let (mut out, mut chars) = (String::with_capacity(text.len()), text.chars());
    while let Some(next) = chars.next() {
        let after = chars.clone().next();
        if next == '\\' && (after == Some('\\') || after == Some(mark)) {
            out.push(if after == Some(mark) { c } else { '\\' });
            chars.next();
        } else {
            out.push(next);
        }
    }
    out
}

/// Whether `text`, which follows a `<` and maybe backslashes, completes a special token.
fn completes_token(text: &str) -> bool {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = digits > 0 && text[digits..].starts_with('>');
    number || TOKENS.iter().any(|t| text.starts_with(&t[1..]))
}

/// `text` with one more backslash after each `<` that would start a special token, so that even a
/// tokenizer that looks for tokens anywhere finds none: `<line>` becomes `<\line>`.
fn hidden(text: &str) -> String {
    rewrite_tokens(text, |slashes| slashes + 1)
}

/// Undoes [`hidden`].
fn shown(text: &str) -> String {
    rewrite_tokens(text, |slashes| slashes.saturating_sub(1))
}

fn rewrite_tokens(text: &str, count: impl Fn(usize) -> usize) -> String {
    let mut parts = text.split('<');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches('\\');
        let slashes = part.len() - rest.len();
        let count = if completes_token(rest) {
            count(slashes)
        } else {
            slashes
        };
        out.push('<');
        out.extend(std::iter::repeat_n('\\', count));
        out.push_str(rest);
    }
    out
}

/// Reads a text back.
///
/// Blanks around tokens may be missing, as with some tokenizers; consecutive outputs are joined by
/// a newline.
///
/// # Errors
/// [`FormError::Syntax`] with the byte position where the grammar is broken.
pub fn parse(text: &str) -> Result<PaperTrace, FormError> {
    let mut cursor = Cursor { text, at: 0 };
    let mut trace = PaperTrace::default();
    cursor.skip_blanks();
    while !cursor.rest().is_empty() {
        if cursor.take("<output>") {
            let text = unescaped(&shown(cursor.text()), '\n', 'n');
            match &mut trace.rest {
                Some(output) => {
                    output.push('\n');
                    output.push_str(&text);
                }
                None => trace.rest = Some(text),
            }
        } else if cursor.take("<line>") {
            let mut step = parse_step(&mut cursor)?;
            step.output = trace.rest.take();
            trace.steps.push(step);
        } else {
            return Err(cursor.error("`<line>`, `<output>` or the end of the text"));
        }
    }
    Ok(trace)
}

fn parse_step(cursor: &mut Cursor<'_>) -> Result<PaperStep, FormError> {
    cursor.skip_blanks();
    let line = cursor.line_number()?;
    cursor.skip_blanks();
    if !cursor.take("<state>") {
        return Err(cursor.error("`<state>`"));
    }
    let mut step = PaperStep {
        line,
        ..PaperStep::default()
    };
    loop {
        let start = cursor.at;
        let entry = cursor.text();
        let ends = cursor.take("</state>");
        if ends && step.state.is_empty() && entry.trim().is_empty() {
            break;
        }
        let Some((name, value)) = split_entry(entry) else {
            return Err(FormError::Syntax {
                at: start,
                expected: "a name, `:` and a value",
            });
        };
        step.state
            .push((unescaped(&shown(name), ':', ':'), shown(value)));
        if ends {
            break;
        }
        if !cursor.take("<dictsep>") {
            return Err(cursor.error("`<dictsep>` or `</state>`"));
        }
    }
    cursor.skip_blanks();
    Ok(step)
}

/// Name and value around the first unescaped colon.
fn split_entry(entry: &str) -> Option<(&str, &str)> {
    let mut slash = false;
    let colon = entry.bytes().position(|b| {
        let found = b == b':' && !slash;
        slash = b == b'\\' && !slash;
        found
    })?;
    let (name, value) = (&entry[..colon], &entry[colon + 1..]);
    let name = name.strip_suffix(' ').unwrap_or(name);
    Some((name, value.strip_prefix(' ').unwrap_or(value)))
}

/// A position in the text.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error(&self, expected: &'static str) -> FormError {
        FormError::Syntax {
            at: self.at,
            expected,
        }
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn line_number(&mut self) -> Result<u32, FormError> {
        let expected = "a line number as `<0>`";
        let inside = self
            .rest()
            .strip_prefix('<')
            .and_then(|r| r.split_once('>'));
        let digits = inside.map(|(digits, _)| digits).unwrap_or_default();
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let line = digits.parse().ok().and_then(|k: u32| k.checked_add(1));
        match line {
            Some(line) if plain => {
                self.at += digits.len() + 2;
                Ok(line)
            }
            _ => Err(self.error(expected)),
        }
    }

    /// Text up to the next token of the grammar or the end, without the separating blanks.
    fn text(&mut self) -> &'t str {
        let rest = self.rest();
        let token = |tail: &str| TOKENS[..GRAMMAR].iter().any(|t| tail.starts_with(t));
        let next = rest.match_indices('<').find(|&(at, _)| token(&rest[at..]));
        let end = next.map_or(rest.len(), |(at, _)| at);
        self.at += end;
        let inside = &rest[..end];
        let inside = inside.strip_prefix(' ').unwrap_or(inside);
        match next {
            Some(_) => inside.strip_suffix(' ').unwrap_or(inside),
            None => inside,
        }
    }
}
