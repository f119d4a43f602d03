//! Names and values at one moment. States of a trace share what did not change between them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use super::Value;

/// Most entries of a chunk: a state that changes one name has a chunk of its own and shares the others.
const CHUNK: usize = 32;
/// So many changes of a state are looked up by walking it: cheaper than an index of its names.
const FEW: usize = 16;

/// A name and its value.
type Bound = (Arc<str>, Arc<Value>);
/// Names that follow one another.
type Chunk = Arc<[Bound]>;

/// Chunks in order. Most states have one, which needs no list.
#[derive(Debug, Clone)]
enum Chunks {
    One(Chunk),
    Many(Arc<[Chunk]>),
}

impl std::ops::Deref for Chunks {
    type Target = [Chunk];

    fn deref(&self) -> &[Chunk] {
        match self {
            Self::One(chunk) => std::slice::from_ref(chunk),
            Self::Many(chunks) => chunks,
        }
    }
}

impl FromIterator<Chunk> for Chunks {
    fn from_iter<I: IntoIterator<Item = Chunk>>(chunks: I) -> Self {
        static EMPTY: LazyLock<Arc<[Chunk]>> = LazyLock::new(|| Arc::from([]));
        let mut chunks = chunks.into_iter();
        match (chunks.next(), chunks.next()) {
            (None, _) => Self::Many(EMPTY.clone()),
            (Some(one), None) => Self::One(one),
            (Some(one), Some(other)) => {
                Self::Many([one, other].into_iter().chain(chunks).collect())
            }
        }
    }
}

/// Names and values in order. Names are unique. A copy shares its values with the original, as states of one frame do
/// that were made with [`State::following`]: what a trace takes in memory are its changes.
#[derive(Debug, Clone)]
pub struct State {
    /// No chunk is empty.
    chunks: Chunks,
}

impl Default for State {
    fn default() -> Self {
        Self {
            chunks: Chunks::from_iter([]),
        }
    }
}

