//! The working of an answer: what one would note down on the way to it, for operations of many steps. A network of few
//! blocks has no room for them between its question and the first word of the value.
//!
//! | operation | working |
//! |---|---|
//! | `sum([7, 8, 9])` | `7+8=15+9=24` |
//! | `divmod(966, 7)`, `966 // 7`, `966 % 7` | `9:1:2,26:3:5,56:8:0`, long division: what is divided, digit, rest |
//! | `348 * 27` | `2436+6960`, a row for each digit |
//! | `348 + 27`, `348 - 27`, `348 * 7` | `573`, the digits of the value from the units on, as carries go |
//! | `math.gcd(36, 15)` | `6,3,0`, the rests of Euclid's algorithm |
//! | `[7, 8, 9][2]`, `'abc'[-3]` | `0:7,1:8,2:9`, items by number up to the place |
//! | `[7, 8, 7].count(7)` | `7:1,8:1,7:2`, items with the count up to them |
//! | `bisect_left([1, 4, 9], 5)`, `[1, 4, 9].index(9)` | `0:1,1:4,2:9`, items by number until the place is found |

use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive as _, Zero};

use super::powers;
use crate::fold::{BinaryOp, number_text};
use crate::question::{Data, Operation, Question, Shape};
use crate::text::quoted;

/// Most terms that are noted down.
const MOST_TERMS: usize = 64;
/// Most items that are counted.
const MOST_PLACES: usize = 24;
/// Characters of the longest text that is noted down.
const LONGEST_ITEM: usize = 8;
/// Characters of the longest number beside others.
const LONGEST_NUMBER: usize = 10;
/// Digits of the largest number that is divided or multiplied on paper.
const MOST_DIGITS: usize = 18;

/// The working of a question that has one, as a text without blanks.
pub(super) fn working(question: &Question) -> Option<String> {
    let operands = question.operands.as_slice();
    if !question.keywords.is_empty() {
        return None;
    }
    match (&question.operation, operands) {
        (Operation::Call(name), _) => match (&**name, operands) {
            ("sum", [items]) => sum(None, items_of(question, items)?),
            ("sum", [items, start]) => sum(Some(start), items_of(question, items)?),
            ("divmod", [Data::Int(a), Data::Int(b)]) => division(a, b),
            ("math.gcd", [Data::Int(a), Data::Int(b)]) => euclid(a, b),
            ("bisect.bisect_left", [items, x]) => {
                until(items_of(question, items)?, |item| at_least(item, x))
            }
            ("bisect.bisect_right" | "bisect.bisect", [items, x]) => {
                until(items_of(question, items)?, |item| above(item, x))
            }
            _ => None,
        },
        (Operation::Method(name), [items @ Data::Object(_), x]) if &**name == "index" => {
            until(items_of(question, items)?, |item| Some(item == x))
        }
        (Operation::Method(name), [items, x]) if &**name == "count" => {
            tally(&scalars(question, items)?, x)
        }
        (Operation::Subscript, [items, Data::Int(place)]) => {
            to_place(&scalars(question, items)?, place.to_i64()?)
        }
        (Operation::Binary(op, _), [Data::Int(a), Data::Int(b)]) => match op {
            BinaryOp::FloorDivide | BinaryOp::Remainder => division(a, b),
            BinaryOp::Multiply => rows(a, b).or_else(|| units_first(a, b, &(a * b))),
            BinaryOp::Add => units_first(a, b, &(a + b)),
            BinaryOp::Subtract => units_first(a, b, &(a - b)),
            _ => None,
        },
        _ => None,
    }
}

fn items_of<'q>(question: &'q Question, data: &Data) -> Option<&'q [Data]> {
    let Data::Object(number) = data else {
        return None;
    };
    match question.objects.get(*number)? {
        Shape::Items("list" | "tuple" | "iterator", items) => Some(items),
        _ => None,
    }
}

/// The items of a list or a tuple, or the characters of a text.
fn scalars(question: &Question, data: &Data) -> Option<Vec<Data>> {
    match data {
        Data::Str(text) => {
            let one = |c: char| Data::Str(Arc::from(c.encode_utf8(&mut [0; 4]) as &str));
            Some(text.chars().map(one).collect())
        }
        _ => Some(items_of(question, data)?.to_vec()),
    }
}

