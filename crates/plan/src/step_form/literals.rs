//! Values of a question as Python literals.

use super::{StepFormError, powers};
use crate::question::{Data, Shape};
use codexec_vm::fold::number_text;
use codexec_vm::text::quoted;

/// Maximum nesting.
const MOST_DEPTH: usize = 40;
/// Maximum objects shown in one value: a small graph can have an enormous text.
const MOST_SHOWN: usize = 4_000;

/// Minimum run of equal items that is written as one item and its count.
const LEAST_RUN: usize = 6;

/// How much of a container is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    /// Positions that are shown, in order.
    pub positions: Vec<usize>,
    /// Whether to write the number of omitted items.
    pub counted: bool,
}

/// Objects by number, and the names of those without a literal.
pub(super) struct Values<'a> {
    shapes: &'a [Shape],
    /// Numbers of the placeholders, in order of the question.
    placeholders: Vec<usize>,
    shown: Vec<(usize, Shown)>,
    left: std::cell::Cell<usize>,
}

impl<'a> Values<'a> {
    /// For a question's objects, the first `known` ones, and those added by an answer.
    pub(super) fn new(shapes: &'a [Shape], known: usize) -> Self {
        let placeholders = shapes[..known].iter().enumerate();
        let placeholders = placeholders.filter(|(_, shape)| **shape == Shape::Placeholder);
        Self {
            shapes,
            placeholders: placeholders.map(|(number, _)| number).collect(),
            shown: Vec::new(),
            left: std::cell::Cell::new(MOST_SHOWN),
        }
    }

    /// Shows only part of an object.
    pub(super) fn show_part(&mut self, object: usize, part: Shown) {
        self.shown.push((object, part));
    }

    /// Shape of an object.
    pub(super) fn shape(&self, data: &Data) -> Option<&'a Shape> {
        match data {
            Data::Object(number) => self.shapes.get(*number),
            _ => None,
        }
    }

    /// The literal of a value.
    pub(super) fn text(&self, data: &Data) -> Result<String, StepFormError> {
        self.left.set(MOST_SHOWN);
        let mut out = String::new();
        self.write(&mut out, data, 0)?;
        Ok(out)
    }

    /// Literals joined by commas.
    pub(super) fn texts(&self, items: &[Data]) -> Result<String, StepFormError> {
        let texts: Result<Vec<String>, _> = items.iter().map(|item| self.text(item)).collect();
        Ok(texts?.join(", "))
    }

    fn write(&self, out: &mut String, data: &Data, depth: usize) -> Result<(), StepFormError> {
        match data {
            Data::None => out.push_str("None"),
            Data::Bool(true) => out.push_str("True"),
            Data::Bool(false) => out.push_str("False"),
            Data::Int(value) => {
                let text = number_text::integer(value);
                let text = text.ok_or(StepFormError::NoText("an integer that is too long"))?;
                out.push_str(&powers::written(&text));
            }
            Data::Float(value) => out.push_str(&number_text::float(*value)),
            Data::Complex(real, imag) => out.push_str(&number_text::complex(*real, *imag)),
            Data::Str(text) => quoted::text(out, text),
            Data::Bytes(bytes) => quoted::bytes(out, bytes),
            Data::Ellipsis => out.push_str("Ellipsis"),
            Data::NotImplemented => out.push_str("NotImplemented"),
            Data::Object(number) => self.object(out, *number, depth)?,
        }
        Ok(())
    }

    fn object(&self, out: &mut String, number: usize, depth: usize) -> Result<(), StepFormError> {
        let left = self.left.get().checked_sub(1);
        self.left
            .set(left.ok_or(StepFormError::NoText("a value of too many objects"))?);
        if depth > MOST_DEPTH {
            return Err(StepFormError::NoText("a value that is nested too deeply"));
        }
        let shape = self
            .shapes
            .get(number)
            .ok_or(StepFormError::NoText("an unknown object"))?;
        let part = self
            .shown
            .iter()
            .find(|(n, _)| *n == number)
            .map(|(_, part)| part);
        match shape {
            Shape::Items("list", items) => {
                out.push('[');
                self.items(out, items, part, depth)?;
                out.push(']');
            }
            Shape::Items("tuple", items) => {
                out.push('(');
                self.items(out, items, part, depth)?;
                // One item, or one run of items.
                let single = !items.is_empty() && part.is_none() && run(items, 0) == items.len();
                out.push_str(if single { ",)" } else { ")" });
            }
            Shape::Items(kind, items) if items.is_empty() => {
                out.push_str(kind);
                out.push_str("()");
            }
            Shape::Items("set", items) => {
                out.push('{');
                self.items(out, items, part, depth)?;
                out.push('}');
            }
            Shape::Items("frozenset", items) => {
                out.push_str("frozenset({");
                self.items(out, items, part, depth)?;
                out.push_str("})");
            }
            Shape::Items("bytearray", items) => byte_array(out, items)?,
            Shape::Items(_, items) => {
                out.push_str("iter([");
                self.items(out, items, part, depth)?;
                out.push_str("])");
            }
            Shape::Deque(items, most) => {
                out.push_str("deque([");
                self.items(out, items, part, depth)?;
                out.push(']');
                if let Some(most) = most {
                    out.push_str(&format!(", maxlen={most}"));
                }
                out.push(')');
            }
            Shape::Dict(kind, factory, pairs) => {
                self.dict_open(out, kind, factory, depth)?;
                self.pairs(out, pairs, part, depth)?;
                out.push_str(if *kind == "dict" { "}" } else { "})" });
            }
            Shape::Three(kind, three) => self.three(out, kind, three, depth)?,
            Shape::Named(name) => out.push_str(name),
            Shape::Method(of, name) => {
                self.write(out, of, depth + 1)?;
                out.push('.');
                out.push_str(name);
            }
            Shape::View(view, of) => {
                self.write(out, of, depth + 1)?;
                out.push('.');
                out.push_str(view);
                out.push_str("()");
            }
            Shape::Opaque(_, text) => out.push_str(text),
            Shape::Placeholder => {
                let at = self.placeholders.iter().position(|n| *n == number);
                let at = at.ok_or(StepFormError::NoText("a new placeholder"))?;
                out.push_str(&format!("o{at}"));
            }
        }
        Ok(())
    }

    /// Writes the beginning of a dictionary, up to its first pair.
    fn dict_open(
        &self,
        out: &mut String,
        kind: &str,
        factory: &Data,
        depth: usize,
    ) -> Result<(), StepFormError> {
        match kind {
            "dict" => {}
            "defaultdict" => {
                out.push_str("defaultdict(");
                self.write(out, factory, depth + 1)?;
                out.push_str(", ");
            }
            kind => {
                out.push_str(kind);
                out.push('(');
            }
        }
        out.push('{');
        Ok(())
    }

    /// Writes a range or a slice without the parts that are the default.
    fn three(
        &self,
        out: &mut String,
        kind: &str,
        [start, stop, step]: &[Data; 3],
        depth: usize,
    ) -> Result<(), StepFormError> {
        out.push_str(kind);
        out.push('(');
        let from_zero = *start == Data::Int(0.into()) || *start == Data::None;
        let by_one = *step == Data::Int(1.into()) || *step == Data::None;
        let shown: &[&Data] = match (from_zero, by_one) {
            (true, true) => &[stop],
            (false, true) => &[start, stop],
            _ => &[start, stop, step],
        };
        for (at, data) in shown.iter().enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            self.write(out, data, depth + 1)?;
        }
        out.push(')');
        Ok(())
    }

    fn items(
        &self,
        out: &mut String,
        items: &[Data],
        part: Option<&Shown>,
        depth: usize,
    ) -> Result<(), StepFormError> {
        if part.is_none() {
            let mut at = 0;
            while at < items.len() {
                if at > 0 {
                    out.push_str(", ");
                }
                let count = run(items, at);
                if count > 1 {
                    out.push_str("*[");
                    self.write(out, &items[at], depth + 1)?;
                    out.push_str(&format!("]*{count}"));
                } else {
                    self.write(out, &items[at], depth + 1)?;
                }
                at += count;
            }
            return Ok(());
        }
        each(out, items.len(), part, "*", |out, at| {
            self.write(out, &items[at], depth + 1)
        })
    }

    fn pairs(
        &self,
        out: &mut String,
        pairs: &[(Data, Data)],
        part: Option<&Shown>,
        depth: usize,
    ) -> Result<(), StepFormError> {
        each(out, pairs.len(), part, "**", |out, at| {
            self.write(out, &pairs[at].0, depth + 1)?;
            out.push_str(": ");
            self.write(out, &pairs[at].1, depth + 1)
        })
    }
}

