//! Values for paths, plain or stand-ins, and values derived from a stand-in.

use std::sync::Arc;

use super::super::{Machine, Run};
use super::deciding::{MOST_ABOVE, MOST_WALKED};
use crate::machine::unknown::CLASS;
use crate::stand_in::{Known, MadeUp, Place, ProgramGuesses, StandIn, Used, Wishes};
use crate::text::canonical;
use crate::value::{Object, ObjectId, UNKNOWN_MODULE, Value};

/// Maximum recorded values.
const MOST_MADE: usize = 1_000;
/// Maximum length of a path.
const LONGEST_PATH: usize = 300;
/// Minimum certainty of a guess from which a plain value is made.
const SURE: f32 = 0.7;
/// Number of items of an unknown collection.
const ITEMS: usize = 2;

impl Machine {
    /// Whether planning continues with missing values.
    pub(in crate::machine) fn goes_on(&self) -> bool {
        self.settings.goes_on.is_some()
    }

    /// Whether unknown values are represented by an object: when checking, and if planning
    /// continues with stand-ins.
    pub(in crate::machine) fn has_unknown(&self) -> bool {
        self.settings.unknown || self.goes_on()
    }

    /// Whether unbound names are made up, too.
    pub(in crate::machine) fn makes_names(&self) -> bool {
        self.settings
            .goes_on
            .as_ref()
            .is_some_and(|goes_on| goes_on.names)
    }

    /// Returns the made-up values, in order.
    pub fn made_up(&self) -> &[MadeUp] {
        &self.stand_ins.made
    }

    /// Returns the guesses about the program, if they were requested.
    pub fn said_of_program(&self) -> Option<Arc<dyn ProgramGuesses>> {
        self.stand_ins.guesses.clone()
    }

    pub(super) fn guesses(&mut self) -> Option<Arc<dyn ProgramGuesses>> {
        if self.stand_ins.guesses.is_none() {
            let goes_on = self.settings.goes_on.as_ref()?;
            self.stand_ins.guesses = Some(goes_on.guesses.of(&self.stand_ins.source));
        }
        self.stand_ins.guesses.clone()
    }

    /// Returns the guess about the value at a path.
    pub(super) fn known_at(&mut self, path: &str) -> Option<Known> {
        self.guesses()?.known(path)
    }

    /// Returns the guess about a place of the program itself.
    pub(super) fn place_at(&mut self, line: u32, used: Used, name: &str) -> Option<Place> {
        if self.current_file() != 0 {
            return None;
        }
        self.guesses()?.place(line, used, name)
    }

    /// Returns the properties of a stand-in. `None` for other values.
    pub(in crate::machine) fn stand_in(&self, value: &Value) -> Option<StandIn> {
        let Some(Object::Opaque { class, text }) = self.heap.object(value) else {
            return None;
        };
        if &**class != CLASS && &**class != UNKNOWN_MODULE {
            return None;
        }
        let kept = value.id().and_then(|id| self.heap.stand_ins.get(&id));
        Some(kept.cloned().unwrap_or_else(|| StandIn {
            path: text.clone(),
            kind: "object",
            shown: "a".into(),
            number: 1.0,
            count: ITEMS,
            keys: Arc::default(),
            parent: None,
        }))
    }

    pub(super) fn is_made_up(&self, value: &Value) -> bool {
        matches!(self.heap.object(value), Some(Object::Opaque { class, .. })
            if &**class == CLASS || &**class == UNKNOWN_MODULE)
    }

    /// Creates a stand-in of a kind.
    pub(in crate::machine) fn new_stand_in(
        &mut self,
        path: &str,
        kind: &'static str,
        wishes: &Wishes,
        parent: Option<ObjectId>,
    ) -> Value {
        let number = wishes.number.unwrap_or(1.0);
        let shown = match kind {
            "int" => (number as i64).to_string(),
            "float" => format!("{number:?}"),
            _ => wishes.text.clone().unwrap_or_else(|| "a".to_owned()),
        };
        let value = self.heap.make(Object::Opaque {
            class: CLASS.into(),
            text: path.into(),
        });
        if let Some(id) = value.id() {
            let made = StandIn {
                path: path.into(),
                kind,
                shown: shown.into(),
                number,
                count: wishes.count.unwrap_or(match wishes.keys.len() {
                    0 => ITEMS,
                    keys => keys,
                }),
                keys: wishes.keys.clone().into(),
                parent,
            };
            self.heap.stand_ins.insert(id, made);
        }
        value
    }

