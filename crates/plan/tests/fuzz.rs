//! Random programs by fixed seeds are planned as they run, or the planner reports where it stops.
//!
//! It has its own `main`, with which the sandbox starts: `cargo test -p codexec-plan --test fuzz`. The example
//! `fuzz`, which has the same seeds, shows failures.

#[path = "../examples/fuzz/comparison.rs"]
mod comparison;
#[path = "../examples/fuzz/generator/mod.rs"]
mod generator;
#[path = "../examples/fuzz/minimiser.rs"]
mod minimiser;
#[path = "../../../tests/support/skip.rs"]
mod skip;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use codexec_data::sandbox::launcher_hook;

use comparison::{Class, Comparison};
use generator::Generator;

/// Programs of one statement, and of several.
const PROGRAMS: u64 = 200;
/// The first seed. Those below 10,000 are for inspection, and their failures are fixed.
const FIRST: u64 = 500_000;

/// For programs of one statement and of several: the minimum number that are equal and the maximum that are silently
/// wrong or differ in their message. Fixes make these bounds tighter.
const BOUNDS: [(&str, u64, u64); 2] = [("1", 170, 6), ("2-5", 160, 9)];

fn main() {
    launcher_hook();
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let checks: [(&str, fn()); 3] = [
        ("the_same_seed_gives_the_same_bytes", same_bytes),
        ("random_programs_are_planned_as_they_run", as_they_run),
        ("what_fails_is_made_small", made_small),
    ];
    let list = std::env::args().any(|argument| argument == "--list");
    for (name, check) in checks {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        if list {
            println!("{name}: test");
            continue;
        }
        print!("test {name} ... ");
        check();
        println!("ok");
    }
}

fn generator(statements: &str) -> Generator {
    let (least, most) = statements
        .split_once('-')
        .unwrap_or((statements, statements));
    let number = |text: &str| text.parse().expect("a number of statements");
    Generator::new(number(least)..=number(most)).expect("a grammar that can be read")
}

fn comparison() -> Option<Comparison> {
    Comparison::new(None)
        .inspect_err(|error| skip::skip(error))
        .ok()
}

fn same_bytes() {
    let (one, other) = (generator("1-5"), generator("1-5"));
    let mut seen = BTreeSet::new();
    for seed in 0..200 {
        let program = one.program(seed);
        assert_eq!(program, other.program(seed));
        seen.insert(program.source);
    }
    assert!(
        seen.len() > 190,
        "only {} of 200 programs differ",
        seen.len()
    );
    // Written when the grammar last changed: another machine has to write the same.
    assert_eq!(generator("1").program(7).source, SEED_7);
}

const SEED_7: &str =
    "import math\nf1 = (math.ulp(divmod(1.0, True)[0])).__add__(bytearray(b'\\x80abc'))\n";

fn as_they_run() {
    let Some(comparison) = comparison() else {
        return;
    };
    for (statements, least, most) in BOUNDS {
        let generator = generator(statements);
        let programs: Vec<_> = (FIRST..FIRST + PROGRAMS)
            .map(|s| generator.program(s))
            .collect();
        let sources: Vec<String> = programs.iter().map(|p| p.source.clone()).collect();
        let verdicts = comparison.judge(&sources).expect("a sandbox that runs");
        let mut wrong = Vec::new();
        let mut counts: BTreeMap<Class, u64> = BTreeMap::new();
        for (program, verdict) in programs.iter().zip(&verdicts) {
            *counts.entry(verdict.class).or_default() += 1;
            let (seed, detail) = (program.seed, &verdict.detail);
            match verdict.class {
                Class::Broken => panic!("seed {seed}: {detail}\n{}", program.source),
                Class::Silent | Class::Message => wrong.push(format!("seed {seed}: {detail}")),
                _ => {}
            }
        }
        let of = |class: &Class| counts.get(class).copied().unwrap_or(0);
        let shown = Class::ALL.iter().filter(|class| of(class) > 0);
        let shown: Vec<String> = shown.map(|c| format!("{} {}", of(c), c.name())).collect();
        println!("{statements} statements: {}", shown.join(", "));
        let counted: u64 = Class::ALL.iter().filter(|c| c.counts()).map(of).sum();
        assert!(
            counted > PROGRAMS * 9 / 10,
            "only {counted} can be compared"
        );
        let equal = of(&Class::Equal);
        assert!(equal >= least, "only {equal} of {PROGRAMS} are equal");
        assert!(
            wrong.len() as u64 <= most,
            "{} are wrong:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }
}

/// A program that is not planned to its end: the rest is what stops it.
fn made_small() {
    let Some(comparison) = comparison() else {
        return;
    };
    let source = "import os\ndef f(x):\n    for i in range(2):\n        print(i + x)\n    return \
                  [os.stat('.'), x]\ntry:\n    print(f(3))\nfinally:\n    print('end')\n";
    let judged = comparison.judge(&[source.to_owned()]);
    let verdict = judged.expect("a sandbox that runs").remove(0);
    assert_eq!(verdict.class, Class::Stopped, "{verdict:?}");
    let most = Duration::from_secs(30);
    let made = minimiser::minimise(&comparison, source, &verdict, most);
    let (small, found) = made.expect("a sandbox that runs");
    assert_eq!((found.class, &found.kind), (verdict.class, &verdict.kind));
    assert!(small.len() < 40 && small.contains("os.stat"), "{small}");
}
