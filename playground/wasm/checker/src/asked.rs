//! Planning with what the command line has besides the planner: the predictors of missing values, values that are given in
//! place of those, and the network.

use std::sync::Arc;

use codexec_data::sandbox::Injected;
use codexec_engine::plan::given::Given;
use codexec_engine::plan::guesses;
use codexec_playground::{Answer, Fold, GivenValue, MadeUp, Request, answered, plan_with};
use serde::Serialize;

use crate::network::network;

/// An answer to `plan`, with what became of the values that were given.
#[derive(Debug, Serialize)]
struct Asked {
    #[serde(flatten)]
    answer: Answer,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edits: Vec<Edit>,
}

/// A given value.
#[derive(Debug, Serialize)]
struct Edit {
    #[serde(flatten)]
    given: GivenValue,
    /// Its command-line form.
    option: String,
    /// Why it is in no world.
    #[serde(skip_serializing_if = "Option::is_none")]
    unused: Option<String>,
}

/// The answer to a request, both as JSON.
pub(crate) fn answer(request: &[u8]) -> String {
    let request = serde_json::from_slice::<Request>(request);
    let request = request.map_err(|error| format!("the request cannot be read: {error}"));
    answered(request.and_then(|request| asked(&request)))
}

fn asked(request: &Request) -> Result<Asked, String> {
    let given = request.given.iter().map(|one| {
        Given::new(one.line, &one.kind, &one.what, &one.value).map_err(|error| error.to_string())
    });
    let given: Arc<[Given]> = given.collect::<Result<_, _>>()?;
    let guesses = guesses(&given);
    let answer = match request.fold {
        Fold::Methods => plan_with(request, guesses, None)?,
        Fold::Operators | Fold::Nothing => plan_with(request, guesses, Some(&mut network()?))?,
    };
    let worlds = std::iter::once(&answer.first).chain(&answer.others);
    let worlds: Vec<Vec<Injected>> = worlds
        .map(|world| world.made_up.iter().map(injected).collect())
        .collect();
    let edits = request.given.iter().zip(&*given).map(|(one, given)| Edit {
        given: one.clone(),
        option: given.to_string(),
        unused: given.unused(worlds.iter().map(Vec::as_slice)),
    });
    let edits = edits.collect();
    Ok(Asked { answer, edits })
}

/// A value that was made up, as guided execution reports it.
fn injected(one: &MadeUp) -> Injected {
    Injected {
        line: one.line,
        // A value is given for the program alone, so that which of its files it is does not matter.
        file: (one.file > 0).then(String::new),
        kind: one.kind.to_owned(),
        name: one.what.clone(),
        text: one.value.clone(),
        class: one.class.to_owned(),
        sure: one.sure,
    }
}
