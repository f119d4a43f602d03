//! The plans for one source: the program with its input or injected ones, and calls of its functions.

use std::sync::Arc;

use codexec_data::errors::{Guess, plausible_inputs};
use codexec_data::trace::Program;

use super::accelerators::without_accelerators;
use super::calls::{calls_of, has_main};
use super::other_types::Doubt;
use crate::{Settings, Source};
use codexec_unknown::values::Predictor;

/// One program to plan.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// The program, of a call with lines behind the source's.
    pub program: Program,
    /// The injected values.
    pub made_up: MadeUp,
    /// Its part of the probability: the parts of one group add up to 1.
    pub weight: f64,
    /// The highest probability that an error of it may have.
    pub most: f64,
}

/// Injected values of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MadeUp {
    /// None: the input is given, or none is read.
    Nothing,
    /// The input; this many.
    Input(usize),
    /// The arguments of a call.
    Call {
        /// The function, which names the group.
        function: String,
        /// The call with its arguments.
        text: String,
        /// Types in each argument that no annotation names.
        guessed: Vec<Vec<&'static str>>,
        /// The arguments that are plain values, as `repr` writes them.
        values: Vec<String>,
        /// Byte at which the call begins.
        behind: usize,
        /// Omitted parameters that default to `None`.
        absent: Arc<[String]>,
        /// The same call with unknown arguments; `None` if it has none.
        unknown: Option<Arc<str>>,
        /// What calls the function with values of other types.
        other_types: Arc<[String]>,
        /// The same call with other values.
        other_values: Arc<[String]>,
        /// If this is one of those: what they are to show, for an error on which line.
        doubt: Option<(Doubt, u32)>,
        /// Needs of the function that no argument provides.
        nature: Nature,
    },
}

/// A function's needs that an injected call does not provide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Nature {
    /// It takes any number of arguments, and none were given for them.
    pub is_starred: bool,
    /// It takes any keywords, and none were given.
    pub takes_keywords: bool,
    /// It uses the exception being handled, and there is none.
    pub in_handlers: bool,
}

impl Nature {
    /// Whether that explains an error.
    pub(super) fn explains(self, exception: &str, message: &str) -> bool {
        let lacks_items = matches!(
            exception,
            "StopIteration" | "IndexError" | "ValueError" | "UnboundLocalError" | "RecursionError"
        ) || message.starts_with("unbound method ");
        self.is_starred && lacks_items
            || self.takes_keywords
                && matches!(
                    exception,
                    "KeyError" | "UnboundLocalError" | "StopIteration"
                )
            || self.in_handlers && message.starts_with("'NoneType' object ")
    }
}

/// The plans for a source that parses.
pub(super) fn asked_of(
    source: &Source,
    settings: &Settings,
    predictor: &dyn Predictor,
) -> Vec<Asked> {
    let text = without_accelerators(&source.text);
    let program = |stdin: Option<String>| Program {
        source: Some(text.clone()),
        stdin,
        behind: Some(text.len()),
        ..by_itself(source)
    };
    let guess = match &source.stdin {
        Some(_) => Ok(Guess::ReadsNothing),
        None => plausible_inputs(
            &source.text,
            source.description.as_deref(),
            settings.inputs,
            settings.seed,
        ),
    };
    let mut asked = Vec::new();
    let mut first = source.stdin.clone();
    match guess {
        Ok(Guess::Inputs(inputs)) if !inputs.is_empty() => {
            let count = inputs.len();
            first = inputs.first().cloned();
            asked.extend(inputs.into_iter().map(|input| Asked {
                program: program(Some(input)),
                made_up: MadeUp::Input(count),
                weight: 1.0 / count as f64,
                most: 1.0,
            }));
        }
        _ => asked.push(Asked {
            program: program(source.stdin.clone()),
            made_up: MadeUp::Nothing,
            weight: 1.0,
            most: 1.0,
        }),
    }
    if settings.calls {
        asked.extend(calls_of(source, &text, first, predictor));
    }
    asked
}

/// How a source is executed without its text: with a main part as by `python -m`; other modules of packages are
/// imported.
fn by_itself(source: &Source) -> Program {
    let mut program = as_module(source);
    let is_main = program.module.ends_with(".__main__");
    if is_main || has_main(&source.text) && !source.path.ends_with("__init__.py") {
        program.module.clear();
        let package = source.project.as_ref().map(|place| place.package.clone());
        program.package = package.unwrap_or_default();
    }
    program
}

/// How a source is executed where its functions are called, without its text: modules of packages are imported.
pub(super) fn as_module(source: &Source) -> Program {
    let mut program = Program {
        id: source.path.clone(),
        ..Program::default()
    };
    if let Some(place) = &source.project {
        program.root = Some(place.root.clone());
        program.module.clone_from(&place.module);
        if place.module.is_empty() {
            program.package.clone_from(&place.package);
        }
    }
    program
}
