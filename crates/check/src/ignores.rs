//! Comments that hide findings: `# codexec: ignore` on the line of a finding, or `# codexec: ignore[KeyError, IndexError]`
//! for these kinds alone.

use crate::{Checked, Finding};

impl Checked {
    /// Leaves out findings that a comment on their line hides; `text` is that of the program.
    ///
    /// ```
    /// use codexec_check::{Settings, Source, check};
    /// let text = "print(1 / 0)  # codexec: ignore[ZeroDivisionError]\n";
    /// let mut checked = check(&[Source::new("a.py", text)], &Settings::default())?.remove(0);
    /// assert_eq!(checked.findings.len(), 1);
    /// checked.drop_ignored(text);
    /// assert!(checked.findings.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drop_ignored(&mut self, text: &str) {
        drop_ignored(&mut self.findings, text);
        for other in &mut self.elsewhere {
            drop_ignored(&mut other.findings, &other.text);
        }
        self.elsewhere.retain(|other| !other.findings.is_empty());
    }
}

fn drop_ignored(findings: &mut Vec<Finding>, text: &str) {
    // Most files have no such comment.
    if findings.is_empty() || !text.contains("codexec:") {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    findings.retain(|finding| {
        let mut of_finding = finding.line..=finding.end_line.max(finding.line);
        !of_finding.any(|line| {
            let line = (line as usize).checked_sub(1).and_then(|at| lines.get(at));
            line.is_some_and(|line| hides(line, &finding.kind))
        })
    });
}

/// Whether a line has a comment that hides findings of a kind.
fn hides(line: &str, kind: &str) -> bool {
    let comments = line.match_indices('#').map(|(at, _)| &line[at + 1..]);
    let said = |comment: &str| {
        let rest = comment.trim_start().strip_prefix("codexec:")?;
        let rest = rest.trim_start().strip_prefix("ignore")?;
        match rest.trim_start().strip_prefix('[') {
            Some(kinds) => {
                let (kinds, _) = kinds.split_once(']')?;
                Some(kinds.split(',').any(|one| one.trim() == kind))
            }
            // Not the beginning of another word.
            None => Some(!rest.starts_with(|c: char| c.is_alphanumeric() || "_-".contains(c))),
        }
    };
    comments.filter_map(said).any(|hides| hides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_kinds_or_hide_all() {
        for line in [
            "x = 1 / 0  # codexec: ignore",
            "x = 1 / 0  # why # codexec: ignore",
            "x = 1 / 0  #codexec:ignore[ZeroDivisionError]",
            "x = 1 / 0  # codexec: ignore[KeyError, ZeroDivisionError] as it is meant",
            "x = 1 / 0  # codexec: ignore, as it is meant",
        ] {
            assert!(hides(line, "ZeroDivisionError"), "{line}");
        }
        for line in [
            "x = 1 / 0",
            "x = 1 / 0  # codexec: ignored",
            "x = 1 / 0  # codexec: ignore[KeyError]",
            "x = 1 / 0  # codexec: ignore[ZeroDivisionError",
            "x = 1 / 0  # codexec: ignore[]",
            "x = 1 / 0  # ignore",
        ] {
            assert!(!hides(line, "ZeroDivisionError"), "{line}");
        }
    }
}
