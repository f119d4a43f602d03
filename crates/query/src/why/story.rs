//! A trace as executions of statements: the events of each, its changes, callers and callees, and the sources of
//! all variables.
//!
//! An execution ends at the next event of its frame, when its state is known. Variables belong to a frame; names of
//! other scopes are resolved by the program's text.

use std::collections::HashMap;

use codexec_trace::{Event, ObjectText, Outcome, State, Trace, Value, ValueType};

use crate::frames::{Frames, at_event};
use crate::syntax::{Head, Scope, Sources, Unit};

/// A variable: its frame and its name.
pub(super) type Variable = (usize, String);

/// One execution of a statement, or of a function's entry.
#[derive(Debug, Clone)]
pub(super) struct Execution<'t> {
    /// File and unit. `None` at a function's entry, and on a line without one.
    pub place: Option<(u32, usize)>,
    /// Whether a function begins here.
    pub is_entry: bool,
    /// Its stay in its frame.
    pub activation: usize,
    /// Its frame.
    pub frame: usize,
    /// Its first and its last own event.
    pub events: (usize, usize),
    /// The next event of its frame, at which its effect is known.
    pub next: Option<usize>,
    /// Names with another value afterwards, or unbound ones.
    pub changed: Vec<&'t str>,
    /// Activations that it called.
    pub called: Vec<usize>,
}

/// The executions of a trace.
pub(super) struct Story<'t> {
    pub trace: &'t Trace,
    pub sources: &'t Sources,
    pub frames: Frames,
    pub executions: Vec<Execution<'t>>,
    /// The execution of each event; a return belongs to the previous one.
    of_event: Vec<usize>,
    /// The execution that called each activation.
    pub caller: Vec<Option<usize>>,
    /// Where each variable got a value: when that was known, and by which execution.
    definitions: HashMap<Variable, Vec<(usize, usize)>>,
    /// Executions of each unit in each frame.
    of_unit: HashMap<(usize, (u32, usize)), Vec<usize>>,
    /// Start of each frame.
    entries: HashMap<usize, usize>,
    /// Function or class of each frame.
    scopes: Vec<Option<(u32, usize)>>,
    of_scope: HashMap<(u32, usize), Vec<usize>>,
    modules: HashMap<u32, usize>,
    events: Vec<Vec<usize>>,
}

/// Maximum executions inside a call to search for a change of a value.
const SEARCHED: usize = 20_000;

impl<'t> Story<'t> {
    pub(super) fn new(trace: &'t Trace, sources: &'t Sources) -> Self {
        let frames = Frames::of(trace);
        let mut story = Self {
            trace,
            sources,
            executions: Vec::new(),
            of_event: Vec::with_capacity(trace.steps.len()),
            caller: vec![None; frames.activations.len()],
            definitions: HashMap::new(),
            of_unit: HashMap::new(),
            entries: HashMap::new(),
            scopes: Vec::new(),
            of_scope: HashMap::new(),
            modules: HashMap::new(),
            events: vec![Vec::new(); frames.count()],
            frames,
        };
        story.find_scopes();
        story.find_executions();
        story
    }

    /// Functions of the frames.
    fn find_scopes(&mut self) {
        let trace = self.trace;
        for frame in 0..self.frames.count() {
            let call = self.frames.activations[self.frames.first[frame]].call;
            let step = call.and_then(|call| trace.steps.get(call));
            let scope = match step {
                None => Some((0, 0)),
                Some(step) if step.function == "<module>" => Some((step.file, 0)),
                Some(step) => {
                    let file = self.sources.file(step.file);
                    let scope = file.and_then(|file| file.scope_at(&step.function, step.line));
                    scope.map(|scope| (step.file, scope))
                }
            };
            if let Some((file, 0)) = scope {
                self.modules.entry(file).or_insert(frame);
            }
            if let Some(scope) = scope {
                self.of_scope.entry(scope).or_default().push(frame);
            }
            self.scopes.push(scope);
        }
    }

