//! One program in, one answer out: the functions at the top of the crate. Each returns a request with options, whose
//! last method runs it. Their building blocks are also public, for many programs at once and with more settings.

mod failure;
mod finding;
mod injecting;
mod mutating;
mod ordering;
mod tracing;

pub use failure::Failure;
pub use finding::{CheckRequest, check};
pub use injecting::{DiffRequest, GuideRequest, PrefixRequest, diff, guide, prefix};
pub use mutating::{MutateRequest, mutate};
pub use ordering::{RerankRequest, rerank};
pub use tracing::{TraceRequest, trace};
