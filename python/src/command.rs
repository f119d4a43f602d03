//! The command `codexec` as an entry point of the package.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use codexec::cli::{Host, main_in};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Runs the command line `arguments`, the program's name first; its exit status.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| {
        main_in(Host {
            arguments,
            single_threaded,
        })
    });
    (0..=u8::MAX)
        .find(|status| ExitCode::from(*status) == code)
        .unwrap_or(1)
}

/// Names the binary that becomes the sandbox.
#[pyfunction]
pub(crate) fn use_launcher(path: PathBuf) {
    codexec::sandbox::use_launcher(path);
}

/// The process is the interpreter's and cannot be restarted: the interpreter sets the variable before the matrix
/// library reads it.
fn single_threaded() -> anyhow::Result<()> {
    let set = |py: Python<'_>| -> PyResult<()> {
        let environment = py.import("os")?.getattr("environ")?;
        let values = PyDict::new(py);
        values.set_item("RAYON_NUM_THREADS", "1")?;
        environment.call_method1("update", (values,))?;
        Ok(())
    };
    Python::attach(set).map_err(|error| anyhow::anyhow!("{error}"))
}
