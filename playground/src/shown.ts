// An answer of the planner as the viewer's parts want it.

import { Model } from "../../viewer/src/model.ts";
import type { PageDocument } from "../../viewer/src/types.ts";
import type { PlanAnswer, PlanRequest } from "./module.ts";

export interface Shown {
  readonly number: number;
  readonly request: PlanRequest;
  readonly answer: PlanAnswer;
  readonly page: PageDocument;
  readonly model: Model;
}

let count = 0;

export function shownOf(request: PlanRequest, answer: PlanAnswer): Shown {
  const { trace, made_up, decisions } = answer;
  const page: PageDocument = { version: 1, title: "playground", tabs: [{ label: "planned", trace, made_up, decisions }] };
  const [tab] = page.tabs;
  if (tab === undefined) throw new Error("There is no trace.");
  return { number: ++count, request, answer, page, model: new Model(tab) };
}
