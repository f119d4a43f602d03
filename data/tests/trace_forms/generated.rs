//! Properties of generated traces.

use super::*;

/// Pieces that a careless reader or writer would trip over.
const TRAPS: &[&str] = &[
    "<line>",
    "</state>",
    "<dictsep>",
    "<0>",
    "<199>",
    "<function>",
    "<state> a : 1 </state>",
    "<end>",
    "<mask0>",
    "</s>",
    "<\\line>",
    "< line >",
    "▁",
    "\\u2581",
    "\\",
    "\\c",
    "\\n",
    "\\<",
    "\n",
    "\n\n",
    "\t",
    "\r",
    " ",
    "  ",
    ",",
    ", ",
    ":",
    ": ",
    ",)",
    ", )",
    "'",
    "\"",
    "{",
    "}",
    "\u{a0}",
    "\u{3000}",
    "\u{7f}",
    "é",
    "日本",
    "🐍",
    "1e-05",
    "-3",
    "...<12 more>",
    "<A x=1 y=",
    "<A ...>",
    "=",
    ">",
];

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => select(TRAPS).prop_map(str::to_owned),
        2 => "[a-z0-9 ]{1,4}",
        1 => any::<char>().prop_map(String::from),
    ];
    vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// A string literal as CPython writes it, or close enough: quoted, printable.
fn literal() -> impl Strategy<Value = String> {
    any_text().prop_map(|text| {
        let quote = if text.contains('\'') && !text.contains('"') {
            '"'
        } else {
            '\''
        };
        let mut out = String::from(quote);
        for c in text.chars() {
            match c {
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                _ if c == quote => out.extend(['\\', c]),
                _ if c != ' ' && (c.is_whitespace() || c.is_control()) => {
                    out.push_str(&format!("\\u{:04x}", u32::from(c)));
                }
                _ => out.push(c),
            }
        }
        out.push(quote);
        out
    })
}

fn canonical() -> impl Strategy<Value = String> {
    let words = [
        "None",
        "True",
        "inf",
        "nan",
        "1e-05",
        "(1+2j)",
        "2j",
        "<function>",
        "<module>",
        "<class>",
        "<Point2D>",
        "<Node ...>",
        "<line x=1>",
        "<function self=<function>>",
        "<state>",
        "<int 4096 bits>",
        "range(0, 3)",
        "set()",
        "()",
        "[...]",
        "b'\\x00'",
        "Ellipsis",
        "deque([1])",
    ];
    let leaf = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_map(|x| format!("{x:?}").replace("NaN", "nan")),
        select(words.to_vec()).prop_map(str::to_owned),
        literal(),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|v| format!("[{}]", v.join(", "))),
            vec(inner.clone(), 2..4).prop_map(|v| format!("({})", v.join(", "))),
            inner.clone().prop_map(|v| format!("({v},)")),
            vec(inner.clone(), 1..4).prop_map(|v| format!("{{{}}}", v.join(", "))),
            vec((inner.clone(), inner.clone()), 0..3).prop_map(|v| {
                let pairs: Vec<_> = v.iter().map(|(k, v)| format!("{k}: {v}")).collect();
                format!("defaultdict({{{}}})", pairs.join(", "))
            }),
            vec(("[a-c_]{1,3}", inner), 1..4).prop_map(|v| {
                let pairs: Vec<_> = v.iter().map(|(k, v)| format!("{k}={v}")).collect();
                format!("<Account {}>", pairs.join(" "))
            }),
        ]
    })
}

fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![5 => canonical(), 1 => any_text()];
    text.prop_map(Value::observed)
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![6 => "[a-e]", 1 => any_text(), 1 => Just("<lambda>".to_owned())]
}

/// How a simulated step goes on.
#[derive(Debug, Clone)]
enum Move {
    Line,
    Call(String),
    Return,
}

/// A change to the state of the frame that is on top when the step is over.
#[derive(Debug, Clone)]
enum Change {
    Set(String, Value),
    Remove(String),
    Reverse,
    Origin,
}

fn a_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        4 => Just(Move::Line),
        2 => name().prop_map(Move::Call),
        2 => Just(Move::Return),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => (name(), value()).prop_map(|(n, v)| Change::Set(n, v)),
        2 => name().prop_map(Change::Remove),
        1 => Just(Change::Reverse),
        1 => Just(Change::Origin),
    ]
}

fn apply(state: &mut State, change: &Change) {
    let all = || state.iter().map(|(n, v)| (n.to_owned(), v.clone()));
    match change {
        Change::Set(name, value) => state.set(name.as_str(), value.clone()),
        Change::Remove(name) => {
            state.remove(name);
        }
        Change::Reverse => *state = all().collect::<Vec<_>>().into_iter().rev().collect(),
        Change::Origin => {
            let injected = |v: Value| Value::new(v.text, Origin::Injected);
            *state = all().map(|(n, v)| (n, injected(v))).collect();
        }
    }
}

type Draft = (Move, u32, Vec<Change>, String, Option<f32>);

