//! Data sets of mutants: a corpus goes in; executed, deduplicated, traced variants come out.
//!
//! | module | what |
//! |---|---|
//! | `settings` | what a build is asked, and which shard of the corpus this machine builds |
//! | `corpus` | the programs in order, and what identifies them |
//! | `family`, `planned`, `render` | one program: its mutants, their runs or plans, their records |
//! | `batch`, `run` | workers that make families, and the one that commits batches in order |
//! | `store` | hashes of all code so far, counts, progress: on disk |
//! | `parts`, `manifest` | shard files and the manifest, each whole or absent |
//! | `merge` | builds of shards put together |
//! | `counts`, `code_hash`, `error` | what is counted, when programs are the same, what can go wrong |
//!
//! A killed build resumes where it was: a batch is written, then recorded, and unrecorded ones are
//! made again with the same bytes. Records depend on the corpus, the settings and the versions
//! involved; not on the number of workers, nor on the load of the machine, except for runs very
//! close to the limit of CPU time.

mod batch;
mod corpus;
mod counts;
mod error;
mod family;
mod manifest;
mod merge;
mod parts;
mod planned;
mod render;
mod run;
mod session;
mod settings;
mod store;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use codexec_mutate::{Config, Mutator};

pub use counts::{
    Counts, NamedError, OperatorCounts, PlanCounts, ProblemCounts, ProgramCounts, Sizes,
};
pub use error::BuildError;
pub use manifest::Manifest;
pub use merge::{Merge, merge};
pub use parts::Output;
pub use run::{OnTick, Tick};
pub use settings::{Corpus, Identity, Keep, Settings, Shard, TracedBy, Versions};
pub use store::ShardFile;

use crate::files::Reservation;
use crate::planner::{PlanLimits, Planner};
use crate::records::RecordReader;
use crate::sandbox::{Limits, Pool};
use batch::{Committer, Sink};
use corpus::{Scanned, scan};
use error::io;
use family::FamilyGenerator;
use manifest::Head;
use store::{Additions, Progress, Store};

/// A build: a corpus, its settings, and its output.
#[derive(Debug)]
pub struct Build {
    corpus: PathBuf,
    identity: Identity,
    /// Programs of this shard.
    programs: u64,
    skipped: Vec<String>,
    ends_rewritten: u64,
    output: Option<Output>,
    begin: Begin,
    taken: Vec<PathBuf>,
    planner: Option<Arc<dyn Planner>>,
    // Held until the build is done.
    _reserved: Option<Reservation>,
}

/// How a build goes about an output where something may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Begin {
    /// Nothing may be there.
    #[default]
    Anew,
    /// Resume an earlier session of the same build.
    Resume,
    /// Replace an existing build.
    Force,
}

/// Results of a build.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Identity of the build.
    pub identity: Identity,
    /// Counts of the whole build, of earlier sessions too.
    pub counts: Counts,
}

impl Settings {
    /// The limits of a run.
    pub fn limits(&self) -> Limits {
        let wall = std::time::Duration::from_millis(self.timeout_ms);
        Limits {
            wall,
            cpu: wall,
            max_steps: self.max_steps,
            ..Limits::default()
        }
    }

    /// The limits of a plan.
    pub fn plan_limits(&self) -> PlanLimits {
        let run = self.limits();
        PlanLimits::like(run.cpu, run.max_steps, run.max_bytes)
    }

    fn mutator(&self) -> Result<Mutator, BuildError> {
        let mutator = Mutator::new(Config {
            probability: self.probability,
            operators: self.operators.clone(),
        });
        // Reports early what would be wrong with every program.
        mutator.candidates("")?;
        Ok(mutator)
    }
}

impl Build {
    /// Reserves the output, reads the corpus once, and checks the existing state: nothing is
    /// changed yet. Without an output, use only [`Build::write`].
    ///
    /// # Errors
    /// If the corpus cannot be read or is empty, if the settings name an unknown operator, or if
    /// the output is in use: existing, begun with other settings, or being written by another
    /// process.
    pub fn new(
        corpus: &Path,
        settings: Settings,
        shard: Shard,
        python: Option<String>,
        output: Option<Output>,
        begin: Begin,
    ) -> Result<Self, BuildError> {
        settings.mutator()?;
        let reserved = output.as_ref().map(Output::reserve).transpose()?;
        if let Some(output) = output.as_ref().filter(|_| begin == Begin::Anew) {
            output.check_unused()?;
        }
        let Scanned {
            corpus: contents,
            mine: programs,
            skipped,
            ends_rewritten,
        } = scan(corpus, shard)?;
        let identity = Identity {
            versions: Versions::of(python),
            settings,
            corpus: contents,
            shard,
        };
        if let Some(output) = output.as_ref().filter(|_| begin == Begin::Resume) {
            output.check_same(&identity)?;
        }
        Ok(Self {
            corpus: corpus.to_owned(),
            identity,
            programs,
            skipped,
            ends_rewritten,
            output,
            begin,
            taken: Vec::new(),
            planner: None,
            _reserved: reserved,
        })
    }

