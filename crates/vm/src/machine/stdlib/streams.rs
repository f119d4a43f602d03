//! `sys.stdin`, `sys.stdout`, `sys.stderr` and their buffers: their attributes and methods.

use std::sync::Arc;

use crate::fold::type_name::stream_class;
use crate::machine::calls::call::Keywords;
use crate::machine::classes::attribute::Found;
use crate::machine::{Flow, Machine, Run};
use crate::value::{Iterator, Object, Value};

const METHODS: [&str; 15] = [
    "readline",
    "read",
    "readlines",
    "write",
    "writelines",
    "flush",
    "close",
    "isatty",
    "fileno",
    "readable",
    "writable",
    "__iter__",
    "__next__",
    "__enter__",
    "__exit__",
];

impl Machine {
    /// Returns the name of a value that is a standard stream.
    pub(in crate::machine) fn stream_of(&self, value: &Value) -> Option<Arc<str>> {
        match self.heap.object(value) {
            Some(Object::Builtin(name)) if stream_class(name).is_some() => Some(name.clone()),
            _ => None,
        }
    }

    /// Returns an attribute of a standard stream.
    pub(in crate::machine) fn stream_attribute(&mut self, stream: &str, name: &str) -> Run<Found> {
        let is_text = !stream.ends_with(".buffer");
        Ok(Found::Value(match name {
            "buffer" if is_text => self.builtin(&format!("{stream}.{name}")),
            "closed" if !self.input.is_closed => Value::Bool(false),
            "encoding" if is_text => Value::str("utf-8"),
            // The interpreter starts with these in the sandbox's locale.
            "errors" if stream == "sys.stdin" => Value::str("surrogateescape"),
            "errors" if is_text => Value::str("backslashreplace"),
            "encoding" | "errors" | "newlines" | "line_buffering" if !is_text => {
                return Ok(Found::Missing);
            }
            "name" if stream.starts_with("sys.stdin") => Value::str("<stdin>"),
            "mode" if is_text => Value::str(if stream == "sys.stdin" { "r" } else { "w" }),
            "__class__" => {
                let value = self.builtin(stream);
                self.type_of(&value)
            }
            "__module__" => return Ok(Found::Missing),
            _ if METHODS.contains(&name) => self.builtin(&format!("{stream}.{name}")),
            _ => return Err(Flow::Unsupported(format!("{name} of {stream}"))),
        }))
    }

    /// Returns the iterator of a stream, over its lines.
    pub(in crate::machine) fn stream_lines(&self, value: &Value) -> Option<Iterator> {
        let stream = self.stream_of(value)?;
        stream.starts_with("sys.stdin").then(|| Iterator::Lines {
            bytes: stream.ends_with(".buffer"),
        })
    }

    /// Replaces standard input among arguments by an iterator over its lines.
    pub(in crate::machine) fn with_lines(&mut self, arguments: Vec<Value>) -> Vec<Value> {
        let lines = |value: Value| match self.stream_lines(&value) {
            Some(lines) => self.heap.make(Object::Iterator(lines)),
            None => value,
        };
        arguments.into_iter().map(lines).collect()
    }

    /// Reads the next line of standard input. `None` at the end.
    pub(in crate::machine) fn input_line(
        &mut self,
        bytes: bool,
        most: Option<usize>,
    ) -> Run<Option<Value>> {
        if !self.has_input(bytes)? {
            return Ok(None);
        }
        if bytes {
            let line = self.input.byte_line(most);
            return Ok((!line.is_empty()).then(|| Value::Bytes(line.into())));
        }
        let line = self.input.line(most);
        Ok((!line.is_empty()).then(|| Value::Str(line.into())))
    }

    /// `input(prompt)`
    pub(in crate::machine) fn input_call(&mut self, prompt: &[Value]) -> Run<Option<Value>> {
        let file = self.redirected("stdin");
        if file.is_some() || !prompt.is_empty() && self.redirected("stdout").is_some() {
            let prompt = self.heap.tuple(prompt.to_vec());
            let arguments = vec![file.unwrap_or(Value::None), prompt];
            return self.prelude_call("_input_of", arguments, Vec::new());
        }
        if let Some(prompt) = prompt.first() {
            let Some(Value::Str(text)) = self.known_text(prompt, false) else {
                return Err(Flow::Unsupported("a prompt".to_string()));
            };
            self.record.write(&text)?;
        }
        if self.assumes_input() {
            return Ok(Some(self.unknown_module("input")));
        }
        self.has_input(false)?;
        let line = self.input.line(None);
        if line.is_empty() {
            if let Some(line) = self.made_up_line() {
                return Ok(Some(line));
            }
            return Err(self.raise("EOFError", "EOF when reading a line"));
        }
        Ok(Some(Value::str(line.strip_suffix('\n').unwrap_or(&line))))
    }

    /// Whether standard input has anything left for a reader of bytes or of text. A text stream
    /// reads a chunk of bytes at once, which its buffer then no longer has. Reading after a close
    /// raises one exception or another, depending on what closed it.
    pub(in crate::machine) fn has_input(&mut self, bytes: bool) -> Run<bool> {
        if self.assumes_input() {
            return Err(Flow::Unsupported("standard input".into()));
        }
        if self.input.is_closed {
            return Err(Flow::Unsupported("standard input that was closed".into()));
        }
        match self.input.chunk(bytes) {
            Some(has) => Ok(has),
            None => Err(Flow::Unsupported(
                "bytes of standard input after text".into(),
            )),
        }
    }

