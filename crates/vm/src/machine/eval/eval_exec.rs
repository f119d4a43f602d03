//! Executed code: the program, and texts that it passes to `eval` and `exec`.

use std::sync::Arc;

use codexec_trace::syntax::refused_by_cpython;
use ruff_python_ast::{Expr, UnaryOp};

use crate::code::{Code, Constant};
use crate::compile::{CompileError, compile};
use crate::machine::{After, Flow, Machine, Run};
use crate::value::{DictKind, Entries, Object, ObjectId, Value};

/// The kind of `compile`'s result: a text, the name of its file, and `exec` or `eval`.
const CODE: &str = "code";

/// The name of the builtins in globals.
const BUILTINS: &str = "__builtins__";

/// Messages of syntax errors that are the same in CPython. Of other errors only the class is known.
const WORDS: [&str; 9] = [
    "invalid syntax",
    "was never closed",
    "unterminated string literal",
    "outside function",
    "outside loop",
    "not properly in loop",
    "expected an indented block",
    "unexpected indent",
    "does not match any outer indentation",
];

/// Maximum bytes of an evaluated text.
const LONGEST: usize = 100_000;

impl Machine {
    /// Enters the frame of the program.
    pub(in crate::machine) fn enter_module(&mut self, code: Arc<Code>) {
        let globals = self
            .heap
            .add(Object::Dict(Entries::default(), DictKind::Plain));
        self.set_name(globals, "__name__", Value::str("__main__"));
        self.set_name(globals, "__doc__", Value::None);
        let file = self.library.given.file.as_deref();
        let file = file.map_or("prog.py".into(), |file| file.to_string_lossy());
        let file = Value::str(&file);
        self.set_name(globals, "__file__", file);
        self.stacks.module = Some(globals);
        self.add_module("__main__", globals);
        let frame = self.frame(code, globals, Some(globals), After::Discard, true);
        self.push_frame(frame);
    }

    /// `eval` and `exec` of a text or of a result of `compile`, with or without dicts.
    pub(in crate::machine) fn evaluate(
        &mut self,
        name: &str,
        arguments: &[Value],
    ) -> Run<Option<Value>> {
        let unsupported = |why: &str| Flow::Unsupported(format!("{name} {why}"));
        let mut renamed = None;
        let (text, spaces, file, mode) = match arguments {
            [Value::Str(text), spaces @ ..] => {
                let mode = if name == "exec" { "exec" } else { "eval" };
                (text.clone(), spaces, "<string>".into(), mode.into())
            }
            [code, spaces @ ..] => match self.heap.object(code) {
                Some(Object::Special { kind: CODE, parts }) => match parts.as_slice() {
                    [
                        Value::Str(text),
                        Value::Str(file),
                        Value::Str(mode),
                        names @ ..,
                    ] => {
                        renamed = names.first().cloned();
                        (text.clone(), spaces, file.clone(), mode.clone())
                    }
                    _ => return Err(unsupported("of that")),
                },
                _ => return Err(unsupported("of that")),
            },
            [] => return Err(unsupported("of that")),
        };
        if text.len() > LONGEST || text.contains(":=") {
            return Err(unsupported("of such a text"));
        }
        let is_value = &*mode == "eval";
        if name == "ast.literal_eval" && !is_literal(text.trim_start_matches([' ', '\t'])) {
            let is_text = ruff_python_parser::parse_expression(text.trim()).is_ok();
            let kind = self.class_value(if is_text { "ValueError" } else { "SyntaxError" });
            return Err(Flow::Call(self.prelude_value("_no_literal")?, vec![kind]));
        }
        let mut code = self.code_of(&text, &file, is_value)?;
        if let Some(Value::Str(name)) = renamed {
            code.name = name.to_string();
        }
        let (globals, space) = self.spaces_of(name, spaces, is_value, &code)?;
        if !is_value {
            let after = std::mem::replace(&mut self.after, After::Push);
            // `exec` returns `None`, also for a compiled expression.
            self.run_text(code, globals, space, after)?;
            return Ok(None);
        }
        let values = vec![Value::Object(space)];
        let after = std::mem::replace(&mut self.after, After::Push);
        let helper = if name == "exec" {
            "_executed"
        } else {
            "_evaluated"
        };
        let helper = self.prelude_value(helper)?;
        self.call(helper, values, Vec::new(), after)?;
        self.run_text(code, globals, space, After::Discard)?;
        Ok(None)
    }

