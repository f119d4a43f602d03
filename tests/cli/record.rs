//! `codexec guide record` on a toy project: what is recorded, and that the command does what it does
//! without being recorded.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{codexec, skip, stderr};

const PACKAGE: &str = "\
import os

class Box:
    __secret = 3
    def __enter__(self):
        return self
    def __exit__(self, *_):
        return None
    def get(self):
        return self.__secret

def área(width, height=2):
    total: int = width * height
    with Box() as box:
        total += box.get()
    return [part for part in (total, f'{width}', None) if part is not None]

class Child(Box):
    def get(self):
        return super().get() + 1
";

const SUITE: &str = "\
import multiprocessing
import subprocess
import sys
import unittest

import toy
from toy import core


def in_a_child(queue):
    from toy import only_in_child
    queue.put(only_in_child.answer())


class Suite(unittest.TestCase):
    def test_area(self):
        self.assertEqual(core.área(3), [9, '3'])
        self.assertEqual(core.Child().get(), 4)

    def test_processes(self):
        context = multiprocessing.get_context('fork')
        queue = context.Queue()
        child = context.Process(target=in_a_child, args=(queue,))
        child.start()
        self.assertEqual(queue.get(), 'x')
        child.join()
        out = subprocess.check_output([sys.executable, '-m', 'toy.tool'], text=True)
        self.assertEqual(out, 'tool toy.tool\\n')

    def test_broken(self):
        with self.assertRaises(SyntaxError):
            import toy.broken
";

fn codexec_in(directory: &Path, args: &[&str]) -> Output {
    codexec()
        .current_dir(directory)
        .args(args)
        .output()
        .unwrap()
}

/// A project named `toy_project`; nothing, with a line on standard error, without Python.
fn project() -> Option<tempfile::TempDir> {
    if Command::new("python3").arg("--version").output().is_err() {
        skip("there is no python3");
        return None;
    }
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("pyproject.toml", "[project]\nname = \"Toy-Project\"\n");
    write("toy/__init__.py", "");
    write("toy/core.py", PACKAGE);
    write(
        "toy/only_in_child.py",
        "def answer():\n    text = 'x'\n    return text\n",
    );
    write(
        "toy/tool.py",
        "import sys\nif __name__ == '__main__':\n    print('tool', __spec__.name)\n",
    );
    write("toy/broken.py", "def f(:\n");
    write("tests/__init__.py", "");
    write("tests/test_toy.py", SUITE);
    write(
        "venv/lib/python3/site-packages/foreign.py",
        "x = 1\ny = x\n",
    );
    write(
        "script.py",
        "import sys\nfrom toy.core import área\nprint(área(len(sys.argv)), __file__, sys.argv[1:])\n\
         sys.exit(3)\n",
    );
    Some(dir)
}

