//! Outcomes of conditions on stand-ins, and the number of their items.

use std::sync::Arc;

use super::super::{Machine, Run};
use crate::code::Op;
use crate::machine::ask::Ask;
use crate::operation::Operation;
use crate::stand_in::{Decision, Guess, ProgramGuesses, Taken, Turn, Used, Wish, Wishes};
use crate::text::canonical;
use crate::value::{Object, ObjectId, Value};

/// Maximum iterations of a loop.
const LONGEST_LOOP: u32 = 3;
/// Maximum depth of derived values that are walked: `node = node.next`, `walk(node.left)`.
pub(super) const MOST_WALKED: usize = 2;
/// Maximum instructions examined before a condition.
const MOST_BEFORE: usize = 24;
/// Maximum ancestors of a value that are examined.
pub(super) const MOST_ABOVE: usize = 100;

/// Probability of an outcome of a condition on unknown values.
const EVEN: f64 = 0.5;
/// Maximum recorded decisions.
const MOST_DECISIONS: usize = 1_000;

/// Methods of containers that do not examine the items.
const KEEP_ITEMS: [&str; 10] = [
    "append",
    "appendleft",
    "extend",
    "extendleft",
    "add",
    "update",
    "clear",
    "copy",
    "reverse",
    "popleft",
];
/// The ones whose first argument is a key or an index.
const TAKE_KEYS: [&str; 4] = ["insert", "get", "pop", "setdefault"];

impl Machine {
    /// Returns the outcome of a condition on a stand-in: the one that leads further, and the same
    /// one each time.
    pub(super) fn decide(&mut self, value: &Value) -> bool {
        let Some(stand_in) = self.stand_in(value) else {
            return true;
        };
        let line = self.current_line();
        let wish = self.wish(line, &stand_in.path);
        self.decide_by(value, wish)
    }

    /// The same, given the wanted outcome.
    fn decide_by(&mut self, value: &Value, wish: Wish) -> bool {
        let line = self.current_line();
        let (Some(stand_in), Some(id)) = (self.stand_in(value), value.id()) else {
            return true;
        };
        let Wish { outcome, turn } = wish;
        if turn == Turn::EndsLoop {
            let rounds = self.stand_ins.rounds.entry(line).or_default();
            *rounds += 1;
            return rounds.is_multiple_of(LONGEST_LOOP) != outcome;
        }
        if let Some(said) = self.stand_ins.said.get(&id) {
            return *said;
        }
        let mut outcome = outcome;
        if turn == Turn::Alternates {
            let turns = self
                .stand_ins
                .turns
                .entry((line, stand_in.path.clone()))
                .or_default();
            outcome ^= *turns % 2 == 1;
            *turns += 1;
        }
        if self.is_walked(id, line) {
            outcome = !outcome;
        }
        let outcome = outcome != self.is_otherwise();
        self.doubts.probability *= EVEN;
        let text = self.stand_ins.conditions.get(&id).cloned();
        let text = text.unwrap_or(stand_in.path);
        self.note_decision(&text, Taken::Holds(outcome), EVEN);
        self.stand_ins.said.insert(id, outcome);
        outcome
    }

    /// Whether two distinct objects are assumed to be the same in a condition that compares them by
    /// identity.
    pub(super) fn decide_same(&mut self, of: &Value, other: &Value) -> Run<bool> {
        let Some(wish) = self.wish_for_same() else {
            return Ok(false);
        };
        let key = format!("is{}", self.key_text(other));
        let text = format!("{} is {}", self.named(of), self.named(other));
        let asked = self.compared(of, &key, &text)?;
        Ok(self.decide_by(&asked, wish))
    }

    fn wish_for_same(&mut self) -> Option<Wish> {
        if self.current_file() != 0 {
            return None;
        }
        let line = self.current_line();
        self.guesses()?.same_wish(line)
    }

    /// Whether a stand-in is assumed to be `None` if the program tests it: if that leads further,
    /// and at the end of a chain.
    pub(super) fn decide_none(&mut self, value: &Value) -> bool {
        let line = self.current_line();
        let Some(id) = value.id() else {
            return *value == Value::None;
        };
        if self.stand_ins.is_not.get(&id) == Some(&Value::None) {
            return false;
        }
        if let Some(said) = self.stand_ins.said_none.get(&id) {
            return *said;
        }
        let is_walked = self.is_walked(id, line);
        let Some(stand_in) = self.stand_in(value) else {
            return is_walked;
        };
        let wish = self.wish_for_same();
        let mut usual = is_walked != wish.is_some_and(|wish| wish.outcome);
        if wish.is_some_and(|wish| wish.turn == Turn::Alternates) {
            let asked = format!("{} is None", stand_in.path);
            let turns = self.stand_ins.turns.entry((line, asked.into()));
            let turns = turns.or_default();
            usual ^= *turns % 2 == 1;
            *turns += 1;
        }
        let outcome = usual != self.is_otherwise();
        self.doubts.probability *= EVEN;
        self.note_decision(&stand_in.path, Taken::IsNone(outcome), EVEN);
        self.stand_ins.said_none.insert(id, outcome);
        outcome
    }

