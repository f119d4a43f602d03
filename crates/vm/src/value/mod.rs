//! Values and the heap: names refer to objects, so that two names of one list see the same change.

pub mod hash_table;
mod objects;
pub(crate) mod set_table;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::{Equivalent, IndexMap, IndexSet};
use num_bigint::BigInt;

use crate::code::Code;
use set_table::SetTable;

/// Class of an [`Object::Opaque`] that stands for a module of which nothing is known.
pub(crate) const UNKNOWN_MODULE: &str = "codexec.unknown.module";

/// Index of an object in the [`Heap`]. Never reused: identity is equality of ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// A value: a scalar, or a reference to an object.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// An integer that fits.
    Int(i64),
    /// An integer that does not fit 64 bits.
    BigInt(Arc<BigInt>),
    /// A float.
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
    /// Text (without lone surrogates).
    Str(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// `...`
    Ellipsis,
    /// `NotImplemented`
    NotImplemented,
    /// Everything else.
    Object(ObjectId),
}

/// What a key of a dict or an element of a set is equal by: `1`, `1.0` and `True` are one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// `NotImplemented`
    NotImplemented,
    /// Integers, bools and floats with an integral value, that fit.
    Int(i64),
    /// The same, beyond 64 bits.
    BigInt(Arc<BigInt>),
    /// Other floats, by their bits. A NaN has the key of its bits (CPython goes by identity).
    Float(u64),
    /// Complex numbers that are no float, by their bits.
    Complex(u64, u64),
    /// Text.
    Str(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A tuple of keys.
    Tuple(Arc<[Key]>),
    /// A frozenset: its keys, sorted by their debug text.
    Frozenset(Arc<[Key]>),
    /// A range: its length, start and step, as far as they count.
    Range(Arc<[Key]>),
    /// An object that is equal to itself alone.
    Identity(ObjectId),
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Str(text) => return NameKey(text).hash(state),
            Self::Int(value) => return state.write_i64(*value),
            _ => std::mem::discriminant(self).hash(state),
        }
        match self {
            Self::BigInt(value) => value.hash(state),
            Self::Float(bits) => bits.hash(state),
            Self::Complex(real, imag) => (real, imag).hash(state),
            Self::Bytes(bytes) => bytes.hash(state),
            Self::Tuple(keys) | Self::Frozenset(keys) | Self::Range(keys) => keys.hash(state),
            Self::Identity(id) => id.hash(state),
            Self::None | Self::Ellipsis | Self::NotImplemented | Self::Int(_) | Self::Str(_) => {}
        }
    }
}

/// A text that is looked up as a key, which is not made for it.
#[derive(Debug, Hash)]
pub(crate) struct NameKey<'t>(pub(crate) &'t str);

impl Equivalent<Key> for NameKey<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        matches!(key, Key::Str(text) if **text == *self.0)
    }
}

/// Entries in order of insertion: key, then the key object and the value.
pub type Entries = IndexMap<Key, (Value, Value), RandomState>;

/// Elements in order of insertion.
pub type Elements = IndexMap<Key, Value, RandomState>;

/// Attributes in order of insertion.
pub type Attributes = IndexMap<Arc<str>, Value, RandomState>;

/// Which kind of dict.
#[derive(Debug, Clone, PartialEq)]
pub enum DictKind {
    /// `dict`
    Plain,
    /// `collections.defaultdict` with its factory.
    Default(Value),
    /// `collections.Counter`
    Counter,
    /// `collections.OrderedDict`
    Ordered,
}

/// A Python function with what it closes over.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its code.
    pub code: Arc<Code>,
    /// Dict object of its module's globals.
    pub globals: ObjectId,
    /// Defaults of the last positional parameters.
    pub defaults: Vec<Value>,
    /// Defaults of keyword-only parameters.
    pub kw_defaults: Vec<(Arc<str>, Value)>,
    /// Cells of its free variables, in the order of `free_vars`.
    pub closure: Vec<ObjectId>,
    /// Attributes that the program set, `__name__`, `__doc__` and others included where they differ.
    pub attributes: Attributes,
    /// Part of the runtime, not of the program: its frames are not traced.
    pub hidden: bool,
}

