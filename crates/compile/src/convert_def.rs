//! From ruff's tree to CPython's: functions, classes and parameters.

use ruff_python_ast as ruff;
use ruff_text_size::{Ranged, TextSize};

use super::CompileError;
use super::ast::*;
use super::convert::{Converter, Result};

impl Converter<'_> {
    /// Position of `def`, `async` or `class`.
    pub(crate) fn behind_decorators(&self, decorators: &[ruff::Decorator], start: TextSize) -> Loc {
        let Some(last) = decorators.last() else {
            return self.at(start);
        };
        let mut offset = last.end().to_usize();
        let bytes = self.source.as_bytes();
        while let Some(byte) = bytes.get(offset) {
            match byte {
                b'#' => {
                    while bytes
                        .get(offset)
                        .is_some_and(|byte| !matches!(byte, b'\n' | b'\r'))
                    {
                        offset += 1;
                    }
                }
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'\\' | b')' => offset += 1,
                _ => break,
            }
        }
        self.at(TextSize::new(offset as u32))
    }

    pub(crate) fn function(&mut self, def: &ruff::StmtFunctionDef, loc: Loc) -> Result<StmtKind> {
        if def.type_params.is_some() {
            return Err(CompileError::at(loc, "invalid syntax"));
        }
        let decorators = self.decorators(&def.decorator_list)?;
        let params = self.params(&def.parameters)?;
        let returns = def
            .returns
            .as_deref()
            .map(|node| self.annotation(node))
            .transpose()?;
        Ok(StmtKind::Function(Box::new(Function {
            scope: self.scope(),
            name: self.name(&def.name),
            params,
            returns,
            decorators,
            body: self.documented_body(&def.body)?,
            is_async: def.is_async,
        })))
    }

    pub(crate) fn class(&mut self, def: &ruff::StmtClassDef, loc: Loc) -> Result<StmtKind> {
        if def.type_params.is_some() {
            return Err(CompileError::at(loc, "invalid syntax"));
        }
        let decorators = self.decorators(&def.decorator_list)?;
        let bases = self.exprs(def.bases())?;
        let keywords = self.keywords(def.keywords())?;
        Ok(StmtKind::Class(Box::new(Class {
            scope: self.scope(),
            name: self.name(&def.name),
            bases,
            keywords,
            decorators,
            body: self.documented_body(&def.body)?,
        })))
    }

    pub(crate) fn decorators(&mut self, decorators: &[ruff::Decorator]) -> Result<Vec<Expr>> {
        decorators
            .iter()
            .map(|decorator| self.expr(&decorator.expression))
            .collect()
    }

    pub(super) fn params(&mut self, params: &ruff::Parameters) -> Result<Params> {
        Ok(Params {
            posonly: self.params_with_default(&params.posonlyargs)?,
            args: self.params_with_default(&params.args)?,
            vararg: self.variadic(params.vararg.as_deref())?,
            kwonly: self.params_with_default(&params.kwonlyargs)?,
            kwarg: self.variadic(params.kwarg.as_deref())?,
        })
    }

    pub(crate) fn params_with_default(
        &mut self,
        params: &[ruff::ParameterWithDefault],
    ) -> Result<Vec<Param>> {
        let mut converted = Vec::with_capacity(params.len());
        for param in params {
            let mut bare = self.param(&param.parameter)?;
            bare.default = self.optional(param.default.as_deref())?;
            converted.push(bare);
        }
        Ok(converted)
    }

    pub(crate) fn variadic(
        &mut self,
        param: Option<&ruff::Parameter>,
    ) -> Result<Option<Box<Param>>> {
        param
            .map(|param| self.param(param).map(Box::new))
            .transpose()
    }

    pub(crate) fn param(&mut self, param: &ruff::Parameter) -> Result<Param> {
        Ok(Param {
            loc: self.loc(param),
            name: self.name(&param.name),
            annotation: param
                .annotation
                .as_deref()
                .map(|node| self.annotation(node))
                .transpose()?,
            default: None,
        })
    }

    pub(crate) fn annotation(&mut self, node: &ruff::Expr) -> Result<Annotation> {
        if !self.texts {
            return Ok(Annotation::Expr(self.expr(node)?));
        }
        self.folding = false;
        let tree = self.expr(node);
        self.folding = true;
        Ok(Annotation::Text(super::unparse::annotation(&tree?).into()))
    }
}
