//! Parses a child's output. The child is untrusted: any bytes give a trace or a reason, never a
//! panic, and never more memory than a small multiple of their length.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path};

use serde::Deserialize;

use super::attempt::{self, Attempted};
use super::guide::Report;
use crate::trace::{Cause, Event, Link, MOST_CAUSES, Outcome, State, Step, Value};

/// Maximum names in one state; far above any real program, and bounds the work of binding them.
pub(crate) const MOST_NAMES: usize = 4096;
/// Why a program that traces itself is not traced further.
const OWN_TRACE: &str =
    "it set a trace function of its own (sys.settrace), in place of the one that records the trace";
/// Longest exception name or message, in characters.
const LONGEST_MESSAGE: usize = 4096;

/// The tracer's output in JSON form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Payload {
    status: Status,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    message: String,
    #[serde(default)]
    line: u32,
    #[serde(default)]
    column: u32,
    #[serde(default)]
    step: Option<u32>,
    /// Path of the file of `line`, unless it is the entry.
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    causes: Vec<RawCause>,
    #[serde(default)]
    exit: Option<RawExit>,
    #[serde(default)]
    guide: Option<Report>,
    #[serde(default)]
    attempt: Option<attempt::Report>,
    steps: Vec<RawStep>,
}

/// An exception that led to the one of the outcome: how, its class, message, line, the path of its
/// file and its step.
#[derive(Deserialize)]
struct RawCause(Link, String, String, u32, String, Option<u32>);

/// How a program requested its exit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExit {
    code: u8,
    text: String,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Status {
    Finished,
    Raised,
    Syntax,
    Steps,
    Output,
    Memory,
    Timeout,
    Tamper,
    Settrace,
    Abort,
}

/// Line, event, function, depth, the state's changes, output, returned value. The unfinished step of
/// a killed program ends after its depth. Without names: most of a payload is steps.
///
/// A change is the number of the state's frame, then names and texts in turn, without a text for an unbound name. A
/// `!` after the number means that nothing of the previous state is kept.
#[derive(Deserialize)]
struct RawStep(
    u32,
    String,
    String,
    u32,
    #[serde(default)] Option<Vec<Option<String>>>,
    #[serde(default)] Option<String>,
    #[serde(default)] Option<String>,
);

/// The frame of an unknown state.
const NO_FRAME: &str = "0";

/// Contents of a payload.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub steps: Vec<Step>,
    pub outcome: Outcome,
    /// Exceptions that led to the one of the outcome.
    pub causes: Vec<Cause>,
    /// Relative paths of the files that steps name by number; 0, the entry, is not among them.
    pub paths: Vec<String>,
    /// Of a guided program.
    pub report: Option<Report>,
}

/// Parses a payload of at most `max_steps` steps.
pub(crate) fn decode(bytes: &[u8], max_steps: u32) -> Decoded {
    read(bytes, max_steps).unwrap_or_else(|| Decoded {
        steps: Vec::new(),
        outcome: no_valid_result(),
        causes: Vec::new(),
        paths: Vec::new(),
        report: None,
    })
}

/// Maximum files of a trace, and maximum length of a path in bytes.
const MOST_FILES: usize = 4096;
const LONGEST_PATH: usize = 4096;

/// Numbers for paths.
#[derive(Default)]
struct Files {
    numbers: HashMap<String, u32>,
    paths: Vec<String>,
}

impl Files {
    /// The number of a path. `None` if it is not below a root, or if there are too many.
    fn number(&mut self, path: &str) -> Option<u32> {
        if let Some(&number) = self.numbers.get(path) {
            return Some(number);
        }
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        let inside = !path.is_empty() && Path::new(path).components().all(plain);
        if !inside || path.len() > LONGEST_PATH || self.paths.len() == MOST_FILES {
            return None;
        }
        self.paths.push(path.to_owned());
        let number = self.paths.len() as u32;
        self.numbers.insert(path.to_owned(), number);
        Some(number)
    }
}

/// The behaviour of a program behind a prefix.
pub(crate) fn decode_attempt(bytes: &[u8]) -> Attempted {
    let read = || {
        let payload: Payload = serde_json::from_slice(bytes).ok()?;
        let left =
            payload.status == Status::Finished && payload.kind.as_deref() == Some("SystemExit");
        let outcome = outcome(&payload)?;
        let exit = left.then_some(payload.line);
        Some(Attempted::new(outcome, exit, payload.attempt))
    };
    read().unwrap_or_else(|| Attempted::new(no_valid_result(), None, None))
}

/// The outcome of a program whose child left nothing credible.
pub(crate) fn no_valid_result() -> Outcome {
    Outcome::Killed {
        why: "no valid result".to_owned(),
    }
}

