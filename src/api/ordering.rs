//! The generated programs of one problem, best first.

use super::Failure;
use crate::engine::outputs::Teller;
use crate::engine::{self, Row, Settings};
use crate::rerank::{Ranked, Test, rank};

/// Ranks generated programs by predicted output, without running them.
///
/// ```
/// let samples = ["print(int(input()) + 2)", "print(int(input()) * 2)"];
/// let order = codexec::rerank(samples).input("3\n", "6\n").order()?;
/// assert_eq!(order[0].sample, 1);
/// # Ok::<(), codexec::Failure>(())
/// ```
pub fn rerank<S: Into<String>>(samples: impl IntoIterator<Item = S>) -> RerankRequest {
    RerankRequest {
        samples: samples.into_iter().map(Into::into).collect(),
        tests: Vec::new(),
        row: &engine::plan::ROW,
        settings: Settings::default(),
    }
}

/// Programs with the same task, and tests for it.
#[derive(Debug, Clone)]
#[must_use = "a request asks nothing before `order`"]
pub struct RerankRequest {
    samples: Vec<String>,
    tests: Vec<Test>,
    row: &'static Row,
    settings: Settings,
}

impl RerankRequest {
    /// A test: the expected output for a standard input.
    pub fn input(self, stdin: impl Into<String>, expected: impl Into<String>) -> Self {
        self.test(Test::Input {
            stdin: stdin.into(),
            expected: Some(expected.into()),
        })
    }

    /// A test: the value of a call, both as Python source, as `f(2)` and `[1, 2]`.
    pub fn call(self, call: impl Into<String>, expected: impl Into<String>) -> Self {
        self.test(Test::Call {
            call: call.into(),
            expected: Some(expected.into()),
        })
    }

    /// A test of any kind. Tests without an expected result rank by agreement.
    pub fn test(mut self, test: Test) -> Self {
        self.tests.push(test);
        self
    }

    /// Another engine than `plan`, as [`engine::run::ROW`], and its settings.
    pub fn engine(mut self, row: &'static Row, settings: Settings) -> Self {
        self.row = row;
        self.settings = settings;
        self
    }

    /// The samples by their number, the best first, with reasons.
    ///
    /// # Errors
    /// [`Failure::Engine`] if nothing at all can be planned or run.
    pub fn order(self) -> Result<Vec<Ranked>, Failure> {
        let row = self.row;
        let engines = (row.open)(&self.settings)?;
        let engine = engines.first().ok_or(Failure::NoAnswer)?;
        let teller = Teller::new(row, engine.as_ref(), None)?;
        let program = |(at, sample): (usize, &String)| {
            let of_test =
                |(number, test): (usize, &Test)| test.program(&format!("{at}.{number}"), sample);
            self.tests
                .iter()
                .enumerate()
                .map(of_test)
                .collect::<Vec<_>>()
        };
        let programs: Vec<_> = self.samples.iter().enumerate().flat_map(program).collect();
        let told = teller.tell(&programs, &|_| {})?;
        let told: Vec<_> = match self.tests.len() {
            0 => vec![Vec::new(); self.samples.len()],
            count => told.chunks(count).map(<[_]>::to_vec).collect(),
        };
        Ok(rank(&self.tests, &told))
    }
}
