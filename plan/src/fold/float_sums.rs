//! `math.fsum` and `math.isclose`.

/// The sum of finite floats, rounded once: partial sums that do not overlap, as Shewchuk has them ("Adaptive Precision
/// Floating-Point Arithmetic", 1997). Nothing where a partial sum overflows.
pub fn exact_sum(items: &[f64]) -> Option<f64> {
    let mut partials: Vec<f64> = Vec::new();
    for item in items {
        let mut x = *item;
        let mut kept = 0;
        for at in 0..partials.len() {
            let mut y = partials[at];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let sum = x + y;
            let rest = y - (sum - x);
            if rest != 0.0 {
                partials[kept] = rest;
                kept += 1;
            }
            x = sum;
        }
        if !x.is_finite() {
            return None;
        }
        partials.truncate(kept);
        partials.push(x);
    }
    let mut high = partials.pop().unwrap_or(0.0);
    let mut low = 0.0;
    while let Some(next) = partials.pop() {
        let x = high;
        high = x + next;
        low = next - (high - x);
        if low != 0.0 {
            break;
        }
    }
    // Halfway between two floats, what is left decides.
    let same_sign = |next: &f64| low < 0.0 && *next < 0.0 || low > 0.0 && *next > 0.0;
    if low != 0.0 && partials.last().is_some_and(same_sign) {
        let twice = low * 2.0;
        let x = high + twice;
        if twice == x - high {
            high = x;
        }
    }
    Some(high)
}

/// `math.isclose(x, y, rel_tol=…, abs_tol=…)`
pub fn is_close(x: f64, y: f64, relative: f64, absolute: f64) -> bool {
    let apart = (x - y).abs();
    x == y
        || x.is_finite()
            && y.is_finite()
            && (apart <= (relative * y).abs() || apart <= (relative * x).abs() || apart <= absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(exact_sum(&[0.1; 10]), Some(1.0));
        assert_eq!(exact_sum(&[1e100, 1.0, -1e100]), Some(1.0));
        assert_eq!(
            exact_sum(&[1e16, 1.0, 1e-16]),
            Some(10_000_000_000_000_002.0)
        );
        assert_eq!(exact_sum(&[]), Some(0.0));
        assert_eq!(exact_sum(&[f64::MAX, f64::MAX]), None);
    }
}
