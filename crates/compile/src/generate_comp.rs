//! Code of comprehensions.

use super::ast::*;
use super::generate::{Gen, Generator};
use super::unit::*;
use crate::code::{Constant, Op};

impl<'a> Generator<'a> {
    pub(crate) fn comp(&mut self, comp: &'a Comp, loc: Loc) -> Gen {
        let Some(first) = comp.generators.first() else {
            return Ok(());
        };
        let around = self.u.kind;
        let (name, build) = match comp.kind {
            CompKind::Generator => ("<genexpr>", None),
            CompKind::List => ("<listcomp>", Some(Op::BuildList)),
            CompKind::Set => ("<setcomp>", Some(Op::BuildSet)),
            CompKind::Dict => ("<dictcomp>", Some(Op::BuildMap)),
        };
        self.enter(UnitKind::Comprehension, comp.scope, name.into(), loc.line);
        self.u.loc = loc;
        let is_async = self.scope().coroutine;
        let may_be_async = matches!(around, UnitKind::AsyncFunction | UnitKind::Comprehension)
            || self.is_body && around == UnitKind::Module;
        if is_async && build.is_some() && !may_be_async {
            return self.error("asynchronous comprehension outside of an asynchronous function");
        }
        if let Some(build) = build {
            self.u.op_arg(build, 0);
        }
        self.u.arg_count = 1;
        self.comp_generator(comp, 0, 0)?;
        if build.is_some() {
            self.u.op(Op::ReturnValue);
        }
        let code = self.leave(true);
        self.closure(comp.scope, code, 0);
        self.expr(&first.iter)?;
        self.u.op(if first.is_async {
            Op::GetAiter
        } else {
            Op::GetIter
        });
        self.u.call(0);
        if is_async && build.is_some() {
            self.await_top(0);
        }
        Ok(())
    }

    pub(crate) fn comp_generator(&mut self, comp: &'a Comp, at: usize, mut depth: usize) -> Gen {
        let generator = &comp.generators[at];
        let is_async = generator.is_async;
        // Creation order is that of CPython, which the order of optimisations follows.
        let [start, second, third] = [0; 3].map(|_| self.u.new_block());
        let (anchor, if_cleanup) = if is_async {
            (second, third)
        } else {
            (third, second)
        };
        let mut looped = true;
        if at == 0 {
            self.u.op_arg(Op::LoadFast, 0);
        } else {
            match &generator.iter.kind {
                // `for y in [f(x)]` is an assignment.
                ExprKind::List { elts, .. } | ExprKind::Tuple { elts, .. }
                    if !is_async && elts.len() == 1 && !elts[0].is_starred() =>
                {
                    self.expr(&elts[0])?;
                    looped = false;
                }
                _ => {
                    self.expr(&generator.iter)?;
                    self.u.op(if is_async { Op::GetAiter } else { Op::GetIter });
                }
            }
        }
        if is_async {
            self.u.use_block(start);
            self.push_frame(Frame::AsyncComprehension)?;
            self.u.jump(Act::SetupFinally, anchor);
            self.u.op(Op::GetAnext);
            self.u.load(Constant::None);
            self.yield_from(true);
            self.u.pop_block();
        } else if looped {
            self.u.use_block(start);
            self.u.jump(Op::ForIter, anchor);
        }
        if looped {
            depth += 1;
        }
        self.expr(&generator.target)?;
        for test in &generator.ifs {
            self.jump_if(test, if_cleanup, false)?;
        }
        if at + 1 < comp.generators.len() {
            self.comp_generator(comp, at + 1, depth)?;
        } else {
            self.comp_element(comp, depth)?;
        }
        self.u.use_block(if_cleanup);
        if looped {
            self.u.jump(Op::Jump, start);
            if is_async {
                self.u.frames.pop();
            }
            self.u.use_block(anchor);
            if is_async {
                self.u.op(Op::EndAsyncFor);
            }
        }
        Ok(())
    }

    pub(crate) fn comp_element(&mut self, comp: &'a Comp, depth: usize) -> Gen {
        self.expr(&comp.elt)?;
        if let Some(value) = &comp.value {
            self.expr(value)?;
        }
        match comp.kind {
            CompKind::Generator => {
                self.yield_value();
                self.u.op(Op::PopTop);
            }
            CompKind::List => self.u.op_arg(Op::ListAppend, depth + 1),
            CompKind::Set => self.u.op_arg(Op::SetAdd, depth + 1),
            CompKind::Dict => self.u.op_arg(Op::MapAdd, depth + 1),
        }
        Ok(())
    }
}
