//! Extracts tests from prompts: `>>> f(2)` with its value below, `f(2) == 4`, `f(2) returns 4`, and MBPP's asserts.

use codexec_data::syntax::with_parsed;
use ruff_python_ast::{CmpOp, Expr, Stmt};
use ruff_text_size::Ranged;

use super::literal::literal;
use super::test::Test;

/// Text between a call and its value in prose, longest first.
const BETWEEN: [&str; 13] = [
    "should return",
    "would return",
    "must return",
    "will return",
    "evaluates to",
    "returns",
    "return",
    "==",
    "=>",
    "->",
    "➞",
    "→",
    "=",
];

/// Maximum tests from one prompt.
const MOST: usize = 32;

/// The examples of a function in a prompt, each once, in their order.
///
/// ```
/// use codexec_eval::rerank::examples_of;
/// let prompt = "def f(x):\n    \"\"\"Doubles.\n    >>> f(2)\n    4\n    f(3) == 6\n    \"\"\"\n";
/// let calls: Vec<String> = examples_of(prompt, "f").iter().map(|test| test.name()).collect();
/// assert_eq!(calls, ["f(2)", "f(3)"]);
/// ```
pub fn examples_of(prompt: &str, function: &str) -> Vec<Test> {
    let mut found: Vec<Test> = Vec::new();
    let mut add = |call: &str, expected: &str| {
        let known = |test: &Test| matches!(test, Test::Call { call: other, .. } if other == call);
        if found.len() < MOST && !found.iter().any(known) && is_expression(call) {
            found.push(Test::Call {
                call: call.to_owned(),
                expected: Some(expected.to_owned()),
            });
        }
    };
    let lines: Vec<&str> = prompt.lines().map(str::trim).collect();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        let Some(first) = line.strip_prefix(">>>") else {
            if let Some((call, expected)) = in_prose(line, function) {
                add(call, &expected);
            }
            continue;
        };
        let mut call = first.trim().to_owned();
        while let Some(more) = lines.get(at).and_then(|line| line.strip_prefix("...")) {
            call.push('\n');
            call.push_str(more.trim_start());
            at += 1;
        }
        // The value is one line: anything else is printed text, or a traceback.
        let value = lines.get(at).copied().unwrap_or_default();
        let after = lines.get(at + 1).copied().unwrap_or_default();
        let alone = after.is_empty() || after.starts_with(">>>") || ends_docstring(after);
        let of_function = calls(&call, function).is_some();
        let value = value.trim_end_matches("\"\"\"").trim_end_matches("'''");
        if of_function && (alone || literal(value).is_some()) && literal(value).is_some() {
            add(&call, value);
        } else if let Some((call, expected)) = in_prose(&call, function) {
            add(call, &expected);
        }
    }
    found
}

fn ends_docstring(line: &str) -> bool {
    line.starts_with("\"\"\"") || line.starts_with("'''")
}

fn is_expression(text: &str) -> bool {
    let one = |parsed: &[Stmt]| matches!(parsed, [Stmt::Expr(_)]);
    with_parsed(text, |parsed| one(&parsed.syntax().body)) == Ok(true)
}

/// Where a function is called in a line: the bytes of the call.
fn calls(line: &str, function: &str) -> Option<std::ops::Range<usize>> {
    if function.is_empty() {
        return None;
    }
    let mut from = 0;
    while let Some(found) = line[from..].find(function) {
        let start = from + found;
        let open = start + function.len();
        from = open;
        let before = line[..start].chars().next_back();
        let is_name = before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.');
        let is_definition = line[..start].trim_end().ends_with("def");
        if is_name || is_definition || !line[open..].starts_with('(') {
            continue;
        }
        if let Some(end) = closing(&line[open..]) {
            return Some(start..open + end);
        }
    }
    None
}

/// The byte after the bracket that closes the one at the start of a text.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, c) in text.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None => match c {
                '\'' | '"' => quote = Some(c),
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            },
        }
    }
    None
}

/// A call and its value in a line of prose.
fn in_prose<'l>(line: &'l str, function: &str) -> Option<(&'l str, String)> {
    let range = calls(line, function)?;
    let rest = line[range.end..].trim_start();
    let rest = rest.trim_start_matches(['`', '#']).trim_start();
    let word = BETWEEN.iter().find(|word| rest.starts_with(**word))?;
    let value = rest[word.len()..].trim();
    Some((&line[range], value_at_start(value)?))
}

