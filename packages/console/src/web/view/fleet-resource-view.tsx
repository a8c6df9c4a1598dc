import type { JSX } from "preact";
import type { FleetResourceDocument, JournalEntryView, PulseView } from "../../api/index.ts";
import { ActionButton, EditButton } from "../component/action-button.tsx";
import { DeletionPreview } from "../component/deletion-preview.tsx";
import { Age, Badge, Dot, Due, Link, Section, UntrustedText } from "../component/components.tsx";
import { stateLabel, toneOf } from "../tone.ts";
import { formatCount, escapeInvisible } from "../format.ts";
import { connection } from "../app-state.ts";
import { YamlView } from "../component/yaml-view.tsx";

/** One fleet resource: spec, adapter states and report history. */
export function FleetResourceView({ document: page }: { readonly document: FleetResourceDocument }): JSX.Element {
  const { state, message } = page;
  return (
    <article class="object">
      <header class={`banner ${toneOf(state)}`}>
        <h1>
          <span class="kind">{escapeInvisible(page.kind)}</span> <UntrustedText text={page.name} />
        </h1>
        <p>
          <Badge state={state} />
          <span class="generation">{`generation ${page.generation}`}</span>
          <span class="aside">
            updated by <UntrustedText text={page.updatedBy} /> <Age time={page.updatedAt} word=" ago" />
          </span>
          {page.parent === undefined ? null : (
            <Link to={{ view: "cluster", plural: page.parent.plural, id: page.parent.id }}>
              {escapeInvisible(`${page.parent.kind} ${page.parent.name}`)}
            </Link>
          )}
          <code>{escapeInvisible(page.id)}</code>
        </p>
        <UntrustedText class="message" text={message} />
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
          <Section
            title="Children"
            note={page.children.length === 0 ? "" : formatCount(page.children.length, "resource")}
          >
            {page.children.length === 0 ? <p class="empty">None.</p> : null}
            <ul class="related">
              {page.children.map(({ plural, id, kind, name }) => (
                <li key={id}>
                  <Link to={{ view: "cluster", plural, id }}>
                    <span class="kind">{escapeInvisible(kind)}</span> <UntrustedText text={name} />
                  </Link>
                </li>
              ))}
            </ul>
          </Section>
          <Section title="Labels and spec">
            <YamlView lines={page.yaml} />
          </Section>
        </div>
      </div>
    </article>
  );
}

/** Times of the last and the next pulse. */
function Pulse({ pulse }: { readonly pulse: PulseView }): JSX.Element {
  const { lastAt, nextAt, reason } = pulse;
  return (
    <p class="aside pulse">
      {lastAt === undefined ? (
        <span>no pulse sent yet</span>
      ) : (
        <span>
          last pulse <Age time={lastAt} word=" ago" />
        </span>
      )}
      {nextAt === undefined ? (
        <span>next pulse on change</span>
      ) : (
        <span>
          next <Due time={nextAt} />
          {reason === undefined || reason === "refresh" ? "" : `, reason: ${reason}`}
        </span>
      )}
    </p>
  );
}

function ClusterActions({ page }: { readonly page: FleetResourceDocument }): JSX.Element | null {
  const { kind, name, plural, id, editable, children, adapters } = page;
  if (page.deletedAt !== undefined) return null;
  const resource = { plural, id };
  return (
    <div class="actions">
      {editable === undefined ? (
        <span class="aside">Cannot be edited here: it contains integers beyond 2^53.</span>
      ) : (
        <EditButton
          question={`Edit ${kind} ${name}`}
          text={editable}
          action={(base, yaml) => ({ kind: "edit-resource", resource, base, yaml })}
        />
      )}
      <ActionButton
        label="Delete"
        question={`Delete ${kind} ${name}?`}
        isDangerous
        action={() => ({ kind: "delete-resource", resource })}
      >
        <DeletionPreview
          text="Child resources are deleted first, or block the deletion, depending on the kind:"
          refs={children}
        />
        {adapters.length === 0 ? null : (
          <p class="aside">{`Deletion waits for these adapters to finalize: ${escapeInvisible(adapters.map(({ adapter }) => adapter).join(", "))}`}</p>
        )}
      </ActionButton>
    </div>
  );
}

