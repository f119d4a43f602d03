// Iterations of loops: the runs of a loop in one frame, and the step at which each iteration begins.

import { GONE, lastAt, type Execution } from "./execution.ts";
import type { Loop } from "./syntax.ts";
import type { Visits } from "./visits.ts";

/** One visit of a loop, from its first header to the step before what follows it. */
export interface LoopRun {
  readonly first: number;
  readonly last: number;
  /** The steps at which iterations begin. */
  readonly iterations: readonly number[];
}

/** All runs of a loop in a frame. */
export function runsOf(execution: Execution, visits: Visits, frame: number, file: number, loop: Loop): LoopRun[] {
  if ((visits.fileOf[frame] ?? 0) !== file) return [];
  const steps = visits.byFrame[frame] ?? [];
  const runs: LoopRun[] = [];
  const oneLine = loop.bodyFirst === loop.line;
  let run: { first: number; iterations: number[] } | null = null;
  let previous = -1;
  const finish = (last: number): void => {
    if (run !== null) runs.push({ first: run.first, last, iterations: run.iterations });
    run = null;
  };
  steps.forEach((step, index) => {
    const line = execution.lines[step] ?? 0;
    if (line < loop.line || line > loop.last) {
      finish(previous);
    } else if (line === loop.line) {
      const next = steps[index + 1];
      const nextLine = next === undefined ? -1 : (execution.lines[next] ?? 0);
      const enters = oneLine ? nextLine === loop.line || run === null : nextLine > loop.line && nextLine <= loop.last;
      run ??= { first: step, iterations: [] };
      if (enters) run.iterations.push(step);
    }
    previous = step;
  });
  finish(previous);
  return runs;
}

export interface LoopPosition {
  readonly run: LoopRun;
  /** Index of the iteration, or -1 where the run has not begun. */
  readonly at: number;
}

/** Index of the last run that began up to a step, or -1. */
function lastBegun(runs: readonly LoopRun[], step: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.first ?? 0) <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The present run of a loop: that of the present iteration of the loop around it, where there is one; else
 * the last that began, or the first where none began yet.
 */
export function positionIn(runs: readonly LoopRun[], step: number, around: LoopPosition | null = null): LoopPosition | null {
  const position = (run: LoopRun | undefined): LoopPosition | null =>
    run === undefined ? null : { run, at: lastAt(run.iterations, step) };
  const begin = around === null ? undefined : around.run.iterations[around.at];
  if (around === null || begin === undefined) return position(runs[Math.max(0, lastBegun(runs, step))]);
  const end = around.run.iterations[around.at + 1] ?? around.run.last + 1;
  const run = runs[lastBegun(runs, end - 1)];
  return run === undefined || run.first < begin ? null : position(run);
}

/** The step at which the last iteration began, up to a step; that of the run where it has none yet, or null before any run. */
export function iterationBegin(runs: readonly LoopRun[], step: number): number | null {
  const run = runs[lastBegun(runs, step)];
  return run === undefined ? null : (run.iterations[lastAt(run.iterations, step)] ?? run.first);
}

/** Names that the headers of loops within a loop bind, its own among them. */
export function targetsIn(loops: readonly Loop[], loop: Loop): string[] {
  return loops.flatMap((other) => (other.line >= loop.line && other.last <= loop.last ? other.targets : []));
}

/** The next iteration after whose end a variable of the frame has another value than before it, other than `targets`; -1 where there is none. */
export function nextChange(execution: Execution, frame: number, targets: readonly string[], { run, at }: LoopPosition): number {
  const { iterations, last } = run;
  const endOf = (index: number): number => (index + 1 < iterations.length ? (iterations[index + 1] ?? 0) - 1 : last);
  let found = -1;
  for (const history of execution.frames[frame]?.histories.values() ?? []) {
    if (targets.includes(history.name)) continue;
    const { steps } = history;
    const textAt = (step: number): string | undefined => execution.values[history.values[lastAt(steps, step)] ?? GONE]?.text;
    let step = steps[lastAt(steps, endOf(at)) + 1];
    while (step !== undefined && step <= last) {
      const index = lastAt(iterations, step);
      if (found !== -1 && index >= found) break;
      if (textAt(endOf(index)) !== textAt(endOf(index - 1))) {
        found = index;
        break;
      }
      step = steps[lastAt(steps, endOf(index)) + 1];
    }
  }
  return found;
}
