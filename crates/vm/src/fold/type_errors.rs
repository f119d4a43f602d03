//! Operators that raise a `TypeError` for the types of their operands, regardless of their values:
//! `[1] % 2`, `{} - 1`.
//!
//! Results of container operators are not folded. Types about which too little is known decide
//! nothing.

use super::type_name::type_name;
use super::{BinaryOp, Folded};
use crate::value::{DictKind, Heap, Object, Value, View};

/// The kinds of values that operators distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    /// An `int` or a `bool`.
    Integer,
    Text,
    Bytes,
    List,
    Tuple,
    Set,
    Dict,
    Counter,
    Deque,
    /// A view of the keys or items of a dict.
    Setlike,
    /// An iterable without operators: a range, a view of values, an iterator.
    Iterable,
    /// A value without operators and items: `None`, functions, modules.
    Plain,
    /// A class, whose only operator is `|`.
    Class,
}

impl Kind {
    fn of(heap: &Heap, value: &Value) -> Option<Self> {
        Some(match value {
            Value::Bool(_) | Value::Int(_) | Value::BigInt(_) => Self::Integer,
            Value::Float(_) | Value::Complex(..) => Self::Number,
            Value::Str(_) => Self::Text,
            Value::Bytes(_) => Self::Bytes,
            Value::None | Value::Ellipsis => Self::Plain,
            Value::NotImplemented => return None,
            Value::Object(id) => match heap.get(*id) {
                Object::List(_) => Self::List,
                Object::Bytearray(_) => Self::Bytes,
                Object::Tuple(_) => Self::Tuple,
                Object::Set(_) | Object::Frozenset(_) => Self::Set,
                Object::Dict(_, DictKind::Counter) => Self::Counter,
                Object::Dict(..) => Self::Dict,
                Object::Deque(..) => Self::Deque,
                Object::DictView { view, .. } if *view == View::Values => Self::Iterable,
                Object::DictView { .. } => Self::Setlike,
                Object::Range(..) | Object::Iterator(_) | Object::Generator { .. } => {
                    Self::Iterable
                }
                Object::Function(_)
                | Object::Method { .. }
                | Object::Builtin(_)
                | Object::BuiltinMethod { .. }
                | Object::Slice(..)
                | Object::Module(_) => Self::Plain,
                Object::Class(class) if class.metaclass.is_none() => Self::Class,
                _ => return None,
            },
        })
    }

    fn is_number(self) -> bool {
        matches!(self, Self::Number | Self::Integer)
    }

    fn is_sequence(self) -> bool {
        matches!(
            self,
            Self::Text | Self::Bytes | Self::List | Self::Tuple | Self::Deque
        )
    }
}

/// Whether the type of a value has no unary `-`, `+` and `~`.
pub(super) fn has_no_sign(heap: &Heap, value: &Value) -> bool {
    Kind::of(heap, value).is_some_and(|kind| !kind.is_number() && kind != Kind::Counter)
}

/// Returns the error of `a op b`, if the types decide it.
pub(super) fn refused(heap: &Heap, op: BinaryOp, inplace: bool, a: &Value, b: &Value) -> Folded {
    let (Some(left), Some(right)) = (Kind::of(heap, a), Kind::of(heap, b)) else {
        return Folded::Unknown;
    };
    let (Some(a), Some(b)) = (type_name(heap, a), type_name(heap, b)) else {
        return Folded::Unknown;
    };
    if is_possible(op, inplace, left, right) {
        return Folded::Unknown;
    }
    Folded::type_error(match (op, left, right) {
        (BinaryOp::Add, Kind::List, _) if inplace => format!("'{b}' object is not iterable"),
        (BinaryOp::Add, Kind::Deque, _) if inplace => format!("'{b}' object is not iterable"),
        (BinaryOp::Add, Kind::List | Kind::Tuple | Kind::Text, _) => {
            format!("can only concatenate {a} (not \"{b}\") to {a}")
        }
        (BinaryOp::Add, Kind::Deque, _) => {
            format!("can only concatenate deque (not \"{b}\") to deque")
        }
        (BinaryOp::Add, Kind::Bytes, _) => format!("can't concat {b} to {a}"),
        (BinaryOp::Multiply, left, _) if left.is_sequence() => {
            format!("can't multiply sequence by non-int of type '{b}'")
        }
        // In place, the repetition of the right operand is not tried for a left operand with items.
        (BinaryOp::Multiply, left, right)
            if right.is_sequence()
                && (!inplace || left.is_number() || matches!(left, Kind::Plain | Kind::Class)) =>
        {
            format!("can't multiply sequence by non-int of type '{a}'")
        }
        _ => {
            let symbol = match (op, inplace) {
                (BinaryOp::Power, false) => "** or pow()".to_owned(),
                (_, false) => op.symbol().to_owned(),
                (_, true) => format!("{}=", op.symbol()),
            };
            format!("unsupported operand type(s) for {symbol}: '{a}' and '{b}'")
        }
    })
}

/// Whether these kinds may have the operator.
fn is_possible(op: BinaryOp, inplace: bool, left: Kind, right: Kind) -> bool {
    use Kind::{Class, Counter, Deque, Dict, Integer, List, Plain, Set, Setlike, Text};
    if left.is_number() && right.is_number() {
        return true;
    }
    if op == BinaryOp::Or && (left == Class || right == Class) {
        return true;
    }
    // `Counter() += x` iterates `x`; a view of keys accepts any iterable.
    if inplace && left == Counter || left == Setlike || right == Setlike {
        return !matches!(
            op,
            BinaryOp::Add
                | BinaryOp::Multiply
                | BinaryOp::FloorDivide
                | BinaryOp::TrueDivide
                | BinaryOp::Remainder
                | BinaryOp::Power
                | BinaryOp::LeftShift
                | BinaryOp::RightShift
                | BinaryOp::MatrixMultiply
        ) || inplace && matches!(left, Counter | List | Deque)
            || left == Text;
    }
    match op {
        BinaryOp::Add => {
            let same = left == right && (left.is_sequence() || left == Counter);
            let extended = inplace && matches!(left, List | Deque | Kind::Bytes);
            same || extended && !right.is_number() && right != Plain && right != Class
        }
        BinaryOp::Multiply => {
            left.is_sequence() && right == Integer || left == Integer && right.is_sequence()
        }
        BinaryOp::Subtract | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
            let both = |kind: Kind| left == kind && right == kind;
            let dicts = matches!(left, Dict | Counter) && matches!(right, Dict | Counter);
            both(Set)
                || both(Counter) && op != BinaryOp::Xor
                || op == BinaryOp::Or && (dicts || inplace && left == Dict)
        }
        BinaryOp::Remainder => matches!(left, Text | Kind::Bytes),
        _ => false,
    }
}
