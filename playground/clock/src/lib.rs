//! Replaces the crate `web-time` in the planner's build for a page.
//!
//! The crate of that name asks the browser through wasm-bindgen, whose imports only its own tool can resolve. The planner
//! needs no more than to know how much time has passed, so the module imports one function, `codexec.now`, that whoever
//! loads it gives: milliseconds, as `performance.now` counts them.

use std::time::Duration;

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "codexec")]
unsafe extern "C" {
    /// Milliseconds since some beginning.
    safe fn now() -> f64;
}

/// The same where the crate is built for the machine itself.
#[cfg(not(target_family = "wasm"))]
fn now() -> f64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    let passed = SystemTime::now().duration_since(UNIX_EPOCH);
    passed.map_or(0.0, |passed| passed.as_secs_f64() * 1000.0)
}

/// A moment, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Instant(f64);

impl Instant {
    /// This moment.
    #[must_use]
    pub fn now() -> Self {
        Self(now())
    }

    /// The moment that much later.
    #[must_use]
    pub fn checked_add(self, time: Duration) -> Option<Self> {
        Some(Self(self.0 + time.as_secs_f64() * 1000.0)).filter(|later| later.0.is_finite())
    }

    /// Elapsed time.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Duration::from_secs_f64((now() - self.0).max(0.0) / 1000.0)
    }
}
