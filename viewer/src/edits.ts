// Values that are given in place of made up ones: which place one is for, and what is written of it first.

import type { Execution } from "./execution.ts";
import type { Edit, MadeUp, PageDocument } from "./types.ts";

type Place = Pick<Edit, "line" | "kind" | "what">;

/** What tells places apart. A name is missed once, on whichever line. */
export function placeKey(place: Place): string {
  return `${place.kind === "name" ? "" : place.line} ${place.kind} ${place.what}`;
}

/** Whether another value can be given: modules cannot, nor what files besides the program miss. */
export function canBeGiven(item: MadeUp): boolean {
  return item.kind !== "import" && item.file === undefined;
}

export function editOf(page: PageDocument, place: Place): Edit | undefined {
  return page.edits?.find((edit) => placeKey(edit) === placeKey(place));
}

/** The edits with another value for a place; without a value, what is made up there is made up again. */
export function withEdit(page: PageDocument, { line, kind, what }: Place, value: string | null): Edit[] {
  const others = (page.edits ?? []).filter((edit) => placeKey(edit) !== placeKey({ line, kind, what }));
  return value === null ? others : [...others, { line, kind, what, value }];
}

const STAND_IN = /<StandIn>/g;

/** What is in the field first: the value as one could write it, or nothing. */
export function written(item: MadeUp, edit: Edit | undefined): string {
  if (edit !== undefined) return edit.value;
  const text = item.value.startsWith("[") || item.value.startsWith("(") ? item.value.replace(STAND_IN, "...") : item.value;
  return text.includes("<") ? "" : text;
}

/** The made up value that a variable holds, where one can tell, and else those of the line that set it. */
export function madeUpOn(execution: Execution, items: readonly MadeUp[], since: number, text: string): MadeUp[] {
  const line = execution.lines[since];
  const file = execution.files[since] ?? 0;
  const own = items.filter((item) => item.line === line && (item.file ?? 0) === file);
  const same = own.filter((item) => item.value === text);
  return same.length === 1 ? same : own;
}
