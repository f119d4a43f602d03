//! Patterns of `match`, and `with`: instructions that look up several attributes of a value.

use crate::machine::eval::eval_loop::broken;
use crate::machine::{Flow, Machine, Run};
use crate::value::{Object, ObjectId, Value};

/// Builtin classes whose instances are sequences, and those whose instances are not, although they
/// have items.
const SEQUENCES: [&str; 4] = ["list", "tuple", "collections.deque", "range"];
const TEXTS: [&str; 3] = ["str", "bytes", "bytearray"];

impl Machine {
    /// Whether a sequence pattern may match a value.
    pub(in crate::machine) fn is_sequence(&mut self, value: &Value) -> Run<bool> {
        let class = match self.heap.object(value) {
            Some(Object::List(_) | Object::Tuple(_) | Object::Range(..) | Object::Deque(..)) => {
                return Ok(true);
            }
            Some(Object::Instance { class, .. }) => *class,
            _ => return Ok(false),
        };
        if self.comes_from(class, &TEXTS) {
            return Ok(false);
        }
        if self.tuple_in(value).is_some() {
            return Ok(true);
        }
        if self.comes_from(class, &SEQUENCES)
            || self.is_abstractly(class, "collections.abc.Sequence")?
        {
            return Err(Flow::Unsupported(
                "a pattern of a class of sequences".to_string(),
            ));
        }
        Ok(false)
    }

    /// Returns the tuple in an instance of a subclass of `tuple`.
    pub(in crate::machine) fn tuple_in(&self, value: &Value) -> Option<Value> {
        match self.heap.object(value)? {
            Object::Instance {
                base: Some(base), ..
            } => matches!(self.heap.object(base)?, Object::Tuple(_)).then(|| base.clone()),
            _ => None,
        }
    }

    /// Whether a mapping pattern may match a value.
    pub(in crate::machine) fn is_mapping(&mut self, value: &Value) -> Run<bool> {
        let class = match self.heap.object(value) {
            Some(Object::Dict(..)) => return Ok(true),
            Some(Object::Instance { class, .. }) => *class,
            _ => return Ok(false),
        };
        let stands_for = ["UserDict", "ChainMap"].contains(&self.class_name(class));
        if stands_for
            || self.comes_from(class, &["dict"])
            || self.is_abstractly(class, "collections.abc.Mapping")?
        {
            return Err(Flow::Unsupported(
                "a pattern of a class of mappings".to_string(),
            ));
        }
        Ok(false)
    }

    /// Whether a class derives from one of some builtin classes.
    fn comes_from(&self, class: ObjectId, builtin: &[&str]) -> bool {
        let Object::Class(info) = self.heap.get(class) else {
            return false;
        };
        info.mro.iter().any(|id| match self.heap.get(*id) {
            Object::Class(of) => of
                .builtin
                .as_deref()
                .is_some_and(|of| builtin.contains(&of)),
            _ => false,
        })
    }

