//! Merges builds of the shards of one corpus.
//!
//! They must be of the same corpus with the same settings and versions, and no shard may come twice.
//! Shards are taken in their order, whatever order they are named in; of equal code in two shards the
//! first is kept. The result is whole or absent.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::BuildError;
use super::counts::{Counts, Fate, ProblemCounts, operator_set};
use super::error::io;
use super::manifest::{Head, Manifest};
use super::parts::{
    Output, compress, describe, open_shard, remove, shard_name, with_suffix, write_whole,
};
use super::render::sizes_of;
use super::settings::Shard;
use super::store::{Additions, Progress, Store};
use super::{Report, batch::Fresh};
use crate::code_hash::{self, CodeHash};
use crate::files::Listed;
use crate::records::{Record, RecordReader};

/// Records in a shard file of the result.
const BATCH: usize = 1280;

/// Inputs of the merge.
#[derive(Debug)]
pub struct Merge {
    /// Finished builds: directories, or files with their manifests beside them.
    pub inputs: Vec<PathBuf>,
    /// Destination of the result.
    pub output: Output,
    /// Some shards may be missing.
    pub partial: bool,
    /// Replace an existing build.
    pub force: bool,
}

/// One build to be merged.
struct Part {
    output: Output,
    manifest: Manifest,
}

/// Merges builds. `tick` is called for records.
///
/// # Errors
/// If a build is not finished, has other settings than the others, or holds a shard of another one;
/// if shards are missing without permission; if a file differs from its manifest; if the output
/// exists.
pub fn merge(work: &Merge, tick: &dyn Fn(u64)) -> Result<Report, BuildError> {
    let _reserved = work.output.reserve()?;
    if !work.force {
        work.output.check_unused()?;
    }
    let mut parts = work
        .inputs
        .iter()
        .map(|p| Part::open(p))
        .collect::<Result<Vec<_>, _>>()?;
    parts.sort_by_key(|part| part.manifest.shards.first().copied());
    let shards = check(&parts, work.partial)?;
    let Some(first) = parts.first() else {
        return Err(BuildError::Merge {
            path: work.output.path().to_owned(),
            why: "nothing to merge; name the outputs of the shards".to_owned(),
        });
    };
    let whole = "1/1".parse::<Shard>().unwrap_or_default();
    let identity = first.manifest.identity(whole);
    let target = work.output.path();
    let staging = with_suffix(target, ".merging");
    remove(&staging)?;
    let _listed = Listed::add(staging.clone());
    let inner = match &work.output {
        Output::Directory(_) => Output::Directory(staging.clone()),
        Output::File(path) => Output::File(staging.join(path.file_name().unwrap_or_default())),
    };
    inner.begin(&identity)?;
    let merged = Merging::new(&inner).and_then(|mut merging| {
        for part in &parts {
            merging.take(part, tick)?;
        }
        merging.finish()
    });
    let counts = merged.and_then(|(store, counts)| {
        let assembled = inner.assemble(&store)?;
        let head = Head {
            identity: &identity,
            shards: &shards,
            counts: &counts,
        };
        head.write(&inner.manifest(), &store, assembled.as_ref())?;
        drop(store);
        inner.clean_up()?;
        Ok(counts)
    });
    let published = counts.and_then(|counts| {
        if work.force {
            work.output.discard()?;
        }
        publish(&inner, &work.output).map(|()| counts)
    });
    if published.is_err() {
        remove(&staging)?;
    }
    Ok(Report {
        identity,
        counts: published?,
    })
}

impl Part {
    fn open(path: &Path) -> Result<Self, BuildError> {
        let output = Output::named(path);
        if output.begun().exists() {
            return Err(refused(
                path,
                "is not finished; continue with `codexec mutate --resume`",
            ));
        }
        if !output.manifest().exists() {
            let why = format!(
                "no manifest: {} is missing; name the --out of `codexec mutate`",
                output.manifest().display()
            );
            return Err(refused(path, why));
        }
        let manifest = Manifest::read(&output.manifest())?;
        Ok(Self { output, manifest })
    }

    /// Directory of the manifest's files.
    fn directory(&self) -> PathBuf {
        match &self.output {
            Output::Directory(path) => path.clone(),
            Output::File(path) => path.parent().unwrap_or(Path::new("")).to_owned(),
        }
    }
}

fn refused(path: &Path, why: impl Into<String>) -> BuildError {
    BuildError::Merge {
        path: path.to_owned(),
        why: why.into(),
    }
}

/// The union of all parts' shards, in order.
fn check(parts: &[Part], partial: bool) -> Result<Vec<Shard>, BuildError> {
    let mut owners: BTreeMap<Shard, &Path> = BTreeMap::new();
    for part in parts {
        let (path, first) = (part.output.path(), &parts[0]);
        let at = Shard::default();
        let (ours, theirs) = (part.manifest.identity(at), first.manifest.identity(at));
        let differences = ours.differences(&theirs);
        if !differences.is_empty() {
            let (other, what) = (first.output.path().display(), differences.join("; "));
            let why = format!(
                "was built with other settings than {other}: {what}; leave one of them out"
            );
            return Err(refused(path, why));
        }
        for shard in &part.manifest.shards {
            if let Some(other) = owners.insert(*shard, path) {
                let other = other.display();
                let why = format!("holds shard {shard}, as {other} does; leave one of them out");
                return Err(refused(path, why));
            }
        }
    }
    let shards: Vec<Shard> = owners.keys().copied().collect();
    let Some(count) = shards.first().map(|s| s.count()) else {
        return Ok(shards);
    };
    if let Some(other) = shards.iter().find(|s| s.count() != count) {
        let why = format!("shard {other} and shards of {count} do not make one corpus");
        return Err(refused(owners[other], why));
    }
    let missing: Vec<String> = (1..=count)
        .filter(|index| !shards.iter().any(|s| s.index() == *index))
        .map(|index| format!("{index}/{count}"))
        .collect();
    if !missing.is_empty() && !partial {
        let why = format!(
            "shard {} is missing; name its output too, or merge what there is with --partial",
            missing.join(", ")
        );
        return Err(refused(parts[0].output.path(), why));
    }
    Ok(shards)
}

