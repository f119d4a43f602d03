// The source with the present line, counts of visits, values at the ends of lines, and loops' sliders.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { CALL, RETURN, valueAt } from "../execution.ts";
import { firstOfLine, nextVisit } from "../moves.ts";
import { framesShown, lineFacts, type LineFacts, type LineValue } from "../inline.ts";
import { realValue } from "../compare.ts";
import type { Loop, Span, Syntax } from "../syntax.ts";
import { brief, outcomeText, percent, type View } from "../view.ts";
import type { Finding } from "../types.ts";
import { Looper } from "./looper.tsx";
import { Rows } from "./rows.tsx";
import { Chain, OriginMark, Plain } from "./value.tsx";

export const ROW = 22;

type Row = { readonly line: number; readonly finding: Finding | null };

function rowsOf(syntax: Syntax, findings: readonly Finding[]): Row[] {
  return syntax.lines.flatMap((_, index) => {
    const line = index + 1;
    const below = findings.filter((finding) => finding.line === line);
    return [{ line, finding: null }, ...below.map((finding) => ({ line, finding }))];
  });
}

/** Whether a finding is in a file of this tab. Other tabs may have other files behind the program itself. */
function isIn(view: View, finding: Finding, file: number): boolean {
  const own = finding.tab === undefined || finding.tab === view.state.tab;
  return (finding.file ?? 0) === file && (file === 0 || own);
}

function Code({ text, spans }: { readonly text: string; readonly spans: readonly Span[] }): JSX.Element {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const span of spans) {
    if (span.from > at) parts.push(<Plain key={`b${at}`} text={text.slice(at, span.from)} />);
    parts.push(
      <span key={span.from} class={`code-${span.style}`}>
        <Plain text={text.slice(span.from, span.to)} />
      </span>,
    );
    at = span.to;
  }
  parts.push(<Plain key="end" text={text.slice(at)} />);
  return <code>{parts}</code>;
}

function ValueChip({ view, item }: { readonly view: View; readonly item: LineValue }): JSX.Element {
  const { comparison, real } = view;
  const other =
    comparison === null || real === null
      ? undefined
      : realValue(comparison, item.value, valueAt(real.execution, item.frame, item.name, item.at), item.at);
  const origin = item.value?.origin ?? "observed";
  const wrong = other !== undefined;
  return (
    <span
      class={`chip ${item.now ? "now" : ""} ${wrong ? "wrong" : ""} from-${origin}`}
      onClick={() => view.set({ selected: { frame: item.frame, name: item.name } })}
    >
      <OriginMark origin={origin} />
      <Plain text={item.value === null ? `${item.name} is gone` : `${item.name} = ${brief(item.value.text, 60)}`} />
      {wrong && <span class="real"> really <Plain text={other === null ? "not bound" : brief(other.text, 40)} /></span>}
    </span>
  );
}

const MOST_CHIPS = 6;

function Facts({ view, facts }: { readonly view: View; readonly facts: LineFacts }): JSX.Element {
  const { values, condition, returned, printed, caught, outer } = facts;
  const left = values.length - MOST_CHIPS;
  return (
    <span class={`facts ${outer ? "outer" : ""}`}>
      {condition !== null && <span class="chip condition">{condition ? "true" : "false"}</span>}
      {values.slice(0, MOST_CHIPS).map((item) => (
        <ValueChip key={item.name} view={view} item={item} />
      ))}
      {left > 0 && <span class="chip">{left} more</span>}
      {returned !== null && <span class="chip returned">returns <Plain text={brief(returned.text, 60)} /></span>}
      {printed !== null && <span class="chip printed">prints <Plain text={brief(printed.trimEnd(), 60)} /></span>}
      {caught !== null && (
        <span class="chip caught">
          × {brief(caught.what, 60)}, caught on line {caught.line}
        </span>
      )}
      {caught !== null && <Chain view={view} step={caught.raised} />}
    </span>
  );
}

/** The exception that ended the execution, at the line that raised it. */
function Raised({ view }: { readonly view: View }): JSX.Element | null {
  const { model } = view;
  if (model.execution.outcome.kind !== "raised" || model.errorStep === null) return null;
  return (
    <span class="facts">
      <span class="chip caught">✕ <Plain text={brief(outcomeText(model), 80)} /></span>
      <Chain view={view} step={model.errorStep} />
    </span>
  );
}

interface Marks {
  readonly ran: number;
  readonly next: number;
  readonly error: number;
  readonly verb: string;
}

function marksOf(view: View): Marks {
  const { model, step, file } = view;
  const { execution } = model;
  const inFile = (at: number): number => (execution.files[at] === file ? (execution.lines[at] ?? -1) : -1);
  const { outcome } = execution;
  const raisedHere = outcome.line !== undefined && (outcome.file ?? 0) === file ? outcome.line : -1;
  if (step < 0) return { ran: -1, next: -1, error: raisedHere, verb: "" };
  const event = execution.events[step];
  return {
    ran: inFile(step),
    next: step + 1 < execution.count ? inFile(step + 1) : -1,
    error: model.errorStep !== null && step >= model.errorStep ? raisedHere : -1,
    verb: event === CALL ? "entered" : event === RETURN ? "left" : "ran",
  };
}

/** A count in at most five characters. */
function shortCount(count: number): string {
  return count < 10_000 ? count.toLocaleString("en") : `${Math.floor(count / 1000).toLocaleString("en")}k`;
}

