//! Snapshots of views of hand-made traces.

use codexec_data::trace::{Engine, Event, Origin, Outcome, Program, Step, Trace, Value};
use insta::assert_snapshot;

use super::text::width;
use super::*;

/// Line, event, function, depth, state, output.
type Shown<'a> = (u32, Event, &'a str, u32, &'a [(&'a str, &'a str)], &'a str);

fn trace(engine: Engine, steps: &[Shown<'_>]) -> Trace {
    let origin = match engine {
        Engine::Run => Origin::Observed,
        Engine::Predict | Engine::Guide | Engine::Orca => Origin::Predicted,
    };
    let mut trace = Trace::new(engine, Program::default());
    trace.steps = steps
        .iter()
        .map(|(line, event, function, depth, state, output)| Step {
            line: *line,
            event: *event,
            function: (*function).into(),
            depth: *depth,
            file: 0,
            state: state
                .iter()
                .map(|(n, v)| ((*n).to_owned(), Value::new(*v, origin)))
                .collect(),
            output: (*output).to_owned(),
            value: None,
            confidence: None,
        })
        .collect();
    trace
}

const LINE: Event = Event::Line;
const MODULE: &str = "<module>";

const CALL: &str = "def half(n):\n    r = n // 2\n    return r\n\nx = half(9)\nprint(x)\n";

fn call(engine: Engine) -> Trace {
    let f = ("half", "<function>");
    trace(
        engine,
        &[
            (1, LINE, MODULE, 0, &[f], ""),
            (5, LINE, MODULE, 0, &[("n", "9")], ""),
            (1, Event::Call, "half", 1, &[("n", "9")], ""),
            (2, LINE, "half", 1, &[("n", "9"), ("r", "4")], ""),
            (3, LINE, "half", 1, &[("n", "9"), ("r", "4")], ""),
            (3, Event::Return, "half", 1, &[f, ("x", "4")], ""),
            (6, LINE, MODULE, 0, &[f, ("x", "4")], "4\n"),
        ],
    )
}

const LOOP: &str = "a = [3, 1]\nfor k in range(3):\n    print(k, end=' ')\n    a[k] = 0\n";

fn crash(engine: Engine) -> Trace {
    let mut trace = trace(
        engine,
        &[
            (1, LINE, MODULE, 0, &[("a", "[3, 1]")], ""),
            (2, LINE, MODULE, 0, &[("a", "[3, 1]"), ("k", "0")], ""),
            (3, LINE, MODULE, 0, &[("a", "[3, 1]"), ("k", "0")], "0 "),
            (4, LINE, MODULE, 0, &[("a", "[0, 1]"), ("k", "0")], ""),
            (2, LINE, MODULE, 0, &[("a", "[0, 1]"), ("k", "5")], ""),
            (3, LINE, MODULE, 0, &[("a", "[0, 1]"), ("k", "5")], "5 "),
            (4, LINE, MODULE, 0, &[("a", "[0, 1]"), ("k", "5")], ""),
        ],
    );
    trace.outcome = Outcome::Raised {
        file: 0,
        exception: "IndexError".into(),
        message: "list assignment index out of range".into(),
        line: 4,
        step: Some(6),
    };
    trace
}

fn narrow(columns: usize) -> ViewStyle {
    ViewStyle {
        width: columns,
        ..ViewStyle::default()
    }
}

#[test]
fn calls_and_returns() {
    assert_snapshot!(render(&call(Engine::Run), CALL, &ViewStyle::default()));
}

#[test]
fn returns_say_what_was_given_back() {
    let mut trace = call(Engine::Run);
    trace.steps[5].value = Some(Box::new(Value::observed("4")));
    let text = render(&trace, CALL, &ViewStyle::default());
    let row = text
        .lines()
        .position(|line| line.ends_with("returns 4"))
        .unwrap();
    assert!(
        text.lines().nth(row).unwrap().contains("← return r"),
        "{text}"
    );
    assert!(
        text.lines().nth(row + 1).unwrap().ends_with("x = 4"),
        "{text}"
    );
}

#[test]
fn exception() {
    assert_snapshot!(render(&crash(Engine::Run), LOOP, &ViewStyle::default()));
}

#[test]
fn prediction_marks_what_it_is_unsure_of() {
    let mut trace = call(Engine::Predict);
    let sure = [0.999, 0.97, 0.5, 0.499, 0.03, 0.8];
    for (step, sure) in trace.steps.iter_mut().zip(sure) {
        step.confidence = Some(sure);
    }
    trace.truncated = true;
    trace.limit = Some(Limit::Tokens(512));
    assert_snapshot!(render(&trace, CALL, &ViewStyle::default()));
}

#[test]
fn colours() {
    let mut trace = crash(Engine::Predict);
    trace.steps[1].confidence = Some(0.2);
    trace.steps[0]
        .state
        .set("b", Value::new("1", Origin::Injected));
    let style = ViewStyle {
        color: true,
        ..ViewStyle::default()
    };
    let view = render(&trace, LOOP, &style);
    assert_snapshot!(view.replace('\x1b', "␛"));
    let plain = render(&trace, LOOP, &ViewStyle::default());
    let bare = anstream::adapter::strip_str(&view).to_string();
    assert!(bare.lines().map(str::trim_end).eq(plain.lines()), "{bare}");
}

#[test]
fn a_value_in_place_of_another_has_a_colour() {
    let trace = trace(
        Engine::Run,
        &[
            (1, LINE, MODULE, 0, &[("a", "1")], ""),
            (2, LINE, MODULE, 0, &[("a", "2"), ("b", "3")], ""),
        ],
    );
    let style = ViewStyle {
        color: true,
        ..ViewStyle::default()
    };
    let view = render(&trace, "a = 1\na, b = 2, 3\n", &style);
    assert!(view.contains("= \x1b[35m2\x1b[0m"), "{view:?}");
    assert_eq!(view.matches("\x1b[35m").count(), 1, "{view:?}");
}

#[test]
fn long_values_are_cut_to_the_width() {
    let long = format!("[{}]", vec!["12345"; 40].join(", "));
    let text = "'漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字'";
    let trace = trace(
        Engine::Run,
        &[
            (1, LINE, MODULE, 0, &[("numbers", &long), ("t", text)], ""),
            (
                2,
                LINE,
                MODULE,
                0,
                &[("a", "1"), ("b", "2"), ("c", "3")],
                &long,
            ),
        ],
    );
    let source = "numbers = [12345] * 40; t = '漢字' * 12\nprint(numbers, end='')\n";
    assert_snapshot!(render(&trace, source, &narrow(60)));
    for columns in [0, 40, 57, 80, 133] {
        let view = render(&trace, source, &narrow(columns));
        assert!(view.lines().all(|l| width(l) <= columns.max(40)), "{view}");
    }
}

#[test]
fn wide_shows_whole_values_and_nothing_else_is_cut_short_of_the_width() {
    let long = format!("[{}]", vec!["12345"; 40].join(", "));
    let trace = trace(
        Engine::Run,
        &[(1, LINE, MODULE, 0, &[("numbers", &long), ("n", "1")], &long)],
    );
    let source = "numbers = [12345] * 40; n = 1; print(numbers)\n";
    let wide = ViewStyle {
        wide: true,
        ..narrow(60)
    };
    let view = render(&trace, source, &wide);
    assert!(view.contains(&format!("numbers = {long}")), "{view}");
    assert!(view.contains(&format!("│ {long}")), "{view}");
    assert!(!render(&trace, source, &narrow(60)).contains(&long));
}

#[test]
fn comparisons_fit_the_width_too() {
    let mut predicted = crash(Engine::Predict);
    predicted.steps[3].state.set(
        "a",
        Value::new("[1, 2, 3, 4, 5, 6, 7, 8]", Origin::Predicted),
    );
    for columns in [40, 44, 50, 60, 100] {
        let view = render_comparison(&predicted, &crash(Engine::Run), LOOP, &narrow(columns));
        assert!(
            view.lines().all(|l| width(l) <= columns),
            "{columns}: {view}"
        );
    }
}

#[test]
fn a_prediction_that_stopped_says_why() {
    let mut cut = call(Engine::Predict);
    cut.truncated = true;
    cut.outcome = Outcome::Killed {
        why: "unsupported: open, line 2".to_owned(),
    };
    let view = render(&cut, CALL, &ViewStyle::default());
    assert!(
        view.contains("truncated: unsupported: open, line 2"),
        "{view}"
    );
}

#[test]
fn a_truncated_prediction_says_so_once_and_names_its_limit() {
    let mut cut = call(Engine::Predict);
    cut.steps.truncate(4);
    cut.truncated = true;
    cut.outcome = Outcome::StepLimit;
    for (limit, words) in [
        (Limit::Tokens(512), "at most 512 tokens"),
        (Limit::Steps(4), "--max-steps asks for at most 4 steps"),
    ] {
        cut.limit = Some(limit);
        let style = ViewStyle::default();
        let view = render(&cut, CALL, &style);
        assert_eq!(view.matches("truncated").count(), 1, "{view}");
        assert!(
            view.contains(words) && !view.contains("step limit"),
            "{view}"
        );
        assert!(view.contains("(4 steps)"), "{view}");
        let beside = render_comparison(&cut, &call(Engine::Run), CALL, &style);
        assert_eq!(beside.matches("truncated").count(), 1, "{beside}");
        assert!(
            beside.contains("no difference in the 4 steps that were predicted"),
            "{beside}"
        );
    }
}

#[test]
fn nothing_drives_the_terminal() {
    let evil = "\x1b]0;owned\x07\u{202e}";
    let mut trace = trace(
        Engine::Predict,
        &[
            (
                1,
                LINE,
                evil,
                0,
                &[(evil, evil)],
                &format!("{evil}\n\r{evil}"),
            ),
            (9, Event::Return, evil, 4_000_000_000, &[], evil),
        ],
    );
    trace.outcome = Outcome::Raised {
        file: 0,
        exception: evil.into(),
        message: evil.into(),
        line: 1,
        step: Some(0),
    };
    let style = ViewStyle::default();
    let other = call(Engine::Run);
    let views = [
        render(&trace, evil, &style),
        render_comparison(&trace, &other, evil, &style),
        render_comparison(&other, &trace, evil, &style),
    ];
    for view in &views {
        let raw = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!view.contains(raw), "{view:?}");
    }
    assert_snapshot!(views[0]);
}

