//! Methods of texts with other characters than those of ASCII. Cases are those of the Latin, Greek and Cyrillic scripts.

use unicode_general_category::{GeneralCategory as Category, get_general_category};

use super::Folded;
use super::texts::is_letter;
use crate::value::Value;

/// The first character whose case is not known here.
const END_OF_CASES: char = '\u{530}';

/// A method without arguments.
pub(super) fn plain(text: &str, name: &str) -> Folded {
    match name {
        "isdecimal" => all(text, |c| Some(category(c) == Category::DecimalNumber)),
        "isdigit" => all(text, is_digit),
        "isnumeric" => all(text, is_numeric),
        "isalnum" => all(text, |c| {
            if is_letter(&c) {
                Some(true)
            } else {
                is_numeric(c)
            }
        }),
        "isprintable" => Folded::bool(text.chars().all(is_printable)),
        "isidentifier" => identifier(text),
        _ if !text.chars().all(has_known_case) => Folded::Unknown,
        "casefold" => of(text.chars().map(folded).collect()),
        "islower" => Folded::bool(text.chars().any(is_lower) && !text.chars().any(is_upper)),
        "isupper" => Folded::bool(text.chars().any(is_upper) && !text.chars().any(is_lower)),
        "istitle" => title_case(text),
        // Its lower case depends on where it stands.
        _ if text.contains('Σ') => Folded::Unknown,
        "swapcase" => of(text.chars().map(swapped).collect()),
        "capitalize" => {
            let mut rest = text.chars();
            let first = rest.next().map(titled).unwrap_or_default();
            of(first + &rest.as_str().to_lowercase())
        }
        "title" => {
            let mut within = false;
            let title = text.chars().map(|c| {
                let changed = match within {
                    true => c.to_lowercase().collect(),
                    false => titled(c),
                };
                within = is_lower(c) || is_upper(c);
                changed
            });
            of(title.collect())
        }
        _ => Folded::Unknown,
    }
}

fn of(text: String) -> Folded {
    Folded::Value(Value::Str(text.into()))
}

/// The digit that a character of any script is. Those of a script stand together, from zero to nine.
pub(super) fn decimal_digit(c: char) -> Option<char> {
    let is_digit = |c: &char| category(*c) == Category::DecimalNumber;
    Some(c).filter(is_digit)?;
    let before = |code: u32| char::from_u32(code).filter(is_digit);
    let code = u32::from(c);
    let count = (1..).take_while(|back| code.checked_sub(*back).and_then(before).is_some());
    let place = u32::try_from(count.count()).ok()?;
    char::from_digit(place % 10, 10)
}

fn category(c: char) -> Category {
    get_general_category(c)
}

/// Whether all characters are something; unknown where that is not known of one.
fn all(text: &str, test: impl Fn(char) -> Option<bool>) -> Folded {
    let mut answers = text.chars().map(test);
    match answers.try_fold(true, |all, one| Some(all & one?)) {
        Some(all) => Folded::bool(all && !text.is_empty()),
        None => Folded::Unknown,
    }
}

fn is_digit(c: char) -> Option<bool> {
    match category(c) {
        Category::DecimalNumber => Some(true),
        Category::OtherNumber => match c {
            '²' | '³' | '¹' => Some(true),
            '¼' | '½' | '¾' => Some(false),
            _ => None,
        },
        _ => Some(false),
    }
}

fn is_numeric(c: char) -> Option<bool> {
    match category(c) {
        Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber => Some(true),
        // Some ideographs are numerals.
        Category::OtherLetter if c > '\u{3000}' => None,
        _ => Some(false),
    }
}

fn is_printable(c: char) -> bool {
    use Category::{
        Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, SpaceSeparator, Surrogate,
        Unassigned,
    };
    let hidden = [
        Control,
        Format,
        LineSeparator,
        ParagraphSeparator,
        PrivateUse,
        SpaceSeparator,
        Surrogate,
        Unassigned,
    ];
    c == ' ' || !hidden.contains(&category(c))
}

fn identifier(text: &str) -> Folded {
    if text
        .chars()
        .any(|c| matches!(c, '\u{b7}' | '\u{37a}' | '\u{387}') || c >= END_OF_CASES)
    {
        return Folded::Unknown;
    }
    let starts = |c: char| c == '_' || is_letter(&c);
    let goes_on = |c: char| {
        starts(c)
            || matches!(
                category(c),
                Category::NonspacingMark
                    | Category::SpacingMark
                    | Category::DecimalNumber
                    | Category::ConnectorPunctuation
            )
    };
    Folded::bool(text.starts_with(starts) && text.chars().all(goes_on))
}

/// Whether a character has the same case here and in CPython 3.11: ligatures, letters of several characters and those
/// whose case came with a later Unicode are left out.
fn has_known_case(c: char) -> bool {
    let odd = matches!(c, 'Ǆ'..='ǌ' | 'Ǳ'..='ǳ' | '\u{345}' | 'ͺ' | 'ŉ' | 'ǰ' | 'ΐ' | 'ΰ' | 'ƛ' | 'ɤ' | 'ʕ');
    let is_caseless = || {
        !is_lower(c)
            && !is_upper(c)
            && c.to_lowercase().eq([c])
            && c.to_uppercase().eq([c])
            && category(c) != Category::NonspacingMark
    };
    !odd && (c < END_OF_CASES || is_caseless())
}

fn is_lower(c: char) -> bool {
    c.is_lowercase()
}

fn is_upper(c: char) -> bool {
    c.is_uppercase()
}

fn titled(c: char) -> String {
    match c {
        'ß' => String::from("Ss"),
        _ => c.to_uppercase().collect(),
    }
}

fn swapped(c: char) -> String {
    match is_lower(c) {
        true => c.to_uppercase().collect(),
        false => c.to_lowercase().collect(),
    }
}

fn folded(c: char) -> String {
    let other = match c {
        'ß' => return String::from("ss"),
        'µ' => 'μ',
        'ſ' => 's',
        'ς' => 'σ',
        'ϐ' => 'β',
        'ϑ' => 'θ',
        'ϕ' => 'φ',
        'ϖ' => 'π',
        'ϰ' => 'κ',
        'ϱ' => 'ρ',
        'ϵ' => 'ε',
        c => c,
    };
    other.to_lowercase().collect()
}

fn title_case(text: &str) -> Folded {
    let (mut within, mut any) = (false, false);
    for c in text.chars() {
        if is_upper(c) == within && (is_upper(c) || is_lower(c)) {
            return Folded::bool(false);
        }
        within = is_upper(c) || is_lower(c);
        any |= within;
    }
    Folded::bool(any)
}
