//! Code equals that of CPython 3.11, as `dump_code.py` writes it.

mod support;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};

use serde_json::Value;

/// Compares records of `dump_code.py`: how many of each file are equal, and the first differences.
fn compare(records: impl BufRead) -> (BTreeMap<String, (usize, usize)>, Vec<String>) {
    let mut counts = BTreeMap::new();
    let mut differences = Vec::new();
    for line in records.lines() {
        let record: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let (file, id) = (
            record["file"].as_str().unwrap(),
            record["id"].as_str().unwrap(),
        );
        let ours = codexec_plan::compile::compile(record["source"].as_str().unwrap());
        let found = match (ours, record.get("code")) {
            (Ok(code), Some(theirs)) => support::difference("", &support::code(&code), theirs),
            (Err(error), Some(_)) => Some(format!("ours fails: {error}")),
            (Ok(_), None) => Some(format!("ours does not fail with {}", record["error"])),
            (Err(_), None) => None,
        };
        let folder = file.rsplit_once('/').map_or(file, |(folder, _)| folder);
        let group = if file.ends_with(".py") { folder } else { file };
        let count: &mut (usize, usize) = counts.entry(group.to_string()).or_default();
        count.1 += 1;
        match found {
            None => count.0 += 1,
            Some(text) => differences.push(format!("{id}: {text}")),
        }
    }
    (counts, differences)
}

/// Compares what `CODEXEC_CODE_DUMP`, written by `dump_code.py`, holds.
#[test]
#[ignore = "needs a dump made by CPython 3.11"]
fn equals_a_dump() {
    let Ok(path) = std::env::var("CODEXEC_CODE_DUMP") else {
        eprintln!("skipped: CODEXEC_CODE_DUMP names no dump");
        return;
    };
    let file = std::fs::File::open(path).unwrap();
    let (counts, differences) = compare(BufReader::new(file));
    for difference in &differences {
        println!("{difference}");
    }
    for (file, (equal, all)) in counts {
        println!("{equal} of {all} equal: {file}");
    }
}
