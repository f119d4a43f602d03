//! Questions out of values.

use std::collections::HashMap;
use std::sync::Arc;

use num_bigint::BigInt;

use super::{After, Flow, Machine, Run};
use crate::machine::calls::call::Keywords;
use crate::question::{Data, Operation, Question, Shape};
use crate::value::{DictKind, Heap, Object, ObjectId, Value, View};

/// An operation to be asked for.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub operation: Operation,
    pub operands: Vec<Value>,
    pub keywords: Vec<Arc<str>>,
}

/// A question that was put, and what its value is for.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    pub question: Question,
    pub after: After,
    /// Objects of the heap by their number in the question.
    pub objects: Vec<ObjectId>,
}

/// Most objects of a question.
const MOST_OBJECTS: usize = 20_000;
/// Most items of one container of a question.
const MOST_ITEMS: usize = 200_000;

impl Machine {
    /// Asks for an operator or a method.
    pub(super) fn ask_operation(&mut self, operation: Operation, operands: Vec<Value>) -> Flow {
        Flow::Ask(Box::new(Ask {
            operation,
            operands,
            keywords: Vec::new(),
        }))
    }

    /// Asks for a call of a builtin function.
    pub(super) fn ask_call(
        &mut self,
        name: &str,
        mut operands: Vec<Value>,
        keywords: Keywords,
    ) -> Flow {
        let (names, values): (Vec<_>, Vec<_>) = keywords.into_iter().unzip();
        operands.extend(values);
        Flow::Ask(Box::new(Ask {
            operation: Operation::Call(name.into()),
            operands,
            keywords: names,
        }))
    }

    /// Puts a question; [`Machine::advance`] gives it to the caller.
    pub(super) fn ask(&mut self, ask: Ask) -> Run<()> {
        self.refuse_unknown(&ask.operands)?;
        if self.settings.fold.operators()
            && let Some(message) = self.refusal(&ask)
        {
            return Err(self.raise("TypeError", &message));
        }
        let mut ask = ask;
        for operand in &mut ask.operands {
            if let Some(base) = self.plain_base(operand) {
                *operand = base;
            } else if (!matches!(&ask.operation, Operation::Method(_)) || is_join(&ask.operation))
                && let Some(Object::List(items)) = self.heap.object(operand)
                && items.iter().any(|item| self.plain_base(item).is_some())
            {
                let plain = |item: &Value| self.plain_base(item).unwrap_or_else(|| item.clone());
                let items = items.iter().map(plain).collect();
                *operand = self.heap.list(items);
            }
        }
        if let Some(value) = self.fold_asked(&ask)? {
            self.count_bytes(&value);
            let after = std::mem::replace(&mut self.after, After::Push);
            return self.deliver(value, after);
        }
        if self.settings.fold.methods() && !self.settings.asks_rest {
            let what = self.not_computed(&ask);
            let is_pure = matches!(ask.operation, Operation::Call(_))
                && ask.operands.iter().all(|operand| operand.id().is_none());
            if !is_pure {
                return Err(Flow::Unsupported(what));
            }
            let value = self.unknown_here(&what)?;
            let after = std::mem::replace(&mut self.after, After::Push);
            return self.deliver(value, after);
        }
        let after = std::mem::replace(&mut self.after, After::Push);
        self.record.counts.asked += 1;
        if self.record.counts.asked > self.settings.max_questions {
            return Err(Flow::Unsupported("more questions than allowed".to_string()));
        }
        let mut graph = Graph {
            heap: &self.heap,
            numbers: HashMap::new(),
            order: Vec::new(),
        };
        let operands = ask.operands.iter().map(|value| graph.data(value)).collect();
        let mut objects = Vec::new();
        while let Some(id) = graph.order.get(objects.len()).copied() {
            if objects.len() >= MOST_OBJECTS {
                return Err(Flow::Unsupported(
                    "a question of too many objects".to_string(),
                ));
            }
            let shape = graph.shape(id).ok_or_else(|| {
                Flow::Unsupported("a question about too large a value".to_string())
            })?;
            objects.push(shape);
        }
        let order = graph.order;
        let names = self.names_of(&ask.operands);
        let question = Question {
            operation: ask.operation,
            operands,
            keywords: ask.keywords,
            names,
            objects,
        };
        self.waiting = Some(Waiting {
            question,
            after,
            objects: order,
        });
        Ok(())
    }

    /// What planning ends with where an operation is not computed and nobody is asked.
    fn not_computed(&mut self, ask: &Ask) -> String {
        let kinds: Vec<String> = ask
            .operands
            .iter()
            .map(|value| self.type_name(value))
            .collect();
        let kind = |at: usize| kinds.get(at).map_or("object", String::as_str);
        let operation = match &ask.operation {
            Operation::Call(name) => format!("{name}({})", kinds.join(", ")),
            Operation::Method(name) => {
                format!(
                    "{}.{name}({})",
                    kind(0),
                    kinds.get(1..).unwrap_or_default().join(", ")
                )
            }
            Operation::Binary(op, inplace) => {
                let equals = if *inplace { "=" } else { "" };
                format!("{} {}{equals} {}", kind(0), op.symbol(), kind(1))
            }
            Operation::Unary(_) => format!("a unary operator of {}", kind(0)),
            Operation::Compare(op) => format!("{} {} {}", kind(0), op.symbol(), kind(1)),
            Operation::Contains => format!("{} in {}", kind(1), kind(0)),
            Operation::Truth => format!("the truth of {}", kind(0)),
            Operation::Subscript | Operation::StoreSubscript | Operation::DeleteSubscript => {
                format!("a subscript of {}", kind(0))
            }
            Operation::Attribute(name) => format!("{name} of {}", kind(0)),
            Operation::Format => format!("a format of {}", kind(0)),
            Operation::Items => format!("the items of {}", kind(0)),
            Operation::SortBy => "a sort".to_owned(),
        };
        format!("{operation}, which is not computed")
    }

