//! Evaluates expressions as far as they are known before the program runs, in Python's order, and
//! reads input where they do.
//!
//! The largest expression that reads and whose value has a literal is replaced as a whole; the code
//! around it (arithmetic, calls of anything but conversions) stays. An expression that reads and is
//! not understood stops the walk.

use ruff_python_ast::{
    BoolOp, CmpOp, Expr, ExprBoolOp, ExprCompare, ExprSubscript, ExprUnaryOp, Number, Operator,
    UnaryOp,
};
use ruff_text_size::{Ranged, TextRange};

use super::scope::{Body, Function, Layer, Stop, Take, Thing};
use super::value::Value;
use super::walk::Walk;

/// An expression that reads, not replaced yet.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    pub range: TextRange,
    /// The alternative replacement if no literal can express the whole.
    pub parts: Vec<(TextRange, Value)>,
    pub prompts: Vec<TextRange>,
    /// Whether it reads only when something takes its items.
    pub lazy: bool,
}

/// The value of an expression.
#[derive(Debug, Clone)]
pub(super) struct Evaluated<'a> {
    pub thing: Thing<'a>,
    pub pending: Option<Pending>,
}

/// Use of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// In any way.
    Whole,
    /// Its items are taken one by one.
    Items,
    /// Its items are taken together.
    Eager,
}

impl<'a> From<Thing<'a>> for Evaluated<'a> {
    fn from(thing: Thing<'a>) -> Self {
        let pending = None;
        Self { thing, pending }
    }
}

impl<'a> Evaluated<'a> {
    /// `value` at `range`, made of `parts`.
    pub(super) fn folded(range: TextRange, value: Value, parts: &[&Evaluated<'a>]) -> Self {
        let all: Vec<&Pending> = parts.iter().filter_map(|p| p.pending.as_ref()).collect();
        let pending = (!all.is_empty()).then(|| Pending {
            range,
            parts: parts.iter().flat_map(|p| p.best()).collect(),
            prompts: all.iter().flat_map(|p| p.prompts.clone()).collect(),
            lazy: all.iter().any(|p| p.lazy),
        });
        Self {
            thing: Thing::Known(value),
            pending,
        }
    }

    fn best(&self) -> Vec<(TextRange, Value)> {
        match (&self.pending, &self.thing) {
            (None, _) => Vec::new(),
            (Some(p), Thing::Known(value))
                if value.has_literal() && !matches!(value, Value::Iter(_)) =>
            {
                vec![(p.range, value.clone())]
            }
            (Some(p), _) => p.parts.clone(),
        }
    }

    pub(super) fn items(&self) -> Option<Vec<Value>> {
        match &self.thing {
            Thing::Known(value) => value.items(),
            _ => None,
        }
    }
}

pub(super) fn data<'a>() -> Evaluated<'a> {
    Thing::Data.into()
}

pub(super) fn known<'a>(value: Value) -> Evaluated<'a> {
    Thing::Known(value).into()
}

/// The value of a binary operation; unknown if it would fail.
pub(super) fn arithmetic<'a>(op: Operator, left: &Thing<'a>, right: &Thing<'a>) -> Thing<'a> {
    let value = match (left, right) {
        (Thing::Known(Value::Int(a)), Thing::Known(Value::Int(b))) => {
            let floor = |a: i128, b: i128| {
                let (q, r) = (a.checked_div(b)?, a.checked_rem(b)?);
                Some(q - i128::from(r != 0 && (r < 0) != (b < 0)))
            };
            let result = match op {
                Operator::Add => a.checked_add(*b),
                Operator::Sub => a.checked_sub(*b),
                Operator::Mult => a.checked_mul(*b),
                Operator::FloorDiv => floor(*a, *b),
                Operator::Mod => floor(*a, *b).and_then(|q| a.checked_sub(q.checked_mul(*b)?)),
                Operator::Pow => u32::try_from(*b).ok().and_then(|b| a.checked_pow(b)),
                _ => None,
            };
            result
                .filter(|n| n.unsigned_abs() < 1 << 100)
                .map(Value::Int)
        }
        (Thing::Known(Value::Str(a)), Thing::Known(Value::Str(b))) if op == Operator::Add => {
            Some(Value::Str(format!("{a}{b}")))
        }
        (Thing::Known(Value::List(a)), Thing::Known(Value::List(b))) if op == Operator::Add => {
            Some(Value::List([a.as_slice(), b].concat()))
        }
        _ => None,
    };
    value.map_or(Thing::Data, Thing::Known)
}

fn compared(op: CmpOp, left: &Value, right: &Value) -> Option<bool> {
    let order = match (left, right) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Str(a), Value::Str(b)) => a.cmp(b),
        (Value::Str(_), Value::List(items) | Value::Tuple(items)) => {
            let all = items.iter().all(|i| matches!(i, Value::Str(_)));
            return match op {
                CmpOp::In if all => Some(items.contains(left)),
                CmpOp::NotIn if all => Some(!items.contains(left)),
                _ => None,
            };
        }
        _ => return None,
    };
    Some(match op {
        CmpOp::Eq => order.is_eq(),
        CmpOp::NotEq => order.is_ne(),
        CmpOp::Lt => order.is_lt(),
        CmpOp::LtE => order.is_le(),
        CmpOp::Gt => order.is_gt(),
        CmpOp::GtE => order.is_ge(),
        _ => return None,
    })
}

