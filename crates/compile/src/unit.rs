//! The code of one scope under construction: basic blocks, constants and names.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexSet;

use super::ast::{Loc, Name, ScopeId, Stmt};
use crate::code::{Code, Constant, Op};

/// Index of a basic block of its unit.
pub(super) type BlockId = usize;

/// Operations, including compiler-only ones: these mark the ranges of handlers and emit nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Op(Op),
    SetupFinally,
    SetupCleanup,
    SetupWith,
    PopBlock,
}

impl From<Op> for Act {
    fn from(op: Op) -> Self {
        Act::Op(op)
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Instr {
    pub act: Act,
    pub arg: u32,
    /// Target of jumps and set-ups.
    pub target: BlockId,
    /// -1 if there is none.
    pub line: i32,
    /// The block that handles its exceptions.
    pub except: Option<BlockId>,
}

impl Instr {
    pub(crate) fn is(&self, op: Op) -> bool {
        self.act == Act::Op(op)
    }

    pub(crate) fn is_jump(&self) -> bool {
        matches!(
            self.act,
            Act::Op(
                Op::Jump
                    | Op::JumpNoInterrupt
                    | Op::JumpIfFalseOrPop
                    | Op::JumpIfTrueOrPop
                    | Op::PopJumpIfFalse
                    | Op::PopJumpIfTrue
                    | Op::PopJumpIfNone
                    | Op::PopJumpIfNotNone
                    | Op::ForIter
                    | Op::Send
            )
        )
    }

    pub(crate) fn is_setup(&self) -> bool {
        matches!(
            self.act,
            Act::SetupFinally | Act::SetupCleanup | Act::SetupWith
        )
    }

    pub(crate) fn leaves(&self) -> bool {
        matches!(
            self.act,
            Act::Op(Op::ReturnValue | Op::RaiseVarargs | Op::Reraise)
        )
    }
}

#[derive(Debug, Default, Clone)]
pub(super) struct Block {
    pub instrs: Vec<Instr>,
    pub next: Option<BlockId>,
    /// Ends in a return, raise or reraise.
    pub exit: bool,
    pub no_fallthrough: bool,
    pub returns: bool,
    pub predecessors: u32,
    pub start_depth: Option<i32>,
    pub preserve_lasti: bool,
    pub offset: u32,
}

/// The scope of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnitKind {
    Module,
    Class,
    Function,
    AsyncFunction,
    Lambda,
    Comprehension,
}

/// What `return`, `break` and `continue` have to leave.
#[derive(Debug, Clone, Copy)]
pub(super) enum Frame<'a> {
    WhileLoop { start: BlockId, exit: BlockId },
    ForLoop { start: BlockId, exit: BlockId },
    TryExcept,
    FinallyTry(&'a [Stmt]),
    FinallyEnd,
    With { loc: Loc, is_async: bool },
    HandlerCleanup(Option<&'a Name>),
    PopValue,
    ExceptionHandler,
    GroupHandler,
    AsyncComprehension,
}

#[derive(Debug)]
pub(super) struct Unit<'a> {
    pub kind: UnitKind,
    pub scope: ScopeId,
    pub name: Name,
    pub qualname: String,
    /// The class for private names.
    pub class: Option<Name>,
    pub first_line: i32,
    pub arg_count: u32,
    pub posonly_arg_count: u32,
    pub kwonly_arg_count: u32,
    pub loc: Loc,
    pub constants: Constants,
    pub names: IndexSet<Name>,
    pub var_names: IndexSet<Name>,
    pub cells: IndexSet<Name>,
    pub frees: IndexSet<Name>,
    pub blocks: Vec<Block>,
    pub current: BlockId,
    pub needs_block: bool,
    /// Number of instructions.
    pub pushed: usize,
    pub frames: Vec<Frame<'a>>,
}

impl<'a> Unit<'a> {
    pub(crate) fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        self.blocks.len() - 1
    }

    pub(crate) fn use_block(&mut self, block: BlockId) {
        self.blocks[self.current].next = Some(block);
        self.current = block;
        self.needs_block = false;
    }

    /// Appends an instruction to the current block, or to a new one after a jump.
    pub(crate) fn push(&mut self, act: Act, arg: u32, target: BlockId, line: i32) {
        if self.needs_block {
            let block = self.new_block();
            self.use_block(block);
        }
        let instr = Instr {
            act,
            arg,
            target,
            line,
            except: None,
        };
        self.pushed += 1;
        let block = &mut self.blocks[self.current];
        block.instrs.push(instr);
        if instr.is(Op::ReturnValue) {
            block.returns = true;
        }
        if instr.is_jump() || instr.leaves() {
            self.needs_block = true;
        }
    }

