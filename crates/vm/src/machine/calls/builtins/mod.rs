//! Builtin functions and methods. Those that concern the program's own objects, its control flow,
//! its input or its output are executed here. Text of known values is folded; all others are asked.
//!
//! The order of a call: refusals of its arguments (`refusals`), the tables here, folding
//! (`functions`), Python code of the library (`WALKED`, `ON_DEMAND`), items that are taken from an
//! iterator first, an oracle.

mod attributes;
mod classes;
mod program;
pub(in crate::machine) mod scalars;
mod values;

use std::sync::Arc;

use crate::machine::calls::call::Keywords;
use crate::machine::calls::call_tables::{
    FOLDED, LOOK_INSIDE, ON_DEMAND, UNBOUND, WALKED, is_stateful,
};
use crate::machine::{After, Flow, Machine, Run};
use crate::value::{Object, Value};

/// A builtin function that the machine executes. `None`: it does not know these arguments.
/// `Some(None)`: the value arrives later.
type Builtin = fn(&mut Machine, &str, &[Value], &Keywords) -> Run<Option<Option<Value>>>;

/// Builtin functions that the machine executes, sorted, with the implementations to try in turn.
static BUILTINS: &[(&str, &[Builtin])] = &[
    ("__build_class__", &[Machine::builtin_build_class]),
    ("__import__", &[Machine::builtin_unsupported]),
    ("abs", &[Machine::builtin_special_number]),
    ("aiter", &[Machine::builtin_unsupported]),
    ("anext", &[Machine::builtin_anext]),
    ("ascii", &[Machine::builtin_repr]),
    ("ast.literal_eval", &[Machine::builtin_evaluate_text]),
    ("bin", &[Machine::builtin_by_index]),
    ("breakpoint", &[Machine::builtin_unsupported]),
    ("callable", &[Machine::builtin_callable]),
    ("chr", &[Machine::builtin_by_index]),
    (
        "compile",
        &[Machine::builtin_compile, Machine::builtin_unsupported],
    ),
    ("copy.deepcopy", &[Machine::builtin_copy_deepcopy]),
    ("copyright", &[Machine::builtin_unsupported]),
    ("credits", &[Machine::builtin_unsupported]),
    ("delattr", &[Machine::builtin_delattr]),
    ("dir", &[Machine::builtin_dir, Machine::builtin_unsupported]),
    (
        "eval",
        &[
            Machine::builtin_evaluate_code,
            Machine::builtin_evaluate_text,
        ],
    ),
    (
        "exec",
        &[
            Machine::builtin_evaluate_code,
            Machine::builtin_evaluate_text,
        ],
    ),
    ("exit", &[Machine::builtin_exit]),
    ("format", &[Machine::builtin_format]),
    ("gc.collect", &[Machine::builtin_gc_collect]),
    ("getattr", &[Machine::builtin_getattr]),
    ("globals", &[Machine::builtin_globals]),
    ("hasattr", &[Machine::builtin_hasattr]),
    (
        "hash",
        &[Machine::builtin_hash, Machine::builtin_special_number],
    ),
    ("help", &[Machine::builtin_unsupported]),
    ("hex", &[Machine::builtin_by_index]),
    ("id", &[Machine::builtin_id]),
    ("input", &[Machine::builtin_input]),
    ("io.open", &[Machine::builtin_open_file]),
    (
        "isinstance",
        &[Machine::builtin_own_check, Machine::builtin_isinstance],
    ),
    (
        "issubclass",
        &[Machine::builtin_own_check, Machine::builtin_issubclass],
    ),
    ("iter", &[Machine::builtin_iter]),
    (
        "itertools.chain.from_iterable",
        &[Machine::builtin_itertools_chain_from_iterable],
    ),
    ("len", &[Machine::builtin_special_number]),
    ("license", &[Machine::builtin_unsupported]),
    (
        "locals",
        &[Machine::builtin_locals, Machine::builtin_unsupported],
    ),
    ("math.ceil", &[Machine::builtin_rounded]),
    ("math.floor", &[Machine::builtin_rounded]),
    ("math.trunc", &[Machine::builtin_rounded]),
    ("memoryview", &[Machine::builtin_unsupported]),
    ("next", &[Machine::builtin_next]),
    ("oct", &[Machine::builtin_by_index]),
    ("open", &[Machine::builtin_open, Machine::builtin_open_file]),
    ("os.fstat", &[Machine::builtin_os_fstat]),
    ("pow", &[Machine::builtin_by_keywords, Machine::builtin_pow]),
    ("print", &[Machine::builtin_print]),
    ("quit", &[Machine::builtin_exit]),
    ("repr", &[Machine::builtin_repr]),
    (
        "round",
        &[
            Machine::builtin_by_keywords,
            Machine::builtin_special_number,
        ],
    ),
    ("setattr", &[Machine::builtin_setattr]),
    ("sys.exit", &[Machine::builtin_exit]),
    (
        "sys.getrecursionlimit",
        &[Machine::builtin_sys_getrecursionlimit],
    ),
    (
        "sys.setrecursionlimit",
        &[Machine::builtin_sys_setrecursionlimit],
    ),
    (
        "type.__instancecheck__",
        &[Machine::builtin_type_instancecheck],
    ),
    (
        "type.__subclasscheck__",
        &[Machine::builtin_type_subclasscheck],
    ),
    (
        "vars",
        &[
            Machine::builtin_vars,
            Machine::builtin_locals,
            Machine::builtin_unsupported,
        ],
    ),
];