    fn find_executions(&mut self) {
        let trace = self.trace;
        let mut current: Vec<Option<usize>> = vec![None; self.frames.activations.len()];
        for (k, step) in trace.steps.iter().enumerate() {
            let activation = self.frames.activation(k);
            let stay = &self.frames.activations[activation];
            let (frame, parent, resumed) = (stay.frame, stay.parent, stay.resumed);
            self.events[frame].push(k);
            let place = self.sources.unit(step.file, step.line);
            match step.event {
                Event::Call => {
                    self.caller[activation] = parent.and_then(|parent| current[parent]);
                    if let Some(caller) = self.caller[activation] {
                        self.executions[caller].called.push(activation);
                    }
                    let place = place.filter(|_| resumed);
                    current[activation] = Some(self.begin(activation, k, place, !resumed));
                }
                Event::Line => {
                    if let Some(at) = current[activation].filter(|at| self.goes_on(*at, k, place)) {
                        self.executions[at].events.1 = k;
                    } else {
                        self.end(current[activation], k);
                        current[activation] = Some(self.begin(activation, k, place, false));
                    }
                }
                Event::Return => self.end(current[activation], k),
            }
            self.of_event.push(current[activation].unwrap_or(0));
        }
        let end = trace.steps.len();
        if let Some(at) = current.get(self.frames.activation(end)).copied().flatten() {
            self.events[self.executions[at].frame].push(end);
            self.end(Some(at), end);
        }
    }

    /// Whether a line event continues a statement over several lines.
    fn goes_on(&self, at: usize, event: usize, place: Option<(u32, usize)>) -> bool {
        let known = &self.executions[at];
        let line = |event: usize| self.trace.steps[event].line;
        place.is_some()
            && known.place == place
            && !known.is_entry
            && known.next.is_none()
            && line(known.events.1) != line(event)
    }

    fn begin(
        &mut self,
        activation: usize,
        event: usize,
        place: Option<(u32, usize)>,
        is_entry: bool,
    ) -> usize {
        let at = self.executions.len();
        let frame = self.frames.activations[activation].frame;
        self.executions.push(Execution {
            place,
            is_entry,
            activation,
            frame,
            events: (event, event),
            next: None,
            changed: Vec::new(),
            called: Vec::new(),
        });
        if let Some(place) = place {
            self.of_unit.entry((frame, place)).or_default().push(at);
        }
        if is_entry {
            self.entries.insert(frame, at);
            self.define(at, event);
        }
        at
    }

    /// The next event of an execution's frame, where its changes are known.
    fn end(&mut self, at: Option<usize>, event: usize) {
        let Some(at) = at else { return };
        if self.executions[at].next.is_some() {
            return;
        }
        self.executions[at].next = Some(event);
        if !self.executions[at].is_entry {
            self.define(at, event);
        }
    }

    /// Notes the variables that an execution gave values, known at an event.
    fn define(&mut self, at: usize, event: usize) {
        let one = &self.executions[at];
        let before = match one.is_entry {
            true => None,
            false => at_event(self.trace, one.events.0),
        };
        let after = at_event(self.trace, event);
        let get = |state: Option<&'t State>, name: &str| state.and_then(|state| state.get(name));
        let names = after
            .into_iter()
            .flat_map(State::iter)
            .map(|(name, _)| name);
        let gone = before
            .into_iter()
            .flat_map(State::iter)
            .map(|(name, _)| name);
        let gone = gone.filter(|name| get(after, name).is_none());
        let changed: Vec<&'t str> = names
            .filter(|name| get(before, name).map(|v| &v.text) != get(after, name).map(|v| &v.text))
            .chain(gone)
            .collect();
        let mut names: Vec<String> = changed.iter().map(|name| (*name).to_owned()).collect();
        for name in self.bound(at) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        for name in names {
            let variable = self.resolve(at, &name);
            // Arguments belong to the function; a name of an enclosing function gets its value there.
            if self.executions[at].is_entry && variable.0 != self.executions[at].frame {
                continue;
            }
            self.definitions
                .entry(variable)
                .or_default()
                .push((event, at));
        }
        self.executions[at].changed = changed;
    }

    /// Names that an execution binds by its text.
    pub(super) fn bound(&self, at: usize) -> impl Iterator<Item = &String> {
        let unit = self.unit(at).filter(|unit| self.binds(at, unit));
        let bound = unit.into_iter().flat_map(|unit| &unit.binds);
        bound.map(|bound| &bound.name)
    }

    /// Whether a unit's bindings took effect: not for an exhausted loop, and not after an `if` on the same line.
    fn binds(&self, at: usize, unit: &Unit) -> bool {
        match unit.head {
            _ if unit.shared && unit.head.is_some() => false,
            Some(Head::For | Head::Case) => self.holds(at) != Some(false),
            _ => true,
        }
    }

