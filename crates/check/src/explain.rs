//! One self-contained page for one program: the source with the probability of each line shaded, the findings, the
//! notes. Sections are a list, so that a checker can add its own.
//!
//! The page has no script and loads nothing; a policy in it forbids both. Every text is escaped.

use std::fmt::Write;

use super::formats::{hides, percent};
use super::{Checked, Source};

/// A part of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its heading, as plain text.
    pub title: String,
    /// Its body, as HTML: whoever makes it escapes what it quotes, by [`escape`].
    pub body: String,
}

/// The page of a program: the usual sections, and more of the checker's own.
///
/// ```
/// use codexec_check::explain::page;
/// use codexec_check::{Checked, Source};
/// let html = page(&Source::new("<a>.py", "x = '<b>'\n"), &Checked::default(), "plan", &[]);
/// assert!(html.contains("&lt;b&gt;") && !html.contains("<b>"));
/// ```
pub fn page(source: &Source, checked: &Checked, engine: &str, more: &[Section]) -> String {
    let mut sections = vec![source_section(source, checked), findings_section(checked)];
    if !checked.notes.is_empty() {
        sections.push(notes_section(checked));
    }
    sections.extend(more.iter().cloned());
    let body: String = sections
        .iter()
        .map(|one| {
            format!(
                "<section>\n<h2>{}</h2>\n{}\n</section>\n",
                escape(&one.title),
                one.body
            )
        })
        .collect();
    let title = escape(&source.path);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}</p>\n{body}</body>\n</html>\n",
        escape(&summary(checked, engine)),
    )
}

