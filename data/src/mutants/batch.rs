//! A batch of programs: collected from the workers, packed, and committed in order.
//!
//! A batch depends on earlier ones only through the store, which [`Committer::commit`] queries in
//! corpus order: so the number of workers has no influence.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

use super::BuildError;
use super::counts::Fate;
use super::error::io;
use super::family::{Family, Treatment};
use super::parts::{compress, decompress, describe, shard_name, write_whole};
use super::store::{Additions, Progress, Store};
use crate::code_hash::CodeHash;

/// The families of a batch as they come in.
pub(crate) struct Collecting {
    number: u64,
    slots: Mutex<Slots>,
}

struct Slots {
    families: Vec<Option<Family>>,
    missing: usize,
}

impl Collecting {
    pub(super) fn new(number: u64, programs: usize) -> Self {
        Self {
            number,
            slots: Mutex::new(Slots {
                families: (0..programs).map(|_| None).collect(),
                missing: programs,
            }),
        }
    }

    /// Puts a family into its place. Returns the whole batch, packed, after the last one.
    pub(super) fn put(&self, slot: usize, family: Family) -> Result<Option<Packed>, BuildError> {
        let families = {
            let mut slots = self.slots.lock().map_err(|_| BuildError::Threads)?;
            slots.families[slot] = Some(family);
            slots.missing -= 1;
            if slots.missing > 0 {
                return Ok(None);
            }
            std::mem::take(&mut slots.families)
        };
        let families = families.into_iter().flatten().collect();
        Packed::new(self.number, families).map(Some)
    }
}

/// A whole batch: its lines compressed as if none were a duplicate, which nearly always holds.
pub(crate) struct Packed {
    pub number: u64,
    families: Vec<Family>,
    /// Length of the line of each member.
    lengths: Vec<usize>,
    frame: Vec<u8>,
}

impl Packed {
    fn new(number: u64, mut families: Vec<Family>) -> Result<Self, BuildError> {
        let members = || families.iter().flat_map(|f| &f.members);
        let frame = compress(members().map(|m| m.line.as_slice()));
        let frame = frame.map_err(io(&PathBuf::from(shard_name(number))))?;
        let lengths = members().map(|m| m.line.len()).collect();
        // The frame has them.
        for member in families.iter_mut().flat_map(|f| &mut f.members) {
            member.line = Vec::new();
        }
        Ok(Self {
            number,
            families,
            lengths,
            frame,
        })
    }

    /// The frame without some lines.
    fn without(&self, dropped: &[bool]) -> std::io::Result<Vec<u8>> {
        if !dropped.contains(&true) {
            return Ok(self.frame.clone());
        }
        let text = decompress(&self.frame)?;
        let mut at = 0;
        let lines = self.lengths.iter().zip(dropped).map(|(length, dropped)| {
            let line = &text[at..at + length];
            at += length;
            if *dropped { &[][..] } else { line }
        });
        compress(lines)
    }
}

/// Destination of committed records.
pub(crate) enum Sink<'a> {
    /// Shard files in this directory.
    Files(PathBuf),
    /// Lines, uncompressed.
    Lines(&'a mut (dyn Write + Send)),
}

/// Takes batches in order.
pub(crate) struct Committer<'a> {
    pub store: &'a Store,
    pub sink: Sink<'a>,
    pub progress: Progress,
}

impl Committer<'_> {
    /// Drops duplicates of the build, writes the shard, then records both. A kill in between leaves
    /// a shard that is rewritten with the same bytes.
    pub(super) fn commit(&mut self, mut batch: Packed) -> Result<(), BuildError> {
        let mut added = Additions::default();
        let mut fresh = Fresh::new(self.store);
        let mut dropped = Vec::with_capacity(batch.lengths.len());
        let (mut records, mut at) = (0, 0);
        for family in &mut batch.families {
            let lengths = &batch.lengths[at..at + family.members.len()];
            at += family.members.len();
            let before = dropped.len();
            records += self.count(
                family,
                lengths,
                &mut fresh,
                &mut dropped,
                &mut added.problems,
            )?;
            dropped.resize(before + family.members.len(), true);
        }
        // A missing line is not a dropped line.
        for (dropped, length) in dropped.iter_mut().zip(&batch.lengths) {
            *dropped &= *length > 0;
        }
        if records > 0 {
            let name = shard_name(batch.number);
            let frame = batch.without(&dropped).map_err(io(&PathBuf::from(&name)))?;
            match &mut self.sink {
                Sink::Files(directory) => write_whole(&directory.join(&name), &frame)?,
                Sink::Lines(out) => decompress(&frame)
                    .and_then(|text| out.write_all(&text))
                    .map_err(|source| BuildError::Output { source })?,
            }
            added.shard = Some(describe(name, records, &frame));
        }
        added.codes = fresh.into_codes();
        self.progress.counts.records += records;
        self.progress.batches = batch.number + 1;
        self.store.commit(&added, &self.progress)
    }

    /// Counts a family; the number of its records. `dropped` gets its members as far as they count.
    fn count(
        &mut self,
        family: &mut Family,
        lengths: &[usize],
        fresh: &mut Fresh<'_>,
        dropped: &mut Vec<bool>,
        problems: &mut BTreeMap<String, super::counts::ProblemCounts>,
    ) -> Result<u64, BuildError> {
        let counts = &mut self.progress.counts;
        let problem = family.problem.as_ref().unwrap_or(&family.id);
        let problem = problems.entry(problem.clone()).or_default();
        counts.programs.read += 1;
        problem.programs += 1;
        if let Some(parent) = family.parent
            && (family.treatment == Treatment::Duplicate || !fresh.take(parent)?)
        {
            counts.programs.duplicate += 1;
            return Ok(0);
        }
        match &family.treatment {
            Treatment::Mutated => counts.programs.mutated += 1,
            Treatment::Duplicate => counts.programs.duplicate += 1,
            Treatment::SyntaxError(message) => counts.name_error(&family.id, message),
            Treatment::TooLong => counts.programs.too_long += 1,
            Treatment::Unstable => counts.programs.unstable += 1,
            Treatment::OverLimit => counts.programs.over_limit += 1,
        }
        let mut records = 0;
        for (member, length) in family.members.iter_mut().zip(lengths) {
            let has_code = member.code != CodeHash::default();
            if member.fate == Fate::Duplicate || has_code && !fresh.take(member.code)? {
                member.fate = Fate::Duplicate;
            }
            let duplicate = member.fate == Fate::Duplicate;
            dropped.push(duplicate);
            if !duplicate {
                let cause = member.cause.as_deref();
                counts.add_route(member.route, &member.fate, cause);
            }
            if member.operators != 0 {
                counts.add_mutant(member.operators, &member.fate);
                problem.mutants += 1;
            }
            if !duplicate && *length > 0 {
                records += 1;
                problem.records += 1;
                counts.originals += u64::from(member.operators == 0);
                counts.sizes.merge(&member.sizes);
            }
        }
        Ok(records)
    }
}

/// Code that is new with this batch.
pub(crate) struct Fresh<'a> {
    store: &'a Store,
    codes: HashSet<CodeHash>,
}

impl<'a> Fresh<'a> {
    pub(super) fn new(store: &'a Store) -> Self {
        let codes = HashSet::new();
        Self { store, codes }
    }

    pub(super) fn into_codes(self) -> Vec<CodeHash> {
        self.codes.into_iter().collect()
    }

    /// Whether code is new to the build; it is no longer afterwards.
    pub(super) fn take(&mut self, code: CodeHash) -> Result<bool, BuildError> {
        Ok(!self.store.has(&code)? && self.codes.insert(code))
    }
}
