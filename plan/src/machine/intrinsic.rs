//! What the Python code of the runtime calls.

use std::sync::Arc;

use super::execute::broken;
use super::{After, Flow, Machine, Run};
use crate::question::Operation;
use crate::value::{Iterator, Object, Value};

impl Machine {
    /// What the runtime's Python code calls.
    pub(super) fn intrinsic(&mut self, name: &str, arguments: Vec<Value>) -> Run<Option<Value>> {
        let end = || -> Arc<str> { "_END".into() };
        Ok(Some(match (name, arguments.as_slice()) {
            ("_next", [it]) => {
                let end = self.get_name(self.prelude, &end()).unwrap_or(Value::None);
                return self.next_of(it, Some(end));
            }
            ("_len", [value]) => {
                let known = match self.heap.object(value) {
                    Some(Object::List(items)) => Some(items.len()),
                    Some(Object::Tuple(items)) => Some(items.len()),
                    _ => self.known_items(value).map(|items| items.len()),
                };
                Value::Int(known.ok_or_else(|| broken("length"))? as i64)
            }
            ("_push", [list, item]) => {
                match list.id().map(|id| self.heap.get_mut(id)) {
                    Some(Object::List(items)) => items.push(item.clone()),
                    _ => return Err(broken("list")),
                }
                Value::None
            }
            ("_write", [Value::Str(text)]) => {
                self.record.write(text)?;
                Value::None
            }
            ("_write", [other]) => {
                let message = format!(
                    "__str__ returned non-string (type {})",
                    self.type_name(other)
                );
                return Err(self.raise("TypeError", &message));
            }
            ("_text", [value, Value::Bool(repr)]) => match self.known_text(value, *repr) {
                Some(text) => text,
                None => self.get_name(self.prelude, &end()).unwrap_or(Value::None),
            },
            ("_find", [value, Value::Str(method)]) => match self.special(value, method) {
                Some(method) => method,
                None => self.get_name(self.prelude, &end()).unwrap_or(Value::None),
            },
            ("_ask", [Value::Str(name), args, kwargs]) => {
                let args = self.known_items(args).ok_or_else(|| broken("arguments"))?;
                let kwargs = self.keywords_of(kwargs)?;
                return Err(self.ask_call(name, args, kwargs));
            }
            ("_sort_by", [items, keys, reverse]) => {
                if items == keys {
                    let keywords = vec![("reverse".into(), reverse.clone())];
                    let keywords = if *reverse == Value::Bool(false) {
                        Vec::new()
                    } else {
                        keywords
                    };
                    return Err(self.ask_call("sorted", vec![items.clone()], keywords));
                }
                return Err(self.ask_operation(Operation::SortBy, arguments));
            }
            ("_classof", [value]) => self.type_of(value),
            ("_own", [value]) => Value::Bool(self.touches_program(value)),
            ("_throw", [Value::Str(what)]) => return Err(Flow::Unsupported(what.to_string())),
            ("_kind", [value]) => Value::str(match self.heap.object(value) {
                Some(Object::Iterator(_) | Object::Generator { .. }) => "iterator",
                Some(Object::List(_) | Object::Tuple(_)) => "sequence",
                Some(Object::Instance { .. }) => "own",
                Some(Object::Function(_)) => "function",
                _ => "other",
            }),
            ("_init", [instance, args, kwargs]) => {
                let args = self.known_items(args).unwrap_or_default();
                let kwargs = self.keywords_of(kwargs)?;
                match self.special(instance, "__init__") {
                    Some(init) => {
                        let after = std::mem::replace(&mut self.after, After::Push);
                        return self.call(init, args, kwargs, after).map(|()| None);
                    }
                    None => Value::None,
                }
            }
            ("_own_attribute", [class, Value::Str(attribute)]) => {
                let found = match self.heap.object(class) {
                    Some(Object::Class(class)) => class.attributes.get(attribute).cloned(),
                    _ => None,
                };
                match found {
                    Some(value) => value,
                    None => self.get_name(self.prelude, &end()).unwrap_or(Value::None),
                }
            }
            ("_mro", [class]) => {
                let mro = match self.heap.object(class) {
                    Some(Object::Class(class)) => class.mro.clone(),
                    _ => return Err(broken("class")),
                };
                self.heap.list(mro.into_iter().map(Value::Object).collect())
            }
            ("_set_own", [Value::Object(id), Value::Str(attribute), value]) => {
                self.store_attribute(*id, attribute, value.clone())?;
                Value::None
            }
            ("_reverse_iter", [sequence]) => {
                let of = sequence.id();
                let items = self.known_items(sequence);
                match (self.heap.object(sequence), of, items) {
                    (
                        Some(Object::List(_) | Object::Tuple(_) | Object::Deque(..)),
                        Some(of),
                        Some(items),
                    ) => self.heap.make(Object::Iterator(Iterator::Reversed {
                        of,
                        next: items.len(),
                    })),
                    (Some(Object::Set(_) | Object::Frozenset(_)), ..) => {
                        self.get_name(self.prelude, &end()).unwrap_or(Value::None)
                    }
                    (_, _, Some(mut items)) => {
                        items.reverse();
                        let of = items.into();
                        self.heap.make(Object::Iterator(Iterator::Items {
                            of,
                            next: 0,
                            kind: "reversed",
                        }))
                    }
                    _ => self.get_name(self.prelude, &end()).unwrap_or(Value::None),
                }
            }
            ("_line", []) => Value::Str(self.input.line().into()),
            _ => return Err(Flow::Unsupported(format!("the runtime's {name}"))),
        }))
    }
}
