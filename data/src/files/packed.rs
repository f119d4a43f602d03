//! Decompresses files.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Result};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// How a gzip and a Zstandard file begin. No text does.
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// The bytes of a file, decompressed from gzip or Zstandard if it starts with their magic number or
/// its name ends in `.gz` or `.zst`.
///
/// # Errors
/// If the file cannot be opened.
pub fn open_packed(path: &Path) -> Result<Box<dyn Read + Send>> {
    let mut file = BufReader::new(File::open(path)?);
    // A pipe may give less than four bytes at first; then its name decides.
    let start = file.fill_buf()?;
    let (gzip, zstd) = (start.starts_with(GZIP), start.starts_with(ZSTD));
    let ending = path.extension().and_then(|e| e.to_str());
    Ok(match ending {
        _ if gzip => Box::new(MultiGzDecoder::new(file)),
        _ if zstd => Box::new(zstd::Decoder::with_buffer(file)?),
        // Declared as compressed: the decoder reports anything else.
        Some("gz") => Box::new(MultiGzDecoder::new(file)),
        Some("zst") => Box::new(zstd::Decoder::with_buffer(file)?),
        _ => Box::new(file),
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn read(path: &Path) -> Result<String> {
        let mut text = String::new();
        open_packed(path)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn contents_decide_whatever_the_name() {
        let directory = tempfile::tempdir().unwrap();
        let gzip = |text: &str| {
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(text.as_bytes()).unwrap();
            packed.finish().unwrap()
        };
        let members = [gzip("ab\n"), gzip("c\n")].concat();
        let frame = zstd::encode_all(&b"ab\nc\n"[..], 1).unwrap();
        for (name, bytes) in [
            ("a.jsonl", b"ab\nc\n".to_vec()),
            ("a.jsonl.gz", members.clone()),
            ("a.json.gz", members.clone()),
            ("b.jsonl", members),
            ("c.jsonl.zst", frame.clone()),
            ("c", frame),
        ] {
            let path = directory.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(read(&path).unwrap(), "ab\nc\n", "{name}");
        }
        for name in ["d.gz", "d.zst"] {
            let path = directory.path().join(name);
            std::fs::write(&path, "plain").unwrap();
            assert!(read(&path).is_err(), "{name}");
        }
    }
}
