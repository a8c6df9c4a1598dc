import type { JSX } from "preact";
import type { ClusterDocument, JournalView, PulseView } from "../api/index.ts";
import { ActionButton, EditButton } from "./confirm.tsx";
import { GoesAlong } from "./goes-along.tsx";
import { Age, Badge, Dot, Due, Link, Section, Words } from "./parts.tsx";
import { toneOf } from "./tone.ts";
import { count, visible } from "./words.ts";
import { connection } from "./world.ts";
import { YamlView } from "./yaml-view.tsx";

/** One resource of a fleet: what it declares, what each adapter says, and the reports over time. */
export function ClusterPage({ document: page }: { readonly document: ClusterDocument }): JSX.Element {
  const { state, message } = page;
  return (
    <article class="object">
      <header class={`banner ${toneOf(state)}`}>
        <h1>
          <span class="kind">{visible(page.kind)}</span> <Words text={page.name} />
        </h1>
        <p>
          <Badge state={state} word={state === "progressing" ? "not ready" : state} />
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
        <Words class="message" text={message} />
        {page.pulse === undefined ? null : <Pulse pulse={page.pulse} />}
        {connection.session.value?.allowActions === true ? <ClusterActions page={page} /> : null}
      </header>
      <div class="columns">
        <Section title="Adapters" class="wide">
          <Adapters page={page} />
        </Section>
        <Section title="Reports over time" note={`the last ${page.journal.length}`} class="wide">
          <Journal journal={page.journal} />
        </Section>
        <Section title="Conditions">
          <Conditions page={page} />
        </Section>
        <div class="stack">
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
      </div>
    </article>
  );
}

/** When its adapters were last asked, and when they are next. */
function Pulse({ pulse }: { readonly pulse: PulseView }): JSX.Element {
  const { lastAt, nextAt, reason } = pulse;
  return (
    <p class="aside pulse">
      {lastAt === undefined ? (
        <span>no pulse was sent yet</span>
      ) : (
        <span>
          last pulse <Age time={lastAt} word=" ago" />
        </span>
      )}
      {nextAt === undefined ? (
        <span>the next one when something changes</span>
      ) : (
        <span>
          next <Due time={nextAt} />
          {reason === undefined || reason === "refresh" ? "" : `, because of a ${reason}`}
        </span>
      )}
    </p>
  );
}

function ClusterActions({ page }: { readonly page: ClusterDocument }): JSX.Element | null {
  const { kind, name, plural, id, editable, children, adapters } = page;
  if (page.deletedAt !== undefined) return null;
  const resource = { plural, id };
  return (
    <div class="actions">
      {editable === undefined ? (
        <span class="aside">Not to be edited here: it holds integers beyond 2^53.</span>
      ) : (
        <EditButton
          question={`Edit ${kind} ${name}`}
          text={editable}
          action={(base, yaml) => ({ kind: "declare", resource, base, yaml })}
        />
      )}
      <ActionButton
        label="Delete"
        question={`Delete ${kind} ${name}?`}
        isDangerous
        action={() => ({ kind: "retire", resource })}
      >
        <GoesAlong words="What is below it goes first, or keeps it, as its kind says:" refs={children} />
        {adapters.length === 0 ? null : (
          <p class="aside">{`It stays until these have finalized it: ${visible(adapters.map(({ adapter }) => adapter).join(", "))}`}</p>
        )}
      </ActionButton>
    </div>
  );
}

/** Conditions of the resource itself. */
function Conditions({ page }: { readonly page: ClusterDocument }): JSX.Element {
  const { conditions, state } = page;
  if (conditions.length === 0) return <p class="empty">It has no conditions.</p>;
  return (
    <ul class="conditions">
      {conditions.map(({ type, status, reason, message, generation, since }) => (
        <li key={type}>
          <span class="line">
            <Badge state={status === "False" ? state : status} word={type} />
            <span class="aside">{`${status} ${visible(reason)}, generation ${generation}`}</span>
            <Age time={since} />
          </span>
          <Words class="message" text={message} />
        </li>
      ))}
    </ul>
  );
}

function Adapters({ page }: { readonly page: ClusterDocument }): JSX.Element {
  const { adapters, generation: latest, pulse, deletedAt } = page;
  if (adapters.length === 0) return <p class="empty">No adapters work on this kind.</p>;
  return (
    <table class="stacked">
      <thead>
        <tr>
          <th scope="col">Adapter</th>
          <th scope="col">Generation</th>
          <th scope="col">Says</th>
          <th scope="col">Reported</th>
          <th scope="col">Asked again</th>
        </tr>
      </thead>
      <tbody>
        {adapters.map((adapter) => (
          <tr key={adapter.adapter}>
            <td>
              <Badge state={adapter.state} word={adapter.adapter} />
            </td>
            <td data-label="generation">
              {adapter.generation === latest ? latest : `${adapter.generation ?? "none"} → ${latest}`}
            </td>
            <td>
              {adapter.conditions
                .filter(({ type }) => type !== "Finalized" || deletedAt !== undefined)
                .map(({ type, status, reason, message }) => (
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
                  {`${adapter.progress.isHealthy ? "working on" : "could not judge"} generation ${adapter.progress.generation}: `}
                  <Words text={adapter.progress.message} />
                </div>
              )}
            </td>
            <td>{adapter.reportedAt === undefined ? "never" : <Age time={adapter.reportedAt} word=" ago" />}</td>
            <td data-label="asked again">
              <Due time={pulse?.adapters.find((each) => each.adapter === adapter.adapter)?.dueAt} />
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
        <div class="lane axis">
          <span />
          <span>
            <Age time={journal.at(-1)?.time} word=" ago" />
            <Age time={journal[0]?.time} word=" ago" />
          </span>
        </div>
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
