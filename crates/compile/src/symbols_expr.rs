//! Names of expressions and patterns.

use super::CompileError;
use super::ast::*;
use super::symbols::*;
use super::symbols_visit::{Result, Visitor};

impl Visitor {
    pub(crate) fn exprs(&mut self, exprs: &[Expr]) -> Result {
        exprs.iter().try_for_each(|expr| self.expr(expr))
    }

    pub(crate) fn keywords(&mut self, keywords: &[Keyword]) -> Result {
        keywords
            .iter()
            .try_for_each(|keyword| self.expr(&keyword.value))
    }

    pub(crate) fn optional(&mut self, expr: Option<&Expr>) -> Result {
        expr.map_or(Ok(()), |expr| self.expr(expr))
    }

    pub(crate) fn expr(&mut self, expr: &Expr) -> Result {
        let loc = expr.loc;
        match &expr.kind {
            ExprKind::Constant(_) => Ok(()),
            ExprKind::Name { id, ctx } => {
                self.add(id, if *ctx == Ctx::Load { USE } else { LOCAL }, loc)?;
                let in_function = self.current().kind == ScopeKind::Function;
                if *ctx == Ctx::Load && in_function && &**id == "super" {
                    self.add(&"__class__".into(), USE, loc)?;
                }
                Ok(())
            }
            ExprKind::BoolOp { values, .. } => self.exprs(values),
            ExprKind::Named { target, value } => {
                if self.current().comp_iter_expr > 0 {
                    let message = "assignment expression cannot be used in a comprehension iterable \
                                   expression";
                    return Err(CompileError::at(loc, message));
                }
                if self.current().comprehension.is_some() {
                    self.walrus(target)?;
                }
                self.expr(value)?;
                self.expr(target)
            }
            ExprKind::BinOp { left, right, .. } => {
                self.expr(left)?;
                self.expr(right)
            }
            ExprKind::UnaryOp { operand, .. } => self.expr(operand),
            ExprKind::Lambda(lambda) => {
                self.defaults(&lambda.params)?;
                self.enter(lambda.scope, ScopeKind::Function);
                self.params(&lambda.params)?;
                self.expr(&lambda.body)?;
                self.leave();
                Ok(())
            }
            ExprKind::IfExp { test, body, orelse } => {
                self.expr(test)?;
                self.expr(body)?;
                self.expr(orelse)
            }
            ExprKind::Dict(items) => {
                for (key, _) in items {
                    self.optional(key.as_ref())?;
                }
                items.iter().try_for_each(|(_, value)| self.expr(value))
            }
            ExprKind::Set(elts) | ExprKind::Joined(elts) => self.exprs(elts),
            ExprKind::Comp(comp) => self.comp(comp, loc),
            ExprKind::Await(value) => {
                self.expr(value)?;
                self.current().coroutine = true;
                Ok(())
            }
            ExprKind::Yield(value) => {
                self.optional(value.as_deref())?;
                self.yields(loc)
            }
            ExprKind::YieldFrom(value) => {
                self.expr(value)?;
                self.yields(loc)
            }
            ExprKind::Compare {
                left, comparators, ..
            } => {
                self.expr(left)?;
                self.exprs(comparators)
            }
            ExprKind::Call {
                func,
                args,
                keywords,
            } => {
                self.expr(func)?;
                self.exprs(args)?;
                self.keywords(keywords)
            }
            ExprKind::Formatted { value, spec, .. } => {
                self.expr(value)?;
                self.optional(spec.as_deref())
            }
            ExprKind::Attribute { value, .. } | ExprKind::Starred { value, .. } => self.expr(value),
            ExprKind::Subscript { value, slice, .. } => {
                self.expr(value)?;
                self.expr(slice)
            }
            ExprKind::List { elts, .. } | ExprKind::Tuple { elts, .. } => self.exprs(elts),
            ExprKind::Slice { lower, upper, step } => {
                self.optional(lower.as_deref())?;
                self.optional(upper.as_deref())?;
                self.optional(step.as_deref())
            }
        }
    }

    pub(crate) fn yields(&mut self, loc: Loc) -> Result {
        let scope = self.current();
        scope.generator = true;
        let place = match scope.comprehension {
            None => return Ok(()),
            Some(CompKind::List) => "'yield' inside list comprehension",
            Some(CompKind::Set) => "'yield' inside set comprehension",
            Some(CompKind::Dict) => "'yield' inside dict comprehension",
            Some(CompKind::Generator) => "'yield' inside generator expression",
        };
        Err(CompileError::at(loc, place))
    }

