//! Whether an error is one of the program, or of facts around it that were taken for granted: no arguments on the command
//! line, no input, variables of the environment that are not set, files that are not there, the time.
//!
//! A program that looked at such a fact and ends in an error is planned again with nothing known of it. Where it ends in
//! the same error, the fact has no part in it. Where it does not, the error is a note. Where planning stops because the
//! fact decides, the error is one of a run without arguments, and so on: it is reported with that condition, and half as
//! probable, unless the program refuses to run so by itself.
//!
//! The same is done with an input that was made up: an error that is not there with an unknown one is half as probable, and
//! one that such an input may decide a little less.

use codexec_data::trace::Outcome;
use codexec_engine::{Answer, Answered, Assumed, Fact};

use super::suppressions::FILES;

/// What is left of the probability of an error that a fact may decide.
pub(super) const LEFT_OPEN: f64 = 0.5;

/// What is left of that of an error which may be one of a made-up input alone.
pub(super) const FOR_INPUT: f64 = 0.85;

/// Names that are told, at most.
const MOST_NAMES: usize = 3;

/// What planning without the facts says of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judged {
    /// It is there without them, too.
    Same,
    /// A fact decides whether it is.
    Open,
    /// It is gone.
    Other,
}

/// Compares how a program ends with how it ends where nothing is known of what surrounds it.
pub(super) fn judge(answered: &Answered, open: &Answer) -> Judged {
    let Ok(open) = open else {
        return Judged::Open;
    };
    if open.stopped.is_some() {
        return Judged::Open;
    }
    match (&answered.trace.outcome, &open.trace.outcome) {
        (
            Outcome::Raised {
                exception,
                line,
                file,
                ..
            },
            Outcome::Raised {
                exception: other,
                line: at,
                file: of,
                ..
            },
        ) if exception == other && line == at => {
            let path = |answered: &Answered, file: u32| {
                let file = answered.trace.files.get(file as usize);
                file.map(|file| file.path.clone())
            };
            match path(answered, *file) == path(open, *of) {
                true => Judged::Same,
                false => Judged::Other,
            }
        }
        (_, Outcome::Raised { .. } | Outcome::Finished | Outcome::Exited { .. }) => Judged::Other,
        _ => Judged::Open,
    }
}

/// Whether it is the end of an input that was not given.
pub(super) fn lacks_input(answered: &Answered) -> bool {
    let Outcome::Raised { exception, .. } = &answered.trace.outcome else {
        return false;
    };
    exception == "EOFError" && answered.assumed.iter().any(|one| one.fact == Fact::Input)
}

/// Of each fact what a note says, and the condition of an error; `{}` stands for the names.
const IN_WORDS: [(Fact, &str, &str); 5] = [
    (
        Fact::Arguments,
        "it reads arguments of the command line, and there are none",
        "without arguments on the command line",
    ),
    (
        Fact::Input,
        "it reads standard input, and none is given",
        "without an input",
    ),
    (
        Fact::Environment,
        "it reads {} of the environment, which is not known",
        "where {} is not set",
    ),
    (Fact::Files, FILES, "where {} is not there"),
    (
        Fact::Clock,
        "it reads the clock",
        "when the clock says 2020-01-01",
    ),
];

/// What a note says of the facts.
pub(super) fn words(assumed: &[Assumed]) -> String {
    said(assumed, |(_, note, _)| note).join("; ")
}

/// The condition of an error; `None` without facts.
pub(super) fn condition(assumed: &[Assumed]) -> Option<String> {
    let parts = said(assumed, |(_, _, condition)| condition);
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn said(
    assumed: &[Assumed],
    part: impl Fn((Fact, &'static str, &'static str)) -> &'static str,
) -> Vec<String> {
    let all = IN_WORDS
        .into_iter()
        .filter(|(fact, ..)| assumed.iter().any(|one| one.fact == *fact));
    all.map(|row| part(row).replace("{}", &names(assumed, row.0)))
        .collect()
}

/// One condition and another.
pub(super) fn joined(one: Option<String>, other: Option<String>) -> Option<String> {
    match (one, other) {
        (Some(one), Some(other)) => Some(format!("{one}, {other}")),
        (one, other) => one.or(other),
    }
}

fn names(assumed: &[Assumed], fact: Fact) -> String {
    let all: Vec<&str> = assumed
        .iter()
        .filter(|one| one.fact == fact)
        .map(|one| one.what.rsplit('/').next().unwrap_or_default())
        .collect();
    let more = if all.len() > MOST_NAMES { ", …" } else { "" };
    format!("{}{more}", all[..all.len().min(MOST_NAMES)].join(", "))
}
