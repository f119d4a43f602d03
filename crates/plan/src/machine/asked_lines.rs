//! Lines of the runtime whose operators are about the program's values: they end in `# asked`. Without folding they are
//! questions, as those of the program. All other operators of the runtime are the machine's own.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::Frame;

/// Where functions that are made of operators alone are written down.
const SOURCE: &str = include_str!("runtime/folded.py");

/// Whether what a frame of the runtime executes is asked without folding.
pub(super) fn is_asked(frame: &Frame) -> bool {
    static LINES: OnceLock<HashSet<(&str, u32)>> = OnceLock::new();
    LINES
        .get_or_init(|| marked(SOURCE))
        .contains(&(frame.code.name.as_str(), frame.line()))
}

/// Functions, and their lines with the mark.
fn marked(source: &str) -> HashSet<(&str, u32)> {
    let mut function = "";
    let mut lines = HashSet::new();
    for (number, line) in (1..).zip(source.lines()) {
        if let Some(name) = line.strip_prefix("def ") {
            function = name.split('(').next().unwrap_or_default();
        } else if line.ends_with("  # asked") {
            lines.insert((function, number));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_belong_to_their_functions() {
        let source = "def f(x):\n    if x > 0:  # asked\n        x = 1\n\n\ndef g(x):\n    return -x  # asked\n";
        assert_eq!(marked(source), HashSet::from([("f", 2), ("g", 7)]));
        assert!(marked(SOURCE).len() > 15);
    }
}
