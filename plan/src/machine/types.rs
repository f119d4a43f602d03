//! Calls that raise a `TypeError` for the number and the types of their arguments alone.
//!
//! What a call computes is asked for. That it cannot be made at all follows from a table (`types.txt`), which
//! `runs/plan_types.py` writes by calling every function of CPython 3.11 with values of every type. Types that the table
//! does not know (iterators, instances with special methods) decide nothing.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::call::Keywords;
use super::exchange::Ask;
use super::{Machine, Run};
use crate::fold::key::{HashError, key};
use crate::fold::type_name::type_name;
use crate::question::Operation;
use crate::value::{Object, Value};

/// One row of the table.
struct Rule {
    /// Fewest and most arguments.
    count: (usize, usize),
    /// Types of each argument; nothing where any type will do.
    types: Vec<Option<Vec<&'static str>>>,
    message: &'static str,
}

/// What is known of one function.
#[derive(Default)]
struct Signature {
    rules: Vec<Rule>,
    /// Keywords that are accepted, and the message for others.
    keywords: Option<(Vec<&'static str>, &'static str)>,
}

fn table() -> &'static HashMap<&'static str, Signature> {
    static TABLE: OnceLock<HashMap<&'static str, Signature>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: HashMap<&'static str, Signature> = HashMap::new();
        for line in include_str!("types.txt").lines() {
            let mut columns = line.split('\t');
            let (Some(name), Some(count), Some(types), Some(message)) = (
                columns.next(),
                columns.next(),
                columns.next(),
                columns.next(),
            ) else {
                continue;
            };
            let signature = table.entry(name).or_default();
            if count == "kw" {
                signature.keywords = Some((types.split(',').collect(), message));
                continue;
            }
            let (low, high) = count.split_once('-').unwrap_or((count, count));
            let bound = |text: &str| text.parse().unwrap_or(usize::MAX);
            let one = |kinds: &'static str| (kinds != "*").then(|| kinds.split(',').collect());
            signature.rules.push(Rule {
                count: (bound(low), bound(high)),
                types: match types {
                    "*" => Vec::new(),
                    types => types.split(';').map(one).collect(),
                },
                message,
            });
        }
        table
    })
}

