// What the page knows of a source text: colours, names that a line binds, loops, and conditions.

import { parser } from "@lezer/python";
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";
import type { SyntaxNode } from "@lezer/common";

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly style: string;
}

export interface Loop {
  readonly kind: "for" | "while";
  readonly line: number;
  readonly bodyFirst: number;
  readonly last: number;
  /** Names that the header binds. */
  readonly targets: readonly string[];
}

export interface Condition {
  readonly line: number;
  /** Lines of what runs where it holds. */
  readonly bodyFirst: number;
  readonly bodyLast: number;
}

/** An `except`. */
export interface Handler {
  readonly line: number;
  readonly bodyFirst: number;
  readonly bodyLast: number;
  /** What it names, as `KeyError`; empty where it takes everything. */
  readonly type: string;
  /** The name that the exception gets. */
  readonly name: string | null;
}

/** A `raise`. */
export interface Raise {
  readonly line: number;
  readonly last: number;
  /** What it raises, as `KeyError` of `raise KeyError('x')`; empty where it raises again. */
  readonly name: string;
  /** The one string that it is called with, as it is written. */
  readonly message: string | null;
  /** What stands behind `from`. */
  readonly cause: string | null;
}

export interface Syntax {
  readonly lines: readonly string[];
  readonly spans: readonly (readonly Span[])[];
  readonly assigned: ReadonlyMap<number, readonly string[]>;
  readonly loops: readonly Loop[];
  readonly conditions: ReadonlyMap<number, Condition>;
  readonly handlers: ReadonlyMap<number, Handler>;
  readonly raises: readonly Raise[];
}

const styles = tagHighlighter([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], class: "keyword" },
  { tag: [tags.string, tags.special(tags.string)], class: "string" },
  { tag: [tags.number, tags.bool, tags.null], class: "number" },
  { tag: [tags.lineComment, tags.blockComment, tags.comment], class: "comment" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className), tags.className], class: "definition" },
  { tag: tags.function(tags.variableName), class: "function" },
  { tag: tags.function(tags.propertyName), class: "function" },
  { tag: tags.self, class: "keyword" },
  { tag: tags.meta, class: "meta" },
]);

