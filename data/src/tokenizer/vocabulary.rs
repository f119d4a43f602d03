//! The vocabulary of our own checkpoints: special tokens and a byte-level BPE over words.
//!
//! Blanks separate words and are not encoded; every digit is a token, or, on request, the digits of a
//! number are one word like others. The file is a plain `tokenizer.json`, readable by the
//! `tokenizers` libraries. Splitting programs and traces into words is not done here.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use tokenizers::models::bpe::{BPE, BpeTrainer};
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits as SplitDigits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::whitespace::WhitespaceSplit;
use tokenizers::{AddedToken, PreTokenizerWrapper, Tokenizer, TokenizerBuilder};

use super::source::{INPUT, MAX_LINES};

/// Why a vocabulary could not be made, read or used.
#[derive(Debug, thiserror::Error)]
pub enum VocabularyError {
    /// The `tokenizers` library failed.
    #[error("tokenizer: {0}")]
    Library(String),
    /// A token that every vocabulary of ours has is missing.
    #[error("the tokenizer has no `{0}`: it was not made for this form")]
    Missing(&'static str),
}

fn library(error: tokenizers::Error) -> VocabularyError {
    VocabularyError::Library(error.to_string())
}

/// Special tokens in the order of their ids: those of the published vocabularies, then ours.
const SPECIAL: [&str; 26] = [
    "<s>",
    "<pad>",
    "</s>",
    "<unk>",
    "<encoder-decoder>",
    "<mask0>",
    "<line>",
    "<state>",
    "</state>",
    "<dictsep>",
    "<output>",
    "<function>",
    "<singleline>",
    "<tutorial>",
    "<codenet>",
    "<indent>",
    "<dedent>",
    "<call>",
    "<return>",
    "<raise>",
    "<del>",
    "<reset>",
    "<end>",
    "<module>",
    "<class>",
    INPUT,
];

/// Longer words teach a vocabulary nothing, and training time is quadratic in their length.
const LONGEST_WORD: usize = 256;

/// How many of them UniXcoder's vocabulary has.
const PUBLISHED: usize = 6;

/// Notation of the digits of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Digits {
    /// Each is a token.
    #[default]
    Apart,
    /// They are one word, of as many tokens as were learned for it.
    Joined,
}

/// Token ids of words, and words of token ids.
pub struct Vocabulary {
    tokenizer: Tokenizer,
    digits: Digits,
    start: u32,
    end: u32,
    mode: u32,
    mask: u32,
    bytes: HashMap<char, u8>,
}

