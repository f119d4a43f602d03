//! Calls of the program's own functions, and comprehensions: code with names of its own.

use std::collections::HashSet;

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{Comprehension, Expr, ExprCall, Stmt};
use ruff_text_size::{Ranged, TextRange};

use super::binds::Binds;
use super::eval::{Evaluated, Pending, Use, data};
use super::scope::{Body, Function, Stop, Thing};
use super::value::Value;
use super::walk::Walk;

impl<'a> Walk<'a> {
    pub(super) fn call_function(
        &mut self,
        f: Function<'a>,
        c: &'a ExprCall,
    ) -> Result<Evaluated<'a>, Stop> {
        let reads = self.names.read_in(f.range);
        let by_place = c.arguments.keywords.is_empty()
            && !c.arguments.args.iter().any(|e| e.is_starred_expr());
        if !by_place {
            return if reads { Err(Stop) } else { self.generic(c) };
        }
        let mut values = Vec::new();
        for e in &c.arguments.args {
            let value = self.eval(e)?;
            if self.may_read(&value.thing) {
                return Err(Stop);
            }
            values.push(value);
        }
        let pending = values.iter().any(|v| v.pending.is_some());
        if (reads && !pending) || (!reads && (pending || self.folding > 0)) {
            let mark = self.mark();
            self.folding += 1;
            let things = values.iter().map(|v| v.thing.clone()).collect();
            let result = self.fold_function(f, things);
            self.folding -= 1;
            if let Ok(Evaluated {
                thing: Thing::Known(value),
                pending: inner,
            }) = result
                && value.has_literal()
            {
                let parts: Vec<&Evaluated<'a>> = values.iter().collect();
                let mut folded = Evaluated::folded(c.range(), value, &parts);
                if reads {
                    folded.pending = Some(Pending {
                        range: c.range(),
                        parts: Vec::new(),
                        prompts: Vec::new(),
                        lazy: inner.is_some_and(|p| p.lazy),
                    });
                }
                return Ok(folded);
            }
            self.reset(mark);
        }
        if reads && self.folding > 0 {
            return Err(Stop);
        }
        let mut things = Vec::new();
        for value in values {
            things.push(self.emit(value, Use::Whole)?);
        }
        if !reads {
            return Ok(data());
        }
        let count = |of: &std::collections::HashMap<String, usize>| of.get(f.name).copied();
        let once = count(&self.names.loads) == Some(1) && count(&self.names.bound) == Some(1);
        let linear = self.linear && once && self.whole == Some(c.range());
        let back = self.here;
        self.open(f, things, !once)?;
        Ok(match f.body {
            Body::Expression(e) => {
                let thing = self.eval_out(e)?;
                self.leave(back);
                thing.into()
            }
            Body::Statements(body) => self.call(body, back, linear)?.into(),
        })
    }

    /// The result of a single-expression function.
    pub(super) fn fold_function(
        &mut self,
        f: Function<'a>,
        arguments: Vec<Thing<'a>>,
    ) -> Result<Evaluated<'a>, Stop> {
        let e = match f.body {
            Body::Expression(e) => e,
            Body::Statements([Stmt::Return(r)]) => r.value.as_deref().ok_or(Stop)?,
            Body::Statements([Stmt::Expr(s), Stmt::Return(r)])
                if s.value.is_string_literal_expr() =>
            {
                r.value.as_deref().ok_or(Stop)?
            }
            Body::Statements(_) => return Err(Stop),
        };
        let back = self.here;
        self.open(f, arguments, false)?;
        let value = self.eval(e)?;
        self.leave(back);
        Ok(value)
    }

    /// Enters a function's scope with its parameters bound.
    pub(super) fn open(
        &mut self,
        f: Function<'a>,
        arguments: Vec<Thing<'a>>,
        shared: bool,
    ) -> Result<(), Stop> {
        if self.frames.get(f.parent).map(|frame| frame.id) != Some(f.parent_id) {
            return Err(Stop);
        }
        let mut locals: HashSet<&'a str> = match f.body {
            Body::Expression(_) => HashSet::new(),
            Body::Statements(body) => {
                let binds = Binds::of(body);
                binds.names.difference(&binds.outer).copied().collect()
            }
        };
        let mut bound = Vec::new();
        let mut given = arguments.into_iter();
        if let Some(parameters) = f.parameters {
            for parameter in parameters.posonlyargs.iter().chain(&parameters.args) {
                let thing = match (given.next(), &parameter.default) {
                    (Some(thing), _) => thing,
                    (None, Some(default)) => self.default(default),
                    (None, None) => return Err(Stop),
                };
                bound.push((parameter.parameter.name.as_str(), thing));
            }
            let only = parameters.kwonlyargs.iter().map(|p| &p.parameter);
            let rest = [&parameters.vararg, &parameters.kwarg];
            let rest = rest.into_iter().flatten().map(|p| &**p);
            bound.extend(only.chain(rest).map(|p| (p.name.as_str(), Thing::Data)));
            if given.next().is_some() && parameters.vararg.is_none() {
                return Err(Stop);
            }
        } else if given.next().is_some() {
            return Err(Stop);
        }
        locals.extend(bound.iter().map(|(name, _)| *name));
        self.enter(f.parent, locals, false, shared)?;
        for (name, thing) in bound {
            self.bind(name, thing);
        }
        Ok(())
    }

    pub(super) fn default(&self, e: &'a Expr) -> Thing<'a> {
        match e {
            Expr::Name(n) if !self.names.bound.contains_key(n.id.as_str()) => self.lookup(&n.id),
            _ => Thing::Data,
        }
    }

    pub(super) fn comprehension(
        &mut self,
        whole: &'a Expr,
        element: &'a Expr,
        generators: &'a [Comprehension],
        lazy: bool,
    ) -> Result<Evaluated<'a>, Stop> {
        let range = whole.range();
        let Some(outer) = generators.first() else {
            return Err(Stop);
        };
        if !self.names.read_in(range) && self.folding == 0 {
            return Ok(data());
        }
        if generators.iter().any(|g| g.is_async) {
            return Err(Stop);
        }
        let first = self.eval(&outer.iter)?;
        let first = self.lines_of(first, outer.iter.range())?;
        if self.may_read(&first.thing) {
            return Err(Stop);
        }
        let items = first.items();
        let (mark, before) = (self.mark(), self.reads);
        if let Some(items) = items.clone() {
            let mut values = Vec::new();
            self.folding += 1;
            let result = self.comprehended(generators, element, items, &mut values);
            self.folding -= 1;
            if result.is_ok() {
                let read = self.reads > before;
                let value = if lazy {
                    Value::Iter(values)
                } else {
                    Value::List(values)
                };
                let mut folded = Evaluated::folded(range, value, &[&first]);
                if let Some(pending) = &mut folded.pending {
                    pending.lazy &= lazy;
                }
                if read {
                    folded.pending = Some(Pending {
                        range,
                        parts: Vec::new(),
                        prompts: first.pending.map(|p| p.prompts).unwrap_or_default(),
                        lazy,
                    });
                }
                return Ok(folded);
            }
            self.reset(mark);
        }
        if self.folding > 0 {
            return Err(Stop);
        }
        let (start, end) = (outer.iter.range().start(), outer.iter.range().end());
        let around = [
            TextRange::new(range.start(), start),
            TextRange::new(end, range.end()),
        ];
        if !around.iter().any(|r| self.names.read_in(*r)) {
            self.emit(first, if lazy { Use::Items } else { Use::Eager })?;
            return Ok(data());
        }
        let first_lazy = first.pending.as_ref().is_some_and(|p| p.lazy);
        if lazy || first_lazy {
            return Err(Stop);
        }
        self.emit(first, Use::Eager)?;
        self.comprehended(generators, element, items.ok_or(Stop)?, &mut Vec::new())?;
        Ok(data())
    }

    pub(super) fn comprehended(
        &mut self,
        generators: &'a [Comprehension],
        element: &'a Expr,
        items: Vec<Value>,
        out: &mut Vec<Value>,
    ) -> Result<(), Stop> {
        let mut targets = Binds::default();
        for generator in generators {
            targets.visit_expr(&generator.target);
        }
        let back = self.here;
        self.enter(back, targets.names, true, false)?;
        self.turns_of(generators, element, items, out)?;
        self.leave(back);
        Ok(())
    }

    pub(super) fn turns_of(
        &mut self,
        generators: &'a [Comprehension],
        element: &'a Expr,
        items: Vec<Value>,
        out: &mut Vec<Value>,
    ) -> Result<(), Stop> {
        let Some((generator, inner)) = generators.split_first() else {
            return Err(Stop);
        };
        'items: for item in items {
            self.step()?;
            self.assign(&generator.target, Thing::Known(item))?;
            for condition in &generator.ifs {
                let thing = self.eval_out(condition)?;
                let Thing::Known(value) = thing else {
                    return Err(Stop);
                };
                if !value.truth().ok_or(Stop)? {
                    continue 'items;
                }
            }
            if let Some(next) = inner.first() {
                let value = self.eval(&next.iter)?;
                let items = value.items().ok_or(Stop)?;
                self.emit(value, Use::Eager)?;
                self.turns_of(inner, element, items, out)?;
                continue;
            }
            let thing = self.eval_out(element)?;
            match thing {
                Thing::Known(value) if value.has_literal() && !matches!(value, Value::Iter(_)) => {
                    out.push(value);
                }
                _ if self.folding > 0 => return Err(Stop),
                thing if self.may_read(&thing) => return Err(Stop),
                _ => {}
            }
        }
        Ok(())
    }
}
