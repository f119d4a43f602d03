//! Code of annotations.

use super::ast::*;
use super::generate::{Gen, Generator};
use super::unit::UnitKind;
use crate::code::{Constant, Op};

impl<'a> Generator<'a> {
    pub(crate) fn annotations(
        &mut self,
        params: &'a Params,
        returns: Option<&'a Annotation>,
    ) -> Gen<usize> {
        let mut count = 0;
        let order = params
            .args
            .iter()
            .chain(&params.posonly)
            .chain(params.vararg.as_deref());
        let order = order.chain(&params.kwonly).chain(params.kwarg.as_deref());
        for param in order {
            if let Some(annotation) = &param.annotation {
                count += self.annotated(&param.name, annotation)?;
            }
        }
        if let Some(annotation) = returns {
            count += self.annotated(&"return".into(), annotation)?;
        }
        if count == 0 {
            return Ok(0);
        }
        self.u.op_arg(Op::BuildTuple, count);
        Ok(4)
    }

    pub(crate) fn annotated(&mut self, name: &Name, annotation: &'a Annotation) -> Gen<usize> {
        let name = self.mangled(name);
        self.u.load(Constant::Str(name));
        match annotation {
            Annotation::Expr(Expr {
                kind: ExprKind::Starred { value, .. },
                ..
            }) => {
                self.expr(value)?;
                self.u.op_arg(Op::UnpackSequence, 1);
            }
            annotation => self.annotation(annotation)?,
        }
        Ok(2)
    }

    pub(crate) fn annotation(&mut self, annotation: &'a Annotation) -> Gen {
        match annotation {
            Annotation::Expr(expr) => self.expr(expr)?,
            Annotation::Text(text) => self.u.load(Constant::Str(text.clone())),
        }
        Ok(())
    }

    pub(crate) fn ann_assign(
        &mut self,
        target: &'a Expr,
        annotation: &'a Annotation,
        value: Option<&'a Expr>,
        simple: bool,
    ) -> Gen {
        if let Some(value) = value {
            self.expr(value)?;
            self.expr(target)?;
        }
        let evaluated = matches!(self.u.kind, UnitKind::Module | UnitKind::Class);
        match &target.kind {
            ExprKind::Name { id, .. } => {
                self.forbid(id, Ctx::Store)?;
                if simple && evaluated {
                    self.annotation(annotation)?;
                    self.u.op_name(Op::LoadName, "__annotations__".into());
                    let name = self.mangled(id);
                    self.u.load(Constant::Str(name));
                    self.u.op(Op::StoreSubscr);
                }
            }
            ExprKind::Attribute {
                value: object,
                attr,
                ..
            } => {
                self.forbid(attr, Ctx::Store)?;
                if value.is_none() {
                    self.evaluate(object)?;
                }
            }
            ExprKind::Subscript {
                value: object,
                slice,
                ..
            } if value.is_none() => {
                self.evaluate(object)?;
                self.evaluate_slice(slice)?;
            }
            _ => {}
        }
        match annotation {
            Annotation::Expr(expr) if !simple && evaluated => self.evaluate(expr),
            _ => Ok(()),
        }
    }

    pub(crate) fn evaluate(&mut self, expr: &'a Expr) -> Gen {
        self.expr(expr)?;
        self.u.op(Op::PopTop);
        Ok(())
    }

    pub(crate) fn evaluate_slice(&mut self, slice: &'a Expr) -> Gen {
        match &slice.kind {
            ExprKind::Slice { lower, upper, step } => {
                for bound in [lower, upper, step].into_iter().flatten() {
                    self.evaluate(bound)?;
                }
                Ok(())
            }
            ExprKind::Tuple { elts, .. } => {
                elts.iter().try_for_each(|elt| self.evaluate_slice(elt))
            }
            _ => self.evaluate(slice),
        }
    }
}

/// Whether a body has annotated variables.
pub(super) fn has_annotations(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::AnnAssign { .. } => true,
        StmtKind::For { body, orelse, .. }
        | StmtKind::While { body, orelse, .. }
        | StmtKind::If { body, orelse, .. } => has_annotations(body) || has_annotations(orelse),
        StmtKind::With { body, .. } => has_annotations(body),
        StmtKind::Try(node) => {
            node.handlers
                .iter()
                .any(|handler| has_annotations(&handler.body))
                || has_annotations(&node.body)
                || has_annotations(&node.finalbody)
                || has_annotations(&node.orelse)
        }
        StmtKind::Match { cases, .. } => cases.iter().any(|case| has_annotations(&case.body)),
        _ => false,
    })
}
