//! Which part of a line raised, and what its operands were.
//!
//! A trace knows the line. The kind and message of an exception name an operator, a name or an attribute. The matching
//! part of the line is underlined, the first one whose operands have the types in the message. If none matches, the
//! whole statement is.

mod values;

use codexec_data::syntax::with_parsed;
use codexec_data::trace::Trace;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{CmpOp, Expr, Operator, Stmt};
use ruff_text_size::Ranged;

use self::values::Values;

/// The operator of a subscript.
const SUBSCRIPT: &str = "[]";

/// A place in the source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Blame {
    /// First column in characters, from 1.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column behind the last character.
    pub end_column: u32,
    /// The operands' values.
    pub values: Option<String>,
}

/// The part of a line that raised an exception, with its values in the trace.
pub(super) fn blame(source: &str, trace: &Trace, raised: (&str, &str, u32)) -> Blame {
    let (exception, message, line) = raised;
    let begins = line_start(source, line);
    let whole = || {
        let text = source[begins..].lines().next().unwrap_or_default();
        let blank = text.len() - text.trim_start().len();
        (begins + blank, begins + text.trim_end().len())
    };
    let values = Values::at(trace);
    let found = with_parsed(source, |parsed| {
        let mut parts = Parts {
            begins,
            ends: begins + source[begins..].lines().next().unwrap_or_default().len(),
            wanted: Wanted::of(exception, message),
            found: Vec::new(),
            statement: None,
        };
        parts.visit_body(parsed.suite());
        let fits = |part: &&Part| part.fits(message, source, &values);
        let chosen = parts.found.iter().find(fits).or(parts.found.first());
        match chosen {
            Some(part) => {
                let told = part.words(source, &values);
                let (from, to) = parts.statement.unwrap_or(part.range);
                let names = || values.of_names(source.get(from..to)?);
                (part.range, told.or_else(names))
            }
            None => {
                let range = parts.statement.unwrap_or_else(whole);
                (range, values.of_names(&source[range.0..range.1]))
            }
        }
    });
    let (range, values) = found.unwrap_or_else(|_| (whole(), None));
    let (_, column) = position(source, range.0);
    let (end_line, end_column) = position(source, range.1.max(range.0 + 1).min(source.len()));
    Blame {
        column,
        end_line: end_line.max(line),
        end_column,
        values,
    }
}

/// Byte offset of a line; the end of the text if there is no such line.
fn line_start(source: &str, line: u32) -> usize {
    let mut ends = source.match_indices('\n');
    match line {
        0 | 1 => 0,
        n => ends
            .nth(n as usize - 2)
            .map_or(source.len(), |(at, _)| at + 1),
    }
}

/// Line and column of a byte, from 1, in characters.
fn position(source: &str, at: usize) -> (u32, u32) {
    let before = source.get(..at).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (number(line), number(column))
}

