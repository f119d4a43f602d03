//! What can be changed in a draft so that a condition comes out differently.

use super::draft::{Draft, Value};

/// Something to change in a draft.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Change {
    /// The value under the first of these paths that the draft owns.
    Set(Vec<String>, Value),
    /// What a question about the value under one of these paths is answered.
    Answer(Vec<String>, String, i64),
}

impl Change {
    /// The paths that it is about.
    pub fn paths(&self) -> &[String] {
        match self {
            Self::Set(paths, _) | Self::Answer(paths, ..) => paths,
        }
    }

    /// Makes the change; false where the draft has no say.
    pub fn apply(&self, draft: &mut Draft) -> bool {
        match self {
            Self::Set(paths, value) => {
                let mut owned = paths
                    .iter()
                    .filter(|p| draft.owns(p))
                    .cloned()
                    .collect::<Vec<_>>();
                owned.truncate(2);
                for path in &owned {
                    draft.set(path, value.clone());
                }
                !owned.is_empty()
            }
            Self::Answer(paths, question, said) => {
                let mut owned = paths
                    .iter()
                    .filter(|p| draft.owns(p))
                    .cloned()
                    .collect::<Vec<_>>();
                owned.truncate(2);
                for path in &owned {
                    draft.set(path, Value::StandIn);
                    draft
                        .answers
                        .insert(format!("{path} {question}"), vec![*said]);
                }
                !owned.is_empty()
            }
        }
    }
}

/// Makes changes to one more element of what is gone through, so that the others stay as they are: what
/// is wanted of `rows[].kind` becomes `rows[2].kind`. False where nothing of it is about elements.
pub(super) fn apply_to_another(way: &[Change], draft: &mut Draft) -> bool {
    let Some(base) = way
        .iter()
        .flat_map(Change::paths)
        .filter(|p| draft.owns(p))
        .find_map(|p| p.rfind("[]").map(|at| p[..at].to_owned()))
    else {
        return false;
    };
    let mut items = match draft.values.get(&base) {
        Some(Value::List(items)) if items.len() < 24 => items.clone(),
        None | Some(Value::StandIn) => Value::items(2),
        _ => return false,
    };
    let (old, new) = (format!("{base}[]"), format!("{base}[{}]", items.len()));
    let moved = |paths: &[String]| -> Vec<String> {
        let paths = paths.iter().filter(|p| draft.owns(p));
        paths.map(|p| p.replacen(&old, &new, 1)).take(2).collect()
    };
    let mut value = Value::StandInAt(new.clone());
    let mut changes = Vec::new();
    for change in way {
        match change {
            Change::Set(paths, v) if paths.contains(&old) => value = v.clone(),
            Change::Set(paths, v) => changes.push(Change::Set(moved(paths), v.clone())),
            Change::Answer(paths, q, said) => {
                changes.push(Change::Answer(moved(paths), q.clone(), *said));
            }
        }
    }
    // The other wishes for elements hold for this one, too.
    let below = |path: &String| path.strip_prefix(&old).map(|rest| format!("{new}{rest}"));
    let values: Vec<_> = draft
        .values
        .iter()
        .filter_map(|(p, v)| Some((below(p)?, v.clone())))
        .collect();
    let answers: Vec<_> = draft
        .answers
        .iter()
        .filter_map(|(p, v)| Some((below(p)?, v.clone())))
        .collect();
    draft
        .values
        .extend(values.into_iter().filter(|(p, _)| *p != new));
    draft.answers.extend(answers);
    items.push(value);
    draft.values.insert(base, Value::List(items));
    for change in &changes {
        change.apply(draft);
    }
    true
}
