//! Rows of JSON: one sample per row, or a row with a list of samples.

use std::collections::HashMap;
use std::io::{BufRead, Read};
use std::path::Path;

use codexec_data::sources::{JsonLines, SourceError, open_lines};
use serde_json::Value;

use super::super::extract::extract;
use super::super::test::Test;
use super::problem::{Looked, problem};
use super::{Fields, Problem, Sample, SampleSet, unreadable};

/// Fields that name a problem.
const IDS: [&str; 4] = ["task_id", "question_id", "problem_id", "id"];
/// Fields that hold whole programs, or lists of them.
const WHOLE: [&str; 4] = ["solution", "code", "code_list", "solutions"];
/// Fields that hold the tests of a problem.
const TESTS: [&str; 4] = ["entry_point", "test", "test_list", "public_test_cases"];
/// Fields that continue a prompt, or lists of them.
const CONTINUED: [&str; 2] = ["completion", "completions"];

pub(super) fn read(path: &Path, problems: Option<&Path>) -> Result<SampleSet, SourceError> {
    let known = match problems {
        Some(problems) => by_id(problems)?,
        None => HashMap::new(),
    };
    let (rows, is_array) = rows(path, SAMPLES)?;
    let mut reading = Reading {
        known,
        has_problems: problems.is_some(),
        places: HashMap::new(),
        first: Vec::new(),
        set: SampleSet {
            problems: Vec::new(),
            samples: Vec::new(),
            rows: Vec::new(),
            lists: Vec::new(),
            is_array,
        },
    };
    for (fields, line) in rows {
        let taken = reading.take(fields);
        taken.map_err(|message| SourceError::Record {
            path: path.to_owned(),
            line,
            message,
        })?;
    }
    Ok(reading.set)
}

/// Description of a file of samples.
pub(super) const SAMPLES: &str = "samples are JSON Lines (.jsonl, .gz, .zst) or one JSON array with `task_id` and `completion`, `solution` \
     or `code_list`, or a directory of programs with NAME.in and NAME.out";
/// Description of a file of problems.
const PROBLEMS: &str = "problems are JSON Lines (.jsonl, .gz, .zst) or one JSON array with `task_id`, and `prompt`, `test_list` or \
     `public_test_cases`";

