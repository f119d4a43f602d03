//! What the syntax of a program says: of its names, its values, its conditions, and what it defines.
//!
//! | module | what |
//! |---|---|
//! | `tree`, `syntax` | the syntax tree, as all of the following read it, and small questions to it |
//! | `scopes` | which names a scope binds, and which reads can miss |
//! | `paths` | what a value is called, from its name on |
//! | `uses`, `evidence`, `hints` | how values are used, by path, and which value would fit that |
//! | `reach`, `branches` | how many lines one execution can reach, and which outcome of a condition leads further |
//! | `handlers` | which exceptions the program itself catches where |
//! | `returns` | `return` statements that no function is around |
//! | `calls` | calls of functions that a program only defines |
//! | `fragments` | the uses of a value in a piece of a program |
//!
//! The lowest of four rooms: [`values`](crate::values), [`guide`](crate::guide) and
//! [`prefix`](crate::prefix) build on it, each on those before it. Nothing here guesses a value or runs
//! anything.

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

/// What can keep a program from being read. What is no Python is read all the same.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    /// The grammar of Python could not be used.
    #[error("the Python grammar: {why}")]
    Grammar {
        /// What it said.
        why: String,
    },
    /// A program nested too deeply.
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