/// What raises an exception of this kind with this message.
enum Wanted<'m> {
    Operator(&'m str),
    Division,
    Comparison,
    Subscript,
    Name(&'m str),
    Attribute(&'m str),
    Conversion,
    Call,
    Unpacking,
    Iteration,
    Unknown,
}

impl<'m> Wanted<'m> {
    fn of(exception: &str, message: &'m str) -> Self {
        let quoted = |number: usize| message.split('\'').nth(number);
        let has = |text: &str| message.contains(text);
        match exception {
            "ZeroDivisionError" => Self::Division,
            "IndexError" | "KeyError" => Self::Subscript,
            "NameError" | "UnboundLocalError" => quoted(1).map_or(Self::Unknown, Self::Name),
            "AttributeError" => quoted(3)
                .or(quoted(1))
                .map_or(Self::Unknown, Self::Attribute),
            "ValueError" if has("invalid literal") || has("could not convert") => Self::Conversion,
            "ValueError" if has("to unpack") => Self::Unpacking,
            "TypeError" => match message {
                _ if has("unsupported operand type(s) for ") => {
                    let rest = message.split("type(s) for ").nth(1).unwrap_or_default();
                    Self::Operator(rest.split([':', ' ']).next().unwrap_or_default())
                }
                _ if has("can only concatenate") || has("concatenate") => Self::Operator("+"),
                _ if has("can't multiply sequence") => Self::Operator("*"),
                _ if has("not supported between") => Self::Comparison,
                _ if has("is not iterable") => Self::Iteration,
                _ if has("unpack") => Self::Unpacking,
                _ if has("subscriptable") || has("indices must be") || has("item assignment") => {
                    Self::Subscript
                }
                _ if has("argument") || has("not callable") => Self::Call,
                _ => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }
}

/// A candidate.
struct Part {
    range: (usize, usize),
    /// Ranges of its two operands, where it has two.
    operands: Option<[(usize, usize); 2]>,
    operator: &'static str,
    /// Its right operand has to be zero.
    divides: bool,
}

impl Part {
    /// Whether the known operands agree with the message.
    fn fits(&self, message: &str, source: &str, values: &Values<'_>) -> bool {
        let Some(operands) = self.operands else {
            return true;
        };
        if self.operator == SUBSCRIPT {
            let [holder, index] =
                operands.map(|(from, to)| source.get(from..to).unwrap_or_default());
            return values.fails(holder, index, message);
        }
        let known = operands.map(|(from, to)| values.of(source.get(from..to).unwrap_or_default()));
        if self.divides {
            let zero = |text: &str| text.parse::<f64>().is_ok_and(|x| x == 0.0);
            return known[1].as_ref().is_some_and(|(text, _)| zero(text));
        }
        let concatenated = message.strip_prefix("can only concatenate ");
        let types: Vec<&str> = match concatenated.and_then(|text| text.split_once(" (not \"")) {
            Some((left, rest)) => vec![left, rest.split('"').next().unwrap_or_default()],
            None => message.split('\'').skip(1).step_by(2).collect(),
        };
        match types.as_slice() {
            [left, right] => {
                let is = |known: &Option<(String, String)>, ty: &str| {
                    known.as_ref().is_none_or(|(_, found)| found == ty)
                };
                is(&known[0], left) && is(&known[1], right)
            }
            _ => true,
        }
    }

    /// `'3' + 1: str and int`, or the values of the names in it.
    fn words(&self, source: &str, values: &Values<'_>) -> Option<String> {
        if let (Some([left, right]), true) = (self.operands, self.operator != SUBSCRIPT) {
            let of = |(from, to): (usize, usize)| values.of(source.get(from..to)?);
            if let (Some((left, of_left)), Some((right, of_right))) = (of(left), of(right)) {
                let operator = self.operator;
                return Some(match self.divides {
                    true => format!("{left} {operator} {right}"),
                    false => format!("{left} {operator} {right}: {of_left} and {of_right}"),
                });
            }
        }
        values.of_names(source.get(self.range.0..self.range.1)?)
    }
}

/// Collects the parts of a line that could have raised.
struct Parts<'m> {
    begins: usize,
    ends: usize,
    wanted: Wanted<'m>,
    found: Vec<Part>,
    /// The innermost statement that begins on the line, or is written over it, as far as its first line.
    statement: Option<(usize, usize)>,
}

impl Parts<'_> {
    fn push(&mut self, node: &impl Ranged) {
        self.add(node, None, "", false);
    }

    fn add(
        &mut self,
        node: &impl Ranged,
        operands: Option<[&Expr; 2]>,
        operator: &'static str,
        divides: bool,
    ) {
        let span = |node: &dyn Ranged| (node.start().to_usize(), node.end().to_usize());
        self.found.push(Part {
            range: span(node),
            operands: operands.map(|both| both.map(|one| span(one))),
            operator,
            divides,
        });
    }

    fn operator(&mut self, node: &impl Ranged, operands: [&Expr; 2], operator: Operator) {
        let sign = sign(operator);
        let divides = matches!(operator, Operator::Div | Operator::FloorDiv | Operator::Mod);
        match self.wanted {
            Wanted::Operator(wanted) if wanted.trim_end_matches('=') == sign => {
                self.add(node, Some(operands), sign, false);
            }
            Wanted::Division if divides => self.add(node, Some(operands), sign, true),
            _ => {}
        }
    }

    fn on_line(&self, node: &impl Ranged) -> bool {
        (self.begins..=self.ends).contains(&node.start().to_usize())
    }
}

impl Visitor<'_> for Parts<'_> {
    fn visit_stmt(&mut self, statement: &Stmt) {
        let (from, to) = (statement.start().to_usize(), statement.end().to_usize());
        if from > self.ends || to < self.begins {
            return;
        }
        if self.on_line(statement) {
            self.statement = Some((from, to.min(self.ends).max(from)));
        }
        match (statement, &self.wanted) {
            (Stmt::AugAssign(node), _) if self.on_line(statement) => {
                self.operator(node, [&node.target, &node.value], node.op);
            }
            (Stmt::Assign(node), Wanted::Unpacking) if self.on_line(statement) => {
                if let Some(target) = node.targets.first() {
                    self.push(target);
                }
            }
            (Stmt::For(node), Wanted::Unpacking) if self.on_line(statement) => {
                self.push(&*node.target);
            }
            (Stmt::For(node), Wanted::Iteration) if self.on_line(statement) => {
                self.push(&*node.iter);
            }
            _ => {}
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        let (from, to) = (expr.start().to_usize(), expr.end().to_usize());
        if from > self.ends || to < self.begins {
            return;
        }
        // Inner parts are evaluated first.
        walk_expr(self, expr);
        if !self.on_line(expr) {
            return;
        }
        match (expr, &self.wanted) {
            (Expr::BinOp(node), _) => {
                self.operator(node, [&node.left, &node.right], node.op);
            }
            (Expr::Compare(node), Wanted::Comparison) => {
                if let ([operator], [right]) = (&*node.ops, &*node.comparators) {
                    let sign = comparison(*operator);
                    self.add(node, Some([&node.left, right]), sign, false);
                } else {
                    self.push(node);
                }
            }
            (Expr::Subscript(node), Wanted::Subscript) => {
                self.add(node, Some([&node.value, &node.slice]), SUBSCRIPT, false);
            }
            (Expr::Call(node), Wanted::Subscript) => {
                let taking = ["pop", "remove", "popleft", "popitem", "heappop"];
                let name = match &*node.func {
                    Expr::Attribute(method) => method.attr.as_str(),
                    Expr::Name(name) => name.id.as_str(),
                    _ => "",
                };
                if taking.contains(&name) {
                    self.push(node);
                }
            }
            (Expr::Name(node), Wanted::Name(name)) if node.id == **name => self.push(node),
            (Expr::Attribute(node), Wanted::Attribute(name)) if node.attr.as_str() == *name => {
                self.push(node);
            }
            (Expr::Call(node), Wanted::Conversion) => {
                let converts = |expr: &Expr| matches!(expr, Expr::Name(name) if matches!(name.id.as_str(), "int" | "float"));
                if converts(&node.func) || node.arguments.args.first().is_some_and(converts) {
                    self.push(node);
                }
            }
            (Expr::Call(node), Wanted::Call) => self.push(node),
            (Expr::Call(node), Wanted::Iteration) => self.push(node),
            _ => {}
        }
    }
}

fn sign(operator: Operator) -> &'static str {
    operator.as_str()
}

fn comparison(operator: CmpOp) -> &'static str {
    operator.as_str()
}

#[cfg(test)]
mod tests {
    use codexec_data::trace::{Engine, Event, Outcome, Program, Step, Value};

    use super::*;

    fn blamed(
        source: &str,
        line: u32,
        state: &[(&str, &str)],
        raised: (&str, &str),
    ) -> (String, Option<String>) {
        let mut trace = Trace::new(Engine::Predict, Program::default());
        let state = state
            .iter()
            .map(|(name, text)| ((*name).to_owned(), Value::observed(*text)));
        trace.steps.push(Step {
            line,
            event: Event::Line,
            function: "<module>".into(),
            depth: 0,
            file: 0,
            state: state.collect(),
            output: String::new(),
            value: None,
            confidence: None,
        });
        trace.outcome = Outcome::Raised {
            file: 0,
            exception: raised.0.to_owned(),
            message: raised.1.to_owned(),
            line,
            step: Some(0),
        };
        let found = blame(source, &trace, (raised.0, raised.1, line));
        let text = source.lines().nth(line as usize - 1).unwrap();
        let from = found.column as usize - 1;
        let underlined: String = match found.end_line == line {
            true => text
                .chars()
                .skip(from)
                .take(found.end_column as usize - found.column as usize)
                .collect(),
            false => "more lines".to_owned(),
        };
        (underlined, found.values)
    }

    #[test]
    fn the_operands_of_an_operator_are_told() {
        let message = "can only concatenate str (not \"int\") to str";
        let (part, values) = blamed(
            "print(1 * 2, a + 1)\n",
            1,
            &[("a", "'3'")],
            ("TypeError", message),
        );
        assert_eq!(
            (part.as_str(), values.as_deref()),
            ("a + 1", Some("'3' + 1: str and int"))
        );
        let message = "unsupported operand type(s) for -: 'str' and 'int'";
        let (part, _) = blamed(
            "c = (b - 1) + (a - 1)\n",
            1,
            &[("a", "'3'"), ("b", "3")],
            ("TypeError", message),
        );
        assert_eq!(part, "a - 1");
        let (part, values) = blamed(
            "m = 4 // b + 3 % a\n",
            1,
            &[("a", "0"), ("b", "2")],
            ("ZeroDivisionError", "integer division or modulo by zero"),
        );
        assert_eq!((part.as_str(), values.as_deref()), ("3 % a", Some("3 % 0")));
    }

    #[test]
    fn names_attributes_and_subscripts_are_found() {
        let state = [("xs", "[1, 2]"), ("i", "2"), ("f", "<function>")];
        let found =
            |source: &str, kind: &str, message: &str| blamed(source, 1, &state, (kind, message));
        let (part, values) = found("f(xs[i], xs)\n", "IndexError", "list index out of range");
        assert_eq!(
            (part.as_str(), values.as_deref()),
            ("xs[i]", Some("xs = [1, 2], i = 2"))
        );
        let (part, _) = found("é = f(totl)\n", "NameError", "name 'totl' is not defined");
        assert_eq!(part, "totl");
        let message = "'list' object has no attribute 'push'";
        assert_eq!(
            found("xs.push(i)\n", "AttributeError", message).0,
            "xs.push"
        );
        let message = "not enough values to unpack (expected 3, got 2)";
        assert_eq!(found("a, b, c = xs\n", "ValueError", message).0, "a, b, c");
        assert_eq!(found("y = f(xs)\n", "OddError", "").0, "y = f(xs)");
        let message = "'int' object is not iterable";
        assert_eq!(found("for x in i: pass\n", "TypeError", message).0, "i");
    }

    #[test]
    fn the_operand_that_fails_is_chosen_among_several() {
        let state = [
            ("xs", "[3, 1, 2]"),
            ("i", "2"),
            ("name", "'Ada'"),
            ("age", "36"),
        ];
        let found =
            |source: &str, kind: &str, message: &str| blamed(source, 1, &state, (kind, message)).0;
        let out = "list index out of range";
        assert_eq!(found("xs[i] > xs[i + 1]\n", "IndexError", out), "xs[i + 1]");
        assert_eq!(found("xs[-3] > xs[-4]\n", "IndexError", out), "xs[-4]");
        let message = "can only concatenate str (not \"int\") to str";
        let source = "print(name + ' is ' + age)\n";
        assert_eq!(found(source, "TypeError", message), "name + ' is ' + age");
    }

    #[test]
    fn lines_that_are_not_there_are_no_panic() {
        for source in ["", "x", "x = (\n", "\n\n"] {
            for line in [0, 1, 2, 9] {
                let trace = Trace::new(Engine::Predict, Program::default());
                let found = blame(source, &trace, ("TypeError", "", line));
                assert!(found.column >= 1 && found.end_line >= line);
            }
        }
    }
}
