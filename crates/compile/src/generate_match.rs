//! Code of `match`.
//!
//! A pattern consumes the subject on top of the stack. Captured values wait below until the whole
//! pattern has matched. On failure, a chain of blocks pops the rest.

use super::ast::*;
use super::generate::{Gen, Generator};
use super::unit::*;
use crate::code::{Constant, Op};

/// What matching a pattern has to know of the stack.
#[derive(Default)]
pub(super) struct PatternState {
    /// Names captured so far, in the order of their values on the stack.
    pub stores: Vec<Name>,
    /// Whether an irrefutable pattern is allowed here.
    pub irrefutable: bool,
    /// Where to jump on failure: entry `n` pops `n` values.
    pub fail_pop: Vec<BlockId>,
    /// Values on top that failure pops and captures move below.
    pub on_top: usize,
}

pub(super) fn is_wildcard(pattern: &Pattern) -> bool {
    matches!(pattern.kind, PatternKind::As { name: None, .. })
}

impl<'a> Generator<'a> {
    pub(crate) fn match_(&mut self, subject: &'a Expr, cases: &'a [Case]) -> Gen {
        self.expr(subject)?;
        let end = self.u.new_block();
        let Some(last) = cases.last() else {
            return Ok(());
        };
        let has_default = is_wildcard(&last.pattern) && cases.len() > 1;
        let tested = cases.len() - usize::from(has_default);
        for (at, case) in cases[..tested].iter().enumerate() {
            let is_last = at + 1 == tested;
            self.u.loc = case.pattern.loc;
            if !is_last {
                self.u.op_arg(Op::Copy, 1);
            }
            let mut state = PatternState {
                irrefutable: case.guard.is_some() || at + 1 == cases.len(),
                ..PatternState::default()
            };
            self.pattern(&case.pattern, &mut state)?;
            for name in std::mem::take(&mut state.stores) {
                self.name(&name, Ctx::Store)?;
            }
            if let Some(guard) = &case.guard {
                self.ensure_fail_pop(&mut state, 0);
                self.jump_if(guard, state.fail_pop[0], false)?;
            }
            if !is_last {
                self.u.op(Op::PopTop);
            }
            self.stmts(&case.body)?;
            self.u.unset_loc();
            self.u.jump(Op::Jump, end);
            self.u.loc = case.pattern.loc;
            self.emit_fail_pop(&mut state);
        }
        if has_default {
            self.u.loc = last.pattern.loc;
            self.u.op(if cases.len() == 1 {
                Op::PopTop
            } else {
                Op::Nop
            });
            if let Some(guard) = &last.guard {
                self.jump_if(guard, end, false)?;
            }
            self.stmts(&last.body)?;
            self.u.unset_loc();
        }
        self.u.use_block(end);
        Ok(())
    }

    pub(crate) fn ensure_fail_pop(&mut self, state: &mut PatternState, count: usize) {
        while state.fail_pop.len() <= count {
            state.fail_pop.push(self.u.new_block());
        }
    }

    pub(crate) fn jump_to_fail(&mut self, state: &mut PatternState, op: Op) {
        let pops = state.on_top + state.stores.len();
        self.ensure_fail_pop(state, pops);
        self.u.jump(op, state.fail_pop[pops]);
    }

    pub(crate) fn emit_fail_pop(&mut self, state: &mut PatternState) {
        for (pops, block) in std::mem::take(&mut state.fail_pop)
            .into_iter()
            .enumerate()
            .rev()
        {
            self.u.use_block(block);
            if pops > 0 {
                self.u.op(Op::PopTop);
            }
        }
    }

    pub(crate) fn rotate(&mut self, count: usize) {
        for depth in (2..=count).rev() {
            self.u.op_arg(Op::Swap, depth);
        }
    }

