//! `repr` of any value.

use super::{NoText, Written, annotations, defines_text, quoted};
use crate::fold::compare::{compare, is_exception, metaclass_defines};
use crate::fold::type_name::type_name;
use crate::fold::{CompareOp, Folded, number_text};
use crate::value::set_table::SetTable;
use crate::value::{Class, DictKind, Elements, Entries, Heap, Object, ObjectId, Value, View};

/// Maximum bytes of a text. A list that holds one list twice, thirty levels deep, is small but its
/// text is not.
const MOST_BYTES: usize = 1 << 20;
/// Maximum depth of nested containers.
const MOST_DEPTH: usize = 100;

pub(super) fn repr_of(heap: &Heap, value: &Value) -> Result<String, NoText> {
    repr_below(heap, value, usize::MAX, 0)
}

/// `repr` if CPython has room for `room` nested calls, some of which are in use.
pub(super) fn repr_below(
    heap: &Heap,
    value: &Value,
    room: usize,
    level: usize,
) -> Result<String, NoText> {
    let mut writer = Writer::new(heap, room, level);
    writer.value(value)?;
    Ok(writer.out)
}

/// [`repr_of`], and the sets whose order is a guess.
pub(super) fn guessed_repr(heap: &Heap, value: &Value) -> Result<(String, Vec<ObjectId>), NoText> {
    let mut writer = Writer {
        guessed: Some(Vec::new()),
        ..Writer::new(heap, usize::MAX, 0)
    };
    writer.value(value)?;
    Ok((writer.out, writer.guessed.unwrap_or_default()))
}

/// Writes `repr`.
struct Writer<'a> {
    heap: &'a Heap,
    out: String,
    /// The containers being written. A cycle ends at them.
    open: Vec<ObjectId>,
    /// The number of nested objects being written.
    depth: usize,
    /// The sets that were written in a guessed order. `None` if such a set has no text.
    guessed: Option<Vec<ObjectId>>,
    /// The number of calls for which CPython has room, and the number in use: see
    /// `machine/depth.rs`.
    room: usize,
    level: usize,
}

impl<'a> Writer<'a> {
    fn new(heap: &'a Heap, room: usize, level: usize) -> Self {
        Self {
            heap,
            out: String::new(),
            open: Vec::new(),
            depth: 0,
            guessed: None,
            room,
            level,
        }
    }

    fn value(&mut self, value: &Value) -> Written {
        self.below(1, |to| to.same_call(value))
    }

    /// Writes inside nested CPython calls, for which there may be no room.
    fn below(&mut self, calls: usize, write: impl FnOnce(&mut Self) -> Written) -> Written {
        if self.room.saturating_sub(self.level) < calls {
            return Err(NoText::Unknown);
        }
        self.level += calls;
        let written = write(self);
        self.level -= calls;
        written
    }

    /// Writes a value within the call that writes its container.
    fn same_call(&mut self, value: &Value) -> Written {
        match value {
            Value::None => self.out.push_str("None"),
            Value::Bool(true) => self.out.push_str("True"),
            Value::Bool(false) => self.out.push_str("False"),
            Value::Int(value) => self.out.push_str(&value.to_string()),
            Value::BigInt(value) => {
                let text = number_text::integer(value).ok_or(NoText::Digits)?;
                self.out.push_str(&text);
            }
            Value::Float(value) => self.out.push_str(&number_text::float(*value)),
            Value::Complex(real, imag) => self.out.push_str(&number_text::complex(*real, *imag)),
            Value::Str(text) => quoted::text(&mut self.out, text),
            Value::Bytes(bytes) => quoted::bytes(&mut self.out, bytes),
            Value::Ellipsis => self.out.push_str("Ellipsis"),
            Value::NotImplemented => self.out.push_str("NotImplemented"),
            Value::Object(id) => self.object(*id)?,
        }
        if self.out.len() > MOST_BYTES {
            return Err(NoText::Unknown);
        }
        Ok(())
    }

