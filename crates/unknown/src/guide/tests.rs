//! The rewrite, coverage and plans, without running anything.

use super::*;

fn rewritten(source: &str) -> String {
    prepare(source).unwrap().instrumented.text
}

#[test]
fn only_reads_that_can_miss_are_wrapped() {
    let cases = [
        // names
        ("x = y\n", "x = _codexec_n_(0)\n"),
        (
            "print(len(x))\n",
            "print(_codexec_c_(0, len)(_codexec_n_(1)))\n",
        ),
        (
            "def f(a, b=c):\n    return a + d\n",
            "def f(a, b=_codexec_n_(0)):\n    return a + _codexec_n_(1)\n",
        ),
        (
            "def f():\n    global g\n    g = h\n    return g\n",
            "def f():\n    global g\n    g = _codexec_n_(0)\n    return _codexec_n_(1)\n",
        ),
        ("del x, y.z\n", "del x, _codexec_n_(0).z\n"),
        ("x: int = y\n", "x: int = _codexec_n_(0)\n"),
        ("x += y\n", "x += _codexec_n_(0)\n"),
        (
            "if (n := m) > 1: pass\n",
            "if (n := _codexec_n_(0)) > 1: pass\n",
        ),
        (
            "import a.b as c\nfrom d import e\n",
            "import a.b as c\nfrom d import e\n",
        ),
        (
            "try:\n    f()\nexcept E as e:\n    pass\n",
            "try:\n    _codexec_c_(1, _codexec_n_(0))()\nexcept _codexec_n_(2) as e:\n    pass\n",
        ),
        // attributes and calls
        (
            "a.b.c = d.e\n",
            "_codexec_a_(0, _codexec_n_(1)).b.c = _codexec_a_(2, _codexec_n_(3)).e\n",
        ),
        (
            "f(*a, **b)\n",
            "_codexec_c_(1, _codexec_n_(0))(*_codexec_n_(2), **_codexec_n_(3))\n",
        ),
        ("x = [*f()]\n", "x = [*_codexec_c_(1, _codexec_n_(0))()]\n"),
        (
            "@d(1)\ndef f(): pass\n",
            "@_codexec_c_(1, _codexec_n_(0))(1)\ndef f(): pass\n",
        ),
        // scopes
        (
            "class A:\n    x = 1\n    y = x + z\n",
            "class A:\n    x = 1\n    y = x + _codexec_n_(0)\n",
        ),
        (
            "class A:\n    x = 1\n    y = [x for i in x]\n",
            "class A:\n    x = 1\n    y = [_codexec_n_(0) for i in x]\n",
        ),
        (
            "[i for i in j if i > k]\n",
            "[i for i in _codexec_n_(0) if i > _codexec_n_(1)]\n",
        ),
        (
            "lambda q, w=e: q + r\n",
            "lambda q, w=_codexec_n_(0): q + _codexec_n_(1)\n",
        ),
        (
            "class A:\n    def f(self):\n        super().f(__class__, self.__x)\n",
            "class A:\n    def f(self):\n        _codexec_c_(1, _codexec_a_(0, super()).f)(__class__, _codexec_a_(2, self).__x)\n",
        ),
        // text
        (
            "f'{x!r:>{w}} {y=}'\n",
            "f'{_codexec_n_(0)!r:>{_codexec_n_(1)}} {y=}'\n",
        ),
        // patterns
        (
            "match x:\n    case P(a=1) if y: pass\n",
            "match _codexec_n_(0):\n    case P(a=1) if _codexec_n_(1): pass\n",
        ),
        (
            "async def f():\n    await g(x)\n",
            "async def f():\n    await _codexec_w_(_codexec_c_(1, _codexec_n_(0))(_codexec_n_(2)))\n",
        ),
        (
            "if x is None and y is not None and 1 is None: pass\n",
            "if _codexec_o_(_codexec_n_(0), 3) is None and _codexec_o_(_codexec_n_(1), 2) is not None and 1 is None: pass\n",
        ),
    ];
    for (source, want) in cases {
        let mut got = rewritten(source);
        // The order of the numbers of two wrappers does not matter.
        let mut numbers: Vec<&str> = want.split("_codexec_").skip(1).collect();
        numbers.dedup();
        if got != want {
            got = renumbered(&got);
            assert_eq!(got, renumbered(want), "{source}");
        }
    }
}

