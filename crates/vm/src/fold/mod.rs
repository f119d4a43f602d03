//! Operations that can be computed on known values, as a compiler folds constants: operators,
//! comparisons and truth, subscripts and slices, values as text, and functions of numbers.
//!
//! The reference is CPython 3.11.7, including its exception messages. An operation that would ask a
//! class of the program, or that exceeds the limits here, is [`Folded::Unknown`].

use crate::value::Value;

pub use crate::operation::{BinaryOp, CompareOp, UnaryOp};

pub mod arith;
pub mod byte_order;
mod change;
mod characters;
pub mod checksums;
pub mod codecs;
pub mod compare;
mod complex;
pub mod complex_functions;
mod contains;
mod float;
#[cfg(target_family = "wasm")]
mod floats;
pub mod format;
pub mod hash;
pub mod hex_floats;
pub(crate) mod integer;
pub mod key;
pub mod mathematics;
pub mod number_text;
pub mod numerals;
pub mod re_errors;
pub mod regex;
mod regex_ascii;
pub mod set_order;
mod slice;
mod sorting;
mod str_beyond_ascii;
mod str_layout;
pub mod str_methods;
mod str_search;
pub mod subscript;
pub mod template;
mod type_errors;
pub mod type_name;
pub(crate) mod unicode_data;
mod wide_codecs;

pub use sorting::order_of;
pub use str_layout::table;

/// The result of an operation.
#[derive(Debug, Clone, PartialEq)]
pub enum Folded {
    /// Its value.
    Value(Value),
    /// It raises a builtin exception: class and message, with the wording of CPython 3.11. The
    /// message is what `str` returns. The argument of a `KeyError` is the key itself.
    Raise(&'static str, String),
    /// It cannot be folded: a machine must look up methods, or ask.
    Unknown,
}

/// Maximum bits of a computed integer.
const MOST_BITS: u64 = 1 << 17;
/// Maximum bytes of a computed string, and maximum of eight times the items of a computed tuple.
pub(crate) const MOST_BYTES: usize = 1 << 20;
/// Maximum depth of nested containers.
const MOST_DEPTH: usize = 100;

impl Folded {
    fn bool(value: bool) -> Self {
        Self::Value(Value::Bool(value))
    }

    fn maybe(value: Option<bool>) -> Self {
        value.map_or(Self::Unknown, Self::bool)
    }

    pub(crate) fn type_error(message: impl Into<String>) -> Self {
        Self::Raise("TypeError", message.into())
    }

    pub(crate) fn value_error(message: impl Into<String>) -> Self {
        Self::Raise("ValueError", message.into())
    }

    fn zero_division(message: &str) -> Self {
        Self::Raise("ZeroDivisionError", message.to_owned())
    }

    pub(crate) fn overflow(message: &str) -> Self {
        Self::Raise("OverflowError", message.to_owned())
    }
}
