//! The checkpoint with the lowest loss on held-out data.

use std::path::PathBuf;

use codexec_curriculum::Metrics;

use super::super::{note, warn};
use super::watch::Export;

/// The lowest loss so far, and the directory of its checkpoint.
pub(super) struct Best {
    directory: PathBuf,
    /// Step and loss.
    lowest: Option<(f64, f64)>,
}

impl Best {
    /// Stored in a directory beside the run's. Resumes from the metrics.
    pub(super) fn new(out: &std::path::Path) -> Self {
        let metrics = Metrics::read(out).ok();
        Self {
            directory: out.join("best"),
            lowest: metrics.and_then(|metrics| metrics.best_validation()),
        }
    }

    /// Keeps the network if its loss is the lowest so far, and reports it otherwise.
    ///
    /// # Errors
    /// If the checkpoint cannot be written.
    pub(super) fn offer(
        &mut self,
        step: u64,
        scores: &[(String, f64)],
        export: &Export<'_>,
    ) -> anyhow::Result<()> {
        let losses = scores.iter().map(|(name, score)| (name.as_str(), *score));
        let Some(loss) = Metrics::validation_loss(losses) else {
            return Ok(());
        };
        match self.lowest {
            Some((best, lowest)) if loss >= lowest => {
                warn(&format!(
                    "the validation loss has risen: {loss:.4} after step {step}, {lowest:.4} after step {best}, which is kept in {}",
                    self.directory.display()
                ));
                Ok(())
            }
            _ => {
                export.write_to(&self.directory)?;
                if self.lowest.is_none() {
                    note(&format!(
                        "the checkpoint with the lowest validation loss is kept in {}",
                        self.directory.display()
                    ));
                }
                self.lowest = Some((step as f64, loss));
                Ok(())
            }
        }
    }
}
