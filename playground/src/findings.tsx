// Findings of the checker: under the lines of the editor, and as a list.

import { forEachDiagnostic, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import type { EditorState, Text, TransactionSpec } from "@codemirror/state";
import type { JSX } from "preact";
import { SureBar } from "../../viewer/src/components/value.tsx";
import { percent } from "../../viewer/src/view.ts";
import { MAIN } from "./files.tsx";
import type { CheckAnswer, Finding } from "./module.ts";

/** As probable as an error has to be to be called one. */
const SURE = 0.9;

/** Where a column in characters, from 1, is in a text. */
function offset(doc: Text, line: number, column: number): number {
  const { from, to, text } = doc.line(Math.max(1, Math.min(doc.lines, line)));
  const before = [...text].slice(0, Math.max(0, column - 1)).join("");
  return Math.min(to, from + before.length);
}

/** What stands in the tooltip of a finding. */
function words(finding: Finding): Node {
  const element = document.createElement("div");
  element.className = "finding-tip";
  const say = (text: string, name: string): void => {
    const part = document.createElement("div");
    part.className = name;
    part.textContent = text;
    element.append(part);
  };
  say(finding.sentence, "finding-sentence");
  say(`${percent(finding.probability)} probable${finding.evidence === undefined ? "" : `, ${finding.evidence}`}`, "finding-evidence");
  return element;
}

function diagnosticOf(doc: Text, finding: Finding): Diagnostic {
  const from = offset(doc, finding.line, finding.column);
  const to = Math.max(from, offset(doc, finding.end_line, finding.end_column));
  const likely = percent(finding.probability);
  return {
    from,
    to,
    severity: finding.probability >= SURE ? "error" : "warning",
    source: "codexec check",
    message: `${finding.sentence} (${likely})`,
    renderMessage: () => words(finding),
  };
}

/** The findings of a file, in the order of its lines. */
export function findingsOf(answer: CheckAnswer, path: string): readonly Finding[] {
  if (path === MAIN) return answer.findings;
  return answer.elsewhere?.find((other) => other.path === path)?.findings ?? [];
}

/** Puts the findings of a text under its lines. */
export function marked(state: EditorState, findings: readonly Finding[]): TransactionSpec {
  return setDiagnostics(state, findings.map((finding) => diagnosticOf(state.doc, finding)));
}

/** Where the text of a finding is now, of those in the order in which they were marked. */
export function placeOf(state: EditorState, findings: readonly Finding[], index: number): number {
  const finding = findings[index];
  if (finding === undefined) return 0;
  const message = diagnosticOf(state.doc, finding).message;
  let place = offset(state.doc, finding.line, finding.column);
  let least = Number.MAX_SAFE_INTEGER;
  const known = place;
  forEachDiagnostic(state, (diagnostic, from) => {
    if (diagnostic.message === message && Math.abs(from - known) < least) {
      least = Math.abs(from - known);
      place = from;
    }
  });
  return place;
}

interface Props {
  readonly answer: CheckAnswer | null;
  /** Why there is none. */
  readonly why: string | null;
  /** Whether the text has changed since. */
  readonly isOld: boolean;
  /** Shows the place of a finding in the editor. */
  readonly go: (path: string, findings: readonly Finding[], index: number) => void;
}

function Rows({ path, findings, go }: { readonly path: string; readonly findings: readonly Finding[]; readonly go: Props["go"] }): JSX.Element {
  return (
    <ul>
      {findings.map((finding, index) => (
        <li key={`${path} ${index}`}>
          <p>
            <button type="button" class="small" onClick={() => go(path, findings, index)}>
              {path === MAIN ? "" : `${path}, `}line {finding.line}
            </button>{" "}
            <SureBar share={finding.probability} label={percent(finding.probability)} /> {finding.sentence}
            {finding.evidence !== undefined && <small> {finding.evidence}</small>}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The list of all findings. */
export function Findings({ answer, why, isOld, go }: Props): JSX.Element {
  const others = answer?.elsewhere ?? [];
  const count = (answer?.findings.length ?? 0) + others.reduce((sum, other) => sum + other.findings.length, 0);
  const said = answer === null ? (why ?? "Checking…") : count === 0 ? "No error found." : null;
  return (
    <section class={`panel findings check-findings ${isOld ? "is-old" : ""}`} aria-label="Findings" aria-busy={isOld || (answer === null && why === null)}>
      <h2>
        Findings{" "}
        <span class="of" role="status">
          {answer === null ? "" : `${count}, of what the program may do`}
        </span>
      </h2>
      {said !== null && <p class="dim">{said}</p>}
      {answer !== null && <Rows path={MAIN} findings={answer.findings} go={go} />}
      {others.map((other) => (
        <Rows key={other.path} path={other.path} findings={other.findings} go={go} />
      ))}
      {answer !== null && answer.notes.length > 0 && (
        <details>
          <summary>Not checked: {answer.notes.length}</summary>
          <ul>
            {answer.notes.map((note, index) => (
              <li key={index}>
                {note.line !== null && <b>line {note.line} </b>}
                {note.text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