/// Looks of the page; `--p` is the probability of a line.
const STYLE: &str = "\
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em }
table { border-collapse: collapse; width: 100% }
td, th { padding: 0 .6em; text-align: left; vertical-align: top }
.source { overflow-x: auto }
.source td { font: 13px/1.5 ui-monospace, monospace; white-space: pre; tab-size: 4 }
.source td:first-child { color: #808080; text-align: right; width: 1% }
.source td:last-child { opacity: .8; text-align: right; width: 1% }
.source tr { background: rgb(220 40 40 / calc(var(--p, 0) * 55%)) }
mark { background: none; color: inherit; text-decoration: underline wavy #d22; text-underline-offset: 3px }
";

fn summary(checked: &Checked, engine: &str) -> String {
    let error = percent(checked.error);
    let end = match &checked.end {
        Some(end) => match (&end.kind, end.line) {
            (Some(kind), Some(line)) => format!("most probably it ends with {kind} on line {line}"),
            (Some(kind), None) => format!("most probably it ends with {kind}"),
            (None, _) => "most probably it ends without an error".to_owned(),
        },
        None => "how it ends is not known".to_owned(),
    };
    format!("It raises with a probability of {error}; {end}. Nothing was executed. {engine}.")
}

fn source_section(source: &Source, checked: &Checked) -> Section {
    let mut body = String::from("<div class=\"source\">\n<table>\n");
    for (line, number) in source.text.lines().zip(1u32..) {
        let probability = checked.lines.get(&number).copied().unwrap_or(0.0);
        let style = match probability > 0.0 {
            true => format!(" style=\"--p:{:.3}\"", probability.clamp(0.0, 1.0)),
            false => String::new(),
        };
        let shown = match probability > 0.0 {
            true => percent(probability),
            false => String::new(),
        };
        let marks: Vec<(usize, usize)> = checked
            .findings
            .iter()
            .filter(|finding| finding.line == number)
            .map(|finding| {
                let end = match finding.end_line == number {
                    true => finding.end_column as usize - 1,
                    false => usize::MAX,
                };
                (finding.column as usize - 1, end)
            })
            .collect();
        // Writing to a `String` does not fail.
        let _ = writeln!(
            body,
            "<tr id=\"L{number}\"{style}><td>{number}</td><td>{}</td><td>{shown}</td></tr>",
            marked(line, &marks)
        );
    }
    body.push_str("</table>\n</div>");
    Section {
        title: "Source".to_owned(),
        body,
    }
}

/// A line with what findings are about marked.
fn marked(line: &str, marks: &[(usize, usize)]) -> String {
    let mut out = String::new();
    let mut open = false;
    for (at, c) in line.chars().enumerate() {
        let inside = marks.iter().any(|(from, to)| (*from..*to).contains(&at));
        if inside != open {
            out.push_str(if inside { "<mark>" } else { "</mark>" });
            open = inside;
        }
        out.push_str(&escape(c.encode_utf8(&mut [0; 4])));
    }
    if open {
        out.push_str("</mark>");
    }
    out
}

fn findings_section(checked: &Checked) -> Section {
    let mut body = String::new();
    if checked.findings.is_empty() {
        body.push_str("<p>None.</p>");
    } else {
        body.push_str("<table>\n<tr><th>Line</th><th>Probability</th><th>Finding</th></tr>\n");
        for finding in &checked.findings {
            let _ = writeln!(
                body,
                "<tr><td><a href=\"#L{line}\">{line}</a></td><td>{}</td><td>{}</td></tr>",
                percent(finding.probability),
                escape(&finding.sentence()),
                line = finding.line,
            );
        }
        body.push_str("</table>");
    }
    Section {
        title: "Findings".to_owned(),
        body,
    }
}

fn notes_section(checked: &Checked) -> Section {
    let mut body = String::from("<ul>\n");
    for note in &checked.notes {
        let line = note
            .line
            .map_or(String::new(), |line| format!("line {line}: "));
        let _ = writeln!(body, "<li>{line}{}</li>", escape(&note.text));
    }
    body.push_str("</ul>");
    Section {
        title: "Not checked".to_owned(),
        body,
    }
}

/// Text as HTML: nothing in it is read as markup, in an element or in a quoted attribute, and nothing is hidden.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            c if hides(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{End, Finding, Note};

    #[test]
    fn hostile_text_stays_text() {
        let bad = "</td><script>alert(1)</script>\u{202e}\"' onload='x";
        let source = Source::new(bad, format!("x = \"{bad}\"\nprint({bad:?})\n"));
        let checked = Checked {
            path: bad.to_owned(),
            findings: vec![Finding {
                kind: bad.to_owned(),
                line: 1,
                column: 2,
                end_line: 2,
                end_column: 1,
                probability: 0.7,
                message: bad.to_owned(),
                values: Some(bad.to_owned()),
                when: Some(bad.to_owned()),
                calls: Vec::new(),
                of_call: false,
            }],
            error: 0.7,
            clean: 0.3,
            lines: BTreeMap::from([(1, 0.7)]),
            end: Some(End {
                kind: Some(bad.to_owned()),
                line: Some(1),
                probability: 0.7,
            }),
            raised: None,
            elsewhere: Vec::new(),
            notes: vec![Note {
                line: Some(1),
                text: bad.to_owned(),
            }],
            is_open: true,
        };
        let more = [Section {
            title: bad.to_owned(),
            body: "<p>own</p>".to_owned(),
        }];
        let html = page(&source, &checked, bad, &more);
        assert!(!html.contains("<script") && !html.contains('\u{202e}'));
        assert!(!html.contains("onload='x"));
        assert!(html.contains("<p>own</p>"));
        assert!(html.contains("<tr id=\"L1\" style=\"--p:0.700\">"));
        let count = |what: &str| html.matches(what).count();
        assert_eq!(count("<mark>"), count("</mark>"));
        for tag in ["section", "table", "tr", "td", "ul", "li", "html", "body"] {
            let opened = count(&format!("<{tag}>")) + count(&format!("<{tag} "));
            assert_eq!(opened, count(&format!("</{tag}>")), "{tag}");
        }
    }

    #[test]
    fn marks_are_where_columns_say() {
        assert_eq!(marked("é + a<b", &[(4, 7)]), "é + <mark>a&lt;b</mark>");
        assert_eq!(marked("ab", &[(0, usize::MAX)]), "<mark>ab</mark>");
        assert_eq!(marked("ab", &[(5, 9)]), "ab");
    }
}
