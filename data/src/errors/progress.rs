//! Progress of a build of error records.

use super::build::{ErrorConfig, Family};
use super::descriptions::Descriptions;
use crate::files::{Progress, build_name};
use crate::sources::CorpusProgram;

/// Results of a corpus's programs so far.
pub type ErrorProgress = Progress<Family>;

/// A name for all settings that decide the results of a corpus's programs.
#[must_use]
pub fn error_build(
    corpus: &[CorpusProgram],
    descriptions: &Descriptions,
    config: &ErrorConfig,
) -> String {
    // Balancing comes later.
    let config = ErrorConfig {
        balanced: false,
        ..config.clone()
    };
    let of_program = |program: &CorpusProgram| {
        let problem = program.problem.as_deref();
        let words = problem.and_then(|problem| descriptions.get(problem));
        let inputs = program.inputs(config.inputs);
        format!("{:?}", (&program.id, problem, &program.code, inputs, words))
    };
    build_name(std::iter::once(format!("{config:?}")).chain(corpus.iter().map(of_program)))
}
