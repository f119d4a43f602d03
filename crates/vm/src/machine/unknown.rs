//! Unknown values, if [`Settings::unknown`](super::Settings) lets planning continue with them.
//!
//! Nothing is known of such a value, so nothing that needs one raises, decides or is asked:
//!
//! | use | effect |
//! |---|---|
//! | attribute, item, operator, comparison, text, call, builtin | the result is unknown, too |
//! | passed to the program's own functions, bound, stored, returned | as for other values |
//! | a mutable object is passed to it | the object is unknown from then on |
//! | decides: `if`, `for`, `except`, `raise`, `match` | planning ends |
//!
//! With `either_way` planning continues at `if`, `while` and `for`.
//!
//! An unknown value is an [`Object::Opaque`] of a class that no program names. Any other use would
//! have to ask or raise; both end planning.

use std::sync::Arc;

use super::ask::Ask;
use super::{Flow, Frame, Machine, Run, Unsupported};
use crate::code::{Instruction, Op};
use crate::fold::BinaryOp;
use crate::machine::eval::eval_loop::broken;
use crate::operation::Operation;
use crate::stand_in::{Used, Wishes};
use crate::value::{Object, ObjectId, UNKNOWN_MODULE, Value};

/// End of the reason if planning ends because an unknown value decides.
pub const WOULD_DECIDE: &str = "would decide";
/// Class of unknown values.
pub(super) const CLASS: &str = "codexec.unknown";
/// Maximum items of a container that are looked at.
const MOST_ITEMS: usize = 64;
/// Maximum depth of nested containers that are looked at.
const MOST_DEPTH: usize = 3;
/// Names that `ctypes` has on other systems.
const CTYPES_ELSEWHERE: [&str; 8] = [
    "FormatError",
    "GetLastError",
    "HRESULT",
    "OleDLL",
    "WinDLL",
    "WinError",
    "oledll",
    "windll",
];
/// Functions that do not return.
const ENDS: [&str; 4] = ["os._exit", "os.abort", "os.exec", "sys.exit"];
/// Methods of lists, deques and dicts that look at no item, so that an unknown one is moved as it
/// is.
const MOVES: [&str; 14] = [
    "append",
    "appendleft",
    "clear",
    "copy",
    "extend",
    "extendleft",
    "items",
    "keys",
    "popitem",
    "popleft",
    "reverse",
    "rotate",
    "update",
    "values",
];
/// The ones whose first argument is a key or an index, which has to be known.
const TAKES_KEY: [&str; 4] = ["get", "insert", "pop", "setdefault"];
/// Functions and classes that do not look at items either.
const OF_CONTAINERS: [&str; 9] = [
    "enumerate",
    "iter",
    "len",
    "list",
    "next",
    "reversed",
    "tuple",
    "type",
    "zip",
];
/// Methods whose arguments are containers, which have to be known.
const TAKES_ITEMS: [&str; 3] = ["extend", "extendleft", "update"];

impl Machine {
    /// Returns an unknown value of a module, which records where it began.
    pub(super) fn unknown_module(&mut self, module: &str) -> Value {
        let line = self.current_line();
        let what = module.to_owned();
        let is_new = !self.doubts.unknown.iter().any(|one| one.what == what);
        if is_new {
            let file = self.current_file();
            self.doubts.unknown.push(Unsupported {
                what,
                line,
                file,
                skipped: false,
            });
        }
        let value = self.heap.make(Object::Opaque {
            class: UNKNOWN_MODULE.into(),
            text: module.into(),
        });
        if is_new && self.goes_on() {
            self.note(Used::Import, module, &value, "module", None);
        }
        value
    }

    /// Returns an unknown value, if planning may continue with one.
    pub(super) fn unknown_here(&mut self, what: &str) -> Run<Value> {
        match self.has_unknown() {
            true => Ok(self.unknown_module(what)),
            false => Err(Flow::Unsupported(what.to_owned())),
        }
    }

    /// Returns a module's member that is data, which a trace would have to show.
    pub(super) fn unknown_data(&mut self, name: &str) -> Run<Value> {
        match self.has_unknown() {
            true => Ok(self.unknown_module(name)),
            false => Err(Flow::Unsupported(format!(
                "a value of {name}, which is not known"
            ))),
        }
    }

