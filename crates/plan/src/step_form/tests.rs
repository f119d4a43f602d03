//! Questions and answers there and back.

use std::sync::Arc;

use num_bigint::BigInt;

use super::*;
use crate::question::{Answer, Data, Operation, Question, RaisedAnswer, Shape};
use codexec_vm::fold::BinaryOp;

fn int(value: i64) -> Data {
    Data::Int(BigInt::from(value))
}

fn ints(values: &[i64]) -> Vec<Data> {
    values.iter().copied().map(int).collect()
}

fn text(value: &str) -> Data {
    Data::Str(value.into())
}

fn question(operation: Operation, operands: Vec<Data>, objects: Vec<Shape>) -> Question {
    Question {
        operation,
        names: vec![None; operands.len()],
        operands,
        keywords: Vec::new(),
        objects,
    }
}

fn method(name: &str, operands: Vec<Data>, objects: Vec<Shape>) -> Question {
    question(Operation::Method(Arc::from(name)), operands, objects)
}

fn call(name: &str, operands: Vec<Data>, objects: Vec<Shape>) -> Question {
    question(Operation::Call(Arc::from(name)), operands, objects)
}

#[test]
fn integers_with_many_zeros_are_written_as_powers() {
    let numbers = [1_000_000_007, -200_000_000_250, 5, 1_000_000];
    let asked = method(
        "count",
        vec![Data::Object(0), int(1_000_000_007)],
        vec![list(&numbers)],
    );
    let source = code(&asked).unwrap_or_default();
    assert_eq!(source, "[10**9+7, -2*10**11-250, 5, 10**6].count(10**9+7)");
    for number in numbers {
        let known = answer(Ok(int(number)));
        let words = target(&asked, &known).unwrap_or_default();
        assert_eq!(read(&asked, &words), Ok(known), "{words}");
    }
    let product = question(
        Operation::Binary(BinaryOp::Multiply, false),
        vec![int(1_000_000), int(3)],
        Vec::new(),
    );
    assert_eq!(code(&product), Ok("(10**6) * 3".to_string()));
    for words in ["1 0 ** 9 9 9 9 9", "1 0 ** - 1", "3 ** 9", "1 / 2"] {
        assert!(read(&asked, words).is_err(), "{words}");
    }
}

fn list(values: &[i64]) -> Shape {
    Shape::Items("list", ints(values))
}

fn answer(result: Result<Data, RaisedAnswer>) -> Answer {
    Answer {
        result,
        made: Vec::new(),
        changed: Vec::new(),
        output: String::new(),
        confidence: 1.0,
        sets_in_order: false,
    }
}

fn changed(result: Data, shape: Shape) -> Answer {
    Answer {
        changed: vec![(0, shape)],
        ..answer(Ok(result))
    }
}

/// The target without blanks. Checks that it reads back as the answer.
fn round(question: &Question, answer: &Answer) -> String {
    let words = target(question, answer).unwrap();
    assert_eq!(&read(question, &words).unwrap(), answer, "{words}");
    words.replace(' ', "")
}

#[test]
fn the_source_is_an_expression_with_values_in_place_of_names() {
    let append = method(
        "append",
        vec![Data::Object(0), int(-7)],
        vec![list(&[4, 12])],
    );
    assert_eq!(source(&append).unwrap(), "[ 4 , 1 2 ] . append ( - 7 )");
    assert_eq!(code(&append).unwrap(), "[4, 12].append(-7)");
    let add = question(
        Operation::Binary(BinaryOp::Add, true),
        vec![Data::Object(0), Data::Object(1)],
        vec![list(&[1]), list(&[2])],
    );
    assert_eq!(code(&add).unwrap(), "[1] += [2]");
    let slice = Shape::Three("slice", [Data::None, int(3), Data::None]);
    let sliced = question(
        Operation::Subscript,
        vec![text("a b"), Data::Object(0)],
        vec![slice],
    );
    assert_eq!(source(&sliced).unwrap(), "' a ▁ b ' [ : 3 ]");
    let negative = call("abs", vec![int(-34)], Vec::new());
    assert_eq!(code(&negative).unwrap(), "abs(-34)");
    let own = method(
        "append",
        vec![Data::Object(0), Data::Object(1)],
        vec![list(&[]), Shape::Placeholder],
    );
    assert_eq!(code(&own).unwrap(), "[].append(o0)");
}

