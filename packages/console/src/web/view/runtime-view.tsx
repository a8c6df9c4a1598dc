import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import type { CacheView, ProcessView, RuntimeDocument, Sample } from "../../api/index.ts";
import { addSnapshot, metricId, gaugeValues, counterRates } from "../metric-history.ts";
import type { MetricSnapshot } from "../metric-history.ts";
import { Age, Badge, Section, UntrustedText } from "../component/components.tsx";
import { toneOf } from "../tone.ts";
import { formatBytes, escapeInvisible } from "../format.ts";

/** Health of the operators: processes, queues and caches, and the informers of the console. */
export function RuntimeView({ document: page }: { readonly document: RuntimeDocument }): JSX.Element {
  const snapshots = useRef<readonly MetricSnapshot[]>([]);
  snapshots.current = addSnapshot(snapshots.current, page);
  return (
    <div class="columns">
      {page.processes.length === 0 ? (
        <Section title="Operators" class="wide">
          <p class="empty">No operators found on this machine. Start one with levelset dev or levelset run --live.</p>
        </Section>
      ) : null}
      {page.processes.map((each) => (
        <Process key={each.url} view={each} snapshots={snapshots.current} />
      ))}
      <Section title="Console" note="its own informer caches" class="wide">
        <Caches caches={page.caches} />
      </Section>
    </div>
  );
}

function Process({
  view,
  snapshots,
}: {
  readonly view: ProcessView;
  readonly snapshots: readonly MetricSnapshot[];
}): JSX.Element {
  const { title, url, controllers, samples, unreachable } = view;
  const leading = samples.find(({ name }) => name === "levelset_leading")?.value;
  const memory = samples.find(({ name }) => name === "process_resident_memory_bytes")?.value;
  const facts = [
    ...(leading === undefined ? [] : [leading === 1 ? "leader" : "standby"]),
    ...(memory === undefined ? [] : [formatBytes(memory)]),
  ];
  return (
    <Section title={escapeInvisible(title)} note={facts.join(", ")} class="wide">
      {unreachable === "" ? null : (
        <p class="aside">
          <UntrustedText text={unreachable} />
        </p>
      )}
      {controllers.map(({ name, kind, results, busiest }) => (
        <div key={name} class="controller">
          <h3>
            {escapeInvisible(name)} <small>{escapeInvisible(kind)}</small>
          </h3>
          <p class="aside">
            results of the latest runs:
            {Object.entries(results).map(([result, number]) => (
              <span key={result} class={`badge ${toneOf(result)}`}>{`${number} ${escapeInvisible(result)}`}</span>
            ))}
          </p>
          <p class="aside">
            {"most runs: "}
            {busiest.map(({ object, run, result }) => (
              <span key={object} class="ran">
                <UntrustedText text={object} /> {`#${run} ${result}`}
              </span>
            ))}
          </p>
          <ControllerMetrics url={url} controller={name} samples={samples} snapshots={snapshots} />
        </div>
      ))}
      <ProcessCaches samples={samples} />
    </Section>
  );
}

const COUNTERS: readonly (readonly [string, string])[] = [
  ["levelset_run_seconds_count", "runs per second"],
  ["levelset_run_writes_total", "writes per second"],
  ["levelset_hot_loops_total", "hot loops per second"],
  ["levelset_contested_writes_total", "contested writes per second"],
];

function ControllerMetrics(props: {
  readonly url: string;
  readonly controller: string;
  readonly samples: readonly Sample[];
  readonly snapshots: readonly MetricSnapshot[];
}): JSX.Element | null {
  const { url, controller, samples, snapshots } = props;
  const own = samples.filter(({ labels }) => labels["controller"] === controller);
  if (own.length === 0) return null;
  return (
    <div class="figures">
      {own
        .filter(({ name }) => name === "levelset_queue_keys" || name === "levelset_queue_oldest_seconds")
        .map((sample) => (
          <Chart
            key={metricId(url, sample)}
            label={sample.labels["state"] === undefined ? "age of the oldest key, s" : `keys ${sample.labels["state"]}`}
            values={gaugeValues(snapshots, metricId(url, sample))}
          />
        ))}
      {COUNTERS.map(([name, label]) => {
        const sample = own.find((each) => each.name === name);
        // Processes do not export a counter before its first increment.
        const values = sample === undefined ? [0] : counterRates(snapshots, metricId(url, sample));
        return <Chart key={name} label={label} values={values} />;
      })}
    </div>
  );
}

/** The current value of a metric and a chart of its history. */
function Chart({ label, values }: { readonly label: string; readonly values: readonly number[] }): JSX.Element {
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

function ProcessCaches({ samples }: { readonly samples: readonly Sample[] }): JSX.Element | null {
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
    lastEvent: `${Math.round(value(kind, "silence_seconds"))} s ago`,
    lists: value(kind, "lists"),
    connects: value(kind, "connects"),
    failures: value(kind, "failures"),
  }));
  return <CacheTable caches={caches} />;
}

function Caches({ caches }: { readonly caches: readonly CacheView[] }): JSX.Element {
  if (caches.length === 0) return <p class="empty">No cluster is connected.</p>;
  return (
    <CacheTable
      caches={caches.map(({ lastEventAt, ...cache }) => ({
        ...cache,
        lastEvent: <Age time={lastEventAt} word=" ago" />,
      }))}
    />
  );
}

type CacheRow = Omit<CacheView, "lastEventAt"> & { readonly lastEvent: ComponentChildren };

function CacheTable({ caches }: { readonly caches: readonly CacheRow[] }): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Cache</th>
          <th scope="col">Objects</th>
          <th scope="col">Last event</th>
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
        {caches.map(({ kind, objects, isSynced, lastEvent, lists, connects, failures }) => (
          <tr key={kind}>
            <td>
              <Badge state={failures > 0 ? "degraded" : isSynced ? "ready" : "progressing"} word={kind} />
            </td>
            <td>{objects}</td>
            <td>{lastEvent}</td>
            <td class="minor">{lists}</td>
            <td class="minor">{connects}</td>
            <td>{failures}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
