// Frames and objects as boxes, with lines from names and items to the boxes that they refer to.

import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { heapAt, lacksNumbers, type Box, type Cell } from "../heap.ts";
import { escaped } from "../odd.ts";
import { brief, cutAt, type View } from "../view.ts";
import { Plain } from "./value.tsx";
import { frameName } from "./variables.tsx";

interface Arrow {
  readonly path: string;
  readonly fresh: boolean;
}

function CellView({ cell }: { readonly cell: Cell }): JSX.Element {
  if ("box" in cell) {
    return (
      <span class="ref" data-to={cell.box}>
        <span aria-hidden="true">•</span>
        <span class="hidden">refers to {cell.box}</span>
      </span>
    );
  }
  return (
    <span class="text" title={cell.text.length > 12 ? escaped(cutAt(cell.text, 600)) : undefined}>
      <Plain text={brief(cell.text, 40)} />
    </span>
  );
}

function BoxView({ box }: { readonly box: Box }): JSX.Element {
  const flat = !box.instance && box.rows.every((row) => row.key === null);
  const name = box.object === null ? box.type : `${box.type} ${box.object}`;
  return (
    <div class={`box ${box.instance ? "instance" : ""}`} data-box={box.id} role="group" aria-label={name}>
      <div class="box-title">{name}</div>
      {box.rows.length === 0 && box.cut === null && !box.instance && <div class="box-empty">empty</div>}
      <div class={flat ? "box-items" : "box-pairs"}>
        {box.rows.map((row, index) =>
          flat ? (
            <span key={index} class={`item ${row.changed ? "changed" : ""}`}>
              <small>{box.type === "set" || box.type === "frozenset" ? "" : index}</small>
              <CellView cell={row.value} />
            </span>
          ) : (
            <span key={index} class={`pair ${row.changed ? "changed" : ""}`}>
              <span class="key" title={row.label ?? undefined}>
                {row.key === null ? (row.label ?? "") : <CellView cell={row.key} />}
              </span>
              <span class="item">
                <CellView cell={row.value} />
              </span>
            </span>
          ),
        )}
      </div>
      {box.cut !== null && <div class="box-empty">{box.cut}</div>}
    </div>
  );
}

/** A curve from the right edge of the cell of a reference to the edge of a box. */
function arrowOf(from: DOMRect, cell: DOMRect, to: DOMRect, origin: DOMRect): string {
  const x1 = cell.right - origin.left;
  const y1 = from.top + from.height / 2 - origin.top;
  const ahead = to.left > from.left;
  const x2 = (ahead ? to.left : to.right) - origin.left + (ahead ? -2 : 2);
  const y2 = to.top + Math.min(to.height / 2, 12) - origin.top;
  const bend = Math.max(24, Math.abs(x2 - x1) / 2);
  const [a, b] = ahead ? [x1 + bend, x2 - bend] : [x1 + bend, x2 + bend];
  return `M${x1.toFixed(1)} ${y1.toFixed(1)}C${a.toFixed(1)} ${y1.toFixed(1)} ${b.toFixed(1)} ${y2.toFixed(1)} ${x2.toFixed(1)} ${y2.toFixed(1)}`;
}

export function Objects({ view }: { readonly view: View }): JSX.Element {
  const { model, step } = view;
  const heap = useMemo(() => heapAt(model, step), [model, step]);
  const unnumbered = useMemo(() => lacksNumbers(model.execution), [model]);
  const area = useRef<HTMLDivElement>(null);
  const [arrows, setArrows] = useState<Arrow[]>([]);
  const [size, setSize] = useState({ width: 0, height: 0 });

  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    const draw = (): void => {
      const origin = element.getBoundingClientRect();
      const boxes = new Map<string, Element>();
      for (const box of element.querySelectorAll<HTMLElement>("[data-box]")) boxes.set(box.dataset["box"] ?? "", box);
      const found: Arrow[] = [];
      for (const ref of element.querySelectorAll<HTMLElement>("[data-to]")) {
        const box = boxes.get(ref.dataset["to"] ?? "");
        if (box === undefined) continue;
        const cell = ref.closest(".key, .item") ?? ref;
        found.push({
          path: arrowOf(ref.getBoundingClientRect(), cell.getBoundingClientRect(), box.getBoundingClientRect(), origin),
          fresh: ref.closest(".changed") !== null,
        });
      }
      setArrows(found);
      setSize({ width: element.scrollWidth, height: element.scrollHeight });
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [heap]);

  const deepest = heap.boxes.reduce((most, box) => Math.max(most, box.column), 0);
  const columns = Array.from({ length: deepest + 1 }, (_, column) => heap.boxes.filter((box) => box.column === column));
  return (
    <section class="panel objects" aria-label="Objects">
      <h2>Objects</h2>
      {unnumbered && <p class="note">The trace has no references (in Python: references=True), so one object under two names is drawn twice.</p>}
      {heap.left > 0 && <p class="note">{heap.left} more objects are not drawn.</p>}
      {heap.framesLeft > 0 && <p class="note">{heap.framesLeft} more frames are not drawn.</p>}
      <div class="heap-scroll" tabIndex={0} role="region" aria-label="Frames and objects">
        <div class="heap" ref={area}>
          <div class="heap-column">
            {heap.frames.map((frame) => (
              <div key={frame.frame} class={`frame-box ${frame.frame === view.frame ? "present" : ""}`}>
                <div class="box-title" title={frameName(view, frame.frame, 60)}>
                  {brief(frameName(view, frame.frame), 32)}
                </div>
                {frame.rows.map((row) => (
                  <div key={row.name} class={`pair ${row.changed ? "changed" : ""}`} data-name={row.name}>
                    <span class="key" title={row.name.length > 12 ? row.name : undefined}>
                      {row.name}
                    </span>
                    <span class="item">
                      <CellView cell={row.cell} />
                    </span>
                  </div>
                ))}
              </div>
            ))}
          </div>
          {columns.map((boxes, index) => (
            <div key={index} class="heap-column">
              {boxes.map((box) => (
                <BoxView key={box.id} box={box} />
              ))}
            </div>
          ))}
          <svg class="arrows" width={size.width} height={size.height} aria-hidden="true">
            <defs>
              <marker id="head" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">
                <path d="M0 0 6 3 0 6z" />
              </marker>
            </defs>
            {arrows.map((arrow, index) => (
              <path key={index} class={arrow.fresh ? "fresh" : ""} d={arrow.path} marker-end="url(#head)" />
            ))}
          </svg>
        </div>
      </div>
    </section>
  );
}
