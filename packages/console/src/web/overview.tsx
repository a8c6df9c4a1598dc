import type { JSX } from "preact";
import type { FleetRow, ObjectRow } from "../api/index.ts";
import type { LiveRows } from "./connection.ts";
import { refOf } from "./object-ref.ts";
import { Age, Badge, Link, Words } from "./parts.tsx";
import type { Route } from "./route.ts";
import { compareBadness, SIGNS, toneOf } from "./tone.ts";
import type { Tone } from "./tone.ts";
import { count, visible } from "./words.ts";
import { connection } from "./world.ts";

/** How many of the worst are listed. */
const WORST_MAX = 50;
const TONES: readonly Tone[] = ["bad", "busy", "going", "faint", "good"];
const TONE_WORDS: Readonly<Record<Tone, string>> = {
  bad: "failing",
  busy: "on the way",
  going: "being deleted",
  faint: "unknown",
  good: "ready",
};

/** The three sizes side by side: what is not ready, since when, and why, the worst first. */
export function Overview(): JSX.Element {
  const { objects, fleet } = connection.tables;
  const { cluster, fleet: fleetPlace } = connection.session.value ?? {};
  const [all, resources] = [rowsOf(objects), rowsOf(fleet)];
  return (
    <div class="sizes">
      <Size
        title="Objects"
        noun="object"
        rows={all.filter(({ size }) => size === "object")}
        isHere={objects.isHere.value}
        absent={cluster === undefined ? "No cluster is looked at. Start the console with --kubeconfig." : undefined}
        nothing="No objects of declared kinds yet. Apply one, and it appears here."
        more={{ view: "objects", query: "" }}
        item={(row) => <ObjectItem row={row} to={{ view: "object", ref: refOf(row) }} />}
      />
      <Size
        title="Sets"
        noun="set"
        rows={all.filter(({ size }) => size === "set")}
        isHere={objects.isHere.value}
        absent={cluster === undefined ? "No cluster is looked at." : undefined}
        nothing="No Operands yet. levelset operand create makes one."
        more={{ view: "objects", query: "Operand" }}
        item={(row) => <ObjectItem row={row} to={{ view: "set", name: row.name }} />}
      />
      <Size
        title="Fleet"
        noun="resource"
        rows={resources}
        isHere={fleet.isHere.value}
        absent={fleetPlace === undefined ? "No fleet is looked at. Start the console with --fleet." : undefined}
        nothing="The fleet is empty. levelset create cluster eu-1 makes a cluster."
        more={{ view: "fleet", query: "", plural: "" }}
        item={(row) => <FleetItem row={row} />}
      />
    </div>
  );
}

/** The rows of a list as they are now; whoever renders them renders again when they change. */
export function rowsOf<Row>({ rows, version }: LiveRows<Row>): readonly Row[] {
  void version.value;
  return [...rows.values()];
}

interface SizeProps<Row> {
  readonly title: string;
  readonly noun: string;
  readonly rows: readonly Row[];
  readonly isHere: boolean;
  readonly absent: string | undefined;
  readonly nothing: string;
  readonly more: Route;
  readonly item: (row: Row) => JSX.Element;
}

function Size<
  Row extends { readonly id: string; readonly state: string; readonly name: string; readonly since?: string },
>(props: SizeProps<Row>): JSX.Element {
  const { title, noun, rows, isHere, absent, nothing, more, item } = props;
  const bad = rows.filter(({ state }) => toneOf(state) !== "good").toSorted(compareBadness);
  const words = absent ?? (isHere ? (rows.length === 0 ? nothing : undefined) : "Loading …");
  return (
    <section class="card size" aria-label={title}>
      <h2>
        <Link to={more}>{title}</Link> <small>{rows.length === 0 ? "" : count(rows.length, noun)}</small>
      </h2>
      {words === undefined ? <Tally rows={rows} /> : <p class="empty">{words}</p>}
      {words === undefined && bad.length === 0 ? (
        <p class="all-good">
          <span aria-hidden="true">✓</span>{" "}
          {`The latest spec of ${rows.length === 1 ? `the one ${noun}` : `all ${count(rows.length, noun)}`} has been reached.`}
        </p>
      ) : null}
      <ul class="worst">
        {bad.slice(0, WORST_MAX).map((row) => (
          <li key={row.id}>{item(row)}</li>
        ))}
      </ul>
      {bad.length > WORST_MAX ? <Link to={more}>{`and ${bad.length - WORST_MAX} more`}</Link> : null}
    </section>
  );
}

/** How many stand how, as a bar and in words. */
function Tally({ rows }: { readonly rows: readonly { readonly state: string }[] }): JSX.Element {
  const counts = TONES.map((tone) => ({ tone, number: rows.filter(({ state }) => toneOf(state) === tone).length }));
  const there = counts.filter(({ number }) => number > 0);
  return (
    <div class="tally">
      <div class="tally-bar" aria-hidden="true">
        {there.map(({ tone, number }) => (
          <span key={tone} class={tone} style={{ flexGrow: number }} />
        ))}
      </div>
      <p>
        {there.map(({ tone, number }) => (
          <span key={tone} class={`badge ${tone}`}>
            <span aria-hidden="true">{SIGNS[tone]}</span> {`${number.toLocaleString("en")} ${TONE_WORDS[tone]}`}
          </span>
        ))}
      </p>
    </div>
  );
}

function ObjectItem({ row, to }: { readonly row: ObjectRow; readonly to: Route }): JSX.Element {
  const { kind, namespace, name, state, message, since, generation } = row;
  const place = namespace === undefined || namespace === "default" ? name : `${namespace}/${name}`;
  const isBehind = generation !== undefined && generation.state !== "current";
  return (
    <Link to={to} class="worst-item">
      <span class="line">
        <Badge state={state} />
        <span class="name">
          <span class="kind">{visible(kind)}</span> <Words text={place} />
        </span>
        <Age time={since} />
      </span>
      <Words class="message" text={message} />
      {isBehind ? (
        <span class="lag">{`generation ${generation.latest}, observed ${generation.observed ?? "none"}`}</span>
      ) : null}
    </Link>
  );
}

function FleetItem({ row }: { readonly row: FleetRow }): JSX.Element {
  const { kind, name, state, message, since, generation, runsAt, plural, id } = row;
  return (
    <Link to={{ view: "cluster", plural, id }} class="worst-item">
      <span class="line">
        <Badge state={state} />
        <span class="name">
          <span class="kind">{visible(kind)}</span> <Words text={name} />
        </span>
        <Age time={since} />
      </span>
      <Words class="message" text={message} />
      <span class="lag">{`generation ${generation}${runsAt === undefined ? "" : `, runs at ${runsAt}`}`}</span>
    </Link>
  );
}
