//! `codexec prefix --generator llm` against a local server that speaks the protocol, and misspeaks it.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What the server does with a request.
#[derive(Debug, Clone)]
enum Reaction {
    /// Answers with a status, more headers, and a body.
    Answer(u16, &'static str, Vec<u8>),
    /// Says nothing until the client gives up.
    Hang,
}

/// A server for as long as the test runs; the last reaction is repeated.
struct Server {
    address: String,
    requests: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Server {
    fn start(reactions: Vec<Reaction>) -> Self {
        let server = tiny_http::Server::http("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", server.server_addr());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            let mut hanging = Vec::new();
            for (mut request, k) in server.incoming_requests().zip(0..) {
                seen.lock().unwrap().push(read(&mut request));
                match reactions.get(k).or(reactions.last()).unwrap() {
                    Reaction::Hang => hanging.push(request),
                    Reaction::Answer(status, headers, body) => {
                        let mut response = tiny_http::Response::from_data(body.clone())
                            .with_status_code(*status)
                            .with_chunked_threshold(usize::MAX);
                        for header in headers.lines() {
                            response.add_header(header.parse::<tiny_http::Header>().unwrap());
                        }
                        // A client that reads no further closes the connection.
                        let _ = request.respond(response);
                    }
                }
            }
        });
        Self { address, requests }
    }

    /// Headers and bodies of all requests.
    fn requests(&self) -> Vec<(String, Value)> {
        self.requests.lock().unwrap().clone()
    }
}

/// What was asked for with its headers, in lower case, and the body.
fn read(request: &mut tiny_http::Request) -> (String, Value) {
    let mut head = format!("{} {} \r\n", request.method(), request.url());
    for header in request.headers() {
        head += &format!("{header}\r\n");
    }
    let body = serde_json::from_reader(request.as_reader()).unwrap_or_default();
    (head.to_lowercase(), body)
}

/// The address of a server that closes every connection, unanswered.
fn closing() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let _ = connection.unwrap().read(&mut [0; 1 << 16]);
        }
    });
    address
}

/// A well-formed reply whose choices have these contents.
fn reply(contents: &[&str]) -> Reaction {
    let choices: Vec<Value> = contents
        .iter()
        .map(|c| json!({"index": 0, "message": {"role": "assistant", "content": c}, "finish_reason": "stop"}))
        .collect();
    let body = json!({
        "id": "1", "object": "chat.completion", "choices": choices,
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
    });
    Reaction::Answer(
        200,
        "Content-Type: application/json\r\n",
        body.to_string().into_bytes(),
    )
}

fn response(imports: &[&str], initialization: &[&str]) -> String {
    json!({"imports": imports, "initialization": initialization}).to_string()
}

fn answer(status: u16, headers: &'static str, body: &str) -> Reaction {
    Reaction::Answer(status, headers, body.as_bytes().to_vec())
}

/// Needs `mode`, `rows` and a branch each way.
const SNIPPET: &str = "\
total = 0
for row in rows:
    total += row.count
if mode == 'fast':
    total = total * 2
else:
    total = math.floor(total / 3)
";

fn codexec(dir: &Path, program: &str, endpoint: &str, more: &[&str]) -> Output {
    let path = dir.join("p.py");
    std::fs::write(&path, program).unwrap();
    codexec_on(&[&path], endpoint, more)
}

fn codexec_on(programs: &[&Path], endpoint: &str, more: &[&str]) -> Output {
    let json = match more.contains(&"--format") {
        true => &[][..],
        false => &["--format", "json"],
    };
    Command::new(env!("CARGO_BIN_EXE_codexec"))
        .arg("prefix")
        .args(programs)
        .args(["--generator", "llm"])
        .args(["--model", "tiny", "--endpoint", endpoint])
        .args(json)
        .args(more)
        // Requests come in the order of the programs.
        .env("RAYON_NUM_THREADS", "1")
        .env_remove("OPENAI_API_KEY")
        .env_remove("http_proxy")
        .env_remove("HTTP_PROXY")
        .env_remove("all_proxy")
        .env_remove("ALL_PROXY")
        .output()
        .unwrap()
}

