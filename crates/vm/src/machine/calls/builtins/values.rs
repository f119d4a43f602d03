//! Numbers, lengths, hashes, texts and copies of values.

use crate::fold::BinaryOp;
use crate::machine::calls::builtins::done;
use crate::machine::calls::call::Keywords;
use crate::machine::calls::keyword_places::placed;
use crate::machine::{Flow, Machine, Run};
use crate::value::{Object, Value};

impl Machine {
    /// `round`, `pow`
    pub(super) fn builtin_by_keywords(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            _ if !keywords.is_empty() => match placed(name, arguments, keywords) {
                Some(all) => self.call_builtin(&name.into(), all, Vec::new()).map(Some),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// `hex`, `oct`, `bin`, `chr`
    pub(super) fn builtin_by_index(
        &mut self,
        name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value] if self.special(value, "__index__").is_some() => {
                let all = vec![self.builtin(name), value.clone()];
                self.prelude_call("_by_numbers", all, Vec::new()).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `pow`
    pub(super) fn builtin_pow(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [base, rest @ ..] if let Some(method) = self.own_power(base, rest.len()) => {
                Err(Flow::Call(method, rest.to_vec()))
            }
            [base, power, modulus]
                if self.settings.fold.operators()
                    && let Some(message) = self.refused_power([base, power, modulus]) =>
            {
                Err(self.raise("TypeError", &message))
            }
            [base, power] if self.is_instance(base) || self.is_instance(power) => {
                let value = self.binary(BinaryOp::Power, false, base, power)?;
                done(value)
            }
            _ => Ok(None),
        }
    }

    /// `repr`, `ascii`
    pub(super) fn builtin_repr(
        &mut self,
        name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value] => {
                if name == "repr"
                    && let Some(text) = self.known_text_below(value, true, 1)
                {
                    self.count_folded();
                    return done(text);
                }
                if self.touches_program(value) || self.is_nested(value) {
                    return self
                        .prelude_call("_called_repr", vec![value.clone()], Vec::new())
                        .map(Some);
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// `hash`
    pub(super) fn builtin_hash(
        &mut self,
        _name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value] if self.settings.fold.operators() && !self.touches_program(value) => {
                done(self.known_hash(value)?)
            }
            _ => Ok(None),
        }
    }

    /// `copy.deepcopy`
    pub(super) fn builtin_copy_deepcopy(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value, ..] if self.settings.fold.methods() => {
                if arguments.len() == 1
                    && let Some(copy) = self.fold_made(name, arguments, keywords)?
                {
                    return done(copy);
                }
                match self.touches_program(value) || arguments.len() > 1 {
                    true => self
                        .prelude_call("_deepcopy", arguments.to_vec(), keywords.clone())
                        .map(Some),
                    false => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// `format`
    pub(super) fn builtin_format(
        &mut self,
        _name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value, spec @ ..] if spec.len() < 2 && keywords.is_empty() => {
                let text = self.format_value(value, 0, spec.first().cloned())?;
                done(text)
            }
            _ => Ok(None),
        }
    }

    /// `math.floor`, `math.ceil`, `math.trunc`
    pub(super) fn builtin_rounded(
        &mut self,
        name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value] if self.is_instance(value) => {
                let method = format!("__{}__", name.trim_start_matches("math."));
                match self.special(value, &method) {
                    Some(method) => Err(Flow::Call(method, Vec::new())),
                    None => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// `len`, `abs`, `hash`, `round`
    pub(super) fn builtin_special_number(
        &mut self,
        name: &str,
        arguments: &[Value],
        _keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [value, ..] => {
                let (method, checked) = match name {
                    "len" => ("__len__", "_length_by"),
                    "abs" => ("__abs__", ""),
                    "hash" => ("__hash__", "_hash_by"),
                    _ => ("__round__", ""),
                };
                match self.special(value, method) {
                    Some(Value::None) if name == "hash" => Err(self.without_hash(value)),
                    _ if name == "hash" && self.has_equality_alone(value) => {
                        Err(self.without_hash(value))
                    }
                    Some(method) if !checked.is_empty() => Err(self.helper(checked, vec![method])?),
                    Some(method) => Err(Flow::Call(method, arguments[1..].to_vec())),
                    None if name == "len"
                        && matches!(self.heap.object(value), Some(Object::Class(_))) =>
                    {
                        // The length of an enumeration; other classes have none.
                        let members = self.known_items(value);
                        Ok(members.map(|members| Some(Value::Int(members.len() as i64))))
                    }
                    None if name == "hash" && self.special(value, "_hash_values_").is_some() => {
                        self.prelude_call("_hash_of", vec![value.clone()], Vec::new())
                            .map(Some)
                    }
                    None if name == "hash"
                        && let Some(hashed) = self.hashed_in_member(value) =>
                    {
                        done(self.known_hash(&hashed)?)
                    }
                    None if name == "hash"
                        && let Some(hash) = self.hash_of_address(value) =>
                    {
                        done(hash)
                    }
                    None if name == "hash" && self.is_own_tuple(value) => {
                        Err(self.helper("_tuple_hash", vec![value.clone()])?)
                    }
                    // The hashes of a frozenset's elements are known.
                    None if name == "hash"
                        && self.has_own_parts(value)
                        && let Some(hash) = crate::fold::hash::hash(&self.heap, value) =>
                    {
                        done(Value::Int(hash))
                    }
                    None if name == "hash" && self.touches_program(value) => {
                        Err(self.without_hash(value))
                    }
                    None => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// `list.sort`
    pub(super) fn builtin_list_sort(
        &mut self,
        _name: &str,
        arguments: &[Value],
        keywords: &Keywords,
    ) -> Run<Option<Option<Value>>> {
        match arguments {
            [list, ..] => self.sort(list, keywords.clone()).map(Some),
            _ => Ok(None),
        }
    }
}
