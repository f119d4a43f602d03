//! `codexec why`: chains that were worked out by hand, chains that are enough to make the value, and what is said where
//! there is none.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{can_run, output_of, stderr, stdout, written};

/// The answer as JSON, the same from both engines where both can be asked.
fn why(path: &str, options: &[&str]) -> Value {
    let ask = |engine: &str| {
        let common = ["why", path, "--format", "json", "--engine", engine];
        let run = output_of(&[&common[..], options].concat());
        assert!(run.status.success(), "{}", stderr(&run));
        serde_json::from_str::<Value>(&stdout(&run)).unwrap()
    };
    let planned = ask("plan");
    if can_run() {
        let ran = ask("run");
        assert_eq!(shape(&planned), shape(&ran));
    }
    let links = planned["links"].as_array().unwrap();
    for (k, link) in links.iter().enumerate() {
        for cause in link["because"].as_array().unwrap() {
            assert!((cause.as_u64().unwrap() as usize) < k, "{planned:#}");
        }
    }
    planned
}

/// Everything but where values come from, which is what engines differ in.
fn shape(answer: &Value) -> String {
    let links = answer["links"].as_array().unwrap().iter();
    let link = |link: &Value| {
        let mut link = link.clone();
        let mut values = link["values"].take();
        let texts = values.as_object_mut().into_iter().flatten();
        let texts: Vec<String> = texts
            .map(|(name, v)| format!("{name} {}", v["text"]))
            .collect();
        let value = link["value"].take()["text"].take();
        format!("{link} {texts:?} {value}")
    };
    links.map(link).collect()
}

/// Lines of the links.
fn lines(answer: &Value) -> Vec<u64> {
    let links = answer["links"].as_array().unwrap().iter();
    links.map(|link| link["line"].as_u64().unwrap()).collect()
}

const DEEP: &str = "\
def parse(text):
    parts = text.split(',')
    return [int(part) for part in parts]


def mean(numbers):
    unused = 1
    count = len(numbers) - 3
    return sum(numbers) / count


def report(text):
    numbers = parse(text)
    result = mean(numbers)
    return f'mean {result}'


rows = ['1,2,3,4', '5,6,7']
for row in rows:
    line = report(row)
    print(line)
";

#[test]
fn an_exception_three_calls_deep_has_its_calls_values_and_no_more() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", DEEP);
    let answer = why(&path, &[]);
    // Of the second row alone: `unused`, the first row and what was printed do not matter.
    assert_eq!(lines(&answer), [18, 19, 20, 13, 2, 3, 13, 14, 8, 9]);
    let links = answer["links"].as_array().unwrap();
    let kinds: Vec<&str> = links
        .iter()
        .map(|link| link["kind"].as_str().unwrap())
        .collect();
    let expected = [
        "assigned", "assigned", "called", "called", "assigned", "returned", "assigned", "called",
        "assigned", "raised",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(links[1]["values"]["row"]["text"], "'5,6,7'");
    assert_eq!(links[8]["values"]["count"]["text"], "0");
    assert_eq!(links[9]["text"], "ZeroDivisionError: division by zero");
    let text = stdout(&output_of(&["why", &path]));
    let first = text.lines().next().unwrap();
    assert_eq!(first, "why ZeroDivisionError on line 9: division by zero");
    for words in [
        "report:  text = '5,6,7'",
        "← return [int(part)",
        "returns [5, 6, 7]",
        "count = 0",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn steps_are_those_of_trace() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", DEEP);
    let trace: Value =
        serde_json::from_str(&stdout(&output_of(&["trace", &path, "--json"]))).unwrap();
    let answer = why(&path, &[]);
    for link in answer["links"].as_array().unwrap() {
        let Some(values) = link["values"].as_object() else {
            continue;
        };
        let step = link["step"].as_u64().unwrap() as usize - 1;
        for (name, value) in values {
            let text = &trace["steps"][step]["state"][name]["text"];
            assert_eq!(*text, value["text"], "{link}");
        }
    }
}

const ACCOUNT: &str = "\
class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance

    def deposit(self, amount):
        self.balance += amount
        return self.balance


def transfer(source, target, amount):
    source.balance -= amount
    target.deposit(amount)


a = Account('ann', 100)
b = Account('bob', 7)
transfer(a, b, 30)
a.owner = 'anna'
print(a.balance)
";

#[test]
fn attributes_are_followed_one_by_one_through_methods() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", ACCOUNT);
    let of_b = why(&path, &["--var", "b.balance"]);
    let seen: BTreeSet<u64> = lines(&of_b).into_iter().collect();
    // Neither owner, nor the account of ann.
    assert_eq!(seen, BTreeSet::from([4, 7, 13, 17, 18]), "{of_b:#}");
    let last = of_b["links"].as_array().unwrap().last().unwrap();
    assert_eq!(last["values"]["self.balance"]["text"], "37");
    let printed = why(&path, &[]);
    let seen: BTreeSet<u64> = lines(&printed).into_iter().collect();
    assert_eq!(seen, BTreeSet::from([4, 12, 16, 18, 20]), "{printed:#}");
}

