//! `codexec trace` with a language model that answers the planner's questions, and with answers that are kept.

use std::process::Output;

use super::*;
use crate::support::stdout;

/// Three operations that are asked: `split`, `strip`, `count`.
const WORDS: &str = "\
words = input().split()
longest = words[1].strip()
print(longest, longest.count('b'))
";

fn traced(dir: &Path, program: &str, more: &[&str]) -> Output {
    let path = dir.join("p.py");
    std::fs::write(&path, program).unwrap();
    // So that methods are asked.
    let other = ["--engine", "--no-fold", "--whole"];
    let fold: &[&str] = match other.iter().any(|option| more.contains(option)) {
        true => &[],
        false => &["--fold", "operators"],
    };
    codexec()
        .arg("trace")
        .arg(&path)
        .args(["--input", "a bbb cc", "--json"])
        .args(fold)
        .args(more)
        .env_remove("OPENAI_API_KEY")
        .env_remove("http_proxy")
        .env_remove("HTTP_PROXY")
        .env_remove("all_proxy")
        .env_remove("ALL_PROXY")
        .output()
        .unwrap()
}

fn by_server(dir: &Path, program: &str, server: &Server, more: &[&str]) -> Output {
    let mut all = vec!["--endpoint", &server.address, "--model", "tiny"];
    all.extend(more);
    traced(dir, program, &all)
}

fn value(text: &str) -> String {
    json!({"value": text, "changed": null, "raises": null, "message": null, "output": ""})
        .to_string()
}

fn good() -> Vec<Reaction> {
    ["['a', 'bbb', 'cc']", "'bbb'", "3"]
        .map(|text| reply(&[&value(text)]))
        .into()
}

fn document(run: &Output) -> Value {
    assert!(run.status.success(), "{}", stderr(run));
    serde_json::from_slice(&run.stdout).unwrap()
}

#[test]
fn a_language_model_answers_the_planner() {
    let server = Server::start(good());
    let dir = tempfile::tempdir().unwrap();
    let trace = document(&by_server(dir.path(), WORDS, &server, &[]));
    assert_eq!(trace["engine"], "predict");
    let name = trace["checkpoint"].as_str().unwrap();
    assert!(name.contains("tiny at http://127.0.0.1"), "{name}");
    assert_eq!(trace["outcome"]["kind"], "finished");
    let steps = trace["steps"].as_array().unwrap();
    assert_eq!(steps[2]["output"], "bbb 3\n");
    assert_eq!(steps[1]["state"]["longest"]["origin"], "predicted");
    let requests = server.requests();
    let asked: Vec<&str> = requests.iter().map(|(_, body)| content(body, 1)).collect();
    assert_eq!(
        asked,
        ["'a bbb cc'.split()", "'bbb'.strip()", "'bbb'.count('b')"]
    );
    let body = &requests[0].1;
    assert_eq!(body["response_format"]["type"], "json_object");
    assert!(content(body, 0).contains("\"changed\""));
}

#[test]
fn a_reply_that_is_no_answer_is_asked_for_once_more() {
    let mut reactions = good();
    reactions.insert(1, reply(&["I think that it is bbb."]));
    let server = Server::start(reactions);
    let dir = tempfile::tempdir().unwrap();
    let trace = document(&by_server(dir.path(), WORDS, &server, &[]));
    assert_eq!(trace["outcome"]["kind"], "finished");
    let requests = server.requests();
    assert_eq!(requests.len(), 4);
    let messages = requests[2].1["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 4);
    assert!(content(&requests[2].1, 3).starts_with("That is no answer: "));
    // Twice is enough: the trace ends there, and says why.
    let server = Server::start(vec![reply(&[&value("['a', 'b']")]), reply(&["no"])]);
    let run = by_server(dir.path(), WORDS, &server, &[]);
    let trace = document(&run);
    assert_eq!(server.requests().len(), 3);
    assert_eq!(trace["steps"].as_array().unwrap().len(), 1);
    let why = stderr(&run);
    assert!(
        why.contains("planning stopped, line 2: an answer that cannot be read"),
        "{why}"
    );
    // So does a request that the server does not take; others it may take.
    let server = Server::start(vec![answer(400, "", "{\"error\": \"too long\"}")]);
    let run = by_server(dir.path(), WORDS, &server, &[]);
    assert!(run.status.success());
    assert!(stderr(&run).contains("line 1: http://"), "{}", stderr(&run));
    assert!(stderr(&run).contains("too long"), "{}", stderr(&run));
}

#[test]
fn exceptions_and_changes_are_answered_too() {
    let object = |pairs: Value| reply(&[&pairs.to_string()]);
    let server = Server::start(vec![
        object(json!({"value": null, "changed": "[1, 2]"})),
        object(json!({"value": null, "raises": "IndexError", "message": "pop index out of range"})),
    ]);
    let dir = tempfile::tempdir().unwrap();
    let program = "xs = [1]\nxs.append(2)\nxs.pop(7)\n";
    let trace = document(&by_server(dir.path(), program, &server, &[]));
    assert_eq!(trace["steps"][1]["state"]["xs"]["text"], "[1, 2]");
    let outcome = &trace["outcome"];
    assert_eq!(
        (&outcome["kind"], &outcome["line"]),
        (&json!("raised"), &json!(3))
    );
    assert_eq!(outcome["message"], "pop index out of range");
}

#[test]
fn a_server_that_answers_nobody_ends_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(vec![answer(401, "", "no")]);
    let run = by_server(dir.path(), WORDS, &server, &[]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("status 401: no; is the key right"),
        "{}",
        stderr(&run)
    );
    let gone = closing();
    let more = ["--endpoint", &gone, "--model", "tiny", "--retries", "0"];
    let run = traced(dir.path(), WORDS, &more);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("did not answer a request"),
        "{}",
        stderr(&run)
    );
}

