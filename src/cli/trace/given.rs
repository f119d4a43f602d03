//! `--set`: given values for what the program misses.

use codexec_data::trace::Program;
use codexec_page::Edit;

use super::super::warn;
use super::Traced;
use crate::engine::Answered;
use crate::engine::plan::given::Given;

/// Given values that replace made-up ones.
#[derive(Debug, Clone, Default, clap::Args)]
pub(in crate::cli) struct GivenArgs {
    /// Replace a made-up value, named by its line and the missing expression: `4:.count=5` is an
    /// attribute, `2:rows()=[]` the result of a call, `1:limit=3` a name. `[..., ...]` is a list of
    /// two made-up items. Can be repeated.
    #[arg(long, value_name = "LINE:WHAT=VALUE")]
    pub set: Vec<Given>,
}

impl GivenArgs {
    /// Notes given values that the trace does not use.
    pub(super) fn warn_of(&self, program: &Program, answered: &Answered) {
        for given in &self.set {
            if let Some(why) = given.unused([answered.injected.as_slice()]) {
                warn(&format!("{}: --set {given}: {why}", program.id));
            }
        }
    }

    /// The same for a page. A value may occur in only one world.
    pub(super) fn edits(&self, one: &Traced<'_>) -> Vec<Edit> {
        let edit = |given: &Given| {
            let others = one.worlds.others().iter();
            let others = others.map(|(_, other)| other.injected.as_slice());
            let worlds = std::iter::once(one.injected.as_slice()).chain(others);
            Edit {
                line: given.line,
                kind: given.used.as_str().to_owned(),
                what: given.name.clone(),
                value: given.text.clone(),
                option: given.to_string(),
                unused: given.unused(worlds),
            }
        };
        self.set.iter().map(edit).collect()
    }
}
