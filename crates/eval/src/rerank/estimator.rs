//! pass@k: the probability that at least one of `k` samples is right.
//!
//! Source: "Evaluating Large Language Models Trained on Code", section 2.1, equation 1.

/// The unbiased estimate from `n` samples of which `right` are right: `1 - C(n - right, k) / C(n, k)`. `None` if
/// there are fewer than `k` samples, or `k` is 0.
///
/// ```
/// use codexec_eval::rerank::pass_at_k;
/// assert_eq!(pass_at_k(10, 3, 1), Some(0.3));
/// assert_eq!(pass_at_k(10, 0, 5), Some(0.0));
/// assert_eq!(pass_at_k(4, 2, 5), None);
/// ```
pub fn pass_at_k(n: usize, right: usize, k: usize) -> Option<f64> {
    if k == 0 || k > n || right > n {
        return None;
    }
    if n - right < k {
        return Some(1.0);
    }
    if k == 1 {
        return Some(right as f64 / n as f64);
    }
    let none: f64 = (n - right + 1..=n)
        .map(|i| 1.0 - k as f64 / i as f64)
        .product();
    Some(1.0 - none)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of `1 - math.comb(n - c, k) / math.comb(n, k)` in Python.
    const KNOWN: &[(usize, usize, usize, f64)] = &[
        (1, 1, 1, 1.0),
        (10, 3, 1, 0.3),
        (10, 3, 5, 0.916_666_666_666_666_6),
        (10, 1, 10, 1.0),
        (20, 2, 5, 0.447_368_421_052_631_6),
        (20, 2, 10, 0.763_157_894_736_842_1),
        (50, 7, 10, 0.813_348_631_017_456_2),
        (200, 1, 100, 0.5),
        (200, 13, 100, 0.999_919_497_198_805_5),
    ];

    #[test]
    fn it_agrees_with_the_binomials() {
        for &(n, c, k, wanted) in KNOWN {
            let found = pass_at_k(n, c, k).unwrap();
            assert!((found - wanted).abs() < 1e-12, "{n} {c} {k}: {found}");
        }
    }

    #[test]
    fn it_agrees_with_every_choice_counted() {
        let (n, k) = (6, 3);
        for right in 0..=n {
            // The first `right` of them are right.
            let choices = (0u32..1 << n).filter(|set| set.count_ones() == k);
            let (mut good, mut all) = (0, 0);
            for set in choices {
                all += 1;
                good += u32::from(set & ((1 << right) - 1) != 0);
            }
            let wanted = f64::from(good) / f64::from(all);
            let found = pass_at_k(n, right, k as usize).unwrap();
            assert!((found - wanted).abs() < 1e-12, "{right}");
        }
    }

    #[test]
    fn too_few_samples_estimate_nothing() {
        assert_eq!(pass_at_k(4, 4, 5), None);
        assert_eq!(pass_at_k(4, 4, 0), None);
        assert_eq!(pass_at_k(0, 0, 1), None);
    }
}
