//! Methods of builtin values, and `next`.

use std::mem::take;
use std::sync::Arc;

use crate::fold::mathematics;
use crate::machine::ask::Ask;
use crate::machine::calls::call::Keywords;
use crate::machine::{After, Flow, Machine, Run};
use crate::operation::Operation;
use crate::value::{DictKind, Object, Value};

/// Methods that consume the items of an iterator.
const CONSUMING: [&str; 20] = [
    "difference",
    "difference_update",
    "extend",
    "extendleft",
    "fromkeys",
    "intersection",
    "intersection_update",
    "isdisjoint",
    "issubset",
    "issuperset",
    "join",
    "maketrans",
    "subtract",
    "symmetric_difference",
    "symmetric_difference_update",
    "translate",
    "union",
    "update",
    "writelines",
    "writerows",
];

/// Methods of strings and sequences whose first argument is a number.
const INDEXED: [&str; 7] = [
    "center",
    "expandtabs",
    "insert",
    "ljust",
    "pop",
    "rjust",
    "zfill",
];

impl Machine {
    pub(in crate::machine) fn next_of(
        &mut self,
        iterator: &Value,
        default: Option<Value>,
    ) -> Run<Option<Value>> {
        if !matches!(self.after, After::Push) {
            return Err(Flow::Unsupported("next() there".to_string()));
        }
        self.step_iterator(iterator, Value::None, After::Next(default))
            .map(|()| None)
    }

    pub(in crate::machine) fn sort(
        &mut self,
        list: &Value,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        let key = keywords
            .iter()
            .any(|(name, value)| &**name == "key" && self.touches_program(value));
        let usual = |(name, _): &(Arc<str>, Value)| matches!(&**name, "key" | "reverse");
        let walked = self.settings.fold.operators() && keywords.iter().all(usual);
        if key || walked || self.touches_program(list) {
            return self.prelude_call("_sort", vec![list.clone()], keywords);
        }
        let (names, values): (Vec<_>, Vec<_>) = keywords.into_iter().unzip();
        let mut operands = vec![list.clone()];
        operands.extend(values);
        Err(Flow::Ask(Box::new(Ask {
            operation: Operation::Method("sort".into()),
            operands,
            keywords: names,
        })))
    }

    /// Returns `__pow__` of an object of the program that is not a number, for a power and a
    /// modulus.
    pub(in crate::machine) fn own_power(&mut self, base: &Value, given: usize) -> Option<Value> {
        match given == 2 && self.plain_base(base).is_none() {
            true => self.special(base, "__pow__"),
            false => None,
        }
    }

    /// Returns CPython's message for `pow` with a modulus if one of the three is not a number.
    /// `None` if an integer of the program may decide.
    pub(in crate::machine) fn refused_power(&mut self, values: [&Value; 3]) -> Option<String> {
        let number =
            |value: &Value| matches!(value, Value::Complex(..)) || mathematics::is_real(value);
        let is_odd = |value: &&Value| !number(value) && self.plain_base(value).is_none();
        values.iter().find(|value| is_odd(value))?;
        if *values[2] == Value::None || values.iter().any(|v| matches!(v, Value::Complex(..))) {
            return None;
        }
        let float = values.iter().any(|value| matches!(value, Value::Float(_)));
        let [base, power, modulus] = values.map(|value| self.type_name(value));
        Some(match float {
            true => "pow() 3rd argument not allowed unless all arguments are integers".to_owned(),
            false => format!(
                "unsupported operand type(s) for ** or pow(): '{base}', '{power}', '{modulus}'"
            ),
        })
    }

    /// Whether an object of the program converts itself to a number.
    pub(in crate::machine) fn is_number_like(&mut self, value: &Value) -> bool {
        self.is_instance(value)
            && self.scalar_base(value).is_none()
            && (self.special(value, "__float__").is_some()
                || self.special(value, "__index__").is_some())
    }

    /// Whether an instance may be iterable.
    pub(in crate::machine) fn may_iterate(&mut self, value: &Value) -> bool {
        self.known_items(value).is_some()
            || self.special(value, "__iter__").is_some()
            || self.special(value, "__getitem__").is_some()
    }

    /// Whether a value is an iterable object of a class of the program that represents no builtin
    /// class.
    pub(in crate::machine) fn is_own_iterable(&mut self, value: &Value) -> bool {
        let is_plain = match self.heap.object(value) {
            Some(Object::Instance {
                attributes,
                base: None,
                ..
            }) => !attributes.contains_key("_data_"),
            _ => false,
        };
        is_plain
            && (self.special(value, "__iter__").is_some()
                || self.special(value, "__getitem__").is_some())
    }

