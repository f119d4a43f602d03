//! Possible types of a statement's variables, guessed from their uses.
//!
//! A guess only narrows the candidates: running a combination determines whether it works.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Arguments, CmpOp, Expr, ExprContext, Operator, Stmt, UnaryOp};

use super::fuzz::TYPES;
use crate::sources::builtins::{self, Methods};

/// A set of [`TYPES`], one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeSet(u32);

impl TypeSet {
    /// Every type.
    pub const ALL: Self = Self((1 << TYPES.len()) - 1);

    /// The types whose name satisfies a condition.
    fn which(condition: impl Fn(&str) -> bool) -> Self {
        let bits = TYPES.iter().enumerate().filter(|(_, ty)| condition(ty));
        Self(bits.map(|(at, _)| 1 << at).sum())
    }

    fn named(names: &[&str]) -> Self {
        Self::which(|ty| names.contains(&ty))
    }

    fn starting(prefixes: &[&str]) -> Self {
        Self::which(|ty| prefixes.iter().any(|prefix| ty.starts_with(prefix)))
    }

    /// The types in both.
    pub fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The names of the types.
    pub fn names(self) -> Vec<&'static str> {
        TYPES
            .iter()
            .enumerate()
            .filter(|(at, _)| self.0 >> at & 1 == 1)
            .map(|(_, ty)| *ty)
            .collect()
    }
}

fn number() -> TypeSet {
    TypeSet::named(&["int", "float", "bool"])
}

fn containers() -> TypeSet {
    TypeSet::starting(&["list", "tuple", "set", "dict"])
}

fn sequences() -> TypeSet {
    TypeSet::starting(&["list", "tuple", "str", "bytes"])
}

fn nested() -> TypeSet {
    TypeSet::named(&[
        "list_list_int",
        "list_pair",
        "dict_str_list",
        "list_str",
        "tuple_str",
        "dict_str_str",
    ])
}

fn methods_of(name: &str) -> TypeSet {
    let of = |methods| match methods {
        Methods::Str => TypeSet::named(&["str"]),
        Methods::List => TypeSet::starting(&["list"]),
        Methods::Dict => TypeSet::starting(&["dict"]),
        Methods::Set => TypeSet::starting(&["set"]),
        Methods::Tuple => TypeSet::starting(&["tuple"]),
        Methods::Number => TypeSet::named(&["int", "float"]),
        Methods::Bytes => TypeSet::named(&["bytes"]),
    };
    builtins::types_with(name)
        .map(of)
        .fold(TypeSet(0), TypeSet::or)
}

/// The possible types of the names in `free`, in order.
pub fn guess(program: &str, free: &[String]) -> Vec<TypeSet> {
    let mut uses = Uses {
        free,
        sets: vec![TypeSet::ALL; free.len()],
    };
    if let Ok(parsed) = ruff_python_parser::parse_module(program) {
        uses.visit_body(parsed.suite());
    }
    uses.sets
}

/// The types that a name suggests where its use does not say.
pub fn suggested(name: &str) -> TypeSet {
    let name = name.trim_matches('_').to_ascii_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    match name.as_str() {
        "i" | "j" | "k" | "n" | "m" | "x" | "y" | "pos" | "idx" | "start" | "end" | "stop"
        | "step" | "lo" | "hi" | "width" | "height" | "depth" | "level" | "flags" | "year"
        | "month" => TypeSet::named(&["int"]),
        "s" | "c" | "ch" | "key" | "line" | "word" | "sep" | "prefix" | "suffix" | "mode"
        | "tag" => TypeSet::named(&["str"]),
        "d" | "kwargs" | "mapping" | "cache" | "headers" | "env" => TypeSet::starting(&["dict"]),
        "args" | "t" => TypeSet::starting(&["tuple"]),
        "value" | "default" | "result" | "res" | "obj" | "data" | "item" => TypeSet::ALL,
        _ if ends(&["dict", "map", "table"]) => TypeSet::starting(&["dict"]),
        _ if ends(&[
            "count", "len", "length", "size", "num", "index", "offset", "total", "max", "min", "id",
        ]) =>
        {
            number()
        }
        _ if ends(&[
            "name", "text", "str", "string", "path", "msg", "message", "type", "char", "url",
        ]) =>
        {
            TypeSet::named(&["str"])
        }
        _ if name.starts_with("is_") || name.starts_with("has_") => TypeSet::named(&["bool"]),
        _ if ends(&["set", "seen"]) => TypeSet::starting(&["set"]),
        _ if ends(&["s", "list", "stack", "queue"]) => TypeSet::starting(&["list"]),
        _ => TypeSet::ALL,
    }
}

