//! Pages of traces, as `codexec trace --html` writes and `codexec view` serves them. What a browser makes of them is tested in
//! `viewer/`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{BINARY, can_run, codexec, output_of, page_data, stderr, stdout, written};

const ALIASES: &str = "a = [1]\nb = a\nb.append('</script><b>')\nprint(a)\n";

fn page_of(arguments: &[&str], page: &str) -> Value {
    let run = output_of(&[&["trace", "--html", page], arguments].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    assert_eq!(stdout(&run), "");
    page_data(&fs::read_to_string(page).unwrap())
}

#[test]
fn a_page_has_the_trace_with_numbers_for_objects() {
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "prog.py", ALIASES);
    let page = dir.path().join("trace.html").display().to_string();
    let shown = page_of(&[&program], &page);
    assert_eq!(shown["title"], program);
    let command = shown["command"].as_str().unwrap();
    assert!(command.starts_with("codexec trace --html "), "{command}");
    let steps = &shown["tabs"][0]["trace"]["steps"];
    assert_eq!(
        steps[0]["changed"]["a"]["objects"],
        steps[1]["changed"]["b"]["objects"]
    );
    assert_eq!(steps[3]["output"], "[1, '</script><b>']\n");
    let html = fs::read_to_string(&page).unwrap();
    assert!(!html.contains("</script><b>"), "text of a program is data");

    let again = output_of(&["trace", &program, "--html", &page]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("--force"), "{}", stderr(&again));
    let forced = output_of(&["trace", &program, "--html", &page, "--force"]);
    assert!(forced.status.success(), "{}", stderr(&forced));
}

#[test]
fn worlds_of_made_up_values_are_tabs_with_what_was_decided() {
    let dir = tempfile::tempdir().unwrap();
    let source =
        "import shop\nn = shop.count()\nif n > 3:\n    print('many')\nelse:\n    print('few')\n";
    let program = written(dir.path(), "prog.py", source);
    let page = dir.path().join("trace.html").display().to_string();
    let shown = page_of(&[&program, "--beam", "8", "--world", "2"], &page);
    let tabs = shown["tabs"].as_array().unwrap();
    assert!(tabs.len() > 1);
    assert_eq!(shown["select"], 1);
    let printed = |tab: &Value| {
        let steps = tab["trace"]["steps"].as_array().unwrap();
        steps
            .iter()
            .filter_map(|step| step["output"].as_str())
            .collect::<String>()
    };
    let all: Vec<String> = tabs.iter().map(printed).collect();
    assert!(
        all.contains(&"many\n".to_owned()) && all.contains(&"few\n".to_owned()),
        "{all:?}"
    );
    for (k, tab) in tabs.iter().enumerate() {
        assert_eq!(tab["label"], format!("world {}", k + 1));
        assert!(
            tab["probability"]
                .as_f64()
                .is_some_and(|p| (0.0..=1.0).contains(&p))
        );
        assert!(
            tab["decisions"]
                .as_array()
                .is_some_and(|all| !all.is_empty())
        );
        assert_eq!(tab["made_up"][0]["kind"], "import");
    }
    let chosen = page_of(&[&program, "--world", "2", "--force"], &page);
    assert_eq!(
        printed(&chosen["tabs"][1]),
        printed(&tabs[1]),
        "the same world by its number"
    );
}

#[test]
fn a_prediction_stands_beside_what_happened() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "prog.py", ALIASES);
    let page = dir.path().join("trace.html").display().to_string();
    let shown = page_of(&[&program, "--compare"], &page);
    assert_eq!(shown["compare"]["predicted"], 0);
    assert_eq!(shown["compare"]["real"], 1);
    let engine = |k: usize| shown["tabs"][k]["trace"]["engine"].clone();
    assert_eq!((engine(0), engine(1)), ("predict".into(), "run".into()));
}

#[test]
fn what_cannot_be_a_page_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "prog.py", ALIASES);
    let broken = written(dir.path(), "broken.py", "x = (\n");
    let page = dir.path().join("trace.html").display().to_string();
    let refused = |arguments: &[&str], code: i32, why: &str| {
        let run = output_of(arguments);
        assert_eq!(run.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&run).contains(why), "{}", stderr(&run));
        assert!(!fs::exists(&page).unwrap(), "no half-written page");
    };
    refused(
        &["trace", &program, &broken, "--html", &page],
        2,
        "one program",
    );
    refused(
        &["trace", &program, "--html", &page, "--var", "a"],
        2,
        "whole trace",
    );
    refused(&["trace", &program, "--html", &page, "--json"], 2, "--json");
    refused(&["trace", &broken, "--html", &page], 1, "broken.py");
    refused(&["trace", &program, "--force"], 2, "--html");
    refused(&["view", &broken, "--no-open"], 1, "broken.py");
    refused(
        &["view", &program, "--no-open", "--json"],
        2,
        "codexec trace",
    );
    refused(&["view", &program, "--port", "1"], 2, "--serve");
}