/// Renumbers wrappers in the order of the text.
fn renumbered(text: &str) -> String {
    let mut parts = text.split("_codexec_");
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut number = 0;
    for part in parts {
        let (head, rest) = part.split_at(3);
        let has_number = rest.starts_with(|c: char| c.is_ascii_digit());
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let shown = if has_number {
            number.to_string()
        } else {
            String::new()
        };
        number += usize::from(has_number);
        out.push_str(&format!("_codexec_{head}{shown}{rest}"));
    }
    out
}

#[test]
fn lines_keep_their_numbers_and_text_without_names_stays() {
    let source = "x = (a\n     .b(c,\n        d)\n     .e)\n'''y\nz'''\n";
    let got = rewritten(source);
    assert_eq!(got.lines().count(), source.lines().count());
    assert!(got.ends_with("'''y\nz'''\n"));
    for plain in [
        "",
        "# only text\n",
        "1 + 2\n",
        "'a' 'b'\n",
        "def f(a): return a\n",
    ] {
        assert_eq!(rewritten(plain), plain);
    }
}

#[test]
fn what_is_no_python_is_left_alone() {
    for broken in ["x = = 1\n", "def f(:\n", "f(x y)\n"] {
        assert_eq!(rewritten(broken), broken);
    }
}

#[test]
fn deep_programs_are_rewritten_or_refused() {
    let sum = format!("x = {}a\n", "a + ".repeat(1500));
    assert!(rewritten(&sum).contains("_codexec_n_(1500)"));
    let chain = format!("x = a{}\n", ".b".repeat(20_000));
    assert!(matches!(prepare(&chain), Err(ParseError::TooDeep)));
}

#[test]
fn lines_count_once_their_statement_was_left() {
    let source = "\
'''text'''
# comment
x = f(1,

      2)
if x:
    y = 1
else:
    y = 2
try:
    g()
except E:
    pass
";
    let prepared = prepare(source).unwrap();
    let lines: Vec<u32> = prepared.statements.counted().iter().copied().collect();
    assert_eq!(lines, [3, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    let spans = &prepared.statements.spans;
    let done: Vec<u32> = [(3, 5), (6, 6), (9, 9)]
        .iter()
        .map(|span| spans.iter().position(|s| s == span).unwrap() as u32)
        .collect();
    let begun = [3, 6, 9, 11].into_iter().collect();
    let (coverage, covered) = prepared.statements.coverage(&done, &begun);
    let covered: Vec<u32> = covered.into_iter().collect();
    assert_eq!(covered, [3, 5, 6, 8, 9, 10]);
    assert_eq!((coverage.covered, coverage.lines), (6, 10));
}

#[test]
fn conditions_are_to_lead_further() {
    let source = "\
if a:
    raise E
if b:
    x = 1
else:
    x = 2
    y = 3
while c:
    if not d:
        continue
    z = 4
";
    let prepared = prepare(source).unwrap();
    let wanted = |name: &str| {
        let place = prepared
            .instrumented
            .locations
            .iter()
            .find(|l| l.name == name);
        place.unwrap().wanted.unwrap().outcome
    };
    assert_eq!(["a", "b", "c", "d"].map(wanted), [false, false, true, true]);
}

#[test]
fn handlers_are_known_by_name() {
    let source = "try:\n    import a\n    b()\nexcept (ImportError, x.NameError) as e:\n    c()\n";
    let prepared = prepare(source).unwrap();
    assert_eq!(prepared.caught[&2], ["ImportError", "NameError"]);
    assert!(!prepared.caught.contains_key(&5));
}
