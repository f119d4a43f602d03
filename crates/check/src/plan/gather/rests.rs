//! The evidence of a source's findings.

use std::path::Path;

use super::super::asked::MadeUp;
use crate::Source;
use crate::evidence::{Given, Surroundings};

/// The arguments of an injected call.
pub(super) fn given_to(made_up: &MadeUp) -> Option<Given> {
    let MadeUp::Call {
        function,
        text,
        nature,
        ..
    } = made_up
    else {
        return None;
    };
    let is_open = nature.is_starred || nature.takes_keywords;
    Some(
        match text.ends_with("()") && !function.contains('.') && !is_open {
            true => Given::Nothing,
            false => Given::Whatever,
        },
    )
}

/// Properties around the lines of a source.
pub(super) fn surroundings(source: &Source) -> Surroundings {
    let root = source.project.as_ref().map(|place| place.root.as_path());
    Surroundings::of(&source.text, Path::new(&source.path), root)
}
