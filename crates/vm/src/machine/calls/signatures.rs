//! The table of CPython's calls (`types.txt`), which `runs/plan_types.py` writes: how each function
//! counts and names its arguments, and which of their types it refuses, whatever their values are.

use std::collections::HashMap;
use std::sync::OnceLock;

use foldhash::fast::RandomState;

use crate::machine::calls::parameters::Parameters;

/// Types in the table, by their bits.
const KINDS: [&str; 22] = [
    "NoneType",
    "bool",
    "int",
    "float",
    "complex",
    "str",
    "bytes",
    "bytearray",
    "list",
    "tuple",
    "dict",
    "set",
    "frozenset",
    "range",
    "slice",
    "ellipsis",
    "module",
    "function",
    "builtin_function_or_method",
    "type",
    "generator",
    PLAIN,
];

/// Instances of the program's classes without special methods.
pub(in crate::machine) const PLAIN: &str = "P";

/// Returns the bit of a type.
pub(in crate::machine) fn bit(kind: &str) -> u32 {
    let at = KINDS.iter().position(|known| *known == kind);
    at.map_or(0, |at| 1 << at)
}

/// Any type.
const ANY: u32 = u32::MAX;

/// Parses a set of types: `int,str` or `*`.
fn mask(kinds: &str) -> u32 {
    match kinds {
        "*" => ANY,
        _ => kinds.split(',').fold(0, |all, kind| all | bit(kind)),
    }
}

/// The type of an argument as a rule sees it.
#[derive(Clone, Copy)]
pub(in crate::machine) struct Seen {
    /// The bit of its type. 0 if the table does not have it.
    pub bit: u32,
    /// Whether rules for any type apply. They do not if the program's special methods may matter.
    pub is_any: bool,
}

impl Seen {
    fn is_of(self, mask: u32) -> bool {
        self.bit & mask != 0 || mask == ANY && self.is_any
    }
}

/// How a function counts its arguments.
enum Way {
    /// No argument, or exactly one, and no keywords.
    None(&'static str),
    One(&'static str),
    /// By the names of its parameters, as C and Python functions do.
    Clinic(Parameters<'static>),
    Python(usize, Parameters<'static>),
    /// By rows for numbers of arguments.
    Rows,
}

/// A rule that refuses arguments of these types.
struct Rule {
    types: Vec<u32>,
    message: &'static str,
}

/// The facts about one function.
pub(in crate::machine) struct Signature {
    way: Way,
    /// Refused numbers of arguments.
    counts: Vec<(usize, usize, &'static str)>,
    /// Accepted keywords, and the message for others.
    keywords: Option<(Vec<&'static str>, &'static str)>,
    /// Whether arguments are counted before keywords are checked.
    counts_first: bool,
    rules: Vec<Rule>,
    /// Refused types of named arguments.
    named: Vec<(&'static str, u32, &'static str)>,
    /// Special methods, by argument, that make the function treat an object of the program
    /// differently.
    special: Vec<Vec<&'static str>>,
}

/// Returns the signature of a function (`math.sqrt`), a class (`int`) or a method (`list:append`).
pub(in crate::machine) fn signature(name: &str) -> Option<&'static Signature> {
    match name.split_once(':') {
        Some((class, method)) => method_signature(class, method),
        None => method_signature("", name),
    }
}

/// Returns the signature of a method of a class.
pub(in crate::machine) fn method_signature(
    class: &str,
    method: &str,
) -> Option<&'static Signature> {
    table().get(class)?.get(method)
}

/// Signatures by class, empty for a function, and by name.
type Table = HashMap<&'static str, HashMap<&'static str, Signature, RandomState>, RandomState>;

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::default();
        for line in include_str!("../types.txt").lines() {
            let columns: Vec<&'static str> = line.split('\t').collect();
            if let [name, about, what, message] = columns[..] {
                let (class, name) = name.split_once(':').unwrap_or(("", name));
                let of_class = table.entry(class).or_default();
                let signature = of_class.entry(name).or_insert_with(Signature::new);
                signature.add(about, what, message);
            }
        }
        table
    })
}

impl Signature {
    fn new() -> Self {
        Self {
            way: Way::Rows,
            counts: Vec::new(),
            keywords: None,
            counts_first: false,
            rules: Vec::new(),
            named: Vec::new(),
            special: Vec::new(),
        }
    }

    /// Adds a row of the table.
    fn add(&mut self, about: &'static str, what: &'static str, message: &'static str) {
        let names = |text: &'static str| text.split(',').collect::<Vec<_>>();
        match about {
            "none" => self.way = Way::None(what),
            "one" => self.way = Way::One(what),
            "clinic" => self.way = Parameters::parse(what).map_or(Way::Rows, Way::Clinic),
            "python" => {
                let added = message.parse().unwrap_or(0);
                let parsed = Parameters::parse(what);
                self.way = parsed.map_or(Way::Rows, |parameters| Way::Python(added, parameters));
            }
            "kw" | "kw>" => {
                self.keywords = Some((names(what), message));
                self.counts_first = about == "kw>";
            }
            "own" => self.special = what.split(';').map(names).collect(),
            _ if about.starts_with("k=") => self.named.push((&about[2..], mask(what), message)),
            _ if what == "*" && !message.contains("{0}") => {
                let (low, high) = about.split_once('-').unwrap_or((about, about));
                let bound = |text: &str| text.parse().unwrap_or(usize::MAX);
                self.counts.push((bound(low), bound(high), message));
            }
            _ => self.rules.push(Rule {
                types: what.split(';').map(mask).collect(),
                message,
            }),
        }
    }