/// The same for methods of builtin classes, which are tried after their receiver has been checked.
static OF_CLASSES: &[(&str, &[Builtin])] = &[
    ("BaseException.__init__", &[Machine::builtin_exception_init]),
    ("BaseException.__new__", &[Machine::builtin_new]),
    ("BaseException.__str__", &[Machine::builtin_exception_str]),
    ("list.sort", &[Machine::builtin_list_sort]),
    (
        "object.__getattribute__",
        &[Machine::builtin_object_getattribute],
    ),
    ("object.__init__", &[Machine::builtin_init]),
    (
        "object.__init_subclass__",
        &[Machine::builtin_object_init_subclass, Machine::builtin_init],
    ),
    ("object.__new__", &[Machine::builtin_new]),
    ("object.__setattr__", &[Machine::builtin_object_setattr]),
    (
        "object.__subclasshook__",
        &[Machine::builtin_object_subclasshook],
    ),
    ("type.__call__", &[Machine::builtin_type_call]),
    ("type.__eq__", &[Machine::builtin_type_compared]),
    ("type.__hash__", &[Machine::builtin_type_hash]),
    ("type.__init__", &[Machine::builtin_init]),
    ("type.__ne__", &[Machine::builtin_type_compared]),
    ("type.__new__", &[Machine::builtin_type_new]),
    ("type.__prepare__", &[Machine::builtin_type_prepare]),
];

/// Returns the result of a builtin function that has finished.
fn done(value: Value) -> Run<Option<Option<Value>>> {
    Ok(Some(Some(value)))
}

impl Machine {
    /// Whether a value is, or contains, an object of the program, which no oracle can inspect.
    pub(in crate::machine) fn touches_program(&self, value: &Value) -> bool {
        self.touches(value, 3)
    }

    fn touches(&self, value: &Value, depth: usize) -> bool {
        let Some(object) = self.heap.object(value) else {
            return false;
        };
        match object {
            Object::Function(_)
            | Object::Method { .. }
            | Object::Instance { .. }
            | Object::Generator { .. }
            | Object::Iterator(_)
            | Object::Special { .. } => true,
            Object::Class(class) => class.builtin.is_none(),
            _ if depth == 0 => false,
            Object::List(items) => items.iter().any(|item| self.touches(item, depth - 1)),
            Object::Tuple(items) => items.iter().any(|item| self.touches(item, depth - 1)),
            Object::Deque(items, _) => items.iter().any(|item| self.touches(item, depth - 1)),
            Object::Set(items) | Object::Frozenset(items) => {
                items.values().any(|item| self.touches(item, depth - 1))
            }
            Object::Dict(entries, _) => entries
                .values()
                .any(|(k, v)| self.touches(k, depth - 1) || self.touches(v, depth - 1)),
            Object::DictView { of, .. } => self.touches(&Value::Object(*of), depth - 1),
            _ => false,
        }
    }

    pub(in crate::machine) fn prelude_call(
        &mut self,
        name: &str,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        self.library_call("", name, arguments, keywords)
    }

    /// Calls a function of a library module that is written in Python.
    pub(in crate::machine) fn library_call(
        &mut self,
        module: &str,
        name: &str,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        let function = self.library_value(module, name)?;
        let after = std::mem::replace(&mut self.after, After::Push);
        self.call(function, arguments, keywords, after)
            .map(|()| None)
    }

