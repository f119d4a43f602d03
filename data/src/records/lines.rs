//! Lines of JSON on their way into a file: plain, or compressed with gzip or Zstandard.

use std::io::{BufWriter, Result, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use super::Format;
use super::writer::LEVEL;
use crate::files::WholeFile;

/// A file of JSON Lines being written.
pub(crate) enum Lines {
    Plain(BufWriter<WholeFile>),
    Gzip(Box<GzEncoder<BufWriter<WholeFile>>>),
    Zstd(zstd::Encoder<'static, BufWriter<WholeFile>>),
}

impl Lines {
    /// Begins a file; for Parquet as plain lines, which are never requested.
    pub(crate) fn new(file: BufWriter<WholeFile>, format: Format) -> Result<Self> {
        Ok(match format {
            Format::JsonLines | Format::Parquet => Self::Plain(file),
            Format::JsonLinesGzip => {
                Self::Gzip(Box::new(GzEncoder::new(file, Compression::default())))
            }
            Format::JsonLinesZstd => Self::Zstd(zstd::Encoder::new(file, LEVEL)?),
        })
    }

    /// Appends a value on a line.
    pub(crate) fn push(&mut self, value: &impl Serialize) -> Result<()> {
        match self {
            Self::Plain(out) => line(out, value),
            Self::Gzip(out) => line(out, value),
            Self::Zstd(out) => line(out, value),
        }
    }

    /// Writes the rest.
    pub(crate) fn finish(self) -> Result<BufWriter<WholeFile>> {
        match self {
            Self::Plain(out) => Ok(out),
            Self::Gzip(out) => out.finish(),
            Self::Zstd(out) => out.finish(),
        }
    }
}

fn line(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