#[test]
fn changes_can_be_said_as_what_is_there_afterwards() {
    let whole = |question: &Question, answer: &Answer| {
        let words = target_with(question, answer, Changes::Whole).unwrap();
        assert_eq!(&read(question, &words).unwrap(), answer, "{words}");
        words.replace(' ', "")
    };
    let append = method("append", vec![Data::Object(0), int(7)], vec![list(&[4, 9])]);
    let appended = changed(Data::None, list(&[4, 9, 7]));
    assert_eq!(round(&append, &appended), "<state>+7");
    assert_eq!(whole(&append, &appended), "<state>=[4,9,7]");
    let pop = method("pop", vec![Data::Object(0)], vec![list(&[4, 9])]);
    assert_eq!(whole(&pop, &changed(int(9), list(&[4]))), "9<state>=[4]");
    let count = method("count", vec![Data::Object(0), int(4)], vec![list(&[4])]);
    assert_eq!(whole(&count, &answer(Ok(int(1)))), "1");
}

#[test]
fn long_containers_show_the_place_that_is_touched() {
    let long: Vec<i64> = (0..50).collect();
    let append = method("append", vec![Data::Object(0), int(3)], vec![list(&long)]);
    assert_eq!(code(&append).unwrap(), "[0, 1, ..., 48, 49].append(3)");
    let len = call("len", vec![Data::Object(0)], vec![list(&long)]);
    assert_eq!(code(&len).unwrap(), "len([0, 1, *46, 48, 49])");
    let pairs = (0..9).map(|k| (int(k), int(k * k))).collect();
    let get = method(
        "get",
        vec![Data::Object(0), int(6)],
        vec![Shape::Dict("dict", Data::None, pairs)],
    );
    assert_eq!(code(&get).unwrap(), "{0: 0, 1: 1, ..., 6: 36, ...}.get(6)");
    let sum = call("sum", vec![Data::Object(0)], vec![list(&long)]);
    assert!(code(&sum).unwrap().contains("24"));
}

#[test]
fn targets_are_the_value_and_the_shortest_edits() {
    let of = |name: &str, operands: Vec<Data>, old: &[i64]| {
        method(
            name,
            [vec![Data::Object(0)], operands].concat(),
            vec![list(old)],
        )
    };
    let append = of("append", vec![int(7)], &[1, 2]);
    assert_eq!(
        round(&append, &changed(Data::None, list(&[1, 2, 7]))),
        "<state>+7"
    );
    let pop = of("pop", vec![], &[5, 5]);
    assert_eq!(round(&pop, &changed(int(5), list(&[5]))), "5<state>[-1]");
    let front = of("pop", vec![int(0)], &[5, 5, 6]);
    assert_eq!(
        round(&front, &changed(int(5), list(&[5, 6]))),
        "5<state>[0]"
    );
    let insert = of("insert", vec![int(1), int(9)], &[1, 2]);
    assert_eq!(
        round(&insert, &changed(Data::None, list(&[1, 9, 2]))),
        "<state>[1]+9"
    );
    let remove = of("remove", vec![int(4)], &[1, 4, 4]);
    assert_eq!(
        round(&remove, &changed(Data::None, list(&[1, 4]))),
        "<state>-4"
    );
    let sort = of("sort", vec![], &[3, 1, 2]);
    assert_eq!(
        round(&sort, &changed(Data::None, list(&[1, 2, 3]))),
        "<state>=[1,2,3]"
    );
    let push = call(
        "heapq.heappush",
        vec![Data::Object(0), int(1)],
        vec![list(&[20, 50, 30])],
    );
    let pushed = changed(Data::None, list(&[1, 20, 30, 50]));
    assert_eq!(round(&push, &pushed), "<state>=[1,20,30,50]");
    assert_eq!(
        round(&of("count", vec![int(4)], &[4]), &answer(Ok(int(1)))),
        "1"
    );
}

