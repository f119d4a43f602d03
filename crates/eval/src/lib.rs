//! Metrics of predicted executions, and what ranks and finds programs by them.
//!
//! | module | what |
//! |---|---|
//! | [`metrics`] | how good a prediction is |
//! | [`rerank`] | ranks generated programs by predicted output |
//! | [`search`] | programs that do the same, found by vectors and by what they print |
//! | [`statistics`] | shares, and intervals that say what is more than chance |

pub mod metrics;
pub mod rerank;
pub mod search;
pub mod statistics;
