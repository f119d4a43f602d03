//! Methods of strings with characters beyond ASCII.

use super::Folded;
use super::characters::{Case, Property, is, push};
use crate::value::Value;

/// Folds a method without arguments.
pub(super) fn plain(text: &str, name: &str) -> Folded {
    let all = |property: Property| {
        Folded::bool(!text.is_empty() && text.chars().all(|c| is(c, property)))
    };
    match name {
        "isalpha" => all(Property::Letter),
        "isdecimal" => all(Property::Decimal),
        "isdigit" => all(Property::Digit),
        "isnumeric" => all(Property::Numeric),
        "isalnum" => Folded::bool(text.chars().all(is_alphanumeric)),
        "isprintable" => Folded::bool(text.chars().all(|c| is(c, Property::Printable))),
        "isidentifier" => {
            let begins = text.starts_with(|c| is(c, Property::Start));
            Folded::bool(begins && text.chars().all(|c| is(c, Property::Within)))
        }
        "islower" => Folded::bool(is_of(text, Property::Lower, Property::Upper)),
        "isupper" => Folded::bool(is_of(text, Property::Upper, Property::Lower)),
        "istitle" => Folded::bool(is_title(text)),
        "lower" => changed(text, |_, _| Some(Case::Lower)),
        "upper" => changed(text, |_, _| Some(Case::Upper)),
        "casefold" => {
            let mut out = String::with_capacity(text.len());
            text.chars().for_each(|c| push(&mut out, c, Case::Folded));
            of(out)
        }
        "swapcase" => changed(text, |_, c| match is(c, Property::Lower) {
            true => Some(Case::Upper),
            false if is(c, Property::Upper) => Some(Case::Lower),
            false => None,
        }),
        "capitalize" => changed(text, |at, _| match at {
            0 => Some(Case::Title),
            _ => Some(Case::Lower),
        }),
        "title" => {
            let mut within = false;
            changed(text, |_, c| {
                match std::mem::replace(&mut within, is(c, Property::Cased)) {
                    true => Some(Case::Lower),
                    false => Some(Case::Title),
                }
            })
        }
        _ => Folded::Unknown,
    }
}

fn of(text: String) -> Folded {
    Folded::Value(Value::Str(text.into()))
}

/// Converts each character to the case chosen by its byte index and itself. A character without a
/// case stays.
fn changed(text: &str, mut case: impl FnMut(usize, char) -> Option<Case>) -> Folded {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match case(at, c) {
            Some(Case::Lower) if c == 'Σ' && ends_word(text, at) => out.push('ς'),
            Some(case) => push(&mut out, c, case),
            None => out.push(c),
        }
    }
    of(out)
}

/// Whether the sigma at an index ends a word: it has a letter before it and none after it.
fn ends_word(text: &str, at: usize) -> bool {
    let counts = |c: &char| !is(*c, Property::Ignorable);
    let is_letter = |c: Option<char>| c.is_some_and(|c| is(c, Property::Cased));
    let after = &text[at + 'Σ'.len_utf8()..];
    is_letter(text[..at].chars().rev().find(counts)) && !is_letter(after.chars().find(counts))
}

/// Returns the digit for a decimal character of any script. The digits of a script are consecutive,
/// from zero to nine.
pub(super) fn decimal_digit(c: char) -> Option<char> {
    let is_digit = |c: &char| is(*c, Property::Decimal);
    Some(c).filter(is_digit)?;
    let before = |code: u32| char::from_u32(code).filter(is_digit);
    let code = u32::from(c);
    let count = (1..).take_while(|back| code.checked_sub(*back).and_then(before).is_some());
    let place = u32::try_from(count.count()).ok()?;
    char::from_digit(place % 10, 10)
}

fn is_alphanumeric(c: char) -> bool {
    [
        Property::Letter,
        Property::Decimal,
        Property::Digit,
        Property::Numeric,
    ]
    .into_iter()
    .any(|property| is(c, property))
}

/// Whether a text has letters of a case, and none of the other case or of title case.
fn is_of(text: &str, case: Property, other: Property) -> bool {
    text.chars().any(|c| is(c, case))
        && !text.chars().any(|c| is(c, other) || is(c, Property::Title))
}

fn is_title(text: &str) -> bool {
    let (mut within, mut any) = (false, false);
    for c in text.chars() {
        let is_large = is(c, Property::Upper) || is(c, Property::Title);
        let is_small = is(c, Property::Lower);
        if is_large && within || is_small && !within {
            return false;
        }
        within = is_large || is_small;
        any |= within;
    }
    any
}
