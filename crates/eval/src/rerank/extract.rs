//! Extracts the code from a language model's reply: without Markdown fences, prose, thinking and end tokens, and
//! without a truncated tail. A reply that is already a program is unchanged.

use codexec_data::sources::snippet;
use codexec_data::syntax::with_parsed;

/// Code, and the rest of the reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The code.
    pub code: String,
    /// The omitted parts, in words; empty if the reply is all code.
    pub left_out: Vec<String>,
}

/// What models end with, and what some of them wrap code in.
const ENDS: [&str; 16] = [
    "<|im_end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|eot_id|>",
    "<|EOT|>",
    "<|end|>",
    "<|return|>",
    "<|file_separator|>",
    "<|fim_pad|>",
    "<end_of_turn>",
    "<eos>",
    "</s>",
    "<｜end▁of▁sentence｜>",
    "[DONE]",
    "[/PYTHON]",
    "[/CODE]",
];
const BEGINS: [&str; 6] = [
    "<s>",
    "<|im_start|>assistant",
    "<|assistant|>",
    "[BEGIN]",
    "[PYTHON]",
    "[CODE]",
];
/// Elements that hold thoughts.
const THOUGHTS: [&str; 4] = ["think", "thinking", "thought", "reasoning"];

/// Beginnings of lines that code among prose begins with.
const STATEMENTS: [&str; 7] = [
    "def ",
    "class ",
    "import ",
    "from ",
    "@",
    "async def ",
    "if __name__",
];

/// Lines at which code among prose is looked for, and at which a tail is cut.
const TRIES: usize = 64;

/// The code of a reply. `names` are the names that it must define, if known; `whole` makes code that continues a prompt
/// a program.
pub fn extract(reply: &str, names: &[String], whole: &dyn Fn(&str) -> String) -> Extracted {
    let reading = Reading { names, whole };
    let mut found = Extracted {
        code: reply.to_owned(),
        left_out: Vec::new(),
    };
    // `[DONE]` is a list to Python.
    let is_tag = |line: &str| BEGINS.contains(&line.trim()) || ENDS.contains(&line.trim());
    if !reply.lines().any(is_tag) && reading.parses(reply) {
        return found;
    }
    let mut text = without_thoughts(reply, &mut found.left_out);
    text = without_tokens(text, &mut found.left_out);
    if !reading.parses(text) {
        if let Some(block) = reading.fenced(text) {
            found.left_out.push("Markdown around the code".to_owned());
            text = block;
        } else if let Some(code) = reading.among_prose(text) {
            found.left_out.push("text around the code".to_owned());
            text = code;
        }
    }
    found.code = text.to_owned();
    if !reading.parses(text) {
        if let Some((code, _)) = snippet(text).filter(|(code, _)| reading.parses(code)) {
            found.left_out.push("indentation or prompts".to_owned());
            found.code = code;
        } else if let Some(code) = reading.without_tail(text) {
            let lines = text[code.len()..].trim().lines().count();
            let plural = if lines == 1 { "" } else { "s" };
            found
                .left_out
                .push(format!("a tail of {lines} line{plural} that was cut off"));
            found.code = code.to_owned();
        }
    }
    // A reply without code is judged and shown unchanged.
    if found.code.trim().is_empty() {
        return Extracted {
            code: reply.to_owned(),
            left_out: Vec::new(),
        };
    }
    found
}

fn without_thoughts<'t>(text: &'t str, left_out: &mut Vec<String>) -> &'t str {
    for name in THOUGHTS {
        let (begin, end) = (format!("<{name}>"), format!("</{name}>"));
        let behind = text.rfind(&end).map(|at| at + end.len());
        // Without an end, all of it is thinking, and code in it is the best available.
        let open = || {
            let start = text.trim_start();
            start
                .strip_prefix(&begin)
                .map(|rest| text.len() - rest.len())
        };
        if let Some(at) = behind.or_else(open) {
            left_out.push("thinking".to_owned());
            return &text[at..];
        }
    }
    text
}

