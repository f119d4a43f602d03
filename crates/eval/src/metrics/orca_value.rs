//! When two values are the same to ORCA's value accuracy.
//!
//! Its authors evaluate the predicted text with Python's `eval`. Here a model's notation of values is
//! parsed without running anything: constants, containers, signs, and calls of `range` and of empty
//! container types. Everything else counts as text that cannot be evaluated, as `eval` also treats
//! names and syntax errors; arithmetic, indexing and other calls, which it would compute, do not
//! occur in stored predictions.

use codexec_data::syntax::with_parsed;
use ruff_python_ast::{Expr, ExprCall, Number, Stmt, UnaryOp};

/// The text is nothing that can be evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotEvaluated;

/// Whether `predicted`, evaluated and printed, is the text `gold`.
///
/// One leading and one trailing quote are stripped from `gold`. A list is printed as the list of
/// its items' text, so that `[1]` becomes `['1']` and equals no list of numbers.
///
/// # Errors
/// If `predicted` cannot be evaluated.
pub fn same_as_gold(predicted: &str, gold: &str) -> Result<bool, NotEvaluated> {
    let gold = gold.strip_prefix(['"', '\'']).unwrap_or(gold);
    let gold = gold.strip_suffix(['"', '\'']).unwrap_or(gold);
    let printed = match evaluate(predicted)? {
        Constant::List(items) => {
            let texts = items.iter().map(|item| Constant::Text(item.print()));
            Constant::List(texts.collect()).print()
        }
        value => value.print(),
    };
    Ok(printed == gold)
}

/// A value as `eval` would give it.
#[derive(Debug, Clone, PartialEq)]
enum Constant {
    /// Printed unchanged: numbers, `None`, `True`, `range(0, 3)`.
    Plain(String),
    /// A number that a sign may stand before: `true` for the text of a float.
    Number(String, bool),
    Text(String),
    List(Vec<Constant>),
    Tuple(Vec<Constant>),
    Set(Vec<Constant>),
    Dict(Vec<(Constant, Constant)>),
}

