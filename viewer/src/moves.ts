// Where a key leads: step over, out, the next visit of a line, the next change, the next raise, the least sure step.

import { LINE, lastAt, type Execution } from "./execution.ts";
import { levelAt, type Calls } from "./stack.ts";
import type { MadeUp } from "./types.ts";

/** The first step behind which no more frames are on the stack than now. */
export function stepOver(execution: Execution, calls: Calls, step: number): number {
  const level = levelAt(calls, step);
  for (let next = step + 1; next < execution.count; next++) if (levelAt(calls, next) <= level) return next;
  return execution.count - 1;
}

/** The step behind which the present function has returned. */
export function stepOut(execution: Execution, calls: Calls, step: number): number {
  const level = levelAt(calls, step);
  for (let next = step + 1; next < execution.count; next++) if (levelAt(calls, next) < level) return next;
  return execution.count - 1;
}

/** The next step of an event of the same kind on the same line, or null. */
export function nextVisit(execution: Execution, step: number, by: 1 | -1 = 1): number | null {
  for (let next = step + by; next >= 0 && next < execution.count; next += by) {
    if (
      execution.lines[next] === execution.lines[step] &&
      execution.files[next] === execution.files[step] &&
      execution.events[next] === execution.events[step]
    ) {
      return next;
    }
  }
  return null;
}

/** The step at which the exception was raised, or else the last step where it did not finish. */
export function errorStep(execution: Execution): number | null {
  const { outcome, count } = execution;
  if (count === 0 || outcome.kind === "finished" || outcome.kind === "syntax_error") return null;
  return outcome.step !== undefined && outcome.step < count ? outcome.step : count - 1;
}

/** Steps with a confidence below 1, the least sure first; where no step has one, those of made up values that are not sure. */
export function leastSure(execution: Execution, made: readonly MadeUp[] = []): number[] {
  const { confidences } = execution;
  const steps: number[] = [];
  confidences?.forEach((confidence, step) => {
    if (confidence < 1) steps.push(step);
  });
  if (steps.length > 0) return steps.sort((a, b) => (confidences?.[a] ?? 1) - (confidences?.[b] ?? 1) || a - b);
  const shares = new Map<number, number>();
  for (const { line, file = 0, sure = 1 } of made) {
    const step = sure < 1 ? firstOfLine(execution, file, line) : null;
    if (step !== null) shares.set(step, Math.min(sure, shares.get(step) ?? 1));
  }
  return [...shares.keys()].sort((a, b) => (shares.get(a) ?? 1) - (shares.get(b) ?? 1) || a - b);
}

/** The step that last set a name as of a step, or null. */
export function lastSet(execution: Execution, frame: number, name: string, step: number): number | null {
  const steps = execution.frames[frame]?.histories.get(name)?.steps;
  if (steps === undefined) return null;
  return steps[lastAt(steps, step)] ?? null;
}

/** The next step that sets a name, or null. */
export function nextSet(execution: Execution, frame: number, name: string, step: number): number | null {
  const steps = execution.frames[frame]?.histories.get(name)?.steps;
  return steps?.[lastAt(steps, step) + 1] ?? null;
}

/** The first step of a line. */
export function firstOfLine(execution: Execution, file: number, line: number): number | null {
  let other: number | null = null;
  for (let step = 0; step < execution.count; step++) {
    if (execution.lines[step] !== line || execution.files[step] !== file) continue;
    if (execution.events[step] === LINE) return step;
    other ??= step;
  }
  return other;
}
