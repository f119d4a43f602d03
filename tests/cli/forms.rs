//! Forms of a trace for other programs: states as changes, frames, the schemas, the frames of code world models.

use codexec_data::trace::Trace;
use serde_json::{Value, json};

use crate::support::{can_run, output_of, stderr, stdout, written};

const PROGRAM: &str = "\
def squares(n):
    for k in range(n):
        yield k * k

def half(x):
    return 10 // x

class Box:
    def __init__(self, item):
        self.item = item

total = 0
for s in squares(3):
    total += s
del s
box = Box([total])
try:
    half(0)
except ZeroDivisionError as e:
    print('no')
del total; total = 1
print(half(total))
half(0)
";

/// A file with a program.
fn program(source: &str) -> (tempfile::TempDir, String) {
    let place = tempfile::tempdir().unwrap();
    let path = written(place.path(), "prog.py", source);
    (place, path)
}

/// The engines that can be asked here.
fn engines() -> Vec<&'static str> {
    match can_run() {
        true => vec!["plan", "run"],
        false => vec!["plan"],
    }
}

fn document(path: &str, options: &[&str]) -> Value {
    let run = output_of(&[&["trace", path, "--format", "json"], options].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    serde_json::from_str(&stdout(&run)).unwrap()
}

#[test]
fn states_as_changes_are_the_same_trace() {
    let (_place, path) = program(PROGRAM);
    for engine in engines() {
        let full = document(&path, &["--engine", engine]);
        let changes = document(&path, &["--engine", engine, "--states", "changes"]);
        let steps = changes["steps"].as_array().unwrap();
        assert!(steps.iter().all(|step| step.get("state").is_none()));
        let read = |value: &Value| Trace::from_json(value.to_string()).unwrap();
        assert_eq!(read(&changes), read(&full));
        let (full, changes) = (full.to_string(), changes.to_string());
        assert!(changes.len() < full.len() * 2 / 3);
    }
}

#[test]
fn a_step_names_the_frame_of_its_state() {
    let (_place, path) = program(PROGRAM);
    for engine in engines() {
        let trace = document(&path, &["--engine", engine]);
        let function = |frame: usize| trace["frames"][frame]["function"].as_str();
        let frames = [
            "<module>", "Box", "squares", "__init__", "half", "half", "half",
        ];
        assert_eq!(trace["frames"].as_array().unwrap().len(), frames.len());
        for (frame, name) in frames.into_iter().enumerate() {
            assert_eq!(function(frame), Some(name));
        }
        let steps = trace["steps"].as_array().unwrap();
        // The generator is one frame, however often it goes on.
        let of = |name: &str| {
            let frame = |step: &&Value| step["function"] == name;
            let numbers = steps.windows(2).filter(|pair| frame(&&pair[1]));
            numbers
                .map(|pair| pair[0]["frame"].as_u64().unwrap_or(0))
                .collect::<Vec<_>>()
        };
        assert!(of("squares").iter().all(|frame| *frame == 2));
        assert!(of("half").is_sorted() && of("half").contains(&6));
        assert_eq!(trace["frames"][3]["parent"], 0);
    }
}

#[test]
fn documents_fit_their_schemas() {
    let schema = |name: &str| -> jsonschema::Validator {
        let printed = output_of(&["schema", name]);
        let schema = serde_json::from_str(&stdout(&printed)).unwrap();
        jsonschema::validator_for(&schema).unwrap()
    };
    let fits = |schema: &jsonschema::Validator, value: &Value| {
        let wrong: Vec<String> = schema.iter_errors(value).map(|e| e.to_string()).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    };
    let (_place, path) = program(PROGRAM);
    let traces = schema("trace");
    for engine in engines() {
        for states in ["full", "changes"] {
            let trace = document(&path, &["--engine", engine, "--states", states]);
            fits(&traces, &trace);
            let mut wrong = trace.clone();
            wrong["steps"][3]["line"] = json!("4");
            assert!(!traces.is_valid(&wrong));
        }
    }
    for source in ["import sys; sys.exit(3)\n", "x = (\n", "while True: pass\n"] {
        let (_place, path) = program(source);
        let run = output_of(&["trace", &path, "--format", "json", "--max-steps", "5"]);
        if let Ok(trace) = serde_json::from_str(&stdout(&run)) {
            fits(&traces, &trace);
        }
    }
    let findings = output_of(&["check", &path, "--format", "json"]);
    fits(
        &schema("check"),
        &serde_json::from_str(&stdout(&findings)).unwrap(),
    );
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("lines.jsonl.gz");
    let run = output_of(&[
        "data",
        "steps",
        "--count",
        "20",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert!(run.status.success(), "{}", stderr(&run));
    let records = schema("records");
    let mut packed = flate2::read::GzDecoder::new(std::fs::File::open(&out).unwrap());
    let mut lines = String::new();
    std::io::Read::read_to_string(&mut packed, &mut lines).unwrap();
    for line in lines.lines() {
        fits(&records, &serde_json::from_str(line).unwrap());
    }
    assert!(lines.lines().count() > 10);
}

#[test]
fn features_are_those_of_the_tables() {
    for (options, column) in [
        (&["trace"][..], "state"),
        (&["trace", "--changes"], "changed"),
    ] {
        let printed = output_of(&[&["schema"], options, &["--features"]].concat());
        let types: Value = serde_json::from_str(&stdout(&printed)).unwrap();
        assert_eq!(types["steps"][0][column][0]["text"]["dtype"], "string");
        assert_eq!(types["frames"][0]["parent"]["_type"], "Value");
    }
    let printed = output_of(&["schema", "records", "--features"]);
    let types: Value = serde_json::from_str(&stdout(&printed)).unwrap();
    assert_eq!(
        types["sites"],
        json!([{"dtype": "int64", "_type": "Value"}])
    );
    let refused = output_of(&["schema", "check", "--features"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn frames_of_code_world_models() {
    let (_place, path) = program("def f(n):\n    m = n\n    return 6 // m\nx = f(2)\nf(0)\n");
    let cwm = |options: &[&str]| {
        let run = output_of(&[&["trace", &path, "--format", "cwm"], options].concat());
        (stdout(&run), stderr(&run), run.status.success())
    };
    for engine in engines() {
        // Written by hand from the published guide.
        let (text, ..) = cwm(&["--engine", engine, "--function", "f"]);
        let frames = "<|frame_sep|><|call_sep|>{\"n\":\"2\"}<|action_sep|>def f(n):\n\
            <|frame_sep|><|line_sep|>{\"n\":\"..\"}<|action_sep|>    m = n\n\
            <|frame_sep|><|line_sep|>{\"n\":\"..\",\"m\":\"2\"}<|action_sep|>    return 6 // m\n\
            <|frame_sep|><|return_sep|><|action_sep|>    return 6 // m\n<|arg_sep|>\"3\"\
            <|frame_sep|><|end_of_text|>\n";
        let context = "<|begin_of_text|><|trace_context_start|>def f(n):  # << START_OF_TRACE\n    m = n\n    \
            return 6 // m\nx = f(2)\nf(0)\n";
        assert_eq!(text, format!("{context}{frames}"));
        let (text, ..) = cwm(&["--engine", engine]);
        let end = "<|exception_sep|><|action_sep|>    return 6 // m\n<|arg_sep|>\
            \"ZeroDivisionError: integer division or modulo by zero\"<|frame_sep|><|return_sep|>\
            <|action_sep|>    return 6 // m\n<|arg_sep|>\"None\"<|frame_sep|><|exception_sep|><|action_sep|>f(0)\n\
            <|arg_sep|>\"ZeroDivisionError: integer division or modulo by zero\"<|frame_sep|><|end_of_text|>\n";
        assert!(text.ends_with(end), "{text}");
        // What a call returned to is told anew.
        assert!(
            text.contains("<|line_sep|>{\"f\":\"<function>\",\"x\":\"3\"}<|action_sep|>f(0)\n")
        );
    }
    let (_, said, fine) = cwm(&["--function", "g"]);
    assert!(!fine && said.contains("no call of `g`"), "{said}");
    let (_, said, fine) = cwm(&["--var", "x"]);
    assert!(!fine && said.contains("--format cwm"), "{said}");
}

#[test]
fn references_tell_one_object_from_equal_ones() {
    let (_place, path) = program(
        "class Node:\n    def __init__(self, items):\n        self.items = items\n        self.next = self\n\n\
         def more(xs):\n    xs.append([xs, ()])\n    return xs\n\n\
         a = [1]\nb = a\nc = [1]\nd = {'k': a, 'l': c, 'm': {2}}\nnode = Node(a)\ne = more(c)\n\
         rows = [[0] * 2] * 2 + [[0, 0]]\nfor row in rows:\n    row = [row]\nt = (a, frozenset({3}), node)\n",
    );
    let objects = |trace: &Value, name: &str| -> Vec<u64> {
        let last = &trace["steps"].as_array().unwrap().last().unwrap()["state"];
        let numbers = last[name]["objects"].as_array().into_iter().flatten();
        numbers.map(|n| n.as_u64().unwrap()).collect()
    };
    let mut steps = Vec::new();
    for engine in engines() {
        let mut trace = document(&path, &["--engine", engine, "--references"]);
        let of = |name: &str| objects(&trace, name);
        assert_eq!((of("a"), of("b"), of("c")[0]), (vec![1], vec![1], 2));
        assert_eq!(of("d")[..2], [3, 1]);
        let [node, list, inner] = of("node")[..] else {
            panic!("{engine}: {:?}", of("node"));
        };
        assert!(list == 1 && inner == node);
        assert_eq!(of("e"), of("c"));
        // The list in it holds it.
        assert_eq!(of("e")[2], 2);
        let rows = of("rows");
        assert!(rows[1] == rows[2] && rows[1] != rows[3]);
        assert_eq!(of("t"), [1, node, 1, node]);
        assert!(of("Node").is_empty() && of("more").is_empty());
        for step in trace["steps"].as_array_mut().unwrap() {
            for value in step["state"].as_object_mut().unwrap().values_mut() {
                value.as_object_mut().unwrap().remove("origin");
            }
            if let Some(value) = step.get_mut("value") {
                value.as_object_mut().unwrap().remove("origin");
            }
            step.as_object_mut().unwrap().remove("confidence");
        }
        steps.push(trace["steps"].clone());
    }
    assert!(steps.windows(2).all(|pair| pair[0] == pair[1]));
    let refused = output_of(&["trace", &path, "--references"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn limits_count_what_changes_and_engines_stop_at_the_same_step() {
    let (_place, path) = program(
        "xs = [k / 7 for k in range(2000)]\nt = 0.0\nfor x in xs:\n    t += x\nys = []\nfor k in range(99):\n    ys.append('a' * 90)\n",
    );
    let steps = |engine: &str, bytes: &str| {
        let options = ["--max-steps", "9999", "--max-trace", bytes];
        let trace = document(&path, &[&["--engine", engine][..], &options].concat());
        let kind = trace["outcome"]["kind"].as_str().unwrap().to_owned();
        (trace["steps"].as_array().unwrap().len(), kind)
    };
    for engine in engines() {
        let (count, kind) = steps(engine, "2097152");
        assert!(
            count > 4000 && kind == "finished",
            "{engine}: {count} {kind}"
        );
        let (count, kind) = steps(engine, "900000");
        assert_eq!((steps("plan", "900000").0, &*kind), (count, "trace_limit"));
        assert!(count > 4000, "{engine}: {count}");
    }
}

#[test]
fn a_finding_says_through_which_calls_it_is_reached() {
    let place = tempfile::tempdir().unwrap();
    written(
        place.path(),
        "util.py",
        "def mean(xs):\n    return sum(xs) / len(xs)\n",
    );
    let path = written(
        place.path(),
        "main.py",
        "from util import mean\n\ndef report(rows):\n    for row in rows:\n        print(mean(row))\n\n\
         def low(n):\n    return 1 if n == 0 else low(n - 1) + [][n]\n\nif len('a') > 1:\n    low(3)\nreport([[1, 2], []])\n",
    );
    let check = |format: &str| stdout(&output_of(&["check", &path, "--format", format]));
    // As CPython's traceback has them: the module, then report.
    let found: Value = serde_json::from_str(&check("json")).unwrap();
    let files = found["files"].as_array().unwrap();
    let finding = files
        .iter()
        .flat_map(|file| file["findings"].as_array().unwrap())
        .find(|finding| finding["kind"] == "ZeroDivisionError")
        .unwrap();
    let calls = json!([
        {"function": "<module>", "line": 12, "path": path},
        {"function": "report", "line": 5, "path": path},
    ]);
    assert_eq!(finding["calls"], calls);
    let words = format!("reached through {path}:12, report ({path}:5)\n");
    assert!(check("text").contains(&format!("  = {words}")));
    assert!(check("github").contains(&format!("; {words}")));
    let sarif: Value = serde_json::from_str(&check("sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let frames = results
        .iter()
        .find(|result| result["ruleId"] == "ZeroDivisionError")
        .map(|result| result["stacks"][0]["frames"].as_array().unwrap().clone())
        .unwrap();
    let line = |k: usize| &frames[k]["location"]["physicalLocation"]["region"]["startLine"];
    assert_eq!(
        (line(0), line(1), line(2)),
        (&json!(2), &json!(5), &json!(12))
    );
}
