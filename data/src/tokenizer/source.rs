//! A program as the words a model reads: our own source form.
//!
//! Each physical line with code starts with its line token (`<0>` is the first line); a deeper or
//! shallower block starts with `<indent>` or `<dedent>`. Comments are omitted. Names and operators are
//! one word each; the digits of a number and the characters of a string literal are separate words, in
//! the notation that [`crate::trace::notation`] uses for values, so that a literal in the source and the
//! same value in a state have the same words. Blanks between words are insignificant.
//!
//! Standard input comes first, after `<input>`. Nothing is executed or checked: a program that does
//! not parse is rejected with the place of the error.

use ruff_python_ast::ModModule;
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged, TextRange};

use crate::syntax::{SyntaxError, with_parsed};
use crate::trace::notation::spaced_text;

/// Line tokens exist for this many lines; a longer program is read as far as they go.
pub const MAX_LINES: u32 = 200;

/// Marks the standard input that precedes a program.
pub const INPUT: &str = "<input>";

/// Which words a program is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SourceForm {
    /// Separate digits and characters of literals, for our own checkpoints.
    #[default]
    Own,
    /// Python's own tokens joined by blanks, for published checkpoints; this form has no standard
    /// input.
    Paper,
}

/// A program in source form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Words joined by single blanks, without the task's prefix.
    pub text: String,
    /// Number of lines shown; lines from [`MAX_LINES`] on are omitted.
    pub lines: u32,
    /// Whether lines were omitted.
    pub cut: bool,
}

/// Writes `source` in our own source form.
///
/// # Errors
/// The first syntax error of a program that does not parse, or text nested too deeply to be parsed.
pub fn source_text(source: &str, stdin: Option<&str>) -> Result<SourceText, SyntaxError> {
    source_text_as(SourceForm::Own, source, stdin)
}

/// Writes `source` in the given source form.
///
/// # Errors
/// The errors of [`source_text`].
pub fn source_text_as(
    form: SourceForm,
    source: &str,
    stdin: Option<&str>,
) -> Result<SourceText, SyntaxError> {
    with_parsed(source, |parsed| write(form, source, stdin, parsed))
}

/// The words of parts of a program, without line tokens and block marks: for each range those of the
/// tokens that begin in it.
///
/// # Errors
/// The errors of [`source_text`].
pub fn words_of(source: &str, ranges: &[TextRange]) -> Result<Vec<String>, SyntaxError> {
    with_parsed(source, |parsed| {
        let is_word = |token: &&Token| {
            let kind = token.kind();
            !kind.is_trivia()
                && !matches!(
                    kind,
                    TokenKind::Newline
                        | TokenKind::EndOfFile
                        | TokenKind::Indent
                        | TokenKind::Dedent
                )
        };
        let tokens: Vec<&Token> = parsed.tokens().iter().filter(is_word).collect();
        let one = |range: &TextRange| {
            let mut writer = Writer::new(SourceForm::Own, source);
            let first = tokens.partition_point(|token| token.start() < range.start());
            for token in tokens[first..]
                .iter()
                .take_while(|token| token.start() < range.end())
            {
                writer.literal_or_word(token.kind(), &source[token.range()]);
            }
            writer.text
        };
        ranges.iter().map(one).collect()
    })
}

pub(crate) fn write(
    form: SourceForm,
    source: &str,
    stdin: Option<&str>,
    parsed: &Parsed<ModModule>,
) -> SourceText {
    let mut writer = Writer::new(form, source);
    if let Some(stdin) = stdin.filter(|s| !s.is_empty() && form == SourceForm::Own) {
        writer.word(INPUT);
        writer.word(&spaced_text(stdin.strip_suffix('\n').unwrap_or(stdin)));
    }
    for token in parsed.tokens().iter() {
        if !writer.token(token) {
            break;
        }
    }
    writer.finish()
}

struct Writer<'a> {
    form: SourceForm,
    source: &'a str,
    /// Start of the outermost open f-string, and the number of open ones, in the paper's form.
    fstring: Option<(usize, u32)>,
    text: String,
    /// Byte offset up to which `line` has been counted.
    counted: usize,
    line: u32,
    shown: Option<u32>,
    pending: Vec<&'static str>,
    cut: bool,
}

