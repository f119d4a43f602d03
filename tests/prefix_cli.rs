//! `codexec prefix` and `eval prefix` as a user calls them.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn codexec(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_codexec"))
        .args(args)
        .output()
        .unwrap()
}

fn stdout(run: &Output) -> String {
    String::from_utf8_lossy(&run.stdout).into_owned()
}

fn stderr(run: &Output) -> String {
    String::from_utf8_lossy(&run.stderr).into_owned()
}

fn written(dir: &Path, name: &str, text: &str) -> String {
    let path = dir.join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// False, with a line on standard error, where no program can be run.
fn can_run() -> bool {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "x = 1\n");
    let run = codexec(&["prefix", &path]);
    if !run.status.success() {
        eprintln!("skipped: {}", stderr(&run));
    }
    run.status.success()
}

#[test]
fn input_beside_a_program_is_its_standard_input() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "n = int(input())\nassert n == 21\n");
    written(dir.path(), "p.in", "21\n");
    let run = codexec(&["prefix", &path, "--format", "json"]);
    let found: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(found["tried"][0]["outcome"]["kind"], "finished", "{found}");
}

/// What is found for a program, with more arguments.
fn found(program: &str, more: &[&str]) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", program);
    let args = [&["prefix", &path, "--format", "json"], more].concat();
    let run = codexec(&args);
    assert!(run.status.success(), "{}", stderr(&run));
    serde_json::from_str(&stdout(&run)).unwrap()
}

fn numbers(lines: &Value) -> BTreeSet<u64> {
    let lines = lines.as_array().unwrap().iter();
    lines.map(|l| l.as_u64().unwrap()).collect()
}

fn best(found: &Value) -> &Value {
    &found["tried"][found["set"][0].as_u64().unwrap() as usize]
}

/// Needs values, a branch for each kind of row, a loop that ends, a handler, a package, a file.
const SNIPPET: &str = "\
import shop
from shop.errors import Lost
for row in db.rows(limit=3):
    if row.kind == 'sale':
        total += row.count
    elif row.kind == 'loss':
        total -= row.count
    else:
        print('other', row)
try:
    answer = shop.connect(url).send(total)
except Lost:
    answer = None
with open('out.txt') as file:
    name, size = file.readline().split()
while not done(size):
    name += '.'
";

#[test]
fn prefixes_run_in_front_of_the_program_as_far_as_is_said() {
    if !can_run() {
        return;
    }
    let found = found(SNIPPET, &[]);
    assert_eq!(found["coverage"]["covered"], found["coverage"]["lines"]);
    assert_eq!(found["missing_packages"], serde_json::json!(["shop"]));
    let dir = tempfile::tempdir().unwrap();
    let mut all = BTreeSet::new();
    for number in found["set"].as_array().unwrap() {
        let tried = &found["tried"][number.as_u64().unwrap() as usize];
        let prefix = tried["prefix"].as_str().unwrap();
        let path = written(dir.path(), "whole.py", &format!("{prefix}{SNIPPET}"));
        // Plain Python, without anything of the search.
        let run = codexec(&[
            "trace",
            &path,
            "--engine",
            "run",
            "--format",
            "json",
            "--max-steps",
            "20000",
        ]);
        let trace: Value = serde_json::from_str(&stdout(&run)).unwrap();
        let before = prefix.lines().count() as u64;
        let steps = trace["steps"].as_array().unwrap().iter();
        let executed: BTreeSet<u64> = steps
            .filter_map(|s| s["line"].as_u64()?.checked_sub(before))
            .collect();
        let covered = numbers(&tried["covered"]);
        // Nothing is executed on `else:` and `try:`.
        let silent = BTreeSet::from([8, 10]);
        let missed: Vec<_> = covered
            .difference(&(&executed | &silent))
            .copied()
            .collect();
        assert!(missed.is_empty(), "{missed:?} of\n{prefix}");
        assert_eq!(
            trace["outcome"]["kind"], tried["outcome"]["kind"],
            "{prefix}"
        );
        assert_ne!(trace["outcome"]["kind"], "step_limit", "{prefix}");
        all.extend(covered);
    }
    assert_eq!(all, numbers(&found["covered"]));
}

#[test]
fn the_same_is_found_by_any_number_of_workers() {
    if !can_run() {
        return;
    }
    let one = found(SNIPPET, &["--workers", "1"]);
    let four = found(SNIPPET, &["--workers", "4"]);
    // Not `assert_eq`: what it would print is very long.
    assert!(
        one["tried"] == four["tried"],
        "{} {}",
        one["runs"],
        four["runs"]
    );
    assert_eq!(one["steps"], four["steps"]);
}

