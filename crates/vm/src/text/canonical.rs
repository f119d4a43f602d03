//! The canonical text of a value in a trace (`docs/trace-format.md`), as the tracer renders it.

use std::cmp::Ordering;
use std::fmt::Write as _;

use codexec_trace::{Text, int_text};

use super::attributes::{is_identifier, shown};
use super::quoted;
use crate::fold::compare::compare;
use crate::fold::type_name::{class_name, stream_class};
use crate::fold::{CompareOp, Folded, number_text};
use crate::value::{
    DictKind, Elements, Entries, Heap, NameKey, Object, ObjectId, UNKNOWN_MODULE, Value,
};

const MOST_CHARS: usize = 512;
const MOST_ITEMS: usize = 256;
const MOST_DEPTH: usize = 8;
/// Maximum instances of one value whose attributes are shown.
const MOST_INSTANCES: usize = 32;
const MOST_BITS: u64 = 2048;
/// Length at which a text is cut off, more than any trace has room for: a list of one list, nested
/// 256 times, is tiny, but its text is endless.
const MOST_BYTES: usize = 16 << 20;
/// Maximum objects of a cached text.
const MOST_PARTS: usize = 2048;

/// Returns the canonical text of a value. A text of more than 16 MiB, for which no trace has room,
/// is cut off.
pub fn canonical(heap: &Heap, value: &Value) -> String {
    let mut writer = Writer::new(heap, None);
    writer.value(value, 0);
    writer.out
}

/// Returns the canonical text of a value as stored in a step. A short text allocates no memory.
pub(super) fn canonical_text(heap: &Heap, value: &Value) -> Text {
    match value {
        Value::None => Text::new_static("None"),
        Value::Bool(true) => Text::new_static("True"),
        Value::Bool(false) => Text::new_static("False"),
        Value::Int(value) => int_text(*value),
        _ => canonical(heap, value).into(),
    }
}

/// Returns the canonical text of a value, and the lists, sets, dicts and instances whose texts
/// begin in it, in order. Those inside a set are left out, because it has no order.
pub fn canonical_with_objects(heap: &Heap, value: &Value) -> (String, Vec<ObjectId>) {
    let mut writer = Writer::new(heap, Some(Vec::new()));
    writer.value(value, 0);
    (writer.out, writer.objects.unwrap_or_default())
}

/// Returns the canonical text of a value, and all objects on which it depends. `None` in place of
/// the objects if it depends on something else.
pub(super) fn canonical_with_parts(heap: &Heap, value: &Value) -> (String, Option<Vec<ObjectId>>) {
    let mut writer = Writer::new(heap, None);
    writer.parts = Some(Vec::new());
    writer.value(value, 0);
    (writer.out, writer.parts)
}

struct Writer<'a> {
    heap: &'a Heap,
    out: String,
    /// The containers being written.
    seen: Vec<ObjectId>,
    /// Instances whose attributes were shown.
    instances: usize,
    /// Objects whose texts began, if requested.
    objects: Option<Vec<ObjectId>>,
    /// Objects on which the text depends, if requested and if it depends on nothing else.
    parts: Option<Vec<ObjectId>>,
}

/// Whether a runtime function represents a method that receives its class in CPython. Bound, it is
/// of another type.
fn takes_its_class(heap: &Heap, function: &Value) -> bool {
    const OF_PATTERNS: [&str; 6] = ["finditer", "fullmatch", "match", "search", "sub", "subn"];
    let Some(Object::Function(function)) = heap.object(function) else {
        return false;
    };
    let of_re = (function.code.library.as_ref()).is_some_and(|library| library.module == "re");
    let method = function.code.qualname.strip_prefix("Pattern.");
    of_re && method.is_some_and(|name| OF_PATTERNS.contains(&name))
}

impl<'a> Writer<'a> {
    fn new(heap: &'a Heap, objects: Option<Vec<ObjectId>>) -> Self {
        Self {
            heap,
            out: String::new(),
            seen: Vec::new(),
            instances: 0,
            objects,
            parts: None,
        }
    }

    /// Adds objects on which the text depends.
    fn follows_from(&mut self, ids: &[ObjectId]) {
        if let Some(parts) = &mut self.parts {
            match parts.len() + ids.len() <= MOST_PARTS {
                true => parts.extend_from_slice(ids),
                false => self.parts = None,
            }
        }
    }

