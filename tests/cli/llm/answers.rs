//! What is made of answers, well-formed or not.

use super::*;

#[test]
fn the_three_queries_of_the_paper_are_asked() {
    let server = Server::start(vec![
        // An error: `math` is missing.
        reply(&[&response(&[], &[ROWS, "mode = \"slow\""])]),
        // Mended, and one line is left.
        reply(&[&response(&["import math"], &[ROWS, "mode = \"slow\""])]),
        // The other branch.
        reply(&[&response(&["import math"], &[ROWS, "mode = \"fast\""])]),
    ]);
    let more = ["--candidates", "1", "--price", "2,10", "--seed", "7"];
    let Some(found) = found(&server, &more) else {
        return;
    };
    assert_eq!(found["generator"], "llm");
    assert_eq!(found["coverage"], json!({"covered": 7, "lines": 7}));
    let tried = found["tried"].as_array().unwrap();
    let steps: Vec<&Value> = tried.iter().map(|t| &t["step"]).collect();
    assert_eq!(steps, ["undefinedness", "error", "coverage"]);
    assert_eq!(tried[2]["parent"], 1);
    assert!(
        tried[1]["prefix"]
            .as_str()
            .unwrap()
            .starts_with("import math\nrows = ")
    );
    let usage = &found["usage"];
    assert_eq!(usage["requests"], 3);
    assert_eq!(usage["prompt_tokens"], 3000);
    assert!((usage["dollars"].as_f64().unwrap() - 0.009).abs() < 1e-9);

    let requests = server.requests();
    assert!(requests[0].0.starts_with("post /v1/chat/completions "));
    assert!(!requests[0].0.contains("authorization"));
    let bodies: Vec<&Value> = requests.iter().map(|(_, body)| body).collect();
    for body in &bodies {
        assert_eq!(body["model"], "tiny");
        assert_eq!(body["response_format"]["type"], "json_object");
        assert_eq!((&body["n"], &body["seed"]), (&json!(1), &json!(7)));
        assert_eq!(body["messages"][0]["role"], "system");
        assert!(content(body, 1).contains("imports: string[];"));
    }
    let first = content(bodies[0], 1);
    for want in [
        "# begin code snippet\ntotal = 0\n",
        "# begin undefined variables\nrows\nmode\nmath\n# end undefined variables",
        "# begin undefined attributes and methods\n",
        "math.floor",
    ] {
        assert!(first.contains(want), "{want}\n{first}");
    }
    // Error guidance: the conversation so far, the message, its line.
    assert_eq!(bodies[1]["messages"].as_array().unwrap().len(), 4);
    assert_eq!(
        content(bodies[1], 2),
        response(&[], &[ROWS, "mode = \"slow\""])
    );
    let error = content(bodies[1], 3);
    assert!(error.contains("line 7 of the code snippet\n    total = math.floor(total / 3)"));
    assert!(
        error.contains("NameError: name 'math' is not defined"),
        "{error}"
    );
    // Coverage guidance: the line is marked.
    let marked = content(bodies[2], 3);
    assert!(
        marked.contains("total = total * 2  # uncovered\nelse:\n"),
        "{marked}"
    );
    assert_eq!(marked.matches("  # uncovered").count(), 1);
}

#[test]
fn malformed_answers_are_repaired_or_skipped() {
    let whole = response(&["import math"], &[ROWS, "mode = \"fast\""]);
    let fenced = format!("Here you are:\n```json\n{whole}\n```\nGood luck!");
    let quotes = "{'imports': ['import math',], 'initialization': ['mode = 1',]}";
    let cut = r#"{"imports": ["import math"], "initialization": ["mode = 2", "rows = [1, "#;
    let code = "```python\nimport math\nmode = 3\n```";
    let statement = response(&["import math"], &["mode = 4", "rows = = 3"]);
    let failing = response(
        &["import math", "import nowhere_to_be_found"],
        &["mode = 5", "rows = 1 / 0"],
    );
    let refusal = "I am sorry, but I cannot do that.";
    let contents = [
        refusal,
        "",
        "{\"x\": 1}",
        quotes,
        cut,
        code,
        &statement,
        &failing,
        &fenced,
    ];
    let server = Server::start(vec![reply(&contents), reply(&[refusal])]);
    let Some(found) = found(&server, &["--candidates", "9", "--rounds", "0"]) else {
        return;
    };
    let usage = &found["usage"];
    let counts = ["answers", "repaired", "skipped"].map(|k| usage[k].as_u64().unwrap());
    assert_eq!(counts, [9, 5, 3], "{usage}");
    assert_eq!(server.requests().len(), 1);
    let tried = found["tried"].as_array().unwrap();
    let prefixes: Vec<&str> = tried
        .iter()
        .map(|t| t["prefix"].as_str().unwrap())
        .collect();
    assert_eq!(
        prefixes,
        [
            "import math\nmode = 1\n",
            "import math\nmode = 2\n",
            "import math\nmode = 3\n",
            "import math\nmode = 4\n",
            // What failed when it ran is left out.
            "import math\nmode = 5\n",
            &format!("import math\n{ROWS}\nmode = \"fast\"\n"),
        ]
    );
    assert_eq!(tried[4]["dropped"], 2);
    assert_eq!(found["set"][0], 5);
}

