//! `codexec guide` and `eval guide` as a user calls them.

use crate::support::{can_run, output_of, page_data, stderr, stdout, written};

#[test]
fn a_run_is_shown_with_what_was_made_up() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = written(
        dir.path(),
        "p.py",
        "total = price * 2\nif total > 1:\n    print(total)\nelse:\n    pass\n",
    );
    let run = output_of(&["guide", &path, "--report", "coverage"]);
    let text = stdout(&run);
    assert!(run.status.success(), "{}", stderr(&run));
    for want in [
        "made up:",
        "name       price",
        "finished (3 steps)",
        "3 of 5 lines executed (60.0%)",
        "-    5      pass",
    ] {
        assert!(text.contains(want), "{want}\n{text}");
    }
    let page = stdout(&output_of(&["guide", &path, "--format", "html"]));
    let shown = page_data(&page);
    let tab = &shown["tabs"][0];
    assert_eq!(tab["made_up"][0]["what"], "price");
    let note = tab["note"].as_str().unwrap();
    assert!(note.starts_with("3 of 5 lines executed (60.0%)"), "{note}");
}

/// What is split and read as numbers is made of numbers, from whatever function it comes.
#[test]
fn texts_that_are_read_as_numbers_are_numbers() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let source = "\
a = list(map(int, get_line().split()))
b = [int(x) for x in other.strip().split()]
c, d = map(int, thing.split())
for line in lines:
    e = float(line.split(',')[1])
    f = line.split(',')[0].upper()
";
    let path = written(dir.path(), "p.py", source);
    let run = output_of(&["guide", &path, "--json"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(document["outcome"]["kind"], "finished", "{document:#}");
}

#[test]
fn json_has_the_run_and_the_predictions_asked_for() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "for x in items:\n    print(x)\n");
    let run = output_of(&["guide", &path, "--format", "json", "--top", "2"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(document["injected"][0]["name"], "items");
    assert_eq!(document["coverage"]["covered"], 2);
    assert_eq!(document["trace"]["engine"], "guide");
    let classes = document["predictions"][0]["classes"].as_array().unwrap();
    assert_eq!(classes[0]["class"], "list_nonempty");
    assert!(classes.len() <= 2);
}

#[test]
fn a_directory_is_summed_up_and_a_syntax_error_is_shown() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    written(dir.path(), "a.py", "x = y\n");
    written(dir.path(), "b.py", "1 / 0\nprint(1)\n");
    let whole = dir.path().display().to_string();
    let run = output_of(&["guide", &whole]);
    let text = stdout(&run);
    assert!(run.status.success());
    assert!(
        text.contains("2 programs: 50.0% of their lines on average, 50.0% executed whole"),
        "{text}"
    );
    written(dir.path(), "c.py", "def f(:\n");
    let run = output_of(&["guide", &whole]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("c.py:1:7: syntax error"),
        "{}",
        stderr(&run)
    );
    assert!(stdout(&run).contains("2 programs:"));
}

#[test]
fn packages_that_are_there_are_used_and_others_made_up() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let packages = dir.path().join("packages");
    std::fs::create_dir(&packages).unwrap();
    written(
        &packages,
        "toy_numbers.py",
        "def double(x):\n    return 2 * x\n",
    );
    written(&packages, "toy_broken.py", "raise OSError('no machine')\n");
    // Not imported: found by its name and by what is read of it.
    let path = written(
        dir.path(),
        "p.py",
        "import toy_broken\nprint(toy_numbers.double(21))\nprint(toy_numbers.double(None))\n",
    );
    let packages = packages.display().to_string();
    let run = output_of(&["guide", &path, "--no-packages", "--packages-dir", &packages]);
    let text = stdout(&run);
    assert!(text.contains("│ 42"), "{text}\n{}", stderr(&run));
    assert!(text.contains("raised TypeError on line 3"), "{text}");
    assert!(text.contains("import     toy_broken"), "{text}");
    let made_up = text.lines().filter(|l| l.contains("toy_numbers")).count();
    assert_eq!(made_up, 2, "only as lines of the program: {text}");
    let text = stdout(&output_of(&["guide", &path, "--no-packages"]));
    assert!(text.contains("name       toy_numbers"), "{text}");
    let traced = output_of(&["trace", &path, "--engine", "run", "--packages-dir", "/"]);
    assert_eq!(traced.status.code(), Some(1));
    assert!(
        stderr(&traced).contains("--packages-dir"),
        "{}",
        stderr(&traced)
    );
}

