//! Lines of a program's files: `12`, `10-20`, `helper.py:3`, `helper.py:3-9`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use codexec_trace::Trace;

use super::NothingSelected;
use crate::syntax::Sources;

/// A line or a range of lines, in one file or any.
///
/// ```
/// use codexec_query::Lines;
/// let lines: Lines = "shop/helper.py:10-20".parse()?;
/// assert!(lines.contains(20) && !lines.contains(21));
/// assert_eq!(lines.to_string(), "shop/helper.py:10-20");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    file: Option<String>,
    first: u32,
    last: u32,
}

impl From<u32> for Lines {
    fn from(line: u32) -> Self {
        Self {
            file: None,
            first: line,
            last: line,
        }
    }
}

impl From<std::ops::RangeInclusive<u32>> for Lines {
    fn from(lines: std::ops::RangeInclusive<u32>) -> Self {
        Self {
            file: None,
            first: *lines.start(),
            last: *lines.end(),
        }
    }
}

impl FromStr for Lines {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "write a line, a range or a file with one: 12, 10-20, helper.py:3".to_owned();
        let (file, lines) = match text.rsplit_once(':') {
            Some((file, lines)) => (Some(file.to_owned()), lines),
            None => (None, text),
        };
        let number = |text: &str| text.trim().parse().ok().filter(|line| *line > 0);
        let (first, last) = match lines.split_once('-') {
            Some((first, last)) => (number(first), number(last)),
            None => (number(lines), number(lines)),
        };
        let (Some(first), Some(last)) = (first, last) else {
            return Err(wrong());
        };
        if first > last {
            return Err(format!("no line is from {first} to {last}"));
        }
        if file.as_ref().is_some_and(String::is_empty) {
            return Err(wrong());
        }
        Ok(Self { file, first, last })
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        match self.first == self.last {
            true => write!(f, "{}", self.first),
            false => write!(f, "{}-{}", self.first, self.last),
        }
    }
}

impl Lines {
    /// Whether a line is among them.
    pub fn contains(&self, line: u32) -> bool {
        (self.first..=self.last).contains(&line)
    }

    /// Whether they belong to a file: by its path or a suffix of it. The entry also matches the program's own.
    pub(super) fn is_in(&self, trace: &Trace, file: u32) -> bool {
        let Some(name) = &self.file else {
            return true;
        };
        let ends = |path: &str| {
            path == name
                || path
                    .strip_suffix(name.as_str())
                    .is_some_and(|before| before.ends_with('/'))
                || name
                    .strip_suffix(path)
                    .is_some_and(|before| before.ends_with('/') && !path.is_empty())
        };
        let path = trace.files.get(file as usize).map(|file| &file.path);
        path.is_some_and(|path| ends(path)) || file == 0 && ends(&trace.program.id)
    }

    /// Whether a step is on one of them.
    pub(super) fn check(&self, trace: &Trace, sources: &Sources) -> Result<(), NothingSelected> {
        let count = trace.files.len().max(1);
        let files: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX))
            .filter(|file| self.is_in(trace, *file))
            .collect();
        if files.is_empty() {
            let mut known: Vec<String> = trace.files.iter().map(|f| f.path.clone()).collect();
            if known.is_empty() {
                known.push(trace.program.id.clone());
            }
            return Err(NothingSelected::File {
                name: self.file.clone().unwrap_or_default(),
                known,
            });
        }
        let here = trace.steps.iter().filter(|step| files.contains(&step.file));
        let reached: BTreeSet<u32> = here.map(|step| step.line).collect();
        if reached.range(self.first..=self.last).next().is_some() {
            return Ok(());
        }
        let length = files.iter().filter_map(|file| sources.file(*file));
        let length = length.map(|file| file.line_count()).max().unwrap_or(0);
        let below = reached.range(..self.first).next_back();
        let above = reached.range(self.last.saturating_add(1)..).next();
        let near: Vec<String> = below.into_iter().chain(above).map(u32::to_string).collect();
        let why = match (self.first > length, near.is_empty()) {
            (true, _) => format!("there are {length} lines"),
            (false, true) => "the trace has no steps".to_owned(),
            (false, false) => format!("the nearest lines that are reached: {}", near.join(" and ")),
        };
        Err(NothingSelected::Lines {
            lines: self.clone(),
            why,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        for text in ["1", "3-9", "a.py:4", "a/b.py:4-5"] {
            assert_eq!(text.parse::<Lines>().unwrap().to_string(), text);
        }
        assert_eq!("7-7".parse::<Lines>().unwrap().to_string(), "7");
        for text in [
            "", "0", "x", "5-", "-5", "9-3", ":4", "a.py:", "a.py:x", "1,2",
        ] {
            assert!(text.parse::<Lines>().is_err(), "{text}");
        }
    }
}
