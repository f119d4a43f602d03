// A trace as the page keeps it: columns of numbers for the steps, each distinct value once, and for every
// name of every frame the list of its changes. The state at a step follows by binary search, so no state
// is stored or replayed, whether the trace has whole states or changes.

import type { Columns, JsonStep, JsonTrace, JsonValue, Origin, Outcome } from "./types.ts";

export const CALL = 0;
export const LINE = 1;
export const RETURN = 2;
const EVENT_CODES = { call: CALL, line: LINE, return: RETURN } as const;

/** Types of what a program defines or imports. */
export const DEFINITIONS: ReadonlySet<string> = new Set(["function", "class", "module"]);

/** The value of a history where the name is not bound. */
export const GONE = -1;

export interface Value {
  readonly type: string;
  readonly text: string;
  readonly origin: Origin;
  readonly objects: readonly number[] | null;
}

/** The changes of one name in one frame, in the order of steps. */
export interface History {
  readonly name: string;
  readonly steps: number[];
  /** Index of the value, or GONE. */
  readonly values: number[];
  /** Names are listed in the order of these numbers. */
  readonly orders: number[];
}

export interface Frame {
  readonly function: string;
  readonly file: number;
  readonly histories: Map<string, History>;
}

export interface Binding {
  readonly name: string;
  readonly value: Value;
  /** The step that bound it. */
  readonly since: number;
  /** True where the step that is asked for gave it another value. */
  readonly changed: boolean;
  readonly previous: Value | null;
}

export interface Change {
  readonly name: string;
  readonly value: Value | null;
  readonly previous: Value | null;
}

export interface Execution {
  readonly trace: JsonTrace;
  readonly outcome: Outcome;
  readonly count: number;
  readonly lines: Int32Array;
  readonly events: Uint8Array;
  readonly files: Int32Array;
  readonly depths: Int32Array;
  readonly functions: string[];
  /** The frame whose names the state of a step holds. */
  readonly frameAt: Int32Array;
  readonly confidences: Float32Array | null;
  readonly outputs: Map<number, string>;
  readonly returned: Map<number, Value>;
  readonly values: Value[];
  readonly frames: Frame[];
  /** The names that a step changes: from `changeStart[step]` up to `changeStart[step + 1]`. */
  readonly changeStart: Int32Array;
  readonly changeNames: string[];
}

/** The frame of each step's own event: that whose names the state before holds. */
export function ownFrame(execution: Execution, step: number): number {
  return step === 0 ? 0 : (execution.frameAt[step - 1] ?? 0);
}

/** Frames of a trace that has none: one for every call. */
function framesFromEvents(steps: JsonStep[]): { frameAt: Int32Array; frames: Frame[] } {
  const frames = [newFrame("<module>", 0)];
  const frameAt = new Int32Array(steps.length);
  const stack = [0];
  steps.forEach((step, index) => {
    if (step.event === "return" && stack.length > 1) stack.pop();
    const next = steps[index + 1];
    if (next?.event === "call") {
      frames.push(newFrame(next.function, next.file ?? 0));
      stack.push(frames.length - 1);
    }
    frameAt[index] = stack[stack.length - 1] ?? 0;
  });
  return { frameAt, frames };
}

function newFrame(name: string, file: number): Frame {
  return { function: name, file, histories: new Map() };
}

/** Gives every distinct value one number. */
class ValueTable {
  readonly values: Value[] = [];
  /** The numbers of values by their text: mostly there is one. */
  private readonly numbers = new Map<string, number | number[]>();

  private is(number: number, value: JsonValue): boolean {
    const known = this.values[number];
    return (
      known !== undefined &&
      known.type === value.type &&
      known.origin === (value.origin ?? "observed") &&
      sameObjects(known.objects, value.objects ?? null)
    );
  }

  private append(value: JsonValue): number {
    const { type, text } = value;
    return this.values.push({ type, text, origin: value.origin ?? "observed", objects: value.objects ?? null }) - 1;
  }

  add(value: JsonValue): number {
    const known = this.numbers.get(value.text);
    if (known === undefined) {
      const number = this.append(value);
      this.numbers.set(value.text, number);
      return number;
    }
    if (typeof known === "number") {
      if (this.is(known, value)) return known;
      const number = this.append(value);
      this.numbers.set(value.text, [known, number]);
      return number;
    }
    const found = known.find((number) => this.is(number, value));
    if (found !== undefined) return found;
    const number = this.append(value);
    known.push(number);
    return number;
  }
}

function sameObjects(a: readonly number[] | null, b: readonly number[] | null): boolean {
  if (a === b) return true;
  return a !== null && b !== null && a.length === b.length && a.every((object, at) => object === b[at]);
}

/** Applies states to the histories of frames. */
class StateReader {
  readonly changeNames: string[] = [];
  private order = 0;
  private readonly bound: Map<string, number>[] = [];