    /// Returns the value of a library function or class that depends on more than its arguments, if
    /// planning continues with unknown values. `None` if planning ends.
    pub(super) fn made_elsewhere(
        &mut self,
        name: &str,
        arguments: &[Value],
        keywords: &[(Arc<str>, Value)],
    ) -> Run<Option<Value>> {
        let returns = !ENDS.iter().any(|prefix| name.starts_with(prefix));
        if !self.has_unknown() || !returns {
            return Ok(None);
        }
        if self.goes_on() {
            return self.not_modelled(name).map(Some);
        }
        let module: Arc<str> = name.into();
        for argument in arguments
            .iter()
            .chain(keywords.iter().map(|(_, value)| value))
        {
            self.forget(argument, &module, MOST_DEPTH)?;
        }
        Ok(Some(self.unknown_module(name)))
    }

    /// Returns the result of using an unknown value. A trace has no such value: without
    /// `settings.unknown` planning ends.
    fn unknown_result(&mut self, module: Arc<str>) -> Run<Value> {
        if self.has_unknown() {
            Ok(self.unknown_value(module))
        } else {
            Err(Flow::Unsupported(format!(
                "a value of {module}, which is not known"
            )))
        }
    }

    pub(super) fn unknown_value(&mut self, module: Arc<str>) -> Value {
        if self.goes_on() {
            return self.new_stand_in(&module, "object", &Wishes::default(), None);
        }
        self.heap.make(Object::Opaque {
            class: CLASS.into(),
            text: module,
        })
    }

    /// Returns the modules of unknown values, each with the line that first used it.
    pub fn unknown(&self) -> &[Unsupported] {
        &self.doubts.unknown
    }

    /// Whether a value is unknown.
    pub(super) fn is_unknown(&self, value: &Value) -> bool {
        self.module_of(value).is_some()
    }

    /// Returns the module of an unknown value.
    pub(super) fn module_of(&self, value: &Value) -> Option<Arc<str>> {
        match self.heap.object(value) {
            Some(Object::Opaque { class, text })
                if &**class == CLASS || &**class == UNKNOWN_MODULE =>
            {
                Some(text.clone())
            }
            _ => None,
        }
    }

    /// Returns the module of an unknown value in a value, as far as containers are searched.
    fn module_in(&self, value: &Value, depth: usize) -> Option<Arc<str>> {
        if let Some(module) = self.module_of(value) {
            return Some(module);
        }
        if depth == 0 {
            return None;
        }
        let find = |items: &mut dyn Iterator<Item = &Value>| {
            let mut items = items.take(MOST_ITEMS);
            items.find_map(|item| self.module_in(item, depth - 1))
        };
        match self.heap.object(value)? {
            Object::List(items) => find(&mut items.iter()),
            Object::Tuple(items) => find(&mut items.iter()),
            Object::Dict(entries, _) => find(&mut entries.values().map(|(_, item)| item)),
            _ => None,
        }
    }

    /// Ends planning if a question or an exception would concern an unknown value.
    pub(super) fn refuse_unknown(&self, operands: &[Value]) -> Run<()> {
        if self.doubts.unknown.is_empty() {
            return Ok(());
        }
        match operands
            .iter()
            .find_map(|value| self.module_in(value, MOST_DEPTH))
        {
            Some(module) => Err(needs(&module)),
            None => Ok(()),
        }
    }

    /// Whether a method of a container moves items without looking at them.
    fn moves_items(&self, name: &str, receiver: &Value, arguments: &[Value]) -> bool {
        let of_container = matches!(
            self.heap.object(receiver),
            Some(Object::List(_) | Object::Deque(..) | Object::Dict(..))
        );
        let unknown = |value: &Value| self.module_of(value).is_some();
        of_container
            && match name {
                name if TAKES_KEY.contains(&name) => arguments
                    .first()
                    .is_none_or(|key| self.module_in(key, MOST_DEPTH).is_none()),
                name if TAKES_ITEMS.contains(&name) => !arguments.iter().any(unknown),
                name => MOVES.contains(&name),
            }
    }