impl Machine {
    /// Raises where a call cannot be made, whatever the values of its arguments are.
    pub(super) fn check_call(
        &mut self,
        operation: Operation,
        receiver: Option<&Value>,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<()> {
        if !self.settings.fold.operators() {
            return Ok(());
        }
        let given = receiver.into_iter().chain(arguments);
        let named = keywords.iter().map(|(_, value)| value);
        let ask = Ask {
            operation,
            operands: given.chain(named).cloned().collect(),
            keywords: keywords.iter().map(|(name, _)| name.clone()).collect(),
        };
        match self.refusal(&ask) {
            Some(message) => Err(self.raise("TypeError", &message)),
            None => Ok(()),
        }
    }

    /// The message of the `TypeError` that a call raises whatever the values of its arguments are.
    pub(super) fn refusal(&mut self, ask: &Ask) -> Option<String> {
        // The class of an enumeration is more than the classes of the table.
        let enumerates = |value: &Value| match (value.id(), self.heap.object(value)) {
            (Some(id), Some(Object::Class(_))) => {
                self.class_attribute(id, "_member_map_").is_some()
            }
            _ => false,
        };
        if ask.operands.iter().any(enumerates) {
            return None;
        }
        let positional = ask.operands.len().checked_sub(ask.keywords.len())?;
        let (name, arguments) = match &ask.operation {
            Operation::Call(name) => (name.to_string(), &ask.operands[..positional]),
            Operation::Method(name) => {
                let receiver = ask.operands.first()?;
                if self.is_instance(receiver) {
                    return None;
                }
                let kind = match &*type_name(&self.heap, receiver)? {
                    "Counter" => "collections.Counter".to_owned(),
                    kind => kind.to_owned(),
                };
                (format!("{kind}:{name}"), &ask.operands[1..positional])
            }
            _ => return None,
        };
        let signature = table().get(name.as_str());
        if let Some(signature) = signature {
            if let Some((accepted, message)) = &signature.keywords {
                let mut given = ask.keywords.iter();
                if let Some(unknown) = given.find(|name| !accepted.contains(&&***name)) {
                    return Some(message.replace("{k}", unknown));
                }
            }
            if ask.keywords.is_empty()
                && let Some(message) = self.refused(signature, arguments)
            {
                return Some(message);
            }
        }
        let arguments = arguments.to_vec();
        self.refused_items(&name, &arguments)
    }

    fn refused(&self, signature: &Signature, arguments: &[Value]) -> Option<String> {
        let mut kinds: Option<Option<Vec<&'static str>>> = None;
        for rule in &signature.rules {
            let (low, high) = rule.count;
            if arguments.len() < low || arguments.len() > high {
                continue;
            }
            if !rule.types.is_empty() {
                let known = kinds
                    .get_or_insert_with(|| arguments.iter().map(|a| self.kind_of(a)).collect());
                let Some(known) = known else {
                    continue;
                };
                let mut pairs = rule.types.iter().zip(known.iter());
                if !pairs.all(|(types, kind)| types.as_ref().is_none_or(|t| t.contains(kind))) {
                    continue;
                }
            }
            let mut message = rule.message.replace("{n}", &arguments.len().to_string());
            for (at, argument) in arguments.iter().enumerate() {
                if let Some(name) = type_name(&self.heap, argument) {
                    message = message.replace(&format!("{{{at}}}"), &name);
                }
            }
            return Some(message);
        }
        None
    }

    /// The row of a value in the table.
    fn kind_of(&self, value: &Value) -> Option<&'static str> {
        Some(match value {
            Value::None => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) | Value::BigInt(_) => "int",
            Value::Float(_) => "float",
            Value::Complex(..) => "complex",
            Value::Str(_) => "str",
            Value::Bytes(_) => "bytes",
            Value::Ellipsis | Value::NotImplemented => return None,
            Value::Object(id) => match self.heap.get(*id) {
                Object::List(_) => "list",
                Object::Tuple(_) => "tuple",
                Object::Dict(_, crate::value::DictKind::Plain) => "dict",
                Object::Set(_) => "set",
                Object::Frozenset(_) => "frozenset",
                Object::Range(..) => "range",
                Object::Function(function) if function.hidden => return None,
                Object::Function(_) | Object::Method { .. } | Object::BuiltinMethod { .. } => {
                    "function"
                }
                Object::Builtin(name) if !name.contains('.') => "function",
                Object::Iterator(_) | Object::Generator { .. } => {
                    type_name(&self.heap, value).map(|_| "generator")?
                }
                Object::Class(class) if class.metaclass.is_none() => "type",
                Object::Instance {
                    class, base: None, ..
                } if self.is_plain_class(*class) => "P",
                _ => return None,
            },
        })
    }

    /// Whether a class of the program has no special methods that a builtin function would call.
    fn is_plain_class(&self, class: crate::value::ObjectId) -> bool {
        const HARMLESS: [&str; 9] = [
            "__init__",
            "__repr__",
            "__str__",
            "__module__",
            "__qualname__",
            "__doc__",
            "__slots__",
            "__annotations__",
            "__classcell__",
        ];
        let Object::Class(info) = self.heap.get(class) else {
            return false;
        };
        info.builtin.is_none()
            && info.mro.iter().all(|id| match self.heap.get(*id) {
                Object::Class(class) => {
                    class.builtin.as_deref().is_none_or(|name| name == "object")
                        && class
                            .attributes
                            .keys()
                            .all(|name| !name.starts_with("__") || HARMLESS.contains(&&**name))
                }
                _ => false,
            })
    }

    /// Calls that raise for the type of an item, or for a length.
    fn refused_items(&mut self, name: &str, arguments: &[Value]) -> Option<String> {
        match (name, arguments) {
            ("ord", [Value::Str(text)]) => {
                let count = text.chars().count();
                (count != 1).then(|| {
                    format!("ord() expected a character, but string of length {count} found")
                })
            }
            ("str:join", [parts]) => {
                let items = self.known_items(parts)?;
                let at = items
                    .iter()
                    .position(|item| !matches!(item, Value::Str(_)))?;
                if self.is_instance(&items[at]) && self.kind_of(&items[at]).is_none() {
                    let Object::Instance { base, .. } = self.heap.object(&items[at])? else {
                        return None;
                    };
                    if matches!(base, None | Some(Value::Str(_))) {
                        return None;
                    }
                }
                let kind = type_name(&self.heap, &items[at])?;
                Some(format!(
                    "sequence item {at}: expected str instance, {kind} found"
                ))
            }
            ("set" | "frozenset" | "collections.Counter", [items]) => {
                let items = self.known_items(items)?;
                items.iter().find_map(|item| match key(&self.heap, item) {
                    Err(HashError::Unhashable(message)) => Some(message),
                    _ => None,
                })
            }
            _ => None,
        }
    }
}
