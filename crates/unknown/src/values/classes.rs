//! The closed set of classes for missing values: fine (the paper's Table 1) and coarse (its Table
//! 2). The runtime (`data/python/sandbox/guide.py`) chooses the value of a class.
//!
//! The paper's text counts 23 fine classes; its table and its published code have these 22.

use serde::{Deserialize, Serialize};

macro_rules! classes {
    ($($name:ident $text:literal $coarse:ident,)*) => {
        /// A fine class.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Class {
            $(#[doc = $text] #[serde(rename = $text)] $name,)*
        }

        impl Class {
            /// All fine classes, in the order of the paper's table.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns its name in event records.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// Returns its coarse class.
            pub fn coarse(self) -> Coarse {
                match self { $(Self::$name => Coarse::$coarse),* }
            }
        }
    };
}

classes! {
    None "None" None,
    True "True" Bool,
    False "False" Bool,
    IntNeg "int_neg" Int,
    IntZero "int_zero" Int,
    IntPos "int_pos" Int,
    FloatNeg "float_neg" Float,
    FloatZero "float_zero" Float,
    FloatPos "float_pos" Float,
    StrEmpty "str_empty" Str,
    StrNonempty "str_nonempty" Str,
    ListEmpty "list_empty" List,
    ListNonempty "list_nonempty" List,
    TupleEmpty "tuple_empty" Tuple,
    TupleNonempty "tuple_nonempty" Tuple,
    SetEmpty "set_empty" Set,
    SetNonempty "set_nonempty" Set,
    DictEmpty "dict_empty" Dict,
    DictNonempty "dict_nonempty" Dict,
    Callable "callable" Callable,
    Resource "resource" Resource,
    Object "object" Object,
}

/// A coarse class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Coarse {
    /// `None`.
    None,
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// A float.
    Float,
    /// A string.
    Str,
    /// A list.
    List,
    /// A tuple.
    Tuple,
    /// A set.
    Set,
    /// A dictionary.
    Dict,
    /// A callable.
    Callable,
    /// A context manager that can be called.
    Resource,
    /// Anything else.
    Object,
}

impl std::str::FromStr for Class {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|c| c.as_str() == text);
        found
            .copied()
            .ok_or_else(|| format!("`{text}` is not a class of values"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_read_back_and_the_coarse_classes_are_twelve() {
        for class in Class::ALL {
            assert_eq!(class.as_str().parse(), Ok(*class));
        }
        let coarse: BTreeSet<Coarse> = Class::ALL.iter().map(|c| c.coarse()).collect();
        assert_eq!((Class::ALL.len(), coarse.len()), (22, 12));
        assert!("int".parse::<Class>().is_err());
    }
}
