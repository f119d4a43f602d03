//! Workings of operations.

use super::*;

fn int(value: i64) -> Data {
    Data::Int(value.into())
}

fn of(operation: Operation, operands: Vec<Data>, items: &[i64]) -> Option<String> {
    let items = items.iter().copied().map(int).collect();
    working(&Question {
        operation,
        names: vec![None; operands.len()],
        operands,
        keywords: Vec::new(),
        objects: vec![Shape::Items("list", items)],
    })
}

fn call(name: &str) -> Operation {
    Operation::Call(name.into())
}

#[test]
fn sums_are_added_up_term_by_term() {
    let list = vec![Data::Object(0)];
    let noted = of(call("sum"), list.clone(), &[7, 8, 9]);
    assert_eq!(noted.as_deref(), Some("7+8=15+9=24"));
    let noted = of(call("sum"), list.clone(), &[1, 1, 1, 1, 5]);
    assert_eq!(noted.as_deref(), Some("1*4=4+5=9"));
    let started = vec![Data::Object(0), Data::Float(0.5)];
    let noted = of(call("sum"), started, &[2, -3]);
    assert_eq!(noted.as_deref(), Some("0.5+2=2.5+-3=-0.5"));
    assert_eq!(of(call("sum"), list, &[7, 8]), None, "in one step");
}

#[test]
fn numbers_are_divided_and_multiplied_on_paper() {
    let two = |a, b| vec![int(a), int(b)];
    let noted = of(call("divmod"), two(966, 7), &[]);
    assert_eq!(noted.as_deref(), Some("9:1:2,26:3:5,56:8:0"));
    let by = Operation::Binary(BinaryOp::Remainder, false);
    let noted = of(by.clone(), two(-100, 25), &[]);
    assert_eq!(noted.as_deref(), Some("100:4:0"));
    assert_eq!(of(by.clone(), two(3, 25), &[]), None);
    let noted = of(by.clone(), two(1496, -1494), &[]);
    assert_eq!(noted.as_deref(), Some("1496:1:2,1494-2=2941"));
    let noted = of(by.clone(), two(-2, 25), &[]);
    assert_eq!(noted.as_deref(), Some("25-2=32"));
    assert_eq!(of(by, two(3, 0), &[]), None);
    let times = Operation::Binary(BinaryOp::Multiply, false);
    let noted = of(times, two(348, 27), &[]);
    assert_eq!(noted.as_deref(), Some("2436+6960=6939"));
    let plus = Operation::Binary(BinaryOp::Add, true);
    assert_eq!(of(plus.clone(), two(348, 27), &[]).as_deref(), Some("573"));
    assert_eq!(of(plus.clone(), two(48, 7), &[]).as_deref(), Some("55"));
    assert_eq!(of(plus.clone(), two(8, 7), &[]), None, "in one step");
    assert_eq!(of(plus, two(1_000_000, 27), &[]), None, "10**6+27");
    let minus = Operation::Binary(BinaryOp::Subtract, false);
    assert_eq!(
        of(minus, two(27, 348), &[]).as_deref(),
        Some("-(348-27)=123")
    );
    let times = Operation::Binary(BinaryOp::Multiply, false);
    assert_eq!(of(times, two(348, 7), &[]).as_deref(), Some("6342"));
    let noted = of(call("math.gcd"), two(36, -15), &[]);
    assert_eq!(noted.as_deref(), Some("6,3,0"));
}

#[test]
fn items_are_numbered_up_to_a_place() {
    let at =
        |data: Data, place: i64| of(Operation::Subscript, vec![data, int(place)], &[1, 4, 9, 4]);
    let list = || Data::Object(0);
    assert_eq!(at(list(), 2).as_deref(), Some("0:1,1:4,2:9"));
    assert_eq!(at(list(), -2).as_deref(), Some("-1:4,-2:9"));
    for place in [0, 1, -1, 4, -5] {
        assert_eq!(at(list(), place), None, "{place}");
    }
    let text = || Data::Str("a'b".into());
    assert_eq!(at(text(), 2).as_deref(), Some("0:'a',1:\"'\",2:'b'"));
    let count = Operation::Method("count".into());
    let noted = of(count.clone(), vec![list(), int(4)], &[1, 4, 9, 4]);
    assert_eq!(noted.as_deref(), Some("1:0,4:1,9:1,4:2"));
    let noted = of(count, vec![text(), Data::Str("b".into())], &[]);
    assert_eq!(noted.as_deref(), Some("'a':0,\"'\":0,'b':1"));
}