#[test]
fn dicts_and_sets_change_by_key() {
    let dict = |pairs: &[(&str, i64)]| {
        let pairs = pairs.iter().map(|(k, v)| (text(k), int(*v))).collect();
        Shape::Dict("dict", Data::None, pairs)
    };
    let set_default = method(
        "setdefault",
        vec![Data::Object(0), text("b"), int(2)],
        vec![dict(&[("a", 1)])],
    );
    let answered = changed(int(2), dict(&[("a", 1), ("b", 2)]));
    assert_eq!(round(&set_default, &answered), "2<state>['b']=2");
    let pop = method(
        "pop",
        vec![Data::Object(0), text("a")],
        vec![dict(&[("a", 1), ("b", 2)])],
    );
    assert_eq!(
        round(&pop, &changed(int(1), dict(&[("b", 2)]))),
        "1<state>-'a'"
    );
    let set = |values: &[i64]| Shape::Items("set", ints(values));
    let add = method("add", vec![Data::Object(0), int(3)], vec![set(&[1])]);
    assert_eq!(round(&add, &changed(Data::None, set(&[1, 3]))), "<state>+3");
    let clear = method("clear", vec![Data::Object(0)], vec![set(&[1, 2, 3])]);
    assert_eq!(round(&clear, &changed(Data::None, set(&[]))), "<state>={}");
}

#[test]
fn equal_neighbours_stand_together() {
    let zeros = Shape::Items("list", vec![int(0); 30]);
    let repeat = question(
        Operation::Binary(BinaryOp::Multiply, false),
        vec![Data::Object(0), int(30)],
        vec![list(&[0])],
    );
    let made = Answer {
        made: vec![zeros.clone()],
        ..answer(Ok(Data::Object(1)))
    };
    assert_eq!(round(&repeat, &made), "[*[0]*30]");
    let six = Shape::Items("tuple", vec![text("a"); 6]);
    let pair = Shape::Items("list", vec![Data::Float(0.0), Data::Float(-0.0), int(1)]);
    let most = call(
        "max",
        vec![Data::Object(0), Data::Object(1)],
        vec![six, pair],
    );
    assert_eq!(code(&most).unwrap(), "max((*['a']*6,), [0.0, -0.0, 1])");
    let few = call("max", vec![Data::Object(0)], vec![list(&[5, 5, 5, 5, 5])]);
    assert_eq!(code(&few).unwrap(), "max([5, 5, 5, 5, 5])");
    let enormous = "[ * [ 0 ] * 9 9 9 9 9 9 9 9 ]";
    assert!(read(&repeat, enormous).is_err());
}

#[test]
fn the_working_stands_in_front_and_is_not_read() {
    let sum = call("sum", vec![Data::Object(0)], vec![list(&[4, 1, 2])]);
    assert_eq!(round(&sum, &answer(Ok(int(7)))), "4+1=5+2=7<return>7");
    assert!(read(&sum, "4 <return>").is_err());
}

#[test]
fn usual_messages_are_left_out() {
    let bad = call("int", vec![text("x y")], Vec::new());
    let raised = |kind: &str, args: Vec<Data>| {
        answer(Err(RaisedAnswer {
            kind: kind.to_string(),
            args,
        }))
    };
    let usual = "invalid literal for int() with base 10: 'x y'";
    assert_eq!(
        round(&bad, &raised("ValueError", vec![text(usual)])),
        "<raise>ValueError"
    );
    let other = raised("ValueError", vec![text("no"), int(3)]);
    assert_eq!(round(&bad, &other), "<raise>ValueError('no',3)");
    assert_eq!(
        round(&bad, &raised("TypeError", vec![])),
        "<raise>TypeError()"
    );
    let key = method(
        "pop",
        vec![Data::Object(0), int(3)],
        vec![Shape::Dict("dict", Data::None, vec![])],
    );
    assert_eq!(
        round(&key, &raised("KeyError", vec![int(3)])),
        "<raise>KeyError"
    );
}

