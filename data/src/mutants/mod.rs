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
//! A build that is killed goes on where it was: a batch is written, then noted, and what was not
//! noted is made again with the same bytes. Records depend on the corpus, the settings and the
//! versions of what makes them; not on the number of workers, nor on how busy the machine is, except
//! where a run comes so near to its limit of CPU time that the machine decides.

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

/// A build: a corpus, what to make of it, and where to put it.
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
    /// What an earlier session left of the same build is gone on with.
    Resume,
    /// What is there is replaced.
    Force,
}

/// What came of a build.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What was built.
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
        // Says now what would be wrong with every program.
        mutator.candidates("")?;
        Ok(mutator)
    }
}

impl Build {
    /// Reserves the output, reads the corpus once, and looks at what is there already: nothing is
    /// changed yet. Without an output the records are for [`Build::write`] alone.
    ///
    /// # Errors
    /// When the corpus cannot be read or is empty, when the settings name an operator that there is
    /// not, or when the output is in use: there already, begun otherwise, or written by another
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

    /// Code that records in these files have counts as a duplicate: for sets that must not share any.
    /// It has to be the same for every session.
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

    /// Files of the corpus that are no programs after all, each with the reason.
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
    /// When the store cannot be read.
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

    /// Makes the records, or what is missing of them, and puts them where they are to go; nothing is
    /// run where `pool` is none. Records that are planned are verified where there is a pool.
    ///
    /// # Errors
    /// When the sandbox or the disk fails. What is done until then is kept for a later session.
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
    /// Those of [`Build::run`].
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
