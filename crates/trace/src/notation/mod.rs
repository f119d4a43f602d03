//! The spelling of names, values and free text for our own checkpoints: lexical tokens, digits of
//! numbers and characters of strings are separate words, and blanks are insignificant.
//!
//! A significant blank is written `▁`; ambiguous text is escaped by a backslash. Writing is here,
//! reading in `read`; [`super::delta_text`] selects the names and values of a step. Any text reads
//! back unchanged.

mod read;

pub(super) use read::Reader;

/// Words that are single tokens of the delta form's text, line numbers aside.
pub const SPECIAL_TOKENS: &[&str] = &[
    "<line>",
    "<state>",
    "</state>",
    "<dictsep>",
    "<output>",
    "<call>",
    "<return>",
    "<raise>",
    "<del>",
    "<reset>",
    "<end>",
    "<function>",
    "<module>",
    "<class>",
];

/// Special tokens that are values themselves.
const VALUE_TOKENS: &[&str] = &["<function>", "<module>", "<class>"];

/// Number of lines that have a token of their own, as in the published checkpoints.
pub const LINE_TOKENS: u32 = 200;

/// Ends an output that does not end in a newline.
pub(super) const CUT: &str = "\\c";

/// Stands for a significant blank.
const BLANK: char = '▁';

/// `<0>` to `<199>`: the tokens of 0-based line numbers.
pub fn line_tokens() -> impl Iterator<Item = String> {
    (0..LINE_TOKENS).map(|k| format!("<{k}>"))
}

/// A canonical value text, spaced: `[-86, 'b a']` becomes `[ - 8 6 , ' b ▁ a ' ]`.
pub fn spaced_value(text: &str) -> String {
    let mut out = Spaced::default();
    out.value(text);
    out.0
}

/// Free text with separated characters: `a b` becomes `a ▁ b`.
pub fn spaced_text(text: &str) -> String {
    let mut out = Spaced::default();
    out.text(text);
    out.0
}

/// Reads a value that [`spaced_value`] wrote.
///
/// # Errors
/// If a string is not closed, or something follows the value.
pub fn read_value(words: &str) -> Result<String, super::FormError> {
    let mut reader = Reader::new(words);
    let value = reader.value()?;
    reader.end()?;
    Ok(value)
}

/// Reads free text that [`spaced_text`] wrote.
///
/// # Errors
/// If it contains a special token.
pub fn read_text(words: &str) -> Result<String, super::FormError> {
    let mut reader = Reader::new(words);
    let text = reader.text();
    reader.end()?;
    Ok(text)
}

/// The special token a text starts with.
fn special_start(text: &str) -> Option<&'static str> {
    if !text.starts_with('<') {
        return None;
    }
    SPECIAL_TOKENS
        .iter()
        .find(|t| text.starts_with(**t))
        .copied()
}

/// Length in bytes of a string literal without its quote, if none of its characters need escapes;
/// else the position of the first that does.
fn plain_string(text: &str, quote: char) -> Result<usize, usize> {
    let mut chars = text.char_indices();
    let odd = |c: char| c != ' ' && (c.is_whitespace() || c.is_control());
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Ok(at + c.len_utf8());
        } else if c == '\\' {
            let Some((after, next)) = chars.next() else {
                break;
            };
            if next == ' ' || next == BLANK || odd(next) || text[after..].starts_with("u2581") {
                return Err(at);
            }
        } else if odd(c) {
            return Err(at);
        }
    }
    Err(text.len())
}

/// Positions before which single and double quotes start no literal. A quote without a matching end
/// would otherwise be searched for again at every occurrence, which is quadratic.
#[derive(Default)]
struct Hopeless([usize; 2]);

impl Hopeless {
    /// [`plain_string`] for the quote at `at`. Call it front to back on one text.
    fn plain_string(&mut self, text: &str, at: usize, quote: char) -> Option<usize> {
        let until = &mut self.0[usize::from(quote == '"')];
        if at < *until {
            return None;
        }
        plain_string(&text[at + 1..], quote)
            .map_err(|stopped| *until = at + 1 + stopped)
            .ok()
    }
}

