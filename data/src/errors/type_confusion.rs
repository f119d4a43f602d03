//! Edits that confuse a type, an index or a name, as people do: programs that ran before often raise afterwards.
//!
//! | name | before | after |
//! |---|---|---|
//! | `drop-int` | `n = int(input())` | `n = (input())` |
//! | `drop-str` | `'a' + str(n)` | `'a' + (n)` |
//! | `extra-argument` | `f(x)` | `f(x, 0)` |
//! | `index-too-far` | `xs[i]`, `range(n)` | `xs[i + 1]`, `range(n + 1)` |
//! | `missing-key` | `d['a']`, `d[k]` | `d['a_']`, `d[str(k)]` |
//! | `misspelt-name` | `total`, `xs.append(1)` | `ttoal`, `xs.appnd(1)` |
//!
//! They complement the twelve operators of `codexec-mutate`, which are the CodeExecutor paper's and stay twelve.
//! Nothing here runs a program: the sandbox determines whether an edit raises.

use std::collections::BTreeSet;
use std::ops::Range;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprCall, ExprContext, ExprSubscript, Number, Stmt, UnaryOp};
use ruff_text_size::Ranged;

use crate::syntax::{SyntaxError, with_parsed};

/// Names of the edits, as in records.
pub const CONFUSIONS: [&str; 6] = [
    "drop-int",
    "drop-str",
    "extra-argument",
    "index-too-far",
    "missing-key",
    "misspelt-name",
];

/// Builtins that take no further argument.
const FIXED: [&str; 12] = [
    "len", "abs", "ord", "chr", "input", "list", "tuple", "set", "sorted", "reversed", "hex", "bin",
];

/// One edit of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    /// Its name, one of [`CONFUSIONS`].
    pub name: &'static str,
    /// The bytes that it replaces.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

impl Confusion {
    /// The program with the edit.
    ///
    /// # Errors
    /// Never returns an error: a range outside of the text leaves the text unchanged.
    pub fn apply(&self, source: &str) -> String {
        let mut text = source.to_owned();
        if source.get(self.range.clone()).is_some() {
            text.replace_range(self.range.clone(), &self.text);
        }
        text
    }
}

/// All edits of a program, in the order of its text.
///
/// # Errors
/// The first syntax error.
///
/// ```
/// use codexec_data::errors::confusions;
/// let source = "n = int(input())\n";
/// let edits = confusions(source)?;
/// let first = edits.iter().find(|edit| edit.name == "drop-int").ok_or("none")?;
/// assert_eq!(first.apply(source), "n = (input())\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn confusions(source: &str) -> Result<Vec<Confusion>, SyntaxError> {
    with_parsed(source, |parsed| {
        let mut names = Names::default();
        names.visit_body(parsed.suite());
        let mut sites = Sites {
            source,
            names: &names,
            found: Vec::new(),
        };
        sites.visit_body(parsed.suite());
        let mut found = sites.found;
        found.sort_by_key(|edit| (edit.range.start, edit.range.end, edit.name));
        found.dedup();
        found
    })
}

/// Names of a program: all of them, its functions, and those that hold dicts.
#[derive(Default)]
struct Names {
    all: BTreeSet<String>,
    functions: BTreeSet<String>,
    dicts: BTreeSet<String>,
}

impl Visitor<'_> for Names {
    fn visit_stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::FunctionDef(node) => {
                let plain = node.parameters.vararg.is_none();
                self.all.insert(node.name.to_string());
                if plain {
                    self.functions.insert(node.name.to_string());
                }
            }
            Stmt::Assign(node) => {
                let is_dict = match &*node.value {
                    Expr::Dict(_) | Expr::DictComp(_) => true,
                    Expr::Call(call) => {
                        matches!(&*call.func, Expr::Name(name) if name.id == "dict")
                    }
                    _ => false,
                };
                let names = node.targets.iter().filter_map(Expr::as_name_expr);
                for name in names.filter(|_| is_dict) {
                    self.dicts.insert(name.id.to_string());
                }
            }
            _ => {}
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        if let Expr::Name(node) = expr {
            self.all.insert(node.id.to_string());
        }
        walk_expr(self, expr);
    }
}

