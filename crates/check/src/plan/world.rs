//! Whether an error belongs to the program, or to assumed facts around it: no command-line arguments, no input, unset
//! environment variables, missing files, the time.
//!
//! A program that uses such a fact and ends in an error is planned again with it unknown. If it ends in the same error,
//! the fact has no part in it. If it does not, the error is a note. If planning stops because the fact decides, the
//! error belongs to a run without arguments, and so on: it is a note, and a finding with that condition of a tenth of
//! the probability (half of it if the time decides), unless the program itself refuses to run so.
//!
//! Injected values are treated the same way. With an unknown input the same error must occur; otherwise it is a note,
//! or keeps nine tenths of its probability if it is an error of types or of an unbound name, and half if it is a
//! division. An error of values in a call with injected arguments has at most a tenth if the call does not end so with
//! unknown ones, or if no other arguments were tried for it; one of types has at most 60 % there. The rest has the
//! figure of its evidence (`crate::evidence`).

use codexec_data::trace::Outcome;
use codexec_engine::{Answer, Answered, Assumed, Fact};

use super::asked::{Asked, MadeUp};
use super::state::{is_item_of_module, is_of_own_container};
use super::suppressions::{Bound, FILES, names_one_of};

/// Remaining share of the probability of an error that a fact may decide.
pub(super) const LEFT_OPEN: f64 = 0.5;

/// Remaining share for an error of types or a missing name with an injected input: of nineteen that were read eighteen
/// were true (`docs/results/check_verdicts.jsonl`).
pub(super) const FOR_TYPES: f64 = 0.9;

/// Maximum probability of an error of types that no other argument avoids, if the type of one is a guess: of seven that
/// were read two were true, and three open.
pub(super) const FOR_GUESSED_TYPES: f64 = 0.6;

/// Maximum probability of a missing name that a call reaches only with some arguments. The figure of its evidence
/// applies.
pub(super) const FOR_SOME: f64 = 0.99;

/// Maximum probability of an error in which every tried branch ends, if unknown values decide. No verdicts were read
/// yet.
pub(super) const FOR_EITHER_WAY: f64 = 0.9;

/// Remaining share for an error decided by injected arguments: of eighteen that were read none was true
/// (`docs/results/check_verdicts.jsonl`).
pub(super) const FOR_MADE_UP: f64 = 0.1;

/// Remaining share for an error that such facts may decide. Users run a program with its arguments, environment and
/// files: of eight errors without them that were read none was true.
pub(super) fn left_open(answered: &Answered, source: &str) -> f64 {
    let is_given = |one: &Assumed| !matches!(one.fact, Fact::Clock | Fact::Input);
    match answered.assumed.iter().any(is_given) {
        true => FOR_MADE_UP,
        false => left_by_input(answered, source),
    }
}

/// Remaining share for an error that an input, or the time, may decide.
pub(super) fn left_by_input(answered: &Answered, source: &str) -> f64 {
    let of_types = raises_one_of(answered, &OF_TYPES);
    match &answered.trace.outcome {
        // The input determines the count: of three that were read none was true.
        Outcome::Raised {
            exception, line, ..
        } if exception == "ZeroDivisionError" && is_behind_branch(source, *line) => FOR_MADE_UP,
        _ if of_types => FOR_TYPES,
        _ => LEFT_OPEN,
    }
}

/// Whether a line follows, or is in, a statement that the input may take along several paths.
fn is_behind_branch(source: &str, line: u32) -> bool {
    let above = source.lines().take(line.saturating_sub(1) as usize);
    let branches = ["if ", "elif ", "for ", "while ", "try:"];
    above
        .map(str::trim_start)
        .any(|text| branches.iter().any(|word| text.starts_with(word)))
}

/// Maximum names listed.
const MOST_NAMES: usize = 3;

/// The result of planning without the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judged {
    /// The error also occurs without them.
    Same,
    /// A fact decides whether it is.
    Open,
    /// It is gone.
    Other,
}

/// Compares a program's outcome with its outcome in unknown surroundings.
pub(super) fn judge(answered: &Answered, open: &Answer) -> Judged {
    match open {
        Ok(open) => judge_ended(answered, open),
        Err(_) => Judged::Open,
    }
}

