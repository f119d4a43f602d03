//! An index as a Parquet file: a row for each program, with its vector as a list of 32-bit floats, so that any vector
//! database reads it. The file's metadata say which encoder made the vectors.

use std::fs::File;
use std::io::BufWriter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codexec_data::files::WholeFile;
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::cells::nearest_cells;
use columns::entries;

use super::checksums;
use super::index::{Cells, Entry, Index};

/// Raised whenever a reader of the previous version would misread.
const VERSION: &str = "1";
const VERSION_KEY: &str = "codexec.search.version";
const MODEL_KEY: &str = "codexec.search.model";
const DIGEST_KEY: &str = "codexec.search.model_digest";
const WIDTH_KEY: &str = "codexec.search.width";
const OUTPUTS_KEY: &str = "codexec.search.outputs";
/// The centres of the cells: base64 of 32-bit floats. Then every cell is a row group.
const CENTRES_KEY: &str = "codexec.search.centres";

/// Hexadecimal numbers with commas between them: the checksum of the head and that of each row group.
const CHECKSUMS_KEY: &str = "codexec.search.checksums";

/// Columns, in order.
const SCHEMA: &str = "message row {
    required binary id (STRING);
    optional binary problem (STRING);
    required binary code (STRING);
    optional binary input (STRING);
    optional binary output (STRING);
    optional float confidence;
    required group vector (LIST) { repeated group list { required float element; } }
}";

/// Rows of a group.
const GROUP_ROWS: usize = 8192;
/// No encoder has wider vectors.
const MOST_WIDTH: usize = 1 << 16;

/// Why an index cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// It is not an index, or damaged.
    #[error("{}: {cause}; make it again with `codexec search index`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error.
        cause: String,
    },
}

/// Writes an index, completely or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn write_index(path: &Path, index: &Index) -> Result<(), IndexError> {
    let io = |source| IndexError::Io {
        path: path.to_owned(),
        source,
    };
    let file = BufWriter::new(WholeFile::create(path).map_err(io)?);
    let file = write(file, index).map_err(|error| io(std::io::Error::other(error)))?;
    let file = file.into_inner().map_err(|error| io(error.into_error()))?;
    file.publish().map_err(io)
}

fn write(file: BufWriter<WholeFile>, index: &Index) -> Result<BufWriter<WholeFile>, ParquetError> {
    let width = index.width.to_string();
    let metadata = [
        (VERSION_KEY, VERSION),
        (MODEL_KEY, &index.model),
        (DIGEST_KEY, &index.digest),
        (WIDTH_KEY, &width),
        (OUTPUTS_KEY, &index.outputs),
    ];
    let centres = index.cells.iter().map(|cells| {
        let bytes = cells.centres.iter().flatten();
        let bytes: Vec<u8> = bytes.flat_map(|x| x.to_le_bytes()).collect();
        KeyValue::new(CENTRES_KEY.to_owned(), STANDARD.encode(bytes))
    });
    let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value.to_owned()));
    let of_groups = groups(index)?.into_iter().map(checksums::of_entries);
    let sums = std::iter::once(checksums::of_head(index)).chain(of_groups);
    let sums: Vec<String> = sums.map(|sum| format!("{sum:x}")).collect();
    let sums = KeyValue::new(CHECKSUMS_KEY.to_owned(), sums.join(","));
    let metadata: Vec<KeyValue> = metadata.into_iter().chain(centres).chain([sums]).collect();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_key_value_metadata(Some(metadata))
        .build();
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
    for entries in groups(index)? {
        let mut group = writer.next_row_group()?;
        let texts = |of: &dyn Fn(&Entry) -> Option<&str>| -> Vec<Option<ByteArray>> {
            entries.iter().map(|e| of(e).map(ByteArray::from)).collect()
        };
        column(&mut group, &texts(&|e| Some(&e.id)), true)?;
        column(&mut group, &texts(&|e| e.problem.as_deref()), false)?;
        column(&mut group, &texts(&|e| Some(&e.code)), true)?;
        column(&mut group, &texts(&|e| e.input.as_deref()), false)?;
        column(&mut group, &texts(&|e| e.output.as_deref()), false)?;
        let sure: Vec<f32> = entries.iter().filter_map(|e| e.confidence).collect();
        let levels = entries.iter().map(|e| i16::from(e.confidence.is_some()));
        floats(&mut group, &sure, &levels.collect::<Vec<_>>(), None)?;
        let values: Vec<f32> = entries.iter().flat_map(|e| e.vector.clone()).collect();
        let starts = entries.iter().flat_map(|e| 0..e.vector.len());
        let repeats: Vec<i16> = starts.map(|at| i16::from(at > 0)).collect();
        floats(&mut group, &values, &vec![1; values.len()], Some(&repeats))?;
        group.close()?;
    }
    writer.into_inner()
}

