// The head of the page: title, outcome, tabs, search, and the row of buttons that step.

import type { JSX } from "preact";
import { COMMANDS, SEARCH_ID, commandOf } from "../commands.ts";
import { finePercent, outcomeText, type View } from "../view.ts";
import { Chain, Plain } from "./value.tsx";

const ICONS: Record<string, string> = {
  first: "M3 3v10M13 3 6 8l7 5z",
  previous: "M11 3 4 8l7 5z",
  next: "M5 3l7 5-7 5z",
  last: "M13 3v10M3 3l7 5-7 5z",
  over: "M2 10a5 5 0 0 1 10-1M12 4v5H7M7 13.5h.1",
  out: "M8 12V3M4 7l4-4 4 4M3 14h10",
};

function CommandButton({ view, id, label }: { readonly view: View; readonly id: string; readonly label?: string }): JSX.Element {
  const command = commandOf(id);
  const key = command.keys[0]?.replace("Arrow", "") ?? "";
  const able = command.able === undefined || command.able(view);
  const icon = ICONS[id];
  return (
    <button
      type="button"
      class={icon === undefined ? "" : "icon"}
      disabled={!able}
      title={`${command.name} (${key})`}
      aria-label={label === undefined ? command.name : `${label}: ${command.name}`}
      aria-pressed={id === "objects" ? view.state.objects : undefined}
      onClick={() => command.run(view)}
    >
      {icon === undefined ? (
        label
      ) : (
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d={icon} />
        </svg>
      )}
    </button>
  );
}

export function Outcome({ view }: { readonly view: View }): JSX.Element {
  const { model } = view;
  const { outcome } = model.execution;
  const bad = outcome.kind !== "finished";
  const text = outcomeText(model);
  const path = outcome.file === undefined || outcome.file === 0 ? "" : `${model.paths[outcome.file] ?? ""} `;
  const line = outcome.line === undefined ? "" : `, ${path}line ${outcome.line}`;
  const mark = bad ? "✕ " : "✓ ";
  const step = model.errorStep;
  return step === null ? (
    <span class={`outcome ${bad ? "bad" : "good"}`}>
      {mark}
      <Plain text={text} />
      {line}
    </span>
  ) : (
    <>
      <button type="button" class="outcome bad" title={`Go to step ${step + 1}`} onClick={() => view.go(step)}>
        {mark}
        <Plain text={text} />
        {line}
      </button>
      {outcome.kind === "raised" && <Chain view={view} step={step} />}
    </>
  );
}

const ENGINES: Record<string, string> = {
  run: "executed",
  predict: "predicted",
  guide: "executed with made up values",
  orca: "planned by a language model",
};

/** More executions are a list to choose from. */
const MOST_TABS = 9;

/** The executions as tabs. */
export function Tabs({ view }: { readonly view: View }): JSX.Element | null {
  const { page, state } = view;
  if (page.tabs.length < 2 || page.tabs.length > MOST_TABS) return null;
  return (
    <nav class="tabs" aria-label="Executions">
      {page.tabs.map((tab, index) => (
        <button
          key={index}
          type="button"
          aria-pressed={index === state.tab}
          title={index < 9 ? `${tab.note ?? tab.label} (${index + 1})` : tab.label}
          onClick={() => view.set({ tab: index })}
        >
          {tab.label}
          {tab.probability !== undefined && <small> {finePercent(tab.probability)}</small>}
        </button>
      ))}
    </nav>
  );
}

export function Head({ view }: { readonly view: View }): JSX.Element {
  const { page, model, state } = view;
  const { trace } = model.execution;
  const chance = trace.confidence;
  const engine = ENGINES[trace.engine] ?? trace.engine;
  const isNamed = view.beside === undefined && page.tabs.length > 1 && page.tabs.length <= MOST_TABS && model.tab.label === engine;
  const about = [
    // The tab that is shown may say so itself.
    isNamed ? "" : engine,
    trace.python === undefined ? "" : `Python ${trace.python}`,
    typeof chance === "number" && chance < 1 ? `${finePercent(chance)} sure` : "",
  ];
  return (
    <header>
      <h1><Plain text={page.title} /></h1>
      {view.beside === undefined && <Outcome view={view} />}
      <span class="about" title={page.command ?? ""}>
        {[about.filter((part) => part !== "").join(", "), model.tab.note ?? ""].filter((part) => part !== "").join(". ")}
      </span>
      {page.tabs.length > MOST_TABS && (
        <label class="tab-choice">
          <span class="hidden">Execution</span>
          <select value={state.tab} onChange={(event) => view.set({ tab: Number(event.currentTarget.value) })}>
            {page.tabs.map((tab, index) => (
              <option key={index} value={index}>
                {tab.label}
                {tab.probability !== undefined && ` ${finePercent(tab.probability)}`}
              </option>
            ))}
          </select>
        </label>
      )}
      {view.beside === undefined && <Tabs view={view} />}
      {page.summary !== undefined && <span class="summary">{page.summary}</span>}
      <span class="head-end">
        <button type="button" title="Dark or light (t)" aria-label="Dark or light" onClick={() => commandOf("theme").run(view)}>
          {state.theme === "dark" ? "☀" : "☾"}
        </button>
        <button type="button" title="Keys and help (?)" aria-label="Keys and help" onClick={() => view.set({ help: true })}>
          ?
        </button>
      </span>
    </header>
  );
}