    /// Returns a value derived from a stand-in, or from an instance with a stand-in as base class:
    /// the same one each time. `step` extends the path, `key` distinguishes values with the same
    /// path.
    pub(in crate::machine) fn child(
        &mut self,
        of: &Value,
        step: &str,
        key: &str,
        used: Option<(Used, &str)>,
    ) -> Run<Value> {
        let Some(id) = of.id() else {
            return Ok(self.new_stand_in(step, "object", &Wishes::default(), None));
        };
        let memo: (ObjectId, Arc<str>) = (id, format!("{step}{key}").into());
        if let Some(known) = self.stand_ins.children.get(&memo) {
            return Ok(known.clone());
        }
        let parent = self.stand_in(of);
        let above = parent.as_ref().map_or("self", |parent| &*parent.path);
        let mut path = format!("{above}{step}");
        let place = used.and_then(|(used, name)| self.place_at(self.current_line(), used, name));
        if let Some(of_place) = place.as_ref().and_then(|place| place.path.clone())
            && (self.known_at(&of_place).is_some() || self.known_at(&path).is_none())
        {
            path = of_place;
        }
        if path.len() > LONGEST_PATH {
            let at = (path.len() - LONGEST_PATH / 3..).find(|at| path.is_char_boundary(*at));
            path = path.split_off(at.unwrap_or(0));
        }
        let value = self.made_at(&path, place, used, Some(id));
        self.stand_ins.children.insert(memo, value.clone());
        Ok(value)
    }

    /// Returns an attribute of a stand-in.
    pub(super) fn member(&mut self, of: &Value, name: &str) -> Run<Value> {
        match name {
            "__name__" | "__qualname__" | "__module__" | "__file__" | "__version__" => {
                return Ok(Value::str("a"));
            }
            "__doc__" => return Ok(Value::None),
            _ => {}
        }
        let is_module = matches!(self.heap.object(of), Some(Object::Opaque { class, .. }) if &**class == UNKNOWN_MODULE);
        // A module's member has the same name as after an import by name: `read_csv`.
        if is_module
            && self
                .place_at(self.current_line(), Used::Attribute, name)
                .is_none()
        {
            return self.imported_member(of, name);
        }
        self.child(of, &format!(".{name}"), "", Some((Used::Attribute, name)))
    }

    /// Returns a member of a missing module.
    pub(super) fn imported_member(&mut self, module: &Value, name: &str) -> Run<Value> {
        let Some(id) = module.id() else {
            return self.child(module, &format!(".{name}"), "", None);
        };
        let memo: (ObjectId, Arc<str>) = (id, format!(".{name}").into());
        if let Some(known) = self.stand_ins.children.get(&memo) {
            return Ok(known.clone());
        }
        let whole = self
            .stand_in(module)
            .map_or_else(String::new, |module| format!("{}.{name}", module.path));
        let path = match self.known_at(name) {
            Some(_) => name.to_owned(),
            None => whole,
        };
        let value = self.made_at(&path, None, None, Some(id));
        self.note(Used::Attribute, name, &value, "object", None);
        self.stand_ins.children.insert(memo, value.clone());
        Ok(value)
    }

    /// Makes a value for a path, and records it if it is used.
    pub(super) fn made_at(
        &mut self,
        path: &str,
        place: Option<Place>,
        used: Option<(Used, &str)>,
        parent: Option<ObjectId>,
    ) -> Value {
        let known = self.known_at(path);
        let of_place = place.as_ref().and_then(|place| place.guess);
        let guess = of_place.or_else(|| known.as_ref().map(|known| known.guess));
        let class = guess.map_or("object", |guess| guess.class);
        // The result of an operation may be an array, for example, although it is used as a number.
        let is_given = known.as_ref().is_some_and(|known| known.is_given);
        let is_plain = is_given || used.is_some() || parent.is_none();
        let is_clear = is_plain
            && known
                .as_ref()
                .is_some_and(|known| known.guess.class == class && known.guess.sure >= SURE);
        let wishes = match known {
            Some(known) => known.wishes,
            None => {
                let path = place.and_then(|place| place.path);
                let known = path.and_then(|path| self.known_at(&path));
                known.map(|known| known.wishes).unwrap_or_default()
            }
        };
        let mut value = self.adapted(class, path, &wishes, is_clear, parent);
        if let Some((used, name)) = used {
            let mut of_value = guess;
            if let (true, Some(usual)) = (is_clear, guess) {
                let (taken, of_taken) = self.plain_or_other(path, value, usual);
                (value, of_value) = (taken, Some(of_taken));
            }
            let class = of_value.map_or(class, |guess| guess.class);
            self.note(used, name, &value, class, of_value.map(|guess| guess.sure));
        }
        value
    }

