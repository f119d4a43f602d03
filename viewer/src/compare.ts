// Compares a predicted execution with the real one, step by step by index.

import { GONE, type Execution, type History, type Value } from "./execution.ts";

export interface Comparison {
  /** Steps whose state or output is wrong, or that are on another line than the real step. */
  readonly wrong: readonly number[];
  /** Of these, the steps at which something becomes wrong. */
  readonly marks: readonly number[];
  /** The first step of another line, event or function, or null. From here on steps do not correspond. */
  readonly divergence: number | null;
  /** Whether one has more steps than the other without going another way before. */
  readonly missing: number;
}

const SHORT = /^<([\p{L}\p{N}_.]+)>$/u;
const INSTANCE = /^<([\p{L}\p{N}_.]+)[ >]/u;

/** Equal texts; an instance without attributes stands for one of the same class with them. */
export function sameText(a: string | null, b: string | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const classes = [INSTANCE.exec(a)?.[1], INSTANCE.exec(b)?.[1]];
  return classes[0] !== undefined && classes[0] === classes[1] && (SHORT.test(a) || SHORT.test(b));
}

/** The values of names at steps that are asked for in their order. */
export class Current {
  private readonly entries = new Map<History, number>();
  private readonly execution: Execution;

  constructor(execution: Execution) {
    this.execution = execution;
  }

  /** The text of a name at a step; steps are asked for in their order. */
  text(frame: number, name: string, step: number): string | null {
    const history = this.execution.frames[frame]?.histories.get(name);
    if (history === undefined) return null;
    let entry = this.entries.get(history) ?? -1;
    while ((history.steps[entry + 1] ?? Infinity) <= step) entry++;
    this.entries.set(history, entry);
    const value = history.values[entry] ?? GONE;
    return value === GONE ? null : (this.execution.values[value]?.text ?? null);
  }
}

export function changedNames(execution: Execution, step: number): string[] {
  return execution.changeNames.slice(execution.changeStart[step] ?? 0, execution.changeStart[step + 1] ?? 0);
}

function includes(names: readonly string[], name: string, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (names[at] === name) return true;
  return false;
}

export function compare(predicted: Execution, real: Execution): Comparison {
  const both = Math.min(predicted.count, real.count);
  const wrong: number[] = [];
  const marks: number[] = [];
  const wrongNames = new Map<number, Set<string>>();
  const left = new Current(predicted);
  const right = new Current(real);
  let divergence: number | null = null;
  for (let step = 0; step < both; step++) {
    if (
      predicted.lines[step] !== real.lines[step] ||
      predicted.events[step] !== real.events[step] ||
      predicted.functions[step] !== real.functions[step]
    ) {
      divergence = step;
      break;
    }
    const frame = predicted.frameAt[step] ?? 0;
    const other = real.frameAt[step] ?? 0;
    let names = wrongNames.get(frame);
    const wrongOutput = predicted.outputs.get(step) !== real.outputs.get(step);
    let fresh = wrongOutput;
    const judge = (name: string): void => {
      if (sameText(left.text(frame, name, step), right.text(other, name, step))) {
        names?.delete(name);
        return;
      }
      if (names === undefined) wrongNames.set(frame, (names = new Set()));
      names.add(name);
      fresh = true;
    };
    const from = predicted.changeStart[step] ?? 0;
    const end = predicted.changeStart[step + 1] ?? 0;
    for (let at = from; at < end; at++) judge(predicted.changeNames[at] ?? "");
    for (let at = real.changeStart[step] ?? 0; at < (real.changeStart[step + 1] ?? 0); at++) {
      const name = real.changeNames[at] ?? "";
      // Mostly both change the same names.
      if (!includes(predicted.changeNames, name, from, end)) judge(name);
    }
    if ((names !== undefined && names.size > 0) || wrongOutput) wrong.push(step);
    if (fresh) marks.push(step);
  }
  if (divergence !== null) {
    marks.push(divergence);
    for (let step = divergence; step < predicted.count; step++) wrong.push(step);
  }
  return { wrong, marks, divergence, missing: divergence === null ? real.count - predicted.count : 0 };
}

/** The real value where the predicted one is wrong; undefined where it is right or not comparable. */
export function realValue(
  comparison: Comparison,
  predicted: Value | null,
  real: Value | null,
  step: number,
): Value | null | undefined {
  if (comparison.divergence !== null && step >= comparison.divergence) return undefined;
  return sameText(predicted?.text ?? null, real?.text ?? null) ? undefined : real;
}
