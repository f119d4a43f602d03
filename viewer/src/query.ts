// The search: what can be asked, and the steps that answer it.

import type { Caught } from "./caught.ts";
import { CALL, GONE, LINE, type Execution, type Value } from "./execution.ts";
import { numberOf, readValue, unquote } from "./values.ts";

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";

export type Query =
  | { kind: "compare"; name: string; attributes: string[]; operator: Operator; literal: string }
  | { kind: "changed"; name: string }
  | { kind: "line"; line: number; file?: string }
  | { kind: "printed"; text: string }
  | { kind: "call"; name: string }
  | { kind: "raises" }
  | { kind: "origin"; origin: "injected" | "predicted" | "computed" }
  | { kind: "text"; text: string };

export interface Hit {
  readonly step: number;
  readonly text: string;
}

/** More are counted, not listed. */
const MOST_HITS = 100_000;

export function parseQuery(input: string): Query | null {
  const text = input.trim();
  if (text === "") return null;
  const compare = /^([\p{L}_][\p{L}\p{N}_]*)((?:\.[\p{L}_][\p{L}\p{N}_]*)*)\s*(==|!=|<=|>=|<|>|=)\s*(\S.*)$/u.exec(text);
  if (compare !== null) {
    const [, name = "", attributes = "", operator = "==", literal = ""] = compare;
    return {
      kind: "compare",
      name,
      attributes: attributes.split(".").slice(1),
      operator: operator === "=" ? "==" : (operator as Operator),
      literal: literal.trim(),
    };
  }
  const changed = /^(\S+)\s+changed$/.exec(text) ?? /^changed:\s*(\S+)$/.exec(text);
  if (changed !== null) return { kind: "changed", name: changed[1] ?? "" };
  const line = /^line:\s*(?:(.*\S)\s*:\s*)?(\d+)$/.exec(text);
  if (line !== null) return { kind: "line", line: Number(line[2]), ...(line[1] === undefined ? {} : { file: line[1] }) };
  const printed = /^printed:\s*(.*)$/.exec(text);
  if (printed !== null) return { kind: "printed", text: printed[1] ?? "" };
  const call = /^(?:call|f):\s*([^\s()]+)(?:\(\))?$/.exec(text);
  if (call !== null) return { kind: "call", name: call[1] ?? "" };
  if (text === "raises") return { kind: "raises" };
  const origin = /^(?:made up|injected)$|^(predicted|computed)$/.exec(text);
  if (origin !== null) return { kind: "origin", origin: (origin[1] ?? "injected") as "injected" | "predicted" | "computed" };
  return { kind: "text", text };
}

/** What can be asked, for one whose query is none of these. */
export const FORMS = ["x > 10", "self.x == 3", "x changed", "line:7", "line:helper.py:7", "call:f", "printed:total", "raises", "made up"];

