//! What the interpreter has before a program begins: builtin classes, modules and functions as objects.

use std::collections::HashMap;
use std::sync::Arc;

use super::objects::alias_parts::Alias;
use crate::value::{ObjectId, Value};

/// Builtin classes, modules and functions, and what the program has put in their places.
#[derive(Debug, Clone)]
pub(super) struct Runtime {
    /// Classes by name, those of modules with a dot: `collections.deque`.
    pub(super) classes: HashMap<Arc<str>, ObjectId>,
    pub(super) modules: HashMap<Arc<str>, ObjectId>,
    /// Functions by name.
    pub(super) named: HashMap<Arc<str>, Value>,
    /// Builtins that the program has replaced by its own.
    pub(super) replaced: HashMap<Arc<str>, Value>,
    /// Abstract classes with classes that are registered for them.
    pub(super) registered: Vec<(ObjectId, ObjectId)>,
    /// Aliases of `typing`, with what they were made of.
    pub(super) aliases: HashMap<ObjectId, Alias>,
    /// The dict of `builtins`.
    pub(super) builtins: ObjectId,
    /// Globals of the core of the library.
    pub(super) core: ObjectId,
}

impl Runtime {
    /// None of it: the snapshot fills it.
    pub(super) fn new() -> Self {
        Self {
            classes: HashMap::new(),
            modules: HashMap::new(),
            named: HashMap::new(),
            replaced: HashMap::new(),
            registered: Vec::new(),
            aliases: HashMap::new(),
            builtins: ObjectId(0),
            core: ObjectId(0),
        }
    }
}
