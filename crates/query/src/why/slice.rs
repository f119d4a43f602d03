//! The slice: backwards from the question, link by link, nearest first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use codexec_trace::{Event, Outcome, ValueType};

use super::story::{Story, Variable};
use super::{Kind, Link};
use crate::syntax::{Call, Head, Position, Read, Unit};

/// The relevant part of an execution.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Want {
    /// The value of a name, or of an attribute.
    Name(String, Option<String>),
    /// The value of its condition, or all that it reads.
    Value,
    /// Its return value.
    Returned,
    /// That it came to be.
    Reached,
    /// Its output.
    Printed(String),
    /// That it raised.
    Raised,
}

/// An execution in the slice.
#[derive(Debug, Default)]
struct Node {
    distance: usize,
    wants: BTreeSet<Want>,
    because: BTreeSet<usize>,
    /// Whether its causes were followed.
    is_controlled: bool,
}

/// An argument of a call: index of the call, and whether a position is that of the argument.
type Argument<'a> = (usize, &'a dyn Fn(&Position) -> bool);

/// A slice that grows.
pub(super) struct Slice<'s, 't> {
    story: &'s Story<'t>,
    depth: usize,
    most: usize,
    nodes: BTreeMap<usize, Node>,
    queue: VecDeque<(usize, Want)>,
    cut: bool,
}

impl<'s, 't> Slice<'s, 't> {
    pub(super) fn new(story: &'s Story<'t>, depth: usize, most: usize) -> Self {
        Self {
            story,
            depth,
            most,
            nodes: BTreeMap::new(),
            queue: VecDeque::new(),
            cut: false,
        }
    }

    /// Adds the question itself, or something this many links away.
    pub(super) fn add(&mut self, at: usize, want: Want, distance: usize) {
        self.want(at, want, distance);
        while let Some((at, want)) = self.queue.pop_front() {
            self.follow(at, &want);
        }
    }

    /// The executions in question.
    pub(super) fn asked(&self) -> impl Iterator<Item = usize> {
        let nodes = self.nodes.iter();
        nodes
            .filter(|(_, node)| node.distance == 0)
            .map(|(at, _)| *at)
    }

    /// Adds a part of an execution, this many links away. Returns whether it is in the slice.
    fn want(&mut self, at: usize, want: Want, distance: usize) -> bool {
        if !self.nodes.contains_key(&at) && (distance > self.depth || self.nodes.len() >= self.most)
        {
            self.cut = true;
            return false;
        }
        let node = self.nodes.entry(at).or_insert_with(|| Node {
            distance,
            ..Node::default()
        });
        if node.wants.insert(want.clone()) {
            self.queue.push_back((at, want));
        }
        true
    }

    /// The causes of an execution.
    fn follow(&mut self, at: usize, want: &Want) {
        let mut from = match want {
            Want::Reached => Vec::new(),
            Want::Name(name, attribute) => self.of_name(at, name, attribute.as_deref()),
            _ => self.of_all(at),
        };
        let (distance, is_controlled) = match self.nodes.get_mut(&at) {
            Some(node) => (
                node.distance + 1,
                std::mem::replace(&mut node.is_controlled, true),
            ),
            None => return,
        };
        if !is_controlled {
            from.extend(self.control(at));
        }
        for (other, want) in from {
            if other == at {
                continue;
            }
            if self.want(other, want, distance)
                && let Some(node) = self.nodes.get_mut(&at)
            {
                node.because.insert(other);
            }
        }
    }

