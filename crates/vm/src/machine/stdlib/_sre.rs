//! Regular expression matching for the runtime's `re`.

use crate::fold::re_errors::pattern_error;
use crate::fold::regex::{Pattern, Place, TooLong, compiled};
use crate::machine::{Flow, Machine, Run};
use crate::value::Value;

/// Maximum bytes of a pattern.
const LONGEST: usize = 10_000;

impl Machine {
    /// `_re_compile(pattern, flags)` returns the number of groups and their names with numbers, or
    /// the error in the pattern and its position. `_re_find(pattern, flags, text, start, place)`
    /// returns `None`, or the spans of all groups and the number of the last one.
    pub(in crate::machine) fn match_pattern(&mut self, arguments: &[Value]) -> Run<Value> {
        let unsupported = || Flow::Unsupported("a regular expression like that".to_string());
        let [Value::Str(pattern), Value::Int(flags), rest @ ..] = arguments else {
            return Err(unsupported());
        };
        if pattern.len() > LONGEST {
            return Err(unsupported());
        }
        // The work of compiling a pattern that is not cached.
        self.charge(200 * pattern.len());
        let int = |n: usize| Value::Int(i64::try_from(n).unwrap_or(i64::MAX));
        let [Value::Str(text), Value::Int(start), Value::Str(place)] = rest else {
            let Some(found) = compiled(pattern, *flags, Place::Anywhere) else {
                let (what, at) = pattern_error(pattern, *flags).ok_or_else(unsupported)?;
                return Ok(self.heap.tuple(vec![Value::str(&what), int(at)]));
            };
            let Pattern { groups, names, .. } = &*found;
            let pair = |(name, number): &(String, usize)| {
                self.heap.tuple(vec![Value::str(name), int(*number)])
            };
            let names = names.iter().map(pair).collect();
            let names = self.heap.tuple(names);
            return Ok(self.heap.tuple(vec![int(*groups), names]));
        };
        let after_empty = &**place == "next";
        let place = match &**place {
            "match" => Place::Start,
            "fullmatch" => Place::Whole,
            "next" => Place::NotEmpty,
            _ => Place::Anywhere,
        };
        self.charge(text.len());
        let found = compiled(pattern, *flags, place).ok_or_else(unsupported)?;
        let start = usize::try_from(*start).unwrap_or(0);
        let mut found = found.find(text, start).map_err(|TooLong| unsupported())?;
        if found.is_none() && after_empty {
            let anywhere = compiled(pattern, *flags, Place::Anywhere).ok_or_else(unsupported)?;
            found = anywhere
                .find(text, start + 1)
                .map_err(|TooLong| unsupported())?;
        }
        let Some((spans, last)) = found else {
            return Ok(Value::None);
        };
        let mut places = Vec::with_capacity(spans.len());
        for span in spans {
            places.push(match span {
                Some((start, end)) => self.heap.tuple(vec![int(start), int(end)]),
                None => Value::None,
            });
        }
        let places = self.heap.list(places);
        let last = last.map_or(Value::None, int);
        Ok(self.heap.tuple(vec![places, last]))
    }
}
