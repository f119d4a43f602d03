//! Errors in files that a program imports: they belong to those files.

use std::collections::BTreeMap;
use std::path::Path;

use codexec_data::trace::{SourceFile, Trace};

use crate::blame::blame;
use crate::evidence::{self, Given, Surroundings};
use crate::route::route;
use crate::{Elsewhere, Finding, Source};

/// The file with a number in a trace. `None` for the program itself.
pub(super) fn other_file(trace: &Trace, file: u32) -> Option<&SourceFile> {
    let own = trace.files.first()?;
    let found = trace.files.get(file as usize)?;
    (file > 0 && found.path != own.path).then_some(found)
}

/// Whether CPython's compiler decides it.
fn is_of_syntax(kind: &str) -> bool {
    matches!(kind, "SyntaxError" | "IndentationError" | "TabError")
}

/// Findings by file, line and kind.
#[derive(Debug, Default)]
pub(super) struct Others {
    texts: BTreeMap<String, String>,
    findings: BTreeMap<(String, u32, String), Finding>,
}

impl Others {
    /// Adds an error in a file. `lines` is the program's number of lines, `when` describes the
    /// circumstances.
    pub(super) fn add(
        &mut self,
        (trace, file): (&Trace, &SourceFile),
        lines: usize,
        (exception, message, line): (&str, &str, u32),
        (probability, of_call): (f64, bool),
        when: Option<String>,
    ) {
        let text = file.source.clone().unwrap_or_default();
        let same = |other: &SourceFile| other.path == file.path;
        let number = trace.files.iter().position(same).unwrap_or_default();
        let number = u32::try_from(number).unwrap_or_default();
        let key = (file.path.clone(), line, exception.to_owned());
        let found = self.findings.entry(key).or_insert_with(|| {
            let blamed = blame(&text, trace, (exception, message, line));
            Finding {
                kind: exception.to_owned(),
                line,
                column: blamed.column,
                end_line: blamed.end_line,
                end_column: blamed.end_column,
                probability: 0.0,
                message: message.to_owned(),
                values: blamed.values,
                when,
                calls: route(trace, number, lines),
                evidence: None,
                of_call,
            }
        });
        found.probability = match of_call {
            true => found.probability.max(probability),
            false => (found.probability + probability).min(1.0),
        };
        self.texts.entry(file.path.clone()).or_insert(text);
    }

    /// All of them, by file. `source` is the program that imports them.
    pub(super) fn found(self, source: &Source) -> Vec<Elsewhere> {
        let beside = Path::new(&source.path).parent().unwrap_or(Path::new(""));
        let root = source.project.as_ref().map(|place| place.root.as_path());
        let root = root.unwrap_or(beside);
        let around = |(path, text): (&String, &String)| {
            let found = Surroundings::of(text, &root.join(path), Some(root));
            (path.clone(), found)
        };
        let around: BTreeMap<String, Surroundings> = self.texts.iter().map(around).collect();
        let mut all: Vec<Elsewhere> = Vec::new();
        for ((path, ..), mut finding) in self.findings {
            if let Some(around) = around.get(&path).filter(|_| !is_of_syntax(&finding.kind)) {
                // Such a call has no arguments.
                let call = finding.of_call.then_some(Given::Nothing);
                let raised = (
                    finding.kind.as_str(),
                    finding.message.as_str(),
                    finding.line,
                );
                let evidence = evidence::evidence(around, call, raised);
                finding.probability = finding.probability.min(evidence::figure(&evidence));
                finding.evidence = Some(evidence);
            }
            match all.last_mut().filter(|last| last.path == path) {
                Some(last) => last.findings.push(finding),
                None => all.push(Elsewhere {
                    text: self.texts.get(&path).cloned().unwrap_or_default(),
                    path,
                    findings: vec![finding],
                }),
            }
        }
        all
    }
}
