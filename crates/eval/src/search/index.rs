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
    /// The problem it solves, where that is known.
    pub problem: Option<String>,
    /// Its code.
    pub code: String,
    /// The standard input of its test case.
    pub input: Option<String>,
    /// What it prints there, as far as the index's engine tells.
    pub output: Option<String>,
    /// How sure the engine is of it.
    pub confidence: Option<f32>,
    /// Its vector, of length 1.
    pub vector: Vec<f32>,
}

/// An index.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// What the encoder is called.
    pub model: String,
    /// Tells the encoder from others.
    pub digest: String,
    /// Numbers of a vector.
    pub width: usize,
    /// Which engine told the outputs; `none` where there are none.
    pub outputs: String,
    /// The programs; where there are cells, those of a cell stand together.
    pub entries: Vec<Entry>,
    /// The cells, where it is made for approximate searches.
    pub cells: Option<Cells>,
}

/// Cells of like vectors.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cells {
    /// Their centres, of length 1.
    pub centres: Vec<Vec<f32>>,
    /// How many programs each has, in the order of the index.
    pub rows: Vec<usize>,
}

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Query<'q> {
    /// The vector of a program, of length 1.
    pub vector: &'q [f32],
    /// What it prints; without it vectors decide alone.
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
    /// How alike the outputs are, where both are known.
    pub output: Option<f64>,
}

impl Index {
    /// One without programs. `outputs` names the engine that tells what programs print, or is `none`.
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

    /// The `top` programs that are most like a query, best first; equal ones in the order of the index.
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
