//! `codexec mutate` and `codexec data merge` as a user meets them: what is written, what survives a
//! kill, what is refused.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command as Plain, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use codexec_data::records::Record;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

fn codexec() -> Command {
    Command::cargo_bin("codexec").unwrap()
}

/// Distinct small programs in JSON Lines, five to a problem; every seventh reads two inputs.
fn corpus(directory: &Path, count: usize) -> PathBuf {
    let lines = (0..count).map(|k| {
        let mut record = serde_json::json!({
            "id": format!("p{k}"),
            "problem_id": format!("q{}", k / 5),
            "licence": "CC0-1.0",
            "source": "made",
            "code": format!("a = {k}\nfor i in range({}):\n    a += i * {}\nprint(a, 'n{k}')\n",
                k % 4 + 1, k + 2),
        });
        if k % 7 == 0 {
            record["code"] = format!("n = int(input())\nprint(n + {k}, 10 // n)\n").into();
            record["samples"] = serde_json::json!([{"in": "3\n"}, {"in": "5\n"}]);
        }
        format!("{record}\n")
    });
    let path = directory.join("corpus.jsonl");
    fs::write(&path, lines.collect::<String>()).unwrap();
    path
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Every file below a directory with its bytes.
fn tree(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(path.is_file(), "{name} is left over");
        files.insert(name, fs::read(&path).unwrap());
    }
    files
}

fn records(bytes: &[u8]) -> Vec<Record> {
    let text = String::from_utf8(zstd::decode_all(bytes).unwrap()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn manifest(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn records_replay_and_say_where_they_come_from() {
    let place = tempfile::tempdir().unwrap();
    let corpus = corpus(place.path(), 12);
    let out = place.path().join("out.jsonl.zst");
    let (corpus, out) = (text(&corpus), text(&out));
    codexec()
        .args([
            "mutate",
            &corpus,
            "--out",
            &out,
            "--per-program",
            "6",
            "--keep",
            "raised",
        ])
        .assert()
        .success()
        .stdout(contains("records").and(contains("operator")));
    let made = records(&fs::read(&out).unwrap());
    let manifest = manifest(Path::new(&format!("{out}.manifest.json")));
    assert_eq!(manifest["counts"]["records"], made.len());
    assert_eq!(manifest["files"][0]["records"], made.len());
    assert_eq!(manifest["counts"]["originals"], 12);
    assert_eq!(manifest["counts"]["programs"]["mutated"], 12);
    assert!(!Path::new(&format!("{out}.parts")).exists());
    let problems = manifest["problems"].as_object().unwrap();
    let by_problem: u64 = problems
        .values()
        .map(|p| p["records"].as_u64().unwrap())
        .sum();
    assert_eq!(by_problem, made.len() as u64);

    let sources: BTreeMap<String, String> = fs::read_to_string(&corpus)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|r| {
            (
                r["id"].as_str().unwrap().into(),
                r["code"].as_str().unwrap().into(),
            )
        })
        .collect();
    let mutator = codexec_mutate::Mutator::default();
    let (mut mutants, mut raised, mut seen) = (0, 0, std::collections::HashSet::new());
    for record in &made {
        assert!(seen.insert(record.code.clone()), "{} twice", record.code);
        assert_eq!(record.licence.as_deref(), Some("CC0-1.0"));
        assert!(record.problem.is_some() && record.trace.is_some());
        let parent = &sources[record.parent.as_ref().unwrap()];
        if record.operators.is_empty() {
            assert_eq!(&record.code, parent);
            continue;
        }
        mutants += 1;
        let edits = record
            .operators
            .iter()
            .zip(&record.sites)
            .zip(&record.seeds);
        let edits: Vec<(&str, usize, u64)> = edits
            .map(|((o, site), seed)| (o.as_str(), *site as usize, *seed))
            .collect();
        assert_eq!(mutator.apply(parent, &edits).unwrap().text, record.code);
        if record.outcome != "finished" {
            raised += 1;
            assert!(record.outcome.ends_with("Error") && record.error_line.is_some());
            assert!(record.trace_tokens.contains("<raise>"));
        }
    }
    assert!(
        mutants > 40 && raised > 0,
        "{mutants} mutants, {raised} raised"
    );
}

#[test]
fn the_same_seed_gives_the_same_bytes_whatever_the_workers() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 150));
    let build = |name: &str, jobs: &str, seed: &str| {
        let out = place.path().join(name);
        codexec()
            .args([
                "mutate",
                &corpus,
                "--per-program",
                "3",
                "--jobs",
                jobs,
                "--seed",
                seed,
            ])
            .args(["--out", &text(&out)])
            .assert()
            .success();
        tree(&out)
    };
    let one = build("one", "1", "5");
    assert_eq!(one.len(), 4, "three shards and the manifest");
    assert!(one == build("three", "3", "5"));
    assert!(one != build("other", "3", "6"));
}

