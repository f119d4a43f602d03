//! The parts of a trace: steps, values, outcomes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use codexec_data::trace::{self, Outcome as Ended};
use codexec_trace::Event;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice};

use crate::errors::unexpected;
use crate::trace::Inner;

/// A value: the text of its `repr`, its type, and its origin.
#[pyclass(frozen, module = "codexec")]
#[derive(Debug, Clone)]
pub(crate) struct Value {
    value: trace::Value,
    /// Index of the step that it is of.
    #[pyo3(get)]
    step: usize,
}

impl Value {
    pub(crate) fn of(value: &trace::Value, step: usize) -> Self {
        Self {
            value: value.clone(),
            step,
        }
    }
}

/// Reconstructs an object: a callable and its arguments.
type Reduced<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| unexpected(&error))
}

fn read<T: serde::de::DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A name as serde writes it.
fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::new(),
    }
}

#[pymethods]
impl Value {
    /// The `repr`, shortened for long values: `[1, 2]`.
    #[getter]
    fn text(&self) -> &str {
        &self.value.text
    }

    /// Type: `int`, `list`, `object` for an instance of another class, ...
    #[getter(r#type)]
    fn ty(&self) -> String {
        word(&self.value.ty)
    }

    /// Where it comes from: `observed`, `computed`, `predicted` or `injected`.
    #[getter]
    fn origin(&self) -> String {
        word(&self.value.origin)
    }

    /// The value as an object, where its text is that of a literal.
    ///
    /// Raises `ValueError` for others, such as `<function>`.
    fn literal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let wrong = |_| {
            let text = &self.value.text;
            PyValueError::new_err(format!("{text} is no literal"))
        };
        py.import("ast")?
            .call_method1("literal_eval", (self.value.text.as_str(),))
            .map_err(wrong)
    }

    fn __str__(&self) -> &str {
        &self.value.text
    }

    fn __repr__(&self) -> String {
        format!("<Value {}>", self.value.text)
    }

    /// Values are equal to values and to strings of the same text.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match other.cast::<Self>() {
            Ok(other) => other.get().value.text == self.value.text,
            Err(_) => other
                .extract::<String>()
                .is_ok_and(|text| text == self.value.text),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        pyo3::types::PyString::new(py, &self.value.text).hash()
    }

    /// The pickled form.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (String, usize)>> {
        let this = slf.get();
        let make = slf.get_type().getattr("_restored")?;
        Ok((make, (json(&this.value)?, this.step)))
    }

    /// The value from its pickled form.
    #[staticmethod]
    fn _restored(json: &str, step: usize) -> PyResult<Self> {
        Ok(Self {
            value: read(json)?,
            step,
        })
    }
}

/// How a program ended.
#[pyclass(frozen, module = "codexec")]
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) ended: Ended,
}

#[pymethods]
impl Outcome {
    /// `finished`, `exited`, `raised`, `timeout`, `step_limit`, `instruction_limit`, `output_limit`, `trace_limit`,
    /// `memory_limit`, `killed` or `syntax_error`.
    #[getter]
    fn kind(&self) -> String {
        match serde_json::to_value(&self.ended) {
            Ok(json) => json["kind"].as_str().unwrap_or_default().to_owned(),
            Err(_) => String::new(),
        }
    }

    /// Class of the uncaught exception; `None` without one.
    #[getter]
    fn exception(&self) -> Option<&str> {
        match &self.ended {
            Ended::Raised { exception, .. } => Some(exception),
            Ended::SyntaxError { .. } => Some("SyntaxError"),
            _ => None,
        }
    }

    /// Its message, or why the program was stopped.
    #[getter]
    fn message(&self) -> Option<&str> {
        match &self.ended {
            Ended::Raised { message, .. } | Ended::SyntaxError { message, .. } => Some(message),
            Ended::Exited { text, .. } => Some(text),
            Ended::Killed { why } => Some(why),
            _ => None,
        }
    }

    /// Line at which it was raised, from 1.
    #[getter]
    fn line(&self) -> Option<u32> {
        match self.ended {
            Ended::Raised { line, .. } | Ended::SyntaxError { line, .. } => Some(line),
            _ => None,
        }
    }

