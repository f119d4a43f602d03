//! Examples made while a network is trained on them: programs of a corpus are mutated, run in the
//! sandbox and tokenised on threads of their own, round by round, a few rounds ahead.
//!
//! A round is a fixed number of programs, drawn by seed, round and place in it; what it holds does not
//! depend on threads or on timing (but for programs that end at the very limit of time).

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use codexec_curriculum::{Example, ForeignError, RoundSource, fingerprint};
use codexec_data::examples::Kind;
use codexec_data::examples::build::{BuildConfig, mutants};
use codexec_data::sandbox::Pool;
use codexec_data::sources::CorpusProgram;
use codexec_data::tokenizer::Vocabulary;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::examples::Window;

/// The `[online]` table of a run's configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OnlineSettings {
    /// Programs of a round.
    pub programs: usize,
    /// Mutants of each.
    pub mutants: usize,
    /// Inputs tried with each.
    pub inputs: usize,
    /// Codes of the mutation operators; none stands for all.
    pub operators: Vec<String>,
    /// Rounds that are made ahead.
    pub ahead: u64,
}

impl Default for OnlineSettings {
    fn default() -> Self {
        Self {
            programs: 64,
            mutants: 20,
            inputs: 1,
            operators: Vec::new(),
            ahead: 3,
        }
    }
}

impl OnlineSettings {
    /// The first key that makes no sense.
    #[must_use]
    pub fn complaint(&self) -> Option<&'static str> {
        let counts = [
            ("programs", self.programs),
            ("mutants", self.mutants),
            ("inputs", self.inputs),
            ("ahead", self.ahead as usize),
        ];
        let zero = counts.into_iter().find(|(_, count)| *count == 0);
        zero.map(|(key, _)| key)
    }
}

/// What examples are made of and with.
pub struct ExampleGenerator {
    /// How much is made.
    pub settings: OnlineSettings,
    /// The programs.
    pub corpus: Vec<CorpusProgram>,
    /// Where they run.
    pub pool: Pool,
    /// What records become.
    pub window: Window,
    /// The words of examples.
    pub vocabulary: Vocabulary,
    /// Seed of every draw.
    pub seed: u64,
}

impl ExampleGenerator {
    /// The examples of one place in a round.
    fn make(&self, round: u64, place: usize) -> Result<Vec<Example>, ForeignError> {
        let seed = self.seed ^ round.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(place as u64);
        let program = &self.corpus[rng.random_range(0..self.corpus.len())];
        let config = BuildConfig {
            mutants: self.settings.mutants,
            operators: self.settings.operators.clone(),
            inputs: self.settings.inputs,
            // A word is one token at least.
            max_source_words: self.window.max_source,
            max_target_words: self.window.max_target,
            seed: rng.random(),
        };
        let mut made = Vec::new();
        for record in mutants(&self.pool, program, Kind::CodeNet, &config)? {
            made.extend(self.window.example(&record, &self.vocabulary)?);
        }
        Ok(made)
    }

    fn fingerprint(&self) -> String {
        let codes = self.corpus.iter().map(|program| program.code.as_str());
        let text = format!(
            "{:?}\n{:?}\n{}\n{}\n{}",
            self.settings,
            self.window,
            self.seed,
            self.vocabulary.to_json().unwrap_or_default(),
            codes.collect::<Vec<_>>().join("\0")
        );
        fingerprint(text.as_bytes())
    }
}

/// Rounds under way.
#[derive(Default)]
struct Bench {
    /// The round that is wanted or was last given; nothing is made before one is asked for.
    wanted: Option<u64>,
    /// The next place to be made.
    next: (u64, usize),
    /// Counts the times that another round than the next was asked for: what was made before then is
    /// of no use.
    turn: u64,
    made: BTreeMap<u64, Vec<Option<Vec<Example>>>>,
    failed: Option<String>,
    is_over: bool,
}

