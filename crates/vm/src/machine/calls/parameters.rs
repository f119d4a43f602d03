//! Parameters of a function, and CPython's messages for arguments that do not fit them.

use crate::machine::calls::bind::function_name;
use crate::value::Function;

/// The parameters of a function by name, positional ones first.
pub(in crate::machine) struct Parameters<'a> {
    /// The name of the function in messages.
    function: &'a str,
    names: Vec<&'a str>,
    /// Whether each may be left out.
    optional: Vec<bool>,
    /// The number of positional parameters, and of positional-only ones.
    positional: usize,
    positional_only: usize,
    /// Whether there are `*args` and `**kwargs`.
    takes_more: bool,
    takes_names: bool,
}

impl<'a> Parameters<'a> {
    /// Returns the parameters of a function of the program or the runtime.
    pub(in crate::machine) fn of(function: &'a Function) -> Self {
        let code = &function.code;
        let positional = code.arg_count as usize;
        let named = positional + code.kwonly_arg_count as usize;
        let required = positional.saturating_sub(function.defaults.len());
        let has_default = |at: usize| match at < positional {
            true => at >= required,
            false => {
                let name = &code.var_names[at];
                function.kw_defaults.iter().any(|(other, _)| other == name)
            }
        };
        Self {
            function: function_name(function),
            names: code.var_names[..named].iter().map(|name| &**name).collect(),
            optional: (0..named).map(has_default).collect(),
            positional,
            positional_only: code.posonly_arg_count as usize,
            takes_more: code.has_varargs,
            takes_names: code.has_varkeywords,
        }
    }

    /// Parses parameters in the format of the table of calls: `name(a,b=,/,*c,d=,**e)`.
    pub(in crate::machine) fn parse(text: &'a str) -> Option<Self> {
        let (function, rest) = text.split_once('(')?;
        let mut found = Self {
            function,
            names: Vec::new(),
            optional: Vec::new(),
            positional: usize::MAX,
            positional_only: 0,
            takes_more: false,
            takes_names: false,
        };
        let parts = rest.strip_suffix(')')?.split(',');
        for part in parts.filter(|part| !part.is_empty()) {
            match part {
                "/" => found.positional_only = found.names.len(),
                _ if part.starts_with("**") => found.takes_names = true,
                _ if part.starts_with('*') => {
                    found.positional = found.names.len();
                    found.takes_more = part.len() > 1;
                }
                _ => {
                    found.names.push(part.trim_end_matches('='));
                    found.optional.push(part.ends_with('='));
                }
            }
        }
        found.positional = found.positional.min(found.names.len());
        Some(found)
    }

    /// Returns the position of a keyword's argument.
    pub(in crate::machine) fn place(&self, keyword: &str) -> Option<usize> {
        let named = self.names[self.positional_only..].iter();
        let at = named.into_iter().position(|name| *name == keyword)?;
        Some(at + self.positional_only)
    }

    /// Returns the number of positional parameters.
    pub(in crate::machine) fn positional(&self) -> usize {
        self.positional
    }

    /// Returns the minimum number of positional arguments if none is named.
    fn least(&self) -> usize {
        let required = self.optional[..self.positional].iter();
        required.take_while(|optional| !**optional).count()
    }