    /// Whether the result of an operation is known although items of its operands are unknown: it
    /// moves them, counts them, or takes one by a known key.
    pub(super) fn is_of_containers(&self, ask: &Ask) -> bool {
        let known = |at: usize| {
            let operand = ask.operands.get(at);
            operand.is_none_or(|value| self.module_of(value).is_none())
        };
        let whole = |at: usize| {
            let operand = ask.operands.get(at);
            operand.is_none_or(|value| self.module_in(value, MOST_DEPTH).is_none())
        };
        let is_dict = |at: usize| {
            let operand = ask.operands.get(at);
            matches!(
                operand.and_then(|value| self.heap.object(value)),
                Some(Object::Dict(..))
            )
        };
        match &ask.operation {
            Operation::Method(name) => match ask.operands.split_first() {
                Some((receiver, arguments)) => self.moves_items(name, receiver, arguments),
                None => false,
            },
            Operation::Binary(BinaryOp::Add | BinaryOp::Multiply, _) => known(0) && known(1),
            Operation::Truth | Operation::Items => known(0),
            Operation::Subscript => known(0) && whole(1),
            Operation::StoreSubscript => known(0) && whole(1),
            Operation::DeleteSubscript => known(0) && whole(1),
            Operation::Contains => (0..2).any(|at| is_dict(at) && whole(1 - at)),
            Operation::Call(name) => {
                OF_CONTAINERS.contains(&&**name) && (0..ask.operands.len()).all(known)
            }
            _ => false,
        }
    }

    /// Ends planning instead of an exception whose message names the class of unknown values.
    pub(super) fn names_unknown(&self, message: &str) -> Option<Flow> {
        let found = !self.doubts.unknown.is_empty() && message.contains(CLASS);
        let first = found.then(|| self.doubts.unknown.first()).flatten();
        first.map(|first| needs(&first.what))
    }

    /// Ends planning if an exception leaves a library function, `left`, that holds an unknown
    /// value, which may have caused it.
    pub(super) fn refuse_error_of_unknown(&self, left: &Frame, error: &Value) -> Run<()> {
        if self.doubts.unknown.is_empty() || self.goes_on() {
            return Ok(());
        }
        let in_library = |frame: &Frame| self.is_runtime(frame) || self.is_hidden(frame.globals);
        let ends = [
            "StopIteration",
            "StopAsyncIteration",
            "GeneratorExit",
            "SystemExit",
        ];
        if !in_library(left)
            || self.frames.last().is_some_and(in_library)
            || ends.iter().any(|kind| self.is_a(error, kind))
        {
            return Ok(());
        }
        let mut held = left.fast.iter().flatten();
        match held.find_map(|value| self.module_in(value, 1)) {
            Some(module) => Err(needs(&module)),
            None => Ok(()),
        }
    }

    /// Makes an object unknown from now on, if it can change.
    pub(super) fn forget(&mut self, value: &Value, module: &Arc<str>, depth: usize) -> Run<()> {
        let Some(id) = value.id() else {
            return Ok(());
        };
        let items: Vec<Value> = match self.heap.get(id) {
            Object::List(items) => items.iter().take(MOST_ITEMS).cloned().collect(),
            Object::Tuple(items) => items.iter().take(MOST_ITEMS).cloned().collect(),
            Object::Dict(entries, _) => {
                let all = entries.values().take(MOST_ITEMS);
                all.map(|(_, item)| item.clone()).collect()
            }
            Object::Method { receiver, .. } | Object::BuiltinMethod { receiver, .. } => {
                vec![receiver.clone()]
            }
            Object::Instance { class, .. } if self.is_exception_class(*class) => return Ok(()),
            Object::Set(_)
            | Object::Bytearray(_)
            | Object::Deque(..)
            | Object::Iterator(_)
            | Object::Instance { .. } => Vec::new(),
            Object::Generator { .. } => return Err(needs(module)),
            _ => return Ok(()),
        };
        if depth > 0 {
            for item in &items {
                self.forget(item, module, depth - 1)?;
            }
        }
        if matches!(
            self.heap.get(id),
            Object::Tuple(_) | Object::Method { .. } | Object::BuiltinMethod { .. }
        ) {
            return Ok(());
        }
        if self.is_namespace(id) {
            return Err(needs(module));
        }
        *self.heap.get_mut(id) = Object::Opaque {
            class: CLASS.into(),
            text: module.clone(),
        };
        Ok(())
    }

    fn is_namespace(&self, id: ObjectId) -> bool {
        let of = |frame: &Frame| frame.globals == id || frame.namespace == Some(id);
        self.frames.iter().any(of)
            || self.stacks.waiting().any(of)
            || id == self.runtime.builtins
            || id == self.runtime.core
    }

    /// Returns the module of an unknown value among the topmost `count` values of the stack. Nulls
    /// do not count.
    fn among(&self, count: usize) -> Option<Arc<str>> {
        let stack = &self.frames.last()?.stack;
        let top = stack.iter().rev().take(count).flatten();
        top.into_iter().find_map(|value| self.module_of(value))
    }

