// What tells the calls of one function apart: the arguments, and what a call returned.

import { RETURN, bindingsAt, type Binding } from "./execution.ts";
import type { Model } from "./model.ts";
import { escaped } from "./odd.ts";
import { brief } from "./view.ts";

const VALUE = 16;
const MOST = 6;

/** The names that a frame begins with: its arguments. None for a module. */
export function argumentsOf(model: Model, frame: number): readonly Binding[] {
  if (frame === 0) return [];
  const first = model.visits.byFrame[frame]?.[0];
  return first === undefined ? [] : bindingsAt(model.execution, frame, first);
}

/** `f(n=2, a='A')`, each value cut to a length. */
export function callText(model: Model, frame: number, value = VALUE, most = MOST): string {
  const name = model.execution.frames[frame]?.function ?? "";
  const given = argumentsOf(model, frame);
  if (given.length === 0) return name;
  const shown = given.slice(0, most).map((one) => `${one.name}=${escaped(brief(one.value.text, value))}`);
  return `${name}(${shown.join(", ")}${given.length > most ? ", …" : ""})`;
}

/** `→ 3` of a block that ended with a value up to a step; else nothing. */
export function returnText(model: Model, block: number, step: number, value = VALUE): string {
  const end = model.calls.ends[block] ?? 0;
  if (block === 0 || end > step || model.execution.events[end] !== RETURN) return "";
  const returned = model.execution.returned.get(end);
  return returned === undefined ? "" : `→ ${escaped(brief(returned.text, value))}`;
}

/** A block in one line: `f(n=2) → 3`. */
export function blockText(model: Model, block: number, value = VALUE): string {
  const text = callText(model, model.calls.frames[block] ?? 0, value);
  const returned = returnText(model, block, model.execution.count, value);
  return returned === "" ? text : `${text} ${returned}`;
}

/** The block that a step ends by returning, or null. */
export function leftAt(model: Model, step: number): number | null {
  const { calls, execution } = model;
  if (step < 1 || execution.events[step] !== RETURN) return null;
  const block = calls.topAt[step - 1] ?? 0;
  return block !== 0 && calls.ends[block] === step ? block : null;
}

/** The block at a step and a level of the stack, or null. */
export function blockAt(model: Model, step: number, level: number): number | null {
  const { calls, execution } = model;
  // A block is drawn from its own first event, and through the step that ends it.
  let block = calls.topAt[Math.max(0, Math.min(execution.count - 1, step) - 1)] ?? 0;
  while (block > 0 && (calls.levels[block] ?? 0) > level) block = calls.below[block] ?? 0;
  return (calls.levels[block] ?? 0) === level ? block : null;
}