    /// Compiles a text: a module, or one that binds `_value_` to the value of an expression.
    pub(in crate::machine) fn code_of(
        &mut self,
        text: &str,
        file: &str,
        is_value: bool,
    ) -> Run<Code> {
        let source = match is_value {
            true => format!("_value_ = (\n{}\n)\n", text.trim()),
            false => text.to_string(),
        };
        let is_expression = || ruff_python_parser::parse_expression(text.trim()).is_ok();
        match compile(&source) {
            Ok(code) if !is_value || is_expression() => Ok(code.of_text()),
            made => Err(self.no_code(text, file, made.err().filter(|_| !is_value))),
        }
    }

    /// Returns a `SyntaxError`, with its position if the position in the whole text is known.
    pub(in crate::machine) fn no_code(
        &mut self,
        text: &str,
        file: &str,
        error: Option<CompileError>,
    ) -> Flow {
        let is_module = error.is_some();
        // Compiled as a module, an expression has other errors.
        let error = error.or_else(|| compile(text.trim_start_matches([' ', '\t'])).err());
        let Some(error) = error.filter(|error| error.line > 0) else {
            return match self.prelude_value("_no_literal") {
                Ok(helper) => Flow::Call(helper, vec![self.class_value("SyntaxError")]),
                Err(flow) => flow,
            };
        };
        if error.message == crate::compile::TOO_MUCH {
            return Flow::Unsupported(error.message);
        }
        let message = error.message.to_lowercase();
        let is_said = WORDS.iter().any(|words| error.message.contains(words))
            || is_module
                && refused_by_cpython(text).is_some_and(|said| said.message == error.message);
        let begins = |start: &[&str]| start.iter().any(|start| message.starts_with(start));
        let kind = if begins(&["inconsistent use of tabs"]) {
            "TabError"
        } else if begins(&[
            "unexpected indent",
            "expected an indented",
            "unindent does not",
        ]) {
            "IndentationError"
        } else {
            "SyntaxError"
        };
        if !is_said {
            let kind = self.class_value(kind);
            return match self.prelude_value("_no_literal") {
                Ok(helper) => Flow::Call(helper, vec![kind]),
                Err(flow) => flow,
            };
        }
        let line = text.lines().nth(error.line as usize - 1).map(Value::str);
        let place = vec![
            Value::str(file),
            Value::Int(error.line.into()),
            Value::Int(error.column.into()),
            line.unwrap_or(Value::None),
        ];
        let place = self.heap.tuple(place);
        self.raise_with(kind, vec![Value::str(&error.message), place])
    }

    /// `compile(text, file, mode)`
    pub(in crate::machine) fn compiled(&mut self, arguments: &[Value]) -> Run<Value> {
        let [Value::Str(text), Value::Str(file), Value::Str(mode)] = arguments else {
            return Err(Flow::Unsupported("compile of that".to_string()));
        };
        if !matches!(&**mode, "exec" | "eval") {
            return Err(Flow::Unsupported("compile of a line".to_string()));
        }
        self.code_of(text, file, &**mode == "eval")?;
        Ok(self.heap.make(Object::Special {
            kind: CODE,
            parts: arguments.to_vec(),
        }))
    }