impl<'a> Writer<'a> {
    fn new(form: SourceForm, source: &'a str) -> Self {
        Self {
            form,
            source,
            fstring: None,
            text: String::with_capacity(source.len() * 2),
            counted: 0,
            line: 0,
            shown: None,
            pending: Vec::new(),
            cut: false,
        }
    }

    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }

    /// False when the token lies beyond the last line that has a line token.
    fn token(&mut self, token: &Token) -> bool {
        let range = token.range();
        let text = &self.source[range];
        match token.kind() {
            TokenKind::Comment
            | TokenKind::Newline
            | TokenKind::NonLogicalNewline
            | TokenKind::EndOfFile => return true,
            TokenKind::Indent => self.pending.push("<indent>"),
            TokenKind::Dedent => self.pending.push("<dedent>"),
            kind => {
                let start = range.start().to_usize();
                self.line += newlines(&self.source[self.counted..start]);
                self.counted = start;
                if self.line >= MAX_LINES {
                    self.cut = true;
                    return false;
                }
                if self.shown != Some(self.line) {
                    self.shown = Some(self.line);
                    let mark = format!("<{}>", self.line);
                    self.word(&mark);
                    for mark in std::mem::take(&mut self.pending) {
                        self.word(mark);
                    }
                }
                match self.form {
                    SourceForm::Own => self.literal_or_word(kind, text),
                    SourceForm::Paper => self.python_token(kind, token.range()),
                }
            }
        }
        true
    }

    /// A token as in Python's tokenizer: an f-string is one, as up to 3.11.
    fn python_token(&mut self, kind: TokenKind, range: TextRange) {
        let (start, end) = (range.start().to_usize(), range.end().to_usize());
        match (kind, self.fstring) {
            (TokenKind::FStringStart, None) => self.fstring = Some((start, 1)),
            (TokenKind::FStringStart, Some((from, open))) => self.fstring = Some((from, open + 1)),
            (TokenKind::FStringEnd, Some((from, 1))) => {
                self.fstring = None;
                let text = self.source[from..end].replace('\n', " ");
                self.word(&text);
            }
            (TokenKind::FStringEnd, Some((from, open))) => self.fstring = Some((from, open - 1)),
            (_, Some(_)) => {}
            (_, None) => {
                let text = self.source[start..end].replace('\n', " ");
                self.word(&text);
            }
        }
    }

    fn literal_or_word(&mut self, kind: TokenKind, text: &str) {
        match kind {
            TokenKind::Int | TokenKind::Float | TokenKind::Complex => {
                let digits: Vec<String> = text
                    .chars()
                    .filter(|&c| c != '_')
                    .map(String::from)
                    .collect();
                self.word(&digits.join(" "));
            }
            TokenKind::String => {
                let word = spaced_literal(text);
                self.word(&word);
            }
            TokenKind::FStringStart | TokenKind::TStringStart => {
                let prefix = text.trim_end_matches(['\'', '"']);
                self.word(&prefix.to_ascii_lowercase());
                self.word("'");
            }
            TokenKind::FStringEnd | TokenKind::TStringEnd => self.word("'"),
            TokenKind::FStringMiddle | TokenKind::TStringMiddle => {
                let word = spaced_text(text);
                self.word(&word);
            }
            _ => self.word(text),
        }
    }

    fn finish(self) -> SourceText {
        let lines = self.shown.map_or(0, |last| last + 1);
        SourceText {
            text: self.text,
            lines,
            cut: self.cut,
        }
    }
}

fn newlines(text: &str) -> u32 {
    u32::try_from(text.bytes().filter(|&b| b == b'\n').count()).unwrap_or(u32::MAX)
}

/// A string literal with separate characters and, if equivalent, single quotes.
fn spaced_literal(text: &str) -> String {
    let open = text.find(['\'', '"']).unwrap_or(0);
    let (prefix, body) = text.split_at(open);
    let quote = body.chars().next().unwrap_or('\'');
    let triple =
        body.len() >= 6 && body.starts_with([quote; 3].iter().collect::<String>().as_str());
    let width = if triple { 3 } else { 1 };
    let inner = body
        .get(width..body.len().saturating_sub(width))
        .unwrap_or("");
    let quote = if inner.contains('\'') { "\"" } else { "'" };
    let mut words = Vec::new();
    if !prefix.is_empty() {
        words.push(prefix.to_ascii_lowercase());
    }
    words.push(quote.to_owned());
    if !inner.is_empty() {
        words.push(spaced_raw(inner));
    }
    words.push(quote.to_owned());
    words.join(" ")
}

/// Separate characters; escapes stay as written (`\n` is two characters).
fn spaced_raw(inner: &str) -> String {
    let marked: Vec<String> = inner
        .chars()
        .map(|c| match c {
            ' ' => "▁".to_owned(),
            '\n' => "\\ n".to_owned(),
            '▁' => "\\ u 2 5 8 1".to_owned(),
            c => c.to_string(),
        })
        .collect();
    marked.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        source_text(source, None).unwrap().text
    }

    #[test]
    fn lines_blocks_digits_and_strings() {
        let source =
            "# sum\nn = 10\n\nfor i in range(n):\n    if i:\n        print(\"a b\")\nx = -1.5\n";
        assert_eq!(
            text(source),
            "<1> n = 1 0 <3> for i in range ( n ) : <4> <indent> if i : \
             <5> <indent> print ( ' a ▁ b ' ) <6> <dedent> <dedent> x = - 1 . 5"
        );
    }

    #[test]
    fn the_papers_form_keeps_python_tokens_whole() {
        let source = "s = 'a b'\nif s:\n    print(f'{s}!', 12)\n";
        let form = source_text_as(SourceForm::Paper, source, Some("1")).unwrap();
        let want = "<0> s = 'a b' <1> if s : <2> <indent> print ( f'{s}!' , 12 )";
        assert_eq!(form.text, want);
    }

    #[test]
    fn a_line_inside_brackets_gets_its_token() {
        assert_eq!(text("x = max(1,\n  2)\n"), "<0> x = max ( 1 , <1> 2 )");
    }

    #[test]
    fn words_of_parts_have_no_marks() {
        let source = "if x > 10:  # why\n    y = f('a b')\n";
        let range = |from: u32, to: u32| TextRange::new(from.into(), to.into());
        let words = words_of(source, &[range(0, 9), range(22, 34), range(5, 5)]).unwrap();
        assert_eq!(words, ["if x > 1 0", "y = f ( ' a ▁ b ' )", ""]);
        assert!(words_of("x = (", &[]).is_err());
    }

    #[test]
    fn standard_input_stands_in_front() {
        let form = source_text("n = input()\n", Some("1 2\n3\n")).unwrap();
        assert_eq!(form.text, "<input> 1 ▁ 2 \\ n 3 <0> n = input ( )");
    }

    #[test]
    fn long_programs_are_cut_at_the_last_line_token() {
        let form = source_text(&"x = 1\n".repeat(250), None).unwrap();
        assert!(form.cut);
        assert_eq!(form.lines, MAX_LINES);
        assert!(form.text.ends_with("<199> x = 1"));
    }
}
