//! The tests, and the judging tests, in the fields of a problem.

use serde_json::Value;

use super::super::examples::{asserted, examples_of};
use super::super::literal::of_json;
use super::super::test::Test;
use super::packed::{is_packed, unpack};
use super::{Check, Fields, Problem};

/// Where a field may be: the sample's row first, then the problem's.
pub(super) struct Looked<'f>(pub [Option<&'f Fields>; 2]);

impl<'f> Looked<'f> {
    fn get(&self, name: &str) -> Option<&'f Value> {
        let mut rows = self.0.iter().flatten();
        rows.find_map(|row| row.get(name).filter(|value| !value.is_null()))
    }

    /// The text of the first existing one of these fields.
    pub(super) fn text(&self, names: &[&str]) -> Option<&'f str> {
        names.iter().find_map(|name| self.get(name)?.as_str())
    }

    /// The elements of a field: an array, or one written as JSON in a string.
    fn array(&self, name: &str) -> Result<Vec<Value>, String> {
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(all)) => Ok(all.clone()),
            Some(Value::String(text)) if is_packed(text) => {
                let text = unpack(text).map_err(|why| format!("{name} {why}"))?;
                serde_json::from_str(&text).map_err(|_| format!("{name} packs no JSON array"))
            }
            Some(Value::String(text)) => {
                serde_json::from_str(text).map_err(|_| format!("{name} is no JSON array"))
            }
            Some(_) => Err(format!("{name} is no array")),
        }
    }
}

/// A problem of these fields.
pub(super) fn problem(id: String, fields: &Looked<'_>) -> Result<Problem, String> {
    let prompt = fields
        .text(&["prompt", "question_content", "text", "content"])
        .unwrap_or_default();
    let function = fields
        .text(&["entry_point"])
        .map(str::to_owned)
        .or_else(|| last_function(prompt));
    let public = cases(fields, "public_test_cases")?;
    let samples = cases(fields, "samples")?;
    let asserts = lines_of(fields, "test_list")?;
    let mut tests: Vec<Test> = public.iter().chain(&samples).cloned().collect();
    tests.extend(asserts.iter().filter_map(|line| asserted(line)));
    if tests.is_empty() {
        tests = examples_of(prompt, function.as_deref().unwrap_or_default());
    }
    let check = check(fields, function.as_deref(), &tests, asserts)?;
    Ok(Problem {
        id,
        prompt: prompt.to_owned(),
        function,
        tests,
        check,
    })
}

fn check(
    fields: &Looked<'_>,
    function: Option<&str>,
    tests: &[Test],
    asserts: Vec<String>,
) -> Result<Check, String> {
    if let Some(script) = fields.text(&["test"]) {
        let call = match function {
            Some(function) if script.contains("def check(") => format!("\ncheck({function})\n"),
            _ => "\n".to_owned(),
        };
        return Ok(Check::Script(format!("{script}{call}")));
    }
    if !asserts.is_empty() {
        let setup = fields.text(&["test_setup_code"]).unwrap_or_default();
        let imports = lines_of(fields, "test_imports")?;
        let more = lines_of(fields, "challenge_test_list")?;
        let all = imports.iter().map(String::as_str).chain([setup]);
        let all = all.chain(asserts.iter().chain(&more).map(String::as_str));
        return Ok(Check::Script(all.collect::<Vec<_>>().join("\n") + "\n"));
    }
    let private = cases(fields, "private_test_cases")?;
    let known = |test: &&Test| test.expected().is_some();
    let all: Vec<Test> = tests.iter().filter(known).cloned().chain(private).collect();
    Ok(match all.is_empty() {
        true => Check::None,
        false => Check::Tests(all),
    })
}

fn lines_of(fields: &Looked<'_>, name: &str) -> Result<Vec<String>, String> {
    let line = |value: Value| match value {
        Value::String(line) => Ok(line),
        _ => Err(format!("{name} has something that is no text")),
    };
    fields.array(name)?.into_iter().map(line).collect()
}

/// Test cases with an input and an output: of a program, or with `testtype` `functional` the arguments of a function,
/// one line of JSON each, and its value.
fn cases(fields: &Looked<'_>, name: &str) -> Result<Vec<Test>, String> {
    let all = fields.array(name)?;
    let function = fields.text(&["func_name"]).map(str::to_owned);
    let function = function.or_else(|| {
        let metadata: Value = serde_json::from_str(fields.text(&["metadata"])?).ok()?;
        Some(metadata.get("func_name")?.as_str()?.to_owned())
    });
    let one = |(at, case): (usize, &Value)| {
        let text = |names: [&str; 2]| names.iter().find_map(|name| case.get(name)?.as_str());
        let what = || format!("{name}, test {}", at + 1);
        let input = text(["input", "in"]).ok_or_else(|| format!("{}: no input", what()))?;
        let output = text(["output", "out"]);
        if case.get("testtype").and_then(Value::as_str) != Some("functional") {
            return Ok(Test::Input {
                stdin: input.to_owned(),
                expected: output.map(str::to_owned),
            });
        }
        let function = function
            .as_deref()
            .ok_or_else(|| format!("{}: no func_name in metadata", what()))?;
        let python = |text: &str| {
            let value: Result<Value, _> = serde_json::from_str(text);
            value.map_or_else(|_| text.trim().to_owned(), |value| of_json(&value))
        };
        let arguments: Vec<String> = input.lines().map(python).collect();
        Ok(Test::Call {
            call: format!("Solution().{function}({})", arguments.join(", ")),
            expected: output.map(python),
        })
    };
    all.iter().enumerate().map(one).collect()
}

