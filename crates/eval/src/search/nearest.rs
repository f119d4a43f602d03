//! The best of many vectors, exactly: every cosine is computed.
//!
//! The loop is written so that the compiler vectorises it, and compiled for the best instruction set found at run time,
//! like the network's; a single product needs no library of kernels.

use codexec_tiles::vectorized;
use rayon::prelude::*;

/// Weight of the similarity of outputs relative to a cosine.
pub const OUTPUT_WEIGHT: f64 = 0.2;

/// Independent partial sums.
const LANES: usize = 16;
/// Vectors that a thread takes at a time.
const CHUNK: usize = 4096;
/// Characters of an output that are compared: Jaro takes quadratic time.
const COMPARED: usize = 400;

#[inline(always)]
fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0f32; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for i in 0..LANES {
            lanes[i] += x[i] * y[i];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    lanes.iter().sum::<f32>() + rest
}

/// The cosine of two vectors of length 1.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    f64::from(vectorized(
        #[inline(always)]
        || product(a, b),
    ))
}

/// The cosines of a query and of every vector, in their order.
pub(super) fn cosines<'v>(query: &[f32], vectors: &[&'v [f32]]) -> Vec<f32> {
    let chunk = |vectors: &[&'v [f32]]| -> Vec<f32> {
        vectorized(
            #[inline(always)]
            || vectors.iter().map(|v| product(query, v)).collect(),
        )
    };
    vectors.par_chunks(CHUNK).flat_map_iter(chunk).collect()
}

/// The cosines of a vector and of each of a few, on this thread.
pub(super) fn product_with(vector: &[f32], others: &[Vec<f32>]) -> Vec<f32> {
    vectorized(
        #[inline(always)]
        || others.iter().map(|other| product(vector, other)).collect(),
    )
}

/// Normalises a vector to length 1; 0 stays 0.
pub(super) fn length_one(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

/// Similarity of two outputs, in 0..=1: Jaro similarity of their beginnings, without trailing blanks. 0 if one of them
/// is empty.
///
/// ```
/// use codexec_eval::search::similar;
/// assert_eq!(similar("12\n", "12"), 1.0);
/// assert_eq!(similar("", ""), 0.0);
/// ```
pub fn similar(one: &str, other: &str) -> f64 {
    let cut = |text: &str| text.trim_end().chars().take(COMPARED).collect::<String>();
    let (one, other) = (cut(one), cut(other));
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    strsim::jaro(&one, &other)
}

/// The `top` best of `cosines`, best first, where `more` adds at most `most` to each; ties keep their order. `more` is
/// called only for candidates.
pub(super) fn best(
    cosines: &[f32],
    top: usize,
    most: f64,
    more: &dyn Fn(usize) -> f64,
) -> Vec<(usize, f64)> {
    let mut order: Vec<usize> = (0..cosines.len()).collect();
    if top > 0 && top < cosines.len() {
        // A cosine more than `most` below the last of the `top` ones cannot be among the best: nothing else has to
        // be sorted.
        let mut copy = cosines.to_vec();
        let (_, last, _) = copy.select_nth_unstable_by(top - 1, |a, b| b.total_cmp(a));
        let least = f64::from(*last) - most;
        order.retain(|&at| f64::from(cosines[at]) >= least);
    }
    order.sort_by(|&a, &b| cosines[b].total_cmp(&cosines[a]).then(a.cmp(&b)));
    let mut found: Vec<(usize, f64)> = Vec::with_capacity(top + 1);
    for at in order {
        let cosine = f64::from(cosines[at]);
        if found.len() == top && found.last().is_none_or(|last| cosine + most < last.1) {
            break;
        }
        found.push((at, cosine + more(at)));
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(top);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jaro_has_its_known_values() {
        // Winkler 1990, as everyone quotes them.
        for (one, other, wanted) in [
            ("MARTHA", "MARHTA", 0.944_444),
            ("DIXON", "DICKSONX", 0.766_667),
            ("JELLYFISH", "SMELLYFISH", 0.896_296),
            ("abc", "xyz", 0.0),
        ] {
            assert!((similar(one, other) - wanted).abs() < 1e-5, "{one} {other}");
        }
        assert_eq!(similar("a", ""), 0.0);
    }

    #[test]
    fn products_agree_with_the_plain_sum() {
        let a: Vec<f32> = (0..77).map(|k| (k as f32).sin()).collect();
        let b: Vec<f32> = (0..77).map(|k| (k as f32).cos()).collect();
        let plain: f32 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
        assert!((cosine(&a, &b) - f64::from(plain)).abs() < 1e-4);
        let all: Vec<&[f32]> = vec![&b; 3];
        assert_eq!(cosines(&a, &all).len(), 3);
    }

    #[test]
    fn the_best_are_those_of_every_score() {
        let cosines: Vec<f32> = (0..200).map(|k| ((k * 37 % 101) as f32) / 101.0).collect();
        let more = |at: usize| if at.is_multiple_of(7) { 0.2 } else { 0.0 };
        let mut all: Vec<(usize, f64)> = (0..200)
            .map(|at| (at, f64::from(cosines[at]) + more(at)))
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for top in [0, 1, 10, 200, 300] {
            assert_eq!(best(&cosines, top, 0.2, &more), all[..top.min(200)]);
        }
        let asked = std::cell::Cell::new(0);
        let count = |at: usize| {
            asked.set(asked.get() + 1);
            more(at)
        };
        best(&cosines, 1, 0.2, &count);
        assert!(asked.get() < 100, "{}", asked.get());
    }
}
