//! Files of records are read or refused, whatever is in them: lines of JSON, plain, gzip or zstd, and Parquet.

#![no_main]

use std::io::Write;

use codexec_data::records::RecordReader;
use libfuzzer_sys::fuzz_target;

/// Records of one file that are looked at.
const MOST: usize = 1000;

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    let suffix = [".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet"][usize::from(kind % 4)];
    let file = tempfile::Builder::new().suffix(suffix).tempfile();
    let Ok(mut file) = file else { return };
    if file.write_all(bytes).is_err() {
        return;
    }
    let Ok(reader) = RecordReader::open(file.path()) else { return };
    for record in reader.take(MOST) {
        let Ok(record) = record else { break };
        let _ = record.has_trace();
    }
});
