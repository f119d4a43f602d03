//! What CPython's optimiser does to the basic blocks of a unit.

use super::swaps;
use super::unit::*;
use crate::code::{Constant, Op};

/// Largest exit block that is copied instead of jumped to.
const MAX_COPY_SIZE: usize = 4;

/// The block from `start` on that has instructions.
fn skip_empty(blocks: &[Block], start: BlockId) -> BlockId {
    let mut block = start;
    while blocks[block].instrs.is_empty() {
        match blocks[block].next {
            Some(next) => block = next,
            None => break,
        }
    }
    block
}

/// The blocks in the order of execution.
pub(super) fn chain(blocks: &[Block]) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(blocks.len());
    let mut at = Some(0);
    while let Some(block) = at {
        order.push(block);
        at = blocks[block].next;
    }
    order
}

/// Determines how each block ends.
pub(super) fn normalize(blocks: &mut [Block]) {
    for id in 0..blocks.len() {
        for at in 0..blocks[id].instrs.len() {
            let instr = blocks[id].instrs[at];
            if instr.leaves() {
                blocks[id].exit = true;
                blocks[id].no_fallthrough = true;
            } else if instr.is_jump() {
                if instr.is(Op::Jump) || instr.is(Op::JumpNoInterrupt) {
                    blocks[id].no_fallthrough = true;
                }
                if !instr.is(Op::Send) {
                    blocks[id].instrs[at].target = skip_empty(blocks, instr.target);
                }
            }
        }
    }
}

/// Copies small exits without lines to their jumps, from the newest block to the oldest.
pub(super) fn extend_blocks(blocks: &mut [Block]) {
    for id in (0..blocks.len()).rev() {
        let Some(last) = blocks[id].instrs.last().copied() else {
            continue;
        };
        if !last.is(Op::Jump) {
            continue;
        }
        let target = &blocks[last.target];
        let small = target.exit && target.instrs.len() <= MAX_COPY_SIZE;
        if !small || target.instrs.iter().any(|instr| instr.line > 0) {
            continue;
        }
        let copied = target.instrs.clone();
        let block = &mut blocks[id];
        if let Some(last) = block.instrs.last_mut() {
            last.act = Op::Nop.into();
        }
        block.instrs.extend(copied);
        block.exit = true;
    }
}

/// All optimisations of the flow of control.
pub(super) fn optimize(blocks: &mut [Block], constants: &mut Constants) {
    for id in chain(blocks) {
        optimize_block(blocks, id, constants);
        clean(blocks, id);
    }
    extend_blocks(blocks);
    mark_reachable(blocks);
    for id in chain(blocks) {
        if blocks[id].predecessors == 0 {
            blocks[id].instrs.clear();
            blocks[id].no_fallthrough = false;
        }
    }
    eliminate_empty(blocks);
    for id in chain(blocks) {
        clean(blocks, id);
    }
    let mut maybe_empty = false;
    for id in chain(blocks) {
        let next = blocks[id].next;
        let block = &mut blocks[id];
        if let Some(last) = block.instrs.last_mut() {
            let jumps = last.is(Op::Jump) || last.is(Op::JumpNoInterrupt);
            if jumps && Some(last.target) == next {
                last.act = Op::Nop.into();
                block.no_fallthrough = false;
                maybe_empty = true;
            }
        }
    }
    if maybe_empty {
        eliminate_empty(blocks);
    }
}

pub(super) fn truth(constant: &Constant) -> bool {
    match constant {
        Constant::None => false,
        Constant::Bool(value) => *value,
        Constant::Int(value) => *value != 0,
        Constant::Float(value) => *value != 0.0,
        Constant::Complex(real, imaginary) => *real != 0.0 || *imaginary != 0.0,
        Constant::Str(text) => !text.is_empty(),
        Constant::Bytes(bytes) => !bytes.is_empty(),
        Constant::Tuple(items) | Constant::Frozenset(items) => !items.is_empty(),
        Constant::BigInt(_) | Constant::Ellipsis | Constant::Code(_) => true,
    }
}