/// The result so far.
struct Merging {
    store: Store,
    directory: PathBuf,
    progress: Progress,
    problems: BTreeMap<String, ProblemCounts>,
    records: Vec<Record>,
}

impl Merging {
    fn new(output: &Output) -> Result<Self, BuildError> {
        Ok(Self {
            store: Store::open(&output.store())?,
            directory: output.parts(),
            progress: Progress::default(),
            problems: BTreeMap::new(),
            records: Vec::with_capacity(BATCH),
        })
    }

    fn take(&mut self, part: &Part, tick: &dyn Fn(u64)) -> Result<(), BuildError> {
        self.progress.counts.merge(&part.manifest.counts);
        for (problem, counts) in &part.manifest.problems {
            self.problems
                .entry(problem.clone())
                .or_default()
                .merge(counts);
        }
        let directory = part.directory();
        for shard in &part.manifest.files {
            let path = directory.join(&shard.file);
            open_shard(&directory, shard)?;
            let mut records = 0;
            for record in RecordReader::open(&path)? {
                self.records.push(record?);
                records += 1;
                if self.records.len() == BATCH {
                    self.commit(&path)?;
                    tick(BATCH as u64);
                }
            }
            if records != shard.records {
                return Err(BuildError::Damaged {
                    why: format!(
                        "{records} records, not {} as in its manifest",
                        shard.records
                    ),
                    path,
                });
            }
        }
        tick(self.records.len() as u64);
        self.commit(&directory)
    }

    /// Writes the lines that are new as a shard.
    fn commit(&mut self, from: &Path) -> Result<(), BuildError> {
        let records = std::mem::take(&mut self.records);
        let read = |record: &Record| -> Result<(Vec<u8>, CodeHash), BuildError> {
            let damaged = |why: String| BuildError::Damaged {
                path: from.to_owned(),
                why: format!("record {}: {why}", record.id),
            };
            let (_, code) =
                code_hash::read(&record.code, None).map_err(|e| damaged(e.to_string()))?;
            let mut line = serde_json::to_vec(record).map_err(|e| damaged(e.to_string()))?;
            line.push(b'\n');
            Ok((line, code))
        };
        let lines: Result<Vec<_>, _> = records.par_iter().map(read).collect();
        let mut fresh = Fresh::new(&self.store);
        let mut kept = Vec::with_capacity(records.len());
        for (record, (line, code)) in records.iter().zip(lines?) {
            if fresh.take(code)? {
                kept.push(line);
                continue;
            }
            let operators = operator_set(record.operators.iter().map(String::as_str));
            let counts = &mut self.progress.counts;
            counts.turn_into_duplicate(operators, &fate(record), &sizes_of(record));
            let problem = record
                .problem
                .as_ref()
                .or(record.parent.as_ref())
                .unwrap_or(&record.id);
            if let Some(problem) = self.problems.get_mut(problem) {
                problem.records = problem.records.saturating_sub(1);
            }
        }
        let mut added = Additions::default();
        if !kept.is_empty() {
            let name = shard_name(self.progress.batches);
            let path = self.directory.join(&name);
            let frame = compress(kept.iter().map(Vec::as_slice)).map_err(io(&path))?;
            write_whole(&path, &frame)?;
            added.shard = Some(describe(name, kept.len() as u64, &frame));
        }
        added.codes = fresh.into_codes();
        self.progress.batches += 1;
        self.store.commit(&added, &self.progress)
    }

    fn finish(mut self) -> Result<(Store, Counts), BuildError> {
        self.progress.batches += 1;
        let added = Additions {
            problems: std::mem::take(&mut self.problems),
            ..Additions::default()
        };
        self.store.commit(&added, &self.progress)?;
        Ok((self.store, self.progress.counts))
    }
}

/// Class of a record's run.
fn fate(record: &Record) -> Fate {
    const LIMITS: [&str; 7] = [
        "timeout",
        "step_limit",
        "instruction_limit",
        "output_limit",
        "trace_limit",
        "memory_limit",
        "killed",
    ];
    match record.outcome.as_str() {
        "finished" if record.differs == Some(false) => Fate::Same,
        "finished" => Fate::Differs,
        "not_run" => Fate::NotRun,
        other => match LIMITS.iter().find(|name| **name == other) {
            Some(name) => Fate::Limit(name),
            None => Fate::Raised(other.to_owned()),
        },
    }
}

/// Moves the result into place.
fn publish(from: &Output, to: &Output) -> Result<(), BuildError> {
    let rename = |from: &Path, to: &Path| fs::rename(from, to).map_err(io(to));
    if let Output::Directory(path) = to {
        // An empty one may exist.
        if path.exists() {
            fs::remove_dir(path).map_err(io(path))?;
        }
        return rename(from.path(), path);
    }
    rename(from.path(), to.path())?;
    rename(&from.manifest(), &to.manifest())?;
    remove(from.path().parent().unwrap_or(from.path()))
}