/// [`judge`] for a program that was planned.
pub(super) fn judge_ended(answered: &Answered, open: &Answered) -> Judged {
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

/// Errors that values decide, rather than their types.
const OF_VALUES: [&str; 8] = [
    "IndexError",
    "KeyError",
    "ValueError",
    "ZeroDivisionError",
    "UnboundLocalError",
    "StopIteration",
    "OverflowError",
    "RecursionError",
];

/// Errors that types decide, or that are there for any value.
const OF_TYPES: [&str; 4] = [
    "AttributeError",
    "NameError",
    "TypeError",
    "UnboundLocalError",
];

/// Whether it is an unbound name.
pub(super) fn is_of_name(answered: &Answered) -> bool {
    raises_one_of(answered, &["NameError"])
}

/// Whether it is an error that values decide, rather than their types.
pub(super) fn is_of_values(answered: &Answered) -> bool {
    raises_one_of(answered, &OF_VALUES)
}

/// Whether the text of an input may decide an error: it is not an error of types, of an unbound name, or of a division.
/// Of six others that were read none was true (`docs/results/check_verdicts.jsonl`).
pub(super) fn may_be_of_input(answered: &Answered, bound: &Bound, source: &str) -> bool {
    // A name that is not in the program was read, and evaluated.
    let is_read = |message: &str| {
        let name = message.rsplit('\'').nth(1).unwrap_or_default();
        !source.contains(name)
    };
    match &answered.trace.outcome {
        Outcome::Raised {
            exception, message, ..
        } if exception == "NameError" => {
            let name = message.split('\'').nth(1).unwrap_or_default();
            bound.names.contains(name) || !source.contains(name)
        }
        Outcome::Raised {
            exception, message, ..
        } => {
            !["AttributeError", "TypeError", "ZeroDivisionError"].contains(&exception.as_str())
                // The result of a search in the text, and the text's length.
                || message.contains("NoneType")
                || message.starts_with("ord() expected a character")
                // Nothing is left of it.
                || message.contains(" empty ")
                // The number of parts of a line.
                || message.ends_with(" were given") || message.ends_with(" was given")
                || exception == "AttributeError"
                    && (is_read(message) || is_of_made_class(message, source))
        }
        _ => false,
    }
}

/// Whether an object whose class no statement of the source defines lacks an attribute, as with a named tuple whose
/// fields were read.
fn is_of_made_class(message: &str, source: &str) -> bool {
    let class = message.split('\'').nth(1).unwrap_or_default();
    class.starts_with(char::is_uppercase)
        && message.contains(" object has no attribute ")
        && !source.contains(&format!("class {class}"))
        && source.contains("namedtuple")
}

/// Whether a call is tried again with other values before such an error is reported (`other_values`).
pub(super) fn is_tried_again(answered: &Answered) -> bool {
    raises_one_of(answered, &["IndexError", "KeyError"])
}

/// Whether it is an error about `None`, the result of a search for an injected value.
fn is_of_none(answered: &Answered) -> bool {
    match &answered.trace.outcome {
        Outcome::Raised { message, .. } => message.contains("NoneType"),
        _ => false,
    }
}

/// Maximum probability of an error of items that other arguments also had: low unless it is a key of a dict that the
/// function made itself, or an index into a literal of the module. Of eight others that were read one was true.
pub(super) fn most_of_items(answered: &Answered, source: &str) -> f64 {
    match &answered.trace.outcome {
        Outcome::Raised {
            exception, line, ..
        } if exception == "KeyError" && is_of_own_container(source, *line)
            || exception == "IndexError" && is_item_of_module(source, *line) =>
        {
            LEFT_OPEN
        }
        _ => FOR_MADE_UP,
    }
}

fn raises_one_of(answered: &Answered, all: &[&str]) -> bool {
    match &answered.trace.outcome {
        Outcome::Raised { exception, .. } => all.contains(&exception.as_str()),
        _ => false,
    }
}

/// Whether an injected call ends in an error that its values may decide.
pub(super) fn is_call_of_values(asked: &Asked, answered: &Answered) -> bool {
    let MadeUp::Call {
        function,
        unknown,
        guessed,
        ..
    } = &asked.made_up
    else {
        return false;
    };
    // The arguments of an injected instance may be of another type.
    let of_instance = || made_of_guesses(answered, guessed);
    is_of_values(answered)
        || is_of_none(answered)
        || unknown.is_some() && function.contains('.') && of_instance()
}

/// Whether an injected call ends in an error of types, or of a name, that an argument of guessed type may decide.
pub(super) fn is_call_of_types(asked: &Asked, answered: &Answered) -> bool {
    match &asked.made_up {
        MadeUp::Call {
            unknown: Some(_),
            guessed,
            ..
        } => {
            is_of_name(answered)
                || !guessed.is_empty() && raises_one_of(answered, &["AttributeError", "TypeError"])
        }
        _ => false,
    }
}

/// Whether it is an error of types in constructing the instance whose method is called, and one of the types is a
/// guess.
fn made_of_guesses(answered: &Answered, guessed: &[Vec<&'static str>]) -> bool {
    let Outcome::Raised {
        exception, message, ..
    } = &answered.trace.outcome
    else {
        return false;
    };
    let is_guess = |word: &str| guessed.iter().flatten().any(|kind| *kind == word);
    let mut outermost = None;
    for step in answered.trace.until_raise() {
        match step.depth {
            0 => outermost = None,
            1 => outermost = Some(step.function.as_str()),
            _ => {}
        }
    }
    exception == "TypeError"
        && outermost == Some("__init__")
        && names_one_of(message, is_guess).is_some()
}

/// Whether it is the end of a missing input.
pub(super) fn lacks_input(answered: &Answered) -> bool {
    let Outcome::Raised { exception, .. } = &answered.trace.outcome else {
        return false;
    };
    exception == "EOFError" && answered.assumed.iter().any(|one| one.fact == Fact::Input)
}

/// For each fact, a note's text and the condition of an error; `{}` stands for the names.
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

/// The note about the facts.
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

/// Joins two conditions.
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