#[test]
fn replies_without_choices_are_failures() {
    let dir = tempfile::tempdir().unwrap();
    let kept = dir.path().join("answers.jsonl");
    for (body, want) in [
        (
            &b"{\"error\": {\"message\": \"overloaded\"}}"[..],
            "overloaded",
        ),
        (b"<html>busy</html>", "<html>busy"),
        (b"", "without choices, status 200"),
        (b"{}", "without choices"),
        (b"data: {\"choices\": []}\n\n", "data: "),
        (b"{\"choices\": [{\"message\": ", "without choices"),
        (b"\xff\xfe{", "without choices"),
    ] {
        let server = Server::start(vec![Reaction::Answer(
            200,
            "Retry-After: 0\r\n",
            body.to_vec(),
        )]);
        let more = ["--retries", "1", "--answers", kept.to_str().unwrap()];
        let run = prefix_of(dir.path(), SNIPPET, &server.address, &more);
        assert_eq!(run.status.code(), Some(1));
        let why = stderr(&run);
        assert!(
            why.contains("sent 2 times: ") && why.contains(want),
            "{why}"
        );
        assert_eq!(server.requests().len(), 2);
        assert_eq!(std::fs::read(&kept).unwrap(), b"");
    }
}

#[test]
fn choices_that_say_nothing_are_skipped() {
    for body in [
        &b"{\"choices\": []}"[..],
        b"{\"choices\": [{\"message\": {\"content\": null}}]}",
        b"{\"choices\": [7]}",
    ] {
        let server = Server::start(vec![Reaction::Answer(200, "", body.to_vec())]);
        let Some(found) = found(&server, &["--candidates", "1"]) else {
            return;
        };
        // The program alone was tried.
        assert_eq!(found["tried"][0]["step"], "none", "{body:?}");
        assert!(found["usage"]["skipped"].as_u64().unwrap() >= 1);
        assert_eq!(found["usage"]["failed"], 0);
    }
    let server = Server::start(vec![reply(&["I cannot do that."; 3])]);
    let dir = tempfile::tempdir().unwrap();
    let run = prefix_of(dir.path(), SNIPPET, &server.address, &["--format", "text"]);
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(
        text.contains("answers skipped: none could be read"),
        "{text}"
    );
}

/// Four kilobytes that become 32 MiB.
fn packed_spaces() -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..32 {
        packed.write_all(&[b' '; 1 << 20]).unwrap();
    }
    packed.finish().unwrap()
}

#[test]
fn replies_that_are_too_long_are_not_asked_for_again() {
    let dir = tempfile::tempdir().unwrap();
    for (headers, body) in [
        ("Content-Encoding: gzip\r\n", packed_spaces()),
        ("", vec![b' '; 17 << 20]),
    ] {
        let server = Server::start(vec![Reaction::Answer(200, headers, body)]);
        let run = prefix_of(dir.path(), SNIPPET, &server.address, &[]);
        assert_eq!(run.status.code(), Some(1));
        assert!(stderr(&run).contains("16 MiB"), "{}", stderr(&run));
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn more_choices_than_asked_for_are_cut() {
    let modes: Vec<String> = (0..9)
        .map(|k| response(&["import math"], &[&format!("mode = {k}")]))
        .collect();
    let modes: Vec<&str> = modes.iter().map(String::as_str).collect();
    let server = Server::start(vec![reply(&modes)]);
    let Some(found) = found(&server, &["--candidates", "2", "--rounds", "0"]) else {
        return;
    };
    assert_eq!(found["usage"]["answers"], 2);
    assert_eq!(found["tried"].as_array().unwrap().len(), 2);
}

#[test]
fn servers_without_several_choices_or_json_mode_are_asked_plainly() {
    let one = |mode: &str| reply(&[&response(&["import math"], &[ROWS, mode])]);
    let server = Server::start(vec![
        answer(400, "", "{\"error\": {\"message\": \"n must be 1\"}}"),
        one("mode = \"slow\""),
        one("mode = \"fast\""),
        one("mode = \"fast\""),
    ]);
    let Some(found) = found(&server, &["--candidates", "5", "--rounds", "0"]) else {
        return;
    };
    assert_eq!(found["coverage"], json!({"covered": 7, "lines": 7}));
    let requests = server.requests();
    // Asked again until it says nothing new.
    assert_eq!(requests.len(), 4);
    assert!(requests[0].1.get("response_format").is_some());
    for (_, body) in &requests[1..] {
        let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["model", "messages"]);
    }
}

#[test]
fn kept_answers_are_not_asked_for_again() {
    let good = reply(&[&response(&["import math"], &[ROWS, "mode = \"fast\""])]);
    let server = Server::start(vec![good, answer(500, "Retry-After: 0\r\n", "")]);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("answers.jsonl");
    let file = file.to_str().unwrap();
    let more = ["--candidates", "1", "--rounds", "0", "--answers", file];
    let Some(first) = found(&server, &more) else {
        return;
    };
    let again = found(&server, &more).unwrap();
    assert_eq!(server.requests().len(), 1);
    assert_eq!(
        (&first["usage"]["requests"], &again["usage"]["requests"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(again["usage"]["kept"], 1);
    assert_eq!(first["tried"], again["tried"]);
    // A file that is something else is left alone.
    for precious in ["precious\n", "{\"my\": \"precious data\"}"] {
        std::fs::write(file, precious).unwrap();
        let run = prefix_of(dir.path(), SNIPPET, &server.address, &more);
        assert!(stderr(&run).contains("no kept answer"), "{}", stderr(&run));
        assert_eq!(std::fs::read_to_string(file).unwrap(), precious);
    }
}
