//! Shares of examples, and confidence intervals.

pub mod bootstrap;
pub mod prf;
pub mod share;

pub use bootstrap::{Bootstrap, Estimate};
pub use prf::{Counts, Prf};
pub use share::{Share, total};

/// A score in percent, with its interval if there is one.
pub fn percent(estimate: &Estimate) -> String {
    let part = |value: f64| format!("{:.1}", 100.0 * value);
    match (estimate.value, estimate.low, estimate.high) {
        (None, ..) => "–".to_owned(),
        (Some(value), Some(low), Some(high)) => {
            format!("{} ({}–{})", part(value), part(low), part(high))
        }
        (Some(value), ..) => part(value),
    }
}

/// `part / whole`. `None` if there is no whole.
pub(crate) fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
