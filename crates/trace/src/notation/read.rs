//! Parses names, values and text from our notation. An invalid escape stands for itself, so that
//! any model output can be read.

use super::super::FormError;
use super::{BLANK, CUT, SPECIAL_TOKENS, VALUE_TOKENS};

/// Reads what [`super::Spaced`] writes; sees no blanks.
#[derive(Debug)]
pub(crate) struct Reader {
    chars: Vec<(usize, char)>,
    at: usize,
    end: usize,
}

impl Reader {
    pub(crate) fn new(text: &str) -> Self {
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
        Self {
            chars: text.char_indices().filter(|&(_, c)| !blank(c)).collect(),
            at: 0,
            end: text.len(),
        }
    }

    pub(crate) fn error(&self, expected: &'static str) -> FormError {
        let at = self.chars.get(self.at).map_or(self.end, |&(at, _)| at);
        FormError::Syntax { at, expected }
    }

    /// That nothing is left.
    pub(crate) fn end(&self) -> Result<(), FormError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error("the end")),
        }
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> Option<char> {
        self.chars.get(self.at + by).map(|&(_, c)| c)
    }

    pub(crate) fn take(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn starts_with(&self, word: &str) -> bool {
        let here = self.chars.get(self.at..).unwrap_or_default();
        let mut chars = here.iter().map(|&(_, c)| c);
        word.chars().all(|c| chars.next() == Some(c))
    }

    /// The special token at this position.
    pub(crate) fn special(&self) -> Option<&'static str> {
        if self.peek() != Some('<') {
            return None;
        }
        let found = SPECIAL_TOKENS.iter().find(|t| self.starts_with(t));
        found.copied()
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let found = self.starts_with(word);
        if found {
            self.at += word.chars().count();
        }
        found
    }

    /// A decimal number.
    pub(crate) fn number(&mut self) -> Result<u32, FormError> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            let value: Option<u32> = number.unwrap_or(Some(0));
            number = Some(
                value
                    .and_then(|n| n.checked_mul(10))
                    .and_then(|n| n.checked_add(digit)),
            );
            self.at += 1;
        }
        number
            .flatten()
            .ok_or_else(|| self.error("a number below 2^32"))
    }

    /// Whether the next special token, or the end, is `by` characters ahead.
    fn ends(&mut self, by: usize) -> bool {
        self.at += by;
        let ends = self.peek().is_none() || self.special().is_some();
        self.at -= by;
        ends
    }

    /// Text up to the next special token, or up to a [`CUT`] before it.
    pub(crate) fn text(&mut self) -> String {
        let mut out = String::new();
        while let Some(c) = self.peek() {
            if self.special().is_some() || (self.starts_with(CUT) && self.ends(2)) {
                break;
            }
            self.character(c, &mut out);
        }
        out
    }

    /// A name: text up to the next special token or colon.
    pub(crate) fn name(&mut self) -> Result<String, FormError> {
        let (start, mut out) = (self.at, String::new());
        while let Some(c) = self.peek() {
            if c == ':' || self.special().is_some() {
                break;
            }
            if !(c == '\\' && self.take_word("\\e")) {
                self.character(c, &mut out);
            }
        }
        if self.at == start {
            return Err(self.error("a name"));
        }
        Ok(out)
    }

    /// A value: canonical text up to the next special token.
    pub(crate) fn value(&mut self) -> Result<String, FormError> {
        let mut out = String::new();
        while let Some(c) = self.peek() {
            match self.special() {
                Some(token) if VALUE_TOKENS.contains(&token) => {
                    self.take_word(token);
                    out.push_str(token);
                    continue;
                }
                Some(_) => break,
                None => {}
            }
            match c {
                '\'' | '"' => self.string(c, &mut out)?,
                ',' | ':' => {
                    self.at += 1;
                    out.push(c);
                    if !self.closes() {
                        out.push(' ');
                    }
                }
                _ => self.character(c, &mut out),
            }
        }
        Ok(out)
    }

    /// Whether a separator before this position takes no blank.
    fn closes(&self) -> bool {
        match self.peek() {
            None | Some(')' | BLANK) => true,
            _ => self.special().is_some_and(|t| !VALUE_TOKENS.contains(&t)),
        }
    }

    fn string(&mut self, quote: char, out: &mut String) -> Result<(), FormError> {
        let unclosed = self.error("a string that is closed");
        let plain = |c| if c == BLANK { ' ' } else { c };
        out.push(quote);
        self.at += 1;
        loop {
            let c = self.peek();
            if self.take_word("\\u2581") {
                out.push(BLANK);
                continue;
            }
            let Some(c) = c else { return Err(unclosed) };
            out.push(plain(c));
            self.at += 1;
            if c == quote {
                return Ok(());
            }
            if c == '\\' {
                let Some(next) = self.peek() else {
                    return Err(unclosed);
                };
                out.push(plain(next));
                self.at += 1;
            }
        }
    }

    /// One character outside a string, with its escape. An invalid escape stands for itself.
    fn character(&mut self, c: char, out: &mut String) {
        self.at += 1;
        if c != '\\' {
            out.push(if c == BLANK { ' ' } else { c });
            return;
        }
        let next = self.ahead(0);
        let (decoded, used) = match next {
            Some('n') => (Some('\n'), 1),
            Some('t') => (Some('\t'), 1),
            Some('r') => (Some('\r'), 1),
            Some('\\' | '<' | ',' | ':' | '\'' | '"') => (next, 1),
            Some('u') => (self.code(4), 5),
            Some('U') => (self.code(8), 9),
            _ => (None, 0),
        };
        match decoded {
            Some(c) => {
                out.push(c);
                self.at += used;
            }
            None => out.push('\\'),
        }
    }

    /// The character that the hexadecimal digits after the next character name.
    fn code(&self, digits: usize) -> Option<char> {
        let mut code = 0;
        for k in 1..=digits {
            let digit = self.ahead(k)?.to_digit(16)?;
            code = (code & 0x0fff_ffff) << 4 | digit;
        }
        char::from_u32(code)
    }
}