#[test]
fn kept_replies_are_not_asked_for_again() {
    let mut reactions = good();
    reactions.push(answer(500, "Retry-After: 0\r\n", ""));
    let server = Server::start(reactions);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("answers.jsonl");
    let more = ["--answers", file.to_str().unwrap()];
    let first = by_server(dir.path(), WORDS, &server, &more);
    let again = by_server(dir.path(), WORDS, &server, &more);
    assert_eq!(document(&first), document(&again));
    assert_eq!(server.requests().len(), 3);
    // Of another model.
    let more = [&more[..], &["--retries", "0"]].concat();
    let other = ["--endpoint", &server.address, "--model", "other"];
    let run = traced(dir.path(), WORDS, &[&other[..], &more[..]].concat());
    assert_eq!(run.status.code(), Some(1));
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn answers_of_the_network_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("answers.jsonl");
    let kept = ["--answers", file.to_str().unwrap()];
    let plain = document(&traced(dir.path(), WORDS, &[]));
    let lines = || std::fs::read_to_string(&file).unwrap().lines().count();
    assert_eq!(document(&traced(dir.path(), WORDS, &kept)), plain);
    let asked = lines();
    assert!(asked >= 1);
    assert_eq!(document(&traced(dir.path(), WORDS, &kept)), plain);
    assert_eq!(lines(), asked);
    // Answers are taken from the file: this one is another.
    let text = std::fs::read_to_string(&file).unwrap();
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert!(
        first["by"].as_str().unwrap().starts_with("steps "),
        "{first}"
    );
    let mut changed = first.clone();
    changed["answer"] = json!({"raised": {"kind": "KeyError", "args": ["made up"]}});
    let rest: Vec<&str> = text.lines().skip(1).collect();
    // And a line that was being written when a run was killed.
    let cut = &first.to_string()[..40];
    let replaced = format!("{changed}\n{}\n{cut}", rest.join("\n"));
    std::fs::write(&file, replaced.replace("\n\n", "\n")).unwrap();
    let trace = document(&traced(dir.path(), WORDS, &kept));
    assert_eq!(trace["outcome"]["exception"], "KeyError");
    assert_eq!(lines(), asked);
    // The answers of other weights are not these.
    let rounded = [&kept[..], &["--quantised"]].concat();
    let trace = document(&traced(dir.path(), WORDS, &rounded));
    assert_ne!(trace["outcome"]["exception"], "KeyError");
    assert!(lines() > asked);
}

#[test]
fn files_that_hold_something_else_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("notes.jsonl");
    for precious in ["precious\n", "{\"request\":\"1\",\"choices\":[]}\n"] {
        std::fs::write(&file, precious).unwrap();
        let run = traced(dir.path(), WORDS, &["--answers", file.to_str().unwrap()]);
        assert_eq!(run.status.code(), Some(1));
        let why = stderr(&run);
        assert!(why.contains("notes.jsonl: line 1: no kept answer"), "{why}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), precious);
    }
}

#[test]
fn options_of_servers_belong_to_engines_that_ask_one() {
    let dir = tempfile::tempdir().unwrap();
    for (more, want) in [
        (
            &["--endpoint", "http://h/v1"][..],
            "--endpoint needs a --model",
        ),
        (&["--key-env", "K"], "--key-env is for --endpoint"),
        (&["--retries", "2"], "--retries is for --endpoint"),
        (
            &["--endpoint", "http://h/v1", "--model", "m", "--quantised"],
            "--quantised does nothing with --endpoint",
        ),
        (
            &["--engine", "run", "--answers", "a"],
            "--answers does nothing with --engine run; it is for --engine plan or orca",
        ),
        (
            &["--whole", "--endpoint", "http://h"],
            "it is for --engine plan or orca",
        ),
        (&["--engine", "orca"], "--engine orca needs a --model"),
        (
            &["--engine", "orca", "--model", "m", "--no-fold"],
            "--no-fold does nothing",
        ),
    ] {
        let run = traced(dir.path(), "x = 1\n", more);
        assert_eq!(run.status.code(), Some(2), "{more:?}");
        assert!(stderr(&run).contains(want), "{}", stderr(&run));
        assert_eq!(stdout(&run), "");
    }
    let run = traced(dir.path(), "x = 1\n", &["--engine", "orca", "--model", "m"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("no key in OPENAI_API_KEY"),
        "{}",
        stderr(&run)
    );
}
