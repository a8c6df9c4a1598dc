import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { AdapterCell, FleetRow, Problem } from "../../api/index.ts";
import { fleetMatcher, isExpression } from "../filter.ts";
import { VirtualList } from "../component/virtual-list.tsx";
import { Age, Badge, Link, ProblemBanner, UntrustedText } from "../component/components.tsx";
import { SearchBox } from "../component/search-box.tsx";
import { compareSeverity, stateLabel, TONE_SYMBOLS, toneOf } from "../tone.ts";
import { formatCount, escapeInvisible } from "../format.ts";
import { connection, navigate } from "../app-state.ts";

/** The fleet as a matrix: one row per resource, one column per adapter, the most severe first. */
export function FleetMatrix({ query, plural }: { readonly query: string; readonly plural: string }): JSX.Element {
  const { rows, version, isLoaded } = connection.tables.fleet;
  const sorted = useMemo(() => [...rows.values()].toSorted(compareSeverity), [version.value]);
  const kinds = useMemo(() => kindsOf(sorted), [sorted]);
  const chosen = kinds.find((kind) => kind.plural === plural) ?? kinds[0];
  const found = useSearch(query, chosen?.plural ?? "", version.value);
  const shown = useMemo(() => {
    const own = sorted.filter((row) => row.plural === chosen?.plural);
    if (found.kind === "ids") return own.filter(({ id }) => found.ids.has(id));
    return found.kind === "words" ? own.filter(fleetMatcher(query)) : own;
  }, [sorted, chosen?.plural, found, query]);
  const adapters = useMemo(
    () => [...new Set(shown.flatMap(({ cells }) => cells.map(({ adapter }) => adapter)))],
    [shown],
  );
  if (connection.session.value?.fleet === undefined) {
    return <p class="empty">No fleet is connected. Start the console with --fleet.</p>;
  }
  if (chosen === undefined) return <p class="empty">{isLoaded.value ? "The fleet is empty." : "Loading …"}</p>;
  return (
    <div class="fill">
      <nav class="tabs" aria-label="Kinds">
        {kinds.map((kind) => (
          <Link
            key={kind.plural}
            to={{ view: "fleet", plural: kind.plural, query }}
            current={kind.plural === chosen.plural}
          >
            {`${escapeInvisible(kind.plural)} ${kind.number.toLocaleString("en")}`}
          </Link>
        ))}
      </nav>
      <SearchBox
        value={query}
        label="Search the fleet"
        hint="words, or a fleet search expression: name like 'eu-%' and labels.shard = '1'"
        note={`${formatCount(shown.length, "resource")}${found.kind === "ids" ? ", found by the fleet" : ""}`}
        onChange={(next) => navigate({ view: "fleet", plural, query: next }, { replace: true })}
      />
      {found.kind === "failed" ? <ProblemBanner problem={found.problem} /> : null}
      <VirtualList
        rows={shown}
        rowHeight={30}
        label={`${chosen.plural} by adapter`}
        head={<Head adapters={adapters} rows={shown} />}
        render={(row, index) => <Line key={row.id} row={row} adapters={adapters} index={index} />}
      />
    </div>
  );
}

interface FleetKind {
  readonly plural: string;
  readonly number: number;
}

function kindsOf(rows: readonly FleetRow[]): readonly FleetKind[] {
  const numbers = new Map<string, number>();
  for (const { plural } of rows) numbers.set(plural, (numbers.get(plural) ?? 0) + 1);
  return [...numbers]
    .map(([plural, number]) => ({ plural, number }))
    .toSorted((a, b) => (a.plural < b.plural ? -1 : 1));
}

type Search =
  | { readonly kind: "words" }
  | { readonly kind: "ids"; readonly ids: ReadonlySet<string> }
  | { readonly kind: "failed"; readonly problem: Problem };

const WORDS: Search = { kind: "words" };

async function search(path: string, signal: AbortSignal): Promise<Search> {
  const response = await fetch(path, { signal });
  const body: unknown = await response.json();
  // The server of the console sends these types.
  if (!response.ok) return { kind: "failed", problem: body as Problem };
  return { kind: "ids", ids: new Set(body as readonly string[]) };
}

