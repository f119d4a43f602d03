// The page: its state, the keyboard, links, and the arrangement of panels.

import type { JSX } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { pairUp, sameLines, type Pair, type SameLines } from "../align.ts";
import { compare } from "../compare.ts";
import { pressKey } from "../commands.ts";
import { changesAt } from "../execution.ts";
import type { Give } from "../live.ts";
import { readLink, showLink, writeLink } from "../link.ts";
import { Model } from "../model.ts";
import { parseQuery, search } from "../query.ts";
import { followSystem, initialTheme } from "../theme.ts";
import type { PageDocument } from "../types.ts";
import { brief, type Beside, type State, type View } from "../view.ts";
import { MadeUpValues } from "./made-up.tsx";
import { Compared, Decisions, Results } from "./panels.tsx";
import { Head, Help, Toolbar } from "./head.tsx";
import { Objects } from "./objects.tsx";
import { Output } from "./output.tsx";
import { BothOutputs } from "./outputs.tsx";
import { Figures, Findings, Overview } from "./overview.tsx";
import { Report } from "./report.tsx";
import { Source } from "./source.tsx";
import { Timeline } from "./timeline.tsx";
import { Variables } from "./variables.tsx";
import { BothVariables, Side, Verdict } from "./versions.tsx";

/** The models of the tabs, made when they are first shown. */
function useModels(page: PageDocument): (tab: number) => Model {
  const models = useMemo(() => new Map<number, Model>(), [page]);
  return (tab) => {
    const known = models.get(tab);
    if (known !== undefined) return known;
    const chosen = page.tabs[tab] ?? page.tabs[0];
    if (chosen === undefined) throw new Error("This page has no trace.");
    const model = new Model(chosen);
    models.set(tab, model);
    return model;
  };
}

interface Both {
  readonly pair: Pair;
  readonly same: SameLines;
}

/** The steps of two versions that correspond, made when the tabs are first shown. */
function usePairs(page: PageDocument): (old: Model, fresh: Model) => Both {
  const pairs = useMemo(() => new Map<Model, Both>(), [page]);
  return (old, fresh) => {
    const known = pairs.get(old);
    if (known !== undefined) return known;
    const same = sameLines(old.syntax(0).lines, fresh.syntax(0).lines);
    const both = { pair: pairUp(old.execution, fresh.execution, same), same };
    pairs.set(old, both);
    return both;
  };
}

type Models = (tab: number) => Model;
type Pairs = (old: Model, fresh: Model) => Both;

type Place = Pick<State, "step" | "row">;

/** Where one wants to look at a tab first: at the step of its finding, or at the one at which two versions part. */
function firstPlace(page: PageDocument, tab: number, modelOf: Models, pairOf: Pairs): Place | null {
  const finding = page.findings?.find((one) => one.tab === tab)?.step;
  if (finding !== undefined) return { step: finding, row: null };
  const versions = page.versions?.find((one) => one.old === tab || one.new === tab);
  if (versions !== undefined) {
    const { parts } = pairOf(modelOf(versions.old), modelOf(versions.new)).pair;
    return { step: (tab === versions.old ? parts?.old : parts?.new) ?? 0, row: parts?.row ?? null };
  }
  return page.table === undefined ? null : { step: 0, row: null };
}

