//! Plain instructions, executed one after another without other checks.
//!
//! Most instructions move numbers, texts and references between names, the stack and lists. The
//! work of [`Machine::next_instruction`] around each of them (steps, finalisers, stand-ins,
//! questions) concerns them only at certain points. Here they are executed up to the next such
//! point. An instruction that is not plain is left to it, as if nothing had been done.

use crate::code::{Code, Instruction, Op};
use crate::machine::calls::builtins::scalars::{converted, is_of_scalars};
use crate::machine::eval::plain::{Done, Plain};
use crate::machine::{After, Machine};
use crate::value::{Object, ObjectId, Value};

/// Builtins that programs call most.
enum Builtin {
    /// `len`
    Length,
    /// `append` of a list.
    Append(ObjectId),
}

impl Builtin {
    fn of(called: &Object) -> Option<Self> {
        match called {
            Object::Builtin(name) if &**name == "len" => Some(Self::Length),
            Object::BuiltinMethod { receiver, name } if &**name == "append" => {
                receiver.id().map(Self::Append)
            }
            _ => None,
        }
    }
}

/// Where plain execution stopped.
enum Stop {
    /// Before an instruction that is not plain, or where a step ends.
    Here,
    /// Before a call or a return, which may be plain. `true` if its line is counted.
    Leaving(Instruction, bool),
}

impl Machine {
    /// Executes plain instructions, including those of plain calls and returns. Stops before the
    /// first one that is not plain, and where a step ends.
    pub(in crate::machine) fn run_plain(&mut self) {
        while let Stop::Leaving(instruction, event) = self.run_in_frame() {
            let module = self.stacks.module;
            let line = self.frames.last().and_then(|frame| {
                let is_module = frame.namespace == Some(frame.globals);
                (is_module && module == Some(frame.globals)).then_some(instruction.line)
            });
            let is_done = match instruction.op {
                Op::Call => self.call_quickly(instruction.arg as usize),
                _ => self.return_quickly(),
            };
            if is_done.is_none() {
                return;
            }
            self.budget.instructions += 1;
            if event && let Some(raises) = &mut self.record.raises {
                raises.count(line);
            }
        }
    }

    /// Executes plain instructions of the innermost frame.
    fn run_in_frame(&mut self) -> Stop {
        let most = self.plain_until();
        // At the recursion limit even a comparison may be too deep.
        let is_quiet = self.dropped.is_quiet() && self.settings.fold.operators() && self.room() > 0;
        let module = self.stacks.module;
        let instructions = self.budget.instructions;
        let is_replaced = !self.runtime.replaced.is_empty();
        let max_steps = self.settings.max_steps;
        let items = !self.settings.unknown
            && self.doubts.unknown.is_empty()
            && !self.own_keys.wanted
            && self.heap.stand_ins.is_empty();
        let objects = items && !self.reads_itself && self.own_dicts.is_empty();
        let is_far = self.is_far_from_deep();
        let Some(frame) = self.frames.last_mut() else {
            return Stop::Here;
        };
        let Some(mut last) = frame.last.filter(|_| is_quiet && instructions < most) else {
            return Stop::Here;
        };
        if frame.truth.is_some() || !frame.found_keys.is_empty() || !frame.keywords.is_empty() {
            return Stop::Here;
        }
        let counts_steps = self.record.raises.is_some();
        let is_module = frame.namespace == Some(frame.globals) && module == Some(frame.globals);
        let traced = frame.traced;
        let entry = match traced {
            true => entry_of(&frame.code),
            false => 0,
        };
        if traced && last < entry {
            return Stop::Here;
        }
        // Code from the library's source looks names up there before the builtins.
        let of_source = !self.library.sources.is_empty() && self.library.is_source(frame.globals);
        let is_own = frame.code.library.is_none() && !of_source;
        let code = &*frame.code;
        let mut plain = Plain {
            heap: &mut self.heap,
            code,
            stack: &mut frame.stack,
            fast: &mut frame.fast,
            cells: &frame.cells,
            globals: frame.globals,
            namespace: frame.namespace,
            builtins: (is_own && !is_replaced).then_some(self.runtime.builtins),
            items,
            objects,
            is_far,
            folded: 0,
            bytes: 0,
            charged: 0,
        };
        let mut next = frame.next;
        let mut done = 0;
        let mut stop = Stop::Here;
        while let Some(&instruction) = code.instructions.get(next)
            && instructions + done + plain.charged < most
        {
            let mut event = false;
            if traced {
                let last_line = match last <= entry {
                    true => 0,
                    false => code.instructions[last].line,
                };
                let line = instruction.line;
                event = line != 0 && (line != last_line || next < last);
                if event && !counts_steps {
                    break;
                }
            }
            if event
                && let Some(raises) = &self.record.raises
                && raises.is_full(max_steps)
            {
                break;
            }
            let following = match plain.execute(instruction) {
                Done::Next => next + 1,
                Done::Jump(target) => target,
                Done::Leaves => {
                    stop = Stop::Leaving(instruction, event);
                    break;
                }
                Done::Not => break,
            };
            if event && let Some(raises) = &mut self.record.raises {
                raises.count(is_module.then_some(instruction.line));
            }
            (last, next) = (next, following);
            done += 1;
        }
        if is_own {
            self.record.counts.folded += plain.folded;
        }
        self.budget.bytes = self.budget.bytes.saturating_add(plain.bytes);
        self.budget.instructions += done + plain.charged;
        (frame.last, frame.next) = (Some(last), next);
        stop
    }

