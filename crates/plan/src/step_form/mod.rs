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
//! The source is one Python expression or statement, spelled as [`codexec_trace::notation`] spells
//! values: digits and characters apart. Values stand in it where the program has names, so that there is
//! nothing to look up. Objects of the program are `o0`, `o1`. Long containers that the operation touches at
//! one place show that place alone (`...`), and to `len` how many items are left out (`*48`). Six equal numbers,
//! texts, truth values or `None`s in a row stand as `*[0]*6`, and six zeros or nines in an integer as a power of
//! ten, `10**9+7`, `10**9-7`.
//!
//! The target is the value, what changes in the first operand (`<state>`, edits apart by `<dictsep>`), and what
//! is printed (`<output>`). Operations that take many steps have their working in front (`<return>`), which is not read
//! again. The value is left out where it is `None` and something changes, and where it is the
//! first operand itself (`a += b`).
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
//! A text knows no identities. Reading takes a container for an object of the question where the two are equal and
//! the operation gives out what it was given (`pop`, `max`, elements of `list(…)`), and else for a new one.

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
/// Marks what is printed.
const OUTPUT: &str = "<output>";
/// Stands behind the working.
const WORKED: &str = "<return>";
/// Marks an exception.
const RAISE: &str = "<raise>";

/// The words of an answer behind its working.
#[must_use]
pub fn without_working(words: &str) -> &str {
    let behind = words.split_once(WORKED).map(|(_, answer)| answer);
    behind.unwrap_or(words).trim()
}

/// Why a question or an answer has no text, or a text is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepFormError {
    /// What cannot be written.
    #[error("no text for {0}")]
    NoText(&'static str),
    /// A text that is no answer.
    #[error("no answer: {0}")]
    Malformed(String),
}

#[cfg(test)]
mod tests;
