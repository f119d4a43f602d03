// The page: the editor and what belongs to the program on one side, the parts of the viewer on the other.

import type { EditorView } from "@codemirror/view";
import type { JSX } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { pressKey } from "../../viewer/src/commands.ts";
import { Help, Outcome, Toolbar } from "../../viewer/src/components/head.tsx";
import { Objects } from "../../viewer/src/components/objects.tsx";
import { Output } from "../../viewer/src/components/output.tsx";
import { Decisions, MadeUpValues, Results } from "../../viewer/src/components/panels.tsx";
import { Timeline } from "../../viewer/src/components/timeline.tsx";
import { Variables } from "../../viewer/src/components/variables.tsx";
import { firstOfLine, nextVisit } from "../../viewer/src/moves.ts";
import { parseQuery, search } from "../../viewer/src/query.ts";
import { followSystem, initialTheme, remember } from "../../viewer/src/theme.ts";
import { outcomeText, type State, type View } from "../../viewer/src/view.ts";
import { About } from "./about.tsx";
import { words } from "./arguments.ts";
import { mark, type LineError } from "./decorations.ts";
import { makeEditor, replaceText } from "./editor.ts";
import { EXAMPLES } from "./examples.ts";
import { linkTo, sharedOf, type Shared } from "./link.ts";
import { marksOf, syntaxErrorOf } from "./marks.tsx";
import { lineThen, planned } from "./places.ts";
import { Planning, type Result } from "./planning.ts";
import { shownOf, type Shown } from "./shown.ts";

/** Milliseconds without a key before the program is planned. */
const QUIET = 150;

const EMPTY: State = {
  tab: 0,
  step: 0,
  frame: null,
  file: null,
  selected: null,
  query: "",
  help: false,
  objects: false,
  theme: initialTheme(),
};

type Given = Omit<Shared, "source">;

function givenOf(shared: Partial<Shared>): Given {
  return { stdin: shared.stdin ?? "", arguments: shared.arguments ?? "", inject: shared.inject ?? false };
}

/** The state of the viewer's parts, from an execution and what was chosen of it. */
function useView(shown: Shown | null, state: State, setState: (change: (before: State) => State) => void, leave: () => void): View | null {
  const execution = shown?.model.execution ?? null;
  const set = useCallback((patch: Partial<State>) => setState((before) => ({ ...before, ...patch })), [setState]);
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
    return query === null || execution === null ? null : search(execution, query);
  }, [execution, state.query]);
  if (shown === null || execution === null) return null;
  const step = Math.min(state.step, execution.count - 1);
  const frame = state.frame ?? (step < 0 ? 0 : (execution.frameAt[step] ?? 0));
  const { page, model } = shown;
  return { page, model, state, step, frame, file: 0, hits, comparison: null, real: null, set, go };
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
  const editor = useRef<EditorView | null>(null);
  const planning = useRef<Planning | null>(null);

  const leaveEnd = useCallback(() => setAtEnd(false), []);
  const view = useView(shown, state, setState, leaveEnd);
  const latest = useRef(view);
  latest.current = view;

  const step = useCallback((by: 1 | -1): void => {
    const now = latest.current;
    if (now !== null) now.go(Math.max(0, Math.min(now.model.execution.count - 1, now.step + by)));
  }, []);
  const goToLine = useCallback((line: number): void => {
    const now = latest.current;
    const then = editor.current === null ? null : lineThen(editor.current.state, line);
    if (now === null || then === null) return;
    const { execution } = now.model;
    const first = firstOfLine(execution, 0, then);
    const here = execution.lines[now.step] === then;
    now.go(here ? (nextVisit(execution, now.step) ?? first) : first);
  }, []);

  // The editor and the worker last as long as the page.
  useLayoutEffect(() => {
    if (box.current === null) return;
    editor.current = makeEditor(box.current, initial.source, {
      changed: () => {
        setNotice(null);
        setChanges((before) => before + 1);
      },
      step,
      line: goToLine,
    });
    const show = (result: Result): void => {
      const now = editor.current;
      if (now === null || now.state.doc.toString() !== result.request.source) return;
      if (result.kind === "failed") {
        const again = result.restarted ? " The planner was started again; this run is lost." : "";
        setStopped(`This program could not be planned: ${result.why}.${again}`);
        return;
      }
      const { answer } = result;
      const wrong = syntaxErrorOf(answer.trace.outcome);
      setRefused(wrong);
      if (wrong !== null) return;
      now.dispatch({ effects: planned.of(null) });
      setStopped(answer.stopped === undefined ? null : `Planning stopped at ${answer.stopped}.`);
      setShown(shownOf(result.request, answer));
      setAtEnd(true);
      setState((before) => ({ ...before, step: Number.MAX_SAFE_INTEGER, frame: null, selected: null }));
    };
    planning.current = new Planning(show, (why) => setNotice(`The planner cannot be started: ${why}`));
    return () => editor.current?.destroy();
  }, []);

  useEffect(() => {
    const timer = setTimeout(
      () => {
        const source = editor.current?.state.doc.toString() ?? "";
        const { stdin, inject } = given;
        planning.current?.plan({
          source,
          ...(stdin === "" ? {} : { stdin }),
          arguments: words(given.arguments),
          inject,
        });
      },
      changes === 0 ? 0 : QUIET,
    );
    return () => clearTimeout(timer);
  }, [changes, given]);

  const marks = useMemo(
    () => (editor.current === null ? [] : marksOf(editor.current.state, shown, view, atEnd, refused)),
    [shown, view?.step, state.frame, atEnd, refused],
  );
  useEffect(() => {
    editor.current?.dispatch({ effects: mark.of(marks) });
    document.documentElement.dataset["planned"] = String(shown?.number ?? 0);
  }, [marks]);

  const load = useCallback((shared: Partial<Shared> & { readonly source: string }): void => {
    if (editor.current !== null) replaceText(editor.current, shared.source);
    setGiven(givenOf(shared));
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

  const copyLink = async (): Promise<void> => {
    const source = editor.current?.state.doc.toString() ?? "";
    const link = await linkTo({ source, ...given });
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
      {view !== null && <Timeline key={view.model.execution.count} view={view} />}
      <p class={notice === null && stopped === null ? "hidden" : "notice"} role="status">
        {notice ?? stopped}
      </p>
      <main class={state.objects ? "with-objects" : ""}>
        <section class="panel source" aria-label="Source">
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
          </div>
        </section>
        {view !== null && state.objects && <Objects view={view} />}
        <aside aria-label="State">
          {view !== null && (
            <>
              <Results view={view} />
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