#[test]
fn nothing_is_put_in_front_of_what_runs_by_itself() {
    if !can_run() {
        return;
    }
    let found = found("x = 1\nprint(x)\n", &[]);
    assert_eq!(found["runs"], 1);
    assert_eq!(best(&found)["prefix"], "");
    assert_eq!(found["coverage"]["covered"], 2);
}

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
fn the_set_is_small_and_the_tree_says_where_each_prefix_comes_from() {
    if !can_run() {
        return;
    }
    let program = "if mode == 'a':\n    x = 1\n    y = 2\nelse:\n    z = 3\n";
    let found = found(program, &[]);
    let set = found["set"].as_array().unwrap();
    assert_eq!(set.len(), 2);
    assert_eq!(best(&found)["coverage"]["covered"], 3);
    for tried in found["tried"].as_array().unwrap() {
        let first = tried["step"] == "undefinedness";
        assert_eq!(first, tried["parent"].is_null(), "{tried}");
    }
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", program);
    let text = stdout(&codexec(&["prefix", &path, "--tree"]));
    for want in [
        "# best prefix (0): 3 of 5 lines",
        "# further prefix",
        "mode = \"a\"",
        "5 of 5 lines executed (100.0%), 3 by the best prefix",
        "tree of prefixes:",
        "  0 undefinedness: 3 of 5 lines (best), finished",
        "coverage: 3 of 5 lines (in P), finished",
    ] {
        assert!(text.contains(want), "{want}\n{text}");
    }
}

#[test]
fn errors_lead_to_repairs() {
    if !can_run() {
        return;
    }
    let programs = [
        "n = int(word)\nprint(n + 1)\n",
        "import os\nfor name in os.listdir('/nowhere'):\n    print(name)\n",
        "line = input('? ')\nprint(line)\n",
        "import sys\nprint(sys.argv[1])\n",
        "import os\nprint(os.environ['TOKEN'])\n",
        "from collections import nothing_like_it\nnothing_like_it(1)\n",
        "from . import near\nfrom ..far import thing\nprint(near.x, thing)\n",
        "with open('a.txt') as f:\n    print(f.read())\n",
        "a, (b, c) = f(x)\nprint(a, b, c)\n",
    ];
    for program in programs {
        let found = found(program, &[]);
        let coverage = &found["coverage"];
        assert_eq!(coverage["covered"], coverage["lines"], "{program}");
    }
}

#[test]
fn uncalled_functions_and_what_follows_exit_run_unless_that_is_refused() {
    if !can_run() {
        return;
    }
    let program = "def area(w, h):\n    return w * h\n\nexit(1)\nprint(2)\n";
    let free = found(program, &[]);
    assert_eq!(numbers(&free["covered"]), BTreeSet::from([1, 2, 4, 5]));
    let strict = found(program, &["--strict"]);
    assert_eq!(numbers(&strict["covered"]), BTreeSet::from([1, 4]));
}

#[test]
fn what_always_raises_is_not_executed_and_its_line_is_marked() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = written(
        dir.path(),
        "p.py",
        "if x:\n    raise ValueError(\n        x)\nprint(x)\n",
    );
    let text = stdout(&codexec(&["prefix", &path]));
    for want in [
        "2 of 4 lines executed (50.0%)",
        "-    2      raise ValueError(",
        "+    4  print(x)",
    ] {
        assert!(text.contains(want), "{want}\n{text}");
    }
}

