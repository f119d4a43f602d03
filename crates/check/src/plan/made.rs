//! Expressions that construct instances of a program's own classes, for arguments with such annotations.

use std::collections::HashMap;

use codexec_data::syntax::with_parsed;
use ruff_python_ast::{Expr, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::Ranged;

/// The arguments for constructing an instance.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Made {
    /// The parameters without a default, each with its annotation; those by keyword alone have `=` behind the name.
    Called(Vec<(String, Option<String>)>),
    /// An expression: a member of an enumeration.
    Member(String),
}

/// The classes of a program that can be made.
#[derive(Debug, Default)]
pub(super) struct Classes(HashMap<String, Made>);

impl Classes {
    /// For a source; empty if it does not parse.
    pub(super) fn of(source: &str) -> Self {
        let mut classes = HashMap::new();
        let found = with_parsed(source, |parsed| {
            for statement in parsed.suite() {
                if let Stmt::ClassDef(class) = statement
                    && let Some(made) = made(class, source, &classes)
                {
                    classes.insert(class.name.to_string(), made);
                }
            }
        });
        found.map(|()| Self(classes)).unwrap_or_default()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Made> {
        self.0.get(name)
    }
}

fn made(class: &StmtClassDef, source: &str, known: &HashMap<String, Made>) -> Option<Made> {
    let text = |node: &dyn Ranged| source[node.range()].to_owned();
    let bases: Vec<String> = match &class.arguments {
        Some(arguments) if !arguments.keywords.is_empty() => return None,
        Some(arguments) => arguments.args.iter().map(|base| text(base)).collect(),
        None => Vec::new(),
    };
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let decorator = |name: &str| {
        class
            .decorator_list
            .iter()
            .any(|decorator| match &decorator.expression {
                Expr::Call(call) => last(&text(&*call.func)) == name,
                other => last(&text(other)) == name,
            })
    };
    let methods = || {
        class.body.iter().filter_map(|statement| match statement {
            Stmt::FunctionDef(function) => Some(function),
            _ => None,
        })
    };
    if bases
        .iter()
        .any(|base| matches!(last(base).as_str(), "Enum" | "IntEnum" | "StrEnum"))
    {
        let member = class.body.iter().find_map(|statement| match statement {
            Stmt::Assign(assign) => match assign.targets.as_slice() {
                [Expr::Name(name)] if !name.id.starts_with('_') => Some(name.id.to_string()),
                _ => None,
            },
            _ => None,
        })?;
        return Some(Made::Member(format!("{}.{member}", class.name)));
    }
    let is_abstract = methods().any(|method| {
        let names = method.decorator_list.iter();
        names
            .map(|d| text(&d.expression))
            .any(|name| last(&name).starts_with("abstract"))
    });
    if is_abstract || methods().any(|method| &*method.name == "__new__") {
        return None;
    }
    let mut inherited = Vec::new();
    let mut with_fields = decorator("dataclass");
    for base in &bases {
        match (last(base).as_str(), known.get(base)) {
            ("object" | "Protocol" | "ABC", _) => {}
            ("NamedTuple", _) => with_fields = true,
            (_, Some(Made::Called(parameters))) => inherited.extend(parameters.iter().cloned()),
            _ => return None,
        }
    }
    if let Some(init) = methods().find(|method| &*method.name == "__init__") {
        return Some(Made::Called(parameters(init, source)));
    }
    if with_fields {
        for statement in &class.body {
            if let Stmt::AnnAssign(field) = statement
                && let (Expr::Name(name), None) = (&*field.target, &field.value)
            {
                let annotation = text(&*field.annotation);
                if !annotation.contains("ClassVar") {
                    inherited.push((name.id.to_string(), Some(annotation)));
                }
            }
        }
    }
    Some(Made::Called(inherited))
}

/// Parameters of a method without a default, except `self`.
fn parameters(init: &StmtFunctionDef, source: &str) -> Vec<(String, Option<String>)> {
    let all = &init.parameters;
    let annotation = |parameter: &ruff_python_ast::Parameter| {
        parameter
            .annotation
            .as_ref()
            .map(|found| source[found.range()].to_owned())
    };
    let places = all.posonlyargs.iter().chain(&all.args).skip(1);
    let places = places.filter(|one| one.default.is_none());
    let mut needed: Vec<_> = places
        .map(|one| (one.parameter.name.to_string(), annotation(&one.parameter)))
        .collect();
    for one in all.kwonlyargs.iter().filter(|one| one.default.is_none()) {
        needed.push((
            format!("{}=", one.parameter.name),
            annotation(&one.parameter),
        ));
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_class_needs_to_be_made() {
        let source = "\
from dataclasses import dataclass, field
from typing import NamedTuple
import enum
@dataclass
class A:
    name: str
    n: int = 0
    tags: list = field(default_factory=list)
@dataclass(frozen=True)
class B(A):
    price: float
class C:
    def __init__(self, a, b: int, c=1, *, d: str, e=2): pass
class D(NamedTuple):
    x: int
class E(enum.Enum):
    RED = 1
    BLUE = 2
class F(Unknown): pass
class G: pass
";
        let classes = Classes::of(source);
        let called = |name: &str| match classes.get(name) {
            Some(Made::Called(parameters)) => parameters
                .iter()
                .map(|(name, _)| name.as_str())
                .collect::<Vec<_>>()
                .join(" "),
            other => format!("{other:?}"),
        };
        assert_eq!(called("A"), "name");
        assert_eq!(called("B"), "name price");
        assert_eq!(called("C"), "a b d=");
        assert_eq!(called("D"), "x");
        assert_eq!(classes.get("E"), Some(&Made::Member("E.RED".to_owned())));
        assert_eq!(classes.get("F"), None);
        assert_eq!(called("G"), "");
    }
}
