//! The attributes of an instance that a trace shows: those of the program's classes, read as the
//! tracer reads them.

use crate::fold::compare::is_exception;
use crate::value::{Attributes, Class, Heap, Object, ObjectId, Value};

/// Returns names and values in the order of the text: slots and fields, those of base classes
/// first, then the rest. Empty if none are shown.
pub(super) fn shown<'a>(
    heap: &'a Heap,
    class: ObjectId,
    attributes: &'a Attributes,
    base: Option<&'a Value>,
) -> Vec<(&'a str, &'a Value)> {
    let Object::Class(class) = heap.get(class) else {
        return Vec::new();
    };
    if class.builtin.as_deref() != Some("types.SimpleNamespace") && !class.is_shown(heap) {
        return Vec::new();
    }
    let bases = || class.mro.iter().rev().filter_map(|id| as_class(heap, *id));
    let mut found: Vec<(&str, &Value)> = Vec::new();
    for of in bases() {
        for name in slots(of) {
            if let Some((name, value)) = attributes.get_key_value(&*name) {
                found.push((name, value));
            }
        }
        found.extend(fields(heap, of, base));
    }
    let in_slots = found.len();
    // `__dict__` of the class that gives its instances a dict leads to that dict, unless the class
    // binds the name itself.
    let giver = bases().find(|of| of.builtin.is_none() && of.slots.is_none());
    let is_hidden = giver.is_some_and(|of| of.attributes.contains_key("__dict__"));
    for (name, value) in attributes {
        if is_hidden && !is_exception(heap, class) {
            break;
        }
        let known = found[..in_slots].iter().any(|(slot, _)| *slot == &**name);
        // The arguments of an exception are not in its `__dict__`.
        let hidden = matches!(&**name, "args" | " filename") && is_exception(heap, class);
        if !known && !hidden {
            found.push((name, value));
        }
    }
    let private = bases().any(|of| !of.is_shown(heap) && has_init(heap, of));
    found.retain(|(name, _)| is_shown(name, private));
    found
}

fn as_class(heap: &Heap, id: ObjectId) -> Option<&Class> {
    match heap.get(id) {
        Object::Class(class) => Some(class),
        _ => None,
    }
}

/// Returns the names of the slots that a class itself adds, in CPython's order.
fn slots(class: &Class) -> Vec<String> {
    let mut names: Vec<String> = class
        .slots
        .iter()
        .flatten()
        .map(|name| name.to_string())
        .collect();
    names.sort();
    names
}

/// Returns the fields of a `namedtuple`, which are stored in the tuple.
fn fields<'a>(
    heap: &'a Heap,
    class: &'a Class,
    base: Option<&'a Value>,
) -> Vec<(&'a str, &'a Value)> {
    let object = |value: Option<&'a Value>| value.and_then(|value| heap.object(value));
    let names = object(class.attributes.get("_fields"));
    match (names, object(base)) {
        (Some(Object::Tuple(names)), Some(Object::Tuple(items))) => names
            .iter()
            .zip(items.iter())
            .filter_map(|(name, item)| match name {
                Value::Str(name) => Some((&**name, item)),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether Python code initialises a library class. Its names with an underscore are then internal.
fn has_init(heap: &Heap, class: &Class) -> bool {
    let init = class.attributes.get("__init__");
    matches!(
        init.and_then(|value| heap.object(value)),
        Some(Object::Function(_))
    )
}

fn is_shown(name: &str, private: bool) -> bool {
    is_identifier(name)
        && (!name.starts_with('_')
            || matches!(name, "_name_" | "_value_")
            || !private && !name.ends_with('_'))
}

/// Whether a name is valid as an identifier.
pub(super) fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c == '_' || c.is_alphanumeric())
        && !name.starts_with(|c: char| c.is_numeric())
        && !name.is_empty()
}
