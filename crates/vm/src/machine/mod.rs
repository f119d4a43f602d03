//! The machine: frames, a heap, and the instructions of CPython 3.11.
//!
//! It stops at every operation that it does not execute itself ([`Machine::wanted`]);
//! [`Machine::go_on`] continues it. All of its state is data, so that it can be copied (for several
//! worlds) and driven beside others (so that questions of many programs are asked together).
//!
//! Functions that call back (`map`, `sorted(key=…)`, `any` over a generator), and much of the
//! standard library, are Python code in `lib/`, compiled like the program and executed in frames
//! that are not traced.
//!
//! | folder | contents |
//! |---|---|
//! | `eval` | instructions: the loop, operators, names, iteration, exceptions, generators |
//! | `calls` | parameters, builtin functions, refusals |
//! | `classes` | classes and attributes |
//! | `objects` | methods and operators of builtin values |
//! | `stdlib` | functions that the runtime calls, by module |
//! | `ask`, `embed` | stopping at an operation, and continuing with its value |
//! | `globals`, `import`, `frozen`, `snapshot` | names, modules, library files, initial state |
//!
//! Folding (`crate::fold`), the text of values (`crate::text`) and answers are elsewhere.

mod ask;
mod assumed;
mod budget;
mod calls;
mod classes;
mod depth;
mod either_way;
mod embed;
mod eval;
mod finalisers;
mod from_source;
mod frozen;
mod gc;
mod globals;
mod import;
mod library_modules;
mod objects;
mod project;
mod raises;
mod record;
mod runtime;
mod skip;
mod snapshot;
mod stand_ins;
mod starts;
mod stdlib;
mod sys_modules;
mod tables;
pub(crate) mod unknown;

use std::sync::Arc;
use std::time::Duration;

use codexec_trace::{Cause, Engine, Origin, Outcome, Program, SourceFile, Trace};

use self::project::Import;
use self::starts::Package;
use crate::code::Code;
use crate::compile::{CompileError, compile, compile_body};
use crate::value::{Heap, ObjectId, Value};

pub use ask::Ask;
pub use assumed::{Assumed, Fact};
pub use objects::known_methods::FoldLevel;
pub use project::{Finder, Found, ModuleSource};
pub use raises::Recorded;
pub use record::Counts;
pub use starts::Starts;
pub use unknown::WOULD_DECIDE;

/// The settings for planning a program.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Maximum steps of a trace. A longer trace ends with [`Outcome::StepLimit`].
    pub max_steps: usize,
    /// Maximum executed instructions, including those of comprehensions and of the runtime.
    pub max_instructions: u64,
    /// Maximum CPU time, including compilation. The trace of a program that takes more ends with
    /// [`Outcome::Timeout`].
    pub max_cpu: Duration,
    /// Maximum bytes of the program's objects. None is freed, so unused ones count, too.
    pub max_memory: usize,
    /// Maximum questions.
    pub max_questions: u64,
    /// Maximum characters of the states and values of all steps plus bytes of output. A longer
    /// trace ends at the step that exceeds it, with [`Outcome::TraceLimit`], or with
    /// [`Outcome::OutputLimit`] if most of it was printed.
    pub max_text: usize,
    /// Whether texts of values have the numbers of their objects.
    pub references: bool,
    /// The operations of known values that are folded; the others are asked.
    pub fold: FoldLevel,
    /// Minimum probability of the trace as far as it is planned. Below it planning stops and
    /// reports so.
    pub min_probability: f64,
    /// Maximum worlds in which a program continues at once, if the oracle has several opinions on a
    /// question.
    pub worlds: usize,
    /// Whether planning continues with values of unknown modules, as long as nothing depends on
    /// them.
    pub unknown: bool,
    /// Whether the program's environment is unknown: arguments, input, environment variables,
    /// files. Only with `unknown`.
    pub open_world: bool,
    /// Whether planning takes a branch if an unknown value decides; with [`Settings::worlds`] it
    /// takes several. Only with `unknown`.
    pub either_way: bool,
    /// Makes planning continue with missing values, to the program's end. `None`: it ends where one
    /// would decide.
    pub goes_on: Option<crate::stand_in::GoesOn>,
    /// Numbers of the decisions on made-up values ([`Machine::decisions`]) that are taken otherwise
    /// than usual, and which of the other possibilities each takes, from 0.
    pub otherwise: Arc<[(usize, usize)]>,
    /// Whether operations that remain when methods are folded are asked; else planning ends there.
    pub asks_rest: bool,
    /// The origin of an oracle's values: predicted, or observed if it executes.
    pub answers: Origin,
    /// Modules beside the program. `None`: it is one file.
    pub finder: Option<Arc<dyn Finder>>,
    /// The parts of an execution that are recorded.
    pub recorded: Recorded,
    /// State that programs of one run share. `None`: each is executed from its beginning.
    pub starts: Option<Arc<Starts>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_steps: 1024,
            max_instructions: 100_000_000,
            max_cpu: Duration::from_secs(10),
            max_memory: 1 << 30,
            max_questions: 20_000,
            max_text: 2 << 20,
            references: false,
            fold: FoldLevel::default(),
            min_probability: 0.0,
            worlds: 1,
            unknown: false,
            open_world: false,
            either_way: false,
            goes_on: None,
            otherwise: Arc::default(),
            asks_rest: true,
            answers: Origin::Predicted,
            finder: None,
            recorded: Recorded::Steps,
            starts: None,
        }
    }
}

