// What a page has beside its executions: a table that leads to them, findings, and figures.

import type { JSX } from "preact";
import { firstOfLine } from "../moves.ts";
import type { Finding } from "../types.ts";
import { brief, percent, stepName, type View } from "../view.ts";
import { Sections } from "./report.tsx";
import { TableRows } from "./table.tsx";

/** Rows that lead to executions, over the whole width. */
export function Overview({ view }: { readonly view: View }): JSX.Element | null {
  const { table } = view.page;
  if (table === undefined) return null;
  const { beside } = view;
  return (
    <details class="strip" open>
      <summary>
        {table.title ?? "Overview"} <span class="of">{table.rows.length === 1 ? "1 row" : `${table.rows.length.toLocaleString("en")} rows`}</span>
      </summary>
      <div class="table-scroll" tabIndex={0} role="region" aria-label={table.title ?? "Overview"}>
        <TableRows
          table={table}
          selected={beside === undefined ? view.state.tab : beside.versions.old}
          onSelect={(tab) => view.set({ tab })}
        />
      </div>
    </details>
  );
}

/** Figures beside an execution. */
export function Figures({ view }: { readonly view: View }): JSX.Element | null {
  const sections = view.page.sections ?? [];
  if (sections.length === 0) return null;
  return (
    <details class="strip">
      <summary>{sections.map((section) => section.title).join(", ")}</summary>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Figures">
        <Sections sections={sections} />
      </div>
    </details>
  );
}

function FindingOf({ view, item }: { readonly view: View; readonly item: Finding }): JSX.Element {
  const { tab } = item;
  const here = tab === undefined || tab === view.state.tab;
  const step = item.step ?? (here ? firstOfLine(view.model.execution, item.file ?? 0, item.line) : null);
  const go = (to: number): void => view.set({ step: to, ...(tab === undefined ? {} : { tab }), frame: null, file: null });
  return (
    <li class={tab !== undefined && here ? "selected" : ""}>
      <p>
        <button type="button" class="small" disabled={step === null} onClick={() => step !== null && go(step)}>
          line {item.line}
        </button>{" "}
        {item.sure !== undefined && <span class="finding-sure">{percent(item.sure)}</span>} {item.message}
      </p>
      {item.because !== undefined && item.because.length > 0 && (
        <ol class="because" aria-label="What led there">
          {item.because.map((one, index) => (
            <li key={index}>
              <button type="button" class="small" onClick={() => go(one.step)}>
                step {stepName(one.step)}, line {one.line}
              </button>{" "}
              <code>{brief(one.source, 60)}</code>
              {one.what !== "" && one.what !== one.source && <span class="of"> → {brief(one.what, 80)}</span>}
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}

export function Findings({ view }: { readonly view: View }): JSX.Element | null {
  const { findings, notes = [] } = view.page;
  const items = findings ?? [];
  if (items.length === 0 && notes.length === 0) return null;
  return (
    <>
      {items.length > 0 && (
        <section class="panel findings" aria-label="Findings">
          <h2>
            Findings <span class="of">{items.length}</span>
          </h2>
          <ul>
            {items.map((item, index) => (
              <FindingOf key={index} view={view} item={item} />
            ))}
          </ul>
        </section>
      )}
      {notes.length > 0 && (
        <section class="panel findings" aria-label="Notes">
          <h2>Not checked</h2>
          <ul>
            {notes.map((note, index) => (
              <li key={index}>
                {note.line !== undefined && <b>line {note.line} </b>}
                {note.text}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