fn optimize_block(blocks: &mut [Block], id: BlockId, constants: &mut Constants) {
    let nop = Act::Op(Op::Nop);
    let mut at = 0;
    while at < blocks[id].instrs.len() {
        let mut instr = blocks[id].instrs[at];
        let mut target = None;
        if instr.is_jump() || instr.is_setup() {
            let skipped = skip_empty(blocks, instr.target);
            blocks[id].instrs[at].target = skipped;
            instr.target = skipped;
            target = blocks[skipped].instrs.first().copied();
        }
        let next = blocks[id].instrs.get(at + 1).copied();
        let next_op = match next.map(|next| next.act) {
            Some(Act::Op(op)) => op,
            _ => Op::Nop,
        };
        let Act::Op(op) = instr.act else {
            at += 1;
            continue;
        };
        match op {
            Op::LoadConst => {
                let constant = &constants.list[instr.arg as usize];
                fold_jump_on_constant(&mut blocks[id], at, next_op, constant);
            }
            Op::BuildTuple => {
                let unpacked = next_op == Op::UnpackSequence
                    && next.is_some_and(|next| next.arg == instr.arg)
                    && (1..=3).contains(&instr.arg);
                let instrs = &mut blocks[id].instrs;
                if unpacked {
                    instrs[at].act = nop;
                    instrs[at + 1].act = if instr.arg == 1 {
                        nop
                    } else {
                        Act::Op(Op::Swap)
                    };
                } else {
                    fold_tuple(instrs, at, constants);
                }
            }
            Op::JumpIfFalseOrPop | Op::JumpIfTrueOrPop
                if thread_or_pop(blocks, id, at, op, instr, target) =>
            {
                continue;
            }
            Op::PopJumpIfNone
            | Op::PopJumpIfNotNone
            | Op::PopJumpIfFalse
            | Op::PopJumpIfTrue
            | Op::Jump
                if thread(&mut blocks[id].instrs[at], target, &[Op::Jump], op) =>
            {
                continue;
            }
            Op::Swap => {
                if instr.arg == 1 {
                    blocks[id].instrs[at].act = nop;
                } else {
                    at = swaps::optimize(&mut blocks[id].instrs, at);
                    swaps::apply(&mut blocks[id].instrs, at);
                }
            }
            Op::PushNull if next_op == Op::LoadGlobal => {
                let instrs = &mut blocks[id].instrs;
                instrs[at].act = nop;
                instrs[at].arg = 0;
                instrs[at + 1].arg |= 1;
            }
            _ => {}
        }
        at += 1;
    }
}

/// Jumps on the truth of a constant are taken or not.
fn fold_jump_on_constant(block: &mut Block, at: usize, next: Op, constant: &Constant) {
    let nop = Act::Op(Op::Nop);
    let instrs = &mut block.instrs;
    match next {
        Op::PopJumpIfFalse | Op::PopJumpIfTrue => {
            instrs[at].act = nop;
            if truth(constant) == (next == Op::PopJumpIfTrue) {
                instrs[at + 1].act = Op::Jump.into();
                block.no_fallthrough = true;
            } else {
                instrs[at + 1].act = nop;
            }
        }
        Op::JumpIfFalseOrPop | Op::JumpIfTrueOrPop => {
            if truth(constant) == (next == Op::JumpIfTrueOrPop) {
                instrs[at + 1].act = Op::Jump.into();
                block.no_fallthrough = true;
            } else {
                instrs[at].act = nop;
                instrs[at + 1].act = nop;
            }
        }
        Op::IsOp if *constant == Constant::None => {
            let Some(jump) = instrs.get(at + 2) else {
                return;
            };
            let on_false = jump.is(Op::PopJumpIfFalse);
            if on_false || jump.is(Op::PopJumpIfTrue) {
                let negated = instrs[at + 1].arg == 1;
                let not_none = negated != on_false;
                instrs[at].act = nop;
                instrs[at + 1].act = nop;
                instrs[at + 2].act = if not_none {
                    Op::PopJumpIfNotNone
                } else {
                    Op::PopJumpIfNone
                }
                .into();
            }
        }
        _ => {}
    }
}