    /// Returns a plain value if its uses determine it, otherwise a stand-in of that kind.
    fn adapted(
        &mut self,
        class: &'static str,
        path: &str,
        wishes: &Wishes,
        is_clear: bool,
        parent: Option<ObjectId>,
    ) -> Value {
        if wishes.exception {
            return self.missing_error(path);
        }
        let (kind, rest) = class.split_once('_').unwrap_or((class, ""));
        let kind = KINDS.into_iter().find(|known| *known == kind);
        let number = |usual: f64| wishes.number.unwrap_or(usual);
        let sign = match rest {
            "neg" => -1.0,
            "zero" => 0.0,
            _ => 1.0,
        };
        if !is_clear {
            return self.new_stand_in(path, kind.unwrap_or("object"), wishes, parent);
        }
        match (class, kind) {
            ("None", _) => Value::None,
            ("True", _) => Value::Bool(true),
            ("False", _) => Value::Bool(false),
            (_, Some("int")) => Value::Int(number(sign) as i64),
            (_, Some("float")) => Value::Float(number(sign)),
            (_, Some("str")) => {
                let is_empty =
                    wishes.text.is_none() && (rest == "empty" || wishes.count == Some(0));
                let text = match self.guesses() {
                    Some(guesses) if !is_empty => guesses.text(path, wishes),
                    _ => String::new(),
                };
                Value::str(&text)
            }
            (_, Some(kind @ ("list" | "tuple"))) => {
                let count = match rest {
                    "empty" => 0,
                    _ if self.is_made_again(path, parent) => 0,
                    _ => wishes.count.unwrap_or(ITEMS),
                };
                let items = (0..count)
                    .map(|k| self.made_item(path, k, parent))
                    .collect();
                match kind {
                    "list" => self.heap.list(items),
                    _ => self.heap.tuple(items),
                }
            }
            (_, kind) => self.new_stand_in(path, kind.unwrap_or("object"), wishes, parent),
        }
    }

    /// Whether the ancestors of a list already had such a list, so that walking it would never end:
    /// `for child in node.children: walk(child)`.
    fn is_made_again(&mut self, path: &str, parent: Option<ObjectId>) -> bool {
        let mut count = 0;
        let mut at = parent;
        for _ in 0..MOST_ABOVE {
            let Some(id) = at else { break };
            let lists = self.stand_ins.lists.get(&id);
            count += usize::from(lists.is_some_and(|lists| lists.contains(path)));
            at = self.heap.stand_ins.get(&id).and_then(|one| one.parent);
        }
        if let Some(id) = parent {
            self.stand_ins
                .lists
                .entry(id)
                .or_default()
                .insert(path.into());
        }
        count >= MOST_WALKED
    }

    /// Returns an item of a collection: by its index if the program reads items by index.
    fn made_item(&mut self, path: &str, number: usize, parent: Option<ObjectId>) -> Value {
        let numbered = format!("{path}[{number}]");
        match self.known_at(&numbered) {
            Some(_) => self.made_at(&numbered, None, None, parent),
            None => self.made_at(&format!("{path}[]"), None, None, parent),
        }
    }

    /// Returns the class of a missing exception.
    pub(super) fn missing_error(&mut self, path: &str) -> Value {
        if let Some(known) = self.stand_ins.errors.get(path) {
            return known.clone();
        }
        let last = path
            .trim_end_matches("()")
            .rsplit('.')
            .next()
            .unwrap_or(path);
        let is_name = last.chars().all(|c| c.is_alphanumeric() || c == '_') && !last.is_empty();
        let name = if is_name { last } else { "Missing" };
        let base = self.class_id("Exception");
        // It is not a class of a library module.
        let before = self.runtime.classes.remove(name);
        let id = self.add_class(name, Some(base));
        self.runtime.classes.remove(name);
        if let Some(before) = before {
            self.runtime.classes.insert(name.into(), before);
        }
        let value = Value::Object(id);
        self.stand_ins.errors.insert(path.into(), value.clone());
        value
    }

