//! The objects of an answer, out of literals.

use num_bigint::BigInt;
use ruff_python_ast::{Expr, Number, Operator, UnaryOp};

use super::StepFormError;
use super::link::is_mutable;
use super::literals::Values;
use super::read::{Reader, malformed};
use crate::question::{Data, Shape};

/// Maximum items of a container.
const MOST_ITEMS: usize = 100_000;

impl Reader<'_> {
    /// A value and its literal. With `link`, a container may be one of the question's objects.
    pub(super) fn data(
        &mut self,
        expr: &Expr,
        link: bool,
    ) -> Result<(Data, String), StepFormError> {
        let data = self.value(expr, link)?;
        let text = self.text(&data)?;
        Ok((data, text))
    }

    pub(super) fn value(&mut self, expr: &Expr, link: bool) -> Result<Data, StepFormError> {
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
            Expr::BinOp(node) => self.sum(&node.left, node.op, &node.right)?,
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

    pub(super) fn items(&mut self, items: &[Expr]) -> Result<Vec<Data>, StepFormError> {
        let link = self.links.elements;
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Expr::Starred(run) => {
                    let (value, count) = self.run(&run.value)?;
                    if out.len() + count > MOST_ITEMS {
                        return Err(malformed("a container that is too long"));
                    }
                    out.extend(std::iter::repeat_n(value, count));
                }
                item => out.push(self.value(item, link)?),
            }
        }
        Ok(out)
    }

    /// The value and the count of `[0]*6`.
    fn run(&mut self, expr: &Expr) -> Result<(Data, usize), StepFormError> {
        if let Expr::BinOp(product) = expr
            && product.op == Operator::Mult
            && let Expr::List(one) = &*product.left
            && let [item] = one.elts.as_slice()
            && let Data::Int(count) = self.value(&product.right, false)?
            && let Ok(count) = usize::try_from(count)
        {
            let value = self.value(item, false)?;
            if !matches!(value, Data::Object(_)) {
                return Ok((value, count));
            }
        }
        Err(malformed("what is no run of equal items"))
    }

    pub(super) fn pairs(&mut self, expr: &Expr) -> Result<Vec<(Data, Data)>, StepFormError> {
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

    /// A complex number, or an integer with a power of ten.
    fn sum(&mut self, left: &Expr, op: Operator, right: &Expr) -> Result<Data, StepFormError> {
        let of_power = match op {
            Operator::Pow => true,
            Operator::Mult => is_product(right),
            _ => is_product(left),
        };
        if of_power {
            let (left, right) = (self.value(left, false)?, self.value(right, false)?);
            return match (&left, &right) {
                (Data::Int(a), Data::Int(b)) => super::powers::value(a, op, b).map(Data::Int),
                _ => None,
            }
            .ok_or_else(|| malformed("a sum"));
        }
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
            // A view belongs to a dict of the program: its own, if there is an equal one.
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

    pub(super) fn text(&self, data: &Data) -> Result<String, StepFormError> {
        Values::new(&self.shapes, self.question.objects.len()).text(data)
    }
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

/// A power, or its multiplier.
fn is_product(expr: &Expr) -> bool {
    match expr {
        Expr::UnaryOp(node) => is_product(&node.operand),
        Expr::BinOp(node) => matches!(node.op, Operator::Pow | Operator::Mult),
        _ => false,
    }
}

/// `a.b.c`
fn dotted(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(node) => Some(node.id.to_string()),
        Expr::Attribute(node) => Some(format!("{}.{}", dotted(&node.value)?, node.attr)),
        _ => None,
    }
}
