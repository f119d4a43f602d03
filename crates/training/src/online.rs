//! Examples generated while a network is trained on them: programs of a corpus are mutated, statements get values,
//! programs are generated, or functions recombined; they are traced and tokenised on separate threads, round by round,
//! a few rounds ahead.
//!
//! A round is a fixed number of places, drawn by seed, round and place; the examples do not depend on threads or on
//! timing (except for programs at the very limit of time). With a [`History`] an example from an earlier round is left
//! out.

mod history;

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use codexec_curriculum::{Example, ForeignError, RoundSource, Tally, fingerprint};
use codexec_data::examples::build::{BuildConfig, mutants};
use codexec_data::examples::single_line::Statements;
use codexec_data::examples::trace::record;
use codexec_data::examples::tracer::Tracer;
use codexec_data::examples::{Kind, Record};
use codexec_data::generated::{Shape, Written};
use codexec_data::records::FINISHED;
use codexec_data::sources::CorpusProgram;
use codexec_data::tokenizer::Vocabulary;
use codexec_data::trace::Program;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::examples::Window;

use history::Keyed;
pub use history::{History, source_hash};

/// The `[online]` table of a run's configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OnlineSettings {
    /// Programs per round; for statements this many times 64 with their values.
    pub programs: usize,
    /// Mutants of each.
    pub mutants: usize,
    /// Inputs tried with each.
    pub inputs: usize,
    /// Codes of the mutation operators; empty for all.
    pub operators: Vec<String>,
    /// Rounds that are made ahead.
    pub ahead: u64,
    /// Sizes of generated programs.
    pub generated: Shape,
}

impl Default for OnlineSettings {
    fn default() -> Self {
        Self {
            programs: 64,
            mutants: 20,
            inputs: 1,
            operators: Vec::new(),
            ahead: 3,
            generated: Shape::default(),
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
        let zero = zero.map(|(key, _)| key);
        zero.or_else(|| self.generated.complaint())
    }
}

/// Sources of examples.
pub enum Material {
    /// Programs, which are mutated, and the task that they belong to.
    Programs(Vec<CorpusProgram>, Kind),
    /// Statements, which get values.
    Statements(Statements),
    /// Programs that are written here.
    Written(Written),
}

/// Maximum share of a place's statements that end in an exception.
const RAISING: f64 = 0.15;

/// Sources and settings of examples.
pub struct ExampleGenerator {
    /// The amounts.
    pub settings: OnlineSettings,
    /// The source.
    pub material: Material,
    /// The tracer of programs.
    pub tracer: Box<dyn Tracer>,
    /// Its name: another one produces other examples.
    pub engine: &'static str,
    /// The form of examples.
    pub window: Window,
    /// The words of examples.
    pub vocabulary: Vocabulary,
    /// Seed of every draw.
    pub seed: u64,
}

impl ExampleGenerator {
    /// The examples of one place in a round.
    fn make(&self, round: u64, place: usize) -> Result<Vec<Keyed>, ForeignError> {
        let seed = self.seed ^ round.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(place as u64);
        let (program, kind) = match &self.material {
            Material::Programs(corpus, kind) => (&corpus[rng.random_range(0..corpus.len())], *kind),
            Material::Statements(statements) => {
                let made = statements.examples(self.tracer.as_ref(), RAISING, rng.random())?;
                return self.encoded(made.iter());
            }
            Material::Written(written) => return self.written(written, &mut rng),
        };
        let config = BuildConfig {
            mutants: self.settings.mutants,
            operators: self.settings.operators.clone(),
            inputs: self.settings.inputs,
            // A word is at least one token.
            max_source_words: self.window.max_source,
            max_target_words: self.window.max_target,
            seed: rng.random(),
        };
        self.encoded(mutants(self.tracer.as_ref(), program, kind, &config)?.iter())
    }

    /// Programs generated here, as many as mutants of one.
    fn written(&self, written: &Written, rng: &mut ChaCha8Rng) -> Result<Vec<Keyed>, ForeignError> {
        let shape = &self.settings.generated;
        let seeds = (0..self.settings.mutants).map(|_| rng.random());
        let sources = seeds.filter_map(|seed| written.program(shape, seed));
        let programs = sources.map(|source| Program {
            source: Some(source),
            ..Program::default()
        });
        let programs: Vec<Program> = programs.collect();
        let (nobody, [least, most]) = (CorpusProgram::default(), shape.steps);
        let (mut made, mut raised) = (Vec::new(), 0);
        for trace in self.tracer.traces(&programs)?.into_iter().flatten() {
            let steps = trace.steps.len();
            let found = record(&trace, &nobody, Vec::new(), Kind::CodeNet, 0);
            let found = found.filter(|_| (least..=most).contains(&steps));
            let Some(record) = found.filter(|one| !one.trace_tokens.contains("0 x 7 f")) else {
                continue;
            };
            if record.outcome != FINISHED {
                raised += 1;
                if f64::from(raised) > (RAISING * (made.len() + 1) as f64).max(1.0) {
                    continue;
                }
            }
            let key = written.key(&record.code);
            let example = self.window.example(&record, &self.vocabulary)?;
            made.extend(example.map(|example| Keyed::new(example, Some(key))));
        }
        Ok(made)
    }

