//! Containers made or copied from known values: `dict(pairs)`, `Counter(a=1)`, `deque(items, 3)`,
//! `copy.deepcopy`.

use std::collections::HashMap;

use crate::fold::byte_order;
use crate::fold::compare::bytes_of;
use crate::machine::Machine;
use crate::machine::calls::call::Keywords;
use crate::machine::objects::known_methods::Known;
use crate::value::{DictKind, Elements, Entries, Object, ObjectId, Value};

/// Maximum depth of nested containers that are copied.
const DEEPEST: usize = 100;
/// Maximum containers of one deep copy.
const MOST_COPIED: usize = 1 << 14;

impl Machine {
    /// Returns the container that a call makes. `None` for other calls.
    pub(in crate::machine) fn fold_made(
        &mut self,
        name: &str,
        operands: &[Value],
        keywords: &Keywords,
    ) -> Known {
        let made = match (name, operands) {
            ("dict" | "collections.OrderedDict" | "collections.Counter", [] | [_]) => {
                let kind = match name {
                    "dict" => DictKind::Plain,
                    "collections.Counter" => DictKind::Counter,
                    _ => DictKind::Ordered,
                };
                self.filled(kind, operands, keywords)?
            }
            ("collections.defaultdict", [factory, of @ ..]) if of.len() < 2 => {
                self.filled(DictKind::Default(factory.clone()), of, keywords)?
            }
            ("collections.OrderedDict.fromkeys", [of, value @ ..])
                if keywords.is_empty() && value.len() < 2 =>
            {
                let Some(items) = self.items_in_order(of) else {
                    return Ok(None);
                };
                let value = value.first().cloned().unwrap_or(Value::None);
                let id = self
                    .heap
                    .add(Object::Dict(Entries::default(), DictKind::Ordered));
                let pairs = items
                    .into_iter()
                    .map(|item| (item, value.clone()))
                    .collect();
                self.put_all(id, pairs)?.map(|_| Value::Object(id))
            }
            ("collections.deque", [of, most @ ..]) if most.len() + keywords.len() == 1 => {
                let most = most.first().or(keywords.first().map(|(_, most)| most));
                let most = match most {
                    Some(Value::None) => None,
                    Some(Value::Int(most @ 0..)) => usize::try_from(*most).ok(),
                    _ => return Ok(None),
                };
                self.bounded(Some(of), most)
            }
            ("collections.deque", []) => match keywords.as_slice() {
                [(name, Value::Int(most @ 0..))] if &**name == "maxlen" => {
                    self.bounded(None, usize::try_from(*most).ok())
                }
                _ => None,
            },
            ("copy.copy", [of]) => self.copied(of),
            ("copy.deepcopy", [of]) => self.deep_copy(of),
            ("int.from_bytes", [of, ..]) => {
                let all = match bytes_of(&self.heap, of) {
                    Some(_) => None,
                    // Numbers in a list or another container are bytes, too.
                    None => self.small_numbers(of),
                };
                let bytes = all.as_deref().or_else(|| bytes_of(&self.heap, of));
                let Some(bytes) = bytes else {
                    return Ok(None);
                };
                let folded = byte_order::from_bytes(bytes, operands, keywords);
                return self.settle(folded);
            }
            _ => None,
        };
        if made.is_some() {
            self.count_folded();
        }
        Ok(made)
    }

    /// Returns the items of a container as bytes, if all are numbers in range.
    fn small_numbers(&mut self, of: &Value) -> Option<Vec<u8>> {
        let items = self.items_in_order(of)?;
        let byte = |item: &Value| match item {
            Value::Int(number) => u8::try_from(*number).ok(),
            _ => None,
        };
        items.iter().map(byte).collect()
    }

    fn filled(&mut self, kind: DictKind, of: &[Value], keywords: &Keywords) -> Known {
        let counter = kind == DictKind::Counter;
        let id = self.heap.add(Object::Dict(Entries::default(), kind));
        if counter {
            if let [of] = of
                && self.count_all(id, of, false)?.is_none()
            {
                return Ok(None);
            }
            if keywords.is_empty() {
                return Ok(Some(Value::Object(id)));
            }
            let counts = self.keyword_dict(keywords.clone());
            return Ok(self
                .count_all(id, &counts, false)?
                .map(|_| Value::Object(id)));
        }
        Ok(self.put_given(id, of, keywords)?.map(|_| Value::Object(id)))
    }

    fn bounded(&mut self, of: Option<&Value>, most: Option<usize>) -> Option<Value> {
        let mut items = match of {
            Some(of) => self.items_in_order(of)?,
            None => Vec::new(),
        };
        if let Some(most) = most {
            items.drain(..items.len().saturating_sub(most));
        }
        Some(self.heap.make(Object::Deque(items.into(), most)))
    }

    /// `copy.deepcopy`. `None` if it calls the program.
    pub(in crate::machine) fn deep_copy(&mut self, of: &Value) -> Option<Value> {
        self.copied_deeply(of, &mut HashMap::new(), DEEPEST)
    }

    /// `copy.copy`. `None` if it calls the program.
    pub(in crate::machine) fn copied(&mut self, of: &Value) -> Option<Value> {
        match self.heap.object(of) {
            Some(Object::Instance { class, base, .. }) => {
                let (class, plain) = (*class, base.is_none());
                if self.is_member(class) {
                    return Some(of.clone());
                }
                if !plain || !self.copies_plainly(class, false) {
                    return None;
                }
                let object = of.id().map(|id| self.heap.get(id).clone())?;
                let made = self.heap.add(object);
                self.instance_made(made, class);
                Some(Value::Object(made))
            }
            None | Some(Object::Tuple(_) | Object::Frozenset(_) | Object::Range(..)) => {
                Some(of.clone())
            }
            Some(
                object @ (Object::List(_)
                | Object::Dict(..)
                | Object::Set(_)
                | Object::Deque(..)
                | Object::Bytearray(_)),
            ) => {
                let object = object.clone();
                Some(self.heap.make(object))
            }
            _ => None,
        }
    }