/// Text under construction, its words joined by single blanks.
#[derive(Debug, Default)]
pub(super) struct Spaced(pub(super) String);

impl Spaced {
    pub(super) fn word(&mut self, word: &str) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0.push_str(word);
    }

    fn char(&mut self, c: char) {
        self.word(c.encode_utf8(&mut [0; 4]));
    }

    pub(super) fn chars(&mut self, text: &str) {
        text.chars().for_each(|c| self.char(c));
    }

    pub(super) fn text(&mut self, text: &str) {
        for (at, c) in text.char_indices() {
            self.escaped(c, &text[at..]);
        }
    }

    /// One character at the start of `rest`.
    fn escaped(&mut self, c: char, rest: &str) {
        match c {
            ' ' => self.char(BLANK),
            '\n' => self.chars("\\n"),
            '\t' => self.chars("\\t"),
            '\r' => self.chars("\\r"),
            '\\' => self.chars("\\\\"),
            '<' if special_start(rest).is_some() => self.chars("\\<"),
            _ if c == BLANK || c.is_whitespace() || c.is_control() => {
                let code = u32::from(c);
                let wide = code > 0xffff;
                self.chars(&if wide {
                    format!("\\U{code:08x}")
                } else {
                    format!("\\u{code:04x}")
                });
            }
            _ => self.char(c),
        }
    }

    /// A name: identifiers stay whole.
    pub(super) fn name(&mut self, name: &str) {
        if name.is_empty() {
            self.chars("\\e");
        }
        let mut at = 0;
        while let Some(c) = name[at..].chars().next() {
            let word = word_length(&name[at..]).max(c.len_utf8());
            match c {
                ':' => self.chars("\\:"),
                _ if is_word(c) => self.word(&name[at..at + word]),
                _ => self.escaped(c, &name[at..]),
            }
            at += word;
        }
    }

    pub(super) fn value(&mut self, text: &str) {
        let mut hopeless = Hopeless::default();
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            at += match c {
                '\'' | '"' => {
                    let length = hopeless.plain_string(text, at, c);
                    self.quote(c, length.map(|length| &rest[1..1 + length]))
                }
                ',' | ':' => self.separator(c, &rest[1..]),
                '0'..='9' => self.number(rest),
                '<' => self.angle(rest),
                '.' => {
                    let dots = rest.len() - rest.trim_start_matches('.').len();
                    self.word(&rest[..dots]);
                    dots
                }
                _ if is_word(c) => {
                    let length = word_length(rest);
                    self.word(&rest[..length]);
                    length
                }
                _ => {
                    self.escaped(c, rest);
                    c.len_utf8()
                }
            };
        }
    }

    /// A string literal whose quote precedes `inside`, or a single quote if none starts.
    fn quote(&mut self, quote: char, inside: Option<&str>) -> usize {
        let Some(inside) = inside else {
            self.char('\\');
            self.char(quote);
            return 1;
        };
        self.char(quote);
        for c in inside.chars() {
            match c {
                ' ' => self.char(BLANK),
                BLANK => self.chars("\\u2581"),
                _ => self.char(c),
            }
        }
        1 + inside.len()
    }

    /// A comma or colon and the blank that the reader puts after it.
    fn separator(&mut self, mark: char, rest: &str) -> usize {
        let closes = |text: &str| text.is_empty() || text.starts_with(')');
        match rest.strip_prefix(' ') {
            Some(after) if !closes(after) && !after.starts_with(' ') => {
                self.char(mark);
                return 2;
            }
            None if !closes(rest) => self.char('\\'),
            _ => {}
        }
        self.char(mark);
        1
    }

    /// A number with its exponent or `j`, with separated characters.
    fn number(&mut self, rest: &str) -> usize {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.');
        let length = end.unwrap_or(rest.len());
        self.chars(&rest[..length]);
        length
    }

    fn angle(&mut self, rest: &str) -> usize {
        match special_start(rest) {
            Some(token) if VALUE_TOKENS.contains(&token) => {
                self.word(token);
                token.len()
            }
            Some(_) => {
                self.chars("\\<");
                1
            }
            None => {
                self.char('<');
                1
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_length(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}
