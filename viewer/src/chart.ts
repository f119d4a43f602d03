// Scales, ticks and paths of charts, by d3. What is drawn of them is in components/charts.tsx.

import { scaleBand, scaleLinear, type ScaleLinear } from "d3-scale";
import { line } from "d3-shape";
import type { Series } from "./types.ts";

export const WIDTH = 520;
export const HEIGHT = 260;
/** Room for numbers and names. */
export const LEFT = 58;
const RIGHT = 24;
const TOP = 10;
export const FLOOR = HEIGHT - 42;
export const END = WIDTH - RIGHT;

/** Most points of a line; neighbours are averaged. */
const MOST_POINTS = 600;

export type Point = readonly [number, number];

/** Averages of neighbours, so that no more than MOST_POINTS are left. */
export function thinned(points: readonly Point[]): Point[] {
  const size = Math.max(1, Math.ceil(points.length / MOST_POINTS));
  if (size === 1) return [...points];
  const thin: Point[] = [];
  for (let at = 0; at < points.length; at += size) {
    const part = points.slice(at, at + size);
    thin.push([
      part.reduce((sum, point) => sum + point[0], 0) / part.length,
      part.reduce((sum, point) => sum + point[1], 0) / part.length,
    ]);
  }
  return thin;
}

/** A number as short as tells it from its neighbours. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size < 1e-3 || size >= 1e6) return value.toExponential(1).replace("e+", "e");
  return Number(value.toPrecision(5)).toLocaleString("en", { maximumFractionDigits: 4 });
}

export interface Axes {
  readonly x: ScaleLinear<number, number>;
  readonly y: ScaleLinear<number, number>;
  readonly xTicks: readonly number[];
  readonly yTicks: readonly number[];
}

function range(values: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  if (low < high) return [low, high];
  const room = low === 0 ? 1 : Math.abs(low) * 0.1;
  return [low - room, high + room];
}

/** Axes over all points; both from 0 to 1 where that is asked for. */
export function axesOf(series: readonly Series[], unit: boolean): Axes {
  const points = series.flatMap((one) => one.points);
  const [xs, ys] = unit ? [[0, 1], [0, 1]] : [range(points.map((point) => point[0])), range(points.map((point) => point[1]))];
  const x = scaleLinear(xs, [LEFT, END]);
  const y = scaleLinear(ys, [FLOOR, TOP]).nice(5);
  return { x, y, xTicks: x.ticks(6), yTicks: y.ticks(5) };
}

export function pathOf(points: readonly Point[], axes: Axes): string {
  return (
    line<Point>(
      (point) => axes.x(point[0]),
      (point) => axes.y(point[1]),
    )(points) ?? ""
  );
}

export interface Column {
  readonly name: string;
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Whether there is room for its name. */
  readonly named: boolean;
}

/** The bars of a histogram, and ticks of their counts. */
export function columnsOf(bars: readonly (readonly [string, number])[]): { columns: Column[]; ticks: { at: number; text: string }[] } {
  const band = scaleBand<number>(
    bars.map((_, index) => index),
    [LEFT, END],
  ).padding(0.12);
  const most = Math.max(1, ...bars.map((bar) => bar[1]));
  const y = scaleLinear([0, most], [FLOOR, TOP]).nice(5);
  const longest = Math.max(1, ...bars.map((bar) => bar[0].length));
  const every = Math.ceil((longest * 6.4 + 8) / band.step());
  return {
    columns: bars.map(([name, count], index) => ({
      name,
      count,
      x: band(index) ?? LEFT,
      // What is there is seen.
      y: Math.min(y(count), count > 0 ? FLOOR - 1.5 : FLOOR),
      width: band.bandwidth(),
      named: index % every === 0,
    })),
    ticks: y
      .ticks(5)
      .filter((tick) => Number.isInteger(tick))
      .map((tick) => ({ at: y(tick), text: short(tick) })),
  };
}

/** The index of the point that is nearest to a place on the x axis. */
export function nearest(points: readonly Point[], value: number): number {
  let best = -1;
  let distance = Infinity;
  points.forEach((point, index) => {
    const here = Math.abs(point[0] - value);
    if (here < distance) [best, distance] = [index, here];
  });
  return best;
}
