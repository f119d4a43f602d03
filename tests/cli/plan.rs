//! Planned execution as users see it: what is computed, what is predicted, where it stops, and the training data of the
//! network behind it.

use codexec_data::records::read_records;
use serde_json::Value;

use crate::support::{BINARY, can_run, output_of, stderr, stdout, written};

fn planned(source: &str, more: &[&str]) -> (Value, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", source);
    let run = output_of(&[&["trace", &path, "--json"], more].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    (serde_json::from_str(&stdout(&run)).unwrap(), stderr(&run))
}

fn origins(trace: &Value) -> Vec<String> {
    let steps = trace["steps"].as_array().unwrap();
    let states = steps
        .iter()
        .flat_map(|step| step["state"].as_object().unwrap().values());
    let mut all: Vec<String> = states
        .map(|value| value["origin"].as_str().unwrap().to_owned())
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Nothing of it has to be asked, so it is right whatever the network knows.
const FOLDED: &str = "\
def power(base, times):
    result = 1
    for _ in (0,) * times:
        result *= base
    return result

rows = [[1, 2], [3, 4]]
rows[1][0] = power(2, 10)
try:
    rows[2]
except IndexError as error:
    print(error, rows)
";

/// Not that the other worlds are better: that there are some, and the likeliest of them is shown.
#[test]
fn planning_goes_on_in_several_worlds() {
    let source = "words = 'a bc a'.split()\nprint(words.count('a'), max(words))\n";
    let score = |more: &[&str]| {
        let (trace, error) = planned(source, more);
        assert_eq!(error, "");
        assert_eq!(trace["outcome"]["kind"], "finished");
        trace["confidence"].as_f64().unwrap()
    };
    let asked = ["--fold", "operators"];
    assert!(score(&["--fold", "operators", "--beam", "4"]) >= score(&asked) - 1e-3);
}

#[test]
fn what_can_be_folded_is_computed_and_needs_no_network() {
    let (trace, error) = planned(FOLDED, &[]);
    assert_eq!(error, "");
    assert_eq!(trace["engine"], "predict");
    assert_eq!(trace["outcome"]["kind"], "finished");
    assert_eq!(origins(&trace), ["computed"]);
    let steps = trace["steps"].as_array().unwrap();
    assert!(
        steps.iter().all(|step| step["confidence"].is_null()),
        "{trace}"
    );
    assert_eq!(
        steps.last().unwrap()["output"],
        "list index out of range [[1, 2], [1024, 4]]\n"
    );
}

#[test]
fn without_folding_values_are_predicted_with_a_confidence() {
    let source = "a = 7\nb = a * 3\nprint(b)\n";
    let (trace, _) = planned(source, &["--no-fold"]);
    let step = &trace["steps"][1];
    assert_eq!(step["state"]["b"]["origin"], "predicted", "{trace}");
    let sure = step["confidence"].as_f64().unwrap();
    assert!(sure > 0.0 && sure <= 1.0, "{sure}");
}

#[test]
fn the_same_program_is_planned_the_same_way_beside_others() {
    let dir = tempfile::tempdir().unwrap();
    let source = |k: usize| format!("xs = [{k}]\nxs.append(len(xs))\nprint(sum(xs))\n");
    let paths: Vec<String> = (0..5)
        .map(|k| written(dir.path(), &format!("p{k}.py"), source(k)))
        .collect();
    let run = output_of(&["trace", "--format", "paper", &paths[3]]);
    let alone = stdout(&run);
    let place = dir.path().display().to_string();
    let together = stdout(&output_of(&["trace", "--format", "paper", &place]));
    assert_eq!(together.lines().count(), 5, "{together}");
    assert_eq!(together.lines().nth(3), alone.lines().next());
}

#[test]
fn what_cannot_be_planned_is_said_with_its_line_and_the_steps_before_it_are_kept() {
    let (trace, error) = planned("x = 1.5\ny = x * 2 is 3.0\n", &[]);
    assert!(error.contains("planning stopped, line 2"), "{error}");
    assert_eq!(trace["steps"].as_array().unwrap().len(), 1, "{trace}");
    assert_eq!(trace["truncated"], true);
    let (_, error) = planned(
        "a = 7\nb = a * 3\n",
        &["--no-fold", "--min-confidence", "1"],
    );
    assert!(error.contains("probability"), "{error}");
}

#[test]
fn a_checkpoint_is_asked_what_it_was_trained_for() {
    let root = env!("CARGO_MANIFEST_DIR");
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", "x = 1\n");
    let whole = format!("{root}/crates/model/src/default");
    let run = output_of(&["trace", &path, "--model", &whole]);
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("add --whole"), "{}", stderr(&run));
}

#[test]
fn questions_of_programs_and_exercises_become_examples() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().display().to_string();
    written(
        dir.path(),
        "a.py",
        "xs = [3, 1]\nxs.append(5)\nprint(sorted(xs))\n",
    );
    let out = format!("{place}/q.jsonl");
    let make = [
        "data",
        "plan",
        &place,
        "--variants",
        "4",
        "--exercises",
        "50",
        "--out",
        &out,
    ];
    let run = output_of(&make);
    assert!(run.status.success(), "{}", stderr(&run));
    let records = read_records(std::path::Path::new(&out)).unwrap();
    let append = records
        .iter()
        .find(|r| r.code == "[3, 1].append(5)")
        .unwrap();
    assert_eq!(append.code_tokens, "[ 3 , 1 ] . append ( 5 )");
    assert_eq!(append.trace_tokens, "<state> + 5");
    assert!(records.len() > 30, "{}", records.len());
    // The same seed gives the same bytes, and questions that are excluded do not come again.
    let bytes = std::fs::read(&out).unwrap();
    assert!(
        output_of(&[&make[..], &["--force"]].concat())
            .status
            .success()
    );
    assert_eq!(std::fs::read(&out).unwrap(), bytes);
    let rest = format!("{place}/rest.jsonl");
    let again = ["data", "plan", &place, "--exclude", &out, "--out", &rest];
    let run = std::process::Command::new(BINARY)
        .args(again)
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stderr(&run).contains("no question was asked"),
        "{}",
        stderr(&run)
    );
}

