//! Code of expressions.

use super::ast::*;
use super::generate::{Gen, Generator};
use super::unit::*;
use crate::code::{Constant, Op};

/// Displays of more elements than this are built one by one.
pub(super) const STACK_USE_GUIDELINE: usize = 30;

/// Which display is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Display {
    List,
    Tuple,
    Set,
}

impl<'a> Generator<'a> {
    pub fn exprs(&mut self, exprs: &'a [Expr]) -> Gen {
        exprs.iter().try_for_each(|expr| self.expr(expr))
    }

    pub fn expr(&mut self, expr: &'a Expr) -> Gen {
        let loc = std::mem::replace(&mut self.u.loc, expr.loc);
        self.expr_inner(expr)?;
        self.u.loc = loc;
        Ok(())
    }

    /// Where an attribute's name stands on a line of its own, its instruction has that line.
    pub fn at_attribute(&mut self, attr: Loc) {
        if self.u.loc.line != attr.line {
            self.u.loc = attr;
        }
    }

    fn expr_inner(&mut self, expr: &'a Expr) -> Gen {
        match &expr.kind {
            ExprKind::Named { target, value } => {
                self.expr(value)?;
                self.u.op_arg(Op::Copy, 1);
                self.expr(target)?;
            }
            ExprKind::BoolOp { or, values } => self.bool_op(*or, values)?,
            ExprKind::BinOp { left, op, right } => {
                self.expr(left)?;
                self.expr(right)?;
                self.u.op_arg(Op::BinaryOp, *op as usize);
            }
            ExprKind::UnaryOp { op, operand } => {
                self.expr(operand)?;
                self.u.op(match op {
                    Unary::Invert => Op::UnaryInvert,
                    Unary::Not => Op::UnaryNot,
                    Unary::Plus => Op::UnaryPositive,
                    Unary::Minus => Op::UnaryNegative,
                });
            }
            ExprKind::Lambda(lambda) => self.lambda(lambda, expr.loc)?,
            ExprKind::IfExp { test, body, orelse } => {
                let [end, next] = [0; 2].map(|_| self.u.new_block());
                self.jump_if(test, next, false)?;
                self.expr(body)?;
                self.u.jump_without_line(end);
                self.u.use_block(next);
                self.expr(orelse)?;
                self.u.use_block(end);
            }
            ExprKind::Dict(items) => self.dict(items)?,
            ExprKind::Set(elts) => self.display(elts, 0, Display::Set)?,
            ExprKind::Comp(comp) => self.comp(comp, expr.loc)?,
            ExprKind::Yield(value) => {
                self.in_function("'yield' outside function")?;
                match value {
                    Some(value) => self.expr(value)?,
                    None => self.u.load(Constant::None),
                }
                self.yield_value();
            }
            ExprKind::YieldFrom(value) => {
                self.in_function("'yield' outside function")?;
                if self.u.kind == UnitKind::AsyncFunction {
                    return self.error("'yield from' inside async function");
                }
                self.expr(value)?;
                self.u.op(Op::GetYieldFromIter);
                self.u.load(Constant::None);
                self.yield_from(false);
            }
            ExprKind::Await(value) => {
                self.in_function("'await' outside function")?;
                if !matches!(
                    self.u.kind,
                    UnitKind::AsyncFunction | UnitKind::Comprehension
                ) {
                    return self.error("'await' outside async function");
                }
                self.expr(value)?;
                self.await_top(0);
            }
            ExprKind::Compare {
                left,
                ops,
                comparators,
            } => self.compare(left, ops, comparators)?,
            ExprKind::Call {
                func,
                args,
                keywords,
            } => self.call(expr, func, args, keywords)?,
            ExprKind::Constant(value) => self.u.load(value.clone()),
            ExprKind::Joined(values) => self.joined(values)?,
            ExprKind::Formatted {
                value,
                conversion,
                spec,
            } => {
                self.expr(value)?;
                let mut arg = *conversion as usize;
                if let Some(spec) = spec {
                    self.expr(spec)?;
                    arg |= 4;
                }
                self.u.op_arg(Op::FormatValue, arg);
            }
            ExprKind::Attribute {
                value,
                attr,
                attr_loc,
                ctx,
            } => {
                self.expr(value)?;
                self.at_attribute(*attr_loc);
                let op = match ctx {
                    Ctx::Load => Op::LoadAttr,
                    Ctx::Store => {
                        self.forbid(attr, Ctx::Store)?;
                        Op::StoreAttr
                    }
                    Ctx::Del => Op::DeleteAttr,
                };
                let name = self.mangled(attr);
                self.u.op_name(op, name);
            }
            ExprKind::Subscript { value, slice, ctx } => {
                self.expr(value)?;
                self.expr(slice)?;
                self.u.op(match ctx {
                    Ctx::Load => Op::BinarySubscr,
                    Ctx::Store => Op::StoreSubscr,
                    Ctx::Del => Op::DeleteSubscr,
                });
            }
            ExprKind::Starred {
                ctx: Ctx::Store, ..
            } => {
                return self.error("starred assignment target must be in a list or tuple");
            }
            ExprKind::Starred { .. } => return self.error("can't use starred expression here"),
            ExprKind::Slice { lower, upper, step } => {
                for bound in [lower, upper] {
                    match bound {
                        Some(bound) => self.expr(bound)?,
                        None => self.u.load(Constant::None),
                    }
                }
                if let Some(step) = step {
                    self.expr(step)?;
                }
                self.u
                    .op_arg(Op::BuildSlice, if step.is_some() { 3 } else { 2 });
            }
            ExprKind::Name { id, ctx } => self.name(id, *ctx)?,
            ExprKind::List {
                elts,
                ctx: Ctx::Load,
            } => self.display(elts, 0, Display::List)?,
            ExprKind::Tuple {
                elts,
                ctx: Ctx::Load,
            } => self.display(elts, 0, Display::Tuple)?,
            ExprKind::List {
                elts,
                ctx: Ctx::Store,
            }
            | ExprKind::Tuple {
                elts,
                ctx: Ctx::Store,
            } => self.unpack(elts)?,
            ExprKind::List {
                elts,
                ctx: Ctx::Del,
            }
            | ExprKind::Tuple {
                elts,
                ctx: Ctx::Del,
            } => {
                self.exprs(elts)?;
            }
        }
        Ok(())
    }

