//! A program's control-flow graph in ORCA's notation: blocks of statements and their successors.
//!
//! Blocks are numbered from 1 in source order. The condition of an `if` ends the previous block; the head of a
//! loop is a separate block. `pass`, `break` and `continue` are not statements of a block, only edges. A
//! function or class definition, and a `match`, are one opaque statement with all of their text. For a caught
//! exception the graph has the successor block, not the raising one.

use std::fmt::Write as _;

use codexec_data::syntax::{SyntaxError, with_parsed};
use ruff_python_ast::{ElifElseClause, ExceptHandler, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

/// Successor if there is no further block.
pub const END: &str = "<END>";

/// A statement of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// As in the graph's text.
    pub text: String,
    /// Its first line, 1-based.
    pub line: u32,
    /// Its last line; of a compound statement that of its head.
    pub last_line: u32,
}

/// The successors of a block; the end of the program if there is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// There.
    Always(Option<u32>),
    /// If the condition holds.
    If {
        /// Where it holds, or the loop has another item.
        yes: Option<u32>,
        /// If it does not.
        no: Option<u32>,
    },
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its statements; never empty.
    pub statements: Vec<Statement>,
    /// Its successors.
    pub next: Next,
    /// The handlers of a `try` around it, by their blocks.
    pub handlers: Vec<u32>,
}

impl Block {
    /// The line of the last statement.
    pub fn last_line(&self) -> u32 {
        self.statements.last().map_or(1, |s| s.line)
    }

    /// Whether the program may end behind it.
    pub fn may_end(&self) -> bool {
        match self.next {
            Next::Always(next) => next.is_none(),
            Next::If { yes, no } => yes.is_none() || no.is_none(),
        }
    }

    /// Whether it may follow itself.
    fn repeats(&self, own: u32) -> bool {
        match self.next {
            Next::Always(next) => next == Some(own),
            Next::If { yes, no } => yes == Some(own) || no == Some(own),
        }
    }
}

/// A program's graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocks(Vec<Block>);

impl Blocks {
    /// The graph of a program.
    ///
    /// # Errors
    /// If it does not parse.
    pub fn of(source: &str) -> Result<Self, SyntaxError> {
        with_parsed(source, |parsed| {
            let mut builder = Builder::new(source);
            builder.body(&parsed.syntax().body, Vec::new());
            Self(builder.blocks)
        })
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the program has no statements.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The block of a number.
    pub fn get(&self, number: u32) -> Option<&Block> {
        self.0.get((number as usize).checked_sub(1)?)
    }

    /// Whether a block may follow itself. If not, two consecutive headings of it are one visit.
    pub fn repeats(&self, number: u32) -> bool {
        self.get(number).is_some_and(|block| block.repeats(number))
    }

    /// The block of a line and which of its statements begins there.
    pub fn at_line(&self, line: u32) -> Option<(u32, usize)> {
        let mut numbered = (1..).zip(&self.0);
        numbered.find_map(|(number, block)| {
            let place = block.statements.iter().position(|s| s.line == line);
            place.map(|place| (number, place))
        })
    }

    /// Numbers of statements, block by block.
    pub fn sizes(&self) -> Vec<usize> {
        self.0.iter().map(|block| block.statements.len()).collect()
    }

    /// The graph as text for a language model.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let to = |next: Option<u32>| match next {
            Some(number) => format!("Go to Block: {number}"),
            None => END.to_owned(),
        };
        for (number, block) in (1..).zip(&self.0) {
            let _ = writeln!(out, "Block: {number}\nStatement:");
            let lines = block.statements.iter().flat_map(|s| s.text.lines());
            for line in lines {
                let _ = writeln!(out, "    {line}");
            }
            match block.next {
                Next::Always(next) => {
                    let _ = writeln!(out, "Next: {}", to(next));
                }
                Next::If { yes, no } => {
                    let _ = writeln!(out, "Next, if True: {}", to(yes));
                    let _ = writeln!(out, "Next, if False: {}", to(no));
                }
            }
            for handler in &block.handlers {
                let _ = writeln!(
                    out,
                    "Next, if an exception is raised: {}",
                    to(Some(*handler))
                );
            }
            out.push('\n');
        }
        out
    }
}

