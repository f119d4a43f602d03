//! The programs of a corpus with their vectors and outputs.

use serde::Serialize;

use super::cells::{assigned, centres};
use super::embed::Embedder;
use super::nearest::{OUTPUT_WEIGHT, best, cosines, similar};
use codexec_model::error::Result;

/// A program of an index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entry {
    /// Its id in the corpus: of a directory its path.
    pub id: String,
    /// The problem it solves, if known.
    pub problem: Option<String>,
    /// Its code.
    pub code: String,
    /// The standard input of its test case.
    pub input: Option<String>,
    /// Its output there, if known to the index's engine.
    pub output: Option<String>,
    /// The engine's confidence.
    pub confidence: Option<f32>,
    /// Its vector, of length 1.
    pub vector: Vec<f32>,
}

/// An index.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// Name of the encoder.
    pub model: String,
    /// Tells the encoder from others.
    pub digest: String,
    /// Numbers of a vector.
    pub width: usize,
    /// The engine of the outputs; `none` without outputs.
    pub outputs: String,
    /// The programs; with cells, those of a cell are contiguous.
    pub entries: Vec<Entry>,
    /// The cells, if it is made for approximate search.
    pub cells: Option<Cells>,
}

/// Cells of like vectors.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cells {
    /// Their centres, of length 1.
    pub centres: Vec<Vec<f32>>,
    /// Number of programs in each, in the order of the index.
    pub rows: Vec<usize>,
}

/// The query.
#[derive(Debug, Clone, Copy)]
pub struct Query<'q> {
    /// The vector of a program, of length 1.
    pub vector: &'q [f32],
    /// Its output; without it only vectors decide.
    pub output: Option<&'q str>,
}

/// A program that was found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Hit {
    /// Which of the index's entries.
    pub entry: usize,
    /// The cosine, and 0.2 of the similarity of outputs.
    pub score: f64,
    /// The cosine alone.
    pub cosine: f64,
    /// Similarity of the outputs, if both are known.
    pub output: Option<f64>,
}

impl Index {
    /// An empty index. `outputs` names the engine of the outputs, or is `none`.
    ///
    /// # Errors
    /// Failures of the tensor library.
    pub fn new(embedder: &Embedder, outputs: &str) -> Result<Self> {
        Ok(Self {
            model: embedder.name().to_owned(),
            digest: embedder.digest()?,
            width: embedder.width(),
            outputs: outputs.to_owned(),
            entries: Vec::new(),
            cells: None,
        })
    }

    /// Divides the programs into at most `count` cells, for approximate searches of the file that it is written to.
    /// Their order changes.
    pub fn divide(&mut self, count: usize, seed: u64) {
        let vectors: Vec<&[f32]> = self.entries.iter().map(|e| e.vector.as_slice()).collect();
        let centres = centres(&vectors, count, seed);
        let cells = assigned(&vectors, &centres);
        let mut rows = vec![0; centres.len()];
        for cell in &cells {
            rows[*cell] += 1;
        }
        let mut order: Vec<(Entry, usize)> = self.entries.drain(..).zip(cells).collect();
        order.sort_by_key(|(_, cell)| *cell);
        self.entries = order.into_iter().map(|(entry, _)| entry).collect();
        // Only cells that something is in.
        let (centres, rows) = centres
            .into_iter()
            .zip(rows)
            .filter(|(_, rows)| *rows > 0)
            .unzip();
        self.cells = Some(Cells { centres, rows });
    }

    /// The `top` programs most similar to a query, best first; ties keep the order of the index.
    pub fn nearest(&self, query: &Query<'_>, top: usize) -> Vec<Hit> {
        let vectors: Vec<&[f32]> = self.entries.iter().map(|e| e.vector.as_slice()).collect();
        let cosines = cosines(query.vector, &vectors);
        let alike = |at: usize| {
            let output = self.entries[at].output.as_deref();
            Some(similar(query.output?, output?))
        };
        let more = |at: usize| OUTPUT_WEIGHT * alike(at).unwrap_or(0.0);
        let most = query.output.map_or(0.0, |_| OUTPUT_WEIGHT);
        let found = best(&cosines, top, most, &more);
        let hit = |(entry, score): (usize, f64)| Hit {
            entry,
            score,
            cosine: f64::from(cosines[entry]),
            output: alike(entry),
        };
        found.into_iter().map(hit).collect()
    }
}
