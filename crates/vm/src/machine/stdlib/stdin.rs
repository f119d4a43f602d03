//! The rest of standard input: one cursor for `input()`, `sys.stdin`, its buffer and `open(0)`.

use std::sync::Arc;

/// Bytes that a text stream reads at once.
const CHUNK: usize = 8192;

/// The rest of the program's input.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    bytes: Arc<[u8]>,
    at: usize,
    /// The number of bytes left when text was first read.
    text: Option<usize>,
    /// Whether a stream has read from it. A stream reads a chunk at once.
    is_buffered: bool,
    /// Whether the program closed it.
    pub is_closed: bool,
}

impl Input {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            bytes: text.as_bytes().into(),
            at: 0,
            text: None,
            is_buffered: false,
            is_closed: false,
        }
    }

    /// Whether anything is left for a reader of bytes or of text. `None` if that depends on chunk
    /// boundaries.
    pub(crate) fn chunk(&mut self, bytes: bool) -> Option<bool> {
        self.is_buffered = true;
        if !bytes {
            self.text.get_or_insert(self.bytes.len() - self.at);
            return Some(true);
        }
        match self.text {
            None => Some(true),
            Some(left) => (left <= CHUNK).then_some(false),
        }
    }

    /// Reads the next bytes, bypassing the buffers of streams. `None` if that depends on chunk
    /// boundaries.
    pub(crate) fn unbuffered(&mut self, most: usize) -> Option<Vec<u8>> {
        match self.is_buffered {
            false => Some(self.bytes(Some(most))),
            true => (self.bytes.len() <= CHUNK).then(Vec::new),
        }
    }

    /// Returns the total number of bytes.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Reads the next line with its newline, at most `most` characters. Empty at the end.
    pub(crate) fn line(&mut self, most: Option<usize>) -> String {
        self.text(most, true)
    }

    /// Reads the next characters, or all that are left.
    pub(crate) fn characters(&mut self, most: Option<usize>) -> String {
        self.text(most, false)
    }

    /// Reads as a text stream with universal newlines does.
    fn text(&mut self, most: Option<usize>, only_line: bool) -> String {
        let rest = String::from_utf8_lossy(&self.bytes[self.at..]);
        let mut text = String::new();
        let mut count = 0;
        let mut characters = rest.char_indices().peekable();
        while most.is_none_or(|most| count < most)
            && let Some((_, c)) = characters.next()
        {
            count += 1;
            let is_end = matches!(c, '\n' | '\r');
            if c == '\r' {
                characters.next_if(|(_, next)| *next == '\n');
            }
            text.push(if is_end { '\n' } else { c });
            if is_end && only_line {
                break;
            }
        }
        self.at += characters.peek().map_or(rest.len(), |(at, _)| *at);
        self.at = self.at.min(self.bytes.len());
        text
    }

    /// Reads the next line of bytes with its newline, at most `most` bytes. Empty at the end.
    pub(crate) fn byte_line(&mut self, most: Option<usize>) -> Vec<u8> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| *byte == b'\n');
        let end = end.map_or(rest.len(), |at| at + 1);
        self.bytes(Some(most.unwrap_or(end).min(end)))
    }

    /// Reads the next bytes, or all that are left.
    pub(crate) fn bytes(&mut self, most: Option<usize>) -> Vec<u8> {
        let rest = &self.bytes[self.at..];
        let taken = rest[..most.unwrap_or(rest.len()).min(rest.len())].to_vec();
        self.at += taken.len();
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::Input;

    #[test]
    fn lines_end_as_text_streams_end_them() {
        let mut input = Input::new("a\r\nb\rc\nд\n\nlast");
        assert_eq!(input.line(None), "a\n");
        assert_eq!(input.line(None), "b\n");
        assert_eq!(input.line(Some(1)), "c");
        assert_eq!(input.line(Some(5)), "\n");
        assert_eq!(input.characters(Some(2)), "д\n");
        assert_eq!(input.line(None), "\n");
        assert_eq!(input.line(Some(0)), "");
        assert_eq!(input.characters(None), "last");
        assert_eq!(input.line(None), "");
    }

    #[test]
    fn bytes_are_left_as_they_are() {
        let mut input = Input::new("a\r\nd\u{434}\nlast");
        assert_eq!(input.byte_line(None), b"a\r\n");
        assert_eq!(input.byte_line(Some(2)), [b'd', 0xd0]);
        assert_eq!(input.bytes(Some(2)), [0xb4, b'\n']);
        assert_eq!(input.byte_line(None), b"last");
        assert_eq!(input.bytes(None), b"");
    }

    #[test]
    fn a_stream_takes_a_chunk_of_what_a_descriptor_reads() {
        let mut input = Input::new("abcdef");
        assert_eq!(input.unbuffered(2).as_deref(), Some(&b"ab"[..]));
        assert_eq!(input.chunk(true), Some(true));
        assert_eq!(input.bytes(Some(1)), b"c");
        assert_eq!(input.unbuffered(2).as_deref(), Some(&b""[..]));
        let mut input = Input::new(&"a\n".repeat(5000));
        assert_eq!(input.chunk(true), Some(true));
        assert_eq!(input.unbuffered(2), None);
    }

    #[test]
    fn a_text_takes_a_chunk_from_its_buffer() {
        let mut input = Input::new("a\nb\n");
        assert_eq!(input.chunk(true), Some(true));
        assert_eq!(input.byte_line(None), b"a\n");
        assert_eq!(
            [input.chunk(false), input.chunk(true)],
            [Some(true), Some(false)]
        );
        let mut input = Input::new(&"a\n".repeat(5000));
        assert_eq!([input.chunk(false), input.chunk(true)], [Some(true), None]);
    }
}
