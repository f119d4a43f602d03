//! Builtin values: their methods and operators where all is known, and hashes of the program.
//!
//! | file | what |
//! |---|---|
//! | `annotations` | annotations as values: `list[int]`, `Optional[int]`, unions |
//! | `attributes` | attributes of numbers and of containers of `collections` that are values |
//! | `bytes` | methods of bytes and bytearrays |
//! | `constructors` | containers that are made or copied of known values: `dict(pairs)`, `Counter(a=1)`, `deque(items, 3)`, `copy.deepcopy` |
//! | `containers` | methods of lists, tuples, deques and dicts whose arguments are known |
//! | `counter` | methods of `Counter` whose arguments are known, and its operators |
//! | `joined_user_hash` | operations of two sets or dicts whose keys have a `__hash__` of their own |
//! | `known_methods` | methods of builtin values that are all known |
//! | `methods` | methods of builtin values, and `next` |
//! | `numbers` | methods of numbers and of ranges |
//! | `operators` | operators of lists, bytearrays and sets: `+` and `*`; those of sets |
//! | `set` | methods of sets whose arguments are known, and operators of sets where one is a view of a dict |
//! | `templates` | texts made of known values by templates: `format`, `str.format`, `text % values` and fields with a format in f-strings |
//! | `user_hash` | keys of dicts and elements of sets whose class has a `__hash__` of its own |

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