impl Vocabulary {
    /// Trains a vocabulary of `size` tokens, special ones included, on texts in word form.
    ///
    /// # Errors
    /// If the library fails to train.
    pub fn train<'a>(
        texts: impl Iterator<Item = &'a str> + Send,
        size: usize,
        digits: Digits,
    ) -> Result<Self, VocabularyError> {
        let mut split = vec![PreTokenizerWrapper::WhitespaceSplit(WhitespaceSplit)];
        if digits == Digits::Apart {
            split.push(PreTokenizerWrapper::Digits(SplitDigits::new(true)));
        }
        split.push(PreTokenizerWrapper::ByteLevel(ByteLevel::new(
            false, false, false,
        )));
        let split = Sequence::new(split);
        let lines: Vec<String> = (0..MAX_LINES).map(|k| format!("<{k}>")).collect();
        let special: Vec<AddedToken> = SPECIAL
            .iter()
            .map(|s| (*s).to_owned())
            .chain(lines)
            .map(|token| AddedToken::from(token, true).normalized(false))
            .collect();
        let mut trainer = BpeTrainer::builder()
            .vocab_size(size)
            .min_frequency(8)
            .show_progress(false)
            .special_tokens(special.clone())
            .initial_alphabet(ByteLevel::alphabet().into_iter().collect())
            .build();
        let mut tokenizer = TokenizerBuilder::new()
            .with_model(BPE::default())
            .with_normalizer(None::<tokenizers::NormalizerWrapper>)
            .with_pre_tokenizer(Some(split))
            .with_post_processor(None::<tokenizers::PostProcessorWrapper>)
            .with_decoder(Some(ByteLevel::new(false, false, false)))
            .build()
            .map_err(library)?;
        tokenizer.add_special_tokens(special).map_err(library)?;
        let texts = texts.map(without_long_words);
        match digits {
            Digits::Apart => tokenizer.train(&mut trainer, texts),
            Digits::Joined => {
                let texts: Vec<String> = texts.map(|text| join_digits(&text)).collect();
                tokenizer.train(&mut trainer, texts.iter())
            }
        }
        .map_err(library)?;
        let json = tokenizer.to_string(false).map_err(library)?;
        Self::from_json(json.as_bytes())
    }

    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// If it is invalid, or lacks a token of our form.
    pub fn from_json(json: &[u8]) -> Result<Self, VocabularyError> {
        Self::new(Tokenizer::from_bytes(json).map_err(library)?)
    }

    /// Wraps a tokenizer that was made for our form.
    ///
    /// # Errors
    /// If it lacks a token of our form.
    pub fn new(tokenizer: Tokenizer) -> Result<Self, VocabularyError> {
        Self::with(tokenizer, &SPECIAL)
    }

    /// Wraps a tokenizer of the UniXcoder family, ours among them, to write sources with: what our
    /// targets need may be missing.
    ///
    /// # Errors
    /// If it lacks a token that frames a source.
    pub fn for_sources(tokenizer: Tokenizer) -> Result<Self, VocabularyError> {
        Self::with(tokenizer, &SPECIAL[..PUBLISHED])
    }

    fn with(tokenizer: Tokenizer, needed: &[&'static str]) -> Result<Self, VocabularyError> {
        for &token in needed {
            tokenizer
                .token_to_id(token)
                .ok_or(VocabularyError::Missing(token))?;
        }
        let id = |token| tokenizer.token_to_id(token).unwrap_or_default();
        let (start, end, mode, mask) = (
            id("<s>"),
            id("</s>"),
            id("<encoder-decoder>"),
            id("<mask0>"),
        );
        Ok(Self {
            start,
            end,
            mode,
            mask,
            bytes: byte_of_char(),
            digits: digits_of(&tokenizer),
            tokenizer,
        })
    }

    /// Id of `<s>`, with which a source starts.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Id of `</s>`, which ends a source and its part before the code.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// Id of `<mask0>`, the masked place.
    pub fn mask(&self) -> u32 {
        self.mask
    }

    /// The tokenizer behind it.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Its `tokenizer.json`.
    ///
    /// # Errors
    /// If the library cannot write it.
    pub fn to_json(&self) -> Result<String, VocabularyError> {
        self.tokenizer.to_string(false).map_err(library)
    }

    /// Number of tokens.
    pub fn size(&self) -> usize {
        self.tokenizer.get_vocab_size(true)
    }

    /// Ids of a text in word form, without additions.
    ///
    /// # Errors
    /// If the library fails.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, VocabularyError> {
        let encoding = match self.digits {
            Digits::Apart => self.tokenizer.encode_fast(text, false),
            Digits::Joined => self.tokenizer.encode_fast(join_digits(text), false),
        };
        Ok(encoding.map_err(library)?.get_ids().to_vec())
    }

    /// `<s> <encoder-decoder> </s> prefix text <mask0> </s>`, the text cut so that the whole has at
    /// most `max` ids; true when it was cut.
    ///
    /// # Errors
    /// If the library fails.
    pub fn encode_source(
        &self,
        prefix: &str,
        text: &str,
        max: usize,
    ) -> Result<(Vec<u32>, bool), VocabularyError> {
        let mut ids = vec![self.start, self.mode, self.end];
        ids.extend(self.encode(prefix)?);
        let words = self.encode(text)?;
        let room = max.saturating_sub(ids.len() + 2);
        let cut = words.len() > room;
        ids.extend(words.into_iter().take(room));
        ids.extend([self.mask, self.end]);
        Ok((ids, cut))
    }

    /// `<mask0> text </s>`.
    ///
    /// # Errors
    /// If the library fails.
    pub fn encode_target(&self, text: &str) -> Result<Vec<u32>, VocabularyError> {
        let mut ids = vec![self.mask];
        ids.extend(self.encode(text)?);
        ids.push(self.end);
        Ok(ids)
    }

    /// Text in word form: tokens joined by blanks, except for parts of one character. `<s>`,
    /// `<pad>`, `</s>` and `<mask0>` are omitted.
    pub fn decode(&self, ids: &[u32]) -> String {
        let mut text = String::new();
        let mut raw: Vec<u8> = Vec::new();
        for &id in ids {
            let Some(token) = self.tokenizer.id_to_token(id) else {
                continue;
            };
            if SPECIAL.contains(&token.as_str()) || is_line_token(&token) {
                flush(&mut text, &mut raw);
                if ![self.start, self.end, self.mask].contains(&id) && token != "<pad>" {
                    push_word(&mut text, &token);
                }
                continue;
            }
            raw.extend(token.chars().filter_map(|c| self.bytes.get(&c)));
            if std::str::from_utf8(&raw).is_ok() {
                flush(&mut text, &mut raw);
            }
        }
        flush(&mut text, &mut raw);
        text
    }
}

/// Whether a tokenizer was made with separate digits.
fn digits_of(tokenizer: &Tokenizer) -> Digits {
    let splits = |part: &PreTokenizerWrapper| matches!(part, PreTokenizerWrapper::Digits(_));
    match tokenizer.get_pre_tokenizer() {
        Some(PreTokenizerWrapper::Sequence(parts)) if !parts.as_ref().iter().any(splits) => {
            Digits::Joined
        }
        _ => Digits::Apart,
    }
}