/// The state of a machine.
#[derive(Debug)]
pub enum Status {
    /// It waits for the value of an operation: [`Machine::wanted`].
    Waits,
    /// The program has ended, or cannot be planned any further.
    Ended,
}

/// Why planning stopped before the program's end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// The construct, such as `async for`.
    pub what: String,
    /// Line of the program, 1-based; 0 if unknown.
    pub line: u32,
    /// The file of that line: index in [`Trace::files`]; 0 is the entry.
    pub file: u32,
    /// Whether a statement of a module was left out and planning continued after it.
    pub skipped: bool,
}

/// A departure from sequential execution.
#[derive(Debug)]
pub(crate) enum Flow {
    /// An exception instance is raised.
    Raise(Value),
    /// The value of an operation has to be asked for.
    Ask(Box<Ask>),
    /// A function has to be called first; its value is that of the operation.
    Call(Value, Vec<Value>),
    /// The program has to decide which keys are equal; then the instruction is executed again.
    Key(Box<objects::user_hash::WantedKeys>),
    /// Planning ends.
    Unsupported(String),
    /// The program ends.
    End(Outcome),
}

pub(crate) type Run<T> = Result<T, Flow>;

/// The use of the value of a call or a question.
#[derive(Debug, Clone)]
pub(crate) enum After {
    /// It is pushed.
    Push,
    /// It is dropped.
    Discard,
    /// Its truth decides the instruction that asked, which is executed again with this value on the
    /// stack.
    Truth(Value),
    /// It is the next item of a `for`; the end of the iterator ends the loop.
    ForIter,
    /// It is the next item; the end of the iterator produces the default, or raises
    /// `StopIteration`.
    Next(Option<Value>),
    /// It is passed on by a `yield from` or `await`.
    Send,
    /// `__init__` has run: the instance is pushed.
    Init(Value),
    /// The body of a class has run: the class is made.
    Class(Box<classes::class::Body>),
    /// A generator was closed by `GeneratorExit`.
    Close,
    /// The same, because nothing referred to it any more. Any exception is dropped.
    Drop,
    /// Its truth, negated, is pushed.
    Not,
    /// It is pushed, and the instruction that asked is executed again.
    Again,
    /// It is an exception, and is raised.
    Raise,
    /// A module has been executed: its import continues.
    Import(Box<project::Importing>),
    /// It is the pair of what an `except*` leaves and what it handles; both are pushed.
    Pair,
    /// It is the key that an instruction wants, which is executed again.
    Key,
    /// It is pushed, unless the method of an operator returns `NotImplemented`.
    Operated(Box<eval::operator_methods::Operated>),
}

/// One call.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    code: Arc<Code>,
    /// Index of the next instruction.
    next: usize,
    /// Index of the last executed instruction.
    last: Option<usize>,
    stack: Vec<Option<Value>>,
    fast: Vec<Option<Value>>,
    cells: Vec<ObjectId>,
    globals: ObjectId,
    /// Names of a module or class body.
    namespace: Option<ObjectId>,
    /// The exception being handled.
    handled: Option<Value>,
    /// Names of the keyword arguments of the next call.
    keywords: Vec<Arc<str>>,
    generator: Option<u32>,
    after: After,
    traced: bool,
    /// Number of traced frames below.
    depth: u32,
    /// Its last state in the trace.
    shown: codexec_trace::State,
    /// CPython's depth in this frame, see `depth.rs`.
    level: usize,
    /// Truth of the value on top of the stack, computed by a call or a question.
    truth: Option<bool>,
    /// Numbers of the names in the interpreter's snapshot of the locals, in order.
    order: Vec<u32>,
    /// The dict that `locals()` of a function returned: the tracer updates it at every event.
    locals: Option<ObjectId>,
    /// Keys that were found for the instruction that is executed again.
    found_keys: Vec<Value>,
    /// An exception was thrown into the generator that it waits for; it is not running itself.
    delegates: bool,
    /// It implements an iterator that is not a generator (`map`, `zip`): an exception does not end
    /// it.
    lasts: bool,
    /// The same frame before it was resumed.
    before: Option<Box<Frame>>,
}

