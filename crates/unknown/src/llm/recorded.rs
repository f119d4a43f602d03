//! A file of answers: a request is not sent again if its answer is known. So an interrupted run can
//! be resumed, costs nothing the second time, and can be repeated by others.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The start of each line.
const BEGIN: &[u8] = b"{\"request\":\"";

#[derive(Serialize, Deserialize)]
struct Line<T> {
    request: String,
    #[serde(flatten)]
    reply: T,
}

/// A file of answers, see the module. JSON Lines, each with the digest of a request and the fields
/// of its answer, a `T`.
#[derive(Debug)]
pub struct Recorded<T> {
    known: Mutex<HashMap<String, T>>,
    file: Mutex<File>,
}

impl<T: Clone + Serialize + DeserializeOwned> Recorded<T> {
    /// Opens a file, or creates it.
    ///
    /// # Errors
    /// With a message, if it cannot be opened or is no such file.
    pub fn open(path: &Path) -> Result<Self, String> {
        let said = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(e) => return Err(said(&e)),
        };
        let whole = bytes.iter().rposition(|b| *b == b'\n');
        let whole = whole.map_or(0, |at| at + 1);
        let last = &bytes[whole..];
        // A line that was being written when a run was killed; any other text may be the user's.
        let is_cut = last.starts_with(BEGIN) || whole > 0 && BEGIN.starts_with(last);
        let is_cut = is_cut && serde_json::from_slice::<Line<T>>(last).is_err();
        let kept = if is_cut { whole } else { bytes.len() };
        let mut known = HashMap::new();
        let lines = bytes[..kept].split_inclusive(|b| *b == b'\n');
        for (line, number) in lines.zip(1..) {
            let line: Line<T> = serde_json::from_slice(line).map_err(|_| {
                let why = "no kept answer; name another file";
                said(&format!("line {number}: {why}"))
            })?;
            known.insert(line.request, line.reply);
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut file = file.map_err(|e| said(&e))?;
        let ended = match kept > whole {
            true => file.write_all(b"\n"),
            false => file.set_len(whole as u64),
        };
        ended.map_err(|e| said(&e))?;
        Ok(Self {
            known: Mutex::new(known),
            file: Mutex::new(file),
        })
    }

    /// Returns the answer to a request.
    pub fn get(&self, request: &str) -> Option<T> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(request).cloned()
    }

    /// Keeps an answer.
    ///
    /// # Errors
    /// With a message, if it cannot be written.
    pub fn keep(&self, request: &str, reply: &T) -> Result<(), String> {
        let line = Line {
            request: request.to_owned(),
            reply: reply.clone(),
        };
        let mut text = serde_json::to_vec(&line).map_err(|e| e.to_string())?;
        text.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&text)
            .map_err(|e| format!("the file of answers cannot be written: {e}"))?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(line.request, line.reply);
        Ok(())
    }
}

/// Returns the key of a request: the digest of its body and of its number among equal ones.
pub fn digest(endpoint: &str, body: &[u8], ordinal: usize) -> String {
    let mut hash = Sha256::new();
    hash.update(endpoint);
    hash.update([0]);
    hash.update(body);
    hash.update(ordinal.to_le_bytes());
    let hash = hash.finalize();
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Reply;
    use super::*;

    #[test]
    fn answers_survive_a_kill() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("answers.jsonl");
        let reply = Reply {
            choices: vec!["a\nb".to_owned()],
            prompt_tokens: 3,
            completion_tokens: 2,
        };
        let kept = Recorded::<Reply>::open(&path).unwrap();
        assert_eq!(kept.get("1"), None);
        kept.keep("1", &reply).unwrap();
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all("{\"request\":\"2\",\"choices\":[\"\u{e9}".as_bytes())
            .unwrap();
        // In the middle of a character.
        let length = file.metadata().unwrap().len();
        file.set_len(length - 1).unwrap();
        let kept = Recorded::<Reply>::open(&path).unwrap();
        assert_eq!(kept.get("1"), Some(reply.clone()));
        kept.keep("2", &reply).unwrap();
        assert_eq!(
            Recorded::<Reply>::open(&path).unwrap().get("2"),
            Some(reply.clone())
        );
        // Only the end of the line was not written.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.trim_end()).unwrap();
        let kept = Recorded::<Reply>::open(&path).unwrap();
        kept.keep("3", &reply).unwrap();
        let kept = Recorded::<Reply>::open(&path).unwrap();
        assert!(["1", "2", "3"].iter().all(|r| kept.get(r).is_some()));
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("answers.jsonl");
        for foreign in [
            &b"x = 1\n"[..],
            b"{\"my\": \"precious data\"}",
            b"{",
            b"no end of a line",
            b"\xff\xfe",
            b"\n\n",
        ] {
            std::fs::write(&path, foreign).unwrap();
            let why = Recorded::<Reply>::open(&path).unwrap_err();
            assert!(
                why.contains("line 1") && why.contains("name another file"),
                "{why}"
            );
            assert_eq!(std::fs::read(&path).unwrap(), foreign);
        }
    }

    #[test]
    fn requests_have_their_own_digests() {
        let all = [
            digest("a", b"b", 0),
            digest("a", b"b", 1),
            digest("", b"ab", 0),
            digest("a", b"c", 0),
        ];
        for (k, one) in all.iter().enumerate() {
            assert_eq!(one.len(), 64);
            assert!(!all[..k].contains(one));
        }
    }
}
