//! The parts of aliases of `typing`: `__origin__`, `__args__`, `__metadata__`, `__parameters__`.

use crate::machine::{Machine, Run};
use crate::text::annotations::{BUILTIN_ALIAS, GENERIC_ALIAS, UNION};
use crate::value::{Object, Value};

/// What an alias was made of.
#[derive(Debug, Clone)]
pub(in crate::machine) struct Alias {
    origin: Value,
    arguments: Vec<Value>,
    /// Of `Annotated`.
    metadata: Vec<Value>,
}

/// Names of `typing` that stand for builtin classes.
const CLASSES: [(&str, &str); 12] = [
    ("List", "list"),
    ("Dict", "dict"),
    ("Set", "set"),
    ("FrozenSet", "frozenset"),
    ("Tuple", "tuple"),
    ("Type", "type"),
    ("Deque", "collections.deque"),
    ("DefaultDict", "collections.defaultdict"),
    ("OrderedDict", "collections.OrderedDict"),
    ("Counter", "collections.Counter"),
    ("ContextManager", "contextlib.AbstractContextManager"),
    ("AbstractSet", "collections.abc.Set"),
];

impl Machine {
    /// Keeps the parts of an alias that `typing` made of a name and arguments.
    pub(in crate::machine) fn keep_alias(
        &mut self,
        alias: &Value,
        container: &Value,
        name: &str,
        arguments: &[Value],
    ) -> Run<()> {
        let Some(id) = alias.id() else {
            return Ok(());
        };
        let short = name.rsplit('.').next().unwrap_or(name);
        let (mut given, mut metadata) = (arguments.to_vec(), Vec::new());
        let origin = match short {
            "Annotated" => {
                metadata = given.split_off(1.min(given.len()));
                given.first().cloned()
            }
            "Optional" => {
                given.push(Value::None);
                self.module_member("typing", "Union")?
            }
            "Union" | "Literal" | "ClassVar" | "Final" => Some(container.clone()),
            "Callable" => {
                if let Some(Object::List(items)) =
                    given.first().and_then(|one| self.heap.object(one))
                {
                    let items = items.to_vec();
                    given.splice(..1, items);
                }
                self.module_member("collections.abc", "Callable")?
            }
            _ if name.starts_with("typing.") => {
                let class = CLASSES.iter().find(|(known, _)| *known == short);
                match class
                    .and_then(|(_, class)| class.rsplit_once('.').or(Some(("builtins", class))))
                {
                    Some((module, class)) => self.module_member(module, class)?,
                    None => self.module_member("collections.abc", short)?,
                }
            }
            _ => Some(container.clone()),
        };
        let Some(origin) = origin else {
            return Ok(());
        };
        if short != "Literal" {
            for one in &mut given {
                *one = self.argument_of_alias(one);
            }
        }
        let alias = Alias {
            origin,
            arguments: given,
            metadata,
        };
        self.runtime.aliases.insert(id, alias);
        Ok(())
    }

    /// Returns an argument as an alias keeps it: `None` as its class, a text as a reference.
    fn argument_of_alias(&mut self, argument: &Value) -> Value {
        match argument {
            Value::None => self.class_value("NoneType"),
            Value::Str(_) => {
                let text = match self.known_text(argument, true) {
                    Some(Value::Str(text)) => format!("ForwardRef({text})"),
                    _ => String::new(),
                };
                self.heap.make(Object::Opaque {
                    class: "ForwardRef".into(),
                    text: text.into(),
                })
            }
            other => other.clone(),
        }
    }

    /// Returns a part of an alias. `None` if the value is not one, or has no such part.
    pub(in crate::machine) fn part_of_alias(&mut self, value: &Value, name: &str) -> Option<Value> {
        let alias = self.runtime.aliases.get(&value.id()?)?.clone();
        match name {
            "__origin__" => Some(alias.origin),
            "__args__" => Some(self.heap.tuple(alias.arguments)),
            "__metadata__" if !alias.metadata.is_empty() => Some(self.heap.tuple(alias.metadata)),
            "__parameters__" => {
                let parameters = self.parameters_of(value);
                Some(self.heap.tuple(parameters))
            }
            _ => None,
        }
    }

    /// Returns `__parameters__` of an alias of a builtin class, or of a union.
    pub(in crate::machine) fn parameters_of_parts(
        &mut self,
        kind: &'static str,
        parts: &[Value],
    ) -> Value {
        let parts = parts.to_vec();
        let alias = self.heap.make(Object::Special { kind, parts });
        let parameters = self.parameters_of(&alias);
        self.heap.tuple(parameters)
    }

    /// Returns the type variables in a class or an alias, each once.
    pub(in crate::machine) fn parameters_of(&self, value: &Value) -> Vec<Value> {
        let inside: Vec<Value> = match self.heap.object(value) {
            Some(Object::Opaque { class, .. })
                if matches!(&**class, "TypeVar" | "ParamSpec" | "TypeVarTuple") =>
            {
                return vec![value.clone()];
            }
            Some(Object::Special { kind, parts })
                if matches!(*kind, GENERIC_ALIAS | BUILTIN_ALIAS) =>
            {
                match parts
                    .get(1)
                    .and_then(|arguments| self.heap.object(arguments))
                {
                    Some(Object::Tuple(items)) => items.to_vec(),
                    _ => Vec::new(),
                }
            }
            Some(Object::Special { kind, parts }) if *kind == UNION => parts.clone(),
            Some(Object::Opaque { .. }) => {
                match value.id().and_then(|id| self.runtime.aliases.get(&id)) {
                    Some(alias) => alias.arguments.clone(),
                    None => Vec::new(),
                }
            }
            _ => Vec::new(),
        };
        let mut found: Vec<Value> = Vec::new();
        for one in inside {
            for parameter in self.parameters_of(&one) {
                if !found.contains(&parameter) {
                    found.push(parameter);
                }
            }
        }
        found
    }
}