    /// Code of records in these files counts as a duplicate, for sets that must share none. Must be
    /// the same in every session.
    #[must_use]
    pub fn without_code_of(mut self, files: Vec<PathBuf>) -> Self {
        self.taken = files;
        self
    }

    /// Who walks programs, where the settings say that they are planned.
    #[must_use]
    pub fn planned_by(mut self, planner: Arc<dyn Planner>) -> Self {
        self.planner = Some(planner);
        self
    }

    /// Programs of this shard.
    pub fn programs(&self) -> u64 {
        self.programs
    }

    /// Files of the corpus that are not programs, each with the reason.
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// Programs of the corpus with lines that end in `\r\n` or `\r`, which are read as `\n`.
    pub fn ends_rewritten(&self) -> u64 {
        self.ends_rewritten
    }

    /// Programs that an earlier session has done.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn done(&self) -> Result<u64, BuildError> {
        match &self.output {
            Some(output) if self.begin == Begin::Resume && output.begun().exists() => {
                let progress = Store::open(&output.store())?.progress()?;
                Ok(progress.map_or(0, |p| p.counts.programs.read))
            }
            Some(output) if self.begin == Begin::Resume && output.manifest().exists() => {
                Ok(self.programs)
            }
            _ => Ok(0),
        }
    }

    /// Makes the records, or the missing ones, and writes them to the output. Without a `pool`
    /// nothing is run. With a pool, planned records are verified.
    ///
    /// # Errors
    /// If the sandbox or the disk fails. Finished work is kept for a later session.
    pub fn run(
        &self,
        pool: Option<&Pool>,
        jobs: usize,
        tick: OnTick<'_>,
    ) -> Result<Report, BuildError> {
        let Some(output) = &self.output else {
            return self.write(pool, jobs, tick, &mut std::io::sink());
        };
        if self.begin == Begin::Force {
            output.discard()?;
        }
        if let Some(manifest) = output.finished()? {
            output.clean_up()?;
            return Ok(Report {
                identity: self.identity.clone(),
                counts: manifest.counts,
            });
        }
        output.begin(&self.identity)?;
        let store = Store::open(&output.store())?;
        let progress = self.make(pool, jobs, tick, &store, Sink::Files(output.parts()))?;
        let assembled = output.assemble(&store)?;
        let head = Head {
            identity: &self.identity,
            shards: &[self.identity.shard],
            counts: &progress.counts,
        };
        head.write(&output.manifest(), &store, assembled.as_ref())?;
        drop(store);
        output.clean_up()?;
        Ok(Report {
            identity: self.identity.clone(),
            counts: progress.counts,
        })
    }

    /// Makes the records and writes them as JSON Lines, batch by batch.
    ///
    /// # Errors
    /// The errors of [`Build::run`].
    pub fn write(
        &self,
        pool: Option<&Pool>,
        jobs: usize,
        tick: OnTick<'_>,
        out: &mut (dyn Write + Send),
    ) -> Result<Report, BuildError> {
        let place = tempfile::tempdir().map_err(io(&std::env::temp_dir()))?;
        let store = Store::open(&place.path().join("store"))?;
        let progress = self.make(pool, jobs, tick, &store, Sink::Lines(out))?;
        Ok(Report {
            identity: self.identity.clone(),
            counts: progress.counts,
        })
    }

    /// Puts the code that others have into the store, before the first batch.
    fn take_code(&self, store: &Store) -> Result<Progress, BuildError> {
        let mut codes = Vec::new();
        for file in &self.taken {
            for record in RecordReader::open(file)? {
                codes.extend(crate::code_hash::of(&record?.code).ok());
            }
        }
        let added = Additions {
            codes,
            ..Additions::default()
        };
        let progress = Progress {
            batches: 0,
            counts: Counts::new(&self.identity.settings.operators),
        };
        store.commit(&added, &progress)?;
        Ok(progress)
    }

    fn make<'a>(
        &self,
        pool: Option<&Pool>,
        jobs: usize,
        tick: OnTick<'_>,
        store: &'a Store,
        sink: Sink<'a>,
    ) -> Result<Progress, BuildError> {
        let settings = &self.identity.settings;
        let generator = FamilyGenerator {
            settings,
            mutator: settings.mutator()?,
            planner: match settings.run && settings.engine.plans() {
                true => Some(self.planner.as_deref().ok_or(BuildError::NoPlanner)?),
                false => None,
            },
            pool,
            store,
        };
        let mut begun = store.progress()?;
        if begun.is_none() && !self.taken.is_empty() {
            begun = Some(self.take_code(store)?);
        }
        let mut committer = Committer {
            store,
            sink,
            progress: begun.unwrap_or_else(|| Progress {
                batches: 0,
                counts: Counts::new(&settings.operators),
            }),
        };
        let shard = self.identity.shard;
        run::run(
            &self.corpus,
            shard,
            &generator,
            jobs.max(1),
            &mut committer,
            tick,
        )?;
        Ok(committer.progress)
    }
}