fn events(path: &Path) -> Vec<Value> {
    let bytes = std::fs::read(path).unwrap();
    let bytes = match path.extension().unwrap().to_str() {
        Some("zst") => zstd::decode_all(bytes.as_slice()).unwrap(),
        _ => bytes,
    };
    let text = String::from_utf8(bytes).unwrap();
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

/// Line, name, kind and class of the events of a file.
fn of(events: &[Value], file: &str) -> Vec<(u64, String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let ours = events
        .iter()
        .filter(|e| e["file"].as_str().unwrap().ends_with(file));
    ours.map(|e| {
        (
            e["line"].as_u64().unwrap(),
            text(&e["name"]),
            text(&e["kind"]),
            text(&e["value"]),
        )
    })
    .collect()
}

#[test]
fn a_test_suite_is_recorded_with_all_its_processes() {
    let Some(dir) = project() else { return };
    let suite = [
        "python3", "-m", "unittest", "discover", "-s", "tests", "-t", ".",
    ];
    let mut args = vec!["guide", "record", "--json", "--out", "e.jsonl.zst", "--"];
    args.extend(suite);
    let run = codexec_in(dir.path(), &args);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let summary: Value = serde_json::from_slice(&run.stdout).unwrap();
    let all = events(&dir.path().join("e.jsonl.zst"));
    assert_eq!(summary["events"], all.len());
    assert_eq!(summary["exit"], 0);
    assert!(
        summary["skipped"].to_string().contains("SyntaxError"),
        "{summary}"
    );
    assert!(summary["processes"].as_u64() >= Some(3), "{summary}");
    assert!(all.iter().all(|e| e["package"] == "toy_project"));

    let core = of(&all, "toy/core.py");
    let has = |line: u64, name: &str, kind: &str, class: &str| {
        let wanted = (line, name.to_owned(), kind.to_owned(), class.to_owned());
        assert!(core.contains(&wanted), "{wanted:?} in {core:?}");
    };
    has(10, "__secret", "attribute", "int_pos");
    has(13, "width", "variable", "int_pos");
    has(14, "Box", "variable", "resource");
    has(14, "Box", "return value", "object");
    has(15, "get", "attribute", "callable");
    has(15, "get", "return value", "int_pos");
    has(16, "part", "variable", "None");
    has(16, "part", "variable", "str_nonempty");
    has(18, "Box", "variable", "resource");
    has(20, "get", "return value", "int_pos");
    // Written, annotated, `super`.
    let absent = |line: u64, name: &str| {
        let found = core.iter().any(|e| e.0 == line && e.1 == name);
        assert!(!found, "{line} {name} in {core:?}");
    };
    absent(13, "total");
    absent(13, "int");
    absent(20, "super");
    assert!(
        !of(&all, "only_in_child.py").is_empty(),
        "of a forked child"
    );
    assert!(
        !of(&all, "toy/tool.py").is_empty(),
        "of another interpreter"
    );
    assert!(!of(&all, "tests/test_toy.py").is_empty());
    let one = all.iter().find(|e| e["name"] == "height").unwrap();
    assert!(
        one["before"]
            .as_str()
            .unwrap()
            .ends_with("total: int = width * ")
    );
    assert!(
        one["after"]
            .as_str()
            .unwrap()
            .starts_with("\n    with Box()")
    );
    // Nothing rewritten is left behind.
    let plain = Command::new("python3")
        .current_dir(dir.path())
        .args(&suite[1..])
        .output()
        .unwrap();
    assert!(plain.status.success(), "{}", stderr(&plain));
}

#[test]
fn a_script_does_what_it_does_and_its_exit_code_is_passed_on() {
    let Some(dir) = project() else { return };
    let command = ["python3", "script.py", "a", "b"];
    let plain = Command::new(command[0])
        .current_dir(dir.path())
        .args(&command[1..])
        .output()
        .unwrap();
    let mut args = vec![
        "guide",
        "record",
        "--out",
        "e.jsonl",
        "--exclude",
        "toy.core",
        "--",
    ];
    args.extend(command);
    let run = codexec_in(dir.path(), &args);
    assert_eq!(run.status.code(), Some(3), "{}", stderr(&run));
    assert_eq!(run.stdout, plain.stdout);
    assert!(stderr(&run).contains("exit status: 3"), "{}", stderr(&run));
    let all = events(&dir.path().join("e.jsonl"));
    assert!(of(&all, "toy/core.py").is_empty(), "excluded");
    let main = of(&all, "script.py");
    let wanted = (
        3,
        "argv".to_owned(),
        "attribute".to_owned(),
        "list_nonempty".to_owned(),
    );
    assert!(main.contains(&wanted), "{main:?}");
}

#[test]
fn what_records_nothing_or_cannot_run_writes_nothing() {
    let Some(dir) = project() else { return };
    let run = codexec_in(
        dir.path(),
        &[
            "guide", "record", "--out", "e.jsonl", "--", "python3", "-c", "x = 1",
        ],
    );
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("--package"), "{}", stderr(&run));
    let run = codexec_in(
        dir.path(),
        &[
            "guide",
            "record",
            "--out",
            "e.jsonl",
            "--",
            "no-such-program",
        ],
    );
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("no-such-program"), "{}", stderr(&run));
    for usage in [
        &["guide", "record", "--out", "e.txt", "--", "python3"][..],
        &["guide", "record"],
    ] {
        assert_eq!(
            codexec_in(dir.path(), usage).status.code(),
            Some(2),
            "{usage:?}"
        );
    }
    assert!(!dir.path().join("e.jsonl").exists());
}
