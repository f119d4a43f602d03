//! The JSON form: the trace as it is. The schema is in `docs/trace-format.md`; this module adds to
//! the derived serialisation the checks that types alone do not make.

use super::{FormError, OLDEST_TRACE_VERSION, TRACE_VERSION, Trace};

/// The one field every version has.
#[derive(serde::Deserialize)]
struct Header {
    version: u32,
}

impl Trace {
    /// One line of JSON. A confidence that is no number is left out on reading (JSON has none).
    ///
    /// # Errors
    /// [`FormError::Json`], should the serialiser fail.
    pub fn to_json(&self) -> Result<String, FormError> {
        Ok(serde_json::to_string(self)?)
    }

    /// Reads a trace from JSON.
    ///
    /// # Errors
    /// [`FormError::Version`] for a version that is not read, [`FormError::Json`] for what is no trace (a name
    /// twice in a state included), [`FormError::StepOutOfRange`] where the exception is said to be
    /// raised at a step that does not exist, [`FormError::FileOutOfRange`] for a file that is not listed. Whether events fit a call stack is [`Trace::check`]'s
    /// business: a predicted trace need not.
    pub fn from_json(json: impl AsRef<[u8]>) -> Result<Self, FormError> {
        let json = json.as_ref();
        let read: Result<Self, _> = serde_json::from_slice(json);
        let found = match &read {
            Ok(trace) => Some(trace.version),
            Err(_) => serde_json::from_slice(json).ok().map(|h: Header| h.version),
        };
        match found {
            Some(found) if !(OLDEST_TRACE_VERSION..=TRACE_VERSION).contains(&found) => {
                Err(FormError::Version {
                    found,
                    oldest: OLDEST_TRACE_VERSION,
                    newest: TRACE_VERSION,
                })
            }
            _ => {
                let trace = read?;
                trace.check_outcome()?;
                trace.check_files()?;
                Ok(trace)
            }
        }
    }
}
