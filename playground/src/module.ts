// The WebAssembly module behind an interface of texts: a request goes in as JSON, an answer comes out.

import type { Decision, JsonTrace, MadeUp } from "../../viewer/src/types.ts";

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
  readonly milliseconds: number;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  alloc(length: number): number;
  free(pointer: number, length: number): void;
  plan(pointer: number, length: number): number;
  complaint(): number;
}

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
    this.exports.free(pointer, length + HEAD);
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

  /** The answer as text. Throws `Trapped` where the module broke off. */
  planText(request: PlanRequest): string {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    try {
      const pointer = this.exports.alloc(bytes.length);
      if (pointer === 0) throw new Trapped("There is no memory left for the program.");
      this.memory(pointer, bytes.length).set(bytes);
      const answer = this.taken(this.exports.plan(pointer, bytes.length));
      this.exports.free(pointer, bytes.length);
      return answer;
    } catch (error) {
      throw error instanceof Trapped ? error : new Trapped(this.complaint(error));
    }
  }

  /** The answer, or an error that says why there is none. */
  plan(request: PlanRequest): PlanAnswer {
    const answer = JSON.parse(this.planText(request)) as PlanAnswer | { error: string };
    if ("error" in answer) throw new Error(answer.error);
    return answer;
  }
}
