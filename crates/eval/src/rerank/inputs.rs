//! Calls of a function with arguments drawn by the types of its parameters, for problems without any example.

use codexec_data::syntax::with_parsed;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use ruff_python_ast::{Expr, Stmt};

use super::test::Test;

/// Calls tried per requested one.
const TRIES: usize = 4;
/// Maximum items of a drawn list.
const MOST_ITEMS: usize = 5;
/// Maximum nesting of types.
const DEEPEST: usize = 4;

/// At most `count` different calls of a function, without expected values. Empty if a parameter has no type, or an
/// unsupported one.
pub(super) fn drawn_calls(
    code: &str,
    function: &str,
    count: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<Test> {
    let mut calls: Vec<Test> = Vec::new();
    for _ in 0..count * TRIES {
        let Some(arguments) = arguments(code, function, rng) else {
            break;
        };
        let call = Test::Call {
            call: format!("{function}({})", arguments.join(", ")),
            expected: None,
        };
        if calls.len() < count && !calls.contains(&call) {
            calls.push(call);
        }
    }
    calls
}

fn arguments(code: &str, function: &str, rng: &mut ChaCha8Rng) -> Option<Vec<String>> {
    with_parsed(code, |parsed| {
        let is_it = |statement: &Stmt| match statement {
            Stmt::FunctionDef(found) if found.name.as_str() == function => Some(found.clone()),
            _ => None,
        };
        let found = parsed.syntax().body.iter().rev().find_map(is_it)?;
        let all = &found.parameters;
        if all.vararg.is_some() || all.kwarg.is_some() || !all.kwonlyargs.is_empty() {
            return None;
        }
        let needed = all.posonlyargs.iter().chain(&all.args);
        let needed = needed.filter(|parameter| parameter.default.is_none());
        needed
            .map(|parameter| drawn(parameter.parameter.annotation.as_deref()?, 0, rng))
            .collect()
    })
    .ok()
    .flatten()
}

/// A value of a type, as Python writes it.
fn drawn(annotation: &Expr, depth: usize, rng: &mut ChaCha8Rng) -> Option<String> {
    if depth > DEEPEST {
        return None;
    }
    match annotation {
        Expr::Name(name) => simple(name.id.as_str(), rng),
        Expr::NoneLiteral(_) => Some("None".to_owned()),
        Expr::StringLiteral(text) => simple(text.value.to_str(), rng),
        // For `int | None`, and `Optional` below: the more informative value.
        Expr::BinOp(either) => drawn(&either.left, depth + 1, rng),
        Expr::Subscript(subscript) => {
            let name = match &*subscript.value {
                Expr::Name(name) => name.id.as_str(),
                Expr::Attribute(attribute) => attribute.attr.as_str(),
                _ => return None,
            };
            let inner: Vec<&Expr> = match &*subscript.slice {
                Expr::Tuple(tuple) => tuple.elts.iter().collect(),
                one => vec![one],
            };
            of_items(name, &inner, depth + 1, rng)
        }
        _ => None,
    }
}

fn simple(name: &str, rng: &mut ChaCha8Rng) -> Option<String> {
    Some(match name {
        "int" => number(rng),
        "float" => format!("{}.{}", rng.random_range(-5..20), rng.random_range(0..10)),
        "bool" => ["False", "True"][rng.random_range(0..2)].to_owned(),
        "str" => {
            let count = rng.random_range(1..=8);
            let letters = (0..count).map(|_| char::from(b"abcdeABC 12"[rng.random_range(0..11)]));
            format!("'{}'", letters.collect::<String>())
        }
        "list" | "List" => of_items("list", &[], 0, rng)?,
        _ => return None,
    })
}

fn number(rng: &mut ChaCha8Rng) -> String {
    rng.random_range(-3..20).to_string()
}

fn of_items(name: &str, inner: &[&Expr], depth: usize, rng: &mut ChaCha8Rng) -> Option<String> {
    let count = rng.random_range(1..=MOST_ITEMS);
    let items = |of: Option<&&Expr>, rng: &mut ChaCha8Rng| -> Option<Vec<String>> {
        let one = |_| match of {
            Some(of) => drawn(of, depth, rng),
            None => Some(number(rng)),
        };
        (0..count).map(one).collect()
    };
    Some(match (name, inner) {
        ("List" | "list" | "Sequence" | "Iterable", _) => {
            format!("[{}]", items(inner.first(), rng)?.join(", "))
        }
        ("Set" | "set", _) => format!("{{{}}}", items(inner.first(), rng)?.join(", ")),
        ("Tuple" | "tuple", [of, Expr::EllipsisLiteral(_)]) => {
            format!("({},)", items(Some(of), rng)?.join(", "))
        }
        ("Tuple" | "tuple", all) if !all.is_empty() => {
            let all: Option<Vec<String>> = all.iter().map(|of| drawn(of, depth, rng)).collect();
            format!("({},)", all?.join(", "))
        }
        ("Dict" | "dict", [key, value]) => {
            let (keys, values) = (items(Some(key), rng)?, items(Some(value), rng)?);
            let pairs = keys.iter().zip(&values).map(|(k, v)| format!("{k}: {v}"));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        ("Optional" | "Union", [of, ..]) => drawn(of, depth, rng)?,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::super::literal::literal;
    use super::*;

    fn calls(code: &str) -> Vec<Test> {
        drawn_calls(code, "f", 3, &mut ChaCha8Rng::seed_from_u64(1))
    }

    #[test]
    fn arguments_have_the_types_that_are_asked_for() {
        let code = "from typing import *\ndef f(a: int, b: List[str], c: Dict[str, float], d: Optional[Tuple[int, bool]], e=3):\n    pass\n";
        let found = calls(code);
        assert_eq!(found.len(), 3);
        assert_eq!(found, calls(code));
        for test in found {
            let Test::Call { call, expected } = test else {
                panic!("no call")
            };
            assert_eq!(expected, None);
            let arguments = call.strip_prefix('f').unwrap();
            assert!(literal(arguments).is_some(), "{call}");
        }
    }

    #[test]
    fn what_has_no_type_is_not_called() {
        for code in [
            "def f(a): pass",
            "def f(a: Node): pass",
            "def g(a: int): pass",
            "def f(*a: int): pass",
            "def f(",
        ] {
            assert_eq!(calls(code), [], "{code}");
        }
    }
}
