//! Bytes and bound methods, compared.

use crate::value::{Heap, Object, Value};

/// The bytes of bytes or of a bytearray.
pub(crate) fn bytes_of<'h>(heap: &'h Heap, value: &'h Value) -> Option<&'h [u8]> {
    match (value, heap.object(value)) {
        (Value::Bytes(bytes), _) => Some(bytes),
        (_, Some(Object::Bytearray(bytes))) => Some(bytes),
        _ => None,
    }
}

/// Whether methods have the same function and the same object; builtin functions have a name.
pub(super) fn same_method(heap: &Heap, a: &Value, b: &Value) -> Option<bool> {
    Some(match (heap.object(a)?, heap.object(b)?) {
        (
            Object::Method { function, receiver },
            Object::Method {
                function: other,
                receiver: its,
            },
        ) => function == other && receiver == its,
        (
            Object::BuiltinMethod { receiver, name },
            Object::BuiltinMethod {
                receiver: its,
                name: other,
            },
        ) => {
            if receiver.id().is_none() && its.id().is_none() {
                return None;
            }
            name == other && receiver == its
        }
        (Object::Builtin(name), Object::Builtin(other)) => name == other,
        _ => false,
    })
}
