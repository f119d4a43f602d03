//! Comparisons, truth and identity.

use std::cell::Cell;
use std::cmp::Ordering;
use std::sync::Arc;

pub use super::contains::contains;
use super::integer::{self, Integer};
use super::slice::equal_ranges;
use super::type_name::type_name;
use super::{CompareOp, Folded, MOST_DEPTH};
use crate::value::{Class, DictKind, Elements, Entries, Heap, Object, ObjectId, Value, View};

/// `a op b`.
pub fn compare(heap: &Heap, op: CompareOp, a: &Value, b: &Value) -> Folded {
    compare_within(heap, op, a, b, usize::MAX)
}

/// `a op b` if CPython has room for this many nested calls.
pub fn compare_within(heap: &Heap, op: CompareOp, a: &Value, b: &Value, room: usize) -> Folded {
    let left = Cell::new(MOST_COMPARED);
    let top = Depth {
        most: room.min(MOST_DEPTH),
        ..Depth::top(&left)
    };
    match op {
        CompareOp::Equal => Folded::maybe(equal_at(heap, a, b, top)),
        CompareOp::NotEqual => Folded::maybe(equal_at(heap, a, b, top).map(|equal| !equal)),
        _ => order(heap, op, a, b, top),
    }
}

fn holds(op: CompareOp, order: Option<Ordering>) -> Folded {
    Folded::bool(order.is_some_and(|order| match op {
        CompareOp::Less => order.is_lt(),
        CompareOp::LessEqual => order.is_le(),
        CompareOp::Equal => order.is_eq(),
        CompareOp::NotEqual => order.is_ne(),
        CompareOp::Greater => order.is_gt(),
        CompareOp::GreaterEqual => order.is_ge(),
    }))
}

fn order(heap: &Heap, op: CompareOp, a: &Value, b: &Value, depth: Depth<'_>) -> Folded {
    if let Some(order) = numbers(a, b) {
        return holds(op, order);
    }
    if let (Value::Str(a), Value::Str(b)) = (a, b) {
        return holds(op, Some(a.cmp(b)));
    }
    if let (Some(a), Some(b)) = (bytes_of(heap, a), bytes_of(heap, b)) {
        return holds(op, Some(a.cmp(b)));
    }
    let sequences = match (heap.object(a), heap.object(b)) {
        (Some(Object::Tuple(x)), Some(Object::Tuple(y))) => Some((&x[..], &y[..])),
        (Some(Object::List(x)), Some(Object::List(y))) => Some((&x[..], &y[..])),
        _ => None,
    };
    if let Some((x, y)) = sequences {
        if depth.is_over() {
            return Folded::Unknown;
        }
        for (x, y) in x.iter().zip(y.iter()) {
            match same_or_equal_at(heap, x, y, depth.below()) {
                Some(true) => {}
                Some(false) => return order(heap, op, x, y, depth.below()),
                None => return Folded::Unknown,
            }
        }
        return holds(op, Some(x.len().cmp(&y.len())));
    }
    if let (
        Some(Object::Set(x) | Object::Frozenset(x)),
        Some(Object::Set(y) | Object::Frozenset(y)),
    ) = (heap.object(a), heap.object(b))
    {
        return Folded::bool(match op {
            CompareOp::Less => x.len() < y.len() && is_subset(x, y),
            CompareOp::LessEqual => is_subset(x, y),
            CompareOp::Greater => y.len() < x.len() && is_subset(y, x),
            _ => is_subset(y, x),
        });
    }
    let (kind, other) = (Kind::of(heap, a), Kind::of(heap, b));
    let unordered = match (kind, other) {
        (Kind::Unknown, _) | (_, Kind::Unknown) => false,
        (Kind::List | Kind::Setlike | Kind::Deque | Kind::Byteslike | Kind::Slice, _) => {
            kind != other
        }
        (Kind::Dict, Kind::Dict) => !(is_counter(heap, a) && is_counter(heap, b)),
        _ => true,
    };
    match (type_name(heap, a), type_name(heap, b)) {
        (Some(left), Some(right)) if unordered => Folded::type_error(format!(
            "'{}' not supported between instances of '{left}' and '{right}'",
            op.symbol()
        )),
        _ => Folded::Unknown,
    }
}

