//! Operations that the machine stops at because it does not execute them.

use std::sync::Arc;

use super::{After, Flow, Machine, Run};
use crate::machine::calls::call::Keywords;
use crate::operation::Operation;
use crate::value::{Object, ObjectId, Value};

/// An operation that the machine stopped at.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The operation.
    pub operation: Operation,
    /// Its operands.
    pub operands: Vec<Value>,
    /// Names of the keyword arguments, which are the last operands.
    pub keywords: Vec<Arc<str>>,
}

/// The operation that the machine waits for, and the use of its value.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    pub ask: Ask,
    pub after: After,
}

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

    /// Stops at an operation; [`Machine::advance`] reports it to the caller.
    pub(super) fn ask(&mut self, ask: Ask) -> Run<()> {
        if self.goes_on() {
            // `found.append(made_up)` changes an existing list.
            let folded = match self.only_keeps(&ask) {
                true => self.fold_asked(&ask)?,
                false => None,
            };
            let value = match folded {
                Some(value) => Some(value),
                None => self.of_asked(&ask)?,
            };
            if let Some(value) = value {
                let after = std::mem::replace(&mut self.after, After::Push);
                return self.deliver(value, after);
            }
        }
        if self.has_unknown()
            && self.settings.fold.methods()
            && self.is_of_containers(&ask)
            && let Some(value) = self.fold_asked(&ask)?
        {
            let after = std::mem::replace(&mut self.after, After::Push);
            return self.deliver(value, after);
        }
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
            } else if is_join(&ask.operation)
                && let Some(Object::Instance {
                    base: Some(base), ..
                }) = self.heap.object(operand)
                && matches!(self.heap.object(base), Some(Object::Tuple(_)))
            {
                // `join` takes the items themselves.
                *operand = base.clone();
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
        if self.settings.fold.methods() && self.goes_on() {
            let what = self.not_computed(&ask);
            if !matches!(ask.operation, Operation::Call(_) | Operation::Method(_)) {
                return Err(Flow::Unsupported(what));
            }
            let value = self.not_modelled(&what)?;
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
        self.waiting = Some(Waiting { ask, after });
        Ok(())
    }

    /// Returns why planning ends at an operation that is neither computed nor asked.
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

    /// Returns the operation that the machine waits for. `None` if it continues or has ended.
    pub fn wanted(&self) -> Option<&Ask> {
        self.waiting.as_ref().map(|waiting| &waiting.ask)
    }

    /// Returns the program's name for each value. `None` if it has none.
    pub fn names_of(&self, operands: &[Value]) -> Vec<Option<Arc<str>>> {
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

/// Whether texts are joined, which leaves the list of them unchanged.
fn is_join(operation: &Operation) -> bool {
    matches!(operation, Operation::Method(name) if &**name == "join")
}