impl Constant {
    /// As `str` gives it.
    fn print(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => other.repr(),
        }
    }

    /// As `repr` gives it.
    fn repr(&self) -> String {
        let joined = |items: &[Self]| {
            let texts: Vec<String> = items.iter().map(Self::repr).collect();
            texts.join(", ")
        };
        match self {
            Self::Plain(text) | Self::Number(text, _) => text.clone(),
            Self::Text(text) => quoted(text),
            Self::List(items) => format!("[{}]", joined(items)),
            Self::Tuple(items) if items.len() == 1 => format!("({},)", joined(items)),
            Self::Tuple(items) => format!("({})", joined(items)),
            Self::Set(items) if items.is_empty() => "set()".to_owned(),
            Self::Set(items) => format!("{{{}}}", joined(items)),
            Self::Dict(items) => {
                let pairs = items.iter();
                let pairs = pairs.map(|(k, v)| format!("{}: {}", k.repr(), v.repr()));
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn hashable(&self) -> bool {
        match self {
            Self::List(_) | Self::Set(_) | Self::Dict(_) => false,
            Self::Tuple(items) => items.iter().all(Self::hashable),
            _ => true,
        }
    }
}

fn evaluate(text: &str) -> Result<Constant, NotEvaluated> {
    let text = text.trim_start_matches([' ', '\t']);
    let read = with_parsed(text, |parsed| match &*parsed.syntax().body {
        [Stmt::Expr(statement)] => value(&statement.value),
        _ => Err(NotEvaluated),
    });
    read.unwrap_or(Err(NotEvaluated))
}

fn value(expr: &Expr) -> Result<Constant, NotEvaluated> {
    let all = |items: &[Expr]| items.iter().map(value).collect::<Result<Vec<_>, _>>();
    Ok(match expr {
        Expr::NumberLiteral(number) => match &number.value {
            Number::Int(int) => Constant::Number(whole(&int.to_string())?, false),
            Number::Float(float) => Constant::Number(float_text(*float), true),
            Number::Complex { .. } => return Err(NotEvaluated),
        },
        Expr::StringLiteral(text) => Constant::Text(text.value.to_str().to_owned()),
        Expr::BooleanLiteral(truth) => {
            Constant::Plain(if truth.value { "True" } else { "False" }.to_owned())
        }
        Expr::NoneLiteral(_) => Constant::Plain("None".to_owned()),
        Expr::EllipsisLiteral(_) => Constant::Plain("Ellipsis".to_owned()),
        Expr::List(list) => Constant::List(all(&list.elts)?),
        Expr::Tuple(tuple) => Constant::Tuple(all(&tuple.elts)?),
        Expr::Set(set) => set_of(all(&set.elts)?)?,
        Expr::Dict(dict) => {
            let mut items: Vec<(Constant, Constant)> = Vec::new();
            for item in &dict.items {
                let key = value(item.key.as_ref().ok_or(NotEvaluated)?)?;
                let found = value(&item.value)?;
                if !key.hashable() {
                    return Err(NotEvaluated);
                }
                match items.iter_mut().find(|(k, _)| *k == key) {
                    Some((_, old)) => *old = found,
                    None => items.push((key, found)),
                }
            }
            Constant::Dict(items)
        }
        Expr::UnaryOp(unary) => match (unary.op, value(&unary.operand)?) {
            (UnaryOp::UAdd, number @ Constant::Number(..)) => number,
            (UnaryOp::USub, Constant::Number(text, float)) => {
                Constant::Number(negated(&text, float), float)
            }
            _ => return Err(NotEvaluated),
        },
        Expr::Call(call) => called(call)?,
        _ => return Err(NotEvaluated),
    })
}

/// A set in the order in which it prints: of small numbers, by size.
fn set_of(items: Vec<Constant>) -> Result<Constant, NotEvaluated> {
    let mut kept: Vec<Constant> = Vec::new();
    for item in items {
        if !item.hashable() {
            return Err(NotEvaluated);
        }
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    let number = |item: &Constant| match item {
        Constant::Number(text, false) => text.parse::<i64>().ok(),
        _ => None,
    };
    if kept.iter().all(|item| number(item).is_some()) {
        kept.sort_by_key(number);
    }
    Ok(Constant::Set(kept))
}

fn called(call: &ExprCall) -> Result<Constant, NotEvaluated> {
    let Expr::Name(name) = &*call.func else {
        return Err(NotEvaluated);
    };
    if !call.arguments.keywords.is_empty() {
        return Err(NotEvaluated);
    }
    let arguments = &call.arguments.args;
    let read = arguments.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    let whole = |item: &Constant| matches!(item, Constant::Number(_, false));
    Ok(match (name.id.as_str(), &read[..]) {
        ("set", []) => Constant::Set(Vec::new()),
        ("list", []) => Constant::List(Vec::new()),
        ("tuple", []) => Constant::Tuple(Vec::new()),
        ("dict", []) => Constant::Dict(Vec::new()),
        ("range", [end]) if whole(end) => Constant::Plain(format!("range(0, {})", end.repr())),
        ("range", [start, end]) if whole(start) && whole(end) => {
            Constant::Plain(format!("range({}, {})", start.repr(), end.repr()))
        }
        _ => return Err(NotEvaluated),
    })
}

/// A whole number as Python prints it: in tens, without signs for places.
fn whole(text: &str) -> Result<String, NotEvaluated> {
    let text = text.replace('_', "");
    let decimal = text.bytes().all(|b| b.is_ascii_digit());
    if decimal {
        let short = text.trim_start_matches('0');
        return Ok(if short.is_empty() { "0" } else { short }.to_owned());
    }
    Err(NotEvaluated)
}

fn negated(text: &str, float: bool) -> String {
    match text.strip_prefix('-') {
        Some(positive) => positive.to_owned(),
        None if text == "0" && !float => "0".to_owned(),
        None => format!("-{text}"),
    }
}

/// A float as `repr` gives it: the shortest digits that read back, in powers of ten from 1e16 and
/// below 1e-4.
fn float_text(float: f64) -> String {
    if float.is_infinite() {
        return "inf".to_owned();
    }
    let shown = format!("{float:e}");
    let Some((digits, power)) = shown.split_once('e') else {
        return shown;
    };
    let power: i32 = power.parse().unwrap_or(0);
    if (-4..16).contains(&power) {
        let plain = float.to_string();
        return if plain.contains('.') {
            plain
        } else {
            plain + ".0"
        };
    }
    let sign = if power < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", power.abs())
}

/// A text in quotes, single ones where that needs no escape.
fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut shown = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            '\\' => shown.push_str("\\\\"),
            c if c == quote => {
                shown.push('\\');
                shown.push(c);
            }
            c if c.is_control() => shown.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => shown.push(c),
        }
    }
    shown.push(quote);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_numbers_equal_nothing_as_in_the_reference() {
        assert_eq!(same_as_gold("[ 1 , 2 ]", "[1, 2]"), Ok(false));
        assert_eq!(same_as_gold("[ 1 , 2 ]", "['1', '2']"), Ok(true));
        assert_eq!(same_as_gold("['a']", "['a']"), Ok(true));
        assert_eq!(same_as_gold("( 1 , )", "(1,)"), Ok(true));
    }

    #[test]
    fn values_print_as_python_prints_them() {
        let cases = [
            ("- 5", "-5"),
            (" 1_000", "1000"),
            ("1e16", "1e+16"),
            ("0.00001", "1e-05"),
            ("-1.50", "-1.5"),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
            ),
            ("\"it's\"", "it's"),
            ("{ 3 , 1 , 1 }", "{1, 3}"),
            ("{ 'a' : 1 , 'a' : 2 }", "{'a': 2}"),
            ("set()", "set()"),
            ("range(4)", "range(0, 4)"),
            ("None", "None"),
            ("'x'", "'x'"),
        ];
        for (predicted, gold) in cases {
            assert_eq!(same_as_gold(predicted, gold), Ok(true), "{predicted}");
        }
    }

    #[test]
    fn what_eval_refuses_is_refused() {
        let deep = "[".repeat(100_000);
        let signs = "-".repeat(50_000) + "1";
        let texts = [
            "abc",
            "W , W R",
            "<function>",
            "",
            "a = 1",
            "1; 2",
            "{[]}",
            &deep,
        ];
        for text in texts {
            assert_eq!(same_as_gold(text, "1"), Err(NotEvaluated), "{:.20}", text);
        }
        // Whatever it says, it says it without overflowing the stack.
        let _ = same_as_gold(&signs, "1");
    }
}
