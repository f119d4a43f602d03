//! Names and calls of an expression. Variables of comprehensions and parameters of lambdas are not names of the
//! program.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Comprehension, Expr, ExprCall, ExprContext};

use super::{Bound, Call, Position, Read, Unit};

/// Collects what expressions of a unit read, call and bind.
pub(super) struct Reader<'u> {
    pub unit: &'u mut Unit,
    calls: Vec<(usize, Position)>,
    hidden: Vec<String>,
    made: usize,
}

impl<'u> Reader<'u> {
    pub(super) fn new(unit: &'u mut Unit) -> Self {
        let made = unit.calls.len();
        Self {
            unit,
            calls: Vec::new(),
            hidden: Vec::new(),
            made,
        }
    }

    /// An expression whose value is used.
    pub(super) fn read(&mut self, expression: &Expr) {
        self.visit_expr(expression);
    }

    /// An assignment target, whose value is made of some reads.
    pub(super) fn target(&mut self, target: &Expr, from: Option<std::ops::Range<usize>>) {
        match target {
            Expr::Name(name) => self.unit.binds.push(Bound {
                name: name.id.to_string(),
                from,
            }),
            Expr::Starred(starred) => self.target(&starred.value, from),
            Expr::Tuple(tuple) => tuple
                .elts
                .iter()
                .for_each(|one| self.target(one, from.clone())),
            Expr::List(list) => list
                .elts
                .iter()
                .for_each(|one| self.target(one, from.clone())),
            place => {
                self.touch(place);
                self.place(place);
            }
        }
    }

    /// Reads that locate `a.b = v` or `d[k] = v`, not its old value.
    fn place(&mut self, place: &Expr) {
        match place {
            Expr::Attribute(attribute) => match &*attribute.value {
                Expr::Name(name) => {
                    let stored = (name.id.to_string(), attribute.attr.to_string());
                    self.unit.stores.push(stored);
                }
                value => self.visit_expr(value),
            },
            Expr::Subscript(subscript) => {
                if !subscript.value.is_name_expr() {
                    self.visit_expr(&subscript.value);
                }
                self.visit_expr(&subscript.slice);
            }
            other => self.visit_expr(other),
        }
    }

    /// The name at the root of `a.b[c].d`.
    pub(super) fn touch(&mut self, place: &Expr) {
        let mut root = place;
        loop {
            root = match root {
                Expr::Attribute(attribute) => &attribute.value,
                Expr::Subscript(subscript) => &subscript.value,
                Expr::Name(name) => {
                    self.unit.touches.push(name.id.to_string());
                    return;
                }
                _ => return,
            };
        }
    }

    fn name(&mut self, name: &str, attribute: Option<&str>) {
        if self.hidden.iter().any(|hidden| hidden == name) {
            return;
        }
        self.unit.reads.push(Read {
            name: name.to_owned(),
            attribute: attribute.map(str::to_owned),
            calls: self.calls.clone(),
        });
    }

    fn inside(&mut self, call: usize, position: Position, expression: &Expr) {
        self.calls.push((call, position));
        self.visit_expr(expression);
        self.calls.pop();
    }

    fn call(&mut self, call: &ExprCall) {
        let at = self.unit.calls.len();
        let name = match &*call.func {
            Expr::Name(name) => Some(name.id.to_string()),
            Expr::Attribute(attribute) => Some(attribute.attr.to_string()),
            _ => None,
        };
        self.unit.calls.push(Call {
            name,
            order: 0,
            calls: self.calls.clone(),
        });
        match &*call.func {
            Expr::Attribute(attribute) => {
                self.touch(&attribute.value);
                self.inside(at, Position::Receiver, &attribute.value);
            }
            function => self.inside(at, Position::Function, function),
        }
        for (number, argument) in call.arguments.args.iter().enumerate() {
            let position = match argument {
                Expr::Starred(_) => Position::Spread,
                _ => Position::Argument(number),
            };
            self.inside(at, position, argument);
        }
        for keyword in &call.arguments.keywords {
            let position = match &keyword.arg {
                Some(name) => Position::Keyword(name.to_string()),
                None => Position::Spread,
            };
            self.inside(at, position, &keyword.value);
        }
        self.unit.calls[at].order = self.made;
        self.made += 1;
    }

    fn comprehension(&mut self, parts: &[&Expr], generators: &[Comprehension]) {
        let before = self.hidden.len();
        for generator in generators {
            self.visit_expr(&generator.iter);
            self.hide(&generator.target);
            for condition in &generator.ifs {
                self.visit_expr(condition);
            }
        }
        for part in parts {
            self.visit_expr(part);
        }
        self.hidden.truncate(before);
    }

    fn hide(&mut self, target: &Expr) {
        match target {
            Expr::Name(name) => self.hidden.push(name.id.to_string()),
            Expr::Starred(starred) => self.hide(&starred.value),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|one| self.hide(one)),
            Expr::List(list) => list.elts.iter().for_each(|one| self.hide(one)),
            _ => {}
        }
    }
}

impl<'a> Visitor<'a> for Reader<'_> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) if name.ctx != ExprContext::Store => self.name(&name.id, None),
            Expr::Attribute(attribute) => match &*attribute.value {
                Expr::Name(name) => self.name(&name.id, Some(&attribute.attr)),
                value => self.visit_expr(value),
            },
            Expr::Call(call) => self.call(call),
            Expr::Lambda(lambda) => {
                let before = self.hidden.len();
                for parameter in lambda.parameters.iter().flat_map(|all| all.iter()) {
                    self.hidden.push(parameter.name().to_string());
                }
                self.visit_expr(&lambda.body);
                self.hidden.truncate(before);
            }
            Expr::ListComp(all) => self.comprehension(&[&all.elt], &all.generators),
            Expr::SetComp(all) => self.comprehension(&[&all.elt], &all.generators),
            Expr::Generator(all) => self.comprehension(&[&all.elt], &all.generators),
            Expr::DictComp(all) => {
                let key = all.key.as_deref();
                let parts: Vec<&Expr> = key.into_iter().chain([&*all.value]).collect();
                self.comprehension(&parts, &all.generators);
            }
            Expr::Named(named) => {
                let start = self.unit.reads.len();
                self.visit_expr(&named.value);
                let end = self.unit.reads.len();
                self.target(&named.target, Some(start..end));
            }
            other => walk_expr(self, other),
        }
    }
}
