//! The working of an answer: intermediate results for operations of many steps. A network of few blocks has no room
//! for them between its question and the first word of the value.
//!
//! | operation | working |
//! |---|---|
//! | `sum([7, 8, 9])` | `7+8=15+9=24` |
//! | `max([7, 9, 8])`, `min(7, 9, 8)` | `7,9,9`, the best so far |
//! | `divmod(966, 7)`, `966 // 7`, `966 % 7` | `9:1:2,26:3:5,56:8:0`, long division: what is divided, digit, rest |
//! | `9 / 4` | `9:2:1,.,10:2:2,20:5:0`, long division with decimals |
//! | `348 * 27`, `27 ** 2` | `2436+6960=6939`, a row for each digit of the shorter number, and the digits of their sum from the units on |
//! | `3 ** 4`, `3 << 2` | `2:9,3:27,4:81`, `1:6,2:12`, power after power and double after double, numbered; `2 ** 21` is `1:1048576,0:2097152`, from the last power of 1,024 on, with the doublings that are left |
//! | `22 >> 2` | `1:11,2:5`, half after half |
//! | `348 + 27`, `348 - 27`, `348 * 7` | `573`, the digits of the value from the units on, as carries go |
//! | `(10**11+600) + 450`, `10**11 - 600` | `600+450=0501`, `1000-600=004,9*8`: above and below the power of ten apart, nines counted |
//! | `2 * (10**11+600)` | `1*2=2,600*2=0021`, the same |
//! | `3.25 + 1.5` | `3.25+1.50=57.4`, the digits of the value from the last on |
//! | `3.6 * 2.7` | `36*27=252+720=279,2`, without points, the digits from the units on, and how many stand behind the point |
//! | `159.3 / 24.1` | `1593/241=1593:6:147,.,…`, long division without points |
//! | `1496 % -1494` | `1496:1:2,1494-2=2941`, where the signs differ what the rest lacks |
//! | `'abc' < 'abd'` | `'c':'d'`, the first characters that differ |
//! | `27 - 348`, `-27 - 348` | `-(348-27)=123`, `-(27+348)=573`, without signs first |
//! | `348 < 351`, `9 < 10`, `0.64 < 0.039` | `3:3,4:5`, `1:2`, `1:1,6:0`: how many digits before the point, and the first that differ |
//! | `722 in {720: 4, 722: 5, 15: 3}` | `720,722`, the items that are as long and begin with the same character |
//! | `collections.Counter([1, 2, 1])` | `1:1,2:1,1:2`, items with the count up to them |
//! | `6 & 3`, `-4 & 6` | `110,011,010`, in binary, `~011,110,100`, negative ones by their complement |
//! | `math.gcd(36, 15)` | `6,3,0`, the rests of Euclid's algorithm |
//! | `[7, 8, 9][2]`, `'abc'[-3]` | `0:7,1:8,2:9`, items by number up to the place; of an item that has items, the first |
//! | `'abcd'[2:]` | `0:'a',1:'b',2:'c'`, items up to the place where the slice begins or ends |
//! | `len('abcd')` | `1:'a',2:'b',3:'c',4:'d'` |
//! | `[7, 8, 7].count(7)` | `7:1,8:1,7:2`, items with the count up to them |
//! | `bisect_left([1, 4, 9], 5)`, `[1, 4, 9].index(9)` | `0:1,1:4,2:9`, items by number until the place is found |

mod floats;
mod items;
mod numbers;
mod sums;
#[cfg(test)]
mod tests;

use num_traits::ToPrimitive as _;

use super::source::MOST_COUNTED;
use crate::question::{Data, Operation, Question, Shape};
use codexec_vm::fold::{BinaryOp, CompareOp, UnaryOp};

