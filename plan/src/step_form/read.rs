//! Answers out of words.

use codexec_data::trace::notation::{read_text, read_value};
use num_bigint::BigInt;
use ruff_python_ast::{Expr, ModExpression, Number, Operator, Stmt, UnaryOp};
use ruff_python_parser::{parse_expression, parse_module};

use super::link::{Links, is_mutable};
use super::literals::Values;
use super::messages::usual_message;
use super::write::is_first;
use super::{OUTPUT, RAISE, SEPARATOR, STATE, StepFormError};
use crate::question::{Answer, Data, Question, RaisedAnswer, Shape};

/// Longest text of a value that is read.
const MOST_TEXT: usize = 100_000;

/// Reads the target of a question.
///
/// # Errors
/// [`StepFormError::Malformed`] when it is no answer to the question.
pub fn read(question: &Question, target: &str) -> Result<Answer, StepFormError> {
    let words: Vec<&str> = target.split_whitespace().collect();
    let (words, output) = split(&words, OUTPUT);
    let (value, state) = split(words, STATE);
    let mut reader = Reader::new(question);
    let result = match value {
        [RAISE, kind @ ..] => Err(reader.raised(kind)?),
        [] => Ok(Data::None),
        words => {
            let text = read_words(words)?;
            let expr = expression(&text)?;
            let link = reader.links.gives_out;
            Ok(reader.data(&expr, link)?.0)
        }
    };
    let mut changed = Vec::new();
    let mut result = result;
    if let Some(state) = state {
        let Some(Data::Object(number)) = question.operands.first() else {
            return Err(malformed("a change of nothing"));
        };
        let mut shape = question.objects[*number].clone();
        for edit in state.split(|word| *word == SEPARATOR) {
            shape = reader.edited(shape, &read_words(edit)?)?;
        }
        changed.push((*number, shape));
        let own = Data::Object(*number);
        if value.is_empty() && is_first(question, &own) {
            result = Ok(own);
        }
    }
    Ok(Answer {
        result,
        made: reader.shapes.split_off(question.objects.len()),
        changed,
        output: output.map_or(Ok(String::new()), |words| {
            read_text(&words.join(" ")).map_err(|error| malformed(&error.to_string()))
        })?,
        confidence: 1.0,
        sets_in_order: false,
    })
}

fn malformed(why: &str) -> StepFormError {
    StepFormError::Malformed(why.to_string())
}

fn split<'w, 'a>(words: &'w [&'a str], at: &str) -> (&'w [&'a str], Option<&'w [&'a str]>) {
    match words.iter().position(|word| *word == at) {
        Some(found) => (&words[..found], Some(&words[found + 1..])),
        None => (words, None),
    }
}

fn read_words(words: &[&str]) -> Result<String, StepFormError> {
    let text = read_value(&words.join(" ")).map_err(|error| malformed(&error.to_string()))?;
    if text.len() > MOST_TEXT {
        return Err(malformed("a value that is too long"));
    }
    Ok(text)
}

/// Brackets deeper than this are no value: the parser recurses.
const MOST_BRACKETS: usize = 60;

fn shallow(text: &str) -> Result<(), StepFormError> {
    let open = text.chars().filter(|c| "([{-+~".contains(*c)).count();
    let mut depth = 0_usize;
    let mut deepest = 0;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    // A row of signs nests without a bracket.
    let signs =
        text.contains("----------") || text.contains("++++++++++") || text.contains("~~~~~~~~~~");
    if deepest > MOST_BRACKETS || signs || open > MOST_TEXT {
        return Err(malformed("a value that is nested too deeply"));
    }
    Ok(())
}

fn expression(text: &str) -> Result<Expr, StepFormError> {
    shallow(text)?;
    let parsed = parse_expression(text).map_err(|_| malformed(text))?;
    let ModExpression { body, .. } = parsed.into_syntax();
    Ok(*body)
}

/// Builds the objects of an answer.
struct Reader<'q> {
    question: &'q Question,
    links: Links,
    /// The question's objects, then those that the answer makes.
    shapes: Vec<Shape>,
    placeholders: Vec<usize>,
}

