//! Operations at which the machine stops because it does not perform them itself.

use std::sync::Arc;

/// An operation on values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `f(a, b)` with a builtin or a module's function, by its dotted name.
    Call(Arc<str>),
    /// `a.name(b)`; the first operand is `a`.
    Method(Arc<str>),
    /// `a + b`, or `a += b`.
    Binary(BinaryOp, bool),
    /// `-a`, `~a`, `+a`.
    Unary(UnaryOp),
    /// `a < b`
    Compare(CompareOp),
    /// `b in a`. The container comes first.
    Contains,
    /// The truth of `a`.
    Truth,
    /// `a[b]`
    Subscript,
    /// `a[b] = c`
    StoreSubscript,
    /// `del a[b]`
    DeleteSubscript,
    /// `a.name`
    Attribute(Arc<str>),
    /// `format(a, b)`, as for an f-string field with a format.
    Format,
    /// `[*a]`: the items of an iterable, in order.
    Items,
    /// `[a[i] for i in sorted(range(len(a)), key=b.__getitem__)]`, with `reverse` as the third
    /// operand.
    SortBy,
}

impl Operation {
    /// Returns its name in JSON and in tables, and its argument.
    pub fn parts(&self) -> (&'static str, String) {
        match self {
            Self::Call(name) => ("call", name.to_string()),
            Self::Method(name) => ("method", name.to_string()),
            Self::Binary(op, false) => ("binary", op.symbol().to_string()),
            Self::Binary(op, true) => ("inplace", op.symbol().to_string()),
            Self::Unary(UnaryOp::Negative) => ("unary", "-".to_string()),
            Self::Unary(UnaryOp::Positive) => ("unary", "+".to_string()),
            Self::Unary(UnaryOp::Invert) => ("unary", "~".to_string()),
            Self::Unary(UnaryOp::Not) => ("unary", "not ".to_string()),
            Self::Compare(op) => ("compare", op.symbol().to_string()),
            Self::Contains => ("contains", String::new()),
            Self::Truth => ("truth", String::new()),
            Self::Subscript => ("subscript", String::new()),
            Self::StoreSubscript => ("store", String::new()),
            Self::DeleteSubscript => ("delete", String::new()),
            Self::Attribute(name) => ("attribute", name.to_string()),
            Self::Format => ("format", String::new()),
            Self::Items => ("items", String::new()),
            Self::SortBy => ("sort_by", String::new()),
        }
    }
}

/// A binary operator, in the order of the argument of `BINARY_OP`.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    And,
    FloorDivide,
    LeftShift,
    MatrixMultiply,
    Multiply,
    Remainder,
    Or,
    Power,
    RightShift,
    Subtract,
    TrueDivide,
    Xor,
}

impl BinaryOp {
    /// All binary operators, in the order of the argument of `BINARY_OP`.
    pub const ALL: [Self; 13] = [
        Self::Add,
        Self::And,
        Self::FloorDivide,
        Self::LeftShift,
        Self::MatrixMultiply,
        Self::Multiply,
        Self::Remainder,
        Self::Or,
        Self::Power,
        Self::RightShift,
        Self::Subtract,
        Self::TrueDivide,
        Self::Xor,
    ];

    /// Returns the operator for an argument of `BINARY_OP`, and whether it is in place (`+=`).
    pub fn from_nb(argument: u32) -> Option<(Self, bool)> {
        let at = usize::try_from(argument).ok()?;
        let count = Self::ALL.len();
        let op = *Self::ALL.get(if at < count { at } else { at - count })?;
        Some((op, at >= count))
    }

    /// Returns the operator as written in source.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::And => "&",
            Self::FloorDivide => "//",
            Self::LeftShift => "<<",
            Self::MatrixMultiply => "@",
            Self::Multiply => "*",
            Self::Remainder => "%",
            Self::Or => "|",
            Self::Power => "**",
            Self::RightShift => ">>",
            Self::Subtract => "-",
            Self::TrueDivide => "/",
            Self::Xor => "^",
        }
    }

    /// Returns the operator as written in an augmented assignment.
    pub fn in_place(self) -> &'static str {
        match self {
            Self::Add => "+=",
            Self::And => "&=",
            Self::FloorDivide => "//=",
            Self::LeftShift => "<<=",
            Self::MatrixMultiply => "@=",
            Self::Multiply => "*=",
            Self::Remainder => "%=",
            Self::Or => "|=",
            Self::Power => "**=",
            Self::RightShift => ">>=",
            Self::Subtract => "-=",
            Self::TrueDivide => "/=",
            Self::Xor => "^=",
        }
    }
}

/// A unary operator.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Positive,
    Negative,
    Not,
    Invert,
}

/// A comparison operator, in the order of the argument of `COMPARE_OP`.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
}

impl CompareOp {
    /// All comparison operators, in the order of the argument of `COMPARE_OP`.
    pub const ALL: [Self; 6] = [
        Self::Less,
        Self::LessEqual,
        Self::Equal,
        Self::NotEqual,
        Self::Greater,
        Self::GreaterEqual,
    ];

    /// Returns the operator for an argument of `COMPARE_OP`.
    pub fn from_arg(argument: u32) -> Option<Self> {
        Self::ALL.get(usize::try_from(argument).ok()?).copied()
    }

    /// Returns the operator as written in source.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }
}
