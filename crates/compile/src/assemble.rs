//! From basic blocks to a list of instructions: lines, depths of the stack, handlers and jump targets.

use super::symbols::{Scope, ScopeKind};
use super::unit::*;
use super::{lines, optimize};
use crate::code::{Code, Constant, Handler, Instruction, Op};

/// The code of a unit whose body is complete.
pub(super) fn assemble(mut unit: Unit, scope: &Scope, add_none: bool) -> Code {
    if !unit.blocks[unit.current].returns {
        unit.unset_loc();
        if add_none {
            unit.load(Constant::None);
        }
        unit.op(Op::ReturnValue);
    }
    optimize::normalize(&mut unit.blocks);
    optimize::extend_blocks(&mut unit.blocks);
    let is_function = scope.kind == ScopeKind::Function;
    let resumable = is_function && (scope.generator || scope.coroutine);
    insert_prefix(&mut unit, resumable);
    let Unit {
        mut blocks,
        mut constants,
        ..
    } = unit;
    optimize::optimize(&mut blocks, &mut constants);
    lines::duplicate_exits(&mut blocks);
    let mut constants = constants.list;
    trim_constants(&blocks, &mut constants);
    lines::propagate_lines(&mut blocks);
    lines::guarantee_lines_of_exits(&mut blocks, unit.first_line);
    let stack_size = stack_depth(&mut blocks, scope.generator || scope.coroutine);
    label_handlers(&mut blocks);
    for instr in blocks.iter_mut().flat_map(|block| &mut block.instrs) {
        if instr.is_setup() || instr.act == Act::PopBlock {
            instr.act = Op::Nop.into();
        }
    }
    let order = optimize::chain(&blocks);
    for id in &order {
        optimize::clean(&mut blocks, *id);
    }
    let mut offset = 0;
    for id in &order {
        blocks[*id].offset = offset;
        offset += blocks[*id].instrs.len() as u32;
    }
    Code {
        name: unit.name.to_string(),
        qualname: unit.qualname,
        first_line: unit.first_line.max(0) as u32,
        arg_count: unit.arg_count,
        posonly_arg_count: unit.posonly_arg_count,
        kwonly_arg_count: unit.kwonly_arg_count,
        has_varargs: scope.varargs,
        has_varkeywords: scope.varkeywords,
        is_generator: is_function && scope.generator && !scope.coroutine,
        is_coroutine: is_function && !scope.generator && scope.coroutine,
        is_async_generator: is_function && scope.generator && scope.coroutine,
        is_text: false,
        is_optimized: is_function,
        instructions: instructions(&blocks, &order),
        handlers: handlers(&blocks, &order),
        constants,
        names: unit.names.into_iter().collect(),
        var_names: unit.var_names.into_iter().collect(),
        cell_vars: unit.cells.into_iter().collect(),
        free_vars: unit.frees.into_iter().collect(),
        stack_size,
        library: None,
    }
}

/// The prologue: cells, free names and the start of a generator.
fn insert_prefix(unit: &mut Unit, resumable: bool) {
    let instr = |op: Op, arg: usize, line| Instr {
        act: op.into(),
        arg: arg as u32,
        target: 0,
        line,
        except: None,
    };
    let mut prefix = Vec::new();
    if !unit.frees.is_empty() {
        prefix.push(instr(Op::CopyFreeVars, unit.frees.len(), -1));
    }
    for cell in 0..unit.cells.len() {
        prefix.push(instr(Op::MakeCell, cell, -1));
    }
    if resumable {
        prefix.push(instr(Op::ReturnGenerator, 0, unit.first_line));
        prefix.push(instr(Op::PopTop, 0, -1));
    }
    unit.blocks[0].instrs.splice(0..0, prefix);
}

/// Drops constants after the last used one. The first may be a docstring and stays.
fn trim_constants(blocks: &[Block], constants: &mut Vec<Constant>) {
    let used = optimize::chain(blocks)
        .into_iter()
        .flat_map(|id| &blocks[id].instrs)
        .filter(|instr| instr.is(Op::LoadConst) || instr.is(Op::KwNames))
        .map(|instr| instr.arg as usize)
        .max();
    constants.truncate(used.unwrap_or(0) + 1);
}

