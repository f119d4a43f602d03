//! Methods of texts, lists, dicts and sets that are called during plain execution: the receiver and
//! the arguments decide, and nothing is looked up first.
//!
//! This module only decides when that applies. The methods themselves are where they are for all
//! calls. Calls that may be refused, raise or be asked are left to the general path.

use std::sync::Arc;

use crate::fold::{Folded, str_methods};
use crate::machine::Machine;
use crate::value::{DictKind, Heap, Object, ObjectId, Value};

/// Maximum bytes of a text that is joined here.
const MOST_JOINED: usize = 1 << 20;

/// Whether a value of a builtin type has a method by this name, and nothing else.
pub(super) fn has_plain_method(heap: &Heap, value: &Value, name: &str) -> bool {
    match value {
        Value::Str(_) => {
            is_of_text(name, 0) || is_of_text(name, 1) || matches!(name, "replace" | "format")
        }
        Value::Object(id) => match heap.get(*id) {
            Object::List(_) => matches!(
                name,
                "append"
                    | "clear"
                    | "copy"
                    | "count"
                    | "extend"
                    | "index"
                    | "insert"
                    | "pop"
                    | "remove"
                    | "reverse"
                    | "sort"
            ),
            Object::Dict(_, DictKind::Plain) => matches!(
                name,
                "clear"
                    | "copy"
                    | "get"
                    | "items"
                    | "keys"
                    | "pop"
                    | "setdefault"
                    | "update"
                    | "values"
            ),
            Object::Set(_) => matches!(name, "add" | "discard" | "remove" | "update"),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a method of texts may be called with this many texts and nothing else.
fn is_of_text(name: &str, arguments: usize) -> bool {
    match name {
        "split" | "rsplit" | "strip" | "lstrip" | "rstrip" => arguments < 2,
        "capitalize" | "casefold" | "isalnum" | "isalpha" | "isdecimal" | "isdigit" | "islower"
        | "isnumeric" | "isspace" | "isupper" | "lower" | "splitlines" | "swapcase" | "title"
        | "upper" => arguments == 0,
        "count" | "endswith" | "find" | "index" | "join" | "partition" | "removeprefix"
        | "removesuffix" | "rfind" | "rindex" | "rpartition" | "startswith" => arguments == 1,
        "replace" => arguments == 2,
        _ => false,
    }
}

/// Whether a value is a key that does not define its own equality.
fn is_plain_key(value: &Value) -> bool {
    matches!(value, Value::Str(_) | Value::Int(_))
}

impl Machine {
    /// Calls a method of a builtin value with arguments. `None` if nothing was done.
    pub(super) fn method_quickly(
        &mut self,
        receiver: &Value,
        name: &Arc<str>,
        arguments: &[Value],
    ) -> Option<Value> {
        if !self.settings.fold.methods() {
            return None;
        }
        match receiver {
            Value::Str(text) => self.text_method_quickly(text, name, arguments),
            Value::Object(id) => self.container_method_quickly(*id, name, arguments),
            _ => None,
        }
    }

    fn text_method_quickly(
        &mut self,
        text: &str,
        name: &str,
        arguments: &[Value],
    ) -> Option<Value> {
        if !is_of_text(name, arguments.len()) {
            return None;
        }
        if let ("join", [parts]) = (name, arguments) {
            return self.join_quickly(text, parts);
        }
        if !arguments.iter().all(|value| matches!(value, Value::Str(_))) {
            return None;
        }
        let Folded::Value(value) =
            str_methods::method(&mut self.heap, text, name, (arguments, &[]))
        else {
            return None;
        };
        self.charge(text.len());
        let value = self.settle(Folded::Value(value)).ok()??;
        self.count_bytes(&value);
        Some(value)
    }

    fn join_quickly(&mut self, separator: &str, parts: &Value) -> Option<Value> {
        let items = match self.heap.object(parts)? {
            Object::List(items) => &items[..],
            Object::Tuple(items) => items,
            _ => return None,
        };
        let mut length = separator.len().saturating_mul(items.len());
        for item in items {
            let Value::Str(item) = item else {
                return None;
            };
            length = length.saturating_add(item.len());
        }
        if length > MOST_JOINED {
            return None;
        }
        let value = self.fold_join(separator, parts).ok()??;
        self.count_bytes(&value);
        Some(value)
    }

    fn container_method_quickly(
        &mut self,
        id: ObjectId,
        name: &str,
        arguments: &[Value],
    ) -> Option<Value> {
        let value = match (self.heap.get(id), name, arguments) {
            (Object::Dict(_, DictKind::Plain), _, []) => return self.dict_view(id, name),
            (Object::Dict(_, DictKind::Plain), "get" | "setdefault", [key] | [key, _])
            | (Object::Dict(_, DictKind::Plain), "pop", [key, _])
                if is_plain_key(key) =>
            {
                self.dict_method(id, name, arguments, &Vec::new())
            }
            (Object::List(items), "pop", []) if !items.is_empty() => {
                self.sequence_method(id, name, arguments)
            }
            (Object::List(_), "append", [_])
            | (Object::List(_), "clear" | "copy" | "reverse", [])
            | (Object::List(_), "insert", [Value::Int(_), _]) => {
                self.sequence_method(id, name, arguments)
            }
            (Object::List(_), "extend", [Value::Object(of)])
                if matches!(self.heap.get(*of), Object::List(_) | Object::Tuple(_)) =>
            {
                self.sequence_method(id, name, arguments)
            }
            (Object::Set(_), "add" | "discard", [item]) if is_plain_key(item) => {
                self.set_method(&Value::Object(id), name, arguments)
            }
            _ => return None,
        };
        let value = value.ok()??;
        self.count_folded();
        self.dict_changed(id);
        self.count_bytes(&value);
        Some(value)
    }
}
