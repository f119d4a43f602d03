//! Programs that print the same on the same inputs.

use std::collections::HashMap;

use serde::Serialize;

use crate::rerank::lines;
use codexec_engine::outputs::Told;

/// Programs that do the same, as far as their inputs show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// Their positions in the corpus, ascending.
    pub programs: Vec<usize>,
    /// The inputs that they were compared on.
    pub inputs: Vec<Option<String>>,
    /// Their outputs on the first of these.
    pub output: String,
    /// The minimum confidence of one of them, over all inputs.
    pub confidence: f32,
}

/// Groups of two or more programs with the same inputs and the same outputs, largest first. `told` has an answer for
/// each program and input. A program that does not finish on one of them, or is not known to, belongs to no group, and
/// neither does one that prints nothing.
///
/// ```
/// use codexec_engine::outputs::Told;
/// use codexec_eval::search::duplicates;
/// let prints = |text: &str| vec![Told::Printed { text: text.into(), confidence: 1.0 }];
/// let inputs = vec![vec![None]; 3];
/// let groups = duplicates(&inputs, &[prints("3\n"), prints("4"), prints("3")]);
/// assert_eq!(groups.len(), 1);
/// assert_eq!(groups[0].programs, [0, 2]);
/// ```
pub fn duplicates(inputs: &[Vec<Option<String>>], told: &[Vec<Told>]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: HashMap<(&[Option<String>], Vec<String>), usize> = HashMap::new();
    for (at, (inputs, told)) in inputs.iter().zip(told).enumerate() {
        let texts: Option<Vec<String>> = told.iter().map(|t| t.text().map(plain)).collect();
        let Some(texts) = texts.filter(|texts| texts.iter().any(|text| !text.is_empty())) else {
            continue;
        };
        let sure: f32 = told.iter().map(Told::confidence).product();
        let group = *places.entry((inputs, texts.clone())).or_insert_with(|| {
            groups.push(Group {
                programs: Vec::new(),
                inputs: inputs.clone(),
                output: texts.into_iter().next().unwrap_or_default(),
                confidence: 1.0,
            });
            groups.len() - 1
        });
        groups[group].programs.push(at);
        groups[group].confidence = groups[group].confidence.min(sure);
    }
    groups.retain(|group| group.programs.len() > 1);
    groups.sort_by_key(|group| std::cmp::Reverse(group.programs.len()));
    groups
}

/// Text without insignificant blanks at the ends of lines and of the whole.
fn plain(text: &str) -> String {
    lines(text).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_counts_and_what_is_not_known_is_in_no_group() {
        let prints = |text: &str, confidence| Told::Printed {
            text: text.to_owned(),
            confidence,
        };
        let unknown = Told::Unknown { why: String::new() };
        let input = |texts: &[&str]| -> Vec<Option<String>> {
            texts.iter().map(|text| Some((*text).to_owned())).collect()
        };
        let inputs = [
            input(&["1", "2"]),
            input(&["1", "2"]),
            input(&["1", "2"]),
            input(&["1", "3"]),
            input(&["1", "2"]),
            input(&["1", "2"]),
            input(&["1", "2"]),
        ];
        let told = [
            vec![prints("a", 0.9), prints("b", 0.5)],
            vec![prints("a \n", 1.0), prints("b\n\n", 1.0)],
            vec![prints("a", 1.0), prints("c", 1.0)],
            vec![prints("a", 1.0), prints("b", 1.0)],
            vec![prints("a", 1.0), unknown],
            vec![prints("", 1.0), prints("\n", 1.0)],
            vec![prints("", 1.0), prints("", 1.0)],
        ];
        let groups = duplicates(&inputs, &told);
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].programs, [0, 1]);
        assert_eq!(groups[0].output, "a");
        assert!((groups[0].confidence - 0.45).abs() < 1e-6);
    }
}
