//! One file per operator; `loops` is what the three loop operators share.

pub mod aod;
pub mod aor;
pub mod asr;
pub mod bcr;
pub mod cod;
pub mod crp;
pub mod lcr;
mod loops;
pub mod oil;
pub mod ril;
pub mod ror;
pub mod sir;
pub mod zil;
