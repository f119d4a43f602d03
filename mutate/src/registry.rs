//! The table of operators, in the order of the paper's Table 1.

use crate::Operator;
use crate::operators::{aod, aor, asr, bcr, cod, crp, lcr, oil, ril, ror, sir, zil};

/// Every operator there is.
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
