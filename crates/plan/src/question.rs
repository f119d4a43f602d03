//! One operation that the machine cannot fold, and the oracle's answer.
//!
//! A question holds values, not objects: a graph of everything that its operands refer to, numbered, so that
//! an answer can say that the result *is* the third element of the list, or that the list changed. What no
//! oracle can look into (functions and instances of the program) is a placeholder with an identity.

use std::sync::Arc;

use num_bigint::BigInt;
use serde_json::{Value as Json, json};

pub use codexec_vm::operation::Operation;

/// A value of a question: a scalar, or a numbered object.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A float.
    Float(f64),
    /// A complex number.
    Complex(f64, f64),
    /// Text.
    Str(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// `...`
    Ellipsis,
    /// `NotImplemented`
    NotImplemented,
    /// Number of an object of the graph.
    Object(usize),
}

/// An object of a question's graph.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// `list`, `tuple`, `set`, `frozenset`, `bytearray` or an `iterator` with its items.
    Items(&'static str, Vec<Data>),
    /// `deque` with its `maxlen`.
    Deque(Vec<Data>, Option<usize>),
    /// `dict`, `defaultdict`, `Counter` or `OrderedDict`, the factory of a `defaultdict`, and pairs.
    Dict(&'static str, Data, Vec<(Data, Data)>),
    /// `range` or `slice`.
    Three(&'static str, [Data; 3]),
    /// A builtin function or class, or a module, by its dotted name.
    Named(Arc<str>),
    /// A method of a builtin value.
    Method(Data, Arc<str>),
    /// A view of a dict: `keys`, `values`, `items`.
    View(&'static str, Data),
    /// A value of a class that only an oracle knows, made by an expression.
    Opaque(Arc<str>, Arc<str>),
    /// An object with an identity and nothing else.
    Placeholder,
}

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The operation.
    pub operation: Operation,
    /// With what.
    pub operands: Vec<Data>,
    /// Names of the last operands, if they are keyword arguments.
    pub keywords: Vec<Arc<str>>,
    /// Names that the program has for operands, for the text of the question.
    pub names: Vec<Option<Arc<str>>>,
    /// The objects.
    pub objects: Vec<Shape>,
}

/// An exception that an operation raises.
#[derive(Debug, Clone, PartialEq)]
pub struct RaisedAnswer {
    /// Builtin class, as `ValueError`.
    pub kind: String,
    /// Its arguments.
    pub args: Vec<Data>,
}

/// An oracle's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The value, or the exception.
    pub result: Result<Data, RaisedAnswer>,
    /// Objects that were not there before, by number: the first has the number that follows the question's.
    pub made: Vec<Shape>,
    /// Objects of the question that changed.
    pub changed: Vec<(usize, Shape)>,
    /// The printed output.
    pub output: String,
    /// The oracle's confidence, in 0..=1.
    pub confidence: f32,
    /// Whether the elements of sets are in CPython's iteration order.
    pub sets_in_order: bool,
}

/// The error in an answer, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The oracle cannot answer; in words.
    #[error("{0}")]
    Refused(String),
    /// The text of an answer has no known form.
    #[error("an answer that cannot be read: {0}")]
    Malformed(String),
}

fn data_json(data: &Data) -> Json {
    match data {
        Data::None => Json::Null,
        Data::Bool(b) => json!(b),
        Data::Int(i) => i64::try_from(i).map_or_else(|_| json!(["i", i.to_string()]), |i| json!(i)),
        Data::Float(x) => json!(["f", float_text(*x)]),
        Data::Complex(re, im) => json!(["c", float_text(*re), float_text(*im)]),
        Data::Str(s) => json!(&**s),
        Data::Bytes(b) => json!(["b", b.to_vec()]),
        Data::Ellipsis => json!(["e"]),
        Data::NotImplemented => json!(["x"]),
        Data::Object(n) => json!(["o", n]),
    }
}

/// Rust's text of a float is shortest and read back by Python.
fn float_text(x: f64) -> String {
    format!("{x:?}")
}

fn datas_json(items: &[Data]) -> Json {
    Json::Array(items.iter().map(data_json).collect())
}