fn is_counter(heap: &Heap, value: &Value) -> bool {
    matches!(heap.object(value), Some(Object::Dict(_, DictKind::Counter)))
}

/// Compares two real numbers (`Some(None)` with a NaN). `None` for other values.
#[allow(clippy::option_option)]
fn numbers(a: &Value, b: &Value) -> Option<Option<Ordering>> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(Some(a.cmp(b))),
        (Value::Float(a), Value::Float(b)) => Some(a.partial_cmp(b)),
        (Value::Float(a), _) => {
            let order = integer::order_with_float(&Integer::of(b)?, *a);
            Some(order.map(Ordering::reverse))
        }
        (_, Value::Float(b)) => Some(integer::order_with_float(&Integer::of(a)?, *b)),
        _ => Some(Some(integer::order(&Integer::of(a)?, &Integer::of(b)?))),
    }
}

/// Kinds of types whose values may be equal, or ordered, among themselves.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Number,
    Text,
    Byteslike,
    List,
    Tuple,
    Dict,
    Setlike,
    Deque,
    Range,
    Slice,
    /// Equal if the function and the bound object are.
    Method,
    /// `None` and other singletons.
    Single,
    /// Equal only to itself.
    Identity,
    /// A class must be asked, or the kind is unknown.
    Unknown,
}

/// Methods that compare.
const COMPARISONS: [&str; 6] = ["__eq__", "__ne__", "__lt__", "__gt__", "__le__", "__ge__"];

impl Kind {
    pub(super) fn of(heap: &Heap, value: &Value) -> Self {
        let object = match value {
            Value::None | Value::Ellipsis | Value::NotImplemented => return Self::Single,
            Value::Bool(_)
            | Value::Int(_)
            | Value::BigInt(_)
            | Value::Float(_)
            | Value::Complex(..) => return Self::Number,
            Value::Str(_) => return Self::Text,
            Value::Bytes(_) => return Self::Byteslike,
            Value::Object(id) => heap.get(*id),
        };
        match object {
            Object::List(_) => Self::List,
            Object::Tuple(_) => Self::Tuple,
            Object::Dict(..) => Self::Dict,
            Object::Set(_) | Object::Frozenset(_) => Self::Setlike,
            Object::DictView { view, .. } if *view != View::Values => Self::Setlike,
            Object::Deque(..) => Self::Deque,
            Object::Bytearray(_) => Self::Byteslike,
            Object::Range(..) => Self::Range,
            Object::Slice(..) => Self::Slice,
            Object::Method { .. } | Object::Builtin(_) | Object::BuiltinMethod { .. } => {
                Self::Method
            }
            Object::Class(class) if metaclass_defines(heap, class, &COMPARISONS) => Self::Unknown,
            Object::Class(_) => Self::Identity,
            Object::Function(_)
            | Object::Module(_)
            | Object::DictView { .. }
            | Object::Iterator(_)
            | Object::Generator { .. } => Self::Identity,
            Object::Instance {
                class, base: None, ..
            } if !defines(heap, *class, &COMPARISONS) => Self::Identity,
            _ => Self::Unknown,
        }
    }
}

/// Whether a class, or one of its bases, defines one of the names itself. The builtin classes of
/// instances without a base value (`object`, exceptions) define none that matter. Other builtin
/// classes count as defining all of them.
pub(crate) fn defines(heap: &Heap, class: ObjectId, names: &[&str]) -> bool {
    let Object::Class(class) = heap.get(class) else {
        return true;
    };
    class.mro.iter().any(|id| match heap.get(*id) {
        Object::Class(of) => match &of.builtin {
            Some(name) => &**name != "object" && !is_exception(heap, of),
            None => names.iter().any(|name| of.attributes.contains_key(*name)),
        },
        _ => true,
    })
}

