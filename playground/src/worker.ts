// The worker: one instance of the planner, which plans one program after the other.

import type { FromWorker, ToWorker } from "./messages.ts";
import { Planner, Trapped } from "./module.ts";

/** What is planned first, so that the first program of the page does not wait for what all programs need. */
const WARM_UP = "print(1)\n";

let planner: Planner | null = null;

function say(message: FromWorker): void {
  postMessage(message);
}

async function hear(message: ToWorker): Promise<void> {
  if (message.kind === "module") {
    planner = await Planner.of(message.module);
    planner.plan({ source: WARM_UP });
    say({ kind: "ready" });
    return;
  }
  const { id, request } = message;
  if (planner === null) {
    say({ kind: "failed", id, why: "the planner is not ready" });
    return;
  }
  try {
    const answer = planner.plan(request);
    say({ kind: "planned", id, answer, bytes: planner.bytes });
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