/// An edge without a target yet: the index of a block, and which of its edges.
#[derive(Debug, Clone, Copy)]
struct Open(usize, Way);

/// The block with the only open edge: following statements belong to it.
fn alone(open: &[Open]) -> Option<usize> {
    match open {
        [Open(block, Way::Always)] => Some(*block),
        _ => None,
    }
}

#[derive(Debug, Clone, Copy)]
enum Way {
    Always,
    Yes,
    No,
}

/// The enclosing loop: its head, and its `break` edges.
struct Loop {
    head: u32,
    breaks: Vec<Open>,
}

struct Builder<'s> {
    source: &'s str,
    /// Starts of lines.
    lines: Vec<TextSize>,
    blocks: Vec<Block>,
    loops: Vec<Loop>,
}

impl<'s> Builder<'s> {
    fn new(source: &'s str) -> Self {
        let ends = source.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends);
        let size = |at: usize| TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
        Self {
            source,
            lines: lines.map(size).collect(),
            blocks: Vec::new(),
            loops: Vec::new(),
        }
    }

    fn line(&self, at: TextSize) -> u32 {
        u32::try_from(self.lines.partition_point(|begin| *begin <= at)).unwrap_or(u32::MAX)
    }

    fn text(&self, range: TextRange) -> &'s str {
        &self.source[range.start().to_usize()..range.end().to_usize()]
    }

    fn expr(&self, expr: &Expr) -> &'s str {
        self.text(expr.range())
    }

    /// Leads the open ways to a block.
    fn close(&mut self, open: Vec<Open>, target: u32) {
        for Open(block, way) in open {
            match (&mut self.blocks[block].next, way) {
                (Next::If { yes, .. }, Way::Yes) => *yes = Some(target),
                (Next::If { no, .. }, Way::No) => *no = Some(target),
                (next, _) => *next = Next::Always(Some(target)),
            }
        }
    }

    fn number(index: usize) -> u32 {
        u32::try_from(index + 1).unwrap_or(u32::MAX)
    }

    /// A new block behind the open ways.
    fn begin(&mut self, open: Vec<Open>) -> usize {
        let index = self.blocks.len();
        self.close(open, Self::number(index));
        self.blocks.push(Block {
            statements: Vec::new(),
            next: Next::Always(None),
            handlers: Vec::new(),
        });
        index
    }

    /// Adds a statement to the current block, or to a new one after the open edges.
    fn add(
        &mut self,
        current: &mut Option<usize>,
        open: &mut Vec<Open>,
        text: String,
        range: TextRange,
    ) -> usize {
        let index = match *current {
            Some(index) => index,
            None => self.begin(std::mem::take(open)),
        };
        *current = Some(index);
        let statement = Statement {
            text,
            line: self.line(range.start()),
            last_line: self.line(range.end()),
        };
        self.blocks[index].statements.push(statement);
        index
    }

    /// Reads statements behind the open ways; the ways that are open behind them.
    fn body(&mut self, statements: &[Stmt], mut open: Vec<Open>) -> Vec<Open> {
        // The current block.
        let mut current: Option<usize> = None;
        let left = |current: &mut Option<usize>, open: Vec<Open>| match current.take() {
            Some(index) => vec![Open(index, Way::Always)],
            None => open,
        };
        for statement in statements {
            match statement {
                Stmt::Pass(_) => {}
                Stmt::Break(_) => {
                    let open = left(&mut current, open);
                    if let Some(around) = self.loops.last_mut() {
                        around.breaks.extend(open);
                    }
                    return Vec::new();
                }
                Stmt::Continue(_) => {
                    let open = left(&mut current, open);
                    if let Some(head) = self.loops.last().map(|around| around.head) {
                        self.close(open, head);
                    }
                    return Vec::new();
                }
                Stmt::Return(node) => {
                    let text = self.text(node.range).to_owned();
                    self.add(&mut current, &mut open, text, node.range);
                    return Vec::new();
                }
                Stmt::If(node) => {
                    let (text, range) = self.condition(&node.test, node.start());
                    let index = self.add(&mut current, &mut open, text, range);
                    open = self.branches(index, &node.body, &node.elif_else_clauses);
                    current = alone(&open);
                }
                Stmt::While(node) => {
                    let head = TextRange::new(node.start(), node.test.end());
                    let text = format!("while {}:", self.expr(&node.test));
                    open = left(&mut current, open);
                    open = self.looped(open, (text, head), &node.body, &node.orelse);
                    current = alone(&open);
                }
                Stmt::For(node) => {
                    let head = TextRange::new(node.start(), node.iter.end());
                    let (item, of) = (self.expr(&node.target), self.expr(&node.iter));
                    let text = format!("iterator -> {item}, Iterate Over -> {of}");
                    open = left(&mut current, open);
                    open = self.looped(open, (text, head), &node.body, &node.orelse);
                    current = alone(&open);
                }
                Stmt::With(node) => {
                    let last = node.items.last().map_or(node.end(), |item| item.end());
                    let head = TextRange::new(node.start(), last);
                    let text = format!("{}:", self.text(head));
                    self.add(&mut current, &mut open, text, head);
                    open = left(&mut current, open);
                    open = self.body(&node.body, open);
                }
                Stmt::Try(node) => {
                    open = left(&mut current, open);
                    let first = self.blocks.len();
                    open = self.body(&node.body, open);
                    open = self.body(&node.orelse, open);
                    let last = self.blocks.len();
                    for ExceptHandler::ExceptHandler(handler) in &node.handlers {
                        let number = Self::number(self.blocks.len());
                        for block in &mut self.blocks[first..last] {
                            block.handlers.push(number);
                        }
                        let end = handler.body.first().map_or(handler.end(), |s| s.start());
                        let head = TextRange::new(handler.start(), end);
                        let text = self.text(head).trim_end().to_owned();
                        let head = TextRange::at(handler.start(), TextSize::of(text.as_str()));
                        let index = self.add(&mut None, &mut Vec::new(), text, head);
                        let behind = vec![Open(index, Way::Always)];
                        open.extend(self.body(&handler.body, behind));
                    }
                    open = self.body(&node.finalbody, open);
                }
                simple => {
                    let text = self.text(simple.range()).to_owned();
                    self.add(&mut current, &mut open, text, simple.range());
                }
            }
        }
        left(&mut current, open)
    }

    /// A condition as a statement.
    fn condition(&self, test: &Expr, start: TextSize) -> (String, TextRange) {
        let text = format!("({})", self.expr(test));
        (text, TextRange::new(start, test.end()))
    }

    /// The branches of an `if` whose condition is the last statement of a block.
    fn branches(&mut self, index: usize, body: &[Stmt], rest: &[ElifElseClause]) -> Vec<Open> {
        self.blocks[index].next = Next::If {
            yes: None,
            no: None,
        };
        let mut open = self.body(body, vec![Open(index, Way::Yes)]);
        let no = vec![Open(index, Way::No)];
        open.extend(match rest {
            [] => no,
            [clause, rest @ ..] => match &clause.test {
                None => self.body(&clause.body, no),
                Some(test) => {
                    let (text, range) = self.condition(test, clause.start());
                    let index = self.add(&mut None, &mut no.clone(), text, range);
                    self.branches(index, &clause.body, rest)
                }
            },
        });
        open
    }

    /// A loop behind the open ways.
    fn looped(
        &mut self,
        mut open: Vec<Open>,
        (text, head): (String, TextRange),
        body: &[Stmt],
        orelse: &[Stmt],
    ) -> Vec<Open> {
        let index = self.add(&mut None, &mut open, text, head);
        self.blocks[index].next = Next::If {
            yes: None,
            no: None,
        };
        let number = Self::number(index);
        self.loops.push(Loop {
            head: number,
            breaks: Vec::new(),
        });
        let behind = self.body(body, vec![Open(index, Way::Yes)]);
        self.close(behind, number);
        let breaks = self.loops.pop().map_or_else(Vec::new, |l| l.breaks);
        let mut open = self.body(orelse, vec![Open(index, Way::No)]);
        open.extend(breaks);
        open
    }
}

#[cfg(test)]
mod tests;
