//! Code of displays: lists, tuples, sets, dicts, f-strings and assignment to several targets.

use super::ast::*;
use super::generate::{Gen, Generator};
use crate::code::{Constant, Op};

/// Larger displays are built element by element.
pub(super) const STACK_USE_GUIDELINE: usize = 30;

/// Which display is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Display {
    List,
    Tuple,
    Set,
}

impl<'a> Generator<'a> {
    /// A list, tuple or set with `pushed` elements already on the stack.
    pub(crate) fn display(&mut self, elts: &'a [Expr], pushed: usize, display: Display) -> Gen {
        let tuple = display == Display::Tuple;
        let (build, add, extend) = match display {
            Display::Set => (Op::BuildSet, Op::SetAdd, Op::SetUpdate),
            _ => (Op::BuildList, Op::ListAppend, Op::ListExtend),
        };
        let count = elts.len();
        if count > 2 && elts.iter().all(|elt| elt.constant().is_some()) {
            let items: Vec<Constant> = elts.iter().filter_map(Expr::constant).cloned().collect();
            if tuple && pushed == 0 {
                self.u.load(Constant::Tuple(items.into()));
                return Ok(());
            }
            self.u.op_arg(build, pushed);
            self.u.load(if display == Display::Set {
                super::fold::frozenset(items)
            } else {
                Constant::Tuple(items.into())
            });
            self.u.op_arg(extend, 1);
            if tuple {
                self.u.op(Op::ListToTuple);
            }
            return Ok(());
        }
        let big = count + pushed > STACK_USE_GUIDELINE;
        if !big && !elts.iter().any(Expr::is_starred) {
            self.exprs(elts)?;
            self.u
                .op_arg(if tuple { Op::BuildTuple } else { build }, count + pushed);
            return Ok(());
        }
        let mut built = big;
        if big {
            self.u.op_arg(build, pushed);
        }
        for (at, elt) in elts.iter().enumerate() {
            if let ExprKind::Starred { value, .. } = &elt.kind {
                if !built {
                    self.u.op_arg(build, at + pushed);
                    built = true;
                }
                self.expr(value)?;
                self.u.op_arg(extend, 1);
            } else {
                self.expr(elt)?;
                if built {
                    self.u.op_arg(add, 1);
                }
            }
        }
        if tuple {
            self.u.op(Op::ListToTuple);
        }
        Ok(())
    }

    /// Assignment to several targets.
    pub(crate) fn unpack(&mut self, elts: &'a [Expr]) -> Gen {
        let mut star = None;
        for (at, _) in elts.iter().enumerate().filter(|(_, elt)| elt.is_starred()) {
            if star.is_some() {
                return self.error("multiple starred expressions in assignment");
            }
            let after = elts.len() - at - 1;
            if at >= 1 << 8 || after >= (i32::MAX >> 8) as usize {
                return self.error("too many expressions in star-unpacking assignment");
            }
            self.u.op_arg(Op::UnpackEx, at + (after << 8));
            star = Some(at);
        }
        if star.is_none() {
            self.u.op_arg(Op::UnpackSequence, elts.len());
        }
        for elt in elts {
            match &elt.kind {
                ExprKind::Starred { value, .. } => self.expr(value)?,
                _ => self.expr(elt)?,
            }
        }
        Ok(())
    }

    pub(crate) fn dict(&mut self, items: &'a [(Option<Expr>, Expr)]) -> Gen {
        let mut have_dict = false;
        let mut pending = 0;
        for (at, (key, value)) in items.iter().enumerate() {
            if key.is_none() {
                if pending > 0 {
                    self.dict_part(&items[at - pending..at])?;
                    if have_dict {
                        self.u.op_arg(Op::DictUpdate, 1);
                    }
                    have_dict = true;
                    pending = 0;
                }
                if !have_dict {
                    self.u.op_arg(Op::BuildMap, 0);
                    have_dict = true;
                }
                self.expr(value)?;
                self.u.op_arg(Op::DictUpdate, 1);
            } else if pending * 2 > STACK_USE_GUIDELINE {
                self.dict_part(&items[at - pending..=at])?;
                if have_dict {
                    self.u.op_arg(Op::DictUpdate, 1);
                }
                have_dict = true;
                pending = 0;
            } else {
                pending += 1;
            }
        }
        if pending > 0 {
            self.dict_part(&items[items.len() - pending..])?;
            if have_dict {
                self.u.op_arg(Op::DictUpdate, 1);
            }
            have_dict = true;
        }
        if !have_dict {
            self.u.op_arg(Op::BuildMap, 0);
        }
        Ok(())
    }

    pub(crate) fn dict_part(&mut self, items: &'a [(Option<Expr>, Expr)]) -> Gen {
        let count = items.len();
        let big = count * 2 > STACK_USE_GUIDELINE;
        let keys: Vec<&Constant> = items
            .iter()
            .filter_map(|(key, _)| key.as_ref().and_then(Expr::constant))
            .collect();
        if count > 1 && !big && keys.len() == count {
            for (_, value) in items {
                self.expr(value)?;
            }
            self.u
                .load(Constant::Tuple(keys.into_iter().cloned().collect()));
            self.u.op_arg(Op::BuildConstKeyMap, count);
            return Ok(());
        }
        if big {
            self.u.op_arg(Op::BuildMap, 0);
        }
        for (key, value) in items {
            if let Some(key) = key {
                self.expr(key)?;
            }
            self.expr(value)?;
            if big {
                self.u.op_arg(Op::MapAdd, 1);
            }
        }
        if !big {
            self.u.op_arg(Op::BuildMap, count);
        }
        Ok(())
    }

    pub(crate) fn joined(&mut self, values: &'a [Expr]) -> Gen {
        if values.len() > STACK_USE_GUIDELINE {
            self.u.load(Constant::Str("".into()));
            self.u.op_name(Op::LoadMethod, "join".into());
            self.u.op_arg(Op::BuildList, 0);
            for value in values {
                self.expr(value)?;
                self.u.op_arg(Op::ListAppend, 1);
            }
            self.u.call(1);
            return Ok(());
        }
        self.exprs(values)?;
        if values.len() != 1 {
            self.u.op_arg(Op::BuildString, values.len());
        }
        Ok(())
    }
}
