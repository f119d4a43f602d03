//! One page that shows executions: the source with its values, a timeline, and codexec's own information: predictions
//! beside runs, origins of values, worlds of made-up values.
//!
//! The page is a single file without any requests. Its program is `viewer/` in TypeScript, built into `page.html`. This
//! crate inserts a [`Page`] as data, which the browser unpacks. Program text stays data: nothing here writes it as
//! HTML. A page of figures has [`report`] sections, with or without executions.
//!
//! ```
//! use codexec_page::{Page, Tab};
//! use codexec_trace::{Engine, Program, Trace};
//!
//! let trace = Trace::new(Engine::Run, Program { id: "prog.py".into(), ..Program::default() });
//! let page = Page::new("prog.py", vec![Tab::new("observed", &trace)]);
//! let html = page.html().unwrap();
//! assert!(html.to_lowercase().starts_with("<!doctype html>"));
//! ```

mod columns;
pub mod report;

use std::collections::BTreeMap;
use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codexec_data::sandbox::Injected;
use codexec_engine::Decided;
use codexec_trace::Trace;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

pub use report::{Section, Table};

/// The page without data, built from `viewer/`.
const TEMPLATE: &str = include_str!("page.html");
/// Placeholder of the data.
const MARK: &str = "<!--codexec:data-->";
/// Version of the data.
const VERSION: u32 = 1;
/// The page's policy against requests. A served page may ask its server for changes.
const NO_REQUESTS: &str = "default-src 'none';";

/// Maximum bytes of data before they are packed: a browser reads no longer text.
pub const MOST_BYTES: usize = 400 << 20;

/// Errors of a page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The traces are longer than a browser reads.
    #[error(
        "the page would have {} MB of data, more than the {} MB that a browser reads; trace fewer steps",
        .0 >> 20,
        MOST_BYTES >> 20
    )]
    TooLarge(usize),
    /// A trace could not be written.
    #[error("the trace cannot be written")]
    Json(#[from] serde_json::Error),
}

/// Contents of a page.
#[derive(Debug, Serialize)]
pub struct Page<'t> {
    version: u32,
    /// Title: the program.
    pub title: String,
    /// The command that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// A summary in a sentence or two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The executions; at least one if there are no sections.
    pub tabs: Vec<Tab<'t>>,
    /// Pairs shown side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compare: Option<Compare>,
    /// Two versions of a program, shown side by side.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<Versions>,
    /// Rows that describe the executions, such as a model's samples in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
    /// Errors that a check found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What a check could not determine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// How probably lines of the program raise, in 0..=1, by line.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lines: BTreeMap<u32, f64>,
    /// Figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
    /// Index of the execution shown first.
    pub select: usize,
    /// Given values that replace made-up ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
    /// Whether it is served, so that it reloads itself when the program changes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub live: bool,
}

/// One execution.
#[derive(Debug, Serialize)]
pub struct Tab<'t> {
    /// Its name: `predicted`, `world 2`.
    pub label: String,
    /// Its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Its trace; states are written as changes, and many steps as columns.
    #[serde(serialize_with = "columns::write")]
    pub trace: &'t Trace,
    /// Its made-up values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made_up: Vec<MadeUp>,
    /// The assumptions about them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// Probability of the whole, in 0..=1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

/// A value that was made up so that execution could continue.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MadeUp {
    /// Line that missed it, from 1.
    pub line: u32,
    /// Index of the file in [`Trace::files`], unless it is the program itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<usize>,
    /// `name`, `attribute`, `call` or `import`.
    pub kind: String,
    /// The missing expression.
    pub what: String,
    /// Canonical text of the value.
    pub value: String,
    /// The class that was predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The predictor's confidence, in 0..=1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sure: Option<f64>,
}

/// A given value that replaces a made-up one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// Line that misses it, from 1.
    pub line: u32,
    /// `name`, `attribute` or `call`.
    pub kind: String,
    /// The missing expression.
    pub what: String,
    /// The value, as the user wrote it.
    pub value: String,
    /// Its command-line form.
    pub option: String,
    /// Why it is in no execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unused: Option<String>,
}

