//! What the tracer records for each program of `tests/programs`, under CPython 3.11.
//!
//! A snapshot has one line a step, `line event function depth | what changed | output`, where a
//! change is against the step before and `-name` is a name that went. Long texts and long traces
//! show their two ends.

#![allow(clippy::unwrap_used)]

mod interpreters;

use codexec_data::trace::ValueType;
use interpreters::{name_of, norm, programs, state, steps, trace, trace_source, trace_text};
use serde_json::Value;

const LONG_TEXT: usize = 100;
const LONG_TRACE: usize = 120;

fn shortened(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= LONG_TEXT {
        return text.to_owned();
    }
    let head: String = chars[..60].iter().collect();
    let tail: String = chars[chars.len() - 30..].iter().collect();
    format!("{head} [{} characters] {tail}", chars.len() - 90)
}

fn changes(before: &[(&str, &str)], after: &[(&str, &str)]) -> String {
    let new = after
        .iter()
        .filter(|pair| !before.contains(pair))
        .map(|(name, text)| format!("{name} : {}", shortened(text)));
    let gone = before
        .iter()
        .filter(|(name, _)| after.iter().all(|(n, _)| n != name))
        .map(|(name, _)| format!("-{name}"));
    new.chain(gone).collect::<Vec<_>>().join(" ; ")
}

fn readable(payload: &Value) -> String {
    let mut lines = Vec::new();
    let mut before = Vec::new();
    for step in steps(payload) {
        let after = state(step);
        let output = step[5].as_str().unwrap();
        let output = match output {
            "" => String::new(),
            _ => format!(" | {:?}", shortened(output)),
        };
        let head = format!("{} {} {} {}", step[0], step[1], step[2], step[3]).replace('"', "");
        lines.push(format!("{head} | {}{output}", changes(&before, &after)));
        before = after;
    }
    if lines.len() > LONG_TRACE {
        let skipped = lines.len() - 33;
        lines.splice(30..lines.len() - 3, [format!("... {skipped} steps ...")]);
    }
    let mut outcome = payload.clone();
    outcome.as_object_mut().unwrap().remove("steps");
    lines.push(outcome.to_string());
    lines.join("\n")
}

#[test]
fn programs_have_the_traces_of_their_snapshots() {
    let Some(python) = norm() else { return };
    let all = programs();
    assert!(all.len() >= 60, "only {} programs", all.len());
    for program in all {
        let payload = trace(python, &program);
        insta::with_settings!({
            prepend_module_to_snapshot => false,
            omit_expression => true,
            description => std::fs::read_to_string(&program).unwrap(),
        }, {
            insta::assert_snapshot!(name_of(&program), readable(&payload));
        });
    }
}

/// The first fenced block of `kind` in `docs`.
fn block<'d>(docs: &'d str, kind: &str) -> &'d str {
    let start = docs.split_once(&format!("```{kind}\n")).unwrap().1;
    start.split_once("\n```").unwrap().0
}

#[test]
fn instances_are_shown_as_documented() {
    let Some(python) = norm() else { return };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/trace-format.md");
    let docs = std::fs::read_to_string(path).unwrap();
    let section = docs.split_once("\n### Instances\n").unwrap().1;
    let want: Vec<&str> = block(section, "text").lines().collect();
    let payload = trace_source(python, &(block(section, "python").to_owned() + "\n"), &[]);
    let shown = steps(&payload).iter().map(|step| {
        let event = match step[1].as_str().unwrap() {
            "c" => "call",
            "l" => "line",
            _ => "return",
        };
        let state = state(step).into_iter().map(|(n, v)| format!("{n} = {v}"));
        let state = state.collect::<Vec<_>>().join(", ");
        let value = step[6].as_str().map(|v| format!("; value {v}"));
        let (function, value) = (step[2].as_str().unwrap(), value.unwrap_or_default());
        format!("{} {event} {function}: {state}{value}", step[0])
    });
    let shown: Vec<String> = shown.collect();
    assert_eq!(shown[shown.len() - want.len()..], want);
}

