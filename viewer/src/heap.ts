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
  /** Whether the present step put it there. */
  changed: boolean;
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
      changed: false,
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

/** Names and objects as they are after a step. */
function build(model: Model, step: number): Heap {
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

/** Compares cells of two heaps. Objects are the same by their numbers; what has none is compared by what is in it. */
class Comparer {
  private readonly boxes: readonly Map<string, Box>[];

  constructor(...heaps: Heap[]) {
    this.boxes = heaps.map((heap) => new Map(heap.boxes.map((box) => [box.id, box])));
  }

  /** A cell of one of the heaps as a text. */
  text(heap: number, cell: Cell): string {
    if ("text" in cell) return cell.text;
    const box = this.boxes[heap]?.get(cell.box);
    if (box === undefined || box.object !== null) return cell.box;
    const parts = box.rows.map((row) => this.place(heap, row) + this.text(heap, row.value));
    return `${box.type}(${parts.join()}${box.cut ?? ""})`;
  }

  place(heap: number, row: BoxRow): string {
    return row.key === null ? (row.label ?? "") : `${this.text(heap, row.key)}:`;
  }
}

/** Marks what a step put into objects that were there before it. */
function markChanges(heap: Heap, before: Heap): void {
  const comparer = new Comparer(before, heap);
  const known = new Map(before.boxes.map((box) => [box.id, box]));
  for (const box of heap.boxes) {
    const old = box.object === null ? undefined : known.get(box.id);
    if (old === undefined) continue;
    const isSet = box.type === "set" || box.type === "frozenset";
    const placed = (side: number, row: BoxRow, index: number): string =>
      row.key !== null || row.label !== null ? comparer.place(side, row) : isSet ? comparer.text(side, row.value) : String(index);
    const values = new Map(old.rows.map((row, index) => [placed(0, row, index), comparer.text(0, row.value)]));
    box.rows.forEach((row, index) => {
      row.changed = values.get(placed(1, row, index)) !== comparer.text(1, row.value);
    });
  }
}

/** Frames and objects after a step; what the step changed in them is marked. */
export function heapAt(model: Model, step: number): Heap {
  const heap = build(model, step);
  if (step > 0) markChanges(heap, build(model, step - 1));
  return heap;
}
