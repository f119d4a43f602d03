//! Findings of `codexec check` for a browser, and planning with the network: the module that a page loads once it is up.
//!
//! Besides the functions of `codexec_playground`:
//!
//! | function | what |
//! |---|---|
//! | `check(ptr, len)` | checks the program of the request there; the answer is handed over as that of `plan` is |
//! | `learn(ptr, len)` | takes the weights there, those of `crates/model/src/steps/model.safetensors`; the answer is empty or has an error |
//! | `ask(ptr, len)` | as `plan`, with the predictors of missing values, and the network where not all is folded |

mod asked;
#[cfg(target_family = "wasm")]
mod c_library;
mod findings;
mod network;
mod randomness;

use codexec_playground::memory::{bytes_at, handed_over, listen};

pub use codexec_playground::memory::{alloc, complaint, give_back, plan};

/// Checks the program of the request at a pointer, and gives the answer with its length before it.
///
/// # Safety
/// This many bytes at the pointer can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn check(pointer: *const u8, len: usize) -> *mut u8 {
    listen();
    // SAFETY: the caller says so.
    let request = unsafe { bytes_at(pointer, len) };
    handed_over(&findings::answer(request))
}

/// Takes the weights of the network at a pointer.
///
/// # Safety
/// This many bytes at the pointer can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn learn(pointer: *const u8, len: usize) -> *mut u8 {
    listen();
    // SAFETY: the caller says so.
    let weights = unsafe { bytes_at(pointer, len) };
    handed_over(&network::learn(weights))
}

/// Plans the request at a pointer with the predictors, and with the network where not all is folded. Gives the answer with
/// its length before it.
///
/// # Safety
/// This many bytes at the pointer can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(pointer: *const u8, len: usize) -> *mut u8 {
    listen();
    // SAFETY: the caller says so.
    let request = unsafe { bytes_at(pointer, len) };
    handed_over(&asked::answer(request))
}
