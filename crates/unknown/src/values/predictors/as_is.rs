//! No predictor: the program runs as it is and fails where something is missing.

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