    /// The records that fit the window, in token ids.
    fn encoded<'r>(
        &self,
        records: impl Iterator<Item = &'r Record>,
    ) -> Result<Vec<Keyed>, ForeignError> {
        let mut made = Vec::new();
        for record in records {
            let example = self.window.example(record, &self.vocabulary)?;
            made.extend(example.map(|example| Keyed::new(example, None)));
        }
        Ok(made)
    }

    fn fingerprint(&self) -> String {
        let material = match &self.material {
            Material::Programs(corpus, kind) => {
                let codes = corpus.iter().map(|program| program.code.as_str());
                format!("{kind:?}\n{}", codes.collect::<Vec<_>>().join("\0"))
            }
            Material::Statements(statements) => format!("{statements:?}"),
            Material::Written(written) => format!("{written:?}"),
        };
        let text = format!(
            "{:?}\n{:?}\n{}\n{}\n{}\n{material}",
            self.settings,
            self.window,
            self.seed,
            self.engine,
            self.vocabulary.to_json().unwrap_or_default(),
        );
        fingerprint(text.as_bytes())
    }
}

/// Rounds under way.
#[derive(Default)]
struct Bench {
    /// The round in demand or last returned; nothing is made before the first request.
    wanted: Option<u64>,
    /// The next place to be made.
    next: (u64, usize),
    /// Counts requests for another round than the next, which discard earlier results.
    turn: u64,
    made: BTreeMap<u64, Vec<Option<Vec<Keyed>>>>,
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

    /// The examples of all places of a round, in order, and whether training had to wait for them.
    fn round(&self, number: u64) -> Result<(Vec<Keyed>, bool), ForeignError> {
        let mut bench = self.bench();
        let follows = bench.wanted.is_some_and(|wanted| wanted + 1 == number);
        if !follows {
            bench.turn += 1;
            bench.next = (number, 0);
            bench.made.clear();
        }
        bench.wanted = Some(number);
        self.changed.notify_all();
        let mut has_waited = false;
        loop {
            if let Some(error) = &bench.failed {
                return Err(error.clone().into());
            }
            let places = bench.made.get(&number);
            if places.is_some_and(|places| places.iter().all(Option::is_some)) {
                let places = bench.made.remove(&number).unwrap_or_default();
                let examples = places.into_iter().flatten().flatten().collect();
                return Ok((examples, has_waited));
            }
            has_waited = true;
            bench = self.wait(bench);
        }
    }
}

/// A data set generated while it is used.
pub struct Online {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    fingerprint: String,
    given: Mutex<Given>,
}

/// The examples returned so far.
#[derive(Default)]
struct Given {
    /// The last round, for repeated requests.
    last: Option<(u64, Arc<Vec<Example>>)>,
    /// The record against repetition. `None` if examples may repeat.
    history: Option<History>,
    tally: Tally,
}

impl Online {
    /// Starts `threads` threads; they begin to work at the first request for a round.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn new(generator: ExampleGenerator, threads: usize) -> std::io::Result<Self> {
        let mut online = Self {
            fingerprint: generator.fingerprint(),
            shared: Arc::new(Shared {
                generator,
                bench: Mutex::default(),
                changed: Condvar::new(),
            }),
            threads: Vec::new(),
            given: Mutex::default(),
        };
        for _ in 0..threads.max(1) {
            let shared = Arc::clone(&online.shared);
            let thread = std::thread::Builder::new().name("online".to_owned());
            online.threads.push(thread.spawn(move || shared.work())?);
        }
        Ok(online)
    }

    /// Returns only examples unknown to a history, each once.
    #[must_use]
    pub fn never_repeating(self, history: History) -> Self {
        self.given().history = Some(history);
        self
    }

    fn given(&self) -> MutexGuard<'_, Given> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RoundSource for Online {
    fn round(&self, number: u64) -> Result<Arc<Vec<Example>>, ForeignError> {
        let mut given = self.given();
        if let Some((of, examples)) = &given.last
            && *of == number
        {
            return Ok(Arc::clone(examples));
        }
        let (made, has_waited) = self.shared.round(number)?;
        let examples = match &mut given.history {
            Some(history) => history.fresh(number, made)?,
            None => made.into_iter().map(|one| one.example).collect(),
        };
        if examples.is_empty() {
            return Err(format!(
                "round {number}: none of {} programs gave an example that is new and fits the window",
                self.shared.generator.settings.programs
            )
            .into());
        }
        let count = examples.len() as u64;
        let counts = given.history.as_ref().map(History::counts);
        let tally = &mut given.tally;
        (tally.fresh, tally.repeated) = counts.unwrap_or((tally.fresh + count, 0));
        tally.rounds += 1;
        tally.waited += u64::from(has_waited);
        tally.waited_for += if has_waited { count } else { 0 };
        let examples = Arc::new(examples);
        given.last = Some((number, Arc::clone(&examples)));
        Ok(examples)
    }

    fn tally(&self) -> Tally {
        self.given().tally
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
            // A worker that panicked has nothing more to report.
            let _ = thread.join();
        }
    }
}
