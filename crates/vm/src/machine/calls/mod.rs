//! Calls: parameters, builtin functions, and what CPython refuses.
//!
//! | file | what |
//! |---|---|
//! | `bind` | parameters of a function and what a call gives them |
//! | `builtins` | builtin functions and methods |
//! | `call` | which function, which frame, which parameter gets what |
//! | `call_tables` | which builtin and library functions the runtime walks, and which no oracle can answer |
//! | `construct` | builtin classes that are called |
//! | `functions` | calls that folding answers |
//! | `intrinsics` | what the Python code of the runtime calls |
//! | `keyword_places` | builtins whose arguments may be given by keywords, called with all of them in their places |
//! | `messages` | messages of errors of calls that the machine finds itself |
//! | `parameters` | parameters of a function, and what CPython says of arguments that do not fit them |
//! | `refusals` | calls that raise a `TypeError` for the number and the types of their arguments alone |
//! | `signatures` | the table of CPython's calls (`types.txt`), which `runs/plan_types.py` writes |

pub(in crate::machine) mod bind;
pub(in crate::machine) mod builtins;
pub(in crate::machine) mod call;
pub(in crate::machine) mod call_tables;
pub(in crate::machine) mod construct;
pub(in crate::machine) mod functions;
pub(in crate::machine) mod intrinsics;
pub(in crate::machine) mod keyword_places;
pub(in crate::machine) mod messages;
pub(in crate::machine) mod parameters;
pub(in crate::machine) mod refusals;
pub(in crate::machine) mod signatures;
