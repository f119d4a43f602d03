//! What holds of every mutant of every program: it parses, it is new, and only the bytes that its
//! changes name differ. On generated programs, on arbitrary text, on deep nesting, and on the
//! standard library of the Python on this machine (`PYTHON_STDLIB`, or where systems put it).

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

mod support;

use std::collections::HashSet;

use codexec_mutate::{Config, Mutant, MutateError, Mutator};
use proptest::prelude::*;

/// Checks the first `count` mutants and gives them.
fn check(
    source: &str,
    seed: u64,
    count: usize,
    config: Config,
) -> Result<Vec<Mutant>, MutateError> {
    let mutator = Mutator::new(config);
    let mut seen = HashSet::from([source.to_owned()]);
    let mutants: Vec<Mutant> = mutator.mutants(source, seed)?.take(count).collect();
    for mutant in &mutants {
        assert!(
            seen.insert(mutant.text.clone()),
            "equals its parent or a sibling"
        );
        assert_eq!(rebuilt(source, mutant), mutant.text);
        assert!(
            mutator.candidates(&mutant.text).is_ok(),
            "does not parse:\n{}",
            mutant.text
        );
    }
    Ok(mutants)
}

/// The parent's bytes between the changes, the changes' texts in them.
fn rebuilt(source: &str, mutant: &Mutant) -> String {
    let (mut text, mut at) = (String::new(), 0);
    for change in &mutant.changes {
        assert!(
            at <= change.range.start,
            "changes overlap: {:?}",
            mutant.changes
        );
        text += &source[at..change.range.start];
        text += &change.text;
        at = change.range.end;
    }
    text + &source[at..]
}

/// The tree of a program without brackets and without what stands at its leaves.
fn shape(source: &str) -> String {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_python::LANGUAGE.into())
        .unwrap();
    let tree = parser.parse(source, None).unwrap();
    shape_of(tree.root_node())
}

fn shape_of(node: tree_sitter::Node<'_>) -> String {
    let children = node
        .named_children(&mut node.walk())
        .map(shape_of)
        .collect::<String>();
    match node.kind() {
        "parenthesized_expression" => children,
        kind => format!("({kind}{children})"),
    }
}

/// Expressions in which every operator has sites next to and within those of others.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "x",
        "y",
        "3",
        "-4",
        "2.5",
        "0x1f",
        "'ab'",
        "f'{x}é\\n'",
        "a[1:2:3]",
        "b'q'",
        "a[-1]",
        "True",
    ]);
    leaf.prop_map(str::to_owned)
        .prop_recursive(5, 40, 3, |inner| {
            let arithmetic =
                prop::sample::select(vec!["+", "-", "*", "//", "%", "**", "@", "<<", "|"]);
            let logic = prop::sample::select(vec![" and ", " or "]);
            prop_oneof![
                (inner.clone(), arithmetic, inner.clone())
                    .prop_map(|(a, o, b)| format!("{a}{o}{b}")),
                (inner.clone(), logic, inner.clone())
                    .prop_map(|(a, o, b)| format!("({a}){o}not {b}")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} <= {b} != 1)")),
                inner.clone().prop_map(|a| format!("-{a}")),
                inner.clone().prop_map(|a| format!("(not({a}))")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("a[{a}:{b}:-1]")),
                (inner.clone(), inner)
                    .prop_map(|(a, b)| format!("f({a}, *{b}, k=({a} not in {b}))")),
            ]
        })
}

