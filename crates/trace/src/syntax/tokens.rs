//! The tokens of a text as in CPython 3.11, one by one, and tokenizer errors.
//!
//! Strings with fields are one token, as before 3.12.

use super::SyntaxError;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    Str,
    Operator,
    Newline,
    Indent,
    Dedent,
    End,
}

/// A token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub kind: Kind,
    /// Its bytes; empty for indentation.
    pub start: usize,
    pub end: usize,
    /// Line of its start, 1-based.
    pub line: u32,
    /// The reader's position after it: the position of messages without a place of their own.
    pub at: usize,
    /// Brackets that are open behind it.
    pub level: usize,
}

/// An open bracket.
#[derive(Debug, Clone, Copy)]
struct Open {
    bracket: char,
    at: usize,
    line: u32,
}

/// Reads tokens.
pub(super) struct Tokens<'s> {
    pub source: &'s str,
    at: usize,
    line: u32,
    line_start: usize,
    /// Where the first of the lines begins that backslashes join, or a string is over.
    joined: usize,
    open: Vec<Open>,
    /// Columns of the indentation, with tabs of eight columns and of one.
    indents: Vec<(usize, usize)>,
    /// Indents (above zero) or dedents that are still to be given.
    pending: isize,
    begins_line: bool,
    /// The line has no code, so that its end does not count.
    is_blank: bool,
    /// The error concerns the indentation, or the end of the text.
    pub ended: bool,
}

const MOST_INDENTS: usize = 100;
const MOST_BRACKETS: usize = 200;

/// Operators of several characters, longest first.
const OPERATORS: [&str; 24] = [
    "**=", "//=", ">>=", "<<=", "...", "!=", "->", "==", "<=", ">=", "<>", "**", "//", "<<", ">>",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=",
];

impl<'s> Tokens<'s> {
    /// Of a text that ends in a newline.
    pub(super) fn new(source: &'s str) -> Self {
        Self {
            source,
            at: 0,
            line: 1,
            line_start: 0,
            joined: 0,
            open: Vec::new(),
            indents: vec![(0, 0)],
            pending: 0,
            begins_line: true,
            is_blank: false,
            ended: false,
        }
    }

    fn peek(&self) -> Option<char> {
        self.source[self.at..].chars().next()
    }

    fn peek_second(&self) -> Option<char> {
        self.source[self.at..].chars().nth(1)
    }

    fn eat(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        if c == '\n' && self.at < self.source.len() {
            self.line += 1;
            self.line_start = self.at;
        }
        Some(c)
    }