/** This tab and the other version, each as a view. */
function besideOf(view: View, modelOf: Models, pairOf: Pairs): Beside | null {
  const { page, state, step, set } = view;
  const versions = page.versions?.find((one) => one.old === state.tab || one.new === state.tab);
  if (versions === undefined) return null;
  const [old, fresh] = [modelOf(versions.old), modelOf(versions.new)];
  const { pair, same } = pairOf(old, fresh);
  const isOld = state.tab === versions.old;
  const side = (tab: number, model: Model, at: number): View => {
    const other = { ...state, tab, frame: null, file: null, selected: null };
    return {
      ...view,
      model,
      state: tab === state.tab ? state : other,
      step: at,
      frame: tab === state.tab ? view.frame : at < 0 ? 0 : (model.execution.frameAt[at] ?? 0),
      file: tab === state.tab ? view.file : fileAt(model, at),
      go: (to) => {
        if (to !== null && to >= 0) set({ tab, step: to, frame: null, file: null });
      },
      set: (patch) => set({ tab, ...(tab === state.tab ? {} : { step: Math.max(0, at) }), ...patch }),
    };
  };
  const own = isOld ? pair.old : pair.fresh;
  const stepIn = (row: number): number => Math.max(0, own[row] ?? 0);
  // A row of another step is none of this one.
  const picked = state.row !== null && state.row < own.length && stepIn(state.row) === step ? state.row : null;
  const row = picked ?? (isOld ? pair.rowOfOld : pair.rowOfNew)[step] ?? 0;
  return {
    versions,
    pair,
    same,
    old: side(versions.old, old, pair.old[row] ?? -1),
    fresh: side(versions.new, fresh, pair.fresh[row] ?? -1),
    row,
    go: (to) => {
      if (to !== null && to >= 0 && to < own.length) set({ step: stepIn(to), row: to, frame: null, file: null });
    },
  };
}

function initialState(page: PageDocument, modelOf: Models, pairOf: Pairs): State {
  const place = readLink(location.hash);
  const wanted = place.tab ?? page.select ?? 0;
  const tab = wanted < page.tabs.length ? wanted : 0;
  const first = place.step === null ? firstPlace(page, tab, modelOf, pairOf) : null;
  return {
    tab,
    step: place.step ?? first?.step ?? 0,
    row: first?.row ?? null,
    frame: null,
    file: null,
    selected: null,
    query: "",
    help: false,
    objects: false,
    editing: null,
    theme: initialTheme(),
  };
}

function fileAt(model: Model, step: number): number {
  return step < 0 ? (model.execution.outcome.file ?? 0) : (model.execution.files[step] ?? 0);
}

/** What is read out: the step and what it changed, of two versions that of both. */
function announcement(view: View): string {
  const { beside } = view;
  return beside === undefined ? spokenStep(view) : `Old: ${spokenStep(beside.old)}. New: ${spokenStep(beside.fresh)}`;
}

function spokenStep(view: View): string {
  const { model, step } = view;
  const { execution } = model;
  if (step < 0) return "No steps";
  const changed = changesAt(execution, step)
    .slice(0, 4)
    .map((change) => (change.value === null ? `${change.name} is gone` : `${change.name} = ${brief(change.value.text, 60)}`));
  const printed = execution.outputs.get(step);
  return [
    `Step ${step + 1} of ${execution.count}, line ${execution.lines[step]} in ${execution.functions[step]}`,
    ...changed,
    ...(printed === undefined ? [] : [`prints ${brief(printed, 60)}`]),
  ].join(". ");
}

const QUIET = 400;

