//! Calls of builtin functions and of the runtime's `numpy`, walked by the machine, against CPython and numpy:
//! expressions, and their results (`call_vectors.py`, `mistake_vectors.py`, `numpy_vectors.py`). Questions of the
//! machine decide nothing here.

use codexec_plan::machine::{Machine, Settings, Status};
use codexec_plan::question::{Answer, Data, Operation, Question};
use codexec_plan::{answer, ask};
use codexec_trace::{Outcome, Program};

/// The results of expressions as text, or `None` if the machine asks for something or does not support
/// it.
fn walked(setup: &str, line: &str) -> Result<String, String> {
    let (before, expression) = line.rsplit_once("; ").unwrap_or(("pass", line));
    let source = format!(
        "{setup}\ntry:\n    {before}\n    print(repr({expression}))\nexcept Exception as error:\n    \
         print('!' + type(error).__name__ + ': ' + str(error))\n"
    );
    let program = Program {
        id: String::new(),
        source: Some(source),
        stdin: None,
        ..Program::default()
    };
    let mut machine = Machine::new(&program, Settings::default());
    while matches!(machine.advance(), Status::Waits) {
        let ask = machine.wanted().ok_or("nothing is wanted")?;
        let (question, objects) = ask::question(&machine, ask)?;
        match known(&question) {
            Some(told) => {
                answer::answer(&mut machine, &objects, &told).map_err(|e| format!("{e:?}"))?;
            }
            None => return Err(format!("asks for {:?}", question.operation)),
        }
    }
    if let Some(unsupported) = machine.unsupported() {
        return Err(unsupported.what.clone());
    }
    let trace = machine.into_trace(&program);
    if trace.outcome != Outcome::Finished {
        return Ok(format!("{:?}", trace.outcome));
    }
    if trace.steps.iter().any(|step| step.confidence == Some(0.0)) {
        return Err("a guess".to_owned());
    }
    let output: String = trace.steps.iter().map(|step| &*step.output).collect();
    Ok(output.trim_end_matches('\n').to_owned())
}

/// Answers that need no interpreter.
fn known(question: &Question) -> Option<Answer> {
    let value = match (&question.operation, question.operands.as_slice()) {
        (Operation::Call(name), [Data::Float(x)]) if &**name == "math.sqrt" => {
            Data::Float(x.sqrt())
        }
        (Operation::Call(name), [Data::Str(text)]) if &**name == "int" => {
            Data::Int(text.parse().ok()?)
        }
        (Operation::Call(name), [Data::Str(text)]) if &**name == "float" => {
            Data::Float(text.parse().ok()?)
        }
        _ => return None,
    };
    Some(Answer {
        result: Ok(value),
        made: Vec::new(),
        changed: Vec::new(),
        output: String::new(),
        confidence: 1.0,
        sets_in_order: true,
    })
}

/// Checks every vector; `decided` of them at least must be decided without asking.
fn check(setup: &str, vectors: &str, decided: usize) {
    let (mut wrong, mut right) = (Vec::new(), 0);
    for line in vectors.lines() {
        let (expression, expected) = line.split_once('\t').expect("a tab in each line");
        match walked(setup, expression) {
            Ok(text) if text.replace('\n', "\\n") == expected => right += 1,
            Ok(text) => wrong.push(format!(
                "{expression}\n    walked  {}\n    CPython {expected}",
                text.replace('\n', "\\n")
            )),
            Err(why) => {
                if std::env::var_os("DETAIL").is_some() {
                    println!("{expression}: {why}");
                }
            }
        }
    }
    println!("{right} right, {} wrong", wrong.len());
    let most = std::env::var_os("DETAIL").map_or(60, |_| wrong.len());
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(most)].join("\n")
    );
    assert!(right >= decided, "only {right} are decided");
}

#[test]
fn calls_are_refused_and_walked_as_cpython_does() {
    let setup = "import math, heapq, bisect, collections, itertools, operator";
    check(setup, include_str!("fixtures/call_vectors.txt"), 6600);
}

#[test]
fn calls_with_wrong_arguments_are_refused_as_cpython_does() {
    let setup = include_str!("fixtures/mistake_setup.py");
    check(setup, include_str!("fixtures/mistake_vectors.txt"), 3400);
}

#[test]
fn numpy_is_walked_as_numpy_computes() {
    let setup = "import numpy as np";
    check(setup, include_str!("fixtures/numpy_vectors.txt"), 3800);
}
