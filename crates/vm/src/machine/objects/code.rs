//! Code objects as programs see them: `__code__`, `f_code`, and the result of `compile`.

use crate::code::{Code, Constant};
use crate::machine::eval::eval_loop::broken;
use crate::machine::{Flow, Machine, Run};
use crate::value::{Object, ObjectId, Value};

impl Machine {
    /// Returns the call that makes the value of `__code__`, for code with these globals.
    pub(in crate::machine) fn shown_code(
        &mut self,
        code: &Code,
        globals: ObjectId,
    ) -> Run<(Value, Vec<Value>)> {
        let file = self.get_name(globals, &"__file__".into());
        let annotations = self.get_name(globals, &"annotations".into());
        let is_future = annotations.is_some_and(|value| {
            matches!(self.heap.object(&value), Some(Object::Opaque { class, .. }) if &**class == "_Feature")
        });
        let mut parts = self.code_parts(code);
        parts.extend([file.unwrap_or(Value::None), Value::Bool(is_future)]);
        Ok((self.prelude_value("_Code")?, parts))
    }

    /// The same for the result of `compile`.
    pub(in crate::machine) fn shown_text(&mut self, parts: &[Value]) -> Run<(Value, Vec<Value>)> {
        let [
            Value::Str(text),
            Value::Str(file),
            Value::Str(mode),
            names @ ..,
        ] = parts
        else {
            return Err(broken("code"));
        };
        if &**mode != "exec" {
            return Err(Flow::Unsupported("an attribute of such a code".to_string()));
        }
        let mut code = self.code_of(text, file, false)?;
        if let [Value::Str(name)] = names {
            code.name = name.to_string();
        }
        let mut shown = self.code_parts(&code);
        shown.extend([Value::Str(file.clone()), Value::Bool(false)]);
        Ok((self.prelude_value("_Code")?, shown))
    }

    /// `_renamed_code`: returns the result of `compile` under another name.
    pub(in crate::machine) fn renamed_code(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [code, name @ Value::Str(_)] = arguments else {
            return Err(Flow::Unsupported("replace of code".to_string()));
        };
        let Some(Object::Special { kind, parts }) = self.heap.object(code) else {
            return Err(broken("code"));
        };
        let (kind, mut parts) = (*kind, parts.clone());
        parts.truncate(3);
        parts.push(name.clone());
        Ok(Some(self.heap.make(Object::Special { kind, parts })))
    }

    /// Returns the arguments of the runtime's `_Code`, except the file and whether annotations are
    /// strings.
    fn code_parts(&mut self, code: &Code) -> Vec<Value> {
        let mut parts = vec![Value::str(&code.name), Value::str(&code.qualname)];
        let numbers = [
            code.arg_count,
            code.posonly_arg_count,
            code.kwonly_arg_count,
            code.first_line,
        ];
        parts.extend(numbers.map(|number| Value::Int(number.into())));
        for names in [
            &code.var_names,
            &code.names,
            &code.cell_vars,
            &code.free_vars,
        ] {
            let names = names.iter().map(|name| Value::Str(name.clone()));
            parts.push(self.heap.tuple(names.collect()));
        }
        // `co_flags`, without the ones that depend on where a function is defined.
        let flags = [
            (code.is_optimized, 0x3),
            (code.has_varargs, 0x4),
            (code.has_varkeywords, 0x8),
            (code.is_generator, 0x20),
            (code.is_coroutine, 0x80),
            (code.is_async_generator, 0x200),
        ];
        let flags = flags.iter().filter(|(has, _)| *has).map(|(_, flag)| flag);
        parts.push(Value::Int(flags.sum()));
        let is_plain = |constant: &Constant| !matches!(constant, Constant::Code(_));
        parts.push(match code.constants.iter().all(is_plain) {
            true => {
                let constants = code.constants.iter();
                let constants = constants.map(|constant| self.constant(constant)).collect();
                self.heap.tuple(constants)
            }
            false => Value::None,
        });
        parts
    }
}