#[test]
fn input_that_nobody_gave_suits_its_use() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = written(
        dir.path(),
        "p.py",
        "a, b, c = map(int, input().split())\nn = int(sys.stdin.readline())\n\
         for line in sys.stdin.readlines():\n    print(line.strip(), a + b + c + n)\n",
    );
    let text = stdout(&output_of(&["guide", &path]));
    assert!(
        text.contains("finished") && text.contains("│ a 4"),
        "{text}"
    );
    let text = stdout(&output_of(&["guide", &path, "--input", "1 2 3\n4\nx"]));
    assert!(text.contains("│ x 10"), "{text}");
}

#[test]
fn wrong_usage_is_refused() {
    for args in [
        &["guide"][..],
        &["guide", "a.py", "--predictor", "oracle"],
        &["guide", "a.py", "--timeout", "0"],
        &["eval", "guide"],
    ] {
        assert_eq!(output_of(args).status.code(), Some(2), "{args:?}");
    }
    let run = output_of(&["guide", "there_is_none.py"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("there_is_none.py"));
}

#[test]
fn a_made_up_mapping_has_any_key_that_is_asked_for() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let text = "\
import pandas as pd

settings = load_settings('report.yml')
frame = pd.read_csv(settings['input'])
columns = settings['columns']
for name in wanted:
    frame[name] = frame[columns[name]] * settings[name]
    print(name, frame[name].sum())
total = frame['amount'].sum()
settings.update(total=total)
print(settings[total], settings.get(name).strip(), settings.pop('old'))
data = json.load(open('data.json'))
print(data['users'], data[name])
";
    let path = written(dir.path(), "p.py", text);
    for predictor in [
        "linear",
        "type-use",
        "neural",
        "frequency",
        "naive",
        "random",
    ] {
        let args = ["guide", &path, "--no-packages", "--predictor", predictor];
        let run = stdout(&output_of(&args));
        assert!(!run.contains("KeyError"), "{predictor}\n{run}");
        if predictor == "linear" {
            assert!(run.contains("12 of 12 lines executed"), "{run}");
        }
    }
    let run = stdout(&output_of(&["guide", &path, "--no-packages", "--strict"]));
    assert!(run.contains("raised KeyError on line 7"), "{run}");
}

#[test]
fn a_stray_return_ends_a_program_with_a_note() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let of = |text: &str| {
        let path = written(dir.path(), "p.py", text);
        let run = stdout(&output_of(&["guide", &path, "--no-packages"]));
        let prefix = stdout(&output_of(&["prefix", &path, "--no-packages"]));
        (run, prefix)
    };
    let note = |line: u32| format!("note: the program ended at `return` on line {line},");
    // What only modules may have stays possible.
    let (run, prefix) = of("\
from __future__ import annotations
from os.path import *
x: int = basename('a/b')
if x:
    return x
print('not reached')
");
    for text in [&run, &prefix] {
        assert!(text.contains(&note(5)), "{text}");
        assert!(text.contains("5 of 6 lines executed"), "{text}");
    }
    assert!(run.contains("x = 'b'") && !run.contains("│"), "{run}");
    let (run, _) = of("x = await fetch()\nfor i in range(2):\n    yield i\nreturn x\n");
    assert!(run.contains("4 of 4 lines executed"), "{run}");
    let (run, prefix) = of("def f():\n    return 1\nx = f()\n");
    assert!(!run.contains("note:") && !prefix.contains("note:"), "{run}");
}

#[test]
fn functions_are_called_where_that_is_asked_for() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = written(
        dir.path(),
        "p.py",
        "def f(a, *, b):\n    return a + b\n\nclass C:\n    def g(self):\n        return 1\n",
    );
    let text = stdout(&output_of(&["guide", &path]));
    assert!(text.contains("note: nothing is called; --call"), "{text}");
    let text = stdout(&output_of(&["guide", &path, "--call"]));
    for want in ["result_of_f = f(a, b=b)", "made_C.g()", "5 of 5 lines"] {
        assert!(text.contains(want), "{want}\n{text}");
    }
    assert!(!text.contains("note:"), "{text}");
    let raising = "def first(n):\n    raise ValueError('no')\n\ndef second(n):\n    return n\n";
    let path = written(dir.path(), "raising.py", raising);
    let text = stdout(&output_of(&["guide", &path, "--call"]));
    for want in [
        "second(n)",
        "finished",
        "3 of 4 lines",
        "note: first raised ValueError('no')",
    ] {
        assert!(text.contains(want), "{want}\n{text}");
    }
}

