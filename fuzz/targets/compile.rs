//! The compiler ends on any text, with code or with an error that names a line of it.

#![no_main]

use codexec_compile::{compile, compile_body};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    let lines = source.split('\n').count() + source.matches(['\r', '\u{c}']).count();
    for result in [compile(source), compile_body(source)] {
        if let Err(error) = result {
            assert!(error.line as usize <= lines + 1, "line {} of {lines}", error.line);
            assert!(!error.message.is_empty());
        }
    }
});