    /// Calls a builtin function. `None`: its value arrives later.
    pub(in crate::machine) fn call_builtin(
        &mut self,
        name: &Arc<str>,
        arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Option<Value>> {
        if let Some(value) = self.of_scalars(name, &arguments, &keywords) {
            return Ok(Some(value));
        }
        self.check_call(name, &arguments, &keywords)?;
        if let Some(value) = self.own_builtin(name, &arguments, &keywords)? {
            return Ok(value);
        }
        if let Some(value) = self.fold_call(name, &arguments, &keywords)? {
            return Ok(Some(value));
        }
        if &**name == "dict.fromkeys" && arguments.iter().any(|value| self.touches_program(value)) {
            return self.prelude_call("_from_keys", arguments, keywords);
        }
        let touches = arguments.iter().any(|value| self.touches_program(value))
            || keywords
                .iter()
                .any(|(_, value)| self.touches_program(value));
        if WALKED.contains(&&**name) {
            if self.settings.fold.operators() {
                self.count_folded();
            }
            let (module, name) = name.rsplit_once('.').unwrap_or(("builtins", name));
            return self.library_call(&format!("{FOLDED}{module}"), name, arguments, keywords);
        }
        if ON_DEMAND.contains(&&**name) && (touches || self.settings.fold.operators()) {
            return self.prelude_call(name, arguments, keywords);
        }
        if let Some(function) = self.source_function(name)? {
            let after = std::mem::replace(&mut self.after, After::Push);
            return self
                .call(function, arguments, keywords, after)
                .map(|()| None);
        }
        if arguments.iter().any(|value| self.is_iterator(value)) {
            let function = self.builtin(name);
            let arguments = self.heap.tuple(arguments);
            let keywords = self.keyword_dict(keywords);
            return self.prelude_call("_drain", vec![function, arguments, keywords], Vec::new());
        }
        let looks_inside = touches && LOOK_INSIDE.iter().any(|prefix| name.starts_with(prefix));
        if looks_inside || is_stateful(name) {
            return match self.made_elsewhere(name, &arguments, &keywords)? {
                Some(value) => Ok(Some(value)),
                None => Err(Flow::Unsupported(format!("call of {name}"))),
            };
        }
        Err(self.ask_call(name, arguments, keywords))
    }

    /// Executes a function that the machine implements. `None` if it is another function.
    fn own_builtin(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        if let Some(value) = self.stream_call(name, arguments, keywords)? {
            return done(value);
        }
        if let Some(module) = self.import_call(name, arguments, keywords)? {
            return Ok(Some(module));
        }
        if let Some(value) = self.try_in_turn(BUILTINS, name, arguments, keywords)? {
            return Ok(Some(value));
        }
        if !arguments.is_empty()
            && let Some(helper) = self.number_helper(name, arguments)
        {
            let mut all = vec![self.builtin(name)];
            all.extend_from_slice(arguments);
            return self.prelude_call(helper, all, Vec::new()).map(Some);
        }
        if let Some((class, method)) = name.split_once('.')
            && let Some(message) = self.refused_receiver(class, method, arguments.first())
        {
            return Err(self.raise("TypeError", &message));
        }
        if let Some(helper) = self.unbound_method(name, arguments.first()) {
            let (class, method) = name.split_once('.').unwrap_or_default();
            let mut all = vec![Value::str(class), Value::str(method)];
            all.extend(arguments.to_vec());
            return self.prelude_call(helper, all, keywords.clone()).map(Some);
        }
        if let Some(value) = self.try_in_turn(OF_CLASSES, name, arguments, keywords)? {
            return Ok(Some(value));
        }
        if let Some(method) = name.strip_prefix("object.")
            && !arguments.is_empty()
            && let Some(value) = self.call_of_object(method, arguments)?
        {
            return Ok(Some(value));
        }
        // `str.upper(text)`, `list.append(xs, 1)`
        let Some((class, method)) = name.split_once('.').filter(|_| !UNBOUND.contains(&name))
        else {
            return Ok(None);
        };
        let is_type = self.runtime.classes.contains_key(class) && !method.contains('.');
        match arguments {
            [receiver, rest @ ..] if is_type && self.is_of(receiver, class) => self
                .call_method(receiver, &method.into(), rest.to_vec(), keywords.clone())
                .map(Some),
            _ => Ok(None),
        }
    }

    fn try_in_turn(
        &mut self,
        table: &[(&str, &[Builtin])],
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        let Ok(at) = table.binary_search_by(|(known, _)| (*known).cmp(name)) else {
            return Ok(None);
        };
        for builtin in table[at].1 {
            if let Some(value) = builtin(self, name, arguments, keywords)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    pub(in crate::machine) fn is_of(&mut self, value: &Value, class: &str) -> bool {
        let own = self.type_of(value);
        let class = self.class_id(class);
        own.id().is_some_and(|own| self.derives(own, class))
    }

    /// Returns the helper that calls a function of `math` with the numbers that objects of the
    /// program convert to.
    fn number_helper(&mut self, name: &str, arguments: &[Value]) -> Option<&'static str> {
        const BY_INDEX: [&str; 6] = ["gcd", "lcm", "comb", "perm", "factorial", "isqrt"];
        let function = name.strip_prefix("math.")?;
        if matches!(function, "floor" | "ceil" | "trunc") {
            return None;
        }
        let mut values = arguments.iter();
        match BY_INDEX.contains(&function) {
            true => values
                .any(|value| self.special(value, "__index__").is_some())
                .then_some("_by_numbers"),
            false => (values.any(|value| self.is_number_like(value))).then_some("_by_floats"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [BUILTINS, OF_CLASSES] {
            assert!(table.is_sorted_by_key(|(name, _)| *name));
        }
    }
}
