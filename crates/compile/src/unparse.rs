//! Unparses expressions: for annotations as strings, and constants in messages.

use super::ast::*;
use super::repr::{constant, quoted};
use crate::code::Constant;

const TUPLE: u8 = 0;
const TEST: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const CMP: u8 = 5;
const EXPR: u8 = 6;
const FACTOR: u8 = 12;
const POWER: u8 = 13;
const AWAIT: u8 = 14;
const ATOM: u8 = 15;

/// An annotation as a string, as kept by `from __future__ import annotations`.
pub(super) fn annotation(expr: &Expr) -> String {
    let mut out = String::new();
    write(expr, TEST, &mut out);
    out
}

fn parenthesized(when: bool, out: &mut String, inner: impl FnOnce(&mut String)) {
    if when {
        out.push('(');
    }
    inner(out);
    if when {
        out.push(')');
    }
}

fn list(elts: &[Expr], out: &mut String) {
    for (at, elt) in elts.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        write(elt, TEST, out);
    }
}

fn operator(op: Binary) -> (&'static str, u8) {
    match op {
        Binary::Add => (" + ", 10),
        Binary::Subtract => (" - ", 10),
        Binary::Multiply => (" * ", 11),
        Binary::MatrixMultiply => (" @ ", 11),
        Binary::TrueDivide => (" / ", 11),
        Binary::Remainder => (" % ", 11),
        Binary::FloorDivide => (" // ", 11),
        Binary::Lshift => (" << ", 9),
        Binary::Rshift => (" >> ", 9),
        Binary::Or => (" | ", EXPR),
        Binary::Xor => (" ^ ", 7),
        Binary::And => (" & ", 8),
        Binary::Power => (" ** ", POWER),
    }
}

fn comparison(op: Cmp) -> &'static str {
    match op {
        Cmp::Lt => " < ",
        Cmp::LtE => " <= ",
        Cmp::Eq => " == ",
        Cmp::NotEq => " != ",
        Cmp::Gt => " > ",
        Cmp::GtE => " >= ",
        Cmp::Is => " is ",
        Cmp::IsNot => " is not ",
        Cmp::In => " in ",
        Cmp::NotIn => " not in ",
    }
}

