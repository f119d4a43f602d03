//! Reads an expression of literals and folds it, operation by operation.

use codexec_vm::fold::{
    BinaryOp, CompareOp, Folded, UnaryOp, arith, compare, hash, key, subscript,
};
use codexec_vm::text::{self, Conversion};
use codexec_vm::value::hash_table::Table;
use codexec_vm::value::{Class, DictKind, Elements, Entries, Heap, Object, Value};
use num_bigint::BigInt;
use ruff_python_ast::{
    CmpOp, Expr, ExprBinOp, ExprCompare, ExprDict, ExprUnaryOp, Number, Operator, UnaryOp as Unary,
};

/// A heap and the values read into it.
#[derive(Default)]
pub(crate) struct Folder {
    heap: Heap,
}

type Result = std::result::Result<Value, Folded>;

impl Folder {
    /// The `repr` of the value of an expression, `!Kind: message`, or `?` where it is not folded.
    pub(crate) fn text(&mut self, expression: &str) -> String {
        let parsed = ruff_python_parser::parse_expression(expression)
            .unwrap_or_else(|error| panic!("{expression}: {error}"));
        let result = match self.expression(parsed.expr()) {
            Ok(value) => text::convert(&self.heap, Conversion::Repr, &value),
            Err(folded) => folded,
        };
        match result {
            Folded::Value(Value::Str(text)) => text.to_string(),
            Folded::Value(value) => panic!("{expression}: {value:?}"),
            Folded::Raise(kind, message) => format!("!{kind}: {message}"),
            Folded::Unknown => "?".to_owned(),
        }
    }

