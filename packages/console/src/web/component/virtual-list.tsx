import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren, JSX } from "preact";
import { scrollWindow } from "./scroll-window.ts";

/** A list that renders only the visible rows. */
export function VirtualList<Row>(props: {
  readonly rows: readonly Row[];
  readonly rowHeight: number;
  readonly label: string;
  readonly head?: ComponentChildren;
  readonly render: (row: Row, index: number) => JSX.Element;
}): JSX.Element {
  const { rows, rowHeight, label, head, render } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const measure = (): void => {
    const { current } = box;
    if (current !== null) setView({ top: current.scrollTop, height: current.clientHeight });
  };
  useLayoutEffect(() => {
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const { first, end, offset } = scrollWindow({ ...view, rowHeight, rows: rows.length });
  return (
    <div
      class="long-list"
      ref={box}
      onScroll={measure}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
    >
      {head}
      <div role="rowgroup" class="long-body" style={{ height: `${rows.length * rowHeight}px` }}>
        <div role="presentation" class="long-window" style={{ transform: `translateY(${offset}px)` }}>
          {rows.slice(first, end).map((row, index) => render(row, first + index))}
        </div>
      </div>
    </div>
  );
}
