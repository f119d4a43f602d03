//! Values out of answers.

use codexec_vm::machine::Machine;
use codexec_vm::value::{self, DictKind, Elements, Entries, Key, Object, ObjectId, Value, View};

use crate::question::{Answer, AnswerError, Data, Shape};

/// Passes the answer about the pending operation, whose objects are `known`, to a machine.
///
/// # Errors
/// If the answer does not fit the question; the machine still waits.
pub fn answer(
    machine: &mut Machine,
    known: &[ObjectId],
    answer: &Answer,
) -> Result<(), AnswerError> {
    if machine.wanted().is_none() {
        return Err(AnswerError::Malformed("no question was asked".to_owned()));
    }
    let result = Taking(machine).take(known, answer)?;
    machine.go_on(result, answer.confidence);
    Ok(())
}

/// A machine whose heap is being changed.
struct Taking<'m>(&'m mut Machine);

impl Taking<'_> {
    /// Applies an answer to the heap. Returns the value, or the exception.
    fn take(
        &mut self,
        objects: &[ObjectId],
        answer: &Answer,
    ) -> Result<Result<Value, Value>, AnswerError> {
        let known = objects.len();
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
        let mut objects = objects.to_vec();
        for _ in &answer.made {
            objects.push(self.0.heap_mut().add(Object::Cell(None)));
        }
        // Innermost first, so that keys of dicts and sets can be looked at.
        let made = answer.made.iter().zip(&objects[known..]).rev();
        for (shape, id) in made {
            let object = self.object_of(shape, &objects)?;
            match object {
                Made::New(object) => *self.0.heap_mut().get_mut(*id) = object,
                Made::Known(value) => {
                    let heap = self.0.heap_mut();
                    *heap.get_mut(*id) = match value.id() {
                        Some(id) => heap.get(id).clone(),
                        None => Object::Cell(None),
                    }
                }
            }
        }
        for (number, shape) in &answer.changed {
            let object = self.object_of(shape, &objects)?;
            let id = objects[*number];
            if let Made::New(object) = object {
                self.0.change(id, object);
            }
        }
        if !answer.sets_in_order {
            let changed = answer.changed.iter().map(|(number, _)| objects[*number]);
            for id in objects[known..].iter().copied().chain(changed) {
                self.0.order_set(id);
            }
        }
        if !self.0.write_output(&answer.output) {
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
                let error = self.0.exception(&raised.kind, args?);
                Err(error.ok_or_else(|| AnswerError::Malformed("an exception".to_owned()))?)
            }
        })
    }

    fn key(&self, value: &Value) -> Result<Key, AnswerError> {
        let key = self.0.key_of(value);
        key.ok_or_else(|| AnswerError::Malformed("a key that has no hash".to_owned()))
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
            Shape::Items("iterator", items) => Object::Iterator(value::Iterator::Items {
                of: values(items)?.into(),
                next: 0,
                kind: "iterator",
                set: None,
            }),
            Shape::Items(kind, items) => {
                let mut elements = Elements::default();
                for value in values(items)? {
                    let key = self.key(&value)?;
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
                    let key = self.key(&name)?;
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
                let value = self.0.named_value(name);
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
    /// Whether no number in it is `count` or above.
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
