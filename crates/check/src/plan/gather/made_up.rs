//! Whether injected values cause an error of an injected call.

use codexec_data::errors::kind_of;
use codexec_data::trace::Trace;

use super::super::asked::{Asked, MadeUp};
use super::super::other_types::blames_guesses;
use super::super::suppressions::{
    blames_call, blames_input, blames_value, is_of_comparison, names_one_of, refuses_object,
    refuses_values,
};
use super::super::{beside, state};
use super::Gathered;

impl Gathered<'_> {
    /// Whether injected values, or a place outside the function, cause an error of an injected call.
    pub(super) fn blames_made_up(
        &mut self,
        asked: &Asked,
        trace: &Trace,
        (exception, message, line): (&str, &str, u32),
        text_of_line: &str,
    ) -> bool {
        let MadeUp::Call {
            function,
            text,
            guessed,
            values,
            nature,
            absent,
            ..
        } = &asked.made_up
        else {
            return false;
        };
        // An injected value has other parts, or a library rejects it.
        let refused = blames_input(exception, message)
            || refuses_values(exception, message)
            || kind_of(exception, message).is_none() && !self.defines("class", exception);
        let last = function.rsplit('.').next().unwrap_or_default();
        // Arguments of tests are what pytest makes.
        let of_test = last.starts_with("test") && !text.ends_with("()");
        let unset = exception == "NameError"
            && (message.split('\'').nth(1)).is_some_and(|name| self.bound.globals.contains(name));
        // The caller provides values for defaults of `None`.
        let lacks_parameter = message.contains("NoneType")
            && names_one_of(text_of_line, |word| absent.iter().any(|name| name == word)).is_some();
        // A name that is not in the source was injected, and evaluated.
        let name = message.split('\'').nth(1).unwrap_or_default();
        let is_evaluated =
            exception == "NameError" && names_one_of(text_of_line, |word| word == name).is_none();
        nature.explains(exception, message)
            || is_evaluated
            || lacks_parameter
            || of_test
            || unset
            || message.contains("'function'") && text.contains("lambda")
            // The caller also provides input.
            || exception == "EOFError"
            || text.contains("Missing(") && refuses_object(message)
            || text.ends_with("()") && state::lacks_arguments(&self.source.text, function, message)
            || is_of_comparison(message, text_of_line)
            || blames_guesses(message, guessed)
            || refused && !text.ends_with("()")
            || exception == "AttributeError" && self.may_have(message)
            || message.contains("NoneType") && self.bound.is_set_elsewhere(text_of_line)
            || exception == "KeyError" && message.is_empty() && text.contains("Missing(")
            // A value without a class is an object that the program knows better.
            || message.contains("Missing") && !self.defines("class", "Missing")
            // Errors before the call are those of the program itself.
            || self.is_unreached(asked, trace)
            || !self.is_own(line)
            || self.refusals.contains(&line)
            || blames_call(exception, message, function, text_of_line)
            || function.contains('.') && self.is_of_fresh_object(message, line)
            || blames_value(exception, message, values, text_of_line)
    }

    /// Whether an error concerns a `None` that an object would have set, or found, by then.
    fn is_of_fresh_object(&self, message: &str, line: u32) -> bool {
        let source = &self.source.text;
        self.bound.is_not_set_yet(message, source, line)
            || message.contains("NoneType") && state::is_found_in_self(source, line)
            || state::is_of_own_result(super::line_of(source, line), message)
    }

    /// Whether an object may have the attribute missing in a message: a base class lacks methods of its subclasses, a
    /// fresh object attributes set later, and a library's class its private names here.
    fn may_have(&self, message: &str) -> bool {
        let Some((object, name)) = message.rsplit_once(" has no attribute ") else {
            return false;
        };
        let name = name.trim_matches('\'');
        let class = object.split('\'').nth(1).unwrap_or_default();
        let of_library =
            object.starts_with("type object ") && class.starts_with(char::is_uppercase);
        self.defines("def", name)
            || match self.defines("class", class) {
                true => {
                    self.bound.attributes.contains(name)
                        || self.bound.open_classes.contains(class)
                        || ["setattr(", "__dict__"]
                            .iter()
                            .any(|part| self.source.text.contains(part))
                        || beside::is_bound(&self.source.path, name)
                        || beside::is_defined(&self.source.path, name)
                }
                // Members of library classes are not fully known; for a class of the project another method may set it.
                false => {
                    of_library
                        || name.starts_with('_') && !name.starts_with("__")
                        || !class.is_empty()
                            && beside::has_class(&self.source.path, class)
                            && beside::is_bound(&self.source.path, name)
                }
            }
    }

    /// Whether the source has a definition of a name.
    fn defines(&self, word: &str, name: &str) -> bool {
        let ends = |c: char| !(c.is_alphanumeric() || c == '_');
        let start = format!("{word} {name}");
        let mut lines = self.source.text.lines();
        lines.any(|line| {
            let rest = line.trim_start().strip_prefix(&start);
            rest.is_some_and(|rest| rest.starts_with(ends))
        })
    }
}
