//! The ground truths of the CodeExecutor paper, Figures 1(b), 2(c), 3 and 4, on every interpreter.
//! Figure 3 shows a prediction with one mistake (`nmin:2`); here stands the true value.

#![allow(clippy::unwrap_used)]

mod interpreters;

use interpreters::{pythons, state, steps, trace_source};
use serde_json::Value;

const FIGURE_1: &str = "h = 3
w = 7
n = 10
for i in range(min(h, w)):
    n = n - max(h, w)
    if n <= 0:
        print(i + 1)
        break
";
const TRUTH_1: &str = "<line> 1 <state> h : 3 <line> 2 <state> h : 3 ; w : 7 \
<line> 3 <state> h : 3 ; w : 7 ; n : 10 <line> 4 <state> h : 3 ; w : 7 ; n : 10 ; i : 0 \
<line> 5 <state> h : 3 ; w : 7 ; n : 3 ; i : 0 <line> 6 <state> h : 3 ; w : 7 ; n : 3 ; i : 0 \
<line> 4 <state> h : 3 ; w : 7 ; n : 3 ; i : 1 <line> 5 <state> h : 3 ; w : 7 ; n : -4 ; i : 1 \
<line> 6 <state> h : 3 ; w : 7 ; n : -4 ; i : 1 \
<output> 2 <line> 7 <state> h : 3 ; w : 7 ; n : -4 ; i : 1 \
<line> 8 <state> h : 3 ; w : 7 ; n : -4 ; i : 1";

const FIGURE_2: &str = "stack = [3, 866, -325]
stack.append(6)
stack.append(7)
stack.pop()
stack.pop()
stack.pop()
stack
";
const TRUTH_2: &str = "<line> 1 <state> stack:[3, 866, -325] \
<line> 2 <state> stack:[3, 866, -325, 6] <line> 3 <state> stack:[3, 866, -325, 6, 7] \
<line> 4 <state> stack:[3, 866, -325, 6] <line> 5 <state> stack:[3, 866, -325] \
<line> 6 <state> stack:[3, 866] <line> 7 <state> stack:[3, 866]";

const FIGURE_3: &str = "rec = ['10', '3', '5']
n, a, b = map(int, rec)
nin = [a, b]
nmax = min(nin)
nmin = n - min(n, (n-nin[0])+(n-nin[1]))
print(str(nmax) + \" \" + str(nmin))
";
const TRUTH_3: &str = "<line> 1 <state> rec:[10, 3, 5] \
<line> 2 <state> rec:[10, 3, 5]; n:10; a:3; b:5 \
<line> 3 <state> rec:[10, 3, 5]; n:10; a:3; b:5; nin:[3, 5] \
<line> 4 <state> rec:[10, 3, 5]; n:10; a:3; b:5; nin:[3, 5]; nmax:3 \
<line> 5 <state> rec:[10, 3, 5]; n:10; a:3; b:5; nin:[3, 5]; nmax:3; nmin:0 \
<output> 3 0 <line> 6 <state> rec:[10, 3, 5]; n:10; a:3; b:5; nin:[3, 5]; nmax:3; nmin:0";

const FIGURE_4: &str = "from string import ascii_lowercase
def main():
    s = ['a']
    K = 25
    for i, c in enumerate(s):
        num = ord(c) - ord(\"a\")
        if num > 0 and K - (26 - num) >= 0:
            s[i] = \"a\"
            K -= (26 - num)
    num = ord(s[-1]) - ord(\"a\")
    last = (num + K) % 26
    s[-1] = ascii_lowercase[last]
    print(\"\".join(s))
if __name__ == \"__main__\" :
    main()
";
const TRUTH_4: &str = "<line> 1 <state> ascii_lowercase : abcdefghijklmnopqrstuvwxyz
<line> 2 <state> ascii_lowercase : abcdefghijklmnopqrstuvwxyz ; main : <function>
<line> 14 <state> ascii_lowercase : abcdefghijklmnopqrstuvwxyz ; main : <function>
<line> 15 <state>
<line> 2 <state>
<line> 3 <state> s : [a]
<line> 4 <state> s : [a] ; K : 25
<line> 5 <state> s : [a] ; K : 25 ; i : 0 ; c : a
<line> 6 <state> s : [a] ; K : 25 ; i : 0 ; c : a ; num : 0
<line> 7 <state> s : [a] ; K : 25 ; i : 0 ; c : a ; num : 0
<line> 5 <state> s : [a] ; K : 25 ; i : 0 ; c : a ; num : 0
<line> 10 <state> s : [a] ; K : 25 ; i : 0 ; c : a ; num : 0
<line> 11 <state> s : [a] ; K : 25 ; i : 0 ; c : a ; num : 0 ; last : 25
<line> 12 <state> s : [z] ; K : 25 ; i : 0 ; c : a ; num : 0 ; last : 25
<output> z
<line> 13 <state> s : [z] ; K : 25 ; i : 0 ; c : a ; num : 0 ; last : 25
<line> 13 <state> ascii_lowercase : abcdefghijklmnopqrstuvwxyz ; main : <function>";

/// The notation of the figures: no quotes, output before the line that wrote it.
fn as_in_paper(payload: &Value) -> String {
    let mut text = String::new();
    for step in steps(payload) {
        if let Some(output) = step[5].as_str().filter(|o| !o.is_empty()) {
            text += &format!("<output> {output} ");
        }
        let names: Vec<String> = state(step)
            .into_iter()
            .map(|(name, value)| format!("{name} : {}", value.replace('\'', "")))
            .collect();
        text += &format!("<line> {} <state> {} ", step[0], names.join(" ; "));
    }
    text
}

/// The figures differ among themselves in spaces around `:` and `;`.
fn spaced(text: &str) -> String {
    let text = text.replace(';', " ; ").replace(" : ", ":");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_figure_on_every_interpreter() {
    assert!(!pythons().is_empty(), "no Python from 3.8 on was found");
    let figures = [
        ("1(b)", FIGURE_1, TRUTH_1),
        ("2(c)", FIGURE_2, TRUTH_2),
        ("3", FIGURE_3, TRUTH_3),
        ("4", FIGURE_4, TRUTH_4),
    ];
    for python in pythons() {
        for (figure, source, truth) in figures {
            let payload = trace_source(python, source, &[]);
            assert_eq!(payload["status"], "finished");
            assert_eq!(
                spaced(&as_in_paper(&payload)),
                spaced(truth),
                "Figure {figure} under {:?}",
                python.version
            );
        }
    }
}