/// A class of the program, of the runtime, or a builtin one.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// `__name__`
    pub name: Arc<str>,
    /// Method resolution order, itself first, `object` last.
    pub mro: Vec<ObjectId>,
    /// Its namespace, in order.
    pub attributes: Attributes,
    /// How many of them its body bound.
    pub of_body: usize,
    /// Builtin classes (`int`, `ValueError`, `collections.deque`) have a dotted name here.
    pub builtin: Option<Arc<str>>,
    /// Names of `__slots__`, when it has them.
    pub slots: Option<Vec<Arc<str>>>,
    /// Class of the class, when it is not `type`.
    pub metaclass: Option<ObjectId>,
    /// Has a base of `typing`, as `Generic[T]`, that is no class here.
    pub is_generic: bool,
    /// `ABC` is in its order for `ABCMeta` alone, which is a metaclass of it or of a base: programs do not see it there.
    pub hides_abc: bool,
    /// Module of the library whose file has its body; `None` if it is a program's or builtin.
    pub library: Option<&'static str>,
}

/// An iterator that the machine steps itself. Positions are live: a list may grow meanwhile.
#[derive(Debug, Clone, PartialEq)]
pub enum Iterator {
    /// Over a list, tuple or range (whatever has a live sequence), forwards.
    Sequence {
        /// The sequence.
        of: ObjectId,
        /// Next index.
        next: usize,
    },
    /// Over a list, tuple or range, backwards.
    Reversed {
        /// The sequence.
        of: ObjectId,
        /// Next index plus one; 0 at the end.
        next: usize,
    },
    /// Over the characters of a text.
    Text {
        /// The text.
        of: Arc<str>,
        /// Byte offset of the next character.
        next: usize,
    },
    /// Over bytes.
    Bytes {
        /// The bytes.
        of: Arc<[u8]>,
        /// Next index.
        next: usize,
    },
    /// Over a dict: keys, values or pairs. `RuntimeError` when its size changes.
    Dict {
        /// The dict.
        of: ObjectId,
        /// What it gives.
        view: View,
        /// Next index.
        next: usize,
        /// Size at the beginning.
        size: usize,
        /// The key that it gave last.
        last: Option<Key>,
    },
    /// Over a deque, forwards. `RuntimeError` when its size changes.
    Deque {
        /// The deque.
        of: ObjectId,
        /// Next index.
        next: usize,
        /// Size at the beginning.
        size: usize,
    },
    /// Over the table of a set, which may change meanwhile. `RuntimeError` when its size does.
    Set {
        /// The set.
        of: ObjectId,
        /// Next slot of the table.
        next: usize,
        /// Size at the beginning.
        size: usize,
    },
    /// Over the lines of standard input.
    Lines {
        /// As bytes.
        bytes: bool,
    },
    /// Over values that were taken beforehand (a set, the answer of an oracle), in their order.
    Items {
        /// The values.
        of: Arc<[Value]>,
        /// Next index.
        next: usize,
        /// Name of its type, as `set_iterator`.
        kind: &'static str,
        /// The set that they are of, and its size at the beginning: `RuntimeError` when that changes.
        set: Option<(ObjectId, usize)>,
    },
    /// Spent: gives nothing any more.
    Done {
        /// Name of its type, as `list_iterator`.
        kind: &'static str,
    },
}

/// What a view of a dict shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// `keys()`
    Keys,
    /// `values()`
    Values,
    /// `items()`
    Items,
}

