// A worker: one instance of a module, which does one task for one program after the other.

import type { FromWorker, ToWorker } from "./messages.ts";
import { Planner, Trapped, type Task } from "./module.ts";

/** What is planned first, so that the first program of the page does not wait for what all programs need. */
const WARM_UP = "print(1)\n";

let planner: Planner | null = null;
let task: Task = "plan";

function say(message: FromWorker<unknown>): void {
  postMessage(message);
}

async function hear(message: ToWorker): Promise<void> {
  if (message.kind === "module") {
    const made = await Planner.of(message.module);
    if (message.weights !== null) made.learn(new Uint8Array(message.weights));
    made.plan({ source: WARM_UP });
    [planner, task] = [made, message.work === "predict" ? "ask" : message.work];
    say({ kind: "ready" });
    return;
  }
  const { id, request } = message;
  if (planner === null) {
    say({ kind: "failed", id, why: "the module is not ready" });
    return;
  }
  try {
    const answer = planner.answer<unknown>(task, request);
    say({ kind: "answered", id, answer, bytes: planner.bytes });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say({ kind: error instanceof Trapped ? "trapped" : "failed", id, why });
  }
}

addEventListener("message", (event: MessageEvent<ToWorker>) => {
  hear(event.data).catch((error: unknown) => {
    say({ kind: "trapped", id: 0, why: error instanceof Error ? error.message : String(error) });
  });
});
