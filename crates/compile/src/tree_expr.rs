//! CPython's syntax tree: expressions and patterns.

use ruff_python_ast as ruff;
use ruff_text_size::{Ranged, TextRange};

use super::CompileError;
use super::literals;
use super::tree::{Result, Step, Tree, operator};
use crate::code::Constant;

fn context(ctx: ruff::ExprContext) -> &'static str {
    match ctx {
        ruff::ExprContext::Store => "Store",
        ruff::ExprContext::Del => "Del",
        ruff::ExprContext::Load | ruff::ExprContext::Invalid => "Load",
    }
}

fn comparison(op: ruff::CmpOp) -> &'static str {
    match op {
        ruff::CmpOp::Eq => "Eq",
        ruff::CmpOp::NotEq => "NotEq",
        ruff::CmpOp::Lt => "Lt",
        ruff::CmpOp::LtE => "LtE",
        ruff::CmpOp::Gt => "Gt",
        ruff::CmpOp::GtE => "GtE",
        ruff::CmpOp::Is => "Is",
        ruff::CmpOp::IsNot => "IsNot",
        ruff::CmpOp::In => "In",
        ruff::CmpOp::NotIn => "NotIn",
    }
}

/// Parts of an f-string: adjacent literals are one, empty ones none.
struct Joined {
    /// From the first of the strings to the last.
    whole: [u32; 4],
    /// The string that is read.
    string: [u32; 4],
    literal: String,
    count: usize,
    is_unicode: bool,
}

