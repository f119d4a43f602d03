//! Instructions: the loop that executes them, and the work of each.
//!
//! | file | contents |
//! |---|---|
//! | `displays` | displays and unpacking |
//! | `eval_exec` | the program, and texts that it passes to `eval` and `exec` |
//! | `eval_loop` | one instruction after another, with the line events of CPython 3.11 |
//! | `exception_chain` | `__cause__` and `__context__` |
//! | `exceptions` | exceptions: raised, matched, propagated to a handler or out of the program |
//! | `generator_state` | the state of generators seen from outside |
//! | `generators` | generators: frames that are suspended and resumed |
//! | `iterate` | iterators of builtin values, unpacking, `*` and `**` in displays |
//! | `match_statement` | patterns of `match`, and `with` |
//! | `names` | names, attributes, constants and functions |
//! | `operators` | operators: folded, passed to methods of the program, or asked |
//! | `plain` | plain instructions |
//! | `plain_items` | plain instructions for items of containers |
//! | `quick` | plain instructions, many at once |
//! | `quick_methods` | methods of builtin values called among them |
//! | `stacks` | stacks of frames other than the running one |
//! | `subscript` | subscripts: reading, storing and deleting |
//! | `tracing` | line, call and return events of CPython 3.11, and the states at them |

pub(in crate::machine) mod displays;
pub(in crate::machine) mod eval_exec;
pub(in crate::machine) mod eval_loop;
mod exception_chain;
pub(in crate::machine) mod exceptions;
pub(in crate::machine) mod generator_state;
pub(in crate::machine) mod generators;
pub(in crate::machine) mod iterate;
pub(in crate::machine) mod match_statement;
pub(in crate::machine) mod names;
pub(in crate::machine) mod operator_methods;
pub(in crate::machine) mod operators;
pub(in crate::machine) mod plain;
pub(in crate::machine) mod plain_items;
pub(in crate::machine) mod quick;
mod quick_methods;
pub(in crate::machine) mod stacks;
pub(in crate::machine) mod subscript;
pub(in crate::machine) mod tracing;
