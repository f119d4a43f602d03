//! Programs that do not parse: place and words are those of CPython 3.11, which `make_syntax_errors.py` asked.

#![allow(clippy::unwrap_used)] // A test that cannot read its file may panic.

use codexec_data::syntax::with_parsed;
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    source: String,
    line: u32,
    column: u32,
    message: String,
}

#[test]
fn what_is_wrong_is_said_as_cpython_says_it() {
    let mut wrong = Vec::new();
    let rows: Vec<Row> = include_str!("syntax_errors.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(rows.len() > 400);
    for row in &rows {
        let said = with_parsed(&row.source, |_| ()).map_err(|e| (e.line, e.column, e.message));
        let expected = (row.line, row.column, row.message.clone());
        if said.as_ref() != Err(&expected) {
            wrong.push(format!("{:?}: {expected:?}, not {said:?}", row.source));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
