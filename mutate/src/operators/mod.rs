//! The table of operators and one file for each; `loops` is what the three loop operators share.

use crate::Operator;

mod loops;

pub mod aod;
pub mod aor;
pub mod asr;
pub mod bcr;
pub mod cod;
pub mod crp;
pub mod lcr;
pub mod oil;
pub mod ril;
pub mod ror;
pub mod sir;
pub mod zil;

/// Every operator there is: those of the paper's Table 1 in its order, then any other.
pub const REGISTRY: &[Operator] = &[
    crp::OPERATOR,
    aod::OPERATOR,
    aor::OPERATOR,
    asr::OPERATOR,
    bcr::OPERATOR,
    cod::OPERATOR,
    lcr::OPERATOR,
    ror::OPERATOR,
    sir::OPERATOR,
    oil::OPERATOR,
    ril::OPERATOR,
    zil::OPERATOR,
];
