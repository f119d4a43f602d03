//! Traces of many programs: handed on in the order of the programs, each as soon as it and all before it are there.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use codexec::engine::{Answered, Engines, Question, Row, Settings};
use codexec_data::trace::Program;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::ThreadPool;

use crate::errors::{CodexecError, raised, unexpected};
use crate::request::{Asked, Options};
use crate::trace::Trace;
use crate::tracing::open;
use crate::waiting::{BEAT, Given, pool, threads};

/// Programs whose questions are sent to a network together.
const TOGETHER: usize = 64;
/// Programs that are begun before the first of them is taken, at least, and for each worker.
const AHEAD: (usize, usize) = (64, 4);

/// Programs and traces on their way.
#[derive(Default)]
struct Way {
    /// Programs that no worker has taken, with their numbers.
    waiting: VecDeque<(usize, Program)>,
    /// Traces that were not handed on.
    ready: BTreeMap<usize, Result<Answered, Trouble>>,
    /// Running workers.
    workers: usize,
    /// Numbers of the next program, and of the next trace to hand on.
    next: (usize, usize),
}

/// Why a program has no trace, nor have those behind it.
enum Trouble {
    Failed(codexec::Failure),
    Panicked,
}

/// State shared by the workers.
struct Shared {
    row: &'static Row,
    settings: Settings,
    /// Programs that a worker takes at once.
    together: usize,
    given: Given,
    engines: Mutex<Option<Arc<Engines>>>,
    way: Mutex<Way>,
    /// Rings when a trace is ready.
    bell: Condvar,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn tell(&self, number: usize, told: Result<Answered, Trouble>) {
        locked(&self.way).ready.insert(number, told);
        self.bell.notify_all();
    }

    /// Takes programs while there are any.
    fn work(&self) {
        loop {
            let taken: Vec<(usize, Program)> = {
                let mut way = locked(&self.way);
                let count = way.waiting.len().min(self.together);
                if count == 0 || self.given.up() {
                    way.workers -= 1;
                    return;
                }
                way.waiting.drain(..count).collect()
            };
            let first = taken.first().map_or(0, |(number, _)| *number);
            let programs: Vec<Program> = taken.into_iter().map(|(_, program)| program).collect();
            let mut next = first;
            let answered = catch_unwind(AssertUnwindSafe(|| self.answer(&programs, &mut next)));
            let trouble = match answered {
                Ok(Ok(())) => continue,
                Ok(Err(failure)) => Trouble::Failed(failure),
                Err(_) => Trouble::Panicked,
            };
            self.tell(next, Err(trouble));
        }
    }

    /// Answers programs; `next` is the number of the next one.
    fn answer(&self, programs: &[Program], next: &mut usize) -> Result<(), codexec::Failure> {
        let engines = {
            // One worker opens them, the others wait for it.
            let mut engines = locked(&self.engines);
            match &*engines {
                Some(engines) => Arc::clone(engines),
                None => Arc::clone(engines.insert(open(self.row, &self.settings)?)),
            }
        };
        let Some(engine) = engines.first() else {
            return Ok(());
        };
        engine.answer(&Question::of(programs), &mut |program, answer| {
            let answered = answer.unwrap_or_else(|why| why.trace(self.row, program));
            self.tell(*next, Ok(answered));
            *next += 1;
            match self.given.up() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        Ok(())
    }
}

/// Traces programs as they are added, and returns the traces in the same order.
#[pyclass(frozen, module = "codexec._codexec")]
pub(crate) struct TraceStream {
    shared: Arc<Shared>,
    threads: usize,
    /// Made for the first program; the process that has its threads.
    pool: Mutex<Option<(ThreadPool, u32)>>,
}

#[pymethods]
impl TraceStream {
    #[new]
    fn new(options: Options) -> PyResult<Self> {
        let threads = threads(options.workers());
        let settings = Settings {
            goes_on: true,
            ..options.settings(threads)?
        };
        Ok(Self {
            shared: Arc::new(Shared {
                row: options.row()?,
                settings,
                together: match options.asks_network() {
                    true => TOGETHER,
                    false => 1,
                },
                given: Given::default(),
                engines: Mutex::default(),
                way: Mutex::default(),
                bell: Condvar::new(),
            }),
            threads,
            pool: Mutex::default(),
        })
    }

    /// Maximum programs in progress: enough to keep all workers busy beside a slow one.
    #[getter]
    fn most(&self) -> usize {
        AHEAD.0.max(AHEAD.1 * self.threads)
    }

    /// Begins a program.
    fn put(&self, program: Asked) -> PyResult<()> {
        let mut own = locked(&self.pool);
        if own.is_none() {
            *own = Some((pool(self.threads, &self.shared.given)?, std::process::id()));
        }
        let Some((pool, process)) = &*own else {
            return Ok(());
        };
        check_process(*process)?;
        let mut way = locked(&self.shared.way);
        let number = way.next.0;
        way.next.0 += 1;
        way.waiting.push_back((number, program.into()));
        // One worker queries the network for all that are waiting.
        let most = match self.shared.together {
            1 => self.threads,
            _ => 1,
        };
        if way.workers < most {
            way.workers += 1;
            let shared = Arc::clone(&self.shared);
            pool.spawn(move || shared.work());
        }
        Ok(())
    }

    /// Whether `get` has a trace ready.
    fn is_ready(&self) -> bool {
        let way = locked(&self.shared.way);
        way.ready.contains_key(&way.next.1)
    }

    /// The next trace, when it is there.
    ///
    /// # Errors
    /// If no program is left, none can be answered, or a signal handler raises.
    fn get(&self, py: Python<'_>) -> PyResult<Trace> {
        if let Some((_, process)) = &*locked(&self.pool) {
            check_process(*process)?;
        }
        let shared = &self.shared;
        loop {
            let told = py.detach(|| {
                let mut way = locked(&shared.way);
                let (put, wanted) = way.next;
                if wanted == put {
                    return Err(PyValueError::new_err("no program is left"));
                }
                if !way.ready.contains_key(&wanted) {
                    let waited = shared.bell.wait_timeout(way, BEAT);
                    (way, _) = waited.unwrap_or_else(PoisonError::into_inner);
                }
                let told = way.ready.remove(&wanted);
                way.next.1 += usize::from(told.is_some());
                Ok(told)
            });
            match told? {
                Some(Ok(answered)) => return Ok(Trace::of(answered, shared.row.name)),
                Some(Err(trouble)) => {
                    self.close();
                    return Err(match trouble {
                        Trouble::Failed(failure) => raised(failure),
                        Trouble::Panicked => unexpected(&"the work ended without a result"),
                    });
                }
                None => {}
            }
            py.check_signals().inspect_err(|_| self.close())?;
        }
    }

    /// Stops running work; finished results are dropped.
    fn close(&self) {
        self.shared.given.give_up();
        let mut way = locked(&self.shared.way);
        way.waiting.clear();
        way.ready.clear();
    }
}

impl Drop for TraceStream {
    fn drop(&mut self) {
        self.close();
    }
}

/// Threads are of the process that made them.
fn check_process(made_by: u32) -> PyResult<()> {
    match std::process::id() == made_by {
        true => Ok(()),
        false => Err(CodexecError::new_err(
            "the process was forked since trace_many began; begin it again here",
        )),
    }
}
