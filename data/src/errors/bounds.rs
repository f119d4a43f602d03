//! Numeric bounds in an input description: `1 ≤ N ≤ 100`, `0 <= a_i, b_i <= 10^9`. It reads chains of two comparisons
//! with a number at each end, and ignores words.

use std::collections::BTreeMap;

/// Minimum and maximum of each name with bounds in a description; names are in lower case and without indices: `a_i`
/// is `a`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Bounds(BTreeMap<String, (i64, i64)>);

impl Bounds {
    /// Reads a description.
    pub(super) fn of(description: &str) -> Self {
        let mut found = BTreeMap::new();
        for line in description.lines() {
            let line = line
                .replace("\\leq", "≤")
                .replace("\\le", "≤")
                .replace("&le;", "≤")
                .replace("<=", "≤")
                .replace('<', "≤");
            let parts: Vec<&str> = line.split('≤').collect();
            for window in parts.windows(3) {
                let (Some(low), Some(high)) = (last_number(window[0]), first_number(window[2]))
                else {
                    continue;
                };
                if low > high {
                    continue;
                }
                for name in window[1].split(',').filter_map(name_of) {
                    found.entry(name).or_insert((low, high));
                }
            }
        }
        Self(found)
    }

    /// The bounds of a variable, if the description has its name.
    pub(super) fn get(&self, variable: &str) -> Option<(i64, i64)> {
        let name = variable.to_lowercase();
        self.0.get(&name).copied()
    }
}

/// The name at the beginning of `a_i (integer)`.
fn name_of(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches(['$', '|', '\\', '{', '(']);
    let name: String = text
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric())
        .collect();
    let name = name.to_lowercase();
    (!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

/// The number that a text begins with: `10^5`, `1,000`, `2 × 10^5`, `-3`.
fn first_number(text: &str) -> Option<i64> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || " ,^*×-+$\\{}".contains(c)))
        .unwrap_or(text.len());
    number(&text[..end])
}

/// The number that a text ends with.
fn last_number(text: &str) -> Option<i64> {
    let start = text
        .rfind(|c: char| !(c.is_ascii_digit() || " ,^*×-+$\\{}".contains(c)))
        .map_or(0, |at| {
            at + text[at..].chars().next().map_or(1, char::len_utf8)
        });
    number(&text[start..])
}

fn number(text: &str) -> Option<i64> {
    let text = text
        .replace(['$', '\\', '{', '}', ' '], "")
        .replace("**", "^");
    let text = text.trim_matches([',', '*', '×']).replace(',', "");
    let mut product: i64 = 1;
    for factor in text.split(['×', '*']) {
        let value = match factor.split_once('^') {
            Some((base, exponent)) => {
                let base: i64 = base.parse().ok()?;
                base.checked_pow(exponent.parse().ok()?)?
            }
            None => factor.parse().ok()?,
        };
        product = product.checked_mul(value)?;
    }
    Some(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_with_numbers_at_both_ends_are_read() {
        let bounds = Bounds::of(
            "N M\nConstraints:\n1 ≤ N ≤ 10^5\n* 0 <= a_i, b_i <= 2 × 10^9\n-3 \\leq K \\leq 1,000\nx ≤ y ≤ z",
        );
        assert_eq!(bounds.get("n"), Some((1, 100_000)));
        assert_eq!(bounds.get("A"), Some((0, 2_000_000_000)));
        assert_eq!(bounds.get("b"), Some((0, 2_000_000_000)));
        assert_eq!(bounds.get("K"), Some((-3, 1000)));
        assert_eq!(bounds.get("y"), None);
    }

    #[test]
    fn odd_text_is_no_panic() {
        for text in [
            "≤≤≤",
            "1 ≤ ≤ 2",
            "9^99999 ≤ a ≤ 3",
            "é≤漢≤1",
            "5 ≤ n ≤ 1",
            "",
        ] {
            assert_eq!(Bounds::of(text), Bounds::default(), "{text}");
        }
    }
}
