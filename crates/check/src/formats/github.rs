//! Annotations in the log of a GitHub action: `::error file=a.py,line=2,col=7,…::ZeroDivisionError: division by zero`.
//!
//! Escapes are those of GitHub's toolkit (`@actions/core`, `command.ts`): `%`, line ends, and in properties `:` and `,`.

use std::fmt::Write;

use super::{Pair, percent, visible};

/// A line for each finding.
pub fn github(all: &[Pair<'_>]) -> String {
    let mut out = String::new();
    for (source, checked) in all {
        for finding in &checked.findings {
            let title = format!("{} ({})", finding.kind, percent(finding.probability));
            // Writing to a `String` does not fail.
            let _ = writeln!(
                out,
                "::error file={},line={},col={},endLine={},endColumn={},title={}::{}",
                property(&source.path),
                finding.line,
                finding.column,
                finding.end_line,
                finding.end_column,
                property(&title),
                data(&finding.sentence()),
            );
        }
    }
    out
}

fn data(text: &str) -> String {
    visible(text).replace('%', "%25")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Checked, Finding, Source};

    #[test]
    fn no_text_of_a_program_becomes_a_command_of_its_own() {
        let source = Source::new("a,b:\n::error::x.py", "");
        let checked = Checked {
            findings: vec![Finding {
                kind: "KeyError".to_owned(),
                line: 3,
                column: 2,
                end_line: 3,
                end_column: 5,
                probability: 0.75,
                message: "'100%\r\n::warning::'".to_owned(),
                values: None,
                when: None,
                calls: Vec::new(),
                evidence: None,
                of_call: false,
            }],
            ..Checked::default()
        };
        let text = github(&[(&source, &checked)]);
        assert_eq!(
            text,
            "::error file=a%2Cb%3A\\u{a}%3A%3Aerror%3A%3Ax.py,line=3,col=2,endLine=3,endColumn=5,\
             title=KeyError (75 %25)::KeyError: '100%25\\u{d}\\u{a}::warning::'\n"
        );
    }
}
