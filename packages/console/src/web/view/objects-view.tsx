import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ObjectRow } from "../../api/index.ts";
import { objectMatcher } from "../filter.ts";
import { VirtualList } from "../component/virtual-list.tsx";
import { rowRef } from "../row-ref.ts";
import { Age, Badge, Link, UntrustedText } from "../component/components.tsx";
import { SearchBox } from "../component/search-box.tsx";
import { compareSeverity } from "../tone.ts";
import { formatCount, escapeInvisible } from "../format.ts";
import { connection, navigate } from "../app-state.ts";

/** All custom resources that match the query, the most severe state first. */
export function ObjectsView({ query }: { readonly query: string }): JSX.Element {
  const { rows, version } = connection.tables.objects;
  const sorted = useMemo(() => [...rows.values()].toSorted(compareSeverity), [version.value]);
  const shown = useMemo(() => sorted.filter(objectMatcher(query)), [sorted, query]);
  return (
    <div class="fill">
      <SearchBox
        value={query}
        label="Search objects"
        hint="words: kind, name, namespace, state, message"
        note={`${formatCount(shown.length, "object")}${shown.length === rows.size ? "" : ` of ${rows.size.toLocaleString("en")}`}`}
        onChange={(next) => navigate({ view: "objects", query: next }, { replace: true })}
      />
      <VirtualList
        rows={shown}
        rowHeight={34}
        label="Objects"
        head={<Head />}
        render={(row, index) => <ObjectLine key={row.id} row={row} index={index} />}
      />
    </div>
  );
}

function Head(): JSX.Element {
  return (
    <div role="rowgroup" class="long-head">
      <div role="row" class="row object-row" aria-rowindex={1}>
        <span role="columnheader">State</span>
        <span role="columnheader">Kind</span>
        <span role="columnheader">Name</span>
        <span role="columnheader">Message</span>
        <span role="columnheader" class="right">
          Since
        </span>
      </div>
    </div>
  );
}

function ObjectLine({ row, index }: { readonly row: ObjectRow; readonly index: number }): JSX.Element {
  const { kind, namespace, name, state, message, since, type } = row;
  const to = type === "set" ? ({ view: "set", name } as const) : ({ view: "object", ref: rowRef(row) } as const);
  return (
    <div class="row object-row" role="row" aria-rowindex={index + 2}>
      <span role="cell">
        <Badge state={state} />
      </span>
      <span role="cell" class="kind clip">
        {escapeInvisible(kind)}
      </span>
      <span role="cell" class="clip">
        <Link to={to} class="row-link">
          <UntrustedText text={namespace === undefined ? name : `${namespace}/${name}`} />
        </Link>
      </span>
      <span role="cell" class="clip">
        <UntrustedText text={state === "ready" ? "" : message} />
      </span>
      <span role="cell" class="right">
        <Age time={since} />
      </span>
    </div>
  );
}