    /// `os.fstat(0)`: standard input is a file, as in the sandbox, and its size is known.
    pub(in crate::machine) fn input_stat(&mut self) -> Run<Option<Value>> {
        let size = i64::try_from(self.input.size()).unwrap_or(i64::MAX);
        self.library_call("os", "stat_result", vec![Value::Int(size)], Vec::new())
    }

    /// Calls a method of a standard stream, or `os.read` and `os.write` of one. `None` for another
    /// function or arguments of another kind.
    pub(in crate::machine) fn stream_call(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Value>> {
        let Some((stream, method)) = name.rsplit_once('.') else {
            return Ok(None);
        };
        if let ("os", "read", [Value::Int(0), Value::Int(most)]) = (stream, method, arguments)
            && let Ok(most) = usize::try_from(*most)
        {
            let left = self.input.unbuffered(most);
            let unknown = || Flow::Unsupported("os.read behind a buffer".into());
            return Ok(Some(Value::Bytes(left.ok_or_else(unknown)?.into())));
        }
        if let ("os", "write", [Value::Int(to @ (1 | 2)), Value::Bytes(written)]) =
            (stream, method, arguments)
        {
            let stream = ["sys.stdout", "sys.stderr"][usize::from(*to == 2)];
            return self.write_bytes(stream, written).map(Some);
        }
        if stream_class(stream).is_none() || !keywords.is_empty() {
            return Ok(None);
        }
        let bytes = stream.ends_with(".buffer");
        let most = match arguments {
            [Value::Int(most)] => usize::try_from(*most).ok(),
            _ => None,
        };
        let sized = matches!(arguments, [] | [Value::Int(_) | Value::None]);
        if let ("write", false, [wrong]) = (method, bytes, arguments)
            && !self.is_instance(wrong)
            && !matches!(wrong, Value::Str(_))
            && !self.is_unknown(wrong)
        {
            let kind = self.type_name(wrong);
            let message = format!("write() argument must be str, not {kind}");
            return Err(self.raise("TypeError", &message));
        }
        let value = match (method, arguments) {
            ("isatty", []) => Value::Bool(false),
            ("fileno", []) => Value::Int(match stream {
                _ if stream.starts_with("sys.stdin") => 0,
                _ if stream.starts_with("sys.stdout") => 1,
                _ => 2,
            }),
            ("flush", []) => Value::None,
            ("__exit__", _) | ("close", []) => {
                if !stream.starts_with("sys.stdin") {
                    return Err(Flow::Unsupported(format!("{stream} that is closed")));
                }
                self.input.is_closed = true;
                Value::None
            }
            ("__iter__" | "__enter__", []) => self.builtin(stream),
            ("readable" | "writable", []) => {
                Value::Bool(stream.starts_with("sys.stdin") == (method == "readable"))
            }
            _ if stream.starts_with("sys.stdin") => match method {
                "readline" if sized => match self.input_line(bytes, most)? {
                    Some(line) => line,
                    None if bytes => Value::Bytes(Vec::new().into()),
                    None => Value::str(""),
                },
                "read" if sized => {
                    let has = self.has_input(bytes)?;
                    match bytes {
                        true if has => Value::Bytes(self.input.bytes(most).into()),
                        true => Value::Bytes(Vec::new().into()),
                        false => Value::Str(self.input.characters(most).into()),
                    }
                }
                "readlines" if sized => self.input_lines(bytes, most)?,
                "__next__" if arguments.is_empty() => match self.input_line(bytes, None)? {
                    Some(line) => line,
                    None => return Err(self.raise_with("StopIteration", Vec::new())),
                },
                _ => return Ok(None),
            },
            ("write", [Value::Str(text)]) if !bytes => {
                self.write_stream(stream, text)?;
                Value::Int(text.chars().count() as i64)
            }
            ("write", [Value::Bytes(written)]) if bytes => self.write_bytes(stream, written)?,
            ("writelines", [items]) => {
                let Some(items) = self.known_items(items) else {
                    return Ok(None);
                };
                let mut text = String::new();
                for item in &items {
                    match item {
                        Value::Str(line) if !bytes => text.push_str(line),
                        Value::Bytes(line) if bytes => match std::str::from_utf8(line) {
                            Ok(line) => text.push_str(line),
                            Err(_) => return Ok(None),
                        },
                        _ => return Ok(None),
                    }
                }
                self.write_stream(stream, &text)?;
                Value::None
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    fn write_bytes(&mut self, stream: &str, written: &[u8]) -> Run<Value> {
        let Ok(text) = std::str::from_utf8(written) else {
            return Err(Flow::Unsupported("output that is no text".to_string()));
        };
        self.write_stream(stream, text)?;
        Ok(Value::Int(written.len() as i64))
    }

    fn write_stream(&mut self, stream: &str, text: &str) -> Run<()> {
        if stream.starts_with("sys.stdout") {
            self.record.write(text)?;
        }
        Ok(())
    }

    /// Reads the remaining lines, or the first ones that have at least `most` characters together.
    fn input_lines(&mut self, bytes: bool, most: Option<usize>) -> Run<Value> {
        let most = most.filter(|most| *most > 0);
        let mut lines = Vec::new();
        let mut size = 0;
        while most.is_none_or(|most| size < most)
            && let Some(line) = self.input_line(bytes, None)?
        {
            size += match &line {
                Value::Str(text) => text.chars().count(),
                Value::Bytes(line) => line.len(),
                _ => 0,
            };
            lines.push(line);
        }
        Ok(self.heap.list(lines))
    }
}
