//! Every missing value is an object: the paper's naive baseline.

use super::{Prediction, Predictor, Query, certain};
use crate::guided::Class;

/// Always says `object`.
#[derive(Debug)]
pub struct Naive;

impl Predictor for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn predict(&self, _: &Query<'_>) -> Vec<Prediction> {
        certain(Class::Object)
    }
}
