//! Cells of similar vectors, so that a search need not look at all of them: an inverted file ("Video Google", section
//! 4; Jégou, Douze and Schmid, "Product Quantization for Nearest Neighbor Search", section 4, without the
//! quantisation).
//!
//! The centres come from spherical k-means on a seeded sample. The rows of a cell are contiguous in the index's file,
//! so that a query reads only the cells with the nearest centres; a graph (HNSW) would have to be loaded whole for one
//! query. Results are approximate: a program in another cell is missed.

use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::nearest::{length_one, product_with};

/// Rounds of k-means.
const ROUNDS: usize = 8;
/// Vectors per centre used by k-means.
const SAMPLED: usize = 64;

/// From this many programs on an index is made in cells.
pub const APPROXIMATE_FROM: usize = 1_000_000;

/// Number of cells for an index of this many programs: the square root, so that finding the cells takes as long
/// as searching one.
pub fn usual_cells(programs: usize) -> usize {
    ((programs as f64).sqrt().round() as usize).clamp(1, 1 << 14)
}

/// The centres of `count` cells of vectors of length 1, at most as many as there are vectors. Deterministic for a
/// seed.
pub(super) fn centres(vectors: &[&[f32]], count: usize, seed: u64) -> Vec<Vec<f32>> {
    let count = count.min(vectors.len());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let looked_at = (count * SAMPLED).min(vectors.len());
    let sampled: Vec<&[f32]> = sample(&mut rng, vectors.len(), looked_at)
        .into_iter()
        .map(|at| vectors[at])
        .collect();
    let mut centres: Vec<Vec<f32>> = sampled[..count].iter().map(|v| v.to_vec()).collect();
    for _ in 0..ROUNDS {
        let cells = assigned(&sampled, &centres);
        let mut sums: Vec<Vec<f32>> = centres.iter().map(|c| vec![0.0; c.len()]).collect();
        for (vector, cell) in sampled.iter().zip(cells) {
            sums[cell]
                .iter_mut()
                .zip(*vector)
                .for_each(|(s, x)| *s += x);
        }
        for (centre, mut sum) in centres.iter_mut().zip(sums) {
            // An empty cell keeps its centre.
            if sum.iter().any(|x| *x != 0.0) {
                length_one(&mut sum);
                *centre = sum;
            }
        }
    }
    centres
}

/// The cell of each vector: that of the nearest centre.
pub(super) fn assigned(vectors: &[&[f32]], centres: &[Vec<f32>]) -> Vec<usize> {
    let one = |vector: &&[f32]| {
        let cosines = product_with(vector, centres);
        let best = cosines.iter().enumerate();
        let best = best.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        best.map_or(0, |(cell, _)| cell)
    };
    vectors.par_iter().map(one).collect()
}

/// The `count` cells whose centres are nearest to a vector, nearest first.
pub(super) fn nearest_cells(vector: &[f32], centres: &[Vec<f32>], count: usize) -> Vec<usize> {
    let cosines = product_with(vector, centres);
    let mut order: Vec<usize> = (0..centres.len()).collect();
    order.sort_by(|&a, &b| cosines[b].total_cmp(&cosines[a]).then(a.cmp(&b)));
    order.truncate(count);
    order
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    /// Vectors around ten directions.
    fn clustered(count: usize) -> Vec<Vec<f32>> {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let one = |at: usize| {
            let mut vector: Vec<f32> = (0..16).map(|_| rng.random_range(-0.1..0.1)).collect();
            vector[at % 10] += 1.0;
            length_one(&mut vector);
            vector
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn like_vectors_are_in_one_cell_and_found_there() {
        let vectors = clustered(400);
        let all: Vec<&[f32]> = vectors.iter().map(Vec::as_slice).collect();
        let centres = centres(&all, 20, 1);
        assert_eq!(centres.len(), 20);
        let cells = assigned(&all, &centres);
        for (at, vector) in vectors.iter().enumerate() {
            assert_eq!(nearest_cells(vector, &centres, 1), [cells[at]]);
        }
        // No cell has vectors of two directions.
        for (a, cell) in cells.iter().enumerate() {
            let other = (0..a).find(|&b| cells[b] == *cell && b % 10 != a % 10);
            assert_eq!(other, None);
        }
        assert_eq!(nearest_cells(&vectors[0], &centres, 100).len(), 20);
        assert_eq!(super::centres(&all, 20, 1), centres);
    }

    #[test]
    fn few_vectors_have_few_cells() {
        let vectors = clustered(3);
        let all: Vec<&[f32]> = vectors.iter().map(Vec::as_slice).collect();
        assert_eq!(centres(&all, 20, 1).len(), 3);
        assert!(centres(&[], 20, 1).is_empty());
        assert_eq!((usual_cells(0), usual_cells(1_000_000)), (1, 1000));
    }
}
