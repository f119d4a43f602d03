//! Keys and values of everything decoded so far, for several programs.
//!
//! A program's hypotheses share one cache: first its source, then one *node* per token that any
//! hypothesis ever took. A hypothesis is the path of its nodes, and the mask lets its next token see
//! only that path. So the source is stored once for any beam width, common prefixes are stored once,
//! and reordering a beam copies a list of indices, no keys. Unreachable nodes are dropped from time
//! to time.

use candle_core::{Device, Result, Tensor};

use super::attention::Heads;
use super::ops::MASKED;

/// Room for this many nodes is allocated at a time.
const GROWTH: usize = 128;

/// Keys and values of one layer: buffers (P,heads,capacity,D).
// Not `Clone`: the buffers are written in place and a copy would share them.
#[derive(Debug)]
pub struct LayerCache {
    k: Tensor,
    v: Tensor,
}

/// A token to add: the hypothesis it continues, and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Index among the program's rows of the previous step; ignored on the first.
    pub parent: usize,
    /// The token's id.
    pub token: u32,
}

/// The nodes of one hypothesis.
#[derive(Debug, Clone, Default)]
struct Path {
    nodes: Vec<u32>,
}

/// One program of a batch.
#[derive(Debug, Clone)]
struct Program {
    /// Tokens of its source; the cache's first slots, padding after them up to `source_len`.
    source: usize,
    /// The rows of the last step.
    paths: Vec<Path>,
}

/// The cache of a batch of programs. Made by `EncoderDecoder::encode`.
#[derive(Debug)]
pub struct KvCache {
    layers: Vec<LayerCache>,
    programs: Vec<Program>,
    source_len: usize,
    /// Slots in use: sources and nodes.
    used: usize,
    capacity: usize,
    pad: u32,
}

/// The stack's input for one step.
pub(super) struct Step {
    /// (P,R) ids.
    pub ids: Tensor,
    /// (P,R) positions.
    pub positions: Tensor,
    /// (P,1,R,K) over all used slots, including new ones.
    pub mask: Tensor,
    /// First of the new slots.
    pub at: usize,
}

impl LayerCache {
    /// Writes the new tokens' keys and values at slot `at`; all of them up to there.
    pub(super) fn append(&self, heads: &Heads, at: usize) -> Result<(Tensor, Tensor)> {
        let rows = heads.k.dim(2)?;
        self.k.slice_set(&heads.k, 2, at)?;
        self.v.slice_set(&heads.v, 2, at)?;
        Ok((
            self.k.narrow(2, 0, at + rows)?,
            self.v.narrow(2, 0, at + rows)?,
        ))
    }

    fn map(&self, f: impl Fn(&Tensor) -> Result<Tensor>) -> Result<Self> {
        Ok(Self {
            k: f(&self.k)?,
            v: f(&self.v)?,
        })
    }
}

impl KvCache {
    /// A cache that holds sources only: per layer their heads, each (P,heads,S,D), and the length
    /// of each source.
    pub(super) fn new(layers: Vec<Heads>, sources: &[usize], pad: u32) -> Self {
        let source_len = sources.iter().copied().max().unwrap_or(0);
        let program = |source: &usize| Program {
            source: *source,
            paths: Vec::new(),
        };
        Self {
            layers: layers
                .into_iter()
                .map(|h| LayerCache { k: h.k, v: h.v })
                .collect(),
            programs: sources.iter().map(program).collect(),
            source_len,
            used: source_len,
            capacity: source_len,
            pad,
        }
    }

    /// Programs in the batch.
    pub fn programs(&self) -> usize {
        self.programs.len()
    }

    /// Slots in use per program: its source, padding, and nodes.
    pub fn slots(&self) -> usize {
        self.used
    }

    /// Tokens of a program's source.
    pub fn source_tokens(&self, program: usize) -> usize {
        self.programs[program].source
    }

    /// Maximum tokens of a source and one of its hypotheses together.
    pub(super) fn longest(&self) -> usize {
        let longest = |p: &Program| {
            let target = p.paths.iter().map(|path| path.nodes.len()).max();
            p.source + target.unwrap_or(0)
        };
        self.programs.iter().map(longest).max().unwrap_or(0)
    }

    pub(super) fn layers(&self) -> &[LayerCache] {
        &self.layers
    }

