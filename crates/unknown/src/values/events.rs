//! Value-use events: the class of the value that a name had at a place, as recorded in runs of
//! other programs (the paper's section 3.2), and their division into training and test data.
//!
//! Two parts are held out. *Packages*: every fifth package in alphabetical order, completely; this
//! is the honest figure, since the code of one project is alike. *Places*: one place in twenty of
//! the other packages, the paper's 95/5 split; all events of a place are in the same part.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Class;
use crate::analysis::Kind;

/// Characters of code kept on either side of a place.
pub const CONTEXT: usize = 220;

/// One in this many packages is held out.
const PACKAGES: usize = 5;
/// One in this many places of the other packages is held out.
const PLACES: u64 = 20;

/// One recorded use of a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueEvent {
    /// The package in which it was recorded.
    pub package: String,
    /// The file.
    #[serde(default)]
    pub file: String,
    /// Its line, 1-based.
    #[serde(default)]
    pub line: u32,
    /// The variable, attribute or function.
    pub name: String,
    /// How the value is used.
    #[serde(with = "kinds")]
    pub kind: Kind,
    /// The class of the value.
    pub value: Class,
    /// At most [`CONTEXT`] characters before the place.
    pub before: String,
    /// At most [`CONTEXT`] characters after the place.
    pub after: String,
}

/// Event records say `variable` for a name and `return value` for a call.
mod kinds {
    use super::Kind;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(kind: &Kind, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(match kind {
            Kind::Name => "variable",
            Kind::Attribute => "attribute",
            Kind::Call => "return value",
        })
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Kind, D::Error> {
        let text = String::deserialize(from)?;
        Ok(match text.as_str() {
            "variable" | "name" => Kind::Name,
            "attribute" => Kind::Attribute,
            "return value" | "call" => Kind::Call,
            _ => {
                let why = format!("`{text}` is no kind: variable, attribute or return value");
                return Err(D::Error::custom(why));
            }
        })
    }
}

/// The part that an event belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Training data.
    Train,
    /// A held-out place in a package that is trained on.
    Places,
    /// A held-out package.
    Packages,
}

/// Returns the part of each event. With fewer than five packages, none is held out.
pub fn divide(events: &[ValueEvent]) -> Vec<Part> {
    let packages: BTreeSet<&str> = events.iter().map(|e| e.package.as_str()).collect();
    let held_out: BTreeSet<&str> = match packages.len() {
        0..PACKAGES => BTreeSet::new(),
        _ => packages.into_iter().step_by(PACKAGES).collect(),
    };
    let part = |event: &ValueEvent| {
        if held_out.contains(event.package.as_str()) {
            Part::Packages
        } else if place(event).is_multiple_of(PLACES) {
            Part::Places
        } else {
            Part::Train
        }
    };
    events.iter().map(part).collect()
}

/// Returns a number that all events of a place share (`predictors/make_frequencies.py` computes the
/// same).
fn place(event: &ValueEvent) -> u64 {
    let ValueEvent {
        package,
        file,
        line,
        name,
        ..
    } = event;
    let hash = Sha256::digest(format!("{package}\t{file}\t{line}\t{name}"));
    hash[..8]
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(package: &str, line: u32) -> ValueEvent {
        ValueEvent {
            package: package.into(),
            file: "a.py".into(),
            line,
            name: "x".into(),
            kind: Kind::Name,
            value: Class::IntPos,
            before: String::new(),
            after: String::new(),
        }
    }

    #[test]
    fn every_fifth_package_and_a_twentieth_of_the_places_are_held_out() {
        let events: Vec<ValueEvent> = ["f", "a", "b", "c", "d", "e"]
            .iter()
            .flat_map(|package| (0..1000).map(|line| event(package, line)))
            .collect();
        let parts = divide(&events);
        let mut places = 0;
        for (event, part) in events.iter().zip(&parts) {
            let held_out = ["a", "f"].contains(&event.package.as_str());
            assert_eq!(held_out, *part == Part::Packages, "{}", event.package);
            places += usize::from(*part == Part::Places);
        }
        assert!((150..250).contains(&places), "{places} of 4,000");
        // Computed by the function in `make_frequencies.py`.
        assert_eq!(place(&event("a", 1)), 12_903_030_331_113_643_086);
        // Events of one place stay together.
        let other = ValueEvent {
            value: Class::None,
            ..events[1500].clone()
        };
        let twice = [&events[..], &[other]].concat();
        assert_eq!(divide(&twice).last(), Some(&parts[1500]));
    }

    #[test]
    fn the_events_of_one_package_are_all_for_learning_but_for_a_few_places() {
        let events: Vec<ValueEvent> = (0..200).map(|line| event("mine", line)).collect();
        let parts = divide(&events);
        assert!(!parts.contains(&Part::Packages));
        assert!(parts.contains(&Part::Places) && parts.contains(&Part::Train));
    }

    #[test]
    fn records_use_their_own_words_for_kinds() {
        let json = r#"{"package":"p","name":"f","kind":"return value","value":"int_pos","before":"f","after":""}"#;
        let event: ValueEvent = serde_json::from_str(json).unwrap();
        assert_eq!((event.kind, event.value), (Kind::Call, Class::IntPos));
        assert!(
            serde_json::to_string(&event)
                .unwrap()
                .contains("return value")
        );
        let wrong = json.replace("return value", "thing");
        let error = serde_json::from_str::<ValueEvent>(&wrong).unwrap_err();
        assert!(error.to_string().contains("`thing` is no kind"), "{error}");
    }
}