/// Items by number up to a place, from the nearer end; the first two and the last need no counting.
fn to_place(items: &[Data], place: i64) -> Option<String> {
    let count = i64::try_from(items.len()).ok()?;
    let most = i64::try_from(MOST_PLACES).ok()?;
    if !(-count..count).contains(&place) || (-1..2).contains(&place) || place.abs() > most {
        return None;
    }
    let numbers: Vec<i64> = if place < 0 {
        (place..0).rev().collect()
    } else {
        (0..=place).collect()
    };
    let line = |number: &i64| {
        let at = usize::try_from(number.rem_euclid(count)).ok()?;
        Some(format!("{number}:{}", scalar(&items[at])?))
    };
    let lines: Option<Vec<String>> = numbers.iter().map(line).collect();
    Some(lines?.join(","))
}

/// Every item, with how many up to it equal `x`.
fn tally(items: &[Data], x: &Data) -> Option<String> {
    let is_part = matches!(x, Data::Str(text) if text.chars().count() != 1)
        && matches!(items.first(), Some(Data::Str(_)));
    if items.len() < 3 || items.len() > MOST_PLACES || is_part {
        return None;
    }
    let mut count = 0;
    let line = |item: &Data| {
        count += usize::from(item == x);
        Some(format!("{}:{count}", scalar(item)?))
    };
    let lines: Option<Vec<String>> = items.iter().map(line).collect();
    Some(lines?.join(","))
}

/// A number or a short text.
fn scalar(data: &Data) -> Option<String> {
    match data {
        Data::Str(text) if text.chars().count() <= LONGEST_ITEM => {
            let mut out = String::new();
            quoted::text(&mut out, text);
            Some(out)
        }
        Data::Bool(value) => Some(String::from(if *value { "True" } else { "False" })),
        Data::None => Some(String::from("None")),
        data => number(data).filter(|text| text.len() <= LONGEST_NUMBER),
    }
}

/// Partial sums, with equal neighbours taken together.
fn sum(start: Option<&Data>, items: &[Data]) -> Option<String> {
    let mut terms: Vec<(&Data, usize)> = start.map(|data| (data, 1)).into_iter().collect();
    for (at, item) in items.iter().enumerate() {
        match terms.last_mut() {
            Some((data, count)) if at > 0 && *data == item => *count += 1,
            _ => terms.push((item, 1)),
        }
    }
    let apart: usize = terms.iter().map(|(_, count)| count).sum();
    if apart < 3 || terms.len() > MOST_TERMS {
        return None;
    }
    let mut total = Data::Int(BigInt::ZERO);
    let mut out = String::new();
    for (at, (data, count)) in terms.into_iter().enumerate() {
        for _ in 0..count {
            total = add(&total, data)?;
        }
        if at > 0 {
            out.push('+');
        }
        out.push_str(&number(data)?);
        if count > 1 {
            out.push_str(&format!("*{count}"));
        }
        if at > 0 || count > 1 {
            out.push('=');
            out.push_str(&number(&total)?);
        }
    }
    Some(out)
}

fn add(a: &Data, b: &Data) -> Option<Data> {
    let float = |data: &Data| match data {
        Data::Float(value) => Some(*value),
        Data::Int(value) => number_text::integer(value)?.parse().ok(),
        Data::Bool(value) => Some(f64::from(u8::from(*value))),
        _ => None,
    };
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => Some(Data::Int(a + b)),
        _ => Some(Data::Float(float(a)? + float(b)?)),
    }
}

fn integer(data: &Data) -> Option<BigInt> {
    match data {
        Data::Int(value) => Some(value.clone()),
        Data::Bool(value) => Some(u8::from(*value).into()),
        _ => None,
    }
}

fn number(data: &Data) -> Option<String> {
    match data {
        Data::Float(value) => Some(number_text::float(*value)),
        data => number_text::integer(&integer(data)?),
    }
}

/// The digits of the absolute value, where they are few enough.
fn digits(value: &BigInt) -> Option<String> {
    let text = number_text::integer(&value.abs())?;
    (text.len() <= MOST_DIGITS).then_some(text)
}