    fn in_function(&self, message: &str) -> Gen {
        if self.scope().kind == super::symbols::ScopeKind::Function {
            Ok(())
        } else {
            self.error(message)
        }
    }

    pub fn yield_value(&mut self) {
        if self.scope().generator && self.scope().coroutine {
            self.u.op(Op::AsyncGenWrap);
        }
        self.u.op(Op::YieldValue);
        self.u.op_arg(Op::Resume, 1);
    }

    fn bool_op(&mut self, or: bool, values: &'a [Expr]) -> Gen {
        let op = if or {
            Op::JumpIfTrueOrPop
        } else {
            Op::JumpIfFalseOrPop
        };
        let end = self.u.new_block();
        for (at, value) in values.iter().enumerate() {
            self.expr(value)?;
            if at + 1 < values.len() {
                self.u.jump(op, end);
                let next = self.u.new_block();
                self.u.use_block(next);
            }
        }
        self.u.use_block(end);
        Ok(())
    }

    pub fn compare_op(&mut self, op: Cmp) {
        match op {
            Cmp::Is => self.u.op_arg(Op::IsOp, 0),
            Cmp::IsNot => self.u.op_arg(Op::IsOp, 1),
            Cmp::In => self.u.op_arg(Op::ContainsOp, 0),
            Cmp::NotIn => self.u.op_arg(Op::ContainsOp, 1),
            op => self.u.op_arg(Op::CompareOp, op as usize),
        }
    }

