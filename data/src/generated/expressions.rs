//! Productions for each type of value, each with the idiom whose frequency is its weight.

use rand::Rng;

use super::writer::{Type, Writer};

/// Writes a value of a type. `None` if its requirements are missing.
pub(super) type Production = (&'static str, fn(&mut Writer<'_>, usize) -> Option<String>);

/// The productions of a type. The first two, a constant and a variable, have no nested parts.
pub(super) fn productions(ty: Type) -> &'static [Production] {
    match ty {
        Type::Int => INT,
        Type::Str => STR,
        Type::Bool => BOOL,
        Type::Ints => INTS,
        Type::Strs => STRS,
        Type::Counts => COUNTS,
        Type::Numbers => NUMBERS,
    }
}

const INT: &[Production] = &[
    ("number", |w, _| Some(w.number().to_string())),
    ("name", |w, _| w.variable(Type::Int)),
    ("binop +", |w, d| w.joined(Type::Int, " + ", Type::Int, d)),
    ("binop -", |w, d| w.joined(Type::Int, " - ", Type::Int, d)),
    ("binop *", |w, d| w.joined(Type::Int, " * ", Type::Int, d)),
    ("binop //", |w, d| w.divided(" // ", d)),
    ("binop %", |w, d| w.divided(" % ", d)),
    ("call len", |w, _| Some(format!("len({})", w.container()?))),
    ("call sum", |w, d| w.called("sum", Type::Ints, d)),
    ("call max", |w, d| w.of_two("max", d)),
    ("call min", |w, d| w.of_two("min", d)),
    ("call abs", |w, d| w.called("abs", Type::Int, d)),
    ("call ord", |w, _| {
        Some(format!("ord({}[0])", w.variable(Type::Str)?))
    }),
    ("index", |w, _| w.indexed(Type::Ints)),
    ("method get", |w, d| {
        let (of, key) = (w.variable(Type::Counts)?, w.expression(Type::Str, d));
        Some(format!("{of}.get({key}, 0)"))
    }),
    ("method count", |w, d| {
        let (of, item) = (w.variable(Type::Ints)?, w.expression(Type::Int, d));
        Some(format!("{of}.count({item})"))
    }),
    ("method find", |w, d| {
        let (of, item) = (w.variable(Type::Str)?, w.expression(Type::Str, d));
        Some(format!("{of}.find({item})"))
    }),
    ("conditional", |w, d| w.conditional(Type::Int, d)),
    ("unary -", |w, _| {
        Some(format!("-{}", w.variable(Type::Int)?))
    }),
    ("function", |w, d| w.call_of(Type::Int, d)),
];

const STR: &[Production] = &[
    ("text", |w, _| Some(w.text())),
    ("name", |w, _| w.variable(Type::Str)),
    ("binop +", |w, d| w.joined(Type::Str, " + ", Type::Str, d)),
    ("call str", |w, d| w.called("str", Type::Int, d)),
    ("index", |w, _| {
        w.indexed(Type::Str).or_else(|| w.indexed(Type::Strs))
    }),
    ("slice", |w, _| w.sliced(Type::Str)),
    ("f-string", |w, _| {
        let (name, text) = (w.variable(Type::Int)?, w.plain_text());
        Some(format!("f'{text} {{{name}}}'"))
    }),
    ("method upper", |w, d| w.method(Type::Str, "upper()", d)),
    ("method lower", |w, d| w.method(Type::Str, "lower()", d)),
    ("method strip", |w, d| w.method(Type::Str, "strip()", d)),
    ("method title", |w, d| w.method(Type::Str, "title()", d)),
    ("method replace", |w, d| {
        let arguments = format!("replace({}, {})", w.text(), w.text());
        w.method(Type::Str, &arguments, d)
    }),
    ("method join", |w, d| {
        let items = w.expression(Type::Strs, d);
        Some(format!("{}.join({items})", w.text()))
    }),
    ("method zfill", |w, d| {
        let of = w.expression(Type::Int, d);
        Some(format!("str({of}).zfill({})", w.between(2, 5)))
    }),
    ("binop *", |w, _| {
        let of = w.variable(Type::Str)?;
        Some(format!("{of} * {}", w.between(1, 3)))
    }),
    ("conditional", |w, d| w.conditional(Type::Str, d)),
    ("function", |w, d| w.call_of(Type::Str, d)),
];

