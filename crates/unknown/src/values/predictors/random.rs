//! All classes are equally probable: the paper's random baseline.

use std::hash::Hasher;

use fnv::FnvHasher;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{LikelyClass, Predictor, Query};
use crate::values::Class;

/// Draws a class for each kind and name.
#[derive(Debug)]
pub struct Random {
    seed: u64,
}

impl Random {
    /// Draws depend on the seed.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl Predictor for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn predict(&self, query: &Query<'_>) -> Vec<LikelyClass> {
        let drawn = drawing(self.seed, query).random_range(0..Class::ALL.len());
        let probability = 1.0 / Class::ALL.len() as f32;
        vec![LikelyClass {
            class: Class::ALL[drawn],
            probability,
        }]
    }
}

/// Returns the random generator of a kind and name: the same for every place in the program.
pub(super) fn drawing(seed: u64, query: &Query<'_>) -> ChaCha8Rng {
    // The standard library's hash may change between releases.
    let mut hash = FnvHasher::default();
    hash.write(query.kind.as_str().as_bytes());
    hash.write(query.name.as_bytes());
    hash.write_u64(seed);
    ChaCha8Rng::seed_from_u64(hash.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Kind;

    #[test]
    fn seeds_and_names_differ_and_repeat() {
        let ask = |seed, name| {
            let query = Query {
                name,
                kind: Kind::Name,
                before: "",
                after: "",
                uses: None,
            };
            Random::new(seed).predict(&query)[0].class
        };
        let of_seed = |seed| ["a", "b", "c", "d", "e", "f"].map(|name| ask(seed, name));
        assert_eq!(of_seed(1), of_seed(1));
        assert_ne!(of_seed(1), of_seed(2));
    }
}
