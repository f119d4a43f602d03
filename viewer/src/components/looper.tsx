// The slider of a loop: which iteration of its present run this is, and the way to the others.

import type { JSX } from "preact";
import { framesShown } from "../inline.ts";
import { nextChange, targetsIn, type LoopPosition } from "../loops.ts";
import type { Loop } from "../syntax.ts";
import type { View } from "../view.ts";

/** The present run of a loop, in the present frame or in one that called it. */
function present(view: View, loop: Loop): { position: LoopPosition; frame: number } | null {
  if (view.step < 0) return null;
  for (const frame of view.state.frame === null ? framesShown(view.model, view.step) : [view.frame]) {
    const position = view.model.loopPosition(frame, view.file, loop, view.step);
    if (position !== null) return { position, frame };
  }
  return null;
}

export function Looper({ view, loop }: { readonly view: View; readonly loop: Loop }): JSX.Element | null {
  const found = present(view, loop);
  if (found === null) return null;
  const { run, at } = found.position;
  const total = run.iterations.length;
  if (total === 0) return <span class="looper">no iteration</span>;
  const goTo = (index: number): void => view.go(run.iterations[Math.max(0, Math.min(total - 1, index))] ?? null);
  const change = nextChange(view.model.execution, found.frame, targetsIn(view.model.syntax(view.file).loops, loop), found.position);
  const name = `${loop.kind} loop on line ${loop.line}`;
  const where = at < 0 ? `0 of ${total}` : `${at + 1} of ${total}`;
  return (
    <span class="looper" role="group" aria-label={`Iterations of the ${name}`}>
      <button type="button" disabled={at === 0} aria-label={`First iteration, ${name}`} onClick={() => goTo(0)}>
        «
      </button>
      <button type="button" disabled={at <= 0} aria-label={`Previous iteration, ${name}`} onClick={() => goTo(at - 1)}>
        ‹
      </button>
      <input
        type="range"
        min={1}
        max={total}
        value={Math.max(1, at + 1)}
        aria-label={`Iteration, ${name}`}
        aria-valuetext={where}
        onInput={(event) => goTo(Number(event.currentTarget.value) - 1)}
      />
      <button type="button" disabled={at >= total - 1} aria-label={`Next iteration, ${name}`} onClick={() => goTo(at + 1)}>
        ›
      </button>
      <button type="button" disabled={at === total - 1} aria-label={`Last iteration, ${name}`} onClick={() => goTo(total - 1)}>
        »
      </button>
      <span class="looper-where">{where}</span>
      <button
        type="button"
        disabled={change === -1}
        title="Next iteration that changes a variable"
        aria-label={`Next change, ${name}`}
        onClick={() => goTo(change)}
      >
        Δ
      </button>
    </span>
  );
}
