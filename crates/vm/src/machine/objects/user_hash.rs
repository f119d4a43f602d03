//! Keys of dicts and elements of sets whose class defines `__hash__`.
//!
//! The program decides whether such a key is in a container: `__hash__` runs, and then `__eq__` for
//! every stored key with the same hash. An instruction that needs this is interrupted, `_find_key`
//! of the runtime runs, and the instruction is executed again with the key that was found. In a
//! container the key is the identity of the object that was inserted first.

use std::sync::Arc;

use crate::code::Op;
use crate::fold::hash::hash;
use crate::fold::key::{HashError, key};
use crate::machine::{After, Flow, Machine, Run};
use crate::value::{Key, Object, ObjectId, Value};

/// Maximum keys of a container for which an object of the program is also compared with keys that
/// have a plain hash.
const MOST_PLAIN: usize = 256;

/// The state needed to execute an instruction again.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnKeys {
    /// Whether a class of the program defines `__hash__`.
    pub(in crate::machine) wanted: bool,
    /// The stack and the names of keyword arguments before the instruction.
    before: (Vec<Option<Value>>, Vec<Arc<str>>),
    /// Keys found for the instruction, in the order in which it needs them.
    pub(in crate::machine) found: Vec<Value>,
    /// The number of keys that it has used.
    pub(in crate::machine) taken: usize,
}

/// The keys that an instruction needs to know.
#[derive(Debug)]
pub(crate) enum WantedKeys {
    /// Which of some keys a value equals.
    Of(Value, Vec<Value>),
    /// Which of some keys equal which others.
    Between(Vec<Value>, Vec<Value>, Until),
}

/// The point at which CPython stops looking up the keys of a container in another one.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Until {
    End,
    Found,
    Missing,
}

/// Whether an instruction moves values without looking any up.
pub(in crate::machine) fn wants_no_key(op: Op) -> bool {
    matches!(
        op,
        Op::LoadConst
            | Op::LoadFast
            | Op::LoadName
            | Op::LoadDeref
            | Op::StoreFast
            | Op::StoreName
            | Op::StoreGlobal
            | Op::StoreDeref
            | Op::PopTop
            | Op::ReturnValue
            | Op::PushNull
    )
}