  private readonly frames: Frame[];
  private readonly table: ValueTable;

  constructor(frames: Frame[], table: ValueTable) {
    this.frames = frames;
    this.table = table;
  }

  private namesOf(frame: number): Map<string, number> {
    return (this.bound[frame] ??= new Map<string, number>());
  }

  private record(step: number, frame: number, name: string, value: number, place: number): void {
    const histories = this.frames[frame]?.histories;
    if (histories === undefined) return;
    let history = histories.get(name);
    if (history === undefined) {
      history = { name, steps: [], values: [], orders: [] };
      histories.set(name, history);
    }
    const last = history.steps.length - 1;
    if (history.steps[last] === step) {
      history.values[last] = value;
      history.orders[last] = place;
      return;
    }
    history.steps.push(step);
    history.values.push(value);
    history.orders.push(place);
    this.changeNames.push(name);
  }

  /** A change of a name whose value has a number, or is GONE. */
  change(step: number, frame: number, name: string, value: number): void {
    if (value === GONE) this.unbind(step, frame, name);
    else this.bind(step, frame, name, value);
  }

  private bind(step: number, frame: number, name: string, value: number): void {
    const names = this.namesOf(frame);
    const before = names.get(name);
    if (before === value) return;
    names.set(name, value);
    const orders = this.frames[frame]?.histories.get(name)?.orders;
    const place = before === undefined ? ++this.order : (orders?.[orders.length - 1] ?? ++this.order);
    this.record(step, frame, name, value, place);
  }

  private unbind(step: number, frame: number, name: string): void {
    if (this.namesOf(frame).delete(name)) this.record(step, frame, name, GONE, 0);
  }

  changes(step: number, frame: number, gone: string[], changed: Record<string, JsonValue>): void {
    for (const name of gone) this.unbind(step, frame, name);
    for (const name in changed) {
      if (!Object.hasOwn(changed, name)) continue;
      const value = changed[name];
      if (value !== undefined) this.bind(step, frame, name, this.table.add(value));
    }
  }

  whole(step: number, frame: number, state: Record<string, JsonValue>): void {
    const names = this.namesOf(frame);
    for (const name of [...names.keys()]) if (!Object.hasOwn(state, name)) this.unbind(step, frame, name);
    const expected = names.keys();
    let inOrder = true;
    for (const name of Object.keys(state)) {
      const value = state[name];
      if (value === undefined) continue;
      const next = inOrder ? expected.next() : null;
      if (next !== null && next.done !== true && next.value !== name) inOrder = false;
      if (!inOrder && names.has(name)) this.unbind(step, frame, name);
      this.bind(step, frame, name, this.table.add(value));
    }
  }
}

const NONE: string[] = [];
const NOTHING: Record<string, JsonValue> = {};

export function readExecution(trace: JsonTrace): Execution {
  return trace.columns === undefined ? readSteps(trace, trace.steps ?? []) : readColumns(trace, trace.columns);
}

function framesOf(trace: JsonTrace): Frame[] {
  return (trace.frames ?? [{ function: "<module>" }]).map((frame) => newFrame(frame.function, frame.file ?? 0));
}

function readColumns(trace: JsonTrace, columns: Columns): Execution {
  const count = columns.lines.length;
  const numbers = (column: number[] | undefined): Int32Array => (column === undefined ? new Int32Array(count) : Int32Array.from(column));
  const events = new Uint8Array(count);
  const codes: Record<string, number> = { c: CALL, l: LINE, r: RETURN };
  for (let step = 0; step < count; step++) events[step] = codes[columns.events[step] ?? "l"] ?? LINE;
  const objects = new Map(columns.objects);
  const values = columns.texts.map((text, number): Value => ({
    type: columns.type_names[columns.types[number] ?? 0] ?? "",
    text,
    origin: columns.origin_names[columns.origins?.[number] ?? 0] ?? "observed",
    objects: objects.get(number) ?? null,
  }));
  const frames = framesOf(trace);
  const frameAt = numbers(columns.frames);
  const reader = new StateReader(frames, new ValueTable());
  const changeStart = new Int32Array(count + 1);
  let at = 0;
  for (let step = 0; step < count; step++) {
    const end = at + (columns.changes[step] ?? 0);
    const frame = frameAt[step] ?? 0;
    for (; at < end; at++) {
      reader.change(step, frame, columns.names[columns.changed_names[at] ?? 0] ?? "", columns.changed_values[at] ?? GONE);
    }
    changeStart[step + 1] = reader.changeNames.length;
  }
  const returned = new Map<number, Value>();
  for (const [step, number] of columns.returned ?? []) {
    const value = values[number];
    if (value !== undefined) returned.set(step, value);
  }
  return {
    trace,
    outcome: trace.outcome,
    count,
    lines: Int32Array.from(columns.lines),
    events,
    files: numbers(columns.files),
    depths: numbers(columns.depths),
    functions: functionsOf(columns),
    frameAt,
    confidences: columns.confidences === undefined ? null : Float32Array.from(columns.confidences, (share) => share ?? NaN),
    outputs: new Map(columns.outputs),
    returned,
    values,
    frames,
    changeStart,
    changeNames: reader.changeNames,
  };
}

