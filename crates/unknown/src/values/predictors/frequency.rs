//! How often each class of value had a name in recorded runs of other programs.
//!
//! This is the paper's frequency baseline: it draws from the records of the same kind and name, and
//! returns `object` if there are none. `frequencies.tsv` counts the events of the test suites of
//! permissively licensed packages. `make_frequencies.py` writes it, and holds out every fifth
//! package for measurement.

use std::collections::HashMap;
use std::sync::OnceLock;

use rand::Rng;

use super::random::drawing;
use super::{Kind, LikelyClass, Predictor, Query, certain};
use crate::values::Class;

/// Draws by frequency.
#[derive(Debug)]
pub struct Frequency {
    seed: u64,
}

impl Frequency {
    /// Draws depend on the seed.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl Predictor for Frequency {
    fn name(&self) -> &'static str {
        "frequency"
    }

    fn predict(&self, query: &Query<'_>) -> Vec<LikelyClass> {
        let Some(known) = recorded(query.kind, query.name) else {
            return certain(Class::Object);
        };
        let mut left: f32 = drawing(self.seed, query).random();
        for one in known {
            left -= one.probability;
            if left < 0.0 {
                return vec![*one];
            }
        }
        known.iter().take(1).copied().collect()
    }
}

/// Returns the records of a kind and name, most frequent first; `*` is for all names.
pub(super) fn recorded(kind: Kind, name: &str) -> Option<&'static [LikelyClass]> {
    type Table = HashMap<&'static str, HashMap<&'static str, Vec<LikelyClass>>>;
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = Table::new();
        let rows = include_str!("frequencies.tsv").lines();
        let rows = rows.filter_map(|row| {
            let mut cells = row.split('\t');
            let (kind, name) = (cells.next()?, cells.next()?);
            let counts: Vec<(Class, f32)> = cells
                .filter_map(|cell| {
                    let (class, count) = cell.split_once(':')?;
                    Some((class.parse().ok()?, count.parse().ok()?))
                })
                .collect();
            let all: f32 = counts.iter().map(|(_, count)| count).sum();
            let shares = counts.into_iter().map(|(class, count)| LikelyClass {
                class,
                probability: count / all,
            });
            Some((kind, name, shares.collect()))
        });
        for (kind, name, shares) in rows {
            table.entry(kind).or_default().insert(name, shares);
        }
        table
    });
    table.get(kind.as_str())?.get(name).map(Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_whole() {
        let rows = include_str!("frequencies.tsv").lines().count();
        assert!(rows > 1000, "{rows}");
        for row in include_str!("frequencies.tsv").lines() {
            let mut cells = row.split('\t');
            let kind = match cells.next() {
                Some("name") => Kind::Name,
                Some("attribute") => Kind::Attribute,
                Some("call") => Kind::Call,
                other => panic!("{other:?}"),
            };
            let name = cells.next().unwrap();
            assert_eq!(recorded(kind, name).unwrap().len(), cells.count(), "{row}");
        }
        assert_eq!(
            recorded(Kind::Name, "self").unwrap()[0].class,
            Class::Object
        );
    }
}
