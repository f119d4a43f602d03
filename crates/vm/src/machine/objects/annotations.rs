//! Annotations as values: `list[int]`, `int | None`, `Optional[int]`. Those of builtin classes keep
//! their parts. Those of `typing` are a class and a text, which is empty if it is unknown.

use std::sync::Arc;

use crate::machine::{Machine, Run};
use crate::text::annotations::{BUILTIN_ALIAS, GENERIC_ALIAS, OF_TYPING, UNION, type_text};
use crate::value::{Object, Value};

impl Machine {
    /// `container[index]` of a builtin class or of a name from `typing`.
    pub(in crate::machine) fn annotation(
        &mut self,
        container: &Value,
        index: &Value,
    ) -> Run<Value> {
        let arguments = match self.heap.object(index) {
            Some(Object::Tuple(items)) => items.to_vec(),
            _ => vec![index.clone()],
        };
        let name: Arc<str> = match self.heap.object(container) {
            Some(Object::Class(class)) => match &class.builtin {
                Some(name) => name.clone(),
                None => "".into(),
            },
            Some(Object::Opaque { text, .. }) => text.clone(),
            _ => "".into(),
        };
        let is_class = matches!(self.heap.object(container), Some(Object::Class(_)));
        let kind = OF_TYPING.iter().find(|(known, _)| **known == *name);
        if is_class && kind.is_none() && !name.starts_with("typing.") {
            let arguments = self.heap.tuple(arguments);
            return Ok(self.heap.make(Object::Special {
                kind: BUILTIN_ALIAS,
                parts: vec![container.clone(), arguments],
            }));
        }
        let kind = kind.map_or(GENERIC_ALIAS, |(_, kind)| kind);
        if &*name == "typing.Union" && arguments.len() == 1 {
            return Ok(index.clone());
        }
        let text = self.text_of_typing(&name, &arguments);
        let is_simple = text.is_some() || &*name == "typing.Annotated";
        let alias = self.heap.make(Object::Opaque {
            class: kind.into(),
            text: text.unwrap_or_default().into(),
        });
        // Unions in unions are not joined here.
        if is_simple {
            self.keep_alias(&alias, container, &name, &arguments)?;
        }
        Ok(alias)
    }

    /// `P.args` and `P.kwargs` of a `ParamSpec`.
    pub(in crate::machine) fn part_of_parameters(
        &mut self,
        value: &Value,
        name: &str,
    ) -> Option<Value> {
        let class = match name {
            "args" => "ParamSpecArgs",
            "kwargs" => "ParamSpecKwargs",
            _ => return None,
        };
        let text = match self.heap.object(value) {
            Some(Object::Opaque { class, text }) if &**class == "ParamSpec" => text,
            _ => return None,
        };
        let text = format!("{}.{name}", text.trim_start_matches('~'));
        Some(self.heap.make(Object::Opaque {
            class: class.into(),
            text: text.into(),
        }))
    }

    /// Returns the text of an annotation from `typing`, as its `repr` writes it.
    fn text_of_typing(&mut self, name: &str, arguments: &[Value]) -> Option<String> {
        if name == "typing.Annotated" || !name.contains('.') {
            return None;
        }
        let mut parts = Vec::with_capacity(arguments.len());
        for argument in arguments {
            parts.push(match (name, argument, self.heap.object(argument)) {
                ("typing.Literal", Value::Str(_) | Value::Int(_) | Value::Bool(_), _) => {
                    match self.known_text(argument, true) {
                        Some(Value::Str(text)) => text.to_string(),
                        _ => return None,
                    }
                }
                (_, _, Some(Object::List(items))) if name.ends_with(".Callable") => {
                    let items = items.clone();
                    let items: Option<Vec<String>> = items
                        .iter()
                        .map(|item| type_text(&self.heap, item))
                        .collect();
                    format!("[{}]", items?.join(", "))
                }
                (_, Value::Str(_), _) => match self.known_text(argument, true) {
                    Some(Value::Str(text)) => format!("ForwardRef({text})"),
                    _ => return None,
                },
                (_, Value::None, _) if name != "typing.Literal" => String::from("NoneType"),
                _ => type_text(&self.heap, argument)?,
            });
        }
        let is_union = |part: &String| part.contains("Optional[") || part.contains("Union[");
        if matches!(name, "typing.Optional" | "typing.Union") {
            let repeated = (1..parts.len()).any(|at| parts[..at].contains(&parts[at]));
            if repeated
                || parts.iter().any(is_union)
                || parts.iter().any(|part| part.contains(" | "))
            {
                return None;
            }
            if let ("typing.Union", [one, other]) = (name, parts.as_slice()) {
                let given = match (one.as_str(), other.as_str()) {
                    ("NoneType", given) | (given, "NoneType") => Some(given),
                    _ => None,
                };
                if let Some(given) = given {
                    return Some(format!("typing.Optional[{given}]"));
                }
            }
        }
        Some(format!("{name}[{}]", parts.join(", ")))
    }

    /// `left | right` of classes and annotations. `None` if one of them is neither.
    pub(in crate::machine) fn union(&mut self, left: &Value, right: &Value) -> Option<Value> {
        let mut members: Vec<Value> = Vec::new();
        let mut of_typing = false;
        let none = self.class_value("NoneType");
        for side in [left, right] {
            let added = match (side, self.heap.object(side)) {
                (Value::None, _) => vec![none.clone()],
                (_, Some(Object::Class(_))) => vec![side.clone()],
                (_, Some(Object::Special { kind, parts })) if *kind == UNION => parts.clone(),
                (_, Some(Object::Special { kind, .. })) if *kind == BUILTIN_ALIAS => {
                    vec![side.clone()]
                }
                (_, Some(Object::Special { kind, .. })) if *kind == GENERIC_ALIAS => {
                    of_typing = true;
                    Vec::new()
                }
                (_, Some(Object::Opaque { .. })) => {
                    of_typing = true;
                    Vec::new()
                }
                _ => return None,
            };
            for member in added {
                if !members.contains(&member) {
                    members.push(member);
                }
            }
        }
        if of_typing {
            return Some(self.heap.make(Object::Opaque {
                class: "_UnionGenericAlias".into(),
                text: "".into(),
            }));
        }
        if members.len() == 1 {
            return members.pop();
        }
        Some(self.heap.make(Object::Special {
            kind: UNION,
            parts: members,
        }))
    }
}
