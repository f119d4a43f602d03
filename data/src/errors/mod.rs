//! Programs with inputs and outcomes: training and evaluation data for models of runtime errors.
//!
//! | module | what |
//! |---|---|
//! | `kinds` | the 26 kinds of errors of the Exception IPA-GNN paper, and which of them an outcome is |
//! | `record` | the record of a program with an input; files of records |
//! | `confuse` | edits that confuse a type, an index or a name |
//! | `edits` | edited programs: by the mutation operators and by these edits |
//! | `guess`, `bounds` | inputs that fit how a program reads them, and what a description says of numbers |
//! | `others` | inputs of other problems |
//! | `summary` | an input in words |
//! | `descriptions` | the problems' own words about their inputs |
//! | `build` | records from a corpus, through the sandbox |
//! | `orca` | ORCA's set as records |
//! | `progress` | what a killed build goes on from |
//! | `balance` | which of them are kept, and counts of those |

mod balance;
mod bounds;
mod build;
mod descriptions;
mod edits;
mod guess;
mod kinds;
mod orca;
mod others;
mod progress;
mod record;
mod summary;
mod type_confusion;

pub use balance::{Counted, ErrorCounts};
pub use build::{ErrorBuildError, ErrorConfig, ErrorSet, error_records};
pub use descriptions::Descriptions;
pub use guess::{Guess, plausible_inputs};
pub use kinds::{Ending, KINDS, NO_ERROR, ending, kind_of, syntax_kind};
pub use orca::orca_error_records;
pub use progress::{ErrorProgress, error_build};
pub use record::{ErrorOrigin, ErrorRecord, error_file, read_error_records, write_error_records};
pub use summary::input_summary;
pub use type_confusion::{CONFUSIONS, Confusion, confusions};
