//! ORCA's data sets and the predictions stored beside them, in the authors' format: JSON objects by
//! id of program, gzipped or not. Nothing is judged here, and states are not moved to their lines.

use std::collections::BTreeMap;
use std::io::{BufRead, Read};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{SourceError, io_error, open_lines};
use crate::files::open_packed;

/// Larger sets are not ORCA's: an endless file must not fill the memory.
const MOST_BYTES: u64 = 512 << 20;

/// Of a first line that may be a record, no more is looked at.
const LONGEST_RECORD: u64 = 4 << 20;

/// The state at one entry of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrcaState {
    /// The line as stored. `None` if the file has none.
    pub line: Option<u32>,
    /// Values by name, as text.
    pub values: BTreeMap<String, String>,
}

/// A program of ORCA's data sets with its true trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrcaProgram {
    /// Problem and submission, as `p00002_s198858647`.
    pub id: String,
    /// Its text.
    pub code: String,
    /// Lines in execution order, 1-based, with consecutive equal ones merged.
    pub order: Vec<u32>,
    /// The states, at the lines of the file that was run: the program was inside a function there,
    /// so that they are off by one, or by more after imports.
    pub states: Vec<OrcaState>,
    /// Class of the exception it raised.
    pub raised: Option<String>,
    /// Blocks in the order they run.
    pub blocks: Vec<u32>,
    /// What holds after each of [`Self::blocks`], as stored; mostly what held a little before.
    pub block_states: Vec<BTreeMap<String, String>>,
    /// First and last line of each block, where lines without a statement (`else:`) do not count.
    pub block_lines: BTreeMap<u32, (u32, u32)>,
}

impl OrcaProgram {
    /// The lines of a path of blocks, whole blocks in sequence; unknown blocks have none.
    pub fn lines_of(&self, blocks: &[u32]) -> Vec<u32> {
        let known = blocks.iter().filter_map(|b| self.block_lines.get(b));
        known.flat_map(|(first, last)| *first..=*last).collect()
    }
}

/// Predictions for a set.
#[derive(Debug, Clone, PartialEq)]
pub enum OrcaPredictions {
    /// Lines and states by id, as a predictor of statements stores them.
    Statements(BTreeMap<String, StatementPrediction>),
    /// Blocks by id, as ORCA stores them.
    Blocks(BTreeMap<String, BlockPrediction>),
}

/// A stored prediction of lines and states.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct StatementPrediction {
    /// Lines in the order they are predicted to run, 1-based.
    pub execution_order: Vec<u32>,
    /// States, each after a line.
    #[serde(default)]
    pub symbol_table: Vec<StoredState>,
    /// Whether the program is predicted to raise, if known.
    #[serde(default)]
    pub is_error: Option<bool>,
    /// The line of the exception, if known.
    #[serde(default)]
    pub error_line: Option<u32>,
}

/// A stored state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct StoredState {
    /// 1-based.
    pub line: u32,
    /// Values by name; an empty string in some files if there are none.
    #[serde(deserialize_with = "values_or_nothing")]
    pub symbol_table: BTreeMap<String, String>,
}

/// A stored prediction of blocks. Everything is missing where the model gave no answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlockPrediction {
    /// Blocks in the order they are predicted to run.
    pub blocks: Vec<u32>,
    /// Whether the program is predicted to raise.
    pub is_error: Option<bool>,
    /// The block predicted to raise.
    pub error_block: Option<u32>,
    /// The class of the exception, if one is predicted.
    pub error_type: Option<String>,
    /// All that the model replied; empty where the file does not have it.
    pub reply: String,
}

/// Whether a file is read as one of ORCA's: `.json` or `.json.gz`, unless its first line is a record.
pub fn is_orca_file(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str());
    let is_named = name.is_some_and(|n| n.ends_with(".json") || n.ends_with(".json.gz"));
    is_named && !begins_with_a_record(path)
}

fn begins_with_a_record(path: &Path) -> bool {
    let mut line = Vec::new();
    let read =
        open_lines(path).map(|lines| lines.take(LONGEST_RECORD).read_until(b'\n', &mut line));
    let record = serde_json::from_slice::<Map<String, Value>>(&line);
    matches!(read, Ok(Ok(_))) && record.is_ok_and(|r| r.get("code").is_some_and(Value::is_string))
}

/// Reads a data set, in the order of the file.
///
/// # Errors
/// If the file cannot be read or is not a data set of ORCA.
pub fn read_orca_set(path: &Path) -> Result<Vec<OrcaProgram>, SourceError> {
    let programs = objects(path)?.into_iter();
    let read = programs.map(|(id, value)| {
        let raw: RawProgram = parse(path, &id, value)?;
        Ok(raw.program(id))
    });
    read.collect()
}

