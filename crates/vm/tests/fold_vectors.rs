//! Compares folding with CPython 3.11.7: expressions, and its results for them (`fold_vectors.py`).
//!
//! With `FOLD_VECTORS=FILE` the vectors of that file are checked, too.

mod folding;

use folding::Folder;

/// Returns the number of vectors and the lines whose results differ: the expression, the folded
/// result, and CPython's.
fn mistakes(vectors: &str) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in vectors.lines() {
        let (expression, expected) = line.split_once('\t').expect("a tab in each line");
        count += 1;
        let folded = Folder::default().text(expression);
        if folded != expected {
            wrong.push(format!(
                "{expression}\n    folded  {folded}\n    CPython {expected}"
            ));
        }
    }
    (count, wrong)
}

#[test]
fn folds_as_cpython_does() {
    let mut vectors = include_str!("fixtures/fold_vectors.txt").to_owned();
    if let Ok(more) = std::env::var("FOLD_VECTORS") {
        vectors = std::fs::read_to_string(more).expect("the file of FOLD_VECTORS");
    }
    let (count, wrong) = mistakes(&vectors);
    assert!(count > 3000, "only {count} vectors");
    assert!(
        wrong.is_empty(),
        "{} of {count} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
}

/// Container operators are refused if CPython refuses the types of their operands, with its
/// message. Anything else is asked.
#[test]
fn operators_are_refused_by_types_as_cpython_refuses_them() {
    let (mut refused, mut undecided, mut wrong) = (0, 0, Vec::new());
    for line in include_str!("fixtures/operator_types.txt").lines() {
        let (expression, expected) = line.split_once('\t').expect("a tab in each line");
        let folded = Folder::default().text(expression);
        match (folded.as_str(), expected) {
            (folded, expected) if folded == expected => refused += usize::from(folded != "?"),
            ("?", _) => undecided += 1,
            _ => wrong.push(format!("{expression}: {folded}, not {expected}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused > 2_000, "{refused}");
    assert!(undecided < 200, "{undecided}");
}
