//! Exceptions of the package. A program's outcome is never one of them: that is in its trace.

use codexec::Failure;
use codexec::engine::EngineError as AskError;
use codexec::engine::environment::NotThere;
use codexec::sandbox::SandboxError as NoSandbox;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(codexec, CodexecError, PyException, "What codexec raises.");
create_exception!(
    codexec,
    SandboxError,
    CodexecError,
    "Nothing can be executed: no Python, or too little isolation. The message has the next step."
);
create_exception!(
    codexec,
    EngineError,
    CodexecError,
    "An engine cannot be asked: a checkpoint, a package or a language model cannot be had."
);

/// The exception of a failure.
pub(crate) fn raised(failure: impl Into<Failure>) -> PyErr {
    match failure.into() {
        Failure::Sandbox(error) => sandbox(&error),
        Failure::Engine(AskError::Sandbox(error)) => sandbox(&error),
        Failure::Packages(NotThere::Sandbox(error)) => sandbox(&error),
        other => EngineError::new_err(chain(&other)),
    }
}

/// An exception about the machine, in the words of the package.
fn sandbox(error: &NoSandbox) -> PyErr {
    SandboxError::new_err(in_python(&error.to_string()))
}

/// The options of the command line, as this package calls them.
fn in_python(text: &str) -> String {
    [
        ("--unsafe-no-sandbox", "unsafe_no_sandbox=True"),
        ("--packages-dir", "packages_dir="),
        ("--root none", "root=False"),
        ("--packages:", "packages:"),
        ("--model", "model="),
        ("--python", "python="),
        ("--path", "path="),
        ("--root", "root="),
    ]
    .iter()
    .fold(text.to_owned(), |text, (option, name)| {
        text.replace(option, name)
    })
}

/// A failure with its causes, each once.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = error.source();
    }
    in_python(&text)
}

/// The exception of something that cannot happen.
pub(crate) fn unexpected(error: &impl std::fmt::Display) -> PyErr {
    CodexecError::new_err(format!("internal error: {error}"))
}