/// `1 2 + 3 4` as `12 + 34`: a program or trace never has two adjacent numbers.
fn join_digits(text: &str) -> String {
    let is_digit = |word: &str| matches!(word.as_bytes(), [b'0'..=b'9']);
    let mut joined = String::with_capacity(text.len());
    let mut after_digit = false;
    for word in text.split_ascii_whitespace() {
        let digit = is_digit(word);
        let is_same_number = digit && after_digit;
        if !joined.is_empty() && !is_same_number {
            joined.push(' ');
        }
        joined.push_str(word);
        after_digit = digit;
    }
    joined
}

fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

fn flush(text: &mut String, raw: &mut Vec<u8>) {
    if !raw.is_empty() {
        push_word(text, &String::from_utf8_lossy(raw));
        raw.clear();
    }
}

fn is_line_token(token: &str) -> bool {
    token
        .strip_prefix('<')
        .and_then(|t| t.strip_suffix('>'))
        .is_some_and(|t| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit()))
}

/// The inverse byte-level alphabet: printable bytes map to themselves, the others to U+0100 onwards
/// (GPT-2's table).
fn byte_of_char() -> HashMap<char, u8> {
    let mut next = 256u32;
    let mut table = HashMap::new();
    for byte in 0..=255u8 {
        let printable = matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
        let c = if printable {
            char::from(byte)
        } else {
            next += 1;
            char::from_u32(next - 1).unwrap_or('\u{FFFD}')
        };
        table.insert(c, byte);
    }
    table
}

/// A text in word form without its words of more than [`LONGEST_WORD`] bytes.
fn without_long_words(text: &str) -> Cow<'_, str> {
    let fits = |word: &&str| word.len() <= LONGEST_WORD;
    if text.split(' ').all(|word| fits(&word)) {
        return Cow::Borrowed(text);
    }
    let words: Vec<&str> = text.split(' ').filter(fits).collect();
    Cow::Owned(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_enormous_word_holds_nothing_up() {
        let text = format!("<0> {} = 1 ", "xy".repeat(100_000)).repeat(10);
        let v = Vocabulary::train([text.as_str()].into_iter(), 600, Digits::Apart).unwrap();
        let spoken = v.decode(&v.encode(&"xy".repeat(1000)).unwrap());
        assert_eq!(spoken.replace(' ', ""), "xy".repeat(1000));
    }

    fn vocabulary() -> Vocabulary {
        let text = "<0> answer = 1 2 3 <1> print ( answer ) ".repeat(20);
        Vocabulary::train([text.as_str()].into_iter(), 600, Digits::Apart).unwrap()
    }

    #[test]
    fn words_survive_and_digits_stand_apart() {
        let v = vocabulary();
        let text = "<line> <7> <state> answer : 1 2 3 <dictsep> s : ' ü ▁ 日 ' </state>";
        let ids = v.encode(text).unwrap();
        assert_eq!(v.decode(&ids), text);
        assert_eq!(v.encode("1 2 3").unwrap(), v.encode("123").unwrap());
        assert_eq!(v.encode("answer").unwrap().len(), 1);
    }

    #[test]
    fn joined_digits_are_words_and_say_the_same() {
        let text = "<line> <7> <state> n : 1 2 3 <dictsep> s : [ 4 , 1 2 3 ] </state>";
        let texts = text.repeat(20);
        let v = Vocabulary::train([texts.as_str()].into_iter(), 600, Digits::Joined).unwrap();
        let v = Vocabulary::from_json(v.to_json().unwrap().as_bytes()).unwrap();
        assert_eq!(v.encode("1 2 3").unwrap().len(), 1);
        assert_eq!(v.encode("7 6 1 9").unwrap().len(), 4, "never seen together");
        let ids = v.encode(text).unwrap();
        assert_eq!(v.decode(&ids), text.replace("1 2 3", "123"));
        assert_eq!(join_digits("1 2 '3 4 ' x 5"), "12 '3 4 ' x 5");
    }

    #[test]
    fn special_tokens_keep_their_ids_through_the_file() {
        let v = vocabulary();
        let again = Vocabulary::from_json(v.to_json().unwrap().as_bytes()).unwrap();
        for (id, token) in SPECIAL.iter().enumerate() {
            assert_eq!(
                again.tokenizer().token_to_id(token),
                Some(id as u32),
                "{token}"
            );
        }
        let text = "<s> <199> x = a < line > b";
        assert_eq!(v.encode(text).unwrap(), again.encode(text).unwrap());
        assert!(!v.encode("a < line > b").unwrap().contains(&6));
    }

    #[test]
    fn the_source_is_framed_and_cut() {
        let v = vocabulary();
        let (ids, cut) = v.encode_source("<codenet>", "<0> 1 2 3 4 5 6", 10).unwrap();
        assert!(cut);
        assert_eq!(
            v.tokenizer()
                .decode(&ids, false)
                .unwrap()
                .matches("<mask0>")
                .count(),
            1
        );
        assert_eq!(ids.len(), 10);
        assert_eq!(ids[..4], [0, 4, 2, 14]);
        assert_eq!(ids[8..], [5, 2]);
    }
}
