// Two versions of a program step by step: which step of one corresponds to which of the other, and where
// they part. Lines correspond by the text of both sources, steps by their lines.

import { Current, changedNames, sameText } from "./compare.ts";
import type { Execution } from "./execution.ts";

export interface Pair {
  /** Both in step, row by row: the step of each, -1 before its first. Every step of both has a row, and each row goes on in one of them at least. */
  readonly old: Int32Array;
  readonly fresh: Int32Array;
  /** For each step the first row that has it. */
  readonly rowOfOld: Int32Array;
  readonly rowOfNew: Int32Array;
  /** The row at which they first differ in what they do, and its steps, or null. */
  readonly parts: { readonly row: number; readonly old: number; readonly new: number } | null;
  /** Rows at which something becomes different. */
  readonly marks: readonly number[];
  /** Their steps. */
  readonly oldMarks: readonly number[];
  readonly newMarks: readonly number[];
}

/** Lines of both texts that are the same, from 1: by the old one, and by the new one. */
export interface SameLines {
  readonly toNew: ReadonlyMap<number, number>;
  readonly toOld: ReadonlyMap<number, number>;
}

const MOST_CELLS = 4_000_000;

/** The longest common list of lines, between what both begin and end with. */
export function sameLines(old: readonly string[], fresh: readonly string[]): SameLines {
  const toNew = new Map<number, number>();
  const toOld = new Map<number, number>();
  const add = (left: number, right: number): void => {
    toNew.set(left + 1, right + 1);
    toOld.set(right + 1, left + 1);
  };
  let begin = 0;
  while (begin < old.length && begin < fresh.length && old[begin] === fresh[begin]) {
    add(begin, begin);
    begin++;
  }
  let tail = 0;
  while (tail < old.length - begin && tail < fresh.length - begin && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) {
    tail++;
    add(old.length - tail, fresh.length - tail);
  }
  const rows = old.length - begin - tail;
  const columns = fresh.length - begin - tail;
  if (rows * columns > MOST_CELLS) return { toNew, toOld };
  const width = columns + 1;
  const longest = new Uint32Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      longest[row * width + column] =
        old[begin + row] === fresh[begin + column]
          ? (longest[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(longest[(row + 1) * width + column] ?? 0, longest[row * width + column + 1] ?? 0);
    }
  }
  let row = 0;
  let column = 0;
  while (row < rows && column < columns) {
    if (old[begin + row] === fresh[begin + column]) add(begin + row++, begin + column++);
    else if ((longest[(row + 1) * width + column] ?? 0) >= (longest[row * width + column + 1] ?? 0)) row++;
    else column++;
  }
  return { toNew, toOld };
}

/** Steps that one version may have more than the other before both go on together. */
const BEYOND = 60;

class Walk {
  private readonly old: Execution;
  private readonly fresh: Execution;
  private readonly lines: SameLines;

  constructor(old: Execution, fresh: Execution, lines: SameLines) {
    this.old = old;
    this.fresh = fresh;
    this.lines = lines;
  }

  isChangedOld(step: number): boolean {
    return (this.old.files[step] ?? 0) === 0 && !this.lines.toNew.has(this.old.lines[step] ?? 0);
  }

  isChangedNew(step: number): boolean {
    return (this.fresh.files[step] ?? 0) === 0 && !this.lines.toOld.has(this.fresh.lines[step] ?? 0);
  }

  /** Whether both steps are of the same line, or both of a changed one where `loosely`. */
  same(left: number, right: number, loosely: boolean): boolean {
    const { old, fresh } = this;
    if (left >= old.count || right >= fresh.count) return false;
    if (old.events[left] !== fresh.events[right] || old.functions[left] !== fresh.functions[right]) return false;
    if (old.files[left] !== fresh.files[right]) return false;
    if (this.isChangedOld(left) || this.isChangedNew(right)) {
      return loosely && this.isChangedOld(left) && this.isChangedNew(right);
    }
    const line = old.lines[left] ?? 0;
    return (old.files[left] === 0 ? this.lines.toNew.get(line) : line) === fresh.lines[right];
  }