    /// Keeps the given programs, in that order, and drops the others.
    pub fn keep(&mut self, programs: &[usize]) -> Result<()> {
        let Some(device) = self.layers.first().map(|l| l.k.device().clone()) else {
            return Ok(());
        };
        let index: Vec<u32> = programs.iter().map(|p| *p as u32).collect();
        let index = Tensor::from_vec(index, programs.len(), &device)?;
        for layer in &mut self.layers {
            *layer = layer.map(|t| t.index_select(&index, 0))?;
        }
        self.programs = programs.iter().map(|p| self.programs[*p].clone()).collect();
        Ok(())
    }

    /// Allocates slots for the rows of each program. Returns the stack's input.
    ///
    /// Programs with fewer rows than the widest get filler rows, which nothing attends to.
    pub(super) fn prepare(&mut self, rows: &[Vec<Row>], device: &Device) -> Result<Step> {
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        for (program, rows) in self.programs.iter_mut().zip(rows) {
            let path = |row: &Row| program.paths.get(row.parent).cloned().unwrap_or_default();
            program.paths = rows.iter().map(path).collect();
        }
        self.reserve(width)?;
        let (at, total) = (self.used, self.used + width);
        let shape = (self.programs.len(), width);
        let mut ids = vec![self.pad; shape.0 * width];
        let mut positions = ids.clone();
        let mut mask = vec![MASKED; shape.0 * width * total];
        let pad = self.pad;
        for (p, (program, rows)) in self.programs.iter_mut().zip(rows).enumerate() {
            for r in 0..width {
                let cell = p * width + r;
                let seen = &mut mask[cell * total..][..total];
                seen[..program.source].fill(0.0);
                let (Some(row), Some(path)) = (rows.get(r), program.paths.get_mut(r)) else {
                    continue;
                };
                ids[cell] = row.token;
                // A generated `<pad>` gets the position of padding, is not a key, and does not
                // shift later positions: equivalent to the reference's arithmetic.
                if row.token != pad {
                    positions[cell] = (program.source + path.nodes.len()) as u32 + pad + 1;
                    path.nodes.push((at + r) as u32);
                }
                for node in &path.nodes {
                    seen[*node as usize] = 0.0;
                }
            }
        }
        self.used = total;
        Ok(Step {
            ids: Tensor::from_vec(ids, shape, device)?,
            positions: Tensor::from_vec(positions, shape, device)?,
            mask: Tensor::from_vec(mask, (shape.0, 1, width, total), device)?,
            at,
        })
    }

    /// Allocates `width` more slots: drops dead nodes if there are enough of them, else grows.
    fn reserve(&mut self, width: usize) -> Result<()> {
        if self.used + width <= self.capacity {
            return Ok(());
        }
        let live: Vec<Vec<u32>> = self.programs.iter().map(Program::live).collect();
        let kept = self.source_len + live.iter().map(Vec::len).max().unwrap_or(0);
        let capacity = (kept + width).next_multiple_of(GROWTH) + GROWTH;
        for layer in &mut self.layers {
            *layer = layer.map(|t| compact(t, &live, self.source_len, kept, capacity))?;
        }
        for (program, live) in self.programs.iter_mut().zip(&live) {
            program.renumber(live, self.source_len);
        }
        (self.used, self.capacity) = (kept, capacity);
        Ok(())
    }
}

impl Program {
    /// Nodes some hypothesis reaches, ascending.
    fn live(&self) -> Vec<u32> {
        let mut nodes: Vec<u32> = self.paths.iter().flat_map(|p| p.nodes.clone()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    fn renumber(&mut self, live: &[u32], first: usize) {
        for node in self.paths.iter_mut().flat_map(|p| &mut p.nodes) {
            // Every node of a path is live, so its index is its position.
            *node = (first + live.partition_point(|n| n < node)) as u32;
        }
    }
}

/// A buffer (P,heads,capacity,D) that holds the sources of `buffer`, then each program's live nodes.
fn compact(
    buffer: &Tensor,
    live: &[Vec<u32>],
    source: usize,
    kept: usize,
    capacity: usize,
) -> Result<Tensor> {
    let (programs, heads, _, width) = buffer.dims4()?;
    let device = buffer.device();
    let fresh = Tensor::zeros((programs, heads, capacity, width), buffer.dtype(), device)?;
    let mut index: Vec<u32> = Vec::with_capacity(kept);
    for (p, live) in live.iter().enumerate() {
        index.clear();
        index.extend(0..source as u32);
        index.extend(live);
        let index = Tensor::from_slice(&index, index.len(), device)?;
        let rows = buffer
            .narrow(0, p, 1)?
            .contiguous()?
            .index_select(&index, 2)?;
        fresh
            .narrow(0, p, 1)?
            .slice_set(&rows.contiguous()?, 2, 0)?;
    }
    Ok(fresh)
}
