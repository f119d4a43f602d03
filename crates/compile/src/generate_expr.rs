//! Code of expressions.

use super::ast::*;
use super::generate::{Gen, Generator};
use super::generate_display::Display;
use super::unit::*;
use crate::code::{Constant, Op};

impl<'a> Generator<'a> {
    pub(crate) fn exprs(&mut self, exprs: &'a [Expr]) -> Gen {
        exprs.iter().try_for_each(|expr| self.expr(expr))
    }

    pub(crate) fn expr(&mut self, expr: &'a Expr) -> Gen {
        let loc = std::mem::replace(&mut self.u.loc, expr.loc);
        self.expr_inner(expr)?;
        self.u.loc = loc;
        Ok(())
    }

    /// If an attribute's name is on another line, its instruction has that line.
    pub(crate) fn at_attribute(&mut self, attr: Loc) {
        if self.u.loc.line != attr.line {
            self.u.loc = attr;
        }
    }

    pub(crate) fn expr_inner(&mut self, expr: &'a Expr) -> Gen {
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
            ExprKind::IfExp { test, body, orelse } => self.conditional(test, body, orelse)?,
            ExprKind::Dict(items) => self.dict(items)?,
            ExprKind::Set(elts) => self.display(elts, 0, Display::Set)?,
            ExprKind::Comp(comp) => self.comp(comp, expr.loc)?,
            ExprKind::Yield(value) => self.yield_expr(value.as_deref())?,
            ExprKind::YieldFrom(value) => self.yield_from_expr(value)?,
            ExprKind::Await(value) => self.await_expr(value)?,
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
            } => self.formatted(value, *conversion, spec.as_deref())?,
            ExprKind::Attribute {
                value,
                attr,
                attr_loc,
                ctx,
            } => {
                self.expr(value)?;
                self.at_attribute(*attr_loc);
                self.attribute(attr, *ctx)?;
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
                self.slice([lower.as_deref(), upper.as_deref()], step.as_deref())?;
            }
            ExprKind::Name { id, ctx } => self.name(id, *ctx)?,
            ExprKind::List { elts, ctx } => self.elements(elts, *ctx, Display::List)?,
            ExprKind::Tuple { elts, ctx } => self.elements(elts, *ctx, Display::Tuple)?,
        }
        Ok(())
    }

    /// Compiles `body if test else orelse`.
    fn conditional(&mut self, test: &'a Expr, body: &'a Expr, orelse: &'a Expr) -> Gen {
        let [end, next] = [0; 2].map(|_| self.u.new_block());
        self.jump_if(test, next, false)?;
        self.expr(body)?;
        self.u.jump_without_line(end);
        self.u.use_block(next);
        self.expr(orelse)?;
        self.u.use_block(end);
        Ok(())
    }

    /// Compiles an expression, or `None` if it is left out.
    fn expr_or_none(&mut self, expr: Option<&'a Expr>) -> Gen {
        match expr {
            Some(expr) => self.expr(expr)?,
            None => self.u.load(Constant::None),
        }
        Ok(())
    }

    /// Compiles `yield`, with or without a value.
    fn yield_expr(&mut self, value: Option<&'a Expr>) -> Gen {
        self.in_function("'yield' outside function")?;
        self.expr_or_none(value)?;
        self.yield_value();
        Ok(())
    }

    /// Compiles `yield from`, which async functions may not contain.
    fn yield_from_expr(&mut self, value: &'a Expr) -> Gen {
        self.in_function("'yield' outside function")?;
        if self.u.kind == UnitKind::AsyncFunction {
            return self.error("'yield from' inside async function");
        }
        self.expr(value)?;
        self.u.op(Op::GetYieldFromIter);
        self.u.load(Constant::None);
        self.yield_from(false);
        Ok(())
    }

    /// Compiles `await`, which only async functions, comprehensions and cut-out bodies may contain.
    fn await_expr(&mut self, value: &'a Expr) -> Gen {
        let is_in_body = self.is_in_body();
        if !is_in_body {
            self.in_function("'await' outside function")?;
        }
        let is_async = matches!(
            self.u.kind,
            UnitKind::AsyncFunction | UnitKind::Comprehension
        );
        if !is_async && !is_in_body {
            return self.error("'await' outside async function");
        }
        self.expr(value)?;
        self.await_top(0);
        Ok(())
    }

    /// Compiles one replacement field of an f-string.
    fn formatted(&mut self, value: &'a Expr, conversion: u32, spec: Option<&'a Expr>) -> Gen {
        self.expr(value)?;
        let mut arg = conversion as usize;
        if let Some(spec) = spec {
            self.expr(spec)?;
            arg |= 4;
        }
        self.u.op_arg(Op::FormatValue, arg);
        Ok(())
    }

    /// Loads, stores or deletes an attribute of the object on the stack.
    fn attribute(&mut self, attr: &Name, ctx: Ctx) -> Gen {
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
        Ok(())
    }

    /// Compiles a slice: both bounds, and the step if there is one.
    fn slice(&mut self, bounds: [Option<&'a Expr>; 2], step: Option<&'a Expr>) -> Gen {
        for bound in bounds {
            self.expr_or_none(bound)?;
        }
        if let Some(step) = step {
            self.expr(step)?;
        }
        let count = if step.is_some() { 3 } else { 2 };
        self.u.op_arg(Op::BuildSlice, count);
        Ok(())
    }

    /// Compiles a list or tuple, or the targets written as one.
    fn elements(&mut self, elts: &'a [Expr], ctx: Ctx, display: Display) -> Gen {
        match ctx {
            Ctx::Load => self.display(elts, 0, display),
            Ctx::Store => self.unpack(elts),
            Ctx::Del => self.exprs(elts),
        }
    }

    /// Whether this is the top of a function's body that was cut out.
    pub(crate) fn is_in_body(&self) -> bool {
        self.is_body && self.u.kind == UnitKind::Module
    }

    pub(crate) fn in_function(&self, message: &str) -> Gen {
        if self.scope().kind == super::symbols::ScopeKind::Function {
            Ok(())
        } else {
            self.error(message)
        }
    }

    pub(crate) fn yield_value(&mut self) {
        if self.scope().generator && self.scope().coroutine {
            self.u.op(Op::AsyncGenWrap);
        }
        self.u.op(Op::YieldValue);
        self.u.op_arg(Op::Resume, 1);
    }

    pub(crate) fn bool_op(&mut self, or: bool, values: &'a [Expr]) -> Gen {
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

    pub(crate) fn compare_op(&mut self, op: Cmp) {
        match op {
            Cmp::Is => self.u.op_arg(Op::IsOp, 0),
            Cmp::IsNot => self.u.op_arg(Op::IsOp, 1),
            Cmp::In => self.u.op_arg(Op::ContainsOp, 0),
            Cmp::NotIn => self.u.op_arg(Op::ContainsOp, 1),
            op => self.u.op_arg(Op::CompareOp, op as usize),
        }
    }

    /// The comparisons of a chain except the last. A false one jumps to `cleanup`.
    pub(crate) fn chain(
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

    pub(crate) fn compare(&mut self, left: &'a Expr, ops: &[Cmp], comparators: &'a [Expr]) -> Gen {
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
    pub(crate) fn jump_if(&mut self, expr: &'a Expr, next: BlockId, cond: bool) -> Gen {
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
}