    /// Calls a method of a builtin value.
    pub(in crate::machine) fn call_method(
        &mut self,
        receiver: &Value,
        name: &Arc<str>,
        mut arguments: Vec<Value>,
        mut keywords: Keywords,
    ) -> Run<Option<Value>> {
        self.check_method(receiver, name, &arguments, &keywords)?;
        if let Some(done) = self.method_of_kind(receiver, name, &mut arguments, &mut keywords)? {
            return Ok(done);
        }
        if self.own_keys.wanted
            && let Some(done) = self.keyed_method(receiver, name, &arguments)?
        {
            return Ok(done);
        }
        if let (Value::Str(_), "format" | "format_map") = (receiver, &**name)
            && let Some(done) =
                self.method_by_template(receiver, name, &mut arguments, &mut keywords)?
        {
            return Ok(done);
        }
        if let Some(done) = self.method_by_program(receiver, name, &mut arguments, &mut keywords)? {
            return Ok(done);
        }
        if let Some(done) = self.method_by_items(receiver, name, &mut arguments, &mut keywords)? {
            return Ok(done);
        }
        if keywords.is_empty()
            && !matches!((receiver, &**name), (Value::Float(_), "as_integer_ratio"))
            && (&**name != "isdisjoint"
                || matches!(self.heap.object(receiver), Some(Object::DictView { .. })))
            && !matches!(
                self.heap.object(receiver),
                Some(Object::Instance { .. } | Object::Opaque { .. })
            )
            && self
                .library_name("", &format!("_builtin_method_{name}").into())
                .is_some()
        {
            let mut all = vec![receiver.clone()];
            all.extend(arguments);
            return self.prelude_call(&format!("_builtin_method_{name}"), all, Vec::new());
        }
        if self.settings.fold.methods() && name.starts_with("__") && is_rare(name) {
            let kind = self.type_name(receiver);
            return Err(Flow::Unsupported(format!("{kind}.{name}")));
        }
        let (names, values): (Vec<_>, Vec<_>) = keywords.into_iter().unzip();
        let mut operands = vec![receiver.clone()];
        operands.extend(arguments);
        operands.extend(values);
        Err(Flow::Ask(Box::new(Ask {
            operation: Operation::Method(name.clone()),
            operands,
            keywords: names,
        })))
    }

    /// Calls a method that the machine itself executes for one kind of object: of a generator, an
    /// exception, a property, or a view of a dict. `None` for other methods.
    #[inline]
    fn method_of_kind(
        &mut self,
        receiver: &Value,
        name: &Arc<str>,
        arguments: &mut Vec<Value>,
        keywords: &mut Keywords,
    ) -> Run<Option<Option<Value>>> {
        match self.heap.object(receiver) {
            Some(Object::Generator { frame, .. }) => {
                let slot = *frame;
                return self.generator_method(slot, name, arguments).map(Some);
            }
            Some(Object::Iterator(_)) if &**name == "__next__" => {
                return self.next_of(receiver, None).map(Some);
            }
            Some(Object::Dict(..)) if arguments.is_empty() => {
                if let Some(id) = receiver.id()
                    && let Some(view) = self.dict_view(id, name)
                {
                    return Ok(Some(Some(view)));
                }
            }
            Some(Object::List(_)) if &**name == "sort" && arguments.is_empty() => {
                return self.sort(receiver, take(keywords)).map(Some);
            }
            Some(Object::Instance { .. }) if &**name == "with_traceback" => {
                return Ok(Some(Some(receiver.clone())));
            }
            Some(Object::Instance { .. }) if &**name == "add_note" => {
                arguments.insert(0, receiver.clone());
                return self
                    .prelude_call("_add_note", take(arguments), take(keywords))
                    .map(Some);
            }
            Some(Object::Special { kind, parts }) if *kind == "property" => {
                let mut parts = parts.clone();
                let at = match &**name {
                    "getter" => 0,
                    "setter" => 1,
                    _ => 2,
                };
                parts[at] = take(arguments).into_iter().next().unwrap_or(Value::None);
                return Ok(Some(Some(self.heap.make(Object::Special {
                    kind: "property",
                    parts,
                }))));
            }
            _ => {}
        }
        Ok(None)
    }

    /// Calls `format` or `format_map` of a string. `None` if it must be asked.
    #[inline]
    fn method_by_template(
        &mut self,
        receiver: &Value,
        name: &Arc<str>,
        arguments: &mut Vec<Value>,
        keywords: &mut Keywords,
    ) -> Run<Option<Option<Value>>> {
        if let (Value::Str(template), "format") = (receiver, &**name) {
            if let Some(text) = self.fold_template(template, arguments, keywords)? {
                return Ok(Some(Some(text)));
            }
            // Attributes and items, methods of the program, and fields without a known value:
            // `'{0.name}'`, `'{!r}'`.
            let mut given = arguments
                .iter()
                .chain(keywords.iter().map(|(_, value)| value));
            if self.settings.fold.methods() || given.any(|value| self.is_own(value)) {
                let arguments = self.heap.tuple(take(arguments));
                let keywords = self.keyword_dict(take(keywords));
                let all = vec![receiver.clone(), arguments, keywords];
                return self.prelude_call("_formatted", all, Vec::new()).map(Some);
            }
        }
        if let (Value::Str(_), "format_map", [mapping]) = (receiver, &**name, &arguments[..])
            && (self.settings.fold.methods() || self.is_own(mapping))
        {
            let all = vec![receiver.clone(), mapping.clone()];
            return self
                .prelude_call("_formatted_map", all, take(keywords))
                .map(Some);
        }
        Ok(None)
    }

