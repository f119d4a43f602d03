// What two versions print, side by side: the same texts in one row, each dim until its version has come to it.

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { sameLines } from "../align.ts";
import { lastAt } from "../execution.ts";
import { stepName, type View } from "../view.ts";
import { LongText } from "./value.tsx";
import { Rows } from "./rows.tsx";

const ROW = 20;
const MANY = 60;

interface Printed {
  /** The steps that print, or null where a version prints nothing there. */
  readonly old: number | null;
  readonly fresh: number | null;
  readonly differs: boolean;
}

function textAt(view: View, step: number): string {
  return view.model.execution.outputs.get(step) ?? "";
}

/** What both print, the texts in between that differ beside one another. */
function printedOf(old: View, fresh: View): Printed[] {
  const [left, right] = [old.model.printing, fresh.model.printing];
  const same = sameLines(left.map((step) => textAt(old, step)), right.map((step) => textAt(fresh, step)));
  const rows: Printed[] = [];
  let [at, other] = [0, 0];
  while (at < left.length || other < right.length) {
    const isSame = at < left.length && same.toNew.get(at + 1) === other + 1;
    const [hasOld, hasNew] = [at < left.length && (isSame || !same.toNew.has(at + 1)), other < right.length && (isSame || !same.toOld.has(other + 1))];
    rows.push({ old: hasOld ? (left[at] ?? null) : null, fresh: hasNew ? (right[other] ?? null) : null, differs: !isSame });
    if (hasOld) at++;
    if (hasNew) other++;
  }
  return rows;
}

function Cell({ view, name, step, many }: { readonly view: View; readonly name: string; readonly step: number | null; readonly many: boolean }): JSX.Element {
  if (step === null) return <span class="output-cell" />;
  const text = textAt(view, step).replace(/\n$/, "");
  return (
    <span class={`output-cell ${step > view.step ? "later" : ""} ${step === view.step ? "now" : ""}`}>
      <button type="button" class="small" aria-label={`Printed at step ${step + 1} of the ${name} version`} onClick={() => view.go(step)}>
        {stepName(step)}
      </button>
      <pre>
        <LongText text={many ? text.replaceAll("\n", " ⏎ ") : text} />
      </pre>
    </span>
  );
}

export function BothOutputs({ old, fresh }: { readonly old: View; readonly fresh: View }): JSX.Element {
  const printed = useMemo(() => printedOf(old, fresh), [old.model, fresh.model]);
  const many = printed.length > MANY;
  const row = (index: number): JSX.Element | null => {
    const one = printed[index];
    if (one === undefined) return null;
    return (
      <div key={index} class={`output-row both ${one.differs ? "wrong" : ""}`} style={many ? { height: `${ROW}px` } : {}}>
        <Cell view={old} name="old" step={one.old} many={many} />
        <Cell view={fresh} name="new" step={one.fresh} many={many} />
      </div>
    );
  };
  const here = (view: View): string => `${lastAt(view.model.printing, view.step) + 1} of ${view.model.printing.length}`;
  const target = printed.findLastIndex((one) => (one.old ?? Infinity) <= old.step || (one.fresh ?? Infinity) <= fresh.step);
  return (
    <section class="panel output" aria-label="Output">
      <h2>
        Output{" "}
        <span class="of">{printed.length === 0 ? "nothing is printed" : `old ${here(old)}, new ${here(fresh)} up to here`}</span>
      </h2>
      {printed.length > 0 && (many ? (
        <Rows className="output-rows" label="Printed lines of both" count={printed.length} height={ROW} row={row} target={target} targetKey={String(target)} />
      ) : (
        <div class="output-all" tabIndex={0} role="region" aria-label="Printed lines of both">
          {printed.map((_, index) => row(index))}
        </div>
      ))}
    </section>
  );
}
