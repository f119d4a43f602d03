//! Why a program cannot be mutated.

/// Why a program cannot be mutated. Declining a site is not an error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MutateError {
    /// The program does not parse.
    #[error("line {line}, column {column}: the program does not parse")]
    Syntax {
        /// Line of the first error, 1-based.
        line: usize,
        /// Column in bytes, 1-based.
        column: usize,
    },
    /// No operator has this code.
    #[error("no operator is called {0:?}")]
    UnknownOperator(String),
    /// A replay names a site that the program does not have.
    #[error("{operator} has no site {site} here: it has {sites}")]
    UnknownSite {
        /// Code of the operator.
        operator: &'static str,
        /// The requested site, counted from 0.
        site: usize,
        /// Their number.
        sites: usize,
    },
    /// A replay that is not a mutant: its edits overlap, one was declined, or the result is
    /// invalid.
    #[error("{operator} cannot be applied at site {site} together with the others")]
    NotAMutant {
        /// Code of an operator at fault.
        operator: &'static str,
        /// Its site.
        site: usize,
    },
    /// The grammar could not be loaded, or parsing was abandoned.
    #[error("the Python grammar could not be used: {0}")]
    Grammar(String),
}
