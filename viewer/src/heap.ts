// Frames and objects as of a step: names that point to boxes. Two names with one number point to one box.

import { DEFINITIONS, bindingsAt, type Execution } from "./execution.ts";
import { stackAt } from "./stack.ts";
import { hasNumbers, readValue, type Compound, type ValueNode } from "./values.ts";
import type { Model } from "./model.ts";

/** What stands in a cell: a text, or the box that it points to. */
export type Cell = { readonly text: string } | { readonly box: string };

export interface BoxRow {
  readonly key: Cell | null;
  readonly label: string | null;
  readonly value: Cell;
}

export interface Box {
  readonly id: string;
  readonly type: string;
  readonly instance: boolean;
  readonly object: number | null;
  rows: BoxRow[];
  cut: string | null;
  /** How far it is from the names. */
  column: number;
}

export interface FrameBox {
  readonly frame: number;
  readonly rows: { readonly name: string; readonly cell: Cell; readonly changed: boolean }[];
}

export interface Heap {
  readonly frames: FrameBox[];
  readonly boxes: Box[];
  /** Objects and frames that are too many. */
  readonly left: number;
  readonly framesLeft: number;
}

const MOST_BOXES = 150;
const MOST_ROWS = 40;
const MOST_FRAMES = 20;

/** What a box does not show: what is too much for it, and what the text itself leaves out. */
function leftOut(more: number, cut: string | null): string | null {
  const also = /<(\d+) more>/.exec(cut ?? "")?.[1];
  const all = more + Number(also ?? 0);
  if (cut !== null && also === undefined) return all > 0 ? `… more than ${all.toLocaleString("en")} more` : "…";
  return all > 0 ? `… ${all.toLocaleString("en")} more` : null;
}

class Builder {
  readonly boxes = new Map<string, Box>();
  left = 0;
  private anonymous = 0;

  cell(node: ValueNode, column: number): Cell {
    if (node.kind === "atom") return { text: node.text };
    const id = node.object === null ? `t${++this.anonymous}` : `o${node.object}`;
    const known = this.boxes.get(id);
    if (known === undefined) {
      if (this.boxes.size >= MOST_BOXES) {
        this.left++;
        return { text: "…" };
      }
      const box: Box = { id, type: node.type, instance: node.instance, object: node.object, rows: [], cut: null, column };
      this.boxes.set(id, box);
      this.fill(box, node);
    } else {
      // The first text that says what is in the box counts; `[...]` does not.
      if (known.rows.length === 0 && node.entries.length > 0) this.fill(known, node);
    }
    return { box: id };
  }

  private fill(box: Box, node: Compound): void {
    const shown = node.entries.slice(0, MOST_ROWS);
    box.cut = leftOut(node.entries.length - shown.length, node.cut);
    box.rows = shown.map((entry) => ({
      key: entry.key === null ? null : this.cell(entry.key, box.column + 1),
      label: entry.label,
      value: this.cell(entry.value, box.column + 1),
    }));
  }
}

const BRACKET = /^[[({<]|^\p{L}+\(/u;

/** Whether a container of the trace has no number, so that one object may be drawn twice. */
export function lacksNumbers(execution: Execution): boolean {
  return execution.values.some(
    ({ type, text, objects }) =>
      objects === null && !DEFINITIONS.has(type) && BRACKET.test(text) && hasNumbers(readValue(text, null)),
  );
}

export function heapAt(model: Model, step: number): Heap {
  const { execution, calls } = model;
  const builder = new Builder();
  const frames: FrameBox[] = [];
  const seen = new Set<number>();
  const blocks = step < 0 ? [] : stackAt(calls, step);
  const shown = blocks.length > MOST_FRAMES ? [...blocks.slice(0, MOST_FRAMES - 1), ...blocks.slice(-1)] : blocks;
  // The present frame first: its texts are the newest.
  for (const block of shown) {
    const frame = calls.frames[block] ?? 0;
    if (seen.has(frame)) continue;
    seen.add(frame);
    const rows = bindingsAt(execution, frame, step)
      .filter((binding) => !DEFINITIONS.has(binding.value.type))
      .map((binding) => ({
        name: binding.name,
        cell: builder.cell(readValue(binding.value.text, binding.value.objects), 0),
        changed: binding.changed,
      }));
    frames.push({ frame, rows });
  }
  const boxes = [...builder.boxes.values()];
  return { frames: frames.reverse(), boxes, left: builder.left, framesLeft: blocks.length - shown.length };
}
