//! What can be computed when the values are known, as a compiler folds constants: operators,
//! comparisons and truth of scalars, subscripts and slices, and the text of values. No calls.

use crate::value::Value;

/// What became of an operation.
#[derive(Debug, Clone, PartialEq)]
pub enum Folded {
    /// Its value.
    Value(Value),
    /// It raises a builtin exception: kind and message, as CPython 3.11 words it.
    Raise(&'static str, String),
    /// It cannot be folded: a machine has to look for methods, or ask.
    Unknown,
}