fn indexed(value: &Value, index: &Value) -> Option<Value> {
    let (Value::List(items) | Value::Tuple(items), Value::Int(at)) = (value, index) else {
        return None;
    };
    let at = if *at < 0 {
        at + items.len() as i128
    } else {
        *at
    };
    items.get(usize::try_from(at).ok()?).cloned()
}

impl<'a> Walk<'a> {
    /// Replaces pending expressions to suit `how` the value is used.
    pub(super) fn emit(&mut self, value: Evaluated<'a>, how: Use) -> Result<Thing<'a>, Stop> {
        let Some(pending) = &value.pending else {
            return Ok(value.thing);
        };
        if self.folding > 0 {
            return Ok(value.thing);
        }
        if !pending.prompts.is_empty() || (pending.lazy && how != Use::Eager) {
            return Err(Stop);
        }
        match &value.thing {
            Thing::Known(known)
                if known.has_literal()
                    && (how != Use::Whole || !matches!(known, Value::Iter(_))) =>
            {
                self.note(pending.range, known.clone(), Vec::new(), false);
            }
            _ if pending.lazy || pending.parts.is_empty() => return Err(Stop),
            _ => {
                for (range, part) in &pending.parts {
                    self.note(*range, part.clone(), Vec::new(), false);
                }
            }
        }
        Ok(value.thing)
    }

    pub(super) fn eval_out(&mut self, e: &'a Expr) -> Result<Thing<'a>, Stop> {
        let value = self.eval(e)?;
        self.emit(value, Use::Whole)
    }

    /// The value of `e`.
    pub(super) fn eval(&mut self, e: &'a Expr) -> Result<Evaluated<'a>, Stop> {
        self.step()?;
        let reads = self.names.read_in(e.range());
        Ok(match e {
            Expr::NumberLiteral(n) => match &n.value {
                Number::Int(n) => n
                    .as_i64()
                    .map_or_else(data, |n| known(Value::Int(n.into()))),
                _ => data(),
            },
            Expr::StringLiteral(s) => known(Value::Str(s.value.to_str().to_owned())),
            Expr::BytesLiteral(b) => {
                let bytes: Vec<u8> = b.value.bytes().collect();
                match String::from_utf8(bytes) {
                    Ok(text) if text.is_ascii() => known(Value::Bytes(text)),
                    _ => data(),
                }
            }
            Expr::BooleanLiteral(b) => known(Value::Bool(b.value)),
            Expr::Name(n) => self.lookup(&n.id).into(),
            Expr::Attribute(a) => {
                let of = self.eval_out(&a.value)?;
                self.attribute(&of, &a.attr).into()
            }
            Expr::Call(c) => self.call_expression(c)?,
            Expr::Lambda(l) => Thing::Function(Function {
                name: "",
                range: l.range,
                parameters: l.parameters.as_deref(),
                body: Body::Expression(&l.body),
                parent: self.here,
                parent_id: self.frames[self.here].id,
            })
            .into(),
            Expr::BinOp(b) => {
                let left = self.eval_out(&b.left)?;
                let right = self.eval_out(&b.right)?;
                arithmetic(b.op, &left, &right).into()
            }
            Expr::UnaryOp(u) => self.unary(u)?,
            Expr::Compare(c) => self.comparison(c)?,
            Expr::BoolOp(b) => self.connected(b)?,
            Expr::If(i) => match self.eval_out(&i.test)? {
                Thing::Known(value) if value.truth() == Some(true) => self.eval(&i.body)?,
                Thing::Known(value) if value.truth() == Some(false) => self.eval(&i.orelse)?,
                _ if [&i.body, &i.orelse]
                    .iter()
                    .any(|e| self.names.read_in(e.range())) =>
                {
                    return Err(Stop);
                }
                _ => data(),
            },
            Expr::Tuple(t) => self.display(&t.elts, t.range, Value::Tuple)?,
            Expr::List(l) => self.display(&l.elts, l.range, Value::List)?,
            Expr::Set(s) => {
                for e in &s.elts {
                    self.eval_out(e)?;
                }
                data()
            }
            Expr::Subscript(s) => self.subscript(s)?,
            Expr::Slice(s) => {
                for e in [&s.lower, &s.upper, &s.step].into_iter().flatten() {
                    self.eval_out(e)?;
                }
                data()
            }
            Expr::Starred(s) => {
                let value = self.eval(&s.value)?;
                self.emit(value, Use::Eager)?;
                data()
            }
            Expr::ListComp(c) => self.comprehension(e, &c.elt, &c.generators, false)?,
            Expr::Generator(c) => self.comprehension(e, &c.elt, &c.generators, true)?,
            Expr::Named(n) if reads && self.folding == 0 => self.eval_out(&n.value)?.into(),
            _ if reads => return Err(Stop),
            _ => data(),
        })
    }

    /// `-a`, `not a`
    fn unary(&mut self, u: &'a ExprUnaryOp) -> Result<Evaluated<'a>, Stop> {
        let value = self.eval_out(&u.operand)?;
        Ok(match (u.op, value) {
            (UnaryOp::USub, Thing::Known(Value::Int(n))) => known(Value::Int(-n)),
            (UnaryOp::Not, Thing::Known(value)) => value
                .truth()
                .map_or_else(data, |truth| known(Value::Bool(!truth))),
            _ => data(),
        })
    }

    /// `a < b`
    fn comparison(&mut self, c: &'a ExprCompare) -> Result<Evaluated<'a>, Stop> {
        let left = self.eval_out(&c.left)?;
        let [right] = &*c.comparators else {
            // the rest is evaluated only while the comparisons hold
            let rest = c.comparators.iter().any(|e| self.names.read_in(e.range()));
            return if rest { Err(Stop) } else { Ok(data()) };
        };
        let right = self.eval_out(right)?;
        let result = match (&left, &right, c.ops.first()) {
            (Thing::Known(a), Thing::Known(b), Some(op)) => compared(*op, a, b),
            _ => None,
        };
        Ok(result.map_or_else(data, |truth| known(Value::Bool(truth))))
    }

    /// `a and b`, as far as it is evaluated.
    fn connected(&mut self, b: &'a ExprBoolOp) -> Result<Evaluated<'a>, Stop> {
        let and = matches!(b.op, BoolOp::And);
        let mut last = Thing::Data;
        for (at, value) in b.values.iter().enumerate() {
            last = self.eval_out(value)?;
            let truth = match &last {
                Thing::Known(value) => value.truth(),
                _ => None,
            };
            let mut rest = b.values[at + 1..].iter();
            match truth {
                Some(truth) if truth != and => break,
                Some(_) => {}
                None if rest.any(|e| self.names.read_in(e.range())) => return Err(Stop),
                None => return Ok(data()),
            }
        }
        Ok(last.into())
    }

    /// `a[b]`
    fn subscript(&mut self, s: &'a ExprSubscript) -> Result<Evaluated<'a>, Stop> {
        let of = self.eval_out(&s.value)?;
        let at = self.eval_out(&s.slice)?;
        Ok(match (&of, &at) {
            (Thing::Known(of), Thing::Known(at)) => indexed(of, at).map_or_else(data, known),
            (of, _) if self.may_read(of) => Thing::Opaque.into(),
            _ => data(),
        })
    }

    /// A list or tuple display.
    pub(super) fn display(
        &mut self,
        elements: &'a [Expr],
        range: TextRange,
        make: fn(Vec<Value>) -> Value,
    ) -> Result<Evaluated<'a>, Stop> {
        let mut all = Vec::new();
        for e in elements {
            let inner = match e {
                Expr::Starred(s) => &s.value,
                e => e,
            };
            let value = self.eval(inner)?;
            if self.may_read(&value.thing) {
                return Err(Stop);
            }
            all.push((value, matches!(e, Expr::Starred(_))));
        }
        let mut items = Some(Vec::new());
        for (value, starred) in &all {
            let own = match (&value.thing, starred) {
                (Thing::Known(value), true) => value.items(),
                (Thing::Known(Value::Iter(_)), _) => None,
                (Thing::Known(value), _) => Some(vec![value.clone()]),
                _ => None,
            };
            items = items.zip(own).map(|(mut items, own): (Vec<Value>, _)| {
                items.extend(own);
                items
            });
        }
        let pending = all.iter().filter(|(value, _)| value.pending.is_some());
        let every = pending.count() == all.len() && !all.is_empty();
        if let Some(items) = &items
            && (every || self.folding > 0)
        {
            let parts: Vec<&Evaluated<'a>> = all.iter().map(|(value, _)| value).collect();
            let mut folded = Evaluated::folded(range, make(items.clone()), &parts);
            let split = all.iter().any(|(value, starred)| {
                let lazy = value.pending.as_ref().is_some_and(|p| p.lazy);
                lazy && !starred
            });
            if !split {
                if let Some(pending) = &mut folded.pending {
                    pending.lazy = false;
                }
                return Ok(folded);
            }
        }
        for (value, starred) in all {
            self.emit(value, if starred { Use::Eager } else { Use::Whole })?;
        }
        Ok(items.map_or_else(data, |items| known(make(items))))
    }

    pub(super) fn attribute(&self, of: &Thing<'a>, name: &str) -> Thing<'a> {
        let take = match name {
            "read" => Some(Take::All),
            "readline" => Some(Take::Line),
            "readlines" => Some(Take::Lines),
            _ => None,
        };
        match (of, take) {
            (Thing::Sys, _) if name == "stdin" => Thing::Stream(Layer::Text),
            (Thing::Stream(Layer::Text), _) if name == "buffer" => Thing::Stream(Layer::Bytes),
            (Thing::Stream(layer), Some(take)) => Thing::Reader(*layer, take),
            (Thing::Stream(_) | Thing::Reader(..) | Thing::Opaque, _) => Thing::Opaque,
            _ if self.names.readers.contains(name) => Thing::Opaque,
            (Thing::Function(f), _) if self.names.read_in(f.range) => Thing::Opaque,
            _ => Thing::Data,
        }
    }
}
