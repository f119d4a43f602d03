//! `_pack(kind, settings, log)` and `_unpack(kind, settings, data, most)`: compression for `zlib`,
//! `bz2` and `lzma`.
//!
//! A library stream that is fed in parts remembers its input. It is walked again from its
//! beginning, so that copies of a machine need no copy of the stream.

use crate::machine::eval::eval_loop::broken;
use crate::machine::{Flow, Machine, Run};
use crate::value::{Object, Value};

/// Maximum output bytes of one stream.
const MOST_BYTES: usize = 1 << 26;
/// Bytes of output buffer that a stream is given at once.
const ROOM: usize = 1 << 16;

/// The result of a step.
enum Step {
    /// It consumed input or produced output, and may continue.
    Moved,
    /// The end of the stream.
    Ended,
}

/// A compressing or decompressing stream.
trait Stream {
    /// Consumes some of the input, and fills the free room of the output. An error has CPython's
    /// code or message.
    fn step(&mut self, input: &[u8], output: &mut Vec<u8>, flush: i64) -> Result<Step, String>;
    /// Returns the number of bytes consumed so far.
    fn taken(&self) -> u64;
}

type Made = Option<Box<dyn Stream>>;

mod deflate {
    //! `zlib`. The library that CPython is built with, for identical bytes. Browsers have another
    //! one, which only decompresses.

    use flate2::{Decompress, FlushDecompress, Status};

    use super::{Made, Step, Stream};

    #[cfg(not(target_family = "wasm"))]
    mod packing {
        use flate2::{Compress, Compression, FlushCompress, Status};

        use super::{Made, Step, Stream};

        struct Packing(Compress);

        impl Stream for Packing {
            fn step(
                &mut self,
                input: &[u8],
                output: &mut Vec<u8>,
                flush: i64,
            ) -> Result<Step, String> {
                let flush = match flush {
                    0 => FlushCompress::None,
                    1 => FlushCompress::Partial,
                    2 => FlushCompress::Sync,
                    3 => FlushCompress::Full,
                    _ => FlushCompress::Finish,
                };
                match self.0.compress_vec(input, output, flush) {
                    Ok(Status::StreamEnd) => Ok(Step::Ended),
                    Ok(_) => Ok(Step::Moved),
                    Err(_) => Err("-2".to_owned()),
                }
            }

            fn taken(&self) -> u64 {
                self.0.total_in()
            }
        }

        pub(in super::super) fn packing(settings: &[i64]) -> Made {
            let [level, bits] = settings else { return None };
            let level = Compression::new(if *level == -1 {
                6
            } else {
                u32::try_from(*level).ok()?
            });
            let width = u8::try_from(bits.unsigned_abs() & 15).ok()?.max(9);
            Some(Box::new(Packing(match bits {
                9..=15 => Compress::new_with_window_bits(level, true, width),
                -15..=-9 => {
                    let width = u8::try_from(bits.unsigned_abs()).ok()?;
                    Compress::new_with_window_bits(level, false, width)
                }
                25..=31 => Compress::new_gzip(level, width),
                _ => return None,
            })))
        }

        pub(super) fn unpacking(bits: i64, data: &[u8]) -> Option<flate2::Decompress> {
            use flate2::Decompress;
            let width = u8::try_from(bits.unsigned_abs() & 15).ok()?;
            let width = if width == 0 { 15 } else { width.max(9) };
            Some(match bits {
                0 | 8..=15 => Decompress::new_with_window_bits(true, width),
                -15..=-8 => {
                    let width = u8::try_from(bits.unsigned_abs()).ok()?;
                    Decompress::new_with_window_bits(false, width.max(9))
                }
                16..=31 => Decompress::new_gzip(width),
                // Either format: the first bytes decide.
                32..=47 if data.starts_with(b"\x1f\x8b") => Decompress::new_gzip(width),
                32..=47 => Decompress::new_with_window_bits(true, width),
                _ => return None,
            })
        }
    }

    #[cfg(target_family = "wasm")]
    mod packing {
        use super::Made;

        pub(in super::super) fn packing(_settings: &[i64]) -> Made {
            None
        }

        pub(super) fn unpacking(bits: i64, _data: &[u8]) -> Option<flate2::Decompress> {
            let is_raw = (-15..=-8).contains(&bits);
            (is_raw || bits == 15).then(|| flate2::Decompress::new(!is_raw))
        }
    }

    pub(super) use packing::packing;

    struct Unpacking(Decompress);

    impl Stream for Unpacking {
        fn step(&mut self, input: &[u8], output: &mut Vec<u8>, _: i64) -> Result<Step, String> {
            let done = self.0.decompress_vec(input, output, FlushDecompress::Sync);
            match done {
                Ok(Status::StreamEnd) => Ok(Step::Ended),
                Ok(_) => Ok(Step::Moved),
                Err(error) if error.needs_dictionary().is_some() => Err("2".to_owned()),
                Err(error) => Err(error.message().unwrap_or_default().to_owned()),
            }
        }

