//! Instructions: the compiler's output, executed by the machine.
//!
//! They are those of CPython 3.11 (`Python/compile.c`, `dis`), without caches, `EXTENDED_ARG` and
//! specialised forms, because the line events of a trace follow from them: an event is an instruction
//! whose line differs from that of the previously executed one in its frame, or the target of a backward
//! jump. Jump targets are instruction indices, so that conditional jumps need no direction in their
//! name.

use std::sync::Arc;

use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

/// An operation. Names and effects are those of CPython 3.11's `dis`, except for jumps:
/// `PopJumpIfFalse` stands for `POP_JUMP_FORWARD_IF_FALSE` and `POP_JUMP_BACKWARD_IF_FALSE`, `Jump` for
/// `JUMP_FORWARD` and `JUMP_BACKWARD`.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Op {
    AsyncGenWrap,
    BeforeAsyncWith,
    BeforeWith,
    BinaryOp,
    BinarySubscr,
    BuildConstKeyMap,
    BuildList,
    BuildMap,
    BuildSet,
    BuildSlice,
    BuildString,
    BuildTuple,
    Call,
    CallFunctionEx,
    CheckEgMatch,
    CheckExcMatch,
    CompareOp,
    ContainsOp,
    Copy,
    CopyFreeVars,
    DeleteAttr,
    DeleteDeref,
    DeleteFast,
    DeleteGlobal,
    DeleteName,
    DeleteSubscr,
    DictMerge,
    DictUpdate,
    EndAsyncFor,
    ForIter,
    FormatValue,
    GetAiter,
    GetAnext,
    GetAwaitable,
    GetIter,
    GetLen,
    GetYieldFromIter,
    ImportFrom,
    ImportName,
    ImportStar,
    IsOp,
    Jump,
    JumpIfFalseOrPop,
    JumpIfTrueOrPop,
    /// `JUMP_BACKWARD_NO_INTERRUPT`, the loop of `yield from` and `await`.
    JumpNoInterrupt,
    KwNames,
    ListAppend,
    ListExtend,
    ListToTuple,
    LoadAssertionError,
    LoadAttr,
    LoadBuildClass,
    LoadClassderef,
    LoadClosure,
    LoadConst,
    LoadDeref,
    LoadFast,
    LoadGlobal,
    LoadMethod,
    LoadName,
    MakeCell,
    MakeFunction,
    MapAdd,
    MatchClass,
    MatchKeys,
    MatchMapping,
    MatchSequence,
    Nop,
    PopExcept,
    PopJumpIfFalse,
    PopJumpIfNone,
    PopJumpIfNotNone,
    PopJumpIfTrue,
    PopTop,
    Precall,
    PrepReraiseStar,
    PrintExpr,
    PushExcInfo,
    PushNull,
    RaiseVarargs,
    Reraise,
    Resume,
    ReturnGenerator,
    ReturnValue,
    Send,
    SetAdd,
    SetUpdate,
    SetupAnnotations,
    StoreAttr,
    StoreDeref,
    StoreFast,
    StoreGlobal,
    StoreName,
    StoreSubscr,
    Swap,
    UnaryInvert,
    UnaryNegative,
    UnaryNot,
    UnaryPositive,
    UnpackEx,
    UnpackSequence,
    WithExceptStart,
    YieldValue,
}

/// One instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// The operation.
    pub op: Op,
    /// Its argument as in CPython 3.11 (`LOAD_GLOBAL`: name index times two, plus one if a null is
    /// pushed; `BINARY_OP`: `NB_ADD` is 0; `COMPARE_OP`: `<` `<=` `==` `!=` `>` `>=`; `MAKE_FUNCTION`,
    /// `FORMAT_VALUE`: flags), with exceptions: jumps, `ForIter` and `Send` hold the index of the
    /// target instruction; `MakeCell`, `LoadClosure`, `*Deref` and `LoadClassderef` hold an index into
    /// [`Code::cell_vars`] followed by [`Code::free_vars`].
    pub arg: u32,
    /// Line, 1-based; 0 if the instruction has none (`-1` or `None` in CPython).
    pub line: u32,
}

