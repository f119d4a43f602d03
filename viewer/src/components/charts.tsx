// Charts as SVG: histograms, counts of names, and curves. Each has its numbers as a table, too.

import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { END, FLOOR, HEIGHT, LEFT, WIDTH, axesOf, columnsOf, nearest, pathOf, short, thinned, type Axes, type Point } from "../chart.ts";
import type { BarsData, CurvesData, HeatData, TableData } from "../types.ts";
import { TableRows } from "./table.tsx";

function Numbers({ title, table }: { readonly title: string; readonly table: () => TableData }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <details class="numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Numbers</summary>
      {open && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label={`Numbers of ${title}`}>
          <TableRows table={table()} />
        </div>
      )}
    </details>
  );
}

function count(number: number): { text: string; number: true } {
  return { text: number.toLocaleString("en"), number: true };
}

function Histogram({ data }: { readonly data: BarsData }): JSX.Element {
  const { columns, ticks } = useMemo(() => columnsOf(data.bars), [data]);
  const all = data.bars.reduce((sum, bar) => sum + bar[1], 0);
  const most = data.bars.reduce((best, bar) => (bar[1] > best[1] ? bar : best), ["", 0] as [string, number]);
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${data.title}: ${all.toLocaleString("en")} in ${data.bars.length} bars; the highest is ${most[0]} ${data.of} with ${most[1].toLocaleString("en")}`}
    >
      {ticks.map((tick) => (
        <g key={tick.at}>
          <path class="grid" d={`M${LEFT} ${tick.at}H${END}`} />
          <text x={LEFT - 6} y={tick.at + 4} class="end">
            {tick.text}
          </text>
        </g>
      ))}
      {columns.map((column, index) => (
        <g key={index}>
          <rect class="column" x={column.x} y={column.y} width={column.width} height={FLOOR - column.y}>
            <title>{`${column.name} ${data.of}: ${column.count.toLocaleString("en")}`}</title>
          </rect>
          {column.named && (
            <text
              x={Math.min(column.x + column.width / 2, WIDTH - 3.2 * column.name.length)}
              y={FLOOR + 15}
              class="middle"
            >
              {column.name}
            </text>
          )}
        </g>
      ))}
      <path class="axis" d={`M${LEFT} ${FLOOR}H${END}`} />
      <text x={END} y={FLOOR + 34} class="end">
        {data.of}
      </text>
    </svg>
  );
}

/** Counts of names: a table with bars. */
function Counts({ data }: { readonly data: BarsData }): JSX.Element {
  const most = Math.max(1, ...data.bars.map((bar) => bar[1]));
  const all = Math.max(1, data.bars.reduce((sum, bar) => sum + bar[1], 0));
  return (
    <table class="counts">
      <thead class="hidden">
        <tr>
          <th scope="col">{data.of}</th>
          <th scope="col">Bar</th>
          <th scope="col">Count</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {data.bars.map(([name, number], index) => (
          <tr key={index}>
            <th scope="row">{name}</th>
            <td class="counts-bar" aria-hidden="true">
              <span style={{ width: `${(100 * number) / most}%` }} class={number > 0 ? "some" : ""} />
            </td>
            <td class="number">{number.toLocaleString("en")}</td>
            <td class="number of">{((100 * number) / all).toFixed(1)}%</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Bars({ data }: { readonly data: BarsData }): JSX.Element {
  const table = (): TableData => ({
    columns: [data.of, "count"],
    rows: data.bars.map(([name, number]) => ({ cells: [name, count(number)] })),
  });
  return (
    <figure>
      <figcaption>
        {data.title} {data.note !== undefined && <span class="of">{data.note}</span>}
      </figcaption>
      {data.histogram === true ? <Histogram data={data} /> : <Counts data={data} />}
      {data.histogram === true && <Numbers title={data.title} table={table} />}
    </figure>
  );
}

const COLOURS = 6;

function Frame({ axes, x, y }: { readonly axes: Axes; readonly x: string; readonly y: string | undefined }): JSX.Element {
  return (
    <>
      {axes.yTicks.map((tick) => (
        <g key={`y${tick}`}>
          <path class="grid" d={`M${LEFT} ${axes.y(tick)}H${END}`} />
          <text x={LEFT - 6} y={axes.y(tick) + 4} class="end">
            {short(tick)}
          </text>
        </g>
      ))}
      {axes.xTicks.map((tick) => (
        <text key={`x${tick}`} x={axes.x(tick)} y={FLOOR + 15} class="middle">
          {short(tick)}
        </text>
      ))}
      <path class="axis" d={`M${LEFT} ${FLOOR}H${END}`} />
      <text x={END} y={FLOOR + 34} class="end">
        {x}
      </text>
      {y !== undefined && (
        <text x={LEFT} y={FLOOR + 34}>
          ↑ {y}
        </text>
      )}
    </>
  );
}

/** What is said of a chart to those who do not see it. */
function spoken(data: CurvesData): string {
  const lines = data.series.map(({ name, points }) => {
    const [first, last] = [points[0], points[points.length - 1]];
    if (first === undefined || last === undefined) return `${name} has no point`;
    return `${name} goes from ${short(first[1])} at ${short(first[0])} to ${short(last[1])} at ${short(last[0])} ${data.x}`;
  });
  return `${data.title}: ${lines.join("; ")}`;
}

export function Curves({ data }: { readonly data: CurvesData }): JSX.Element {
  const unit = data.is_calibration === true;
  const axes = useMemo(() => axesOf(data.series, unit), [data, unit]);
  const lines = useMemo(() => data.series.map((one) => thinned(one.points)), [data]);
  const [at, setAt] = useState<number | null>(null);
  const point = (index: number): Point | undefined => (at === null ? undefined : lines[index]?.[nearest(lines[index] ?? [], at)]);
  const table = (): TableData => ({
    columns: ["line", data.x, data.y ?? data.title],
    rows: data.series.flatMap((one, index) =>
      (lines[index] ?? []).map((place, number) => ({
        cells: [
          one.notes?.[number] === undefined ? one.name : `${one.name}, ${one.notes[number]}`,
          { text: short(place[0]), number: true as const },
          { text: short(place[1]), number: true as const },
        ],
      })),
    ),
  });
  return (
    <figure>
      <figcaption>{data.title}</figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={spoken(data)}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setAt(axes.x.invert(((event.clientX - box.left) / box.width) * WIDTH));
        }}
        onPointerLeave={() => setAt(null)}
      >
        <Frame axes={axes} x={data.x} y={data.y} />
        {unit && <path class="diagonal" d={`M${axes.x(0)} ${axes.y(0)}L${axes.x(1)} ${axes.y(1)}`} />}
        {lines.map((points, index) => (
          <g key={index} class={`series series-${(index % COLOURS) + 1}`}>
            <path d={pathOf(points, axes)} />
            {(unit || points.length === 1) &&
              points.map((place, number) => (
                <circle key={number} cx={axes.x(place[0])} cy={axes.y(place[1])} r={4}>
                  <title>{data.series[index]?.notes?.[number] ?? `${short(place[0])}: ${short(place[1])}`}</title>
                </circle>
              ))}
          </g>
        ))}
        {lines.map((_, index) => {
          const here = point(index);
          return (
            here !== undefined && (
              <circle key={index} class={`series-${(index % COLOURS) + 1} here`} cx={axes.x(here[0])} cy={axes.y(here[1])} r={3.5} />
            )
          );
        })}
      </svg>
      <p class="key">
        {data.series.map((one, index) => {
          const here = point(index);
          return (
            <span key={index} class={`series-${(index % COLOURS) + 1}`}>
              <span class="key-line" aria-hidden="true" /> {one.name}
              {here !== undefined && (
                <span class="of">
                  {" "}
                  {short(here[1])} at {short(here[0])}
                </span>
              )}
            </span>
          );
        })}
        {unit && <span class="of">Dashed: as sure as right.</span>}
      </p>
      <Numbers title={data.title} table={table} />
    </figure>
  );
}

/** Size of a cell of a heat map, and room for names and for the numbers of columns. */
const CELL = 12;
const NAMES = 330;
const TOP = 22;

/** A heat map: rows by columns, the darker the more. */
export function Heat({ data }: { readonly data: HeatData }): JSX.Element {
  const { columns, rows } = data;
  const [width, height] = [NAMES + columns.length * CELL + CELL, TOP + rows.length * CELL + 4];
  const most = (shares: readonly number[]): number => shares.reduce((best, share, at) => (share > (shares[best] ?? 0) ? at : best), 0);
  const table = (): TableData => ({
    columns: ["row", `most at ${data.x}`, "share there"],
    rows: rows.map(({ name, shares }) => {
      const at = most(shares);
      return { cells: [name.trim(), { text: columns[at] ?? "", number: true }, { text: (shares[at] ?? 0).toFixed(3), number: true }] };
    }),
  });
  return (
    <figure class="heat">
      <figcaption>
        {data.title} <span class="of">by {data.x}</span>
      </figcaption>
      <div class="table-scroll" tabIndex={0} role="region" aria-label={data.title}>
        <svg
          class="chart"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`${data.title}: ${rows.length} rows by ${columns.length} columns, ${data.x} ${columns[0] ?? ""} to ${columns[columns.length - 1] ?? ""}`}
        >
          {columns.map(
            (column, at) =>
              at % 5 === 0 && (
                <text key={at} x={NAMES + at * CELL + CELL / 2} y={14} class="middle">
                  {column}
                </text>
              ),
          )}
          {rows.map(({ name, shares, mark }, row) => (
            <g key={row} class={mark === "bad" ? "heat-bad" : "heat-row"}>
              <text x={4} y={TOP + row * CELL + CELL - 3} class="heat-name">
                {name}
              </text>
              {shares.map(
                (share, at) =>
                  // Small shares would not be seen on a linear scale.
                  share > 0 && (
                    <rect key={at} x={NAMES + at * CELL} y={TOP + row * CELL} width={CELL} height={CELL} fill-opacity={Math.sqrt(share)}>
                      <title>{`${name.trim()}, ${data.x} ${columns[at] ?? ""}: ${share.toFixed(3)}`}</title>
                    </rect>
                  ),
              )}
            </g>
          ))}
        </svg>
      </div>
      <Numbers title={data.title} table={table} />
    </figure>
  );
}
