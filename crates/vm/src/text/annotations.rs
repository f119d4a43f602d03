//! Annotations as text: `list[int]`, `int | None`, `typing.Optional[int]`.

use crate::value::{Heap, Object, Value};

/// Maximum depth of nested annotations.
const MOST_DEPTH: usize = 100;
/// Maximum bytes of a text.
const MOST_BYTES: usize = 1 << 20;

/// Kind of `list[int]`. Its parts are the class and a tuple of the arguments in the brackets.
pub(crate) const BUILTIN_ALIAS: &str = "GenericAlias";
/// Kind of a generic class of the program with its arguments. Its part is the class.
pub(crate) const GENERIC_ALIAS: &str = "_GenericAlias";
/// Kind of `int | None`. Its parts are its members.
pub(crate) const UNION: &str = "UnionType";
/// Kinds of subscripts of `typing` names. Other names give a [`GENERIC_ALIAS`].
pub(crate) const OF_TYPING: [(&str, &str); 6] = [
    ("typing.Optional", "_UnionGenericAlias"),
    ("typing.Union", "_UnionGenericAlias"),
    ("typing.Callable", "_CallableGenericAlias"),
    ("typing.Literal", "_LiteralGenericAlias"),
    ("typing.Annotated", "_AnnotatedAlias"),
    ("collections.abc.Callable", "_CallableGenericAlias"),
];

/// Whether an object whose class has this name is an annotation from `typing`.
pub(crate) fn is_of_typing(class: &str) -> bool {
    class == GENERIC_ALIAS || OF_TYPING.iter().any(|(_, known)| *known == class)
}

/// Whether an object of `typing` is written as its text: a name, a variable, a forward reference.
fn is_named(class: &str, text: &str) -> bool {
    match class {
        "TypeVar" | "ParamSpec" => text.starts_with('~'),
        "ForwardRef" => text.starts_with("ForwardRef("),
        _ => class.starts_with('_') && text.starts_with("typing."),
    }
}

/// Returns the text of a class or an annotation inside others. `None` if it is unknown, too deep,
/// or too long.
pub(crate) fn type_text(heap: &Heap, value: &Value) -> Option<String> {
    type_text_at(heap, value, 0).filter(|text| text.len() <= MOST_BYTES)
}

fn type_text_at(heap: &Heap, value: &Value, depth: usize) -> Option<String> {
    if depth == MOST_DEPTH {
        return None;
    }
    if *value == Value::None {
        return Some(String::from("None"));
    }
    if *value == Value::Ellipsis {
        return Some(String::from("..."));
    }
    match heap.object(value)? {
        Object::Class(class) => Some(match &class.builtin {
            Some(name) => name.to_string(),
            None => {
                let text = |name: &str| match class.attributes.get(name) {
                    Some(Value::Str(text)) => text.to_string(),
                    _ => String::new(),
                };
                let (module, name) = (text("__module__"), text("__qualname__"));
                match module.as_str() {
                    "builtins" => name,
                    _ => format!("{module}.{name}"),
                }
            }
        }),
        Object::Opaque { class, text } => {
            let is_known =
                is_of_typing(class) || text.starts_with("typing.") || is_named(class, text);
            (is_known && !text.is_empty()).then(|| text.to_string())
        }
        Object::Special { kind, parts } if matches!(*kind, BUILTIN_ALIAS | GENERIC_ALIAS) => {
            let of = type_text_at(heap, parts.first()?, depth + 1)?;
            let Object::Tuple(items) = heap.object(parts.get(1)?)? else {
                return None;
            };
            let items = joined(heap, items, ", ", depth)?;
            let items = if items.is_empty() { "()" } else { &items };
            Some(format!("{of}[{items}]"))
        }
        Object::Special { kind, parts } if *kind == UNION => joined(heap, parts, " | ", depth),
        _ => None,
    }
}

/// Joins the texts of several annotations. The class of `None` is written `None` only in a union.
fn joined(heap: &Heap, items: &[Value], between: &str, depth: usize) -> Option<String> {
    let mut whole = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            whole.push_str(between);
        }
        match type_text_at(heap, item, depth + 1)? {
            text if text == "NoneType" && between == " | " => whole.push_str("None"),
            text => whole.push_str(&text),
        }
        if whole.len() > MOST_BYTES {
            return None;
        }
    }
    Some(whole)
}

/// Returns the text of an annotation. `None` for other values, and if the text is unknown.
pub(crate) fn annotation_text(heap: &Heap, value: &Value) -> Option<String> {
    let is_annotation = match heap.object(value)? {
        Object::Special { kind, .. } => matches!(*kind, BUILTIN_ALIAS | GENERIC_ALIAS | UNION),
        Object::Opaque { class, text } => is_of_typing(class) || is_named(class, text),
        _ => false,
    };
    is_annotation.then(|| type_text(heap, value)).flatten()
}
