//! Names and values at one moment. States of a trace share unchanged values.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, DefaultHasher, Hasher, RandomState};
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use triomphe::ThinArc;

use super::Value;

/// Maximum entries of a chunk. A state that changes one name has its own chunk and shares the others.
const CHUNK: usize = 32;
/// Up to this many changes are looked up by walking the state, which is cheaper than an index of
/// its names.
const FEW: usize = 16;

/// A value that states share. It has no weak references, so a step takes 16 bytes less.
type Held = triomphe::Arc<Value>;
/// A name and its value.
type Bound = (Arc<str>, Held);
/// Names in order, which the chunks of many states share.
type Names = ThinArc<(), Arc<str>>;

/// Names that follow one another, and as many values.
#[derive(Debug, Clone)]
struct Chunk(ThinArc<Names, Held>);

impl Chunk {
    /// With the names of `like`, where they are the same.
    fn new(bound: &[Bound], like: Option<&Self>, known: &mut KnownNames) -> Self {
        let like = like.map(|like| &like.0.header.header);
        let same = like.filter(|names| {
            let names = names.slice.iter();
            names.eq(bound.iter().map(|(name, _)| name))
        });
        let names = same.cloned();
        let names = names.unwrap_or_else(|| known.names(bound.iter().map(|(name, _)| name)));
        Self::of(names, bound.iter().map(|(_, value)| value.clone()))
    }

    fn of(names: Names, values: impl ExactSizeIterator<Item = Held>) -> Self {
        Self(ThinArc::from_header_and_iter(names, values))
    }

    fn len(&self) -> usize {
        self.0.slice.len()
    }

    fn names(&self) -> &[Arc<str>] {
        &self.0.header.header.slice
    }

    fn values(&self) -> &[Held] {
        &self.0.slice
    }

    fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Held)> {
        self.names().iter().zip(self.values())
    }

    /// Whether it has these names with these values, one in memory.
    fn is(&self, bound: &[Bound]) -> bool {
        let same = |((name, value), other): ((&Arc<str>, &Held), &Bound)| {
            triomphe::Arc::ptr_eq(value, &other.1) && *name == other.0
        };
        self.len() == bound.len() && self.iter().zip(bound).all(same)
    }

    fn to_vec(&self) -> Vec<Bound> {
        let bound = self.iter();
        bound
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }
}

/// Lists of names, so that the states of all calls of a function share theirs.
#[derive(Debug, Clone, Default)]
pub struct KnownNames {
    lists: HashMap<u64, Names>,
    hashes: Option<RandomState>,
}

impl KnownNames {
    /// Maximum number of lists kept.
    const MOST: usize = 1024;

    fn names<'n>(&mut self, names: impl ExactSizeIterator<Item = &'n Arc<str>> + Clone) -> Names {
        let hashes = self.hashes.get_or_insert_with(RandomState::new);
        let mut hash: DefaultHasher = hashes.build_hasher();
        for name in names.clone() {
            hash.write(name.as_bytes());
            hash.write_u8(0xff);
        }
        let hash = hash.finish();
        if let Some(known) = self.lists.get(&hash)
            && known.slice.iter().eq(names.clone())
        {
            return known.clone();
        }
        if self.lists.len() >= Self::MOST {
            self.lists.clear();
        }
        let made = Names::from_header_and_iter((), names.cloned());
        self.lists.insert(hash, made.clone());
        made
    }
}

/// Chunks in order. Most states have one, which needs no list.
#[derive(Debug, Clone)]
enum Chunks {
    One(Chunk),
    Many(ThinArc<(), Chunk>),
}

impl std::ops::Deref for Chunks {
    type Target = [Chunk];

    fn deref(&self) -> &[Chunk] {
        match self {
            Self::One(chunk) => std::slice::from_ref(chunk),
            Self::Many(chunks) => &chunks.slice,
        }
    }
}

impl From<Vec<Chunk>> for Chunks {
    fn from(mut chunks: Vec<Chunk>) -> Self {
        static EMPTY: LazyLock<ThinArc<(), Chunk>> =
            LazyLock::new(|| ThinArc::from_header_and_iter((), [].into_iter()));
        match (chunks.len(), chunks.pop()) {
            (_, None) => Self::Many(EMPTY.clone()),
            (1, Some(one)) => Self::One(one),
            (_, Some(last)) => {
                chunks.push(last);
                Self::Many(ThinArc::from_header_and_iter((), chunks.into_iter()))
            }
        }
    }
}

/// Names and values in order. Names are unique. A copy shares its values with the original, and so do states of one
/// frame made by [`State::following`], so a trace needs memory only for its changes.
#[derive(Debug, Clone)]
pub struct State {
    /// No chunk is empty.
    chunks: Chunks,
}