struct Uses<'a> {
    free: &'a [String],
    sets: Vec<TypeSet>,
}

/// The type of a literal, or of an expression with an obvious type.
fn evident(expr: &Expr) -> Option<TypeSet> {
    Some(match expr {
        Expr::NumberLiteral(_) => number(),
        Expr::UnaryOp(unary) if unary.op != UnaryOp::Not => evident(&unary.operand)?,
        Expr::StringLiteral(_) | Expr::FString(_) => TypeSet::named(&["str"]),
        Expr::BytesLiteral(_) => TypeSet::named(&["bytes"]),
        Expr::BooleanLiteral(_) => TypeSet::named(&["bool", "int"]),
        Expr::List(_) | Expr::ListComp(_) => TypeSet::starting(&["list"]),
        Expr::Tuple(_) => TypeSet::starting(&["tuple"]),
        Expr::Dict(_) | Expr::DictComp(_) => TypeSet::starting(&["dict"]),
        Expr::Set(_) | Expr::SetComp(_) => TypeSet::starting(&["set"]),
        Expr::BinOp(binary) => evident(&binary.left).or_else(|| evident(&binary.right))?,
        Expr::Call(call) => match &*call.func {
            Expr::Name(name) => match name.id.as_str() {
                "len" | "int" | "ord" | "sum" | "abs" | "float" | "round" => number(),
                "str" | "repr" | "chr" | "hex" | "bin" => TypeSet::named(&["str"]),
                "list" | "sorted" => TypeSet::starting(&["list"]),
                "tuple" => TypeSet::starting(&["tuple"]),
                "dict" => TypeSet::starting(&["dict"]),
                "set" => TypeSet::starting(&["set"]),
                _ => return None,
            },
            Expr::Attribute(method) => match method.attr.as_str() {
                "lower" | "upper" | "strip" | "join" | "replace" => TypeSet::named(&["str"]),
                "split" => TypeSet::named(&["list_str"]),
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    })
}

impl Uses<'_> {
    /// The variable of an expression must have one of these types.
    fn is(&mut self, expr: &Expr, types: TypeSet) {
        if let Expr::Name(name) = expr
            && let Some(at) = self.free.iter().position(|n| *n == name.id.as_str())
        {
            let both = self.sets[at].both(types);
            // Contradictory uses: the first one wins.
            if both.0 != 0 {
                self.sets[at] = both;
            }
        }
        // The key looked up in a variable determines its contents.
        if let Expr::Subscript(item) = expr
            && types.both(number()).0 == 0
        {
            self.is(&item.value, nested());
        }
    }

    fn operands(&mut self, left: &Expr, op: Operator, right: &Expr) {
        for (one, other, is_left) in [(left, right, true), (right, left, false)] {
            let known = evident(other);
            let types = match (op, known) {
                (Operator::Add, Some(types)) => types,
                (Operator::Add, None) => number().or(sequences()),
                (Operator::Mult, Some(types)) if types == number() => number().or(sequences()),
                (Operator::Mult, Some(_)) => TypeSet::named(&["int"]),
                (Operator::Mult, None) => number().or(TypeSet::named(&["str", "list_int"])),
                (Operator::Mod, Some(types)) if !is_left && types == TypeSet::named(&["str"]) => {
                    TypeSet::named(&["int", "float", "str", "tuple_int", "tuple_str", "list_int"])
                }
                (Operator::Mod, None) if is_left => number().or(TypeSet::named(&["str"])),
                (Operator::Sub, None) => number().or(TypeSet::starting(&["set"])),
                (Operator::Sub, Some(types)) => types,
                (Operator::BitOr | Operator::BitAnd | Operator::BitXor, None) => {
                    TypeSet::named(&["int", "bool"]).or(TypeSet::starting(&["set"]))
                }
                (Operator::BitOr | Operator::BitAnd | Operator::BitXor, Some(types))
                    if types != number() =>
                {
                    types
                }
                (
                    Operator::LShift
                    | Operator::RShift
                    | Operator::BitOr
                    | Operator::BitAnd
                    | Operator::BitXor,
                    _,
                ) => TypeSet::named(&["int", "bool"]),
                _ => number(),
            };
            self.is(one, types);
        }
    }

    fn comparison(&mut self, left: &Expr, op: CmpOp, right: &Expr) {
        match op {
            CmpOp::In | CmpOp::NotIn => {
                let holding = match evident(left) {
                    Some(types) if types == TypeSet::named(&["str"]) => {
                        TypeSet::which(|ty| ty == "str" || ty.contains("_str"))
                    }
                    Some(types) if types == number() => TypeSet::which(|ty| ty.contains("_int")),
                    _ => containers().or(TypeSet::named(&["str"])),
                };
                self.is(right, holding);
                let items = match right {
                    Expr::Tuple(tuple) => tuple.elts.first(),
                    Expr::List(list) => list.elts.first(),
                    Expr::Set(set) => set.elts.first(),
                    text @ Expr::StringLiteral(_) => Some(text),
                    _ => None,
                };
                let hashable = TypeSet::named(&["int", "str"]);
                self.is(left, items.and_then(evident).unwrap_or(hashable));
            }
            CmpOp::Is | CmpOp::IsNot => {}
            _ => {
                for (one, other) in [(left, right), (right, left)] {
                    if let Some(types) = evident(other) {
                        self.is(one, types);
                    } else if !matches!(op, CmpOp::Eq | CmpOp::NotEq) {
                        self.is(
                            one,
                            number().or(TypeSet::named(&["str", "list_int", "tuple_int"])),
                        );
                    }
                }
            }
        }
    }

    fn builtin_call(&mut self, function: &str, arguments: &Arguments) {
        let types = match function {
            "len" | "any" | "all" | "enumerate" | "list" | "tuple" | "set" | "sorted"
            | "reversed" | "zip" | "frozenset" | "map" | "filter" => {
                containers().or(TypeSet::named(&["str"]))
            }
            "sum" => TypeSet::which(|ty| ty.contains("_int") || ty == "list_float"),
            "max" | "min" if arguments.args.len() == 1 => containers().or(TypeSet::named(&["str"])),
            "max" | "min" => number().or(TypeSet::named(&["str"])),
            "range" | "chr" | "hex" | "oct" | "bin" => TypeSet::named(&["int"]),
            "ord" => TypeSet::named(&["str"]),
            "abs" | "divmod" | "pow" | "round" => number(),
            "int" | "float" => number().or(TypeSet::named(&["str"])),
            "dict" => TypeSet::starting(&["dict", "list_pair"]),
            "bytes" => TypeSet::named(&["list_int", "bytes", "int"]),
            _ => return,
        };
        for argument in &arguments.args {
            self.is(argument, types);
        }
    }

    fn method_call(&mut self, of: &Expr, method: &str, arguments: &Arguments) {
        self.is(of, methods_of(method));
        let types = match method {
            "join" => TypeSet::named(&["list_str", "tuple_str", "set_str", "dict_str_int"]),
            "startswith" | "endswith" | "split" | "rsplit" | "strip" | "lstrip" | "rstrip"
            | "find" | "rfind" | "replace" | "partition" | "rpartition" => {
                TypeSet::named(&["str", "int"])
            }
            "get" | "setdefault" | "add" | "discard" => TypeSet::named(&["str", "int"]),
            "extend" | "update" | "union" | "difference" | "intersection" | "issubset" => {
                containers()
            }
            "ljust" | "rjust" | "center" | "zfill" | "insert" => TypeSet::named(&["int", "str"]),
            _ => return,
        };
        if let Some(argument) = arguments.args.first() {
            self.is(argument, types);
        }
    }
}

impl<'a> Visitor<'a> for Uses<'_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::AugAssign(assign) = stmt {
            self.operands(&assign.target, assign.op, &assign.value);
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::BinOp(binary) => self.operands(&binary.left, binary.op, &binary.right),
            Expr::UnaryOp(unary) if unary.op != UnaryOp::Not => self.is(&unary.operand, number()),
            Expr::Compare(compare) => {
                let mut left = &*compare.left;
                for (op, right) in compare.ops.iter().zip(&compare.comparators) {
                    self.comparison(left, *op, right);
                    left = right;
                }
            }
            Expr::Subscript(item) => {
                let dicts = TypeSet::starting(&["dict"]);
                let changeable = TypeSet::starting(&["list"]).or(dicts);
                self.is(
                    &item.value,
                    match &*item.slice {
                        Expr::Slice(_) => sequences(),
                        _ if item.ctx != ExprContext::Load => changeable,
                        Expr::StringLiteral(_) => TypeSet::starting(&["dict_str"]),
                        Expr::NumberLiteral(_) => sequences().or(TypeSet::named(&["dict_int_int"])),
                        Expr::UnaryOp(_) => sequences(),
                        _ => sequences().or(dicts),
                    },
                );
                self.is(&item.slice, TypeSet::named(&["int", "str"]));
            }
            Expr::Slice(slice) => {
                for part in [&slice.lower, &slice.upper, &slice.step]
                    .into_iter()
                    .flatten()
                {
                    self.is(part, TypeSet::named(&["int"]));
                }
            }
            Expr::Call(call) => match &*call.func {
                Expr::Name(name) => self.builtin_call(name.id.as_str(), &call.arguments),
                Expr::Attribute(method) => {
                    self.method_call(&method.value, method.attr.as_str(), &call.arguments);
                }
                _ => {}
            },
            Expr::Starred(starred) => self.is(&starred.value, containers()),
            Expr::ListComp(c) => c
                .generators
                .iter()
                .for_each(|g| self.is(&g.iter, containers())),
            Expr::SetComp(c) => c
                .generators
                .iter()
                .for_each(|g| self.is(&g.iter, containers())),
            Expr::DictComp(c) => c
                .generators
                .iter()
                .for_each(|g| self.is(&g.iter, containers())),
            Expr::Generator(c) => c
                .generators
                .iter()
                .for_each(|g| self.is(&g.iter, containers())),
            _ => {}
        }
        walk_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(program: &str, name: &str) -> Vec<&'static str> {
        guess(program, &[name.to_owned()])[0].names()
    }

    #[test]
    fn uses_narrow_the_types() {
        assert_eq!(
            of("x.append(1)", "x"),
            [
                "list_int",
                "list_float",
                "list_str",
                "list_mixed",
                "list_list_int",
                "list_pair"
            ]
        );
        assert_eq!(
            of("y = x['a']", "x"),
            ["dict_str_int", "dict_str_str", "dict_str_list"]
        );
        assert_eq!(of("if x == 'r': pass", "x"), ["str"]);
        assert_eq!(of("y = x + 1", "x"), ["int", "float", "bool"]);
        assert_eq!(
            of("y = ', '.join(x)", "x"),
            ["list_str", "tuple_str", "set_str", "dict_str_int"]
        );
        assert_eq!(of("y = z[x:]", "x"), ["int"]);
        assert_eq!(of("if x in ('a', 'b'): pass", "x"), ["str"]);
        assert_eq!(of("y = x % 2 == 0", "x"), ["int", "float", "bool"]);
        assert_eq!(of("y = x", "x").len(), TYPES.len());
    }

    #[test]
    fn uses_that_contradict_each_other_leave_the_first() {
        assert_eq!(of("y = x + 1 + x.find('a')", "x"), ["int", "float", "bool"]);
    }
}
