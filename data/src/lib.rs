//! Traces of Python programs: the type, the sandboxed interpreter that observes them, the data sets
//! made of them and the tokens a model reads.
//!
//! | module | what |
//! |---|---|
//! | [`errors`] | programs with inputs, and the errors that they end with |
//! | [`examples`] | training examples from runs |
//! | [`files`] | files that appear whole or not at all |
//! | [`generated`] | programs that nobody wrote: of a grammar, and of functions of a corpus |
//! | [`installer`] | packages that programs miss, into a directory of their own |
//! | [`mutants`] | data sets of mutants, at scale |
//! | [`names`] | what names that nobody binds usually stand for |
//! | [`planner`] | who says what a program does without executing it |
//! | [`recorder`] | the values that a command of the user's own uses |
//! | [`records`] | the record of an example, and files of them: JSON Lines and Parquet |
//! | [`sandbox`] | [`sandbox::Pool`]: Python programs in, traces out |
//! | [`sources`] | where programs and statements come from |
//! | [`syntax`] | the syntax tree of a program, or where it does not parse |
//! | [`tokenizer`] | programs and traces as words, words as token ids |
//! | [`trace`] | [`trace::Trace`], its JSON, paper and delta forms |
//!
//! This crate is independent of candle and the command line. It also compiles for browsers, where nothing starts a
//! process or receives a signal, and there are no [`mutants`].

mod code_hash;
pub mod errors;
pub mod examples;
pub mod files;
pub mod generated;
pub mod installer;
#[cfg(not(target_family = "wasm"))]
pub mod mutants;
pub mod names;
pub mod planner;
pub mod recorder;
pub mod records;
pub mod sandbox;
pub mod sources;
pub mod tokenizer;

pub use codexec_trace as trace;
pub use codexec_trace::syntax;
