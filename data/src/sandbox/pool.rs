//! The pool of workers: who runs what, and what happens when a worker is lost.
//!
//! A worker sees one root or none. A program with a root is run by a worker that sees it, started if there is none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::SandboxError;
use super::attempt::{self, AttemptPlan, Attempted};
use super::guide::{self, GuidePlan, GuidedRun, Report};
use super::isolation::{Isolation, Layer, Missing};
use super::limits::Limits;
use super::packages::Packages;
use super::payload::{self, Decoded};
use super::python::Interpreter;
use super::start::Plan;
use super::worker::{Answer, Ended, Lost, Sharing, Worker};
use crate::sources::{below, normalise_newlines, plain_bytes, python_text};
use crate::trace::{Engine, Outcome, Program, SourceFile, Step, Trace};

/// Configuration of a pool.
#[derive(Debug, Clone, Default)]
pub struct PoolConfig {
    /// The interpreter; else `$CODEXEC_PYTHON`, else `python3` on the path.
    pub python: Option<PathBuf>,
    /// Maximum workers; 0 for one per core.
    pub workers: usize,
    /// Limits of one program.
    pub limits: Limits,
    /// Whether values have the numbers of the objects in their texts.
    pub references: bool,
    /// Installed packages that programs can import.
    pub packages: Packages,
    /// Run even where the machine lacks the minimum of isolation. Layers it has stay in force.
    pub unsafe_no_sandbox: bool,
    /// The binary that becomes the sandbox, whose `main` begins with [`launcher_hook`](super::launcher_hook); by
    /// default that of [`use_launcher`](super::use_launcher), else the running one.
    pub launcher: Option<PathBuf>,
}

/// Workers that run programs. Shared by reference between threads; a call waits if every worker is
/// busy.
pub struct Pool {
    workers: Mutex<Workers>,
    freed: Condvar,
    spawning: Sender<Wanted>,
    isolation: Isolation,
    most: usize,
    max_steps: u32,
    max_bytes: usize,
    modules: BTreeSet<String>,
    /// Directories whose files a trace may name, besides the root.
    places: Vec<PathBuf>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool")
            .field("isolation", &self.isolation)
            .field("workers", &self.most)
            .finish_non_exhaustive()
    }
}

/// A worker to be started: its root, and the waiting caller.
type Wanted = (Option<PathBuf>, Sender<Result<Worker, SandboxError>>);

struct Workers {
    idle: Vec<Worker>,
    /// Idle, at work, or being started.
    live: usize,
}

/// Programs handed to a worker together.
const BATCH: usize = 64;

/// A file in a worker can hold no more (`RLIMIT_FSIZE`): the program would read a part of it.
const LARGEST_STDIN: usize = 16 << 20;

fn fits(program: &Program) -> bool {
    program.stdin.as_deref().unwrap_or_default().len() <= LARGEST_STDIN
}

impl Pool {
    /// Finds the interpreter, and starts one worker to determine the isolation that the machine
    /// allows.
    pub fn new(config: PoolConfig) -> Result<Self, SandboxError> {
        Self::without_layers(config, &[])
    }