struct Sites<'s> {
    source: &'s str,
    names: &'s Names,
    found: Vec<Confusion>,
}

impl Sites<'_> {
    fn text(&self, node: &impl Ranged) -> &str {
        &self.source[node.range()]
    }

    fn push(&mut self, name: &'static str, range: Range<usize>, text: String) {
        self.found.push(Confusion { name, range, text });
    }

    fn call(&mut self, call: &ExprCall) {
        let positional = &call.arguments.args;
        let Expr::Name(function) = &*call.func else {
            if let Expr::Attribute(method) = &*call.func
                && let Some(wrong) = misspelt(&method.attr)
            {
                self.push("misspelt-name", method.attr.range().to_std_range(), wrong);
            }
            return;
        };
        let one = match &**positional {
            [one] if call.arguments.keywords.is_empty() && !one.is_starred_expr() => Some(one),
            _ => None,
        };
        if let Some(one) = one {
            let bare = format!("({})", self.text(one));
            match function.id.as_str() {
                "int" | "float" => self.push("drop-int", call.range().to_std_range(), bare),
                "str" => self.push("drop-str", call.range().to_std_range(), bare),
                _ => {}
            }
        }
        // A generator without parentheses of its own bears no second argument.
        let alone = one.is_some_and(Expr::is_generator_expr);
        if let (Some(count), false) = (one.filter(|_| function.id == "range"), alone) {
            let text = one_more(self.text(count), count);
            self.push("index-too-far", count.range().to_std_range(), text);
        }
        let known = self.names.functions.contains(function.id.as_str());
        let fixed = FIXED.contains(&function.id.as_str());
        let starred = positional.iter().any(Expr::is_starred_expr);
        if (known || fixed) && !alone && !starred {
            let (at, text) = match positional.last() {
                Some(last) => (last.end().to_usize(), ", 0"),
                None if call.arguments.keywords.is_empty() => {
                    (call.arguments.start().to_usize() + 1, "0")
                }
                None => (call.arguments.start().to_usize() + 1, "0, "),
            };
            // A last argument in parentheses ends before them.
            let behind = self.source[at..call.arguments.end().to_usize()].trim_start();
            let closes = behind.matches(')').count() == 1 || behind.starts_with(',');
            if positional.is_empty() || closes {
                self.push("extra-argument", at..at, text.to_owned());
            }
        }
    }

    fn subscript(&mut self, node: &ExprSubscript) {
        let range = node.slice.range().to_std_range();
        let key = self.text(&*node.slice).to_owned();
        match &*node.slice {
            Expr::Slice(_) | Expr::Tuple(_) => {}
            Expr::StringLiteral(literal) => {
                let text = literal.value.to_str();
                if text
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == ' ' || c == '_')
                {
                    self.push("missing-key", range, format!("'{text}_'"));
                }
            }
            index => {
                let holder = node.value.as_name_expr();
                if holder.is_some_and(|name| self.names.dicts.contains(name.id.as_str())) {
                    self.push("missing-key", range, format!("str({key})"));
                    return;
                }
                let text = match (negative(index), holder) {
                    (true, Some(name)) => format!("len({})", name.id),
                    (true, None) => return,
                    (false, _) => one_more(&key, index),
                };
                self.push("index-too-far", range, text);
            }
        }
    }
}

impl Visitor<'_> for Sites<'_> {
    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Call(call) => self.call(call),
            Expr::Subscript(node) if node.ctx == ExprContext::Load => self.subscript(node),
            Expr::Name(node) if node.ctx == ExprContext::Load => {
                let wrong = misspelt(&node.id).filter(|name| !self.names.all.contains(name));
                if let Some(wrong) = wrong {
                    self.push("misspelt-name", node.range().to_std_range(), wrong);
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }

    // Annotations and decorators are evaluated, but are not what people mistype an index in.
    fn visit_annotation(&mut self, _: &Expr) {}
}

fn negative(index: &Expr) -> bool {
    matches!(index, Expr::UnaryOp(node) if node.op == UnaryOp::USub)
}

/// An expression plus one.
fn one_more(text: &str, expr: &Expr) -> String {
    match expr {
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(value) => match value.as_u64().and_then(|n| n.checked_add(1)) {
                Some(next) => next.to_string(),
                None => format!("{text} + 1"),
            },
            _ => format!("{text} + 1"),
        },
        Expr::Name(_) | Expr::Call(_) | Expr::Attribute(_) | Expr::Subscript(_) => {
            format!("{text} + 1")
        }
        _ => format!("({text}) + 1"),
    }
}