    /// Returns the message for this many arguments and these keywords. A `self` that a Python
    /// function takes is `bound` already, or is added.
    pub(in crate::machine) fn refused_count(
        &self,
        given: usize,
        keywords: &[&str],
        bound: bool,
    ) -> Option<String> {
        let no_keywords = |name: &str| format!("{name}() takes no keyword arguments");
        match &self.way {
            Way::None(name) | Way::One(name) if !keywords.is_empty() => Some(no_keywords(name)),
            Way::None(name) => {
                (given > 0).then(|| format!("{name}() takes no arguments ({given} given)"))
            }
            Way::One(name) => {
                (given != 1).then(|| format!("{name}() takes exactly one argument ({given} given)"))
            }
            Way::Clinic(parameters) => parameters.refused_by_clinic(given, keywords),
            Way::Python(added, parameters) => {
                let added = if bound { 0 } else { *added };
                parameters.refused_by_python(given + added, keywords)
            }
            Way::Rows => self.refused_by_rows(given, keywords),
        }
    }

    fn refused_by_rows(&self, given: usize, keywords: &[&str]) -> Option<String> {
        let count = || {
            let mut counts = self.counts.iter();
            let (_, _, message) = counts.find(|(low, high, _)| given >= *low && given <= *high)?;
            Some(message.replace("{n}", &given.to_string()))
        };
        let unknown = || {
            let (accepted, message) = self.keywords.as_ref()?;
            let unknown = keywords.iter().find(|name| !accepted.contains(name))?;
            Some(message.replace("{k}", unknown))
        };
        match (self.counts_first, keywords.is_empty()) {
            (_, true) => count(),
            (counts_first, false) => {
                let first = || count().filter(|_| counts_first);
                // A keyword may supply the missing argument.
                let wrong = || first().filter(|message| !message.contains("missing required"));
                let total = self.too_many(given + keywords.len());
                total.or_else(wrong).or_else(|| {
                    let unknown = unknown()?;
                    Some(first().unwrap_or(unknown))
                })
            }
        }
    }

    /// Returns the message for this many arguments in total, of which some may be named.
    fn too_many(&self, given: usize) -> Option<String> {
        let (_, others) = self.keywords.as_ref()?;
        if others.contains("takes no keyword") {
            return None;
        }
        let mut counts = self.counts.iter();
        let is_too_many =
            |row: &&(usize, usize, &str)| given >= row.0 && row.2.contains("takes at most");
        let (_, _, message) = counts.find(is_too_many)?;
        Some(message.replace("{n}", &given.to_string()))
    }

    /// Returns the positions of keyword arguments after this many positional ones. `None` if they
    /// leave a gap.
    pub(in crate::machine) fn places(&self, given: usize, keywords: &[&str]) -> Option<Vec<usize>> {
        let (Way::Clinic(parameters) | Way::Python(_, parameters)) = &self.way else {
            return keywords.is_empty().then(Vec::new);
        };
        let added = match &self.way {
            Way::Python(added, _) => *added,
            _ => 0,
        };
        let places: Option<Vec<usize>> = (keywords.iter())
            .map(|keyword| parameters.place(keyword)?.checked_sub(added))
            .collect();
        let places = places?;
        let is_full = (given..given + places.len()).all(|at| places.contains(&at));
        (is_full && given + places.len() + added <= parameters.positional()).then_some(places)
    }

    /// Returns the special methods that matter for an object of the program as this argument.
    /// `None` if that was not tried: the table covers two arguments.
    pub(in crate::machine) fn special(&self, at: usize) -> Option<&[&'static str]> {
        (at < 2).then(|| self.special.get(at).map_or(&[][..], Vec::as_slice))
    }

    /// Whether the receiver of a method counts as an argument, as it does for Python functions.
    pub(in crate::machine) fn counts_receiver(&self) -> bool {
        matches!(self.way, Way::Python(..))
    }

    /// Whether any rule depends on the types of arguments.
    pub(in crate::machine) fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Returns the message for arguments of these types.
    pub(in crate::machine) fn refused_types(&self, seen: &[Seen]) -> Option<&'static str> {
        let mut rules = self.rules.iter();
        let rule = rules.find(|rule| {
            rule.types.len() == seen.len()
                && (rule.types.iter().zip(seen)).all(|(mask, seen)| seen.is_of(*mask))
        })?;
        Some(rule.message)
    }

    /// Returns the message for a named argument of this type.
    pub(in crate::machine) fn refused_named(&self, name: &str, seen: Seen) -> Option<&'static str> {
        let mut named = self.named.iter();
        let (_, _, message) = named.find(|(of, mask, _)| *of == name && seen.is_of(*mask))?;
        Some(message)
    }
}
