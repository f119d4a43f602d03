// What the program printed up to the present step. What it prints later is dim.

import type { JSX } from "preact";
import { lastAt } from "../execution.ts";
import { stepName, type View } from "../view.ts";
import { LongText, Plain } from "./value.tsx";
import { Rows } from "./rows.tsx";

const ROW = 20;

export function Output({ view }: { readonly view: View }): JSX.Element {
  const { model, step } = view;
  const { printing, execution } = model;
  const at = lastAt(printing, step);
  const digits = stepName(printing[printing.length - 1] ?? 0).length;
  const many = printing.length > 60;
  const row = (index: number): JSX.Element => {
    const printed = printing[index] ?? 0;
    const text = (execution.outputs.get(printed) ?? "").replace(/\n$/, "");
    const real = view.real?.execution.outputs.get(printed);
    const comparable = view.comparison !== null && !(view.comparison.divergence !== null && printed >= view.comparison.divergence);
    const wrong = comparable && real !== execution.outputs.get(printed);
    return (
      <div
        key={printed}
        class={`output-row ${printed > step ? "later" : ""} ${printed === step ? "now" : ""} ${wrong ? "wrong" : ""}`}
        style={many ? { height: `${ROW}px` } : {}}
      >
        <button
          type="button"
          class="small"
          style={{ minWidth: `${digits + 2}ch` }}
          aria-label={`Printed at step ${printed + 1}`}
          onClick={() => view.go(printed)}
        >
          {stepName(printed)}
        </button>
        <pre>
          <LongText text={many ? text.replaceAll("\n", " ⏎ ") : text} />
          {wrong && <span class="real"> ✗ really <Plain text={real === undefined ? "nothing" : real.trimEnd()} /></span>}
        </pre>
      </div>
    );
  };
  return (
    <section class="panel output" aria-label="Output">
      <h2>
        Output{" "}
        <span class="of">
          {printing.length === 0 ? "nothing is printed" : `${at + 1} of ${printing.length} up to here`}
        </span>
      </h2>
      {printing.length > 0 && (many ? (
        <Rows className="output-rows" label="Printed lines" count={printing.length} height={ROW} row={row} target={at} targetKey={String(at)} />
      ) : (
        <div class="output-all" tabIndex={0} role="region" aria-label="Printed lines">
          {printing.map((_, index) => row(index))}
        </div>
      ))}
    </section>
  );
}
