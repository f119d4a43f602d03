//! The class of each token in the grammar of a trace: a mark, a line number, a piece of a name, a
//! colon, other text, or unusable. Determined once, by the token's text.

use std::collections::{HashMap, HashSet};

use tokenizers::Tokenizer;

use crate::Form;

/// Classes of tokens, one bit each.
pub mod class {
    /// `<line>`
    pub const LINE: u32 = 1;
    /// `<0>`, `<1>`, ...
    pub const NUMBER: u32 = 1 << 1;
    /// `<state>`
    pub const STATE: u32 = 1 << 2;
    /// `</state>`
    pub const STATE_END: u32 = 1 << 3;
    /// `<dictsep>`
    pub const DICTSEP: u32 = 1 << 4;
    /// `<output>`
    pub const OUTPUT: u32 = 1 << 5;
    /// `<call>`
    pub const CALL: u32 = 1 << 6;
    /// `<return>`
    pub const RETURN: u32 = 1 << 7;
    /// `<raise>`
    pub const RAISE: u32 = 1 << 8;
    /// `<del>`
    pub const DEL: u32 = 1 << 9;
    /// `<reset>`
    pub const RESET: u32 = 1 << 10;
    /// `<end>`
    pub const END: u32 = 1 << 11;
    /// `</s>`
    pub const EOS: u32 = 1 << 12;
    /// `<function>`, `<module>`, `<class>`: values of one token.
    pub const VALUE: u32 = 1 << 13;
    /// Letters, digits and `_` that an identifier may begin with.
    pub const WORD: u32 = 1 << 14;
    /// Letters, digits and `_`, the first a digit.
    pub const DIGITS: u32 = 1 << 15;
    /// Exactly `:`.
    pub const COLON: u32 = 1 << 16;
    /// `<`, `>` and `.`: characters of function and exception names besides words.
    pub const ANGLE: u32 = 1 << 17;
    /// Other text.
    pub const OTHER: u32 = 1 << 18;
    /// All text.
    pub const TEXT: u32 = WORD | DIGITS | COLON | ANGLE | OTHER;
}

/// Ends of a trace other than finishing and raising.
pub(super) const ENDINGS: [&[u8]; 7] = [
    b"timeout",
    b"step_limit",
    b"instruction_limit",
    b"output_limit",
    b"trace_limit",
    b"memory_limit",
    b"killed",
];

/// The marks of the grammar and their classes; those of the paper form first.
const MARKS: [(&str, u32); 15] = [
    ("<line>", class::LINE),
    ("<state>", class::STATE),
    ("</state>", class::STATE_END),
    ("<dictsep>", class::DICTSEP),
    ("<output>", class::OUTPUT),
    ("<call>", class::CALL),
    ("<return>", class::RETURN),
    ("<raise>", class::RAISE),
    ("<del>", class::DEL),
    ("<reset>", class::RESET),
    ("<end>", class::END),
    ("<function>", class::VALUE),
    ("<module>", class::VALUE),
    ("<class>", class::VALUE),
    ("</s>", class::EOS),
];

/// The tokens of a checkpoint, classed.
#[derive(Debug, Clone)]
pub struct TokenClasses {
    classes: Vec<u32>,
    texts: Vec<Vec<u8>>,
    lines: Vec<Option<u32>>,
    special: HashMap<&'static str, u32>,
    endings: HashSet<&'static [u8]>,
}

impl TokenClasses {
    /// Classes the tokens of a tokenizer. Added tokens that the grammar does not know are never
    /// allowed.
    pub fn new(tokenizer: &Tokenizer) -> Self {
        let size = tokenizer.get_vocab_size(true);
        let bytes = byte_level(tokenizer);
        let added = tokenizer.get_added_tokens_decoder();
        let mut out = Self {
            classes: vec![0; size],
            texts: vec![Vec::new(); size],
            lines: Vec::new(),
            special: HashMap::new(),
            endings: HashSet::new(),
        };
        for (token, id) in tokenizer.get_vocab(true) {
            let at = id as usize;
            if at >= out.classes.len() {
                out.classes.resize(at + 1, 0);
                out.texts.resize(at + 1, Vec::new());
            }
            if let Some((mark, class)) = MARKS.iter().find(|(mark, _)| *mark == token) {
                out.classes[at] = *class;
                out.special.insert(mark, id);
            } else if let Some(line) = line_number(&token) {
                if out.lines.len() <= line {
                    out.lines.resize(line + 1, None);
                }
                out.lines[line] = Some(id);
                out.classes[at] = class::NUMBER;
            } else if !added.contains_key(&id) && !token.is_empty() {
                out.texts[at] = match &bytes {
                    Some(bytes) => token.chars().flat_map(|c| decoded(bytes, c)).collect(),
                    None => token.into_bytes(),
                };
                out.classes[at] = text_class(&out.texts[at]);
            }
        }
        out.endings = out.spellable();
        out
    }