    /// Records that the text of an object begins here.
    fn begin(&mut self, id: ObjectId) {
        if let Some(objects) = &mut self.objects {
            objects.push(id);
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn value(&mut self, value: &Value, depth: usize) {
        if self.out.len() > MOST_BYTES {
            return;
        }
        match value {
            Value::None => self.put("None"),
            Value::Bool(true) => self.put("True"),
            Value::Bool(false) => self.put("False"),
            // Writing to a `String` cannot fail.
            Value::Int(value) => drop(write!(self.out, "{value}")),
            Value::BigInt(value) if value.bits() <= MOST_BITS => self.put(&value.to_string()),
            Value::BigInt(value) => {
                let bits = value.bits();
                self.put(&format!("<int {bits} bits>"));
            }
            Value::Float(value) => self.put(&number_text::float(*value)),
            Value::Complex(real, imag) => self.put(&number_text::complex(*real, *imag)),
            Value::Str(text) => self.text(text),
            Value::Bytes(bytes) => {
                quoted::bytes(&mut self.out, &bytes[..bytes.len().min(MOST_CHARS)]);
                self.cut(bytes.len(), MOST_CHARS);
            }
            Value::Ellipsis => self.put("Ellipsis"),
            Value::NotImplemented => self.put("<NotImplementedType>"),
            Value::Object(id) => self.object(*id, depth),
        }
    }

    fn text(&mut self, text: &str) {
        if text.len() <= MOST_CHARS {
            return quoted::text(&mut self.out, text);
        }
        match text.char_indices().nth(MOST_CHARS) {
            None => quoted::text(&mut self.out, text),
            Some((end, _)) => {
                quoted::text(&mut self.out, &text[..end]);
                self.cut(text.chars().count(), MOST_CHARS);
            }
        }
    }

    /// Writes the number of omitted items.
    fn cut(&mut self, count: usize, most: usize) {
        if count > most {
            self.put(&format!("...<{} more>", count - most));
        }
    }

    fn object(&mut self, id: ObjectId, depth: usize) {
        let heap: &'a Heap = self.heap;
        match heap.get(id) {
            Object::Opaque { .. } => self.parts = None,
            _ => self.follows_from(&[id]),
        }
        match heap.get(id) {
            Object::List(items) => {
                self.begin(id);
                self.sequence(id, "[", items.iter(), "]", depth);
            }
            Object::Tuple(items) => {
                let closing = if items.len() == 1 { ",)" } else { ")" };
                self.sequence(id, "(", items.iter(), closing, depth);
            }
            Object::Deque(items, _) => {
                self.begin(id);
                self.put("deque(");
                self.sequence(id, "[", items.iter(), "]", depth);
                self.put(")");
            }
            Object::Dict(entries, kind) => {
                self.begin(id);
                let name = match kind {
                    DictKind::Plain => return self.dict(id, entries, depth),
                    DictKind::Default(_) => "defaultdict(",
                    DictKind::Counter => "Counter(",
                    DictKind::Ordered => "OrderedDict(",
                };
                self.put(name);
                self.dict(id, entries, depth);
                self.put(")");
            }
            Object::Set(elements) => {
                self.begin(id);
                match elements.is_empty() {
                    true => self.put("set()"),
                    false => self.set(id, elements, depth),
                }
            }
            Object::Frozenset(elements) => {
                self.put("frozenset(");
                if !elements.is_empty() {
                    self.set(id, elements, depth);
                }
                self.put(")");
            }
            Object::Range(start, stop, step) => {
                self.put("range(");
                self.value(start, depth);
                self.put(", ");
                self.value(stop, depth);
                if *step != Value::Int(1) {
                    self.put(", ");
                    self.value(step, depth);
                }
                self.put(")");
            }
            Object::Module(_) => self.put("<module>"),
            Object::Opaque { class, .. } if &**class == UNKNOWN_MODULE => self.put("<module>"),
            Object::Opaque { .. } if self.heap.stand_ins.contains_key(&id) => self.put("<StandIn>"),
            // It is a function in CPython, and a class here.
            Object::Class(class)
                if class.library == Some("typing") && &*class.name == "NamedTuple" =>
            {
                self.put("<function>");
            }
            Object::Class(_) => self.put("<class>"),
            Object::Builtin(name) if stream_class(name).is_some() => self.other(id, depth),
            Object::Method { function, .. } if takes_its_class(heap, function) => {
                self.begin(id);
                self.put("<builtin_method>");
            }
            Object::Function(_)
            | Object::Method { .. }
            | Object::Builtin(_)
            | Object::Intrinsic(..)
            | Object::BuiltinMethod { .. } => self.put("<function>"),
            _ => self.other(id, depth),
        }
    }

    fn other(&mut self, id: ObjectId, depth: usize) {
        let heap: &'a Heap = self.heap;
        self.begin(id);
        let name = class_name(heap, &Value::Object(id)).filter(|name| is_identifier(name));
        self.out.push('<');
        self.out.push_str(name.as_deref().unwrap_or("object"));
        if let Object::Instance {
            class,
            attributes,
            base,
        } = heap.get(id)
        {
            self.follows_from(&[*class]);
            if let Object::Class(class) = heap.get(*class) {
                self.follows_from(&class.mro);
            }
            self.attributes(id, &shown(heap, *class, attributes, base.as_ref()), depth);
        } else {
            self.parts = None;
        }
        self.out.push('>');
    }

    fn attributes(&mut self, id: ObjectId, attributes: &[(&str, &Value)], depth: usize) {
        if attributes.is_empty() {
            return;
        }
        if self.is_closed(id, depth) || self.instances == MOST_INSTANCES {
            return self.put(" ...");
        }
        self.instances += 1;
        self.seen.push(id);
        for (name, value) in attributes.iter().take(MOST_ITEMS) {
            self.put(" ");
            self.put(name);
            self.put("=");
            self.value(value, depth + 1);
        }
        if attributes.len() > MOST_ITEMS {
            self.put(" ");
        }
        self.cut(attributes.len(), MOST_ITEMS);
        self.seen.pop();
    }

    fn sequence<'v>(
        &mut self,
        id: ObjectId,
        opening: &str,
        items: impl ExactSizeIterator<Item = &'v Value>,
        closing: &str,
        depth: usize,
    ) {
        self.put(opening);
        let count = items.len();
        if count == 0 {
        } else if self.is_closed(id, depth) {
            self.put("...");
            // Closes without the comma of a one-item tuple.
            return self.put(&closing[closing.len() - 1..]);
        } else {
            self.seen.push(id);
            for (at, item) in items.take(MOST_ITEMS).enumerate() {
                self.comma(at);
                self.value(item, depth + 1);
            }
            self.more(count);
            self.seen.pop();
        }
        self.put(closing);
    }

    fn comma(&mut self, at: usize) {
        if at > 0 {
            self.put(", ");
        }
    }

    fn more(&mut self, count: usize) {
        if count > MOST_ITEMS {
            self.put(", ");
        }
        self.cut(count, MOST_ITEMS);
    }

    /// Whether a container is nested too deeply or inside itself.
    fn is_closed(&self, id: ObjectId, depth: usize) -> bool {
        depth >= MOST_DEPTH || self.seen.contains(&id)
    }

    fn dict(&mut self, id: ObjectId, entries: &Entries, depth: usize) {
        if entries.is_empty() {
            return self.put("{}");
        }
        if self.is_closed(id, depth) {
            return self.put("{...}");
        }
        self.seen.push(id);
        self.put("{");
        // As in `data/python/sandbox/tracer.py`: `exec` adds it to the globals of its source.
        let hidden = entries.get_full(&NameKey("__builtins__"));
        let hidden = hidden.filter(|(_, _, (_, value))| {
            matches!(self.heap.object(value), Some(Object::Module(module)) if &**module == "builtins")
        });
        let hidden = hidden.map(|(at, _, _)| at);
        let shown = (0..).zip(entries.values());
        let shown = shown.filter(|(at, _)| Some(*at) != hidden);
        for (at, (_, (name, value))) in shown.take(MOST_ITEMS).enumerate() {
            self.comma(at);
            self.value(name, depth + 1);
            self.put(": ");
            self.value(value, depth + 1);
        }
        self.more(entries.len() - usize::from(hidden.is_some()));
        self.put("}");
        self.seen.pop();
    }

    fn set(&mut self, id: ObjectId, elements: &Elements, depth: usize) {
        if self.is_closed(id, depth) {
            return self.put("{...}");
        }
        self.seen.push(id);
        self.put("{");
        let objects = self.objects.take();
        if let Some(items) = sorted(self.heap, elements) {
            for (at, item) in items.into_iter().take(MOST_ITEMS).enumerate() {
                self.comma(at);
                self.value(item, depth + 1);
            }
        } else {
            let mut texts: Vec<String> = elements
                .values()
                .map(|item| {
                    let before = std::mem::take(&mut self.out);
                    self.value(item, depth + 1);
                    std::mem::replace(&mut self.out, before)
                })
                .collect();
            texts.sort();
            texts.truncate(MOST_ITEMS);
            self.put(&texts.join(", "));
        }
        self.objects = objects;
        self.more(elements.len());
        self.put("}");
        self.seen.pop();
    }
}

/// Returns the elements of a set in ascending order. `None` if they have none, or if it depends on
/// the program.
fn sorted<'e>(heap: &Heap, elements: &'e Elements) -> Option<Vec<&'e Value>> {
    let items = || elements.values();
    let is_int = |item: &Value| matches!(item, Value::Int(_) | Value::BigInt(_));
    let ordered = items().all(|item| is_int(item) || matches!(item, Value::Bool(_)))
        || items().all(|item| matches!(item, Value::Str(_)))
        || items().all(|item| matches!(item, Value::Float(_)))
        || items().all(|item| match heap.object(item) {
            Some(Object::Tuple(parts)) => parts.iter().all(is_int),
            _ => false,
        });
    if !ordered {
        return None;
    }
    let is_nan = |value: &Value| matches!(value, Value::Float(value) if value.is_nan());
    let is_less = |a: &Value, b: &Value| {
        compare(heap, CompareOp::Less, a, b) == Folded::Value(Value::Bool(true))
    };
    let mut items: Vec<&Value> = items().collect();
    items.sort_by(|a, b| match is_nan(a).cmp(&is_nan(b)) {
        Ordering::Equal if is_less(a, b) => Ordering::Less,
        Ordering::Equal if is_less(b, a) => Ordering::Greater,
        order => order,
    });
    Some(items)
}
