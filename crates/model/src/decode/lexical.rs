//! Lexical state of text: inside a string, after a backslash, or within a possible mark. Text must
//! not end there, or spell a mark; this keeps the grammar of a trace unambiguous down to its
//! characters.

use super::token_classes::reserved;
use crate::Form;

/// How a reader of the text forms sees a run of text so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Lexical {
    /// The quote that must close, in values of the delta form.
    quote: Option<u8>,
    /// The last character is a backslash (delta form: it would escape the next one).
    escaped: bool,
    /// The text since a `<`, while it may become a mark.
    tail: Vec<u8>,
}

impl Lexical {
    /// Whether a mark may follow.
    pub(super) fn may_end(&self) -> bool {
        self.quote.is_none() && !self.escaped
    }

    /// Whether the next token may have to be rejected for what it would complete.
    pub(super) fn is_delicate(&self) -> bool {
        !self.tail.is_empty()
    }

    /// Advances by a token's text. `None` if that spells a mark. `strings`: quotes open strings.
    pub(super) fn feed(&self, text: &[u8], form: Form, strings: bool) -> Option<Self> {
        let mut next = self.clone();
        for byte in text {
            match form {
                Form::Delta if byte.is_ascii_whitespace() => {}
                Form::Delta => next.delta_byte(*byte, strings)?,
                Form::Paper => next.plain_byte(*byte, form)?,
            }
        }
        Some(next)
    }

    fn delta_byte(&mut self, byte: u8, strings: bool) -> Option<()> {
        if let Some(quote) = self.quote {
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == quote {
                self.quote = None;
            }
            return Some(());
        }
        let after_backslash = std::mem::take(&mut self.escaped);
        if after_backslash && matches!(byte, b'\\' | b'<' | b',' | b':' | b'\'' | b'"') {
            return Some(());
        }
        match byte {
            b'\\' => {
                self.tail.clear();
                self.escaped = true;
                Some(())
            }
            b'\'' | b'"' if strings => {
                self.tail.clear();
                self.quote = Some(byte);
                Some(())
            }
            _ => self.plain_byte(byte, Form::Delta),
        }
    }

    fn plain_byte(&mut self, byte: u8, form: Form) -> Option<()> {
        if byte == b'<' {
            self.tail = vec![byte];
        } else if !self.tail.is_empty() {
            self.tail.push(byte);
            if reserved(form).any(|mark| mark == self.tail) {
                return None;
            }
            if !reserved(form).any(|mark| mark.starts_with(&self.tail)) {
                self.tail.clear();
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delta(text: &str) -> Option<Lexical> {
        Lexical::default().feed(text.as_bytes(), Form::Delta, true)
    }

    #[test]
    fn strings_and_escapes_must_be_complete() {
        for open in ["' a", "' \\ '", "\" '", "a \\", "' \\ \\ ' \\"] {
            assert!(!delta(open).unwrap().may_end(), "{open}");
        }
        for closed in [
            "' a '",
            "' \\ ' '",
            "\\ ' a",
            "1 \\ \\",
            "[ \" ' \" ]",
            "' \\ \\ '",
        ] {
            assert!(delta(closed).unwrap().may_end(), "{closed}");
        }
        let output = Lexical::default().feed(b"it's", Form::Delta, false);
        assert!(output.unwrap().may_end());
    }

    #[test]
    fn text_cannot_spell_a_mark() {
        for mark in ["< line >", "<state>", "x < / state >", "< < del >"] {
            assert_eq!(delta(mark), None, "{mark}");
        }
        for fine in [
            "\\ < line >",
            "' < line > '",
            "< Line >",
            "< lin >",
            "< line '' >",
            "<0>",
        ] {
            assert!(delta(fine).is_some(), "{fine}");
        }
        let paper = |text: &str| Lexical::default().feed(text.as_bytes(), Form::Paper, false);
        assert!(paper("<\\line>").is_some() && paper("< line >").is_some());
        assert_eq!(paper("a<line>"), None);
    }
}
