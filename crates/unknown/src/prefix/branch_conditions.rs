//! The values with which a condition has a wanted outcome.

use std::collections::HashMap;

use super::change::Change;
use super::compared::{Compared, of_length};
use super::draft::{Value, quoted};
use super::known::instance;
use crate::analysis::hints::solve;
use crate::analysis::paths::{Aliases, arguments, path_of, plain_string};
use crate::analysis::scopes::is_builtin;
use crate::analysis::syntax::{bare, children, text};
use crate::analysis::tree::Node;

/// Most ways kept per condition.
pub(super) const MOST: usize = 12;

/// Most changes per way, and the longest literal of a change.
const MOST_CHANGES: usize = 40;
const LONGEST: usize = 2_000;

/// Reads the conditions of one program.
pub(super) struct Ways<'t> {
    source: &'t str,
    aliases: &'t Aliases,
    /// Names that are bound to a literal and to nothing else.
    constants: HashMap<&'t str, Node<'t>>,
}

impl<'t> Ways<'t> {
    /// Reads the program below `root`.
    pub(super) fn of(root: Node<'t>, source: &'t str, aliases: &'t Aliases) -> Self {
        Self {
            source,
            aliases,
            constants: constants(root, source),
        }
    }

    /// Returns a node, or the literal that its name is bound to.
    fn meant(&self, node: Node<'t>) -> Node<'t> {
        let node = bare(node);
        let name = text(node, self.source);
        self.constants
            .get(name)
            .copied()
            .filter(|_| node.kind() == "identifier")
            .unwrap_or(node)
    }

    /// Returns an expression's path and its other names.
    pub(super) fn paths(&self, node: Node<'t>) -> Vec<String> {
        match path_of(node, self.source) {
            Some(path) => self.aliases.all(&path),
            None => Vec::new(),
        }
    }

    /// Returns lists of changes; each list may give a condition this outcome.
    pub(super) fn to(&self, node: Node<'t>, wanted: bool) -> Vec<Vec<Change>> {
        let node = bare(node);
        let field = |name| node.child_by_field_name(name);
        match node.kind() {
            "not_operator" => field("argument").map_or(Vec::new(), |n| self.to(n, !wanted)),
            "boolean_operator" => {
                let (Some(left), Some(right)) = (field("left"), field("right")) else {
                    return Vec::new();
                };
                let and = field("operator").is_some_and(|o| text(o, self.source) == "and");
                let (left, right) = (self.to(left, wanted), self.to(right, wanted));
                if and != wanted {
                    return left.into_iter().chain(right).take(MOST).collect();
                }
                let none = vec![Vec::new()];
                let left = if left.is_empty() { none.clone() } else { left };
                let right = if right.is_empty() { none } else { right };
                let mut all = Vec::new();
                for one in left.iter().take(4) {
                    for other in right.iter().take(4) {
                        // For a very long condition, only the first operands.
                        let room = MOST_CHANGES.saturating_sub(one.len()).min(other.len());
                        all.push([one.as_slice(), &other[..room]].concat());
                    }
                }
                all.truncate(MOST);
                all
            }
            "comparison_operator" => self.comparison(node, wanted),
            "call" => self.call(node, wanted),
            _ => self.truth(node, wanted),
        }
    }

    fn truth(&self, node: Node<'t>, wanted: bool) -> Vec<Vec<Change>> {
        let paths = self.paths(node);
        if paths.is_empty() {
            return Vec::new();
        }
        let set = |code: &str| vec![Change::Set(paths.clone(), Value::Code(code.to_owned()))];
        let say = |said| vec![Change::Answer(paths.clone(), "bool".to_owned(), said)];
        if wanted {
            vec![say(1), set("True"), set("[\"a\"]")]
        } else {
            vec![say(0), set("None"), set("\"\""), set("[]"), set("0")]
        }
    }

    fn call(&self, node: Node<'t>, wanted: bool) -> Vec<Vec<Change>> {
        let function = node.child_by_field_name("function");
        let name = function.map_or("", |f| text(f, self.source));
        let arguments = arguments(node).unwrap_or_default();
        let mut ways = Vec::new();
        match (name, arguments.as_slice()) {
            ("isinstance", [value, kind]) => {
                let paths = self.paths(*value);
                let kinds = match bare(*kind).kind() {
                    "tuple" => children(bare(*kind)),
                    _ => vec![*kind],
                };
                let set = |value: Value| vec![Change::Set(paths.clone(), value)];
                for kind in kinds {
                    let name = text(kind, self.source);
                    if wanted {
                        ways.extend(instance(name).map(|code| set(Value::Code(code.to_owned()))));
                    }
                    let said = i64::from(wanted);
                    let paths = self.paths(kind);
                    ways.push(vec![Change::Answer(paths, "isinstance".to_owned(), said)]);
                }
                if !wanted {
                    ways.push(set(Value::Code("None".to_owned())));
                    ways.push(set(Value::Code("1".to_owned())));
                    ways.push(set(Value::Code("\"a\"".to_owned())));
                }
            }
            ("callable" | "bool" | "any" | "all" | "len", [value]) => {
                ways = self.truth(*value, wanted);
                if name != "bool" && wanted {
                    let paths = self.paths(*value);
                    ways.push(vec![Change::Set(paths, Value::Code("[1]".to_owned()))]);
                }
            }
            ("hasattr", [value, key]) => {
                let set = |code: &str| {
                    vec![Change::Set(
                        self.paths(*value),
                        Value::Code(code.to_owned()),
                    )]
                };
                if wanted {
                    ways.push(vec![Change::Set(self.paths(*value), Value::StandIn)]);
                    if let Some(key) = plain_string(*key, self.source) {
                        ways.push(set(&format!(
                            "type(\"Value\", (), {{{}: 1}})()",
                            quoted(key)
                        )));
                    }
                } else {
                    ways.push(set("None"));
                    ways.push(set("object()"));
                }
            }
            _ => {}
        }
        if let Some(object) = function.filter(|f| f.kind() == "attribute")
            && let (Some(method), Some(of)) = (
                object.child_by_field_name("attribute"),
                object.child_by_field_name("object"),
            )
        {
            let first = arguments
                .first()
                .and_then(|a| plain_string(*a, self.source));
            let method = text(method, self.source);
            let set = |code: String| vec![Change::Set(self.paths(of), Value::Code(code))];
            match (method, first, wanted) {
                ("startswith" | "endswith", Some(with), true) => ways.push(set(quoted(with))),
                ("startswith" | "endswith", _, false) => ways.push(set("\"?\"".to_owned())),
                ("isdigit" | "isnumeric" | "isdecimal", _, true) => {
                    ways.push(set("\"1\"".to_owned()))
                }
                ("isupper", _, true) => ways.push(set("\"A\"".to_owned())),
                ("isspace", _, true) => ways.push(set("\" \"".to_owned())),
                ("isalpha" | "islower" | "isidentifier" | "isalnum", _, true) => {
                    ways.push(set("\"a\"".to_owned()));
                }
                (m, _, false) if m.starts_with("is") => ways.push(set("\"?\"".to_owned())),
                ("get", Some(key), true) => ways.push(set(format!("{{{}: \"a\"}}", quoted(key)))),
                ("get", Some(_), false) => ways.push(set("{}".to_owned())),
                ("match" | "search" | "fullmatch", _, _) => {}
                _ => {}
            }
        }
        ways.extend(self.truth(node, wanted));
        ways.truncate(MOST);
        ways
    }

    fn comparison(&self, node: Node<'t>, wanted: bool) -> Vec<Vec<Change>> {
        let operands = children(node);
        let operators: Vec<String> = node
            .children_by_field_name("operators")
            .map(|o| {
                text(o, self.source)
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        match (operands.as_slice(), operators.as_slice()) {
            ([left, right], [operator]) => {
                let mut ways = self.compared(*left, operator, *right, wanted);
                let mirrored = match operator.as_str() {
                    "<" => ">",
                    "<=" => ">=",
                    ">" => "<",
                    ">=" => "<=",
                    "in" | "not in" => return ways,
                    same => same,
                };
                ways.extend(self.compared(*right, mirrored, *left, wanted));
                ways.truncate(MOST);
                ways
            }
            ([left, middle, right], [first, second]) => {
                let mut ways = self.compared(*middle, second, *right, wanted);
                ways.extend(self.compared(*left, first, *middle, wanted));
                ways.truncate(MOST);
                ways
            }
            _ => Vec::new(),
        }
    }

    /// `value operator with`.
    fn compared(
        &self,
        value: Node<'t>,
        operator: &str,
        with: Node<'t>,
        wanted: bool,
    ) -> Vec<Vec<Change>> {
        let (value, with) = (bare(value), self.meant(with));
        let longest = [value, with].map(|node| text(node, self.source).len());
        if longest.into_iter().any(|length| length > LONGEST) {
            return Vec::new();
        }
        if matches!(operator, "in" | "not in") {
            return self.member(value, with, (operator == "in") == wanted);
        }
        let number: Option<f64> = text(with, self.source).replace('_', "").parse().ok();
        if let Some(of) = self.measured(value) {
            let count = solve(number.unwrap_or(1.0), operator, wanted);
            return of_length(self.paths(of), count.clamp(0.0, 64.0));
        }
        let paths = self.paths(value);
        if paths.is_empty() {
            return Vec::new();
        }
        let asked = Compared {
            sign: match operator {
                "is" => "==",
                "is not" => "!=",
                other => other,
            },
            operator,
            wanted,
            same: matches!(operator, "==" | "is") == wanted,
            paths,
        };
        match number {
            Some(number) => asked.number(number, with.kind() == "float"),
            None => self.compared_with(&asked, with),
        }
    }

    /// Returns the argument of `len(…)`.
    fn measured(&self, value: Node<'t>) -> Option<Node<'t>> {
        let function = value.child_by_field_name("function")?;
        if value.kind() != "call" || text(function, self.source) != "len" {
            return None;
        }
        value.child_by_field_name("arguments")?.named_child(0)
    }

    /// A comparison with a non-number.
    fn compared_with(&self, asked: &Compared<'_>, with: Node<'t>) -> Vec<Vec<Change>> {
        let (same, sign) = (asked.same, asked.sign);
        let literal = text(with, self.source);
        match with.kind() {
            "none" if same => vec![asked.set("None")],
            "none" => {
                let stand_in = vec![Change::Set(asked.paths.clone(), Value::StandIn)];
                vec![stand_in, asked.set("1"), asked.set("\"a\"")]
            }
            "true" | "false" => {
                let truth = (with.kind() == "true") == same;
                vec![asked.set(if truth { "True" } else { "False" })]
            }
            "string" => {
                let code = match (sign, asked.wanted) {
                    ("==" | "<=" | ">=", true) | ("!=", false) => literal,
                    _ if literal.starts_with(['b', 'B']) => "b\"?\"",
                    _ => "\"?\"",
                };
                vec![asked.set(code), asked.answer()]
            }
            "list" | "tuple" | "dictionary" | "set" if same && matches!(sign, "==" | "!=") => {
                vec![asked.set(literal), asked.answer()]
            }
            "identifier" if same && is_builtin(literal) => {
                vec![asked.set(literal), asked.answer()]
            }
            _ => asked.other(&self.paths(with)),
        }
    }

    /// `value in with`.
    fn member(&self, value: Node<'t>, with: Node<'t>, inside: bool) -> Vec<Vec<Change>> {
        let mut ways = Vec::new();
        let (values, containers) = (self.paths(value), self.paths(with));
        if matches!(with.kind(), "tuple" | "list" | "set" | "dictionary") {
            let first = children(with).into_iter().next();
            let first = first.map(|f| f.child_by_field_name("key").unwrap_or(f));
            let code = match (first, inside) {
                (Some(first), true) => text(first, self.source).to_owned(),
                _ => "\"?\"".to_owned(),
            };
            ways.push(vec![Change::Set(values.clone(), Value::Code(code))]);
        }
        if with.kind() == "string" {
            let inner = plain_string(with, self.source).unwrap_or("a");
            let first: String = inner.chars().take(1).collect();
            let code = quoted(if inside { &first } else { "?" });
            ways.push(vec![Change::Set(values.clone(), Value::Code(code))]);
        }
        if !containers.is_empty() {
            let set = |code: String| vec![Change::Set(containers.clone(), Value::Code(code))];
            let said = i64::from(inside);
            ways.push(vec![Change::Answer(
                containers.clone(),
                "contains".to_owned(),
                said,
            )]);
            let literal = text(value, self.source);
            match (value.kind(), inside) {
                ("string", true) => {
                    ways.push(set(literal.to_owned()));
                    ways.push(set(format!("{{{literal}: \"a\"}}")));
                    ways.push(set(format!("[{literal}]")));
                }
                ("integer", true) => ways.push(set(format!("[{literal}]"))),
                (_, false) => {
                    ways.push(set("[]".to_owned()));
                    ways.push(set("\"?\"".to_owned()));
                    ways.push(set("{}".to_owned()));
                }
                (_, true) => {
                    let mut both = set("[\"a\"]".to_owned());
                    both.push(Change::Set(values, Value::Code("\"a\"".to_owned())));
                    ways.push(both);
                }
            }
        }
        ways
    }
}

fn constants<'t>(root: Node<'t>, source: &'t str) -> HashMap<&'t str, Node<'t>> {
    let mut found: HashMap<&str, Option<Node<'_>>> = HashMap::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if let Some(left) = node
            .child_by_field_name("left")
            .filter(|l| l.kind() == "identifier")
        {
            let literals = [
                "string",
                "integer",
                "float",
                "tuple",
                "list",
                "set",
                "dictionary",
            ];
            let right = node.child_by_field_name("right").map(bare);
            let literal =
                right.filter(|r| node.kind() == "assignment" && literals.contains(&r.kind()));
            let known = found.entry(text(left, source)).or_insert(literal);
            if known.map(|n| n.id()) != literal.map(|n| n.id()) {
                *known = None;
            }
        }
        open.extend(children(node));
    }
    found
        .into_iter()
        .filter_map(|(name, node)| Some((name, node?)))
        .collect()
}