impl<'q> Reader<'q> {
    fn new(question: &'q Question) -> Self {
        let placeholders = question.objects.iter().enumerate();
        let placeholders = placeholders.filter(|(_, shape)| **shape == Shape::Placeholder);
        Self {
            question,
            links: Links::new(question),
            shapes: question.objects.clone(),
            placeholders: placeholders.map(|(number, _)| number).collect(),
        }
    }

    fn raised(&mut self, words: &[&str]) -> Result<RaisedAnswer, StepFormError> {
        let text = read_words(words)?;
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        let (kind, rest) = text.split_at(end.unwrap_or(text.len()));
        if kind.is_empty() {
            return Err(malformed("an exception without a kind"));
        }
        let inside = rest
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let args = match inside {
            None if rest.is_empty() => usual_message(self.question, kind).unwrap_or_default(),
            None => return Err(malformed(rest)),
            Some(inside) => match expression(&format!("[{inside}]"))? {
                Expr::List(list) => self.items(&list.elts)?,
                _ => return Err(malformed(rest)),
            },
        };
        Ok(RaisedAnswer {
            kind: kind.to_string(),
            args,
        })
    }

    /// A value and its literal. A container may be one of the question's objects if `link` says so.
    fn data(&mut self, expr: &Expr, link: bool) -> Result<(Data, String), StepFormError> {
        let data = self.value(expr, link)?;
        let text = self.text(&data)?;
        Ok((data, text))
    }

    fn value(&mut self, expr: &Expr, link: bool) -> Result<Data, StepFormError> {
        Ok(match expr {
            Expr::NoneLiteral(_) => Data::None,
            Expr::BooleanLiteral(node) => Data::Bool(node.value),
            Expr::EllipsisLiteral(_) => Data::Ellipsis,
            Expr::StringLiteral(node) => Data::Str(node.value.to_str().into()),
            Expr::BytesLiteral(node) => {
                let bytes: Vec<u8> = node.value.bytes().collect();
                Data::Bytes(bytes.into())
            }
            Expr::NumberLiteral(node) => number(&node.value)?,
            Expr::UnaryOp(node) if node.op == UnaryOp::USub => {
                match self.value(&node.operand, false)? {
                    Data::Int(value) => Data::Int(-value),
                    Data::Float(value) => Data::Float(-value),
                    Data::Complex(real, imag) => Data::Complex(-real, -imag),
                    _ => return Err(malformed("the negative of no number")),
                }
            }
            Expr::BinOp(node) => self.complex(&node.left, node.op, &node.right)?,
            Expr::List(node) => {
                let items = self.items(&node.elts)?;
                self.object(Shape::Items("list", items), link)?
            }
            Expr::Tuple(node) => {
                let items = self.items(&node.elts)?;
                self.object(Shape::Items("tuple", items), false)?
            }
            Expr::Set(node) => {
                let items = self.items(&node.elts)?;
                self.object(Shape::Items("set", items), link)?
            }
            Expr::Dict(_) => {
                let pairs = self.pairs(expr)?;
                self.object(Shape::Dict("dict", Data::None, pairs), link)?
            }
            Expr::Name(node) => self.name(node.id.as_str())?,
            Expr::Attribute(_) => {
                let name = dotted(expr).ok_or_else(|| malformed("an attribute"))?;
                self.object(Shape::Named(name.into()), false)?
            }
            Expr::Call(node) => {
                if !node.arguments.keywords.is_empty()
                    && dotted(&node.func).as_deref() != Some("deque")
                {
                    return Err(malformed("a call with keywords"));
                }
                self.call(node, link)?
            }
            _ => return Err(malformed("something that is no literal")),
        })
    }

    fn items(&mut self, items: &[Expr]) -> Result<Vec<Data>, StepFormError> {
        let link = self.links.elements;
        items.iter().map(|item| self.value(item, link)).collect()
    }

    fn pairs(&mut self, expr: &Expr) -> Result<Vec<(Data, Data)>, StepFormError> {
        let Expr::Dict(node) = expr else {
            return Err(malformed("no dict"));
        };
        let link = self.links.elements;
        let mut pairs = Vec::with_capacity(node.items.len());
        for item in &node.items {
            let key = item.key.as_ref().ok_or_else(|| malformed("a dict"))?;
            pairs.push((self.value(key, false)?, self.value(&item.value, link)?));
        }
        Ok(pairs)
    }