    /// Returns the module of an unknown value at this depth; 1 is the top.
    fn unknown_at(&self, depth: usize) -> Option<Arc<str>> {
        let stack = &self.frames.last()?.stack;
        let at = stack.len().checked_sub(depth)?;
        self.module_of(stack.get(at)?.as_ref()?)
    }

    /// Whether the value at this depth is the sentinel for no value; 1 is the top.
    fn is_end(&self, depth: usize) -> bool {
        let stack = self.frames.last().map_or(&[][..], |frame| &frame.stack);
        let at = stack.len().checked_sub(depth);
        let value = at.and_then(|at| stack[at].as_ref());
        value.is_some_and(|value| value.id() == self.library.end.id())
    }

    fn replace(&mut self, count: usize, module: Arc<str>) -> Run<bool> {
        for _ in 0..count {
            self.pop_slot()?;
        }
        let value = self.unknown_result(module)?;
        self.push(value)?;
        Ok(true)
    }

    /// Executes an instruction with an unknown operand. Returns false if it has none, or may have
    /// one.
    pub(super) fn execute_unknown(&mut self, instruction: Instruction) -> Run<bool> {
        if self.doubts.unknown.is_empty() || self.goes_on() {
            return Ok(false);
        }
        if self.settings.either_way && self.go_either_way(instruction)? {
            return Ok(true);
        }
        let arg = instruction.arg as usize;
        if let (Op::LoadAttr | Op::LoadMethod | Op::ImportFrom, false) =
            (instruction.op, self.settings.unknown)
        {
            self.refuse_elsewhere(instruction)?;
        }
        // The number of operands that the result replaces.
        let replaced = match instruction.op {
            Op::LoadAttr
            | Op::UnaryNegative
            | Op::UnaryInvert
            | Op::UnaryPositive
            | Op::UnaryNot => 1,
            // A program never holds the runtime's own sentinel for no value.
            Op::IsOp if [1, 2].iter().any(|at| self.is_end(*at)) => return Ok(false),
            Op::BinarySubscr if self.settings.open_world && self.is_unknown_key_of_nothing()? => {
                return Err(self.raise("KeyError", ""));
            }
            // An empty container contains nothing.
            Op::ContainsOp if self.is_unknown_in_nothing()? => {
                self.pop_many(2)?;
                self.push(Value::Bool(arg == 1))?;
                return Ok(true);
            }
            Op::CompareOp | Op::IsOp | Op::ContainsOp | Op::BinarySubscr => 2,
            Op::BinaryOp => return self.unknown_operator(instruction.arg),
            Op::FormatValue => return self.unknown_format(arg),
            Op::BuildString | Op::BuildSlice | Op::BuildSet => arg,
            Op::LoadMethod => {
                let Some(module) = self.among(1) else {
                    return Ok(false);
                };
                self.pop()?;
                self.push_null()?;
                return self.replace(0, module);
            }
            Op::StoreAttr if self.among(1).is_some() => {
                self.pop_many(2)?;
                return Ok(true);
            }
            Op::DeleteAttr if self.among(1).is_some() => {
                self.pop()?;
                return Ok(true);
            }
            Op::StoreSubscr | Op::DeleteSubscr => return self.unknown_item(instruction.op),
            Op::UnpackSequence => {
                let Some(module) = self.among(1) else {
                    return Ok(false);
                };
                self.pop()?;
                for _ in 0..arg {
                    self.replace(0, module.clone())?;
                }
                return Ok(true);
            }
            Op::ImportFrom => return self.unknown_import(arg),
            Op::BeforeWith => {
                return match self.among(1) {
                    Some(module) => {
                        self.replace(1, module.clone())?;
                        self.replace(0, module)
                    }
                    None => Ok(false),
                };
            }
            Op::Call => return self.unknown_call(arg),
            Op::CallFunctionEx => return self.unknown_call_ex(arg & 1 == 1),
            Op::WithExceptStart => {
                return match self.unknown_at(4) {
                    Some(module) => Err(needs(&module)),
                    None => Ok(false),
                };
            }
            Op::BuildMap => {
                let key = (0..arg).find_map(|pair| self.unknown_at(2 * pair + 2));
                return match key {
                    Some(module) => self.replace(2 * arg, module),
                    None => Ok(false),
                };
            }
            _ => return self.unknown_decides(instruction),
        };
        match self.among(replaced) {
            Some(module) => self.replace(replaced, module),
            None => Ok(false),
        }
    }