    /// `MATCH_KEYS`: pushes the values of a pattern's keys, or `None`.
    pub(in crate::machine) fn match_keys(&mut self) -> Run<()> {
        let keys = self.peek(1)?;
        let subject = self.peek(2)?;
        let keys = self.known_items(&keys).ok_or_else(|| broken("keys"))?;
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            let key = self.key(&key)?;
            let Some(Object::Dict(entries, _)) = self.heap.object(&subject) else {
                return Err(Flow::Unsupported("a pattern of keys".to_string()));
            };
            match entries.get(&key) {
                Some((_, value)) => values.push(value.clone()),
                None => return self.push(Value::None),
            }
        }
        let values = self.heap.tuple(values);
        self.push(values)
    }

    /// `MATCH_CLASS`: pushes the attributes that a pattern names, or `None`.
    pub(in crate::machine) fn match_class(&mut self, positional: usize) -> Run<()> {
        let names = self.pop()?;
        let class = self.pop()?;
        let subject = self.pop()?;
        let names = self.known_items(&names).ok_or_else(|| broken("names"))?;
        let Some(id) = class.id() else {
            return Err(broken("class"));
        };
        let own = self.type_of(&subject);
        if !own.id().is_some_and(|own| self.derives(own, id)) {
            return self.push(Value::None);
        }
        let builtin = matches!(self.heap.get(id), Object::Class(class) if class.builtin.is_some());
        let (mut values, mut wanted) = (Vec::new(), Vec::new());
        if positional > 0 {
            if builtin && positional == 1 {
                values.push(subject.clone());
            } else {
                let places = self.class_attribute(id, "__match_args__");
                if let Some(names) = &places
                    && !matches!(self.heap.object(names), Some(Object::Tuple(_)))
                {
                    let kind = self.type_name(names);
                    let name = self.class_name(id);
                    let message = format!("{name}.__match_args__ must be a tuple (got {kind})");
                    return Err(self.raise("TypeError", &message));
                }
                let places = places
                    .and_then(|names| self.known_items(&names))
                    .unwrap_or_default();
                if places.len() < positional {
                    let message = format!(
                        "{}() accepts {} positional sub-pattern{} ({positional} given)",
                        self.class_name(id),
                        places.len(),
                        if places.len() == 1 { "" } else { "s" }
                    );
                    return Err(self.raise("TypeError", &message));
                }
                wanted.extend_from_slice(&places[..positional]);
            }
        }
        wanted.extend(names);
        if let Some(other) = wanted.iter().find(|n| !matches!(n, Value::Str(_))) {
            let kind = self.type_name(other);
            let message = format!("__match_args__ elements must be strings (got {kind})");
            return Err(self.raise("TypeError", &message));
        }
        for name in &wanted {
            let Value::Str(name) = name else {
                return Err(broken("name"));
            };
            if self.computes(&subject, name)? {
                let values = self.heap.tuple(values);
                let wanted = self.heap.tuple(wanted);
                let arguments = vec![subject, values, wanted];
                return self
                    .prelude_call("_matched", arguments, Vec::new())
                    .map(drop);
            }
        }
        for (at, name) in wanted.iter().enumerate() {
            let Value::Str(text) = name else {
                return Err(broken("name"));
            };
            if wanted[..at].contains(name) {
                let class = self.class_name(id);
                let message = format!("{class}() got multiple sub-patterns for attribute '{text}'");
                return Err(self.raise("TypeError", &message));
            }
            let name = text;
            match self.attribute_or(&subject, name)? {
                Some(value) => values.push(value),
                None => return self.push(Value::None),
            }
        }
        let values = self.heap.tuple(values);
        self.push(values)
    }

    /// `BEFORE_WITH`: pushes `__exit__`, then the result of `__enter__`.
    pub(in crate::machine) fn before_with(&mut self, enter: &str, exit: &str) -> Run<()> {
        let manager = self.pop()?;
        let kind = if enter == "__enter__" {
            ""
        } else {
            "asynchronous "
        };
        let enter = self.special(&manager, enter);
        let exit = self.special(&manager, exit);
        if let Some(stream) = self.stream_of(&manager) {
            // Closing the program's input ends planning if the program reads on.
            let exit = self.builtin(&format!("{stream}.__exit__"));
            self.push(exit)?;
            return self.push(manager);
        }
        let has_enter = enter.is_some();
        let (Some(enter), Some(exit)) = (enter, exit) else {
            if matches!(
                self.heap.object(&manager),
                Some(Object::Opaque { .. } | Object::Builtin(_))
            ) {
                return Err(Flow::Unsupported("with".to_string()));
            }
            let missed = match (has_enter, kind.is_empty()) {
                (false, _) => "",
                (true, true) => " (missed __exit__ method)",
                (true, false) => " (missed __aexit__ method)",
            };
            let message = format!(
                "'{}' object does not support the {kind}context manager protocol{missed}",
                self.type_name(&manager)
            );
            return Err(self.raise("TypeError", &message));
        };
        self.push(exit)?;
        Err(Flow::Call(enter, Vec::new()))
    }
}