/// The end of a program, or of planning.
#[derive(Debug, Clone, Default)]
struct Ending {
    outcome: Option<Outcome>,
    /// The exceptions that led to the one of the outcome.
    causes: Vec<Cause>,
    unsupported: Option<Unsupported>,
}

/// Assumptions and answers that a trace depends on.
#[derive(Debug, Clone)]
struct Doubts {
    /// Product of the confidences of all answers.
    probability: f64,
    /// Unknown modules, and statements that were left out.
    unknown: Vec<Unsupported>,
    assumed: Vec<Assumed>,
    /// Whether statements of the program's own module may be left out.
    skips: bool,
}

impl Default for Doubts {
    fn default() -> Self {
        Self {
            probability: 1.0,
            unknown: Vec::new(),
            assumed: Vec::new(),
            skips: false,
        }
    }
}

/// Source that is executed in the program's module after it has ended.
#[derive(Debug, Clone, Default)]
struct Appended {
    source: Option<Arc<str>>,
    /// Whether its execution has begun.
    is_begun: bool,
}

/// A program being planned.
#[derive(Debug, Clone)]
pub struct Machine {
    heap: Heap,
    runtime: runtime::Runtime,
    library: import::Library,
    /// Running frames, the innermost last.
    frames: Vec<Frame>,
    stacks: eval::stacks::Stacks,
    generators: eval::generators::Generators,
    /// The destination of the value of the current call.
    after: After,
    waiting: Option<ask::Waiting>,
    dropped: gc::Dropped,
    own_dicts: classes::instance_dict::OwnDicts,
    own_keys: objects::user_hash::OwnKeys,
    /// Whether a class of the program has a `__getattribute__`.
    reads_itself: bool,
    twisters: Vec<stdlib::_random::Twister>,
    input: stdlib::stdin::Input,
    record: record::Record,
    stand_ins: stand_ins::StandIns,
    settings: Settings,
    budget: budget::Budget,
    ending: Ending,
    doubts: Doubts,
    appended: Appended,
}

impl Machine {
    /// Returns a machine at the beginning of a program.
    pub fn new(program: &Program, settings: Settings) -> Self {
        let starts = settings.starts.clone();
        let shared = starts.and_then(|starts| starts.machine(program, &settings));
        if let Some(machine) = shared {
            return machine;
        }
        let Some((own, rest)) = starts::parts(program) else {
            return Self::begun(program, settings);
        };
        let alone = Program {
            source: Some(own.to_owned()),
            ..program.clone()
        };
        let mut machine = Self::begun(&alone, settings);
        machine.doubts.skips |= !rest.trim().is_empty();
        machine.set_behind(own, rest);
        machine
    }

    /// Returns a machine at the beginning of a program, or after the import of the package that
    /// contains it.
    fn begun(program: &Program, settings: Settings) -> Self {
        if !program.module.is_empty() {
            let starts = settings.starts.clone();
            let shared = starts.and_then(|starts| starts.package(program, &settings));
            return match shared {
                Some(Package::Imported(machine)) => machine.with_entry(program),
                Some(Package::Ended) => Self::importing_module(program, settings, Import::Without),
                None => Self::importing_module(program, settings, Import::All),
            };
        }
        let source = program.source.as_deref().unwrap_or_default();
        let mut machine = Self::ready(program, settings);
        machine.budget.begin_turn();
        match machine.code(&source.into()) {
            Ok(code) => {
                machine.enter_module(code);
                if let Some(globals) = machine.stacks.module
                    && machine.record.raises.is_some()
                {
                    machine.library.texts.insert(globals, source.into());
                }
                if !program.package.is_empty()
                    && let Err(flow) = machine.enter_package(&program.package)
                {
                    machine.divert(flow);
                }
            }
            Err(error) => machine.refuse(error),
        }
        machine.budget.end_turn();
        machine
    }