fn stderr(run: &Output) -> String {
    String::from_utf8_lossy(&run.stderr).into_owned()
}

/// None, with a line on standard error, where no program can be run.
fn found(server: &Server, more: &[&str]) -> Option<Value> {
    let dir = tempfile::tempdir().unwrap();
    let run = codexec(dir.path(), SNIPPET, &server.address, more);
    let why = stderr(&run);
    if why.contains("sandbox") || why.contains("no Python") {
        eprintln!("skipped: {why}");
        return None;
    }
    assert!(run.status.success(), "{why}");
    Some(serde_json::from_slice(&run.stdout).unwrap())
}

fn content(request: &Value, at: usize) -> &str {
    request["messages"][at]["content"].as_str().unwrap()
}

const ROWS: &str = "rows = [type(\"Row\", (object,), {\"count\": 3})()]";

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
        let run = codexec(dir.path(), SNIPPET, &server.address, &more);
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
    let run = codexec(dir.path(), SNIPPET, &server.address, &["--format", "text"]);
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
        let run = codexec(dir.path(), SNIPPET, &server.address, &[]);
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
        let run = codexec_on(&[&a, &b], &server.address, &one);
        assert_eq!(run.status.code(), Some(1));
        let why = stderr(&run);
        assert!(why.contains("a.py: llm: http://"), "{why}");
        assert!(why.contains("context length exceeded"), "{why}");
        let found: Value = serde_json::from_slice(&run.stdout).unwrap();
        assert!(found["id"].as_str().unwrap().ends_with("b.py"), "{found}");
        assert_eq!(found["coverage"]["covered"], 1);
        assert_eq!(server.requests().len(), requests);
    }
    // A key that expires: what was found before is printed.
    let server = Server::start(vec![
        reply(&[&response(&[], &["one = two = 1"])]),
        answer(401, "", "{}"),
    ]);
    let run = codexec_on(&[&a, &b], &server.address, &one);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("status 401"), "{}", stderr(&run));
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(found["coverage"]["covered"], 1, "{found}");
    // A bad key is bad for all.
    let server = Server::start(vec![answer(401, "", "{}")]);
    let run = codexec_on(&[&a, &b], &server.address, &one);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("status 401"), "{}", stderr(&run));
    assert!(run.stdout.is_empty());
}