fn fold_tuple(instrs: &mut [Instr], at: usize, constants: &mut Constants) {
    let count = instrs[at].arg as usize;
    if at < count
        || !instrs[at - count..at]
            .iter()
            .all(|instr| instr.is(Op::LoadConst))
    {
        return;
    }
    let items: Vec<Constant> = instrs[at - count..at]
        .iter()
        .map(|instr| constants.list[instr.arg as usize].clone())
        .collect();
    for instr in &mut instrs[at - count..at] {
        instr.act = Op::Nop.into();
    }
    instrs[at].act = Op::LoadConst.into();
    instrs[at].arg = constants.index(Constant::Tuple(items.into())) as u32;
}

/// A jump to a jump takes its target, if both are on one line.
fn thread(instr: &mut Instr, target: Option<Instr>, over: &[Op], op: Op) -> bool {
    let Some(target) = target.filter(|target| over.iter().any(|over| target.is(*over))) else {
        return false;
    };
    if instr.line != target.line || instr.target == target.target {
        return false;
    }
    instr.target = target.target;
    instr.act = op.into();
    true
}

fn thread_or_pop(
    blocks: &mut [Block],
    id: BlockId,
    at: usize,
    op: Op,
    instr: Instr,
    target: Option<Instr>,
) -> bool {
    let if_false = op == Op::JumpIfFalseOrPop;
    let (same, same_pop, other, other_pop) = if if_false {
        (
            Op::JumpIfFalseOrPop,
            Op::PopJumpIfFalse,
            Op::JumpIfTrueOrPop,
            Op::PopJumpIfTrue,
        )
    } else {
        (
            Op::JumpIfTrueOrPop,
            Op::PopJumpIfTrue,
            Op::JumpIfFalseOrPop,
            Op::PopJumpIfFalse,
        )
    };
    let behind = blocks[instr.target].next;
    let place = &mut blocks[id].instrs[at];
    if thread(place, target, &[same_pop], same_pop) || thread(place, target, &[Op::Jump, same], op)
    {
        return true;
    }
    let opposite = target.filter(|target| target.is(other) || target.is(other_pop));
    if let (Some(target), Some(behind)) = (opposite, behind)
        && instr.line == target.line
    {
        place.act = same_pop.into();
        place.target = behind;
        return true;
    }
    false
}

/// Removes `NOP`s that no line needs.
pub(super) fn clean(blocks: &mut [Block], id: BlockId) {
    let next_line = blocks[id]
        .next
        .map(|next| skip_empty(blocks, next))
        .and_then(|next| blocks[next].instrs.first())
        .map(|first| first.line);
    let instrs = &mut blocks[id].instrs;
    let mut kept = 0;
    let mut previous = -1;
    for at in 0..instrs.len() {
        let instr = instrs[at];
        if instr.is(Op::Nop) {
            if instr.line < 0 || previous == instr.line {
                continue;
            }
            if let Some(next) = instrs.get_mut(at + 1) {
                if next.line == instr.line {
                    continue;
                }
                if next.line < 0 {
                    next.line = instr.line;
                    continue;
                }
            } else if next_line == Some(instr.line) {
                continue;
            }
        }
        instrs[kept] = instr;
        kept += 1;
        previous = instr.line;
    }
    instrs.truncate(kept);
}

fn mark_reachable(blocks: &mut [Block]) {
    blocks[0].predecessors = 1;
    let mut stack = vec![0];
    while let Some(id) = stack.pop() {
        let mut targets = Vec::new();
        if !blocks[id].no_fallthrough {
            targets.extend(blocks[id].next);
        }
        let jumps = blocks[id]
            .instrs
            .iter()
            .filter(|instr| instr.is_jump() || instr.is_setup());
        targets.extend(jumps.map(|instr| instr.target));
        for target in targets {
            if blocks[target].predecessors == 0 {
                stack.push(target);
            }
            blocks[target].predecessors += 1;
        }
    }
}

fn eliminate_empty(blocks: &mut [Block]) {
    // From the end, so that the blocks after an empty one are already known.
    for id in chain(blocks).into_iter().rev() {
        if let Some(next) = blocks[id].next
            && blocks[next].instrs.is_empty()
            && let Some(behind) = blocks[next].next
        {
            blocks[id].next = Some(behind);
        }
    }
    for id in chain(blocks) {
        if let Some(last) = blocks[id].instrs.last().copied()
            && last.is_jump()
        {
            let target = skip_empty(blocks, last.target);
            if let Some(last) = blocks[id].instrs.last_mut() {
                last.target = target;
            }
        }
    }
}
