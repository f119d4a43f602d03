//! `_xml_events(text, is_final)`: the events of an XML parser for a text, in the order and at the
//! positions of `pyexpat`. `quick-xml` finds the markup.

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::machine::eval::eval_loop::broken;
use crate::machine::{Flow, Machine, Run};
use crate::value::Value;

/// `XML_ERROR_…`
const SYNTAX: i64 = 2;
const NO_ELEMENTS: i64 = 3;
const INVALID_TOKEN: i64 = 4;
const UNCLOSED_TOKEN: i64 = 5;
const TAG_MISMATCH: i64 = 7;
const DUPLICATE_ATTRIBUTE: i64 = 8;
const JUNK_AFTER_DOCUMENT: i64 = 9;
const UNDEFINED_ENTITY: i64 = 11;
const BAD_CHARACTER: i64 = 14;
const MISPLACED_DECLARATION: i64 = 17;

/// The reason why parsing ends early.
enum Fault {
    /// The parser raises an error with a code, at a position.
    Error(i64, usize),
    /// The parser's behaviour is unknown.
    Unknown(&'static str),
}

/// An event for which a handler is called.
struct Told {
    kind: &'static str,
    /// Strings, and `None`.
    parts: Vec<Option<String>>,
    /// Its range in the text.
    range: std::ops::Range<usize>,
}

/// The state of parsing.
struct Reading<'t> {
    text: &'t str,
    told: Vec<Told>,
    /// Open elements.
    open: Vec<&'t str>,
    has_root: bool,
}

impl Machine {
    /// `_xml_events`: returns tuples of a kind, its parts, its text, and its line, column and
    /// position. An error comes last.
    pub(in crate::machine) fn xml_events(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [Value::Str(text), Value::Bool(is_final)] = arguments else {
            return Err(broken("call"));
        };
        self.charge(text.len());
        let mut reading = Reading {
            text,
            told: Vec::new(),
            open: Vec::new(),
            has_root: false,
        };
        match reading.read(*is_final) {
            Ok(()) => {}
            Err(Fault::Error(code, at)) => {
                reading.tell("error", vec![Some(code.to_string())], at..at)
            }
            Err(Fault::Unknown(what)) => return Err(Flow::Unsupported(what.to_owned())),
        }
        let (mut at, mut line, mut column) = (0, 1_i64, 0_i64);
        let mut events = Vec::with_capacity(reading.told.len());
        for told in reading.told {
            if told.range.start < at {
                (at, line, column) = (0, 1, 0);
            }
            for c in text[at..told.range.start].chars() {
                let is_pair = c == '\n' && text[..at].ends_with('\r');
                at += c.len_utf8();
                match c {
                    '\n' if is_pair => column = 0,
                    '\n' | '\r' => (line, column) = (line + 1, 0),
                    _ => column += 1,
                }
            }
            let parts = told.parts.into_iter();
            let parts = parts.map(|part| part.map_or(Value::None, |part| Value::Str(part.into())));
            let parts = self.heap.tuple(parts.collect());
            let raw = Value::str(&text[told.range.clone()]);
            let place = i64::try_from(at).unwrap_or(i64::MAX);
            let place = [line, column, place].map(Value::Int);
            let mut event = vec![Value::str(told.kind), parts, raw];
            event.extend(place);
            events.push(self.heap.tuple(event));
        }
        let events = self.heap.list(events);
        self.count_bytes(&events);
        Ok(Some(events))
    }
}

impl<'t> Reading<'t> {
    fn tell(
        &mut self,
        kind: &'static str,
        parts: Vec<Option<String>>,
        range: std::ops::Range<usize>,
    ) {
        self.told.push(Told { kind, parts, range });
    }

    fn read(&mut self, is_final: bool) -> Result<(), Fault> {
        let mut reader = Reader::from_str(self.text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        let whole = self.text;
        let place = |reader: &Reader<&[u8]>| {
            usize::try_from(reader.buffer_position()).map_or(whole.len(), |at| at.min(whole.len()))
        };
        loop {
            let from = place(&reader);
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(quick_xml::Error::Syntax(_)) if !is_final => return Ok(()),
                Err(quick_xml::Error::Syntax(_)) => {
                    return Err(Fault::Error(UNCLOSED_TOKEN, from));
                }
                Err(_) => return Err(Fault::Unknown("XML that is not well-formed")),
            };
            let to = place(&reader);
            let (Some(raw), false) = (whole.get(from..to), matches!(event, Event::Eof)) else {
                break;
            };
            match event {
                Event::Text(_) if !is_final && to == whole.len() => return Ok(()),
                Event::Text(_) if self.open.is_empty() => self.outside(from, raw)?,
                Event::Text(_) => self.characters(from, raw, true)?,
                Event::GeneralRef(_) => self.reference(from, raw)?,
                Event::CData(_) => self.section(from, raw)?,
                Event::Comment(_) => self.comment(from, raw)?,
                Event::PI(_) => self.instruction(from, raw)?,
                Event::Decl(_) => self.declaration(from, raw)?,
                Event::DocType(_) => self.document_type(from, raw)?,
                Event::Start(_) => self.start(from, raw, false)?,
                Event::Empty(_) => self.start(from, raw, true)?,
                Event::End(_) => self.end(from, raw)?,
                Event::Eof => break,
            }
        }
        let is_whole = self.has_root && self.open.is_empty();
        match is_final && !is_whole {
            true => Err(Fault::Error(NO_ELEMENTS, self.text.len())),
            false => Ok(()),
        }
    }

