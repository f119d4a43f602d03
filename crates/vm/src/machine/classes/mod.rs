//! Classes, their attributes, and introspection.
//!
//! | file | contents |
//! |---|---|
//! | `abc` | abstract classes, protocols, `isinstance`, `issubclass`, abstract methods |
//! | `attribute` | reading of attributes, `__getattribute__` |
//! | `bases` | bases of the program's classes |
//! | `class` | the body of a class, its MRO and its parts |
//! | `exception_attribute` | attributes that exceptions have beside those that the program set |
//! | `function_attribute` | attributes of functions |
//! | `instance_dict` | `__dict__` of the program's instances |
//! | `lookup` | attributes of classes, by their MRO |
//! | `metaclasses` | metaclasses of the program |
//! | `reflection` | introspection: `locals()`, `dir(x)`, `__bases__` |
//! | `set_attribute` | setting and deleting of attributes |
//! | `special_attribute` | attributes of properties, `super()`, partials, aliases and code |

pub(in crate::machine) mod abc;
pub(in crate::machine) mod attribute;
pub(in crate::machine) mod bases;
pub(in crate::machine) mod class;
pub(in crate::machine) mod exception_attribute;
mod function_attribute;
pub(in crate::machine) mod instance_dict;
pub(in crate::machine) mod lookup;
pub(in crate::machine) mod metaclasses;
pub(in crate::machine) mod reflection;
pub(in crate::machine) mod set_attribute;
mod special_attribute;
