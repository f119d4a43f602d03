//! One fixture and one snapshot per operator; what must hold of every row of the registry; the
//! generated `docs/operators.md`.

#![allow(clippy::unwrap_used)] // A test that cannot set up its files may panic.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use codexec_mutate::{Config, MutateError, Mutator, Operator, REGISTRY};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn fixture(operator: &Operator) -> String {
    let name = format!("tests/fixtures/{}.py", operator.code.to_lowercase());
    fs::read_to_string(root().join(&name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn only(operator: &Operator) -> Mutator {
    Mutator::new(Config {
        operators: vec![operator.code.into()],
        ..Config::default()
    })
}

/// The lines that differ, `-` of the parent, `+` of the mutant; before an insertion, the line above.
fn difference(parent: &str, mutant: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (parent.lines().collect(), mutant.lines().collect());
    let same = |a: &mut dyn Iterator<Item = (&&str, &&str)>| a.take_while(|(a, b)| a == b).count();
    let head = same(&mut old.iter().zip(&new));
    let most = old.len().min(new.len()) - head;
    let tail = same(&mut old.iter().rev().zip(new.iter().rev())).min(most);
    let mut text = String::new();
    if head + tail == old.len() {
        writeln!(text, "{head:>3}   {}", old[head - 1]).unwrap();
    }
    for line in &old[head..old.len() - tail] {
        writeln!(text, "{:>3} - {line}", head + 1).unwrap();
    }
    for line in &new[head..new.len() - tail] {
        writeln!(text, "    + {line}").unwrap();
    }
    text
}

/// All mutants with one edit; of the endless ones of CRP, four per site.
fn all_mutants(operator: &Operator, source: &str) -> String {
    let seeds = if operator.code == "CRP" { 4 } else { 64 };
    let mut text = String::new();
    for candidate in only(operator).candidates(source).unwrap() {
        let of = |seed| only(operator).apply(source, &[(operator.code, candidate.site, seed)]);
        let mutants: Vec<String> = (0..seeds).map(|seed| of(seed).unwrap().text).collect();
        let differences: BTreeSet<String> = mutants.iter().map(|m| difference(source, m)).collect();
        assert!(!differences.contains(""), "{candidate:?} equals its parent");
        writeln!(text, "{} {}", candidate.operator, candidate.site).unwrap();
        let (mut removed, mut first) = (String::new(), true);
        for part in &differences {
            let (old, new) = part.split_at(part.find("    + ").unwrap_or(part.len()));
            if first || removed != old {
                text.push_str(old);
                removed = old.to_owned();
            }
            first = false;
            text.push_str(new);
        }
    }
    text
}

#[test]
fn fixtures_give_the_mutants_of_their_snapshots() {
    for operator in REGISTRY {
        let source = fixture(operator);
        let mutants = all_mutants(operator, &source);
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(operator.code.to_lowercase(), mutants);
        });
    }
}

#[test]
fn traps_have_no_sites() {
    for operator in REGISTRY {
        let source = fixture(operator);
        let traps = source.find("# traps").expect("every fixture has traps");
        for candidate in only(operator).candidates(&source).unwrap() {
            let text = &source[candidate.range.clone()];
            assert!(candidate.range.start < traps, "{}: {text}", operator.code);
        }
    }
}

#[test]
fn a_line_with_the_pragma_stays_as_it_is() {
    for operator in REGISTRY {
        let source = fixture(operator);
        let (sites, _) = source.split_once("# traps").unwrap();
        let pragma = "  # pragma: no mutate";
        // Not where a line ends within a string or in another comment.
        let open = |line: &str| line.contains("\"\"\"") || line.contains('#') || line == "lines";
        let lines = sites
            .lines()
            .filter(|line| line.contains(char::is_alphabetic));
        for line in lines.filter(|line| !open(line)) {
            let kept = sites.replacen(&format!("{line}\n"), &format!("{line}{pragma}\n"), 1);
            let mutator = only(operator);
            let Ok(candidates) = mutator.candidates(&kept) else {
                continue;
            };
            for candidate in candidates {
                let mutant = mutator.apply(&kept, &[(operator.code, candidate.site, 1)]);
                let mutant = mutant.unwrap().text;
                let whole = format!("{line}{pragma}");
                assert!(
                    mutant.lines().any(|line| line == whole),
                    "{}: {whole}: {mutant}",
                    operator.code
                );
            }
        }
    }
}