/// Reads stored predictions; which of the two shapes they have is seen from the first.
///
/// # Errors
/// If the file cannot be read or holds predictions of neither shape.
pub fn read_orca_predictions(path: &Path) -> Result<OrcaPredictions, SourceError> {
    let found = objects(path)?;
    let flat = found
        .values()
        .next()
        .is_none_or(|v| v.get("execution_order").is_some());
    if flat {
        let read = found.into_iter().map(|(id, value)| {
            let prediction = parse(path, &id, value)?;
            Ok((id, prediction))
        });
        return read
            .collect::<Result<_, _>>()
            .map(OrcaPredictions::Statements);
    }
    let mut all = BTreeMap::new();
    for (problem, value) in found {
        let submissions: Map<String, Value> = parse(path, &problem, value)?;
        for (submission, value) in submissions {
            let id = format!("{problem}_{submission}");
            let raw: RawAnswer = parse(path, &id, value)?;
            all.insert(id, raw.prediction());
        }
    }
    Ok(OrcaPredictions::Blocks(all))
}

fn unreadable(path: &Path, message: String) -> SourceError {
    SourceError::Unreadable {
        path: path.to_owned(),
        message,
    }
}

/// The JSON object that a file holds.
fn objects(path: &Path) -> Result<Map<String, Value>, SourceError> {
    let file = open_packed(path).map_err(io_error(path))?;
    let mut bytes = Vec::new();
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(io_error(path))?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("more than {} MiB of JSON", MOST_BYTES >> 20);
        return Err(unreadable(path, message));
    }
    let unmarked = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    serde_json::from_slice(unmarked).map_err(|error| {
        let message = format!("{error}; a .json file must be one of ORCA's: an object by id");
        unreadable(path, message)
    })
}

fn parse<T: serde::de::DeserializeOwned>(
    path: &Path,
    id: &str,
    value: Value,
) -> Result<T, SourceError> {
    serde_json::from_value(value).map_err(|error| {
        let message = format!("`{id}`: {error}; is it one of ORCA's files?");
        unreadable(path, message)
    })
}

#[derive(Deserialize)]
struct RawProgram {
    code: String,
    ground_truth_execution_order: Vec<u32>,
    #[serde(default)]
    final_trace: Vec<RawState>,
    #[serde(default)]
    exception_info: Option<RawException>,
    #[serde(default)]
    ground_truth_blocks: Vec<RawBlock>,
    #[serde(default)]
    cfg_block_range: BTreeMap<u32, RawRange>,
}

