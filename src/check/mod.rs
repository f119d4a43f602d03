//! Prediction of runtime errors: whether a program will raise, what, and on which line, without running it.
//!
//! [`ipa`] has the network.

pub mod ipa;
