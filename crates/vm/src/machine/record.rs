//! Steps made from events, by the rules of `docs/trace-format.md`: a step has the state at the next
//! event.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use codexec_trace::{
    Event, KnownNames, Origin, Outcome, State, Step, Text as Written, Value as Shown,
};

use super::raises::{Raises, Recorded};
use super::{Flow, Run, Settings};
use crate::text::kept::KeptTexts;
use crate::value::ObjectId;

/// Operations of a program, by the source of their values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Folded operations.
    pub folded: u64,
    /// Asked operations.
    pub asked: u64,
}

/// The reason why planning ends at a text with a lone surrogate.
pub(super) const LONE: &str = "a lone surrogate";

/// The replacement of a lone surrogate in a text.
const LONE_STANDS_AS: char = '\u{fffd}';

/// The steps so far.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub steps: Vec<Step>,
    pub counts: Counts,
    pending: Option<Step>,
    output: String,
    confidence: Option<f32>,
    /// Product of the probabilities of the machine's guesses, and whether it guessed during this
    /// step.
    pub guesses: f64,
    is_guess: bool,
    /// Whether the program was given addresses of objects.
    pub gave_addresses: bool,
    /// Whether the program may have texts with lone surrogates, which are replaced here.
    pub has_surrogates: bool,
    /// Sets whose order was guessed, with their sizes.
    guessed_orders: HashSet<(u32, usize)>,
    /// The places recorded instead of steps. `None`: all steps are recorded.
    pub raises: Option<Raises>,
    max_steps: usize,
    /// Numbers of objects that were shown, if they are wanted.
    numbers: HashMap<ObjectId, u32>,
    /// Characters of changes of states and of values, bytes printed, and the maximum of both
    /// together.
    text: usize,
    printed: usize,
    max_text: usize,
    answers: Origin,
    /// Texts of objects at the last states.
    pub texts: KeptTexts,
    /// Lists of names of states.
    names: KnownNames,
    /// Step during which each exception was raised last, by the identity of its object.
    pub raised_at: HashMap<u32, u32>,
    /// Innermost line of each exception, and its file.
    pub raised_line: HashMap<u32, (u32, u32)>,
    /// Where exceptions passed through the program's frames, innermost first: lines, functions, and
    /// whether they are of the entry.
    pub tracebacks: HashMap<u32, Vec<(u32, Arc<str>, bool)>>,
}

/// The first address of objects, which differs in every run, and the beginnings of addresses in
/// texts.
pub(super) const FIRST_ADDRESS: i64 = 140_030_000_000_000;
const ADDRESSES: [&str; 3] = ["140030", "0x7f5b", "875187"];

/// Maximum names in one state, as in the sandbox.
const MOST_NAMES: usize = 4096;
/// The multiple of its limit that a step may print before it is ended.
const UNFINISHED: usize = 4;

/// Returns the cost of repeating a name with a value of this many characters in a state: a whole
/// state contains it again. `tracer.py` counts the same.
const fn cost_of_repeating(length: usize) -> usize {
    8 + length / 32
}

/// The text of a value, and the objects in it if they are wanted.
pub(super) struct Text {
    pub text: Written,
    pub objects: Option<Vec<ObjectId>>,
}

