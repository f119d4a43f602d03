// The timeline: a canvas to click and drag on, with the present step as a line over it.

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { LANE_NAME_HEIGHT, blockTitle, drawTimeline, layoutOf, stepOf, xOf, type Colours, type Range } from "../timeline-draw.ts";
import { brief, stepName, type View } from "../view.ts";

function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    text: colour("text"),
    dim: colour("dim"),
    border: colour("border"),
    line: colour("accent"),
    blocks: [1, 2, 3, 4, 5, 6].map((number) => colour(`block-${number}`)),
    output: colour("printed"),
    error: colour("wrong"),
    injected: colour("injected"),
    lane: colour("accent"),
    laneFill: colour("lane"),
  };
}

function spoken(view: View): string {
  const { execution } = view.model;
  if (view.step < 0) return "no steps";
  return `step ${view.step + 1} of ${execution.count}, line ${execution.lines[view.step]} in ${execution.functions[view.step]}`;
}

const SMALLEST = 8;

export function Timeline({ view }: { readonly view: View }): JSX.Element | null {
  const { model, step, state } = view;
  const { count } = model.execution;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const dragging = useRef(false);
  const [width, setWidth] = useState(0);
  const [range, setRange] = useState<Range>({ from: 0, to: Math.max(1, count) });
  const layout = layoutOf(model, state.selected !== null);

  useEffect(() => setRange({ from: 0, to: Math.max(1, count) }), [model, count]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);

  const wrong = view.marks ?? null;
  useLayoutEffect(() => {
    if (canvas.current === null || box.current === null || width === 0) return;
    const colours = coloursOf(box.current);
    drawTimeline(canvas.current, { model, range, width, layout, colours, selected: state.selected, wrong: wrong ?? [] });
  }, [model, range, width, layout.height, state.selected, state.theme, wrong]);

  const length = range.to - range.from;
  const shown =
    step >= 0 && (step < range.from || step >= range.to) && length < count ? shift(step - length / 2, length, count) : range;
  useEffect(() => {
    if (shown !== range) setRange(shown);
  });

  const zoom = (factor: number, around: number): void => {
    const wanted = Math.max(Math.min(SMALLEST, count), Math.min(count, length * factor));
    const share = (around - range.from) / length;
    setRange(shift(around - share * wanted, wanted, count));
  };

  const jump = (event: PointerEvent): void => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    const to = stepOf(range, width, event.clientX - left);
    view.go(Math.max(0, Math.min(count - 1, to)));
  };

  if (count === 0) return null;
  const middle = step >= 0 ? step : (range.from + range.to) / 2;
  const wide = Math.max(2, width / length);
  return (
    <section class="timeline" aria-label="Timeline">
      <div
        ref={box}
        class="timeline-box"
        role="slider"
        tabIndex={0}
        aria-label="Step"
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={step + 1}
        aria-valuetext={spoken(view)}
        style={{ height: `${layout.height}px` }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          dragging.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          jump(event);
        }}
        onPointerMove={(event) => {
          if (dragging.current) jump(event);
          const place = event.currentTarget.getBoundingClientRect();
          event.currentTarget.title = blockTitle(model, layout, range, width, event.clientX - place.left, event.clientY - place.top);
        }}
        onPointerUp={() => (dragging.current = false)}
        onPointerCancel={() => (dragging.current = false)}
        onWheel={(event) => {
          if (!event.ctrlKey && !event.altKey) return;
          event.preventDefault();
          const left = box.current?.getBoundingClientRect().left ?? 0;
          zoom(event.deltaY > 0 ? 1.3 : 1 / 1.3, range.from + ((event.clientX - left) / width) * length);
        }}
      >
        <canvas ref={canvas} aria-hidden="true" style={{ width: `${width}px`, height: `${layout.height}px` }} />
        {state.selected !== null && (
          <span class="lane-name" style={{ top: `${layout.laneTop - LANE_NAME_HEIGHT}px` }}>
            {state.selected.name}
          </span>
        )}
        <span
          class="cursor"
          style={{ left: `${xOf(range, width, step)}px`, width: `${wide}px` }}
        />
      </div>
      <div class="timeline-foot">
        <span>{stepName(Math.floor(range.from))}</span>
        <span class="timeline-key">
          {model.printing.length > 0 && <span class="key-output">● prints</span>}
          {model.injected.length > 0 && <span class="key-injected">◆ made up</span>}
          {(wrong?.length ?? 0) > 0 && <span class="key-wrong">✕ {view.beside === undefined ? "wrong" : "differs"}</span>}
          {model.caught.length > 0 && <span class="key-wrong">× caught</span>}
          {model.errorStep !== null && <span class="key-wrong">✕ {brief(model.execution.outcome.exception ?? "end", 30)}</span>}
        </span>
        <span class="zoom">
          <button type="button" class="small" aria-label="Zoom in" disabled={length <= SMALLEST} onClick={() => zoom(0.5, middle)}>
            +
          </button>
          <button type="button" class="small" aria-label="Zoom out" disabled={length >= count} onClick={() => zoom(2, middle)}>
            −
          </button>
          {stepName(Math.min(count, Math.ceil(range.to)) - 1)}
        </span>
      </div>
    </section>
  );
}

/** A range of a length that begins at a step, moved into the execution. */
function shift(from: number, length: number, count: number): Range {
  const begin = Math.max(0, Math.min(count - length, from));
  return { from: begin, to: begin + length };
}
