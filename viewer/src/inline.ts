// What stands at the ends of lines: what each line did when it last ran, as of a step. In a loop that is what it did
// in the last iteration: what earlier ones left would look like what is so now.

import { CALL, DEFINITIONS, GONE, LINE, RETURN, lastAt, ownFrame, type Execution, type History, type Value } from "./execution.ts";
import type { Caught } from "./caught.ts";
import { iterationBegin } from "./loops.ts";
import { stackAt } from "./stack.ts";
import type { Model } from "./model.ts";

export interface LineValue {
  readonly frame: number;
  readonly name: string;
  readonly value: Value | null;
  readonly previous: Value | null;
  /** The step as of which it has this value. */
  readonly at: number;
  /** Whether the present step changed it. */
  readonly now: boolean;
}

export interface LineFacts {
  readonly values: readonly LineValue[];
  readonly condition: boolean | null;
  readonly returned: Value | null;
  readonly printed: string | null;
  /** The exception that the line raised and an `except` caught. */
  readonly caught: Caught | null;
  /** It is of a frame that called the present one. */
  readonly outer: boolean;
}

/** The frames whose values are shown, the present one first; of a function that calls itself the innermost. */
export function framesShown(model: Model, step: number): number[] {
  const { execution, calls } = model;
  const frames = [execution.frameAt[step] ?? 0, ownFrame(execution, step)];
  for (const block of stackAt(calls, step)) frames.push(calls.frames[block] ?? 0);
  const shown = new Map<string, number>();
  for (const index of frames) {
    const frame = execution.frames[index];
    const name = `${frame?.file} ${frame?.function}`;
    if (!shown.has(name)) shown.set(name, index);
  }
  return [...shown.values()];
}

function entryValue(execution: Execution, history: History, entry: number): Value | null {
  const value = history.values[entry] ?? GONE;
  return value === GONE ? null : (execution.values[value] ?? null);
}

/** The index in `byFrame` of the last event of a line, up to a step. */
function visitOf(model: Model, frame: number, line: number, step: number): number | null {
  const steps = model.linesOf(frame).get(line);
  if (steps === undefined) return null;
  const visit = steps[lastAt(steps, step)];
  return visit === undefined ? null : lastAt(model.visits.byFrame[frame] ?? [], visit);
}

/** The step at which the last iterations of all loops around a line began. */
function iterationOf(model: Model, frame: number, file: number, line: number, step: number): number {
  let begin = 0;
  for (const loop of model.syntax(file).loops) {
    if (line < loop.line || line > loop.last) continue;
    begin = Math.max(begin, iterationBegin(model.runsOf(frame, file, loop), step) ?? 0);
  }
  return begin;
}

/** Whether the step after this one runs a line of a frame. */
function isNext(execution: Execution, frame: number, line: number, step: number): boolean {
  const next = step + 1;
  return (
    next < execution.count && execution.lines[next] === line && execution.events[next] === LINE && ownFrame(execution, next) === frame
  );
}

function conditionOf(model: Model, frame: number, file: number, line: number, index: number, step: number): boolean | null {
  const condition = model.syntax(file).conditions.get(line);
  if (condition === undefined || condition.bodyFirst === line) return null;
  // It is asked again now, and may be answered otherwise.
  if (isNext(model.execution, frame, line, step)) return null;
  const next = model.visits.byFrame[frame]?.[index + 1];
  if (next === undefined || next > step + 1 || model.execution.events[next] === RETURN) return null;
  const nextLine = model.execution.lines[next] ?? 0;
  return nextLine >= condition.bodyFirst && nextLine <= condition.bodyLast;
}

/** What a line did in the first of the frames that ran it, or null. */
export function lineFacts(model: Model, frames: readonly number[], file: number, line: number, step: number): LineFacts | null {
  for (const frame of frames) {
    if ((model.visits.fileOf[frame] ?? 0) !== file) continue;
    const index = visitOf(model, frame, line, step);
    if (index === null) continue;
    const visit = model.visits.byFrame[frame]?.[index] ?? 0;
    if (visit >= iterationOf(model, frame, file, line, step)) return factsOf(model, frame, file, line, index, step, frame !== frames[0]);
  }
  return null;
}

function factsOf(
  model: Model,
  frame: number,
  file: number,
  line: number,
  index: number,
  step: number,
  outer: boolean,
): LineFacts {
  const { execution, visits } = model;
  const own = visits.byFrame[frame] ?? [];
  let first = index;
  // A `return` event belongs to the line that ran before it in the same frame.
  while (first > 0 && execution.events[own[first] ?? 0] === RETURN && execution.lines[own[first - 1] ?? 0] === line) first--;
  const visit = own[first] ?? 0;
  const from = execution.events[visit] === CALL ? visit - 1 : visit;
  const to = Math.min(step, (own[index + 1] ?? execution.count) - 1);
  const assigned = model.syntax(file).assigned.get(line) ?? [];
  const values: LineValue[] = [];
  for (const history of execution.frames[frame]?.histories.values() ?? []) {
    const entry = lastAt(history.steps, to);
    if (entry < 0) continue;
    const value = entryValue(execution, history, entry);
    const since = history.steps[entry] ?? 0;
    const changed = since >= from;
    if (!changed && !(assigned.includes(history.name) && value !== null)) continue;
    if (value === null && assigned.length > 0) continue;
    if (value !== null && DEFINITIONS.has(value.type) && value.origin !== "injected") continue;
    const previous = changed ? entryValue(execution, history, entry - 1) : null;
    values.push({ frame, name: history.name, value, previous, at: to, now: since === step });
  }
  values.sort((a, b) => Number(assigned.includes(b.name)) - Number(assigned.includes(a.name)));
  let printed = "";
  for (let at = lastAt(model.printing, from - 1) + 1; at < model.printing.length; at++) {
    const printing = model.printing[at] ?? 0;
    if (printing > to) break;
    if (ownFrame(execution, printing) === frame) printed += execution.outputs.get(printing) ?? "";
  }
  return {
    values,
    condition: conditionOf(model, frame, file, line, index, step),
    returned: execution.returned.get(own[index] ?? 0) ?? null,
    printed: printed === "" ? null : printed,
    caught: model.caughtOf(frame, from, to),
    outer,
  };
}
