//! Names of types in CPython's messages.

use std::borrow::Cow;

use crate::value::{Class, DictKind, Heap, Iterator, Object, Value, View};

/// Returns the name of a value's type as in messages: `collections.deque`, `NoneType`, `Account`.
/// `None` if it is unknown.
pub fn type_name<'a>(heap: &'a Heap, value: &Value) -> Option<Cow<'a, str>> {
    let name = match value {
        Value::None => "NoneType",
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::BigInt(_) => "int",
        Value::Float(_) => "float",
        Value::Complex(..) => "complex",
        Value::Str(_) => "str",
        Value::Bytes(_) => "bytes",
        Value::Ellipsis => "ellipsis",
        Value::NotImplemented => "NotImplementedType",
        Value::Object(id) => return of_object(heap, heap.get(*id)),
    };
    Some(Cow::Borrowed(name))
}

/// Returns `__name__` of a value's type: the last part of [`type_name`].
pub fn class_name<'a>(heap: &'a Heap, value: &Value) -> Option<Cow<'a, str>> {
    let name = type_name(heap, value)?;
    if let Some(Object::Instance { class, .. }) = heap.object(value)
        && let Object::Class(class) = heap.get(*class)
    {
        return Some(Cow::Borrowed(&*class.name));
    }
    if heap.object(value).is_some_and(is_of_class) {
        return Some(name);
    }
    Some(match name {
        Cow::Borrowed(name) => Cow::Borrowed(name.rsplit('.').next().unwrap_or(name)),
        Cow::Owned(name) => Cow::Owned(name.rsplit('.').next().unwrap_or(&name).to_owned()),
    })
}

/// Returns the library whose class a runtime class represents.
pub(crate) fn library(class: &Class) -> Option<&str> {
    match class.attributes.get("__module__") {
        Some(Value::Str(module)) if matches!(&**module, "numpy" | "fractions") => Some(module),
        _ => None,
    }
}

/// Returns the module of a class that CPython implements in C. Messages put it before the class's
/// name.
fn of_extension(class: &Class) -> Option<&str> {
    let Some(Value::Str(module)) = class.attributes.get("__module__") else {
        return None;
    };
    let is_native = match &**module {
        "datetime" | "decimal" | "array" | "_io" | "_thread" | "_struct" | "_hashlib" | "_csv" => {
            true
        }
        "operator" => matches!(&*class.name, "attrgetter" | "itemgetter" | "methodcaller"),
        "re" => matches!(&*class.name, "Match" | "Pattern"),
        "time" => &*class.name == "struct_time",
        "functools" => &*class.name == "_lru_cache_wrapper",
        _ => false,
    };
    is_native.then_some(module)
}

fn is_of_class(object: &Object) -> bool {
    matches!(object, Object::Instance { .. } | Object::Opaque { .. })
}

fn of_object<'a>(heap: &'a Heap, object: &'a Object) -> Option<Cow<'a, str>> {
    let name = match object {
        Object::List(_) => "list",
        Object::Tuple(_) => "tuple",
        Object::Dict(_, DictKind::Plain) => "dict",
        Object::Dict(_, DictKind::Default(_)) => "collections.defaultdict",
        Object::Dict(_, DictKind::Counter) => "Counter",
        Object::Dict(_, DictKind::Ordered) => "collections.OrderedDict",
        Object::Set(_) => "set",
        Object::Frozenset(_) => "frozenset",
        Object::Deque(..) => "collections.deque",
        Object::Bytearray(_) => "bytearray",
        Object::Range(..) => "range",
        Object::Slice(..) => "slice",
        Object::Cell(_) => "cell",
        Object::Function(_) => "function",
        Object::Class(class) => match class.metaclass {
            None => "type",
            Some(id) => match heap.get(id) {
                Object::Class(metaclass) => &metaclass.name,
                _ => return None,
            },
        },
        Object::Instance { class, .. } => match heap.get(*class) {
            // Fractions are written in Python.
            Object::Class(class) if library(class) == Some("fractions") => &class.name,
            Object::Class(class) => match library(class).or(of_extension(class)) {
                Some(module) => return Some(Cow::Owned(format!("{module}.{}", class.name))),
                None => &class.name,
            },
            _ => return None,
        },
        Object::Method { .. } => "method",
        // A module's function may be written in Python, and a dotted name may be a method.
        Object::Builtin(name) => match stream_class(name) {
            Some(class) => class,
            None if name.contains('.') => return None,
            None => "builtin_function_or_method",
        },
        Object::BuiltinMethod { .. } | Object::Intrinsic(..) => "builtin_function_or_method",
        Object::Module(_) => "module",
        Object::DictView { of, view } => view_name(heap.get(*of), *view)?,
        Object::Iterator(iterator) => iterator_name(heap, iterator)?,
        Object::Generator { kind, .. } if ITERTOOLS.contains(kind) => {
            return Some(Cow::Owned(format!("itertools.{kind}")));
        }
        Object::Generator { kind, .. } => kind,
        Object::Special {
            kind: "partial", ..
        } => "functools.partial",
        Object::Special {
            kind: crate::text::annotations::UNION,
            ..
        } => "types.UnionType",
        Object::Special { kind, .. } => kind,
        Object::Opaque { class, .. } => class,
    };
    Some(Cow::Borrowed(name))
}

