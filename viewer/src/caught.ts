// Exceptions that a program catches. A trace does not say so: it is seen in the steps, which go from a line to an `except` and
// into its body.

import { LINE, RETURN, valueAt, type Execution } from "./execution.ts";
import type { Handler, Syntax } from "./syntax.ts";

export interface Caught {
  /** The step that raised it. */
  readonly raised: number;
  /** The step of the `except` that caught it. */
  readonly handled: number;
  /** Line of the `except` that caught it. */
  readonly line: number;
  /** Its class, where the `except` gives it a name; else what the `except` names. */
  readonly what: string;
}

/** The step that raised what comes to a handler: the one before it, or where the functions begin to end that are left without a value. */
function raisedBefore(execution: Execution, handler: number): number | null {
  const { depths, events, returned } = execution;
  const depth = depths[handler] ?? 0;
  let at = handler - 1;
  while (at >= 0 && events[at] === RETURN && !returned.has(at) && (depths[at] ?? 0) > depth) at--;
  if (at < 0) return null;
  if (events[at] !== RETURN) return at;
  // What a function gave back was used on the line that called it.
  const caller = (depths[at] ?? 0) - 1;
  while (at >= 0 && !(events[at] === LINE && depths[at] === caller)) at--;
  return at < 0 ? null : at;
}

function whatIs(execution: Execution, step: number, handler: Handler): string {
  const value = handler.name === null ? null : valueAt(execution, execution.frameAt[step] ?? 0, handler.name, step);
  return /^<([\p{L}\p{N}_.]+)/u.exec(value?.text ?? "")?.[1] ?? (handler.type === "" ? "exception" : handler.type);
}

/** The exceptions that are caught, in the order of the steps that raise them. */
export function readCaught(execution: Execution, syntaxOf: (file: number) => Syntax): Caught[] {
  const { lines, files, events, count } = execution;
  const caught: Caught[] = [];
  let from: number | null = null;
  for (let step = 0; step < count; step++) {
    const file = files[step] ?? 0;
    const handler = events[step] === LINE ? syntaxOf(file).handlers.get(lines[step] ?? 0) : undefined;
    if (handler === undefined) {
      from = null;
      continue;
    }
    // Of several clauses the first one is where the exception comes to.
    from ??= raisedBefore(execution, step);
    const next = step + 1 < count && files[step + 1] === file ? (lines[step + 1] ?? 0) : 0;
    if (from !== null && next >= handler.bodyFirst && next <= handler.bodyLast) {
      caught.push({ raised: from, handled: step, line: handler.line, what: whatIs(execution, step, handler) });
    }
  }
  return caught.sort((a, b) => a.raised - b.raised);
}
