//! A program in a network's input form: token ids of its statements, and the graph. Also the same as a
//! training example, which is numbers alone.

use codexec_curriculum::Example;
use codexec_data::tokenizer::{Vocabulary, VocabularyError, words_of};

use super::config::{Description, IpaConfig};
use super::graph::{Graph, GraphError};

/// A prepared node of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramNode {
    /// Which of the statements is its text.
    pub statement: u32,
    /// As in [`super::graph::Node`].
    pub yes: u32,
    /// As there.
    pub no: u32,
    /// As there.
    pub raise: u32,
    /// First and last line, 1-based; 0 of a description.
    pub lines: (u32, u32),
}

/// A prepared program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Token ids of statements; none is empty.
    pub statements: Vec<Vec<u32>>,
    /// Nodes; the exit and the error node have the next two numbers.
    pub nodes: Vec<ProgramNode>,
    /// Its entry.
    pub start: u32,
    /// Steps allowed.
    pub steps: u32,
    /// Token ids of the description, unless it is a statement.
    pub description: Vec<u32>,
}

/// Why a program cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It has no graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The tokenizer library failed.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
}

impl Program {
    /// Prepares a program, and the description of its input if there is one.
    ///
    /// # Errors
    /// See [`ProgramError`].
    pub fn read(
        source: &str,
        description: Option<&str>,
        config: &IpaConfig,
        vocabulary: &Vocabulary,
    ) -> Result<Self, ProgramError> {
        let graph = Graph::of(source)?;
        let spans: Vec<_> = graph.nodes.iter().map(|node| node.span).collect();
        let mut distinct = spans.clone();
        distinct.sort_by_key(|span| (span.start(), span.end()));
        distinct.dedup();
        let words = words_of(source, &distinct).map_err(GraphError::from)?;
        let encode = |words: &str, most: usize| -> Result<Vec<u32>, VocabularyError> {
            let mut ids = vec![vocabulary.start()];
            ids.extend(vocabulary.encode(words)?);
            ids.truncate(most.max(1));
            Ok(ids)
        };
        let most = config.statement();
        let mut statements = words
            .iter()
            .map(|words| encode(words, most))
            .collect::<Result<Vec<_>, _>>()?;
        let number =
            |span| distinct.partition_point(|other| (other.start(), other.end()) < span) as u32;
        let mut nodes: Vec<ProgramNode> = graph
            .nodes
            .iter()
            .map(|node| ProgramNode {
                statement: number((node.span.start(), node.span.end())),
                yes: node.yes,
                no: node.no,
                raise: node.raise,
                lines: node.lines,
            })
            .collect();
        let (mut start, mut steps) = (graph.start, graph.steps(config.settings.max_steps));
        let used = config.settings.description;
        let text = description.filter(|text| used != Description::None && !text.trim().is_empty());
        let mut tokens = match text {
            Some(text) => encode(&plain_words(text), config.encoder.codexec.max_target)?,
            None => Vec::new(),
        };
        if used == Description::Docstring && !tokens.is_empty() {
            // One more statement, before all others, and its node, which is last in order and the
            // entry.
            let node = nodes.len() as u32;
            let moved = |target: u32| if target >= node { target + 1 } else { target };
            for other in &mut nodes {
                other.statement += 1;
                (other.yes, other.no, other.raise) =
                    (moved(other.yes), moved(other.no), moved(other.raise));
            }
            nodes.push(ProgramNode {
                statement: 0,
                yes: start,
                no: start,
                raise: node + 2,
                lines: (0, 0),
            });
            statements.insert(0, std::mem::take(&mut tokens));
            (start, steps) = (node, steps + 1);
        }
        Ok(Self {
            statements,
            nodes,
            start,
            steps,
            description: tokens,
        })
    }

    /// The number of the exit.
    #[must_use]
    pub fn exit(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// The number of the error node.
    #[must_use]
    pub fn error(&self) -> u32 {
        self.nodes.len() as u32 + 1
    }

    /// A training example: token ids as source; as target the class, the line of the error (0 without
    /// one) and the graph.
    #[must_use]
    pub fn example(&self, class: u32, line: u32, kind: u8) -> Example {
        let mut source: Vec<u32> = self.description.clone();
        source.extend(self.statements.iter().flatten());
        let counts = [
            self.description.len(),
            self.statements.len(),
            self.nodes.len(),
        ];
        let mut target = vec![class, line, self.start, self.steps];
        target.extend(counts.map(|n| n as u32));
        target.extend(self.statements.iter().map(|s| s.len() as u32));
        for node in &self.nodes {
            let (first, last) = node.lines;
            target.extend([node.statement, node.yes, node.no, node.raise, first, last]);
        }
        Example {
            source,
            target,
            kind,
        }
    }

    /// The program of a training example, its class and the line of its error. `None` if it is not one.
    #[must_use]
    pub fn of_example(example: &Example) -> Option<(Self, u32, u32)> {
        let ([class, line, start, steps, described, statements, nodes], rest) =
            example.target.split_first_chunk::<7>()?;
        let (lengths, rest) = rest.split_at_checked(*statements as usize)?;
        let (description, mut tokens) = example.source.split_at_checked(*described as usize)?;
        let mut read = Vec::with_capacity(lengths.len());
        for length in lengths {
            let (statement, others) = tokens.split_at_checked(*length as usize)?;
            read.push(statement.to_vec());
            tokens = others;
        }
        let (numbers, _) = rest.as_chunks::<6>();
        let node = |[statement, yes, no, raise, first, last]: &[u32; 6]| ProgramNode {
            statement: *statement,
            yes: *yes,
            no: *no,
            raise: *raise,
            lines: (*first, *last),
        };
        let program = Self {
            statements: read,
            nodes: numbers.iter().map(node).collect(),
            start: *start,
            steps: *steps,
            description: description.to_vec(),
        };
        (program.nodes.len() == *nodes as usize).then_some((program, *class, *line))
    }
}

/// Words of plain-language text, with punctuation and digits separated.
pub fn plain_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut before = ' ';
    for c in text.chars() {
        let joins = |c: char| c.is_alphabetic() || c == '_';
        if !(joins(c) && joins(before)) {
            out.push(' ');
        }
        out.push(c);
        before = c;
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}