    /// What the program calls the objects of a question, where it has a name for them.
    fn names_of(&self, operands: &[Value]) -> Vec<Option<Arc<str>>> {
        let frame = self
            .frames
            .iter()
            .rev()
            .find(|frame| !self.is_runtime(frame));
        let Some(frame) = frame else {
            return vec![None; operands.len()];
        };
        let local = |id: ObjectId| {
            let fast = frame.code.var_names.iter().zip(&frame.fast);
            let named = fast.filter(|(_, value)| value.as_ref().and_then(Value::id) == Some(id));
            named.map(|(name, _)| name.clone()).next()
        };
        let global = |id: ObjectId| match self.heap.get(frame.namespace.unwrap_or(frame.globals)) {
            Object::Dict(entries, _) => entries.values().find_map(|(name, value)| match name {
                Value::Str(name) if value.id() == Some(id) => Some(name.clone()),
                _ => None,
            }),
            _ => None,
        };
        let name = |value: &Value| value.id().and_then(|id| local(id).or_else(|| global(id)));
        operands.iter().map(name).collect()
    }
}

/// Whether texts are joined: the list of them stays as it is.
fn is_join(operation: &Operation) -> bool {
    matches!(operation, Operation::Method(name) if &**name == "join")
}

/// The objects that a question refers to, numbered as they are met.
struct Graph<'a> {
    heap: &'a Heap,
    numbers: HashMap<ObjectId, usize>,
    order: Vec<ObjectId>,
}

impl Graph<'_> {
    fn data(&mut self, value: &Value) -> Data {
        match value {
            Value::None => Data::None,
            Value::Bool(b) => Data::Bool(*b),
            Value::Int(i) => Data::Int(BigInt::from(*i)),
            Value::BigInt(i) => Data::Int((**i).clone()),
            Value::Float(x) => Data::Float(*x),
            Value::Complex(re, im) => Data::Complex(*re, *im),
            Value::Str(s) => Data::Str(s.clone()),
            Value::Bytes(b) => Data::Bytes(b.clone()),
            Value::Ellipsis => Data::Ellipsis,
            Value::NotImplemented => Data::NotImplemented,
            Value::Object(id) => {
                let next = self.order.len();
                let number = *self.numbers.entry(*id).or_insert(next);
                if number == next {
                    self.order.push(*id);
                }
                Data::Object(number)
            }
        }
    }

    fn datas<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) -> Vec<Data> {
        values.into_iter().map(|value| self.data(value)).collect()
    }

    fn shape(&mut self, id: ObjectId) -> Option<Shape> {
        let heap = self.heap;
        Some(match heap.get(id) {
            Object::List(items) if items.len() > MOST_ITEMS => return None,
            Object::List(items) => Shape::Items("list", self.datas(items)),
            Object::Tuple(items) => Shape::Items("tuple", self.datas(items.iter())),
            Object::Set(items) => Shape::Items("set", self.datas(items.values())),
            Object::Frozenset(items) => Shape::Items("frozenset", self.datas(items.values())),
            Object::Bytearray(bytes) => {
                let bytes = bytes.iter().map(|byte| Data::Int((*byte).into()));
                Shape::Items("bytearray", bytes.collect())
            }
            Object::Deque(items, most) => Shape::Deque(self.datas(items), *most),
            Object::Dict(entries, _) if entries.len() > MOST_ITEMS => return None,
            Object::Dict(entries, kind) => {
                let (name, factory) = match kind {
                    DictKind::Plain => ("dict", Data::None),
                    DictKind::Default(factory) => ("defaultdict", self.data(factory)),
                    DictKind::Counter => ("Counter", Data::None),
                    DictKind::Ordered => ("OrderedDict", Data::None),
                };
                let pairs = entries.values().map(|(k, v)| (self.data(k), self.data(v)));
                Shape::Dict(name, factory, pairs.collect())
            }
            Object::Range(a, b, c) => {
                Shape::Three("range", [self.data(a), self.data(b), self.data(c)])
            }
            Object::Slice(a, b, c) => {
                Shape::Three("slice", [self.data(a), self.data(b), self.data(c)])
            }
            Object::Builtin(name) | Object::Module(name) => Shape::Named(name.clone()),
            Object::Intrinsic(intrinsic) => Shape::Named(intrinsic.name.into()),
            Object::Class(class) => match &class.builtin {
                Some(name) => Shape::Named(name.clone()),
                None => Shape::Placeholder,
            },
            Object::BuiltinMethod { receiver, name } => {
                Shape::Method(self.data(receiver), name.clone())
            }
            Object::DictView { of, view } => {
                let view = match view {
                    View::Keys => "keys",
                    View::Values => "values",
                    View::Items => "items",
                };
                Shape::View(view, self.data(&Value::Object(*of)))
            }
            // An annotation of which nobody knows more.
            Object::Opaque { text, .. } if text.is_empty() => return None,
            Object::Opaque { class, text } => Shape::Opaque(class.clone(), text.clone()),
            Object::Cell(_)
            | Object::Function(_)
            | Object::Instance { .. }
            | Object::Method { .. }
            | Object::Iterator(_)
            | Object::Generator { .. }
            | Object::Special { .. } => Shape::Placeholder,
        })
    }
}