/// Whether the metaclass of a class, if it is one of the program, defines one of these methods.
pub(crate) fn metaclass_defines(heap: &Heap, class: &Class, names: &[&str]) -> bool {
    let Some(Object::Class(metaclass)) = class.metaclass.map(|id| heap.get(id)) else {
        return false;
    };
    metaclass.mro.iter().any(|id| match heap.get(*id) {
        Object::Class(of) if of.builtin.is_none() => {
            names.iter().any(|name| of.attributes.contains_key(*name))
        }
        _ => false,
    })
}

/// Whether a class derives from `BaseException`.
pub(crate) fn is_exception(heap: &Heap, class: &Class) -> bool {
    class.mro.iter().any(|id| match heap.get(*id) {
        Object::Class(of) => of.builtin.as_deref() == Some("BaseException"),
        _ => false,
    })
}

/// `a == b`. `None` if it is unknown.
pub fn equal(heap: &Heap, a: &Value, b: &Value) -> Option<bool> {
    equal_at(heap, a, b, Depth::top(&Cell::new(MOST_COMPARED)))
}

fn equal_at(heap: &Heap, a: &Value, b: &Value, depth: Depth<'_>) -> Option<bool> {
    if let Some(order) = numbers(a, b) {
        return Some(order == Some(Ordering::Equal));
    }
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => return Some(a == b),
        (Value::Complex(real, imag), Value::Complex(other, rest)) => {
            return Some(real == other && imag == rest);
        }
        (Value::Complex(real, imag), other) | (other, Value::Complex(real, imag)) => {
            return match numbers(&Value::Float(*real), other) {
                Some(order) => Some(*imag == 0.0 && order == Some(Ordering::Equal)),
                None => (Kind::of(heap, other) != Kind::Unknown).then_some(false),
            };
        }
        _ => {}
    }
    let (kind, other) = (Kind::of(heap, a), Kind::of(heap, b));
    if kind == Kind::Unknown || other == Kind::Unknown {
        return None;
    }
    if kind != other {
        return Some(false);
    }
    match (a, b) {
        (Value::Object(a), Value::Object(b)) if a == b => return Some(true),
        _ => {}
    }
    match kind {
        Kind::Single => Some(a == b),
        Kind::Identity => Some(false),
        _ if depth.is_over() => None,
        Kind::Setlike => match (heap.object(a), heap.object(b)) {
            (
                Some(Object::Set(x) | Object::Frozenset(x)),
                Some(Object::Set(y) | Object::Frozenset(y)),
            ) => Some(x.len() == y.len() && is_subset(x, y)),
            _ => None,
        },
        Kind::Dict => match (heap.object(a), heap.object(b)) {
            (Some(Object::Dict(x, left)), Some(Object::Dict(y, right))) => {
                equal_dicts(heap, (x, left), (y, right), depth)
            }
            _ => None,
        },
        Kind::Deque | Kind::Slice => {
            let pairs: Vec<(&Value, &Value)> = match (heap.object(a), heap.object(b)) {
                (Some(Object::Deque(x, _)), Some(Object::Deque(y, _))) if x.len() == y.len() => {
                    x.iter().zip(y).collect()
                }
                (Some(Object::Deque(..)), Some(Object::Deque(..))) => return Some(false),
                (Some(Object::Slice(a, b, c)), Some(Object::Slice(x, y, z))) => {
                    vec![(a, x), (b, y), (c, z)]
                }
                _ => return None,
            };
            pairs.into_iter().try_fold(true, |all, (x, y)| {
                Some(all && same_or_equal_at(heap, x, y, depth.below())?)
            })
        }
        Kind::Tuple | Kind::List => {
            let (x, y) = match (heap.object(a), heap.object(b)) {
                (Some(Object::Tuple(x)), Some(Object::Tuple(y))) => (&x[..], &y[..]),
                (Some(Object::List(x)), Some(Object::List(y))) => (&x[..], &y[..]),
                _ => return None,
            };
            // Lengths are compared first: elements of lists of different lengths are not compared.
            if kind == Kind::List && x.len() != y.len() {
                return Some(false);
            }
            for (x, y) in x.iter().zip(y.iter()) {
                match same_or_equal_at(heap, x, y, depth.below()) {
                    Some(true) => {}
                    other => return other,
                }
            }
            Some(x.len() == y.len())
        }
        Kind::Byteslike => Some(bytes_of(heap, a)? == bytes_of(heap, b)?),
        Kind::Range => equal_ranges(heap.object(a)?, heap.object(b)?),
        Kind::Method => same_method(heap, a, b),
        _ => None,
    }
}

