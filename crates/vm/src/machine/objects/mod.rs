//! Builtin values: their methods and operators if all operands are known, and hashes defined by the
//! program.
//!
//! | file | contents |
//! |---|---|
//! | `alias_parts` | parts of aliases of `typing`: `__origin__`, `__args__` |
//! | `annotations` | annotations as values: `list[int]`, `Optional[int]`, unions |
//! | `attributes` | attributes of numbers and of `collections` containers |
//! | `bytes` | methods of bytes and bytearrays |
//! | `constructors` | containers made or copied from known values: `dict(pairs)`, `copy.deepcopy` |
//! | `containers` | methods of lists, tuples, deques and dicts with known arguments |
//! | `counter` | methods of `Counter` with known arguments, and its operators |
//! | `joined_user_hash` | operations on two sets or dicts whose keys define `__hash__` |
//! | `known_methods` | methods of builtin values with known arguments |
//! | `methods` | methods of builtin values, and `next` |
//! | `numbers` | methods of numbers and of ranges |
//! | `operators` | operators of lists, bytearrays and sets |
//! | `set` | methods of sets with known arguments, and operators of sets and dict views |
//! | `templates` | formatting: `format`, `str.format`, `text % values` and f-string fields |
//! | `user_hash` | keys of dicts and elements of sets whose class defines `__hash__` |

pub(in crate::machine) mod alias_parts;
pub(in crate::machine) mod annotations;
pub(in crate::machine) mod attributes;
pub(in crate::machine) mod bytes;
pub(in crate::machine) mod code;
pub(in crate::machine) mod constructors;
mod containers;
pub(in crate::machine) mod counter;
pub(in crate::machine) mod joined_user_hash;
pub(in crate::machine) mod known_methods;
pub(in crate::machine) mod methods;
pub(in crate::machine) mod numbers;
pub(in crate::machine) mod operators;
pub(in crate::machine) mod set;
pub(in crate::machine) mod templates;
pub(in crate::machine) mod user_hash;
