//! Random draws that are the same bytes on every machine.
//!
//! SplitMix64 (Steele, Lea, Flood 2014), because each edit has its own seed and this generator costs
//! nothing to seed. It is for drawing mutants, not for secrets. The normal draw uses additions,
//! multiplications, divisions and square roots, which IEEE 754 fixes to the last bit, and the
//! logarithm of `libm`, which is plain Rust; `f64::ln` would be the platform's.

use rand::{Rng, RngCore, SeedableRng};
use rand_xoshiro::SplitMix64;

/// A stream of draws.
#[derive(Debug, Clone)]
pub struct Draw(SplitMix64);

impl Draw {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.random()
    }

    /// True with probability `p`; always for 1 and more, never for 0, less, and NaN.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// A uniform number below `n` (to within 2⁻³²); 0 for `n` = 0.
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// One of `options` other than `old`.
    ///
    /// `None` if there is no other.
    pub fn other(&mut self, options: &[&'static str], old: &str) -> Option<&'static str> {
        let left = options.iter().filter(|o| **o != old);
        let chosen = self.below(left.clone().count() as u32) as usize;
        left.copied().nth(chosen)
    }

    /// A lower-case letter.
    pub fn letter(&mut self) -> char {
        char::from(b'a' + self.below(26) as u8)
    }

    /// A draw from the standard normal distribution (Marsaglia's polar method).
    ///
    /// `rand_distr` computes with the platform's `exp` and `ln` as soon as any crate of the build switches
    /// `num-traits/std` on, which candle does.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (u, v) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                return u * (-2.0 * libm::log(s) / s).sqrt();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_published_generator() {
        // Vigna's splitmix64.c from state 1234567: the vector of rand_core and of Java's SplittableRandom.
        let mut draw = Draw::new(1_234_567);
        assert_eq!(draw.bits(), 6_457_827_717_110_365_317);
        assert_eq!(draw.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn normal_draws_have_mean_zero_and_variance_one() {
        let mut draw = Draw::new(3);
        let n = 20_000;
        let all: Vec<f64> = (0..n).map(|_| draw.normal()).collect();
        let mean = all.iter().sum::<f64>() / f64::from(n);
        let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n);
        assert!(mean.abs() < 0.03, "{mean}");
        assert!((variance - 1.0).abs() < 0.05, "{variance}");
        let tail = all.iter().filter(|x| x.abs() > 1.96).count();
        assert!((800..1200).contains(&tail), "{tail} of {n} beyond 1.96");
    }

    #[test]
    fn every_other_option_comes_up_and_the_old_never() {
        let mut draw = Draw::new(0);
        let mut counts = [0; 4];
        for _ in 0..3_000 {
            let chosen = draw.other(&["+", "-", "*", "/"], "*").unwrap();
            counts[["+", "-", "*", "/"]
                .iter()
                .position(|o| *o == chosen)
                .unwrap()] += 1;
        }
        assert_eq!(counts[2], 0);
        assert!(
            [0, 1, 3].iter().all(|i| (900..1100).contains(&counts[*i])),
            "{counts:?}"
        );
        assert_eq!(draw.other(&["x"], "x"), None);
    }
}
