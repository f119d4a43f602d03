//! Collects the names of each scope, and the errors that CPython's symbol table finds on the way.

use super::CompileError;
use super::ast::*;
use super::symbols::*;

pub(super) type Result = std::result::Result<(), CompileError>;

/// The scopes of a module.
pub(super) fn scopes(
    body: &[Stmt],
    count: usize,
    is_body: bool,
) -> std::result::Result<Vec<Scope>, CompileError> {
    let mut scopes = Vec::with_capacity(count);
    scopes.resize_with(count, || Scope::new(ScopeKind::Function));
    scopes[0].kind = ScopeKind::Module;
    let mut visitor = Visitor {
        scopes,
        stack: vec![0],
        class: None,
    };
    visitor.body(body)?;
    for scope in &mut visitor.scopes {
        scope.is_in_body = is_body;
    }
    analyze(&mut visitor.scopes)?;
    Ok(visitor.scopes)
}

pub(super) struct Visitor {
    pub scopes: Vec<Scope>,
    pub stack: Vec<ScopeId>,
    /// The class whose body or method is visited, for private names.
    pub class: Option<Name>,
}

impl Visitor {
    pub(crate) fn id(&self) -> ScopeId {
        self.stack.last().copied().unwrap_or(0)
    }

    pub(crate) fn current(&mut self) -> &mut Scope {
        let id = self.id();
        &mut self.scopes[id]
    }

    pub(crate) fn enter(&mut self, id: ScopeId, kind: ScopeKind) {
        let parent = self.current();
        let nested = parent.nested || parent.kind == ScopeKind::Function;
        parent.children.push(id);
        self.scopes[id].kind = kind;
        self.scopes[id].nested = nested;
        self.stack.push(id);
    }

    pub(crate) fn leave(&mut self) {
        self.stack.pop();
    }

    pub(crate) fn add(&mut self, name: &Name, flags: u16, loc: Loc) -> Result {
        self.add_to(self.id(), name, flags, loc)
    }

    pub(crate) fn add_to(&mut self, id: ScopeId, name: &Name, flags: u16, loc: Loc) -> Result {
        let name = mangle(self.class.as_deref(), name);
        let scope = &mut self.scopes[id];
        let iter_target = scope.comp_iter_target;
        let symbol = scope.symbols.entry(name.clone()).or_insert(Symbol {
            flags: 0,
            kind: Kind::Unknown,
        });
        if flags & PARAM != 0 && symbol.flags & PARAM != 0 {
            let message = format!("duplicate argument '{name}' in function definition");
            return Err(CompileError::at(loc, message));
        }
        symbol.flags |= flags;
        if iter_target {
            if symbol.flags & (GLOBAL | NONLOCAL) != 0 {
                let message = format!(
                    "comprehension inner loop cannot rebind assignment expression target '{name}'"
                );
                return Err(CompileError::at(loc, message));
            }
            symbol.flags |= COMP_ITER;
        }
        if flags & PARAM != 0 {
            scope.params.push(name);
        } else if flags & GLOBAL != 0 {
            let symbol = self.scopes[0].symbols.entry(name).or_insert(Symbol {
                flags: 0,
                kind: Kind::Unknown,
            });
            symbol.flags |= flags;
        }
        Ok(())
    }

    pub(crate) fn lookup(&self, id: ScopeId, name: &Name) -> u16 {
        let name = mangle(self.class.as_deref(), name);
        self.scopes[id]
            .symbols
            .get(&name)
            .map_or(0, |symbol| symbol.flags)
    }

    pub(crate) fn body(&mut self, body: &[Stmt]) -> Result {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt) -> Result {
        let loc = stmt.loc;
        match &stmt.kind {
            StmtKind::Function(def) => self.function(def, loc),
            StmtKind::Class(def) => {
                self.add(&def.name, LOCAL, loc)?;
                self.exprs(&def.bases)?;
                self.keywords(&def.keywords)?;
                self.exprs(&def.decorators)?;
                self.enter(def.scope, ScopeKind::Class);
                let outer = self.class.replace(def.name.clone());
                self.body(&def.body)?;
                self.class = outer;
                self.leave();
                Ok(())
            }
            StmtKind::Return(value) => self.optional(value.as_ref()),
            StmtKind::Delete(targets) => self.exprs(targets),
            StmtKind::Assign { targets, value } => {
                self.exprs(targets)?;
                self.expr(value)
            }
            StmtKind::AugAssign { target, value, .. } => {
                self.expr(target)?;
                self.expr(value)
            }
            StmtKind::AnnAssign {
                target,
                annotation,
                value,
                simple,
            } => {
                self.annotated(target, value.is_some(), *simple, loc)?;
                self.annotation(Some(annotation))?;
                self.optional(value.as_ref())
            }
            StmtKind::For {
                target,
                iter,
                body,
                orelse,
                ..
            } => {
                self.expr(target)?;
                self.expr(iter)?;
                self.body(body)?;
                self.body(orelse)
            }
            StmtKind::While { test, body, orelse } | StmtKind::If { test, body, orelse } => {
                self.expr(test)?;
                self.body(body)?;
                self.body(orelse)
            }
            StmtKind::With { items, body, .. } => {
                for (context, vars) in items {
                    self.expr(context)?;
                    self.optional(vars.as_ref())?;
                }
                self.body(body)
            }
            StmtKind::Match { subject, cases } => {
                self.expr(subject)?;
                for case in cases {
                    self.pattern(&case.pattern)?;
                    self.optional(case.guard.as_ref())?;
                    self.body(&case.body)?;
                }
                Ok(())
            }
            StmtKind::Raise { exc, cause } => {
                self.optional(exc.as_ref())?;
                self.optional(cause.as_ref())
            }
            StmtKind::Try(node) => {
                self.body(&node.body)?;
                self.body(&node.orelse)?;
                for handler in &node.handlers {
                    self.optional(handler.kind.as_ref())?;
                    if let Some(name) = &handler.name {
                        self.add(name, LOCAL, handler.loc)?;
                    }
                    self.body(&handler.body)?;
                }
                self.body(&node.finalbody)
            }
            StmtKind::Assert { test, msg } => {
                self.expr(test)?;
                self.optional(msg.as_ref())
            }
            StmtKind::Import(names) | StmtKind::ImportFrom { names, .. } => self.import(names),
            StmtKind::Global(names) => self.directive(names, GLOBAL, "global", loc),
            StmtKind::Nonlocal(names) => self.directive(names, NONLOCAL, "nonlocal", loc),
            StmtKind::Expr(value) => self.expr(value),
            StmtKind::Pass | StmtKind::Break | StmtKind::Continue => Ok(()),
        }
    }