    /// Stores or deletes an item with an unknown key or container: the container is unknown from
    /// then on.
    fn unknown_item(&mut self, op: Op) -> Run<bool> {
        let Some(module) = self.among(2) else {
            return Ok(false);
        };
        self.pop()?;
        let container = self.pop()?;
        if op == Op::StoreSubscr {
            self.pop()?;
        }
        self.forget(&container, &module, 0)?;
        Ok(true)
    }

    /// Imports a name from an unknown module.
    fn unknown_import(&mut self, index: usize) -> Run<bool> {
        // An import from an unknown module is also unknown, and nothing was done with it yet.
        let Some(module) = self.among(1) else {
            return Ok(false);
        };
        // A package that raised still has modules.
        let part = format!("{module}.{}", self.name(index)?);
        let value = match self.globals_of(&part) {
            Some(_) if self.library.unknown.contains_key(&module) => self.module(&part),
            _ => self.unknown_value(module),
        };
        self.push(value)?;
        Ok(true)
    }

    /// Ends planning if an unknown value decides what an instruction does.
    fn unknown_decides(&self, instruction: Instruction) -> Run<bool> {
        let arg = instruction.arg as usize;
        match instruction.op {
            Op::PopJumpIfFalse
            | Op::PopJumpIfTrue
            | Op::PopJumpIfNone
            | Op::PopJumpIfNotNone
            | Op::JumpIfFalseOrPop
            | Op::JumpIfTrueOrPop
            | Op::GetIter
            | Op::GetYieldFromIter
            | Op::UnpackEx
            | Op::ListExtend
            | Op::DictUpdate
            | Op::DictMerge
            | Op::GetLen
            | Op::MatchMapping
            | Op::MatchSequence
            | Op::ImportStar => self.ends_planning(1, 0),
            // Sets look at their items; a tuple of classes may contain an unknown one.
            Op::SetAdd | Op::SetUpdate | Op::CheckExcMatch => self.ends_planning(1, 1),
            Op::MapAdd | Op::MatchKeys | Op::MatchClass => self.ends_planning(2, 1),
            Op::RaiseVarargs => self.ends_planning(arg, 1),
            _ => Ok(false),
        }
    }

    /// Raises for members that a module has only on another system.
    fn refuse_elsewhere(&mut self, instruction: Instruction) -> Run<()> {
        let arg = instruction.arg as usize;
        let name = self.name(arg)?;
        if self.among(1).is_none_or(|module| &*module != "ctypes")
            || !CTYPES_ELSEWHERE.contains(&&*name)
        {
            return Ok(());
        }
        Err(match instruction.op {
            Op::ImportFrom => self.cannot_import("ctypes", &name),
            _ => {
                let message = format!("module 'ctypes' has no attribute '{name}'");
                self.raise("AttributeError", &message)
            }
        })
    }

    /// Whether the top is an unknown key, and below it is an empty dict, which has no key.
    fn is_unknown_key_of_nothing(&mut self) -> Run<bool> {
        let (container, key) = (self.peek(2)?, self.peek(1)?);
        let is_empty = matches!(self.heap.object(&container), Some(Object::Dict(entries, _)) if entries.is_empty());
        Ok(is_empty && self.module_of(&key).is_some())
    }

    /// Whether the top is an empty container, and below it is an unknown value, which it cannot
    /// contain.
    fn is_unknown_in_nothing(&mut self) -> Run<bool> {
        let (item, container) = (self.peek(2)?, self.peek(1)?);
        let is_empty = match self.heap.object(&container) {
            Some(Object::List(items)) => items.is_empty(),
            Some(Object::Tuple(items)) => items.is_empty(),
            Some(Object::Dict(entries, _)) => entries.is_empty(),
            Some(Object::Set(items) | Object::Frozenset(items)) => items.is_empty(),
            _ => false,
        };
        Ok(is_empty && self.module_of(&item).is_some())
    }

    /// Ends planning if one of the topmost `count` values is unknown, or contains an unknown one up
    /// to this depth.
    fn ends_planning(&self, count: usize, depth: usize) -> Run<bool> {
        let stack = self.frames.last().map_or(&[][..], |frame| &frame.stack);
        let top = stack.iter().rev().take(count).flatten();
        match top
            .into_iter()
            .find_map(|value| self.module_in(value, depth))
        {
            Some(module) => Err(needs(&module)),
            None => Ok(false),
        }
    }