    /// Index of the file of that line in `Trace.files`; 0 is the program itself.
    #[getter]
    fn file(&self) -> u32 {
        match self.ended {
            Ended::Raised { file, .. } => file,
            _ => 0,
        }
    }

    /// Index of the step at which it was raised; later steps are the unwinding.
    #[getter]
    fn step(&self) -> Option<u32> {
        match self.ended {
            Ended::Raised { step, .. } => step,
            _ => None,
        }
    }

    /// Exit status of the program, unless it is 0.
    #[getter]
    fn code(&self) -> Option<u8> {
        match self.ended {
            Ended::Exited { code, .. } => Some(code),
            _ => None,
        }
    }

    fn __str__(&self) -> String {
        codexec::cli::view::outcome_text(&self.ended)
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {}>", self.__str__())
    }

    /// Outcomes are equal to outcomes and to strings of the same kind.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match other.cast::<Self>() {
            Ok(other) => other.get().ended == self.ended,
            Err(_) => other
                .extract::<String>()
                .is_ok_and(|kind| kind == self.kind()),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        pyo3::types::PyString::new(py, &self.kind()).hash()
    }

    /// The pickled form.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py, (String,)>> {
        let make = slf.get_type().getattr("_restored")?;
        Ok((make, (json(&slf.get().ended)?,)))
    }

    /// The outcome from its pickled form.
    #[staticmethod]
    fn _restored(json: &str) -> PyResult<Self> {
        Ok(Self { ended: read(json)? })
    }
}

/// An exception that led to the one of the outcome.
#[pyclass(frozen, module = "codexec")]
#[derive(Debug)]
pub(crate) struct Cause {
    pub(crate) cause: codexec_trace::Cause,
    /// In words.
    pub(crate) text: String,
}

#[pymethods]
impl Cause {
    /// `cause` after `raise … from …`; `context` if the later exception was raised while this one was handled.
    #[getter]
    fn how(&self) -> &'static str {
        match self.cause.how {
            codexec_trace::Link::Cause => "cause",
            codexec_trace::Link::Context => "context",
        }
    }

    /// Class of the exception.
    #[getter]
    fn exception(&self) -> &str {
        &self.cause.exception
    }

    /// Its message.
    #[getter]
    fn message(&self) -> &str {
        &self.cause.message
    }

    /// Line at which it was raised, from 1; 0 if it never was.
    #[getter]
    fn line(&self) -> u32 {
        self.cause.line
    }

    /// Index of the file of that line in `Trace.files`; 0 is the program itself.
    #[getter]
    fn file(&self) -> u32 {
        self.cause.file
    }

    /// Index of the step at which it was raised.
    #[getter]
    fn step(&self) -> Option<u32> {
        self.cause.step
    }

    fn __repr__(&self) -> String {
        format!("<Cause {}>", self.text)
    }
}

/// Where an engine stopped, or an unknown module.
#[pyclass(frozen, module = "codexec")]
#[derive(Debug)]
pub(crate) struct Stopped {
    pub(crate) stopped: codexec::engine::Stopped,
}

#[pymethods]
impl Stopped {
    /// Line, from 1, if known.
    #[getter]
    fn line(&self) -> Option<u32> {
        self.stopped.line
    }

    /// Index of its file in `Trace.files`.
    #[getter]
    fn file(&self) -> u32 {
        self.stopped.file
    }

    /// Why, in words.
    #[getter]
    fn why(&self) -> &str {
        &self.stopped.why
    }

    fn __str__(&self) -> String {
        self.stopped.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Stopped {}>", self.stopped)
    }
}

/// One event of the program and the state after it.
#[pyclass(frozen, module = "codexec")]
#[derive(Debug)]
pub(crate) struct Step {
    trace: Arc<Inner>,
    /// Index in the trace.
    #[pyo3(get)]
    index: usize,
}

impl Step {
    fn step(&self) -> &trace::Step {
        &self.trace.trace().steps[self.index]
    }
}

/// Names and values as a dictionary.
fn dictionary<'py, 'v>(
    py: Python<'py>,
    values: impl Iterator<Item = (&'v str, &'v trace::Value)>,
    step: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for (name, value) in values {
        found.set_item(name, Value::of(value, step))?;
    }
    Ok(found)
}

#[pymethods]
impl Step {
    /// Line of the event, from 1.
    #[getter]
    fn line(&self) -> u32 {
        self.step().line
    }

