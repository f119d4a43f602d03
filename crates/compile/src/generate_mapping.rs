//! Code of patterns of classes and mappings.

use super::ast::*;
use super::generate::{Gen, Generator};
use super::generate_match::{PatternState, is_wildcard};
use super::{fold, repr};
use crate::code::{Constant, Op};

impl<'a> Generator<'a> {
    pub(crate) fn class_pattern(
        &mut self,
        loc: Loc,
        cls: &'a Expr,
        patterns: &'a [Pattern],
        kwd_attrs: &'a [Name],
        kwd_patterns: &'a [Pattern],
        state: &mut PatternState,
    ) -> Gen {
        for (at, attr) in kwd_attrs.iter().enumerate() {
            self.u.loc = kwd_patterns[at].loc;
            self.forbid(attr, Ctx::Store)?;
            if let Some(other) = kwd_attrs[at + 1..].iter().position(|other| other == attr) {
                self.u.loc = kwd_patterns[at + 1 + other].loc;
                return self.error(format!("attribute name repeated in class pattern: {attr}"));
            }
        }
        self.u.loc = loc;
        self.expr(cls)?;
        let names: Vec<Constant> = kwd_attrs.iter().cloned().map(Constant::Str).collect();
        self.u.load(Constant::Tuple(names.into()));
        self.u.op_arg(Op::MatchClass, patterns.len());
        self.check_not_none();
        state.on_top += 1;
        self.jump_to_fail(state, Op::PopJumpIfFalse);
        let count = patterns.len() + kwd_patterns.len();
        self.u.op_arg(Op::UnpackSequence, count);
        state.on_top = state.on_top + count - 1;
        for pattern in patterns.iter().chain(kwd_patterns) {
            state.on_top -= 1;
            if is_wildcard(pattern) {
                self.u.op(Op::PopTop);
            } else {
                self.subpattern(pattern, state)?;
            }
        }
        Ok(())
    }

    pub(crate) fn check_not_none(&mut self) {
        self.u.op_arg(Op::Copy, 1);
        self.u.load(Constant::None);
        self.u.op_arg(Op::IsOp, 1);
    }

    pub(crate) fn mapping(
        &mut self,
        keys: &'a [Expr],
        patterns: &'a [Pattern],
        rest: Option<&'a Name>,
        state: &mut PatternState,
    ) -> Gen {
        state.on_top += 1;
        self.u.op(Op::MatchMapping);
        self.jump_to_fail(state, Op::PopJumpIfFalse);
        let size = keys.len();
        if size == 0 && rest.is_none() {
            state.on_top -= 1;
            self.u.op(Op::PopTop);
            return Ok(());
        }
        if size > 0 {
            self.check_length(size, Cmp::GtE, state);
        }
        let mut seen: Vec<&Constant> = Vec::new();
        for key in keys {
            match &key.kind {
                ExprKind::Constant(value) => {
                    if seen.iter().any(|known| fold::equal(known, value)) {
                        let text = repr::constant(value);
                        let message = format!("mapping pattern checks duplicate key ({text})");
                        return self.error(message);
                    }
                    seen.push(value);
                }
                ExprKind::Attribute { .. } => {}
                _ => {
                    return self.error(
                        "mapping pattern keys may only match literals and attribute lookups",
                    );
                }
            }
            self.expr(key)?;
        }
        self.u.op_arg(Op::BuildTuple, size);
        self.u.op(Op::MatchKeys);
        state.on_top += 2;
        self.check_not_none();
        self.jump_to_fail(state, Op::PopJumpIfFalse);
        self.u.op_arg(Op::UnpackSequence, size);
        state.on_top = state.on_top + size - 1;
        for pattern in patterns {
            state.on_top -= 1;
            self.subpattern(pattern, state)?;
        }
        state.on_top -= 2;
        let Some(rest) = rest else {
            self.u.op(Op::PopTop);
            self.u.op(Op::PopTop);
            return Ok(());
        };
        self.u.op_arg(Op::BuildMap, 0);
        self.u.op_arg(Op::Swap, 3);
        self.u.op_arg(Op::DictUpdate, 2);
        self.u.op_arg(Op::UnpackSequence, size);
        for left in (1..=size).rev() {
            self.u.op_arg(Op::Copy, 1 + left);
            self.u.op_arg(Op::Swap, 2);
            self.u.op(Op::DeleteSubscr);
        }
        self.capture(Some(rest), state)
    }
}
