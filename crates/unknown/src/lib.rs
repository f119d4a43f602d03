//! Programs that miss values: incomplete code, names that nobody defines, inputs that are not there.
//!
//! | module | what |
//! |---|---|
//! | [`analysis`] | what the syntax of a program says |
//! | [`values`] | what missing values are |
//! | [`guide`] | programs that miss values, run with injected ones (LExecutor) |
//! | [`llm`] | language models behind a server |
//! | [`prefix`] | code in front of programs that miss values (Treefix) |

pub mod analysis;
pub mod guide;
pub mod llm;
pub mod prefix;
pub mod values;