    fn unknown_operator(&mut self, arg: u32) -> Run<bool> {
        let (left, right) = (self.peek(2)?, self.peek(1)?);
        let of_left = self.module_of(&left);
        let divides = matches!(
            BinaryOp::from_nb(arg),
            Some((BinaryOp::TrueDivide | BinaryOp::FloorDivide, _))
        );
        // This is so for every number.
        if self.settings.open_world && divides && right == Value::Int(0) && of_left.is_some() {
            return Err(self.raise("ZeroDivisionError", "division by zero"));
        }
        let module = of_left.or_else(|| self.module_of(&right));
        // `'%s' % (value,)`
        let in_text = || match left {
            Value::Str(_) => self.module_in(&right, MOST_DEPTH),
            _ => None,
        };
        let Some(module) = module.or_else(in_text) else {
            return Ok(false);
        };
        if matches!(BinaryOp::from_nb(arg), Some((_, true))) {
            self.forget(&left, &module, 0)?;
        }
        self.replace(2, module)
    }

    fn unknown_format(&mut self, arg: usize) -> Run<bool> {
        let count = 1 + usize::from(arg & 4 == 4);
        let value = self.peek(count)?;
        match self
            .module_in(&value, MOST_DEPTH)
            .or_else(|| self.among(count))
        {
            Some(module) => self.replace(count, module),
            None => Ok(false),
        }
    }

    fn unknown_call(&mut self, count: usize) -> Run<bool> {
        let stack = &self.frames.last().ok_or_else(|| broken("frame"))?.stack;
        let at = stack
            .len()
            .checked_sub(count + 2)
            .ok_or_else(|| broken("function"))?;
        let (Some(function), arguments) = (match &stack[at] {
            Some(function) => (Some(function.clone()), stack[at + 1..].to_vec()),
            None => (stack[at + 1].clone(), stack[at + 2..].to_vec()),
        }) else {
            return Err(broken("function"));
        };
        let arguments: Vec<Value> = arguments.into_iter().flatten().collect();
        let Some(result) = self.result_of(&function, &arguments)? else {
            return Ok(false);
        };
        self.pop_slots(count + 2)?;
        self.top()?.keywords.clear();
        self.push(result)?;
        Ok(true)
    }

    fn unknown_call_ex(&mut self, has_keywords: bool) -> Run<bool> {
        let extra = usize::from(has_keywords);
        let function = self.peek(2 + extra)?;
        let mut arguments = vec![self.peek(1)?];
        if has_keywords {
            arguments.push(self.peek(2)?);
        }
        let Some(result) = self.result_of(&function, &arguments)? else {
            return Ok(false);
        };
        self.pop_slots(3 + extra)?;
        self.push(result)?;
        Ok(true)
    }

    fn pop_slots(&mut self, count: usize) -> Run<()> {
        for _ in 0..count {
            self.pop_slot()?;
        }
        Ok(())
    }

    /// Returns the result of a call with an unknown operand. `None` if it has none, or if the
    /// program's own code may continue with it.
    fn result_of(&mut self, function: &Value, arguments: &[Value]) -> Run<Option<Value>> {
        let of_function = self.module_of(function);
        let given = || {
            let mut all = arguments.iter();
            all.find_map(|value| self.module_in(value, MOST_DEPTH))
        };
        let Some(module) = of_function.clone().or_else(given) else {
            return Ok(None);
        };
        if of_function.is_none() {
            let all_known = |machine: &Self| {
                let mut all = arguments.iter();
                all.all(|value| machine.module_of(value).is_none())
            };
            match self.heap.object(function) {
                Some(Object::Builtin(name)) if &**name == "print" => return Ok(Some(Value::None)),
                Some(Object::Builtin(name)) => {
                    if OF_CONTAINERS.contains(&&**name) && all_known(self) {
                        return Ok(None);
                    }
                }
                Some(Object::Class(class)) if class.builtin.is_some() => {
                    if OF_CONTAINERS.contains(&&*class.name) && all_known(self) {
                        return Ok(None);
                    }
                }
                Some(Object::BuiltinMethod { receiver, name }) => {
                    if self.moves_items(name, receiver, arguments) {
                        return Ok(None);
                    }
                    let receiver = receiver.clone();
                    self.forget(&receiver, &module, 0)?;
                }
                _ => return Ok(None),
            }
        }
        for argument in arguments {
            self.forget(argument, &module, MOST_DEPTH)?;
        }
        self.unknown_result(module).map(Some)
    }
}

pub(super) fn needs(module: &str) -> Flow {
    Flow::Unsupported(format!("a value of {module} {WOULD_DECIDE}"))
}
