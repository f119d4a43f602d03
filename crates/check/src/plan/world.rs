//! Whether an error is one of the program, or of facts around it that were taken for granted: no arguments on the command
//! line, no input, variables of the environment that are not set, files that are not there, the time.
//!
//! A program that looked at such a fact and ends in an error is planned again with nothing known of it. Where it ends in
//! the same error, the fact has no part in it. Where it does not, the error is a note. Where planning stops because the
//! fact decides, the error is one of a run without arguments, and so on: it is a note, and a finding with that condition of a
//! tenth of the probability (half of it where the time decides), unless the program refuses to run so by itself.
//!
//! The same is done with what was made up. With an unknown input the same error has to be there: else it is a note, or has nine
//! tenths of its probability where it is one of types or of a name that nothing binds, and half where it is one of a division. An
//! error of values of a call with made-up arguments has at most a tenth where the call does not end so with unknown ones, or where no
//! other arguments were tried for it; one of types has at most 60 % there. The rest has the figure of its evidence (`crate::evidence`).

use codexec_data::trace::Outcome;
use codexec_engine::{Answer, Answered, Assumed, Fact};

use super::asked::{Asked, MadeUp};
use super::state::{is_item_of_module, is_of_own_container};
use super::suppressions::{Bound, FILES, names_one_of};

/// What is left of the probability of an error that a fact may decide.
pub(super) const LEFT_OPEN: f64 = 0.5;

/// What is left of that of an error of types or of a missing name for a made-up input: of nineteen that were read eighteen were
/// true (`docs/results/check_verdicts.jsonl`).
pub(super) const FOR_TYPES: f64 = 0.9;

/// How probable an error of types is at most that no other argument avoids, where the type of one is a guess: of seven that were
/// read two were true, and three open.
pub(super) const FOR_GUESSED_TYPES: f64 = 0.6;

/// How probable a missing name is at most that a call reaches with some arguments only. The figure of its evidence says it.
pub(super) const FOR_SOME: f64 = 0.99;

/// Maximum probability of an error in which every branch that was tried ends, if unknown values decide. No verdicts were read yet.
pub(super) const FOR_EITHER_WAY: f64 = 0.9;

/// What is left of that of an error which made-up arguments decide: of eighteen that were read none was true
/// (`docs/results/check_verdicts.jsonl`).
pub(super) const FOR_MADE_UP: f64 = 0.1;

/// What is left of the probability of an error that such facts may decide. Whoever runs a program gives it its arguments, its
/// environment and its files: of eight errors without them that were read none was true.
pub(super) fn left_open(answered: &Answered, source: &str) -> f64 {
    let is_given = |one: &Assumed| !matches!(one.fact, Fact::Clock | Fact::Input);
    match answered.assumed.iter().any(is_given) {
        true => FOR_MADE_UP,
        false => left_by_input(answered, source),
    }
}

/// What is left of the probability of an error that an input, or the time, may decide.
pub(super) fn left_by_input(answered: &Answered, source: &str) -> f64 {
    let of_types = raises_one_of(answered, &OF_TYPES);
    match &answered.trace.outcome {
        // How many were counted the input says: of three that were read none was true.
        Outcome::Raised {
            exception, line, ..
        } if exception == "ZeroDivisionError" && is_behind_branch(source, *line) => FOR_MADE_UP,
        _ if of_types => FOR_TYPES,
        _ => LEFT_OPEN,
    }
}

/// Whether a line stands behind, or in, a statement that the input may lead through in several ways.
fn is_behind_branch(source: &str, line: u32) -> bool {
    let above = source.lines().take(line.saturating_sub(1) as usize);
    let branches = ["if ", "elif ", "for ", "while ", "try:"];
    above
        .map(str::trim_start)
        .any(|text| branches.iter().any(|word| text.starts_with(word)))
}

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

/// Whether it is a name that nothing binds.
pub(super) fn is_of_name(answered: &Answered) -> bool {
    raises_one_of(answered, &["NameError"])
}

/// Whether it is an error that values decide, rather than their types.
pub(super) fn is_of_values(answered: &Answered) -> bool {
    raises_one_of(answered, &OF_VALUES)
}

/// Whether the text of an input may decide an error: it is none of types, of a name that nothing binds, or of a division. Of six
/// others that were read none was true (`docs/results/check_verdicts.jsonl`).
pub(super) fn may_be_of_input(answered: &Answered, bound: &Bound, source: &str) -> bool {
    // A name that stands nowhere in the program was read, and evaluated.
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
                // What a search for the text finds, and how long the text is.
                || message.contains("NoneType")
                || message.starts_with("ord() expected a character")
                // Nothing is left of it.
                || message.contains(" empty ")
                // How many parts a line has.
                || message.ends_with(" were given") || message.ends_with(" was given")
                || exception == "AttributeError"
                    && (is_read(message) || is_of_made_class(message, source))
        }
        _ => false,
    }
}

/// Whether an attribute is missing of an object whose class no statement of the source defines, as that of a named tuple, whose
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

/// Whether it is an error of `None`, which a search for a made-up value gives.
fn is_of_none(answered: &Answered) -> bool {
    match &answered.trace.outcome {
        Outcome::Raised { message, .. } => message.contains("NoneType"),
        _ => false,
    }
}

/// How probable an error of items is at most that other arguments had as well: little unless it is a key of a dict that the
/// function made itself, or an index into what the module has. Of eight others that were read one was true.
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

/// Whether a made-up call ends in an error that its values may decide.
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
    // What a made-up instance was given may be of another type.
    let of_instance = || made_of_guesses(answered, guessed);
    is_of_values(answered)
        || is_of_none(answered)
        || unknown.is_some() && function.contains('.') && of_instance()
}

/// Whether a made-up call ends in an error of types, or of a name, that an argument may decide whose type is a guess.
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

/// Whether it is an error of types in making the instance whose method is called, and one of the types is a guess.
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
