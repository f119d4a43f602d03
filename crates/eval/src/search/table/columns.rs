//! The columns of a row group, read into programs.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::file::reader::RowGroupReader;

use crate::search::index::Entry;

/// The programs of a row group.
pub(super) fn entries(
    group: &dyn RowGroupReader,
    rows: usize,
    width: usize,
) -> Result<Vec<Entry>, String> {
    let mut ids = texts(group, 0, rows, true)?.into_iter();
    let mut problems = texts(group, 1, rows, false)?.into_iter();
    let mut codes = texts(group, 2, rows, true)?.into_iter();
    let mut inputs = texts(group, 3, rows, false)?.into_iter();
    let mut outputs = texts(group, 4, rows, false)?.into_iter();
    let (sure, levels) = numbers(group, 5, rows)?;
    let mut sure = sure.into_iter();
    let sure: Vec<Option<f32>> = levels
        .iter()
        .map(|level| (*level > 0).then(|| sure.next()).flatten())
        .collect();
    let (vectors, levels) = numbers(group, 6, rows)?;
    let is_whole = levels.iter().all(|level| *level == 1) && vectors.len() == rows * width;
    if !is_whole || vectors.iter().any(|x| !x.is_finite()) {
        return Err(format!("its vectors are not of {width} numbers each"));
    }
    let short = || "a column has too few rows".to_owned();
    let one = |(vector, sure): (&[f32], Option<f32>)| -> Result<Entry, String> {
        Ok(Entry {
            id: ids.next().flatten().ok_or_else(short)?,
            problem: problems.next().ok_or_else(short)?,
            code: codes.next().flatten().ok_or_else(short)?,
            input: inputs.next().ok_or_else(short)?,
            output: outputs.next().ok_or_else(short)?,
            confidence: sure,
            vector: vector.to_vec(),
        })
    };
    vectors.chunks(width).zip(sure).map(one).collect()
}

/// Values of a column, and the level of each position.
type Column<T> = (Vec<T>, Vec<i16>);

fn records<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    required: bool,
) -> Result<Column<T::T>, String> {
    let (mut values, mut levels, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
    let mut left = rows;
    while left > 0 {
        let definition = (!required).then_some(&mut levels);
        let read = reader.read_records(left, definition, Some(&mut repeats), &mut values);
        let (found, ..) = read.map_err(|error| error.to_string())?;
        if found == 0 {
            return Err("a column has too few rows".to_owned());
        }
        left -= found;
    }
    Ok((values, levels))
}

fn texts(
    group: &dyn RowGroupReader,
    column: usize,
    rows: usize,
    required: bool,
) -> Result<Vec<Option<String>>, String> {
    let reader = group.get_column_reader(column);
    let Ok(ColumnReader::ByteArrayColumnReader(reader)) = reader else {
        return Err(format!("column {column} cannot be read"));
    };
    let (values, levels) = records(reader, rows, required)?;
    let text = |value: ByteArray| {
        let text = value.as_utf8().map(str::to_owned);
        text.map_err(|_| format!("column {column} is no text"))
    };
    let mut values = values.into_iter().map(text);
    if required {
        return values.map(|text| text.map(Some)).collect();
    }
    let one = |level: &i16| match level {
        0 => Ok(None),
        _ => values.next().transpose(),
    };
    levels.iter().map(one).collect()
}

fn numbers(group: &dyn RowGroupReader, column: usize, rows: usize) -> Result<Column<f32>, String> {
    match group.get_column_reader(column) {
        Ok(ColumnReader::FloatColumnReader(reader)) => records(reader, rows, false),
        _ => Err(format!("column {column} cannot be read")),
    }
}