/// An object.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    /// `list`
    List(Vec<Value>),
    /// `tuple`
    Tuple(Arc<[Value]>),
    /// `dict` and its kin
    Dict(Entries, DictKind),
    /// `set`
    Set(Elements),
    /// `frozenset`
    Frozenset(Elements),
    /// `collections.deque` with its `maxlen`
    Deque(std::collections::VecDeque<Value>, Option<usize>),
    /// `bytearray`
    Bytearray(Vec<u8>),
    /// `range`: start, stop, step
    Range(Value, Value, Value),
    /// `slice`: start, stop, step
    Slice(Value, Value, Value),
    /// A cell of a closure.
    Cell(Option<Value>),
    /// A function of the program or the runtime.
    Function(Arc<Function>),
    /// A class.
    Class(Box<Class>),
    /// An instance of a class that is not represented by another variant, exceptions included.
    Instance {
        /// Its class.
        class: ObjectId,
        /// Its attributes, in order. An exception's `args` tuple stands under `args`.
        attributes: Attributes,
        /// Value of a subclass of a builtin type (`class Stack(list)`): the list.
        base: Option<Value>,
    },
    /// A function with its first argument.
    Method {
        /// The function.
        function: Value,
        /// `self`
        receiver: Value,
    },
    /// A builtin function or one of a module, by its dotted name: `len`, `math.sqrt`, `str.join`.
    Builtin(Arc<str>),
    /// What only files of the library call.
    Intrinsic(u16, &'static str),
    /// A method of a builtin value: `xs.append`.
    BuiltinMethod {
        /// The value.
        receiver: Value,
        /// The method's name.
        name: Arc<str>,
    },
    /// An imported module, by its dotted name.
    Module(Arc<str>),
    /// A view of a dict.
    DictView {
        /// The dict.
        of: ObjectId,
        /// What it shows.
        view: View,
    },
    /// An iterator that the machine steps.
    Iterator(Iterator),
    /// A generator; its frame is kept by the machine.
    Generator {
        /// Number of its frame.
        frame: u32,
        /// Name of its type: `generator`, or that of an iterator of the runtime, as `map`.
        kind: &'static str,
    },
    /// `property`, `staticmethod`, `classmethod`, `super` and other objects with a fixed set of parts.
    Special {
        /// Which: `property`, `staticmethod`, `classmethod`, `super`.
        kind: &'static str,
        /// Its parts, by position.
        parts: Vec<Value>,
    },
    /// An object that only an oracle knows: an expression that makes an equal one.
    Opaque {
        /// Name of its class, as `Fraction`.
        class: Arc<str>,
        /// Expression, as `fractions.Fraction(1, 2)`.
        text: Arc<str>,
    },
}

impl Object {
    /// Items of a container.
    pub(crate) fn items(&self) -> usize {
        match self {
            Self::List(items) => items.len(),
            Self::Tuple(items) => items.len(),
            Self::Deque(items, _) => items.len(),
            Self::Dict(entries, _) => entries.len(),
            Self::Set(elements) | Self::Frozenset(elements) => elements.len(),
            Self::Bytearray(bytes) => bytes.len(),
            _ => 0,
        }
    }

    /// Bytes that it fills, without the strings in it.
    fn size(&self) -> usize {
        let parts = match self {
            Self::List(items) => items.capacity() * size_of::<Value>(),
            Self::Tuple(items) => size_of_val(&**items) / Arc::strong_count(items),
            Self::Deque(items, _) => items.capacity() * size_of::<Value>(),
            Self::Dict(entries, _) => entries.capacity() * ENTRY_BYTES,
            Self::Set(elements) | Self::Frozenset(elements) => elements.capacity() * ELEMENT_BYTES,
            Self::Bytearray(bytes) => bytes.capacity(),
            Self::Function(function) => size_of::<Function>() + function.closure.len() * 4,
            Self::Class(class) => size_of::<Class>() + class.attributes.capacity() * NAMED_BYTES,
            Self::Instance { attributes, .. } => attributes.capacity() * NAMED_BYTES,
            Self::Special { parts, .. } => parts.capacity() * size_of::<Value>(),
            Self::Opaque { text, .. } => text.len() / Arc::strong_count(text),
            Self::Iterator(Iterator::Items { of, .. }) => size_of_val(&**of),
            _ => 0,
        };
        size_of::<Self>() + parts
    }

