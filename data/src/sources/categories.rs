//! The syntactic category of each line of a program: seven categories.
//!
//! They follow the grouping in which the CodeExecutor paper analyses its model's failures (Table 4,
//! done there by hand on a sample): numbers, strings, sequences, mappings, calls, control flow,
//! definitions. The contents of names are unknown here, so a subscript is a sequence unless its key
//! is a string, and a method is recognised by its name. If a statement does several things, the first
//! category in the order of [`Category::ALL`] applies.

use std::collections::BTreeMap;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{ElifElseClause, ExceptHandler, Expr, ExprContext, MatchCase, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};
use serde::{Deserialize, Serialize};

use crate::syntax::{SyntaxError, with_parsed};

/// The category of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Decides what runs next: the headers of `if`, `for`, `while`, `try`, `with` and `match`, and
    /// `break`, `continue`, `pass`, `raise`, `assert` and a bare `return`.
    ControlFlow,
    /// Binds a name to something other than a value: `def`, `class`, `import`, `global`, `lambda`.
    Definitions,
    /// Dicts and sets: displays, comprehensions, string keys, their methods.
    DictsAndSets,
    /// Lists and tuples: displays, comprehensions, subscripts, slices, unpacking, their methods.
    ListsAndTuples,
    /// Strings: literals, formatting, their methods.
    Strings,
    /// Other calls, of builtins and of functions.
    Calls,
    /// The rest: numbers, names, arithmetic, comparisons.
    Numbers,
}

impl Category {
    /// Every category, in order of precedence.
    pub const ALL: [Self; 7] = [
        Self::ControlFlow,
        Self::Definitions,
        Self::DictsAndSets,
        Self::ListsAndTuples,
        Self::Strings,
        Self::Calls,
        Self::Numbers,
    ];

    /// For tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::ControlFlow => "control flow",
            Self::Definitions => "definitions",
            Self::DictsAndSets => "dicts and sets",
            Self::ListsAndTuples => "lists and tuples",
            Self::Strings => "strings",
            Self::Calls => "calls",
            Self::Numbers => "numbers",
        }
    }
}