impl Default for State {
    fn default() -> Self {
        Self {
            chunks: Vec::new().into(),
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

    /// Binds a name: in place if it exists, else at the end.
    pub fn set(&mut self, name: impl Into<Arc<str>>, value: Value) {
        let name = name.into();
        match self.place(&name) {
            Some(place) => self.put(place, Held::new(value)),
            None => self.push((name, Held::new(value))),
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
            false => chunks[chunk] = Chunk::new(&bound, None, &mut KnownNames::default()),
        }
        self.chunks = chunks.into();
        Some(Held::unwrap_or_clone(value))
    }

    /// A state of names that are unique, in their order.
    ///
    /// # Errors
    /// The first name that comes a second time.
    pub fn of_unique<N: Into<Arc<str>>>(pairs: Vec<(N, Value)>) -> Result<Self, String> {
        let pairs = pairs.into_iter();
        let bound: Vec<Bound> = pairs.map(|(n, v)| (n.into(), Held::new(v))).collect();
        let mut names = HashSet::with_capacity(bound.len());
        let twice = bound.iter().find(|(name, _)| !names.insert(&**name));
        match twice {
            Some((name, _)) => Err(name.to_string()),
            None => Ok(Self::of_bound(bound)),
        }
    }

    /// The next state in its frame. A value with the same text under the same name is shared; `value` converts the
    /// others, which are not the `same`. `known` holds names of other states.
    ///
    /// # Errors
    /// The first name that comes a second time.
    pub fn next<T>(
        &self,
        texts: Vec<(Arc<str>, T)>,
        known: &mut KnownNames,
        same: impl Fn(&Value, &T) -> bool,
        mut value: impl FnMut(&str, T) -> Value,
    ) -> Result<Self, String> {
        if let [old] = &*self.chunks
            && old.names().iter().eq(texts.iter().map(|(name, _)| name))
        {
            return Ok(self.of_same_names(old, texts, same, value));
        }
        let count = texts.len();
        let mut places = self.bound();
        let mut in_place = 0;
        let mut bound: Vec<Bound> = Vec::with_capacity(count);
        let mut index: Option<HashMap<&str, (&Arc<str>, &Held)>> = None;
        for (name, text) in texts {
            let here = if index.is_none() { places.next() } else { None };
            let old = match here {
                Some(old) if *old.0 == name => Some(old),
                _ => {
                    let index = index.get_or_insert_with(|| {
                        self.bound().map(|bound| (&**bound.0, bound)).collect()
                    });
                    index.get(&*name).copied()
                }
            };
            in_place += usize::from(index.is_none());
            bound.push(match old {
                Some((name, old)) if same(old, &text) => (name.clone(), old.clone()),
                Some((name, _)) => (name.clone(), Held::new(value(name, text))),
                None => {
                    let value = value(&name, text);
                    (name, Held::new(value))
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
        let mut is_new = bound.len().div_ceil(CHUNK) != self.chunks.len();
        let chunks = bound.chunks(CHUNK).enumerate().map(|(k, bound)| {
            let old = self.chunks.get(k);
            match old.filter(|old| old.is(bound)) {
                Some(old) => old.clone(),
                None => {
                    is_new = true;
                    Chunk::new(bound, old, known)
                }
            }
        });
        let chunks: Vec<_> = chunks.collect();
        Ok(match is_new {
            true => Self {
                chunks: chunks.into(),
            },
            false => self.clone(),
        })
    }

    /// The next state where the names are those of this one, which has one chunk.
    fn of_same_names<T>(
        &self,
        old: &Chunk,
        texts: Vec<(Arc<str>, T)>,
        same: impl Fn(&Value, &T) -> bool,
        mut value: impl FnMut(&str, T) -> Value,
    ) -> Self {
        let mut is_new = false;
        let values = old.values().iter().zip(texts);
        let values = values.map(|(old, (name, text))| match same(old, &text) {
            true => old.clone(),
            false => {
                is_new = true;
                Held::new(value(&name, text))
            }
        });
        let values: Vec<Held> = values.collect();
        match is_new {
            true => Self {
                chunks: Chunks::One(Chunk::of(old.0.header.header.clone(), values.into_iter())),
            },
            false => self.clone(),
        }
    }

    /// The same state with the values of `before` wherever they are equal, so that both share them.
    #[must_use]
    pub fn following(self, before: &Self) -> Self {
        if self == *before {
            return before.clone();
        }
        let index: HashMap<&str, (&Arc<str>, &Held)> = match before.len() {
            ..=FEW => HashMap::new(),
            _ => before.bound().map(|bound| (&**bound.0, bound)).collect(),
        };
        let find = |name: &str| match index.is_empty() {
            true => before.bound().find(|(n, _)| &***n == name),
            false => index.get(name).copied(),
        };
        let shared = |(name, mine): (&Arc<str>, &Held)| match find(name) {
            Some((name, value)) if value == mine => (name.clone(), value.clone()),
            Some((name, _)) => (name.clone(), mine.clone()),
            None => (name.clone(), mine.clone()),
        };
        let mut known = KnownNames::default();
        let chunks = self.chunks.iter().enumerate().map(|(k, chunk)| {
            let old = before.chunks.get(k);
            match old.filter(|old| old.iter().eq(chunk.iter())) {
                Some(old) => old.clone(),
                None => {
                    let bound: Vec<Bound> = chunk.iter().map(shared).collect();
                    Chunk::new(&bound, old, &mut known)
                }
            }
        });
        let chunks: Vec<_> = chunks.collect();
        Self {
            chunks: chunks.into(),
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
        let kept = self.bound().filter(|(name, _)| !gone.contains(&***name));
        let kept = kept.map(|(name, value)| (name.clone(), value.clone()));
        let mut bound: Vec<Bound> = kept.collect();
        let names = bound.iter().map(|(name, _)| name.clone());
        let mut places: HashMap<Arc<str>, usize> = names.zip(0..).collect();
        for (name, value) in changed {
            let name: Arc<str> = name.into();
            let next = places.len();
            let at = *places.entry(name.clone()).or_insert(next);
            match bound.get_mut(at) {
                Some((_, old)) => *old = Held::new(value),
                None => bound.push((name, Held::new(value))),
            }
        }
        *self = Self::of_bound(bound);
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.bound().map(|(n, v)| (&**n, &**v))
    }

    /// Replaces the values for which `other` has one.
    pub(crate) fn replace(&mut self, other: impl Fn(&Value) -> Option<Value>) {
        let places = self.chunks.iter().enumerate();
        let places = places.flat_map(|(k, chunk)| (0..chunk.len()).map(move |at| (k, at)));
        for place in places.collect::<Vec<_>>() {
            let found = other(&self.chunks[place.0].values()[place.1]);
            if let Some(value) = found {
                self.put(place, Held::new(value));
            }
        }
    }

    /// Whether two states share memory.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (&self.chunks, &other.chunks) {
            (Chunks::One(one), Chunks::One(other)) => are_one(&one.0, &other.0),
            (Chunks::Many(many), Chunks::Many(others)) => are_one(many, others),
            _ => false,
        }
    }

    fn bound(&self) -> impl Iterator<Item = (&Arc<str>, &Held)> {
        self.chunks.iter().flat_map(Chunk::iter)
    }

    fn of_bound(bound: Vec<Bound>) -> Self {
        let mut known = KnownNames::default();
        let chunks = bound.chunks(CHUNK);
        let chunks: Vec<_> = chunks
            .map(|bound| Chunk::new(bound, None, &mut known))
            .collect();
        Self {
            chunks: chunks.into(),
        }
    }

    /// Chunk of a name and its position there.
    fn place(&self, name: &str) -> Option<(usize, usize)> {
        let chunks = self.chunks.iter().enumerate();
        let mut found = chunks.filter_map(|(k, chunk)| {
            let at = chunk.names().iter().position(|n| &**n == name)?;
            Some((k, at))
        });
        found.next()
    }

    fn put(&mut self, (chunk, at): (usize, usize), value: Held) {
        let old = &self.chunks[chunk];
        let mut values = old.values().to_vec();
        values[at] = value;
        let new = Chunk::of(old.0.header.header.clone(), values.into_iter());
        match &mut self.chunks {
            Chunks::One(one) => *one = new,
            Chunks::Many(many) => {
                let mut chunks = many.slice.to_vec();
                chunks[chunk] = new;
                self.chunks = chunks.into();
            }
        }
    }

    fn push(&mut self, bound: Bound) {
        let mut chunks = self.chunks.to_vec();
        let mut known = KnownNames::default();
        match chunks.last_mut().filter(|last| last.len() < CHUNK) {
            Some(last) => {
                let mut longer = last.to_vec();
                longer.push(bound);
                *last = Chunk::new(&longer, None, &mut known);
            }
            None => chunks.push(Chunk::new(&[bound], None, &mut known)),
        }
        self.chunks = chunks.into();
    }
}

/// Whether two slices are one in memory.
fn are_one<H, T>(a: &ThinArc<H, T>, b: &ThinArc<H, T>) -> bool {
    std::ptr::eq(&raw const a.header, &raw const b.header)
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
        a.zip(b).filter(|(a, b)| Held::ptr_eq(a.1, b.1)).count()
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
        assert_eq!(chunks.filter(|(a, b)| !are_one(&a.0, &b.0)).count(), 1);
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
            let known = &mut KnownNames::default();
            let next = before.next(texts(names), known, same, |name, text| {
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