/// The rows of a file with their lines, and whether they are one array. `wanted` describes the expected
/// contents.
fn rows(path: &Path, wanted: &str) -> Result<(Vec<(Fields, u64)>, bool), SourceError> {
    let io = |source| SourceError::Io {
        path: path.to_owned(),
        source,
    };
    let mut file = open_lines(path)?;
    let start = file.fill_buf().map_err(io)?;
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
    let first = start.trim_ascii_start().first();
    if let Some(first) = first.filter(|first| !b"[{".contains(first)) {
        let is_text = std::str::from_utf8(start).map_or_else(|e| e.error_len().is_none(), |_| true);
        let cause = match (is_text && !first.is_ascii_control(), path.extension()) {
            (true, Some(end)) if end == "py" => "is one program",
            (true, _) => "is no JSON",
            (false, _) => "is no text",
        };
        return Err(unreadable(path, format!("{cause}; {wanted}")));
    }
    if first != Some(&b'[') {
        let mut lines = JsonLines::<Value>::open(path)?;
        let mut rows = Vec::new();
        while let Some(row) = lines.next() {
            let line = lines.line();
            let fields = object(row?).map_err(|message| SourceError::Record {
                path: path.to_owned(),
                line,
                message,
            })?;
            rows.push((fields, line));
        }
        return Ok((rows, false));
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(io)?;
    let text = text.trim_start_matches('\u{feff}');
    let all: Vec<Value> = serde_json::from_str(text).map_err(|error| SourceError::Record {
        path: path.to_owned(),
        line: error.line() as u64,
        message: error.to_string(),
    })?;
    let one = |(value, number): (Value, usize)| {
        let fields = object(value);
        let fields = fields.map_err(|why| unreadable(path, format!("element {number}: {why}")))?;
        Ok((fields, number as u64))
    };
    let rows: Result<_, SourceError> = all.into_iter().zip(1..).map(one).collect();
    Ok((rows?, true))
}

fn object(value: Value) -> Result<Fields, String> {
    match value {
        Value::Object(fields) => Ok(fields),
        _ => Err("is no JSON object".to_owned()),
    }
}

/// Problems by their ids.
fn by_id(path: &Path) -> Result<HashMap<String, Fields>, SourceError> {
    let mut known = HashMap::new();
    let mut lines: HashMap<String, u64> = HashMap::new();
    for (fields, line) in rows(path, PROBLEMS)?.0 {
        let wrong = |message| SourceError::Record {
            path: path.to_owned(),
            line,
            message,
        };
        let id = id_of(&fields).ok_or_else(|| wrong(no_id(&fields)))?;
        if let Some(before) = lines.insert(id.clone(), line) {
            return Err(wrong(format!("{id} is there already, at {before}")));
        }
        known.insert(id, fields);
    }
    if known.is_empty() {
        return Err(unreadable(path, format!("no problem in it; {PROBLEMS}")));
    }
    Ok(known)
}

fn id_of(fields: &Fields) -> Option<String> {
    IDS.iter().find_map(|name| match fields.get(*name)? {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    })
}

fn no_id(fields: &Fields) -> String {
    let (last, others) = (IDS[IDS.len() - 1], IDS[..IDS.len() - 1].join(", "));
    format!("no {others} or {last}; {}", has(fields))
}

/// Which fields a row has.
fn has(fields: &Fields) -> String {
    const NAMED: usize = 12;
    let names: Vec<&str> = fields.keys().take(NAMED).map(String::as_str).collect();
    let more = if fields.len() > NAMED { ", …" } else { "" };
    match names.is_empty() {
        true => "the row is empty".to_owned(),
        false => format!("it has {}{more}", names.join(", ")),
    }
}

struct Reading {
    known: HashMap<String, Fields>,
    has_problems: bool,
    places: HashMap<String, usize>,
    /// The first row of each problem.
    first: Vec<usize>,
    set: SampleSet,
}

impl Reading {
    fn take(&mut self, fields: Fields) -> Result<(), String> {
        let id = id_of(&fields).ok_or_else(|| no_id(&fields))?;
        let beside = self.known.get(&id);
        if self.has_problems && beside.is_none() {
            return Err(format!("{id} is not in the file of problems"));
        }
        let looked = Looked([Some(&fields), beside]);
        let whole = WHOLE.iter().find(|name| fields.contains_key(**name));
        let continued = CONTINUED.iter().find(|name| fields.contains_key(**name));
        let Some(name) = whole.or(continued) else {
            return Err(format!(
                "no completion, solution, code or code_list; {}",
                has(&fields)
            ));
        };
        let wrong = || format!("{name} is neither a text nor a list of texts");
        let codes: Vec<&str> = match &fields[*name] {
            Value::String(code) => vec![code],
            Value::Array(all) => {
                let all: Option<Vec<&str>> = all.iter().map(Value::as_str).collect();
                all.ok_or_else(wrong)?
            }
            _ => return Err(wrong()),
        };
        let is_list = fields[*name].is_array();
        // A row with a list is ordered by itself.
        let problem = match self.places.get(&id).filter(|_| !is_list) {
            Some(&at) => {
                self.check_same(at, &fields)?;
                at
            }
            None => {
                self.set.problems.push(problem(id.clone(), &looked)?);
                let at = self.set.problems.len() - 1;
                self.first.push(self.set.rows.len());
                if !is_list {
                    self.places.insert(id, at);
                }
                at
            }
        };
        let row = self.set.rows.len();
        let names = asked(&self.set.problems[problem]);
        for (item, code) in codes.into_iter().enumerate() {
            let found = extract(code, &names, &|code| match whole {
                Some(_) => code.to_owned(),
                None => continued_from(&self.set.problems[problem], code),
            });
            let is_alone = whole.is_none() && self.set.problems[problem].prompt.is_empty();
            let returns = found.code.lines().any(|line| line.starts_with("return"));
            if is_alone && (is_body(&found.code) || is_body(code) && returns) {
                return Err(format!(
                    "{}: the {name} is the body of a function, and there is no prompt before it; name the file with \
                     the prompts: --problems FILE",
                    self.set.problems[problem].id
                ));
            }
            let code = match whole {
                Some(_) => found.code,
                None => continued_from(&self.set.problems[problem], &found.code),
            };
            self.set.samples.push(Sample {
                problem,
                code,
                left_out: found.left_out,
                row,
                item: is_list.then_some(item),
            });
        }
        self.set.lists.push(is_list.then(|| (*name).to_owned()));
        self.set.rows.push(fields);
        Ok(())
    }

    /// Rejects a sample with other tests than the earlier samples of its problem.
    fn check_same(&self, problem: usize, fields: &Fields) -> Result<(), String> {
        let first = &self.set.rows[self.first[problem]];
        let other = TESTS
            .iter()
            .find(|name| first.get(**name) != fields.get(**name));
        match other {
            None => Ok(()),
            Some(name) => Err(format!(
                "{}: its {name} is not that of the samples of this id before it",
                self.set.problems[problem].id
            )),
        }
    }
}

/// The names that a sample must define: the requested function, and those called by its tests.
pub(in crate::rerank) fn asked(problem: &Problem) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut names: Vec<String> = problem.function.iter().cloned().collect();
    for test in &problem.tests {
        let Test::Call { call, .. } = test else {
            continue;
        };
        for (at, _) in call.match_indices('(') {
            let head = &call[..at];
            let start = head.trim_end_matches(is_name).len();
            let is_attribute = head[..start].ends_with('.');
            let name = head.get(start..).unwrap_or_default();
            if !name.is_empty() && !is_attribute && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// Whether a text begins inside a block.
fn is_body(code: &str) -> bool {
    let first = code.lines().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| line.starts_with([' ', '\t']))
}

/// The prompt and its continuation by a sample, unless the sample repeats the function, or the prompt is not
/// code.
fn continued_from(problem: &Problem, completion: &str) -> String {
    let prompt = &problem.prompt;
    let function = problem.function.as_deref().unwrap_or_default();
    let begins = format!("def {function}(");
    let is_code = !function.is_empty() && prompt.contains(&begins);
    let repeats = completion.lines().any(|line| line.starts_with(&begins));
    if is_code && !repeats {
        format!("{prompt}{completion}")
    } else {
        completion.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::read_samples;
    use super::*;

    fn read_text(text: &str, problems: Option<&str>) -> Result<SampleSet, String> {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("samples.jsonl");
        fs::write(&path, text).unwrap();
        let beside = problems.map(|text| {
            let path = place.path().join("problems.jsonl");
            fs::write(&path, text).unwrap();
            path
        });
        let found = read_samples(&path, beside.as_deref());
        found.map_err(|error| {
            error
                .to_string()
                .replace(&place.path().display().to_string(), "")
        })
    }

    #[test]
    fn completions_go_on_from_the_prompt() {
        let problems = r#"{"task_id": "H/0", "prompt": "def f(x):\n    \"\"\"f(1) == 2\"\"\"\n", "entry_point": "f"}"#;
        let samples = "{\"task_id\": \"H/0\", \"completion\": \"    return 2\\n\"}\n\n{\"task_id\": \"H/0\", \"completion\": \"def f(x):\\n    return x\\n\"}\n{\"task_id\": \"H/0\", \"solution\": \"f = abs\"}\n";
        let set = read_text(samples, Some(problems)).unwrap();
        assert_eq!(set.problems.len(), 1);
        assert_eq!(set.problems[0].tests.len(), 1);
        assert!(set.samples[0].code.starts_with("def f(x):\n    \"\"\"f"));
        assert!(set.samples[0].code.ends_with("    return 2\n"));
        assert!(set.samples[1].code.starts_with("def f(x):\n    return x"));
        assert_eq!(set.samples[2].code, "f = abs");
        assert_eq!(set.name(2), "3");
    }

    #[test]
    fn an_array_with_lists_is_read_too() {
        let text = r#" [{"question_id": 7, "code_list": ["print(1)", "print(2)"], "samples": [{"in": "", "out": "1"}]}]"#;
        let set = read_text(text, None).unwrap();
        assert!(set.is_array);
        assert_eq!(set.problems[0].id, "7");
        assert_eq!(set.of(0), [0, 1]);
        assert_eq!(set.name(1), "2");
    }

    #[test]
    fn what_is_wrong_has_its_line_and_cause() {
        for (text, cause) in [
            (
                "{\"task_id\": \"a\", \"code\": \"x\"}\n{\"task_id\": ",
                "samples.jsonl:2: EOF",
            ),
            (
                "{\"task_id\": \"a\"}",
                "samples.jsonl:1: no completion, solution",
            ),
            (
                "{\"code\": \"x\"}",
                "samples.jsonl:1: no task_id, question_id, problem_id or id; it has code",
            ),
            ("{}", "or id; the row is empty"),
            (
                "{\"id\": \"a\", \"code\": \"x\", \"test\": \"1\"}\n{\"id\": \"a\", \"code\": \"y\", \"test\": \"2\"}",
                "samples.jsonl:2: a: its test is not that of the samples",
            ),
            (
                "print(1)\n",
                "samples.jsonl: is no JSON; samples are JSON Lines",
            ),
            ("\u{0}\u{1}", "samples.jsonl: is no text; samples are"),
            ("3\n", "samples.jsonl: is no JSON; samples are"),
            ("{}x\n", "samples.jsonl:1: trailing characters"),
            (
                "{\"id\": \"a\", \"completion\": \"\\n    return 1\\n\"}",
                "samples.jsonl:1: a: the completion is the body of a function",
            ),
            (
                "{\"id\": \"a\", \"code\": 3}",
                "samples.jsonl:1: code is neither",
            ),
            (
                "{\"id\": \"a\", \"code\": [3]}",
                "samples.jsonl:1: code is neither",
            ),
            ("", "samples.jsonl: no sample in it"),
            ("[3]", "samples.jsonl: element 1: is no JSON object"),
            ("[{", "samples.jsonl:1: EOF"),
        ] {
            let error = read_text(text, None).unwrap_err();
            assert!(error.contains(cause), "{text}: {error}");
        }
        let error = read_text("{\"id\": \"a\", \"code\": \"x\"}", Some("{\"id\": \"b\"}"));
        assert!(
            error
                .unwrap_err()
                .contains(":1: a is not in the file of problems")
        );
        let error = read_text("{\"id\": \"a\", \"code\": \"x\"}", Some("{}"));
        assert!(error.unwrap_err().contains("problems.jsonl:1: no task_id"));
        let twice = "{\"id\": \"a\"}\n\n{\"id\": \"a\"}\n";
        for (problems, cause) in [
            (twice, "problems.jsonl:3: a is there already, at 1"),
            ("", "problems.jsonl: no problem in it; problems are"),
            ("x = 1", "problems.jsonl: is no JSON; problems are"),
        ] {
            let error = read_text("{\"id\": \"a\", \"code\": \"x\"}", Some(problems));
            let error = error.unwrap_err();
            assert!(error.contains(cause), "{error}");
        }
    }
}
