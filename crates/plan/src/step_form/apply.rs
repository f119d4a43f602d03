//! Containers after edits.

use ruff_python_ast::{Expr, Operator, Stmt};
use ruff_python_parser::parse_module;

use super::StepFormError;
use super::read::{Reader, expression, malformed, shallow};
use crate::question::{Data, Shape};

impl Reader<'_> {
    /// A container after an edit.
    pub(super) fn edited(&mut self, shape: Shape, edit: &str) -> Result<Shape, StepFormError> {
        let Some(first) = edit.chars().next() else {
            return Err(malformed("an empty edit"));
        };
        let rest = edit.get(first.len_utf8()..).unwrap_or_default();
        match first {
            '=' => {
                let expr = expression(rest)?;
                self.replaced(shape, &expr)
            }
            '+' | '<' => {
                let wrapped = expression(&format!("[{rest}]"))?;
                let Expr::List(list) = wrapped else {
                    return Err(malformed(edit));
                };
                let items = self.items(&list.elts)?;
                added(shape, items, first == '<')
            }
            '-' => {
                let (data, text) = self.data(&expression(rest)?, true)?;
                self.removed(shape, &data, &text)
            }
            '[' => {
                let (index, rest) = self.indexed(edit)?;
                self.at(shape, &index, rest)
            }
            _ => Err(malformed(edit)),
        }
    }

    /// The index of `[i]`, `[i]=v` or `[i]+v`, and the operation there.
    fn indexed(&mut self, edit: &str) -> Result<(Data, Option<(bool, Data)>), StepFormError> {
        shallow(edit)?;
        let text = format!("x{edit}");
        let parsed = parse_module(&text).map_err(|_| malformed(edit))?;
        let body = parsed.into_syntax().body;
        let link = self.links.elements;
        let (target, what) = match body.first() {
            Some(Stmt::Assign(node)) if node.targets.len() == 1 => {
                let value = self.value(&node.value, link)?;
                (node.targets[0].clone(), Some((true, value)))
            }
            Some(Stmt::Expr(node)) => match &*node.value {
                Expr::BinOp(sum) if sum.op == Operator::Add => {
                    let value = self.value(&sum.right, link)?;
                    ((*sum.left).clone(), Some((false, value)))
                }
                other => (other.clone(), None),
            },
            _ => return Err(malformed(edit)),
        };
        let Expr::Subscript(subscript) = target else {
            return Err(malformed(edit));
        };
        Ok((self.value(&subscript.slice, false)?, what))
    }

    fn at(
        &mut self,
        shape: Shape,
        index: &Data,
        what: Option<(bool, Data)>,
    ) -> Result<Shape, StepFormError> {
        if let Shape::Dict(kind, factory, mut pairs) = shape {
            let Some((true, value)) = what else {
                return Err(malformed("an edit of a dict"));
            };
            let wanted = self.text(index)?;
            let mut found = None;
            for (at, (key, _)) in pairs.iter().enumerate() {
                if self.text(key)? == wanted {
                    found = Some(at);
                    break;
                }
            }
            match found {
                Some(at) => pairs[at].1 = value,
                None => pairs.push((index.clone(), value)),
            }
            return Ok(Shape::Dict(kind, factory, pairs));
        }
        let sequence = |items: &mut Vec<Data>| -> Result<(), StepFormError> {
            let Data::Int(index) = index else {
                return Err(malformed("an index that is no integer"));
            };
            let place = i64::try_from(index).unwrap_or(i64::MAX);
            let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
            let place = if place < 0 { place + length } else { place };
            let place = usize::try_from(place).map_err(|_| malformed("an index out of range"))?;
            let inserts = matches!(what, Some((false, _)));
            if place > items.len() || (place == items.len() && !inserts) {
                return Err(malformed("an index out of range"));
            }
            match what {
                None => {
                    items.remove(place);
                }
                Some((true, value)) => items[place] = value,
                Some((false, value)) => items.insert(place, value),
            }
            Ok(())
        };
        match shape {
            Shape::Items("list", mut items) => {
                sequence(&mut items)?;
                Ok(Shape::Items("list", items))
            }
            Shape::Deque(mut items, most) => {
                sequence(&mut items)?;
                Ok(Shape::Deque(items, most))
            }
            _ => Err(malformed("an index of something without")),
        }
    }

    fn replaced(&mut self, shape: Shape, expr: &Expr) -> Result<Shape, StepFormError> {
        Ok(match (shape, expr) {
            (Shape::Items("list", _), Expr::List(list)) => {
                Shape::Items("list", self.items(&list.elts)?)
            }
            (Shape::Items("bytearray", _), Expr::List(list)) => {
                Shape::Items("bytearray", self.items(&list.elts)?)
            }
            (Shape::Deque(_, most), Expr::List(list)) => {
                Shape::Deque(self.items(&list.elts)?, most)
            }
            (Shape::Items("set", _), Expr::Set(set)) => Shape::Items("set", self.items(&set.elts)?),
            // An empty set has no other text here.
            (Shape::Items("set", _), Expr::Dict(dict)) if dict.items.is_empty() => {
                Shape::Items("set", Vec::new())
            }
            (Shape::Dict(kind, factory, _), dict @ Expr::Dict(_)) => {
                Shape::Dict(kind, factory, self.pairs(dict)?)
            }
            _ => return Err(malformed("a container of another kind")),
        })
    }

    fn removed(&mut self, shape: Shape, data: &Data, text: &str) -> Result<Shape, StepFormError> {
        let missing = || malformed("what is to be taken out is not there");
        let place = |own: &Self, keys: Vec<&Data>| -> Result<usize, StepFormError> {
            for (at, key) in keys.into_iter().enumerate() {
                if key == data || own.text(key)? == text {
                    return Ok(at);
                }
            }
            Err(missing())
        };
        match shape {
            Shape::Items(kind @ ("list" | "set"), mut items) => {
                let at = place(self, items.iter().collect())?;
                items.remove(at);
                Ok(Shape::Items(kind, items))
            }
            Shape::Deque(mut items, most) => {
                let at = place(self, items.iter().collect())?;
                items.remove(at);
                Ok(Shape::Deque(items, most))
            }
            Shape::Dict(kind, factory, mut pairs) => {
                let at = place(self, pairs.iter().map(|(key, _)| key).collect())?;
                pairs.remove(at);
                Ok(Shape::Dict(kind, factory, pairs))
            }
            _ => Err(missing()),
        }
    }
}

fn added(shape: Shape, new: Vec<Data>, in_front: bool) -> Result<Shape, StepFormError> {
    let join = |old: Vec<Data>| {
        if in_front {
            new.iter().cloned().chain(old).collect::<Vec<_>>()
        } else {
            old.into_iter().chain(new.iter().cloned()).collect()
        }
    };
    Ok(match shape {
        Shape::Items(kind @ ("list" | "bytearray"), items) => Shape::Items(kind, join(items)),
        Shape::Items("set", items) if !in_front => {
            let fresh = |item: &Data| !items.contains(item);
            let new: Vec<Data> = new.iter().filter(|item| fresh(item)).cloned().collect();
            Shape::Items("set", items.into_iter().chain(new).collect())
        }
        Shape::Deque(items, most) => Shape::Deque(join(items), most),
        _ => return Err(malformed("items added to something that takes none")),
    })
}
