//! Code of `try`.

use super::ast::*;
use super::generate::{Gen, Generator};
use super::unit::*;
use crate::code::Op;

impl<'a> Generator<'a> {
    pub(crate) fn try_(&mut self, node: &'a Try) -> Gen {
        if node.finalbody.is_empty() {
            return self.try_handlers(node);
        }
        let [body, end, exit, cleanup] = [0; 4].map(|_| self.u.new_block());
        self.u.jump(Act::SetupFinally, end);
        self.u.use_block(body);
        self.push_frame(Frame::FinallyTry(&node.finalbody))?;
        if node.handlers.is_empty() {
            self.stmts(&node.body)?;
        } else {
            self.try_handlers(node)?;
        }
        self.u.push(Act::PopBlock, 0, 0, -1);
        self.u.frames.pop();
        self.stmts(&node.finalbody)?;
        self.u.jump_without_line(exit);

        self.u.use_block(end);
        self.u.unset_loc();
        self.u.jump(Act::SetupCleanup, cleanup);
        self.u.op(Op::PushExcInfo);
        self.push_frame(Frame::FinallyEnd)?;
        self.stmts(&node.finalbody)?;
        self.u.frames.pop();
        self.u.op_arg(Op::Reraise, 0);
        self.u.use_block(cleanup);
        self.pop_except_and_reraise();
        self.u.use_block(exit);
        Ok(())
    }

    fn try_handlers(&mut self, node: &'a Try) -> Gen {
        if node.is_star {
            self.try_star(node)
        } else {
            self.try_except(node)
        }
    }

    fn try_except(&mut self, node: &'a Try) -> Gen {
        let [body, mut except, end, cleanup] = [0; 4].map(|_| self.u.new_block());
        self.u.jump(Act::SetupFinally, except);
        self.u.use_block(body);
        self.push_frame(Frame::TryExcept)?;
        self.stmts(&node.body)?;
        self.u.frames.pop();
        self.u.push(Act::PopBlock, 0, 0, -1);
        self.stmts(&node.orelse)?;
        self.u.jump_without_line(end);
        self.u.use_block(except);
        self.u.unset_loc();
        self.u.jump(Act::SetupCleanup, cleanup);
        self.u.op(Op::PushExcInfo);
        self.push_frame(Frame::ExceptionHandler)?;
        for (at, handler) in node.handlers.iter().enumerate() {
            self.u.loc = handler.loc;
            if handler.kind.is_none() && at + 1 < node.handlers.len() {
                return self.error("default 'except:' must be last");
            }
            except = self.u.new_block();
            if let Some(kind) = &handler.kind {
                self.expr(kind)?;
                self.u.op(Op::CheckExcMatch);
                self.u.jump(Op::PopJumpIfFalse, except);
            }
            self.handler(handler, end)?;
            self.u.use_block(except);
        }
        self.u.unset_loc();
        self.u.frames.pop();
        self.u.op_arg(Op::Reraise, 0);
        self.u.use_block(cleanup);
        self.pop_except_and_reraise();
        self.u.use_block(end);
        Ok(())
    }

    fn handler(&mut self, handler: &'a Handler, end: BlockId) -> Gen {
        let name = handler.name.as_ref();
        let Some(stored) = name else {
            let body = self.u.new_block();
            self.u.op(Op::PopTop);
            self.u.use_block(body);
            self.push_frame(Frame::HandlerCleanup(None))?;
            self.stmts(&handler.body)?;
            self.u.frames.pop();
            self.u.unset_loc();
            self.u.pop_block();
            self.u.op(Op::PopExcept);
            self.u.jump(Op::Jump, end);
            return Ok(());
        };
        let [cleanup, body] = [0; 2].map(|_| self.u.new_block());
        self.name(stored, Ctx::Store)?;
        self.u.jump(Act::SetupCleanup, cleanup);
        self.u.use_block(body);
        self.push_frame(Frame::HandlerCleanup(name))?;
        self.stmts(&handler.body)?;
        self.u.frames.pop();
        self.u.unset_loc();
        self.u.pop_block();
        self.u.pop_block();
        self.u.op(Op::PopExcept);
        self.forget(name)?;
        self.u.jump(Op::Jump, end);
        self.u.use_block(cleanup);
        self.u.unset_loc();
        self.forget(name)?;
        self.u.op_arg(Op::Reraise, 1);
        Ok(())
    }

