//! The problems' own words about their inputs, from a file of problems: JSON Lines with `input_desc`, and `problem_id`
//! or `group`.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use crate::sources::{JsonLines, SourceError};

/// Descriptions by problem.
#[derive(Debug, Clone, Default)]
pub struct Descriptions(HashMap<String, String>);

#[derive(Deserialize)]
struct Problem {
    problem_id: Option<String>,
    group: Option<String>,
    input_desc: Option<String>,
}

impl Descriptions {
    /// Reads a file of problems; those without a description are passed over.
    ///
    /// # Errors
    /// Names the file and the line.
    pub fn read(path: &Path) -> Result<Self, SourceError> {
        let mut found = HashMap::new();
        for problem in JsonLines::<Problem>::open(path)? {
            let problem = problem?;
            let Some(text) = problem.input_desc.filter(|text| !text.trim().is_empty()) else {
                continue;
            };
            for name in [problem.problem_id, problem.group].into_iter().flatten() {
                found.entry(name).or_insert_with(|| text.clone());
            }
        }
        Ok(Self(found))
    }

    /// The description of a problem: by its whole id, or without the part before the first colon.
    pub fn get(&self, problem: &str) -> Option<&str> {
        let short = problem.split_once(':').map(|(_, short)| short);
        let found = self.0.get(problem);
        let found = found.or_else(|| short.and_then(|short| self.0.get(short)));
        found.map(String::as_str)
    }

    /// Number of problem names with a description.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no problem has a description.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_found_under_either_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("problems.jsonl");
        let lines = r#"{"problem_id": "p1", "group": "c:p1", "input_desc": "N", "samples": []}
{"problem_id": "p2", "input_desc": " "}
{"problem_id": "p3"}
"#;
        std::fs::write(&path, lines).unwrap();
        let found = Descriptions::read(&path).unwrap();
        assert_eq!(
            (found.get("p1"), found.get("c:p1"), found.get("x:p1")),
            (Some("N"), Some("N"), Some("N"))
        );
        assert_eq!((found.get("p2"), found.len()), (None, 2));
    }
}
