// The page: its state, the keyboard, links, and the arrangement of panels.

import type { JSX } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { compare } from "../compare.ts";
import { pressKey } from "../commands.ts";
import { changesAt } from "../execution.ts";
import { readLink, showLink, writeLink } from "../link.ts";
import { Model } from "../model.ts";
import { parseQuery, search } from "../query.ts";
import { followSystem, initialTheme } from "../theme.ts";
import type { PageDocument } from "../types.ts";
import { brief, type State, type View } from "../view.ts";
import { Compared, Decisions, Findings, MadeUpValues, Results, Table } from "./panels.tsx";
import { Head, Help, Toolbar } from "./head.tsx";
import { Objects } from "./objects.tsx";
import { Output } from "./output.tsx";
import { Source } from "./source.tsx";
import { Timeline } from "./timeline.tsx";
import { Variables } from "./variables.tsx";

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

function initialState(page: PageDocument): State {
  const place = readLink(location.hash);
  const tab = place.tab ?? page.select ?? 0;
  return {
    tab: tab < page.tabs.length ? tab : 0,
    step: place.step ?? 0,
    frame: null,
    file: null,
    selected: null,
    query: "",
    help: false,
    objects: false,
    theme: initialTheme(),
  };
}

function fileAt(model: Model, step: number): number {
  return step < 0 ? (model.execution.outcome.file ?? 0) : (model.execution.files[step] ?? 0);
}

/** What is read out: the step and what it changed. */
function announcement(view: View): string {
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

export function App({ page }: { readonly page: PageDocument }): JSX.Element {
  const [state, setState] = useState<State>(() => initialState(page));
  const modelOf = useModels(page);
  const model = modelOf(state.tab);
  const { execution } = model;
  const step = Math.min(state.step, execution.count - 1);

  const set = useCallback((patch: Partial<State>): void => {
    setState((before) => {
      const other = patch.tab !== undefined && patch.tab !== before.tab;
      return { ...before, ...(other ? { frame: null, file: null, selected: null } : {}), ...patch };
    });
  }, []);
  const go = useCallback((to: number | null): void => {
    if (to !== null && to >= 0) setState((before) => ({ ...before, step: to, frame: null, file: null }));
  }, []);

  const compared = page.compare !== undefined && page.compare.predicted === state.tab ? page.compare : null;
  const real = compared === null ? null : modelOf(compared.real);
  const comparison = useMemo(() => (real === null ? null : compare(execution, real.execution)), [execution, real]);
  const hits = useMemo(() => {
    const query = parseQuery(state.query);
    return query === null ? null : search(execution, query);
  }, [execution, state.query]);

  const frame = state.frame ?? (step < 0 ? 0 : (execution.frameAt[step] ?? 0));
  const picked = state.frame === null ? null : (execution.frames[state.frame]?.file ?? null);
  const file = state.file ?? picked ?? fileAt(model, step);
  const view: View = { page, model, state, step, frame, file, hits, comparison, real, set, go };

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
      <main class={state.objects ? "with-objects" : ""}>
        <Source view={view} />
        {state.objects && <Objects view={view} />}
        <aside aria-label="State">
          <Results view={view} />
          <Variables view={view} />
          <Compared view={view} />
          <Output view={view} />
          <MadeUpValues view={view} />
          <Decisions view={view} />
          <Findings view={view} />
          <Table view={view} />
        </aside>
      </main>
      <Announcer view={view} />
      {state.help && <Help view={view} />}
    </>
  );
}