impl Tree<'_> {
    pub(super) fn exprs(&mut self, nodes: &[ruff::Expr]) -> Result<()> {
        for node in nodes {
            self.expr(node)?;
        }
        self.steps.push(Step::List(nodes.len()));
        Ok(())
    }

    pub(super) fn optional(&mut self, node: Option<&ruff::Expr>) -> Result<()> {
        match node {
            Some(node) => self.expr(node),
            None => {
                self.none();
                Ok(())
            }
        }
    }

    pub(super) fn expr(&mut self, node: &ruff::Expr) -> Result<()> {
        self.expr_at(node, node.range())
    }

    fn expr_at(&mut self, node: &ruff::Expr, range: TextRange) -> Result<()> {
        let place = self.place(range);
        self.converter.enter(node.start())?;
        match node {
            ruff::Expr::FString(node) => self.joined(node, place)?,
            _ if self.literal(node, place)? => {}
            _ => self.expr_inner(node, place)?,
        }
        self.converter.leave();
        Ok(())
    }

    /// A literal. `false`: it is none.
    fn literal(&mut self, node: &ruff::Expr, place: [u32; 4]) -> Result<bool> {
        use ruff::Expr as R;
        let mut is_unicode = false;
        let constant = match node {
            R::StringLiteral(node) => {
                is_unicode = node.value.is_unicode();
                Constant::Str(node.value.to_str().into())
            }
            R::BytesLiteral(node) => Constant::Bytes(node.value.bytes().collect()),
            R::NumberLiteral(node) => {
                let number = match &node.value {
                    ruff::Number::Int(_) => literals::int(self.converter.text(node.range())),
                    ruff::Number::Float(value) => Some(Constant::Float(*value)),
                    ruff::Number::Complex { real, imag } => Some(Constant::Complex(*real, *imag)),
                };
                let place = self.converter.at(node.start());
                number.ok_or_else(|| CompileError::at(place, "invalid number"))?
            }
            R::BooleanLiteral(node) => Constant::Bool(node.value),
            R::NoneLiteral(_) => Constant::None,
            R::EllipsisLiteral(_) => Constant::Ellipsis,
            _ => return Ok(false),
        };
        self.constant_node(constant, is_unicode, place);
        Ok(true)
    }

    fn constant_node(&mut self, constant: Constant, is_unicode: bool, place: [u32; 4]) {
        self.constant(constant);
        match is_unicode {
            true => self.text("u"),
            false => self.none(),
        }
        self.node("Constant", &["value", "kind"], place);
    }

    fn expr_inner(&mut self, node: &ruff::Expr, place: [u32; 4]) -> Result<()> {
        use ruff::Expr as R;
        match node {
            R::BoolOp(node) => {
                let is_or = node.op == ruff::BoolOp::Or;
                self.one(if is_or { "Or" } else { "And" });
                self.exprs(&node.values)?;
                self.node("BoolOp", &["op", "values"], place);
            }
            R::Named(node) => {
                self.expr(&node.target)?;
                self.expr(&node.value)?;
                self.node("NamedExpr", &["target", "value"], place);
            }
            R::BinOp(node) => {
                self.expr(&node.left)?;
                self.one(operator(node.op));
                self.expr(&node.right)?;
                self.node("BinOp", &["left", "op", "right"], place);
            }
            R::UnaryOp(node) => {
                self.one(match node.op {
                    ruff::UnaryOp::Invert => "Invert",
                    ruff::UnaryOp::Not => "Not",
                    ruff::UnaryOp::UAdd => "UAdd",
                    ruff::UnaryOp::USub => "USub",
                });
                self.expr(&node.operand)?;
                self.node("UnaryOp", &["op", "operand"], place);
            }
            R::Lambda(node) => {
                self.parameters(node.parameters.as_deref())?;
                self.expr(&node.body)?;
                self.node("Lambda", &["args", "body"], place);
            }
            R::If(node) => {
                self.expr(&node.test)?;
                self.expr(&node.body)?;
                self.expr(&node.orelse)?;
                self.node("IfExp", &["test", "body", "orelse"], place);
            }
            R::Await(node) => {
                self.expr(&node.value)?;
                self.node("Await", &["value"], place);
            }
            R::Yield(node) => {
                self.optional(node.value.as_deref())?;
                self.node("Yield", &["value"], place);
            }
            R::YieldFrom(node) => {
                self.expr(&node.value)?;
                self.node("YieldFrom", &["value"], place);
            }
            R::Compare(node) => {
                self.expr(&node.left)?;
                for op in &node.ops {
                    self.one(comparison(*op));
                }
                self.steps.push(Step::List(node.ops.len()));
                self.exprs(&node.comparators)?;
                self.node("Compare", &["left", "ops", "comparators"], place);
            }
            R::Call(node) => self.call_node(node, place)?,
            _ => self.display(node, place)?,
        }
        Ok(())
    }

    /// Displays, comprehensions, and what may be a target.
    fn display(&mut self, node: &ruff::Expr, place: [u32; 4]) -> Result<()> {
        use ruff::Expr as R;
        match node {
            R::Dict(node) => {
                for item in &node.items {
                    self.optional(item.key.as_ref())?;
                }
                self.steps.push(Step::List(node.items.len()));
                for item in &node.items {
                    self.expr(&item.value)?;
                }
                self.steps.push(Step::List(node.items.len()));
                self.node("Dict", &["keys", "values"], place);
            }
            R::Set(node) => {
                self.exprs(&node.elts)?;
                self.node("Set", &["elts"], place);
            }
            R::ListComp(node) => self.comp_node("ListComp", &node.elt, &node.generators, place)?,
            R::SetComp(node) => self.comp_node("SetComp", &node.elt, &node.generators, place)?,
            R::Generator(node) => {
                self.comp_node("GeneratorExp", &node.elt, &node.generators, place)?;
            }
            R::DictComp(node) => {
                self.optional(node.key.as_deref())?;
                self.expr(&node.value)?;
                self.comprehensions(&node.generators)?;
                self.node("DictComp", &["key", "value", "generators"], place);
            }
            R::Attribute(node) => {
                self.expr(&node.value)?;
                self.text(&node.attr);
                self.one(context(node.ctx));
                self.node("Attribute", &["value", "attr", "ctx"], place);
            }
            R::Subscript(node) => {
                self.expr(&node.value)?;
                self.expr(&node.slice)?;
                self.one(context(node.ctx));
                self.node("Subscript", &["value", "slice", "ctx"], place);
            }
            R::Starred(node) => {
                self.expr(&node.value)?;
                self.one(context(node.ctx));
                self.node("Starred", &["value", "ctx"], place);
            }
            R::Name(node) => {
                self.text(&node.id);
                self.one(context(node.ctx));
                self.node("Name", &["id", "ctx"], place);
            }
            R::List(node) => {
                self.exprs(&node.elts)?;
                self.one(context(node.ctx));
                self.node("List", &["elts", "ctx"], place);
            }
            R::Tuple(node) => {
                self.exprs(&node.elts)?;
                self.one(context(node.ctx));
                self.node("Tuple", &["elts", "ctx"], place);
            }
            R::Slice(node) => {
                self.optional(node.lower.as_deref())?;
                self.optional(node.upper.as_deref())?;
                self.optional(node.step.as_deref())?;
                self.node("Slice", &["lower", "upper", "step"], place);
            }
            _ => {
                let place = self.converter.at(node.start());
                return Err(CompileError::at(place, "invalid syntax"));
            }
        }
        Ok(())
    }

    fn call_node(&mut self, node: &ruff::ExprCall, place: [u32; 4]) -> Result<()> {
        self.expr(&node.func)?;
        for argument in &node.arguments.args {
            // The generator of `f(x for x in y)` has the parentheses of the call.
            let range = match argument {
                ruff::Expr::Generator(generator) if !generator.parenthesized => {
                    node.arguments.range
                }
                _ => argument.range(),
            };
            self.expr_at(argument, range)?;
        }
        self.steps.push(Step::List(node.arguments.args.len()));
        self.keywords(&node.arguments.keywords)?;
        self.node("Call", &["func", "args", "keywords"], place);
        Ok(())
    }

    pub(super) fn keywords(&mut self, keywords: &[ruff::Keyword]) -> Result<()> {
        for keyword in keywords {
            self.name_or_none(keyword.arg.as_ref());
            self.expr(&keyword.value)?;
            let place = self.place(keyword.range());
            self.node("keyword", &["arg", "value"], place);
        }
        self.steps.push(Step::List(keywords.len()));
        Ok(())
    }

    fn comp_node(
        &mut self,
        class: &'static str,
        elt: &ruff::Expr,
        generators: &[ruff::Comprehension],
        place: [u32; 4],
    ) -> Result<()> {
        self.expr(elt)?;
        self.comprehensions(generators)?;
        self.node(class, &["elt", "generators"], place);
        Ok(())
    }

    fn comprehensions(&mut self, generators: &[ruff::Comprehension]) -> Result<()> {
        for generator in generators {
            self.expr(&generator.target)?;
            self.expr(&generator.iter)?;
            self.exprs(&generator.ifs)?;
            self.constant(Constant::Int(generator.is_async.into()));
            self.bare("comprehension", &["target", "iter", "ifs", "is_async"]);
        }
        self.steps.push(Step::List(generators.len()));
        Ok(())
    }

    fn joined(&mut self, node: &ruff::ExprFString, place: [u32; 4]) -> Result<()> {
        let first = node.value.iter().next();
        let mut parts = Joined {
            whole: place,
            string: place,
            literal: String::new(),
            count: 0,
            is_unicode: matches!(first, Some(ruff::FStringPart::Literal(first)) if first.flags.prefix().is_unicode()),
        };
        for part in &node.value {
            parts.string = self.place(part.range());
            match part {
                ruff::FStringPart::Literal(literal) => parts.literal.push_str(literal),
                ruff::FStringPart::FString(string) => {
                    self.elements(&string.elements, &mut parts)?
                }
            }
        }
        self.flush(&mut parts, place);
        self.steps.push(Step::List(parts.count));
        self.node("JoinedStr", &["values"], place);
        Ok(())
    }

    fn flush(&mut self, parts: &mut Joined, place: [u32; 4]) {
        if !parts.literal.is_empty() {
            let text = std::mem::take(&mut parts.literal);
            self.constant_node(Constant::Str(text.into()), parts.is_unicode, place);
            parts.count += 1;
        }
    }

    fn elements(
        &mut self,
        elements: &ruff::InterpolatedStringElements,
        parts: &mut Joined,
    ) -> Result<()> {
        for element in elements {
            match element {
                ruff::InterpolatedStringElement::Literal(literal) => {
                    parts.literal.push_str(literal);
                }
                ruff::InterpolatedStringElement::Interpolation(field) => {
                    if let Some(text) = &field.debug_text {
                        parts.literal.push_str(text.as_str());
                    }
                    self.flush(parts, parts.whole);
                    self.field(field, parts)?;
                    parts.count += 1;
                }
            }
        }
        Ok(())
    }

    fn field(&mut self, field: &ruff::InterpolatedElement, parts: &Joined) -> Result<()> {
        self.expr(&field.expression)?;
        let conversion = match field.conversion {
            ruff::ConversionFlag::Str => b's'.into(),
            ruff::ConversionFlag::Repr => b'r'.into(),
            ruff::ConversionFlag::Ascii => b'a'.into(),
            ruff::ConversionFlag::None
                if field.debug_text.is_some() && field.format_spec.is_none() =>
            {
                b'r'.into()
            }
            ruff::ConversionFlag::None => -1,
        };
        self.constant(Constant::Int(conversion));
        match &field.format_spec {
            None => self.none(),
            Some(spec) => {
                let mut inner = Joined {
                    literal: String::new(),
                    count: 0,
                    ..*parts
                };
                self.converter.enter(spec.range().start())?;
                self.elements(&spec.elements, &mut inner)?;
                self.converter.leave();
                self.flush(&mut inner, parts.string);
                self.steps.push(Step::List(inner.count));
                self.node("JoinedStr", &["values"], parts.string);
            }
        }
        let fields = &["value", "conversion", "format_spec"];
        self.node("FormattedValue", fields, parts.whole);
        Ok(())
    }

    fn patterns(&mut self, patterns: &[ruff::Pattern]) -> Result<()> {
        for pattern in patterns {
            self.pattern(pattern)?;
        }
        self.steps.push(Step::List(patterns.len()));
        Ok(())
    }

    pub(super) fn pattern(&mut self, pattern: &ruff::Pattern) -> Result<()> {
        self.converter.enter(pattern.start())?;
        self.pattern_inner(pattern)?;
        self.converter.leave();
        Ok(())
    }

    fn pattern_inner(&mut self, pattern: &ruff::Pattern) -> Result<()> {
        use ruff::Pattern as R;
        let place = self.place(pattern.range());
        match pattern {
            R::MatchValue(node) => {
                self.expr(&node.value)?;
                self.node("MatchValue", &["value"], place);
            }
            R::MatchSingleton(node) => {
                self.constant(match node.value {
                    ruff::Singleton::None => Constant::None,
                    ruff::Singleton::True => Constant::Bool(true),
                    ruff::Singleton::False => Constant::Bool(false),
                });
                self.node("MatchSingleton", &["value"], place);
            }
            R::MatchSequence(node) => {
                self.patterns(&node.patterns)?;
                self.node("MatchSequence", &["patterns"], place);
            }
            R::MatchMapping(node) => {
                self.exprs(&node.keys)?;
                self.patterns(&node.patterns)?;
                self.name_or_none(node.rest.as_ref());
                self.node("MatchMapping", &["keys", "patterns", "rest"], place);
            }
            R::MatchClass(node) => {
                self.expr(&node.cls)?;
                self.patterns(&node.arguments.patterns)?;
                let keywords = &node.arguments.keywords;
                for keyword in keywords {
                    self.text(&keyword.attr);
                }
                self.steps.push(Step::List(keywords.len()));
                for keyword in keywords {
                    self.pattern(&keyword.pattern)?;
                }
                self.steps.push(Step::List(keywords.len()));
                let fields = &["cls", "patterns", "kwd_attrs", "kwd_patterns"];
                self.node("MatchClass", fields, place);
            }
            R::MatchStar(node) => {
                self.name_or_none(node.name.as_ref());
                self.node("MatchStar", &["name"], place);
            }
            R::MatchAs(node) => {
                match &node.pattern {
                    Some(pattern) => self.pattern(pattern)?,
                    None => self.none(),
                }
                self.name_or_none(node.name.as_ref());
                self.node("MatchAs", &["pattern", "name"], place);
            }
            R::MatchOr(node) => {
                self.patterns(&node.patterns)?;
                self.node("MatchOr", &["patterns"], place);
            }
        }
        Ok(())
    }
}
