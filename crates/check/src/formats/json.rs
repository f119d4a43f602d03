//! Findings as one JSON document. `docs/check.md` has the fields.

use serde_json::{Value, json as object};

use super::Pair;

/// The programs in order, each with its findings and its notes.
pub fn json(engine: &str, all: &[Pair<'_>]) -> Value {
    let files: Vec<Value> = all
        .iter()
        .map(|(source, checked)| {
            object!({
                "path": source.path,
                "error_probability": checked.error,
                "end": checked.end,
                "findings": checked.findings,
                "lines": checked.lines,
                "notes": checked.notes,
            })
        })
        .collect();
    object!({ "version": 1, "engine": engine, "files": files })
}
