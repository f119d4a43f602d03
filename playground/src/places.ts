// Where the lines of the program that was planned are now: one place for each line, kept up to date as the text changes.

import { StateEffect, StateField, type EditorState } from "@codemirror/state";

/** The text has just been planned: its lines are where they are. */
export const planned = StateEffect.define<null>();

function starts(state: EditorState): number[] {
  const found: number[] = [];
  for (let line = 1; line <= state.doc.lines; line++) found.push(state.doc.line(line).from);
  return found;
}

export const places = StateField.define<readonly number[]>({
  create: starts,
  update(value, transaction) {
    if (transaction.effects.some((effect) => effect.is(planned))) return starts(transaction.state);
    return transaction.docChanged ? value.map((at) => transaction.changes.mapPos(at, 1)) : value;
  },
});

/** The line of the editor that a line of the planned program is on now, or null where it is gone. */
export function lineNow(state: EditorState, line: number): number | null {
  const known = state.field(places);
  const at = known[line - 1];
  if (at === undefined || at > state.doc.length) return null;
  const now = state.doc.lineAt(at).number;
  const next = known[line];
  // What a line was joined with is that line now.
  return next !== undefined && next <= state.doc.length && state.doc.lineAt(next).number === now ? null : now;
}

/** The line of the planned program that a line of the editor was. */
export function lineThen(state: EditorState, line: number): number | null {
  const known = state.field(places);
  const { from, to } = state.doc.line(line);
  const at = known.findIndex((place) => place >= from && place <= to);
  return at < 0 ? null : at + 1;
}
