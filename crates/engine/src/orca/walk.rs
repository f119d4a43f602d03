//! A plan as a trace: the lines of the blocks that it visits, with the symbol tables as states.
//!
//! A plan holds less than a trace. Approximate are:
//! - the states inside a block: a table is valid after the block's last line; the lines before it show the
//!   values from before the block;
//! - the line of an exception: the last one of its block;
//! - functions: the graph does not look into them, so that a call is a step like any other;
//! - output and messages of exceptions, which a plan does not have.

use codexec_data::trace::{
    Engine, Event, Limit, Origin, Outcome, Program, State, Step, Trace, Value,
};

use super::blocks::Blocks;
use super::reply::{Entry, Plan};

/// The class of an exception that a reply does not name.
const SOME_EXCEPTION: &str = "Exception";

/// A trace, and why it stops before the end of the program if it does.
pub(super) fn trace_of(
    plan: &Plan,
    blocks: &Blocks,
    program: &Program,
    max_steps: usize,
) -> (Trace, Option<String>) {
    let mut trace = Trace::new(Engine::Orca, program.clone());
    let mut state = State::new();
    let mut stopped = None;
    let mut last = None;
    let crash = plan.error.as_ref();
    let crash_block = crash.and_then(|crash| crash.block);
    // A block reported to raise is visited, with or without a heading.
    let headings = plan.visits.iter().map(|v| (v.block, v.table.as_deref()));
    let more = crash_block.filter(|block| plan.visits.last().map(|v| v.block) != Some(*block));
    for (number, table) in headings.chain(more.map(|block| (block, None))) {
        let after = table.map(state_of);
        // A block that cannot follow itself: the model continues the same visit.
        if last == Some(number) && !blocks.repeats(number) {
            if let (Some(after), Some(step)) = (after, trace.steps.last_mut()) {
                step.state = after.clone();
                state = after;
            }
            continue;
        }
        let Some(block) = blocks.get(number) else {
            stopped = Some(format!(
                "the reply visits block {number}, which the program does not have"
            ));
            break;
        };
        let before = std::mem::replace(&mut state, after.unwrap_or_default());
        if table.is_none() {
            state = before.clone();
        }
        last = Some(number);
        for (k, statement) in block.statements.iter().enumerate() {
            let is_last = k + 1 == block.statements.len();
            trace.steps.push(Step {
                line: statement.line,
                event: Event::Line,
                function: "<module>".into(),
                depth: 0,
                file: 0,
                state: if is_last {
                    state.clone()
                } else {
                    before.clone()
                },
                output: String::new(),
                value: None,
                confidence: None,
            });
        }
        if trace.steps.len() > max_steps {
            trace.steps.truncate(max_steps);
            trace.truncated = true;
            trace.limit = Some(Limit::Steps(u32::try_from(max_steps).unwrap_or(u32::MAX)));
            trace.outcome = Outcome::StepLimit;
            return (trace, None);
        }
    }
    let ends = match last.and_then(|number| blocks.get(number)) {
        Some(block) => block.may_end(),
        None => blocks.is_empty(),
    };
    match crash {
        _ if stopped.is_some() => {}
        Some(crash) => {
            let block = last.and_then(|number| blocks.get(number));
            trace.outcome = Outcome::Raised {
                file: 0,
                exception: crash
                    .kind
                    .clone()
                    .unwrap_or_else(|| SOME_EXCEPTION.to_owned()),
                message: String::new(),
                line: block.map_or(1, |block| block.last_line()),
                step: u32::try_from(trace.steps.len())
                    .ok()
                    .and_then(|n| n.checked_sub(1)),
            };
        }
        None if plan.visits.is_empty() && !blocks.is_empty() => {
            stopped = Some("the reply visits no block".to_owned());
        }
        None if !ends => {
            let number = last.unwrap_or_default();
            stopped = Some(format!(
                "the reply ends in block {number}, from which the program goes on"
            ));
        }
        None => {}
    }
    if let Some(why) = &stopped {
        trace.truncated = true;
        trace.outcome = Outcome::Killed { why: why.clone() };
    }
    (trace, stopped)
}

/// A symbol table as a state; of a name that comes twice, the last value.
fn state_of(table: &[Entry]) -> State {
    let pairs = table.iter().map(|entry| {
        let text = canonical(&entry.value, &entry.kind);
        (entry.name.clone(), Value::new(text, Origin::Predicted))
    });
    pairs.collect()
}

