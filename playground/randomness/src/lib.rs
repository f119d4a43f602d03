//! Replaces the crate `getrandom` (0.4) in codexec's build for a page.
//!
//! The crate of that name asks the browser through wasm-bindgen, whose imports only its own tool can resolve. What asks it here
//! wants names for temporary files and numbers for encrypted archives, and a page has neither: so nothing is random.

use std::fmt;

/// Why there are no bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing is random in a page's module")
    }
}

impl std::error::Error for Error {}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        Self::other(error)
    }
}

/// Fills nothing.
///
/// # Errors
/// Always.
pub fn fill(_: &mut [u8]) -> Result<(), Error> {
    Err(Error)
}

/// Gives no number.
///
/// # Errors
/// Always.
pub fn u32() -> Result<u32, Error> {
    Err(Error)
}

/// Gives no number.
///
/// # Errors
/// Always.
pub fn u64() -> Result<u64, Error> {
    Err(Error)
}
