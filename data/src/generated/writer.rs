//! Programs of a typed grammar: every variable knows the type of its value, so that most programs end without an
//! exception. Loops end: their bounds are small, and nothing in a body changes their counters.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Shape;
use super::expressions::Production;
use super::idioms::{Idioms, Role, is_builtin};

/// Maximum nesting of an expression.
const PARTS: usize = 2;

/// The kind of value in a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Int,
    Str,
    Bool,
    /// A list of numbers.
    Ints,
    /// A list of strings.
    Strs,
    /// A dictionary from strings to numbers.
    Counts,
    /// A set of numbers.
    Numbers,
}

/// Types of new variables, each with the idiom whose frequency is its weight.
const NEW: [(&str, Type); 7] = [
    ("number", Type::Int),
    ("text", Type::Str),
    ("unary not", Type::Bool),
    ("list", Type::Ints),
    ("method split", Type::Strs),
    ("dict", Type::Counts),
    ("call set", Type::Numbers),
];

#[derive(Debug, Clone)]
struct Variable {
    name: String,
    ty: Type,
    /// It counts the rounds of a loop around here.
    is_kept: bool,
}

#[derive(Debug, Clone)]
struct Function {
    name: String,
    parameters: Vec<Type>,
    returns: Type,
}

/// A program on its way.
pub(super) struct Writer<'i> {
    idioms: &'i Idioms,
    pub(super) rng: ChaCha8Rng,
    scope: Vec<Variable>,
    functions: Vec<Function>,
    lines: Vec<String>,
    indent: usize,
    /// Blocks and loops around here.
    blocks: usize,
    loops: usize,
    left: usize,
    depth: usize,
}

/// A statement. `false` if its requirements are missing.
type Statement = (&'static str, fn(&mut Writer<'_>) -> bool);

const STATEMENTS: &[Statement] = &[
    ("assign", |w| w.assign()),
    ("augmented +", |w| w.augment("+=")),
    ("augmented -", |w| w.augment("-=")),
    ("augmented *", |w| w.augment("*=")),
    ("augmented //", |w| w.augment("//=")),
    ("call print", |w| w.print()),
    ("for range", |w| w.for_range()),
    ("for each", |w| w.for_each()),
    ("for enumerate", |w| w.for_enumerate()),
    ("for items", |w| w.for_items()),
    ("while", |w| w.while_loop()),
    ("if", |w| w.condition(false)),
    ("if else", |w| w.condition(true)),
    ("method append", |w| w.change(Type::Ints, "append")),
    ("method add", |w| w.change(Type::Numbers, "add")),
    ("method sort", |w| w.in_place("sort()")),
    ("method reverse", |w| w.in_place("reverse()")),
    ("method pop", |w| w.in_place("pop()")),
    ("store", |w| w.store()),
    ("swap", |w| w.swap()),
    ("break", |w| w.leave("break")),
    ("continue", |w| w.leave("continue")),
];