    fn all<'e>(
        &mut self,
        items: impl IntoIterator<Item = &'e Expr>,
    ) -> std::result::Result<Vec<Value>, Folded> {
        items
            .into_iter()
            .map(|item| self.expression(item))
            .collect()
    }

    fn part(&mut self, part: Option<&Expr>) -> Result {
        part.map_or(Ok(Value::None), |part| self.expression(part))
    }

    fn expression(&mut self, expression: &Expr) -> Result {
        match expression {
            Expr::NoneLiteral(_) => Ok(Value::None),
            Expr::BooleanLiteral(literal) => Ok(Value::Bool(literal.value)),
            Expr::EllipsisLiteral(_) => Ok(Value::Ellipsis),
            Expr::NumberLiteral(literal) => Ok(number(&literal.value)),
            Expr::StringLiteral(literal) => Ok(Value::str(literal.value.to_str())),
            Expr::BytesLiteral(literal) => {
                let bytes: Vec<u8> = literal.value.bytes().collect();
                Ok(Value::Bytes(bytes.into()))
            }
            Expr::Name(name) => Ok(match name.id.as_str() {
                "inf" => Value::Float(f64::INFINITY),
                "nan" => Value::Float(f64::NAN),
                "Ellipsis" => Value::Ellipsis,
                "int" => self.int_class(),
                name => panic!("no name {name}"),
            }),
            Expr::Tuple(tuple) => {
                let items = self.all(&tuple.elts)?;
                Ok(self.heap.tuple(items))
            }
            Expr::List(list) => {
                let items = self.all(&list.elts)?;
                Ok(self.heap.list(items))
            }
            Expr::Set(set) => {
                let items = self.all(&set.elts)?;
                let elements = self.elements(items)?;
                Ok(self.heap.make(Object::Set(elements)))
            }
            Expr::Dict(dict) => self.dict_display(dict),
            Expr::UnaryOp(unary) => self.unary(unary),
            Expr::BinOp(binary) => self.binary(binary),
            Expr::Compare(comparison) => self.comparison(comparison),
            Expr::Slice(slice) => {
                let start = self.part(slice.lower.as_deref())?;
                let stop = self.part(slice.upper.as_deref())?;
                let step = self.part(slice.step.as_deref())?;
                Ok(self.heap.make(Object::Slice(start, stop, step)))
            }
            Expr::Subscript(subscript) => {
                let container = self.expression(&subscript.value)?;
                let index = self.expression(&subscript.slice)?;
                given(subscript::get(&mut self.heap, &container, &index))
            }
            Expr::Call(call) => {
                let Expr::Name(name) = &*call.func else {
                    panic!("only names are called");
                };
                let arguments = self.all(&call.arguments.args)?;
                self.call(name.id.as_str(), &arguments)
            }
            other => panic!("not read: {other:?}"),
        }
    }

    /// Makes a dictionary of the pairs of a display; a later value replaces an earlier one.
    fn dict_display(&mut self, dict: &ExprDict) -> Result {
        let mut entries = Entries::default();
        for item in &dict.items {
            let name = self.expression(item.key.as_ref().expect("no unpacking"))?;
            let value = self.expression(&item.value)?;
            let key = self.key(&name)?;
            entries.entry(key).or_insert((name, Value::None)).1 = value;
        }
        Ok(self.heap.make(Object::Dict(entries, DictKind::Plain)))
    }

    /// Folds a unary operation.
    fn unary(&mut self, unary: &ExprUnaryOp) -> Result {
        let operand = self.expression(&unary.operand)?;
        let op = match unary.op {
            Unary::Invert => UnaryOp::Invert,
            Unary::Not => UnaryOp::Not,
            Unary::UAdd => UnaryOp::Positive,
            Unary::USub => UnaryOp::Negative,
        };
        given(arith::unary(&self.heap, op, &operand))
    }

    /// Folds a binary operation.
    fn binary(&mut self, binary: &ExprBinOp) -> Result {
        let (a, b) = (
            self.expression(&binary.left)?,
            self.expression(&binary.right)?,
        );
        let op = match binary.op {
            Operator::Add => 0,
            Operator::BitAnd => 1,
            Operator::FloorDiv => 2,
            Operator::LShift => 3,
            Operator::MatMult => 4,
            Operator::Mult => 5,
            Operator::Mod => 6,
            Operator::BitOr => 7,
            Operator::Pow => 8,
            Operator::RShift => 9,
            Operator::Sub => 10,
            Operator::Div => 11,
            Operator::BitXor => 12,
        };
        let (op, inplace) = BinaryOp::from_nb(op).expect("an operator");
        given(arith::binary(&mut self.heap, op, inplace, &a, &b))
    }

    /// Folds a comparison of two values, or a test of membership.
    fn comparison(&mut self, comparison: &ExprCompare) -> Result {
        let (a, b) = (
            self.expression(&comparison.left)?,
            self.expression(&comparison.comparators[0])?,
        );
        let op = match comparison.ops[0] {
            CmpOp::Lt => 0,
            CmpOp::LtE => 1,
            CmpOp::Eq => 2,
            CmpOp::NotEq => 3,
            CmpOp::Gt => 4,
            CmpOp::GtE => 5,
            CmpOp::In => return given(compare::contains(&self.heap, &b, &a)),
            CmpOp::NotIn => {
                let found = given(compare::contains(&self.heap, &b, &a))?;
                return given(arith::unary(&self.heap, UnaryOp::Not, &found));
            }
            _ => panic!("no identity"),
        };
        let op = CompareOp::from_arg(op).expect("a comparison");
        given(compare::compare(&self.heap, op, &a, &b))
    }

    fn call(&mut self, name: &str, arguments: &[Value]) -> Result {
        let conversion = match name {
            "repr" => Some(Conversion::Repr),
            "str" => Some(Conversion::Str),
            "ascii" => Some(Conversion::Ascii),
            _ => None,
        };
        match (name, arguments) {
            (_, [value]) if conversion.is_some() => given(text::convert(
                &self.heap,
                conversion.unwrap_or(Conversion::Str),
                value,
            )),
            ("canonical", [value]) => Ok(Value::str(&text::canonical(&self.heap, value))),
            ("bool", [value]) => compare::truth(&self.heap, value)
                .map(Value::Bool)
                .ok_or(Folded::Unknown),
            ("complex", [real, imag]) => Ok(Value::Complex(float(real), float(imag))),
            ("set", []) => Ok(self.heap.make(Object::Set(Elements::default()))),
            ("frozenset", [items]) => {
                let items = self.items(items);
                let elements = self.elements(items)?;
                Ok(self.heap.make(Object::Frozenset(elements)))
            }
            ("slice", [start, stop, step]) => {
                let slice = Object::Slice(start.clone(), stop.clone(), step.clone());
                Ok(self.heap.make(slice))
            }
            ("range", _) => {
                let (start, stop) = match arguments {
                    [stop] => (Value::Int(0), stop.clone()),
                    [start, stop, ..] => (start.clone(), stop.clone()),
                    [] => panic!("a range of nothing"),
                };
                let step = arguments.get(2).cloned().unwrap_or(Value::Int(1));
                Ok(self.heap.make(Object::Range(start, stop, step)))
            }
            ("deque", [items, rest @ ..]) => {
                let most = match rest {
                    [Value::Int(most)] => usize::try_from(*most).ok(),
                    _ => None,
                };
                let items = self.items(items).into();
                Ok(self.heap.make(Object::Deque(items, most)))
            }
            ("Counter", [entries]) => Ok(self.dict(entries, DictKind::Counter)),
            ("OrderedDict", [entries]) => Ok(self.dict(entries, DictKind::Ordered)),
            ("defaultdict", [factory, entries]) => {
                Ok(self.dict(entries, DictKind::Default(factory.clone())))
            }
            ("inplace", [Value::Str(symbol), a, b]) => {
                let op = (13..26)
                    .filter_map(BinaryOp::from_nb)
                    .find(|(op, inplace)| *inplace && op.symbol() == &**symbol);
                let (op, inplace) = op.expect("an operator");
                given(arith::binary(&mut self.heap, op, inplace, a, b))
            }
            ("setitem", [container, index, value]) => {
                let done = subscript::set_item(&mut self.heap, container, index, value);
                given(done).map(|_| container.clone())
            }
            ("delitem", [container, index]) => {
                let done = subscript::delete_item(&mut self.heap, container, index);
                given(done).map(|_| container.clone())
            }
            ("hash", [value]) => hash::hash(&self.heap, value)
                .map(Value::Int)
                .ok_or(Folded::Unknown),
            ("order", [added, removed, later, Value::Int(popped)]) => {
                self.set_order([added, removed, later], *popped)
            }
            ("from_dict", [names]) => self.order_from_dict(names),
            ("merged", [a, b]) => self.merged_order(a, b),
            ("unpack", [Value::Int(count), values]) => {
                let got = self.items(values).len();
                let count = usize::try_from(*count).expect("a count");
                given(subscript::unpack(got, count))
            }
            ("unpack_starred", [Value::Int(before), Value::Int(after), values]) => {
                let got = self.items(values).len();
                let least = usize::try_from(before + after).expect("a count");
                given(subscript::unpack_starred(got, least))
            }
            _ => panic!("no function {name} of {} arguments", arguments.len()),
        }
    }

    /// Returns the order of a set after values were added, removed, added later and popped.
    fn set_order(&mut self, values: [&Value; 3], popped: i64) -> Result {
        let mut set = TestSet::default();
        let [added, removed, later] = values.map(|v| self.items(v));
        for value in added {
            set.insert(self, value)?;
        }
        for value in removed {
            set.remove(self, &value)?;
        }
        for value in later {
            set.insert(self, value)?;
        }
        for _ in 0..popped {
            set.table.pop();
        }
        Ok(self.heap.list(set.order()))
    }

    /// Returns the order of a set that is made of a dictionary's keys, whose number is known first.
    fn order_from_dict(&mut self, names: &Value) -> Result {
        let names = self.items(names);
        let mut set = TestSet::default();
        set.table.reserve(self.elements(names.clone())?.len());
        for name in names {
            set.insert(self, name)?;
        }
        Ok(self.heap.list(set.order()))
    }

    /// Returns the order of a set after another one was merged into it.
    fn merged_order(&mut self, a: &Value, b: &Value) -> Result {
        let (mut set, mut other) = (TestSet::default(), TestSet::default());
        for value in self.items(a) {
            set.insert(self, value)?;
        }
        for value in self.items(b) {
            other.insert(self, value)?;
        }
        // Numbers of the second set follow those of the first.
        let first = set.values.len();
        let mut table = Table::default();
        for (at, value) in other.values.iter().enumerate() {
            let hash = hash::hash(&self.heap, value).ok_or(Folded::Unknown)?;
            table.insert(hash, first + at);
        }
        let new = |at: usize| {
            let key = self.key(&other.values[at - first]);
            key.is_ok_and(|key| !set.elements.contains_key(&key))
        };
        set.table.merge(&table, new);
        set.values.extend(other.values);
        Ok(self.heap.list(set.order()))
    }

    fn items(&self, value: &Value) -> Vec<Value> {
        match self.heap.object(value) {
            Some(Object::List(items)) => items.clone(),
            Some(Object::Tuple(items)) => items.to_vec(),
            other => panic!("no items: {other:?}"),
        }
    }

    fn key(&self, value: &Value) -> std::result::Result<codexec_vm::value::Key, Folded> {
        key::key(&self.heap, value).map_err(|error| match error {
            key::HashError::Unhashable(message) => Folded::Raise("TypeError", message),
            _ => Folded::Unknown,
        })
    }

    fn elements(&self, items: Vec<Value>) -> std::result::Result<Elements, Folded> {
        let mut elements = Elements::default();
        for item in items {
            elements.entry(self.key(&item)?).or_insert(item);
        }
        Ok(elements)
    }

    fn dict(&mut self, entries: &Value, kind: DictKind) -> Value {
        let Some(Object::Dict(entries, _)) = self.heap.object(entries) else {
            panic!("no dict");
        };
        let object = Object::Dict(entries.clone(), kind);
        self.heap.make(object)
    }

    fn int_class(&mut self) -> Value {
        self.heap.make(Object::Class(Box::new(Class {
            of_body: 0,
            name: "int".into(),
            mro: Vec::new(),
            attributes: Default::default(),
            builtin: Some("int".into()),
            slots: None,
            metaclass: None,
            is_generic: false,
            hides_abc: false,
            library: None,
        })))
    }
}