#[test]
fn a_value_at_a_step_is_that_of_the_step() {
    let dir = tempfile::tempdir().unwrap();
    let source = "a, b = 0, 1\nfor k in range(6):\n    a, b = b, a + b\nb = 100\nprint(a)\n";
    let path = written(dir.path(), "p.py", source);
    // Line 3 runs for the third time at step 7: a is the b of the time before, 2.
    let answer = why(&path, &["--step", "7", "--var", "a"]);
    assert_eq!(
        answer["links"].as_array().unwrap().last().unwrap()["step"],
        7
    );
    assert!(lines(&answer).iter().all(|line| *line < 4), "{answer:#}");
    let near = why(&path, &["--step", "7", "--var", "a", "--depth", "1"]);
    assert_eq!(near["cut"], true);
    assert!(lines(&near).len() < lines(&answer).len());
    let step = why(&path, &["--step", "7"]);
    assert_eq!(step["question"]["step"], 7);
}

#[test]
fn changes_in_place_and_of_globals_are_links() {
    let dir = tempfile::tempdir().unwrap();
    let source = "\
counts = {}
calls = 0
xs = [3]
def push(items, value):
    global calls
    calls += 1
    items.append(value)
push(xs, 4)
ys = xs
ys.append(5)
for x in xs:
    counts[x % 2] = x
noise = 12
print(counts)
print(calls)
";
    let path = written(dir.path(), "p.py", source);
    let first = why(&path, &["--output", "1"]);
    let seen: BTreeSet<u64> = lines(&first).into_iter().collect();
    assert_eq!(
        seen,
        BTreeSet::from([1, 3, 7, 8, 9, 10, 11, 12, 14]),
        "{first:#}"
    );
    let second = why(&path, &["--output"]);
    let seen: BTreeSet<u64> = lines(&second).into_iter().collect();
    assert_eq!(seen, BTreeSet::from([2, 6, 8, 15]), "{second:#}");
}

/// Programs and a variable of each: the lines of its chain alone must make the same value.
const SUFFICIENT: &[(&str, &str)] = &[
    (
        "n = 27\nsteps = 0\nbig = n\nwhile n != 1:\n    if n % 2 == 0:\n        n //= 2\n    else:\n        n = 3 * n + 1\n    if n > big:\n        big = n\n    steps += 1\nother = steps * 2\n",
        "big",
    ),
    (
        "xs = [5, 3, 8, 1]\nys = []\nz = 9\nfor x in xs:\n    if x < 2:\n        continue\n    z -= 1\n    ys.append(x * 2)\ntotal = 0\nfor y in ys:\n    total += y\nlast = z\n",
        "total",
    ),
    (
        "xs = [4, 9, 2]\ns = 0\nz = 1\nfor x in xs:\n    s += x\n    z += 1\n    if s > 10:\n        break\nlast = z\n",
        "s",
    ),
    (
        "grid = [[0] * 4 for _ in range(3)]\nseen = 0\nfor r in range(3):\n    for c in range(4):\n        seen += 1\n        if r == c:\n            grid[r][c] = r + 1\ntrace = 0\nfor k in range(3):\n    trace += grid[k][k]\nlow = min(seen, trace)\n",
        "trace",
    ),
    (
        "names = ['b', 'a', 'c', 'a']\ncount = {}\nlength = 0\nfor name in names:\n    length += len(name)\n    count[name] = count.get(name, 0) + 1\nbest = None\nfor name, n in sorted(count.items()):\n    if best is None or n > count[best]:\n        best = name\n",
        "best",
    ),
    (
        "xs = list(range(20))\nlo, hi, tries = 0, 19, 0\nwant = 13\nfound = -1\nwhile lo <= hi:\n    tries += 1\n    mid = (lo + hi) // 2\n    if xs[mid] == want:\n        found = mid\n        break\n    if xs[mid] < want:\n        lo = mid + 1\n    else:\n        hi = mid - 1\nunused = tries\n",
        "found",
    ),
];

#[test]
fn the_lines_of_a_chain_are_enough_to_make_the_value() {
    let dir = tempfile::tempdir().unwrap();
    for (source, name) in SUFFICIENT {
        let path = written(dir.path(), "p.py", source);
        let kept: BTreeSet<u64> = lines(&why(&path, &["--var", name])).into_iter().collect();
        let sliced: String = source
            .lines()
            .zip(1u64..)
            .map(|(line, number)| {
                let text = line.trim_start();
                let indent = &line[..line.len() - text.len()];
                let leaves = ["else:", "continue", "break"].contains(&text);
                match kept.contains(&number) || leaves {
                    true => format!("{line}\n"),
                    false if text.ends_with(':') => format!("{indent}if False:\n"),
                    false => format!("{indent}pass\n"),
                }
            })
            .collect();
        let count = source.lines().count();
        assert!(kept.len() < count, "nothing is left out of {source}");
        let value = |source: &str| {
            let path = written(dir.path(), "q.py", format!("{source}print({name})\n"));
            let run = output_of(&["trace", &path, "--output", "--json"]);
            assert!(run.status.success(), "{}\n{source}", stderr(&run));
            let trace: Value = serde_json::from_str(&stdout(&run)).unwrap();
            trace["selected"][0]["output"].as_str().unwrap().to_owned()
        };
        assert_eq!(value(&sliced), value(source), "{sliced}");
    }
}