    /// An error at the character read last.
    fn error<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(self.error_at(self.line, self.line_start, self.at, message))
    }

    /// An error in the column of the last character before a byte.
    fn error_at(
        &self,
        line: u32,
        line_start: usize,
        at: usize,
        message: impl Into<String>,
    ) -> SyntaxError {
        let column = self.source[line_start..at].chars().count();
        SyntaxError {
            line,
            column: u32::try_from(column).unwrap_or(u32::MAX),
            message: message.into(),
        }
    }

    /// The innermost bracket that is unclosed at the end.
    pub(super) fn never_closed(&self) -> Option<SyntaxError> {
        let open = self.open.last()?;
        let start = self.source[..open.at].rfind('\n').map_or(0, |at| at + 1);
        let message = format!("'{}' was never closed", open.bracket);
        Some(self.error_at(open.line, start, open.at + 1, message))
    }

    fn token(&self, kind: Kind, start: usize, line: u32) -> Token {
        Token {
            kind,
            start,
            end: self.at,
            line,
            at: self.at,
            level: self.open.len(),
        }
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Result<Token, SyntaxError> {
        loop {
            if self.begins_line {
                self.begins_line = false;
                self.ended = true;
                self.indentation()?;
                self.ended = false;
            }
            if self.pending != 0 {
                let kind = if self.pending > 0 {
                    Kind::Indent
                } else {
                    Kind::Dedent
                };
                self.pending -= self.pending.signum();
                return Ok(self.token(kind, self.at, self.line));
            }
            while matches!(self.peek(), Some(' ' | '\t' | '\u{c}')) {
                self.eat();
            }
            // The end of a line begins where its comment does.
            let (start, line) = (self.at, self.line);
            if self.peek() == Some('#') {
                let length = self.source[self.at..].find('\n');
                self.at += length.unwrap_or(self.source.len() - self.at);
            }
            let Some(c) = self.peek() else {
                return match self.never_closed() {
                    Some(error) => Err(error),
                    None => Ok(self.token(Kind::End, self.at, self.line)),
                };
            };
            match c {
                '\n' => {
                    if self.is_blank || !self.open.is_empty() {
                        self.eat();
                        self.begins_line = self.open.is_empty();
                        continue;
                    }
                    let token = Token {
                        end: self.at + 1,
                        at: self.at + 1,
                        ..self.token(Kind::Newline, start, line)
                    };
                    self.eat();
                    self.begins_line = true;
                    return Ok(token);
                }
                '\\' => {
                    self.continuation()?;
                    continue;
                }
                '0'..='9' => return self.number(start, line),
                '.' if self.peek_second().is_some_and(|c| c.is_ascii_digit()) => {
                    return self.number(start, line);
                }
                '\'' | '"' => return self.string(start, line),
                _ if c.is_ascii_alphabetic() || c == '_' || !c.is_ascii() => {
                    return self.name(start, line);
                }
                _ => return self.operator(start, line, c),
            }
        }
    }

    /// A backslash that continues the statement.
    fn continuation(&mut self) -> Result<(), SyntaxError> {
        self.eat();
        self.ended = true;
        if self.peek() != Some('\n') {
            // The column counts from the first of the lines that are joined.
            let message = "unexpected character after line continuation character";
            let mut error = self.error_at(self.line, self.joined, self.at, message);
            error.column += u32::from(self.eat().is_some());
            return Err(error);
        }
        self.eat();
        match self.at >= self.source.len() {
            true => {
                let message = "unexpected EOF while parsing";
                Err(self.error_at(self.line, self.line_start, self.at, message))
            }
            false => {
                self.ended = false;
                Ok(())
            }
        }
    }

    /// The indentation of a line: indents and dedents that are due.
    fn indentation(&mut self) -> Result<(), SyntaxError> {
        self.is_blank = false;
        self.joined = self.line_start;
        let (mut column, mut narrow) = (0, 0);
        loop {
            match self.peek() {
                Some(' ') => (column, narrow) = (column + 1, narrow + 1),
                Some('\t') => (column, narrow) = ((column / 8 + 1) * 8, narrow + 1),
                Some('\u{c}') => (column, narrow) = (0, 0),
                Some('\\') => {
                    self.continuation()?;
                    continue;
                }
                _ => break,
            }
            self.eat();
        }
        if matches!(self.peek(), Some('#' | '\n')) {
            self.is_blank = true;
            return Ok(());
        }
        if !self.open.is_empty() {
            return Ok(());
        }
        if self.peek().is_none() {
            (column, narrow) = (0, 0);
        }
        let line_end = self.at + self.source[self.at..].find('\n').unwrap_or(0);
        let wrong = |message| self.error_at(self.line, self.line_start, line_end, message);
        let mut tabs = wrong("inconsistent use of tabs and spaces in indentation");
        tabs.column = 1;
        let mut unfitting = wrong("unindent does not match any outer indentation level");
        unfitting.column += 1;
        let &(last, last_narrow) = self.indents.last().unwrap_or(&(0, 0));
        if column == last {
            return if narrow == last_narrow {
                Ok(())
            } else {
                Err(tabs)
            };
        }
        if column > last {
            if self.indents.len() >= MOST_INDENTS {
                return self.error("too many levels of indentation");
            }
            if narrow <= last_narrow {
                return Err(tabs);
            }
            self.indents.push((column, narrow));
            self.pending = 1;
            return Ok(());
        }
        while self.indents.last().is_some_and(|indent| column < indent.0) {
            self.indents.pop();
            self.pending -= 1;
        }
        match self.indents.last() {
            Some(indent) if indent.0 != column => Err(unfitting),
            Some(indent) if indent.1 != narrow => Err(tabs),
            _ => Ok(()),
        }
    }

    fn name(&mut self, start: usize, line: u32) -> Result<Token, SyntaxError> {
        // Letters before a quote are a prefix.
        let rest = &self.source[start..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters <= 2 && matches!(rest.as_bytes().get(letters), Some(b'\'' | b'"')) {
            let prefix = rest[..letters].to_ascii_lowercase();
            if matches!(
                prefix.as_str(),
                "b" | "r" | "u" | "f" | "br" | "rb" | "fr" | "rf"
            ) {
                self.at += letters;
                return self.string(start, line);
            }
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
        while self.peek().is_some_and(is_part) {
            self.eat();
        }
        let text = &self.source[start..self.at];
        for (at, c) in text.char_indices() {
            let fits = match at {
                0 => c == '_' || unicode_ident::is_xid_start(c),
                _ => unicode_ident::is_xid_continue(c),
            };
            if fits {
                continue;
            }
            let what = match is_printable(c) {
                true => format!("invalid character '{c}' (U+{:04X})", u32::from(c)),
                false => format!("invalid non-printable character U+{:04X}", u32::from(c)),
            };
            let behind = start + at + c.len_utf8();
            return Err(self.error_at(self.line, self.line_start, behind, what));
        }
        Ok(self.token(Kind::Name, start, line))
    }

    fn string(&mut self, start: usize, line: u32) -> Result<Token, SyntaxError> {
        let line_start = self.line_start;
        let quote = self.eat().unwrap_or('"');
        let mut size = 1;
        if self.peek() == Some(quote) {
            if self.peek_second() != Some(quote) {
                self.eat();
                return Ok(self.token(Kind::Str, start, line));
            }
            size = 3;
            self.eat();
            self.eat();
        }
        let mut closing = 0;
        loop {
            let c = self.peek();
            if c.is_none() || c == Some('\n') && size == 1 {
                let kind = if size == 3 {
                    "triple-quoted string"
                } else {
                    "string"
                };
                let message = format!(
                    "unterminated {kind} literal (detected at line {})",
                    self.line
                );
                return Err(self.error_at(line, line_start, start + 1, message));
            }
            self.eat();
            if c == Some(quote) {
                closing += 1;
                if closing == size {
                    return Ok(self.token(Kind::Str, start, line));
                }
                continue;
            }
            closing = 0;
            if c == Some('\\') {
                self.eat();
            }
        }
    }

    fn digits(&mut self, base: u32, kind: &str) -> Result<(), SyntaxError> {
        loop {
            let mut count = 0;
            while self.peek().is_some_and(|c| c.is_digit(base)) {
                self.eat();
                count += 1;
            }
            if count == 0 {
                if let Some(c) = self.peek().filter(|c| c.is_ascii_digit() && base < 10) {
                    self.eat();
                    return self.error(format!("invalid digit '{c}' in {kind} literal"));
                }
                return self.error(format!("invalid {kind} literal"));
            }
            if self.peek() != Some('_') {
                break;
            }
            self.eat();
        }
        match self.peek() {
            Some(c) if c.is_ascii_digit() => {
                self.eat();
                self.error(format!("invalid digit '{c}' in {kind} literal"))
            }
            _ => self.end_of_number(kind),
        }
    }

    /// Rejects letters right after a number, except for words that may follow one.
    fn end_of_number(&mut self, kind: &str) -> Result<(), SyntaxError> {
        let rest = &self.source[self.at..];
        let words = ["and", "else", "for", "if", "in", "is", "or", "not"];
        if words.iter().any(|word| rest.starts_with(word)) {
            return Ok(());
        }
        match self.peek() {
            Some(c) if c.is_ascii_alphanumeric() || c == '_' => {
                self.error(format!("invalid {kind} literal"))
            }
            _ => Ok(()),
        }
    }

    /// Decimal digits with single underscores between.
    fn decimals(&mut self) -> Result<(), SyntaxError> {
        loop {
            while self.peek().is_some_and(|c| c.is_ascii_digit()) {
                self.eat();
            }
            if self.peek() != Some('_') {
                return Ok(());
            }
            self.eat();
            if !self.peek().is_some_and(|c| c.is_ascii_digit()) {
                return self.error("invalid decimal literal");
            }
        }
    }

    fn number(&mut self, start: usize, line: u32) -> Result<Token, SyntaxError> {
        let base = match (self.peek(), self.peek_second()) {
            (Some('0'), Some('x' | 'X')) => Some((16, "hexadecimal")),
            (Some('0'), Some('o' | 'O')) => Some((8, "octal")),
            (Some('0'), Some('b' | 'B')) => Some((2, "binary")),
            _ => None,
        };
        if let Some((base, kind)) = base {
            self.eat();
            self.eat();
            if self.peek() == Some('_') {
                self.eat();
            }
            self.digits(base, kind)?;
            return Ok(self.token(Kind::Number, start, line));
        }
        let zero = self.peek() == Some('0');
        self.decimals()?;
        let whole = &self.source[start..self.at];
        let is_zero = whole.bytes().all(|b| matches!(b, b'0' | b'_'));
        let mut is_integer = true;
        if self.peek() == Some('.') {
            is_integer = false;
            self.eat();
            if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                self.decimals()?;
            }
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            let mut rest = self.source[self.at + 1..].chars();
            let next = rest.next();
            let digit = match next {
                Some('+' | '-') => rest.next(),
                next => next,
            };
            if digit.is_some_and(|c| c.is_ascii_digit()) {
                is_integer = false;
                self.eat();
                if matches!(next, Some('+' | '-')) {
                    self.eat();
                }
                self.decimals()?;
            } else if matches!(next, Some('+' | '-')) {
                self.eat();
                self.eat();
                return self.error("invalid decimal literal");
            }
        }
        if matches!(self.peek(), Some('j' | 'J')) {
            self.eat();
            self.end_of_number("imaginary")?;
            return Ok(self.token(Kind::Number, start, line));
        }
        if zero && is_integer && !is_zero {
            let message = "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers";
            return Err(self.error_at(line, self.line_start, start + 1, message));
        }
        self.end_of_number("decimal")?;
        Ok(self.token(Kind::Number, start, line))
    }

    fn operator(&mut self, start: usize, line: u32, c: char) -> Result<Token, SyntaxError> {
        let rest = &self.source[start..];
        if rest.starts_with(":=") {
            self.at += 2;
            return Ok(self.token(Kind::Operator, start, line));
        }
        if let Some(operator) = OPERATORS
            .iter()
            .find(|operator| rest.starts_with(**operator))
        {
            self.at += operator.len();
            return Ok(self.token(Kind::Operator, start, line));
        }
        self.eat();
        match c {
            '(' | '[' | '{' => {
                if self.open.len() >= MOST_BRACKETS {
                    return self.error("too many nested parentheses");
                }
                self.open.push(Open {
                    bracket: c,
                    at: start,
                    line,
                });
            }
            ')' | ']' | '}' => {
                let Some(open) = self.open.pop() else {
                    return self.error(format!("unmatched '{c}'"));
                };
                if !matches!((open.bracket, c), ('(', ')') | ('[', ']') | ('{', '}')) {
                    let on = match open.line == line {
                        true => String::new(),
                        false => format!(" on line {}", open.line),
                    };
                    return self.error(format!(
                        "closing parenthesis '{c}' does not match opening parenthesis '{}'{on}",
                        open.bracket
                    ));
                }
            }
            _ if !is_printable(c) => {
                return self.error(format!(
                    "invalid non-printable character U+{:04X}",
                    u32::from(c)
                ));
            }
            _ => {}
        }
        Ok(self.token(Kind::Operator, start, line))
    }
}

/// Whether Python shows a character unescaped.
fn is_printable(c: char) -> bool {
    c == ' ' || !(c.is_control() || c.is_whitespace() || is_format(c))
}

fn is_format(c: char) -> bool {
    matches!(
        u32::from(c),
        0xad | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e
            | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb | 0xe000..=0xf8ff | 0xe0001..=0xe007f
    )
}
