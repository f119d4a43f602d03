//! The forms of a trace: what is written is read back, and no text makes a reader panic.

mod generated;

use codexec_data::trace::notation::{SPECIAL_TOKENS, spaced_text, spaced_value};
use codexec_data::trace::{
    DeltaTrace, Engine, Event, FormError, Limit, Origin, Outcome, PaperStep, PaperTrace, Program,
    State, Step, Trace, Value, delta, delta_text, full, paper, truncate_at_raise, whole_states,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

fn read_delta(text: &str) -> Result<DeltaTrace, FormError> {
    delta_text::parse(text, Engine::Predict, Program::default(), Origin::Predicted)
}

/// What is left of a delta form when only its text is kept.
fn without_metadata(form: &DeltaTrace) -> DeltaTrace {
    let mut form = DeltaTrace {
        engine: Engine::Predict,
        python: None,
        checkpoint: None,
        confidence: None,
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
        function: function.into(),
        depth,
        file: 0,
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
            file: 0,
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
        |t| t.steps[4].function = "g".into(),
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
    let newer = json.replacen("\"version\":3", "\"version\":4", 1);
    let foreign = "{\"version\":7,\"rows\":[]}";
    for (text, want) in [(newer.as_str(), 4), (foreign, 7)] {
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
    let elsewhere = json.replacen("\"depth\":0,", "\"depth\":0,\"file\":1,", 1);
    let found = Trace::from_json(elsewhere).unwrap_err().to_string();
    assert!(found.contains("file 1 of 0"), "{found}");
    let twice = json.replacen("\"x\":{", "\"f\":{", 1);
    let found = Trace::from_json(twice).unwrap_err().to_string();
    assert!(found.contains("name `f` twice"), "{found}");
}

#[test]
fn the_version_before_is_read() {
    let json = small().to_json().unwrap();
    for version in [1, 2] {
        let old = json.replacen("\"version\":3", &format!("\"version\":{version}"), 1);
        let read = Trace::from_json(&old).unwrap();
        assert_eq!(read.steps, small().steps);
        assert_eq!(read.to_json().unwrap(), old);
    }
    let oldest = json.replacen("\"version\":3", "\"version\":0", 1);
    let why = Trace::from_json(oldest).unwrap_err().to_string();
    assert_eq!(
        why,
        "trace version 0, but this program reads versions 1 to 3"
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
        file: 0,
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