/// Names of iterators that are classes of `itertools`.
pub(crate) const ITERTOOLS: [&str; 18] = [
    "accumulate",
    "chain",
    "combinations",
    "combinations_with_replacement",
    "compress",
    "count",
    "cycle",
    "dropwhile",
    "filterfalse",
    "groupby",
    "islice",
    "pairwise",
    "permutations",
    "product",
    "repeat",
    "starmap",
    "takewhile",
    "zip_longest",
];

/// Classes of standard streams: of text, of bytes for reading, of bytes for writing.
const STREAM_CLASSES: [&str; 3] = [
    "_io.TextIOWrapper",
    "_io.BufferedReader",
    "_io.BufferedWriter",
];

/// Returns the class of a standard stream. The streams are builtins, by their names.
pub(crate) fn stream_class(name: &str) -> Option<&'static str> {
    Some(match name {
        "sys.stdin" | "sys.stdout" | "sys.stderr" => STREAM_CLASSES[0],
        "sys.stdin.buffer" => STREAM_CLASSES[1],
        "sys.stdout.buffer" | "sys.stderr.buffer" => STREAM_CLASSES[2],
        _ => return None,
    })
}

fn view_name(dict: &Object, view: View) -> Option<&'static str> {
    let Object::Dict(_, kind) = dict else {
        return None;
    };
    Some(match (kind, view) {
        (DictKind::Ordered, View::Keys) => "odict_keys",
        (DictKind::Ordered, View::Values) => "odict_values",
        (DictKind::Ordered, View::Items) => "odict_items",
        (_, View::Keys) => "dict_keys",
        (_, View::Values) => "dict_values",
        (_, View::Items) => "dict_items",
    })
}

/// Returns the name of an iterator's type, if it is known.
pub(crate) fn iterator_name(heap: &Heap, iterator: &Iterator) -> Option<&'static str> {
    Some(match iterator {
        Iterator::Sequence { of, .. } => match heap.get(*of) {
            Object::List(_) => "list_iterator",
            Object::Tuple(_) => "tuple_iterator",
            Object::Bytearray(_) => "bytearray_iterator",
            Object::Range(start, stop, step) => range_iterator([start, stop, step]),
            _ => return None,
        },
        Iterator::Reversed { of, .. } => match heap.get(*of) {
            Object::List(_) => "list_reverseiterator",
            Object::Deque(..) => "_collections._deque_reverse_iterator",
            Object::Tuple(_) => "reversed",
            Object::Range(start, stop, step) => range_iterator([start, stop, step]),
            _ => return None,
        },
        Iterator::Text { of, .. } if of.is_ascii() => "str_ascii_iterator",
        Iterator::Text { .. } => "str_iterator",
        Iterator::Bytes { .. } => "bytes_iterator",
        Iterator::Deque { .. } => "_collections._deque_iterator",
        Iterator::Set { .. } => "set_iterator",
        Iterator::Lines { bytes } => STREAM_CLASSES[usize::from(*bytes)],
        Iterator::Dict { of, view, .. } => match (heap.get(*of), view) {
            (Object::Dict(_, DictKind::Ordered), _) => "odict_iterator",
            (_, View::Keys) => "dict_keyiterator",
            (_, View::Values) => "dict_valueiterator",
            (_, View::Items) => "dict_itemiterator",
        },
        Iterator::Items { kind, .. } => kind,
        Iterator::Done { kind } => kind,
    })
}

/// Returns the type of the result of `reversed` for a value with known items.
pub(crate) fn reversed_name(heap: &Heap, of: &Value) -> &'static str {
    let of_dict = |dict: Option<&Object>, name| match dict {
        Some(Object::Dict(_, DictKind::Ordered)) => "odict_iterator",
        _ => name,
    };
    match heap.object(of) {
        dict @ Some(Object::Dict(..)) => of_dict(dict, "dict_reversekeyiterator"),
        Some(Object::DictView { of, view }) => of_dict(
            Some(heap.get(*of)),
            match view {
                View::Keys => "dict_reversekeyiterator",
                View::Values => "dict_reversevalueiterator",
                View::Items => "dict_reverseitemiterator",
            },
        ),
        Some(Object::Range(start, stop, step)) => range_iterator([start, stop, step]),
        _ => "reversed",
    }
}

fn range_iterator(bounds: [&Value; 3]) -> &'static str {
    if bounds.iter().any(|bound| matches!(bound, Value::BigInt(_))) {
        "longrange_iterator"
    } else {
        "range_iterator"
    }
}
