// Plans programs in a worker: one at a time, of those that wait only the newest. A worker that traps, or does not answer in
// time, is thrown away and another one started.

import { compiled, startWorker } from "./assets.ts";
import type { FromWorker } from "./messages.ts";
import type { PlanAnswer, PlanRequest } from "./module.ts";

export type Result =
  | { readonly kind: "planned"; readonly request: PlanRequest; readonly answer: PlanAnswer }
  | { readonly kind: "failed"; readonly request: PlanRequest; readonly why: string; readonly restarted: boolean };

/** How long a program may be planned before what was typed since goes first. */
const PATIENCE = 800;
/** How long one that nothing waits for may be planned: the module itself gives up before. */
const MOST = 15_000;
/** How much memory a worker may keep: a module gives none back. */
const MOST_BYTES = 256 * 2 ** 20;

export class Planning {
  private readonly module: Promise<WebAssembly.Module>;
  private readonly show: (result: Result) => void;
  private worker: Worker | null = null;
  private isReady = false;
  private running: { id: number; request: PlanRequest; since: number } | null = null;
  private waiting: PlanRequest | null = null;
  private count = 0;
  private timer = 0;

  constructor(show: (result: Result) => void, fail: (why: string) => void) {
    this.show = show;
    this.module = compiled();
    this.module.then(() => this.start()).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
  }

  /** Plan this next, instead of whatever waits. */
  plan(request: PlanRequest): void {
    this.waiting = request;
    this.next();
  }

  private start(): void {
    this.isReady = false;
    const worker = startWorker();
    this.worker = worker;
    worker.addEventListener("message", (event: MessageEvent<FromWorker>) => {
      if (worker === this.worker) this.hear(event.data);
    });
    worker.addEventListener("error", (event) => {
      if (worker === this.worker) this.lost(event.message === "" ? "the worker ended" : event.message);
    });
    void this.module.then((module) => worker.postMessage({ kind: "module", module }));
  }

  private next(): void {
    clearTimeout(this.timer);
    if (!this.isReady || this.worker === null) return;
    if (this.running !== null) {
      const most = this.waiting === null ? MOST : PATIENCE;
      const left = most - (performance.now() - this.running.since);
      this.timer = setTimeout(() => this.lost("it took too long"), Math.max(0, left));
      return;
    }
    if (this.waiting === null) return;
    const request = this.waiting;
    this.waiting = null;
    this.running = { id: ++this.count, request, since: performance.now() };
    this.worker.postMessage({ kind: "plan", id: this.running.id, request });
    this.next();
  }

  private hear(message: FromWorker): void {
    if (message.kind === "ready") {
      this.isReady = true;
    } else if (message.kind === "trapped") {
      this.lost(message.why);
      return;
    } else if (this.running?.id === message.id) {
      const { request } = this.running;
      this.running = null;
      if (message.kind === "planned") {
        this.show({ kind: "planned", request, answer: message.answer });
        if (message.bytes > MOST_BYTES) this.renew();
      } else this.show({ kind: "failed", request, why: message.why, restarted: false });
    }
    this.next();
  }

  private renew(): void {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.start();
  }

  /** The worker is of no use any more. */
  private lost(why: string): void {
    const { running } = this;
    this.running = null;
    if (running !== null && this.waiting === null) {
      this.show({ kind: "failed", request: running.request, why, restarted: true });
    }
    this.renew();
  }
}