const BOOL: &[Production] = &[
    ("call bool", |w, _| {
        Some(
            if w.between(0, 1) == 0 {
                "True"
            } else {
                "False"
            }
            .to_owned(),
        )
    }),
    ("name", |w, _| w.variable(Type::Bool)),
    ("compare <", |w, d| w.joined(Type::Int, " < ", Type::Int, d)),
    ("compare >", |w, d| w.joined(Type::Int, " > ", Type::Int, d)),
    ("compare <=", |w, d| {
        w.joined(Type::Int, " <= ", Type::Int, d)
    }),
    ("compare >=", |w, d| {
        w.joined(Type::Int, " >= ", Type::Int, d)
    }),
    ("compare ==", |w, d| {
        let ty = if w.between(0, 3) == 0 {
            Type::Str
        } else {
            Type::Int
        };
        w.joined(ty, " == ", ty, d)
    }),
    ("compare !=", |w, d| {
        w.joined(Type::Int, " != ", Type::Int, d)
    }),
    ("compare in", |w, d| {
        let (item, of) = match w.between(0, 3) {
            0 => (Type::Int, w.variable(Type::Ints)?),
            1 => (Type::Str, w.variable(Type::Str)?),
            2 => (Type::Int, w.variable(Type::Numbers)?),
            _ => (Type::Str, w.variable(Type::Counts)?),
        };
        Some(format!("{} in {of}", w.operand(item, d)))
    }),
    ("compare not in", |w, d| {
        let of = w.variable(Type::Ints)?;
        Some(format!("{} not in {of}", w.operand(Type::Int, d)))
    }),
    ("and", |w, d| w.joined(Type::Bool, " and ", Type::Bool, d)),
    ("or", |w, d| w.joined(Type::Bool, " or ", Type::Bool, d)),
    ("unary not", |w, _| Some(format!("not {}", w.container()?))),
    ("binop %", |w, _| {
        let of = w.variable(Type::Int)?;
        Some(format!("{of} % {} == 0", w.between(2, 5)))
    }),
    ("method startswith", |w, d| {
        let start = format!("startswith({})", w.text());
        w.method(Type::Str, &start, d)
    }),
    ("method isdigit", |w, d| w.method(Type::Str, "isdigit()", d)),
];

const INTS: &[Production] = &[
    ("list", |w, d| w.display("[]", 1, 6, Type::Int, d)),
    ("name", |w, _| w.variable(Type::Ints)),
    ("call list", |w, _| {
        Some(format!("list(range({}))", w.range()))
    }),
    ("call sorted", |w, _| {
        let of = w
            .variable(Type::Ints)
            .or_else(|| w.variable(Type::Numbers))?;
        let backwards = if w.between(0, 3) == 0 {
            ", reverse=True"
        } else {
            ""
        };
        Some(format!("sorted({of}{backwards})"))
    }),
    ("slice", |w, _| w.sliced(Type::Ints)),
    ("binop +", |w, d| w.joined(Type::Ints, " + ", Type::Ints, d)),
    ("comprehension", |w, d| {
        let of = w.iterable();
        w.comprehension("[]", Type::Int, Type::Int, &of, false, d)
    }),
    ("filtered comprehension", |w, d| {
        let of = w.iterable();
        w.comprehension("[]", Type::Int, Type::Int, &of, true, d)
    }),
    ("call map", |w, _| {
        Some(format!("list(map(len, {}))", w.variable(Type::Strs)?))
    }),
    ("method values", |w, _| {
        Some(format!("list({}.values())", w.variable(Type::Counts)?))
    }),
    ("binop *", |w, _| {
        Some(format!("[{}] * {}", w.between(0, 1), w.between(2, 6)))
    }),
    ("function", |w, d| w.call_of(Type::Ints, d)),
];

const STRS: &[Production] = &[
    ("list", |w, d| w.display("[]", 1, 4, Type::Str, d)),
    ("name", |w, _| w.variable(Type::Strs)),
    ("method split", |w, _| {
        Some(format!("'{} {}'.split()", w.plain_text(), w.plain_text()))
    }),
    ("call list", |w, _| {
        Some(format!("list({})", w.variable(Type::Str)?))
    }),
    ("call sorted", |w, _| {
        let of = w
            .variable(Type::Strs)
            .or_else(|| w.variable(Type::Counts))?;
        let by = if w.between(0, 2) == 0 {
            ", key=len"
        } else {
            ""
        };
        Some(format!("sorted({of}{by})"))
    }),
    ("comprehension", |w, d| {
        let of = w.variable(Type::Strs).or_else(|| w.variable(Type::Str))?;
        w.comprehension("[]", Type::Str, Type::Str, &of, false, d)
    }),
    ("slice", |w, _| w.sliced(Type::Strs)),
];

