//! The source-to-source rewrite that lets the runtime see the uses of values.
//!
//! | in the program | becomes | why |
//! |---|---|---|
//! | `x`, bound by the module or by nothing | `_codexec_n_(3)` | the runtime looks it up in the module's names; a thunk `lambda: x` would add a frame, would not see class bodies, and would turn a function's variables into cells, which shows in traces |
//! | `o.a` | `_codexec_a_(4, o).a` | the attribute is still read at its place, so that lines and properties do not change |
//! | `x is None` | `_codexec_o_(x, 1) is None` | a chain of injected values ends; a number gives the outcome that leads further |
//! | `x is y` in a condition | `_codexec_i_(1, x, y)` | two injected values are the same object if that leads further |
//! | `await x` | `await _codexec_w_(x)` | an injected value without `__await__` can be awaited |
//! | `f(…)` | `_codexec_c_(5, f)(…)` | the program's own frame makes the call: `super()`, `locals()`, stars, `await` and the recursion depth do not change |
//!
//! Text is only inserted within lines, so every line keeps its number. Names that a function binds
//! are not rewritten: if they are unbound, the program itself is wrong. Neither are targets, `del`,
//! `global`, parameters, imports, annotations, patterns of `match`, `f"{x=}"`, names with two
//! leading underscores in classes (mangling), `__class__` and similar names. The runtime finds the
//! missing ones among these through the program's builtins, without their exact place.

use std::collections::BTreeSet;

use crate::analysis::Kind;
use crate::analysis::branches::{Outcomes, Turn, Wanted};
use crate::analysis::paths::path_of;
use crate::analysis::scopes::{Reach, Scope, ScopeKind, is_builtin, reach};
use crate::analysis::syntax::{is_field, last_line, line, text, unstarred};
use crate::analysis::tree::Node;

/// One wrapped use of a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Location {
    /// How the value is used.
    pub kind: Kind,
    /// The variable, the attribute, or the function.
    pub name: String,
    /// Line of the use, 1-based.
    pub line: u32,
    /// Bytes of the use in the program: the name, the attribute, or the called function.
    pub span: std::ops::Range<usize>,
    /// The path of the value (see `paths`).
    pub path: Option<String>,
    /// The wanted outcome of a condition that tests the value.
    pub(super) wanted: Option<Wanted>,
}

/// A rewritten program.
#[derive(Debug, Clone, PartialEq)]
pub struct Instrumented {
    /// Its text.
    pub text: String,
    /// The uses, by their numbers in the text.
    pub locations: Vec<Location>,
    /// Wanted outcomes by line, for values without a place of their own.
    pub(super) wanted_lines: Vec<(u32, Wanted)>,
    /// Wanted outcomes of identity comparisons, by line.
    pub(super) same_lines: Vec<(u32, Wanted)>,
    /// Names that may be missing and are deleted.
    pub(super) deleted: BTreeSet<String>,
}

impl Instrumented {
    /// Returns a program unchanged.
    pub(super) fn unchanged(source: &str) -> Self {
        Self {
            text: source.to_owned(),
            locations: Vec::new(),
            wanted_lines: Vec::new(),
            same_lines: Vec::new(),
            deleted: BTreeSet::new(),
        }
    }
}

/// `x is y` or `x is not y`: both operands, whether it is `is`, and the operator's bytes.
struct Identity<'t> {
    left: Node<'t>,
    right: Node<'t>,
    is_same: bool,
    operator: std::ops::Range<usize>,
}

impl<'t> Identity<'t> {
    fn of(node: Node<'t>) -> Option<Self> {
        let operators: Vec<_> = node.children_by_field_name("operators").collect();
        let mut operands = node
            .named_children()
            .filter(|child| child.kind() != "comment");
        let (left, right) = (operands.next()?, operands.next()?);
        let [first, rest @ ..] = operators.as_slice() else {
            return None;
        };
        let is_same = match (first.kind(), rest) {
            ("is", []) => true,
            // As one operator, or as two words.
            ("is not", []) => false,
            ("is", [not]) if not.kind() == "not" => false,
            _ => return None,
        };
        let end = rest.last().unwrap_or(first).end_byte();
        let is_one_line = line(left) == last_line(right) && operands.next().is_none();
        is_one_line.then_some(Self {
            left,
            right,
            is_same,
            operator: first.start_byte()..end,
        })
    }

