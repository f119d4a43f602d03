//! The program: its input and output, its names, and text that it evaluates.

use std::sync::Arc;

use crate::machine::calls::builtins::done;
use crate::machine::calls::call::Keywords;
use crate::machine::{Flow, Machine, Run};
use crate::value::Value;

impl Machine {
    /// `__build_class__`
    pub(super) fn builtin_build_class(
        &mut self,
        _name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        self.build_class(arguments, keywords)?;
        Ok(Some(None))
    }

    /// `print`
    pub(super) fn builtin_print(
        &mut self,
        _name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        self.print(arguments, keywords).map(Some)
    }

    /// `input`
    pub(super) fn builtin_input(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        self.input_call(arguments).map(Some)
    }

    /// `open`
    pub(super) fn builtin_open(
        &mut self,
        _name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [Value::Int(0)] => done(self.builtin("sys.stdin")),
            [Value::Int(0), Value::Str(mode)] if keywords.is_empty() => {
                let is_binary = mode.contains('b');
                done(self.builtin(["sys.stdin", "sys.stdin.buffer"][usize::from(is_binary)]))
            }
            _ => Ok(None),
        }
    }

    /// `open`, `io.open`
    pub(super) fn builtin_open_file(
        &mut self,
        _name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match self.library_name("", &"_mem_open".into()) {
            Some(_) => self
                .prelude_call("_mem_open", arguments.to_vec(), keywords.clone())
                .map(Some),
            None => Err(self.open_file(arguments, keywords)),
        }
    }

    /// `exit`, `quit`, `sys.exit`
    pub(super) fn builtin_exit(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        Err(self.raise_with("SystemExit", arguments.to_vec()))
    }

    /// `sys.setrecursionlimit`
    pub(super) fn builtin_sys_setrecursionlimit(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [Value::Int(limit)] if i32::try_from(*limit).is_err() => {
                let message = "Python int too large to convert to C int";
                Err(self.raise("OverflowError", message))
            }
            [Value::Int(limit)] if *limit < 1 => {
                let message = "recursion limit must be greater or equal than 1";
                Err(self.raise("ValueError", message))
            }
            [Value::Int(limit)] => {
                self.budget.recursion_limit = usize::try_from(*limit).unwrap_or(1000);
                done(Value::None)
            }
            _ => Ok(None),
        }
    }

    /// `gc.collect`
    pub(super) fn builtin_gc_collect(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [] => self.collect().map(|number| Some(Some(number))),
            _ => Ok(None),
        }
    }

    /// `sys.getrecursionlimit`
    pub(super) fn builtin_sys_getrecursionlimit(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [] => done(Value::Int(self.budget.recursion_limit as i64)),
            _ => Ok(None),
        }
    }

    /// `iter`
    pub(super) fn builtin_iter(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value] => self.iter(value).map(|it| Some(Some(it))),
            [_, _] => self
                .prelude_call("_iter_until", arguments.to_vec(), Vec::new())
                .map(Some),
            _ => Ok(None),
        }
    }

    /// `next`
    pub(super) fn builtin_next(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [it] => self.next_of(it, None).map(Some),
            [it, default] => self.next_of(it, Some(default.clone())).map(Some),
            _ => Ok(None),
        }
    }

    /// `compile`
    pub(super) fn builtin_compile(
        &mut self,
        _name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        let knows_keywords = |(name, value): &(Arc<str>, Value)| {
            &**name == "_feature_version" && *value == Value::Int(-1)
        };
        if keywords.iter().all(knows_keywords)
            && let Some(tree) = self.syntax_tree(arguments)?
        {
            return done(tree);
        }
        match arguments {
            [Value::Str(_), ..] if keywords.is_empty() => done(self.compiled(arguments)?),
            _ => Ok(None),
        }
    }

    /// `eval`, `exec`
    pub(super) fn builtin_evaluate_code(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [Value::Object(_), ..] if keywords.is_empty() => {
                self.evaluate(name, arguments).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `eval`, `exec`, `ast.literal_eval`
    pub(super) fn builtin_evaluate_text(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [Value::Str(_), ..]
                if keywords.is_empty()
                    && (name != "ast.literal_eval" || self.settings.fold.methods()) =>
            {
                self.evaluate(name, arguments).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `globals`
    pub(super) fn builtin_globals(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [] => done(Value::Object(self.top()?.globals)),
            _ => Ok(None),
        }
    }

    /// `os.fstat`
    pub(super) fn builtin_os_fstat(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [Value::Int(0)] => self.input_stat().map(Some),
            _ => Ok(None),
        }
    }

    /// `locals`, `vars`
    pub(super) fn builtin_locals(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [] => self.locals().map(|dict| Some(Some(dict))),
            _ => Ok(None),
        }
    }

    /// `compile`, `locals`, `vars`, `dir`, `help`, `breakpoint`, `__import__`, `memoryview`,
    /// `aiter`
    pub(super) fn builtin_unsupported(
        &mut self,
        name: &str,
        _arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        Err(Flow::Unsupported(name.to_string()))
    }

    /// `itertools.chain.from_iterable`
    pub(super) fn builtin_itertools_chain_from_iterable(
        &mut self,
        _name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        self.prelude_call("_chain_of", arguments.to_vec(), keywords.clone())
            .map(Some)
    }

    /// `anext`
    pub(super) fn builtin_anext(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value] => match self.special(value, "__anext__") {
                Some(method) => Err(Flow::Call(method, Vec::new())),
                None => self
                    .prelude_call("_agen_next", vec![value.clone()], Vec::new())
                    .map(Some),
            },
            _ => Ok(None),
        }
    }
}