/// Whether two dicts, each with its kind, are equal. `None` if it is unknown.
fn equal_dicts(
    heap: &Heap,
    (x, left): (&Entries, &DictKind),
    (y, right): (&Entries, &DictKind),
    depth: Depth<'_>,
) -> Option<bool> {
    // A count that a counter lacks is zero.
    if *left == DictKind::Counter && *right == DictKind::Counter {
        let zero = (Value::None, Value::Int(0));
        for key in x.keys().chain(y.keys()) {
            let (_, x) = x.get(key).unwrap_or(&zero);
            let (_, y) = y.get(key).unwrap_or(&zero);
            match same_or_equal_at(heap, x, y, depth.below()) {
                Some(true) => {}
                other => return other,
            }
        }
        return Some(true);
    }
    if x.len() != y.len() {
        return Some(false);
    }
    let ordered = *left == DictKind::Ordered && *right == DictKind::Ordered;
    if ordered && x.keys().ne(y.keys()) {
        return Some(false);
    }
    for (key, (_, x)) in x {
        match y
            .get(key)
            .map(|(_, y)| same_or_equal_at(heap, x, y, depth.below()))
        {
            Some(Some(true)) => {}
            None => return Some(false),
            Some(other) => return other,
        }
    }
    Some(true)
}

fn is_subset(a: &Elements, b: &Elements) -> bool {
    a.keys().all(|key| b.contains_key(key))
}

/// Maximum parts that are compared: containers that share their items count in full each time.
const MOST_COMPARED: usize = 1_000_000;

/// The depth of a comparison, and the number of further comparisons allowed.
#[derive(Clone, Copy)]
struct Depth<'a> {
    deep: usize,
    most: usize,
    left: &'a Cell<usize>,
}

impl<'a> Depth<'a> {
    fn top(left: &'a Cell<usize>) -> Self {
        Self {
            deep: 0,
            most: MOST_DEPTH,
            left,
        }
    }

    fn below(self) -> Self {
        self.left.set(self.left.get().saturating_sub(1));
        Self {
            deep: self.deep + 1,
            most: self.most,
            left: self.left,
        }
    }

    fn is_over(self) -> bool {
        self.deep >= self.most || self.left.get() == 0
    }
}

/// Whether values are the same object, or equal. `None` if it is unknown.
pub(super) fn same_or_equal(heap: &Heap, a: &Value, b: &Value) -> Option<bool> {
    same_or_equal_at(heap, a, b, Depth::top(&Cell::new(MOST_COMPARED)))
}

/// `a is b or a == b`, as containers compare their elements.
fn same_or_equal_at(heap: &Heap, a: &Value, b: &Value, depth: Depth<'_>) -> Option<bool> {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) if a == b => return Some(true),
        // The same NaN is found, another NaN is not.
        (Value::Float(a), Value::Float(b)) if a.is_nan() && a.to_bits() == b.to_bits() => {
            // NaNs from arithmetic do not have their own payload.
            return (!a.is_sign_negative()).then_some(true);
        }
        (Value::Complex(real, imag), Value::Complex(other, rest))
            if (real.is_nan() || imag.is_nan())
                && real.to_bits() == other.to_bits()
                && imag.to_bits() == rest.to_bits() =>
        {
            return None;
        }
        _ => {}
    }
    equal_at(heap, a, b, depth)
}