#[test]
fn an_operator_that_is_not_applied_leaves_the_source() {
    for operator in REGISTRY {
        let source = fixture(operator);
        let config = Config {
            probability: 0.0,
            operators: vec![operator.code.into()],
        };
        assert_eq!(Mutator::new(config).mutants(&source, 1).unwrap().count(), 0);
        let others: Vec<String> = REGISTRY.iter().map(|o| o.code.to_owned()).collect();
        let others = others
            .into_iter()
            .filter(|code| code != operator.code)
            .collect();
        let config = Config {
            operators: others,
            ..Config::default()
        };
        for mutant in Mutator::new(config).mutants(&source, 1).unwrap().take(20) {
            assert!(mutant.edits.iter().all(|e| e.operator != operator.code));
        }
    }
}

#[test]
fn codes_are_three_capitals_and_unique() {
    let codes: BTreeSet<&str> = REGISTRY.iter().map(|o| o.code).collect();
    assert_eq!(codes.len(), REGISTRY.len());
    assert!(
        codes
            .iter()
            .all(|c| c.len() == 3 && c.bytes().all(|b| b.is_ascii_uppercase()))
    );
}

#[test]
fn the_operators_of_the_paper_come_first_in_its_order() {
    const PAPER: [&str; 12] = [
        "CRP", "AOD", "AOR", "ASR", "BCR", "COD", "LCR", "ROR", "SIR", "OIL", "RIL", "ZIL",
    ];
    let codes: Vec<&str> = REGISTRY.iter().map(|o| o.code).collect();
    assert!(codes.starts_with(&PAPER), "{codes:?}");
}

#[test]
fn an_unknown_operator_is_named() {
    let config = Config {
        operators: vec!["XYZ".into()],
        ..Config::default()
    };
    let error = Mutator::new(config).mutants("x = 1\n", 0).err();
    assert_eq!(error, Some(MutateError::UnknownOperator("XYZ".into())));
}

/// The module documentation of an operator, as Markdown.
fn documentation(operator: &Operator) -> String {
    let lines = operator.source.lines().take_while(|l| l.starts_with("//!"));
    let text = lines.map(|l| {
        l.trim_start_matches("//!")
            .strip_prefix(' ')
            .unwrap_or_default()
    });
    text.fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn every_operator_says_what_it_does_and_shows_it() {
    for operator in REGISTRY {
        let text = documentation(operator);
        for part in ["**Why:**", "**Sites:**", "**Declined:**", "\n```\n"] {
            assert!(text.contains(part), "{} has no {part}", operator.code);
        }
        assert!(
            text.contains(&format!("(\"{}\", ", operator.code)),
            "{}",
            operator.code
        );
    }
}

fn page() -> String {
    let mut page = String::from(
        "# Mutation operators\n\n\
         <!-- Made from the module documentation in mutate/src/operators. After a change there:\n\
         CODEXEC_UPDATE_DOCS=1 cargo test -p codexec-mutate --test operators -->\n\n\
         The operators of the CodeExecutor paper's Table 1. All can apply in one mutant: each site\n\
         with probability 0.5; of the three loop operators (OIL, RIL, ZIL) each loop gets one or none, one\n\
         in four each. Operator, site and seed replay an edit. The Rust examples run as tests.\n\n\
         | code | name | |\n|---|---|---|\n",
    );
    for Operator { code, name, .. } in REGISTRY {
        let text = documentation(REGISTRY.iter().find(|o| o.code == *code).unwrap());
        let what = text.lines().next().unwrap();
        let anchor = format!("{code}-{name}")
            .to_lowercase()
            .replace('/', "")
            .replace(' ', "-");
        writeln!(page, "| [{code}](#{anchor}) | {name} | {what} |").unwrap();
    }
    for operator in REGISTRY {
        let text = documentation(operator).replace("\n```\n#", "\n```rust\n#");
        let shown = text.lines().filter(|l| !l.starts_with("# "));
        let text = shown.fold(String::new(), |text, line| text + line + "\n");
        write!(page, "\n## {} {}\n\n{text}", operator.code, operator.name).unwrap();
    }
    page
}

#[test]
fn the_page_of_operators_is_current() {
    let path: PathBuf = root().join("../docs/operators.md");
    if std::env::var_os("CODEXEC_UPDATE_DOCS").is_some() {
        fs::write(&path, page()).unwrap();
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == page(),
        "run CODEXEC_UPDATE_DOCS=1 cargo test -p codexec-mutate --test operators"
    );
}