/// The literal at the start of a text, whatever follows it.
fn value_at_start(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['`', ':']).trim();
    let before = |mark: &str| text.split(mark).next().unwrap_or_default().trim();
    // A comment comes first: with it the text would also be a literal.
    let ends = [
        before("#"),
        text,
        before("\"\"\""),
        before("`"),
        before("  "),
    ];
    let ends = ends
        .into_iter()
        .chain([before(". "), before(", "), before(" (")]);
    // A comma within brackets does not end a value.
    let bracketed = closing(text).filter(|_| text.starts_with(['(', '[', '{']));
    let all = bracketed.map(|end| &text[..end]).into_iter().chain(ends);
    let mut all = all.map(|value| value.trim_end_matches(['.', ',', ';']).trim());
    all.find(|value| literal(value).is_some())
        .map(str::to_owned)
}

/// The test that an `assert` makes: `assert f(2) == 4` compares the value, any other has to be true.
pub fn asserted(line: &str) -> Option<Test> {
    let line = line.trim();
    with_parsed(line, |parsed| {
        let [Stmt::Assert(assert)] = parsed.syntax().body.as_slice() else {
            return None;
        };
        let text = |expression: &Expr| line.get(expression.range().to_std_range());
        if let Expr::Compare(compare) = &*assert.test
            && let ([CmpOp::Eq], [right]) = (&*compare.ops, &*compare.comparators)
            && let (Some(call), Some(value)) = (text(&compare.left), text(right))
            && literal(value).is_some()
        {
            return Some(Test::Call {
                call: call.to_owned(),
                expected: Some(value.to_owned()),
            });
        }
        Some(Test::Call {
            call: format!("bool({})", text(&assert.test)?),
            expected: Some("True".to_owned()),
        })
    })
    .ok()
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(tests: &[Test]) -> Vec<(String, String)> {
        let one = |test: &Test| match test {
            Test::Call { call, expected } => (call.clone(), expected.clone().unwrap()),
            Test::Input { .. } => panic!("no call"),
        };
        tests.iter().map(one).collect()
    }

    fn found(doc: &str) -> Vec<(String, String)> {
        pairs(&examples_of(doc, "f"))
    }

    fn pair(call: &str, value: &str) -> Vec<(String, String)> {
        vec![(call.to_owned(), value.to_owned())]
    }

    #[test]
    fn doctests_give_their_values() {
        let doc = "def f(x: int) -> int:\n    \"\"\" Text.\n    >>> f([1.0, 2.0], 0.5)\n    False\n    >>> f('a)b')\n    'x'\n    \"\"\"";
        assert_eq!(
            found(doc),
            [pair("f([1.0, 2.0], 0.5)", "False"), pair("f('a)b')", "'x'")].concat()
        );
        assert_eq!(found(">>> f(1)\n2\"\"\""), pair("f(1)", "2"));
        assert_eq!(found(">>> f([1,\n... 2])\n3\n"), pair("f([1,\n2])", "3"));
    }

    #[test]
    fn what_is_printed_or_raised_is_no_value() {
        for doc in [
            ">>> f(1)\nTraceback (most recent call last):\n  x\nValueError: y\n",
            ">>> x = 3\n>>> g(1)\n3\n",
            ">>> f(1)\n\n",
            "def f(x) -> int:\n    pass\n",
            "f(x) == y\n",
            "myf(1) == 2\n",
            "f(1) == 2 + 3\n",
        ] {
            assert_eq!(found(doc), [], "{doc}");
        }
    }

    #[test]
    fn prose_gives_values() {
        for (line, value) in [
            ("f(2) == 4", "4"),
            ("f(2) = 4", "4"),
            ("f(2) => 4", "4"),
            ("f(2) -> 4", "4"),
            ("f(2) ➞ 4", "4"),
            ("For example, f(2) should return 4.", "4"),
            ("- f(2) returns [1, (2, 3)], as [4] does", "[1, (2, 3)]"),
            ("`f(2)` returns `'x'`", "'x'"),
            ("* f(2) == None # explained", "None"),
            (">>> f(2) == True", "True"),
        ] {
            assert_eq!(found(line), pair("f(2)", value), "{line}");
        }
        let twice = found("f(2) == 4\nf(2) == 4\nf(3) == 6");
        assert_eq!(twice.len(), 2);
    }

    #[test]
    fn asserts_compare_or_have_to_be_true() {
        let of = |line: &str| pairs(&asserted(line).into_iter().collect::<Vec<_>>());
        assert_eq!(of("assert f(2) == 4"), pair("f(2)", "4"));
        assert_eq!(
            of("assert f(2) == (4, 'a'), 'why'"),
            pair("f(2)", "(4, 'a')")
        );
        assert_eq!(of("assert not f(2)"), pair("bool(not f(2))", "True"));
        assert_eq!(
            of("assert f(2) == set([1])"),
            pair("bool(f(2) == set([1]))", "True")
        );
        assert_eq!(of("print(1)"), []);
        assert_eq!(of("assert ("), []);
    }
}
