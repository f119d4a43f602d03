//! Generates random Python programs by seed: the same seed always gives the same bytes.
//!
//! A program is a sequence of statements from the productions of `grammar/`. Generation is typed: a production gives
//! the types of its parts, and a variable has the type of its value, so that most of a program works. With a small
//! probability, which differs from program to program, a part has another type. Programs that do not parse are
//! generated again.

mod grammar;
mod imports;

use std::collections::HashMap;
use std::ops::RangeInclusive;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use grammar::{Grammar, Part, Production};

/// The grammar: values, expressions, statements, classes, and kinds of bugs that other interpreters had.
const FILES: [&str; 5] = [
    include_str!("../grammar/values.txt"),
    include_str!("../grammar/expressions.txt"),
    include_str!("../grammar/statements.txt"),
    include_str!("../grammar/classes.txt"),
    include_str!("../grammar/kinds.txt"),
];

/// Types that a part can have instead of its own.
const OTHER_TYPES: [&str; 15] = [
    "int",
    "float",
    "str",
    "bytes",
    "bool",
    "complex",
    "none",
    "list",
    "strs",
    "tuple",
    "dict",
    "set",
    "frozenset",
    "range",
    "bytearray",
];

/// Expressions within expressions.
const MOST_DEPTH: u32 = 3;
/// Statements within statements.
const MOST_BLOCKS: u32 = 3;
/// Characters of a program.
const MOST_TEXT: usize = 6000;
/// Maximum attempts to generate a program that parses.
const MOST_TRIES: u64 = 50;

/// A program and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Generated {
    /// Its seed.
    pub seed: u64,
    /// Its text.
    pub source: String,
    /// Titles of the productions of its statements.
    pub titles: Vec<String>,
}

/// Writes programs.
#[derive(Debug)]
pub(crate) struct Generator {
    grammar: Grammar,
    statements: RangeInclusive<u64>,
}

impl Generator {
    /// A generator of programs with this many statements.
    ///
    /// # Errors
    /// If the grammar cannot be read.
    pub(crate) fn new(statements: RangeInclusive<u64>) -> Result<Self, String> {
        let mut grammar = Grammar::default();
        for text in FILES {
            grammar.add(text)?;
        }
        let missing = grammar.missing();
        if !missing.is_empty() {
            return Err(format!("sections that are not there: {missing:?}"));
        }
        Ok(Self {
            grammar,
            statements,
        })
    }

    /// The program of a seed.
    pub(crate) fn program(&self, seed: u64) -> Generated {
        let parses = |source: &str| codexec_trace::syntax::with_parsed(source, |_| ()).is_ok();
        let mut tries = (0..MOST_TRIES).map(|number| self.written(seed, number));
        let found = tries.find(|program| parses(&program.source));
        found.unwrap_or_else(|| Generated {
            seed,
            source: "pass\n".to_owned(),
            titles: Vec::new(),
        })
    }

    fn written(&self, seed: u64, number: u64) -> Generated {
        let mut random =
            ChaCha8Rng::seed_from_u64(seed.wrapping_mul(MOST_TRIES).wrapping_add(number));
        // Programs of other lengths are others.
        random.set_stream(*self.statements.end());
        let mut writer = Writer {
            grammar: &self.grammar,
            random,
            noise: 0,
            names: 0,
            scope: Vec::new(),
            titles: Vec::new(),
            written: 0,
        };
        writer.noise = [0, 0, 2, 6][writer.below(4) as usize];
        let (least, most) = (*self.statements.start(), *self.statements.end());
        let mut lines = String::new();
        for _ in 0..writer.between(least, most) {
            lines.push_str(&writer.block("stmt", 0));
            lines.push('\n');
        }
        let lines: Vec<&str> = lines.lines().filter(|l| !l.trim().is_empty()).collect();
        let from = writer.below(4) == 0;
        let source = imports::with_imports(&(lines.join("\n") + "\n"), from);
        Generated {
            seed,
            source,
            titles: writer.titles,
        }
    }
}

/// A variable that expressions can use.
#[derive(Debug, Clone)]
struct Variable {
    name: String,
    kind: String,
    /// Columns that a line of its block is indented by.
    indent: usize,
}

