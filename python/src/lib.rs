//! The native module of the Python package `codexec`: traces as objects, everything else as JSON strings that the
//! package turns into objects. Work is done with the GIL released, and ends early at Ctrl-C.

mod arrow;
mod cache;
mod command;
mod errors;
mod questions;
mod request;
mod step;
mod stream;
mod trace;
mod tracing;
mod waiting;

use pyo3::prelude::*;

/// Internals of the package; users import from `codexec`.
#[pymodule(gil_used = false)]
mod _codexec {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::arrow::{table_schema, table_stream};
    #[pymodule_export]
    use crate::command::{command, use_launcher};
    #[pymodule_export]
    use crate::errors::{CodexecError, EngineError, SandboxError};
    #[pymodule_export]
    use crate::questions::{check, compare, diff, guide, mutants, prefix, rerank, search};
    #[pymodule_export]
    use crate::step::{Cause, Outcome, Step, Steps, Stopped, Value};
    #[pymodule_export]
    use crate::stream::TraceStream;
    #[pymodule_export]
    use crate::trace::Trace;
    #[pymodule_export]
    use crate::tracing::trace_programs;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