/// The entries of each row group.
fn groups(index: &Index) -> Result<Vec<&[Entry]>, ParquetError> {
    let Some(cells) = &index.cells else {
        return Ok(index.entries.chunks(GROUP_ROWS).collect());
    };
    let mut rest = index.entries.as_slice();
    let mut groups = Vec::with_capacity(cells.rows.len());
    for rows in &cells.rows {
        let (group, others) = rest.split_at_checked(*rows).ok_or_else(not_divided)?;
        groups.push(group);
        rest = others;
    }
    match rest {
        [] => Ok(groups),
        _ => Err(not_divided()),
    }
}

fn not_divided() -> ParquetError {
    ParquetError::General("its programs are not those that were divided into cells".to_owned())
}

fn missing() -> ParquetError {
    ParquetError::General("a column is missing".to_owned())
}

fn column(
    group: &mut SerializedRowGroupWriter<'_, BufWriter<WholeFile>>,
    texts: &[Option<ByteArray>],
    required: bool,
) -> Result<(), ParquetError> {
    let mut out = group.next_column()?.ok_or_else(missing)?;
    let values: Vec<ByteArray> = texts.iter().flatten().cloned().collect();
    let levels: Vec<i16> = texts.iter().map(|t| i16::from(t.is_some())).collect();
    let ColumnWriter::ByteArrayColumnWriter(typed) = out.untyped() else {
        return Err(missing());
    };
    typed.write_batch(&values, (!required).then_some(&levels[..]), None)?;
    out.close()
}

fn floats(
    group: &mut SerializedRowGroupWriter<'_, BufWriter<WholeFile>>,
    values: &[f32],
    levels: &[i16],
    repeats: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let mut out = group.next_column()?.ok_or_else(missing)?;
    let ColumnWriter::FloatColumnWriter(typed) = out.untyped() else {
        return Err(missing());
    };
    typed.write_batch(values, Some(levels), repeats)?;
    out.close()
}

/// Reads an index.
///
/// # Errors
/// If the file cannot be read, is not an index, has another version, or is damaged.
pub fn read_index(path: &Path) -> Result<Index, IndexError> {
    IndexFile::open(path)?.read()
}

/// An index in its file, with only the metadata loaded.
pub struct IndexFile {
    path: PathBuf,
    reader: SerializedFileReader<File>,
    /// Everything but the programs.
    head: Index,
    /// For each row group; empty in a file from an earlier version of this program.
    checksums: Vec<u64>,
}

impl IndexFile {
    /// Opens an index.
    ///
    /// # Errors
    /// The errors of [`read_index`].
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        let file = File::open(path).map_err(|source| IndexError::Io {
            path: path.to_owned(),
            source,
        })?;
        if path.is_dir() {
            return Err(IndexError::Unreadable {
                path: path.to_owned(),
                cause: "a directory, and no index".to_owned(),
            });
        }
        let (reader, head, checksums) = unless_damaged(path, || open(file))?;
        Ok(Self {
            path: path.to_owned(),
            reader,
            head,
            checksums,
        })
    }

    /// What made it, and its cells; no programs.
    pub fn head(&self) -> &Index {
        &self.head
    }

    /// Number of programs.
    pub fn programs(&self) -> usize {
        let groups = self.reader.metadata().row_groups().iter();
        groups
            .map(|g| usize::try_from(g.num_rows()).unwrap_or(0))
            .sum()
    }

    /// All of it.
    ///
    /// # Errors
    /// The errors of [`read_index`].
    pub fn read(&self) -> Result<Index, IndexError> {
        let all: Vec<usize> = (0..self.reader.num_row_groups()).collect();
        self.groups(&all)
    }

    /// Only the programs of the `count` cells nearest to a vector; all of it if there are no cells.
    ///
    /// # Errors
    /// The errors of [`read_index`].
    pub fn read_near(&self, vector: &[f32], count: usize) -> Result<Index, IndexError> {
        let Some(cells) = &self.head.cells else {
            return self.read();
        };
        let mut near = nearest_cells(vector, &cells.centres, count);
        near.sort_unstable();
        let mut index = self.groups(&near)?;
        index.cells = None;
        Ok(index)
    }

    fn groups(&self, numbers: &[usize]) -> Result<Index, IndexError> {
        let read = || {
            let mut index = self.head.clone();
            for number in numbers {
                let group = self.reader.get_row_group(*number).map_err(damaged)?;
                let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
                let entries = entries(&*group, rows, index.width)?;
                let sum = self.checksums.get(*number);
                if sum.is_some_and(|sum| *sum != checksums::of_entries(&entries)) {
                    return Err(format!(
                        "row group {number} is damaged: its checksum is wrong"
                    ));
                }
                index.entries.extend(entries);
            }
            Ok(index)
        };
        unless_damaged(&self.path, read)
    }
}