    /// Every end of every kind of [`ENDINGS`] that words of the vocabulary can spell.
    fn spellable(&self) -> HashSet<&'static [u8]> {
        let words = self.classes.iter().zip(&self.texts);
        let words = words.filter(|(class, _)| **class == class::WORD);
        let words: HashSet<&[u8]> = words.map(|(_, text)| text.trim_ascii()).collect();
        let mut out = HashSet::from([&[][..]]);
        for kind in ENDINGS {
            for start in (0..kind.len()).rev() {
                let rest = &kind[start..];
                let spelled =
                    |cut: usize| words.contains(&rest[..cut]) && out.contains(&rest[cut..]);
                if (1..=rest.len()).any(spelled) {
                    out.insert(rest);
                }
            }
        }
        out
    }

    /// Whether the text after `<end>` is one of the [`ENDINGS`] or a prefix of one.
    pub(super) fn begins_ending(&self, text: &[u8]) -> bool {
        let rest = |kind: &&'static [u8]| kind.strip_prefix(text);
        let mut rests = ENDINGS.iter().filter_map(rest);
        rests.any(|rest| self.endings.contains(rest))
    }

    /// The class of each token.
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }

    /// The class of one token; 0 for unused ids.
    pub fn class(&self, token: u32) -> u32 {
        self.classes.get(token as usize).copied().unwrap_or(0)
    }

    /// The characters of a text token; empty for all others.
    pub fn text(&self, token: u32) -> &[u8] {
        self.texts.get(token as usize).map_or(&[], Vec::as_slice)
    }

    /// The tokens of the line numbers below `lines`.
    pub fn line_tokens(&self, lines: usize) -> Vec<u32> {
        let known = &self.lines[..lines.min(self.lines.len())];
        known.iter().flatten().copied().collect()
    }

    /// The id of one of the grammar's marks.
    pub fn mark(&self, mark: &str) -> Option<u32> {
        self.special.get(mark).copied()
    }
}

/// The marks that text of a form must not spell: a reader would take them for the token.
pub(super) fn reserved(form: Form) -> impl Iterator<Item = &'static [u8]> {
    let count = match form {
        Form::Paper => 5,
        Form::Delta => MARKS.len() - 1,
    };
    MARKS[..count].iter().map(|(mark, _)| mark.as_bytes())
}

fn line_number(token: &str) -> Option<usize> {
    let digits = token.strip_prefix('<')?.strip_suffix('>')?;
    let plain =
        !digits.is_empty() && digits.len() < 5 && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

fn text_class(text: &[u8]) -> u32 {
    if reserved(Form::Delta).any(|mark| text.windows(mark.len()).any(|w| w == mark)) {
        return 0;
    }
    let text = text.trim_ascii();
    // Bytes above ASCII may be parts of letters; an identifier may have them.
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80;
    match text {
        b":" => class::COLON,
        b"<" | b">" | b"." => class::ANGLE,
        [first, ..] if text.iter().all(word) => {
            if first.is_ascii_digit() {
                class::DIGITS
            } else {
                class::WORD
            }
        }
        _ => class::OTHER,
    }
}

/// The bytes for the characters of a byte-level vocabulary. `None` for other kinds.
fn byte_level(tokenizer: &Tokenizer) -> Option<HashMap<char, u8>> {
    let decoder = serde_json::to_value(tokenizer.get_decoder()?).ok()?;
    (decoder["type"] == "ByteLevel").then(|| {
        let shown = |b: &u8| matches!(b, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
        let hidden = (0..=255u8).filter(|b| !shown(b)).zip('\u{100}'..);
        let plain = (0..=255u8).filter(shown).map(|b| (b, char::from(b)));
        plain.chain(hidden).map(|(b, c)| (c, b)).collect()
    })
}

fn decoded(bytes: &HashMap<char, u8>, c: char) -> Vec<u8> {
    match bytes.get(&c) {
        Some(byte) => vec![*byte],
        None => c.to_string().into_bytes(),
    }
}
