//! `--engine orca` against the local server.

use std::process::Output;

use super::*;

const PROGRAM: &str = "\
n = int(input())
while n > 0:
    n -= 1
print(m)
";

const PLAN: &str = "\
Block: 1
Observation: n is read.
Reasoning: nothing raises.
Action: go on to block 2.
Symbol Table: {'n': (1, int)}
Is Error: False

Block: 2
Symbol Table: {'n': (1, int)}
Is Error: False

Block: 3
Symbol Table: {'n': (0, int)}
Is Error: False

Block: 2
Symbol Table: {'n': (0, int)}
Is Error: False

Block: 4
Reasoning: m is not defined.
Symbol Table: {'n': (0, int)}
Is Error: True
Error Type: NameError
Block: 4
<STOP>
";

fn asked(command: &str, files: &[&str], server: &Server, more: &[&str]) -> Output {
    codexec()
        .arg(command)
        .args(files)
        .args(["--engine", "orca", "--model", "tiny"])
        .args(["--endpoint", &server.address])
        .args(more)
        .env_remove("OPENAI_API_KEY")
        .env_remove("http_proxy")
        .env_remove("HTTP_PROXY")
        .env_remove("all_proxy")
        .env_remove("ALL_PROXY")
        .output()
        .unwrap()
}

fn traced(program: &str, server: &Server, more: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("p.py");
    std::fs::write(&path, program).unwrap();
    asked("trace", &[path.to_str().unwrap()], server, more)
}

#[test]
fn a_plan_becomes_a_trace() {
    let server = Server::start(vec![reply(&[PLAN])]);
    let run = traced(PROGRAM, &server, &["--input", "1\n", "--json"]);
    assert!(run.status.success(), "{}", stderr(&run));
    let trace: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(trace["engine"], "orca");
    assert!(
        trace["checkpoint"]
            .as_str()
            .unwrap()
            .starts_with("tiny at http://")
    );
    let steps = trace["steps"].as_array().unwrap();
    let lines: Vec<u64> = steps.iter().map(|s| s["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 2, 3, 2, 4]);
    assert_eq!(
        steps[2]["state"]["n"],
        json!({"type": "int", "text": "0", "origin": "predicted"})
    );
    let outcome =
        json!({"kind": "raised", "exception": "NameError", "message": "", "line": 4, "step": 4});
    assert_eq!(trace["outcome"], outcome);
    let body = &server.requests()[0].1;
    assert!(body.get("response_format").is_none());
    for section in [
        "# Role",
        "Observation:",
        "Symbol Table:",
        "Is Error: True",
        "<STOP>",
    ] {
        assert!(content(body, 0).contains(section), "{section}");
    }
    let graph = content(body, 1);
    assert!(graph.starts_with("# Control-flow graph\nBlock: 1\n"));
    let second = "Block: 2\nStatement:\n    while n > 0:\nNext, if True: Go to Block: 3\nNext, if False: Go to Block: 4\n";
    assert!(
        graph.contains(second) && graph.ends_with("# Standard input\n1"),
        "{graph}"
    );
    // The text form reads what the JSON form writes.
    let text = traced(PROGRAM, &server, &["--input", "1\n"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(
        text.contains("NameError") && text.contains("n = 0"),
        "{text}"
    );
}

#[test]
fn replies_that_are_no_plan_say_why_the_trace_stops() {
    for (said, want) in [
        ("I cannot do that.", "the reply visits no block"),
        ("", "the reply visits no block"),
        (
            "Block: 1\nSymbol Table: {'n': (",
            "the reply ends in block 1",
        ),
        ("Block: 1\nBlock: 77\n", "the reply visits block 77"),
    ] {
        let server = Server::start(vec![reply(&[said])]);
        let run = traced(PROGRAM, &server, &["--input", "1", "--json"]);
        assert!(run.status.success(), "{}", stderr(&run));
        assert!(
            stderr(&run).contains(&format!("planning stopped, {want}")),
            "{}",
            stderr(&run)
        );
        let trace: Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(trace["outcome"]["kind"], "killed");
    }
    let server = Server::start(vec![reply(&[PLAN])]);
    let run = traced("x = = 1\n", &server, &[]);
    assert_eq!(run.status.code(), Some(1));
    assert_eq!(server.requests().len(), 0);
    let server = Server::start(vec![answer(404, "", "no such model")]);
    let run = traced(PROGRAM, &server, &[]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("no such model"), "{}", stderr(&run));
}

#[test]
fn kept_replies_are_scored_again_without_the_server() {
    let dir = tempfile::tempdir().unwrap();
    let (set, file) = (
        dir.path().join("set.json"),
        dir.path().join("answers.jsonl"),
    );
    let program = json!({"p_s": {
        "code": "n = 1\nwhile n > 0:\n    n -= 1\nprint(m)",
        "ground_truth_execution_order": [1, 2, 3, 2, 4],
        "exception_info": {"class": "<class 'NameError'>", "message": "x"},
        "ground_truth_blocks": [
            {"block": 1, "state": [{"n": "1"}]}, {"block": 2, "state": [{"n": "1"}]},
            {"block": 3, "state": [{"n": "1"}]}, {"block": 2, "state": [{"n": "0"}]},
            {"block": 4, "state": [{"n": "0"}]},
        ],
        "cfg_block_range": {
            "1": {"range": [1, 1]}, "2": {"range": [2, 2]}, "3": {"range": [3, 3]},
            "4": {"range": [4, 4]},
        },
    }});
    std::fs::write(&set, program.to_string()).unwrap();
    let server = Server::start(vec![reply(&[PLAN]), answer(500, "Retry-After: 0\r\n", "")]);
    let files = ["--data", set.to_str().unwrap()];
    let more = [
        "--json",
        "--bootstrap",
        "0",
        "--answers",
        file.to_str().unwrap(),
    ];
    let run = asked("eval", &files, &server, &more);
    assert!(run.status.success(), "{}", stderr(&run));
    let again = asked("eval", &files, &server, &more);
    assert_eq!(run.stdout, again.stdout);
    assert_eq!(server.requests().len(), 1);
    assert!(content(&server.requests()[0].1, 1).starts_with("# Imports\n"));
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    let tables = found["sets"][0]["tables"].as_array().unwrap();
    let blocks = tables
        .iter()
        .find(|t| t["title"].as_str().unwrap().contains("on blocks"));
    let row = &blocks.unwrap()["rows"][0];
    assert!(
        row["engine"]
            .as_str()
            .unwrap()
            .starts_with("orca: tiny at "),
        "{row}"
    );
    let scores = row["scores"].as_array().unwrap();
    let scores: Vec<f64> = scores
        .iter()
        .map(|s| s["value"].as_f64().unwrap())
        .collect();
    assert_eq!(scores, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.8, 1.0, 1.0]);
}