    /// The comparisons of a chain but for the last; where one fails, it jumps to `cleanup`.
    fn chain(
        &mut self,
        left: &'a Expr,
        ops: &[Cmp],
        comparators: &'a [Expr],
        jump: Op,
        cleanup: BlockId,
    ) -> Gen {
        self.expr(left)?;
        let last = ops.len() - 1;
        for (op, comparator) in ops[..last].iter().zip(comparators) {
            self.expr(comparator)?;
            self.u.op_arg(Op::Swap, 2);
            self.u.op_arg(Op::Copy, 2);
            self.compare_op(*op);
            self.u.jump(jump, cleanup);
        }
        self.expr(&comparators[last])?;
        self.compare_op(ops[last]);
        Ok(())
    }

    fn compare(&mut self, left: &'a Expr, ops: &[Cmp], comparators: &'a [Expr]) -> Gen {
        if ops.len() == 1 {
            return self.chain(left, ops, comparators, Op::Nop, 0);
        }
        let cleanup = self.u.new_block();
        self.chain(left, ops, comparators, Op::JumpIfFalseOrPop, cleanup)?;
        let end = self.u.new_block();
        self.u.jump_without_line(end);
        self.u.use_block(cleanup);
        self.u.op_arg(Op::Swap, 2);
        self.u.op(Op::PopTop);
        self.u.use_block(end);
        Ok(())
    }

    /// Jumps to `next` if the truth of the expression is `cond`.
    pub fn jump_if(&mut self, expr: &'a Expr, next: BlockId, cond: bool) -> Gen {
        let jump = if cond {
            Op::PopJumpIfTrue
        } else {
            Op::PopJumpIfFalse
        };
        match &expr.kind {
            ExprKind::UnaryOp {
                op: Unary::Not,
                operand,
            } => {
                return self.jump_if(operand, next, !cond);
            }
            ExprKind::BoolOp { or, values } => {
                let Some((last, rest)) = values.split_last() else {
                    return Ok(());
                };
                let inner = if *or != cond {
                    self.u.new_block()
                } else {
                    next
                };
                for value in rest {
                    self.jump_if(value, inner, *or)?;
                }
                self.jump_if(last, next, cond)?;
                if inner != next {
                    self.u.use_block(inner);
                }
                return Ok(());
            }
            ExprKind::IfExp { test, body, orelse } => {
                let [end, other] = [0; 2].map(|_| self.u.new_block());
                self.jump_if(test, other, false)?;
                self.jump_if(body, next, cond)?;
                self.u.jump_without_line(end);
                self.u.use_block(other);
                self.jump_if(orelse, next, cond)?;
                self.u.use_block(end);
                return Ok(());
            }
            ExprKind::Compare {
                left,
                ops,
                comparators,
            } => {
                self.u.loc = expr.loc;
                if ops.len() > 1 {
                    let cleanup = self.u.new_block();
                    self.chain(left, ops, comparators, Op::PopJumpIfFalse, cleanup)?;
                    self.u.jump(jump, next);
                    let end = self.u.new_block();
                    self.u.jump_without_line(end);
                    self.u.use_block(cleanup);
                    self.u.op(Op::PopTop);
                    if !cond {
                        self.u.jump_without_line(next);
                    }
                    self.u.use_block(end);
                    return Ok(());
                }
            }
            _ => {}
        }
        self.expr(expr)?;
        self.u.jump(jump, next);
        Ok(())
    }

    /// A list, tuple or set, `pushed` elements of which are on the stack already.
    pub fn display(&mut self, elts: &'a [Expr], pushed: usize, display: Display) -> Gen {
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
    fn unpack(&mut self, elts: &'a [Expr]) -> Gen {
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

    fn dict(&mut self, items: &'a [(Option<Expr>, Expr)]) -> Gen {
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

    fn dict_part(&mut self, items: &'a [(Option<Expr>, Expr)]) -> Gen {
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

    fn joined(&mut self, values: &'a [Expr]) -> Gen {
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
