import type { JSX } from "preact";
import type { DiffLine, PlanEntry, SetDocument, SetItem, SetVersion } from "../api/index.ts";
import { ActionButton } from "./confirm.tsx";
import { Conditions } from "./object-view.tsx";
import { Age, Badge, Dot, Link, ObjectLink, Section, Words } from "./parts.tsx";
import { toneOf } from "./tone.ts";
import type { Tone } from "./tone.ts";
import { GenerationMark } from "./why-tree.tsx";
import { count, visible } from "./words.ts";
import { connection } from "./world.ts";

const PHASES: Readonly<Record<string, string>> = {
  Ready: "ready",
  Failed: "failed",
  Invalid: "failed",
  Deleting: "deleting",
};

const ACTIONS: Readonly<Record<string, readonly [string, Tone]>> = {
  create: ["+", "good"],
  change: ["~", "busy"],
  recreate: ["±", "busy"],
  drift: ["≠", "busy"],
  hold: ["…", "faint"],
  refuse: ["✗", "bad"],
  delete: ["−", "bad"],
  mark: ["−", "busy"],
  stay: ["=", "faint"],
  wait: ["…", "faint"],
};

/** A set: how far it is, object by object, and what a run would do now. */
export function SetView({ document: set }: { readonly document: SetDocument }): JSX.Element {
  const state = set.isSuspended ? "unknown" : (PHASES[set.phase] ?? "progressing");
  return (
    <article class="object">
      <header class={`banner ${toneOf(state)}`}>
        <h1>
          <span class="kind">Operand</span> <Words text={set.name} />
        </h1>
        <p>
          <Badge
            state={state}
            word={set.isSuspended ? "Suspended" : set.phase === "" ? "not looked at yet" : set.phase}
          />
          <GenerationMark latest={set.generation} observed={set.observed} />
          <Link
            to={{
              view: "object",
              ref: { apiVersion: "operand.levelset.dev/v1alpha1", kind: "Operand", name: set.name },
            }}
          >
            why, runs and YAML
          </Link>
        </p>
        {set.counts === undefined ? null : <Progress counts={set.counts} />}
        {connection.session.value?.allowActions === true ? <SetActions set={set} /> : null}
      </header>
      {set.invalid.map((words) => (
        <p key={words} class="problem" role="alert">
          <Words text={words} />
        </p>
      ))}
      <div class="columns">
        <Stage title="steadyState" items={set.items.filter(({ stage }) => stage === "steadyState")} />
        <Stage title="postInstall" items={set.items.filter(({ stage }) => stage === "postInstall")} />
        <Plan set={set} />
        <Leftovers set={set} />
        <Section title="Versions">
          <Versions set={set} />
        </Section>
        <Section title="Conditions">
          <Conditions conditions={set.conditions} />
        </Section>
      </div>
    </article>
  );
}

function Progress({ counts }: { readonly counts: NonNullable<SetDocument["counts"]> }): JSX.Element {
  const { total, applied, ready } = counts;
  return (
    <div class="progress">
      {(
        [
          ["applied", applied],
          ["ready", ready],
        ] as const
      ).map(([word, number]) => (
        <label key={word}>
          {`${word} ${number} of ${total}`}
          <progress max={Math.max(1, total)} value={number} />
        </label>
      ))}
    </div>
  );
}

function SetActions({ set }: { readonly set: SetDocument }): JSX.Element {
  const { name, isSuspended } = set;
  return (
    <p class="actions">
      {isSuspended ? (
        <ActionButton
          label="Resume"
          question={`Let ${name} be written again?`}
          action={() => ({ kind: "resume", set: name })}
        />
      ) : (
        <ActionButton
          label="Suspend"
          question={`Stop writing anything of ${name}?`}
          action={() => ({ kind: "suspend", set: name })}
        />
      )}
    </p>
  );
}