    /// Calls a function of the program whose parameters have arguments or defaults. `None` if more
    /// has to be done.
    fn call_quickly(&mut self, count: usize) -> Option<()> {
        let stack = &self.frames.last()?.stack;
        let base = stack.len().checked_sub(count + 2)?;
        let (called, mut receiver) = match (&stack[base], &stack[base + 1]) {
            (Some(function), Some(receiver)) => (function, Some(receiver)),
            (None, Some(function)) => (function, None),
            _ => return None,
        };
        let mut called = self.heap.get(called.id()?);
        if let (
            Object::Method {
                function,
                receiver: of,
            },
            None,
        ) = (called, receiver)
        {
            receiver = Some(of);
            called = self.heap.get(function.id()?);
        }
        let Object::Function(function) = called else {
            let builtin = Builtin::of(called);
            if let (None, Object::BuiltinMethod { receiver: of, name }, None) =
                (&builtin, called, receiver)
            {
                let (of, name) = (of.clone(), name.clone());
                let arguments: Option<Vec<Value>> = stack[base + 2..].iter().cloned().collect();
                let value = self.method_quickly(&of, &name, &arguments?)?;
                return self.give_quickly(base, value);
            }
            if let (None, Object::Builtin(name), None) = (&builtin, called, receiver)
                && is_of_scalars(name)
            {
                let name = name.clone();
                let arguments: Option<Vec<Value>> = stack[base + 2..].iter().cloned().collect();
                let value = self.of_scalars(&name, &arguments?, &Vec::new())?;
                return self.give_quickly(base, value);
            }
            if let (Object::Class(class), None, [Some(argument)]) =
                (called, receiver, &stack[base + 2..])
                && let Some(value) = converted(class, argument)
                && self.settings.fold.methods()
            {
                self.count_folded();
                return self.give_quickly(base, value);
            }
            let builtin = builtin?;
            let [argument] = &stack[base + 2..] else {
                return None;
            };
            let argument = argument.clone().filter(|_| receiver.is_none())?;
            return self.builtin_quickly(&builtin, argument);
        };
        let code = &function.code;
        let given = count + usize::from(receiver.is_some());
        let is_plain = !function.hidden
            && !code.has_varargs
            && !code.has_varkeywords
            && code.kwonly_arg_count == 0
            && given <= code.arg_count as usize;
        let missing = (code.arg_count as usize).saturating_sub(given);
        let defaults = function.defaults.len().checked_sub(missing)?;
        let arguments = &stack[base + 2..];
        if !is_plain || !self.is_far_from_deep() || arguments.iter().any(Option::is_none) {
            return None;
        }
        let mut fast = Vec::with_capacity(code.var_names.len());
        fast.extend(receiver.cloned().map(Some));
        fast.extend_from_slice(arguments);
        fast.extend(function.defaults[defaults..].iter().cloned().map(Some));
        fast.resize(code.var_names.len(), None);
        let function = function.clone();
        if self.goes_on() {
            let code = std::sync::Arc::as_ptr(&function.code) as usize;
            self.stand_ins.entered.insert(code);
        }
        let caller = self.frames.last_mut()?;
        caller.stack.truncate(base);
        (caller.last, caller.next) = (Some(caller.next), caller.next + 1);
        let code = function.code.clone();
        let mut frame = self.frame(code, function.globals, None, After::Push, true);
        frame.fast = fast;
        self.close_over(&mut frame, &function);
        self.push_frame(frame);
        Some(())
    }

