//! Questions out of the values of a machine.

use std::collections::HashMap;

use codexec_vm::machine::{Ask, Machine};
use codexec_vm::value::{DictKind, Heap, Object, ObjectId, Value, View};
use num_bigint::BigInt;

use crate::question::{Data, Question, Shape};

/// Maximum objects of a question.
const MOST_OBJECTS: usize = 20_000;
/// Maximum items of one container in a question.
const MOST_ITEMS: usize = 200_000;

/// The question about the operation that a machine waits for, and the objects of its heap by their number in it.
///
/// # Errors
/// Why it cannot be put, in words.
pub fn question(machine: &Machine, ask: &Ask) -> Result<(Question, Vec<ObjectId>), String> {
    let mut graph = Graph {
        heap: machine.heap(),
        numbers: HashMap::new(),
        order: Vec::new(),
    };
    let operands = ask.operands.iter().map(|value| graph.data(value)).collect();
    let mut objects = Vec::new();
    while let Some(id) = graph.order.get(objects.len()).copied() {
        if objects.len() >= MOST_OBJECTS {
            return Err("a question of too many objects".to_owned());
        }
        let shape = graph.shape(id);
        objects.push(shape.ok_or("a question about too large a value")?);
    }
    let question = Question {
        operation: ask.operation.clone(),
        operands,
        keywords: ask.keywords.clone(),
        names: machine.names_of(&ask.operands),
        objects,
    };
    Ok((question, graph.order))
}

/// The objects that a question refers to, numbered in order of occurrence.
struct Graph<'a> {
    heap: &'a Heap,
    numbers: HashMap<ObjectId, usize>,
    order: Vec<ObjectId>,
}

impl Graph<'_> {
    fn data(&mut self, value: &Value) -> Data {
        match value {
            Value::None => Data::None,
            Value::Bool(b) => Data::Bool(*b),
            Value::Int(i) => Data::Int(BigInt::from(*i)),
            Value::BigInt(i) => Data::Int((**i).clone()),
            Value::Float(x) => Data::Float(*x),
            Value::Complex(re, im) => Data::Complex(*re, *im),
            Value::Str(s) => Data::Str(s.clone()),
            Value::Bytes(b) => Data::Bytes(b.clone()),
            Value::Ellipsis => Data::Ellipsis,
            Value::NotImplemented => Data::NotImplemented,
            Value::Object(id) => {
                let next = self.order.len();
                let number = *self.numbers.entry(*id).or_insert(next);
                if number == next {
                    self.order.push(*id);
                }
                Data::Object(number)
            }
        }
    }

    fn datas<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) -> Vec<Data> {
        values.into_iter().map(|value| self.data(value)).collect()
    }

    fn shape(&mut self, id: ObjectId) -> Option<Shape> {
        let heap = self.heap;
        Some(match heap.get(id) {
            Object::List(items) if items.len() > MOST_ITEMS => return None,
            Object::List(items) => Shape::Items("list", self.datas(items)),
            Object::Tuple(items) => Shape::Items("tuple", self.datas(items.iter())),
            Object::Set(items) => Shape::Items("set", self.datas(items.values())),
            Object::Frozenset(items) => Shape::Items("frozenset", self.datas(items.values())),
            Object::Bytearray(bytes) => {
                let bytes = bytes.iter().map(|byte| Data::Int((*byte).into()));
                Shape::Items("bytearray", bytes.collect())
            }
            Object::Deque(items, most) => Shape::Deque(self.datas(items), *most),
            Object::Dict(entries, _) if entries.len() > MOST_ITEMS => return None,
            Object::Dict(entries, kind) => {
                let (name, factory) = match kind {
                    DictKind::Plain => ("dict", Data::None),
                    DictKind::Default(factory) => ("defaultdict", self.data(factory)),
                    DictKind::Counter => ("Counter", Data::None),
                    DictKind::Ordered => ("OrderedDict", Data::None),
                };
                let pairs = entries.values().map(|(k, v)| (self.data(k), self.data(v)));
                Shape::Dict(name, factory, pairs.collect())
            }
            Object::Range(a, b, c) => {
                Shape::Three("range", [self.data(a), self.data(b), self.data(c)])
            }
            Object::Slice(a, b, c) => {
                Shape::Three("slice", [self.data(a), self.data(b), self.data(c)])
            }
            Object::Builtin(name) | Object::Module(name) => Shape::Named(name.clone()),
            Object::Intrinsic(_, name) => Shape::Named((*name).into()),
            Object::Class(class) => match &class.builtin {
                Some(name) => Shape::Named(name.clone()),
                None => Shape::Placeholder,
            },
            Object::BuiltinMethod { receiver, name } => {
                Shape::Method(self.data(receiver), name.clone())
            }
            Object::DictView { of, view } => {
                let view = match view {
                    View::Keys => "keys",
                    View::Values => "values",
                    View::Items => "items",
                };
                Shape::View(view, self.data(&Value::Object(*of)))
            }
            // An annotation without further information.
            Object::Opaque { text, .. } if text.is_empty() => return None,
            Object::Opaque { class, text } => Shape::Opaque(class.clone(), text.clone()),
            Object::Cell(_)
            | Object::Function(_)
            | Object::Instance { .. }
            | Object::Method { .. }
            | Object::Iterator(_)
            | Object::Generator { .. }
            | Object::Special { .. } => Shape::Placeholder,
        })
    }
}
