//! Code of imports.

use super::ast::*;
use super::generate::{Gen, Generator};
use crate::code::{Constant, Op};

impl<'a> Generator<'a> {
    pub(crate) fn import(&mut self, names: &'a [Alias]) -> Gen {
        for alias in names {
            self.u.load(Constant::Int(0));
            self.u.load(Constant::None);
            let name = self.mangled(&alias.name);
            self.u.op_name(Op::ImportName, name);
            let mut parts = alias.name.split('.');
            let first: Name = parts.next().unwrap_or_default().into();
            let Some(asname) = &alias.asname else {
                self.name(&first, Ctx::Store)?;
                continue;
            };
            let mut deep = false;
            for part in parts {
                if deep {
                    self.u.op_arg(Op::Swap, 2);
                    self.u.op(Op::PopTop);
                }
                self.u.op_name(Op::ImportFrom, part.into());
                deep = true;
            }
            self.name(asname, Ctx::Store)?;
            if deep {
                self.u.op(Op::PopTop);
            }
        }
        Ok(())
    }

    pub(crate) fn import_from(
        &mut self,
        module: Option<&'a Name>,
        names: &'a [Alias],
        level: u32,
        loc: Loc,
    ) -> Gen {
        self.u.load(Constant::Int(i64::from(level)));
        if loc.line > self.future_line && module.is_some_and(|module| &**module == "__future__") {
            return self.error("from __future__ imports must occur at the beginning of the file");
        }
        let list: Vec<Constant> = names
            .iter()
            .map(|alias| Constant::Str(alias.name.clone()))
            .collect();
        self.u.load(Constant::Tuple(list.into()));
        let module = module.cloned().unwrap_or_else(|| "".into());
        let module = self.mangled(&module);
        self.u.op_name(Op::ImportName, module);
        for alias in names {
            if &*alias.name == "*" {
                self.u.op(Op::ImportStar);
                return Ok(());
            }
            let name = self.mangled(&alias.name);
            self.u.op_name(Op::ImportFrom, name);
            self.name(alias.asname.as_ref().unwrap_or(&alias.name), Ctx::Store)?;
        }
        self.u.op(Op::PopTop);
        Ok(())
    }
}
