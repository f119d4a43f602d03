//! Code of what has a scope of its own: modules, functions, classes, lambdas and comprehensions.

use indexmap::IndexSet;

use super::ast::*;
use super::generate::{Gen, Generator};
use super::symbols::{Kind, Scope, ScopeKind};
use super::unit::*;
use crate::code::{Code, Constant, Op};

impl<'a> Generator<'a> {
    /// The code of a module.
    pub fn module(scopes: &'a [Scope], body: &'a [Stmt], future_line: i32) -> Gen<Code> {
        let u = new_unit(&scopes[0], UnitKind::Module, 0, "<module>".into(), 1);
        let mut generator = Generator {
            scopes,
            outer: Vec::new(),
            u,
            future_line,
        };
        generator.u.loc = Loc { line: 0, col: 0 };
        generator.u.op_arg(Op::Resume, 0);
        generator.u.loc = Loc { line: 1, col: 0 };
        generator.body(body)?;
        Ok(super::assemble::assemble(generator.u, &scopes[0], true))
    }

    fn enter(&mut self, kind: UnitKind, scope: ScopeId, name: Name, line: i32) {
        let mut unit = new_unit(&self.scopes[scope], kind, scope, name, line);
        unit.class = self.u.class.clone();
        unit.qualname = self.qualname(&unit);
        unit.op_arg(Op::Resume, 0);
        self.outer.push(std::mem::replace(&mut self.u, unit));
    }

    fn qualname(&self, unit: &Unit) -> String {
        let parent = &self.u;
        let named = matches!(
            unit.kind,
            UnitKind::Function | UnitKind::AsyncFunction | UnitKind::Class
        );
        let global =
            named && self.scope().kind_of(&self.mangled(&unit.name)) == Kind::GlobalExplicit;
        if parent.kind == UnitKind::Module || global {
            return unit.name.to_string();
        }
        let function = matches!(
            parent.kind,
            UnitKind::Function | UnitKind::AsyncFunction | UnitKind::Lambda
        );
        let locals = if function { ".<locals>" } else { "" };
        format!("{}{locals}.{}", parent.qualname, unit.name)
    }

    /// Back to the unit around; gives the code of the one that is left.
    fn leave(&mut self, add_none: bool) -> Code {
        let Some(outer) = self.outer.pop() else {
            return Code::default();
        };
        let unit = std::mem::replace(&mut self.u, outer);
        let scope = &self.scopes[unit.scope];
        super::assemble::assemble(unit, scope, add_none)
    }

    /// The body of a module or class.
    fn body(&mut self, body: &'a [Stmt]) -> Gen {
        if let (UnitKind::Module, Some(first)) = (self.u.kind, body.first()) {
            self.u.loc = first.loc;
        }
        if has_annotations(body) {
            self.u.op(Op::SetupAnnotations);
        }
        let mut rest = body;
        if docstring(body).is_some() {
            if let Some((
                Stmt {
                    kind: StmtKind::Expr(text),
                    ..
                },
                others,
            )) = body.split_first()
            {
                self.expr(text)?;
                self.u.unset_loc();
                self.name(&"__doc__".into(), Ctx::Store)?;
                rest = others;
            }
        }
        self.stmts(rest)
    }

    /// Makes a function of code, with a tuple of the cells that it needs.
    fn closure(&mut self, scope: ScopeId, code: Code, mut flags: usize) {
        if !code.free_vars.is_empty() {
            for name in &code.free_vars {
                let is_cell = (self.u.kind == UnitKind::Class && &**name == "__class__")
                    || self.scope().kind_of(name) == Kind::Cell;
                let index = self.deref(name, is_cell);
                self.u.op_arg(Op::LoadClosure, index);
            }
            flags |= 8;
            self.u.op_arg(Op::BuildTuple, code.free_vars.len());
        }
        let index = self.u.constants.code_index(scope, code);
        self.u.op_arg(Op::LoadConst, index);
        self.u.op_arg(Op::MakeFunction, flags);
    }

    fn apply_decorators(&mut self, decorators: &'a [Expr]) {
        let loc = self.u.loc;
        for decorator in decorators.iter().rev() {
            self.u.loc = decorator.loc;
            self.u.call(0);
        }
        self.u.loc = loc;
    }

    fn defaults(&mut self, params: &'a Params) -> Gen<usize> {
        let mut flags = 0;
        let defaults: Vec<&'a Expr> = params
            .positional()
            .filter_map(|param| param.default.as_ref())
            .collect();
        if !defaults.is_empty() {
            for default in &defaults {
                self.expr(default)?;
            }
            self.u.op_arg(Op::BuildTuple, defaults.len());
            flags |= 1;
        }
        let mut keys = Vec::new();
        for param in &params.kwonly {
            if let Some(default) = &param.default {
                keys.push(Constant::Str(self.mangled(&param.name)));
                self.expr(default)?;
            }
        }
        if !keys.is_empty() {
            let count = keys.len();
            self.u.load(Constant::Tuple(keys.into()));
            self.u.op_arg(Op::BuildConstKeyMap, count);
            flags |= 2;
        }
        Ok(flags)
    }

