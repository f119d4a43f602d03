// What the page and its worker say to each other.

import type { PlanAnswer, PlanRequest } from "./module.ts";

/** To the worker: first the compiled module, then programs. */
export type ToWorker =
  | { readonly kind: "module"; readonly module: WebAssembly.Module }
  | { readonly kind: "plan"; readonly id: number; readonly request: PlanRequest };

/** From the worker. After `trapped` it does nothing any more. */
export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "planned"; readonly id: number; readonly answer: PlanAnswer; readonly bytes: number }
  | { readonly kind: "failed"; readonly id: number; readonly why: string }
  | { readonly kind: "trapped"; readonly id: number; readonly why: string };