/// The result of `read`. The library panics on some damaged files.
fn unless_damaged<T>(
    path: &Path,
    read: impl FnOnce() -> Result<T, String>,
) -> Result<T, IndexError> {
    let read = catch_unwind(AssertUnwindSafe(read));
    let read = read.unwrap_or_else(|_| Err("the file is damaged".to_owned()));
    read.map_err(|cause| IndexError::Unreadable {
        path: path.to_owned(),
        cause,
    })
}

fn damaged(error: ParquetError) -> String {
    let text: String = error.to_string().chars().take(200).collect();
    format!("no index, or a damaged one ({text})")
}

type Opened = (SerializedFileReader<File>, Index, Vec<u64>);

fn open(file: File) -> Result<Opened, String> {
    let reader = SerializedFileReader::new(file).map_err(damaged)?;
    let metadata = reader.metadata().file_metadata();
    let pairs = metadata.key_value_metadata();
    let get = |key: &str| {
        let found = pairs.into_iter().flatten().find(|pair| pair.key == key);
        found.and_then(|pair| pair.value.clone())
    };
    let version = get(VERSION_KEY).ok_or("a Parquet file, but no index of programs")?;
    if version != VERSION {
        return Err(format!(
            "an index of version {version}, this program reads {VERSION}"
        ));
    }
    let needed = |key: &str| get(key).ok_or_else(|| format!("it lacks {key} in its metadata"));
    let width = needed(WIDTH_KEY)?.parse().ok();
    let width = width.filter(|width| (1..=MOST_WIDTH).contains(width));
    let width = width.ok_or_else(|| format!("{WIDTH_KEY} is no width"))?;
    let wanted = parse_message_type(SCHEMA).map_err(damaged)?;
    if metadata.schema().get_fields() != wanted.get_fields() {
        return Err("its columns are not those of an index".to_owned());
    }
    let groups = reader.metadata().row_groups().iter();
    let rows = groups.map(|group| usize::try_from(group.num_rows()).unwrap_or(0));
    let cells = get(CENTRES_KEY).map(|text| cells(&text, width, rows.collect()));
    let head = Index {
        model: needed(MODEL_KEY)?,
        digest: needed(DIGEST_KEY)?,
        width,
        outputs: needed(OUTPUTS_KEY)?,
        entries: Vec::new(),
        cells: cells.transpose()?,
    };
    let mut sums = Vec::new();
    if let Some(text) = get(CHECKSUMS_KEY) {
        let read = text.split(',').map(|sum| u64::from_str_radix(sum, 16));
        sums = read.collect::<Result<_, _>>().unwrap_or_default();
        let is_whole = sums.len() == reader.num_row_groups() + 1;
        if !is_whole || sums.remove(0) != checksums::of_head(&head) {
            return Err("its metadata are damaged: their checksum is wrong".to_owned());
        }
    }
    Ok((reader, head, sums))
}

/// The cells of row groups with these numbers of rows.
fn cells(text: &str, width: usize, rows: Vec<usize>) -> Result<Cells, String> {
    let bytes = STANDARD.decode(text).unwrap_or_default();
    let (numbers, rest) = bytes.as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|b| f32::from_le_bytes(*b)).collect();
    let is_whole = rest.is_empty() && numbers.len() == rows.len() * width;
    if !is_whole || numbers.iter().any(|x| !x.is_finite()) {
        return Err(format!("{CENTRES_KEY} has not a centre for each row group"));
    }
    let centres = numbers.chunks(width).map(<[f32]>::to_vec).collect();
    Ok(Cells { centres, rows })
}

mod columns;
#[cfg(test)]
mod tests;
