//! Attributes of special objects: properties, `super()`, partials, aliases, code.

use std::sync::Arc;

use crate::machine::classes::attribute::Found;
use crate::machine::classes::reflection::OBJECT_METHODS;
use crate::machine::eval::eval_loop::broken;
use crate::machine::tables::has_method;
use crate::machine::{Flow, Machine, Run};
use crate::text::annotations;
use crate::value::{Object, Value};

/// The docstring of `functools.partial`.
const PARTIAL: &str = "partial(func, *args, **keywords) - new function with partial application\n    of the given arguments and keywords.\n";

/// Returns the end of a plan that needs an attribute of a special object that is not known.
fn unknown_attribute(kind: &str, name: &str) -> Flow {
    Flow::Unsupported(format!("attribute {name} of a {kind}"))
}

impl Machine {
    /// Looks up an attribute of a special object by its kind.
    pub(super) fn special_attribute(
        &mut self,
        kind: &'static str,
        parts: &[Value],
        name: &Arc<str>,
    ) -> Run<Found> {
        match kind {
            "property" => self.attribute_of_property(parts, name),
            "super" => self.attribute_of_super(parts, name),
            "frame" => Ok(Found::Value(self.part_of_frame(&parts[0], name)?)),
            "staticmethod" | "classmethod" => self.attribute_of_wrapper(kind, parts, name),
            "cached_property" => match &**name {
                "func" => Ok(Found::Value(parts[0].clone())),
                "__doc__" => match parts.get(1) {
                    Some(set) => Ok(Found::Value(set.clone())),
                    None => self.find_attribute(&parts[0], name),
                },
                _ => Err(unknown_attribute(kind, name)),
            },
            "partial" => attribute_of_partial(parts, name),
            annotations::GENERIC_ALIAS | annotations::BUILTIN_ALIAS => match &**name {
                "__args__" => Ok(Found::Value(parts[1].clone())),
                "__origin__" => Ok(Found::Value(parts[0].clone())),
                "__parameters__" => Ok(Found::Value(self.parameters_of_parts(kind, parts))),
                _ => self.find_attribute(&parts[0], name),
            },
            annotations::UNION => match &**name {
                "__args__" => Ok(Found::Value(self.heap.tuple(parts.to_vec()))),
                "__parameters__" => Ok(Found::Value(self.parameters_of_parts(kind, parts))),
                _ if !name.starts_with("__") => Ok(Found::Missing),
                _ => Err(unknown_attribute(kind, name)),
            },
            "code" => self.attribute_of_code(parts, name),
            _ => Err(unknown_attribute(kind, name)),
        }
    }

    /// Looks up an attribute of a property.
    fn attribute_of_property(&mut self, parts: &[Value], name: &Arc<str>) -> Run<Found> {
        match &**name {
            "fget" => Ok(Found::Value(parts[0].clone())),
            "fset" => Ok(Found::Value(parts[1].clone())),
            "fdel" => Ok(Found::Value(parts[2].clone())),
            "__doc__" if parts[3] != Value::None => Ok(Found::Value(parts[3].clone())),
            "__doc__" => match self.heap.object(&parts[0]) {
                Some(Object::Function(_)) => self.find_attribute(&parts[0].clone(), name),
                _ => Ok(Found::Value(Value::None)),
            },
            "setter" | "getter" | "deleter" => {
                let at = match &**name {
                    "getter" => 0,
                    "setter" => 1,
                    _ => 2,
                };
                let receiver = self.heap.make(Object::Special {
                    kind: "property",
                    parts: parts.to_vec(),
                });
                Ok(Found::Value(self.heap.make(Object::BuiltinMethod {
                    receiver,
                    name: ["getter", "setter", "deleter"][at].into(),
                })))
            }
            _ => Err(unknown_attribute("property", name)),
        }
    }

