//! Changes to a draft that give a condition another outcome.

use super::draft::{Draft, Home, Value, root_of};

/// A change to a draft.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Change {
    /// Sets the value under the first of these paths that the draft owns.
    Set(Vec<String>, Value),
    /// Sets the answer to a question about the value under one of these paths.
    Answer(Vec<String>, String, i64),
    /// Makes the values under the first paths the same object as a name among the second.
    Same(Vec<String>, Vec<String>),
}

impl Change {
    /// Returns the paths that it is about.
    pub(super) fn paths(&self) -> &[String] {
        match self {
            Self::Set(paths, _) | Self::Answer(paths, ..) | Self::Same(paths, _) => paths,
        }
    }

    /// Makes the change. Returns false if the draft does not decide the value.
    pub(super) fn apply(&self, draft: &mut Draft) -> bool {
        match self {
            Self::Set(paths, value) => {
                let owned = owned(paths, draft);
                for path in &owned {
                    draft.set(path, value.clone());
                }
                !owned.is_empty()
            }
            Self::Answer(paths, question, said) => {
                let owned = owned(paths, draft);
                for path in &owned {
                    draft.set(path, Value::StandIn);
                    draft
                        .answers
                        .insert(format!("{path} {question}"), vec![*said]);
                }
                !owned.is_empty()
            }
            Self::Same(paths, names) => {
                let is_bound = |name: &String| {
                    draft.roots.homes(name).any(|home| *home == Home::Name)
                        && !draft.imports.contains_key(name)
                };
                let name = names.iter().find(|n| is_bound(n)).cloned();
                // Names are bound first, so that their parts can refer to them.
                let part = |p: &&String| draft.owns(p) && root_of(p).len() < p.len();
                let mut parts: Vec<String> = paths.iter().filter(part).cloned().collect();
                parts.truncate(3);
                let Some(name) = name.filter(|_| !parts.is_empty()) else {
                    return false;
                };
                for path in &parts {
                    draft.set(path, Value::Code(name.clone()));
                }
                true
            }
        }
    }
}

/// Returns the first two of these paths that the draft owns.
fn owned(paths: &[String], draft: &Draft) -> Vec<String> {
    let owned = paths.iter().filter(|p| draft.owns(p));
    owned.take(2).cloned().collect()
}

/// Applies changes to one more element of an iterable, so that the others do not change: a change
/// of `rows[].kind` becomes one of `rows[2].kind`. Returns false if none of them is about elements.
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
    // An unpacked element keeps its parts.
    let mut value = match items.first() {
        Some(whole @ (Value::Tuple(_) | Value::List(_) | Value::Dict(_))) => whole.clone(),
        _ => Value::StandInAt(new.clone()),
    };
    let mut changes = Vec::new();
    for change in way {
        match change {
            Change::Set(paths, v) if paths.contains(&old) => value = v.clone(),
            Change::Set(paths, v) => changes.push(Change::Set(moved(paths), v.clone())),
            Change::Answer(paths, q, said) => {
                changes.push(Change::Answer(moved(paths), q.clone(), *said));
            }
            Change::Same(paths, names) => {
                changes.push(Change::Same(moved(paths), names.clone()));
            }
        }
    }
    // The other wishes for elements hold for this one too.
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
