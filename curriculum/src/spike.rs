//! Skips finite gradients that are spikes: a norm many times (`optimizer.spike`, 10 by default) the median norm
//! of the stage's last updates. One damaged or odd batch would otherwise distort the second moments for hundreds
//! of steps. Clipping is not done here.

use serde::{Deserialize, Serialize};

use crate::metrics::Skip;
use crate::state::Exact;

/// Norms that are remembered.
const REMEMBERED: usize = 50;
/// Initial updates of a stage in which nothing is a spike.
const FEWEST: usize = 20;

/// How a step's gradient was treated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Outcome {
    /// It was applied; its norm before clipping.
    Applied(f64),
    /// It was not.
    Skipped(Skip),
}

impl Outcome {
    /// The norm for the records, NaN if there is none.
    pub(crate) fn norm(self) -> f64 {
        match self {
            Self::Applied(norm) | Self::Skipped(Skip::Spike { norm, .. }) => norm,
            Self::Skipped(Skip::NotFinite) => f64::NAN,
        }
    }
}

/// The norms of a stage's last updates, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Norms(Vec<Exact>);

impl Norms {
    /// Records the norm of an update.
    pub(crate) fn remember(&mut self, norm: f64) {
        if self.0.len() == REMEMBERED {
            self.0.remove(0);
        }
        self.0.push(Exact(norm));
    }

    /// Whether a gradient of this norm is a spike.
    pub(crate) fn spike(&self, norm: f64, limit: f64) -> Option<Skip> {
        if self.0.len() < FEWEST {
            return None;
        }
        let mut sorted: Vec<f64> = self.0.iter().map(|norm| norm.0).collect();
        sorted.sort_by(f64::total_cmp);
        let usual = sorted[sorted.len() / 2];
        // Zero gradients are not representative.
        (usual > 0.0 && norm > limit * usual).then_some(Skip::Spike { norm, usual })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_is_many_times_the_median_of_enough_updates() {
        let mut norms = Norms::default();
        for step in 0..FEWEST {
            assert_eq!(norms.spike(1e9, 10.0), None, "after {step} updates");
            norms.remember(if step % 2 == 0 { 1.0 } else { 2.0 });
        }
        assert_eq!(norms.spike(20.0, 10.0), None);
        let spike = Skip::Spike {
            norm: 20.1,
            usual: 2.0,
        };
        assert_eq!(norms.spike(20.1, 10.0), Some(spike));
        assert_eq!(
            norms.spike(20.1, f64::INFINITY),
            None,
            "the way to turn it off"
        );
        for _ in 0..REMEMBERED {
            norms.remember(100.0);
        }
        assert_eq!(norms.spike(900.0, 10.0), None, "old norms are forgotten");
    }
}