#[test]
fn an_empty_set_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let empty = written(dir.path(), "empty.jsonl", "\n");
    let no_program = written(dir.path(), "empty.json", "{}");
    for (option, file) in [
        ("--programs", &empty),
        ("--events", &empty),
        ("--orca", &no_program),
    ] {
        let run = output_of(&["eval", "guide", option, file, "--predictors", "type-use"]);
        assert_eq!(run.status.code(), Some(1), "{option}");
        assert_eq!(stdout(&run), "");
        assert!(stderr(&run).contains("has no"), "{}", stderr(&run));
    }
}

#[test]
fn predictors_are_scored() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let programs = written(
        dir.path(),
        "p.jsonl",
        "{\"id\": \"a\", \"code\": \"x = y\\n\"}\n{\"id\": \"b\", \"code\": \"x = 1\\n1 / 0\\n\"}\n",
    );
    let run = output_of(&[
        "eval",
        "guide",
        "--programs",
        &programs,
        "--predictors",
        "type-use,as-is",
        "--json",
    ]);
    let scores: serde_json::Value = serde_json::from_str(&stdout(&run)).unwrap();
    let rows = scores["coverage"].as_array().unwrap();
    let row = |predictor: &str| {
        let row = rows.iter().find(|r| r["predictor"] == predictor).unwrap();
        (
            row["scores"]["covered"].as_f64().unwrap(),
            row["scores"]["full"].as_f64().unwrap(),
        )
    };
    assert_eq!(row("type-use, adaptive"), (0.75, 0.5));
    assert_eq!(row("as-is"), (0.25, 0.0));
    let wrong = written(dir.path(), "wrong.jsonl", "{\"id\": 3}\n");
    let run = output_of(&["eval", "guide", "--programs", &wrong]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("wrong.jsonl: line 1"),
        "{}",
        stderr(&run)
    );
}

#[test]
fn imports_that_fail_in_other_modules_of_the_project_are_replaced_too() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = written(
        dir.path(),
        "main.py",
        "import store\nfrom store import shared\nprint(store.load(4), store.FAST, shared)\n",
    );
    written(
        dir.path(),
        "store.py",
        "\
import nowhere_sql
from nowhere_json import dumps
from os import nothing_of_that_name
try:
    import nowhere_fast
    FAST = True
except ImportError:
    FAST = False
from circle import shared

def load(n):
    nowhere_sql.connect(dumps(n))
    return n + 1
",
    );
    written(
        dir.path(),
        "circle.py",
        "import store\ntry:\n    from store import load\nexcept ImportError as error:\n    shared = type(error).__name__\n",
    );
    let run = output_of(&["guide", &path, "--no-packages", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(found["outcome"]["kind"], "finished", "{found:#}");
    let output = found["trace"]["steps"].as_array().unwrap().iter();
    let output: String = output.filter_map(|step| step["output"].as_str()).collect();
    assert_eq!(output, "5 False ImportError\n");
    let injected = found["injected"].as_array().unwrap().iter();
    let injected: Vec<String> = injected
        .filter(|one| one["kind"] == "import")
        .map(|one| {
            format!(
                "{}:{} {}",
                one["file"].as_str().unwrap_or(""),
                one["line"],
                one["name"]
            )
        })
        .collect();
    let wanted = [
        "store.py:1 \"nowhere_sql\"",
        "store.py:2 \"nowhere_json\"",
        "store.py:3 \"os\"",
    ];
    assert_eq!(injected, wanted);
    let text = stdout(&output_of(&["guide", &path, "--no-packages"]));
    assert!(text.contains("store.py:1  import"), "{text}");
    // An error of the program's own in a module is no missing import.
    written(dir.path(), "store.py", "shared = 1 / 0\n");
    let run = output_of(&["guide", &path, "--no-packages", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(found["outcome"]["exception"], "ZeroDivisionError");
    assert!(found["injected"].as_array().unwrap().is_empty());
}
