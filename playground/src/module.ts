// The WebAssembly module behind an interface of texts: a request goes in as JSON, an answer comes out.

import type { Decision, Edit, JsonTrace, MadeUp } from "../../viewer/src/types.ts";

export interface PlanRequest {
  readonly source: string;
  readonly stdin?: string;
  readonly arguments?: readonly string[];
  readonly max_steps?: number;
  readonly max_milliseconds?: number;
  readonly name?: string;
  /** Whether undefined names, files and input are made up, too. */
  readonly inject?: boolean;
  /** Files beside the program. */
  readonly files?: readonly FileText[];
  /** Most worlds that planning goes on in where made up values decide. */
  readonly worlds?: number;
  /** What is computed; the rest is asked. */
  readonly fold?: Fold;
  /** Values in place of made up ones. Only `ask` takes them. */
  readonly given?: readonly GivenValue[];
}

export type GivenValue = Pick<Edit, "line" | "kind" | "what" | "value">;

export type Fold = "methods" | "operators" | "nothing";

/** A program to check. */
export interface CheckRequest {
  readonly source: string;
  readonly stdin?: string;
  readonly name?: string;
  readonly files?: readonly FileText[];
  readonly min_probability?: number;
  readonly max_milliseconds?: number;
}

/** An error that a program probably ends with; columns are in characters, from 1. */
export interface Finding {
  readonly kind: string;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
  readonly probability: number;
  readonly message: string;
  readonly values?: string;
  readonly when?: string;
  readonly calls?: readonly unknown[];
  /** What it rests on. */
  readonly evidence?: string;
  /** All of it in one sentence. */
  readonly sentence: string;
}

export interface CheckAnswer {
  readonly findings: readonly Finding[];
  /** Those of other files, which the program leads to. */
  readonly elsewhere?: readonly { readonly path: string; readonly findings: readonly Finding[] }[];
  readonly error_probability: number;
  readonly notes: readonly { readonly line: number | null; readonly text: string }[];
  readonly milliseconds: number;
}

export interface FileText {
  /** Below the directory of the program. */
  readonly path: string;
  readonly text: string;
}

/** What a program will do where decisions on made up values are taken in one way. */
export interface WorldAnswer {
  readonly trace: JsonTrace;
  readonly made_up: MadeUp[];
  readonly decisions: Decision[];
  /** Why planning ended before the program does. */
  readonly stopped?: string;
  readonly probability: number;
}

export interface PlanAnswer extends WorldAnswer {
  /** What else it may do. */
  readonly others?: WorldAnswer[];
  /** What became of the values that were given. */
  readonly edits?: Edit[];
  readonly milliseconds: number;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  alloc(length: number): number;
  give_back(pointer: number, length: number): void;
  plan(pointer: number, length: number): number;
  complaint(): number;
  /** These are the checker's alone. */
  check?(pointer: number, length: number): number;
  learn?(pointer: number, length: number): number;
  ask?(pointer: number, length: number): number;
}

/** What a module can be asked. */
export type Task = "plan" | "check" | "ask";

/** What a worker is for: `ask` asks the network, too, and `predict` the predictors of missing values alone. */
export type Work = Task | "predict";

/** The module trapped: this instance is of no use any more. */
export class Trapped extends Error {}

const HEAD = 4;

export class Planner {
  private readonly exports: Exports;

  private constructor(exports: Exports) {
    this.exports = exports;
  }

  /** An instance of the compiled module, with a clock. */
  static async of(module: WebAssembly.Module): Promise<Planner> {
    const imports = { codexec: { now: () => performance.now() } };
    const instance = await WebAssembly.instantiate(module, imports);
    return new Planner(instance.exports as unknown as Exports);
  }

  /** Bytes of memory that the instance has taken so far. */
  get bytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  private memory(pointer: number, length: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, pointer, length);
  }

  /** A text that the module hands over, with its length before it. */
  private taken(pointer: number): string {
    if (pointer === 0) throw new Trapped("There is no memory left for the answer.");
    const length = new DataView(this.exports.memory.buffer).getUint32(pointer, true);
    const text = new TextDecoder().decode(this.memory(pointer + HEAD, length));
    this.exports.give_back(pointer, length + HEAD);
    return text;
  }

  /** What the module said before it trapped, in words. */
  private complaint(error: unknown): string {
    try {
      const said = this.taken(this.exports.complaint());
      if (said !== "") return said;
    } catch {
      // Then the trap itself has to do.
    }
    return error instanceof Error ? error.message : String(error);
  }

  /** What one of the module's functions makes of some bytes, as text. Throws `Trapped` where the module broke off. */
  private made(name: Task | "learn", bytes: Uint8Array): string {
    try {
      const { exports } = this;
      if (exports[name] === undefined) throw new Error(`this module has no ${name}`);
      const pointer = exports.alloc(bytes.length);
      if (pointer === 0) throw new Trapped("There is no memory left for the program.");
      this.memory(pointer, bytes.length).set(bytes);
      const answer = this.taken(exports[name]?.(pointer, bytes.length) ?? 0);
      exports.give_back(pointer, bytes.length);
      return answer;
    } catch (error) {
      throw error instanceof Trapped ? error : new Trapped(this.complaint(error));
    }
  }

  /** The answer to a request, or an error that says why there is none. */
  answer<Answer>(task: Task, request: PlanRequest | CheckRequest): Answer {
    const text = this.made(task, new TextEncoder().encode(JSON.stringify(request)));
    const answer = JSON.parse(text) as Answer | { error: string };
    if (typeof answer === "object" && answer !== null && "error" in answer) throw new Error(answer.error);
    return answer;
  }

  plan(request: PlanRequest): PlanAnswer {
    return this.answer("plan", request);
  }

  check(request: CheckRequest): CheckAnswer {
    return this.answer("check", request);
  }

  /** As `plan`, with the predictors of missing values, and the network where not all is computed: it has to have its weights. */
  ask(request: PlanRequest): PlanAnswer {
    return this.answer("ask", request);
  }

  /** Give the network its weights. */
  learn(weights: Uint8Array): void {
    const answer = JSON.parse(this.made("learn", weights)) as { error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
  }
}