/// An assumption about a made-up value, which could be otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// Line that needed it, from 1.
    pub line: u32,
    /// Index of the file in [`Trace::files`], unless it is the program itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<usize>,
    /// Name of the value.
    pub what: String,
    /// The assumption, in words that follow `what`.
    pub taken: String,
    /// Its probability, in 0..=1.
    pub sure: f64,
    /// Whether it is otherwise than the first execution takes it.
    pub other: bool,
}

/// An error that a check found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Finding {
    /// Line, from 1.
    pub line: u32,
    /// Index of the file in [`Trace::files`] of its execution, unless it is the program itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<usize>,
    /// Column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The exception with its message.
    pub message: String,
    /// Its probability, in 0..=1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sure: Option<f64>,
    /// Index of the execution in [`Page::tabs`] that ends so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tab: Option<usize>,
    /// Step of that execution at which it is raised, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The statements that led there, last one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Because>,
}

/// A statement that led to an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Because {
    /// The step after which its effect is seen, from 0.
    pub step: usize,
    /// Its line, from 1.
    pub line: u32,
    /// Its text.
    pub source: String,
    /// Its effect, as `numbers = []`.
    pub what: String,
}

/// What a check could not determine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Line, if it concerns one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// In words.
    pub text: String,
}

/// A prediction beside the run; indices of [`Page::tabs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Compare {
    /// The prediction.
    pub predicted: usize,
    /// The actual run.
    pub real: usize,
}

/// Two versions of a program; indices of [`Page::tabs`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Versions {
    /// The old one.
    pub old: usize,
    /// The new one.
    pub new: usize,
    /// The verdict, in a word.
    pub verdict: String,
    /// The differing parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Differing>,
    /// For which values, as `values is []`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub witness: Vec<String>,
    /// The open questions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<String>,
}

/// Differences of two versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Differing {
    /// Its name.
    pub what: String,
    /// Its text in the old version. `None` if it does not exist.
    pub old: Option<String>,
    /// Its text in the new version.
    pub new: Option<String>,
}

impl<'t> Tab<'t> {
    /// An execution without a description.
    pub fn new(label: impl Into<String>, trace: &'t Trace) -> Self {
        Self {
            label: label.into(),
            note: None,
            trace,
            made_up: Vec::new(),
            decisions: Vec::new(),
            probability: None,
        }
    }

    /// An execution with made-up values and the assumptions about them.
    pub fn with(
        label: impl Into<String>,
        trace: &'t Trace,
        injected: &[Injected],
        decisions: &[Decided],
    ) -> Self {
        let mut tab = Self::new(label, trace);
        tab.made_up = injected.iter().map(|one| tab.made_up(one)).collect();
        tab.decisions = decisions.iter().map(|one| tab.decision(one)).collect();
        tab
    }

    fn made_up(&self, one: &Injected) -> MadeUp {
        MadeUp {
            line: one.line,
            file: self.file(one.file.as_deref()),
            kind: one.kind.clone(),
            what: one.name.clone(),
            value: one.text.clone(),
            class: one.sure.map(|_| one.class.clone()),
            sure: one.sure.map(f64::from),
        }
    }

    fn decision(&self, one: &Decided) -> Decision {
        Decision {
            line: one.line,
            file: self.file(one.file.as_deref()),
            what: one.what.clone(),
            taken: one.taken.clone(),
            sure: one.sure,
            other: one.other,
        }
    }

    /// Index of a file of the trace, by its path. `None` for the program itself.
    fn file(&self, path: Option<&str>) -> Option<usize> {
        let files = &self.trace.files;
        path.and_then(|path| files.iter().position(|file| file.path == path))
    }
}

impl<'t> Page<'t> {
    /// A page of executions only.
    pub fn new(title: impl Into<String>, tabs: Vec<Tab<'t>>) -> Self {
        Self {
            version: VERSION,
            title: title.into(),
            command: None,
            summary: None,
            tabs,
            compare: None,
            versions: Vec::new(),
            table: None,
            findings: Vec::new(),
            notes: Vec::new(),
            lines: BTreeMap::new(),
            sections: Vec::new(),
            select: 0,
            edits: Vec::new(),
            live: false,
        }
    }

