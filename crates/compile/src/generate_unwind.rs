//! Code that leaves blocks: what `return`, `break` and `continue` do on the way out, and `with`.

use super::ast::*;
use super::generate::{Gen, Generator};
use super::unit::*;
use crate::code::{Constant, Op};

impl<'a> Generator<'a> {
    /// Emits what leaving a block needs. With `preserve`, the value on top of the stack stays.
    pub(crate) fn unwind(&mut self, frame: Frame<'a>, preserve: bool) -> Gen {
        match frame {
            Frame::WhileLoop { .. }
            | Frame::ExceptionHandler
            | Frame::GroupHandler
            | Frame::AsyncComprehension => {}
            Frame::ForLoop { .. } | Frame::PopValue => {
                self.keep_top(preserve);
                self.u.op(Op::PopTop);
            }
            Frame::TryExcept => self.u.pop_block(),
            Frame::FinallyTry(body) => {
                self.u.pop_block();
                if preserve {
                    self.push_frame(Frame::PopValue)?;
                }
                self.stmts(body)?;
                if preserve {
                    self.u.frames.pop();
                }
                self.u.unset_loc();
            }
            Frame::FinallyEnd => {
                self.keep_top(preserve);
                self.u.op(Op::PopTop);
                self.keep_top(preserve);
                self.u.pop_block();
                self.u.op(Op::PopExcept);
            }
            Frame::With { loc, is_async } => {
                self.u.loc = loc;
                self.u.pop_block();
                self.keep_top(preserve);
                self.call_exit(is_async);
                self.u.op(Op::PopTop);
                self.u.unset_loc();
            }
            Frame::HandlerCleanup(name) => {
                if name.is_some() {
                    self.u.pop_block();
                }
                self.keep_top(preserve);
                self.u.pop_block();
                self.u.op(Op::PopExcept);
                self.forget(name)?;
            }
        }
        Ok(())
    }

    fn keep_top(&mut self, preserve: bool) {
        if preserve {
            self.u.op_arg(Op::Swap, 2);
        }
    }

    /// `name = None; del name` at the end of `except … as name`.
    pub(crate) fn forget(&mut self, name: Option<&'a Name>) -> Gen {
        if let Some(name) = name {
            self.u.load(Constant::None);
            self.name(name, Ctx::Store)?;
            self.name(name, Ctx::Del)?;
        }
        Ok(())
    }

    /// Calls `__exit__(None, None, None)`.
    fn call_exit(&mut self, is_async: bool) {
        for _ in 0..3 {
            self.u.load(Constant::None);
        }
        self.u.call(2);
        if is_async {
            self.await_top(2);
        }
    }

    /// Awaits the value on top of the stack.
    pub(crate) fn await_top(&mut self, what: usize) {
        self.u.op_arg(Op::GetAwaitable, what);
        self.u.load(Constant::None);
        self.yield_from(true);
    }

    /// The loop of `yield from` and `await`.
    pub(crate) fn yield_from(&mut self, is_await: bool) {
        let [start, resume, exit] = [0; 3].map(|_| self.u.new_block());
        self.u.use_block(start);
        self.u.jump(Op::Send, exit);
        self.u.use_block(resume);
        self.u.op(Op::YieldValue);
        self.u.op_arg(Op::Resume, if is_await { 3 } else { 2 });
        self.u.jump(Op::JumpNoInterrupt, start);
        self.u.use_block(exit);
    }

    /// Leaves all blocks, from the innermost on.
    pub(crate) fn unwind_all(&mut self, preserve: bool) -> Gen {
        self.unwind_until(preserve, false).map(|_| ())
    }

    /// Leaves blocks, which are restored afterwards. Returns the innermost loop if it stops there.
    fn unwind_until(&mut self, preserve: bool, at_loop: bool) -> Gen<Option<Frame<'a>>> {
        let Some(top) = self.u.frames.last().copied() else {
            return Ok(None);
        };
        if matches!(top, Frame::GroupHandler) {
            return self
                .error("'break', 'continue' and 'return' cannot appear in an except* block");
        }
        if at_loop && matches!(top, Frame::WhileLoop { .. } | Frame::ForLoop { .. }) {
            return Ok(Some(top));
        }
        self.u.frames.pop();
        self.unwind(top, preserve)?;
        let found = self.unwind_until(preserve, at_loop)?;
        self.u.frames.push(top);
        Ok(found)
    }

    /// `break` and `continue`.
    pub(crate) fn leave_loop(&mut self, is_break: bool) -> Gen {
        let loc = self.u.loc;
        self.u.op(Op::Nop);
        let found = self.unwind_until(false, true)?;
        let Some(frame @ (Frame::WhileLoop { start, exit } | Frame::ForLoop { start, exit })) =
            found
        else {
            self.u.loc = loc;
            return self.error(if is_break {
                "'break' outside loop"
            } else {
                "'continue' not properly in loop"
            });
        };
        if is_break {
            self.unwind(frame, false)?;
        }
        self.u.jump(Op::Jump, if is_break { exit } else { start });
        Ok(())
    }

    pub(crate) fn with(
        &mut self,
        items: &'a [(Expr, Option<Expr>)],
        body: &'a [Stmt],
        is_async: bool,
        loc: Loc,
    ) -> Gen {
        let Some(((context, vars), rest)) = items.split_first() else {
            return self.stmts(body);
        };
        if is_async && self.u.kind != UnitKind::AsyncFunction && !self.is_in_body() {
            return self.error("'async with' outside async function");
        }
        let [block, last, exit, cleanup] = [0; 4].map(|_| self.u.new_block());
        self.expr(context)?;
        if is_async {
            self.u.op(Op::BeforeAsyncWith);
            self.await_top(1);
        } else {
            self.u.op(Op::BeforeWith);
        }
        self.u.jump(Act::SetupWith, last);
        self.u.use_block(block);
        self.push_frame(Frame::With { loc, is_async })?;
        match vars {
            Some(vars) => self.expr(vars)?,
            None => self.u.op(Op::PopTop),
        }
        self.with(rest, body, is_async, loc)?;
        self.u.frames.pop();
        if !is_async {
            self.u.unset_loc();
        }
        self.u.pop_block();
        self.u.loc = loc;
        self.call_exit(is_async);
        self.u.op(Op::PopTop);
        self.u.jump(Op::Jump, exit);

        self.u.use_block(last);
        self.u.jump(Act::SetupCleanup, cleanup);
        self.u.op(Op::PushExcInfo);
        self.u.op(Op::WithExceptStart);
        if is_async {
            self.await_top(2);
        }
        self.u.unset_loc();
        let suppressed = self.u.new_block();
        self.u.jump(Op::PopJumpIfTrue, suppressed);
        self.u.op_arg(Op::Reraise, 2);
        self.u.use_block(cleanup);
        self.pop_except_and_reraise();
        self.u.use_block(suppressed);
        self.u.op(Op::PopTop);
        self.u.pop_block();
        self.u.op(Op::PopExcept);
        self.u.op(Op::PopTop);
        self.u.op(Op::PopTop);
        self.u.use_block(exit);
        Ok(())
    }

    pub(crate) fn pop_except_and_reraise(&mut self) {
        self.u.op_arg(Op::Copy, 3);
        self.u.op(Op::PopExcept);
        self.u.op_arg(Op::Reraise, 1);
    }
}