    /// Returns a machine for a program, without its code.
    fn ready(program: &Program, settings: Settings) -> Self {
        let source = program.source.as_deref().unwrap_or_default();
        let mut machine = Self::clone(Self::started());
        machine.input = stdlib::stdin::Input::new(program.stdin.as_deref().unwrap_or_default());
        machine.record = record::Record::new(&settings);
        machine.record.has_surrogates = source.contains("\\ud") || source.contains("\\uD");
        machine.library.methods = settings.fold.methods();
        machine.library.given = project::Given::of(program);
        machine.doubts.skips = !program.module.is_empty();
        machine.dropped.stays = settings.recorded == Recorded::Raises;
        if settings.goes_on.is_some() {
            machine.stand_ins.source = source.into();
            machine.stand_ins.has_input = program.stdin.is_some();
        }
        machine.settings = settings;
        machine.budget = budget::Budget::new();
        machine
    }

    /// Returns the code of a module's text, which is compiled once for all programs that share
    /// state.
    fn code(&self, source: &Arc<str>) -> Result<Arc<Code>, CompileError> {
        match &self.settings.starts {
            Some(starts) => starts.code(source),
            None if self.makes_names() => {
                compile_body(source.trim_start_matches('\u{feff}')).map(Arc::new)
            }
            None => compile(source.trim_start_matches('\u{feff}')).map(Arc::new),
        }
    }

    /// Ends a program that does not compile.
    fn refuse(&mut self, error: CompileError) {
        if error.message == crate::compile::TOO_MUCH {
            self.divert(Flow::Unsupported(error.message));
            return;
        }
        self.ending.outcome = Some(Outcome::SyntaxError {
            line: error.line,
            column: error.column,
            message: error.message,
        });
    }

    /// Sets the source that is executed in the program's module after it has ended, in the lines
    /// that follow it.
    fn set_behind(&mut self, own: &str, rest: &str) {
        if !rest.trim().is_empty() {
            let lines = own.matches('\n').count();
            self.appended.source = Some(format!("{}{rest}", "\n".repeat(lines)).into());
        }
    }

    /// Whether the program has ended except for its return.
    fn is_at_its_end(&self) -> bool {
        self.frames.len() == 1 && self.is_at_end() && self.stacks.waiting().next().is_none()
    }

    /// Executes the source that follows the program.
    fn go_behind(&mut self, text: &str) {
        self.appended.is_begun = true;
        self.frames.clear();
        let Some(globals) = self.stacks.module else {
            return;
        };
        match compile(text) {
            Ok(code) => {
                let after = After::Discard;
                let frame = self.frame(Arc::new(code), globals, Some(globals), after, true);
                self.push_frame(frame);
            }
            Err(error) => self.refuse(error),
        }
    }

    /// Continues until the program is about to end, or has ended. Returns false if the caller has
    /// to execute an operation.
    fn walk_to_end(&mut self) -> bool {
        self.budget.begin_turn();
        let has_ended = loop {
            if self.ending.outcome.is_some() || self.ending.unsupported.is_some() {
                break true;
            }
            if self.waiting.is_some() {
                break false;
            }
            self.run_plain();
            if self.is_at_its_end() {
                break true;
            }
            if let Err(flow) = self.next_instruction() {
                self.divert(flow);
            }
        };
        self.budget.end_turn();
        has_ended
    }

    /// Continues until the caller has to execute an operation, or the program ends.
    pub fn advance(&mut self) -> Status {
        self.budget.begin_turn();
        let status = self.walk();
        self.budget.end_turn();
        status
    }

    fn walk(&mut self) -> Status {
        loop {
            if self.ending.outcome.is_some() || self.ending.unsupported.is_some() {
                return Status::Ended;
            }
            if self.waiting.is_some() {
                return Status::Waits;
            }
            self.run_plain();
            if self.appended.source.is_some()
                && self.is_at_its_end()
                && let Some(text) = self.appended.source.take()
            {
                self.go_behind(&text);
                continue;
            }
            if self.goes_on() && self.is_at_its_end() {
                match self.call_back() {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(flow) => {
                        self.divert(flow);
                        continue;
                    }
                }
            }
            let flow = match self.next_instruction() {
                Ok(()) => continue,
                Err(flow) => flow,
            };
            self.divert(flow);
        }
    }

    /// Ends planning here, whatever could be left out.
    fn stop(&mut self, what: String) {
        let (line, file) = (self.current_line(), self.current_file());
        let what = what + &self.hidden_place();
        self.record.end();
        self.ending.unsupported = Some(Unsupported {
            what,
            line,
            file,
            skipped: false,
        });
    }

