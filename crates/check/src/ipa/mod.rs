//! The Exception IPA-GNN: a network that walks a program's control flow with a soft instruction pointer, and
//! predicts the probability that the program raises, what, and on which line ("Static Prediction of Runtime
//! Errors by Learning to Execute Programs with External Resource Descriptions", Bieber et al. 2022).
//!
//! | module | what |
//! |---|---|
//! | [`graph`] | the statement-level control-flow graph |
//! | [`program`] | a program as token ids and numbers |
//! | `network` | encoder, recurrence ([`codexec_model::ops::Execution`]), probabilities |
//! | `mil` | statements that judge by themselves, for comparison |
//! | [`config`] | settings, and the tensors they call for |
//! | [`kinds`] | what is told apart |
//! | [`scores`] | accuracy, F1, localisation |
//! | [`heat_map`] | the instruction pointer over time as a heat map |
//!
//! Training is in the crate `codexec-training`. Nothing here runs a program.

mod batch;
mod build;
mod calls;
pub mod config;
pub mod graph;
mod heat_map;
pub mod kinds;
mod localise;
mod mil;
mod network;
pub mod program;
pub mod scores;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use candle_core::{DType, Device};
use candle_nn::VarBuilder;
use codexec_data::tokenizer::{Vocabulary, VocabularyError};

pub use config::{Architecture, Description, IpaConfig, IpaSettings, MilPooling, Scope};
pub use heat_map::{HeatMap, HeatRow, heat_map};
pub use kinds::{KINDS, NO_ERROR};
pub use network::Network;
pub use program::{Program, ProgramError};

use codexec_model::error::{Error, Result};
use codexec_model::weights::Weights;
use codexec_model::{ModelConfig, load};

/// Maximum programs, and nodes in total, computed together.
const PROGRAMS: usize = 16;
const NODES: usize = 4096;

/// A program to be judged.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// Its text.
    pub source: &'a str,
    /// Description of its input.
    pub description: Option<&'a str>,
}

/// The prediction for a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The probability that it raises.
    pub error: f32,
    /// The probability of each of [`KINDS`]; they sum to one.
    pub kinds: Vec<f32>,
    /// Lines and the probability that an error is raised there, most probable first; their sum is the
    /// probability that it raises. Empty if the network does not localise.
    pub lines: Vec<(u32, f32)>,
    /// The instruction pointer, if requested.
    pub pointer: Option<Pointer>,
}

/// A row of [`Pointer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointerNode {
    /// The line of a node, 1-based.
    pub line: u32,
    /// For nodes that are not statements: `input` (the description), `exit`, `error`.
    pub name: Option<&'static str>,
}

/// The instruction pointer at each step.
#[derive(Debug, Clone, PartialEq)]
pub struct Pointer {
    /// Nodes, in the order of the source.
    pub nodes: Vec<PointerNode>,
    /// The mass at each node, by step; each sums to one.
    pub steps: Vec<Vec<f32>>,
}

/// A trained network with its vocabulary.
pub struct IpaModel {
    network: Network,
    vocabulary: Vocabulary,
}

impl IpaModel {
    /// Opens a directory that `codexec pretrain` wrote.
    ///
    /// # Errors
    /// Names the file, the cause and what to do; see [`Error`].
    pub fn open(directory: &Path) -> Result<Self> {
        let name = directory.display().to_string();
        let directory = load::locate(&name)?;
        let config = load::read_config(&directory)?;
        let tokenizer = load::read_tokenizer(&directory)?;
        let weights = load::read_weights(&directory)?;
        Self::assemble(&name, config, Vocabulary::for_sources(tokenizer), &weights)
    }

    /// From the bytes of the files of a checkpoint.
    ///
    /// # Errors
    /// As [`IpaModel::open`], `name` standing for the directory.
    pub fn from_bytes(name: &str, config: &[u8], tokenizer: &[u8], bytes: &[u8]) -> Result<Self> {
        let file = |file: &str| format!("{name}: {file}");
        let config = ModelConfig::from_json(config, &file("config.json"))?;
        let mut weights = Weights::new(file("model.safetensors"));
        weights.add_safetensors(bytes, &file("model.safetensors"))?;
        Self::assemble(name, config, Vocabulary::from_json(tokenizer), &weights)
    }