impl Machine {
    /// Saves the state before an instruction of the innermost frame.
    pub(in crate::machine) fn begin_keys(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            self.own_keys.before = (frame.stack.clone(), frame.keywords.clone());
            self.own_keys.found = std::mem::take(&mut frame.found_keys);
            self.own_keys.taken = 0;
        }
    }

    /// Called after the instruction at `at`. If it needs a key, it is executed again.
    pub(in crate::machine) fn end_keys(&mut self, at: usize, done: Run<()>) -> Run<()> {
        if let Err(Flow::Key(_)) = &done
            && let Some(frame) = self.frames.last_mut()
        {
            (frame.stack, frame.keywords) = std::mem::take(&mut self.own_keys.before);
            frame.found_keys = std::mem::take(&mut self.own_keys.found);
            frame.next = at;
        }
        done
    }

    /// Runs `__hash__` of a value, and `__eq__` of the keys among which it is looked up.
    pub(in crate::machine) fn find_keys(&mut self, wanted: WantedKeys) -> Run<()> {
        let (helper, arguments) = match wanted {
            WantedKeys::Of(value, among) => ("_find_key", vec![value, self.heap.list(among)]),
            WantedKeys::Between(keys, among, until) => {
                let (keys, among) = (self.heap.list(keys), self.heap.list(among));
                let until = match until {
                    Until::End => Value::None,
                    Until::Found => Value::Bool(true),
                    Until::Missing => Value::Bool(false),
                };
                ("_find_keys", vec![keys, among, until])
            }
        };
        let helper = self.prelude_value(helper)?;
        self.call(helper, arguments, Vec::new(), After::Key)
    }

    /// Stores a key found by `_find_key`, or a list of pairs found by `_find_keys`.
    pub(in crate::machine) fn key_found(&mut self, value: &Value) -> Run<()> {
        self.top()?.found_keys.push(value.clone());
        Ok(())
    }

    /// Returns the hash of a plain key, if an object of the program has the same one. `__eq__` of
    /// that object decides.
    pub(in crate::machine) fn kept_alike(&self, value: &Value) -> Option<i64> {
        let hashed = &self.heap.hashed;
        if hashed.is_empty() {
            return None;
        }
        let given = hash(&self.heap, value)?;
        hashed.values().any(|kept| *kept == given).then_some(given)
    }

    fn has_parts(&self, value: &Value) -> bool {
        let object = self.heap.object(value);
        matches!(object, Some(Object::Tuple(_) | Object::Frozenset(_)))
    }

    /// Whether a tuple or frozenset has parts whose class defines `__hash__`.
    pub(in crate::machine) fn has_own_parts(&self, value: &Value) -> bool {
        self.has_parts(value) && matches!(key(&self.heap, value), Err(HashError::AskClass(_)))
    }

    /// The same for tuples only, whose parts are hashed each time.
    pub(in crate::machine) fn is_own_tuple(&self, value: &Value) -> bool {
        let is_tuple = matches!(self.heap.object(value), Some(Object::Tuple(_)));
        is_tuple && self.has_own_parts(value)
    }

    /// Returns the key of a value that is looked up among others. `Flow::Key` if the program must
    /// be asked.
    pub(in crate::machine) fn key_among(
        &mut self,
        value: &Value,
        among: impl FnOnce(&Self) -> Vec<Value>,
    ) -> Run<Key> {
        let own = matches!(key(&self.heap, value), Err(HashError::AskClass(_)));
        let own = own && (self.is_instance(value) || self.has_parts(value));
        let alike = self.kept_alike(value).filter(|_| !own);
        if !own && alike.is_none() {
            return self.key(value);
        }
        if let Some(found) = self.own_keys.found.get(self.own_keys.taken).cloned() {
            self.own_keys.taken += 1;
            let is_own =
                |id: &ObjectId| self.is_instance(&found) || self.heap.hashed.contains_key(id);
            return match found.id().filter(is_own) {
                Some(id) => Ok(Key::Identity(id)),
                None => self.key(&found),
            };
        }
        let all = among(self);
        let is_there = |machine: &Self, plain: &Key| {
            let same = |other: &Value| key(&machine.heap, other).is_ok_and(|k| k == *plain);
            all.iter().any(same)
        };
        let mut among = all.clone();
        let kept = |key: &Value| key.id().and_then(|id| self.heap.hashed.get(&id));
        match alike {
            Some(given) => among.retain(|key| kept(key) == Some(&given)),
            None if among.len() <= MOST_PLAIN => {}
            None => among.retain(|key| self.is_instance(key)),
        }
        if alike.is_some() {
            let plain = self.key(value)?;
            if among.is_empty() || is_there(self, &plain) {
                return Ok(plain);
            }
        }
        Err(Flow::Key(Box::new(WantedKeys::Of(value.clone(), among))))
    }

    /// [`Self::key_among`] with the keys of a container.
    pub(in crate::machine) fn key_in(&mut self, container: &Value, value: &Value) -> Run<Key> {
        let among = container.clone();
        let key = self.key_among(value, move |machine| machine.keys_of(&among))?;
        Ok(match key {
            Key::Identity(id) if self.heap.hashed.contains_key(&id) => {
                let named = self.named_key(container, &Value::Object(id));
                named.map_or(Key::Identity(id), |(_, name)| name)
            }
            key => key,
        })
    }

    /// Returns the position of an object among the keys of a container, and its `Key` there: that
    /// of the equal object that was inserted first.
    pub(in crate::machine) fn named_key(
        &self,
        container: &Value,
        wanted: &Value,
    ) -> Option<(usize, Key)> {
        let mut keys = self.keys_of(container).into_iter();
        let position = keys.position(|key| key == *wanted)?;
        let name = match self.heap.object(container)? {
            Object::Dict(entries, _) => entries.get_index(position)?.0,
            Object::Set(elements) | Object::Frozenset(elements) => elements.get_index(position)?.0,
            _ => return None,
        };
        Some((position, name.clone()))
    }

    pub(in crate::machine) fn keys_of(&self, container: &Value) -> Vec<Value> {
        match self.heap.object(container) {
            Some(Object::Dict(entries, _)) => {
                entries.values().map(|(key, _)| key.clone()).collect()
            }
            Some(Object::Set(elements) | Object::Frozenset(elements)) => {
                elements.values().cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a container has keys that only the program can compare.
    pub(in crate::machine) fn has_own_keys(&self, container: &Value) -> bool {
        !self.heap.hashed.is_empty()
            && self.keys_of(container).iter().any(|key| {
                key.id()
                    .is_some_and(|id| self.heap.hashed.contains_key(&id))
            })
    }

    /// Calls a method of a dict or set that looks up one key.
    pub(in crate::machine) fn keyed_method(
        &mut self,
        container: &Value,
        name: &str,
        arguments: &[Value],
    ) -> Run<Option<Option<Value>>> {
        let Some(id) = container.id() else {
            return Ok(None);
        };
        let set = match self.heap.get(id) {
            Object::Set(_) | Object::Frozenset(_) => true,
            Object::Dict(..) => false,
            _ => return Ok(None),
        };
        let own = |value: &Value| matches!(key(&self.heap, value), Err(HashError::AskClass(_)));
        let Some(first) = arguments.first().filter(|first| own(first)).cloned() else {
            let harmless = ["items", "keys", "values", "clear", "copy", "popitem"];
            let pops = set && name == "pop";
            if harmless.contains(&name) || pops {
                return Ok(None);
            }
            match arguments {
                [other] if self.joins(container, other) => {
                    self.join_for_method(container, name, other)?
                }
                _ => self.refuse_own_keys(&[container])?,
            }
            if name == "update"
                && !set
                && let [other] = arguments
                && self.has_own_keys(other)
            {
                self.count_folded();
                self.merge_own(id, other);
                return Ok(Some(Some(Value::None)));
            }
            return Ok(None);
        };
        let known = match set {
            true => ["add", "discard", "remove"].as_slice(),
            false => ["get", "setdefault", "pop"].as_slice(),
        };
        if !known.contains(&name) {
            return Err(Flow::Unsupported(format!(
                "{name} of a key with its own __hash__"
            )));
        }
        let key = self.key_in(container, &first)?;
        let default = arguments.get(1).cloned();
        self.heap.tables.remove(&id);
        self.count_folded();
        let missing = match self.heap.get_mut(id) {
            Object::Set(elements) if name == "add" => {
                elements.entry(key).or_insert(first);
                return Ok(Some(Some(Value::None)));
            }
            Object::Set(elements) => elements.shift_remove(&key).is_none(),
            Object::Dict(entries, _) => {
                let found = match name {
                    "pop" => entries.shift_remove(&key).map(|(_, value)| value),
                    _ => entries.get(&key).map(|(_, value)| value.clone()),
                };
                if let Some(found) = found {
                    return Ok(Some(Some(found)));
                }
                if name == "setdefault" {
                    let value = default.unwrap_or(Value::None);
                    entries.insert(key, (first, value.clone()));
                    return Ok(Some(Some(value)));
                }
                match default {
                    Some(default) => return Ok(Some(Some(default))),
                    None => name == "pop",
                }
            }
            _ => false,
        };
        if missing && name != "discard" {
            return Err(self.raise_with("KeyError", vec![arguments[0].clone()]));
        }
        Ok(Some(Some(Value::None)))
    }

    /// `_remember(key, hash)`: stores the hash of an object of the program as CPython does.
    pub(in crate::machine) fn remember_hash(&mut self, value: &Value, given: &Value) -> Run<Value> {
        let given = match given {
            Value::Bool(flag) => Some(i64::from(*flag)),
            Value::Int(-1) => Some(-2),
            Value::Int(number) => Some(*number),
            Value::BigInt(_) => hash(&self.heap, given),
            _ => None,
        };
        let (Some(id), Some(given)) = (value.id(), given) else {
            return Err(self.raise("TypeError", "__hash__ method should return an integer"));
        };
        self.heap.hashed.insert(id, given);
        Ok(Value::Int(given))
    }

    /// `_remembered(key)`: returns the stored hash. `None` for other objects.
    pub(in crate::machine) fn remembered_hash(&self, value: &Value) -> Value {
        let kept = value.id().and_then(|id| self.heap.hashed.get(&id));
        kept.map_or(Value::None, |hash| Value::Int(*hash))
    }
}
