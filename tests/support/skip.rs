//! Leaving out a test for want of a sandbox or an interpreter: said on a machine that may lack them, a
//! failure where `CODEXEC_TESTS_REQUIRE_SANDBOX` is 1, as `.ci/run` sets it.

use std::fmt::Display;

/// Says why the rest of a test is left out.
///
/// # Panics
/// Where the machine has to have what tests need.
pub(crate) fn skip(why: impl Display) {
    let required = std::env::var_os("CODEXEC_TESTS_REQUIRE_SANDBOX").is_some_and(|set| set == "1");
    assert!(
        !required,
        "CODEXEC_TESTS_REQUIRE_SANDBOX is set, and: {why}"
    );
    eprintln!("skipped: {why}");
}
