//! A report as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::campaign::{Report, Row};
use super::comparison::Class;

/// Seeds that are shown of a kind.
const MOST_SEEDS: usize = 6;
/// Kinds that are shown of a class.
const MOST_KINDS: usize = 25;

/// Counts, kinds of stops, and every difference with its program.
pub(crate) fn text(report: &Report) -> String {
    let mut text = String::new();
    let all: u64 = report.counts.values().sum();
    let of = |class: Class| report.counts.get(class.name()).copied().unwrap_or(0);
    let counted: u64 = Class::ALL
        .iter()
        .filter(|c| c.counts())
        .map(|c| of(*c))
        .sum();
    // Writing to a text does not fail.
    let _ = writeln!(
        text,
        "{all} programs of {} statements, seeds {} to {}, in {:.1} s; shares are of {counted}",
        report.statements,
        report.first,
        report.next.saturating_sub(1),
        report.seconds
    );
    for class in Class::ALL {
        let (number, name) = (of(class), class.name());
        if class.counts() {
            let share = 100.0 * number as f64 / counted.max(1) as f64;
            let _ = writeln!(text, "  {name:22}{number:7}  {share:6.2} %");
        } else if number > 0 {
            let _ = writeln!(text, "  {name:22}{number:7}");
        }
    }
    for class in [Class::Stopped, Class::Asked, Class::Unsure, Class::Limit] {
        kinds(&mut text, class, &report.rows);
    }
    for class in [Class::Message, Class::Silent, Class::Broken] {
        for row in report.rows.iter().filter(|row| row.class == class.name()) {
            let _ = writeln!(text, "\n{}, seed {}: {}", row.class, row.seed, row.detail);
            for line in row.program.lines() {
                let _ = writeln!(text, "    {line}");
            }
        }
    }
    let _ = writeln!(text, "\ngo on at --seed {}", report.next);
    text
}

/// The kinds of a class, the most frequent first.
fn kinds(text: &mut String, class: Class, rows: &[Row]) {
    let mut kinds: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.class == class.name()) {
        kinds.entry(&row.kind).or_default().push(row.seed);
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, seeds)| std::cmp::Reverse(seeds.len()));
    if !kinds.is_empty() {
        let _ = writeln!(text, "\n{}:", class.name());
    }
    for (kind, seeds) in kinds.into_iter().take(MOST_KINDS) {
        let shown: Vec<String> = seeds.iter().take(MOST_SEEDS).map(u64::to_string).collect();
        let _ = writeln!(
            text,
            "{:6}  {kind}  (seeds {})",
            seeds.len(),
            shown.join(", ")
        );
    }
}
