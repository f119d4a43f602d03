//! Values and the heap. Names refer to objects, so that two names for one list see the same
//! changes.

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

/// Class of an [`Object::Opaque`] that represents an unknown module.
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
    /// An integer of at most 64 bits.
    Int(i64),
    /// An integer that does not fit into 64 bits.
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

/// The equality key of a dict's key or a set's element: `1`, `1.0` and `True` have the same one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// `NotImplemented`
    NotImplemented,
    /// Integers, bools and floats with an integral value, of at most 64 bits.
    Int(i64),
    /// The same, beyond 64 bits.
    BigInt(Arc<BigInt>),
    /// Other floats, by their bits. A NaN is keyed by its bits (CPython compares by identity).
    Float(u64),
    /// Complex numbers that equal no float, by their bits.
    Complex(u64, u64),
    /// Text.
    Str(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A tuple of keys.
    Tuple(Arc<[Key]>),
    /// A frozenset: its keys, sorted by their debug text.
    Frozenset(Arc<[Key]>),
    /// A range: its length, start and step, as far as equality depends on them.
    Range(Arc<[Key]>),
    /// An object that is equal only to itself.
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

/// A text for looking up a key without allocating one.
#[derive(Debug, Hash)]
pub(crate) struct NameKey<'t>(pub(crate) &'t str);

impl Equivalent<Key> for NameKey<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        matches!(key, Key::Str(text) if **text == *self.0)
    }
}

/// Entries in insertion order: key, then the key object and the value.
pub type Entries = IndexMap<Key, (Value, Value), RandomState>;

/// Elements in insertion order.
pub type Elements = IndexMap<Key, Value, RandomState>;

/// Attributes in insertion order.
pub type Attributes = IndexMap<Arc<str>, Value, RandomState>;

/// The kind of a dict.
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

/// A Python function with its closure.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its code.
    pub code: Arc<Code>,
    /// The dict object of its module's globals.
    pub globals: ObjectId,
    /// Defaults of the last positional parameters.
    pub defaults: Vec<Value>,
    /// Defaults of keyword-only parameters.
    pub kw_defaults: Vec<(Arc<str>, Value)>,
    /// Cells of its free variables, in the order of `free_vars`.
    pub closure: Vec<ObjectId>,
    /// Attributes set by the program, and `__name__`, `__doc__` and others if they were changed.
    pub attributes: Attributes,
    /// Whether it belongs to the runtime and not to the program. Its frames are not traced.
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
    /// Number of attributes that its body bound.
    pub of_body: usize,
    /// Dotted name of a builtin class (`int`, `ValueError`, `collections.deque`).
    pub builtin: Option<Arc<str>>,
    /// Names in `__slots__`. `None` if it has none.
    pub slots: Option<Vec<Arc<str>>>,
    /// Its metaclass. `None` for `type`.
    pub metaclass: Option<ObjectId>,
    /// Whether it has a base from `typing`, such as `Generic[T]`, that is not a class here.
    pub is_generic: bool,
    /// Whether `ABC` is in its MRO only because its metaclass, or a base's, is `ABCMeta`. Programs
    /// do not see it there.
    pub hides_abc: bool,
    /// Module of the library whose file contains its body. `None` if it is the program's or
    /// builtin.
    pub library: Option<&'static str>,
}

