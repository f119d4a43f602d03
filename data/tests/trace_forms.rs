//! The forms of a trace: what is written is read back, and no text makes a reader panic.

use codexec_data::trace::notation::{SPECIAL_TOKENS, spaced_text, spaced_value};
use codexec_data::trace::{
    DeltaTrace, Engine, Event, FormError, Limit, Origin, Outcome, PaperStep, PaperTrace, Program,
    State, Step, Trace, Value, delta, delta_text, full, paper, truncate_at_raise, whole_states,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

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
            function: frames.last().expect("the module").0.clone(),
            depth: frames.len() as u32 - 1,
            state: State::new(),
            output,
            value: (event == Event::Return && line % 2 == 0)
                .then(|| Value::observed(line.to_string())),
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
            |(exception, message, line, step)| Outcome::Raised { exception, message, line, step }
        ),
        1 => select(vec![
            Outcome::Timeout,
            Outcome::StepLimit,
            Outcome::OutputLimit,
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
        };
        Trace {
            outcome: placed(outcome, &steps),
            steps,
            truncated,
            limit: truncated.then_some(Limit::Tokens(512)),
            python: text.clone(),
            checkpoint: text,
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

fn read_delta(text: &str) -> Result<DeltaTrace, FormError> {
    delta_text::parse(text, Engine::Predict, Program::default(), Origin::Predicted)
}

/// What is left of a delta form when only its text is kept.
fn without_metadata(form: &DeltaTrace) -> DeltaTrace {
    let mut form = DeltaTrace {
        engine: Engine::Predict,
        python: None,
        checkpoint: None,
        program: Program::default(),
        truncated: false,
        limit: None,
        ..form.clone()
    };
    for step in &mut form.steps {
        (step.value, step.confidence) = (None, None);
        for (_, value) in &mut step.changed {
            value.origin = Origin::Predicted;
        }
    }
    form
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

#[test]
fn values_and_texts_are_spaced() {
    let cases = [
        ("-866.5", "- 8 6 6 . 5"),
        ("1e-05", "1 e - 0 5"),
        ("'ban a'", "' b a n ▁ a '"),
        ("[3, 86, 'x']", "[ 3 , 8 6 , ' x ' ]"),
        ("(1,)", "( 1 , )"),
        ("{'a': [<function>]}", "{ ' a ' : [ <function> ] }"),
        ("<Point2D>", "< Point2D >"),
        ("<state>", "\\ < state >"),
        ("'<state>▁'", "' < s t a t e > \\ u 2 5 8 1 '"),
        ("<int 4096 bits>", "< int ▁ 4 0 9 6 ▁ bits >"),
        ("deque([...])", "deque ( [ ... ] )"),
    ];
    for (value, want) in cases {
        assert_eq!(spaced_value(value), want);
    }
    assert_eq!(
        spaced_text("a b\n\\<line>"),
        "a ▁ b \\ n \\ \\ \\ < l i n e >"
    );
}

fn step(line: u32, event: Event, function: &str, depth: u32, state: &[(&str, &str)]) -> Step {
    let entry = |(n, v): &(&str, &str)| ((*n).to_owned(), Value::observed(*v));
    Step {
        line,
        event,
        function: function.to_owned(),
        depth,
        state: state.iter().map(entry).collect(),
        output: String::new(),
        value: None,
        confidence: None,
    }
}

/// `def f(n): return 1 // n`, `x = 4`, `print(f(2))`, `f(0)`.
fn small() -> Trace {
    let module = &[("f", "<function>"), ("x", "4")][..];
    let mut steps = vec![
        step(1, Event::Line, "<module>", 0, &module[..1]),
        step(3, Event::Line, "<module>", 0, module),
        step(4, Event::Line, "<module>", 0, &[("n", "2")]),
        step(1, Event::Call, "f", 1, &[("n", "2")]),
        step(2, Event::Line, "f", 1, &[("n", "2")]),
        step(2, Event::Return, "f", 1, module),
        step(5, Event::Line, "<module>", 0, &[("n", "0")]),
        step(1, Event::Call, "f", 1, &[("n", "0")]),
        step(2, Event::Line, "f", 1, &[("n", "0")]),
        step(2, Event::Return, "f", 1, module),
    ];
    steps[5].output = "0\n".to_owned();
    Trace {
        steps,
        outcome: Outcome::Raised {
            exception: "ZeroDivisionError".to_owned(),
            message: "by 0".to_owned(),
            line: 2,
            step: Some(8),
        },
        ..Trace::new(Engine::Run, Program::default())
    }
}

#[test]
fn delta_text_of_calls_and_an_exception() {
    let text = delta_text::render(&delta(&truncate_at_raise(&small())).unwrap());
    let want = "<line> <0> <state> f : <function> </state> \
        <line> <2> <state> x : 4 </state> \
        <line> <3> <call> f <state> n : 2 </state> \
        <line> <0> <line> <1> <line> <1> <return> <output> 0 \
        <line> <4> <call> f <state> n : 0 </state> \
        <line> <0> <line> <1> <raise> ZeroDivisionError : b y ▁ 0";
    assert_eq!(text, want);
}

#[test]
fn ill_formed_traces_have_no_delta() {
    let broken: [fn(&mut Trace); 6] = [
        |t| t.steps[0].event = Event::Call,
        |t| t.steps[1].line = 0,
        |t| t.steps[3].depth = 2,
        |t| t.steps[4].function = "g".to_owned(),
        |t| t.steps[4].event = Event::Return,
        |t| t.steps.truncate(8),
    ];
    assert!(small().check().is_ok());
    for (k, breaks) in broken.iter().enumerate() {
        let mut trace = small();
        breaks(&mut trace);
        assert!(delta(&trace).is_err(), "case {k}");
    }
}

#[test]
fn errors_say_where() {
    for (text, at) in [
        ("<line> 3", 7),
        ("<line> <0> x", 11),
        ("<line> <0> <state> a 1 </state>", 23),
        ("<line> <0> <state> a : 'b", 23),
        ("<line> <0> <state> a : 1", 24),
        ("<end> bored", 11),
        ("<end> exited : 256", 18),
    ] {
        match read_delta(text) {
            Err(FormError::Syntax { at: found, .. }) => assert_eq!(found, at, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn json_says_what_is_wrong() {
    let json = small().to_json().unwrap();
    let newer = json.replacen("\"version\":2", "\"version\":3", 1);
    let foreign = "{\"version\":7,\"rows\":[]}";
    for (text, want) in [(newer.as_str(), 3), (foreign, 7)] {
        match Trace::from_json(text) {
            Err(FormError::Version { found, .. }) => assert_eq!(found, want),
            other => panic!("{other:?}"),
        }
    }
    let beyond = json.replacen("\"step\":8", "\"step\":10", 1);
    let found = Trace::from_json(beyond);
    assert!(matches!(
        found,
        Err(FormError::StepOutOfRange {
            step: 10,
            steps: 10
        })
    ));
    let twice = json.replacen("\"x\":{", "\"f\":{", 1);
    let found = Trace::from_json(twice).unwrap_err().to_string();
    assert!(found.contains("name `f` twice"), "{found}");
}

#[test]
fn the_version_before_is_read() {
    let json = small().to_json().unwrap();
    let old = json.replacen("\"version\":2", "\"version\":1", 1);
    let read = Trace::from_json(&old).unwrap();
    assert_eq!(read.steps, small().steps);
    assert_eq!(read.to_json().unwrap(), old);
    let oldest = json.replacen("\"version\":2", "\"version\":0", 1);
    let why = Trace::from_json(oldest).unwrap_err().to_string();
    assert_eq!(
        why,
        "trace version 0, but this program reads versions 1 to 2"
    );
}

/// What a method does to its instance: the change is in the delta form, and not in the paper's.
#[test]
fn attributes_are_changes_of_the_delta_form() {
    let state = |text| vec![("self", text), ("x", "5")];
    let (before, after) = (
        "<Account balance=3 owner='a b'>",
        "<Account balance=8 owner='a b'>",
    );
    let steps = vec![
        step(1, Event::Line, "<module>", 0, &state(before)),
        step(2, Event::Line, "<module>", 0, &state(after)),
    ];
    let mut trace = Trace::new(Engine::Run, Program::default());
    trace.steps = steps;
    let form = delta(&trace).unwrap();
    let text = delta_text::render(&form);
    let want = "<line> <0> <state> self : < Account ▁ balance = 3 ▁ owner = ' a ▁ b ' > \
        <dictsep> x : 5 </state> \
        <line> <1> <state> self : < Account ▁ balance = 8 ▁ owner = ' a ▁ b ' > </state>";
    assert_eq!(text, want);
    assert_eq!(read_delta(&text).unwrap(), without_metadata(&form));
    let paper = paper::render(&PaperTrace::from(&trace));
    assert_eq!(paper, paper::trace_text(&trace));
    let want = "<line> <0> <state> self : <Account> <dictsep> x : 5 </state> \
        <line> <1> <state> self : <Account> <dictsep> x : 5 </state>";
    assert_eq!(paper, want);
    let short = delta_text::render(&delta(&trace.short()).unwrap());
    let want = "<line> <0> <state> self : < Account > <dictsep> x : 5 </state> <line> <1>";
    assert_eq!(short, want);
}

#[test]
fn confidence_that_is_no_number_is_left_out_of_json() {
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut trace = small();
        trace.steps[0].confidence = Some(odd);
        trace.steps[1].confidence = Some(0.1);
        let read = Trace::from_json(trace.to_json().unwrap()).unwrap();
        assert_eq!(read.steps[0].confidence, None);
        assert_eq!(read.steps[1].confidence, Some(0.1));
    }
}

#[test]
fn paper_values_are_bare_and_spaced_out() {
    let cases = [
        ("[3, 866, -325]", "[ 3 , 866 , -325 ]"),
        ("{'a': 1, 'b': [2]}", "{ a : 1 , b : [ 2 ] }"),
        ("(1,)", "( 1 , )"),
        ("[]", "[ ]"),
        ("['', 'a b']", "[ , a b ]"),
        ("'it\\'s'", "it's"),
        ("\"it's\"", "it's"),
        ("'a\\\\b'", "a\\b"),
        ("'a\\nb'", "a\\nb"),
        ("'[1, 2]'", "[1, 2]"),
        ("''", ""),
        ("<function>", "<function>"),
        ("<int 4096 bits>", "<int 4096 bits>"),
        ("[<Point x=1 y=[2]>, '<A b=1>']", "[ <Point> , <A b=1> ]"),
    ];
    for (canonical, want) in cases {
        assert_eq!(paper::paper_value(canonical), want);
    }
}

#[test]
fn paper_figure_1b_end() {
    let state = &[("n", "-4"), ("i", "1")][..];
    let mut trace = Trace::new(Engine::Run, Program::default());
    for line in [6, 7, 8] {
        trace
            .steps
            .push(step(line, Event::Line, "<module>", 0, state));
    }
    trace.steps[1].output = "2\n".to_owned();
    let want = "<line> <5> <state> n : -4 <dictsep> i : 1 </state> <output> 2 \
        <line> <6> <state> n : -4 <dictsep> i : 1 </state> \
        <line> <7> <state> n : -4 <dictsep> i : 1 </state>";
    assert_eq!(paper::render(&PaperTrace::from(&trace)), want);
}

#[test]
fn paper_text_may_lack_blanks_around_tokens() {
    let text = "<line><0><state> a : [ 1 ]<dictsep> b : x</state><output> 2<output> 3<line><1><state></state>";
    let entry = |n: &str, v: &str| (n.to_owned(), v.to_owned());
    let want = PaperTrace {
        steps: vec![
            PaperStep {
                line: 1,
                state: vec![entry("a", "[ 1 ]"), entry("b", "x")],
                output: None,
            },
            PaperStep {
                line: 2,
                state: Vec::new(),
                output: Some("2\n3".to_owned()),
            },
        ],
        rest: None,
    };
    assert_eq!(paper::parse(text).unwrap(), want);
}

/// The first fenced block of `kind` after `heading`.
fn documented<'d>(docs: &'d str, heading: &str, kind: &str) -> &'d str {
    let section = docs.split_once(heading).expect("the heading").1;
    let fence = format!("```{kind}\n");
    let block = section.split_once(&fence).expect("a block").1;
    block.split_once("\n```").expect("its end").0
}

#[test]
fn examples_of_the_documentation_hold() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/trace-format.md");
    let docs = std::fs::read_to_string(path).unwrap();
    let trace = Trace::from_json(documented(&docs, "\n## JSON form", "json")).unwrap();
    for (_, value) in trace.steps.iter().flat_map(|s| s.state.iter()) {
        assert_eq!(*value, Value::observed(value.text.as_str()));
    }
    let paper = paper::render(&PaperTrace::from(&trace));
    assert_eq!(paper, documented(&docs, "\n## Paper form", "text"));
    let delta = delta_text::render(&delta(&trace).unwrap());
    assert_eq!(delta, documented(&docs, "\n### Text", "text"));
    for token in SPECIAL_TOKENS {
        assert!(docs.contains(token), "{token}");
    }
}

/// What took minutes when it was searched again from every quote.
#[test]
fn texts_full_of_quotes_are_written_in_linear_time() {
    let count = 2_500_000;
    for quote in ["'", "\""] {
        let unclosed = quote.to_owned() + &format!("\\{quote}").repeat(count);
        assert_eq!(paper::paper_value(&unclosed), unclosed);
        let want = format!("\\ {quote}") + &format!(" \\ \\ \\ {quote}").repeat(count);
        assert!(spaced_value(&unclosed) == want);
        // It ends, but in a character that no literal has.
        let odd = format!("{unclosed}\n{quote}");
        assert!(spaced_value(&odd) == format!("{want} \\ n \\ {quote}"));
    }
}

/// What took minutes when each name was looked up by walking the state.
#[test]
fn states_of_many_names_are_built_in_linear_time() {
    let state = |start: usize| -> State {
        let names = (start..start + 300_000).map(|k| format!("n{k}"));
        names.map(|name| (name, Value::observed("1"))).collect()
    };
    let (a, b) = (state(0), state(150_000));
    assert_eq!((a.len(), b.len()), (300_000, 300_000));
    let mut trace = Trace::new(Engine::Run, Program::default());
    let step = |state: &State| Step {
        line: 1,
        event: Event::Line,
        function: "<module>".into(),
        depth: 0,
        state: state.clone(),
        output: String::new(),
        value: None,
        confidence: None,
    };
    trace.steps = vec![step(&a), step(&b), step(&a)];
    assert!(Trace::from_json(trace.to_json().unwrap()).unwrap() == trace);
    assert!(full(&delta(&trace).unwrap()) == trace);
}

#[test]
fn many_names_are_bound_as_one_by_one() {
    let value = |k: usize| Value::observed(k.to_string());
    for count in [3, 40] {
        let pairs: Vec<(String, Value)> = (0..count)
            .map(|k| (format!("n{}", k * 7 % 10), value(k)))
            .collect();
        let mut want = State::new();
        for (name, value) in pairs.clone() {
            want.set(name, value);
        }
        assert_eq!(pairs.iter().cloned().collect::<State>(), want);
        let twice = State::of_unique(pairs).err();
        assert_eq!(twice.as_deref(), (count == 40).then_some("n0"));
    }
}
