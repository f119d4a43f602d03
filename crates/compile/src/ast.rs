//! The syntax tree that code is made from: CPython's, with CPython's lines.
//!
//! It differs from ruff's: `elif` is a nested `if`, adjacent strings are one constant, f-strings are flat
//! lists of constants and formatted values, constants are folded, and each node has the line on which it
//! begins according to CPython. Scopes are numbered, so that the symbol table can be looked up.

use std::sync::Arc;

use crate::code::Constant;

/// A name of the program.
pub(super) type Name = Arc<str>;

/// Start of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Loc {
    /// 1-based; -1 if an instruction has none.
    pub line: i32,
    /// Byte offset in the line.
    pub col: u32,
}

impl Loc {
    /// No place in the source.
    pub(crate) const NONE: Loc = Loc { line: -1, col: 0 };
}

/// Number of a function, lambda, comprehension or class; the module is 0.
pub(super) type ScopeId = usize;

/// The use of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ctx {
    Load,
    Store,
    Del,
}

/// Binary operators, in the order of `BINARY_OP`'s argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Add = 0,
    And = 1,
    FloorDivide = 2,
    Lshift = 3,
    MatrixMultiply = 4,
    Multiply = 5,
    Remainder = 6,
    Or = 7,
    Power = 8,
    Rshift = 9,
    Subtract = 10,
    TrueDivide = 11,
    Xor = 12,
}

/// Unary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unary {
    Invert,
    Not,
    Plus,
    Minus,
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cmp {
    Lt = 0,
    LtE = 1,
    Eq = 2,
    NotEq = 3,
    Gt = 4,
    GtE = 5,
    Is,
    IsNot,
    In,
    NotIn,
}

/// The kind of a comprehension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CompKind {
    Generator,
    List,
    Set,
    Dict,
}

/// An expression.
#[derive(Debug, Clone)]
pub(super) struct Expr {
    pub loc: Loc,
    pub kind: ExprKind,
}

#[derive(Debug, Clone)]
pub(super) enum ExprKind {
    Constant(Constant),
    Name {
        id: Name,
        ctx: Ctx,
    },
    BoolOp {
        or: bool,
        values: Vec<Expr>,
    },
    Named {
        target: Box<Expr>,
        value: Box<Expr>,
    },
    BinOp {
        left: Box<Expr>,
        op: Binary,
        right: Box<Expr>,
    },
    UnaryOp {
        op: Unary,
        operand: Box<Expr>,
    },
    Lambda(Box<Lambda>),
    IfExp {
        test: Box<Expr>,
        body: Box<Expr>,
        orelse: Box<Expr>,
    },
    Dict(Vec<(Option<Expr>, Expr)>),
    Set(Vec<Expr>),
    Comp(Box<Comp>),
    Await(Box<Expr>),
    Yield(Option<Box<Expr>>),
    YieldFrom(Box<Expr>),
    Compare {
        left: Box<Expr>,
        ops: Vec<Cmp>,
        comparators: Vec<Expr>,
    },
    Call {
        func: Box<Expr>,
        args: Vec<Expr>,
        keywords: Vec<Keyword>,
    },
    Formatted {
        value: Box<Expr>,
        conversion: u32,
        spec: Option<Box<Expr>>,
    },
    Joined(Vec<Expr>),
    Attribute {
        value: Box<Expr>,
        attr: Name,
        attr_loc: Loc,
        ctx: Ctx,
    },
    Subscript {
        value: Box<Expr>,
        slice: Box<Expr>,
        ctx: Ctx,
    },
    Starred {
        value: Box<Expr>,
        ctx: Ctx,
    },
    List {
        elts: Vec<Expr>,
        ctx: Ctx,
    },
    Tuple {
        elts: Vec<Expr>,
        ctx: Ctx,
    },
    Slice {
        lower: Option<Box<Expr>>,
        upper: Option<Box<Expr>>,
        step: Option<Box<Expr>>,
    },
}

