//! The text of notes and findings.

use super::super::Finding;
use codexec_data::trace::Outcome;

/// Characters shown of an injected input.
const SHOWN: usize = 40;

/// Why a plan did not finish.
pub(super) fn limit(outcome: &Outcome) -> String {
    match outcome {
        Outcome::StepLimit => "not checked further: too many steps",
        Outcome::Timeout => "not checked further: takes too long",
        Outcome::InstructionLimit => "not checked further: too many instructions",
        Outcome::TraceLimit => "not checked further: its states are too large",
        Outcome::OutputLimit => "not checked further: too much output",
        Outcome::MemoryLimit => "not checked further: values are too large",
        _ => "not checked further",
    }
    .to_owned()
}

/// An input on one line.
pub(super) fn shown(input: &str) -> String {
    let text = format!("{:?}", input.trim_end());
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…\"", &text[..at]),
        None => text,
    }
}

/// If several functions lead to the same error, the most probable is named.
pub(super) fn distinct(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        let same = |other: &&mut Finding| other.line == finding.line && other.kind == finding.kind;
        match kept.iter_mut().find(same) {
            Some(other) if other.probability < finding.probability => *other = finding,
            Some(_) => {}
            None => kept.push(finding),
        }
    }
    kept
}
