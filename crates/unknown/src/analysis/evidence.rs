//! Reads from the syntax how a program uses its values, by path (see `paths`).

use std::collections::{BTreeMap, HashMap};

use super::branches::Outcomes;
use super::paths::{Aliases, ELEMENT, arguments, literal, mapped, path_of, plain_string};
use super::syntax::{bare, children, is_field, text};
use super::tree::Node;
use super::uses::{Comparison, Literal, Uses};

/// Evidence by path.
#[derive(Debug, Default)]
pub struct Evidence {
    pub(crate) by_path: BTreeMap<String, Uses>,
}

impl Evidence {
    /// Returns the uses of a path.
    pub fn get(&self, path: &str) -> Option<&Uses> {
        self.by_path.get(path)
    }

    /// Iterates over all paths and their uses.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Uses)> {
        self.by_path
            .iter()
            .map(|(path, uses)| (path.as_str(), uses))
    }

    /// Reads a whole program.
    pub(crate) fn of(root: Node<'_>, source: &str, outcomes: &Outcomes) -> Self {
        let mut reader = Reader {
            source,
            outcomes,
            aliases: Aliases::of(root, source),
            known: HashMap::new(),
            places: HashMap::new(),
            found: Vec::new(),
        };
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            reader.read(node);
            let from = open.len();
            open.extend(children(node));
            // In source order: earlier literals take precedence.
            open[from..].reverse();
        }
        Self {
            by_path: reader.found.into_iter().collect(),
        }
    }
}

struct Reader<'s> {
    source: &'s str,
    outcomes: &'s Outcomes,
    aliases: Aliases,
    /// Indices into `found` of all paths of the same value, by path.
    known: HashMap<String, Vec<usize>>,
    places: HashMap<String, usize>,
    found: Vec<(String, Uses)>,
}