fn write(expr: &Expr, level: u8, out: &mut String) {
    match &expr.kind {
        ExprKind::Constant(Constant::Ellipsis) => out.push_str("..."),
        ExprKind::Constant(value) => out.push_str(&constant(value).replace("inf", "1e309")),
        ExprKind::Name { id, .. } => out.push_str(id),
        ExprKind::BoolOp { or, values } => bool_op(*or, values, level, out),
        ExprKind::Named { target, value } => parenthesized(level > TUPLE, out, |out| {
            write(target, ATOM, out);
            out.push_str(" := ");
            write(value, ATOM, out);
        }),
        ExprKind::BinOp { left, op, right } => binary_op(left, *op, right, level, out),
        ExprKind::UnaryOp { op, operand } => unary_op(*op, operand, level, out),
        ExprKind::Lambda(lambda) => parenthesized(level > TEST, out, |out| {
            let positional = lambda.params.positional().next().is_some();
            out.push_str(if positional { "lambda " } else { "lambda" });
            params(&lambda.params, out);
            out.push_str(": ");
            write(&lambda.body, TEST, out);
        }),
        ExprKind::IfExp { test, body, orelse } => parenthesized(level > TEST, out, |out| {
            write(body, TEST + 1, out);
            out.push_str(" if ");
            write(test, TEST + 1, out);
            out.push_str(" else ");
            write(orelse, TEST, out);
        }),
        ExprKind::Dict(items) => dict(items, out),
        ExprKind::Set(elts) => {
            out.push('{');
            list(elts, out);
            out.push('}');
        }
        ExprKind::Comp(comp) => comprehension(comp, out),
        ExprKind::Await(value) => parenthesized(level > AWAIT, out, |out| {
            out.push_str("await ");
            write(value, ATOM, out);
        }),
        ExprKind::Yield(None) => out.push_str("(yield)"),
        ExprKind::Yield(Some(value)) => {
            out.push_str("(yield ");
            write(value, TEST, out);
            out.push(')');
        }
        ExprKind::YieldFrom(value) => {
            out.push_str("(yield from ");
            write(value, TEST, out);
            out.push(')');
        }
        ExprKind::Compare {
            left,
            ops,
            comparators,
        } => {
            parenthesized(level > CMP, out, |out| {
                write(left, CMP + 1, out);
                for (op, comparator) in ops.iter().zip(comparators) {
                    out.push_str(comparison(*op));
                    write(comparator, CMP + 1, out);
                }
            });
        }
        ExprKind::Call {
            func,
            args,
            keywords,
        } => call(func, args, keywords, out),
        ExprKind::Joined(_) | ExprKind::Formatted { .. } => {
            let mut text = String::new();
            formatted(expr, &mut text);
            out.push('f');
            out.push_str(&quoted(&text));
        }
        ExprKind::Attribute { value, attr, .. } => attribute(value, attr, out),
        ExprKind::Subscript { value, slice, .. } => {
            write(value, ATOM, out);
            out.push('[');
            write(slice, TUPLE, out);
            out.push(']');
        }
        ExprKind::Starred { value, .. } => {
            out.push('*');
            write(value, EXPR, out);
        }
        ExprKind::List { elts, .. } => {
            out.push('[');
            list(elts, out);
            out.push(']');
        }
        ExprKind::Tuple { elts, .. } => {
            parenthesized(level > TUPLE || elts.is_empty(), out, |out| {
                list(elts, out);
                if elts.len() == 1 {
                    out.push(',');
                }
            });
        }
        ExprKind::Slice { lower, upper, step } => {
            slice(lower.as_deref(), upper.as_deref(), step.as_deref(), out);
        }
    }
}

/// Writes operands joined by `or` or `and`.
fn bool_op(or: bool, values: &[Expr], level: u8, out: &mut String) {
    let (word, own) = if or { (" or ", OR) } else { (" and ", AND) };
    parenthesized(level > own, out, |out| {
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                out.push_str(word);
            }
            write(value, own + 1, out);
        }
    });
}

/// Writes an operator between its operands; only `**` binds from the right.
fn binary_op(left: &Expr, op: Binary, right: &Expr, level: u8, out: &mut String) {
    let (word, own) = operator(op);
    let from_right = u8::from(op == Binary::Power);
    parenthesized(level > own, out, |out| {
        write(left, own + from_right, out);
        out.push_str(word);
        write(right, own + 1 - from_right, out);
    });
}

/// Writes an operator before its operand.
fn unary_op(op: Unary, operand: &Expr, level: u8, out: &mut String) {
    let (word, own) = match op {
        Unary::Invert => ("~", FACTOR),
        Unary::Not => ("not ", NOT),
        Unary::Plus => ("+", FACTOR),
        Unary::Minus => ("-", FACTOR),
    };
    parenthesized(level > own, out, |out| {
        out.push_str(word);
        write(operand, own, out);
    });
}

/// Writes a dictionary; an item without a key is unpacked.
fn dict(items: &[(Option<Expr>, Expr)], out: &mut String) {
    out.push('{');
    for (at, (key, value)) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        if let Some(key) = key {
            write(key, TEST, out);
            out.push_str(": ");
            write(value, TEST, out);
        } else {
            out.push_str("**");
            write(value, EXPR, out);
        }
    }
    out.push('}');
}

/// Writes an attribute; a space keeps the dot apart from an integer.
fn attribute(value: &Expr, attr: &str, out: &mut String) {
    write(value, ATOM, out);
    let number = matches!(
        value.constant(),
        Some(Constant::Int(_) | Constant::BigInt(_))
    );
    out.push_str(if number { " ." } else { "." });
    out.push_str(attr);
}

