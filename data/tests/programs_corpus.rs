//! Corpora as they are found: directories with odd files in them, tables, JSON Lines.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::fs;
use std::path::Path;

use codexec_data::sources::{CorpusProgram, Found, Skipped, programs};
use tempfile::tempdir;

fn read(path: &Path) -> (Vec<CorpusProgram>, Vec<Skipped>) {
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    for item in programs(path).unwrap() {
        match item.unwrap() {
            Found::Program(program) => found.push(program),
            Found::Skipped(file) => skipped.push(file),
        }
    }
    (found, skipped)
}

fn written(directory: &Path, name: &str, bytes: &[u8]) {
    let path = directory.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_directory_is_read_in_order_with_its_inputs() {
    let directory = tempdir().unwrap();
    let root = directory.path();
    written(
        root,
        "b.py",
        b"\xef\xbb\xbfprint(1)\r\nprint(2)\rprint(3)\n",
    );
    written(root, "a/p00042/s1.py", b"x\n");
    written(root, "a/p00042/s2.py", b"y\n");
    for (name, text) in [
        ("b.10.in", "ten"),
        ("b.2.in", "two"),
        ("b.in", "plain"),
        ("b.x.in", "no"),
        ("bb.1.in", "no"),
    ] {
        written(root, name, text.as_bytes());
    }
    written(root, "notes.txt", b"\xff");
    let (found, skipped) = read(root);
    assert!(skipped.is_empty());
    let problems: Vec<_> = found
        .iter()
        .map(|p| p.problem.as_deref().unwrap())
        .collect();
    assert_eq!(problems, ["p00042", "p00042", "b"]);
    let last = found.last().unwrap();
    assert_eq!(last.code, "print(1)\nprint(2)\nprint(3)\n");
    let inputs = last.inputs(9);
    let inputs: Vec<_> = inputs.iter().map(|i| i.as_deref().unwrap()).collect();
    assert_eq!(inputs, ["plain", "two", "ten"]);
    assert_eq!(found[0].inputs(9), [None]);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_read() {
    use std::os::unix::fs::symlink;
    let directory = tempdir().unwrap();
    let root = directory.path();
    written(root, "a.py", b"ok\n");
    written(root, "b.py", b"line\n\xff\n");
    written(root, "c.py", b"ok\n");
    written(root, "c.1.in", b"\xff");
    symlink("nowhere", root.join("d.py")).unwrap();
    symlink("a.py", root.join("e.py")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(root.join("f.py"))
        .status();
    assert!(made.unwrap().success());
    written(root, "g.py", &vec![b'#'; (4 << 20) + 1]);
    let (found, skipped) = read(root);
    let names: Vec<_> = found
        .iter()
        .map(|p| p.problem.as_deref().unwrap())
        .collect();
    assert_eq!(names, ["a", "e"]);
    let told: Vec<String> = skipped.iter().map(|s| s.to_string()).collect();
    let expected = [
        "b.py: line 2: byte 5 is not UTF-8",
        "c.1.in: line 1: byte 0 is not UTF-8",
        "d.py: No such file",
        "f.py: not a regular file",
        "g.py: more than 4 MiB",
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn a_directory_without_programs_is_an_error_said_once() {
    let directory = tempdir().unwrap();
    written(directory.path(), "sub/x.txt", b"");
    let items: Vec<_> = programs(directory.path()).unwrap().collect();
    assert_eq!(items.len(), 1);
    let error = items[0].as_ref().unwrap_err().to_string();
    assert!(error.ends_with("no .py file in it"), "{error}");
}

#[test]
fn json_lines_are_read_with_ids_and_errors_by_line() {
    let directory = tempdir().unwrap();
    let lines = "{\"code\": \"a\\r\\n\", \"problem_id\": \"p1\", \"stdin\": \"x\"}\n\n{\"id\": 5, \"code\": \"b\"}\n{\"x\": 1}\n";
    written(directory.path(), "c.jsonl", lines.as_bytes());
    let compressed = zstd::encode_all(lines.as_bytes(), 1).unwrap();
    written(directory.path(), "c.jsonl.zst", &compressed);
    for name in ["c.jsonl", "c.jsonl.zst"] {
        let path = directory.path().join(name);
        let mut items = programs(&path).unwrap();
        let mut next = || match items.next().unwrap() {
            Ok(Found::Program(program)) => Ok(program),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        };
        let first = next().unwrap();
        assert_eq!(first.id, format!("{}:1", path.display()));
        assert_eq!(
            (first.code.as_str(), first.problem.as_deref()),
            ("a\n", Some("p1"))
        );
        assert_eq!(next().unwrap().id, "5");
        let error = next().unwrap_err();
        assert!(
            error.contains(&format!("{name}:4: missing field `code`")),
            "{error}"
        );
        assert!(items.next().is_none());
    }
}