    /// A new object, or the question's object that looks like it.
    fn object(&mut self, shape: Shape, link: bool) -> Result<Data, StepFormError> {
        let number = self.shapes.len();
        let mutable = is_mutable(&shape);
        self.shapes.push(shape);
        if link && mutable {
            let text = self.text(&Data::Object(number));
            if let Some(known) = text.ok().and_then(|text| self.links.find(&text)) {
                self.shapes.pop();
                return Ok(Data::Object(known));
            }
        }
        Ok(Data::Object(number))
    }

    fn name(&mut self, name: &str) -> Result<Data, StepFormError> {
        if let Some(at) = name
            .strip_prefix('o')
            .and_then(|at| at.parse::<usize>().ok())
        {
            let number = self.placeholders.get(at);
            return Ok(Data::Object(
                *number.ok_or_else(|| malformed("an unknown object"))?,
            ));
        }
        Ok(match name {
            "inf" => Data::Float(f64::INFINITY),
            "nan" => Data::Float(f64::NAN),
            "Ellipsis" => Data::Ellipsis,
            "NotImplemented" => Data::NotImplemented,
            name => self.object(Shape::Named(name.into()), false)?,
        })
    }

    fn complex(&mut self, left: &Expr, op: Operator, right: &Expr) -> Result<Data, StepFormError> {
        let real = match self.value(left, false)? {
            Data::Float(value) => value,
            Data::Int(value) => value.to_string().parse().unwrap_or(f64::NAN),
            _ => return Err(malformed("a sum")),
        };
        match (self.value(right, false)?, op) {
            (Data::Complex(_, imag), Operator::Add) => Ok(Data::Complex(real, imag)),
            (Data::Complex(_, imag), Operator::Sub) => Ok(Data::Complex(real, -imag)),
            _ => Err(malformed("a sum")),
        }
    }

    fn call(
        &mut self,
        node: &ruff_python_ast::ExprCall,
        link: bool,
    ) -> Result<Data, StepFormError> {
        let arguments = &node.arguments.args;
        if let Expr::Attribute(attribute) = &*node.func
            && arguments.is_empty()
            && let Some(view) = ["keys", "values", "items"]
                .into_iter()
                .find(|v| *v == attribute.attr.as_str())
        {
            // A view is of a dict that the program has: its own, where there is one like it.
            let of = self.value(&attribute.value, true)?;
            return self.object(Shape::View(view, of), false);
        }
        let name = dotted(&node.func).ok_or_else(|| malformed("a call"))?;
        let shape = match (name.as_str(), &arguments[..]) {
            ("set", []) => Shape::Items("set", Vec::new()),
            ("frozenset", []) => Shape::Items("frozenset", Vec::new()),
            ("tuple", []) => Shape::Items("tuple", Vec::new()),
            ("bytearray", []) => Shape::Items("bytearray", Vec::new()),
            ("iterator", []) => Shape::Items("iterator", Vec::new()),
            ("frozenset", [Expr::Set(inner)]) => {
                Shape::Items("frozenset", self.items(&inner.elts)?)
            }
            ("bytearray", [Expr::BytesLiteral(inner)]) => {
                let bytes = inner.value.bytes().map(|byte| Data::Int(byte.into()));
                Shape::Items("bytearray", bytes.collect())
            }
            ("iter", [Expr::List(inner)]) => Shape::Items("iterator", self.items(&inner.elts)?),
            ("deque", [Expr::List(inner)]) => {
                let most = match &node.arguments.keywords[..] {
                    [] => None,
                    [keyword] => match self.value(&keyword.value, false)? {
                        Data::Int(value) => usize::try_from(value).ok(),
                        _ => None,
                    },
                    _ => return Err(malformed("a deque")),
                };
                Shape::Deque(self.items(&inner.elts)?, most)
            }
            ("Counter", [inner @ Expr::Dict(_)]) => {
                Shape::Dict("Counter", Data::None, self.pairs(inner)?)
            }
            ("OrderedDict", [inner @ Expr::Dict(_)]) => {
                Shape::Dict("OrderedDict", Data::None, self.pairs(inner)?)
            }
            ("defaultdict", [factory, inner @ Expr::Dict(_)]) => {
                let factory = self.value(factory, false)?;
                Shape::Dict("defaultdict", factory, self.pairs(inner)?)
            }
            ("range" | "slice", [_] | [_, _] | [_, _, _]) => {
                let mut three = Vec::with_capacity(3);
                for argument in arguments {
                    three.push(self.value(argument, false)?);
                }
                let range = name == "range";
                let start = if range {
                    Data::Int(0.into())
                } else {
                    Data::None
                };
                let step = if range {
                    Data::Int(1.into())
                } else {
                    Data::None
                };
                if three.len() == 1 {
                    three.insert(0, start);
                }
                if three.len() == 2 {
                    three.push(step);
                }
                let three = three.try_into().map_err(|_| malformed("a range"))?;
                Shape::Three(if range { "range" } else { "slice" }, three)
            }
            _ => return Err(malformed("a call that is no literal")),
        };
        self.object(shape, link)
    }

