//! Facts about a program's environment that checking assumes and may drop.
//!
//! A program of which nothing else is known has no command-line arguments, no input, no environment
//! variables, and no files except those of its project. Its execution depends on these facts as
//! soon as it looks at them. The machine records where it looks. With
//! [`Settings::open_world`](super::Settings) it gets an unknown value instead, so that an outcome
//! that stays the same depends on none of the facts.

use codexec_trace::syntax::taken_from;

use super::{Flow, Machine, Run};
use crate::machine::eval::eval_loop::broken;
use crate::value::Value;

/// An assumed fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// The program has no command-line arguments.
    Arguments,
    /// An environment variable is not set.
    Environment,
    /// Standard input is empty.
    Input,
    /// A file or directory does not exist.
    Files,
    /// The time is the start of the sandbox's clock.
    Clock,
}

/// A fact that a program looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    /// The fact.
    pub fact: Fact,
    /// The variable or the path that it is about. Empty if there is only one such fact.
    pub what: String,
}

impl Machine {
    /// Records that the program looks at a fact. Returns whether the fact is unknown.
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

    /// Records that the program checks whether its input ends, if no input is given.
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

    /// When programs are checked, ends planning at a module that CPython 3.11 refuses and a later
    /// Python accepts.
    pub(super) fn refuse_later(&self, module: &str, source: &str) -> Run<()> {
        if self.settings.unknown && taken_from(source).is_some() {
            let why = format!("module {module} is written for a later Python");
            return Err(Flow::Unsupported(why));
        }
        Ok(())
    }

    /// Returns the facts that the program has looked at so far, in order.
    pub fn assumed(&self) -> &[Assumed] {
        &self.doubts.assumed
    }

    /// `_assumes`: records that the program looks at a fact. Returns whether the fact is unknown.
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
