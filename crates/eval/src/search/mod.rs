//! Programs that do the same: an index of vectors and of what programs print, searched by a program.
//!
//! | module | what |
//! |---|---|
//! | `embed`, `frame` | a program as a vector: the mean of the encoder's last hidden states over its windows |
//! | `index` | the programs of a corpus with their vectors and outputs |
//! | `table` | an index as a Parquet file, in and out |
//! | `nearest` | the best of an index, exactly |
//! | `cells` | cells of like vectors: of a large index only the nearest are read |
//! | `checksums` | whether an index is as it was written |
//! | `bm25` | bags of tokens, to compare with |
//! | `duplicates` | programs that print the same on the same inputs |
//!
//! The similarity of two programs is that of the CodeExecutor paper (section 5.2): the cosine of their vectors, and
//! 0.2 of the Jaro similarity of their outputs on a test case. An engine ([`codexec_engine::outputs`]) predicts the
//! outputs. The search is exact, or among the nearest cells of a large index.
//!
//! ```
//! use codexec_eval::search::{Embedder, Entry, Index, Query};
//! let embedder = Embedder::open(None)?;
//! let codes = ["print(sum([1, 2]))\n", "for x in 'ab':\n    print(x)\n"];
//! let mut index = Index::new(&embedder, "none")?;
//! for (code, vector) in codes.iter().zip(embedder.embed(&codes, &|_| {})?) {
//!     index.entries.push(Entry { id: code.to_string(), code: code.to_string(), vector: vector?, ..Entry::default() });
//! }
//! let vector = embedder.embed(&["print(sum([1, 3]))\n"], &|_| {})?.remove(0)?;
//! let found = index.nearest(&Query { vector: &vector, output: None }, 1);
//! assert_eq!(index.entries[found[0].entry].id, codes[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bm25;
mod cells;
mod checksums;
mod duplicates;
mod embed;
mod frame;
mod index;
mod nearest;
mod table;

pub use bm25::{Bm25, tokens};
pub use cells::{APPROXIMATE_FROM, usual_cells};
pub use duplicates::{Group, duplicates};
pub use embed::{Embedder, NoVector};
pub use frame::Frame;
pub use index::{Cells, Entry, Hit, Index, Query};
pub use nearest::{OUTPUT_WEIGHT, cosine, similar};
pub use table::{IndexError, IndexFile, read_index, write_index};
