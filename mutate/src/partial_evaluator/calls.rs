//! Calls: of readers, of conversions, of everything else.

use ruff_python_ast::{Expr, ExprCall, Number};
use ruff_text_size::{Ranged, TextRange};

use super::eval::{Evaluated, Pending, Use, data, known};
use super::scope::{Layer, Stop, Take, Thing};
use super::value::{self, Value};
use super::walk::Walk;

impl<'a> Walk<'a> {
    pub(super) fn call_expression(&mut self, c: &'a ExprCall) -> Result<Evaluated<'a>, Stop> {
        let callee = match &*c.func {
            Expr::Attribute(a) => {
                let of = self.eval(&a.value)?;
                let plain = c.arguments.keywords.is_empty() && c.arguments.args.len() < 2;
                if let (Thing::Known(value), true) = (&of.thing, plain) {
                    let mut given = Vec::new();
                    for e in &c.arguments.args {
                        if self.names.read_in(e.range()) {
                            break;
                        }
                        if let Thing::Known(value) = self.eval(e)?.thing {
                            given.push(value);
                        }
                    }
                    let result = value::method(value, &a.attr, &given);
                    if given.len() == c.arguments.args.len()
                        && let Some(result) = result
                    {
                        return Ok(Evaluated::folded(c.range(), result, &[&of]));
                    }
                }
                let of = self.emit(of, Use::Whole)?;
                self.attribute(&of, &a.attr)
            }
            f => self.eval_out(f)?,
        };
        match callee {
            Thing::Reader(layer, take) => self.take(layer, take, c),
            Thing::Function(f) => self.call_function(f, c),
            Thing::Builtin(name) => self.builtin(name, c),
            Thing::Opaque | Thing::Sys | Thing::Stream(_) => Err(Stop),
            Thing::Data | Thing::Known(_) => self.generic(c),
        }
    }

    /// A call of something that does not read by itself.
    pub(super) fn generic(&mut self, c: &'a ExprCall) -> Result<Evaluated<'a>, Stop> {
        let values = c.arguments.keywords.iter().map(|k| &k.value);
        for e in c.arguments.args.iter().chain(values) {
            let thing = self.eval_out(e)?;
            if self.may_read(&thing) {
                return Err(Stop);
            }
        }
        Ok(data())
    }

    pub(super) fn take(
        &mut self,
        layer: Layer,
        take: Take,
        c: &'a ExprCall,
    ) -> Result<Evaluated<'a>, Stop> {
        let mut prompts = Vec::new();
        if !c.arguments.keywords.is_empty() {
            return Err(Stop);
        }
        match (&*c.arguments.args, take) {
            ([], _) => {}
            ([prompt], Take::Input) => {
                let simple = matches!(
                    prompt,
                    Expr::StringLiteral(_) | Expr::FString(_) | Expr::Name(_) | Expr::BinOp(_)
                );
                let shadowed = self.names.bound.contains_key("print");
                if !simple || shadowed || self.folding > 0 || self.names.read_in(prompt.range()) {
                    return Err(Stop);
                }
                prompts.push(prompt.range());
            }
            _ => return Err(Stop),
        }
        let value = self.read(layer, take)?;
        Ok(Evaluated {
            thing: Thing::Known(value),
            pending: Some(Pending {
                range: c.range(),
                parts: Vec::new(),
                prompts,
                lazy: false,
            }),
        })
    }

    /// The lines of a stream that something takes items from.
    pub(super) fn lines_of(
        &mut self,
        value: Evaluated<'a>,
        range: TextRange,
    ) -> Result<Evaluated<'a>, Stop> {
        let Thing::Stream(layer) = value.thing else {
            return Ok(value);
        };
        Ok(Evaluated {
            thing: Thing::Known(self.read(layer, Take::Lines)?),
            pending: Some(Pending {
                range,
                parts: Vec::new(),
                prompts: Vec::new(),
                lazy: true,
            }),
        })
    }