    fn annotations(&mut self, params: &'a Params, returns: Option<&'a Annotation>) -> Gen<usize> {
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

    fn annotated(&mut self, name: &Name, annotation: &'a Annotation) -> Gen<usize> {
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

    fn annotation(&mut self, annotation: &'a Annotation) -> Gen {
        match annotation {
            Annotation::Expr(expr) => self.expr(expr)?,
            Annotation::Text(text) => self.u.load(Constant::Str(text.clone())),
        }
        Ok(())
    }

    fn check_params(&self, params: &Params) -> Gen {
        params
            .iter()
            .try_for_each(|param| self.forbid(&param.name, Ctx::Store))
    }

    fn set_params(&mut self, params: &Params) {
        self.u.posonly_arg_count = params.posonly.len() as u32;
        self.u.arg_count = (params.posonly.len() + params.args.len()) as u32;
        self.u.kwonly_arg_count = params.kwonly.len() as u32;
    }

    pub fn function(&mut self, def: &'a Function, loc: Loc) -> Gen {
        self.check_params(&def.params)?;
        self.exprs(&def.decorators)?;
        let line = def
            .decorators
            .first()
            .map_or(loc.line, |first| first.loc.line);
        let mut flags = self.defaults(&def.params)?;
        flags |= self.annotations(&def.params, def.returns.as_ref())?;
        let kind = if def.is_async {
            UnitKind::AsyncFunction
        } else {
            UnitKind::Function
        };
        self.enter(kind, def.scope, def.name.clone(), line);
        let doc = docstring(&def.body);
        self.u
            .constants
            .index(doc.map_or(Constant::None, |doc| Constant::Str(doc.clone())));
        self.set_params(&def.params);
        self.stmts(&def.body[usize::from(doc.is_some())..])?;
        let code = self.leave(true);
        self.closure(def.scope, code, flags);
        self.apply_decorators(&def.decorators);
        self.name(&def.name, Ctx::Store)
    }

    pub fn lambda(&mut self, lambda: &'a Lambda, loc: Loc) -> Gen {
        self.check_params(&lambda.params)?;
        let flags = self.defaults(&lambda.params)?;
        self.enter(UnitKind::Lambda, lambda.scope, "<lambda>".into(), loc.line);
        self.u.constants.index(Constant::None);
        self.set_params(&lambda.params);
        self.expr(&lambda.body)?;
        let generator = self.scope().generator;
        if !generator {
            self.u.op(Op::ReturnValue);
        }
        let code = self.leave(!generator);
        self.closure(lambda.scope, code, flags);
        Ok(())
    }

    pub fn class(&mut self, def: &'a Class, loc: Loc) -> Gen {
        self.exprs(&def.decorators)?;
        let line = def
            .decorators
            .first()
            .map_or(loc.line, |first| first.loc.line);
        self.enter(UnitKind::Class, def.scope, def.name.clone(), line);
        self.u.class = Some(def.name.clone());
        self.name(&"__name__".into(), Ctx::Load)?;
        self.name(&"__module__".into(), Ctx::Store)?;
        self.u.load(Constant::Str(self.u.qualname.as_str().into()));
        self.name(&"__qualname__".into(), Ctx::Store)?;
        self.body(&def.body)?;
        self.u.unset_loc();
        if self.scope().needs_class_closure {
            self.u.op_arg(Op::LoadClosure, 0);
            self.u.op_arg(Op::Copy, 1);
            self.name(&"__classcell__".into(), Ctx::Store)?;
        } else {
            self.u.load(Constant::None);
        }
        self.u.op(Op::ReturnValue);
        let code = self.leave(true);
        self.u.op(Op::PushNull);
        self.u.op(Op::LoadBuildClass);
        self.closure(def.scope, code, 0);
        self.u.load(Constant::Str(def.name.clone()));
        self.arguments(2, &def.bases, &def.keywords)?;
        self.apply_decorators(&def.decorators);
        self.name(&def.name, Ctx::Store)
    }

    pub fn comp(&mut self, comp: &'a Comp, loc: Loc) -> Gen {
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
        let may_be_async = matches!(around, UnitKind::AsyncFunction | UnitKind::Comprehension);
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

    fn comp_generator(&mut self, comp: &'a Comp, at: usize, mut depth: usize) -> Gen {
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

    fn comp_element(&mut self, comp: &'a Comp, depth: usize) -> Gen {
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

    pub fn ann_assign(
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

    fn evaluate(&mut self, expr: &'a Expr) -> Gen {
        self.expr(expr)?;
        self.u.op(Op::PopTop);
        Ok(())
    }

    fn evaluate_slice(&mut self, slice: &'a Expr) -> Gen {
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

fn new_unit<'a>(scope: &Scope, kind: UnitKind, id: ScopeId, name: Name, line: i32) -> Unit<'a> {
    let params: IndexSet<Name> = scope.params.iter().cloned().collect();
    let mut cells = scope.cells();
    // Parameters that are cells come first, as in `co_cellvars`.
    cells.sort_by_key(|cell| params.get_index_of(cell).unwrap_or(usize::MAX));
    if scope.needs_class_closure && scope.kind == ScopeKind::Class {
        cells.push("__class__".into());
    }
    Unit {
        kind,
        scope: id,
        qualname: name.to_string(),
        name,
        class: None,
        first_line: line,
        arg_count: 0,
        posonly_arg_count: 0,
        kwonly_arg_count: 0,
        loc: Loc { line, col: 0 },
        constants: Constants::default(),
        names: IndexSet::new(),
        var_names: params,
        cells: cells.into_iter().collect(),
        frees: scope.frees().into_iter().collect(),
        blocks: vec![Block::default()],
        current: 0,
        needs_block: false,
        frames: Vec::new(),
    }
}

/// Whether a body has annotated variables.
fn has_annotations(body: &[Stmt]) -> bool {
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
