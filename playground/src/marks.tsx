// What stands in the editor of an execution: values behind lines, and errors under theirs.

import type { EditorState } from "@codemirror/state";
import { framesShown, lineFacts } from "../../viewer/src/inline.ts";
import type { Outcome } from "../../viewer/src/types.ts";
import type { View } from "../../viewer/src/view.ts";
import type { LineError, Mark } from "./decorations.ts";
import { Facts, lastFrames } from "./facts.tsx";
import { lineNow } from "./places.ts";
import type { Shown } from "./shown.ts";

/** What is wrong with a text that does not parse, or null. */
export function syntaxErrorOf(outcome: Outcome): { line: number; error: LineError } | null {
  if (outcome.kind !== "syntax_error") return null;
  const message = `SyntaxError: ${outcome.message ?? "invalid syntax"}`;
  return { line: outcome.line ?? 1, error: { message, column: outcome.column ?? 1 } };
}

/** The exception that nothing caught, as of a step, where it is of a file. */
function raised(view: View, file: number): { line: number; error: LineError } | null {
  const { model, step } = view;
  const { outcome } = model.execution;
  if (outcome.kind !== "raised" || outcome.line === undefined || (outcome.file ?? 0) !== file) return null;
  if (model.errorStep !== null && step < model.errorStep) return null;
  const message = `${outcome.exception ?? "Exception"}${outcome.message ? `: ${outcome.message}` : ""}`;
  const text = model.syntax(file).lines[outcome.line - 1] ?? "";
  return { line: outcome.line, error: { message, column: text.length - text.trimStart().length + 1 } };
}

/**
 * The marks of the editor. `atEnd`: the last values of each line, whichever call it was in; else those of the present step.
 * `file`: which of the execution's files the text is. `refused`: what is wrong with the present text, of which the execution then is an older one.
 */
export function marksOf(
  editor: EditorState,
  shown: Shown | null,
  view: View | null,
  file: number,
  atEnd: boolean,
  refused: { line: number; error: LineError } | null,
): Mark[] {
  const marks = new Map<number, Mark>();
  if (shown !== null && view !== null) {
    const { model, step } = view;
    const { execution } = model;
    const syntax = model.syntax(file);
    const counts = model.countsOf(file);
    const frames = step < 0 ? [] : atEnd ? lastFrames(model) : view.state.frame === null ? framesShown(model, step) : [view.frame];
    const lineAt = (at: number): number => (execution.files[at] === file ? (execution.lines[at] ?? -1) : -1);
    const ran = atEnd || step < 0 ? -1 : lineAt(step);
    const next = atEnd || step < 0 || step + 1 >= execution.count ? -1 : lineAt(step + 1);
    const error = refused === null ? raised(view, file) : null;
    syntax.lines.forEach((_, index) => {
      const line = index + 1;
      const now = lineNow(editor, line);
      if (now === null) return;
      const facts = step < 0 ? null : lineFacts(model, frames, file, line, step);
      const loop = syntax.loops.find((candidate) => candidate.line === line);
      const classes = [
        line === ran ? "ran" : "",
        line === next ? "next" : "",
        line === error?.line ? "error" : "",
        counts.get(line) === undefined && execution.count > 0 ? "never" : "",
      ];
      const key = `${shown.number} ${loop === undefined ? "" : step} ${atEnd} ${JSON.stringify(facts)}`;
      const content = <Facts view={view} facts={facts} loop={loop} atEnd={atEnd} />;
      marks.set(now, {
        line: now,
        classes: classes.filter((name) => name !== "").join(" "),
        behind: facts === null && loop === undefined ? null : { key, content },
        errors: line === error?.line ? [error.error] : [],
      });
    });
  }
  if (refused !== null) {
    const line = Math.max(1, Math.min(editor.doc.lines, refused.line));
    const known = marks.get(line);
    marks.set(line, {
      line,
      classes: `${known?.classes ?? ""} error`.trim(),
      behind: known?.behind ?? null,
      errors: [refused.error],
    });
  }
  return [...marks.values()].sort((a, b) => a.line - b.line);
}
