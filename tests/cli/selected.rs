//! Selections of steps: what `--var`, `--line`, `--visit`, `--function`, `--depth`, `--first`, `--last`, `--changes` and
//! `--output` show, alone and together, and what is said where nothing is like that.

use serde_json::Value;

use crate::support::{can_run, output_of, stderr, stdout, written};

/// The document of a selection.
fn selected(path: &str, options: &[&str]) -> Value {
    let run = output_of(&[&["trace", path, "--format", "json"], options].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    serde_json::from_str(&stdout(&run)).unwrap()
}

/// A field of each selected step.
fn each(document: &Value, field: &str) -> Vec<u64> {
    let steps = document["selected"].as_array().unwrap().iter();
    steps.map(|step| step[field].as_u64().unwrap()).collect()
}

/// The engines that can be asked here.
fn engines() -> &'static [&'static str] {
    match can_run() {
        true => &["plan", "run"],
        false => &["plan"],
    }
}

const SQUARES: &str = "total = 0\nfor k in range(20):\n    total += k * k\nprint(total)\n";

#[test]
fn a_variable_at_an_iteration_is_found_in_both_engines() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", SQUARES);
    for engine in engines() {
        let options = [
            "--engine", engine, "--line", "3", "--visit", "7", "--var", "total", "--var", "k",
        ];
        let document = selected(&path, &options);
        // Line 1, then two lines an iteration: the 7th time that line 3 runs is step 15.
        assert_eq!(each(&document, "step"), [15]);
        assert_eq!(each(&document, "visit"), [7]);
        let state = &document["selected"][0]["state"];
        assert_eq!(state["k"]["text"], "6", "{document}");
        assert_eq!(state["total"]["text"], "91", "{document}");
        assert_eq!(document["steps"], 43);
        assert_eq!(document["outcome"]["kind"], "finished");
        // Where it is asked for and does not change: k changes on line 2.
        let never = selected(&path, &["--engine", engine, "--line", "3", "--var", "k"]);
        assert_eq!(each(&never, "step"), [0; 0]);
    }
}

#[test]
fn only_changes_of_a_variable_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", SQUARES);
    let document = selected(&path, &["--var", "total"]);
    // k = 0 adds nothing: the value stays 0.
    let expected: Vec<u64> = [1].into_iter().chain((1..20).map(|k| 2 * k + 3)).collect();
    assert_eq!(each(&document, "step"), expected);
    for step in document["selected"].as_array().unwrap() {
        let names: Vec<&String> = step["state"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["total"]);
        assert_eq!(step["changed"][0], "total");
    }
    let last = selected(&path, &["--var", "total", "--last", "2"]);
    assert_eq!(each(&last, "step"), [39, 41]);
    let ends = selected(&path, &["--var", "total", "--first", "1", "--last", "1"]);
    assert_eq!(each(&ends, "step"), [1, 41]);
}

const SHOP: &str = "\
class Cart:
    def __init__(self):
        self.total = 0

    def add(self, price):
        price = reduced(price)
        self.total += price
        print('added', price)


def reduced(price):
    if price > 10:
        price -= 1
    return price


cart = Cart()
cart.add(5)
cart.add(20)
print(cart.total)
";

#[test]
fn functions_depth_and_changes_go_together() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", SHOP);
    let inside = selected(&path, &["--function", "reduced"]);
    let whole: Value = {
        let run = output_of(&["trace", &path, "--json"]);
        serde_json::from_str(&stdout(&run)).unwrap()
    };
    let steps = whole["steps"].as_array().unwrap().iter().zip(1u64..);
    let expected: Vec<u64> = steps
        .clone()
        .filter(|(step, _)| step["function"] == "reduced")
        .map(|(_, number)| number)
        .collect();
    assert!(
        expected.len() > 6 && each(&inside, "step") == expected,
        "{inside}"
    );
    for name in ["add", "Cart.add"] {
        let document = selected(&path, &["--function", name, "--depth", "1", "--line", "7"]);
        assert_eq!(each(&document, "line"), [7, 7]);
        assert_eq!(each(&document, "visit"), [1, 2]);
    }
    let shallow = selected(&path, &["--depth", "0"]);
    let expected: Vec<u64> = steps
        .filter(|(step, _)| step["depth"] == 0)
        .map(|(_, number)| number)
        .collect();
    assert_eq!(each(&shallow, "step"), expected);
    let changes = selected(
        &path,
        &["--function", "reduced", "--changes", "--line", "11-13"],
    );
    // Only 20 is reduced; what line 11 is called with is a change of the step before.
    assert_eq!(each(&changes, "line"), [13]);
    assert_eq!(changes["selected"][0]["state"]["price"]["text"], "19");
}

