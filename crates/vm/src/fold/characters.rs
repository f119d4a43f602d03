//! Properties of characters in CPython 3.11 (Unicode 14.0), read from a table (`characters.txt`)
//! that `runs/plan_characters.py` writes.

use std::collections::HashMap;
use std::sync::OnceLock;

/// A property of characters: a bit in a row of the table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Property {
    Lower = 0,
    Upper,
    Title,
    /// A letter that follows it is not the first letter of a title.
    Cased,
    /// It is skipped when testing whether a sigma ends a word.
    Ignorable,
    Letter,
    Decimal,
    Digit,
    Numeric,
    Printable,
    /// It may begin an identifier.
    Start,
    /// It may occur in an identifier.
    Within,
}

/// A case to which characters are converted: a column of the table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Case {
    Lower,
    Upper,
    Title,
    Folded,
}

#[derive(Default)]
struct Characters {
    /// Ranges and their bits, in order.
    ranges: Vec<(u32, u32, u16)>,
    /// Offsets to the four cases.
    changes: HashMap<u32, [i32; 4]>,
    /// The four cases of characters that become several characters.
    several: HashMap<u32, [String; 4]>,
}

fn characters() -> &'static Characters {
    static CHARACTERS: OnceLock<Characters> = OnceLock::new();
    CHARACTERS.get_or_init(|| {
        let mut all = Characters::default();
        for line in include_str!("characters.txt").lines() {
            let columns: Vec<&str> = line.split(' ').collect();
            let hex = |text: &str| u32::from_str_radix(text, 16).unwrap_or_default();
            match columns[..] {
                ["p", start, end, bits] => {
                    let bits = u16::try_from(hex(bits)).unwrap_or_default();
                    all.ranges.push((hex(start), hex(end), bits));
                }
                ["c", start, end, step, lower, upper, title, folded] => {
                    let by = [lower, upper, title, folded].map(|by| by.parse().unwrap_or(0));
                    let codes = (hex(start)..=hex(end)).step_by(step.parse().unwrap_or(1));
                    all.changes.extend(codes.map(|code| (code, by)));
                }
                ["s", code, lower, upper, title, folded] => {
                    let text = |codes: &str| {
                        let codes = codes.split(',').map(hex);
                        codes.filter_map(char::from_u32).collect::<String>()
                    };
                    let cases = [lower, upper, title, folded].map(text);
                    all.several.insert(hex(code), cases);
                }
                _ => {}
            }
        }
        all
    })
}

/// Whether a character has a property.
pub(super) fn is(c: char, property: Property) -> bool {
    let code = u32::from(c);
    let ranges = &characters().ranges;
    let at = ranges.partition_point(|(_, end, _)| *end < code);
    ranges
        .get(at)
        .is_some_and(|(start, _, bits)| *start <= code && bits >> (property as u16) & 1 == 1)
}

/// Appends a character in another case to a string.
pub(super) fn push(out: &mut String, c: char, case: Case) {
    let all = characters();
    let code = u32::from(c);
    if let Some(cases) = all.several.get(&code) {
        out.push_str(&cases[case as usize]);
        return;
    }
    let by = all.changes.get(&code).map_or(0, |by| by[case as usize]);
    let changed = code.checked_add_signed(by).and_then(char::from_u32);
    out.push(changed.unwrap_or(c));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_change_case_and_have_properties() {
        let changed = |c: char, case: Case| {
            let mut out = String::new();
            push(&mut out, c, case);
            out
        };
        assert_eq!(changed('ß', Case::Upper), "SS");
        assert_eq!(changed('ǆ', Case::Title), "ǅ");
        assert_eq!(changed('Ⅷ', Case::Lower), "ⅷ");
        assert_eq!(changed('漢', Case::Upper), "漢");
        assert!(is('ª', Property::Lower) && !is('ª', Property::Upper));
        assert!(is('五', Property::Numeric) && !is('五', Property::Digit));
        assert!(is('²', Property::Digit) && !is('²', Property::Decimal));
    }
}