    /// Whether instances of a class are enumeration members.
    pub(in crate::machine) fn is_member(&self, class: ObjectId) -> bool {
        self.class_attribute(class, "_enumeration_").is_some()
    }

    /// Whether a class defines a method that is called to look up the methods used by copying.
    fn looks_up(&self, class: ObjectId) -> bool {
        let mut names = ["__getattr__", "__getattribute__"].iter();
        names.any(|name| match self.class_attribute(class, name) {
            Some(found) => !matches!(self.heap.object(&found), Some(Object::Builtin(_))),
            None => false,
        })
    }

    /// Whether instances of a class are copied attribute by attribute.
    pub(in crate::machine) fn copies_plainly(&self, class: ObjectId, deeply: bool) -> bool {
        // `__setattr__` matters only for slots: other attributes are put into the dict.
        let by_setter = self.may_have(class, "__dict__").then_some("__setattr__");
        const OWN: [&str; 7] = [
            "__reduce__",
            "__reduce_ex__",
            "__getstate__",
            "__setstate__",
            "__getnewargs__",
            "__setattr__",
            "__new__",
        ];
        let own = if deeply { "__deepcopy__" } else { "__copy__" };
        !self.is_exception_class(class)
            && !OWN.iter().chain(&[own]).any(|name| {
                by_setter != Some(*name)
                    && self.class_attribute(class, name).is_some_and(|found| {
                        !matches!(self.heap.object(&found), Some(Object::Builtin(_)))
                    })
            })
    }

    /// Returns deep copies of the items of a container. `None` if one contains an object of the
    /// program.
    fn copied_items<'a, C: FromIterator<Value>>(
        &mut self,
        items: impl Iterator<Item = &'a Value>,
        known: &mut HashMap<ObjectId, Value>,
        depth: usize,
    ) -> Option<C> {
        items
            .map(|item| self.copied_deeply(item, known, depth - 1))
            .collect()
    }

    /// Returns a deep copy. `None` if it contains an object of the program.
    fn copied_deeply(
        &mut self,
        of: &Value,
        known: &mut HashMap<ObjectId, Value>,
        depth: usize,
    ) -> Option<Value> {
        let Value::Object(id) = of else {
            return Some(of.clone());
        };
        if let Some(copy) = known.get(id) {
            return Some(copy.clone());
        }
        if known.len() > MOST_COPIED || depth == 0 {
            return None;
        }
        let object = self.heap.get(*id).clone();
        self.charge(object.items());
        // A tuple or a frozenset without mutable parts is its own copy.
        if let Object::Tuple(items) = &object {
            let copies: Vec<Value> = self.copied_items(items.iter(), known, depth)?;
            let copy = match copies[..] == items[..] {
                true => of.clone(),
                false => self.heap.tuple(copies),
            };
            known.insert(*id, copy.clone());
            return Some(copy);
        }
        let empty = match &object {
            Object::Instance { class, .. } if self.is_member(*class) => return Some(of.clone()),
            Object::List(_) => Object::List(Vec::new()),
            Object::Dict(_, kind) => Object::Dict(Entries::default(), kind.clone()),
            Object::Set(_) => Object::Set(Elements::default()),
            Object::Deque(_, most) => Object::Deque(Default::default(), *most),
            Object::Bytearray(_) => object.clone(),
            Object::Instance {
                class, base: None, ..
            } if self.copies_plainly(*class, true) && !self.looks_up(*class) => Object::Instance {
                class: *class,
                attributes: Default::default(),
                base: None,
            },
            Object::Frozenset(_)
            | Object::Range(..)
            | Object::Function(_)
            | Object::Builtin(_)
            | Object::Class(_) => return Some(of.clone()),
            _ => return None,
        };
        let copy = self.heap.add(empty);
        if let Object::Instance { class, .. } = &object {
            self.instance_made(copy, *class);
        }
        known.insert(*id, Value::Object(copy));
        let filled = match object {
            Object::List(items) => Object::List(self.copied_items(items.iter(), known, depth)?),
            Object::Deque(items, most) => {
                Object::Deque(self.copied_items(items.iter(), known, depth)?, most)
            }
            Object::Dict(entries, kind) => {
                let mut copies = Entries::default();
                for (key, (name, value)) in entries {
                    if matches!(key, crate::value::Key::Identity(_)) {
                        return None;
                    }
                    let value = self.copied_deeply(&value, known, depth - 1)?;
                    copies.insert(key, (name, value));
                }
                Object::Dict(copies, kind)
            }
            Object::Set(elements)
                if !elements
                    .keys()
                    .any(|key| matches!(key, crate::value::Key::Identity(_))) =>
            {
                Object::Set(elements)
            }
            Object::Bytearray(bytes) => Object::Bytearray(bytes),
            Object::Instance {
                class,
                attributes,
                base,
            } => {
                let mut copies = crate::value::Attributes::default();
                for (name, value) in attributes {
                    copies.insert(name, self.copied_deeply(&value, known, depth - 1)?);
                }
                Object::Instance {
                    class,
                    attributes: copies,
                    base,
                }
            }
            _ => return None,
        };
        self.heap.replace(copy, filled);
        Some(Value::Object(copy))
    }
}
