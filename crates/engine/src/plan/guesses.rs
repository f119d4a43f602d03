//! Predictions of guided execution for the missing values of a planned program.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use codexec_data::names::{usual_home, usual_module};
use codexec_data::sandbox::{GuidePlan, GuideWish};
use codexec_data::trace::Program;
use codexec_plan::stand_in::{
    Guess, Guesses, Known, Place, ProgramGuesses, Turn, Used, Wish, Wishes,
};
use codexec_unknown::guide::{GuideOptions, Prepared, prepare};
use codexec_unknown::values::Predictor;
use codexec_unknown::values::predictors::{AsIs, standard};
use ruff_python_stdlib::sys::is_known_standard_library;

/// Minor version of the Python whose modules are known.
const MINOR: u8 = 11;
/// Modules that are hardly ever a function's or a variable's name.
const UNMISTAKABLE: [&str; 8] = [
    "collections",
    "functools",
    "heapq",
    "itertools",
    "math",
    "os",
    "re",
    "sys",
];
/// Names of Python 2 and their successors.
const RENAMED: [(&str, &str); 11] = [
    ("xrange", "range"),
    ("unicode", "str"),
    ("basestring", "str"),
    ("long", "int"),
    ("unichr", "chr"),
    ("izip", "zip"),
    ("imap", "map"),
    ("ifilter", "filter"),
    ("file", "open"),
    ("raw_input", "input"),
    ("reduce", "functools.reduce"),
];
/// Letters of a text that should have this many items.
const MOST_LETTERS: usize = 8;

/// The predictors of `codexec guide`.
#[derive(Debug)]
pub(super) struct Predicted;

impl Guesses for Predicted {
    fn of(&self, source: &str) -> Arc<dyn ProgramGuesses> {
        Arc::new(Said::of(source))
    }
}

/// Who predicts, loaded when a value is missed for the first time.
static PREDICTOR: LazyLock<Box<dyn Predictor>> = LazyLock::new(standard);

/// Predictions for one program. Classes are predicted lazily: most places of a long program are never needed.
struct Said {
    source: String,
    prepared: Option<Prepared>,
    plan: GuidePlan,
    /// Places with their numbers.
    places: HashMap<(u32, &'static str, String), (usize, Place)>,
    wishes: HashMap<u32, Wish>,
    same: HashMap<u32, Wish>,
    predicted: Mutex<HashMap<usize, Option<Guess>>>,
}

impl std::fmt::Debug for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Said").finish_non_exhaustive()
    }
}

impl Said {
    fn of(source: &str) -> Self {
        let prepared = prepare(source).ok();
        let program = Program::default();
        let plan = prepared
            .as_ref()
            .map(|prepared| prepared.plan(source, &program, &AsIs, &GuideOptions::default()));
        let plan = plan.unwrap_or_default();
        let mut places: HashMap<_, (usize, Place)> = HashMap::new();
        for (number, one) in plan.places.iter().enumerate() {
            let place = Place {
                path: one.path.clone(),
                guess: None,
            };
            // The first of several on a line.
            places
                .entry((one.line, one.kind, one.name.clone()))
                .or_insert((number, place));
        }
        let wishes = plan.wanted.iter().map(|one| (one.line, wish(*one)));
        let wishes = wishes.collect();
        let mut same = HashMap::new();
        for one in prepared.iter().flat_map(Prepared::same_wishes) {
            same.entry(one.line).or_insert_with(|| wish(one));
        }
        Self {
            source: source.to_owned(),
            prepared,
            plan,
            places,
            wishes,
            same,
            predicted: Mutex::default(),
        }
    }

    /// The prediction for a place.
    fn predicted(&self, number: usize) -> Option<Guess> {
        let mut known = self
            .predicted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(guess) = known.get(&number) {
            return *guess;
        }
        let prepared = self.prepared.as_ref()?;
        let location = prepared.instrumented.locations.get(number)?;
        let query = prepared.query(&self.source, location);
        let likely = PREDICTOR.predict(&query);
        let guess = likely.first().map(|likely| Guess {
            class: likely.class.as_str(),
            sure: likely.probability,
        });
        known.insert(number, guess);
        guess
    }

    /// Whether the value at a path, possibly after stripping blanks, is parsed as a number.
    fn is_number(&self, path: &str) -> bool {
        let hint = self.plan.values.get(path).map(|value| &value.hint);
        hint.is_some_and(|hint| hint["digits"] == true)
    }
}

