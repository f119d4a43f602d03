//! Every missing value is an object: the paper's naive baseline.

use super::{LikelyClass, Predictor, Query, certain};
use crate::values::Class;

/// Always predicts `object`.
#[derive(Debug)]
pub struct Naive;

impl Predictor for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn predict(&self, _: &Query<'_>) -> Vec<LikelyClass> {
        certain(Class::Object)
    }
}