    /// Returns the operand of `x is None` or `x is not None`, if it is a name, attribute, subscript
    /// or call.
    fn asked_for_none(&self) -> Option<Node<'t>> {
        let is_plain = matches!(
            self.left.kind(),
            "identifier" | "attribute" | "subscript" | "call"
        );
        (self.right.kind() == "none" && is_plain).then_some(self.left)
    }

    /// Encodes the wish for two values: 1 for the same, 0 for different; 3 and 2 if the outcome
    /// alternates from one value to the next.
    fn wish(&self, wanted: Wanted) -> u8 {
        let same = u8::from(wanted.outcome == self.is_same);
        same + if wanted.turn == Turn::EveryOther {
            2
        } else {
            0
        }
    }
}

/// Returns the first line of the statement or clause whose condition contains a node.
fn head_line(node: Node<'_>) -> Option<u32> {
    let mut at = node;
    loop {
        at = at.parent()?;
        match at.kind() {
            "if_statement" | "elif_clause" | "while_statement" | "assert_statement" => {
                return Some(line(at));
            }
            "parenthesized_expression" | "boolean_operator" | "not_operator" => {}
            _ => return None,
        }
    }
}

/// Functions that inspect the calling frame, and functions for which wrapping changes nothing.
const DIRECT: &[&str] = &[
    "super",
    "locals",
    "globals",
    "vars",
    "dir",
    "eval",
    "exec",
    "__import__",
    "breakpoint",
    "print",
    "exit",
    "quit",
    "repr",
    "id",
    "type",
    "property",
    "staticmethod",
    "classmethod",
];

/// Most lines of an operand for which wanted outcomes are noted.
const MOST_LINES: u32 = 200;

/// Rewrites a program.
pub(super) fn instrument(root: Node<'_>, source: &str, outcomes: &Outcomes) -> Instrumented {
    let mut writer = Writer {
        source,
        outcomes,
        out: String::with_capacity(source.len() * 2),
        at: 0,
        locations: Vec::new(),
        scopes: vec![Scope::of(root, source)],
        wanted: None,
        wanted_lines: Vec::new(),
        same_lines: Vec::new(),
        deleted: BTreeSet::new(),
    };
    writer.children(root);
    writer.flush(source.len());
    Instrumented {
        text: writer.out,
        locations: writer.locations,
        wanted_lines: writer.wanted_lines,
        same_lines: writer.same_lines,
        deleted: writer.deleted,
    }
}

struct Writer<'s> {
    source: &'s str,
    outcomes: &'s Outcomes,
    out: String,
    /// Number of source bytes written so far.
    at: usize,
    locations: Vec<Location>,
    scopes: Vec<Scope<'s>>,
    wanted: Option<Wanted>,
    wanted_lines: Vec<(u32, Wanted)>,
    same_lines: Vec<(u32, Wanted)>,
    deleted: BTreeSet<String>,
}