    /// The sources of a name's value.
    fn of_name(&self, at: usize, name: &str, attribute: Option<&str>) -> Vec<(usize, Want)> {
        let story = self.story;
        let one = &story.executions[at];
        if one.is_entry {
            return self.of_parameter(at, name, attribute);
        }
        let Some(unit) = story.unit(at) else {
            return Vec::new();
        };
        if !story.bound(at).any(|bound| bound == name) {
            let before = one.events.0;
            let variable = story.resolve(at, name);
            let stores = |attribute| {
                let mut stores = unit.stores.iter();
                stores.any(|(object, one)| object == name && one == attribute)
            };
            let old = match attribute.is_some_and(stores) {
                true => Vec::new(),
                false => self.got(&variable, attribute, before, at),
            };
            return old.into_iter().chain(self.of_all(at)).collect();
        }
        let bound = unit.binds.iter().rfind(|bound| bound.name == name);
        let reads = match bound.and_then(|bound| bound.from.clone()) {
            Some(range) => &unit.reads[range],
            None => &unit.reads[..],
        };
        let made = self.made(at, unit);
        let mut from = self.of_reads(at, unit, reads, &made, attribute);
        from.extend(self.of_calls(at, unit, &made, None, attribute));
        from
    }

    /// The sources of everything that an execution reads and calls.
    fn of_all(&self, at: usize) -> Vec<(usize, Want)> {
        let Some(unit) = self.story.unit(at) else {
            return Vec::new();
        };
        let made = self.made(at, unit);
        let mut from = self.of_reads(at, unit, &unit.reads, &made, None);
        from.extend(self.of_calls(at, unit, &made, None, None));
        from
    }

    /// The source of a variable's value when `user` reads it at an event, and how loops ended since. Empty for
    /// functions, classes and modules.
    fn got(
        &self,
        variable: &Variable,
        attribute: Option<&str>,
        event: usize,
        user: usize,
    ) -> Vec<(usize, Want)> {
        let story = self.story;
        let state = story.state(variable.0, event);
        let Some(value) = state.and_then(|state| state.get(&variable.1)) else {
            return Vec::new();
        };
        if matches!(
            value.ty,
            ValueType::Function | ValueType::Class | ValueType::Module
        ) {
            return Vec::new();
        }
        // Of an attribute that no state shows, as a method, the whole value is meant.
        let attribute = attribute.filter(|one| super::story::part(value, Some(one)).is_some());
        let Some((at, variable)) = story.definition(variable, attribute, event) else {
            return Vec::new();
        };
        let left = story.left(at, Some(user), event);
        let left = left.into_iter().map(|at| (at, self.condition(at)));
        let name = Want::Name(variable.1, attribute.map(str::to_owned));
        std::iter::once((at, name)).chain(left).collect()
    }

    /// Activations that an execution called, each with the call in its text.
    fn made(&self, at: usize, unit: &Unit) -> Vec<(usize, Option<usize>)> {
        let story = self.story;
        let mut order: Vec<usize> = (0..unit.calls.len()).collect();
        order.sort_by_key(|call| unit.calls[*call].order);
        let mut free = order.clone();
        let mut made = Vec::new();
        for &activation in &story.executions[at].called {
            let frame = story.frames.activations[activation].frame;
            let function = self.function(activation);
            let class = story.class_of(frame);
            let is = |call: &Call| {
                let name = call.name.as_deref();
                name == Some(function) || function == "__init__" && name.is_some() && name == class
            };
            let fits = |call: &&usize| is(&unit.calls[**call]);
            let found = free.iter().find(fits).or_else(|| order.iter().find(fits));
            let found = found.copied();
            free.retain(|call| Some(*call) != found);
            made.push((activation, found));
        }
        // A decorated function has another name.
        if let ([call], Some(other)) =
            (free.as_slice(), made.iter_mut().find(|one| one.1.is_none()))
            && !self.function(other.0).starts_with("__")
            && unit.reads.iter().any(|read| read.is_function_of(*call))
        {
            other.1 = Some(*call);
        }
        made
    }