/// The working of a question, if it has one, as text without blanks.
pub(super) fn working(question: &Question) -> Option<String> {
    let operands = question.operands.as_slice();
    if !question.keywords.is_empty() {
        return None;
    }
    match (&question.operation, operands) {
        (Operation::Call(name), _) => of_call(question, name, operands),
        (Operation::Method(name), [list @ Data::Object(_), x]) if &**name == "index" => {
            items::until(items::of(question, list)?, |item| Some(item == x))
        }
        (Operation::Method(name), [list, x]) if &**name == "count" => {
            items::tally(&items::scalars(question, list)?, x)
        }
        (Operation::Subscript, [list, Data::Int(place)]) => {
            items::to_place(question, &items::scalars(question, list)?, place.to_i64()?)
        }
        (Operation::Subscript, [list, Data::Object(slice)]) => {
            match question.objects.get(*slice)? {
                Shape::Three("slice", parts) => {
                    items::of_slice(question, &items::scalars(question, list)?, parts)
                }
                _ => None,
            }
        }
        (Operation::Unary(UnaryOp::Invert), [Data::Int(a)]) => sums::of_two(a, &1.into(), false),
        (Operation::Compare(op), [Data::Int(a), Data::Int(b)])
            if !matches!(op, CompareOp::Equal | CompareOp::NotEqual) =>
        {
            numbers::comparison(a, b)
        }
        (Operation::Binary(op, _), [Data::Int(a), Data::Int(b)]) => match op {
            BinaryOp::FloorDivide | BinaryOp::Remainder => numbers::division(a, b),
            BinaryOp::TrueDivide => numbers::decimals(a, b),
            BinaryOp::Multiply => numbers::product(a, b),
            BinaryOp::Add => sums::of_two(a, b, false),
            BinaryOp::Subtract => sums::of_two(a, b, true),
            BinaryOp::Power => numbers::power(a, b),
            BinaryOp::LeftShift => numbers::doublings(a, b),
            BinaryOp::RightShift => numbers::halves(a, b),
            BinaryOp::And => numbers::bits(a, b, &(a & b)),
            BinaryOp::Or => numbers::bits(a, b, &(a | b)),
            BinaryOp::Xor => numbers::bits(a, b, &(a ^ b)),
            BinaryOp::MatrixMultiply => None,
        },
        (Operation::Compare(op), [Data::Str(a), Data::Str(b)])
            if !matches!(op, CompareOp::Equal | CompareOp::NotEqual) =>
        {
            items::first_difference(a, b)
        }
        (Operation::Contains, [all, x]) => items::alike(question, x, all),
        (Operation::Compare(op), [a, b])
            if !matches!(op, CompareOp::Equal | CompareOp::NotEqual) && a_float(a, b) =>
        {
            floats::comparison(a, b)
        }
        (Operation::Binary(op, _), [a, b]) if a_float(a, b) => of_floats(*op, a, b),
        _ => None,
    }
}

/// Whether one of two numbers is a float.
fn a_float(a: &Data, b: &Data) -> bool {
    matches!(
        (a, b),
        (Data::Float(_), Data::Float(_) | Data::Int(_)) | (Data::Int(_), Data::Float(_))
    )
}

fn of_floats(op: BinaryOp, a: &Data, b: &Data) -> Option<String> {
    match op {
        BinaryOp::Add => floats::sum(a, b, false),
        BinaryOp::Subtract => floats::sum(a, b, true),
        BinaryOp::Multiply => floats::times(a, b),
        BinaryOp::TrueDivide => floats::divided(a, b),
        BinaryOp::FloorDivide | BinaryOp::Remainder => {
            numbers::division(&floats::whole(a)?, &floats::whole(b)?)
        }
        BinaryOp::Power if *b == Data::Int(2.into()) => floats::times(a, a),
        _ => None,
    }
}

fn of_call(question: &Question, name: &str, operands: &[Data]) -> Option<String> {
    match (name, operands) {
        ("sum", [list]) => sums::of(None, items::of(question, list)?),
        ("sum", [list, start]) => sums::of(Some(start), items::of(question, list)?),
        ("divmod", [Data::Int(a), Data::Int(b)]) => numbers::division(a, b),
        ("math.gcd", [Data::Int(a), Data::Int(b)]) => numbers::euclid(a, b),
        ("min" | "max", [list]) => items::best(items::of(question, list)?, name == "max"),
        ("min" | "max", several) => items::best(several, name == "max"),
        ("len", [list]) => match items::of(question, list) {
            Some(all) if all.len() > MOST_COUNTED => Some(numbers::left_out(all.len())),
            _ => items::numbered(question, &items::scalars(question, list)?),
        },
        ("collections.Counter", [list]) => items::counts(&items::scalars(question, list)?),
        ("bisect.bisect_left", [list, x]) => items::until(items::of(question, list)?, |item| {
            numbers::at_least(item, x)
        }),
        ("bisect.bisect_right" | "bisect.bisect", [list, x]) => {
            items::until(items::of(question, list)?, |item| numbers::above(item, x))
        }
        _ => None,
    }
}