    /// Returns the assumptions about made-up values, in order.
    pub fn decisions(&self) -> &[Decision] {
        &self.stand_ins.decisions
    }

    /// Whether the next decision must differ from the default.
    pub(in crate::machine) fn is_otherwise(&self) -> bool {
        self.other().is_some()
    }

    /// Returns the index of the other possibility that the next decision must take. `None` for the
    /// default.
    pub(in crate::machine) fn other(&self) -> Option<usize> {
        let number = self.stand_ins.decisions.len();
        let mut all = self.settings.otherwise.iter();
        all.find(|(of, _)| *of == number).map(|(_, other)| *other)
    }

    pub(in crate::machine) fn note_decision(&mut self, what: &str, taken: Taken, sure: f64) {
        self.note_one_of(what, taken, sure, 1);
    }

    /// Records an assumption. `others`: the number of other possibilities.
    pub(in crate::machine) fn note_one_of(
        &mut self,
        what: &str,
        taken: Taken,
        sure: f64,
        others: usize,
    ) {
        if self.stand_ins.decisions.len() < MOST_DECISIONS {
            let decision = Decision {
                line: self.current_line(),
                file: self.current_file(),
                what: what.to_owned(),
                taken,
                sure,
                other: self.is_otherwise(),
                others,
            };
            self.stand_ins.decisions.push(decision);
        }
    }

    /// Returns a made-up plain value, or an alternative if that is requested, with its class and
    /// probability.
    pub(super) fn plain_or_other(
        &mut self,
        path: &str,
        plain: Value,
        guess: Guess,
    ) -> (Value, Guess) {
        if matches!(plain, Value::Object(_)) && !self.is_filled_list(&plain) {
            return (plain, guess);
        }
        let text = canonical(&self.heap, &plain);
        let usual = f64::from(guess.sure.clamp(0.01, 0.99));
        if !self.is_otherwise() {
            self.note_decision(path, Taken::Is(text), usual);
            return (plain, guess);
        }
        let is_tuple = matches!(self.heap.object(&plain), Some(Object::Tuple(_)));
        let (class, other) = match &plain {
            Value::Bool(true) => ("False", Some(Value::Bool(false))),
            Value::Bool(false) => ("True", Some(Value::Bool(true))),
            Value::Object(_) if is_tuple => ("tuple_empty", Some(self.heap.tuple(Vec::new()))),
            Value::Object(_) => ("list_empty", Some(self.heap.list(Vec::new()))),
            _ => ("object", None),
        };
        let taken = match &other {
            Some(other) => Taken::Is(canonical(&self.heap, other)),
            None => Taken::IsNot(text),
        };
        let other = other.unwrap_or_else(|| {
            let kind = match &plain {
                Value::Int(_) => "int",
                Value::Float(_) => "float",
                Value::Str(_) => "str",
                _ => class,
            };
            let value = self.new_stand_in(path, kind, &Wishes::default(), None);
            if let Some(id) = value.id() {
                self.stand_ins.is_not.insert(id, plain);
            }
            value
        });
        self.note_decision(path, taken, 1.0 - usual);
        let sure = (1.0 - usual) as f32;
        (other, Guess { class, sure })
    }

    fn is_filled_list(&self, value: &Value) -> bool {
        match self.heap.object(value) {
            Some(Object::List(items)) => !items.is_empty(),
            Some(Object::Tuple(items)) => !items.is_empty(),
            _ => false,
        }
    }

    /// Whether a stand-in is known to differ from a value.
    pub(super) fn is_known_other(&self, of: &Value, other: &Value) -> bool {
        let known = of.id().and_then(|id| self.stand_ins.is_not.get(&id));
        known == Some(other)
    }

    /// Whether ancestors of a value were tested on the same line before, so that the walk would
    /// never end.
    fn is_walked(&mut self, id: ObjectId, line: u32) -> bool {
        let here = (self.current_file(), line);
        let mut above = 0;
        let mut at = Some(id);
        for _ in 0..MOST_ABOVE {
            at = at.and_then(|id| self.heap.stand_ins.get(&id)?.parent);
            let Some(id) = at else { break };
            let lines = self.stand_ins.asked.get(&id);
            above += usize::from(lines.is_some_and(|lines| lines.contains(&here)));
        }
        let lines = self.stand_ins.asked.entry(id).or_default();
        if !lines.contains(&here) {
            lines.push(here);
        }
        above >= MOST_WALKED
    }

