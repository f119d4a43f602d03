//! Classes, their instances, and attributes.

use crate::machine::eval::eval_loop::broken;
use crate::machine::{After, Machine, Run};
use crate::value::{Attributes, Object, Value};

impl Machine {
    /// `_find`
    pub(super) fn intrinsic_find(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value, Value::Str(method)] => match self.special(value, method) {
                Some(method) => method,
                None => self.end(),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_classof`
    pub(super) fn intrinsic_classof(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => self.type_of(value),
            _ => return Err(broken("call")),
        }))
    }

    /// `_own`
    pub(super) fn intrinsic_own(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => Value::Bool(self.touches_program(value)),
            _ => return Err(broken("call")),
        }))
    }

    /// `_kind`
    pub(super) fn intrinsic_kind(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => Value::str(match self.heap.object(value) {
                Some(Object::Iterator(_) | Object::Generator { .. }) => "iterator",
                Some(Object::List(_) | Object::Tuple(_)) => "sequence",
                Some(Object::Deque(..)) => "deque",
                Some(Object::Dict(..)) => "dict",
                Some(Object::Instance { .. }) => "own",
                Some(Object::Class(_)) if self.is_instance(value) => "own",
                Some(Object::Function(_)) => "function",
                Some(Object::Special { .. }) => "special",
                _ => "other",
            }),
            _ => return Err(broken("call")),
        }))
    }

    /// `_init`
    pub(super) fn intrinsic_init(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [instance, args, kwargs] => {
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
            _ => return Err(broken("call")),
        }))
    }

    /// `_bound_to`
    pub(super) fn intrinsic_bound_to(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [function, receiver] => self.heap.make(Object::Method {
                function: function.clone(),
                receiver: receiver.clone(),
            }),
            _ => return Err(broken("call")),
        }))
    }

    /// `_generic(cls, arguments)`: `cls[arguments]` if the class does not define it.
    pub(super) fn intrinsic_generic(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [class, index] => Ok(Some(self.generic_alias(class, index))),
            _ => Err(broken("call")),
        }
    }

    /// `_has_own_parts`
    pub(super) fn intrinsic_has_own_parts(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [value] => Ok(Some(Value::Bool(self.has_own_parts(value)))),
            _ => Err(broken("call")),
        }
    }

    /// `_set_base`
    pub(super) fn intrinsic_set_base(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Object(id), value] => {
                if let Object::Instance { base, .. } = self.heap.get_mut(*id) {
                    *base = Some(value.clone());
                }
                Value::None
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_own_attribute`
    pub(super) fn intrinsic_own_attribute(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [class, Value::Str(attribute)] => {
                let found = match self.heap.object(class) {
                    Some(Object::Class(class)) => class.attributes.get(attribute).cloned(),
                    _ => None,
                };
                match found {
                    Some(value) => value,
                    None => self.end(),
                }
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_mro`
    pub(super) fn intrinsic_mro(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [class] => {
                let mro = match self.heap.object(class) {
                    // The library also reads the MRO of the runtime's classes.
                    Some(Object::Class(class))
                        if self
                            .frames
                            .last()
                            .is_some_and(|frame| self.is_runtime(frame)) =>
                    {
                        class.mro.iter().copied().map(Value::Object).collect()
                    }
                    Some(Object::Class(class)) => self.shown_order(class),
                    _ => return Err(broken("class")),
                };
                self.heap.list(mro)
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `___subclasses__`
    pub(super) fn intrinsic_subclasses(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Object(id)] => self.subclasses(*id)?,
            _ => return Err(broken("call")),
        }))
    }

    /// `_register`
    pub(super) fn intrinsic_register(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [class, other] => self.register(class, other)?,
            _ => return Err(broken("call")),
        }))
    }

    /// `_remember`
    pub(super) fn intrinsic_remember(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value, hash] => self.remember_hash(value, hash)?,
            _ => return Err(broken("call")),
        }))
    }

    /// `_remembered`
    pub(super) fn intrinsic_remembered(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => self.remembered_hash(value),
            _ => return Err(broken("call")),
        }))
    }

    /// `_set_own`
    pub(super) fn intrinsic_set_own(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Object(id), Value::Str(attribute), value] => {
                if &**attribute == "__slots__" {
                    let names = self.known_items(value).unwrap_or_default();
                    let names = names.into_iter().filter_map(|name| match name {
                        Value::Str(name) => Some(name),
                        _ => None,
                    });
                    let names = names.collect();
                    if let Object::Class(class) = self.heap.get_mut(*id) {
                        class.slots = Some(names);
                    }
                }
                self.store_attribute(*id, attribute, value.clone())?;
                Value::None
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_weak`
    pub(super) fn intrinsic_weak(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => self.weak_number(value),
            _ => return Err(broken("call")),
        }))
    }

    /// `_weak_watch`
    pub(super) fn intrinsic_weak_watch(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Int(number)] => {
                self.watch_object(*number);
                Value::None
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_weak_get`
    pub(super) fn intrinsic_weak_get(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Int(number)] => self.weak_object(*number)?,
            _ => return Err(broken("call")),
        }))
    }

    /// `_copied(value)`: `_END` if its class describes its copies.
    pub(super) fn intrinsic_copied(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => match self.copied(value) {
                Some(copy) => copy,
                None => self.library.end.clone(),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_copies_plainly`
    pub(super) fn intrinsic_copies_plainly(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => Value::Bool(match self.heap.object(value) {
                Some(Object::Instance { class, base, .. }) => {
                    base.is_none() && self.copies_plainly(*class, true)
                }
                _ => false,
            }),
            _ => return Err(broken("call")),
        }))
    }

    /// `_copied_deeply(value)`: `_END` if its class, or that of a part, describes its copies.
    pub(super) fn intrinsic_copied_deeply(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => match self.deep_copy(value) {
                Some(copy) => copy,
                None => self.library.end.clone(),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_instance`
    pub(super) fn intrinsic_instance(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Object(class)] => {
                let made = self.heap.add(Object::Instance {
                    class: *class,
                    attributes: Attributes::default(),
                    base: None,
                });
                self.instance_made(made, *class);
                Value::Object(made)
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_scalar`
    pub(super) fn intrinsic_scalar(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Object(class), value] => {
                let base = Some(self.scalar_base(value).unwrap_or_else(|| value.clone()));
                let made = self.heap.add(Object::Instance {
                    class: *class,
                    attributes: Attributes::default(),
                    base,
                });
                self.instance_made(made, *class);
                Value::Object(made)
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_data`
    pub(super) fn intrinsic_data(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => match self.heap.object(value) {
                Some(Object::Instance {
                    base: Some(base), ..
                }) => base.clone(),
                _ => value.clone(),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_own_names`
    pub(super) fn intrinsic_own_names(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Object(class)] => {
                let names = match self.heap.get(*class) {
                    Object::Class(class) => class.attributes.keys().cloned().collect(),
                    Object::Function(function) => function.attributes.keys().cloned().collect(),
                    _ => Vec::new(),
                };
                self.heap.list(names.into_iter().map(Value::Str).collect())
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_base`
    pub(super) fn intrinsic_base(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => self.scalar_base(value).unwrap_or_else(|| value.clone()),
            _ => return Err(broken("call")),
        }))
    }

    /// `_rename`
    pub(super) fn intrinsic_rename(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Object(class), Value::Str(new)] => {
                if let Object::Class(class) = self.heap.get_mut(*class) {
                    class.name = new.clone();
                }
                Value::None
            }
            _ => return Err(broken("call")),
        }))
    }
}