    /// Bytes of the strings and large numbers in it, and how many values there are.
    fn held(&self) -> (usize, usize) {
        let of = |values: &mut dyn std::iter::Iterator<Item = &Value>| {
            values.fold((0, 0), |(bytes, count), value| {
                (bytes + value.share(), count + 1)
            })
        };
        match self {
            Self::List(items) => of(&mut items.iter()),
            Self::Tuple(items) => of(&mut items.iter()),
            Self::Deque(items, _) => of(&mut items.iter()),
            Self::Dict(entries, _) => of(&mut entries.values().flat_map(|(k, v)| [k, v])),
            Self::Set(elements) | Self::Frozenset(elements) => of(&mut elements.values()),
            Self::Instance { attributes, .. } => of(&mut attributes.values()),
            Self::Special { parts, .. } => of(&mut parts.iter()),
            Self::Cell(Some(value)) => of(&mut std::iter::once(value)),
            Self::Iterator(Iterator::Items { of: items, .. }) => of(&mut items.iter()),
            _ => (0, 0),
        }
    }
}

/// Bytes of an entry of a dict with its place in the table, of an element of a set, and of a named attribute.
const ENTRY_BYTES: usize = size_of::<(Key, (Value, Value))>() + 24;
const ELEMENT_BYTES: usize = size_of::<(Key, Value)>() + 24;
const NAMED_BYTES: usize = size_of::<(Arc<str>, Value)>() + 24;

/// Bytes of the strings and large numbers among values.
pub(crate) fn bytes_of_values<'v>(values: impl std::iter::Iterator<Item = &'v Value>) -> usize {
    values.map(Value::share).sum()
}

/// All objects of a program.
#[derive(Debug, Clone, Default)]
pub struct Heap {
    objects: objects::Objects,
    /// Bytes of all objects when they were made.
    made: usize,
    /// Hashes that objects of the program gave when they became keys.
    pub(crate) hashed: std::collections::HashMap<ObjectId, i64>,
    /// Tables of sets that did not come about by insertions alone.
    pub(crate) tables: std::collections::HashMap<ObjectId, SetTable>,
    /// Names of the modules of the program's project.
    pub(crate) own_modules: std::collections::HashSet<Arc<str>>,
    /// Those among them that a trace treats as the library: their classes are named alone.
    pub(crate) hidden_modules: std::collections::HashSet<Arc<str>>,
    /// What stand-ins are.
    pub(crate) stand_ins: std::collections::HashMap<ObjectId, crate::stand_in::StandIn>,
}

impl Class {
    /// Whether it is a class of the program, in whatever of its modules, or stands for one.
    pub(crate) fn is_own(&self, heap: &Heap) -> bool {
        self.is_of(|module| heap.own_modules.contains(module))
    }

    /// The same for a class whose attributes a trace shows.
    pub(crate) fn is_shown(&self, heap: &Heap) -> bool {
        let is_shown = |module: &str| !heap.hidden_modules.contains(module);
        self.is_of(|module| heap.own_modules.contains(module) && is_shown(module))
    }

    fn is_of(&self, is_one: impl Fn(&str) -> bool) -> bool {
        self.builtin.is_none()
            && match self.attributes.get("__module__") {
                Some(Value::Str(module)) => &**module == "__main__" || is_one(module),
                Some(_) => false,
                None => true,
            }
    }
}

impl Heap {
    /// An empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// The items of a list.
    pub(crate) fn list_items(&self, value: &Value) -> Option<Vec<Value>> {
        match self.object(value) {
            Some(Object::List(items)) => Some(items.clone()),
            _ => None,
        }
    }

    /// Number of objects made so far.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// True when nothing was made.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Bytes that all objects had when they were made or replaced.
    pub(crate) fn made(&self) -> usize {
        self.made
    }

