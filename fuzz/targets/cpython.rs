//! The compiler makes the code that CPython 3.11 makes. `CODEXEC_PYTHON311` names the interpreter, else `python3.11`; it
//! compiles, and executes nothing. Texts that one of the two refuses are not compared: parsers differ in their messages.

#![no_main]

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use codexec_compile::compile;
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::{Value, json};

#[path = "../../crates/compile/tests/support/mod.rs"]
mod support;

const DUMP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/compile/tests/dump_code.py");

/// An interpreter that answers programs with their code.
struct Interpreter {
    _child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Interpreter {
    fn start() -> Self {
        let python = std::env::var("CODEXEC_PYTHON311").unwrap_or_else(|_| "python3.11".to_owned());
        let mut child = Command::new(python)
            .args([DUMP, "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("CODEXEC_PYTHON311 names a Python 3.11");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { _child: child, input, output }
    }

    fn ask(&mut self, source: &str) -> Option<Value> {
        writeln!(self.input, "{}", json!({ "code": source })).ok()?;
        let mut line = String::new();
        self.output.read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }
}

thread_local! {
    static INTERPRETER: RefCell<Interpreter> = RefCell::new(Interpreter::start());
}

fuzz_target!(|source: &str| -> Corpus {
    let Ok(ours) = compile(source) else {
        return Corpus::Reject;
    };
    let theirs = INTERPRETER.with_borrow_mut(|interpreter| interpreter.ask(source));
    let theirs = theirs.unwrap_or_else(|| {
        // It ended: of too much memory, mostly. The next program has a new one.
        INTERPRETER.set(Interpreter::start());
        Value::Null
    });
    if let Some(code) = theirs.get("code") {
        let difference = support::difference("", &support::code(&ours), code);
        assert!(difference.is_none(), "{}\nof {source:?}", difference.unwrap_or_default());
    }
    Corpus::Keep
});
