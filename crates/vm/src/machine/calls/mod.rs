//! Calls: parameters, builtin functions, and calls that CPython refuses.
//!
//! | file | contents |
//! |---|---|
//! | `bind` | binding of arguments to the parameters of a function |
//! | `builtins` | builtin functions and methods |
//! | `call` | calls: the function, its frame, and the arguments of its parameters |
//! | `call_tables` | functions that the runtime walks, and those that no oracle can answer |
//! | `construct` | calls of builtin classes |
//! | `functions` | calls that folding answers |
//! | `intrinsics` | functions that the Python code of the runtime calls |
//! | `keyword_places` | builtins that accept keyword arguments |
//! | `messages` | messages of call errors that the machine detects itself |
//! | `parameters` | parameters, and CPython's messages for arguments that do not fit them |
//! | `refusals` | calls that raise a `TypeError` for the number and types of arguments alone |
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