fn division(a: &BigInt, b: &BigInt) -> Option<String> {
    if b.is_zero() || a.abs() < b.abs() {
        return None;
    }
    digits(b)?;
    let by = b.abs();
    let mut rest = BigInt::ZERO;
    let mut lines: Vec<String> = Vec::new();
    for digit in digits(a)?.bytes() {
        let part: BigInt = rest * 10 + (digit - b'0');
        let times = &part / &by;
        rest = &part % &by;
        if !times.is_zero() || !lines.is_empty() {
            lines.push(format!("{part}:{times}:{rest}"));
        }
    }
    Some(lines.join(","))
}

fn rows(a: &BigInt, b: &BigInt) -> Option<String> {
    let by = digits(b)?;
    if digits(a)?.len() < 2 || by.len() < 2 {
        return None;
    }
    let of = a.abs();
    let mut place = BigInt::from(1);
    let mut rows = Vec::new();
    for digit in by.bytes().rev() {
        rows.push((&of * (digit - b'0') * &place).to_string());
        place *= 10;
    }
    Some(rows.join("+"))
}

/// The digits of a value in the order in which it is computed. Small operands need no working, and numbers that are
/// written as powers of ten have none.
fn units_first(a: &BigInt, b: &BigInt, value: &BigInt) -> Option<String> {
    let (of, by) = (digits(a)?, digits(b)?);
    let (most, least) = (of.len().max(by.len()), of.len().min(by.len()));
    if (most < 3 && least < 2) || powers::is_written(&of) || powers::is_written(&by) {
        return None;
    }
    Some(number_text::integer(&value.abs())?.chars().rev().collect())
}

fn euclid(a: &BigInt, b: &BigInt) -> Option<String> {
    digits(a)?;
    digits(b)?;
    let (mut a, mut b) = (a.abs(), b.abs());
    let mut rests = Vec::new();
    while b.sign() != Sign::NoSign {
        let rest = &a % &b;
        rests.push(rest.to_string());
        (a, b) = (b, rest);
    }
    (!rests.is_empty()).then(|| rests.join(","))
}

/// Items by number, up to the first that is `found`. Numbers alone: a text among them would need its quotes.
fn until(items: &[Data], found: impl Fn(&Data) -> Option<bool>) -> Option<String> {
    let mut lines = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if at >= MOST_TERMS {
            return None;
        }
        lines.push(format!("{at}:{}", number(item)?));
        if found(item)? {
            return Some(lines.join(","));
        }
    }
    (!lines.is_empty()).then(|| lines.join(","))
}

fn at_least(item: &Data, x: &Data) -> Option<bool> {
    Some(integer(item)? >= integer(x)?)
}

fn above(item: &Data, x: &Data) -> Option<bool> {
    Some(integer(item)? > integer(x)?)
}

#[cfg(test)]
mod tests {
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
        assert_eq!(of(by, two(3, 0), &[]), None);
        let times = Operation::Binary(BinaryOp::Multiply, false);
        let noted = of(times, two(348, 27), &[]);
        assert_eq!(noted.as_deref(), Some("2436+6960"));
        let plus = Operation::Binary(BinaryOp::Add, true);
        assert_eq!(of(plus.clone(), two(348, 27), &[]).as_deref(), Some("573"));
        assert_eq!(of(plus.clone(), two(48, 7), &[]), None, "in one step");
        assert_eq!(of(plus, two(1_000_000, 27), &[]), None, "10**6+27");
        let minus = Operation::Binary(BinaryOp::Subtract, false);
        assert_eq!(of(minus, two(27, 348), &[]).as_deref(), Some("123"));
        let times = Operation::Binary(BinaryOp::Multiply, false);
        assert_eq!(of(times, two(348, 7), &[]).as_deref(), Some("6342"));
        let noted = of(call("math.gcd"), two(36, -15), &[]);
        assert_eq!(noted.as_deref(), Some("6,3,0"));
    }

    #[test]
    fn items_are_numbered_up_to_a_place() {
        let at = |data: Data, place: i64| {
            of(Operation::Subscript, vec![data, int(place)], &[1, 4, 9, 4])
        };
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
}