#[derive(Deserialize)]
struct RawState {
    line: Option<u32>,
    var_val: Vec<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct RawException {
    class: String,
}

#[derive(Deserialize)]
struct RawBlock {
    block: u32,
    #[serde(default)]
    state: Vec<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct RawRange {
    range: (u32, u32),
}

impl RawProgram {
    fn program(self, id: String) -> OrcaProgram {
        let states = self.final_trace.into_iter().map(|entry| OrcaState {
            line: entry.line,
            values: entry.var_val.into_iter().flatten().collect(),
        });
        let ranges = self.cfg_block_range.into_iter();
        OrcaProgram {
            id,
            code: self.code,
            order: self.ground_truth_execution_order,
            states: states.collect(),
            raised: self.exception_info.map(|e| class_name(&e.class).to_owned()),
            blocks: self.ground_truth_blocks.iter().map(|b| b.block).collect(),
            block_states: (self.ground_truth_blocks.into_iter())
                .map(|b| b.state.into_iter().flatten().collect())
                .collect(),
            block_lines: ranges.map(|(block, r)| (block, r.range)).collect(),
        }
    }
}

/// `TypeError` of `<class 'TypeError'>`.
fn class_name(shown: &str) -> &str {
    let inner = shown.strip_prefix("<class '");
    inner.and_then(|s| s.strip_suffix("'>")).unwrap_or(shown)
}

#[derive(Deserialize)]
struct RawAnswer {
    #[serde(default)]
    accuracy: Map<String, Value>,
    #[serde(default)]
    pred: Map<String, Value>,
    #[serde(default)]
    output: String,
}

impl RawAnswer {
    fn prediction(&self) -> BlockPrediction {
        let number = |v: &Value| match v {
            Value::String(text) => text.trim().parse().ok(),
            other => other.as_u64().and_then(|n| u32::try_from(n).ok()),
        };
        let blocks = self.pred.get("block_execution").and_then(Value::as_array);
        BlockPrediction {
            blocks: blocks
                .map(|list| list.iter().filter_map(number).collect())
                .unwrap_or_default(),
            is_error: self.accuracy.get("is_error").and_then(Value::as_bool),
            error_block: self.pred.get("error_block").and_then(number),
            error_type: (self.pred.get("error_type"))
                .and_then(Value::as_str)
                .filter(|kind| !kind.is_empty())
                .map(str::to_owned),
            reply: self.output.clone(),
        }
    }
}

/// A map of strings, or an empty string for none.
fn values_or_nothing<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Values(BTreeMap<String, String>),
        Nothing(String),
    }
    match Either::deserialize(deserializer)? {
        Either::Values(values) => Ok(values),
        Either::Nothing(text) if text.is_empty() => Ok(BTreeMap::new()),
        Either::Nothing(text) => Err(serde::de::Error::custom(format!(
            "`symbol_table` is `{text}`, not an object"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        (directory, path)
    }

    #[test]
    fn a_set_is_read_with_its_blocks_and_exception() {
        let text = r#"{"p_s": {"code": "a = 1\nb = a()", "ground_truth_execution_order": [1, 2],
            "final_trace": [{"line": null, "var_val": []},
                            {"line": 2, "var_val": [{"a": "0"}, {"a": "1"}]}],
            "exception_info": {"class": "<class 'TypeError'>", "message": "x"},
            "ground_truth_blocks": [{"block": 1, "state": [{"a": "1"}, {"b": "2"}]}],
            "cfg_block_range": {"1": {"range": [1, 2]}}, "more": 1}}"#;
        let (_kept, path) = file("set.json", text);
        let set = read_orca_set(&path).unwrap();
        let [program] = &set[..] else {
            panic!("one program, not {}", set.len())
        };
        assert_eq!(program.raised.as_deref(), Some("TypeError"));
        assert_eq!(program.lines_of(&[1, 7, 1]), [1, 2, 1, 2]);
        assert_eq!(program.states[0].line, None);
        assert_eq!(program.block_states[0]["b"], "2");
        assert_eq!(program.states[1].values["a"], "1");
    }

    #[test]
    fn predictions_are_told_apart_by_shape() {
        let flat = r#"{"p_s": {"execution_order": [1], "symbol_table":
            [{"line": 1, "symbol_table": ""}, {"line": 1, "symbol_table": {"a": "1"}}]}}"#;
        let (_kept, path) = file("a.json", flat);
        let OrcaPredictions::Statements(read) = read_orca_predictions(&path).unwrap() else {
            panic!("lines and states")
        };
        assert_eq!(read["p_s"].symbol_table[1].symbol_table["a"], "1");
        let nested = r#"{"p": {"s": {"accuracy": {"is_error": true}, "output": "Block: 1",
            "pred": {"block_execution": [1, 2], "error_block": "2", "error_type": "E"}}, "t": {"accuracy": {}, "pred": {}}}}"#;
        let (_kept, path) = file("b.json", nested);
        let OrcaPredictions::Blocks(read) = read_orca_predictions(&path).unwrap() else {
            panic!("blocks")
        };
        let said = &read["p_s"];
        assert_eq!((said.error_block, said.is_error), (Some(2), Some(true)));
        assert_eq!(said.error_type.as_deref(), Some("E"));
        assert_eq!(said.reply, "Block: 1");
        assert_eq!(read["p_t"], BlockPrediction::default());
    }

    #[test]
    fn what_is_wrong_is_said_with_file_and_id() {
        let (_kept, path) = file("bad.json", r#"{"p_s": {"code": 1}}"#);
        let said = read_orca_set(&path).unwrap_err().to_string();
        assert!(said.contains("bad.json") && said.contains("p_s"), "{said}");
        let (_kept, path) = file("bad.json.gz", "no gzip");
        assert!(read_orca_set(&path).is_err());
    }

    #[test]
    fn lines_of_records_are_not_taken_for_a_set() {
        for (text, is_set) in [
            (r#"{"p_s": {"code": "a = 1"}}"#, true),
            ("{\n\"p_s\": {}}", true),
            ("{\"code\": \"a = 1\"}\n{\"code\": \"b\"}\n", false),
        ] {
            let (_kept, path) = file("a.json", text);
            assert_eq!(is_orca_file(&path), is_set, "{text}");
        }
        assert!(!is_orca_file(Path::new("a.jsonl")));
        assert!(is_orca_file(Path::new("missing.json")));
    }
}
