//! The trace of a program.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use codexec::cli::view::{ViewStyle, render, render_why};
use codexec::engine::{Answered, Stopped as EngineStopped};
use codexec::page::{Page, Tab};
use codexec::query::{Question, why};
use codexec_data::trace::{Frames, States, Trace as Execution};
use codexec_trace::State;
use pyo3::exceptions::{PyKeyError, PyLookupError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::arrow::{schema, stream};
use crate::errors::unexpected;
use crate::step::{Cause, Outcome, Steps, Stopped, Value, Walk};

/// A trace, and lazily computed data about it.
#[derive(Debug)]
pub(crate) struct Inner {
    answered: Answered,
    /// Other worlds.
    others: Vec<Arc<Inner>>,
    /// Name of the engine.
    engine: String,
    frames: OnceLock<Frames>,
    /// For each step, the previous one with a state of the same frame.
    before: OnceLock<Vec<Option<usize>>>,
    /// Of each file, the program first, where its lines are.
    lines: OnceLock<Vec<Vec<Range<usize>>>>,
}

/// Positions of a text's lines, without leading and trailing blanks.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut begin = 0;
    text.split('\n')
        .map(|line| {
            let inner = line.trim();
            let first = begin + (line.len() - line.trim_start().len());
            begin += line.len() + 1;
            first..first + inner.len()
        })
        .collect()
}

impl Inner {
    pub(crate) fn trace(&self) -> &Execution {
        &self.answered.trace
    }

    pub(crate) fn frames(&self) -> &Frames {
        self.frames.get_or_init(|| Frames::of(self.trace()))
    }

    /// The last known state of the frame of a step's state.
    pub(crate) fn before(&self, step: usize) -> Option<&State> {
        let all = self.before.get_or_init(|| {
            let mut last = vec![None; self.frames().count()];
            let steps = 0..self.trace().steps.len();
            steps
                .map(|k| last[self.frames().of_state(k)].replace(k))
                .collect()
        });
        let before = all.get(step).copied().flatten();
        before.map(|before| &self.trace().steps[before].state)
    }

    /// Text of a file.
    fn source(&self, file: usize) -> &str {
        let trace = self.trace();
        let told = trace.files.get(file).and_then(|one| one.source.as_deref());
        let own = || trace.program.source.as_deref().filter(|_| file == 0);
        told.or_else(own).unwrap_or("")
    }

    /// Text of a line.
    pub(crate) fn line(&self, file: u32, line: u32) -> &str {
        let all = self.lines.get_or_init(|| {
            let files = 0..self.trace().files.len().max(1);
            files.map(|file| lines(self.source(file))).collect()
        });
        let place = (line as usize).checked_sub(1);
        let place = place.and_then(|at| all.get(file as usize)?.get(at));
        let text = place.and_then(|place| self.source(file as usize).get(place.clone()));
        text.unwrap_or("")
    }
}

/// The steps of an execution and its outcome.
#[pyclass(frozen, module = "codexec")]
#[derive(Debug)]
pub(crate) struct Trace {
    pub(crate) inner: Arc<Inner>,
}

impl Trace {
    pub(crate) fn of(mut answered: Answered, engine: &str) -> Self {
        let others = std::mem::take(&mut answered.others).into_iter();
        let others = others.map(|other| Self::of(other, engine).inner).collect();
        Self {
            inner: Arc::new(Inner {
                answered,
                others,
                engine: engine.to_owned(),
                frames: OnceLock::new(),
                before: OnceLock::new(),
                lines: OnceLock::new(),
            }),
        }
    }

    pub(crate) fn trace(&self) -> &Execution {
        self.inner.trace()
    }

    fn injected_json(&self) -> PyResult<String> {
        let injected = &self.inner.answered.injected;
        serde_json::to_string(injected).map_err(|error| unexpected(&error))
    }

    fn decisions_json(&self) -> PyResult<String> {
        let decisions = &self.inner.answered.decisions;
        serde_json::to_string(decisions).map_err(|error| unexpected(&error))
    }

    /// Whether some step's state has a name.
    fn check_name(&self, name: &str) -> PyResult<()> {
        let steps = &self.trace().steps;
        match steps.iter().any(|step| step.state.get(name).is_some()) {
            true => Ok(()),
            false => Err(PyKeyError::new_err(format!("{name:?}: no step has it"))),
        }
    }

    /// Index of a step; negative numbers count from the end.
    fn index(&self, step: isize) -> PyResult<usize> {
        let count = self.trace().steps.len();
        let at = match step {
            0.. => step.unsigned_abs(),
            _ => count.wrapping_sub(step.unsigned_abs()),
        };
        match at < count {
            true => Ok(at),
            false => Err(pyo3::exceptions::PyIndexError::new_err(format!(
                "step {step} of a trace of {count} steps"
            ))),
        }
    }

