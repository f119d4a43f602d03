//! Requests from the package: programs and options as dictionaries, whose keys it has checked.

use std::path::PathBuf;
use std::time::Duration;

use codexec::engine::environment::{NotThere, Wanted};
use codexec::engine::{Need, Row, Settings, named};
use codexec::guide::GuideOptions;
use codexec_data::sandbox::{Limits, Packages, PoolConfig};
use codexec_data::sources::normalise_newlines;
use codexec_data::trace::Program;
use codexec_plan::machine::FoldLevel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A program.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    id: String,
    source: String,
    stdin: Option<String>,
    root: Option<PathBuf>,
    package: String,
    args: Vec<String>,
    env: Vec<(String, String)>,
}

impl From<Asked> for Program {
    fn from(asked: Asked) -> Self {
        Self {
            id: asked.id,
            source: Some(normalise_newlines(asked.source)),
            stdin: asked.stdin,
            root: asked.root,
            package: asked.package,
            arguments: asked.args,
            environment: asked.env,
            ..Self::default()
        }
    }
}

/// Settings of the answer.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    engine: String,
    max_steps: Option<u32>,
    max_trace: Option<usize>,
    timeout: Option<f64>,
    fold: String,
    beam: Option<usize>,
    inject: bool,
    references: bool,
    model: Option<String>,
    installed: bool,
    packages: Vec<String>,
    packages_dir: Vec<PathBuf>,
    path: Vec<PathBuf>,
    python: Option<PathBuf>,
    unsafe_no_sandbox: bool,
    seed: u64,
    workers: usize,
}

impl Options {
    /// The engine.
    pub(crate) fn row(&self) -> PyResult<&'static Row> {
        let wrong = || PyValueError::new_err(format!("no engine is called {:?}", self.engine));
        named(&self.engine).ok_or_else(wrong)
    }

    /// Programs processed in parallel; 0 for one per core.
    pub(crate) fn workers(&self) -> usize {
        self.workers
    }

    /// Whether a network answers, which takes its questions together.
    pub(crate) fn asks_network(&self) -> bool {
        match self.engine.as_str() {
            "plan" => self.fold != "methods" || self.model.is_some(),
            other => other == "whole",
        }
    }

    /// Maximum steps, if given.
    pub(crate) fn max_steps(&self) -> Option<u32> {
        self.max_steps
    }

    fn fold(&self) -> PyResult<FoldLevel> {
        match self.fold.as_str() {
            "methods" => Ok(FoldLevel::Methods),
            "operators" => Ok(FoldLevel::Operators),
            "nothing" => Ok(FoldLevel::Nothing),
            other => Err(PyValueError::new_err(format!(
                "fold is 'methods', 'operators' or 'nothing', and not {other:?}"
            ))),
        }
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            python: self.python.clone(),
            installed: self.installed,
            names: self.packages.clone(),
            directories: self.packages_dir.clone(),
            paths: self.path.clone(),
            ..Wanted::default()
        }
    }

    /// How missing values are injected.
    pub(crate) fn guide(&self) -> GuideOptions {
        let usual = GuideOptions::default();
        GuideOptions {
            seed: self.seed,
            time: self.time().unwrap_or(usual.time),
            ..usual
        }
    }

    fn time(&self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs_f64)
    }

    /// The sandbox for this many programs; `usual` holds the default limits.
    pub(crate) fn sandbox(&self, programs: usize, usual: Limits) -> Result<PoolConfig, NotThere> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let most = match self.workers {
            0 => cores,
            workers => workers,
        };
        Ok(PoolConfig {
            python: self.python.clone(),
            workers: most.min(programs).max(1),
            limits: Limits {
                max_steps: self.max_steps.unwrap_or(usual.max_steps),
                max_bytes: self.max_trace.unwrap_or(usual.max_bytes),
                wall: self.time().unwrap_or(usual.wall),
                cpu: self.time().unwrap_or(usual.cpu),
                ..usual
            },
            references: self.references,
            packages: self.wanted().packages()?,
            unsafe_no_sandbox: self.unsafe_no_sandbox,
            launcher: None,
        })
    }

    /// Settings of the engine for this many programs.
    ///
    /// # Errors
    /// If a named package does not exist, or a value is invalid.
    pub(crate) fn settings(&self, programs: usize) -> PyResult<Settings> {
        let not_there = |why: NotThere| crate::errors::raised(why);
        let sandbox = self
            .sandbox(programs, Limits::default())
            .map_err(not_there)?;
        let followed = match self.row()?.has(Need::Plan) {
            true => self.followed(&sandbox.packages).map_err(not_there)?,
            false => codexec::engine::project::Packages::default(),
        };
        Ok(Settings {
            model: self.model.clone(),
            widths: self.beam.into_iter().collect(),
            fold: self.fold()?,
            inject: self.inject,
            packages: followed,
            max_steps: sandbox.limits.max_steps as usize,
            plan_time: self.time(),
            guide: self.guide(),
            sandbox,
            ..Settings::default()
        })
    }

    fn followed(
        &self,
        packages: &Packages,
    ) -> Result<codexec::engine::project::Packages, NotThere> {
        self.wanted().followed(packages)
    }
}