    /// Executes what an instruction could not do by itself, and everything that follows from it.
    fn divert(&mut self, flow: Flow) {
        let mut next = Some(flow);
        while let Some(flow) = next.take() {
            let done = match flow {
                Flow::Raise(error) => self.unwind(error),
                Flow::Ask(ask) => self.ask(*ask),
                Flow::Call(function, arguments) => {
                    let after = std::mem::replace(&mut self.after, After::Push);
                    self.call(function, arguments, Vec::new(), after)
                }
                Flow::Key(wanted) => self.find_keys(*wanted),
                Flow::Unsupported(what) if self.skip_statement(&what, false) => Ok(()),
                Flow::Unsupported(what) if self.leaves_library(&what) => Ok(()),
                Flow::Unsupported(what) => {
                    self.stop(what);
                    Ok(())
                }
                Flow::End(outcome) if self.skip_import(&outcome) => Ok(()),
                Flow::End(outcome) => self.ended(outcome).map(|outcome| {
                    if outcome.is_some() {
                        self.record.end();
                        self.ending.outcome = outcome;
                    }
                }),
            };
            next = done.err();
        }
    }

    /// Returns why planning stopped early, if it did.
    pub fn unsupported(&self) -> Option<&Unsupported> {
        self.ending.unsupported.as_ref()
    }

    /// Returns how many operations were folded and asked.
    pub fn counts(&self) -> Counts {
        self.record.counts
    }

    /// Returns the trace so far.
    pub fn into_trace(mut self, program: &Program) -> Trace {
        let mut trace = Trace::new(Engine::Predict, program.clone());
        let last = self.end_of_module();
        trace.steps = self.record.steps;
        trace.steps.extend(last);
        // The text of the file that raised. Those of other files were not kept.
        if let Some(Outcome::Raised { file, .. }) = &self.ending.outcome
            && let Some(at) = (*file as usize).checked_sub(1)
            && let Some(known) = self.library.files.get_mut(at)
            && known.source.is_none()
        {
            let of_file = self.library.file_of.iter().find(|(_, of)| *of == file);
            let text = of_file.and_then(|(globals, _)| self.library.texts.get(globals));
            known.source = text.map(|text| text.to_string());
        }
        if !self.library.files.is_empty() {
            trace.files = vec![SourceFile {
                path: program.id.clone(),
                source: None,
            }];
            trace.files.extend(self.library.files);
        }
        match (self.ending.outcome, self.ending.unsupported) {
            (Some(outcome), _) => {
                if matches!(outcome, Outcome::Raised { .. }) {
                    trace.causes = self.ending.causes;
                }
                trace.outcome = outcome;
            }
            (None, Some(unsupported)) => {
                trace.truncated = true;
                trace.outcome = Outcome::Killed {
                    why: format!(
                        "unsupported: {}, line {}",
                        unsupported.what, unsupported.line
                    ),
                };
            }
            (None, None) => trace.truncated = true,
        }
        trace
    }

    /// Returns the number of instructions executed so far.
    pub fn instructions(&self) -> u64 {
        self.budget.instructions
    }

    /// Returns the probability of what is planned so far: the product of the confidences of all
    /// answers.
    pub fn probability(&self) -> f64 {
        self.doubts.probability
    }

    /// Returns the same for the whole trace as it is written, including guesses: addresses, and
    /// orders of sets of objects.
    pub fn confidence(&self) -> f64 {
        self.doubts.probability * self.record.guesses
    }

    pub(crate) fn top(&mut self) -> Run<&mut Frame> {
        self.frames.last_mut().ok_or(Flow::End(Outcome::Finished))
    }

    /// Returns the file of that line, see [`Self::current_line`].
    pub(crate) fn current_file(&self) -> u32 {
        let frame = self.shown_frame();
        frame.map_or(0, |frame| self.file_of(frame.globals))
    }

    /// Returns the line that is being executed: that of the innermost frame of the program.
    pub(crate) fn current_line(&self) -> u32 {
        self.shown_frame().map_or(0, Frame::line)
    }

    /// Returns the innermost frame of the program.
    fn shown_frame(&self) -> Option<&Frame> {
        let is_own = |frame: &&Frame| {
            !self.is_runtime(frame) && !frame.code.is_text && !self.is_hidden(frame.globals)
        };
        self.frames.iter().rev().find(is_own)
    }

    /// Returns the place in a module that a trace does not show: `, in click/core.py:12`.
    fn hidden_place(&self) -> String {
        let frame = self.frames.iter().rev().find(|f| !self.is_runtime(f));
        let place = frame.and_then(|frame| {
            let path = self.library.hidden.get(&frame.globals)?;
            Some(format!(", in {path}:{}", frame.line()))
        });
        place.unwrap_or_default()
    }

    #[allow(clippy::unused_self)] // callers have a machine
    pub(crate) fn is_runtime(&self, frame: &Frame) -> bool {
        frame.code.library.is_some()
    }
}