    /// `call`, `line` or `return`.
    #[getter]
    fn event(&self) -> &'static str {
        match self.step().event {
            Event::Call => "call",
            Event::Line => "line",
            Event::Return => "return",
        }
    }

    /// Name of the function that the event is in; `<module>` at the top.
    #[getter]
    fn function(&self) -> &str {
        &self.step().function
    }

    /// Number of the program's own functions below this one; 0 in the module.
    #[getter]
    fn depth(&self) -> u32 {
        self.step().depth
    }

    /// Index of its file in `Trace.files`; 0 is the program itself.
    #[getter]
    fn file(&self) -> u32 {
        self.step().file
    }

    /// Number of the frame of `state`.
    #[getter]
    fn frame(&self) -> usize {
        self.trace.frames().of_state(self.index)
    }

    /// Text of the line, without its indentation.
    #[getter]
    fn source(&self) -> &str {
        self.trace.line(self.step().file, self.step().line)
    }

    /// Output of the step.
    #[getter]
    fn output(&self) -> &str {
        &self.step().output
    }

    /// All names of the frame and their values after the step: a new dictionary.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, self.step().state.iter(), self.index)
    }

    /// Names that the step bound or changed.
    #[getter]
    fn changes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let before = self.trace.before(self.index);
        let same = |name: &str, value: &trace::Value| {
            before.is_some_and(|state| state.get(name) == Some(value))
        };
        let state = self.step().state.iter();
        let changed = state.filter(|(name, value)| !same(name, value));
        dictionary(py, changed, self.index)
    }

    /// The value returned by a `return`.
    #[getter]
    fn value(&self) -> Option<Value> {
        let value = self.step().value.as_deref();
        value.map(|value| Value::of(value, self.index))
    }

    /// For predictions: the engine's probability of the step, in 0..=1.
    #[getter]
    fn confidence(&self) -> Option<f32> {
        self.step().confidence
    }

    fn __repr__(&self) -> String {
        let step = self.step();
        let source = self.trace.line(step.file, step.line);
        format!("<Step {} line {}: {source}>", self.index, step.line)
    }
}

/// The steps of a trace, made on demand.
#[pyclass(frozen, sequence, module = "codexec")]
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) trace: Arc<Inner>,
}

impl Steps {
    fn step(&self, index: usize) -> Step {
        Step {
            trace: Arc::clone(&self.trace),
            index,
        }
    }

    /// A walk over them.
    pub(crate) fn walk(&self) -> Walk {
        Walk {
            trace: Arc::clone(&self.trace),
            next: AtomicUsize::new(0),
        }
    }
}

#[pymethods]
impl Steps {
    fn __len__(&self) -> usize {
        self.trace.trace().steps.len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = self.__len__();
        if let Ok(slice) = index.cast::<PySlice>() {
            let range = slice.indices(count.cast_signed())?;
            let places = (0..range.slicelength)
                .map(|k| range.start + range.step * k.cast_signed())
                .filter_map(|at| usize::try_from(at).ok());
            let steps: Vec<Step> = places.map(|at| self.step(at)).collect();
            return Ok(PyList::new(py, steps)?.into_any());
        }
        let asked: isize = index.extract()?;
        let at = match asked {
            0.. => asked.unsigned_abs(),
            _ => count.wrapping_sub(asked.unsigned_abs()),
        };
        if at >= count {
            return Err(PyIndexError::new_err(format!(
                "step {asked} of a trace of {count} steps"
            )));
        }
        Ok(Bound::new(py, self.step(at))?.into_any())
    }

    fn __iter__(&self) -> Walk {
        self.walk()
    }

    fn __repr__(&self) -> String {
        match self.__len__() {
            1 => "<1 step>".to_owned(),
            count => format!("<{count} steps>"),
        }
    }
}

/// A walk over the steps.
#[pyclass(frozen, module = "codexec")]
#[derive(Debug)]
pub(crate) struct Walk {
    trace: Arc<Inner>,
    next: AtomicUsize,
}

#[pymethods]
impl Walk {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self) -> Option<Step> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let is_there = index < self.trace.trace().steps.len();
        is_there.then(|| Step {
            trace: Arc::clone(&self.trace),
            index,
        })
    }
}
