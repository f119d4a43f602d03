//! Loops compiled for the processor that runs them.

use pulp::{Arch, Simd, WithSimd};

struct Loop<F>(F);

impl<R, F: FnMut() -> R> WithSimd for Loop<F> {
    type Output = R;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> R {
        (self.0)()
    }
}

/// Runs a loop that is compiled for each instruction set, with the best one of this processor. The
/// closure and its callees must be `#[inline(always)]`: code that is not inlined is compiled for
/// the oldest processor, and takes several times as long. The closure is therefore not `FnOnce`,
/// which is called through a function of its own.
#[inline(always)]
pub fn vectorized<R>(body: impl FnMut() -> R) -> R {
    Arch::new().dispatch(Loop(body))
}