    /// Writes a container, or `cycle` if it is already being written.
    fn nested(
        &mut self,
        id: ObjectId,
        cycle: &str,
        write: impl FnOnce(&mut Self) -> Written,
    ) -> Written {
        if self.open.contains(&id) {
            self.out.push_str(cycle);
            return Ok(());
        }
        self.open.push(id);
        write(self)?;
        self.open.pop();
        Ok(())
    }

    fn items<'v>(
        &mut self,
        opening: &str,
        items: impl Iterator<Item = &'v Value>,
        closing: &str,
    ) -> Written {
        self.out.push_str(opening);
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.value(item)?;
        }
        self.out.push_str(closing);
        Ok(())
    }

    fn entries<'v>(&mut self, entries: impl Iterator<Item = &'v (Value, Value)>) -> Written {
        self.out.push('{');
        for (at, (name, value)) in entries.enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.value(name)?;
            self.out.push_str(": ");
            self.value(value)?;
        }
        self.out.push('}');
        Ok(())
    }

    fn pairs<'v>(&mut self, entries: impl Iterator<Item = &'v (Value, Value)>) -> Written {
        self.out.push('[');
        for (at, (name, value)) in entries.enumerate() {
            self.out.push_str(if at > 0 { ", (" } else { "(" });
            self.value(name)?;
            self.out.push_str(", ");
            self.value(value)?;
            self.out.push(')');
        }
        self.out.push(']');
        Ok(())
    }

    fn object(&mut self, id: ObjectId) -> Written {
        if self.depth == MOST_DEPTH {
            return Err(NoText::Unknown);
        }
        self.depth += 1;
        let written = self.shallow_object(id);
        self.depth -= 1;
        written
    }

    fn shallow_object(&mut self, id: ObjectId) -> Written {
        let heap: &'a Heap = self.heap;
        match heap.get(id) {
            Object::List(items) => self.nested(id, "[...]", |to| to.items("[", items.iter(), "]")),
            Object::Tuple(items) => {
                let closing = if items.len() == 1 { ",)" } else { ")" };
                self.nested(id, "(...)", |to| to.items("(", items.iter(), closing))
            }
            Object::Dict(entries, kind) => self.dict(id, entries, kind),
            Object::Set(elements) if elements.is_empty() => self.put("set()"),
            Object::Frozenset(elements) if elements.is_empty() => self.put("frozenset()"),
            Object::Set(elements) => {
                let items = self.in_order(id, elements)?;
                self.nested(id, "set(...)", |to| {
                    to.below(1, |to| to.items("{", items.into_iter(), "}"))
                })
            }
            Object::Frozenset(elements) => {
                let items = self.in_order(id, elements)?;
                self.nested(id, "frozenset(...)", |to| {
                    to.below(1, |to| to.items("frozenset({", items.into_iter(), "})"))
                })
            }
            Object::Deque(items, most) => self.nested(id, "[...]", |to| {
                let closing = match most {
                    Some(most) => format!("], maxlen={most})"),
                    None => "])".to_owned(),
                };
                to.below(1, |to| to.items("deque([", items.iter(), &closing))
            }),
            Object::Bytearray(bytes) => {
                self.out.push_str("bytearray(");
                quoted::bytearray(&mut self.out, bytes);
                self.put(")")
            }
            Object::Range(start, stop, step) => {
                let parts = [start, stop, step];
                let shown = if *step == Value::Int(1) { 2 } else { 3 };
                self.items("range(", parts.into_iter().take(shown), ")")
            }
            Object::Slice(start, stop, step) => self.nested(id, "", |to| {
                to.items("slice(", [start, stop, step].into_iter(), ")")
            }),
            Object::DictView { of, view } => self.view(id, *of, *view),
            // It has its own metaclass.
            Object::Class(class) if class.builtin.as_deref() == Some("typing.Any") => {
                self.put("typing.Any")
            }
            Object::Class(class) => self.class(class),
            Object::Builtin(name) if !name.contains('.') => {
                self.out.push_str("<built-in function ");
                self.out.push_str(name);
                self.put(">")
            }
            Object::Instance {
                class,
                attributes,
                base,
            } => self.instance(*class, attributes.get("args"), base.as_ref()),
            Object::Opaque { .. } if let Some(one) = self.heap.stand_ins.get(&id) => {
                self.put(&one.shown.clone())
            }
            Object::Opaque { .. } | Object::Special { .. } => {
                match annotations::annotation_text(self.heap, &Value::Object(id)) {
                    Some(text) => self.put(&text),
                    None => Err(NoText::Unknown),
                }
            }
            // The text has an address, or only an oracle knows it.
            _ => Err(NoText::Unknown),
        }
    }

    fn put(&mut self, text: &str) -> Written {
        self.out.push_str(text);
        Ok(())
    }

    fn dict(&mut self, id: ObjectId, entries: &Entries, kind: &DictKind) -> Written {
        match kind {
            DictKind::Plain => self.nested(id, "{...}", |to| to.entries(entries.values())),
            DictKind::Default(factory) => {
                self.out.push_str("defaultdict(");
                self.value(factory)?;
                self.out.push_str(", ");
                self.nested(id, "{...}", |to| to.entries(entries.values()))?;
                self.put(")")
            }
            DictKind::Ordered if entries.is_empty() => self.put("OrderedDict()"),
            DictKind::Ordered => self.nested(id, "...", |to| {
                to.out.push_str("OrderedDict(");
                to.below(2, |to| to.pairs(entries.values()))?;
                to.put(")")
            }),
            DictKind::Counter if entries.is_empty() => self.put("Counter()"),
            DictKind::Counter => {
                // A Python method writes it and does not detect cycles.
                if self.open.contains(&id) {
                    return Err(NoText::Unknown);
                }
                let sorted = by_count(self.heap, entries).ok_or(NoText::Unknown)?;
                self.open.push(id);
                self.out.push_str("Counter(");
                self.below(2, |to| to.entries(sorted.into_iter()))?;
                self.open.pop();
                self.put(")")
            }
        }
    }

    fn view(&mut self, id: ObjectId, of: ObjectId, view: View) -> Written {
        let heap: &'a Heap = self.heap;
        let Object::Dict(entries, _) = heap.get(of) else {
            return Err(NoText::Unknown);
        };
        let name = type_name(heap, &Value::Object(id)).ok_or(NoText::Unknown)?;
        self.nested(id, "...", |to| {
            to.out.push_str(&name);
            to.out.push('(');
            let calls = if matches!(view, View::Items) { 2 } else { 1 };
            to.below(calls, |to| match view {
                View::Keys => to.items("[", entries.values().map(|entry| &entry.0), "]"),
                View::Values => to.items("[", entries.values().map(|entry| &entry.1), "]"),
                View::Items => to.pairs(entries.values()),
            })?;
            to.put(")")
        })
    }

    fn class(&mut self, class: &Class) -> Written {
        if metaclass_defines(self.heap, class, &["__repr__"]) {
            return Err(NoText::Unknown);
        }
        // An enumeration shows its own name, without a module.
        let has = |what: &str| {
            let mut bases = class.mro.iter();
            bases.any(|base| matches!(self.heap.get(*base), Object::Class(class) if class.attributes.contains_key(what)))
        };
        let enumeration =
            has("_enumeration_").then(|| if has("_is_flag_") { "flag" } else { "enum" });
        // A class of the program is shown with its qualified name.
        let (module, name) = match (&class.builtin, class.attributes.get("__qualname__")) {
            (Some(name), _) => ("", &**name),
            (None, Some(Value::Str(name))) => match class.attributes.get("__module__") {
                // It belongs to the runtime and represents a class of a package.
                Some(Value::Str(module)) if &**module == "builtins" => ("", &*class.name),
                Some(Value::Str(module)) if class.is_own(self.heap) => (&**module, &**name),
                Some(Value::Str(module)) if &**module != "__main__" => (&**module, &*class.name),
                _ => ("__main__", &**name),
            },
            _ => return Err(NoText::Unknown),
        };
        if let Some(kind) = enumeration {
            self.out.push_str(&format!("<{kind} '{name}"));
            return self.put("'>");
        }
        self.out.push_str("<class '");
        self.out.push_str(module);
        self.out.push_str(if module.is_empty() { "" } else { "." });
        self.out.push_str(name);
        self.put("'>")
    }

    fn instance(&mut self, class: ObjectId, args: Option<&Value>, base: Option<&Value>) -> Written {
        let Object::Class(class) = self.heap.get(class) else {
            return Err(NoText::Unknown);
        };
        if defines_text(self.heap, class, &["__repr__"]) {
            return Err(NoText::Unknown);
        }
        match (base, args) {
            (Some(base), _) => match self.heap.object(base) {
                None | Some(Object::List(_) | Object::Tuple(_)) => self.same_call(base),
                Some(Object::Dict(_, DictKind::Plain)) => self.same_call(base),
                _ => Err(NoText::Unknown),
            },
            (None, Some(args)) if is_exception(self.heap, class) => {
                let Some(Object::Tuple(items)) = self.heap.object(args) else {
                    return Err(NoText::Unknown);
                };
                self.out.push_str(&class.name);
                let calls = usize::from(items.len() != 1);
                self.below(calls, |to| to.items("(", items.iter(), ")"))
            }
            _ => Err(NoText::Unknown),
        }
    }

    /// Returns the elements of a set in the order of its table.
    fn in_order(&mut self, id: ObjectId, elements: &'a Elements) -> Result<Vec<&'a Value>, NoText> {
        if elements.len() == 1 {
            return Ok(elements.values().collect());
        }
        let heap: &'a Heap = self.heap;
        let kept = heap.tables.get(&id).filter(|table| table.fits(elements));
        let made;
        let table = match kept {
            Some(table) => table,
            None => {
                made = SetTable::guessed(heap, elements);
                &made
            }
        };
        if table.is_guess() {
            match &mut self.guessed {
                Some(guessed) => guessed.push(id),
                None => return Err(NoText::Unknown),
            }
        }
        let keys = table.elements().into_keys();
        Ok(keys.filter_map(|key| elements.get(&key)).collect())
    }
}