const COUNTS: &[Production] = &[
    ("dict", |w, d| {
        let pair = |w: &mut Writer<'_>| format!("{}: {}", w.text(), w.expression(Type::Int, d));
        let pairs: Vec<String> = (0..w.between(0, 3)).map(|_| pair(w)).collect();
        Some(format!("{{{}}}", pairs.join(", ")))
    }),
    ("name", |w, _| w.variable(Type::Counts)),
    ("dict comprehension", |w, _| {
        let of = w.variable(Type::Strs).or_else(|| w.variable(Type::Str))?;
        let each = w.fresh_loop();
        Some(format!("{{{each}: len({each}) for {each} in {of}}}"))
    }),
];

const NUMBERS: &[Production] = &[
    ("set", |w, d| w.display("{}", 1, 4, Type::Int, d)),
    ("name", |w, _| w.variable(Type::Numbers)),
    ("call set", |w, _| {
        Some(format!("set({})", w.variable(Type::Ints)?))
    }),
    ("binop |", |w, d| {
        w.joined(Type::Numbers, " | ", Type::Numbers, d)
    }),
    ("binop &", |w, d| {
        w.joined(Type::Numbers, " & ", Type::Numbers, d)
    }),
    ("set comprehension", |w, d| {
        let of = w.iterable();
        w.comprehension("{}", Type::Int, Type::Int, &of, false, d)
    }),
];