/// Writes the bounds of a slice, with a second colon only before a step.
fn slice(lower: Option<&Expr>, upper: Option<&Expr>, step: Option<&Expr>, out: &mut String) {
    if let Some(lower) = lower {
        write(lower, TEST, out);
    }
    out.push(':');
    if let Some(upper) = upper {
        write(upper, TEST, out);
    }
    if let Some(step) = step {
        out.push(':');
        write(step, TEST, out);
    }
}

fn comprehension(comp: &Comp, out: &mut String) {
    let (open, close) = match comp.kind {
        CompKind::Generator => ('(', ')'),
        CompKind::List => ('[', ']'),
        CompKind::Set | CompKind::Dict => ('{', '}'),
    };
    out.push(open);
    write(&comp.elt, TEST, out);
    if let Some(value) = &comp.value {
        out.push_str(": ");
        write(value, TEST, out);
    }
    for generator in &comp.generators {
        out.push_str(if generator.is_async {
            " async for "
        } else {
            " for "
        });
        write(&generator.target, TUPLE, out);
        out.push_str(" in ");
        write(&generator.iter, TEST + 1, out);
        for test in &generator.ifs {
            out.push_str(" if ");
            write(test, TEST + 1, out);
        }
    }
    out.push(close);
}

fn call(func: &Expr, args: &[Expr], keywords: &[Keyword], out: &mut String) {
    write(func, ATOM, out);
    if let ([only], []) = (args, keywords)
        && matches!(&only.kind, ExprKind::Comp(comp) if comp.kind == CompKind::Generator)
    {
        return write(only, TEST, out);
    }
    out.push('(');
    list(args, out);
    for (at, keyword) in keywords.iter().enumerate() {
        if at > 0 || !args.is_empty() {
            out.push_str(", ");
        }
        match &keyword.arg {
            Some(name) => {
                out.push_str(name);
                out.push('=');
            }
            None => out.push_str("**"),
        }
        write(&keyword.value, TEST, out);
    }
    out.push(')');
}

fn params(params: &Params, out: &mut String) {
    let mut first = true;
    let mut comma = |out: &mut String| {
        if !std::mem::take(&mut first) {
            out.push_str(", ");
        }
    };
    let write_param = |param: &Param, out: &mut String| {
        out.push_str(&param.name);
        if let Some(default) = &param.default {
            out.push('=');
            write(default, TEST, out);
        }
    };
    for (at, param) in params.positional().enumerate() {
        comma(out);
        write_param(param, out);
        if at + 1 == params.posonly.len() {
            out.push_str(", /");
        }
    }
    if params.vararg.is_some() || !params.kwonly.is_empty() {
        comma(out);
        out.push('*');
        if let Some(param) = &params.vararg {
            out.push_str(&param.name);
        }
    }
    for param in &params.kwonly {
        comma(out);
        write_param(param, out);
    }
    if let Some(param) = &params.kwarg {
        comma(out);
        out.push_str("**");
        out.push_str(&param.name);
    }
}

/// The inside of an f-string.
fn formatted(expr: &Expr, out: &mut String) {
    match &expr.kind {
        ExprKind::Constant(Constant::Str(text)) => {
            out.push_str(&text.replace('{', "{{").replace('}', "}}"));
        }
        ExprKind::Joined(values) => {
            values.iter().for_each(|value| formatted(value, out));
        }
        ExprKind::Formatted {
            value,
            conversion,
            spec,
        } => {
            let mut inner = String::new();
            write(value, TEST + 1, &mut inner);
            out.push_str(if inner.starts_with('{') { "{ " } else { "{" });
            out.push_str(&inner);
            out.push_str(match conversion {
                1 => "!s",
                2 => "!r",
                3 => "!a",
                _ => "",
            });
            if let Some(spec) = spec {
                out.push(':');
                formatted(spec, out);
            }
            out.push('}');
        }
        _ => write(expr, TEST, out),
    }
}
