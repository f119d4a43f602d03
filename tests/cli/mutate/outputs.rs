//! Outputs of builds: in use, killed, divided, merged, full, overwritten.

use super::*;

/// Kills the real program with SIGKILL wherever it happens to be, and lets it go on.
#[test]
fn a_build_killed_ten_times_is_the_same_build() {
    let place = tempfile::tempdir().unwrap();
    let corpus = text(&corpus(place.path(), 700));
    let planned = ["--engine", "plan", "--verify", "5%"];
    for (name, extra) in [
        ("whole", &[][..]),
        ("file", &["--no-run"][..]),
        ("planned", &planned[..]),
    ] {
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
            let mut child = Plain::new(BINARY)
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
    let output = Plain::new(BINARY)
        .args(["mutate", &corpus, "--no-run"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("standard output cannot be written") && said.contains("No space left"),
        "{said}"
    );
    // A shard that does not fit (a limit on the size of files stands for the disk).
    let out = text(&place.path().join("out"));
    let program = BINARY;
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
        let mut first = Plain::new(BINARY)
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