/// Returns the stack effect of an instruction, for fall-through or jump.
fn effect(instr: &Instr, jumps: bool) -> i32 {
    match instr.act {
        Act::SetupFinally | Act::SetupWith => i32::from(jumps),
        Act::SetupCleanup => 2 * i32::from(jumps),
        Act::PopBlock => 0,
        Act::Op(Op::ForIter | Op::Send) if jumps => -1,
        Act::Op(Op::JumpIfTrueOrPop | Op::JumpIfFalseOrPop) if jumps => 0,
        Act::Op(op) => fall_through_effect(op, instr.arg as i32),
    }
}

/// Returns the stack effect of an operation that does not jump.
fn fall_through_effect(op: Op, arg: i32) -> i32 {
    match op {
        Op::LoadGlobal => (arg & 1) + 1,
        Op::BeforeAsyncWith
        | Op::BeforeWith
        | Op::Copy
        | Op::ForIter
        | Op::GetAnext
        | Op::GetLen
        | Op::ImportFrom
        | Op::LoadAssertionError
        | Op::LoadBuildClass
        | Op::LoadClassderef
        | Op::LoadClosure
        | Op::LoadConst
        | Op::LoadDeref
        | Op::LoadFast
        | Op::LoadMethod
        | Op::LoadName
        | Op::MatchKeys
        | Op::MatchMapping
        | Op::MatchSequence
        | Op::PushExcInfo
        | Op::PushNull
        | Op::WithExceptStart => 1,
        Op::BinaryOp
        | Op::BinarySubscr
        | Op::Call
        | Op::CompareOp
        | Op::ContainsOp
        | Op::DeleteAttr
        | Op::DictMerge
        | Op::DictUpdate
        | Op::ImportName
        | Op::ImportStar
        | Op::IsOp
        | Op::JumpIfFalseOrPop
        | Op::JumpIfTrueOrPop
        | Op::ListAppend
        | Op::ListExtend
        | Op::PopExcept
        | Op::PopJumpIfFalse
        | Op::PopJumpIfNone
        | Op::PopJumpIfNotNone
        | Op::PopJumpIfTrue
        | Op::PopTop
        | Op::PrepReraiseStar
        | Op::PrintExpr
        | Op::Reraise
        | Op::ReturnValue
        | Op::SetAdd
        | Op::SetUpdate
        | Op::StoreDeref
        | Op::StoreFast
        | Op::StoreGlobal
        | Op::StoreName => -1,
        Op::DeleteSubscr | Op::EndAsyncFor | Op::MapAdd | Op::MatchClass | Op::StoreAttr => -2,
        Op::StoreSubscr => -3,
        Op::BuildList | Op::BuildSet | Op::BuildString | Op::BuildTuple => 1 - arg,
        Op::BuildMap => 1 - 2 * arg,
        Op::BuildConstKeyMap | Op::Precall | Op::RaiseVarargs => -arg,
        Op::BuildSlice => -1 - i32::from(arg == 3),
        Op::CallFunctionEx => -2 - (arg & 1),
        Op::FormatValue => -i32::from(arg & 4 != 0),
        Op::MakeFunction => -(arg.count_ones() as i32),
        Op::UnpackEx => (arg & 0xff) + (arg >> 8),
        Op::UnpackSequence => arg - 1,
        Op::AsyncGenWrap
        | Op::CheckEgMatch
        | Op::CheckExcMatch
        | Op::CopyFreeVars
        | Op::DeleteDeref
        | Op::DeleteFast
        | Op::DeleteGlobal
        | Op::DeleteName
        | Op::GetAiter
        | Op::GetAwaitable
        | Op::GetIter
        | Op::GetYieldFromIter
        | Op::Jump
        | Op::JumpNoInterrupt
        | Op::KwNames
        | Op::ListToTuple
        | Op::LoadAttr
        | Op::MakeCell
        | Op::Nop
        | Op::Resume
        | Op::ReturnGenerator
        | Op::Send
        | Op::SetupAnnotations
        | Op::Swap
        | Op::UnaryInvert
        | Op::UnaryNegative
        | Op::UnaryNot
        | Op::UnaryPositive
        | Op::YieldValue => 0,
    }
}