    /// Replaces the callable and its arguments by the value of the call.
    fn give_quickly(&mut self, base: usize, value: Value) -> Option<()> {
        let frame = self.frames.last_mut()?;
        frame.stack.truncate(base);
        frame.stack.push(Some(value));
        (frame.last, frame.next) = (Some(frame.next), frame.next + 1);
        Some(())
    }

    /// Calls a builtin with one argument.
    fn builtin_quickly(&mut self, called: &Builtin, argument: Value) -> Option<()> {
        if !self.settings.fold.methods() {
            return None;
        }
        let value = match called {
            Builtin::Length => {
                let length = match self.heap.object(&argument)? {
                    Object::List(items) => items.len(),
                    Object::Tuple(items) => items.len(),
                    Object::Dict(entries, _) => entries.len(),
                    _ => return None,
                };
                Value::Int(i64::try_from(length).ok()?)
            }
            Builtin::Append(list) => {
                if !matches!(self.heap.get(*list), Object::List(_)) {
                    return None;
                }
                if let Object::List(items) = self.heap.get_mut(*list) {
                    items.push(argument);
                }
                Value::None
            }
        };
        self.count_folded();
        let frame = self.frames.last_mut()?;
        frame.stack.truncate(frame.stack.len() - 3);
        frame.stack.push(Some(value));
        (frame.last, frame.next) = (Some(frame.next), frame.next + 1);
        Some(())
    }

    /// Returns from a call whose value is pushed. `None` if more has to be done.
    fn return_quickly(&mut self) -> Option<()> {
        let frame = self.frames.last()?;
        let is_quick = self.frames.len() > 1
            && frame.generator.is_none()
            && (!frame.traced || self.record.raises.is_some());
        let value = frame.stack.last()?.as_ref()?;
        if frame.traced
            && let Some(raises) = &self.record.raises
            && raises.is_full(self.settings.max_steps.saturating_sub(1))
        {
            return None;
        }
        let given = match &frame.after {
            After::Push if is_quick => value.clone(),
            After::Operated(_) if is_quick && *value != Value::NotImplemented => value.clone(),
            After::Init(instance) if is_quick && *value == Value::None => instance.clone(),
            _ => return None,
        };
        let left = self.frames.pop()?;
        if left.traced
            && let Some(raises) = &mut self.record.raises
        {
            raises.count(None);
        }
        self.frames.last_mut()?.stack.push(Some(given));
        Some(())
    }
}

/// Returns where the code of a frame begins, after the instructions that make its cells.
pub(in crate::machine) fn entry_of(code: &Code) -> usize {
    let mut instructions = code.instructions.iter();
    instructions.position(|i| i.op == Op::Resume).unwrap_or(0)
}