#[test]
fn the_middle_of_a_long_trace_is_left_out() {
    let one: Shown<'_> = (1, LINE, MODULE, 0, &[], "");
    let trace = trace(Engine::Run, &vec![one; 2500]);
    let view = render(&trace, "x = 1\n", &ViewStyle::default());
    assert!(
        view.contains("… 1500 steps; codexec trace --all shows them\n"),
        "{view}"
    );
    assert!(view.contains("\n 800  ") && view.contains("\n2301  ") && !view.contains("\n 801  "));
    let wide = ViewStyle {
        wide: true,
        ..ViewStyle::default()
    };
    assert!(render(&trace, "x = 1\n", &wide).contains("\n 801  "));
}

#[test]
fn no_steps() {
    let mut trace = trace(Engine::Run, &[]);
    trace.outcome = Outcome::SyntaxError {
        line: 1,
        column: 5,
        message: "invalid syntax".into(),
    };
    assert_snapshot!(render(&trace, "a = = 1", &ViewStyle::default()));
}

#[test]
fn comparison_agrees() {
    let (predicted, actual) = (call(Engine::Predict), call(Engine::Run));
    assert_snapshot!(render_comparison(
        &predicted,
        &actual,
        CALL,
        &ViewStyle::default()
    ));
}

#[test]
fn comparison_shows_the_first_wrong_value() {
    let mut predicted = call(Engine::Predict);
    predicted.steps[3]
        .state
        .set("r", Value::new("5", Origin::Predicted));
    predicted.steps[3].confidence = Some(0.31);
    let style = ViewStyle::default();
    assert_snapshot!(render_comparison(
        &predicted,
        &call(Engine::Run),
        CALL,
        &style
    ));
}

