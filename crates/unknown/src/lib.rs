//! Programs with missing values: incomplete code, undefined names, missing inputs.
//!
//! | module | what |
//! |---|---|
//! | [`analysis`] | what the syntax of a program shows |
//! | [`values`] | predictions of missing values |
//! | [`guide`] | runs of incomplete programs with injected values (LExecutor) |
//! | [`llm`] | language models behind a server |
//! | [`prefix`] | code put before incomplete programs (Treefix) |

pub mod analysis;
pub mod guide;
pub mod llm;
pub mod prefix;
pub mod values;
