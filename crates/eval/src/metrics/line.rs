//! Line precision, recall and F1: which pieces of a trace are right, compared by position.
//!
//! There is no alignment: one extra step makes all later ones wrong, as in the paper.

use super::pieces::{OUTPUT, step_of};
use crate::statistics::prf::Counts;

/// Whether two pieces at the same position agree: steps by the text before `<state>` and by their
/// variables in any order, everything else as text, blanks included.
pub fn same_piece(predicted: &str, gold: &str) -> bool {
    if predicted.contains(OUTPUT) || gold.contains(OUTPUT) {
        return predicted == gold;
    }
    match (step_of(predicted), step_of(gold)) {
        (Some(predicted), Some(gold)) => predicted == gold,
        _ => predicted == gold,
    }
}

/// Pieces of one program, and how many of them agree.
pub fn line_counts(predicted: &[&str], gold: &[&str]) -> Counts {
    let pairs = predicted.iter().zip(gold);
    Counts {
        predicted: predicted.len(),
        gold: gold.len(),
        correct: pairs.filter(|(p, g)| same_piece(p, g)).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_count_in_outputs_only() {
        let step = "<line> <0> <state> a : 1 </state> ";
        assert!(same_piece(step, "<line> <0> <state>a:1</state>"));
        assert!(!same_piece("<output> 1 ", "<output> 1"));
    }
}