    /// Bytes that all objects fill now, and how many objects and values there are. A string that several objects have
    /// counts once.
    pub(crate) fn weight(&self) -> (usize, usize) {
        let tables = self
            .tables
            .keys()
            .map(|id| self.get(*id).items())
            .sum::<usize>();
        let objects = self.objects.iter().map(|object| {
            let (bytes, values) = object.held();
            (object.size() + bytes, values + 1)
        });
        objects.fold((tables * 3 * size_of::<Value>(), tables), |all, one| {
            (all.0 + one.0, all.1 + one.1)
        })
    }

    /// Puts an object in the place of another.
    pub fn replace(&mut self, id: ObjectId, object: Object) {
        self.made += object.size();
        self.tables.remove(&id);
        *self.objects.get_mut(id.0) = object;
    }

    /// Adds an object.
    pub fn add(&mut self, object: Object) -> ObjectId {
        self.made += object.size();
        let id = ObjectId(u32::try_from(self.objects.len()).unwrap_or(u32::MAX));
        self.objects.push(object);
        id
    }

    /// Keeps the hash table of a set; it counts as three more values for each element.
    pub(crate) fn keep_table(&mut self, id: ObjectId, table: SetTable) {
        self.made += 3 * size_of::<Value>() * self.get(id).items();
        self.tables.insert(id, table);
    }

    /// Adds an object and refers to it.
    pub fn make(&mut self, object: Object) -> Value {
        Value::Object(self.add(object))
    }

    /// The object of an id.
    pub fn get(&self, id: ObjectId) -> &Object {
        self.objects.get(id.0)
    }

    /// The object of an id, to be changed.
    pub fn get_mut(&mut self, id: ObjectId) -> &mut Object {
        self.objects.get_mut(id.0)
    }

    /// A new moment: what is changed from now on was not before.
    pub(crate) fn move_on(&mut self) -> u32 {
        self.objects.move_on()
    }

    /// Whether an object was made, or may have been changed, at a moment or later.
    pub(crate) fn is_changed_since(&self, id: ObjectId, moment: u32) -> bool {
        self.objects.is_changed_since(id.0, moment)
    }

    /// The object that a value refers to.
    pub fn object(&self, value: &Value) -> Option<&Object> {
        match value {
            Value::Object(id) => Some(self.get(*id)),
            _ => None,
        }
    }

    /// A new list.
    pub fn list(&mut self, items: Vec<Value>) -> Value {
        self.make(Object::List(items))
    }

    /// A new tuple.
    pub fn tuple(&mut self, items: Vec<Value>) -> Value {
        self.make(Object::Tuple(items.into()))
    }

    /// The elements of a set of keys.
    pub fn elements(items: impl IntoIterator<Item = (Key, Value)>) -> Elements {
        items.into_iter().collect()
    }
}

/// A set of names, used where only the order of insertion counts.
pub type Names = IndexSet<Arc<str>>;

impl Value {
    /// Text as a value.
    pub fn str(text: &str) -> Self {
        Self::Str(text.into())
    }

    /// The smallest form of an integer.
    pub fn int(value: BigInt) -> Self {
        use num_traits::ToPrimitive as _;
        value
            .to_i64()
            .map_or_else(|| Self::BigInt(Arc::new(value)), Self::Int)
    }

    /// Bytes of a string, of bytes, or of an integer beyond 64 bits.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Str(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::BigInt(number) => usize::try_from(number.bits() / 8).unwrap_or(usize::MAX),
            _ => 0,
        }
    }

    /// Its part of these bytes, where others have the same string.
    fn share(&self) -> usize {
        let owners = match self {
            Self::Str(text) => Arc::strong_count(text),
            Self::Bytes(bytes) => Arc::strong_count(bytes),
            Self::BigInt(number) => Arc::strong_count(number),
            _ => return 0,
        };
        self.bytes().div_ceil(owners)
    }

    /// The object that it refers to.
    pub fn id(&self) -> Option<ObjectId> {
        match self {
            Self::Object(id) => Some(*id),
            _ => None,
        }
    }
}

impl Heap {
    /// Number of entries of a dict.
    pub fn dict_len(&self, id: ObjectId) -> usize {
        match self.get(id) {
            Object::Dict(entries, _) => entries.len(),
            _ => 0,
        }
    }
}
