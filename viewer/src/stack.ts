// The calls of an execution as blocks: who called whom, from which step to which. The call stack at a
// step is the block on top and those below it.

import { CALL, RETURN, type Execution } from "./execution.ts";

export interface Calls {
  readonly count: number;
  /** First step of the block's own events, and the step of its return. */
  readonly starts: number[];
  readonly ends: number[];
  readonly frames: number[];
  /** How many blocks are below it. */
  readonly levels: number[];
  /** The block below, or -1. */
  readonly below: number[];
  /** The block on top after each step. */
  readonly topAt: Int32Array;
  readonly deepest: number;
}

export function readCalls(execution: Execution): Calls {
  const starts: number[] = [0];
  const ends: number[] = [Math.max(0, execution.count - 1)];
  const frames: number[] = [0];
  const levels: number[] = [0];
  const below: number[] = [-1];
  const topAt = new Int32Array(execution.count);
  let top = 0;
  let deepest = 0;

  const close = (block: number, step: number): number => {
    ends[block] = step;
    return below[block] ?? 0;
  };
  const open = (frame: number, start: number): void => {
    starts.push(start);
    ends.push(execution.count - 1);
    frames.push(frame);
    const level = (levels[top] ?? 0) + 1;
    levels.push(level);
    below.push(top);
    top = starts.length - 1;
    deepest = Math.max(deepest, level);
  };

  for (let step = 0; step < execution.count; step++) {
    if (execution.events[step] === RETURN && top !== 0) top = close(top, step);
    const frame = execution.frameAt[step] ?? 0;
    if (step + 1 < execution.count && execution.events[step + 1] === CALL) {
      open(frame, step + 1);
    } else if (frames[top] !== frame) {
      // Another thread, or a frame that nothing called: find it below, else begin a block.
      let block = top;
      while (block !== -1 && frames[block] !== frame) block = below[block] ?? -1;
      if (block === -1) open(frame, step + 1);
      else while (top !== block) top = close(top, step);
    }
    topAt[step] = top;
  }
  return { count: starts.length, starts, ends, frames, levels, below, topAt, deepest };
}

/** The blocks of the stack after a step, the innermost first. */
export function stackAt(calls: Calls, step: number): number[] {
  const blocks: number[] = [];
  for (let block = calls.topAt[step] ?? 0; block !== -1; block = calls.below[block] ?? -1) blocks.push(block);
  return blocks;
}

export function levelAt(calls: Calls, step: number): number {
  return calls.levels[calls.topAt[step] ?? 0] ?? 0;
}