    /// Whether the condition of a header held: its body follows.
    pub(super) fn holds(&self, at: usize) -> Option<bool> {
        let unit = self.unit(at)?;
        let (first, last) = unit.body?;
        let next = self.trace.steps.get(self.executions[at].next?);
        if first <= unit.last {
            return None;
        }
        Some(
            next.is_some_and(|next| {
                next.event == Event::Line && (first..=last).contains(&next.line)
            }),
        )
    }

    /// The unit of an execution.
    pub(super) fn unit(&self, at: usize) -> Option<&'t Unit> {
        self.sources.get(self.executions[at].place?)
    }

    /// The function or class of an execution's frame.
    pub(super) fn scope(&self, frame: usize) -> Option<(u32, &'t Scope)> {
        let (file, scope) = self.scopes.get(frame).copied().flatten()?;
        Some((file, self.sources.file(file)?.scopes.get(scope)?))
    }

    /// The class that a frame's function is a method of.
    pub(super) fn class_of(&self, frame: usize) -> Option<&'t str> {
        let (file, scope) = self.scope(frame)?;
        let around = self.sources.file(file)?.scopes.get(scope.parent?)?;
        around.is_class.then_some(around.name.as_str())
    }

    /// The variable that a name refers to in an execution.
    pub(super) fn resolve(&self, at: usize, name: &str) -> Variable {
        let one = &self.executions[at];
        let own = (one.frame, name.to_owned());
        let place = one
            .place
            .map(|(file, unit)| (file, self.sources.get((file, unit))));
        let (file, mut scope) = match (place, self.scopes[one.frame]) {
            (Some((file, Some(unit))), _) => (file, unit.scope),
            (_, Some(scope)) => scope,
            _ => return own,
        };
        let Some(syntax) = self.sources.file(file) else {
            return own;
        };
        let module = || {
            (
                self.modules.get(&file).copied().unwrap_or(0),
                name.to_owned(),
            )
        };
        let is_lambda = self.scopes[one.frame].is_none();
        let mut first = !is_lambda;
        loop {
            let here = &syntax.scopes[scope];
            if here.globals.contains(name) {
                return module();
            }
            let counts = !here.is_class || first;
            if here.locals.contains(name) && !here.nonlocals.contains(name) && counts {
                return match first {
                    true => own,
                    false => match self.frame_of((file, scope), one.events.0) {
                        Some(frame) => (frame, name.to_owned()),
                        None => own,
                    },
                };
            }
            first = false;
            match here.parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        let call = self.frames.activations[self.frames.first[one.frame]].call;
        let given = call.and_then(|call| at_event(self.trace, call));
        match given.is_some_and(|state| state.get(name).is_some()) {
            true => own,
            false => module(),
        }
    }

    /// The last frame of a function that began before an event.
    fn frame_of(&self, scope: (u32, usize), event: usize) -> Option<usize> {
        let frames = self.of_scope.get(&scope)?;
        let begins = |frame: &&usize| {
            let call = self.frames.activations[self.frames.first[**frame]].call;
            call.is_none_or(|call| call <= event)
        };
        frames.iter().rev().find(begins).copied()
    }

    /// The state of a frame at its last event up to the given one.
    pub(super) fn state(&self, frame: usize, event: usize) -> Option<&'t State> {
        let events = self.events.get(frame)?;
        let count = events.partition_point(|one| *one <= event);
        at_event(self.trace, *events.get(count.checked_sub(1)?)?)
    }

    /// The first event of a frame from the given one on, and its state.
    fn state_from(&self, frame: usize, event: usize) -> Option<(usize, &'t State)> {
        let events = self.events.get(frame)?;
        let seen = *events.get(events.partition_point(|one| *one < event))?;
        Some((seen, at_event(self.trace, seen)?))
    }

    /// The value of a variable, or of one of its attributes, after an execution.
    pub(super) fn value(
        &self,
        at: usize,
        variable: &Variable,
        attribute: Option<&str>,
    ) -> Option<Value> {
        let one = &self.executions[at];
        let event = match one.is_entry {
            true => one.events.0,
            false => one.next?,
        };
        // Names of the functions around it are seen in its own frame.
        let own = at_event(self.trace, event).and_then(|state| state.get(&variable.1));
        if let Some(own) = own.filter(|_| self.frames.frame(event) == one.frame) {
            return part(own, attribute);
        }
        let (seen, state) = self.state_from(variable.0, event)?;
        // Values of another frame are visible when it resumes: they may have changed by then.
        let again = variable.0 != one.frame
            && self.definitions.get(variable).is_some_and(|all| {
                let from = all.partition_point(|(known, _)| *known < event);
                let until = all[from..].iter().take_while(|(known, _)| *known < seen);
                until.into_iter().any(|(_, by)| *by != at)
            });
        match again {
            true => None,
            false => part(state.get(&variable.1)?, attribute),
        }
    }

    /// The execution that an event belongs to; behind a return that of the caller.
    pub(super) fn during(&self, event: usize) -> Option<usize> {
        let step = self.trace.steps.get(event)?;
        let activation = self.frames.activation(event);
        let own = self.of_event.get(event).copied();
        match step.event {
            Event::Return => self.caller[activation].or(own),
            _ => own,
        }
    }

    /// The last execution of an activation that has come to its end.
    pub(super) fn last_of(&self, activation: usize) -> Option<usize> {
        let end = self.frames.activations[activation].end;
        self.of_event.get(end).copied()
    }

    /// The last execution of a unit in a frame before another.
    pub(super) fn last_of_unit(
        &self,
        frame: usize,
        place: (u32, usize),
        before: usize,
    ) -> Option<usize> {
        let all = self.of_unit.get(&(frame, place))?;
        let count = all.partition_point(|at| *at < before);
        Some(all[count.checked_sub(1)?])
    }

    /// The event at which an execution's frame begins. `None` for the module.
    pub(super) fn entry(&self, frame: usize) -> Option<usize> {
        self.entries.get(&frame).copied()
    }

    /// Names of a variable anywhere, for messages, and the last of them that got a value.
    pub(super) fn last_called(&self, name: &str) -> Option<Variable> {
        let named = self.definitions.iter().filter(|((_, one), _)| one == name);
        let last = named.max_by_key(|(variable, all)| (all.last(), std::cmp::Reverse(variable.0)));
        last.map(|(variable, _)| variable.clone())
    }

    /// The source of a variable's (or attribute's) value at an event, and its name there: a value changed inside a
    /// call has another name.
    pub(super) fn definition(
        &self,
        variable: &Variable,
        attribute: Option<&str>,
        event: usize,
    ) -> Option<(usize, Variable)> {
        let all = self.definitions.get(variable)?;
        let count = all.partition_point(|(known, _)| *known <= event);
        for (place, (_, at)) in all[..count].iter().enumerate().rev() {
            let binds = self.executions[*at].is_entry || self.bound(*at).any(|n| *n == variable.1);
            if binds {
                return Some((*at, variable.clone()));
            }
            if attribute.is_some() && !self.changes(*at, &variable.1, attribute) {
                continue;
            }
            // A function that binds the name of another scope has done so before its call is over.
            let begun = self.executions[*at].events.0;
            let inside = all[..place].last().filter(|(known, _)| *known > begun);
            if let Some((_, inside)) = inside {
                return Some((*inside, variable.clone()));
            }
            let inside = self.changed_inside(*at, variable, attribute);
            return Some(inside.unwrap_or((*at, variable.clone())));
        }
        None
    }

    /// How loops ended between an execution and a user of its result: false conditions and `break`s. `user` is
    /// `None` for a question about the state at an event.
    pub(super) fn left(&self, at: usize, user: Option<usize>, event: usize) -> Vec<usize> {
        let frame = self.executions[at].frame;
        let Some(place) = self.executions[at].place else {
            return Vec::new();
        };
        let count = self.trace.steps.len();
        let running =
            (event < count && self.frames.frame(event) == frame).then(|| self.of_event[event]);
        // If the program ended inside a loop, that is how the loop was left.
        let ended = (user.is_none() && event == count)
            .then(|| self.ended(frame))
            .flatten();
        let user = user.or(running);
        let inside = user
            .map(|user| &self.executions[user])
            .filter(|user| user.frame == frame)
            .and_then(|user| user.place);
        let inside = inside.map_or(Vec::new(), |place| self.sources.loops(place));
        let before = user.unwrap_or(self.executions.len());
        let mut left = Vec::new();
        for head in self.sources.loops(place) {
            if let Some((end, loops)) = &ended
                && loops.contains(&head)
            {
                left.push(*end);
                continue;
            }
            if inside.contains(&head) {
                continue;
            }
            let header = (place.0, head);
            let Some(last) = self.last_of_unit(frame, header, before) else {
                continue;
            };
            let is_while = self
                .unit(last)
                .is_some_and(|unit| unit.head != Some(Head::For));
            match self.holds(last) {
                Some(false) => left.extend(is_while.then_some(last)),
                _ => left.extend(self.last_break(frame, header, last..before)),
            }
        }
        left
    }

    /// The last statement of a frame that ended with the program, and the loops around it.
    fn ended(&self, frame: usize) -> Option<(usize, Vec<usize>)> {
        if !matches!(
            self.trace.outcome,
            Outcome::Finished | Outcome::Exited { .. } | Outcome::Raised { .. }
        ) {
            return None;
        }
        let mut all = self.executions.iter().enumerate().rev();
        let (last, one) = all.find(|(_, one)| one.frame == frame)?;
        let mut loops = self.sources.loops(one.place?);
        loops.retain(|head| Some(*head) != one.place.map(|(_, unit)| unit));
        Some((last, loops))
    }

    /// The last `break` out of a loop among some executions.
    fn last_break(
        &self,
        frame: usize,
        header: (u32, usize),
        range: std::ops::Range<usize>,
    ) -> Option<usize> {
        let breaks = |at: &usize| {
            let one = &self.executions[*at];
            one.frame == frame
                && self.unit(*at).is_some_and(|unit| unit.breaks)
                && one.place.is_some_and(|place| {
                    place.0 == header.0 && self.sources.loops(place).first() == Some(&header.1)
                })
        };
        range.rev().take(SEARCHED).find(breaks)
    }

    /// Values of a name before and after an execution.
    fn before_and_after(&self, at: usize, name: &str) -> (Option<&'t Value>, Option<&'t Value>) {
        let one = &self.executions[at];
        let get = |event| at_event(self.trace, event).and_then(|state| state.get(name));
        (get(one.events.0), one.next.and_then(get))
    }

    /// Whether an execution changed a name's value, or the attribute of it.
    fn changes(&self, at: usize, name: &str, attribute: Option<&str>) -> bool {
        let (before, after) = self.before_and_after(at, name);
        let text = |value: Option<&Value>| value.and_then(|value| part(value, attribute));
        text(before).map(|v| v.text) != text(after).map(|v| v.text)
    }

    /// The last execution inside a call that changed an object: its own name for it had the final value, or it
    /// names the variable itself.
    fn changed_inside(
        &self,
        at: usize,
        variable: &Variable,
        attribute: Option<&str>,
    ) -> Option<(usize, Variable)> {
        let one = &self.executions[at];
        let end = one.next?;
        let (_, after) = self.before_and_after(at, &variable.1);
        let after = part(after?, attribute)?;
        if one.called.is_empty() || !(attribute.is_some() || is_mutable(&after)) {
            return None;
        }
        let last = self
            .executions
            .partition_point(|other| other.events.0 < end);
        for inside in (at + 1..last).rev().take(SEARCHED) {
            let other = &self.executions[inside];
            if other.activation == one.activation || other.is_entry {
                continue;
            }
            for name in &other.changed {
                let (_, now) = self.before_and_after(inside, name);
                let now = now.and_then(|now| part(now, attribute));
                if now.is_some_and(|now| now.text == after.text)
                    && self.changes(inside, name, attribute)
                {
                    return Some((inside, self.resolve(inside, name)));
                }
            }
            let touches = self
                .unit(inside)
                .is_some_and(|unit| unit.touches.contains(&variable.1));
            if touches && self.resolve(inside, &variable.1) == *variable {
                return Some((inside, variable.clone()));
            }
        }
        None
    }
}

/// Whether values of a kind are mutable.
fn is_mutable(value: &Value) -> bool {
    matches!(
        value.ty,
        ValueType::List
            | ValueType::Set
            | ValueType::Dict
            | ValueType::Deque
            | ValueType::Defaultdict
            | ValueType::Counter
            | ValueType::Ordereddict
            | ValueType::Object
    )
}

/// A value, or an attribute of it.
pub(super) fn part(value: &Value, attribute: Option<&str>) -> Option<Value> {
    let Some(attribute) = attribute else {
        return Some(value.clone());
    };
    let object = ObjectText::parse(&value.text)?;
    let found = object
        .attributes
        .iter()
        .find(|(name, _)| *name == attribute);
    found.map(|(_, text)| Value::new(*text, value.origin))
}
