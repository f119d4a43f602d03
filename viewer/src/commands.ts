// Every command of the page: its keys, its name, and what it does. The keyboard, the buttons and the help
// are made of this list.

import { lastAt } from "./execution.ts";
import { lastSet, nextSet, nextVisit, stepOut, stepOver } from "./moves.ts";
import { remember } from "./theme.ts";
import type { View } from "./view.ts";

export interface Command {
  readonly id: string;
  readonly keys: readonly string[];
  readonly name: string;
  /** Whether it would do something now. */
  readonly able?: (view: View) => boolean;
  readonly run: (view: View) => void;
}

export const SEARCH_ID = "search";

function last(view: View): number {
  return view.model.execution.count - 1;
}

/** Where a view is on its way, which for two versions goes through the steps of both. */
function placeOf(view: View): { at: number; last: number; go: (to: number | null) => void } {
  const { beside } = view;
  return beside === undefined
    ? { at: view.step, last: last(view), go: view.go }
    : { at: beside.row, last: beside.pair.old.length - 1, go: beside.go };
}

/** Whether there is another step in a direction. */
const hasBefore = (view: View): boolean => placeOf(view).at > 0;
const hasBehind = (view: View): boolean => placeOf(view).at < placeOf(view).last;

/** The places to go to that are wrong or become different. */
function marked(view: View): readonly number[] {
  return view.beside?.pair.marks ?? view.marks ?? [];
}

function following(steps: readonly number[], step: number): number | null {
  return steps[lastAt(steps, step)] === steps[steps.length - 1] ? (steps[0] ?? null) : (steps[lastAt(steps, step) + 1] ?? null);
}

function leastSure(view: View): number | null {
  const { leastSure: steps } = view.model;
  return steps[steps.indexOf(view.step) + 1] ?? steps[0] ?? null;
}

function why(view: View): number | null {
  const { selected } = view.state;
  if (selected === null) return null;
  const { execution } = view.model;
  const set = lastSet(execution, selected.frame, selected.name, view.step);
  return set === view.step ? lastSet(execution, selected.frame, selected.name, view.step - 1) : set;
}

function nextChange(view: View): number | null {
  const { selected } = view.state;
  return selected === null ? null : nextSet(view.model.execution, selected.frame, selected.name, view.step);
}

const hasSteps = (view: View): boolean => view.step >= 0;

export const COMMANDS: readonly Command[] = [
  { id: "first", keys: ["Home"], name: "First step", able: hasBefore, run: (view) => placeOf(view).go(0) },
  {
    id: "previous",
    keys: ["ArrowLeft", "p", "ArrowUp", "S"],
    name: "Previous step",
    able: hasBefore,
    run: (view) => placeOf(view).go(placeOf(view).at - 1),
  },
  {
    id: "next",
    keys: ["ArrowRight", "n", "ArrowDown", "s"],
    name: "Next step",
    able: hasBehind,
    run: (view) => placeOf(view).go(placeOf(view).at + 1),
  },
  {
    id: "over",
    keys: ["o"],
    name: "Step over calls",
    able: (view) => view.step < last(view),
    run: (view) => view.go(stepOver(view.model.execution, view.model.calls, view.step)),
  },
  {
    id: "out",
    keys: ["u"],
    name: "Step out of the function",
    able: (view) => view.step < last(view),
    run: (view) => view.go(stepOut(view.model.execution, view.model.calls, view.step)),
  },
  { id: "last", keys: ["End"], name: "Last step", able: hasBehind, run: (view) => placeOf(view).go(placeOf(view).last) },
  {
    id: "continue",
    keys: ["c"],
    name: "Next visit of this line",
    able: hasSteps,
    run: (view) => view.go(nextVisit(view.model.execution, view.step)),
  },
  {
    id: "back",
    keys: ["C"],
    name: "Previous visit of this line",
    able: hasSteps,
    run: (view) => view.go(nextVisit(view.model.execution, view.step, -1)),
  },
  {
    id: "error",
    keys: ["e"],
    name: "Step of the error",
    able: (view) => view.model.errorStep !== null,
    run: (view) => view.go(view.model.errorStep),
  },
  {
    id: "wrong",
    keys: ["d"],
    name: "Next wrong step, or difference of two versions",
    able: (view) => marked(view).length > 0,
    run: (view) => placeOf(view).go(following(marked(view), placeOf(view).at)),
  },
  {
    id: "unsure",
    keys: ["l"],
    name: "Least sure step or made up value, then the next one",
    able: (view) => view.model.leastSure.length > 0,
    run: (view) => view.go(leastSure(view)),
  },
  {
    id: "why",
    keys: ["w"],
    name: "Step that last set the selected variable: select one first",
    able: (view) => why(view) !== null,
    run: (view) => view.go(why(view)),
  },
  {
    id: "change",
    keys: ["W"],
    name: "Step that next changes the selected variable",
    able: (view) => nextChange(view) !== null,
    run: (view) => view.go(nextChange(view)),
  },
  {
    id: "objects",
    keys: ["b"],
    name: "Objects and references",
    run: (view) => view.set({ objects: !view.state.objects }),
  },
  {
    id: "made-up",
    keys: ["m"],
    name: "Made up values, where others can be given while the page is served",
    able: (view) => (view.model.tab.made_up ?? []).length > 0,
    run: () => {
      const all = document.querySelector(".made-up");
      (all?.querySelector<HTMLElement>("button.give") ?? all?.querySelector<HTMLElement>("tbody button"))?.focus();
    },
  },
  {
    id: "search",
    keys: ["/"],
    name: "Search",
    run: () => document.getElementById(SEARCH_ID)?.focus(),
  },
  {
    id: "theme",
    keys: ["t"],
    name: "Dark or light",
    run: (view) => {
      const theme = view.state.theme === "dark" ? "light" : "dark";
      remember(theme);
      view.set({ theme });
    },
  },
  { id: "help", keys: ["?"], name: "Keys and help", run: (view) => view.set({ help: !view.state.help }) },
];

export function commandOf(id: string): Command {
  const command = COMMANDS.find((candidate) => candidate.id === id);
  if (command === undefined) throw new Error(`no command ${id}`);
  return command;
}

function isTyping(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === "range") return /^(Arrow|Home|End|Page)/.test(key);
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Do what a key asks for. True where it asked for something. */
export function pressKey(event: KeyboardEvent, view: View): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "Escape") {
    if (view.state.help) view.set({ help: false });
    else if (isTyping(event.target, event.key)) (event.target as HTMLElement).blur();
    else return false;
    return true;
  }
  if (view.state.help && event.key !== "?") return false;
  if (isTyping(event.target, event.key)) return false;
  if (/^[1-9]$/.test(event.key)) {
    const tab = Number(event.key) - 1;
    if (tab >= view.page.tabs.length) return false;
    view.set({ tab });
    return true;
  }
  const command = COMMANDS.find((candidate) => candidate.keys.includes(event.key));
  if (command === undefined) return false;
  if (command.able === undefined || command.able(view)) command.run(view);
  return true;
}
