//! Words to token ids and back, for checkpoints that speak our own form.
//!
//! [`source`] turns a program into words, [`crate::trace`] does so for traces; [`Vocabulary`] maps
//! words to ids with a byte-level BPE with separate digits. Published checkpoints bring their own
//! tokenizer, which is used unchanged.

pub mod source;
mod vocabulary;

pub use source::{SourceText, source_text, words_of};
pub use vocabulary::{Digits, Vocabulary, VocabularyError};