    /// Returns a value for an unbound name. `None` if the program is to get its `NameError`.
    pub(in crate::machine) fn missing_name(&mut self, name: &Arc<str>) -> Run<Option<Value>> {
        let is_own = name.starts_with("__") && name.ends_with("__");
        if is_own || !(self.makes_names() || self.stand_ins.imported_all) {
            return Ok(None);
        }
        if let Some(known) = self.stand_ins.names.get(name) {
            return Ok(Some(known.clone()));
        }
        let line = self.current_line();
        let Some(guesses) = self.guesses() else {
            return Ok(None);
        };
        if guesses.catches(line, &["NameError"]) {
            return Ok(None);
        }
        if self.makes_names()
            && let Some((module, member)) = guesses.usual(name)
            && let Some(value) = self.usual(&module, member.as_deref())
            && self.has_read(&value, member.is_none(), &guesses.attributes(name))
        {
            self.stand_ins.names.insert(name.clone(), value.clone());
            return Ok(Some(value));
        }
        let place = self.place_at(line, Used::Name, name);
        let value = self.made_at(name, place, Some((Used::Name, name)), None);
        self.stand_ins.names.insert(name.clone(), value.clone());
        Ok(Some(value))
    }

    /// Whether a handler around the line catches the error of a missing file.
    pub(in crate::machine) fn expects_errors(&mut self) -> bool {
        let line = self.current_line();
        let errors = [
            "FileNotFoundError",
            "OSError",
            "IOError",
            "EnvironmentError",
        ];
        match self.current_file() {
            0 => self
                .guesses()
                .is_some_and(|guesses| guesses.catches(line, &errors)),
            _ => self.is_ready_for_exceptions(),
        }
    }

    /// Returns a made-up line of missing input, according to its use.
    pub(in crate::machine) fn made_up_line(&mut self) -> Option<Value> {
        if !self.makes_names() || self.stand_ins.has_input {
            return None;
        }
        let line = self.current_line();
        let guesses = self.guesses()?;
        if guesses.catches(line, &["EOFError"]) {
            return None;
        }
        let place = self.place_at(line, Used::Call, "input");
        let path = place
            .and_then(|place| place.path)
            .unwrap_or_else(|| "input()".to_owned());
        let wishes = guesses
            .known(&path)
            .map(|known| known.wishes)
            .unwrap_or_default();
        // The number of lines does not constrain a line.
        let wishes = Wishes {
            count: None,
            ..wishes
        };
        let value = Value::str(&guesses.text(&path, &wishes));
        self.note(Used::Call, "input", &value, "str_nonempty", None);
        Some(value)
    }

    /// Whether a value has all attributes that the program reads of it; for a module, whether it
    /// has any of them.
    fn has_read(&mut self, value: &Value, is_module: bool, attributes: &[String]) -> bool {
        let mut has = |name: &String| {
            let found = self.attribute_or(value, &name.as_str().into());
            !matches!(found, Ok(None))
        };
        match is_module {
            true => attributes.is_empty() || attributes.iter().any(&mut has),
            false => attributes.iter().all(&mut has),
        }
    }

    /// Returns a value for `super()` outside a class.
    pub(in crate::machine) fn stray_super(&mut self) -> Value {
        let name: Arc<str> = "super".into();
        if let Some(known) = self.stand_ins.names.get(&name) {
            return known.clone();
        }
        let place = self.place_at(self.current_line(), Used::Name, &name);
        let value = self.made_at("super()", place, Some((Used::Name, &name)), None);
        self.stand_ins.names.insert(name, value.clone());
        value
    }

    /// Returns the object that a name usually refers to, if it exists.
    fn usual(&mut self, module: &str, member: Option<&str>) -> Option<Value> {
        let imported = match self.import_source(&module.into(), None, super::super::After::Push) {
            Ok(None) => self.import(module, true).ok()?,
            _ => return None,
        };
        if self.is_made_up(&imported) {
            return None;
        }
        match member {
            None => Some(imported),
            Some(member) => self.module_member(module, member).ok().flatten(),
        }
    }

    /// Records a made-up value.
    pub(in crate::machine) fn note(
        &mut self,
        used: Used,
        name: &str,
        value: &Value,
        class: &'static str,
        sure: Option<f32>,
    ) {
        if let Some(sure) = sure {
            self.doubts.probability *= f64::from(sure.clamp(0.01, 1.0));
        }
        if self.stand_ins.made.len() < MOST_MADE {
            let made = MadeUp {
                line: self.current_line(),
                file: self.current_file(),
                used,
                name: name.to_owned(),
                text: canonical(&self.heap, value),
                class,
                sure,
            };
            if !self.stand_ins.made.contains(&made) {
                self.stand_ins.made.push(made);
            }
        }
    }

    /// Returns a text that distinguishes values.
    pub(super) fn key_text(&self, value: &Value) -> String {
        match value {
            Value::Object(id) if self.is_made_up(value) => format!("#{}", id.0),
            _ => canonical(&self.heap, value),
        }
    }
}

/// Possible types of a stand-in.
const KINDS: [&str; 7] = ["int", "float", "str", "list", "dict", "tuple", "set"];