    pub(crate) fn capture(&mut self, name: Option<&Name>, state: &mut PatternState) -> Gen {
        let Some(name) = name else {
            self.u.op(Op::PopTop);
            return Ok(());
        };
        self.forbid(name, Ctx::Store)?;
        self.check_single(name, state)?;
        self.rotate(state.on_top + state.stores.len() + 1);
        state.stores.push(name.clone());
        Ok(())
    }

    pub(crate) fn check_single(&self, name: &Name, state: &PatternState) -> Gen {
        if state.stores.contains(name) {
            return self.error(format!("multiple assignments to name '{name}' in pattern"));
        }
        Ok(())
    }

    pub(crate) fn subpattern(&mut self, pattern: &'a Pattern, state: &mut PatternState) -> Gen {
        let before = std::mem::replace(&mut state.irrefutable, true);
        self.pattern(pattern, state)?;
        state.irrefutable = before;
        Ok(())
    }

    pub(crate) fn pattern(&mut self, pattern: &'a Pattern, state: &mut PatternState) -> Gen {
        self.u.loc = pattern.loc;
        match &pattern.kind {
            PatternKind::Value(value) => {
                if !matches!(
                    value.kind,
                    ExprKind::Constant(_) | ExprKind::Attribute { .. }
                ) {
                    return self.error("patterns may only match literals and attribute lookups");
                }
                self.expr(value)?;
                self.compare_op(Cmp::Eq);
                self.jump_to_fail(state, Op::PopJumpIfFalse);
                Ok(())
            }
            PatternKind::Singleton(value) => {
                self.u.load(value.clone());
                self.compare_op(Cmp::Is);
                self.jump_to_fail(state, Op::PopJumpIfFalse);
                Ok(())
            }
            PatternKind::Sequence(patterns) => self.sequence(patterns, state),
            PatternKind::Mapping {
                keys,
                patterns,
                rest,
            } => self.mapping(keys, patterns, rest.as_ref(), state),
            PatternKind::Class {
                cls,
                patterns,
                kwd_attrs,
                kwd_patterns,
            } => self.class_pattern(pattern.loc, cls, patterns, kwd_attrs, kwd_patterns, state),
            PatternKind::Star(name) => self.capture(name.as_ref(), state),
            PatternKind::As {
                pattern: None,
                name,
            } => {
                if !state.irrefutable {
                    return self.error(match name {
                        Some(name) => {
                            format!("name capture '{name}' makes remaining patterns unreachable")
                        }
                        None => "wildcard makes remaining patterns unreachable".to_string(),
                    });
                }
                self.capture(name.as_ref(), state)
            }
            PatternKind::As {
                pattern: Some(pattern),
                name,
            } => {
                state.on_top += 1;
                self.u.op_arg(Op::Copy, 1);
                self.pattern(pattern, state)?;
                state.on_top -= 1;
                self.capture(name.as_ref(), state)
            }
            PatternKind::Or(patterns) => self.alternatives(patterns, state),
        }
    }

