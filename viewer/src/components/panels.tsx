// The panels beside the source that not every page has: results of the search, comparison, and decisions.

import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { firstOfLine } from "../moves.ts";
import { lastAt } from "../execution.ts";
import type { Decision } from "../types.ts";
import { FORMS, isMistaken, parseQuery } from "../query.ts";
import { brief, counted, outcomeText, percent, stepName, type View } from "../view.ts";
import { Rows } from "./rows.tsx";
import { SureBar } from "./value.tsx";

const ROW = 22;

/** The last part of a path. */
function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

export function Results({ view }: { readonly view: View }): JSX.Element | null {
  const { hits, step, state } = view;
  const steps = useMemo(() => hits?.map((hit) => hit.step) ?? [], [hits]);
  if (hits === null) return null;
  const at = lastAt(steps, step);
  const near = (index: number): void => view.go(hits[(index + hits.length) % hits.length]?.step ?? null);
  const query = parseQuery(state.query);
  const mistaken = hits.length === 0 && query !== null && isMistaken(query);
  const nothing = mistaken ? `not understood: ${brief(state.query.trim(), 40)}` : "nothing found";
  const { paths, execution } = view.model;
  const before = hits[at]?.step === step ? hits.findLastIndex((hit) => hit.step < step) : at;
  return (
    <section class="panel results" aria-label="Search results">
      <h2>
        Results <span class="of" role="status">{hits.length === 0 ? nothing : counted(hits.length, "step")}</span>
        {hits.length > 0 && (
          <span class="group">
            <button type="button" class="small" aria-label="Previous result" onClick={() => near(before)}>
              ‹
            </button>
            <button type="button" class="small" aria-label="Next result" onClick={() => near(at + 1)}>
              ›
            </button>
          </span>
        )}
        <button type="button" class="small close" aria-label="Clear the search" onClick={() => view.set({ query: "" })}>
          ×
        </button>
      </h2>
      {mistaken && (
        <p class="note">
          What can be asked:{" "}
          {FORMS.map((form) => (
            <span key={form}>
              <code>{form}</code>,{" "}
            </span>
          ))}
          and any other text in values and output.
        </p>
      )}
      {hits.length > 0 && (
        <Rows
          className="results-rows"
          label={`Results of ${state.query}`}
          count={hits.length}
          height={ROW}
          target={at}
          targetKey={`${state.query} ${at}`}
          row={(index) => {
            const hit = hits[index];
            if (hit === undefined) return null;
            return (
              <button
                key={index}
                type="button"
                class={`row ${hit.step === step ? "now" : ""}`}
                style={{ height: `${ROW}px` }}
                onClick={() => view.go(hit.step)}
              >
                <span class="row-step">{stepName(hit.step)}</span>{" "}
                {paths.length > 1 && <span class="row-file">{fileName(paths[execution.files[hit.step] ?? 0] ?? "")}</span>} {brief(hit.text, 120)}
              </button>
            );
          }}
        />
      )}
    </section>
  );
}

export function Compared({ view }: { readonly view: View }): JSX.Element | null {
  const { comparison, real, model, step } = view;
  if (comparison === null || real === null) return null;
  const { wrong, marks, divergence, missing } = comparison;
  const first = marks[0];
  const other = real.execution;
  return (
    <section class="panel compared" aria-label="Comparison">
      <h2>
        Compared with {real.tab.label}{" "}
        <span class="of">
          {wrong.length === 0 ? "no wrong step" : `${wrong.length.toLocaleString("en")} of ${counted(model.execution.count, "step")} ${wrong.length === 1 ? "is" : "are"} wrong`}
        </span>
      </h2>
      {first !== undefined && (
        <p>
          First wrong step:{" "}
          <button type="button" class="small" onClick={() => view.go(first)}>
            step {stepName(first)}, line {model.execution.lines[first]}
          </button>
        </p>
      )}
      {divergence !== null && (
        <p>
          From step {stepName(divergence)} on it goes another way: here line {model.execution.lines[divergence]}, really line{" "}
          {other.lines[divergence]}. Later steps are not compared one by one.
          {step >= divergence && " This is such a step."}
        </p>
      )}
      {outcomeText(model) !== outcomeText(real) && (
        <p>
          It ends otherwise: {outcomeText(model)}, really {outcomeText(real)}.
        </p>
      )}
      {missing > 0 && <p>It ends {counted(missing, "step")} early.</p>}
      {missing < 0 && <p>It goes on for {counted(-missing, "step")} that {missing === -1 ? "does" : "do"} not happen.</p>}
    </section>
  );
}

export function Decisions({ view }: { readonly view: View }): JSX.Element | null {
  const items = view.model.tab.decisions ?? [];
  if (items.length === 0) return null;
  const row = (item: Decision, index: number): JSX.Element => {
    const step = firstOfLine(view.model.execution, item.file ?? 0, item.line);
    return (
      <tr key={index}>
        <td>
          <button type="button" class="small" disabled={step === null} onClick={() => view.go(step)}>
            line {item.line}
          </button>
        </td>
        <td class="what">
          <code>{brief(item.what, 80)}</code> {item.taken}
          {item.other && <small> the less likely way</small>}
        </td>
        <td>
          <SureBar share={item.sure} label={percent(item.sure)} />
        </td>
      </tr>
    );
  };
  return (
    <section class="panel decisions" aria-label="Decisions">
      <h2>
        Decisions <span class="of">that depend on values that are not sure</span>
      </h2>
      <table>
        <thead class="hidden">
          <tr>
            <th scope="col">Line</th>
            <th scope="col">What is taken</th>
            <th scope="col">Sure</th>
          </tr>
        </thead>
        <tbody>{items.map(row)}</tbody>
      </table>
    </section>
  );
}
