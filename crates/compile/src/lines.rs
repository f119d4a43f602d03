//! Lines for instructions that have none of their own.

use super::ast::Loc;
use super::optimize::chain;
use super::unit::*;
use crate::code::Op;

pub(super) fn is_exit_without_line(block: &Block) -> bool {
    block.exit && block.instrs.iter().all(|instr| instr.line < 0)
}

/// Copies exits without lines, so that each has one predecessor to take a line from.
pub(super) fn duplicate_exits(blocks: &mut Vec<Block>) {
    let count = blocks.len();
    for id in (0..count).rev() {
        let Some(last) = blocks[id].instrs.last().copied().filter(Instr::is_jump) else {
            continue;
        };
        let target = last.target;
        if !is_exit_without_line(&blocks[target]) || blocks[target].predecessors <= 1 {
            continue;
        }
        let mut copy = Block {
            instrs: blocks[target].instrs.clone(),
            next: blocks[target].next,
            exit: blocks[target].exit,
            no_fallthrough: true,
            predecessors: 1,
            ..Block::default()
        };
        if let Some(first) = copy.instrs.first_mut() {
            first.line = last.line;
        }
        blocks.push(copy);
        let copied = blocks.len() - 1;
        blocks[target].predecessors -= 1;
        blocks[target].next = Some(copied);
        if let Some(last) = blocks[id].instrs.last_mut() {
            last.target = copied;
        }
    }
    let ids = (count..blocks.len()).rev().chain((0..count).rev());
    let ids: Vec<BlockId> = ids.collect();
    for id in &ids {
        while let Some(next) = blocks[*id].next {
            if !blocks[next].instrs.is_empty() || blocks[next].next.is_none() {
                break;
            }
            blocks[*id].next = blocks[next].next;
        }
        if blocks[*id]
            .next
            .is_some_and(|next| blocks[next].instrs.is_empty())
        {
            blocks[*id].next = None;
        }
    }
    for id in &ids {
        let (Some(last), Some(next)) = (blocks[*id].instrs.last().copied(), blocks[*id].next)
        else {
            continue;
        };
        if !blocks[*id].no_fallthrough && is_exit_without_line(&blocks[next]) {
            blocks[next].instrs[0].line = last.line;
        }
    }
}

/// Gives instructions without a line that of the previous one.
pub(super) fn propagate_lines(blocks: &mut [Block]) {
    for id in chain(blocks) {
        let mut previous = Loc::NONE.line;
        for instr in &mut blocks[id].instrs {
            if instr.line < 0 {
                instr.line = previous;
            } else {
                previous = instr.line;
            }
        }
        let Some(last) = blocks[id].instrs.last().copied() else {
            continue;
        };
        let next = blocks[id].next.filter(|_| !blocks[id].no_fallthrough);
        let target = last.is_jump().then_some(last.target);
        for heir in next.into_iter().chain(target) {
            if blocks[heir].predecessors == 1
                && let Some(first) = blocks[heir].instrs.first_mut()
                && first.line < 0
            {
                first.line = previous;
            }
        }
    }
}

/// Every return has a line.
pub(super) fn guarantee_lines_of_exits(blocks: &mut [Block], first_line: i32) {
    let mut line = first_line;
    for id in chain(blocks) {
        let Some(last) = blocks[id].instrs.last().copied() else {
            continue;
        };
        if last.line >= 0 {
            line = last.line;
        } else if last.is(Op::ReturnValue) {
            blocks[id]
                .instrs
                .iter_mut()
                .for_each(|instr| instr.line = line);
        }
    }
}