fn read(bytes: &[u8], max_steps: u32) -> Option<Decoded> {
    let payload: Payload = serde_json::from_slice(bytes).ok()?;
    let mut outcome = outcome(&payload)?;
    let mut files = Files::default();
    let mut raw = payload.steps;
    let under_way = raw.pop_if(|step| step.4.is_none());
    if raw.len() > max_steps as usize {
        return None;
    }
    let mut known = HashMap::new();
    let read = raw.into_iter().map(|raw| step(raw, &mut files, &mut known));
    let mut steps = read.collect::<Option<Vec<Step>>>()?;
    if let Some(raw) = under_way.filter(|_| steps.len() < max_steps as usize) {
        steps.push(step_under_way(raw, &steps, &mut files)?);
    }
    if let (Outcome::Raised { file, .. }, Some(path)) = (&mut outcome, &payload.file) {
        *file = files.number(path)?;
    }
    let mut causes = Vec::new();
    if matches!(outcome, Outcome::Raised { .. }) {
        for cause in payload.causes.into_iter().take(MOST_CAUSES) {
            causes.push(read_cause(cause, &mut files, steps.len())?);
        }
    }
    Some(Decoded {
        steps,
        outcome,
        causes,
        paths: files.paths,
        report: payload.guide,
    })
}

fn read_cause(cause: RawCause, files: &mut Files, steps: usize) -> Option<Cause> {
    let RawCause(how, exception, message, line, path, step) = cause;
    Some(Cause {
        how,
        exception: shortened(&exception),
        message: shortened(&message),
        line,
        file: match path.as_str() {
            "" => 0,
            path => files.number(path)?,
        },
        step: step.filter(|&at| (at as usize) < steps),
    })
}

fn outcome(payload: &Payload) -> Option<Outcome> {
    let count = payload.steps.len();
    Some(match payload.status {
        Status::Finished => match &payload.exit {
            Some(exit) => Outcome::Exited {
                code: exit.code,
                text: shortened(&exit.text),
            },
            None => Outcome::Finished,
        },
        Status::Raised => Outcome::Raised {
            file: 0,
            exception: shortened(payload.kind.as_deref()?),
            message: shortened(&payload.message),
            line: payload.line,
            step: payload.step.filter(|&k| (k as usize) < count),
        },
        Status::Syntax => Outcome::SyntaxError {
            line: payload.line,
            column: payload.column,
            message: shortened(&payload.message),
        },
        Status::Steps => Outcome::StepLimit,
        Status::Output => Outcome::OutputLimit,
        Status::Memory => Outcome::MemoryLimit,
        Status::Timeout => Outcome::Timeout,
        Status::Tamper => Outcome::Killed {
            why: "tampered with the tracer".to_owned(),
        },
        Status::Settrace => Outcome::Killed {
            why: OWN_TRACE.to_owned(),
        },
        // The sandbox lets no program send itself that signal.
        Status::Abort => Outcome::Killed {
            why: "signal 6".to_owned(),
        },
    })
}

/// A step, with the last states of frames by their numbers.
fn step(raw: RawStep, files: &mut Files, known: &mut HashMap<u32, State>) -> Option<Step> {
    let RawStep(line, event, function, depth, Some(changes), Some(output), value) = raw else {
        return None;
    };
    let state = state(changes, known)?;
    let (event, file) = match event.split_once(' ') {
        Some((event, path)) => (event, files.number(path)?),
        None => (event.as_str(), 0),
    };
    let event = match event {
        "c" => Event::Call,
        "l" => Event::Line,
        "r" => Event::Return,
        _ => return None,
    };
    Some(Step {
        line,
        event,
        function: function.into(),
        depth,
        file,
        state,
        output,
        value: match value {
            Some(text) => Some(Box::new(self::value(text)?)),
            None => None,
        },
        confidence: None,
    })
}

/// A value: its text, and behind a zero byte, which no canonical text has, the numbers of the objects in it.
fn value(text: String) -> Option<Value> {
    let Some((text, objects)) = text.split_once('\0') else {
        return Some(Value::observed(text));
    };
    let numbers = objects.split(',').map(|number| number.parse().ok());
    let numbers = numbers.collect::<Option<Vec<u32>>>()?;
    Some(Value::observed(text).with_objects(Some(numbers.into())))
}