    /// A container after an edit.
    fn edited(&mut self, shape: Shape, edit: &str) -> Result<Shape, StepFormError> {
        let Some(first) = edit.chars().next() else {
            return Err(malformed("an empty edit"));
        };
        let rest = edit.get(first.len_utf8()..).unwrap_or_default();
        match first {
            '=' => {
                let expr = expression(rest)?;
                self.replaced(shape, &expr)
            }
            '+' | '<' => {
                let wrapped = expression(&format!("[{rest}]"))?;
                let Expr::List(list) = wrapped else {
                    return Err(malformed(edit));
                };
                let items = self.items(&list.elts)?;
                added(shape, items, first == '<')
            }
            '-' => {
                let (data, text) = self.data(&expression(rest)?, true)?;
                self.removed(shape, &data, &text)
            }
            '[' => {
                let (index, rest) = self.indexed(edit)?;
                self.at(shape, &index, rest)
            }
            _ => Err(malformed(edit)),
        }
    }

    /// The index of `[i]`, `[i]=v` or `[i]+v`, and what is done there.
    fn indexed(&mut self, edit: &str) -> Result<(Data, Option<(bool, Data)>), StepFormError> {
        shallow(edit)?;
        let text = format!("x{edit}");
        let parsed = parse_module(&text).map_err(|_| malformed(edit))?;
        let body = parsed.into_syntax().body;
        let link = self.links.elements;
        let (target, what) = match body.first() {
            Some(Stmt::Assign(node)) if node.targets.len() == 1 => {
                let value = self.value(&node.value, link)?;
                (node.targets[0].clone(), Some((true, value)))
            }
            Some(Stmt::Expr(node)) => match &*node.value {
                Expr::BinOp(sum) if sum.op == Operator::Add => {
                    let value = self.value(&sum.right, link)?;
                    ((*sum.left).clone(), Some((false, value)))
                }
                other => (other.clone(), None),
            },
            _ => return Err(malformed(edit)),
        };
        let Expr::Subscript(subscript) = target else {
            return Err(malformed(edit));
        };
        Ok((self.value(&subscript.slice, false)?, what))
    }

    fn at(
        &mut self,
        shape: Shape,
        index: &Data,
        what: Option<(bool, Data)>,
    ) -> Result<Shape, StepFormError> {
        if let Shape::Dict(kind, factory, mut pairs) = shape {
            let Some((true, value)) = what else {
                return Err(malformed("an edit of a dict"));
            };
            let wanted = self.text(index)?;
            let mut found = None;
            for (at, (key, _)) in pairs.iter().enumerate() {
                if self.text(key)? == wanted {
                    found = Some(at);
                    break;
                }
            }
            match found {
                Some(at) => pairs[at].1 = value,
                None => pairs.push((index.clone(), value)),
            }
            return Ok(Shape::Dict(kind, factory, pairs));
        }
        let sequence = |items: &mut Vec<Data>| -> Result<(), StepFormError> {
            let Data::Int(index) = index else {
                return Err(malformed("an index that is no integer"));
            };
            let place = i64::try_from(index).unwrap_or(i64::MAX);
            let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
            let place = if place < 0 { place + length } else { place };
            let place = usize::try_from(place).map_err(|_| malformed("an index out of range"))?;
            let inserts = matches!(what, Some((false, _)));
            if place > items.len() || (place == items.len() && !inserts) {
                return Err(malformed("an index out of range"));
            }
            match what {
                None => {
                    items.remove(place);
                }
                Some((true, value)) => items[place] = value,
                Some((false, value)) => items.insert(place, value),
            }
            Ok(())
        };
        match shape {
            Shape::Items("list", mut items) => {
                sequence(&mut items)?;
                Ok(Shape::Items("list", items))
            }
            Shape::Deque(mut items, most) => {
                sequence(&mut items)?;
                Ok(Shape::Deque(items, most))
            }
            _ => Err(malformed("an index of something without")),
        }
    }

