//! Loops and recursion as text: what is folded, what is not, and that nothing is lost.

use serde_json::Value;

use crate::support::{output_of, stderr, stdout, written};

fn text(path: &str, options: &[&str]) -> String {
    let run = output_of(&[&["trace", path], options].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    stdout(&run)
}

/// Numbers of the steps that are shown, and how many more the folded rows stand for.
fn counted(text: &str) -> (Vec<usize>, usize) {
    let (mut shown, mut folded) = (Vec::new(), 0);
    for line in text.lines().skip(1) {
        let Some(first) = line.get(..4).map(str::trim) else {
            // The mark of a folded row is no single byte.
            folded += steps_of(line);
            continue;
        };
        match first.parse() {
            Ok(number) => shown.push(number),
            Err(_) => folded += steps_of(line),
        }
    }
    (shown, folded)
}

/// The number in `iterations 3 to 9: 36 steps`.
fn steps_of(line: &str) -> usize {
    let Some((_, after)) = line.split_once('⋯') else {
        return 0;
    };
    let Some((_, after)) = after.split_once(": ") else {
        return 0;
    };
    let number = after.split_whitespace().next().unwrap_or_default();
    number.parse().unwrap_or(0)
}

const COLLATZ: &str = "\
n = 27
steps = 0
while n != 1:
    if n % 2 == 0:
        n //= 2
    else:
        n = 3 * n + 1
    steps += 1
print(steps)
";

const NESTED: &str = "\
total = 0
for row in range(12):
    for column in range(10):
        if row * column == 77:
            total -= 1
        total += row * column
print(total)
";

const FIB: &str = "\
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


print(fib(10))
";

const BREAKS: &str = "\
found = None
for k in range(200):
    if k * k > 5000:
        found = k
        break
rest = []
for k in range(40, -1, -1):
    rest.append(100 // (k - 3))
";

const GENERATOR: &str = "\
def counting(limit):
    n = 0
    while True:
        if n == limit:
            return
        yield n
        n += 1


total = 0
for value in counting(40):
    total += value
print(total)
";

#[test]
fn every_step_is_shown_or_counted() {
    let dir = tempfile::tempdir().unwrap();
    for (name, source) in [
        ("collatz.py", COLLATZ),
        ("nested.py", NESTED),
        ("fib.py", FIB),
        ("breaks.py", BREAKS),
        ("generator.py", GENERATOR),
    ] {
        let path = written(dir.path(), name, source);
        let whole: Value = serde_json::from_str(&stdout(&output_of(&[
            "trace", &path, "--json", "--last", "1",
        ])))
        .unwrap();
        let steps = whole["steps"].as_u64().unwrap() as usize;
        let folded = text(&path, &[]);
        let (shown, hidden) = counted(&folded);
        assert_eq!(shown.len() + hidden, steps, "{name}:\n{folded}");
        assert!(hidden > steps / 3 && shown.len() < 110, "{name}:\n{folded}");
        let (shown, hidden) = counted(&text(&path, &["--all"]));
        assert_eq!((shown.len(), hidden), (steps, 0), "{name}");
        assert!(shown.into_iter().eq(1..=steps), "{name}");
    }
}

#[test]
fn a_loop_shows_its_ends_and_every_way_through_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", COLLATZ);
    let view = text(&path, &[]);
    // 27 takes 111 steps to 1; the first is odd, the second even.
    for words in ["n = 82", "n = 41", "n = 1\n", "│ 111", "to 110: "] {
        assert!(view.contains(words), "{words}: {view}");
    }
    // What the folded iterations leave behind is said: the last one begins with 2 and 110 steps.
    let row = view.lines().skip_while(|line| !line.contains("to 110: "));
    let row: Vec<&str> = row.take(2).collect();
    assert!(
        row.concat().contains("n = 2") && row.concat().contains("steps = 110"),
        "{view}"
    );
    let nested = text(&written(dir.path(), "nested.py", NESTED), &[]);
    // 77 is row 11, column 7: shown although nine columns beside it are not.
    assert!(nested.contains("total -= 1"), "{nested}");
    let total: i64 = (0..12)
        .flat_map(|r| (0..10).map(move |c| r * c))
        .sum::<i64>()
        - 1;
    assert!(nested.contains(&format!("│ {total}")), "{nested}");
}

#[test]
fn breaks_and_exceptions_are_never_folded() {
    let dir = tempfile::tempdir().unwrap();
    let view = text(&written(dir.path(), "p.py", BREAKS), &[]);
    assert!(
        view.contains("found = 71") && view.contains("break"),
        "{view}"
    );
    assert!(view.contains("✗ ZeroDivisionError"), "{view}");
}

#[test]
fn recursive_calls_are_folded_with_what_they_give_back() {
    let dir = tempfile::tempdir().unwrap();
    let view = text(&written(dir.path(), "p.py", FIB), &[]);
    // fib(8) is computed when fib(9) is known; it makes 67 calls.
    let row = view.lines().find(|line| line.contains("67 calls"));
    assert!(row.is_some_and(|row| row.contains("returns 21")), "{view}");
    assert!(view.contains("│ 55"), "{view}");
}

#[test]
fn recursion_straight_down_and_back_is_folded() {
    let dir = tempfile::tempdir().unwrap();
    let source =
        "def f(n):\n    if n <= 1:\n        return 1\n    return n * f(n - 1)\n\n\nprint(f(40))\n";
    let path = written(dir.path(), "p.py", source);
    let view = text(&path, &[]);
    let row = |words: &str| view.lines().find(|line| line.contains(words)).unwrap_or("");
    // Two calls are shown, then the last.
    assert!(
        row("37 calls deeper: 111 steps").contains("n = 1"),
        "{view}"
    );
    assert!(
        view.contains("36 returns: 36 steps") && view.contains("│ 81591528"),
        "{view}"
    );
    // The definition, the call, three steps down and one back of each of 40.
    assert_eq!(counted(&view).0.len() + 111 + 36, 2 + 4 * 40, "{view}");
}

#[test]
fn a_short_trace_is_not_folded() {
    for example in ["examples/03_sum_loop.py", "examples/08_swap_sort.py"] {
        let path = format!("{}/{example}", env!("CARGO_MANIFEST_DIR"));
        let view = text(&path, &[]);
        assert_eq!(view, text(&path, &["--all"]));
    }
}