#[test]
fn bad_input_is_refused_with_one_message() {
    let dir = tempfile::tempdir().unwrap();
    let empty = written(dir.path(), "empty.py", "# nothing\n");
    for (args, want) in [
        (vec!["prefix", "nowhere.py"], "nowhere.py"),
        (vec!["prefix", &empty], "the program is empty"),
    ] {
        let run = codexec(&args);
        assert_eq!(run.status.code(), Some(1));
        assert!(stderr(&run).contains(want), "{}", stderr(&run));
        assert_eq!(stderr(&run).lines().count(), 1);
    }
    for args in [
        ["prefix", &empty, "--predictor", "naive"],
        ["prefix", &empty, "--generator", "oracle"],
        ["prefix", &empty, "--runs", "0"],
    ] {
        assert_eq!(codexec(&args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn a_directory_is_summed_up_and_a_syntax_error_is_shown() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    written(dir.path(), "good.py", "print(x)\n");
    written(dir.path(), "bad.py", "print(\n");
    let run = codexec(&["prefix", &dir.path().display().to_string()]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("bad.py:1:6: syntax error"),
        "{}",
        stderr(&run)
    );
    let text = stdout(&run);
    assert!(text.contains("100.0%  best 100.0%   1 prefixes"), "{text}");
    assert!(text.contains("1 programs: 100.0% of their lines"), "{text}");
}

#[test]
fn a_predictor_ranks_the_values() {
    if !can_run() {
        return;
    }
    // One run: it is not written otherwise afterwards.
    let more = [
        "--generator",
        "neural",
        "--predictor",
        "naive",
        "--runs",
        "1",
    ];
    let found = found("if count > 3:\n    print(count)\n", &more);
    assert_eq!(found["generator"], "neural");
    // `naive` says that everything is an object.
    let first = found["tried"][0]["prefix"].as_str().unwrap();
    assert!(first.contains("count = StandIn(\"count\")"), "{first}");
    assert_eq!(found["coverage"]["covered"], 2);
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
                .arg(env!("CARGO_BIN_EXE_codexec"))
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

/// What people write: just what is used, with the tools that everybody knows.
#[test]
fn prefixes_look_like_what_a_person_would_write() {
    if !can_run() {
        return;
    }
    for (program, prefix) in [
        (
            "print(row.id, row.name)\nprint(row.total + 1)\n",
            "from types import SimpleNamespace\nrow = SimpleNamespace(id=\"id\", name=\"name\", total=1)\n",
        ),
        (
            "y = price(x)\n",
            "price = lambda *_: \"price\"\nx = \"x\"\n",
        ),
        (
            "for row in db.rows(limit=3):\n    print(row.kind)\n",
            "from types import SimpleNamespace\ndb = SimpleNamespace(\n    rows=lambda *_, **__: \
             [SimpleNamespace(kind=\"kind\"), SimpleNamespace(kind=\"kind\")],\n)\n",
        ),
        (
            "import shop\ntry:\n    shop.buy(1)\nexcept shop.Lost as e:\n    print(e)\n",
            "",
        ),
        (
            "with lock:\n    x = client.post(url).status\n",
            "from contextlib import nullcontext\nfrom types import SimpleNamespace\n\
             lock = nullcontext()\nclient = SimpleNamespace(post=lambda *_: \
             SimpleNamespace(status=\"status\"))\nurl = \"url\"\n",
        ),
        (
            "async def f(): pass\nx = await client.get(url)\n",
            "from types import SimpleNamespace\nfrom unittest.mock import AsyncMock\n\
             client = SimpleNamespace(get=AsyncMock(return_value=\"get\"))\nurl = \"url\"\n",
        ),
    ] {
        let found = found(program, &[]);
        let text = best(&found)["prefix"].as_str().unwrap();
        assert!(!text.contains("class StandIn"), "{program}\n{text}");
        assert!(text.lines().count() < 8, "{program}\n{text}");
        if !prefix.is_empty() {
            assert_eq!(text, prefix, "{program}");
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
    let table = stdout(&codexec(&["eval", "prefix", "--programs", &set]));
    for want in [
        "2 programs, rules, percent",
        "| all rounds | 50.0 | 50.0 | 50.0 | 50.0 |",
        "| plain values | 1 | 1 |",
        "| lines of the median prefix | 1 | 1 |",
        "| Treefix, GPT-4o | 84 / 76 / 69 | 82 / 72 / 71 |",
    ] {
        assert!(table.contains(want), "{want}\n{table}");
    }
    let run = codexec(&["eval", "prefix", "--programs", &set, "--json"]);
    let document: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(document[0]["scores"]["reach"]["full"], 0.5);
    assert_eq!(document[0]["programs"][1]["id"], "b");
}

#[test]
fn conditions_on_elements_identity_and_turns_are_met() {
    if !can_run() {
        return;
    }
    // Each with the lines that can be executed.
    for (program, lines) in [
        // What raises is the last of its block; parts of what is unpacked.
        (
            "for k, v in box.items():\n    if v is not None:\n        raise ValueError(k)\nx = 1\n",
            3,
        ),
        (
            "for x in parts:\n    if not isinstance(x, Part):\n        raise TypeError(x)\nx = parts\n",
            3,
        ),
        // The same call is unpacked into two and into three.
        ("(a, b) = to([y, z])\n(c, d, e) = to([u, v, w])\n", 2),
        // The same question is to be answered both ways.
        (
            "assert old.equals(new)\nassert old.equals(2)\nassert not old.equals(3)\nassert not old.equals(4)\n",
            4,
        ),
        // An element is the very object of a name.
        (
            "for leaf in leaves:\n    if leaf is first:\n        break\nelse:\n    raise LookupError\nn = 1\n",
            5,
        ),
        // Comparisons element by element.
        (
            "good = codes != 3\nif not good.all():\n    x = codes[good].max()\n",
            3,
        ),
        // A call with a function that decorates nothing.
        (
            "f = lambda x: x\ny = frame.apply(f, axis=1)\nz = y._todo\n",
            3,
        ),
    ] {
        let found = found(program, &[]);
        assert_eq!(
            found["coverage"]["covered"],
            lines,
            "{program}\n{}",
            best(&found)["prefix"]
        );
    }
}
