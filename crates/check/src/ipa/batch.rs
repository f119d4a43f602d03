//! Programs of one batch as tensors: pieces of text in the rows of the encoder, and the joint control flow.

use std::collections::HashMap;
use std::ops::Range;

use candle_core::{Device, Result, Tensor};

use super::config::{Architecture, IpaConfig, Scope};
use super::program::Program;
use codexec_model::ops::{Flow, MASKED};

/// Minimum width of encoder rows, if there is enough text.
const WIDTH: usize = 64;

/// A batch. R rows of the encoder with L tokens each, S statements, N nodes, B programs.
pub(super) struct Batch {
    /// (R,L) u32.
    pub ids: Tensor,
    /// (R,L) u32.
    pub positions: Tensor,
    /// (R,1,L,L) f32, 0 or [`MASKED`].
    pub mask: Tensor,
    /// Positions of the statements among the R*L tokens; (S).
    pub statements: Vec<Range<usize>>,
    /// The program of each statement; (S).
    pub statement_programs: Vec<u32>,
    /// Positions of the descriptions; (B), empty if there is none.
    pub descriptions: Vec<Range<usize>>,
    /// Positions of the first window of each program; (B).
    pub windows: Vec<Range<usize>>,
    /// The statement of each node, (N) u32; of exits and error nodes any.
    pub nodes: Tensor,
    /// The control flow.
    pub flow: Flow,
    /// Of each program the number of its first node.
    pub firsts: Vec<u32>,
    /// Positions of the encoder that hold no token.
    pub padding: usize,
}

/// Pieces of text that do not see each other, each once.
#[derive(Default)]
struct Pieces<'a> {
    tokens: Vec<Vec<&'a [u32]>>,
    known: HashMap<Vec<&'a [u32]>, usize>,
}

impl<'a> Pieces<'a> {
    /// The number of the piece that concatenates these parts.
    fn add(&mut self, parts: Vec<&'a [u32]>) -> usize {
        let next = self.tokens.len();
        let number = *self.known.entry(parts.clone()).or_insert(next);
        if number == next {
            self.tokens.push(parts);
        }
        number
    }

    fn len(&self, piece: usize) -> usize {
        self.tokens[piece].iter().map(|part| part.len()).sum()
    }
}

impl Batch {
    /// Packs programs.
    ///
    /// # Errors
    /// If a tensor cannot be made.
    pub(super) fn new(programs: &[&Program], config: &IpaConfig, device: &Device) -> Result<Self> {
        let mut pieces = Pieces::default();
        let described: Vec<Option<usize>> = programs
            .iter()
            .map(|p| (!p.description.is_empty()).then(|| pieces.add(vec![&p.description])))
            .collect();
        // Of each statement the piece and where it begins there.
        let mut places: Vec<(usize, usize, usize)> = Vec::new();
        let (mut windows, mut owners) = (Vec::new(), Vec::new());
        for (number, program) in programs.iter().enumerate() {
            let statements: Vec<&[u32]> = program.statements.iter().map(Vec::as_slice).collect();
            let first = places.len();
            for window in split(&statements, config) {
                let piece = pieces.add(window.to_vec());
                let mut at = 0;
                for statement in window {
                    places.push((piece, at, statement.len()));
                    at += statement.len();
                }
            }
            windows.push(places.get(first).map(|(piece, ..)| *piece));
            owners.resize(places.len(), number as u32);
        }
        let (rows, width) = pack(&pieces);
        let begins = begins(&pieces, &rows, width);
        let whole = |piece: Option<usize>| match piece {
            Some(piece) => begins[piece]..begins[piece] + pieces.len(piece),
            None => 0..0,
        };
        let used: usize = (0..pieces.tokens.len())
            .map(|piece| pieces.len(piece))
            .sum();
        let padding = rows.len() * width - used;
        let (ids, positions, mask) = tensors(&pieces, &rows, width, config, device)?;
        let (flow, nodes, firsts) = join(programs, config);
        Ok(Self {
            ids,
            positions,
            mask,
            statements: places
                .iter()
                .map(|(piece, at, len)| begins[*piece] + at..begins[*piece] + at + len)
                .collect(),
            statement_programs: owners,
            descriptions: described.into_iter().map(whole).collect(),
            windows: windows.into_iter().map(whole).collect(),
            nodes: Tensor::from_vec(nodes, flow.yes.len(), device)?,
            flow,
            firsts,
            padding,
        })
    }
}

