//! Questions out of values, and values out of answers.

use std::collections::HashMap;
use std::sync::Arc;

use num_bigint::BigInt;

use super::call::Keywords;
use super::{After, Flow, Machine, Run};
use crate::question::{Answer, AnswerError, Data, Operation, Question, Shape};
use crate::value::{DictKind, Elements, Entries, Heap, Object, ObjectId, Value, View};

/// An operation to be asked for.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub operation: Operation,
    pub operands: Vec<Value>,
    pub keywords: Vec<Arc<str>>,
}

/// A question that was put, and what its value is for.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    pub question: Question,
    pub after: After,
    /// Objects of the heap by their number in the question.
    pub objects: Vec<ObjectId>,
}

/// Most objects of a question.
const MOST_OBJECTS: usize = 20_000;
/// Most items of one container of a question.
const MOST_ITEMS: usize = 200_000;

impl Machine {
    /// Asks for an operator or a method.
    pub(super) fn ask_operation(&mut self, operation: Operation, operands: Vec<Value>) -> Flow {
        Flow::Ask(Box::new(Ask {
            operation,
            operands,
            keywords: Vec::new(),
        }))
    }

    /// Asks for a call of a builtin function.
    pub(super) fn ask_call(
        &mut self,
        name: &str,
        mut operands: Vec<Value>,
        keywords: Keywords,
    ) -> Flow {
        let (names, values): (Vec<_>, Vec<_>) = keywords.into_iter().unzip();
        operands.extend(values);
        Flow::Ask(Box::new(Ask {
            operation: Operation::Call(name.into()),
            operands,
            keywords: names,
        }))
    }

    /// Puts a question; [`Machine::advance`] gives it to the caller.
    pub(super) fn ask(&mut self, ask: Ask) -> Run<()> {
        let after = std::mem::replace(&mut self.after, After::Push);
        self.record.counts.asked += 1;
        if self.record.counts.asked > self.settings.max_questions {
            return Err(Flow::Unsupported("more questions than allowed".to_string()));
        }
        let mut graph = Graph {
            heap: &self.heap,
            numbers: HashMap::new(),
            order: Vec::new(),
        };
        let operands = ask.operands.iter().map(|value| graph.data(value)).collect();
        let mut objects = Vec::new();
        while let Some(id) = graph.order.get(objects.len()).copied() {
            if objects.len() >= MOST_OBJECTS {
                return Err(Flow::Unsupported(
                    "a question of too many objects".to_string(),
                ));
            }
            let shape = graph.shape(id).ok_or_else(|| {
                Flow::Unsupported("a question about too large a value".to_string())
            })?;
            objects.push(shape);
        }
        let order = graph.order;
        let names = self.names_of(&ask.operands);
        let question = Question {
            operation: ask.operation,
            operands,
            keywords: ask.keywords,
            names,
            objects,
        };
        self.waiting = Some(Waiting {
            question,
            after,
            objects: order,
        });
        Ok(())
    }

    /// What the program calls the objects of a question, where it has a name for them.
    fn names_of(&self, operands: &[Value]) -> Vec<Option<Arc<str>>> {
        let frame = self
            .frames
            .iter()
            .rev()
            .find(|frame| !self.is_runtime(frame));
        let Some(frame) = frame else {
            return vec![None; operands.len()];
        };
        let local = |id: ObjectId| {
            let fast = frame.code.var_names.iter().zip(&frame.fast);
            let named = fast.filter(|(_, value)| value.as_ref().and_then(Value::id) == Some(id));
            named.map(|(name, _)| name.clone()).next()
        };
        let global = |id: ObjectId| match self.heap.get(frame.namespace.unwrap_or(frame.globals)) {
            Object::Dict(entries, _) => entries.values().find_map(|(name, value)| match name {
                Value::Str(name) if value.id() == Some(id) => Some(name.clone()),
                _ => None,
            }),
            _ => None,
        };
        let name = |value: &Value| value.id().and_then(|id| local(id).or_else(|| global(id)));
        operands.iter().map(name).collect()
    }

