//! What asks language models, against a local server that speaks the protocol, and misspeaks it.
//!
//! `answers` and `failures` are of `codexec prefix --generator llm`, `planned` of engine `plan`, `orca` of that engine.

mod answers;
mod failures;
mod orca;
mod planned;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::{codexec, skip, stderr};

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

fn prefix_of(dir: &Path, program: &str, endpoint: &str, more: &[&str]) -> Output {
    let path = dir.join("p.py");
    std::fs::write(&path, program).unwrap();
    prefixes_of(&[&path], endpoint, more)
}

fn prefixes_of(programs: &[&Path], endpoint: &str, more: &[&str]) -> Output {
    let json = match more.contains(&"--format") {
        true => &[][..],
        false => &["--format", "json"],
    };
    codexec()
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

/// None, with a line on standard error, where no program can be run.
fn found(server: &Server, more: &[&str]) -> Option<Value> {
    let dir = tempfile::tempdir().unwrap();
    let run = prefix_of(dir.path(), SNIPPET, &server.address, more);
    let why = stderr(&run);
    if why.contains("sandbox") || why.contains("no Python") {
        skip(why);
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
fn addresses_may_have_a_query_and_their_secrets_are_not_shown() {
    let server = Server::start(vec![answer(401, "", "no")]);
    let dir = tempfile::tempdir().unwrap();
    let address = server.address.replace("http://", "http://me:hush@");
    let address = format!("{address}?api-version=1&key=hush");
    let run = prefix_of(dir.path(), SNIPPET, &address, &[]);
    let why = stderr(&run);
    assert!(why.contains("status 401") && !why.contains("hush"), "{why}");
    let head = &server.requests()[0].0;
    assert!(
        head.starts_with("post /v1/chat/completions?api-version=1&key=hush "),
        "{head}"
    );
    for nowhere in ["http://me:hush@127.0.0.1:1/v1", "ftp://me:hush@h"] {
        let run = prefix_of(dir.path(), SNIPPET, nowhere, &["--retries", "0"]);
        assert_eq!(run.status.code(), Some(1));
        assert!(!stderr(&run).contains("hush"), "{}", stderr(&run));
    }
}

#[test]
fn keys_come_from_the_environment_and_queries_have_a_budget() {
    let server = Server::start(vec![reply(&[&response(&[], &["mode = 1"])])]);
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.py"), SNIPPET).unwrap();
    let run = codexec()
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
        skip(stderr(&run));
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
        let run = codexec()
            .args(["prefix", "Cargo.toml"])
            .args(arguments)
            .env_remove("OPENAI_API_KEY")
            .output()
            .unwrap();
        assert!(!run.status.success());
        assert!(stderr(&run).contains(want), "{}", stderr(&run));
    }
}
