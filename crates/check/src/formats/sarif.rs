//! Findings as SARIF 2.1.0 (OASIS standard, 27 March 2020): one run, a rule for each kind of error.
//!
//! Columns count characters, as declared by `columnKind`. Relative paths are URIs relative to the repository's root.
//! The probability is `rank`, from 0 to 100 (section 3.27.25).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Pair;
use crate::{Finding, Source};

/// Where the form is defined.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A log with one run.
pub fn sarif(all: &[Pair<'_>]) -> Value {
    let findings = || all.iter().flat_map(|(_, checked)| &checked.findings);
    let kinds: BTreeSet<&str> = findings().map(|finding| finding.kind.as_str()).collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    let rules: Vec<Value> = kinds.iter().map(|kind| rule(kind)).collect();
    let mut results = Vec::new();
    for (source, checked) in all {
        for finding in &checked.findings {
            let index = kinds.iter().position(|kind| *kind == finding.kind);
            let mut result = json!({
                "ruleId": finding.kind,
                "ruleIndex": index,
                "level": "error",
                "rank": (1000.0 * finding.probability).round() / 10.0,
                "message": { "text": finding.sentence() },
                "locations": [{
                    "physicalLocation": {
                        "artifactLocation": { "uri": uri(&source.path) },
                        "region": {
                            "startLine": finding.line,
                            "startColumn": finding.column,
                            "endLine": finding.end_line,
                            "endColumn": finding.end_column,
                        },
                    },
                }],
                "partialFingerprints": { "kindAndLine/v1": fingerprint(&source.text, &finding.kind, finding.line) },
                "properties": { "probability": finding.probability },
            });
            if !finding.calls.is_empty() {
                result["stacks"] = json!([stack(source, finding)]);
            }
            results.push(result);
        }
    }
    let notifications: Vec<Value> = all
        .iter()
        .flat_map(|(source, checked)| checked.notes.iter().map(move |note| (source, note)))
        .map(|(source, note)| {
            let mut place = json!({ "artifactLocation": { "uri": uri(&source.path) } });
            if let Some(line) = note.line {
                place["region"] = json!({ "startLine": line });
            }
            json!({
                "level": "note",
                "message": { "text": note.text },
                "locations": [{ "physicalLocation": place }],
            })
        })
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "codexec",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    })
}

/// The calls that a finding is reached through (section 3.44): the innermost first.
fn stack(source: &Source, finding: &Finding) -> Value {
    let frame = |path: &str, line: u32, function: Option<&str>| {
        let mut location = json!({
            "physicalLocation": {
                "artifactLocation": { "uri": uri(path) },
                "region": { "startLine": line },
            },
        });
        if let Some(function) = function {
            location["logicalLocations"] = json!([{ "name": function, "kind": "function" }]);
        }
        json!({ "location": location })
    };
    let callers = finding.calls.iter().rev().map(|call| {
        let path = call.path.as_deref().unwrap_or(&source.path);
        frame(path, call.line, Some(&call.function))
    });
    let own = frame(&source.path, finding.line, None);
    let frames: Vec<Value> = std::iter::once(own).chain(callers).collect();
    json!({ "frames": frames })
}

fn rule(kind: &str) -> Value {
    json!({
        "id": kind,
        "name": kind,
        "shortDescription": { "text": format!("The program probably ends with {kind}.") },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["correctness"] },
    })
}

/// Stable for a finding that only moved: from the kind and the text of the line.
fn fingerprint(source: &str, kind: &str, line: u32) -> String {
    let text = source.lines().nth((line as usize).saturating_sub(1));
    let bytes = format!("{kind}\n{}", text.unwrap_or_default().trim());
    format!("{:016x}", twox_hash::XxHash64::oneshot(0, bytes.as_bytes()))
}

/// A path as a URI: relative ones stay relative, others use the scheme `file` (RFC 3986).
fn uri(path: &str) -> String {
    let mut text = String::with_capacity(path.len() + 8);
    let path = path.strip_prefix("./").unwrap_or(path);
    if path.starts_with('/') {
        text.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => text.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Checked, Finding, Note, Source};

    fn log() -> Value {
        let source = Source::new("./a b/é.py", "x = 1\nprint(x / 0)\n");
        let checked = Checked {
            findings: vec![Finding {
                kind: "ZeroDivisionError".to_owned(),
                line: 2,
                column: 7,
                end_line: 2,
                end_column: 12,
                probability: 0.987,
                message: "division by zero".to_owned(),
                values: Some("1 / 0".to_owned()),
                when: None,
                calls: Vec::new(),
                evidence: None,
                of_call: false,
            }],
            notes: vec![Note {
                line: None,
                text: "not checked further".to_owned(),
            }],
            ..Checked::default()
        };
        sarif(&[(&source, &checked)])
    }

    /// The fields that the standard requires, by section.
    #[test]
    fn the_required_fields_are_there() {
        let log = log();
        // 3.13: sarifLog
        assert_eq!(log["version"], "2.1.0");
        assert!(log["$schema"].as_str().unwrap().contains("sarif"));
        let run = &log["runs"][0];
        // 3.14, 3.18, 3.19: run, tool, toolComponent
        assert_eq!(run["tool"]["driver"]["name"], "codexec");
        assert!(
            ["utf16CodeUnits", "unicodeCodePoints"].contains(&run["columnKind"].as_str().unwrap())
        );
        // 3.20: invocation
        assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
        for result in run["results"].as_array().unwrap() {
            // 3.27: result; 3.52.3: the rule that its index names has its id
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(
                run["tool"]["driver"]["rules"][index]["id"],
                result["ruleId"]
            );
            assert!(
                ["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap())
            );
            let rank = result["rank"].as_f64().unwrap();
            assert!((0.0..=100.0).contains(&rank));
            let place = &result["locations"][0]["physicalLocation"];
            assert!(place["artifactLocation"]["uri"].is_string());
            // 3.30: lines and columns are positive
            for field in ["startLine", "startColumn", "endLine", "endColumn"] {
                assert!(place["region"][field].as_u64().unwrap() > 0, "{field}");
            }
        }
        // 3.58: notification
        let note = &run["invocations"][0]["toolExecutionNotifications"][0];
        assert_eq!(note["message"]["text"], "not checked further");
    }

    #[test]
    fn paths_are_uris_and_a_moved_line_keeps_its_fingerprint() {
        let uri_of = |path: &str| uri(path);
        assert_eq!(uri_of("./a b/é.py"), "a%20b/%C3%A9.py");
        assert_eq!(uri_of("/x/a.py"), "file:///x/a.py");
        assert_eq!(uri_of("a%:#?.py"), "a%25%3A%23%3F.py");
        let moved = fingerprint("\n\n  print(x)\n", "TypeError", 3);
        assert_eq!(fingerprint("print(x)\n", "TypeError", 1), moved);
        assert_ne!(fingerprint("print(x)\n", "KeyError", 1), moved);
        assert_eq!(fingerprint("", "KeyError", 9).len(), 16);
    }
}