fn wish(wish: GuideWish) -> Wish {
    Wish {
        outcome: wish.outcome,
        turn: match wish.turn {
            0 => Turn::Never,
            1 => Turn::Alternates,
            _ => Turn::EndsLoop,
        },
    }
}

impl ProgramGuesses for Said {
    fn known(&self, path: &str) -> Option<Known> {
        let value = self.plan.values.get(path)?;
        let hint = &value.hint;
        let keys = hint["keys"].as_array().into_iter().flatten();
        let keys = keys.filter_map(|key| key.as_str()).map(str::to_owned);
        Some(Known {
            guess: Guess {
                class: value.likely.name,
                sure: value.likely.sure,
            },
            wishes: Wishes {
                number: hint["number"].as_f64(),
                text: hint["text"].as_str().map(str::to_owned),
                count: hint["count"]
                    .as_u64()
                    .and_then(|count| usize::try_from(count).ok()),
                keys: keys.collect(),
                exception: hint["exception"] == true,
            },
            is_given: false,
        })
    }

    fn place(&self, line: u32, used: Used, name: &str) -> Option<Place> {
        let key = (line, used.as_str(), name.to_owned());
        let (number, place) = self.places.get(&key)?;
        Some(Place {
            guess: self.predicted(*number),
            ..place.clone()
        })
    }

    fn wish_of(&self, line: u32, used: Used, name: &str) -> Option<Wish> {
        let key = (line, used.as_str(), name.to_owned());
        let (number, _) = self.places.get(&key)?;
        self.plan.places.get(*number)?.wanted.map(wish)
    }

    fn wish(&self, line: u32) -> Option<Wish> {
        self.wishes.get(&line).copied()
    }

    fn same_wish(&self, line: u32) -> Option<Wish> {
        self.same.get(&line).copied()
    }

    fn text(&self, path: &str, wishes: &Wishes) -> String {
        let (mut count, mut digits, mut is_split) = (1, self.is_number(path), false);
        for stripped in ["", ".strip()", ".rstrip()"] {
            digits |= self.is_number(&format!("{path}{stripped}"));
            let words = format!("{path}{stripped}.split(");
            let parts = self.plan.values.range(words.clone()..);
            for (other, value) in parts.take_while(|(other, _)| other.starts_with(&words)) {
                is_split = true;
                if other.ends_with(')') {
                    let asked = value.hint["count"].as_u64().unwrap_or(1);
                    count = count.max(usize::try_from(asked).unwrap_or(1));
                }
                digits |= other.ends_with(']') && value.hint["digits"] == true;
            }
        }
        let letter = if digits { "1" } else { "a" };
        let separator = self.plan.values.get(path);
        let separator = separator.and_then(|value| value.hint["separator"].as_str());
        match (&wishes.text, separator) {
            (Some(_), Some(separator)) => vec![letter; count.max(2)].join(separator),
            (Some(text), None) => text.clone(),
            _ if is_split => vec![letter; count].join(" "),
            _ => letter.repeat(wishes.count.unwrap_or(1).clamp(1, MOST_LETTERS)),
        }
    }

    fn usual(&self, name: &str) -> Option<(String, Option<String>)> {
        if let Some((_, now)) = RENAMED.iter().find(|(old, _)| *old == name) {
            let (module, member) = now.rsplit_once('.').unwrap_or(("builtins", now));
            return Some((module.to_owned(), Some(member.to_owned())));
        }
        let has_attributes = self.plan.attributes.contains_key(name);
        let is_called = self.plan.called.iter().any(|called| called == name);
        let home = usual_home(name).map(|home| (home.to_owned(), Some(name.to_owned())));
        if is_called && home.is_some() {
            return home;
        }
        let is_library = is_known_standard_library(MINOR, name);
        let module = usual_module(name).or(is_library.then_some(name));
        if let Some(module) = module
            && (has_attributes || UNMISTAKABLE.contains(&name) || module != name && !is_called)
        {
            return Some((module.to_owned(), None));
        }
        home.filter(|_| has_attributes || is_called)
    }

    fn attributes(&self, name: &str) -> Vec<String> {
        let found = self.plan.attributes.get(name);
        found.cloned().unwrap_or_default()
    }

    fn catches(&self, line: u32, errors: &[&str]) -> bool {
        let mut caught = self.plan.caught.get(&line).into_iter().flatten();
        caught.any(|name| errors.contains(&name.as_str()))
    }
}