impl<'s> Writer<'s> {
    fn text(&self, node: Node<'_>) -> &'s str {
        text(node, self.source)
    }

    fn flush(&mut self, to: usize) {
        if let Some(part) = self.source.get(self.at..to) {
            self.out.push_str(part);
            self.at = to;
        }
    }

    fn children(&mut self, node: Node<'_>) {
        for child in node.named_children() {
            self.node(child);
        }
    }

    fn field(&mut self, node: Node<'_>, name: &str) {
        if let Some(child) = node.child_by_field_name(name) {
            self.node(child);
        }
    }

    fn within(&mut self, node: Node<'_>, visit: impl FnOnce(&mut Self)) {
        self.scopes.push(Scope::of(node, self.source));
        visit(self);
        self.scopes.pop();
    }

    fn place(&mut self, kind: Kind, name: &str, at: Node<'_>, path: Option<String>) -> usize {
        self.locations.push(Location {
            kind,
            name: name.to_owned(),
            line: last_line(at),
            span: at.byte_range(),
            path,
            wanted: self.wanted,
        });
        self.locations.len() - 1
    }

    fn node(&mut self, node: Node<'_>) {
        let before = self.wanted;
        if let Some(wanted) = self.outcomes.get(node) {
            let first = line(node);
            // The interpreter tests on the statement's first line if the condition is below it.
            if let Some(asks) = head_line(node).filter(|head| *head < first) {
                let mut known = self.wanted_lines.iter().rev().take(MOST_LINES as usize);
                if !known.any(|(line, _)| *line == asks) {
                    self.wanted_lines.push((asks, wanted));
                }
            }
            for line in first..=last_line(node).min(first + MOST_LINES) {
                self.wanted_lines.push((line, wanted));
            }
            self.wanted = Some(wanted);
        }
        self.rewrite(node);
        self.wanted = before;
    }

    fn rewrite(&mut self, node: Node<'_>) {
        match node.kind() {
            "identifier" => self.name(node),
            "attribute" => self.attribute(node, false),
            "call" => self.call(node),
            "string" => self.string(node),
            "function_definition" => {
                self.defaults(node);
                self.within(node, |w| w.field(node, "body"));
            }
            "class_definition" => {
                self.field(node, "superclasses");
                self.within(node, |w| w.field(node, "body"));
            }
            "lambda" => {
                self.defaults(node);
                self.within(node, |w| w.field(node, "body"));
            }
            "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
            | "generator_expression" => self.comprehension(node),
            "keyword_argument" => self.field(node, "value"),
            "named_expression" => self.field(node, "value"),
            "assignment" => {
                self.target(node.child_by_field_name("left"));
                self.field(node, "right");
            }
            "augmented_assignment" | "for_statement" => {
                self.target(node.child_by_field_name("left"));
                let left = node.child_by_field_name("left").map(|n| n.id());
                for child in node.named_children() {
                    if Some(child.id()) != left {
                        self.node(child);
                    }
                }
            }
            "as_pattern_target" => self.target(node.named_child(0)),
            "delete_statement" => {
                for child in node.named_children() {
                    self.deletes(child);
                    self.target(Some(child));
                }
            }
            "await" => {
                let awaited = node
                    .named_children()
                    .find(|child| child.kind() != "comment");
                match awaited {
                    Some(awaited) => self.within_call("_codexec_w_", awaited, None),
                    None => self.children(node),
                }
            }
            "except_clause" | "except_group_clause" => {
                for child in node.named_children() {
                    if !is_field(child, node, "alias") {
                        self.node(child);
                    }
                }
            }
            "comparison_operator" => self.comparison(node),
            "import_statement"
            | "import_from_statement"
            | "future_import_statement"
            | "global_statement"
            | "nonlocal_statement"
            | "type_alias_statement"
            | "type"
            | "type_parameter"
            | "case_pattern"
            | "print_statement"
            | "exec_statement"
            | "comment"
            | "ERROR" => {}
            _ => self.children(node),
        }
    }

    /// `x not in y` asks `y` the opposite.
    fn comparison(&mut self, node: Node<'_>) {
        let negated = node
            .children_by_field_name("operators")
            .any(|o| o.kind() == "not in");
        if negated && let Some(wanted) = &mut self.wanted {
            wanted.outcome = !wanted.outcome;
        }
        let Some(identity) = Identity::of(node) else {
            return self.children(node);
        };
        let wanted = self.outcomes.get(node);
        let wanted = wanted.filter(|wanted| wanted.turn != Turn::EndsLoop);
        if let Some(wanted) = wanted {
            let outcome = wanted.outcome == identity.is_same;
            let wanted = Wanted { outcome, ..wanted };
            self.same_lines.push((line(node), wanted));
        }
        if let Some(asked) = identity.asked_for_none() {
            let wish = wanted.map(|wanted| identity.wish(wanted));
            return self.within_call("_codexec_o_", asked, wish);
        }
        let is_known = |node: Node<'_>| matches!(node.kind(), "true" | "false" | "none");
        match wanted {
            Some(wanted) if !is_known(identity.left) && !is_known(identity.right) => {
                self.identity(&identity, wanted);
            }
            _ => self.children(node),
        }
    }

    /// Rewrites a comparison of two values that decides a condition.
    fn identity(&mut self, identity: &Identity<'_>, wanted: Wanted) {
        let name = if identity.is_same {
            "_codexec_i_"
        } else {
            "not _codexec_i_"
        };
        self.flush(identity.left.start_byte());
        let wish = identity.wish(wanted);
        self.out.push_str(&format!("{name}({wish}, "));
        self.node(identity.left);
        self.flush(identity.left.end_byte());
        self.at = identity.operator.start;
        self.out.push_str(", ");
        self.at = identity.operator.end;
        self.node(identity.right);
        self.flush(identity.right.end_byte());
        self.out.push(')');
    }

    /// Wraps an expression on one line in a call.
    fn within_call(&mut self, name: &str, inner: Node<'_>, wish: Option<u8>) {
        if line(inner) != last_line(inner) {
            return self.node(inner);
        }
        self.flush(inner.start_byte());
        self.out.push_str(name);
        self.out.push('(');
        self.node(inner);
        self.flush(inner.end_byte());
        if let Some(wish) = wish {
            self.out.push_str(&format!(", {wish}"));
        }
        self.out.push(')');
    }

    /// Notes a deleted name that may be missing.
    fn deletes(&mut self, node: Node<'_>) {
        match node.kind() {
            "identifier" => {
                let name = self.text(node).to_owned();
                if self.can_miss(&name) {
                    self.deleted.insert(name);
                }
            }
            "expression_list" | "tuple" | "parenthesized_expression" => {
                node.named_children().for_each(|child| self.deletes(child));
            }
            _ => {}
        }
    }

    /// Visits default values, which are read in the outer scope.
    fn defaults(&mut self, node: Node<'_>) {
        let Some(parameters) = node.child_by_field_name("parameters") else {
            return;
        };
        for parameter in parameters.named_children() {
            self.field(parameter, "value");
        }
    }

    fn comprehension(&mut self, node: Node<'_>) {
        let first = node
            .named_children()
            .find(|c| c.kind() == "for_in_clause")
            .map(|c| c.id());
        // The inner scope while a part is written: only the first iterable is read outside it.
        let mut scope = Some(Scope::of(node, self.source));
        let mut inside = |w: &mut Self, visit: &mut dyn FnMut(&mut Self)| {
            w.scopes.extend(scope.take());
            visit(w);
            scope = w.scopes.pop();
        };
        for part in node.named_children() {
            if part.kind() != "for_in_clause" {
                inside(self, &mut |w| w.node(part));
                continue;
            }
            let right = part.child_by_field_name("right").map(|n| n.id());
            for child in part.named_children() {
                if is_field(child, part, "left") {
                    inside(self, &mut |w| w.target(Some(child)));
                } else if Some(part.id()) == first && Some(child.id()) == right {
                    self.node(child);
                } else {
                    inside(self, &mut |w| w.node(child));
                }
            }
        }
    }

    /// Visits a target: it is written to, and only the expressions inside it are read.
    fn target(&mut self, node: Option<Node<'_>>) {
        let Some(node) = node else { return };
        match node.kind() {
            "identifier" => {}
            "attribute" => self.field(node, "object"),
            "subscript" => self.children(node),
            _ => {
                for child in node.named_children() {
                    self.target(Some(child));
                }
            }
        }
    }

    fn string(&mut self, node: Node<'_>) {
        for part in node.named_children() {
            if part.kind() == "interpolation" {
                self.interpolation(part);
            }
        }
    }

    fn interpolation(&mut self, node: Node<'_>) {
        // `{x=}` prints the text of the expression.
        if node.children().any(|c| c.kind() == "=") {
            return;
        }
        self.field(node, "expression");
        if let Some(format) = node.child_by_field_name("format_specifier") {
            for part in format.named_children() {
                match part.kind() {
                    "interpolation" | "format_expression" => self.interpolation(part),
                    _ => {}
                }
            }
        }
    }

    /// Whether a read of the name reaches the module or the builtins, and can miss.
    fn can_miss(&self, name: &str) -> bool {
        let dunder = name.starts_with("__");
        let mangled = dunder && self.scopes.iter().any(|s| s.kind == ScopeKind::Class);
        let plain = dunder && name.ends_with("__");
        let shadowed = self.scopes.first().is_some_and(|module| module.binds(name));
        !mangled
            && !plain
            && reach(&self.scopes, name) == Reach::Module
            && (!is_builtin(name) || shadowed)
    }

    fn name(&mut self, node: Node<'_>) {
        let name = self.text(node);
        if !self.can_miss(name) {
            return;
        }
        let id = self.place(Kind::Name, name, node, Some(name.to_owned()));
        self.flush(node.start_byte());
        self.out.push_str(&format!("_codexec_n_({id})"));
        self.at = node.end_byte();
    }

    fn attribute(&mut self, node: Node<'_>, called: bool) {
        let (Some(object), Some(attribute)) = (
            node.child_by_field_name("object").map(unstarred),
            node.child_by_field_name("attribute"),
        ) else {
            return;
        };
        if matches!(
            object.kind(),
            "integer" | "float" | "string" | "concatenated_string"
        ) {
            self.node(object);
            return;
        }
        let name = self.text(attribute);
        let wanted = self.wanted;
        if called {
            self.wanted = None;
        }
        let id = self.place(Kind::Attribute, name, attribute, path_of(node, self.source));
        self.flush(object.start_byte());
        self.out.push_str(&format!("_codexec_a_({id}, "));
        self.wanted = None;
        self.node(object);
        self.wanted = wanted;
        self.flush(object.end_byte());
        self.out.push(')');
    }

    fn call(&mut self, node: Node<'_>) {
        let (Some(function), Some(arguments)) = (
            node.child_by_field_name("function").map(unstarred),
            node.child_by_field_name("arguments"),
        ) else {
            return;
        };
        let plain = function.kind() == "identifier";
        let name = self.text(function);
        if plain && name == "super" && self.is_stray_super() {
            let id = self.place(Kind::Name, name, function, Some(name.to_owned()));
            self.flush(function.start_byte());
            self.out.push_str(&format!("_codexec_n_({id})"));
            self.at = function.end_byte();
            self.node(arguments);
            return;
        }
        let direct = plain && DIRECT.contains(&name) && !self.can_miss(name);
        // A wrapped function expression on several lines would jump back to its first line.
        if direct || line(function) != last_line(function) {
            self.callee(function);
        } else {
            let named = match function.kind() {
                "attribute" => function
                    .child_by_field_name("attribute")
                    .map_or(name, |a| self.text(a)),
                _ => name,
            };
            let id = self.place(Kind::Call, named, function, path_of(node, self.source));
            self.flush(function.start_byte());
            self.out.push_str(&format!("_codexec_c_({id}, "));
            self.callee(function);
            self.flush(function.end_byte());
            self.out.push(')');
        }
        let wanted = self.wanted;
        if !matches!(
            name,
            "isinstance" | "hasattr" | "callable" | "bool" | "any" | "all"
        ) {
            self.wanted = None;
        }
        self.node(arguments);
        self.wanted = wanted;
    }

    fn callee(&mut self, function: Node<'_>) {
        let wanted = self.wanted.take();
        match function.kind() {
            "attribute" => self.attribute(function, true),
            _ => self.node(function),
        }
        self.wanted = wanted;
    }

    /// Whether `super` is outside a class, as in the body of a method that was cut out.
    fn is_stray_super(&self) -> bool {
        !self.scopes.iter().any(|s| s.kind == ScopeKind::Class)
    }
}