fn shape_json(shape: &Shape) -> Json {
    match shape {
        Shape::Items(kind, items) => json!([kind, datas_json(items)]),
        Shape::Deque(items, max) => json!(["deque", datas_json(items), max]),
        Shape::Dict(kind, factory, pairs) => {
            let pairs = pairs
                .iter()
                .map(|(k, v)| json!([data_json(k), data_json(v)]));
            json!([kind, Json::Array(pairs.collect()), data_json(factory)])
        }
        Shape::Three(kind, three) => json!([kind, datas_json(three)]),
        Shape::Named(name) => json!(["named", &**name]),
        Shape::Method(of, name) => json!(["method", data_json(of), &**name]),
        Shape::View(view, of) => json!(["view", view, data_json(of)]),
        Shape::Opaque(class, text) => json!(["opaque", &**class, &**text]),
        Shape::Placeholder => json!(["placeholder"]),
    }
}

fn malformed(json: &Json) -> AnswerError {
    let mut text = json.to_string();
    text.truncate(text.char_indices().nth(80).map_or(text.len(), |(at, _)| at));
    AnswerError::Malformed(text)
}

fn read_data(json: &Json) -> Result<Data, AnswerError> {
    let bad = || malformed(json);
    Ok(match json {
        Json::Null => Data::None,
        Json::Bool(b) => Data::Bool(*b),
        Json::Number(n) => Data::Int(n.as_i64().ok_or_else(bad)?.into()),
        Json::String(s) => Data::Str(s.as_str().into()),
        Json::Array(parts) => {
            let tag = parts.first().and_then(Json::as_str).ok_or_else(bad)?;
            let text = |at: usize| parts.get(at).and_then(Json::as_str).ok_or_else(bad);
            let float = |at: usize| text(at)?.parse::<f64>().map_err(|_| bad());
            match tag {
                "i" => Data::Int(text(1)?.parse().map_err(|_| bad())?),
                "f" => Data::Float(float(1)?),
                "c" => Data::Complex(float(1)?, float(2)?),
                "b" => {
                    let bytes = parts.get(1).and_then(Json::as_array).ok_or_else(bad)?;
                    let byte = |b: &Json| b.as_u64().and_then(|b| u8::try_from(b).ok());
                    let bytes: Option<Vec<u8>> = bytes.iter().map(byte).collect();
                    Data::Bytes(bytes.ok_or_else(bad)?.into())
                }
                "e" => Data::Ellipsis,
                "x" => Data::NotImplemented,
                "o" => {
                    let n = parts.get(1).and_then(Json::as_u64).ok_or_else(bad)?;
                    Data::Object(usize::try_from(n).map_err(|_| bad())?)
                }
                _ => return Err(bad()),
            }
        }
        Json::Object(_) => return Err(bad()),
    })
}

fn read_datas(json: Option<&Json>, whole: &Json) -> Result<Vec<Data>, AnswerError> {
    let items = json
        .and_then(Json::as_array)
        .ok_or_else(|| malformed(whole))?;
    items.iter().map(read_data).collect()
}

const DICTS: [&str; 4] = ["dict", "defaultdict", "Counter", "OrderedDict"];
const SEQUENCES: [&str; 6] = ["list", "tuple", "set", "frozenset", "bytearray", "iterator"];
const VIEWS: [&str; 3] = ["keys", "values", "items"];

fn read_shape(json: &Json) -> Result<Shape, AnswerError> {
    let bad = || malformed(json);
    let parts = json.as_array().ok_or_else(bad)?;
    let tag = parts.first().and_then(Json::as_str).ok_or_else(bad)?;
    let text = |at: usize| parts.get(at).and_then(Json::as_str).ok_or_else(bad);
    if let Some(kind) = SEQUENCES.into_iter().find(|kind| *kind == tag) {
        return Ok(Shape::Items(kind, read_datas(parts.get(1), json)?));
    }
    if let Some(kind) = DICTS.into_iter().find(|kind| *kind == tag) {
        let pairs = parts.get(1).and_then(Json::as_array).ok_or_else(bad)?;
        let pair = |pair: &Json| match pair.as_array().map(Vec::as_slice) {
            Some([key, value]) => Ok((read_data(key)?, read_data(value)?)),
            _ => Err(bad()),
        };
        let pairs = pairs.iter().map(pair).collect::<Result<_, _>>()?;
        let factory = parts.get(2).map_or(Ok(Data::None), read_data)?;
        return Ok(Shape::Dict(kind, factory, pairs));
    }
    Ok(match tag {
        "deque" => {
            let max = parts.get(2).and_then(Json::as_u64);
            let max = max.map(usize::try_from).transpose().map_err(|_| bad())?;
            Shape::Deque(read_datas(parts.get(1), json)?, max)
        }
        "range" | "slice" => {
            let three = read_datas(parts.get(1), json)?;
            let kind = if tag == "range" { "range" } else { "slice" };
            Shape::Three(kind, three.try_into().map_err(|_| bad())?)
        }
        "named" => Shape::Named(text(1)?.into()),
        "method" => Shape::Method(read_data(parts.get(1).ok_or_else(bad)?)?, text(2)?.into()),
        "view" => {
            let view = text(1)?;
            let view = VIEWS.into_iter().find(|v| *v == view).ok_or_else(bad)?;
            Shape::View(view, read_data(parts.get(2).ok_or_else(bad)?)?)
        }
        "opaque" => Shape::Opaque(text(1)?.into(), text(2)?.into()),
        "placeholder" => Shape::Placeholder,
        _ => return Err(bad()),
    })
}