/// A constant of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Constant {
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// An integer that fits.
    Int(i64),
    /// An integer that does not.
    BigInt(Arc<BigInt>),
    /// A float.
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
    /// Text.
    Str(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// `...`
    Ellipsis,
    /// A tuple of constants.
    Tuple(Arc<[Constant]>),
    /// A frozenset of constants, in the order of the source (`x in {1, 2}`).
    Frozenset(Arc<[Constant]>),
    /// The code of a function, lambda, comprehension or class body.
    Code(Arc<Code>),
}

/// Where exceptions of a range of instructions go (CPython 3.11's exception table).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handler {
    /// First instruction that it covers.
    pub start: u32,
    /// End, exclusive.
    pub end: u32,
    /// Where execution continues.
    pub target: u32,
    /// To this many entries the stack is cut.
    pub depth: u32,
    /// Whether the index of the raising instruction is pushed before the exception.
    pub push_lasti: bool,
}

/// A module, function, lambda, comprehension or class body.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Code {
    /// `co_name`, as `<module>`.
    pub name: String,
    /// `co_qualname`.
    pub qualname: String,
    /// `co_firstlineno`, 1-based.
    pub first_line: u32,
    /// `co_argcount`: positional parameters, including positional-only ones.
    pub arg_count: u32,
    /// `co_posonlyargcount`.
    pub posonly_arg_count: u32,
    /// `co_kwonlyargcount`.
    pub kwonly_arg_count: u32,
    /// Has `*args`.
    pub has_varargs: bool,
    /// Has `**kwargs`.
    pub has_varkeywords: bool,
    /// Contains `yield`, or is a generator expression.
    pub is_generator: bool,
    /// `async def` without `yield`.
    pub is_coroutine: bool,
    /// `async def` with `yield`.
    pub is_async_generator: bool,
    /// Locals are fast locals: a function, lambda or comprehension, not a module or class body.
    pub is_optimized: bool,
    /// Made of a text that the program hands to `exec`, `eval` or `compile`: no trace shows its frames.
    pub is_text: bool,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// Handlers, in the order of CPython's table.
    pub handlers: Vec<Handler>,
    /// `co_consts`; for a function the first is its docstring or `None`.
    pub constants: Vec<Constant>,
    /// `co_names`.
    pub names: Vec<Arc<str>>,
    /// `co_varnames`: parameters first, `*args` and `**kwargs` after the keyword-only ones.
    pub var_names: Vec<Arc<str>>,
    /// `co_cellvars`. A parameter that is a cell is also in `var_names`.
    pub cell_vars: Vec<Arc<str>>,
    /// `co_freevars`.
    pub free_vars: Vec<Arc<str>>,
    /// Maximum stack depth; 0 if not computed.
    pub stack_size: u32,
    /// Its library file. `None` for a program's code.
    #[serde(skip)]
    pub library: Option<Arc<LibraryFile>>,
}

/// A library file written in Python.
#[derive(Debug, PartialEq, Eq)]
pub struct LibraryFile {
    /// The module, such as `os.path`; empty for the core, whose names are visible to all files.
    pub module: &'static str,
    /// Lines whose operators concern the program's values, sorted.
    pub asked: &'static [u32],
}

impl Code {
    /// The same code as that of a text, with that of its functions and classes.
    #[must_use]
    pub fn of_text(mut self) -> Self {
        self.is_text = true;
        for constant in &mut self.constants {
            if let Constant::Code(code) = constant {
                *code = Arc::new(Self::clone(code).of_text());
            }
        }
        self
    }

    /// The same code as that of a file of the library, with that of its functions and classes.
    #[must_use]
    pub fn of_library(mut self, file: &Arc<LibraryFile>) -> Self {
        self.library = Some(Arc::clone(file));
        for constant in &mut self.constants {
            if let Constant::Code(code) = constant {
                *code = Arc::new(Arc::unwrap_or_clone(std::mem::take(code)).of_library(file));
            }
        }
        self
    }
}
