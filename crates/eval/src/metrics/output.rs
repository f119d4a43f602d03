//! Output accuracy: whether all output of a program was predicted, as a list of strings in order.
//!
//! Judges only printed text, not its position. A piece dropped at the end of the text (see
//! [`pieces`](super::pieces::pieces)) is not seen here either.

use super::pieces::{OUTPUT, strip};

/// Where the reference cuts an output: a leftover of its own tracer.
const EVENT: &str = "_____event";

/// The outputs among `pieces`: one character, whatever it is, and then blanks are dropped behind
/// `<output>`; empty ones are left out.
pub fn outputs<'t>(pieces: &[&'t str]) -> Vec<&'t str> {
    let texts = pieces.iter().filter_map(|p| p.strip_prefix(OUTPUT));
    let bare = texts.map(|text| {
        let mut chars = text.chars();
        chars.next();
        let text = strip(chars.as_str());
        text.find(EVENT).map_or(text, |at| strip(&text[..at]))
    });
    bare.filter(|text| !text.is_empty()).collect()
}

/// Whether the predicted outputs are the true ones; nothing when the truth has none.
pub fn output_right(predicted: &[&str], gold: &[&str]) -> Option<bool> {
    let gold = outputs(gold);
    (!gold.is_empty()).then(|| outputs(predicted) == gold)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_outputs_are_none() {
        assert_eq!(outputs(&["<output> ", "<output>", "<output> x "]), ["x"]);
        assert_eq!(output_right(&["<output> x"], &["<output> "]), None);
        assert_eq!(output_right(&[], &["<output> x"]), Some(false));
    }
}
