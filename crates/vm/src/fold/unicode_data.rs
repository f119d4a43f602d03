//! Character data of CPython 3.11's `unicodedata`: directions, widths and numbers, from a table
//! (`unicode_data.txt`) that `runs/plan_unicode.py` writes.

use std::sync::OnceLock;

/// Ranges of characters with a value for each, in order.
type Ranges<T> = Vec<(u32, u32, T)>;

#[derive(Default)]
struct Data {
    directions: Ranges<&'static str>,
    widths: Ranges<&'static str>,
    mirrored: Ranges<()>,
    /// The numeric value of the first character, and whether they are digits and decimals.
    numbers: Ranges<(f64, bool, bool)>,
}

fn data() -> &'static Data {
    static DATA: OnceLock<Data> = OnceLock::new();
    DATA.get_or_init(|| {
        let mut all = Data::default();
        for line in include_str!("unicode_data.txt").lines() {
            let columns: Vec<&'static str> = line.split(' ').collect();
            let [kind, start, end, what] = columns[..] else {
                continue;
            };
            let hex = |text: &str| u32::from_str_radix(text, 16).unwrap_or_default();
            let (start, end) = (hex(start), hex(end));
            match kind {
                "b" => all.directions.push((start, end, what)),
                "w" => all.widths.push((start, end, what)),
                "m" => all.mirrored.push((start, end, ())),
                "n" | "d" | "c" => {
                    let first = what.parse().unwrap_or_default();
                    all.numbers
                        .push((start, end, (first, kind != "n", kind == "c")));
                }
                _ => {}
            }
        }
        all
    })
}

fn within<T: Copy>(ranges: &Ranges<T>, c: char) -> Option<(u32, T)> {
    let code = u32::from(c);
    let at = ranges.partition_point(|(_, end, _)| *end < code);
    let (start, _, what) = *ranges.get(at)?;
    code.checked_sub(start).map(|behind| (behind, what))
}

/// `unicodedata.bidirectional`
pub(crate) fn bidirectional(c: char) -> &'static str {
    within(&data().directions, c).map_or("", |(_, what)| what)
}

/// `unicodedata.east_asian_width`
pub(crate) fn east_asian_width(c: char) -> &'static str {
    within(&data().widths, c).map_or("N", |(_, what)| what)
}

/// `unicodedata.mirrored`
pub(crate) fn is_mirrored(c: char) -> bool {
    within(&data().mirrored, c).is_some()
}

/// `unicodedata.numeric`, and whether it is a digit and a decimal.
pub(crate) fn numeric(c: char) -> Option<(f64, bool, bool)> {
    let (behind, (first, is_digit, is_decimal)) = within(&data().numbers, c)?;
    Some((first + f64::from(behind), is_digit, is_decimal))
}