function Stage({ title, items }: { readonly title: string; readonly items: readonly SetItem[] }): JSX.Element {
  const done = items.filter(({ state, health }) => state === "applied" && health === "ready").length;
  return (
    <Section title={title} note={items.length === 0 ? "" : `${done} of ${items.length} as asked and healthy`}>
      {items.length === 0 ? <p class="empty">Nothing is in this stage.</p> : null}
      <ul class="items">
        {items.map((item) => (
          <li key={`${item.kind}${item.namespace ?? ""}/${item.name}`}>
            <Dot
              tone={toneOf(item.state === "applied" ? item.health : item.state)}
              label={`${item.state}, ${item.health}`}
            />
            <ObjectLink to={item} />
            <span class="aside">
              {item.state === "differs" ? "drifted or to be changed" : item.state === "missing" ? "missing" : ""}
            </span>
            <Words class="message" text={item.health === "ready" && item.state === "applied" ? "" : item.message} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Plan({ set }: { readonly set: SetDocument }): JSX.Element {
  const { plan, isSuspended } = set;
  if (plan.kind === "invalid") {
    return (
      <Section title="Plan" class="wide">
        <p class="empty">Nothing would be done: the set cannot be understood.</p>
      </Section>
    );
  }
  const entries = [...plan.items, ...plan.prunes];
  return (
    <Section title="Plan" note="what a run would do now" class="wide">
      {isSuspended ? <p class="aside">Suspended: nothing of this happens before it is resumed.</p> : null}
      {entries.length === 0 ? (
        <p class="empty">{`Nothing to do: ${count(plan.unchanged, "object")} as they should be.`}</p>
      ) : null}
      <ul class="plan">
        {entries.map((entry) => (
          <li key={`${entry.action}${entry.kind}${entry.namespace ?? ""}/${entry.name}`}>
            <PlanLine entry={entry} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function PlanLine({ entry }: { readonly entry: PlanEntry }): JSX.Element {
  const [sign, tone] = ACTIONS[entry.action] ?? ["?", "faint"];
  const head = (
    <>
      <span class={`state ${tone}`}>{`${sign} ${entry.action}`}</span> <ObjectLink to={entry} />{" "}
      <Words class="message" text={entry.note} />
    </>
  );
  if (entry.diff.length === 0) return <div class="leaf">{head}</div>;
  return (
    <details>
      <summary>{head}</summary>
      <Diff lines={entry.diff} />
    </details>
  );
}

function Diff({ lines }: { readonly lines: readonly DiffLine[] }): JSX.Element {
  return (
    <pre class="diff" tabIndex={0}>
      {lines.map(({ sign, text }, index) => (
        <span key={index} class={sign === "+" ? "good" : sign === "-" ? "bad" : "faint"}>
          {sign === "@" ? "⋯" : `${sign} ${visible(text)}`}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function Leftovers({ set }: { readonly set: SetDocument }): JSX.Element | null {
  const { pending, blocked } = set;
  if (pending.length + blocked.length === 0) return null;
  return (
    <Section title="To be pruned" note="no longer asked for, and still there" class="wide">
      <ul class="items">
        {pending.map(({ reason, due, ...ref }) => (
          <li key={`pending${ref.kind}${ref.name}`}>
            <Dot tone="going" label="waits" />
            <ObjectLink to={ref} />
            <Words class="message" text={due === undefined ? reason : `${reason}, goes at ${due}`} />
          </li>
        ))}
        {blocked.map(({ reason, message, ...ref }) => (
          <li key={`blocked${ref.kind}${ref.name}`}>
            <Dot tone="bad" label="blocked" />
            <ObjectLink to={ref} />
            <Words class="message" text={`${reason}: ${message}`} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Versions({ set }: { readonly set: SetDocument }): JSX.Element {
  if (set.versions.length === 0) return <p class="empty">No version became ready so far.</p>;
  return (
    <ol class="versions">
      {set.versions.map((version) => (
        <li key={`${version.generation}${version.time}`}>
          <strong>{`generation ${version.generation}`}</strong> <code>{visible(version.inventory)}</code>{" "}
          <Age time={version.time} word=" ago" />{" "}
          {version.isCurrent ? <span class="badge good">asked for now</span> : null}
          <Rollback name={set.name} version={version} />
        </li>
      ))}
    </ol>
  );
}

function Rollback({ name, version }: { readonly name: string; readonly version: SetVersion }): JSX.Element | null {
  const { generation, isCurrent, isKept } = version;
  if (isCurrent || !isKept || connection.session.value?.allowActions !== true) return null;
  return (
    <ActionButton
      label="Roll back"
      question={`Ask for generation ${generation} of ${name} again?`}
      action={() => ({ kind: "rollback", set: name, generation })}
    />
  );
}
