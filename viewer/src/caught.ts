// Exceptions that a program catches. A trace does not say so, but of those that led to its end: it is seen in the steps, which go
// from a line to an `except` and into its body.

import { LINE, RETURN, lastAt, ownFrame, valueAt, type Execution } from "./execution.ts";
import type { Handler, Raise, Syntax } from "./syntax.ts";
import type { Cause } from "./types.ts";
import type { Visits } from "./visits.ts";

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

/** Why there is an exception: what it was made from, or what was being handled when it was raised. */
export interface Because {
  /** `again`: it is the same exception, which was raised before. */
  readonly how: "cause" | "handling" | "again";
  readonly what: string;
  /** Where that was raised; null where the trace does not say. */
  readonly step: number | null;
  readonly line: number | null;
}

const HOW = { cause: "caused by", handling: "while handling", again: "raised before as" } as const;

/** `caused by KeyError`: what stands before the place of it. */
export function becauseText({ how, what }: Because): string {
  return `${HOW[how]} ${what}`;
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

/** What the trace says of it. */
function told({ how, exception, message, line, step }: Cause): Because {
  const what = message === undefined ? exception : `${exception}: ${message}`;
  return { how: how === "cause" ? "cause" : "handling", what, step: step ?? null, line: line === 0 ? null : line };
}

/** A chain is cut here. */
const LONGEST = 20;

/** Finds what exceptions are made from or raised while handling. */
export class Chains {
  private readonly execution: Execution;
  private readonly visits: Visits;
  private readonly syntaxOf: (file: number) => Syntax;
  /** In the order of the steps that handle. */
  private readonly caught: readonly Caught[];

  constructor(execution: Execution, visits: Visits, syntaxOf: (file: number) => Syntax, caught: readonly Caught[]) {
    this.execution = execution;
    this.visits = visits;
    this.syntaxOf = syntaxOf;
    this.caught = [...caught].sort((a, b) => a.handled - b.handled);
  }

  /** The chain of what a step raises, the nearest first. */
  of(step: number): Because[] {
    const { outcome, trace } = this.execution;
    if (step === outcome.step && trace.causes !== undefined) return trace.causes.map(told);
    const chain: Because[] = [];
    let at: number | null = step;
    while (at !== null && chain.length < LONGEST) {
      const because: Because | null = this.because(at);
      if (because === null) break;
      chain.push(because);
      at = because.step;
    }
    return chain;
  }

  private raiseAt(step: number): Raise | undefined {
    const { outcome, files, lines } = this.execution;
    const failed = outcome.step === step && outcome.line !== undefined;
    const file = failed ? (outcome.file ?? 0) : (files[step] ?? 0);
    const line = failed ? (outcome.line ?? 0) : (lines[step] ?? 0);
    return this.syntaxOf(file).raises.findLast((one) => one.line <= line && line <= one.last);
  }

  private handlerOf(caught: Caught): Handler | undefined {
    return this.syntaxOf(this.execution.files[caught.handled] ?? 0).handlers.get(caught.line);
  }

  /** Whether the body of a handler is executed at a step, or called what is. */
  private handles(caught: Caught, step: number): boolean {
    const handler = this.handlerOf(caught);
    if (handler === undefined) return false;
    const { events, lines } = this.execution;
    const own = this.visits.byFrame[ownFrame(this.execution, caught.handled)] ?? [];
    for (let at = lastAt(own, caught.handled) + 1; at < own.length; at++) {
      const one = own[at] ?? 0;
      if (one > step) break;
      const line = lines[one] ?? 0;
      if (line < handler.bodyFirst || line > handler.bodyLast || (events[one] === RETURN && one < step)) return false;
    }
    return true;
  }

  /** The exceptions that are being handled at a step, the innermost first. */
  private *handled(step: number): Generator<Caught> {
    for (let at = this.caught.length - 1; at >= 0; at--) {
      const one = this.caught[at];
      if (one !== undefined && one.handled < step && this.handles(one, step)) yield one;
    }
  }

  /** What a name of the raising frame holds, of what was caught before. */
  private named(name: string, step: number): Caught | undefined {
    const frame = ownFrame(this.execution, step);
    const inFrame = (one: Caught): boolean => ownFrame(this.execution, one.handled) === frame;
    for (const one of this.handled(step)) if (inFrame(one) && this.handlerOf(one)?.name === name) return one;
    const object = (where: number, of: string, at: number): number | undefined => valueAt(this.execution, where, of, at)?.objects?.[0];
    const wanted = step === 0 ? undefined : object(frame, name, step - 1);
    if (wanted === undefined) return undefined;
    return this.caught.findLast((one) => {
      const as = this.handlerOf(one)?.name ?? null;
      return one.handled < step && as !== null && object(ownFrame(this.execution, one.handled), as, one.handled) === wanted;
    });
  }

  private because(step: number): Because | null {
    const raise = this.raiseAt(step);
    if (raise?.cause === "None") return null;
    if (raise !== undefined && raise.cause !== null) {
      const cause = this.named(raise.cause, step);
      return cause === undefined ? { how: "cause", what: raise.cause, step: null, line: null } : this.link("cause", cause);
    }
    const innermost = this.handled(step).next().value as Caught | undefined;
    if (raise?.name === "") return innermost === undefined ? null : this.link("again", innermost);
    const same = raise === undefined ? undefined : this.named(raise.name, step);
    if (same !== undefined) return this.link("again", same);
    return innermost === undefined ? null : this.link("handling", innermost);
  }

  private link(how: Because["how"], { raised, what }: Caught): Because {
    const raise = this.raiseAt(raised);
    const message = raise !== undefined && raise.name === what && raise.message !== null ? `: ${raise.message}` : "";
    return { how, what: what + message, step: raised, line: this.execution.lines[raised] ?? 0 };
  }
}