#[test]
fn items_are_counted_up_to_the_place() {
    let three = [1, 4, 9];
    let place = vec![Data::Object(0), int(4)];
    let noted = of(call("bisect.bisect_left"), place.clone(), &three);
    assert_eq!(noted.as_deref(), Some("0:1,1:4"));
    let noted = of(call("bisect.bisect_right"), place.clone(), &three);
    assert_eq!(noted.as_deref(), Some("0:1,1:4,2:9"));
    let index = Operation::Method("index".into());
    assert_eq!(of(index, place, &three).as_deref(), Some("0:1,1:4"));
}

#[test]
fn signs_are_taken_off_before_numbers_are_added() {
    let plus = |a, b| {
        let operation = Operation::Binary(BinaryOp::Add, false);
        of(operation, vec![int(a), int(b)], &[])
    };
    let minus = |a, b| {
        let operation = Operation::Binary(BinaryOp::Subtract, false);
        of(operation, vec![int(a), int(b)], &[])
    };
    assert_eq!(minus(348, 27).as_deref(), Some("123"));
    assert_eq!(minus(67, 65).as_deref(), Some("2"));
    assert_eq!(minus(9, 4), None, "in one step");
    assert_eq!(minus(4, 9).as_deref(), Some("-(9-4)"));
    assert_eq!(minus(-200, -173).as_deref(), Some("-(200-173)=72"));
    assert_eq!(minus(-5, 3).as_deref(), Some("-(5+3)"));
    assert_eq!(minus(5, -3).as_deref(), Some("5+3"));
    assert_eq!(plus(-173, 200).as_deref(), Some("200-173=72"));
    assert_eq!(plus(-2, -2).as_deref(), Some("-(2+2)"));
    assert_eq!(
        minus(600, 100_000_000_000).as_deref(),
        Some("-((10**11)-600)")
    );
}

#[test]
fn powers_of_ten_and_what_is_beside_them_are_added_apart() {
    let two = |op: BinaryOp, a: i64, b: i64| {
        let operation = Operation::Binary(op, false);
        of(operation, vec![int(a), int(b)], &[])
    };
    let ten = 10_i64.pow(11);
    let plus = two(BinaryOp::Add, ten + 600, 450);
    assert_eq!(plus.as_deref(), Some("600+450=0501"));
    let plus = two(BinaryOp::Add, ten + 600, ten + 450);
    assert_eq!(plus.as_deref(), Some("1+1=2,600+450=0501"));
    let minus = two(BinaryOp::Subtract, ten + 600, 450);
    assert_eq!(minus.as_deref(), Some("600-450=051"));
    let minus = two(BinaryOp::Subtract, ten + 450, 600);
    assert_eq!(minus.as_deref(), Some("-(600-450)=051"));
    assert_eq!(two(BinaryOp::Subtract, ten, 0), None);
    assert_eq!(two(BinaryOp::Add, ten, 27), None, "10**11+27");
    let times = two(BinaryOp::Multiply, 2, ten + 150);
    assert_eq!(times.as_deref(), Some("1*2=2,150*2=003"));
    let times = two(BinaryOp::Multiply, 2, ten - 150);
    assert_eq!(times.as_deref(), Some("1*2=2,-150*2=-003"));
    let plus = two(BinaryOp::Add, ten - 600, ten - 450);
    assert_eq!(plus.as_deref(), Some("1+1=2,-(600+450)=0501"));
    let plus = two(BinaryOp::Add, 399, ten - 400);
    assert_eq!(plus.as_deref(), Some("0+1=1,-(400-399)=1"));
    let plus = two(BinaryOp::Add, ten - 600, 650);
    assert_eq!(plus.as_deref(), Some("650-600=05"));
}