    /// Changes the heap as an answer says; the value, or the exception.
    pub(super) fn take_answer(
        &mut self,
        waiting: &Waiting,
        answer: &Answer,
    ) -> Result<Result<Value, Value>, AnswerError> {
        let known = waiting.objects.len();
        let all = known + answer.made.len();
        let checked = answer
            .made
            .iter()
            .chain(answer.changed.iter().map(|(_, shape)| shape));
        if !checked.into_iter().all(|shape| shape.refers_below(all))
            || answer.changed.iter().any(|(number, _)| *number >= known)
        {
            return Err(AnswerError::Malformed("a number of no object".to_string()));
        }
        let mut objects = waiting.objects.clone();
        for _ in &answer.made {
            objects.push(self.heap.add(Object::Cell(None)));
        }
        // Innermost first, so that keys of dicts and sets can be looked at.
        let made = answer.made.iter().zip(&objects[known..]).rev();
        for (shape, id) in made {
            let object = self.object_of(shape, &objects)?;
            match object {
                Made::New(object) => *self.heap.get_mut(*id) = object,
                Made::Known(value) => {
                    *self.heap.get_mut(*id) = match value.id() {
                        Some(id) => self.heap.get(id).clone(),
                        None => Object::Cell(None),
                    }
                }
            }
        }
        for (number, shape) in &answer.changed {
            let object = self.object_of(shape, &objects)?;
            let id = objects[*number];
            if let Made::New(object) = object {
                let kept = matches!(
                    self.heap.get(id),
                    Object::Function(_) | Object::Instance { .. } | Object::Class(_)
                );
                if !kept {
                    *self.heap.get_mut(id) = object;
                }
            }
        }
        if !answer.sets_in_order {
            let changed = answer.changed.iter().map(|(number, _)| objects[*number]);
            for id in objects[known..].iter().copied().chain(changed) {
                self.order_set(id);
            }
        }
        if self.record.write(&answer.output).is_err() {
            return Err(AnswerError::Refused("more output than allowed".to_string()));
        }
        Ok(match &answer.result {
            Ok(data) => Ok(value_of(data, &objects)?),
            Err(raised) => {
                let args: Result<Vec<Value>, AnswerError> = raised
                    .args
                    .iter()
                    .map(|data| value_of(data, &objects))
                    .collect();
                match self.raise_with(&raised.kind, args?) {
                    Flow::Raise(error) => Err(error),
                    _ => return Err(AnswerError::Malformed("an exception".to_string())),
                }
            }
        })
    }

    fn object_of(&mut self, shape: &Shape, objects: &[ObjectId]) -> Result<Made, AnswerError> {
        let values = |items: &[Data]| -> Result<Vec<Value>, AnswerError> {
            items.iter().map(|data| value_of(data, objects)).collect()
        };
        Ok(Made::New(match shape {
            Shape::Items("list", items) => Object::List(values(items)?),
            Shape::Items("tuple", items) => Object::Tuple(values(items)?.into()),
            Shape::Items("bytearray", items) => {
                let byte = |data: &Data| match data {
                    Data::Int(i) => u8::try_from(i).ok(),
                    _ => None,
                };
                let bytes: Option<Vec<u8>> = items.iter().map(byte).collect();
                Object::Bytearray(
                    bytes.ok_or_else(|| AnswerError::Malformed("a byte".to_string()))?,
                )
            }
            Shape::Items("iterator", items) => Object::Iterator(crate::value::Iterator::Items {
                of: values(items)?.into(),
                next: 0,
                kind: "iterator",
            }),
            Shape::Items(kind, items) => {
                let mut elements = Elements::default();
                for value in values(items)? {
                    let key = self.answer_key(&value)?;
                    elements.entry(key).or_insert(value);
                }
                if *kind == "set" {
                    Object::Set(elements)
                } else {
                    Object::Frozenset(elements)
                }
            }
            Shape::Deque(items, most) => Object::Deque(values(items)?.into(), *most),
            Shape::Dict(kind, factory, pairs) => {
                let mut entries = Entries::default();
                for (name, data) in pairs {
                    let name = value_of(name, objects)?;
                    let key = self.answer_key(&name)?;
                    entries.insert(key, (name, value_of(data, objects)?));
                }
                let kind = match *kind {
                    "defaultdict" => DictKind::Default(value_of(factory, objects)?),
                    "Counter" => DictKind::Counter,
                    "OrderedDict" => DictKind::Ordered,
                    _ => DictKind::Plain,
                };
                Object::Dict(entries, kind)
            }
            Shape::Three(kind, three) => {
                let [a, b, c] = three;
                let three = [
                    value_of(a, objects)?,
                    value_of(b, objects)?,
                    value_of(c, objects)?,
                ];
                let [a, b, c] = three;
                if *kind == "range" {
                    Object::Range(a, b, c)
                } else {
                    Object::Slice(a, b, c)
                }
            }
            Shape::Named(name) => {
                let value = self.named_value(name);
                return Ok(Made::Known(value));
            }
            Shape::Method(of, name) => Object::BuiltinMethod {
                receiver: value_of(of, objects)?,
                name: name.clone(),
            },
            Shape::View(view, of) => {
                let Some(of) = value_of(of, objects)?.id() else {
                    return Err(AnswerError::Malformed("a view".to_string()));
                };
                let view = match *view {
                    "keys" => View::Keys,
                    "values" => View::Values,
                    _ => View::Items,
                };
                Object::DictView { of, view }
            }
            Shape::Opaque(class, text) => Object::Opaque {
                class: class.clone(),
                text: text.clone(),
            },
            Shape::Placeholder => {
                return Err(AnswerError::Malformed("a new placeholder".to_string()));
            }
        }))
    }