#[test]
fn comparison_past_the_crash() {
    let mut predicted = crash(Engine::Predict);
    predicted.outcome = Outcome::Finished;
    let mut more = predicted.steps[4].clone();
    more.state.remove("k");
    predicted.steps.extend(vec![more; 8]);
    let style = ViewStyle::default();
    assert_snapshot!(render_comparison(
        &predicted,
        &crash(Engine::Run),
        LOOP,
        &style
    ));
}

const CATCHES: &str = "\
def f(n):
    if n == 0:
        return 1 / n
    return f(n - 1)

try:
    f(2)
except ValueError:
    pass
except ArithmeticError as error:
    print('caught')
";

/// A recursion whose deepest call raises what the second clause catches.
fn catches() -> Trace {
    let mut steps: Vec<Shown<'_>> = Vec::new();
    let mut add = |line: u32, event: Event, depth: u32| {
        let function = if depth == 0 { MODULE } else { "f" };
        steps.push((line, event, function, depth, &[], ""));
    };
    for line in [1, 6, 7] {
        add(line, LINE, 0);
    }
    let last = |depth: u32| if depth == 3 { 3 } else { 4 };
    for depth in 1..=3 {
        add(1, Event::Call, depth);
        add(2, LINE, depth);
        add(last(depth), LINE, depth);
    }
    for depth in (1..=3).rev() {
        add(last(depth), Event::Return, depth);
    }
    add(8, LINE, 0);
    steps.push((10, LINE, MODULE, 0, &[("error", "<ZeroDivisionError>")], ""));
    steps.push((11, LINE, MODULE, 0, &[], "caught\n"));
    let mut trace = trace(Engine::Run, &steps);
    trace.program.source = Some(CATCHES.to_owned());
    trace
}

