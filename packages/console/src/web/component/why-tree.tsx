import type { JSX } from "preact";
import { compareGenerations } from "@levelset/core/internal";
import type { ConditionNode } from "@levelset/operator/internal";
import type { ObjectNode } from "@levelset/operator";
import type { DisplayState } from "../../api/index.ts";
import { Age, Dot, ObjectLink, UntrustedText } from "./components.tsx";
import { stateLabel, toneOf } from "../tone.ts";
import { escapeInvisible } from "../format.ts";

/** Explanation of an object as an expandable tree. `state` is the state of the root. */
export function WhyTree({ node, state }: { readonly node: ObjectNode; readonly state: DisplayState }): JSX.Element {
  return (
    <div class="tree">
      <Branch node={node} rootState={state} />
    </div>
  );
}

function Branch({ node, rootState }: { readonly node: ObjectNode; readonly rootState?: DisplayState }): JSX.Element {
  const isRoot = rootState !== undefined;
  const state = rootState ?? node.state;
  const { message, conditions, causes, details, events, left, generation } = node;
  const hasMore = conditions.length + causes.length + details.length + events.length + left > 0;
  const head = (
    <>
      <Dot tone={toneOf(state)} label={stateLabel(state)} />
      {isRoot ? (
        <strong>
          <span class="kind">{escapeInvisible(node.kind)}</span> <UntrustedText text={node.name} />
        </strong>
      ) : (
        <ObjectLink to={node} />
      )}
      <UntrustedText class="message" text={message} />
      {generation === undefined ? null : <GenerationBadge latest={generation.latest} observed={generation.observed} />}
    </>
  );
  if (!hasMore) return <div class="leaf">{head}</div>;
  return (
    <details open={isRoot || state !== "ready"}>
      <summary>{head}</summary>
      <ul>
        {conditions.map((condition) => (
          <li key={condition.type}>
            <ConditionBranch condition={condition} />
          </li>
        ))}
        {causes.map((cause) => (
          <li key={`${cause.kind}/${cause.namespace ?? ""}/${cause.name}`}>
            <Branch node={cause} />
          </li>
        ))}
        {left > 0 ? <li class="aside">{`and ${left} more`}</li> : null}
        {details.map((line) => (
          <li key={line} class="aside">
            <UntrustedText text={line} />
          </li>
        ))}
        {events.map(({ reason, message: text, count, last }) => (
          <li key={`${reason}${text}`} class="aside">
            {`event ${escapeInvisible(reason)}${count > 1 ? ` ×${count}` : ""}: `}
            <UntrustedText text={text} /> <Age time={last} word=" ago" />
          </li>
        ))}
      </ul>
    </details>
  );
}

function ConditionBranch({ condition }: { readonly condition: ConditionNode }): JSX.Element {
  const { type, state, message, reason, since, causes, step } = condition;
  const head = (
    <>
      <Dot tone={toneOf(state)} label={stateLabel(state)} />
      <strong>{escapeInvisible(type)}</strong>
      {state === "done" || state === "pending" ? null : (
        <span class={`state ${toneOf(state)}`}>{stateLabel(state)}</span>
      )}
      {state === "done" ? null : <Age time={since} />}
      <UntrustedText class="message" text={state === "done" ? "" : message === "" ? reason : message} />
      {step === undefined ? null : <span class="aside">{`step ${escapeInvisible(step)}`}</span>}
    </>
  );
  if (causes.length === 0) return <div class="leaf">{head}</div>;
  return (
    <details open={state !== "done"}>
      <summary>{head}</summary>
      <ul>
        {causes.map((cause) => (
          <li key={`${cause.kind}/${cause.namespace ?? ""}/${cause.name}`}>
            <Branch node={cause} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The latest generation of an object and the observed one. */
export function GenerationBadge(props: {
  readonly latest: number;
  readonly observed: number | undefined;
}): JSX.Element {
  const { latest, observed } = props;
  const isCurrent = compareGenerations(observed, latest) === "current";
  return (
    <span class={`generation ${isCurrent ? "good" : "busy"}`}>
      {isCurrent ? `generation ${latest}, observed` : `generation ${latest}, observed ${observed ?? "none"}`}
    </span>
  );
}