#[test]
fn requests_end_with_the_time_of_the_search() {
    // The first answer takes too long, or is put off too long: the program alone is tried.
    for reaction in [Reaction::Hang, answer(503, "Retry-After: 3000\r\n", "down")] {
        let server = Server::start(vec![reaction]);
        let dir = tempfile::tempdir().unwrap();
        let run = codexec(dir.path(), SNIPPET, &server.address, &["--seconds", "0.5"]);
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
        let run = codexec(dir.path(), program, "http://127.0.0.1:1/v1", more);
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
    let run = codexec_on(&[&path, &path], &server.address, &more);
    if !run.status.success() {
        eprintln!("skipped: {}", stderr(&run));
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
fn addresses_may_have_a_query_and_their_secrets_are_not_shown() {
    let server = Server::start(vec![answer(401, "", "no")]);
    let dir = tempfile::tempdir().unwrap();
    let address = server.address.replace("http://", "http://me:hush@");
    let address = format!("{address}?api-version=1&key=hush");
    let run = codexec(dir.path(), SNIPPET, &address, &[]);
    let why = stderr(&run);
    assert!(why.contains("status 401") && !why.contains("hush"), "{why}");
    let head = &server.requests()[0].0;
    assert!(
        head.starts_with("post /v1/chat/completions?api-version=1&key=hush "),
        "{head}"
    );
    for nowhere in ["http://me:hush@127.0.0.1:1/v1", "ftp://me:hush@h"] {
        let run = codexec(dir.path(), SNIPPET, nowhere, &["--retries", "0"]);
        assert_eq!(run.status.code(), Some(1));
        assert!(!stderr(&run).contains("hush"), "{}", stderr(&run));
    }
}

#[test]
fn keys_that_cannot_be_sent_are_refused() {
    for key in ["hu\nsh", "hu\u{e9}sh", "hu\tsh"] {
        let run = Command::new(env!("CARGO_BIN_EXE_codexec"))
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
    let run = codexec(dir.path(), SNIPPET, &server.address, &["--retries", "2"]);
    assert_eq!(run.status.code(), Some(1));
    let why = stderr(&run);
    assert!(
        why.contains("sent 3 times: status 500: oom") && why.contains("--answers"),
        "{why}"
    );
    assert_eq!(server.requests().len(), 3);
    let run = codexec(dir.path(), SNIPPET, &closing(), &["--retries", "1"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("sent 2 times: "), "{}", stderr(&run));
    let server = Server::start(vec![Reaction::Hang]);
    let more = ["--retries", "0", "--request-timeout", "0.2"];
    let run = codexec(dir.path(), SNIPPET, &server.address, &more);
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
        let run = codexec(dir.path(), SNIPPET, &server.address, &[]);
        assert_eq!(run.status.code(), Some(1));
        assert!(stderr(&run).contains(want), "{}", stderr(&run));
        assert!(run.stdout.is_empty());
        assert_eq!(server.requests().len(), 1);
    }
    let run = codexec(dir.path(), SNIPPET, "ftp://x", &[]);
    assert!(
        stderr(&run).contains("ftp://x is no address"),
        "{}",
        stderr(&run)
    );
    let run = codexec(
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
        let run = codexec(dir.path(), SNIPPET, &server.address, &more);
        assert!(stderr(&run).contains("no kept answer"), "{}", stderr(&run));
        assert_eq!(std::fs::read_to_string(file).unwrap(), precious);
    }
}

#[test]
fn keys_come_from_the_environment_and_queries_have_a_budget() {
    let server = Server::start(vec![reply(&[&response(&[], &["mode = 1"])])]);
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.py"), SNIPPET).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_codexec"))
        .args(["prefix", dir.path().join("p.py").to_str().unwrap()])
        .args([
            "--generator",
            "llm",
            "--model",
            "m",
            "--endpoint",
            &server.address,
        ])
        .args(["--key-env", "CODEXEC_TEST_KEY", "--queries", "2"])
        .env("CODEXEC_TEST_KEY", "secret\n")
        .env_remove("http_proxy")
        .env_remove("HTTP_PROXY")
        .output()
        .unwrap();
    if !run.status.success() {
        eprintln!("skipped: {}", stderr(&run));
        return;
    }
    let requests = server.requests();
    assert!(requests[0].0.contains("authorization: bearer secret\r\n"));
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(text.contains("language model: 2 queries, "), "{text}");
    assert!(!text.contains("secret") && !stderr(&run).contains("secret"));
}

#[test]
fn options_of_language_models_belong_to_them() {
    for (arguments, want) in [
        (&["--model", "m"][..], "--model is for --generator llm"),
        (&["--generator", "llm"], "--generator llm needs a --model"),
        (
            &["--generator", "llm", "--model", "m", "--strict"],
            "--strict is for rules",
        ),
        (
            &["--generator", "llm", "--model", "m", "--price", "1"],
            "two prices",
        ),
        (
            &["--generator", "llm", "--model", "m"],
            "no key in OPENAI_API_KEY",
        ),
    ] {
        let run = Command::new(env!("CARGO_BIN_EXE_codexec"))
            .args(["prefix", "Cargo.toml"])
            .args(arguments)
            .env_remove("OPENAI_API_KEY")
            .output()
            .unwrap();
        assert!(!run.status.success());
        assert!(stderr(&run).contains(want), "{}", stderr(&run));
    }
}
