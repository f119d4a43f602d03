//! Parts of prefixes, without running anything.

use super::draft::{Draft, Home, Value};
use super::guards::Gate;
use super::search_tree::smallest_set;
use super::*;

fn snippet(source: &str) -> Snippet {
    let program = Program {
        id: "t".into(),
        source: Some(source.into()),
        stdin: None,
        ..Program::default()
    };
    Snippet::of(&program, &BTreeSet::new()).unwrap()
}

fn first(source: &str) -> String {
    let generator = generators::Rules::default();
    let found = generator.for_missing(&snippet(source), 1).unwrap();
    found[0].text.clone()
}

#[test]
fn names_are_missing_when_they_are_read_before_they_are_bound() {
    let cases: &[(&str, &[&str])] = &[
        ("x = x + y\n", &["x", "y"]),
        ("x = 1\nprint(x)\n", &[]),
        ("x += 1\n", &["x"]),
        ("for i in items: print(i)\n", &["items"]),
        (
            "def f(a, b=c):\n    return a + d + late\nlate = 1\n",
            &["c", "d"],
        ),
        ("import os\nos.path.join(here)\n", &["here"]),
        ("x: Kind = 1\n", &["Kind"]),
        ("super().go()\n", &["super"]),
        ("class A(B):\n    def f(self): return super().f()\n", &["B"]),
        ("try: go()\nexcept Lost as e: print(e)\n", &["go", "Lost"]),
        ("with lock as l: l.x\n", &["lock"]),
        ("[a for a in b if c(a)]\n", &["b", "c"]),
        ("del gone\n", &["gone"]),
    ];
    for (source, names) in cases {
        assert_eq!(snippet(source).missing_names(), *names, "{source}");
    }
}

#[test]
fn packages_that_are_no_part_of_python_are_named() {
    let found = snippet("import os, numpy as np\nfrom a.b import c\nfrom . import d\nimport a.e\n");
    assert_eq!(found.missing_packages(), ["numpy", "a"]);
}

#[test]
fn first_prefixes_are_what_a_person_would_write() {
    let cases = [
        (
            "print(os.getcwd(), sqrt(2))\n",
            "from math import sqrt\nimport os\n",
        ),
        ("if mode == 'fast': pass\n", "mode = \"fast\"\n"),
        (
            "a, b = pair\n",
            "pair = (StandIn(\"pair[0]\"), StandIn(\"pair[1]\"))\n",
        ),
        ("n = int(word)\n", "word = \"1\"\n"),
        (
            "try: pass\nexcept Lost: pass\n",
            "class Lost(Exception): pass\n",
        ),
        ("print(config['k'] + 'x')\n", "config = {\"k\": \"a\"}\n"),
        ("for i in xrange(3): pass\n", "xrange = range\n"),
    ];
    for (source, prefix) in cases {
        let found = first(source);
        let without_class = match found.contains("class StandIn") {
            true => found.contains(prefix),
            false => found == prefix,
        };
        assert!(without_class, "{source}\n{found}");
    }
    assert_eq!(first("x = 1\n"), "");
}

#[test]
fn modules_that_are_not_there_are_put_where_imports_find_them() {
    let found = first("import a.b as ab\nfrom c import d\nfrom ..e import f\n");
    for line in [
        "sys.modules[\"a\"] = StandIn(\"a\")",
        "sys.modules[\"a\"].b = StandIn(\"ab\")",
        "sys.modules[\"c\"].d = StandIn(\"d\")",
        "sys.modules[\"package.e\"] = StandIn(\"package.e\")",
        "__package__ = \"package.sub\"",
    ] {
        assert!(found.contains(line), "{line}\n{found}");
    }
}

#[test]
fn values_inside_of_collections_can_be_set() {
    let mut draft = Draft {
        roots: [("x".into(), Home::Name)].into_iter().collect(),
        ..Draft::default()
    };
    let one = || Value::Code("1".into());
    draft.set(
        "x",
        Value::Dict(vec![("k".into(), Value::Tuple(Value::items(2)))]),
    );
    draft.set("x[\"k\"][1]", one());
    assert!(
        draft
            .text()
            .contains("x = {\"k\": (StandIn('x[\"k\"][0]'), 1)}"),
        "{}",
        draft.text()
    );
    // A plain value in the way is replaced.
    draft.set("x", one());
    draft.set("x.y", one());
    assert!(
        draft
            .text()
            .contains("x = StandIn(\"x\")\nGIVEN = {\n    \"x.y\": 1,\n}")
    );
}

#[test]
fn every_branch_has_a_guard_with_a_way_past_it() {
    let found = snippet(
        "\
if a.b == 3 and not c:
    x
elif isinstance(d, dict):
    y
for e in f:
    z
try:
    g()
except (Lost, KeyError):
    w
",
    );
    let open = |k: usize, draft: &mut Draft| {
        let guard = &found.guards[k];
        guard.ways[0].iter().for_each(|change| {
            change.apply(draft);
        });
        (guard.gate.clone(), guard.target)
    };
    let names = ["a", "c", "d", "f"];
    let mut draft = Draft {
        roots: names.map(|n| (n.into(), Home::Name)).into_iter().collect(),
        ..Draft::default()
    };
    assert_eq!(open(0, &mut draft), (Gate::Condition(true), (2, 2)));
    assert_eq!(*draft.value("a.b"), Value::Code("3".into()));
    assert_eq!(draft.answers["c bool"], [0]);
    assert_eq!(open(1, &mut draft), (Gate::Condition(true), (4, 4)));
    assert_eq!(*draft.value("a.b"), Value::Code("4".into()));
    assert_eq!(*draft.value("d"), Value::Code("{\"a\": \"a\"}".into()));
    let gates: Vec<&Gate> = found.guards.iter().map(|g| &g.gate).collect();
    assert!(gates.contains(&&Gate::Items));
    let kinds = vec!["Lost".to_owned(), "KeyError".to_owned()];
    assert!(gates.contains(&&Gate::Handler(kinds)));
}

#[test]
fn the_set_has_the_best_first_and_nothing_dispensable() {
    let tried = |covered: &[u32]| {
        let attempted = codexec_data::sandbox::Attempted {
            outcome: codexec_trace::Outcome::Finished,
            in_prefix: false,
            exit: None,
            done: Vec::new(),
            begun: Vec::new(),
            errors: Vec::new(),
            asked: Vec::new(),
        };
        let candidate = Candidate::of_text(String::new());
        let mut tried = Tried::of(&candidate, attempted, &Default::default());
        tried.covered = covered.iter().copied().collect();
        tried
    };
    let all = [
        tried(&[1, 2, 5]),
        tried(&[1, 2, 3, 4]),
        tried(&[5, 6, 7]),
        tried(&[3]),
    ];
    assert_eq!(smallest_set(&all), [1, 2]);
    // The first greedy choice is the best one, even if others would do without it.
    let all = [tried(&[1, 2, 3]), tried(&[1, 4]), tried(&[2, 3, 5])];
    assert_eq!(smallest_set(&all)[0], 0);
    assert_eq!(smallest_set(&[tried(&[])]), [0]);
}