impl State {
    /// An empty state.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// True when no name is bound.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter().find(|(n, _)| *n == name).map(|(_, v)| v)
    }

    /// Binds a name: in place where it exists, else at the end.
    pub fn set(&mut self, name: impl Into<Arc<str>>, value: Value) {
        let name = name.into();
        match self.place(&name) {
            Some(place) => self.put(place, Arc::new(value)),
            None => self.push((name, Arc::new(value))),
        }
    }

    /// Unbinds a name; the value it had.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let (chunk, at) = self.place(name)?;
        let mut chunks = self.chunks.to_vec();
        let mut bound = chunks[chunk].to_vec();
        let (_, value) = bound.remove(at);
        match bound.is_empty() {
            true => drop(chunks.remove(chunk)),
            false => chunks[chunk] = bound.into(),
        }
        self.chunks = chunks.into_iter().collect();
        Some(Arc::unwrap_or_clone(value))
    }

    /// A state of names that are unique, in their order.
    ///
    /// # Errors
    /// The first name that comes a second time.
    pub fn of_unique<N: Into<Arc<str>>>(pairs: Vec<(N, Value)>) -> Result<Self, String> {
        let pairs = pairs.into_iter();
        let bound: Vec<Bound> = pairs.map(|(n, v)| (n.into(), Arc::new(v))).collect();
        let mut names = HashSet::with_capacity(bound.len());
        let twice = bound.iter().find(|(name, _)| !names.insert(&**name));
        match twice {
            Some((name, _)) => Err(name.to_string()),
            None => Ok(Self::of_bound(bound)),
        }
    }

    /// The state that comes after this one in its frame: what has the same text under the same name is shared, and
    /// `value` makes a value of the others, which are not the `same`.
    ///
    /// # Errors
    /// The first name that comes a second time.
    pub fn next<T>(
        &self,
        texts: Vec<(Arc<str>, T)>,
        same: impl Fn(&Value, &T) -> bool,
        mut value: impl FnMut(&str, T) -> Value,
    ) -> Result<Self, String> {
        let count = texts.len();
        let mut places = self.bound();
        let mut in_place = 0;
        let mut bound: Vec<Bound> = Vec::with_capacity(count);
        let mut index: Option<HashMap<&str, &Bound>> = None;
        for (name, text) in texts {
            let here = if index.is_none() { places.next() } else { None };
            let known = match here {
                Some(old) if old.0 == name => Some(old),
                _ => {
                    let index = index.get_or_insert_with(|| {
                        self.bound().map(|bound| (&*bound.0, bound)).collect()
                    });
                    index.get(&*name).copied()
                }
            };
            in_place += usize::from(index.is_none());
            bound.push(match known {
                Some((name, old)) if same(old, &text) => (name.clone(), old.clone()),
                Some((name, _)) => (name.clone(), Arc::new(value(name, text))),
                None => {
                    let value = value(&name, text);
                    (name, Arc::new(value))
                }
            });
        }
        if in_place < count {
            let mut names = HashSet::with_capacity(count);
            let twice = bound.iter().find(|(name, _)| !names.insert(&**name));
            if let Some((name, _)) = twice {
                return Err(name.to_string());
            }
        }
        let is = |a: &[Bound], b: &[Bound]| {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(a, b)| Arc::ptr_eq(&a.1, &b.1) && a.0 == b.0)
        };
        if count <= CHUNK {
            return Ok(match &*self.chunks {
                [old] if is(&bound, old) => self.clone(),
                [] if bound.is_empty() => self.clone(),
                _ if bound.is_empty() => Self::new(),
                _ => Self {
                    chunks: Chunks::One(bound.into()),
                },
            });
        }
        let chunks = bound.chunks(CHUNK).enumerate().map(|(k, chunk)| {
            let old = self.chunks.get(k).filter(|old| is(chunk, old));
            old.cloned().ok_or(chunk)
        });
        let chunks: Vec<_> = chunks.collect();
        if chunks.len() == self.chunks.len() && chunks.iter().all(Result::is_ok) {
            return Ok(self.clone());
        }
        let chunks = chunks.into_iter();
        let chunks = chunks.map(|chunk| chunk.unwrap_or_else(Arc::from));
        Ok(Self {
            chunks: chunks.collect(),
        })
    }

    /// The same state with the values of `before` wherever they are equal, so that both share them.
    #[must_use]
    pub fn following(self, before: &Self) -> Self {
        if self == *before {
            return before.clone();
        }
        let index: HashMap<&str, &Bound> = match before.len() {
            ..=FEW => HashMap::new(),
            _ => before.bound().map(|bound| (&*bound.0, bound)).collect(),
        };
        let find = |name: &str| match index.is_empty() {
            true => before.bound().find(|(n, _)| &**n == name),
            false => index.get(name).copied(),
        };
        let shared = |mine: &Bound| match find(&mine.0) {
            Some((name, value)) if *value == mine.1 => (name.clone(), value.clone()),
            Some((name, _)) => (name.clone(), mine.1.clone()),
            None => mine.clone(),
        };
        let chunks = self.chunks.iter().enumerate().map(|(k, chunk)| {
            match before.chunks.get(k).filter(|old| *old == chunk) {
                Some(old) => old.clone(),
                None => chunk.iter().map(shared).collect(),
            }
        });
        Self {
            chunks: chunks.collect(),
        }
    }

    /// Unbinds names, then binds others as [`Self::set`] does, in time linear in all of them.
    pub fn apply(&mut self, gone: &[String], changed: Vec<(String, Value)>) {
        if gone.len() + changed.len() <= FEW {
            for name in gone {
                self.remove(name);
            }
            for (name, value) in changed {
                self.set(name, value);
            }
            return;
        }
        let gone: HashSet<&str> = gone.iter().map(String::as_str).collect();
        let kept = self.bound().filter(|(name, _)| !gone.contains(&**name));
        let mut bound: Vec<Bound> = kept.cloned().collect();
        let names = bound.iter().map(|(name, _)| name.clone());
        let mut places: HashMap<Arc<str>, usize> = names.zip(0..).collect();
        for (name, value) in changed {
            let name: Arc<str> = name.into();
            let next = places.len();
            let at = *places.entry(name.clone()).or_insert(next);
            match bound.get_mut(at) {
                Some((_, old)) => *old = Arc::new(value),
                None => bound.push((name, Arc::new(value))),
            }
        }
        *self = Self::of_bound(bound);
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.bound().map(|(n, v)| (&**n, &**v))
    }

    /// Puts other values in the places of those for which `other` has one.
    pub(crate) fn replace(&mut self, other: impl Fn(&Value) -> Option<Value>) {
        let places = self.chunks.iter().enumerate();
        let places = places.flat_map(|(k, chunk)| (0..chunk.len()).map(move |at| (k, at)));
        for place in places.collect::<Vec<_>>() {
            let found = other(&self.chunks[place.0][place.1].1);
            if let Some(value) = found {
                self.put(place, Arc::new(value));
            }
        }
    }

    /// Whether two states are one in memory.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (&self.chunks, &other.chunks) {
            (Chunks::One(one), Chunks::One(other)) => Arc::ptr_eq(one, other),
            (Chunks::Many(many), Chunks::Many(others)) => Arc::ptr_eq(many, others),
            _ => false,
        }
    }

    fn bound(&self) -> impl Iterator<Item = &Bound> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    fn of_bound(bound: Vec<Bound>) -> Self {
        let chunks = bound.chunks(CHUNK).map(Arc::from);
        Self {
            chunks: chunks.collect(),
        }
    }

    /// Chunk and place in it of a name.
    fn place(&self, name: &str) -> Option<(usize, usize)> {
        let chunks = self.chunks.iter().enumerate();
        let mut found = chunks.filter_map(|(k, chunk)| {
            let at = chunk.iter().position(|(n, _)| &**n == name)?;
            Some((k, at))
        });
        found.next()
    }

    fn put(&mut self, (chunk, at): (usize, usize), value: Arc<Value>) {
        let chunk = match &mut self.chunks {
            Chunks::One(one) => one,
            Chunks::Many(many) => &mut Arc::make_mut(many)[chunk],
        };
        Arc::make_mut(chunk)[at].1 = value;
    }

    fn push(&mut self, bound: Bound) {
        let mut chunks = self.chunks.to_vec();
        match chunks.last_mut().filter(|last| last.len() < CHUNK) {
            Some(last) => *last = last.iter().cloned().chain([bound]).collect(),
            None => chunks.push([bound].into()),
        }
        self.chunks = chunks.into_iter().collect();
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.is(other) || self.len() == other.len() && self.bound().eq(other.bound())
    }
}

