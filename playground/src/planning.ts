// Gives programs to a worker: one at a time, of those that wait only the newest. A worker that traps, or does not answer in
// time, is thrown away and another one started.

import { compiled, startWorker, weights } from "./assets.ts";
import type { FromWorker } from "./messages.ts";
import type { CheckAnswer, CheckRequest, PlanAnswer, PlanRequest, Work } from "./module.ts";

export type Result<Request, Answer> =
  | { readonly kind: "answered"; readonly request: Request; readonly answer: Answer }
  | { readonly kind: "failed"; readonly request: Request; readonly why: string; readonly restarted: boolean };

interface How {
  readonly work: Work;
  /** How long a program may take before what was typed since goes first, in milliseconds. */
  readonly patience: number;
  /** How long one that nothing waits for may take: the module itself gives up before. */
  readonly most: number;
}

/** How much memory a worker may keep: a module gives none back. */
const MOST_BYTES = 256 * 2 ** 20;

/** A worker is started when it is first asked. */
class Queue<Request extends PlanRequest | CheckRequest, Answer> {
  private readonly how: How;
  private readonly show: (result: Result<Request, Answer>) => void;
  private readonly fail: (why: string) => void;
  private begun: Promise<readonly [WebAssembly.Module, ArrayBuffer | null]> | null = null;
  private worker: Worker | null = null;
  private isReady = false;
  private running: { id: number; request: Request; since: number } | null = null;
  private waiting: Request | null = null;
  private count = 0;
  private timer = 0;

  constructor(how: How, show: (result: Result<Request, Answer>) => void, fail: (why: string) => void) {
    this.how = how;
    this.show = show;
    this.fail = fail;
  }

  /** Take this next, instead of whatever waits. */
  put(request: Request): void {
    this.waiting = request;
    if (this.begun === null) this.begin();
    this.next();
  }

  /** Nothing is wanted any more. */
  drop(): void {
    this.waiting = null;
  }

  private begin(): void {
    const { work } = this.how;
    const begun = Promise.all([compiled(work === "plan" ? "planner" : "checker"), work === "ask" ? weights() : null]);
    this.begun = begun;
    begun
      .then(() => this.start())
      .catch((error: unknown) => {
        // Another request tries again.
        this.begun = null;
        this.fail(error instanceof Error ? error.message : String(error));
      });
  }

  private start(): void {
    this.isReady = false;
    const worker = startWorker();
    this.worker = worker;
    worker.addEventListener("message", (event: MessageEvent<FromWorker<Answer>>) => {
      if (worker === this.worker) this.hear(event.data);
    });
    worker.addEventListener("error", (event) => {
      if (worker === this.worker) this.lost(event.message === "" ? "the worker ended" : event.message);
    });
    void this.begun?.then(([module, weights]) => worker.postMessage({ kind: "module", module, work: this.how.work, weights }));
  }

  private next(): void {
    clearTimeout(this.timer);
    if (!this.isReady || this.worker === null) return;
    if (this.running !== null) {
      const most = this.waiting === null ? this.how.most : this.how.patience;
      const left = most - (performance.now() - this.running.since);
      this.timer = setTimeout(() => this.lost("it took too long"), Math.max(0, left));
      return;
    }
    if (this.waiting === null) return;
    const request = this.waiting;
    this.waiting = null;
    this.running = { id: ++this.count, request, since: performance.now() };
    this.worker.postMessage({ kind: "request", id: this.running.id, request });
    this.next();
  }

  private hear(message: FromWorker<Answer>): void {
    if (message.kind === "ready") {
      this.isReady = true;
    } else if (message.kind === "trapped") {
      this.lost(message.why);
      return;
    } else if (this.running?.id === message.id) {
      const { request } = this.running;
      this.running = null;
      if (message.kind === "answered") {
        this.show({ kind: "answered", request, answer: message.answer });
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

export type Planned = Result<PlanRequest, PlanAnswer>;
export type Checked = Result<CheckRequest, CheckAnswer>;

export interface Workers {
  /** Plans; what is not computed ends the program. */
  readonly plans: Queue<PlanRequest, PlanAnswer>;
  /** Plans with the predictors of missing values. */
  readonly predicts: Queue<PlanRequest, PlanAnswer>;
  /** Plans with the network, too. */
  readonly asks: Queue<PlanRequest, PlanAnswer>;
  readonly checks: Queue<CheckRequest, CheckAnswer>;
}

export function workers(show: (planned: Planned, isPredicted: boolean) => void, found: (checked: Checked) => void, fail: (what: string, why: string) => void): Workers {
  return {
    plans: new Queue({ work: "plan", patience: 800, most: 15_000 }, (planned) => show(planned, false), (why) => fail("The planner", why)),
    predicts: new Queue({ work: "predict", patience: 2_000, most: 15_000 }, (planned) => show(planned, true), (why) => fail("The predictors", why)),
    asks: new Queue({ work: "ask", patience: 2_000, most: 60_000 }, (planned) => show(planned, true), (why) => fail("The network", why)),
    checks: new Queue({ work: "check", patience: 2_000, most: 30_000 }, found, (why) => fail("The checker", why)),
  };
}