    pub(crate) fn sequence(&mut self, patterns: &'a [Pattern], state: &mut PatternState) -> Gen {
        let mut star = None;
        let mut star_wildcard = false;
        let mut only_wildcards = true;
        for (at, pattern) in patterns.iter().enumerate() {
            if let PatternKind::Star(name) = &pattern.kind {
                if star.is_some() {
                    return self.error("multiple starred names in sequence pattern");
                }
                star = Some(at);
                star_wildcard = name.is_none();
                only_wildcards &= star_wildcard;
            } else {
                only_wildcards &= is_wildcard(pattern);
            }
        }
        state.on_top += 1;
        self.u.op(Op::MatchSequence);
        self.jump_to_fail(state, Op::PopJumpIfFalse);
        let size = patterns.len();
        if star.is_none() {
            self.check_length(size, Cmp::Eq, state);
        } else if size > 1 {
            self.check_length(size - 1, Cmp::GtE, state);
        }
        state.on_top -= 1;
        match star {
            _ if only_wildcards => self.u.op(Op::PopTop),
            Some(star) if star_wildcard => return self.sequence_by_index(patterns, star, state),
            _ => {
                self.unpack_patterns(patterns)?;
                state.on_top += size;
                for pattern in patterns {
                    state.on_top -= 1;
                    self.subpattern(pattern, state)?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn check_length(&mut self, size: usize, op: Cmp, state: &mut PatternState) {
        self.u.op(Op::GetLen);
        self.u.load(Constant::Int(size as i64));
        self.compare_op(op);
        self.jump_to_fail(state, Op::PopJumpIfFalse);
    }

    pub(crate) fn unpack_patterns(&mut self, patterns: &'a [Pattern]) -> Gen {
        let star = patterns
            .iter()
            .position(|pattern| matches!(pattern.kind, PatternKind::Star(_)));
        let Some(at) = star else {
            self.u.op_arg(Op::UnpackSequence, patterns.len());
            return Ok(());
        };
        let after = patterns.len() - at - 1;
        if at >= 1 << 8 || after >= (i32::MAX >> 8) as usize {
            return self.error("too many expressions in star-unpacking sequence pattern");
        }
        self.u.op_arg(Op::UnpackEx, at + (after << 8));
        Ok(())
    }

    /// `[first, *_, last]`: the elements are taken by index.
    pub(crate) fn sequence_by_index(
        &mut self,
        patterns: &'a [Pattern],
        star: usize,
        state: &mut PatternState,
    ) -> Gen {
        state.on_top += 1;
        for (at, pattern) in patterns.iter().enumerate() {
            if is_wildcard(pattern) || at == star {
                continue;
            }
            self.u.op_arg(Op::Copy, 1);
            if at < star {
                self.u.load(Constant::Int(at as i64));
            } else {
                self.u.op(Op::GetLen);
                self.u.load(Constant::Int((patterns.len() - at) as i64));
                self.u.op_arg(Op::BinaryOp, Binary::Subtract as usize);
            }
            self.u.op(Op::BinarySubscr);
            self.subpattern(pattern, state)?;
        }
        state.on_top -= 1;
        self.u.op(Op::PopTop);
        Ok(())
    }

    pub(crate) fn alternatives(
        &mut self,
        patterns: &'a [Pattern],
        state: &mut PatternState,
    ) -> Gen {
        let end = self.u.new_block();
        let mut control: Vec<Name> = Vec::new();
        for (at, pattern) in patterns.iter().enumerate() {
            self.u.loc = pattern.loc;
            let mut inner = PatternState {
                irrefutable: at + 1 == patterns.len() && state.irrefutable,
                ..PatternState::default()
            };
            self.u.op_arg(Op::Copy, 1);
            self.pattern(pattern, &mut inner)?;
            if at == 0 {
                control.clone_from(&inner.stores);
            } else {
                self.reorder(&control, &mut inner.stores)?;
            }
            self.u.jump(Op::Jump, end);
            self.emit_fail_pop(&mut inner);
        }
        self.u.op(Op::PopTop);
        self.jump_to_fail(state, Op::Jump);
        self.u.use_block(end);
        let rotations = control.len() + 1 + state.on_top + state.stores.len();
        for name in control {
            self.rotate(rotations);
            self.check_single(&name, state)?;
            state.stores.push(name);
        }
        self.u.op(Op::PopTop);
        Ok(())
    }

    /// Reorders an alternative's captures as in the first alternative.
    pub(crate) fn reorder(&mut self, control: &[Name], stores: &mut Vec<Name>) -> Gen {
        let differ = "alternative patterns bind different names";
        if stores.len() != control.len() {
            return self.error(differ);
        }
        for (wanted, name) in control.iter().enumerate().rev() {
            let Some(at) = stores.iter().position(|store| store == name) else {
                return self.error(differ);
            };
            if at < wanted {
                let moved: Vec<Name> = stores.drain(..=at).collect();
                let place = wanted - at;
                stores.splice(place..place, moved);
                for _ in 0..=at {
                    self.rotate(wanted + 1);
                }
            }
        }
        Ok(())
    }
}