/// The notation of a value without a literal; others are unchanged.
fn canonical<'v>(value: &'v str, kind: &str) -> &'v str {
    let kind = kind.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let is_named = |names: &[&str]| names.iter().any(|name| value.starts_with(name));
    if kind == "module" || is_named(&["<module"]) {
        "<module>"
    } else if is_named(&["<function", "<built-in", "<bound method"])
        || matches!(kind, "function" | "builtin_function_or_method" | "method")
    {
        "<function>"
    } else if is_named(&["<class"]) {
        "<class>"
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "n = 2\nt = 0\nwhile n:\n    n -= 1\n    t += n\nprint(t)\n";

    fn walked(reply: &str, max_steps: usize) -> (Trace, Option<String>) {
        let blocks = Blocks::of(PROGRAM).unwrap();
        trace_of(&Plan::read(reply), &blocks, &Program::default(), max_steps)
    }

    fn lines(trace: &Trace) -> Vec<u32> {
        trace.steps.iter().map(|step| step.line).collect()
    }

    #[test]
    fn blocks_become_lines_and_tables_states() {
        let reply = "Block: 1\nSymbol Table: {'n': (2, int), 't': (0, int)}\nBlock: 2\nBlock: 2\n\
                     Block: 3\nSymbol Table: {'n': (1, int), 'f': (<function f at 0x1>, function)}\n\
                     Block: 2\nBlock: 4\n<STOP>\n";
        let (trace, stopped) = walked(reply, 100);
        assert_eq!(stopped, None);
        assert_eq!(trace.engine, Engine::Orca);
        assert_eq!(trace.outcome, Outcome::Finished);
        assert_eq!(lines(&trace), [1, 2, 3, 4, 5, 3, 6]);
        assert!(trace.steps[0].state.is_empty());
        let value = |k: usize, name: &str| trace.steps[k].state.get(name).map(|v| v.text.as_str());
        assert_eq!(
            (value(1, "n"), value(2, "n"), value(3, "n")),
            (Some("2"), Some("2"), Some("2"))
        );
        assert_eq!((value(4, "n"), value(6, "n")), (Some("1"), Some("1")));
        assert_eq!(value(4, "f"), Some("<function>"));
        assert_eq!(
            trace.steps[1].state.get("n").unwrap().origin,
            Origin::Predicted
        );
    }

    #[test]
    fn an_exception_is_at_the_last_line_of_its_block() {
        let reply =
            "Block: 1\nBlock: 2\nBlock: 3\nIs Error: True\nError Type: NameError\nBlock: 3\n";
        let raised = |kind: &str, line, step| Outcome::Raised {
            file: 0,
            exception: kind.to_owned(),
            message: String::new(),
            line,
            step: Some(step),
        };
        assert_eq!(walked(reply, 100).0.outcome, raised("NameError", 5, 4));
        // In a block without a heading of its own, and without a class.
        let reply = "Block: 1\nIs Error: True\nError Type: NameError\nBlock: 2\n";
        let (trace, _) = walked(reply, 100);
        assert_eq!(
            (lines(&trace), trace.outcome),
            (vec![1, 2, 3], raised("NameError", 3, 2))
        );
        let (trace, _) = walked("Block: 1\nIs Error: True\n", 100);
        assert_eq!(trace.outcome, raised("Exception", 2, 1));
    }

    #[test]
    fn what_a_reply_leaves_open_is_said() {
        for (reply, want, steps) in [
            ("", "no block", 0),
            ("I cannot do that.", "no block", 0),
            ("Block: 1\nBlock: 2\nBlock: 3\n", "block 3, from which", 5),
            (
                "Block: 1\nBlock: 9\nBlock: 2\n",
                "block 9, which the program",
                2,
            ),
            ("Block: 1\nBlock: 0\n", "block 0, which", 2),
            (
                "Block: 1\nIs Error: True\nError Type: E\nBlock: 7",
                "block 7, which",
                2,
            ),
        ] {
            let (trace, stopped) = walked(reply, 100);
            assert!(stopped.unwrap().contains(want), "{reply}");
            assert!(trace.truncated && matches!(trace.outcome, Outcome::Killed { .. }));
            assert_eq!(trace.steps.len(), steps, "{reply}");
        }
        let (trace, stopped) = walked(&"Block: 2\nBlock: 3\n".repeat(50), 10);
        assert_eq!(
            (trace.steps.len(), trace.outcome, stopped),
            (10, Outcome::StepLimit, None)
        );
        assert_eq!(trace.limit, Some(Limit::Steps(10)));
    }

    #[test]
    fn an_error_without_any_block_is_an_exception_all_the_same() {
        let (trace, _) = walked("Is Error: True\n", 100);
        assert!(matches!(
            trace.outcome,
            Outcome::Raised {
                line: 1,
                step: None,
                ..
            }
        ));
    }
}
