//! Standard input: one cursor for `input()`, `sys.stdin` and `open(0)`.

/// What is left of the program's input.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    text: std::sync::Arc<str>,
    at: usize,
}

impl Input {
    pub fn new(text: &str) -> Self {
        // As a text stream with universal newlines reads it.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        Self {
            text: text.into(),
            at: 0,
        }
    }

    /// The next line with its newline; empty at the end.
    pub fn line(&mut self) -> String {
        let rest = &self.text[self.at..];
        let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let line = rest[..end].to_string();
        self.at += end;
        line
    }

    /// Everything that is left.
    pub fn rest(&mut self) -> String {
        let rest = self.text[self.at..].to_string();
        self.at = self.text.len();
        rest
    }
}
