//! Code of calls.

use std::collections::HashMap;

use super::ast::*;
use super::generate::{Gen, Generator};
use super::generate_display::{Display, STACK_USE_GUIDELINE};
use super::symbols::IMPORT;
use crate::code::{Constant, Op};

impl<'a> Generator<'a> {
    pub(crate) fn call(
        &mut self,
        expr: &'a Expr,
        func: &'a Expr,
        args: &'a [Expr],
        keywords: &'a [Keyword],
    ) -> Gen {
        self.check_keywords(keywords)?;
        if let ExprKind::Attribute {
            value,
            attr,
            attr_loc,
            ctx: Ctx::Load,
        } = &func.kind
            && self.is_method_call(value, args, keywords)
        {
            self.expr(value)?;
            self.u.loc = func.loc;
            self.at_attribute(*attr_loc);
            let name = self.mangled(attr);
            self.u.op_name(Op::LoadMethod, name);
            self.exprs(args)?;
            self.keyword_values(keywords)?;
            self.u.loc = expr.loc;
            self.at_attribute(*attr_loc);
            self.u.call(args.len() + keywords.len());
            return Ok(());
        }
        self.u.loc = func.loc;
        self.u.op(Op::PushNull);
        self.u.loc = expr.loc;
        self.expr(func)?;
        self.arguments(0, args, keywords)
    }

    fn is_method_call(&self, object: &Expr, args: &[Expr], keywords: &[Keyword]) -> bool {
        // An import is most likely a module: its functions are not methods.
        if let ExprKind::Name { id, .. } = &object.kind {
            let symbol = self.scopes[0].symbols.get(id);
            if symbol.is_some_and(|symbol| symbol.flags & IMPORT != 0) {
                return false;
            }
        }
        let count = args.len() + keywords.len() + usize::from(!keywords.is_empty());
        count < STACK_USE_GUIDELINE
            && !args.iter().any(Expr::is_starred)
            && keywords.iter().all(|keyword| keyword.arg.is_some())
    }

    fn check_keywords(&mut self, keywords: &'a [Keyword]) -> Gen {
        let (mut seen, mut repeated) = (HashMap::new(), None);
        for (at, keyword) in keywords.iter().enumerate() {
            let Some(name) = &keyword.arg else {
                continue;
            };
            self.forbid(name, Ctx::Store)?;
            // CPython names the first repeated one.
            if let Some(first) = seen.insert(name, at)
                && repeated.is_none_or(|(known, _)| first < known)
            {
                repeated = Some((first, at));
            }
        }
        if let Some((_, at)) = repeated {
            self.u.loc = keywords[at].loc;
            let name = keywords[at].arg.as_deref().unwrap_or_default();
            return self.error(format!("keyword argument repeated: {name}"));
        }
        Ok(())
    }

    fn keyword_values(&mut self, keywords: &'a [Keyword]) -> Gen {
        if keywords.is_empty() {
            return Ok(());
        }
        for keyword in keywords {
            self.expr(&keyword.value)?;
        }
        let index = self.u.constants.index(names(keywords));
        self.u.op_arg(Op::KwNames, index);
        Ok(())
    }

    /// The arguments of a call and the call; `pushed` arguments are on the stack already.
    pub(crate) fn arguments(
        &mut self,
        pushed: usize,
        args: &'a [Expr],
        keywords: &'a [Keyword],
    ) -> Gen {
        self.check_keywords(keywords)?;
        let simple = args.len() + keywords.len() * 2 <= STACK_USE_GUIDELINE
            && !args.iter().any(Expr::is_starred)
            && keywords.iter().all(|keyword| keyword.arg.is_some());
        if simple {
            self.exprs(args)?;
            self.keyword_values(keywords)?;
            self.u.call(pushed + args.len() + keywords.len());
            return Ok(());
        }
        match args {
            [
                Expr {
                    kind: ExprKind::Starred { value, .. },
                    ..
                },
            ] if pushed == 0 => {
                self.expr(value)?;
            }
            _ => self.display(args, pushed, Display::Tuple)?,
        }
        self.keyword_dict(keywords)?;
        self.u
            .op_arg(Op::CallFunctionEx, usize::from(!keywords.is_empty()));
        Ok(())
    }

    fn keyword_dict(&mut self, keywords: &'a [Keyword]) -> Gen {
        let mut have_dict = false;
        let mut pending = 0;
        for (at, keyword) in keywords.iter().enumerate() {
            if keyword.arg.is_some() {
                pending += 1;
                continue;
            }
            if pending > 0 {
                self.keyword_part(&keywords[at - pending..at], have_dict)?;
                have_dict = true;
                pending = 0;
            }
            if !have_dict {
                self.u.op_arg(Op::BuildMap, 0);
                have_dict = true;
            }
            self.expr(&keyword.value)?;
            self.u.op_arg(Op::DictMerge, 1);
        }
        if pending > 0 {
            self.keyword_part(&keywords[keywords.len() - pending..], have_dict)?;
        }
        Ok(())
    }

    fn keyword_part(&mut self, keywords: &'a [Keyword], have_dict: bool) -> Gen {
        let count = keywords.len();
        let big = count * 2 > STACK_USE_GUIDELINE;
        if count > 1 && !big {
            for keyword in keywords {
                self.expr(&keyword.value)?;
            }
            self.u.load(names(keywords));
            self.u.op_arg(Op::BuildConstKeyMap, count);
        } else {
            if big {
                self.u.push(Op::BuildMap.into(), 0, 0, -1);
            }
            for keyword in keywords {
                if let Some(name) = &keyword.arg {
                    self.u.load(Constant::Str(name.clone()));
                }
                self.expr(&keyword.value)?;
                if big {
                    self.u.push(Op::MapAdd.into(), 1, 0, -1);
                }
            }
            if !big {
                self.u.op_arg(Op::BuildMap, count);
            }
        }
        if have_dict {
            self.u.op_arg(Op::DictMerge, 1);
        }
        Ok(())
    }
}

fn names(keywords: &[Keyword]) -> Constant {
    let names = keywords.iter().filter_map(|keyword| keyword.arg.clone());
    Constant::Tuple(names.map(Constant::Str).collect())
}
