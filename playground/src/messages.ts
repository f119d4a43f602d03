// What the page and its workers say to each other.

import type { CheckRequest, PlanRequest, Work } from "./module.ts";

/** To a worker: first the compiled module, with the weights of the network where it is to be asked, then programs. */
export type ToWorker =
  | { readonly kind: "module"; readonly module: WebAssembly.Module; readonly work: Work; readonly weights: ArrayBuffer | null }
  | { readonly kind: "request"; readonly id: number; readonly request: PlanRequest | CheckRequest };

/** From a worker. After `trapped` it does nothing any more. */
export type FromWorker<Answer> =
  | { readonly kind: "ready" }
  | { readonly kind: "answered"; readonly id: number; readonly answer: Answer; readonly bytes: number }
  | { readonly kind: "failed"; readonly id: number; readonly why: string }
  | { readonly kind: "trapped"; readonly id: number; readonly why: string };