/// A set with the table that it has in CPython.
#[derive(Default)]
struct TestSet {
    elements: Elements,
    /// Every value that was ever put in, by its number.
    values: Vec<Value>,
    table: Table,
}

impl TestSet {
    fn insert(&mut self, folder: &Folder, value: Value) -> std::result::Result<(), Folded> {
        let key = folder.key(&value)?;
        let hash = hash::hash(&folder.heap, &value).ok_or(Folded::Unknown)?;
        if self.elements.contains_key(&key) {
            return Ok(());
        }
        self.elements.insert(key, value.clone());
        self.table.insert(hash, self.values.len());
        self.values.push(value);
        Ok(())
    }

    fn remove(&mut self, folder: &Folder, value: &Value) -> std::result::Result<(), Folded> {
        if let Some(value) = self.elements.shift_remove(&folder.key(value)?) {
            let at = self.values.iter().rposition(|other| *other == value);
            let hash = hash::hash(&folder.heap, &value).ok_or(Folded::Unknown)?;
            self.table.remove(hash, at.expect("an element"));
        }
        Ok(())
    }

    fn order(&self) -> Vec<Value> {
        self.table
            .order()
            .into_iter()
            .map(|at| self.values[at].clone())
            .collect()
    }
}

/// Returns the value of a number as it is written.
fn number(number: &Number) -> Value {
    match number {
        Number::Int(value) => {
            let value: BigInt = value.to_string().parse().expect("decimal digits");
            Value::int(value)
        }
        Number::Float(value) => Value::Float(*value),
        Number::Complex { real, imag } => Value::Complex(*real, *imag),
    }
}

fn given(folded: Folded) -> Result {
    match folded {
        Folded::Value(value) => Ok(value),
        other => Err(other),
    }
}

fn float(value: &Value) -> f64 {
    match value {
        Value::Float(value) => *value,
        other => panic!("no float: {other:?}"),
    }
}
