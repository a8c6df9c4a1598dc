import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import type { CacheView, ProcessView, RuntimeDocument, Sample } from "../api/index.ts";
import { addMoment, figureId, levels, rates } from "./figures.ts";
import type { Moment } from "./figures.ts";
import { Age, Badge, Section, Words } from "./parts.tsx";
import { toneOf } from "./tone.ts";
import { bytes, visible } from "./words.ts";

/** How what keeps things true is doing: processes, their queues and caches, and this console's own copies. */
export function RuntimeView({ document: page }: { readonly document: RuntimeDocument }): JSX.Element {
  const moments = useRef<readonly Moment[]>([]);
  moments.current = addMoment(moments.current, page);
  return (
    <div class="columns">
      {page.processes.length === 0 ? (
        <Section title="Operators" class="wide">
          <p class="empty">
            No operators of this machine tell about themselves. levelset dev and levelset run --listen do.
          </p>
        </Section>
      ) : null}
      {page.processes.map((each) => (
        <Process key={each.url} told={each} moments={moments.current} />
      ))}
      <Section title="The console" note="its own copies of the cluster" class="wide">
        <Caches caches={page.caches} />
      </Section>
    </div>
  );
}

function Process({ told, moments }: { readonly told: ProcessView; readonly moments: readonly Moment[] }): JSX.Element {
  const { title, url, controllers, samples, silent } = told;
  const leading = samples.find(({ name }) => name === "levelset_leading")?.value;
  const memory = samples.find(({ name }) => name === "process_resident_memory_bytes")?.value;
  const facts = [
    ...(leading === undefined ? [] : [leading === 1 ? "leads" : "stands by"]),
    ...(memory === undefined ? [] : [bytes(memory)]),
  ];
  return (
    <Section title={visible(title)} note={facts.join(", ")} class="wide">
      {silent === "" ? null : (
        <p class="aside">
          <Words text={silent} />
        </p>
      )}
      {controllers.map(({ name, kind, results, busiest }) => (
        <div key={name} class="controller">
          <h3>
            {visible(name)} <small>{visible(kind)}</small>
          </h3>
          <p class="aside">
            latest runs of its objects:
            {Object.entries(results).map(([result, number]) => (
              <span key={result} class={`badge ${toneOf(result)}`}>{`${number} ${visible(result)}`}</span>
            ))}
          </p>
          <p class="aside">
            {"ran most lately: "}
            {busiest.map(({ object, run, result }) => (
              <span key={object} class="ran">
                <Words text={object} /> {`#${run} ${result}`}
              </span>
            ))}
          </p>
          <Figures url={url} controller={name} samples={samples} moments={moments} />
        </div>
      ))}
      <KindFigures samples={samples} />
    </Section>
  );
}

const COUNTERS: readonly (readonly [string, string])[] = [
  ["levelset_run_seconds_count", "runs each second"],
  ["levelset_run_writes_total", "writes each second"],
  ["levelset_hot_loops_total", "hot loops each second"],
  ["levelset_contested_writes_total", "contested writes each second"],
];

function Figures(props: {
  readonly url: string;
  readonly controller: string;
  readonly samples: readonly Sample[];
  readonly moments: readonly Moment[];
}): JSX.Element | null {
  const { url, controller, samples, moments } = props;
  const own = samples.filter(({ labels }) => labels["controller"] === controller);
  if (own.length === 0) return null;
  return (
    <div class="figures">
      {own
        .filter(({ name }) => name === "levelset_queue_keys" || name === "levelset_queue_oldest_seconds")
        .map((sample) => (
          <Figure
            key={figureId(url, sample)}
            label={sample.labels["state"] === undefined ? "oldest key waits, s" : `keys ${sample.labels["state"]}`}
            values={levels(moments, figureId(url, sample))}
          />
        ))}
      {COUNTERS.map(([name, label]) => {
        const sample = own.find((each) => each.name === name);
        // What never happened is not counted by its process yet.
        const values = sample === undefined ? [0] : rates(moments, figureId(url, sample));
        return <Figure key={name} label={label} values={values} />;
      })}
    </div>
  );
}

/** A figure, and how it was. */
function Figure({ label, values }: { readonly label: string; readonly values: readonly number[] }): JSX.Element {
  const last = values.at(-1) ?? 0;
  const top = Math.max(1, ...values);
  const points = values.map(
    (value, index) => `${(100 * index) / Math.max(1, values.length - 1)},${30 - (28 * value) / top}`,
  );
  return (
    <figure>
      <figcaption>{label}</figcaption>
      <strong>{Number.isInteger(last) ? last : last.toFixed(1)}</strong>
      <svg viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points.join(" ")} />
      </svg>
    </figure>
  );
}

function KindFigures({ samples }: { readonly samples: readonly Sample[] }): JSX.Element | null {
  const kinds = [
    ...new Set(
      samples.flatMap(({ name, labels }) => (name.startsWith("levelset_cache_") ? [labels["kind"] ?? ""] : [])),
    ),
  ];
  if (kinds.length === 0) return null;
  const value = (kind: string, name: string): number =>
    samples.find((each) => each.name === `levelset_cache_${name}` && each.labels["kind"] === kind)?.value ?? 0;
  const caches = kinds.map((kind) => ({
    kind,
    objects: value(kind, "objects"),
    isSynced: value(kind, "synced") === 1,
    heard: `${Math.round(value(kind, "silence_seconds"))} s ago`,
    lists: value(kind, "lists"),
    connects: value(kind, "connects"),
    failures: value(kind, "failures"),
  }));
  return <CacheTable caches={caches} />;
}

function Caches({ caches }: { readonly caches: readonly CacheView[] }): JSX.Element {
  if (caches.length === 0) return <p class="empty">No cluster is looked at.</p>;
  return (
    <CacheTable
      caches={caches.map(({ heardAt, ...cache }) => ({ ...cache, heard: <Age time={heardAt} word=" ago" /> }))}
    />
  );
}

type CacheRow = Omit<CacheView, "heardAt"> & { readonly heard: ComponentChildren };

function CacheTable({ caches }: { readonly caches: readonly CacheRow[] }): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Cache</th>
          <th scope="col">Objects</th>
          <th scope="col">Last heard</th>
          <th scope="col" class="minor">
            Lists
          </th>
          <th scope="col" class="minor">
            Watches
          </th>
          <th scope="col">Failures</th>
        </tr>
      </thead>
      <tbody>
        {caches.map(({ kind, objects, isSynced, heard, lists, connects, failures }) => (
          <tr key={kind}>
            <td>
              <Badge state={failures > 0 ? "failing" : isSynced ? "ready" : "progressing"} word={kind} />
            </td>
            <td>{objects}</td>
            <td>{heard}</td>
            <td class="minor">{lists}</td>
            <td class="minor">{connects}</td>
            <td>{failures}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
