import type { JSX } from "preact";
import type { ObjectRef } from "@levelset/operator";
import type { PlanEntry, SetDocument, SetItem, SetVersion } from "../api/index.ts";
import { ActionButton } from "./confirm.tsx";
import { Diff } from "./diff.tsx";
import { GoesAlong } from "./goes-along.tsx";
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
              ref: operandRef(set.name),
            }}
          >
            why, runs and YAML
          </Link>
        </p>
        {set.counts === undefined ? null : <Progress counts={set.counts} />}
        <Phases set={set} />
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

function operandRef(name: string): ObjectRef {
  return { apiVersion: "operand.levelset.dev/v1alpha1", kind: "Operand", name };
}

/** What becomes of the objects of a set that is deleted. */
const POLICY_WORDS: Readonly<Record<SetDocument["deletionPolicy"], string>> = {
  Delete: "Its objects are deleted with it:",
  WaitForTermination: "Its objects are deleted with it, and it stays until they are gone:",
  Orphan: "Its deletionPolicy is Orphan. Its objects stay, and belong to nobody:",
};

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

const PHASE_WORDS = [
  ["Installing", "steady state"],
  ["PostInstall", "post-install"],
  ["Pruning", "prune"],
  ["Ready", "ready"],
] as const;

/** How far an installation is, and what it waits for. */
function Phases({ set }: { readonly set: SetDocument }): JSX.Element | null {
  const at = PHASE_WORDS.findIndex(([phase]) => phase === set.phase);
  if (at === -1) return null;
  const waiting = waitingFor(set);
  return (
    <>
      <ol class="phases" aria-label="Progress">
        {PHASE_WORDS.map(([phase, word], index) => {
          const isDone = index < at || set.phase === "Ready";
          return (
            <li
              key={phase}
              class={isDone ? "good" : index === at ? "busy" : "faint"}
              aria-current={index === at ? "step" : undefined}
            >
              <span aria-hidden="true">{isDone ? "✓" : index === at ? "…" : "·"}</span> {word}
            </li>
          );
        })}
      </ol>
      {set.phase === "Ready" || waiting === "" ? null : <Words class="message" text={`waits for ${waiting}`} />}
    </>
  );
}

/** The first objects that are not as they should be. */
function waitingFor({ items }: SetDocument): string {
  const open = items.filter(({ state, health }) => state !== "applied" || health !== "ready");
  const named = open.slice(0, 3).map(({ kind, namespace, name, message, state }) => {
    const words = message === "" ? state : message;
    return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}: ${words}`;
  });
  return [...named, ...(open.length > 3 ? [`${open.length - 3} more`] : [])].join("; ");
}

function SetActions({ set }: { readonly set: SetDocument }): JSX.Element {
  const { name, isSuspended } = set;
  return (
    <div class="actions">
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
      <ActionButton
        label="Delete"
        question={`Delete Operand ${name}?`}
        isDangerous
        action={() => ({ kind: "delete", object: operandRef(name), uid: set.uid })}
      >
        <GoesAlong words={POLICY_WORDS[set.deletionPolicy]} refs={[...set.items, ...leftoversOf(set)]} />
      </ActionButton>
    </div>
  );
}

function Stage({ title, items }: { readonly title: string; readonly items: readonly SetItem[] }): JSX.Element {
  const done = items.filter(({ state, health }) => state === "applied" && health === "ready").length;
  return (
    <Section title={title} note={items.length === 0 ? "" : `${done} of ${items.length} as asked and healthy`}>
      {items.length === 0 ? <p class="empty">Nothing is in this stage.</p> : null}
      <ul class="items">
        {items.map((item) => (
          <li key={idOf(item)}>
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
  const entries = plan.items;
  return (
    <Section title="Plan" note="what a run would do now" class="wide">
      {isSuspended ? <p class="aside">Suspended: nothing of this happens before it is resumed.</p> : null}
      {entries.length === 0 ? (
        <p class="empty">{`Nothing to write: ${count(plan.unchanged, "object")} as asked for.`}</p>
      ) : null}
      <ul class="plan">
        {entries.map((entry) => (
          <li key={idOf(entry)}>
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

/** What is no longer asked for and still there, and what is in the way of its going. */
function Leftovers({ set }: { readonly set: SetDocument }): JSX.Element | null {
  const { pending, blocked, phase } = set;
  const planned = plannedPrunes(set);
  if (pending.length + blocked.length + planned.length === 0) return null;
  const waiting = waitingFor(set);
  const isBefore = phase !== "Ready" && phase !== "Pruning" && waiting !== "";
  return (
    <Section title="To be pruned" note="no longer asked for, and still there" class="wide">
      {isBefore ? (
        <p class="aside">
          Nothing goes before the new version is ready. It waits for <Words text={waiting} />.
        </p>
      ) : null}
      <ul class="items">
        {planned.map((entry) => (
          <li key={`planned${idOf(entry)}`}>
            <Dot tone="going" label={entry.action} />
            <ObjectLink to={entry} />
            <Words class="message" text={entry.note} />
          </li>
        ))}
        {pending.map(({ reason, due, ...ref }) => (
          <li key={`pending${idOf(ref)}`}>
            <Dot tone="going" label="waits" />
            <ObjectLink to={ref} />
            <Words class="message" text={due === undefined ? reason : `${reason}, goes at ${due}`} />
          </li>
        ))}
        {blocked.map(({ reason, message, ...ref }) => (
          <li key={`blocked${idOf(ref)}`}>
            <Dot tone="bad" label="blocked" />
            <ObjectLink to={ref} />
            <Words class="message" text={`${reason}: ${message}`} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What would be pruned, and is not known to wait or to be blocked. */
function plannedPrunes({ pending, blocked, plan }: SetDocument): readonly PlanEntry[] {
  const known = new Set([...pending, ...blocked].map(idOf));
  return plan.kind === "plan" ? plan.prunes.filter((entry) => !known.has(idOf(entry))) : [];
}

/** All that belongs to the set and is no longer asked for. */
function leftoversOf(set: SetDocument): readonly ObjectRef[] {
  const all = [...plannedPrunes(set), ...set.pending, ...set.blocked];
  return [...new Map(all.map((ref) => [idOf(ref), ref])).values()];
}

function idOf({ kind, namespace, name }: Pick<ObjectRef, "kind" | "namespace" | "name">): string {
  return `${kind}/${namespace ?? ""}/${name}`;
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
