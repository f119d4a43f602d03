//! Facts of the world around a program that checking takes for granted, and may take back.
//!
//! A program that nobody said more of has no arguments on its command line, no input, no variables of its environment and
//! no files but those of its project. What it does then depends on that as soon as it looks. The machine keeps where it
//! looked; with [`Settings::open_world`](super::Settings) it gets a value of which nothing is known instead, so that an
//! end that stays the same depends on none of these.

use codexec_trace::syntax::taken_from;

use super::{Flow, Machine, Run};
use crate::machine::eval::eval_loop::broken;
use crate::value::Value;

/// What is taken for granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// Nothing follows the program on the command line.
    Arguments,
    /// A variable of the environment is not set.
    Environment,
    /// Standard input is empty.
    Input,
    /// A file or directory is not there.
    Files,
    /// It is the beginning of the sandbox's time.
    Clock,
}

/// A fact that a program looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    /// What it is.
    pub fact: Fact,
    /// Which one: the variable, the path; empty where there is only one.
    pub what: String,
}

impl Machine {
    /// Notes that the program looks at a fact. Gives whether nothing is known of it.
    pub(super) fn assumes(&mut self, fact: Fact, what: &str) -> bool {
        if !self.settings.unknown {
            return false;
        }
        let is_new = !self
            .doubts
            .assumed
            .iter()
            .any(|one| one.fact == fact && one.what == what);
        if is_new {
            self.doubts.assumed.push(Assumed {
                fact,
                what: what.to_owned(),
            });
        }
        self.settings.open_world
    }

    /// Notes that the program looks whether its input has an end, where none is given.
    pub(super) fn assumes_input(&mut self) -> bool {
        !self.library.given.has_input && self.assumes(Fact::Input, "")
    }

    /// `sys.argv`
    pub(super) fn arguments(&mut self) -> Value {
        if self.library.given.arguments.len() < 2 && self.assumes(Fact::Arguments, "") {
            return self.unknown_module("sys.argv");
        }
        let texts = self.library.given.arguments.iter();
        let texts = texts.map(|text| Value::str(text)).collect();
        self.heap.list(texts)
    }

    /// Planning ends at a module that CPython 3.11 refuses and a later Python takes, where programs are checked.
    pub(super) fn refuse_later(&self, module: &str, source: &str) -> Run<()> {
        if self.settings.unknown && taken_from(source).is_some() {
            let why = format!("module {module} is written for a later Python");
            return Err(Flow::Unsupported(why));
        }
        Ok(())
    }

    /// The facts that the program looked at so far, in order.
    pub fn assumed(&self) -> &[Assumed] {
        &self.doubts.assumed
    }

    /// `_assumes`: Notes that the program looks at a fact; whether nothing is known of it.
    pub(super) fn intrinsic_assumes(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [Value::Str(fact), what] = arguments else {
            return Err(broken("call"));
        };
        let fact = match &**fact {
            "environment" => Fact::Environment,
            "files" => Fact::Files,
            "clock" => Fact::Clock,
            _ => return Err(broken("call")),
        };
        let what = match what {
            Value::Str(what) => what.to_string(),
            _ => String::new(),
        };
        Ok(Some(Value::Bool(self.assumes(fact, &what))))
    }
}
