//! A program's ids as the windows that an encoder reads: each between the same ids as in training.

use codexec_data::records::Kind;
use codexec_data::tokenizer::{Vocabulary, VocabularyError};

/// Maximum windows of one program.
const MOST_WINDOWS: usize = 8;

/// The tokens around the code of a window, and its length.
pub struct Frame {
    before: Vec<u32>,
    behind: Vec<u32>,
    window: usize,
}

impl Frame {
    /// Of these ids, in windows of `window` tokens with them.
    pub fn new(before: Vec<u32>, behind: Vec<u32>, window: usize) -> Self {
        Self {
            before,
            behind,
            window,
        }
    }

    /// The frame of our own checkpoints: a program without lines.
    ///
    /// # Errors
    /// If the tokenizer library fails.
    pub fn own(vocabulary: &Vocabulary, window: usize) -> Result<Self, VocabularyError> {
        let (mut before, _) = vocabulary.encode_source(Kind::CodeNet.prefix(), "", usize::MAX)?;
        let behind = before.split_off(before.len().saturating_sub(2));
        Ok(Self::new(before, behind, window))
    }

    /// The first windows of a program; at least one.
    pub fn windows(&self, ids: &[u32]) -> Vec<Vec<u32>> {
        let room = self
            .window
            .saturating_sub(self.before.len() + self.behind.len());
        let framed = |part: &[u32]| [&self.before, part, &self.behind].concat();
        match ids {
            [] => vec![framed(ids)],
            ids => ids
                .chunks(room.max(1))
                .take(MOST_WINDOWS)
                .map(framed)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window_has_its_frame() {
        let frame = Frame::new(vec![1, 2], vec![9], 5);
        assert_eq!(frame.windows(&[]), [[1, 2, 9]]);
        assert_eq!(
            frame.windows(&[4, 5, 6]),
            [vec![1, 2, 4, 5, 9], vec![1, 2, 6, 9]]
        );
        assert_eq!(frame.windows(&[7; 100]).len(), MOST_WINDOWS);
    }
}
