//! The prompts for a language model: the three queries of the paper (Figures 3 to 6) in our own
//! words, with the same parts and the same answer format.

use std::collections::BTreeSet;

use super::super::super::Snippet;
use codexec_data::sandbox::Raised;

/// Instructions for the whole conversation.
pub(super) const SYSTEM: &str = "You predict the values that incomplete Python code misses. You answer with \
                                 nothing but the JSON that is asked for.";

/// The format of an answer (Figure 4).
const RESPONSE: &str = "\
Respond strictly with JSON: one object of the following TypeScript type `Response`.

```ts
interface Response {
  // Import statements of Python that the initialization or the code snippet needs, one in each string.
  imports: string[];
  // Python code that initializes the undefined variables so that the code snippet can be executed, one
  // variable in each string. Values are concrete and self-contained: no placeholders, nothing that
  // must be replaced or defined elsewhere. Nothing of the code snippet is repeated here. Attributes
  // and methods that are undefined belong to objects made for them, as in
  // type(\"Mock\", (object,), {\"attribute\": 1, \"method\": lambda self, *args, **kwargs: None})().
  initialization: string[];
}
```
";

/// Undefinedness guidance (Figure 3).
pub(super) fn for_missing(snippet: &Snippet) -> String {
    let names = snippet.missing_names().join("\n");
    let members = snippet.missing_members().join("\n");
    let packages = snippet.missing_packages();
    let packages = if packages.is_empty() {
        String::new()
    } else {
        format!(
            "# begin packages that are not installed\n{}\n# end packages that are not installed\n\
             The initialization puts an object into sys.modules for each of them.\n\n",
            packages.join("\n")
        )
    };
    format!(
        "Provide Python values for what the code snippet uses and does not define.\n\n\
         {}# begin undefined variables\n{names}\n# end undefined variables\n\n\
         # begin undefined attributes and methods\n{members}\n# end undefined attributes and \
         methods\n\n{packages}{RESPONSE}",
        quoted_code(snippet.source())
    )
}

/// Error guidance (Figure 5).
pub(super) fn for_error(snippet: &Snippet, error: &Raised) -> String {
    let code = (error.line as usize).checked_sub(1);
    let code = code
        .and_then(|at| snippet.source().lines().nth(at))
        .unwrap_or("");
    format!(
        "The code snippet, executed behind these imports and this initialization, ended in an \
         error.\n\n# begin error message\n  line {} of the code snippet\n    {}\n{}: {}\n# end error \
         message\n\nProvide imports and an initialization with which this error does not happen and \
         the code snippet goes on.\n\n{RESPONSE}",
        error.line,
        code.trim(),
        error.exception,
        error.message,
    )
}

/// Coverage guidance (Figure 6): lines that no prefix executes are marked.
pub(super) fn for_lines(snippet: &Snippet, uncovered: &BTreeSet<u32>) -> String {
    let lines = snippet.source().lines().zip(1..);
    let marked: String = lines
        .map(|(text, number)| match uncovered.contains(&number) {
            true => format!("{text}  # uncovered\n"),
            false => format!("{text}\n"),
        })
        .collect();
    format!(
        "The code snippet, executed behind these imports and this initialization, leaves out the \
         lines marked with # uncovered.\n\n{}Provide imports and an initialization with which one of \
         the paths through uncovered lines is executed.\n\n{RESPONSE}",
        quoted_code(&marked)
    )
}

fn quoted_code(code: &str) -> String {
    let code = code.trim_end();
    format!("# begin code snippet\n{code}\n# end code snippet\n\n")
}