export function Toolbar({ view }: { readonly view: View }): JSX.Element {
  const { step, model, state } = view;
  const { count } = model.execution;
  return (
    <nav class="toolbar" aria-label="Steps">
      <span class="group">
        {["first", "previous", "next", "last"].map((id) => (
          <CommandButton key={id} view={view} id={id} />
        ))}
      </span>
      <span class="group">
        <CommandButton view={view} id="over" />
        <CommandButton view={view} id="out" />
      </span>
      <label class="step-number">
        Step{" "}
        <input
          type="number"
          min={count === 0 ? 0 : 1}
          max={count}
          value={step + 1}
          onChange={(event) => view.go(Math.max(0, Math.min(count - 1, Number(event.currentTarget.value) - 1)))}
        />{" "}
        of {count.toLocaleString("en")}
      </label>
      <span class="group">
        <CommandButton view={view} id="back" label="‹ line" />
        <CommandButton view={view} id="continue" label="line ›" />
      </span>
      <span class="group">
        {model.errorStep !== null && <CommandButton view={view} id="error" label="error" />}
        {view.marks !== undefined && <CommandButton view={view} id="wrong" label={view.beside === undefined ? "wrong" : "difference"} />}
        {model.leastSure.length > 0 && <CommandButton view={view} id="unsure" label="unsure" />}
        <CommandButton view={view} id="why" label="why" />
        <CommandButton view={view} id="change" label="change ›" />
        <CommandButton view={view} id="objects" label="objects" />
      </span>
      <label class="search">
        <span class="hidden">Search</span>
        <input
          id={SEARCH_ID}
          type="search"
          placeholder="Search: x > 10, x changed, printed:…"
          value={state.query}
          onInput={(event) => view.set({ query: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            const hits = view.hits ?? [];
            const hit = event.shiftKey
              ? (hits.findLast((candidate) => candidate.step < step) ?? hits[hits.length - 1])
              : (hits.find((candidate) => candidate.step > step) ?? hits[0]);
            view.go(hit?.step ?? null);
          }}
        />
      </label>
    </nav>
  );
}

export function Help({ view }: { readonly view: View }): JSX.Element {
  const names: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
  return (
    <dialog
      class="help"
      aria-label="Keys and help"
      ref={(element) => {
        if (element !== null && !element.open) element.showModal();
      }}
      onClose={() => view.set({ help: false })}
      onClick={(event) => {
        if (event.target === event.currentTarget) view.set({ help: false });
      }}
    >
      <div class="help-text">
        <h2>Keys</h2>
        <dl>
          {COMMANDS.map((command) => (
            <div key={command.id}>
              <dt>
                {command.keys.map((key) => (
                  <kbd key={key}>{names[key] ?? key}</kbd>
                ))}
              </dt>
              <dd>{command.name}</dd>
            </div>
          ))}
          <div>
            <dt>
              <kbd>1</kbd>…<kbd>9</kbd>
            </dt>
            <dd>Executions</dd>
          </div>
        </dl>
        <h2>Search</h2>
        <p>
          <code>x &gt; 10</code> <code>x == 'a'</code> <code>self.size &gt; 3</code> <code>x changed</code>{" "}
          <code>line:7</code> <code>line:helper.py:7</code> <code>printed:total</code> <code>call:f</code> <code>raises</code>, which finds caught exceptions, too, <code>made up</code>. Other
          text is looked for in values and output. Enter goes to the next result, Shift and Enter to the one before.
        </p>
        <h2>Reading the page</h2>
        <p>
          A step is one line that ran (▶). Values are those after it. ▷ is the line that comes next. Lines that never run are
          dim. Numbers with × say how often a line ran. A condition says whether it held.
        </p>
        <p>
          The timeline has a mark for each step, higher for earlier lines, and below it the calls by depth. Click or drag to
          go to a step. Ctrl and the wheel zoom. Select a variable to see its values there.
        </p>
        {view.page.command !== undefined && (
          <p>
            This page was made by <code>{view.page.command}</code>
          </p>
        )}
        <button type="button" onClick={() => view.set({ help: false })}>
          Close
        </button>
      </div>
    </dialog>
  );
}
