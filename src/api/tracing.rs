//! The trace of one program.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use codexec_data::trace::Program;

use super::Failure;
use crate::engine::environment::Wanted;
use crate::engine::{self, Answer, Answered, Need, Question, Row, Settings};

/// The trace of a program: [`plan`](TraceRequest::plan) predicts it and executes nothing, [`run`](TraceRequest::run)
/// executes it in the sandbox, [`guide`](TraceRequest::guide) executes it with injected values.
///
/// ```
/// let source = "n = int(input())\nprint(n * 2)\n";
/// let planned = codexec::trace(source).input("21\n").plan()?;
/// assert_eq!(planned.trace.steps[1].output, "42\n");
/// assert!(planned.stopped.is_none());
/// # Ok::<(), codexec::Failure>(())
/// ```
///
/// A finished trace answers questions: select steps, or explain a value:
///
/// ```
/// use codexec::query::{Question, Selection, why};
/// let source = "total = 0\nfor k in range(9):\n    total += k * k\nprint(total)\n";
/// let trace = codexec::trace(source).plan()?.trace;
/// // `total` when line 3 runs for the seventh time.
/// let selected = Selection::new().lines(3).visits(7, 7).name("total").of(&trace)?;
/// assert_eq!(selected.value(0, "total").unwrap().text, "91");
/// let answer = why(&trace, &Question::Output { line: None }, None)?;
/// assert_eq!(answer.links.last().unwrap().text.as_deref(), Some("204\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn trace(source: impl Into<String>) -> TraceRequest {
    TraceRequest {
        program: Program {
            id: "<string>".to_owned(),
            source: Some(source.into()),
            ..Program::default()
        },
        settings: Settings {
            goes_on: true,
            ..Settings::default()
        },
        wanted: Wanted::default(),
    }
}

/// A program to trace.
#[derive(Debug, Clone)]
#[must_use = "a request asks nothing before `plan`, `run`, `guide` or `whole`"]
pub struct TraceRequest {
    program: Program,
    settings: Settings,
    wanted: Wanted,
}

impl TraceRequest {
    /// Name of the program in its trace; `<string>` by default.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.program.id = name.into();
        self
    }

    /// Standard input; empty by default.
    pub fn input(mut self, text: impl Into<String>) -> Self {
        self.program.stdin = Some(text.into());
        self
    }

    /// What `sys.argv[1:]` is; empty by default.
    ///
    /// ```
    /// let source = "import sys\nprint(int(sys.argv[1]) * 2)\n";
    /// let planned = codexec::trace(source).arguments(["21"]).plan()?;
    /// assert_eq!(planned.trace.output(), "42\n");
    /// # Ok::<(), codexec::Failure>(())
    /// ```
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.program.arguments = arguments.into_iter().map(Into::into).collect();
        self
    }

    /// An environment variable, in addition to the sandbox's.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.program.environment.push((name.into(), value.into()));
        self
    }

    /// Directory of the program's project: its modules can be imported and its files read; none by default. It is never
    /// written to.
    ///
    /// ```no_run
    /// let source = std::fs::read_to_string("shop/main.py")?;
    /// let planned = codexec::trace(source).name("main.py").root("shop").plan()?;
    /// println!("{} files", planned.trace.files.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn root(mut self, directory: impl Into<PathBuf>) -> Self {
        let directory = directory.into();
        self.program.root = Some(directory.canonicalize().unwrap_or(directory));
        self
    }

    /// Another directory for imports, after the root and before the standard library. Can be repeated.
    pub fn path(mut self, directory: impl Into<PathBuf>) -> Self {
        self.wanted.paths.push(directory.into());
        self
    }

    /// Installed packages that the program may import, with their requirements; all if none is named. By default none.
    /// They come from a nearby environment (`VIRTUAL_ENV`, `.venv`), else from the default interpreter.
    ///
    /// ```no_run
    /// let source = "import yaml\nprint(yaml.safe_load('a: [1, 2]'))\n";
    /// let planned = codexec::trace(source).packages(["yaml"]).plan()?;
    /// println!("{}", planned.trace.output());
    /// # Ok::<(), codexec::Failure>(())
    /// ```
    pub fn packages(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.wanted.installed = true;
        self.wanted.names.extend(names.into_iter().map(Into::into));
        self
    }

    /// The interpreter that runs programs and whose packages are used (default: the first on the
    /// path).
    pub fn python(mut self, file: impl Into<PathBuf>) -> Self {
        let file = file.into();
        self.settings.sandbox.python = Some(file.clone());
        self.wanted.python = Some(file);
        self
    }

    /// Maximum steps (default 1,024).
    pub fn max_steps(mut self, most: usize) -> Self {
        self.settings.max_steps = most;
        self.settings.sandbox.limits.max_steps = u32::try_from(most).unwrap_or(u32::MAX);
        self
    }

    /// CPU time that the program may take; 10 seconds to be planned and 1 second to run by default.
    pub fn timeout(mut self, most: Duration) -> Self {
        self.settings.plan_time = Some(most);
        self.settings.sandbox.limits.cpu = most;
        self.settings.sandbox.limits.wall = most;
        self
    }

    /// Also inject values for other missing things when planning: unbound names, missing files and input, `return` at
    /// the top level. By default planning injects values only for modules that cannot be found and functions that are
    /// not modelled. [`Answered::injected`] lists all of them.
    pub fn inject(mut self) -> Self {
        self.settings.inject = true;
        self
    }

    /// Predicts the trace; nothing is executed. If planning stops, [`Answered::stopped`] gives the reason, and the
    /// trace holds the steps up to there.
    ///
    /// # Errors
    /// [`Failure::Program`] for a syntax error.
    pub fn plan(self) -> Result<Answered, Failure> {
        self.answer(&engine::plan::ROW)
    }

    /// Executes the program by CPython in the sandbox, on Linux. A binary that calls this calls
    /// [`launcher_hook`](codexec_data::sandbox::launcher_hook) first in its `main`.
    ///
    /// ```no_run
    /// codexec::sandbox::launcher_hook();
    /// let ran = codexec::trace("print(1 / 0)\n").run()?;
    /// println!("{:?}", ran.trace.outcome);
    /// # Ok::<(), codexec::Failure>(())
    /// ```
    ///
    /// # Errors
    /// [`Failure::Engine`] if Python 3.8 or later, or isolation, is missing.
    pub fn run(self) -> Result<Answered, Failure> {
        self.answer(&engine::run::ROW)
    }

    /// Like [`Self::run`], with injected values for missing ones.
    ///
    /// # Errors
    /// The errors of [`Self::run`].
    pub fn guide(self) -> Result<Answered, Failure> {
        self.answer(&engine::guide::ROW)
    }

    /// The embedded network writes the whole trace; nothing is executed.
    ///
    /// # Errors
    /// [`Failure::Program`] for a syntax error.
    pub fn whole(self) -> Result<Answered, Failure> {
        self.answer(&engine::whole::ROW)
    }

    fn answer(mut self, row: &Row) -> Result<Answered, Failure> {
        let packages = self.wanted.packages()?;
        if row.has(Need::Plan) {
            self.settings.packages = self.wanted.followed(&packages)?;
        }
        self.settings.sandbox.packages = packages;
        let engines = (row.open)(&self.settings)?;
        let engine = engines.first().ok_or(Failure::NoAnswer)?;
        let mut answer: Option<Answer> = None;
        let programs = [self.program];
        engine.answer(&Question::of(&programs), &mut |_, given| {
            answer = Some(given);
            ControlFlow::Break(())
        })?;
        Ok(answer.ok_or(Failure::NoAnswer)??)
    }
}
