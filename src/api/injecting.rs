//! One program with missing values: run with injected ones, compared with another version, or given a
//! prefix.

use codexec_data::sandbox::{Pool, PoolConfig};
use codexec_data::trace::Program;

use super::Failure;
use crate::guide::{self, ComparedVersions, GuideOptions, Guided};
use crate::prefix::{self, Found, PrefixOptions, generators::Rules};
use crate::values::predictors::standard;

fn program(source: impl Into<String>) -> Program {
    Program {
        id: "<string>".to_owned(),
        source: Some(source.into()),
        stdin: None,
        ..Program::default()
    }
}

fn pool() -> Result<Pool, Failure> {
    let config = PoolConfig {
        workers: 1,
        ..PoolConfig::default()
    };
    Ok(Pool::new(config)?)
}

/// Runs a program with missing values, which are predicted and injected (LExecutor).
///
/// ```no_run
/// codexec::sandbox::launcher_hook();
/// let guided = codexec::guide("total = price * 1.2\nprint(total)\n").run()?;
/// assert_eq!(guided.coverage.covered, 2);
/// # Ok::<(), codexec::Failure>(())
/// ```
pub fn guide(source: impl Into<String>) -> GuideRequest {
    GuideRequest {
        program: program(source),
        options: GuideOptions::default(),
    }
}

/// A program to run with injected values.
#[derive(Debug, Clone)]
#[must_use = "a request runs nothing before `run`"]
pub struct GuideRequest {
    program: Program,
    options: GuideOptions,
}

impl GuideRequest {
    /// Standard input; empty by default.
    pub fn input(mut self, text: impl Into<String>) -> Self {
        self.program.stdin = Some(text.into());
        self
    }

    /// How classes become values.
    pub fn options(mut self, options: GuideOptions) -> Self {
        self.options = options;
        self
    }

    /// The trace, the injected values, and the executed lines.
    ///
    /// # Errors
    /// [`Failure::Guide`] if the program is nested too deeply, [`Failure::Sandbox`] if nothing can be run.
    pub fn run(self) -> Result<Guided, Failure> {
        let predictor = standard();
        Ok(guide::guide(
            &pool()?,
            &self.program,
            predictor.as_ref(),
            &self.options,
        )?)
    }
}

/// Whether two versions of a program differ under the same injected values.
///
/// ```no_run
/// codexec::sandbox::launcher_hook();
/// let compared = codexec::diff("print(a + b)\n", "print(b + a)\n").compare()?;
/// println!("{:?}", compared.difference);
/// # Ok::<(), codexec::Failure>(())
/// ```
pub fn diff(old: impl Into<String>, new: impl Into<String>) -> DiffRequest {
    DiffRequest {
        old: program(old),
        new: program(new),
        options: GuideOptions::default(),
    }
}

/// Two versions to compare.
#[derive(Debug, Clone)]
#[must_use = "a request runs nothing before `compare`"]
pub struct DiffRequest {
    old: Program,
    new: Program,
    options: GuideOptions,
}

impl DiffRequest {
    /// Standard input of both; empty by default.
    pub fn input(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        self.new.stdin = Some(text.clone());
        self.old.stdin = Some(text);
        self
    }

    /// Runs both in the same worlds.
    ///
    /// # Errors
    /// The errors of [`GuideRequest::run`].
    pub fn compare(self) -> Result<ComparedVersions, Failure> {
        let predictor = standard();
        Ok(guide::compare(
            &pool()?,
            &self.old,
            &self.new,
            predictor.as_ref(),
            &self.options,
        )?)
    }
}

/// Code to put in front of a program so that as many of its lines as possible run (Treefix).
///
/// ```no_run
/// codexec::sandbox::launcher_hook();
/// let found = codexec::prefix("if user.is_admin:\n    print('yes')\n").find()?;
/// println!("{:?}", found.best());
/// # Ok::<(), codexec::Failure>(())
/// ```
pub fn prefix(source: impl Into<String>) -> PrefixRequest {
    PrefixRequest {
        program: program(source),
        options: PrefixOptions::default(),
    }
}

/// A program that needs a prefix.
#[derive(Debug, Clone)]
#[must_use = "a request runs nothing before `find`"]
pub struct PrefixRequest {
    program: Program,
    options: PrefixOptions,
}

impl PrefixRequest {
    /// Settings of the search.
    pub fn options(mut self, options: PrefixOptions) -> Self {
        self.options = options;
        self
    }

    /// The attempts, and the smallest set of prefixes that runs as much as all of them.
    ///
    /// # Errors
    /// [`Failure::Prefix`] if the program is nested too deeply, [`Failure::Sandbox`] if nothing can be run.
    pub fn find(self) -> Result<Found, Failure> {
        Ok(prefix::find(
            &pool()?,
            &self.program,
            &Rules::default(),
            &self.options,
        )?)
    }
}
