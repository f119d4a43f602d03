//! Cuts paper-form text the way the reference metrics of CodeExecutor do.
//!
//! Not a parser of the paper form: it accepts any text, splits wherever a marker is spelled, inside
//! a value too, and keeps blanks. Scores that are comparable with published ones must judge exactly
//! these pieces.

use std::collections::HashMap;

/// Opens a step.
const LINE: &str = "<line>";
/// Opens printed text.
pub(super) const OUTPUT: &str = "<output>";
/// Opens and closes the variables of a step.
const STATE: &str = "<state>";
/// See [`STATE`].
const STATE_END: &str = "</state>";

/// Names and values of a state.
pub(super) type Variables<'t> = HashMap<&'t str, &'t str>;

/// The pieces of a text: it is stripped and split before every `<line>` and `<output>`; text before
/// the first is also a piece. The last piece is dropped unless it has a `</state>`, so that a
/// truncated step, but also an output at the very end, is not judged.
pub fn pieces(text: &str) -> Vec<&str> {
    let text = strip(text);
    let marks = text.match_indices(LINE).chain(text.match_indices(OUTPUT));
    let mut cuts: Vec<usize> = marks.map(|(at, _)| at).chain([0, text.len()]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces: Vec<&str> = cuts.windows(2).map(|w| &text[w[0]..w[1]]).collect();
    if pieces.last().is_some_and(|last| !last.contains(STATE_END)) {
        pieces.pop();
    }
    pieces
}

/// A piece before its `<state>`, and the variables in it. `None` without a `<state>`.
pub(super) fn step_of(piece: &str) -> Option<(&str, Variables<'_>)> {
    let at = piece.find(STATE)?;
    Some((strip(&piece[..at]), variables(&piece[at..], first_colon)))
}

/// Number of names that a piece shows.
///
/// Without a `<state>` the reference looks only at the last character, and counts one name, the
/// empty one, if that is a colon.
pub(super) fn name_count(piece: &str) -> usize {
    match step_of(piece) {
        Some((_, variables)) => variables.len(),
        None => usize::from(piece.ends_with(':')),
    }
}

/// The variables between `<state>` and `</state>`, whichever of the two are there; of a name that
/// comes twice, the last.
pub(super) fn variables(
    state: &str,
    split: impl Fn(&str) -> Option<(&str, &str)>,
) -> Variables<'_> {
    let state = strip(state);
    let state = state.strip_prefix(STATE).unwrap_or(state);
    let state = state.strip_suffix(STATE_END).unwrap_or(state);
    let entries = state.split("<dictsep>").filter_map(split);
    entries.map(|(name, v)| (strip(name), strip(v))).collect()
}

/// Name and everything behind the first colon.
fn first_colon(entry: &str) -> Option<(&str, &str)> {
    entry.split_once(':')
}

/// Number of names that both have with the same value.
pub(super) fn same_variables(a: &Variables<'_>, b: &Variables<'_>) -> usize {
    a.iter().filter(|(name, v)| b.get(*name) == Some(v)).count()
}

/// `str.strip` of Python, which also strips four separators that are not white space in Unicode.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_piece_needs_its_end() {
        let text = " <line> <0> <state> a : 1 </state> <output> 1 ";
        assert_eq!(pieces(text), ["<line> <0> <state> a : 1 </state> "]);
        assert_eq!(pieces(""), Vec::<&str>::new());
        assert_eq!(pieces("x </state>"), ["x </state>"]);
    }

    #[test]
    fn strips_what_python_strips() {
        assert_eq!(strip("\u{1f}\u{a0} a \u{1c}\n"), "a");
    }
}