        fn taken(&self) -> u64 {
            self.0.total_in()
        }
    }

    pub(super) fn unpacking(settings: &[i64], data: &[u8]) -> Made {
        let [bits] = settings else { return None };
        Some(Box::new(Unpacking(packing::unpacking(*bits, data)?)))
    }
}

mod bzip {
    //! `bz2`.

    use bzip2::{Action, Compress, Compression, Decompress, Error, Status};

    use super::{Made, Step, Stream};

    struct Packing(Compress);
    struct Unpacking(Decompress);

    fn step(done: Result<Status, Error>) -> Result<Step, String> {
        match done {
            Ok(Status::StreamEnd) => Ok(Step::Ended),
            Ok(Status::MemNeeded) => Err("memory".to_owned()),
            Ok(_) => Ok(Step::Moved),
            Err(_) => Err("Invalid data stream".to_owned()),
        }
    }

    impl Stream for Packing {
        fn step(&mut self, input: &[u8], output: &mut Vec<u8>, flush: i64) -> Result<Step, String> {
            let action = match flush {
                0 if input.is_empty() => return Ok(Step::Moved),
                0 => Action::Run,
                _ => Action::Finish,
            };
            step(self.0.compress_vec(input, output, action))
        }

        fn taken(&self) -> u64 {
            self.0.total_in()
        }
    }

    impl Stream for Unpacking {
        fn step(&mut self, input: &[u8], output: &mut Vec<u8>, _: i64) -> Result<Step, String> {
            step(self.0.decompress_vec(input, output))
        }

        fn taken(&self) -> u64 {
            self.0.total_in()
        }
    }

    pub(super) fn packing(settings: &[i64]) -> Made {
        let [level] = settings else { return None };
        let level = Compression::new(u32::try_from(*level).ok().filter(|l| (1..10).contains(l))?);
        Some(Box::new(Packing(Compress::new(level, 0))))
    }

    pub(super) fn unpacking() -> Made {
        Some(Box::new(Unpacking(Decompress::new(false))))
    }
}

#[cfg(not(target_family = "wasm"))]
mod lzma {
    //! `lzma`.

    use liblzma::stream::{Action, Check, Error, LzmaOptions, Status, Stream as Coder};

    use super::{Made, Step, Stream};

    /// A coder, and whether it compresses.
    struct Coding(Coder, bool);

    impl Stream for Coding {
        fn step(&mut self, input: &[u8], output: &mut Vec<u8>, flush: i64) -> Result<Step, String> {
            let action = match flush {
                4 if self.1 => Action::Finish,
                _ => Action::Run,
            };
            match self.0.process_vec(input, output, action) {
                Ok(Status::StreamEnd) => Ok(Step::Ended),
                Ok(_) => Ok(Step::Moved),
                Err(Error::Format) => Err("Input format not supported by decoder".to_owned()),
                Err(Error::Options) => Err("Invalid or unsupported options".to_owned()),
                Err(Error::MemLimit) => Err("Memory usage limit exceeded".to_owned()),
                Err(Error::Program) => Err(String::new()),
                Err(_) => Err("Corrupt input data".to_owned()),
            }
        }

        fn taken(&self) -> u64 {
            self.0.total_in()
        }
    }

    pub(super) fn packing(settings: &[i64]) -> Made {
        let [format, check, preset] = settings else {
            return None;
        };
        let preset = u32::try_from(*preset).ok()?;
        // Higher presets need more memory than a program may have.
        if preset & 31 > 6 {
            return None;
        }
        let coder = match (format, check) {
            (1, -1 | 4) => Coder::new_easy_encoder(preset, Check::Crc64),
            (1, 0) => Coder::new_easy_encoder(preset, Check::None),
            (1, 1) => Coder::new_easy_encoder(preset, Check::Crc32),
            (1, 10) => Coder::new_easy_encoder(preset, Check::Sha256),
            (2, -1 | 0) => Coder::new_lzma_encoder(&LzmaOptions::new_preset(preset).ok()?),
            _ => return None,
        };
        Some(Box::new(Coding(coder.ok()?, true)))
    }

    pub(super) fn unpacking(settings: &[i64]) -> Made {
        let [format] = settings else { return None };
        let most = 1 << 27;
        let coder = match format {
            0 => Coder::new_auto_decoder(most, 0),
            1 => Coder::new_stream_decoder(most, 0),
            2 => Coder::new_lzma_decoder(most),
            _ => return None,
        };
        Some(Box::new(Coding(coder.ok()?, false)))
    }
}