impl FromIterator<(String, Value)> for State {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(pairs: I) -> Self {
        let mut state = Self::new();
        state.apply(&[], pairs.into_iter().collect());
        state
    }
}

impl Serialize for State {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> serde::de::Visitor<'de> for Pairs {
            type Value = State;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object of names and values")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<State, A::Error> {
                let mut pairs = Vec::<(String, Value)>::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                State::of_unique(pairs).map_err(|name| {
                    serde::de::Error::custom(format!("name `{name}` twice in one state"))
                })
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(count: usize, other: usize) -> State {
        let value = |k: usize| {
            Value::observed(if k == other {
                "-1".to_owned()
            } else {
                k.to_string()
            })
        };
        (0..count).map(|k| (format!("n{k}"), value(k))).collect()
    }

    fn shared(a: &State, b: &State) -> usize {
        let (a, b) = (a.bound(), b.bound());
        a.zip(b).filter(|(a, b)| Arc::ptr_eq(&a.1, &b.1)).count()
    }

    #[test]
    fn what_did_not_change_is_shared() {
        for count in [1, 5, 100] {
            let before = state(count, usize::MAX);
            assert!(state(count, usize::MAX).following(&before).is(&before));
            let after = state(count, count / 2).following(&before);
            assert_eq!(after, state(count, count / 2));
            assert_eq!(shared(&before, &after), count - 1);
        }
        let before = state(100, usize::MAX);
        let mut after = before.clone();
        after.set("n70", Value::observed("0"));
        let chunks = before.chunks.iter().zip(&*after.chunks);
        assert_eq!(chunks.filter(|(a, b)| !Arc::ptr_eq(a, b)).count(), 1);
    }

    #[test]
    fn the_next_state_makes_what_changed() {
        let texts = |names: &[(&str, &str)]| -> Vec<(Arc<str>, String)> {
            let texts = names.iter();
            texts
                .map(|(n, t)| (Arc::from(*n), (*t).to_owned()))
                .collect()
        };
        let mut made = Vec::new();
        let mut after = |before: &State, names: &[(&str, &str)]| {
            made.clear();
            let same = |old: &Value, text: &String| old.text == *text;
            let next = before.next(texts(names), same, |name, text| {
                made.push(name.to_owned());
                Value::observed(text)
            });
            (next, made.join(" "))
        };
        let (first, made) = after(&State::new(), &[("a", "1"), ("b", "2"), ("c", "3")]);
        let first = first.unwrap();
        assert_eq!(made, "a b c");
        let (next, made) = after(&first, &[("a", "1"), ("b", "2"), ("c", "3")]);
        assert!(next.unwrap().is(&first) && made.is_empty());
        let (next, made) = after(&first, &[("a", "1"), ("c", "4"), ("b", "2"), ("d", "0")]);
        let next = next.unwrap();
        assert_eq!(made, "c d");
        assert_eq!(next.iter().map(|(n, _)| n).collect::<String>(), "acbd");
        assert_eq!(shared(&first, &next), 1);
        let (next, made) = after(&first, &[("b", "2")]);
        assert_eq!((next.unwrap().len(), &*made), (1, ""));
        for twice in [&[("a", "1"), ("a", "1")][..], &[("z", "1"), ("z", "1")]] {
            assert!(after(&first, twice).0.is_err());
        }
    }

    #[test]
    fn names_come_and_go_in_order() {
        let mut some = state(70, usize::MAX);
        let names = |state: &State| state.iter().map(|(n, _)| n.to_owned()).collect::<Vec<_>>();
        assert_eq!(some.remove("n3"), Some(Value::observed("3")));
        assert_eq!(some.remove("n3"), None);
        some.set("n3", Value::observed("3"));
        let mut want: Vec<_> = (0..70)
            .filter(|k| *k != 3)
            .map(|k| format!("n{k}"))
            .collect();
        want.push("n3".to_owned());
        assert_eq!(names(&some), want);
        assert_eq!(some.len(), 70);
        // Chunks that are cut otherwise hold the same.
        assert_eq!(
            some,
            State::of_unique(
                some.iter()
                    .map(|(n, v)| (n.to_owned(), v.clone()))
                    .collect()
            )
            .unwrap()
        );
        for name in want {
            some.remove(&name);
        }
        assert!(some.is_empty() && some == State::new());
    }
}
