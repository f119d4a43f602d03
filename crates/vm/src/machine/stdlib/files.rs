//! Files of the program. None exists, as in the sandbox: nothing on the machine is read.

use crate::code::Op;
use crate::machine::calls::call::Keywords;
use crate::machine::{Flow, Frame, Machine};
use crate::value::{Object, Value};

/// Maximum instructions that name the exceptions of an `except`.
pub(in crate::machine) const LONGEST_CLAUSE: usize = 12;

impl Machine {
    /// `open`. If the program handles a missing file, the file is missing; otherwise its contents
    /// are unknown.
    pub(in crate::machine) fn open_file(
        &mut self,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Flow {
        let unknown = Flow::Unsupported("open".to_string());
        let named = |name: &str| keywords.iter().find(|(key, _)| &**key == name);
        let (Some(Value::Str(_)), None) = (arguments.first(), named("file")) else {
            return unknown;
        };
        let mode = arguments.get(1).or(named("mode").map(|(_, mode)| mode));
        let reads = match mode {
            None => true,
            Some(Value::Str(mode)) => mode.starts_with('r'),
            Some(_) => false,
        };
        if !reads || !self.is_ready_for_exceptions() {
            return unknown;
        }
        let class = self.class_id("OSError");
        let parts = vec![
            Value::Int(2),
            Value::str("No such file or directory"),
            arguments[0].clone(),
        ];
        let (class, attributes) = self.exception_parts(class, parts);
        Flow::Raise(self.heap.make(Object::Instance {
            class,
            attributes,
            base: None,
        }))
    }

    /// Whether execution is inside a `try` with an `except`.
    pub(in crate::machine) fn is_ready_for_exceptions(&self) -> bool {
        self.frames.iter().any(Self::catches)
    }

    /// The same for one frame.
    pub(in crate::machine) fn catches(frame: &Frame) -> bool {
        let at = frame.next.saturating_sub(1);
        let handlers = frame.code.handlers.iter();
        let mut targets = handlers
            .filter(|h| (h.start as usize..h.end as usize).contains(&at))
            .filter_map(|h| frame.code.instructions.get(h.target as usize..));
        targets.any(|code| {
            let ops = code.iter().map(|instruction| instruction.op);
            let mut ops = ops.take(LONGEST_CLAUSE);
            ops.next() == Some(Op::PushExcInfo)
                && (code.get(1).is_some_and(|first| first.op == Op::PopTop)
                    || ops.any(|op| op == Op::CheckExcMatch))
        })
    }
}
