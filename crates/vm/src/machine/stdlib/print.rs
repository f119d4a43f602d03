//! `print` and the texts that it writes.

use crate::machine::calls::call::Keywords;
use crate::machine::{Flow, Machine, Run};
use crate::text;
use crate::value::Value;

impl Machine {
    /// Returns the object with which the program replaced `stdin`, `stdout` or `stderr`.
    pub(in crate::machine) fn redirected(&self, stream: &str) -> Option<Value> {
        let place = match stream {
            "stdin" => "_STDIN",
            "stdout" => "_STDOUT",
            "stderr" => "_STDERR",
            _ => return None,
        };
        let target = self.bound_name("", place)?;
        let known = self.stream_of(&target);
        let is_itself = known.is_some_and(|known| known.strip_prefix("sys.") == Some(stream));
        (target != Value::None && !is_itself).then_some(target)
    }

    pub(in crate::machine) fn print(
        &mut self,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Value>> {
        let (mut separator, mut end) = (Value::None, Value::None);
        let (mut file, mut flush) = (self.redirected("stdout"), Value::None);
        for (name, value) in keywords {
            match &**name {
                "sep" => separator = value.clone(),
                "end" => end = value.clone(),
                "flush" => flush = value.clone(),
                "file" if *value == Value::None => {}
                "file" => file = Some(value.clone()),
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
        let stream = file.as_ref().and_then(|file| self.stream_of(file));
        let silent = stream.as_deref() == Some("sys.stderr");
        if let Some(file) = file
            && !silent
            && stream.as_deref() != Some("sys.stdout")
        {
            if !self.is_instance(&file) {
                return Err(Flow::Unsupported("print to a file".to_string()));
            }
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
                None => {
                    let arguments = self.heap.tuple(arguments.to_vec());
                    self.prelude_call("_print_nowhere", vec![arguments], Vec::new())
                }
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
