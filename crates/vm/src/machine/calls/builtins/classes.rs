//! Methods of `object`, `type` and `BaseException` that are called by name.

use crate::machine::calls::builtins::done;
use crate::machine::calls::call::Keywords;
use crate::machine::{After, Flow, Machine, Run};
use crate::value::{Attributes, DictKind, Entries, Object, Value};

impl Machine {
    /// `type.__instancecheck__`
    pub(super) fn builtin_type_instancecheck(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [kind, value] => {
                let class = self.type_of(value);
                let own = kind.id().filter(|id| self.is_made_by_abcmeta(*id));
                let own = own.and_then(|id| self.of_metaclass(id, "__subclasscheck__"));
                if let Some(function) = own {
                    // `ABCMeta` calls it for classes that it has not seen yet, which are not known
                    // here. It does not matter where the calls are not traced.
                    if !matches!(self.heap.object(&function), Some(Object::Function(f)) if self.is_hidden(f.globals))
                    {
                        let what = "ABCMeta.__instancecheck__ beside __subclasscheck__";
                        return Err(Flow::Unsupported(what.to_string()));
                    }
                    let receiver = kind.clone();
                    let method = self.heap.make(Object::Method { function, receiver });
                    return Err(Flow::Call(method, vec![class]));
                }
                self.is_subclass(Some(value), &class, kind)
                    .map(|is| Some(Some(Value::Bool(is))))
            }
            _ => Ok(None),
        }
    }

    /// `type.__subclasscheck__`
    pub(super) fn builtin_type_subclasscheck(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [kind, class] => self
                .is_subclass(None, class, kind)
                .map(|is| Some(Some(Value::Bool(is)))),
            _ => Ok(None),
        }
    }

    /// `type.__eq__`, `type.__ne__`
    pub(super) fn builtin_type_compared(
        &mut self,
        name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [a, b] if a == b => done(Value::Bool(name == "type.__eq__")),
            [_, _] => done(Value::NotImplemented),
            _ => Ok(None),
        }
    }

    /// `type.__hash__`
    pub(super) fn builtin_type_hash(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [class] => Ok(self.identity_hash(class).map(Some)),
            _ => Ok(None),
        }
    }

    /// `object.__init_subclass__`
    pub(super) fn builtin_object_init_subclass(
        &mut self,
        _name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [class] if !keywords.is_empty() => Err(self.no_keywords_of_bases(&class.clone())),
            _ => Ok(None),
        }
    }

    /// `object.__subclasshook__`
    pub(super) fn builtin_object_subclasshook(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [_] => done(Value::NotImplemented),
            _ => Ok(None),
        }
    }

    /// `object.__init__`, `object.__init_subclass__`, `type.__init__`
    pub(super) fn builtin_init(
        &mut self,
        _name: &str,
        _arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        done(Value::None)
    }

    /// `BaseException.__init__`
    pub(super) fn builtin_exception_init(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [Value::Object(id), args @ ..] => {
                let args = self.heap.tuple(args.to_vec());
                self.store_attribute(*id, &"args".into(), args)?;
                done(Value::None)
            }
            _ => Ok(None),
        }
    }

    /// `object.__new__`, `BaseException.__new__`
    pub(super) fn builtin_new(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [Value::Object(class), ..] => {
                let class = *class;
                let made = self.heap.add(Object::Instance {
                    class,
                    attributes: Attributes::default(),
                    base: None,
                });
                self.instance_made(made, class);
                done(Value::Object(made))
            }
            _ => Ok(None),
        }
    }

    /// `type.__new__`
    pub(super) fn builtin_type_new(
        &mut self,
        _name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        let made = self.type_new(arguments, keywords.clone())?;
        done(made)
    }

    /// `type.__call__`
    pub(super) fn builtin_type_call(
        &mut self,
        _name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [class @ Value::Object(_), rest @ ..] => {
                let after = std::mem::replace(&mut self.after, After::Push);
                self.instantiate(&class.clone(), true, rest.to_vec(), keywords.clone(), after)?;
                Ok(Some(None))
            }
            _ => Ok(None),
        }
    }

    /// `type.__prepare__`: an empty dict, whatever the arguments are.
    pub(super) fn builtin_type_prepare(
        &mut self,
        _name: &str,
        _arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        let namespace = Object::Dict(Entries::default(), DictKind::Plain);
        done(self.heap.make(namespace))
    }

    /// `object.__setattr__`
    pub(super) fn builtin_object_setattr(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value @ Value::Object(id), Value::Str(attribute), new] => {
                if let Some(Object::Instance { class, .. }) = self.heap.object(value)
                    && !self.may_have(*class, attribute)
                {
                    let class = *class;
                    return Err(self.no_place(value, class, attribute));
                }
                self.store_attribute(*id, attribute, new.clone())?;
                done(Value::None)
            }
            _ => Ok(None),
        }
    }

    /// `object.__getattribute__`
    pub(super) fn builtin_object_getattribute(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value, Value::Str(name)] => done(self.plain_attribute(value, name)?),
            _ => Ok(None),
        }
    }

    /// `BaseException.__str__`
    pub(super) fn builtin_exception_str(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value] => {
                let args = self.exception_args(value);
                if args.len() == 2 && self.is_a(value, "OSError") {
                    let whole = vec![value.clone()];
                    return self
                        .prelude_call("_system_error", whole, Vec::new())
                        .map(Some);
                }
                if let Some(said) = self.syntax_error(value, &args) {
                    return done(Value::str(&said));
                }
                let (text, shown) = match args.as_slice() {
                    [] => return done(Value::str("")),
                    [one] if self.is_a(value, "KeyError") => ("_repr", one.clone()),
                    [one] => ("_str", one.clone()),
                    _ => ("_repr", self.heap.tuple(args)),
                };
                self.prelude_call(text, vec![shown], Vec::new()).map(Some)
            }
            _ => Ok(None),
        }
    }
}