function Announcer({ view }: { readonly view: View }): JSX.Element {
  const [text, setText] = useState("");
  const wanted = announcement(view);
  useEffect(() => {
    const timer = setTimeout(() => setText(wanted), QUIET);
    return () => clearTimeout(timer);
  }, [wanted]);
  return (
    <p class="hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}

interface Shown {
  readonly page: PageDocument;
  readonly give: Give | null;
}

export function App({ page, give }: Shown): JSX.Element {
  return page.tabs.length === 0 ? <Report page={page} /> : <Executions page={page} give={give} />;
}

function Executions({ page, give }: Shown): JSX.Element {
  const modelOf = useModels(page);
  const pairOf = usePairs(page);
  const [state, setState] = useState<State>(() => initialState(page, modelOf, pairOf));
  const model = modelOf(state.tab);
  const { execution } = model;
  const step = Math.min(state.step, execution.count - 1);

  const set = useCallback((patch: Partial<State>): void => {
    setState((before) => {
      const other = patch.tab !== undefined && patch.tab !== before.tab;
      const first = other && patch.step === undefined ? firstPlace(page, patch.tab ?? 0, modelOf, pairOf) : null;
      return {
        ...before,
        ...(other ? { frame: null, file: null, selected: null, editing: null } : {}),
        ...(other || patch.step !== undefined ? { row: null } : {}),
        ...first,
        ...patch,
      };
    });
  }, [page]);
  const go = useCallback((to: number | null): void => {
    if (to !== null && to >= 0) setState((before) => ({ ...before, step: to, row: null, frame: null, file: null }));
  }, []);

  const compared = page.compare !== undefined && page.compare.predicted === state.tab ? page.compare : null;
  const real = compared === null ? null : modelOf(compared.real);
  const comparison = useMemo(() => (real === null ? null : compare(execution, real.execution)), [execution, real]);
  const hits = useMemo(() => {
    const query = parseQuery(state.query);
    return query === null ? null : search(execution, query, query.kind === "raises" ? model.caught : [], model.paths);
  }, [execution, state.query]);

  const frame = state.frame ?? (step < 0 ? 0 : (execution.frameAt[step] ?? 0));
  const picked = state.frame === null ? null : (execution.frames[state.frame]?.file ?? null);
  const file = state.file ?? picked ?? fileAt(model, step);
  const alone: View = { page, give, model, state, step, frame, file, hits, comparison, real, ...(comparison === null ? {} : { marks: comparison.marks }), set, go };
  const beside = besideOf(alone, modelOf, pairOf);
  const view: View =
    beside === null ? alone : { ...alone, beside, marks: state.tab === beside.versions.old ? beside.pair.oldMarks : beside.pair.newMarks };

  const latest = useRef(view);
  latest.current = view;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (pressKey(event, latest.current)) event.preventDefault();
    };
    const follow = (): void => {
      const place = readLink(location.hash);
      set({
        ...(place.tab === null || place.tab >= page.tabs.length ? {} : { tab: place.tab }),
        ...(place.step === null ? {} : { step: place.step, frame: null, file: null }),
      });
    };
    addEventListener("keydown", press);
    addEventListener("hashchange", follow);
    const stop = followSystem((theme) => set({ theme }));
    return () => {
      removeEventListener("keydown", press);
      removeEventListener("hashchange", follow);
      stop();
    };
  }, [page, set]);

  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = state.theme;
  }, [state.theme]);
  useEffect(() => {
    document.title = `${page.title} – codexec`;
  }, [page.title]);
  useEffect(() => {
    const timer = setTimeout(() => showLink(writeLink(state.tab, page.tabs.length, Math.max(0, step))), 200);
    return () => clearTimeout(timer);
  }, [state.tab, step, page]);

  return (
    <>
      <Head view={view} />
      <Toolbar view={view} />
      <Timeline view={view} />
      <Overview view={view} />
      <Figures view={view} />
      <main class={`${state.objects ? "with-objects" : ""} ${beside === null ? "" : "beside"}`}>
        {beside === null ? (
          <Source view={view} />
        ) : (
          <>
            <Side view={beside.old} beside={beside} isOld />
            <Side view={beside.fresh} beside={beside} isOld={false} />
          </>
        )}
        {state.objects && <Objects view={view} />}
        <aside aria-label="State">
          <Results view={view} />
          <Verdict view={view} />
          <Findings view={view} />
          {beside === null ? <Variables view={view} /> : <BothVariables old={beside.old} fresh={beside.fresh} />}
          <Compared view={view} />
          {beside === null ? <Output view={view} /> : <BothOutputs old={beside.old} fresh={beside.fresh} />}
          <MadeUpValues view={view} />
          <Decisions view={view} />
        </aside>
      </main>
      <Announcer view={view} />
      {state.help && <Help view={view} />}
    </>
  );
}