/// The function that a prompt ends in.
fn last_function(prompt: &str) -> Option<String> {
    let mut definitions = prompt.lines().rev();
    let last = definitions.find_map(|line| line.strip_prefix("def "))?;
    let name = last.split('(').next()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PACKED: &str = "eJxrYJnqxQABPW7R1UqZeQWlJUpWCkrRxrExeTFKSTFKSjoKSvmlJVDxtMSc4lSQUElqcUlJZUEqWLA0L7kkMz8vMUepNnaKHgDm/xma";

    fn of(fields: Value) -> Result<Problem, String> {
        let fields = fields.as_object().unwrap();
        problem("p".to_owned(), &Looked([Some(fields), None]))
    }

    #[test]
    fn humaneval_gives_examples_and_a_script() {
        let found = of(json!({
            "prompt": "def f(x):\n    \"\"\"\n    >>> f(2)\n    4\n    \"\"\"\n",
            "test": "def check(candidate):\n    assert candidate(3) == 6\n",
            "entry_point": "f",
        }));
        let found = found.unwrap();
        assert_eq!(found.tests.len(), 1);
        let Check::Script(script) = found.check else {
            panic!("no script")
        };
        assert!(script.ends_with("\ncheck(f)\n"), "{script}");
    }

    #[test]
    fn mbpp_gives_its_asserts() {
        let found = of(json!({
            "text": "Write a function to double.",
            "test_list": ["assert f(2) == 4", "assert f(3) == 6"],
            "test_setup_code": "import math",
            "challenge_test_list": ["assert f(0) == 0"],
        }));
        let found = found.unwrap();
        let names: Vec<String> = found.tests.iter().map(Test::name).collect();
        assert_eq!(names, ["f(2)", "f(3)"]);
        let script = "import math\nassert f(2) == 4\nassert f(3) == 6\nassert f(0) == 0\n";
        assert_eq!(found.check, Check::Script(script.to_owned()));
    }

    #[test]
    fn livecodebench_gives_inputs_and_calls() {
        let cases = json!([{"input": "1\n", "output": "2\n", "testtype": "stdin"}]);
        let found = of(json!({
            "public_test_cases": cases.to_string(),
            "private_test_cases": [{"input": "3\n", "output": "4\n"}],
        }));
        let found = found.unwrap();
        assert_eq!(found.tests.len(), 1);
        assert!(matches!(&found.check, Check::Tests(all) if all.len() == 2));
        let found = of(json!({
            "metadata": "{\"func_name\": \"f\"}",
            "public_test_cases": [{"input": "[1, 2]\n\"a\"", "output": "true", "testtype": "functional"}],
            // What Python packs for an input `[3]\n"b"` with the output `false`.
            "private_test_cases": PACKED,
        }));
        let found = found.unwrap();
        let Check::Tests(all) = &found.check else {
            panic!("no tests")
        };
        assert_eq!(all.len(), 2);
        assert_eq!(all[1].expected(), Some("False"));
        let test = Test::Call {
            call: "Solution().f([1, 2], \"a\")".to_owned(),
            expected: Some("True".to_owned()),
        };
        // Blanks of the input are those of JSON.
        assert!(
            matches!(&found.tests[0], Test::Call { call, .. } if call.replace(' ', "") == "Solution().f([1,2],\"a\")")
        );
        assert_eq!(found.tests[0].expected(), test.expected());
    }

    #[test]
    fn what_is_wrong_with_a_field_is_said() {
        for (fields, cause) in [
            (
                json!({"public_test_cases": "x"}),
                "public_test_cases is no JSON array",
            ),
            (
                json!({"public_test_cases": 3}),
                "public_test_cases is no array",
            ),
            (
                json!({"public_test_cases": [{"output": "1"}]}),
                "test 1: no input",
            ),
            (
                json!({"private_test_cases": "eJxrYJmaxwAB"}),
                "private_test_cases is no zlib in base64",
            ),
            (json!({"test_list": [3]}), "test_list has something"),
            (
                json!({"public_test_cases": [{"input": "1", "testtype": "functional"}]}),
                "no func_name",
            ),
        ] {
            let error = of(fields).unwrap_err();
            assert!(error.contains(cause), "{error}");
        }
    }
}
