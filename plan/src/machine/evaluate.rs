//! Code that is executed: the program, and texts that it hands to `eval` and `exec`.

use std::sync::Arc;

use ruff_python_ast::{Expr, UnaryOp};

use super::{After, Flow, Machine, Run};
use crate::code::{Code, Constant};
use crate::compile::compile;
use crate::value::{DictKind, Entries, Key, Object, ObjectId, Value};

/// Most bytes of a text that is evaluated.
const LONGEST: usize = 100_000;

impl Machine {
    /// The frame of the program.
    pub(super) fn enter_module(&mut self, code: Arc<Code>) {
        let globals = self
            .heap
            .add(Object::Dict(Entries::default(), DictKind::Plain));
        self.set_name(globals, "__name__", Value::str("__main__"));
        self.set_name(globals, "__doc__", Value::None);
        self.set_name(globals, "__file__", Value::str("prog.py"));
        self.stacks.module = Some(globals);
        let frame = self.frame(code, globals, Some(globals), After::Discard, true);
        self.frames.push(frame);
    }

    /// `eval(text)` and `exec(text)`, and `eval` with dicts that have all names of the text.
    pub(super) fn evaluate(&mut self, name: &str, arguments: &[Value]) -> Run<Option<Value>> {
        let unsupported = |why: &str| Flow::Unsupported(format!("{name} {why}"));
        let [Value::Str(text), spaces @ ..] = arguments else {
            return Err(unsupported("of that"));
        };
        if text.len() > LONGEST || text.contains(":=") {
            return Err(unsupported("of such a text"));
        }
        let is_value = name != "exec";
        if name == "ast.literal_eval" && !is_literal(text.trim_start_matches([' ', '\t'])) {
            let is_text = ruff_python_parser::parse_expression(text.trim()).is_ok();
            let kind = self.class_value(if is_text { "ValueError" } else { "SyntaxError" });
            return Err(Flow::Call(self.prelude_value("_no_literal")?, vec![kind]));
        }
        let source = match is_value {
            true => format!("_value_ = (\n{}\n)\n", text.trim()),
            false => text.to_string(),
        };
        // What CPython says of a text that does not parse is not known in full.
        let code = compile(&source).map_err(|_| unsupported("of a text that does not parse"))?;
        if code.constants.iter().any(is_traced) {
            return Err(unsupported("of functions or classes"));
        }
        let frame = self.top()?;
        let (caller, locals) = (frame.globals, frame.namespace);
        let at_module = locals == Some(caller);
        let (globals, space) = match spaces {
            [] if at_module && !is_value => (caller, caller),
            [] => {
                let mut entries = Entries::default();
                if !at_module {
                    for (name, value) in self.visible() {
                        entries.insert(Key::Str(name.clone()), (Value::Str(name), value));
                    }
                }
                (
                    caller,
                    self.heap.add(Object::Dict(entries, DictKind::Plain)),
                )
            }
            [globals] | [globals, _] if is_value => {
                let locals = spaces.get(1).unwrap_or(globals);
                let mut entries = self
                    .entries_of(locals)
                    .ok_or_else(|| unsupported("there"))?;
                let outer = self
                    .entries_of(globals)
                    .ok_or_else(|| unsupported("there"))?;
                for (key, pair) in outer {
                    entries.entry(key).or_insert(pair);
                }
                let has = |name: &Arc<str>| entries.contains_key(&Key::Str(name.clone()));
                let mut names = code.names.iter().filter(|name| &***name != "_value_");
                let nested = code
                    .constants
                    .iter()
                    .any(|c| matches!(c, Constant::Code(_)));
                if nested || !names.all(has) {
                    return Err(unsupported("with names that its dicts do not have"));
                }
                let space = self.heap.add(Object::Dict(entries, DictKind::Plain));
                (space, space)
            }
            _ => return Err(unsupported("with dicts")),
        };
        if !is_value {
            let after = std::mem::replace(&mut self.after, After::Push);
            self.run_text(code, globals, space, after)?;
            return Ok(None);
        }
        // Every name of the text is looked up in the caller's globals, where its value is none of the locals.
        let values = vec![Value::Object(space)];
        let after = std::mem::replace(&mut self.after, After::Push);
        let helper = self.prelude_value("_evaluated")?;
        self.call(helper, values, Vec::new(), after)?;
        self.run_text(code, globals, space, After::Discard)?;
        Ok(None)
    }

    /// A frame of code that no trace shows.
    pub(super) fn run_text(
        &mut self,
        code: Code,
        globals: ObjectId,
        space: ObjectId,
        after: After,
    ) -> Run<()> {
        if self.frames.len() >= self.recursion_limit.min(5_000) {
            return Err(self.recursion_error());
        }
        let frame = self.frame(Arc::new(code), globals, Some(space), after, false);
        self.frames.push(frame);
        Ok(())
    }

    fn entries_of(&self, value: &Value) -> Option<Entries> {
        match self.heap.object(value) {
            Some(Object::Dict(entries, _)) => Some(entries.clone()),
            _ => None,
        }
    }

    /// Names and values that the caller of a builtin function sees beside its globals.
    fn visible(&self) -> Vec<(Arc<str>, Value)> {
        let Some(frame) = self.frames.last() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if let Some(space) = frame.namespace
            && let Object::Dict(entries, _) = self.heap.get(space)
        {
            for (name, value) in entries.values() {
                if let Value::Str(name) = name {
                    found.push((name.clone(), value.clone()));
                }
            }
        }
        for (name, value) in frame.code.var_names.iter().zip(&frame.fast) {
            found.extend(value.clone().map(|value| (name.clone(), value)));
        }
        let names = frame.code.cell_vars.iter().chain(&frame.code.free_vars);
        for (name, cell) in names.zip(&frame.cells) {
            if let Object::Cell(Some(value)) = self.heap.get(*cell) {
                found.push((name.clone(), value.clone()));
            }
        }
        found
    }
}

/// Whether a text is a literal as `ast.literal_eval` takes it.
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

/// Whether a constant is the code of a function that a trace would show.
pub(super) fn is_traced(constant: &Constant) -> bool {
    match constant {
        Constant::Code(code) => !code.name.starts_with('<') || code.name == "<lambda>",
        _ => false,
    }
}