struct Shared {
    generator: ExampleGenerator,
    bench: Mutex<Bench>,
    changed: Condvar,
}

impl Shared {
    fn bench(&self) -> MutexGuard<'_, Bench> {
        self.bench.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, bench: MutexGuard<'a, Bench>) -> MutexGuard<'a, Bench> {
        let woken = self.changed.wait(bench);
        woken.unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes examples until it is over.
    fn work(&self) {
        let settings = &self.generator.settings;
        let mut bench = self.bench();
        loop {
            if bench.is_over || bench.failed.is_some() {
                return;
            }
            let limit = bench.wanted.map(|wanted| wanted + settings.ahead);
            if limit.is_none_or(|limit| bench.next.0 > limit) {
                bench = self.wait(bench);
                continue;
            }
            let ((round, place), turn) = (bench.next, bench.turn);
            bench.next = match place + 1 {
                next if next < settings.programs => (round, next),
                _ => (round + 1, 0),
            };
            drop(bench);
            let made = self.generator.make(round, place);
            bench = self.bench();
            match made {
                Ok(made) if bench.turn == turn => {
                    let places = bench.made.entry(round);
                    let places = places.or_insert_with(|| vec![None; settings.programs]);
                    places[place] = Some(made);
                }
                Ok(_) => {}
                Err(error) => bench.failed = Some(error.to_string()),
            }
            self.changed.notify_all();
        }
    }

    /// The examples of all places of a round, in order.
    fn round(&self, number: u64) -> Result<Vec<Example>, ForeignError> {
        let mut bench = self.bench();
        let follows = bench.wanted.is_some_and(|wanted| wanted + 1 == number);
        if !follows {
            bench.turn += 1;
            bench.next = (number, 0);
            bench.made.clear();
        }
        bench.wanted = Some(number);
        self.changed.notify_all();
        loop {
            if let Some(error) = &bench.failed {
                return Err(error.clone().into());
            }
            let places = bench.made.get(&number);
            if places.is_some_and(|places| places.iter().all(Option::is_some)) {
                let places = bench.made.remove(&number).unwrap_or_default();
                return Ok(places.into_iter().flatten().flatten().collect());
            }
            bench = self.wait(bench);
        }
    }
}

/// A data set that is made while it is used.
pub struct Online {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    fingerprint: String,
    /// The last round that was given, in case it is asked for again.
    last: Mutex<Option<(u64, Arc<Vec<Example>>)>>,
}

impl Online {
    /// Starts `threads` threads; they begin to work when the first round is asked for.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn new(generator: ExampleGenerator, threads: usize) -> std::io::Result<Self> {
        let mut online = Self {
            fingerprint: generator.fingerprint(),
            shared: Arc::new(Shared {
                generator,
                bench: Mutex::default(),
                changed: Condvar::new(),
            }),
            threads: Vec::new(),
            last: Mutex::default(),
        };
        for _ in 0..threads.max(1) {
            let shared = Arc::clone(&online.shared);
            let thread = std::thread::Builder::new().name("online".to_owned());
            online.threads.push(thread.spawn(move || shared.work())?);
        }
        Ok(online)
    }
}

impl RoundSource for Online {
    fn round(&self, number: u64) -> Result<Arc<Vec<Example>>, ForeignError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, examples)) = &*last
            && *of == number
        {
            return Ok(Arc::clone(examples));
        }
        let examples = Arc::new(self.shared.round(number)?);
        if examples.is_empty() {
            return Err(format!(
                "round {number}: none of {} programs gave an example that fits the window",
                self.shared.generator.settings.programs
            )
            .into());
        }
        *last = Some((number, Arc::clone(&examples)));
        Ok(examples)
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }
}

impl Drop for Online {
    fn drop(&mut self) {
        self.shared.bench().is_over = true;
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // A worker that panicked has nothing more to say here.
            let _ = thread.join();
        }
    }
}