function functionsOf(columns: Columns): string[] {
  const first = columns.function_names[0] ?? "";
  if (columns.functions === undefined) return new Array<string>(columns.lines.length).fill(first);
  return columns.functions.map((number) => columns.function_names[number] ?? first);
}

function readSteps(trace: JsonTrace, steps: JsonStep[]): Execution {
  const count = steps.length;
  const columns = {
    lines: new Int32Array(count),
    events: new Uint8Array(count),
    files: new Int32Array(count),
    depths: new Int32Array(count),
  };
  const derived =
    trace.frames === undefined && steps.some((step) => step.event === "call") ? framesFromEvents(steps) : null;
  const frames = derived?.frames ?? framesOf(trace);
  const frameAt = derived?.frameAt ?? Int32Array.from(steps, (step) => step.frame ?? 0);
  const table = new ValueTable();
  const reader = new StateReader(frames, table);
  const functions = new Array<string>(count);
  const outputs = new Map<number, string>();
  const returned = new Map<number, Value>();
  const changeStart = new Int32Array(count + 1);
  let confidences: Float32Array | null = null;
  steps.forEach((step, index) => {
    columns.lines[index] = step.line;
    columns.events[index] = EVENT_CODES[step.event];
    columns.files[index] = step.file ?? 0;
    columns.depths[index] = step.depth;
    functions[index] = step.function;
    if (step.output !== undefined && step.output !== "") outputs.set(index, step.output);
    if (step.value !== undefined) {
      const value = table.values[table.add(step.value)];
      if (value !== undefined) returned.set(index, value);
    }
    if (typeof step.confidence === "number") {
      confidences ??= new Float32Array(count).fill(NaN);
      confidences[index] = step.confidence;
    }
    const frame = frameAt[index] ?? 0;
    if (step.state === undefined) reader.changes(index, frame, step.gone ?? NONE, step.changed ?? NOTHING);
    else reader.whole(index, frame, step.state);
    changeStart[index + 1] = reader.changeNames.length;
  });
  return {
    trace,
    outcome: trace.outcome,
    count,
    ...columns,
    functions,
    frameAt,
    confidences,
    outputs,
    returned,
    values: table.values,
    frames,
    changeStart,
    changeNames: reader.changeNames,
  };
}

/** Index of the last of `steps` that is not behind `step`, or -1. */
export function lastAt(steps: ArrayLike<number>, step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle] ?? 0) <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function valueOf(execution: Execution, history: History, entry: number): Value | null {
  const index = history.values[entry] ?? GONE;
  return index === GONE ? null : (execution.values[index] ?? null);
}

/** The names that are bound in a frame as of a step, in their order. */
export function bindingsAt(execution: Execution, frame: number, step: number): Binding[] {
  const found: { order: number; binding: Binding }[] = [];
  for (const history of execution.frames[frame]?.histories.values() ?? []) {
    const entry = lastAt(history.steps, step);
    const value = valueOf(execution, history, entry);
    if (value === null) continue;
    const since = history.steps[entry] ?? 0;
    found.push({
      order: history.orders[entry] ?? 0,
      binding: {
        name: history.name,
        value,
        since,
        changed: since === step && valueOf(execution, history, entry - 1) !== value,
        previous: since === step ? valueOf(execution, history, entry - 1) : null,
      },
    });
  }
  return found.sort((a, b) => a.order - b.order).map((item) => item.binding);
}

/** The value of one name as of a step. */
export function valueAt(execution: Execution, frame: number, name: string, step: number): Value | null {
  const history = execution.frames[frame]?.histories.get(name);
  return history === undefined ? null : valueOf(execution, history, lastAt(history.steps, step));
}

/** What a step changes in the frame of its state. */
export function changesAt(execution: Execution, step: number): Change[] {
  const found: Change[] = [];
  const histories = execution.frames[execution.frameAt[step] ?? 0]?.histories;
  for (let at = execution.changeStart[step] ?? 0; at < (execution.changeStart[step + 1] ?? 0); at++) {
    const history = histories?.get(execution.changeNames[at] ?? "");
    if (history === undefined) continue;
    const entry = lastAt(history.steps, step);
    found.push({
      name: history.name,
      value: valueOf(execution, history, entry),
      previous: valueOf(execution, history, entry - 1),
    });
  }
  return found;
}