    pub(super) fn builtin(
        &mut self,
        name: &'a str,
        c: &'a ExprCall,
    ) -> Result<Evaluated<'a>, Stop> {
        let arguments = &*c.arguments.args;
        let keywords = &c.arguments.keywords;
        let plain = keywords.is_empty() && !arguments.iter().any(|e| e.is_starred_expr());
        match (name, arguments) {
            ("open", _) => self.open_input(arguments, plain),
            ("int" | "float" | "str", [e]) if plain => self.conversion(name, e, c.range()),
            ("list" | "tuple", [e]) if plain => self.listing(name, e, c.range()),
            ("sorted" | "sum" | "max" | "min" | "set" | "frozenset", [e])
                if !e.is_starred_expr()
                    && !keywords.iter().any(|k| self.names.read_in(k.range)) =>
            {
                let value = self.eval(e)?;
                let value = self.lines_of(value, e.range())?;
                let items = value.items().filter(|_| plain);
                let result = items.and_then(|items| reduced(name, &items));
                if self.folding > 0 {
                    return Ok(result.map_or_else(data, known));
                }
                self.opaque_argument(value, Use::Eager)?;
                Ok(result.map_or_else(data, known))
            }
            ("map", [f, e]) if plain => self.map(f, e, c.range()),
            ("enumerate" | "zip", _) if plain => {
                for e in arguments {
                    let value = self.eval(e)?;
                    self.opaque_argument(value, Use::Items)?;
                }
                Ok(data())
            }
            ("next", [e]) if plain => self.next_line(e, c.range()),
            ("range" | "len" | "abs" | "max" | "min", _) if plain => {
                self.computation(name, arguments)
            }
            _ => self.generic(c),
        }
    }

    /// `open(0)`, once.
    fn open_input(&mut self, arguments: &[Expr], plain: bool) -> Result<Evaluated<'a>, Stop> {
        let zero = |e: &Expr| match e {
            Expr::NumberLiteral(n) => n.value == Number::Int(0u8.into()),
            _ => false,
        };
        if !plain || arguments.len() != 1 || !zero(&arguments[0]) || self.opened {
            return Err(Stop);
        }
        self.opened = true;
        Ok(Thing::Stream(Layer::File).into())
    }

    /// `int(e)` and the like.
    fn conversion(
        &mut self,
        name: &str,
        e: &'a Expr,
        range: TextRange,
    ) -> Result<Evaluated<'a>, Stop> {
        let value = self.eval(e)?;
        let converted = match &value.thing {
            Thing::Known(v) if name == "int" => value::to_int(v),
            Thing::Known(v) if name == "float" => value::to_float(v),
            Thing::Known(v @ Value::Str(_)) => Some(v.clone()),
            Thing::Known(Value::Int(n)) => Some(Value::Str(n.to_string())),
            _ => None,
        };
        match converted {
            Some(converted) => Ok(Evaluated::folded(range, converted, &[&value])),
            None => self.opaque_argument(value, Use::Whole),
        }
    }

    /// `list(e)` and `tuple(e)`
    fn listing(
        &mut self,
        name: &str,
        e: &'a Expr,
        range: TextRange,
    ) -> Result<Evaluated<'a>, Stop> {
        let value = self.eval(e)?;
        let value = self.lines_of(value, e.range())?;
        let Some(items) = value.items() else {
            return self.opaque_argument(value, Use::Eager);
        };
        let items = if name == "list" {
            Value::List(items)
        } else {
            Value::Tuple(items)
        };
        let mut folded = Evaluated::folded(range, items, &[&value]);
        if let Some(pending) = &mut folded.pending {
            pending.lazy = false;
        }
        Ok(folded)
    }

    /// `next(e)` of a stream.
    fn next_line(&mut self, e: &'a Expr, range: TextRange) -> Result<Evaluated<'a>, Stop> {
        let value = self.eval(e)?;
        let Thing::Stream(layer) = value.thing else {
            return self.opaque_argument(value, Use::Whole);
        };
        match self.read(layer, Take::Line)? {
            Value::Str(line) | Value::Bytes(line) if line.is_empty() => Err(Stop),
            line => Ok(Evaluated {
                thing: Thing::Known(line),
                pending: Some(Pending {
                    range,
                    parts: Vec::new(),
                    prompts: Vec::new(),
                    lazy: false,
                }),
            }),
        }
    }

    /// Functions of known values.
    fn computation(&mut self, name: &str, arguments: &'a [Expr]) -> Result<Evaluated<'a>, Stop> {
        let mut values = Vec::new();
        for e in arguments {
            match self.eval_out(e)? {
                thing if self.may_read(&thing) => return Err(Stop),
                Thing::Known(value) => values.push(value),
                _ => {}
            }
        }
        let all = values.len() == arguments.len();
        Ok(all
            .then(|| computed(name, &values))
            .flatten()
            .map_or_else(data, known))
    }

    pub(super) fn opaque_argument(
        &mut self,
        value: Evaluated<'a>,
        how: Use,
    ) -> Result<Evaluated<'a>, Stop> {
        if self.may_read(&value.thing) {
            return Err(Stop);
        }
        self.emit(value, how)?;
        Ok(data())
    }

    pub(super) fn map(
        &mut self,
        f: &'a Expr,
        e: &'a Expr,
        range: TextRange,
    ) -> Result<Evaluated<'a>, Stop> {
        let function = self.eval_out(f)?;
        let value = self.eval(e)?;
        let value = self.lines_of(value, e.range())?;
        let (mark, before) = (self.mark(), self.reads);
        let given = value.pending.is_some() || self.names.read_in(range) || self.folding > 0;
        if let Some(items) = value.items().filter(|_| given) {
            self.folding += 1;
            let results: Result<Vec<Value>, Stop> = items
                .into_iter()
                .map(|item| self.apply(&function, item))
                .collect();
            self.folding -= 1;
            if let Ok(results) = results {
                let mut folded = Evaluated::folded(range, Value::Iter(results), &[&value]);
                if self.reads > before {
                    folded.pending = Some(Pending {
                        range,
                        parts: Vec::new(),
                        prompts: value.pending.map(|p| p.prompts).unwrap_or_default(),
                        lazy: true,
                    });
                }
                return Ok(folded);
            }
            self.reset(mark);
        }
        if self.may_read(&function) {
            return Err(Stop);
        }
        self.opaque_argument(value, Use::Items)
    }

    pub(super) fn apply(&mut self, function: &Thing<'a>, item: Value) -> Result<Value, Stop> {
        self.step()?;
        let result = match function {
            Thing::Builtin("int") => value::to_int(&item),
            Thing::Builtin("float") => value::to_float(&item),
            Thing::Builtin("str") => Some(item).filter(|v| matches!(v, Value::Str(_))),
            Thing::Builtin("list") => item.items().map(Value::List),
            Thing::Function(f) => {
                let (f, here) = (*f, self.here);
                let result = self.fold_function(f, vec![Thing::Known(item)]);
                self.here = here;
                match result?.thing {
                    Thing::Known(value) => Some(value),
                    _ => None,
                }
            }
            _ => None,
        };
        result
            .filter(|v| v.has_literal() && !matches!(v, Value::Iter(_)))
            .ok_or(Stop)
    }
}