#[test]
fn floats_are_added_and_compared_by_their_digits() {
    let two = |operation: Operation, a: f64, b: f64| {
        of(operation, vec![Data::Float(a), Data::Float(b)], &[])
    };
    let binary = |op| Operation::Binary(op, false);
    let plus = two(binary(BinaryOp::Add), 3.25, 1.5);
    assert_eq!(plus.as_deref(), Some("3.25+1.50=57.4"));
    let minus = two(binary(BinaryOp::Subtract), 0.5, 2.0);
    assert_eq!(minus.as_deref(), Some("-(2.0-0.5)=5.1"));
    assert_eq!(two(binary(BinaryOp::Add), 1e50, 1.5), None);
    assert_eq!(two(binary(BinaryOp::Add), 0.0, 1.5), None, "a copy");
    let times = |a, b| two(binary(BinaryOp::Multiply), a, b);
    assert_eq!(times(3.6, 2.7).as_deref(), Some("36*27=252+720=279,2"));
    assert_eq!(times(-0.5, 0.08).as_deref(), Some("8*5=04,3"));
    assert_eq!(times(0.1 + 0.2, 0.1 + 0.7), None, "too many digits");
    let square = vec![Data::Float(0.5), int(2)];
    let noted = of(binary(BinaryOp::Power), square, &[]);
    assert_eq!(noted.as_deref(), Some("5*5=52,2"));
    let quotient = two(binary(BinaryOp::TrueDivide), 1.5, 0.25);
    assert_eq!(quotient.as_deref(), Some("150/25=150:6:0"));
    let quotient = two(binary(BinaryOp::TrueDivide), 20000.0, 200.0);
    assert_eq!(
        quotient.as_deref(),
        two_of(BinaryOp::TrueDivide, 20000, 200).as_deref()
    );
    let less = |a, b| two(Operation::Compare(CompareOp::Less), a, b);
    assert_eq!(less(0.64, 0.039).as_deref(), Some("1:1,6:0"));
    assert_eq!(less(-0.5, 12.0).as_deref(), Some("-1:2"));
    assert_eq!(less(2.5, 2.50).as_deref(), Some("1:1,="));
    assert_eq!(less(f64::INFINITY, 2.5), None);
}

fn two_of(op: BinaryOp, a: i64, b: i64) -> Option<String> {
    of(Operation::Binary(op, false), vec![int(a), int(b)], &[])
}

#[test]
fn texts_are_compared_by_the_first_characters_that_differ() {
    let less = |a: &str, b: &str| {
        let texts = vec![Data::Str(a.into()), Data::Str(b.into())];
        of(Operation::Compare(CompareOp::Less), texts, &[])
    };
    assert_eq!(less("abc", "abd").as_deref(), Some("'c':'d'"));
    assert_eq!(less("ab", "ab'").as_deref(), Some("'':\"'\""));
    assert_eq!(less("ab", "ab"), None);
}

#[test]
fn what_is_looked_for_is_compared_with_what_resembles_it() {
    let list = || vec![Data::Object(0), int(722)];
    let noted = of(Operation::Contains, list(), &[720, 15, 722, 9]);
    assert_eq!(noted.as_deref(), Some("720,722"));
    assert_eq!(
        of(Operation::Contains, list(), &[1, 2, 3]).as_deref(),
        Some("_")
    );
    assert_eq!(
        of(Operation::Contains, list(), &[720, 722]),
        None,
        "in one step"
    );
    let counted = of(
        call("collections.Counter"),
        vec![Data::Object(0)],
        &[1, 2, 1],
    );
    assert_eq!(counted.as_deref(), Some("1:1,2:1,1:2"));
}

#[test]
fn numbers_are_compared_by_their_digits() {
    let less = |a, b| {
        let operation = Operation::Compare(CompareOp::Less);
        of(operation, vec![int(a), int(b)], &[])
    };
    assert_eq!(less(348, 351).as_deref(), Some("3:3,4:5"));
    assert_eq!(less(9, 10).as_deref(), Some("1:2"));
    assert_eq!(less(10, 10).as_deref(), Some("2:2,="));
    assert_eq!(less(-600, -150).as_deref(), Some("-3:-3,6:1"));
    assert_eq!(less(-6, 15).as_deref(), Some("-1:2"));
    assert_eq!(less(3, 5), None, "in one step");
}

