//! Log-probabilities per token into a confidence per step of a trace.

use std::ops::Range;

/// A step's tokens and their probability.
#[derive(Debug, Clone, PartialEq)]
pub struct StepConfidence {
    /// Its tokens in the hypothesis, its `<line>` included.
    pub tokens: Range<usize>,
    /// Probability of all of them given everything before, in 0..=1.
    pub confidence: f32,
}

/// Splits a hypothesis at each `<line>` (id `line`). `output` is the id of `<output>` if outputs
/// *precede* their step (paper form); `None` if they are part of it.
pub fn step_confidences(
    tokens: &[u32],
    logprobs: &[f32],
    line: u32,
    output: Option<u32>,
) -> Vec<StepConfidence> {
    let mut starts = Vec::new();
    let mut pending = None;
    for (i, token) in tokens.iter().enumerate() {
        if Some(*token) == output {
            pending = pending.or(Some(i));
        } else if *token == line {
            starts.push(pending.take().unwrap_or(i));
        }
    }
    // Output after the last step, in truncated text, belongs to no step.
    let end = pending.unwrap_or(tokens.len());
    let ends = starts.iter().skip(1).copied().chain([end]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| {
            let sum: f32 = logprobs[*start..end].iter().sum();
            StepConfidence {
                tokens: *start..end,
                confidence: sum.exp().clamp(0.0, 1.0),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steps_confidence_is_the_product_of_its_tokens() {
        let half = 0.5f32.ln();
        // line, 5, output, 6, line, 7, output, 8
        let tokens = [1, 5, 2, 6, 1, 7, 2, 8];
        let logprobs = [half; 8];
        let delta = step_confidences(&tokens, &logprobs, 1, None);
        let ranges: Vec<_> = delta.iter().map(|s| s.tokens.clone()).collect();
        assert_eq!(ranges, [0..4, 4..8]);
        assert!((delta[0].confidence - 1.0 / 16.0).abs() < 1e-6);
        let paper = step_confidences(&tokens, &logprobs, 1, Some(2));
        let ranges: Vec<_> = paper.iter().map(|s| s.tokens.clone()).collect();
        assert_eq!(ranges, [0..2, 2..6]);
        assert!(step_confidences(&[], &[], 1, None).is_empty());
    }
}
