//! What a missing value probably is: one file per predictor, one interface.
//!
//! Predictions are made for every place of a program before it runs, and are sent with it. So the
//! sandbox asks nothing while the program runs: no query costs time there, its child keeps no
//! descriptor for queries, and none of its output is ever read as a query.

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

/// A place whose value may be missing (the paper's Definition 3.2), and what is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// The variable, the attribute, or the called function.
    pub name: &'a str,
    /// How the value is used.
    pub kind: Kind,
    /// The program's text up to the place.
    pub before: &'a str,
    /// The program's text after it.
    pub after: &'a str,
    /// The uses of the value, as far as the syntax shows them.
    pub uses: Option<&'a Uses>,
}

/// A class and its probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LikelyClass {
    /// The class.
    pub class: Class,
    /// In 0..=1.
    pub probability: f32,
}

impl LikelyClass {
    /// Ranks the probabilities of all classes, given in class order: most probable first.
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

/// Predicts missing values.
pub trait Predictor: Send + Sync {
    /// Returns its name on the command line.
    fn name(&self) -> &'static str;

    /// Returns classes, most probable first; none if nothing is to be injected. The same query
    /// always gets the same answer.
    fn predict(&self, query: &Query<'_>) -> Vec<LikelyClass>;

    /// Returns the answers to several queries. Predictors that are faster in batches override it.
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

/// The name of the default predictor.
pub const DEFAULT: &str = "combined";

/// Returns the default predictor.
pub fn standard() -> Box<dyn Predictor> {
    // The embedded files belong together: a test opens them.
    predictor(DEFAULT, 0).unwrap_or(Box::new(TypeUse))
}

/// Returns the predictor with that name; the neural one has the embedded weights. `seed` is for
/// predictors that draw.
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