fn draft() -> impl Strategy<Value = Draft> {
    let output = prop_oneof![3 => Just(String::new()), 2 => any_text()];
    let line = prop_oneof![9 => 1..230u32, 1 => Just(u32::MAX)];
    (
        a_move(),
        line,
        vec(change(), 0..3),
        output,
        option::of(0.0..=1.0f32),
    )
}

/// Runs drafts on a call stack, with the states the trace rule asks for.
fn simulate(drafts: Vec<Draft>) -> Vec<Step> {
    let mut frames = vec![("<module>".to_owned(), State::new())];
    let mut steps: Vec<Step> = Vec::new();
    let mut event = Event::Line;
    for (k, (next, line, changes, output, confidence)) in drafts.into_iter().enumerate() {
        if k > 0 {
            // What this step's event is decides whose state the step before shows.
            event = match next {
                Move::Call(function) => {
                    frames.push((function, State::new()));
                    Event::Call
                }
                Move::Return if frames.len() > 1 => Event::Return,
                _ => Event::Line,
            };
        }
        if let Some(before) = steps.last_mut() {
            let top = &mut frames.last_mut().expect("the module").1;
            changes.iter().for_each(|c| apply(top, c));
            before.state = top.clone();
        }
        steps.push(Step {
            line,
            event,
            function: frames.last().expect("the module").0.as_str().into(),
            depth: frames.len() as u32 - 1,
            file: 0,
            state: State::new(),
            output,
            value: (event == Event::Return && line % 2 == 0)
                .then(|| Box::new(Value::observed(line.to_string()))),
            confidence,
        });
        if event == Event::Return {
            frames.pop();
        }
    }
    if let (Some(last), Some((_, state))) = (steps.last_mut(), frames.last()) {
        last.state = state.clone();
    }
    steps
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
            3 => Just(Outcome::Finished),
            4 => (name(), any_text(), any::<u32>(), option::of(any::<u32>())).prop_map(
                |(exception, message, line, step)| Outcome::Raised {
    file: 0,  exception, message, line, step }
            ),
            1 => select(vec![
                Outcome::Timeout,
                Outcome::StepLimit,
                Outcome::InstructionLimit,
                Outcome::OutputLimit,
                Outcome::TraceLimit,
                Outcome::MemoryLimit,
            ]),
            1 => any_text().prop_map(|why| Outcome::Killed { why }),
            1 => (any::<u8>(), any_text()).prop_map(|(code, text)| Outcome::Exited { code, text }),
            1 => (any::<u32>(), any::<u32>(), any_text()).prop_map(
                |(line, column, message)| Outcome::SyntaxError { line, column, message }
            ),
        ]
}

/// Points the outcome at a step that exists, mostly with that step's line.
fn placed(mut outcome: Outcome, steps: &[Step]) -> Outcome {
    if let Outcome::Raised { line, step, .. } = &mut outcome {
        *step = step.and_then(|s| s.checked_rem(steps.len() as u32));
        if let Some(at) = step.filter(|_| *line % 4 != 0) {
            *line = steps[at as usize].line;
        }
    }
    outcome
}

fn trace() -> impl Strategy<Value = Trace> {
    let meta = (option::of(any_text()), any_text(), any::<bool>());
    (vec(draft(), 0..12), outcome(), meta).prop_map(|(drafts, outcome, (text, id, truncated))| {
        let steps = simulate(drafts);
        let program = Program {
            id,
            source: text.clone(),
            stdin: None,
            ..Program::default()
        };
        Trace {
            outcome: placed(outcome, &steps),
            steps,
            truncated,
            limit: truncated.then_some(Limit::Tokens(512)),
            python: text.clone(),
            checkpoint: text,
            confidence: truncated.then_some(0.25),
            ..Trace::new(Engine::Guide, program)
        }
    })
}

/// A text made of pieces of the grammar, mostly wrong.
fn scrambled() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        4 => select(SPECIAL_TOKENS).prop_map(str::to_owned),
        2 => (0..300u32).prop_map(|k| format!("<{k}>")),
        1 => select(vec!["raised", ":", "killed", "<", ">", "4294967295", "99999999999", "-"])
            .prop_map(str::to_owned),
        2 => any_text(),
        1 => canonical(),
    ];
    vec(token, 0..20).prop_map(|tokens| tokens.join(" "))
}