/// Kills the real program with SIGKILL wherever it happens to be, and lets it go on.
#[test]
fn a_build_killed_ten_times_is_the_same_build() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 700));
    for (name, extra) in [("whole", &[][..]), ("file", &["--no-run"][..])] {
        let suffix = if name == "file" { ".jsonl.zst" } else { "" };
        let out = |which: &str| text(&place.path().join(format!("{name}-{which}{suffix}")));
        let arguments = |out: &str| {
            let mut all = vec![
                "mutate",
                &corpus,
                "--per-program",
                "2",
                "--out",
                out,
                "--resume",
            ];
            all.extend(extra);
            all.iter().map(|a| (*a).to_owned()).collect::<Vec<_>>()
        };
        let uninterrupted = out("a");
        let begun = Instant::now();
        codexec().args(arguments(&uninterrupted)).assert().success();
        let all = begun.elapsed();
        let killed = out("b");
        // Moments spread over the time that the build takes; the steps of a known generator.
        let mut random = 12345u64;
        for _ in 0..10 {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let wait = all.mul_f64((random >> 40) as f64 / (1u64 << 24) as f64 * 0.4);
            let mut child = Plain::new(assert_cmd::cargo::cargo_bin("codexec"))
                .args(arguments(&killed))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(wait.max(Duration::from_millis(1)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        codexec().args(arguments(&killed)).assert().success();
        if suffix.is_empty() {
            assert!(tree(Path::new(&uninterrupted)) == tree(Path::new(&killed)));
        } else {
            let manifest = |out: &str| {
                let text = fs::read_to_string(format!("{out}.manifest.json")).unwrap();
                text.replace("file-b", "file-a")
            };
            assert!(fs::read(&uninterrupted).unwrap() == fs::read(&killed).unwrap());
            assert_eq!(manifest(&uninterrupted), manifest(&killed));
            assert!(!Path::new(&format!("{killed}.parts")).exists());
        }
    }
}

#[test]
fn an_output_in_use_is_refused_and_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 10));
    let out = text(&place.path().join("out"));
    let base = [
        "mutate",
        &corpus,
        "--no-run",
        "--per-program",
        "2",
        "--out",
        &out,
    ];
    codexec().args(base).assert().success();
    let before = tree(Path::new(&out));
    codexec()
        .args(base)
        .assert()
        .code(1)
        .stderr(contains("--resume"));
    codexec().args(base).arg("--resume").assert().success();
    codexec()
        .args(base)
        .args(["--resume", "--seed", "3", "--keep", "all"])
        .assert()
        .code(1)
        .stderr(contains("seed (3, not 0)").and(contains("keep (\"all\", not \"ok\")")));
    fs::write(&corpus, "{\"code\": \"x = 1\"}\n").unwrap();
    let refused = codexec().args(base).arg("--resume").assert().code(1);
    refused.stderr(contains("corpus programs (1, not 10)"));
    assert!(before == tree(Path::new(&out)));
    let foreign = place.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("letter.txt"), "dear").unwrap();
    codexec()
        .args([
            "mutate",
            &corpus,
            "--no-run",
            "--resume",
            "--out",
            &text(&foreign),
        ])
        .assert()
        .code(1)
        .stderr(contains("exists already"));
    assert_eq!(tree(&foreign).len(), 1);
}

