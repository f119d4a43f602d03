//! `print` and the texts that it writes.

use super::call::Keywords;
use super::{Flow, Machine, Run};
use crate::text;
use crate::value::{Object, Value};

impl Machine {
    /// What the program put in the place of the standard output.
    pub(super) fn redirected(&self) -> Option<Value> {
        let target = self.get_name(self.prelude, &"_STDOUT".into())?;
        (target != Value::None).then_some(target)
    }

    pub(super) fn print(&mut self, arguments: &[Value], keywords: &Keywords) -> Run<Option<Value>> {
        let (mut separator, mut end, mut silent) = (Value::None, Value::None, false);
        let (mut file, mut flush) = (self.redirected(), Value::None);
        for (name, value) in keywords {
            match &**name {
                "sep" => separator = value.clone(),
                "end" => end = value.clone(),
                "flush" => flush = value.clone(),
                "file" => match self.heap.object(value) {
                    Some(Object::Builtin(name)) if &**name == "sys.stdout" => file = None,
                    Some(Object::Builtin(name)) if &**name == "sys.stderr" => {
                        (silent, file) = (true, None);
                    }
                    None if *value == Value::None => {}
                    Some(Object::Instance { .. }) => file = Some(value.clone()),
                    _ => return Err(Flow::Unsupported("print to a file".to_string())),
                },
                _ => {
                    let message = format!("'{name}' is an invalid keyword argument for print()");
                    return Err(self.raise("TypeError", &message));
                }
            }
        }
        for (name, value) in [("sep", &separator), ("end", &end)] {
            if !matches!(value, Value::None | Value::Str(_)) {
                let kind = self.type_name(value);
                let message = format!("{name} must be None or a string, not {kind}");
                return Err(self.raise("TypeError", &message));
            }
        }
        if let Some(file) = file {
            let arguments = self.heap.tuple(arguments.to_vec());
            let arguments = vec![file, arguments, separator, end, flush];
            return self.prelude_call("_print_to", arguments, Vec::new());
        }
        let texts: Option<Vec<String>> = arguments
            .iter()
            .map(|value| text::str(&self.heap, value))
            .collect();
        if silent {
            return match texts {
                Some(_) => Ok(Some(Value::None)),
                None => Err(Flow::Unsupported("print of objects to stderr".to_string())),
            };
        }
        let Some(texts) = texts else {
            let arguments = self.heap.tuple(arguments.to_vec());
            return self.prelude_call("_print", vec![arguments, separator, end], Vec::new());
        };
        let word = |value: &Value, default: &str| match value {
            Value::Str(text) => text.to_string(),
            _ => default.to_string(),
        };
        let line = texts.join(&word(&separator, " ")) + &word(&end, "\n");
        self.record.write(&line)?;
        self.count_folded();
        Ok(Some(Value::None))
    }
}
