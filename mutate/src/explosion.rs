//! Constants that would take all of a program's time: powers and shifts of thousands of digits,
//! sequences and comprehensions of millions of items, if the numbers are literals.
//!
//! A mutant that has one and whose parent has none is not made: it would only teach that it takes
//! too long. Expressions with variables are ignored.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Comprehension, Expr, ModModule, Number, Operator, Stmt, UnaryOp};

/// Maximum bits of a power or of a shift, and maximum exponent of an unknown base.
const MOST_BITS: f64 = 65_536.0;
/// Maximum items of a sequence, and iterations of a comprehension.
const MOST_ITEMS: f64 = 1e7;

/// Whether a program has such a constant.
pub(crate) fn explodes(module: &ModModule) -> bool {
    let mut search = Search { found: false };
    search.visit_body(&module.body);
    search.found
}

struct Search {
    found: bool,
}

impl<'a> Visitor<'a> for Search {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        if let Stmt::AugAssign(assign) = stmt {
            let right = number(&assign.value);
            self.found |= match assign.op {
                Operator::Pow | Operator::LShift => right.is_some_and(|r| r > MOST_BITS),
                _ => false,
            };
        }
        if !self.found {
            visitor::walk_stmt(self, stmt);
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::BinOp(operation) = expr {
            let (left, right) = (number(&operation.left), number(&operation.right));
            self.found |= match operation.op {
                Operator::Pow => {
                    // An unknown base may be 0 or 1, but then the exponent does not matter.
                    let bits = left.map_or(1.0, |l| libm::log2(l.abs()));
                    right.is_some_and(|r| bits * r > MOST_BITS)
                }
                Operator::LShift => right.is_some_and(|r| r > MOST_BITS),
                Operator::Mult => {
                    let repeats = |sequence: &Expr, times: Option<f64>| {
                        is_sequence(sequence) && times.is_some_and(|t| t > MOST_ITEMS)
                    };
                    repeats(&operation.left, right) || repeats(&operation.right, left)
                }
                _ => false,
            };
        }
        if !self.found {
            visitor::walk_expr(self, expr);
        }
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        if let Expr::Call(call) = &comprehension.iter
            && let Expr::Name(name) = call.func.as_ref()
            && name.id.as_str() == "range"
        {
            let bounds = call.arguments.args.iter().filter_map(number);
            self.found |= bounds.take(2).any(|b| b.abs() > MOST_ITEMS);
        }
        if !self.found {
            visitor::walk_comprehension(self, comprehension);
        }
    }
}

fn is_sequence(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::List(_) | Expr::Tuple(_) | Expr::StringLiteral(_) | Expr::BytesLiteral(_)
    )
}

/// The approximate value of a number, or of an arithmetic expression of numbers; infinite beyond
/// floats.
fn number(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(int) => Some(int.as_i64().map_or(f64::INFINITY, |i| i as f64)),
            Number::Float(float) => Some(*float),
            Number::Complex { .. } => None,
        },
        Expr::UnaryOp(operation) => {
            let value = number(&operation.operand)?;
            match operation.op {
                UnaryOp::USub => Some(-value),
                UnaryOp::UAdd => Some(value),
                UnaryOp::Invert | UnaryOp::Not => None,
            }
        }
        Expr::BinOp(operation) => {
            let (left, right) = (number(&operation.left)?, number(&operation.right)?);
            let value = match operation.op {
                Operator::Add => left + right,
                Operator::Sub => left - right,
                Operator::Mult => left * right,
                Operator::Div => left / right,
                Operator::FloorDiv => (left / right).floor(),
                Operator::Mod => left - right * (left / right).floor(),
                Operator::Pow => libm::pow(left, right),
                Operator::LShift => left * libm::exp2(right),
                _ => return None,
            };
            (!value.is_nan()).then_some(value)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> bool {
        explodes(ruff_python_parser::parse_module(source).unwrap().syntax())
    }

    #[test]
    fn finds_constants_that_take_all_of_a_programs_time() {
        for source in [
            "x = 2 ** 10 ** 21\n",
            "x = [S ** 29 ** 9 / 15] * N\n",
            "x = (13 ** 10) ** 20000\n",
            "x = 1 << 10 ** 6\n",
            "x **= 10 ** 9\n",
            "m = [6] * 10 ** 8\n",
            "m = 10 ** 9 * 'ab'\n",
            "x = [0 for _ in range(10 ** 17 - 2000)]\n",
            "def f(n=sum(i for i in range(3, 9 * 10 ** 7))):\n    pass\n",
        ] {
            assert!(found(source), "{source}");
        }
    }

    #[test]
    fn leaves_what_is_ordinary() {
        for source in [
            "M = 10 ** 9 + 7\ninf = 10 ** 18\nx = 1 << 60\n",
            "x = 2 ** -(10 ** 9)\ny = 1 ** 10 ** 9\nz = 2 ** 1000\n",
            "for i in range(10 ** 12):\n    break\n",
            "m = [0] * 10 ** 6\nn = [0 for _ in range(10 ** 6)]\n",
            "y = x ** n\nw = x * 10 ** 12\nz = x % 0\n",
        ] {
            assert!(!found(source), "{source}");
        }
    }
}
