//! Many programs, enormous ones, and budgets.

use super::*;

#[test]
fn budgets_are_kept() {
    if !can_run() {
        return;
    }
    let few = found(SNIPPET, &["--runs", "2"]);
    assert_eq!(few["runs"], 2);
    let none = found(SNIPPET, &["--rounds", "0"]);
    let steps = none["tried"].as_array().unwrap().iter();
    let steps: BTreeSet<&str> = steps.map(|t| t["step"].as_str().unwrap()).collect();
    assert_eq!(steps, BTreeSet::from(["undefinedness"]));
}

#[test]
fn a_directory_is_summed_up_and_a_syntax_error_is_shown() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    written(dir.path(), "good.py", "print(x)\n");
    written(dir.path(), "bad.py", "print(\n");
    let run = output_of(&["prefix", &dir.path().display().to_string()]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("bad.py:1:6: syntax error"),
        "{}",
        stderr(&run)
    );
    let text = stdout(&run);
    assert!(text.contains("100.0%  best 100.0%     1 prefix "), "{text}");
    assert!(text.contains("1 program: 100.0% of their lines"), "{text}");
}

/// Programs of a size that nobody writes by hand, each with what is special about it.
fn enormous() -> Vec<(&'static str, String)> {
    let lines = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    let elifs = |n: usize| {
        let rest = lines(n, &|k| format!("elif x == {k}:\n    y = {k}\n"));
        format!("if x == -1:\n    y = 0\n{rest}")
    };
    let nested = lines(90, &|k| format!("{}if a{k} > {k}:\n", " ".repeat(k)));
    let names: Vec<String> = (0..20_000).map(|k| format!("n{k}")).collect();
    let operands: Vec<String> = (0..3_000).map(|k| format!("x.a{k} == {k}")).collect();
    vec![
        ("elifs", elifs(20_000)),
        // As many as the interpreter takes.
        ("some elifs", elifs(900)),
        (
            "ifs",
            lines(10_000, &|k| format!("if f({k}):\n    y = {k}\n")),
        ),
        ("nested", format!("{nested}{}y = 1\n", " ".repeat(90))),
        (
            "brackets",
            format!("y = {}x{}\n", "(".repeat(150), ")".repeat(150)),
        ),
        ("a long line", format!("y = [{}]\n", names.join(", "))),
        ("names", lines(5_000, &|k| format!("y = n{k}.a(m{k})\n"))),
        (
            "a condition",
            format!("if {}:\n    y = 1\n", operands.join(" and ")),
        ),
        (
            "functions",
            lines(2_000, &|k| format!("def f{k}(a{k}):\n    return b{k}\n")),
        ),
        (
            "imports",
            lines(5_000, &|k| format!("from m{k} import n{k}\n")),
        ),
        (
            "handlers",
            format!(
                "try:\n    f()\n{}",
                lines(5_000, &|k| format!("except E{k}:\n    y = {k}\n"))
            ),
        ),
        (
            "one value",
            lines(10_000, &|k| format!("y = x[{k}] + x.a{k}(x.b{k} == {k})\n")),
        ),
        (
            "a literal",
            format!("if x == \"{}\":\n    y = 1\n", "a".repeat(2_000_000)),
        ),
    ]
}

/// Limits of time and memory hold whatever the program; what else comes of it does not matter here.
#[test]
fn enormous_programs_keep_to_the_budget() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (what, program) in enormous() {
        let path = written(dir.path(), "p.py", &program);
        for args in [
            &["prefix", &path, "--seconds", "2", "--format", "json"][..],
            &[
                "guide",
                &path,
                "--predictor",
                "type-use",
                "--timeout",
                "2",
                "--no-packages",
                "--format",
                "json",
            ],
            &[
                "diff",
                &path,
                &path,
                "--predictor",
                "type-use",
                "--timeout",
                "2",
                "--no-packages",
            ],
        ] {
            let begun = std::time::Instant::now();
            // Two gigabytes of addresses, which the sandbox's own processes have, too.
            let run = Command::new("sh")
                .args(["-c", "ulimit -v 2500000; exec \"$0\" \"$@\""])
                .arg(BINARY)
                .args(args)
                .output()
                .unwrap();
            let time = begun.elapsed().as_secs_f64();
            let code = run.status.code();
            // `diff` ends with 2 where a version cannot be read: 1 says that they differ.
            assert!(
                matches!(code, Some(0..=3)),
                "{what}, {}: {code:?} {}",
                args[0],
                stderr(&run)
            );
            assert!(
                !stderr(&run).contains("panicked"),
                "{what}: {}",
                stderr(&run)
            );
            // Two seconds and some for the rest, on a machine that is busy with other things.
            assert!(time < 60.0, "{what}, {}: {time} s", args[0]);
        }
    }
}

#[test]
fn sets_of_programs_are_scored() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let set = written(
        dir.path(),
        "set.jsonl",
        "{\"id\": \"a\", \"code\": \"print(x)\"}\n{\"id\": \"b\", \"code\": \"raise x\"}\n",
    );
    let table = stdout(&output_of(&["eval", "prefix", "--programs", &set]));
    for want in [
        "2 programs, rules, percent",
        "| all rounds | 50.0 | 50.0 | 50.0 | 50.0 |",
        "| plain values | 1 | 1 |",
        "| lines of the median prefix | 1 | 1 |",
        "| Treefix, GPT-4o | 84 / 76 / 69 | 82 / 72 / 71 |",
    ] {
        assert!(table.contains(want), "{want}\n{table}");
    }
    let run = output_of(&["eval", "prefix", "--programs", &set, "--json"]);
    let document: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(document[0]["scores"]["reach"]["full"], 0.5);
    assert_eq!(document[0]["programs"][1]["id"], "b");
}
