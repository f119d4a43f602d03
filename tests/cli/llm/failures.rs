//! Requests that are refused, take too long, or cannot be sent.

use super::*;
use crate::support::stdout;

#[test]
fn requests_that_are_refused_end_their_program_alone() {
    const LONG: &str = "{\"error\": {\"message\": \"context length exceeded\"}}";
    // A later query: what is known stands.
    let server = Server::start(vec![
        reply(&[&response(&[], &[ROWS])]),
        answer(400, "", LONG),
    ]);
    let Some(known) = found(&server, &["--candidates", "1"]) else {
        return;
    };
    assert_eq!(known["coverage"]["covered"], 3);
    assert_eq!(known["usage"]["failed"], 1);
    // As it is, plainly, and no more.
    assert_eq!(server.requests().len(), 3);

    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a.py"), dir.path().join("b.py"));
    std::fs::write(&a, "print(one)\n").unwrap();
    std::fs::write(&b, "print(two)\n").unwrap();
    let one = ["--workers", "1", "--candidates", "1", "--retries", "0"];
    for (status, requests) in [(400, 3), (413, 3), (422, 3), (500, 2)] {
        let good = reply(&[&response(&[], &["one = two = 1"])]);
        let reactions = match requests {
            3 => vec![answer(status, "", LONG), answer(status, "", LONG), good],
            _ => vec![answer(status, "", LONG), good],
        };
        let server = Server::start(reactions);
        let run = prefixes_of(&[&a, &b], &server.address, &one);
        assert_eq!(run.status.code(), Some(1));
        let why = stderr(&run);
        assert!(why.contains("a.py: llm: http://"), "{why}");
        assert!(why.contains("context length exceeded"), "{why}");
        // Each has its row, the refused one too.
        let rows: Vec<Value> = stdout(&run)
            .lines()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect();
        assert_eq!(rows.len(), 2);
        assert!(
            rows[0]["id"].as_str().unwrap().ends_with("a.py"),
            "{rows:?}"
        );
        assert!(
            rows[1]["id"].as_str().unwrap().ends_with("b.py"),
            "{rows:?}"
        );
        assert_eq!(rows[1]["coverage"]["covered"], 1);
        assert_eq!(server.requests().len(), requests);
    }
    // A key that expires: what was found before is printed.
    let server = Server::start(vec![
        reply(&[&response(&[], &["one = two = 1"])]),
        answer(401, "", "{}"),
    ]);
    let run = prefixes_of(&[&a, &b], &server.address, &one);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("status 401"), "{}", stderr(&run));
    let found = stdout(&run);
    let found: Value = serde_json::from_str(found.lines().next().unwrap()).unwrap();
    assert_eq!(found["coverage"]["covered"], 1, "{found}");
    // A bad key is bad for all.
    let server = Server::start(vec![answer(401, "", "{}")]);
    let run = prefixes_of(&[&a, &b], &server.address, &one);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("status 401"), "{}", stderr(&run));
    for row in stdout(&run).lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        assert!(
            row["error"].as_str().unwrap().contains("status 401"),
            "{row}"
        );
    }
}

#[test]
fn requests_end_with_the_time_of_the_search() {
    // The first answer takes too long, or is put off too long: the program alone is tried.
    for reaction in [Reaction::Hang, answer(503, "Retry-After: 3000\r\n", "down")] {
        let server = Server::start(vec![reaction]);
        let dir = tempfile::tempdir().unwrap();
        let run = prefix_of(dir.path(), SNIPPET, &server.address, &["--seconds", "0.5"]);
        // What ran is shown, and why it is no more.
        assert_eq!(run.status.code(), Some(1));
        let why = stderr(&run);
        assert!(why.contains("p.py: llm: http://127.0.0.1:"), "{why}");
        assert!(why.contains("did not answer"), "{why}");
        let found: Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(found["tried"][0]["step"], "none");
        assert_eq!(found["usage"]["failed"], 1);
        assert_eq!(server.requests().len(), 1);
    }
    // A later one: what is known stands.
    let server = Server::start(vec![reply(&[&response(&[], &[ROWS])]), Reaction::Hang]);
    let known = found(&server, &["--seconds", "3", "--candidates", "1"]).unwrap();
    assert_eq!(known["coverage"]["covered"], 3);
}

#[test]
fn an_endpoint_that_is_not_there_is_named_whatever_the_program_misses() {
    let dir = tempfile::tempdir().unwrap();
    for (program, more) in [
        (SNIPPET, &["--retries", "0"][..]),
        (SNIPPET, &["--seconds", "0.7"]),
        // Nothing is missing: it is asked about the error alone.
        ("x = 1\nprint(1 / 0)\n", &["--seconds", "0.7"]),
        ("x = 1\nprint(1 / 0)\n", &["--retries", "0"]),
    ] {
        let run = prefix_of(dir.path(), program, "http://127.0.0.1:1/v1", more);
        assert_eq!(run.status.code(), Some(1), "{program} {more:?}");
        let why = stderr(&run);
        assert!(
            why.contains("http://127.0.0.1:1/v1/chat/completions did not answer"),
            "{why}"
        );
        assert_eq!(why.lines().count(), 1, "{why}");
    }
}