/** Offsets at which lines begin. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

class Reader {
  private readonly text: string;
  private readonly starts: number[];
  readonly spans: Span[][];
  readonly assigned = new Map<number, string[]>();
  readonly loops: Loop[] = [];
  readonly conditions = new Map<number, Condition>();
  readonly handlers = new Map<number, Handler>();
  readonly raises: Raise[] = [];

  constructor(text: string) {
    this.text = text;
    this.starts = lineStarts(text);
    this.spans = this.starts.map(() => []);
  }

  lineOf(offset: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  addSpan(from: number, to: number, style: string): void {
    for (let line = this.lineOf(from); line <= this.starts.length; line++) {
      const start = this.starts[line - 1] ?? 0;
      if (start >= to) break;
      const end = (this.starts[line] ?? this.text.length + 1) - 1;
      const span = { from: Math.max(from, start) - start, to: Math.min(to, end) - start, style };
      if (span.to > span.from) this.spans[line - 1]?.push(span);
    }
  }

  private assign(node: SyntaxNode): void {
    const line = this.lineOf(node.from);
    const name = this.text.slice(node.from, node.to);
    const names = this.assigned.get(line);
    if (names === undefined) this.assigned.set(line, [name]);
    else if (!names.includes(name)) names.push(name);
  }

  /** Names of a target, as `a, (b, *c)`: those that are bound, not `a[i]` or `a.b`. */
  private targetNames(node: SyntaxNode): SyntaxNode[] {
    if (node.name === "VariableName") return [node];
    if (!["TupleExpression", "ArrayExpression", "ParenthesizedExpression"].includes(node.name)) {
      const inner = node.name === "MemberExpression" ? node.firstChild : null;
      return inner?.name === "VariableName" ? [inner] : [];
    }
    return children(node).flatMap((child) => this.targetNames(child));
  }

  private bodyOf(node: SyntaxNode): { first: number; last: number } | null {
    const body = node.getChild("Body");
    if (body === null) return null;
    const statement = children(body).find((child) => child.name !== ":" && child.name !== "Comment");
    const end = body.to - (this.text.slice(body.from, body.to).match(/\s+$/)?.[0].length ?? 0);
    return { first: this.lineOf(statement?.from ?? body.from), last: this.lineOf(Math.max(body.from, end - 1)) };
  }

  visit(node: SyntaxNode): void {
    if (node.name === "AssignStatement" || node.name === "UpdateStatement") {
      const parts = children(node);
      const lastSign = parts.findLastIndex((part) => part.name === "AssignOp" || part.name === "UpdateOp");
      for (const part of parts.slice(0, Math.max(1, lastSign))) for (const name of this.targetNames(part)) this.assign(name);
    } else if (node.name === "NamedExpression") {
      const name = node.getChild("VariableName");
      if (name !== null) this.assign(name);
    } else if (node.name === "ForStatement" || node.name === "WhileStatement") {
      this.loop(node);
    } else if (node.name === "IfStatement") {
      this.branches(node);
    } else if (node.name === "TryStatement") {
      this.attempt(node);
    } else if (node.name === "RaiseStatement") {
      this.raise(node);
    }
    for (const child of children(node)) this.visit(child);
  }

  private loop(node: SyntaxNode): void {
    const body = this.bodyOf(node);
    if (body === null) return;
    const targets: string[] = [];
    if (node.name === "ForStatement") {
      for (const part of children(node)) {
        if (part.name === "in") break;
        for (const name of this.targetNames(part)) {
          this.assign(name);
          targets.push(this.text.slice(name.from, name.to));
        }
      }
    }
    const line = this.lineOf(node.from);
    const kind = node.name === "ForStatement" ? "for" : "while";
    this.loops.push({ kind, line, bodyFirst: body.first, last: body.last, targets });
    if (kind === "while") this.conditions.set(line, { line, bodyFirst: body.first, bodyLast: body.last });
  }

  private attempt(node: SyntaxNode): void {
    let from: SyntaxNode | null = null;
    for (const part of children(node)) {
      if (["try", "except", "else", "finally"].includes(part.name)) from = part.name === "except" ? part : null;
      if (part.name !== "Body" || from === null) continue;
      const statement = children(part).find((child) => child.name !== ":" && child.name !== "Comment");
      const trimmed = this.text.slice(part.from, part.to).trimEnd().length;
      const line = this.lineOf(from.from);
      const [type, name] = this.text.slice(from.to, part.from).replace(/^\s*\*/, "").split(/\sas\s/);
      this.handlers.set(line, {
        line,
        bodyFirst: this.lineOf(statement?.from ?? part.from),
        bodyLast: this.lineOf(part.from + Math.max(0, trimmed - 1)),
        type: (type ?? "").trim(),
        name: name === undefined ? null : name.trim(),
      });
    }
  }

  private raise(node: SyntaxNode): void {
    const text = (part: SyntaxNode): string => this.text.slice(part.from, part.to);
    const [, what, from, cause] = children(node).filter((part) => part.name !== "Comment");
    const called = what?.name === "CallExpression" ? what.firstChild : null;
    const given = called === null ? [] : children(what?.getChild("ArgList") ?? node).filter((part) => !/^[(),]$/.test(part.name));
    const only = given.length === 1 && given[0]?.name === "String" ? text(given[0]) : null;
    this.raises.push({
      line: this.lineOf(node.from),
      last: this.lineOf(Math.max(node.from, node.to - 1)),
      name: what === undefined ? "" : text(called ?? what),
      message: only !== null && /^(['"])(?!\1).*\1$/.test(only) ? only.slice(1, -1) : null,
      cause: from?.name === "from" && cause !== undefined ? text(cause) : null,
    });
  }

  private branches(node: SyntaxNode): void {
    let keyword: SyntaxNode | null = null;
    for (const part of children(node)) {
      if (["if", "elif", "else"].includes(part.name)) keyword = part;
      if (part.name !== "Body" || keyword === null || keyword.name === "else") continue;
      const statement = children(part).find((child) => child.name !== ":" && child.name !== "Comment");
      const trimmed = this.text.slice(part.from, part.to).trimEnd().length;
      const line = this.lineOf(keyword.from);
      this.conditions.set(line, {
        line,
        bodyFirst: this.lineOf(statement?.from ?? part.from),
        bodyLast: this.lineOf(part.from + Math.max(0, trimmed - 1)),
      });
    }
  }
}

function children(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

export function readSyntax(source: string): Syntax {
  const text = source.replace(/\r\n?/g, "\n");
  const reader = new Reader(text);
  const tree = parser.parse(text);
  highlightTree(tree, styles, (from, to, style) => reader.addSpan(from, to, style));
  reader.visit(tree.topNode);
  const lines = text.split("\n");
  if (lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
  const { spans, assigned, loops, conditions, handlers, raises } = reader;
  return { lines, spans, assigned, loops, conditions, handlers, raises };
}

/** What stands in for the syntax of a text that the trace does not have. */
export function noSyntax(lines: number): Syntax {
  return {
    lines: new Array<string>(lines).fill(""),
    spans: [],
    assigned: new Map(),
    loops: [],
    conditions: new Map(),
    handlers: new Map(),
    raises: [],
  };
}