impl Reader<'_> {
    fn text(&self, node: Node<'_>) -> &str {
        text(node, self.source)
    }

    fn note(&mut self, node: Option<Node<'_>>, what: impl Fn(&mut Uses)) {
        if let Some(path) = node.and_then(|n| path_of(n, self.source)) {
            self.note_path(&path, what);
        }
    }

    fn note_path(&mut self, path: &str, what: impl Fn(&mut Uses)) {
        if !self.known.contains_key(path) {
            let all = self.aliases.all(path).into_iter();
            let places = all.map(|path| self.place(path)).collect();
            self.known.insert(path.to_owned(), places);
        }
        for &at in self.known.get(path).into_iter().flatten() {
            what(&mut self.found[at].1);
        }
    }

    fn place(&mut self, path: String) -> usize {
        let next = self.found.len();
        let at = *self.places.entry(path.clone()).or_insert(next);
        if at == next {
            self.found.push((path, Uses::default()));
        }
        at
    }

    fn read(&mut self, node: Node<'_>) {
        let field = |name| node.child_by_field_name(name);
        if let Some(wanted) = self.outcomes.get(node) {
            self.note(Some(node), |u| {
                u.truth.get_or_insert(wanted.outcome);
            });
        }
        match node.kind() {
            "call" => self.call(node),
            "attribute" => {
                if let Some(name) = field("attribute") {
                    let name = self.text(name).to_owned();
                    self.note(field("object"), |u| {
                        u.read(&name);
                    });
                }
            }
            "subscript" => self.subscript(node),
            "for_statement" | "for_in_clause" => {
                let awaited = node.children().any(|c| c.kind() == "async");
                self.note(field("right"), |u| {
                    u.iterated |= !awaited;
                    u.awaited |= awaited;
                });
                self.unpacking(field("left"), field("right"), ELEMENT);
            }
            "assignment" => {
                self.unpacking(field("left"), field("right"), "");
            }
            "list_splat" => self.note(node.named_child(0), |u| u.starred = true),
            "dictionary_splat" => self.note(node.named_child(0), |u| u.keywords = true),
            "with_item" => {
                let value = field("value").map(|v| match v.kind() {
                    "as_pattern" => v.named_child(0).unwrap_or(v),
                    _ => v,
                });
                self.note(value, |u| u.entered = true);
            }
            "raise_statement" => self.exception(node.named_child(0)),
            "except_clause" | "except_group_clause" => {
                let value = field("value").or_else(|| node.named_child(0));
                let value = value.map(|v| match v.kind() {
                    "as_pattern" => v.named_child(0).unwrap_or(v),
                    _ => v,
                });
                match value {
                    Some(v) if v.kind() == "block" => {}
                    Some(v) if bare(v).kind() == "tuple" || v.kind() == "tuple" => {
                        for one in children(v) {
                            self.exception(Some(one));
                        }
                    }
                    other => self.exception(other),
                }
            }
            "class_definition" => {
                for base in field("superclasses").map(children).unwrap_or_default() {
                    self.note(Some(base), |u| u.base = true);
                }
            }
            "class_pattern" => {
                if let Some(name) = node.named_child(0) {
                    let path = self.text(name).to_owned();
                    self.note_path(&path, |u| u.pattern = true);
                }
            }
            "decorator" => {
                let made = node.named_child(0);
                self.note(made, |u| u.called = true);
                let maker = made.and_then(|made| made.child_by_field_name("function"));
                let of = maker.and_then(|maker| maker.child_by_field_name("object"));
                self.note(of, |u| u.decorates = true);
            }
            "comparison_operator" => self.comparison(node),
            "binary_operator" | "augmented_assignment" => self.binary(node),
            "unary_operator" => self.note(field("argument"), |u| u.arithmetic = true),
            "if_statement" => self.defaulting(node),
            _ => {}
        }
    }

    fn exception(&mut self, node: Option<Node<'_>>) {
        let node = node.map(|n| match n.kind() {
            "call" => n.child_by_field_name("function").unwrap_or(n),
            _ => n,
        });
        self.note(node, |u| u.exception = true);
    }

    fn unpacking(&mut self, left: Option<Node<'_>>, right: Option<Node<'_>>, by: &str) {
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        // `map` returns one item per input item.
        let items = mapped(right, self.source).filter(|_| by.is_empty());
        let right = items.map_or(right, |(_, items)| items);
        if let Some(path) = path_of(right, self.source) {
            self.unpacked(left, &(path + by));
        }
    }

    fn unpacked(&mut self, left: Node<'_>, path: &str) {
        if !matches!(
            left.kind(),
            "pattern_list" | "tuple_pattern" | "list_pattern"
        ) {
            return;
        }
        let targets = children(left);
        let count = targets.len();
        let starred = targets.iter().any(|t| t.kind() == "list_splat_pattern");
        self.note_path(path, |u| {
            u.unpacked = if starred { u.unpacked } else { Some(count) };
            u.iterated = true;
        });
        for (k, target) in targets.into_iter().enumerate() {
            self.unpacked(target, &format!("{path}[{k}]"));
        }
    }

    /// Notes the uses that `sum`, and `join` of a string, make of the items passed to them.
    fn added_up(&mut self, called: &str, items: Node<'_>) {
        let is_text = called.ends_with(".join") && called != "os.path.join";
        if !is_text && called != "sum" {
            return;
        }
        let note = |u: &mut Uses| match is_text {
            true => u.joined = true,
            false => u.arithmetic = true,
        };
        match items.kind() {
            "generator_expression" | "list_comprehension" | "set_comprehension" => {
                self.note(items.child_by_field_name("body"), note);
            }
            _ => {
                if let Some(path) = path_of(items, self.source) {
                    self.note_path(&(path + ELEMENT), note);
                }
            }
        }
    }

    fn call(&mut self, node: Node<'_>) {
        let function = node.child_by_field_name("function");
        self.note(function, |u| u.called = true);
        let Some(arguments) = arguments(node) else {
            return;
        };
        let Some(called) = function.and_then(|f| path_of(f, self.source)) else {
            return;
        };
        let first = arguments.first();
        let first = first
            .and_then(|a| plain_string(*a, self.source))
            .map(str::to_owned);
        if let Some((object, method)) = called.rsplit_once('.') {
            let (object, method) = (object.to_owned(), method.to_owned());
            let splits = matches!(
                method.as_str(),
                "split" | "rsplit" | "partition" | "rpartition"
            );
            self.note_path(&object, |u| {
                u.call(&method);
                if splits && u.separator.is_none() {
                    u.separator.clone_from(&first);
                }
            });
        }
        if called == "isinstance"
            && let [value, kind] = arguments.as_slice()
        {
            let wanted = self.outcomes.get(node).is_none_or(|w| w.outcome);
            let kinds = match kind.kind() {
                "tuple" => children(*kind),
                _ => vec![*kind],
            };
            for kind in kinds {
                let name = self.text(kind).to_owned();
                self.note(Some(*value), |u| u.ask_for(&name, wanted));
            }
            return;
        }
        if let Some((function, items)) = mapped(node, self.source)
            && let Some(items) = path_of(items, self.source)
        {
            self.note_path(&(items + ELEMENT), |u| {
                u.handed_to.insert((function.clone(), 0));
            });
        }
        if let Some(items) = arguments.first() {
            self.added_up(&called, *items);
        }
        for (k, argument) in arguments.iter().enumerate() {
            let called = called.clone();
            self.note(Some(*argument), |u| {
                u.hand_to(&called, k);
                u.sized |= called == "len";
            });
        }
        if let (Some((object, method @ ("startswith" | "endswith"))), Some(text)) =
            (called.rsplit_once('.'), &first)
        {
            let comparison = Comparison {
                operator: method.to_owned(),
                literal: Literal::Text(text.clone()),
                wanted: self.outcomes.get(node).is_none_or(|w| w.outcome),
                length: false,
            };
            let object = object.to_owned();
            self.note_path(&object, |u| u.compare(&comparison));
        }
        if let (Some((_, "get" | "pop" | "setdefault")), Some(key)) =
            (called.rsplit_once('.'), arguments.first())
            && let Some(key) = plain_string(*key, self.source).map(str::to_owned)
        {
            let of = function.and_then(|f| f.child_by_field_name("object"));
            self.note(of, |u| {
                u.keys.insert(key.clone());
            });
        }
    }

    fn subscript(&mut self, node: Node<'_>) {
        let value = node.child_by_field_name("value");
        let Some(key) = node.child_by_field_name("subscript") else {
            return;
        };
        let several = node.children_by_field_name("subscript").count() > 1;
        if several || key.kind() == "tuple" {
            self.note(value, |u| u.multi = true);
            return;
        }
        let number: Option<i64> = self.text(key).parse().ok();
        match plain_string(key, self.source).map(str::to_owned) {
            Some(key) => self.note(value, |u| {
                u.keys.insert(key.clone());
            }),
            None if number.is_some() => {
                let at = number.map_or(0, i64::unsigned_abs) as usize;
                self.note(value, |u| u.indexed = u.indexed.max(Some(at.min(32))));
            }
            None if key.kind() == "slice" => self.note(value, |u| u.sliced = true),
            None => self.note(value, |u| u.looked_up = true),
        }
    }

    fn binary(&mut self, node: Node<'_>) {
        let field = |name| node.child_by_field_name(name);
        let (left, right) = (field("left"), field("right"));
        let operator = field("operator").map_or("", |o| text(o, self.source));
        let operator = operator.trim_end_matches('=');
        for (one, other) in [(left, right), (right, left)] {
            let Some(other) = other.map(bare) else {
                continue;
            };
            match (other.kind(), operator) {
                ("integer" | "float", "+" | "-" | "/" | "//" | "%" | "**" | "<<" | ">>") => {
                    self.note(one, |u| u.arithmetic = true);
                }
                ("string" | "concatenated_string", "+") => self.note(one, |u| u.joined = true),
                ("list" | "list_comprehension", "+") => self.note(one, |u| u.extended = true),
                ("string", "%") => {}
                ("string" | "list", "*") => self.note(one, |u| u.arithmetic = true),
                (_, "*") => {}
                ("string" | "list", _) | (_, "@" | "|" | "&" | "-") => {
                    self.note(one, |u| u.operated = true);
                }
                _ => {}
            }
        }
    }

    fn comparison(&mut self, node: Node<'_>) {
        let operands = children(node);
        let operators: Vec<String> = node
            .children_by_field_name("operators")
            .map(|o| {
                self.text(o)
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        let ([left, right], [operator]) = (operands.as_slice(), operators.as_slice()) else {
            return;
        };
        let wanted = self.outcomes.get(node).map(|w| w.outcome);
        if right.kind() == "none" {
            let is = matches!(operator.as_str(), "is" | "==");
            self.note(Some(*left), |u| {
                if let Some(wanted) = wanted {
                    u.none.get_or_insert(wanted == is);
                }
            });
            return;
        }
        if is_mask(node) {
            return;
        }
        let wanted = wanted.unwrap_or(true);
        self.compared(*left, operator, *right, wanted);
        let mirrored = match operator.as_str() {
            "<" => ">",
            "<=" => ">=",
            ">" => "<",
            ">=" => "<=",
            "==" | "!=" => operator.as_str(),
            "in" | "not in" => {
                let key = plain_string(*left, self.source).map(str::to_owned);
                self.note(Some(*right), |u| {
                    if let Some(key) = &key {
                        let there = (operator == "in") == wanted;
                        let keys = if there { &mut u.keys } else { &mut u.absent };
                        keys.insert(key.clone());
                    } else {
                        u.looked_up = true;
                    }
                });
                return;
            }
            _ => return,
        };
        self.compared(*right, mirrored, *left, wanted);
    }

    fn compared(&mut self, value: Node<'_>, operator: &str, with: Node<'_>, wanted: bool) {
        let with = bare(with);
        let literal = match with.kind() {
            "tuple" | "list" | "set" => children(with)
                .first()
                .and_then(|n| literal(*n, self.source)),
            _ => literal(with, self.source),
        };
        let Some(literal) = literal else { return };
        let value = bare(value);
        let inner = (value.kind() == "call"
            && value.child_by_field_name("function").map(|f| self.text(f)) == Some("len"))
        .then(|| arguments(value))
        .flatten()
        .and_then(|found| found.first().copied());
        let comparison = Comparison {
            operator: operator.to_owned(),
            literal,
            wanted,
            length: inner.is_some(),
        };
        self.note(inner.or(Some(value)), |u| {
            u.compare(&comparison);
        });
    }

    /// `if x is None: x = ...` and `if not x: x = ...`.
    fn defaulting(&mut self, node: Node<'_>) {
        let (Some(condition), Some(body)) = (
            node.child_by_field_name("condition").map(bare),
            node.child_by_field_name("consequence"),
        ) else {
            return;
        };
        let asked = match condition.kind() {
            "not_operator" => condition.child_by_field_name("argument"),
            "comparison_operator" => {
                let none = children(condition).last().map(|n| n.kind()) == Some("none");
                let is = self.text(condition).contains(" is None");
                if none && is {
                    condition.named_child(0)
                } else {
                    None
                }
            }
            _ => None,
        };
        let Some(path) = asked.and_then(|a| path_of(a, self.source)) else {
            return;
        };
        let sets = |statement: Node<'_>| {
            let assignment = statement
                .named_child(0)
                .filter(|a| a.kind() == "assignment");
            assignment
                .and_then(|a| a.child_by_field_name("left"))
                .and_then(|left| path_of(left, self.source))
                .is_some_and(|left| left == path)
        };
        if children(body).into_iter().any(sets) {
            self.note_path(&path, |u| u.set_when_missing = true);
        }
    }
}

/// Whether a comparison is used as a value rather than a condition, as with arrays: `(a >
/// 3).sum()`, `df[df.x > 3]`, `(a > 1) & (b < 2)`. The compared value is then not a number.
fn is_mask(node: Node<'_>) -> bool {
    let (mut inner, mut outer) = (node, node.parent());
    while let Some(node) = outer
        && matches!(node.kind(), "parenthesized_expression" | "unary_operator")
    {
        (inner, outer) = (node, node.parent());
    }
    outer.is_some_and(|outer| match outer.kind() {
        "attribute" => is_field(inner, outer, "object"),
        "subscript" => is_field(inner, outer, "subscript"),
        "binary_operator" => true,
        _ => false,
    })
}