  /** How many steps of each to leave out until both go on together, or null. */
  resume(left: number, right: number): [number, number] | null {
    for (let sum = 1; sum <= 2 * BEYOND; sum++) {
      for (let skipped = Math.max(0, sum - BEYOND); skipped <= Math.min(sum, BEYOND); skipped++) {
        if (this.same(left + skipped, right + sum - skipped, false)) return [skipped, sum - skipped];
      }
    }
    return null;
  }
}

/** The values of both at a pair of steps, and whether they become different there. */
class Values {
  private readonly left: Current;
  private readonly right: Current;
  private readonly different = new Map<number, Set<string>>();
  private readonly old: Execution;
  private readonly fresh: Execution;

  constructor(old: Execution, fresh: Execution) {
    this.old = old;
    this.fresh = fresh;
    this.left = new Current(old);
    this.right = new Current(fresh);
  }

  differ(left: number, right: number): boolean {
    const { old, fresh } = this;
    const frame = old.frameAt[left] ?? 0;
    const other = fresh.frameAt[right] ?? 0;
    let names = this.different.get(frame);
    if (names === undefined) this.different.set(frame, (names = new Set()));
    let found = old.outputs.get(left) !== fresh.outputs.get(right);
    if (!sameText(old.returned.get(left)?.text ?? null, fresh.returned.get(right)?.text ?? null)) found = true;
    for (const name of new Set([...changedNames(old, left), ...changedNames(fresh, right)])) {
      const texts = [this.left.text(frame, name, left), this.right.text(other, name, right)] as const;
      // A name of one version alone is no difference in what they do.
      if (texts[0] === null || texts[1] === null || sameText(...texts)) names.delete(name);
      else if (!names.has(name)) {
        names.add(name);
        found = true;
      }
    }
    return found;
  }
}

export function pairUp(old: Execution, fresh: Execution, lines: SameLines): Pair {
  const walk = new Walk(old, fresh, lines);
  const values = new Values(old, fresh);
  const rows: { old: number[]; fresh: number[] } = { old: [], fresh: [] };
  const rowOfOld = new Int32Array(old.count).fill(-1);
  const rowOfNew = new Int32Array(fresh.count).fill(-1);
  const marks: number[] = [];
  /** Rows of so many steps of each, the last of the shorter ones as long as the others take. */
  const add = (more: number, others: number): void => {
    const [left, right] = [(rows.old.at(-1) ?? -1) + 1, (rows.fresh.at(-1) ?? -1) + 1];
    for (let at = 0; at < Math.max(more, others); at++) {
      const row = rows.old.length;
      if (at < more) rowOfOld[left + at] = row;
      if (at < others) rowOfNew[right + at] = row;
      rows.old.push(left + Math.min(at, more - 1));
      rows.fresh.push(right + Math.min(at, others - 1));
    }
  };
  let [left, right] = [0, 0];
  while (left < old.count && right < fresh.count) {
    if (walk.same(left, right, true)) {
      if (values.differ(left, right)) marks.push(rows.old.length);
      add(1, 1);
      left++;
      right++;
      continue;
    }
    const [more, others] = walk.resume(left, right) ?? [old.count - left, fresh.count - right];
    // Steps of lines that only one version has are no difference by themselves.
    let apart = false;
    for (let step = left; step < left + more; step++) apart ||= !walk.isChangedOld(step);
    for (let step = right; step < right + others; step++) apart ||= !walk.isChangedNew(step);
    if (apart) marks.push(rows.old.length);
    add(more, others);
    left += more;
    right += others;
  }
  if (left < old.count || right < fresh.count) {
    if (left > 0 || right > 0) marks.push(rows.old.length);
    add(old.count - left, fresh.count - right);
  }
  const stepsOf = (steps: readonly number[]): number[] => marks.map((row) => steps[row] ?? -1).filter((step) => step >= 0);
  const first = marks[0];
  return {
    old: Int32Array.from(rows.old),
    fresh: Int32Array.from(rows.fresh),
    rowOfOld,
    rowOfNew,
    parts: first === undefined ? null : { row: first, old: Math.max(0, rows.old[first] ?? 0), new: Math.max(0, rows.fresh[first] ?? 0) },
    marks,
    oldMarks: stepsOf(rows.old),
    newMarks: stepsOf(rows.fresh),
  };
}
