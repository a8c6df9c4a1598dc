import type { JSX } from "preact";
import type { DisplayState, FleetRow, ObjectRow } from "../../api/index.ts";
import type { LiveRows } from "../connection.ts";
import { rowRef } from "../row-ref.ts";
import { Age, Badge, Link, UntrustedText } from "../component/components.tsx";
import type { Route } from "../route.ts";
import { compareSeverity, stateLabel, STATES, TONE_SYMBOLS, toneOf } from "../tone.ts";
import { formatCount, escapeInvisible } from "../format.ts";
import { connection } from "../app-state.ts";

/** Maximum number of rows in each list. */
const WORST_MAX = 50;

/** The overview: objects, Operands and fleet resources that are not Ready, the most severe first. */
export function Overview(): JSX.Element {
  const { objects, fleet } = connection.tables;
  const { cluster, fleet: fleetSession } = connection.session.value ?? {};
  const [all, resources] = [readRows(objects), readRows(fleet)];
  return (
    <div class="sizes">
      <SummaryCard
        title="Objects"
        noun="object"
        rows={all.filter(({ type }) => type === "object")}
        isLoaded={objects.isLoaded.value}
        absent={cluster === undefined ? "No cluster is connected. Start the console with --kubeconfig." : undefined}
        empty="No custom resources yet. Applied objects appear here."
        more={{ view: "objects", query: "" }}
        item={(row) => <ObjectItem row={row} to={{ view: "object", ref: rowRef(row) }} />}
      />
      <SummaryCard
        title="Operands"
        noun="Operand"
        rows={all.filter(({ type }) => type === "set")}
        isLoaded={objects.isLoaded.value}
        absent={cluster === undefined ? "No cluster is connected." : undefined}
        empty="No Operands yet. Create one with levelset operand create."
        more={{ view: "objects", query: "Operand" }}
        item={(row) => <ObjectItem row={row} to={{ view: "set", name: row.name }} />}
      />
      <SummaryCard
        title="Fleet"
        noun="resource"
        rows={resources}
        isLoaded={fleet.isLoaded.value}
        absent={fleetSession === undefined ? "No fleet is connected. Start the console with --fleet." : undefined}
        empty="The fleet is empty. Create a cluster with levelset create cluster eu-1."
        more={{ view: "fleet", query: "", plural: "" }}
        item={(row) => <FleetItem row={row} />}
      />
    </div>
  );
}

/** Returns the current rows of a list and subscribes the rendering component to changes. */
export function readRows<Row>({ rows, version }: LiveRows<Row>): readonly Row[] {
  void version.value;
  return [...rows.values()];
}

interface SummaryProps<Row> {
  readonly title: string;
  readonly noun: string;
  readonly rows: readonly Row[];
  readonly isLoaded: boolean;
  /** Shown if the source is not connected. */
  readonly absent: string | undefined;
  /** Shown if there are no rows. */
  readonly empty: string;
  readonly more: Route;
  readonly item: (row: Row) => JSX.Element;
}

function SummaryCard<
  Row extends { readonly id: string; readonly state: DisplayState; readonly name: string; readonly since?: string },
>(props: SummaryProps<Row>): JSX.Element {
  const { title, noun, rows, isLoaded, absent, empty, more, item } = props;
  const notReady = rows.filter(({ state }) => state !== "ready").toSorted(compareSeverity);
  const text = absent ?? (isLoaded ? (rows.length === 0 ? empty : undefined) : "Loading …");
  return (
    <section class="card size" aria-label={title}>
      <h2>
        <Link to={more}>{title}</Link> <small>{rows.length === 0 ? "" : formatCount(rows.length, noun)}</small>
      </h2>
      {text === undefined ? <Tally rows={rows} /> : <p class="empty">{text}</p>}
      {text === undefined && notReady.length === 0 ? (
        <p class="all-good">
          <span aria-hidden="true">✓</span>{" "}
          {`The latest spec of ${rows.length === 1 ? `the one ${noun}` : `all ${formatCount(rows.length, noun)}`} is Ready.`}
        </p>
      ) : null}
      <ul class="worst">
        {notReady.slice(0, WORST_MAX).map((row) => (
          <li key={row.id}>{item(row)}</li>
        ))}
      </ul>
      {notReady.length > WORST_MAX ? <Link to={more}>{`and ${notReady.length - WORST_MAX} more`}</Link> : null}
    </section>
  );
}

/** Number of rows per state, as a bar and as text. */
function Tally({ rows }: { readonly rows: readonly { readonly state: DisplayState }[] }): JSX.Element {
  const counts = STATES.map((state) => ({ state, number: rows.filter((row) => row.state === state).length }));
  const present = counts.filter(({ number }) => number > 0);
  return (
    <div class="tally">
      <div class="tally-bar" aria-hidden="true">
        {present.map(({ state, number }) => (
          <span key={state} class={toneOf(state)} style={{ flexGrow: number }} />
        ))}
      </div>
      <p>
        {present.map(({ state, number }) => (
          <span key={state} class={`badge ${toneOf(state)}`}>
            <span aria-hidden="true">{TONE_SYMBOLS[toneOf(state)]}</span>{" "}
            {`${number.toLocaleString("en")} ${stateLabel(state)}`}
          </span>
        ))}
      </p>
    </div>
  );
}

function ObjectItem({ row, to }: { readonly row: ObjectRow; readonly to: Route }): JSX.Element {
  const { kind, namespace, name, state, message, since, generation } = row;
  const fullName = namespace === undefined || namespace === "default" ? name : `${namespace}/${name}`;
  const isBehind = generation !== undefined && generation.state !== "current";
  return (
    <Link to={to} class="worst-item">
      <span class="line">
        <Badge state={state} />
        <span class="name">
          <span class="kind">{escapeInvisible(kind)}</span> <UntrustedText text={fullName} />
        </span>
        <Age time={since} />
      </span>
      <UntrustedText class="message" text={message} />
      {isBehind ? (
        <span class="lag">{`generation ${generation.latest}, observed ${generation.observed ?? "none"}`}</span>
      ) : null}
    </Link>
  );
}

function FleetItem({ row }: { readonly row: FleetRow }): JSX.Element {
  const { kind, name, state, message, since, generation, availableAt, plural, id } = row;
  return (
    <Link to={{ view: "cluster", plural, id }} class="worst-item">
      <span class="line">
        <Badge state={state} />
        <span class="name">
          <span class="kind">{escapeInvisible(kind)}</span> <UntrustedText text={name} />
        </span>
        <Age time={since} />
      </span>
      <UntrustedText class="message" text={message} />
      <span class="lag">{`generation ${generation}${availableAt === undefined ? "" : `, available at ${availableAt}`}`}</span>
    </Link>
  );
}
