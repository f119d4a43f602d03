//! Replies, well-formed and not.

use super::*;

/// As the prompt asks for it.
const REPLY: &str = "\
Block: 1
Observation: xs is a list, total is 0.
Reasoning: nothing raises.
Action: update the symbol table and go to block 2.
Symbol Table: {'xs': ([1, 'a, b'], list), 'total': (0, int)}
Is Error: False

Block: 2
Observation:
- x is bound
- to 1
Reasoning: there is an item.
Action: go to block 3.
Symbol Table: {'xs': ([1, 'a, b'], list), 'total': (0, int), 'x': (1, int)}
Is Error: False

Block: 3
Observation: total is changed.
Reasoning: an int and a str cannot be added.
Action: stop.
Symbol Table: {'xs': ([1, 'a, b'], list), 'total': (0, int), 'x': (1, int)}
Is Error: True
Error Type: TypeError
Block: 3
<STOP>
";

fn table(reply: &str) -> Vec<(String, String, String)> {
    let plan = Plan::read(&format!("Block: 1\n{reply}"));
    let entries = plan.visits[0].table.clone().unwrap_or_default();
    let parts = entries.into_iter();
    parts.map(|e| (e.name, e.value, e.kind)).collect()
}

fn entry_of(name: &str, value: &str, kind: &str) -> (String, String, String) {
    (name.to_owned(), value.to_owned(), kind.to_owned())
}

#[test]
fn a_reply_as_asked_for_is_read() {
    let plan = Plan::read(REPLY);
    assert_eq!(plan.blocks(), [1, 2, 3]);
    let crash = Crash {
        kind: Some("TypeError".to_owned()),
        block: Some(3),
    };
    assert_eq!(plan.error, Some(crash));
    assert!(plan.stops);
    let [first, second, third] = &plan.visits[..] else {
        panic!("three visits")
    };
    assert_eq!(first.observation, "xs is a list, total is 0.");
    assert_eq!(second.observation, "- x is bound\n- to 1");
    assert_eq!(second.reasoning, "there is an item.");
    assert_eq!(third.action, "stop.");
    let table = first.table.as_ref().unwrap();
    assert_eq!(table[0].value, "[1, 'a, b']");
    assert_eq!(
        (table[1].name.as_str(), table[1].kind.as_str()),
        ("total", "int")
    );
}

#[test]
fn errors_are_stated_behind_their_flag() {
    let error = |reply: &str| Plan::read(reply).error;
    let crash = |kind: Option<&str>, block| {
        let kind = kind.map(str::to_owned);
        Some(Crash { kind, block })
    };
    for (reply, want) in [
        ("Block: 1\nIs Error: False\n", None),
        ("Block: 1\nIs Error: True\n", crash(None, None)),
        (
            "Is Error: True\nError Type: <class 'KeyError'>\n\n Block: 12.",
            crash(Some("KeyError"), Some(12)),
        ),
        (
            "**Is Error:** True\n**Error Type:** `ValueError`\nBlock: 2",
            crash(Some("ValueError"), Some(2)),
        ),
        (
            "Is Error: True\nError Type: `json.JSONDecodeError` because\nBlock: 2",
            crash(Some("JSONDecodeError"), Some(2)),
        ),
        // Taken back, and of another visit.
        (
            "Is Error: True\nIs Error: False\nError Type: A\nBlock: 1",
            None,
        ),
        (
            "Is Error: True\nError Type:\nBlock: 1",
            crash(None, Some(1)),
        ),
        (
            "Is Error: True\nError Type: A\nBlock: one",
            crash(None, None),
        ),
        (
            "Is Error: True\nIs Error: N/A\nError Type: N/A\nBlock: N/A",
            None,
        ),
        ("Is Error: maybe", None),
    ] {
        assert_eq!(error(reply), want, "{reply}");
    }
    // After an error there are no visits.
    let plan = Plan::read("Block: 1\nIs Error: True\nError Type: A\nBlock: 1\n\nBlock: 2\n");
    assert_eq!(plan.blocks(), [1]);
}

#[test]
fn headings_stand_at_the_beginning_of_a_line() {
    let blocks = |reply: &str| Plan::read(reply).blocks();
    assert_eq!(
        blocks("Block: 1\nBlock 2:\n**Block: 3**\n### Block: 4\r\nBlock:5"),
        [1, 2, 3, 4, 5]
    );
    let none = "Go to Block: 1\n    Block: 2\n- Block: 3\nBlock 4 ends\nBlocks: 5\nBlock: x";
    assert!(blocks(none).is_empty());
    assert!(blocks("Block: 99999999999999").is_empty());
    assert_eq!(blocks("<think>Block: 1</think>\nBlock: 2"), [2]);
}

#[test]
fn symbol_tables_are_read_in_several_forms() {
    for (reply, want) in [
        (
            "Symbol Table: {'a': (1, int)}",
            vec![entry_of("a", "1", "int")],
        ),
        ("    Symbol Table: {'a': 1}", vec![entry_of("a", "1", "")]),
        (
            "Symbol Table: {'a': (1, 2)}",
            vec![entry_of("a", "(1, 2)", "")],
        ),
        (
            "Symbol Table: {'a': ((1, 2), tuple), \"b\": ('}, {', str)}",
            vec![
                entry_of("a", "(1, 2)", "tuple"),
                entry_of("b", "'}, {'", "str"),
            ],
        ),
        (
            "Symbol Table:\n{\n  'a': ({'k': [1]}, dict),\n  'b': (None, None),\n}\nIs Error: False",
            vec![
                entry_of("a", "{'k': [1]}", "dict"),
                entry_of("b", "None", "None"),
            ],
        ),
        ("Symbol Table: {}", vec![]),
        // The last readable one.
        (
            "Symbol Table: {'a': (1, int)}\nSymbol Table: {'a': (2, int)}\nSymbol Table: unchanged",
            vec![entry_of("a", "2", "int")],
        ),
        // Invalid entries are skipped.
        (
            "Symbol Table: {nothing, 'a': (1, int), : 3, 'b':, 'c d': 4}",
            vec![entry_of("a", "1", "int")],
        ),
    ] {
        assert_eq!(table(reply), want, "{reply}");
    }
    for none in [
        "Symbol Table: the same",
        "Symbol Table: {'a': (1, int)",
        "Symbol Table:",
        "",
    ] {
        assert_eq!(
            Plan::read(&format!("Block: 1\n{none}")).visits[0].table,
            None,
            "{none}"
        );
    }
}

#[test]
fn any_text_is_read() {
    for text in [
        "",
        "\n\n",
        "API Call Failed!",
        "Block",
        "Block:",
        "Block \u{e9}:",
        "Is Error",
        "Is Error:\nError Type",
        "Block: 1\nSymbol Table: {'\u{1f600}': (\u{e9}, (",
        "Block: 1\nSymbol Table: {'a': ()}\nSymbol Table: {'a': (,)}\nSymbol Table: {:}",
        "Block: 1\nObservation:\u{2028}Reasoning:",
    ] {
        let plan = Plan::read(text);
        assert!(!plan.stops, "{text}");
    }
    let quotes = format!("Block: 1\nSymbol Table: {{{}", "'(".repeat(10_000));
    assert_eq!(Plan::read(&quotes).visits[0].table, None);
    assert_eq!(Plan::read("no plan\n<END>\n").visits, []);
}
