//! CPython executes the program in the sandbox: what really happens.

use codexec_data::sandbox::Pool;

use super::imports::run_with_imports;
use super::in_order::each;
use super::{Answered, Done, Engine, EngineError, Need, Question, Row, Settings};

/// Its row.
pub const ROW: Row = Row {
    name: "run",
    about: "CPython executes the program in the sandbox",
    needs: &[Need::Sandbox, Need::Modules, Need::Time],
    executes: true,
    by: codexec_data::trace::Engine::Run,
    imports_installed: false,
    open: |settings| Ok(vec![Box::new(Run::new(settings)?)]),
};

/// Runs programs.
struct Run {
    pool: Pool,
    workers: usize,
}

impl Run {
    fn new(settings: &Settings) -> Result<Self, EngineError> {
        Ok(Self {
            pool: Pool::new(settings.sandbox.clone())?,
            workers: settings.sandbox.workers,
        })
    }
}

impl Engine for Run {
    fn heading(&self) -> String {
        "run: no prediction, a check of the data".to_owned()
    }

    fn label(&self, question: &Question<'_>) -> String {
        let how = match question.lacks_imports {
            true => ", missing imports added",
            false => "",
        };
        format!("run: CPython {}{how}", self.pool.isolation().version)
    }

    fn answer(&self, question: &Question<'_>, done: &mut Done<'_>) -> Result<(), EngineError> {
        each(question.programs, self.workers, done, |program| {
            let trace = match question.lacks_imports {
                true => run_with_imports(&self.pool, program)?,
                false => self.pool.run(program)?,
            };
            Ok(Ok(Answered::certain(trace)))
        })
    }
}