/// The statements of a program, divided into pieces.
fn split<'s, 'a>(statements: &'s [&'a [u32]], config: &IpaConfig) -> Vec<&'s [&'a [u32]]> {
    if config.scope() == Scope::Local {
        return statements.chunks(1).collect();
    }
    let most = config.encoder.codexec.max_source;
    let (mut out, mut from, mut length) = (Vec::new(), 0, 0);
    for (at, statement) in statements.iter().enumerate() {
        if at > from && length + statement.len() > most {
            out.push(&statements[from..at]);
            (from, length) = (at, 0);
        }
        length += statement.len();
    }
    if from < statements.len() {
        out.push(&statements[from..]);
    }
    if config.settings.architecture == Architecture::Transformer {
        out.truncate(1);
    }
    out
}

/// Packs pieces into rows of one width, long ones first. Returns the pieces of each row.
fn pack(pieces: &Pieces<'_>) -> (Vec<Vec<usize>>, usize) {
    /// Rows that may still be filled.
    const OPEN: usize = 8;
    let mut order: Vec<usize> = (0..pieces.tokens.len()).collect();
    order.sort_by_key(|piece| (std::cmp::Reverse(pieces.len(*piece)), *piece));
    let longest = order.first().map_or(1, |piece| pieces.len(*piece)).max(1);
    let width = longest.max(WIDTH);
    let mut rows: Vec<(usize, Vec<usize>)> = Vec::new();
    for piece in order {
        let length = pieces.len(piece);
        let from = rows.len().saturating_sub(OPEN);
        match rows[from..]
            .iter_mut()
            .find(|(used, _)| used + length <= width)
        {
            Some((used, row)) => {
                *used += length;
                row.push(piece);
            }
            None => rows.push((length, vec![piece])),
        }
    }
    if rows.is_empty() {
        rows.push((0, Vec::new()));
    }
    (rows.into_iter().map(|(_, row)| row).collect(), width)
}

/// Where each piece begins among all tokens.
fn begins(pieces: &Pieces<'_>, rows: &[Vec<usize>], width: usize) -> Vec<usize> {
    let mut out = vec![0; pieces.tokens.len()];
    for (row, members) in rows.iter().enumerate() {
        let mut at = row * width;
        for piece in members {
            out[*piece] = at;
            at += pieces.len(*piece);
        }
    }
    out
}

fn tensors(
    pieces: &Pieces<'_>,
    rows: &[Vec<usize>],
    width: usize,
    config: &IpaConfig,
    device: &Device,
) -> Result<(Tensor, Tensor, Tensor)> {
    let count = rows.len();
    let pad = config.encoder.pad_token_id;
    let (mut ids, mut positions) = (vec![pad; count * width], vec![pad; count * width]);
    let mut mask = vec![MASKED; count * width * width];
    for (row, members) in rows.iter().enumerate() {
        let mut at = 0;
        for piece in members {
            let tokens = pieces.tokens[*piece].iter().flat_map(|part| part.iter());
            let length = pieces.len(*piece);
            for (k, token) in tokens.enumerate() {
                ids[row * width + at + k] = *token;
                positions[row * width + at + k] = config.encoder.position(k);
                mask[(row * width + at + k) * width + at..][..length].fill(0.0);
            }
            at += length;
        }
    }
    let shape = (count, width);
    Ok((
        Tensor::from_vec(ids, shape, device)?,
        Tensor::from_vec(positions, shape, device)?,
        Tensor::from_vec(mask, (count, 1, width, width), device)?,
    ))
}

/// The control flow of all programs, the statement of every node, and the first node of each program.
fn join(programs: &[&Program], config: &IpaConfig) -> (Flow, Vec<u32>, Vec<u32>) {
    let mut flow = Flow::default();
    let (mut nodes, mut firsts, mut statements) = (Vec::new(), Vec::new(), 0u32);
    for (number, program) in programs.iter().enumerate() {
        let first = flow.yes.len() as u32;
        let (exit, error) = (program.exit(), program.error());
        // Without raising, what leads to the error node leads to the exit.
        let at = |node: u32| {
            first
                + if !config.raises() && node == error {
                    exit
                } else {
                    node
                }
        };
        for node in &program.nodes {
            flow.yes.push(at(node.yes));
            flow.no.push(at(node.no));
            flow.raise.push(at(node.raise));
            nodes.push(statements + node.statement);
        }
        for end in [exit, error] {
            flow.yes.push(first + end);
            flow.no.push(first + end);
            flow.raise.push(first + end);
            nodes.push(statements);
        }
        flow.program.resize(flow.yes.len(), number as u32);
        flow.starts.push(first + program.start);
        flow.exits.push(first + exit);
        flow.errors.push(first + error);
        flow.steps.push(program.steps);
        flow.described.push(program.description.len() as u32);
        firsts.push(first);
        statements += program.statements.len() as u32;
    }
    (flow, nodes, firsts)
}