#[test]
fn shards_divide_problems_and_merge_to_the_whole() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 60));
    let path = |name: &str| text(&place.path().join(name));
    let build = |name: &str, extra: &[&str]| {
        let out = path(name);
        codexec()
            .args(["mutate", &corpus, "--per-program", "4", "--out", &out])
            .args(extra)
            .assert()
            .success();
        out
    };
    let whole = build("whole.jsonl.zst", &[]);
    let one = build("one", &["--shard", "1/2"]);
    let two = build("two.jsonl.zst", &["--shard", "2/2"]);
    let merged = path("merged.jsonl.zst");
    codexec()
        .args(["data", "merge", &two, &one, "--out", &merged])
        .assert()
        .success();
    let codes = |file: &str| {
        let mut all: Vec<String> = records(&fs::read(file).unwrap())
            .into_iter()
            .map(|r| r.code)
            .collect();
        all.sort();
        all
    };
    assert!(!codes(&two).is_empty() && codes(&two).len() < codes(&whole).len());
    assert_eq!(codes(&merged), codes(&whole));
    let manifests = [&whole, &merged].map(|f| manifest(Path::new(&format!("{f}.manifest.json"))));
    for field in ["records", "programs", "sizes"] {
        assert_eq!(
            manifests[0]["counts"][field], manifests[1]["counts"][field],
            "{field}"
        );
    }
    assert_eq!(manifests[1]["shards"], serde_json::json!(["1/2", "2/2"]));
    // Merging in another order gives the same bytes.
    let again = path("again.jsonl.zst");
    codexec()
        .args(["data", "merge", &one, &two, "--out", &again])
        .assert()
        .success();
    assert!(fs::read(&merged).unwrap() == fs::read(&again).unwrap());

    let other = build("other", &["--shard", "2/2", "--seed", "9"]);
    let refused = |inputs: &[&str], words: &str| {
        let out = path("refused");
        let arguments = [&["data", "merge"][..], inputs, &["--out", &out]].concat();
        codexec()
            .args(arguments)
            .assert()
            .code(1)
            .stderr(contains(words));
        assert!(!Path::new(&out).exists() && !Path::new(&path("refused.merging")).exists());
    };
    refused(&[&one, &one], "holds shard 1/2, as");
    refused(&[&one, &other], "seed (9, not 0)");
    refused(&[&one], "shard 2/2 is missing");
    refused(&[&one, &path("nothing")], "no manifest");
    codexec()
        .args(["data", "merge", &one, "--partial", "--out", &path("half")])
        .assert()
        .success();
    let shard = fs::read_dir(&one).unwrap().map(|e| e.unwrap().path());
    let shard = shard
        .into_iter()
        .find(|p| p.extension().is_some_and(|e| e == "zst"))
        .unwrap();
    let mut bytes = fs::read(&shard).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&shard, bytes).unwrap();
    refused(&[&one, &two], "SHA-256");
}

#[test]
fn merging_drops_what_two_shards_share() {
    let place = tempfile::tempdir().unwrap();
    let code = "x = 'a'\nprint(x)\n";
    let lines = (0..8).map(|k| format!("{}\n", serde_json::json!({"code": code, "group": k})));
    let corpus = place.path().join("c.jsonl");
    fs::write(&corpus, lines.collect::<String>()).unwrap();
    let mut outs = Vec::new();
    for shard in ["1/2", "2/2"] {
        let out = text(&place.path().join(&shard[..1]));
        codexec()
            .args([
                "mutate",
                &text(&corpus),
                "--per-program",
                "5",
                "--shard",
                shard,
                "--out",
                &out,
            ])
            .assert()
            .success();
        outs.push(out);
    }
    let merged = place.path().join("m");
    codexec()
        .args(["data", "merge", &outs[0], &outs[1], "--out", &text(&merged)])
        .assert()
        .success();
    let [one, two, all] = [Path::new(&outs[0]), Path::new(&outs[1]), &merged]
        .map(|d| manifest(&d.join("manifest.json"))["counts"].clone());
    assert_eq!(one["records"], two["records"]);
    assert_eq!(all["records"], one["records"]);
    assert_eq!(all["sizes"], one["sizes"]);
    let mutants = one["mutants"].as_u64().unwrap();
    assert_eq!(all["mutants"], 2 * mutants);
    assert_eq!(all["duplicates"], mutants);
}

#[test]
fn what_cannot_be_built_is_said_with_the_right_code() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 3));
    let usage = |arguments: &[&str], words: &str| {
        let all = [&["mutate", &corpus][..], arguments].concat();
        codexec()
            .args(all)
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(words));
    };
    usage(&["--operators", "CRP,XXX"], "CRP, AOD");
    usage(&["--shard", "3/2"], "2/8 for the second of eight");
    usage(&["--timeout", "5"], "1s or 250ms");
    usage(&["--timeout", "0s"], "1ms");
    usage(&["--probability", "1.5"], "above 0 and up to 1");
    usage(&["--keep", "none"], "ok, raised or all");
    usage(&["--per-program", "0"], "per-program");
    usage(&["--resume"], "--out");
    let refused = |corpus: &str, words: &[&str]| {
        let mut assert = codexec()
            .args(["mutate", corpus, "--no-run"])
            .assert()
            .code(1)
            .stdout("");
        for word in words {
            assert = assert.stderr(contains(*word));
        }
    };
    refused("missing.jsonl", &["missing.jsonl", "No such file"]);
    let write = |name: &str, bytes: &[u8]| {
        let path = place.path().join(name);
        fs::write(&path, bytes).unwrap();
        text(&path)
    };
    refused(&write("empty.jsonl", b""), &["empty.jsonl", "no program"]);
    refused(
        &write("bad.jsonl", b"{\"code\": \"x = 1\"}\n{]\n"),
        &["bad.jsonl:2"],
    );
    let empty = place.path().join("empty");
    fs::create_dir(&empty).unwrap();
    refused(&text(&empty), &["empty", ".py"]);
}