    /// The function of an activation.
    fn function(&self, activation: usize) -> &'t str {
        let call = self.story.frames.activations[activation].call;
        let step = call.and_then(|call| self.story.trace.steps.get(call));
        step.map_or("", |step| &step.function)
    }

    /// The sources of the names that an execution reads, including arguments of the program's functions.
    fn of_reads(
        &self,
        at: usize,
        unit: &Unit,
        reads: &[Read],
        made: &[(usize, Option<usize>)],
        attribute: Option<&str>,
    ) -> Vec<(usize, Want)> {
        let event = self.story.executions[at].events.0;
        let direct = |read: &&Read| !is_given(&read.calls, made);
        let reads: Vec<&Read> = reads.iter().filter(direct).collect();
        // `b = a` hands on the attributes of `a`.
        let handed = match (reads.as_slice(), attribute) {
            ([_], Some(_)) if made.is_empty() && unit.calls.is_empty() => attribute,
            _ => None,
        };
        let got = |read: &&Read| {
            let part = read.attribute.as_deref().or(handed);
            self.got(&self.story.resolve(at, &read.name), part, event, at)
        };
        reads.iter().flat_map(got).collect()
    }

    /// What functions gave back that an execution called: directly, or in an argument of another call.
    fn of_calls(
        &self,
        at: usize,
        unit: &Unit,
        made: &[(usize, Option<usize>)],
        argument: Option<Argument<'_>>,
        attribute: Option<&str>,
    ) -> Vec<(usize, Want)> {
        let story = self.story;
        let mut from = Vec::new();
        for (activation, call) in made {
            let around: &[(usize, Position)] = match call {
                Some(call) => &unit.calls[*call].calls,
                None => &[],
            };
            let (counts, around) = match argument {
                None => (true, around),
                // The contents of the argument, unless another call of the program lies between.
                Some((outer, is)) => {
                    let place = around
                        .iter()
                        .position(|(call, at)| *call == outer && is(at));
                    (
                        place.is_some(),
                        &around[place.map_or(0, |place| place + 1)..],
                    )
                }
            };
            if !counts || is_given(around, made) {
                continue;
            }
            let stay = &story.frames.activations[*activation];
            if self.function(*activation) == "__init__" {
                // A class returns the instance that its `__init__` initialised.
                let own = story
                    .scope(stay.frame)
                    .and_then(|(_, scope)| scope.parameters.first());
                from.extend(
                    own.into_iter().flat_map(|own| {
                        self.got(&(stay.frame, own.clone()), attribute, stay.end, at)
                    }),
                );
                continue;
            }
            let given = story.trace.steps.get(stay.end);
            let is_value = given.is_some_and(|step| {
                step.event == Event::Return && step.value.as_ref().is_some_and(|v| v.text != "None")
            });
            if is_value && let Some(last) = story.last_of(*activation) {
                from.push((last, Want::Returned));
            }
        }
        from
    }

    /// The argument for a parameter.
    fn of_parameter(
        &self,
        entry: usize,
        name: &str,
        attribute: Option<&str>,
    ) -> Vec<(usize, Want)> {
        let story = self.story;
        let one = &story.executions[entry];
        let Some(caller) = story.caller[one.activation] else {
            return Vec::new();
        };
        let Some(unit) = story.unit(caller) else {
            return Vec::new();
        };
        let made = self.made(caller, unit);
        let call = made
            .iter()
            .find(|(activation, _)| *activation == one.activation)
            .and_then(|(_, call)| *call);
        let Some(call) = call else {
            // Called by an operator or by the library: everything that the statement reads.
            return self.of_reads(caller, unit, &unit.reads, &[], None);
        };
        let scope = story.scope(one.frame).map(|(_, scope)| scope);
        let is_method = story.class_of(one.frame).is_some() && scope.is_some_and(|s| !s.is_static);
        let place = scope.and_then(|scope| scope.parameters.iter().position(|p| p == name));
        let is = |position: &Position| match (position, place) {
            (Position::Keyword(keyword), _) => keyword == name,
            (Position::Receiver, Some(place)) => is_method && place == 0,
            (Position::Argument(number), Some(place)) => number + usize::from(is_method) == place,
            // `*args`, or a function of unknown text, such as a lambda.
            (Position::Argument(_), None) => true,
            (Position::Spread, place) => !(is_method && place == Some(0)),
            _ => false,
        };
        let inside = |read: &&Read| {
            let place = read.calls.iter().position(|(at, p)| *at == call && is(p));
            place.is_some_and(|place| !is_given(&read.calls[place + 1..], &made))
        };
        let reads: Vec<Read> = unit.reads.iter().filter(inside).cloned().collect();
        // The read is part of the call itself: being passed to it is no reason to leave it out.
        let bare: Vec<Read> = reads
            .into_iter()
            .map(|read| Read {
                calls: Vec::new(),
                ..read
            })
            .collect();
        let event = story.executions[caller].events.0;
        let plain = bare.len() == 1;
        let got = |read: &Read| {
            let part = read.attribute.as_deref().or(attribute.filter(|_| plain));
            self.got(&story.resolve(caller, &read.name), part, event, caller)
        };
        let mut from: Vec<(usize, Want)> = bare.iter().flat_map(got).collect();
        from.extend(self.of_calls(caller, unit, &made, Some((call, &is)), None));
        from
    }

    /// What caused an execution.
    fn control(&self, at: usize) -> Vec<(usize, Want)> {
        let story = self.story;
        let one = &story.executions[at];
        if one.is_entry {
            let caller = story.caller[one.activation];
            return caller.map_or(Vec::new(), |caller| self.control(caller));
        }
        let (Some((file, _)), Some(unit)) = (one.place, story.unit(at)) else {
            return self.begin_of(one.frame);
        };
        if unit.head == Some(Head::Except) {
            return self.raised_before(one.events.0).into_iter().collect();
        }
        let mut from = Vec::new();
        let parent = unit.parent.map(|(parent, _)| parent);
        for condition in parent.into_iter().chain(unit.guards.iter().copied()) {
            let last = story.last_of_unit(one.frame, (file, condition), at);
            from.extend(last.map(|last| (last, self.condition(last))));
        }
        if parent.is_none() {
            from.extend(self.begin_of(one.frame));
        }
        from
    }

    /// The relevant parts of a header for the statements under it.
    fn condition(&self, at: usize) -> Want {
        match self.story.unit(at).and_then(|unit| unit.head) {
            Some(Head::Except) | None => Want::Reached,
            _ => Want::Value,
        }
    }

    fn begin_of(&self, frame: usize) -> Vec<(usize, Want)> {
        let entry = self.story.entry(frame);
        entry
            .map(|entry| (entry, Want::Reached))
            .into_iter()
            .collect()
    }

    /// The execution that raised the exception handled at an event.
    fn raised_before(&self, event: usize) -> Option<(usize, Want)> {
        let steps = &self.story.trace.steps;
        let mut last = event.checked_sub(1)?;
        while last > 0 && steps[last].event == Event::Return && steps[last].value.is_none() {
            last -= 1;
        }
        Some((self.story.during(last)?, Want::Raised))
    }

    /// The links in their order, and whether there would be more.
    pub(super) fn links(self) -> (Vec<Link>, bool) {
        let mut links: Vec<(usize, usize, Link)> = self
            .nodes
            .iter()
            .map(|(at, node)| (*at, self.link(*at, node)))
            .map(|(at, link)| (link.step, at, link))
            .collect();
        // In one step, a function ends, then its calling line completes, then the next function is called.
        links.sort_by_key(|(step, at, link)| {
            (*step, link.kind == Kind::Called, std::cmp::Reverse(*at))
        });
        let places = links.iter().enumerate();
        let places: BTreeMap<usize, usize> = places.map(|(k, (_, at, _))| (*at, k)).collect();
        let links = links.into_iter().map(|(_, at, mut link)| {
            let because = &self.nodes[&at].because;
            link.because = because
                .iter()
                .filter_map(|other| places.get(other).copied())
                .collect();
            link.because.sort_unstable();
            link
        });
        (links.collect(), self.cut)
    }

    fn link(&self, at: usize, node: &Node) -> Link {
        let story = self.story;
        let one = &story.executions[at];
        let trace = story.trace;
        // A call appears on its line; calls by the interpreter at exit have none.
        let shown = match one.is_entry {
            true => story.caller[one.activation].unwrap_or(at),
            false => at,
        };
        let place = &trace.steps[story.executions[shown].events.0];
        let first = story.unit(shown).map_or(place.line, |unit| unit.first);
        let source = story
            .sources
            .file(place.file)
            .map_or("", |file| file.text(first));
        let mut link = Link {
            step: match one.is_entry {
                true => one.events.0.saturating_sub(1),
                false => one.next.map_or(one.events.1, |next| next - 1),
            },
            line: first,
            file: place.file,
            function: place.function.to_string(),
            depth: place.depth,
            source: source.to_owned(),
            kind: Kind::Done,
            of: None,
            values: Vec::new(),
            value: None,
            holds: None,
            text: None,
            distance: node.distance,
            because: Vec::new(),
        };
        if one.is_entry {
            link.kind = Kind::Called;
            link.of = Some(self.function(one.activation).to_owned());
        }
        for want in &node.wants {
            self.show(at, want, &mut link);
        }
        link
    }

    /// Adds what matters of an execution to its link.
    fn show(&self, at: usize, want: &Want, link: &mut Link) {
        let story = self.story;
        let one = &story.executions[at];
        match want {
            Want::Name(name, attribute) => {
                let variable = match one.is_entry {
                    true => (one.frame, name.clone()),
                    false => story.resolve(at, name),
                };
                let shown = match attribute {
                    Some(attribute) => format!("{name}.{attribute}"),
                    None => name.clone(),
                };
                if let Some(value) = story.value(at, &variable, attribute.as_deref()) {
                    link.values.push((shown, value));
                }
                if link.kind == Kind::Done {
                    link.kind = match story.bound(at).any(|bound| bound == name) {
                        true => Kind::Assigned,
                        false => Kind::Changed,
                    };
                }
            }
            Want::Value | Want::Reached if !one.is_entry => {
                let unit = story.unit(at);
                let head = unit.and_then(|unit| unit.head);
                if link.kind == Kind::Done && head.is_some_and(|head| head != Head::Except) {
                    link.kind = Kind::Condition;
                    link.holds = story.holds(at);
                }
                // The loop variable identifies the iteration.
                if head == Some(Head::For) && link.values.is_empty() {
                    for name in story.bound(at) {
                        let value = story.value(at, &story.resolve(at, name), None);
                        link.values.extend(value.map(|value| (name.clone(), value)));
                    }
                }
            }
            Want::Value | Want::Reached => {}
            Want::Returned => {
                link.kind = Kind::Returned;
                let end = story.frames.activations[one.activation].end;
                link.step = end.min(story.trace.steps.len() - 1);
                link.value = story
                    .trace
                    .steps
                    .get(end)
                    .and_then(|step| step.value.as_deref().cloned());
            }
            Want::Printed(text) => {
                link.kind = Kind::Printed;
                link.text = Some(text.clone());
            }
            Want::Raised => {
                link.kind = Kind::Raised;
                if let Outcome::Raised {
                    exception,
                    message,
                    step: Some(step),
                    ..
                } = &story.trace.outcome
                    && story.during(*step as usize) == Some(at)
                {
                    let colon = if message.is_empty() { "" } else { ": " };
                    link.text = Some(format!("{exception}{colon}{message}"));
                    link.step = *step as usize;
                }
            }
        }
    }
}

/// Whether something is inside of an argument of a call that the program's own function took: it is followed there.
fn is_given(calls: &[(usize, Position)], made: &[(usize, Option<usize>)]) -> bool {
    calls.iter().any(|(call, position)| {
        *position != Position::Function && made.iter().any(|(_, one)| *one == Some(*call))
    })
}