    /// The answer of [`why`] as JSON and as text.
    fn answer(
        &self,
        name: Option<String>,
        step: Option<isize>,
        output: Option<usize>,
        depth: Option<usize>,
        width: usize,
    ) -> PyResult<(String, String)> {
        let step = step.map(|step| self.index(step)).transpose()?;
        let question = match (name, step, output) {
            (Some(name), step, _) => Question::Variable { name, step },
            (None, Some(step), _) => Question::Step { step },
            (None, None, Some(0)) => Question::Output { line: None },
            (None, None, line @ Some(_)) => Question::Output { line },
            (None, None, None) => Question::usual(self.trace()).ok_or_else(|| {
                PyValueError::new_err(
                    "it neither raises nor prints; ask for a variable or for a step",
                )
            })?,
        };
        let answer = why(self.trace(), &question, depth);
        let answer = answer.map_err(|error| PyLookupError::new_err(error.to_string()))?;
        let json = serde_json::to_string(&answer).map_err(|error| unexpected(&error))?;
        let style = Self::style(width);
        let text = render_why(self.trace(), &answer, self.source_text(), &style);
        Ok((json, text.to_string()))
    }

    fn style(width: usize) -> ViewStyle {
        ViewStyle {
            width,
            ..ViewStyle::default()
        }
    }

    fn source_text(&self) -> &str {
        self.trace().program.source.as_deref().unwrap_or("")
    }
}

#[pymethods]
impl Trace {
    /// Name of the program: its path, or `<string>`.
    #[getter]
    fn id(&self) -> &str {
        &self.trace().program.id
    }

    /// Name of the engine: `plan`, `run`, `guide` or `whole`. Of these `run` and `guide` executed the program.
    #[getter]
    fn engine(&self) -> &str {
        &self.inner.engine
    }

    /// Text of the program.
    #[getter]
    fn source(&self) -> Option<&str> {
        self.trace().program.source.as_deref()
    }

    /// Version of the interpreter that executed it, such as `3.11.7`; `None` for predictions.
    #[getter]
    fn python(&self) -> Option<&str> {
        self.trace().python.as_deref()
    }

    /// The steps, in order: a sequence.
    #[getter]
    fn steps(&self) -> Steps {
        Steps {
            trace: Arc::clone(&self.inner),
        }
    }

    fn __len__(&self) -> usize {
        self.trace().steps.len()
    }

    fn __iter__(&self) -> Walk {
        self.steps().walk()
    }

    /// The outcome.
    #[getter]
    fn outcome(&self) -> Outcome {
        Outcome {
            ended: self.trace().outcome.clone(),
        }
    }

    /// The exceptions that led to the one of the outcome, as its traceback shows them, the nearest first.
    #[getter]
    fn causes(&self) -> Vec<Cause> {
        let causes = self.trace().causes.iter().cloned();
        let causes = causes.map(|cause| {
            let text = codexec::cli::view::cause_text(&cause, self.trace());
            Cause { cause, text }
        });
        causes.collect()
    }

    /// Everything that was printed.
    #[getter]
    fn output(&self) -> String {
        self.trace().output()
    }

    /// Paths of the executed files, the program itself first; empty if it is the only one.
    #[getter]
    fn files(&self) -> Vec<&str> {
        let files = self.trace().files.iter();
        files.map(|file| file.path.as_str()).collect()
    }

    /// Why the trace stops before its end, if the engine stopped; else `None`.
    #[getter]
    fn stopped(&self) -> Option<Stopped> {
        let stopped = self.inner.answered.stopped.clone();
        stopped.map(|stopped| Stopped { stopped })
    }

    /// Unknown modules, if the engine continued with their values.
    #[getter]
    fn unknown(&self) -> Vec<Stopped> {
        let unknown = self.inner.answered.unknown.iter().cloned();
        unknown.map(|stopped| Stopped { stopped }).collect()
    }