    /// Reads the text before or after the outermost element.
    fn outside(&mut self, from: usize, raw: &str) -> Result<(), Fault> {
        match raw.find(|c| !is_space(c)) {
            Some(at) => Err(Fault::Error(self.misplaced(), from + at)),
            None => {
                self.tell("space", Vec::new(), from..from + raw.len());
                Ok(())
            }
        }
    }

    fn misplaced(&self) -> i64 {
        match self.has_root {
            true => JUNK_AFTER_DOCUMENT,
            false => SYNTAX,
        }
    }

    /// Reports text line by line, and line ends separately.
    fn characters(&mut self, from: usize, raw: &str, is_content: bool) -> Result<(), Fault> {
        let mut begun = 0;
        let mut chars = raw.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let wrong = match c {
                '&' if is_content => Some(self.dangling(from + at)),
                '>' if is_content && raw[..at].ends_with("]]") => Some((INVALID_TOKEN, from + at)),
                _ if !is_character(c) => Some((INVALID_TOKEN, from + at)),
                _ => None,
            };
            if wrong.is_none() && !matches!(c, '\n' | '\r') {
                continue;
            }
            let until = match wrong {
                // An invalid character is reported with the token that it would be part of.
                Some(_) if c == '>' => at - 2,
                _ => at,
            };
            self.piece(from, raw, begun..until);
            if let Some((code, at)) = wrong {
                return Err(Fault::Error(code, at));
            }
            begun = at + 1;
            if c == '\r' && chars.next_if(|(_, next)| *next == '\n').is_some() {
                begun += 1;
            }
            let line_end = vec![Some("\n".to_owned())];
            self.tell("text", line_end, from + at..from + begun);
        }
        self.piece(from, raw, begun..raw.len());
        Ok(())
    }

    fn piece(&mut self, from: usize, raw: &str, range: std::ops::Range<usize>) {
        if !range.is_empty() {
            let text = vec![Some(raw[range.clone()].to_owned())];
            self.tell("text", text, from + range.start..from + range.end);
        }
    }

    /// Returns the error for an ampersand that does not begin a reference.
    fn dangling(&self, at: usize) -> (i64, usize) {
        let rest = &self.text[at + 1..];
        let name = rest
            .find(|c| !is_in_name(c) && c != '#')
            .unwrap_or(rest.len());
        match name == rest.len() {
            true => (UNCLOSED_TOKEN, at),
            false => (INVALID_TOKEN, at + 1 + name),
        }
    }

    fn reference(&mut self, from: usize, raw: &str) -> Result<(), Fault> {
        if self.open.is_empty() {
            return Err(Fault::Unknown("a reference outside of the elements"));
        }
        let text = referred(raw).map_err(|code| Fault::Error(code, from))?;
        self.tell("text", vec![Some(text.to_string())], from..from + raw.len());
        Ok(())
    }

    fn section(&mut self, from: usize, raw: &str) -> Result<(), Fault> {
        let inner = raw
            .strip_prefix("<![CDATA[")
            .and_then(|rest| rest.strip_suffix("]]>"));
        let (Some(inner), false) = (inner, self.open.is_empty()) else {
            return Err(Fault::Unknown("a section of XML"));
        };
        let (begin, end) = (from + "<![CDATA[".len(), from + raw.len() - "]]>".len());
        self.tell("section", Vec::new(), from..begin);
        self.characters(begin, inner, false)?;
        self.tell("section end", Vec::new(), end..from + raw.len());
        Ok(())
    }

    fn comment(&mut self, from: usize, raw: &str) -> Result<(), Fault> {
        let inner = raw
            .strip_prefix("<!--")
            .and_then(|rest| rest.strip_suffix("-->"));
        let Some(inner) = inner else {
            return Err(Fault::Unknown("a comment of XML"));
        };
        if let Some(at) = raw[4..].find("--").filter(|at| *at < inner.len()) {
            return Err(Fault::Error(INVALID_TOKEN, from + 4 + at + 2));
        }
        if let Some(at) = inner.find(|c| !is_character(c)) {
            return Err(Fault::Error(INVALID_TOKEN, from + 4 + at));
        }
        let text = vec![Some(with_line_ends(inner))];
        self.tell("comment", text, from..from + raw.len());
        Ok(())
    }

    fn instruction(&mut self, from: usize, raw: &str) -> Result<(), Fault> {
        let inner = raw
            .strip_prefix("<?")
            .and_then(|rest| rest.strip_suffix("?>"));
        let inner = inner.unwrap_or_default();
        let (target, data) = inner.split_once(is_space).unwrap_or((inner, ""));
        if target == "xml" {
            return Err(Fault::Error(MISPLACED_DECLARATION, from));
        }
        if !is_name(target) || target.eq_ignore_ascii_case("xml") || !data.chars().all(is_character)
        {
            return Err(Fault::Unknown("XML that is not well-formed"));
        }
        let data = with_line_ends(data.trim_start_matches(is_space));
        let parts = vec![Some(target.to_owned()), Some(data)];
        self.tell("instruction", parts, from..from + raw.len());
        Ok(())
    }

    fn declaration(&mut self, from: usize, raw: &str) -> Result<(), Fault> {
        if from != 0 {
            return Err(Fault::Error(MISPLACED_DECLARATION, from));
        }
        let inner = raw
            .strip_prefix("<?xml")
            .and_then(|rest| rest.strip_suffix("?>"));
        let wrong = Fault::Unknown("a declaration of XML");
        let Some(attributes) = inner.and_then(|inner| attributes(inner, 0)) else {
            return Err(wrong);
        };
        let (mut version, mut encoding, mut standalone) = (None, None, "-1");
        for (_, name, value) in attributes {
            match (name, version.is_some()) {
                ("version", false) => version = Some(value.to_owned()),
                ("encoding", true) => encoding = Some(value.to_owned()),
                ("standalone", true) if value == "yes" => standalone = "1",
                ("standalone", true) if value == "no" => standalone = "0",
                _ => return Err(wrong),
            }
        }
        if version.is_none() {
            return Err(wrong);
        }
        let parts = vec![version, encoding, Some(standalone.to_owned())];
        self.tell("declaration", parts, 0..raw.len());
        Ok(())
    }

    fn document_type(&mut self, from: usize, raw: &str) -> Result<(), Fault> {
        let inner = raw
            .strip_prefix("<!DOCTYPE")
            .and_then(|rest| rest.strip_suffix('>'));
        let inner = inner.filter(|_| self.open.is_empty() && !self.has_root);
        let Some(inner) = inner.filter(|inner| !inner.contains('[')) else {
            return Err(Fault::Unknown("a document type"));
        };
        let inner = inner.trim_matches(is_space);
        let (name, rest) = inner.split_once(is_space).unwrap_or((inner, ""));
        let rest = rest.trim_start_matches(is_space);
        let quoted: Vec<&str> = match rest.find(['"', '\'']) {
            Some(at) => rest[at..].split(['"', '\'']).skip(1).step_by(2).collect(),
            None => Vec::new(),
        };
        let (system, public) = match (rest.split(['"', '\'']).next(), &quoted[..]) {
            (Some(""), []) => (None, None),
            (Some(kind), [system]) if kind.trim_end() == "SYSTEM" => (Some(*system), None),
            (Some(kind), [public, system]) if kind.trim_end() == "PUBLIC" => {
                (Some(*system), Some(*public))
            }
            _ => return Err(Fault::Unknown("a document type")),
        };
        if !is_name(name) {
            return Err(Fault::Unknown("a document type"));
        }
        let end = from + raw.len() - 1;
        let parts = [Some(name), system, public].map(|part| part.map(str::to_owned));
        self.tell("type", parts.to_vec(), end..end + 1);
        self.tell("type end", Vec::new(), end..end + 1);
        Ok(())
    }

    fn start(&mut self, from: usize, raw: &'t str, is_empty: bool) -> Result<(), Fault> {
        let inner = raw
            .strip_prefix('<')
            .and_then(|rest| rest.strip_suffix('>'));
        let inner = match is_empty {
            true => inner.and_then(|inner| inner.strip_suffix('/')),
            false => inner,
        };
        let inner = inner.unwrap_or_default();
        let end = inner.find(is_space).unwrap_or(inner.len());
        let name = &inner[..end];
        if !inner.starts_with(begins_name) {
            return Err(Fault::Error(INVALID_TOKEN, from + 1));
        }
        if self.open.is_empty() && self.has_root {
            return Err(Fault::Error(JUNK_AFTER_DOCUMENT, from));
        }
        let known = attributes(&inner[end..], from + 1 + end).filter(|_| is_name(name));
        let Some(known) = known else {
            return Err(Fault::Unknown("XML that is not well-formed"));
        };
        let mut parts = vec![Some(name.to_owned())];
        for (at, key, value) in &known {
            if let Some(within) = value.find('<') {
                let begin = value.as_ptr() as usize - self.text.as_ptr() as usize;
                return Err(Fault::Error(INVALID_TOKEN, begin + within));
            }
            if known.iter().any(|(other, of, _)| other < at && of == key) {
                return Err(Fault::Error(DUPLICATE_ATTRIBUTE, *at));
            }
            parts.push(Some((*key).to_owned()));
            parts.push(Some(value_of(value, from)?));
        }
        self.has_root = true;
        let to = from + raw.len();
        self.tell("start", parts, from..to);
        match is_empty {
            true => self.tell("end", vec![Some(name.to_owned())], to..to),
            false => self.open.push(name),
        }
        Ok(())
    }

    fn end(&mut self, from: usize, raw: &str) -> Result<(), Fault> {
        let inner = raw
            .strip_prefix("</")
            .and_then(|rest| rest.strip_suffix('>'));
        let name = inner.unwrap_or_default().trim_end_matches(is_space);
        match self.open.last() {
            None => return Err(Fault::Error(INVALID_TOKEN, from + 1)),
            _ if !is_name(name) => return Err(Fault::Unknown("XML that is not well-formed")),
            Some(open) if *open != name => return Err(Fault::Error(TAG_MISMATCH, from + 2)),
            Some(_) => self.open.pop(),
        };
        self.tell("end", vec![Some(name.to_owned())], from..from + raw.len());
        Ok(())
    }
}