#[test]
fn programs_of_one_name_have_their_own_budgets() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("p.py");
    std::fs::write(&path, SNIPPET).unwrap();
    let server = Server::start(vec![reply(&[&response(&[], &["mode = 1"])])]);
    let more = ["--queries", "1", "--workers", "1", "--candidates", "1"];
    let run = prefixes_of(&[&path, &path], &server.address, &more);
    if !run.status.success() {
        skip(stderr(&run));
        return;
    }
    let text = String::from_utf8_lossy(&run.stdout);
    let usages: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["usage"]["queries"].clone())
        .collect();
    assert_eq!(usages, [1, 1]);
}

#[test]
fn keys_that_cannot_be_sent_are_refused() {
    for key in ["hu\nsh", "hu\u{e9}sh", "hu\tsh"] {
        let run = codexec()
            .args(["prefix", "Cargo.toml", "--generator", "llm", "--model", "m"])
            .args(["--key-env", "CODEXEC_TEST_KEY"])
            .env("CODEXEC_TEST_KEY", key)
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(1));
        let why = stderr(&run);
        assert!(why.contains("the key in CODEXEC_TEST_KEY has"), "{why}");
        assert!(!why.contains("hu"), "{why}");
    }
}

#[test]
fn what_fails_for_the_moment_is_asked_again() {
    let good = reply(&[&response(&["import math"], &[ROWS, "mode = \"fast\""])]);
    let server = Server::start(vec![
        answer(
            429,
            "Retry-After: 0\r\n",
            "{\"error\": {\"message\": \"slow down\"}}",
        ),
        answer(503, "Retry-After: 0\r\n", "down"),
        good,
    ]);
    let more = ["--candidates", "1", "--rounds", "0"];
    let Some(answered) = found(&server, &more) else {
        return;
    };
    assert_eq!(answered["usage"]["requests"], 3);
    assert_eq!(answered["coverage"]["covered"], 5);

    // For ever: an error with a next step.
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(vec![answer(
        500,
        "Retry-After: 0\r\n",
        "{\"error\": \"oom\"}",
    )]);
    let run = prefix_of(dir.path(), SNIPPET, &server.address, &["--retries", "2"]);
    assert_eq!(run.status.code(), Some(1));
    let why = stderr(&run);
    assert!(
        why.contains("sent 3 times: status 500: oom") && why.contains("--answers"),
        "{why}"
    );
    assert_eq!(server.requests().len(), 3);
    let run = prefix_of(dir.path(), SNIPPET, &closing(), &["--retries", "1"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("sent 2 times: "), "{}", stderr(&run));
    let server = Server::start(vec![Reaction::Hang]);
    let more = ["--retries", "0", "--request-timeout", "0.2"];
    let run = prefix_of(dir.path(), SNIPPET, &server.address, &more);
    assert!(stderr(&run).contains("timeout"), "{}", stderr(&run));

    // Once something is known, that is what is given.
    let server = Server::start(vec![
        reply(&[&response(&[], &[ROWS])]),
        answer(500, "Retry-After: 0\r\n", ""),
    ]);
    let more = ["--candidates", "1", "--retries", "1"];
    let known = found(&server, &more).unwrap();
    assert_eq!(known["usage"]["failed"], 1);
    assert_eq!(known["coverage"]["covered"], 3);
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn refusals_end_with_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    for (status, body, want) in [
        (
            401,
            "{\"error\": {\"message\": \"bad key\"}}",
            "status 401: bad key; is the key right",
        ),
        (
            404,
            "no such model",
            "status 404: no such model; is --endpoint right",
        ),
        (307, "", "status 307; name the address that it moved to"),
        (
            429,
            "{\"error\": {\"code\": \"insufficient_quota\"}}",
            "insufficient_quota",
        ),
    ] {
        let headers = "Location: http://127.0.0.1:1/\r\n";
        let server = Server::start(vec![answer(status, headers, body)]);
        let run = prefix_of(dir.path(), SNIPPET, &server.address, &[]);
        assert_eq!(run.status.code(), Some(1));
        assert!(stderr(&run).contains(want), "{}", stderr(&run));
        assert!(run.stdout.is_empty());
        assert_eq!(server.requests().len(), 1);
    }
    let run = prefix_of(dir.path(), SNIPPET, "ftp://x", &[]);
    assert!(
        stderr(&run).contains("ftp://x is no address"),
        "{}",
        stderr(&run)
    );
    let run = prefix_of(
        dir.path(),
        SNIPPET,
        "http://x",
        &["--key-env", "CODEXEC_NO_KEY"],
    );
    assert!(
        stderr(&run).contains("no key in CODEXEC_NO_KEY"),
        "{}",
        stderr(&run)
    );
}