/// A text cut at a random character, or with one character replaced.
fn damaged(text: &str, at: usize, by: char) -> [String; 2] {
    let mut chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return [String::new(), by.to_string()];
    }
    let at = at % chars.len();
    let cut = chars[..at].iter().collect();
    chars[at] = by;
    [cut, chars.into_iter().collect()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn delta_loses_nothing(trace in trace()) {
        let form = delta(&trace).unwrap();
        prop_assert_eq!(full(&form), trace);
    }

    #[test]
    fn delta_text_reads_back(trace in trace()) {
        let form = delta(&trace).unwrap();
        let text = delta_text::render(&form);
        prop_assert_eq!(read_delta(&text).unwrap(), without_metadata(&form), "{}", text);
    }

    #[test]
    fn whole_states_say_the_same_in_full(trace in trace()) {
        let form = whole_states(&delta(&trace).unwrap());
        for (step, of) in form.steps.iter().zip(&trace.steps) {
            prop_assert_eq!(step.changed.len(), of.state.iter().count());
        }
        let text = delta_text::render(&form);
        let back = read_delta(&text).unwrap();
        prop_assert_eq!(&back, &without_metadata(&form), "{}", text);
        prop_assert_eq!(full(&form), trace);
    }

    #[test]
    fn blanks_mean_nothing_in_delta_text(trace in trace()) {
        let form = delta(&trace).unwrap();
        let text = delta_text::render(&form);
        let dense = text.replace(' ', "");
        let wide = text.replace(' ', " \n\t");
        prop_assert_eq!(read_delta(&dense).unwrap(), read_delta(&text).unwrap());
        prop_assert_eq!(read_delta(&wide).unwrap(), read_delta(&text).unwrap());
    }

    #[test]
    fn damaged_delta_text_is_read_or_refused(trace in trace(), at: usize, by: char) {
        let text = delta_text::render(&delta(&trace).unwrap());
        for text in damaged(&text, at, by) {
            if let Ok(form) = read_delta(&text) {
                let again = delta_text::render(&form);
                prop_assert_eq!(read_delta(&again).unwrap(), form.clone());
                let _ = full(&form);
            }
        }
    }

    #[test]
    fn any_delta_text_is_read_or_refused(text in scrambled(), noise: String, bytes: Vec<u8>) {
        for text in [text, noise, String::from_utf8_lossy(&bytes).into_owned()] {
            match read_delta(&text) {
                Ok(form) => {
                    let again = delta_text::render(&form);
                    prop_assert_eq!(read_delta(&again).unwrap(), form.clone(), "{}", again);
                    let _ = full(&form);
                }
                Err(FormError::Syntax { at, .. }) => prop_assert!(at <= text.len()),
                Err(other) => prop_assert!(false, "{}", other),
            }
        }
    }

    #[test]
    fn json_reads_back(trace in trace()) {
        let json = trace.to_json().unwrap();
        prop_assert_eq!(Trace::from_json(&json).unwrap(), trace);
    }

    #[test]
    fn damaged_json_is_read_or_refused(trace in trace(), at: usize, by: char, bytes: Vec<u8>) {
        let json = trace.to_json().unwrap();
        for text in damaged(&json, at, by) {
            if let Ok(trace) = Trace::from_json(&text) {
                prop_assert_eq!(Trace::from_json(trace.to_json().unwrap()).unwrap(), trace);
            }
        }
        prop_assert!(Trace::from_json(&bytes).is_err());
    }

    #[test]
    fn paper_reads_back(trace in trace(), rest in option::of(any_text())) {
        let form = PaperTrace { rest, ..PaperTrace::from(&trace) };
        let text = paper::render(&form);
        prop_assert_eq!(paper::parse(&text).unwrap(), form, "{}", text);
    }

    #[test]
    fn paper_text_has_the_tokens_of_the_form_only(trace in trace()) {
        let form = PaperTrace::from(&trace);
        let text = paper::render(&form);
        prop_assert_eq!(&paper::trace_text(&trace), &text);
        let outputs = form.steps.iter().filter(|s| s.output.is_some()).count();
        prop_assert_eq!(text.matches("<line>").count(), form.steps.len());
        prop_assert_eq!(text.matches("</state>").count(), form.steps.len());
        prop_assert_eq!(text.matches("<output>").count(), outputs);
        prop_assert_eq!(text.matches("<mask0>").count() + text.matches("</s>").count(), 0);
    }

    #[test]
    fn any_paper_text_is_read_or_refused(
        trace in trace(),
        (at, by) in (any::<usize>(), any::<char>()),
        (text, noise, bytes) in (scrambled(), any::<String>(), any::<Vec<u8>>()),
    ) {
        let [cut, changed] = damaged(&paper::render(&PaperTrace::from(&trace)), at, by);
        let bytes = String::from_utf8_lossy(&bytes).into_owned();
        for text in [cut, changed, text, noise, bytes] {
            match paper::parse(&text) {
                Ok(form) => {
                    let again = paper::render(&form);
                    prop_assert_eq!(paper::parse(&again).unwrap(), form, "{}", again);
                }
                Err(FormError::Syntax { at, .. }) => prop_assert!(at <= text.len()),
                Err(other) => prop_assert!(false, "{}", other),
            }
        }
    }

    #[test]
    fn spaced_strings_hide_special_tokens(text in any_text(), value in canonical()) {
        for spaced in [spaced_text(&text), spaced_value(&value)] {
            for word in spaced.split(' ').filter(|w| SPECIAL_TOKENS.contains(w)) {
                prop_assert!(["<function>", "<module>", "<class>"].contains(&word));
            }
        }
    }
}
