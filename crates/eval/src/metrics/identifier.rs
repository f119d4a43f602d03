//! Identifier precision, recall and F1: which variables have their right value, in the pieces at
//! the same position whose line is right. Ignores steps beyond the shorter trace.

use super::pieces::{OUTPUT, name_count, same_variables, step_of};
use crate::statistics::prf::Counts;

/// Variables of one program, and how many of them are right.
pub fn identifier_counts(predicted: &[&str], gold: &[&str]) -> Counts {
    let pairs = predicted.iter().zip(gold);
    Counts {
        predicted: predicted.iter().map(|p| name_count(p)).sum(),
        gold: gold.iter().map(|g| name_count(g)).sum(),
        correct: pairs.map(|(p, g)| correct_in(p, g)).sum(),
    }
}

/// Variables that two pieces share. `None` if their lines differ or one is an output.
fn correct_in(predicted: &str, gold: &str) -> usize {
    if predicted.contains(OUTPUT) || gold.contains(OUTPUT) {
        return 0;
    }
    match (step_of(predicted), step_of(gold)) {
        (Some((p_line, p)), Some((g_line, g))) if p_line == g_line => same_variables(&p, &g),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_counts_only_on_its_line() {
        let gold = ["<line> <0> <state> a : 1 <dictsep> b : 2 </state>"];
        let near = ["<line> <0> <state> b : 2 <dictsep> a : 3 </state>"];
        let far = ["<line> <1> <state> a : 1 <dictsep> b : 2 </state>"];
        assert_eq!(identifier_counts(&near, &gold).correct, 1);
        assert_eq!(identifier_counts(&far, &gold).correct, 0);
    }
}