    /// Calls a method that calls methods of an argument, which is an object of the program. `None`
    /// if no argument is one.
    #[inline]
    fn method_by_program(
        &mut self,
        receiver: &Value,
        name: &Arc<str>,
        arguments: &mut Vec<Value>,
        keywords: &mut Keywords,
    ) -> Run<Option<Option<Value>>> {
        if let ("index" | "count" | "remove", [item, ..]) = (&**name, arguments.as_slice())
            && keywords.is_empty()
            && self.compares_by_program(receiver, item)
        {
            let mut all = vec![receiver.clone()];
            all.append(arguments);
            return self
                .prelude_call(&format!("_{name}_in_sequence"), all, Vec::new())
                .map(Some);
        }
        if let (true, [first, ..]) = (INDEXED.contains(&&**name), arguments.as_slice())
            && !matches!(
                self.heap.object(receiver),
                Some(Object::Dict(..) | Object::Instance { .. })
            )
            && self.special(first, "__index__").is_some()
        {
            let mut all = vec![self.attribute(receiver, name)?];
            all.append(arguments);
            return self
                .prelude_call("_by_first_number", all, take(keywords))
                .map(Some);
        }
        if let (Some(Object::Dict(_, kind)), "update", [mapping]) =
            (self.heap.object(receiver), &**name, &arguments[..])
            && *kind != DictKind::Counter
            && keywords.is_empty()
            && self.special(mapping, "keys").is_some()
        {
            let all = vec![receiver.clone(), mapping.clone()];
            return self.prelude_call("_update_from", all, Vec::new()).map(Some);
        }
        Ok(None)
    }

    /// Calls a method that consumes an iterator among its arguments. `None` if there is none.
    #[inline]
    fn method_by_items(
        &mut self,
        receiver: &Value,
        name: &Arc<str>,
        arguments: &mut Vec<Value>,
        keywords: &mut Keywords,
    ) -> Run<Option<Option<Value>>> {
        if let Some(helper) = self.takes_one_by_one(receiver, name)
            && arguments
                .iter()
                .any(|value| self.is_iterator(value) || self.is_own_iterable(value))
        {
            let arguments = self.heap.tuple(take(arguments));
            let keywords = self.keyword_dict(take(keywords));
            let all = vec![
                receiver.clone(),
                Value::Str(name.clone()),
                arguments,
                keywords,
            ];
            return self.prelude_call(helper, all, Vec::new()).map(Some);
        }
        if CONSUMING.contains(&&**name)
            && arguments
                .iter()
                .any(|value| self.is_iterator(value) || self.is_own_iterable(value))
        {
            let function = self.heap.make(Object::BuiltinMethod {
                receiver: receiver.clone(),
                name: name.clone(),
            });
            let arguments = self.heap.tuple(take(arguments));
            let keywords = self.keyword_dict(take(keywords));
            return self
                .prelude_call("_drain", vec![function, arguments, keywords], Vec::new())
                .map(Some);
        }
        Ok(None)
    }

    /// Returns the runtime function that passes a container the items of an iterator one by one, so
    /// that the iterator sees the items already inserted. Below the level of methods the whole
    /// change is asked.
    fn takes_one_by_one(&self, receiver: &Value, name: &str) -> Option<&'static str> {
        if !self.settings.fold.methods() {
            return None;
        }
        Some(match (self.heap.object(receiver)?, name) {
            (Object::List(_), "extend") => "_extend_list",
            (Object::Deque(..), "extend" | "extendleft") => "_extend_deque",
            (Object::Set(_), "update" | "difference_update") => "_update_set",
            (Object::Dict(_, DictKind::Counter), "update" | "subtract") => "_count_into",
            (Object::Dict(..), "update") => "_update_dict",
            _ => return None,
        })
    }

    /// Whether an index in a sequence is looked up with `__eq__` of the program.
    fn compares_by_program(&mut self, sequence: &Value, item: &Value) -> bool {
        let is_sequence = matches!(
            self.heap.object(sequence),
            Some(Object::List(_) | Object::Tuple(_) | Object::Deque(..))
        );
        // A question does not show whether bound methods have the same object and function.
        let is_bound = matches!(self.heap.object(item), Some(Object::Method { .. }));
        is_sequence
            && (self.is_own(sequence) || self.is_own(item))
            && (is_bound
                || self.settings.fold.methods() && self.is_instance(item)
                || self.items_in_order(sequence).is_some_and(|items| {
                    let mut items = items.iter();
                    items.any(|found| self.alike(found, item).is_none())
                }))
    }
}

/// Methods of all objects, and of iterators, with results that only the interpreter knows.
fn is_rare(name: &str) -> bool {
    matches!(
        name,
        "__reduce__"
            | "__reduce_ex__"
            | "__setstate__"
            | "__getstate__"
            | "__sizeof__"
            | "__dir__"
            | "__getnewargs__"
            | "__getformat__"
            | "__alloc__"
    )
}