#[test]
fn output_comes_with_its_step_and_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", SHOP);
    for engine in engines() {
        let document = selected(&path, &["--output", "--engine", engine]);
        let printed = document["selected"].as_array().unwrap().iter();
        let printed: Vec<&str> = printed
            .map(|step| step["output"].as_str().unwrap())
            .collect();
        assert_eq!(printed, ["added 5\n", "added 19\n", "24\n"]);
        assert_eq!(each(&document, "line"), [8, 8, 20]);
        assert!(document["selected"][0]["state"].is_null());
    }
    let text = stdout(&output_of(&["trace", &path, "--output"]));
    assert!(
        text.contains("│ added 19") && text.contains("(3 of "),
        "{text}"
    );
    assert!(!text.contains("self"), "{text}");
}

#[test]
fn a_file_of_a_project_is_named_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    written(
        dir.path(),
        "helper.py",
        "def twice(x):\n    y = x + x\n    return y\n",
    );
    let main = "from helper import twice\nx = 1\ny = 2\nz = twice(x + y)\nprint(z)\n";
    let path = written(dir.path(), "main.py", main);
    let document = selected(&path, &["--line", "helper.py:2"]);
    assert_eq!(each(&document, "line"), [2]);
    assert_eq!(document["selected"][0]["file"], 1);
    assert_eq!(document["selected"][0]["state"]["y"]["text"], "6");
    let both = selected(&path, &["--line", "2"]);
    assert_eq!(each(&both, "line"), [2, 2]);
    let own = selected(&path, &["--line", "main.py:2-3"]);
    assert_eq!(each(&own, "line"), [2, 3]);
}

#[test]
fn what_is_not_there_is_said_once_with_what_is() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", SHOP);
    for (options, words) in [
        (&["--var", "prise"][..], "did you mean `price`?"),
        (&["--var", "zebra"], "there are: Cart, "),
        (
            &["--line", "9"],
            "the nearest lines that are reached: 8 and 11",
        ),
        (&["--line", "400-500"], "there are 20 lines"),
        (&["--line", "other.py:3"], "no step is in a file `other.py`"),
        (&["--function", "reduce"], "did you mean `reduced`?"),
    ] {
        let run = output_of(&[&["trace", path.as_str()], options].concat());
        let error = stderr(&run);
        assert_eq!(run.status.code(), Some(1), "{error}");
        assert!(error.contains(words), "{options:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_eq!(stdout(&run), "");
    }
    let none = output_of(&["trace", &path, "--var", "price", "--line", "20"]);
    assert!(none.status.success());
    assert!(stdout(&none).contains("no step is like that"));
    for options in [
        &["--line", "0"][..],
        &["--line", "9-3"],
        &["--visit", "0"],
        &["--var", "x", "--compare"],
        &["--output", "--format", "paper"],
        &["--last", "3", "--out", "x.jsonl"],
    ] {
        let run = output_of(&[&["trace", path.as_str()], options].concat());
        assert_eq!(run.status.code(), Some(2), "{options:?}: {}", stderr(&run));
    }
}

#[test]
fn every_program_has_its_row_of_a_selection() {
    let dir = tempfile::tempdir().unwrap();
    written(dir.path(), "a.py", SQUARES);
    written(dir.path(), "b.py", "x = 1\n");
    let path = dir.path().display().to_string();
    let run = output_of(&["trace", &path, "--var", "total", "--json"]);
    let rows = stdout(&run);
    let rows = rows
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let counts: Vec<usize> = rows
        .map(|row| row["selected"].as_array().unwrap().len())
        .collect();
    assert_eq!(counts, [20, 0]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("b.py: no variable is called `total`"));
}

/// More steps than a trace that is written as a whole has.
const LONG: &str = "n = 97\nseen = 0\nwhile n != 1:\n    if n % 2:\n        n = 3 * n + 1\n    else:\n        n //= 2\n    seen += 1\nfor k in range(1500):\n    seen += 1\nprint(seen)\n";

#[test]
fn the_usual_limit_is_one_of_what_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", LONG);
    for engine in engines() {
        // 118 steps of the sequence of 97 are well known; 1,500 are added.
        let text = stdout(&output_of(&["trace", &path, "--engine", engine]));
        assert!(
            text.contains("│ 1618") && text.contains("finished ("),
            "{text}"
        );
        assert!(text.lines().count() < 80, "{text}");
        let last = selected(&path, &["--engine", engine, "--last", "1"]);
        assert_eq!(last["selected"][0]["output"], "1618\n");
        let whole = stdout(&output_of(&["trace", &path, "--engine", engine, "--json"]));
        let whole: Value = serde_json::from_str(&whole).unwrap();
        assert_eq!(whole["outcome"]["kind"], "step_limit");
        assert_eq!(whole["steps"].as_array().unwrap().len(), 1024);
        // Exactly as many as are asked for, in every form.
        let cut = ["trace", &path, "--engine", engine, "--max-steps", "50"];
        let text = stdout(&output_of(&cut));
        assert!(
            text.contains("stopped at the step limit (50 steps)"),
            "{text}"
        );
        let some = selected(
            &path,
            &["--engine", engine, "--max-steps", "50", "--last", "1"],
        );
        assert_eq!(each(&some, "step"), [50]);
    }
}