impl Writer<'_> {
    /// A value of a type, with at most this nesting of parts.
    pub(super) fn expression(&mut self, ty: Type, depth: usize) -> String {
        let all = productions(ty);
        self.first_of(if depth == 0 { &all[..2] } else { all }, ty, depth)
    }

    /// The same, but seldom a constant or a variable by itself.
    pub(super) fn work(&mut self, ty: Type, depth: usize) -> String {
        let all = productions(ty);
        let from = if self.between(0, 3) == 0 { 0 } else { 2 };
        self.first_of(&all[from..], ty, depth)
    }

    fn first_of(&mut self, usable: &[Production], ty: Type, depth: usize) -> String {
        for _ in 0..8 {
            let made = self.chosen(usable)(self, depth.saturating_sub(1));
            if let Some(made) = made {
                return made;
            }
        }
        self.constant(ty)
    }

    /// The same beside an operator.
    pub(super) fn operand(&mut self, ty: Type, depth: usize) -> String {
        let text = self.expression(ty, depth);
        if is_whole(&text) {
            text
        } else {
            format!("({text})")
        }
    }

    fn joined(&mut self, a: Type, op: &str, b: Type, depth: usize) -> Option<String> {
        let left = self.operand(a, depth);
        let mut right = self.operand(b, depth);
        if right == left {
            right = self.constant(b);
        }
        Some(format!("{left}{op}{right}"))
    }

    /// Divided by a number that is seldom 0.
    fn divided(&mut self, op: &str, depth: usize) -> Option<String> {
        let left = self.operand(Type::Int, depth);
        let right = match self.between(0, 9) {
            0 => self.variable(Type::Int)?,
            _ => self.between(2, 10).to_string(),
        };
        Some(format!("{left}{op}{right}"))
    }

    fn called(&mut self, function: &str, ty: Type, depth: usize) -> Option<String> {
        Some(format!("{function}({})", self.expression(ty, depth)))
    }

    /// `max` or `min` of a list or of two numbers.
    fn of_two(&mut self, function: &str, depth: usize) -> Option<String> {
        match self.between(0, 1) {
            0 => Some(format!("{function}({})", self.variable(Type::Ints)?)),
            _ => {
                let first = self.expression(Type::Int, depth);
                let second = self.expression(Type::Int, depth);
                Some(format!("{function}({first}, {second})"))
            }
        }
    }

    fn method(&mut self, ty: Type, call: &str, depth: usize) -> Option<String> {
        let of = match self.variable(ty) {
            Some(of) => of,
            None => self.operand(ty, depth),
        };
        Some(format!("{of}.{call}"))
    }

    fn indexed(&mut self, ty: Type) -> Option<String> {
        let of = self.variable(ty)?;
        let index = match self.between(0, 9) {
            0..=3 => "0".to_owned(),
            4..=5 => "-1".to_owned(),
            6 => self.variable(Type::Int)?,
            _ => self.between(0, 2).to_string(),
        };
        Some(format!("{of}[{index}]"))
    }

    fn sliced(&mut self, ty: Type) -> Option<String> {
        let of = self.variable(ty)?;
        let n = self.between(1, 3);
        let slice = match self.between(0, 4) {
            0 => "::-1".to_owned(),
            1 => format!(":{n}"),
            2 => format!(":-{n}"),
            3 => format!("::{}", n + 1),
            _ => format!("{n}:"),
        };
        Some(format!("{of}[{slice}]"))
    }

    fn conditional(&mut self, ty: Type, depth: usize) -> Option<String> {
        let value = self.operand(ty, depth);
        let when = self.expression(Type::Bool, depth);
        Some(format!(
            "{value} if {when} else {}",
            self.operand(ty, depth)
        ))
    }

    /// A display of some values between brackets.
    fn display(
        &mut self,
        brackets: &str,
        least: i64,
        most: i64,
        ty: Type,
        depth: usize,
    ) -> Option<String> {
        let count = self.between(least, most);
        // Most displays hold constants.
        let depth = if self.between(0, 4) == 0 { depth } else { 0 };
        let items: Vec<String> = (0..count)
            .map(|_| match depth {
                0 => self.constant(ty),
                _ => self.expression(ty, depth),
            })
            .collect();
        let (open, close) = brackets.split_at(1);
        Some(format!("{open}{}{close}", items.join(", ")))
    }

    fn constant(&mut self, ty: Type) -> String {
        let made = productions(ty)[0].1(self, 0);
        made.unwrap_or_else(|| "0".to_owned())
    }

    fn comprehension(
        &mut self,
        brackets: &str,
        each_type: Type,
        ty: Type,
        of: &str,
        filtered: bool,
        depth: usize,
    ) -> Option<String> {
        let each = self.fresh_loop();
        let (value, when) = self.within(&each, each_type, |own| {
            let value = own.expression(ty, depth.max(1));
            let when = filtered.then(|| own.expression(Type::Bool, depth.max(1)));
            (value, when)
        });
        let when = when.map_or_else(String::new, |when| format!(" if {when}"));
        let (open, close) = brackets.split_at(1);
        Some(format!("{open}{value} for {each} in {of}{when}{close}"))
    }

    /// Something that has numbers as items.
    pub(super) fn iterable(&mut self) -> String {
        let known = match self.between(0, 2) {
            0 => None,
            1 => self.variable(Type::Numbers),
            _ => self.variable(Type::Ints),
        };
        known.unwrap_or_else(|| format!("range({})", self.range()))
    }

    /// The arguments of a `range` with few numbers.
    pub(super) fn range(&mut self) -> String {
        match self.between(0, 4) {
            0 => format!("1, {}", self.between(3, 8)),
            1 => format!(
                "{}, {}, {}",
                self.between(0, 2),
                self.between(6, 12),
                self.between(2, 3)
            ),
            2 => match self.sized() {
                Some(of) => format!("len({of})"),
                None => self.between(2, 6).to_string(),
            },
            _ => self.between(2, 6).to_string(),
        }
    }

    /// A variable that has a length.
    fn container(&mut self) -> Option<String> {
        let types = [
            Type::Ints,
            Type::Str,
            Type::Strs,
            Type::Counts,
            Type::Numbers,
        ];
        let from = self.rng.random_range(0..types.len());
        let mut all = types.iter().cycle().skip(from).take(types.len());
        all.find_map(|ty| self.variable(*ty))
    }

    fn sized(&mut self) -> Option<String> {
        self.variable(Type::Ints)
            .or_else(|| self.variable(Type::Strs))
    }
}

/// Whether a text can be an operand of any operator: a name, a constant, a call, or something between
/// brackets.
fn is_whole(text: &str) -> bool {
    let (mut depth, mut quoted) = (0_i32, false);
    for c in text.chars() {
        match c {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ' ' if depth == 0 => return false,
            _ => {}
        }
    }
    true
}
