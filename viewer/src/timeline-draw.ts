// Draws the timeline on a canvas: lines over time, calls by depth, marks, and the lane of a variable. What
// falls on one pixel is drawn once, so that the time does not grow with the steps beyond one pass.

import { GONE, lastAt, type Execution } from "./execution.ts";
import { blockAt, blockText } from "./frames.ts";
import type { Model } from "./model.ts";
import type { Selection } from "./view.ts";
import { numberOf } from "./values.ts";

export interface Colours {
  readonly text: string;
  readonly dim: string;
  readonly border: string;
  readonly line: string;
  readonly blocks: readonly string[];
  readonly output: string;
  readonly error: string;
  readonly injected: string;
  readonly lane: string;
  readonly laneFill: string;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Layout {
  readonly lineTop: number;
  readonly lineHeight: number;
  readonly callTop: number;
  readonly callHeight: number;
  readonly markTop: number;
  readonly laneTop: number;
  readonly laneHeight: number;
  readonly height: number;
}

const LINES_HEIGHT = 34;
const MOST_CALLS = 72;
const MARK_HEIGHT = 12;
const LANE_HEIGHT = 30;
/** Room for the name of the variable above its values. */
export const LANE_NAME_HEIGHT = 13;

export function layoutOf(model: Model, lane: boolean): Layout {
  const levels = model.calls.deepest + 1;
  const callHeight = model.calls.deepest === 0 ? 0 : Math.min(15, MOST_CALLS / levels);
  const callTop = LINES_HEIGHT + 4;
  const markTop = callTop + callHeight * levels + (callHeight > 0 ? 3 : 0);
  const laneTop = markTop + MARK_HEIGHT + 2 + (lane ? LANE_NAME_HEIGHT : 0);
  return {
    lineTop: 0,
    lineHeight: LINES_HEIGHT,
    callTop,
    callHeight,
    markTop,
    laneTop,
    laneHeight: lane ? LANE_HEIGHT : 0,
    height: Math.ceil(laneTop + (lane ? LANE_HEIGHT + 2 : 0)),
  };
}

export interface Scene {
  readonly model: Model;
  readonly range: Range;
  readonly width: number;
  readonly layout: Layout;
  readonly colours: Colours;
  readonly selected: Selection | null;
  readonly wrong: readonly number[];
}

export function xOf(range: Range, width: number, step: number): number {
  return ((step - range.from) / (range.to - range.from)) * width;
}

export function stepOf(range: Range, width: number, x: number): number {
  return Math.floor(range.from + (x / width) * (range.to - range.from));
}

const FONT = "11px system-ui, sans-serif";
/** About how wide one is. */
const LETTER = 6.2;

function fitText(context: CanvasRenderingContext2D, text: string, x: number, y: number, width: number): void {
  if (width < 14) return;
  const most = Math.floor((width - 4) / LETTER);
  const shown = text.length <= most ? text : most > 2 ? `${text.slice(0, most - 1)}…` : "";
  if (shown !== "") context.fillText(shown, x + 3, y, width - 4);
}

function drawLines(context: CanvasRenderingContext2D, scene: Scene): void {
  const { model, range, width, layout, colours } = scene;
  const { lines, count } = model.execution;
  let lowest = Infinity;
  let highest = 0;
  for (const line of lines) {
    if (line < lowest) lowest = line;
    if (line > highest) highest = line;
  }
  const span = Math.max(1, highest - lowest + 1);
  const tall = Math.max(1.5, Math.min(6, layout.lineHeight / span));
  const each = Math.max(1, width / (range.to - range.from));
  const drawn = new Set<number>();
  context.fillStyle = colours.line;
  for (let step = Math.max(0, Math.floor(range.from)); step < Math.min(count, range.to); step++) {
    const x = Math.floor(xOf(range, width, step));
    const y = ((lines[step] ?? 0) - lowest) / span;
    const cell = x * 64 + Math.floor(y * 60);
    if (drawn.has(cell)) continue;
    drawn.add(cell);
    context.fillRect(x, layout.lineTop + y * layout.lineHeight, each > 3 ? each - 1 : each, tall);
  }
}

function colourOf(name: string, colours: Colours): string {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (hash * 31 + name.charCodeAt(at)) >>> 0;
  return colours.blocks[hash % colours.blocks.length] ?? colours.border;
}

function drawCalls(context: CanvasRenderingContext2D, scene: Scene): void {
  const { model, range, width, layout, colours } = scene;
  const { calls, execution } = model;
  if (layout.callHeight === 0) return;
  const filled = new Float64Array(MOST_CALLS + 1).fill(-1);
  for (let block = 0; block < calls.count; block++) {
    const start = calls.starts[block] ?? 0;
    const end = (calls.ends[block] ?? 0) + 1;
    if (end < range.from || start > range.to) continue;
    const level = calls.levels[block] ?? 0;
    const left = Math.max(0, xOf(range, width, start));
    const right = Math.min(width, xOf(range, width, end));
    const row = Math.floor(level * layout.callHeight);
    if (right <= (filled[row] ?? 0) + 0.5) continue;
    filled[row] = right;
    const name = execution.frames[calls.frames[block] ?? 0]?.function ?? "";
    const top = layout.callTop + level * layout.callHeight;
    const wide = Math.max(1, right - left - (right - left > 3 ? 1 : 0));
    context.fillStyle = colourOf(name, colours);
    context.fillRect(left, top, wide, Math.max(1, layout.callHeight - (layout.callHeight > 4 ? 1 : 0)));
    if (layout.callHeight >= 11) {
      context.fillStyle = colours.text;
      // Arguments stand where there is room for the first of them.
      const text = wide > (name.length + 4) * LETTER ? blockText(model, block) : name;
      fitText(context, text, left, top + layout.callHeight / 2, wide);
    }
  }
}

/** The whole label of the block at a place of the timeline, or nothing. */
export function blockTitle(model: Model, layout: Layout, range: Range, width: number, x: number, y: number): string {
  if (layout.callHeight === 0) return "";
  const level = Math.floor((y - layout.callTop) / layout.callHeight);
  if (level < 0 || level > model.calls.deepest) return "";
  const block = blockAt(model, stepOf(range, width, x), level);
  return block === null ? "" : blockText(model, block, 60);
}

type Shape = "dot" | "diamond" | "cross" | "thin";

function drawMark(context: CanvasRenderingContext2D, shape: Shape, x: number, y: number): void {
  context.beginPath();
  if (shape === "dot") context.arc(x, y, 2.5, 0, 2 * Math.PI);
  else if (shape === "diamond") {
    context.moveTo(x, y - 4);
    context.lineTo(x + 4, y);
    context.lineTo(x, y + 4);
    context.lineTo(x - 4, y);
    context.closePath();
  } else {
    context.lineWidth = shape === "thin" ? 1 : 2;
    context.moveTo(x - 3.5, y - 3.5);
    context.lineTo(x + 3.5, y + 3.5);
    context.moveTo(x + 3.5, y - 3.5);
    context.lineTo(x - 3.5, y + 3.5);
    context.stroke();
    return;
  }
  context.fill();
}

function drawMarks(context: CanvasRenderingContext2D, scene: Scene): void {
  const { model, range, width, layout, colours } = scene;
  const half = width / (range.to - range.from) / 2;
  const y = layout.markTop + MARK_HEIGHT / 2;
  const row = (steps: readonly number[], shape: Shape, colour: string): void => {
    let before = -Infinity;
    context.fillStyle = colour;
    context.strokeStyle = colour;
    for (let at = lastAt(steps, range.from - 1) + 1; at < steps.length; at++) {
      const x = xOf(range, width, steps[at] ?? 0) + half;
      if (x > width + 4) break;
      if (x - before < 4) continue;
      before = x;
      drawMark(context, shape, x, y);
    }
  };
  const { errorStep } = model;
  row(model.printing, "dot", colours.output);
  row(model.injected, "diamond", colours.injected);
  row(model.caught.map((one) => one.raised), "thin", colours.error);
  row(scene.wrong, "cross", colours.error);
  if (errorStep !== null) row([errorStep], "cross", colours.error);
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly number: number | null;
}

/** The values of a name over time, in all calls of the frame's function. */
function piecesOf(execution: Execution, model: Model, selected: Selection): Piece[] {
  const chosen = execution.frames[selected.frame];
  if (chosen === undefined) return [];
  const changes: { step: number; value: number }[] = [];
  execution.frames.forEach((frame, index) => {
    if (frame.function !== chosen.function || frame.file !== chosen.file) return;
    const history = frame.histories.get(selected.name);
    history?.steps.forEach((step, entry) => changes.push({ step, value: history.values[entry] ?? GONE }));
    const own = model.visits.byFrame[index];
    const last = own?.[own.length - 1];
    if (index !== 0 && history !== undefined && last !== undefined) changes.push({ step: last, value: GONE });
  });
  changes.sort((a, b) => a.step - b.step);
  const pieces: Piece[] = [];
  changes.forEach(({ step, value }, index) => {
    if (value === GONE) return;
    const text = execution.values[value]?.text ?? "";
    const to = changes[index + 1]?.step ?? execution.count;
    if (to > step) pieces.push({ from: step, to, text, number: numberOf(text) });
  });
  return pieces;
}

function drawLane(context: CanvasRenderingContext2D, scene: Scene): void {
  const { model, range, width, layout, colours, selected } = scene;
  if (selected === null) return;
  const pieces = piecesOf(model.execution, model, selected);
  const numbers = pieces.map((piece) => piece.number).filter((number) => number !== null && Number.isFinite(number));
  const numeric = numbers.length === pieces.length && pieces.length > 2;
  const lowest = numeric ? numbers.reduce<number>((a, b) => Math.min(a, b ?? a), Infinity) : 0;
  const highest = numeric ? numbers.reduce<number>((a, b) => Math.max(a, b ?? a), -Infinity) : 0;
  const span = highest - lowest || 1;
  let filled = -1;
  const drawn = new Set<number>();
  const { laneTop: top, laneHeight: height } = layout;
  for (const piece of pieces) {
    const left = Math.max(0, xOf(range, width, piece.from));
    const right = Math.min(width, xOf(range, width, piece.to));
    if (right < 0 || left > width) continue;
    const wide = Math.max(1, right - left);
    if (numeric) {
      const y = top + 3 + (1 - ((piece.number ?? lowest) - lowest) / span) * (height - 6);
      const pixel = Math.floor(left) * LANE_HEIGHT + Math.round(y - top);
      if (wide < 2 && drawn.has(pixel)) continue;
      drawn.add(pixel);
      context.fillStyle = colours.laneFill;
      context.fillRect(left, y, wide, top + height - y);
      context.fillStyle = colours.lane;
      context.fillRect(left, y - 1, wide, 2);
      if (wide > 22) {
        context.fillStyle = colours.text;
        fitText(context, piece.text, left, y < top + height / 2 ? y + 8 : y - 7, wide);
      }
    } else if (right > filled + 0.4) {
      filled = right;
      context.fillStyle = colours.laneFill;
      context.fillRect(left, top + 4, Math.max(1, wide - 1), height - 8);
      context.fillStyle = colours.text;
      fitText(context, piece.text, left, top + height / 2, wide);
    }
  }
  if (numeric) {
    context.fillStyle = colours.dim;
    context.textAlign = "right";
    context.fillText(String(highest), width - 2, top + 7);
    context.fillText(String(lowest), width - 2, top + height - 5);
    context.textAlign = "left";
  }
}

export function drawTimeline(canvas: HTMLCanvasElement, scene: Scene): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(scene.width * scale);
  canvas.height = Math.round(scene.layout.height * scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, scene.width, scene.layout.height);
  context.font = FONT;
  context.textBaseline = "middle";
  if (scene.model.execution.count === 0) return;
  drawLines(context, scene);
  drawCalls(context, scene);
  drawMarks(context, scene);
  drawLane(context, scene);
}
