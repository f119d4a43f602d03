//! Values out of answers.

use super::{Flow, Machine};
use crate::machine::ask::Waiting;
use crate::question::{Answer, AnswerError, Data, Shape};
use crate::value::{DictKind, Elements, Entries, Object, ObjectId, Value, View};

impl Machine {
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
                    self.heap.tables.remove(&id);
                    self.dict_changed(id);
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
                let kind = self.public_name(&raised.kind);
                match self.raise_with(&kind, args?) {
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
                set: None,
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
        // A copy of a container keeps the keys that were compared when they came into it.
        if let Some(id) = value.id().filter(|id| self.heap.hashed.contains_key(id)) {
            return Ok(crate::value::Key::Identity(id));
        }
        crate::fold::key::key(&self.heap, value)
            .map_err(|_| AnswerError::Malformed("a key that has no hash".to_string()))
    }

    /// `json.JSONDecodeError` for `json.decoder.JSONDecodeError`: a class as its package shows it.
    fn public_name(&self, dotted: &str) -> String {
        let mut parts = dotted.split('.');
        if let (Some(package), Some(name)) = (parts.next(), parts.next_back()) {
            let short = format!("{package}.{name}");
            let shown = super::tables::modules()
                .get(package)
                .is_some_and(|members| members.iter().any(|(member, _)| *member == name));
            if shown && !self.classes.contains_key(dotted) {
                return short;
            }
        }
        dotted.to_string()
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
