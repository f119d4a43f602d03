//! `codexec prefix` and `eval prefix` as a user calls them.

mod sets;

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::support::{BINARY, can_run, output_of, stderr, stdout, written};

#[test]
fn input_beside_a_program_is_its_standard_input() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "n = int(input())\nassert n == 21\n");
    written(dir.path(), "p.in", "21\n");
    let run = output_of(&["prefix", &path, "--format", "json"]);
    let found: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(found["tried"][0]["outcome"]["kind"], "finished", "{found}");
}

/// What is found for a program, with more arguments.
fn found(program: &str, more: &[&str]) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", program);
    let args = [&["prefix", &path, "--format", "json"], more].concat();
    let run = output_of(&args);
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
        let path = written(dir.path(), "whole.py", format!("{prefix}{SNIPPET}"));
        // Plain Python, without anything of the search.
        let run = output_of(&[
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
    let text = stdout(&output_of(&["prefix", &path, "--tree"]));
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
    let text = stdout(&output_of(&["prefix", &path]));
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
        let run = output_of(&args);
        assert_eq!(run.status.code(), Some(1));
        assert!(stderr(&run).contains(want), "{}", stderr(&run));
        assert_eq!(stderr(&run).lines().count(), 1);
    }
    for args in [
        ["prefix", &empty, "--predictor", "naive"],
        ["prefix", &empty, "--generator", "oracle"],
        ["prefix", &empty, "--runs", "0"],
    ] {
        assert_eq!(output_of(&args).status.code(), Some(2), "{args:?}");
    }
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