/// What an instance shows by its class, and that none of its code runs for it.
#[test]
fn attributes_come_from_dict_and_slots() {
    let source = "\
import enum, threading, collections, dataclasses, types, typing, abc, datetime
class Slots:
    __slots__ = ('b', 'a', 'c')
class Both(Slots):
    pass
class Private:
    def __init__(self): self.__x = 1; self._y = 2; self.__dict__['a b'] = self.__dict__[3] = 4
class Color(enum.Enum):
    RED = 1
class Own(threading.Thread):
    def __init__(self): super().__init__(); self.n = 1
class Shape(abc.ABC):
    def __init__(self): self._area = 2
class Failed(Exception):
    def __init__(self, code): self.code = code
class Stack(list): pass
@dataclasses.dataclass
class Data:
    x: int
    y: list = None
class Typed(typing.NamedTuple):
    x: int
class Hostile:
    __dict__ = property(lambda self: print('called'))
    def __getattribute__(self, name): print('called')
    def __repr__(self): print('called')
class Meta(type):
    def __getattribute__(cls, name): print('called'); return type.__getattribute__(cls, name)
class Made(metaclass=Meta): pass
class Key(str):
    def __eq__(self, other): print('called')
    __hash__ = str.__hash__
class Empty: pass
slots = Slots(); slots.a = 1; slots.b = 2
both = Both(); both.c = both.z = 3
private = Private()
color = Color.RED
own = Own()
shape = Shape()
failed = Failed(5)
stack = Stack([1]); stack.size = 1
data = Data(1)
pair = collections.namedtuple('Pair', 'b a')(1, 2)
typed = Typed(3)
hostile = Hostile()
made = Made(); made.x = 1
keyed = type('Keyed', (), {Key('__module__'): 1})(); keyed.x = 1
space = types.SimpleNamespace(a=1)
day = datetime.date(2020, 1, 2)
empty = Empty()
nested = [{'a': data}, {data.x: empty}]
x = 1
";
    let want = [
        ("slots", "<Slots a=1 b=2>"),
        ("both", "<Both c=3 z=3>"),
        ("private", "<Private _Private__x=1 _y=2>"),
        ("color", "<Color _value_=1 _name_='RED'>"),
        ("own", "<Own n=1>"),
        ("shape", "<Shape _area=2>"),
        ("failed", "<Failed code=5>"),
        ("stack", "<Stack size=1>"),
        ("data", "<Data x=1 y=None>"),
        ("pair", "<Pair b=1 a=2>"),
        ("typed", "<Typed x=3>"),
        ("hostile", "<Hostile>"),
        ("made", "<Made x=1>"),
        ("space", "<SimpleNamespace a=1>"),
        ("day", "<date>"),
        ("empty", "<Empty>"),
        ("nested", "[{'a': <Data x=1 y=None>}, {1: <Empty>}]"),
    ];
    for python in interpreters::pythons() {
        let payload = trace_source(python, source, &[]);
        assert_eq!(payload["status"], "finished", "{payload}");
        let steps = steps(&payload);
        let last = state(steps.last().unwrap());
        for (name, text) in want {
            let found = last.iter().find(|(n, _)| *n == name).map(|(_, text)| *text);
            assert_eq!(found, Some(text), "{name} {:?}", python.version);
        }
        // The class with an odd key asks it when it is made and looked at by the program itself.
        let printed = steps.iter().filter(|s| s[5] != "" && s[2] != "__eq__");
        assert_eq!(printed.count(), 0, "{:?}", python.version);
    }
}

#[test]
fn attributes_stop_at_the_limits() {
    let Some(python) = norm() else { return };
    let source = "\
class N:
    def __init__(self, v, next=None): self.v = v; self.next = next
ring = N(1, N(2)); ring.next.next = ring
chain = None
for i in range(10): chain = N(i, chain)
many = [N(i) for i in range(40)]
wide = N(0); wide.__dict__.update({'a%d' % i: i for i in range(300)})
x = 1
";
    let payload = trace_source(python, source, &[]);
    let steps = steps(&payload);
    let last = state(steps.last().unwrap());
    let text = |name| last.iter().find(|(n, _)| *n == name).unwrap().1;
    assert_eq!(text("ring"), "<N v=1 next=<N v=2 next=<N ...>>>");
    let chain = (2..10).rev().map(|v| format!("<N v={v} next="));
    let chain = chain.collect::<String>() + "<N ...>" + &">".repeat(8);
    assert_eq!(text("chain"), chain);
    let many = text("many");
    assert_eq!(many.matches(" next=None>").count(), 32);
    assert!(many.contains("<N v=31 next=None>, <N ...>, "), "{many}");
    assert_eq!(many.matches("<N ...>").count(), 8);
    assert!(text("wide").ends_with(" a253=253 ...<46 more>>"));
}

