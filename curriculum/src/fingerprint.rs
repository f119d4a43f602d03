//! A 64-bit fingerprint (FNV-1a over little-endian words) that detects damaged files and changed
//! settings. Not a protection against intent.

/// Fingerprint being computed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds one word.
    pub(crate) fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    /// Adds bytes and their number.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for chunk in &mut words {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
        let mut last = [0; 8];
        last[..words.remainder().len()].copy_from_slice(words.remainder());
        self.word(u64::from_le_bytes(last));
        self.word(bytes.len() as u64);
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }

    pub(crate) fn hex(self) -> String {
        format!("{:016x}", self.0)
    }
}

/// The fingerprint of bytes, as text, to detect damaged or changed files; not for security.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> String {
    let mut fingerprint = Fingerprint::new();
    fingerprint.bytes(bytes);
    fingerprint.hex()
}

/// A seed for one purpose, from the run's seed and the purpose.
pub(crate) fn derive_seed(seed: u64, purpose: &[u64]) -> u64 {
    let mut fingerprint = Fingerprint::new();
    fingerprint.word(seed);
    for &word in purpose {
        fingerprint.word(word);
    }
    fingerprint.value()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> u64 {
        let mut fingerprint = Fingerprint::new();
        fingerprint.bytes(bytes);
        fingerprint.value()
    }

    #[test]
    fn every_byte_and_the_length_count() {
        let base: Vec<u8> = (0..37).collect();
        for position in 0..base.len() {
            let mut changed = base.clone();
            changed[position] ^= 0x40;
            assert_ne!(of(&base), of(&changed), "byte {position}");
        }
        assert_ne!(of(&[0; 8]), of(&[0; 9]));
        assert_ne!(derive_seed(1, &[2, 3]), derive_seed(1, &[3, 2]));
    }
}