impl Question {
    /// The question as JSON, for an oracle outside this process and for files.
    pub fn json(&self) -> Json {
        let (kind, name) = self.operation.parts();
        let keywords: Vec<&str> = self.keywords.iter().map(|k| &**k).collect();
        let objects: Vec<Json> = self.objects.iter().map(shape_json).collect();
        json!({
            "kind": kind,
            "name": name,
            "operands": datas_json(&self.operands),
            "keywords": keywords,
            "objects": objects,
        })
    }
}

impl Answer {
    /// The answer as JSON, in the form that [`Answer::from_json`] reads.
    pub fn json(&self) -> Json {
        let changed = self.changed.iter();
        let changed: Vec<Json> = changed
            .map(|(n, shape)| json!([n, shape_json(shape)]))
            .collect();
        let made: Vec<Json> = self.made.iter().map(shape_json).collect();
        let mut document = json!({
            "made": made,
            "changed": changed,
            "output": self.output,
            "confidence": self.confidence,
            "sets_in_order": self.sets_in_order,
        });
        match &self.result {
            Ok(value) => document["value"] = data_json(value),
            Err(raised) => {
                let args = datas_json(&raised.args);
                document["raised"] = json!({ "kind": raised.kind, "args": args });
            }
        }
        document
    }

    /// Parses an oracle's JSON: `{value | raised: {kind, args}, made, changed, output}`.
    ///
    /// # Errors
    /// [`AnswerError`] if it has another form, or reports that the oracle cannot answer.
    pub fn from_json(json: &Json) -> Result<Self, AnswerError> {
        if let Some(why) = json.get("refused").and_then(Json::as_str) {
            return Err(AnswerError::Refused(why.to_string()));
        }
        let list = |name: &str| {
            json.get(name)
                .and_then(Json::as_array)
                .map_or(&[][..], Vec::as_slice)
        };
        let result = match json.get("raised") {
            Some(raised) if !raised.is_null() => {
                let kind = raised.get("kind").and_then(Json::as_str);
                Err(RaisedAnswer {
                    kind: kind.ok_or_else(|| malformed(json))?.to_string(),
                    args: read_datas(raised.get("args"), json)?,
                })
            }
            _ => Ok(read_data(json.get("value").unwrap_or(&Json::Null))?),
        };
        let changed = |pair: &Json| {
            let number = pair.get(0).and_then(Json::as_u64);
            let number = number.and_then(|n| usize::try_from(n).ok());
            let shape = read_shape(pair.get(1).unwrap_or(&Json::Null))?;
            Ok((number.ok_or_else(|| malformed(pair))?, shape))
        };
        Ok(Self {
            result,
            made: list("made")
                .iter()
                .map(read_shape)
                .collect::<Result<_, _>>()?,
            changed: list("changed")
                .iter()
                .map(changed)
                .collect::<Result<_, AnswerError>>()?,
            output: json
                .get("output")
                .and_then(Json::as_str)
                .unwrap_or_default()
                .to_string(),
            confidence: json.get("confidence").and_then(Json::as_f64).unwrap_or(1.0) as f32,
            sets_in_order: json
                .get("sets_in_order")
                .and_then(Json::as_bool)
                .unwrap_or(true),
        })
    }
}