    /// Looks up an attribute of a `super()`: that of the next class in the MRO, bound to the
    /// receiver.
    fn attribute_of_super(&mut self, parts: &[Value], name: &Arc<str>) -> Run<Found> {
        let [Value::Object(after), receiver] = parts else {
            return Err(broken("super"));
        };
        let class = match self.heap.object(receiver) {
            Some(Object::Instance { class, .. }) => *class,
            Some(Object::Class(_)) => {
                let own = receiver.id().ok_or_else(|| broken("super"))?;
                let meta = self.metaclass_of(own);
                meta.filter(|meta| self.derives(*meta, *after))
                    .unwrap_or(own)
            }
            _ => return Err(Flow::Unsupported("super of that".to_string())),
        };
        let Object::Class(info) = self.heap.get(class) else {
            return Err(broken("super"));
        };
        let mro = info.mro.clone();
        let from = mro.iter().position(|id| id == after).map_or(0, |at| at + 1);
        for id in &mro[from..] {
            let Object::Class(info) = self.heap.get(*id) else {
                continue;
            };
            if let Some(found) = info.attributes.get(name).cloned() {
                if let Some(Object::Special { kind, parts }) = self.heap.object(&found)
                    && *kind == "property"
                {
                    let getter = parts[0].clone();
                    return Err(Flow::Call(getter, vec![receiver.clone()]));
                }
                if &**name == "__new__" {
                    return Ok(Found::Value(found));
                }
                return Ok(self.bound(found, receiver.clone(), class));
            }
        }
        if &**name == "__class_getitem__" && self.is_generic(class) {
            let function = self.prelude_value("_generic_item")?;
            let receiver = receiver.clone();
            return Ok(Found::Value(
                self.heap.make(Object::Method { function, receiver }),
            ));
        }
        // Attributes of `object` and `BaseException`.
        let owner = if self.is_exception_class(class) {
            "BaseException"
        } else if self.is_metaclass(class) {
            "type"
        } else {
            "object"
        };
        let function = self.builtin(&format!("{owner}.{name}"));
        if &**name == "__new__" {
            return Ok(Found::Value(function));
        }
        let of_type = ["__call__", "__instancecheck__", "__subclasscheck__"];
        let is_known = owner == "type" && of_type.contains(&&**name);
        if !OBJECT_METHODS.contains(&&**name) && !is_known {
            return Ok(Found::Missing);
        }
        let receiver = receiver.clone();
        Ok(Found::Value(
            self.heap.make(Object::Method { function, receiver }),
        ))
    }

    /// Looks up an attribute of a static method or a class method.
    fn attribute_of_wrapper(
        &mut self,
        kind: &'static str,
        parts: &[Value],
        name: &Arc<str>,
    ) -> Run<Found> {
        match &**name {
            "__func__" | "__wrapped__" => Ok(Found::Value(parts[0].clone())),
            // They share the metadata of their functions, but no attributes that programs set.
            "__module__"
            | "__name__"
            | "__qualname__"
            | "__doc__"
            | "__annotations__"
            | "__isabstractmethod__"
                if matches!(self.heap.object(&parts[0]), Some(Object::Function(_))) =>
            {
                self.find_attribute(&parts[0].clone(), name)
            }
            _ if !name.starts_with("__") || !has_method(kind, name) => Ok(Found::Missing),
            _ => Err(unknown_attribute(kind, name)),
        }
    }

    /// Looks up an attribute of a code object.
    fn attribute_of_code(&mut self, parts: &[Value], name: &Arc<str>) -> Run<Found> {
        if &**name == "replace" {
            let function = self.prelude_value("_replaced_code")?;
            let receiver = self.heap.make(Object::Special {
                kind: "code",
                parts: parts.to_vec(),
            });
            return Ok(Found::Value(
                self.heap.make(Object::Method { function, receiver }),
            ));
        }
        let (class, parts) = self.shown_text(parts)?;
        let get = self.prelude_value("_part_of_code")?;
        let shown = vec![class, self.heap.tuple(parts), Value::Str(name.clone())];
        Ok(Found::Call(get, shown))
    }
}

/// Looks up an attribute of a `functools.partial`.
fn attribute_of_partial(parts: &[Value], name: &str) -> Run<Found> {
    Ok(match name {
        "__module__" => Found::Value(Value::str("functools")),
        "__doc__" => {
            let set = parts.get(3).cloned();
            Found::Value(set.unwrap_or_else(|| Value::str(PARTIAL)))
        }
        "func" => Found::Value(parts[0].clone()),
        "args" => Found::Value(parts[1].clone()),
        "keywords" => Found::Value(parts[2].clone()),
        _ if !name.starts_with("__") => Found::Missing,
        _ if !matches!(name, "__dict__" | "__setstate__" | "__class_getitem__")
            && !has_method("partial", name) =>
        {
            Found::Missing
        }
        _ => return Err(unknown_attribute("partial", name)),
    })
}
