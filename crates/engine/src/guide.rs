//! Executes the program in the sandbox with injected values
//! ([`guide`](mod@codexec_unknown::guide)).

use codexec_data::sandbox::Pool;

use super::in_order::each;
use super::{Answered, Done, Engine, EngineError, Need, Question, Row, Settings, Unanswered};
use codexec_unknown::guide::{GuideError, GuideOptions, guide};
use codexec_unknown::values::Predictor;
use codexec_unknown::values::predictors::standard;

/// Its row.
pub const ROW: Row = Row {
    name: "guide",
    about: "CPython executes it; missing values are injected (see `codexec guide`)",
    needs: &[Need::Sandbox, Need::Modules, Need::Time],
    executes: true,
    by: codexec_data::trace::Engine::Guide,
    imports_installed: true,
    open: |settings| Ok(vec![Box::new(Guide::new(settings)?)]),
};

/// Runs programs under guidance.
struct Guide {
    pool: Pool,
    workers: usize,
    predictor: Box<dyn Predictor>,
    options: GuideOptions,
}

impl Guide {
    fn new(settings: &Settings) -> Result<Self, EngineError> {
        Ok(Self {
            pool: Pool::new(settings.sandbox.clone())?,
            workers: settings.sandbox.workers,
            predictor: standard(),
            options: settings.guide.clone(),
        })
    }
}

impl Engine for Guide {
    fn heading(&self) -> String {
        "guide: run, with what is missing made up".to_owned()
    }

    fn label(&self, _question: &Question<'_>) -> String {
        format!("guide: {}", self.predictor.name())
    }

    fn answer(&self, question: &Question<'_>, done: &mut Done<'_>) -> Result<(), EngineError> {
        let predictor = self.predictor.as_ref();
        each(
            question.programs,
            self.workers,
            done,
            |program| match guide(&self.pool, program, predictor, &self.options) {
                Ok(guided) => Ok(Ok(Answered {
                    injected: guided.injected,
                    ..Answered::certain(guided.trace)
                })),
                Err(GuideError::Parse(error)) => Ok(Err(Unanswered::Unreadable(error))),
                Err(GuideError::Sandbox(error)) => Err(error.into()),
            },
        )
    }
}
