//! One Python program in, many out: mutation operators over a lossless syntax tree.
//!
//! ```
//! use codexec_mutate::{Config, Mutator};
//! let source = "x = 3\nprint(x + 1)  # four\n";
//! let mutator = Mutator::new(Config::default());
//! for mutant in mutator.mutants(source, 7)?.take(5) {
//!     assert!(mutant.text != source && mutant.text.ends_with("# four\n"));
//!     // operator, site and seed replay an edit
//!     let edits: Vec<_> = mutant.edits.iter().map(|e| (e.operator, e.site, e.seed)).collect();
//!     assert_eq!(mutator.apply(source, &edits)?, mutant);
//! }
//! # Ok::<(), codexec_mutate::MutateError>(())
//! ```
//!
//! In addition to mutation there is a partial evaluator, [`inline_input`]: a program and one standard
//! input in, the same program with that input as constants out.
//!
//! Finding the sites of an operator is separate from applying it. Edits are byte ranges: formatting
//! and comments survive. Every mutant is parsed again and differs from its parent and from those
//! before it. The same seed gives the same bytes on every machine. Nothing here reads a file, starts
//! Python or knows a tensor, and nothing predicts whether a mutant runs.

mod draw;
mod edit;
mod engine;
mod error;
mod explosion;
mod find;
mod operator;
pub mod operators;
mod parse;
mod partial_evaluator;
mod precedence;
mod starred;

pub use draw::Draw;
pub use edit::{Change, Edit};
pub use engine::{Candidate, Config, Mutant, Mutants, Mutator};
pub use error::MutateError;
pub use operator::{Above, Group, Inside, Operator, Place, Rewrite, Site};
pub use operators::REGISTRY;
pub use parse::grammar_version;
pub use partial_evaluator::{Inlined, inline_input};
pub use precedence::{Binding, Level};
pub use starred::without_stars;
