//! Binding of a call's arguments to the parameters of a function.

use std::sync::Arc;

use crate::machine::calls::call::Keywords;
use crate::machine::calls::parameters::Parameters;
use crate::machine::{Flow, Machine, Run};
use crate::value::{DictKind, Entries, Function, Object, Value};

impl Machine {
    /// Binds arguments to parameters. Returns the fast locals.
    pub(in crate::machine) fn bind(
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
        let names: Vec<Arc<str>> = keywords.iter().map(|(name, _)| name.clone()).collect();
        let mut fits = given <= positional || code.has_varargs;
        for (name, value) in keywords {
            let from = code.posonly_arg_count as usize;
            let found = code.var_names[from..named]
                .iter()
                .position(|var| *var == name);
            match found.map(|at| from + at) {
                Some(slot) if fast[slot].is_none() => fast[slot] = Some(value),
                None if code.has_varkeywords => {
                    let key = crate::value::Key::Str(name.clone());
                    rest.insert(key, (Value::Str(name), value));
                }
                _ => fits = false,
            }
        }
        let required = positional.saturating_sub(function.defaults.len());
        for (slot, value) in fast[..named].iter_mut().enumerate() {
            if value.is_none() {
                *value = match slot < positional {
                    true => (slot.checked_sub(required))
                        .and_then(|at| function.defaults.get(at))
                        .cloned(),
                    false => {
                        let mut defaults = function.kw_defaults.iter();
                        let default = defaults.find(|(name, _)| *name == code.var_names[slot]);
                        default.map(|(_, default)| default.clone())
                    }
                };
                fits &= value.is_some();
            }
        }
        if !fits {
            // The runtime's numpy accepts fewer arguments than numpy does.
            if code
                .library
                .as_ref()
                .is_some_and(|file| file.module.starts_with("numpy"))
            {
                return Err(Flow::Unsupported(format!(
                    "these arguments of numpy's {}",
                    code.name
                )));
            }
            let names: Vec<&str> = names.iter().map(|name| &**name).collect();
            let message = Parameters::of(function).refused_by_python(given, &names);
            return Err(self.raise("TypeError", &message.unwrap_or_default()));
        }
        if code.has_varkeywords {
            let slot = named + usize::from(code.has_varargs);
            fast[slot] = Some(self.heap.make(Object::Dict(rest, DictKind::Plain)));
        }
        Ok(fast)
    }
}

/// Returns the name of a function in messages.
pub(in crate::machine) fn function_name(function: &Function) -> &str {
    &function.code.qualname
}
