// An answer of the planner as the viewer's parts want it.

import { Model } from "../../viewer/src/model.ts";
import type { PageDocument, Tab } from "../../viewer/src/types.ts";
import type { PlanAnswer, PlanRequest, WorldAnswer } from "./module.ts";

export interface Shown {
  readonly number: number;
  readonly request: PlanRequest;
  readonly answer: PlanAnswer;
  /** Whether what it misses was predicted. */
  readonly isPredicted: boolean;
  readonly worlds: readonly WorldAnswer[];
  readonly page: PageDocument;
  /** The model of a world, made when it is first shown. */
  readonly model: (tab: number) => Model;
}

let count = 0;

export function shownOf(request: PlanRequest, answer: PlanAnswer, isPredicted: boolean): Shown {
  const worlds = [answer, ...(answer.others ?? [])];
  const tabs = worlds.map(({ trace, made_up, decisions, probability }, index): Tab => {
    const tab = { trace, made_up, decisions };
    return worlds.length === 1 ? { label: "planned", ...tab } : { label: `world ${index + 1}`, probability, ...tab };
  });
  const page: PageDocument = { version: 1, title: "playground", tabs, ...(answer.edits === undefined ? {} : { edits: answer.edits }) };
  const models = new Map<Tab, Model>();
  const model = (at: number): Model => {
    const tab = tabs[at] ?? tabs[0];
    if (tab === undefined) throw new Error("There is no trace.");
    const known = models.get(tab) ?? new Model(tab);
    models.set(tab, known);
    return known;
  };
  return { number: ++count, request, answer, isPredicted, worlds, page, model };
}
