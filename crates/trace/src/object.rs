//! Instances of the program's classes in canonical text: `<Account balance=3 owner='a'>`. Finds them
//! in text, reads their attributes, and gives the short form `<Account>` used by the paper form and
//! by records. Independent of steps.

use std::borrow::Cow;

/// An instance, as its text shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectText<'t> {
    /// Name of its class.
    pub class: &'t str,
    /// Its attributes as names and values, in order.
    pub attributes: Vec<(&'t str, &'t str)>,
    /// What follows the last shown attribute if some are omitted: `...` or `...<44 more>`.
    pub cut: Option<&'t str>,
}

impl<'t> ObjectText<'t> {
    /// Parses an instance. `None` if the text is not one.
    pub fn parse(text: &'t str) -> Option<Self> {
        let class = class_of(text)?;
        let inside = text.strip_suffix('>')?.get(1 + class.len()..)?;
        let mut object = Self {
            class,
            attributes: Vec::new(),
            cut: None,
        };
        let mut rest = inside;
        while let Some(after) = rest.strip_prefix(' ') {
            let end = item_end(after)?;
            let item = &after[..end];
            rest = &after[end..];
            if rest.is_empty() && item.starts_with("...") {
                object.cut = Some(item);
                break;
            }
            let (name, value) = name_of(item)?;
            let value = value.strip_prefix('=').filter(|value| !value.is_empty())?;
            object.attributes.push((name, value));
        }
        rest.is_empty().then_some(object)
    }
}

/// Canonical text without the attributes of instances, at every depth: `[<A x=1>]` becomes `[<A>]`.
/// Text of unknown shape is unchanged.
pub fn without_attributes(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let (mut out, mut kept) = (String::new(), 0);
    let mut scan = Scan::new(text, 0);
    while let Some(&byte) = scan.text.get(scan.at) {
        let start = scan.at;
        let class = match byte {
            b'<' => class_of(&text[start..]),
            _ => None,
        };
        match class.filter(|class| says_more(&text[start..], class)) {
            Some(class) => {
                let Some(end) = scan.close() else {
                    break;
                };
                out.push_str(&text[kept..=start]);
                out.push_str(class);
                out.push('>');
                kept = end;
            }
            None => scan.step(),
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// The class of the instance at the start of a text.
fn class_of(text: &str) -> Option<&str> {
    let (class, rest) = name_of(text.strip_prefix('<')?)?;
    rest.starts_with([' ', '>']).then_some(class)
}

/// Whether `text`, which begins with an instance or something similar, contains more than its
/// class.
fn says_more(text: &str, class: &str) -> bool {
    let Some(item) = text[1 + class.len()..].strip_prefix(' ') else {
        return false;
    };
    item.starts_with("...") || name_of(item).is_some_and(|(_, rest)| rest.starts_with('='))
}

/// The name at the start of a text, and the rest.
fn name_of(text: &str) -> Option<(&str, &str)> {
    let odd = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_' || c.is_whitespace();
    let (name, rest) = text.split_at(text.find(odd).unwrap_or(text.len()));
    let whole = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    whole.then_some((name, rest))
}

/// Where the first item of a list that blanks part ends.
fn item_end(text: &str) -> Option<usize> {
    let mut scan = Scan::new(text, 0);
    while let Some(&byte) = scan.text.get(scan.at) {
        match byte {
            b' ' if scan.depth == 0 => break,
            b'>' | b')' | b']' | b'}' if scan.depth == 0 => return None,
            _ => scan.step(),
        }
    }
    (scan.depth == 0 && scan.at <= text.len()).then_some(scan.at)
}

/// A walk over canonical text, string literals at a time. Behind the end of the text where a literal
/// or a bracket is not closed.
struct Scan<'t> {
    text: &'t [u8],
    at: usize,
    depth: usize,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str, at: usize) -> Self {
        Self {
            text: text.as_bytes(),
            at,
            depth: 0,
        }
    }

    /// Consumes one byte or one string literal.
    fn step(&mut self) {
        let Some(&byte) = self.text.get(self.at) else {
            self.at = self.text.len() + 1;
            return;
        };
        self.at += 1;
        match byte {
            b'\'' | b'"' => {
                while let Some(&next) = self.text.get(self.at) {
                    self.at += if next == b'\\' { 2 } else { 1 };
                    if next == byte {
                        return;
                    }
                }
                self.at = self.text.len() + 1;
            }
            b'<' | b'(' | b'[' | b'{' => self.depth += 1,
            b'>' | b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// Skips to the closing bracket of the one at this position. Returns its position.
    fn close(&mut self) -> Option<usize> {
        self.depth = 0;
        self.step();
        while self.depth > 0 && self.at <= self.text.len() {
            self.step();
        }
        (self.depth == 0).then_some(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read() {
        let text =
            "<Account balance=3 owner='a b>' log=[1, <Node ...>] at=<int 4096 bits> ...<2 more>>";
        let object = ObjectText::parse(text).unwrap();
        assert_eq!(object.class, "Account");
        assert_eq!(
            object.attributes,
            [
                ("balance", "3"),
                ("owner", "'a b>'"),
                ("log", "[1, <Node ...>]"),
                ("at", "<int 4096 bits>"),
            ]
        );
        assert_eq!(object.cut, Some("...<2 more>"));
        let bare = |class| ObjectText {
            class,
            attributes: Vec::new(),
            cut: None,
        };
        assert_eq!(ObjectText::parse("<Point>"), Some(bare("Point")));
        let cut = ObjectText::parse("<Node ...>").unwrap();
        assert_eq!((cut.class, cut.cut), ("Node", Some("...")));
        for odd in [
            "",
            "<",
            "<>",
            "< a=1>",
            "<A a>",
            "<A a=>",
            "<A a=1",
            "<A a='>",
            "<A a=(>",
            "<A a=1>>",
            "<A a=1> b=2",
            "<1 a=1>",
            "<A  a=1>",
            "<A ... a=1>",
            "12",
            "<int 4096 bits>",
            "<A é=é\">",
        ] {
            assert_eq!(ObjectText::parse(odd), None, "{odd}");
        }
    }

    #[test]
    fn short_forms_name_the_class_at_every_depth() {
        let cases = [
            ("<A x=1>", "<A>"),
            ("<A ...>", "<A>"),
            ("<A x=<B y=')>'>>", "<A>"),
            (
                "[<A x=1>, {'<A x=1>': <Bé y=[<C>] ...<3 more>>}]",
                "[<A>, {'<A x=1>': <Bé>}]",
            ),
            ("<A>", "<A>"),
            ("<int 4096 bits>", "<int 4096 bits>"),
            ("'abc'...<88 more>", "'abc'...<88 more>"),
            ("[<function>, 'é<']", "[<function>, 'é<']"),
            ("<A x=1", "<A x=1"),
            ("<A x='1>", "<A x='1>"),
            ("é < <A x=1>", "é < <A>"),
        ];
        for (text, want) in cases {
            assert_eq!(without_attributes(text), want);
        }
    }

    #[test]
    fn texts_full_of_openings_are_walked_in_linear_time() {
        for piece in [
            "<", "<A", "<A x", "<A x=", "<A x='", "<A x=(", "'", "<A x=1 ",
        ] {
            let text = piece.repeat(1_000_000);
            let _ = without_attributes(&text);
            let _ = ObjectText::parse(&text);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[<>=A '\"(\\[\\] .1é\\\\]{0,24}") {
            let short = without_attributes(&text);
            let _ = ObjectText::parse(&text);
            proptest::prop_assert!(short.len() <= text.len());
        }
    }
}