    /// Returns the globals and locals of a text.
    fn spaces_of(
        &mut self,
        name: &str,
        spaces: &[Value],
        is_value: bool,
        code: &Code,
    ) -> Run<(ObjectId, ObjectId)> {
        let unsupported = |why: &str| Flow::Unsupported(format!("{name} {why}"));
        let frame = self.top()?;
        let (caller, namespace) = (frame.globals, frame.namespace);
        let given: Vec<&Value> = (spaces.iter())
            .filter(|space| **space != Value::None)
            .collect();
        let dict = |machine: &Self, value: &Value| match machine.heap.object(value) {
            Some(Object::Dict(_, DictKind::Plain | DictKind::Ordered)) => value.id(),
            _ => None,
        };
        let (globals, locals) = match given.as_slice() {
            [] => {
                let locals = match namespace {
                    Some(namespace) => namespace,
                    None => self.locals()?.id().ok_or_else(|| unsupported("there"))?,
                };
                (caller, locals)
            }
            [globals] if spaces.first() != Some(&Value::None) => {
                let globals = dict(self, globals).ok_or_else(|| unsupported("there"))?;
                (globals, globals)
            }
            [globals, locals] => (
                dict(self, globals).ok_or_else(|| unsupported("there"))?,
                dict(self, locals).ok_or_else(|| unsupported("with such names"))?,
            ),
            _ => return Err(unsupported("with dicts")),
        };
        if globals != caller {
            self.add_builtins(name, globals, locals, code)?;
        }
        if !is_value {
            return Ok((globals, locals));
        }
        let entries = match self.heap.get(locals) {
            Object::Dict(entries, _) if locals != globals => entries.clone(),
            _ => Entries::default(),
        };
        Ok((
            globals,
            self.heap.add(Object::Dict(entries, DictKind::Plain)),
        ))
    }

    /// Adds the builtins to the globals of a text. If these have other builtins, the text must need
    /// none.
    fn add_builtins(
        &mut self,
        name: &str,
        globals: ObjectId,
        locals: ObjectId,
        code: &Code,
    ) -> Run<()> {
        let key: Arc<str> = BUILTINS.into();
        let module = self.import("builtins", false)?;
        match self.get_name(globals, &key) {
            None => self.set_name(globals, BUILTINS, module),
            Some(known) if known == module => {}
            Some(_) => {
                let has = |name: &Arc<str>| {
                    &**name == "_value_"
                        || self.get_name(locals, name).is_some()
                        || self.get_name(globals, name).is_some()
                };
                let nested = code
                    .constants
                    .iter()
                    .any(|c| matches!(c, Constant::Code(_)));
                if nested || !code.names.iter().all(has) {
                    let what = format!("{name} with builtins of its own");
                    return Err(Flow::Unsupported(what));
                }
            }
        }
        Ok(())
    }

    /// Enters a frame of code that no trace shows.
    pub(in crate::machine) fn run_text(
        &mut self,
        code: Code,
        globals: ObjectId,
        space: ObjectId,
        after: After,
    ) -> Run<()> {
        self.descend(&code, &after)?;
        let frame = self.frame(Arc::new(code), globals, Some(space), after, false);
        self.push_frame(frame);
        Ok(())
    }
}

/// Whether a text is a literal that `ast.literal_eval` accepts.
fn is_literal(text: &str) -> bool {
    fn all(items: &[Expr]) -> bool {
        items.iter().all(literal)
    }
    fn literal(expr: &Expr) -> bool {
        match expr {
            Expr::StringLiteral(_)
            | Expr::BytesLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_)
            | Expr::EllipsisLiteral(_) => true,
            Expr::List(list) => all(&list.elts),
            Expr::Tuple(tuple) => all(&tuple.elts),
            Expr::Set(set) => all(&set.elts),
            Expr::Dict(dict) => (dict.items.iter())
                .all(|item| item.key.as_ref().is_some_and(literal) && literal(&item.value)),
            Expr::UnaryOp(unary) => {
                matches!(unary.op, UnaryOp::USub | UnaryOp::UAdd)
                    && matches!(&*unary.operand, Expr::NumberLiteral(_))
            }
            _ => false,
        }
    }
    ruff_python_parser::parse_expression(text).is_ok_and(|parsed| literal(parsed.expr()))
}
