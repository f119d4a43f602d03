// The page: the editor and what belongs to the program on one side, the parts of the viewer on the other.

import type { JSX } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { pressKey } from "../../viewer/src/commands.ts";
import { Help, Outcome, Tabs, Toolbar } from "../../viewer/src/components/head.tsx";
import { MadeUpValues } from "../../viewer/src/components/made-up.tsx";
import { Objects } from "../../viewer/src/components/objects.tsx";
import { Output } from "../../viewer/src/components/output.tsx";
import { Decisions, Results } from "../../viewer/src/components/panels.tsx";
import { Timeline } from "../../viewer/src/components/timeline.tsx";
import { Variables } from "../../viewer/src/components/variables.tsx";
import type { Give } from "../../viewer/src/live.ts";
import type { Model } from "../../viewer/src/model.ts";
import { firstOfLine, nextVisit } from "../../viewer/src/moves.ts";
import { parseQuery, search } from "../../viewer/src/query.ts";
import { followSystem, initialTheme, remember } from "../../viewer/src/theme.ts";
import { outcomeText, type State, type View } from "../../viewer/src/view.ts";
import { About } from "./about.tsx";
import { words } from "./arguments.ts";
import { has } from "./assets.ts";
import { mark, type LineError } from "./decorations.ts";
import { EXAMPLES } from "./examples.ts";
import { FileRow, Files, MAIN } from "./files.tsx";
import { Findings, findingsOf, marked, placeOf } from "./findings.tsx";
import { linkTo, sharedOf, type Shared } from "./link.ts";
import { marksOf, syntaxErrorOf } from "./marks.tsx";
import type { CheckAnswer, CheckRequest, Finding, Fold, GivenValue, PlanRequest } from "./module.ts";
import { lineNow, lineThen, planned } from "./places.ts";
import { workers, type Checked, type Planned, type Workers } from "./planning.ts";
import { shownOf, type Shown } from "./shown.ts";

/** Milliseconds without a key before the program is planned. */
const QUIET = 150;
/** Milliseconds that a program may take where the network is asked. */
const MOST_ASKED = 20_000;
/** Most worlds of a program. */
const WORLDS = 6;

const EMPTY: State = {
  tab: 0,
  step: 0,
  row: null,
  frame: null,
  file: null,
  selected: null,
  query: "",
  help: false,
  objects: false,
  editing: null,
  theme: initialTheme(),
};

type Given = Omit<Shared, "source" | "files" | "given">;

function givenOf(shared: Partial<Shared>): Given {
  const { stdin = "", arguments: words = "", inject = false, fold = "methods" } = shared;
  return { stdin, arguments: words, inject, fold };
}

/** What the network can be left to answer. */
const FOLDS: readonly (readonly [Fold, string])[] = [
  ["methods", "nothing: all is computed"],
  ["operators", "methods and functions"],
  ["nothing", "every operation"],
];

/** The findings of the checker: those of the text, of an older one, or why there are none. */
interface Found {
  readonly answer: CheckAnswer | null;
  readonly why: string | null;
  /** Whether the program has changed since. */
  readonly isOld: boolean;
}

/** A request with values in place of made up ones, and who waits for it. */
interface Waiting {
  readonly request: PlanRequest;
  readonly done: (wrong: string | null) => void;
}

/** The state of the viewer's parts, from an execution and what was chosen of it. */
function useView(
  shown: Shown | null,
  state: State,
  setState: (change: (before: State) => State) => void,
  leave: () => void,
  give: Give,
): View | null {
  const model = shown?.model(state.tab) ?? null;
  const execution = model?.execution ?? null;
  const set = useCallback(
    (patch: Partial<State>) =>
      setState((before) => {
        const other = patch.tab !== undefined && patch.tab !== before.tab;
        return { ...before, ...(other ? { frame: null, file: null, selected: null } : {}), ...patch };
      }),
    [setState],
  );
  const go = useCallback(
    (step: number | null) => {
      if (step === null || step < 0) return;
      leave();
      setState((before) => ({ ...before, step, frame: null, file: null }));
    },
    [setState, leave],
  );
  const hits = useMemo(() => {
    const query = parseQuery(state.query);
    return query === null || model === null || execution === null ? null : search(execution, query, model.caught);
  }, [execution, state.query]);
  if (shown === null || model === null || execution === null) return null;
  const step = Math.min(state.step, execution.count - 1);
  const frame = state.frame ?? (step < 0 ? 0 : (execution.frameAt[step] ?? 0));
  const { page } = shown;
  const file = state.file ?? (step < 0 ? 0 : (execution.files[step] ?? 0));
  return { page, give, model, state, step, frame, file, hits, comparison: null, real: null, set, go };
}