impl Expr {
    /// The value of a constant.
    pub(crate) fn constant(&self) -> Option<&Constant> {
        match &self.kind {
            ExprKind::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is `*x`.
    pub(crate) fn is_starred(&self) -> bool {
        matches!(self.kind, ExprKind::Starred { .. })
    }
}

/// `name=value` of a call; `**value` has no name.
#[derive(Debug, Clone)]
pub(super) struct Keyword {
    pub loc: Loc,
    pub arg: Option<Name>,
    pub value: Expr,
}

#[derive(Debug, Clone)]
pub(super) struct Lambda {
    pub scope: ScopeId,
    pub params: Params,
    pub body: Expr,
}

#[derive(Debug, Clone)]
pub(super) struct Comp {
    pub kind: CompKind,
    pub scope: ScopeId,
    pub elt: Expr,
    /// The value of a dict comprehension.
    pub value: Option<Expr>,
    pub generators: Vec<Generator>,
}

/// `for target in iter if …` of a comprehension.
#[derive(Debug, Clone)]
pub(super) struct Generator {
    pub target: Expr,
    pub iter: Expr,
    pub ifs: Vec<Expr>,
    pub is_async: bool,
}

/// An annotation: an expression, or its text if the program requests strings.
#[derive(Debug, Clone)]
pub(super) enum Annotation {
    Expr(Expr),
    Text(Arc<str>),
}

#[derive(Debug, Clone)]
pub(super) struct Param {
    pub loc: Loc,
    pub name: Name,
    pub annotation: Option<Annotation>,
    pub default: Option<Expr>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Params {
    pub posonly: Vec<Param>,
    pub args: Vec<Param>,
    pub vararg: Option<Box<Param>>,
    pub kwonly: Vec<Param>,
    pub kwarg: Option<Box<Param>>,
}

impl Params {
    /// All of them in the order of `co_varnames`.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Param> {
        self.posonly
            .iter()
            .chain(&self.args)
            .chain(&self.kwonly)
            .chain(self.vararg.as_deref())
            .chain(self.kwarg.as_deref())
    }

    /// Parameters that may be passed by position.
    pub(crate) fn positional(&self) -> impl Iterator<Item = &Param> {
        self.posonly.iter().chain(&self.args)
    }
}

/// A statement.
#[derive(Debug, Clone)]
pub(super) struct Stmt {
    pub loc: Loc,
    pub kind: StmtKind,
}

#[derive(Debug, Clone)]
pub(super) enum StmtKind {
    Function(Box<Function>),
    Class(Box<Class>),
    Return(Option<Expr>),
    Delete(Vec<Expr>),
    Assign {
        targets: Vec<Expr>,
        value: Expr,
    },
    AugAssign {
        target: Expr,
        op: Binary,
        value: Expr,
    },
    AnnAssign {
        target: Expr,
        annotation: Annotation,
        value: Option<Expr>,
        simple: bool,
    },
    For {
        target: Expr,
        iter: Expr,
        body: Vec<Stmt>,
        orelse: Vec<Stmt>,
        is_async: bool,
    },
    While {
        test: Expr,
        body: Vec<Stmt>,
        orelse: Vec<Stmt>,
    },
    If {
        test: Expr,
        body: Vec<Stmt>,
        orelse: Vec<Stmt>,
    },
    With {
        items: Vec<(Expr, Option<Expr>)>,
        body: Vec<Stmt>,
        is_async: bool,
    },
    Match {
        subject: Expr,
        cases: Vec<Case>,
    },
    Raise {
        exc: Option<Expr>,
        cause: Option<Expr>,
    },
    Try(Box<Try>),
    Assert {
        test: Expr,
        msg: Option<Expr>,
    },
    Import(Vec<Alias>),
    ImportFrom {
        module: Option<Name>,
        names: Vec<Alias>,
        level: u32,
    },
    Global(Vec<Name>),
    Nonlocal(Vec<Name>),
    Expr(Expr),
    Pass,
    Break,
    Continue,
}

#[derive(Debug, Clone)]
pub(super) struct Function {
    pub scope: ScopeId,
    pub name: Name,
    pub params: Params,
    pub returns: Option<Annotation>,
    pub decorators: Vec<Expr>,
    pub body: Vec<Stmt>,
    pub is_async: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Class {
    pub scope: ScopeId,
    pub name: Name,
    pub bases: Vec<Expr>,
    pub keywords: Vec<Keyword>,
    pub decorators: Vec<Expr>,
    pub body: Vec<Stmt>,
}

#[derive(Debug, Clone)]
pub(super) struct Try {
    pub body: Vec<Stmt>,
    pub handlers: Vec<Handler>,
    pub orelse: Vec<Stmt>,
    pub finalbody: Vec<Stmt>,
    pub is_star: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Handler {
    pub loc: Loc,
    pub kind: Option<Expr>,
    pub name: Option<Name>,
    pub body: Vec<Stmt>,
}

#[derive(Debug, Clone)]
pub(super) struct Alias {
    pub loc: Loc,
    pub name: Name,
    pub asname: Option<Name>,
}

#[derive(Debug, Clone)]
pub(super) struct Case {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    pub body: Vec<Stmt>,
}

#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub loc: Loc,
    pub kind: PatternKind,
}

#[derive(Debug, Clone)]
pub(super) enum PatternKind {
    Value(Expr),
    Singleton(Constant),
    Sequence(Vec<Pattern>),
    Mapping {
        keys: Vec<Expr>,
        patterns: Vec<Pattern>,
        rest: Option<Name>,
    },
    Class {
        cls: Expr,
        patterns: Vec<Pattern>,
        kwd_attrs: Vec<Name>,
        kwd_patterns: Vec<Pattern>,
    },
    Star(Option<Name>),
    As {
        pattern: Option<Box<Pattern>>,
        name: Option<Name>,
    },
    Or(Vec<Pattern>),
}

/// The docstring of a body, if its first statement is one.
pub(super) fn docstring(body: &[Stmt]) -> Option<&Arc<str>> {
    match body.first().map(|first| &first.kind) {
        Some(StmtKind::Expr(Expr {
            kind: ExprKind::Constant(Constant::Str(text)),
            ..
        })) => Some(text),
        _ => None,
    }
}