fn without_tokens<'t>(mut text: &'t str, left_out: &mut Vec<String>) -> &'t str {
    for token in BEGINS {
        if let Some(at) = text.find(token)
            && text[..at].lines().all(|line| !line.starts_with("def "))
        {
            left_out.push(format!("{token} and what is before it"));
            text = &text[at + token.len()..];
        }
    }
    let ends = ENDS
        .iter()
        .filter_map(|token| Some((text.find(token)?, token)));
    if let Some((at, token)) = ends.min_by_key(|(at, _)| *at) {
        left_out.push(format!("{token} and what is behind it"));
        text = &text[..at];
    }
    text
}

struct Reading<'r> {
    names: &'r [String],
    whole: &'r dyn Fn(&str) -> String,
}

impl Reading<'_> {
    fn parses(&self, code: &str) -> bool {
        !code.trim().is_empty() && with_parsed(&(self.whole)(code), |_| ()).is_ok()
    }

    /// Whether code defines the required names, or, if these are unknown, has a statement.
    fn defines(&self, code: &str) -> bool {
        if self.names.is_empty() {
            return code.lines().any(is_statement);
        }
        self.names.iter().any(|name| {
            let heads = [
                format!("def {name}("),
                format!("async def {name}("),
                format!("class {name}"),
                format!("{name} ="),
            ];
            let begins = |line: &str| heads.iter().any(|head| line.starts_with(head));
            code.lines().any(begins)
        })
    }

    /// The fenced block with the code.
    fn fenced<'t>(&self, text: &'t str) -> Option<&'t str> {
        let (before, blocks) = blocks(text)?;
        let fits = |code: &&&str| self.parses(code) && self.defines(code);
        let body = before.starts_with([' ', '\t']) || self.defines(before);
        if body && self.parses(before) {
            return Some(before);
        }
        let longest =
            |all: &mut dyn Iterator<Item = &&'t str>| all.max_by_key(|code| code.len()).copied();
        let defining = match self.names.is_empty() {
            // The requested name is unknown: examples of its use are short.
            true => longest(&mut blocks.iter().filter(|code| fits(code))),
            false => blocks.iter().rfind(|code| fits(code)).copied(),
        };
        let first = || blocks.iter().find(|code| self.defines(code)).copied();
        let parsing = || longest(&mut blocks.iter().filter(|code| self.parses(code)));
        defining
            .or_else(first)
            .or_else(parsing)
            .or_else(|| longest(&mut blocks.iter()))
    }

    /// The code of a reply without fences: it begins with a statement, and prose may follow.
    fn among_prose<'t>(&self, text: &'t str) -> Option<&'t str> {
        let starts = places(text).filter(|at| is_statement(&text[*at..]));
        starts.take(TRIES).find_map(|start| {
            let code = &text[start..];
            if start > 0 && self.parses(code) && self.defines(code) {
                return Some(code);
            }
            // Prose is not a statement; a truncated statement is one, and is dropped with a note.
            let mut ends: Vec<usize> = places(code).skip(1).collect();
            ends.reverse();
            let is_prose = |at: &usize| !is_statement(&code[*at..]) && reads_as_prose(&code[*at..]);
            let mut ends = ends.into_iter().filter(is_prose).take(TRIES);
            ends.find(|at| self.parses(&code[..*at]) && self.defines(&code[..*at]))
                .map(|at| &code[..at])
        })
    }

    /// The code before a truncated tail, if it is complete without it.
    fn without_tail<'t>(&self, text: &'t str) -> Option<&'t str> {
        if self.names.is_empty() {
            return None;
        }
        let mut ends: Vec<usize> = places(text).skip(1).collect();
        ends.reverse();
        let mut ends = ends.into_iter().take(TRIES);
        ends.find(|at| self.parses(&text[..*at]) && self.defines(&text[..*at]))
            .map(|at| &text[..at])
    }
}

fn is_statement(text: &str) -> bool {
    STATEMENTS.iter().any(|word| text.starts_with(word))
}

/// Whether the first line of a text is a sequence of words.
fn reads_as_prose(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    line.split_whitespace().count() > 1 && with_parsed(line, |_| ()).is_err()
}

/// Where the lines begin that are not indented.
fn places(text: &str) -> impl Iterator<Item = usize> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let begins = !line.starts_with([' ', '\t', '\n', ')', ']', '}']);
        begins.then_some(start)
    })
}

