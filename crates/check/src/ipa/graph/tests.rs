//! Graphs of constructs against expected ones, and of every program of a corpus against invariants.

use super::*;

/// A graph as text: for each node its text, then its successors. Equal successors are written once.
fn shown(source: &str) -> Vec<String> {
    let graph = Graph::of(source).unwrap();
    let name = |node: u32| match node {
        node if node == graph.exit() => "exit".to_owned(),
        node if node == graph.error() => "error".to_owned(),
        node => node.to_string(),
    };
    let one = |(number, node): (usize, &Node)| {
        let text = &source[node.span.start().to_usize()..node.span.end().to_usize()];
        let ways = if node.yes == node.no {
            name(node.yes)
        } else {
            format!("{}/{}", name(node.yes), name(node.no))
        };
        let raise = match node.raise {
            raise if raise == graph.error() => String::new(),
            raise => format!(" !{}", name(raise)),
        };
        format!("{number} {text} -> {ways}{raise}")
    };
    graph.nodes.iter().enumerate().map(one).collect()
}

#[test]
fn straight_code_and_branches() {
    assert_eq!(
        shown("x = 1\nprint(x)\n"),
        ["0 x = 1 -> 1", "1 print(x) -> exit"]
    );
    let source = "if a:\n    b\nelif c:\n    d\nelse:\n    e\nf\n";
    assert_eq!(
        shown(source),
        [
            "0 if a -> 1/2",
            "1 b -> 5",
            "2 elif c -> 3/4",
            "3 d -> 5",
            "4 e -> 5",
            "5 f -> exit"
        ]
    );
}

#[test]
fn a_for_has_two_nodes_and_a_while_one() {
    let source = "for i in range(3):\n    if i:\n        break\n    continue\nelse:\n    a\nb\n";
    assert_eq!(
        shown(source),
        [
            "0 range(3) -> 1",
            "1 for i -> 2/5",
            "2 if i -> 3/4",
            "3 break -> 6",
            "4 continue -> 1",
            "5 a -> 6",
            "6 b -> exit",
        ]
    );
    assert_eq!(
        shown("while a:\n    b\n"),
        ["0 while a -> 1/exit", "1 b -> 0"]
    );
}

#[test]
fn handlers_are_asked_one_after_the_other() {
    let source = "try:\n    a\nexcept ValueError as e:\n    b\nexcept:\n    c\nelse:\n    d\ne\n";
    assert_eq!(
        shown(source),
        [
            "0 a -> 5 !1",
            "1 except ValueError as e: -> 2/3",
            "2 b -> 6",
            "3 except: -> 4",
            "4 c -> 6",
            "5 d -> 6",
            "6 e -> exit",
        ]
    );
    let source = "try:\n    a\nexcept KeyError:\n    raise\n";
    assert_eq!(
        shown(source),
        [
            "0 a -> exit !1",
            "1 except KeyError: -> 2/error",
            "2 raise -> error"
        ]
    );
}

#[test]
fn each_way_through_finally_has_its_copy() {
    let source = "while a:\n    try:\n        break\n    finally:\n        b\nc\n";
    // `break` goes to c by a copy; exceptions go to the error node by another; nothing ends the body
    // normally.
    assert_eq!(
        shown(source),
        [
            "0 while a -> 1/4",
            "1 break -> 3 !2",
            "2 b -> error",
            "3 b -> 4",
            "4 c -> exit",
        ]
    );
}

#[test]
fn matches_withs_and_classes() {
    let source = "match a:\n    case 1:\n        b\n    case _:\n        c\nwith d as e:\n    f\nclass G:\n    h = 1\n";
    assert_eq!(
        shown(source),
        [
            "0 match a -> 1",
            "1 case 1: -> 2/3",
            "2 b -> 5",
            "3 case _: -> 4",
            "4 c -> 5",
            "5 with d as e: -> 6",
            "6 f -> 7",
            "7 class G: -> 8",
            "8 h = 1 -> exit",
        ]
    );
}

#[test]
fn functions_follow_their_calls() {
    let source = "def f(x):\n    if x:\n        return 1\n    y\na = f(2)\nif f(a):\n    b\n";
    assert_eq!(
        shown(source),
        [
            "0 def f(x): -> 7",
            // After the first call, then after the second.
            "1 if x -> 3/5",
            "2 if x -> 4/6",
            "3 return 1 -> 8",
            "4 return 1 -> 9",
            "5 y -> 8",
            "6 y -> 9",
            "7 a = f(2) -> 1",
            "8 if f(a) -> 2",
            "9 if f(a) -> 10/exit",
            "10 b -> exit",
        ]
    );
    // Recursion and generators stay in place; their bodies run nowhere.
    assert_eq!(
        shown("def f():\n    f()\nf()\n"),
        ["0 def f(): -> 2", "1 f() -> exit", "2 f() -> 1"]
    );
    assert_eq!(
        shown("def f():\n    yield 1\nf()\n"),
        ["0 def f():\n    yield 1 -> 1", "1 f() -> exit"]
    );
}