#[test]
fn programs_that_do_not_parse_are_named_not_fatal() {
    let place = tempfile::tempdir().unwrap();
    let lines = [
        r#"{"id": "good", "code": "x = 1\nprint(x + 2)\n"}"#,
        r#"{"id": "bad", "code": "x = 1\nprint(x +\n"}"#,
        r#"{"id": "old", "code": "print 'x'\n"}"#,
        r#"{"id": "clock", "code": "import time\nprint(time.time())\n"}"#,
        r#"{"id": "copy", "code": "x   = 1 # one\nprint(x + 2)\n"}"#,
        r#"{"id": "spins", "code": "x = sum(range(10 ** 12))\n"}"#,
    ];
    let corpus = place.path().join("c.jsonl");
    fs::write(&corpus, lines.join("\n")).unwrap();
    let out = place.path().join("out");
    let arguments = [
        "mutate",
        &text(&corpus),
        "--out",
        &text(&out),
        "--json",
        "--timeout",
        "300ms",
    ];
    let assert = codexec().args(arguments).assert().success();
    let summary: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    let programs = &summary["counts"]["programs"];
    let want = serde_json::json!({"read": 6, "mutated": 1, "duplicate": 1, "syntax_error": 2,
        "too_long": 0, "unstable": 1, "over_limit": 1});
    assert_eq!(programs, &want);
    let named = &summary["counts"]["syntax_errors"];
    assert_eq!(named[0]["id"], "bad");
    assert!(named[0]["message"].as_str().unwrap().starts_with("line "));
    assert_eq!(named[1]["id"], "old");
}

#[test]
fn runs_that_end_early_are_counted_by_what_ends_them() {
    let place = tempfile::tempdir().unwrap();
    let corpus = place.path().join("c.jsonl");
    let line = r#"{"id": "p", "code": "n = 1\nx = 3 ** n\nfor i in range(3):\n    x += i\n"}"#;
    fs::write(&corpus, line).unwrap();
    let counted = |keep: &str| {
        let arguments = ["mutate", &text(&corpus), "--json", "--keep", keep];
        let out = place.path().join(keep);
        let assert = codexec()
            .args(arguments)
            .args(["--per-program", "200", "--out", &text(&out)])
            .assert()
            .success();
        let summary: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
        assert_eq!(summary["settings"]["timeout_ms"], 250);
        summary["counts"]["outcomes"].clone()
    };
    let (ok, all) = (counted("ok"), counted("all"));
    assert!(ok["finished"].as_u64() > Some(50), "{ok}");
    assert_eq!(ok, all);
}

#[test]
fn a_table_has_the_records_of_the_lines() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 8));
    let all = ["m.parquet", "m.jsonl", "m"].map(|name| {
        let out = place.path().join(name);
        codexec()
            .args([
                "mutate",
                &corpus,
                "--per-program",
                "3",
                "--out",
                &text(&out),
            ])
            .assert()
            .success();
        codexec_data::records::read_records(&out).unwrap()
    });
    assert!(all[0].len() > 16 && all[0] == all[1] && all[1] == all[2]);
    let merged = text(&place.path().join("again.parquet"));
    let input = text(&place.path().join("m.parquet"));
    codexec()
        .args(["data", "merge", &input, "--out", &merged])
        .assert()
        .success();
    assert!(codexec_data::records::read_records(Path::new(&merged)).unwrap() == all[0]);
}

#[test]
fn inlined_programs_read_nothing() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 15));
    let assert = codexec()
        .args(["mutate", &corpus, "--inline-input", "--per-program", "4"])
        .assert();
    let out = String::from_utf8(assert.success().get_output().stdout.clone()).unwrap();
    let all: Vec<Record> = out
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert!(
        all.iter()
            .all(|r| r.stdin.is_none() && !r.code.contains("input()"))
    );
    // One text for each of the two inputs, both mutated.
    let of = |id: &str| {
        all.iter()
            .filter(|r| r.parent.as_deref() == Some(id))
            .count()
    };
    assert!(
        all.iter()
            .any(|r| r.id == "p7" && r.code.starts_with("n = 3\n"))
    );
    assert!(
        all.iter()
            .any(|r| r.id == "p7:1" && r.code.starts_with("n = 5\n"))
    );
    assert!(of("p7") > 1 && of("p7:1") > 1);
}

