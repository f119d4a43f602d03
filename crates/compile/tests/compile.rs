//! Code equals that of CPython 3.11, as `dump_code.py` writes it.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

mod support;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use codexec_compile::{CompileError, compile};
use proptest::prelude::*;
use serde_json::{Value, json};

/// How our outcome for a record differs from CPython's.
fn difference(record: &Value) -> Option<String> {
    let source = record["source"].as_str().unwrap();
    match (compile(source), record.get("code")) {
        (Ok(code), Some(theirs)) => support::difference("", &support::code(&code), theirs),
        (Err(error), Some(_)) => Some(format!("ours fails: {error}")),
        (Ok(_), None) => Some(format!("ours does not fail with {}", record["error"])),
        (Err(error), None) => {
            let ours = json!([error.line, error.column, error.message]);
            (ours != record["error"]).then(|| format!("ours {ours} theirs {}", record["error"]))
        }
    }
}

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
        let folder = file.rsplit_once('/').map_or(file, |(folder, _)| folder);
        let group = if file.ends_with(".py") { folder } else { file };
        let count: &mut (usize, usize) = counts.entry(group.to_string()).or_default();
        count.1 += 1;
        match difference(&record) {
            None => count.0 += 1,
            Some(text) => differences.push(format!("{group} {id}: {text}")),
        }
    }
    (counts, differences)
}

/// Programs that together use every construct, and every error of the compiler. The records are made by
/// `python3.11 tests/dump_code.py tests/fixtures/programs.txt tests/fixtures/errors.txt | zstd`.
#[test]
fn equals_cpython_on_small_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let packed = std::fs::read(folder.join("code.jsonl.zst")).unwrap();
    let records = zstd::decode_all(&packed[..]).unwrap();
    let (counts, differences) = compare(&records[..]);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let all: usize = counts.values().map(|(_, all)| all).sum();
    let sources = ["programs.txt", "errors.txt"].map(|name| {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        text.split("# ---\n").count()
    });
    assert_eq!(
        all,
        sources.iter().sum::<usize>(),
        "the records are older than the programs"
    );
}

/// Compares with the CPython 3.11 of this machine: files in `CODEXEC_PROGRAMS` (separated by spaces, as
/// `dump_code.py` takes them), else the corpora and CPython's own library.
#[test]
#[ignore = "needs python3.11 and the corpora"]
fn equals_cpython_on_the_corpora() {
    let python = std::env::var("CODEXEC_PYTHON311").unwrap_or_else(|_| "python3.11".into());
    let library = Command::new(&python)
        .args(["-c", "import os; print(os.path.dirname(os.__file__))"])
        .output();
    let Ok(library) = library else {
        println!("skipped: there is no {python}; CODEXEC_PYTHON311 may name it");
        return;
    };
    let library = String::from_utf8(library.stdout).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<String> = Vec::new();
    if let Ok(named) = std::env::var("CODEXEC_PROGRAMS") {
        files.extend(named.split_whitespace().map(str::to_string));
    } else {
        for name in ["train_programs", "valid_programs", "python_docs_examples"] {
            let path = root.join(format!("../../../shared/corpora/{name}.jsonl.zst"));
            files.extend(path.exists().then(|| path.display().to_string()));
        }
        for folder in ["", "test", "asyncio", "email", "json", "unittest"] {
            let folder = Path::new(library.trim()).join(folder);
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path().display().to_string();
                files.extend(path.ends_with(".py").then_some(path));
            }
        }
    }
    let mut dump = Command::new(&python)
        .arg(root.join("tests/dump_code.py"))
        .args(&files)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (counts, differences) = compare(BufReader::new(dump.stdout.take().unwrap()));
    assert!(dump.wait().unwrap().success());
    for difference in &differences {
        println!("{difference}");
    }
    for (file, (equal, all)) in counts {
        println!("{equal} of {all} equal: {file}");
    }
}

fn error(source: &str) -> CompileError {
    compile(source).unwrap_err()
}

#[test]
fn deep_programs_are_errors_and_no_crashes() {
    let count = 100_000;
    for (open, inner, close) in [
        ("(", "x", ")"),
        ("[", "", "]"),
        ("-", "1", ""),
        ("not ", "x", ""),
        ("x + ", "x", ""),
        ("lambda: ", "x", ""),
        ("f(", "x", ")"),
        ("x if y else ", "x", ""),
        ("x[", "0", "]"),
        ("{1: ", "0", "}"),
        ("x = ", "0", ""),
    ] {
        let program = format!("{}{inner}{}\n", open.repeat(count), close.repeat(count));
        let _ = compile(&program);
    }
    let chain = format!("x{}\n", " + x".repeat(count));
    assert_eq!(
        error(&chain).message,
        "maximum recursion depth exceeded during compilation"
    );
    let calls = format!("x{}\n", "()".repeat(count));
    assert_eq!(error(&calls).line, 1);
    let clauses = format!("if x: y\n{}", "elif x: y\n".repeat(count));
    assert_eq!(
        error(&clauses).message,
        "maximum recursion depth exceeded during compilation"
    );
    let mut blocks = String::new();
    for depth in 0..3_000 {
        blocks.push_str(&format!("{}if x:\n", " ".repeat(depth)));
    }
    let _ = compile(&format!("{blocks}{}x\n", " ".repeat(3_000)));
}

#[test]
fn ten_thousand_lines_take_well_under_a_second() {
    let part = "def f(x, y=1):\n    for i in range(x):\n        if i % 2:\n            print(i, y)\n    \
                return [j for j in range(x)]\n";
    let program = part.repeat(2_000);
    let start = std::time::Instant::now();
    compile(&program).unwrap();
    let took = start.elapsed();
    // Generous: other tests run beside this one.
    assert!(took.as_secs() < 5, "{took:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_compiles_or_fails(source in any::<String>()) {
        let _ = compile(&source);
    }

    /// Lines of the fixture in any order and depth: mostly programs, often with odd flows.
    #[test]
    fn any_mix_of_lines_compiles_or_fails(
        picks in prop::collection::vec((0_usize..2_000, 0_usize..3), 0..30),
    ) {
        let lines: Vec<&str> = include_str!("fixtures/programs.txt").lines().collect();
        let mut source = String::new();
        let mut depth = 0;
        for (pick, dedent) in picks {
            let line = lines[pick % lines.len()].trim();
            source.push_str(&"    ".repeat(depth));
            source.push_str(line);
            source.push('\n');
            if line.ends_with(':') {
                depth += 1;
            } else {
                depth = depth.saturating_sub(dedent);
            }
        }
        let _ = compile(&source);
    }

    #[test]
    fn any_mix_of_tokens_compiles_or_fails(
        picks in prop::collection::vec(0_usize..TOKENS.len(), 0..40),
    ) {
        let source: Vec<&str> = picks.into_iter().map(|pick| TOKENS[pick]).collect();
        let _ = compile(&source.join(" "));
    }
}

const TOKENS: [&str; 48] = [
    "x", "y", "(", ")", "[", "]", "{", "}", ":", ",", "=", ":=", "*", "**", "+", "-", "not", "and",
    "or", "if", "else", "for", "in", "is", "lambda", "yield", "await", "async", "def f():",
    "class A:", "\n", "\n    ", "return", "break", "try:", "except:", "finally:", "with",
    "match x:", "case", "1", "2.5", "'a'", "f'{x}'", "...", "None", "del", "global x",
];
