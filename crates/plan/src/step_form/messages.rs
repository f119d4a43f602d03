//! What exceptions say: the usual message of an operation follows from its kind and its operands, so that a target
//! names the kind alone.

use super::literals::Values;
use crate::question::{Data, Operation, Question, Shape};
use codexec_vm::fold::BinaryOp;

/// The arguments that an exception of this kind usually has for this operation.
pub(super) fn usual_message(question: &Question, kind: &str) -> Option<Vec<Data>> {
    let values = Values::new(&question.objects, question.objects.len());
    let operand = |at: usize| question.operands.get(at);
    let repr = |at: usize| values.text(operand(at)?).ok();
    let receiver = operand(0).and_then(|data| values.shape(data));
    let text = |message: &str| Some(vec![Data::Str(message.into())]);
    match (&question.operation, kind) {
        (Operation::Call(name), _) => match (&**name, kind) {
            ("int", "ValueError") => {
                let base = match operand(1) {
                    Some(Data::Int(base)) => base.to_string(),
                    _ => "10".to_string(),
                };
                let what = repr(0)?;
                text(&format!(
                    "invalid literal for int() with base {base}: {what}"
                ))
            }
            ("float", "ValueError") => {
                text(&format!("could not convert string to float: {}", repr(0)?))
            }
            ("min" | "max", "ValueError") => text(&format!("{name}() arg is an empty sequence")),
            ("range", "ValueError") => text("range() arg 3 must not be zero"),
            ("pow", "ValueError") => text("pow() 3rd argument cannot be 0"),
            ("divmod", "ZeroDivisionError") => match (operand(0)?, operand(1)?) {
                (Data::Float(_), _) | (_, Data::Float(_)) => text("float divmod()"),
                _ => text("integer division or modulo by zero"),
            },
            ("heapq.heappop", "IndexError") => text("index out of range"),
            ("chr", "ValueError") => text("chr() arg not in range(0x110000)"),
            (name, "ValueError") if name.starts_with("math.") => text("math domain error"),
            (name, "OverflowError") if name.starts_with("math.") => text("math range error"),
            _ => None,
        },
        (Operation::Subscript, "IndexError") => match (receiver, operand(0)?) {
            (Some(Shape::Items("list", _)), _) => text("list index out of range"),
            (Some(Shape::Items("tuple", _)), _) => text("tuple index out of range"),
            (None, Data::Str(_)) => text("string index out of range"),
            (Some(Shape::Deque(..)), _) => text("deque index out of range"),
            _ => None,
        },
        (Operation::StoreSubscript | Operation::DeleteSubscript, "IndexError") => match receiver {
            Some(Shape::Items("list", _)) => text("list assignment index out of range"),
            _ => None,
        },
        (Operation::Subscript | Operation::DeleteSubscript, "KeyError") => match receiver {
            Some(Shape::Dict(..)) => Some(vec![operand(1)?.clone()]),
            _ => None,
        },
        (Operation::Binary(op, _), "ZeroDivisionError") => {
            let is_float = |data: &Data| matches!(data, Data::Float(_));
            let floats = is_float(operand(0)?) || is_float(operand(1)?);
            text(match (op, floats) {
                (BinaryOp::TrueDivide, false) => "division by zero",
                (BinaryOp::TrueDivide, true) => "float division by zero",
                (BinaryOp::FloorDivide, false) => "integer division or modulo by zero",
                (BinaryOp::FloorDivide, true) => "float floor division by zero",
                (BinaryOp::Remainder, false) => "integer modulo by zero",
                (BinaryOp::Remainder, true) => "float modulo",
                _ => return None,
            })
        }
        (Operation::Method(name), _) => match (receiver, &**name, kind) {
            (Some(Shape::Items("list", _)), "remove", "ValueError") => {
                text("list.remove(x): x not in list")
            }
            (Some(Shape::Items("list", _)), "index", "ValueError") => {
                text(&format!("{} is not in list", repr(1)?))
            }
            (Some(Shape::Items("tuple", _)), "index", "ValueError") => {
                text("tuple.index(x): x not in tuple")
            }
            (Some(Shape::Items("list", items)), "pop", "IndexError") => text(if items.is_empty() {
                "pop from empty list"
            } else {
                "pop index out of range"
            }),
            (Some(Shape::Items("set", _)), "pop", "KeyError") => text("pop from an empty set"),
            (Some(Shape::Items("set", _) | Shape::Dict(..)), "remove" | "pop", "KeyError") => {
                Some(vec![operand(1)?.clone()])
            }
            (Some(Shape::Dict(..)), "popitem", "KeyError") => {
                text("popitem(): dictionary is empty")
            }
            (Some(Shape::Deque(..)), "pop" | "popleft", "IndexError") => {
                text("pop from an empty deque")
            }
            (None, "index" | "rindex", "ValueError") => text("substring not found"),
            (None, "split" | "rsplit" | "partition" | "rpartition", "ValueError") => {
                text("empty separator")
            }
            _ => None,
        },
        _ => None,
    }
}
