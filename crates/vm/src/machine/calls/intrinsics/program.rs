//! The running program, and oracles.

use crate::machine::eval::eval_loop::broken;
use crate::machine::{Flow, Machine, Run};
use crate::value::{Object, Value};

impl Machine {
    /// `_module`
    pub(super) fn intrinsic_module(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [Value::Str(name)] => {
                match self.is_loaded(name) || self.runtime.modules.contains_key(name) {
                    true => self.module(name),
                    false => Value::None,
                }
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_folds_methods`
    pub(super) fn intrinsic_folds_methods(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [] => Value::Bool(self.library.methods),
            _ => return Err(broken("call")),
        }))
    }

    /// `_ask`
    pub(super) fn intrinsic_ask(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [Value::Str(name), args, kwargs] => {
                let args = self.known_items(args).ok_or_else(|| broken("arguments"))?;
                let kwargs = self.keywords_of(kwargs)?;
                if let Some(value) = self.fold_call(name, &args, &kwargs)? {
                    return Ok(Some(value));
                }
                Err(self.ask_call(name, args, kwargs))
            }
            _ => Err(broken("call")),
        }
    }

    /// `_throw`
    pub(super) fn intrinsic_throw(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [Value::Str(what)] => Err(Flow::Unsupported(what.to_string())),
            _ => Err(broken("call")),
        }
    }

    /// `_guess`
    pub(super) fn intrinsic_guess(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [] => self.guessed(),
            _ => return Err(broken("call")),
        }))
    }

    /// `_ready`
    pub(super) fn intrinsic_ready(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [] => Value::Bool(self.is_ready_for_exceptions()),
            _ => return Err(broken("call")),
        }))
    }

    /// `_unknown`
    pub(super) fn intrinsic_unknown(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [Value::Str(what)] => self.unknown_here(what).map(Some),
            // The sandbox's value, unless unknown values are planned with.
            [Value::Str(what), known] => Ok(Some(match self.settings.unknown {
                true => self.unknown_module(what),
                false => known.clone(),
            })),
            _ => Err(broken("call")),
        }
    }

    /// `_missed_call`: returns the value of a call of a function that lacks something, if planning
    /// continues without it, else `_END`. The second argument says whether the thing is certainly
    /// missing, so that the program raises its error.
    pub(super) fn intrinsic_missed_call(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [Value::Str(name), Value::Bool(certain)] = arguments else {
            return Err(broken("call"));
        };
        let is_made = self.goes_on() && (!certain || self.makes_names()) && !self.expects_errors();
        match is_made {
            true => self.not_modelled(name).map(Some),
            false => Ok(Some(self.library.end.clone())),
        }
    }

    /// `_part_of`: returns the part of a stand-in that a step leads to.
    pub(super) fn intrinsic_part_of(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [of, Value::Str(step)] => self.child(of, step, "", None).map(Some),
            _ => Err(broken("call")),
        }
    }

    /// `_sandboxed`: whether the program is planned as the sandbox runs it, so that the sandbox's
    /// facts hold.
    pub(super) fn intrinsic_sandboxed(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [] => Value::Bool(!self.settings.unknown),
            _ => return Err(broken("call")),
        }))
    }

    /// `_in_library`: whether the caller is code that no trace shows.
    pub(super) fn intrinsic_in_library(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [] = arguments else {
            return Err(broken("call"));
        };
        let caller = self.frames.iter().rev().find(|f| !self.is_runtime(f));
        let hidden = caller.is_some_and(|frame| self.is_hidden(frame.globals));
        Ok(Some(Value::Bool(hidden)))
    }

    /// `_architecture`: returns `platform.machine()` on systems with a sandbox.
    pub(super) fn intrinsic_architecture(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match (arguments, std::env::consts::OS) {
            ([], "linux") => Ok(Some(Value::str(std::env::consts::ARCH))),
            ([], _) => Err(Flow::Unsupported("platform.machine()".to_owned())),
            _ => Err(broken("call")),
        }
    }

    /// `_frames`: returns the globals, the line, the class and arguments that make the code object,
    /// and the index of each frame that a program sees, innermost first. `None` replaces frames of
    /// the machine's own library, which may differ in CPython.
    pub(super) fn intrinsic_frames(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [Value::Int(most)] = arguments else {
            return Err(broken("call"));
        };
        let most = usize::try_from(*most).unwrap_or(0);
        let frames = self.frames.iter().enumerate().rev();
        let seen: Vec<_> = frames
            .skip_while(|(_, frame)| self.is_runtime(frame))
            .take(most)
            .map(|(at, frame)| match self.is_runtime(frame) {
                true => None,
                false => Some((at, frame.code.clone(), frame.globals, frame.line())),
            })
            .collect();
        let mut shown = Vec::with_capacity(seen.len());
        for frame in seen {
            let Some((at, code, globals, line)) = frame else {
                shown.push(Value::None);
                continue;
            };
            let (class, parts) = self.shown_code(&code, globals)?;
            let parts = self.heap.tuple(parts);
            let frame = vec![
                Value::Object(globals),
                Value::Int(line.into()),
                class,
                parts,
                Value::Int(i64::try_from(at).unwrap_or(i64::MAX)),
            ];
            shown.push(self.heap.tuple(frame));
        }
        Ok(Some(self.heap.list(shown)))
    }

    /// `_frame_line`: returns the line of the frame at an index, if it has these globals and this
    /// name. `None` if it has ended.
    pub(super) fn intrinsic_frame_line(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [Value::Int(at), globals, Value::Str(name)] = arguments else {
            return Err(broken("call"));
        };
        let frame = usize::try_from(*at).ok().and_then(|at| self.frames.get(at));
        let frame =
            frame.filter(|frame| globals.id() == Some(frame.globals) && *frame.code.name == **name);
        Ok(Some(frame.map_or(Value::None, |frame| {
            Value::Int(frame.line().into())
        })))
    }

    /// `_strerror`: returns the system's message of an error, if the system is the sandbox's.
    pub(super) fn intrinsic_strerror(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        let [Value::Int(code)] = arguments else {
            return Err(broken("call"));
        };
        let known = i32::try_from(*code)
            .ok()
            .filter(|_| std::env::consts::OS == "linux");
        let Some(code) = known else {
            return Err(Flow::Unsupported("os.strerror()".to_owned()));
        };
        let said = std::io::Error::from_raw_os_error(code).to_string();
        let (said, _) = said.rsplit_once(" (os error").unwrap_or((&said, ""));
        Ok(Some(Value::str(said)))
    }

    /// `_carry`: propagates an exception that was raised before.
    pub(super) fn intrinsic_carry(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [error] => {
                self.carry(error.clone())?;
                Ok(None)
            }
            _ => Err(broken("call")),
        }
    }

    /// `_unwrapped`
    pub(super) fn intrinsic_unwrapped(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [value] => match self.heap.object(value) {
                Some(Object::Special { kind, parts })
                    if *kind == crate::machine::eval::generators::WRAPPED =>
                {
                    parts[0].clone()
                }
                _ => self.end(),
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_open_agens`
    pub(super) fn intrinsic_open_agens(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [] => self.open_async_generators(),
            _ => return Err(broken("call")),
        }))
    }

    /// `_locals_of`
    pub(super) fn intrinsic_locals_of(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [generator] => self.locals_of_generator(generator)?,
            _ => return Err(broken("call")),
        }))
    }

    /// `_program_names`
    pub(super) fn intrinsic_program_names(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [] => match self.main_frame() {
                Some(frame) => Value::Object(frame.globals),
                None => Value::None,
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_doctest_run`
    pub(super) fn intrinsic_doctest_run(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [Value::Str(text), names] => self.run_example(text, names),
            _ => Err(broken("call")),
        }
    }

    /// `_stack_new`
    pub(super) fn intrinsic_stack_new(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [function, argument] => self.new_stack(function, argument)?,
            _ => return Err(broken("call")),
        }))
    }

    /// `_stack_switch`
    pub(super) fn intrinsic_stack_switch(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [Value::Int(to)] => self.switch_stack(*to, false),
            _ => Err(broken("call")),
        }
    }

    /// `_stack_leave`
    pub(super) fn intrinsic_stack_leave(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        match arguments {
            [Value::Int(to)] => self.switch_stack(*to, true),
            _ => Err(broken("call")),
        }
    }

    /// `_caller`: returns the name and the line of the innermost function of the program.
    pub(super) fn intrinsic_caller(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [] => match self.frames.iter().rev().find(|f| !self.is_runtime(f)) {
                Some(frame) => {
                    let name = Value::str(&frame.code.name);
                    let line = Value::Int(i64::from(frame.line()));
                    self.heap.tuple(vec![name, line])
                }
                None => Value::None,
            },
            _ => return Err(broken("call")),
        }))
    }

    /// `_handled`
    pub(super) fn intrinsic_handled(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [] => {
                let program = self.frames.iter().rev().filter(|f| !self.is_runtime(f));
                let mut handled = program.filter_map(|frame| frame.handled.clone());
                handled.next().unwrap_or(Value::None)
            }
            _ => return Err(broken("call")),
        }))
    }

    /// `_places`: returns lines and functions, outermost first.
    pub(super) fn intrinsic_places(&mut self, arguments: &[Value]) -> Run<Option<Value>> {
        Ok(Some(match arguments {
            [error] => {
                let id = error.id().map_or(u32::MAX, |id| id.0);
                let places = self.record.tracebacks.get(&id).cloned();
                let places = places.unwrap_or_default().into_iter().rev();
                let places = places
                    .map(|(line, name, is_entry)| {
                        let place = vec![
                            Value::Int(line.into()),
                            Value::Str(name),
                            Value::Bool(is_entry),
                        ];
                        self.heap.tuple(place)
                    })
                    .collect();
                self.heap.list(places)
            }
            _ => return Err(broken("call")),
        }))
    }
}
