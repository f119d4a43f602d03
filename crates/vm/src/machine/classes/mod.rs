//! Classes, their attributes, and what programs ask about them.
//!
//! | file | what |
//! |---|---|
//! | `abc` | abstract classes (`collections.abc`, `typing`, `numbers`, the program's own) and protocols: `isinstance` and `issubclass`, `register`, and which methods a class leaves abstract |
//! | `attribute` | attributes that are read, `__getattribute__` |
//! | `bases` | what classes of the program derive from |
//! | `class` | the body of a class, its order of resolution, what it is made of |
//! | `exception_attribute` | attributes that exceptions have beside those that the program gave them |
//! | `instance_dict` | `__dict__` of the program's instances |
//! | `lookup` | attributes of classes, by their order of resolution |
//! | `metaclasses` | metaclasses of the program |
//! | `reflection` | what a program asks about itself: `locals()`, `dir(x)`, `__bases__` |
//! | `set_attribute` | attributes that are set and deleted |

pub(in crate::machine) mod abc;
pub(in crate::machine) mod attribute;
pub(in crate::machine) mod bases;
pub(in crate::machine) mod class;
pub(in crate::machine) mod exception_attribute;
pub(in crate::machine) mod instance_dict;
pub(in crate::machine) mod lookup;
pub(in crate::machine) mod metaclasses;
pub(in crate::machine) mod reflection;
pub(in crate::machine) mod set_attribute;