    /// The same without some layers: for tests of the fallbacks, and to find the layer that blocks
    /// a program.
    pub fn without_layers(config: PoolConfig, layers: &[Layer]) -> Result<Self, SandboxError> {
        let interpreter = Interpreter::find(config.python.as_deref(), &config.packages)?;
        let modules = interpreter.importable();
        let places = interpreter.directories().map(Path::to_owned).collect();
        let plan = Plan::new(&config, interpreter, layers)?;
        let (first, isolation, spawning) = start_spawner(plan)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            workers: Mutex::new(Workers {
                idle: vec![first],
                live: 1,
            }),
            freed: Condvar::new(),
            spawning,
            isolation,
            most: if config.workers == 0 {
                cores
            } else {
                config.workers
            },
            max_steps: config.limits.max_steps,
            max_bytes: config.limits.max_bytes,
            modules,
            places,
        })
    }

    /// The active layers and the Python.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Importable modules besides the standard library, by their names in package directories; imports
    /// are not tried.
    pub fn modules(&self) -> &BTreeSet<String> {
        &self.modules
    }

    /// Runs one program in its own child. The program's behaviour, death included, is in the trace;
    /// an error means that no program can be run. A program with more than 16 MiB of standard input
    /// is not run: its outcome is `killed`.
    pub fn run(&self, program: &Program) -> Result<Trace, SandboxError> {
        if !fits(program) {
            return Ok(self.refused(program));
        }
        // The machine may lose one worker; losing a second one is the program's fault.
        for _ in 0..2 {
            let mut trace = None;
            self.ask(&[program], Sharing::Apart, |answer| {
                trace = Some(self.trace(program, answer, true));
            })?;
            if let Some(trace) = trace {
                return Ok(trace);
            }
        }
        let mut trace = self.empty(program);
        trace.outcome = lost_twice();
        Ok(trace)
    }

    /// Runs an instrumented program in its own child with injected values, according to the plan;
    /// `program` is the original. Errors and the maximum standard input are as in [`Self::run`].
    pub fn guide(
        &self,
        program: &Program,
        instrumented: &str,
        plan: &GuidePlan,
    ) -> Result<GuidedRun, SandboxError> {
        let mut trace = if fits(program) {
            self.empty(program)
        } else {
            self.refused(program)
        };
        trace.engine = Engine::Guide;
        let request = guide::request(instrumented, plan, program);
        for _ in 0..if fits(program) { 2 } else { 0 } {
            let mut found = None;
            self.ask(&[&request], Sharing::Guided, |answer| found = Some(answer))?;
            if let Some((ended, payload)) = found {
                let decoded = payload::decode(&payload, self.max_steps);
                let report = fill(&mut trace, &ended, decoded, &self.places);
                trace.outcome = self.named(trace.outcome, &trace.steps);
                return Ok(GuidedRun::new(trace, report));
            }
            trace.outcome = lost_twice();
        }
        Ok(GuidedRun::new(trace, None))
    }

    /// Runs a program behind a prefix in its own child: the prefix first, in the same namespace.
    /// Errors and the maximum standard input are as in [`Self::run`].
    pub fn attempt(
        &self,
        program: &Program,
        prefix: &str,
        plan: &AttemptPlan,
    ) -> Result<Attempted, SandboxError> {
        if !fits(program) {
            return Ok(Attempted::new(self.refused(program).outcome, None, None));
        }
        let request = attempt::request(program, prefix, plan);
        for _ in 0..2 {
            let mut found = None;
            self.ask(&[&request], Sharing::WithPrefix, |answer| {
                found = Some(answer)
            })?;
            if let Some((ended, payload)) = found {
                let mut attempted = payload::decode_attempt(&payload);
                attempted.outcome = ended.outcome(attempted.outcome);
                return Ok(attempted);
            }
        }
        Ok(Attempted::new(lost_twice(), None, None))
    }

    /// Runs one program in a fresh worker: nothing of earlier programs is in its memory. Costs the
    /// start of an interpreter.
    pub fn run_fresh(&self, program: &Program) -> Result<Trace, SandboxError> {
        if !fits(program) {
            return Ok(self.refused(program));
        }
        let mut worker = self.spawn(program.root.as_deref())?;
        let mut answer = (Ended::NoResult, Vec::new());
        // A lost worker leaves no result.
        let _ = worker.ask(&[program], Sharing::Apart, |found| answer = found);
        Ok(self.trace(program, answer, true))
    }

    /// Runs programs that may share a child: they are isolated from the machine, not from each
    /// other, so they should be of one origin (a program and its mutants). Any abnormal end is
    /// rerun alone. One trace per program, in order, each as by [`Trace::short`], all of them in
    /// memory at the end; of the worker's output, one program's result at a time.
    pub fn run_family(&self, programs: &[Program]) -> Result<Vec<Trace>, SandboxError> {
        let mut traces = Vec::with_capacity(programs.len());
        for batch in programs.chunks(BATCH) {
            traces.extend(self.run_batch(batch, Sharing::Together)?);
        }
        Ok(traces)
    }

    /// The same for building data, where dropped runs should be cheap: a timeout in a shared child is
    /// not rerun, and has no steps. `led`: if the first one times out or dies, so would its derivatives;
    /// the others are not run, and there is one trace.
    pub fn run_brief(&self, programs: &[Program], led: bool) -> Result<Vec<Trace>, SandboxError> {
        let first = if led { Sharing::Led } else { Sharing::Brief };
        self.run_like(programs, first, Sharing::Brief)
    }

    /// The same if traces cut by a limit are useless: they have no steps, and are detected before
    /// anything is recorded. Too much output and too large a trace are not distinguished there. A
    /// program with too many steps ends so, whatever other limit it would hit on the way; a power of
    /// more than 2²² bits is a timeout at once.
    pub fn run_finishing(
        &self,
        programs: &[Program],
        led: bool,
    ) -> Result<Vec<Trace>, SandboxError> {
        let first = if led {
            Sharing::LedFinishing
        } else {
            Sharing::Finishing
        };
        self.run_like(programs, first, Sharing::Finishing)
    }

    fn run_like(
        &self,
        programs: &[Program],
        first: Sharing,
        later: Sharing,
    ) -> Result<Vec<Trace>, SandboxError> {
        let (head, rest) = programs.split_at(programs.len().min(BATCH));
        let mut traces = self.run_batch(head, first)?;
        if traces.len() == head.len() {
            for batch in rest.chunks(BATCH) {
                traces.extend(self.run_batch(batch, later)?);
            }
        }
        Ok(traces)
    }

    /// Traces of at most [`BATCH`] programs; of the first alone where the others were not run.
    fn run_batch(&self, batch: &[Program], sharing: Sharing) -> Result<Vec<Trace>, SandboxError> {
        let together = |program: &&Program| fits(program) && program.is_alone();
        let asked: Vec<&Program> = batch.iter().filter(together).collect();
        let mut found = Vec::with_capacity(asked.len());
        let mut stopped = false;
        let kept = !matches!(sharing, Sharing::Finishing | Sharing::LedFinishing);
        self.ask(&asked, sharing, |answer| {
            stopped |= answer.0 == Ended::NotRun;
            if !stopped {
                found.push(self.trace(asked[found.len()], answer, kept));
            }
        })?;
        let mut found = found.into_iter();
        let mut traces = Vec::with_capacity(batch.len());
        for program in batch {
            // Where the worker was lost, the programs without a trace run each by itself.
            let trace = together(&program).then(|| found.next()).flatten();
            if trace.is_none() && stopped {
                break;
            }
            let alone = || self.run(program).map(Trace::short);
            traces.push(trace.map_or_else(alone, Ok)?);
        }
        Ok(traces)
    }

    /// Fewer results than programs when the worker was lost over it.
    fn ask(
        &self,
        programs: &[&Program],
        sharing: Sharing,
        each: impl FnMut(Answer),
    ) -> Result<(), SandboxError> {
        let root = programs.first().and_then(|program| program.root.as_deref());
        let mut worker = self.acquire(root)?;
        match worker.ask(programs, sharing, each) {
            Ok(()) => {
                self.workers().idle.push(worker);
                self.freed.notify_one();
            }
            Err(Lost) => {
                drop(worker);
                self.forget_one();
            }
        }
        Ok(())
    }

    fn workers(&self) -> MutexGuard<'_, Workers> {
        // Nothing that can panic is done under the lock.
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget_one(&self) {
        self.workers().live -= 1;
        self.freed.notify_one();
    }

    /// A worker that sees a root, or none.
    fn acquire(&self, root: Option<&Path>) -> Result<Worker, SandboxError> {
        let mut workers = self.workers();
        loop {
            if let Some(at) = workers.idle.iter().rposition(|w| w.root() == root) {
                return Ok(workers.idle.swap_remove(at));
            }
            // One with another root makes room.
            let other = workers.idle.pop();
            if other.is_some() || workers.live < self.most {
                workers.live += usize::from(other.is_none());
                drop(workers);
                drop(other);
                return self.spawn(root).inspect_err(|_| self.forget_one());
            }
            workers = self
                .freed
                .wait(workers)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn spawn(&self, root: Option<&Path>) -> Result<Worker, SandboxError> {
        if let Some(root) = root.filter(|root| root.parent().is_none()) {
            return Err(SandboxError::UnsuitableRoot {
                path: root.to_owned(),
                why: "it holds everything".to_owned(),
            });
        }
        let gone = || SandboxError::Worker {
            why: "the thread that starts workers is gone".to_owned(),
        };
        let (reply, answer) = channel();
        let wanted = (root.map(Path::to_owned), reply);
        self.spawning.send(wanted).map_err(|_| gone())?;
        let worker = answer.recv().map_err(|_| gone())?;
        worker.map_err(|error| match (root, error) {
            (Some(root), SandboxError::Worker { why }) => SandboxError::UnsuitableRoot {
                path: root.to_owned(),
                why,
            },
            (_, error) => error,
        })
    }

    fn empty(&self, program: &Program) -> Trace {
        let mut trace = Trace::new(Engine::Run, program.clone());
        trace.python = Some(self.isolation.version.clone());
        trace
    }

    fn refused(&self, program: &Program) -> Trace {
        let mut trace = self.empty(program);
        trace.outcome = Outcome::Killed {
            why: format!("standard input of more than {LARGEST_STDIN} bytes"),
        };
        trace
    }

    /// The trace of an answer. `kept`: with its steps, for any outcome.
    fn trace(&self, program: &Program, (ended, payload): Answer, kept: bool) -> Trace {
        let mut trace = self.empty(program);
        let decoded = payload::decode(&payload, self.max_steps);
        fill(&mut trace, &ended, decoded, &self.places);
        if kept {
            trace.outcome = self.named(trace.outcome, &trace.steps);
        }
        trace
    }

    /// The tracer has one limit for all text: it is the output limit if most of the text was printed.
    fn named(&self, outcome: Outcome, steps: &[Step]) -> Outcome {
        let printed: usize = steps.iter().map(|step| step.output.len()).sum();
        match outcome {
            Outcome::OutputLimit if printed <= self.max_bytes / 2 => Outcome::TraceLimit,
            outcome => outcome,
        }
    }
}

/// Adds a payload to a trace. Returns the report of a guided program.
fn fill(trace: &mut Trace, ended: &Ended, decoded: Decoded, places: &[PathBuf]) -> Option<Report> {
    trace.steps = decoded.steps;
    trace.outcome = ended.outcome(decoded.outcome);
    if matches!(trace.outcome, Outcome::Raised { .. }) {
        trace.causes = decoded.causes;
    }
    name_files(trace, decoded.paths, places);
    decoded.report
}

/// Names the files of a trace, the entry first, with their texts; the entry's path becomes its number.
fn name_files(trace: &mut Trace, paths: Vec<String>, places: &[PathBuf]) {
    let (Some(root), Some(file)) = (&trace.program.root, trace.program.file()) else {
        return;
    };
    let entry = file.strip_prefix(root).unwrap_or(&file);
    let entry = entry.display().to_string();
    if paths.is_empty() {
        return;
    }
    let mut files = vec![SourceFile {
        path: entry.clone(),
        source: None,
    }];
    let mut numbers = vec![0];
    for path in paths {
        if path == entry {
            numbers.push(0);
            continue;
        }
        numbers.push(files.len() as u32);
        let mut roots = std::iter::once(root).chain(places);
        let source = roots.find_map(|root| text_of(root, &path));
        files.push(SourceFile { path, source });
    }
    let number = |file: u32| numbers.get(file as usize).copied().unwrap_or(0);
    for step in &mut trace.steps {
        step.file = number(step.file);
    }
    if let Outcome::Raised { file, .. } = &mut trace.outcome {
        *file = number(*file);
    }
    trace.files = files;
}

/// The text of a file that a payload names: it may name anything.
fn text_of(root: &Path, path: &str) -> Option<String> {
    let bytes = plain_bytes(&below(root, Path::new(path))?).ok()?;
    python_text(bytes).ok().map(normalise_newlines)
}

impl Ended {
    /// The outcome of a program with `outcome` in its payload.
    fn outcome(&self, outcome: Outcome) -> Outcome {
        match self {
            Self::Payload => outcome,
            Self::Timeout => Outcome::Timeout,
            Self::Signal(number) => Outcome::Killed {
                why: format!("signal {number}"),
            },
            Self::NoResult | Self::NotRun => payload::no_valid_result(),
        }
    }
}

fn lost_twice() -> Outcome {
    Outcome::Killed {
        why: "its sandbox died with it, twice".to_owned(),
    }
}

type Spawner = (Worker, Isolation, Sender<Wanted>);

/// The thread that starts every worker of a pool and lives as long as it: the kernel kills a worker
/// when the thread that started it ends, and callers' threads come and go.
fn start_spawner(plan: Plan) -> Result<Spawner, SandboxError> {
    let (spawning, requests) = channel::<Wanted>();
    let (opened, opening) = channel();
    let said = |e: std::io::Error| SandboxError::Worker { why: e.to_string() };
    std::thread::Builder::new()
        .name("sandbox".to_owned())
        .spawn(move || {
            let mut plan = match first_worker(plan) {
                Ok((worker, isolation, plan)) => {
                    if opened.send(Ok((worker, isolation))).is_err() {
                        return;
                    }
                    plan
                }
                Err(error) => {
                    // The requesting pool may be gone; then there is nobody to notify.
                    let _ = opened.send(Err(error));
                    return;
                }
            };
            for (root, reply) in requests {
                plan.root = root;
                // As above.
                let _ = reply.send(Worker::start(&plan).map(|(worker, _)| worker));
            }
        })
        .map_err(said)?;
    let first = opening
        .recv()
        .map_err(|e| SandboxError::Worker { why: e.to_string() })?;
    let (worker, isolation) = first?;
    Ok((worker, isolation, spawning))
}

/// Starts a worker with every layer. If that fails for another reason than too little isolation,
/// tries once more without layers that are known to exist but fail on some machines.
fn first_worker(mut plan: Plan) -> Result<(Worker, Isolation, Plan), SandboxError> {
    match Worker::start(&plan) {
        Ok((worker, isolation)) => Ok((worker, isolation, plan)),
        Err(SandboxError::Worker { why }) => {
            for layer in [Layer::Namespaces, Layer::FileTree] {
                plan.without.push(Missing {
                    layer,
                    why: why.clone(),
                });
            }
            let (worker, isolation) = Worker::start(&plan)?;
            Ok((worker, isolation, plan))
        }
        Err(error) => Err(error),
    }
}
