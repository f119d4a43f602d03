//! The machine's part of the standard library: functions that the files of `lib/` call, and
//! functions that are folded.
//!
//! | file | contents |
//! |---|---|
//! | `_random` | Mersenne twisters |
//! | `_sre` | regular expression matching |
//! | `codecs` | digests, checksums and encodings for `hashlib`, `base64`, `zlib` and `struct` |
//! | `compression` | streams of `zlib`, `bz2` and `lzma` |
//! | `doctest` | docstring examples as `doctest` executes them |
//! | `files` | files of the program: none exists |
//! | `print` | `print` and the texts that it writes |
//! | `pyexpat` | events of an XML parser |
//! | `stdin` | the rest of standard input |
//! | `streams` | `sys.stdin`, `sys.stdout`, `sys.stderr` and their buffers |
//! | `syntax` | syntax trees of texts, as nodes of `ast` |
//! | `unicodedata` | encodings and Unicode tables: `encode`, `decode`, `ascii` and `unicodedata` |

pub(in crate::machine) mod _random;
pub(in crate::machine) mod _sre;
pub(in crate::machine) mod codecs;
pub(in crate::machine) mod compression;
pub(in crate::machine) mod doctest;
pub(in crate::machine) mod files;
pub(in crate::machine) mod print;
pub(in crate::machine) mod pyexpat;
pub(in crate::machine) mod stdin;
pub(in crate::machine) mod streams;
pub(in crate::machine) mod syntax;
pub(in crate::machine) mod unicodedata;
