//! Text, patterns, codecs.

use crate::machine::eval::eval_loop::broken;
use crate::machine::{Flow, Machine, Run};
use crate::value::{Object, Value};

impl Machine {
    /// `_type_name`
    pub(super) fn intrinsic_type_name(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => {
                let known = crate::fold::type_name::type_name(&self.heap, value);
                let known = known.map(|name| name.into_owned());
                Value::str(&known.unwrap_or_else(|| self.type_name(value)))
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_write`
    pub(super) fn intrinsic_write(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Str(text)] => {
                self.record.write(text)?;
                Value::None
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_text`: the calling frame already counts as the call that makes the text.
    pub(super) fn intrinsic_text(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value, Value::Bool(repr)] => match self.known_text_here(value, *repr) {
                Some(text) => text,
                None => {
                    self.refuse_long_integers(value)?;
                    self.end()
                }
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_codec`
    pub(super) fn intrinsic_codec(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(self.codec(arguments)?))
    }

    /// `_re_compile`
    pub(super) fn intrinsic_re_compile(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(self.match_pattern(arguments)?))
    }

    /// `_re_find`
    pub(super) fn intrinsic_re_find(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(self.match_pattern(arguments)?))
    }

    /// `_spelled`: returns the expression that makes an object of which only an oracle knows more.
    pub(super) fn intrinsic_spelled(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => match self.heap.object(value) {
                Some(Object::Opaque { text, .. }) => Value::Str(text.clone()),
                _ => Value::str(""),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_addressed`
    pub(super) fn intrinsic_addressed(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [of, Value::Str(text)] => match self.address(of) {
                Some(address) => Value::str(&format!("<{text} at {address:#x}>")),
                None => return Err(Flow::Unsupported("the address of a value".into())),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_percent_fields`
    pub(super) fn intrinsic_percent_fields(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Str(template)] => self.percent_fields(template),
            _ => return Err(broken("call")),
        }))
    }

    /// `_percent_spelled`
    pub(super) fn intrinsic_percent_spelled(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Str(template), spelled] => self.percent_spelled(template, spelled),
            _ => return Err(broken("call")),
        }))
    }

    /// `_stderr`
    pub(super) fn intrinsic_stderr(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [] => self.builtin("sys.stderr"),
            _ => return Err(broken("call")),
        }))
    }
}