/// An iterator that the machine steps itself. Positions are live: the list may grow during
/// iteration.
#[derive(Debug, Clone, PartialEq)]
pub enum Iterator {
    /// Over a list, tuple or range (anything with a live sequence), forwards.
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
    /// Over the characters of a string.
    Text {
        /// The string.
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
    /// Over a dict: keys, values or pairs. `RuntimeError` if its size changes.
    Dict {
        /// The dict.
        of: ObjectId,
        /// Which of them it yields.
        view: View,
        /// Next index.
        next: usize,
        /// Size at the start.
        size: usize,
        /// The key that it yielded last.
        last: Option<Key>,
    },
    /// Over a deque, forwards. `RuntimeError` if its size changes.
    Deque {
        /// The deque.
        of: ObjectId,
        /// Next index.
        next: usize,
        /// Size at the start.
        size: usize,
    },
    /// Over the table of a set, which may change during iteration. `RuntimeError` if its size
    /// changes.
    Set {
        /// The set.
        of: ObjectId,
        /// Next slot of the table.
        next: usize,
        /// Size at the start.
        size: usize,
    },
    /// Over the lines of standard input.
    Lines {
        /// Whether it yields bytes.
        bytes: bool,
    },
    /// Over values that were collected beforehand (a set, an oracle's answer), in their order.
    Items {
        /// The values.
        of: Arc<[Value]>,
        /// Next index.
        next: usize,
        /// Name of its type, such as `set_iterator`.
        kind: &'static str,
        /// The set that the values are from, and its size at the start: `RuntimeError` if that
        /// changes.
        set: Option<(ObjectId, usize)>,
    },
    /// Exhausted.
    Done {
        /// Name of its type, such as `list_iterator`.
        kind: &'static str,
    },
}

/// The kind of a dict view.
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
    /// `dict` and its subclasses in `collections`.
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
    /// A function of the program or of the runtime.
    Function(Arc<Function>),
    /// A class.
    Class(Box<Class>),
    /// An instance of a class that no other variant represents, exceptions included.
    Instance {
        /// Its class.
        class: ObjectId,
        /// Its attributes, in order. An exception's `args` tuple is stored under `args`.
        attributes: Attributes,
        /// The value of an instance of a builtin type's subclass: for `class Stack(list)`, the
        /// list.
        base: Option<Value>,
    },
    /// A bound method.
    Method {
        /// The function.
        function: Value,
        /// `self`
        receiver: Value,
    },
    /// A builtin function or a module's function, by its dotted name: `len`, `math.sqrt`,
    /// `str.join`.
    Builtin(Arc<str>),
    /// A function that only files of the library call.
    Intrinsic(u16, &'static str),
    /// A bound method of a builtin value: `xs.append`.
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
        /// What it shows: keys, values or items.
        view: View,
    },
    /// An iterator stepped by the machine.
    Iterator(Iterator),
    /// A generator. The machine keeps its frame.
    Generator {
        /// The number of its frame.
        frame: u32,
        /// Name of its type: `generator`, or that of a runtime iterator, such as `map`.
        kind: &'static str,
    },
    /// `property`, `staticmethod`, `classmethod`, `super` and other objects with a fixed set of
    /// parts.
    Special {
        /// Which: `property`, `staticmethod`, `classmethod`, `super`.
        kind: &'static str,
        /// Its parts, by position.
        parts: Vec<Value>,
    },
    /// An object that only an oracle knows, as an expression that makes an equal one.
    Opaque {
        /// Name of its class, such as `Fraction`.
        class: Arc<str>,
        /// The expression, such as `fractions.Fraction(1, 2)`.
        text: Arc<str>,
    },
}

impl Object {
    /// Returns the number of items of a container.
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

    /// Returns its size in bytes, without the strings in it.
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

    /// Returns the bytes of the strings and large numbers in it, and its number of values.
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

/// Bytes of a dict's entry with its slot in the table, of a set's element, and of a named
/// attribute.
const ENTRY_BYTES: usize = size_of::<(Key, (Value, Value))>() + 24;
const ELEMENT_BYTES: usize = size_of::<(Key, Value)>() + 24;
const NAMED_BYTES: usize = size_of::<(Arc<str>, Value)>() + 24;

/// Returns the bytes of the strings and large numbers among values.
pub(crate) fn bytes_of_values<'v>(values: impl std::iter::Iterator<Item = &'v Value>) -> usize {
    values.map(Value::share).sum()
}

/// All objects of a program.
#[derive(Debug, Clone, Default)]
pub struct Heap {
    objects: objects::Objects,
    /// Bytes of all objects when they were created.
    made: usize,
    /// Hashes that the program's objects returned when they became keys.
    pub(crate) hashed: std::collections::HashMap<ObjectId, i64>,
    /// Tables of sets that were built by more than insertions.
    pub(crate) tables: std::collections::HashMap<ObjectId, SetTable>,
    /// Names of the modules of the program's project.
    pub(crate) own_modules: std::collections::HashSet<Arc<str>>,
    /// The ones among them that a trace treats as library modules: their classes are shown without
    /// a module.
    pub(crate) hidden_modules: std::collections::HashSet<Arc<str>>,
    /// The properties of stand-ins.
    pub(crate) stand_ins: std::collections::HashMap<ObjectId, crate::stand_in::StandIn>,
}