fn program() -> impl Strategy<Value = String> {
    let line = expression().prop_flat_map(|e| {
        prop::sample::select(vec![
            format!("x = {e}  # kept\n"),
            format!("y += {e}\n"),
            format!("if x: z = {e}; continue\n"),
            format!("for i in {e}: print(i)\n"),
            format!("while not {e}:\n  {e}\n  break\n"),
            format!("for i in 1, {e}:\n\t# first\n\tx -= {e} ;\n"),
        ])
    });
    prop::collection::vec(line, 1..5).prop_map(|lines| {
        let body = lines.concat().replace('\n', "\n ").trim_end().to_owned();
        format!("while True:\n {body}\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn mutants_of_programs_are_sound(source in program(), seed: u64, certain: bool) {
        let probability = if certain { 1.0 } else { 0.5 };
        let mutants = check(&source, seed, 8, Config { probability, ..Config::default() });
        prop_assert!(mutants.is_ok(), "{source}");
        if let Ok(mutants) = mutants {
            prop_assert!(!mutants.is_empty(), "{source}");
            for mutant in &mutants {
                let kept = |text: &str| text.matches("# kept").count();
                prop_assert_eq!(kept(&source), kept(&mutant.text));
                let edits: Vec<_> = mutant.edits.iter().map(|e| (e.operator, e.site, e.seed)).collect();
                prop_assert_eq!(&Mutator::default().apply(&source, &edits).unwrap(), mutant);
            }
        }
    }

    #[test]
    fn operands_stay_with_their_operators(expression in expression(), seed: u64) {
        let source = format!("x = {expression}\n");
        let operators = vec!["AOR".into(), "LCR".into(), "ROR".into()];
        let mutants = Mutator::new(Config { operators, ..Config::default() }).mutants(&source, seed);
        for mutant in mutants.unwrap().take(8) {
            prop_assert_eq!(shape(&source), shape(&mutant.text), "{} -> {}", source, mutant.text);
        }
    }

    #[test]
    fn no_bytes_panic(bytes: Vec<u8>, seed: u64) {
        let _ = check(&String::from_utf8_lossy(&bytes), seed, 3, Config::default());
    }

    #[test]
    fn no_python_like_text_panics(
        words in prop::collection::vec(prop::sample::select(vec![
            "for", "while", " ", " ", "x", "in", ":", "\n", "\n    ", "\r\n", "not", "-", "(", ")", "[", "]",
            "'", "\"\"\"", "f'{", "}", "1", "0x", "é", "\\", "and", "break", "=", "+=", "<", "**", ";", "#", "\0",
        ]), 0..30), seed: u64
    ) {
        let _ = check(&words.concat(), seed, 3, Config { probability: 0.9, ..Config::default() });
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_every_machine() {
    let source = "total = 0\nfor i in range(10):\n    if i % 2 == 0 and not i > 7:\n        total += i * 2.5\nprint('total', total)\n";
    let all: Vec<String> = Mutator::default()
        .mutants(source, 2024)
        .unwrap()
        .take(5)
        .map(|m| m.text)
        .collect();
    insta::assert_snapshot!(all.join("---\n"));
}

#[test]
fn a_negative_draw_and_a_dropped_sign_keep_to_their_operators() {
    let replay = |source: &str, edits: &[(&str, usize, u64)]| {
        Mutator::default().apply(source, edits).unwrap().text
    };
    // what the seeds draw alone: `**` for `*`, a negative number for 3
    assert_eq!(replay("x = a * b\n", &[("AOR", 0, 0)]), "x = a ** b\n");
    assert_eq!(replay("x = 3 * b\n", &[("CRP", 0, 3)]), "x = -4 * b\n");
    let both = [("AOR", 0, 0), ("CRP", 0, 3)];
    assert_eq!(replay("x = 3 * b\n", &both), "x = (-4) ** b\n");
    assert_eq!(replay("x = -a * b\n", &[("AOR", 0, 0)]), "x = (-a) ** b\n");
    assert_eq!(
        replay("x = -a * b\n", &[("AOR", 0, 0), ("AOD", 0, 0)]),
        "x = a ** b\n"
    );
    assert_eq!(
        replay("x = not a\nx = -(b)\n", &[("COD", 0, 0), ("AOD", 0, 0)]),
        "x = a\nx = (b)\n"
    );
}

#[test]
fn edits_that_want_the_same_bytes_are_not_applied_together() {
    let conflict = |source: &str, edits: &[(&str, usize, u64)]| {
        let error = Mutator::default().apply(source, edits).err();
        assert!(
            matches!(error, Some(MutateError::NotAMutant { .. })),
            "{source}: {error:?}"
        );
    };
    conflict("x = -3\n", &[("AOD", 0, 0), ("CRP", 0, 0)]);
    conflict("x = a[b + c:]\n", &[("SIR", 0, 0), ("AOR", 0, 0)]);
    conflict("x = a[b:c]\n", &[("SIR", 0, 0), ("SIR", 1, 0)]);
    conflict("for x in y: f()\n", &[("OIL", 0, 0), ("ZIL", 0, 0)]);
    // each of two has its turn in the stream
    let mutants = Mutator::default().mutants("x = -3\n", 4).unwrap().take(30);
    let codes: HashSet<&str> = mutants.map(|m| m.edits[0].operator).collect();
    assert_eq!(codes, HashSet::from(["AOD", "CRP"]));
}

#[test]
fn loop_operators_come_one_in_four_each() {
    let source = "for x in y:\n    f(x)\n".repeat(4_000);
    let mutant = Mutator::default()
        .mutants(&source, 5)
        .unwrap()
        .next()
        .unwrap();
    for code in ["OIL", "RIL", "ZIL"] {
        let count = mutant.edits.iter().filter(|e| e.operator == code).count();
        assert!((900..1100).contains(&count), "{code}: {count} of 4000");
    }
}

#[test]
fn sites_are_edited_with_the_probability_asked_for() {
    let source = "x += y\n".repeat(4_000);
    for (probability, wanted) in [(0.5, 1900..2100), (0.1, 340..460), (1.0, 4000..4001)] {
        let config = Config {
            probability,
            ..Config::default()
        };
        let mutant = Mutator::new(config)
            .mutants(&source, 5)
            .unwrap()
            .next()
            .unwrap();
        assert!(
            wanted.contains(&mutant.edits.len()),
            "{probability}: {}",
            mutant.edits.len()
        );
    }
}

#[test]
fn deep_nesting_is_walked_without_recursion() {
    let depth = 20_000;
    let brackets = format!("x = {}1{}\n", "(".repeat(depth), ")".repeat(depth));
    let signs = format!("x = {}y\n", "- ".repeat(depth));
    let sum = format!("x = 1{}\n", " + 1".repeat(depth));
    let chain = format!("x = a{}\n", " or a and b".repeat(depth));
    let power = format!("x = a{}\n", " ** a".repeat(depth));
    let lists = format!(
        "x = {}{}\n",
        "[not ".repeat(depth),
        "]".repeat(depth).replacen(']', "y]", 1)
    );
    let many = |source: String| {
        let config = Config {
            probability: 0.5,
            ..Config::default()
        };
        check(&source, 1, 1, config).unwrap().len()
    };
    // the stack of a thread would end long before
    let work = move || [brackets, signs, sum, chain, power, lists].map(many);
    let thread = std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(work)
        .unwrap();
    assert_eq!(thread.join().unwrap(), [1; 6]);
}

#[test]
fn mutants_of_the_standard_library_are_sound() {
    let Some(paths) = support::stdlib() else {
        return;
    };
    let (mut parsed, mut bare) = (0, Vec::new());
    for path in &paths {
        // a few files are in another encoding, on purpose
        let Ok(source) = std::fs::read_to_string(path) else {
            continue;
        };
        let Ok(sites) = Mutator::default().candidates(&source) else {
            continue;
        };
        parsed += 1;
        if !sites.is_empty() && check(&source, 1, 1, Config::default()).unwrap().is_empty() {
            bare.push(path);
        }
    }
    println!("{parsed} of {} files parsed", paths.len());
    assert!(
        parsed * 100 > paths.len() * 95,
        "{parsed} of {} files parse",
        paths.len()
    );
    assert!(bare.is_empty(), "no mutants of {bare:?}");
}

#[test]
fn no_constant_is_made_that_takes_all_of_a_programs_time() {
    let source = "x = 2 ** 10 * 10\ny = [0] * 10 * 10\nz = [i for i in range(10 ** 2)]\n";
    let explosive = |text: &str| {
        let power = text.lines().next().and_then(|l| l.strip_prefix("x = "));
        // `2 ** 10 ** 10` and the like; brackets come only around the base.
        power.is_some_and(|p| {
            let terms: Vec<&str> = p.split(" ** ").collect();
            terms.len() == 3 && !terms[0].starts_with('(') && {
                let number = |k: usize| terms[k].trim().parse::<f64>().unwrap_or(0.0);
                number(0).log2() * number(1).powf(number(2)) > 1e6
            }
        })
    };
    let mutants = check(source, 3, 2000, Config::default()).unwrap();
    assert!(mutants.len() > 1900);
    assert_eq!(mutants.iter().find(|m| explosive(&m.text)), None);
    // A program that has one itself is mutated like any other.
    let own = check("x = 2 ** 10 ** 9\ny = 1\n", 3, 50, Config::default()).unwrap();
    assert!(own.iter().any(|m| m.text.starts_with("x = 2 ** 10 ** 9\n")));
}
