//! Errors that are noted, not reported: facts that decide them are not known.

use super::super::imports;
use super::super::suppressions::{
    ENCODING, FILES, INJECT, depends_on_encoding, depends_on_files, elsewhere_there,
    is_of_notebooks, is_said_to_be_there, line_of, names_internal, names_package,
};
use super::Gathered;

impl Gathered<'_> {
    /// Returns why an error is not checked further, or `None` if it is.
    pub(super) fn unchecked(&self, exception: &str, message: &str, line: u32) -> Option<String> {
        let source = self.source;
        let text_of_line = line_of(&source.text, line);
        // Whether a package is installed that the program does without is not known.
        if let Some(why) = elsewhere_there(exception, message) {
            return Some(format!("{why}: {message}"));
        }
        let lacks_package = matches!(exception, "ImportError" | "ModuleNotFoundError")
            && (names_package(message) || self.refusals.contains(&line))
            || imports::lacks_package(exception, message);
        if lacks_package {
            return Some(message.to_owned());
        }
        if self.may_be_bound(exception, message) {
            return Some(format!("nothing is known of what binds it: {message}"));
        }
        if let Some(why) = self.may_be_other(exception, message, text_of_line) {
            return Some(format!("{why}: {message}"));
        }
        if names_internal(message, &source.text) {
            return Some(format!("{exception} of a part of the planner"));
        }
        let of_files = depends_on_files(exception, message)
            || self
                .bound
                .may_not_be_opened(exception, message, &source.text);
        let of_files = of_files.then_some(FILES);
        let of_encoding = depends_on_encoding(exception, message, text_of_line);
        let why = of_files.or(of_encoding.then_some(ENCODING));
        why.map(str::to_owned)
    }

    /// Whether a missing name may be bound by something outside the source, such as a notebook.
    fn may_be_bound(&self, exception: &str, message: &str) -> bool {
        let nobody_knows = |name: &str| {
            let injects = |module: &&str| self.bound.modules.contains(*module);
            self.bound.globals.contains(name)
                || is_of_notebooks(name)
                || is_said_to_be_there(&self.source.text, name)
                || INJECT.iter().any(injects)
        };
        exception == "NameError" && message.split('\'').nth(1).is_some_and(nobody_knows)
    }

    /// Returns why a module, a member or a type may differ where the program runs.
    fn may_be_other(&self, exception: &str, message: &str, line: &str) -> Option<String> {
        let source = self.source;
        let why = imports::may_be_gone(source, message)
            .or_else(|| imports::may_be_no_module(&source.text, message, line))
            .map(str::to_owned);
        let why = why.or_else(|| self.bound.may_be_there(exception, message, line));
        why.or_else(|| {
            let of_types = matches!(exception, "AttributeError" | "TypeError");
            let name = imports::may_stand_in(source, &self.bound, line);
            let name = name.filter(|_| of_types)?;
            Some(format!("whether {name} can be imported is not known"))
        })
    }
}