/// What the predictors say of a value may change; that it is there, and marked, may not.
#[test]
fn what_an_incomplete_program_misses_is_injected() {
    let source = "\
from shop.orders import fetch
order = fetch(number)
total = order.price + 1
if order.items:
    print('some')
";
    // A module that is not there is made up, and a name that nobody binds is the program's error.
    let (plain, error) = planned(source, &[]);
    assert!(error.contains("made up: shop.orders (line 1)"), "{error}");
    assert_eq!(plain["outcome"]["exception"], "NameError", "{plain}");
    assert_eq!(plain["outcome"]["line"], 2);
    let (trace, error) = planned(source, &["--inject"]);
    assert!(error.contains("values were made up"), "{error}");
    assert_eq!(trace["outcome"]["kind"], "finished", "{trace}");
    assert_eq!(trace["program"]["source"], source);
    let steps = trace["steps"].as_array().unwrap();
    let lines: Vec<u64> = steps.iter().map(|s| s["line"].as_u64().unwrap()).collect();
    assert_eq!(lines[..4], [1, 2, 3, 4]);
    assert_eq!(steps[0]["state"]["fetch"]["origin"], "injected");
    assert!(origins(&trace).contains(&"injected".to_owned()));
    // A complete program stays as it is.
    let (complete, _) = planned(FOLDED, &["--inject"]);
    assert_eq!(origins(&complete), ["computed"]);
}

/// What is made up could be otherwise: conditions on it, what it is, whether a call fails as the program expects.
#[test]
fn what_is_made_up_is_otherwise_in_other_worlds() {
    let source = "\
from net import fetch, Gone
try:
    page = fetch('a')
except Gone:
    print('gone')
except ValueError:
    print('wrong')
else:
    if page.status == 200 and page.text is None:
        print('empty')
    else:
        print('there')
";
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), "p.py", source);
    let shown = |more: &[&str]| {
        let run = output_of(&[&["trace", &path][..], more].concat());
        (stdout(&run), stderr(&run))
    };
    let outputs: Vec<String> = (1..=8)
        .map(|number| shown(&["--world", &number.to_string(), "--json"]).0)
        .map_while(|text| serde_json::from_str::<Value>(&text).ok())
        .map(|trace| {
            let steps = trace["steps"].as_array().unwrap().iter();
            steps.filter_map(|step| step["output"].as_str()).collect()
        })
        .collect();
    for want in ["there\n", "empty\n", "gone\n", "wrong\n"] {
        assert!(outputs.contains(&want.to_owned()), "{want} {outputs:?}");
    }
    // The first world is the trace without worlds, and it says nothing of others.
    let (plain, _) = shown(&[]);
    assert!(!plain.contains("worlds:"), "{plain}");
    let (many, _) = shown(&["--beam", "8"]);
    assert!(many.starts_with(&plain), "{many}");
    for want in ["raises Gone", "raises ValueError", "page.text is not None"] {
        assert!(many.contains(want), "{want}\n{many}");
    }
    let document: Value = serde_json::from_str(&shown(&["--beam", "8", "--json"]).0).unwrap();
    let worlds = document["worlds"].as_array().unwrap();
    let is_usual = |world: &Value| {
        let decisions = world["decisions"].as_array().unwrap().iter();
        decisions.clone().all(|one| one["other"] == false)
    };
    assert!(is_usual(&worlds[0]) && !worlds[1..].iter().any(is_usual));
    for world in worlds {
        let decisions = world["decisions"].as_array().unwrap().iter();
        let product: f64 = decisions.map(|one| one["sure"].as_f64().unwrap()).product();
        assert!(world["probability"].as_f64().unwrap() <= product + 1e-6);
    }
    let (_, error) = shown(&["--world", "60"]);
    assert!(error.contains("no world 60: there are"), "{error}");
    let closed = written(dir.path(), "q.py", "print(1)\n");
    let run = output_of(&["trace", &closed, "--beam", "3"]);
    assert!(stderr(&run).contains("so there is one world"));
    // One that has no such world costs no other its trace.
    let run = output_of(&["trace", &closed, &path, "--world", "2"]);
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(stderr(&run).contains("no world 2: there is 1 world, and the first is written"));
    assert!(stdout(&run).contains("\n  2 *"), "{}", stdout(&run));
}