#[test]
fn functions_and_generators_give_values_back() {
    let source = "\
def f(x):
    if x: return [x]
def g():
    yield 1
    yield
    return 2
def h():
    raise KeyError
class A:
    pass
f(0); f(1)
list(g())
(lambda: 'a')()
try: h()
except KeyError: pass
x = 1
";
    for python in interpreters::pythons() {
        let payload = trace_source(python, source, &[]);
        let returns = steps(&payload).iter().filter(|s| s[1] == "r");
        let values: Vec<_> = returns
            .map(|s| (s[2].as_str().unwrap(), s[6].as_str()))
            .collect();
        let want = [
            ("A", None),
            ("f", Some("None")),
            ("f", Some("[1]")),
            ("g", Some("1")),
            ("g", None),
            ("g", Some("2")),
            ("<lambda>", Some("'a'")),
            ("h", None),
        ];
        assert_eq!(values, want, "{:?}", python.version);
    }
}

#[test]
fn every_value_has_a_type() {
    let Some(python) = norm() else { return };
    for program in programs() {
        let payload = trace(python, &program);
        for (name, text) in steps(&payload).iter().flat_map(state) {
            let ty = ValueType::of_text(text);
            let program = name_of(&program);
            assert_ne!(ty, ValueType::Unknown, "{program}: {name} : {text}");
        }
    }
}

#[test]
fn same_bytes_on_every_run() {
    let Some(python) = norm() else { return };
    for program in programs() {
        let first = trace_text(python, &program, &[], "0");
        let second = trace_text(python, &program, &[], "0");
        assert_eq!(first, second, "{}", name_of(&program));
    }
}

#[test]
fn sets_do_not_show_the_hash_seed() {
    let Some(python) = norm() else { return };
    for program in programs() {
        if ["53_sets", "09_other_comprehensions"].contains(&name_of(&program).as_str()) {
            let texts = ["0", "1", "2"].map(|seed| trace_text(python, &program, &[], seed));
            assert_eq!(texts[0], texts[1]);
            assert_eq!(texts[0], texts[2]);
        }
    }
}

#[test]
fn no_method_of_the_program_is_called_to_show_a_value() {
    for python in interpreters::pythons() {
        for program in programs() {
            if name_of(&program).contains("hostile") {
                let payload = trace(python, &program);
                assert_eq!(payload["status"], "finished", "{:?}", python.version);
                for step in steps(&payload) {
                    assert_eq!(step[5], "", "{} {step}", name_of(&program));
                }
            }
        }
    }
}

#[test]
fn step_limit_cuts_only_longer_traces() {
    let Some(python) = norm() else { return };
    let source = "x = 0\nfor i in range(3):\n    x += i\n";
    let whole = trace_source(python, source, &[]);
    let count = steps(&whole).len();
    assert_eq!(whole["status"], "finished");
    let enough = trace_source(python, source, &["--max-steps", &count.to_string()]);
    assert_eq!(enough, whole);
    let cut = trace_source(python, source, &["--max-steps", &(count - 1).to_string()]);
    assert_eq!(cut["status"], "steps");
    assert_eq!(steps(&cut)[..], steps(&whole)[..count - 1]);
}

#[test]
fn text_limit_holds_for_values_and_for_output() {
    let Some(python) = norm() else { return };
    // The last list is tiny in memory and has 256^9 items.
    let shared = "a = []\nfor i in range(9):\n    a = [a] * 256\n";
    let written = "for i in range(9):\n    print('x' * 5000)\n";
    for source in [shared, written] {
        let payload = trace_source(python, source, &["--max-bytes", "20000"]);
        assert_eq!(payload["status"], "output", "{source}");
        assert!(payload.to_string().len() < 400_000);
    }
}