    /// The target of `:=` in a comprehension belongs to the function around it.
    pub(crate) fn walrus(&mut self, target: &Expr) -> Result {
        let ExprKind::Name { id, .. } = &target.kind else {
            return Ok(());
        };
        for at in (0..self.stack.len()).rev() {
            let scope = self.stack[at];
            if self.scopes[scope].comprehension.is_some() {
                if self.lookup(scope, id) & COMP_ITER != 0 {
                    let message = format!(
                        "assignment expression cannot rebind comprehension iteration variable '{id}'"
                    );
                    return Err(CompileError::at(target.loc, message));
                }
                continue;
            }
            let flag = match self.scopes[scope].kind {
                ScopeKind::Function if self.lookup(scope, id) & GLOBAL != 0 => GLOBAL,
                ScopeKind::Function => NONLOCAL,
                ScopeKind::Module => GLOBAL,
                ScopeKind::Class => {
                    let message = "assignment expression within a comprehension cannot be used in a \
                                   class body";
                    return Err(CompileError::at(target.loc, message));
                }
            };
            self.add(id, flag, target.loc)?;
            let name = mangle(self.class.as_deref(), id);
            self.current().directives.push((name, target.loc));
            let outer = if self.scopes[scope].kind == ScopeKind::Module {
                GLOBAL
            } else {
                LOCAL
            };
            return self.add_to(scope, id, outer, target.loc);
        }
        Ok(())
    }

    pub(crate) fn comp(&mut self, comp: &Comp, loc: Loc) -> Result {
        let Some((first, rest)) = comp.generators.split_first() else {
            return Ok(());
        };
        self.current().comp_iter_expr += 1;
        self.expr(&first.iter)?;
        self.current().comp_iter_expr -= 1;
        self.enter(comp.scope, ScopeKind::Function);
        self.current().coroutine = first.is_async;
        self.current().comprehension = Some(comp.kind);
        self.add(&".0".into(), PARAM, loc)?;
        self.current().comp_iter_target = true;
        self.expr(&first.target)?;
        self.current().comp_iter_target = false;
        self.exprs(&first.ifs)?;
        for generator in rest {
            self.current().comp_iter_target = true;
            self.expr(&generator.target)?;
            self.current().comp_iter_target = false;
            self.current().comp_iter_expr += 1;
            self.expr(&generator.iter)?;
            self.current().comp_iter_expr -= 1;
            self.exprs(&generator.ifs)?;
            if generator.is_async {
                self.current().coroutine = true;
            }
        }
        self.optional(comp.value.as_ref())?;
        self.expr(&comp.elt)?;
        let generator = comp.kind == CompKind::Generator;
        self.current().generator = generator;
        let is_async = self.current().coroutine && !generator;
        self.leave();
        if is_async {
            self.current().coroutine = true;
        }
        Ok(())
    }

    pub(crate) fn pattern(&mut self, pattern: &Pattern) -> Result {
        let loc = pattern.loc;
        match &pattern.kind {
            PatternKind::Value(value) => self.expr(value),
            PatternKind::Singleton(_) => Ok(()),
            PatternKind::Sequence(patterns) | PatternKind::Or(patterns) => patterns
                .iter()
                .try_for_each(|pattern| self.pattern(pattern)),
            PatternKind::Mapping {
                keys,
                patterns,
                rest,
            } => {
                self.exprs(keys)?;
                patterns
                    .iter()
                    .try_for_each(|pattern| self.pattern(pattern))?;
                self.bind(rest.as_ref(), loc)
            }
            PatternKind::Class {
                cls,
                patterns,
                kwd_patterns,
                ..
            } => {
                self.expr(cls)?;
                patterns
                    .iter()
                    .chain(kwd_patterns)
                    .try_for_each(|pattern| self.pattern(pattern))
            }
            PatternKind::Star(name) => self.bind(name.as_ref(), loc),
            PatternKind::As { pattern, name } => {
                if let Some(pattern) = pattern {
                    self.pattern(pattern)?;
                }
                self.bind(name.as_ref(), loc)
            }
        }
    }

    pub(crate) fn bind(&mut self, name: Option<&Name>, loc: Loc) -> Result {
        name.map_or(Ok(()), |name| self.add(name, LOCAL, loc))
    }
}