#[test]
fn a_viewed_page_is_a_file_whose_name_is_printed() {
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "prog.py", ALIASES);
    let run = codexec()
        .args(["view", &program, "--no-open"])
        .env("TMPDIR", dir.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", stderr(&run));
    let path = stdout(&run);
    let shown = page_data(&fs::read_to_string(path.trim()).unwrap());
    assert_eq!(shown["title"], program);
}

/// A served page, killed when it is dropped.
struct Served {
    child: Child,
    host: String,
    path: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn start(program: &str) -> Self {
        Self::start_with(&[program])
    }

    fn start_with(arguments: &[&str]) -> Self {
        let mut child = Command::new(BINARY)
            .arg("view")
            .args(arguments)
            .args(["--serve", "--no-open"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        let out = child.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut address).unwrap();
        let rest = address.trim().strip_prefix("http://").unwrap();
        let (host, path) = rest.split_once('/').unwrap();
        Self {
            child,
            host: host.to_owned(),
            path: format!("/{path}"),
        }
    }

    /// The status and the body of an answer.
    fn ask(&self, method: &str, path: &str, headers: &str) -> (u16, String) {
        self.ask_with(method, path, headers, "")
    }

    fn ask_with(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let length = match body.len() {
            0 => String::new(),
            length => format!("Content-Length: {length}\r\n"),
        };
        let head =
            format!("{method} {path} HTTP/1.1\r\n{headers}{length}Connection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        // Who refuses a body may not read it.
        let _ = stream.write_all(body.as_bytes());
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    fn get(&self, part: &str) -> (u16, String) {
        let host = format!("Host: {}\r\n", self.host);
        self.ask("GET", &format!("{}{part}", self.path), &host)
    }

    /// What the page gives in place of made-up values, and what is answered.
    fn give(&self, given: &Value) -> (u16, Value) {
        let (host, path) = (&self.host, format!("{}given", self.path));
        let headers =
            format!("Host: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n");
        let (status, body) = self.ask_with("POST", &path, &headers, &given.to_string());
        (status, serde_json::from_str(&body).unwrap())
    }

    fn version(&self) -> Value {
        serde_json::from_str(&self.get("version").1).unwrap()
    }

    fn wait_for(&self, is_so: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..200 {
            let now = self.version();
            if is_so(&now) {
                return now;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it stays {}", self.version());
    }
}

#[test]
fn a_served_page_follows_the_file_and_answers_no_stranger() {
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "prog.py", "x = 1\n");
    let served = Served::start(&program);
    let (status, html) = served.get("");
    assert_eq!(status, 200);
    assert_eq!(page_data(&html)["live"], true);
    assert_eq!(served.version()["version"], 1);

    written(dir.path(), "prog.py", "x = 1\nprint(x + 1)\n");
    served.wait_for(|now| now["version"] == 2);
    let shown = page_data(&served.get("").1);
    let data: Value = serde_json::from_str(&served.get("data").1).unwrap();
    assert_eq!(data, shown);
    assert_eq!(shown["tabs"][0]["trace"]["steps"][1]["output"], "2\n");

    written(dir.path(), "prog.py", "x = (\n");
    let now = served.wait_for(|now| now["version"] == 3);
    let error = now["error"].as_str().unwrap();
    assert!(error.starts_with("line 1: syntax error"), "{error}");
    assert_eq!(
        page_data(&served.get("").1),
        shown,
        "the last good page stays"
    );

    let host = format!("Host: {}\r\n", served.host);
    let path = served.path.clone();
    assert_eq!(served.ask("GET", "/", &host).0, 404);
    assert_eq!(served.ask("POST", &path, &host).0, 405);
    assert_eq!(served.ask("GET", &path, "Host: evil.example\r\n").0, 403);
    let origin = format!("{host}Origin: http://evil.example\r\n");
    assert_eq!(served.ask("GET", &path, &origin).0, 403);
}

/// A program that misses a function of a module, and what it prints.
const MISSES: &str = "import shop\nn = shop.count()\nfor k in shop.days():\n    n += 1\nif n > 3:\n    print('many', n)\n";

fn printed(page: &Value) -> String {
    let steps = page["tabs"][0]["trace"]["steps"].as_array().unwrap();
    let outputs = steps.iter().filter_map(|step| step["output"].as_str());
    outputs.collect()
}

#[test]
fn a_served_page_gives_other_values_in_place_of_made_up_ones() {
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "prog.py", MISSES);
    let served = Served::start_with(&[&program, "--set", "2:count()=40"]);
    let data = || -> Value { serde_json::from_str(&served.get("data").1).unwrap() };
    let edit = |line: u32, what: &str, value: &str| json!({"line": line, "kind": "call", "what": what, "value": value});
    assert_eq!(printed(&data()), "many 42\n");
    assert_eq!(data()["edits"][0]["option"], "2:count()=40");

    let both = json!([edit(2, "count", "7"), edit(3, "days", "[..., ..., ...]")]);
    let (status, answer) = served.give(&both);
    assert_eq!((status, answer), (200, json!({"version": 2})));
    assert_eq!(printed(&data()), "many 10\n");
    assert!(data()["edits"][1].get("unused").is_none());

    // Another way is gone, and what was given for it is kept.
    let (status, _) = served.give(&json!([
        edit(2, "count", "1"),
        edit(3, "days", "[]"),
        edit(6, "print", "1")
    ]));
    assert_eq!(status, 200);
    assert_eq!(printed(&data()), "");
    assert_eq!(data()["edits"][2]["unused"], "nothing is made up there");

    let (status, answer) = served.give(&json!([edit(2, "count", "seven")]));
    assert_eq!(status, 400);
    let why = answer["error"].as_str().unwrap();
    assert!(why.starts_with("seven is no literal of Python"), "{why}");
    assert_eq!(served.version()["version"], 3);
    assert!(served.version()["error"].is_null());

    // Lines move, and what is given moves with them.
    written(dir.path(), "prog.py", format!("\n# Sales\n{MISSES}"));
    served.wait_for(|now| now["version"] == 4);
    assert_eq!(data()["edits"][0]["line"], 4);
    assert_eq!(served.give(&json!([])).0, 200);
    assert!(data().get("edits").is_none());
}

#[test]
fn values_are_given_by_the_page_alone() {
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "prog.py", MISSES);
    let served = Served::start(&program);
    let (host, path) = (served.host.clone(), format!("{}given", served.path));
    let ask = |headers: &str, body: &str| {
        let headers = format!("Host: {host}\r\n{headers}");
        served.ask_with("POST", &path, &headers, body).0
    };
    let own = format!("Origin: http://{host}\r\n");
    let json = "Content-Type: application/json\r\n";
    assert_eq!(ask(&format!("{own}{json}"), "[]"), 200);
    assert_eq!(ask(json, "[]"), 403, "no origin");
    assert_eq!(ask(&own, "[]"), 403, "a form");
    assert_eq!(
        ask(&format!("Origin: http://evil.example\r\n{json}"), "[]"),
        403
    );
    assert_eq!(ask(&format!("{own}{json}"), "{}"), 400);
    let long = format!("[{}]", " ".repeat(70_000));
    assert_eq!(ask(&format!("{own}{json}"), &long), 413);
}

#[test]
fn items_are_given_of_what_calls_and_attributes_give() {
    let dir = tempfile::tempdir().unwrap();
    let text = "import lab\nfor row in lab.rows():\n    print(row)\nprint(lab.pair)\n";
    let program = written(dir.path(), "prog.py", text);
    let run = codexec()
        .args(["trace", &program, "--output"])
        .args(["--set", "2:rows()=[1, 'b', -2.5]"])
        .args(["--set", "4:.pair=(3, [None, True])"])
        .output()
        .unwrap();
    let said = stdout(&run);
    let printed: Vec<&str> = said
        .lines()
        .filter_map(|line| Some(line.split_once("│ ")?.1))
        .collect();
    assert_eq!(printed, ["1", "b", "-2.5", "(3, [None, True])"]);
}

#[test]
fn values_are_given_on_the_command_line() {
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "prog.py", MISSES);
    let run = codexec()
        .args([
            "trace",
            &program,
            "--set",
            "2:count()=40",
            "--set",
            "9:gone=1",
        ])
        .output()
        .unwrap();
    assert!(stdout(&run).contains("many 42"), "{}", stdout(&run));
    assert!(
        stderr(&run).contains("--set 9:gone=1: nothing is made up there"),
        "{}",
        stderr(&run)
    );
    let refused = |arguments: &[&str], why: &str| {
        let run = codexec()
            .arg("trace")
            .arg(&program)
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(2));
        assert!(stderr(&run).contains(why), "{}", stderr(&run));
    };
    refused(&["--set", "count=40"], "LINE:WHAT=VALUE");
    refused(&["--set", "2:count()={}"], "a dict cannot be given");
    refused(
        &["--set", "2:count()=1", "--engine", "run"],
        "--set does nothing with --engine run",
    );
}

#[test]
fn two_names_of_one_list_are_one_object_on_every_page() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let old = written(
        dir.path(),
        "old.py",
        "a = [1]\nb = a\nb.append(2)\nprint(a[5])\n",
    );
    let new = written(
        dir.path(),
        "new.py",
        "a = [1]\nb = a\nb.append(3)\nprint(a[5])\n",
    );
    let page = dir.path().join("page.html").display().to_string();
    for arguments in [
        &["trace", &old, "--html", &page][..],
        &["check", &old, "--explain", &page, "--force"],
        &["diff", &old, &new, "--html", &page, "--force"],
    ] {
        let run = output_of(arguments);
        let shown =
            page_data(&fs::read_to_string(&page).unwrap_or_else(|_| panic!("{}", stderr(&run))));
        let steps = &shown["tabs"][0]["trace"]["steps"];
        let number = |step: usize, name: &str| steps[step]["changed"][name]["objects"][0].clone();
        assert!(number(0, "a").is_u64(), "{arguments:?}: {steps}");
        assert_eq!(number(0, "a"), number(1, "b"), "{arguments:?}");
    }
}
