//! A trace is read from any text or refused; what is read is written so that the same is read again.

#![no_main]

use codexec_trace::{States, Trace};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|text: &[u8]| -> Corpus {
    let Ok(trace) = serde_json::from_slice::<Trace>(text) else {
        return Corpus::Reject;
    };
    for states in [States::Full, States::Changes] {
        let text = serde_json::to_string(&trace.form(states)).expect("a trace is written");
        let read: Trace = serde_json::from_str(&text).expect("what is written is read");
        assert!(read == trace, "another trace is read from {text}");
    }
    Corpus::Keep
});
