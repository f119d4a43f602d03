//! From a network to predictions: beam search, kept to the grammar of a trace.
//!
//! | module | what |
//! |---|---|
//! | [`beam`] | the published search, over several programs at once; width 1 is greedy |
//! | [`grammar`] | which tokens may come next: the trait, and no restriction at all |
//! | [`trace_grammar`] | the paper's and the delta form's grammar of a trace |
//! | [`token_classes`] | what each token of a vocabulary is to those grammars |
//! | [`flow`] | which lines of a program may follow which |
//! | `lexical` | where a run of text may end |
//! | [`confidence`] | log-probabilities per token into a confidence per step |
//!
//! Text is neither made into ids nor parsed here.

pub mod beam;
pub mod confidence;
pub mod flow;
pub mod grammar;
mod lexical;
pub mod token_classes;
pub mod trace_grammar;

pub use beam::{Hypothesis, Rule, SearchOptions, beam_search};
pub use confidence::{StepConfidence, step_confidences};
pub use grammar::{Allowed, Grammar, NoGrammar};
pub use token_classes::TokenClasses;
pub use trace_grammar::TraceGrammar;