/** Words are matched in the browser; expressions are sent to the fleet again after each change. */
function useSearch(query: string, plural: string, version: number): Search {
  const [found, setFound] = useState<Search>(WORDS);
  useEffect(() => {
    if (!isExpression(query) || plural === "") return setFound(WORDS);
    const stop = new AbortController();
    const path = `/api/search?${new URLSearchParams({ plural, search: query }).toString()}`;
    // Ignored errors: aborted by a newer query, or a connection error that the page shows.
    void search(path, stop.signal).then(setFound, () => {});
    return () => stop.abort();
  }, [query, plural, version]);
  return found;
}

function Head({
  adapters,
  rows,
}: {
  readonly adapters: readonly string[];
  readonly rows: readonly FleetRow[];
}): JSX.Element {
  const tallies = useMemo(() => new Map(adapters.map((adapter) => [adapter, tally(adapter, rows)])), [adapters, rows]);
  return (
    <div role="rowgroup" class="long-head">
      <div role="row" class="row fleet-row" aria-rowindex={1}>
        <span role="columnheader">State</span>
        <span role="columnheader">Name</span>
        <span role="columnheader">Generation</span>
        {adapters.map((adapter) => (
          <span role="columnheader" key={adapter} class="adapter clip">
            <UntrustedText text={adapter} /> <small>{tallies.get(adapter)}</small>
          </span>
        ))}
        <span role="columnheader" class="right">
          Since
        </span>
      </div>
    </div>
  );
}

function tally(adapter: string, rows: readonly FleetRow[]): string {
  let done = 0;
  for (const { cells } of rows) if (cells.find((cell) => cell.adapter === adapter)?.state === "ready") done += 1;
  return rows.length === 0 ? "" : `${Math.floor((100 * done) / rows.length)} %`;
}

function Line(props: {
  readonly row: FleetRow;
  readonly adapters: readonly string[];
  readonly index: number;
}): JSX.Element {
  const { row, adapters, index } = props;
  const { id, plural, name, state, generation, availableAt, since } = row;
  return (
    <div class="row fleet-row" role="row" aria-rowindex={index + 2}>
      <span role="cell">
        <Badge state={state} />
      </span>
      <span role="cell" class="clip">
        <Link to={{ view: "cluster", plural, id }} class="row-link">
          <UntrustedText text={name} />
        </Link>
      </span>
      <span role="cell">
        {availableAt === undefined || availableAt === generation ? generation : `${availableAt} → ${generation}`}
      </span>
      {adapters.map((adapter) => (
        <CellMark key={adapter} cell={row.cells.find((cell) => cell.adapter === adapter)} generation={generation} />
      ))}
      <span role="cell" class="right">
        {state === "ready" ? null : <Age time={since} />}
      </span>
    </div>
  );
}

function CellMark({
  cell,
  generation,
}: {
  readonly cell: AdapterCell | undefined;
  readonly generation: number;
}): JSX.Element {
  if (cell === undefined) return <span role="cell" class="cell faint" />;
  const { state, reason, message, adapter } = cell;
  const tone = toneOf(state);
  const lag = cell.generation === undefined ? generation : generation - cell.generation;
  const text = cellText(cell, generation);
  return (
    <span
      role="cell"
      class={`cell ${tone} ${lag > 2 ? "far" : ""}`}
      title={escapeInvisible(
        [adapter, stateLabel(state), message ?? reason ?? ""].filter((text) => text !== "").join(": "),
      )}
    >
      <span aria-hidden="true">{TONE_SYMBOLS[tone]}</span> <span class="sr">{stateLabel(state)}</span>{" "}
      {escapeInvisible(text)}
    </span>
  );
}

/** Text of a cell: the generation that is Ready, the pending generation, or the reason of a failure. */
function cellText({ state, reason, generation: reached }: AdapterCell, latest: number): string {
  switch (state) {
    case "ready":
      return String(reached ?? latest);
    case "progressing":
      return `${reached ?? 0} → ${latest}`;
    case "degraded":
      return reason ?? "failed";
    case "unknown":
      return `→ ${latest}`;
  }
}
