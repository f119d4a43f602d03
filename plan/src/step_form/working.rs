//! The working of an answer: what one would note down on the way to it, for operations of many steps. A network of few
//! blocks has no room for them between its question and the first word of the value.
//!
//! | operation | working |
//! |---|---|
//! | `sum([7, 8, 9])` | `7+8=15+9=24` |
//! | `divmod(966, 7)`, `966 // 7`, `966 % 7` | `9:1:2,26:3:5,56:8:0`, long division: what is divided, digit, rest |
//! | `348 * 27` | `2436+6960`, a row for each digit |
//! | `math.gcd(36, 15)` | `6,3,0`, the rests of Euclid's algorithm |
//! | `bisect_left([1, 4, 9], 5)`, `[1, 4, 9].index(9)` | `0:1,1:4,2:9`, items by number until the place is found |

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, Zero};

use crate::fold::{BinaryOp, number_text};
use crate::question::{Data, Operation, Question, Shape};

/// Most terms that are noted down.
const MOST_TERMS: usize = 64;
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
        (Operation::Binary(op, _), [Data::Int(a), Data::Int(b)]) => match op {
            BinaryOp::FloorDivide | BinaryOp::Remainder => division(a, b),
            BinaryOp::Multiply => rows(a, b),
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
        let noted = of(call("math.gcd"), two(36, -15), &[]);
        assert_eq!(noted.as_deref(), Some("6,3,0"));
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
