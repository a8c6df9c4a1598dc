import type { JSX } from "preact";
import type { AdapterView, ClusterDocument, JournalView } from "../api/index.ts";
import { Age, Badge, Dot, Link, Section, Words } from "./parts.tsx";
import { toneOf } from "./tone.ts";
import { count, visible } from "./words.ts";
import { YamlView } from "./yaml-view.tsx";

/** One resource of a fleet: what it declares, what each adapter says, and the reports over time. */
export function ClusterPage({ document: page }: { readonly document: ClusterDocument }): JSX.Element {
  const ready = page.conditions.find(({ type }) => type === "Ready" || type === "Reconciled");
  const state =
    page.deletedAt !== undefined
      ? "deleting"
      : ready === undefined || ready.status === "True"
        ? "ready"
        : "progressing";
  const isFailed = state === "progressing" && page.adapters.some((adapter) => adapter.state === "failed");
  return (
    <article class="object">
      <header class={`banner ${toneOf(isFailed ? "failed" : state)}`}>
        <h1>
          <span class="kind">{visible(page.kind)}</span> <Words text={page.name} />
        </h1>
        <p>
          <Badge state={isFailed ? "failed" : state} word={state === "progressing" ? "not ready" : state} />
          <span class="generation">{`generation ${page.generation}`}</span>
          <span class="aside">
            declared by <Words text={page.updatedBy} /> <Age time={page.updatedAt} word=" ago" />
          </span>
          {page.parent === undefined ? null : (
            <Link to={{ view: "cluster", plural: page.parent.plural, id: page.parent.id }}>
              {visible(`${page.parent.kind} ${page.parent.name}`)}
            </Link>
          )}
          <code>{visible(page.id)}</code>
        </p>
        <Words class="message" text={ready?.status === "True" ? "" : (ready?.message ?? "")} />
      </header>
      <div class="columns">
        <Section title="Adapters" class="wide">
          <Adapters adapters={page.adapters} latest={page.generation} />
        </Section>
        <Section title="Reports over time" note={`the last ${page.journal.length}`} class="wide">
          <Journal journal={page.journal} />
        </Section>
        <Section title="Children" note={page.children.length === 0 ? "" : count(page.children.length, "resource")}>
          {page.children.length === 0 ? <p class="empty">None.</p> : null}
          <ul class="related">
            {page.children.map(({ plural, id, kind, name }) => (
              <li key={id}>
                <Link to={{ view: "cluster", plural, id }}>
                  <span class="kind">{visible(kind)}</span> <Words text={name} />
                </Link>
              </li>
            ))}
          </ul>
        </Section>
        <Section title="Declaration">
          <YamlView lines={page.yaml} />
        </Section>
      </div>
    </article>
  );
}

function Adapters({
  adapters,
  latest,
}: {
  readonly adapters: readonly AdapterView[];
  readonly latest: number;
}): JSX.Element {
  if (adapters.length === 0) return <p class="empty">No adapters work on this kind.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Adapter</th>
          <th scope="col">Generation</th>
          <th scope="col">Says</th>
          <th scope="col">Reported</th>
        </tr>
      </thead>
      <tbody>
        {adapters.map((adapter) => (
          <tr key={adapter.adapter}>
            <td>
              <Badge state={adapter.state} word={adapter.adapter} />
            </td>
            <td>{adapter.generation === latest ? latest : `${adapter.generation ?? "none"} → ${latest}`}</td>
            <td>
              {adapter.conditions.map(({ type, status, reason, message }) => (
                <div key={type}>
                  <Dot tone={toneOf(status)} label={status} /> {visible(type)}{" "}
                  <Words
                    class="message"
                    text={status === "True" ? "" : [reason, message].filter((text) => text !== "").join(": ")}
                  />
                </div>
              ))}
              {adapter.progress === undefined ? null : (
                <div class="aside">
                  {`working on generation ${adapter.progress.generation}: `}
                  <Words text={adapter.progress.message} />
                </div>
              )}
            </td>
            <td>
              <Age time={adapter.reportedAt} word=" ago" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A lane for each adapter and one for changes; a mark for each entry, where it was in time. */
function Journal({ journal }: { readonly journal: readonly JournalView[] }): JSX.Element {
  if (journal.length === 0) return <p class="empty">Nothing was reported yet.</p>;
  const times = journal.map(({ time }) => Date.parse(time));
  const [start, end] = [Math.min(...times), Math.max(...times)];
  const lanes = [...new Set(journal.map(({ adapter }) => adapter ?? "declaration"))].toSorted();
  const left = (time: string): string => `${end === start ? 50 : (98 * (Date.parse(time) - start)) / (end - start)}%`;
  return (
    <>
      <div class="lanes" role="img" aria-label={`${journal.length} reports and changes in ${lanes.length} lanes`}>
        {lanes.map((lane) => (
          <div key={lane} class="lane">
            <span class="lane-name clip">{visible(lane)}</span>
            <span class="lane-line">
              {journal
                .filter(({ adapter }) => (adapter ?? "declaration") === lane)
                .map((entry) => (
                  <span
                    key={entry.id}
                    class={`mark ${entry.state === undefined ? "faint" : toneOf(entry.state)}`}
                    style={{ left: left(entry.time) }}
                    title={`${entry.action} ${entry.state ?? ""} generation ${entry.generation}, ${entry.time}`}
                  />
                ))}
            </span>
          </div>
        ))}
      </div>
      <details>
        <summary>As a list</summary>
        <ol class="journal">
          {journal.map(({ id, time, action, adapter, state, generation, by }) => (
            <li key={id}>
              <Age time={time} word=" ago" /> {action} {state === undefined ? null : <Badge state={state} />}{" "}
              <Words text={adapter ?? by} /> {`generation ${generation}`}
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}
