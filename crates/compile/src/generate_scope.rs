//! Code for scopes: modules, functions, classes, lambdas and comprehensions.

use indexmap::IndexSet;

use super::ast::*;
use super::generate::{Gen, Generator};
use super::generate_annotation::has_annotations;
use super::symbols::{Kind, Scope, ScopeKind};
use super::unit::*;
use crate::code::{Code, Constant, Op};

impl<'a> Generator<'a> {
    /// The code of a module.
    pub(crate) fn module(
        scopes: &'a [Scope],
        body: &'a [Stmt],
        future_line: i32,
        is_body: bool,
    ) -> Gen<Code> {
        let u = new_unit(&scopes[0], UnitKind::Module, 0, "<module>".into(), 1);
        let mut generator = Generator {
            scopes,
            outer: Vec::new(),
            u,
            future_line,
            is_body,
        };
        generator.u.loc = Loc { line: 0, col: 0 };
        generator.u.op_arg(Op::Resume, 0);
        generator.u.loc = Loc { line: 1, col: 0 };
        generator.body(body)?;
        Ok(super::assemble::assemble(generator.u, &scopes[0], true))
    }

    pub(crate) fn enter(&mut self, kind: UnitKind, scope: ScopeId, name: Name, line: i32) {
        let mut unit = new_unit(&self.scopes[scope], kind, scope, name, line);
        unit.class = self.u.class.clone();
        unit.qualname = self.qualname(&unit);
        unit.op_arg(Op::Resume, 0);
        self.outer.push(std::mem::replace(&mut self.u, unit));
    }

    pub(crate) fn qualname(&self, unit: &Unit) -> String {
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

    /// Returns to the enclosing unit. Gives the code of the finished one.
    pub(crate) fn leave(&mut self, add_none: bool) -> Code {
        let Some(outer) = self.outer.pop() else {
            return Code::default();
        };
        let unit = std::mem::replace(&mut self.u, outer);
        let scope = &self.scopes[unit.scope];
        super::assemble::assemble(unit, scope, add_none)
    }

    /// The body of a module or class.
    pub(crate) fn body(&mut self, body: &'a [Stmt]) -> Gen {
        if let (UnitKind::Module, Some(first)) = (self.u.kind, body.first()) {
            self.u.loc = first.loc;
        }
        if has_annotations(body) {
            self.u.op(Op::SetupAnnotations);
        }
        let mut rest = body;
        if docstring(body).is_some()
            && let Some((
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
        self.stmts(rest)
    }

    /// Makes a function of code, with a tuple of the cells that it needs.
    pub(crate) fn closure(&mut self, scope: ScopeId, code: Code, mut flags: usize) {
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

    pub(crate) fn apply_decorators(&mut self, decorators: &'a [Expr]) {
        let loc = self.u.loc;
        for decorator in decorators.iter().rev() {
            self.u.loc = decorator.loc;
            self.u.call(0);
        }
        self.u.loc = loc;
    }

    pub(crate) fn defaults(&mut self, params: &'a Params) -> Gen<usize> {
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

    pub(crate) fn check_params(&self, params: &Params) -> Gen {
        params
            .iter()
            .try_for_each(|param| self.forbid(&param.name, Ctx::Store))
    }

    pub(crate) fn set_params(&mut self, params: &Params) {
        self.u.posonly_arg_count = params.posonly.len() as u32;
        self.u.arg_count = (params.posonly.len() + params.args.len()) as u32;
        self.u.kwonly_arg_count = params.kwonly.len() as u32;
    }

    pub(crate) fn function(&mut self, def: &'a Function, loc: Loc) -> Gen {
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

    pub(crate) fn lambda(&mut self, lambda: &'a Lambda, loc: Loc) -> Gen {
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

    pub(crate) fn class(&mut self, def: &'a Class, loc: Loc) -> Gen {
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
        pushed: 0,
        frames: Vec::new(),
    }
}
