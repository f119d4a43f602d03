//! Location and inputs of a record's program, like `--root`, `--env` and the arguments after `--` for a program on the
//! command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};

use super::lenient::{or_default, text_option};
use crate::trace::Program;

/// Fields of records, all optional: by default the program stands alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Directory of its project, relative to that of the file of records.
    #[serde(default, deserialize_with = "text_option")]
    pub root: Option<String>,
    /// Its `sys.argv[1:]`.
    #[serde(default, deserialize_with = "or_default")]
    pub arguments: Vec<String>,
    /// Environment variables in addition to the sandbox's, as `NAME=VALUE`.
    #[serde(default, deserialize_with = "variables")]
    pub environment: Vec<String>,
}

impl Standing {
    /// Places a program there; `file` is that of its record.
    ///
    /// # Errors
    /// If its root does not exist.
    pub fn equip(&self, program: &mut Program, file: &Path) -> Result<(), String> {
        program.root = self.root_beside(file)?;
        program.arguments.clone_from(&self.arguments);
        let pairs = self.environment.iter();
        let pairs = pairs.filter_map(|pair| pair.split_once('='));
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        program.environment = pairs.collect();
        Ok(())
    }

    /// The root without links.
    fn root_beside(&self, file: &Path) -> Result<Option<PathBuf>, String> {
        let Some(root) = &self.root else {
            return Ok(None);
        };
        let beside = file.parent().unwrap_or(Path::new("")).join(root);
        let beside = match beside.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => beside,
        };
        let real = beside.canonicalize();
        let real = real.map_err(|error| format!("root {}: {error}", beside.display()))?;
        match real.is_dir() {
            true => Ok(Some(real)),
            false => Err(format!("root {}: it is no directory", beside.display())),
        }
    }
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected names with texts, or a list of NAME=VALUE"
)]
enum Variables {
    Named(BTreeMap<String, String>),
    Listed(Vec<String>),
}

/// Variables as an object or as a list, or nothing.
pub(super) fn variables<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let pairs = match Option::<Variables>::deserialize(from)? {
        None => Vec::new(),
        Some(Variables::Listed(pairs)) => pairs,
        Some(Variables::Named(named)) => {
            let pairs = named.iter().map(|(name, value)| format!("{name}={value}"));
            pairs.collect()
        }
    };
    let is_pair = |pair: &String| pair.find('=').is_some_and(|at| at > 0) && !pair.contains('\0');
    match pairs.iter().find(|pair| !is_pair(pair)) {
        Some(wrong) => Err(Error::custom(format!(
            "environment: `{wrong}` is not NAME=VALUE"
        ))),
        None => Ok(pairs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_stand_where_their_records_say() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("shop")).unwrap();
        let file = place.path().join("set.jsonl");
        let read = |line: &str| serde_json::from_str::<Standing>(line);
        let stood = |line: &str| {
            let mut program = Program::default();
            read(line)
                .unwrap()
                .equip(&mut program, &file)
                .map(|()| program)
        };
        for line in [
            r#"{"root": "shop", "arguments": ["-n"], "environment": {"A": "b=c"}}"#,
            r#"{"root": "shop", "arguments": ["-n"], "environment": ["A=b=c"]}"#,
        ] {
            let program = stood(line).unwrap();
            let root = place.path().join("shop").canonicalize().unwrap();
            assert_eq!(program.root, Some(root));
            assert_eq!(program.arguments, ["-n"]);
            assert_eq!(program.environment, [("A".to_owned(), "b=c".to_owned())]);
        }
        assert!(stood("{}").unwrap().is_alone());
        assert!(
            stood(r#"{"root": null, "arguments": null, "environment": null}"#)
                .unwrap()
                .is_alone()
        );
        assert!(
            stood(r#"{"root": "nowhere"}"#)
                .unwrap_err()
                .contains("nowhere")
        );
        assert!(stood(r#"{"root": "set.jsonl"}"#).is_err());
        for wrong in [
            r#"{"environment": ["A"]}"#,
            r#"{"environment": ["=A"]}"#,
            r#"{"environment": 1}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