/** Which of an execution's files is in the editor, or -1 where it is none of them. */
function fileOf(model: Model, files: Files): number {
  return files.current === 0 ? 0 : model.paths.findIndex((path, index) => index > 0 && path === files.paths[files.current]);
}

interface Props {
  readonly initial: Partial<Shared> & { readonly source: string };
  readonly said: string | null;
}

export function Playground({ initial, said }: Props): JSX.Element {
  const [given, setGiven] = useState<Given>(() => givenOf(initial));
  const [shown, setShown] = useState<Shown | null>(null);
  const [refused, setRefused] = useState<{ line: number; error: LineError } | null>(null);
  /** What is said of the program that was planned, and of what the page was asked to do. */
  const [stopped, setStopped] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(said);
  const [atEnd, setAtEnd] = useState(true);
  const [state, setState] = useState<State>(EMPTY);
  const [about, setAbout] = useState(false);
  const [changes, setChanges] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const kept = useRef<Files | null>(null);
  const [, setRow] = useState(0);
  const work = useRef<Workers | null>(null);
  const fold = useRef<Fold>(given.fold);
  fold.current = given.fold;
  const givenNow = useRef(given);
  givenNow.current = given;
  const [found, setFound] = useState<Found>({ answer: null, why: null, isOld: true });

  /** The last request, and which of its answers is shown. */
  const newest = useRef<PlanRequest | null>(null);
  const answered = useRef<PlanRequest | null>(null);
  /** Values in place of made up ones, by lines of the program that is shown. */
  const edits = useRef<readonly GivenValue[]>(initial.given ?? []);
  const waiting = useRef<Waiting | null>(null);
  /** Whether values are predicted: not before something is missed, and not where that cannot be loaded. */
  const predicting = useRef<"no" | "yes" | "never">("no");
  const end = useRef(atEnd);
  end.current = atEnd;

  const put = useCallback((request: PlanRequest): void => {
    const all = work.current;
    if (all === null) return;
    const asks = (request.fold ?? "methods") !== "methods";
    const predicts = predicting.current !== "never" && (predicting.current === "yes" || request.given !== undefined);
    waiting.current?.done("The program has changed since.");
    waiting.current = null;
    newest.current = request;
    const queue = asks ? all.asks : predicts ? all.predicts : all.plans;
    for (const other of [all.asks, all.predicts, all.plans]) if (other !== queue) other.drop();
    queue.put(request);
  }, []);
  /** What is to be planned, with values in place of made up ones. */
  const requestOf = useCallback((values: readonly GivenValue[], { stdin, arguments: text, inject, fold }: Given): PlanRequest => {
    const files = kept.current;
    const [source, beside, state] = [files?.source ?? "", files?.beside ?? [], files?.program ?? null];
    const moved = values.flatMap(({ line, kind, what, value }) => {
      const now = state === null ? line : lineNow(state, line);
      return now === null ? [] : [{ line: now, kind, what, value }];
    });
    const asks = fold !== "methods";
    return {
      source,
      name: MAIN,
      worlds: asks ? 1 : WORLDS,
      ...(beside.length === 0 ? {} : { files: beside }),
      ...(stdin === "" ? {} : { stdin }),
      ...(asks ? { fold, max_milliseconds: MOST_ASKED } : {}),
      ...(moved.length === 0 ? {} : { given: moved }),
      arguments: words(text),
      inject,
    };
  }, []);
  const give = useCallback(
    (values: readonly GivenValue[]): Promise<string | null> =>
      new Promise((done) => {
        const request = requestOf(values, given);
        put(request);
        waiting.current = { request, done };
      }),
    [given],
  );

  const leaveEnd = useCallback(() => setAtEnd(false), []);
  const view = useView(shown, state, setState, leaveEnd, give);
  const latest = useRef(view);
  latest.current = view;

  const step = useCallback((by: 1 | -1): void => {
    const now = latest.current;
    if (now !== null) now.go(Math.max(0, Math.min(now.model.execution.count - 1, now.step + by)));
  }, []);
  const goToLine = useCallback((line: number): void => {
    const now = latest.current;
    const files = kept.current;
    const then = files === null ? null : lineThen(files.editor.state, line);
    const file = files === null || now === null ? -1 : fileOf(now.model, files);
    if (now === null || then === null || file < 0) return;
    const { execution } = now.model;
    const first = firstOfLine(execution, file, then);
    const here = execution.lines[now.step] === then && execution.files[now.step] === file;
    now.go(here ? (nextVisit(execution, now.step) ?? first) : first);
  }, []);

  // The editor and the worker last as long as the page.
  useLayoutEffect(() => {
    if (box.current === null) return;
    const listener = {
      changed: () => {
        setNotice(null);
        setChanges((before) => before + 1);
      },
      step,
      line: goToLine,
    };
    const files = new Files(box.current, listener, initial.source, initial.files ?? []);
    kept.current = files;
    setRow((before) => before + 1);
    const isOf = ({ source, files: beside }: CheckRequest): boolean =>
      files.source === source && JSON.stringify(files.beside) === JSON.stringify(beside ?? []);
    const show = (result: Planned, isPredicted: boolean): void => {
      const { request } = result;
      if (request !== newest.current || !isOf(request) || (request.fold ?? "methods") !== fold.current) return;
      const { source, stdin, name, files: beside } = request;
      const isAgain = answered.current === request;
      const given = waiting.current?.request === request ? waiting.current : null;
      if (given !== null) waiting.current = null;
      // Findings take longer, and come behind.
      if (!isAgain && given === null) {
        work.current?.checks.put({ source, name: name ?? MAIN, ...(stdin === undefined ? {} : { stdin }), ...(beside === undefined ? {} : { files: beside }) });
      }
      if (result.kind === "failed") {
        // What is shown stays.
        if (given !== null) return given.done(result.why);
        if (isAgain) return setNotice(`Missing values could not be predicted: ${result.why}.`);
        const again = result.restarted ? " The planner was started again; this run is lost." : "";
        setStopped(`This program could not be planned: ${result.why}.${again}`);
        return;
      }
      const { answer } = result;
      const wrong = syntaxErrorOf(answer.trace.outcome);
      setRefused(wrong);
      if (wrong !== null) return;
      files.tell({ effects: planned.of(null) });
      setStopped(null);
      setShown(shownOf(request, answer, isPredicted));
      answered.current = request;
      edits.current = answer.edits ?? [];
      const { others = [] } = answer;
      const misses = [answer, ...others].some((world) => world.made_up.length > 0);
      if (predicting.current !== "never") predicting.current = misses ? "yes" : "no";
      if (misses && !isPredicted && predicting.current !== "never") work.current?.predicts.put(request);
      // The same program with other values stays at the step that is looked at.
      const stays = (isAgain || given !== null) && !end.current;
      if (!stays) setAtEnd(true);
      const step = stays ? {} : { step: Number.MAX_SAFE_INTEGER, selected: null };
      setState((before) => ({ ...before, tab: before.tab <= others.length ? before.tab : 0, frame: null, file: null, ...step }));
      given?.done(null);
    };
    const shows = (result: Checked): void => {
      if (!isOf(result.request)) return;
      if (result.kind === "failed") {
        files.tellEach((_, state) => marked(state, []));
        setFound({ answer: null, why: `This program could not be checked: ${result.why}.`, isOld: false });
        return;
      }
      const { answer } = result;
      files.tellEach((path, state) => marked(state, findingsOf(answer, path)));
      setFound({ answer, why: null, isOld: false });
      const { dataset } = document.documentElement;
      dataset["checked"] = String(Number(dataset["checked"] ?? 0) + 1);
    };
    work.current = workers(show, shows, (what, why) => {
      if (what === "The checker") setFound({ answer: null, why: `There are no findings here: ${why}.`, isOld: false });
      else setNotice(`${what} cannot be started: ${why}`);
      if (what !== "The predictors") return;
      predicting.current = "never";
      const request = newest.current;
      if (request !== null && answered.current !== request) put(requestOf([], givenNow.current));
    });
    return () => files.destroy();
  }, []);

  useEffect(() => {
    setFound((before) => (before.isOld ? before : { ...before, isOld: true }));
    const timer = setTimeout(
      () => put(requestOf(edits.current, given)),
      changes === 0 ? 0 : QUIET,
    );
    return () => clearTimeout(timer);
  }, [changes, given]);

  const marks = useMemo(
    () => {
      const files = kept.current;
      if (files === null) return [];
      const file = view === null ? -1 : fileOf(view.model, files);
      const of = file < 0 ? null : view;
      return marksOf(files.editor.state, of === null ? null : shown, of, file, atEnd, files.current === 0 ? refused : null);
    },
    [shown, view?.step, state.tab, state.frame, atEnd, refused, kept.current?.current],
  );
  // A step in another file shows that file.
  const at = view === null || atEnd ? null : (view.model.paths[view.file] ?? null);
  useEffect(() => {
    const files = kept.current;
    if (files === null || view === null || at === null) return;
    const index = view.file === 0 ? 0 : files.paths.indexOf(at, 1);
    if (index < 0 || index === files.current) return;
    files.open(index);
    setRow((before) => before + 1);
  }, [at, view?.step]);
  useEffect(() => {
    kept.current?.editor.dispatch({ effects: mark.of(marks) });
    const { dataset } = document.documentElement;
    dataset["planned"] = String(shown?.number ?? 0);
    dataset["predicted"] = String(shown?.isPredicted ?? false);
  }, [marks]);

  const load = useCallback((shared: Partial<Shared> & { readonly source: string }): void => {
    kept.current?.put(shared.source, shared.files ?? []);
    edits.current = shared.given ?? [];
    setGiven(givenOf(shared));
    setChanges((before) => before + 1);
    setRow((before) => before + 1);
  }, []);

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { target } = event;
      if (latest.current === null || (target instanceof Element && target.closest(".cm-content") !== null)) return;
      if (document.querySelector(".about-page") === null && pressKey(event, latest.current)) event.preventDefault();
    };
    const follow = (): void => {
      sharedOf(location.hash)
        .then((shared) => {
          if (shared !== null) load(shared);
        })
        .catch((error: unknown) => setNotice(error instanceof Error ? error.message : String(error)));
    };
    addEventListener("keydown", press);
    addEventListener("hashchange", follow);
    const stop = followSystem((theme) => setState((before) => ({ ...before, theme })));
    return () => {
      removeEventListener("keydown", press);
      removeEventListener("hashchange", follow);
      stop();
    };
  }, []);
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = state.theme;
  }, [state.theme]);

  const ends = shown?.worlds[view?.state.tab ?? 0]?.stopped;
  const says = stopped ?? (ends === undefined ? null : `Planning stopped at ${ends}.`);

  const goToFinding = (path: string, findings: readonly Finding[], index: number): void => {
    const files = kept.current;
    const at = files === null ? -1 : files.paths.indexOf(path);
    if (files === null || at < 0) return;
    files.open(at);
    setRow((before) => before + 1);
    const { editor } = files;
    editor.dispatch({ selection: { anchor: placeOf(editor.state, findings, index) }, scrollIntoView: true });
    editor.focus();
  };
  const copyLink = async (): Promise<void> => {
    const source = kept.current?.source ?? "";
    const values = requestOf(edits.current, given).given ?? [];
    const link = await linkTo({ source, files: kept.current?.beside ?? [], given: values, ...given });
    history.replaceState(null, "", new URL(link).hash);
    try {
      await navigator.clipboard.writeText(link);
      setNotice("The link is copied. It holds the whole program.");
    } catch {
      setNotice("The link is in the address of this page. It holds the whole program.");
    }
  };
  const toggleTheme = (): void => {
    const theme = state.theme === "dark" ? "light" : "dark";
    remember(theme);
    setState((before) => ({ ...before, theme }));
  };

  return (
    <>
      <header>
        <h1>codexec playground</h1>
        {view === null ? <span class="about">Loading the planner…</span> : <Outcome view={view} />}
        {view !== null && <Tabs view={view} />}
        <span class="about">
          <b>Nothing is executed.</b> {shown !== null && `Planned in ${Math.max(1, Math.round(shown.answer.milliseconds))} ms.`}{" "}
          <button type="button" class="small" onClick={() => setAbout(true)}>
            About and limits
          </button>
        </span>
        <span class="head-end">
          <label>
            <span class="hidden">Example</span>
            <select
              value=""
              onChange={(event) => {
                const example = EXAMPLES[Number(event.currentTarget.value)];
                event.currentTarget.value = "";
                if (example !== undefined) load(example);
              }}
            >
              <option value="" disabled>
                Examples
              </option>
              {EXAMPLES.map((example, index) => (
                <option key={example.name} value={String(index)}>
                  {example.name}
                </option>
              ))}
            </select>
          </label>
          <button type="button" class="wide" onClick={() => void copyLink()}>
            Copy link
          </button>
          <button type="button" title="Dark or light (t)" aria-label="Dark or light" onClick={toggleTheme}>
            {state.theme === "dark" ? "☀" : "☾"}
          </button>
          <button type="button" title="Keys and help (?)" aria-label="Keys and help" onClick={() => view?.set({ help: true })}>
            ?
          </button>
        </span>
      </header>
      {view === null ? <nav class="toolbar" aria-label="Steps" /> : <Toolbar view={view} />}
      {view !== null && <Timeline key={`${state.tab} ${view.model.execution.count}`} view={view} />}
      <p class={notice === null && says === null ? "hidden" : "notice"} role="status">
        {notice ?? says}
      </p>
      <main class={state.objects ? "with-objects" : ""}>
        <section class="panel source" aria-label="Source">
          {kept.current !== null && (
            <FileRow
              files={kept.current}
              changed={(isOther) => {
                setRow((before) => before + 1);
                if (isOther) setChanges((before) => before + 1);
              }}
            />
          )}
          <div class={`editor ${refused === null ? "" : "is-stale"}`} ref={box} />
          <div class="given">
            <label>
              Input
              <textarea
                rows={2}
                spellcheck={false}
                value={given.stdin}
                onInput={(event) => setGiven({ ...given, stdin: event.currentTarget.value })}
              />
            </label>
            <label>
              Arguments
              <input
                type="text"
                spellcheck={false}
                value={given.arguments}
                onInput={(event) => setGiven({ ...given, arguments: event.currentTarget.value })}
              />
            </label>
            <label class="check">
              <input
                type="checkbox"
                checked={given.inject}
                onChange={(event) => setGiven({ ...given, inject: event.currentTarget.checked })}
              />
              Make up what is missing
            </label>
            <label>
              The network answers
              <select
                value={given.fold}
                disabled={!has("steps.safetensors")}
                title={has("steps.safetensors") ? "" : "This page is one file, without the weights of the network"}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  setGiven({ ...given, fold: FOLDS.find(([fold]) => fold === value)?.[0] ?? "methods" });
                }}
              >
                {FOLDS.map(([fold, text]) => (
                  <option key={fold} value={fold}>
                    {text}
                  </option>
                ))}
              </select>
            </label>
          </div>
        </section>
        {view !== null && state.objects && <Objects view={view} />}
        <aside aria-label="State">
          {view !== null && <Results view={view} />}
          {view !== null && <Findings {...found} go={goToFinding} />}
          {view !== null && (
            <>
              <Variables view={view} />
              <Output view={view} />
              <MadeUpValues view={view} />
              <Decisions view={view} />
            </>
          )}
        </aside>
      </main>
      <p class="hidden" role="status">
        {refused !== null ? `Line ${refused.line}: ${refused.error.message}` : view === null ? "" : `${outcomeText(view.model)}, ${view.model.execution.count} steps`}
      </p>
      {view !== null && state.help && <Help view={view} />}
      {about && <About close={() => setAbout(false)} />}
    </>
  );
}
