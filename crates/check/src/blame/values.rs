//! Values at the place where a planned trace raised: of names and literals, of simple sums of them, and numbers of
//! items.

use codexec_data::trace::{State, Trace, Value};

/// Maximum characters of a value that are shown.
const SHOWN: usize = 40;
/// Maximum names whose values are shown.
const MOST_NAMES: usize = 4;

/// Values at the place where a trace raised.
pub(super) struct Values<'t> {
    /// Of the frame that raised, then of the module.
    states: Vec<&'t State>,
}

impl<'t> Values<'t> {
    pub(super) fn at(trace: &'t Trace) -> Self {
        let steps = trace.until_raise();
        let mut states = Vec::new();
        if let Some(last) = steps.last() {
            states.push(&last.state);
            let module = steps.iter().rev().find(|step| step.depth == 0);
            states.extend(module.map(|step| &step.state));
        }
        Self { states }
    }

    fn get(&self, name: &str) -> Option<&'t Value> {
        self.states.iter().find_map(|state| state.get(name))
    }

    /// Text and type of a name or a literal.
    pub(super) fn of(&self, text: &str) -> Option<(String, String)> {
        let text = text.trim().trim_matches(['(', ')']);
        let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !text.starts_with(|c: char| c.is_ascii_digit());
        let value = match is_name {
            true => self.get(text).cloned(),
            false => None,
        };
        let value = value.unwrap_or_else(|| Value::observed(text));
        let name = type_name(&value)?;
        (!is_name || self.get(text).is_some() || name == "bool" || name == "NoneType")
            .then(|| (short(&value.text), name))
    }

    /// Whether a subscript fails according to its known index and container; true if they are unknown.
    pub(super) fn fails(&self, holder: &str, index: &str, message: &str) -> bool {
        let Some((text, ty)) = self.whole(holder) else {
            return true;
        };
        match ty.as_str() {
            "list" | "tuple" | "str" => match (self.number(index), items(&text, &ty)) {
                (Some(at), Some(count)) => at >= count || at < -count,
                _ => true,
            },
            _ => self
                .of(index)
                .is_none_or(|(key, _)| key == message || !message.starts_with(['\'', '"'])),
        }
    }

    /// `3`, `i`, `i + 1`, `n - 1`.
    fn number(&self, text: &str) -> Option<i64> {
        let one = |text: &str| -> Option<i64> {
            let text = text.trim();
            match text.parse() {
                Ok(number) => Some(number),
                Err(_) => self.get(text)?.text.parse().ok(),
            }
        };
        let text = text.trim();
        if let Some(number) = one(text) {
            return Some(number);
        }
        if let Some((left, right)) = text.split_once('+') {
            return one(left)?.checked_add(one(right)?);
        }
        let (left, right) = text.split_once('-')?;
        match left.trim() {
            "" => one(right)?.checked_neg(),
            left => one(left)?.checked_sub(one(right)?),
        }
    }

    /// Whole text and type of a name's value.
    fn whole(&self, name: &str) -> Option<(String, String)> {
        let value = self.get(name.trim())?;
        Some((value.text.to_string(), type_name(value)?))
    }

    /// `n = 0, xs = []` for the names in a text with known values.
    pub(super) fn of_names(&self, text: &str) -> Option<String> {
        let mut names: Vec<&str> = Vec::new();
        for name in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        let plain = |name: &&str| {
            self.get(name).and_then(|value| {
                type_name(value).map(|_| format!("{name} = {}", short(&value.text)))
            })
        };
        let known: Vec<String> = names.iter().filter_map(plain).take(MOST_NAMES).collect();
        (!known.is_empty()).then(|| known.join(", "))
    }
}

/// Number of items of a list or tuple with this text, or of characters of a string. `None` if
/// truncated.
fn items(text: &str, ty: &str) -> Option<i64> {
    if text.contains("...") || text.contains('\\') {
        return None;
    }
    let inner = text.get(1..text.len().checked_sub(1)?)?;
    if ty == "str" {
        return i64::try_from(inner.chars().count()).ok();
    }
    let (mut depth, mut quote, mut commas, mut last) = (0u32, None, 0, ' ');
    for c in inner.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '[' | '(' | '{' | '<') => depth += 1,
            (None, ']' | ')' | '}' | '>') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => commas += 1,
            _ => {}
        }
        last = c;
    }
    match (inner.trim().is_empty(), last) {
        (true, _) => Some(0),
        (false, ',') => Some(commas),
        (false, _) => Some(commas + 1),
    }
}

/// The name of a value's type. `None` for functions, classes, modules and text of unknown shape.
fn type_name(value: &Value) -> Option<String> {
    use codexec_data::trace::ValueType as T;
    let name = match value.ty {
        T::None => "NoneType",
        T::Ellipsis => "ellipsis",
        T::Module | T::Function | T::Class | T::Unknown => return None,
        T::Object => {
            let text = value.text.trim_start_matches('<');
            return text.split([' ', '>']).next().map(str::to_owned);
        }
        T::Bool => "bool",
        T::Int => "int",
        T::Float => "float",
        T::Complex => "complex",
        T::Str => "str",
        T::Bytes => "bytes",
        T::List => "list",
        T::Tuple => "tuple",
        T::Set => "set",
        T::Frozenset => "frozenset",
        T::Dict => "dict",
        T::Deque => "collections.deque",
        T::Defaultdict => "collections.defaultdict",
        T::Counter => "Counter",
        T::Ordereddict => "collections.OrderedDict",
        T::Range => "range",
    };
    Some(name.to_owned())
}

fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_texts_are_counted() {
        for (text, ty, count) in [
            ("[]", "list", Some(0)),
            ("[1, (2, 3), 'a,b']", "list", Some(3)),
            ("(1,)", "tuple", Some(1)),
            ("'abc'", "str", Some(3)),
            ("[1, ...]", "list", None),
            ("x", "list", None),
        ] {
            assert_eq!(items(text, ty), count, "{text}");
        }
    }
}