/// `bool(value)`. `None` if a class must be asked.
pub fn truth(heap: &Heap, value: &Value) -> Option<bool> {
    let object = match value {
        Value::None => return Some(false),
        Value::Bool(value) => return Some(*value),
        Value::Int(value) => return Some(*value != 0),
        Value::BigInt(_) | Value::Ellipsis | Value::NotImplemented => return Some(true),
        Value::Float(value) => return Some(*value != 0.0),
        Value::Complex(real, imag) => return Some(*real != 0.0 || *imag != 0.0),
        Value::Str(text) => return Some(!text.is_empty()),
        Value::Bytes(bytes) => return Some(!bytes.is_empty()),
        Value::Object(id) => heap.get(*id),
    };
    match object {
        Object::Class(class) if metaclass_defines(heap, class, &["__bool__", "__len__"]) => None,
        Object::List(items) => Some(!items.is_empty()),
        Object::Tuple(items) => Some(!items.is_empty()),
        Object::Dict(entries, _) => Some(!entries.is_empty()),
        Object::Set(elements) | Object::Frozenset(elements) => Some(!elements.is_empty()),
        Object::Deque(items, _) => Some(!items.is_empty()),
        Object::Bytearray(bytes) => Some(!bytes.is_empty()),
        Object::Range(start, stop, step) => {
            let start = Integer::of(start)?;
            let order = integer::order(&start, &Integer::of(stop)?);
            Some(if Integer::of(step)?.is_negative() {
                order.is_gt()
            } else {
                order.is_lt()
            })
        }
        Object::DictView { of, .. } => match heap.get(*of) {
            Object::Dict(entries, _) => Some(!entries.is_empty()),
            _ => None,
        },
        Object::Class(_) => Some(true),
        Object::Instance { .. } | Object::Special { .. } | Object::Opaque { .. } => None,
        _ => Some(true),
    }
}

/// `a is b`. `None` if it depends on which scalars the interpreter happens to share.
pub fn is_same(a: &Value, b: &Value) -> Option<bool> {
    let shared = match (a, b) {
        (Value::Object(a), Value::Object(b)) => return Some(a == b),
        (Value::None, Value::None)
        | (Value::Ellipsis, Value::Ellipsis)
        | (Value::NotImplemented, Value::NotImplemented) => true,
        (Value::Bool(a), Value::Bool(b)) => return Some(a == b),
        (Value::Int(a), Value::Int(b)) if a == b => (-5..=256).contains(a),
        // Empty strings and single characters are cached.
        (Value::Str(a), Value::Str(b)) if Arc::ptr_eq(a, b) => true,
        (Value::Str(a), Value::Str(b)) if a == b => {
            let mut characters = a.chars();
            let first = characters.next().unwrap_or_default();
            u32::from(first) < 256 && characters.next().is_none()
        }
        (Value::Bytes(a), Value::Bytes(b)) if a == b => a.len() < 2,
        (Value::BigInt(a), Value::BigInt(b)) if a == b => false,
        (Value::Float(a), Value::Float(b)) if a.to_bits() == b.to_bits() => {
            a.is_nan() && !a.is_sign_negative()
        }
        (Value::Complex(a, b), Value::Complex(c, d))
            if a.to_bits() == c.to_bits() && b.to_bits() == d.to_bits() =>
        {
            false
        }
        _ => return Some(false),
    };
    shared.then_some(true)
}

/// Returns the contents of bytes or of a bytearray.
pub(crate) fn bytes_of<'h>(heap: &'h Heap, value: &'h Value) -> Option<&'h [u8]> {
    match (value, heap.object(value)) {
        (Value::Bytes(bytes), _) => Some(bytes),
        (_, Some(Object::Bytearray(bytes))) => Some(bytes),
        _ => None,
    }
}

/// Whether methods have the same function and the same object. Builtin functions are compared by
/// name.
pub(super) fn same_method(heap: &Heap, a: &Value, b: &Value) -> Option<bool> {
    Some(match (heap.object(a)?, heap.object(b)?) {
        (
            Object::Method { function, receiver },
            Object::Method {
                function: other,
                receiver: its,
            },
        ) => function == other && receiver == its,
        (
            Object::BuiltinMethod { receiver, name },
            Object::BuiltinMethod {
                receiver: its,
                name: other,
            },
        ) => {
            if receiver.id().is_none() && its.id().is_none() {
                return None;
            }
            name == other && receiver == its
        }
        (Object::Builtin(name), Object::Builtin(other)) => name == other,
        _ => false,
    })
}