    /// A page of figures, without executions.
    pub fn of_sections(title: impl Into<String>, sections: Vec<Section>) -> Self {
        Self {
            sections,
            ..Self::new(title, Vec::new())
        }
    }

    /// Contents of the page as JSON, in the form defined by `viewer/README.md`.
    ///
    /// # Errors
    /// [`PageError::TooLarge`] where a browser could not read it, and [`PageError::Json`], should the serialiser fail.
    pub fn json(&self) -> Result<String, PageError> {
        let json = serde_json::to_string(self)?;
        match json.len() > MOST_BYTES {
            true => Err(PageError::TooLarge(json.len())),
            false => Ok(json),
        }
    }

    /// The page as a self-contained HTML file.
    ///
    /// # Errors
    /// The errors of [`Page::json`].
    pub fn html(&self) -> Result<String, PageError> {
        let json = self.json()?;
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        // Writing to a vector cannot fail.
        packed
            .write_all(json.as_bytes())
            .map_err(serde_json::Error::io)?;
        let packed = packed.finish().map_err(serde_json::Error::io)?;
        let data = format!(
            "<script id=\"codexec-data\" type=\"application/json+gzip\">{}</script>",
            STANDARD.encode(packed)
        );
        let (before, behind) = TEMPLATE.split_once(MARK).unwrap_or((TEMPLATE, ""));
        let before = match self.live {
            true => before.replacen(
                NO_REQUESTS,
                &format!("{NO_REQUESTS} connect-src 'self';"),
                1,
            ),
            false => before.to_owned(),
        };
        Ok(format!("{before}{data}{behind}"))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use codexec_trace::{Engine, Program};
    use flate2::read::GzDecoder;
    use serde_json::Value;

    use super::*;

    fn trace() -> Trace {
        let program = Program {
            id: "prog.py".into(),
            source: Some("x = '</script><img src=x onerror=alert(1)>'\n".into()),
            ..Program::default()
        };
        Trace::new(Engine::Run, program)
    }

    fn data(html: &str) -> Value {
        let (_, rest) = html.split_once("json+gzip\">").unwrap();
        let (packed, _) = rest.split_once("</script>").unwrap();
        let packed = STANDARD.decode(packed).unwrap();
        let mut json = String::new();
        GzDecoder::new(&packed[..])
            .read_to_string(&mut json)
            .unwrap();
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn the_template_has_one_place_for_data_and_allows_no_request() {
        assert_eq!(TEMPLATE.matches(MARK).count(), 1);
        assert_eq!(TEMPLATE.matches(NO_REQUESTS).count(), 1);
    }

    #[test]
    fn what_is_shown_is_packed_and_text_of_programs_is_no_html() {
        let trace = trace();
        let injected = Injected {
            line: 1,
            file: None,
            kind: "name".into(),
            name: "x".into(),
            text: "1".into(),
            class: "int_pos".into(),
            sure: Some(0.5),
        };
        let tab = Tab::with("guided", &trace, &[injected], &[]);
        let html = Page::new("prog.py", vec![tab]).html().unwrap();
        assert!(!html.contains("onerror=alert"));
        let data = data(&html);
        assert_eq!(data["version"], 1);
        assert_eq!(data["tabs"][0]["label"], "guided");
        assert_eq!(data["tabs"][0]["trace"]["program"]["id"], "prog.py");
        assert_eq!(data["tabs"][0]["made_up"][0]["sure"], 0.5);
        assert!(data.get("live").is_none());
    }

    #[test]
    fn only_a_page_that_is_served_may_ask_its_server() {
        let trace = trace();
        let mut page = Page::new("prog.py", vec![Tab::new("observed", &trace)]);
        assert!(!page.html().unwrap().contains("connect-src 'self'"));
        page.live = true;
        assert!(page.html().unwrap().contains("connect-src 'self'"));
    }
}