    pub(crate) fn op(&mut self, op: Op) {
        self.push(op.into(), 0, 0, self.loc.line);
    }

    pub(crate) fn op_arg(&mut self, op: Op, arg: usize) {
        self.push(op.into(), arg as u32, 0, self.loc.line);
    }

    pub(crate) fn jump(&mut self, act: impl Into<Act>, target: BlockId) {
        self.push(act.into(), 0, target, self.loc.line);
    }

    pub(crate) fn jump_without_line(&mut self, target: BlockId) {
        self.push(Op::Jump.into(), 0, target, -1);
    }

    pub(crate) fn pop_block(&mut self) {
        self.push(Act::PopBlock, 0, 0, self.loc.line);
    }

    pub(crate) fn load(&mut self, constant: Constant) {
        let index = self.constants.index(constant);
        self.op_arg(Op::LoadConst, index);
    }

    /// An instruction whose argument indexes `co_names`.
    pub(crate) fn op_name(&mut self, op: Op, name: Name) {
        let (index, _) = self.names.insert_full(name);
        self.op_arg(op, index);
    }

    /// `CALL` with what goes before it.
    pub(crate) fn call(&mut self, count: usize) {
        self.op_arg(Op::Precall, count);
        self.op_arg(Op::Call, count);
    }

    pub(crate) fn unset_loc(&mut self) {
        self.loc = Loc::NONE;
    }
}

/// The constants of a unit, each once.
#[derive(Debug, Default)]
pub(super) struct Constants {
    pub list: Vec<Constant>,
    indices: HashMap<Vec<u8>, usize>,
    codes: HashMap<ScopeId, usize>,
}

impl Constants {
    pub(crate) fn index(&mut self, constant: Constant) -> usize {
        let mut key = Vec::new();
        write_key(&constant, &mut key);
        if matches!(constant, Constant::Float(value) if value.is_nan()) {
            // No NaN equals another.
            key.extend(self.list.len().to_le_bytes());
        }
        let next = self.list.len();
        let index = *self.indices.entry(key).or_insert(next);
        if index == next {
            self.list.push(constant);
        }
        index
    }

    /// The code of a scope. A `finally` body is compiled several times, its functions mostly to the same.
    pub(crate) fn code_index(&mut self, scope: ScopeId, code: Code) -> usize {
        let constant = Constant::Code(Arc::new(code));
        let known = self.codes.get(&scope).copied();
        if let Some(known) = known.filter(|known| self.list[*known] == constant) {
            return known;
        }
        self.list.push(constant);
        let index = self.list.len() - 1;
        self.codes.entry(scope).or_insert(index);
        index
    }
}

/// The identity of constants: `1`, `1.0` and `True` are three, `0.0` and `-0.0` two.
fn write_key(constant: &Constant, key: &mut Vec<u8>) {
    let mut tagged = |tag: u8, bytes: &[u8]| {
        key.push(tag);
        key.extend((bytes.len() as u64).to_le_bytes());
        key.extend(bytes);
    };
    match constant {
        Constant::None => tagged(b'n', &[]),
        Constant::Ellipsis => tagged(b'e', &[]),
        Constant::Bool(value) => tagged(b'b', &[u8::from(*value)]),
        Constant::Int(value) => tagged(b'i', &value.to_le_bytes()),
        Constant::BigInt(value) => tagged(b'I', &value.to_signed_bytes_le()),
        Constant::Float(value) => tagged(b'f', &value.to_bits().to_le_bytes()),
        Constant::Complex(real, imaginary) => {
            tagged(b'c', &real.to_bits().to_le_bytes());
            tagged(b'c', &imaginary.to_bits().to_le_bytes());
        }
        Constant::Str(text) => tagged(b's', text.as_bytes()),
        Constant::Bytes(bytes) => tagged(b'y', bytes),
        Constant::Tuple(items) => {
            tagged(b't', &(items.len() as u64).to_le_bytes());
            items.iter().for_each(|item| write_key(item, key));
        }
        Constant::Frozenset(items) => {
            tagged(b'z', &(items.len() as u64).to_le_bytes());
            let mut keys: Vec<Vec<u8>> = Vec::with_capacity(items.len());
            for item in items.iter() {
                let mut inner = Vec::new();
                write_key(item, &mut inner);
                keys.push(inner);
            }
            keys.sort();
            keys.iter().for_each(|inner| key.extend(inner));
        }
        // Codes have indices of their own.
        Constant::Code(_) => tagged(b'C', &[]),
    }
}
