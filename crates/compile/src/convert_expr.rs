//! From ruff's tree to CPython's: expressions and patterns.

use ruff_python_ast as ruff;
use ruff_text_size::Ranged;

use super::ast::*;
use super::convert::{Converter, binary};
use super::{CompileError, fold, literals};
use crate::code::Constant;

type Result<T> = std::result::Result<T, CompileError>;

fn context(ctx: ruff::ExprContext) -> Ctx {
    match ctx {
        ruff::ExprContext::Store => Ctx::Store,
        ruff::ExprContext::Del => Ctx::Del,
        ruff::ExprContext::Load | ruff::ExprContext::Invalid => Ctx::Load,
    }
}

impl Converter<'_> {
    pub(super) fn exprs(&mut self, nodes: &[ruff::Expr]) -> Result<Vec<Expr>> {
        nodes.iter().map(|node| self.expr(node)).collect()
    }

    pub(super) fn optional(&mut self, node: Option<&ruff::Expr>) -> Result<Option<Expr>> {
        node.map(|node| self.expr(node)).transpose()
    }

    fn boxed(&mut self, node: &ruff::Expr) -> Result<Box<Expr>> {
        self.expr(node).map(Box::new)
    }

    fn optional_boxed(&mut self, node: Option<&ruff::Expr>) -> Result<Option<Box<Expr>>> {
        node.map(|node| self.boxed(node)).transpose()
    }

    pub(super) fn expr(&mut self, node: &ruff::Expr) -> Result<Expr> {
        let loc = self.loc(node);
        self.nested(loc, |this| {
            let kind = this.expr_kind(node, loc)?;
            let mut expr = Expr { loc, kind };
            if this.folding {
                fold::fold(&mut expr);
            }
            Ok(expr)
        })
    }

    fn expr_kind(&mut self, node: &ruff::Expr, loc: Loc) -> Result<ExprKind> {
        use ruff::Expr as R;
        Ok(match node {
            R::BoolOp(node) => ExprKind::BoolOp {
                or: node.op == ruff::BoolOp::Or,
                values: self.exprs(&node.values)?,
            },
            R::Named(node) => ExprKind::Named {
                target: self.boxed(&node.target)?,
                value: self.boxed(&node.value)?,
            },
            R::BinOp(node) => ExprKind::BinOp {
                left: self.boxed(&node.left)?,
                op: binary(node.op),
                right: self.boxed(&node.right)?,
            },
            R::UnaryOp(node) => ExprKind::UnaryOp {
                op: unary(node.op),
                operand: self.boxed(&node.operand)?,
            },
            R::Lambda(node) => self.lambda(node)?,
            R::If(node) => ExprKind::IfExp {
                test: self.boxed(&node.test)?,
                body: self.boxed(&node.body)?,
                orelse: self.boxed(&node.orelse)?,
            },
            R::Dict(node) => self.dict(node)?,
            R::Set(node) => ExprKind::Set(self.exprs(&node.elts)?),
            R::ListComp(node) => self.comp(CompKind::List, &node.elt, None, &node.generators)?,
            R::SetComp(node) => self.comp(CompKind::Set, &node.elt, None, &node.generators)?,
            R::DictComp(node) => {
                let Some(key) = &node.key else {
                    return Err(CompileError::at(loc, "invalid syntax"));
                };
                self.comp(CompKind::Dict, key, Some(&node.value), &node.generators)?
            }
            R::Generator(node) => {
                self.comp(CompKind::Generator, &node.elt, None, &node.generators)?
            }
            R::Await(node) => ExprKind::Await(self.boxed(&node.value)?),
            R::Yield(node) => ExprKind::Yield(self.optional_boxed(node.value.as_deref())?),
            R::YieldFrom(node) => ExprKind::YieldFrom(self.boxed(&node.value)?),
            R::Compare(node) => ExprKind::Compare {
                left: self.boxed(&node.left)?,
                ops: node.ops.iter().map(|op| comparison(*op)).collect(),
                comparators: self.exprs(&node.comparators)?,
            },
            R::Call(node) => self.call(node)?,
            R::FString(node) => self.f_string(node, loc)?,
            R::StringLiteral(node) => ExprKind::Constant(Constant::Str(node.value.to_str().into())),
            R::BytesLiteral(node) => {
                ExprKind::Constant(Constant::Bytes(node.value.bytes().collect()))
            }
            R::NumberLiteral(node) => ExprKind::Constant(self.number(node, loc)?),
            R::BooleanLiteral(node) => ExprKind::Constant(Constant::Bool(node.value)),
            R::NoneLiteral(_) => ExprKind::Constant(Constant::None),
            R::EllipsisLiteral(_) => ExprKind::Constant(Constant::Ellipsis),
            R::Attribute(node) => ExprKind::Attribute {
                value: self.boxed(&node.value)?,
                attr: self.name(&node.attr),
                attr_loc: self.loc(&node.attr),
                ctx: context(node.ctx),
            },
            R::Subscript(node) => ExprKind::Subscript {
                value: self.boxed(&node.value)?,
                slice: self.boxed(&node.slice)?,
                ctx: context(node.ctx),
            },
            R::Starred(node) => ExprKind::Starred {
                value: self.boxed(&node.value)?,
                ctx: context(node.ctx),
            },
            R::Name(node) => ExprKind::Name {
                id: self.name(&node.id),
                ctx: context(node.ctx),
            },
            R::List(node) => ExprKind::List {
                elts: self.exprs(&node.elts)?,
                ctx: context(node.ctx),
            },
            R::Tuple(node) => ExprKind::Tuple {
                elts: self.exprs(&node.elts)?,
                ctx: context(node.ctx),
            },
            R::Slice(node) => ExprKind::Slice {
                lower: self.optional_boxed(node.lower.as_deref())?,
                upper: self.optional_boxed(node.upper.as_deref())?,
                step: self.optional_boxed(node.step.as_deref())?,
            },
            R::TString(_) | R::IpyEscapeCommand(_) => {
                return Err(CompileError::at(loc, "invalid syntax"));
            }
        })
    }

    /// Converts a lambda; its defaults belong to the scope around it.
    fn lambda(&mut self, node: &ruff::ExprLambda) -> Result<ExprKind> {
        let params = match &node.parameters {
            Some(params) => self.params(params)?,
            None => Params::default(),
        };
        let scope = self.scope();
        Ok(ExprKind::Lambda(Box::new(Lambda {
            scope,
            params,
            body: self.expr(&node.body)?,
        })))
    }

    /// Converts the items of a dictionary; `**other` has no key.
    fn dict(&mut self, node: &ruff::ExprDict) -> Result<ExprKind> {
        let mut items = Vec::with_capacity(node.items.len());
        for item in &node.items {
            let key = self.optional(item.key.as_ref())?;
            items.push((key, self.expr(&item.value)?));
        }
        Ok(ExprKind::Dict(items))
    }

    /// Returns the constant of a number as it is written.
    fn number(&self, node: &ruff::ExprNumberLiteral, loc: Loc) -> Result<Constant> {
        let number = match &node.value {
            ruff::Number::Int(_) => literals::int(self.text(node.range())),
            ruff::Number::Float(value) => Some(Constant::Float(*value)),
            ruff::Number::Complex { real, imag } => Some(Constant::Complex(*real, *imag)),
        };
        number.ok_or_else(|| CompileError::at(loc, "invalid number"))
    }

    fn call(&mut self, node: &ruff::ExprCall) -> Result<ExprKind> {
        let func = self.boxed(&node.func)?;
        let mut args = self.exprs(&node.arguments.args)?;
        // The generator of `f(x for x in y)` begins at the parenthesis.
        for (arg, given) in args.iter_mut().zip(&node.arguments.args) {
            if matches!(given, ruff::Expr::Generator(generator) if !generator.parenthesized) {
                arg.loc = self.at(node.arguments.range.start());
            }
        }
        Ok(ExprKind::Call {
            func,
            args,
            keywords: self.keywords(&node.arguments.keywords)?,
        })
    }

    pub(super) fn keywords(&mut self, keywords: &[ruff::Keyword]) -> Result<Vec<Keyword>> {
        let mut converted = Vec::with_capacity(keywords.len());
        for keyword in keywords {
            converted.push(Keyword {
                loc: self.loc(keyword),
                arg: keyword.arg.as_ref().map(|name| self.name(name)),
                value: self.expr(&keyword.value)?,
            });
        }
        Ok(converted)
    }

    fn comp(
        &mut self,
        kind: CompKind,
        elt: &ruff::Expr,
        value: Option<&ruff::Expr>,
        comprehensions: &[ruff::Comprehension],
    ) -> Result<ExprKind> {
        let scope = self.scope();
        let elt = self.expr(elt)?;
        let value = self.optional(value)?;
        let mut generators = Vec::with_capacity(comprehensions.len());
        for generator in comprehensions {
            let target = self.expr(&generator.target)?;
            let mut iter = self.expr(&generator.iter)?;
            if self.folding {
                fold::iterable(&mut iter);
            }
            let ifs = self.exprs(&generator.ifs)?;
            generators.push(Generator {
                target,
                iter,
                ifs,
                is_async: generator.is_async,
            });
        }
        Ok(ExprKind::Comp(Box::new(Comp {
            kind,
            scope,
            elt,
            value,
            generators,
        })))
    }

    pub(super) fn case(&mut self, case: &ruff::MatchCase) -> Result<Case> {
        Ok(Case {
            pattern: self.pattern(&case.pattern)?,
            guard: self.optional(case.guard.as_deref())?,
            body: self.body(&case.body)?,
        })
    }

    fn patterns(&mut self, patterns: &[ruff::Pattern]) -> Result<Vec<Pattern>> {
        patterns
            .iter()
            .map(|pattern| self.pattern(pattern))
            .collect()
    }

    fn pattern(&mut self, pattern: &ruff::Pattern) -> Result<Pattern> {
        let loc = self.loc(pattern);
        self.nested(loc, |this| {
            Ok(Pattern {
                loc,
                kind: this.pattern_kind(pattern)?,
            })
        })
    }

    fn pattern_kind(&mut self, pattern: &ruff::Pattern) -> Result<PatternKind> {
        use ruff::Pattern as R;
        Ok(match pattern {
            R::MatchValue(node) => PatternKind::Value(self.expr(&node.value)?),
            R::MatchSingleton(node) => PatternKind::Singleton(match node.value {
                ruff::Singleton::None => Constant::None,
                ruff::Singleton::True => Constant::Bool(true),
                ruff::Singleton::False => Constant::Bool(false),
            }),
            R::MatchSequence(node) => PatternKind::Sequence(self.patterns(&node.patterns)?),
            R::MatchMapping(node) => PatternKind::Mapping {
                keys: self.exprs(&node.keys)?,
                patterns: self.patterns(&node.patterns)?,
                rest: node.rest.as_ref().map(|name| self.name(name)),
            },
            R::MatchClass(node) => {
                let cls = self.expr(&node.cls)?;
                let patterns = self.patterns(&node.arguments.patterns)?;
                let mut kwd_attrs = Vec::new();
                let mut kwd_patterns = Vec::new();
                for keyword in &node.arguments.keywords {
                    kwd_attrs.push(self.name(&keyword.attr));
                    kwd_patterns.push(self.pattern(&keyword.pattern)?);
                }
                PatternKind::Class {
                    cls,
                    patterns,
                    kwd_attrs,
                    kwd_patterns,
                }
            }
            R::MatchStar(node) => PatternKind::Star(node.name.as_ref().map(|name| self.name(name))),
            R::MatchAs(node) => PatternKind::As {
                pattern: match &node.pattern {
                    Some(pattern) => Some(Box::new(self.pattern(pattern)?)),
                    None => None,
                },
                name: node.name.as_ref().map(|name| self.name(name)),
            },
            R::MatchOr(node) => PatternKind::Or(self.patterns(&node.patterns)?),
        })
    }
}

fn unary(op: ruff::UnaryOp) -> Unary {
    match op {
        ruff::UnaryOp::Invert => Unary::Invert,
        ruff::UnaryOp::Not => Unary::Not,
        ruff::UnaryOp::UAdd => Unary::Plus,
        ruff::UnaryOp::USub => Unary::Minus,
    }
}

fn comparison(op: ruff::CmpOp) -> Cmp {
    match op {
        ruff::CmpOp::Eq => Cmp::Eq,
        ruff::CmpOp::NotEq => Cmp::NotEq,
        ruff::CmpOp::Lt => Cmp::Lt,
        ruff::CmpOp::LtE => Cmp::LtE,
        ruff::CmpOp::Gt => Cmp::Gt,
        ruff::CmpOp::GtE => Cmp::GtE,
        ruff::CmpOp::Is => Cmp::Is,
        ruff::CmpOp::IsNot => Cmp::IsNot,
        ruff::CmpOp::In => Cmp::In,
        ruff::CmpOp::NotIn => Cmp::NotIn,
    }
}