    /// Returns the message of a Python function for this many arguments and these keywords
    /// (`initialize_locals`).
    pub(in crate::machine) fn refused_by_python(
        &self,
        given: usize,
        keywords: &[&str],
    ) -> Option<String> {
        let function = self.function;
        let mut filled: Vec<bool> = (0..self.names.len())
            .map(|at| at < given.min(self.positional))
            .collect();
        for keyword in keywords {
            match self.place(keyword) {
                Some(at) if filled[at] => {
                    return Some(format!(
                        "{function}() got multiple values for argument '{keyword}'"
                    ));
                }
                Some(at) => filled[at] = true,
                None if self.takes_names => {}
                None => {
                    let unnamed = &self.names[..self.positional_only];
                    let wrong: Vec<&str> = (keywords.iter().copied())
                        .filter(|name| unnamed.contains(name))
                        .collect();
                    return Some(match wrong.is_empty() {
                        true => {
                            format!("{function}() got an unexpected keyword argument '{keyword}'")
                        }
                        false => format!(
                            "{function}() got some positional-only arguments passed as keyword \
                             arguments: '{}'",
                            wrong.join(", ")
                        ),
                    });
                }
            }
        }
        if given > self.positional && !self.takes_more {
            return Some(self.too_many(given, &filled));
        }
        let missing = |from: usize, to: usize| -> Vec<&str> {
            let places = (from..to).filter(|at| !filled[*at] && !self.optional[*at]);
            places.map(|at| self.names[at]).collect()
        };
        let positional = missing(0, self.positional);
        if !positional.is_empty() {
            return Some(self.missing(&positional, "positional"));
        }
        let named = missing(self.positional, self.names.len());
        (!named.is_empty()).then(|| self.missing(&named, "keyword-only"))
    }

    fn too_many(&self, given: usize, filled: &[bool]) -> String {
        let (least, positional) = (self.least(), self.positional);
        let takes = match least < positional {
            true => format!("from {least} to {positional} positional arguments"),
            false => format!("{positional} positional argument{}", plural(positional)),
        };
        let named = filled[positional..].iter().filter(|filled| **filled);
        let given = match named.count() {
            0 => format!("{given} {}", if given == 1 { "was" } else { "were" }),
            named => format!(
                "{given} positional argument{} (and {named} keyword-only argument{}) were",
                plural(given),
                plural(named)
            ),
        };
        format!("{}() takes {takes} but {given} given", self.function)
    }

    fn missing(&self, names: &[&str], kind: &str) -> String {
        let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
        let list = match quoted.as_slice() {
            [one] => one.clone(),
            [one, two] => format!("{one} and {two}"),
            [rest @ .., last] => format!("{}, and {last}", rest.join(", ")),
            [] => String::new(),
        };
        format!(
            "{}() missing {} required {kind} argument{}: {list}",
            self.function,
            names.len(),
            plural(names.len())
        )
    }

    /// Returns the message of a C function with named parameters for this many arguments and these
    /// keywords (`_PyArg_UnpackKeywords`).
    pub(in crate::machine) fn refused_by_clinic(
        &self,
        given: usize,
        keywords: &[&str],
    ) -> Option<String> {
        let (function, all, most) = (self.function, self.names.len(), self.positional);
        if given + keywords.len() > all {
            let kind = if given == 0 { "keyword " } else { "" };
            let given = given + keywords.len();
            return Some(format!(
                "{function}() takes at most {all} {kind}argument{} ({given} given)",
                plural(all)
            ));
        }
        if given > most && most == 0 {
            return Some(format!("{function}() takes no positional arguments"));
        }
        let least = self.least();
        let unnamed = self.positional_only.min(least);
        let bounds = [
            (given > most, least, most, "at most"),
            (given < unnamed, unnamed, unnamed, "at least"),
        ];
        for (outside, least, count, word) in bounds {
            if outside {
                let word = if least < most { word } else { "exactly" };
                return Some(format!(
                    "{function}() takes {word} {count} positional argument{} ({given} given)",
                    plural(count)
                ));
            }
        }
        for at in given.max(self.positional_only)..all {
            let name = self.names[at];
            if !self.optional[at] && !keywords.contains(&name) {
                return Some(format!(
                    "{function}() missing required argument '{name}' (pos {})",
                    at + 1
                ));
            }
        }
        let twice = (self.positional_only..given).find(|at| keywords.contains(&self.names[*at]));
        let is_unknown = |keyword: &&&str| self.place(keyword).is_none_or(|at| at < given);
        let unknown = keywords.iter().find(is_unknown)?;
        Some(match twice {
            Some(at) => format!(
                "argument for {function}() given by name ('{}') and position ({})",
                self.names[at],
                at + 1
            ),
            None => format!("'{unknown}' is an invalid keyword argument for {function}()"),
        })
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
