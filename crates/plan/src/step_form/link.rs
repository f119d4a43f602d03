//! Determines which containers of an answer are objects of the question, since text only shows their
//! contents.

use std::collections::HashMap;

use super::literals::Values;
use crate::question::{Data, Operation, Question, Shape};

/// Operations whose value is an operand, or an element of one.
const GIVES_OUT: [&str; 22] = [
    "pop",
    "popleft",
    "popitem",
    "get",
    "setdefault",
    "max",
    "min",
    "next",
    "heapq.heappop",
    "heapq.heapreplace",
    "heapq.heappushpop",
    "getattr",
    "operator.getitem",
    "operator.itemgetter",
    "functools.reduce",
    "move_to_end",
    "random.choice",
    "__getitem__",
    "iter",
    "bisect.insort",
    "__enter__",
    "__iter__",
];
/// Operations that copy their operands.
const COPIES_ALL: [&str; 3] = ["copy.deepcopy", "json.loads", "ast.literal_eval"];

/// Finds the objects of a question by their literals.
pub(super) struct Links {
    by_text: HashMap<String, Vec<usize>>,
    used: HashMap<String, usize>,
    /// Whether the value itself may be an object of the question.
    pub gives_out: bool,
    /// Whether elements may be.
    pub elements: bool,
}

impl Links {
    pub(super) fn new(question: &Question) -> Self {
        let name = match &question.operation {
            Operation::Call(name) | Operation::Method(name) => &**name,
            // A slice is a new list.
            Operation::Subscript if !is_slice(question) => "__getitem__",
            _ => "",
        };
        let values = Values::new(&question.objects, question.objects.len());
        let mut by_text: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, shape) in question.objects.iter().enumerate() {
            if is_mutable(shape)
                && let Ok(text) = values.text(&Data::Object(number))
            {
                by_text.entry(text).or_default().push(number);
            }
        }
        Self {
            by_text,
            used: HashMap::new(),
            gives_out: GIVES_OUT.contains(&name),
            elements: !COPIES_ALL.contains(&name),
        }
    }

    /// An object of the question with the same contents, not yet used if possible.
    pub(super) fn find(&mut self, text: &str) -> Option<usize> {
        let numbers = self.by_text.get(text)?;
        let used = self.used.entry(text.to_string()).or_default();
        let number = numbers.get(*used).or(numbers.last()).copied();
        *used += 1;
        number
    }
}

fn is_slice(question: &Question) -> bool {
    let Some(Data::Object(number)) = question.operands.get(1) else {
        return false;
    };
    matches!(question.objects[*number], Shape::Three("slice", _))
}

/// Whether a shape has an identity that a program can notice.
pub(super) fn is_mutable(shape: &Shape) -> bool {
    match shape {
        Shape::Items(kind, _) => matches!(*kind, "list" | "set" | "bytearray"),
        Shape::Deque(..) | Shape::Dict(..) => true,
        _ => false,
    }
}
