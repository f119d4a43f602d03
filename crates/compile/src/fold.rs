//! Constant folding, with the limits of CPython's.
//!
//! A node whose children are folded is folded in place. Non-constants are unchanged; operations that fail
//! or would grow too large are left for execution.

use super::arithmetic;
use super::ast::*;
use super::percent;
use crate::code::Constant;

/// Folds an expression whose children are folded.
pub(super) fn fold(expr: &mut Expr) {
    let folded = match &mut expr.kind {
        ExprKind::BinOp { left, op, right } => {
            if let (Some(Constant::Str(format)), Binary::Remainder, ExprKind::Tuple { elts, .. }) =
                (left.constant(), *op, &mut right.kind)
            {
                percent::fields(format, elts)
            } else {
                match (left.constant(), right.constant()) {
                    (Some(left), Some(right)) => {
                        arithmetic::binary(left, *op, right).map(ExprKind::Constant)
                    }
                    _ => None,
                }
            }
        }
        ExprKind::UnaryOp { op, operand } => match operand.constant() {
            Some(value) => arithmetic::unary(*op, value).map(ExprKind::Constant),
            None => {
                if *op == Unary::Not && negate(operand) {
                    let inner = Expr {
                        loc: operand.loc,
                        kind: ExprKind::Constant(Constant::None),
                    };
                    *expr = std::mem::replace(&mut **operand, inner);
                }
                return;
            }
        },
        ExprKind::Compare {
            ops, comparators, ..
        } => {
            if let (Some(Cmp::In | Cmp::NotIn), Some(last)) = (ops.last(), comparators.last_mut()) {
                iterable(last);
            }
            return;
        }
        ExprKind::Tuple {
            elts,
            ctx: Ctx::Load,
        } => tuple(elts),
        ExprKind::Subscript {
            value,
            slice,
            ctx: Ctx::Load,
        } => match (value.constant(), slice.constant()) {
            (Some(value), Some(index)) => subscript(value, index).map(ExprKind::Constant),
            _ => None,
        },
        ExprKind::Name { id, ctx: Ctx::Load } if &**id == "__debug__" => {
            Some(ExprKind::Constant(Constant::Bool(true)))
        }
        _ => None,
    };
    if let Some(kind) = folded {
        expr.kind = kind;
    }
}

/// Turns a single comparison with `is` or `in` into its opposite.
fn negate(expr: &mut Expr) -> bool {
    let ExprKind::Compare { ops, .. } = &mut expr.kind else {
        return false;
    };
    let [op] = ops.as_mut_slice() else {
        return false;
    };
    *op = match op {
        Cmp::Is => Cmp::IsNot,
        Cmp::IsNot => Cmp::Is,
        Cmp::In => Cmp::NotIn,
        Cmp::NotIn => Cmp::In,
        _ => return false,
    };
    true
}

fn constants(elts: &[Expr]) -> Option<Vec<Constant>> {
    elts.iter().map(|elt| elt.constant().cloned()).collect()
}

fn tuple(elts: &[Expr]) -> Option<ExprKind> {
    constants(elts).map(|items| ExprKind::Constant(Constant::Tuple(items.into())))
}

/// A display that is only iterated over: a list becomes a tuple, a set of constants a frozenset.
pub(super) fn iterable(expr: &mut Expr) {
    match &mut expr.kind {
        ExprKind::List { elts, .. } => {
            if elts.iter().any(Expr::is_starred) {
                return;
            }
            let elts = std::mem::take(elts);
            expr.kind = tuple(&elts).unwrap_or(ExprKind::Tuple {
                elts,
                ctx: Ctx::Load,
            });
        }
        ExprKind::Set(elts) => {
            if let Some(items) = constants(elts) {
                expr.kind = ExprKind::Constant(frozenset(items));
            }
        }
        _ => {}
    }
}

fn subscript(value: &Constant, index: &Constant) -> Option<Constant> {
    let index = match index {
        Constant::Int(index) => *index,
        Constant::Bool(index) => i64::from(*index),
        _ => return None,
    };
    let place = |length: usize| {
        let length = length as i64;
        let at = if index < 0 { index + length } else { index };
        (0..length).contains(&at).then_some(at as usize)
    };
    match value {
        Constant::Str(text) => {
            let at = place(text.chars().count())?;
            text.chars()
                .nth(at)
                .map(|c| Constant::Str(c.to_string().into()))
        }
        Constant::Bytes(bytes) => Some(Constant::Int(i64::from(bytes[place(bytes.len())?]))),
        Constant::Tuple(items) => Some(items[place(items.len())?].clone()),
        _ => None,
    }
}

/// A frozenset of constants, each once.
pub(super) fn frozenset(items: Vec<Constant>) -> Constant {
    let mut unique: Vec<Constant> = Vec::with_capacity(items.len());
    let mut keys = std::collections::HashSet::new();
    for item in items {
        if keys.insert(value_key(&item)) {
            unique.push(item);
        }
    }
    Constant::Frozenset(unique.into())
}

/// Whether two constants are equal in Python: `1`, `1.0` and `True` are.
pub(super) fn equal(left: &Constant, right: &Constant) -> bool {
    value_key(left) == value_key(right)
}

/// A key that is equal for equal constants.
fn value_key(value: &Constant) -> String {
    let float = |value: f64| {
        let whole = value.is_finite() && value.fract() == 0.0;
        let exact = whole.then(|| arithmetic::whole(value)).flatten();
        exact.map_or_else(|| format!("f{value:?}"), |value| format!("i{value}"))
    };
    match value {
        Constant::Bool(value) => format!("i{}", u8::from(*value)),
        Constant::Int(value) => format!("i{value}"),
        Constant::BigInt(value) => format!("i{value}"),
        Constant::Float(value) => float(*value),
        Constant::Complex(real, imaginary) if *imaginary == 0.0 => float(*real),
        Constant::Tuple(items) => {
            let items: Vec<String> = items.iter().map(value_key).collect();
            format!("t{items:?}")
        }
        other => format!("o{other:?}"),
    }
}
