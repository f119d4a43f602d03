//! Atomic files, and reading of compressed files.
//!
//! | module | what |
//! |---|---|
//! | `whole` | [`WholeFile`], [`WholeDirectory`]: written under a name of their own, then renamed |
//! | `reserve` | [`Reservation`]: the right to write an output, which one process has at a time |
//! | `unfinished`, `signals` | what must not stay when the process is told to stop, and what removes it then |
//! | `progress` | [`Progress`]: how far a build is, which goes on after a kill |
//! | `packed` | [`open_packed`]: text as it is, or out of gzip or Zstandard |
//!
//! Everything that codexec writes under its final name goes through here. What files hold is not known
//! here.

mod packed;
mod progress;
mod reserve;
#[cfg(not(target_family = "wasm"))]
mod signals;
mod unfinished;
mod whole;

pub use packed::open_packed;
pub use progress::{Progress, beside, build_name};
pub use reserve::{Existing, Reservation, check_output};
#[cfg(not(target_family = "wasm"))]
pub use signals::{clean_up_when_stopped, stop_by};
#[cfg(not(target_family = "wasm"))]
pub(crate) use unfinished::Listed;
pub use whole::{WholeDirectory, WholeFile, replace, write_whole};