/** Texts of values that are neither numbers nor strings. */
const LITERAL = /^(?:True|False|None|\.\.\.)$|^(?:[[({<]|b['"])|^[\p{L}_][\p{L}\p{N}_]*\(/u;

/** Whether a query that found nothing looks like one that was meant otherwise than it was read. */
export function isMistaken(query: Query): boolean {
  switch (query.kind) {
    case "compare":
      return numberOf(query.literal) === null && unquote(query.literal) === null && !LITERAL.test(query.literal);
    case "changed":
      return !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(query.name);
    case "text":
      return /^(?:line|call|f|changed)\s*:|^raised?$|^[^\s'"<>=!].*?(?:[=!<>]=|[<=]|(?<!-)>)/.test(query.text);
    default:
      return false;
  }
}

/** Whether a path is of a file that a query names: by its whole path, or by how that ends. */
function isFile(path: string, name: string): boolean {
  return path === name || path.endsWith(`/${name}`) || path.endsWith(`\\${name}`);
}

/** Whether `left operator right` holds between a value's text and a literal. */
export function holds(left: string, operator: Operator, right: string): boolean {
  const numbers = [numberOf(left), numberOf(right)] as const;
  const strings = [unquote(left), unquote(right)] as const;
  let order: number | null = null;
  if (numbers[0] !== null && numbers[1] !== null) order = numbers[0] - numbers[1];
  else if (strings[0] !== null && strings[1] !== null) {
    order = strings[0] < strings[1] ? -1 : strings[0] > strings[1] ? 1 : 0;
  }
  const equal = order === null ? left.replace(/\s/g, "") === right.replace(/\s/g, "") : order === 0;
  if (operator === "==") return equal;
  if (operator === "!=") return !equal;
  if (order === null || Number.isNaN(order)) return false;
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

/** The text of an attribute of a value, or null. */
function attributeText(value: Value, attributes: string[]): string | null {
  let text = value.text;
  for (const attribute of attributes) {
    const node = readValue(text, null);
    if (node.kind === "atom") return null;
    const entry = node.entries.find((candidate) => candidate.label === attribute);
    if (entry === undefined) return null;
    text = nodeText(entry.value);
  }
  return text;
}

function nodeText(node: ReturnType<typeof readValue>): string {
  if (node.kind === "atom") return node.text;
  if (node.instance) {
    const parts = node.entries.map((entry) => ` ${entry.label ?? ""}=${nodeText(entry.value)}`);
    return `<${node.type}${parts.join("")}${node.cut === null ? "" : ` ${node.cut}`}>`;
  }
  const items = node.entries.map((entry) =>
    entry.key === null ? nodeText(entry.value) : `${nodeText(entry.key)}: ${nodeText(entry.value)}`,
  );
  const inner = items.join(", ") + (node.cut === null ? "" : `, ${node.cut}`);
  if (node.type === "list") return `[${inner}]`;
  if (node.type === "tuple") return items.length === 1 ? `(${inner},)` : `(${inner})`;
  if (node.type === "dict" || node.type === "set") return `{${inner}}`;
  return node.type === "deque" ? `deque([${inner}])` : `${node.type}({${inner}})`;
}

/** Every change that `keep` wants, as hits. */
function changes(execution: Execution, keep: (name: string, value: Value | null) => boolean, only: string | null): Hit[] {
  const hits: Hit[] = [];
  for (const frame of execution.frames) {
    for (const history of frame.histories.values()) {
      if (only !== null && history.name !== only) continue;
      history.values.forEach((index, entry) => {
        const value = index === GONE ? null : (execution.values[index] ?? null);
        const step = history.steps[entry] ?? 0;
        if (keep(history.name, value)) {
          hits.push({ step, text: value === null ? `${history.name} is gone` : `${history.name} = ${value.text}` });
        }
      });
    }
  }
  return hits;
}

function outputs(execution: Execution, text: string): Hit[] {
  const hits: Hit[] = [];
  const wanted = text.toLowerCase();
  for (const [step, output] of execution.outputs) {
    if (output.toLowerCase().includes(wanted)) hits.push({ step, text: `prints ${output.trimEnd()}` });
  }
  return hits;
}

function events(execution: Execution, keep: (step: number) => boolean, text: (step: number) => string): Hit[] {
  const hits: Hit[] = [];
  for (let step = 0; step < execution.count; step++) if (keep(step)) hits.push({ step, text: text(step) });
  return hits;
}

function find(execution: Execution, query: Query, caught: readonly Caught[], paths: readonly string[]): Hit[] {
  switch (query.kind) {
    case "compare": {
      const { name, attributes, operator, literal } = query;
      const keep = (_: string, value: Value | null): boolean => {
        const text = value === null ? null : attributeText(value, attributes);
        return text !== null && holds(text, operator, literal);
      };
      return changes(execution, keep, name);
    }
    case "changed":
      return changes(execution, () => true, query.name);
    case "line":
      return events(
        execution,
        (step) =>
          execution.lines[step] === query.line &&
          execution.events[step] === LINE &&
          (query.file === undefined || isFile(paths[execution.files[step] ?? 0] ?? "", query.file)),
        (step) => `line ${query.line} in ${execution.functions[step] ?? ""}`,
      );
    case "printed":
      return outputs(execution, query.text);
    case "call":
      return events(
        execution,
        (step) => execution.events[step] === CALL && execution.functions[step] === query.name,
        () => `call of ${query.name}`,
      );
    case "raises": {
      const { outcome } = execution;
      const hits = caught.map(({ raised, what, line }) => ({ step: raised, text: `${what}, caught on line ${line}` }));
      if (outcome.kind !== "raised") return hits;
      return [...hits, { step: outcome.step ?? execution.count - 1, text: `${outcome.exception ?? ""}: ${outcome.message ?? ""}` }];
    }
    case "origin":
      return changes(execution, (_, value) => value?.origin === query.origin, null);
    case "text": {
      const wanted = query.text.toLowerCase();
      const matching = new Set(execution.values.filter((value) => value.text.toLowerCase().includes(wanted)));
      const found = changes(
        execution,
        (name, value) => value !== null && (matching.has(value) || name.toLowerCase() === wanted),
        null,
      );
      return [...found, ...outputs(execution, query.text)];
    }
  }
}

/** The steps that answer a query, in their order; `caught`: exceptions that are caught, `paths`: of the files. */
export function search(execution: Execution, query: Query, caught: readonly Caught[] = [], paths: readonly string[] = []): Hit[] {
  return find(execution, query, caught, paths)
    .filter((hit) => hit.step >= 0 && hit.step < execution.count)
    .sort((a, b) => a.step - b.step)
    .slice(0, MOST_HITS);
}