#[test]
fn powers_shifts_bits_and_quotients_are_noted() {
    let of = |op, a: i64, b: i64| of(Operation::Binary(op, false), vec![int(a), int(b)], &[]);
    assert_eq!(
        of(BinaryOp::Power, 2, 21).as_deref(),
        Some("1:1048576,0:2097152")
    );
    assert_eq!(of(BinaryOp::Power, -3, 3).as_deref(), Some("2:9,3:-27"));
    assert_eq!(of(BinaryOp::Power, 27, 2).as_deref(), Some("189+540=927"));
    assert_eq!(of(BinaryOp::Power, 3, 164), None, "too large");
    assert_eq!(
        of(BinaryOp::LeftShift, 1, 3).as_deref(),
        Some("3:1,2:2,1:4,0:8")
    );
    assert_eq!(of(BinaryOp::LeftShift, 3, 2).as_deref(), Some("1:6,2:12"));
    assert_eq!(
        of(BinaryOp::RightShift, 22, 9).as_deref(),
        Some("1:11,2:5,3:2,4:1,5:0")
    );
    assert_eq!(of(BinaryOp::And, 6, 3).as_deref(), Some("110,011,010"));
    assert_eq!(of(BinaryOp::And, -4, 6).as_deref(), Some("~011,110,100"));
    assert_eq!(of(BinaryOp::Or, -4, 1).as_deref(), Some("~11,01,~10"));
    assert_eq!(of(BinaryOp::And, 0, -6), None);
    let quotient = of(BinaryOp::TrueDivide, 9, 4);
    assert_eq!(quotient.as_deref(), Some("9:2:1,.,10:2:2,20:5:0"));
    let exact = of(BinaryOp::TrueDivide, 360, 90);
    assert_eq!(exact.as_deref(), Some("360:4:0"));
    let small = of(BinaryOp::TrueDivide, 1, 40);
    assert_eq!(small.as_deref(), Some("1:0:1,.,10:0:10,100:2:20,200:5:0"));
    let third = of(BinaryOp::TrueDivide, 1, 3).unwrap_or_default();
    assert_eq!(third.matches("10:3:1").count(), 17, "{third}");
}

#[test]
fn items_are_numbered_where_a_slice_ends_and_in_a_length() {
    let slice_of = |text: &str, start: Data, stop: Data| {
        working(&Question {
            operation: Operation::Subscript,
            names: vec![None; 2],
            operands: vec![Data::Str(text.into()), Data::Object(0)],
            keywords: Vec::new(),
            objects: vec![Shape::Three("slice", [start, stop, Data::None])],
        })
    };
    let slice = |start: Data, stop: Data| slice_of("abcd", start, stop);
    assert_eq!(slice_of("", int(2), Data::None), None);
    assert_eq!(
        slice(int(2), Data::None).as_deref(),
        Some("0:'a',1:'b',2:'c'")
    );
    assert_eq!(
        slice(Data::None, int(9)).as_deref(),
        Some("0:'a',1:'b',2:'c',3:'d'")
    );
    assert_eq!(slice(int(-2), Data::None).as_deref(), Some("-1:'d',-2:'c'"));
    assert_eq!(slice(int(1), Data::None), None);
    let nothing = of(Operation::Subscript, vec![Data::Object(0), int(2)], &[]);
    assert_eq!(nothing, None);
    let length = of(call("len"), vec![Data::Object(0)], &[7, 8, 9, 9]);
    assert_eq!(length.as_deref(), Some("1:7,2:8,3:9,4:9"));
    let many: Vec<i64> = (0..50).collect();
    let length = of(call("len"), vec![Data::Object(0)], &many);
    assert_eq!(length.as_deref(), Some("2+46=48+2=50"));
    let best = of(call("min"), vec![Data::Object(0)], &[7, 9, 3, 4]);
    assert_eq!(best.as_deref(), Some("7,7,3,3"));
    let place = of(Operation::Subscript, vec![Data::Object(0), int(40)], &many);
    assert_eq!(place.as_deref(), Some("0:0,1:1,39:39,40:40"));
    let place = of(Operation::Subscript, vec![Data::Object(0), int(-9)], &many);
    assert_eq!(place.as_deref(), Some("-1:49,-2:48,-8:42,-9:41"));
}

#[test]
fn items_that_have_items_are_numbered_by_the_first_of_these() {
    let rows = vec![
        Shape::Items("list", (1..5).map(Data::Object).collect()),
        Shape::Items("list", vec![int(5)]),
        Shape::Items("list", Vec::new()),
        Shape::Items("tuple", vec![int(7), int(8)]),
        Shape::Placeholder,
    ];
    let noted = working(&Question {
        operation: Operation::Subscript,
        names: vec![None; 2],
        operands: vec![Data::Object(0), int(3)],
        keywords: Vec::new(),
        objects: rows,
    });
    assert_eq!(noted.as_deref(), Some("0:5,1:_,2:7,3:_"));
}
