//! Which methods a class leaves abstract.

use std::collections::HashSet;

use super::Machine;
use super::abstract_classes::methods_of;
use crate::value::{Class, Object, ObjectId, Value};

/// The methods that an abstract class of `collections.abc` leaves to those that come from it.
fn required(class: &Class) -> &'static [&'static str] {
    if !class.attributes.contains_key("_abstract_") {
        return match class
            .builtin
            .as_deref()
            .and_then(|name| name.strip_prefix("collections.abc."))
        {
            Some("Iterator") => &["__next__"],
            Some(name) => methods_of(name),
            None => &[],
        };
    }
    match class.name.trim_start_matches('_') {
        "Mapping" => &["__getitem__", "__iter__", "__len__"],
        "MutableMapping" => &["__delitem__", "__setitem__"],
        "Sequence" => &["__getitem__", "__len__"],
        "MutableSequence" => &["__delitem__", "__setitem__", "insert"],
        "Set" => &["__contains__", "__iter__", "__len__"],
        "MutableSet" => &["add", "discard"],
        _ => &[],
    }
}

impl Machine {
    /// Names of the methods that a class below `ABC` leaves abstract, sorted.
    pub(super) fn abstract_methods(&self, class: ObjectId) -> Vec<String> {
        let Object::Class(info) = self.heap.get(class) else {
            return Vec::new();
        };
        let classes: Vec<&Class> = info
            .mro
            .iter()
            .filter_map(|id| match self.heap.get(*id) {
                Object::Class(class) => Some(&**class),
                _ => None,
            })
            .collect();
        let is_abc = |class: &&Class| class.builtin.as_deref() == Some("abc.ABC");
        let required = classes.iter().flat_map(|class| required(class));
        let lacks = |name: &&str| {
            let mut classes = classes.iter();
            !classes.any(|class| class.attributes.contains_key(*name))
        };
        let mut names: Vec<String> = required.copied().filter(lacks).map(str::to_owned).collect();
        if names.is_empty() && !classes.iter().any(is_abc) {
            return Vec::new();
        }
        let mut seen = HashSet::new();
        for (name, value) in classes.iter().flat_map(|class| &class.attributes) {
            if seen.insert(name) && self.is_abstract(value) {
                names.push(name.to_string());
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    fn is_abstract(&self, value: &Value) -> bool {
        match self.heap.object(value) {
            Some(Object::Function(function)) => {
                function.attributes.contains_key("__isabstractmethod__")
            }
            Some(Object::Special { parts, .. }) => parts.iter().any(|part| self.is_abstract(part)),
            _ => false,
        }
    }
}