    fn wish(&mut self, line: u32, path: &str) -> Wish {
        let usual = Wish {
            outcome: true,
            turn: Turn::Never,
        };
        if self.current_file() != 0 {
            return usual;
        }
        let Some(guesses) = self.guesses() else {
            return usual;
        };
        let (used, name) = match path.strip_suffix("()") {
            Some(called) => (Used::Call, last_of(called)),
            None if path.contains('.') => (Used::Attribute, last_of(path)),
            None => (Used::Name, path),
        };
        let of_place = guesses.wish_of(line, used, name);
        of_place
            .or_else(|| self.nearest_wish(line, guesses.as_ref()))
            .or_else(|| guesses.wish(line))
            .unwrap_or(usual)
    }

    /// Returns the wanted outcome of the condition that contains the name or attribute read last.
    fn nearest_wish(&self, line: u32, guesses: &dyn ProgramGuesses) -> Option<Wish> {
        let frame = self.frames.last()?;
        let instructions = frame.code.instructions.get(..frame.last?)?;
        let before = instructions.iter().rev().take(MOST_BEFORE);
        before.into_iter().find_map(|one| {
            let names = &frame.code.names;
            let (used, name) = match one.op {
                Op::LoadName => (Used::Name, names.get(one.arg as usize)?),
                Op::LoadGlobal => (Used::Name, names.get((one.arg >> 1) as usize)?),
                Op::LoadFast => (Used::Name, frame.code.var_names.get(one.arg as usize)?),
                Op::LoadAttr | Op::LoadMethod => (Used::Attribute, names.get(one.arg as usize)?),
                _ => return None,
            };
            guesses.wish_of(line, used, name)
        })
    }

    /// Returns the items of a stand-in.
    pub(super) fn items_of_stand_in(&mut self, value: &Value) -> Run<Vec<Value>> {
        let Some(stand_in) = self.stand_in(value) else {
            return Ok(Vec::new());
        };
        let line = self.current_line();
        if value.id().is_some_and(|id| self.is_walked(id, line)) {
            return Ok(Vec::new());
        }
        if stand_in.kind == "dict" && !stand_in.keys.is_empty() {
            return Ok(stand_in.keys.iter().map(|key| Value::str(key)).collect());
        }
        let numbers = 0..stand_in.count;
        numbers
            .map(|k| self.child(value, "[]", &k.to_string(), None))
            .collect()
    }

    /// Whether an operation adds values to a container that is not a stand-in, or removes them,
    /// without examining any.
    pub(in crate::machine) fn only_keeps(&self, ask: &Ask) -> bool {
        let Operation::Method(name) = &ask.operation else {
            return false;
        };
        let of_container = ask.operands.first().is_some_and(|receiver| {
            let receiver = self.heap.object(receiver);
            matches!(
                receiver,
                Some(Object::List(_) | Object::Deque(..) | Object::Dict(..) | Object::Set(_))
            )
        });
        // A key, or an index.
        let first_is_known = || ask.operands.get(1).is_none_or(|one| !self.is_made_up(one));
        of_container
            && (KEEP_ITEMS.contains(&&**name) || TAKE_KEYS.contains(&&**name) && first_is_known())
    }

    /// Returns the result of an operation that would be asked, if one of its operands is a
    /// stand-in. `None` if none is.
    pub(in crate::machine) fn of_asked(&mut self, ask: &Ask) -> Run<Option<Value>> {
        let found = ask
            .operands
            .iter()
            .find_map(|one| self.stand_in_within(one, 1));
        let Some(cause) = found else {
            return Ok(None);
        };
        let key: String = ask.operands.iter().map(|one| self.key_text(one)).collect();
        let asked = format!("{:?}{key}", ask.operation);
        let cause_text = self.named(&cause);
        Ok(Some(match ask.operation {
            Operation::Truth => Value::Bool(self.decide(&cause)),
            Operation::Contains => {
                let asked = self.compared(&cause, &asked, &cause_text)?;
                Value::Bool(self.decide(&asked))
            }
            Operation::Compare(_) => self.compared(&cause, &asked, &cause_text)?,
            Operation::Items => {
                let items = self.items_of_stand_in(&cause)?;
                self.heap.list(items)
            }
            Operation::Format => {
                let shown = self.stand_in(&cause).map(|one| one.shown);
                Value::Str(shown.unwrap_or_else(|| "a".into()))
            }
            Operation::SortBy => return Ok(None),
            _ => self.child(&cause, ".", &asked, None)?,
        }))
    }

    /// Returns an item of a stand-in by its index, for unpacking.
    pub(super) fn numbered(&mut self, value: &Value, number: usize) -> Run<Value> {
        let path: Arc<str> = self
            .stand_in(value)
            .map_or_else(|| "".into(), |one| one.path);
        let step = format!("[{number}]");
        match self.known_at(&format!("{path}{step}")) {
            Some(_) => self.child(value, &step, "", None),
            None => self.child(value, "[]", &number.to_string(), None),
        }
    }
}

fn last_of(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
