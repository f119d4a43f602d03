// Tables whose cells may have bars with intervals, and whose rows may lead to an execution.

import type { JSX } from "preact";
import type { Cell, TableData } from "../types.ts";

/** A bar from 0 to 1 with the ends of its interval. */
function Bar({ share, interval }: { readonly share: number; readonly interval: [number, number] | undefined }): JSX.Element {
  const percent = (value: number): string => `${Math.max(0, Math.min(1, value)) * 100}%`;
  return (
    <span class="bar" aria-hidden="true">
      <span class="bar-share" style={{ width: percent(share) }} />
      {interval !== undefined && (
        <span class="bar-interval" style={{ left: percent(interval[0]), width: percent(interval[1] - interval[0]) }} />
      )}
    </span>
  );
}

function intervalText([low, high]: [number, number]): string {
  return `[${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
}

const SIGNS = { good: "✓ ", bad: "✗ " } as const;

function isNumber(cell: Cell | undefined): boolean {
  return typeof cell === "object" && cell.number === true;
}

export function TableRows({
  table,
  selected,
  onSelect,
}: {
  readonly table: TableData;
  readonly selected?: number;
  readonly onSelect?: (tab: number) => void;
}): JSX.Element {
  const kind = (column: number): string => (table.rows.some((row) => isNumber(row.cells[column])) ? "number" : "");
  return (
    <table>
      <thead>
        <tr>
          {table.columns.map((column, index) => (
            <th key={index} scope="col" class={kind(index)}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => {
          const { tab } = row;
          const first = row.cells.findIndex((cell) => !isNumber(cell));
          return (
            <tr
              key={index}
              class={`${tab !== undefined && tab === selected ? "selected" : ""} ${tab !== undefined ? "leads" : ""}`}
              aria-current={tab !== undefined && tab === selected ? "true" : undefined}
            >
              {row.cells.map((cell, place) => {
                const plain = typeof cell === "string" ? { text: cell } : cell;
                const mark = plain.mark === undefined ? "" : plain.mark;
                const text = `${mark === "" ? "" : SIGNS[mark]}${plain.text}`;
                return (
                  <td key={place} class={`${isNumber(cell) ? "number" : ""} ${mark}`}>
                    {place === first && tab !== undefined && onSelect !== undefined ? (
                      <button type="button" class="name" onClick={() => onSelect(tab)}>
                        {text}
                      </button>
                    ) : (
                      text
                    )}
                    {plain.interval !== undefined && <small> {intervalText(plain.interval)}</small>}
                    {plain.share !== undefined && <Bar share={plain.share} interval={plain.interval} />}
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
