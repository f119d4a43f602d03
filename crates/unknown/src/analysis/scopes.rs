//! The names that a Python scope binds, and whether a read can reach the module's names.
//!
//! A read of a name that a function, lambda or comprehension binds cannot be a missing value: if it
//! is unbound, the program itself is wrong. If the syntax leaves it open (captures of `match`), the
//! name counts as bound. Its read is then left as it is, and the runtime still notices if it is
//! missing.

use std::collections::HashSet;

use ruff_python_stdlib::builtins::is_python_builtin;

use super::syntax::{children, text};
use super::tree::Node;

/// The kind of a scope, for the names read in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Module,
    Class,
    /// Function, lambda, or comprehension.
    Function,
}

/// The names of one scope.
#[derive(Debug)]
pub(crate) struct Scope<'s> {
    pub kind: ScopeKind,
    bound: HashSet<&'s str>,
    global: HashSet<&'s str>,
}

/// Where a read finds its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// In a function, or in the class body that reads it.
    Own,
    /// In the module, or in the builtins.
    Module,
}

impl<'s> Scope<'s> {
    /// The scope of a module, class, function, lambda or comprehension.
    pub(crate) fn of(node: Node<'_>, source: &'s str) -> Self {
        let kind = match node.kind() {
            "module" => ScopeKind::Module,
            "class_definition" => ScopeKind::Class,
            _ => ScopeKind::Function,
        };
        let mut scope = Self {
            kind,
            bound: HashSet::new(),
            global: HashSet::new(),
        };
        match node.kind() {
            "module" => scope.collect(node, source),
            "class_definition" | "function_definition" | "lambda" => {
                if let Some(parameters) = node.child_by_field_name("parameters") {
                    scope.parameters(parameters, source);
                }
                if let Some(types) = node.child_by_field_name("type_parameters") {
                    scope.every_name(types, source);
                }
                if let Some(body) = node.child_by_field_name("body") {
                    scope.collect(body, source);
                }
            }
            _ => {
                for clause in children(node) {
                    if clause.kind() == "for_in_clause"
                        && let Some(left) = clause.child_by_field_name("left")
                    {
                        scope.target(left, source);
                    }
                }
            }
        }
        scope
    }

    /// Whether the scope itself binds the name.
    pub(crate) fn binds(&self, name: &str) -> bool {
        self.bound.contains(name) && !self.global.contains(name)
    }

    fn parameters(&mut self, node: Node<'_>, source: &'s str) {
        for parameter in children(node) {
            match parameter.kind() {
                "default_parameter" | "typed_default_parameter" => {
                    if let Some(name) = parameter.child_by_field_name("name") {
                        self.target(name, source);
                    }
                }
                "typed_parameter" => {
                    if let Some(name) = parameter.named_child(0) {
                        self.target(name, source);
                    }
                }
                _ => self.target(parameter, source),
            }
        }
    }

    /// Binds the names of an assignment's target.
    fn target(&mut self, node: Node<'_>, source: &'s str) {
        match node.kind() {
            "identifier" => {
                self.bound.insert(text(node, source));
            }
            "attribute" | "subscript" => {}
            _ => {
                for child in children(node) {
                    self.target(child, source);
                }
            }
        }
    }

    fn every_name(&mut self, node: Node<'_>, source: &'s str) {
        if node.kind() == "identifier" {
            self.bound.insert(text(node, source));
        }
        for child in children(node) {
            self.every_name(child, source);
        }
    }

    fn field(&mut self, node: Node<'_>, field: &str, source: &'s str) {
        if let Some(child) = node.child_by_field_name(field) {
            self.target(child, source);
        }
    }

    /// Collects the names bound anywhere below, except in inner scopes.
    fn collect(&mut self, root: Node<'_>, source: &'s str) {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            match node.kind() {
                "function_definition" | "class_definition" => {
                    self.field(node, "name", source);
                    continue;
                }
                "lambda" => continue,
                "assignment" | "augmented_assignment" | "for_statement" => {
                    self.field(node, "left", source);
                }
                "named_expression" => self.field(node, "name", source),
                "as_pattern_target" | "case_pattern" | "type_alias_statement" => {
                    self.every_name(node, source);
                    continue;
                }
                "except_clause" | "except_group_clause" => self.field(node, "alias", source),
                "delete_statement" => {
                    for child in children(node) {
                        self.target(child, source);
                    }
                }
                "import_statement" | "import_from_statement" => {
                    self.imported(node, source);
                    continue;
                }
                "global_statement" => {
                    for name in children(node) {
                        self.global.insert(text(name, source));
                    }
                }
                _ => {}
            }
            open.extend(children(node));
        }
    }

    fn imported(&mut self, node: Node<'_>, source: &'s str) {
        for name in node.children_by_field_name("name") {
            let bound = match name.child_by_field_name("alias") {
                Some(alias) => alias,
                None => match name.named_child(0) {
                    Some(first) => first,
                    None => continue,
                },
            };
            self.bound.insert(text(bound, source));
        }
    }
}

/// Returns where a name read in the innermost of these scopes is found.
pub(crate) fn reach(scopes: &[Scope<'_>], name: &str) -> Reach {
    for (k, scope) in scopes.iter().enumerate().rev() {
        let innermost = k + 1 == scopes.len();
        match scope.kind {
            ScopeKind::Module => return Reach::Module,
            ScopeKind::Class if !innermost => {}
            _ if scope.global.contains(name) => return Reach::Module,
            _ if scope.bound.contains(name) => return Reach::Own,
            _ => {}
        }
    }
    Reach::Module
}

/// Whether every Python from 3.8 on has the name without an import. Excludes `__names__` and the
/// texts of the interactive mode.
pub fn is_builtin(name: &str) -> bool {
    let shown = ["copyright", "credits", "license"].contains(&name);
    is_python_builtin(name, 8, false) && !name.starts_with("__") && !shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtins_are_told_from_other_names() {
        assert!(is_builtin("zip") && is_builtin("ArithmeticError") && !is_builtin("unicode"));
        assert!(!is_builtin("__file__") && !is_builtin("license") && !is_builtin("WindowsError"));
    }
}
