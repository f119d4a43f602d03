// What components are given: the state of the page and what follows from it, and how to change it.

import type { Comparison } from "./compare.ts";
import type { Give } from "./live.ts";
import type { Model } from "./model.ts";
import type { Hit } from "./query.ts";
import type { Pair, SameLines } from "./align.ts";
import type { Theme } from "./theme.ts";
import type { PageDocument, Versions } from "./types.ts";

export interface Selection {
  readonly frame: number;
  readonly name: string;
}

export interface State {
  readonly tab: number;
  readonly step: number;
  /** The row of two versions in step, where several have this step; null is the first of them. */
  readonly row: number | null;
  /** A frame of the stack that was picked; null follows the step. */
  readonly frame: number | null;
  /** A file that was picked; null follows the step. */
  readonly file: number | null;
  readonly selected: Selection | null;
  readonly query: string;
  readonly help: boolean;
  readonly objects: boolean;
  /** The place of the made up value that is being edited. */
  readonly editing: string | null;
  readonly theme: Theme;
}

/** Two versions side by side, at steps that correspond. */
export interface Beside {
  readonly versions: Versions;
  readonly pair: Pair;
  readonly same: SameLines;
  readonly old: View;
  readonly fresh: View;
  /** Where both are in step. */
  readonly row: number;
  readonly go: (row: number | null) => void;
}

export interface View {
  readonly page: PageDocument;
  /** Gives other values to what is made up, where a server plans again. */
  readonly give: Give | null;
  readonly model: Model;
  readonly state: State;
  /** The step that is shown, or -1 where there is none. */
  readonly step: number;
  readonly frame: number;
  readonly file: number;
  readonly hits: readonly Hit[] | null;
  readonly comparison: Comparison | null;
  /** The model of the real execution where this tab is compared with it. */
  readonly real: Model | null;
  /** The other version where this tab is one of two. */
  readonly beside?: Beside;
  /** Steps that the page marks: wrong ones, and those at which two versions become different. */
  readonly marks?: readonly number[];
  readonly set: (patch: Partial<State>) => void;
  readonly go: (step: number | null) => void;
}

/** Texts for people: steps count from 1. */
export function stepName(step: number): string {
  return (step + 1).toLocaleString("en");
}

/** A number of things. */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}

export function percent(share: number): string {
  const whole = Math.round(share * 100);
  return whole === 100 && share < 1 ? "over 99%" : whole === 0 && share > 0 ? "under 1%" : `${whole}%`;
}

/** A share that may be small: with one decimal below 10 %. */
export function finePercent(share: number): string {
  if (share >= 0.0995 || share <= 0) return percent(share);
  return share < 0.001 ? "under 0.1%" : `${(share * 100).toFixed(1)}%`;
}

/** The beginning of a text. No character is cut in two. */
export function cutAt(text: string, length: number): string {
  const halved = length < text.length && /[\ud800-\udbff]/.test(text[length - 1] ?? "");
  return text.slice(0, halved ? length - 1 : length);
}

/** A text in one line, cut. */
export function brief(text: string, most: number): string {
  const line = cutAt(text, 4 * most).replace(/\s+/g, " ");
  return line.length > most || text.length > 4 * most ? `${cutAt(line, most - 1)}…` : line;
}

export function outcomeText(model: Model): string {
  const { outcome } = model.execution;
  switch (outcome.kind) {
    case "finished":
      return "Finished";
    case "exited":
      return `Exited with status ${outcome.code ?? "?"}${outcome.text ? `: ${outcome.text}` : ""}`;
    case "raised":
      return `${outcome.exception ?? "Exception"}${outcome.message ? `: ${outcome.message}` : ""}`;
    case "timeout":
      return "Ran out of time";
    case "step_limit":
      return model.execution.trace.truncated === true ? "Goes on: the trace is cut" : "Stopped at the limit of steps";
    case "instruction_limit":
      return "Stopped at the limit of instructions";
    case "output_limit":
      return "Stopped at the limit of output";
    case "trace_limit":
      return "Stopped at the limit of the trace";
    case "memory_limit":
      return "Ran out of memory";
    case "killed":
      return `Stopped${outcome.why ? `: ${outcome.why}` : ""}`;
    case "syntax_error":
      return `Syntax error: ${outcome.message ?? ""}`;
    default:
      return outcome.kind;
  }
}