/// Returns the entries of a `Counter` in the order of its text: largest counts first, in insertion
/// order if counts are equal or have no order. `None` if the order is unknown.
fn by_count<'e>(heap: &Heap, entries: &'e Entries) -> Option<Vec<&'e (Value, Value)>> {
    let mut sorted: Vec<&(Value, Value)> = entries.values().collect();
    // Each ordered type has its own number, others have 0.
    let tuple = |value: &Value| matches!(heap.object(value), Some(Object::Tuple(_))).then_some(4);
    let kind = |value: &Value| match value {
        Value::Bool(_) | Value::Int(_) | Value::BigInt(_) => Some(1),
        Value::Float(value) => (!value.is_nan()).then_some(1),
        Value::Str(_) => Some(2),
        Value::Bytes(_) => Some(3),
        Value::Object(id) => match heap.get(*id) {
            Object::Range(..) | Object::Dict(..) | Object::Slice(..) => Some(0),
            _ => tuple(value),
        },
        _ => Some(0),
    };
    if sorted.len() < 2 {
        return Some(sorted);
    }
    let kinds: Option<Vec<u8>> = sorted.iter().map(|entry| kind(&entry.1)).collect();
    let kinds = kinds?;
    if kinds.contains(&0) || kinds.iter().any(|kind| *kind != kinds[0]) {
        return Some(sorted);
    }
    if kinds[0] == 4 {
        return None;
    }
    sorted.sort_by(|a, b| {
        let is = |op| compare(heap, op, &a.1, &b.1) == Folded::Value(Value::Bool(true));
        if is(CompareOp::Greater) {
            std::cmp::Ordering::Less
        } else if is(CompareOp::Less) {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Equal
        }
    });
    Some(sorted)
}