/// A name with a typical typo: two letters swapped in short ones, one omitted in others. `None` for names of one or
/// two letters.
fn misspelt(name: &str) -> Option<String> {
    let mut letters: Vec<char> = name.chars().collect();
    let middle = letters.len() / 2;
    if letters.len() < 3 || !name.is_ascii() || name.starts_with("__") {
        return None;
    }
    if letters.len() > 5 {
        letters.remove(middle);
    } else {
        letters.swap(middle - 1, middle);
    }
    let wrong: String = letters.into_iter().collect();
    (wrong != name && !wrong.starts_with(|c: char| c.is_ascii_digit())).then_some(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(source: &str, name: &str) -> Vec<String> {
        let all = confusions(source).unwrap();
        let all = all.iter().filter(|edit| edit.name == name);
        all.map(|edit| edit.apply(source)).collect()
    }

    #[test]
    fn each_edit_does_what_its_row_says() {
        assert_eq!(
            edited("n = int(input())\n", "drop-int"),
            ["n = (input())\n"]
        );
        assert_eq!(
            edited("s = 'a' + str(n)\n", "drop-str"),
            ["s = 'a' + (n)\n"]
        );
        assert_eq!(edited("x = xs[i]\n", "index-too-far"), ["x = xs[i + 1]\n"]);
        assert_eq!(edited("x = xs[9]\n", "index-too-far"), ["x = xs[10]\n"]);
        assert_eq!(
            edited("x = xs[a - b]\n", "index-too-far"),
            ["x = xs[(a - b) + 1]\n"]
        );
        assert_eq!(
            edited("x = xs[-1]\n", "index-too-far"),
            ["x = xs[len(xs)]\n"]
        );
        assert_eq!(
            edited("for k in range(n): pass\n", "index-too-far"),
            ["for k in range(n + 1): pass\n"]
        );
        assert_eq!(edited("x = d['a b']\n", "missing-key"), ["x = d['a b_']\n"]);
        assert_eq!(
            edited("d = {}\nx = d[k]\n", "missing-key"),
            ["d = {}\nx = d[str(k)]\n"]
        );
        assert_eq!(edited("x = total\n", "misspelt-name"), ["x = ttoal\n"]);
        assert_eq!(edited("xs.append(1)\n", "misspelt-name"), ["xs.appnd(1)\n"]);
    }

    #[test]
    fn arguments_go_where_python_takes_them() {
        let source = "def f(a, b=1): pass\nf(1)\nf(1, b=2)\nf()\nf(b=1)\nf((1))\nf(1,)\n";
        let want = ["f(1, 0)", "f(1, 0, b=2)", "f(0)", "f(0, b=1)", "f(1, 0,)"];
        let all = edited(source, "extra-argument").join("\n");
        for text in want {
            assert!(all.contains(text), "{text}\n{all}");
        }
        assert!(edited("print(1)\nlen(x for x in y)\nlen(*xs)\n", "extra-argument").is_empty());
    }

    #[test]
    fn every_edit_parses_and_changes_something() {
        let source = "\
import math
def area(radius: float, names=None):
    found = {}
    for name in names or ['a', \"b\"]:
        found[name] = f'{radius * math.pi:.2f}' + str(radius)
    return found['a'], found[name][0], len(found)
print(area(float(input()), [x for x in input().split()]))
";
        let all = confusions(source).unwrap();
        assert!(all.len() > 15);
        for name in CONFUSIONS {
            assert!(all.iter().any(|edit| edit.name == name), "{name}");
        }
        for edit in all {
            let text = edit.apply(source);
            assert_ne!(text, source);
            assert!(with_parsed(&text, |_| ()).is_ok(), "{text}");
        }
    }
}
