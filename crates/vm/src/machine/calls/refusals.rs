//! Calls that raise a `TypeError` for the number and the types of their arguments alone.
//!
//! The value of a call is asked. That the call fails follows from a table (`types.txt`), which
//! `runs/plan_types.py` writes by calling every function of CPython 3.11 with values of every type.
//! Types that are not in the table (iterators, instances with special methods) decide nothing.

use std::borrow::Cow;

use crate::fold::key::{HashError, key};
use crate::fold::type_name::type_name;
use crate::machine::ask::Ask;
use crate::machine::calls::call::Keywords;
use crate::machine::calls::signatures::{PLAIN, Seen, Signature, bit, method_signature, signature};
use crate::machine::tables::{RUNTIME, library_has};
use crate::machine::{Machine, Run};
use crate::operation::Operation;
use crate::value::{Class, Function, Object, ObjectId, Value};

/// A value whose type has no row in the table.
const OTHER: Seen = Seen {
    bit: 0,
    is_any: true,
};
/// A value of which too little is known.
const UNKNOWN: Seen = Seen {
    bit: 0,
    is_any: false,
};

/// Arguments of a call, named ones last.
struct Given<'a> {
    placed: &'a [Value],
    names: &'a [&'a str],
    values: &'a [Value],
}

impl Machine {
    /// Raises if a call of a builtin fails whatever the values of its arguments are.
    pub(in crate::machine) fn check_call(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<()> {
        if !self.settings.fold.operators() {
            return Ok(());
        }
        signature(name).map_or(Ok(()), |signature| {
            self.check_signature(signature, arguments, keywords)
        })
    }

    fn check_signature(
        &mut self,
        signature: &Signature,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<()> {
        let (names, values) = unzipped(keywords);
        let given = Given {
            placed: arguments,
            names: &names,
            values: &values,
        };
        let message = self.refused(signature, &given, false);
        message.map_or(Ok(()), |message| Err(self.raise("TypeError", &message)))
    }

    /// The same for a method of a builtin value.
    pub(in crate::machine) fn check_method(
        &mut self,
        receiver: &Value,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<()> {
        if !self.settings.fold.operators() {
            return Ok(());
        }
        let class = self.class_in_table(receiver);
        let signature = class.and_then(|class| method_signature(&class, name));
        match signature {
            Some(signature) => self.check_signature(signature, arguments, keywords),
            None => Ok(()),
        }
    }

    /// The same for a function of the runtime that replaces one of CPython, if the program calls
    /// it.
    pub(in crate::machine) fn check_runtime(
        &mut self,
        function: &Function,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<()> {
        if !self.settings.fold.operators() || !self.is_called_by_program() {
            return Ok(());
        }
        let Some(library) = &function.code.library else {
            return Ok(());
        };
        let name = function.code.qualname.as_str();
        let (owner, method) = name.split_once('.').unwrap_or((name, ""));
        // An inherited method is that of the receiver's class, if the table has it.
        let receiver = arguments.first().filter(|_| !method.is_empty());
        let class = receiver.and_then(|receiver| self.dotted_class_of(receiver));
        let owner = dotted(library.module, owner);
        if owner.is_none() && class.is_none() {
            return Ok(());
        }
        let owner = owner.unwrap_or_default();
        let of_class = class.map(|class| format!("{class}:{method}"));
        let found = if method.is_empty() {
            signature(&owner).map(|found| (found, false))
        } else {
            let bound = (of_class.as_deref().and_then(signature))
                .or_else(|| signature(&format!("{owner}:{method}")));
            // `itertools.chain.from_iterable` has no receiver.
            let free = signature(&format!("{owner}.{method}"));
            (free.map(|found| (found, false))).or(bound.map(|found| (found, true)))
        };
        let Some((signature, bound)) = found else {
            return Ok(());
        };
        let (names, values) = unzipped(keywords);
        let given = Given {
            placed: arguments,
            names: &names,
            values: &values,
        };
        let message = self.refused(signature, &given, bound);
        message.map_or(Ok(()), |message| Err(self.raise("TypeError", &message)))
    }

    /// Returns the name of a value's library class, if it replaces one of CPython.
    fn dotted_class_of(&self, value: &Value) -> Option<String> {
        let Some(Object::Instance { class, .. }) = self.heap.object(value) else {
            return None;
        };
        match self.heap.get(*class) {
            Object::Class(class) => dotted_class(class),
            _ => None,
        }
    }

    fn is_called_by_program(&self) -> bool {
        let caller = self.frames.last();
        caller.is_some_and(|frame| !self.is_runtime(frame))
    }

    /// The same for a class of the runtime that replaces one of CPython.
    pub(in crate::machine) fn check_class(
        &mut self,
        class: ObjectId,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<()> {
        let Object::Class(info) = self.heap.get(class) else {
            return Ok(());
        };
        match dotted_class(info) {
            Some(name) if self.is_called_by_program() => {
                self.check_call(&name, arguments, keywords)
            }
            _ => Ok(()),
        }
    }

    /// Returns the message of the `TypeError` that a call raises whatever the values of its
    /// arguments are.
    pub(in crate::machine) fn refusal(&mut self, ask: &Ask) -> Option<String> {
        let positional = ask.operands.len().checked_sub(ask.keywords.len())?;
        let (name, arguments) = match &ask.operation {
            Operation::Call(name) => (name.to_string(), &ask.operands[..positional]),
            Operation::Method(name) => {
                let receiver = ask.operands.first()?;
                (
                    self.method_key(receiver, name)?,
                    &ask.operands[1..positional],
                )
            }
            _ => return None,
        };
        if let Some(signature) = signature(&name) {
            let names: Vec<&str> = ask.keywords.iter().map(|name| &**name).collect();
            let given = Given {
                placed: arguments,
                names: &names,
                values: &ask.operands[positional..],
            };
            if let Some(message) = self.refused(signature, &given, false) {
                return Some(message);
            }
        }
        let arguments = arguments.to_vec();
        self.refused_items(&name, &arguments)
    }

    /// Returns the message of a method of a C class whose first argument is not such an object:
    /// `str.upper(5)`.
    pub(in crate::machine) fn refused_receiver(
        &mut self,
        class: &str,
        method: &str,
        receiver: Option<&Value>,
    ) -> Option<String> {
        const OF_C: [&str; 15] = [
            "int",
            "float",
            "complex",
            "str",
            "bytes",
            "bytearray",
            "list",
            "tuple",
            "dict",
            "set",
            "frozenset",
            "range",
            "slice",
            "collections.deque",
            "collections.OrderedDict",
        ];
        if !self.settings.fold.operators() || !OF_C.contains(&class) {
            return None;
        }
        let of_class = ["fromhex", "maketrans", "fromkeys", "from_bytes", "__new__"];
        if of_class.contains(&method) || !crate::machine::tables::has_method(class, method) {
            return None;
        }
        if receiver.is_some_and(|receiver| self.is_of(receiver, class)) {
            return None;
        }
        let is_slot = method.starts_with("__")
            && !matches!(
                (class, method),
                (_, "__format__" | "__reversed__")
                    | ("list" | "dict", "__getitem__")
                    | ("dict" | "set" | "frozenset", "__contains__")
            );
        Some(match (receiver, is_slot) {
            (None, true) => format!("descriptor '{method}' of '{class}' object needs an argument"),
            (None, false) => {
                let class = class.rsplit('.').next().unwrap_or(class);
                format!("unbound method {class}.{method}() needs an argument")
            }
            (Some(receiver), true) => format!(
                "descriptor '{method}' requires a '{class}' object but received a '{}'",
                self.type_name(receiver)
            ),
            (Some(receiver), false) => format!(
                "descriptor '{method}' for '{class}' objects doesn't apply to a '{}' object",
                self.type_name(receiver)
            ),
        })
    }

    /// Returns the name of a builtin value's method in the table: `list:append`.
    fn method_key(&self, receiver: &Value, name: &str) -> Option<String> {
        let class = self.class_in_table(receiver)?;
        Some(format!("{class}:{name}"))
    }

    /// Returns the name of a builtin value's class in the table.
    fn class_in_table<'m>(&'m self, value: &Value) -> Option<Cow<'m, str>> {
        if matches!(self.heap.object(value), Some(Object::Instance { .. })) {
            return None;
        }
        Some(match type_name(&self.heap, value)? {
            kind if kind == "Counter" => "collections.Counter".into(),
            kind => kind,
        })
    }

    /// Returns the message for a call that a signature refuses.
    fn refused(&self, signature: &Signature, given: &Given, bound: bool) -> Option<String> {
        let skipped = usize::from(bound && !signature.counts_receiver()).min(given.placed.len());
        let placed = &given.placed[skipped..];
        if let Some(message) = signature.refused_count(placed.len(), given.names, bound) {
            return Some(message);
        }
        // Rules have no type for the receiver.
        let receiver = usize::from(bound && signature.counts_receiver()).min(placed.len());
        let placed = &placed[receiver..];
        if signature.has_rules()
            && let Some(places) = signature.places(placed.len(), given.names)
        {
            let mut all: Vec<&Value> = placed.iter().collect();
            let mut named: Vec<(usize, &Value)> = places.into_iter().zip(given.values).collect();
            named.sort_by_key(|(place, _)| *place);
            all.extend(named.into_iter().map(|(_, value)| value));
            let seen: Vec<Seen> = (all.iter().enumerate())
                .map(|(at, value)| self.seen(value, signature.special(at)))
                .collect();
            if let Some(message) = signature.refused_types(&seen) {
                return Some(self.with_types(message, &all));
            }
        }
        for (name, value) in given.names.iter().zip(given.values) {
            if let Some(message) = signature.refused_named(name, self.seen(value, None)) {
                let kind = type_name(&self.heap, value).unwrap_or_default();
                return Some(message.replace("{k}", &kind));
            }
        }
        None
    }

    /// Fills the types of arguments into a message.
    fn with_types(&self, message: &str, arguments: &[&Value]) -> String {
        let mut message = message.replace("{n}", &arguments.len().to_string());
        for (at, argument) in arguments.iter().enumerate() {
            if let Some(name) = type_name(&self.heap, argument) {
                message = message.replace(&format!("{{{at}}}"), &name);
            }
        }
        message
    }

    /// Returns the type of a value as a rule sees it. An object of the program is plain if its
    /// class has none of the special methods that matter. If these are unknown, any special method
    /// matters.
    fn seen(&self, value: &Value, special: Option<&[&str]>) -> Seen {
        let kind = match value {
            Value::None => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) | Value::BigInt(_) => "int",
            Value::Float(_) => "float",
            Value::Complex(..) => "complex",
            Value::Str(_) => "str",
            Value::Bytes(_) => "bytes",
            Value::Ellipsis => "ellipsis",
            Value::NotImplemented => return OTHER,
            Value::Object(id) => match self.heap.get(*id) {
                Object::List(_) => "list",
                Object::Tuple(_) => "tuple",
                Object::Dict(_, crate::value::DictKind::Plain) => "dict",
                Object::Set(_) => "set",
                Object::Frozenset(_) => "frozenset",
                Object::Bytearray(_) => "bytearray",
                Object::Range(..) => "range",
                Object::Slice(..) => "slice",
                Object::Module(_) => "module",
                Object::Function(function) if function.hidden => return UNKNOWN,
                Object::Function(_) | Object::Method { .. } => "function",
                Object::BuiltinMethod { .. } => "builtin_function_or_method",
                Object::Builtin(name) if !name.contains('.') => "builtin_function_or_method",
                Object::Iterator(crate::value::Iterator::Lines { .. }) | Object::Builtin(_) => {
                    return UNKNOWN;
                }
                Object::Iterator(_) | Object::Generator { .. } => {
                    match type_name(&self.heap, value) {
                        Some(_) => "generator",
                        None => return UNKNOWN,
                    }
                }
                // An enumeration is more than a class.
                Object::Class(class) if class.metaclass.is_none() => {
                    match self.class_attribute(*id, "_member_map_") {
                        None => "type",
                        Some(_) => return UNKNOWN,
                    }
                }
                Object::Instance {
                    class,
                    base,
                    attributes,
                } => {
                    let stands_for = base.as_ref().or(attributes.get("_data_"));
                    return self.seen_instance(*class, stands_for, special);
                }
                Object::Special {
                    kind: "partial", ..
                } if special.is_some_and(|special| !special.contains(&"__call__")) => PLAIN,
                Object::Dict(..) | Object::Deque(..) | Object::DictView { .. } => return OTHER,
                _ => return UNKNOWN,
            },
        };
        Seen {
            bit: bit(kind),
            is_any: true,
        }
    }

    fn seen_instance(
        &self,
        class: ObjectId,
        stands_for: Option<&Value>,
        special: Option<&[&str]>,
    ) -> Seen {
        let Object::Class(info) = self.heap.get(class) else {
            return UNKNOWN;
        };
        let mut of_builtin = false;
        for id in &info.mro {
            let Object::Class(class) = self.heap.get(*id) else {
                return UNKNOWN;
            };
            // `_Text` and `_List` of the runtime make their instances themselves.
            let is_stand_in = self.makes_instances(class);
            let is_of_program =
                class.attributes.contains_key("__module__") && class.is_own(&self.heap);
            match class.builtin.as_deref() {
                Some("object") => {}
                _ if is_stand_in || of_builtin => of_builtin = true,
                None if is_of_program => {
                    let mut names = class.attributes.keys();
                    let counts = match special {
                        Some(special) => names.any(|name| special.contains(&&**name)),
                        None => names.any(|name| !is_harmless(name)),
                    };
                    if counts {
                        return UNKNOWN;
                    }
                }
                Some(_) if self.is_exception_class(*id) => {}
                // A class of the library, if neither the runtime nor CPython has the methods that
                // matter. Without methods the class itself does.
                None if let Some(special) = special
                    && !special.is_empty()
                    && !special
                        .iter()
                        .any(|name| class.attributes.contains_key(*name)) =>
                {
                    let dotted = self.library_class(*id);
                    let has = |name: &&str| {
                        dotted
                            .as_ref()
                            .is_some_and(|dotted| library_has(dotted, name))
                    };
                    if special.iter().any(has) {
                        return UNKNOWN;
                    }
                }
                _ => return UNKNOWN,
            }
        }
        match stands_for {
            Some(value) if of_builtin => self.seen(value, special),
            None if !of_builtin => Seen {
                bit: bit(PLAIN),
                is_any: true,
            },
            _ => UNKNOWN,
        }
    }

    /// Returns the message of a call that raises for the type of an item or for a length.
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
                if let Some(Object::Instance { base, .. }) = self.heap.object(&items[at]) {
                    let is_unknown = base.is_none() && self.seen(&items[at], None).bit == 0;
                    if is_unknown || matches!(base, Some(Value::Str(_))) {
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

/// Returns the dotted name of the CPython function or class that one of the library replaces.
/// `None` if it replaces none.
fn dotted(module: &str, name: &str) -> Option<String> {
    match module {
        "" => RUNTIME.contains(&name).then(|| name.to_owned()),
        _ => Some(format!("{module}.{name}")),
    }
}

/// The same for a class.
fn dotted_class(class: &Class) -> Option<String> {
    match class.attributes.get("__qualname__") {
        Some(Value::Str(name)) => dotted(class.library?, name),
        _ => None,
    }
}

/// Returns the names and the values of keywords.
fn unzipped(keywords: &Keywords) -> (Vec<&str>, Vec<Value>) {
    let pairs = keywords.iter();
    pairs.map(|(name, value)| (&**name, value.clone())).unzip()
}

/// Whether an attribute of a class affects no builtin function.
fn is_harmless(name: &str) -> bool {
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
    !name.starts_with("__") || HARMLESS.contains(&name)
}