#[cfg(target_family = "wasm")]
mod lzma {
    //! Browsers have none.

    use super::Made;

    pub(super) fn packing(_settings: &[i64]) -> Made {
        None
    }

    pub(super) fn unpacking(_settings: &[i64]) -> Made {
        None
    }
}

/// Returns the output of a stream for some input, and whether the stream is at its end. Stops when
/// the requested number of bytes has been produced.
fn fed(
    stream: &mut dyn Stream,
    mut input: &[u8],
    flush: i64,
    most: usize,
) -> Result<(Vec<u8>, bool), String> {
    let mut output = Vec::new();
    loop {
        let room = ROOM.min(most - output.len());
        let mut part = Vec::with_capacity(room);
        let before = stream.taken();
        let done = match room {
            0 => return Ok((output, false)),
            _ => stream.step(input, &mut part, flush)?,
        };
        let taken = usize::try_from(stream.taken() - before).unwrap_or(input.len());
        input = input.get(taken..).unwrap_or_default();
        let has_room = part.len() < room;
        let stands = taken == 0 && part.is_empty();
        output.append(&mut part);
        match done {
            Step::Ended => return Ok((output, true)),
            Step::Moved if stands || has_room && input.is_empty() && flush != 4 => {
                return Ok((output, false));
            }
            Step::Moved => {}
        }
    }
}

impl Machine {
    fn numbers_of(&self, value: &Value) -> Option<Vec<i64>> {
        let number = |value: &Value| match value {
            Value::Int(number) => Some(*number),
            _ => None,
        };
        match self.heap.object(value)? {
            Object::Tuple(items) => items.iter().map(number).collect(),
            _ => None,
        }
    }

    /// `_pack`: returns the output of a stream for the last of the logged pairs of bytes and a
    /// flush. `None` if it refuses.
    pub(in crate::machine) fn packed(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [Value::Str(kind), settings, log] = arguments else {
            return Err(broken("call"));
        };
        let (Some(settings), Some(log)) = (self.numbers_of(settings), self.items_in_order(log))
        else {
            return Err(broken("call"));
        };
        let made = match &**kind {
            "zlib" => deflate::packing(&settings),
            "bz2" => bzip::packing(&settings),
            _ => lzma::packing(&settings),
        };
        let Some(mut stream) = made else {
            return Err(Flow::Unsupported(format!("{kind} with such settings")));
        };
        let mut last = Ok((Vec::new(), false));
        for pair in log {
            let pair = match self.heap.object(&pair) {
                Some(Object::Tuple(items)) => items.to_vec(),
                _ => return Err(broken("call")),
            };
            let [Value::Bytes(data), Value::Int(flush)] = pair.as_slice() else {
                return Err(broken("call"));
            };
            // Compression takes many steps per byte.
            self.charge(data.len().saturating_mul(8));
            last = fed(&mut *stream, data, *flush, MOST_BYTES);
        }
        Ok(Some(match last {
            Ok((bytes, _)) => {
                let bytes = Value::Bytes(bytes.into());
                self.count_bytes(&bytes);
                bytes
            }
            Err(_) => Value::None,
        }))
    }

    /// `_unpack`: returns the first output bytes for some data, the number of bytes consumed,
    /// whether the stream is at its end, and the reason why it ends early, or `None`. `most` is -1
    /// for no limit.
    pub(in crate::machine) fn unpacked(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [
            Value::Str(kind),
            settings,
            Value::Bytes(data),
            Value::Int(most),
        ] = arguments
        else {
            return Err(broken("call"));
        };
        let Some(settings) = self.numbers_of(settings) else {
            return Err(broken("call"));
        };
        let made = match &**kind {
            "zlib" => deflate::unpacking(&settings, data),
            "bz2" => bzip::unpacking(),
            _ => lzma::unpacking(&settings),
        };
        let Some(mut stream) = made else {
            return Err(Flow::Unsupported(format!("{kind} with such settings")));
        };
        self.charge(data.len());
        let all = usize::try_from(*most).unwrap_or(MOST_BYTES).min(MOST_BYTES);
        let (bytes, ended, why) = match fed(&mut *stream, data, 0, all) {
            Ok((bytes, ended)) => (bytes, ended, Value::None),
            Err(why) => (Vec::new(), false, Value::str(&why)),
        };
        if bytes.len() == MOST_BYTES {
            return Err(Flow::Unsupported(format!("so many bytes of {kind}")));
        }
        self.charge(bytes.len());
        let bytes = Value::Bytes(bytes.into());
        self.count_bytes(&bytes);
        let taken = Value::Int(i64::try_from(stream.taken()).unwrap_or(i64::MAX));
        let told = vec![bytes, taken, Value::Bool(ended), why];
        Ok(Some(self.heap.tuple(told)))
    }
}
