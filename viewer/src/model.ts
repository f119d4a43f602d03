// All that the page derives from one tab's trace, each part made when it is first asked for.

import { LINE, lastAt, ownFrame, readExecution, type Execution } from "./execution.ts";
import { readCalls, type Calls } from "./stack.ts";
import { readVisits, type Visits } from "./visits.ts";
import { noSyntax, readSyntax, type Loop, type Syntax } from "./syntax.ts";
import { positionIn, runsOf, type LoopPosition, type LoopRun } from "./loops.ts";
import { Chains, readCaught, type Because, type Caught } from "./caught.ts";
import { errorStep, leastSure } from "./moves.ts";
import type { Tab } from "./types.ts";

export class Model {
  readonly tab: Tab;
  readonly execution: Execution;
  readonly calls: Calls;
  readonly visits: Visits;
  readonly paths: string[];
  readonly errorStep: number | null;
  readonly leastSure: number[];
  /** Steps that print, in their order. */
  readonly printing: number[];
  /** Steps that bind an injected value. */
  readonly injected: number[];
  private readonly sources: (string | null)[];
  private known: { caught: readonly Caught[]; steps: readonly number[] } | null = null;
  private chains: Chains | null = null;
  private readonly chainAt = new Map<number, readonly Because[]>();
  private readonly syntaxes: Syntax[] = [];
  private readonly runs = new Map<string, LoopRun[]>();
  private readonly counts = new Map<number, Map<number, number>>();
  private readonly frameLines = new Map<number, Map<number, number[]>>();

  constructor(tab: Tab) {
    this.tab = tab;
    const { trace } = tab;
    this.execution = readExecution(trace);
    this.calls = readCalls(this.execution);
    this.visits = readVisits(this.execution);
    this.paths = trace.files?.map((file) => file.path) ?? [trace.program.id];
    this.sources = trace.files?.map((file, index) => file.source ?? (index === 0 ? trace.program.source : null) ?? null) ?? [
      trace.program.source ?? null,
    ];
    this.errorStep = errorStep(this.execution);
    this.leastSure = leastSure(this.execution, tab.made_up);
    this.printing = [...this.execution.outputs.keys()].sort((a, b) => a - b);
    this.injected = this.findInjected();
  }

  private allCaught(): { caught: readonly Caught[]; steps: readonly number[] } {
    if (this.known !== null) return this.known;
    const caught = readCaught(this.execution, (file) => this.syntax(file));
    return (this.known = { caught, steps: caught.map((one) => one.raised) });
  }

  /** Exceptions that are caught, in the order of the steps that raise them. */
  get caught(): readonly Caught[] {
    return this.allCaught().caught;
  }

  /** What a step raised that is caught, or null. */
  caughtAt(step: number): Caught | null {
    const { caught, steps } = this.allCaught();
    const at = lastAt(steps, step);
    return steps[at] === step ? (caught[at] ?? null) : null;
  }

  /** What a frame raised on the way between two steps, and caught somewhere; null where nothing. */
  caughtOf(frame: number, from: number, to: number): Caught | null {
    const { caught, steps } = this.allCaught();
    for (let at = lastAt(steps, from - 1) + 1; at < steps.length; at++) {
      const raised = steps[at] ?? 0;
      if (raised > to) break;
      if (ownFrame(this.execution, raised) === frame) return caught[at] ?? null;
    }
    return null;
  }

  /** Why a step raised what it did: causes and what was being handled, the nearest first. */
  chainOf(step: number): readonly Because[] {
    const known = this.chainAt.get(step);
    if (known !== undefined) return known;
    this.chains ??= new Chains(this.execution, this.visits, (file) => this.syntax(file), this.caught);
    const chain = this.chains.of(step);
    this.chainAt.set(step, chain);
    return chain;
  }

  private findInjected(): number[] {
    const steps = new Set<number>();
    for (const frame of this.execution.frames) {
      for (const history of frame.histories.values()) {
        history.values.forEach((value, entry) => {
          if (this.execution.values[value]?.origin === "injected") steps.add(history.steps[entry] ?? 0);
        });
      }
    }
    return [...steps].sort((a, b) => a - b);
  }

  hasSource(file: number): boolean {
    return typeof this.sources[file] === "string";
  }

  syntax(file: number): Syntax {
    const known = this.syntaxes[file];
    if (known !== undefined) return known;
    const source = this.sources[file];
    const syntax = typeof source === "string" ? readSyntax(source) : noSyntax(this.lastLine(file));
    this.syntaxes[file] = syntax;
    return syntax;
  }

  private lastLine(file: number): number {
    const { lines, files } = this.execution;
    return lines.reduce((last, line, step) => (files[step] === file ? Math.max(last, line) : last), 0);
  }

  /** How often each line of a file ran: its `line` events, or where it has none all its events. */
  countsOf(file: number): Map<number, number> {
    const known = this.counts.get(file);
    if (known !== undefined) return known;
    const counts = new Map<number, number>();
    const others = new Map<number, number>();
    const { lines, files, events, count } = this.execution;
    for (let step = 0; step < count; step++) {
      if (files[step] !== file) continue;
      const line = lines[step] ?? 0;
      const into = events[step] === LINE ? counts : others;
      into.set(line, (into.get(line) ?? 0) + 1);
    }
    for (const [line, number] of others) if (!counts.has(line)) counts.set(line, number);
    this.counts.set(file, counts);
    return counts;
  }

  /** For each line the steps of a frame's own events on it. */
  linesOf(frame: number): Map<number, number[]> {
    const known = this.frameLines.get(frame);
    if (known !== undefined) return known;
    const lines = new Map<number, number[]>();
    for (const step of this.visits.byFrame[frame] ?? []) {
      const line = this.execution.lines[step] ?? 0;
      const steps = lines.get(line);
      if (steps === undefined) lines.set(line, [step]);
      else steps.push(step);
    }
    this.frameLines.set(frame, lines);
    return lines;
  }

  runsOf(frame: number, file: number, loop: Loop): LoopRun[] {
    const key = `${frame} ${file} ${loop.line}`;
    const known = this.runs.get(key);
    if (known !== undefined) return known;
    const runs = runsOf(this.execution, this.visits, frame, file, loop);
    this.runs.set(key, runs);
    return runs;
  }

  /** Where a step is in a loop of a frame, or null where the loop does not run there. */
  loopPosition(frame: number, file: number, loop: Loop, step: number): LoopPosition | null {
    const around = this.syntax(file).loops.findLast((other) => other.line < loop.line && other.last >= loop.last);
    const outer = around === undefined ? null : this.loopPosition(frame, file, around, step);
    return positionIn(this.runsOf(frame, file, loop), step, outer);
  }
}
