//! Checksums of an index: one of its head, and one of each row group. Parquet has none of its own here, and a vector or
//! program with a flipped bit would silently be found or missed.

use std::hash::Hasher as _;

use twox_hash::XxHash64;

use super::index::{Entry, Index};

/// Of everything but the programs.
pub(super) fn of_head(index: &Index) -> u64 {
    let mut hash = XxHash64::with_seed(0);
    for part in [&index.model, &index.digest, &index.outputs] {
        text(&mut hash, Some(part));
    }
    hash.write_u64(index.width as u64);
    if let Some(cells) = &index.cells {
        for (centre, rows) in cells.centres.iter().zip(&cells.rows) {
            numbers(&mut hash, centre);
            hash.write_u64(*rows as u64);
        }
    }
    hash.finish()
}

/// Of the programs of a row group.
pub(super) fn of_entries(entries: &[Entry]) -> u64 {
    let mut hash = XxHash64::with_seed(0);
    for entry in entries {
        text(&mut hash, Some(&entry.id));
        text(&mut hash, entry.problem.as_deref());
        text(&mut hash, Some(&entry.code));
        text(&mut hash, entry.input.as_deref());
        text(&mut hash, entry.output.as_deref());
        let sure = entry.confidence.map(f32::to_bits);
        hash.write_u64(sure.map_or(u64::MAX, u64::from));
        numbers(&mut hash, &entry.vector);
    }
    hash.finish()
}

fn text(hash: &mut XxHash64, text: Option<&str>) {
    hash.write_u64(text.map_or(u64::MAX, |text| text.len() as u64));
    hash.write(text.unwrap_or_default().as_bytes());
}

fn numbers(hash: &mut XxHash64, numbers: &[f32]) {
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    hash.write(&bytes);
}