/// The category of each line with a statement, or the header of one. Of several statements on a
/// line the first counts.
///
/// # Errors
/// If the program does not parse.
pub fn categories(source: &str) -> Result<BTreeMap<u32, Category>, SyntaxError> {
    with_parsed(source, |parsed| {
        let mut lines = Lines {
            starts: std::iter::once(0)
                .chain(source.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
            found: BTreeMap::new(),
        };
        for statement in &parsed.syntax().body {
            lines.visit_stmt(statement);
        }
        lines.found
    })
}

/// Starts of lines, and their known properties.
struct Lines {
    starts: Vec<usize>,
    found: BTreeMap<u32, Category>,
}

impl Lines {
    fn line(&self, at: TextSize) -> u32 {
        let before = self.starts.partition_point(|start| *start <= at.to_usize());
        u32::try_from(before).unwrap_or(u32::MAX)
    }

    /// From the line of `from` to that of `to`.
    fn mark(&mut self, from: TextSize, to: TextSize, category: Category) {
        for line in self.line(from)..=self.line(to) {
            self.found.entry(line).or_insert(category);
        }
    }

    /// A header, up to the expression it ends with.
    fn header(&mut self, range: TextRange, last: Option<&Expr>, category: Category) {
        let end = last.map_or(range.start(), Ranged::end);
        self.mark(range.start(), end, category);
    }
}

impl<'a> Visitor<'a> for Lines {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let range = statement.range();
        match statement {
            Stmt::FunctionDef(def) => {
                self.mark(range.start(), def.name.end(), Category::Definitions);
            }
            Stmt::ClassDef(class) => {
                self.mark(range.start(), class.name.end(), Category::Definitions);
            }
            Stmt::If(s) => self.header(range, Some(&s.test), Category::ControlFlow),
            Stmt::While(s) => self.header(range, Some(&s.test), Category::ControlFlow),
            Stmt::For(s) => self.header(range, Some(&s.iter), Category::ControlFlow),
            Stmt::With(s) => {
                let last = s.items.last().map(|item| &item.context_expr);
                self.header(range, last, Category::ControlFlow);
            }
            Stmt::Match(s) => self.header(range, Some(&s.subject), Category::ControlFlow),
            Stmt::Try(_) => self.header(range, None, Category::ControlFlow),
            simple => self.mark(range.start(), range.end(), simple_category(simple)),
        }
        walk_stmt(self, statement);
    }

    fn visit_elif_else_clause(&mut self, clause: &'a ElifElseClause) {
        self.header(clause.range(), clause.test.as_ref(), Category::ControlFlow);
        self.visit_body(&clause.body);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        let kind = inner.type_.as_deref();
        self.header(handler.range(), kind, Category::ControlFlow);
        self.visit_body(&inner.body);
    }

    fn visit_match_case(&mut self, case: &'a MatchCase) {
        self.header(case.range(), None, Category::ControlFlow);
        self.visit_body(&case.body);
    }

    // Expressions hold no statement except in lambdas, which have none of their own.
    fn visit_expr(&mut self, _: &'a Expr) {}
}

/// The category of a statement without a body.
fn simple_category(statement: &Stmt) -> Category {
    match statement {
        Stmt::Break(_) | Stmt::Continue(_) | Stmt::Pass(_) | Stmt::Raise(_) | Stmt::Assert(_) => {
            return Category::ControlFlow;
        }
        Stmt::Return(s) if s.value.is_none() => return Category::ControlFlow,
        Stmt::Import(_) | Stmt::ImportFrom(_) | Stmt::Global(_) | Stmt::Nonlocal(_) => {
            return Category::Definitions;
        }
        _ => {}
    }
    let mut seen = Seen(Category::Numbers);
    seen.visit_stmt(statement);
    seen.0
}

/// The first category, in their order, that an expression of a statement has.
struct Seen(Category);

impl Seen {
    fn see(&mut self, category: Category) {
        self.0 = self.0.min(category);
    }
}

impl<'a> Visitor<'a> for Seen {
    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Dict(_) | Expr::Set(_) | Expr::DictComp(_) | Expr::SetComp(_) => {
                self.see(Category::DictsAndSets);
            }
            Expr::Subscript(s) if matches!(*s.slice, Expr::StringLiteral(_)) => {
                self.see(Category::DictsAndSets);
            }
            Expr::List(_)
            | Expr::Tuple(_)
            | Expr::ListComp(_)
            | Expr::Generator(_)
            | Expr::Subscript(_)
            | Expr::Starred(_) => self.see(Category::ListsAndTuples),
            Expr::StringLiteral(_) | Expr::FString(_) | Expr::BytesLiteral(_) => {
                self.see(Category::Strings);
            }
            Expr::Lambda(_) => self.see(Category::Definitions),
            Expr::Call(call) => {
                self.see(Category::Calls);
                match &*call.func {
                    Expr::Name(name) => {
                        if let Some(category) = of_function(name.id.as_str()) {
                            self.see(category);
                        }
                    }
                    Expr::Attribute(method) if matches!(method.ctx, ExprContext::Load) => {
                        if let Some(category) = of_method(method.attr.as_str()) {
                            self.see(category);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// The category of builtins that construct or order containers and strings.
fn of_function(name: &str) -> Option<Category> {
    Some(match name {
        "dict" | "set" | "frozenset" | "defaultdict" | "Counter" | "OrderedDict" => {
            Category::DictsAndSets
        }
        "list" | "tuple" | "sorted" | "reversed" | "range" | "zip" | "enumerate" | "deque" => {
            Category::ListsAndTuples
        }
        "str" | "repr" | "chr" | "ord" | "format" | "ascii" | "bytes" => Category::Strings,
        _ => return None,
    })
}

/// The category of a method, if it belongs (almost) exclusively to one builtin type.
fn of_method(name: &str) -> Option<Category> {
    Some(match name {
        "keys" | "values" | "items" | "get" | "setdefault" | "popitem" | "fromkeys" | "update"
        | "add" | "discard" | "union" | "intersection" | "difference" | "issubset"
        | "issuperset" | "most_common" => Category::DictsAndSets,
        "append" | "extend" | "insert" | "pop" | "remove" | "sort" | "reverse" | "appendleft"
        | "popleft" => Category::ListsAndTuples,
        "split" | "rsplit" | "splitlines" | "join" | "strip" | "lstrip" | "rstrip" | "upper"
        | "lower" | "title" | "capitalize" | "swapcase" | "replace" | "startswith" | "endswith"
        | "find" | "rfind" | "format" | "isdigit" | "isalpha" | "isalnum" | "isupper"
        | "islower" | "isspace" | "zfill" | "center" | "ljust" | "rjust" | "encode" | "decode"
        | "translate" | "partition" => Category::Strings,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Vec<(u32, &'static str)> {
        let found = categories(source).unwrap();
        found.into_iter().map(|(l, c)| (l, c.name())).collect()
    }

    #[test]
    fn every_category_has_its_statements() {
        let cases = [
            ("a = b + 1", "numbers"),
            ("a += 2 ** -b", "numbers"),
            ("a = b == c", "numbers"),
            ("a = len(b)", "calls"),
            ("print(a)", "calls"),
            ("print('a')", "strings"),
            ("a = b.split()", "strings"),
            ("a = f'{b}'", "strings"),
            ("a = b[0]", "lists and tuples"),
            ("a, b = b, a", "lists and tuples"),
            ("a.append(str(b))", "lists and tuples"),
            ("del a[0]", "lists and tuples"),
            ("a['k'] = [1]", "dicts and sets"),
            ("a = {1, 2}", "dicts and sets"),
            ("a = set(b)", "dicts and sets"),
            ("a = lambda: {}", "definitions"),
            ("import os", "definitions"),
            ("raise ValueError('x')", "control flow"),
            ("assert a, 'x'", "control flow"),
        ];
        for (source, want) in cases {
            assert_eq!(of(source), [(1, want)], "{source}");
        }
        assert_eq!(Category::ALL.len(), 7);
    }

    #[test]
    fn every_line_of_code_has_one() {
        let source = "\
def f(x):
    if x > 1:
        return x
    elif x:
        return [
            x,
        ]
    else:
        pass
    try:
        f(x)
    except ValueError:
        x = 1
    return
# nothing
match f(2):
    case 2:
        print('x')
";
        let lines: Vec<(u32, &str)> = of(source);
        let code: Vec<u32> = lines.iter().map(|(line, _)| *line).collect();
        assert_eq!(
            code,
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18]
        );
        let by_line: BTreeMap<u32, &str> = lines.into_iter().collect();
        assert_eq!(by_line[&1], "definitions");
        assert_eq!(by_line[&3], "numbers");
        for line in [2, 4, 8, 10, 12, 14, 16, 17] {
            assert_eq!(by_line[&line], "control flow", "line {line}");
        }
        assert_eq!(by_line[&6], "lists and tuples");
        assert!(categories("a = = 1").is_err());
    }
}