fn integers(values: &[Value]) -> Option<Vec<i128>> {
    let integer = |v: &Value| match v {
        Value::Int(n) => Some(*n),
        _ => None,
    };
    values.iter().map(integer).collect()
}

/// The result of a function on the items of one argument.
fn reduced(name: &str, items: &[Value]) -> Option<Value> {
    let mut all = integers(items)?;
    Some(match name {
        "sorted" => {
            all.sort_unstable();
            Value::List(all.into_iter().map(Value::Int).collect())
        }
        "sum" => Value::Int(all.iter().try_fold(0i128, |a, b| a.checked_add(*b))?),
        "max" => Value::Int(*all.iter().max()?),
        "min" => Value::Int(*all.iter().min()?),
        _ => return None,
    })
}

fn computed(name: &str, values: &[Value]) -> Option<Value> {
    if let ("len", [value]) = (name, values) {
        let count = match value {
            Value::Str(text) => text.chars().count(),
            Value::Bytes(text) => text.len(),
            Value::List(items) | Value::Tuple(items) => items.len(),
            _ => return None,
        };
        return Some(Value::Int(count as i128));
    }
    let all = integers(values)?;
    match (name, &*all) {
        ("range", [stop]) => Some(Value::Range(0, *stop, 1)),
        ("range", [start, stop]) => Some(Value::Range(*start, *stop, 1)),
        ("range", [start, stop, step]) => Some(Value::Range(*start, *stop, *step)),
        ("abs", [n]) => Some(Value::Int(n.abs())),
        ("max" | "min", [_, _, ..]) => reduced(name, values),
        _ => None,
    }
}
