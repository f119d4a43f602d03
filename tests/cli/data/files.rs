//! Files of `codexec data`: overwritten, left by an interrupt, in other encodings.

use super::*;

#[test]
fn files_that_are_there_are_overwritten_only_when_asked() {
    let place = tempdir().unwrap();
    let out = place.path().join("x.jsonl");
    let steps = |more: &[&str]| {
        let mut command = codexec();
        command
            .args(["data", "steps", "--count", "20", "--out"])
            .arg(&out);
        command.args(more).assert()
    };
    fs::write(&out, "mine").unwrap();
    steps(&[])
        .code(1)
        .stderr(contains("x.jsonl: exists already").and(contains("--force")));
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
    steps(&["--force"]).success();
    assert_eq!(read_records(&out).unwrap().len(), 20);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    let mut others = vec!["x.csv", "x.json", "x.gz", "x"];
    for name in others.drain(..) {
        let mut command = codexec();
        command
            .args(["data", "steps", "--out"])
            .arg(place.path().join(name));
        command
            .assert()
            .code(2)
            .stderr(contains(".jsonl, .jsonl.gz, .jsonl.zst or .parquet"));
    }
    for jobs in ["20000", "0", "x"] {
        steps(&["--force", "--jobs", jobs])
            .code(2)
            .stderr(contains("from 1 to 1024"));
    }
}

#[cfg(target_os = "linux")] // `env --default-signal`
#[test]
fn an_interrupt_leaves_no_temporary_file_and_a_second_writer_waits_for_nobody() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command as Plain, Stdio};
    for signal in ["INT", "TERM", "HUP"] {
        let place = tempdir().unwrap();
        let out = place.path().join("x.jsonl.zst");
        let count = || fs::read_dir(place.path()).unwrap().count();
        // A shell that starts the tests in the background has them ignore the signal.
        let mut first = Plain::new("env")
            .arg("--default-signal")
            .arg(BINARY)
            .args(["data", "steps", "--count", "5000000", "--out"])
            .arg(&out)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The lock, then the temporary file.
        while count() < 2 {
            assert!(first.try_wait().unwrap().is_none());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let mut second = codexec();
        second
            .args(["data", "steps", "--count", "20", "--out"])
            .arg(&out);
        second
            .assert()
            .code(1)
            .stderr(contains("another process is writing it"));
        let id = first.id().to_string();
        Plain::new("kill")
            .args(["-s", signal, &id])
            .status()
            .unwrap();
        let status = first.wait().unwrap();
        assert!(status.signal().is_some(), "{status}");
        assert_eq!(count(), 0, "{signal}");
    }
}

#[test]
fn programs_are_read_in_the_encoding_they_declare_and_changes_are_said() {
    let place = tempdir().unwrap();
    fs::write(
        place.path().join("a.py"),
        b"# coding: latin-1\r\ns = '\xe9'\r\nprint(len(s))\r\n",
    )
    .unwrap();
    fs::write(
        place.path().join("b.py"),
        "for e in *[1], 2:\n    print(e)\n",
    )
    .unwrap();
    let out = place.path().join("x.jsonl");
    codexec()
        .args(["data", "traces"])
        .args([
            place.path(),
            Path::new("--mutants"),
            Path::new("0"),
            Path::new("--out"),
            &out,
        ])
        .assert()
        .success()
        .stderr(contains("lines of 1 program end in CRLF"));
    let records = read_records(&out).unwrap();
    assert_eq!(records.len(), 2, "{records:?}");
    assert!(records[0].code.contains("'é'") && !records[0].code.contains('\r'));
    for (name, output) in [("a.py", "1"), ("b.py", "1\n2")] {
        let mut run = codexec();
        run.args(["trace", "--engine", "run"])
            .arg(place.path().join(name));
        run.assert()
            .success()
            .stdout(contains(output.split('\n').next().unwrap()));
        let mut predict = codexec();
        predict
            .args(["trace", "--whole", "--beam", "1", "--max-steps", "4"])
            .arg(place.path().join(name));
        let said = predict.assert().success();
        if name == "a.py" {
            said.stderr(contains("end in CRLF or CR").count(1));
        }
    }
}
