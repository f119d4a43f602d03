//! Through which calls an error is reached.

use std::collections::BTreeMap;

use codexec_data::trace::Trace;
use serde::Serialize;

/// A call that an error is reached through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallSite {
    /// The function that calls; `<module>` at the top of a file.
    pub function: String,
    /// Line of the call, from 1.
    pub line: u32,
    /// Its file relative to the root, if it differs from the error's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// The calls through which a trace's exception is reached, outermost first. `file` is the number of its file, `lines`
/// the program's number of lines, without appended calls.
pub(crate) fn route(trace: &Trace, file: u32, lines: usize) -> Vec<CallSite> {
    let mut frames = BTreeMap::new();
    for step in trace.until_raise() {
        frames.split_off(&step.depth);
        frames.insert(step.depth, step);
    }
    frames.pop_last();
    let is_own = |line: u32, file: u32| file > 0 || line as usize <= lines;
    let frames = frames.into_values();
    let frames = frames.filter(|step| step.line > 0 && is_own(step.line, step.file));
    let call = |step: &codexec_data::trace::Step| CallSite {
        function: step.function.to_string(),
        line: step.line,
        path: match step.file == file {
            true => None,
            false => trace
                .files
                .get(step.file as usize)
                .map(|file| file.path.clone()),
        },
    };
    frames.map(call).collect()
}

/// Maximum calls described in words.
const MOST: usize = 6;

/// Calls in words: `line 20, main (line 12), load (util.py:30)`. `None` if there are none.
pub(crate) fn words(calls: &[CallSite]) -> Option<String> {
    if calls.is_empty() {
        return None;
    }
    let one = |call: &CallSite| {
        let place = match &call.path {
            Some(path) => format!("{path}:{}", call.line),
            None => format!("line {}", call.line),
        };
        match call.function.as_str() {
            "<module>" => place,
            function => format!("{function} ({place})"),
        }
    };
    let mut words: Vec<String> = match calls.len() {
        ..=MOST => calls.iter().map(one).collect(),
        count => {
            let (first, last) = (&calls[..1], &calls[count - (MOST - 1)..]);
            let left_out = format!("… {} calls …", count - MOST);
            let first = first.iter().map(one);
            first
                .chain([left_out])
                .chain(last.iter().map(one))
                .collect()
        }
    };
    words[0].insert_str(0, "reached through ");
    Some(words.join(", "))
}