    pub(crate) fn function(&mut self, def: &Function, loc: Loc) -> Result {
        self.add(&def.name, LOCAL, loc)?;
        self.defaults(&def.params)?;
        let params = &def.params;
        for param in params.posonly.iter().chain(&params.args) {
            self.annotation(param.annotation.as_ref())?;
        }
        for param in params.vararg.iter().chain(&params.kwarg) {
            self.annotation(param.annotation.as_ref())?;
        }
        for param in &params.kwonly {
            self.annotation(param.annotation.as_ref())?;
        }
        self.annotation(def.returns.as_ref())?;
        self.exprs(&def.decorators)?;
        self.enter(def.scope, ScopeKind::Function);
        self.current().coroutine = def.is_async;
        self.params(&def.params)?;
        self.body(&def.body)?;
        self.leave();
        Ok(())
    }

    pub(crate) fn defaults(&mut self, params: &Params) -> Result {
        for param in params.positional().chain(&params.kwonly) {
            self.optional(param.default.as_ref())?;
        }
        Ok(())
    }

    pub(crate) fn params(&mut self, params: &Params) -> Result {
        for param in params.iter() {
            self.add(&param.name, PARAM, param.loc)?;
        }
        self.current().varargs = params.vararg.is_some();
        self.current().varkeywords = params.kwarg.is_some();
        Ok(())
    }

    pub(crate) fn annotation(&mut self, annotation: Option<&Annotation>) -> Result {
        match annotation {
            Some(Annotation::Expr(expr)) => self.expr(expr),
            Some(Annotation::Text(..)) | None => Ok(()),
        }
    }

    pub(crate) fn annotated(
        &mut self,
        target: &Expr,
        has_value: bool,
        simple: bool,
        loc: Loc,
    ) -> Result {
        let ExprKind::Name { id, .. } = &target.kind else {
            return self.expr(target);
        };
        let flags = self.lookup(self.id(), id);
        if flags & (GLOBAL | NONLOCAL) != 0 && self.id() != 0 && simple {
            let word = if flags & GLOBAL != 0 {
                "global"
            } else {
                "nonlocal"
            };
            let message = format!("annotated name '{id}' can't be {word}");
            return Err(CompileError::at(loc, message));
        }
        if simple {
            self.add(id, ANNOT | LOCAL, target.loc)
        } else if has_value {
            self.add(id, LOCAL, target.loc)
        } else {
            Ok(())
        }
    }

    pub(crate) fn import(&mut self, names: &[Alias]) -> Result {
        for alias in names {
            if &*alias.name == "*" {
                if self.id() != 0 {
                    let message = "import * only allowed at module level";
                    return Err(CompileError::at(alias.loc, message));
                }
                continue;
            }
            let name = match &alias.asname {
                Some(name) => name.clone(),
                None => alias.name.split('.').next().unwrap_or_default().into(),
            };
            self.add(&name, IMPORT, alias.loc)?;
        }
        Ok(())
    }

    pub(crate) fn directive(&mut self, names: &[Name], flag: u16, word: &str, loc: Loc) -> Result {
        for name in names {
            let flags = self.lookup(self.id(), name);
            let message = if flags & PARAM != 0 {
                format!("name '{name}' is parameter and {word}")
            } else if flags & USE != 0 {
                format!("name '{name}' is used prior to {word} declaration")
            } else if flags & ANNOT != 0 {
                format!("annotated name '{name}' can't be {word}")
            } else if flags & LOCAL != 0 {
                format!("name '{name}' is assigned to before {word} declaration")
            } else {
                self.add(name, flag, loc)?;
                let name = mangle(self.class.as_deref(), name);
                self.current().directives.push((name, loc));
                continue;
            };
            return Err(CompileError::at(loc, message));
        }
        Ok(())
    }
}
