import type { JSX } from "preact";
import type {
  ConditionChange,
  ConditionView,
  EventView,
  ObjectDocument,
  RelatedObject,
  FieldManagerView,
} from "../../api/index.ts";
import { ObjectActions } from "../component/object-actions.tsx";
import { Age, Badge, ObjectLink, Section, UntrustedText } from "../component/components.tsx";
import { RunTimeline } from "../component/run-timeline.tsx";
import { toneOf } from "../tone.ts";
import { GenerationBadge, WhyTree } from "../component/why-tree.tsx";
import { formatCount, escapeInvisible } from "../format.ts";
import { connection } from "../app-state.ts";
import { YamlView } from "../component/yaml-view.tsx";

/** One object: the explanation first, then its details. */
export function ObjectView({ document: page }: { readonly document: ObjectDocument }): JSX.Element {
  const { state, node, conditions, runs, unreachable, events, yaml, related, createdAt, fieldManagers } = page;
  const { generation, change } = node;
  const isReadable = node.state !== "missing" && node.state !== "unreadable";
  return (
    <article class="object">
      <header class={`banner ${toneOf(state)}`}>
        <h1>
          <span class="kind">{escapeInvisible(node.kind)}</span>{" "}
          <UntrustedText text={node.namespace === undefined ? node.name : `${node.namespace}/${node.name}`} />
        </h1>
        <p>
          <Badge state={state} />
          {generation === undefined ? null : (
            <GenerationBadge latest={generation.latest} observed={generation.observed} />
          )}
          {createdAt === undefined ? null : (
            <span class="aside">
              created <Age time={createdAt} word=" ago" />
            </span>
          )}
          {change === undefined ? null : (
            <span class="aside">
              {change.created ? "by " : "last change: "}
              <UntrustedText text={change.manager === "" ? "unknown" : change.manager} />
              {change.created
                ? ""
                : ` set ${escapeInvisible(change.fields.join(", "))}${change.left === 0 ? "" : ` and ${change.left} more`} `}
              {change.created ? null : <Age time={change.at} word=" ago" />}
            </span>
          )}
        </p>
        <UntrustedText class="message" text={state === "ready" ? "" : page.message} />
        {isReadable && connection.session.value?.allowActions === true ? <ObjectActions page={page} /> : null}
      </header>
      <div class="columns">
        <Section title="Why" class="wide">
          <WhyTree node={node} state={state} />
        </Section>
        <Section title="Runs" note={runs.length === 0 ? "" : `the last ${runs.length}`} class="wide">
          <RunTimeline runs={runs} unreachable={unreachable} />
        </Section>
        <Section title="Conditions">
          <Conditions conditions={conditions} />
        </Section>
        <div class="stack">
          <Section title="Related">
            <Related related={related} />
          </Section>
          <Section title="Field managers" note="last write of each">
            <FieldManagers managers={fieldManagers} />
          </Section>
        </div>
        <Section title="Events" class="wide">
          <Events events={events} />
        </Section>
        <Section
          title="YAML"
          note={page.isRedacted ? "values of Secrets are masked" : "fields with their owners"}
          class="wide"
        >
          {isReadable ? <YamlView lines={yaml} /> : <p class="empty">The object does not exist or cannot be read.</p>}
        </Section>
      </div>
    </article>
  );
}

/** Conditions with their earlier states. */
export function Conditions({ conditions }: { readonly conditions: readonly ConditionView[] }): JSX.Element {
  if (conditions.length === 0) return <p class="empty">No conditions.</p>;
  return (
    <ul class="conditions">
      {conditions.map(({ type, state, reason, message, since, status, history, isComplete }) => (
        <li key={type}>
          <span class="line">
            <Badge state={state} word={type} />
            <span class="aside">{`${status}${reason === "" ? "" : ` ${escapeInvisible(reason)}`}`}</span>
            <Age time={since} />
          </span>
          <UntrustedText class="message" text={message} />
          <History changes={history} />
          {isComplete ? null : <p class="aside">Earlier states are unknown.</p>}
        </li>
      ))}
    </ul>
  );
}

/** Number of earlier states shown without expanding. */
const STATES_SHOWN = 3;

function History({ changes }: { readonly changes: readonly ConditionChange[] }): JSX.Element | null {
  if (changes.length === 0) return null;
  const list = (some: readonly ConditionChange[]): JSX.Element => (
    <ol class="history">
      {some.map((before) => (
        <li key={`${before.since}${before.status}${before.reason}`}>
          <span class={`state ${toneOf(before.status)}`}>{before.status}</span>{" "}
          <UntrustedText text={`${before.reason} ${before.message}`} /> <Age time={before.since} word=" ago" />
        </li>
      ))}
    </ol>
  );
  const more = changes.slice(STATES_SHOWN);
  return (
    <>
      {list(changes.slice(0, STATES_SHOWN))}
      {more.length === 0 ? null : (
        <details>
          <summary class="aside">{formatCount(more.length, "earlier state")}</summary>
          {list(more)}
        </details>
      )}
    </>
  );
}

function FieldManagers({ managers }: { readonly managers: readonly FieldManagerView[] }): JSX.Element {
  if (managers.length === 0) return <p class="empty">The object has no field managers.</p>;
  return (
    <ul class="related">
      {managers.map(({ manager, subresource, time, fields, left }) => (
        <li key={`${manager}/${subresource}/${time ?? ""}`}>
          <UntrustedText text={manager} />{" "}
          <span class="aside">{subresource === "" ? "" : escapeInvisible(subresource)}</span>{" "}
          <Age time={time} word=" ago" />{" "}
          <UntrustedText class="fields" text={`${fields.join(", ")}${left === 0 ? "" : ` and ${left} more`}`} />
        </li>
      ))}
    </ul>
  );
}

function Related({ related }: { readonly related: readonly RelatedObject[] }): JSX.Element {
  if (related.length === 0) return <p class="empty">No owners or children are known.</p>;
  return (
    <ul class="related">
      {related.map((each) => (
        <li key={`${each.relation}${each.kind}${each.namespace ?? ""}/${each.name}`}>
          <span class="aside">{each.relation}</span> <ObjectLink to={each} namespaced={false} />
        </li>
      ))}
    </ul>
  );
}

function Events({ events }: { readonly events: readonly EventView[] }): JSX.Element {
  if (events.length === 0) return <p class="empty">No events.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Message</th>
          <th scope="col">Count</th>
          <th scope="col">Last</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ type, reason, message, count: times, last }) => (
          <tr key={`${reason}${message}${last ?? ""}`}>
            <td>
              <span class={`badge ${type === "Warning" ? "bad" : "faint"}`}>{escapeInvisible(reason)}</span>
            </td>
            <td>
              <UntrustedText text={message} />
            </td>
            <td>{times}</td>
            <td>
              <Age time={last} word=" ago" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
