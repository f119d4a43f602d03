//! Parameters of a function and what a call gives them.

use std::sync::Arc;

use super::call::Keywords;
use super::{Machine, Run};
use crate::value::{DictKind, Entries, Function, Object, Value};

impl Machine {
    /// Parameters and their values, as fast locals.
    pub(super) fn bind(
        &mut self,
        function: &Function,
        mut arguments: Vec<Value>,
        keywords: Keywords,
    ) -> Run<Vec<Option<Value>>> {
        let code = &function.code;
        let positional = code.arg_count as usize;
        let named = positional + code.kwonly_arg_count as usize;
        let mut fast: Vec<Option<Value>> = vec![None; code.var_names.len()];
        let given = arguments.len();
        let extra = arguments.split_off(positional.min(given));
        for (slot, value) in arguments.into_iter().enumerate() {
            fast[slot] = Some(value);
        }
        if code.has_varargs {
            fast[named] = Some(self.heap.tuple(extra));
        }
        let mut rest = Entries::default();
        let positional_only = &code.var_names[..code.posonly_arg_count as usize];
        let positional_only: Vec<&str> = (keywords.iter())
            .filter(|(name, _)| positional_only.contains(name))
            .map(|(name, _)| &**name)
            .collect();
        let positional_only = positional_only.join(", ");
        for (name, value) in keywords {
            let from = code.posonly_arg_count as usize;
            let found = code.var_names[from..named]
                .iter()
                .position(|var| *var == name);
            match found.map(|at| from + at) {
                Some(slot) if fast[slot].is_some() => {
                    let message = format!(
                        "{}() got multiple values for argument '{name}'",
                        function_name(function)
                    );
                    return Err(self.raise("TypeError", &message));
                }
                Some(slot) => fast[slot] = Some(value),
                None if code.has_varkeywords => {
                    let key = crate::value::Key::Str(name.clone());
                    rest.insert(key, (Value::Str(name), value));
                }
                None if !positional_only.is_empty() => {
                    let message = format!(
                        "{}() got some positional-only arguments passed as keyword arguments: '{}'",
                        function_name(function),
                        positional_only
                    );
                    return Err(self.raise("TypeError", &message));
                }
                None => {
                    let message = format!(
                        "{}() got an unexpected keyword argument '{name}'",
                        function_name(function)
                    );
                    return Err(self.raise("TypeError", &message));
                }
            }
        }
        if code.has_varkeywords {
            let slot = named + usize::from(code.has_varargs);
            fast[slot] = Some(self.heap.make(Object::Dict(rest, DictKind::Plain)));
        }
        if given > positional && !code.has_varargs {
            let message = too_many(function, positional, given, &fast);
            return Err(self.raise("TypeError", &message));
        }
        let defaults_from = positional - function.defaults.len().min(positional);
        let mut missing = Vec::new();
        for (slot, value) in fast[..positional].iter_mut().enumerate() {
            if value.is_none() {
                let at = slot.checked_sub(defaults_from);
                match at.and_then(|at| function.defaults.get(at)) {
                    Some(default) => *value = Some(default.clone()),
                    None => missing.push(code.var_names[slot].clone()),
                }
            }
        }
        if !missing.is_empty() {
            let message = missing_arguments(function, &missing, "positional");
            return Err(self.raise("TypeError", &message));
        }
        let names = &code.var_names[positional..named];
        for (name, value) in names.iter().zip(&mut fast[positional..named]) {
            if value.is_none() {
                let default = function.kw_defaults.iter().find(|(other, _)| other == name);
                match default {
                    Some((_, default)) => *value = Some(default.clone()),
                    None => missing.push(name.clone()),
                }
            }
        }
        if !missing.is_empty() {
            let message = missing_arguments(function, &missing, "keyword-only");
            return Err(self.raise("TypeError", &message));
        }
        Ok(fast)
    }
}

pub(super) fn function_name(function: &Function) -> &str {
    let name = &function.code.qualname;
    let public = [
        "numpy__linalg__",
        "numpy__",
        "fold__math__",
        "fold__",
        "argparse__",
        "unittest__",
    ];
    let public = public.iter().find_map(|prefix| name.strip_prefix(prefix));
    public.unwrap_or(name)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn too_many(
    function: &Function,
    positional: usize,
    given: usize,
    fast: &[Option<Value>],
) -> String {
    let code = &function.code;
    let defaults = function.defaults.len();
    let takes = if defaults > 0 {
        format!(
            "from {} to {positional} positional arguments",
            positional - defaults.min(positional)
        )
    } else {
        format!("{positional} positional argument{}", plural(positional))
    };
    let named = positional + code.kwonly_arg_count as usize;
    let kwonly = fast[positional..named]
        .iter()
        .filter(|slot| slot.is_some())
        .count();
    let given = if kwonly > 0 {
        format!(
            "{given} positional argument{} (and {kwonly} keyword-only argument{}) were",
            plural(given),
            plural(kwonly)
        )
    } else {
        format!("{given} {}", if given == 1 { "was" } else { "were" })
    };
    format!(
        "{}() takes {takes} but {given} given",
        function_name(function)
    )
}

fn missing_arguments(function: &Function, missing: &[Arc<str>], kind: &str) -> String {
    let names: Vec<String> = missing.iter().map(|name| format!("'{name}'")).collect();
    let list = match names.as_slice() {
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [rest @ .., last] => format!("{}, and {last}", rest.join(", ")),
        [] => String::new(),
    };
    format!(
        "{}() missing {} required {kind} argument{}: {list}",
        function_name(function),
        missing.len(),
        plural(missing.len())
    )
}