/** Conditions of the resource, without those of its adapters. */
function Conditions({ page }: { readonly page: FleetResourceDocument }): JSX.Element {
  const { conditions, state } = page;
  if (conditions.length === 0) return <p class="empty">No conditions.</p>;
  return (
    <ul class="conditions">
      {conditions.map(({ type, status, reason, message, generation, since }) => (
        <li key={type}>
          <span class="line">
            <Badge state={status === "False" ? state : status} word={type} />
            <span class="aside">{`${status} ${escapeInvisible(reason)}, generation ${generation}`}</span>
            <Age time={since} />
          </span>
          <UntrustedText class="message" text={message} />
        </li>
      ))}
    </ul>
  );
}

function Adapters({ page }: { readonly page: FleetResourceDocument }): JSX.Element {
  const { adapters, generation: latest, pulse, deletedAt } = page;
  if (adapters.length === 0) return <p class="empty">This kind has no adapters.</p>;
  return (
    <table class="stacked">
      <thead>
        <tr>
          <th scope="col">Adapter</th>
          <th scope="col">Generation</th>
          <th scope="col">Conditions</th>
          <th scope="col">Reported</th>
          <th scope="col">Next pulse</th>
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
                    <Dot tone={toneOf(status)} label={status} /> {escapeInvisible(type)}{" "}
                    <UntrustedText
                      class="message"
                      text={status === "True" ? "" : [reason, message].filter((text) => text !== "").join(": ")}
                    />
                  </div>
                ))}
              {adapter.progress === undefined ? null : (
                <div class="aside">
                  {`${adapter.progress.isHealthy ? "working on" : "adapter error at"} generation ${adapter.progress.generation}: `}
                  <UntrustedText text={adapter.progress.message} />
                </div>
              )}
            </td>
            <td>{adapter.reportedAt === undefined ? "never" : <Age time={adapter.reportedAt} word=" ago" />}</td>
            <td data-label="next pulse">
              <Due time={pulse?.adapters.find((each) => each.adapter === adapter.adapter)?.dueAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function trackOf({ adapter }: JournalEntryView): string {
  return adapter ?? "spec";
}

/** A timeline with one track per adapter and one for spec changes. */
function Journal({ journal }: { readonly journal: readonly JournalEntryView[] }): JSX.Element {
  if (journal.length === 0) return <p class="empty">No reports yet.</p>;
  const times = journal.map(({ time }) => Date.parse(time));
  const [start, end] = [Math.min(...times), Math.max(...times)];
  const tracks = [...new Set(journal.map(trackOf))].toSorted();
  const left = (time: string): string => `${end === start ? 50 : (98 * (Date.parse(time) - start)) / (end - start)}%`;
  return (
    <>
      <div class="timeline" role="img" aria-label={`${journal.length} reports and spec changes, by adapter`}>
        {tracks.map((track) => (
          <div key={track} class="track">
            <span class="track-name clip">{escapeInvisible(track)}</span>
            <span class="track-line">
              {journal
                .filter((entry) => trackOf(entry) === track)
                .map((entry) => (
                  <span
                    key={entry.id}
                    class={`mark ${entry.state === undefined ? "faint" : toneOf(entry.state)}`}
                    style={{ left: left(entry.time) }}
                    title={`${entry.action}${entry.state === undefined ? "" : ` ${stateLabel(entry.state)}`}, generation ${entry.generation}, ${entry.time}`}
                  />
                ))}
            </span>
          </div>
        ))}
        <div class="track axis">
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
              <UntrustedText text={adapter ?? by} /> {`generation ${generation}`}
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}