    /// Puts the elements of a set in the order in which CPython would iterate over them, had they been added as they stand.
    fn order_set(&mut self, id: ObjectId) {
        let (Object::Set(elements) | Object::Frozenset(elements)) = self.heap.get(id) else {
            return;
        };
        let values: Vec<Value> = elements.values().cloned().collect();
        let Some(order) = crate::fold::set_order::order(&self.heap, &values) else {
            return;
        };
        if let Object::Set(elements) | Object::Frozenset(elements) = self.heap.get_mut(id) {
            let old: Vec<_> = std::mem::take(elements).into_iter().collect();
            *elements = order
                .into_iter()
                .filter_map(|at| old.get(at).cloned())
                .collect();
        }
    }

    fn answer_key(&mut self, value: &Value) -> Result<crate::value::Key, AnswerError> {
        crate::fold::key::key(&self.heap, value)
            .map_err(|_| AnswerError::Malformed("a key that has no hash".to_string()))
    }

    /// A builtin class or function by its dotted name.
    fn named_value(&mut self, name: &str) -> Value {
        if self.classes.contains_key(name) {
            return self.class_value(name);
        }
        if let Some((module, member)) = name.rsplit_once('.')
            && let Ok(Some(value)) = self.module_member(module, member)
        {
            return value;
        }
        self.builtin(name)
    }
}

enum Made {
    New(Object),
    Known(Value),
}

fn value_of(data: &Data, objects: &[ObjectId]) -> Result<Value, AnswerError> {
    Ok(match data {
        Data::None => Value::None,
        Data::Bool(b) => Value::Bool(*b),
        Data::Int(i) => Value::int(i.clone()),
        Data::Float(x) => Value::Float(*x),
        Data::Complex(re, im) => Value::Complex(*re, *im),
        Data::Str(s) => Value::Str(s.clone()),
        Data::Bytes(b) => Value::Bytes(b.clone()),
        Data::Ellipsis => Value::Ellipsis,
        Data::NotImplemented => Value::NotImplemented,
        Data::Object(number) => {
            let id = objects.get(*number);
            let id =
                id.ok_or_else(|| AnswerError::Malformed("a number of no object".to_string()))?;
            Value::Object(*id)
        }
    })
}

impl Shape {
    fn refers_below(&self, count: usize) -> bool {
        let fits = |data: &Data| !matches!(data, Data::Object(number) if *number >= count);
        match self {
            Self::Items(_, items) | Self::Deque(items, _) => items.iter().all(fits),
            Self::Dict(_, factory, pairs) => {
                fits(factory) && pairs.iter().all(|(key, value)| fits(key) && fits(value))
            }
            Self::Three(_, three) => three.iter().all(fits),
            Self::Method(of, _) | Self::View(_, of) => fits(of),
            Self::Named(_) | Self::Opaque(..) | Self::Placeholder => true,
        }
    }
}

/// The objects that a question refers to, numbered as they are met.
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
