//! The working of an answer: what one would note down on the way to it, for operations of many steps. A network of few
//! blocks has no room for them between its question and the first word of the value.
//!
//! | operation | working |
//! |---|---|
//! | `sum([7, 8, 9])` | `7+8=15+9=24` |
//! | `max([7, 9, 8])`, `min(7, 9, 8)` | `7,9,9`, the best so far |
//! | `divmod(966, 7)`, `966 // 7`, `966 % 7` | `9:1:2,26:3:5,56:8:0`, long division: what is divided, digit, rest |
//! | `9 / 4` | `9:2:1,.,10:2:2,20:5:0`, long division with decimals |
//! | `348 * 27`, `27 ** 2` | `2436+6960`, a row for each digit |
//! | `2 ** 5`, `1 << 5` | `4,8,16,32`, power after power |
//! | `22 >> 2` | `11,5`, half after half |
//! | `348 + 27`, `348 - 27`, `348 * 7` | `573`, the digits of the value from the units on, as carries go |
//! | `27 - 348`, `-27 - 348` | `-(348-27)=123`, `-(27+348)=573`, without signs first |
//! | `348 < 351`, `9 < 10` | `3:3,4:5`, `1:2`: how many digits, and the first that differ |
//! | `6 & 3` | `110,011,010`, in binary |
//! | `math.gcd(36, 15)` | `6,3,0`, the rests of Euclid's algorithm |
//! | `[7, 8, 9][2]`, `'abc'[-3]` | `0:7,1:8,2:9`, items by number up to the place; of an item that has items, the first |
//! | `'abcd'[2:]` | `0:'a',1:'b',2:'c'`, items up to the place where the slice begins or ends |
//! | `len('abcd')` | `1:'a',2:'b',3:'c',4:'d'` |
//! | `[7, 8, 7].count(7)` | `7:1,8:1,7:2`, items with the count up to them |
//! | `bisect_left([1, 4, 9], 5)`, `[1, 4, 9].index(9)` | `0:1,1:4,2:9`, items by number until the place is found |

mod items;
mod numbers;
#[cfg(test)]
mod tests;

use num_traits::ToPrimitive as _;

use super::source::MOST_COUNTED;
use crate::fold::{BinaryOp, CompareOp, UnaryOp};
use crate::question::{Data, Operation, Question, Shape};

/// The working of a question that has one, as a text without blanks.
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
        (Operation::Unary(UnaryOp::Invert), [Data::Int(a)]) => {
            numbers::sum_of_two(a, &1.into(), false)
        }
        (Operation::Compare(op), [Data::Int(a), Data::Int(b)])
            if !matches!(op, CompareOp::Equal | CompareOp::NotEqual) =>
        {
            numbers::comparison(a, b)
        }
        (Operation::Binary(op, _), [Data::Int(a), Data::Int(b)]) => match op {
            BinaryOp::FloorDivide | BinaryOp::Remainder => numbers::division(a, b),
            BinaryOp::TrueDivide => numbers::decimals(a, b),
            BinaryOp::Multiply => numbers::product(a, b),
            BinaryOp::Add => numbers::sum_of_two(a, b, false),
            BinaryOp::Subtract => numbers::sum_of_two(a, b, true),
            BinaryOp::Power => numbers::power(a, b),
            BinaryOp::LeftShift => numbers::doublings(a, b),
            BinaryOp::RightShift => numbers::halves(a, b),
            BinaryOp::And => numbers::bits(a, b, &(a & b)),
            BinaryOp::Or => numbers::bits(a, b, &(a | b)),
            BinaryOp::Xor => numbers::bits(a, b, &(a ^ b)),
            BinaryOp::MatrixMultiply => None,
        },
        _ => None,
    }
}

fn of_call(question: &Question, name: &str, operands: &[Data]) -> Option<String> {
    match (name, operands) {
        ("sum", [list]) => numbers::sum(None, items::of(question, list)?),
        ("sum", [list, start]) => numbers::sum(Some(start), items::of(question, list)?),
        ("divmod", [Data::Int(a), Data::Int(b)]) => numbers::division(a, b),
        ("math.gcd", [Data::Int(a), Data::Int(b)]) => numbers::euclid(a, b),
        ("min" | "max", [list]) => items::best(items::of(question, list)?, name == "max"),
        ("min" | "max", several) => items::best(several, name == "max"),
        ("len", [list]) => match items::of(question, list) {
            Some(all) if all.len() > MOST_COUNTED => Some(numbers::left_out(all.len())),
            _ => items::numbered(question, &items::scalars(question, list)?),
        },
        ("bisect.bisect_left", [list, x]) => items::until(items::of(question, list)?, |item| {
            numbers::at_least(item, x)
        }),
        ("bisect.bisect_right" | "bisect.bisect", [list, x]) => {
            items::until(items::of(question, list)?, |item| numbers::above(item, x))
        }
        _ => None,
    }
}
