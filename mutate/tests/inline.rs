//! What holds of `inline_input` on any text: no panic, the result parses, and what is left of the input
//! is its end. That results run the same is tested where there is a Python, in `data`.

#![allow(clippy::unwrap_used)] // A test that cannot set up its programs may panic.

use codexec_mutate::{Mutator, inline_input};
use proptest::prelude::*;

fn check(source: &str, stdin: &str) {
    let Ok(inlined) = inline_input(source, stdin) else {
        return;
    };
    assert!(stdin.ends_with(&inlined.stdin));
    assert!(
        Mutator::default().candidates(&inlined.source).is_ok(),
        "does not parse:\n{}",
        inlined.source
    );
    if inlined.sites == 0 {
        assert_eq!(
            (inlined.source.as_str(), inlined.stdin.as_str()),
            (source, stdin)
        );
    }
}

/// Statements that read, nested in each other.
fn program() -> impl Strategy<Value = String> {
    let read = prop::sample::select(vec![
        "input()",
        "int(input())",
        "input('? ')",
        "float(input())",
        "input().split()",
        "map(int, input().split())",
        "list(map(int, input().split()))",
        "sys.stdin.readline()",
        "sys.stdin.read()",
        "[input() for _ in range(2)]",
        "(input() for _ in range(2))",
        "f()",
        "[g(x) for x in sys.stdin]",
        "sum(int(input()) for _ in range(n))",
        "input",
        "-int(input())",
        "(lambda: input())()",
        "(y := input())",
        "n if n else input()",
        "int(input())**2, 5",
    ]);
    let line = read.prop_flat_map(|e| {
        prop::sample::select(vec![
            format!("n = {e}\n"),
            format!("a, b = {e}\n"),
            format!("a, *b = {e}; print(a)\n"),
            format!("n += {e}\n"),
            format!("if {e}: n = {e}\n"),
            format!("if g(n): return {e}\n"),
            format!("for i in range(2):\n  if i: continue\n  n = {e}\n"),
            format!("for x in {e}:\n  {e}\n  if g(x): break\n"),
            format!("while n:\n  n = {e}\n"),
            format!("try:\n  {e}\nexcept ValueError:\n  pass\n"),
            format!("with g({e}): pass\n"),
            format!("print(f'{{{e}}}', 1if {e}else 2)\n"),
        ])
    });
    prop::collection::vec(line, 1..6).prop_map(|lines| {
        let body = lines.concat().replace('\n', "\n ").trim_end().to_owned();
        format!("import sys\ndef f():\n n = 1\n {body}\ndef g(x): return x\nprint(f())\nf()\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn programs_stay_programs(source in program(), stdin in "([0-3 a]{0,4}\n){0,8}") {
        check(&source, &stdin);
        check(&source.replacen("f()\nf()", "f()", 1), &stdin);
    }

    #[test]
    fn no_bytes_panic(source: Vec<u8>, stdin: String) {
        check(&String::from_utf8_lossy(&source), &stdin);
    }

    #[test]
    fn no_input_panics(stdin: String) {
        check("a = input()\nb = [int(x) for x in input().split(',')]\n", &stdin);
    }
}

#[test]
fn deep_nesting_is_left() {
    let depth = 20_000;
    for source in [
        format!("x = {}input(){}\n", "(".repeat(depth), ")".repeat(depth)),
        format!("x = input(){}\n", " + '1'".repeat(depth)),
        format!("{}\ninput()\n", "not ".repeat(depth) + "x"),
    ] {
        assert_eq!(inline_input(&source, "1\n").unwrap().source, source);
    }
    let recursive = "def f(n):\n    return f(n - 1) + input()\nf(1)\n";
    assert_eq!(inline_input(recursive, "1\n").unwrap().source, recursive);
}