/// Returns the attributes with their positions, given the text after an element's name. `None` if
/// they are not well-formed.
fn attributes(text: &str, from: usize) -> Option<Vec<(usize, &str, &str)>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let next = rest.trim_start_matches(is_space);
        if next.is_empty() {
            return Some(found);
        }
        if next.len() == rest.len() {
            return None;
        }
        let at = from + text.len() - next.len();
        let (name, behind) = next.split_once('=')?;
        let name = name.trim_end_matches(is_space);
        let behind = behind.trim_start_matches(is_space);
        let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, behind) = behind[1..].split_once(quote)?;
        if !is_name(name) || !value.chars().all(is_character) {
            return None;
        }
        found.push((at, name, value));
        rest = behind;
    }
}

/// Returns the value of an attribute: with spaces for line ends, and with its references resolved.
fn value_of(raw: &str, element: usize) -> Result<String, Fault> {
    let mut made = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        if c == '&' {
            let end = rest.find(';');
            let end = end.ok_or(Fault::Unknown("XML that is not well-formed"))?;
            let (reference, behind) = rest.split_at(end + 1);
            if !reference[1..end]
                .trim_start_matches('#')
                .chars()
                .all(is_in_name)
            {
                return Err(Fault::Unknown("XML that is not well-formed"));
            }
            made.push(referred(reference).map_err(|code| Fault::Error(code, element))?);
            rest = behind;
            continue;
        }
        let width = if rest.starts_with("\r\n") {
            2
        } else {
            c.len_utf8()
        };
        made.push(if is_space(c) { ' ' } else { c });
        rest = &rest[width..];
    }
    Ok(made)
}

/// Resolves a reference, such as `&lt;` and `&#65;`. Otherwise returns the code of the error.
fn referred(raw: &str) -> Result<char, i64> {
    let name = raw.trim_start_matches('&').trim_end_matches(';');
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        let c = code.ok().and_then(char::from_u32);
        return c.filter(|c| is_character(*c)).ok_or(BAD_CHARACTER);
    }
    Ok(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => return Err(UNDEFINED_ENTITY),
    })
}

fn with_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn is_character(c: char) -> bool {
    (c >= ' ' || is_space(c)) && !matches!(c, '\u{fffe}' | '\u{ffff}')
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | ':')
}

fn is_in_name(c: char) -> bool {
    begins_name(c) || c.is_numeric() || matches!(c, '-' | '.' | '\u{b7}' | '\u{300}'..='\u{36f}')
}

fn is_name(text: &str) -> bool {
    text.starts_with(begins_name) && text.chars().all(is_in_name)
}
