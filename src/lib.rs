//! codexec: predict, collect and fill in the executions of Python programs.
//!
//! | module | what |
//! |---|---|
//! | [`model`] | the network: one stack used as encoder and decoder, checkpoints |
//! | [`decode`] | beam search kept to the grammar of a trace |
//! | [`engine`] | ways to get a trace: predicted, run, run with made-up values |
//! | [`check`] | whether a program raises, what and where, without running it |
//! | [`training`] | the network as something the curriculum can train |
//! | [`analysis`] | what the syntax of a program says |
//! | [`values`] | what missing values are |
//! | [`guide`] | programs that miss values, run with made-up ones |
//! | [`llm`] | language models behind a server |
//! | [`prefix`] | code in front of programs that miss values |
//! | [`rerank`] | generated programs in the order of what they are told to print |
//! | [`search`] | programs that do the same, found by vectors and by what they print |
//! | [`eval`] | metrics and baselines |
//! | [`cli`] | one file per subcommand |
//! | [`error`] | what can go wrong |

pub mod check;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod rerank;
pub mod search;
pub mod training;

pub use codexec_model as model;
pub use codexec_model::{Error, Result, decode, error};
pub use codexec_unknown::{analysis, guide, llm, prefix, values};