interface LineProps {
  readonly view: View;
  readonly line: number;
  readonly syntax: Syntax;
  readonly marks: Marks;
  readonly count: number;
  readonly facts: LineFacts | null;
  readonly loop: Loop | undefined;
  /** How probably it raises, where that is known. */
  readonly risk: number | undefined;
  /** `-` or `+` of a line that another version does not have. */
  readonly sign: string;
}

function Line({ view, line, syntax, marks, count, facts, loop, risk, sign }: LineProps): JSX.Element {
  const text = syntax.lines[line - 1] ?? "";
  const goVisit = (): void => {
    const { execution } = view.model;
    const here = execution.lines[view.step] === line && execution.files[view.step] === view.file;
    const first = firstOfLine(execution, view.file, line);
    view.go(here ? (nextVisit(execution, view.step) ?? first) : first);
  };
  const state = [
    line === marks.ran ? "ran" : "",
    line === marks.next ? "next" : "",
    line === marks.error ? "error" : "",
    count === 0 && view.model.execution.count > 0 ? "never" : "",
    risk !== undefined ? "risky" : "",
    sign === "-" ? "removed" : sign === "+" ? "added" : "",
  ].join(" ");
  return (
    <div class={`line ${state}`} style={{ height: `${ROW}px` }} aria-current={line === marks.ran ? "step" : undefined}>
      <span class="gutter">
        <span class="count" title={count === 0 ? "never ran" : count === 1 ? "ran once" : `ran ${count.toLocaleString("en")} times`}>
          {count > 0 ? `${shortCount(count)}×` : ""}
        </span>
        <span class="arrow" title={line === marks.ran ? marks.verb : line === marks.next ? "next" : ""}>
          {line === marks.ran ? "▶" : line === marks.next ? "▷" : ""}
        </span>
        {count > 0 ? (
          <button type="button" class="number" tabIndex={-1} onClick={goVisit} aria-label={`Line ${line}: go to a visit`}>
            {line}
          </button>
        ) : (
          <span class="number">{line}</span>
        )}
      </span>
      {sign !== "" && <span class="sign">{sign}</span>}
      {risk !== undefined && (
        <span class="risk" style={{ opacity: 0.25 + 0.75 * risk }} title={`raises with a probability of ${percent(risk)}`} />
      )}
      <Code text={text} spans={syntax.spans[line - 1] ?? []} />
      {risk !== undefined && <span class="chip risk-text">raises: {percent(risk)}</span>}
      {loop !== undefined && <Looper view={view} loop={loop} />}
      {facts !== null && <Facts view={view} facts={facts} />}
      {line === marks.error && <Raised view={view} />}
    </div>
  );
}

function FindingRow({ finding }: { readonly finding: Finding }): JSX.Element {
  return (
    <div class="line finding" style={{ height: `${ROW}px` }}>
      <span class="gutter" />
      <span class="finding-text" style={{ marginLeft: `${Math.max(0, (finding.column ?? 1) - 1)}ch` }}>
        ▲ <Plain text={finding.message} />
        {finding.sure !== undefined && finding.sure < 1 && ` (${percent(finding.sure)} sure)`}
      </span>
    </div>
  );
}

export function Source({
  view,
  label = "Source",
  differs,
}: {
  readonly view: View;
  readonly label?: string;
  /** Whether another version has no such line, and the sign of that. */
  readonly differs?: { readonly sign: string; readonly line: (line: number) => boolean };
}): JSX.Element {
  const { model, file, step } = view;
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const begin = (): void => setPrinting(true);
    const end = (): void => setPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  const syntax = model.syntax(file);
  const counts = model.countsOf(file);
  const rows = useMemo(
    () => rowsOf(syntax, (view.page.findings ?? []).filter((finding) => isIn(view, finding, file))),
    [syntax, view.page, view.state.tab, file],
  );
  const loops = useMemo(() => new Map(syntax.loops.map((loop) => [loop.line, loop])), [syntax]);
  const marks = marksOf(view);
  const frames = step < 0 ? [] : view.state.frame === null ? framesShown(model, step) : [view.frame];
  const shownLine = marks.ran === -1 ? (marks.next === -1 ? marks.error : marks.next) : marks.ran;
  const target = rows.findIndex((row) => row.line === shownLine);
  return (
    <section class="panel source" aria-label={label}>
      {model.paths.length > 1 && (
        <nav class="files" aria-label="Files">
          {model.paths.map((path, index) => (
            <button
              key={path}
              type="button"
              aria-pressed={index === file}
              onClick={() => view.set({ file: index })}
            >
              {path}
            </button>
          ))}
        </nav>
      )}
      {!model.hasSource(file) && <p class="note">The trace does not have the source. Lines have numbers only.</p>}
      <Rows
        count={rows.length}
        height={ROW}
        label={label === "Source" ? "Source code" : `${label}, lines`}
        className="code"
        all={printing}
        target={target}
        targetKey={`${file} ${step}`}
        row={(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          if (row.finding !== null) return <FindingRow key={`f${index}`} finding={row.finding} />;
          return (
            <Line
              key={index}
              view={view}
              line={row.line}
              syntax={syntax}
              marks={marks}
              count={counts.get(row.line) ?? 0}
              facts={lineFacts(model, frames, file, row.line, step)}
              loop={loops.get(row.line)}
              sign={file === 0 && differs?.line(row.line) === true ? differs.sign : ""}
              risk={file === 0 ? view.page.lines?.[row.line] : undefined}
            />
          );
        }}
      />
    </section>
  );
}
