//! Code of statements.

use super::CompileError;
use super::ast::*;
use super::symbols::{Kind, Scope, ScopeKind, mangle};
use super::unit::*;
use crate::code::{Constant, Op};

pub(super) type Gen<T = ()> = Result<T, CompileError>;

/// Makes code of a tree: a stack of units, the innermost last.
pub(super) struct Generator<'a> {
    pub scopes: &'a [Scope],
    pub outer: Vec<Unit<'a>>,
    pub u: Unit<'a>,
    /// Line of the last `from __future__ import`.
    pub future_line: i32,
    /// Whether the module is a function body that was cut out: `return` and `await` are then allowed at its top.
    pub is_body: bool,
}

/// Maximum instructions of one unit.
const MOST_INSTRUCTIONS: usize = 1_000_000;

impl<'a> Generator<'a> {
    pub(crate) fn scope(&self) -> &'a Scope {
        &self.scopes[self.u.scope]
    }

    pub(crate) fn error<T>(&self, message: impl Into<String>) -> Gen<T> {
        Err(CompileError::at(self.u.loc, message))
    }

    pub(crate) fn mangled(&self, name: &Name) -> Name {
        mangle(self.u.class.as_deref(), name)
    }

    pub(crate) fn forbid(&self, name: &str, ctx: Ctx) -> Gen {
        match ctx {
            Ctx::Store if name == "__debug__" => self.error("cannot assign to __debug__"),
            Ctx::Del if name == "__debug__" => self.error("cannot delete __debug__"),
            _ => Ok(()),
        }
    }

    /// Loads, stores or deletes a name.
    pub(crate) fn name(&mut self, name: &Name, ctx: Ctx) -> Gen {
        self.forbid(name, ctx)?;
        let mangled = self.mangled(name);
        let scope = self.scope();
        let in_function = scope.kind == ScopeKind::Function;
        let choose = |ops: [Op; 3]| match ctx {
            Ctx::Load => ops[0],
            Ctx::Store => ops[1],
            Ctx::Del => ops[2],
        };
        match scope.kind_of(&mangled) {
            kind @ (Kind::Free | Kind::Cell) => {
                let load = if scope.kind == ScopeKind::Class {
                    Op::LoadClassderef
                } else {
                    Op::LoadDeref
                };
                let op = choose([load, Op::StoreDeref, Op::DeleteDeref]);
                let index = self.deref(&mangled, kind == Kind::Cell);
                self.u.op_arg(op, index);
            }
            Kind::Local if in_function => {
                let (index, _) = self.u.var_names.insert_full(mangled);
                self.u
                    .op_arg(choose([Op::LoadFast, Op::StoreFast, Op::DeleteFast]), index);
            }
            kind if kind == Kind::GlobalExplicit
                || (kind == Kind::GlobalImplicit && in_function) =>
            {
                let op = choose([Op::LoadGlobal, Op::StoreGlobal, Op::DeleteGlobal]);
                let (index, _) = self.u.names.insert_full(mangled);
                self.u
                    .op_arg(op, if ctx == Ctx::Load { index << 1 } else { index });
            }
            _ => self.u.op_name(
                choose([Op::LoadName, Op::StoreName, Op::DeleteName]),
                mangled,
            ),
        }
        Ok(())
    }

    /// Index of a cell or free name.
    pub(crate) fn deref(&mut self, name: &Name, is_cell: bool) -> usize {
        let unit = &mut self.u;
        if is_cell {
            return unit.cells.get_index_of(name).unwrap_or_default();
        }
        unit.cells.len() + unit.frees.get_index_of(name).unwrap_or_default()
    }

    pub(crate) fn push_frame(&mut self, frame: Frame<'a>) -> Gen {
        if self.u.frames.len() >= 20 {
            return self.error("too many statically nested blocks");
        }
        self.u.frames.push(frame);
        Ok(())
    }

    pub(crate) fn stmts(&mut self, body: &'a [Stmt]) -> Gen {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    pub(crate) fn stmt(&mut self, stmt: &'a Stmt) -> Gen {
        self.u.loc = stmt.loc;
        if self.u.pushed > MOST_INSTRUCTIONS {
            return self.error(super::TOO_MUCH);
        }
        match &stmt.kind {
            StmtKind::Function(def) => self.function(def, stmt.loc),
            StmtKind::Class(def) => self.class(def, stmt.loc),
            StmtKind::Return(value) => self.return_(value.as_ref(), stmt.loc),
            StmtKind::Delete(targets) => self.exprs(targets),
            StmtKind::Assign { targets, value } => {
                self.expr(value)?;
                for (at, target) in targets.iter().enumerate() {
                    if at + 1 < targets.len() {
                        self.u.op_arg(Op::Copy, 1);
                    }
                    self.expr(target)?;
                }
                Ok(())
            }
            StmtKind::AugAssign { target, op, value } => self.aug_assign(target, *op, value),
            StmtKind::AnnAssign {
                target,
                annotation,
                value,
                simple,
            } => self.ann_assign(target, annotation, value.as_ref(), *simple),
            StmtKind::For {
                target,
                iter,
                body,
                orelse,
                is_async: false,
            } => self.for_(target, iter, body, orelse),
            StmtKind::For {
                target,
                iter,
                body,
                orelse,
                is_async: true,
            } => self.async_for(target, iter, body, orelse),
            StmtKind::While { test, body, orelse } => self.while_(test, body, orelse, stmt.loc),
            StmtKind::If { test, body, orelse } => self.if_(test, body, orelse),
            StmtKind::With {
                items,
                body,
                is_async,
            } => self.with(items, body, *is_async, stmt.loc),
            StmtKind::Match { subject, cases } => self.match_(subject, cases),
            StmtKind::Raise { exc, cause } => {
                let mut count = 0;
                if let Some(exc) = exc {
                    self.expr(exc)?;
                    count += 1;
                    if let Some(cause) = cause {
                        self.expr(cause)?;
                        count += 1;
                    }
                }
                self.u.op_arg(Op::RaiseVarargs, count);
                Ok(())
            }
            StmtKind::Try(node) => self.try_(node),
            StmtKind::Assert { test, msg } => self.assert(test, msg.as_ref()),
            StmtKind::Import(names) => self.import(names),
            StmtKind::ImportFrom {
                module,
                names,
                level,
            } => self.import_from(module.as_ref(), names, *level, stmt.loc),
            StmtKind::Global(_) | StmtKind::Nonlocal(_) => Ok(()),
            StmtKind::Expr(value) => {
                if value.constant().is_some() {
                    self.u.op(Op::Nop);
                    return Ok(());
                }
                self.expr(value)?;
                self.u.unset_loc();
                self.u.op(Op::PopTop);
                Ok(())
            }
            StmtKind::Pass => {
                self.u.op(Op::Nop);
                Ok(())
            }
            StmtKind::Break => self.leave_loop(true),
            StmtKind::Continue => self.leave_loop(false),
        }
    }

    fn return_(&mut self, value: Option<&'a Expr>, loc: Loc) -> Gen {
        let scope = self.scope();
        if scope.kind != ScopeKind::Function && !self.is_in_body() {
            return self.error("'return' outside function");
        }
        if value.is_some() && scope.coroutine && scope.generator {
            return self.error("'return' with value in async generator");
        }
        let constant = value.and_then(Expr::constant);
        let preserve = value.is_some() && constant.is_none();
        if let Some(value) = value {
            if preserve {
                self.expr(value)?;
            } else {
                self.u.loc = value.loc;
                self.u.op(Op::Nop);
            }
        }
        if value.is_none_or(|value| value.loc.line != loc.line) {
            self.u.loc = loc;
            self.u.op(Op::Nop);
        }
        self.unwind_all(preserve)?;
        if !preserve {
            self.u.load(constant.cloned().unwrap_or(Constant::None));
        }
        self.u.op(Op::ReturnValue);
        Ok(())
    }

    fn if_(&mut self, test: &'a Expr, body: &'a [Stmt], orelse: &'a [Stmt]) -> Gen {
        let end = self.u.new_block();
        let next = if orelse.is_empty() {
            end
        } else {
            self.u.new_block()
        };
        self.jump_if(test, next, false)?;
        self.stmts(body)?;
        if !orelse.is_empty() {
            self.u.jump_without_line(end);
            self.u.use_block(next);
            self.stmts(orelse)?;
        }
        self.u.use_block(end);
        Ok(())
    }

    fn for_(
        &mut self,
        target: &'a Expr,
        iter: &'a Expr,
        body: &'a [Stmt],
        orelse: &'a [Stmt],
    ) -> Gen {
        let [start, inner, cleanup, end] = [0; 4].map(|_| self.u.new_block());
        self.push_frame(Frame::ForLoop { start, exit: end })?;
        self.expr(iter)?;
        self.u.op(Op::GetIter);
        self.u.use_block(start);
        self.u.jump(Op::ForIter, cleanup);
        self.u.use_block(inner);
        self.expr(target)?;
        self.stmts(body)?;
        self.u.unset_loc();
        self.u.jump(Op::Jump, start);
        self.u.use_block(cleanup);
        self.u.frames.pop();
        self.stmts(orelse)?;
        self.u.use_block(end);
        Ok(())
    }

    fn async_for(
        &mut self,
        target: &'a Expr,
        iter: &'a Expr,
        body: &'a [Stmt],
        orelse: &'a [Stmt],
    ) -> Gen {
        if self.u.kind != UnitKind::AsyncFunction && !self.is_in_body() {
            return self.error("'async for' outside async function");
        }
        let [start, except, end] = [0; 3].map(|_| self.u.new_block());
        self.expr(iter)?;
        self.u.op(Op::GetAiter);
        self.u.use_block(start);
        self.push_frame(Frame::ForLoop { start, exit: end })?;
        self.u.jump(Act::SetupFinally, except);
        self.u.op(Op::GetAnext);
        self.u.load(Constant::None);
        self.yield_from(true);
        self.u.pop_block();
        self.expr(target)?;
        self.stmts(body)?;
        self.u.unset_loc();
        self.u.jump(Op::Jump, start);
        self.u.frames.pop();
        self.u.use_block(except);
        self.u.loc = iter.loc;
        self.u.op(Op::EndAsyncFor);
        self.stmts(orelse)?;
        self.u.use_block(end);
        Ok(())
    }

    fn while_(&mut self, test: &'a Expr, body: &'a [Stmt], orelse: &'a [Stmt], loc: Loc) -> Gen {
        let [start, inner, anchor, end] = [0; 4].map(|_| self.u.new_block());
        self.u.use_block(start);
        self.push_frame(Frame::WhileLoop { start, exit: end })?;
        self.jump_if(test, anchor, false)?;
        self.u.use_block(inner);
        self.stmts(body)?;
        self.u.loc = loc;
        self.jump_if(test, inner, true)?;
        self.u.frames.pop();
        self.u.use_block(anchor);
        self.stmts(orelse)?;
        self.u.use_block(end);
        Ok(())
    }

    fn assert(&mut self, test: &'a Expr, msg: Option<&'a Expr>) -> Gen {
        let end = self.u.new_block();
        self.jump_if(test, end, true)?;
        self.u.op(Op::LoadAssertionError);
        if let Some(msg) = msg {
            self.expr(msg)?;
            self.u.call(0);
        }
        self.u.op_arg(Op::RaiseVarargs, 1);
        self.u.use_block(end);
        Ok(())
    }

    fn aug_assign(&mut self, target: &'a Expr, op: Binary, value: &'a Expr) -> Gen {
        let loc = self.u.loc;
        self.u.loc = target.loc;
        match &target.kind {
            ExprKind::Attribute {
                value,
                attr,
                attr_loc,
                ..
            } => {
                self.expr(value)?;
                self.u.op_arg(Op::Copy, 1);
                self.at_attribute(*attr_loc);
                let name = self.mangled(attr);
                self.u.op_name(Op::LoadAttr, name);
            }
            ExprKind::Subscript { value, slice, .. } => {
                self.expr(value)?;
                self.expr(slice)?;
                self.u.op_arg(Op::Copy, 2);
                self.u.op_arg(Op::Copy, 2);
                self.u.op(Op::BinarySubscr);
            }
            ExprKind::Name { id, .. } => self.name(id, Ctx::Load)?,
            _ => return self.error("illegal expression for augmented assignment"),
        }
        self.u.loc = loc;
        self.expr(value)?;
        self.u.op_arg(Op::BinaryOp, op as usize + 13);
        self.u.loc = target.loc;
        match &target.kind {
            ExprKind::Attribute { attr, attr_loc, .. } => {
                self.at_attribute(*attr_loc);
                self.u.op_arg(Op::Swap, 2);
                let name = self.mangled(attr);
                self.u.op_name(Op::StoreAttr, name);
            }
            ExprKind::Subscript { .. } => {
                self.u.op_arg(Op::Swap, 3);
                self.u.op_arg(Op::Swap, 2);
                self.u.op(Op::StoreSubscr);
            }
            ExprKind::Name { id, .. } => self.name(id, Ctx::Store)?,
            _ => {}
        }
        Ok(())
    }
}
