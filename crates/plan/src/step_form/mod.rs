//! The step form: a question and its answer as words, for a network that reads and writes text.
//!
//! ```text
//! [4, 1].append(7)      ->  <state> +7
//! sum([4, 1, 2])        ->  4+1=5+2=7 <return> 7
//! max([4, 1])           ->  4
//! [4, 1].pop()          ->  1 <state> [-1]
//! int('x')              ->  <raise> ValueError
//! {'a': 1}.update(b=2)  ->  <state> ['b']=2
//! ```
//!
//! The source is one Python expression or statement, spelled like values in [`codexec_trace::notation`]: digits
//! and characters apart. It has values instead of the program's names, so that nothing has to be looked up.
//! Objects of the program are `o0`, `o1`. Long containers that the operation touches at one position show only
//! that position (`...`), and for `len` the number of omitted items (`*48`). A run of six equal numbers,
//! strings, truth values or `None`s is written `*[0]*6`, and six zeros or nines in an integer as a power of ten,
//! `10**9+7`, `10**9-7`.
//!
//! The target is the value, the change to the first operand (`<state>`, edits separated by `<dictsep>`), and the output
//! (`<output>`). Operations of many steps are preceded by their working (`<return>`), which is not parsed. The value is
//! omitted if it is `None` and something changes, and if it is the first operand itself (`a += b`).
//!
//! | edit | meaning |
//! |---|---|
//! | `+v, w` | appended; added to a set |
//! | `<v, w` | prepended |
//! | `[i]=v` | set at an index or a key |
//! | `[i]+v` | inserted before an index |
//! | `[i]` | taken out at an index |
//! | `-v` | the first element, key or member equal to `v` taken out |
//! | `=v` | everything replaced |
//!
//! Text has no identities. A container is read as an object of the question if both are equal and the operation
//! returns its operands (`pop`, `max`, elements of `list(…)`), and otherwise as a new one.

mod apply;
mod edits;
mod link;
mod literals;
mod messages;
mod objects;
mod powers;
mod read;
mod scratchpad;
mod source;
mod write;

pub use read::read;
pub use source::{code, source};
pub use write::{Changes, target, target_with};

/// Marks what changes in the first operand.
const STATE: &str = "<state>";
/// Separates edits.
const SEPARATOR: &str = "<dictsep>";
/// Marks the output.
const OUTPUT: &str = "<output>";
/// Ends the working.
const WORKED: &str = "<return>";
/// Marks an exception.
const RAISE: &str = "<raise>";

/// The words of an answer behind its working.
#[must_use]
pub fn without_working(words: &str) -> &str {
    let behind = words.split_once(WORKED).map(|(_, answer)| answer);
    behind.unwrap_or(words).trim()
}

/// Why a question or an answer has no text, or a text is not an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepFormError {
    /// The part that cannot be written.
    #[error("no text for {0}")]
    NoText(&'static str),
    /// An invalid answer.
    #[error("no answer: {0}")]
    Malformed(String),
}

#[cfg(test)]
mod tests;