#[test]
fn names_of_the_function_around_are_followed() {
    let dir = tempfile::tempdir().unwrap();
    let source = "\
def counter(start):
    count = start

    def more(by=1):
        nonlocal count
        count += by
        return count
    return more


base = 5
tick = counter(base)
tick()
last = tick(2)
";
    let path = written(dir.path(), "p.py", source);
    let answer = why(&path, &["--var", "last"]);
    assert_eq!(
        lines(&answer),
        [11, 12, 2, 13, 6, 14, 6, 7, 14],
        "{answer:#}"
    );
    let links = answer["links"].as_array().unwrap();
    assert_eq!(links[4]["values"]["count"]["text"], "6");
    assert_eq!(links[6]["values"]["count"]["text"], "8");
}

#[test]
fn generators_hand_values_on() {
    let dir = tempfile::tempdir().unwrap();
    let source = "\
def counting(limit):
    n = 1
    while n < limit:
        yield n * n
        n += 1


total = 0
for value in counting(4):
    total += value
";
    let path = written(dir.path(), "p.py", source);
    let answer = why(&path, &["--var", "total"]);
    let links = answer["links"].as_array().unwrap();
    let given: Vec<&str> = links
        .iter()
        .filter(|link| link["kind"] == "returned")
        .map(|link| link["value"]["text"].as_str().unwrap())
        .collect();
    assert_eq!(given, ["1", "4", "9"]);
    assert_eq!(links.last().unwrap()["values"]["total"]["text"], "14");
}

#[test]
fn a_chain_leads_into_other_files() {
    let dir = tempfile::tempdir().unwrap();
    written(
        dir.path(),
        "shop.py",
        "RATE = 3\n\n\ndef price(n):\n    cost = n * RATE\n    return cost\n",
    );
    let main = "from shop import price\n\nn = 4\nm = 5\nprint(price(n))\n";
    let path = written(dir.path(), "main.py", main);
    let text = stdout(&output_of(&["why", &path]));
    for words in ["── shop.py", "RATE = 3", "cost = 12", "returns 12", "│ 12"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("m = 5"), "{text}");
}

#[test]
fn long_chains_are_folded() {
    let dir = tempfile::tempdir().unwrap();
    let source = "total = 0\nfor k in range(300):\n    total += k\nprint(total)\n";
    let path = written(dir.path(), "p.py", source);
    let text = stdout(&output_of(&["why", &path]));
    assert!(
        text.lines().count() < 20 && text.contains("⋯ iterations 3 to 299"),
        "{text}"
    );
    assert!(text.contains("602 links of 603 steps"), "{text}");
    let all = stdout(&output_of(&["why", &path, "--all"]));
    assert!(all.lines().count() > 600);
}

#[test]
fn what_cannot_be_answered_is_said_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", ACCOUNT);
    let silent = written(dir.path(), "silent.py", "total = 1\n");
    let broken = written(dir.path(), "broken.py", "x = = 1\n");
    for (path, options, words) in [
        (
            &path,
            &["--var", "ballance"][..],
            "no variable is called `ballance`",
        ),
        (
            &path,
            &["--var", "a.ownr"],
            "`a` has no attribute `ownr` there",
        ),
        (
            &path,
            &["--var", "b", "--step", "2"],
            "`b` has no value at step 2",
        ),
        (
            &path,
            &["--step", "4000"],
            "there is no step 4000: the trace has ",
        ),
        (
            &path,
            &["--output", "9"],
            "there is no line 9 of output: 1 was printed",
        ),
        (&silent, &[], "it neither raises nor prints"),
        (&silent, &["--output"], "the program printed nothing"),
    ] {
        let run = output_of(&[&["why", path.as_str()], options].concat());
        let error = stderr(&run);
        assert_eq!(run.status.code(), Some(1), "{options:?}: {error}");
        assert!(error.contains(words), "{options:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_eq!(stdout(&run), "");
    }
    let run = output_of(&["why", &broken]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("invalid syntax"), "{}", stderr(&run));
    for options in [
        &["--step", "0"][..],
        &["--engine", "whole"],
        &["--output", "1", "--var", "a"],
    ] {
        let run = output_of(&[&["why", path.as_str()], options].concat());
        assert_eq!(run.status.code(), Some(2), "{options:?}");
    }
}
