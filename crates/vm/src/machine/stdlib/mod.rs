//! What modules of the standard library do in the machine: what files of `lib/` call, and functions that are folded.
//!
//! | file | what |
//! |---|---|
//! | `_random` | Mersenne twisters |
//! | `_sre` | where regular expressions match |
//! | `codecs` | what `hashlib`, `base64`, `zlib` and `struct` ask |
//! | `compression` | streams of `zlib`, `bz2` and `lzma` |
//! | `doctest` | examples of docstrings, as `doctest` executes them |
//! | `files` | files of the program: none is there |
//! | `print` | `print` and the texts that it writes |
//! | `pyexpat` | what a parser of XML finds |
//! | `stdin` | what is left of standard input |
//! | `streams` | `sys.stdin`, `sys.stdout`, `sys.stderr` and their buffers |
//! | `syntax` | syntax trees of texts, as nodes of `ast` |
//! | `unicodedata` | encodings and the tables of Unicode: `encode`, `decode`, `ascii` and `unicodedata` |

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