#[test]
fn what_is_given_out_is_the_object_that_was_put_in() {
    let rows = vec![
        Shape::Items("list", vec![Data::Object(1), Data::Object(2)]),
        list(&[1]),
        list(&[1]),
    ];
    let pop = method("pop", vec![Data::Object(0), int(0)], rows.clone());
    let read_pop = read(&pop, "[ 1 ] <state> [ 0 ]").unwrap();
    assert_eq!(read_pop.result, Ok(Data::Object(1)));
    assert_eq!(
        read_pop.changed,
        [(0, Shape::Items("list", vec![Data::Object(2)]))]
    );
    // A copy is new, and its elements are not.
    let copy = call("list", vec![Data::Object(0)], rows.clone());
    let read_copy = read(&copy, "[ [ 1 ] , [ 1 ] ]").unwrap();
    assert_eq!(read_copy.result, Ok(Data::Object(3)));
    assert_eq!(
        read_copy.made,
        [Shape::Items("list", vec![Data::Object(1), Data::Object(2)])]
    );
    let deep = call("copy.deepcopy", vec![Data::Object(0)], rows);
    let made = read(&deep, "[ [ 1 ] , [ 1 ] ]").unwrap().made;
    assert_eq!(made.len(), 3);
}

#[test]
fn whatever_a_network_writes_is_an_answer_or_an_error() {
    let append = method("append", vec![Data::Object(0), int(7)], vec![list(&[1, 2])]);
    let texts = [
        "<state>",
        "<state> [ 9 ]",
        "<state> [ 0 ] + ",
        "<state> - 5",
        "<state> = { 1 }",
        "o 3",
        "[ [ [",
        "<raise>",
        "<raise> 3",
        "' a",
        "1 + 2",
        "f ( x )",
        "<state> + 1 <state> + 2",
        "- - - - - - - - - - - - 1",
        "{ ** 1 }",
        "lambda : 0",
        "<output> <line>",
        "[ 1 , * 4 6 ]",
        "<state> [ 1 : 2 ] = 3",
    ];
    for words in texts {
        assert!(read(&append, words).is_err(), "{words}");
    }
    let deep = "[ ".repeat(5000) + &"] ".repeat(5000);
    assert!(read(&append, &deep).is_err());
    assert!(read(&call("len", vec![text("")], Vec::new()), "<state> + 1").is_err());
}

#[test]
fn stores_say_what_is_there_afterwards_even_if_it_was_before() {
    let store = |operands: Vec<Data>, shape: Shape| {
        let operands = [vec![Data::Object(0)], operands].concat();
        question(Operation::StoreSubscript, operands, vec![shape])
    };
    let same = store(vec![int(-1), int(4)], list(&[3, 4]));
    assert_eq!(round(&same, &answer(Ok(Data::None))), "<state>[-1]=4");
    let other = store(vec![int(0), int(4)], list(&[3, 4]));
    assert_eq!(
        round(&other, &changed(Data::None, list(&[4, 4]))),
        "<state>[0]=4"
    );
    let dict = |value: i64| Shape::Dict("dict", Data::None, vec![(text("a"), int(value))]);
    let same = store(vec![text("a"), int(1)], dict(1));
    assert_eq!(round(&same, &answer(Ok(Data::None))), "<state>['a']=1");
    let set = Shape::Items("set", ints(&[5, 6]));
    let add = method("add", vec![Data::Object(0), int(6)], vec![set.clone()]);
    assert_eq!(round(&add, &answer(Ok(Data::None))), "<state>+6");
    let sorted = method("sort", vec![Data::Object(0)], vec![list(&[1, 2])]);
    assert_eq!(round(&sorted, &answer(Ok(Data::None))), "<state>=[1,2]");
    let many: Vec<i64> = (0..50).collect();
    let far = store(vec![int(40), int(-1)], list(&many));
    assert_eq!(
        code(&far).as_deref(),
        Ok("[0, 1, *37, 39, 40, 41, *8][40] = -1")
    );
    let outside = store(vec![int(50), int(-1)], list(&many));
    assert_eq!(
        code(&outside).as_deref(),
        Ok("[0, 1, *46, 48, 49][50] = -1")
    );
}
