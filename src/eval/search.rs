//! Zero-shot code-to-code search as in the CodeExecutor paper (section 5.4): candidates are ranked
//! by the likeness of their vectors plus a bonus for alike predicted outputs, and rankings are
//! scored by mean average precision. Computing vectors is not done here.

/// Weight of the likeness of outputs, from the reference implementation.
pub const OUTPUT_WEIGHT: f64 = 0.2;

/// A program that is query and candidate at once.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Tells programs apart: a query does not find itself.
    pub id: &'a str,
    /// Programs with the same label solve the same problem.
    pub label: i64,
    /// What it prints, line by line.
    pub outputs: &'a [String],
}

/// What alike outputs add to the score of two programs: [`OUTPUT_WEIGHT`] times the Jaro similarity
/// of the outputs, each joined by blanks; 0 where one prints nothing.
pub fn output_bonus(a: &[String], b: &[String]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    OUTPUT_WEIGHT * jaro(&a.join(" "), &b.join(" "))
}

/// Candidates from best to worst for each query, itself included, by `scores[query][candidate]`
/// plus [`output_bonus`]; ties keep the order of the candidates.
pub fn rankings(scores: &[Vec<f64>], entries: &[Entry<'_>]) -> Vec<Vec<usize>> {
    let rank = |(row, query): (&Vec<f64>, &Entry<'_>)| {
        let total = |(score, candidate): (&f64, &Entry<'_>)| {
            score + output_bonus(query.outputs, candidate.outputs)
        };
        let totals: Vec<f64> = row.iter().zip(entries).map(total).collect();
        let mut order: Vec<usize> = (0..totals.len()).collect();
        order.sort_by(|&a, &b| totals[b].total_cmp(&totals[a]));
        order
    };
    scores.iter().zip(entries).map(rank).collect()
}

/// Mean over queries of the mean precision at their hits; a query's own id is skipped, queries
/// without a hit are left out. Nothing when no query has one.
pub fn mean_average_precision(rankings: &[Vec<usize>], entries: &[Entry<'_>]) -> Option<f64> {
    let precision = |(ranking, query): (&Vec<usize>, &Entry<'_>)| {
        let others = ranking.iter().filter_map(|&k| entries.get(k));
        let others = others.filter(|candidate| candidate.id != query.id);
        let (mut hits, mut sum) = (0usize, 0.0);
        for (k, candidate) in others.enumerate() {
            if candidate.label == query.label {
                hits += 1;
                sum += hits as f64 / (k + 1) as f64;
            }
        }
        (hits > 0).then(|| sum / hits as f64)
    };
    let averages: Vec<f64> = rankings.iter().zip(entries).filter_map(precision).collect();
    (!averages.is_empty()).then(|| averages.iter().sum::<f64>() / averages.len() as f64)
}

/// Jaro similarity of two texts, by characters, in 0..=1: 1 for two empty ones.
pub fn jaro(a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.is_empty() || b.is_empty() {
        return f64::from(u8::from(a.is_empty() && b.is_empty()));
    }
    let reach = (a.len().max(b.len()) / 2).saturating_sub(1);
    let mut taken = vec![false; b.len()];
    let mut from_a = Vec::new();
    for (i, c) in a.iter().enumerate() {
        let window = i.saturating_sub(reach)..(i + reach + 1).min(b.len());
        if let Some(j) = window.into_iter().find(|&j| !taken[j] && b[j] == *c) {
            taken[j] = true;
            from_a.push(*c);
        }
    }
    if from_a.is_empty() {
        return 0.0;
    }
    let from_b = b.iter().zip(&taken).filter(|(_, taken)| **taken);
    let moved = from_a.iter().zip(from_b).filter(|(x, (y, _))| x != y);
    let (matches, moved) = (from_a.len() as f64, (moved.count() / 2) as f64);
    (matches / a.len() as f64 + matches / b.len() as f64 + (matches - moved) / matches) / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jaro_agrees_with_published_examples() {
        // Winkler (1990), table of examples.
        let cases = [
            ("MARTHA", "MARHTA", 0.944_444),
            ("DIXON", "DICKSONX", 0.766_667),
            ("DWAYNE", "DUANE", 0.822_222),
            ("abc", "xyz", 0.0),
            ("", "", 1.0),
            ("", "a", 0.0),
        ];
        for (a, b, want) in cases {
            assert!((jaro(a, b) - want).abs() < 1e-6, "{a} {b} {}", jaro(a, b));
            assert_eq!(jaro(a, b), jaro(b, a), "{a} {b}");
        }
    }

    #[test]
    fn queries_without_a_hit_are_left_out() {
        let entry = |id, label| Entry {
            id,
            label,
            outputs: &[],
        };
        let entries = [entry("a", 0), entry("b", 0), entry("c", 1)];
        let ranking = vec![vec![0, 1, 2], vec![0, 1, 2], vec![0, 1, 2]];
        assert_eq!(mean_average_precision(&ranking, &entries), Some(1.0));
        assert_eq!(mean_average_precision(&ranking[2..], &entries[2..]), None);
    }
}