/// The state that changes lead to.
fn state(changes: Vec<Option<String>>, known: &mut HashMap<u32, State>) -> Option<State> {
    let mut changes = changes.into_iter();
    let frame = changes.next()??;
    let (frame, is_new) = match frame.strip_suffix('!') {
        Some(frame) => (frame, true),
        None => (&*frame, false),
    };
    let state = known.entry(frame.parse().ok()?).or_default();
    if is_new {
        *state = State::new();
    }
    if !changes.len().is_multiple_of(2) || changes.len() > 4 * MOST_NAMES {
        return None;
    }
    let (mut gone, mut bound) = (Vec::new(), Vec::with_capacity(changes.len() / 2));
    let mut names = HashSet::with_capacity(changes.len() / 2);
    while let (Some(name), Some(text)) = (changes.next(), changes.next()) {
        let name = name?;
        if !names.insert(name.clone()) {
            return None;
        }
        match text {
            Some(text) => bound.push((name, value(text)?)),
            None => gone.push(name),
        }
    }
    state.apply(&gone, bound);
    (state.len() <= MOST_NAMES).then(|| state.clone())
}

/// The unfinished step: its state is the last known one of the frame that it leads to.
fn step_under_way(raw: RawStep, before: &[Step], files: &mut Files) -> Option<Step> {
    let raw = RawStep(
        raw.0,
        raw.1,
        raw.2,
        raw.3,
        Some(vec![Some(NO_FRAME.to_owned())]),
        raw.5.xor(Some(String::new())),
        raw.6,
    );
    let mut step = step(raw, files, &mut HashMap::new())?;
    let known = match step.event {
        // A state belongs to the frame of the event after it.
        Event::Return => (1..before.len())
            .rev()
            .find(|&k| before[k].depth < step.depth)
            .map(|k| &before[k - 1]),
        Event::Call | Event::Line => before.last(),
    };
    step.state = known.map(|k| k.state.clone()).unwrap_or_default();
    Some(step)
}

