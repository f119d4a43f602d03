//! Collects the names of each scope, and the errors that CPython's symbol table finds on the way.

use super::CompileError;
use super::ast::*;
use super::symbols::*;

type Result = std::result::Result<(), CompileError>;

/// The scopes of a module.
pub(super) fn scopes(body: &[Stmt], count: usize) -> std::result::Result<Vec<Scope>, CompileError> {
    let mut scopes = Vec::with_capacity(count);
    scopes.resize_with(count, || Scope::new(ScopeKind::Function));
    scopes[0].kind = ScopeKind::Module;
    let mut visitor = Visitor {
        scopes,
        stack: vec![0],
        class: None,
    };
    visitor.body(body)?;
    analyze(&mut visitor.scopes)?;
    Ok(visitor.scopes)
}

struct Visitor {
    scopes: Vec<Scope>,
    stack: Vec<ScopeId>,
    /// The class whose body or method is visited, for private names.
    class: Option<Name>,
}

impl Visitor {
    fn id(&self) -> ScopeId {
        self.stack.last().copied().unwrap_or(0)
    }

    fn current(&mut self) -> &mut Scope {
        let id = self.id();
        &mut self.scopes[id]
    }

    fn enter(&mut self, id: ScopeId, kind: ScopeKind) {
        let parent = self.current();
        let nested = parent.nested || parent.kind == ScopeKind::Function;
        parent.children.push(id);
        self.scopes[id].kind = kind;
        self.scopes[id].nested = nested;
        self.stack.push(id);
    }

    fn leave(&mut self) {
        self.stack.pop();
    }

    fn add(&mut self, name: &Name, flags: u16, loc: Loc) -> Result {
        self.add_to(self.id(), name, flags, loc)
    }

    fn add_to(&mut self, id: ScopeId, name: &Name, flags: u16, loc: Loc) -> Result {
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

    fn lookup(&self, id: ScopeId, name: &Name) -> u16 {
        let name = mangle(self.class.as_deref(), name);
        self.scopes[id]
            .symbols
            .get(&name)
            .map_or(0, |symbol| symbol.flags)
    }

    fn body(&mut self, body: &[Stmt]) -> Result {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result {
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

    fn function(&mut self, def: &Function, loc: Loc) -> Result {
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

    fn defaults(&mut self, params: &Params) -> Result {
        for param in params.positional().chain(&params.kwonly) {
            self.optional(param.default.as_ref())?;
        }
        Ok(())
    }

    fn params(&mut self, params: &Params) -> Result {
        for param in params.iter() {
            self.add(&param.name, PARAM, param.loc)?;
        }
        self.current().varargs = params.vararg.is_some();
        self.current().varkeywords = params.kwarg.is_some();
        Ok(())
    }

    fn annotation(&mut self, annotation: Option<&Annotation>) -> Result {
        match annotation {
            Some(Annotation::Expr(expr)) => self.expr(expr),
            Some(Annotation::Text(..)) | None => Ok(()),
        }
    }

    fn annotated(&mut self, target: &Expr, has_value: bool, simple: bool, loc: Loc) -> Result {
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

    fn import(&mut self, names: &[Alias]) -> Result {
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

    fn directive(&mut self, names: &[Name], flag: u16, word: &str, loc: Loc) -> Result {
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

    fn exprs(&mut self, exprs: &[Expr]) -> Result {
        exprs.iter().try_for_each(|expr| self.expr(expr))
    }

    fn keywords(&mut self, keywords: &[Keyword]) -> Result {
        keywords
            .iter()
            .try_for_each(|keyword| self.expr(&keyword.value))
    }

    fn optional(&mut self, expr: Option<&Expr>) -> Result {
        expr.map_or(Ok(()), |expr| self.expr(expr))
    }

    fn expr(&mut self, expr: &Expr) -> Result {
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

    fn yields(&mut self, loc: Loc) -> Result {
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
    fn walrus(&mut self, target: &Expr) -> Result {
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

    fn comp(&mut self, comp: &Comp, loc: Loc) -> Result {
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

    fn pattern(&mut self, pattern: &Pattern) -> Result {
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

    fn bind(&mut self, name: Option<&Name>, loc: Loc) -> Result {
        name.map_or(Ok(()), |name| self.add(name, LOCAL, loc))
    }
}
