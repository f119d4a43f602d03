//! `--set`: values that are given for what the program misses.

use codexec_data::trace::Program;
use codexec_page::Edit;

use super::super::warn;
use super::Traced;
use crate::engine::Answered;
use crate::engine::plan::given::{Given, Taken};

/// Values in place of those that would be made up.
#[derive(Debug, Clone, Default, clap::Args)]
pub(in crate::cli) struct GivenArgs {
    /// Give a value for what the program misses, in place of the one that would be made up: the line and what is missed
    /// there. `4:.count=5` is an attribute, `2:rows()=[]` what a call gives, `1:limit=3` a name; `[..., ...]` is a list of two
    /// made-up items. Can be repeated.
    #[arg(long, value_name = "LINE:WHAT=VALUE")]
    pub set: Vec<Given>,
}

impl GivenArgs {
    /// Says which values are not in the trace.
    pub(super) fn warn_of(&self, program: &Program, answered: &Answered) {
        for given in &self.set {
            if let Some(why) = unused(given, &given.taken(&answered.injected)) {
                warn(&format!("{}: --set {given}: {why}", program.id));
            }
        }
    }

    /// The same for a page. A value may be in one world alone.
    pub(super) fn edits(&self, one: &Traced<'_>) -> Vec<Edit> {
        let edit = |given: &Given| {
            let others = one.worlds.others().iter();
            let others = others.map(|(_, other)| &other.injected);
            let mut taken: Vec<Taken> = std::iter::once(&one.injected)
                .chain(others)
                .map(|made_up| given.taken(made_up))
                .collect();
            let rank = |taken: &Taken| match taken {
                Taken::Yes => 0,
                Taken::Other(_) => 1,
                Taken::No => 2,
            };
            taken.sort_by_key(rank);
            Edit {
                line: given.line,
                kind: given.used.as_str().to_owned(),
                what: given.name.clone(),
                value: given.text.clone(),
                option: given.to_string(),
                unused: taken.first().and_then(|taken| unused(given, taken)),
            }
        };
        self.set.iter().map(edit).collect()
    }
}

/// Why a value is not in a trace. `None`: it is.
fn unused(given: &Given, taken: &Taken) -> Option<String> {
    match taken {
        Taken::Yes => None,
        Taken::Other(text) => Some(format!(
            "what is made up there is {text}; {}",
            given.instead()
        )),
        Taken::No => Some("nothing is made up there".to_owned()),
    }
}