#[test]
fn files_that_an_incomplete_program_opens_are_injected() {
    let source = "\
with open('names.txt') as names:
    for name in names:
        last = name
total = 0
for line in open('numbers.txt').readlines():
    total += 1
print(total, last)
";
    let (trace, error) = planned(source, &["--inject"]);
    assert!(error.contains("made up: open (line 1)"), "{error}");
    assert_eq!(trace["outcome"]["kind"], "finished", "{trace}");
    let steps = trace["steps"].as_array().unwrap();
    let last = steps.last().unwrap();
    assert_eq!(last["output"], "2 a\n");
    assert_eq!(last["state"]["names"]["origin"], "injected");
    assert!(last["state"].get("open").is_none());
    assert_eq!(last["line"], 7);
}

/// Killed behind its first unit, the build gives the same file when it goes on.
#[test]
fn a_build_of_questions_goes_on_after_a_kill() {
    if !can_run() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    let (whole, cut) = (at("whole.jsonl"), at("cut.jsonl"));
    let build = ["data", "plan", "--exercises", "3000", "--jobs", "1"];
    let run = output_of(&[&build[..], &["--out", &whole]].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    let progress = format!("{cut}.progress");
    let mut child = std::process::Command::new(BINARY)
        .args(build)
        .args(["--out", &cut])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let lines = || std::fs::read_to_string(&progress).map_or(0, |text| text.lines().count());
    while child.try_wait().unwrap().is_none() && lines() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!std::path::Path::new(&cut).exists(), "it was too fast");
    let again = output_of(&[&build[..], &["--out", &cut]].concat());
    assert!(!again.status.success() && stderr(&again).contains("--resume"));
    let other = ["--out", &cut, "--resume", "--seed", "1"];
    let other = output_of(&[&build[..], &other].concat());
    assert!(
        stderr(&other).contains("other settings"),
        "{}",
        stderr(&other)
    );
    let rest = output_of(&[&build[..], &["--out", &cut, "--resume"]].concat());
    assert!(rest.status.success(), "{}", stderr(&rest));
    assert_eq!(std::fs::read(&cut).unwrap(), std::fs::read(&whole).unwrap());
    assert!(!std::path::Path::new(&progress).exists());
    // Nothing is left to do.
    let done = output_of(&[&build[..], &["--out", &cut, "--resume"]].concat());
    assert!(done.status.success(), "{}", stderr(&done));
    assert_eq!(std::fs::read(&cut).unwrap(), std::fs::read(&whole).unwrap());
}

/// Options of the network where none is asked: they are not refused, and it is said that they change nothing.
#[test]
fn options_of_a_network_that_is_not_asked_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let program = written(dir.path(), "a.py", "x = 1\n");
    let kept = dir.path().join("kept.jsonl").display().to_string();
    let said = "no network is asked at --fold methods";
    let options: [&[&str]; 2] = [&["--quantised"], &["--answers", &kept]];
    for option in options {
        let run = output_of(&[&["trace", &program][..], option].concat());
        assert!(run.status.success(), "{}", stderr(&run));
        let error = stderr(&run);
        assert_eq!(error.matches("warning").count(), 1, "{error}");
        assert!(error.contains(said) && error.contains(option[0]), "{error}");
        assert!(error.contains("--fold operators or --no-fold"), "{error}");
        for level in [&["--fold", "operators"][..], &["--no-fold"]] {
            let run = output_of(&[&["trace", &program][..], option, level].concat());
            assert!(!stderr(&run).contains(said), "{}", stderr(&run));
        }
    }
    let both = output_of(&["trace", &program, "--quantised", "--answers", &kept]);
    assert!(
        stderr(&both).contains("--quantised, --answers"),
        "{}",
        stderr(&both)
    );
    let run = output_of(&["trace", &program]);
    assert_eq!(stderr(&run), "");
}