/// A program of a shape, deterministic for a seed.
pub fn program(idioms: &Idioms, shape: &Shape, seed: u64) -> String {
    let mut writer = Writer {
        idioms,
        rng: ChaCha8Rng::seed_from_u64(seed),
        scope: Vec::new(),
        functions: Vec::new(),
        lines: Vec::new(),
        indent: 0,
        blocks: 0,
        loops: 0,
        left: 0,
        depth: shape.depth,
    };
    let [least, most] = shape.statements;
    writer.left = writer.rng.random_range(least..=most);
    for _ in 0..writer.rng.random_range(0..=shape.functions) {
        writer.function();
    }
    writer.assign();
    for function in writer.functions.clone() {
        writer.use_of(&function);
    }
    while writer.left > 0 {
        writer.statement();
    }
    writer.print();
    writer.lines.push(String::new());
    writer.lines.join("\n")
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.lines
            .push(format!("{}{text}", "    ".repeat(self.indent)));
        self.left = self.left.saturating_sub(1);
    }

    /// Draws one by the frequency of its idiom in the corpus.
    pub(super) fn chosen(&mut self, all: &[Production]) -> fn(&mut Self, usize) -> Option<String> {
        let at = self.drawn(all.iter().map(|(idiom, _)| *idiom));
        all[at].1
    }

    fn drawn<'k>(&mut self, idioms: impl Iterator<Item = &'k str>) -> usize {
        let weights: Vec<u64> = idioms.map(|idiom| self.idioms.weight(idiom)).collect();
        let mut left = self.rng.random_range(0..weights.iter().sum());
        let is_it = |weight: &u64| {
            let is_it = left < *weight;
            left = left.saturating_sub(*weight);
            is_it
        };
        weights.iter().position(is_it).unwrap_or(0)
    }

    pub(super) fn between(&mut self, least: i64, most: i64) -> i64 {
        self.rng.random_range(least..=most)
    }

    pub(super) fn number(&mut self) -> i64 {
        self.idioms.number(&mut self.rng)
    }

    pub(super) fn plain_text(&mut self) -> String {
        self.idioms.text(&mut self.rng)
    }

    pub(super) fn text(&mut self) -> String {
        format!("'{}'", self.plain_text())
    }

    /// A variable of a type.
    pub(super) fn variable(&mut self, ty: Type) -> Option<String> {
        self.one_of(|one| one.ty == ty)
    }

    fn one_of(&mut self, wanted: impl Fn(&Variable) -> bool) -> Option<String> {
        let known: Vec<usize> = (0..self.scope.len())
            .filter(|at| wanted(&self.scope[*at]))
            .collect();
        let at = *known.get(self.rng.random_range(0..known.len().max(1)))?;
        Some(self.scope[at].name.clone())
    }

    /// An unused name.
    fn fresh(&mut self, role: Role) -> String {
        for _ in 0..8 {
            let name = self.idioms.name(role, &mut self.rng);
            if self.is_free(&name) {
                return name;
            }
        }
        let mut number = self.scope.len() + self.functions.len();
        while !self.is_free(&format!("v{number}")) {
            number += 1;
        }
        format!("v{number}")
    }

    pub(super) fn fresh_loop(&mut self) -> String {
        self.fresh(Role::Loop)
    }

    fn is_free(&self, name: &str) -> bool {
        !is_builtin(name)
            && self.scope.iter().all(|one| one.name != name)
            && self.functions.iter().all(|one| one.name != name)
    }

    fn bind(&mut self, name: &str, ty: Type, is_kept: bool) {
        self.scope.push(Variable {
            name: name.to_owned(),
            ty,
            is_kept,
        });
    }

    /// Does something while a name is bound.
    pub(super) fn within<T>(
        &mut self,
        name: &str,
        ty: Type,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.scope.len();
        self.bind(name, ty, true);
        let done = act(self);
        self.scope.truncate(before);
        done
    }

    /// A call of a function of the program.
    pub(super) fn call_of(&mut self, ty: Type, depth: usize) -> Option<String> {
        let known = self.functions.iter().filter(|one| one.returns == ty);
        let known: Vec<Function> = known.cloned().collect();
        let function = known.get(self.rng.random_range(0..known.len().max(1)))?;
        Some(self.call(function, depth))
    }

    fn call(&mut self, function: &Function, depth: usize) -> String {
        let arguments = function.parameters.iter();
        let arguments: Vec<String> = arguments.map(|ty| self.expression(*ty, depth)).collect();
        format!("{}({})", function.name, arguments.join(", "))
    }

    /// A variable for a function's result.
    fn use_of(&mut self, function: &Function) {
        let (name, call) = (self.fresh(Role::Variable), self.call(function, 1));
        self.line(&format!("{name} = {call}"));
        self.bind(&name, function.returns, false);
    }

    /// A condition on some variable, if there is one.
    fn decision(&mut self, depth: usize) -> String {
        let mut when = self.work(Type::Bool, depth);
        for _ in 0..6 {
            let mut words = when.split(|c: char| !c.is_alphanumeric() && c != '_');
            if words.any(|word| self.scope.iter().any(|one| one.name == word)) {
                break;
            }
            when = self.work(Type::Bool, depth);
        }
        when
    }

    fn statement(&mut self) {
        for _ in 0..8 {
            let at = self.drawn(STATEMENTS.iter().map(|(idiom, _)| *idiom));
            if STATEMENTS[at].1(self) {
                return;
            }
        }
        self.assign();
    }

    /// A block of some statements, in which names are bound that are gone behind it.
    fn block(&mut self, most: i64) {
        let before = self.scope.len();
        self.indent += 1;
        self.blocks += 1;
        for _ in 0..self.between(1, most) {
            self.statement();
        }
        self.indent -= 1;
        self.blocks -= 1;
        self.scope.truncate(before);
    }

    fn assign(&mut self) -> bool {
        let at = self.drawn(NEW.iter().map(|(idiom, _)| *idiom));
        let ty = NEW[at].1;
        let again = self.between(0, 2) == 0;
        let known = match again {
            true => self.one_of(|one| one.ty == ty && !one.is_kept),
            false => None,
        };
        let value = self.work(ty, PARTS);
        match known.filter(|known| *known != value) {
            Some(name) => self.line(&format!("{name} = {value}")),
            None => {
                let name = self.fresh(Role::Variable);
                self.line(&format!("{name} = {value}"));
                self.bind(&name, ty, false);
            }
        }
        true
    }

    fn augment(&mut self, op: &str) -> bool {
        let is_text = op == "+=" && self.between(0, 4) == 0;
        let ty = if is_text { Type::Str } else { Type::Int };
        let Some(name) = self.one_of(|one| one.ty == ty && !one.is_kept) else {
            return false;
        };
        let value = match op {
            "//=" => self.between(2, 5).to_string(),
            "*=" => self.between(2, 4).to_string(),
            _ => self.expression(ty, 1),
        };
        self.line(&format!("{name} {op} {value}"));
        true
    }

    fn print(&mut self) -> bool {
        let value = match self.one_of(|_| true) {
            Some(name) if self.between(0, 2) > 0 => name,
            _ => self.work(Type::Int, PARTS),
        };
        let other = self.one_of(|_| true).filter(|other| *other != value);
        match other {
            Some(other) if self.between(0, 3) == 0 => {
                self.line(&format!("print({value}, {other})"))
            }
            _ => self.line(&format!("print({value})")),
        }
        true
    }

    fn may_nest(&self) -> bool {
        self.blocks < self.depth
    }

    fn loop_of(&mut self, header: &str, names: &[(&str, Type)]) -> bool {
        self.line(header);
        let before = self.scope.len();
        for (name, ty) in names {
            self.bind(name, *ty, true);
        }
        self.loops += 1;
        self.block(3);
        self.loops -= 1;
        self.scope.truncate(before);
        true
    }

    fn for_range(&mut self) -> bool {
        if !self.may_nest() {
            return false;
        }
        let (each, range) = (self.fresh_loop(), self.range());
        self.loop_of(
            &format!("for {each} in range({range}):"),
            &[(&each, Type::Int)],
        )
    }

    /// The iterable of a loop is unchanged in its body.
    fn over(&mut self, ty: Type, header: impl Fn(&str) -> String, names: &[(&str, Type)]) -> bool {
        let Some(of) = self.variable(ty) else {
            return false;
        };
        let at = self.scope.iter().position(|one| one.name == of);
        let before = at.map(|at| std::mem::replace(&mut self.scope[at].is_kept, true));
        let done = self.loop_of(&header(&of), names);
        if let (Some(at), Some(before)) = (at, before) {
            self.scope[at].is_kept = before;
        }
        done
    }

    fn for_each(&mut self) -> bool {
        if !self.may_nest() {
            return false;
        }
        let each = self.fresh_loop();
        let (ty, item) = match self.between(0, 3) {
            0 => (Type::Str, Type::Str),
            1 => (Type::Strs, Type::Str),
            _ => (Type::Ints, Type::Int),
        };
        self.over(ty, |of| format!("for {each} in {of}:"), &[(&each, item)])
    }

    fn for_enumerate(&mut self) -> bool {
        if !self.may_nest() {
            return false;
        }
        let index = self.fresh_loop();
        let each = self.within(&index, Type::Int, |own| own.fresh_loop());
        let (ty, item) = match self.between(0, 2) {
            0 => (Type::Strs, Type::Str),
            _ => (Type::Ints, Type::Int),
        };
        let header = |of: &str| format!("for {index}, {each} in enumerate({of}):");
        self.over(ty, header, &[(&index, Type::Int), (&each, item)])
    }

    fn for_items(&mut self) -> bool {
        if !self.may_nest() {
            return false;
        }
        let key = self.fresh_loop();
        let value = self.within(&key, Type::Str, |own| own.fresh_loop());
        let header = |of: &str| format!("for {key}, {value} in {of}.items():");
        self.over(
            Type::Counts,
            header,
            &[(&key, Type::Str), (&value, Type::Int)],
        )
    }

    /// A loop that counts down, or halves.
    fn while_loop(&mut self) -> bool {
        if !self.may_nest() {
            return false;
        }
        let name = self.fresh(Role::Variable);
        let (first, last, step) = match self.between(0, 2) {
            0 => (self.between(5, 60), "> 1", "//= 2"),
            1 => (self.between(2, 6), "> 0", "-= 1"),
            _ => (self.between(4, 12), "> 0", "-= 2"),
        };
        self.line(&format!("{name} = {first}"));
        self.bind(&name, Type::Int, true);
        // Nothing leaves it: `continue` would skip the increment.
        let loops = std::mem::take(&mut self.loops);
        self.line(&format!("while {name} {last}:"));
        self.block(2);
        self.indent += 1;
        self.line(&format!("{name} {step}"));
        self.indent -= 1;
        self.loops = loops;
        true
    }

    fn condition(&mut self, otherwise: bool) -> bool {
        if !self.may_nest() {
            return false;
        }
        let when = self.decision(PARTS);
        self.line(&format!("if {when}:"));
        self.block(2);
        if otherwise {
            if self.between(0, 3) == 0 {
                let when = self.decision(1);
                self.line(&format!("elif {when}:"));
                self.block(2);
            }
            self.line("else:");
            self.block(2);
        }
        true
    }

    fn change(&mut self, ty: Type, method: &str) -> bool {
        let Some(of) = self.one_of(|one| one.ty == ty && !one.is_kept) else {
            return false;
        };
        let item = self.expression(Type::Int, 1);
        self.line(&format!("{of}.{method}({item})"));
        true
    }

    fn in_place(&mut self, call: &str) -> bool {
        let Some(of) = self.one_of(|one| one.ty == Type::Ints && !one.is_kept) else {
            return false;
        };
        self.line(&format!("{of}.{call}"));
        true
    }

    fn store(&mut self) -> bool {
        let ty = if self.between(0, 1) == 0 {
            Type::Ints
        } else {
            Type::Counts
        };
        let Some(of) = self.one_of(|one| one.ty == ty && !one.is_kept) else {
            return false;
        };
        let value = self.expression(Type::Int, PARTS);
        let place = match ty {
            Type::Ints => self.between(0, 1).to_string(),
            _ => self.expression(Type::Str, 0),
        };
        let op = if ty == Type::Ints && self.between(0, 2) == 0 {
            "+="
        } else {
            "="
        };
        self.line(&format!("{of}[{place}] {op} {value}"));
        true
    }

    fn swap(&mut self) -> bool {
        let known = self
            .scope
            .iter()
            .filter(|one| one.ty == Type::Int && !one.is_kept);
        let names: Vec<String> = known.map(|one| one.name.clone()).collect();
        let [.., a, b] = names.as_slice() else {
            return false;
        };
        let line = match self.between(0, 1) {
            0 => format!("{a}, {b} = {b}, {a}"),
            _ => format!("{a}, {b} = {b}, {a} + {b}"),
        };
        self.line(&line);
        true
    }

    fn leave(&mut self, how: &str) -> bool {
        if self.loops == 0 {
            return false;
        }
        let when = self.decision(1);
        self.line(&format!("if {when}:"));
        self.indent += 1;
        self.line(how);
        self.indent -= 1;
        true
    }

    fn function(&mut self) {
        let types = [Type::Int, Type::Int, Type::Ints, Type::Str];
        let name = self.fresh(Role::Function);
        let count = self.between(1, 2);
        let before = self.scope.len();
        let (mut parameters, mut names) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let ty = types[self.rng.random_range(0..types.len())];
            let parameter = self.fresh(Role::Parameter);
            self.bind(&parameter, ty, false);
            parameters.push(ty);
            names.push(parameter);
        }
        self.line(&format!("def {name}({}):", names.join(", ")));
        let returns = types[self.rng.random_range(0..types.len())];
        self.indent += 1;
        for _ in 0..self.between(1, 3) {
            self.statement();
        }
        let value = self.work(returns, PARTS);
        self.line(&format!("return {value}"));
        self.indent -= 1;
        self.scope.truncate(before);
        self.functions.push(Function {
            name,
            parameters,
            returns,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::with_parsed;

    const CORPUS: [&str; 2] = [
        "def half(n):\n    return n // 2\nfor k in range(3):\n    total += half(k)\nwhile n > 0:\n    n -= 1\n",
        "words = 'a b'.split()\nfor i, w in enumerate(words):\n    if len(w) > 1:\n        print(w)\n",
    ];

    #[test]
    fn programs_parse_and_are_those_of_their_seed() {
        let idioms = Idioms::of(CORPUS.into_iter());
        let shape = Shape::default();
        let all: Vec<String> = (0..500)
            .map(|seed| program(&idioms, &shape, seed))
            .collect();
        for (seed, source) in all.iter().enumerate() {
            assert!(with_parsed(source, |_| ()).is_ok(), "{source}");
            assert_eq!(*source, program(&idioms, &shape, seed as u64));
        }
        let kinds = ["for ", "while ", "if ", "def ", "print(", "len("];
        for kind in kinds {
            assert!(all.iter().any(|source| source.contains(kind)), "{kind}");
        }
    }

    #[test]
    fn what_a_corpus_uses_often_is_written_often() {
        let programs = |corpus: &str| -> String {
            let many = corpus.repeat(200);
            let idioms = Idioms::of([many.as_str()].into_iter());
            let seeds = 0..200;
            seeds
                .map(|seed| program(&idioms, &Shape::default(), seed))
                .collect()
        };
        let loops = |text: &str| text.matches("while ").count();
        let (with, without) = (
            programs("while n:\n    n -= 1\n"),
            programs("n = 1\nn -= 1\n"),
        );
        assert!(
            loops(&with) > 5 * loops(&without),
            "{} {}",
            loops(&with),
            loops(&without)
        );
    }

    #[test]
    fn a_shape_bounds_depth_and_size() {
        let idioms = Idioms::of(CORPUS.into_iter());
        let flat = Shape {
            depth: 0,
            functions: 0,
            statements: [3, 3],
            ..Shape::default()
        };
        for seed in 0..200 {
            let source = program(&idioms, &flat, seed);
            assert!(
                source.lines().all(|line| !line.starts_with(' ')),
                "{source}"
            );
            assert!((3..=5).contains(&source.lines().count()), "{source}");
        }
    }
}
