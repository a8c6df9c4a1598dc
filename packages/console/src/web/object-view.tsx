import type { JSX } from "preact";
import type {
  ConditionChange,
  ConditionView,
  EventView,
  ObjectDocument,
  RelatedObject,
  WriterView,
} from "../api/index.ts";
import { ObjectActions } from "./object-actions.tsx";
import { Age, Badge, ObjectLink, Section, Words } from "./parts.tsx";
import { RunTimeline } from "./run-timeline.tsx";
import { toneOf } from "./tone.ts";
import { GenerationMark, WhyTree } from "./why-tree.tsx";
import { count, visible } from "./words.ts";
import { connection } from "./world.ts";
import { YamlView } from "./yaml-view.tsx";

/** All about one object: the answer first, then what it is made of. */
export function ObjectView({ document: page }: { readonly document: ObjectDocument }): JSX.Element {
  const { node, conditions, runs, silent, events, yaml, related, createdAt, writers } = page;
  const { generation, change } = node;
  const isThere = node.state !== "missing" && node.state !== "unreadable";
  return (
    <article class="object">
      <header class={`banner ${toneOf(node.state)}`}>
        <h1>
          <span class="kind">{visible(node.kind)}</span>{" "}
          <Words text={node.namespace === undefined ? node.name : `${node.namespace}/${node.name}`} />
        </h1>
        <p>
          <Badge state={node.state} word={node.state === "progressing" ? "not ready" : node.state} />
          {generation === undefined ? null : (
            <GenerationMark latest={generation.latest} observed={generation.observed} />
          )}
          {createdAt === undefined ? null : (
            <span class="aside">
              made <Age time={createdAt} word=" ago" />
            </span>
          )}
          {change === undefined ? null : (
            <span class="aside">
              {change.created ? "by " : "last change: "}
              <Words text={change.manager === "" ? "somebody" : change.manager} />
              {change.created
                ? ""
                : ` set ${visible(change.fields.join(", "))}${change.left === 0 ? "" : ` and ${change.left} more`} `}
              {change.created ? null : <Age time={change.at} word=" ago" />}
            </span>
          )}
        </p>
        <Words class="message" text={node.state === "ready" ? "" : node.message} />
        {isThere && connection.session.value?.allowActions === true ? <ObjectActions page={page} /> : null}
      </header>
      <div class="columns">
        <Section title="Why" class="wide">
          <WhyTree node={node} />
        </Section>
        <Section title="Runs" note={runs.length === 0 ? "" : `the last ${runs.length}`} class="wide">
          <RunTimeline runs={runs} silent={silent} />
        </Section>
        <Section title="Conditions">
          <Conditions conditions={conditions} />
        </Section>
        <div class="stack">
          <Section title="Related">
            <Related related={related} />
          </Section>
          <Section title="Written by" note="the last time of each">
            <Writers writers={writers} />
          </Section>
        </div>
        <Section title="Events" class="wide">
          <Events events={events} />
        </Section>
        <Section
          title="YAML"
          note={page.isMasked ? "values of Secrets are masked" : "fields by who owns them"}
          class="wide"
        >
          {isThere ? <YamlView lines={yaml} /> : <p class="empty">There is nothing to show.</p>}
        </Section>
      </div>
    </article>
  );
}

/** Conditions, with what they were before. */
export function Conditions({ conditions }: { readonly conditions: readonly ConditionView[] }): JSX.Element {
  if (conditions.length === 0) return <p class="empty">It has no conditions.</p>;
  return (
    <ul class="conditions">
      {conditions.map(({ type, state, reason, message, since, status, history, isWhole }) => (
        <li key={type}>
          <span class="line">
            <Badge state={state} word={type} />
            <span class="aside">{`${status}${reason === "" ? "" : ` ${visible(reason)}`}`}</span>
            <Age time={since} />
          </span>
          <Words class="message" text={message} />
          <History changes={history} />
          {isWhole ? null : <p class="aside">What it was before is not known.</p>}
        </li>
      ))}
    </ul>
  );
}

/** How many earlier states are in sight. */
const STATES_SHOWN = 3;

function History({ changes }: { readonly changes: readonly ConditionChange[] }): JSX.Element | null {
  if (changes.length === 0) return null;
  const list = (some: readonly ConditionChange[]): JSX.Element => (
    <ol class="history">
      {some.map((before) => (
        <li key={`${before.since}${before.status}${before.reason}`}>
          <span class={`state ${toneOf(before.status)}`}>{before.status}</span>{" "}
          <Words text={`${before.reason} ${before.message}`} /> <Age time={before.since} word=" ago" />
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
          <summary class="aside">{`${count(more.length, "state")} before that`}</summary>
          {list(more)}
        </details>
      )}
    </>
  );
}

function Writers({ writers }: { readonly writers: readonly WriterView[] }): JSX.Element {
  if (writers.length === 0) return <p class="empty">The cluster does not tell.</p>;
  return (
    <ul class="related">
      {writers.map(({ manager, subresource, time, fields, left }) => (
        <li key={`${manager}/${subresource}/${time ?? ""}`}>
          <Words text={manager} /> <span class="aside">{subresource === "" ? "" : visible(subresource)}</span>{" "}
          <Age time={time} word=" ago" />{" "}
          <Words class="fields" text={`${fields.join(", ")}${left === 0 ? "" : ` and ${left} more`}`} />
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
              <span class={`badge ${type === "Warning" ? "bad" : "faint"}`}>{visible(reason)}</span>
            </td>
            <td>
              <Words text={message} />
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