#[test]
fn what_is_caught_stands_where_it_is_raised_and_calls_have_a_timeline() {
    let text = render(&catches(), CATCHES, &ViewStyle::default());
    let row = text.lines().find(|line| line.starts_with("  12 ")).unwrap();
    assert!(
        row.ends_with("× ZeroDivisionError, caught on line 10"),
        "{text}"
    );
    assert_eq!(text.matches("caught on line").count(), 1, "{text}");
    let mut last = text.lines().rev().skip(1);
    assert_eq!(
        last.next(),
        Some("                  ×     │  × caught │ printed"),
        "{text}"
    );
    assert_eq!(
        last.next(),
        Some("depth  ▁▁▁▄▄▄▆▆▆████▆▄▁▁▁  3 calls deep at step 10"),
        "{text}"
    );
    // One level of calls is seen as it is.
    let shallow = render(&call(Engine::Run), CALL, &ViewStyle::default());
    assert!(!shallow.contains("depth"), "{shallow}");
}

#[test]
fn a_clause_that_does_not_match_and_an_else_catch_nothing() {
    let source = "try:\n    x = 1\nexcept KeyError:\n    pass\nprint(x)\n";
    let mut finished = trace(
        Engine::Run,
        &[
            (1, LINE, MODULE, 0, &[], ""),
            (2, LINE, MODULE, 0, &[("x", "1")], ""),
            (5, LINE, MODULE, 0, &[("x", "1")], "1\n"),
        ],
    );
    finished.program.source = Some(source.to_owned());
    assert!(!render(&finished, source, &ViewStyle::default()).contains("caught"));
    let mut raised = trace(
        Engine::Run,
        &[
            (1, LINE, MODULE, 0, &[], ""),
            (2, LINE, MODULE, 0, &[], ""),
            (3, LINE, MODULE, 0, &[], ""),
        ],
    );
    raised.program.source = Some(source.to_owned());
    assert!(!render(&raised, source, &ViewStyle::default()).contains("caught"));
}