/// The text before the first fence, and the blocks; the last one may be open.
fn blocks(text: &str) -> Option<(&str, Vec<&str>)> {
    const FENCES: [&str; 2] = ["```", "~~~"];
    let is_fence = |line: &str| {
        FENCES
            .iter()
            .any(|fence| line.trim_start().starts_with(fence))
    };
    let (mut at, mut before, mut open) = (0, None, None);
    let mut blocks = Vec::new();
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        if !is_fence(line) {
            continue;
        }
        before.get_or_insert(&text[..start]);
        match open.take() {
            Some(begun) => blocks.push(&text[begun..start]),
            None => open = Some(end),
        }
    }
    blocks.extend(open.map(|begun| &text[begun..]));
    blocks.retain(|block| !block.trim().is_empty());
    Some((before?, blocks))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "def f(x):\n    return x + 1\n";

    fn of(reply: &str) -> Extracted {
        extract(reply, &["f".to_owned()], &str::to_owned)
    }

    #[test]
    fn a_program_stays_as_it_is() {
        for reply in [GOOD, "s = '```</s>[DONE]'\n", "x"] {
            let found = of(reply);
            assert_eq!((found.code.as_str(), found.left_out.len()), (reply, 0));
        }
        let none = of("I cannot do that, sorry.");
        assert_eq!(none.code, "I cannot do that, sorry.");
    }

    #[test]
    fn code_is_taken_out_of_what_is_around_it() {
        for (reply, left_out) in [
            (format!("```python\n{GOOD}```\n"), "Markdown"),
            (format!("Sure:\n\n```py\n{GOOD}```\n\nIt adds."), "Markdown"),
            (
                format!("```\n{GOOD}```\nUse:\n```python\nprint(f(1))\n```\n"),
                "Markdown",
            ),
            (format!("~~~python\n{GOOD}~~~\n"), "Markdown"),
            (format!("```python\n{GOOD}"), "Markdown"),
            (format!("{GOOD}```\n\nExplanation: it adds."), "Markdown"),
            (
                format!("<think>\n```\ndef f(x): no\n```\n</think>\n```python\n{GOOD}```"),
                "thinking",
            ),
            (format!("thoughts</think>\n\n{GOOD}"), "thinking"),
            (format!("[BEGIN]\n{GOOD}[DONE]\nmore"), "[BEGIN]"),
            (format!("{GOOD}<|im_end|>"), "<|im_end|>"),
            (format!("{GOOD}</s><s>"), "</s>"),
            (format!("{GOOD}<|endoftext|>import that"), "<|endoftext|>"),
            (
                format!("Here is the code:\n\n{GOOD}\nThis adds one, of course.\n"),
                "text around",
            ),
            (
                format!("{GOOD}\nThis works, since x is a number."),
                "text around",
            ),
            (
                format!("{GOOD}\n\ndef helper(a, b):\n    return a +"),
                "a tail of 2 lines",
            ),
            (
                format!("{GOOD}\nif __name__ == \"__main__\":\n    print(f([1,"),
                "a tail of 2 lines",
            ),
            (
                format!("```python\n{GOOD}\nprint(f(\n```"),
                "a tail of 1 line",
            ),
            (
                ">>> def f(x):\n...     return x + 1\n".to_owned(),
                "prompts",
            ),
        ] {
            let found = of(&reply);
            assert_eq!(found.code.trim(), GOOD.trim(), "{reply:?}: {found:?}");
            let said = found.left_out.join("; ");
            assert!(said.contains(left_out), "{reply:?}: {said}");
        }
    }

    #[test]
    fn what_goes_on_from_a_prompt_is_read_behind_it() {
        let whole = |code: &str| format!("def f(x):\n    '''f(1) == 2'''\n{code}");
        let names = ["f".to_owned()];
        let body = "    return x + 1\n";
        for reply in [
            format!("{body}```\n\nThis adds one."),
            format!("{body}<|im_end|>"),
            format!("```python\n{body}```"),
        ] {
            assert_eq!(extract(&reply, &names, &whole).code, body, "{reply:?}");
        }
    }
}