fn shortened(text: &str) -> String {
    text.chars().take(LONGEST_MESSAGE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn killed(bytes: &[u8]) -> bool {
        let found = decode(bytes, 16);
        found.steps.is_empty() && found.outcome == no_valid_result() && found.paths.is_empty()
    }

    #[test]
    fn reads_a_payload() {
        let text = r#"{"status":"raised","kind":"ValueError","message":"no","line":3,"column":0,
            "step":0,"steps":[[3,"l","<module>",0,["0","x","'1'","y","[2]"],"hi\n"]]}"#;
        let Decoded { steps, outcome, .. } = decode(text.as_bytes(), 16);
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].state.get("x"), Some(&Value::observed("'1'")));
        assert_eq!(steps[0].output, "hi\n");
        let want = Outcome::Raised {
            file: 0,
            exception: "ValueError".into(),
            message: "no".into(),
            line: 3,
            step: Some(0),
        };
        assert_eq!(outcome, want);
    }

    #[test]
    fn the_step_under_way_has_what_is_known_of_its_frame() {
        let begin = r#"{"status":"steps","steps":[[3,"l","<module>",0,["0","x","1"],""],
            [4,"l","<module>",0,["1","a","2"],""],[1,"c","f",1,["1"],""],[2,"l","f",1,["1","a","3"],""],"#;
        let cases = [
            (r#"[2,"l","f",1]]}"#, Event::Line, "a", "3"),
            (r#"[2,"r","f",1]]}"#, Event::Return, "x", "1"),
            (r#"[1,"c","g",2]]}"#, Event::Call, "a", "3"),
        ];
        for (end, event, name, value) in cases {
            let steps = decode(format!("{begin}{end}").as_bytes(), 16).steps;
            assert_eq!((steps.len(), steps[4].event), (5, event));
            assert_eq!(steps[4].state.get(name), Some(&Value::observed(value)));
            let cut = decode(format!("{begin}{end}").as_bytes(), 4).steps;
            assert_eq!(cut.len(), 4);
        }
        let only = br#"{"status":"steps","steps":[[1,"l","<module>",0]]}"#;
        assert_eq!(decode(only, 16).steps.len(), 1);
    }

    #[test]
    fn a_state_has_what_its_frame_had_before() {
        let text = br#"{"status":"finished","steps":[[1,"l","f",0,["0","x","1","y","2"],""],
            [1,"l","f",0,["7","x","5"],""],[1,"l","f",0,["0","x",null,"z","3"],""],
            [1,"l","f",0,["7"],""],[1,"l","f",0,["0!","z","3","y","2"],""]]}"#;
        let steps = decode(text, 16).steps;
        let shown = |step: &Step| {
            let names = step.state.iter();
            names
                .map(|(n, v)| format!("{n}{}", v.text))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let shown: Vec<String> = steps.iter().map(shown).collect();
        assert_eq!(shown, ["x1 y2", "x5", "y2 z3", "x5", "z3 y2"]);
    }

    #[test]
    fn files_have_numbers_in_their_order() {
        let text = br#"{"status":"raised","kind":"E","line":4,"file":"pkg/b.py","steps":[
            [1,"l","<module>",0,["0"],""],[1,"c a.py","<module>",1,["0"],""],[2,"l","<module>",0,["0"],""],
            [3,"l pkg/b.py","f",1,["0"],""]]}"#;
        let found = decode(text, 16);
        let files: Vec<u32> = found.steps.iter().map(|step| step.file).collect();
        assert_eq!(files, [0, 1, 0, 2]);
        assert_eq!(found.paths, ["a.py", "pkg/b.py"]);
        assert!(matches!(found.outcome, Outcome::Raised { file: 2, .. }));
    }

    #[test]
    fn an_exit_is_read() {
        let text = br#"{"status":"finished","exit":{"code":3,"text":"no"},"steps":[]}"#;
        let want = Outcome::Exited {
            code: 3,
            text: "no".into(),
        };
        assert_eq!(decode(text, 16).outcome, want);
        assert!(killed(
            br#"{"status":"finished","exit":{"code":300,"text":""},"steps":[]}"#
        ));
    }

    #[test]
    fn believes_nothing_malformed() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let deep_inside = format!(r#"{{"status":"finished","steps":[[1,"l","f",0,{deep},""]]}}"#);
        let unknown_deep = format!(r#"{{"status":"finished","x":{deep},"steps":[]}}"#);
        let many = format!(
            r#"{{"status":"finished","steps":[{}[1,"l","f",0,["0"],""]]}}"#,
            r#"[1,"l","f",0,["0"],""],"#.repeat(16)
        );
        let names: Vec<String> = (0..=MOST_NAMES).map(|k| format!(r#""n{k}","1""#)).collect();
        let wide = format!(
            r#"{{"status":"finished","steps":[[1,"l","f",0,["0",{}],""]]}}"#,
            names.join(",")
        );
        let cases: &[&[u8]] = &[
            b"",
            b"\xff\xfe\x00",
            b"null",
            b"{}",
            b"[]",
            deep.as_bytes(),
            deep_inside.as_bytes(),
            unknown_deep.as_bytes(),
            many.as_bytes(),
            wide.as_bytes(),
            br#"{"status":"finished"}"#,
            br#"{"status":"fine","steps":[]}"#,
            br#"{"status":"raised","steps":[]}"#,
            br#"{"status":"finished","status":"finished","steps":[]}"#,
            br#"{"status":"finished","steps":[]} trailing"#,
            br#"{"status":"finished","line":1e999,"steps":[]}"#,
            br#"{"status":"finished","line":-1,"steps":[]}"#,
            br#"{"status":"finished","line":4294967296,"steps":[]}"#,
            br#"{"status":"finished","line":99999999999999999999999999,"steps":[]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,[],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,["x","y","1"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,["-1","y","1"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,["0","y","[]\u0000x"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,[null,"y","1"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,["0",null,"1"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,["0","x"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,["0","x","1","x","2"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,["0","x","1","x",null],""]]}"#,
            br#"{"status":"finished","steps":[[1,"q","f",0,["0"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",-1,["0"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l /etc/passwd","f",0,["0"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l ../x.py","f",0,["0"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l ","f",0,["0"],""]]}"#,
            br#"{"status":"raised","kind":"E","line":1,"file":"../x.py","steps":[]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,[1,2],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,[]]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,[],"","1","more"]]}"#,
            br#"{"status":"finished","steps":[[1,"l","\ud800",0,["0"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0],[1,"l","f",0,["0"],""]]}"#,
            br#"{"status":"finished","steps":[[1,"l","f",0,null,"x"]]}"#,
            br#"{"status":"finished","steps":{"0":1}}"#,
        ];
        for case in cases {
            let shown = String::from_utf8_lossy(&case[..case.len().min(80)]).into_owned();
            assert!(killed(case), "{shown}");
        }
    }

    proptest::proptest! {
        #[test]
        fn never_panics(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            decode(&bytes, 4);
        }

        #[test]
        fn never_panics_on_a_broken_payload(cut in 0usize..120, at in 0usize..120, byte: u8) {
            let mut text = br#"{"status":"finished","kind":"","line":1,"step":null,
                "steps":[[1,"l","<module>",0,["0","x","1"],"out"]]}"#.to_vec();
            let at = at.min(text.len() - 1);
            text[at] = byte;
            text.truncate(text.len() - cut.min(text.len()));
            decode(&text, 4);
            decode_attempt(&text);
        }
    }
}
