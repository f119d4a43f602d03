// What stands behind a line of the editor: what it did when it last ran, and the slider of its loop.

import type { JSX } from "preact";
import { Looper } from "../../viewer/src/components/looper.tsx";
import { OriginMark } from "../../viewer/src/components/value.tsx";
import type { LineFacts } from "../../viewer/src/inline.ts";
import type { Model } from "../../viewer/src/model.ts";
import type { Loop } from "../../viewer/src/syntax.ts";
import { brief, type View } from "../../viewer/src/view.ts";

const MOST = 6;

/** Of each function the call that came last: what the program did in the end, line by line. */
export function lastFrames(model: Model): number[] {
  const shown = new Map<string, number>();
  const { frames } = model.execution;
  for (let index = frames.length - 1; index >= 0; index--) {
    const frame = frames[index];
    const name = `${frame?.file} ${frame?.function}`;
    if (frame !== undefined && !shown.has(name)) shown.set(name, index);
  }
  return [...shown.values()];
}

interface Props {
  readonly view: View;
  readonly facts: LineFacts | null;
  readonly loop: Loop | undefined;
  /** Values of the end: none of them is of the present step. */
  readonly atEnd: boolean;
}

export function Facts({ view, facts, loop, atEnd }: Props): JSX.Element {
  const left = (facts?.values.length ?? 0) - MOST;
  return (
    <>
      {loop !== undefined && <Looper view={view} loop={loop} />}
      {facts !== null && (
        <span class={`facts ${facts.outer && !atEnd ? "outer" : ""}`}>
          {facts.condition !== null && <span class="chip condition">{facts.condition ? "true" : "false"}</span>}
          {facts.values.slice(0, MOST).map((item) => {
            const origin = item.value?.origin ?? "observed";
            return (
              <span
                key={item.name}
                class={`chip ${item.now && !atEnd ? "now" : ""} from-${origin}`}
                onClick={() => view.set({ selected: { frame: item.frame, name: item.name } })}
              >
                {origin !== "computed" && <OriginMark origin={origin} />}
                {item.value === null ? `${item.name} is gone` : `${item.name} = ${brief(item.value.text, 60)}`}
              </span>
            );
          })}
          {left > 0 && <span class="chip">{left} more</span>}
          {facts.returned !== null && <span class="chip returned">returns {brief(facts.returned.text, 60)}</span>}
          {facts.caught !== null && (
            <span class="chip caught">
              × {brief(facts.caught.what, 60)}, caught on line {facts.caught.line}
            </span>
          )}
          {facts.printed !== null && <span class="chip printed">prints {brief(facts.printed.trimEnd(), 60)}</span>}
        </span>
      )}
    </>
  );
}