    /// Made-up values, in order.
    #[getter]
    fn injected<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        views(py)?.call_method1("injected", (self.injected_json()?,))
    }

    /// Assumptions about made-up values, in order.
    #[getter]
    fn decisions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        views(py)?.call_method1("decisions", (self.decisions_json()?,))
    }

    /// The worlds requested by `beam`: this trace, and those in which some of the assumptions
    /// differ.
    #[getter]
    fn worlds(slf: &Bound<'_, Self>) -> PyResult<Vec<Py<Self>>> {
        let py = slf.py();
        let others = slf.get().inner.others.iter();
        let others = others.map(|inner| {
            let inner = Arc::clone(inner);
            Py::new(py, Self { inner })
        });
        std::iter::once(Ok(slf.clone().unbind()))
            .chain(others)
            .collect()
    }

    /// Whether it ends before the program does: at a limit, or where the engine stopped.
    #[getter]
    fn truncated(&self) -> bool {
        self.trace().truncated || self.inner.answered.stopped.is_some()
    }

    /// The probability that all of it is right, in 0..=1, if the engine has one.
    #[getter]
    fn confidence(&self) -> Option<f32> {
        self.trace().confidence
    }

    /// The values of a variable, one for each step that bound or changed it.
    ///
    /// `function` selects one function; `<module>` is the top level. Raises `KeyError` if no step has the name.
    #[pyo3(signature = (name, *, function=None))]
    fn values(&self, name: &str, function: Option<&str>) -> PyResult<Vec<Value>> {
        self.check_name(name)?;
        let frames = self.inner.frames();
        let described: Vec<_> = frames.described(self.trace()).collect();
        let mut last = vec![None; frames.count()];
        let mut found = Vec::new();
        for (k, step) in self.trace().steps.iter().enumerate() {
            let frame = frames.of_state(k);
            let value = step.state.get(name);
            let is_new = value != last[frame];
            last[frame] = value;
            let wanted = function.is_none_or(|wanted| described[frame].function == wanted);
            if let Some(value) = value.filter(|_| is_new && wanted) {
                found.push(Value::of(value, k));
            }
        }
        Ok(found)
    }

    /// The value of a variable after a step, counted from 0; negative numbers count from the end.
    ///
    /// Raises `KeyError` where the step's frame does not have the name.
    #[pyo3(signature = (name, step=-1), text_signature = "($self, name, step=-1)")]
    fn value_of(&self, name: &str, step: isize) -> PyResult<Value> {
        let at = self.index(step)?;
        let value = self.trace().steps[at].state.get(name);
        let gone = || PyKeyError::new_err(format!("{name:?}: step {at} does not have it"));
        Ok(Value::of(value.ok_or_else(gone)?, at))
    }

    /// Explains something: the assignments, calls and conditions that contributed to it.
    ///
    /// `name`: a variable, after `step` or at the end. `step` alone: why it is reached. `output`: the line of output
    /// with this number, or the last one for 0. Without any of them: the exception, else the last output. `depth`:
    /// maximum links from the value in question. Raises `LookupError` for anything that does not exist.
    #[pyo3(signature = (name=None, *, step=None, output=None, depth=None, width=100))]
    fn why<'py>(
        &self,
        py: Python<'py>,
        name: Option<String>,
        step: Option<isize>,
        output: Option<usize>,
        depth: Option<usize>,
        width: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let told = self.answer(name, step, output, depth, width)?;
        views(py)?.call_method1("why", (told,))
    }

    /// The rows of `__arrow_c_stream__` as a table of pyarrow.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        views(slf.py())?.call_method1("to_arrow", (slf,))
    }

    /// The rows of `__arrow_c_stream__` as a data frame of pandas.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        views(slf.py())?.call_method1("to_pandas", (slf,))
    }

    /// The rows of `__arrow_c_stream__` as a data frame of Polars.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        views(slf.py())?.call_method1("to_polars", (slf,))
    }

    /// A self-contained page that shows it, with its other worlds: `codexec view` in Python.
    fn html(&self) -> PyResult<String> {
        let label = match self.trace().engine {
            codexec_trace::Engine::Predict | codexec_trace::Engine::Orca => "predicted",
            codexec_trace::Engine::Run => "observed",
            codexec_trace::Engine::Guide => "guided",
        };
        let own = &self.inner;
        let all: Vec<&Inner> = std::iter::once(&**own)
            .chain(own.others.iter().map(|other| &**other))
            .collect();
        let several = all.len() > 1;
        let tabs = (1..).zip(&all).map(|(number, one)| {
            let label = match several {
                true => format!("world {number}"),
                false => label.to_owned(),
            };
            let answered = &one.answered;
            let mut tab = Tab::with(
                label,
                &answered.trace,
                &answered.injected,
                &answered.decisions,
            );
            tab.probability = answered
                .score
                .map(|score| f64::from(score).exp())
                .filter(|_| several);
            tab
        });
        let page = Page::new(self.trace().program.id.clone(), tabs.collect());
        page.html().map_err(|error| unexpected(&error))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        views(slf.py())?.call_method1("cell", (slf,))
    }

    /// Replacement for an unreadable program.
    #[staticmethod]
    fn _unread(id: String, why: String, engine: &str) -> Self {
        let program = codexec_data::trace::Program {
            id,
            ..Default::default()
        };
        let by =
            codexec::engine::named(engine).map_or(codexec_trace::Engine::Predict, |row| row.by);
        let mut trace = Execution::new(by, program);
        trace.outcome = codexec_data::trace::Outcome::Killed {
            why: format!("unread: {why}"),
        };
        Self::of(Answered::certain(trace), engine)
    }

    /// The JSON form (docs/trace-format.md). `states`: `full`, or `changes`, which is shorter for long
    /// traces.
    #[pyo3(signature = (*, states="full"))]
    fn to_json(&self, states: &str) -> PyResult<String> {
        let states = match states {
            "full" => States::Full,
            "changes" => States::Changes,
            other => {
                return Err(PyValueError::new_err(format!(
                    "states is 'full' or 'changes', and not {other:?}"
                )));
            }
        };
        let form = self.trace().form(states);
        serde_json::to_string(&form).map_err(|error| unexpected(&error))
    }

    /// The trace of a JSON form, of this version or an older one.
    ///
    /// Raises `ValueError` for other strings.
    #[staticmethod]
    fn from_json(json: &str) -> PyResult<Self> {
        let wrong = |error: codexec_trace::FormError| PyValueError::new_err(error.to_string());
        let trace = Execution::from_json(json).map_err(wrong)?;
        let engine = match trace.engine {
            codexec_trace::Engine::Run => "run",
            codexec_trace::Engine::Predict => "plan",
            codexec_trace::Engine::Guide => "guide",
            codexec_trace::Engine::Orca => "orca",
        };
        Ok(Self::of(Answered::certain(trace), engine))
    }

    /// The pickled form.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let this = slf.get();
        let kept = |stopped: &EngineStopped| {
            let EngineStopped {
                line,
                file,
                why,
                skipped,
            } = stopped.clone();
            (line, file, why, skipped)
        };
        let stopped = this.inner.answered.stopped.as_ref().map(kept);
        let unknown: Vec<_> = this.inner.answered.unknown.iter().map(kept).collect();
        let arguments = (
            this.to_json("changes")?,
            &this.inner.engine,
            stopped,
            unknown,
            this.injected_json()?,
            this.decisions_json()?,
            Self::worlds(slf)?.split_off(1),
        );
        let make = slf.get_type().getattr("_restored")?;
        Ok((make, arguments.into_pyobject(py)?))
    }

    /// The trace from its pickled form.
    #[staticmethod]
    fn _restored(
        json: &str,
        engine: &str,
        stopped: Option<Kept>,
        unknown: Vec<Kept>,
        injected: &str,
        decisions: &str,
        others: Vec<Bound<'_, Self>>,
    ) -> PyResult<Self> {
        let made = |(line, file, why, skipped): Kept| EngineStopped {
            line,
            file,
            why,
            skipped,
        };
        let trace = Self::from_json(json)?;
        let answered = Answered {
            stopped: stopped.map(made),
            unknown: unknown.into_iter().map(made).collect(),
            injected: serde_json::from_str(injected).map_err(|error| unexpected(&error))?,
            decisions: serde_json::from_str(decisions).map_err(|error| unexpected(&error))?,
            ..trace.inner.answered.clone()
        };
        let mut made = Self::of(answered, engine);
        if let Some(inner) = Arc::get_mut(&mut made.inner) {
            let others = others.iter().map(|other| Arc::clone(&other.get().inner));
            inner.others = others.collect();
        }
        Ok(made)
    }

    /// The text that `codexec trace` prints.
    #[pyo3(signature = (*, width=100, all=false))]
    fn to_text(&self, width: usize, all: bool) -> String {
        let style = ViewStyle {
            all,
            ..Self::style(width)
        };
        render(self.trace(), self.source_text(), &style).to_string()
    }

    fn __str__(&self) -> String {
        self.to_text(100, false)
    }

    fn __repr__(&self) -> String {
        let steps = match self.__len__() {
            1 => "1 step".to_owned(),
            count => format!("{count} steps"),
        };
        let (id, engine) = (self.id(), self.engine());
        let end = match &self.inner.answered.stopped {
            Some(stopped) => format!("stopped at {stopped}"),
            None => codexec::cli::view::outcome_text(&self.trace().outcome),
        };
        format!("<Trace of {id} by {engine}: {steps}, {end}>")
    }

    /// Traces are equal if all that they say is.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| {
            let (own, other) = (&self.inner, &other.get().inner);
            let (said, told) = (&own.answered, &other.answered);
            own.engine == other.engine
                && said.trace == told.trace
                && said.stopped == told.stopped
                && said.unknown == told.unknown
        })
    }

    /// A table with a row for each step, for every library that reads Arrow streams.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // As in the interface: a producer without support for other schemas returns its own.
        let _ = requested_schema;
        stream(py, Arc::clone(&self.inner))
    }

    /// The schema of that table.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, false)
    }
}

/// The part of the package that makes other forms.
fn views(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("codexec._views")
}

/// Where an engine stopped, in pickled form.
type Kept = (Option<u32>, u32, String, bool);
