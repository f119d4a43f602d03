//! Traces of Python programs: the type, the sandboxed interpreter that observes them, the data sets
//! made of them and the tokens a model reads.
//!
//! | module | what |
//! |---|---|
//! | [`trace`] | [`trace::Trace`], its JSON, paper and delta forms |
//!
//! This crate knows nothing of candle and of the command line.

pub mod trace;
