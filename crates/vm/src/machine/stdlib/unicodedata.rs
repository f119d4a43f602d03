//! Encodings and Unicode tables: `encode`, `decode`, `ascii` and `unicodedata`.

use std::sync::Arc;

use unicode_general_category::{GeneralCategory as Category, get_general_category};
use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

use crate::fold::Folded;
use crate::fold::codecs::{self, CodecError};
use crate::fold::unicode_data;
use crate::machine::calls::call::Keywords;
use crate::machine::objects::known_methods::Known;
use crate::machine::{Machine, Run};
use crate::value::Value;

/// Names of codecs from bytes to bytes or from text to text.
const BINARY: [&str; 22] = [
    "base64",
    "base64_codec",
    "base_64",
    "bz2",
    "bz2_codec",
    "hex",
    "hex_codec",
    "quopri",
    "quopri_codec",
    "quoted_printable",
    "quotedprintable",
    "rot13",
    "rot_13",
    "rot-13",
    "uu",
    "uu_codec",
    "zip",
    "zlib",
    "zlib_codec",
    "mbcs",
    "oem",
    "dbcs",
];

impl Machine {
    /// `text.encode(…)`, `data.decode(…)` and their variants. `None` for another encoding.
    pub(in crate::machine) fn fold_codec(
        &mut self,
        receiver: &Value,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Known {
        let given = |at: usize, name: &str| {
            let named = keywords.iter().find(|(known, _)| **known == *name);
            arguments.get(at).or(named.map(|(_, value)| value)).cloned()
        };
        let word = |value: Option<Value>, usual: &str| match value {
            None => Some(Arc::from(usual)),
            Some(Value::Str(word)) => Some(word),
            Some(_) => None,
        };
        let (Some(encoding), Some(errors)) = (
            word(given(0, "encoding"), "utf-8"),
            word(given(1, "errors"), "strict"),
        ) else {
            return Ok(None);
        };
        if matches!(receiver, Value::Bytes(bytes) if bytes.is_empty()) {
            // The encoding does not matter.
            return self.settle(Folded::Value(Value::str("")));
        }
        let Some(encoding) = codecs::encoding(&encoding) else {
            if !codecs::is_known(&encoding) && !BINARY.contains(&&*encoding.to_ascii_lowercase()) {
                let message = format!("unknown encoding: {encoding}");
                return Err(self.raise("LookupError", &message));
            }
            let same = match receiver {
                Value::Str(text) if text.is_ascii() => Some(Value::Bytes(text.as_bytes().into())),
                Value::Bytes(bytes) if bytes.is_ascii() => {
                    Some(Value::str(&String::from_utf8_lossy(bytes)))
                }
                _ => None,
            };
            if let Some(value) = same.filter(|_| codecs::keeps_ascii(&encoding)) {
                return self.settle(Folded::Value(value));
            }
            // Encodings of the library are walked from their source.
            if BINARY.contains(&&*encoding.to_ascii_lowercase())
                || self.find_library("encodings")?.is_none()
            {
                return Ok(None);
            }
            let name = match receiver {
                Value::Str(_) => "encode",
                _ => "decode",
            };
            let call = self.library_value("codecs", name)?;
            let coded = vec![receiver.clone(), Value::Str(encoding), Value::Str(errors)];
            return Err(crate::machine::Flow::Call(call, coded));
        };
        let coded = match receiver {
            Value::Str(text) => codecs::encode(text, encoding, &errors)
                .map(|coded| coded.map(|bytes| Value::Bytes(bytes.into()))),
            Value::Bytes(bytes) => codecs::decode(bytes, encoding, &errors)
                .map(|coded| coded.map(|text| Value::Str(text.into()))),
            _ => None,
        };
        match coded {
            None => Ok(None),
            Some(Ok(value)) => {
                self.count_folded();
                Ok(Some(value))
            }
            Some(Err(error)) => Err(self.raise_codec(receiver, &error)),
        }
    }

    fn raise_codec(&mut self, of: &Value, error: &CodecError) -> crate::machine::Flow {
        let kind = match of {
            Value::Str(_) => "UnicodeEncodeError",
            _ => "UnicodeDecodeError",
        };
        self.count_folded();
        let arguments = vec![
            Value::str(error.encoding),
            of.clone(),
            Value::Int(error.start as i64),
            Value::Int(error.end as i64),
            Value::str(error.reason),
        ];
        self.raise_with(kind, arguments)
    }

    /// `ascii(value)`
    pub(in crate::machine) fn fold_ascii(&mut self, value: &Value) -> Run<Option<Value>> {
        let Some(Value::Str(text)) = self.known_text(value, true) else {
            return Ok(None);
        };
        self.count_folded();
        let mut plain = String::with_capacity(text.len());
        for c in text.chars() {
            match c.is_ascii() {
                true => plain.push(c),
                false => plain.push_str(&codecs::escaped(c)),
            }
        }
        Ok(Some(Value::Str(plain.into())))
    }

    /// Folds a function of `unicodedata`.
    pub(in crate::machine) fn fold_unicode(
        &mut self,
        function: &str,
        arguments: &[Value],
    ) -> Known {
        let one = |text: &str| {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())
        };
        let value = match (function, arguments) {
            ("normalize" | "is_normalized", [Value::Str(form), Value::Str(text)]) => {
                let normal: String = match &**form {
                    "NFC" => text.nfc().collect(),
                    "NFD" => text.nfd().collect(),
                    "NFKC" => text.nfkc().collect(),
                    "NFKD" => text.nfkd().collect(),
                    _ => return Err(self.raise("ValueError", "invalid normalization form")),
                };
                match function {
                    "normalize" => Value::Str(normal.into()),
                    _ => Value::Bool(normal == **text),
                }
            }
            ("lookup", [Value::Str(name)]) => match unicode_names2::character(name) {
                Some(c) => Value::str(&c.to_string()),
                None => {
                    let message = format!("undefined character name '{name}'");
                    return Err(self.raise("KeyError", &message));
                }
            },
            (
                "name" | "category" | "combining" | "bidirectional" | "east_asian_width"
                | "mirrored" | "numeric" | "digit" | "decimal",
                [Value::Str(text), default @ ..],
            ) if default.len() < 2 => {
                let Some(c) = one(text) else {
                    let takes_default = ["name", "numeric", "digit", "decimal"];
                    let of = if takes_default.contains(&function) {
                        " 1"
                    } else {
                        ""
                    };
                    let message =
                        format!("{function}() argument{of} must be a unicode character, not str");
                    return Err(self.raise("TypeError", &message));
                };
                if ["numeric", "digit", "decimal"].contains(&function) {
                    return self.number_of_character(function, c, default.first());
                }
                match (function, unicode_names2::name(c), default) {
                    ("bidirectional", _, []) => Value::str(unicode_data::bidirectional(c)),
                    ("east_asian_width", _, []) => Value::str(unicode_data::east_asian_width(c)),
                    ("mirrored", _, []) => Value::Int(unicode_data::is_mirrored(c).into()),
                    ("category", _, []) => Value::str(abbreviation(get_general_category(c))),
                    ("combining", _, []) => Value::Int(canonical_combining_class(c).into()),
                    ("name", Some(name), _) => Value::Str(name.to_string().into()),
                    ("name", None, [default]) => default.clone(),
                    ("name", None, []) => return Err(self.raise("ValueError", "no such name")),
                    _ => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        self.count_folded();
        Ok(Some(value))
    }

    /// `unicodedata.numeric`, `digit` and `decimal`.
    fn number_of_character(&mut self, function: &str, c: char, default: Option<&Value>) -> Known {
        let number = unicode_data::numeric(c).and_then(|(number, is_digit, is_decimal)| {
            // A digit is a small integer.
            match function {
                "digit" => is_digit.then_some(Value::Int(number as i64)),
                "decimal" => is_decimal.then_some(Value::Int(number as i64)),
                _ => Some(Value::Float(number)),
            }
        });
        let kind = match function {
            "numeric" => "a numeric character",
            "digit" => "a digit",
            _ => "a decimal",
        };
        let Some(value) = number.or_else(|| default.cloned()) else {
            return Err(self.raise("ValueError", &format!("not {kind}")));
        };
        self.count_folded();
        Ok(Some(value))
    }
}

fn abbreviation(category: Category) -> &'static str {
    match category {
        Category::UppercaseLetter => "Lu",
        Category::LowercaseLetter => "Ll",
        Category::TitlecaseLetter => "Lt",
        Category::ModifierLetter => "Lm",
        Category::OtherLetter => "Lo",
        Category::NonspacingMark => "Mn",
        Category::SpacingMark => "Mc",
        Category::EnclosingMark => "Me",
        Category::DecimalNumber => "Nd",
        Category::LetterNumber => "Nl",
        Category::OtherNumber => "No",
        Category::ConnectorPunctuation => "Pc",
        Category::DashPunctuation => "Pd",
        Category::OpenPunctuation => "Ps",
        Category::ClosePunctuation => "Pe",
        Category::InitialPunctuation => "Pi",
        Category::FinalPunctuation => "Pf",
        Category::OtherPunctuation => "Po",
        Category::MathSymbol => "Sm",
        Category::CurrencySymbol => "Sc",
        Category::ModifierSymbol => "Sk",
        Category::OtherSymbol => "So",
        Category::SpaceSeparator => "Zs",
        Category::LineSeparator => "Zl",
        Category::ParagraphSeparator => "Zp",
        Category::Control => "Cc",
        Category::Format => "Cf",
        Category::Surrogate => "Cs",
        Category::PrivateUse => "Co",
        _ => "Cn",
    }
}
