//! What the syntax of a program shows: its names, values, conditions and definitions.
//!
//! | module | what |
//! |---|---|
//! | `tree`, `syntax` | the syntax tree that all other modules read, and small queries on it |
//! | `scopes` | the names that a scope binds, and the reads that can miss |
//! | `paths` | the path of a value: its name and the operations on it |
//! | `uses`, `evidence`, `hints` | how values are used, by path, and which value would fit |
//! | `reach`, `branches` | how many lines one execution can reach, and which outcome reaches more |
//! | `handlers` | the exceptions that the program itself catches, by line |
//! | `returns` | `return` statements outside functions |
//! | `calls` | calls of functions that a program only defines |
//! | `fragments` | the uses of a value in a fragment of a program |
//!
//! This is the lowest of four rooms: [`values`](crate::values), [`guide`](crate::guide) and
//! [`prefix`](crate::prefix) build on it, each on the ones before it. Nothing here guesses a value
//! or runs anything.

pub(crate) mod branches;
mod calls;
pub(crate) mod evidence;
mod fragments;
pub(crate) mod handlers;
pub(crate) mod hints;
pub(crate) mod paths;
mod reach;
pub(crate) mod returns;
pub(crate) mod scopes;
pub(crate) mod syntax;
pub(crate) mod tree;
pub(crate) mod uses;

pub use hints::{Hint, hint};
pub use scopes::is_builtin;

pub use calls::{Uncalled, WithCalls, only_defines, uncalled, with_calls};
pub use evidence::Evidence;
pub use fragments::uses_in_fragment;
pub use returns::stray_returns;
pub use uses::{Comparison, Kind, Literal, Uses};

/// Why a program cannot be read. One with syntax errors can be.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    /// The Python grammar could not be used.
    #[error("the Python grammar: {why}")]
    Grammar {
        /// The parser's message.
        why: String,
    },
    /// The program is nested too deeply.
    #[error("the program is nested too deeply to be rewritten; take it apart")]
    TooDeep,
}

#[cfg(test)]
pub(crate) fn analyse_for_tests(source: &str) -> Evidence {
    syntax::with_tree(source, |tree| {
        let root = tree.root_node();
        let outcomes = branches::Outcomes::of(root, source);
        Ok(Evidence::of(root, source, &outcomes))
    })
    .unwrap_or_default()
}
