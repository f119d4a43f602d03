//! No predictor: the program runs unchanged and fails where a value is missing.

use super::{LikelyClass, Predictor, Query};

/// Injects nothing.
#[derive(Debug)]
pub struct AsIs;

impl Predictor for AsIs {
    fn name(&self) -> &'static str {
        "as-is"
    }

    fn predict(&self, _: &Query<'_>) -> Vec<LikelyClass> {
        Vec::new()
    }
}