impl Record {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            steps: Vec::new(),
            counts: Counts::default(),
            pending: None,
            output: String::new(),
            confidence: None,
            guesses: 1.0,
            is_guess: false,
            gave_addresses: false,
            has_surrogates: false,
            guessed_orders: HashSet::new(),
            raises: (settings.recorded == Recorded::Raises).then(Raises::default),
            numbers: HashMap::new(),
            max_steps: settings.max_steps,
            text: 0,
            printed: 0,
            max_text: settings.max_text,
            answers: settings.answers,
            texts: KeptTexts::default(),
            names: KnownNames::default(),
            raised_at: HashMap::new(),
            raised_line: HashMap::new(),
            tracebacks: HashMap::new(),
        }
    }

    /// Records that an oracle answered during this step.
    pub(super) fn answered(&mut self, confidence: f32) {
        self.confidence = Some(self.confidence.unwrap_or(1.0) * confidence);
    }

    /// Records that the machine continued with a guess, which is right with this probability.
    pub(super) fn guess(&mut self, probability: f64) {
        self.guesses *= probability;
        self.is_guess = true;
        self.answered(probability as f32);
    }

    /// Guesses the order of a set of objects, which follows their addresses: any order is as
    /// probable as another. A set keeps its own.
    pub(super) fn guess_order(&mut self, set: u32, size: usize) {
        if self.guessed_orders.insert((set, size)) {
            let orders: f64 = (1..=size).map(|count| count as f64).product();
            self.guess(1.0 / orders);
        }
    }

    /// Whether a text has an address that the program was given. Those of a run differ.
    fn shows_address(&self, text: &str) -> bool {
        self.gave_addresses && ADDRESSES.iter().any(|prefix| text.contains(prefix))
    }

    /// Whether a text may have a lone surrogate.
    pub(super) fn is_lone(&self, text: &str) -> bool {
        self.has_surrogates && text.contains(LONE_STANDS_AS)
    }

    /// Returns the origin of the new values in this step.
    fn source(&self) -> Origin {
        match (self.confidence, self.is_guess) {
            (None, _) => Origin::Computed,
            (Some(_), true) => Origin::Predicted,
            (Some(_), false) => self.answers,
        }
    }

    /// Records printed text.
    pub(super) fn write(&mut self, text: &str) -> Run<()> {
        self.printed += text.len();
        // The step that exceeds the limit still belongs to the trace, unless its output is endless.
        if self.printed > self.max_text.saturating_mul(UNFINISHED) {
            return Err(Flow::End(Outcome::OutputLimit));
        }
        if self.is_lone(text) {
            return Err(Flow::Unsupported(LONE.to_string()));
        }
        if self.shows_address(text) {
            self.guess(0.0);
        }
        if self.raises.is_none() {
            self.output.push_str(text);
        }
        Ok(())
    }

    /// Whether an event closes a step, so that a state is needed.
    pub(super) fn has_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Records an event: closes the step before it with the state of these texts, and begins a new
    /// one. `shown` is the last state of the event's frame.
    pub(super) fn event(
        &mut self,
        event: Event,
        line: u32,
        function: &str,
        (depth, file): (u32, u32),
        texts: Vec<(Arc<str>, Text)>,
        shown: &mut State,
    ) -> Run<()> {
        self.close(texts, shown)?;
        self.pending = Some(Step {
            line,
            event,
            function: function.into(),
            depth,
            file,
            state: State::new(),
            output: String::new(),
            confidence: None,
            value: None,
        });
        Ok(())
    }

    /// Records the value that the function of the last return event returns.
    pub(super) fn gives(&mut self, Text { text, objects }: Text) {
        let origin = self.source();
        let objects = self.numbered(objects);
        if let Some(step) = &mut self.pending {
            self.text += text.chars().count();
            let value = Shown::new(text, origin).with_objects(objects);
            step.value = Some(Box::new(value));
        }
    }

    /// Returns the numbers of objects, in the order in which they are first shown.
    fn numbered(&mut self, objects: Option<Vec<ObjectId>>) -> Option<Box<[u32]>> {
        let objects = objects.filter(|objects| !objects.is_empty())?;
        let numbers = objects.into_iter().map(|id| {
            let next = u32::try_from(self.numbers.len() + 1).unwrap_or(u32::MAX);
            *self.numbers.entry(id).or_insert(next)
        });
        Some(numbers.collect())
    }

    fn close(&mut self, texts: Vec<(Arc<str>, Text)>, shown: &mut State) -> Run<()> {
        let Some(mut step) = self.pending.take() else {
            return Ok(());
        };
        if self.has_surrogates {
            let given = step.value.iter().map(|value| value.text.as_str());
            let mut texts = texts.iter().map(|(_, text)| &*text.text).chain(given);
            if texts.any(|text| text.contains(LONE_STANDS_AS)) {
                return Err(Flow::Unsupported(LONE.to_string()));
            }
        }
        if texts.len() > MOST_NAMES {
            return Err(Flow::End(Outcome::TraceLimit));
        }
        let length = |name: &str, text: &str| name.chars().count() + text.chars().count();
        let repeated = texts.iter().map(|(name, text)| length(name, &text.text));
        self.text += repeated.map(cost_of_repeating).sum::<usize>();
        // New values of the frame count in full. An unchanged text keeps its origin.
        let texts = texts.into_iter().map(|(name, Text { text, objects })| {
            let objects = self.numbered(objects);
            (name, (text, objects))
        });
        let texts: Vec<_> = texts.collect();
        let mut names = std::mem::take(&mut self.names);
        let same = |old: &Shown, (text, objects): &(Written, _)| {
            old.text == *text && old.objects == *objects
        };
        let next = shown.next(texts, &mut names, same, |name, (text, objects)| {
            let length = length(name, &text);
            self.text = self.text + length - cost_of_repeating(length);
            if self.shows_address(&text) {
                self.guess(0.0);
            }
            Shown::new(text, self.source()).with_objects(objects)
        });
        self.names = names;
        *shown = next.map_err(|name| Flow::Unsupported(format!("name `{name}` twice")))?;
        step.state = shown.clone();
        step.output = std::mem::take(&mut self.output);
        step.confidence = self.confidence.take();
        self.is_guess = false;
        if self.steps.len() >= self.max_steps {
            return Err(Flow::End(Outcome::StepLimit));
        }
        self.steps.push(step);
        if self.text + self.printed > self.max_text {
            return Err(Flow::End(match self.printed > self.max_text / 2 {
                true => Outcome::OutputLimit,
                false => Outcome::TraceLimit,
            }));
        }
        Ok(())
    }

    /// Ends the record: text printed since the last event belongs to the last step.
    pub(super) fn end(&mut self) {
        let output = std::mem::take(&mut self.output);
        if let Some(step) = self.steps.last_mut() {
            step.output.push_str(&output);
        }
        self.pending = None;
    }
}