    fn text(&self, data: &Data) -> Result<String, StepFormError> {
        Values::new(&self.shapes, self.question.objects.len()).text(data)
    }

    fn replaced(&mut self, shape: Shape, expr: &Expr) -> Result<Shape, StepFormError> {
        Ok(match (shape, expr) {
            (Shape::Items("list", _), Expr::List(list)) => {
                Shape::Items("list", self.items(&list.elts)?)
            }
            (Shape::Items("bytearray", _), Expr::List(list)) => {
                Shape::Items("bytearray", self.items(&list.elts)?)
            }
            (Shape::Deque(_, most), Expr::List(list)) => {
                Shape::Deque(self.items(&list.elts)?, most)
            }
            (Shape::Items("set", _), Expr::Set(set)) => Shape::Items("set", self.items(&set.elts)?),
            // An empty set has no other text here.
            (Shape::Items("set", _), Expr::Dict(dict)) if dict.items.is_empty() => {
                Shape::Items("set", Vec::new())
            }
            (Shape::Dict(kind, factory, _), dict @ Expr::Dict(_)) => {
                Shape::Dict(kind, factory, self.pairs(dict)?)
            }
            _ => return Err(malformed("a container of another kind")),
        })
    }

    fn removed(&mut self, shape: Shape, data: &Data, text: &str) -> Result<Shape, StepFormError> {
        let missing = || malformed("what is to be taken out is not there");
        let place = |own: &Self, keys: Vec<&Data>| -> Result<usize, StepFormError> {
            for (at, key) in keys.into_iter().enumerate() {
                if key == data || own.text(key)? == text {
                    return Ok(at);
                }
            }
            Err(missing())
        };
        match shape {
            Shape::Items(kind @ ("list" | "set"), mut items) => {
                let at = place(self, items.iter().collect())?;
                items.remove(at);
                Ok(Shape::Items(kind, items))
            }
            Shape::Deque(mut items, most) => {
                let at = place(self, items.iter().collect())?;
                items.remove(at);
                Ok(Shape::Deque(items, most))
            }
            Shape::Dict(kind, factory, mut pairs) => {
                let at = place(self, pairs.iter().map(|(key, _)| key).collect())?;
                pairs.remove(at);
                Ok(Shape::Dict(kind, factory, pairs))
            }
            _ => Err(missing()),
        }
    }
}

fn added(shape: Shape, new: Vec<Data>, in_front: bool) -> Result<Shape, StepFormError> {
    let join = |old: Vec<Data>| {
        if in_front {
            new.iter().cloned().chain(old).collect::<Vec<_>>()
        } else {
            old.into_iter().chain(new.iter().cloned()).collect()
        }
    };
    Ok(match shape {
        Shape::Items(kind @ ("list" | "bytearray"), items) => Shape::Items(kind, join(items)),
        Shape::Items("set", items) if !in_front => Shape::Items("set", join(items)),
        Shape::Deque(items, most) => Shape::Deque(join(items), most),
        _ => return Err(malformed("items added to something that takes none")),
    })
}

fn number(value: &Number) -> Result<Data, StepFormError> {
    Ok(match value {
        Number::Int(value) => {
            let value: BigInt = value
                .to_string()
                .parse()
                .map_err(|_| malformed("a number"))?;
            Data::Int(value)
        }
        Number::Float(value) => Data::Float(*value),
        Number::Complex { real, imag } => Data::Complex(*real, *imag),
    })
}

/// `a.b.c`
fn dotted(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(node) => Some(node.id.to_string()),
        Expr::Attribute(node) => Some(format!("{}.{}", dotted(&node.value)?, node.attr)),
        _ => None,
    }
}