    fn try_star(&mut self, node: &'a Try) -> Gen {
        let [body, mut except, orelse, end, cleanup, reraise_star] =
            [0; 6].map(|_| self.u.new_block());
        self.u.jump(Act::SetupFinally, except);
        self.u.use_block(body);
        self.push_frame(Frame::TryExcept)?;
        self.stmts(&node.body)?;
        self.u.frames.pop();
        self.u.push(Act::PopBlock, 0, 0, -1);
        self.u.jump_without_line(orelse);
        self.u.use_block(except);
        self.u.unset_loc();
        self.u.jump(Act::SetupCleanup, cleanup);
        self.u.op(Op::PushExcInfo);
        self.push_frame(Frame::GroupHandler)?;
        for (at, handler) in node.handlers.iter().enumerate() {
            self.u.loc = handler.loc;
            except = self.u.new_block();
            if at == 0 {
                self.u.op_arg(Op::Copy, 1);
                self.u.op_arg(Op::BuildList, 0);
                self.u.op_arg(Op::Swap, 2);
            }
            self.star_handler(handler, except)?;
            if at + 1 == node.handlers.len() {
                self.u.op_arg(Op::ListAppend, 1);
                self.u.jump(Op::Jump, reraise_star);
            }
        }
        self.u.unset_loc();
        self.u.frames.pop();
        let reraise = self.u.new_block();
        self.u.use_block(reraise_star);
        self.u.op(Op::PrepReraiseStar);
        self.u.op_arg(Op::Copy, 1);
        self.u.jump(Op::PopJumpIfNotNone, reraise);
        self.u.op(Op::PopTop);
        self.u.pop_block();
        self.u.op(Op::PopExcept);
        self.u.jump(Op::Jump, end);
        self.u.use_block(reraise);
        self.u.pop_block();
        self.u.op_arg(Op::Swap, 2);
        self.u.op(Op::PopExcept);
        self.u.op_arg(Op::Reraise, 0);
        self.u.use_block(cleanup);
        self.pop_except_and_reraise();
        self.u.use_block(orelse);
        self.stmts(&node.orelse)?;
        self.u.use_block(end);
        Ok(())
    }

    fn star_handler(&mut self, handler: &'a Handler, except: BlockId) -> Gen {
        let [with_error, no_match] = [0; 2].map(|_| self.u.new_block());
        if let Some(kind) = &handler.kind {
            self.expr(kind)?;
            self.u.op(Op::CheckEgMatch);
            self.u.op_arg(Op::Copy, 1);
            self.u.jump(Op::PopJumpIfNone, no_match);
        }
        let [cleanup, body] = [0; 2].map(|_| self.u.new_block());
        let name = handler.name.as_ref();
        match name {
            Some(name) => self.name(name, Ctx::Store)?,
            None => self.u.op(Op::PopTop),
        }
        self.u.jump(Act::SetupCleanup, cleanup);
        self.u.use_block(body);
        self.push_frame(Frame::HandlerCleanup(name))?;
        self.stmts(&handler.body)?;
        self.u.frames.pop();
        self.u.unset_loc();
        self.u.pop_block();
        self.forget(name)?;
        self.u.jump(Op::Jump, except);
        self.u.use_block(cleanup);
        self.u.unset_loc();
        self.forget(name)?;
        self.u.op_arg(Op::ListAppend, 3);
        self.u.op(Op::PopTop);
        self.u.jump(Op::Jump, with_error);
        self.u.use_block(except);
        self.u.op(Op::Nop);
        self.u.jump(Op::Jump, with_error);
        self.u.use_block(no_match);
        self.u.op(Op::PopTop);
        self.u.use_block(with_error);
        Ok(())
    }
}
