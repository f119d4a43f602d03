//! Attributes, instances and classes.

use crate::machine::calls::builtins::done;
use crate::machine::calls::call::Keywords;
use crate::machine::{Flow, Machine, Run};
use crate::value::{DictKind, Object, Value};

impl Machine {
    /// `isinstance`, `issubclass`
    pub(super) fn builtin_own_check(
        &mut self,
        name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value, kinds] if self.has_checks(kinds) => self.own_check(name, value, kinds),
            _ => Ok(None),
        }
    }

    /// `isinstance`
    pub(super) fn builtin_isinstance(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value, kinds] => {
                if let Some(is) = self.satisfies_by_getattr(value, kinds)? {
                    return done(Value::Bool(is));
                }
                let class = self.type_of(value);
                self.is_subclass(Some(value), &class, kinds)
                    .map(|is| Some(Some(Value::Bool(is))))
            }
            _ => Ok(None),
        }
    }

    /// `issubclass`
    pub(super) fn builtin_issubclass(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [class, kinds] => self
                .is_subclass(None, class, kinds)
                .map(|is| Some(Some(Value::Bool(is)))),
            _ => Ok(None),
        }
    }

    /// `vars`
    pub(super) fn builtin_vars(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value @ Value::Object(id)]
                if matches!(self.heap.object(value), Some(Object::Instance { .. })) =>
            {
                let id = *id;
                match self.heap.object(value) {
                    Some(Object::Instance { class, .. }) if !self.may_have(*class, "__dict__") => {
                        Err(self.raise("TypeError", "vars() argument must have __dict__ attribute"))
                    }
                    _ => self.own_dict(id).map(|dict| Some(Some(dict))),
                }
            }
            [class]
                if matches!(
                    self.heap.object(class),
                    Some(Object::Class(_) | Object::Function(_) | Object::Module(_))
                ) =>
            {
                self.attribute(class, &"__dict__".into())
                    .map(|dict| Some(Some(dict)))
            }
            [value]
                if matches!(
                    self.heap.object(value),
                    None | Some(
                        Object::List(_)
                            | Object::Tuple(_)
                            | Object::Dict(_, DictKind::Plain)
                            | Object::Set(_)
                            | Object::Frozenset(_)
                            | Object::Bytearray(_)
                            | Object::Range(..)
                            | Object::Slice(..)
                    )
                ) =>
            {
                Err(self.raise("TypeError", "vars() argument must have __dict__ attribute"))
            }
            _ => Ok(None),
        }
    }

    /// `callable`
    pub(super) fn builtin_callable(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value] => {
                let is = match self.heap.object(value) {
                    Some(Object::Instance { .. }) => self.special(value, "__call__").is_some(),
                    Some(
                        Object::Function(_)
                        | Object::Class(_)
                        | Object::Method { .. }
                        | Object::Builtin(_)
                        | Object::BuiltinMethod { .. },
                    ) => true,
                    Some(Object::Special { kind, .. }) => *kind == "partial",
                    _ => false,
                };
                done(Value::Bool(is))
            }
            _ => Ok(None),
        }
    }

    /// `getattr`
    pub(super) fn builtin_getattr(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value, Value::Str(attribute)] => self
                .attribute(value, attribute)
                .map(|value| Some(Some(value))),
            [value, Value::Str(attribute), _] if self.computes(value, attribute)? => self
                .prelude_call("_getattr_or", arguments.to_vec(), Vec::new())
                .map(Some),
            [value, Value::Str(attribute), default] => {
                let found = self.attribute_or(value, attribute)?;
                done(found.unwrap_or_else(|| default.clone()))
            }
            _ => Ok(None),
        }
    }

    /// `hasattr`
    pub(super) fn builtin_hasattr(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value, Value::Str(attribute)] if self.computes(value, attribute)? => self
                .prelude_call("_hasattr", arguments.to_vec(), Vec::new())
                .map(Some),
            [value, Value::Str(attribute)] => {
                let found = match self.attribute_or(value, attribute) {
                    Err(Flow::Unsupported(_)) if self.has_by_table(value, attribute) => true,
                    // The call returns the attribute, not whether it exists.
                    Err(Flow::Call(..)) => {
                        let call = self.prelude_call("_hasattr", arguments.to_vec(), Vec::new());
                        return call.map(Some);
                    }
                    found => found?.is_some(),
                };
                done(Value::Bool(found))
            }
            _ => Ok(None),
        }
    }

    /// `setattr`
    pub(super) fn builtin_setattr(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value, Value::Str(attribute), new] => {
                self.set_attribute(value, attribute, new.clone())?;
                done(Value::None)
            }
            _ => Ok(None),
        }
    }

    /// `delattr`
    pub(super) fn builtin_delattr(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value, Value::Str(attribute)] => {
                self.delete_attribute(value, attribute)?;
                done(Value::None)
            }
            _ => Ok(None),
        }
    }

    /// `dir`
    pub(super) fn builtin_dir(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [] => done(self.names_here()?),
            [value] => self.listed_names(value).map(|names| Some(Some(names))),
            _ => Ok(None),
        }
    }

    /// `id`
    pub(super) fn builtin_id(
        &mut self,
        name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value] if self.is_in_hidden() => done(Value::Int(self.identity(value))),
            [value] => match self.address(value) {
                Some(address) => done(Value::Int(address)),
                None => Err(Flow::Unsupported(name.to_string())),
            },
            _ => Ok(None),
        }
    }

    /// Returns the number by which the library's source identifies an object. It shows no address.
    fn identity(&mut self, value: &Value) -> i64 {
        // Below all addresses.
        let scalar = |number: i64| i64::MIN.wrapping_add(number & 0xffff_ffff_ffff);
        match value {
            Value::Str(text) => text.as_ptr() as usize as i64,
            Value::Bytes(bytes) => bytes.as_ptr() as usize as i64,
            Value::Int(number) => scalar(*number),
            Value::Float(number) => scalar(number.to_bits() as i64),
            Value::Object(_) => {
                let before = self.record.gave_addresses;
                let address = self.address(value).unwrap_or_default();
                self.record.gave_addresses = before;
                address
            }
            _ => i64::MIN,
        }
    }
}
