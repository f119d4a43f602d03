//! Operators that methods of the program execute, if the left operand's method is called first.
//!
//! The library decides all other cases, and continues if that method returns `NotImplemented`.

use crate::fold::{BinaryOp, CompareOp};
use crate::machine::eval::operators::{binary_method, compare_method};
use crate::machine::{After, Flow, Machine, Run};
use crate::value::{Object, ObjectId, Value};

/// An operator with two operands for which a class may have a method.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) enum Operator {
    /// `left op right`, or `left op= right`.
    Binary(BinaryOp, bool),
    /// A comparison.
    Compare(CompareOp),
}

impl Operator {
    fn method(self) -> &'static str {
        match self {
            Self::Binary(op, _) => binary_method(op),
            Self::Compare(op) => compare_method(op),
        }
    }
}

/// An operator whose left operand's method is being called.
#[derive(Debug, Clone)]
pub(crate) struct Operated {
    operator: Operator,
    left: Value,
    right: Value,
}

impl Operated {
    /// Whether CPython counts a call for the operator besides that of the method.
    pub(in crate::machine) fn is_deeper(&self) -> bool {
        matches!(self.operator, Operator::Compare(_))
    }

    pub(in crate::machine) fn both(&self) -> [&Value; 2] {
        [&self.left, &self.right]
    }
}

impl Machine {
    /// Returns the call of the left operand's method. `None`: the library has to decide which
    /// method is called, and how.
    pub(in crate::machine) fn operator_call(
        &mut self,
        operator: Operator,
        left: &Value,
        right: &Value,
    ) -> Option<Flow> {
        let is_plain = matches!(self.after, After::Push)
            && self.dropped.is_quiet()
            && self.heap.stand_ins.is_empty()
            && !self.own_keys.wanted
            && self.doubts.unknown.is_empty()
            && self.is_far_from_deep();
        if !is_plain {
            return None;
        }
        let class = self.plain_class_of(left)?;
        if let Value::Object(id) = right {
            let Object::Instance { class: other, .. } = self.heap.get(*id) else {
                return None;
            };
            // A subclass may come first.
            if *other != class && self.derives(*other, class) {
                return None;
            }
        }
        let name = operator.method();
        if let Operator::Binary(_, true) = operator {
            let in_place = format!("__i{}", &name[2..]);
            if self.class_attribute(class, &in_place).is_some() {
                return None;
            }
        }
        let method = self.class_attribute(class, name)?;
        match self.heap.object(&method)? {
            Object::Function(function) if !function.hidden => {}
            _ => return None,
        }
        self.after = After::Operated(Box::new(Operated {
            operator,
            left: left.clone(),
            right: right.clone(),
        }));
        Some(Flow::Call(method, vec![left.clone(), right.clone()]))
    }

    /// Returns the class of an object of the program that wraps no builtin value and whose class
    /// has no metaclass.
    fn plain_class_of(&self, value: &Value) -> Option<ObjectId> {
        let Object::Instance {
            class, base: None, ..
        } = self.heap.object(value)?
        else {
            return None;
        };
        match self.heap.get(*class) {
            Object::Class(info) if info.metaclass.is_none() => Some(*class),
            _ => None,
        }
    }

    /// Continues with the right operand's method after the left one returned `NotImplemented`.
    pub(in crate::machine) fn operator_refused(&mut self, one: Operated) -> Run<()> {
        let Operated {
            operator,
            left,
            right,
        } = one;
        let mut arguments = vec![left, right, Value::str(operator.method())];
        let helper = match operator {
            Operator::Binary(op, in_place) => {
                arguments.extend([Value::str(op.symbol()), Value::Bool(in_place)]);
                "_binary"
            }
            Operator::Compare(op) => {
                arguments.push(Value::str(op.symbol()));
                "_compare"
            }
        };
        arguments.push(Value::Bool(true));
        let helper = self.prelude_value(helper)?;
        self.call(helper, arguments, Vec::new(), After::Push)
    }
}
