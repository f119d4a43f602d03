//! Converts ruff's tree to CPython's: statements, parameters and places.
//!
//! Constants are folded on the way (`fold`), bottom up, as CPython does before it looks at scopes.

use std::collections::HashSet;
use std::sync::Arc;

use ruff_python_ast as ruff;
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::ast::*;
use super::{CompileError, fold};

/// Maximum levels of syntax within each other. CPython stops at about 3,000 as well.
const MOST_DEPTH: u32 = 2_900;

/// Makes CPython's tree of ruff's.
pub(super) struct Converter<'s> {
    pub(super) source: &'s str,
    line_starts: Vec<u32>,
    names: HashSet<Name>,
    depth: u32,
    scopes: ScopeId,
    /// Whether annotations stay strings (`from __future__ import annotations`).
    pub(super) texts: bool,
    /// Whether constants are folded here.
    pub(super) folding: bool,
}

pub(super) type Result<T> = std::result::Result<T, CompileError>;

impl<'s> Converter<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        let bytes = source.as_bytes();
        let mut line_starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends = *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends {
                line_starts.push(at as u32 + 1);
            }
        }
        Converter {
            source,
            line_starts,
            names: HashSet::new(),
            depth: 0,
            scopes: 0,
            texts: false,
            folding: true,
        }
    }

    /// Number of scopes, including the module.
    pub(crate) fn scope_count(&self) -> usize {
        self.scopes + 1
    }

    pub(super) fn scope(&mut self) -> ScopeId {
        self.scopes += 1;
        self.scopes
    }

    pub(super) fn at(&self, offset: TextSize) -> Loc {
        let offset = offset.to_u32();
        let line = self.line_starts.partition_point(|start| *start <= offset);
        Loc {
            line: line as i32,
            col: offset - self.line_starts[line - 1],
        }
    }

    pub(super) fn loc(&self, node: &impl Ranged) -> Loc {
        self.at(node.start())
    }

    pub(super) fn text(&self, range: TextRange) -> &'s str {
        &self.source[range]
    }

    pub(super) fn name(&mut self, name: &str) -> Name {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let name: Name = Arc::from(name);
        self.names.insert(name.clone());
        name
    }

    pub(super) fn nested<T>(
        &mut self,
        loc: Loc,
        inner: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.deeper(loc)?;
        let result = inner(self);
        self.leave();
        result
    }

    /// One level of syntax further in, and out again: for those who make their own tree.
    pub(super) fn enter(&mut self, offset: TextSize) -> Result<()> {
        self.deeper(self.at(offset))
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn deeper(&mut self, loc: Loc) -> Result<()> {
        if self.depth >= MOST_DEPTH {
            return Err(CompileError::at(
                loc,
                "maximum recursion depth exceeded during compilation",
            ));
        }
        self.depth += 1;
        Ok(())
    }

    pub(crate) fn body(&mut self, body: &[ruff::Stmt]) -> Result<Vec<Stmt>> {
        body.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    /// The body of a module, class or function: a constant that folding made its first statement is
    /// not a docstring.
    pub(crate) fn documented_body(&mut self, body: &[ruff::Stmt]) -> Result<Vec<Stmt>> {
        let has_docstring = matches!(
            body.first(),
            Some(ruff::Stmt::Expr(first)) if first.value.is_string_literal_expr()
        );
        let mut converted = self.body(body)?;
        if !has_docstring
            && docstring(&converted).is_some()
            && let Some(Stmt {
                kind: StmtKind::Expr(value),
                ..
            }) = converted.first_mut()
        {
            let loc = value.loc;
            let inner = std::mem::replace(
                value,
                Expr {
                    loc,
                    kind: ExprKind::Joined(vec![]),
                },
            );
            value.kind = ExprKind::Joined(vec![inner]);
        }
        Ok(converted)
    }

    fn stmt(&mut self, stmt: &ruff::Stmt) -> Result<Stmt> {
        let loc = self.loc(stmt);
        self.nested(loc, |this| this.stmt_inner(stmt, loc))
    }

    fn stmt_inner(&mut self, stmt: &ruff::Stmt, mut loc: Loc) -> Result<Stmt> {
        use ruff::Stmt as R;
        let kind = match stmt {
            R::FunctionDef(def) => {
                loc = self.behind_decorators(&def.decorator_list, def.start());
                self.function(def, loc)?
            }
            R::ClassDef(def) => {
                loc = self.behind_decorators(&def.decorator_list, def.start());
                self.class(def, loc)?
            }
            R::Return(node) => StmtKind::Return(self.optional(node.value.as_deref())?),
            R::Delete(node) => StmtKind::Delete(self.exprs(&node.targets)?),
            R::Assign(node) => StmtKind::Assign {
                targets: self.exprs(&node.targets)?,
                value: self.expr(&node.value)?,
            },
            R::AugAssign(node) => StmtKind::AugAssign {
                target: self.expr(&node.target)?,
                op: binary(node.op),
                value: self.expr(&node.value)?,
            },
            R::AnnAssign(node) => StmtKind::AnnAssign {
                target: self.expr(&node.target)?,
                annotation: self.annotation(&node.annotation)?,
                value: self.optional(node.value.as_deref())?,
                simple: node.simple,
            },
            R::For(node) => {
                let target = self.expr(&node.target)?;
                let mut iter = self.expr(&node.iter)?;
                fold::iterable(&mut iter);
                StmtKind::For {
                    target,
                    iter,
                    body: self.body(&node.body)?,
                    orelse: self.body(&node.orelse)?,
                    is_async: node.is_async,
                }
            }
            R::While(node) => StmtKind::While {
                test: self.expr(&node.test)?,
                body: self.body(&node.body)?,
                orelse: self.body(&node.orelse)?,
            },
            R::If(node) => {
                let test = self.expr(&node.test)?;
                let body = self.body(&node.body)?;
                StmtKind::If {
                    test,
                    body,
                    orelse: self.clauses(&node.elif_else_clauses)?,
                }
            }
            R::With(node) => {
                let mut items = Vec::with_capacity(node.items.len());
                for item in &node.items {
                    let context = self.expr(&item.context_expr)?;
                    items.push((context, self.optional(item.optional_vars.as_deref())?));
                }
                StmtKind::With {
                    items,
                    body: self.body(&node.body)?,
                    is_async: node.is_async,
                }
            }
            R::Match(node) => {
                let subject = self.expr(&node.subject)?;
                let cases = node.cases.iter().map(|case| self.case(case));
                StmtKind::Match {
                    subject,
                    cases: cases.collect::<Result<_>>()?,
                }
            }
            R::Raise(node) => StmtKind::Raise {
                exc: self.optional(node.exc.as_deref())?,
                cause: self.optional(node.cause.as_deref())?,
            },
            R::Try(node) => self.try_stmt(node)?,
            R::Assert(node) => StmtKind::Assert {
                test: self.expr(&node.test)?,
                msg: self.optional(node.msg.as_deref())?,
            },
            R::Import(node) => StmtKind::Import(self.aliases(&node.names)),
            R::ImportFrom(node) => StmtKind::ImportFrom {
                module: node.module.as_ref().map(|module| self.name(module)),
                names: self.aliases(&node.names),
                level: node.level,
            },
            R::Global(node) => StmtKind::Global(self.identifiers(&node.names)),
            R::Nonlocal(node) => StmtKind::Nonlocal(self.identifiers(&node.names)),
            R::Expr(node) => StmtKind::Expr(self.expr(&node.value)?),
            R::Pass(_) => StmtKind::Pass,
            R::Break(_) => StmtKind::Break,
            R::Continue(_) => StmtKind::Continue,
            R::TypeAlias(_) | R::IpyEscapeCommand(_) => {
                return Err(CompileError::at(loc, "invalid syntax"));
            }
        };
        Ok(Stmt { loc, kind })
    }

    fn clauses(&mut self, clauses: &[ruff::ElifElseClause]) -> Result<Vec<Stmt>> {
        // From the last to the first: each `elif` holds those behind it.
        let mut orelse = Vec::new();
        for clause in clauses.iter().rev() {
            let body = self.body(&clause.body)?;
            orelse = match &clause.test {
                None => body,
                Some(test) => {
                    let test = self.expr(test)?;
                    vec![Stmt {
                        loc: self.loc(clause),
                        kind: StmtKind::If { test, body, orelse },
                    }]
                }
            };
        }
        if clauses.len() as u32 > MOST_DEPTH {
            let loc = self.loc(&clauses[0]);
            return Err(CompileError::at(
                loc,
                "maximum recursion depth exceeded during compilation",
            ));
        }
        Ok(orelse)
    }

    fn try_stmt(&mut self, node: &ruff::StmtTry) -> Result<StmtKind> {
        let body = self.body(&node.body)?;
        let mut handlers = Vec::with_capacity(node.handlers.len());
        for handler in &node.handlers {
            let ruff::ExceptHandler::ExceptHandler(handler) = handler;
            handlers.push(Handler {
                loc: self.loc(handler),
                kind: self.optional(handler.type_.as_deref())?,
                name: handler.name.as_ref().map(|name| self.name(name)),
                body: self.body(&handler.body)?,
            });
        }
        Ok(StmtKind::Try(Box::new(Try {
            body,
            handlers,
            orelse: self.body(&node.orelse)?,
            finalbody: self.body(&node.finalbody)?,
            is_star: node.is_star,
        })))
    }

    pub(crate) fn aliases(&mut self, names: &[ruff::Alias]) -> Vec<Alias> {
        let mut aliases = Vec::with_capacity(names.len());
        for alias in names {
            aliases.push(Alias {
                loc: self.loc(alias),
                // `import a . b` is `import a.b`
                name: self.name(&alias.name.as_str().replace(char::is_whitespace, "")),
                asname: alias.asname.as_ref().map(|name| self.name(name)),
            });
        }
        aliases
    }

    fn identifiers(&mut self, names: &[ruff::Identifier]) -> Vec<Name> {
        names.iter().map(|name| self.name(name)).collect()
    }
}

pub(super) fn binary(op: ruff::Operator) -> Binary {
    match op {
        ruff::Operator::Add => Binary::Add,
        ruff::Operator::Sub => Binary::Subtract,
        ruff::Operator::Mult => Binary::Multiply,
        ruff::Operator::MatMult => Binary::MatrixMultiply,
        ruff::Operator::Div => Binary::TrueDivide,
        ruff::Operator::Mod => Binary::Remainder,
        ruff::Operator::Pow => Binary::Power,
        ruff::Operator::LShift => Binary::Lshift,
        ruff::Operator::RShift => Binary::Rshift,
        ruff::Operator::BitOr => Binary::Or,
        ruff::Operator::BitXor => Binary::Xor,
        ruff::Operator::BitAnd => Binary::And,
        ruff::Operator::FloorDiv => Binary::FloorDivide,
    }
}