#[test]
fn raise_in_a_called_function_goes_to_the_handler_around_the_call() {
    let source = "def f():\n    raise ValueError\ntry:\n    f()\nexcept ValueError:\n    a\n";
    assert_eq!(
        shown(source),
        [
            "0 def f(): -> 2",
            "1 raise ValueError -> 3 !3",
            "2 f() -> 1 !3",
            "3 except ValueError: -> 4/error",
            "4 a -> exit",
        ]
    );
}

#[test]
fn what_ends_a_program_leads_to_the_exit() {
    let source = "import sys\nif a:\n    sys.exit()\nif b:\n    raise SystemExit(1)\nquit()\nc\n";
    assert_eq!(
        shown(source),
        [
            "0 import sys -> 1",
            "1 if a -> 2/3",
            "2 sys.exit() -> exit",
            "3 if b -> 4/5",
            "4 raise SystemExit(1) -> exit",
            "5 quit() -> exit",
        ]
    );
}

#[test]
fn steps_follow_the_heuristic() {
    let steps = |source: &str| Graph::of(source).unwrap().steps(174);
    // One for each line and one to end.
    assert_eq!(steps("a\nb\n"), 3);
    // 1 + (1 + 2) + 2 + 1, as the published function gives for these lines.
    assert_eq!(steps("for i in a:\n    b\nc\n"), 7);
    // 1 + 3 + (2 + 4) + 4.
    assert_eq!(steps("while a:\n    while b:\n        c\n"), 14);
    let nested = |depth: usize| {
        let heads = (0..depth).map(|k| format!("{}for i in a:\n", " ".repeat(k)));
        heads.collect::<String>() + &" ".repeat(depth) + "x\n"
    };
    // 1 + 3 * (1 + 2 + 4 + 8 + 16) + 32; one loop more is above the limit.
    assert_eq!(steps(&nested(5)), 126);
    assert_eq!(steps(&nested(6)), 174);
    // Straight code is walked to its end.
    assert_eq!(steps(&"x\n".repeat(300)), 301);
}

#[test]
fn bad_sources_are_refused() {
    assert!(matches!(Graph::of("x = ("), Err(GraphError::Syntax(_))));
    assert_eq!(Graph::of("# nothing\n"), Err(GraphError::Empty));
    assert_eq!(
        Graph::of(&"x\n".repeat(MOST_NODES + 1)),
        Err(GraphError::Large)
    );
    let deep = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(matches!(Graph::of(&deep), Err(GraphError::Syntax(_))));
    // Copies of copies end if there are too many.
    let mut nested = String::new();
    for depth in 0..14 {
        nested += &format!("{0}try:\n{0} pass\n{0}finally:\n", " ".repeat(depth));
    }
    nested += &format!("{}x\n", " ".repeat(14));
    assert!(
        Graph::of(&nested).is_ok_and(|g| g.nodes.len() <= MOST_NODES)
            || Graph::of(&nested) == Err(GraphError::Large)
    );
}

/// Programs that are part of the repository.
fn corpus() -> Vec<String> {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut open = vec![
        root.join("examples"),
        root.join("mutate/tests/fixtures"),
        root.join("data/python"),
    ];
    let mut found = Vec::new();
    while let Some(place) = open.pop() {
        for entry in std::fs::read_dir(place).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "py") {
                found.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn every_node_of_real_programs_is_reached_and_leads_somewhere() {
    let corpus = corpus();
    assert!(corpus.len() > 20, "only {} programs", corpus.len());
    let mut seen = 0;
    for source in corpus {
        let graph = match Graph::of(&source) {
            Ok(graph) => graph,
            Err(GraphError::Empty | GraphError::Large) => continue,
            Err(error) => panic!("{error}:\n{source}"),
        };
        let mut reached = vec![false; graph.nodes.len() + 2];
        let mut open = vec![graph.start];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reached[node as usize], true)
                && let Some(node) = graph.nodes.get(node as usize)
            {
                open.extend([node.yes, node.no, node.raise]);
            }
        }
        // The exit is not reached where a program never ends; all statements are, and the error node is.
        let (ends, statements) = (
            reached[graph.nodes.len() + 1],
            &reached[..graph.nodes.len()],
        );
        assert!(ends || graph.has_handlers(), "{source}");
        assert!(statements.iter().all(|r| *r), "{source}");
        for node in &graph.nodes {
            let text = &source[node.span.start().to_usize()..node.span.end().to_usize()];
            assert!(!text.trim().is_empty() && node.lines.0 >= 1 && node.lines.0 <= node.lines.1);
        }
        seen += graph.nodes.len();
    }
    assert!(seen > 300, "only {seen} nodes");
}