/// Writes a `bytearray` with its items as one literal of bytes.
fn byte_array(out: &mut String, items: &[Data]) -> Result<(), StepFormError> {
    let byte = |data: &Data| match data {
        Data::Int(value) => u8::try_from(value).ok(),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = items.iter().map(byte).collect();
    out.push_str("bytearray(");
    quoted::bytes(out, &bytes.ok_or(StepFormError::NoText("a byte"))?);
    out.push(')');
    Ok(())
}

/// How many items from one on are written together: a long run of equal ones, or one.
fn run(items: &[Data], from: usize) -> usize {
    let first = &items[from];
    if matches!(first, Data::Object(_)) {
        return 1;
    }
    let equal = |item: &&Data| match (item, first) {
        // 0.0 and -0.0 are equal, but have different text.
        (Data::Float(a), Data::Float(b)) => a.to_bits() == b.to_bits(),
        (item, first) => *item == first,
    };
    let count = items[from..].iter().take_while(equal).count();
    if count >= LEAST_RUN { count } else { 1 }
}

/// Writes the shown ones of `count` items, with a mark for omitted ones.
fn each(
    out: &mut String,
    count: usize,
    part: Option<&Shown>,
    star: &str,
    mut write: impl FnMut(&mut String, usize) -> Result<(), StepFormError>,
) -> Result<(), StepFormError> {
    let Some(part) = part else {
        return (0..count).try_for_each(|at| {
            if at > 0 {
                out.push_str(", ");
            }
            write(out, at)
        });
    };
    let mut next = 0;
    let mut first = true;
    let mut comma = |out: &mut String| {
        if !std::mem::take(&mut first) {
            out.push_str(", ");
        }
    };
    for at in part.positions.iter().copied().chain([count]) {
        if at > next {
            comma(out);
            if part.counted {
                out.push_str(&format!("{star}{}", at - next));
            } else {
                out.push_str("...");
            }
        }
        if at < count {
            comma(out);
            write(out, at)?;
        }
        next = at + 1;
    }
    Ok(())
}
