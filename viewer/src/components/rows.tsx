// A scrolled list of rows of one height, of which only those in sight are in the page.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface RowsProps {
  readonly count: number;
  readonly height: number;
  readonly label: string;
  readonly className: string;
  readonly row: (index: number) => ComponentChildren;
  /** The row to keep in sight, and what else asks for it anew. */
  readonly target?: number;
  readonly targetKey?: string;
  /** Put all rows into the page, as for print. */
  readonly all?: boolean;
}

const BEYOND = 8;

export function Rows({ count, height, label, className, row, target, targetKey, all }: RowsProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [size, setSize] = useState(600);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setSize(element.clientHeight));
    observer.observe(element);
    setSize(element.clientHeight);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = box.current;
    if (element === null || target === undefined || target < 0) return;
    const margin = Math.min(3 * height, element.clientHeight / 4);
    const above = target * height - margin;
    const below = (target + 1) * height + margin - element.clientHeight;
    if (element.scrollTop > above || element.scrollTop < below) {
      element.scrollTop = Math.max(0, (target + 0.5) * height - element.clientHeight / 2);
      setTop(element.scrollTop);
    }
  }, [target, targetKey, height, size]);

  const first = all === true ? 0 : Math.max(0, Math.floor(top / height) - BEYOND);
  const end = all === true ? count : Math.min(count, Math.ceil((top + size) / height) + BEYOND);
  const shown: ComponentChildren[] = [];
  for (let index = first; index < end; index++) shown.push(row(index));
  return (
    <div
      ref={box}
      class={`rows ${className}`}
      role="region"
      aria-label={label}
      tabIndex={0}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div class="rows-space" style={{ height: `${count * height}px` }}>
        <div class="rows-window" style={{ top: `${first * height}px` }}>
          {shown}
        </div>
      </div>
    </div>
  );
}
