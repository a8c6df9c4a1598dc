import type { JSX } from "preact";
import { compareGenerations } from "@levelset/core";
import type { ConditionNode, ObjectNode } from "@levelset/operator";
import { Age, Dot, ObjectLink, Words } from "./parts.tsx";
import { toneOf } from "./tone.ts";
import { visible } from "./words.ts";

/** Why an object is as it is, as a tree that unfolds: below each thing what it waits for. */
export function WhyTree({ node }: { readonly node: ObjectNode }): JSX.Element {
  return (
    <div class="tree">
      <Branch node={node} isRoot />
    </div>
  );
}

function Branch({ node, isRoot = false }: { readonly node: ObjectNode; readonly isRoot?: boolean }): JSX.Element {
  const { state, message, conditions, causes, details, events, left, generation } = node;
  const hasMore = conditions.length + causes.length + details.length + events.length + left > 0;
  const head = (
    <>
      <Dot tone={toneOf(state)} label={state} />
      {isRoot ? (
        <strong>
          <span class="kind">{visible(node.kind)}</span> <Words text={node.name} />
        </strong>
      ) : (
        <ObjectLink to={node} />
      )}
      <Words class="message" text={message} />
      {generation === undefined ? null : <GenerationMark latest={generation.latest} observed={generation.observed} />}
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
            <Words text={line} />
          </li>
        ))}
        {events.map(({ reason, message: words, count, last }) => (
          <li key={`${reason}${words}`} class="aside">
            {`event ${visible(reason)}${count > 1 ? ` ×${count}` : ""}: `}
            <Words text={words} /> <Age time={last} word=" ago" />
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
      <Dot tone={toneOf(state)} label={state} />
      <strong>{visible(type)}</strong>
      {state === "done" || state === "pending" ? null : <span class={`state ${toneOf(state)}`}>{state}</span>}
      {state === "done" ? null : <Age time={since} />}
      <Words class="message" text={state === "done" ? "" : message === "" ? reason : message} />
      {step === undefined ? null : <span class="aside">{`step ${visible(step)}`}</span>}
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

/** The latest generation of an object, and the one that its status is about. */
export function GenerationMark(props: { readonly latest: number; readonly observed: number | undefined }): JSX.Element {
  const { latest, observed } = props;
  const isCurrent = compareGenerations(observed, latest) === "current";
  return (
    <span class={`generation ${isCurrent ? "good" : "busy"}`}>
      {isCurrent ? `generation ${latest}, observed` : `generation ${latest}, observed ${observed ?? "none"}`}
    </span>
  );
}