fn stack_depth(blocks: &mut [Block], resumable: bool) -> u32 {
    let mut most = 0;
    let mut stack = Vec::new();
    let push = |blocks: &mut [Block], stack: &mut Vec<BlockId>, id: BlockId, depth: i32| {
        if blocks[id]
            .start_depth
            .is_none_or(|known| known < depth && known < 100)
        {
            blocks[id].start_depth = Some(depth);
            stack.push(id);
        }
    };
    push(blocks, &mut stack, 0, i32::from(resumable));
    while let Some(id) = stack.pop() {
        let mut depth = blocks[id].start_depth.unwrap_or(0);
        let mut next = blocks[id].next;
        for at in 0..blocks[id].instrs.len() {
            let instr = blocks[id].instrs[at];
            let new_depth = depth + effect(&instr, false);
            most = most.max(new_depth);
            if instr.is_jump() || instr.is_setup() {
                let target_depth = depth + effect(&instr, true);
                most = most.max(target_depth);
                push(blocks, &mut stack, instr.target, target_depth);
            }
            depth = new_depth;
            if instr.is(Op::Jump) || instr.is(Op::JumpNoInterrupt) || instr.leaves() {
                next = None;
                break;
            }
        }
        if let Some(next) = next {
            push(blocks, &mut stack, next, depth);
        }
    }
    most.max(0) as u32
}

/// Finds the handler of each instruction.
fn label_handlers(blocks: &mut [Block]) {
    let mut visited = vec![false; blocks.len()];
    let mut todo: Vec<(BlockId, Vec<BlockId>)> = vec![(0, Vec::new())];
    visited[0] = true;
    while let Some((id, mut stack)) = todo.pop() {
        let mut handler = stack.last().copied();
        for at in 0..blocks[id].instrs.len() {
            let instr = blocks[id].instrs[at];
            if instr.is_setup() {
                if !std::mem::replace(&mut visited[instr.target], true) {
                    todo.push((instr.target, stack.clone()));
                }
                if instr.act != Act::SetupFinally {
                    blocks[instr.target].preserve_lasti = true;
                }
                stack.push(instr.target);
                handler = Some(instr.target);
            } else if instr.act == Act::PopBlock {
                stack.pop();
                handler = stack.last().copied();
            } else {
                blocks[id].instrs[at].except = handler;
                if instr.is_jump() && !std::mem::replace(&mut visited[instr.target], true) {
                    todo.push((instr.target, stack.clone()));
                }
            }
        }
        if let Some(next) = blocks[id].next.filter(|_| !blocks[id].no_fallthrough)
            && !std::mem::replace(&mut visited[next], true)
        {
            todo.push((next, stack));
        }
    }
}

fn instructions(blocks: &[Block], order: &[BlockId]) -> Vec<Instruction> {
    let mut list = Vec::new();
    for instr in order.iter().flat_map(|id| &blocks[*id].instrs) {
        let Act::Op(mut op) = instr.act else {
            continue;
        };
        let arg = match op {
            _ if instr.is_jump() => blocks[instr.target].offset,
            Op::Nop => 0,
            _ => instr.arg,
        };
        if op == Op::JumpNoInterrupt && arg as usize > list.len() {
            op = Op::Jump;
        }
        list.push(Instruction {
            op,
            arg,
            line: instr.line.max(0) as u32,
        });
    }
    list
}

fn handlers(blocks: &[Block], order: &[BlockId]) -> Vec<Handler> {
    let mut list = Vec::new();
    let mut current: Option<BlockId> = None;
    let mut start = 0;
    let mut offset = 0;
    let mut close = |current: Option<BlockId>, start: u32, end: u32| {
        if let Some(block) = current.map(|id| &blocks[id]) {
            let depth = block.start_depth.unwrap_or(0) - 1 - i32::from(block.preserve_lasti);
            list.push(Handler {
                start,
                end,
                target: block.offset,
                depth: depth.max(0) as u32,
                push_lasti: block.preserve_lasti,
            });
        }
    };
    for instr in order.iter().flat_map(|id| &blocks[*id].instrs) {
        if instr.except != current {
            close(current, start, offset);
            start = offset;
            current = instr.except;
        }
        offset += 1;
    }
    close(current, start, offset);
    list
}