#[test]
fn limits_are_kept_only_when_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let corpus = place.path().join("c.jsonl");
    let code = "i = 0\nwhile i < 3000:\n    i += 1\nprint(i)\n";
    fs::write(
        &corpus,
        serde_json::json!({"id": "long", "code": code}).to_string(),
    )
    .unwrap();
    for (keep, wanted) in [("raised", false), ("all", true)] {
        let assert = codexec()
            .args([
                "mutate",
                &text(&corpus),
                "--keep",
                keep,
                "--operators",
                "CRP",
            ])
            .assert()
            .success();
        let out = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        let outcomes = out
            .lines()
            .map(|l| serde_json::from_str::<Record>(l).unwrap().outcome);
        assert_eq!(
            outcomes.filter(|o| o == "step_limit").count() > 0,
            wanted,
            "{keep}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_says_how_to_go_on() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 200));
    // Standard output that takes nothing.
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = Plain::new(assert_cmd::cargo::cargo_bin("codexec"))
        .args(["mutate", &corpus, "--no-run"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("standard output") && said.contains("make room"),
        "{said}"
    );
    // A shard that does not fit (a limit on the size of files stands for the disk).
    let out = text(&place.path().join("out"));
    let program = text(&assert_cmd::cargo::cargo_bin("codexec"));
    let script = format!(
        "ulimit -f 40; '{program}' mutate '{corpus}' --no-run --per-program 40 --out '{out}'"
    );
    let output = Plain::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("ulimit -f") && said.contains(&out), "{said}");
    assert!(!Path::new(&out).join("manifest.json").exists());
    codexec()
        .args([
            "mutate",
            &corpus,
            "--no-run",
            "--per-program",
            "40",
            "--out",
            &out,
            "--resume",
        ])
        .assert()
        .success();
    assert!(Path::new(&out).join("manifest.json").exists());
}

#[test]
fn a_second_build_of_the_same_output_is_refused_while_the_first_is_at_work() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 3000));
    for name in ["out", "out.jsonl.zst"] {
        let out = text(&place.path().join(name));
        let build = [
            "mutate",
            &corpus,
            "--per-program",
            "20",
            "--resume",
            "--out",
            &out,
        ];
        let mut first = Plain::new(assert_cmd::cargo::cargo_bin("codexec"))
            .args(build)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let parts = if name == "out" {
            out.clone()
        } else {
            format!("{out}.parts")
        };
        let begun = Path::new(&parts).join(".build/begun.json");
        while !begun.exists() {
            assert!(
                first.try_wait().unwrap().is_none(),
                "the first build has ended"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        codexec()
            .args(build)
            .assert()
            .code(1)
            .stderr(contains("another build is at work there"));
        first.kill().unwrap();
        first.wait().unwrap();
        // The lock went with the process.
        codexec()
            .args([
                "mutate",
                &corpus,
                "--no-run",
                "--per-program",
                "1",
                "--out",
                &out,
                "--force",
            ])
            .assert()
            .success();
    }
}

#[test]
fn a_build_is_overwritten_only_when_asked_and_nothing_else_is() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 5));
    for name in ["out", "out.jsonl"] {
        let out = text(&place.path().join(name));
        let build = |more: &[&str]| {
            let mut command = codexec();
            command.args(["mutate", &corpus, "--no-run", "--out", &out]);
            command.args(more).assert()
        };
        build(&["--per-program", "1"]).success();
        build(&["--per-program", "2"])
            .code(1)
            .stderr(contains("--force"));
        build(&["--per-program", "2", "--force"]).success();
        build(&["--per-program", "2", "--resume"]).success();
        build(&["--force", "--resume"]).code(2);
        if name == "out" {
            fs::write(Path::new(&out).join("letter.txt"), "dear").unwrap();
            build(&["--force"]).code(1).stderr(contains("letter.txt"));
            assert!(Path::new(&out).join("manifest.json").exists());
        }
    }
    for name in ["out.csv", "out.json.gz", "out.zst"] {
        let out = text(&place.path().join(name));
        let refused = codexec()
            .args(["mutate", &corpus, "--no-run", "--out", &out])
            .assert();
        refused.code(2).stderr(contains(".jsonl.zst or .parquet"));
        assert!(!Path::new(&out).exists());
    }
    codexec()
        .args(["mutate", &corpus, "--jobs", "20000"])
        .assert()
        .code(2)
        .stderr(contains("from 1 to 1024"));
}