/// Writes one program.
struct Writer<'g> {
    grammar: &'g Grammar,
    random: ChaCha8Rng,
    /// Percentage of parts with another type.
    noise: u64,
    names: u32,
    scope: Vec<Variable>,
    titles: Vec<String>,
    written: usize,
}

/// Output of a production so far.
struct Written {
    text: String,
    names: HashMap<String, String>,
    /// Variables of the current line.
    pending: Vec<(String, String)>,
    /// Variables that were there before it.
    outer: usize,
    /// Columns that its first line is indented by.
    indent: usize,
    depth: u32,
}

impl Written {
    /// The current line.
    fn line(&self) -> &str {
        self.text.rsplit('\n').next().unwrap_or_default()
    }
}

impl Writer<'_> {
    /// A number below another.
    fn below(&mut self, most: u64) -> u64 {
        let wide = u128::from(self.random.next_u64()) * u128::from(most.max(1));
        (wide >> 64) as u64
    }

    fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most.saturating_sub(least) + 1)
    }

    fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// A statement of a section, indented by this many columns.
    fn block(&mut self, section: &str, indent: usize) -> String {
        let full = self.written > MOST_TEXT || indent / 4 > MOST_BLOCKS as usize;
        if full {
            return format!("print({})", self.expression("any", MOST_DEPTH));
        }
        let grammar = self.grammar;
        let productions = grammar.section(section).unwrap_or_default();
        for _ in 0..MOST_TRIES {
            let production = self.weighted(productions);
            let outer = self.scope.len();
            if let Some(text) = self.production(production, indent, 0) {
                if section == "stmt" {
                    self.titles.push(production.title.clone());
                }
                self.written += text.len();
                return text;
            }
            self.scope.truncate(outer);
        }
        "pass".to_owned()
    }

    fn weighted<'p>(&mut self, productions: &'p [Production]) -> &'p Production {
        let all = productions.iter().map(|p| p.weight).sum();
        let mut at = self.below(all);
        for production in productions {
            if at < production.weight {
                return production;
            }
            at -= production.weight;
        }
        &productions[0]
    }

    /// An expression of a type.
    fn expression(&mut self, kind: &str, depth: u32) -> String {
        let mut kind = kind;
        if OTHER_TYPES.contains(&kind) && self.percent(self.noise) {
            kind = OTHER_TYPES[self.below(OTHER_TYPES.len() as u64) as usize];
        }
        if self.percent(35)
            && let Some(name) = self.variable(kind)
        {
            return name;
        }
        let grammar = self.grammar;
        let leaf = grammar.section(&format!("{kind} leaf"));
        let ends = depth >= MOST_DEPTH || self.percent(15 + 12 * u64::from(depth));
        let productions = leaf.filter(|_| ends).or_else(|| grammar.section(kind));
        let Some(productions) = productions.or(leaf) else {
            return "None".to_owned();
        };
        for _ in 0..MOST_TRIES {
            let at = self.below(productions.len() as u64) as usize;
            if let Some(text) = self.production(&productions[at], 0, depth + 1) {
                return text;
            }
        }
        "None".to_owned()
    }

    /// The name of a variable of a type.
    fn variable(&mut self, kind: &str) -> Option<String> {
        let fits = |variable: &&Variable| match kind {
            "any" => !["fn", "gen", "cls", "obj"].contains(&variable.kind.as_str()),
            "num" | "real" => ["int", "float", "bool"].contains(&variable.kind.as_str()),
            "iter" | "seq" => ["list", "strs", "str", "tuple"].contains(&variable.kind.as_str()),
            _ => variable.kind == kind,
        };
        let all: Vec<String> = self
            .scope
            .iter()
            .filter(fits)
            .map(|v| v.name.clone())
            .collect();
        if all.is_empty() {
            return None;
        }
        let at = self.below(all.len() as u64) as usize;
        Some(all[at].clone())
    }

    /// The text of a production. `None` if it needs a variable that does not exist.
    fn production(&mut self, production: &Production, indent: usize, depth: u32) -> Option<String> {
        let mut written = Written {
            text: String::new(),
            names: HashMap::new(),
            pending: Vec::new(),
            outer: self.scope.len(),
            indent,
            depth,
        };
        self.parts(&production.parts, &mut written)?;
        self.end_line(&mut written, 0);
        Some(written.text)
    }

    fn parts(&mut self, parts: &[Part], written: &mut Written) -> Option<()> {
        for part in parts {
            self.part(part, written)?;
        }
        Some(())
    }

    fn part(&mut self, part: &Part, written: &mut Written) -> Option<()> {
        match part {
            Part::Text(text) => {
                let mut at = 0;
                for line in text.split_inclusive('\n') {
                    written.text.push_str(line);
                    at += line.len();
                    if line.ends_with('\n') {
                        let rest = &text[at..];
                        let deep = rest.len() - rest.trim_start_matches(' ').len();
                        self.end_line(written, deep);
                    }
                }
            }
            Part::Fresh(key, kind) => {
                let name = self.fresh(key, written);
                written.text.push_str(&name);
                if let Some(kind) = kind {
                    written.pending.push((name, kind.clone()));
                }
            }
            Part::Let(key, kind) => {
                let name = self.fresh(key, written);
                self.scope.push(Variable {
                    name,
                    kind: kind.clone(),
                    indent: written.indent,
                });
            }
            Part::Variable(kind) => {
                let name = self.variable(kind)?;
                written.text.push_str(&name);
            }
            Part::Number(least, most) => {
                let number = least + self.below((most - least + 1) as u64) as i64;
                written.text.push_str(&number.to_string());
            }
            Part::Choice(texts) => {
                let at = self.below(texts.len() as u64) as usize;
                self.parts(&texts[at], written)?;
            }
            Part::Use {
                name,
                locals,
                times,
            } => self.section(name, locals, *times, written),
        }
        Some(())
    }

    /// Writes productions of a section: statements on lines of their own, expressions with commas.
    fn section(
        &mut self,
        name: &str,
        locals: &[(String, String)],
        times: Option<(u64, u64)>,
        written: &mut Written,
    ) {
        let times = times.map_or(1, |(least, most)| self.between(least, most));
        if self.grammar.has_blocks(name) {
            let deep = written.line().len();
            for number in 0..times {
                if number > 0 {
                    written.text.push('\n');
                    written.text.push_str(&" ".repeat(deep));
                }
                let lines = self.block(name, written.indent + deep);
                let lines: Vec<&str> = lines.lines().collect();
                written
                    .text
                    .push_str(&lines.join(&format!("\n{}", " ".repeat(deep))));
            }
            return;
        }
        let before = self.scope.len();
        for (name, kind) in locals {
            self.scope.push(Variable {
                name: name.clone(),
                kind: kind.clone(),
                indent: written.indent,
            });
        }
        for number in 0..times {
            if number > 0 {
                written.text.push_str(", ");
            }
            let text = self.expression(name, written.depth);
            written.text.push_str(&text);
        }
        self.scope.truncate(before);
    }

    fn fresh(&mut self, key: &str, written: &mut Written) -> String {
        if let Some(name) = written.names.get(key) {
            return name.clone();
        }
        self.names += 1;
        let name = format!("{key}{}", self.names);
        written.names.insert(key.to_owned(), name.clone());
        name
    }

    /// Ends the line and indents the next one by `next` columns more than the first: its variables become usable, and
    /// those of closed blocks are dropped.
    fn end_line(&mut self, written: &mut Written, next: usize) {
        let line = written.text.trim_end_matches('\n');
        let line = line.rsplit('\n').next().unwrap_or_default();
        let code = line.trim_start_matches(' ');
        let inner = ["def ", "async def ", "class "]
            .iter()
            .any(|begin| code.starts_with(begin));
        let deep = line.len() - code.len() + if inner { 4 } else { 0 };
        for (name, kind) in written.pending.drain(..) {
            self.scope.push(Variable {
                name,
                kind,
                indent: written.indent + deep,
            });
        }
        let (outer, most) = (written.outer, written.indent + next);
        let mut at = 0;
        self.scope.retain(|variable| {
            at += 1;
            at <= outer || variable.indent <= most
        });
    }
}
