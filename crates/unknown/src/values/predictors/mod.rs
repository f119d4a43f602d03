//! What a missing value probably is. One file a predictor, one interface.
//!
//! Predictions are made for every place of a program before it runs, and travel with it. So nothing
//! has to come back from the sandbox while the program runs: no query costs time there, its child
//! keeps no descriptor to talk through, and nothing it writes is ever read as a question.

mod as_is;
mod combined;
mod frequency;
mod linear;
mod naive;
mod neural;
mod random;
mod type_use;

use super::classes::Class;
use crate::analysis::{Kind, Uses};

pub use as_is::AsIs;
pub use combined::Combined;
pub use frequency::Frequency;
pub use linear::Linear;
pub use naive::Naive;
pub use neural::Neural;
pub use random::Random;
pub use type_use::TypeUse;
pub(crate) use type_use::of_derived;
pub(super) use type_use::weigh;

/// One place whose value may be missing (the paper's Definition 3.2), and what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// The variable, the attribute, or the function that is called.
    pub name: &'a str,
    /// How the value is used.
    pub kind: Kind,
    /// The program's text up to the place.
    pub before: &'a str,
    /// The program's text behind it.
    pub after: &'a str,
    /// What the program does with the value, as far as the syntax shows.
    pub uses: Option<&'a Uses>,
}

/// A class and how probable it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LikelyClass {
    /// The class.
    pub class: Class,
    /// In 0..=1.
    pub probability: f32,
}

impl LikelyClass {
    /// Of the probabilities of all classes, in their order: the most probable class first.
    pub(in crate::values) fn ranked(probabilities: impl IntoIterator<Item = f32>) -> Vec<Self> {
        let classes = Class::ALL.iter().zip(probabilities);
        let mut found: Vec<Self> = classes
            .map(|(class, probability)| Self {
                class: *class,
                probability,
            })
            .collect();
        found.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        found
    }
}

/// Says what missing values are.
pub trait Predictor: Send + Sync {
    /// What it is called on the command line.
    fn name(&self) -> &'static str;

    /// Classes, the most probable first; none when nothing is to be injected. The same query always
    /// gets the same answer.
    fn predict(&self, query: &Query<'_>) -> Vec<LikelyClass>;

    /// The answers to several queries, for those who answer many at once faster.
    fn predict_all(&self, queries: &[Query<'_>]) -> Vec<Vec<LikelyClass>> {
        queries.iter().map(|query| self.predict(query)).collect()
    }
}

/// Names of all predictors.
pub const PREDICTORS: &[&str] = &[
    "combined",
    "linear",
    "type-use",
    "neural",
    "frequency",
    "random",
    "naive",
    "as-is",
];

/// The name of the one that is taken where none is asked for.
pub const DEFAULT: &str = "combined";

/// The predictor that is taken where none is asked for.
pub fn standard() -> Box<dyn Predictor> {
    // The embedded files belong together: a test opens them.
    predictor(DEFAULT, 0).unwrap_or(Box::new(TypeUse))
}

/// The predictor of that name, the neural one with the embedded weights; `seed` is for those that
/// draw.
pub fn predictor(name: &str, seed: u64) -> Option<Box<dyn Predictor>> {
    Some(match name {
        "as-is" => Box::new(AsIs),
        "naive" => Box::new(Naive),
        "random" => Box::new(Random::new(seed)),
        "frequency" => Box::new(Frequency::new(seed)),
        "combined" => Box::new(Combined::embedded().ok()?),
        "linear" => Box::new(Linear::embedded().ok()?),
        "type-use" => Box::new(TypeUse),
        "neural" => Box::new(Neural::embedded().ok()?),
        _ => return None,
    })
}

fn certain(class: Class) -> Vec<LikelyClass> {
    vec![LikelyClass {
        class,
        probability: 1.0,
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_predictor_goes_by_its_name_and_gives_probabilities_in_order() {
        let query = Query {
            name: "count",
            kind: Kind::Name,
            before: "",
            after: " + 1",
            uses: None,
        };
        for name in PREDICTORS {
            let predictor = predictor(name, 1).unwrap();
            assert_eq!(predictor.name(), *name);
            let found = predictor.predict(&query);
            assert_eq!(found.is_empty(), *name == "as-is");
            assert_eq!(found, predictor.predict(&query), "{name}");
            assert!(found.is_sorted_by(|a, b| a.probability >= b.probability));
            let all: f32 = found.iter().map(|p| p.probability).sum();
            assert!(all <= 1.001, "{name}: {all}");
        }
        assert!(predictor("oracle", 0).is_none());
        assert_eq!(standard().name(), DEFAULT);
    }
}
