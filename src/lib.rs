//! codexec: predict, collect and fill in the executions of Python programs.
//!
//! ```
//! let planned = codexec::trace("x = [1, 2]\nprint(sum(x))\n").plan()?;
//! assert_eq!(planned.trace.steps[1].output, "3\n");
//! # Ok::<(), codexec::Failure>(())
//! ```
//!
//! | function | what |
//! |---|---|
//! | [`trace()`] | the trace of a program: planned, run, or run with injected values |
//! | [`check()`] | whether it raises, what and where, without running it |
//! | [`guide()`] | runs a program that misses values |
//! | [`prefix()`] | code in front of it, so that it runs |
//! | [`diff()`] | whether two versions differ |
//! | [`mutate()`] | programs like it |
//! | [`rerank()`] | generated programs, the best first |
//!
//! | module | what |
//! |---|---|
//! | [`query`] | questions about a finished trace: some of its steps, why a value |
//! | [`page`] | one page that shows executions |
//! | [`model`] | the network: one stack used as encoder and decoder, checkpoints |
//! | [`decode`] | beam search kept to the grammar of a trace |
//! | [`engine`] | ways to get a trace: predicted, run, run with injected values |
//! | [`check`](mod@check) | whether a program raises, what and where, without running it |
//! | [`training`] | the network as something the curriculum can train |
//! | [`analysis`] | what the syntax of a program says |
//! | [`values`] | what missing values are |
//! | [`guide`](mod@guide) | programs that miss values, run with injected ones |
//! | [`llm`] | language models behind a server |
//! | [`prefix`](mod@prefix) | code in front of programs that miss values |
//! | [`rerank`](mod@rerank) | ranks generated programs by predicted output |
//! | [`search`] | programs that do the same, found by vectors and by what they print |
//! | [`eval`] | metrics and baselines |
//! | [`error`] | what can go wrong |

mod api;
#[doc(hidden)]
pub mod cli;

pub use codexec_check as check;
pub use codexec_engine as engine;
pub use codexec_eval::{metrics as eval, rerank, search};
pub use codexec_model as model;
pub use codexec_model::{Error, Result, decode, error};
pub use codexec_page as page;
pub use codexec_query as query;
pub use codexec_training as training;
pub use codexec_unknown::{analysis, guide, llm, prefix, values};

pub use api::{
    CheckRequest, DiffRequest, Failure, GuideRequest, MutateRequest, PrefixRequest, RerankRequest,
    TraceRequest, check, diff, guide, mutate, prefix, rerank, trace,
};
pub use codexec_data::sandbox;