/// The step named by the outcome is the one during which the exception was raised, also when the
/// same line ran before, when others were caught on the way and when it was raised again.
#[test]
fn step_of_the_raise_has_the_line_of_the_outcome() {
    let Some(norm) = norm() else { return };
    let mut raising = programs();
    raising.retain(|p| trace(norm, p)["status"] == "raised");
    assert!(raising.len() >= 9, "{} programs raise", raising.len());
    for python in interpreters::pythons() {
        for program in &raising {
            let payload = trace(python, program);
            if payload["status"] != "raised" {
                continue;
            }
            let step = payload["step"].as_u64().unwrap() as usize;
            let name = name_of(program);
            let at = &steps(&payload)[step];
            // An exception caught, kept and raised once more: its traceback ends where it came
            // from, the step is that of its last raise (or of the return that gave it).
            let again = match name.as_str() {
                "94_raise_kept" => Some((8, 4)),
                "96_raise_returned" => Some((16, 10)),
                "97_raise_after_call" => Some((6, 4)),
                "98_raise_through_generator" => Some((12, 5)),
                _ => None,
            };
            if let Some((at_line, traceback_line)) = again {
                let version = python.version;
                assert_eq!(at[0], at_line, "{name} {version:?}");
                assert_eq!(payload["line"], traceback_line, "{name} {version:?}");
                continue;
            }
            assert_eq!(at[0], payload["line"], "{name} {:?}", python.version);
            if python.version < (3, 10) {
                continue; // 3.9 comes back to the line while it leaves the `except` around it
            }
            let rest = &steps(&payload)[step + 1..];
            let same = |s: &&Value| s[0] == payload["line"] && s[1] == "l" && s[2] == at[2];
            assert_eq!(rest.iter().filter(same).count(), 0, "{name}: {at}");
        }
    }
}

/// The message of a failed lookup is kept, whatever the object is.
#[test]
fn messages_of_missing_attributes_are_kept() {
    for python in interpreters::pythons() {
        for (source, message) in [
            (
                "class N:\n    pass\nN().x\n",
                "'N' object has no attribute 'x'",
            ),
            ("[].push(1)\n", "'list' object has no attribute 'push'"),
            (
                "import math\nmath.nothing\n",
                "module 'math' has no attribute 'nothing'",
            ),
            ("x = y\n", "name 'y' is not defined"),
        ] {
            let payload = trace_source(python, source, &[]);
            assert_eq!(payload["message"], message, "{source} {:?}", python.version);
        }
    }
}

/// What the program leaves for the time after it (streams, threads, its exception) takes no step.
#[test]
fn nothing_after_the_program_loses_its_steps() {
    let stream = "import sys\nclass O:\n    def write(self, s): pass\n    \
                  def flush(self): raise SystemExit\nsys.stdout = O()\nx = 1\n";
    let thread = "import threading\nclass T(threading.Thread):\n    \
                  def join(self): raise SystemExit\nt = T(target=print)\nt.start()\nx = 1\n";
    let text = "class E:\n    def __str__(self): raise SystemExit\n\
                e = SyntaxError('x')\ne.msg = E()\nx = 1\nraise e\n";
    let path = "class E(str):\n    def __repr__(self): return 'called'\n\
                x = 1\nraise OSError(1, 'x', E('y'))\n";
    let reason = "class E(str):\n    def __str__(self): return 'called'\n\
                  e = UnicodeEncodeError('utf-8', 'a', 0, 1, 'b')\ne.reason = E()\nx = 1\nraise e\n";
    let name = "class S(str): pass\nE = type('E', (Exception,), {})\n\
                E.__name__ = S('N' * 2000)\nx = 1\nraise E\n";
    let names = "globals()[1] = 2\nx = 1\n";
    for python in interpreters::pythons() {
        for source in [stream, thread, text, path, reason, name, names] {
            let payload = trace_source(python, source, &[]);
            let raises =
                source.contains("raise e\n") || source.contains("raise OSE") || source == name;
            let status = if raises { "raised" } else { "finished" };
            assert_eq!(payload["status"], status, "{source} {:?}", python.version);
            if raises {
                assert_eq!(payload["message"], "", "{source} {:?}", python.version);
            }
            let bound = steps(&payload)
                .iter()
                .any(|s| state(s).contains(&("x", "1")));
            assert!(bound, "{source} {:?}", python.version);
        }
    }
}