impl Class {
    /// Whether it is a class of the program, in any of its modules, or represents one.
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
    /// Creates an empty heap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the items of a list.
    pub(crate) fn list_items(&self, value: &Value) -> Option<Vec<Value>> {
        match self.object(value) {
            Some(Object::List(items)) => Some(items.clone()),
            _ => None,
        }
    }

    /// Returns the number of objects created so far.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether no object was created.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Returns the bytes of all objects when they were created or replaced.
    pub(crate) fn made(&self) -> usize {
        self.made
    }

    /// Returns the bytes of all objects now, and the number of objects and values. A string shared
    /// by several objects counts once.
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

    /// Replaces an object.
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

    /// Stores the hash table of a set. It counts as three more values per element.
    pub(crate) fn keep_table(&mut self, id: ObjectId, table: SetTable) {
        self.made += 3 * size_of::<Value>() * self.get(id).items();
        self.tables.insert(id, table);
    }

    /// Adds an object and returns a reference to it.
    pub fn make(&mut self, object: Object) -> Value {
        Value::Object(self.add(object))
    }

    /// Returns the object with an id.
    pub fn get(&self, id: ObjectId) -> &Object {
        self.objects.get(id.0)
    }

    /// Returns the object with an id, mutably.
    pub fn get_mut(&mut self, id: ObjectId) -> &mut Object {
        self.objects.get_mut(id.0)
    }

    /// Begins a new moment, so that later changes can be told from earlier ones.
    pub(crate) fn move_on(&mut self) -> u32 {
        self.objects.move_on()
    }

    /// Whether an object was created, or may have been changed, at a moment or later.
    pub(crate) fn is_changed_since(&self, id: ObjectId, moment: u32) -> bool {
        self.objects.is_changed_since(id.0, moment)
    }

    /// Returns the object that a value refers to.
    pub fn object(&self, value: &Value) -> Option<&Object> {
        match value {
            Value::Object(id) => Some(self.get(*id)),
            _ => None,
        }
    }

    /// Creates a list.
    pub fn list(&mut self, items: Vec<Value>) -> Value {
        self.make(Object::List(items))
    }

    /// Creates a tuple.
    pub fn tuple(&mut self, items: Vec<Value>) -> Value {
        self.make(Object::Tuple(items.into()))
    }

    /// Collects keys and values into the elements of a set.
    pub fn elements(items: impl IntoIterator<Item = (Key, Value)>) -> Elements {
        items.into_iter().collect()
    }
}

/// A set of names for which only the insertion order matters.
pub type Names = IndexSet<Arc<str>>;

impl Value {
    /// Creates a string value.
    pub fn str(text: &str) -> Self {
        Self::Str(text.into())
    }

    /// Creates an integer in its smallest form.
    pub fn int(value: BigInt) -> Self {
        use num_traits::ToPrimitive as _;
        value
            .to_i64()
            .map_or_else(|| Self::BigInt(Arc::new(value)), Self::Int)
    }

    /// Returns the bytes of a string, of bytes, or of an integer beyond 64 bits.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Str(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::BigInt(number) => usize::try_from(number.bits() / 8).unwrap_or(usize::MAX),
            _ => 0,
        }
    }

    /// Returns its share of these bytes if others hold the same string.
    fn share(&self) -> usize {
        let owners = match self {
            Self::Str(text) => Arc::strong_count(text),
            Self::Bytes(bytes) => Arc::strong_count(bytes),
            Self::BigInt(number) => Arc::strong_count(number),
            _ => return 0,
        };
        self.bytes().div_ceil(owners)
    }

    /// Returns the id of the object that it refers to.
    pub fn id(&self) -> Option<ObjectId> {
        match self {
            Self::Object(id) => Some(*id),
            _ => None,
        }
    }
}

impl Heap {
    /// Returns the number of entries of a dict.
    pub fn dict_len(&self, id: ObjectId) -> usize {
        match self.get(id) {
            Object::Dict(entries, _) => entries.len(),
            _ => 0,
        }
    }
}
