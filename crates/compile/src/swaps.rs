//! Fewer `SWAP`s.

use super::unit::Instr;
use crate::code::Op;

/// Replaces a run of `SWAP`s by the shortest equivalent. Returns the index of its last instruction.
pub(super) fn optimize(instrs: &mut [Instr], start: usize) -> usize {
    let mut depth = instrs[start].arg as usize;
    let mut length = 1;
    let mut several = false;
    while let Some(instr) = instrs.get(start + length) {
        if instr.is(Op::Swap) {
            depth = depth.max(instr.arg as usize);
            several = true;
        } else if !instr.is(Op::Nop) {
            break;
        }
        length += 1;
    }
    if !several {
        return start;
    }
    let run = &mut instrs[start..start + length];
    let mut stack: Vec<Option<usize>> = (0..depth).map(Some).collect();
    for instr in run.iter().filter(|instr| instr.is(Op::Swap)) {
        stack.swap(0, instr.arg as usize - 1);
    }
    // Each cycle of the permutation is undone through the top of the stack; written from the end on, the
    // steps that undo it make it.
    let mut swaps = Vec::new();
    for first in 0..depth {
        if stack[first].is_none_or(|place| place == first) {
            continue;
        }
        let mut at = first;
        loop {
            if at != 0 {
                swaps.push(at as u32 + 1);
            }
            match stack[at].take() {
                Some(next) => at = next,
                None => break,
            }
        }
    }
    let mut swaps = swaps.into_iter();
    for instr in run.iter_mut().rev() {
        match swaps.next() {
            Some(arg) => {
                instr.act = Op::Swap.into();
                instr.arg = arg;
            }
            None => instr.act = Op::Nop.into(),
        }
    }
    start + length - 1
}

fn is_swappable(instr: &Instr) -> bool {
    instr.is(Op::StoreFast) || instr.is(Op::PopTop)
}

fn stores_to(instr: &Instr) -> Option<u32> {
    instr.is(Op::StoreFast).then_some(instr.arg)
}

fn next_swappable(instrs: &[Instr], at: usize, line: Option<i32>) -> Option<usize> {
    for (index, instr) in instrs.iter().enumerate().skip(at + 1) {
        if line.is_some_and(|line| line >= 0 && instr.line != line) {
            return None;
        }
        if instr.is(Op::Nop) {
            continue;
        }
        return is_swappable(instr).then_some(index);
    }
    None
}

/// Applies `SWAP`s before `at` to the following stores: the stores swap places instead.
pub(super) fn apply(instrs: &mut [Instr], at: usize) {
    for index in (0..=at).rev() {
        let swap = instrs[index];
        if !swap.is(Op::Swap) {
            if swap.is(Op::Nop) || is_swappable(&swap) {
                continue;
            }
            return;
        }
        let Some(first) = next_swappable(instrs, index, None) else {
            return;
        };
        let mut second = first;
        let line = instrs[first].line;
        for _ in 1..swap.arg {
            match next_swappable(instrs, second, Some(line)) {
                Some(next) => second = next,
                None => return,
            }
        }
        let (store, other) = (stores_to(&instrs[first]), stores_to(&instrs[second]));
        if store.is_some() || other.is_some() {
            let clash = instrs[first + 1..second].iter().filter_map(stores_to);
            if store == other
                || clash
                    .into_iter()
                    .any(|to| Some(to) == store || Some(to) == other)
            {
                return;
            }
        }
        instrs[index].act = Op::Nop.into();
        instrs.swap(first, second);
    }
}