    fn assemble(
        name: &str,
        config: ModelConfig,
        vocabulary: std::result::Result<Vocabulary, VocabularyError>,
        weights: &Weights,
    ) -> Result<Self> {
        let file = format!("{name}: config.json");
        let config = IpaConfig::of(config, &file)?;
        let vocabulary = vocabulary.map_err(|error| Error::Tokenizer {
            file: format!("{name}: tokenizer.json"),
            cause: error.to_string(),
        })?;
        let (has, tokens) = (config.encoder.vocab_size, vocabulary.size());
        if tokens > has {
            let cause = format!("vocab_size is {has}, tokenizer.json has {tokens} tokens");
            return Err(Error::Config { file, cause });
        }
        let tensors = weights.select_named(config.tensors(), &Device::Cpu, DType::F32)?;
        let vb = VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu);
        Ok(Self {
            network: Network::new(&config, vb)?,
            vocabulary,
        })
    }

    /// Sizes and settings.
    #[must_use]
    pub fn config(&self) -> &IpaConfig {
        self.network.config()
    }

    /// Judges programs, on `threads` threads; with `pointer`, also returns the instruction pointer. The
    /// results have the order of the queries. An unreadable program has its error in its place.
    ///
    /// # Errors
    /// Where tensors cannot be made, or threads not started.
    pub fn predict(
        &self,
        queries: &[Query<'_>],
        pointer: bool,
        threads: usize,
    ) -> Result<Vec<std::result::Result<Prediction, ProgramError>>> {
        let read = |query: &Query<'_>| {
            Program::read(
                query.source,
                query.description,
                self.config(),
                &self.vocabulary,
            )
        };
        let mut found: Vec<Option<std::result::Result<Prediction, ProgramError>>> = Vec::new();
        found.resize_with(queries.len(), || None);
        let found = Mutex::new(found);
        let put = |at: usize, result| {
            let mut found = found
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            found[at] = Some(result);
        };
        // Programs of like sizes together.
        let mut order: Vec<usize> = (0..queries.len()).collect();
        order.sort_by_key(|at| (queries[*at].source.len(), *at));
        let chunks: Vec<&[usize]> = order.chunks(PROGRAMS).collect();
        let next = AtomicUsize::new(0);
        let work = || -> Result<()> {
            while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut programs = Vec::with_capacity(chunk.len());
                for at in *chunk {
                    match read(&queries[*at]) {
                        Ok(program) => programs.push((*at, program)),
                        Err(error) => put(*at, Err(error)),
                    }
                }
                while !programs.is_empty() {
                    let mut sum = 0;
                    let fits = |(_, program): &&(usize, Program)| {
                        sum += program.nodes.len();
                        sum <= NODES
                    };
                    let count = programs.iter().take_while(fits).count().max(1);
                    let some: Vec<(usize, Program)> = programs.drain(..count).collect();
                    let judged: Vec<&Program> = some.iter().map(|(_, program)| program).collect();
                    let predictions = self.network.predict(&judged, pointer)?;
                    for ((at, _), prediction) in some.iter().zip(predictions) {
                        put(*at, Ok(prediction));
                    }
                }
            }
            Ok(())
        };
        // One pool per thread keeps the products of a batch on it.
        let one = || -> Result<()> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
            let pool = pool.map_err(|error| Error::Threads(error.to_string()))?;
            pool.install(work)
        };
        let count = threads.clamp(1, chunks.len().max(1));
        std::thread::scope(|scope| -> Result<()> {
            let workers: Vec<_> = (0..count).map(|_| scope.spawn(one)).collect();
            for worker in workers {
                let ended = worker.join();
                ended.unwrap_or_else(|_| Err(Error::Threads("a thread broke off".to_owned())))?;
            }
            Ok(())
        })?;
        let found = found
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(found.into_iter().flatten().collect())
    }
}
